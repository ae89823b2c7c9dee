//! Makes many balls from one table `[[balls]]`: on a grid, at random, poured, or from a CSV table.

use std::collections::BTreeMap;
use std::path::Path;

use mechanics::Ball;
use nalgebra::Vector2;
use numbers::elementary;

use crate::input::{
    CSV_FILE, Cells, InputError, Node, Reader, Row, Source, Span, Text, Value, cure_of_unknown, lines, number, plain,
    read_table, vector, wrong_type,
};
use crate::physics::read_inertia;

/// Maximum number of balls of a scenario.
pub(crate) const MOST: f64 = 1e5;
/// Places tried for one ball before its region counts as full.
const TRIES: usize = 2000;
/// Columns that a table of balls must have.
const REQUIRED_COLUMNS: [&str; 2] = ["x", "y"];
/// Columns that it may have; `time`, which `last.csv` has, is of no use.
const OPTIONAL_COLUMNS: [&str; 10] =
    ["vx", "vy", "angle", "spin", "radius", "mass", "inertia", "release", "ball", "time"];

#[derive(Clone, Copy, Debug)]
pub(crate) struct MadeBall {
    pub ball: Ball,
    pub position: Vector2<f64>,
    pub velocity: Vector2<f64>,
    /// Angle, rad.
    pub angle: f64,
    pub spin: f64,
    /// Time of its release, s.
    pub release: f64,
    /// Whether it comes from an earlier run, which may have left it in the ground or in another ball.
    pub resumed: bool,
}

/// A number, or the distribution it is drawn from.
enum Numbers {
    One(f64),
    Uniform([f64; 2]),
    Normal([f64; 2]),
    Among(Vec<f64>),
}

impl Numbers {
    fn draw(&self, draw: &mut Draw) -> f64 {
        match self {
            Numbers::One(value) => *value,
            Numbers::Uniform([low, high]) => draw.between(*low, *high),
            // Truncated at four standard deviations, so that sizes stay positive.
            Numbers::Normal([mean, deviation]) => loop {
                let off = draw.normal();
                if off.abs() <= 4.0 {
                    break mean + deviation * off;
                }
            },
            Numbers::Among(values) => {
                let index = (draw.uniform() * values.len() as f64) as usize;
                values.get(index).copied().unwrap_or(f64::NAN)
            }
        }
    }
}

/// Region of the balls, between two corners.
struct Region<'n> {
    node: &'n Node,
    low: Vector2<f64>,
    high: Vector2<f64>,
    how: How,
}

enum How {
    /// In rows and columns with this spacing, m.
    Grid(Option<f64>),
    Random,
    /// Poured with this rate, 1/s.
    Pour(f64),
}

/// Properties of each ball of a table.
struct Each<'n> {
    node: &'n Node,
    name: &'n str,
    radius: Numbers,
    mass: Option<Numbers>,
    /// Density, kg/m³.
    density: Option<f64>,
    inertia: f64,
    velocity: Vector2<f64>,
    /// Speed in a random direction.
    speed: Option<f64>,
    spin: f64,
}

impl<'n> Each<'n> {
    fn read(table: &mut Reader, node: &'n Node, name: &'n str) -> Result<Self, InputError> {
        let radius = numbers(table, "radius")?.unwrap_or(Numbers::One(0.0));
        let mass = numbers(table, "mass")?;
        let density = table.ranged("balls.density")?;
        if let (Some(_), Some(_), Some(other)) = (&mass, density, table.get("density")) {
            return Err(InputError::new(&other.span, "both `mass` and `density` are given", "give one of them"));
        }
        let inertia = read_inertia(table)?;
        let velocity = table.vector("velocity")?;
        let speed = table.ranged("balls.speed")?;
        if let (Some(_), Some(_), Some(node)) = (table.get("velocity"), speed, table.get("speed")) {
            return Err(InputError::new(&node.span, "both `velocity` and `speed` are given", "give one of them")
                .with_help("`speed` is that of all balls, each in a direction drawn for it"));
        }
        let spin = table.number_or("spin", 0.0)?;
        Ok(Each { node, name, radius, mass, density, inertia, velocity, speed, spin })
    }

