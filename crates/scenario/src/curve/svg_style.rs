//! Evaluates styles that hide or move elements of a drawing: attributes, `style`, and rules of a style sheet such as
//! Illustrator's for hidden layers: `.st0{display:none}`.

use std::collections::HashMap;
use std::rc::Rc;

use roxmltree::Node as Element;

/// Properties that can hide an element.
const HIDING: [&str; 3] = ["display", "visibility", "opacity"];

fn hides(key: &str, value: &str) -> bool {
    match key {
        "display" => value == "none",
        "visibility" => value == "hidden" || value == "collapse",
        "opacity" => value.parse() == Ok(0.0),
        _ => false,
    }
}

/// Style properties that move an element.
const MOVING: [&str; 4] = ["transform", "rotate", "scale", "translate"];

/// Properties that set the fixed point of a transform.
const AROUND: [&str; 2] = ["transform-box", "transform-origin"];

/// The properties in `key: value; …` that hide or move, each with its last value.
fn rules(text: &str) -> HashMap<&'static str, &str> {
    let all = text.split(';').filter_map(|rule| rule.split_once(':'));
    let known = |key: &str| [&HIDING[..], &MOVING, &AROUND].into_iter().flatten().copied().find(|known| *known == key);
    all.filter_map(|(key, value)| Some((known(key.trim())?, value.trim().trim_end_matches("!important").trim())))
        .collect()
}

/// Rules of style sheets with simple selectors: `.class`, `#id`, `name`.
#[derive(Default)]
pub(super) struct Styles {
    known: HashMap<String, HashMap<&'static str, Rc<str>>>,
}

impl Styles {
    /// Collects the rules of all style sheets in a drawing. `Err`: the sheet that has one selector more than `most`.
    pub fn of<'a, 'i>(root: Element<'a, 'i>, most: usize) -> Result<Self, Element<'a, 'i>> {
        let mut styles = Styles::default();
        for sheet in root.descendants().filter(|element| element.tag_name().name() == "style") {
            let text: String = sheet.children().filter_map(|part| part.text()).collect();
            // Rules for particular media are ignored.
            for rule in without_comments(&text).split('}') {
                let Some((selectors, body)) = rule.split_once('{').filter(|(selectors, _)| !selectors.contains('@'))
                else {
                    continue;
                };
                let found: Vec<_> = rules(body).into_iter().map(|(key, value)| (key, Rc::from(value))).collect();
                for selector in selectors.split(',').map(str::trim).filter(|_| !found.is_empty()) {
                    styles.known.entry(selector.to_owned()).or_default().extend(found.iter().cloned());
                    if styles.known.len() > most {
                        return Err(sheet);
                    }
                }
            }
        }
        Ok(styles)
    }

    /// Whether an element is hidden. Its own style precedes rules for id, classes and name; these precede attributes.
    pub fn hide(&self, element: Element) -> bool {
        let may = |name: &str| name == "style" || HIDING.contains(&name);
        if self.known.is_empty() && !element.attributes().any(|attribute| may(attribute.name())) {
            return false;
        }
        HIDING.iter().any(|key| {
            let value = self.styled(element, key).or_else(|| element.attribute(*key).map(str::trim));
            value.is_some_and(|value| hides(key, value))
        })
    }

    /// Name of a property by which a style moves an element, if any.
    pub fn moves(&self, element: Element) -> Option<&'static str> {
        if self.known.is_empty() && element.attribute("style").is_none() {
            return None;
        }
        MOVING.into_iter().find(|key| self.styled(element, key).is_some_and(|value| value != "none"))
    }

    /// Fixed point of an element's transform in its user units: (0, 0), or two lengths (CSS Transforms 1,
    /// §5). `Err`: name of the property with another value.
    pub fn around(&self, element: Element) -> Result<(f64, f64), &'static str> {
        let [r#box, origin] = AROUND.map(|key| self.styled(element, key).or_else(|| element.attribute(key)));
        if !matches!(r#box, None | Some("view-box")) {
            return Err(AROUND[0]);
        }
        let length = |text: &str| text.trim_end_matches("px").parse::<f64>().ok().filter(|value| value.is_finite());
        let lengths: Option<Vec<f64>> = origin.unwrap_or("0 0").split_whitespace().map(length).collect();
        match lengths.as_deref() {
            Some(&[x, y]) | Some(&[x, y, _]) => Ok((x, y)),
            _ => Err(AROUND[1]),
        }
    }

    /// Value of a property from the element's own style, or else from rules for its id, classes or name.
    fn styled<'e>(&'e self, element: Element<'e, '_>, key: &str) -> Option<&'e str> {
        let style = element.attribute("style").unwrap_or("");
        let last = |selector: &str| self.known.get(selector)?.get(key).map(|value| &**value);
        let own = rules(style).get(key).copied();
        let id = || last(&format!("#{}", element.attribute("id")?));
        let mut classes = element.attribute("class").unwrap_or("").split_whitespace().rev();
        own.or_else(id)
            .or_else(|| classes.find_map(|class| last(&format!(".{class}"))))
            .or_else(|| last(element.tag_name().name()))
    }
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |text, part| text + part.split_once("*/").map_or("", |(_, rest)| rest))
}
