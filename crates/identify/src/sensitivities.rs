//! Sensitivities along a run.

use supervisor::{CaptureReason, Event, EventKind};

use crate::gragg::Precision;
use crate::variational_run::{JumpStart, Observation, RunSweep, Saltation, SweepError};
use crate::{Family, Mark, Trace};

/// An event, and its derivatives by the parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct EventSensitivity {
    /// The event, as the run has it.
    pub event: Event,
    /// Time of the event by this integration, s.
    pub time: f64,
    /// Derivatives of the time by each parameter, s over the parameter's unit.
    pub time_by: Vec<f64>,
    /// The ball just before it. The derivative of a component *at the event* is `by + rates · time_by`.
    pub before: Observation,
    /// The ball just after it.
    pub after: Observation,
    /// Transversality, 0 … 1: `|v·n|/‖v‖` for a touch, else `|ġ|` over the sizes of its terms. Derivatives grow as its
    /// inverse.
    pub transversality: f64,
    /// Whether the derivatives say little about a finite change: a touch that grazes (transversality below 1e-3, and
    /// the ground bending towards the path), or an event whose condition hardly changes sign.
    pub grazing: bool,
}

/// Derivatives along a run, found by [`sweep`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sensitivities {
    /// States at the times asked for.
    pub samples: Vec<Observation>,
    /// Events of the run.
    pub events: Vec<EventSensitivity>,
}

/// Follows a run of `family.base()`; returns the derivatives of states and event times by the parameters.
///
/// `times` (s) ascend; those beyond the trace are left out. At an event's time the state after it is returned.
///
/// ```text
/// phase    Ṡ = D_x f S + ∂_p f
/// event    δt = −(D_x g S + ∂_p g)/(D_x g f⁻ + ∂_t g)
///          S⁺ = D_x R (S + f⁻ δt) + ∂_p R + ∂_t R δt − f⁺ δt
/// ```
///
/// the second being `Ξ S` with the saltation matrix `Ξ = D_x R + (f⁺ − D_x R f⁻ − ∂_t R) D_x g/(D_x g f⁻ + ∂_t g)`
/// where no parameter enters the event itself (Leine & Nijmeijer, *Dynamics and Bifurcations of Non-Smooth Mechanical
/// Systems*, ch. 7). Derivatives by the state are those of dual numbers; by parameters see [`Family`].
pub fn sweep(family: &Family, trace: &Trace, times: &[f64]) -> Result<Sensitivities, SweepError> {
    let mut found = Sensitivities::default();
    sweep_into(&mut found, family, family.parameters(), Precision::EXACT, trace, times, f64::INFINITY).map(|()| found)
}

/// Follows a run like [`sweep`], with derivatives by the first `count` parameters alone. Results before an error stay
/// in `found`. Events after `until` (s, not before the last of `times`) are left out.
pub(crate) fn sweep_into(
    found: &mut Sensitivities,
    family: &Family,
    count: usize,
    precision: Precision,
    trace: &Trace,
    times: &[f64],
    until: f64,
) -> Result<(), SweepError> {
    let mut sweep = RunSweep::begin(family, count, precision, trace)?;
    let mut rest = &times[..times.partition_point(|t| *t <= trace.end)];
    found.samples.reserve_exact(rest.len());
    for mark in &trace.marks {
        let at = match mark {
            Mark::Event(event) => event.time(),
            Mark::Joint { time, .. } => *time,
            Mark::Capture(_) => sweep.time,
        };
        if at > until {
            break;
        }
        let (before, behind) = rest.split_at(rest.partition_point(|t| *t < at));
        sweep.observe_at(before, &mut found.samples)?;
        rest = behind;
        sweep.go(at)?;
        match mark {
            Mark::Event(event) => found.events.extend(cross(&mut sweep, event)?),
            Mark::Joint { place, .. } => sweep.reach(*place)?,
            Mark::Capture(capture) => {
                if capture.reason == CaptureReason::TwoWalls {
                    return Err(SweepError::TwoContacts { time: sweep.time });
                }
                let start = JumpStart { time: sweep.time, x: sweep.x, by: sweep.by.clone() };
                sweep.capture = Some((*capture, start));
            }
        }
    }
    sweep.observe_at(rest, &mut found.samples)?;
    Ok(())
}

/// Passes an event; `None` for a row of rest that repeats the landing at rest before it.
fn cross(sweep: &mut RunSweep, event: &Event) -> Result<Option<EventSensitivity>, SweepError> {
    if event.phase_after == supervisor::Phase::Compressed {
        return Err(SweepError::Compliant { time: event.time() });
    }
    if event.kind == EventKind::Rest && event.phase_before == event.phase_after {
        return Ok(None);
    }
    if !matches!(event.kind, EventKind::Impact | EventKind::Landing) {
        sweep.reach(event.place)?;
    }
    let mut before = sweep.observe();
    let capture = sweep.capture.take().filter(|_| event.kind == EventKind::Landing);
    let Saltation { time_by, transversality, grazing } = match capture {
        Some((capture, start)) => {
            Saltation { time_by: sweep.land(&capture, &start, event), transversality: 1.0, grazing: false }
        }
        None => sweep.pass_event(event, &mut before)?,
    };
    sweep.gragg.restart();
    let after = sweep.observe();
    Ok(Some(EventSensitivity { event: *event, time: sweep.time, time_by, before, after, transversality, grazing }))
}
