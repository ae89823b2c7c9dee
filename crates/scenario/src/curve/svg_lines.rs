//! The lines that a shape of a drawing consists of.

use std::ops::Range;

use super::derived::part_of;
use super::svg_path::Stretch;
use crate::input::{InputError, Reader, Span, number, plain, rounded, wrong_type};

/// The key `stretch`, and its place.
pub(super) fn stretch<'n>(reader: &mut Reader<'n>, several: bool) -> Result<Option<(usize, &'n Span)>, InputError> {
    let Some(node) = reader.get("stretch") else { return Ok(None) };
    if several {
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
    pub whole: Span,
    pub path: bool,
}

impl Lines {
    pub fn place(&self, (from, to): (usize, usize)) -> Span {
        if !self.path {
            return self.whole.clone();
        }
        let within = |at: usize| at.min(self.whole.range.len());
        part_of(&self.whole, within(from), within(to) - within(from))
    }

    /// The line with this number, or the only one; `several` is the key that takes all.
    pub fn chosen(&self, stretch: Option<(usize, &Span)>, several: &str) -> Result<Range<usize>, InputError> {
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
                let help = format!(
                    "stretch = 1 takes the first of its {count} lines, stretch = 2 the second; {several} takes each as a curve"
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
    /// Largest distance that an end was moved, user units.
    furthest: f64,
}

impl Joined {
    pub fn add(&mut self, moved: f64) {
        self.count += usize::from(moved > 0.0);
        self.furthest = self.furthest.max(moved);
    }

    pub fn note(&self) -> Option<String> {
        let furthest = plain(rounded(self.furthest, 3));
        let by = format!("by up to {furthest} user units, within the rounding of the decimals written");
        match self.count {
            0 => None,
            1 => Some(format!("a line missed its start {by}, and was closed")),
            count => Some(format!("{count} lines missed their start {by}, and were closed")),
        }
    }
}
