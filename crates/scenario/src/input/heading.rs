//! Names of columns as programs write them: `Latest: X (m)`, `x/cm`, `x_px`, `Position (m) Run #1`.

use super::UNITS;

/// Other names of lengths, and theirs in [`UNITS`].
const LENGTHS: [(&str, &str); 34] = [
    ("meter", "m"),
    ("meters", "m"),
    ("metre", "m"),
    ("metres", "m"),
    ("mètre", "m"),
    ("mètres", "m"),
    ("metro", "m"),
    ("metros", "m"),
    ("м", "m"),
    ("米", "m"),
    ("metri", "m"),
    ("metern", "m"),
    ("centimetre", "cm"),
    ("centimètre", "cm"),
    ("centimètres", "cm"),
    ("centímetros", "cm"),
    ("centimetri", "cm"),
    ("zentimeter", "cm"),
    ("millimeter", "mm"),
    ("millimetre", "mm"),
    ("millimetres", "mm"),
    ("millimètres", "mm"),
    ("milímetros", "mm"),
    ("millimetri", "mm"),
    ("centimeter", "cm"),
    ("centimeters", "cm"),
    ("centimetres", "cm"),
    ("см", "cm"),
    ("millimeters", "mm"),
    ("мм", "mm"),
    ("micron", "um"),
    ("microns", "um"),
    ("inches", "in"),
    ("feet", "ft"),
];
const PIXELS: [&str; 6] = ["px", "pix", "pixel", "pixels", "píxeles", "bildpunkte"];
/// Units of time in s.
const TIMES: [(&str, f64); 30] = [
    ("s", 1.0),
    ("sec", 1.0),
    ("secs", 1.0),
    ("second", 1.0),
    ("seconds", 1.0),
    ("secondes", 1.0),
    ("seconde", 1.0),
    ("sekunde", 1.0),
    ("sekunden", 1.0),
    ("segundo", 1.0),
    ("segundos", 1.0),
    ("secondi", 1.0),
    ("millisekunden", 1e-3),
    ("millisecondes", 1e-3),
    ("milisegundos", 1e-3),
    ("с", 1.0),
    ("秒", 1.0),
    ("ms", 1e-3),
    ("msec", 1e-3),
    ("millis", 1e-3),
    ("millisecond", 1e-3),
    ("milliseconds", 1e-3),
    ("мс", 1e-3),
    ("us", 1e-6),
    ("µs", 1e-6),
    ("μs", 1e-6),
    ("ns", 1e-9),
    ("min", 60.0),
    ("day", 86400.0),
    ("days", 86400.0),
];
/// Units of times that are numbers of frames.
const FRAMES: [&str; 2] = ["frame", "frames"];
/// What is neither a time nor a place.
const OTHERS: [&str; 10] = ["m/s", "m/s²", "m/s2", "m/s^2", "cm/s", "px/s", "rad", "deg", "°", "°/s"];

/// What a unit measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// m.
    Length(f64),
    /// As a camera sees it.
    Pixel,
    /// s.
    Time(f64),
    /// Numbers of frames.
    Frame,
    /// Neither a time nor a place.
    Other,
}

impl Unit {
    /// Of a name, also behind a power of ten: `10^-3 s`, `10⁻² m`.
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
        let other = |small: &str| LENGTHS.iter().find(|(other, _)| *other == small).and_then(|(_, unit)| length(unit));
        let time = || TIMES.iter().find(|(unit, _)| *unit == small).map(|(_, size)| Unit::Time(*size));
        let listed = |list: &[&str], unit: Unit| list.contains(&small.as_str()).then_some(unit);
        length(name)
            .or_else(|| (name == name.to_uppercase()).then(|| length(&small)).flatten())
            .or_else(|| other(&small))
            .or_else(|| listed(&PIXELS, Unit::Pixel))
            .or_else(time)
            .or_else(|| listed(&FRAMES, Unit::Frame))
            .or_else(|| listed(&OTHERS, Unit::Other))
    }
}

/// A power of ten before a unit, and the unit.
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
    (10f64.powi(sign * size), unit.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '·' | '*' | '×')))
}

/// The name of a column, taken apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heading<'a> {
    /// Which set or run of the program's it is of: `Latest`, `Run #1`; else empty.
    pub set: &'a str,
    /// Without set and unit.
    pub name: &'a str,
    /// In brackets, or behind `/`, `,`, ` in `, `_` or a blank if it is a known one.
    pub unit: Option<&'a str>,
}

impl<'a> Heading<'a> {
    /// Of a cell of the header.
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

/// A unit without the brackets around it.
pub(super) fn bare(cell: &str) -> &str {
    cell.trim_matches(['(', ')', '[', ']']).trim()
}

/// Whether each cell is empty, a unit, or something in brackets, as units are.
pub(super) fn are_units<'b>(mut cells: impl Iterator<Item = &'b str>) -> bool {
    let mut any = false;
    cells.all(|cell| {
        any |= !cell.is_empty();
        let bracketed = cell.starts_with(['(', '[']) && cell.ends_with([')', ']']);
        cell.is_empty() || bracketed || is_unit(cell)
    }) && any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_programs_write_them() {
        let cases = [
            ("t", ("", "t", None)),
            ("x [cm]", ("", "x", Some("cm"))),
            ("Latest: X (m)", ("Latest", "X", Some("m"))),
            ("Data Set 1:Time(s)", ("Data Set 1", "Time", Some("s"))),
            ("Position (m) Run #1", ("Run #1", "Position", Some("m"))),
            ("x/mm", ("", "x", Some("mm"))),
            ("y_px", ("", "y", Some("px"))),
            ("Height in m", ("", "Height", Some("m"))),
            ("y, cm", ("", "y", Some("cm"))),
            ("t/10^-3 s", ("", "t", Some("10^-3 s"))),
            ("time ms", ("", "time", Some("ms"))),
            ("x_ball", ("", "x_ball", None)),
            ("vx (m/s)", ("", "vx", Some("m/s"))),
            ("x ()", ("", "x", None)),
        ];
        for (cell, (set, name, unit)) in cases {
            assert_eq!(Heading::of(cell), Heading { set, name, unit }, "{cell}");
        }
    }

    #[test]
    fn units_are_told_apart_by_case() {
        assert_eq!(Unit::of("ms"), Some(Unit::Time(1e-3)));
        assert_eq!(Unit::of("Pixels"), Some(Unit::Pixel));
        assert_eq!(Unit::of("micron"), Some(Unit::Length(1e-6)));
        assert_eq!((Unit::of("Mm"), Unit::of("MM")), (None, Some(Unit::Length(1e-3))));
    }

    #[test]
    fn units_may_have_a_power_of_ten() {
        for (name, unit) in [
            ("10^-3 s", Some(Unit::Time(1e-3))),
            ("10⁻² m", Some(Unit::Length(1e-2))),
            ("10**(-2)·m", Some(Unit::Length(1e-2))),
            ("10^3 m", Some(Unit::Length(1e3))),
            ("10^2 px", None),
            ("10 m", None),
            ("10^-400 m", None),
        ] {
            assert_eq!(Unit::of(name), unit, "{name}");
        }
    }
}
