//! Floors of time stepping: the same recurrence for one ball on a line, as a plain scalar loop.

use std::hint::black_box;

use crate::GRAVITY;

/// Moreau's scheme with θ = 1/2 for `m ÿ = −mg`, `y ≥ 0`: height and velocity after some steps, and the impulse of the
/// last. The impulse and the state are kept in each step, as a caller would see them.
pub fn theta_ball(start: [f64; 2], steps: u64, h: f64, restitution: f64) -> [f64; 3] {
    let (mass, g, e) = (black_box(1.0), black_box(GRAVITY), black_box(restitution));
    let mut row = [start[0], start[1], 0.0];
    for _ in 0..steps {
        let [y, v, _] = row;
        let free = v - h * g;
        let mut after = free;
        let mut impulse = 0.0;
        if y + 0.5 * h * v <= 0.0 {
            impulse = (-mass * (free + e * v)).max(0.0);
            after = free + impulse / mass;
        }
        row = [y + h * (0.5 * after + 0.5 * v), after, impulse];
        black_box(&mut row);
    }
    row
}

/// Kern's listing 1 without its arrays: position, velocity and reaction after some steps.
pub fn kern_ball(start: [f64; 2], steps: u64, h: f64, restitution: f64) -> [f64; 3] {
    let (mass, g, e) = (black_box(1.0), black_box(GRAVITY), black_box(restitution));
    let mut row = [start[0], start[1], 0.0];
    for _ in 0..steps {
        let [y, v, _] = row;
        let (next, external) = (y + v * h, h * -mass * g);
        let mut after = v + external / mass;
        let mut reaction = 0.0;
        if next <= 0.0 {
            let jump = -(1.0 + e) * v;
            if mass * jump > external {
                after = v + jump;
                reaction = mass * jump - external;
            }
        }
        row = [next, after, reaction];
        black_box(&mut row);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_come_to_rest() {
        let rest = theta_ball([1.0, 0.0], 4000, 5e-3, 0.9);
        assert!(rest[1].abs() < 1e-9 && (rest[2] - 5e-3 * GRAVITY).abs() < 1e-9, "{rest:?}");
        let rest = kern_ball([0.5, 0.0], 4000, 1e-2, 0.9);
        assert!(rest[1].abs() < 1e-9 && (rest[2] - 1e-2 * GRAVITY).abs() < 1e-9, "{rest:?}");
    }
}
