//! Sections: `every [N] impact: x, vx` (events of a kind, each N-th) and `every PERIOD s: x, vx` (stroboscopic).

use std::sync::Arc;

use scenario::input::{InputError, Source};
use study::quantity::StatePart;
use supervisor::{Moment, Watch};
use tables::{Column, Kind};

use super::{OPTION, kind};

/// Recurring moments at which rows are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Every {
    /// At each n-th event that a moment counts.
    Event(Moment, u64),
    /// Each multiple of a period, s.
    Period(f64),
}

/// A section: rows read at recurring moments of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Moments of the rows.
    pub every: Every,
    /// Number of rows skipped at the beginning of each run.
    pub skip: u64,
    /// Names and parts of a row; `cycle(T)` is the time as a part of a period.
    pub parts: Vec<(String, RowPart)>,
}

/// Part of a section's row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowPart {
    /// A number or the phase of the ball.
    StatePart(StatePart),
    /// Time modulo a period (s), as a part of it, in [0, 1).
    Cycle(f64),
}

const HELP: &str = "write every [N] EVENT: LIST or every PERIOD s: LIST, such as 'every impact: cycle(0.1), vy-before', \
                    'every 0.1 s: x, vx'";

/// Reads the list of a section, each name once; `of_event`: whether its rows are of events.
fn parts_of(
    list: &str,
    of_event: bool,
    wrong: &dyn Fn(&str, String, &str) -> InputError,
) -> Result<Vec<(String, RowPart)>, InputError> {
    let mut found: Vec<(String, RowPart)> = Vec::new();
    for name in list.split([',', ' ']).map(str::trim).filter(|name| !name.is_empty()) {
        let read = match name.strip_prefix("cycle(").and_then(|rest| rest.strip_suffix(')')) {
            Some(period) => match period.trim().parse::<f64>() {
                Ok(period) if period > 0.0 && period.is_finite() => RowPart::Cycle(period),
                _ => return Err(wrong(name, format!("`{period}` is no period"), "expected a positive number of s")),
            },
            None => RowPart::StatePart(StatePart::read(OPTION, name)?),
        };
        let before = matches!(read, RowPart::StatePart(StatePart { before: true, .. }));
        if before && !of_event {
            let message = format!("`{name}` is of an event, and every period has none");
            return Err(wrong(name, message, "leave `-before` out"));
        }
        if found.iter().any(|(known, _)| known == name) {
            return Err(wrong(name, format!("`{name}` is read off twice"), "the second time"));
        }
        found.push((name.to_owned(), read));
    }
    if found.is_empty() {
        return Err(wrong(list, "nothing is read off".to_owned(), "expected a list such as x, vx"));
    }
    Ok(found)
}

impl Section {
    /// Reads `every …: …`.
    pub(super) fn read(text: &str, skip: u64, watches: &[Watch]) -> Result<Self, InputError> {
        let source = Source::new(OPTION, text.to_owned());
        let wrong = |part: &str, message: String, label: &str| {
            InputError::new(&source.part(part), message, label).with_help(HELP)
        };
        let rest = source.text().split_once(' ').map_or("", |(_, rest)| rest);
        let Some((when, parts)) = rest.split_once(':') else {
            return Err(wrong(rest, format!("`{}` reads nothing off", rest.trim()), "expected `: LIST`"));
        };
        let mut words = when.split_whitespace();
        let first = words.next().unwrap_or_default();
        let (number, second) = match first.parse::<f64>() {
            Ok(number) => (Some(number), words.next()),
            Err(_) => (None, Some(first)),
        };
        let (what, None) = (second.unwrap_or_default(), words.next()) else {
            return Err(wrong(when, format!("`{}` is no row's time", when.trim()), "expected [N] EVENT or PERIOD s"));
        };
        let every = match (number, what) {
            (Some(period), "s") if period > 0.0 && period.is_finite() => Every::Period(period),
            (Some(period), "s") => return Err(wrong(when, format!("{period} s is no period"), "must be positive")),
            (Some(n), _) if !(n >= 1.0 && n.fract() == 0.0 && n <= 1e15) => {
                return Err(wrong(when, format!("{n} counts no events"), "expected 1, 2, 3, … or a period in s"));
            }
            (Some(_), "") => {
                return Err(wrong(when, format!("every {} of what?", when.trim()), "expected an event, or `s`"));
            }
            (n, event) => {
                let known = study::quantity::event(OPTION, event, watches);
                let moment = known.or_else(|error| match event.strip_suffix('s') {
                    Some(one) => study::quantity::event(OPTION, one, watches).map_err(|_| error),
                    None => Err(error),
                })?;
                Every::Event(moment, n.map_or(1, |n| n as u64))
            }
        };
        let parts = parts_of(parts, matches!(every, Every::Event(..)), &wrong)?;
        Ok(Section { every, skip, parts })
    }

    /// Columns: the run, the row's number in it from 1, and the parts.
    pub(crate) fn columns(&self) -> Arc<[Column]> {
        let part = |(name, read): &(String, RowPart)| match read {
            RowPart::Cycle(_) => Column::new(name, "", Kind::Number),
            RowPart::StatePart(part) => Column::new(name, part.unit(), kind(part.what.is_some())),
        };
        let first = [Column::new("run", "", Kind::Count), Column::new("n", "", Kind::Count)];
        first.into_iter().chain(self.parts.iter().map(part)).collect()
    }
}
