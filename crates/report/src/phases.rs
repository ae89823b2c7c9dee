//! Phases, jumps and crossings of a run: which are kept, and what does `summary.json` say of them?

use curves::Place;
use mechanics::State;
use numbers::Rounding;
use scenario::Scenario;
use scenario::stepping::BallEvent;
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
    /// Place of the contact on the ground, as the sample has it.
    pub place: Option<Place>,
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
                NormalPush { force, time, position: scene.world(&sample.state).position.into(), place: sample.place }
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
    pub(crate) fn json(&self, scenario: &Scenario) -> Value {
        let push = |NormalPush { force, time, position, place }: NormalPush| {
            placed(json!({ "force": force, "time": time, "position": position }), scenario, place)
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

/// Collects the jumps of an event-driven run.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct JumpRows {
    /// Events at which the ball left the ground and touched it again, of the first jumps.
    rows: Vec<[Event; 2]>,
    found: Jumps,
}

impl JumpRows {
    /// Adds an event.
    pub fn event(&mut self, event: &Event) {
        if let Some(Jump { left, back }) = self.found.end(event)
            && self.rows.len() < MOST
        {
            self.rows.push([left, back]);
        }
    }

    /// The first jumps.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Jump> {
        self.rows.iter().map(|[left, back]| Jump { left: *left, back: *back })
    }

    /// Entry for `summary.json`, with the numbers used for ski jumps.
    pub(crate) fn json(&self, scenario: &Scenario) -> Value {
        let scene = &scenario.scene;
        let end = |event: &Event, state: &State| {
            let position: [f64; 2] = scene.world(state).position.into();
            let end = json!({ "time": event.time(), "position": position });
            placed(end, scenario, Some(event.place))
        };
        let row = |jump: Jump| {
            json!({
                "lift_off": end(&jump.left, &jump.left.after),
                "speed": scene.world(&jump.left.after).velocity.norm(),
                "landing": end(&jump.back, &jump.back.before),
                "landing_angle": jump.landing_angle(),
                "length": jump.length(scene),
                "normal_impulse": jump.back.normal_impulse,
                "fall_height": jump.fall_height(scene),
            })
        };
        self.rows().map(row).collect()
    }
}

/// Entry of a crossing for `summary.json`.
pub(crate) fn crossing_json(scenario: &Scenario, told: &BallEvent) -> Value {
    let state = scenario.scene.world(&told.event.after);
    let crossing = json!({
        "name": told.watch.and_then(|watch| scenario.watches.get(watch)).map_or("", |watch| &watch.name),
        "time": state.time,
        "phase": told.event.phase_after.name(),
        "position": [state.position.x, state.position.y],
        "velocity": [state.velocity.x, state.velocity.y],
    });
    placed(crossing, scenario, Some(told.event.place))
}

/// The entry with the ground's parameter `s` at a place, and the name of the curve if there are several.
pub(crate) fn placed(mut entry: Value, scenario: &Scenario, place: Option<Place>) -> Value {
    let ground = &scenario.scene.ground;
    entry["s"] = json!(place.map(|place| ground.shown_parameter(place)));
    if let Some(name) = place.and_then(|place| scenario.curve.name(ground.curve_of(place))) {
        entry["ground"] = json!(name);
    }
    entry
}
