//! Sensitivities along a run.

use curves::{Place, Taylor};
use mechanics::Mode;
use supervisor::{Capture, CaptureReason, Event, EventKind, Start};

use crate::gragg::{Gragg, Precision};
use crate::hops::Hop;
use crate::joints::Passed;
use crate::model::{Phase, Vector, along, constant, slope, value};
use crate::saltation::Salted;
use crate::trace::mode_of;
use crate::{Family, Mark, Model, Trace};

/// The ball at a time that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// s
    pub time: f64,
    /// Its phase.
    pub phase: supervisor::Phase,
    /// `x, y, vx, vy, ω, φ` (m, m/s, rad/s, rad).
    pub state: [f64; 6],
    /// Its rates (m/s, m/s², rad/s², rad/s).
    pub rates: [f64; 6],
    /// λ, N; 0 in flight.
    pub normal_force: f64,
    /// Its derivatives by each parameter at fixed time.
    pub by: Vec<[f64; 6]>,
}

/// An event, and how it depends on the parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct EventSensitivity {
    /// The event, as the run has it.
    pub event: Event,
    /// Its time, s, by the sweep's own integration.
    pub time: f64,
    /// Of its time, s per unit of each parameter.
    pub time_by: Vec<f64>,
    /// The ball just before it. A derivative of a component *at the event* is `by + rates · time_by`.
    pub before: Observation,
    /// The ball just after it.
    pub after: Observation,
    /// How squarely the path meets the event, 0 … 1: `|v·n|/‖v‖` for a touch, else `|ġ|` over the sum of the sizes of its
    /// terms. Derivatives grow as its inverse.
    pub transversality: f64,
    /// The derivatives say little of a finite change: a touch that grazes (transversality below 1e-3 and the ground
    /// bending towards the path), or an event whose condition hardly changes sign.
    pub grazing: bool,
}

/// What [`sweep`] finds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sensitivities {
    /// At the times asked for.
    pub samples: Vec<Observation>,
    /// At each event.
    pub events: Vec<EventSensitivity>,
}

/// Why there are no sensitivities.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SweepError {
    /// Compliant contact.
    #[error("sensitivities go through rigid contact only, and at t = {time:?} s the ball is compressed")]
    Compliant {
        /// s
        time: f64,
    },
    /// The ball is not where the run has it: derivatives lost the run.
    #[error("at t = {time:?} s the ball is on another piece of the ground than in the run")]
    Pieces {
        /// s
        time: f64,
    },
    /// Two contacts at once.
    #[error("at t = {time:?} s the ball touches the ground in two places at once, which sensitivities don't follow")]
    TwoContacts {
        /// s
        time: f64,
    },
    /// Grounds of other pieces, or that meet in another way.
    #[error("parameter {index} changes how many pieces the ground has, or whether one goes on smoothly in the next")]
    Shape {
        /// Which parameter.
        index: usize,
    },
    /// An event of this kind.
    #[error("the {} at t = {time:?} s has no derivative: from {} to {}", kind.name(), from.name(), to.name())]
    Kind {
        /// s
        time: f64,
        /// Which.
        kind: EventKind,
        /// Phase before.
        from: supervisor::Phase,
        /// Phase after.
        to: supervisor::Phase,
    },
    /// The event's condition does not change along the path.
    #[error("the {} at t = {time:?} s is met at rate 0: its time has no derivative", kind.name())]
    Touch {
        /// s
        time: f64,
        /// Which.
        kind: EventKind,
    },
    /// The motion could not be followed.
    #[error("beyond t = {time:?} s the force is too rough for the variational equations")]
    Rough {
        /// s
        time: f64,
    },
    /// Starts on different pieces of the ground.
    #[error("parameter {index} moves the start to another piece of the ground, or off it")]
    Start {
        /// Which parameter.
        index: usize,
    },
}

/// Follows a run of `family.base()` and gives the derivatives of states and event times by the parameters.
///
/// `times` (s) ascend; those beyond the end of the trace are left out. At an event's time the state after it is seen.
///
/// ```text
/// phase    Ṡ = D_x f S + ∂_p f
/// event    δt = −(D_x g S + ∂_p g)/(D_x g f⁻ + ∂_t g)
///          S⁺ = D_x R (S + f⁻ δt) + ∂_p R + ∂_t R δt − f⁺ δt
/// ```
///
/// the second being `Ξ S` with the saltation matrix `Ξ = D_x R + (f⁺ − D_x R f⁻ − ∂_t R) D_x g/(D_x g f⁻ + ∂_t g)` where no
/// parameter enters the event itself (Leine & Nijmeijer, *Dynamics and Bifurcations of Non-Smooth Mechanical Systems*,
/// ch. 7). Derivatives by the state are those of dual numbers; by parameters see [`Family`].
pub fn sweep(family: &Family, trace: &Trace, times: &[f64]) -> Result<Sensitivities, SweepError> {
    let mut found = Sensitivities::default();
    sweep_into(&mut found, family, family.parameters(), Precision::EXACT, trace, times).map(|()| found)
}

