//! Captures: decides when infinitely many bounces in finite time (Zeno) are summed up, and bounds the error of it.

use curves::{Frame, FrameOver, Place};
use mechanics::{ContactLaw, Grip, Jump, Power, Press, Rebound, State, is_low_hop, normal_force};
use nalgebra::Vector2;
use numbers::{Interval, Number, Rounding, elementary};
use rolling::{Foot, RollingError, foot};

use crate::event::TouchPoint;
use crate::{Options, Scene};

/// Reason why bounces were summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum CaptureReason {
    /// Slower than the capture speed, and the error bound is below the capture tolerance.
    Slow,
    /// The next hop is lower than its rounding.
    BelowRounding,
    /// Between two walls: remaining time times pull (m/s) is below the capture tolerance, or the hop below rounding.
    TwoWalls,
}

/// Summed-up bounces: all that remain after an impact.
///
/// With `w = v·n` after the impact and frozen `g̈ < 0` they end after `T = 2w/(|g̈|(1−e))`, with the normal impulse
/// `P_n = (1+e)/(1−e) m w` and friction up to μ P_n. Drag changes both, to first order ([`Rebound::duration`]).
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Capture {
    /// The ball just after the first impact.
    pub start: State,
    /// Place of that impact.
    pub place: Place,
    /// The frame at this place, frozen for all bounces.
    pub frame: Frame,
    /// Reason of the capture.
    pub reason: CaptureReason,
    /// `w = v·n` after the first impact, m/s.
    pub speed: f64,
    /// Pull towards the ground `|g̈|`, m/s².
    pub pull: f64,
    /// `v̇·τ` during the bounces, m/s².
    pub acceleration: f64,
    /// Duration T of the bounces, s.
    pub duration: f64,
    /// Error bound of the end time, s.
    pub time_bound: f64,
    /// Error bound of the velocity at the end, m/s, limited by the capture tolerance; `time_bound · pull` is no larger.
    pub velocity_bound: f64,
    /// Total normal impulse, N s.
    pub normal_impulse: f64,
    /// Total tangential impulse along τ, N s.
    pub tangential_impulse: f64,
    /// Energy lost to bounces, friction and drag, J.
    pub dissipated: f64,
    /// Work of the external force and wind, J.
    pub work: f64,
    /// Effective e of all hops.
    restitution: f64,
    /// Energy `½ m w²` of the first hop, J.
    hop_energy: f64,
    /// Power of drag, external force and wind, frozen, W.
    power: Power,
    /// Impulses, displacement, speed and spin over all bounces, with forces frozen.
    jump: Jump,
}

/// A hop below rounding (`tiny`) or below the capture speed (`slow`): the bounces after it may be summed up.
#[derive(Clone, Copy)]
pub(crate) struct LowHop {
    /// `v·n > 0` after the impact, m/s.
    speed: f64,
    tiny: bool,
    slow: bool,
}

impl LowHop {
    /// The hop after an impact, if it is low and the ball presses. `at` is the place, `rounding` its rounding (m),
    /// `state` the ball after the impact with `speed = v·n` (m/s), `push` the λ that contact would have there, N.
    #[inline]
    pub fn after(
        scene: &Scene,
        options: &Options,
        state: &State,
        at: &TouchPoint,
        rounding: f64,
        [speed, push]: [f64; 2],
    ) -> Option<LowHop> {
        if Press::of(push, 0.0) != Some(Press::Presses) {
            return None;
        }
        let pull = push / scene.ball.mass();
        let (q, n) = (state.position, at.frame.normal);
        let size = (q.x * n.x).abs() + (q.y * n.y).abs() + scene.ground.radius();
        let length = Rounding::of_motion(size, state.time, speed, 0.0).length + rounding;
        let (tiny, slow) = (is_low_hop(speed, pull, length), speed < options.capture_speed);
        (tiny || slow).then_some(LowHop { speed, tiny, slow })
    }
}

impl Capture {
    /// The capture as it is reported, seen from the frame at rest.
    pub(crate) fn reported(&self, scene: &Scene) -> Capture {
        let start = scene.reported(&self.start);
        Capture { start, frame: scene.reported_frame(&self.frame, start.time), ..*self }
    }

