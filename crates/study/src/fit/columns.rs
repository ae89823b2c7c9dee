//! Which columns of a table hold time and places, and in which units.

use scenario::input::{Block, Cells, InputError, Line, MAX_COLUMNS, Source, Span, UNITS, listed, plain};

/// Units of time in s.
const TIMES: [(&str, f64); 4] = [("s", 1.0), ("ms", 1e-3), ("min", 60.0), ("us", 1e-6)];
const PIXELS: [&str; 3] = ["px", "pixel", "pixels"];
/// Units of times that are numbers of frames.
const FRAMES: [&str; 2] = ["frame", "frames"];

/// How a table is to be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading<'a> {
    /// `t,x,y`: names or numbers (from 1) of columns, `-` for one that is not there; without times rows are frames.
    pub columns: Option<&'a str>,
    /// Standard deviation of a place: a number, or the name of a column.
    pub sigma: Option<&'a str>,
    /// Of places that have none in the header.
    pub unit: Option<&'a str>,
    /// Time of the table at which the scenario starts, s; by default that of the first place.
    pub start: Option<f64>,
    /// Frames per second, where times are numbers of frames.
    pub fps: Option<f64>,
}

/// A column as asked for.
#[derive(Clone)]
enum Key {
    Name(String),
    Number(usize),
}

/// Time, x, y as asked for.
pub(super) struct Asked {
    keys: [Option<Key>; 3],
    span: Span,
}

pub(super) fn columns(text: &str) -> Result<Asked, InputError> {
    let source = Source::new("--columns", text.to_owned());
    let span = Span { source, range: 0..text.len() };
    let wrong = |message: String| {
        InputError::new(&span, message, "expected T,X,Y")
            .with_help("name the columns of time and place, or number them from 1, such as --columns 1,3,4; - for none")
    };
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let [t, x, y] = parts.as_slice() else { return Err(wrong(format!("`{text}` is not three columns"))) };
    let key = |part: &str| match (part, part.parse::<usize>()) {
        ("-", _) => Ok(None),
        ("", _) | (_, Ok(0)) => Err(wrong(format!("`{part}` is no column"))),
        (_, Ok(number)) => Ok(Some(Key::Number(number - 1))),
        (name, Err(_)) => Ok(Some(Key::Name(name.to_owned()))),
    };
    let keys = [key(t)?, key(x)?, key(y)?];
    if keys[1].is_none() && keys[2].is_none() {
        return Err(wrong("a column of places is needed".to_owned()));
    }
    Ok(Asked { keys, span })
}

/// Which columns hold what, and their units in s and m.
pub(super) struct Layout {
    /// Its column, and the unit in s; without a column, of the number of the row from 0.
    pub time: (Option<usize>, f64),
    pub places: [Option<(usize, f64)>; 2],
    pub pixels: bool,
    pub sigma: Sigma,
    /// Whether something says what unit times are in.
    pub timed: bool,
    /// Cells of a row.
    pub width: usize,
}

pub(super) enum Sigma {
    Value(f64),
    Column(usize, f64),
}

