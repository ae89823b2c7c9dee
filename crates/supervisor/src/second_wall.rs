//! Contact with a second wall: when a ball touches two at once, the impact on both, and the phase after it.

use curves::{Frame, Place};
use flight::FlightMethod;
use mechanics::{Held, Press, State, UsedRestitution};
use nalgebra::Vector2;
use numbers::Rounding;
use rolling::ContactMethod;

use crate::capture_decision::LowHop;
use crate::event_balance::IntendedChange;
use crate::motion_within_step::StretchCourse;
use crate::phase_states::{Barrier, Contact, Flight, Motion, StopIn, Transition};
use crate::run_state::Live;
use crate::wedged_ball::{Wedged, slot};
use crate::{Capture, Event, EventKind, Phase, Scene, Stop};

/// Distance of a second wall, relative to the radius, within which it may form a slot with the first.
const BESIDE: f64 = 1e-8;

impl<F: FlightMethod, C: ContactMethod> Live<'_, '_, F, C> {
    /// Second place that a ball in flight touches besides `place`, to rounding, or that forms with it a slot as wide as
    /// the ball.
    #[inline]
    pub(crate) fn touches_too(&self, place: Place, arrived: &Flight) -> Option<Place> {
        let (ground, at) = (&self.run.scene.ground, &arrived.state);
        if ground.touches_once() {
            return None;
        }
        // `bent`: rounding of the path by its bend off a parabola, m.
        let unit = self.run.scene.rounding_in_flight(at).length.max(arrived.bent);
        let beside = BESIDE * ground.radius();
        if ground.is_alone_on_line(place, beside.max(Rounding::SUM * unit)) {
            return None;
        }
        let touch = Rounding::SUM * (unit + ground.rounding(place));
        let (other, distance) = ground.second_contact(place, touch.max(beside), -at.velocity)?;
        (distance <= touch || slot(self.run.scene, [place, other], at).is_some()).then_some(other)
    }

    /// Whether a ball on the ground, at `distance` from a second contact, comes into a slot as wide as itself.
    pub(crate) fn meets_slot(&self, places: [Place; 2], at: &State, distance: f64) -> bool {
        let ground = &self.run.scene.ground;
        distance <= BESIDE * ground.radius()
            && ground.is_second(places[0], places[1])
            && slot(self.run.scene, places, at).is_some()
    }

