//! Splits column names into name, unit and set: `Latest: X (m)`, `x/cm`, `x_px`, `Position (m) Run #1`.

use numbers::elementary;

use super::UNITS;

/// Further names of the units of length in [`UNITS`].
const LENGTHS: [(&str, &str); 6] = [
    ("m", "meter meters metre metres mètre mètres metro metros м 米 metri metern"),
    ("cm", "centimetre centimètre centimètres centímetros centimetri zentimeter centimeter centimeters centimetres см"),
    ("mm", "millimeter millimetre millimetres millimètres milímetros millimetri millimeters мм"),
    ("um", "micron microns"),
    ("in", "inches"),
    ("ft", "feet"),
];
const PIXELS: &str = "px pix pixel pixels píxeles bildpunkte";
/// Units of time in s.
const TIMES: [(f64, &str); 6] = [
    (1.0, "s sec secs second seconds secondes seconde sekunde sekunden segundo segundos secondi с 秒"),
    (1e-3, "millisekunden millisecondes milisegundos ms msec millis millisecond milliseconds мс"),
    (1e-6, "us µs μs"),
    (1e-9, "ns"),
    (60.0, "min"),
    (86400.0, "day days"),
];
/// Units of frame numbers.
const FRAMES: &str = "frame frames";
/// Units that measure neither a time nor a place.
const OTHERS: &str = "m/s m/s² m/s2 m/s^2 cm/s px/s rad deg ° °/s";

/// Quantity that a unit measures, with its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// A length: the size of the unit, m.
    Length(f64),
    /// A length in pixels.
    Pixel,
    /// A time: the size of the unit, s.
    Time(f64),
    /// A number of frames.
    Frame,
    /// A unit of neither a time nor a place.
    Other,
}

impl Unit {
    /// Reads the name of a unit, possibly with a power of ten: `10^-3 s`, `10⁻² m`.
    pub fn of(name: &str) -> Option<Self> {
        let (power, name) = power_of_ten(name.trim());
        match Self::plain(name)? {
            Unit::Length(size) => Some(Unit::Length(power * size)),
            Unit::Time(size) => Some(Unit::Time(power * size)),
            unit => (power == 1.0).then_some(unit),
        }
    }

    fn plain(name: &str) -> Option<Self> {
        let small = name.to_lowercase();
        let length = |name: &str| UNITS.iter().find(|(unit, _)| *unit == name).map(|(_, size)| Unit::Length(*size));
        let is = |list: &str| list.split(' ').any(|known| known == small);
        let other = || LENGTHS.iter().find(|(_, others)| is(others)).and_then(|(unit, _)| length(unit));
        let time = || TIMES.iter().find(|(_, names)| is(names)).map(|(size, _)| Unit::Time(*size));
        let listed = |list: &str, unit: Unit| is(list).then_some(unit);
        length(name)
            .or_else(|| (name == name.to_uppercase()).then(|| length(&small)).flatten())
            .or_else(other)
            .or_else(|| listed(PIXELS, Unit::Pixel))
            .or_else(time)
            .or_else(|| listed(FRAMES, Unit::Frame))
            .or_else(|| listed(OTHERS, Unit::Other))
    }
}

/// Splits off a power of ten before a unit.
fn power_of_ten(text: &str) -> (f64, &str) {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let Some(rest) = text.strip_prefix("10") else { return (1.0, text) };
    let signs = |c: char| matches!(c, '^' | '*' | '{' | '}' | '(' | ')' | '+' | '-' | '⁻' | '−');
    let end = rest.find(|c: char| !(signs(c) || c.is_ascii_digit() || RAISED.contains(&c))).unwrap_or(rest.len());
    let (exponent, unit) = rest.split_at(end);
    let digit = |c: char| c.to_digit(10).or_else(|| RAISED.iter().position(|raised| *raised == c).map(|i| i as u32));
    let digits: Vec<u32> = exponent.chars().filter_map(digit).collect();
    if !(1..=2).contains(&digits.len()) {
        return (1.0, text);
    }
    let size = digits.iter().fold(0, |number, digit| 10 * number + *digit as i32);
    let sign = if exponent.contains(['-', '⁻', '−']) { -1 } else { 1 };
    (
        elementary::powi(10f64, sign * size),
        unit.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '·' | '*' | '×')),
    )
}

/// A column name split into its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heading<'a> {
    /// Data set or run named in it: `Latest`, `Run #1`; else empty.
    pub set: &'a str,
    /// Name without set and unit.
    pub name: &'a str,
    /// Unit in brackets, or behind `/`, `,`, ` in `, `_` or a blank if it is a known one.
    pub unit: Option<&'a str>,
}

impl<'a> Heading<'a> {
    /// Splits a cell of the header.
    pub fn of(cell: &'a str) -> Self {
        let (set, cell) = match cell.split_once(':') {
            Some((set, rest)) if !rest.trim().is_empty() => (set.trim(), rest.trim()),
            _ => ("", cell.trim()),
        };
        if let Some((name, rest)) = cell.split_once(['[', '(']) {
            let (unit, after) = rest.split_once([']', ')']).unwrap_or((rest, ""));
            let set = if set.is_empty() { after.trim() } else { set };
            return Heading { set, name: name.trim(), unit: Some(unit.trim()).filter(|unit| !unit.is_empty()) };
        }
        let behind =
            |between: &str| cell.rsplit_once(between).filter(|(name, unit)| !name.trim().is_empty() && is_unit(unit));
        match ["/", ",", " in ", "_", " "].iter().find_map(|between| behind(between)) {
            Some((name, unit)) => Heading { set, name: name.trim(), unit: Some(unit.trim()) },
            None => Heading { set, name: cell, unit: None },
        }
    }
}

fn is_unit(text: &str) -> bool {
    Unit::of(text).is_some()
}

/// A unit without brackets.
pub(super) fn bare(cell: &str) -> &str {
    cell.trim_matches(['(', ')', '[', ']']).trim()
}

/// Whether each cell is empty, a unit, or in brackets like a unit.
pub(super) fn are_units<'b>(mut cells: impl Iterator<Item = &'b str>) -> bool {
    let mut any = false;
    cells.all(|cell| {
        any |= !cell.is_empty();
        let bracketed = cell.starts_with(['(', '[']) && cell.ends_with([')', ']']);
        cell.is_empty() || bracketed || is_unit(cell)
    }) && any
}