    /// Sums up the bounces after an impact, if error bounds allow it. `state` is the ball after it.
    #[cold]
    #[inline(never)]
    pub(crate) fn of_low_hop(
        scene: &Scene,
        options: &Options,
        state: &State,
        at: &TouchPoint,
        LowHop { speed, tiny, slow }: LowHop,
    ) -> Option<Capture> {
        let TouchPoint { place, frame } = *at;
        let law = scene.law_at(place);
        // Force on a ball that does not hop; what hops change of drag is in the damping.
        let along = state.velocity.dot(&frame.tangent);
        let force = scene.forces.force_at(&State { velocity: along * frame.tangent, ..*state });
        let [drive, across] = [frame.tangent, frame.normal].map(|axis| force.dot(&axis) / scene.ball.mass());
        let pull = normal_force(1.0, frame.curvature, along, across);
        if Press::of(pull, 0.0) != Some(Press::Presses) {
            return None;
        }
        let damping = scene.forces.damping(state.time, along * frame.tangent, frame.normal);
        let rebound = Rebound { rise: speed, along, spin: state.spin, pull, drive, damping };
        let duration = match law.restitution_law().may_settle(speed) {
            true => rebound.duration(law),
            false => f64::INFINITY,
        };
        let jump = |duration, reason| Capture::jump(scene, state, at, rebound, duration, reason);
        let slowly = (slow && duration.is_finite()).then(|| jump(duration, CaptureReason::Slow));
        if let Some(capture) = slowly.filter(|capture| capture.velocity_bound <= options.capture_tolerance) {
            return Some(capture);
        }
        // A hop below rounding ends the bounces in any case: after T, if frozen forces are off by at most T in the end
        // time and by w in velocity, which ending at once removes. Else, as T may be very long or infinite, they end at
        // once (T = 0). So do bounces slower than the tolerance.
        if tiny && duration.is_finite() {
            let whole = jump(duration, CaptureReason::BelowRounding);
            if whole.time_bound <= duration && whole.velocity_bound <= speed {
                return Some(whole);
            }
        }
        let reason = if tiny { CaptureReason::BelowRounding } else { CaptureReason::Slow };
        (tiny || speed <= options.capture_tolerance).then(|| jump(0.0, reason))
    }

    fn jump(
        scene: &Scene,
        state: &State,
        at: &TouchPoint,
        rebound: Rebound,
        duration: f64,
        reason: CaptureReason,
    ) -> Capture {
        let TouchPoint { place, frame } = *at;
        let (ball, law) = (&scene.ball, scene.law_at(place));
        let (mass, Rebound { rise: speed, along, pull, drive: acceleration, .. }) = (ball.mass(), rebound);
        let slip = ball.slip_velocity(along, state.spin);
        let grip = |asked| law.grip(asked).unwrap_or(Grip::Slides(0.0));
        let jump = rebound.jump(ball, law, duration, slip, grip);
        let hop_energy = 0.5 * mass * speed * speed;
        let friction = -0.5 * jump.tangential_impulse * (slip + jump.slip);
        let (force, power) =
            (scene.forces.force_at(state), scene.forces.power(state.time, state.position, state.velocity, state.spin));
        let mut capture = Capture {
            start: *state,
            place,
            frame,
            reason,
            speed,
            pull,
            acceleration,
            duration,
            time_bound: f64::INFINITY,
            velocity_bound: f64::INFINITY,
            normal_impulse: jump.normal_impulse,
            tangential_impulse: jump.tangential_impulse,
            dissipated: hop_energy + friction.max(0.0) + power.dissipated * duration,
            work: power.work * duration,
            restitution: law.settling(speed),
            hop_energy,
            power,
            jump,
        };
        // By tangential restitution the contact point springs back at up to |e_t u|, which summed friction leaves out.
        let rough = law.sticking_limit(jump.normal_impulse) > 0.0;
        let back = if rough { law.tangential_restitution().abs() * slip.abs() } else { 0.0 };
        let taken = if duration == 0.0 { speed } else { 0.0 };
        let [late, off] = capture.error_bounds(scene, &rebound, force);
        (capture.time_bound, capture.velocity_bound) = (late, off.max(back).max(taken));
        capture
    }