    fn ball(&self, draw: &mut Draw) -> Result<Ball, InputError> {
        let radius = self.radius.draw(draw);
        let mass = match (&self.mass, self.density) {
            (Some(mass), _) => mass.draw(draw),
            // A solid sphere.
            (None, Some(density)) => 4.0 / 3.0 * std::f64::consts::PI * density * radius * radius * radius,
            (None, None) => 1.0,
        };
        Ball::new(mass, radius, self.inertia).map_err(|error| {
            let message = format!("{}: `{}` = {} is not allowed", self.name, error.name, plain(error.value));
            InputError::new(&self.node.span, message, error.rule)
        })
    }

    fn made(&self, ball: Ball, position: Vector2<f64>, release: f64, draw: &mut Draw) -> MadeBall {
        let velocity = self.speed.map_or(self.velocity, |speed| Vector2::from(draw.direction()) * speed);
        MadeBall { ball, position, velocity, angle: 0.0, spin: self.spin, release, resumed: false }
    }

    /// Balls in rows and columns: the number given, or as many as fit.
    fn on_grid(
        &self,
        places: &Region,
        spacing: Option<f64>,
        count: Option<usize>,
        draw: &mut Draw,
    ) -> Result<Vec<MadeBall>, InputError> {
        let (low, high, span) = (places.low, places.high, &places.node.span);
        // Balls are drawn first, since the spacing is that of the largest.
        let mut balls = vec![self.ball(draw)?];
        let largest = |balls: &[Ball]| balls.iter().fold(0.0_f64, |most, ball| most.max(ball.radius()));
        let pitch = |balls: &[Ball]| spacing.unwrap_or_else(|| 2.0 * largest(balls) * (1.0 + 1e-9));
        let more = |balls: &[Ball]| match count {
            Some(count) => balls.len() < count,
            None => balls.len() < capacity(low, high, pitch(balls)).min(MOST as usize),
        };
        while more(&balls) {
            balls.push(self.ball(draw)?);
        }
        let pitch = pitch(&balls);
        let room = capacity(low, high, pitch);
        if count.is_none() && room > MOST as usize {
            let message = format!("the grid has {room} places");
            return Err(InputError::new(span, message, format!("at most {}", plain(MOST)))
                .with_help("give a smaller region, a larger `spacing`, or `count`"));
        }
        if !(pitch > 0.0) || room < balls.len() && count.is_some() {
            let message =
                format!("{} balls do not fit the grid: it has {room} places {} m apart", balls.len(), plain(pitch));
            return Err(InputError::new(span, message, "centres from corner to corner")
                .with_help("give a larger region, a smaller `spacing` or `radius`, or fewer balls"));
        }
        let columns = columns(low.x, high.x, pitch);
        let place = |index: usize| low + Vector2::from([index % columns, index / columns].map(|i| i as f64 * pitch));
        let balls = balls.into_iter().take(room).enumerate();
        Ok(balls.map(|(index, ball)| self.made(ball, place(index), 0.0, draw)).collect())
    }
}

/// Whether a ball may be at a place: not below the ground.
pub(crate) type Free<'a> = &'a mut dyn FnMut(&Ball, Vector2<f64>) -> bool;

