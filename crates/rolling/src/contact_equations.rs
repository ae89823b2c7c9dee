//! State of a ball on the ground, and the equations that hold for it (§2 of the book's design).

use curves::{Frame, OffsetGround, Place};
use mechanics::{Ball, ContactForces, ContactLaw, Forces, Mode, State};
use nalgebra::Vector2;
use numbers::Rounding;

/// Ground, ball, forces and laws of contact, and the mode of motion.
#[derive(Clone, Copy, Debug)]
pub struct ContactSystem<'a> {
    /// The ground as the ball's centre sees it.
    pub ground: &'a OffsetGround,
    /// The ball.
    pub ball: &'a Ball,
    /// Forces apart from the ground's.
    pub forces: &'a Forces,
    /// The laws of contact.
    pub contact: &'a ContactLaw,
    /// Mode of motion: sliding, rolling or resting.
    pub mode: Mode,
}

/// Ball on the ground at one time.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ContactState {
    /// Time, s.
    pub time: f64,
    /// Place of contact.
    pub place: Place,
    /// The frame there; its position is the ball's centre.
    pub frame: Frame,
    /// Velocity along the ground `v·τ`, m/s.
    pub speed: f64,
    /// Velocity off the ground `v·n`, m/s: 0 but for `index3` and a [`DaeScheme`](crate::DaeScheme) of the caller.
    pub normal_speed: f64,
    /// Spin, rad/s.
    pub spin: f64,
    /// Angle turned, rad.
    pub angle: f64,
    /// Energy lost so far, J.
    pub dissipated: f64,
    /// Work done so far, J.
    pub work: f64,
    /// Acceleration, m/s²: by §2, or one that a method [carries](crate::ContactMethod::carries) from step to step.
    pub acceleration: Vector2<f64>,
    /// Normal force λ by §2, N; [`ContactSystem::multiplier`] gives that of a method with an acceleration of its own.
    pub normal_force: f64,
    /// Friction f along τ by §2, N.
    pub friction_force: f64,
}

impl ContactState {
    /// Velocity of the centre, m/s.
    pub fn velocity(&self) -> Vector2<f64> {
        self.frame.tangent * self.speed + self.frame.normal * self.normal_speed
    }

    /// Rounding of this state, reached in `time` s: the duration of a step for numbers computed in it, the clock for
    /// numbers reported. The ground's own formula may add [`OffsetGround::rounding`] to it.
    #[inline]
    pub fn rounding(&self, system: &ContactSystem, time: f64) -> Rounding {
        let ContactState { frame, acceleration: a, .. } = self;
        let radius = system.ball.radius();
        // The acceleration may be a small sum of large gravity and contact forces.
        let pushes = (self.normal_force.abs() + self.friction_force.abs()) / system.ball.mass();
        let pulls = pushes + (system.forces.gravity_vector().abs() + a.abs()).sum();
        let speed = self.speed.abs() + self.normal_speed.abs() + (radius * self.spin).abs();
        Rounding::of_motion(crate::foot::size(radius, self.place, frame), time, speed, pulls)
    }

    /// State of the ball, without place and forces of the contact.
    pub fn state(&self) -> State {
        State {
            time: self.time,
            position: self.frame.position,
            velocity: self.velocity(),
            angle: self.angle,
            spin: self.spin,
            dissipated: self.dissipated,
            work: self.work,
        }
    }
}

