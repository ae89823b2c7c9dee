//! How is contact integrated by Taylor series in time, of the ground's parameter, the speed and the spin?

use std::sync::Arc;

use curves::{Ground, Place};
use mechanics::{Ball, ContactForces, ContactLaw, Forces, Mode};
use newmark::{Control, Tolerance, longer, longest, with_rest};
use numbers::{Number, Rounding, Series, Tape};

use crate::contact_trait_and_errors::shortest_step;
use crate::step_polynomials::{Polynomial, StepSeries, TERMS};
use crate::{Between, ContactCount, ContactMethod, ContactState, ContactStep, ContactSystem, Newmark, RollingError};

/// Motion on the ground by its Taylor series, with those of λ and friction.
///
/// ```text
/// ṡ = v/((1 − κR)‖c′‖),   v̇ and ω̇ by §2
/// h = min (tolerance/|cₖ|)^(1/k) over the last two coefficients of place, velocity, rim
/// ```
///
/// with coefficients cₖ of tᵏ (Jorba & Zou, *Experimental Mathematics* 14 (2005) 99, §3). The rates of §2 at the end of
/// a step are compared with the slopes of the series. Their difference times h/(p + 1), at order p, estimates the next
/// term; it is far larger if a root has gone over to its other branch, which no coefficient shows. A step ends where
/// `abs`, `min` or `max` switch. Without a series (a closure; the zero of a root) [`Newmark::symmetric`] steps.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Taylor {
    control: Control,
    #[serde(skip)]
    expansion: Expansion,
    /// Method for steps without a series.
    instead: Newmark,
    count: ContactCount,
}

impl Taylor {
    /// Creates the method with fixed steps of order 8 (`extrapolate` is ignored), or with a tolerance.
    pub fn new(control: Control) -> Self {
        let instead = Newmark::symmetric(control.extrapolated());
        Taylor { control, expansion: Expansion::default(), instead, count: ContactCount::default() }
    }

    /// Order of the series.
    pub fn order(&self) -> u32 {
        self.control.series_order()
    }

    /// Computes a step by series; false: there is no series, or none of its steps is accurate.
    fn by_series(&mut self, system: &ContactSystem, step: &mut ContactStep, until: f64) -> bool {
        let (start, left) = (step.start, until - step.start.time);
        if step.series().is_none() {
            step.between = Between::Series(StepSeries::NONE);
        }
        let ContactStep { between: Between::Series(series), end, .. } = step else { return false };
        self.expansion.expand(system, &start, self.control.series_order() as usize);
        self.expansion.put(series);
        let tolerance = self.control.tolerance();
        let mut h = match (self.control, tolerance) {
            (Control::Step { step, .. }, _) => step,
            (_, Some(tolerance)) => longest_step(system, &start, series, tolerance),
            _ => f64::NAN,
        };
        h = with_rest(h, left);
        if let Some(switch) = self.expansion.first_switch(h) {
            // Ends one tick of the clock after the switch, so that the next step begins with the other formula.
            h = h.min(switch + Rounding::tick(start.time + switch));
        }
        let least = if tolerance.is_some() { shortest_step(system, &start).min(left) } else { 0.0 };
        while h > 0.0 && h >= least {
            *end = series.at(system, &start, h);
            self.count.frames += 1;
            let error = match tolerance {
                Some(tolerance) => missed(system, series, end, h, tolerance),
                None if is_finite(end) => 0.0,
                None => return false,
            };
            if error <= 1.0 {
                if h == left {
                    end.time = until;
                }
                return true;
            }
            self.count.rejected += 1;
            h *= longer(error, f64::from(self.order()) + 1.0).min(0.9);
        }
        false
    }
}

fn is_finite(state: &ContactState) -> bool {
    let ContactState { place, speed, spin, angle, normal_force, friction_force, .. } = state;
    (place.parameter() + speed + spin + angle + normal_force + friction_force).is_finite()
}

/// Longest step (s) by the last two coefficients of place, velocity, rim velocity and rim way; 0 if there is none.
fn longest_step(system: &ContactSystem, start: &ContactState, series: &StepSeries, tolerance: Tolerance) -> f64 {
    let radius = system.ball.radius();
    let rows = [
        (&series.parameter, start.frame.speed, start.frame.position.norm()),
        (&series.speed, 1.0, start.speed),
        (&series.spin, radius, radius * start.spin),
        (&series.angle, radius, radius * start.angle),
    ];
    let last = [series.degree - 1, series.degree];
    longest(last, rows.map(|(terms, unit, size)| (tolerance.allows(size), last.map(|k| unit * terms[k]))))
}

/// Error of the series at the end of a step, over what is allowed, by the rates of §2 there.
fn missed(system: &ContactSystem, series: &StepSeries, end: &ContactState, h: f64, tolerance: Tolerance) -> f64 {
    use numbers::polynomial::slope_of;
    let slope = |coefficients: &[f64; TERMS]| slope_of(&coefficients[..=series.degree], h);
    let law = system.law(end);
    let radius = system.ball.radius();
    let part = h / (series.degree + 1) as f64;
    let place = part * (slope(&series.parameter) * end.frame.speed - end.speed);
    let velocity = part * (slope(&series.speed) - law.acceleration);
    let rim = part * radius * (slope(&series.spin) - system.spin_acceleration(&law));
    let unit = end.rounding(system, h);
    tolerance.ratio([
        [place, end.frame.position.norm(), unit.length],
        [velocity, end.speed, unit.velocity],
        [rim, radius * end.spin, unit.velocity],
    ])
}

impl ContactMethod for Taylor {
    fn step(&mut self, system: &ContactSystem, step: &mut ContactStep, until: f64) -> Result<(), RollingError> {
        if system.mode != Mode::Resting && self.by_series(system, step, until) {
            self.count.steps += 1;
            return Ok(());
        }
        self.instead.step(system, step, until)
    }

