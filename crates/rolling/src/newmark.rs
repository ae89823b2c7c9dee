//! Newmark contact with any formulation, at fixed steps or with a tolerance.

use curves::Rounding;
use mechanics::Mode;
use nalgebra::Vector2;
use newmark::{Control, Extrapolation, Outcome, Scheme, StepTooSmall, Substeps, extrapolate_once};

use crate::dense::Dense;
use crate::foot::foot;
use crate::formulation::Stepper;
use crate::{ContactCount, ContactMethod, ContactState, ContactStep, ContactSystem, Formulation, RollingError};

/// The contact DAE by one [`Formulation`].
#[derive(Clone, Debug)]
pub struct Newmark {
    formulation: Formulation,
    scheme: Scheme,
    pace: Pace,
    count: ContactCount,
}

#[derive(Clone, Copy, Debug)]
enum Pace {
    Fixed { step: f64, extrapolate: bool },
    Controlled(Extrapolation),
}

/// `[q, v, Rω, angle]`
type Packed = [f64; 6];

/// The first guess of a controlled step, s.
const FIRST_STEP: f64 = 0.02;

impl Newmark {
    /// `scheme` is for `index3` alone; the others are built on β = 1/4, γ = 1/2. Extrapolation and tolerance are for
    /// symmetric formulations; with another one, [`Formulation::Symmetric`] is taken instead.
    pub fn new(formulation: Formulation, scheme: Scheme, control: Control) -> Self {
        let extrapolates = !matches!(control, Control::Step { extrapolate: false, .. });
        let formulation =
            if extrapolates && !formulation.is_symmetric() { Formulation::Symmetric } else { formulation };
        let pace = match control {
            Control::Step { step, extrapolate } => Pace::Fixed { step, extrapolate },
            Control::Tolerance(tolerance) => Pace::Controlled(Extrapolation::new(tolerance, FIRST_STEP)),
        };
        Newmark { formulation, scheme, pace, count: ContactCount::default() }
    }

    /// `count` equal steps over `h`; the last state and, for an even count, the one halfway.
    fn substeps(
        &mut self,
        system: &ContactSystem,
        start: &ContactState,
        h: f64,
        count: u32,
        middle: &mut ContactState,
        end: &mut ContactState,
    ) -> Result<(), RollingError> {
        let mut stepper = Stepper::new(system, self.scheme);
        let part = h / f64::from(count);
        let mut result = stepper.step(self.formulation, start, part, end);
        for done in 1..count {
            if 2 * done == count {
                *middle = *end;
            }
            if result.is_ok() {
                let from = *end;
                result = stepper.step(self.formulation, &from, part, end);
            }
        }
        self.count.frames += stepper.frames;
        // Times as products, not sums.
        end.time = start.time + h;
        result
    }

    fn fixed(
        &mut self,
        system: &ContactSystem,
        step: &mut ContactStep,
        h: f64,
        extrapolate: bool,
    ) -> Result<(), RollingError> {
        let ContactStep { start, middle, end, .. } = step;
        self.substeps(system, start, h, 1, middle, end)?;
        if extrapolate {
            let whole = pack(system, end);
            self.substeps(system, start, h, 2, middle, end)?;
            let better = extrapolate_once(&whole, &pack(system, end));
            self.put_back(system, end, &better)?;
        }
        self.count.steps += 1;
        (step.has_middle, step.carried) = (false, self.formulation.carries());
        Ok(())
    }

    fn controlled(
        &mut self,
        extrapolation: &mut Extrapolation,
        system: &ContactSystem,
        step: &mut ContactStep,
        left: f64,
    ) -> Result<(), RollingError> {
        let mut trouble = None;
        // The error between nodes at the last try.
        let mut before = f64::INFINITY;
        let start_time = step.start.time;
        let place = step.start.rounding(system, start_time);
        let least = place.shortest_step(step.start.speed.abs());
        // The last step may propose less than can be: one trial says what is wrong ahead.
        let mut h = extrapolation.proposal().max(least).min(left);
        loop {
            if h < least && h < left {
                let tolerance = extrapolation.tolerance().allows(step.start.frame.position.norm());
                let rounding = place.length + system.ground.rounding(step.start.place);
                let error = StepTooSmall { time: start_time, step: least, tolerance, rounding };
                return Err(trouble.unwrap_or(RollingError::StepTooSmall(error)));
            }
            let ContactStep { start, middle, end, .. } = &mut *step;
            // Of the end of the last try, if there was one.
            let known = rounding(system, [start, end], h);
            let outcome = extrapolation.step(&pack(system, start), &known, h, |n| {
                self.substeps(system, start, h, n, middle, end)?;
                let reached = pack(system, end);
                // A force that is undefined there is a reason of its own, not an error too large.
                if reached.iter().any(|number| !number.is_finite()) {
                    return Err(RollingError::NotFinite { time: end.time });
                }
                Ok(Substeps { middle: pack(system, middle), end: reached })
            });
            match outcome {
                Ok(Outcome::Accepted { result, .. }) => {
                    self.put_back(system, middle, &result.middle)?;
                    self.put_back(system, end, &result.end)?;
                    (step.has_middle, step.carried) = (true, false);
                    let dense = step.dense(system);
                    let (defect, rounding, there) = defect(system, &dense);
                    let position = there.frame.position.norm();
                    self.count.frames += 6;
                    let asked = *extrapolation;
                    let mut error = extrapolation.between_nodes(h, defect, rounding, position, there.speed);
                    // Numbers that cancel in the ground's formula bend a short path as well. That takes bounds: for steps not kept.
                    if error > 1.0 {
                        *extrapolation = asked;
                        let rounding = rounding + system.ground.rounding(there.place);
                        error = extrapolation.between_nodes(h, defect, rounding, position, there.speed);
                    }
                    // Where a shorter step did not make it smaller, it is rounding.
                    if error <= 1.0 || error > 0.5 * before {
                        self.count.steps += 1;
                        return Ok(());
                    }
                    before = error;
                    extrapolation.propose(extrapolation.proposal().min(0.7 * h));
                }
                Ok(Outcome::Rejected) => {}
                // A long trial step may not converge or may leave the curve; a shorter one need not.
                Err(error) => {
                    trouble = Some(error);
                    extrapolation.propose(0.25 * h);
                }
            }
            self.count.rejected += 1;
            h = extrapolation.proposal().min(left);
        }
    }

