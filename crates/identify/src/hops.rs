//! Short hops: how far from the ground a change of a parameter brings the ball.

use curves::Place;
use numbers::Taylor;

use crate::model::{Model, Phase, Vector, constant, slope, value};
use crate::sweep::{Hop, Sweep, Variation};

/// Hops shorter than this are summed up, s.
const SHORT: f64 = 1e-3;

/// The ball above a place of the ground.
struct Above {
    place: Place,
    s: f64,
    gap: f64,
    x: Vector<f64>,
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Half-way between two values with these rates.
fn middle(span: f64, [a, b]: [f64; 2], [a_rate, b_rate]: [f64; 2]) -> f64 {
    0.5 * (a + b) + 0.125 * span * (a_rate - b_rate)
}

impl Sweep<'_> {
    /// A hop begins with an impact that has these delays.
    pub fn hop_from(&self, place: Place, time_by: &[f64]) -> Hop {
        let [nx, ny] = value(&self.base().frame(place, constant(self.point)).normal);
        let rise = nx * self.x[2] + ny * self.x[3];
        let gap_by = time_by.iter().map(|late| -rise * late).collect();
        Hop { time: self.time, place, s: self.point, x: self.x, by: self.by.clone(), gap_by }
    }

    /// How much later a short hop ends, near `s` of the same piece or corner, s: where the velocity brings the ball down. Positions know
    /// that to their rounding alone, which a touch as slow as 1e-6 m/s takes for a hop of another length.
    pub fn closes(&self, hop: &Hop, place: Place, s: f64) -> Option<f64> {
        let span = self.time - hop.time;
        if !(0.0 < span && span < SHORT && place.same_feature(hop.place)) {
            return None;
        }
        let ([_, half, _], [rise, fall]) = self.looks(hop, place, s);
        let (_, middle) = self.along(place, half.s, &half.x);
        Some(-span / 6.0 * (rise + 4.0 * middle + fall) / fall)
    }

    /// `ṡ` of the nearest point, and `v·n` there.
    fn along(&self, place: Place, s: f64, x: &Vector<f64>) -> (f64, f64) {
        let frame = self.base().frame(place, constant(s));
        let velocity = [x[2], x[3]];
        (dot(velocity, value(&frame.tangent)) / frame.speed.0[0], dot(velocity, value(&frame.normal)))
    }

    fn flies(&self, time: f64, x: &Vector<f64>) -> Vector<f64> {
        self.base().motion(Phase::Flight, time, x)
    }

    /// The ball at the start, half-way (by Hermite's cubics) and at the end of a hop, and `v·n` at both ends.
    fn looks(&self, hop: &Hop, place: Place, s: f64) -> ([Above; 3], [f64; 2]) {
        let span = self.time - hop.time;
        let (f0, f1) = (self.flies(hop.time, &hop.x), self.flies(self.time, &self.x));
        let ((s0_rate, rise), (s1_rate, fall)) = (self.along(place, hop.s, &hop.x), self.along(place, s, &self.x));
        let first = Above { place, s: hop.s, gap: 0.0, x: hop.x };
        let last = Above { place, s, gap: 0.0, x: self.x };
        let half = Above {
            place,
            s: middle(span, [hop.s, s], [s0_rate, s1_rate]),
            gap: middle(span, [0.0; 2], [rise, fall]),
            x: std::array::from_fn(|i| middle(span, [hop.x[i], self.x[i]], [f0[i], f1[i]])),
        };
        ([first, half, last], [rise, fall])
    }

    /// δt of each parameter at the end of a hop that [`closes`](Self::closes); by Simpson's rule
    ///
    /// ```text
    /// δt = −∂gap/v_n⁻,    ∂gap = −v_n⁺ δt₀ + ∫ ∂(v·n) dt
    /// ```
    ///
    /// The difference of ball and ground, `n·(S − ∂_p r)`, has the rounding of `∂_p r`, some 1e-12, which a slow touch divides by its
    /// velocity.
    pub fn delays_after(&self, hop: &Hop, place: Place, s: f64) -> Vec<f64> {
        let span = self.time - hop.time;
        let ([first, half, last], [_, fall]) = self.looks(hop, place, s);
        let flies = |time: f64, x: &Vector<f64>| Variation::of(self.family, Phase::Flight, time, x);
        let (begin, end) = (flies(hop.time, &hop.x), flies(self.time, &self.x));
        let one = |(j, (by0, by1)): (usize, (&Vector<f64>, &Vector<f64>))| {
            let (rate0, rate1) = (begin.by(j, by0), end.by(j, by1));
            let by = std::array::from_fn(|i| middle(span, [by0[i], by1[i]], [rate0[i], rate1[i]]));
            let sum = self.approach(&first, j, by0) + 4.0 * self.approach(&half, j, &by) + self.approach(&last, j, by1);
            -(hop.gap_by[j] + span / 6.0 * sum) / fall
        };
        hop.by.iter().zip(&self.by).enumerate().map(one).collect()
    }

    /// `∂(v·n)` by one parameter, the normal being that of the ground's nearest point.
    fn approach(&self, ball: &Above, j: usize, by: &Vector<f64>) -> f64 {
        let Above { place, s, gap, x } = *ball;
        let frame = self.base().frame(place, constant(s));
        let own = |model: &Model| {
            let frame = model.frame(place, constant(s));
            let ([px, py], [nx, ny]) = (value(&frame.position), value(&frame.normal));
            [px, py, nx, ny]
        };
        let same = self.family.moves_as(j)[1];
        let [px, py, nx, ny] = if same { [0.0; 4] } else { self.family.by(j, own) };
        let shrink = 1.0 - frame.curvature.0[0] * gap;
        let off = [by[0] - px - gap * nx, by[1] - py - gap * ny];
        let point = dot(value(&frame.tangent), off) / (frame.speed.0[0] * shrink);
        let turned = slope(&self.base().frame(place, Taylor([s, point])).normal);
        dot(value(&frame.normal), [by[2], by[3]]) + dot([x[2], x[3]], [turned[0] + nx, turned[1] + ny])
    }
}
