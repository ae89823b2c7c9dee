//! Rows of a table of places: which ball each is of, where nothing was found, which plane they lie in.

use super::{
    Cells, Columns, Cures, InputError, Line, Role, Separator, Span, is_missing, is_not_found, listed, named_rows, plain,
};

/// Tracks that are told apart.
const TRACKS: usize = 12;

/// Rows of a table as they are read.
#[derive(Debug)]
pub struct Rows<'a> {
    cells: &'a Cells<'a>,
    cures: &'a Cures,
    whole: Span,
    comma: bool,
    /// Cells of a row.
    width: usize,
    /// Whether there are places of several balls.
    several: bool,
    /// Column that names balls, the ball that is wanted, and names so far with the number of their rows.
    track: Option<usize>,
    wanted: Option<&'a str>,
    /// Whether rows of all are meant, as columns are chosen and none of tracks.
    all_meant: bool,
    names: Vec<(String, usize)>,
    /// Whether the ball was found, where a column says so.
    found: Option<usize>,
    /// The height above the page's plane, or across it: of places in space; and its range.
    depth: Option<usize>,
    depths: Option<(f64, f64)>,
    lost: Vec<usize>,
    /// Rows of the track that is wanted.
    pub count: usize,
}

/// A row with its cells.
#[derive(Debug)]
pub struct Row<'a> {
    table: &'a Cells<'a>,
    comma: bool,
    /// Its line.
    pub line: Line<'a>,
    /// Its cells, with their places in the line.
    pub cells: Vec<(usize, &'a str)>,
}

impl<'a> Rows<'a> {
    /// Before the first row; `places`: the columns of places. `track`: the one to read, if there are several; `None`: another column tells rows
    /// apart.
    pub fn new(
        columns: &Columns<'a>,
        places: &[usize],
        track: Option<Option<&'a str>>,
        cures: &'a Cures,
    ) -> Result<Self, InputError> {
        let other = |role: &Role| columns.with(role).filter(|column| !places.contains(column));
        let (cells, whole) = (columns.cells, columns.place());
        let named_by = other(&Role::Track).filter(|_| track.is_some());
        if let (Some(Some(track)), None) = (track, named_by) {
            let label = format!("`{}` needs one", (cures.track)(track));
            let error = InputError::new(&whole, "the table has no column of tracks", label);
            return Err(error.with_help(format!("leave `{}` out", (cures.track)(track))));
        }
        let comma = cells.decimal_commas(columns.block.rows(cells))?;
        Ok(Rows {
            cells,
            cures,
            whole,
            comma,
            width: columns.width(),
            several: columns.roles.iter().filter(|role| matches!(role, Role::Place(0, _))).count() > 1,
            track: named_by,
            wanted: track.flatten(),
            all_meant: columns.chosen.is_some() || track.is_none(),
            names: Vec::new(),
            found: other(&Role::Found),
            depth: other(&Role::Place(2, String::new())).filter(|_| columns.chosen.is_none()),
            depths: None,
            lost: Vec::new(),
            count: 0,
        })
    }

    /// The next row; `None`: it is of another track, or nothing was found.
    pub fn read(&mut self, line: Line<'a>) -> Result<Option<Row<'a>>, InputError> {
        let row = Row { comma: self.comma, ..Row::of(self.cells, line) };
        if !self.wants(&row) {
            return Ok(None);
        }
        let (most, help) = self.cures.most;
        if self.count == most {
            let message = format!("the table {} has more than {most} rows", self.cells.source.name());
            return Err(InputError::new(&row.span(), message, "one too many").with_help(help));
        }
        self.count += 1;
        self.check_width(&row)?;
        if self.found.and_then(|column| row.cells.get(column)).is_some_and(|(_, cell)| is_not_found(cell)) {
            self.lost.push(line.number);
            return Ok(None);
        }
        if let Some(depth) = self.depth.and_then(|column| row.number(column).ok().flatten()) {
            let (low, high) = self.depths.unwrap_or((depth, depth));
            self.depths = Some((low.min(depth), high.max(depth)));
        }
        Ok(Some(row))
    }

    /// Whether a row is of the track that is wanted.
    fn wants(&mut self, row: &Row) -> bool {
        let Some(column) = self.track else { return true };
        let name = row.cells.get(column).map_or("", |(_, cell)| cell);
        let few = self.names.len() <= TRACKS;
        match self.names.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += 1,
            None if few => self.names.push((name.to_owned(), 1)),
            None => {}
        }
        self.wanted.is_none_or(|wanted| wanted == name)
    }

