//! The end of a piece of ground: how a ball crosses it.

use curves::{Beyond, JointKind, Place};
use flight::FlightMethod;
use mechanics::Press;
use numbers::Rounding;
use rolling::{ContactMethod, ContactState, ContactStep, ContactSystem};

use crate::contact_phase::ContactEnd;
use crate::run::Run;
use crate::{EventKind, Stop};

impl<F: FlightMethod, C: ContactMethod> Run<'_, F, C> {
    /// The ball on what follows in its direction of travel (`forward`) or against it; what ends the phase there, if anything.
    pub(crate) fn over_the_edge(
        &mut self,
        system: &ContactSystem,
        step: &mut ContactStep,
        forward: bool,
    ) -> Result<Option<ContactEnd>, Stop> {
        if self.touches(step.end.place) {
            return Ok(Some(ContactEnd::Strands));
        }
        let end = match system.ground.beyond(step.end.place, forward) {
            Beyond::Place(place) => {
                let next = system.begin(&step.end.state(), place);
                if Press::of(next.normal_force, 0.0) == Some(Press::Leaves) && self.is_end(place) {
                    return Ok(Some(self.off_the_end(system, &step.end, EventKind::EndOfGround)));
                }
                self.scene.check_osculation(next.time, next.place, &next.frame)?;
                let before = self.on_the_ground(&step.end, false).state();
                self.balance_change(&before, &next.state(), place, true)?;
                step.end = next;
                let strands = self.touches(place);
                let law = !std::ptr::eq(self.scene.law_at(place), system.contact);
                return Ok(if strands { Some(ContactEnd::Strands) } else { law.then_some(ContactEnd::Law) });
            }
            Beyond::CornerAir => self.off_the_end(system, &step.end, EventKind::LiftOff),
            Beyond::Air => self.off_the_end(system, &step.end, EventKind::EndOfGround),
            Beyond::Second(other) => ContactEnd::Second(other),
        };
        Ok(Some(end))
    }

    /// The kind of event with which a ball leaves the ground at a place where λ falls to zero.
    pub(crate) fn leaves_at(&self, place: Place) -> EventKind {
        if self.is_end(place) { EventKind::EndOfGround } else { EventKind::LiftOff }
    }

    /// Whether a place is on the arc around an end of the ground.
    fn is_end(&self, place: Place) -> bool {
        let ground = self.scene.ground.ground();
        matches!(place, Place::Corner { joint, .. } if ground.joint(joint).kind == JointKind::End)
    }

    /// The end of a stretch where a piece ends in the air: flight, or contact with another curve that begins there.
    fn off_the_end(&self, system: &ContactSystem, state: &ContactState, kind: EventKind) -> ContactEnd {
        let length = state.rounding(system, state.time).length + system.ground.rounding(state.place);
        let other = system.ground.second_contact(state.place, Rounding::SUM * length);
        let grain = Rounding::SUM * f64::EPSILON * state.speed.abs();
        other
            .filter(|(other, _)| system.ground.frame(*other).normal.dot(&state.velocity()) < -grain)
            .map_or(ContactEnd::Air(kind), |(other, _)| ContactEnd::Second(other))
    }
}
