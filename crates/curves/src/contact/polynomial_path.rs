//! [`Path`]: the polynomial motion of the ball's centre over one step.

use nalgebra::Vector2;

use numbers::{Interval, Number, elementary};

/// Largest degree of a [`Path`] that can be searched for contacts.
pub const MAX_DEGREE: usize = 8;

/// A polynomial path `q(t) = Σ cᵢ tⁱ`, `t` in seconds from 0 to [`Path::duration`], `q` in metres.
///
/// The search for a contact sees nothing else of the motion. It takes degrees up to [`MAX_DEGREE`]; more `TERMS` are
/// for motions along the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path<const TERMS: usize = { MAX_DEGREE + 1 }> {
    coefficients: [Vector2<f64>; TERMS],
    degree: usize,
    duration: f64,
    acceleration: [Interval; 2],
}

/// Row j holds the weights of the coefficients `c₂, c₃ …` of a path in the Bernstein coefficient `bⱼ` of q″ on [0, 1];
/// that of `cᵢ₊₂` is `(i+2)(i+1) C(j,i)/C(n,i)`, with the degree n = N − 1 of q″.
const fn bernstein<const N: usize>() -> [[f64; N]; N] {
    let mut weights = [[0.0; N]; N];
    let mut j = 0;
    while j < N {
        let mut ratio = 1.0;
        let mut i = 0;
        while i <= j {
            weights[j][i] = ((i + 2) * (i + 1)) as f64 * ratio;
            if i < j {
                ratio *= (j - i) as f64 / (N - 1 - i) as f64;
            }
            i += 1;
        }
        j += 1;
    }
    weights
}

const BERNSTEIN_QUINTIC: [[f64; 4]; 4] = bernstein();
const BERNSTEIN_SEXTIC: [[f64; 5]; 5] = bernstein();
const BERNSTEIN_OCTIC: [[f64; 7]; 7] = bernstein();

/// Position, velocity and acceleration at one time.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Motion {
    /// Place, m.
    pub position: Vector2<f64>,
    /// Velocity, m/s.
    pub velocity: Vector2<f64>,
    /// Acceleration, m/s².
    pub acceleration: Vector2<f64>,
}

impl Path {
    /// The exact path under a constant force: `q₀ + v₀ t + a t²/2`.
    #[inline(always)]
    pub fn parabola(start: Motion, duration: f64) -> Self {
        let mut path = Path::empty(duration);
        path.set_parabola(start, duration);
        path
    }

    /// A path without coefficients, to be set.
    fn empty(duration: f64) -> Self {
        let coefficients = [Vector2::zeros(); MAX_DEGREE + 1];
        Path { coefficients, degree: 2, duration, acceleration: [Interval::point(0.0); 2] }
    }

    /// Sets the path to a [`parabola`](Self::parabola), in place.
    #[inline(always)]
    pub fn set_parabola(&mut self, start: Motion, duration: f64) {
        let a = start.acceleration;
        self.coefficients[0] = start.position;
        self.coefficients[1] = start.velocity;
        self.coefficients[2] = 0.5 * a;
        self.degree = 2;
        self.duration = duration;
        self.acceleration = [Interval::point(a.x), Interval::point(a.y)];
    }

    /// Hermite's quintic through position, velocity and acceleration of both ends; error `O(h⁶)`.
    pub fn quintic(start: Motion, end: Motion, duration: f64) -> Self {
        let mut path = Path::hermite(start, end, duration);
        path.enclose();
        path
    }

    fn hermite(start: Motion, end: Motion, duration: f64) -> Self {
        let h = duration;
        let (v, a) = (h * start.velocity, h * h * start.acceleration);
        // Deviation of the end from the parabola of the start, in units of the step.
        let dq = end.position - start.position - v - 0.5 * a;
        let dv = h * end.velocity - v - a;
        let da = h * h * end.acceleration - a;
        let unit = [
            start.position,
            v,
            0.5 * a,
            10.0 * dq - 4.0 * dv + 0.5 * da,
            -15.0 * dq + 7.0 * dv - da,
            6.0 * dq - 3.0 * dv + 0.5 * da,
        ];
        let mut path = Path::empty(duration);
        path.degree = 5;
        let mut scale = 1.0;
        for (c, u) in path.coefficients.iter_mut().zip(unit) {
            *c = u * scale;
            scale /= h;
        }
        path
    }

    /// The polynomial of degree 8 through position, velocity, acceleration of both ends and the middle; error `O(h⁹)`.
    #[inline]
    pub fn octic(start: Motion, middle: Motion, end: Motion, duration: f64) -> Self {
        Path::octic_through(start, 0.5, middle, end, duration)
    }

