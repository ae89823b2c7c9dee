//! Who solves the islands of a step.

use std::fmt::Debug;

use crate::island::Island;

/// Calls [`Island::solve`] once for each. Islands don't know of each other: order and threads change no bit of the answer.
///
/// ```
/// use moreau::{Executor, Island};
///
/// /// A thread for each half of the contacts.
/// #[derive(Debug)]
/// struct Two;
///
/// impl Executor for Two {
///     fn run(&self, islands: &mut [Island]) {
///         let all: usize = islands.iter().map(Island::len).sum();
///         let (mut half, mut sum) = (0, 0);
///         while half < islands.len() && 2 * sum < all {
///             sum += islands[half].len();
///             half += 1;
///         }
///         let (first, second) = islands.split_at_mut(half);
///         std::thread::scope(|scope| {
///             scope.spawn(|| first.iter_mut().for_each(Island::solve));
///             second.iter_mut().for_each(Island::solve);
///         });
///     }
/// }
/// ```
pub trait Executor: Debug + Send + Sync {
    /// Solves each island once.
    fn run(&self, islands: &mut [Island]);
}

/// Executor that solves islands one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct InTurn;

impl Executor for InTurn {
    fn run(&self, islands: &mut [Island]) {
        islands.iter_mut().for_each(Island::solve);
    }
}
