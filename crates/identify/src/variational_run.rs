//! A run followed with its derivatives from event to event.

use curves::{Beyond, Frame, Place};
use mechanics::{ContactForces, Mode, State};
use numbers::Taylor;
use supervisor::{Capture, Event, EventKind};

use crate::dual_equations_of_motion::{SweepPhase, Vector, along, constant, slope, value};
use crate::event_rules::edge;
use crate::gragg::{Gragg, Precision};
use crate::{Family, Model, Trace};

/// Largest distance of a joint in the run from its place in this integration, relative to 1 + s and 1 + t.
const JOINT: f64 = 1e-6;

/// The ball at a time, with derivatives.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// Time, s.
    pub time: f64,
    /// Phase of the ball.
    pub phase: supervisor::Phase,
    /// State `x, y, vx, vy, ω, φ` (m, m/s, rad/s, rad).
    pub state: [f64; 6],
    /// Rates of the state (m/s, m/s², rad/s², rad/s).
    pub rates: [f64; 6],
    /// λ, N; 0 in flight.
    pub normal_force: f64,
    /// Derivatives of the state by each parameter at fixed time.
    pub by: Vec<[f64; 6]>,
}

/// Reason why there are no sensitivities.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SweepError {
    /// Compliant contact.
    #[error("sensitivities go through rigid contact only, and at t = {time:?} s the ball is compressed")]
    Compliant {
        /// Time, s.
        time: f64,
    },
    /// Curves that move against each other.
    #[error("sensitivities know ground that moves as a whole, and here curves move against each other")]
    Parts,
    /// The ball is not on the piece where the run has it.
    #[error("at t = {time:?} s the ball is on another piece of the ground than in the run")]
    Pieces {
        /// Time, s.
        time: f64,
    },
    /// Two contacts at once.
    #[error("at t = {time:?} s the ball touches the ground in two places at once, which sensitivities don't follow")]
    TwoContacts {
        /// Time, s.
        time: f64,
    },
    /// A law of impact without derivatives.
    #[error(
        "at t = {time:?} s the ball bounces by the impact law \"{law}\", of which no derivatives are known: take `impact = \"newton\"`"
    )]
    ImpactLaw {
        /// Time, s.
        time: f64,
        /// Name of the law.
        law: &'static str,
    },
    /// The caller's flag ended it.
    #[error("sensitivities were ended from outside, at t = {time:?} s")]
    Ended {
        /// Time, s.
        time: f64,
    },
    /// Models whose grounds have other pieces, or other joints.
    #[error("parameter {index} changes how many pieces the ground has, or whether one goes on smoothly in the next")]
    Shape {
        /// Index of the parameter.
        index: usize,
    },
    /// An event of a kind without derivatives.
    #[error("the {} at t = {time:?} s has no derivative: from {} to {}", kind.name(), from.name(), to.name())]
    Kind {
        /// Time, s.
        time: f64,
        /// Kind of the event.
        kind: EventKind,
        /// Phase before the event.
        from: supervisor::Phase,
        /// Phase after the event.
        to: supervisor::Phase,
    },
    /// An event whose condition does not change along the path.
    #[error("the {} at t = {time:?} s is met at rate 0: its time has no derivative", kind.name())]
    Touch {
        /// Time, s.
        time: f64,
        /// Kind of the event.
        kind: EventKind,
    },
    /// The motion could not be integrated.
    #[error("beyond t = {time:?} s the force is too rough for the variational equations")]
    Rough {
        /// Time, s.
        time: f64,
    },
    /// Models that start on different pieces of the ground.
    #[error("parameter {index} moves the start to another piece of the ground, or off it")]
    Start {
        /// Index of the parameter.
        index: usize,
    },
}

/// Derivatives of an event by the parameters.
#[derive(Clone, Debug)]
pub(crate) struct Saltation {
    /// Delays δt by each parameter.
    pub time_by: Vec<f64>,
    /// See [`crate::EventSensitivity`].
    pub transversality: f64,
    pub grazing: bool,
}

