//! Columns of a table that hold time and places, and their units.

use scenario::input::{
    Block, Cells, Heading, InputError, Line, Places, Role, Separator, Source, Span, Unit, is_middle, listed,
    may_be_a_place, places, plain, role,
};

/// Choices of how a table is to be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading<'a> {
    /// `t,x,y`: names or numbers (from 1) of columns, `-` for one that is not there; without times rows are frames. `t/F`: numbers of
    /// frames, F a second.
    pub columns: Option<&'a str>,
    /// Standard deviation of a place: a number, or the name of a column.
    pub sigma: Option<&'a str>,
    /// Unit of places that have none in the header.
    pub unit: Option<&'a str>,
    /// Time of the table at which the scenario starts, s; by default that of the first place.
    pub start: Option<f64>,
    /// Time of the table at which it ends, s; by default that of the last place.
    pub end: Option<f64>,
    /// Frames per second, where times are numbers of frames, or rows are frames.
    pub fps: Option<f64>,
    /// Name of the ball to read, where there are several.
    pub track: Option<&'a str>,
    /// Whether rows that show another thing than the ball in motion are kept.
    pub every_row: bool,
}

/// A column as asked for.
#[derive(Clone)]
enum Key {
    Name(String),
    Number(usize),
}

impl Key {
    fn of(text: &str) -> Self {
        match text.parse::<usize>() {
            Ok(number) if number > 0 => Key::Number(number - 1),
            _ => Key::Name(text.to_owned()),
        }
    }
}

/// Time, x, y as asked for.
pub(super) struct Asked {
    keys: [Option<Key>; 3],
    /// Frames per second.
    pub fps: Option<f64>,
    span: Span,
}

impl Asked {
    /// The columns, if all are numbers; from 0.
    pub fn numbers(&self) -> Option<Vec<usize>> {
        let number = |key: &Key| if let Key::Number(i) = key { Some(*i) } else { None };
        self.keys.iter().flatten().map(number).collect()
    }
}

pub(super) fn columns(text: &str) -> Result<Asked, InputError> {
    let source = Source::new("--columns", text.to_owned());
    let span = Span { source, range: 0..text.len() };
    let wrong = |message: String| {
        InputError::new(&span, message, "expected T,X,Y").with_help(
            "name the columns of time and place, or number them from 1, such as --columns 1,3,4; - for none; T/F of numbers \
             of frames, F a second: 1/240,3,4",
        )
    };
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let [t, x, y] = parts.as_slice() else { return Err(wrong(format!("`{text}` is not three columns"))) };
    let key = |part: &str| match (part, part.parse::<usize>()) {
        ("-", _) => Ok(None),
        ("", _) | (_, Ok(0)) => Err(wrong(format!("`{part}` is no column"))),
        _ => Ok(Some(Key::of(part))),
    };
    // A name may have a slash of its own: t/ms.
    let rate = t.rsplit_once('/').and_then(|(t, rate)| Some((t.trim(), rate.trim().parse::<f64>().ok()?)));
    let (t, fps) = rate.map_or((*t, None), |(t, rate)| (t, Some(rate)));
    if fps.is_some_and(|fps| !(fps > 0.0 && fps.is_finite())) {
        return Err(wrong(format!("`{}` is no number of frames per second", parts[0])));
    }
    let keys = [key(t)?, key(x)?, key(y)?];
    if keys[1].is_none() && keys[2].is_none() {
        return Err(wrong("a column of places is needed".to_owned()));
    }
    Ok(Asked { keys, fps, span })
}

/// Columns that hold time and places, with their units in s and m.
pub(super) struct Layout {
    /// Column of times, and the unit in s; without a column, of the number of the row from 0.
    pub time: (Option<usize>, f64),
    pub places: [Option<(usize, f64)>; 2],
    pub pixels: bool,
    pub sigma: Sigma,
    /// Cells of a row.
    pub width: usize,
    /// A column with names of tracks.
    pub track: Option<usize>,
    /// The height above the page's plane, or across it: of places in space.
    pub depth: Option<usize>,
    /// Whether there are places of several balls.
    pub several: bool,
    /// Whether the ball was found, where a column says so.
    pub found: Option<usize>,
    /// Notes on columns that were chosen though their names do not say it plainly.
    pub told: Vec<String>,
}

