//! Two contacts at once: the impact on both, a ball wedged between them, and what follows.

use curves::{Frame, Interval, Place, Rounding};
use flight::FlightMethod;
use mechanics::{Forces, Friction, Held, Mode, Restitution, State, Wedge, WedgeForces};
use nalgebra::Vector2;
use rolling::{ContactMethod, RollingError};

use crate::balance::Meant;
use crate::rest_phase::{End, Hold};
use crate::run::{Motion, Supervisor};
use crate::stretch::Course;
use crate::{Capture, Event, EventKind, Observer, Phase, Sample, Scene, Stop, WedgedEnd};

/// A ball held by two contacts: its centre is at rest, it may spin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wedged {
    /// In the order of the ground.
    pub places: [Place; 2],
    pub frames: [Frame; 2],
    pub wedge: Wedge,
    pub state: State,
}

/// Sines of the angle between opposite walls below which the narrowest place of the passage is looked for.
const PASSAGE: f64 = 1e-4;
/// Where the second wall is closer than this part of the radius.
const BESIDE: f64 = 1e-8;

/// The sine of the angle between the normals of two contacts between which the ball comes into a slot as wide as itself, to
/// rounding: two contacts do not determine what it does there.
///
/// While the first contact stays closed, the gap of the second is `g + ℓ n₂·τ₁ − ½ (κ₁ + κ₂) ℓ²` along the centre path, if the
/// normals are nearly opposite. Between walls that are convex (κ₁ + κ₂ < 0) it is least where they are parallel.
fn slot(scene: &Scene, places: [Place; 2], state: &State) -> Option<f64> {
    let ground = &scene.ground;
    let frames = places.map(|place| ground.frame(place));
    let [a, b] = &frames;
    let sine = a.normal.perp(&b.normal);
    let gap = (a.position - b.position).dot(&b.normal);
    if a.normal.dot(&b.normal) >= 0.0 || sine.abs() > PASSAGE {
        return None;
    }
    let length = scene.rounding(state, places[0]).length;
    let fits = |gap: f64| Rounding::vanishes(gap, length);
    if sine.abs() <= Wedge::PARALLEL {
        return fits(gap).then_some(sine);
    }
    let bend = -(a.curvature + b.curvature);
    let rate = b.normal.dot(&a.tangent);
    let ways = [-rate / bend, rate / bend];
    let on_it = |i: usize| {
        let turn = ways[i] / frames[i].speed;
        let there = places[i].parameter() + turn;
        let Interval { lo, hi } = ground.range(places[i]);
        lo - 1e-3 * turn.abs() <= there && there <= hi + 1e-3 * turn.abs()
    };
    // Not of a ball that comes out.
    let comes = state.velocity.dot(&a.tangent) * ways[0] >= 0.0;
    let narrow = bend > 0.0 && comes && fits(gap - 0.5 * rate * rate / bend);
    (narrow && on_it(0) && on_it(1)).then_some(sine)
}

