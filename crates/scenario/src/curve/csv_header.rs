//! Columns of a table that are the points of a ground, and their units.

use super::survey::{ANGLE, DISTANCE, STEP, Survey};
use crate::input::{
    Block, Cells, Heading, InputError, Line, Node, Places, Reader, Role, Span, UNITS, Unit, Value, listed, number,
    places, plain, role, wrong_type,
};

/// A column, by its name or number.
pub(super) fn column_of(node: &Node, key: &str) -> Result<Column, InputError> {
    match &node.value {
        Value::String(name) => Ok(Column { key: Key::Name(name.to_string()), span: node.span.clone() }),
        _ => match number(node, key)? {
            i if (1.0..=1e4).contains(&i) && i.fract() == 0.0 => {
                Ok(Column { key: Key::Number(i as usize - 1), span: node.span.clone() })
            }
            i => Err(InputError::new(&node.span, format!("there is no column {}", plain(i)), "a number from 1")),
        },
    }
}

/// The key `columns`: names, or numbers from 1.
pub(super) fn columns(reader: &mut Reader) -> Result<Option<[Column; 2]>, InputError> {
    let Some(node) = reader.get("columns") else { return Ok(None) };
    let wrong = || wrong_type(node, "columns", "two names or numbers [x, y]");
    let Value::Array(items) = &node.value else { return Err(wrong()) };
    let [x, y] = items.as_slice() else { return Err(wrong()) };
    let columns = [column_of(x, "columns")?, column_of(y, "columns")?];
    let same = match (&columns[0].key, &columns[1].key) {
        (Key::Name(x), Key::Name(y)) => x.eq_ignore_ascii_case(y),
        (Key::Number(x), Key::Number(y)) => x == y,
        _ => false,
    };
    if same { Err(one_column(&node.span)) } else { Ok(Some(columns)) }
}

fn one_column(span: &Span) -> InputError {
    let help = "name two: columns = [\"x\", \"y\"] or [1, 2]";
    InputError::new(span, "x and y are the same column", "two columns [x, y]").with_help(help)
}

pub(super) struct Column {
    pub key: Key,
    pub span: Span,
}

pub(super) enum Key {
    Name(String),
    Number(usize),
}

/// Names of lengths along the ground and up; two columns with others may be a distance and an angle, or a time and a place.
const ALONG: [&str; 7] = ["x", "way", "distance", "station", "chainage", "position", "s"];
const UP: [&str; 6] = ["y", "z", "height", "elevation", "altitude", "level"];

/// Places on the earth.
const ON_EARTH: [&str; 5] = ["lat", "latitude", "lon", "lng", "longitude"];

/// Keys of the curve that choose its columns and units.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub columns: Option<&'a [Column; 2]>,
    /// Unit of lengths that have none in the table, m.
    pub unit: Option<f64>,
    pub survey: Option<Survey>,
}

/// The columns that hold the points, and what the others are.
pub(super) struct Layout {
    /// x and y, or a distance and an angle.
    pub places: [usize; 2],
    /// Units of the two columns, m or rad.
    pub units: [f64; 2],
    /// Role of each column.
    pub roles: Vec<Role>,
    /// Notes on columns that were chosen though their names do not say it plainly.
    pub told: Vec<String>,
    /// Whether the first column says that it holds lengths of steps.
    pub steps: bool,
}

impl Layout {
    /// The first column with a role, but for those of the points.
    pub fn column(&self, wanted: &Role) -> Option<usize> {
        (0..self.roles.len()).find(|i| self.roles[*i] == *wanted && !self.places.contains(i))
    }
}