/// The same by the first `count` parameters alone; what was found before an error stays.
pub(crate) fn sweep_into(
    found: &mut Sensitivities,
    family: &Family,
    count: usize,
    precision: Precision,
    trace: &Trace,
    times: &[f64],
) -> Result<(), SweepError> {
    let mut sweep = Sweep::begin(family, count, precision, trace)?;
    let mut times = times.iter().copied().filter(|t| *t <= trace.end).peekable();
    for mark in &trace.marks {
        match mark {
            Mark::Event(event) => {
                while let Some(time) = times.next_if(|t| *t < event.time()) {
                    sweep.go(time)?;
                    found.samples.push(sweep.observe());
                }
                sweep.go(event.time())?;
                found.events.extend(sweep.cross(event)?);
            }
            Mark::Capture(capture) => {
                if capture.reason == CaptureReason::TwoWalls {
                    return Err(SweepError::TwoContacts { time: sweep.time });
                }
                let begun = Begun { time: sweep.time, x: sweep.x, by: sweep.by.clone() };
                sweep.capture = Some((*capture, begun));
            }
        }
    }
    for time in times {
        sweep.go(time)?;
        found.samples.push(sweep.observe());
    }
    Ok(())
}

pub(crate) struct Sweep<'a> {
    pub family: &'a Family,
    pub time: f64,
    pub phase: Phase,
    pub x: Vector<f64>,
    /// By each parameter, at fixed time.
    pub by: Vec<Vector<f64>>,
    /// Of the last impact: by each parameter, its time and its contact point.
    pub touch: Vec<[f64; 2]>,
    /// The contact point itself.
    pub point: f64,
    /// Summed-up bounces under way.
    capture: Option<(Capture, Begun)>,
    /// The joint passed last, until the next event.
    pub joint: Option<Passed>,
    /// The flight since the last impact.
    pub hop: Option<Hop>,
    pub gragg: Gragg,
    /// Of the state alone.
    pub scout: Gragg,
    /// State and derivatives in one.
    pub packed: Vec<f64>,
}

/// `Ṡ` by one parameter.
pub(crate) fn rates_by(
    family: &Family,
    phase: Phase,
    time: f64,
    x: &Vector<f64>,
    j: usize,
    by: &Vector<f64>,
) -> Vector<f64> {
    let carried = slope(&family.base().rates(phase, constant(time), &along(x, by)));
    let own = own_rates(family, phase, time, x, j);
    std::array::from_fn(|i| carried[i] + own[i])
}

/// `∂_p f` by one parameter.
pub(crate) fn own_rates(family: &Family, phase: Phase, time: f64, x: &Vector<f64>, j: usize) -> Vector<f64> {
    if family.moves_as(j)[usize::from(phase != Phase::Flight)] {
        return [0.0; 6];
    }
    family.by(j, |model| model.motion(phase, time, x))
}

/// Where summed-up bounces begin.
pub(crate) struct Begun {
    pub time: f64,
    pub x: Vector<f64>,
    pub by: Vec<Vector<f64>>,
}

/// A start in the phase of the run.
fn begin(model: &Model, phase: Phase) -> Option<Vector<f64>> {
    Some(match (model.start, phase) {
        (Start::Flight(state), Phase::Flight) => flying(&state),
        (Start::Flight(state), Phase::Contact { place, .. }) => {
            let at = model.scene.ground.place_below(state.position);
            let frame = model.scene.ground.frame(at);
            let speed = state.velocity.dot(&frame.tangent);
            return at.same_feature(place).then_some([at.parameter(), speed, state.spin, state.angle, 0.0, 0.0]);
        }
        (Start::Contact { place: at, speed, spin }, Phase::Contact { place, mode }) => {
            let turning = if model.scene.ball.turns() { -speed / model.scene.ball.radius() } else { 0.0 };
            let spin = if mode == Mode::Rolling { turning } else { spin.unwrap_or(turning) };
            return at.same_feature(place).then_some([at.parameter(), speed, spin, 0.0, 0.0, 0.0]);
        }
        (Start::Contact { place, speed, spin }, Phase::Flight) => {
            let frame = model.scene.ground.frame(place);
            let turning = if model.scene.ball.turns() { -speed / model.scene.ball.radius() } else { 0.0 };
            let [q, v] = [frame.position, frame.tangent * speed];
            [q.x, q.y, v.x, v.y, spin.unwrap_or(turning), 0.0]
        }
    })
}

/// What of a flying ball moves.
fn flying(state: &mechanics::State) -> Vector<f64> {
    let mechanics::State { position: q, velocity: v, spin, angle, .. } = *state;
    [q.x, q.y, v.x, v.y, spin, angle]
}

