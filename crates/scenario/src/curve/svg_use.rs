//! Finds the visible shapes of a drawing: those written in it, and copies of shapes, groups and symbols by `<use>`.

use kurbo::Affine;
use roxmltree::{Descendants, Node as Element};

use super::svg_drawing::{Drawing, SVG_FILE, is_drawn, share, stretched};
use crate::input::InputError;

/// Elements whose content is not drawn by itself.
const NOT_DRAWN: [&str; 6] = ["defs", "symbol", "marker", "pattern", "clipPath", "mask"];

/// Elements with several shapes that a `<use>` can draw.
const GROUPS: [&str; 4] = ["g", "a", "symbol", "use"];

/// Maximum depth of nested uses.
const MAX_DEPTH: usize = 32;

/// A visible shape.
#[derive(Clone, Debug)]
pub(super) struct Item<'a, 'i> {
    /// The shape; the `<use>` itself if that draws none.
    pub shape: Element<'a, 'i>,
    /// Uses that draw it, the outermost first.
    pub uses: Vec<Element<'a, 'i>>,
}

impl<'a, 'i> Item<'a, 'i> {
    /// The element of the file that draws the shape: the outermost `<use>`, or the shape itself.
    pub fn stands(&self) -> Element<'a, 'i> {
        self.uses.first().copied().unwrap_or(self.shape)
    }

    /// The element whose id names only this shape, if any.
    pub fn named(&self) -> Option<Element<'a, 'i>> {
        match self.uses.as_slice() {
            [] => Some(self.shape),
            [only] if target(*only) == self.shape.attribute("id") => Some(*only),
            _ => None,
        }
    }
}

/// Iterator over all visible shapes, in the order of the file.
pub(super) struct UseWalk<'d, 'a, 'i> {
    drawing: &'d Drawing<'a, 'i>,
    /// Walks through descendants, the innermost last; each with the byte of the file before which its elements are
    /// skipped.
    open: Vec<(Descendants<'a, 'i>, usize)>,
    /// The `<use>` that draws each walk in `open` but the first.
    uses: Vec<Element<'a, 'i>>,
    /// Bytes of elements that uses may still draw.
    left: usize,
}

impl<'a, 'i> Iterator for UseWalk<'_, 'a, 'i> {
    type Item = Item<'a, 'i>;

    fn next(&mut self) -> Option<Item<'a, 'i>> {
        loop {
            let (walk, until) = self.open.last_mut()?;
            let Some(element) = walk.next() else {
                self.open.pop();
                self.uses.pop();
                continue;
            };
            if !self.uses.is_empty() {
                self.left = self.left.saturating_sub(written(element));
            }
            let range = element.range();
            if range.start < *until {
                continue;
            }
            let name = element.tag_name().name();
            // Hidden elements are skipped with all their content.
            if NOT_DRAWN.contains(&name) || self.drawing.styles.hide(element) {
                *until = range.end;
                continue;
            }
            if is_drawn(element) {
                return Some(Item { shape: element, uses: self.uses.clone() });
            }
            if name != "use" {
                continue;
            }
            match self.drawing.used(element) {
                Some(shape) if is_drawn(shape) && self.left > 0 => {
                    self.left = self.left.saturating_sub(written(shape));
                    let uses = self.uses.iter().copied().chain([element]).collect();
                    return Some(Item { shape, uses });
                }
                Some(group) if is_group(group) && self.left > 0 && may_hold(&self.uses, element) => {
                    let mut inside = group.descendants();
                    // The walk begins with the group itself: a symbol, in NOT_DRAWN, would skip all its content.
                    if group.tag_name().name() == "symbol" && !self.drawing.styles.hide(group) {
                        inside.next();
                    }
                    self.open.push((inside, 0));
                    self.uses.push(element);
                }
                _ => return Some(Item { shape: element, uses: self.uses.clone() }),
            }
        }
    }
}

/// Bytes of an element's attributes, and 64 for itself.
fn written(element: Element) -> usize {
    64 + element.attributes().map(|attribute| attribute.range().len()).sum::<usize>()
}

fn is_group(element: Element) -> bool {
    GROUPS.contains(&element.tag_name().name())
}

fn may_hold(uses: &[Element], one_more: Element) -> bool {
    uses.len() < MAX_DEPTH && !uses.contains(&one_more)
}

/// Id of the element that a `<use>` draws.
fn target<'a>(element: Element<'a, '_>) -> Option<&'a str> {
    let link = "http://www.w3.org/1999/xlink";
    let text = element.attribute("href").or_else(|| element.attribute((link, "href")));
    text.and_then(|text| text.trim().strip_prefix('#'))
}