/// The columns of a table with a header.
pub(super) fn header(table: &Cells, block: &Block, line: Line, asked: Asked) -> Result<Layout, InputError> {
    let Asked { columns, unit, survey } = asked;
    let cells = block.names(table);
    let headings: Vec<Heading> = cells.iter().map(|(_, cell)| length_heading(cell)).collect();
    let names: Vec<&str> = headings.iter().map(|heading| heading.name).collect();
    let roles: Vec<Role> = (0..cells.len()).map(|i| role_of(table, block, cells[i].1, i)).collect();
    let all = |wanted: &str| {
        let is = |name: &str| name.trim().eq_ignore_ascii_case(wanted);
        let whole: Vec<usize> = (0..names.len()).filter(|i| is(cells[*i].1)).collect();
        if whole.is_empty() { (0..names.len()).filter(|i| is(names[*i])).collect() } else { whole }
    };
    let find = |wanted: &str| match all(wanted).as_slice() {
        [first, second, ..] => {
            let (start, cell) = cells[*second];
            let message = format!("columns {} and {} are both named `{}`", first + 1, second + 1, names[*second]);
            let help = format!("name them apart, or choose by number: columns = [{}, …]", first + 1);
            Err(InputError::new(&table.span(line, start, cell.len()), message, "the same name again").with_help(help))
        }
        named => Ok(named.first().copied()),
    };
    let listed = || listed(names.iter().copied());
    let length = |i: usize, known: &[&str]| known.iter().any(|known| names[i].eq_ignore_ascii_case(known));
    let mut told = Vec::new();
    let found = match columns {
        Some(columns) => {
            let place = |column: &Column| match &column.key {
                Key::Number(i) if *i < names.len() => Ok(*i),
                Key::Number(i) => {
                    let message = format!("there is no column {}: the header has {}", i + 1, names.len());
                    Err(InputError::new(&column.span, message, format!("one of {}", listed())))
                }
                Key::Name(name) => find(name)?.ok_or_else(|| {
                    let message = format!("there is no column `{name}`");
                    InputError::new(&column.span, message, format!("one of {}", listed()))
                }),
            };
            let [x, y] = [place(&columns[0])?, place(&columns[1])?];
            if x == y {
                return Err(one_column(&columns[1].span));
            }
            [x, y]
        }
        None if survey.is_some() => {
            let found = |known: &[&str]| (0..names.len()).find(|i| length(*i, known));
            match (found(&DISTANCE), found(&ANGLE)) {
                (Some(distance), Some(angle)) => [distance, angle],
                _ if names.len() == 2 => [0, 1],
                _ => {
                    let span = table.span(line, 0, line.text.len());
                    let message = format!("which columns are distance and angle? There are {}", listed());
                    let help = "name them: columns = [\"…\", \"…\"]";
                    return Err(InputError::new(&span, message, "this header").with_help(help));
                }
            }
        }
        None => match (find("x")?, find("y")?, places(&roles)) {
            (Some(x), Some(y), _) => [x, y],
            _ if names.len() == 2 && names[0].eq_ignore_ascii_case(names[1]) => {
                find(names[0])?;
                [0, 1]
            }
            _ if names.len() == 2 && length(0, &ALONG) && length(1, &UP) => [0, 1],
            (.., Places::Of([Some(x), Some(y)])) => {
                told.push(format!("of the columns x is `{}`, y is `{}`", cells[x].1, cells[y].1));
                [x, y]
            }
            _ => {
                let span = table.span(line, 0, line.text.len());
                let message = format!("which columns are x and y? There are {}", listed());
                let help = match names.len() == 2 && length(0, &DISTANCE) && length(1, &ANGLE) {
                    true => {
                        "survey = \"steps\" if each row goes on from the last by a distance at an angle, \"polar\" if all are seen \
                         from one place, \"along\" if distances are places along the surface; else name the columns: columns = [\"…\", \"…\"]"
                    }
                    false => "name them: columns = [\"…\", \"…\"]",
                };
                return Err(InputError::new(&span, message, "this header").with_help(help));
            }
        },
    };
    if let Some(place) = found.into_iter().find(|place| length(*place, &ON_EARTH)) {
        let (start, cell) = cells[place];
        let message = format!("`{cell}` is an angle on the earth, no length");
        return Err(InputError::new(&table.span(line, start, cell.len()), message, "degrees").with_help(
            "make the table a GPS track, which kind = \"gpx\" reads (GPSBabel: -i unicsv -o gpx), or give distances",
        ));
    }
    let named = |place: usize| -> Option<(&str, Span)> {
        let (start, cell) = *cells.get(place)?;
        match headings[place].unit {
            Some(unit) => Some((unit, table.span(line, start, cell.len()))),
            None => block.unit(table, place).map(|(line, start, name)| (name, table.span(line, start, name.len()))),
        }
    };
    let length = |(name, span): (&str, Span)| match Unit::of(name) {
        Some(Unit::Length(size)) => Ok(size),
        _ => {
            let known = UNITS.map(|(name, _)| name).join(", ");
            let help =
                "write the places in one of these, or leave the unit out of the table and give the curve a `unit`";
            Err(InputError::new(&span, format!("unknown unit `{name}` of a length"), known).with_help(help))
        }
    };
    let units = if let Some(survey) = survey {
        let angle = named(found[1]);
        let span =
            || angle.as_ref().map_or(table.span(line, cells[found[1]].0, cells[found[1]].1.len()), |a| a.1.clone());
        let size = survey.angle(angle.as_ref().map(|(name, _)| *name)).ok_or_else(|| no_angle(&span()))?;
        if let (Some((name, span)), Some(key)) = (&angle, survey.unit.filter(|key| *key != size)) {
            let message = format!("`angle-unit` is another than the header says, {name}");
            let known = plain(key.to_degrees());
            return Err(InputError::new(span, message, format!("the key's is {known}°")).with_help("give one of both"));
        }
        [named(found[0]).map(length).transpose()?.or(unit).unwrap_or(1.0), size]
    } else {
        // One unit for the lengths of a table: a column that says none has that of the other.
        let shared = found.into_iter().find_map(named);
        if let (Some((name, _)), None, Some(place)) = (&shared, unit, found.iter().find(|i| named(**i).is_none())) {
            let column = cells[*place].1;
            told.push(format!(
                "the column `{column}` says no unit: that of the other, {name}, is taken; `unit` says another"
            ));
        }
        let shared = match unit {
            Some(unit) => unit,
            None => shared.map(length).transpose()?.unwrap_or(1.0),
        };
        let [x, y] = found.map(|place| named(place).map(length).transpose());
        [x?.unwrap_or(shared), y?.unwrap_or(shared)]
    };
    let steps = names[found[0]].eq_ignore_ascii_case(STEP);
    Ok(Layout { places: found, units, roles, told, steps })
}

/// Role of a column by its name, and by its unit in the header or below it.
fn role_of(table: &Cells, block: &Block, cell: &str, column: usize) -> Role {
    let heading = Heading::of(cell);
    let unit = heading.unit.or_else(|| block.unit(table, column).map(|(.., unit)| unit));
    role(&heading, unit.map(|unit| Unit::of(unit).unwrap_or(Unit::Other)))
}

/// Name and unit of a column of places: in brackets, or behind it as [`Heading`] has it if that is one of a length.
fn length_heading(cell: &str) -> Heading<'_> {
    let heading = Heading::of(cell);
    let of_places = |unit: &str| matches!(Unit::of(unit), Some(Unit::Length(_) | Unit::Pixel));
    match heading.unit {
        Some(unit) if !cell.contains(['[', '(']) && !of_places(unit) => {
            Heading { set: "", name: cell.trim(), unit: None }
        }
        _ => heading,
    }
}

pub(super) fn no_angle(span: &Span) -> InputError {
    InputError::new(span, "in which unit are the angles?", Survey::angles())
        .with_help("say it: angle-unit = \"deg\", or angle [deg] in the header")
}