    /// Remaining duration of bounces between two walls, s. Each takes about e times as long as the one before; |e_t|
    /// times, where the ball rocks between the walls by its spin. Pairs are a geometric series in e². The last pair
    /// took `since` s; the next bounce takes at most `back` s, at no more than `speed` (m/s).
    pub(crate) fn rest_between_walls(
        scene: &Scene,
        laws: [&ContactLaw; 2],
        speed: f64,
        [since, back]: [f64; 2],
    ) -> f64 {
        let of = |law: &ContactLaw| {
            let spins = if scene.ball.turns() { law.tangential_restitution().abs() } else { 0.0 };
            law.restitution_law().largest(speed).max(spins)
        };
        let restitution = of(laws[0]).max(of(laws[1]));
        let square = restitution * restitution;
        if square == 0.0 { 0.0 } else { since.min(2.0 * back / restitution) * square / (1.0 - square) }
    }

    /// Sums up bounces between two walls that begin with `first` and take `duration` s. `rest` (s) bounds the error of
    /// the duration, and times the `pull` (m/s²) towards the walls that of the velocity; `lost` is the energy lost, J.
    pub(crate) fn between_walls(
        start: &State,
        first: TouchPoint,
        scene: &Scene,
        [duration, rest, pull]: [f64; 3],
        lost: f64,
    ) -> Capture {
        let speed = start.velocity.norm();
        let restitution = scene.law_at(first.place).restitution(speed);
        let [acceleration, normal_impulse, tangential_impulse, work] = [0.0; 4];
        let (travel, turned, spin) = (0.0, start.spin * duration, start.spin);
        let twist = scene.forces.spin_rate(start.time, start.position.into(), start.velocity.into(), spin).abs();
        let (grip, slip) = (Grip::Slides(0.0), 0.0);
        let jump = Jump { normal_impulse, tangential_impulse, grip, slip, travel, speed, spin, turned };
        Capture {
            start: *start,
            place: first.place,
            frame: first.frame,
            reason: CaptureReason::TwoWalls,
            speed,
            pull: 0.0,
            acceleration,
            duration,
            time_bound: rest,
            velocity_bound: rest * pull + twist * duration * scene.ball.radius(),
            normal_impulse,
            tangential_impulse,
            dissipated: lost,
            work,
            restitution,
            hop_energy: 0.0,
            power: Power::default(),
            jump,
        }
    }

