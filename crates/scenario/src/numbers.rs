//! Numbers of a scenario that are changed in place: nothing is read, parsed or built again.

use mechanics::{Ball, Compliance, Forces, Friction, ParameterError};
use nalgebra::Vector2;
use newmark::{Control, Tolerance};
use supervisor::{Made, Scene};

use crate::compliance::RIGID;
use crate::initial::{Initial, StartError};
use crate::scenario::Scenario;

/// Why a number can't be put.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NumberError {
    /// Outside its range.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The ball can't start so.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It says nothing of a ball that gives way.
    #[error(
        "`{key}` is a number of rigid contact, but the ball gives way: what it gives back follows from its law's damping"
    )]
    Rigid {
        /// Key of `[contact]`.
        key: &'static str,
    },
    /// A point can't be compressed.
    #[error("compliant contact needs a ball with a radius: a point can't be compressed")]
    Point,
}

impl Scenario {
    /// Puts a number by its key, such as `contact.restitution`; `false`: this one can't be changed in place (it changes the ground, a
    /// compliant law, or time stepping), and the scenario is as it was. After an error it is as it was, too.
    pub fn put(&mut self, key: &str, value: f64) -> Result<bool, NumberError> {
        if self.stepping.is_some() {
            return Ok(false);
        }
        let (table, key) = key.split_once('.').unwrap_or((key, ""));
        match table {
            "solver" => self.put_solver(key, value),
            "contact" => self.put_contact(key, value),
            "forces" => self.put_force(key, value),
            "ball" => self.put_ball(key, value),
            "initial" => self.put_initial(key, value),
            _ => Ok(false),
        }
    }

