//! Reads balls: `[ball]` with `[initial]`, `[[ball]]` tables that each have their own, `[[balls]]` that make many.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use curves::{Ground, OffsetGround, Solid};
use mechanics::{Ball, Carriage, Compliance, ContactLaw, Forces, State};
use nalgebra::Vector2;
use serde_json::Value as Json;
use supervisor::{Part, Scene, Start};

use crate::Methods;
use crate::compliance::read_compliance;
use crate::initial_keys::read_start;
use crate::input::{InputError, Node, Reader, Span, Value, counted, plain, wrong_type};
use crate::many_balls::{MOST, MadeBall, Taken, read_many};
use crate::physics::{parameter_error, read_ball, read_forces};
use crate::scenario::{BallSetup, CurveInfo};
use crate::settings::SteppingKind;
use crate::start_on_ground::Initial;

/// Maximum number of parts of ground as balls of all radii see it: each takes some 300 bytes.
const MAX_FACES: usize = 1_050_000;

pub(crate) struct BallSetups {
    pub balls: Vec<BallSetup>,
    /// Position in the text of each ball's start.
    pub spans: Vec<Span>,
    /// The external force as written.
    pub external: serde_json::Value,
    /// Compliant contact, only allowed with one ball.
    pub compliance: Option<Compliance>,
}

/// Ground, laws and motion that all balls share.
pub(crate) struct Surroundings<'a> {
    pub ground: &'a Arc<Ground>,
    /// Offset ground for one radius, if it is known.
    pub offset: Option<&'a Arc<OffsetGround>>,
    pub info: &'a CurveInfo,
    pub law: &'a ContactLaw,
    pub own_laws: &'a [ContactLaw],
    pub carriage: Option<&'a Carriage>,
    pub parts: &'a [Part],
    /// Greatest depth of a start below the ground, m: `solver.capture-tolerance`.
    pub slack: f64,
    pub methods: &'a Methods,
    /// Folder that paths are relative to.
    pub base: &'a Path,
}

/// Reads all balls. Balls of equal radius share an offset ground.
pub(crate) fn read_balls(
    root: &mut Reader,
    given: &Surroundings,
    stepping: Option<SteppingKind>,
) -> Result<BallSetups, InputError> {
    let (written, made) = (root.get("ball"), root.get("balls"));
    let written = match written {
        Some(Node { value: Value::Array(items), span }) => Some((items.as_slice(), span)),
        Some(node) if made.is_some() => {
            let help = match node.span.is_setting() {
                true => "balls of a `[[balls]]` table have its numbers: set those, as `balls.1.mass`",
                false => "write it as `[[ball]]`, with its own `initial`",
            };
            return Err(InputError::new(&node.span, "`[ball]` stands beside `[[balls]]`", "one ball").with_help(help));
        }
        _ => None,
    };
    let made = match made {
        Some(Node { value: Value::Array(items), span }) => Some((items.as_slice(), span)),
        Some(node) => {
            return Err(wrong_type(node, "balls", "tables").with_help("write `[[balls]]`, with two brackets"));
        }
        None => None,
    };
    let Some((_, span)) = written.or(made) else { return read_single(root, given, stepping.is_some()) };
    if let Some(initial) = root.get("initial") {
        let message = "`[initial]` stands beside `[[ball]]` or `[[balls]]` tables";
        return Err(InputError::new(&initial.span, message, "whose start this is can't be known")
            .with_help("give each ball its own: `initial = { position = [x, y], … }` in its `[[ball]]` table"));
    }
    let mut many = Many {
        given,
        stepping: stepping.is_some(),
        by_steps: stepping != Some(SteppingKind::Events),
        scenes: Vec::new(),
        by_radius: HashMap::new(),
        found: Vec::new(),
        used: Json::Null,
        solids: OnceCell::new(),
    };
    let mut taken = Taken::default();
    for (index, item) in written.into_iter().flat_map(|(items, _)| items).enumerate() {
        many.read(root, item, index)?;
    }
    for (setup, _) in &many.found {
        taken.add(position(setup), setup.ball.radius());
    }
    for (index, item) in made.into_iter().flat_map(|(items, _)| items).enumerate() {
        many.make(root, item, index, &mut taken)?;
    }
    if many.found.is_empty() {
        return Err(InputError::new(span, "there is no ball", "at least one ball"));
    }
    let tables: Vec<&Node> = written.into_iter().chain(made).flat_map(|(items, _)| items).collect();
    let second = tables.get(1).or(tables.first()).map_or(span, |node| &node.span);
    check_method(&many.found, stepping, second)?;
    Ok(many.finish())
}

