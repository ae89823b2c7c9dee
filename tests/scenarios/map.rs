//! Changes of place, time and mass that no law of mechanics notices.

use nalgebra::{Matrix2, Vector2};

use super::Formula;

/// `p ↦ shift + scale·turn·mirror·p`; the mirror takes x to −x and is first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Map {
    pub mirror: bool,
    pub scale: f64,
    /// rad
    pub turn: f64,
    /// m
    pub shift: Vector2<f64>,
}

impl Map {
    pub const SAME: Map = Map { mirror: false, scale: 1.0, turn: 0.0, shift: Vector2::new(0.0, 0.0) };

    /// Turn and mirror.
    pub fn orthogonal(&self) -> Matrix2<f64> {
        // Exact where a quarter is meant: no ground is tilted by the rounding of π.
        let (sin, cos) = match self.turn / std::f64::consts::FRAC_PI_2 {
            1.0 => (1.0, 0.0),
            2.0 => (0.0, -1.0),
            3.0 => (-1.0, 0.0),
            _ => self.turn.sin_cos(),
        };
        let turn = Matrix2::new(cos, -sin, sin, cos);
        if self.mirror { turn * Matrix2::new(-1.0, 0.0, 0.0, 1.0) } else { turn }
    }

    /// −1 where left and right change, else 1.
    pub fn sign(&self) -> f64 {
        if self.mirror { -1.0 } else { 1.0 }
    }

    pub fn point(&self, p: Vector2<f64>) -> Vector2<f64> {
        self.shift + self.orthogonal() * p * self.scale
    }

    pub fn inverse(&self) -> Map {
        let back = self.orthogonal().transpose() * self.shift / self.scale;
        let turn = if self.mirror { self.turn } else { -self.turn };
        Map { scale: 1.0 / self.scale, turn, shift: -back, ..*self }
    }

    /// The images of formulas of a point.
    pub fn formulas(&self, [x, y]: [&Formula; 2]) -> [Formula; 2] {
        let a = self.orthogonal() * self.scale;
        [0, 1].map(|i| {
            let term = |j: usize, of: &Formula| if a[(i, j)] == 0.0 { Formula::zero() } else { of.times(a[(i, j)]) };
            term(0, x).and(&term(1, y)).plus(self.shift[i])
        })
    }
}

/// A change of place, time and mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    pub map: Map,
    /// A second is so long.
    pub time: f64,
    /// What was at this time is at zero, s (as it was).
    pub from: f64,
    /// Time runs back from there.
    pub backwards: bool,
    /// A kilogram is so much.
    pub mass: f64,
}

impl Change {
    pub const NONE: Change = Change { map: Map::SAME, time: 1.0, from: 0.0, backwards: false, mass: 1.0 };

    pub fn of(map: Map) -> Self {
        Change { map, ..Change::NONE }
    }

    /// −1 backwards in time, else 1.
    pub fn arrow(&self) -> f64 {
        if self.backwards { -1.0 } else { 1.0 }
    }

    /// When a time comes.
    pub fn when(&self, t: f64) -> f64 {
        self.arrow() * (t - self.from) * self.time
    }

    /// How velocities become others.
    pub fn velocity(&self, v: Vector2<f64>) -> Vector2<f64> {
        self.map.orthogonal() * v * (self.arrow() * self.map.scale / self.time)
    }

    /// How spins become others.
    pub fn spin(&self, spin: f64) -> f64 {
        self.arrow() * self.map.sign() * spin / self.time
    }

    /// A force of one newton then, N.
    pub fn force(&self) -> f64 {
        self.mass * self.map.scale / (self.time * self.time)
    }

    /// Formulas for the old names `t, x, y, vx, vy, spin, m, g` in the new ones.
    pub fn names(&self) -> Vec<(&'static str, Formula)> {
        let name = Formula::new;
        let [x, y] = self.map.inverse().formulas([&name("x"), &name("y")]);
        let still = Map { shift: Vector2::zeros(), ..self.map.inverse() };
        let [vx, vy] = still.formulas([&name("vx"), &name("vy")]);
        let rate = self.arrow() * self.time;
        vec![
            ("t", name("t").times(self.arrow() / self.time).plus(self.from)),
            ("x", x),
            ("y", y),
            ("vx", vx.times(rate)),
            ("vy", vy.times(rate)),
            ("spin", name("spin").times(rate * self.map.sign())),
            ("m", name("m").times(1.0 / self.mass)),
            ("g", name("g").times(self.time * self.time / self.map.scale)),
        ]
    }
}
