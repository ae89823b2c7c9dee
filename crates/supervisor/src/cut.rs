//! Search for where a step ends that something cuts, in contact and in compressed contact.

use numbers::{Interval, Rounding, bisect};
use rolling::{Compressed, CompressedState, CompressedStep, CompressedSystem, RollingError};

/// The end of a step as a search found it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Located<S> {
    pub step: S,
    pub value: f64,
    /// Whether the search came to its end: another step leaves no less.
    pub settled: bool,
}

/// The step to where a quantity vanishes, by secant steps of the method itself within a `range`, to the `grain` of its length.
/// The first guess is `at` (in s, or in parts of a step), and `slope` that of the quantity there. `take` gives the step of a
/// length and the quantity in its end; `None`: the method prefers a shorter one, which is the answer if it does so at once.
pub(crate) fn locate<S, E>(
    mut at: f64,
    mut slope: f64,
    range: Interval,
    grain: f64,
    mut take: impl FnMut(f64) -> Result<Option<(S, f64)>, E>,
) -> Result<Option<Located<S>>, E> {
    let Some((step, value)) = take(at)? else { return Ok(None) };
    let mut best = Located { step, value, settled: false };
    for _ in 0..8 {
        let next = at - best.value / slope;
        if (next - at).abs() <= grain {
            best.settled = true;
            break;
        }
        if !(range.lo < next && next <= range.hi) {
            break;
        }
        let Ok(Some((step, value))) = take(next) else { break };
        if !(value.abs() < best.value.abs()) {
            best.settled = true;
            break;
        }
        slope = (value - best.value) / (next - at);
        at = next;
        best = Located { step, value, settled: false };
    }
    Ok(Some(best))
}

/// The step to where `f` vanishes, near `part`. `None` if the method prefers a shorter one.
pub(crate) fn part_to(
    method: &mut Compressed,
    system: &CompressedSystem,
    step: &CompressedStep,
    part: f64,
    f: impl Fn(&CompressedState) -> f64,
) -> Result<Option<CompressedStep>, RollingError> {
    let near = (part - 1e-3).max(0.5 * part);
    let slope = (f(&step.near(part)) - f(&step.near(near))) / (part - near);
    let found = locate(part, slope, Interval::new(0.0, 1.0), f64::EPSILON * part, |part| {
        Ok(method.part(system, step, part)?.map(|step| (step, f(&step.end))))
    })?;
    Ok(found.map(|found| found.step))
}

pub(crate) fn at_time(
    method: &mut Compressed,
    system: &CompressedSystem,
    step: &CompressedStep,
    time: f64,
) -> CompressedState {
    let left = |state: &CompressedState| time - state.time;
    let part = bisect(|part| left(&step.near(part)) > 0.0, 0.0, 1.0)[1];
    let there = part_to(method, system, step, part, left).ok().flatten();
    CompressedState { time, ..there.map_or_else(|| step.near(part), |there| there.end) }
}

/// Rounding of a parameter at the end of its range: a piece begins at its edge.
pub(crate) fn edge_slack(edge: f64) -> f64 {
    (Rounding::SUM * f64::EPSILON * edge.abs()).max(f64::MIN_POSITIVE)
}