    /// Error bounds of the frozen sum: of the end time (s) and of the velocity (m/s). Let ε be the largest relative
    /// change of `g̈` during the bounces, for a ball that does not hop. Each hop changes the next w by less than twice
    /// the change of g̈ in it. So w is off by less than 2ε in all, the end time by less than 4εT, and so is the normal
    /// impulse. The effect of the hops on drag is summed to first order: with damping r that changes by δ, the rest is
    /// less than `(rT)² T/30 + δT²/3`.
    ///
    /// Along the ground `d(v·τ)/dt = F·τ/m + κ ṡ ḣ` between impacts, with the height h of the hops, 0 at each impact.
    /// Freezing the first term is off by less than its largest change times T; leaving out the second by less than the
    /// range of κṡ times the heights of all hops, `w²/(2|g̈|(1−e²))`, doubled for errors of w and g̈. A torque is left
    /// out, by less than its largest R ω̇ times T.
    fn error_bounds(&self, scene: &Scene, rebound: &Rebound, force: Vector2<f64>) -> [f64; 2] {
        let (mass, along, duration) = (scene.ball.mass(), rebound.along, self.duration);
        let travel = duration * (along.abs() + self.acceleration.abs() * duration)
            + self.tangential_impulse.abs() / mass * duration;
        let s = self.place.parameter();
        let span = Interval::around(s, 2.0 * travel / self.frame.speed);
        let range = scene.ground.range(self.place);
        if !(range.lo <= span.lo && span.hi <= range.hi) {
            return [f64::INFINITY; 2];
        }
        // Another wall on the way ends the bounces.
        let room = 2.0 * travel + self.speed * duration;
        if !scene.ground.touches_once() && scene.ground.second_contact(self.place, room, -self.start.velocity).is_some()
        {
            return [f64::INFINITY; 2];
        }
        let over = scene.ground.enclosure(self.place, span);
        let faster = self.acceleration.abs() * duration + self.tangential_impulse.abs() / mass;
        let fastest = along.abs() + faster;
        let speeds = Interval::new((along.abs() - faster).max(0.0), fastest);
        let position = self.start.position.map(|c| Interval::around(c, travel + self.speed * duration));
        let time = Interval::new(self.start.time, self.start.time + duration);
        let (sliding, hop) = (Interval::around(along, faster), Interval::around(0.0, self.speed));
        let law = scene.law_at(self.place).restitution_law();
        let largest = law.largest(self.speed);
        // Damping covers what hops change of other forces. What they change of an external force adds up over them to
        // ε/(3(1 − e)), which replaces 4ε where it is more.
        let (hop, weight) = match scene.forces.has_external() {
            true => (hop, 4.0_f64.max(1.0 / (3.0 * (1.0 - largest)))),
            false => (Interval::point(0.0), 4.0),
        };
        let weight = weight * law.amplifies(self.speed);
        let dot = |axis: [Interval; 2], [fx, fy]: [Interval; 2]| fx * axis[0] + fy * axis[1];
        let velocity_over = |hop| [0, 1].map(|i| over.tangent[i] * sliding + over.normal[i] * hop);
        let spin = Interval::between(self.start.spin, self.jump.spin);
        let force_over = |hop| match scene.forces.constant(spin.magnitude()) {
            Some(force) => [Interval::point(force.x), Interval::point(force.y)],
            None => scene.forces.at(time, position.into(), velocity_over(hop), spin),
        };
        let turned = self.turned(scene, time, position.into(), velocity_over(Interval::around(0.0, self.speed)));
        let across = dot(over.normal, force_over(hop));
        let pull = normal_force(mass, over.curvature, speeds, across).scale(1.0 / mass);
        let part = (pull - Interval::point(self.pull)).magnitude() / self.pull;
        let slowed = rebound.damping * duration;
        let off = self.damping_range(scene, time, [sliding, Interval::around(0.0, self.speed)], &over)
            - Interval::point(rebound.damping);
        let by_drag = off.magnitude() * duration / 3.0 + slowed * slowed / 30.0;
        let known = if slowed <= 1.0 { 1.0 } else { f64::INFINITY };
        let late = known * duration * (weight * part * (1.0 + slowed) + by_drag);
        let limit = scene.law_at(self.place).sticking_limit(self.normal_impulse.max(0.0));
        let push = late / duration.max(f64::MIN_POSITIVE) * limit.min(self.normal_impulse.abs() * 1e6) / mass;
        let drive = (force.norm() / mass + fastest * fastest * over.curvature.magnitude()) * late;
        let hopping = dot(over.tangent, force_over(Interval::around(0.0, self.speed))).scale(1.0 / mass);
        let changed = hopping - Interval::point(self.acceleration);
        let hops = self.speed * self.speed / (self.pull * (1.0 - largest * largest));
        let bent = (over.curvature * sliding).width() * hops;
        let along = if duration == 0.0 { 0.0 } else { changed.magnitude() * duration + bent + turned };
        // NaN counts as no bound.
        [late, push + drive + along].map(|bound| if bound.is_nan() { f64::INFINITY } else { bound })
    }

    /// Bounds the effect of the neglected torque on the speed of the rim, m/s.
    fn turned(&self, scene: &Scene, time: Interval, position: [Interval; 2], velocity: [Interval; 2]) -> f64 {
        if !scene.forces.has_torque() {
            return 0.0;
        }
        let spin = Interval::between(self.start.spin, self.jump.spin);
        let rate = scene.forces.spin_rate(time, position, velocity, spin).magnitude();
        let drift = Interval::around(0.0, rate * self.duration);
        // Twice the rate is a bound if it holds over the drift that it gives; else there is none.
        let there = scene.forces.spin_rate(time, position, velocity, spin + drift + drift).magnitude();
        if there <= 2.0 * rate { 2.0 * rate * self.duration * scene.ball.radius() } else { f64::INFINITY }
    }

