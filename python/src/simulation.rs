//! `Simulation`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kugelbahn::Scenario;
use kugelbahn::prelude as door;
use kugelbahn::scenario::keys::Key;
use kugelbahn::scenario::{Document, Methods};
use pyo3::IntoPyObjectExt;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::arguments::{Arguments, unfit};
use crate::changes::{Change, State};
use crate::errors::{input, refused, wrong};
use crate::pieces::{Ball, Ground};
use crate::run::{Making, Run};
use crate::watched::Until;

/// Arguments of `Simulation` and `replace` that are no keys of a scenario.
const OWN: [&str; 8] = ["ball", "ground", "force", "scheme", "impact", "watch", "until", "keys"];

#[doc = include_str!("signature.txt")]
/// A ball, its ground, and what acts on it. Everything is named; `replace` makes variants.
///
/// ball: a Ball; ground: a Ground; position, velocity and spin of a throw, or x and speed of a start on the ground:
///
#[doc = include_str!("arguments.txt")]
/// force: a callable force(t, x, y, vx, vy) that returns (Fx, Fy) in N, or two formulas
/// scheme: a flight method: a pair of a callable step(t, x, y, vx, vy, h, acceleration) that returns (x, y, vx, vy) h seconds later, with
///     acceleration(t, x, y, vx, vy) = (ax, ay), and of its order
/// impact: a law of impact: a name such as "stronge", or a callable impact(un, ut, mobility, e, mu) that returns (Pn, Pt) in N s
/// watch: what is located besides events, by name, such as {"gate": {"x": 3.0, "direction": "up"}}, with the keys of `[[watch]]`
/// until: the kind of event with which runs end, moments as in `solver.until` such as ["impact.10", "watch.gate", "t=5"], of which the
///     first ends them, or a callable of an event
/// keys: of a scenario file, such as {"solver.limit": 1000}, put at once with the other numbers
///
/// >>> import kugelbahn as kb
/// >>> sim = kb.Simulation(ball=kb.Ball.solid_sphere(mass=1.0, radius=0.05), ground=kb.Ground.graph("0.25*sin(pi*x)"),
/// ...                     restitution=0.7, friction=0.2, position=(-0.75, 1.2), velocity=(3.5, 0.0), tolerance=1e-9)
/// >>> sim.run(3.05).events["kind"][0]
/// np.str_('impact')
#[pyclass(frozen, module = "kugelbahn")]
pub struct Simulation {
    pub state: State,
    made: Made,
}

/// What a simulation begins with.
enum Base {
    /// The text of a scenario file, and the folder its paths are relative to.
    File(String, PathBuf),
    Parts(Py<Ball>, Py<Ground>),
}

/// Enough to make it again.
struct Made {
    base: Base,
    /// In the order of their calls: of two values of one thing the later one holds.
    changes: Vec<Change>,
}

fn copy(py: Python, change: &Change) -> Change {
    change.iter().map(|(name, value)| (name.clone(), value.clone_ref(py))).collect()
}

impl Base {
    fn parts(ball: &Bound<PyAny>, ground: &Bound<PyAny>) -> PyResult<Self> {
        let ball = ball.cast::<Ball>().map_err(|_| unfit("ball", ball, "a kugelbahn.Ball"))?;
        let ground = ground.cast::<Ground>().map_err(|_| unfit("ground", ground, "a kugelbahn.Ground"))?;
        Ok(Base::Parts(ball.clone().unbind(), ground.clone().unbind()))
    }

    fn clone_ref(&self, py: Python) -> Self {
        match self {
            Base::File(text, base) => Base::File(text.clone(), base.clone()),
            Base::Parts(ball, ground) => Base::Parts(ball.clone_ref(py), ground.clone_ref(py)),
        }
    }
}

impl Made {
    /// With one more change; the last one so far is left out if all that it says is said again.
    fn with(&self, py: Python, change: Change) -> Self {
        let mut changes: Vec<Change> = self.changes.iter().map(|change| copy(py, change)).collect();
        let again = |(name, _): &(String, Py<PyAny>)| change.iter().any(|(known, _)| known == name);
        if changes.last().is_some_and(|last| last.iter().all(again)) {
            changes.pop();
        }
        changes.push(change);
        Made { base: self.base.clone_ref(py), changes }
    }
}