impl Wedged {
    /// A ball with its centre in this state, at the two places that touch it there. They are moved so that both do: a
    /// search that ends at one of them leaves the other a rounding error open.
    fn new(scene: &Scene, places: [Place; 2], state: &State) -> Result<Self, Stop> {
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

    /// What the ground does to it.
    pub fn forces(&self, scene: &Scene) -> WedgeForces {
        let State { spin, .. } = self.state;
        self.wedge.forces(&scene.ball, &scene.law, scene.forces.force_at(&self.state), spin)
    }

    /// The contact that bears more, whatever the order of the ground.
    fn bearing(&self, scene: &Scene) -> usize {
        let [first, second] = self.forces(scene).normal;
        usize::from(second > first)
    }

    pub fn phase(&self, scene: &Scene) -> Phase {
        let spins = scene.ball.turns() && self.state.spin != 0.0;
        if spins { Phase::Sliding } else { Phase::Resting }
    }

    /// `μ sign(ω)`.
    fn drag(&self, scene: &Scene) -> f64 {
        Wedge::drag(&scene.ball, &scene.law, self.state.spin)
    }

    /// What holds it, for the summary.
    pub fn end(&self, scene: &Scene) -> WedgedEnd {
        let Scene { ground, ball, forces, law, .. } = scene;
        let held = self.forces(scene);
        let unique = law.friction() == Friction::Coefficient(0.0) || Wedge::drag(ball, law, self.state.spin) != 0.0;
        WedgedEnd {
            points: self.places.map(|place| ground.ground_point(place)),
            normal_forces: held.normal,
            friction_forces: held.friction,
            other_friction: (!unique).then(|| self.wedge.friction_range(law, forces.force_at(&self.state))),
        }
    }

    /// Spin (rad/s) and angle (rad) `t` seconds on.
    fn turned(&self, scene: &Scene, t: f64) -> (f64, f64) {
        let State { spin, angle, .. } = self.state;
        let drag = self.drag(scene);
        if drag == 0.0 {
            (spin, angle + spin * t)
        } else if !scene.forces.varies_in_time() && !scene.forces.varies_in_motion() {
            let rate = self.forces(scene).spin_acceleration;
            (spin + rate * t, angle + t * (spin + 0.5 * rate * t))
        } else {
            Spin::new(self, scene, drag).after(t)
        }
    }

    /// The same ball at a later time (s).
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
            normal_force: forces.normal[0],
            friction_force: forces.friction[0],
            second_normal_force: forces.normal[1],
        }
    }
}

