//! `Simulation`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kugelbahn::prelude as door;
use kugelbahn::scenario::{Document, Initial, Methods};
use kugelbahn::supervisor::EventKind;
use kugelbahn::{Error, Scenario, Value};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString, PyTuple};

use crate::arguments::{Arguments, array, number, pair, text, unfit};
use crate::errors::{input, refused, wrong};
use crate::pieces::{Ball, Ground};
use crate::run::{Making, Run};
use crate::watched::{Until, force_of, raised};

/// Arguments of `Simulation` and `replace`.
const NAMES: [&str; 23] = [
    "ball",
    "ground",
    "position",
    "velocity",
    "spin",
    "x",
    "speed",
    "restitution",
    "tangential_restitution",
    "friction",
    "rolling_damping",
    "gravity",
    "drag",
    "linear_drag",
    "wind",
    "magnus",
    "force",
    "tolerance",
    "step",
    "capture_speed",
    "method",
    "formulation",
    "watch",
];

/// Arguments that look at what others have made: put in after the start.
const AFTER: [&str; 2] = ["force", "until"];

const START: [&str; 5] = ["position", "velocity", "spin", "x", "speed"];

const KINDS: [EventKind; 9] = [
    EventKind::Impact,
    EventKind::Landing,
    EventKind::LiftOff,
    EventKind::Slip,
    EventKind::Stick,
    EventKind::Rest,
    EventKind::EndOfGround,
    EventKind::Touch,
    EventKind::Release,
];

/// A ball, its ground, and what acts on it. Everything is named; `replace` makes variants.
///
/// ball, ground; position (m), velocity (m/s) and spin (rad/s) of a throw, or x (m) and speed (m/s) on the ground; restitution,
/// tangential_restitution, friction (a number or "infinite"), rolling_damping (N s/m); gravity (m/s²), drag (kg/m), linear_drag
/// (N s/m), wind (m/s), magnus (kg); force: a callable force(t, x, y, vx, vy) that returns (Fx, Fy) in N, or two formulas; tolerance
/// or step (s), capture_speed (m/s), method, formulation; watch: what is located besides events, by name, such as
/// {"gate": {"x": 3.0, "direction": "up"}}, with the keys of `[[watch]]` in a scenario file; until: the kind of event with which runs end, moments as in
/// `solver.until` such as ["impact.10", "watch.gate", "t=5"], of which the first ends them, or a callable of an event.
///
/// >>> import kugelbahn as kb
/// >>> sim = kb.Simulation(ball=kb.Ball.solid_sphere(mass=1.0, radius=0.05), ground=kb.Ground.graph("0.25*sin(pi*x)"),
/// ...                     restitution=0.7, friction=0.2, position=(-0.75, 1.2), velocity=(3.5, 0.0), tolerance=1e-9)
/// >>> sim.run(3.05).events["kind"][0]
/// np.str_('impact')
#[pyclass(frozen, module = "kugelbahn")]
pub struct Simulation {
    pub inner: door::Simulation,
    pub until: Option<Until>,
    made: Made,
}

/// Enough to make it again.
struct Made {
    /// Of a scenario file: its text, the folder its paths are relative to.
    file: Option<(String, PathBuf)>,
    /// Arguments and keys, the later one last.
    given: Vec<(String, Py<PyAny>)>,
    /// Whether it says how long runs are.
    lasts: bool,
}

