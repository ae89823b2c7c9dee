//! Rows of numbers and names as NumPy records, of 8-byte words so that one buffer holds them all.

use kugelbahn::output::{EventCell, EventRow, event_fields, ground_name};
use kugelbahn::prelude::Moment;
use kugelbahn::scenario::stepping::BallEvent;
use kugelbahn::tables::{Cell, Field, Kind};
use kugelbahn::{Entry, Scenario};
use numpy::PyArray1;
use pyo3::prelude::*;

/// Appends a name as UTF-32 of a number of characters, two of them to a word.
fn put_name(words: &mut Vec<u64>, name: &str, width: usize) {
    let mut characters = name.chars().map(u64::from).chain(std::iter::repeat(0));
    for _ in 0..width / 2 {
        let [low, high] = std::array::from_fn(|_| characters.next().unwrap_or(0));
        words.push(low | high << 32);
    }
}

/// Words of numbers; −0 is 0 to every reader.
fn put<const N: usize>(words: &mut Vec<u64>, numbers: [f64; N]) {
    words.extend(numbers.map(|number| (number + 0.0).to_bits()));
}

/// Rows of `events.csv`: of events, and of what was watched.
pub struct Rows<'a> {
    scenario: &'a Scenario,
    /// Columns, each with the characters of its words.
    fields: Vec<(Field<EventCell>, usize)>,
    words: Vec<u64>,
}

impl<'a> Rows<'a> {
    pub fn new(scenario: &'a Scenario) -> Self {
        // Two characters make a word.
        let width = |longest: Option<usize>| longest.unwrap_or(0).max(1).next_multiple_of(2);
        let watches = scenario.watches.iter().map(|watch| watch.name.chars().count()).max();
        let grounds = scenario.curve.curves.iter().map(|curve| curve.name.chars().count()).max();
        let widths = |field: Field<EventCell>| match field.name {
            "name" => (field, width(watches)),
            "ground" => (field, width(grounds)),
            name if name.starts_with("phase") => (field, 10),
            _ => (field, 14),
        };
        let fields = event_fields(false, !scenario.curve.curves.is_empty()).into_iter().map(widths).collect();
        Rows { scenario, fields, words: Vec::new() }
    }

    pub fn put(&mut self, index: u64, entry: Entry) {
        let Rows { scenario: Scenario { scene, watches, curve, .. }, fields, words } = self;
        let (told, name) = match entry {
            Entry::Event(event) => (BallEvent::alone(scene, event), ""),
            Entry::Crossing(crossing) => {
                let name = watches.get(crossing.watch).map_or("", |watch| &watch.name);
                (BallEvent::crossing(scene, crossing), name)
            }
        };
        let ground = ground_name(curve, scene, Some(told.event.place), &told.event.after).unwrap_or_default();
        let row = EventRow::new(scene, index, &told, name, ground);
        for (field, width) in fields {
            match (field.cell)(&row) {
                Cell::Count(count) => words.push(count),
                Cell::Number(number) => put(words, [number]),
                Cell::Empty => put(words, [f64::NAN]),
                Cell::Name(word) | Cell::Word(word) => put_name(words, word, *width),
            }
        }
    }

    /// As records.
    pub fn records<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let format = |(field, width): &(Field<EventCell>, usize)| match field.kind {
            Kind::Count => (field.name, "i8".to_owned()),
            Kind::Number => (field.name, "f8".to_owned()),
            Kind::Word => (field.name, format!("U{width}")),
        };
        let fields: Vec<(&str, String)> = self.fields.iter().map(format).collect();
        py.import("kugelbahn._tables")?.call_method1("records", (PyArray1::from_vec(py, self.words), fields))
    }
}

/// A number of a state, by its name.
type Number = (&'static str, fn(&Moment) -> f64);

/// Numbers of a state after its time and its phase.
const STATE: [Number; 10] = [
    ("x", |moment| moment.position[0]),
    ("y", |moment| moment.position[1]),
    ("vx", |moment| moment.velocity[0]),
    ("vy", |moment| moment.velocity[1]),
    ("ax", |moment| moment.acceleration[0]),
    ("ay", |moment| moment.acceleration[1]),
    ("angle", |moment| moment.angle),
    ("spin", |moment| moment.spin),
    ("normal_force", |moment| moment.normal_force),
    ("friction_force", |moment| moment.friction_force),
];

/// Appends a state.
pub fn put_state(words: &mut Vec<u64>, moment: &Moment) {
    put(words, [moment.time]);
    put_name(words, moment.phase.name(), 10);
    put(words, STATE.map(|(_, of)| of(moment)));
}

/// States as records.
pub fn states<'py>(py: Python<'py>, words: Vec<u64>) -> PyResult<Bound<'py, PyAny>> {
    let numbers = STATE.iter().map(|(name, _)| (*name, "f8"));
    let fields: Vec<(&str, &str)> = [("time", "f8"), ("phase", "U10")].into_iter().chain(numbers).collect();
    py.import("kugelbahn._frames")?.call_method1("states", (PyArray1::from_vec(py, words), fields))
}