impl<F: FlightMethod, C: ContactMethod> Supervisor<'_, F, C> {
    /// Where a ball in flight that touches at `place` touches as well, to rounding, or comes into a slot of its own width.
    #[inline]
    pub(crate) fn touches_too(&self, place: Place, at: &State) -> Option<Place> {
        let ground = &self.scene.ground;
        if ground.touches_once() {
            return None;
        }
        let hop = Rounding::SUM * self.scene.rounding(at, place).length;
        let (other, distance) = ground.second_contact(place, hop.max(BESIDE * ground.radius()))?;
        (distance <= hop || slot(self.scene, [place, other], at).is_some()).then_some(other)
    }

    /// Whether a ball on the ground, so far from a second contact, comes into a slot of its own width.
    pub(crate) fn meets_slot(&self, places: [Place; 2], at: &State, distance: f64) -> bool {
        distance <= BESIDE * self.scene.ground.radius() && slot(self.scene, places, at).is_some()
    }

    /// The ball touches the ground in two places: an impact on both if one of them closes, and what it leads to.
    pub(crate) fn meet(
        &mut self,
        places: [Place; 2],
        arrival: &State,
        phase: Phase,
        observer: &mut impl Observer,
    ) -> Result<(), Stop> {
        let scene = self.scene;
        let Scene { ball, forces, law, .. } = scene;
        for place in places {
            scene.check_snug(arrival.time, place, &scene.ground.frame(place))?;
        }
        let mut at = Wedged::new(scene, places, arrival)?;
        let mut before = at.state;
        let frames = [&at.frames[0], &at.frames[1]];
        let grain = Rounding::SUM * f64::EPSILON * before.velocity.norm();
        let closes = |frame: &&Frame| frame.normal.dot(&before.velocity) < -grain;
        let closing = frames.iter().any(closes);
        let unit = scene.rounding(&before, at.places[0]);
        let length = unit.length + scene.ground.rounding(at.places[1]);
        // Of two bounces: one alone may be short by chance.
        let since = before.time - self.last_impacts[0];
        let mut hit = closing.then(|| at.wedge.impact(ball, law, frames, &before));
        let after = hit.map_or(before.velocity, |hit| hit.velocity);
        // Bounces whose hops have come down to rounding have come to their end, if both contacts hold the ball then.
        let stop = at.wedge.stop(ball, law, &before);
        let still = State { velocity: Vector2::zeros(), spin: stop.spin, ..before };
        let force = forces.force_at(&still);
        let held = at.wedge.forces(ball, law, force, still.spin).normal;
        let pull = held[0].min(held[1]) / ball.mass();
        // A ball whose centre is stopped may rock on by its spin, which tangential restitution gives back to it.
        let rocks = hit.is_some_and(|hit| hit.velocity == Vector2::zeros() && hit.spin != still.spin);
        let rim = if rocks { ball.radius() * before.spin.abs() } else { 0.0 };
        let velocity = after.norm().max(before.velocity.norm()).max(rim);
        // Of a hop so fast and so long in time, the height; and a velocity that the clock makes.
        let tiny = 0.5 * velocity * velocity < Rounding::SUM * length * pull
            || Rounding::vanishes(velocity, unit.velocity)
            || Rounding::vanishes(0.25 * velocity * since, length);
        let back = 2.0 * velocity / (pull.max(0.0) * at.wedge.sine().abs());
        let rest = Capture::rest_between_walls(scene, since, back);
        let slow = velocity < self.options.capture_speed && rest <= self.options.capture_tolerance;
        let goes_on = after != Vector2::zeros() || rocks;
        let captured = goes_on && (slow || tiny) && at.wedge.held(ball, law, force, still.spin) == Held::Wedged;
        if captured {
            at.state = still;
            hit = Some(stop);
        } else if let Some(hit) = hit {
            at.state = State { velocity: hit.velocity, spin: hit.spin, ..before };
        }
        let energy = |state: &State| ball.kinetic_energy(state.velocity, state.spin);
        let lost = energy(&before) - energy(&at.state);
        at.state.dissipated += lost;
        if captured {
            self.count.captures += 1;
            self.count.captured_energy += lost;
            // Where the bounces never end (e = 1) they do at once.
            let lasts = if rest.is_finite() { rest.min(self.options.duration - before.time).max(0.0) } else { 0.0 };
            let first = (at.places[0], at.frames[0]);
            observer.capture(&Capture::between_walls(&before, first, scene, [lasts, rest], lost));
            let landing = before.time + lasts;
            self.stretch([before.time, landing], Course::Wedged(&at), observer);
            (before.time, at.state.time) = (landing, landing);
        }
        self.flight.restart();
        let opening = hit.filter(|_| !captured).map_or([0.0; 2], |hit| hit.normal_velocities);
        let at_rest = at.state.velocity == Vector2::zeros();
        if at_rest {
            self.hold(&at);
        } else if opening[0] > 0.0 && opening[1] > 0.0 || hit.is_none() && phase == Phase::Flight {
            // A bounce off one of them alone may be the last.
            let alone = hit.and_then(|hit| (0..2).find(|i| hit.normal_impulses[1 - i] == 0.0));
            let last = alone.and_then(|i| {
                let (frame, force) = (&at.frames[i], forces.force_at(&at.state));
                let rate = self.gap_acceleration(frame, force, at.state.velocity.dot(&frame.tangent));
                let there = (at.places[i], frame, scene.ground.rounding(at.places[i]));
                Capture::decide(scene, &self.options, &at.state, there, opening[i], rate)
            });
            self.motion = last.map_or(Motion::Flight { state: at.state, departure: None }, Motion::Capture);
        } else {
            // Along the one that does not open; where the ball only passes by, along the one it is on.
            let rate = |i: usize| at.frames[i].normal.dot(&at.state.velocity);
            self.go_along(&at, if rate(0) <= rate(1) { 0 } else { 1 });
        }
        let after = self.motion.phase(scene);
        let (came, left) = (State { position: arrival.position, ..before }, self.motion.state(&scene.ground));
        let row = |i: usize, kind: EventKind, phase: Phase, before: State, [normal, tangential]: [f64; 2]| {
            let at = (at.places[i], at.frames[i]);
            Event::new(kind, [phase, after], at, [before, left]).with(normal, tangential)
        };
        let (mut rows, mut last) = ([None; 3], phase);
        if let Some(hit) = hit {
            for i in [0, 1] {
                if hit.normal_impulses[i] != 0.0 || hit.tangential_impulses[i] != 0.0 {
                    let kind = if captured { EventKind::Landing } else { EventKind::Impact };
                    rows[i] = Some(row(i, kind, phase, came, [hit.normal_impulses[i], hit.tangential_impulses[i]]));
                    last = after;
                }
            }
        }
        let rests = after == Phase::Resting && (hit.is_some() || last != after);
        if rests && (before.time > 0.0 || hit.is_some()) {
            rows[2] = Some(row(at.bearing(scene), EventKind::Rest, last, left, [0.0; 2]));
        } else if hit.is_none() && after == Phase::Flight && phase != after {
            rows[2] = Some(row(at.bearing(scene), EventKind::LiftOff, last, came, [0.0; 2]));
        }
        let meant = Meant { length: length / at.wedge.sine().abs(), ..Meant::NOTHING };
        self.tell(rows.iter().flatten(), meant, observer)?;
        if let Some(hit) = hit {
            self.count.impacts += 1;
            self.count.two_contact_impacts += 1;
            self.count.impacts_without_restitution += u64::from(hit.restitution == Restitution::None);
            self.count.impacts_with_e_for_e_t += u64::from(hit.restitution == Restitution::NormalForBoth);
            self.last_impacts = [self.last_impacts[1], before.time];
        }
        Ok(())
    }

    /// What a ball whose centre is at rest at two contacts does.
    fn hold(&mut self, at: &Wedged) {
        let Scene { ball, forces, law, .. } = self.scene;
        match at.wedge.held(ball, law, forces.force_at(&at.state), at.state.spin) {
            Held::Wedged => self.motion = Motion::Wedged(*at),
            Held::By(i) => self.go_along(at, i),
            Held::Free => self.motion = Motion::Flight { state: at.state, departure: None },
        }
    }

    /// Goes on along contact `i`, or flies where the ball does not press on it.
    fn go_along(&mut self, at: &Wedged, i: usize) {
        let Scene { ball, forces, law, .. } = self.scene;
        let frame = &at.frames[i];
        let force = forces.force_at(&at.state);
        let speed = at.state.velocity.dot(&frame.tangent);
        if self.gap_acceleration(frame, force, speed) > 0.0 {
            self.motion = Motion::Flight { state: at.state, departure: None };
            return;
        }
        let slip = ball.slip_velocity(speed, at.state.spin);
        let mut state = at.state;
        if slip == 0.0 {
            state.spin = ball.stuck(speed, state.spin)[1];
        }
        let mode = Mode::begin(ball, law, frame, force, speed, slip);
        self.motion = Motion::Contact { state: self.system(mode).begin(&state, at.places[i]), mode };
    }

    /// Stays wedged until a contact opens, or the spin has come to rest.
    pub(crate) fn stay(&mut self, wedged: &Wedged, observer: &mut impl Observer) -> Result<(), Stop> {
        let scene = self.scene;
        let drag = wedged.drag(scene);
        let spins = drag != 0.0;
        let system = self.system(Mode::Resting);
        let varies = system.forces.varies_in_time();
        let mut at = *wedged;
        let until = self.options.duration;
        let begun = system.begin(&at.state, at.places[0]);
        let mut step = if spins && (varies || system.forces.varies_in_motion()) {
            Spin::new(&at, scene, drag).step(until - at.state.time, self.options.compression.absolute)
        } else {
            until - at.state.time
        };
        // The spin comes to rest.
        let sign = at.state.spin.signum();
        let mut stops = false;
        let left = |t: f64| sign * wedged.turned(scene, t).0;
        if spins && left(step) <= 0.0 {
            step = crate::watch::bisect(&left, 0.0, step);
            stops = true;
        }
        let end = if varies {
            Hold::wedged(&system, &begun, at.wedge.directions(drag)).end(at.state.time + step)
        } else {
            End::Time
        };
        let time = match end {
            End::Time => at.state.time + step,
            End::GivesWay(time) | End::Undefined(time) | End::Undecided(time) => time,
        };
        self.stretch([wedged.state.time, time], Course::Wedged(wedged), observer);
        at = wedged.after(scene, time);
        if stops && end == End::Time {
            at.state.spin = 0.0;
            at.state.dissipated =
                wedged.state.dissipated + scene.ball.kinetic_energy(Vector2::zeros(), wedged.state.spin);
        } else if until - time <= Rounding::tick(until) {
            at.state.time = until;
        }
        self.motion = Motion::Wedged(at);
        match end {
            End::Time if stops => self.hold(&at),
            End::Time => return Ok(()),
            End::GivesWay(_) => match at.wedge.held_by_one(drag, scene.forces.force_at(&at.state)) {
                Held::By(i) => self.go_along(&at, i),
                _ => self.motion = Motion::Flight { state: at.state, departure: None },
            },
            End::Undefined(time) => return Err(RollingError::NotFinite { time }.into()),
            End::Undecided(time) => return Err(Stop::Waking { time }),
        }
        let (from, to) = (wedged.phase(scene), self.motion.phase(scene));
        let kind = match to {
            Phase::Flight => EventKind::LiftOff,
            Phase::Rolling => EventKind::Stick,
            Phase::Resting if from != to => EventKind::Rest,
            Phase::Resting => return Ok(()),
            _ => EventKind::Slip,
        };
        let i = match self.motion {
            Motion::Contact { state, .. } => usize::from(state.place.same_feature(at.places[1])),
            _ => at.bearing(scene),
        };
        let event = Event::new(kind, [from, to], (at.places[i], at.frames[i]), [at.state, at.state]);
        self.tell([event].iter(), Meant::NOTHING, observer)
    }
}

