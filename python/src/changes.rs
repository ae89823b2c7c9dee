//! Changes of a simulation, and what it is after them.

use kugelbahn::Value;
use kugelbahn::prelude as door;
use kugelbahn::scenario::Initial;
use kugelbahn::scenario::keys::Key;
use kugelbahn::supervisor::EventKind;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use crate::arguments::{array, number, pair, text, unfit};
use crate::errors::{refused, wrong};
use crate::watched::{Held, PYTHON, Until, force_of, methods_of, raised};

/// Arguments that look at what others have made: put in after the start.
const AFTER: [&str; 3] = ["force", "impact", "until"];

pub const START: [&str; 5] = ["position", "velocity", "spin", "x", "speed"];

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

/// Arguments and keys of one call, with their values.
pub type Change = Vec<(String, Py<PyAny>)>;

/// What a simulation is.
pub struct State {
    pub inner: door::Simulation,
    pub until: Option<Until>,
    /// A callable force, which `inner` has but a weak reference to.
    pub force: Option<Py<Held>>,
    /// A callable flight scheme with its order, and a callable law of impact, which `inner` knows weakly, too.
    pub scheme: Option<(u32, Py<Held>)>,
    pub impact: Option<Py<Held>>,
    /// Whether it says how long runs are.
    pub lasts: bool,
}

impl State {
    pub fn clone_ref(&self, py: Python) -> Self {
        State {
            inner: self.inner.clone(),
            until: self.until.as_ref().map(|until| until.clone_ref(py)),
            force: self.force.as_ref().map(|force| force.clone_ref(py)),
            scheme: self.scheme.as_ref().map(|(order, scheme)| (*order, scheme.clone_ref(py))),
            impact: self.impact.as_ref().map(|impact| impact.clone_ref(py)),
            lasts: self.lasts,
        }
    }

    /// After one more change: laws and forces, then the start, then keys of the scenario, all at once; beside them numbers of the law
    /// of contact are put with those, which may give another law.
    pub fn with(mut self, py: Python, change: &Change) -> PyResult<Self> {
        let given =
            |names: &[&str]| change.iter().any(|(given, _)| names.contains(&given.trim_start_matches("solver.")));
        if given(&["step"]) && given(&["tolerance", "relative-tolerance", "absolute-tolerance"]) {
            return Err(refused(py, &kugelbahn::Error::ToleranceAndStep, Some("step")));
        }
        let is_start = |name: &str| START.contains(&name);
        let is_after = |name: &str| AFTER.contains(&name);
        let is_key = |name: &str| name.contains('.');
        let argument = |name: &str| Key::arguments().find(|key| key.argument == name && !is_start(name));
        let keyed = change.iter().any(|(name, _)| is_key(name));
        for (name, value) in change.iter().filter(|(name, _)| !is_start(name) && !is_key(name) && !is_after(name)) {
            self = match argument(name) {
                Some(key) if keyed && key.table() == "contact" => self,
                Some(key) => self.put_key(key, value.bind(py))?,
                None => self.put(name, value.bind(py))?,
            };
        }
        let started = change.iter().filter(|(name, _)| is_start(name));
        self = self.start(py, &started.map(|(name, value)| (name.as_str(), value.bind(py))).collect::<Vec<_>>())?;
        for (name, value) in change.iter().filter(|(name, _)| is_after(name)) {
            self = self.put(name, value.bind(py))?;
        }
        if keyed {
            let mut values = Vec::new();
            for (name, value) in change {
                match argument(name) {
                    Some(key) if key.table() == "contact" => values.extend(values_of(key, value.bind(py))?),
                    _ if is_key(name) => values.push((name.clone(), value_of(name, value.bind(py))?)),
                    _ => {}
                }
            }
            self = self.keys(py, &values)?;
        }
        match raised() {
            Some(error) => Err(error),
            None => Ok(self),
        }
    }

    /// The same as a scenario file can say it: a kind of event that ends runs is the first of its kind.
    pub fn written(&self, py: Python) -> PyResult<door::Simulation> {
        let sim = match &self.until {
            None => self.inner.clone(),
            Some(Until::Kind(kind)) => self.inner.clone().until_moments(&[&format!("{kind}.1")]),
            Some(Until::Call(_)) => {
                let help = "give moments, such as until=[\"impact.10\"], or take it away by replace(until=None)";
                return Err(wrong(py, "an `until` that is a callable has no text", Some("until"), Some(help)));
            }
        };
        sim.check().map_err(|error| refused(py, &error, Some("until")))?;
        Ok(sim)
    }

    /// Puts an argument that is a key of the scenario.
    fn put_key(mut self, key: &Key, value: &Bound<PyAny>) -> PyResult<Self> {
        let told = |error| refused(value.py(), &error, Some(key.argument));
        let sim = self.inner.clone();
        self.inner = match key.path {
            // A name needs no start.
            "solver.method" => sim.method(&text(key.argument, value)?),
            "solver.formulation" => sim.formulation(&text(key.argument, value)?),
            _ => {
                let values = values_of(key, value)?;
                let values: Vec<_> = values.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
                sim.set_all(&values).map_err(told)?
            }
        };
        self.inner.check().map_err(told)?;
        Ok(self)
    }