impl Simulation {
    fn build(py: Python, base: Base, changes: &[Change]) -> PyResult<Self> {
        let inner = match &base {
            Base::File(text, base) => {
                let document = Document::from_text(text, base, &[], &Arc::new(Methods::builtin()));
                let scenario = document.and_then(|document| Scenario::of(&document));
                scenario.map_err(|error| input(py, &error, None))?.into()
            }
            Base::Parts(ball, ground) => door::Simulation::new(ball.get().0, ground.get().inner.clone()),
        };
        let lasts = matches!(base, Base::File(..));
        let mut state = State { inner, until: None, force: None, scheme: None, impact: None, lasts };
        for change in changes {
            state = state.with(py, change)?;
        }
        let changes = changes.iter().map(|change| copy(py, change)).collect();
        Ok(Simulation { state, made: Made { base, changes } })
    }

    /// What a call gives; None where it takes something away.
    fn read(call: &'static str, args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Change> {
        let names: Vec<_> = OWN.into_iter().chain(Key::arguments().map(|key| key.argument)).collect();
        let given = Arguments::new(call, &names, 0, args, named)?;
        let mut change = Change::new();
        for (name, value) in named.into_iter().flatten() {
            let name = name.extract::<String>()?;
            if name != "keys" {
                change.push((name, value.unbind()));
            }
        }
        let Some(keys) = given.get("keys") else { return Ok(change) };
        let unfit = || unfit("keys", keys, "a dict from keys of a scenario, such as \"solver.limit\", to values");
        for (key, value) in keys.cast::<PyDict>().map_err(|_| unfit())? {
            let key = key.extract::<String>().ok().filter(|key| key.contains('.')).ok_or_else(unfit)?;
            if change.iter().any(|(known, _)| *known == key) {
                return Err(wrong(args.py(), &format!("{call} got `{key}` twice"), Some(&key), Some("give it once")));
            }
            change.push((key, value.unbind()));
        }
        Ok(change)
    }
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (*args, **named), text_signature = None)]
    fn new(args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        let py = args.py();
        let mut change = Simulation::read("Simulation", args, named)?;
        // None stands for what is not given.
        change.retain(|(_, value)| !value.is_none(py));
        let mut part = |name: &'static str, help: &str| {
            let missing = || wrong(py, &format!("Simulation needs `{name}`"), Some(name), Some(help));
            let place = change.iter().position(|(known, _)| known == name).ok_or_else(missing)?;
            Ok::<_, PyErr>(change.remove(place).1.into_bound(py))
        };
        let ball = part("ball", "give ball=kb.Ball.solid_sphere(mass, radius), or another Ball")?;
        let ground = part("ground", "give ground=kb.Ground.graph(formula), or another Ground")?;
        Simulation::build(py, Base::parts(&ball, &ground)?, &[change])
    }

    /// As a scenario file says: its path, or its text.
    ///
    /// >>> import kugelbahn as kb
    /// >>> text = '''
    /// ... ball = { mass = 1, radius = 0.1 }
    /// ... initial = { position = [0, 1] }
    /// ... ground = { curve = { kind = "graph", y = "0" } }
    /// ... solver = { duration = 2 }
    /// ... '''
    /// >>> kb.Simulation.from_toml(text).run().end
    /// 2.0
    #[staticmethod]
    #[pyo3(signature = (*args, **named), text_signature = "(text_or_path, base=None)")]
    fn from_toml(args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        let py = args.py();
        let given = Arguments::new("Simulation.from_toml", &["text_or_path", "base"], 2, args, named)?;
        let given = given.without_keys()?;
        let source = given.need("text_or_path", "the text of a scenario file, or its path")?;
        let base = given.get("base").map(|base| base.extract::<PathBuf>().map_err(|_| unfit("base", base, "a path")));
        let base = base.transpose()?;
        let text = source.cast::<PyString>().ok().map(|text| text.to_string());
        let is_text = |text: &str| {
            text.contains('\n') || text.trim().is_empty() || text.contains('=') && !Path::new(text).is_file()
        };
        let (text, base) = match text.filter(|text| is_text(text)) {
            Some(text) => (text, base.unwrap_or_else(|| PathBuf::from("."))),
            None => {
                let path: PathBuf = source.extract().map_err(|_| unfit("text_or_path", source, "a text or a path"))?;
                // Read by the library: its messages name the file.
                Scenario::load(&path, &[]).map_err(|error| input(py, &error, None))?;
                let text = std::fs::read_to_string(&path).map_err(|error| {
                    wrong(
                        py,
                        &format!("{}: {error}", path.display()),
                        Some("text_or_path"),
                        Some("give a file that can be read"),
                    )
                })?;
                (text, path.parent().unwrap_or(Path::new("")).to_owned())
            }
        };
        let base =
            std::path::absolute(if base.as_os_str().is_empty() { Path::new(".") } else { &base }).unwrap_or(base);
        Simulation::build(py, Base::File(text, base), &[])
    }

    /// The text of a scenario file that makes the same runs. A callable force has no text.
    fn to_toml(&self, py: Python) -> PyResult<String> {
        self.state.written(py)?.to_toml().map_err(|error| refused(py, &error, None))
    }

    /// The same with other arguments, or other values of a scenario's keys: replace(restitution=0.8),
    /// replace(keys={"ground.parameters.amplitude": 0.3}). Of two values of one thing the later one holds; None takes away a force,
    /// `until` or watches.
    ///
    /// >>> import kugelbahn as kb
    /// >>> sim = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1))
    /// >>> sim.replace(restitution=0.5).run(1.0).events["normal_velocity_after"][0] > 0
    /// np.True_
    #[pyo3(signature = (*args, **named), text_signature = "($self, **changes)")]
    fn replace(&self, args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        let py = args.py();
        let mut change = Simulation::read("Simulation.replace", args, named)?;
        let taken = |name: &str| matches!(name, "force" | "until" | "watch");
        if let Some((name, _)) = change.iter().find(|(name, value)| value.is_none(py) && !taken(name)) {
            let help = "give a value; None takes away force, until and watch alone";
            return Err(wrong(py, &format!("{name} = None is not allowed"), Some(name), Some(help)));
        }
        let mut part = |name: &str| {
            let place = change.iter().position(|(known, _)| known == name)?;
            Some(change.remove(place).1.into_bound(py))
        };
        let (ball, ground) = (part("ball"), part("ground"));
        if ball.is_none() && ground.is_none() {
            let state = self.state.clone_ref(py).with(py, &change)?;
            return Ok(Simulation { state, made: self.made.with(py, change) });
        }
        let Base::Parts(old_ball, old_ground) = &self.made.base else {
            let help =
                "change its keys, such as ball.mass or ground.parameters.amplitude: replace(keys={\"ball.mass\": 2.0})";
            return Err(wrong(py, "ball and ground of a scenario file are its own", Some("ball"), Some(help)));
        };
        let ball = ball.unwrap_or_else(|| old_ball.bind(py).clone().into_any());
        let ground = ground.unwrap_or_else(|| old_ground.bind(py).clone().into_any());
        Simulation::build(py, Base::parts(&ball, &ground)?, &self.made.with(py, change).changes)
    }

    /// Runs for a duration (s; that of the scenario file where it is not given). `observer` is called with each event.
    ///
    /// Other Python threads go on meanwhile; Ctrl-C stops it. A run that could not go on is raised as kb.Stopped.
    #[pyo3(signature = (*args, **named), text_signature = "($self, duration=None, observer=None)")]
    fn run(slf: &Bound<Self>, args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Py<Run>> {
        let py = slf.py();
        let given =
            Arguments::new("Simulation.run", &["duration", "observer", "_cut"], 1, args, named)?.without_keys()?;
        let to = match given.number("duration")? {
            Some(duration) => duration,
            None if slf.get().state.lasts => slf.get().state.inner.scenario().solver.duration,
            None => {
                return Err(wrong(
                    py,
                    "Simulation.run needs `duration`",
                    Some("duration"),
                    Some("give how long it lasts, in s"),
                ));
            }
        };
        let observer = given.callable("observer", "a callable of an event")?;
        let cut = given.count("_cut", u64::MAX)?;
        Making { simulation: slf.clone().unbind(), before: None, to, observer, cut }.make(py)
    }

    fn __repr__(&self) -> String {
        let scenario = self.state.inner.scenario();
        let ball = &scenario.scene.ball;
        format!(
            "<Simulation of a ball of {:?} kg and {:?} m on \"{}\">",
            ball.mass(),
            ball.radius(),
            scenario.curve.title
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Py<PyAny>)> {
        let again = py.import("kugelbahn._pickle")?.getattr("simulation")?;
        let base = match &self.made.base {
            Base::File(text, base) => (text, base).into_py_any(py)?,
            Base::Parts(ball, ground) => (ball.clone_ref(py), ground.clone_ref(py)).into_py_any(py)?,
        };
        let changes = self.made.changes.iter().map(|change| copy(py, change)).collect::<Vec<_>>();
        Ok((again, (matches!(self.made.base, Base::File(..)), base, changes).into_py_any(py)?))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Base::Parts(ball, ground) = &self.made.base {
            visit.call(ball)?;
            visit.call(ground)?;
        }
        for (_, value) in self.made.changes.iter().flatten() {
            visit.call(value)?;
        }
        if let Some(Until::Call(call)) = &self.state.until {
            visit.call(call)?;
        }
        if let Some((_, scheme)) = &self.state.scheme {
            visit.call(scheme)?;
        }
        visit.call(&self.state.impact)?;
        visit.call(&self.state.force)
    }
}