/// The spin of a wedged ball under forces that change: `ω̇ = R(f₁ + f₂)/I`.
struct Spin<'a> {
    at: &'a Wedged,
    forces: &'a Forces,
    /// `ω̇ = rate · F`
    rate: Vector2<f64>,
}

impl<'a> Spin<'a> {
    fn new(at: &'a Wedged, scene: &'a Scene, drag: f64) -> Self {
        let [first, second] = at.wedge.directions(drag);
        Spin { at, forces: &scene.forces, rate: -scene.ball.spin_by(drag) * (first + second) }
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

    /// Spin and angle `h` seconds on: two halves and what a whole step tells of their error.
    fn after(&self, h: f64) -> (f64, f64) {
        let [spin, angle] = self.halves(h).0;
        (spin, angle)
    }

    /// The same, and the change by extrapolation, which bounds the error.
    fn halves(&self, h: f64) -> ([f64; 2], f64) {
        let start = [self.at.state.spin, self.at.state.angle];
        let whole = self.runge_kutta(0.0, start, h);
        let fine = self.runge_kutta(0.5 * h, self.runge_kutta(0.0, start, 0.5 * h), 0.5 * h);
        let change = [0, 1].map(|i| (fine[i] - whole[i]) / 15.0);
        ([fine[0] + change[0], fine[1] + change[1]], change[0].abs().max(change[1].abs()))
    }

    /// A step of at most `most` s that keeps to a tolerance, rad/s and rad.
    fn step(&self, most: f64, tolerance: f64) -> f64 {
        let allowed = tolerance.max(4.0 * f64::EPSILON * (self.at.state.spin.abs() + self.at.state.angle.abs()));
        let mut h = most.min(0.1);
        // Below this the force changes faster than can be followed.
        while self.halves(h).1 > allowed && h > 1e-9 * most {
            h *= 0.5;
        }
        h
    }
}
