//! Rest until the force that holds the ball changes.

use curves::{Interval, Number};
use flight::FlightMethod;
use mechanics::Mode;
use rolling::{ContactMethod, ContactState, ContactSystem};

use crate::run::{Motion, Supervisor};
use crate::{EventKind, Observer, Sample, Stop};

/// Stretches of time looked at before the search gives up: a force that oscillates a hundred thousand times is resolved.
const BUDGET: u32 = 1_000_000;

impl<F: FlightMethod, C: ContactMethod> Supervisor<'_, F, C> {
    /// Rests until the force that holds it changes.
    pub(crate) fn rest(&mut self, state: &ContactState, observer: &mut impl Observer) -> Result<(), Stop> {
        let system = self.system(Mode::Resting);
        let until = self.options.duration;
        let wakes = if system.forces.varies_in_time() { waking(&system, state, until)? } else { None };
        let at = |t: f64| {
            // Without friction it may spin where it rests.
            let angle = state.angle + state.spin * (t - state.time);
            let mut then = ContactState { time: t, angle, ..*state };
            system.relabel(&mut then);
            then
        };
        let end = wakes.unwrap_or(until);
        self.samples(state.time, end, observer, |t| Sample::in_contact(&system, &at(t)));
        let then = at(end);
        self.motion = Motion::Contact { state: then, mode: Mode::Resting };
        if wakes.is_none() {
            return Ok(());
        }
        if then.normal_force <= 0.0 {
            return self.leave(&system, &then, EventKind::LiftOff, observer);
        }
        let force = system.forces.force_at(&then.state());
        match Mode::begin(system.ball, system.contact, &then.frame, force, 0.0, 0.0) {
            Mode::Resting => {
                // Held on the margin: it has to give way.
                let sign = -then.friction_force.signum();
                self.switch(&system, &then, Mode::Sliding { sign }, EventKind::Slip, observer)
            }
            Mode::Rolling => self.switch(&system, &then, Mode::Rolling, EventKind::Stick, observer),
            mode => self.switch(&system, &then, mode, EventKind::Slip, observer),
        }
    }
}

/// The first time at which a resting ball is no longer held, by interval bisection of the force in time.
fn waking(system: &ContactSystem, state: &ContactState, until: f64) -> Result<Option<f64>, Stop> {
    let frame = &state.frame;
    let margin = |time: Interval| {
        let [x, y] = [frame.position.x, frame.position.y].map(Interval::point);
        let zero = Interval::point(0.0);
        // A point does not turn on the ground, but it may spin for the Magnus force.
        let [fx, fy] = system.forces.at(time, [x, y], [zero, zero], Interval::point(state.spin));
        let normal = -(fx.scale(frame.normal.x) + fy.scale(frame.normal.y));
        let along = (fx.scale(frame.tangent.x) + fy.scale(frame.tangent.y)).abs();
        let held = if system.ball.turns() {
            // Anything along the ground beyond rounding makes it roll.
            Interval::point(8.0 * f64::EPSILON) * (normal.abs() + along) - along
        } else {
            match system.contact.friction_coefficient() {
                mu if mu.is_finite() => normal.scale(mu).min(normal) - along,
                _ => normal,
            }
        };
        held.min(normal)
    };
    let gives_way = |time: Interval| margin(time).hi < 0.0;
    let mut stack = vec![Interval::new(state.time, until)];
    let mut looked = 0u32;
    while let Some(part) = stack.pop() {
        looked += 1;
        if looked > BUDGET {
            return Err(Stop::Waking { time: part.lo });
        }
        let over = margin(part);
        if over.lo >= 0.0 {
            continue;
        }
        let middle = part.middle();
        if gives_way(Interval::point(part.lo)) || over.is_undefined() && part.width() <= 1e-13 * part.hi {
            return Ok(Some(part.lo));
        }
        if part.width() <= 1e-13 * part.hi || stack.len() > 200 {
            // The end, where it certainly gives way: what follows is then plain.
            if gives_way(Interval::point(part.hi)) {
                return Ok(Some(part.hi));
            }
            continue;
        }
        stack.push(Interval::new(middle, part.hi));
        stack.push(Interval::new(part.lo, middle));
    }
    Ok(None)
}
