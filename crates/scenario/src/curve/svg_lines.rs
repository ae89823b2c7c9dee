//! The lines that a shape of a drawing consists of.

use std::ops::Range;

use roxmltree::Node as Element;

use super::derived::part_of;
use super::svg::Drawing;
use super::svg_choice::{Choice, Which};
use super::svg_path::{Stretch, stretches};
use crate::input::{InputError, Reader, Span, number, plain, rounded, wrong_type};

/// The key `stretch`, and its place.
pub(super) fn stretch<'n>(reader: &mut Reader<'n>, choice: &Choice) -> Result<Option<(usize, &'n Span)>, InputError> {
    let Some(node) = reader.get("stretch") else { return Ok(None) };
    if matches!(choice, Choice::Several { .. }) {
        let message = "`stretch` is of one path; of several each line is a curve";
        return Err(InputError::new(&node.span, message, "beside `path` alone"));
    }
    match number(node, "stretch")? {
        number if (1.0..=1e6).contains(&number) && number.fract() == 0.0 => Ok(Some((number as usize, &node.span))),
        _ => Err(wrong_type(node, "stretch", "the number of a line of the path, from 1")),
    }
}

/// The lines that an element draws, and where they are written.
pub(super) struct Lines {
    pub all: Vec<Stretch>,
    /// The text; of another shape than a path the element.
    whole: Span,
    path: bool,
}

impl Lines {
    pub fn place(&self, (from, to): (usize, usize)) -> Span {
        if !self.path {
            return self.whole.clone();
        }
        let within = |at: usize| at.min(self.whole.range.len());
        part_of(&self.whole, within(from), within(to) - within(from))
    }

    /// The line with this number, or the only one.
    pub fn chosen(&self, stretch: Option<(usize, &Span)>, choice: &Choice) -> Result<Range<usize>, InputError> {
        let count = self.all.len();
        match (stretch, self.all.get(1)) {
            (None, None) => Ok(0..1),
            (Some((number, _)), _) if number <= count => Ok(number - 1..number),
            (Some((number, span)), _) => {
                let message = format!("the path has no stretch {number}");
                Err(InputError::new(span, message, format!("it has {count}")))
            }
            (None, Some(second)) => {
                let place = second.segments.first().map_or((0, 0), |segment| segment.place);
                let message = "a second stretch begins here, but ground is one line";
                let several = match choice {
                    Choice::One(Which::Number(number), _) => format!("[{number}]"),
                    Choice::One(Which::Id(id), _) => format!("[\"{id}\"]"),
                    _ => "\"all\"".to_owned(),
                };
                let help = format!(
                    "stretch = 1 takes the first of its {count} lines, stretch = 2 the second; paths = {several} takes each as a curve"
                );
                Err(InputError::new(&self.place(place), message, "here").with_help(help))
            }
        }
    }
}

/// Lines whose end was moved onto their start.
#[derive(Default)]
pub(super) struct Joined {
    count: usize,
    /// User units.
    furthest: f64,
}

impl Joined {
    pub fn add(&mut self, moved: f64) {
        self.count += usize::from(moved > 0.0);
        self.furthest = self.furthest.max(moved);
    }

    pub fn note(&self) -> Option<String> {
        let lines = if self.count == 1 { "a line" } else { "lines" };
        let furthest = plain(rounded(self.furthest, 3));
        (self.count > 0).then(|| {
            format!(
                "{}{lines} missed the start by up to {furthest} user units, within the rounding of the decimals written, and was closed",
                if self.count == 1 { String::new() } else { format!("{} ", self.count) }
            )
        })
    }
}

impl<'a, 'i> Drawing<'a, 'i> {
    /// What an element draws, line by line.
    pub(super) fn lines(&self, element: Element<'a, 'i>) -> Result<Lines, InputError> {
        let (text, whole) = self.data(element)?;
        let path = element.tag_name().name() == "path";
        let mut lines = Lines { all: Vec::new(), whole, path };
        lines.all = stretches(&text)
            .map_err(|error| InputError::new(&lines.place((error.at, error.at)), error.message, "here"))?;
        Ok(lines)
    }
}