/// Makes the balls of one table; `taken`: circles already occupied.
pub(crate) fn read_many(
    node: &Node,
    name: &str,
    base: &Path,
    taken: &mut Taken,
    free: Free,
) -> Result<Vec<MadeBall>, InputError> {
    let mut table = Reader::new(node, name)?;
    if let Some(file) = table.get("table") {
        let made = from_table(&mut table, file, base)?;
        table.finish()?;
        made.iter().for_each(|made| taken.add(made.position, made.ball.radius()));
        return Ok(made);
    }
    let whole = |value: f64| (1.0..=MOST).contains(&value) && value.fract() == 0.0;
    let rule = format!("a whole number from 1 to {}", plain(MOST));
    let count = table.number_where("count", &rule, whole)?.map(|count| count as usize);
    let seed = table.number_where("seed", "a whole number from 0 to 2^53", |value| {
        (0.0..=9_007_199_254_740_992.0).contains(&value) && value.fract() == 0.0
    })?;
    let mut draw = Draw(seed.unwrap_or(1.0) as u64);
    let each = Each::read(&mut table, node, name)?;
    let (places, poured) = read_places(&mut table)?;
    let count = count.map(|count| count.min(poured.unwrap_or(count))).or(poured);
    if let How::Grid(spacing) = places.how {
        table.finish()?;
        let made = each.on_grid(&places, spacing, count, &mut draw)?;
        made.iter().for_each(|made| taken.add(made.position, made.ball.radius()));
        return Ok(made);
    }
    if count.is_none() {
        table.need("count", "how many balls; a `grid` alone, or a `pour` with `until`, tells it without")?;
    }
    table.finish()?;
    let count = count.unwrap_or(0);
    let mut made: Vec<MadeBall> = Vec::new();
    for index in 0..count {
        let ball = each.ball(&mut draw)?;
        let (low, high) = (places.low, places.high);
        let mut place = || Vector2::new(draw.between(low.x, high.x), draw.between(low.y, high.y));
        let (position, release) = match places.how {
            How::Pour(rate) => (place(), index as f64 / rate),
            _ => {
                let mut tried = (0..TRIES).map(|_| place());
                let found = tried.find(|place| !taken.overlaps(*place, ball.radius()) && free(&ball, *place));
                let position = found.ok_or_else(|| {
                    let message = format!(
                        "only {index} of {count} balls were placed: {TRIES} places tried for the next one were taken"
                    );
                    InputError::new(&places.node.span, message, "a region where there is room")
                        .with_help("random places fill about half of an area: give a larger region, smaller or fewer balls, or a `grid`")
                })?;
                taken.add(position, ball.radius());
                (position, 0.0)
            }
        };
        made.push(each.made(ball, position, release, &mut draw));
    }
    Ok(made)
}

/// Number of places along one side.
fn columns(low: f64, high: f64, pitch: f64) -> usize {
    (((high - low) / pitch * (1.0 + 1e-12)).floor().clamp(0.0, 1e9) as usize).saturating_add(1)
}

fn capacity(low: Vector2<f64>, high: Vector2<f64>, pitch: f64) -> usize {
    columns(low.x, high.x, pitch).saturating_mul(columns(low.y, high.y, pitch))
}

/// Reads a number, or the table of a distribution.
fn numbers(table: &mut Reader, key: &'static str) -> Result<Option<Numbers>, InputError> {
    let Some(node) = table.get(key) else { return Ok(None) };
    let Value::Table(_) = &node.value else { return Ok(Some(Numbers::One(number(node, key)?))) };
    let mut inner = Reader::new(node, &format!("`{key}`"))?;
    let pair = |node: &Node, what: &str| vector(node, what).map(|pair| [pair.x, pair.y]);
    let found = if let Some(node) = inner.get("uniform") {
        let [low, high] = pair(node, "uniform")?;
        if low > high {
            let message = format!("`uniform` goes from {} to {}", plain(low), plain(high));
            return Err(InputError::new(&node.span, message, "from the least to the greatest"));
        }
        Numbers::Uniform([low, high])
    } else if let Some(node) = inner.get("normal") {
        let [mean, deviation] = pair(node, "normal")?;
        // Sizes must be positive up to four standard deviations.
        if !(deviation >= 0.0 && mean > 4.0 * deviation) {
            let message = format!("`normal` has the mean {} and the deviation {}", plain(mean), plain(deviation));
            return Err(InputError::new(&node.span, message, "a deviation from 0 to a quarter of the mean"));
        }
        Numbers::Normal([mean, deviation])
    } else if let Some(node) = inner.get("among") {
        match &node.value {
            Value::Array(items) if !items.is_empty() => {
                Numbers::Among(items.iter().map(|item| number(item, "among")).collect::<Result<_, _>>()?)
            }
            _ => return Err(wrong_type(node, "among", "a list of numbers")),
        }
    } else {
        let help = "for example { uniform = [0.01, 0.02] }, { normal = [0.01, 1e-3] } or { among = [0.01, 0.02] }";
        return Err(InputError::new(&node.span, format!("`{key}` does not say how it is drawn"), "no distribution")
            .with_help(help));
    };
    inner.finish()?;
    Ok(Some(found))
}

