//! Columns of a table that hold time and places, and their units.

use scenario::input::{
    AskedColumn, ColumnKey, Columns, Cures, InputError, Places, Role, Source, Span, Unit, distinct, is_middle,
    may_be_a_place, places, plain, unknown_unit,
};

/// Options for reading a table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reading<'a> {
    /// `t,x,y`: names or numbers (from 1) of columns, `-` for a missing one; without times each row is a frame.
    pub columns: Option<&'a str>,
    /// Standard deviation of a place: a number, or the name of a column.
    pub sigma: Option<&'a str>,
    /// Unit of places, if the header names none.
    pub unit: Option<&'a str>,
    /// Time of the table at which the scenario starts, s; by default that of the first place.
    pub start: Option<f64>,
    /// Time of the table at which it ends, s; by default that of the last place.
    pub end: Option<f64>,
    /// Frames per second, if times are numbers of frames or missing.
    pub fps: Option<f64>,
    /// Name of the ball to read, if there are several.
    pub track: Option<&'a str>,
    /// Whether rows are kept that show something else than the ball in motion.
    pub every_row: bool,
}

/// Reads the columns of `--columns T,X,Y`.
pub(super) fn asked_columns(text: &str) -> Result<[Option<AskedColumn>; 3], InputError> {
    let source = Source::new("--columns", text.to_owned());
    let wrong = |part: &str, message: String| {
        InputError::new(&source.part(part), message, "expected T,X,Y")
            .with_help("name the columns of time and place, or number them from 1, such as --columns 1,3,4; - for none")
    };
    let whole = source.text();
    let parts: Vec<&str> = whole.split(',').map(str::trim).collect();
    let [t, x, y] = parts.as_slice() else { return Err(wrong(whole, format!("`{whole}` is not three columns"))) };
    let column = |part: &str| {
        let key = match (part, part.parse::<usize>()) {
            ("-", _) => return Ok(None),
            ("", _) | (_, Ok(0)) => return Err(wrong(part, format!("`{part}` is no column"))),
            (_, Ok(number)) => ColumnKey::Number(number - 1),
            _ => ColumnKey::Name(part.to_owned()),
        };
        Ok(Some(AskedColumn { key, span: source.part(part) }))
    };
    let columns = [column(t)?, column(x)?, column(y)?];
    if columns[1].is_none() && columns[2].is_none() {
        return Err(wrong(whole, "a column of places is needed".to_owned()));
    }
    Ok(columns)
}

/// Cures that name options of `fit`.
pub(super) const CURES: Cures = Cures {
    choose: "choose by number: --columns 1,2,3, - for a coordinate that is not there",
    plane: "--columns T,X,Z",
    unit: "--unit cm",
    pixels: true,
    most: (MAX_ROWS, "give the part of it that shows the motion"),
    track: |name| match name.contains(char::is_whitespace) {
        true => format!("--track \"{name}\""),
        false => format!("--track {name}"),
    },
    all_tracks: "name the columns if all are one: --columns T,X,Y",
    lost: "the ball not found by the tracker",
};

/// Maximum number of rows of a table: an hour of film at 25 frames a second.
const MAX_ROWS: usize = 100_000;

/// Columns that hold time and places, with their units in s and m.
pub(super) struct FilmColumns {
    /// Column of times and their unit in s; without a column, times are row numbers from 0.
    pub time: (Option<usize>, f64),
    pub places: [Option<(usize, f64)>; 2],
    pub pixels: bool,
    pub sigma: Sigma,
    /// Notes on columns that were chosen by doubtful names.
    pub told: Vec<String>,
}

pub(super) enum Sigma {
    Value(f64),
    AskedColumn(usize, f64),
}

