//! What stands between a run and Python while it goes: signals, callables and their exceptions.

use std::cell::RefCell;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kugelbahn::prelude::{
    Body, CollisionLaw, Event, FlightScheme, Forces, ImpactContact, Impulses, Methods, Observer, SchemeError, State,
    Stretch, Vector2,
};
use kugelbahn::supervisor::Crossing;
use kugelbahn::{Entry, Scenario};
use pyo3::exceptions::PyRuntimeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyTuple, PyWeakrefMethods, PyWeakrefReference};

use crate::arguments::{array, pair, unfit};
use crate::arrays::Rows;

/// How often Python is asked for signals: Ctrl-C is to stop a run within 0.1 s.
const SIGNALS: Duration = Duration::from_millis(20);

thread_local! {
    /// What a callable force, scheme or law raised in a run of this thread.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Takes what a callable raised.
pub fn raised() -> Option<PyErr> {
    RAISED.with_borrow_mut(Option::take)
}

/// A callable force, scheme or law. Runs refer to it weakly, so that the garbage collector sees all that holds it.
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

/// A callable as runs refer to it.
#[derive(Clone)]
struct Callable(Arc<Py<PyWeakrefReference>>);

impl Callable {
    fn of(held: &Bound<Held>) -> PyResult<Self> {
        Ok(Callable(Arc::new(PyWeakrefReference::new(held)?.unbind())))
    }

    /// Answer of the callable; after an exception `None`, until the run has ended.
    fn ask<T>(&self, work: impl FnOnce(&Bound<PyAny>) -> PyResult<T>) -> Option<T> {
        if RAISED.with_borrow(Option::is_some) {
            return None;
        }
        let answer = Python::attach(|py| match self.0.bind(py).upgrade_as::<Held>()? {
            Some(held) => work(held.get().0.bind(py)),
            None => Err(PyRuntimeError::new_err("the simulation that holds this callable is gone")),
        });
        answer.map_err(|error| RAISED.set(Some(error))).ok()
    }
}

/// The force of a callable `force(t, x, y, vx, vy)`, N; after an exception no force, until the run has ended.
pub fn force_of(held: &Bound<Held>) -> PyResult<impl Fn(f64, &Body<f64>) -> [f64; 2] + Send + Sync + 'static> {
    let callable = Callable::of(held)?;
    Ok(move |time: f64, body: &Body<f64>| {
        let ([x, y], [vx, vy]) = (body.position, body.velocity);
        let force = callable.ask(|call| pair("what force returned", &call.call1((time, x, y, vx, vy))?));
        force.unwrap_or_default()
    })
}

/// Name of methods that are callables.
pub const PYTHON: &str = "python";

/// Methods of a run with a flight scheme, and its order, and a law of impact that are callables.
pub fn methods_of(scheme: Option<(u32, &Bound<Held>)>, impact: Option<&Bound<Held>>) -> PyResult<Methods> {
    let mut methods = Methods::builtin();
    if let Some((order, held)) = scheme {
        let scheme = CalledScheme { callable: Callable::of(held)?, order };
        methods = methods.with_flight(PYTHON, move |control| scheme.clone().stepped(control));
    }
    if let Some(held) = impact {
        let callable = Callable::of(held)?;
        methods = methods.with_impact(PYTHON, move |_| Ok(CalledImpact(callable.clone())));
    }
    Ok(methods)
}

/// A flight scheme of a callable `step(t, x, y, vx, vy, h, acceleration)` that returns (x, y, vx, vy).
#[derive(Clone)]
struct CalledScheme {
    callable: Callable,
    order: u32,
}

impl FlightScheme for CalledScheme {
    fn order(&self) -> u32 {
        self.order
    }

    fn step(&mut self, forces: &Forces, start: &State, h: f64) -> Result<State, SchemeError> {
        let State { time, position: q, velocity: v, spin, .. } = *start;
        let made = self.callable.ask(|call| {
            let forces = forces.clone();
            let acceleration = move |given: &Bound<PyTuple>, _: Option<&Bound<PyDict>>| {
                let (t, x, y, vx, vy): (f64, f64, f64, f64, f64) = given.extract()?;
                let force = forces.force(t, Vector2::new(x, y), Vector2::new(vx, vy), spin) / forces.mass();
                Ok::<_, PyErr>((force.x, force.y))
            };
            let acceleration = PyCFunction::new_closure(call.py(), None, None, acceleration)?;
            let answer = call.call1((time, q.x, q.y, v.x, v.y, h, acceleration))?;
            let (numbers, shape) = array("what the scheme returned", &answer, "(x, y, vx, vy)")?;
            match numbers.as_slice() {
                [x, y, vx, vy] if shape.len() == 1 => Ok([Vector2::new(*x, *y), Vector2::new(*vx, *vy)]),
                _ => Err(unfit("what the scheme returned", &answer, "(x, y, vx, vy)")),
            }
        });
        let raised = SchemeError { reason: "the callable raised an exception; at t, in s", value: time };
        made.map(|[position, velocity]| State { position, velocity, ..*start }).ok_or(raised)
    }
}

/// A law of impact of a callable `impact(un, ut, mobility, restitution, friction)` that returns (Pn, Pt); after an exception a plastic one.
struct CalledImpact(Callable);

impl fmt::Debug for CalledImpact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CalledImpact")
    }
}

impl CollisionLaw for CalledImpact {
    fn impulses(&self, contact: &ImpactContact) -> Impulses {
        let ImpactContact { normal, slip, mobility, restitution, sliding, .. } = *contact;
        let given = self
            .0
            .ask(|call| pair("what impact returned", &call.call1((normal, slip, mobility, restitution, sliding))?));
        let [normal, tangential] = given.unwrap_or([-normal / mobility[0][0], 0.0]);
        Impulses { normal, tangential }
    }
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
