//! flight.py for programs in Rust: reads tasks and settings as JSON, prints an outcome a line.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use serde_json::{Map, Value, json};

/// Impacts after which a run is given up: bounces that accumulate have no end.
const MOST: usize = 2000;
/// Places of a drawn path.
const DRAWN: [&str; 3] = ["1", "7", "9"];

/// A point mass over one of the suite's grounds.
#[derive(Clone, Debug)]
pub struct Flight {
    kind: String,
    shape: [f64; 2],
    motion: Option<[f64; 3]>,
    push: Option<[f64; 2]>,
    e: f64,
    g: f64,
    drag: f64,
    pub start: f64,
    pub end: f64,
    pub state: [f64; 4],
    times: Vec<(f64, String)>,
    drawn: bool,
}

/// An arc up to an impact, or to the end.
pub struct Arc {
    pub time: f64,
    pub state: [f64; 4],
    pub hit: bool,
    pub found: Vec<(f64, [f64; 4])>,
    pub evaluations: u64,
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0)
}

impl Flight {
    fn of(task: &Value) -> Self {
        let (ground, ball) = (&task["ground"], &task["balls"][0]);
        let kind = ground["kind"].as_str().unwrap_or("").to_owned();
        let shape = match &*kind {
            "crest" => [number(&ground["h"]), number(&ground["w"])],
            "wall" => [number(&ground["x"]), 0.0],
            _ => [number(&ground["a"]), 0.0],
        };
        let mass = number(&task["mass"]);
        let several = |value: &Value| value.as_array().filter(|rows| !rows.is_empty()).cloned();
        let mut times: Vec<(f64, String)> =
            task["times"].as_object().into_iter().flatten().map(|(index, time)| (number(time), index.clone())).collect();
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        Flight {
            kind,
            shape,
            motion: several(&task["motion"]).map(|m| [number(&m[0]), number(&m[1]), number(&m[2])]),
            push: several(&task["push"]).map(|p| [number(&p[0]) / mass, number(&p[1]) / mass]),
            e: number(&task["e"]),
            g: number(&task["g"]),
            drag: number(&task["drag"]) / mass,
            start: number(&task["start"]),
            end: number(&task["end"]),
            state: std::array::from_fn(|i| number(&ball[i])),
            times,
            drawn: DRAWN.contains(&task["name"].as_str().unwrap_or("")),
        }
    }

    /// Height of the ground, its slope and its second derivative.
    fn height(&self, x: f64) -> [f64; 2] {
        let [a, w] = self.shape;
        match &*self.kind {
            "sine" => [a * (PI * x).sin(), a * PI * (PI * x).cos()],
            "crest" => {
                let (s, c) = ((PI * x).sin() / w, (PI * x).cos() * PI / w);
                [a / (1.0 + s * s), -2.0 * a * s * c / (1.0 + s * s).powi(2)]
            }
            "parabola" => [a * x * x, 2.0 * a * x],
            _ => [0.0, 0.0],
        }
    }

    fn table(&self, t: f64) -> [f64; 2] {
        self.motion.map_or([0.0; 2], |[a, w, p]| [a * (w * t + p).sin(), a * w * (w * t + p).cos()])
    }

    pub fn rates(&self, t: f64, y: &[f64], dy: &mut [f64]) {
        let speed = y[2].hypot(y[3]);
        let (mut along, down) = (-self.drag * speed * y[2], -self.g - self.drag * speed * y[3]);
        if let Some([stiffness, force]) = self.push {
            along -= stiffness * y[0] + force * t.cos();
        }
        dy.copy_from_slice(&[y[2], y[3], along, down]);
    }

    /// The rates' derivative along `v`.
    #[allow(dead_code, reason = "one of two programs is implicit")]
    pub fn derivative(&self, y: &[f64], v: &[f64], out: &mut [f64]) {
        let speed = y[2].hypot(y[3]).max(f64::MIN_POSITIVE);
        let turn = (y[2] * v[2] + y[3] * v[3]) / speed;
        out.copy_from_slice(&[
            v[2],
            v[3],
            -self.drag * (turn * y[2] + speed * v[2]) - self.push.map_or(0.0, |[stiffness, _]| stiffness) * v[0],
            -self.drag * (turn * y[3] + speed * v[3]),
        ]);
    }

    #[allow(dead_code, reason = "one of two programs lifts its ball")]
    pub fn is_wall(&self) -> bool {
        self.kind == "wall"
    }

    pub fn gap(&self, t: f64, y: &[f64]) -> f64 {
        if self.kind == "wall" { self.shape[0] - y[0] } else { y[1] - self.height(y[0])[0] - self.table(t)[0] }
    }

    pub fn bounce(&self, t: f64, y: &[f64; 4]) -> [f64; 4] {
        if self.kind == "wall" {
            return [y[0], y[1], -self.e * y[2], y[3]];
        }
        let (slope, lift) = (self.height(y[0])[1], self.table(t)[1]);
        let push = (1.0 + self.e) * (slope * y[2] - (y[3] - lift)) / (1.0 + slope * slope);
        [y[0], y[1], y[2] - push * slope, y[3] + push]
    }

