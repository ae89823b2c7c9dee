//! How does a force of the caller, written in Rust, give values, derivatives and enclosures?

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use numbers::{Interval, Number, Taylor, Traced, elementary};

/// State of the ball that a force may depend on, over any number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body<N> {
    /// Position of the centre, seen from what stands still, m.
    pub position: [N; 2],
    /// Velocity of the centre, seen from what stands still, m/s.
    pub velocity: [N; 2],
    /// Spin, anticlockwise, rad/s.
    pub spin: N,
    /// Mass of the ball, kg.
    pub mass: f64,
}

/// Force written once for every kind of [`Number`], which gives exact derivatives, and enclosures for proofs.
///
/// ```
/// use numbers::Number;
/// use mechanics::{AppliedForce, Body};
///
/// /// A spring to the origin, N/m.
/// struct Spring(f64);
///
/// impl AppliedForce for Spring {
///     fn at<N: Number>(&self, _time: N, body: &Body<N>) -> [N; 2] {
///         body.position.map(|x| x.scale(-self.0))
///     }
/// }
/// ```
pub trait AppliedForce: Send + Sync + 'static {
    /// Force `[x, y]` in N at a time in s.
    fn at<N: Number>(&self, time: N, body: &Body<N>) -> [N; 2];
}

/// Writes the force at `(time, Body<N>)`, the first argument, to the second, an `[N; 2]`, if it knows the number N.
type OverAny = dyn Fn(&dyn Any, &mut dyn Any) + Send + Sync;

/// An [`AppliedForce`], or a closure, behind a pointer.
#[derive(Clone)]
pub struct OwnForce(Arc<OverAny>);

impl OwnForce {
    /// Takes a force with derivatives and enclosures, for every kind of number that a run uses.
    pub fn new(force: impl AppliedForce) -> Self {
        OwnForce(Arc::new(move |arguments: &dyn Any, result: &mut dyn Any| {
            let _ = put_as::<f64>(arguments, result, |t, b| force.at(t, b))
                || put_as::<Interval>(arguments, result, |t, b| force.at(t, b))
                || put_as::<Taylor<f64, 2>>(arguments, result, |t, b| force.at(t, b))
                || put_as::<Taylor<f64, 3>>(arguments, result, |t, b| force.at(t, b))
                || put_as::<Taylor<Interval, 2>>(arguments, result, |t, b| force.at(t, b))
                || put_as::<Taylor<Interval, 3>>(arguments, result, |t, b| force.at(t, b))
                || put_as::<Traced>(arguments, result, |t, b| force.at(t, b));
        }))
    }

    /// Takes a closure over `f64`. Derivatives are central differences with steps of 6e-6 of each argument's size (1 at
    /// least), good to some 1e-10 of the force. Enclosures are not proven: they are the least and largest value at the
    /// middle and the ends of each argument. So a run can't prove that its steps miss no pulse of the force, as it does
    /// with [`OwnForce::new`]: they are only as reliable as the method. A closure has no Taylor series.
    pub fn of_closure(force: impl Fn(f64, &Body<f64>) -> [f64; 2] + Send + Sync + 'static) -> Self {
        let plain = Plain(force);
        OwnForce(Arc::new(move |arguments: &dyn Any, result: &mut dyn Any| {
            let _ = put_as::<f64>(arguments, result, |t, b| (plain.0)(t, b))
                || put_as::<Interval>(arguments, result, |t, b| plain.seen(listed(t, b), b.mass))
                || put_as::<Taylor<f64, 2>>(arguments, result, |t, b| plain.series_at(listed(t, b), b.mass))
                || put_as::<Taylor<Interval, 2>>(arguments, result, |t, b| plain.series_over(listed(t, b), b.mass))
                || put_as::<Taylor<Interval, 3>>(arguments, result, |t, b| plain.series_over(listed(t, b), b.mass));
        }))
    }

    /// Force in N, over any number that the force knows; NaN for other numbers.
    pub(crate) fn at<N: Number>(&self, time: N, body: &Body<N>) -> [N; 2] {
        let arguments: &dyn Any = &(time, *body);
        let mut force = [N::constant(f64::NAN); 2];
        (self.0)(arguments, &mut force);
        force
    }
}

impl PartialEq for OwnForce {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for OwnForce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnForce")
    }
}

