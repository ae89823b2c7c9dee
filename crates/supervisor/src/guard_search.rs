//! Search for the first guard that ends a mode of contact (lift-off, slip, stick) on the dense output of a step:
//! located to rounding, or proven absent by bounds.

use curves::FrameOver;
use mechanics::{ContactForces, Guard, Mode};
use numbers::{Interval, Number, Rounding, Valued, elementary, first_event, first_of};
use rolling::{ContactState, ContactStep, ContactSystem, Dense};

/// Search for the first event on a step of contact.
pub(crate) struct GuardSearch<'a, 'b> {
    pub system: &'a ContactSystem<'b>,
    pub dense: &'a Dense,
}

/// Smallest part of a step, which counts by its ends.
const RESOLUTION: f64 = 1.0 / 4096.0;
/// Largest number of parts looked at: all of them.
const PARTS: u32 = 8192;

impl GuardSearch<'_, '_> {
    /// The first event on the step, and its time after the start.
    pub fn first(&self, duration: f64) -> Option<(f64, Guard)> {
        let guards = Guard::of(self.system.contact, self.system.mode).into_iter().flatten();
        first_of(guards, duration, |guard, until| self.crossing(guard, until))
    }

    /// The first time (s after the start) until `until` at which a guard is no longer positive.
    fn crossing(&self, guard: Guard, until: f64) -> Option<f64> {
        let ContactStep { start, end, .. } = self.dense.step();
        let series = self.dense.step().series();
        let guarded = series.map(|series| series.guarded(self.system, guard));
        if guarded.is_some_and(|guarded| guarded.keeps(until)) {
            return None;
        }
        let noise = self.noise(guard);
        // Ends of the step are known to rounding. In between, velocities of the dense output are differences of places
        // over the step, which are coarse where it is short: a dip below zero within that is none.
        let dense = |t: f64| match &guarded {
            Some(guarded) => guarded.at(t),
            None => value(self.system, guard, &self.dense.at(self.system, t)),
        };
        let last = if until < self.dense.step().duration() { dense(until) } else { value(self.system, guard, end) };
        let blur = if guard.is_velocity() && last > noise && series.is_none() { self.blur() } else { 0.0 };
        let f = |t: f64| dense(t) + blur;
        let (mut from, starts) = (0.0, value(self.system, guard, start));
        if guard == Guard::Friction && starts < -noise {
            // Beyond a joint more friction may be needed at once than there is.
            let mut by_law = *start;
            self.system.relabel(&mut by_law);
            if value(self.system, guard, &by_law) < -noise {
                return Some(0.0);
            }
        }
        if starts <= noise {
            // A guard at zero at the start, such as a slip that has just begun: its sign is taken from the end of the
            // step, since rates of the dense output are of lower order.
            let end = value(self.system, guard, end);
            if end.abs() <= noise {
                return None;
            }
            if end < 0.0 {
                return Some(0.0);
            }
            // The search begins where the guard has risen beyond noise, and stays there.
            let probes = (-6..=0).rev().map(|i| until * elementary::powi(10f64, i));
            from = probes.take_while(|t| f(*t) > noise).last()?;
        }
        // By series: off the chord by at most an eighth of the second derivative times the square of the length.
        let bend = guarded.map(|guarded| guarded.bend(until));
        let bound = |part: Interval, ends: [f64; 2]| match bend {
            Some(bend) => ends[0].min(ends[1]) - 0.125 * bend * part.width() * part.width(),
            None => self.lower_bound(guard, blur, part, ends),
        };
        let ends = [Valued { at: from, value: f(from) }, Valued { at: until, value: last }];
        first_event(f, bound, ends, RESOLUTION * until, PARTS).point()
    }

    /// Rounding of a guard at the ends of a step.
    fn noise(&self, guard: Guard) -> f64 {
        let step = self.dense.step();
        let unit = step.start.rounding(self.system, step.duration());
        let forces = unit.acceleration * self.system.ball.mass();
        let one = match guard {
            Guard::Slip | Guard::Turn | Guard::Spin => unit.velocity,
            Guard::Normal => forces,
            Guard::Friction => forces * self.system.contact.sticking_coefficient().max(1.0),
        };
        Rounding::SUM * one
    }

    /// Rounding of the slip velocity between the ends, m/s: slopes of the polynomial magnify that of places up to
    /// 64-fold.
    fn blur(&self) -> f64 {
        let step = self.dense.step();
        let way = step.start.place.length(&step.start.frame);
        64.0 * f64::EPSILON * (way + (step.start.angle * self.system.ball.radius()).abs()) / step.duration()
    }

