//! Rows of the phases and jumps of a run.

use numbers::Rounding;
use scenario::stepping::BallEvent;
use scenario::{CurveInfo, Scenario};
use serde_json::{Value, json};
use supervisor::{Event, Extreme, Jump, Jumps, Phase, Scene, Stretch};

/// Maximum number of phases kept, and of jumps.
const MOST: usize = 10_000;

/// A normal force, with time and place.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct NormalPush {
    /// λ, N.
    pub force: f64,
    /// Time, s.
    pub time: f64,
    /// Position of the centre, m.
    pub position: [f64; 2],
    /// The ground's parameter, as outputs show it.
    pub s: f64,
    /// Index of the curve.
    pub curve: usize,
}

/// One phase; a series of bounces is one flight.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PhaseRow {
    /// The phase.
    pub phase: Phase,
    /// Start, s.
    pub from: f64,
    /// End, s.
    pub to: f64,
    /// Number of impacts during a flight.
    pub bounces: u64,
    /// Time of its last impact or, without one, of its start, s.
    pub touched: f64,
    /// Smallest and largest λ; `None` in flight.
    pub pushes: Option<[NormalPush; 2]>,
    /// Top speed, m/s.
    pub top_speed: f64,
    /// Energy dissipated in the phase and by the event at its end, J.
    pub lost: f64,
    /// Energy dissipated before the phase, J.
    before: f64,
}

/// Energy dissipated between two states of the ledger, J; 0 if it is rounding.
fn lost(before: f64, after: f64) -> f64 {
    let lost = after - before;
    if Rounding::vanishes(lost, f64::EPSILON * after.abs()) { 0.0 } else { lost }
}

/// Collects the phases of an event-driven run.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Phases {
    /// The first ones.
    pub rows: Vec<PhaseRow>,
    /// Number of phases left out.
    pub hidden: u64,
    last: Option<PhaseRow>,
}

impl Phases {
    /// Adds a stretch of motion.
    pub fn stretch(&mut self, scene: &Scene, stretch: &Stretch) {
        let phase = stretch.phase();
        let dissipated = |time: f64| stretch.at(time).state.dissipated;
        if self.last.is_none_or(|last| last.phase != phase) {
            let before = self.last.map_or_else(|| dissipated(stretch.from()), |last| last.before + last.lost);
            self.end();
            let from = stretch.from();
            let row = PhaseRow {
                phase,
                from,
                to: from,
                bounces: 0,
                touched: from,
                pushes: None,
                top_speed: 0.0,
                lost: 0.0,
                before,
            };
            self.last = Some(row);
        }
        let Some(last) = &mut self.last else { return };
        last.to = stretch.to();
        last.lost = lost(last.before, dissipated(stretch.to()));
        last.top_speed = last.top_speed.max(stretch.top_speed());
        if phase != Phase::Flight {
            let found = stretch.normal_force_range();
            let push = |Extreme { value: force, time }: Extreme| {
                let sample = stretch.at(time.clamp(stretch.from(), stretch.to()));
                let on = |place| (scene.ground.shown_parameter(place), scene.ground.curve_of(place));
                let (s, curve) = sample.place.map_or((f64::NAN, 0), on);
                NormalPush { force, time, position: scene.world(&sample.state).position.into(), s, curve }
            };
            let beyond = |i: usize, sign: f64| match last.pushes {
                Some(known) if sign * found[i].value <= sign * known[i].force => known[i],
                _ => push(found[i]),
            };
            last.pushes = Some([beyond(0, -1.0), beyond(1, 1.0)]);
        }
    }

    /// Adds an event.
    pub fn event(&mut self, event: &Event) {
        if let Some(last) = &mut self.last {
            last.lost = lost(last.before, event.after.dissipated);
            if event.phase_before == Phase::Flight && event.normal_impulse > 0.0 {
                (last.bounces, last.touched) = (last.bounces + 1, event.time());
            }
        }
    }

    /// Ends the last phase.
    pub fn end(&mut self) {
        let Some(last) = self.last.take() else { return };
        if self.rows.len() < MOST { self.rows.push(last) } else { self.hidden += 1 }
    }