    /// The simulation with the callables that it has for methods.
    fn with_methods(&self, py: Python) -> PyResult<door::Simulation> {
        let scheme = self.scheme.as_ref().map(|(order, scheme)| (*order, scheme.bind(py)));
        Ok(self.inner.clone().methods(methods_of(scheme, self.impact.as_ref().map(|impact| impact.bind(py)))?))
    }

    /// Puts another argument.
    fn put(mut self, name: &str, value: &Bound<PyAny>) -> PyResult<Self> {
        let py = value.py();
        let sim = self.inner.clone();
        let sim = match name {
            "force" if value.is_none() => {
                self.force = None;
                sim.no_force()
            }
            "force" => match value.extract::<(String, String)>() {
                Ok((x, y)) => {
                    self.force = None;
                    let table = format!("{{ x = {x:?}, y = {y:?} }}");
                    sim.set("forces.external", table.as_str()).map_err(|error| refused(py, &error, Some(name)))?
                }
                Err(_) if value.is_callable() => {
                    let held = Held::of(value)?;
                    let sim = sim.force(force_of(&held)?);
                    self.force = Some(held.unbind());
                    sim
                }
                Err(_) => return Err(unfit(name, value, "a callable force(t, x, y, vx, vy), or two formulas")),
            },
            "scheme" if value.is_none() => sim,
            "scheme" => {
                let unfit =
                    || unfit(name, value, "a pair of a callable step(t, x, y, vx, vy, h, acceleration) and its order");
                let (scheme, order): (Bound<PyAny>, u32) = value.extract().map_err(|_| unfit())?;
                if !scheme.is_callable() || !(1..=20).contains(&order) {
                    return Err(unfit());
                }
                self.scheme = Some((order, Held::of(&scheme)?.unbind()));
                self.with_methods(py)?.method(PYTHON)
            }
            "impact" => {
                let name = match value.extract::<String>() {
                    Ok(name) => name,
                    Err(_) if value.is_none() => "newton".to_owned(),
                    Err(_) if value.is_callable() => {
                        self.impact = Some(Held::of(value)?.unbind());
                        PYTHON.to_owned()
                    }
                    Err(_) => return Err(unfit(name, value, "a name, or a callable impact(un, ut, mobility, e, mu)")),
                };
                let sim = if name == PYTHON { self.with_methods(py)? } else { sim };
                sim.set("contact.impact", name.as_str()).map_err(|error| refused(py, &error, Some("impact")))?
            }
            "watch" if value.is_none() => sim.watches_of("watch = []"),
            "watch" => sim.watches_of(&watches(value)?),
            "until" if value.is_none() => {
                self.until = None;
                sim.until_moments(&[])
            }
            "until" => match until(name, value)? {
                Ends::Heard(until) => {
                    self.until = Some(until);
                    sim.until_moments(&[])
                }
                Ends::Moments(moments) => {
                    self.until = None;
                    sim.until_moments(&moments.iter().map(String::as_str).collect::<Vec<_>>())
                }
            },
            _ => sim,
        };
        sim.check().map_err(|error| refused(py, &error, Some(name)))?;
        Ok(State { inner: sim, ..self })
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
                let (q, v) = (position.map_or(q, Into::into), velocity.map_or(v, Into::into));
                sim.thrown_from(q, v).spin(spin.unwrap_or(w))
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

    /// Puts keys of the scenario.
    fn keys(mut self, py: Python, given: &[(String, Value)]) -> PyResult<Self> {
        let values: Vec<_> = given.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        let keys: Vec<&str> = values.iter().map(|(key, _)| *key).collect();
        let one = keys.first().filter(|_| keys.len() == 1).copied();
        self.inner = self.inner.set_all(&values).map_err(|error| refused(py, &error, one))?;
        let sets = |what: &str| keys.iter().any(|key| key.starts_with(what));
        self.lasts |= sets("solver.duration");
        if sets("forces.external") {
            self.force = None;
        }
        if sets("solver.until") {
            self.until = None;
        }
        Ok(self)
    }
}

/// The value of a key of the scenario.
fn value_of(key: &str, value: &Bound<PyAny>) -> PyResult<Value> {
    let other = value.is_instance_of::<PyString>() || value.is_instance_of::<PyBool>();
    match value.extract::<f64>() {
        Ok(number) if !other => Ok(Value::Number(number)),
        _ => Ok(Value::Text(toml(key, value)?.into())),
    }
}

/// The values of an argument that is a key of the scenario: of a pair two.
fn values_of(key: &Key, value: &Bound<PyAny>) -> PyResult<Vec<(String, Value)>> {
    let (name, path) = (key.argument, key.path.to_owned());
    Ok(match key.kind {
        kind if kind.contains("pair") => {
            let axes = ["x", "y"].into_iter().zip(pair(name, value)?);
            axes.map(|(axis, number)| (format!("{path}.{axis}"), Value::Number(number))).collect()
        }
        "string" => vec![(path, Value::Text(text(name, value)?.into()))],
        "number or string" if value.extract::<String>().is_ok_and(|text| text == "infinite") => {
            vec![(path, Value::Number(f64::INFINITY))]
        }
        kind if kind.contains("formula") && value.extract::<String>().is_ok() => {
            vec![(path, Value::Text(text(name, value)?.into()))]
        }
        _ => vec![(path, Value::Number(number(name, value)?))],
    })
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
