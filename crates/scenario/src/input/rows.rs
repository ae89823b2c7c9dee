//! Reads the rows of a table of places: selects one ball, skips rows where nothing was found, checks that places lie in
//! a plane.

use super::{
    Cells, Columns, Cures, InputError, Line, Role, Separator, Span, is_missing, is_not_found, listed, named_rows, plain,
};

/// Maximum number of tracks distinguished.
const TRACKS: usize = 12;

/// Reader of the rows of a table.
#[derive(Debug)]
pub struct Rows<'a> {
    cells: &'a Cells<'a>,
    cures: &'a Cures,
    whole: Span,
    /// Whether numbers have a decimal comma.
    comma: bool,
    /// Number of cells of a row.
    width: usize,
    /// Whether columns hold several balls.
    several: bool,
    /// Column with names of balls.
    track: Option<usize>,
    /// Name of the ball to read.
    wanted: Option<&'a str>,
    /// Whether rows of all balls are read, since columns were chosen and no track.
    all_meant: bool,
    /// Names of balls so far, with their numbers of rows.
    names: Vec<(String, usize)>,
    /// Column that says whether the ball was found.
    found: Option<usize>,
    /// Column of the third coordinate, for places in space.
    depth: Option<usize>,
    /// Range of its values.
    depths: Option<(f64, f64)>,
    /// Lines of rows in which nothing was found.
    lost: Vec<usize>,
    /// Number of rows of the wanted track.
    pub count: usize,
}

/// A row with its cells.
#[derive(Debug)]
pub struct Row<'a> {
    table: &'a Cells<'a>,
    comma: bool,
    /// Its line.
    pub line: Line<'a>,
    /// Its cells, with their positions in the line.
    pub cells: Vec<(usize, &'a str)>,
}

impl<'a> Rows<'a> {
    /// A reader at the first row. `places`: columns of places; `track`: name of the ball to read, `Some(None)` for the
    /// only one, or `None` if another column tells rows apart.
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

    /// Reads a row; `None`: it belongs to another track, or nothing was found.
    pub fn read(&mut self, line: Line<'a>) -> Result<Option<Row<'a>>, InputError> {
        let row = Row::of(self.cells, line, self.comma);
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

    /// Whether a row belongs to the wanted track.
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

    /// Refuses rows with more cells than columns, except remarks behind the last; and with fewer, if it is unclear
    /// which are missing.
    fn check_width(&self, row: &Row) -> Result<(), InputError> {
        let (count, columns, number) = (row.cells.len(), self.width, row.line.number);
        let choose = self.cures.choose;
        row.no_wider(columns, || format!("leave the others out, or give each a name in the header; or {choose}"))?;
        // With blanks as separators it is unclear which cells are missing, and those present may be another ball's.
        if self.cells.separator == Separator::Blank && self.several && count < columns {
            let message = format!("row {number} has {count} cells, and the table {columns} columns");
            return Err(InputError::new(&row.span(), message, "which of them are missing?")
                .with_help("export the table with tabs or commas between its cells"));
        }
        Ok(())
    }

    /// Names of the tracks, and the cure that chooses the first.
    fn tracks(&self) -> [String; 2] {
        let first = self.names.first().map_or("", |(name, _)| name);
        [listed(self.names.iter().map(|(name, _)| name.as_str())), (self.cures.track)(first)]
    }

    /// The error, or that of several tracks if there are some: rows out of order may belong to another track.
    pub fn unless_several(&self, error: InputError) -> InputError {
        if self.names.len() < 2 || self.wanted.is_some() {
            return error;
        }
        let [all, first] = self.tracks();
        error.after("the table has several tracks; ").with_help(format!("choose one of the tracks {all}: {first}"))
    }

    /// Checks all rows read: returns a note on those where nothing was found; refuses two names with several rows each
    /// as two balls.
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
    /// A row; `comma`: of numbers with decimal commas.
    pub fn of(table: &'a Cells<'a>, line: Line<'a>, comma: bool) -> Self {
        Row { table, comma, line, cells: table.of(line.text).collect() }
    }

    /// Refuses more cells than columns, except remarks behind the last.
    pub fn no_wider(&self, columns: usize, cure: impl FnOnce() -> String) -> Result<(), InputError> {
        let is_number = |(_, cell): &&(usize, &str)| cell.bytes().any(|b| b.is_ascii_digit());
        let Some(last) = self.cells.iter().skip(columns).rposition(|cell| is_number(&cell)) else { return Ok(()) };
        let (start, cell) = self.cells[columns];
        let number = self.line.number;
        let message = format!("row {number} has {} cells, and the table {columns} columns", columns + last + 1);
        let help = match self.table.separator {
            Separator::Character(',') => "write decimal commas in quotes, or separate the cells by ;".to_owned(),
            _ => cure(),
        };
        let place = self.table.span(self.line, start, cell.len());
        Err(InputError::new(&place, message, "a cell too many").with_help(help))
    }

    /// Position of the whole row.
    pub fn span(&self) -> Span {
        self.table.span(self.line, 0, self.line.text.len())
    }

    /// Number in a column; `None`: the cell is blank or missing.
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

    /// The error for a column without a number.
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