    /// Entry for `summary.json`.
    pub(crate) fn json(&self, info: &CurveInfo) -> Value {
        let push = |push: NormalPush| {
            let mut json = json!({ "force": push.force, "time": push.time, "position": push.position, "s": push.s });
            put_ground(&mut json, info, push.curve);
            json
        };
        let row = |row: &PhaseRow| {
            json!({
                "phase": row.phase.name(),
                "from": row.from,
                "to": row.to,
                "bounces": row.bounces,
                "smallest_normal_force": row.pushes.map(|pushes| push(pushes[0])),
                "largest_normal_force": row.pushes.map(|pushes| push(pushes[1])),
                "top_speed": row.top_speed,
                "lost": row.lost,
            })
        };
        self.rows.iter().map(row).collect()
    }
}

/// A jump, with the numbers used for ski jumps.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct JumpRow {
    /// Lift-off: time (s), centre (m), ground parameter, and index of the curve.
    pub left: (f64, [f64; 2], f64, usize),
    /// Speed, m/s.
    pub speed: f64,
    /// Landing: time (s), centre (m), ground parameter, and index of the curve.
    pub back: (f64, [f64; 2], f64, usize),
    /// Angle between velocity and ground at the landing, rad.
    pub landing_angle: f64,
    /// Distance between the centre at lift-off and landing, m.
    pub length: f64,
    /// Normal impulse P_n of the landing, N s.
    pub impulse: f64,
    /// Equivalent fall height `(v·n)²/(2g)` of the landing, m.
    pub fall_height: f64,
}

impl JumpRow {
    fn new(scene: &Scene, jump: &Jump) -> Self {
        let of = |event: &Event, state| {
            let state = scene.world(state);
            let (s, curve) = (scene.ground.shown_parameter(event.place), scene.ground.curve_of(event.place));
            (event.time(), state.position.into(), s, curve)
        };
        JumpRow {
            left: of(&jump.left, &jump.left.after),
            speed: scene.world(&jump.left.after).velocity.norm(),
            back: of(&jump.back, &jump.back.before),
            landing_angle: jump.landing_angle(),
            length: jump.length(scene),
            impulse: jump.back.normal_impulse,
            fall_height: jump.fall_height(scene),
        }
    }

    fn json(&self, info: &CurveInfo) -> Value {
        let place = |(time, position, s, curve): (f64, [f64; 2], f64, usize)| {
            let mut json = json!({ "time": time, "position": position, "s": s });
            put_ground(&mut json, info, curve);
            json
        };
        json!({
            "lift_off": place(self.left),
            "speed": self.speed,
            "landing": place(self.back),
            "landing_angle": self.landing_angle,
            "length": self.length,
            "normal_impulse": self.impulse,
            "fall_height": self.fall_height,
        })
    }
}

/// Collects the jumps of an event-driven run.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct JumpRows {
    /// The first ones.
    pub rows: Vec<JumpRow>,
    jumps: Jumps,
}

impl JumpRows {
    /// Adds an event.
    pub fn event(&mut self, scene: &Scene, event: &Event) {
        if let Some(jump) = self.jumps.end(event)
            && self.rows.len() < MOST
        {
            self.rows.push(JumpRow::new(scene, &jump));
        }
    }

    /// Entry for `summary.json`.
    pub(crate) fn json(&self, info: &CurveInfo) -> Value {
        self.rows.iter().map(|row| row.json(info)).collect()
    }
}

/// Entry of a crossing for `summary.json`.
pub(crate) fn crossing_json(scenario: &Scenario, told: &BallEvent) -> Value {
    let state = scenario.scene.world(&told.event.after);
    let (ground, place) = (&scenario.scene.ground, told.event.place);
    let mut json = json!({
        "name": told.watch.and_then(|watch| scenario.watches.get(watch)).map_or("", |watch| &watch.name),
        "time": state.time,
        "phase": told.event.phase_after.name(),
        "position": [state.position.x, state.position.y],
        "velocity": [state.velocity.x, state.velocity.y],
        "s": ground.shown_parameter(place),
    });
    put_ground(&mut json, &scenario.curve, ground.curve_of(place));
    json
}

/// Adds the name of the curve, if there are several, beside an `s`.
pub(crate) fn put_ground(json: &mut Value, info: &CurveInfo, curve: usize) {
    if let Some(name) = info.name(curve) {
        json["ground"] = json!(name);
    }
}