    /// The octic through both ends and the motion at `part` of the step; error `q⁽⁹⁾/9! · (t(t − part·h)(t − h))³`,
    /// q⁽⁹⁾ somewhere on the step.
    #[inline]
    pub fn octic_through(start: Motion, part: f64, between: Motion, end: Motion, duration: f64) -> Self {
        let h = duration;
        // Remainder beyond the quintic: w³(a + b(t−p) + c(t−p)²) with w = t(t−1), which vanishes with its first two
        // derivatives at both ends.
        let mut path = Path::hermite(start, end, h);
        let seen = path.at(part * h);
        let q = between.position - seen.position;
        let v = h * (between.velocity - seen.velocity);
        let acceleration = h * h * (between.acceleration - seen.acceleration);
        // w³ there, and its derivatives.
        let (w, turn) = (part * (part - 1.0), 2.0 * part - 1.0);
        let (bump, rate, bend) = (w * w * w, 3.0 * w * w * turn, 6.0 * w * (turn * turn + w));
        let a = q / bump;
        let b = (v - rate * a) / bump;
        let c = (acceleration - bend * a - 2.0 * rate * b) / (2.0 * bump);
        // Expanded in powers of t: the product of t³(t−1)³ = −t³+3t⁴−3t⁵+t⁶ and the quadratic factor.
        let bump = [-1.0, 3.0, -3.0, 1.0];
        let factor = [a - b * part + c * (part * part), b - c * (2.0 * part), c];
        let mut scale = elementary::powi(h, -3);
        for k in 0..6usize {
            for (i, f) in factor.iter().enumerate() {
                if let Some(weight) = k.checked_sub(i).and_then(|j| bump.get(j)) {
                    path.coefficients[3 + k] += f * (*weight * scale);
                }
            }
            scale /= h;
        }
        path.degree = 8;
        path.enclose();
        path
    }

    /// Shortens the path to `duration` (s); its enclosure of the acceleration stays that of the whole.
    pub fn cut(mut self, duration: f64) -> Path {
        self.duration = duration;
        self
    }

    /// A polynomial by its coefficients in powers of `t/duration`, lowest first, of degree 8 at most; trailing zeros do
    /// not count for its degree.
    #[inline]
    pub fn polynomial<const N: usize>(unit: &[Vector2<f64>; N], duration: f64) -> Self {
        let mut path = Path::empty(duration);
        path.set_polynomial(unit, duration);
        path
    }

    /// Sets the path to a [`polynomial`](Self::polynomial), in place.
    #[inline]
    pub fn set_polynomial<const N: usize>(&mut self, unit: &[Vector2<f64>; N], duration: f64) {
        const { assert!(N >= 3 && N <= MAX_DEGREE + 1, "a path has degree 2 to 8") };
        let per = 1.0 / duration;
        let mut scale = per;
        (self.degree, self.duration) = (2, duration);
        self.coefficients[0] = unit[0];
        self.coefficients[1] = unit[1] / duration;
        for i in 2..N {
            scale *= per;
            self.coefficients[i] = unit[i] * scale;
            if unit[i] != Vector2::zeros() {
                self.degree = i;
            }
        }
        self.coefficients[N..].fill(Vector2::zeros());
        self.enclose();
    }

    /// Encloses the acceleration over the whole duration, by the weights for its degree.
    fn enclose(&mut self) {
        match self.degree {
            2 => self.acceleration = [0, 1].map(|axis| Interval::point(2.0 * self.coefficients[2][axis])),
            // A polynomial is also one of any higher degree.
            ..=5 => self.enclose_acceleration(&BERNSTEIN_QUINTIC),
            6 => self.enclose_acceleration(&BERNSTEIN_SEXTIC),
            _ => self.enclose_acceleration(&BERNSTEIN_OCTIC),
        }
    }

    /// The Bernstein coefficients of `q″` over the whole duration span a box that holds its range
    /// (Farouki, CAGD 29 (2012) 379, §4).
    fn enclose_acceleration<const N: usize>(&mut self, weights: &[[f64; N]; N]) {
        let mut terms = [Vector2::zeros(); N];
        let mut scale = 1.0;
        for (term, c) in terms.iter_mut().zip(&self.coefficients[2..]) {
            *term = c * scale;
            scale *= self.duration;
        }
        let mut hull = [Interval::new(f64::INFINITY, f64::NEG_INFINITY); 2];
        for (j, row) in weights.iter().enumerate() {
            let sum: Vector2<f64> = row.iter().zip(&terms).take(j + 1).map(|(weight, term)| term * *weight).sum();
            for (axis, range) in hull.iter_mut().enumerate() {
                range.lo = range.lo.min(sum[axis]);
                range.hi = range.hi.max(sum[axis]);
            }
        }
        // Rounding of the sums above and of evaluating q″.
        self.acceleration = hull.map(|r| {
            let slack = 32.0 * f64::EPSILON * r.magnitude();
            Interval::new(r.lo - slack, r.hi + slack)
        });
    }

