//! Which shapes of a drawing are ground.

use roxmltree::Node as Element;

use super::parts::MAX_CURVES;
use super::svg_drawing::{Drawing, SHAPES, is_drawn};
use crate::input::{InputError, Node, Reader, Span, Value, did_you_mean, listed, wrong_type};

/// Elements that hold what is not drawn where it stands.
const NOT_DRAWN: [&str; 6] = ["defs", "symbol", "marker", "pattern", "clipPath", "mask"];

const INKSCAPE: &str = "http://www.inkscape.org/namespaces/inkscape";

/// The keys `path`, `paths` and `layer`.
pub(super) enum Choice<'n> {
    /// The only path there is.
    Only,
    One(Which<'n>, &'n Span),
    /// Each a curve; of none named, all, in a layer if one is named.
    Several {
        named: Option<Vec<(Which<'n>, &'n Span)>>,
        layer: Option<(&'n str, &'n Span)>,
    },
}

/// Which shape of a drawing is meant.
#[derive(Clone, Copy, Debug)]
pub(super) enum Which<'n> {
    /// Its id, or what Inkscape shows as its label.
    Id(&'n str),
    /// Of all shapes in the order of the file, from 1.
    Number(usize),
}

/// A shape that was chosen.
pub(super) struct Chosen<'a, 'i> {
    pub element: Element<'a, 'i>,
    /// Its name, and the `path` that says it alone.
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
        let one = reader.get("path");
        let Some(several) = reader.get("paths") else {
            return match (one, layer) {
                (None, None) => Ok(Choice::Only),
                (None, layer) => Ok(Choice::Several { named: None, layer }),
                (Some(one), None) => Ok(Choice::One(Which::read(one, "path")?, &one.span)),
                (Some(_), Some((_, span))) => {
                    Err(InputError::new(span, "`path` and `layer` are two choices", "one of both"))
                }
            };
        };
        if let Some(one) = one {
            return Err(InputError::new(&one.span, "`path` and `paths` are two choices", "one of both"));
        }
        let named = match &several.value {
            Value::String(all) if &**all == "all" => None,
            Value::Array(items) if !items.is_empty() && layer.is_none() => {
                Some(items.iter().map(|item| Ok((Which::read(item, "paths")?, &item.span))).collect::<Result<_, _>>()?)
            }
            Value::Array(_) if layer.is_some() => {
                return Err(InputError::new(
                    &several.span,
                    "`paths` and `layer` are two choices",
                    "\"all\", or no `layer`",
                ));
            }
            _ => return Err(wrong_type(several, "paths", "\"all\", or a list of ids or numbers")),
        };
        Ok(Choice::Several { named, layer })
    }
}

impl Choice<'_> {
    /// Whether it may be more than one.
    pub fn is_several(&self) -> bool {
        matches!(self, Choice::Several { .. })
    }

    /// The key `paths` that takes the same, each line as a curve.
    pub fn as_several(&self) -> String {
        match self {
            Choice::One(Which::Number(number), _) => format!("paths = [{number}]"),
            Choice::One(Which::Id(id), _) => format!("paths = [\"{id}\"]"),
            _ => "paths = \"all\"".to_owned(),
        }
    }
}

impl<'n> Which<'n> {
    fn read(node: &'n Node, key: &str) -> Result<Self, InputError> {
        match &node.value {
            Value::String(id) => Ok(Which::Id(id)),
            Value::Number(number) if *number >= 1.0 && number.fract() == 0.0 => Ok(Which::Number(*number as usize)),
            _ => Err(wrong_type(node, key, "the id of a path in the drawing, or its number from 1")),
        }
    }
}

/// What Inkscape shows as the name of an object or layer.
pub(super) fn label<'a>(element: Element<'a, '_>) -> Option<&'a str> {
    element.attribute((INKSCAPE, "label"))
}

/// Shapes and what a `<use>` draws, where they are drawn, in the order of the file.
pub(super) fn drawn<'a, 'i>(root: Element<'a, 'i>) -> impl Iterator<Item = Element<'a, 'i>> {
    // What is not drawn is left out as a whole.
    let mut until = 0;
    root.descendants().filter(move |element| {
        let range = element.range();
        if range.start < until {
            return false;
        }
        let name = element.tag_name().name();
        if NOT_DRAWN.contains(&name) || is_hidden(*element) {
            until = range.end;
            return false;
        }
        is_drawn(*element) || name == "use"
    })
}

fn is_hidden(element: Element) -> bool {
    let style = element.attribute("style").unwrap_or("");
    let says = |text: &str| {
        text.split(';').any(|rule| {
            rule.split_once(':').is_some_and(|(key, value)| key.trim() == "display" && value.trim() == "none")
        })
    };
    element.attribute("display") == Some("none") || says(style)
}

impl<'a, 'i> Drawing<'a, 'i> {
    /// The shapes that are meant.
    pub fn chosen(
        &self,
        root: Element<'a, 'i>,
        choice: &Choice,
        from: &Span,
    ) -> Result<Vec<Chosen<'a, 'i>>, InputError> {
        let one = |element| vec![Chosen { element, one_of_several: None }];
        match choice {
            Choice::Only => self.only(root, from).map(one),
            Choice::One(which, span) => self.find(root, *which, span).map(one),
            Choice::Several { named: Some(named), .. } => {
                let named = named.iter().map(|(which, span)| {
                    let element = self.find(root, *which, span)?;
                    let (name, alone) = match which {
                        Which::Id(id) => ((*id).to_owned(), Value::String((*id).into())),
                        Which::Number(number) => (format!("path {number}"), Value::Number(*number as f64)),
                    };
                    Ok(Chosen { element, one_of_several: Some((name, alone)) })
                });
                named.collect()
            }
            Choice::Several { named: None, layer } => self.all(root, *layer, from),
        }
    }

