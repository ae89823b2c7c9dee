//! Chooses the shapes of a drawing that are ground: the keys `path`, `paths` and `layer`.

use std::collections::{HashMap, HashSet};

use roxmltree::{Node as Element, NodeId};

use super::kinds_and_limits::MAX_CURVES;
use super::svg_drawing::{Drawing, SHAPES, is_drawn};
use super::svg_use::Item;
use crate::input::{InputError, Node, Reader, Span, Value, did_you_mean, listed, wrong_type};

const INKSCAPE: &str = "http://www.inkscape.org/namespaces/inkscape";

/// The keys `path`, `paths` and `layer`.
pub(super) enum Choice<'n> {
    /// The only path there is.
    Only,
    One(WhichPath<'n>, &'n Span),
    /// Several shapes, each a curve; without names all shapes, or all in a layer.
    Several {
        named: Option<Vec<(WhichPath<'n>, &'n Span)>>,
        layer: Option<(&'n str, &'n Span)>,
    },
}

/// Name or number of a shape of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum WhichPath<'n> {
    /// Id of the shape, or its label in Inkscape.
    Id(&'n str),
    /// Number among all shapes in the order of the file, from 1.
    Number(usize),
}

/// A shape that was chosen.
pub(super) struct Chosen<'a, 'i> {
    pub item: Item<'a, 'i>,
    /// Name of the shape, and the value of `path` that chooses only it; `None`: it is the only one.
    pub one_of_several: Option<(String, Value)>,
}

impl<'n> Choice<'n> {
    pub fn read(reader: &mut Reader<'n>) -> Result<Self, InputError> {
        let layer = match reader.get("layer") {
            None => None,
            Some(node) => match &node.value {
                Value::String(name) => Some((&**name, &node.span)),
                _ => return Err(wrong_type(node, "layer", "the name of a layer")),
            },
        };
        let two = |span: &Span, message: &str| Err(InputError::new(span, message, "one of both"));
        let several = match (reader.get("path"), reader.get("paths"), layer) {
            (None, None, None) => return Ok(Choice::Only),
            (None, None, layer) => return Ok(Choice::Several { named: None, layer }),
            (Some(one), None, None) => return Ok(Choice::One(WhichPath::read(one, "path")?, &one.span)),
            (Some(_), None, Some((_, span))) => return two(span, "`path` and `layer` are two choices"),
            (Some(one), Some(_), _) => return two(&one.span, "`path` and `paths` are two choices"),
            (None, Some(several), _) => several,
        };
        let named = match &several.value {
            Value::String(all) if &**all == "all" => None,
            Value::Array(items) if items.is_empty() => {
                let error = InputError::new(&several.span, "`paths` names no path", "an empty list");
                return Err(error.with_help("name ids or numbers, or take paths = \"all\""));
            }
            Value::Array(items) if layer.is_none() => {
                let (mut named, mut known) = (Vec::new(), HashSet::new());
                for item in items {
                    let which = WhichPath::read(item, "paths")?;
                    if !known.insert(which) {
                        let message = "`paths` names one path twice";
                        return Err(InputError::new(&item.span, message, "the second time").with_help("leave it out"));
                    }
                    named.push((which, &item.span));
                }
                Some(named)
            }
            Value::Array(_) => {
                let message = "`paths` and `layer` are two choices";
                return Err(InputError::new(&several.span, message, "\"all\", or no `layer`"));
            }
            _ => return Err(wrong_type(several, "paths", "\"all\", or a list of ids or numbers")),
        };
        Ok(Choice::Several { named, layer })
    }
}

impl Choice<'_> {
    /// Text of the key `paths` that chooses the same shapes with each line as a curve.
    pub fn as_several(&self) -> String {
        match self {
            Choice::One(WhichPath::Number(number), _) => format!("paths = [{number}]"),
            Choice::One(WhichPath::Id(id), _) => format!("paths = [\"{id}\"]"),
            _ => "paths = \"all\"".to_owned(),
        }
    }
}

impl<'n> WhichPath<'n> {
    fn read(node: &'n Node, key: &str) -> Result<Self, InputError> {
        match &node.value {
            Value::String(id) => Ok(WhichPath::Id(id)),
            Value::Number(number) if *number >= 1.0 && number.fract() == 0.0 => Ok(WhichPath::Number(*number as usize)),
            _ => Err(wrong_type(node, key, "the id of a path in the drawing, or its number from 1")),
        }
    }
}

/// Label of an object or layer in Inkscape.
pub(super) fn label<'a>(element: Element<'a, '_>) -> Option<&'a str> {
    element.attribute((INKSCAPE, "label"))
}

