//! `Run`

use std::sync::Arc;
use std::time::Instant;

use kugelbahn::Entry;
use kugelbahn::numbers::Interval;
use kugelbahn::prelude::{self as door, Ended};
use kugelbahn::prove::Proven;
use kugelbahn::supervisor::Capture;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::IntoPyObjectExt;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::arguments::{Arguments, array, key, number};
use crate::arrays::{Rows, put_state, states};
use crate::errors::{refused, stopped, wrong};
use crate::simulation::Simulation;
use crate::unlocked::{interruptible, unlocked};
use crate::watched::Listener;

/// States told before Python is asked for signals: some 10 ms.
const TIMES: usize = 1 << 16;
/// A part of a run: to when it was asked to go (s), and after how many calls an observer ended it.
pub type Part = (f64, Option<u64>);

/// A run that is over: its events, its path at every time, and what its balance came to. Made by `Simulation.run`.
///
/// >>> import kugelbahn as kb
/// >>> drop = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1), restitution=0.5)
/// >>> run = drop.run(1.0)
/// >>> run.events["kind"].tolist()
/// ['impact', 'impact']
#[pyclass(frozen, module = "kugelbahn")]
pub struct Run {
    inner: Arc<door::Run>,
    simulation: Py<Simulation>,
    parts: Vec<Part>,
    events: PyOnceLock<Py<PyAny>>,
}

/// How a run is to be made.
pub struct Making {
    /// Of the simulation.
    pub simulation: Py<Simulation>,
    /// The run to go on with.
    pub before: Option<(Arc<door::Run>, Vec<Part>)>,
    /// To when, s.
    pub to: f64,
    /// Hears of events.
    pub observer: Option<Py<PyAny>>,
    /// Of a run made again.
    pub cut: Option<u64>,
}

impl Making {
    /// Makes the run, without the GIL; one that could not go on is raised with what there is.
    pub fn make(self, py: Python) -> PyResult<Py<Run>> {
        let Making { simulation, before, to, observer, cut } = self;
        let (inner, until) = {
            let simulation = simulation.get();
            (simulation.state.inner.clone(), simulation.state.until.as_ref().map(|until| until.clone_ref(py)))
        };
        let (made, calls, error) = unlocked(py, || {
            let index = before.as_ref().map_or(0, |(run, _)| run.log().count() as u64);
            let mut listener = Listener {
                scenario: inner.scenario(),
                until: until.as_ref(),
                observer: observer.as_ref(),
                cut,
                index,
                calls: 0,
                asked: Instant::now(),
                error: None,
            };
            let made = match &before {
                None => inner.run_observed(to, &mut listener),
                Some((run, _)) => run.resume_observed(to, &mut listener),
            };
            (made, listener.calls, listener.error)
        })?;
        if let Some(error) = error {
            return Err(error);
        }
        let made = made.or_else(kugelbahn::Error::into_run).map_err(|error| {
            refused(
                py,
                &error,
                before
                    .is_some()
                    .then_some("until")
                    .or(Some("duration"))
                    .filter(|_| matches!(error, kugelbahn::Error::Duration { .. } | kugelbahn::Error::Past { .. })),
            )
        })?;
        let how = made.ended();
        let ended = matches!(how, Ended::Observer | Ended::Event);
        let mut parts = before.map_or_else(Vec::new, |(_, parts)| parts);
        parts.push((to, ended.then_some(calls)));
        let run = Py::new(py, Run { inner: Arc::new(made), simulation, parts, events: PyOnceLock::new() })?;
        match how {
            Ended::Stopped(stop) => Err(stopped(py, &stop.to_string(), run.into_any())),
            _ => Ok(run),
        }
    }
}

impl Run {
    fn phases_and_times(&self) -> Vec<(&'static str, f64, f64)> {
        self.inner.phases().iter().map(|span| (span.phase.name(), span.from, span.to)).collect()
    }
}

