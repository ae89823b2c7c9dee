//! Location of the point of a step at which an event cuts it, in contact and in compressed contact.

use numbers::{Interval, Rounding, bisect};
use rolling::{Compressed, CompressedState, CompressedStep, CompressedSystem, RollingError};

/// Shortened step, as a search found it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Located<S> {
    pub step: S,
    pub value: f64,
    /// Whether the search converged: another step comes no closer.
    pub settled: bool,
}

/// Finds the step at whose end a quantity vanishes, by secant steps of the method itself within `range`, to the
/// rounding `grain` of its length. The first guess is `at` (in s, or in parts of a step), with `slope` of the quantity
/// there. `take` makes a step of a length and gives the quantity at its end, or `None` if the method prefers a shorter
/// step; the result is `None` if the first step is so.
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

/// Finds the step of compressed contact to where `f` vanishes, near `part`. `None`: the method prefers a shorter one.
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

/// State of compressed contact at a time (s) within a step.
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

/// Rounding of a parameter at the end of its range, where the next piece begins.
pub(crate) fn edge_slack(edge: f64) -> f64 {
    (Rounding::SUM * f64::EPSILON * edge.abs()).max(f64::MIN_POSITIVE)
}
