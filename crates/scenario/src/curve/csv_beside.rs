//! What the columns beside x and y of a table of points say of its rows.

use crate::input::{Cells, Heading, InputError, Line, Role, Span, is_not_found, listed, named_rows, plain, role};

/// Names that are told apart.
const MANY: usize = 12;

/// The columns of a table whose header was read, beside those of x and y; none where columns were chosen.
#[derive(Default)]
pub(super) struct Beside {
    track: Option<usize>,
    depth: Option<usize>,
    found: Option<usize>,
    /// Names of tracks with several rows, and others.
    tracks: Vec<(String, usize)>,
    depths: Option<(f64, f64)>,
    not_found: Vec<usize>,
}

impl Beside {
    /// Of the cells of a header; `curve`: the column that names curves.
    pub fn of(cells: &[(usize, &str)], places: [usize; 2], curve: Option<usize>) -> Self {
        let column = |wanted: &dyn Fn(&Role) -> bool| {
            let is = |i: &usize| !places.contains(i) && wanted(&role(&Heading::of(cells[*i].1), None));
            (0..cells.len()).find(is)
        };
        Beside {
            track: column(&|role| *role == Role::Track).filter(|_| curve.is_none()),
            depth: column(&|role| matches!(role, Role::Place(2, _))),
            found: column(&|role| *role == Role::Found),
            ..Beside::default()
        }
    }

    /// Whether a row is a point of the ground.
    pub fn wants(&mut self, table: &Cells, line: Line, comma: bool) -> bool {
        let cell = |column: Option<usize>| table.of(line.text).nth(column?).map(|(_, cell)| cell);
        if cell(self.found).is_some_and(is_not_found) {
            self.not_found.push(line.number);
            return false;
        }
        if let Some(name) = cell(self.track) {
            let few = self.tracks.len() <= MANY;
            match self.tracks.iter_mut().find(|(known, _)| known == name) {
                Some((_, rows)) => *rows += 1,
                None if few => self.tracks.push((name.to_owned(), 1)),
                None => {}
            }
        }
        if let Some(depth) = cell(self.depth).and_then(|cell| Cells::number(cell, comma)) {
            let (low, high) = self.depths.unwrap_or((depth, depth));
            self.depths = Some((low.min(depth), high.max(depth)));
        }
        true
    }

    /// Refuses points of several tracks as one curve, and points in space; what is to be told. `cells`: of the header, at `span`.
    pub fn check(&self, cells: &[(usize, &str)], span: &Span) -> Result<Option<String>, InputError> {
        let name = |column: Option<usize>| column.map_or("", |column| cells[column].1.trim());
        if self.tracks.iter().filter(|(_, rows)| *rows > 1).count() > 1 {
            let name = name(self.track);
            let message = format!(
                "column `{name}` has several names: {}",
                listed(self.tracks.iter().map(|(name, _)| name.as_str()))
            );
            let help = format!(
                "curve-column = \"{name}\" makes a curve of each, and curve = \"{}\" takes one; if all are one: columns = [\"x\", \"y\"]",
                self.tracks[0].0
            );
            return Err(InputError::new(span, message, "are they points of one curve?").with_help(help));
        }
        if let Some((low, high)) = self.depths.filter(|(low, high)| low != high) {
            let name = name(self.depth);
            let message = format!("points are in space: {name} goes from {} to {}", plain(low), plain(high));
            let help = format!("name the two columns, the one that points up last: columns = [\"x\", \"{name}\"]");
            return Err(InputError::new(span, message, "which two are in the plane of motion?").with_help(help));
        }
        let name = name(self.found);
        let [one, many] = ["says", "say"].map(|say| format!("{say} in `{name}` that nothing was seen"));
        Ok(named_rows(&self.not_found, &one, &many, "left out"))
    }
}