    /// Flies and bounces by arcs from a time and state to the end, with states at times that are wanted.
    fn bounces(&self, mut arc: impl FnMut(f64, [f64; 4], &[f64]) -> Arc) -> Value {
        let drawn: Vec<f64> = (0..=300).filter(|_| self.drawn).map(|i| self.start + (self.end - self.start) * f64::from(i) / 300.0).collect();
        let mut all: Vec<f64> = self.times.iter().map(|(time, _)| *time).chain(drawn.iter().copied()).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        let (mut t, mut z, mut impacts, mut states, mut path) = (self.start, self.state, Vec::new(), Map::new(), Vec::new());
        let (mut deepest, mut count) = (0.0_f64, 0);
        while t < self.end && impacts.len() < MOST {
            let wanted: Vec<f64> = all.iter().copied().filter(|at| *at > t).collect();
            let to = arc(t, z, &wanted);
            count += to.evaluations;
            for (at, y) in to.found.iter().filter(|(at, _)| *at <= to.time) {
                deepest = deepest.max(-self.gap(*at, y));
                for (_, index) in self.times.iter().filter(|(time, _)| time == at) {
                    states.insert(index.clone(), json!({"x": y[0], "y": y[1], "vx": y[2], "vy": y[3]}));
                }
                if drawn.contains(at) {
                    path.push([*at, if self.push.is_some() { y[0] } else { y[1] }]);
                }
            }
            if !to.hit || to.time <= t {
                break;
            }
            (t, z) = (to.time, self.bounce(to.time, &to.state));
            impacts.push(t);
            if self.drawn {
                path.push([t, z[1]]);
            }
        }
        json!({"events": {"impact": impacts}, "states": states, "deepest": deepest, "evaluations": count, "path": path})
    }
}

/// A program's way to fly: `(flight, tolerance)` makes what flies an arc from a time and state to wanted times.
pub trait Program {
    /// Arcs of a flight.
    fn arcs(flight: &Flight, tolerance: f64) -> impl FnMut(f64, [f64; 4], &[f64]) -> Arc;
    /// Angle and its rate at times, of θ'' = −rate · sin θ from rest.
    fn swing(rate: f64, start: f64, times: &[f64], tolerance: f64) -> Vec<[f64; 2]>;
}

/// θ from the lowest point; λ and f by Newton's law.
fn pendulum<P: Program>(task: &Value, tolerance: f64) -> Value {
    let radius = number(&task["radius"]);
    let (rho, mass, g) = (number(&task["ground"]["radius"]) - radius, number(&task["mass"]), number(&task["g"]));
    let k = if radius > 0.0 { 0.4 } else { 0.0 };
    let ball = &task["balls"][0];
    let times: BTreeMap<String, f64> = task["times"].as_object().into_iter().flatten().map(|(index, at)| (index.clone(), number(at))).collect();
    let at: Vec<f64> = times.values().copied().collect();
    let rows = P::swing(g / (rho * (1.0 + k)), number(&ball[0]).atan2(-number(&ball[1])), &at, tolerance);
    let mut states = Map::new();
    for (index, [angle, turn]) in times.keys().zip(rows) {
        let (s, c) = angle.sin_cos();
        let mut state = json!({"x": rho * s, "y": -rho * c, "vx": rho * turn * c, "vy": rho * turn * s, "lambda": mass * (rho * turn * turn + g * c)});
        if radius > 0.0 {
            state["spin"] = json!(-rho * turn / radius);
            state["friction"] = json!(k / (1.0 + k) * mass * g * s);
        }
        states.insert(index.clone(), state);
    }
    json!({"states": states})
}

/// Answers all tasks that a point mass in flight or a pendulum is.
pub fn serve<P: Program>() {
    let asked: Value = serde_json::from_reader(std::io::stdin()).expect("tasks as JSON");
    for task in asked["tasks"].as_array().expect("tasks") {
        let (name, case) = (task["name"].as_str().unwrap_or(""), task["number"].as_str().unwrap_or(""));
        for setting in asked["settings"].as_array().expect("settings") {
            let tolerance: f64 = setting.as_str().and_then(|word| word.split(' ').nth(1)?.parse().ok()).expect("a tolerance");
            let begun = std::time::Instant::now();
            let mut outcome = if ["1", "2", "3", "4", "5", "15", "16", "17"].contains(&case) || ["14b", "14c"].contains(&name) {
                let flight = Flight::of(task);
                flight.bounces(P::arcs(&flight, tolerance))
            } else if ["6", "7"].contains(&case) {
                pendulum::<P>(task, tolerance)
            } else {
                Value::Null
            };
            if !outcome.is_null() {
                outcome["seconds"] = json!(begun.elapsed().as_secs_f64());
            }
            println!("{outcome}");
        }
    }
}
