//! Exceptions: `InputError` and `Stopped` of `kugelbahn/_errors.py`.

use kugelbahn::input::{InputError, Position};
use kugelbahn::{Error, NotEventDriven};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

static INPUT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static STOPPED: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// An `InputError` with its key and its cure.
pub fn wrong(py: Python, message: &str, key: Option<&str>, help: Option<&str>) -> PyErr {
    let made = INPUT.import(py, "kugelbahn._errors", "InputError").and_then(|kind| kind.call1((message, key, help)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// A `Stopped` with the run so far.
pub fn stopped(py: Python, message: &str, run: Py<PyAny>) -> PyErr {
    let made = STOPPED.import(py, "kugelbahn._errors", "Stopped").and_then(|kind| kind.call1((message, run)));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// What the library refuses; `argument` is what it was given for.
pub fn refused(py: Python, error: &Error, argument: Option<&str>) -> PyErr {
    match error {
        Error::Input(error) => input(py, error, argument),
        Error::Parameter(error) => {
            let key = argument.unwrap_or(error.name);
            wrong(py, &format!("{key} = {:?} is not allowed: it must be {}", error.value, error.rule), Some(key), None)
        }
        Error::NotEventDriven(NotEventDriven::NoStart) => {
            let help = "give position=(x, y) and velocity=(vx, vy), or x= and speed= to start on the ground";
            wrong(py, "nothing says where the ball starts", argument.or(Some("position")), Some(help))
        }
        Error::NotEventDriven(NotEventDriven::TimeStepping) => {
            let help = "choose an event-driven method, such as solver.method = \"newmark\", and one ball";
            wrong(py, "the scenario is for time stepping", argument.or(Some("solver.method")), Some(help))
        }
        Error::ToleranceAndStep => wrong(py, &error.to_string(), argument, Some("take one of the two away")),
        other => wrong(py, &other.to_string(), argument, None),
    }
}

/// Arguments that are texts of a line.
const LINES: [&str; 11] =
    ["free", "methods", "maximise", "minimise", "observe", "sample", "steps", "targets", "tolerances", "until", "vary"];

/// What is wrong with a text: `name:line:column: message: rule`; of an argument `name: message: rule`. Options of the command line are
/// arguments here.
pub fn input(py: Python, error: &InputError, argument: Option<&str>) -> PyErr {
    let mut message = error.to_string();
    if !error.label_text().is_empty() {
        message = format!("{message}: {}", error.label_text());
    }
    let mut key = argument.map(str::to_owned);
    if let Some(span) = error.span() {
        let Position { row, column, from } = span.position();
        let name = span.source.name().trim_start_matches('-');
        if LINES.contains(&name) {
            key.get_or_insert_with(|| name.to_owned());
            message = format!("{name}: {message}");
        } else {
            message = format!("{name}:{row}:{column}: {message}");
        }
        if let Some((name, _)) = span.source.text()[from..].lines().next().and_then(|line| line.split_once('=')) {
            key.get_or_insert_with(|| name.trim().to_owned());
        }
    }
    let plain = |text: &str| text.replace("--target", "targets=").replace("--", "");
    wrong(py, &plain(&message), key.as_deref(), error.help_text().map(plain).as_deref())
}