/// Reads `grid`, `random` or `pour`; also returns the number of poured balls.
fn read_places<'n>(table: &mut Reader<'n>) -> Result<(Region<'n>, Option<usize>), InputError> {
    let mut given = ["grid", "random", "pour"].into_iter().filter_map(|key| Some((key, table.get(key)?)));
    let (first, second) = (given.next(), given.next());
    if let Some((_, second)) = second {
        return Err(InputError::new(&second.span, "the balls have two places", "give one of `grid`, `random`, `pour`"));
    }
    let what = "where the balls are: `grid` or `random` = { from = [x, y], to = [x, y] }, or `pour`, or `table`";
    let (key, node) = match first {
        Some(first) => first,
        None => ("random", table.need("random", what)?),
    };
    let mut inner = Reader::new(node, &format!("`{key}`"))?;
    let mut poured = None;
    let ((low, high), how) = match key {
        "grid" => (region(&mut inner)?, How::Grid(positive(&mut inner, "spacing", "positive and finite (m)")?)),
        "random" => (region(&mut inner)?, How::Random),
        _ => {
            inner.need("rate", "balls a second")?;
            let rate = positive(&mut inner, "rate", "positive and finite (1/s)")?.unwrap_or(1.0);
            let mouth = mouth(&mut inner)?;
            let until = positive(&mut inner, "until", "positive and finite (s)")?;
            poured = until.map(|until| (until * rate).ceil());
            (mouth, How::Pour(rate))
        }
    };
    inner.finish()?;
    if let Some(poured) = poured.filter(|poured| !(*poured <= MOST)) {
        let (message, most) = (format!("{} balls are poured", plain(poured)), plain(MOST));
        return Err(InputError::new(&node.span, message, format!("`rate` times `until` is at most {most}")));
    }
    Ok((Region { node, low, high, how }, poured.map(|poured| poured as usize)))
}

fn positive(table: &mut Reader, key: &'static str, rule: &str) -> Result<Option<f64>, InputError> {
    table.number_where(key, rule, |value| value > 0.0 && value.is_finite())
}

/// Reads `from` and `to`, opposite corners; returns the lower left and the upper right one.
fn region(table: &mut Reader) -> Result<(Vector2<f64>, Vector2<f64>), InputError> {
    let from = vector(table.need("from", "a corner [x, y] of the region of centres, m")?, "from")?;
    let to = vector(table.need("to", "the opposite corner [x, y], m")?, "to")?;
    Ok((from.inf(&to), from.sup(&to)))
}

/// Reads `from` of a pour: a point, or both ends of a line.
fn mouth(table: &mut Reader) -> Result<(Vector2<f64>, Vector2<f64>), InputError> {
    let node = table.need("from", "where balls are let go: a point [x, y], or two corners [[x, y], [x, y]]")?;
    match &node.value {
        Value::Array(items) if matches!(items.as_slice(), [Node { value: Value::Array(_), .. }, _]) => {
            let (one, other) = (vector(&items[0], "from")?, vector(&items[1], "from")?);
            Ok((one.inf(&other), one.sup(&other)))
        }
        _ => vector(node, "from").map(|point| (point, point)),
    }
}

