//! Data of one run for the page: its path, its ground, its numbers.

use mechanics::Friction;
use scenario::Scenario;
use serde_json::{Value, json};
use supervisor::{Capture, Sample, Scene};

use super::fitted_path::{ENTRIES, MOTION, PolynomialPath};
use super::ground::lines;
use super::pack::Pack;
use super::rows::{FIELDS, PageNumber, PageRows};
use crate::Outcome;
use crate::figures::{extent, margin};
use crate::legs::{Leg, Legs};
use crate::output::{Recorder, summary};

/// Recorder of the data that the page needs to show a run at every time.
#[derive(Default)]
pub struct PageFilm {
    pub(crate) path: PolynomialPath,
    pub(crate) rows: PageRows,
    /// The last sample of a single ball, event by event.
    pub(crate) last: Option<Sample>,
}

impl PageFilm {
    /// Recorder for a run shown beside others, with places accurate to `error` m.
    pub(crate) fn to(error: f64) -> Self {
        let mut film = PageFilm::default();
        film.path.error = Some(error);
        film.rows.beside = true;
        film
    }

    /// Approximate number of bytes before compression.
    pub fn bytes(&self) -> usize {
        8 * (self.path.motion.coefficients.len() + self.path.gap.coefficients.len())
            + (20 + 4 * FIELDS.len()) * self.rows.rows.len()
    }

    /// All data as bytes, in the format that `page/data.js` reads.
    pub(crate) fn packed(&self, scenario: &Scenario, outcome: &Outcome, record: &Recorder, live: &Value) -> Vec<u8> {
        let mut pack = Pack::default();
        let mut document = self.put(&mut pack, scenario, outcome, record);
        document["page"]["live"] = live.clone();
        pack.whole(document)
    }

    /// Puts arrays into a pack; returns all other data as JSON.
    pub(super) fn put(&self, pack: &mut Pack, scenario: &Scenario, outcome: &Outcome, record: &Recorder) -> Value {
        let mut document = summary(scenario, outcome, record);
        let scenes = scenario.scenes();
        let scene = &scenario.scene;
        let balls = scenes.iter().map(|scene| {
            let ball = &scene.ball;
            json!({ "mass": ball.mass(), "radius": ball.radius(), "inertia": ball.inertia() })
        });
        let last = outcome.states(scene).first().copied();
        let cut = record.trace.legs.as_ref().map_or(self.path.cut(), Legs::cut);
        document["page"] = json!({
            "live": Value::Null,
            "balls": balls.collect::<Value>(),
            "gravity": [scene.forces.gravity_vector().x, scene.forces.gravity_vector().y],
            "friction": match (scene.compliance.as_ref(), scene.law.friction()) {
                (Some(soft), _) => json!(soft.friction()),
                (None, Friction::Coefficient(mu) | Friction::StaticAndKinetic { sliding: mu, .. }) => json!(mu),
                (None, Friction::Infinite) => Value::Null,
            },
            "warnings": record.all_warnings(),
            "motion": MOTION.iter().map(|entry| entry.0).collect::<Value>(),
            "columns": record.event_fields.iter().map(|field| field.name).collect::<Value>(),
            "events": record.event_rows,
            "event_count": record.event_count,
            "steps": scenario.stepping.is_some() && record.trace.legs.is_none(),
            "legs": record.trace.legs.is_some(),
            "end": last.map_or(0.0, |(state, _)| state.time),
            "last": self.last.filter(|_| cut.is_none()).map(|sample| {
                let [ax, ay] = scene.seen_by(&sample).world_sample(&sample).acceleration.into();
                json!({
                    "phase": sample.phase.name(), "ax": ax, "ay": ay, "normal": sample.normal_force,
                    "friction": sample.friction_force, "second": sample.second_normal_force,
                })
            }),
            "cut": cut,
            "plain_gaps": self.path.plain_gaps(),
            "rough": self.path.motion.rough,
            "jumps": self.path.jumps.iter().map(|(piece, capture)| jump(*piece, capture)).collect::<Value>(),
        });
        let around = match &record.trace.legs {
            Some(legs) => put_legs(legs, pack),
            None if scenario.stepping.is_some() => self.put_rows(pack),
            None => self.put_path(pack),
        };
        let known = self.put_ground(pack, scene, around);
        document["page"]["known"] = json!(known);
        document
    }

    /// Puts the path of a ball; returns its extent.
    fn put_path(&self, pack: &mut Pack) -> [f64; 4] {
        let PolynomialPath { motion, phases, gap, carried, parts, .. } = &self.path;
        pack.pieces("motion", motion);
        pack.words("phases", phases.iter().map(|phase| phase.name()));
        pack.pieces("gap", gap);
        let parts = parts.iter().enumerate().map(|(k, part)| (format!("part{k}"), part));
        for (name, carried) in parts.chain([("carried".to_owned(), carried)]).filter(|(_, carried)| carried.len() > 0) {
            pack.pieces(&name, carried);
        }
        debug_assert_eq!(motion.lengths.len(), ENTRIES * motion.len());
        self.path.extent()
    }

