//! Warnings about scenarios that are valid but rarely intended.

use std::fmt;

use curves::{Crossing, Ground};
use mechanics::{ContactLaw, Restitution};
use newmark::{Control, Scheme};
use numbers::{Rounding, elementary};
use supervisor::{Start, Summary};

use crate::curve::Noise;
use crate::input::{one_line, plain, rounded};
use crate::scenario::Scenario;
use crate::start_on_ground::Initial;
use crate::stepping::SteppingSummary;
use crate::{FlightKind, FormulationKind};

/// Warning of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Name of the warning, for programs.
    pub code: &'static str,
    /// Cause of the warning, in one line.
    pub cause: String,
    /// Cure for it, in one line.
    pub cure: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        writeln!(out, "warning: {}: {}\n  cure: {}", self.code, one_line(&self.cause), one_line(&self.cure))
    }
}

/// Crossings whose `reach` is too short for a ball of this radius (m), which touches the other strand; with cause and
/// cure.
pub fn short_reaches(ground: &Ground, radius: f64) -> impl Iterator<Item = (&Crossing, [String; 2])> {
    ground.crossings().iter().enumerate().filter_map(move |(i, crossing)| {
        let reach = crossing.reach.filter(|reach| *reach < 2.0 * radius)?;
        let [x, y] = [crossing.point.x, crossing.point.y].map(|c| rounded(c, 6) + 0.0);
        let (number, wide) = (i + 1, plain(2.0 * radius));
        let cause = format!(
            "the `reach` of crossing {number} at ({x:?}, {y:?}) is {} m, less than the ball's diameter, {wide} m: a ball on one strand \
             meets the other beside it",
            plain(reach)
        );
        let cure = format!("`reach` = {wide} or more in its gate, or none: it is then as long as both strands are that near");
        Some((crossing, [cause, cure]))
    })
}

/// Speed of bounces that should come to an end soon, m/s.
const SLOW: f64 = 1e-4;

/// Energy error of fixed steps from which on a warning is given, as a part of the energy in motion.
const LEAK: f64 = 0.01;

impl Scenario {
    /// Warning about a large energy error of an event-driven run with fixed steps.
    pub fn leak(&self, run: &Summary) -> Option<Warning> {
        let motion = run.ledger.kinetic + run.energy_end.dissipated + run.energy_end.work.abs();
        self.leaks(run.ledger.unjudged, motion, run.ledger.allowed)
    }

    /// Warning about a large change of energy by scheme and projection in time stepping.
    pub fn stepping_leak(&self, run: &SteppingSummary) -> Option<Warning> {
        let end = mechanics::Energy::from(run.energy_end);
        let motion = run.kinetic + end.dissipated + end.work.abs();
        let rounding = Rounding::SUM * f64::EPSILON * (motion + end.potential.abs()) * run.count.steps as f64;
        self.leaks(run.leak, motion, rounding)
    }

    /// Warning about this energy error; `motion`: largest kinetic energy plus dissipated energy and work, J.
    fn leaks(&self, unexplained: f64, motion: f64, rounding: f64) -> Option<Warning> {
        let part = unexplained.abs() / motion;
        if !(unexplained.abs() > rounding && part > LEAK) {
            return None;
        }
        let part_of = match part {
            ..1.0 => format!("{} % of", plain(rounded(100.0 * part, 2))),
            _ => format!("{} times", plain(rounded(part, 2))),
        };
        let cause = format!(
            "steps that are held to no tolerance leave {} J unexplained, {part_of} the {} J in motion (largest kinetic energy, losses and \
             work)",
            plain(rounded(unexplained, 3)),
            plain(rounded(motion, 3))
        );
        let cure = match (self.solver.control, self.order()) {
            // An error of half of all energy in motion or more is not small enough to have an order.
            (Control::Step { step, .. }, Some(order)) if step.is_finite() && part < 0.5 => format!(
                "a step of {} s, by the method's order {order}, would leave 1 %; where ground or force change within less than a step, only one \
                 that sees it does",
                plain(rounded(step * elementary::powf(LEAK / part, 1.0 / f64::from(order)), 2))
            ),
            _ => "half the step, or half the tolerance, and see whether it gets less; where it does not, ground or force change within less than a step, \
                  or the method is wrong"
                .to_owned(),
        };
        Some(Warning { code: "energy", cause, cure })
    }