    /// Contact with two places at once, an impact if one closes; `phase` is the one before, `came` where it would stop.
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
        // Tiny: the height v²/2g of a hop, v, or the height v t/4 by the time t of two bounces is at rounding.
        let tiny = 0.5 * velocity * velocity < Rounding::SUM * length * pull
            || Rounding::vanishes(velocity, unit.velocity)
            || Rounding::vanishes(0.25 * velocity * since, length);
        // Longest time until a ball of this velocity is back at the walls, s.
        let back = 2.0 * velocity / (pull.max(0.0) * at.wedge.sine().abs());
        let rest = Capture::rest_between_walls(scene, laws, velocity, [since, back]);
        let slow = velocity < self.run.options.capture_speed && rest * pull <= self.run.options.capture_tolerance;
        let goes_on = after != Vector2::zeros() || rocks;
        let mut captured = goes_on && (slow || tiny) && at.wedge.held(ball, laws, force, still.spin) == Held::Wedged;
        // A capture stops the centre at once (`stop`), as does an impact that comes back within rounding.
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
        // The motion that follows: held by both, off both, or along the one that does not open.
        let opening = hit.filter(|_| !captured).map_or([0.0; 2], |hit| hit.normal_velocities);
        let at_rest = at.state.velocity == Vector2::zeros();
        let motion = if at_rest {
            self.hold(&at)
        } else if opening[0] > 0.0 && opening[1] > 0.0 || hit.is_none() && phase == Phase::Flight {
            // The only contact with an impulse, if one has none: its hop may be low enough to be captured.
            let alone = hit.and_then(|hit| (0..2).find(|i| hit.normal_impulses[1 - i] == 0.0));
            let last = alone.and_then(|i| {
                let (frame, force) = (&at.frames[i], forces.force_at(&at.state));
                let push = self.normal_force(frame, force, at.state.velocity.dot(&frame.tangent));
                let (point, rounding) = (at.point(i), scene.ground.rounding(at.places[i]));
                let options = &self.run.options;
                let hop = LowHop::after(scene, options, &at.state, &point, rounding, [opening[i], push])?;
                Capture::of_low_hop(scene, options, &at.state, &point, hop)
            });
            last.map_or(Flight::leaving_two(&scene.ground, at.state, at.places).into(), Motion::Capture)
        } else {
            // Along the contact that does not open; a ball that only passes stays on the one it is on, `places[0]`.
            let rate = |i: usize| at.frames[i].normal.dot(&at.state.velocity);
            self.go_along(&at, if rate(0) <= rate(1) { 0 } else { 1 })
        };
        let after = motion.phase(scene);
        // Rows: of each contact with an impulse, then of rest or lift-off.
        let (arrived, left) = (State { position: arrival.position, ..before }, motion.state(&scene.ground));
        let row = |i: usize, kind: EventKind, phase: Phase, from: State, impulses: [f64; 2]| {
            Event::new(kind, [phase, after], &at.point(i), [&from, &left], impulses)
        };
        let (mut rows, mut last) = ([None; 3], phase);
        if let Some(hit) = hit {
            for i in [0, 1] {
                if hit.normal_impulses[i] != 0.0 || hit.tangential_impulses[i] != 0.0 {
                    let kind = if captured { EventKind::Landing } else { EventKind::Impact };
                    rows[i] = Some(row(i, kind, phase, arrived, [hit.normal_impulses[i], hit.tangential_impulses[i]]));
                    last = after;
                }
            }
        }
        let rests = after == Phase::Resting && (hit.is_some() || last != after);
        // A start at rest at t = 0 is no event.
        if rests && (before.time > 0.0 || hit.is_some()) {
            // Without an impact rest itself puts the ball onto both walls.
            let from = if hit.is_some() { left } else { arrived };
            rows[2] = Some(row(at.bearing(scene), EventKind::Rest, last, from, [0.0; 2]));
        } else if hit.is_none() && after == Phase::Flight && phase != after {
            rows[2] = Some(row(at.bearing(scene), EventKind::LiftOff, last, arrived, [0.0; 2]));
        }
        let meant = IntendedChange { length: length / at.wedge.sine().abs(), ..IntendedChange::NOTHING };
        self.emit(rows.iter().flatten(), meant).stop_in(&motion)?;
        if let Some(hit) = hit {
            self.run.kept.count.impacts += 1;
            self.run.kept.count.two_contact_impacts += 1;
            self.run.kept.count.impacts_without_restitution += u64::from(hit.restitution == UsedRestitution::None);
            self.run.kept.count.impacts_with_e_instead_of_e_t +=
                u64::from(hit.restitution == UsedRestitution::NormalForBoth);
            self.run.kept.last_impacts = [self.run.kept.last_impacts[1], before.time];
        }
        Ok(motion)
    }

    /// Whether a ball that opens one contact alone, at these rates (m/s), returns to it from within 16 `length` (m).
    fn comes_back(&self, at: &Wedged, opening: [f64; 2], length: f64) -> bool {
        let Some(i) = (0..2).find(|i| opening[*i] == 0.0 && opening[1 - i] > 0.0) else { return false };
        let Scene { ball, forces, .. } = self.run.scene;
        let (frame, force) = (&at.frames[i], forces.force_at(&at.state));
        let mode = self.run.scene.mode_at(&at.state, at.places[i], frame);
        let along = self.system(mode, at.places[i]).begin(&at.state, at.places[i]);
        let push = force + frame.normal * along.normal_force + frame.tangent * along.friction_force;
        let back = -push.dot(&at.frames[1 - i].normal) / ball.mass();
        let presses = Press::of(along.normal_force, 0.0) == Some(Press::Presses);
        presses && opening[1 - i] * opening[1 - i] < 2.0 * back * Rounding::SUM * length
    }

    /// Motion of a ball with its centre at rest at two contacts: wedged, along one of them, or in flight.
    pub(crate) fn hold(&mut self, at: &Wedged) -> Motion {
        match at.held(self.run.scene) {
            Held::Wedged => (*at).into(),
            held => self.let_go(at, held),
        }
    }

    /// Motion of a ball at rest at two contacts that do not both hold it: along the one that does, or in flight.
    pub(crate) fn let_go(&mut self, at: &Wedged, held: Held) -> Motion {
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
        let mut state = at.state;
        if ball.slip_velocity(speed, state.spin) == 0.0 {
            state.spin = ball.stuck(speed, state.spin)[1];
        }
        let mode = self.run.scene.mode_at(&at.state, at.places[i], frame);
        if ground.radius() == 0.0 {
            // A point in the corner is on both lines: the barrier tells on which side of the other it is.
            self.run.kept.barrier = Some(Barrier::beside(ground, [at.places[i], at.places[1 - i]]));
        }
        Contact::begin(self.run.scene, mode, &state, at.places[i]).into()
    }
}
