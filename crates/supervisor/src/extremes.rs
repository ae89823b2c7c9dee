//! The largest and smallest of numbers of the motion over a stretch.

use crate::Stretch;
use crate::stretch::Course;
use curves::Path;

/// Parts of a stretch whose ends are looked at.
const PARTS: u32 = 8;
/// Narrowings by the golden section: what is left of two parts is 1e-9 of them.
const NARROWINGS: u32 = 43;
/// Golden section 1/φ.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// A number of a run, and when it has that value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// Value of the number.
    pub value: f64,
    /// Time, s.
    pub time: f64,
}

impl Extreme {
    /// The one that is greater, `sign` being 1, or lesser, −1; of equals this one.
    pub fn beyond(self, other: Extreme, sign: f64) -> Extreme {
        if sign * other.value > sign * self.value { other } else { self }
    }
}

impl Stretch<'_> {
    /// The smallest and the largest λ (N): at the ends of its eighths, and where one of those in between stands out, about it. Steps
    /// by a tolerance have seen what acts along them, so that between eighths there is no more.
    pub fn normal_force_range(&self) -> [Extreme; 2] {
        match self.course() {
            Course::Flight(_) | Course::Jump(_) => [Extreme { value: 0.0, time: self.from() }; 2],
            Course::Compressed(_, step, pressing) => match self.scene().compressed(pressing) {
                // Between the nodes of its step, which has a time of its own.
                Some(system) => range([0.0, 1.0], |part| {
                    let state = match part {
                        0.0 => step.start,
                        1.0 => step.end,
                        _ => step.near(part),
                    };
                    Extreme { value: system.forces_at(&state).0.normal_force, time: state.time.min(self.to()) }
                }),
                None => [Extreme { value: 0.0, time: self.from() }; 2],
            },
            _ => range([self.from(), self.to()], |time| Extreme { value: self.normal_force(time), time }),
        }
    }

    /// The largest speed of the centre, seen from what stands still, m/s.
    pub fn top_speed(&self) -> Extreme {
        let at = |time: f64| Extreme { value: self.world(time).velocity.norm(), time };
        let most = || at(self.from()).beyond(at(self.to()), 1.0);
        match self.course() {
            // Made anew at each time, and short.
            Course::Compressed(..) => most(),
            // Its square is a parabola that opens upwards.
            Course::Flight(step) if step.path().is_some_and(Path::is_parabola) => most(),
            _ => range([self.from(), self.to()], at)[1],
        }
    }
}

/// The least and greatest of a function.
fn range([from, to]: [f64; 2], at: impl Fn(f64) -> Extreme) -> [Extreme; 2] {
    let place = |i: u32| if i == PARTS { to } else { from + (to - from) * f64::from(i) / f64::from(PARTS) };
    let looks: [Extreme; PARTS as usize + 1] = std::array::from_fn(|i| at(place(i as u32)));
    [-1.0, 1.0].map(|sign| {
        let mut best = 0;
        for (i, look) in looks.iter().enumerate() {
            if sign * look.value > sign * looks[best].value {
                best = i;
            }
        }
        if best == 0 || best == PARTS as usize {
            return looks[best];
        }
        let (mut lo, mut hi) = (place(best as u32 - 1), place(best as u32 + 1));
        let mut found = looks[best];
        for _ in 0..NARROWINGS {
            let (a, b) = (hi - GOLDEN * (hi - lo), lo + GOLDEN * (hi - lo));
            let (left, right) = (at(a), at(b));
            found = found.beyond(left, sign).beyond(right, sign);
            if sign * left.value > sign * right.value {
                hi = b;
            } else {
                lo = a;
            }
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A parabola has its top inside; a line at its end, without a narrowing.
    #[test]
    fn tops() {
        let looks = std::cell::Cell::new(0);
        let of = |f: &dyn Fn(f64) -> f64| {
            range([0.0, 2.0], |time| {
                looks.set(looks.get() + 1);
                Extreme { value: f(time), time }
            })
        };
        let [least, greatest] = of(&|t| -(t - 0.3).powi(2));
        assert!((greatest.time - 0.3).abs() < 1e-7 && greatest.value <= 0.0 && greatest.value > -1e-14);
        assert_eq!((least.time, least.value), (2.0, -1.7f64.powi(2)));
        looks.set(0);
        assert_eq!(of(&|t| t).map(|extreme| extreme.time), [0.0, 2.0]);
        assert_eq!(looks.get(), 9);
    }
}
