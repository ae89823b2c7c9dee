//! `[ball]` with `[initial]`, or `[[ball]]` tables that each have their own.

use std::sync::Arc;

use curves::{Ground, OffsetGround};
use mechanics::{Ball, Carriage, Compliance, ContactLaw, Forces, State};
use nalgebra::Vector2;
use supervisor::{Part, Scene, Start};

use crate::Methods;
use crate::compliance::read_compliance;
use crate::initial::Initial;
use crate::input::{InputError, Node, Reader, Span, Value};
use crate::physics::{default_ball, read_ball, read_forces};
use crate::scenario::{BallSetup, CurveInfo};
use crate::settings::SteppingMethod;
use crate::start::read_start;

/// The balls of a scenario.
pub(crate) struct BallSetups {
    pub balls: Vec<BallSetup>,
    /// Where each starts in the text.
    pub spans: Vec<Span>,
    /// The external force as written.
    pub external: serde_json::Value,
    /// Compliant contact, which one ball alone may have.
    pub compliance: Option<Compliance>,
}

/// What all balls meet.
pub(crate) struct Surroundings<'a> {
    pub ground: &'a Arc<Ground>,
    pub info: &'a CurveInfo,
    pub law: ContactLaw,
    pub own_laws: &'a [ContactLaw],
    pub carriage: Option<&'a Carriage>,
    pub parts: &'a [Part],
    /// A start may be this far below the ground, m: as far as a captured bounce of the same run.
    pub slack: f64,
    pub methods: &'a Methods,
}

/// Reads all balls. Grounds of equal radii are shared.
pub(crate) fn read_balls(
    root: &mut Reader,
    given: &Surroundings,
    stepping: Option<&SteppingMethod>,
) -> Result<BallSetups, InputError> {
    let Some(Node { value: Value::Array(items), span }) = root.get("ball") else {
        return read_single(root, given, stepping.is_some());
    };
    if let Some(initial) = root.get("initial") {
        let message = "`[initial]` stands beside `[[ball]]` tables";
        return Err(InputError::new(&initial.span, message, "whose start this is can't be known")
            .with_help("give each ball its own: `initial = { position = [x, y], … }` in its `[[ball]]` table"));
    }
    if items.is_empty() {
        return Err(InputError::new(span, "`ball` is an empty list", "at least one ball"));
    }
    if let (Some(second), None) = (items.get(1), stepping) {
        let message = format!("{} balls need time stepping: an event-driven run knows one ball", items.len());
        return Err(InputError::new(&second.span, message, "the second ball")
            .with_help("set `solver.method = \"moreau\"`, or \"events\" where they are few, and `solver.step`, in s"));
    }
    if let (Some(second), Some(SteppingMethod::Kern)) = (items.get(1), stepping) {
        return Err(InputError::new(&second.span, "Kern's scheme knows one ball", "the second ball")
            .with_help("set `solver.method = \"moreau\"`"));
    }
    let mut scenes: Vec<Scene> = Vec::new();
    let mut found = Vec::new();
    let mut spans = Vec::new();
    let mut used = serde_json::Value::Null;
    for (index, item) in items.iter().enumerate() {
        let mut table = Reader::new(item, &format!("[[ball]] {}", index + 1))?;
        let ball = read_ball(&mut table)?;
        let (forces, external) = read_forces(root, &ball, given.carriage)?;
        used = external;
        let scene = match scenes.iter().position(|scene| scene.ball.radius() == ball.radius()) {
            Some(known) => {
                (scenes[known].ball, scenes[known].forces) = (ball, forces.clone());
                known
            }
            None => {
                scenes.push(given.scene(root, ball, forces.clone(), stepping.is_some())?);
                scenes.len() - 1
            }
        };
        let (initial, start) = read_start(&mut table, (&scenes[scene], given.info), given.slack).map_err(|error| {
            match error.help_text() {
                Some(_) => error,
                None => error.with_help(format!("this is ball {}", index + 1)),
            }
        })?;
        spans.push(table.get("initial").map_or(&item.span, |node| &node.span).clone());
        table.finish()?;
        found.push((ball, scene, forces, initial, start));
    }
    let compliance = scenes.first_mut().and_then(|scene| scene.compliance.take());
    let grounds: Vec<Arc<OffsetGround>> = scenes.into_iter().map(|scene| scene.ground).collect();
    let ball_setup = |(ball, scene, forces, initial, start): (_, usize, Forces, Initial, Start)| BallSetup {
        ball,
        ground: grounds[scene].clone(),
        forces,
        initial,
        start,
    };
    Ok(BallSetups { balls: found.into_iter().map(ball_setup).collect(), spans, external: used, compliance })
}

impl Surroundings<'_> {
    fn scene(&self, root: &mut Reader, ball: Ball, forces: Forces, stepping: bool) -> Result<Scene, InputError> {
        let compliance = read_compliance(root, &ball, self.methods, stepping)?;
        let ground = Arc::new(OffsetGround::new(self.ground.clone(), ball.radius()));
        let (own_laws, parts) = (self.own_laws.to_vec(), self.parts.to_vec());
        Ok(Scene { own_laws, parts, compliance, ..Scene::new(ground, ball, forces, self.law) })
    }
}

fn read_single(root: &mut Reader, given: &Surroundings, stepping: bool) -> Result<BallSetups, InputError> {
    let ball = match root.table("ball")? {
        Some(mut table) => {
            let ball = read_ball(&mut table)?;
            table.finish()?;
            ball
        }
        None => default_ball()?,
    };
    let (forces, external) = read_forces(root, &ball, given.carriage)?;
    let scene = given.scene(root, ball, forces, stepping)?;
    let (initial, start) = read_start(root, (&scene, given.info), given.slack)?;
    let span = root.get("initial").map_or(root.span(), |node| &node.span).clone();
    let Scene { ground, ball, forces, compliance, .. } = scene;
    let ball_setup = BallSetup { ball, ground, forces, initial, start };
    Ok(BallSetups { balls: vec![ball_setup], spans: vec![span], external, compliance })
}

impl BallSetup {
    /// The ball at the start.
    pub fn state(&self) -> State {
        let (place, speed, spin) = match self.start {
            Start::Flight(state) => return State { position: self.lifted(state.position), ..state },
            Start::Contact { place, speed, spin, .. } => (place, speed, spin),
        };
        let frame = self.ground.frame(place);
        let rolling = if self.ball.turns() { -speed / self.ball.radius() } else { 0.0 };
        State {
            time: 0.0,
            position: self.lifted(frame.position),
            velocity: frame.tangent * speed,
            angle: 0.0,
            spin: spin.unwrap_or(rolling),
            dissipated: 0.0,
            work: 0.0,
        }
    }

    /// Out of the ground by what the rounding of a start may put it in.
    fn lifted(&self, mut position: Vector2<f64>) -> Vector2<f64> {
        for _ in 0..3 {
            let near = self.ground.ground().closest(position);
            let gap = near.distance - self.ground.radius();
            if !(gap < 0.0) {
                break;
            }
            let away = position - near.point;
            let normal = self.ground.ground().piece(near.piece).jet(near.parameter).normal();
            position +=
                if near.distance > 0.0 && self.ground.radius() > 0.0 { away / near.distance } else { normal } * -gap;
        }
        position
    }
}