/// Refuses methods that can't run these balls; `second`: position of the second ball in the text.
fn check_method(found: &[Found], stepping: Option<SteppingKind>, second: &Span) -> Result<(), InputError> {
    let count = found.len();
    if count > 1 && stepping.is_none() {
        let message = format!("{count} balls need time stepping: an event-driven run knows one ball");
        return Err(InputError::new(second, message, "the second ball")
            .with_help("set `solver.method = \"moreau\"`, or \"events\" where they are few, and `solver.step`, in s"));
    }
    if count > 1 && stepping == Some(SteppingKind::Kern) {
        return Err(InputError::new(second, "Kern's scheme knows one ball", "the second ball")
            .with_help("set `solver.method = \"moreau\"`"));
    }
    if let (None, Some((_, span))) = (stepping, found.iter().find(|(setup, _)| setup.release > 0.0)) {
        let message = "a ball that is let go later needs many balls";
        return Err(InputError::new(span, message, "unknown to a run of one ball")
            .with_help("set `solver.method = \"moreau\"`, or give `initial.time`"));
    }
    Ok(())
}

/// A ball with its position in the text.
type Found = (BallSetup, Span);

/// Collects the balls of all tables.
struct Many<'a, 'b> {
    given: &'a Surroundings<'b>,
    stepping: bool,
    /// Whether by time stepping; else event by event.
    by_steps: bool,
    /// One scene per radius.
    scenes: Vec<Scene>,
    /// Index of a scene, by the bits of its radius.
    by_radius: HashMap<u64, usize>,
    found: Vec<Found>,
    used: Json,
    /// Ground that a random place may be below.
    solids: OnceCell<Vec<Solid>>,
}

/// Position of the centre at the start, m.
fn position(setup: &BallSetup) -> Vector2<f64> {
    match setup.start {
        Start::Flight(state) => state.position,
        Start::Contact { place, .. } => setup.ground.frame(place).position,
    }
}

impl Many<'_, '_> {
    /// Index of the scene for a ball's radius, which is made if needed.
    fn scene(&mut self, root: &mut Reader, ball: Ball, place: &Span) -> Result<usize, InputError> {
        let (forces, external) = read_forces(root, &ball, self.given.carriage)?;
        self.used = external;
        let radius = ball.radius().to_bits();
        if let Some(&known) = self.by_radius.get(&radius) {
            (self.scenes[known].ball, self.scenes[known].forces) = (ball, forces);
            return Ok(known);
        }
        self.given.room(self.scenes.len() + 1, place)?;
        self.scenes.push(self.given.scene(root, ball, forces, self.stepping)?);
        self.by_radius.insert(radius, self.scenes.len() - 1);
        Ok(self.scenes.len() - 1)
    }

    fn read(&mut self, root: &mut Reader, item: &Node, index: usize) -> Result<(), InputError> {
        let mut table = Reader::new(item, &format!("[[ball]] {}", index + 1))?;
        let ball = read_ball(&mut table)?;
        let scene = self.scene(root, ball, &item.span)?;
        let named = |error: InputError| match error.help_text() {
            Some(_) => error,
            None => error.with_help(format!("this is ball {}", index + 1)),
        };
        let Surroundings { info, slack, .. } = *self.given;
        let (initial, start) = read_start(&mut table, &self.scenes[scene], info, slack).map_err(named)?;
        let rule = "zero or positive, and finite (s)";
        let release = table.number_where("release", rule, |value| value >= 0.0 && value.is_finite())?.unwrap_or(0.0);
        let span = table.get("initial").map_or(&item.span, |node| &node.span).clone();
        table.finish()?;
        let Scene { ground, forces, .. } = self.scenes[scene].clone();
        let (resumed, in_ground) = (false, false);
        self.found.push((BallSetup { ball, ground, forces, initial, start, release, resumed, in_ground }, span));
        Ok(())
    }

    /// Adds the balls of a `[[balls]]` table.
    fn make(&mut self, root: &mut Reader, item: &Node, index: usize, taken: &mut Taken) -> Result<(), InputError> {
        let name = format!("[[balls]] {}", index + 1);
        let ground = self.given.ground.clone();
        // Every solid curve is tested: a place may be below another curve than the nearest.
        let solids = || self.solids.get_or_init(|| ground.solids().collect());
        let mut free = |ball: &Ball, q: Vector2<f64>| {
            ground.closest(q).distance.abs() >= ball.radius() && ground.deepest_below(solids(), q).is_none()
        };
        let made = read_many(item, &name, self.given.base, taken, &mut free)?;
        if (self.found.len() + made.len()) as f64 > MOST {
            let message = format!("{} balls in all", self.found.len() + made.len());
            return Err(InputError::new(&item.span, message, format!("at most {}", plain(MOST))));
        }
        for (number, MadeBall { ball, position, velocity, angle, spin, release, resumed }) in
            made.into_iter().enumerate()
        {
            let scene = self.scene(root, ball, &item.span)?;
            let initial = Initial::Thrown { position, velocity, spin, time: 0.0, touched: None, strands: 0 };
            // An earlier run by time stepping may end inside the ground; an event-driven run moves such a ball onto it.
            let slack = if resumed { self.given.slack.max(ball.radius()) } else { self.given.slack };
            let start = initial.start(&self.scenes[scene], slack);
            let (mut start, _) = start.map_err(|error| {
                let message =
                    format!("ball {} of {name} can't start at {:?}: {error}", number + 1, [position.x, position.y]);
                InputError::new(&item.span, message, "a place of one of these balls")
                    .with_help("put the region, grid or mouth where no ball of this radius touches the ground")
            })?;
            if let Start::Flight(state) = &mut start {
                state.angle = angle;
                if resumed && self.by_steps {
                    state.position += position - self.scenes[scene].world(state).position;
                }
            }
            let Scene { ground, forces, .. } = self.scenes[scene].clone();
            let in_ground = resumed && self.by_steps;
            let setup = BallSetup { ball, ground, forces, initial, start, release, resumed, in_ground };
            self.found.push((setup, item.span.clone()));
        }
        Ok(())
    }