/// Writes the force and returns true if the arguments are of kind N; else returns false.
fn put_as<N: Number>(arguments: &dyn Any, force: &mut dyn Any, at: impl Fn(N, &Body<N>) -> [N; 2]) -> bool {
    match (arguments.downcast_ref::<(N, Body<N>)>(), force.downcast_mut::<[N; 2]>()) {
        (Some((time, body)), Some(force)) => {
            *force = at(*time, body);
            true
        }
        _ => false,
    }
}

/// Arguments of the force as a list: time, x, y, vx, vy, spin.
fn listed<N: Copy>(time: N, body: &Body<N>) -> [N; 6] {
    let ([x, y], [u, v]) = (body.position, body.velocity);
    [time, x, y, u, v, body.spin]
}

/// Middle of a box of arguments.
fn middle(over: [Interval; 6]) -> [f64; 6] {
    over.map(|part| if part.width() > 0.0 { part.middle() } else { part.lo })
}

/// A closure over `f64`.
struct Plain<F>(F);

impl<F: Fn(f64, &Body<f64>) -> [f64; 2]> Plain<F> {
    fn of(&self, [time, x, y, u, v, spin]: [f64; 6], mass: f64) -> [f64; 2] {
        (self.0)(time, &Body { position: [x, y], velocity: [u, v], spin, mass })
    }

    /// Hull of the values at the middle of a box and at the middles of its sides; a guess, not a proven enclosure.
    fn seen(&self, over: [Interval; 6], mass: f64) -> [Interval; 2] {
        let middle = middle(over);
        let mut seen = self.of(middle, mass).map(Interval::point);
        for (axis, part) in over.iter().enumerate().filter(|(_, part)| part.width() > 0.0) {
            for end in [part.lo, part.hi] {
                let mut there = middle;
                there[axis] = end;
                let force = self.of(there, mass);
                seen = [0, 1].map(|i| seen[i].hull(Interval::point(force[i])));
            }
        }
        seen
    }

    /// Derivatives `∂F/∂argument` by central differences, for the arguments that change; 0 for the others.
    fn slopes(&self, at: [f64; 6], mass: f64, changes: [bool; 6]) -> [[f64; 2]; 6] {
        let mut slopes = [[0.0; 2]; 6];
        for axis in (0..6).filter(|axis| changes[*axis]) {
            // With a step of the cube root of ε, rounding and the term of the third derivative are alike.
            let h = elementary::cbrt(f64::EPSILON) * at[axis].abs().max(1.0);
            let beside = |change: f64| {
                let mut there = at;
                there[axis] += change;
                self.of(there, mass)
            };
            let (up, down) = (beside(h), beside(-h));
            slopes[axis] = [0, 1].map(|i| (up[i] - down[i]) / (2.0 * h));
        }
        slopes
    }

    fn series_at(&self, arguments: [Taylor<f64, 2>; 6], mass: f64) -> [Taylor<f64, 2>; 2] {
        let at = arguments.map(|Taylor(terms)| terms[0]);
        series(self.of(at, mass), self.slopes(at, mass, changes(&arguments)), arguments)
    }

    /// Series of the force over a box of arguments; the derivatives by arguments are those in its middle.
    fn series_over<const TERMS: usize>(
        &self,
        arguments: [Taylor<Interval, TERMS>; 6],
        mass: f64,
    ) -> [Taylor<Interval, TERMS>; 2] {
        let over = arguments.map(|Taylor(terms)| terms[0]);
        let slopes = self.slopes(middle(over), mass, changes(&arguments)).map(|slope| slope.map(Interval::point));
        series(self.seen(over, mass), slopes, arguments)
    }
}

/// Series of the force along `arguments` from its value and first derivatives; terms with second ones are left out.
fn series<N: Number, const TERMS: usize>(
    value: [N; 2],
    slopes: [[N; 2]; 6],
    arguments: [Taylor<N, TERMS>; 6],
) -> [Taylor<N, TERMS>; 2] {
    [0, 1].map(|i| {
        let mut sum = Taylor::constant(0.0);
        sum.0[0] = value[i];
        for order in 1..TERMS {
            for axis in 0..6 {
                sum.0[order] = sum.0[order] + slopes[axis][i] * arguments[axis].0[order];
            }
        }
        sum
    })
}

/// Tells which arguments change: those with a nonzero term after the first.
fn changes<N: Number + PartialEq, const TERMS: usize>(arguments: &[Taylor<N, TERMS>; 6]) -> [bool; 6] {
    arguments.map(|Taylor(terms)| terms[1..].iter().any(|term| *term != N::constant(0.0)))
}