pub(super) enum Sigma {
    Value(f64),
    Column(usize, f64),
}

/// The columns of a table with a header, or without one.
pub(super) fn layout(
    cells: &Cells,
    block: &Block,
    asked: Option<&Asked>,
    reading: &Reading,
    whole: &Span,
) -> Result<Layout, InputError> {
    let (head, first_row) = (block.head, block.first);
    let found = block.names(cells);
    let headings: Vec<Heading> = found.iter().map(|(_, cell)| Heading::of(cell)).collect();
    let names: Vec<&str> = headings.iter().map(|heading| heading.name).collect();
    let find = |wanted: &str| {
        let is = |name: &str| name.eq_ignore_ascii_case(wanted);
        names.iter().position(|name| is(name)).or_else(|| found.iter().position(|(_, cell)| is(cell)))
    };
    let place = head.or(first_row).map_or_else(|| whole.clone(), |line| cells.span(line, 0, line.text.len()));
    let listed = || match (head, first_row) {
        (Some(_), _) => listed(found.iter().map(|(_, cell)| *cell)),
        (None, Some(line)) => format!("no header above {} columns", cells.of(line.text).count()),
        (None, None) => "no header".to_owned(),
    };
    let place_of = |key: &Key, span: &Span| match key {
        Key::Number(i) => Ok(*i),
        Key::Name(name) => find(name).ok_or_else(|| {
            InputError::new(span, format!("there is no column `{name}`"), format!("there is {}", listed()))
        }),
    };
    let unit = |column: usize| {
        let below = || block.unit(cells, column).map(|(line, start, unit)| (unit, cells.span(line, start, unit.len())));
        let Some(((start, cell), heading)) = found.get(column).zip(headings.get(column)) else { return below() };
        match heading.unit {
            Some(unit) => Some((unit, cells.span(head?, *start, cell.len()))),
            None => below(),
        }
    };
    // What is not known may be meant for a time or a length, and is asked for then.
    let unit_of = |i: usize| {
        let (unit, _) = unit(i)?;
        Unit::of(unit).or_else(|| unit.contains(['/', '^', '²']).then_some(Unit::Other))
    };
    let roles: Vec<Role> = (0..headings.len()).map(|i| role(&headings[i], unit_of(i))).collect();
    let [time, x, y] = match asked {
        Some(asked) => {
            let at = |i: usize| asked.keys[i].as_ref().map(|key| place_of(key, &asked.span)).transpose();
            [at(0)?, at(1)?, at(2)?]
        }
        None if head.is_some() => {
            let [time, x, y] = by_roles(&roles, reading, &place, &names)?;
            // What may be the other coordinate is not passed over.
            let is_other = |i: usize| {
                ![time, x, y].contains(&Some(i))
                    && matches!(roles[i], Role::Doubt | Role::Other)
                    && may_be_a_place(&headings[i], unit_of(i))
            };
            if x.is_none() != y.is_none() && (0..roles.len()).any(is_other) { [time, None, None] } else { [time, x, y] }
        }
        None if first_row.is_some_and(|line| cells.of(line.text).count() == 3) => [Some(0), Some(1), Some(2)],
        None => [None; 3],
    };
    // What is measured in s and not taken for the time speaks against rows that are frames.
    let clocked = (0..headings.len()).any(|i| matches!(unit_of(i), Some(Unit::Time(_))));
    let untimed = match asked {
        Some(asked) => asked.keys[0].is_none(),
        None => time.is_none() && (x.is_some() || y.is_some()) && reading.fps.is_some() && !clocked,
    };
    if !(time.is_some() || untimed) || (x.is_none() && y.is_none()) {
        if let (None, Some(x), Some(y)) = (time, x, y) {
            let message = format!("no column of the table is a time: there is {}", listed());
            return Err(InputError::new(&place, message, "expected a header such as t, x, y").with_help(if clocked {
                format!("name the column of times: --columns T,{},{}", x + 1, y + 1)
            } else {
                "if each row is a frame of the film: --fps F, frames per second; else name the column of times: --columns \
                 T,X,Y"
                    .to_owned()
            }));
        }
        let message = format!("which columns are time and place? There is {}", listed());
        let help = "name them: --columns T,X,Y, names or numbers from 1, - for a coordinate that is not there; -/F where each row is a \
                    frame, F a second";
        return Err(InputError::new(&place, message, "expected a header such as t, x, y").with_help(help));
    }
    if untimed && reading.fps.is_none() {
        return Err(frames(&place));
    }
    let same_names = asked.is_none() && !names.is_empty();
    if same_names {
        for column in [time, x, y].into_iter().flatten() {
            let same = |other: &usize| *other != column && names[*other].eq_ignore_ascii_case(names[column]);
            if let Some(other) = (0..names.len()).filter(|_| column < names.len()).find(same) {
                let message = format!("columns {} and {} are both named `{}`", column + 1, other + 1, names[column]);
                return Err(InputError::new(&place, message, "the same name again")
                    .with_help("choose by number: --columns 1,2,3, - for a coordinate that is not there"));
            }
        }
    }
    // Names above fewer cells than rows have may be those of other columns, unless a separator behind the last says that more follow;
    // numbers of columns need none.
    let open = |line: Line| matches!(cells.separator, Separator::Character(c) if line.text.ends_with(c));
    let by_number = asked.is_some_and(|asked| asked.numbers().is_some());
    let cells_of_row = first_row.map_or(0, |line| cells.of(line.text).count());
    let width = if by_number || head.is_none_or(open) { cells_of_row.max(found.len()) } else { found.len() };
    if let Some(asked) = asked {
        check_columns(asked, &[time, x, y], width)?;
    }
    let unknown = |name: &str, span: &Span, what: &str, one: &str| {
        InputError::new(span, format!("unknown unit of {what} `{name}`"), format!("one of {one}"))
    };
    let times = |name, span| {
        unknown(name, span, "times", "s, ms, us, min, frames with --fps")
            .with_help("change the header, or name the column of times: --columns T,X,Y")
    };
    let framed = time.is_some_and(|time| roles.get(time) == Some(&Role::Frame));
    let measured = time.and_then(unit).map(|(name, span)| (Unit::of(name), name, span));
    let seconds = match (measured, reading.fps) {
        (None | Some((Some(Unit::Frame), ..)), Some(fps)) => 1.0 / fps,
        (Some((_, name, span)), Some(_)) => {
            let message = format!("--fps says that times are numbers of frames, and the header says `{name}`");
            return Err(InputError::new(&span, message, "one of both"));
        }
        (Some((Some(Unit::Time(seconds)), ..)), None) => seconds,
        (Some((Some(Unit::Frame), _, span)), None) => return Err(frames(&span)),
        (Some((_, name, span)), None) => return Err(times(name, &span)),
        (None, None) if framed => return Err(frames(&place)),
        (None, None) => 1.0,
    };
    let option = |text: &str| Span { source: Source::new("--unit", text.to_owned()), range: 0..text.len() };
    let by_default = reading.unit.map(|name| (name, option(name)));
    let own = |column: usize| unit(column).map(|(name, span)| (Unit::of(name), name, span));
    // One unit for the lengths of a table: a column that says none has that of the other.
    let shared = [x, y].into_iter().flatten().find_map(own).filter(|(unit, ..)| unit.is_some());
    // Size in m, or that there are pixels; an option says what an unknown unit is.
    let size = |column: usize| {
        let given = by_default.clone().map(|(name, span)| (Unit::of(name), name, span));
        let written = match own(column) {
            Some((None, ..)) => given.or_else(|| own(column)),
            None => given.or_else(|| shared.clone()),
            written => written,
        };
        match written {
            None => Ok((1.0, false)),
            Some((Some(Unit::Pixel), ..)) => Ok((1.0, true)),
            Some((Some(Unit::Length(size)), ..)) => Ok((size, false)),
            Some((_, name, span)) => Err(unknown(name, &span, "places", "m, mm, cm, dm, km, um, µm, in, ft, px")
                .with_help("say what it is: --unit cm; or name other columns: --columns T,X,Y")),
        }
    };
    let said: Vec<_> = [x, y].into_iter().flatten().map(own).collect();
    if let (Some((given, span)), Some(Some((_, name, _)))) = (&by_default, said.first())
        && said.iter().all(|own| matches!(own, Some((Some(unit), ..)) if Some(*unit) != Unit::of(given)))
    {
        let message = format!("--unit {given} is for places that have none, and the header says `{name}`");
        return Err(InputError::new(span, message, "one of both").with_help("leave --unit out, or change the header"));
    }
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
    let column = |wanted: &Role| roles.iter().position(|role| role == wanted);
    let depth = if asked.is_some() { None } else { column(&Role::Place(2, String::new())) };
    let several = roles.iter().filter(|role| matches!(role, Role::Place(0, _))).count() > 1;
    let plain = |i: usize, known: &str| names.get(i).is_none_or(|name| name.eq_ignore_ascii_case(known));
    let taken = [(time, "time", "t"), (x, "x", "x"), (y, "y", "y")];
    let is_plain =
        |(i, long, short): &(Option<usize>, &str, &str)| i.is_some_and(|i| plain(i, long) || plain(i, short));
    let odd = asked.is_none() && head.is_some() && !taken.iter().all(is_plain);
    let named = |(i, long, _): &(Option<usize>, &str, &str)| {
        i.map(|i| format!("{long} is `{}`", found.get(i).map_or("", |f| f.1)))
    };
    let odd = odd.then(|| format!("of the columns {}", taken.iter().filter_map(named).collect::<Vec<_>>().join(", ")));
    let rows = (untimed && asked.is_none()).then(|| "no column is a time: each row is taken for a frame".to_owned());
    let told = odd.into_iter().chain(rows).collect();
    Ok(Layout {
        time: (time, seconds),
        places,
        pixels,
        sigma,
        width,
        track: column(&Role::Track),
        depth,
        several,
        found: column(&Role::Found),
        told,
    })
}