impl<'a, 'i> Drawing<'a, 'i> {
    /// All visible shapes, in the order of the file.
    pub(super) fn drawn(&self) -> UseWalk<'_, 'a, 'i> {
        UseWalk {
            drawing: self,
            open: vec![(self.root.descendants(), 0)],
            uses: Vec::new(),
            left: SVG_FILE.max_bytes as usize,
        }
    }

    /// Element that a `<use>` draws.
    fn used(&self, by: Element) -> Option<Element<'a, 'i>> {
        self.ids.get(target(by)?).copied()
    }

    /// Number of visible shapes; an error if uses draw too many.
    pub(super) fn count(&self) -> Result<usize, InputError> {
        // Such a <use> is an item only because no bytes were left to draw what it names.
        let is_cut = |item: &Item| {
            item.shape.tag_name().name() == "use"
                && self.used(item.shape).is_some_and(|of| is_group(of) || is_drawn(of))
                && may_hold(&item.uses, item.shape)
        };
        self.drawn()
            .try_fold(0, |count, item| if is_cut(&item) { Err(self.draws_no_shape(&item)) } else { Ok(count + 1) })
    }

    /// The visible shape of a named element: the element itself, or for a shape in `<defs>` or a symbol the place where
    /// a `<use>` draws it. `all`: the shapes that the element is, or draws; only the first two matter.
    pub(super) fn item_of(
        &self,
        element: Element<'a, 'i>,
        mut all: impl Iterator<Item = Item<'a, 'i>>,
    ) -> Result<Item<'a, 'i>, InputError> {
        let is_use = element.tag_name().name() == "use";
        let Some(first) = all.next() else {
            // The element is hidden, or in definitions without a use.
            return match self.used(element).filter(|of| is_use && is_drawn(*of)) {
                Some(shape) => Ok(Item { shape, uses: vec![element] }),
                None if is_use => {
                    Err(InputError::new(&self.element(element), "this <use> draws nothing", "a <use> of a shape"))
                }
                None => Ok(Item { shape: element, uses: Vec::new() }),
            };
        };
        if first.uses.is_empty() {
            return Ok(first);
        }
        match all.next() {
            None => Ok(first),
            Some(_) if is_use => {
                let message = "this <use> draws several shapes";
                let help = "name one by its number, path = 2: `kugelbahn curves check` of the drawing lists them";
                Err(InputError::new(&self.element(element), message, "which one?").with_help(help))
            }
            Some(second) => {
                let message = "the path is drawn several times";
                let help =
                    "give the <use> that is meant an id, and name that: path = \"…\"; or take its number, path = 2";
                Err(InputError::new(&self.element(second.stands()), message, "a second time here").with_help(help))
            }
        }
    }

    /// Transform from the user units of a shape to those of the page.
    pub(super) fn placed(&self, item: &Item<'a, 'i>) -> Result<Affine, InputError> {
        if item.shape.tag_name().name() == "use" {
            return Err(self.draws_no_shape(item));
        }
        // `within`: what the `<use>` before draws; transforms of elements around it do not count.
        let (mut map, mut within) = (Affine::IDENTITY, None);
        for by in &item.uses {
            let shift = |name| by.attribute_node(name).map_or(Ok(0.0), |value| self.shift(value));
            map *= self.transforms(*by, within)? * Affine::translate((shift("x")?, shift("y")?));
            within = self.used(*by);
            if let Some(symbol) = within.filter(|of| of.tag_name().name() == "symbol") {
                map *= self.viewport(*by, symbol)?;
            }
        }
        Ok(map * self.transforms(item.shape, within)?)
    }

    fn draws_no_shape(&self, Item { shape: by, uses }: &Item) -> InputError {
        let id = target(*by).unwrap_or("");
        let (message, label) = match self.ids.get(id) {
            None => (format!("this <use> draws `{id}`, which is not there"), "`href` = \"#\" and the id of a shape"),
            Some(of) if !is_group(*of) && !is_drawn(*of) => {
                let message = format!("this <use> draws a <{}>", of.tag_name().name());
                (message, "only a <use> of shapes, groups and symbols is understood")
            }
            Some(_) if uses.contains(by) => (format!("this <use> draws `{id}`, in which it is itself"), "without end"),
            Some(_) if uses.len() >= MAX_DEPTH => {
                (format!("uses are more than {MAX_DEPTH} deep within each other"), "the next one")
            }
            Some(_) => {
                (format!("uses draw more than {} MiB of elements", SVG_FILE.max_bytes >> 20), "here at the latest")
            }
        };
        let help =
            "unlink the clone in the drawing program (Inkscape: Edit, Clone, Unlink Clone), or name another path";
        InputError::new(&self.element(*by), message, label).with_help(help)
    }

    /// Transform from the units of a symbol to those of its `<use>` (SVG 2, 7.2 and 8.2).
    fn viewport(&self, by: Element<'a, 'i>, symbol: Element<'a, 'i>) -> Result<Affine, InputError> {
        let Some([left, top, w, h]) = self.view_box(symbol)? else { return Ok(Affine::IDENTITY) };
        let size = |name| {
            let value = by.attribute_node(name).or_else(|| symbol.attribute_node(name));
            let value = value.map(|value| self.shift(value)).transpose()?.filter(|size| *size > 0.0);
            value.ok_or_else(|| {
                let message = format!("this <use> has no `{name}`, and its <symbol> a viewBox");
                InputError::new(&self.element(by), message, "how large it is drawn, in user units")
            })
        };
        let (width, height) = (size("width")?, size("height")?);
        let ratio = symbol.attribute("preserveAspectRatio").unwrap_or("").trim();
        let (kx, ky) = stretched(ratio, width / w, height / h);
        let right = share(ratio, "xMin", "xMax") * (width - kx * w);
        let down = share(ratio, "YMin", "YMax") * (height - ky * h);
        Ok(Affine::new([kx, 0.0, 0.0, ky, right - kx * left, down - ky * top]))
    }
}
