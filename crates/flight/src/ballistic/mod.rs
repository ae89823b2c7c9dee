//! How is flight through air solved exactly? By the first integral of the motion, where it has one.

mod arc;
mod closed_form_or_quadrature;
mod closed_forms;
mod hodograph;
mod octic_error;

pub(crate) use arc::{ExactArc, Meeting};

use mechanics::{Forces, State};
use newmark::{Control, Tolerance, with_rest};

use crate::tolerance_and_first_step::{LEAST, pace};
use crate::{FlightCount, FlightError, FlightMethod, FlightStep, MethodError, NotBallistic};

/// The exact motion under gravity and drag, quadratic or linear, in a constant wind; a whole flight is one step.
///
/// ```text
/// quadratic drag:  u⁻² = c − (k/g)(w + ½ sinh 2w), v = u sinh w;   t, x, y by quadrature over w
/// linear drag:     q = q₀ + v₀ t φ₁(rt) + g t² φ₂(rt)
/// ```
///
/// with the velocity (u, v) through the air, horizontal and upwards, k = k_D/m and r = k_L/m. Quadratic drag without
/// gravity, or on a vertical path, has closed forms, too.
///
/// Quadratures are held to the tolerance, with fixed steps to rounding. On straight ground without ends a contact is a
/// root of the exact motion. Other ground is searched along polynomials of degree 8 that stay within the tolerance of
/// it. All other forces are refused: see [`NotBallistic`].
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Ballistic {
    control: Control,
    count: FlightCount,
}

impl Ballistic {
    /// Creates the method with a tolerance, or with fixed steps: those set nothing but where steps end.
    pub fn new(control: Control) -> Result<Self, MethodError> {
        pace(control)?;
        Ok(Ballistic { control, count: FlightCount::default() })
    }

    /// Reason why the motion under these forces has no known first integral; `None`: it has one.
    pub fn refuses(forces: &Forces) -> Option<NotBallistic> {
        if forces.carriage().is_some() {
            Some(NotBallistic::Carriage)
        } else if forces.has_external() {
            Some(NotBallistic::External)
        } else if forces.magnus() != 0.0 {
            Some(NotBallistic::Magnus)
        } else if forces.drag() > 0.0 && forces.linear_drag() > 0.0 {
            Some(NotBallistic::BothDrags)
        } else {
            None
        }
    }
}

impl FlightMethod for Ballistic {
    #[inline]
    fn step(&mut self, forces: &Forces, start: &State, until: f64, step: &mut FlightStep) -> Result<(), FlightError> {
        self.count.steps += 1;
        if step.fall(forces, start, until)? {
            return Ok(());
        }
        if let Some(reason) = Ballistic::refuses(forces) {
            return Err(FlightError::NotBallistic { time: start.time, reason });
        }
        let (tolerance, until) = match self.control {
            Control::Tolerance(tolerance) => (tolerance, until),
            Control::Step { step, .. } => {
                let left = until - start.time;
                let end = if with_rest(step, left) == left { until } else { start.time + step };
                (Tolerance { relative: LEAST, absolute: LEAST }, end)
            }
        };
        let arc = ExactArc::new(forces, start, tolerance);
        if !arc.is_finite() {
            return Err(FlightError::NotFinite { time: start.time });
        }
        step.set_arc(start, arc, until - start.time);
        Ok(())
    }

    fn tolerance(&self) -> Option<Tolerance> {
        self.control.tolerance()
    }

    fn count(&self) -> FlightCount {
        self.count
    }
}