/// Of a header, or of a table that has none.
pub(super) fn layout(
    cells: &Cells,
    block: &Block,
    asked: Option<&Asked>,
    reading: &Reading,
    whole: &Span,
) -> Result<Layout, InputError> {
    let (head, first_row) = (block.head, block.first);
    let found: Vec<(usize, &str)> =
        head.map(|line| cells.of(line.text).take(MAX_COLUMNS).collect()).unwrap_or_default();
    let names: Vec<&str> = found.iter().map(|(_, cell)| cell.split(['[', '(']).next().unwrap_or("").trim()).collect();
    let find = |wanted: &str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
    let place = head.or(first_row).map_or_else(|| whole.clone(), |line| cells.span(line, 0, line.text.len()));
    let listed = || match (head, first_row) {
        (Some(_), _) => listed(names.iter().copied()),
        (None, Some(line)) => format!("no header above {} columns", cells.of(line.text).count()),
        (None, None) => "no header".to_owned(),
    };
    let place_of = |key: &Key, span: &Span| match key {
        Key::Number(i) => Ok(*i),
        Key::Name(name) => find(name).ok_or_else(|| {
            InputError::new(span, format!("there is no column `{name}`"), format!("there is {}", listed()))
        }),
    };
    let [time, x, y] = match asked {
        Some(asked) => {
            let at = |key: &Option<Key>| key.as_ref().map(|key| place_of(key, &asked.span)).transpose();
            [at(&asked.keys[0])?, at(&asked.keys[1])?, at(&asked.keys[2])?]
        }
        None if head.is_some() => {
            let mut times = ["t", "time", "zeit", "temps", "tiempo", "tempo", "frame", "frames"];
            if reading.fps.is_some() {
                times.rotate_right(2);
            }
            let [x, y] = match [find("x"), find("y")] {
                [None, None] => numbered(&names),
                found => found,
            };
            [times.iter().find_map(|name| find(name)), x, y]
        }
        None if first_row.is_some_and(|line| cells.of(line.text).count() == 3) => [Some(0), Some(1), Some(2)],
        None => [None; 3],
    };
    let untimed = asked.is_some_and(|asked| asked.keys[0].is_none());
    if !(time.is_some() || untimed) || (x.is_none() && y.is_none()) {
        if let (None, Some(x), Some(y)) = (time, x, y) {
            let message = format!("no column of the table is a time: there is {}", listed());
            return Err(InputError::new(&place, message, "expected a header such as t, x, y").with_help(format!(
                "if each row is a frame of the film: --columns -,{},{} --fps F, frames per second; else name the column of \
                 times: --columns T,X,Y",
                x + 1,
                y + 1
            )));
        }
        let message = format!("which columns are time and place? There is {}", listed());
        return Err(InputError::new(&place, message, "expected a header such as t, x, y")
            .with_help("name them: --columns T,X,Y, names or numbers from 1, - for a coordinate that is not there"));
    }
    if untimed && reading.fps.is_none() {
        return Err(frames(&place));
    }
    if asked.is_none() {
        for column in [time, x, y].into_iter().flatten() {
            let same = |other: &usize| *other != column && names[*other].eq_ignore_ascii_case(names[column]);
            if let Some(other) = (0..names.len()).filter(|_| column < names.len()).find(same) {
                let message = format!("columns {} and {} are both named `{}`", column + 1, other + 1, names[column]);
                return Err(InputError::new(&place, message, "the same name again")
                    .with_help("choose by number: --columns 1,2,3, - for a coordinate that is not there"));
            }
        }
    }
    let cells_of = |line: Option<Line>| line.map_or(0, |line| cells.of(line.text).count());
    let width = if asked.is_some() { cells_of(first_row) } else { cells_of(head).max(cells_of(first_row)) };
    if let Some(asked) = asked {
        check_columns(asked, &[time, x, y], width.max(cells_of(head)))?;
    }
    let unit = |column: usize| {
        let below = || block.unit(cells, column).map(|(line, start, unit)| (unit, cells.span(line, start, unit.len())));
        let Some((start, cell)) = found.get(column) else { return below() };
        let Some((_, inside)) = cell.split_once(['[', '(']) else { return below() };
        Some((inside.trim_end_matches([']', ')']).trim(), cells.span(head?, *start, cell.len())))
    };
    let known = |name: &str, units: &[(&str, f64)]| units.iter().find(|(unit, _)| *unit == name).map(|(_, size)| *size);
    let unknown = |name: &str, span: &Span, what: &str, units: &[(&str, f64)], more: &str| {
        let names = units.iter().map(|(unit, _)| *unit).chain([more]).collect::<Vec<_>>().join(", ");
        InputError::new(span, format!("unknown unit of {what} `{name}`"), format!("one of {names}"))
    };
    let framed = time
        .and_then(|time| names.get(time))
        .is_some_and(|name| FRAMES.iter().any(|frame| name.eq_ignore_ascii_case(frame)));
    let seconds = match (time.and_then(unit), reading.fps) {
        (None, Some(fps)) => 1.0 / fps,
        (Some((name, _)), Some(fps)) if FRAMES.contains(&name) => 1.0 / fps,
        (Some((name, span)), Some(_)) => {
            let message = format!("--fps says that times are numbers of frames, and the header says `{name}`");
            return Err(InputError::new(&span, message, "one of both"));
        }
        (Some((name, span)), None) if FRAMES.contains(&name) => return Err(frames(&span)),
        (Some((name, span)), None) => {
            known(name, &TIMES).ok_or_else(|| unknown(name, &span, "times", &TIMES, "frames with --fps"))?
        }
        (None, None) if framed => return Err(frames(&place)),
        (None, None) => 1.0,
    };
    let option = |text: &str| Span { source: Source::new("--unit", text.to_owned()), range: 0..text.len() };
    let by_default = reading.unit.map(|name| (name, option(name)));
    // Size in m, or that there are pixels.
    let size = |column: usize| match unit(column).or_else(|| by_default.clone()) {
        None => Ok((1.0, false)),
        Some((name, _)) if PIXELS.contains(&name) => Ok((1.0, true)),
        Some((name, span)) => {
            Ok((known(name, &UNITS).ok_or_else(|| unknown(name, &span, "places", &UNITS, "px"))?, false))
        }
    };
    let sizes = [x.map(size).transpose()?, y.map(size).transpose()?];
    let pixels = sizes.iter().flatten().any(|(_, pixels)| *pixels);
    if pixels && sizes.iter().flatten().any(|(_, pixels)| !pixels) {
        return Err(InputError::new(&place, "one coordinate is in pixels, the other is not", "give one unit for both"));
    }
    let of_places = sizes.iter().flatten().next().map_or(1.0, |(size, _)| *size);
    let sigma = match reading.sigma {
        None => Sigma::Value(1.0),
        Some(text) => match text.parse::<f64>() {
            Ok(value) if value > 0.0 && value.is_finite() => Sigma::Value(value * of_places),
            Ok(value) => {
                let message = format!("--sigma {} is not allowed", plain(value));
                return Err(InputError::without_place(message).with_help("give a positive length, or a column"));
            }
            Err(_) => {
                let span = Span { source: Source::new("--sigma", text.to_owned()), range: 0..text.len() };
                let column = place_of(&Key::Name(text.to_owned()), &span)?;
                let size = if unit(column).is_some() { size(column)?.0 } else { of_places };
                Sigma::Column(column, size)
            }
        },
    };
    let places = [x.zip(sizes[0]), y.zip(sizes[1])].map(|place| place.map(|(column, (size, _))| (column, size)));
    let timed = reading.fps.is_some() || time.and_then(unit).is_some();
    Ok(Layout { time: (time, seconds), places, pixels, sigma, timed, width })
}

