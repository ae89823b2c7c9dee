//! Rows of numbers and names as NumPy records, of 8-byte words so that one buffer holds them all.

use kugelbahn::output::{event_numbers, seen_numbers};
use kugelbahn::prelude::{Event, Moment};
use kugelbahn::scenario::stepping::BallEvent;
use kugelbahn::supervisor::Scene;
use numpy::PyArray1;
use pyo3::prelude::*;

/// Characters of a name, four bytes each.
const KIND: usize = 14;
const PHASE: usize = 10;

/// Appends a name of `N` characters as UTF-32, two of them to a word.
fn put_name<const N: usize>(words: &mut Vec<u64>, name: &str) {
    let mut characters = name.bytes().map(u64::from).chain(std::iter::repeat(0));
    for _ in 0..N / 2 {
        let [low, high] = std::array::from_fn(|_| characters.next().unwrap_or(0));
        words.push(low | high << 32);
    }
}

/// Appends an event: the row of `events.csv`.
pub fn put_event(words: &mut Vec<u64>, scene: &Scene, index: u64, event: &Event) {
    words.extend([index, event.time().to_bits()]);
    put_name::<KIND>(words, event.kind.name());
    put_name::<PHASE>(words, event.phase_before.name());
    put_name::<PHASE>(words, event.phase_after.name());
    words.extend(event_numbers(scene, &BallEvent::alone(scene, event)).map(f64::to_bits));
    words.extend(seen_numbers(scene, event).map(f64::to_bits));
}

/// Appends a state.
pub fn put_state(words: &mut Vec<u64>, moment: &Moment) {
    let Moment { time, phase, position: q, velocity: v, acceleration: a, angle, spin, normal_force, friction_force } =
        moment;
    words.push(time.to_bits());
    put_name::<PHASE>(words, phase.name());
    let numbers = [q[0], q[1], v[0], v[1], a[0], a[1], *angle, *spin, *normal_force, *friction_force];
    words.extend(numbers.map(|number| (number + 0.0).to_bits()));
}

/// Words of a state.
pub const STATE: usize = 11 + PHASE / 2;

/// Words as records of a type of `kugelbahn/_tables.py`.
pub fn records<'py>(py: Python<'py>, words: Vec<u64>, kind: &str) -> PyResult<Bound<'py, PyAny>> {
    let types = py.import("kugelbahn._tables")?;
    types.call_method1("records", (PyArray1::from_vec(py, words), kind))
}
