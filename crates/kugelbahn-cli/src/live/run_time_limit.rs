//! How long a run for the page may take.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// A run that takes longer ends, s: the next change waits for it.
pub const PATIENCE: u64 = 2;
/// How often it is asked whether anybody still waits for the run.
const ASKED: Duration = Duration::from_millis(20);

/// Makes a test whether a run is to end: it has taken too long, or nobody waits for it, by `waits`, asked now and then.
pub fn patience(waits: impl Fn() -> bool) -> impl Fn(f64) -> bool {
    let (begun, asked) = (Instant::now(), Cell::new(Duration::ZERO));
    move |_| {
        let taken = begun.elapsed();
        if taken - asked.get() <= ASKED {
            return false;
        }
        asked.set(taken);
        taken.as_secs() >= PATIENCE || !waits()
    }
}