/// Time, x and y by what columns are: the one set of places that there is. Of several one is asked for.
fn by_roles(roles: &[Role], reading: &Reading, place: &Span, names: &[&str]) -> Result<[Option<usize>; 3], InputError> {
    let column = |wanted: &Role| roles.iter().position(|role| role == wanted);
    let (times, frames) = (column(&Role::Time), column(&Role::Frame));
    let time = if reading.fps.is_some() { frames.or(times) } else { times.or(frames) };
    let found = match places(roles) {
        Places::Of(found) => found,
        Places::Several(pairs) => {
            let shown = |[x, y]: &[usize; 2]| format!("`{}` and `{}`", names[*x], names[*y]);
            let some: Vec<String> = pairs.iter().take(6).map(shown).collect();
            let message = format!("which ball? The table has places {}", some.join(", "));
            let (time, [x, y]) = (counted(time, roles, reading), pairs[0]);
            return Err(InputError::new(place, message, "several sets of places").with_help(format!(
                "choose by number of column: --columns {time},{},{} is the first of them{}",
                x + 1,
                y + 1,
                rate(&time)
            )));
        }
    };
    if let [Some(x), Some(y)] = found
        && roles.contains(&Role::Side)
        && ![x, y].iter().all(|i| is_middle(names[*i]))
    {
        let time = counted(time, roles, reading);
        let message = "are places corners of boxes, or their middles? The table has the sides of boxes, too";
        return Err(InputError::new(place, message, "boxes around the ball").with_help(format!(
            "if they are the middles, --columns {time},{},{}{}; else write the middles in columns of their own",
            x + 1,
            y + 1,
            rate(&time)
        )));
    }
    Ok([time, found[0], found[1]])
}

fn frames(span: &Span) -> InputError {
    InputError::new(span, "times are numbers of frames", "how long is a frame?")
        .with_help("give --fps F, frames per second of the film")
}

/// The number of a column of times as `--columns` takes it; of frames with their rate, unless that is given.
fn counted(time: Option<usize>, roles: &[Role], reading: &Reading) -> String {
    let column = time.map_or("-".to_owned(), |time| (time + 1).to_string());
    let framed = time.is_none_or(|time| roles.get(time) == Some(&Role::Frame));
    if framed && reading.fps.is_none() { format!("{column}/F") } else { column }
}

fn rate(time: &str) -> &'static str {
    if time.ends_with("/F") { ", F frames per second" } else { "" }
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