    /// Refuses more cells than columns, but for remarks behind the last; and fewer where it can't be told which are missing.
    fn check_width(&self, row: &Row) -> Result<(), InputError> {
        let is_number = |(_, cell): &&(usize, &str)| cell.bytes().any(|b| b.is_ascii_digit());
        let (count, columns, number) = (row.cells.len(), self.width, row.line.number);
        if let Some(last) = row.cells.iter().skip(columns).rposition(|cell| is_number(&cell)) {
            let (start, cell) = row.cells[columns];
            let message = format!("row {number} has {} cells, and the table {columns} columns", columns + last + 1);
            let help = match self.cells.separator {
                Separator::Character(',') => "write decimal commas in quotes, or separate the cells by ;".to_owned(),
                _ => format!("leave the others out, or give each a name in the header; or {}", self.cures.choose),
            };
            let place = self.cells.span(row.line, start, cell.len());
            return Err(InputError::new(&place, message, "a cell too many").with_help(help));
        }
        // Between blanks what is missing can't be told, and what is there may be another ball's.
        if self.cells.separator == Separator::Blank && self.several && count < columns {
            let message = format!("row {number} has {count} cells, and the table {columns} columns");
            return Err(InputError::new(&row.span(), message, "which of them are missing?")
                .with_help("export the table with tabs or commas between its cells"));
        }
        Ok(())
    }

    /// Names of the tracks, and how the first is asked for.
    fn tracks(&self) -> [String; 2] {
        let first = self.names.first().map_or("", |(name, _)| name);
        [listed(self.names.iter().map(|(name, _)| name.as_str())), (self.cures.track)(first)]
    }

    /// Rows out of order may be those of another track.
    pub fn unless_several(&self, error: InputError) -> InputError {
        if self.names.len() < 2 || self.wanted.is_some() {
            return error;
        }
        let [all, first] = self.tracks();
        error.after("the table has several tracks; ").with_help(format!("choose one of the tracks {all}: {first}"))
    }

    /// Looks at all rows: a note on those where nothing was found. Two names with several rows each are of two balls.
    pub fn finish(&self) -> Result<Option<String>, InputError> {
        let ([all, first], whole) = (self.tracks(), &self.whole);
        let several = self.names.iter().filter(|(_, rows)| *rows > 1).count() > 1;
        match self.wanted {
            Some(wanted) if self.count == 0 => {
                let message = format!("no row is of the track `{wanted}`");
                return Err(InputError::new(whole, message, format!("there is {all}")));
            }
            None if several && !self.all_meant => {
                let message = "the table has several tracks: which ball?";
                let help = format!("choose one: {first}; or {}", self.cures.all_tracks);
                return Err(InputError::new(whole, message, format!("there is {all}")).with_help(help));
            }
            _ => {}
        }
        if let Some((low, high)) = self.depths.filter(|(low, high)| low != high) {
            let message = format!("places are in space: z goes from {} to {}", plain(low), plain(high));
            return Err(InputError::new(whole, message, "which two of x, y and z are in the plane of motion?")
                .with_help(format!("name them, the one that points up last: {}", self.cures.plane)));
        }
        let [one, many] = ["has", "have"].map(|has| format!("{has} {}", self.cures.lost));
        Ok(named_rows(&self.lost, &one, &many, "left out"))
    }
}

impl<'a> Row<'a> {
    /// A row with decimal points.
    pub fn of(table: &'a Cells<'a>, line: Line<'a>) -> Self {
        Row { table, comma: false, line, cells: table.of(line.text).collect() }
    }

    /// Place of the whole row.
    pub fn span(&self) -> Span {
        self.table.span(self.line, 0, self.line.text.len())
    }

    /// The number in a column; `None`: it is blank, or behind the end of the row.
    pub fn number(&self, column: usize) -> Result<Option<f64>, InputError> {
        match self.cells.get(column) {
            None if self.table.separator == Separator::Blank => Err(self.lacks(column)),
            Some((_, cell)) if !is_missing(cell) => {
                let number = Cells::number(cell, self.comma).filter(|number| number.is_finite());
                number.map(Some).ok_or_else(|| self.lacks(column))
            }
            _ => Ok(None),
        }
    }

    /// The error of a column without a number.
    pub fn lacks(&self, column: usize) -> InputError {
        let row = self.line.number;
        let Some((start, cell)) = self.cells.get(column) else {
            let message = format!("row {row} has no column {}, only {}", column + 1, self.cells.len());
            return InputError::new(&self.span(), message, "a cell is missing");
        };
        let message = format!("row {row}, column {}: {}", column + 1, self.table.no_number(cell, self.comma));
        let label = if self.comma { "a number with a decimal comma" } else { "a number" };
        InputError::new(&self.table.span(self.line, *start, cell.len()), message, label)
    }
}
