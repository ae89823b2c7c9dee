//! Does a ball that touches the ground press on it, touch it only, or leave it? The sign of λ decides.

use numbers::Number;

/// Answer for a ball that touches the ground (gap g = 0 and v·n = 0), by the sign of λ, the normal force that contact
/// would need. Without the ground the gap would accelerate by `g̈ = −λ/m`:
///
/// ```text
/// λ > 0  presses        λ = 0  touches        λ < 0  leaves
/// ```
///
/// A ball in contact stays while it presses or touches. Where its friction gives way it stays only if it presses, and
/// bounces are summed up only where it presses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// The ground pushes: without it the ball would enter it.
    Presses,
    /// λ = 0: without the ground the ball would move no differently.
    Touches,
    /// The ground would have to pull.
    Leaves,
}

impl Press {
    /// Decides by λ (N), where |λ| ≤ `grain`, its rounding (N), counts as zero. `None`: an interval λ allows several
    /// answers, or λ is NaN.
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