impl<'a> Sweep<'a> {
    fn begin(family: &'a Family, count: usize, precision: Precision, trace: &Trace) -> Result<Self, SweepError> {
        let base = family.base();
        if base.scene.compliance.is_some() {
            return Err(SweepError::Compliant { time: 0.0 });
        }
        let place = match base.start {
            Start::Contact { place, .. } => place,
            Start::Flight(state) => base.scene.ground.place_below(state.position),
        };
        let mut phase = phase_at(trace.first(), place, 0.0);
        let x = begin(base, phase).ok_or(SweepError::Start { index: 0 })?;
        if let Phase::Contact { mode: Mode::Sliding { sign }, .. } = &mut phase {
            *sign = sliding_sign(base, &x, place);
        }
        let pieces = |model: &Model| model.scene.ground.ground().pieces().len();
        if let Some(index) = (0..count).find(|j| family.neighbours(*j).any(|model| pieces(model) != pieces(base))) {
            return Err(SweepError::Shape { index });
        }
        if let Some(index) = (0..count).find(|j| family.neighbours(*j).any(|model| begin(model, phase).is_none())) {
            return Err(SweepError::Start { index });
        }
        let by = (0..count).map(|j| family.by(j, |model| begin(model, phase).unwrap_or(x))).collect();
        let length = 6 * (1 + count);
        Ok(Sweep {
            family,
            time: 0.0,
            phase,
            x,
            by,
            touch: vec![[0.0; 2]; count],
            point: 0.0,
            capture: None,
            joint: None,
            hop: None,
            gragg: Gragg::new(length, precision),
            scout: Gragg::new(6, precision),
            packed: vec![0.0; length],
        })
    }

    pub fn base(&self) -> &'a Model {
        self.family.base()
    }

    /// What is seen now.
    pub fn observe(&self) -> Observation {
        let Sweep { phase, time, .. } = *self;
        let (base, still) = (self.base(), self.x.map(constant));
        let f = value(&base.rates(phase, constant(time), &still));
        let seen = base.seen(phase, Taylor([time, 1.0]), &along(&self.x, &f));
        let by = self.seen_by();
        let (phase, normal_force) = match phase {
            Phase::Flight => (supervisor::Phase::Flight, 0.0),
            Phase::Contact { place, mode } => {
                (mode.into(), base.contact(place, mode, constant(time), &still).normal_force.0[0])
            }
        };
        Observation { time, phase, state: value(&seen), rates: slope(&seen), normal_force, by }
    }

    fn seen_by(&self) -> Vec<[f64; 6]> {
        let Sweep { family, phase, time, x, .. } = self;
        let seen = |(j, by): (usize, &Vector<f64>)| {
            let carried = slope(&self.base().seen(*phase, constant(*time), &along(x, by)));
            if family.looks_as(j)[usize::from(*phase != Phase::Flight)] {
                return carried;
            }
            let own = family.by(j, |model| value(&model.seen(*phase, constant(*time), &x.map(constant))));
            std::array::from_fn(|i| carried[i] + own[i])
        };
        self.by.iter().enumerate().map(seen).collect()
    }

    /// Goes through an event. `None`: a row that says again what the one before it did.
    fn cross(&mut self, event: &Event) -> Result<Option<EventSensitivity>, SweepError> {
        if event.phase_after == supervisor::Phase::Compressed {
            return Err(SweepError::Compliant { time: event.time() });
        }
        if event.kind == EventKind::Rest && event.phase_before == event.phase_after {
            return Ok(None);
        }
        if !matches!(event.kind, EventKind::Impact | EventKind::Landing) {
            self.reach(event.place)?;
        }
        let mut before = self.observe();
        let capture = self.capture.take().filter(|_| event.kind == EventKind::Landing);
        let Salted { time_by, transversality, grazing } = match capture {
            Some((capture, begun)) => {
                Salted { time_by: self.land(&capture, &begun, event), transversality: 1.0, grazing: false }
            }
            None => self.salt(event, &mut before)?,
        };
        self.gragg.restart();
        self.scout.restart();
        let after = self.observe();
        Ok(Some(EventSensitivity { event: *event, time: self.time, time_by, before, after, transversality, grazing }))
    }
}

pub(crate) fn phase_at(phase: supervisor::Phase, place: Place, sign: f64) -> Phase {
    mode_of(phase, sign).map_or(Phase::Flight, |mode| Phase::Contact { place, mode })
}

/// Which way the contact point slips after an event that begins contact; 0 without friction.
pub(crate) fn slip_sign(model: &Model, event: &Event) -> f64 {
    if model.scene.law.friction_coefficient() == 0.0 {
        return 0.0;
    }
    let (_, along) = event.velocity_after();
    let slip = along + model.lever() * event.after.spin;
    if slip == 0.0 { 0.0 } else { slip.signum() }
}

/// The same at the start; where nothing slips yet, against the friction that can't hold it.
fn sliding_sign(model: &Model, x: &Vector<f64>, place: Place) -> f64 {
    if model.scene.law.friction_coefficient() == 0.0 {
        return 0.0;
    }
    let still = x.map(constant);
    let slip = model.slip(&still).0[0];
    if slip != 0.0 {
        return slip.signum();
    }
    let held = if model.lever() > 0.0 { Mode::Rolling } else { Mode::Resting };
    -model.contact(place, held, constant(0.0), &still).friction_force.0[0].signum()
}