/// Reads balls from a table with columns x, y and more; of rows with the same value of `ball` only the last counts.
fn from_table(table: &mut Reader, file: &Node, base: &Path) -> Result<Vec<MadeBall>, InputError> {
    let Value::String(path) = &file.value else { return Err(wrong_type(file, "table", "the path of a CSV file")) };
    let Text { source, .. } = read_table(&base.join(&**path), Some(&file.span), CSV_FILE)?;
    rows_of(table, &source, path, &file.span).map_err(|error| source.of(error))
}

/// Reads balls from the text of a table; `path` and `from`: its name, and where that stands.
fn rows_of(table: &mut Reader, source: &Source, path: &str, from: &Span) -> Result<Vec<MadeBall>, InputError> {
    let [radius, mass] = [table.number("radius")?.unwrap_or(0.0), table.number("mass")?.unwrap_or(1.0)];
    let usual = [radius, mass, read_inertia(table)?];
    let cells = Cells::new(source);
    let mut rows = lines(source);
    let bad = |message: String| InputError::new(from, format!("{path}{message}"), "this table");
    let Some(head) = rows.next() else { return Err(bad(" is empty".to_owned())) };
    let names: Vec<(usize, &str)> = cells.of(head.text).collect();
    let column = |name: &str| names.iter().position(|(_, known)| *known == name);
    let mut there = std::collections::HashSet::new();
    if let Some((_, name)) = names.iter().find(|(_, name)| !name.is_empty() && !there.insert(*name)) {
        return Err(bad(format!(" has two columns `{name}`")).with_help("leave one of them out"));
    }
    let known = [&REQUIRED_COLUMNS[..], &OPTIONAL_COLUMNS].concat();
    if let Some((start, name)) = names.iter().find(|(_, name)| !name.is_empty() && !known.contains(name)) {
        let place = cells.span(head, *start, name.len());
        let error = InputError::new(&place, format!("unknown column `{name}` in {path}"), "unknown column");
        return Err(error.with_help(cure_of_unknown(name, &known)));
    }
    if let Some(missing) = REQUIRED_COLUMNS.into_iter().find(|name| column(name).is_none()) {
        let cure = format!("columns that are read: {}", known.join(", "));
        return Err(bad(format!(" has no column `{missing}`")).with_help(cure));
    }
    let comma = cells.decimal_commas(rows.clone())?;
    // Keyed by number, in the order of `f64::total_cmp`.
    let mut made = BTreeMap::new();
    for (index, line) in rows.enumerate() {
        let row = Row::of(&cells, line, comma);
        row.no_wider(names.len(), || "leave the others out".to_owned())?;
        let (number, ball) = ball_of(&row, column, usual, index)?;
        let bits = number.to_bits() as i64;
        made.insert(bits ^ (((bits >> 63) as u64) >> 1) as i64, ball);
        if made.len() as f64 > MOST {
            return Err(bad(format!(" has more than {} balls", plain(MOST))));
        }
    }
    if made.is_empty() {
        return Err(bad(" has no rows".to_owned()));
    }
    Ok(made.into_values().collect())
}