/// The places of the one track whose columns carry its number, such as `X1` and `Y1`; nothing if there are several.
fn numbered(names: &[&str]) -> [Option<usize>; 2] {
    let number = |name: &str, axis: &str| {
        let (first, rest) = name.split_at_checked(1)?;
        let digits = rest.trim_start_matches(['_', ' ']);
        let is = first.eq_ignore_ascii_case(axis) && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        is.then(|| digits.to_owned())
    };
    let of = |axis| -> Vec<(usize, String)> {
        names.iter().enumerate().filter_map(|(i, name)| Some((i, number(name, axis)?))).collect()
    };
    match (of("x").as_slice(), of("y").as_slice()) {
        ([(x, a)], [(y, b)]) if a == b => [Some(*x), Some(*y)],
        _ => [None; 2],
    }
}

fn frames(span: &Span) -> InputError {
    InputError::new(span, "times are numbers of frames", "how long is a frame?")
        .with_help("give --fps F, frames per second of the film")
}

/// Columns asked for are there, and each is another.
fn check_columns(asked: &Asked, places: &[Option<usize>], width: usize) -> Result<(), InputError> {
    let found: Vec<usize> = places.iter().flatten().copied().collect();
    if let Some(column) = found.iter().find(|column| **column >= width) {
        let message = format!("there is no column {}: the table has {width}", column + 1);
        return Err(InputError::new(&asked.span, message, format!("columns from 1 to {width}")));
    }
    match (0..found.len()).find(|i| found[..*i].contains(&found[*i])) {
        Some(i) => {
            let message = format!("column {} is named twice", found[i] + 1);
            Err(InputError::new(&asked.span, message, "time, x and y are columns of their own"))
        }
        None => Ok(()),
    }
}
