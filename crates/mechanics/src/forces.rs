//! Forces on the ball besides the ground's: gravity, drag, wind, Magnus force, an external force and torque.

use curves::turn_left;
use nalgebra::{Matrix2, Vector2};
use numbers::{Expression, Number, Taylor};

use crate::{Ball, Body, Carriage, OwnForce, ParameterError, Range, State};

/// Gravity, quadratic and linear drag, wind, Magnus force, and a force and a torque of the caller.
#[derive(Clone, Debug, PartialEq)]
pub struct Forces {
    mass: f64,
    gravity: Vector2<f64>,
    drag: f64,
    linear_drag: f64,
    magnus: f64,
    wind: Vector2<f64>,
    external: Option<External>,
    /// Torque about the centre in flight, N m, and 1/I (1/(kg m²)) of the ball that it turns.
    torque: Option<(Expression, f64)>,
    /// Motion of the ground, if it moves: places and velocities are then seen from the ground.
    carriage: Option<Carriage>,
    /// Whether there is neither drag nor an external force or torque, and the ground stands still.
    free: bool,
}

/// Force besides gravity and the air's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum External {
    Formulas([Expression; 2]),
    Own(OwnForce),
}

/// Derivatives of the force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jacobian {
    /// Derivative `∂F/∂q`, N/m.
    pub position: Matrix2<f64>,
    /// Derivative `∂F/∂v`, N s/m.
    pub velocity: Matrix2<f64>,
    /// Derivative `∂F/∂ω`, N s.
    pub spin: Vector2<f64>,
}