/// The last joint passed.
#[derive(Clone, Debug)]
pub(crate) struct Passed {
    /// Time, s.
    pub time: f64,
    pub shift: Saltation,
    /// The ball just before it.
    pub before: Observation,
}

/// The flight after an impact, with the ball at that impact.
#[derive(Clone, Debug)]
pub(crate) struct Hop {
    /// Time of the impact, s.
    pub time: f64,
    /// Piece or corner hit, and its parameter.
    pub place: Place,
    pub s: f64,
    /// State after the impact, and its derivatives by each parameter.
    pub x: Vector<f64>,
    pub by: Vec<Vector<f64>>,
    /// `∂gap` by each parameter, m: `−v_n⁺ δt`, since the gap is zero at the moved impact.
    pub gap_by: Vec<f64>,
}

/// A run with its derivatives, at the current time.
pub(crate) struct RunSweep<'a> {
    pub family: &'a Family,
    pub time: f64,
    pub phase: SweepPhase,
    pub x: Vector<f64>,
    /// Derivatives of the state by each parameter, at fixed time.
    pub by: Vec<Vector<f64>>,
    /// Derivatives `[time, parameter of the contact point]` of the last event, by each parameter.
    pub moved_by: Vec<[f64; 2]>,
    /// Parameter of the contact point at the last event.
    pub point: f64,
    /// Summed-up bounces under way.
    pub capture: Option<(Capture, JumpStart)>,
    /// The last joint passed since the last event.
    pub joint: Option<Passed>,
    /// The flight since the last impact.
    pub hop: Option<Hop>,
    pub gragg: Gragg,
    /// Workspace: state and derivatives in one vector.
    pub packed: Vec<f64>,
}

/// The variational equations at a state.
pub(crate) struct Variation<'a> {
    family: &'a Family,
    phase: SweepPhase,
    time: f64,
    x: Vector<f64>,
    /// Rates `ẋ`.
    pub rates: Vector<f64>,
    /// `D_x f`
    columns: [Vector<f64>; 6],
}

impl<'a> Variation<'a> {
    pub fn of(family: &'a Family, phase: SweepPhase, time: f64, x: &Vector<f64>) -> Self {
        let (rates, columns) = family.base().linear(phase, time, x);
        Variation { family, phase, time, x: *x, rates, columns }
    }

    /// `Ṡ = D_x f S + ∂_p f` of one parameter.
    pub fn by(&self, j: usize, by: &[f64]) -> Vector<f64> {
        let Variation { family, phase, time, x, .. } = self;
        let same = family.moves_as(j)[usize::from(*phase != SweepPhase::Flight)];
        let mut rates = if same { [0.0; 6] } else { family.by(j, |model| model.motion(*phase, *time, x)) };
        for (column, by) in self.columns.iter().zip(by) {
            for (rate, slope) in rates.iter_mut().zip(column) {
                *rate += slope * by;
            }
        }
        rates
    }
}

/// Writes the rates of state and derivatives that are in one vector.
pub(crate) fn packed_rates(family: &Family, phase: SweepPhase, time: f64, z: &[f64], out: &mut [f64]) {
    let variation = Variation::of(family, phase, time, &std::array::from_fn(|i| z[i]));
    out[..6].copy_from_slice(&variation.rates);
    for (j, (by, out)) in z[6..].chunks(6).zip(out[6..].chunks_mut(6)).enumerate() {
        out.copy_from_slice(&variation.by(j, by));
    }
}

/// Time, state and derivatives where a reset, or summed-up bounces, begin.
pub(crate) struct JumpStart {
    pub time: f64,
    pub x: Vector<f64>,
    pub by: Vec<Vector<f64>>,
}

