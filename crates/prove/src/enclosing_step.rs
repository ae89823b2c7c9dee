//! Steps that enclose a motion: interval Taylor series with Lagrange's remainder, and the derivative by the start.
//!
//! A set of states is `c + M r + e`: a point, the effect of the arc's start, and the effect of rounding and remainders.
//! A step is
//!
//! ```text
//! z(h) ∈ Σ cₖ hᵏ + [z]ₚ(B) hᵖ + J (M r + e),      B ⊇ z + [0, h] f(B)        (Picard, Lohner)
//! ```
//!
//! with series around the point alone and `J` over the whole set, so that a set grows only as the motion makes it grow
//! (N. S. Nedialkov, K. R. Jackson, G. F. Corliss, *Applied Mathematics and Computation* 105 (1999) 21, §§5–6).

use numbers::{Interval, Number, Taylor, elementary};
use numbers::{Series, Tape, Traced};

use crate::Open;
use crate::equations_of_motion::Rate;
use crate::matrix::{Matrix, ZERO, both, identity, product, split, times, within};

/// Shortest part of a step looked at, relative to the time so far.
const SHORT: f64 = 1e-13;
/// Largest number of steps to one event.
const STEPS: u32 = 10_000;

/// Outcome of a look for the first event in a part of a step.
pub(crate) enum PartLook<T> {
    /// No event.
    Clear,
    /// The one event is inside.
    Root(T),
    /// Undecided by bounds over the part; shorter parts may be decided.
    Shorter,
    /// Undecided, since more than one part of the ground is near the ball; shorter parts may be decided.
    Several,
}

/// The first event of a set, and the step that it is on.
pub(crate) struct FoundEvent<const D: usize, const K: usize, T> {
    /// Time at the start of the step, s.
    pub time: f64,
    pub step: TubeStep<D, K>,
    pub event: T,
    /// Part of the step that it is in, s.
    pub when: Interval,
}

/// Follows a set by steps until `look` finds an event in a part of one; `None`: proven to have none for `until` s.
pub(crate) fn follow<const D: usize, const K: usize, T>(
    mut set: Set<D, K>,
    until: f64,
    mut next: impl FnMut(&Set<D, K>, f64) -> Option<TubeStep<D, K>>,
    mut look: impl FnMut(&TubeStep<D, K>, Interval) -> Result<PartLook<T>, Open>,
) -> Result<Option<FoundEvent<D, K, T>>, Open> {
    let mut time = 0.0;
    for _ in 0..STEPS {
        if time >= until {
            return Ok(None);
        }
        let step = next(&set, until - time).ok_or(Open::NoStep)?;
        let mut open = vec![Interval::new(0.0, step.h)];
        while let Some(when) = open.pop() {
            match look(&step, when)? {
                PartLook::Clear => {}
                PartLook::Root(event) => return Ok(Some(FoundEvent { time, step, event, when })),
                PartLook::Shorter | PartLook::Several if when.width() > SHORT * (time + when.hi) => {
                    // Not in the middle: a critical time at a simple fraction of the step would be at a cut.
                    let cut = when.lo + 0.4375 * when.width();
                    open.extend([Interval::new(cut, when.hi), Interval::new(when.lo, cut)]);
                }
                PartLook::Shorter => return Err(Open::Graze),
                PartLook::Several => return Err(Open::Several),
            }
        }
        set = step.at(Interval::point(step.h));
        time += step.h;
    }
    Err(Open::NoStep)
}

/// Encloses by interval Newton the time at which a value is zero, from its rate over a time; else [`Open::Graze`].
pub(crate) fn newton(
    mut time: Interval,
    value: impl Fn(Interval) -> Option<Interval>,
    rate: impl Fn(Interval) -> Option<Interval>,
) -> Result<Interval, Open> {
    for _ in 0..40 {
        let middle = Interval::point(time.middle());
        let step = |rate: Interval| (middle - value(middle)? / rate).intersection(time);
        let next = rate(time).and_then(step).ok_or(Open::Graze)?;
        if next.width() >= 0.75 * time.width() {
            return Ok(next);
        }
        time = next;
    }
    Ok(time)
}

/// Order of the remainder.
const ORDER: usize = 18;
const TERMS: usize = ORDER + 1;

/// A motion of D numbers, with their derivatives by each: `ALL = D + D²`.
#[derive(Debug)]
pub(crate) struct Flow<const D: usize, const ALL: usize> {
    /// The rates; `varied`: these, and the rates of the derivatives.
    plain: Tape,
    varied: Tape,
    /// Series from the point of a set, from the whole set, and from a box around a step.
    centre: Series<Interval, TERMS>,
    whole: Series<Interval, TERMS>,
    around: Series<Interval, TERMS>,
}

/// States `c + M r + e`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Set<const D: usize, const K: usize> {
    pub c: [f64; D],
    pub m: Matrix<D, K>,
    pub r: [Interval; K],
    pub e: [Interval; D],
}

