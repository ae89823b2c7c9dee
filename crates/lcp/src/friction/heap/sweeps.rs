//! Sweeps: block Gauss–Seidel over the contacts, forwards and then backwards; how many are worth their time?

use nalgebra::{Matrix2x3, Matrix3x2, Vector2};
use numbers::elementary;

use super::super::delassus_of_bodies::Bodies;
use super::super::{Block, limit, one_contact};
use super::{Heap, act};
use crate::refill;

/// Pairs of sweeps, in all, within which their rate must promise the goal. They cost as much as two linear systems;
/// interior points take ten and more. (With 300, falling heaps are slower.)
const PROMISED: f64 = 60.0;

/// Data of a contact for sweeps. A contact of a single body has a fixed dummy as its second one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    bodies: [usize; 2],
    /// Parts of `u_n` and `u_t` by the three velocities of each body.
    rows: [Matrix2x3<f64>; 2],
    /// Changes of the bodies' velocities by `p_n` and `p_t`.
    kicks: [Matrix3x2<f64>; 2],
    block: Block,
    free: [f64; 2],
    friction: f64,
}

impl Heap {
    fn take_turns(&mut self, problem: &Bodies<'_>) {
        let turns = problem.levers.iter().enumerate().map(|(i, levers)| {
            let mut turn = Turn {
                bodies: [problem.inverse_masses.len(); 2],
                rows: [Matrix2x3::zeros(); 2],
                kicks: [Matrix3x2::zeros(); 2],
                block: self.blocks[i],
                free: problem.velocity[i],
                friction: self.friction[i],
            };
            for (k, lever) in levers.iter().flatten().enumerate() {
                turn.bodies[k] = lever.body;
                turn.rows[k] = lever.rows;
                turn.kicks[k] = problem.inverse_masses[lever.body] * lever.rows.transpose();
            }
            turn
        });
        refill(&mut self.turns, turns);
    }

    /// Makes a pair of sweeps; `change` must be that of the impulses.
    fn sweep(&mut self, impulse: &mut [[f64; 2]]) {
        self.iterations += 2;
        let n = self.turns.len();
        for i in (0..n).chain((0..n).rev()) {
            let Turn { bodies, rows, kicks, block, free, friction } = &self.turns[i];
            let p = impulse[i];
            let mut u = Vector2::from(*free);
            for (body, rows) in bodies.iter().zip(rows) {
                u += rows * self.change[*body];
            }
            // The contact's velocity without its own impulse is the free velocity of its closed form. Where no regime
            // holds, a step of projected gradients replaces it.
            let own = act(block, p);
            let new = one_contact::solve(block, [u[0] - own[0], u[1] - own[1]], *friction).unwrap_or_else(|| {
                let weight = &self.weights[i];
                let normal = (p[0] - u[0] / weight[0]).max(0.0);
                let limit = limit(*friction, normal);
                [normal, (p[1] - u[1] / weight[1]).max(-limit).min(limit)]
            });
            impulse[i] = new;
            let by = Vector2::from(new) - Vector2::from(p);
            for (body, kicks) in bodies.iter().zip(kicks) {
                self.change[*body] += kicks * by;
            }
        }
    }

    /// Makes `pairs` pairs of sweeps; returns the residual they leave, m/s.
    pub(super) fn sweep_times(&mut self, problem: &Bodies<'_>, pairs: usize, impulse: &mut [[f64; 2]]) -> f64 {
        if self.turns.is_empty() {
            self.take_turns(problem);
        }
        problem.move_by(impulse, &mut self.change);
        (0..pairs).for_each(|_| self.sweep(impulse));
        self.residual(problem, impulse)
    }

    /// Sweeps until the goal is reached: up to `sweeps` pairs in any case, and then on as long as the rate of the last
    /// batch promises the goal within [`PROMISED`] pairs in all. Returns the residual, m/s.
    pub(super) fn sweep_on(&mut self, problem: &Bodies<'_>, mut residual: f64, impulse: &mut [[f64; 2]]) -> f64 {
        let (mut made, mut next) = (0, 2);
        loop {
            let before = residual;
            residual = self.sweep_times(problem, next, impulse);
            made += next;
            let rate = elementary::ln(before / residual) / next as f64;
            let needed = elementary::ln(residual / self.goal) / rate;
            let promised = rate > 0.0 && made as f64 + needed <= PROMISED;
            if !(residual > self.goal) || self.iterations >= self.limit || made >= self.sweeps && !promised {
                return residual;
            }
            next = made / 2 + 1;
            if made < self.sweeps {
                next = next.min(self.sweeps - made);
            }
        }
    }
}