/// Number of a row and its ball; radius, mass and inertia without a column have default values.
fn ball_of(
    row: &Row,
    column: impl Fn(&str) -> Option<usize>,
    usual: [f64; 3],
    index: usize,
) -> Result<(f64, MadeBall), InputError> {
    let wrong = |message: String| InputError::new(&row.span(), message, "this row");
    let value = |name: &str, default: Option<f64>| -> Result<f64, InputError> {
        match (column(name), default) {
            (Some(column), _) if row.cells.get(column).is_some_and(|(_, cell)| !cell.is_empty()) => {
                row.number(column)?.ok_or_else(|| row.lacks(column))
            }
            (_, Some(default)) => Ok(default),
            (column, None) => Err(row.lacks(column.unwrap_or(0))),
        }
    };
    let [radius, mass, inertia] = usual.map(Some);
    let [mass, radius] = [value("mass", mass)?, value("radius", radius)?];
    let ball = Ball::new(mass, radius, value("inertia", inertia)?).map_err(|error| wrong(error.to_string()))?;
    let release = value("release", Some(0.0))?;
    if release < 0.0 {
        return Err(wrong(format!("`release` = {} is not allowed", plain(release)))
            .with_help("0, or how many seconds later the ball is let go"));
    }
    let position = Vector2::new(value("x", None)?, value("y", None)?);
    let velocity = Vector2::new(value("vx", Some(0.0))?, value("vy", Some(0.0))?);
    let (angle, spin) = (value("angle", Some(0.0))?, value("spin", Some(0.0))?);
    let number = value("ball", Some(index as f64 + 1.0))?;
    Ok((number, MadeBall { ball, position, velocity, angle, spin, release, resumed: true }))
}

/// Occupied circles, in a grid of cells.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    cells: std::collections::HashMap<[i64; 2], Vec<(Vector2<f64>, f64)>>,
    side: f64,
    largest: f64,
}

impl Taken {
    fn cell(&self, q: Vector2<f64>) -> [i64; 2] {
        [(q.x / self.side).floor() as i64, (q.y / self.side).floor() as i64]
    }

    pub fn add(&mut self, q: Vector2<f64>, radius: f64) {
        // Cells are at least as wide as the largest circle; a new grid is at least twice as wide, so that it is rarely
        // rebuilt.
        let wide = 2.0 * radius;
        let side = if self.largest > 0.0 && wide > self.side {
            wide.max(2.0 * self.side)
        } else if self.largest == 0.0 && wide > 0.0 {
            wide
        } else if self.side > 0.0 {
            self.side
        } else {
            1.0
        };
        self.largest = self.largest.max(radius);
        if side != self.side {
            self.side = side;
            let all: Vec<_> = std::mem::take(&mut self.cells).into_values().flatten().collect();
            for (q, radius) in all {
                self.cells.entry(self.cell(q)).or_default().push((q, radius));
            }
        }
        self.cells.entry(self.cell(q)).or_default().push((q, radius));
    }

    pub fn overlaps(&self, q: Vector2<f64>, radius: f64) -> bool {
        if self.cells.is_empty() {
            return false;
        }
        let reach = ((radius + self.largest) / self.side).ceil() as i64;
        let [x, y] = self.cell(q);
        (-reach..=reach).any(|i| {
            (-reach..=reach).any(|j| {
                let there = self.cells.get(&[x + i, y + j]);
                there.into_iter().flatten().any(|(p, r)| (p - q).norm() < (radius + r) * (1.0 + 1e-12))
            })
        })
    }
}

/// Random numbers from a seed, equal on all machines: SplitMix64 (Steele, Lea, Flood: OOPSLA 2014, 453).
#[derive(Clone, Debug)]
struct Draw(u64);

impl Draw {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform number in [0, 1).
    fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform number in [low, high].
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// Uniform unit vector, by rejection, since sines differ between machines.
    fn direction(&mut self) -> [f64; 2] {
        loop {
            let [x, y] = [self.between(-1.0, 1.0), self.between(-1.0, 1.0)];
            let square = x * x + y * y;
            if square > 1e-6 && square <= 1.0 {
                let length = square.sqrt();
                return [x / length, y / length];
            }
        }
    }

    /// Standard normal number, by Marsaglia's polar method.
    fn normal(&mut self) -> f64 {
        loop {
            let [x, y] = [self.between(-1.0, 1.0), self.between(-1.0, 1.0)];
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * elementary::ln(square) / square).sqrt();
            }
        }
    }
}