impl Forces {
    /// Names that the formulas of an external force may use, in the order [`Expression::eval`] gets them.
    pub const VARIABLES: [&'static str; 8] = ["t", "x", "y", "vx", "vy", "m", "g", "spin"];

    /// Range of quadratic drag.
    pub const DRAG: Range = Range::not_negative("drag", "zero or positive, and finite (kg/m)");
    /// Range of linear drag.
    pub const LINEAR_DRAG: Range = Range::not_negative("linear-drag", "zero or positive, and finite (N s/m)");
    /// Range of the Magnus force.
    pub const MAGNUS: Range = Range::new("magnus", f64::MIN, f64::MAX, "finite (kg)");

    /// Creates the forces on a ball under gravity (m/s²) alone.
    pub fn gravity(ball: &Ball, gravity: Vector2<f64>) -> Result<Self, ParameterError> {
        Forces::standard(ball).with_gravity(gravity)
    }

    /// Creates the forces on a ball under gravity alone, 9.81 m/s² downwards.
    pub fn standard(ball: &Ball) -> Self {
        Forces {
            mass: ball.mass(),
            gravity: Vector2::new(0.0, -9.81),
            drag: 0.0,
            linear_drag: 0.0,
            magnus: 0.0,
            wind: Vector2::zeros(),
            external: None,
            torque: None,
            carriage: None,
            free: true,
        }
    }

    /// Replaces gravity, m/s².
    pub fn with_gravity(mut self, gravity: Vector2<f64>) -> Result<Self, ParameterError> {
        ParameterError::check("gravity", gravity.norm(), gravity.norm().is_finite(), "finite (m/s²)")?;
        self.gravity = gravity;
        Ok(self)
    }

    /// Adds quadratic drag `−k_D‖w‖w`, `k_D` in kg/m (≥ 0).
    pub fn with_drag(mut self, coefficient: f64) -> Result<Self, ParameterError> {
        self.drag = Forces::DRAG.check(coefficient)?;
        Ok(self.sorted())
    }

    /// Adds linear drag `−k_L w`, `k_L` in N s/m (≥ 0).
    pub fn with_linear_drag(mut self, coefficient: f64) -> Result<Self, ParameterError> {
        self.linear_drag = Forces::LINEAR_DRAG.check(coefficient)?;
        Ok(self.sorted())
    }

    /// Sets `free` anew after another field has changed.
    fn sorted(mut self) -> Self {
        let drags = self.drag != 0.0 || self.linear_drag != 0.0;
        self.free = !drags && !self.has_external() && self.carriage.is_none();
        self
    }

    /// Removes drag, quadratic and linear.
    pub fn without_drag(mut self) -> Self {
        (self.drag, self.linear_drag) = (0.0, 0.0);
        self.sorted()
    }

    /// Adds wind in m/s; drag and Magnus force then act by `w = v − wind`.
    pub fn with_wind(mut self, wind: Vector2<f64>) -> Result<Self, ParameterError> {
        ParameterError::check("wind", wind.norm(), wind.norm().is_finite(), "finite (m/s)")?;
        self.wind = wind;
        Ok(self)
    }

    /// Adds the Magnus force `m_c ω J w`, `m_c` in kg.
    pub fn with_magnus(mut self, mass: f64) -> Result<Self, ParameterError> {
        self.magnus = Forces::MAGNUS.check(mass)?;
        Ok(self)
    }

    /// Adds a force `[x, y]` in N, each a formula of [`Forces::VARIABLES`].
    pub fn with_external(mut self, force: [Expression; 2]) -> Self {
        let nothing = force.iter().all(|f| f.as_constant() == Some(0.0));
        self.external = (!nothing).then_some(External::Formulas(force));
        self.sorted()
    }

    /// Adds a torque T about the centre of a ball, N m, counter-clockwise, as a formula of [`Forces::VARIABLES`]: in
    /// flight `I ω̇ = T`. Motion on the ground leaves it out.
    pub fn with_torque(mut self, torque: Expression, ball: &Ball) -> Result<Self, ParameterError> {
        let (name, rule) = ("torque", "left out: this ball does not turn");
        ParameterError::check(name, ball.inertia(), ball.turns(), rule)?;
        self.torque = (torque.as_constant() != Some(0.0)).then(|| (torque, 1.0 / ball.inertia()));
        Ok(self.sorted())
    }

    /// Adds a force written in Rust, which replaces one given by formulas.
    pub fn with_own(mut self, force: OwnForce) -> Self {
        self.external = Some(External::Own(force));
        self.sorted()
    }

    /// Removes force and torque given by formulas, and a force written in Rust.
    pub fn without_external(self) -> Self {
        Forces { external: None, torque: None, ..self }.sorted()
    }

    /// The force written in Rust.
    pub fn own(&self) -> Option<&OwnForce> {
        match &self.external {
            Some(External::Own(force)) => Some(force),
            _ => None,
        }
    }

    /// Whether there is a torque, or a force besides gravity and the air's.
    pub fn has_external(&self) -> bool {
        self.external.is_some() || self.torque.is_some()
    }

    /// Whether a torque turns the ball in flight.
    pub fn has_torque(&self) -> bool {
        self.torque.is_some()
    }

    /// Angular acceleration `ω̇ = T/I` in flight, rad/s², 0 without a torque. Arguments are as seen from the ground.
    pub fn spin_rate<N: Number>(&self, time: N, mut position: [N; 2], mut velocity: [N; 2], spin: N) -> N {
        let Some((torque, per_inertia)) = &self.torque else { return N::constant(0.0) };
        if let Some(carriage) = &self.carriage {
            let origin = carriage.at(time);
            position = [0, 1].map(|i| position[i] + origin.position[i]);
            velocity = [0, 1].map(|i| velocity[i] + origin.velocity[i]);
        }
        torque.eval(&self.arguments(time, position, velocity, spin)).scale(*per_inertia)
    }

    /// Power `T ω` of the torque, W, at this spin (rad/s) and its rate (rad/s²).
    pub fn turning_power(&self, spin: f64, spin_rate: f64) -> f64 {
        self.torque.as_ref().map_or(0.0, |(_, per_inertia)| spin * spin_rate / per_inertia)
    }

    /// Returns the forces on another ball, on whose mass and inertia they depend.
    pub fn with_mass(mut self, ball: &Ball) -> Self {
        self.mass = ball.mass();
        self.torque = self.torque.map(|(torque, _)| (torque, 1.0 / ball.inertia()));
        self
    }

    /// Whether the external force depends on one of these [`Forces::VARIABLES`]; one written in Rust counts as
    /// depending on all.
    fn depends_on(&self, mut variables: impl Iterator<Item = usize>) -> bool {
        match &self.external {
            None => false,
            Some(External::Own(_)) => true,
            Some(External::Formulas(force)) => variables.any(|variable| force.iter().any(|f| f.depends_on(variable))),
        }
    }

    /// Sets the ground's motion. Places and velocities are then seen from the ground; formulas of the external force
    /// and the wind stay in the frame at rest.
    pub fn with_carriage(self, carriage: Carriage) -> Self {
        self.carried_by(Some(carriage))
    }

    /// Replaces the ground's motion; `None`: it stands still.
    pub fn carried_by(self, carriage: Option<Carriage>) -> Self {
        Forces { carriage, ..self }.sorted()
    }

    /// The ground's motion, if it has one.
    pub fn carriage(&self) -> Option<&Carriage> {
        self.carriage.as_ref()
    }

    /// The ball's mass, kg.
    #[inline(always)]
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Coefficient `k_D` of quadratic drag, kg/m.
    pub fn drag(&self) -> f64 {
        self.drag
    }

    /// Coefficient `k_L` of linear drag, N s/m.
    pub fn linear_drag(&self) -> f64 {
        self.linear_drag
    }

    /// Velocity of the wind, m/s.
    pub fn wind(&self) -> Vector2<f64> {
        self.wind
    }

    /// Coefficient `m_c` of the Magnus force, kg.
    pub fn magnus(&self) -> f64 {
        self.magnus
    }

    /// Gravity, m/s².
    pub fn gravity_vector(&self) -> Vector2<f64> {
        self.gravity
    }

    /// Wind as seen from the ground at a time (s), m/s.
    pub fn wind_seen<N: Number>(&self, time: N) -> [N; 2] {
        let wind = [self.wind.x, self.wind.y].map(N::constant);
        let Some(carriage) = &self.carriage else { return wind };
        let origin = carriage.at(time);
        [0, 1].map(|i| wind[i] - origin.velocity[i])
    }

    /// Rate r (1/s) at which drag damps a small change w of a `velocity` (m/s) along a unit `direction`, `ẇ = −r w`.
    /// The velocity is as seen from the ground.
    pub fn damping(&self, time: f64, velocity: Vector2<f64>, direction: Vector2<f64>) -> f64 {
        let through = velocity - Vector2::from(self.wind_seen(time));
        let (speed, across) = (through.norm(), through.dot(&direction));
        let bent = if speed > 0.0 { across * across / speed } else { 0.0 };
        (self.drag * (speed + bent) + self.linear_drag) / self.mass
    }

    /// Force, N, if it is the same at all times, places and velocities for this spin.
    #[inline(always)]
    pub fn constant(&self, spin: f64) -> Option<Vector2<f64>> {
        (self.free && (self.magnus == 0.0 || spin == 0.0)).then(|| self.mass * self.gravity)
    }

    /// Acceleration, m/s², if it is the same at all times, places and velocities for this spin.
    #[inline(always)]
    pub fn constant_acceleration(&self, spin: f64) -> Option<Vector2<f64>> {
        self.constant(spin).map(|_| self.gravity)
    }

    /// Whether the force may change with time alone, on a ball at rest.
    pub fn varies_in_time(&self) -> bool {
        self.carriage.is_some() || self.depends_on(0..1)
    }

    /// Whether the force changes with the place or the motion of the ball.
    pub fn varies_in_motion(&self) -> bool {
        self.drag > 0.0 || self.linear_drag > 0.0 || self.magnus != 0.0 || self.depends_on((1..5).chain(7..8))
    }

    /// Whether gravity and external force are known to have no part along x; a force written in Rust may have one.
    pub fn is_vertical(&self) -> bool {
        self.gravity.x == 0.0
            && match &self.external {
                None => true,
                Some(External::Formulas([x, _])) => x.as_constant() == Some(0.0),
                Some(External::Own(_)) => false,
            }
    }

    /// Force `[x, y]` in N, over any number.
    #[inline]
    pub fn at<N: Number>(&self, time: N, position: [N; 2], velocity: [N; 2], spin: N) -> [N; 2] {
        self.at_speed(time, position, velocity, spin, None)
    }

    /// Whether the air rests relative to the ground, so that drag goes by the speed over ground.
    pub fn is_calm(&self) -> bool {
        self.wind == Vector2::zeros() && self.carriage.is_none()
    }

    /// Force `[x, y]` in N, over any number. `air_speed` is the speed through the air (m/s) where the caller knows it;
    /// else it is the root of `w·w`.
    #[inline]
    pub fn at_speed<N: Number>(
        &self,
        time: N,
        mut position: [N; 2],
        mut velocity: [N; 2],
        spin: N,
        air_speed: Option<N>,
    ) -> [N; 2] {
        let constant = |x: f64| N::constant(x);
        let mut force = [constant(self.mass * self.gravity.x), constant(self.mass * self.gravity.y)];
        if let Some(carriage) = &self.carriage {
            let origin = carriage.at(time);
            for axis in 0..2 {
                position[axis] = position[axis] + origin.position[axis];
                velocity[axis] = velocity[axis] + origin.velocity[axis];
                force[axis] = force[axis] - origin.acceleration[axis].scale(self.mass);
            }
        }
        if self.drag != 0.0 || self.magnus != 0.0 || self.linear_drag != 0.0 {
            let w = [velocity[0] - constant(self.wind.x), velocity[1] - constant(self.wind.y)];
            let speed = air_speed.unwrap_or_else(|| (w[0].square() + w[1].square()).sqrt());
            let drag = speed.scale(-self.drag);
            let lift = spin.scale(self.magnus);
            force[0] = force[0] + drag * w[0] - lift * w[1];
            force[1] = force[1] + drag * w[1] + lift * w[0];
            if self.linear_drag != 0.0 {
                force = [0, 1].map(|i| force[i] - w[i].scale(self.linear_drag));
            }
        }
        if let Some(external) = &self.external {
            let [fx, fy] = self.external_force(external, time, position, velocity, spin);
            force[0] = force[0] + fx;
            force[1] = force[1] + fy;
        }
        force
    }

    /// Force besides gravity and the air's, if there is one.
    pub(crate) fn external(&self) -> Option<&External> {
        self.external.as_ref()
    }

    /// Value of the external force `[x, y]`, N, at a place and velocity as seen from the frame at rest.
    pub(crate) fn external_force<N: Number>(
        &self,
        external: &External,
        time: N,
        q: [N; 2],
        v: [N; 2],
        spin: N,
    ) -> [N; 2] {
        match external {
            External::Formulas(f) => {
                let variables = self.arguments(time, q, v, spin);
                [f[0].eval(&variables), f[1].eval(&variables)]
            }
            External::Own(force) => force.at(time, &Body { position: q, velocity: v, spin, mass: self.mass }),
        }
    }

    /// Values of [`Forces::VARIABLES`].
    #[inline(always)]
    fn arguments<N: Number>(&self, time: N, q: [N; 2], v: [N; 2], spin: N) -> [N; 8] {
        let [mass, gravity] = [self.mass, self.gravity.norm()].map(N::constant);
        [time, q[0], q[1], v[0], v[1], mass, gravity, spin]
    }

    /// Force at a time, place and velocity, N.
    #[inline]
    pub fn force(&self, time: f64, position: Vector2<f64>, velocity: Vector2<f64>, spin: f64) -> Vector2<f64> {
        Vector2::from(self.at(time, position.into(), velocity.into(), spin))
    }

    /// Force on a ball in this state, N.
    #[inline]
    pub fn force_at(&self, state: &State) -> Vector2<f64> {
        match self.constant(state.spin) {
            Some(force) => force,
            None => self.force(state.time, state.position, state.velocity, state.spin),
        }
    }

    /// Derivatives of the force by place, velocity and spin.
    pub fn jacobian(&self, time: f64, q: Vector2<f64>, v: Vector2<f64>, spin: f64) -> Jacobian {
        let (p, p_dot, _) = self.origin(time);
        let (q, v) = (q + p, v + p_dot);
        let w = v - self.wind;
        let speed = w.norm();
        let mut velocity = Matrix2::new(0.0, -1.0, 1.0, 0.0) * (self.magnus * spin);
        if speed > 0.0 {
            velocity -= (Matrix2::identity() * speed + w * w.transpose() / speed) * self.drag;
        }
        velocity -= Matrix2::identity() * self.linear_drag;
        let mut position = Matrix2::zeros();
        let mut turning = turn_left(w) * self.magnus;
        if let Some(external) = &self.external {
            // Derivative of the external force by one of x, y, vx, vy, spin.
            let seeded = |i: usize| {
                let number = |x: f64, here: bool| {
                    if here { Taylor::<f64, 2>::variable(x) } else { Taylor::constant(x) }
                };
                let q = [number(q.x, i == 0), number(q.y, i == 1)];
                let v = [number(v.x, i == 2), number(v.y, i == 3)];
                let [fx, fy] = self.external_force(external, number(time, false), q, v, number(spin, i == 4));
                Vector2::new(fx.0[1], fy.0[1])
            };
            position += Matrix2::from_columns(&[seeded(0), seeded(1)]);
            velocity += Matrix2::from_columns(&[seeded(2), seeded(3)]);
            turning += seeded(4);
        }
        Jacobian { position, velocity, spin: turning }
    }

    /// Place `p`, velocity `ṗ` and acceleration `p̈` of the ground's origin; 0 if the ground stands still.
    pub(crate) fn origin(&self, time: f64) -> (Vector2<f64>, Vector2<f64>, Vector2<f64>) {
        let Some(carriage) = &self.carriage else { return Default::default() };
        let origin = carriage.at(time);
        (origin.position.into(), origin.velocity.into(), origin.acceleration.into())
    }
}
