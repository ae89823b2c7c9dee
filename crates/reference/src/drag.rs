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
        let table = table::find("drop_deck_analytic").unwrap();
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
    fn little_drag_is_none() {
        let (height, gravity, restitution) = (1.0, 9.81, 0.9);
        let drop = DragBounce { height, gravity, drag: 1e-15, restitution };
        let free = crate::bounce::Bounce { height, gravity, restitution };
        for (impact, k) in drop.impacts().zip(1..100) {
            assert!((impact.time - free.impact_time(k)).abs() < 1e-12);
        }
    }
}