/// Elements of a drawing, looked up at once for all paths that are wanted.
#[derive(Default)]
struct Found<'a, 'i> {
    /// Elements by id, then by label.
    named: HashMap<&'a str, Vec<Element<'a, 'i>>>,
    /// The first two shapes that each of these elements is, or draws.
    drawn: HashMap<NodeId, Vec<Item<'a, 'i>>>,
    /// Shapes by number, from 1.
    numbered: HashMap<usize, Item<'a, 'i>>,
    /// Number of all shapes.
    count: usize,
}

impl<'a, 'i> Drawing<'a, 'i> {
    /// The shapes chosen.
    pub fn chosen(&self, choice: &Choice, from: &Span) -> Result<Vec<Chosen<'a, 'i>>, InputError> {
        let one = |item| vec![Chosen { item, one_of_several: None }];
        match choice {
            Choice::Only => {
                let only = self.only(from)?;
                self.item_of(only, self.drawn().filter(|item| item.shape == only)).map(one)
            }
            Choice::One(which, span) => self.find(*which, span, &self.look_for([*which].into())).map(one),
            Choice::Several { named: Some(named), .. } => {
                let found = self.look_for(named.iter().map(|(which, _)| *which).collect());
                let named = named.iter().map(|(which, span)| {
                    let item = self.find(*which, span, &found)?;
                    let (name, alone) = match which {
                        WhichPath::Id(id) => ((*id).to_owned(), Value::String((*id).into())),
                        WhichPath::Number(number) => (format!("path {number}"), Value::Number(*number as f64)),
                    };
                    Ok(Chosen { item, one_of_several: Some((name, alone)) })
                });
                named.collect()
            }
            Choice::Several { named: None, layer } => self.all(*layer, from),
        }
    }

    /// Finds all visible shapes, or those of a layer, each named by its label or id if that is unique, else by number.
    fn all(&self, layer: Option<(&str, &Span)>, from: &Span) -> Result<Vec<Chosen<'a, 'i>>, InputError> {
        let is_layer = |group: &Element, wanted: &str| {
            group.tag_name().name() == "g" && (label(*group) == Some(wanted) || group.attribute("id") == Some(wanted))
        };
        let mut names: HashMap<&str, usize> = HashMap::new();
        let named = |element: Element<'a, 'i>| [label(element), element.attribute("id")].into_iter().flatten();
        for element in self.root.descendants() {
            let mut own: Vec<&str> = named(element).collect();
            own.dedup();
            own.into_iter().for_each(|name| *names.entry(name).or_default() += 1);
        }
        let mut layers: Vec<std::ops::Range<usize>> = Vec::new();
        if let Some((wanted, _)) = layer {
            for group in self.root.descendants().filter(|group| is_layer(group, wanted)) {
                // A layer in itself adds nothing.
                if layers.last().is_none_or(|last| last.end <= group.range().start) {
                    layers.push(group.range());
                }
            }
        }
        let mut all = Vec::new();
        for (i, item) in self.drawn().enumerate() {
            let place = item.stands().range().start;
            let before = layers.partition_point(|layer| layer.start <= place);
            if layer.is_some() && layers[..before].last().is_none_or(|layer| place >= layer.end) {
                continue;
            }
            // Messages and tables show names of curves: a drawing that they may not quote gets numbers instead.
            let own = item.named().filter(|_| self.source.is_quoted());
            let own = own.and_then(|element| named(element).find(|name| names.get(name) == Some(&1)));
            let number = || (format!("path {}", i + 1), Value::Number((i + 1) as f64));
            let one_of_several = Some(own.map_or_else(number, |name| (name.to_owned(), Value::String(name.into()))));
            all.push(Chosen { item, one_of_several });
            if all.len() > MAX_CURVES {
                let message = format!("the drawing has {} shapes", self.drawn().count());
                return Err(InputError::new(from, message, format!("at most {MAX_CURVES} become curves")));
            }
        }
        if !all.is_empty() {
            return Ok(all);
        }
        let Some((wanted, span)) = layer else {
            return Err(self.nothing(from));
        };
        if self.root.descendants().any(|group| is_layer(&group, wanted)) {
            let message = format!("nothing can be seen in the layer `{wanted}`");
            return Err(InputError::new(span, message, "it is empty or hidden")
                .with_help("show it in the drawing program, or take another one"));
        }
        let groups = self.root.descendants().filter(|element| element.tag_name().name() == "g");
        let known: Vec<&str> =
            groups.filter_map(|group| label(group).or_else(|| group.attribute("id"))).take(100).collect();
        let near = did_you_mean(wanted, known.iter().copied().filter(|known| *known != wanted));
        let message = format!("nothing is drawn in a layer `{wanted}`");
        let error = InputError::new(span, message, listed(known.iter().copied()));
        Err(error.with_cure(near.map(|near| format!("did you mean \"{near}\"?"))))
    }

