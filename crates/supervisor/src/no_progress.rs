//! Whether a run whose time stands still is to be broken off.

use nalgebra::Vector2;

use crate::{Doing, Stop};

/// Largest number of tries and events while time advances by less than [`Progress::stretch`]: at that rate a run takes
/// 1e13 of them, and does not end.
const TRIES: u32 = 10_000;
/// [`Progress::stretch`] as a part of the duration.
const STRETCH: f64 = 1e-9;

/// Detects runs whose time no longer advances. Every try of a step in contact, every flight and every event is counted
/// here; searches within one of them have limits of their own.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Progress {
    /// Time that counts as progress, s.
    stretch: f64,
    /// Time at which progress was last made, s.
    since: f64,
    tries: u32,
}

impl Progress {
    /// Progress at the start of a run of a duration, s.
    pub fn new(duration: f64) -> Self {
        Progress { stretch: STRETCH * duration, since: f64::NEG_INFINITY, tries: 0 }
    }

    /// Resets the count for a bounce at a new time: bounces end by themselves as hops get lower, and in a long run that
    /// may take less than the stretch.
    pub fn bounce(&mut self) {
        self.tries = 0;
    }

    /// Counts a try at `time` (s); `at` gives its kind and the ball's centre. Fails after too many without progress.
    #[inline]
    pub fn attempt(&mut self, time: f64, at: impl FnOnce() -> (Doing, Vector2<f64>)) -> Result<(), Stop> {
        if time > self.since + self.stretch {
            (self.since, self.tries) = (time, 0);
        }
        self.tries += 1;
        if self.tries <= TRIES {
            return Ok(());
        }
        let Progress { tries, stretch, .. } = *self;
        let (doing, centre) = at();
        Err(Stop::Stalled { time, centre, doing, tries, stretch })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Phase;

    /// Tries are limited where time stands still or creeps, and unlimited where it advances.
    #[test]
    fn stalls() {
        let doing = Doing::Steps(Phase::Rolling);
        let tries = |by: f64| {
            let mut progress = Progress::new(10.0);
            (0..).take(100_000).find_map(|i| progress.attempt(f64::from(i) * by, || (doing, Vector2::zeros())).err())
        };
        for by in [0.0, 9e-13] {
            let Some(Stop::Stalled { tries, stretch, .. }) = tries(by) else { panic!("{by}") };
            assert!(tries == TRIES + 1 && stretch == 1e-8);
        }
        assert_eq!(tries(1.1e-12), None);
        // Bounces do not count.
        let mut progress = Progress::new(10.0);
        assert!((0..100_000).all(|_| {
            progress.bounce();
            progress.attempt(1.0, || (doing, Vector2::zeros())).is_ok()
        }));
    }
}
