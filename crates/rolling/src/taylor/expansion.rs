//! The series of a motion on the ground.

use std::sync::Arc;

use curves::{Ground, Place};
use mechanics::{Ball, ContactForces, ContactLaw, Forces, Mode};
use numbers::Number;
use numbers::{Series, Tape};

use crate::series::{Polynomial, StepSeries};
use crate::{ContactState, ContactSystem};

/// Inputs of the list: time, parameter, `v·τ`, ω.
const INPUTS: usize = 4;
/// Rates of parameter, `v·τ` and ω; λ, f.
const OUTPUTS: usize = 5;

/// Series of `TERMS` coefficients on the pieces that have been met.
#[derive(Clone, Debug, Default)]
pub(super) struct Expansion<const TERMS: usize> {
    scene: Option<Scene>,
    lists: Vec<List>,
    series: Series<f64, TERMS>,
    /// Number of the list, and state, that `series` is expanded from.
    of: Option<(usize, ContactState)>,
}

/// Parts of a system that the lists were recorded with.
#[derive(Clone, Debug, PartialEq)]
struct Scene {
    ground: ByAddress,
    radius: f64,
    ball: Ball,
    forces: Forces,
    contact: ContactLaw,
}

/// Grounds are compared by where they are, which this keeps from being another's.
#[derive(Clone, Debug)]
struct ByAddress(Arc<Ground>);

impl PartialEq for ByAddress {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The equations of motion on one piece or corner, in one mode.
#[derive(Clone, Debug)]
struct List {
    feature: Place,
    mode: Mode,
    tape: Tape,
}

impl Scene {
    fn of(system: &ContactSystem) -> Self {
        Scene {
            ground: ByAddress(system.ground.shared().clone()),
            radius: system.ground.radius(),
            ball: *system.ball,
            forces: system.forces.clone(),
            contact: *system.contact,
        }
    }

    fn is_of(&self, system: &ContactSystem) -> bool {
        Arc::ptr_eq(&self.ground.0, system.ground.shared())
            && self.radius == system.ground.radius()
            && self.ball == *system.ball
            && self.contact == *system.contact
            && self.forces == *system.forces
    }
}

/// Writes the equations of §2 down.
fn record(system: &ContactSystem, place: Place) -> Tape {
    Tape::record::<INPUTS, OUTPUTS>(|[time, parameter, speed, spin]| {
        let frame = system.ground.frame_over(place, parameter);
        let dot = |a: [_; 2], b: [_; 2]| a[0] * b[0] + a[1] * b[1];
        // Any spin but 0: the force may depend on it.
        let force = match system.forces.constant(1.0) {
            Some(force) => [Number::constant(force.x), Number::constant(force.y)],
            None => {
                let velocity = frame.tangent.map(|along| along * speed);
                // A root of v² would be on its other branch after a turn.
                let air_speed = system.forces.is_calm().then(|| speed.abs());
                system.forces.at_speed(time, frame.position, velocity, spin, air_speed)
            }
        };
        let force = [dot(force, frame.tangent), dot(force, frame.normal)];
        let law = ContactForces::over(system.ball, system.contact, system.mode, frame.curvature, speed, force);
        let spinning = match system.mode {
            Mode::Rolling { .. } if system.ball.turns() => law.acceleration.scale(-1.0 / system.ball.radius()),
            _ => law.spin_acceleration,
        };
        [speed / frame.speed, law.acceleration, spinning, law.normal_force, law.friction_force]
    })
}

impl<const TERMS: usize> Expansion<TERMS> {
    /// An expansion without lists.
    pub(super) fn new() -> Self {
        Expansion { scene: None, lists: Vec::new(), series: Series::default(), of: None }
    }

    /// The list of a place, written down where it is met first.
    fn list(&mut self, system: &ContactSystem, place: Place) -> usize {
        if !self.scene.as_ref().is_some_and(|scene| scene.is_of(system)) {
            self.scene = Some(Scene::of(system));
            self.lists.clear();
            self.of = None;
        }
        let is_it = |list: &List| list.mode == system.mode && list.feature.same_feature(place);
        // The list is mostly that of the step before.
        let last = self.of.map(|(number, _)| number).filter(|number| self.lists.get(*number).is_some_and(is_it));
        last.or_else(|| self.lists.iter().position(is_it)).unwrap_or_else(|| {
            let list = List { feature: place, mode: system.mode, tape: record(system, place) };
            self.series.fit(&list.tape);
            self.lists.push(list);
            self.lists.len() - 1
        })
    }

    /// Expands the motion from a state, unless it is that already.
    pub(super) fn expand(&mut self, system: &ContactSystem, start: &ContactState) {
        let number = self.list(system, start.place);
        if self.of == Some((number, *start)) {
            return;
        }
        let (series, tape) = (&mut self.series, &self.lists[number].tape);
        series.put(0, &[start.time, 1.0]);
        for (input, value) in [(1, start.place.parameter()), (2, start.speed), (3, start.spin)] {
            series.put(input, &[value]);
        }
        for k in 0..TERMS - 1 {
            series.extend(tape, k);
            for input in 1..INPUTS {
                let rate = series.of(tape.output(input - 1))[k];
                series.put_at(input, k + 1, rate / (k + 1) as f64);
            }
        }
        self.of = Some((number, *start));
    }

    /// The first time, up to so many s after the start, at which a formula changes to another one.
    pub(super) fn first_switch(&self, until: f64) -> Option<f64> {
        let (number, _) = self.of?;
        self.series.first_switch(&self.lists[number].tape, TERMS - 1, until)
    }

    /// Puts the series into a step.
    pub(super) fn put(&self, into: &mut StepSeries) {
        let Some((number, start)) = &self.of else { return };
        let tape = &self.lists[*number].tape;
        let fill = |polynomial: &mut Polynomial, node: u32, terms: usize| {
            *polynomial = [0.0; crate::series::TERMS];
            polynomial[..terms].copy_from_slice(&self.series.of(node)[..terms]);
        };
        into.degree = TERMS - 1;
        fill(&mut into.parameter, 1, TERMS);
        fill(&mut into.speed, 2, TERMS);
        fill(&mut into.spin, 3, TERMS);
        fill(&mut into.normal_force, tape.output(3), TERMS - 1);
        fill(&mut into.friction_force, tape.output(4), TERMS - 1);
        into.angle = [0.0; crate::series::TERMS];
        into.angle[0] = start.angle;
        for k in 1..TERMS {
            into.angle[k] = into.spin[k - 1] / k as f64;
        }
    }
}