#[pymethods]
impl Run {
    /// Events as an array of records (numpy.recarray) with the columns of events.csv; SI units.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let made = self.events.get_or_try_init(py, || {
            let mut rows = Rows::new(self.inner.scenario());
            (0..).zip(self.inner.log()).for_each(|(index, entry)| rows.put(index, entry));
            let records = rows.records(py)?;
            let read_only = PyDict::new(py);
            read_only.set_item("write", false)?;
            records.call_method("setflags", (), Some(&read_only))?;
            Ok::<_, PyErr>(records.unbind())
        })?;
        Ok(made.bind(py).clone())
    }

    /// Events as a frame of polars or pandas, whichever is there.
    #[pyo3(signature = (*args, **named), text_signature = "($self, kind=None)")]
    fn events_frame<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given = Arguments::new("Run.events_frame", &["kind"], 1, args, named)?.without_keys()?;
        let events = slf.get().events(slf.py())?;
        slf.py().import("kugelbahn._tables")?.call_method1("frame", (events, given.text("kind")?))
    }

    /// The ball at a time or an array of times (s): records with time, phase, position, velocity, acceleration (m, s), angle and
    /// spin (rad, s), normal_force and friction_force (N). At the time of an event: after it.
    ///
    /// >>> import kugelbahn as kb
    /// >>> run = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1), velocity=(2, 0)).run(0.2)
    /// >>> run.at([0.0, 0.1]).position[:, 0].tolist()
    /// [0.0, 0.2]
    #[pyo3(signature = (*args, **named), text_signature = "($self, times)")]
    fn at<'py>(&self, args: &Bound<'py, PyTuple>, named: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyAny>> {
        let py = args.py();
        let given = Arguments::new("Run.at", &["times"], 1, args, named)?.without_keys()?;
        let times = given.need("times", "a time in s, or an array of them")?;
        let (times, shape) = array("times", times, "a finite number or an array of them, s")?;
        let mut words = Vec::new();
        for times in times.chunks(TIMES) {
            let told = unlocked(py, || self.inner.each_at(times, |moment| put_state(&mut words, moment)))?;
            told.map_err(|error| refused(py, &error, Some("times")))?;
            py.check_signals()?;
        }
        let made = states(py, words)?;
        if shape.is_empty() { made.get_item(0) } else { made.call_method1("reshape", (PyTuple::new(py, shape)?,)) }
    }

    /// The run gone on with to a later time (s): a new run whose first part is this one, bit for bit; the rest agrees with a run in one
    /// part to its tolerance.
    ///
    /// >>> import kugelbahn as kb
    /// >>> drop = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1), restitution=0.5, until="impact")
    /// >>> len(drop.run(1.0).resume(1.0).events)
    /// 2
    #[pyo3(signature = (*args, **named), text_signature = "($self, until, observer=None)")]
    fn resume(slf: &Bound<Self>, args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Py<Run>> {
        let py = slf.py();
        let given = Arguments::new("Run.resume", &["until", "observer", "_cut"], 1, args, named)?.without_keys()?;
        let to = given.need_number("until", "a time in s")?;
        let this = slf.get();
        Making {
            simulation: this.simulation.clone_ref(py),
            before: Some((this.inner.clone(), this.parts.clone())),
            to,
            observer: given.callable("observer", "a callable of an event")?,
            cut: given.count("_cut", u64::MAX)?,
        }
        .make(py)
    }

    /// Derivatives by numbers of the scenario, through all events.
    ///
    /// keys: of the scenario, such as "contact.restitution", or arguments such as "restitution" and "velocity.x"; times: s, ascending
    /// (default: the end). A dict of arrays: `states` (times, 6, keys) of x, y, vx, vy, spin, angle at fixed times; `event_times`
    /// (events, keys), s by each key; `events` (events, 6, keys), of the state just after each event; `grazing` (events), where they
    /// say little; `event_rows` (events), their rows in run.events. A pair of numbers such as "gravity" has two columns.
    ///
    /// >>> import kugelbahn as kb
    /// >>> run = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1), velocity=(2, 0)).run(0.3)
    /// >>> run.sensitivities(["velocity.x"])["states"][0, :, 0].round(12).tolist()
    /// [0.3, 0.0, 1.0, 0.0, 0.0, 0.0]
    #[pyo3(signature = (*args, **named), text_signature = "($self, keys, times=None)")]
    fn sensitivities<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = args.py();
        let given = Arguments::new("Run.sensitivities", &["keys", "times"], 2, args, named)?.without_keys()?;
        given.need("keys", "keys of the scenario, such as [\"contact.restitution\"]")?;
        let keys: Vec<String> = given.texts("keys")?.iter().map(|name| key(name)).collect();
        let times = match given.get("times") {
            Some(times) => array("times", times, "finite numbers that ascend, s")?.0,
            None => vec![self.inner.end()],
        };
        if let Some(pair) = times.windows(2).find(|pair| pair[0] > pair[1]) {
            let message = format!("times do not ascend: {:?} s follows {:?} s", pair[1], pair[0]);
            return Err(wrong(py, &message, Some("times"), Some("sort them")));
        }
        let (inner, names) = (self.inner.clone(), keys.clone());
        let found = interruptible(py, move |_| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            inner.sensitivities(&names, &times)
        })?;
        let found = found.map_err(|error| refused(py, &error, Some("keys")))?;
        let numpy = py.import("numpy")?;
        // Rows of six, a column for each key; a pair such as initial.velocity has two.
        let cube = |all: Vec<&Vec<[f64; 6]>>| -> PyResult<Bound<'py, PyAny>> {
            let keys = all.first().map_or(keys.len(), |by| by.len());
            let flat: Vec<f64> =
                all.iter().flat_map(|by| (0..6).flat_map(|i| by.iter().map(move |column| column[i]))).collect();
            let shape = (all.len(), 6, keys);
            numpy.call_method1("array", (flat,))?.call_method1("reshape", (shape,))
        };
        let answer = PyDict::new(py);
        answer.set_item("keys", &keys)?;
        answer.set_item(
            "times",
            numpy.call_method1("array", (found.samples.iter().map(|s| s.time).collect::<Vec<_>>(),))?,
        )?;
        answer.set_item("states", cube(found.samples.iter().map(|sample| &sample.by).collect())?)?;
        answer.set_item("events", cube(found.events.iter().map(|event| &event.after.by).collect())?)?;
        let event_times: Vec<Vec<f64>> = found.events.iter().map(|event| event.time_by.clone()).collect();
        let count = event_times.first().map_or(keys.len(), Vec::len);
        let flat = numpy.call_method1("array", (event_times.concat(),))?;
        answer.set_item("event_times", flat.call_method1("reshape", ((event_times.len(), count),))?)?;
        let grazing: Vec<bool> = found.events.iter().map(|event| event.grazing).collect();
        // The run is followed to a tolerance of its own, and an event that ends it is beyond its end.
        let rows =
            (0..).zip(self.inner.log()).filter(|(_, entry)| matches!(entry, Entry::Event(_))).map(|(row, _)| row);
        let rows: Vec<i64> = rows.chain(std::iter::repeat(-1)).take(found.events.len()).collect();
        answer.set_item("event_rows", numpy.call_method1("array", (rows, "i8"))?)?;
        answer.set_item("grazing", numpy.call_method1("array", (grazing, "bool"))?)?;
        Ok(answer)
    }

    /// When it began, s.
    #[getter]
    fn begin(&self) -> f64 {
        self.inner.begin()
    }

    /// When it ended, s.
    #[getter]
    fn end(&self) -> f64 {
        self.inner.end()
    }

    /// Bounces that were summed up, an array of records: when the first one left the ground (s), how long they lasted (s), with which
    /// speed (m/s) against which pull (m/s²), bounds of the errors of time (s) and velocity (m/s), impulses (N s), what was lost (J).
    #[getter]
    fn captures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let columns = PyDict::new(py);
        let of = |get: fn(&Capture) -> f64| PyArray1::from_iter(py, self.inner.captures().iter().map(get));
        columns.set_item("time", of(|capture| capture.start.time))?;
        columns.set_item("duration", of(|capture| capture.duration))?;
        columns.set_item("speed", of(|capture| capture.speed))?;
        columns.set_item("pull", of(|capture| capture.pull))?;
        columns.set_item("time_bound", of(|capture| capture.time_bound))?;
        columns.set_item("velocity_bound", of(|capture| capture.velocity_bound))?;
        columns.set_item("normal_impulse", of(|capture| capture.normal_impulse))?;
        columns.set_item("tangential_impulse", of(|capture| capture.tangential_impulse))?;
        columns.set_item("dissipated", of(|capture| capture.dissipated))?;
        py.import("kugelbahn._frames")?.call_method1("records", (columns,))
    }

    /// Everything that summary.json says of it, as a dict: counts of work and events, energies, the final state.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.inner.summary_json(),))
    }

    /// The largest errors of place, momentum, angular momentum and distance from the ground at events, and when: `balance` of the summary.
    #[getter]
    fn balance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.summary(py)?.get_item("balance")
    }

    /// For each event an interval that contains its true time and place, until that can't be proven: a dict of arrays `time` (events, 2),
    /// s, `x` and `y` (events, 2), m, and `open`, why the next event is not proven, or None.
    ///
    /// >>> import kugelbahn as kb
    /// >>> proof = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1)).run(1.0).prove()
    /// >>> low, high = proof["time"][0]
    /// >>> bool(low <= (2 / 9.81) ** 0.5 <= high)
    /// True
    fn prove<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let inner = self.inner.clone();
        let proof = interruptible(py, move |_| inner.prove())?;
        let answer = PyDict::new(py);
        let of = |get: fn(&Proven) -> Interval| {
            let flat = proof.proven.iter().map(get).flat_map(|of| [of.lo, of.hi]);
            PyArray1::from_iter(py, flat).reshape([proof.proven.len(), 2])
        };
        answer.set_item("time", of(|event| event.time)?)?;
        answer.set_item("x", of(|event| event.position[0])?)?;
        answer.set_item("y", of(|event| event.position[1])?)?;
        answer.set_item("open", proof.open.map(|open| open.to_string()))?;
        Ok(answer)
    }

    /// Why it ended before its time, or None: `until` or an observer are no such reason.
    #[getter]
    fn stop(&self) -> Option<String> {
        match self.inner.ended() {
            Ended::Stopped(stop) => Some(stop.to_string()),
            _ => None,
        }
    }

    /// What the ball did, from when to when: a list of (phase, from, to), s.
    #[getter]
    fn phases<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.phases_and_times())
    }

    /// Energy that the ledger can't explain, J.
    #[getter]
    fn unexplained(&self) -> f64 {
        self.inner.unexplained()
    }

    /// What was run.
    #[getter]
    fn simulation(&self, py: Python) -> Py<Simulation> {
        self.simulation.clone_ref(py)
    }

    /// The page with the moving ball, as `kugelbahn run --html` writes it: a text.
    fn html(&self, py: Python) -> PyResult<String> {
        let inner = self.inner.clone();
        interruptible(py, move |_| inner.html())
    }

    /// Path over the ground, height and speed over time, with matplotlib: the figure.
    #[pyo3(signature = (*args, **named), text_signature = "($self, points=1000)")]
    fn plot<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given = Arguments::new("Run.plot", &["points"], 1, args, named)?.without_keys()?;
        let points = given.count("points", 1_000_000)?.unwrap_or(1000).max(2);
        slf.py().import("kugelbahn._figures")?.call_method1("plot", (slf, points))
    }

    /// Lines of the ground between two abscissas (m), for drawing.
    fn ground_lines<'py>(
        &self,
        left: &Bound<'py, PyAny>,
        right: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyArray2<f64>>>> {
        let (py, left, right) = (left.py(), number("left", left)?, number("right", right)?);
        crate::pieces::lines(py, self.inner.scenario().scene.ground.ground(), [left, right])
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("kugelbahn._figures")?.call_method1("notebook", (slf,))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.simulation)
    }

    fn __repr__(&self) -> String {
        format!("<Run of {:?} s with {} events>", self.inner.end(), self.inner.events().len())
    }

    /// A run is made again where it is unpickled: the same bits, in the time of a run.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Py<PyAny>)> {
        let again = py.import("kugelbahn._pickle")?.getattr("run")?;
        Ok((again, (self.simulation.clone_ref(py), self.parts.clone()).into_py_any(py)?))
    }
}