    /// Moves the path by a vector, m. A short path far from the origin is best made relative to its start, where
    /// differences of places are not roundings of large numbers, and then moved.
    pub fn moved(mut self, by: Vector2<f64>) -> Path {
        self.coefficients[0] += by;
        self
    }

    /// Encloses `normal·q″` over the whole path, m/s²: tighter than by the ranges of its components.
    pub fn acceleration_along(&self, normal: Vector2<f64>) -> Interval {
        let mut seen = *self;
        for c in &mut seen.coefficients[2..] {
            *c = Vector2::new(normal.dot(c), 0.0);
        }
        seen.enclose();
        let range = seen.acceleration[0];
        if self.degree == 2 {
            return range;
        }
        // Rounding of the products, which may cancel.
        let [x, y] = self.acceleration;
        let slack = 32.0 * f64::EPSILON * (normal.x.abs() * x.magnitude() + normal.y.abs() * y.magnitude());
        Interval::new(range.lo - slack, range.hi + slack)
    }

    /// The path in the frame of a unit vector: x along `axis`, y to its left.
    pub fn seen_along(&self, axis: Vector2<f64>) -> Path {
        if axis == Vector2::x() {
            return *self;
        }
        let mut seen = *self;
        for c in &mut seen.coefficients[..=self.degree] {
            *c = Vector2::new(axis.dot(c), axis.perp(c));
        }
        let [x, y] = self.acceleration;
        let mix = |a: f64, b: f64| {
            if x.lo == x.hi && y.lo == y.hi { Interval::point(a * x.lo + b * y.lo) } else { x.scale(a) + y.scale(b) }
        };
        seen.acceleration = [mix(axis.x, axis.y), mix(-axis.y, axis.x)];
        seen
    }
}

impl<const TERMS: usize> Path<TERMS> {
    /// A Taylor polynomial by its coefficients in powers of seconds, lowest first, up to the degree (2 at least). Its
    /// acceleration is enclosed by the sizes of its terms.
    pub fn series(coefficients: &[Vector2<f64>; TERMS], degree: usize, duration: f64) -> Self {
        let mut path = Path {
            coefficients: *coefficients,
            degree: degree.clamp(2, TERMS - 1),
            duration,
            acceleration: [Interval::point(0.0); 2],
        };
        path.acceleration = path.range_of(2, 8.0);
        path
    }

    /// Encloses a derivative of an order ≥ 2 over the whole path by the sizes of its terms, each with this number of
    /// `roundings`.
    #[inline]
    fn range_of(&self, order: usize, roundings: f64) -> [Interval; 2] {
        let (mut power, mut range) = (1.0, [Interval::point(0.0); 2]);
        for (k, c) in self.coefficients[..=self.degree].iter().enumerate().skip(order) {
            let factor = (k + 1 - order..=k).product::<usize>() as f64 * power;
            for axis in 0..2 {
                let term = factor * c[axis];
                // Powers of t/T from 0 to 1.
                let part = if k == order { Interval::point(term) } else { Interval::between(0.0, term) };
                let slack = roundings * f64::EPSILON * term.abs();
                range[axis] = Interval::new(range[axis].lo + part.lo - slack, range[axis].hi + part.hi + slack);
            }
            power *= self.duration;
        }
        range
    }

    /// Copies the path into a type with more terms.
    pub fn widened<const MORE: usize>(&self) -> Path<MORE> {
        const { assert!(MORE >= TERMS, "no room") };
        let mut coefficients = [Vector2::zeros(); MORE];
        coefficients[..TERMS].copy_from_slice(&self.coefficients);
        Path { coefficients, degree: self.degree, duration: self.duration, acceleration: self.acceleration }
    }

    /// Encloses `q‴` over the whole path, `[x, y]` in m/s³.
    pub fn jerk_range(&self) -> [Interval; 2] {
        self.range_of(3, 4.0)
    }

    /// Whether the degree is at most 2.
    #[inline(always)]
    pub fn is_parabola(&self) -> bool {
        self.degree <= 2
    }

