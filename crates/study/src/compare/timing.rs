//! Cost of a run.

use std::time::Duration;

use scenario::stepping::steps_alone;
use scenario::{Scenario, run_with};
use supervisor::{NoObserver, Options};

/// CPU time of a run, of several tries, s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timing {
    /// The one in the middle.
    pub median: f64,
    /// The shortest.
    pub least: f64,
    /// The longest.
    pub most: f64,
}

/// Times a run that nobody hears of: no samples, no tables. One run before the first is not counted.
pub fn time(scenario: &Scenario, tries: usize) -> Timing {
    let once = || {
        let start = cpu_time();
        if scenario.stepping.is_some() {
            std::hint::black_box(steps_alone(scenario));
        } else {
            let options = Options { interval: None, ..scenario.options() };
            let _ = std::hint::black_box(run_with(scenario, options, &mut NoObserver));
        }
        (cpu_time() - start).as_secs_f64()
    };
    once();
    let mut times: Vec<f64> = (0..tries.max(1)).map(|_| once()).collect();
    times.sort_by(f64::total_cmp);
    let (least, most) = (times[0], times[times.len() - 1]);
    let middle = times.len() / 2;
    let median = if times.len() % 2 == 1 { times[middle] } else { 0.5 * (times[middle - 1] + times[middle]) };
    Timing { median, least, most }
}

/// CPU time of this thread, so that other work of the machine counts little.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.try_into().unwrap_or(0), now.tv_nsec.try_into().unwrap_or(0))
}

#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