    /// All that is drawn, or all in a layer; each by its label or id, where no other has that, else by its number.
    fn all(
        &self,
        root: Element<'a, 'i>,
        layer: Option<(&str, &Span)>,
        from: &Span,
    ) -> Result<Vec<Chosen<'a, 'i>>, InputError> {
        let is_layer = |group: &Element, wanted: &str| {
            group.tag_name().name() == "g" && (label(*group) == Some(wanted) || group.attribute("id") == Some(wanted))
        };
        let mut names: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
        let named = |element: Element<'a, 'i>| [label(element), element.attribute("id")].into_iter().flatten();
        for element in root.descendants() {
            let mut own: Vec<&str> = named(element).collect();
            own.dedup();
            own.into_iter().for_each(|name| *names.entry(name).or_default() += 1);
        }
        let mut all = Vec::new();
        for (i, element) in drawn(root).enumerate() {
            if let Some((wanted, _)) = layer
                && !element.ancestors().any(|group| is_layer(&group, wanted))
            {
                continue;
            }
            let own = named(element).find(|name| names.get(name) == Some(&1));
            let number = || (format!("path {}", i + 1), Value::Number((i + 1) as f64));
            let one_of_several = Some(own.map_or_else(number, |name| (name.to_owned(), Value::String(name.into()))));
            all.push(Chosen { element, one_of_several });
            if all.len() > MAX_CURVES {
                break;
            }
        }
        if all.len() > MAX_CURVES {
            let message = format!("the drawing has {} shapes", drawn(root).count());
            return Err(InputError::new(from, message, format!("at most {MAX_CURVES} become curves")));
        }
        if !all.is_empty() {
            return Ok(all);
        }
        let Some((wanted, span)) = layer else {
            return Err(InputError::new(from, "nothing is drawn in this drawing", "a drawing with a <path>"));
        };
        let groups = root.descendants().filter(|element| element.tag_name().name() == "g");
        let known: Vec<&str> =
            groups.filter_map(|group| label(group).or_else(|| group.attribute("id"))).take(100).collect();
        let error =
            InputError::new(span, format!("nothing is drawn in a layer `{wanted}`"), listed(known.iter().copied()));
        Err(match did_you_mean(wanted, known.iter().copied().filter(|known| *known != wanted)) {
            Some(near) => error.with_help(format!("did you mean \"{near}\"?")),
            None => error,
        })
    }

    fn only(&self, root: Element<'a, 'i>, from: &Span) -> Result<Element<'a, 'i>, InputError> {
        // Other shapes count where there is no path.
        let named = |name: &str| root.descendants().any(|element| element.tag_name().name() == name);
        let counts: &[&str] = if named("path") { &["path"] } else { &SHAPES };
        let mut all = root.descendants().filter(|element| counts.contains(&element.tag_name().name()));
        match (all.next(), all.next()) {
            (Some(only), None) => Ok(only),
            (None, _) => Err(InputError::new(from, "the drawing has no path", "a drawing with a <path>")),
            _ => Err(InputError::new(from, "the drawing has several paths", "which one?").with_help(format!(
                "name one by its id, path = \"…\" ({}), or its number, path = 2; paths = \"all\" takes each as a curve; \
                 `kugelbahn curves check` of the drawing lists them",
                ids(root)
            ))),
        }
    }

    fn find(&self, root: Element<'a, 'i>, which: Which, span: &Span) -> Result<Element<'a, 'i>, InputError> {
        let id = match which {
            Which::Id(id) => id,
            Which::Number(number) => {
                return drawn(root).nth(number - 1).ok_or_else(|| {
                    let count = drawn(root).count();
                    InputError::new(span, format!("the drawing has no path {number}"), format!("it has {count}"))
                });
            }
        };
        let named = |of: &Element| of.attribute("id") == Some(id);
        let mut all = root
            .descendants()
            .filter(named)
            .chain(root.descendants().filter(|of| label(*of) == Some(id) && !named(of)));
        let Some(found) = all.next() else {
            return Err(InputError::new(span, format!("the drawing has no path `{id}`"), ids(root)));
        };
        if let Some(other) = all.next().filter(|other| named(other) || !named(&found)) {
            let message = format!("two elements of the drawing have the id `{id}`");
            return Err(InputError::new(&self.element(other), message, "the second").with_help("give each its own id"));
        }
        if found.tag_name().name() != "use" && !is_drawn(found) {
            let message = format!("`{id}` is a <{}> in the drawing, not a path", found.tag_name().name());
            let help = "turn it into a path with the drawing program; a layer is `layer = \"…\"`";
            return Err(InputError::new(span, message, ids(root)).with_help(help));
        }
        Ok(found)
    }
}

fn ids(root: Element) -> String {
    let drawn = root.descendants().filter(|element| is_drawn(*element));
    let ids: Vec<_> = drawn.filter_map(|path| path.attribute("id")).take(12).collect();
    if ids.is_empty() { "no path in it has an id".to_owned() } else { format!("its paths are {}", ids.join(", ")) }
}