    /// Degree of the polynomial, at least 2.
    #[inline(always)]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Duration of the path, s.
    #[inline(always)]
    pub fn duration(&self) -> f64 {
        self.duration
    }
    /// Encloses the acceleration over the whole path, `[x, y]` in m/s².
    #[inline(always)]
    pub fn acceleration_range(&self) -> [Interval; 2] {
        self.acceleration
    }
    /// One rounding error of the way by which the path bends off a parabola, m. The places of the path are known no
    /// better, however near the origin they are.
    #[inline(always)]
    pub(crate) fn rounding(&self) -> f64 {
        let [x, y] = self.acceleration;
        f64::EPSILON * (x.width() + y.width()) * self.duration * self.duration
    }
    /// Position, velocity and acceleration at time `t` (meant for `0 ≤ t ≤ duration`).
    #[inline(always)]
    pub fn at(&self, t: f64) -> Motion {
        let c = &self.coefficients;
        if self.degree == 2 {
            let a = 2.0 * c[2];
            return Motion { position: c[0] + t * (c[1] + t * c[2]), velocity: c[1] + t * a, acceleration: a };
        }
        self.horner(t)
    }

    fn horner(&self, t: f64) -> Motion {
        let mut q = Vector2::zeros();
        let mut v = Vector2::zeros();
        let mut a = Vector2::zeros();
        for c in self.coefficients[..=self.degree].iter().rev() {
            a = a * t + v;
            v = v * t + q;
            q = q * t + c;
        }
        Motion { position: q, velocity: v, acceleration: 2.0 * a }
    }

    /// A box `[x, y]` that holds the velocity from `from` to `to`.
    pub fn velocity_bounds(&self, from: f64, to: f64) -> [Interval; 2] {
        let (start, end) = (self.at(from).velocity, self.at(to).velocity);
        [0, 1].map(|i| {
            // The velocity is off its chord by at most a quarter of the spread of the acceleration, times the length.
            let bow = 0.25 * self.acceleration[i].width() * (to - from);
            let range = Interval::between(start[i], end[i]);
            Interval::new(range.lo - bow, range.hi + bow)
        })
    }

    /// A box around `q″` from `from` to `to` (s), m/s²: by its middle value and q‴, so that it shrinks with the part.
    pub fn acceleration_over(&self, from: f64, to: f64) -> [Interval; 2] {
        let half = 0.5 * (to - from);
        let (middle, jerk) = (self.at(from + half).acceleration, self.jerk_range());
        [0, 1].map(|i| {
            let whole = self.acceleration[i];
            let slack = 32.0 * f64::EPSILON * whole.magnitude();
            Interval::around(middle[i], jerk[i].magnitude() * half + slack).intersection(whole).unwrap_or(whole)
        })
    }

    /// A box around the path up to the time `to` (s). For a parabola it is that of the Bézier points, wider than
    /// [`bounds`](Self::bounds) but cheaper.
    #[inline(always)]
    pub(crate) fn hull(&self, to: f64) -> [Interval; 2] {
        if !self.is_parabola() {
            return self.bounds(0.0, to);
        }
        [0, 1].map(|i| {
            let [start, rate, bend] = [0, 1, 2].map(|k| self.coefficients[k][i]);
            let (middle, end) = (start + 0.5 * to * rate, start + to * (rate + to * bend));
            let slack = 8.0 * f64::EPSILON * (start.abs() + middle.abs() + end.abs());
            Interval { lo: start.min(middle).min(end) - slack, hi: start.max(middle).max(end) + slack }
        })
    }

    /// A box `[x, y]` that holds the path from `from` to `to`.
    pub fn bounds(&self, from: f64, to: f64) -> [Interval; 2] {
        let start = self.at(from);
        let h = to - from;
        [0, 1].map(|i| {
            let (q, v, a) = (start.position[i], start.velocity[i], self.acceleration[i]);
            // q + v t + a t²/2 for t in [0, h]: its extremes over t for both bounds of a.
            let lowest = extreme(v, a.lo, h);
            let highest = -extreme(-v, -a.hi, h);
            let slack = 8.0 * f64::EPSILON * (q.abs() + lowest.abs() + highest.abs());
            Interval::new(q + lowest - slack, q + highest + slack)
        })
    }
}

/// The minimum of `v t + a t²/2` over `[0, h]`.
fn extreme(v: f64, a: f64, h: f64) -> f64 {
    let end = h * (v + 0.5 * a * h);
    let lowest = end.min(0.0);
    // The parabola's vertex, if it is inside and a minimum.
    if a > 0.0 && v < 0.0 && -v < a * h { lowest.min(-0.5 * v * v / a) } else { lowest }
}
