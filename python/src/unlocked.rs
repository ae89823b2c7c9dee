//! Work without the GIL: Ctrl-C ends the wait for it, and what callables raised on the way comes out where it ends.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::{PyRecursionError, PyRuntimeError};
use pyo3::prelude::*;

use crate::watched::raised;

/// How often Python is asked for signals.
const SIGNALS: Duration = Duration::from_millis(20);
/// Calls that callables may make, one within the other: each takes room on the stack.
const WITHIN: u32 = 12;

thread_local! {
    /// Calls under way on this thread, or above it.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

fn deeper() -> PyResult<u32> {
    match DEPTH.get() {
        depth if depth > WITHIN => {
            let message = format!("{WITHIN} calls are under way, each made by a callable of the one before");
            Err(PyRecursionError::new_err(message))
        }
        depth => Ok(depth + 1),
    }
}

/// Works on this thread.
pub fn unlocked<T: Send>(py: Python, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let depth = deeper()?;
    DEPTH.set(depth);
    let (done, error) = py.detach(|| (work(), raised()));
    DEPTH.set(depth - 1);
    error.map_or(Ok(done), Err)
}

/// Works on a thread of its own, without the GIL, and asks for signals meanwhile. After one `ended` is set; what does not look
/// at it ends by itself, unheard.
pub fn interruptible<T: Send + 'static>(
    py: Python,
    work: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
) -> PyResult<T> {
    let depth = deeper()?;
    let ended = Arc::new(AtomicBool::new(false));
    let (flag, (tell, hear)) = (ended.clone(), std::sync::mpsc::channel());
    let hear = Mutex::new(hear);
    let worker = std::thread::spawn(move || {
        DEPTH.set(depth);
        let done = work(&flag);
        let _ = tell.send((done, raised()));
    });
    loop {
        match py.detach(|| hear.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(SIGNALS)) {
            Ok((_, Some(error))) => return Err(error),
            Ok((done, None)) => return Ok(done),
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                py.check_signals().inspect_err(|_| ended.store(true, Relaxed))?;
            }
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => {
                let _ = worker.join();
                return Err(PyRuntimeError::new_err("the work ended without a result: please report this"));
            }
        }
    }
}

/// Ends the thread where the wait for it has ended: what a `progress` of the library may do.
pub fn goes_on(ended: &AtomicBool) {
    if ended.load(Relaxed) {
        // Unheard: nobody waits for the answer.
        std::panic::resume_unwind(Box::new("ended"));
    }
}
