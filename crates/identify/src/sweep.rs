//! Sensitivities along a run.

use curves::Place;
use mechanics::Mode;
use supervisor::{Capture, Event, EventKind, Start};

use crate::crossing::Crossing;
use crate::gragg::Gragg;
use crate::model::{Phase, Vector, along, constant, slope, value};
use crate::trace::mode_of;
use crate::{Family, Mark, Model, Trace, capture};

/// Below this part of the velocity the approach to a touch is grazing, and below this part of what an event's condition
/// is made of its rate.
const GRAZING: f64 = 1e-3;

/// The ball at a time that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// s
    pub time: f64,
    /// Its phase.
    pub phase: supervisor::Phase,
    /// `x, y, vx, vy, ω, φ` (m, m/s, rad/s, rad).
    pub state: [f64; 6],
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
    /// Of the state just before it, `x, y, vx, vy, ω, φ`, at fixed time.
    pub before_by: Vec<[f64; 6]>,
    /// Of the state just after it, at fixed time.
    pub after_by: Vec<[f64; 6]>,
    /// How squarely the path meets the event, 0 … 1: `|v·n|/‖v‖` for a touch, else `|ġ|` over the sum of the sizes of its
    /// terms. Derivatives grow as its inverse.
    pub transversality: f64,
    /// The derivatives say little of a finite change: a touch that grazes (transversality below 1e-3 and the ground
    /// bending towards the path), or an event whose condition hardly changes sign.
    pub grazing: bool,
}

/// What [`sweep`] finds.
#[derive(Clone, Debug, PartialEq)]
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
    /// The ball rolls from one piece of the ground to another.
    #[error(
        "at t = {time:?} s the ball slides or rolls from one piece of the ground to another, which sensitivities don't follow"
    )]
    Pieces {
        /// s
        time: f64,
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
    let mut sweep = Sweep::begin(family, trace)?;
    let mut samples = Vec::with_capacity(times.len());
    let mut events = Vec::new();
    let mut times = times.iter().copied().filter(|t| *t <= trace.end).peekable();
    for mark in &trace.marks {
        match mark {
            Mark::Event(event) => {
                while let Some(time) = times.next_if(|t| *t < event.time()) {
                    sweep.go(time)?;
                    samples.push(sweep.observe());
                }
                sweep.go(event.time())?;
                events.extend(sweep.cross(event)?);
            }
            Mark::Capture(capture) => {
                let begun = Begun { time: sweep.time, x: sweep.x, by: sweep.by.clone() };
                sweep.capture = Some((*capture, begun));
            }
        }
    }
    for time in times {
        sweep.go(time)?;
        samples.push(sweep.observe());
    }
    Ok(Sensitivities { samples, events })
}

struct Sweep<'a> {
    family: &'a Family,
    time: f64,
    phase: Phase,
    x: Vector<f64>,
    /// By each parameter, at fixed time.
    by: Vec<Vector<f64>>,
    /// Of the last impact: by each parameter, its time and its contact point.
    touch: Vec<[f64; 2]>,
    /// The contact point itself.
    point: f64,
    /// Summed-up bounces under way.
    capture: Option<(Capture, Begun)>,
    gragg: Gragg,
    /// State and derivatives in one.
    packed: Vec<f64>,
}

/// `Ṡ` by one parameter.
fn rates_by(family: &Family, phase: Phase, time: f64, x: &Vector<f64>, j: usize, by: &Vector<f64>) -> Vector<f64> {
    let time = constant(time);
    let carried = slope(&family.base().rates(phase, time, &along(x, by)));
    if family.moves_as(j)[usize::from(phase != Phase::Flight)] {
        return carried;
    }
    let own = family.by(j, |model| value(&model.rates(phase, time, &x.map(constant))));
    std::array::from_fn(|i| carried[i] + own[i])
}