impl Simulation {
    /// Of a file, or of ball and ground, and of what is given besides.
    fn build(py: Python, made: Made) -> PyResult<Self> {
        let find = |name: &str| made.given.iter().find(|(known, _)| known == name).map(|(_, value)| value.bind(py));
        let inner = match &made.file {
            Some((text, base)) => {
                let settings = made.given.iter().filter(|(name, _)| name.contains('.'));
                let settings = settings.map(|(key, value)| Ok(format!("{key}={}", toml(key, value.bind(py))?)));
                let settings = settings.collect::<PyResult<Vec<String>>>()?;
                let document = Document::from_text(text, base, &settings, &Arc::new(Methods::builtin()));
                let scenario = document.and_then(|document| Scenario::of(&document));
                scenario.map_err(|error| input(py, &error, None))?.into()
            }
            None => {
                let need = |name: &'static str, help: &str| {
                    let missing = || wrong(py, &format!("Simulation needs `{name}`"), Some(name), Some(help));
                    find(name).ok_or_else(missing)
                };
                let ball = need("ball", "give ball=kb.Ball.solid_sphere(mass, radius), or another Ball")?;
                let ground = need("ground", "give ground=kb.Ground.graph(formula), or another Ground")?;
                let ball = ball.cast::<Ball>().map_err(|_| unfit("ball", ball, "a kugelbahn.Ball"))?.get().0;
                let ground = ground.cast::<Ground>().map_err(|_| unfit("ground", ground, "a kugelbahn.Ground"))?;
                door::Simulation::new(ball, ground.get().inner.clone())
            }
        };
        let sim =
            Simulation { inner, until: None, made: Made { file: made.file, given: Vec::new(), lasts: made.lasts } };
        let of_file = sim.made.file.is_some();
        let given: Vec<_> = made.given.iter().map(|(name, value)| (name.clone(), value.clone_ref(py))).collect();
        // Keys of a file went in with it.
        let later: Vec<_> = made.given.into_iter().filter(|(name, _)| !(of_file && name.contains('.'))).collect();
        let mut sim = sim.with(py, &later)?;
        sim.made.given = given;
        Ok(sim)
    }

    /// With these put in: laws and forces, then the start, then keys.
    fn with(mut self, py: Python, given: &[(String, Py<PyAny>)]) -> PyResult<Self> {
        let is_start = |name: &str| START.contains(&name);
        let is_after = |name: &str| AFTER.contains(&name);
        for (name, value) in given.iter().filter(|(name, _)| !is_start(name) && !name.contains('.') && !is_after(name))
        {
            self = self.put(name, value.bind(py))?;
        }
        self = self.start(
            py,
            &given.iter().filter(|(name, _)| is_start(name)).map(|(n, v)| (n.as_str(), v.bind(py))).collect::<Vec<_>>(),
        )?;
        for (name, value) in given.iter().filter(|(name, _)| is_after(name)) {
            self = self.put(name, value.bind(py))?;
        }
        for (key, value) in given.iter().filter(|(name, _)| name.contains('.')) {
            self.inner = set(self.inner, key, value.bind(py))?;
            self.made.lasts |= key == "solver.duration";
        }
        match raised() {
            Some(error) => Err(error),
            None => Ok(self),
        }
    }

    /// Puts an argument.
    fn put(mut self, name: &str, value: &Bound<PyAny>) -> PyResult<Self> {
        let py = value.py();
        let sim = self.inner.clone();
        let named = |known: fn(door::Simulation, f64) -> door::Simulation, sim| {
            Ok::<_, PyErr>(known(sim, number(name, value)?))
        };
        let sim = match name {
            "restitution" => named(door::Simulation::restitution, sim)?,
            "tangential_restitution" => named(door::Simulation::tangential_restitution, sim)?,
            "friction" if value.extract::<String>().is_ok_and(|text| text == "infinite") => sim.friction(f64::INFINITY),
            "friction" => named(door::Simulation::friction, sim)?,
            "rolling_damping" => named(door::Simulation::rolling_damping, sim)?,
            "gravity" => sim.gravity(pair(name, value)?),
            "drag" => named(door::Simulation::drag, sim)?,
            "linear_drag" => named(door::Simulation::linear_drag, sim)?,
            "wind" => sim.wind(pair(name, value)?),
            "magnus" => named(door::Simulation::magnus, sim)?,
            "tolerance" => named(door::Simulation::tolerance, sim)?,
            "step" => named(door::Simulation::step, sim)?,
            "capture_speed" => named(door::Simulation::capture_speed, sim)?,
            "method" => sim.method(&text(name, value)?),
            "formulation" => sim.formulation(&text(name, value)?),
            "force" => match value.extract::<(String, String)>() {
                Ok((x, y)) => {
                    let table = format!("{{ x = {x:?}, y = {y:?} }}");
                    sim.set("forces.external", table.as_str()).map_err(|error| refused(py, &error, Some(name)))?
                }
                Err(_) if value.is_callable() => sim.force(force_of(value.clone().unbind())),
                Err(_) => return Err(unfit(name, value, "a callable force(t, x, y, vx, vy), or two formulas")),
            },
            "watch" => sim.watches_of(&watches(value)?),
            "until" => match until(name, value)? {
                Ends::Heard(until) => {
                    self.until = Some(until);
                    sim
                }
                Ends::Moments(moments) => {
                    self.until = None;
                    sim.until_moments(&moments.iter().map(String::as_str).collect::<Vec<_>>())
                }
            },
            _ => sim,
        };
        sim.check().map_err(|error| refused(py, &error, Some(name)))?;
        Ok(Simulation { inner: sim, ..self })
    }

    /// Puts parts of the start; what is not given stays.
    fn start(mut self, py: Python, given: &[(&str, &Bound<PyAny>)]) -> PyResult<Self> {
        let find = |name: &str| given.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        let Some((first, _)) = given.first() else { return Ok(self) };
        let pair_of = |name: &str| find(name).map(|value| pair(name, value)).transpose();
        let number_of = |name: &str| find(name).map(|value| number(name, value)).transpose();
        let (position, velocity, spin) = (pair_of("position")?, pair_of("velocity")?, number_of("spin")?);
        let (x, speed) = (number_of("x")?, number_of("speed")?);
        if (position.is_some() || velocity.is_some()) && (x.is_some() || speed.is_some()) {
            let help = "give either position and velocity, or x and speed on the ground";
            return Err(wrong(py, "two starts are given", Some(first), Some(help)));
        }
        let now = self.inner.scenario().initial;
        let sim = self.inner.clone();
        let sim = match (now, position, x) {
            (Some(Initial::Thrown { position: q, velocity: v, spin: w, .. }), _, None) if speed.is_none() => {
                sim.thrown_from(position.unwrap_or(q.into()), velocity.unwrap_or(v.into())).spin(spin.unwrap_or(w))
            }
            (_, Some(position), _) => {
                let sim = sim.thrown_from(position, velocity.unwrap_or_default());
                if let Some(spin) = spin { sim.spin(spin) } else { sim }
            }
            (_, None, Some(x)) => {
                let sim = sim.on_ground(x, speed.unwrap_or_default());
                if let Some(spin) = spin { sim.spin(spin) } else { sim }
            }
            (Some(Initial::OnGround { .. }), None, None) if velocity.is_none() => {
                let sim = match speed {
                    Some(speed) => {
                        sim.set("initial.contact.speed", speed).map_err(|error| refused(py, &error, Some("speed")))?
                    }
                    None => sim,
                };
                if let Some(spin) = spin { sim.spin(spin) } else { sim }
            }
            _ => {
                let help = "give position=(x, y), or x= to start on the ground";
                return Err(wrong(py, &format!("`{first}` alone is no start"), Some(first), Some(help)));
            }
        };
        sim.check().map_err(|error| refused(py, &error, Some(if x.is_some() { "x" } else { "position" })))?;
        self.inner = sim;
        Ok(self)
    }

    fn read(
        call: &'static str,
        args: &Bound<PyTuple>,
        named: Option<&Bound<PyDict>>,
    ) -> PyResult<Vec<(String, Py<PyAny>)>> {
        let names: Vec<&'static str> = NAMES.into_iter().chain(["until"]).collect();
        let given = Arguments::new(call, &names, 0, args, named)?;
        let values = given.each().map(|(name, value)| (name.to_owned(), value.clone().unbind()));
        let keys = given.keys.iter().map(|(key, value)| (key.clone(), value.clone().unbind()));
        Ok(values.chain(keys).collect())
    }
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (*args, **named), text_signature = "(*, ball, ground, position=None, velocity=None, spin=None, x=None, speed=None, restitution=None, tangential_restitution=None, friction=None, rolling_damping=None, gravity=None, drag=None, linear_drag=None, wind=None, magnus=None, force=None, tolerance=None, step=None, capture_speed=None, method=None, formulation=None, watch=None, until=None)")]
    fn new(args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        let given = Simulation::read("Simulation", args, named)?;
        Simulation::build(args.py(), Made { file: None, given, lasts: false })
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
        let given = Arguments::new("Simulation.from_toml", &["text_or_path", "base", "_given"], 2, args, named)?;
        let given = given.without_keys()?;
        let source = given.need("text_or_path", "the text of a scenario file, or its path")?;
        let base = given.get("base").map(|base| base.extract::<PathBuf>().map_err(|_| unfit("base", base, "a path")));
        let base = base.transpose()?;
        let text = source.cast::<PyString>().ok().map(|text| text.to_string());
        let (text, base) = match text.filter(|text| text.contains(['\n', '=']) || text.trim().is_empty()) {
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
        let more = match given.get("_given") {
            Some(given) => given.extract::<Vec<(String, Py<PyAny>)>>().map_err(|_| unfit("_given", given, "pairs"))?,
            None => Vec::new(),
        };
        Simulation::build(py, Made { file: Some((text, base)), given: more, lasts: true })
    }

    /// The text of a scenario file that makes the same runs. A callable force has no text.
    fn to_toml(&self, py: Python) -> PyResult<String> {
        self.inner.to_toml().map_err(|error| refused(py, &error, None))
    }

    /// The same with other arguments, or other values of a scenario's keys: replace(restitution=0.8),
    /// replace(**{"ground.parameters.amplitude": 0.3}).
    ///
    /// >>> import kugelbahn as kb
    /// >>> sim = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1))
    /// >>> sim.replace(restitution=0.5).run(1.0).events["normal_velocity_after"][0] > 0
    /// np.True_
    #[pyo3(signature = (*args, **named), text_signature = "($self, **changes)")]
    fn replace(&self, args: &Bound<PyTuple>, named: Option<&Bound<PyDict>>) -> PyResult<Self> {
        let py = args.py();
        let new = Simulation::read("Simulation.replace", args, named)?;
        let has = |name: &str| new.iter().any(|(known, _)| known == name);
        let starts = START.iter().any(|name| has(name));
        // A new value takes the place of an old one; a new start that of its kind.
        let (thrown, ground) = (has("position"), has("x"));
        let stays = |name: &str| {
            let replaced = has(name)
                || starts && name.starts_with("initial.")
                || thrown && matches!(name, "x" | "speed")
                || ground && matches!(name, "position" | "velocity")
                || name == "step" && has("tolerance")
                || name == "tolerance" && has("step");
            !replaced
        };
        let old = self.made.given.iter().filter(|(name, _)| stays(name));
        let mut given: Vec<(String, Py<PyAny>)> =
            old.map(|(name, value)| (name.clone(), value.clone_ref(py))).collect();
        given.extend(new.iter().map(|(name, value)| (name.clone(), value.clone_ref(py))));
        let file = self.made.file.clone();
        if file.is_some() && (has("ball") || has("ground")) {
            let help =
                "change its keys, such as ball.mass or ground.parameters.amplitude: replace(**{\"ball.mass\": 2.0})";
            return Err(wrong(py, "ball and ground of a scenario file are its own", Some("ball"), Some(help)));
        }
        let again = has("ball") || has("ground") || new.iter().any(|(name, _)| name.contains('.'));
        if again {
            return Simulation::build(py, Made { file, given, lasts: self.made.lasts });
        }
        let until = self.until.as_ref().map(|until| until.clone_ref(py));
        let made = Made { file, given: Vec::new(), lasts: self.made.lasts };
        let mut changed = Simulation { inner: self.inner.clone(), until, made }.with(py, &new)?;
        changed.made.given = given;
        Ok(changed)
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
            None if slf.get().made.lasts => slf.get().inner.scenario().solver.duration,
            None => {
                return Err(wrong(
                    py,
                    "Simulation.run needs `duration`",
                    Some("duration"),
                    Some("give how long it lasts, in s"),
                ));
            }
        };
        let observer = given.get("observer").map(|observer| {
            if observer.is_callable() {
                Ok(observer.clone().unbind())
            } else {
                Err(unfit("observer", observer, "a callable of an event"))
            }
        });
        let (observer, cut) = (observer.transpose()?, given.count("_cut", u64::MAX)?);
        Making { simulation: slf.clone().unbind(), before: None, to, observer, cut }.make(py)
    }

    fn __repr__(&self) -> String {
        let scenario = self.inner.scenario();
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
        let given: Vec<_> = self.made.given.iter().map(|(name, value)| (name.clone(), value.clone_ref(py))).collect();
        Ok((again, (self.made.file.clone(), given).into_py_any(py)?))
    }
}