impl<const D: usize, const K: usize> Set<D, K> {
    /// Enclosure of the path from the exact centre of the start.
    pub fn centre(&self) -> [Interval; D] {
        std::array::from_fn(|i| Interval::point(self.c[i]) + self.e[i])
    }

    /// Enclosure of the whole set.
    pub fn whole(&self) -> [Interval; D] {
        let away = times(&self.m, &self.r);
        std::array::from_fn(|i| Interval::point(self.c[i]) + away[i] + self.e[i])
    }
}

/// The motion of a set over `[0, h]`.
#[derive(Clone, Debug)]
pub(crate) struct TubeStep<const D: usize, const K: usize> {
    pub h: f64,
    set: Set<D, K>,
    /// Coefficients of the path from the set's point, the last one with the remainder; then those of `∂zᵢ/∂zⱼ`.
    centre: [[Interval; TERMS]; D],
    varied: [[[Interval; TERMS]; D]; D],
    /// Enclosure of all states over the step, and of its rate.
    pub bounds: [Interval; D],
    pub rates: [Interval; D],
    /// Third derivatives.
    pub thirds: [Interval; D],
}

/// `Σ aₖ tᵏ`
fn polynomial(a: &[Interval; TERMS], t: Interval) -> Interval {
    let (last, rest) = (a[TERMS - 1], &a[..TERMS - 1]);
    rest.iter().rev().fold(last, |sum, c| if sum == ZERO { *c } else { sum * t + *c })
}

impl<const D: usize, const K: usize> TubeStep<D, K> {
    fn derivative(&self, t: Interval) -> Matrix<D, D> {
        std::array::from_fn(|i| std::array::from_fn(|j| polynomial(&self.varied[i][j], t)))
    }

    /// Encloses all states in a part of the step.
    pub fn over(&self, part: Interval) -> [Interval; D] {
        let middle = Interval::point(part.middle());
        let z = self.at(middle).whole();
        let away = part - middle;
        std::array::from_fn(|i| both(z[i] + self.rates[i] * away, self.bounds[i]))
    }

    /// The set at a time; for an interval of times `c` and `e` hold for all of them.
    pub fn at(&self, t: Interval) -> Set<D, K> {
        let derivative = self.derivative(t);
        let along = times(&derivative, &self.set.e);
        let (c, e) = split(std::array::from_fn(|i| polynomial(&self.centre[i], t) + along[i]));
        Set { c, m: product(&derivative, &self.set.m), r: self.set.r, e }
    }
}

impl<const K: usize> TubeStep<5, K> {
    /// Flight `[x, y, vx, vy, ω]` over `[0, h]` under gravity and a force known by its size alone, `push` (m/s²).
    pub fn falling(set: &Set<5, K>, gravity: [f64; 2], push: f64, h: f64) -> Self {
        let none = [ZERO; TERMS];
        let pull = gravity.map(|g| Interval::point(g) + Interval::new(-push, push));
        let whole = set.whole();
        let time = Interval::new(0.0, h);
        let mut step = TubeStep {
            h,
            set: *set,
            centre: [none; 5],
            varied: [[none; 5]; 5],
            bounds: whole,
            rates: [ZERO; 5],
            thirds: [Interval::REAL; 5],
        };
        for i in 0..5 {
            step.centre[i][0] = Interval::point(set.c[i]);
            step.varied[i][i][0] = Interval::point(1.0);
        }
        for (i, pull) in pull.into_iter().enumerate() {
            (step.centre[i][1], step.centre[i][2]) = (Interval::point(set.c[2 + i]), pull.scale(0.5));
            step.centre[2 + i][1] = pull;
            step.varied[i][2 + i][1] = Interval::point(1.0);
            step.bounds[2 + i] = whole[2 + i] + pull * time;
            step.bounds[i] = whole[i] + step.bounds[2 + i] * time;
            (step.rates[i], step.rates[2 + i]) = (step.bounds[2 + i], pull);
        }
        step
    }
}

impl<const D: usize, const ALL: usize> Flow<D, ALL> {
    /// Records the rates, and the variational equations as dual numbers, one column of derivatives after the other.
    pub fn new(rate: &impl Rate<D>) -> Self {
        let plain = Tape::record::<D, D>(|z| rate.at(z));
        let varied = Tape::record::<ALL, ALL>(|inputs| {
            let mut out = [Traced::constant(0.0); ALL];
            for j in 0..D {
                let z = std::array::from_fn(|i| Taylor([inputs[i], inputs[D + j * D + i]]));
                for (i, Taylor([value, slope])) in rate.at::<Taylor<Traced, 2>>(z).into_iter().enumerate() {
                    (out[i], out[D + j * D + i]) = (value, slope);
                }
            }
            out
        });
        let (centre, whole, around) = (Series::new(&plain), Series::new(&varied), Series::new(&varied));
        Flow { plain, varied, centre, whole, around }
    }

