//! A ball dropped on flat ground with quadratic drag `−k_D |v| v` and Newton restitution.
//!
//! With `κ = k_D/m` and terminal speed `v∞ = √(g/κ)`:
//!
//! ```text
//! falling from rest   v = v∞ tanh(t√(gκ)),   y₀ − y = ln cosh(t√(gκ))/κ
//! rising at speed w   time to the top atan(w/v∞)/√(gκ),   height ln(1 + w²/v∞²)/(2κ)
//! ```
//!
//! Source: both follow from `v̇ = −g ∓ κv²` by separation of variables.

/// A drop from rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DragBounce {
    /// Height of the lowest point of the ball above the ground, m.
    pub height: f64,
    /// Gravity, m/s².
    pub gravity: f64,
    /// `κ = k_D/m`, 1/m (> 0).
    pub drag: f64,
    /// e (< 1 for a Zeno time).
    pub restitution: f64,
}

/// An impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DragImpact {
    /// Time, s.
    pub time: f64,
    /// Speed of approach, m/s.
    pub speed: f64,
}

impl DragBounce {
    /// All impacts, one after the other, for ever.
    pub fn impacts(self) -> impl Iterator<Item = DragImpact> {
        let first = DragImpact { time: self.fall_time(self.height), speed: self.fall_speed(self.height) };
        std::iter::successors(Some(first), move |impact| {
            let rise = self.restitution * impact.speed;
            let top = (self.drag * rise * rise / self.gravity).ln_1p() / (2.0 * self.drag);
            let time = impact.time + self.rise_time(rise) + self.fall_time(top);
            Some(DragImpact { time, speed: self.fall_speed(top) })
        })
    }

    /// Where the impacts accumulate, s. Hops are summed until drag is below rounding; the rest is geometric.
    pub fn zeno_time(self) -> f64 {
        let slow = |impact: &DragImpact| self.drag * impact.speed * impact.speed < 1e-18 * self.gravity;
        let rest = |impact: DragImpact| {
            impact.time + 2.0 * self.restitution * impact.speed / (self.gravity * (1.0 - self.restitution))
        };
        self.impacts().find(slow).map_or(f64::NAN, rest)
    }

    /// Height (m) and velocity (m/s) at times in ascending order (e < 1); 0 once the impacts are over.
    pub fn at(self, times: &[f64]) -> Vec<[f64; 2]> {
        let (k, rate, terminal) = (self.drag, self.rate(), (self.gravity / self.drag).sqrt());
        let fall = |top: f64, since: f64| [top - (rate * since).cosh().ln() / k, -terminal * (rate * since).tanh()];
        let end = self.zeno_time();
        let mut impacts = self.impacts();
        let (mut last, mut next) = (None, impacts.next());
        let mut values = Vec::with_capacity(times.len());
        for time in times {
            while next.is_some_and(|impact: DragImpact| impact.time <= *time) && *time < end {
                last = next;
                next = impacts.next();
            }
            values.push(match last {
                _ if *time >= end => [0.0; 2],
                None => fall(self.height, *time),
                Some(DragImpact { time: start, speed }) => {
                    let rise = self.restitution * speed;
                    let (phase, since) = ((rise / terminal).atan(), time - start);
                    let top = -phase.cos().ln() / k;
                    if since < phase / rate {
                        let left = phase - rate * since;
                        [top + left.cos().ln() / k, terminal * left.tan()]
                    } else {
                        fall(top, since - phase / rate)
                    }
                }
            });
        }
        values
    }

    fn rate(&self) -> f64 {
        (self.gravity * self.drag).sqrt()
    }
    fn fall_speed(&self, height: f64) -> f64 {
        (-(-2.0 * self.drag * height).exp_m1() * self.gravity / self.drag).sqrt()
    }
    fn fall_time(&self, height: f64) -> f64 {
        // acosh(1 + z) without cancellation.
        let z = (self.drag * height).exp_m1();
        (z + (z * (z + 2.0)).sqrt()).ln_1p() / self.rate()
    }
    fn rise_time(&self, speed: f64) -> f64 {
        (speed * (self.drag / self.gravity).sqrt()).atan() / self.rate()
    }
}
