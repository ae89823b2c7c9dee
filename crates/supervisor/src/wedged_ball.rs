//! State of a ball held by two contacts: its forces, its spin, and when they are a slot, as wide as the ball, instead.

use curves::{Frame, Place, Touched};
use mechanics::{ContactLaw, Forces, Held, State, Wedge, WedgeForces};
use nalgebra::Vector2;
use numbers::{Interval, Rounding};

use crate::event::TouchPoint;
use crate::{Phase, Sample, Scene, Stop};

/// A ball held by two contacts, with its centre at rest; it may spin.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Wedged {
    /// Places of both contacts, in the order of the ground.
    pub places: [Place; 2],
    pub frames: [Frame; 2],
    pub wedge: Wedge,
    pub state: State,
}

/// A ball held by two contacts in the end of a run.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct WedgedEnd {
    /// The ground points as the ground sees them, m, in the order of the ground.
    pub points: [Vector2<f64>; 2],
    /// λ of each, N.
    pub normal_forces: [f64; 2],
    /// f of each along its τ, N.
    pub friction_forces: [f64; 2],
    /// Range of T (N): a ball at rest may also have friction `f₁ = T`, `f₂ = −T`; `None`: its forces are unique.
    pub other_friction: Option<[f64; 2]>,
}

/// Sine of the angle between opposite walls below which the narrowest place between them is searched.
const PASSAGE: f64 = 1e-4;

/// Sine of the angle between the normals of two contacts, if the ball comes there into a slot exactly as wide as
/// itself, to rounding: its motion would not be determined.
///
/// While the first contact stays closed, the gap of the second is `g + ℓ n₂·τ₁ − ½ (κ₁ + κ₂) ℓ²` along the centre path,
/// if the normals are nearly opposite. Between walls that are convex (κ₁ + κ₂ < 0) it is least where they are parallel.
pub(crate) fn slot(scene: &Scene, places: [Place; 2], state: &State) -> Option<f64> {
    let ground = &scene.ground;
    let frames = places.map(|place| ground.frame(place));
    let [a, b] = &frames;
    let sine = a.normal.perp(&b.normal);
    let gap = (a.position - b.position).dot(&b.normal);
    let bend = -(a.curvature + b.curvature);
    // A point needs no width: between curves that bend apart it has room even where they touch.
    if a.normal.dot(&b.normal) >= 0.0 || sine.abs() > PASSAGE || ground.radius() == 0.0 && bend > 0.0 {
        return None;
    }
    let length = scene.rounding(state, places[0]).length;
    let fits = |gap: f64| Rounding::vanishes(gap, length);
    if sine.abs() <= Wedge::PARALLEL {
        return fits(gap).then_some(sine);
    }
    let rate = b.normal.dot(&a.tangent);
    // Ways ℓ along both walls to where they are parallel.
    let ways = [-rate / bend, rate / bend];
    let on_it = |i: usize| {
        let turn = ways[i] / frames[i].speed;
        let there = places[i].parameter() + turn;
        let Interval { lo, hi } = ground.range(places[i]);
        lo - 1e-3 * turn.abs() <= there && there <= hi + 1e-3 * turn.abs()
    };
    // Only for a ball that moves into the slot.
    let comes = state.velocity.dot(&a.tangent) * ways[0] >= 0.0;
    let narrow = bend > 0.0 && comes && fits(gap - 0.5 * rate * rate / bend);
    (narrow && on_it(0) && on_it(1)).then_some(sine)
}

