//! Rows of numbers and names as NumPy records, of 8-byte words so that one buffer holds them all.

use kugelbahn::output::{event_numbers, ground_name, seen_numbers};
use kugelbahn::prelude::Moment;
use kugelbahn::scenario::stepping::BallEvent;
use kugelbahn::{Entry, Scenario};
use numpy::PyArray1;
use pyo3::prelude::*;

/// Characters of a name, four bytes each.
const KIND: usize = 14;
const PHASE: usize = 10;

/// Appends a name as UTF-32 of a number of characters, two of them to a word.
fn put_name(words: &mut Vec<u64>, name: &str, width: usize) {
    let mut characters = name.chars().map(u64::from).chain(std::iter::repeat(0));
    for _ in 0..width / 2 {
        let [low, high] = std::array::from_fn(|_| characters.next().unwrap_or(0));
        words.push(low | high << 32);
    }
}

/// Rows of `events.csv`: of events, and of what was watched.
pub struct Rows<'a> {
    scenario: &'a Scenario,
    /// Characters of names of watches and of grounds; the second is 0 where grounds have no names.
    widths: [usize; 2],
    words: Vec<u64>,
}

impl<'a> Rows<'a> {
    pub fn new(scenario: &'a Scenario) -> Self {
        // Two characters make a word.
        let width = |longest: Option<usize>| longest.map_or(0, |longest| longest.next_multiple_of(2));
        let watches = scenario.watches.iter().map(|watch| watch.name.chars().count()).max();
        let grounds = scenario.curve.curves.iter().map(|curve| curve.name.chars().count()).max();
        Rows { scenario, widths: [width(watches).max(2), width(grounds)], words: Vec::new() }
    }

    pub fn put(&mut self, index: u64, entry: Entry) {
        let Rows { scenario: Scenario { scene, watches, curve, .. }, widths, words } = self;
        let (row, name) = match entry {
            Entry::Event(event) => (BallEvent::alone(scene, event), ""),
            Entry::Crossing(crossing) => {
                let name = watches.get(crossing.watch).map_or("", |watch| &watch.name);
                (BallEvent::crossing(scene, crossing), name)
            }
        };
        let event = &row.event;
        words.extend([index, event.time().to_bits()]);
        put_name(words, event.kind.name(), KIND);
        put_name(words, event.phase_before.name(), PHASE);
        put_name(words, event.phase_after.name(), PHASE);
        words.extend(event_numbers(scene, &row).map(f64::to_bits));
        put_name(words, name, widths[0]);
        words.extend(seen_numbers(scene, event).map(f64::to_bits));
        if let Some(ground) = ground_name(curve, scene, Some(event.place), &event.after) {
            put_name(words, ground, widths[1]);
        }
    }

    /// As records.
    pub fn records<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let [names, grounds] = self.widths;
        py.import("kugelbahn._tables")?.call_method1("events", (PyArray1::from_vec(py, self.words), names, grounds))
    }
}

/// Appends a state.
pub fn put_state(words: &mut Vec<u64>, moment: &Moment) {
    let Moment {
        time,
        phase,
        position: q,
        velocity: v,
        acceleration: a,
        angle,
        spin,
        normal_force,
        friction_force,
        ..
    } = moment;
    words.push(time.to_bits());
    put_name(words, phase.name(), PHASE);
    let numbers = [q[0], q[1], v[0], v[1], a[0], a[1], *angle, *spin, *normal_force, *friction_force];
    words.extend(numbers.map(|number| (number + 0.0).to_bits()));
}

/// Words of a state.
pub const STATE: usize = 11 + PHASE / 2;

/// States as records.
pub fn states<'py>(py: Python<'py>, words: Vec<u64>) -> PyResult<Bound<'py, PyAny>> {
    py.import("kugelbahn._tables")?.call_method1("states", (PyArray1::from_vec(py, words),))
}