/// Puts a key of a scenario.
fn set(sim: door::Simulation, key: &str, value: &Bound<PyAny>) -> PyResult<door::Simulation> {
    let set = match value.extract::<f64>() {
        Ok(number) if !value.is_instance_of::<PyString>() && !value.is_instance_of::<PyBool>() => sim.set(key, number),
        _ => sim.set(key, Value::Text(toml(key, value)?)),
    };
    set.map_err(|error: Error| refused(value.py(), &error, Some(key)))
}

/// A value as it stands in a scenario file.
fn toml(key: &str, value: &Bound<PyAny>) -> PyResult<String> {
    if let Ok(text) = value.extract::<String>() {
        return Ok(text);
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(value.is_truthy()?.to_string());
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(if number.is_nan() { "nan".to_owned() } else { format!("{number:?}") });
    }
    let (numbers, shape) = array(key, value, "a number, a text or a list of numbers")?;
    match shape.as_slice() {
        [_] => Ok(format!("{numbers:?}")),
        [_, width] if *width > 0 => Ok(format!("{:?}", numbers.chunks(*width).collect::<Vec<_>>())),
        _ => Err(unfit(key, value, "a number, a text or a list of numbers")),
    }
}

/// `{name: {key: value}}` as the text of a scenario file.
fn watches(value: &Bound<PyAny>) -> PyResult<String> {
    const RULE: &str = "a dict of dicts, such as {\"gate\": {\"x\": 3.0}}";
    let refused = || unfit("watch", value, RULE);
    let one = |(name, keys): (Bound<PyAny>, Bound<PyAny>)| {
        let mut table = vec![format!("name = {:?}", name.extract::<String>().map_err(|_| refused())?)];
        for (key, value) in keys.cast::<PyDict>().map_err(|_| refused())? {
            let key = key.extract::<String>().map_err(|_| refused())?.replace('_', "-");
            let value = match value.extract::<String>() {
                Ok(text) => format!("{text:?}"),
                Err(_) => toml("watch", &value)?,
            };
            table.push(format!("{key:?} = {value}"));
        }
        Ok(format!("{{ {} }}", table.join(", ")))
    };
    let tables = value.cast::<PyDict>().map_err(|_| refused())?.iter().map(one).collect::<PyResult<Vec<_>>>()?;
    Ok(format!("watch = [{}]", tables.join(", ")))
}

/// What ends runs.
enum Ends {
    /// Events, as they are heard of.
    Heard(Until),
    /// Moments as in `solver.until`.
    Moments(Vec<String>),
}

fn until(name: &str, value: &Bound<PyAny>) -> PyResult<Ends> {
    if let Ok(word) = value.extract::<String>() {
        let kind = KINDS.iter().any(|known| known.name() == word);
        return Ok(if kind { Ends::Heard(Until::Kind(word)) } else { Ends::Moments(vec![word]) });
    }
    if value.is_callable() {
        return Ok(Ends::Heard(Until::Call(value.clone().unbind())));
    }
    value.extract::<Vec<String>>().map(Ends::Moments).map_err(|_| {
        let kinds = KINDS.map(EventKind::name).join(", ");
        unfit(
            name,
            value,
            &format!("a kind of event ({kinds}), moments such as [\"impact.10\", \"t=5\"], or a callable of an event"),
        )
    })
}