/// Finds the columns of a table with a header, or without one.
pub(super) fn layout(
    table: &Columns,
    asked: Option<&[Option<AskedColumn>; 3]>,
    reading: &Reading,
) -> Result<FilmColumns, InputError> {
    let [time, x, y] = chosen(table, asked, reading)?;
    let untimed = time.is_none() && asked.is_none();
    let seconds = seconds(table, time, reading)?;
    let given = reading.unit.map(|name| match Unit::of(name) {
        Some(unit @ (Unit::Length(_) | Unit::Pixel)) => Ok(unit),
        _ => Err(unknown_unit("places", name, &Span::option("--unit", name)).with_help("such as --unit cm, --unit px")),
    });
    let (given, columns) = (given.transpose()?, [x, y].into_iter().flatten().collect::<Vec<usize>>());
    let said = columns.iter().find_map(|column| table.length_unit(*column)).map(|(name, _)| name);
    if let (Some(unit), Some(name), Some(said)) = (given, reading.unit, said)
        && columns.iter().all(|column| table.length_unit(*column).is_some())
        && Unit::of(said).is_some_and(|said| said != unit)
    {
        let message = format!("--unit {name} is for places that have none, and the header says `{said}`");
        return Err(InputError::new(&Span::option("--unit", name), message, "one of both"));
    }
    let lengths = table.lengths(&columns, given, &CURES)?;
    let of_places = lengths.sizes.first().copied().unwrap_or(1.0);
    let sigma = match reading.sigma.map(|text| (text, text.parse::<f64>())) {
        None => Sigma::Value(1.0),
        Some((_, Ok(value))) if value > 0.0 && value.is_finite() => Sigma::Value(value * of_places),
        Some((_, Ok(value))) => {
            let message = format!("--sigma {} is not allowed", plain(value));
            return Err(InputError::without_place(message).with_help("give a positive length, or a column"));
        }
        Some((text, Err(_))) => {
            let wanted = AskedColumn { key: ColumnKey::Name(text.to_owned()), span: Span::option("--sigma", text) };
            let column = table.find(&wanted, &CURES)?;
            let own = table.length_unit(column).map(|_| table.lengths(&[column], given, &CURES)).transpose()?;
            Sigma::AskedColumn(column, own.map_or(of_places, |own| own.sizes[0]))
        }
    };
    let mut sizes = lengths.sizes.iter().copied();
    let places = [x, y].map(|column| column.zip(column.and_then(|_| sizes.next())));
    let odd = if asked.is_none() { odd_names(table, [time, x, y]) } else { None };
    let rows = untimed.then(|| "no column is a time: each row is taken for a frame".to_owned());
    let told = odd.into_iter().chain(lengths.told).chain(rows).collect();
    Ok(FilmColumns { time: (time, seconds), places, pixels: lengths.pixels, sigma, told })
}

/// Chooses the columns of time, x and y: those asked for, else by their names, or three columns without names.
fn chosen(
    table: &Columns,
    asked: Option<&[Option<AskedColumn>; 3]>,
    reading: &Reading,
) -> Result<[Option<usize>; 3], InputError> {
    if let Some(asked) = asked {
        let at = |i: usize| asked[i].as_ref().map(|column| table.find(column, &CURES)).transpose();
        let found = [at(0)?, at(1)?, at(2)?];
        if let Some(last) = asked.iter().flatten().last() {
            distinct(&found.into_iter().flatten().collect::<Vec<_>>(), &last.span)?;
        }
        return if found[0].is_none() && reading.fps.is_none() { Err(frames(&table.place())) } else { Ok(found) };
    }
    let [time, x, y] = match table.block.head {
        Some(_) => by_roles(table, reading)?,
        None if table.width() == 3 => [Some(0), Some(1), Some(2)],
        None => [None; 3],
    };
    let framed = time.is_none() && reading.fps.is_some();
    if (time.is_some() || framed) && (x.is_some() || y.is_some()) {
        for column in [time, x, y].into_iter().flatten().filter(|_| table.block.head.is_some()) {
            let name = table.headings[column].name;
            let same = |i: &usize| table.headings[*i].name.eq_ignore_ascii_case(name);
            table.only(&(0..table.names.len()).filter(same).collect::<Vec<_>>(), &CURES)?;
        }
        return Ok([time, x, y]);
    }
    let (message, help) = match (time, x, y) {
        (None, Some(_), Some(_)) => (
            "no column of the table is a time: there",
            "if each row is a frame of the film: --fps F, frames per second; else name the column of times: --columns T,X,Y",
        ),
        _ => (
            "which columns are time and place? There",
            "name them: --columns T,X,Y, names or numbers from 1, - for none, --fps F where rows are frames; of boxes the middles",
        ),
    };
    let message = format!("{message} is {}", table.listed());
    Err(InputError::new(&table.place(), message, "expected a header such as t, x, y").with_help(help))
}

