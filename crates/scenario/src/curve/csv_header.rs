//! Chooses the columns of a table that are the points of a ground, and their units.

use super::kinds_and_limits::MAX_PIECES;
use super::survey::{ANGLE, DISTANCE, STEP, Survey};
use crate::input::{
    AskedColumn, ColumnKey, Columns, Cures, InputError, Node, Places, Reader, Unit, Value, distinct, number, places,
    plain, wrong_type,
};

/// Cures of errors in a table of points, by the keys of a curve.
pub(super) const CURES: Cures = Cures {
    choose: "choose by number: columns = [1, 2]",
    plane: "columns = [\"x\", \"z\"]",
    unit: "unit = \"cm\"",
    pixels: false,
    most: (MAX_PIECES, "leave out what is finer than the ball can feel"),
    track: |name| format!("track = \"{name}\""),
    all_tracks: "columns = [\"…\", \"…\"] if all are one, curve-column = \"…\" if each is a curve",
    lost: "nothing found",
};

/// Reads a column by its name, or its number from 1.
pub(super) fn column_of(node: &Node, key: &str) -> Result<AskedColumn, InputError> {
    let key = match &node.value {
        Value::String(name) => ColumnKey::Name(name.to_string()),
        _ => match number(node, key)? {
            i if (1.0..=1e4).contains(&i) && i.fract() == 0.0 => ColumnKey::Number(i as usize - 1),
            i => {
                let message = format!("there is no column {}", plain(i));
                return Err(InputError::new(&node.span, message, "a number from 1"));
            }
        },
    };
    Ok(AskedColumn { key, span: node.span.clone() })
}

/// Reads the key `columns`: names, or numbers from 1.
pub(super) fn columns(reader: &mut Reader) -> Result<Option<[AskedColumn; 2]>, InputError> {
    let Some(node) = reader.get("columns") else { return Ok(None) };
    let [x, y] = node.items() else { return Err(wrong_type(node, "columns", "two names or numbers [x, y]")) };
    Ok(Some([column_of(x, "columns")?, column_of(y, "columns")?]))
}

/// Names of distances and of heights, by which the only two columns of a table are x and y. With other names they may
/// be a distance and an angle, or a time and a place.
const ALONG: [&str; 7] = ["x", "way", "distance", "station", "chainage", "position", "s"];
const UP: [&str; 6] = ["y", "z", "height", "elevation", "altitude", "level"];

/// Names of geographic coordinates.
const ON_EARTH: [&str; 5] = ["lat", "latitude", "lon", "lng", "longitude"];

/// Keys of the curve that choose its columns and units.
#[derive(Clone, Copy)]
pub(super) struct AskedColumns<'a> {
    pub columns: Option<&'a [AskedColumn; 2]>,
    /// Unit (m) of lengths whose unit the table does not name.
    pub unit: Option<f64>,
    pub survey: Option<Survey>,
}

/// The columns that hold the points.
pub(super) struct PointColumns {
    /// x and y, or a distance and an angle.
    pub places: [usize; 2],
    /// Units of the two columns, m or rad.
    pub units: [f64; 2],
    /// Notes on columns that were chosen by doubtful names.
    pub told: Vec<String>,
    /// Whether the first column is named as lengths of steps.
    pub steps: bool,
}

/// Finds the columns of the points in a table with a header, or without one.
pub(super) fn layout(table: &Columns, asked: AskedColumns) -> Result<PointColumns, InputError> {
    let AskedColumns { columns, unit, survey } = asked;
    let mut told = Vec::new();
    let is = |i: usize, known: &[&str]| {
        let names = table.may_be_length(i).then(|| table.headings.get(i).map(|heading| heading.name)).flatten();
        names.is_some_and(|name| known.iter().any(|known| name.eq_ignore_ascii_case(known)))
    };
    let found = match columns {
        Some([x, y]) => [table.find(x, &CURES)?, table.find(y, &CURES)?],
        None => unasked(table, survey.is_some(), &is, &mut told)?,
    };
    distinct(&found, columns.map_or(&table.place(), |columns| &columns[1].span))?;
    if let Some(place) = found.into_iter().find(|i| is(*i, &ON_EARTH)) {
        let message = format!("`{}` is an angle on the earth, no length", table.names[place].1);
        return Err(InputError::new(&table.cell(place), message, "degrees").with_help(
            "make the table a GPS track, which kind = \"gpx\" reads (GPSBabel: -i unicsv -o gpx), or give distances",
        ));
    }
    let of_lengths = if survey.is_some() { &found[..1] } else { &found };
    let lengths = table.lengths(of_lengths, unit.map(Unit::Length), &CURES)?;
    told.extend(lengths.told);
    let second = survey.map_or_else(|| Ok(lengths.sizes[1]), |survey| angle(table, survey, found[1]))?;
    Ok(PointColumns { places: found, units: [lengths.sizes[0], second], told, steps: is(found[0], &[STEP]) })
}