    /// Lowest order p (error ∝ hᵖ) of the methods of a run with fixed steps; `None`: a method of the caller.
    fn order(&self) -> Option<u32> {
        let Control::Step { extrapolate, .. } = self.solver.control else { return None };
        if self.stepping.is_some() || self.solver.scheme.gamma() != Scheme::AVERAGE.gamma() {
            return Some(1);
        }
        let newmark = if extrapolate { 4 } else { 2 };
        let flight = match self.flight_kind() {
            FlightKind::Newmark | FlightKind::Auto => newmark,
            FlightKind::Bdf | FlightKind::Radau => 5,
            FlightKind::Dop853 | FlightKind::Taylor | FlightKind::Ballistic => 8,
            FlightKind::Own(_) => return None,
        };
        let contact = match self.solver.formulation {
            FormulationKind::Ours(_) => newmark,
            FormulationKind::Taylor => 8,
            FormulationKind::Own(_) => return None,
        };
        Some(contact.min(flight))
    }

    /// Warnings before a run: keys left aside; noisy points; gravity that points upwards; a start in contact that
    /// gravity pulls off the curve; a crossing whose `reach` is shorter than the ball's diameter; bounces that do not
    /// come to an end.
    pub fn warnings(&self) -> Vec<Warning> {
        let noise = |noise: Noise| Warning { code: "noise", cause: noise.cause(), cure: noise.cure() };
        let gravity = self.scene.forces.gravity_vector();
        let upwards = || Warning {
            code: "upward-gravity",
            cause: format!("y counts upwards, and gravity pulls up by {} m/s²", plain(gravity.y)),
            cure: "gravity = 9.81 pulls down, as [0, -9.81] does: a number counts downwards, a vector as it is"
                .to_owned(),
        };
        let noise = self.curve.noise.map(noise);
        let ground = &self.scene.ground;
        let reaches = short_reaches(ground.ground(), ground.radius());
        let reaches = reaches.map(|(_, [cause, cure])| Warning { code: "short-reach", cause, cure });
        let upwards = (gravity.y > gravity.x.abs()).then(upwards);
        let given = self.left_aside.iter().cloned().chain(noise);
        given.chain(upwards).chain(self.falls_off()).chain(reaches).chain(self.bounces_on()).collect()
    }

    /// Warning about a formula of restitution by which slow bounces lose next to nothing.
    fn bounces_on(&self) -> Option<Warning> {
        let of_speed = |law: &ContactLaw| match law.restitution_law() {
            law @ Restitution::OfApproach(formula) if self.stepping.is_none() && !law.may_settle(SLOW) => {
                Some(formula.to_string())
            }
            _ => None,
        };
        let formula = self.scene.laws().find_map(of_speed)?;
        Some(Warning {
            code: "bounces-on",
            cause: format!(
                "`restitution` = {formula:?} is almost 1 for slow impacts: a ball that should come to rest bounces on, a million times and more"
            ),
            cure: format!(
                "an upper bound, as in \"min(0.99, {formula})\"; or `capture-tolerance` and `capture-speed` of 1e-4 m/s end slower bounces"
            ),
        })
    }

    /// Warning about a ball on the lower side of a curve, which often is one drawn from right to left.
    fn falls_off(&self) -> Option<Warning> {
        let Some(Initial::OnGround { .. }) = self.initial else { return None };
        let ground = &self.scene.ground;
        let (frame, leaves) = match self.start {
            Start::Flight(state) => (ground.frame(ground.place_below(state.position)), true),
            Start::Contact { place, speed, .. } => {
                let frame = ground.frame(place);
                let pulled = frame.normal.dot(&self.scene.forces.gravity_vector());
                (frame, pulled > frame.curvature * speed * speed)
            }
        };
        let place = ground.place_below(frame.position);
        let name = self.curve.name(ground.curve_of(place)).map_or("the ground".to_owned(), |name| format!("`{name}`"));
        (leaves && frame.normal.y < 0.0).then(|| Warning {
            code: "starts-below",
            cause: format!(
                "the ball starts below {name}, at ({:?}, {:?}), and falls off: the free side is left of travel",
                rounded(frame.position.x, 6),
                rounded(frame.position.y, 6)
            ),
            cure: "`reverse = true` in `curve`, or points from left to right, put the ball above; else `position` says where it is".to_owned(),
        })
    }
}
