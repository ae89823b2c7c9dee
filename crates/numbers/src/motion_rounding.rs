//! Rounding errors by the sizes of a motion's numbers: when one is zero, an iteration converged, a step too short.

/// One rounding error of each kind of number in a motion, from the sizes of the numbers that it is made of.
///
/// Answers "how small is zero" for the numbers of a motion: whether one vanishes, an iteration has converged, a step is
/// too short for the clock. Sizes come from the scene, so that scenes may be as small or as large as they like.
///
/// ```
/// use numbers::Rounding;
///
/// // 1 m/s, 10 s after the start, 3 m from the origin: the clock alone is off by ε · 10 s, which is ε · 10 m of the way.
/// let rounding = Rounding::of_motion(3.0, 10.0, 1.0, 9.81);
/// assert_eq!(rounding.length, 13.0 * f64::EPSILON);
/// assert!(Rounding::vanishes(1e-15, rounding.length) && !Rounding::vanishes(1e-13, rounding.length));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rounding {
    /// Rounding of places, m.
    pub length: f64,
    /// Rounding of times, s.
    pub time: f64,
    /// Rounding of velocities, m/s.
    pub velocity: f64,
    /// Rounding of accelerations, m/s².
    pub acceleration: f64,
}

impl Rounding {
    /// Number of rounding errors that add up in a formula of some dozen operations.
    pub const SUM: f64 = 16.0;

    /// Multiple of one rounding error above which a residual is an error of the program or the data.
    pub const WRONG: f64 = 1e3;

    /// Rounding from sizes (≥ 0): of all places that are summed (ground point, radius), m; of times, s; of speeds
    /// (centre, rim), m/s; of accelerations, m/s². Places and velocities belong to a time that is rounded itself.
    #[inline(always)]
    pub fn of_motion(length: f64, time: f64, speed: f64, acceleration: f64) -> Self {
        Rounding {
            length: f64::EPSILON * (length + speed * time),
            time: f64::EPSILON * time,
            velocity: f64::EPSILON * (speed + acceleration * time),
            acceleration: f64::EPSILON * acceleration,
        }
    }

    /// Whether a number is zero within the rounding `unit` (a field of this type) of the numbers it is made of.
    #[inline(always)]
    pub fn vanishes(number: f64, unit: f64) -> bool {
        number.abs() <= Self::SUM * unit
    }

    /// Whether an iteration over a step of `h` s has converged. Its last round changed the velocity by `change` m/s,
    /// the round before by `last`. It has if the change is rounding of velocities, or if it no longer halves and
    /// `h · change` is rounding of places: then forces are known no better.
    #[inline(always)]
    pub fn settles(&self, change: f64, last: f64, h: f64) -> bool {
        Self::vanishes(change, self.velocity) || change >= 0.5 * last && Self::vanishes(h * change, self.length)
    }

    /// The shortest step that the clock resolves at `time`, s.
    #[inline(always)]
    pub fn tick(time: f64) -> f64 {
        (Self::SUM * f64::EPSILON * time.abs()).max(f64::MIN_POSITIVE)
    }

    /// The shortest step that motion and clock resolve, s. A shorter one changes neither the place (by `v h + a h²`)
    /// nor the velocity (by `a h`) beyond rounding. `speed` v is in m/s; a is [`Rounding::acceleration`] over ε.
    #[inline(always)]
    pub fn shortest_step(&self, speed: f64) -> f64 {
        let (way, acceleration) = (Self::SUM * self.length, self.acceleration / f64::EPSILON);
        // Root of v h + a h² = way, without cancellation.
        let sum = speed + (speed * speed + 4.0 * acceleration * way).sqrt();
        let place_time = if sum > 0.0 { 2.0 * way / sum } else { 0.0 };
        let velocity_time = if acceleration > 0.0 { Self::SUM * self.velocity / acceleration } else { f64::INFINITY };
        place_time.min(velocity_time).max(Self::SUM * self.time).max(f64::MIN_POSITIVE)
    }
}