/// Unit of the angles in a column, rad.
fn angle(table: &Columns, survey: Survey, column: usize) -> Result<f64, InputError> {
    let named = table.length_unit(column);
    let size = survey.angle(named.as_ref().map(|(name, _)| *name)).ok_or_else(|| {
        let span = named.as_ref().map_or_else(|| table.cell(column), |(_, span)| span.clone());
        InputError::new(&span, "in which unit are the angles?", Survey::angles())
            .with_help("say it: angle-unit = \"deg\", or angle [deg] in the header")
    })?;
    if let (Some((name, span)), Some(key)) = (&named, survey.unit.filter(|key| *key != size)) {
        let message = format!("`angle-unit` is another than the header says, {name}");
        let known = plain(key.to_degrees());
        return Err(InputError::new(span, message, format!("the key's is {known}°")).with_help("give one of both"));
    }
    Ok(size)
}

/// Chooses the columns by their names, if none are asked for.
fn unasked(
    table: &Columns,
    survey: bool,
    is: &dyn Fn(usize, &[&str]) -> bool,
    told: &mut Vec<String>,
) -> Result<[usize; 2], InputError> {
    let two = table.names.len() == 2;
    let ask = |what: &str, help: &str| {
        let message = format!("which columns are {what}? There is {}", table.listed());
        Err(InputError::new(&table.place(), message, "this line").with_help(help))
    };
    let named = |known: &[&str]| (0..table.names.len()).find(|i| is(*i, known));
    if table.block.head.is_none() {
        return match table.block.first.map_or(0, |line| table.cells.filled(line)) {
            0..=2 => Ok([0, 1]),
            _ => ask("x and y", "name them: columns = [1, 2]; decimal commas need another separator, such as ;"),
        };
    }
    if survey {
        return match (named(&DISTANCE), named(&ANGLE)) {
            (Some(distance), Some(angle)) => Ok([distance, angle]),
            _ if two => Ok([0, 1]),
            _ => ask("distance and angle", "name them: columns = [\"…\", \"…\"]"),
        };
    }
    let only = |name: &str| {
        let plainly: Vec<usize> = table.named(name).into_iter().filter(|i| table.may_be_length(*i)).collect();
        table.only(&plainly, &CURES)
    };
    match (only("x")?, only("y")?, places(&table.roles)) {
        (Some(x), Some(y), _) => Ok([x, y]),
        _ if two && table.headings[0].name.eq_ignore_ascii_case(table.headings[1].name) => {
            // One name twice is an error, unless one heading is the bare name and the other has a unit, or one can be
            // no length.
            only(table.headings[0].name)?;
            Ok([0, 1])
        }
        _ if two && is(0, &ALONG) && is(1, &UP) => Ok([0, 1]),
        (.., Places::Of([Some(x), Some(y)])) => {
            told.push(format!("of the columns x is `{}`, y is `{}`", table.names[x].1, table.names[y].1));
            Ok([x, y])
        }
        _ if two && is(0, &DISTANCE) && is(1, &ANGLE) => ask(
            "x and y",
            "survey = \"steps\" if each row goes on from the last by a distance at an angle, \"polar\" if all are seen from one place, \
             \"along\" if distances are places along the surface; else name the columns: columns = [\"…\", \"…\"]",
        ),
        _ => ask("x and y", "name them: columns = [\"…\", \"…\"]"),
    }
}