    /// Puts the rows of time stepping; returns the extent of places.
    fn put_rows(&self, pack: &mut Pack) -> [f64; 4] {
        let PageRows { times, rows, .. } = &self.rows;
        pack.doubles("rows.times", times);
        for i in 0..2 {
            pack.doubles(["rows.x", "rows.y"][i], &rows.iter().map(|row| row.position[i]).collect::<Vec<_>>());
        }
        for (i, PageNumber { name, .. }) in FIELDS.iter().enumerate() {
            pack.singles(&format!("rows.{name}"), &rows.iter().map(|row| row.more[i]).collect::<Vec<_>>());
        }
        pack.words("rows.phases", rows.iter().map(|row| row.phase.name()));
        extent(rows.iter().map(|row| (row.position[0], row.position[1])))
    }

    /// Puts the ground; returns the abscissas, m, up to which infinite ground is included.
    fn put_ground(&self, pack: &mut Pack, scene: &Scene, around: [f64; 4]) -> [Option<f64>; 2] {
        // Wide enough for a wide window on a high track.
        let room = 3.0 * margin(around, scene.ball.radius())
            + (0.3 * (around[1] - around[0])).max(2.5 * (around[3] - around[2]));
        let room = if room.is_finite() { room } else { 1.0 };
        let around = if around.iter().all(|c| c.is_finite()) { around } else { [0.0; 4] };
        let [left, right, _, _] = around;
        // On a grid of an eighth of the power of two below its width: ground that does not change stays the same from
        // run to run.
        let grid = 0.125 * f64::from_bits((right - left + 2.0 * room).to_bits() >> 52 << 52);
        let wide = [((left - room) / grid).floor() * grid, ((right + room) / grid).ceil() * grid];
        let size = wide.iter().fold(grid, |most, x| most.max(x.abs()));
        let ground = lines(scene.ground.ground(), wide, 1e-12 * size);
        pack.pieces("ground", &ground.pieces);
        if !scene.parts.is_empty() {
            let part = |piece: &usize| scene.part_of_curve(scene.ground.ground().curve_of(*piece)).min(255) as u8;
            pack.bytes("ground.part", &ground.of.iter().map(part).collect::<Vec<_>>());
        }
        pack.bytes("ground.joined", &ground.joined.iter().map(|joined| u8::from(*joined)).collect::<Vec<_>>());
        ground.known
    }
}

/// Puts the legs of several balls, ball after ball; returns the extent of their paths.
fn put_legs(legs: &Legs, pack: &mut Pack) -> [f64; 4] {
    let balls = &legs.balls;
    let mut first = vec![0.0];
    first.extend(balls.iter().scan(0, |sum, legs| {
        *sum += legs.len();
        Some(*sum as f64)
    }));
    pack.doubles("legs.first", &first);
    type Column = (&'static str, fn(&Leg) -> f64);
    let column = |f: fn(&Leg) -> f64| balls.iter().flatten().map(f).collect::<Vec<_>>();
    let doubles: [Column; 7] = [
        ("time", |leg| leg.time()),
        ("x", |leg| leg.told.state.position.x),
        ("y", |leg| leg.told.state.position.y),
        ("vx", |leg| leg.told.state.velocity.x),
        ("vy", |leg| leg.told.state.velocity.y),
        ("ax", |leg| leg.told.acceleration.x),
        ("ay", |leg| leg.told.acceleration.y),
    ];
    let singles: [Column; 10] = [
        ("angle", |leg| leg.told.state.angle),
        ("spin", |leg| leg.told.state.spin),
        ("turn", |leg| leg.told.spin_acceleration),
        ("normal", |leg| leg.told.forces[0]),
        ("friction", |leg| leg.told.forces[1]),
        ("dissipated", |leg| leg.told.state.dissipated),
        ("exchanged", |leg| leg.told.exchanged),
        ("gap", |leg| leg.gap),
        ("nx", |leg| leg.normal.x),
        ("ny", |leg| leg.normal.y),
    ];
    for (name, f) in doubles {
        pack.doubles(&format!("legs.{name}"), &column(f));
    }
    for (name, f) in singles {
        pack.singles(&format!("legs.{name}"), &column(f).iter().map(|value| *value as f32).collect::<Vec<_>>());
    }
    pack.words("legs.phases", balls.iter().flatten().map(|leg| leg.told.phase.name()));
    pack.bytes("legs.stepped", &balls.iter().flatten().map(|leg| u8::from(leg.told.stepped)).collect::<Vec<_>>());
    let places = balls.iter().flat_map(|legs| {
        let middle = legs.windows(2).map(|pair| pair[0].place(0.5 * (pair[0].time() + pair[1].time()), Some(&pair[1])));
        legs.iter().map(|leg| leg.told.state.position).chain(middle)
    });
    extent(places.map(|place| (place.x, place.y)))
}

/// Summed-up bounces, as the frozen parabolas of `supervisor::Capture`.
fn jump(piece: usize, capture: &Capture) -> Value {
    let Capture { start, frame, speed, pull, acceleration, duration, .. } = capture;
    json!({
        "piece": piece,
        "position": [start.position.x, start.position.y],
        "tangent": [frame.tangent.x, frame.tangent.y],
        "normal": [frame.normal.x, frame.normal.y],
        "along": start.velocity.dot(&frame.tangent),
        "acceleration": acceleration,
        "speed": speed,
        "pull": pull,
        "restitution": capture.restitution(),
        "duration": duration,
        "angle": start.angle,
        "spin": start.spin,
    })
}
