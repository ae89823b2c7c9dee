//! How is contact integrated by Newmark's scheme in any formulation, with fixed steps or a tolerance?

use mechanics::Mode;
use nalgebra::Vector2;
use newmark::{
    Control, Extrapolation, Pace, Scheme, Substeps, Tolerance, Tried, extrapolate_once, longer, octic_error,
};
use numbers::Rounding;

use crate::contact_trait_and_errors::{Between, FIRST_STEP, shortest_step, stuck};
use crate::dense_output::Dense;
use crate::foot::foot;
use crate::formulation::Stepper;
use crate::{ContactCount, ContactMethod, ContactState, ContactStep, ContactSystem, Formulation, RollingError};

/// Contact by Newmark's scheme in one [`Formulation`].
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Newmark {
    formulation: Formulation,
    scheme: Scheme,
    /// Whether steps are extrapolated; by a tolerance they always are.
    extrapolate: bool,
    pace: Pace,
    table: Extrapolation,
    count: ContactCount,
}

/// `[q, v, Rω, Rθ]` with the angle θ: lengths and velocities, so that one tolerance fits all. For a ball that does not
/// turn, `v·τ` takes the place of Rω by arc length.
type Packed = [f64; 6];

/// Equal steps of a formulation: `count` of them over `h` s.
#[derive(Clone, Copy)]
struct EqualSteps {
    formulation: Formulation,
    h: f64,
    count: u32,
}

impl Newmark {
    /// Creates the method. A `scheme` other than [`Scheme::AVERAGE`] is for `index3` alone, as the other formulations
    /// are built on that. Extrapolation and tolerance are for symmetric formulations.
    pub fn new(formulation: Formulation, scheme: Scheme, control: Control) -> Result<Self, RollingError> {
        let method = Newmark { formulation, scheme, ..Newmark::symmetric(control) };
        let needs = if method.extrapolate && !formulation.is_symmetric() {
            "a fixed step without extrapolation: give one, or take symmetric or arc-length, which go by tolerance"
        } else if scheme != Scheme::AVERAGE && formulation != Formulation::Index3 {
            "β = 1/4 and γ = 1/2: other ones are for index3"
        } else {
            return Ok(method);
        };
        Err(RollingError::Unfit { formulation, needs })
    }

    /// Creates the method of [`Formulation::Symmetric`].
    pub fn symmetric(control: Control) -> Self {
        let extrapolate = !matches!(control, Control::Step { extrapolate: false, .. });
        let (pace, table, count) = (Pace::new(control, FIRST_STEP), Extrapolation::default(), ContactCount::default());
        Newmark { formulation: Formulation::Symmetric, scheme: Scheme::AVERAGE, extrapolate, pace, table, count }
    }

    /// Makes equal steps; puts the last state into `end`, and for an even count the one halfway into `middle`.
    fn substeps(
        &mut self,
        EqualSteps { formulation, h, count }: EqualSteps,
        system: &ContactSystem,
        start: &ContactState,
        mut middle: Option<&mut ContactState>,
        end: &mut ContactState,
    ) -> Result<(), RollingError> {
        let mut stepper = Stepper::new(system, self.scheme);
        let part = h / f64::from(count);
        let mut result = stepper.step(formulation, start, part, end);
        for done in 1..count {
            if let Some(middle) = middle.as_deref_mut()
                && 2 * done == count
            {
                *middle = *end;
            }
            if result.is_ok() {
                let from = *end;
                result = stepper.step(formulation, &from, part, end);
            }
        }
        self.count.frames += stepper.frames;
        // One sum has less rounding than `count` sums.
        end.time = start.time + h;
        result
    }

    /// Makes a fixed step of `h` s, extrapolated once if so set; returns the formulation used.
    fn fixed(&mut self, system: &ContactSystem, step: &mut ContactStep, h: f64) -> Result<Formulation, RollingError> {
        let ContactStep { start, end, .. } = step;
        let formulation = self.formulation.used_for(system);
        self.substeps(EqualSteps { formulation, h, count: 1 }, system, start, None, end)?;
        if self.extrapolate {
            let whole = pack(system, end, false);
            self.substeps(EqualSteps { formulation, h, count: 2 }, system, start, None, end)?;
            let better = extrapolate_once(&whole, &pack(system, end, false));
            self.put_back(system, end, &better, false)?;
        }
        step.between = if self.formulation.carries() { Between::Carried } else { Between::Nothing };
        Ok(formulation)
    }

