//! Contacts between bodies, given by levers: products with `W = Hᵀ M⁻¹ H` are sums over them; W need not be formed.

use std::iter::repeat_n;

use nalgebra::{Matrix2, Matrix2x3, Matrix3, Vector2, Vector3};

use super::elimination::inverse;
use super::{Block, check_friction, check_pairs, larger, natural};
use crate::{Failure, refill};

/// Lever of a contact on a body: the body's velocities v add `rows · v` to u, an impulse p adds `rowsᵀ p` to momenta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lever {
    /// Index of the body.
    pub body: usize,
    /// Rows of the lever for `u_n` and `u_t`.
    pub rows: Matrix2x3<f64>,
}

/// Contacts between bodies of three degrees of freedom: `W = Hᵀ M⁻¹ H` with `M⁻¹` in 3 × 3 blocks and `H` of levers.
#[derive(Clone, Copy, Debug)]
pub struct Bodies<'a> {
    /// Block of `M⁻¹` of each body; regular.
    pub inverse_masses: &'a [Matrix3<f64>],
    /// Levers of each contact, on one or two bodies.
    pub levers: &'a [[Option<Lever>; 2]],
    /// `q`, m/s.
    pub velocity: &'a [[f64; 2]],
    /// μ of each contact; may be infinite.
    pub friction: &'a [f64],
}

impl Bodies<'_> {
    /// Checks that sizes fit, that numbers are finite, μ ≥ 0 and blocks regular, and that each contact has one or two
    /// different bodies that there are, and `W_nn > 0`.
    pub fn check(&self, impulses: usize) -> Result<(), Failure> {
        let n = self.velocity.len();
        for (name, length) in [("levers", self.levers.len()), ("friction", self.friction.len()), ("impulse", impulses)]
        {
            Failure::size(name, (length, 1), (n, 1))?;
        }
        check_pairs("velocity", self.velocity)?;
        check_friction(self.friction)?;
        for (body, block) in self.inverse_masses.iter().enumerate() {
            let entries = (0..9).map(|k| (3 * body + k / 3, k % 3, block[(k / 3, k % 3)]));
            Failure::finite("inverse_masses", entries)?;
            if inverse(block).is_none() {
                let (row, value, rule) = (3 * body, block[(0, 0)], "an entry of a regular block");
                return Err(Failure::Entry { name: "inverse_masses", row, column: 0, value, rule });
            }
        }
        for (row, levers) in self.levers.iter().enumerate() {
            for (entry, lever) in levers.iter().enumerate() {
                let Some(lever) = lever else { continue };
                if lever.body >= self.inverse_masses.len() {
                    let (value, rule) = (lever.body as f64, "the index of a body that there is");
                    return Err(Failure::Entry { name: "levers", row, column: entry, value, rule });
                }
                Failure::finite("levers", (0..6).map(|k| (row, k, lever.rows[(k / 3, k % 3)])))?;
            }
            let [first, second] = levers.each_ref().map(|lever| lever.as_ref().map(|lever| lever.body));
            if first == second {
                let value = second.map_or(f64::NAN, |body| body as f64);
                let rule = "another body than the first lever's, and there must be one";
                return Err(Failure::Entry { name: "levers", row, column: 1, value, rule });
            }
            let value = self.block(row)[0][0];
            if !(value > 0.0) {
                return Err(Failure::Entry { name: "W", row: 2 * row, column: 2 * row, value, rule: "positive" });
            }
        }
        Ok(())
    }

    /// Diagonal block of W of a contact, 1/kg.
    pub fn block(&self, contact: usize) -> Block {
        let mut block = Matrix2::zeros();
        for Lever { body, rows } in self.levers[contact].iter().flatten() {
            block += rows * (self.inverse_masses[*body] * rows.transpose());
        }
        block.transpose().into()
    }

    /// Writes `W`, 2n × 2n by columns, as [`Frictional`](super::Frictional) takes it.
    pub fn delassus(&self, matrix: &mut Vec<f64>) {
        let size = 2 * self.levers.len();
        refill(matrix, repeat_n(0.0, size * size));
        for (column, values) in matrix.chunks_exact_mut(size.max(1)).enumerate() {
            for by in self.levers[column / 2].iter().flatten() {
                let moved = self.inverse_masses[by.body] * by.rows.row(column % 2).transpose();
                for (levers, u) in self.levers.iter().zip(values.chunks_exact_mut(2)) {
                    for lever in levers.iter().flatten().filter(|lever| lever.body == by.body) {
                        let more = lever.rows * moved;
                        (u[0], u[1]) = (u[0] + more.x, u[1] + more.y);
                    }
                }
            }
        }
    }

    /// Writes the change of the bodies' velocities by impulses, `M⁻¹ H p`.
    pub fn move_by(&self, impulse: &[[f64; 2]], change: &mut [Vector3<f64>]) {
        change.fill(Vector3::zeros());
        for (levers, p) in self.levers.iter().zip(impulse) {
            push(levers, *p, change);
        }
        for (block, value) in self.inverse_masses.iter().zip(change) {
            *value = block * *value;
        }
    }

    /// Contact velocity `u = Hᵀ Δv + q` after a change of the bodies' velocities.
    #[inline]
    pub fn velocity_after(&self, contact: usize, change: &[Vector3<f64>]) -> [f64; 2] {
        along(&self.levers[contact], self.velocity[contact], change)
    }

    /// Residual of impulses, m/s: the largest natural map of a contact, given their `change` of velocities.
    pub(super) fn residual(&self, blocks: &[Block], impulse: &[[f64; 2]], change: &[Vector3<f64>]) -> f64 {
        (0..impulse.len()).fold(0.0, |worst, i| {
            larger(worst, natural(&blocks[i], self.friction[i], impulse[i], self.velocity_after(i, change)))
        })
    }
}

/// Adds `rowsᵀ p` for the impulse p of a contact to the momenta of its bodies.
#[inline]
pub(super) fn push(levers: &[Option<Lever>; 2], p: [f64; 2], to: &mut [Vector3<f64>]) {
    for Lever { body, rows } in levers.iter().flatten() {
        to[*body] += rows.transpose() * Vector2::from(p);
    }
}

/// Contact velocity `start + Σ rows · v` where the bodies have these velocities.
#[inline]
pub(super) fn along(levers: &[Option<Lever>; 2], start: [f64; 2], velocities: &[Vector3<f64>]) -> [f64; 2] {
    let add = |u: Vector2<f64>, Lever { body, rows }: &Lever| u + rows * velocities[*body];
    levers.iter().flatten().fold(start.into(), add).into()
}
