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

/// Words seen as records: nothing is copied. Each field has a name and a format of NumPy.
fn records<'py>(py: Python<'py>, words: Vec<u64>, fields: Vec<(&str, String)>) -> PyResult<Bound<'py, PyAny>> {
    py.import("kugelbahn._tables")?.call_method1("records", (PyArray1::from_vec(py, words), fields))
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
        records(py, self.words, self.fields.iter().map(format).collect())
    }
}

/// A field of a state: its name, its format in NumPy, and what puts its words.
struct OfState(&'static str, &'static str, fn(&mut Vec<u64>, &Moment));

const STATE: &[OfState] = &[
    OfState("time", "f8", |words, moment| put(words, [moment.time])),
    OfState("phase", "U10", |words, moment| put_name(words, moment.phase.name(), 10)),
    OfState("position", "2f8", |words, moment| put(words, moment.position.into())),
    OfState("velocity", "2f8", |words, moment| put(words, moment.velocity.into())),
    OfState("acceleration", "2f8", |words, moment| put(words, moment.acceleration.into())),
    OfState("angle", "f8", |words, moment| put(words, [moment.angle])),
    OfState("spin", "f8", |words, moment| put(words, [moment.spin])),
    OfState("normal_force", "f8", |words, moment| put(words, [moment.normal_force])),
    OfState("friction_force", "f8", |words, moment| put(words, [moment.friction_force])),
];

/// Appends a state.
pub fn put_state(words: &mut Vec<u64>, moment: &Moment) {
    STATE.iter().for_each(|OfState(_, _, put)| put(words, moment));
}

/// States as records.
pub fn states<'py>(py: Python<'py>, words: Vec<u64>) -> PyResult<Bound<'py, PyAny>> {
    records(py, words, STATE.iter().map(|OfState(name, format, _)| (*name, (*format).to_owned())).collect())
}