impl ContactSystem<'_> {
    /// State of contact at `place` with the tangential part of the ball's velocity, forces and acceleration by §2.
    pub fn begin(&self, state: &State, place: Place) -> ContactState {
        let frame = self.ground.frame(place);
        let mut begun = ContactState {
            time: state.time,
            place,
            frame,
            speed: frame.along(state.velocity),
            normal_speed: 0.0,
            spin: state.spin,
            angle: state.angle,
            dissipated: state.dissipated,
            work: state.work,
            acceleration: Vector2::zeros(),
            normal_force: 0.0,
            friction_force: 0.0,
        };
        self.relabel(&mut begun);
        begun
    }

    /// Sets the forces of a state by §2; its acceleration is kept.
    pub(crate) fn relabel_forces(&self, state: &mut ContactState) -> ContactForces {
        let law = self.law(state);
        state.normal_force = law.normal_force;
        state.friction_force = law.friction_force;
        law
    }

    /// Sets forces and acceleration of a state by §2.
    pub fn relabel(&self, state: &mut ContactState) {
        let law = self.relabel_forces(state);
        state.acceleration = self.acceleration(&state.frame, state.speed, &law);
    }

    /// Contact forces by §2 at a state.
    #[inline]
    pub fn law(&self, state: &ContactState) -> ContactForces {
        let force = self.applied(state.time, &state.frame, state.velocity(), state.spin);
        ContactForces::at(self.ball, self.contact, &state.frame, force, state.speed, self.mode)
    }

    /// `[λ, f]` (N) that give a state its acceleration, by `m a = F − d v + λ n + f τ`: those of a method that carries
    /// an acceleration of its own.
    pub fn multiplier(&self, state: &ContactState) -> [f64; 2] {
        let ContactState { time, frame, spin, acceleration, .. } = state;
        let velocity = state.velocity();
        let force = self.applied(*time, frame, velocity, *spin) - self.contact.rolling_damping() * velocity;
        let ground = self.ball.mass() * acceleration - force;
        [frame.normal, frame.tangent].map(|axis| ground.dot(&axis))
    }

    /// Acceleration of the centre `v̇_t τ + κc v_t² n`, m/s².
    #[inline(always)]
    pub fn acceleration(&self, frame: &Frame, speed: f64, law: &ContactForces) -> Vector2<f64> {
        frame.tangent * law.acceleration + frame.normal * (frame.curvature * speed * speed)
    }

    /// Applied force, without contact and damping, N.
    #[inline(always)]
    pub(crate) fn applied(&self, time: f64, frame: &Frame, velocity: Vector2<f64>, spin: f64) -> Vector2<f64> {
        match self.forces.constant(spin) {
            Some(force) => force,
            None => self.forces.force(time, frame.position, velocity, spin),
        }
    }

    /// Spin at a speed (m/s) along the ground, rad/s: of a ball that rolls exactly `−v·τ/R`, so that each reported
    /// state can start a run that rolls; in other modes `own`. Rates of both are related likewise.
    #[inline(always)]
    pub(crate) fn spin(&self, speed: f64, own: f64) -> f64 {
        if self.mode.rolls() && self.ball.turns() { -speed / self.ball.radius() } else { own }
    }

    /// Mass that contact accelerates: rolling `(1+k) m`, else m.
    #[inline(always)]
    pub(crate) fn mass(&self) -> f64 {
        if self.mode.rolls() { self.ball.rolling_mass() } else { self.ball.mass() }
    }

    /// Friction `μ sign(u)` of sliding, else 0: the contact force has the direction `n − μ sign(u) τ`.
    #[inline(always)]
    pub(crate) fn drag(&self) -> f64 {
        match self.mode {
            Mode::Sliding { sign, .. } if sign != 0.0 => sign * self.contact.sliding_coefficient(),
            _ => 0.0,
        }
    }

    /// Torque `I ω̇` divided by `R λ` in sliding: `−μ sign(u) − c_rr sign(ω)`, or 0 where the spin is held; else 0.
    #[inline(always)]
    pub(crate) fn twist(&self) -> f64 {
        match self.mode {
            Mode::Sliding { spin, .. } if spin != 0.0 => -self.drag() - spin * self.contact.rolling_resistance(),
            mode if mode.spin_is_held(self.contact) => 0.0,
            _ => -self.drag(),
        }
    }

    /// Rolling resistance `c_rr sign(v·τ)` of rolling, else 0: its force along τ is `−λ` times this.
    #[inline(always)]
    pub(crate) fn resistance(&self) -> f64 {
        match self.mode {
            Mode::Rolling { sign } if sign != 0.0 => sign * self.contact.rolling_resistance(),
            _ => 0.0,
        }
    }

    /// Slip velocity `u`, m/s; 0 in rolling.
    pub fn slip(&self, state: &ContactState) -> f64 {
        if self.mode.rolls() { 0.0 } else { self.ball.slip_velocity(state.speed, state.spin) }
    }

    /// Whether the applied force is constant in motion from this spin (rad/s), whatever becomes of it if the ball
    /// turns.
    #[inline(always)]
    pub(crate) fn is_pulled_alike(&self, spin: f64) -> bool {
        self.forces.constant(if self.ball.turns() { 1.0 } else { spin }).is_some()
    }

    /// Whether the applied force, damping included, is constant in motion from this spin (rad/s).
    #[inline(always)]
    pub(crate) fn is_steady(&self, spin: f64) -> bool {
        self.is_pulled_alike(spin) && self.contact.rolling_damping() == 0.0
    }

    /// Acceleration of the spin, rad/s²; in rolling exactly that of the centre over −R.
    pub(crate) fn spin_acceleration(&self, law: &ContactForces) -> f64 {
        self.spin(law.acceleration, law.spin_acceleration)
    }
}
