//! A contact method from one's own one-step scheme.

use mechanics::Mode;
use newmark::{Control, Tolerance};

use crate::{ContactCount, ContactMethod, ContactState, ContactStep, ContactSystem, RollingError};

/// Coordinates of a ball on the ground: parameter of the ground, `v·τ` (m/s), angle (rad), spin (rad/s).
pub type Coordinates = [f64; 4];

/// A one-step scheme for motion on the ground. [`Stepped`] adds what a contact method needs: step control, dense output and ledger.
///
/// ```
/// use rolling::{ContactScheme, ContactState, ContactSystem};
///
/// /// Euler's method.
/// #[derive(Clone)]
/// struct Euler;
///
/// impl ContactScheme for Euler {
///     fn order(&self) -> u32 {
///         1
///     }
///     fn step(&mut self, system: &ContactSystem, start: &ContactState, h: f64) -> ContactState {
///         let (y, rates) = (system.coordinates(start), system.rates(start));
///         system.at(start, start.time + h, [0, 1, 2, 3].map(|i| y[i] + h * rates[i]))
///     }
/// }
/// ```
pub trait ContactScheme {
    /// p: halving the step makes the error after a given time 2ᵖ times smaller.
    fn order(&self) -> u32;

    /// The method of it, in fixed steps or by a tolerance.
    fn stepped(self, control: Control) -> Stepped<Self>
    where
        Self: Sized,
    {
        Stepped::new(self, control)
    }

    /// The ball `h` seconds after `start`. Its ledger is not looked at.
    fn step(&mut self, system: &ContactSystem, start: &ContactState, h: f64) -> ContactState;
}

/// The contact method of a [`ContactScheme`]: in fixed steps, or in steps of which two halves and the whole differ by a tolerance at
/// most (the halves are kept). The ledger is the quadrature of the powers along the dense output.
#[derive(Clone, Debug)]
pub struct Stepped<S> {
    scheme: S,
    control: Control,
    /// The step that is tried next, s.
    proposal: f64,
    count: ContactCount,
}

/// The first guess of a controlled step, s.
const FIRST_STEP: f64 = 0.02;
/// Abscissas and weights of Gauss and Legendre on [0, 1].
const GAUSS: [(f64, f64); 3] = [(0.112701665379258, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887298334620742, 5.0 / 18.0)];

impl<S: ContactScheme> Stepped<S> {
    /// `extrapolate` of a fixed step is not looked at: the scheme has its order without it.
    pub fn new(scheme: S, control: Control) -> Self {
        Stepped { scheme, control, proposal: FIRST_STEP, count: ContactCount::default() }
    }

    fn advance(&mut self, system: &ContactSystem, start: &ContactState, h: f64) -> Result<ContactState, RollingError> {
        let end = self.scheme.step(system, start, h);
        self.count.frames += 1;
        if !(end.place.parameter().is_finite() && end.speed.is_finite() && end.spin.is_finite()) {
            return Err(RollingError::NotFinite { time: start.time });
        }
        Ok(ContactState { time: start.time + h, ..end })
    }

    /// The difference of two results over what is allowed.
    fn ratio(&self, tolerance: &Tolerance, system: &ContactSystem, whole: &ContactState, halves: &ContactState) -> f64 {
        let rim = |state: &ContactState| state.spin * system.ball.radius();
        let parts = [
            ((whole.frame.position - halves.frame.position).norm(), halves.frame.position.norm()),
            ((whole.velocity() - halves.velocity()).norm(), halves.speed.abs()),
            ((rim(whole) - rim(halves)).abs(), rim(halves).abs()),
        ];
        let factor = f64::from(self.scheme.order()).exp2() - 1.0;
        parts.iter().fold(0.0, |most: f64, (error, size)| {
            let ratio = error / (factor * tolerance.allows(*size));
            // NaN must not pass.
            if ratio > most || ratio.is_nan() { ratio } else { most }
        })
    }

