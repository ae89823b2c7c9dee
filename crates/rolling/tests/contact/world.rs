//! A ball on a ground, stepped by hand.

use std::sync::Arc as Shared;

use curves::{Arc, Graph, Ground, OffsetGround, Piece, Place};
use mechanics::{Ball, ContactLaw, Forces, Friction, Mode, State};
use nalgebra::Vector2;
use newmark::{Control, Scheme};
use numbers::{Expression, Interval};
use rolling::{ContactMethod, ContactState, ContactStep, ContactSystem, Formulation, Newmark};

pub const G: f64 = 9.81;

pub const ALL: [(&str, Formulation); 5] = [
    ("index3", Formulation::Index3),
    ("stabilized-index2", Formulation::StabilizedIndex2),
    ("projected", Formulation::Projected),
    ("symmetric", Formulation::Symmetric),
    ("arc-length", Formulation::ArcLength),
];

pub struct World {
    pub ground: OffsetGround,
    pub ball: Ball,
    pub forces: Forces,
    pub contact: ContactLaw,
    pub mode: Mode,
}

fn weight(ball: &Ball) -> Forces {
    Forces::gravity(ball, Vector2::new(0.0, -G)).expect("finite")
}

impl World {
    /// A circular bowl in which the centre's path has radius 1 around the origin; 1 kg.
    pub fn bowl(radius: f64, k: f64) -> World {
        let (arc, length) = Arc::new(Vector2::zeros(), 1.0 + radius, 0.5 - std::f64::consts::PI, -0.5).expect("an arc");
        let ground = Ground::by_arc_length(vec![Piece::of(arc, Interval::new(0.0, length))]).expect("a ground");
        let ball = Ball::new(1.0, radius, k).expect("a ball");
        let contact = ContactLaw::new(0.0).expect("a law");
        let mode = if radius > 0.0 { Mode::ROLLING } else { Mode::slides(0.0) };
        World { ground: OffsetGround::new(Shared::new(ground), radius), forces: weight(&ball), ball, contact, mode }
    }

    /// The bowl of radius 1 as a graph, for a bead.
    pub fn bowl_by_formula() -> World {
        let y = Expression::parse("-sqrt(1 - x^2)", &["x"], &[]).expect("a formula");
        let ground = Ground::new(vec![Piece::of(Graph { y }, Interval::new(-0.95, 0.95))]).expect("a ground");
        World { ground: OffsetGround::new(Shared::new(ground), 0.0), ..World::graph("0*x") }
    }

    /// A bead of 1 kg on `y(x)`, frictionless.
    pub fn graph(y: &str) -> World {
        World::ball_on_graph(y, Ball::point(1.0).expect("a ball"))
    }

    pub fn ball_on_graph(y: &str, ball: Ball) -> World {
        let y = Expression::parse(y, &["x"], &[]).expect("a formula");
        let ground = Ground::new(vec![Piece::of(Graph { y }, Interval::REAL)]).expect("a ground");
        let contact = ContactLaw::new(0.0).expect("a law");
        let ground = OffsetGround::new(Shared::new(ground), ball.radius());
        World { ground, forces: weight(&ball), ball, contact, mode: Mode::slides(0.0) }
    }

    pub fn with_friction(mut self, mu: f64, mode: Mode) -> World {
        self.contact = self.contact.with_friction(Friction::Coefficient(mu)).expect("allowed");
        self.mode = mode;
        self
    }
    pub fn with_damping(mut self, damping: f64) -> World {
        self.contact = self.contact.with_rolling_damping(damping).expect("allowed");
        self
    }

    pub fn system(&self) -> ContactSystem<'_> {
        let World { ground, ball, forces, contact, mode } = self;
        ContactSystem { ground, ball, forces, contact, mode: *mode }
    }

    /// `[λ, f]` of the method itself, which are the law's where it carries no acceleration.
    pub fn multiplier(&self, state: &ContactState) -> [f64; 2] {
        self.system().multiplier(state)
    }

    /// At a parameter, with a speed along τ.
    pub fn start(&self, parameter: f64, speed: f64, spin: f64) -> ContactState {
        let place = Place::Piece { index: 0, parameter };
        let frame = self.ground.frame(place);
        let state = State {
            time: 0.0,
            position: frame.position,
            velocity: frame.tangent * speed,
            angle: 0.0,
            spin,
            dissipated: 0.0,
            work: 0.0,
        };
        self.system().begin(&state, place)
    }

    /// In the bowl, at rest `angle` from the bottom.
    pub fn release(&self, angle: f64) -> ContactState {
        if self.ground.ground().piece(0).curve().shape().is_none() {
            return self.start(angle.sin(), 0.0, 0.0);
        }
        let middle = 0.5 * (std::f64::consts::PI - 1.0);
        self.start((middle + angle) * (1.0 + self.ball.radius()), 0.0, 0.0)
    }
}

/// A method with fixed steps.
pub fn fixed(formulation: Formulation, step: f64, extrapolate: bool) -> Newmark {
    Newmark::new(formulation, Scheme::AVERAGE, Control::Step { step, extrapolate }).expect("they go together")
}

/// One step of `h` s (also negative) from a state.
pub fn step(world: &World, method: &mut Newmark, from: &ContactState, h: f64) -> ContactState {
    let mut step = ContactStep::begin(from);
    step.start = *from;
    match method.step(&world.system(), &mut step, from.time + h) {
        Ok(()) => {
            step.account(&world.system());
            step.end
        }
        Err(error) => panic!("{error}"),
    }
}

/// Steps of `h` until `until`, each shown.
pub fn follow(
    world: &World,
    formulation: Formulation,
    (h, extrapolate): (f64, bool),
    start: ContactState,
    until: f64,
    mut see: impl FnMut(&ContactState),
) -> ContactState {
    let mut method = fixed(formulation, h, extrapolate);
    let mut state = start;
    for i in 1..=(until / h).round() as u64 {
        state = step(world, &mut method, &state, h);
        state.time = h * i as f64;
        see(&state);
    }
    state
}

/// Slope of the logarithm of errors over that of steps, by least squares.
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|(h, e)| (h.ln(), e.abs().ln())).unzip();
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let cross: f64 = x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum();
    cross / x.iter().map(|x| (x - mx).powi(2)).sum::<f64>()
}
