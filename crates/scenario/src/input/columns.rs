//! [`Columns`]: finds the columns of a table of places and their units, for films and grounds alike.

use super::{Block, Cells, Heading, InputError, Line, Role, Span, UNITS, Unit, holds_numbers, lines, listed, role};

/// Name or number of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnKey {
    /// Name without unit, or the whole cell of the header.
    Name(String),
    /// Number from 0.
    Number(usize),
}

/// A column asked for.
#[derive(Clone, Debug)]
pub struct AskedColumn {
    /// Name or number.
    pub key: ColumnKey,
    /// Position at which it is asked for.
    pub span: Span,
}

/// Words for cures, which name options of a command or keys of a file.
#[derive(Debug)]
pub struct Cures {
    /// How to choose columns by number.
    pub choose: &'static str,
    /// How to choose two of three coordinates.
    pub plane: &'static str,
    /// How to give the unit of places.
    pub unit: &'static str,
    /// Whether this unit may be pixels.
    pub pixels: bool,
    /// Maximum number of rows, and the cure for more.
    pub most: (usize, &'static str),
    /// How to choose a track: `--track NAME`, or `track = "NAME"`.
    pub track: fn(&str) -> String,
    /// How to read all tracks.
    pub all_tracks: &'static str,
    /// How to mark a row without a place.
    pub lost: &'static str,
}

/// Units of columns of places.
#[derive(Debug)]
pub struct Lengths {
    /// Size of each unit, m; 1 for pixels.
    pub sizes: Vec<f64>,
    /// Whether all are pixels.
    pub pixels: bool,
    /// Note on a unit taken from another column.
    pub told: Option<String>,
}

/// The columns of a table, with names and roles.
#[derive(Debug)]
pub struct Columns<'a> {
    /// Cells of the text.
    pub cells: &'a Cells<'a>,
    /// Header and rows.
    pub block: Block<'a>,
    /// Cells of the header, with their positions in its line.
    pub names: Vec<(usize, &'a str)>,
    /// These cells, split into name, unit and set.
    pub headings: Vec<Heading<'a>>,
    /// Role of each column.
    pub roles: Vec<Role>,
    /// Whether all columns asked for are given by number; `None`: none are asked for.
    pub(super) chosen: Option<bool>,
}

impl<'a> Columns<'a> {
    /// Finds the table in a text. `asked`: columns asked for; `has_all`: whether a header has all columns needed.
    pub fn of(cells: &'a Cells<'a>, asked: &[&AskedColumn], has_all: impl Fn(&Columns) -> bool) -> Self {
        let number =
            |column: &&AskedColumn| if let ColumnKey::Number(number) = column.key { Some(number) } else { None };
        let numbers: Option<Vec<usize>> = asked.iter().map(number).collect();
        let chosen = (!asked.is_empty()).then_some(numbers.is_some());
        let numbers = numbers.unwrap_or_default();
        let block = Block::of(
            cells,
            |head| has_all(&Columns::new(cells, Block { head: Some(head), ..Block::default() }, chosen)),
            |line| holds_numbers(cells, line, numbers.iter().copied()),
        );
        Columns::new(cells, block, chosen)
    }

    fn new(cells: &'a Cells<'a>, block: Block<'a>, chosen: Option<bool>) -> Self {
        let names = block.names(cells);
        let headings: Vec<Heading> = names.iter().map(|(_, cell)| Heading::of(cell)).collect();
        let mut columns = Columns { cells, block, names, headings, roles: Vec::new(), chosen };
        columns.roles = (0..columns.names.len()).map(|i| role(&columns.headings[i], columns.quantity(i))).collect();
        columns
    }

    /// The first column with a role.
    pub fn with(&self, wanted: &Role) -> Option<usize> {
        self.roles.iter().position(|role| role == wanted)
    }

    /// Position of the header, or of the first row.
    pub fn place(&self) -> Span {
        let line = self.block.head.or(self.block.first).or_else(|| lines(self.cells.source).next());
        let line = line.unwrap_or(Line { number: 1, start: 0, text: "" });
        self.cells.span(line, 0, line.text.len())
    }

    /// Names of the columns, for messages.
    pub fn listed(&self) -> String {
        match (self.block.head, self.block.first) {
            (Some(_), _) => listed(self.names.iter().map(|(_, cell)| *cell)),
            (None, Some(_)) => format!("no header above {} columns", self.of_row()),
            (None, None) => "no header".to_owned(),
        }
    }

    /// Number of cells of the first row.
    fn of_row(&self) -> usize {
        self.block.first.map_or(0, |line| self.cells.of(line.text).count())
    }

    /// Number of cells of a row. If the header has fewer cells, its names may be those of other columns, unless a
    /// separator behind the last says that more follow; columns given by number need no names.
    pub fn width(&self) -> usize {
        let open = |head: Line| self.cells.is_open(head.text);
        let of_row = if self.chosen == Some(true) || self.block.head.is_none_or(open) { self.of_row() } else { 0 };
        of_row.max(self.names.len())
    }

    /// Unit of a column in the header or below it, with its position.
    pub fn unit(&self, column: usize) -> Option<(&'a str, Span)> {
        let named = self.headings.get(column).and_then(|heading| heading.unit);
        named.map(|unit| (unit, self.cell(column))).or_else(|| self.block.unit(self.cells, column))
    }

    /// Unit of a column; `None`: unknown or missing.
    pub fn quantity(&self, column: usize) -> Option<Unit> {
        let (unit, _) = self.unit(column)?;
        Unit::of(unit).or_else(|| unit.contains(['/', '^', '²']).then_some(Unit::Other))
    }