/// Unit of times in s.
fn seconds(table: &Columns, time: Option<usize>, reading: &Reading) -> Result<f64, InputError> {
    let framed = time.is_some_and(|time| table.roles.get(time) == Some(&Role::Frame));
    let measured = time.and_then(|time| table.unit(time)).map(|(name, span)| (Unit::of(name), name, span));
    match (measured, reading.fps) {
        (None | Some((Some(Unit::Frame), ..)), Some(fps)) => Ok(1.0 / fps),
        (Some((_, name, span)), Some(_)) => {
            let message = format!("--fps says that times are numbers of frames, and the header says `{name}`");
            Err(InputError::new(&span, message, "one of both"))
        }
        (Some((Some(Unit::Time(seconds)), ..)), None) => Ok(seconds),
        (Some((Some(Unit::Frame), _, span)), None) => Err(frames(&span)),
        (Some((_, name, span)), None) => Err(unknown_unit("times", name, &span)
            .with_help("change the header, or name the column of times: --columns T,X,Y")),
        (None, None) if framed => Err(frames(&table.place())),
        (None, None) => Ok(1.0),
    }
}

/// Note on columns chosen by other names than time, t, x, y.
fn odd_names(table: &Columns, found: [Option<usize>; 3]) -> Option<String> {
    let taken = || found.into_iter().zip(["time", "x", "y"]);
    let is_plain = |(i, role): (Option<usize>, &str)| {
        let name = i.and_then(|i| table.headings.get(i)).map_or("", |heading| heading.name);
        name.eq_ignore_ascii_case(role) || name.eq_ignore_ascii_case(&role[..1])
    };
    let named = |(i, role): (Option<usize>, &str)| Some(format!("{role} is `{}`", table.names.get(i?)?.1));
    let odd = table.block.head.is_some() && !taken().all(is_plain);
    odd.then(|| format!("of the columns {}", taken().filter_map(named).collect::<Vec<_>>().join(", ")))
}

/// Chooses time, x and y by the columns' names: the only set of places in the table. If there are several, asks for a
/// choice.
fn by_roles(table: &Columns, reading: &Reading) -> Result<[Option<usize>; 3], InputError> {
    let (roles, name) = (&table.roles, |i: usize| table.headings[i].name);
    let (times, frames) = (table.with(&Role::Time), table.with(&Role::Frame));
    let time = if reading.fps.is_some() { frames.or(times) } else { times.or(frames) };
    // Text of the options that choose two columns; without times they need the rate of frames, unless that is given.
    let options = |[x, y]: [usize; 2]| {
        let column = time.map_or("-".to_owned(), |time| (time + 1).to_string());
        let framed = time.is_none_or(|time| roles[time] == Role::Frame) && reading.fps.is_none();
        format!("--columns {column},{},{}{}", x + 1, y + 1, if framed { " --fps F" } else { "" })
    };
    let [x, y] = match places(roles) {
        Places::Of(found) => found,
        Places::Several(pairs) => {
            let shown = |[x, y]: &[usize; 2]| format!("`{}` and `{}`", name(*x), name(*y));
            let some: Vec<String> = pairs.iter().take(6).map(shown).collect();
            let message = format!("which ball? The table has places {}", some.join(", "));
            return Err(InputError::new(&table.place(), message, "several sets of places")
                .with_help(format!("choose by number of column: {} is the first of them", options(pairs[0]))));
        }
    };
    // A column that may be the other coordinate is not ignored.
    let is_other = |i: usize| {
        ![time, x, y].contains(&Some(i))
            && matches!(roles[i], Role::Doubt | Role::Other)
            && may_be_a_place(&table.headings[i], table.quantity(i))
    };
    // Places of boxes may be corners or middles.
    let is_box = roles.contains(&Role::Side) && ![x, y].iter().flatten().all(|i| is_middle(name(*i)));
    let in_doubt = is_box || x.is_none() != y.is_none() && (0..roles.len()).any(is_other);
    Ok(if in_doubt { [time, None, None] } else { [time, x, y] })
}

fn frames(span: &Span) -> InputError {
    InputError::new(span, "times are numbers of frames", "how long is a frame?")
        .with_help("give --fps F, frames per second of the film")
}