    /// Puts several, and judges the start but once. Where that is not all of them (`false`, or an error), some are put.
    pub fn put_all<'a>(&mut self, numbers: impl IntoIterator<Item = (&'a str, f64)>) -> Result<bool, NumberError> {
        let mut start = self.initial;
        for (key, value) in numbers {
            match (key.strip_prefix("initial."), start) {
                (Some(key), Some(before)) => match with(before, key, value) {
                    Some(after) => start = Some(after),
                    None => return Ok(false),
                },
                _ if self.put(key, value)? => {}
                _ => return Ok(false),
            }
        }
        match start.filter(|_| start != self.initial) {
            Some(start) => self.put_start(start).map(|()| true),
            None => Ok(true),
        }
    }

    /// Puts forces; the ground's motion stays.
    pub fn put_forces(&mut self, forces: Forces) -> Result<(), NumberError> {
        self.put_scene(|scene| scene.forces = forces)
    }

    /// Puts a law of compliant contact, in the place of rigid contact or another law.
    pub fn put_compliance(&mut self, law: Compliance) -> Result<(), NumberError> {
        if self.scene.ball.radius() == 0.0 {
            return Err(NumberError::Point);
        }
        self.put_scene(|scene| scene.compliance = Some(law))
    }

    /// Changes what does not move the start; but it may be forbidden then, where friction allows no slip or the ball gives way.
    fn put_scene(&mut self, change: impl FnOnce(&mut Scene)) -> Result<(), NumberError> {
        let before = self.scene.clone();
        change(&mut self.scene);
        self.scene.made = Made::default();
        let strict = |scene: &Scene| scene.compliance.is_some() || scene.laws().any(|law| law.never_slips());
        match self.initial.filter(|_| strict(&before) || strict(&self.scene)) {
            Some(initial) => self.put_start(initial).inspect_err(|_| self.scene = before),
            None => Ok(()),
        }
    }

    /// Puts a start.
    pub fn put_start(&mut self, initial: Initial) -> Result<(), NumberError> {
        (self.start, self.near) = initial.start(&self.scene, self.solver.capture_tolerance)?;
        self.initial = Some(initial);
        Ok(())
    }

    /// A tolerance, or a step, takes the place of the other, and a tolerance is that of captures, too.
    fn put_solver(&mut self, name: &str, value: f64) -> Result<bool, NumberError> {
        let solver = &mut self.solver;
        let checked = |name, allowed: bool, rule| {
            if allowed { Ok(value) } else { Err(ParameterError { name, value, rule }) }
        };
        let finite = value.is_finite();
        match name {
            "tolerance" => {
                let both = checked("tolerance", (1e-15..1.0).contains(&value), "at least 1e-15 and below 1")?;
                solver.control = Control::Tolerance(Tolerance { relative: both, absolute: both });
                solver.capture_tolerance = both;
            }
            "step" => {
                let step = checked("step", value > 0.0 && finite, "positive and finite (s)")?;
                let extrapolate = matches!(solver.control, Control::Step { extrapolate: true, .. });
                solver.control = Control::Step { step, extrapolate };
            }
            "capture-speed" => {
                solver.capture_speed = checked("capture-speed", value >= 0.0 && finite, "zero or positive (m/s)")?;
            }
            "capture-tolerance" => {
                solver.capture_tolerance = checked("capture-tolerance", value > 0.0 && finite, "positive")?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn put_contact(&mut self, key: &str, value: f64) -> Result<bool, NumberError> {
        if let Some(law) = self.scene.compliance.clone() {
            if let (Some(key), false) = (RIGID.into_iter().find(|rigid| *rigid == key), law.is_own()) {
                return Err(NumberError::Rigid { key });
            }
            let speed = law.slip_speed();
            return match key {
                "friction" => self.put_compliance(law.with_friction(value, speed)?).map(|()| true),
                _ => Ok(false),
            };
        }
        if !self.scene.own_laws.is_empty() {
            // What curves do not say for themselves changes, too.
            return Ok(false);
        }
        let law = &self.scene.law;
        let law = match key {
            "restitution" => law.with_restitution(value)?,
            "tangential-restitution" => law.with_tangential_restitution(value)?,
            "friction" if value == f64::INFINITY => law.with_friction(Friction::Infinite)?,
            "friction" => law.with_friction(Friction::Coefficient(value))?,
            "rolling-damping" => law.with_rolling_damping(value)?,
            // Whether ball and method carry it is known where there is some.
            "rolling-resistance" if law.rolling_resistance() > 0.0 => law.with_rolling_resistance(value)?,
            _ => return Ok(false),
        };
        self.put_scene(|scene| scene.law = law).map(|()| true)
    }

    fn put_force(&mut self, key: &str, value: f64) -> Result<bool, NumberError> {
        let forces = self.scene.forces.clone();
        let forces = match key.split_once('.').unwrap_or((key, "")) {
            ("drag", "coefficient") => forces.with_drag(value)?,
            ("linear-drag", "") => forces.with_linear_drag(value)?,
            ("magnus", "") => forces.with_magnus(value)?,
            ("wind", part) => match changed(forces.wind(), part, value) {
                Some(wind) => forces.with_wind(wind)?,
                None => return Ok(false),
            },
            ("gravity", part) => match changed(forces.gravity_vector(), part, value) {
                Some(gravity) => forces.with_gravity(gravity)?,
                None => return Ok(false),
            },
            _ => return Ok(false),
        };
        self.put_forces(forces).map(|()| true)
    }

    fn put_ball(&mut self, key: &str, value: f64) -> Result<bool, NumberError> {
        let ball = &self.scene.ball;
        let ball = match key {
            // Compliant laws may be made for a ball.
            _ if self.scene.compliance.is_some() => return Ok(false),
            "mass" => Ball::new(value, ball.radius(), ball.inertia_factor())?,
            "inertia" if value > 0.0 && ball.turns() => Ball::new(ball.mass(), ball.radius(), value)?,
            _ => return Ok(false),
        };
        let forces = self.scene.forces.clone().with_mass(&ball);
        self.put_scene(|scene| (scene.ball, scene.forces) = (ball, forces)).map(|()| true)
    }

    fn put_initial(&mut self, key: &str, value: f64) -> Result<bool, NumberError> {
        match self.initial.and_then(|initial| with(initial, key, value)) {
            Some(initial) => self.put_start(initial).map(|()| true),
            None => Ok(false),
        }
    }
}

/// A start with one of its numbers put.
fn with(mut initial: Initial, key: &str, value: f64) -> Option<Initial> {
    let number = match (&mut initial, key.split_once('.').unwrap_or((key, ""))) {
        (Initial::Thrown { time, .. } | Initial::OnGround { time, .. }, ("time", "")) => time,
        (Initial::Thrown { spin, .. }, ("spin", "")) => spin,
        (Initial::Thrown { position, .. }, ("position", part)) => entry(position, part)?,
        (Initial::Thrown { velocity, .. }, ("velocity", part)) => entry(velocity, part)?,
        (Initial::OnGround { speed, .. }, ("contact", "speed")) => speed,
        (Initial::OnGround { spin, .. }, ("contact", "spin")) => spin.get_or_insert_default(),
        _ => return None,
    };
    *number = value;
    Some(initial)
}

/// A pair with one of its numbers put, `x` or `y`.
fn changed(mut pair: Vector2<f64>, part: &str, value: f64) -> Option<Vector2<f64>> {
    *entry(&mut pair, part)? = value;
    Some(pair)
}

fn entry<'a>(pair: &'a mut Vector2<f64>, part: &str) -> Option<&'a mut f64> {
    match part {
        "x" | "0" => Some(&mut pair.x),
        "y" | "1" => Some(&mut pair.y),
        _ => None,
    }
}