    /// Whether the text behind a name may be a unit of length: without brackets only if it is a known one.
    pub fn may_be_length(&self, column: usize) -> bool {
        let unit = self.headings.get(column).and_then(|heading| heading.unit);
        let of_places = |unit: &str| matches!(Unit::of(unit), Some(Unit::Length(_) | Unit::Pixel));
        unit.is_none_or(|unit| self.names[column].1.contains(['[', '(']) || of_places(unit))
    }

    /// Columns of this name: those whose cell equals it, else those whose name without unit does.
    pub fn named(&self, wanted: &str) -> Vec<usize> {
        let is = |name: &str| name.trim().eq_ignore_ascii_case(wanted);
        let whole: Vec<usize> = (0..self.names.len()).filter(|i| is(self.names[*i].1)).collect();
        if !whole.is_empty() {
            return whole;
        }
        (0..self.names.len()).filter(|i| is(self.headings[*i].name)).collect()
    }

    /// The only one of these columns; refuses a second one.
    pub fn only(&self, named: &[usize], cures: &Cures) -> Result<Option<usize>, InputError> {
        let [first, second, ..] = named else { return Ok(named.first().copied()) };
        let message =
            format!("columns {} and {} are both named `{}`", first + 1, second + 1, self.headings[*second].name);
        let help = format!("name them apart, or {}", cures.choose);
        Err(InputError::new(&self.cell(*second), message, "the same name again").with_help(help))
    }

    /// Position of a name in the header.
    pub fn cell(&self, column: usize) -> Span {
        let named = self.block.head.zip(self.names.get(column));
        named.map_or_else(|| self.place(), |(head, (start, cell))| self.cells.span(head, *start, cell.len()))
    }

    /// Index of a column asked for.
    pub fn find(&self, column: &AskedColumn, cures: &Cures) -> Result<usize, InputError> {
        let width = self.of_row().max(self.names.len());
        match &column.key {
            ColumnKey::Number(i) if *i < width => Ok(*i),
            ColumnKey::Number(i) => {
                let message = format!("there is no column {}: the table has {width}", i + 1);
                Err(InputError::new(&column.span, message, format!("columns from 1 to {width}")))
            }
            ColumnKey::Name(name) => self.only(&self.named(name), cures)?.ok_or_else(|| {
                let message = format!("there is no column `{name}`: there is {}", self.listed());
                InputError::new(&column.span, message, "a name of the header, or a number from 1")
            }),
        }
    }

    /// Unit of a column of places, with its position.
    pub fn length_unit(&self, column: usize) -> Option<(&'a str, Span)> {
        if self.may_be_length(column) { self.unit(column) } else { self.block.unit(self.cells, column) }
    }

    /// Units of columns of places. A column without a known unit has the one `given`, else that of the others: one unit
    /// for the lengths of a table.
    pub fn lengths(&self, columns: &[usize], given: Option<Unit>, cures: &Cures) -> Result<Lengths, InputError> {
        let own = |column: &usize| self.length_unit(*column).map(|(name, span)| (Unit::of(name), name, span));
        let is_length = |unit: &Unit| matches!(unit, Unit::Length(_)) || cures.pixels && *unit == Unit::Pixel;
        let said = columns.iter().filter_map(own).find_map(|(unit, name, _)| Some((unit.filter(is_length)?, name)));
        let (mut units, mut told) = (Vec::new(), None);
        for column in columns {
            units.push(match (own(column), given, said) {
                (Some((Some(unit), ..)), ..) if is_length(&unit) => unit,
                (None | Some((None, ..)), Some(given), _) => given,
                (Some((_, name, span)), ..) => {
                    let known = Unit::of(name).is_some();
                    let cure = if known { "leave the unit out of the table and say it" } else { "say what it is" };
                    let help = format!("{cure}: {}; or choose other columns", cures.unit);
                    return Err(unknown_unit("places", name, &span).with_help(help));
                }
                (None, None, None) => Unit::Length(1.0),
                (None, None, Some((unit, name))) => {
                    told = self.names.get(*column).map(|(_, cell)| {
                        let other = cures.unit;
                        format!("the column `{cell}` says no unit: that of the other, {name}, is taken; {other} says another")
                    });
                    unit
                }
            });
        }
        let pixels = units.contains(&Unit::Pixel);
        if pixels && units.iter().any(|unit| *unit != Unit::Pixel) {
            let message = "one coordinate is in pixels, the other is not";
            return Err(InputError::new(&self.place(), message, "give one unit for both"));
        }
        let size = |unit: Unit| if let Unit::Length(size) = unit { size } else { 1.0 };
        Ok(Lengths { sizes: units.into_iter().map(size).collect(), pixels, told })
    }
}

/// Refuses a column that is chosen twice.
pub fn distinct(columns: &[usize], span: &Span) -> Result<(), InputError> {
    let twice = (0..columns.len()).find(|i| columns[..*i].contains(&columns[*i]));
    let Some(i) = twice else { return Ok(()) };
    let message = format!("column {} is named twice", columns[i] + 1);
    Err(InputError::new(span, message, "each is a column of its own"))
}

/// The error for a unit that is none of `what`.
pub fn unknown_unit(what: &str, name: &str, span: &Span) -> InputError {
    let known = match what {
        "times" => "s, ms, us, min, frames with --fps".to_owned(),
        _ => UNITS.map(|(name, _)| name).join(", "),
    };
    InputError::new(span, format!("unknown unit of {what} `{name}`"), format!("one of {known}"))
}
