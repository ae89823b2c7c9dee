//! Wedged phase: a ball held by two contacts, until one opens or its spin stops.

use flight::FlightMethod;
use mechanics::{Held, Mode};
use nalgebra::Vector2;
use numbers::{Rounding, bisect};
use rolling::ContactMethod;

use crate::energy_judge::LedgerStep;
use crate::event_balance::IntendedChange;
use crate::motion_within_step::StretchCourse;
use crate::phase_states::{Contact, Motion, StopIn, Transition};
use crate::rest_phase::{Hold, RestEnd};
use crate::run_state::Live;
use crate::wedged_ball::{Spin, Wedged};
use crate::{Event, EventKind, Phase};

impl Wedged {
    /// Stays wedged until a contact opens, or the spin stops.
    pub fn next(&self, live: &mut Live<impl FlightMethod, impl ContactMethod>) -> Transition {
        let (wedged, scene) = (self, live.run.scene);
        let held = wedged.held(scene);
        if held != Held::Wedged {
            let motion = live.let_go(wedged, held);
            return wedged.ends(live, wedged.phase(scene), motion);
        }
        let (drags, spins) = (wedged.slip_drags(scene), wedged.spin_drags(scene) != [0.0; 2]);
        let system = live.system(Mode::Resting, wedged.places[0]);
        let varies = system.forces.varies_in_time();
        let (mut at, until) = (*wedged, live.run.options.duration);
        let begun = system.begin(&at.state, at.places[0]);
        let mut step = if spins && (varies || system.forces.varies_in_motion()) {
            Spin::new(&at, scene).step(until - at.state.time, live.run.options.compression.absolute)
        } else {
            until - at.state.time
        };
        // The spin may stop within the step.
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
        // Where the spin stops, all of its energy is dissipated.
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
        at.ends(live, wedged.phase(scene), motion)
    }

    /// Tells the event by which the phase `from` ends in another motion; resting goes on without one.
    fn ends(&self, live: &mut Live<impl FlightMethod, impl ContactMethod>, from: Phase, motion: Motion) -> Transition {
        let (at, scene) = (self, live.run.scene);
        let to = motion.phase(scene);
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
        let event = Event::new(kind, [from, to], &at.point(i), [&at.state; 2], [0.0; 2]);
        live.emit([event].iter(), IntendedChange::NOTHING).stop_in(&motion)?;
        Ok(motion)
    }
}
