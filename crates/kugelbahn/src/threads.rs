//! Contacts of a step on several threads.

use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use scenario::stepping::{Executor, Island};

use crate::Error;

/// Threads that share the islands of a step: contacts that have no ball in common with others. How many there are
/// changes no bit of the run; a heap is one island, for one thread.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
///
/// use kugelbahn::Scenario;
/// use kugelbahn::stepping::Threads;
///
/// let text = "ball.radius = 0.1\ninitial.position = [0, 1]\nground.curve = { kind = \"graph\", y = 0 }\n\
///     solver = { method = \"moreau\", step = 1e-3, duration = 1 }\n";
/// let scenario = Scenario::from_text(text, Path::new(""), &[])?.with_executor(Arc::new(Threads::new(2)?))?;
/// assert!(kugelbahn::stepping::steps_alone(&scenario));
/// # Ok::<(), kugelbahn::Error>(())
/// ```
#[derive(Debug)]
pub struct Threads {
    pool: ThreadPool,
}

impl Threads {
    /// Starts `count` threads.
    pub fn new(count: u16) -> Result<Self, Error> {
        if count == 0 {
            return Err(Error::Threads { why: "there must be one at least".to_owned() });
        }
        let pool = ThreadPoolBuilder::new().num_threads(count.into()).build();
        Ok(Threads { pool: pool.map_err(|error| Error::Threads { why: error.to_string() })? })
    }
}

impl Executor for Threads {
    fn run(&self, islands: &mut [Island]) {
        match islands {
            // Nothing to share: to wake a thread takes longer than most islands.
            [] | [_] => islands.iter_mut().for_each(Island::solve),
            _ => self.pool.install(|| islands.par_iter_mut().for_each(Island::solve)),
        }
    }
}
