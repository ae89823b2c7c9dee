//! Signals (Ctrl-C, SIGTERM, SIGHUP): the first ends a run or a sweep with what it has, and `live` with status 0.

#[cfg(unix)]
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(unix)]
use {
    crate::console::warn,
    kugelbahn::output::withdraw,
    signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ},
    signal_hook::iterator::Signals,
    signal_hook::low_level::emulate_default_handler,
};

/// Answer to the first signal, if the command under way can end early.
static FIRST: OnceLock<fn()> = OnceLock::new();
/// Whether the first signal came.
static ENDS: AtomicBool = AtomicBool::new(false);

/// Lets the first signal do this from now on, and the work under way end by the flag.
pub(crate) fn at_first_signal(told: fn()) -> &'static AtomicBool {
    let _ = FIRST.set(told);
    &ENDS
}

/// Ends the command at Ctrl-C, SIGTERM and SIGHUP: a run or a sweep with what it has at the first one, else at once,
/// with no partial file.
#[cfg(unix)]
pub(crate) fn end_on_signals() {
    let heard = [SIGINT, SIGTERM].into_iter().chain((!ignores_hangup()).then_some(SIGHUP));
    let Ok(mut signals) = Signals::new(heard) else { return };
    // Caught, so that a write beyond the limit of a file's size is an error that is told, and does not end the program.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if let Some(told) = FIRST.get().filter(|_| !ENDS.swap(true, Ordering::Relaxed)) {
                told();
                continue;
            }
            let files = match withdraw() {
                true => "what it had written by then is whole, and stays",
                false => "before its results were written; files that were there are as they were",
            };
            warn(&format!("ended by a signal, {files}\n"));
            let _ = emulate_default_handler(signal);
        }
    });
}

/// Whether SIGHUP is ignored, as `nohup` has it (Linux, which says so).
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_none_or(|mask| mask & 1 << (SIGHUP - 1) != 0)
}
