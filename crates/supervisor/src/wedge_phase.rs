//! Wedged phase: a ball held by two contacts; and impacts on two contacts.

use curves::{Frame, Place, Touched};
use flight::FlightMethod;
use mechanics::{ContactLaw, Forces, Held, Mode, Press, State, UsedRestitution, Wedge, WedgeForces};
use nalgebra::Vector2;
use numbers::{Interval, Rounding, bisect};
use rolling::ContactMethod;

use crate::energy_judge::LedgerStep;
use crate::event::TouchPoint;
use crate::event_balance::Meant;
use crate::motion::{Contact, Flight, Motion, StopIn, Transition};
use crate::rest_phase::{Hold, RestEnd};
use crate::run::Live;
use crate::stretch::StretchCourse;
use crate::{Capture, Event, EventKind, Phase, Sample, Scene, Stop, WedgedEnd};

/// A ball held by two contacts, with its centre at rest; it may spin.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Wedged {
    /// Places of both contacts, in the order of the ground.
    pub places: [Place; 2],
    pub frames: [Frame; 2],
    pub wedge: Wedge,
    pub state: State,
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
    // A curvature that only touches the ball's leaves it room.
    if a.normal.dot(&b.normal) >= 0.0 || sine.abs() > PASSAGE || ground.radius() == 0.0 && bend > 0.0 {
        return None;
    }
    let length = scene.rounding(state, places[0]).length;
    let fits = |gap: f64| Rounding::vanishes(gap, length);
    if sine.abs() <= Wedge::PARALLEL {
        return fits(gap).then_some(sine);
    }
    let rate = b.normal.dot(&a.tangent);
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
    pub fn drags(&self, scene: &Scene) -> [f64; 2] {
        Wedge::drags(&scene.ball, self.laws(scene), self.state.spin)
    }

    /// `(μ + c_rr) sign(ω)` at both contacts.
    pub fn slows(&self, scene: &Scene) -> [f64; 2] {
        Wedge::slows(&scene.ball, self.laws(scene), self.state.spin)
    }

    /// Places and forces of both contacts, for the summary.
    pub fn end(&self, scene: &Scene) -> WedgedEnd {
        let Scene { ground, forces, .. } = scene;
        let (held, laws) = (self.forces(scene), self.laws(scene));
        let smooth = |law: &&ContactLaw| law.is_smooth();
        let unique = laws.iter().all(smooth) || self.drags(scene) != [0.0; 2];
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
        if self.slows(scene) == [0.0; 2] {
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
        let slows = at.slows(scene).map(|slows| scene.ball.spin_by(slows));
        Spin { at, forces: &scene.forces, rate: -Wedge::weighted(slows, at.wedge.directions(at.drags(scene))) }
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

    /// Length of a step, at most `most` s, within a tolerance (rad/s and rad).
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

/// Distance of a second wall, relative to the radius, within which it may form a slot with the first.
const BESIDE: f64 = 1e-8;

impl<F: FlightMethod, C: ContactMethod> Live<'_, '_, F, C> {
    /// Second place that a ball in flight touches besides `place`, to rounding, or that forms a slot of its own width
    /// with it.
    #[inline]
    pub(crate) fn touches_too(&self, place: Place, arrived: &Flight) -> Option<Place> {
        let (ground, at) = (&self.run.scene.ground, &arrived.state);
        if ground.touches_once() {
            return None;
        }
        let unit = self.run.scene.rounding_in_flight(at).length.max(arrived.bent);
        let beside = BESIDE * ground.radius();
        if ground.is_alone_on_line(place, beside.max(Rounding::SUM * unit)) {
            return None;
        }
        let hop = Rounding::SUM * (unit + ground.rounding(place));
        let (other, distance) = ground.second_contact(place, hop.max(beside))?;
        (distance <= hop || slot(self.run.scene, [place, other], at).is_some()).then_some(other)
    }

    /// Whether a ball on the ground, at `distance` from a second contact, comes into a slot of its own width.
    pub(crate) fn meets_slot(&self, places: [Place; 2], at: &State, distance: f64) -> bool {
        let ground = &self.run.scene.ground;
        distance <= BESIDE * ground.radius()
            && ground.is_second(places[0], places[1])
            && slot(self.run.scene, places, at).is_some()
    }

    /// Impact of a ball on two places if one of them closes, and the motion that follows.
    pub(crate) fn meet(&mut self, places: [Place; 2], arrival: &State, phase: Phase, came: Motion) -> Transition {
        let scene = self.run.scene;
        let Scene { ball, forces, .. } = scene;
        for place in places {
            scene.check_osculation(arrival.time, place, &scene.ground.frame(place)).stop_in(&came)?;
        }
        let mut at = Wedged::new(scene, places, arrival).stop_in(&came)?;
        let laws = at.laws(scene);
        let mut before = at.state;
        let frames = [&at.frames[0], &at.frames[1]];
        let grain = Rounding::SUM * f64::EPSILON * before.velocity.norm();
        let closes = |frame: &&Frame| frame.normal.dot(&before.velocity) < -grain;
        let closing = frames.iter().any(closes);
        let unit = scene.rounding(&before, at.places[0]);
        let bent = if let Motion::Flight(flight) = &came { flight.bent } else { 0.0 };
        let length = (unit.length + scene.ground.rounding(at.places[1])).max(bent);
        // Duration of two bounces: a single one may be short by chance.
        let since = before.time - self.run.kept.last_impacts[0];
        let hit = closing.then(|| at.wedge.impact(ball, laws, frames, &before)).transpose();
        let mut hit = hit.map_err(|error| Stop::impact(&before, error)).stop_in(&came)?;
        let after = hit.map_or(before.velocity, |hit| hit.velocity);
        // Bounces whose hops are down to rounding have ended, if both contacts hold the ball then.
        let stop = at.wedge.stop(ball, laws, &before);
        let still = State { velocity: Vector2::zeros(), spin: stop.spin, ..before };
        let force = forces.force_at(&still);
        let held = at.wedge.forces(ball, laws, force, still.spin).normal;
        let pull = held[0].min(held[1]) / ball.mass();
        // A ball whose centre is stopped may rock on by its spin, which tangential restitution returns to it.
        let rocks = hit.is_some_and(|hit| hit.velocity == Vector2::zeros() && hit.spin != still.spin);
        let rim = if rocks { ball.radius() * before.spin.abs() } else { 0.0 };
        let velocity = after.norm().max(before.velocity.norm()).max(rim);
        // Of a hop so fast and so long in time, the height; and a velocity that the clock makes.
        let tiny = 0.5 * velocity * velocity < Rounding::SUM * length * pull
            || Rounding::vanishes(velocity, unit.velocity)
            || Rounding::vanishes(0.25 * velocity * since, length);
        let back = 2.0 * velocity / (pull.max(0.0) * at.wedge.sine().abs());
        let rest = Capture::rest_between_walls(scene, laws, velocity, [since, back]);
        let slow = velocity < self.run.options.capture_speed && rest * pull <= self.run.options.capture_tolerance;
        let goes_on = after != Vector2::zeros() || rocks;
        let mut captured = goes_on && (slow || tiny) && at.wedge.held(ball, laws, force, still.spin) == Held::Wedged;
        if captured {
            at.state = still;
            hit = Some(stop);
        } else if let Some(made) = &mut hit {
            at.state = State { velocity: made.velocity, spin: made.spin, ..before };
            if self.comes_back(&at, made.normal_velocities, length) {
                *made = made.then(at.wedge.stop(ball, laws, &at.state));
                at.state = State { velocity: made.velocity, spin: made.spin, ..before };
                captured = at.wedge.held(ball, laws, force, at.state.spin) == Held::Wedged;
            }
        }
        let energy = |state: &State| ball.kinetic_energy(state.velocity, state.spin);
        let lost = energy(&before) - energy(&at.state);
        at.state.dissipated += lost;
        if captured {
            self.run.kept.count.captures += 1;
            self.run.kept.count.captured_energy += lost;
            // Bounces without end (e = 1) are ended at once.
            let lasts = if rest.is_finite() { rest.min(self.run.options.duration - before.time).max(0.0) } else { 0.0 };
            self.captured(&Capture::between_walls(&before, at.point(0), scene, [lasts, rest, pull], lost));
            let landing = before.time + lasts;
            self.stretch([before.time, landing], StretchCourse::Wedged(&at)).stop_in(&came)?;
            (before.time, at.state.time) = (landing, landing);
        }
        self.run.kept.flight.restart();
        let opening = hit.filter(|_| !captured).map_or([0.0; 2], |hit| hit.normal_velocities);
        let at_rest = at.state.velocity == Vector2::zeros();
        let motion = if at_rest {
            self.hold(&at)
        } else if opening[0] > 0.0 && opening[1] > 0.0 || hit.is_none() && phase == Phase::Flight {
            // The last bounce may be on one of them alone.
            let alone = hit.and_then(|hit| (0..2).find(|i| hit.normal_impulses[1 - i] == 0.0));
            let last = alone.and_then(|i| {
                let (frame, force) = (&at.frames[i], forces.force_at(&at.state));
                let push = self.normal_force(frame, force, at.state.velocity.dot(&frame.tangent));
                let rounding = scene.ground.rounding(at.places[i]);
                Capture::decide(scene, &self.run.options, &at.state, &at.point(i), rounding, opening[i], push)
            });
            last.map_or(Flight::leaving_two(&scene.ground, at.state, at.places).into(), Motion::Capture)
        } else {
            // Along the contact that does not open; a ball that only passes stays on the one it is on.
            let rate = |i: usize| at.frames[i].normal.dot(&at.state.velocity);
            self.go_along(&at, if rate(0) <= rate(1) { 0 } else { 1 })
        };
        let after = motion.phase(scene);
        let (came, left) = (State { position: arrival.position, ..before }, motion.state(&scene.ground));
        let row = |i: usize, kind: EventKind, phase: Phase, before: State, impulses: [f64; 2]| {
            Event::new(kind, [phase, after], at.point(i), [before, left], impulses)
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
        self.emit(rows.iter().flatten(), meant).stop_in(&motion)?;
        if let Some(hit) = hit {
            self.run.kept.count.impacts += 1;
            self.run.kept.count.two_contact_impacts += 1;
            self.run.kept.count.impacts_without_restitution += u64::from(hit.restitution == UsedRestitution::None);
            self.run.kept.count.impacts_with_e_for_e_t += u64::from(hit.restitution == UsedRestitution::NormalForBoth);
            self.run.kept.last_impacts = [self.run.kept.last_impacts[1], before.time];
        }
        Ok(motion)
    }

    /// Whether a ball that opens only one contact, at these rates (m/s), returns to it before it is more than `length`
    /// (m) away.
    fn comes_back(&self, at: &Wedged, opening: [f64; 2], length: f64) -> bool {
        let Some(i) = (0..2).find(|i| opening[*i] == 0.0 && opening[1 - i] > 0.0) else { return false };
        let Scene { ball, forces, .. } = self.run.scene;
        let (frame, force) = (&at.frames[i], forces.force_at(&at.state));
        let speed = at.state.velocity.dot(&frame.tangent);
        let slip = ball.slip_velocity(speed, at.state.spin);
        let mode = Mode::begin(ball, self.run.scene.law_at(at.places[i]), frame, force, speed, slip);
        let along = self.system(mode, at.places[i]).begin(&at.state, at.places[i]);
        let push = force + frame.normal * along.normal_force + frame.tangent * along.friction_force;
        let back = -push.dot(&at.frames[1 - i].normal) / ball.mass();
        let presses = Press::of(along.normal_force, 0.0) == Some(Press::Presses);
        presses && opening[1 - i] * opening[1 - i] < 2.0 * back * Rounding::SUM * length
    }

    /// Motion of a ball with its centre at rest at two contacts: wedged, along one of them, or in flight.
    fn hold(&mut self, at: &Wedged) -> Motion {
        let Scene { ball, forces, .. } = self.run.scene;
        match at.wedge.held(ball, at.laws(self.run.scene), forces.force_at(&at.state), at.state.spin) {
            Held::Wedged => (*at).into(),
            held => self.let_go(at, held),
        }
    }

    /// Motion of a ball at rest at two contacts of which one holds it, or none.
    fn let_go(&mut self, at: &Wedged, held: Held) -> Motion {
        match held {
            Held::By(i) => self.go_along(at, i),
            Held::Free | Held::Wedged => Flight::leaving_two(&self.run.scene.ground, at.state, at.places).into(),
        }
    }

    /// Motion along contact `i`, or flight if the ball does not press on it.
    fn go_along(&mut self, at: &Wedged, i: usize) -> Motion {
        self.note_touch(at.places[i]);
        let Scene { ground, ball, forces, .. } = self.run.scene;
        let frame = &at.frames[i];
        let force = forces.force_at(&at.state);
        let speed = at.state.velocity.dot(&frame.tangent);
        if Press::of(self.normal_force(frame, force, speed), 0.0) == Some(Press::Leaves) {
            return Flight::leaving_two(ground, at.state, at.places).into();
        }
        let slip = ball.slip_velocity(speed, at.state.spin);
        let mut state = at.state;
        if slip == 0.0 {
            state.spin = ball.stuck(speed, state.spin)[1];
        }
        let mode = Mode::begin(ball, self.run.scene.law_at(at.places[i]), frame, force, speed, slip);
        Contact::begin(self.run.scene, mode, &state, at.places[i]).into()
    }
}

impl Wedged {
    /// Stays wedged until a contact opens, or the spin stops.
    pub fn next(&self, live: &mut Live<impl FlightMethod, impl ContactMethod>) -> Transition {
        let (wedged, scene) = (self, live.run.scene);
        let (drags, spins) = (wedged.drags(scene), wedged.slows(scene) != [0.0; 2]);
        let system = live.system(Mode::Resting, wedged.places[0]);
        let varies = system.forces.varies_in_time();
        let (mut at, until) = (*wedged, live.run.options.duration);
        let begun = system.begin(&at.state, at.places[0]);
        let mut step = if spins && (varies || system.forces.varies_in_motion()) {
            Spin::new(&at, scene).step(until - at.state.time, live.run.options.compression.absolute)
        } else {
            until - at.state.time
        };
        // The spin stops.
        let sign = at.state.spin.signum();
        let mut stops = false;
        let left = |t: f64| sign * wedged.turned(scene, t).0;
        if spins && left(step) <= 0.0 {
            step = bisect(|t| left(t) > 0.0, 0.0, step)[1];
            stops = true;
        }
        let end = if varies {
            Hold::wedged(&system, &begun, at.wedge.directions(drags)).end(at.state.time + step)
        } else {
            RestEnd::Time
        };
        let time = end.time(at.state.time + step);
        at = wedged.after(scene, time);
        let phase = wedged.phase(scene);
        let (from, to, tolerance) = (&wedged.state, &at.state, live.run.options.compression);
        let entry = LedgerStep { from, to, stored: 0.0, along: 0.0, phase, tolerance, whole: tolerance };
        live.run.kept.ledger.step(scene, &entry).stop_in(wedged)?;
        live.stretch([wedged.state.time, time], StretchCourse::Wedged(wedged)).stop_in(wedged)?;
        if stops && end == RestEnd::Time {
            at.state.spin = 0.0;
            at.state.dissipated =
                wedged.state.dissipated + scene.ball.kinetic_energy(Vector2::zeros(), wedged.state.spin);
        } else if until - time <= Rounding::tick(until) {
            at.state.time = until;
        }
        let motion = match end.gives_way().stop_in(&at)? {
            true => live.let_go(&at, at.wedge.held_by_one(drags, scene.forces.force_at(&at.state))),
            false if stops => live.hold(&at),
            false => return Ok(at.into()),
        };
        let (from, to) = (wedged.phase(scene), motion.phase(scene));
        let kind = match to {
            Phase::Flight => EventKind::LiftOff,
            Phase::Rolling => EventKind::Stick,
            Phase::Resting if from != to => EventKind::Rest,
            Phase::Resting => return Ok(motion),
            _ => EventKind::Slip,
        };
        let i = match motion {
            Motion::Contact(Contact { state, .. }) => usize::from(state.place.same_feature(at.places[1])),
            _ => at.bearing(scene),
        };
        let event = Event::new(kind, [from, to], at.point(i), [at.state, at.state], [0.0; 2]);
        live.emit([event].iter(), Meant::NOTHING).stop_in(&motion)?;
        Ok(motion)
    }
}
