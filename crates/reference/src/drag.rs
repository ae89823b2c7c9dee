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
    /// m/s²
    pub gravity: f64,
    /// `κ = k_D/m`, 1/m (> 0).
    pub drag: f64,
    /// e (< 1 for a Zeno time).
    pub restitution: f64,
}

/// An impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// s
    pub time: f64,
    /// Speed of approach, m/s.
    pub speed: f64,
}

impl DragBounce {
    /// All impacts, one after the other, for ever.
    pub fn impacts(self) -> impl Iterator<Item = Impact> {
        let first = Impact { time: self.fall_time(self.height), speed: self.fall_speed(self.height) };
        std::iter::successors(Some(first), move |impact| {
            let rise = self.restitution * impact.speed;
            let top = (self.drag * rise * rise / self.gravity).ln_1p() / (2.0 * self.drag);
            let time = impact.time + self.rise_time(rise) + self.fall_time(top);
            Some(Impact { time, speed: self.fall_speed(top) })
        })
    }

    /// Where the impacts accumulate, s. Hops are summed until drag is below rounding; the rest is geometric.
    pub fn zeno_time(self) -> f64 {
        let slow = |impact: &Impact| self.drag * impact.speed * impact.speed < 1e-18 * self.gravity;
        let rest = |impact: Impact| {
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
            while next.is_some_and(|impact: Impact| impact.time <= *time) && *time < end {
                last = next;
                next = impacts.next();
            }
            values.push(match last {
                _ if *time >= end => [0.0; 2],
                None => fall(self.height, *time),
                Some(Impact { time: start, speed }) => {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table;

    #[test]
    fn chain_agrees_with_the_table() {
        let table = table::find("drop_analytic").unwrap();
        let drop = DragBounce {
            height: table.number("y0").unwrap(),
            gravity: table.number("g").unwrap(),
            drag: table.number("k_over_m").unwrap(),
            restitution: table.number("e").unwrap(),
        };
        let events = table.events();
        assert_eq!(events.len(), 10);
        for (impact, event) in drop.impacts().zip(&events) {
            assert!((impact.time / event.number("t").unwrap() - 1.0).abs() < 1e-15);
            assert!((impact.speed / event.number("v_impact").unwrap() + 1.0).abs() < 2e-15);
        }
        assert!((drop.zeno_time() - table.number("zeno_time").unwrap()).abs() < 2e-14);
    }

    #[test]
    fn heights_between_impacts() {
        let drop = DragBounce { height: 2.0, gravity: 9.81, drag: 0.05, restitution: 0.8 };
        let impacts: Vec<Impact> = drop.impacts().take(20).collect();
        let just_before: Vec<f64> = impacts.iter().map(|impact| impact.time - 1e-9).collect();
        for (impact, [height, velocity]) in impacts.iter().zip(drop.at(&just_before)) {
            assert!((height - 1e-9 * impact.speed).abs() < 1e-13, "{height}");
            assert!((velocity + impact.speed).abs() < 1e-7, "{velocity}");
        }
        // v' = −g − k v|v|, y' = v by differences.
        let d = 1e-5;
        let times: Vec<f64> = (1..40).flat_map(|i| [-d, 0.0, d].map(|d| 0.0973 * f64::from(i) + d)).collect();
        for three in drop.at(&times).chunks(3) {
            let [y, v] = [0, 1].map(|i| (three[2][i] - three[0][i]) / (2.0 * d));
            let middle = three[1][1];
            if middle.abs() > 0.1 {
                assert!((y - middle).abs() < 1e-7, "{y} {middle}");
                assert!((v + 9.81 + 0.05 * middle * middle.abs()).abs() < 1e-6, "{v}");
            }
        }
    }

    #[test]
    fn little_drag_is_none() {
        let (height, gravity, restitution) = (1.0, 9.81, 0.9);
        let drop = DragBounce { height, gravity, drag: 1e-15, restitution };
        let free = crate::bounce::Bounce { height, gravity, restitution };
        for (impact, k) in drop.impacts().zip(1..100) {
            assert!((impact.time - free.impact_time(k)).abs() < 1e-12);
        }
    }
}
