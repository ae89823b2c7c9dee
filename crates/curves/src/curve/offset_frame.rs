//! The frame of the centre path `q = c + R n`: place, tangent, normal, curvature, speed; over any number.

use nalgebra::Vector2;
use numbers::Number;

/// The moving frame of the centre path `q = c + R n`.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Frame<N = f64, V = Vector2<N>> {
    /// Centre of the ball in contact, m.
    pub position: V,
    /// Unit tangent `τ`, in the direction of growing parameter.
    pub tangent: V,
    /// Unit normal `n`, towards the free side.
    pub normal: V,
    /// Curvature `κc = κ/(1 − κR)` of the centre path, 1/m.
    pub curvature: N,
    /// Length of the centre path for a unit of the parameter, `(1 − κR)‖c′‖`.
    pub speed: N,
}

/// A [`Frame`] over any number. Over intervals each of its numbers may be undefined (`κR ≥ 1`).
pub type FrameOver<N> = Frame<N, [N; 2]>;

/// Curvature `κ/(1 − κR)` of the path at a distance R (m) from a curve of curvature κ (1/m), on its free side.
#[inline(always)]
pub fn curvature_at<N: Number>(curvature: N, radius: f64) -> N {
    curvature / (N::constant(1.0) - curvature.scale(radius))
}

impl<N: Number> FrameOver<N> {
    /// Frame of a curve itself at a point `c` with tangent τ, curvature κ and speed ‖c′‖.
    #[inline(always)]
    pub fn on_curve(point: [N; 2], tangent: [N; 2], curvature: N, speed: N) -> Self {
        Frame { position: point, tangent, normal: [-tangent[1], tangent[0]], curvature, speed }
    }

    /// Frame of a curve itself from `[x, y]` with their first two derivatives `c⁽ᵏ⁾/k!`: `τ = c′/‖c′‖`,
    /// `κ = det(c′, c″)/‖c′‖³`.
    #[inline(always)]
    pub fn of([x, y]: [[N; 3]; 2]) -> Self {
        let speed = (x[1].square() + y[1].square()).sqrt();
        let slowness = N::constant(1.0) / speed;
        let cross = (x[1] * y[2] - y[1] * x[2]).scale(2.0);
        let curvature = cross * (slowness * slowness.square());
        FrameOver::on_curve([x[0], y[0]], [x[1] * slowness, y[1] * slowness], curvature, speed)
    }

    /// `1 − κR` for a ball of this radius R (m); κ is the curvature of this frame, which must be the curve's own.
    #[inline(always)]
    pub fn shrink(&self, radius: f64) -> N {
        N::constant(1.0) - self.curvature.scale(radius)
    }

    /// Frame of the centre path of a ball of this radius (m), from the frame of the curve itself.
    #[inline(always)]
    pub fn offset(self, radius: f64) -> Self {
        if radius == 0.0 {
            return self;
        }
        let ([x, y], [along, up], shrink) = (self.position, self.normal, self.shrink(radius));
        Frame {
            position: [x + along.scale(radius), y + up.scale(radius)],
            curvature: curvature_at(self.curvature, radius),
            speed: self.speed * shrink,
            ..self
        }
    }

    /// Frame of the circle, parametrised by its angle, on which the centre of a ball of this radius (m) goes around a
    /// corner.
    #[inline(always)]
    pub fn around(point: Vector2<f64>, normal: [N; 2], radius: f64) -> Self {
        Frame {
            position: [0, 1].map(|i| N::constant(point[i]) + normal[i].scale(radius)),
            tangent: [normal[1], -normal[0]],
            normal,
            curvature: N::constant(-1.0 / radius),
            speed: N::constant(radius),
        }
    }
}

impl From<FrameOver<f64>> for Frame {
    #[inline(always)]
    fn from(frame: FrameOver<f64>) -> Self {
        let Frame { position, tangent, normal, curvature, speed } = frame;
        Frame { position: position.into(), tangent: tangent.into(), normal: normal.into(), curvature, speed }
    }
}

impl Frame {
    /// Rounding of its directions, rad: one ε, and the turn of the path over the rounding of the place, `|κc| ε‖q‖`.
    pub fn rounding(&self) -> f64 {
        f64::EPSILON * (1.0 + self.curvature.abs() * self.position.norm())
    }

    /// Component of a velocity along `τ`, as `(v·τ)/(τ·τ)` with `1/(τ·τ) ≈ 2 − τ·τ`: it keeps its last bit when a
    /// velocity is split and recombined in each step, although the length of `τ` is 1 only to rounding.
    #[inline(always)]
    pub fn along(&self, velocity: Vector2<f64>) -> f64 {
        velocity.dot(&self.tangent) * (2.0 - self.tangent.norm_squared())
    }
}

/// `J v`: turns by +90°.
#[inline(always)]
pub fn turn_left(v: Vector2<f64>) -> Vector2<f64> {
    Vector2::new(-v.y, v.x)
}
