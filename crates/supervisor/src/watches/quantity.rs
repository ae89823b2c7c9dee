//! Quantities that can be watched, and their values over any number.

use std::sync::Arc;

use curves::Place;
use mechanics::State;
use numbers::{Expression, ExpressionError, Interval, Number, Rounding, Taylor};

use crate::enclosure::{Over, Rate};
use crate::{Phase, Sample, Scene};

/// A quantity whose zeros are located during a run, as events are.
#[derive(Clone, Debug, PartialEq)]
pub struct Watch {
    /// Name of the watch.
    pub name: Arc<str>,
    /// Quantity that is watched.
    pub of: Watched,
    /// Direction that is told: the quantity comes to grow beyond its value (true), or to fall below it (false); `None`: both.
    pub rising: Option<bool>,
    /// Whether only the first crossing is told.
    pub first: bool,
    /// Curve, from 0, that the ball must touch for a crossing to be told; `None`: it need not touch any.
    pub curve: Option<usize>,
}

/// Quantity that is watched, with the value whose passing counts.
#[derive(Clone, Debug, PartialEq)]
pub enum Watched {
    /// The centre's abscissa passes a value, m.
    X(f64),
    /// The centre's height passes a value, m.
    Y(f64),
    /// The ground point of a ball on the ground passes a parameter, as outputs show it.
    S(f64),
    /// `‖v‖` passes a value, m/s.
    Speed(f64),
    /// v_y falls through zero: the centre is at a top.
    Apex,
    /// `v·τ` of a ball on the ground passes zero: it turns round.
    Turn,
    /// λ passes a value, N.
    NormalForce(f64),
    /// The clock comes to these, s, in order.
    Times(Arc<[f64]>),
    /// A formula of [`Watched::VARIABLES`] passes zero.
    Formula {
        /// Text of the formula.
        text: Arc<str>,
        /// The formula itself.
        value: Expression,
    },
}

impl Watch {
    /// A watch of a quantity, without a name, in both directions.
    pub fn new(of: Watched) -> Self {
        Watch { name: "".into(), of, rising: None, first: false, curve: None }
    }

    /// The upright line at an abscissa, m.
    pub fn x(value: f64) -> Self {
        Watch::new(Watched::X(value))
    }

    /// The level line at a height, m.
    pub fn y(value: f64) -> Self {
        Watch::new(Watched::Y(value))
    }

    /// A formula of [`Watched::VARIABLES`], whose zeros are located.
    pub fn formula(text: &str) -> Result<Self, ExpressionError> {
        let value = Expression::parse(text, &Watched::VARIABLES, &[])?;
        Ok(Watch::new(Watched::Formula { text: text.into(), value }))
    }

    /// Gives the watch a name.
    pub fn named(self, name: &str) -> Self {
        Watch { name: name.into(), ..self }
    }

    /// Tells crossings towards greater values alone.
    pub fn only_rising(self) -> Self {
        Watch { rising: Some(true), ..self }
    }

    /// Tells crossings towards lesser values alone.
    pub fn only_falling(self) -> Self {
        Watch { rising: Some(false), ..self }
    }

    /// Tells the first crossing alone.
    pub fn only_first(self) -> Self {
        Watch { first: true, ..self }
    }

    /// The quantity at a sample, and what rounding makes of it; `None`: it is not there.
    pub(super) fn at(&self, scene: &Scene, sample: &Sample) -> Option<(f64, f64)> {
        let elsewhere = |curve: usize| sample.place.is_none_or(|place| scene.ground.curve_of(place) != curve);
        if self.curve.is_some_and(elsewhere) { None } else { self.of.at(scene, sample) }
    }

    /// The number in it that is not finite, if one is.
    pub fn not_finite(&self) -> Option<f64> {
        match &self.of {
            Watched::X(value)
            | Watched::Y(value)
            | Watched::S(value)
            | Watched::Speed(value)
            | Watched::NormalForce(value) => Some(*value).filter(|value| !value.is_finite()),
            Watched::Times(times) => times.iter().copied().find(|time| !time.is_finite()),
            Watched::Apex | Watched::Turn | Watched::Formula { .. } => None,
        }
    }
}