    /// All balls; for time stepping in the order of their release.
    fn finish(mut self) -> BallSetups {
        if self.by_steps {
            self.found.sort_by(|(one, _), (other, _)| one.release.total_cmp(&other.release));
        }
        let compliance = self.scenes.first_mut().and_then(|scene| scene.compliance.take());
        let (balls, spans) = self.found.into_iter().unzip();
        BallSetups { balls, spans, external: self.used, compliance }
    }
}

impl Surroundings<'_> {
    /// Refuses so many offset grounds if all together would be larger than a ground may be.
    fn room(&self, radii: usize, place: &Span) -> Result<(), InputError> {
        let (faces, moving) = (self.ground.face_count(), self.parts.len());
        // Curves that move together are a ground of their own, with places for all pieces and curves.
        let places = self.ground.pieces().len() + self.ground.curves();
        let apart = if moving == 0 { 0 } else { faces + moving * places };
        // A ground without parts takes as much as 8.
        if radii.saturating_mul(8 + faces + apart) <= MAX_FACES {
            return Ok(());
        }
        let message = format!(
            "the ground has {}, with both sides of curves with ends, and arcs around corners, for balls of {radii} radi{}",
            counted((faces + apart) as u64, "part"),
            if radii == 1 { "us" } else { "i" }
        );
        let rule = format!("radii times parts are at most {MAX_FACES}");
        Err(InputError::new(place, message, rule).with_help(
            "give fewer radii: radius = { among = [0.004, 0.005] }; fewer curves that move on their own; or leave out \
             what is finer than a ball can feel",
        ))
    }

    fn scene(&self, root: &mut Reader, ball: Ball, forces: Forces, stepping: bool) -> Result<Scene, InputError> {
        let compliance = read_compliance(root, &ball, self.methods, stepping)?;
        let known = self.offset.filter(|known| known.radius() == ball.radius()).cloned();
        let ground = known.unwrap_or_else(|| Arc::new(OffsetGround::new(self.ground.clone(), ball.radius())));
        let (own_laws, parts) = (self.own_laws.to_vec(), self.parts.to_vec());
        Ok(Scene { own_laws, parts, compliance, ..Scene::new(ground, ball, forces, self.law.clone()) })
    }
}

fn read_single(root: &mut Reader, given: &Surroundings, stepping: bool) -> Result<BallSetups, InputError> {
    let ball = match root.table("ball")? {
        Some(mut table) => {
            let ball = read_ball(&mut table)?;
            table.finish()?;
            ball
        }
        None => Ball::point(1.0).map_err(|error| parameter_error(None, &error))?,
    };
    let (forces, external) = read_forces(root, &ball, given.carriage)?;
    given.room(1, root.get("ground").map_or(root.span(), |ground| &ground.span))?;
    let scene = given.scene(root, ball, forces, stepping)?;
    let (initial, start) = read_start(root, &scene, given.info, given.slack)?;
    let span = root.get("initial").map_or(root.span(), |node| &node.span).clone();
    let Scene { ground, ball, forces, compliance, .. } = scene;
    let ball_setup = BallSetup { ball, ground, forces, initial, start, release: 0.0, resumed: false, in_ground: false };
    Ok(BallSetups { balls: vec![ball_setup], spans: vec![span], external, compliance })
}

impl BallSetup {
    /// State of the ball at the start.
    pub fn state(&self) -> State {
        let (place, speed, spin) = match self.start {
            Start::Flight(state) if self.in_ground => return state,
            Start::Flight(state) => return State { position: self.lifted(state.position), ..state },
            Start::Contact { place, speed, spin, .. } => (place, speed, spin),
        };
        let frame = self.ground.frame(place);
        let rolling = if self.ball.turns() { -speed / self.ball.radius() } else { 0.0 };
        State {
            position: self.lifted(frame.position),
            velocity: frame.tangent * speed,
            spin: spin.unwrap_or(rolling),
            ..State::default()
        }
    }

    /// The position moved out of the ground by the rounding of a start.
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