/// State at the start in the layout of the run's first phase; `None`: the start is on another piece or corner.
fn begin(model: &Model, phase: SweepPhase) -> Option<Vector<f64>> {
    let (near, state) = model.start.ball(&model.scene);
    let State { position: q, velocity: v, spin, angle, .. } = state;
    let SweepPhase::Contact { place, mode } = phase else { return Some([q.x, q.y, v.x, v.y, spin, angle]) };
    let speed = v.dot(&model.scene.ground.frame(near).tangent);
    let spin = if mode.rolls() { model.scene.ball.stuck(speed, spin)[1] } else { spin };
    near.same_feature(place).then_some([near.parameter(), speed, spin, angle, 0.0, 0.0])
}

impl<'a> RunSweep<'a> {
    pub fn begin(family: &'a Family, count: usize, precision: Precision, trace: &Trace) -> Result<Self, SweepError> {
        let base = family.base();
        if base.scene.compliance.is_some() {
            return Err(SweepError::Compliant { time: 0.0 });
        }
        if !base.scene.parts.is_empty() {
            return Err(SweepError::Parts);
        }
        let (place, state) = base.start.ball(&base.scene);
        let frame = base.scene.ground.frame(place);
        let phase = phase_at(trace.first(), base, place, &frame, &state);
        let x = begin(base, phase).ok_or(SweepError::Start { index: 0 })?;
        let pieces = |model: &Model| model.scene.ground.ground().pieces().len();
        if let Some(index) = (0..count).find(|j| family.neighbours(*j).any(|model| pieces(model) != pieces(base))) {
            return Err(SweepError::Shape { index });
        }
        if let Some(index) = (0..count).find(|j| family.neighbours(*j).any(|model| begin(model, phase).is_none())) {
            return Err(SweepError::Start { index });
        }
        let by = (0..count).map(|j| family.by(j, |model| begin(model, phase).unwrap_or(x))).collect();
        let length = 6 * (1 + count);
        Ok(RunSweep {
            family,
            time: state.time,
            phase,
            x,
            by,
            moved_by: vec![[0.0; 2]; count],
            point: 0.0,
            capture: None,
            joint: None,
            hop: None,
            gragg: Gragg::new(family.sizes[..count].to_vec(), precision),
            packed: vec![0.0; length],
        })
    }

    pub fn base(&self) -> &'a Model {
        self.family.base()
    }

    /// State and derivatives now, in the frame at rest.
    pub fn observe(&self) -> Observation {
        let RunSweep { phase, time, .. } = *self;
        let (base, still) = (self.base(), self.x.map(constant));
        let f = base.motion(phase, time, &self.x);
        let seen = base.seen(phase, Taylor([time, 1.0]), &along(&self.x, &f));
        let by = self.seen_by();
        let (phase, normal_force) = match phase {
            SweepPhase::Flight => (supervisor::Phase::Flight, 0.0),
            SweepPhase::Contact { place, mode } => {
                (mode.into(), base.contact(place, mode, constant(time), &still).forces.normal_force.0[0])
            }
        };
        Observation { time, phase, state: value(&seen), rates: slope(&seen), normal_force, by }
    }

    /// Derivatives of the observed state by each parameter: through the state, and of the observation itself.
    fn seen_by(&self) -> Vec<[f64; 6]> {
        let RunSweep { family, phase, time, x, .. } = self;
        let seen = |(j, by): (usize, &Vector<f64>)| {
            let carried = slope(&self.base().seen(*phase, constant(*time), &along(x, by)));
            if family.looks_as(j)[usize::from(*phase != SweepPhase::Flight)] {
                return carried;
            }
            let own = family.by(j, |model| value(&model.seen(*phase, constant(*time), &x.map(constant))));
            std::array::from_fn(|i| carried[i] + own[i])
        };
        self.by.iter().enumerate().map(seen).collect()
    }
}

/// The phase after an event.
pub(crate) fn phase_after(model: &Model, event: &Event) -> SweepPhase {
    phase_at(event.phase_after, model, event.place, &event.frame, &event.after)
}