    /// Tries a step of `h` s with a tolerance; returns also the formulation used. `before` is the error of the dense
    /// output at the last try, infinite at first.
    fn extrapolated(
        &mut self,
        tolerance: Tolerance,
        system: &ContactSystem,
        step: &mut ContactStep,
        h: f64,
        before: &mut f64,
    ) -> Result<Tried<Formulation>, RollingError> {
        let ContactStep { start, end, .. } = &mut *step;
        let mut middle = *start;
        // `end` may be left from the last try.
        let mut known = rounding(system, [start, end], h);
        // By arc length where the velocity of `symmetric` would be rounded by more than the tolerance. Then rounding of
        // places turns the velocity, and counts μ times in the rim's.
        let by_arc = known[2] > tolerance.allows(start.speed.abs());
        let formulation = if by_arc { Formulation::ArcLength } else { self.formulation.used_for(system) };
        if by_arc {
            let bend = start.frame.curvature.abs().max(end.frame.curvature.abs());
            let turned = known[0] * bend * start.speed.abs();
            (known[2], known[3], known[4]) = (turned, turned, turned * system.drag().abs());
        }
        let mut table = self.table;
        let Tried { error, longer: next, value } =
            table.step(tolerance, &pack(system, start, by_arc), &known, |n| {
                self.substeps(EqualSteps { formulation, h, count: n }, system, start, Some(&mut middle), end)?;
                let reached = pack(system, end, by_arc);
                // An undefined force is reported as such, not as too large an error.
                if reached.iter().any(|number| !number.is_finite()) {
                    return Err(RollingError::NotFinite { time: end.time });
                }
                Ok(Substeps { middle: pack(system, &middle, by_arc), end: reached })
            })?;
        self.table = table;
        if error > 1.0 {
            return Ok(Tried { error, longer: next, value: formulation });
        }
        self.put_back(system, &mut middle, &value.middle, by_arc)?;
        self.put_back(system, end, &value.end, by_arc)?;
        step.between = Between::Middle(middle);
        let (defect, rounding, there) = defect(system, &step.dense(system));
        self.count.frames += 6;
        let position = there.frame.position.norm();
        let judge = |rounding: f64| octic_error(tolerance, h, defect, rounding, position, there.speed);
        let mut error = judge(rounding);
        // Rounding of numbers that cancel in the ground's formula bends a short path, too. Its bounds are only
        // evaluated for steps that fail.
        if error > 1.0 {
            error = judge(rounding + system.ground.rounding(there.place));
        }
        // An error of which a shorter step left more than half is rounding.
        let rounded = error > 0.5 * std::mem::replace(before, error);
        Ok(Tried { error: if rounded { 0.0 } else { error }, longer: next.min(longer(error, 8.0)), value: formulation })
    }

    /// Sets a state to the one with `g = ġ = 0`, and in rolling `u = 0`, that is closest to the extrapolated numbers
    /// `packed`, near which it is.
    fn put_back(
        &mut self,
        system: &ContactSystem,
        state: &mut ContactState,
        packed: &Packed,
        by_arc: bool,
    ) -> Result<(), RollingError> {
        let [x, y, vx, vy, rim, turned] = *packed;
        let (q, v) = (Vector2::new(x, y), Vector2::new(vx, vy));
        let Some(foot) = foot(system.ground, state.place, state.frame, q) else {
            return Err(RollingError::NotFinite { time: state.time });
        };
        (state.place, state.frame) = (foot.place, foot.frame);
        self.count.frames += foot.evaluations;
        self.count.projections += 1;
        self.count.largest_projection = self.count.largest_projection.max((state.frame.position - q).norm());
        state.speed = match system.mode {
            _ if by_arc && !system.ball.turns() => rim,
            Mode::Rolling { .. } if by_arc => -rim,
            _ => state.frame.along(v),
        };
        state.spin = match system.mode {
            _ if !system.ball.turns() => state.spin,
            Mode::Rolling { .. } => -state.speed / system.ball.radius(),
            _ => rim / system.ball.radius(),
        };
        if system.ball.radius() > 0.0 {
            state.angle = turned / system.ball.radius();
        }
        system.relabel(state);
        Ok(())
    }
}

/// Defect, m/s², of a step's path in the tangential equation, or if larger in that of the rim, at a quarter of its
/// time; rounding of the path, m; and the state there.
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
    // Rounding of places, and of times, whose difference is the duration.
    let turned = f64::EPSILON * (system.ball.radius() * there.angle).abs();
    let rounding = there.rounding(system, there.time).length + turned;
    ((along - law.acceleration).abs().max(turning), rounding, there)
}

impl ContactMethod for Newmark {
    fn step(&mut self, system: &ContactSystem, step: &mut ContactStep, until: f64) -> Result<(), RollingError> {
        let (mut pace, mut before) = (self.pace, f64::INFINITY);
        let tolerance = pace.tolerance();
        let time = step.start.time;
        let least = tolerance.map_or(0.0, |_| shortest_step(system, &step.start));
        let found = pace.step(
            time,
            until - time,
            || least,
            |h| match tolerance {
                Some(tolerance) => self.extrapolated(tolerance, system, step, h, &mut before),
                None => self.fixed(system, step, h).map(|value| Tried { error: 0.0, longer: 1.0, value }),
            },
        );
        self.pace = pace;
        self.count.steps += u64::from(found.is_ok());
        let other = |(_, made): &(f64, Formulation)| *made != self.formulation;
        self.count.by_arc_length += u64::from(found.as_ref().is_ok_and(other));
        found.map(|_| ()).map_err(|error| stuck(system, step, tolerance, error))
    }

    fn tolerance(&self) -> Option<Tolerance> {
        self.pace.tolerance()
    }

    fn count(&self) -> ContactCount {
        ContactCount { rejected: self.pace.rejected(), ..self.count }
    }

    fn carries(&self) -> bool {
        self.formulation.carries()
    }
}

/// Rounding of [`Packed`] over a step of `h` s. That of velocities comes from the normal, which rounding of places
/// turns, and from μ times that of places over `h`: `symmetric` takes λ, and so friction, from a difference of places.
fn rounding(system: &ContactSystem, [start, end]: [&ContactState; 2], h: f64) -> Packed {
    let unit = start.rounding(system, h);
    let place = Rounding::SUM * unit.length;
    let bend = start.frame.curvature.abs().max(end.frame.curvature.abs());
    let velocity = place * (system.drag().abs() / h + bend * start.speed.abs());
    [place, place, velocity, velocity, velocity, place]
}

fn pack(system: &ContactSystem, state: &ContactState, by_arc: bool) -> Packed {
    let (q, v) = (state.frame.position, state.velocity());
    let radius = system.ball.radius();
    let rim = if by_arc && !system.ball.turns() { state.speed } else { radius * state.spin };
    [q.x, q.y, v.x, v.y, rim, radius * state.angle]
}
