//! The rule by which a ball that touches the ground stays on it or leaves.

use numbers::Number;

/// Answer by λ, as contact would have it, for a ball that touches the ground and neither closes nor opens (g = v·n = 0):
///
/// ```text
/// m g̈ = −λ        λ > 0  presses        λ = 0  touches        λ < 0  leaves
/// ```
///
/// A ball on the ground goes on there while it presses or touches. One whose grip gave way stays, and one that hops comes back, where
/// it presses. Every phase asks here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// The ground pushes: without it the ball would come closer.
    Presses,
    /// The ground does nothing, and nothing takes the ball off it.
    Touches,
    /// The ground would have to pull.
    Leaves,
}

impl Press {
    /// Asks of λ (N), which is zero within `grain` N. `None`: a range of λ holds several answers, or it is NaN.
    #[inline(always)]
    pub fn of<N: Number>(normal_force: N, grain: f64) -> Option<Press> {
        let [above, below] = [N::constant(grain).at_least(normal_force), normal_force.at_least(N::constant(-grain))];
        match (above, below) {
            (Some(false), _) => Some(Press::Presses),
            (_, Some(false)) => Some(Press::Leaves),
            (Some(true), Some(true)) => Some(Press::Touches),
            _ => None,
        }
    }

    /// Whether a ball that is on the ground may go on there.
    pub fn stays(self) -> bool {
        self != Press::Leaves
    }
}