    /// The only visible shape.
    fn only(&self, from: &Span) -> Result<Element<'a, 'i>, InputError> {
        // Other shapes only count if there is no path.
        let is_path = |item: &Item| item.shape.tag_name().name() == "path";
        let paths = self.drawn().any(|item| is_path(&item));
        let mut all = self.drawn().filter(|item| !paths || is_path(item)).map(|item| item.shape);
        let Some(first) = all.next() else { return Err(self.nothing(from)) };
        if all.all(|other| other == first) {
            return Ok(first);
        }
        Err(InputError::new(from, "the drawing has several paths", "which one?").with_help(format!(
            "name one by its id, path = \"…\" ({}), or its number, path = 2; paths = \"all\" takes each as a curve; \
             `kugelbahn curves check` of the drawing lists them",
            self.paths()
        )))
    }

    fn nothing(&self, from: &Span) -> InputError {
        let message = format!("nothing can be seen in the drawing {}", self.source.name());
        let help =
            format!("draw one of {}, and show it: what is hidden, or in <defs> alone, is no ground", SHAPES.join(", "));
        InputError::new(from, message, "it has no path").with_help(help)
    }

    /// Looks through the drawing once for all that is wanted.
    fn look_for(&self, wanted: HashSet<WhichPath>) -> Found<'a, 'i> {
        let mut found = Found::default();
        let mut add = |name: Option<&'a str>, element: Element<'a, 'i>| {
            if let Some(name) = name.filter(|name| wanted.contains(&WhichPath::Id(name))) {
                found.named.entry(name).or_default().push(element);
                found.drawn.insert(element.id(), Vec::new());
            }
        };
        self.root.descendants().for_each(|element| add(element.attribute("id"), element));
        for element in self.root.descendants() {
            add(label(element).filter(|label| element.attribute("id") != Some(label)), element);
        }
        for item in self.drawn() {
            found.count += 1;
            let by = item.uses.iter().filter(|by| **by != item.shape).chain([&item.shape]);
            for element in by {
                if let Some(items) = found.drawn.get_mut(&element.id()).filter(|items| items.len() < 2) {
                    items.push(item.clone());
                }
            }
            if wanted.contains(&WhichPath::Number(found.count)) {
                found.numbered.insert(found.count, item);
            }
        }
        found
    }

    /// Finds a shape, or the drawing of a `<use>`, by id, label or number.
    fn find(&self, which: WhichPath, span: &Span, found: &Found<'a, 'i>) -> Result<Item<'a, 'i>, InputError> {
        let id = match which {
            WhichPath::Id(id) => id,
            WhichPath::Number(number) => {
                return found.numbered.get(&number).cloned().ok_or_else(|| {
                    let rule = format!("it has {}", found.count);
                    InputError::new(span, format!("the drawing has no path {number}"), rule)
                });
            }
        };
        let named = |of: &Element| of.attribute("id") == Some(id);
        let mut all = found.named.get(id).into_iter().flatten().copied();
        let drawn = |element: Element| found.drawn.get(&element.id()).into_iter().flatten().cloned();
        let Some(found) = all.next() else {
            return Err(InputError::new(span, format!("the drawing has no path `{id}`"), self.paths()));
        };
        if let Some(other) = all.next().filter(|other| named(other) || !named(&found)) {
            let what = if named(&found) { "id" } else { "label" };
            let message = format!("two elements of the drawing have the {what} `{id}`");
            let own: Vec<&str> =
                [found, other].into_iter().chain(all).take(12).filter_map(|it| it.attribute("id")).collect();
            let help = match named(&found) || own.len() < 2 {
                true => format!("give each its own {what}"),
                false => format!("name the one that is meant by its id: {}", own.join(", ")),
            };
            return Err(InputError::new(&self.element(other), message, "the second").with_help(help));
        }
        if found.tag_name().name() != "use" && !is_drawn(found) {
            let message = format!("`{id}` is a <{}> in the drawing, not a path", found.tag_name().name());
            let help = "turn it into a path with the drawing program; a layer is `layer = \"…\"`";
            return Err(InputError::new(span, message, self.paths()).with_help(help));
        }
        self.item_of(found, drawn(found))
    }

    /// Labels and ids of the visible shapes, for messages.
    fn paths(&self) -> String {
        let ids: Vec<_> = self.drawn().filter_map(|item| shown(item.named()?)).take(12).collect();
        if ids.is_empty() { "no path in it has an id".to_owned() } else { format!("its paths are {}", ids.join(", ")) }
    }
}

/// Label and id of an element, as lists show it.
pub(super) fn shown(element: Element) -> Option<String> {
    match (label(element), element.attribute("id")) {
        (Some(label), Some(id)) if label != id => Some(format!("{label} ({id})")),
        (label, id) => label.or(id).map(ToOwned::to_owned),
    }
}