/// A phase of the run as a [`SweepPhase`], with the mode that follows from the state on this frame.
fn phase_at(phase: supervisor::Phase, model: &Model, place: Place, frame: &Frame, state: &State) -> SweepPhase {
    let (law, speed) = (model.scene.law_at(place), state.velocity.dot(&frame.tangent));
    let force = model.scene.forces.force_at(state);
    let mode = match phase {
        supervisor::Phase::Sliding => {
            let ball = &model.scene.ball;
            let held = ContactForces::at(ball, law, frame, force, speed, Mode::Resting).friction_force;
            Mode::sliding(ball, law, speed, ball.slip_velocity(speed, state.spin), held)
        }
        supervisor::Phase::Rolling => Mode::rolling(law, speed, force.dot(&frame.tangent)),
        supervisor::Phase::Resting => Mode::Resting,
        supervisor::Phase::Flight | supervisor::Phase::Compressed => return SweepPhase::Flight,
    };
    SweepPhase::Contact { place, mode }
}

impl RunSweep<'_> {
    /// Puts state and derivatives in one vector.
    pub fn pack(&mut self) {
        self.packed[..6].copy_from_slice(&self.x);
        for (group, by) in self.packed[6..].chunks_mut(6).zip(&self.by) {
            group.copy_from_slice(by);
        }
    }

    /// Takes state and derivatives from that vector.
    pub fn unpack(&mut self) {
        self.x = std::array::from_fn(|i| self.packed[i]);
        for (by, group) in self.by.iter_mut().zip(self.packed[6..].chunks(6)) {
            by.copy_from_slice(group);
        }
    }

    /// Integrates state and derivatives to a time (s).
    pub fn go(&mut self, until: f64) -> Result<(), SweepError> {
        self.gragg.allow();
        let RunSweep { family, phase, .. } = *self;
        self.pack();
        let mut rates = |t: f64, z: &[f64], out: &mut [f64]| packed_rates(family, phase, t, z, out);
        while self.time < until {
            if self.base().scene.is_ended() {
                return Err(SweepError::Ended { time: self.time });
            }
            let then = self.gragg.step(&mut self.packed, self.time, until, &mut rates);
            self.time = then.map_err(|time| SweepError::Rough { time })?;
        }
        self.unpack();
        let SweepPhase::Contact { place, .. } = phase else { return Ok(()) };
        let range = self.base().scene.ground.range(place);
        let slack = JOINT * (1.0 + self.x[0].abs());
        let inside = range.lo - slack <= self.x[0] && self.x[0] <= range.hi + slack;
        if inside { Ok(()) } else { Err(SweepError::Pieces { time: self.time }) }
    }

    /// Crosses joints, all where the ball is now (to [`JOINT`]), until it is on the piece or corner of `place`.
    pub fn reach(&mut self, place: Place) -> Result<(), SweepError> {
        while let SweepPhase::Contact { place: own, .. } = self.phase
            && !own.same_feature(place)
        {
            let lost = SweepError::Pieces { time: self.time };
            let speed = self.base().motion(self.phase, self.time, &self.x)[0];
            let forward = speed > 0.0;
            let away = ((edge(self.base(), own, forward) - self.x[0]) / speed).abs();
            let near = away <= JOINT * (1.0 + self.time);
            match self.base().scene.ground.beyond(own, forward) {
                Beyond::Place(next) if near => self.hop(own, forward, next)?,
                _ => return Err(lost),
            }
        }
        Ok(())
    }

    /// Passes the joint from `own` to `next`, and keeps it as the last one passed.
    fn hop(&mut self, own: Place, forward: bool, next: Place) -> Result<(), SweepError> {
        // In a neighbouring model this joint may be of another kind.
        let goes_on = |model: &Model| matches!(model.scene.ground.beyond(own, forward), Beyond::Place(there) if there.same_feature(next));
        if let Some(index) = (0..self.by.len()).find(|j| !self.family.neighbours(*j).all(goes_on)) {
            return Err(SweepError::Shape { index });
        }
        let before = self.observe();
        let shift = self.pass_joint(forward, next)?;
        self.joint = Some(Passed { time: self.time, shift, before });
        Ok(())
    }
}