impl Wedged {
    /// A ball with its centre in this state at the two places that it touches. They are moved so that both gaps vanish:
    /// a search that ends at one of them leaves the other open by rounding.
    pub fn new(scene: &Scene, places: [Place; 2], state: &State) -> Result<Self, Stop> {
        let ground = &scene.ground;
        let slot_with = |sine: f64| Stop::Slot { time: state.time, centre: state.position, sine };
        if let Some(sine) = slot(scene, places, state) {
            return Err(slot_with(sine));
        }
        let order = |place: Place| match place {
            Place::Piece { index, parameter } => (2 * index + 1, parameter),
            Place::Corner { joint, parameter } => (2 * joint, parameter),
        };
        let mut places = if order(places[0]) <= order(places[1]) { places } else { [places[1], places[0]] };
        let mut frames = places.map(|place| ground.frame(place));
        // Newton's method, until the distance between the places no longer halves.
        let mut apart = f64::INFINITY;
        loop {
            let away = frames[1].position - frames[0].position;
            let [a, b] = frames.map(|frame| frame.tangent);
            let sine = a.perp(&b);
            if !(away.norm() < 0.5 * apart) || away == Vector2::zeros() || sine == 0.0 {
                break;
            }
            apart = away.norm();
            let steps = [away.perp(&b) / sine, away.perp(&a) / sine];
            for i in [0, 1] {
                places[i] = places[i].at(places[i].parameter() + steps[i] / frames[i].speed);
                frames[i] = ground.frame(places[i]);
            }
        }
        let Some(wedge) = Wedge::new([&frames[0], &frames[1]]) else {
            return Err(slot_with(frames[0].normal.perp(&frames[1].normal)));
        };
        Ok(Wedged { places, frames, wedge, state: State { position: frames[0].position, ..*state } })
    }

    /// Contact forces on the ball.
    pub fn forces(&self, scene: &Scene) -> WedgeForces {
        let State { spin, .. } = self.state;
        self.wedge.forces(&scene.ball, self.laws(scene), scene.forces.force_at(&self.state), spin)
    }

    /// Place and frame of a contact.
    pub fn point(&self, i: usize) -> TouchPoint {
        TouchPoint { place: self.places[i], frame: self.frames[i] }
    }

    /// Index of the contact with the larger normal force.
    pub fn bearing(&self, scene: &Scene) -> usize {
        let [first, second] = self.forces(scene).normal;
        usize::from(second > first)
    }

    pub fn phase(&self, scene: &Scene) -> Phase {
        let spins = scene.ball.turns() && self.state.spin != 0.0;
        if spins { Phase::Sliding } else { Phase::Resting }
    }

    /// The laws of both contacts.
    pub fn laws<'a>(&self, scene: &'a Scene) -> [&'a ContactLaw; 2] {
        self.places.map(|place| scene.law_at(place))
    }

    /// `μ sign(ω)` at both contacts.
    pub fn slip_drags(&self, scene: &Scene) -> [f64; 2] {
        Wedge::slip_drags(&scene.ball, self.laws(scene), self.state.spin)
    }

    /// `(μ + c_rr) sign(ω)` at both contacts.
    pub fn spin_drags(&self, scene: &Scene) -> [f64; 2] {
        Wedge::spin_drags(&scene.ball, self.laws(scene), self.state.spin)
    }

    /// Contacts that hold the ball with its centre at rest.
    pub fn held(&self, scene: &Scene) -> Held {
        let force = scene.forces.force_at(&self.state);
        self.wedge.held(&scene.ball, self.laws(scene), force, self.state.spin)
    }

    /// Places and forces of both contacts, for the summary.
    pub fn end(&self, scene: &Scene) -> WedgedEnd {
        let Scene { ground, forces, .. } = scene;
        let (held, laws) = (self.forces(scene), self.laws(scene));
        let smooth = |law: &&ContactLaw| law.is_smooth();
        let unique = laws.iter().all(smooth) || self.slip_drags(scene) != [0.0; 2];
        WedgedEnd {
            points: self.places.map(|place| ground.ground_point(place)),
            normal_forces: held.normal,
            friction_forces: held.friction,
            other_friction: (!unique).then(|| self.wedge.friction_range(laws, forces.force_at(&self.state))),
        }
    }

    /// Spin (rad/s) and angle (rad) after `t` seconds.
    pub fn turned(&self, scene: &Scene, t: f64) -> (f64, f64) {
        let State { spin, angle, .. } = self.state;
        if self.spin_drags(scene) == [0.0; 2] {
            (spin, angle + spin * t)
        } else if !scene.forces.varies_in_time() && !scene.forces.varies_in_motion() {
            let rate = self.forces(scene).spin_acceleration;
            (spin + rate * t, angle + t * (spin + 0.5 * rate * t))
        } else {
            Spin::new(self, scene).after(t)
        }
    }

    /// The wedged ball at a later time (s).
    pub fn after(&self, scene: &Scene, time: f64) -> Wedged {
        let (spin, angle) = self.turned(scene, time - self.state.time);
        let energy = |spin: f64| scene.ball.kinetic_energy(Vector2::zeros(), spin);
        let dissipated = self.state.dissipated + energy(self.state.spin) - energy(spin);
        Wedged { state: State { time, angle, spin, dissipated, ..self.state }, ..*self }
    }

    pub fn sample(&self, scene: &Scene) -> Sample {
        let forces = self.forces(scene);
        Sample {
            phase: self.phase(scene),
            state: self.state,
            acceleration: Vector2::zeros(),
            place: Some(self.places[0]),
            last: Touched::default(),
            normal_force: forces.normal[0],
            friction_force: forces.friction[0],
            second_normal_force: forces.normal[1],
        }
    }
}