    fn controlled(
        &mut self,
        tolerance: &Tolerance,
        system: &ContactSystem,
        step: &mut ContactStep,
        left: f64,
    ) -> Result<(), RollingError> {
        let start = step.start;
        let known = start.rounding(system, start.time);
        let least = known.shortest_step(start.speed.abs());
        let mut h = self.proposal.max(least).min(left);
        loop {
            let tried = self.advance(system, &start, h).and_then(|whole| {
                let middle = self.advance(system, &start, 0.5 * h)?;
                let end = self.advance(system, &middle, 0.5 * h)?;
                Ok((self.ratio(tolerance, system, &whole, &end), middle, end))
            });
            let (ratio, trouble) = match tried {
                Ok((ratio, middle, end)) => {
                    (step.middle, step.end) = (middle, end);
                    let tolerance = tolerance.allows(start.frame.position.norm());
                    let (time, step, rounding) = (start.time, least, known.length);
                    (ratio, RollingError::StepTooSmall(newmark::StepTooSmall { time, step, tolerance, rounding }))
                }
                Err(error) => (f64::INFINITY, error),
            };
            let factor = (0.9 * ratio.powf(-1.0 / (f64::from(self.scheme.order()) + 1.0))).clamp(0.2, 4.0);
            if ratio <= 1.0 {
                // A step cut short from outside says little of longer ones.
                self.proposal = if h < self.proposal { self.proposal.max(h * factor) } else { h * factor };
                step.end.time = start.time + h;
                step.has_middle = true;
                self.count.steps += 1;
                return Ok(());
            }
            self.count.rejected += 1;
            if h <= least {
                return Err(trouble);
            }
            // NaN clamps to NaN.
            h = (h * if factor < 1.0 { factor } else { 0.25 }).max(least);
            self.proposal = h;
        }
    }
}

impl<S: ContactScheme> ContactMethod for Stepped<S> {
    fn step(&mut self, system: &ContactSystem, step: &mut ContactStep, until: f64) -> Result<(), RollingError> {
        let left = until - step.start.time;
        step.carried = false;
        match self.control {
            Control::Step { step: h, .. } => {
                // A last step that would leave a rounding error is made a little longer instead.
                let h = if left < h * (1.0 + 1e-9) { left } else { h };
                step.end = self.advance(system, &step.start, h)?;
                step.has_middle = false;
                self.count.steps += 1;
            }
            Control::Tolerance(tolerance) => self.controlled(&tolerance, system, step, left)?,
        }
        system.account(step);
        Ok(())
    }

    fn count(&self) -> ContactCount {
        self.count
    }
}

impl ContactSystem<'_> {
    /// Of a state.
    pub fn coordinates(&self, state: &ContactState) -> Coordinates {
        [state.place.parameter(), state.speed, state.angle, state.spin]
    }

    /// Their rates, by the equations of motion of the mode.
    pub fn rates(&self, state: &ContactState) -> Coordinates {
        let law = self.law(state);
        let spin = match self.mode {
            Mode::Rolling if self.ball.turns() => -law.acceleration / self.ball.radius(),
            _ => law.spin_acceleration,
        };
        [state.speed / state.frame.speed, law.acceleration, state.spin, spin]
    }

    /// The state of these coordinates at a time (s), on the piece of the ground that `start` is on.
    pub fn at(&self, start: &ContactState, time: f64, [parameter, speed, angle, spin]: Coordinates) -> ContactState {
        let place = start.place.at(parameter);
        let mut state = ContactState {
            time,
            place,
            frame: self.ground.frame(place),
            speed,
            angle,
            spin,
            normal_speed: 0.0,
            ..*start
        };
        self.relabel(&mut state);
        state
    }

    /// Puts the ledger into a step: quadrature of the powers along the dense output by Gauss's three points.
    pub fn account(&self, step: &mut ContactStep) {
        if self.is_lossless(step.start.spin) {
            return;
        }
        let dense = step.dense(self);
        let over = |from: f64, to: f64| {
            GAUSS.iter().fold((0.0, 0.0), |(dissipated, work), (part, weight)| {
                let power = self.entry(&dense.at(self, from + part * (to - from))).power;
                (dissipated + weight * (to - from) * power.dissipated, work + weight * (to - from) * power.work)
            })
        };
        let h = step.duration();
        let ContactState { dissipated, work, .. } = step.start;
        let mut sum = (dissipated, work);
        if step.has_middle {
            let first = over(0.0, 0.5 * h);
            sum = (sum.0 + first.0, sum.1 + first.1);
            (step.middle.dissipated, step.middle.work) = sum;
        }
        let rest = over(if step.has_middle { 0.5 * h } else { 0.0 }, h);
        (step.end.dissipated, step.end.work) = (sum.0 + rest.0, sum.1 + rest.1);
    }
}

/// A contact method behind a pointer, which can be copied.
pub trait AnyContact: ContactMethod + Send {
    /// A copy of it as it is.
    fn copied(&self) -> Box<dyn AnyContact>;
}

impl<M: ContactMethod + Clone + Send + 'static> AnyContact for M {
    fn copied(&self) -> Box<dyn AnyContact> {
        Box::new(self.clone())
    }
}