    /// Encloses [`mechanics::Forces::damping`] across the ground at these times, for velocities `[v·τ, v·n]`.
    fn damping_range(
        &self,
        scene: &Scene,
        time: Interval,
        [along, hop]: [Interval; 2],
        over: &FrameOver<Interval>,
    ) -> Interval {
        let forces = &scene.forces;
        if forces.drag() == 0.0 {
            return Interval::point(forces.linear_drag() / forces.mass());
        }
        let wind = forces.wind_seen(time);
        let blow = |axes: [Interval; 2]| axes[0] * wind[0] + axes[1] * wind[1];
        let [along, across] = [along - blow(over.tangent), hop - blow(over.normal)];
        let speed = (along.square() + across.square()).sqrt();
        // (w·n)²/‖w‖ is no larger than ‖w‖.
        let bent = (across.magnitude() * across.magnitude() / speed.lo).min(speed.hi);
        let most = speed.hi + if bent.is_nan() { speed.hi } else { bent };
        let linear = Interval::point(forces.linear_drag());
        (Interval::new(speed.lo, most).scale(forces.drag()) + linear).scale(1.0 / forces.mass())
    }

    /// Effective e of all hops: T is the sum of a geometric series with it.
    pub fn restitution(&self) -> f64 {
        self.restitution
    }

    /// Whether friction stops the slip during the bounces.
    pub fn sticks(&self) -> bool {
        self.jump.grip == Grip::Sticks
    }

    /// The ball `t` seconds into the bounces, on their frozen parabolas; friction is applied at the end.
    pub(crate) fn at(&self, t: f64) -> State {
        let along = self.start.velocity.dot(&self.frame.tangent);
        let (height, rise, left) = self.hop(t);
        State {
            time: self.start.time + t,
            position: self.start.position
                + self.frame.tangent * (t * (along + 0.5 * self.acceleration * t))
                + self.frame.normal * height,
            velocity: self.frame.tangent * (along + self.acceleration * t) + self.frame.normal * rise,
            angle: self.start.angle + self.start.spin * t,
            dissipated: self.start.dissipated + self.hop_energy * (1.0 - left * left) + self.power.dissipated * t,
            work: self.start.work + self.power.work * t,
            ..self.start
        }
    }

    /// Height and its rate at `t`, and the remaining part of the first hop's speed: hop k lasts from `T(1−eᵏ)` to
    /// `T(1−eᵏ⁺¹)` and starts with `w eᵏ`.
    fn hop(&self, t: f64) -> (f64, f64, f64) {
        let e = self.restitution;
        let left = 1.0 - t / self.duration;
        if !(left > 0.0) || e == 0.0 {
            return (0.0, 0.0, 0.0);
        }
        let hop = (elementary::ln(left) / elementary::ln(e)).floor().max(0.0);
        let scale = elementary::powf(e, hop);
        let since = t - self.duration * (1.0 - scale);
        let speed = self.speed * scale;
        ((since * (speed - 0.5 * self.pull * since)).max(0.0), speed - self.pull * since, scale)
    }

    /// End of the bounces: the ball on the ground below the end of its frozen path.
    pub(crate) fn end(&self, scene: &Scene) -> Result<Landing, RollingError> {
        let Jump { tangential_impulse, slip, travel, speed, spin, turned, .. } = self.jump;
        let time = self.start.time + self.duration;
        let end = self.start.position + self.frame.tangent * travel;
        let Foot { place, frame, .. } =
            foot(&scene.ground, self.place, self.frame, end).ok_or(RollingError::NotFinite { time })?;
        let after = State {
            time,
            position: frame.position,
            velocity: frame.tangent * speed,
            angle: self.start.angle + turned,
            spin,
            dissipated: self.start.dissipated + self.dissipated,
            work: self.start.work + self.work,
        };
        let before = State {
            velocity: frame.normal * self.speed + frame.tangent * (speed - tangential_impulse / scene.ball.mass()),
            spin: self.start.spin,
            dissipated: self.start.dissipated,
            work: self.start.work,
            ..after
        };
        Ok(Landing { before, after, place, frame, slip })
    }
}

/// End of summed-up bounces: the ball before and after it lands.
pub(crate) struct Landing {
    pub before: State,
    pub after: State,
    pub place: Place,
    pub frame: Frame,
    /// `u`, m/s: exactly 0 if the contact sticks.
    pub slip: f64,
}