/// Spin of a wedged ball under changing forces: `ω̇ = R(f₁ + f₂)/I`, less rolling resistance.
pub(crate) struct Spin<'a> {
    at: &'a Wedged,
    forces: &'a Forces,
    /// `ω̇ = rate · F`
    rate: Vector2<f64>,
}

impl<'a> Spin<'a> {
    pub fn new(at: &'a Wedged, scene: &'a Scene) -> Self {
        let slows = at.spin_drags(scene).map(|slows| scene.ball.spin_by(slows));
        Spin { at, forces: &scene.forces, rate: -Wedge::weighted(slows, at.wedge.directions(at.slip_drags(scene))) }
    }

    fn slope(&self, t: f64, spin: f64) -> f64 {
        let State { time, position, .. } = self.at.state;
        self.rate.dot(&self.forces.force(time + t, position, Vector2::zeros(), spin))
    }

    /// Spin and angle after `h` seconds from `t`, by the classical Runge–Kutta method.
    fn runge_kutta(&self, t: f64, [spin, angle]: [f64; 2], h: f64) -> [f64; 2] {
        let k1 = self.slope(t, spin);
        let k2 = self.slope(t + 0.5 * h, spin + 0.5 * h * k1);
        let k3 = self.slope(t + 0.5 * h, spin + 0.5 * h * k2);
        let k4 = self.slope(t + h, spin + h * k3);
        let rise = h * (k1 + 2.0 * (k2 + k3) + k4) / 6.0;
        [spin + rise, angle + h * (spin + h * (k1 + k2 + k3) / 6.0)]
    }

    /// Spin and angle after `h` seconds, extrapolated from a whole step and two half ones.
    fn after(&self, h: f64) -> (f64, f64) {
        let [spin, angle] = self.halves(h).0;
        (spin, angle)
    }

    /// Extrapolated spin and angle after `h` seconds, and their correction (rad/s or rad), which bounds the error.
    fn halves(&self, h: f64) -> ([f64; 2], f64) {
        let start = [self.at.state.spin, self.at.state.angle];
        let whole = self.runge_kutta(0.0, start, h);
        let fine = self.runge_kutta(0.5 * h, self.runge_kutta(0.0, start, 0.5 * h), 0.5 * h);
        let change = [0, 1].map(|i| (fine[i] - whole[i]) / 15.0);
        ([fine[0] + change[0], fine[1] + change[1]], change[0].abs().max(change[1].abs()))
    }

    /// Length of a step, at most `most` and 0.1 s, within a tolerance (rad/s and rad).
    pub fn step(&self, most: f64, tolerance: f64) -> f64 {
        let allowed = tolerance.max(4.0 * f64::EPSILON * (self.at.state.spin.abs() + self.at.state.angle.abs()));
        let mut h = most.min(0.1);
        // A force that changes faster than this can't be followed.
        while self.halves(h).1 > allowed && h > 1e-9 * most {
            h *= 0.5;
        }
        h
    }
}