    fn tolerance(&self) -> Option<Tolerance> {
        self.instead.tolerance()
    }

    fn count(&self) -> ContactCount {
        let other = self.instead.count();
        ContactCount {
            steps: self.count.steps + other.steps,
            rejected: self.count.rejected + other.rejected,
            frames: self.count.frames + other.frames,
            ..other
        }
    }
}

/// Inputs of a tape: time, parameter, `v·τ`, ω.
const INPUTS: usize = 4;
/// Outputs of a tape: rates of parameter, `v·τ` and ω; λ; f.
const OUTPUTS: usize = 5;

/// Series of the motion, and the tapes of all pieces and modes met so far.
#[derive(Clone, Debug, Default)]
struct Expansion {
    scene: Option<RecordedScene>,
    lists: Vec<List>,
    series: Series<f64, TERMS>,
    /// Order of the series.
    order: usize,
    /// Index of the tape, and the state, that `series` is expanded from.
    of: Option<(usize, ContactState)>,
}

/// Parts of a system that the tapes were recorded with.
#[derive(Clone, Debug, PartialEq)]
struct RecordedScene {
    ground: ByAddress,
    radius: f64,
    ball: Ball,
    forces: Forces,
    contact: ContactLaw,
}

/// Ground compared by its address. Holding the `Arc` keeps the address from being used for another ground.
#[derive(Clone, Debug)]
struct ByAddress(Arc<Ground>);

impl PartialEq for ByAddress {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Recorded equations of motion on one piece or corner, in one mode.
#[derive(Clone, Debug)]
struct List {
    feature: Place,
    mode: Mode,
    tape: Tape,
}

impl RecordedScene {
    fn of(system: &ContactSystem) -> Self {
        RecordedScene {
            ground: ByAddress(system.ground.shared().clone()),
            radius: system.ground.radius(),
            ball: *system.ball,
            forces: system.forces.clone(),
            contact: system.contact.clone(),
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

/// Records the equations of §2 on a tape, for the piece or corner of a place.
fn record(system: &ContactSystem, place: Place) -> Tape {
    Tape::record::<INPUTS, OUTPUTS>(|[time, parameter, speed, spin]| {
        let frame = system.ground.frame_over(place, parameter);
        let dot = |a: [_; 2], b: [_; 2]| a[0] * b[0] + a[1] * b[1];
        // Asked with a spin other than 0, since the force may depend on it.
        let force = match system.forces.constant(1.0) {
            Some(force) => [Number::constant(force.x), Number::constant(force.y)],
            None => {
                let velocity = frame.tangent.map(|along| along * speed);
                // |v| is given, since the root of v² would stay on its old branch after the ball turns round.
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

impl Expansion {
    /// Index of the tape of a place; recorded at the first visit.
    fn list(&mut self, system: &ContactSystem, place: Place) -> usize {
        if !self.scene.as_ref().is_some_and(|scene| scene.is_of(system)) {
            self.scene = Some(RecordedScene::of(system));
            self.lists.clear();
            self.of = None;
        }
        let is_it = |list: &List| list.mode == system.mode && list.feature.same_feature(place);
        // Mostly it is the tape of the step before.
        let last = self.of.map(|(number, _)| number).filter(|number| self.lists.get(*number).is_some_and(is_it));
        last.or_else(|| self.lists.iter().position(is_it)).unwrap_or_else(|| {
            let list = List { feature: place, mode: system.mode, tape: record(system, place) };
            self.series.fit(&list.tape);
            self.lists.push(list);
            self.lists.len() - 1
        })
    }

    /// Expands the motion from a state, unless it is expanded already.
    fn expand(&mut self, system: &ContactSystem, start: &ContactState, order: usize) {
        self.order = order;
        let number = self.list(system, start.place);
        if self.of == Some((number, *start)) {
            return;
        }
        let (series, tape) = (&mut self.series, &self.lists[number].tape);
        series.put(0, &[start.time, 1.0]);
        for (input, value) in [(1, start.place.parameter()), (2, start.speed), (3, start.spin)] {
            series.put(input, &[value]);
        }
        for k in 0..order {
            series.extend(tape, k);
            for input in 1..INPUTS {
                let rate = series.of(tape.output(input - 1))[k];
                series.put_at(input, k + 1, rate / (k + 1) as f64);
            }
        }
        self.of = Some((number, *start));
    }

    /// The first time, up to `until` s after the start, at which a formula switches.
    fn first_switch(&self, until: f64) -> Option<f64> {
        let (number, _) = self.of?;
        self.series.first_switch(&self.lists[number].tape, self.order, until)
    }

    /// Copies the series of the motion and of the forces to a step's polynomials, and integrates the spin to the angle.
    fn put(&self, into: &mut StepSeries) {
        let Some((number, start)) = &self.of else { return };
        let tape = &self.lists[*number].tape;
        let fill = |polynomial: &mut Polynomial, node: u32, terms: usize| {
            *polynomial = [0.0; TERMS];
            polynomial[..terms].copy_from_slice(&self.series.of(node)[..terms]);
        };
        into.degree = self.order;
        fill(&mut into.parameter, 1, self.order + 1);
        fill(&mut into.speed, 2, self.order + 1);
        fill(&mut into.spin, 3, self.order + 1);
        fill(&mut into.normal_force, tape.output(3), self.order);
        fill(&mut into.friction_force, tape.output(4), self.order);
        into.angle = [0.0; TERMS];
        into.angle[0] = start.angle;
        for k in 1..=self.order {
            into.angle[k] = into.spin[k - 1] / k as f64;
        }
    }
}