    /// A step of at most `most` seconds; `None` where no step can be enclosed.
    pub fn step<const K: usize>(&mut self, set: &Set<D, K>, most: f64) -> Option<TubeStep<D, K>> {
        // Series from the point, and from the whole set with the unit matrix as derivative.
        let z = set.whole();
        let point = set.c.map(Interval::point);
        expand(&mut self.centre, &self.plain, &point);
        let mut start = [ZERO; ALL];
        start[..D].copy_from_slice(&z);
        let one = identity::<D>();
        (0..D * D).for_each(|i| start[D + i] = one[i / D][i % D]);
        expand(&mut self.whole, &self.varied, &start);
        let size = z.iter().map(|z| z.magnitude()).fold(f64::MIN_POSITIVE, f64::max);
        let mut h = most.min(self.reach(size));
        // Remainders below rounding, or far below the uncertainty of the state, are not worth a shorter step.
        let width = z.iter().map(|z| z.width()).fold(0.0, f64::max);
        let enough = f64::EPSILON * size + 1e-3 * width;
        for _ in 0..80 {
            // The step is shortened until there is a box around it, and the remainder over that box is small enough.
            let Some(bounds) = self.around(&start, h) else {
                h *= 0.5;
                continue;
            };
            expand(&mut self.around, &self.varied, &bounds);
            let power = elementary::powi(h, ORDER as i32);
            let rest = (0..D).map(|i| self.around.of(i as u32)[ORDER].magnitude() * power).fold(0.0, f64::max);
            if !(rest <= enough) {
                let shorter =
                    if rest.is_finite() { elementary::powf(0.5 * enough / rest, 1.0 / ORDER as f64) } else { 0.5 };
                h *= shorter.clamp(0.25, 0.9);
                continue;
            }
            let with_rest = |low: &Series<Interval, TERMS>, at: usize| {
                let mut terms = *low.of(at as u32);
                terms[ORDER] = self.around.of(at as u32)[ORDER];
                terms
            };
            let rates = std::array::from_fn(|i| self.around.of(self.varied.output(i))[0]);
            return Some(TubeStep {
                h,
                set: *set,
                centre: std::array::from_fn(|i| with_rest(&self.centre, i)),
                varied: std::array::from_fn(|i| std::array::from_fn(|j| with_rest(&self.whole, D + j * D + i))),
                bounds: std::array::from_fn(|i| bounds[i]),
                rates,
                thirds: std::array::from_fn(|i| self.around.of(i as u32)[3].scale(6.0)),
            });
        }
        None
    }

    /// Length for which the last terms are at rounding (Jorba & Zou, *Experimental Mathematics* 14 (2005) 99, §3.2).
    fn reach(&self, size: f64) -> f64 {
        let by = |k: usize| {
            let most = (0..D).map(|i| self.centre.of(i as u32)[k].magnitude()).fold(0.0, f64::max);
            if most == 0.0 {
                f64::INFINITY
            } else {
                elementary::powf(0.25 * f64::EPSILON * size / most, 1.0 / k as f64)
            }
        };
        by(ORDER - 1).min(by(ORDER - 2))
    }

    /// Encloses the motion from `start` over `[0, h]`: a box that Picard's iteration maps into itself.
    fn around(&mut self, start: &[Interval; ALL], h: f64) -> Option<[Interval; ALL]> {
        let time = Interval::new(0.0, h);
        let mut bounds = *start;
        for round in 0..12 {
            put_all(&mut self.around, &bounds);
            self.around.extend(&self.varied, 0);
            let image: [Interval; ALL] =
                std::array::from_fn(|i| start[i] + time * self.around.of(self.varied.output(i))[0]);
            if image.iter().any(|x| !x.is_bounded()) {
                return None;
            }
            if round > 0 && (0..ALL).all(|i| within(image[i], bounds[i])) {
                return Some(image);
            }
            let inflate = |x: Interval| {
                let more = 0.125 * x.width() + 8.0 * f64::EPSILON * x.magnitude() + f64::MIN_POSITIVE;
                Interval::new(x.lo - more, x.hi + more)
            };
            bounds = std::array::from_fn(|i| inflate(image[i].hull(start[i])));
        }
        None
    }
}

/// Computes all coefficients of a motion from its start.
fn expand<const N: usize>(series: &mut Series<Interval, TERMS>, tape: &Tape, start: &[Interval; N]) {
    put_all(series, start);
    for k in 0..ORDER {
        series.extend(tape, k);
        let order = Interval::point((k + 1) as f64);
        for i in 0..N {
            let rate = series.of(tape.output(i))[k];
            series.put_at(i, k + 1, if rate == ZERO { ZERO } else { rate / order });
        }
    }
}

/// Sets the first coefficients of all inputs.
fn put_all<const N: usize>(series: &mut Series<Interval, TERMS>, start: &[Interval; N]) {
    start.iter().enumerate().for_each(|(i, z)| series.put(i, &[*z]));
}