    /// Moves a state nearby to the one closest to extrapolated numbers that has `g = ġ = 0` (and `u = 0` rolling).
    fn put_back(
        &mut self,
        system: &ContactSystem,
        state: &mut ContactState,
        packed: &Packed,
    ) -> Result<(), RollingError> {
        let [x, y, vx, vy, rim, angle] = *packed;
        let (q, v) = (Vector2::new(x, y), Vector2::new(vx, vy));
        let Some(foot) = foot(system.ground, state.place, state.frame, q) else {
            return Err(RollingError::NotFinite { time: state.time });
        };
        (state.place, state.frame) = (foot.place, foot.frame);
        self.count.frames += foot.evaluations;
        self.count.projections += 1;
        self.count.largest_projection = self.count.largest_projection.max((state.frame.position - q).norm());
        state.speed = state.frame.along(v);
        state.spin = match system.mode {
            _ if !system.ball.turns() => state.spin,
            Mode::Rolling => -state.speed / system.ball.radius(),
            _ => rim / system.ball.radius(),
        };
        state.angle = angle;
        system.relabel(state);
        Ok(())
    }
}

/// What the path of a step misses of the tangential (and the turning) equation at a quarter, m/s²; rounding
/// of the path, m; and the state there.
fn defect(system: &ContactSystem, dense: &Dense) -> (f64, f64, ContactState) {
    let t = 0.25 * dense.step().duration();
    let (there, path) = (dense.at(system, t), dense.path().at(t));
    let law = system.law(&there);
    let stretching = system.ground.frame_and_rate(there.place).1;
    let along = path.acceleration.x * there.frame.speed + stretching * path.velocity.x * path.velocity.x;
    let turning = match system.mode {
        Mode::Sliding { .. } if system.ball.turns() => {
            system.ball.radius() * (path.acceleration.y - law.spin_acceleration).abs()
        }
        _ => 0.0,
    };
    // Of places, and of times: how long a step lasts is a difference of them.
    let turned = f64::EPSILON * (system.ball.radius() * there.angle).abs();
    let rounding = there.rounding(system, there.time).length + turned;
    ((along - law.acceleration).abs().max(turning), rounding, there)
}

impl ContactMethod for Newmark {
    fn step(&mut self, system: &ContactSystem, step: &mut ContactStep, until: f64) -> Result<(), RollingError> {
        let left = until - step.start.time;
        match self.pace {
            Pace::Fixed { step: h, extrapolate } => {
                // A last step that would leave a rounding error is made a little longer instead.
                let h = if left < h * (1.0 + 1e-9) { left } else { h };
                self.fixed(system, step, h, extrapolate)
            }
            Pace::Controlled(mut extrapolation) => {
                let result = self.controlled(&mut extrapolation, system, step, left);
                self.pace = Pace::Controlled(extrapolation);
                result
            }
        }
    }

    fn count(&self) -> ContactCount {
        self.count
    }
}

/// What rounding makes of [`Packed`] over a step of `h` s: of places what it moves them by; of velocities what that turns them by, and
/// along the ground, where friction makes it of a difference of places over the step, so much of that.
fn rounding(system: &ContactSystem, [start, end]: [&ContactState; 2], h: f64) -> Packed {
    let unit = start.rounding(system, h);
    let radius = system.ball.radius();
    let place = Rounding::SUM * unit.length;
    let bend = start.frame.curvature.abs().max(end.frame.curvature.abs());
    let velocity = place * (system.drag().abs() / h + bend * start.speed.abs());
    let angle = if radius > 0.0 { place / radius } else { 0.0 };
    [place, place, velocity, velocity, velocity, angle]
}

fn pack(system: &ContactSystem, state: &ContactState) -> Packed {
    let (q, v) = (state.frame.position, state.velocity());
    [q.x, q.y, v.x, v.y, state.spin * system.ball.radius(), state.angle]
}
