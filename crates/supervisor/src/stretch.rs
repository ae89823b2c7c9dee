//! The motion over a stretch of time, as its method made it: dense output.

use std::cell::OnceCell;

use curves::Touched;
use flight::FlightStep;
use mechanics::{Mode, State};
use numbers::{Interval, Taylor};
use rolling::{Compressed, CompressedStep, ContactState, ContactStep, ContactSystem, Dense};

use crate::locate::at_time;
use crate::wedged::Wedged;
use crate::{Capture, Phase, Sample, Scene};

/// The motion from one time to another within one step, at every time in between.
pub struct Stretch<'a> {
    scene: &'a Scene,
    from: f64,
    to: f64,
    course: Course<'a>,
    /// Index of the part of the ground by which the ball is followed.
    part: usize,
    /// Place that the ball last touched when the stretch begins.
    last: Touched,
    /// Dense output of a step of contact, made when first asked for.
    dense: OnceCell<Dense>,
}

/// Motion that a stretch is taken from.
#[derive(Clone, Copy)]
pub(crate) enum Course<'a> {
    Flight(&'a FlightStep),
    /// Bounces that are summed up.
    Jump(&'a Capture),
    Contact(&'a ContactStep, Mode),
    Rest(&'a ContactState),
    Wedged(&'a Wedged),
    /// `bool`: the law pushes.
    Compressed(&'a Compressed, &'a CompressedStep, bool),
}

/// A [`Stretch`] of its own, without the scene.
#[derive(Clone, Debug)]
pub struct KeptStretch {
    from: f64,
    to: f64,
    /// Index of the part of the ground.
    part: usize,
    last: Touched,
    course: KeptCourse,
}

#[derive(Clone, Debug)]
enum KeptCourse {
    Flight(Box<FlightStep>),
    Jump(Box<Capture>),
    Contact(Box<ContactStep>, Mode),
    Rest(Box<ContactState>),
    Wedged(Box<Wedged>),
    Compressed(Box<(Compressed, CompressedStep)>, bool),
}

impl<'a> Stretch<'a> {
    /// A stretch of a ball that is followed by a `part` of the ground, whose last touches are `last` when it begins. Moving one costs as
    /// much as its dense output is large.
    #[inline(always)]
    pub(crate) fn new(scene: &'a Scene, [from, to]: [f64; 2], course: Course<'a>, part: usize, last: Touched) -> Self {
        Stretch { scene, from, to, course, part, last, dense: OnceCell::new() }
    }

    /// The stretch up to a time (s) of it.
    pub(crate) fn until(&self, to: f64) -> Self {
        Stretch::new(self.scene, [self.from, to], self.course, self.part, self.last)
    }

    pub(crate) fn scene(&self) -> &'a Scene {
        self.scene
    }

    pub(crate) fn course(&self) -> Course<'a> {
        self.course
    }

    /// Dense output of the step of contact that the stretch is taken from.
    pub(crate) fn dense(&self, step: &ContactStep, mode: Mode) -> &Dense {
        self.dense.get_or_init(|| step.dense(&self.scene.system(mode, step.start.place)))
    }

    /// Begin of the stretch, s.
    pub fn from(&self) -> f64 {
        self.from
    }

    /// End of the stretch, s.
    pub fn to(&self) -> f64 {
        self.to
    }

    /// The phase, which is one over the whole of it.
    pub fn phase(&self) -> Phase {
        match self.course {
            Course::Flight(_) | Course::Jump(_) => Phase::Flight,
            Course::Contact(_, mode) => mode.into(),
            Course::Rest(_) => Phase::Resting,
            Course::Wedged(wedged) => wedged.phase(self.scene),
            Course::Compressed(..) => Phase::Compressed,
        }
    }

    /// The bounces that are summed up, if it is that.
    pub fn jump(&self) -> Option<Capture> {
        if let Course::Jump(capture) = self.course { Some(self.scene.reported_capture(capture)) } else { None }
    }

    /// The ball at a time (s) of it.
    pub fn at(&self, time: f64) -> Sample {
        self.scene.reported_sample(self.seen(time))
    }

    /// The ball at a time (s), as the part of the ground sees it by which it is followed.
    pub(crate) fn seen(&self, time: f64) -> Sample {
        let scene = self.scene;
        let sample = match self.course {
            Course::Flight(step) => scene.flying(step.at(&scene.forces, time - step.start().time)),
            Course::Jump(capture) => {
                let acceleration = capture.frame.tangent * capture.acceleration - capture.frame.normal * capture.pull;
                Sample::in_flight(capture.at(time - capture.start.time), acceleration)
            }
            Course::Contact(step, mode) => {
                let (system, dense) = (scene.system(mode, step.start.place), self.dense(step, mode));
                let t = time - step.start.time;
                let mut state = dense.at(&system, t);
                (state.dissipated, state.work) = dense.ledger(&system, t);
                let sample = Sample::in_contact(&system, &state);
                match step.multiplier(&system, t) {
                    Some(own) => sample.with_multiplier(&system, &state.frame, own),
                    None => sample,
                }
            }
            Course::Rest(state) => {
                let system = scene.system(Mode::Resting, state.place);
                Sample::in_contact(&system, &resting(&system, state, time))
            }
            Course::Wedged(wedged) => wedged.after(scene, time).sample(scene),
            Course::Compressed(method, step, pressing) => match scene.compressed(pressing) {
                Some(system) if time == step.start.time => Sample::compressed(&system, &step.start),
                Some(system) if time == step.end.time => Sample::compressed(&system, &step.end),
                Some(system) => Sample::compressed(&system, &at_time(&mut { *method }, &system, step, time)),
                None => scene.flying(step.start.state(&scene.ground)),
            },
        };
        sample.after(self.last, &scene.ground)
    }

    /// Place, velocity and spin of the ball at a time (s) of it, seen from what stands still; its ledger is that of the start.
    pub fn world(&self, time: f64) -> State {
        let Course::Contact(step, mode) = self.course else { return self.scene.world(&self.seen(time).state) };
        let system = self.scene.system(mode, step.start.place);
        self.scene.world(&self.dense(step, mode).moving(&system, time - step.start.time).state())
    }

    /// λ at a time (s) of it, N.
    pub(crate) fn normal_force(&self, time: f64) -> f64 {
        let Course::Contact(step, mode) = self.course else { return self.seen(time).normal_force };
        let (system, t) = (self.scene.system(mode, step.start.place), time - step.start.time);
        let own = step.multiplier(&system, t).map(|[normal, _]| normal);
        own.unwrap_or_else(|| self.dense(step, mode).at(&system, t).normal_force)
    }

    /// Encloses where the centre is between two times (s) of it, m, seen from what stands still.
    pub fn position_over(&self, from: f64, to: f64) -> Option<[Interval; 2]> {
        Some(self.over(from, to)?.position.map(|Taylor([range, _])| range))
    }

    /// Encloses λ between two times (s) of it, N; `None`: no enclosure of two contacts.
    pub fn normal_force_over(&self, from: f64, to: f64) -> Option<Interval> {
        Some(self.over(from, to)?.normal_force.0[0]).filter(|range| range.is_bounded())
    }

    /// The stretch without its scene, to be kept.
    pub fn keep(&self) -> KeptStretch {
        let course = match self.course {
            Course::Flight(step) => KeptCourse::Flight(Box::new(*step)),
            Course::Jump(capture) => KeptCourse::Jump(Box::new(*capture)),
            Course::Contact(step, mode) => KeptCourse::Contact(Box::new(*step), mode),
            Course::Rest(state) => KeptCourse::Rest(Box::new(*state)),
            Course::Wedged(wedged) => KeptCourse::Wedged(Box::new(*wedged)),
            Course::Compressed(method, step, pressing) => KeptCourse::Compressed(Box::new((*method, *step)), pressing),
        };
        KeptStretch { from: self.from, to: self.to, part: self.part, last: self.last, course }
    }
}

impl KeptStretch {
    /// The stretch in the scene it was made in.
    pub fn of<'a>(&'a self, scene: &'a Scene) -> Stretch<'a> {
        let course = match &self.course {
            KeptCourse::Flight(step) => Course::Flight(step),
            KeptCourse::Jump(capture) => Course::Jump(capture),
            KeptCourse::Contact(step, mode) => Course::Contact(step, *mode),
            KeptCourse::Rest(state) => Course::Rest(state),
            KeptCourse::Wedged(wedged) => Course::Wedged(wedged),
            KeptCourse::Compressed(both, pressing) => Course::Compressed(&both.0, &both.1, *pressing),
        };
        let scene = scene.part(self.part).with_strands(self.last);
        Stretch::new(scene, [self.from, self.to], course, self.part, self.last)
    }

    /// End of the stretch, s.
    pub fn to(&self) -> f64 {
        self.to
    }
}

/// A ball at rest at a later time. Without friction it may spin where it rests.
pub(crate) fn resting(system: &ContactSystem, state: &ContactState, time: f64) -> ContactState {
    let mut then = ContactState { time, angle: state.angle + state.spin * (time - state.time), ..*state };
    system.relabel(&mut then);
    then
}