    /// A lower bound of a guard over a part of the step, by intervals; `blur` is the rounding added to it, `ends` are
    /// its values at both ends.
    fn lower_bound(&self, guard: Guard, blur: f64, Interval { lo: from, hi: to }: Interval, ends: [f64; 2]) -> f64 {
        let (over, motion) = part_of(self.system, self.dense, from, to);
        let bound = lower_bound(self.system, guard, &over, &motion) + blur;
        if bound > 0.0 || !guard.is_velocity() {
            return bound;
        }
        // Speed is ṡ‖c′‖(1 − κR), and a small slip is a difference of large terms: bounds by the rate are tighter on
        // bent ground. The guard is off its chord by at most a quarter of the spread of the rate times the length.
        let rate = rate_of(guard, self.system, &over, &motion);
        let bow = if rate.lo >= 0.0 || rate.hi <= 0.0 { 0.0 } else { 0.25 * rate.width() * (to - from) };
        bound.max(ends[0].min(ends[1]) - bow)
    }
}

/// Ranges of the motion over a part of a step, or over several steps.
#[derive(Clone, Copy)]
pub(crate) struct MotionRange {
    pub time: Interval,
    pub speed: Interval,
    /// Spin, rad/s; unused where rolling determines it.
    pub spin: Interval,
}

impl MotionRange {
    /// Spin, rad/s; that of a rolling ball by its speed.
    pub fn spin_of(&self, system: &ContactSystem) -> Interval {
        match system.mode {
            Mode::Rolling { .. } if system.ball.turns() => self.speed.scale(-1.0 / system.ball.radius()),
            _ => self.spin,
        }
    }

    /// Whether it contains the other.
    pub fn holds(&self, other: &MotionRange) -> bool {
        let holds = |a: &Interval, b: &Interval| a.lo <= b.lo && b.hi <= a.hi;
        holds(&self.time, &other.time) && holds(&self.speed, &other.speed) && holds(&self.spin, &other.spin)
    }

    /// The ranges, widened by `steps` further steps of the same kind.
    pub fn ahead(&self, steps: f64) -> MotionRange {
        let widen =
            |range: &Interval| Interval::new(range.lo - steps * range.width(), range.hi + steps * range.width());
        let time = Interval::new(self.time.lo, self.time.hi + steps * self.time.width());
        MotionRange { time, speed: widen(&self.speed), spin: widen(&self.spin) }
    }
}

/// Frame and motion over a part of a step.
pub(crate) fn part_of(system: &ContactSystem, dense: &Dense, from: f64, to: f64) -> (FrameOver<Interval>, MotionRange) {
    let start = &dense.step().start;
    let [s, _] = dense.path().bounds(from, to);
    let [rate, turning] = dense.path().velocity_bounds(from, to);
    let over = system.ground.enclosure(start.place, s);
    let motion = MotionRange {
        time: Interval::new(start.time + from, start.time + to),
        speed: rate * over.speed,
        spin: if system.ball.turns() { turning } else { Interval::point(start.spin) },
    };
    (over, motion)
}

/// A lower bound of a guard over ranges of place and motion.
pub(crate) fn lower_bound(
    system: &ContactSystem,
    guard: Guard,
    over: &FrameOver<Interval>,
    motion: &MotionRange,
) -> f64 {
    let spin = motion.spin_of(system);
    let velocities = || [system.ball.slip(motion.speed, spin), motion.speed, spin.scale(system.ball.radius())];
    let bound = guard.value(system.contact, system.mode, velocities, || law_over(system, over, motion));
    if bound.lo.is_nan() { f64::NEG_INFINITY } else { bound.lo }
}

/// Contact forces over ranges of place and motion.
#[inline(always)]
pub(crate) fn law_over(
    system: &ContactSystem,
    over: &FrameOver<Interval>,
    motion: &MotionRange,
) -> ContactForces<Interval> {
    let (axes, spin) = ([over.tangent, over.normal], motion.spin_of(system));
    let force = match system.forces.constant(spin.magnitude()) {
        Some(force) => axes.map(|axis| axis[0].scale(force.x) + axis[1].scale(force.y)),
        None => {
            let velocity = over.tangent.map(|c| c * motion.speed);
            let [x, y] = system.forces.at(motion.time, over.position, velocity, spin);
            axes.map(|axis| x * axis[0] + y * axis[1])
        }
    };
    ContactForces::over(system.ball, system.contact, system.mode, over.curvature, motion.speed, force)
}

/// Range of the rate of a guard that is a velocity, m/s².
fn rate_of(guard: Guard, system: &ContactSystem, over: &FrameOver<Interval>, motion: &MotionRange) -> Interval {
    let law = law_over(system, over, motion);
    let around = law.spin_acceleration.scale(system.ball.radius());
    guard.value(system.contact, system.mode, || [law.acceleration + around, law.acceleration, around], || law)
}

/// Value of a guard in a state, N or m/s, by the forces that the state has.
pub(crate) fn value(system: &ContactSystem, guard: Guard, state: &ContactState) -> f64 {
    let ContactState { normal_force, friction_force, .. } = *state;
    let [acceleration, spin_acceleration] = [0.0; 2];
    let forces = || ContactForces { normal_force, friction_force, acceleration, spin_acceleration };
    let rim = || system.ball.radius() * state.spin;
    guard.value(system.contact, system.mode, || [system.slip(state), state.speed, rim()], forces)
}