/// The ball at one time, over any number; seen from what stands still.
#[derive(Clone, Copy, Debug)]
struct SeenBall<N> {
    time: N,
    position: [N; 2],
    velocity: [N; 2],
    angle: N,
    spin: N,
    /// `v·τ` on the ground, m/s.
    along: Option<N>,
    /// Parameter of the ground point, on the ground.
    s: Option<N>,
    normal_force: N,
}

impl Watched {
    /// The variables of a formula.
    pub const VARIABLES: [&'static str; 7] = ["t", "x", "y", "vx", "vy", "spin", "angle"];

    /// Whether it is there on the ground alone.
    pub fn is_of_ground(&self) -> bool {
        matches!(self, Watched::S(_) | Watched::Turn)
    }

    /// Negative below, positive above; `None`: it is not there.
    fn value<N: Number>(&self, seen: &SeenBall<N>) -> Option<N> {
        let off = |value: N, line: f64| value - N::constant(line);
        let [vx, vy] = seen.velocity;
        Some(match self {
            Watched::X(x) => off(seen.position[0], *x),
            Watched::Y(y) => off(seen.position[1], *y),
            Watched::S(s) => off(seen.s?, *s),
            Watched::Speed(speed) => off((vx.square() + vy.square()).sqrt(), *speed),
            Watched::Apex => vy,
            Watched::Turn => seen.along?,
            Watched::NormalForce(force) => off(seen.normal_force, *force),
            Watched::Times(_) => return None,
            Watched::Formula { value, .. } => {
                let [x, y] = seen.position;
                value.eval(&[seen.time, x, y, vx, vy, seen.spin, seen.angle])
            }
        })
    }

    /// Value at a sample, and its rounding.
    fn at(&self, scene: &Scene, sample: &Sample) -> Option<(f64, f64)> {
        let state = scene.world(&sample.state);
        let on_ground = sample.place.filter(|_| sample.phase != Phase::Flight);
        let frame = on_ground.map(|place| scene.ground.frame(place));
        let along = frame.map(|frame| frame.tangent.dot(&sample.state.velocity));
        let s = on_ground.map(|place| scene.ground.shown_parameter(place));
        let State { time, position, velocity, angle, spin, .. } = state;
        let size = position.norm() + scene.ball.radius();
        let speed = velocity.norm() + (scene.ball.radius() * spin).abs();
        let pulls = scene.forces.gravity_vector().norm() + sample.acceleration.norm();
        let unit = Rounding::of_motion(size, time.abs(), speed, pulls);
        let ground = on_ground.zip(frame).map_or(0.0, |(place, frame)| {
            (scene.ground.rounding(place) + unit.length) / frame.speed.abs().max(f64::MIN_POSITIVE)
        });
        let radius = scene.ball.radius();
        let around = |value: f64, unit: f64| Interval::around(value, Rounding::SUM * unit);
        let turned = if radius > 0.0 { unit.velocity / radius } else { f64::EPSILON * spin.abs() };
        let blurred = SeenBall {
            time: around(time, unit.time),
            position: [position.x, position.y].map(|x| around(x, unit.length)),
            velocity: [velocity.x, velocity.y].map(|v| around(v, unit.velocity)),
            angle: around(angle, f64::EPSILON * (angle.abs() + (spin * time).abs())),
            spin: around(spin, turned),
            along: along.map(|v| around(v, unit.velocity)),
            s: s.map(|s| around(s, ground)),
            normal_force: around(
                sample.normal_force,
                unit.force * scene.ball.mass() + f64::EPSILON * sample.normal_force,
            ),
        };
        let exact = SeenBall {
            time,
            position: position.into(),
            velocity: velocity.into(),
            angle,
            spin,
            along,
            s,
            normal_force: sample.normal_force,
        };
        let blur = self.value(&blurred)?;
        let blur = if blur.is_bounded() { 0.5 * blur.width() } else { 0.0 };
        Some((self.value(&exact)?, blur))
    }

    /// Encloses it over a part of a stretch, and its rate.
    pub(super) fn over(&self, scene: &Scene, over: &Over) -> Option<Rate> {
        let Over { time, position, velocity, angle, spin, along, normal_force, place } = *over;
        let s = place.map(|(from, to)| {
            let [a, b] = [from, to].map(|place: Place| scene.ground.shown_parameter(place));
            Taylor([Interval::between(a, b), Interval::REAL])
        });
        self.value(&SeenBall { time, position, velocity, angle, spin, along, s, normal_force })
    }
}
