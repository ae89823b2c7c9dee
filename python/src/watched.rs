//! What stands between a run and Python while it goes: signals, callables and their exceptions.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use kugelbahn::prelude::{Body, Event, Observer, Stretch};
use kugelbahn::supervisor::Crossing;
use kugelbahn::{Entry, Scenario};
use pyo3::exceptions::PyRuntimeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};

use crate::arguments::pair;
use crate::arrays::Rows;

/// How often Python is asked for signals: Ctrl-C is to stop a run within 0.1 s.
const SIGNALS: Duration = Duration::from_millis(20);

thread_local! {
    /// What a callable force raised in a run of this thread.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Takes what a callable raised.
pub fn raised() -> Option<PyErr> {
    RAISED.with_borrow_mut(Option::take)
}

/// A callable force. Runs refer to it weakly, so that the garbage collector sees all that holds it.
#[pyclass(frozen, weakref)]
pub struct Held(Py<PyAny>);

impl Held {
    pub fn of<'py>(callable: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        Bound::new(callable.py(), Held(callable.clone().unbind()))
    }
}

#[pymethods]
impl Held {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0)
    }
}

/// The force of a callable `force(t, x, y, vx, vy)`, N; after an exception no force, until the run has ended.
pub fn force_of(held: &Bound<Held>) -> PyResult<impl Fn(f64, &Body<f64>) -> [f64; 2] + Send + Sync + 'static> {
    let held = PyWeakrefReference::new(held)?.unbind();
    Ok(move |time: f64, body: &Body<f64>| {
        if RAISED.with_borrow(Option::is_some) {
            return [0.0; 2];
        }
        let ([x, y], [vx, vy]) = (body.position, body.velocity);
        let force = Python::attach(|py| {
            let Some(held) = held.bind(py).upgrade_as::<Held>()? else {
                return Err(PyRuntimeError::new_err("the simulation that holds this force is gone"));
            };
            let answer = held.get().0.bind(py).call1((time, x, y, vx, vy))?;
            pair("what force returned", &answer)
        });
        force.unwrap_or_else(|error| {
            RAISED.set(Some(error));
            [0.0; 2]
        })
    })
}

/// The event with which a run ends.
pub enum Until {
    /// The first of a kind.
    Kind(String),
    /// The first of which a callable is true.
    Call(Py<PyAny>),
}

impl Until {
    pub fn clone_ref(&self, py: Python) -> Self {
        match self {
            Until::Kind(kind) => Until::Kind(kind.clone()),
            Until::Call(call) => Until::Call(call.clone_ref(py)),
        }
    }
}

/// Hears a run on behalf of Python.
pub struct Listener<'a> {
    pub scenario: &'a Scenario,
    pub until: Option<&'a Until>,
    pub observer: Option<&'a Py<PyAny>>,
    /// Ends the run after so many calls: one that ended so before.
    pub cut: Option<u64>,
    /// Rows before the next one.
    pub index: u64,
    pub calls: u64,
    pub asked: Instant,
    /// What was raised on the way.
    pub error: Option<PyErr>,
}

impl Listener<'_> {
    fn go_on(&mut self) -> ControlFlow<()> {
        if self.error.is_none() {
            self.error = raised();
        }
        if self.error.is_none() && self.asked.elapsed() > SIGNALS {
            self.error = Python::attach(|py| py.check_signals()).err();
            self.asked = Instant::now();
        }
        if self.error.is_some() || self.cut.is_some_and(|cut| self.calls >= cut) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Tells a row to a callable.
    fn tell(&self, callable: &Py<PyAny>, entry: Entry) -> PyResult<bool> {
        Python::attach(|py| {
            let mut rows = Rows::new(self.scenario);
            rows.put(self.index, entry);
            callable.bind(py).call1((rows.records(py)?.get_item(0)?,))?.is_truthy()
        })
    }

    fn ends(&mut self, event: &Event) -> PyResult<bool> {
        if let Some(observer) = self.observer {
            self.tell(observer, Entry::Event(event))?;
        }
        match self.until {
            // A run made again is cut where it was.
            _ if self.cut.is_some() => Ok(false),
            None => Ok(false),
            Some(Until::Kind(kind)) => Ok(event.kind.name() == kind),
            Some(Until::Call(call)) => self.tell(call, Entry::Event(event)),
        }
    }
}

impl Observer for Listener<'_> {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.calls += 1;
        let ends = if self.error.is_none() { self.ends(event) } else { Ok(true) };
        self.index += 1;
        match ends {
            Ok(false) => self.go_on(),
            Ok(true) => ControlFlow::Break(()),
            Err(error) => {
                self.error = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn crossing(&mut self, crossing: &Crossing) {
        if let (Some(observer), None) = (self.observer, &self.error) {
            self.error = self.tell(observer, Entry::Crossing(crossing)).err();
        }
        self.index += 1;
    }

    fn stretch(&mut self, _: &Stretch) -> ControlFlow<()> {
        self.calls += 1;
        self.go_on()
    }

    fn progress(&mut self, _: f64) -> ControlFlow<()> {
        self.go_on()
    }
}