/// Where summed-up bounces begin.
struct Begun {
    time: f64,
    x: Vector<f64>,
    by: Vec<Vector<f64>>,
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
    fn begin(family: &'a Family, trace: &Trace) -> Result<Self, SweepError> {
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
        let count = family.parameters();
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
            gragg: Gragg::new(length),
            packed: vec![0.0; length],
        })
    }

    fn base(&self) -> &'a Model {
        self.family.base()
    }

    /// Follows the phase to a time.
    fn go(&mut self, time: f64) -> Result<(), SweepError> {
        if !(time > self.time) {
            return Ok(());
        }
        let (family, phase) = (self.family, self.phase);
        self.packed[..6].copy_from_slice(&self.x);
        for (group, by) in self.packed[6..].chunks_mut(6).zip(&self.by) {
            group.copy_from_slice(by);
        }
        let mut rates = |t: f64, z: &[f64], out: &mut [f64]| {
            let x: Vector<f64> = std::array::from_fn(|i| z[i]);
            let time = constant(t);
            out[..6].copy_from_slice(&value(&family.base().rates(phase, time, &x.map(constant))));
            for (j, (group, out)) in z[6..].chunks(6).zip(out[6..].chunks_mut(6)).enumerate() {
                let direction = std::array::from_fn(|i| group[i]);
                out.copy_from_slice(&rates_by(family, phase, t, &x, j, &direction));
            }
        };
        let went = self.gragg.advance(&mut self.packed, self.time, time, &mut rates);
        went.map_err(|time| SweepError::Rough { time })?;
        self.x = std::array::from_fn(|i| self.packed[i]);
        for (by, group) in self.by.iter_mut().zip(self.packed[6..].chunks(6)) {
            by.copy_from_slice(group);
        }
        self.time = time;
        if let Phase::Contact { place, .. } = self.phase {
            let range = self.base().scene.ground.range(place);
            let slack = 1e-9 * (1.0 + self.x[0].abs());
            if !(range.lo - slack <= self.x[0] && self.x[0] <= range.hi + slack) {
                return Err(SweepError::Pieces { time });
            }
        }
        Ok(())
    }

    /// What is seen now.
    fn observe(&self) -> Observation {
        let Sweep { phase, time, .. } = *self;
        let state = value(&self.base().seen(phase, time, &self.x.map(constant)));
        let by = self.seen_by();
        let phase = match phase {
            Phase::Flight => supervisor::Phase::Flight,
            Phase::Contact { mode, .. } => mode.into(),
        };
        Observation { time, phase, state, by }
    }

    fn seen_by(&self) -> Vec<[f64; 6]> {
        let Sweep { family, phase, time, x, .. } = self;
        let seen = |(j, by): (usize, &Vector<f64>)| {
            let carried = slope(&self.base().seen(*phase, *time, &along(x, by)));
            let own = family.by(j, |model| value(&model.seen(*phase, *time, &x.map(constant))));
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
        if let Phase::Contact { place, .. } = self.phase
            && !place.same_feature(event.place)
        {
            return Err(SweepError::Pieces { time: event.time() });
        }
        let before_by = self.seen_by();
        let capture = self.capture.take().filter(|_| event.kind == EventKind::Landing);
        let (time_by, transversality, grazing) = match capture {
            Some((capture, begun)) => (self.land(&capture, &begun, event), 1.0, false),
            None => self.salt(event)?,
        };
        self.gragg.restart();
        let after_by = self.seen_by();
        Ok(Some(EventSensitivity {
            event: *event,
            time: self.time,
            time_by,
            before_by,
            after_by,
            transversality,
            grazing,
        }))
    }

    /// An event by its condition and its reset: δt of each parameter, and how squarely it is met.
    fn salt(&mut self, event: &Event) -> Result<(Vec<f64>, f64, bool), SweepError> {
        let (family, base, before, time) = (self.family, self.base(), self.phase, self.time.max(event.time()));
        let fixed = constant(time);
        let mut x = self.x;
        let still = x.map(constant);
        let f_before = value(&base.rates(before, fixed, &still));
        let friction = match before {
            Phase::Contact { place, mode } => base.contact(place, mode, fixed, &still).friction_force.0[0],
            Phase::Flight => 0.0,
        };
        let sign = match before {
            Phase::Contact { mode: Mode::Sliding { sign }, .. } => -sign,
            Phase::Contact { .. } => -friction.signum(),
            Phase::Flight => slip_sign(base, event),
        };
        let after = phase_at(event.phase_after, event.place, sign);
        let unknown = SweepError::Kind { time, kind: event.kind, from: event.phase_before, to: event.phase_after };
        let crossing = Crossing::of(base, event, before, after, friction).ok_or(unknown)?;

        // ġ, and the sizes of its terms.
        let [t0, t1] = [constant(time), curves::Taylor([time, 1.0])];
        let condition = |model: &Model, t, x: &_| crossing.condition(model, before, event, t, x);
        let rate = condition(base, t1, &along(&x, &f_before)).0[1];
        let unit = |i: usize| std::array::from_fn(|k| if k == i { f_before[i] } else { 0.0 });
        let terms = (0..6).map(|i| condition(base, t0, &along(&x, &unit(i))).0[1].abs());
        let size = condition(base, t1, &still).0[1].abs() + terms.sum::<f64>();
        if rate == 0.0 || !rate.is_finite() {
            return Err(SweepError::Touch { time, kind: event.kind });
        }
        // The run's own error: the condition is met a little before or after.
        let late = -condition(base, t0, &still).0[0] / rate;
        let time = time + late;
        for (x, rate) in x.iter_mut().zip(&f_before) {
            *x += rate * late;
        }
        for (j, by) in self.by.iter_mut().enumerate() {
            let rates = rates_by(family, before, time, &x, j, by);
            (0..6).for_each(|i| by[i] += rates[i] * late);
        }
        let still = x.map(constant);
        let t0 = constant(time);
        let touches = matches!(crossing, Crossing::Impact { .. });
        let transversality = if touches { rate.abs() / event.before.velocity.norm() } else { rate.abs() / size };
        // A path that bends away from the ground may come to miss it; one that falls on it will not.
        let bends = !touches || {
            let force = base.scene.forces.force_at(&event.before);
            let along = event.before.velocity.dot(&event.frame.tangent);
            force.dot(&event.frame.normal) / base.scene.ball.mass() > event.frame.curvature * along * along
        };

        let place = event.place;
        let s = match before {
            Phase::Flight => {
                let frame = base.scene.ground.frame(place);
                let off = nalgebra::Vector2::new(x[0], x[1]) - frame.position;
                place.parameter() + off.dot(&frame.tangent) / frame.speed
            }
            Phase::Contact { .. } => x[0],
        };
        let next = value(&crossing.reset(base, place, constant(s), &still));
        let f_after = value(&base.rates(after, t0, &next.map(constant)));
        let frame = base.frame(place, constant(s));
        self.point = s;
        let mut time_by = Vec::with_capacity(self.by.len());
        for j in 0..self.by.len() {
            let own = family.by(j, |model| [condition(model, t0, &still).0[0]])[0];
            let late = -(condition(base, t0, &along(&x, &self.by[j])).0[1] + own) / rate;
            let moved: Vector<f64> = std::array::from_fn(|i| self.by[j][i] + f_before[i] * late);
            // Where the contact point goes; in contact it is the state's own.
            let point = match before {
                Phase::Flight => {
                    let own = family.by(j, |model| value(&model.frame(place, constant(s)).position));
                    let [tx, ty] = value(&frame.tangent);
                    (tx * (moved[0] - own[0]) + ty * (moved[1] - own[1])) / frame.speed.0[0]
                }
                Phase::Contact { .. } => moved[0],
            };
            let carried = slope(&crossing.reset(base, place, curves::Taylor([s, point]), &along(&x, &moved)));
            let own = family.by(j, |model| value(&crossing.reset(model, place, constant(s), &still)));
            self.by[j] = std::array::from_fn(|i| carried[i] + own[i] - f_after[i] * late);
            self.touch[j] = [late, point];
            time_by.push(late);
        }
        (self.x, self.phase, self.time) = (next, after, time);
        Ok((time_by, transversality, bends && transversality < GRAZING))
    }

    /// The end of summed-up bounces that the last impact began.
    fn land(&mut self, capture: &Capture, start: &Begun, event: &Event) -> Vec<f64> {
        let (family, base) = (self.family, self.base());
        let begun = start.time;
        let still = start.x.map(constant);
        let s = self.point;
        let f_before = value(&base.rates(Phase::Flight, constant(begun), &still));
        let after = phase_at(event.phase_after, event.place, slip_sign(base, event));
        let jump = capture::jump(base, capture, constant(begun), constant(s), &still);
        let (time, next) = (begun + jump.duration.0[0], value(&jump.after));
        let f_after = value(&base.rates(after, constant(time), &next.map(constant)));
        let mut time_by = Vec::with_capacity(self.by.len());
        for j in 0..self.by.len() {
            let [late, point] = self.touch[j];
            let moved = std::array::from_fn(|i| start.by[j][i] + f_before[i] * late);
            let from = curves::Taylor([begun, late]);
            let jumped = capture::jump(base, capture, from, curves::Taylor([s, point]), &along(&start.x, &moved));
            let own = family.by(j, |model| {
                let jump = capture::jump(model, capture, constant(begun), constant(s), &still);
                let [s, speed, spin, angle, ..] = value(&jump.after);
                [s, speed, spin, angle, jump.duration.0[0]]
            });
            let late = late + jumped.duration.0[1] + own[4];
            let carried = slope(&jumped.after);
            self.by[j] = std::array::from_fn(|i| {
                let own = if i < 4 { own[i] } else { 0.0 };
                carried[i] + own - f_after[i] * late
            });
            time_by.push(late);
        }
        (self.x, self.phase, self.time) = (next, after, time);
        time_by
    }
}

fn phase_at(phase: supervisor::Phase, place: Place, sign: f64) -> Phase {
    mode_of(phase, sign).map_or(Phase::Flight, |mode| Phase::Contact { place, mode })
}

/// Which way the contact point slips after an event that begins contact; 0 without friction.
fn slip_sign(model: &Model, event: &Event) -> f64 {
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
