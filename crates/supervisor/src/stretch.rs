//! The motion over a stretch of time, as its method made it: dense output.

use std::cell::OnceCell;

use curves::{Path, Touched};
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

/// Parts of a stretch whose ends are looked at.
const PARTS: u32 = 8;
/// Narrowings by the golden section: what is left of two parts is 1e-9 of them.
const NARROWINGS: u32 = 43;
/// Golden section 1/φ.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// A number of a run, and when it has that value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// Value of the number.
    pub value: f64,
    /// Time, s.
    pub time: f64,
}

impl Extreme {
    /// The one that is greater, `sign` being 1, or lesser, −1; of equals this one.
    pub fn beyond(self, other: Extreme, sign: f64) -> Extreme {
        if sign * other.value > sign * self.value { other } else { self }
    }
}

impl Stretch<'_> {
    /// The smallest and the largest λ (N): at the ends of its eighths, and where one of those in between stands out, about it. Steps
    /// by a tolerance have seen what acts along them, so that between eighths there is no more.
    pub fn normal_force_range(&self) -> [Extreme; 2] {
        match self.course() {
            Course::Flight(_) | Course::Jump(_) => [Extreme { value: 0.0, time: self.from() }; 2],
            Course::Compressed(_, step, pressing) => match self.scene().compressed(pressing) {
                // Between the nodes of its step, which has a time of its own.
                Some(system) => range([0.0, 1.0], |part| {
                    let state = match part {
                        0.0 => step.start,
                        1.0 => step.end,
                        _ => step.near(part),
                    };
                    Extreme { value: system.forces_at(&state).0.normal_force, time: state.time.min(self.to()) }
                }),
                None => [Extreme { value: 0.0, time: self.from() }; 2],
            },
            _ => range([self.from(), self.to()], |time| Extreme { value: self.normal_force(time), time }),
        }
    }

    /// The largest speed of the centre, seen from what stands still, m/s.
    pub fn top_speed(&self) -> Extreme {
        let at = |time: f64| Extreme { value: self.world(time).velocity.norm(), time };
        let most = || at(self.from()).beyond(at(self.to()), 1.0);
        match self.course() {
            // Made anew at each time, and short.
            Course::Compressed(..) => most(),
            // Its square is a parabola that opens upwards.
            Course::Flight(step) if step.path().is_some_and(Path::is_parabola) => most(),
            _ => range([self.from(), self.to()], at)[1],
        }
    }
}

/// The least and greatest of a function.
fn range([from, to]: [f64; 2], at: impl Fn(f64) -> Extreme) -> [Extreme; 2] {
    let place = |i: u32| if i == PARTS { to } else { from + (to - from) * f64::from(i) / f64::from(PARTS) };
    let looks: [Extreme; PARTS as usize + 1] = std::array::from_fn(|i| at(place(i as u32)));
    [-1.0, 1.0].map(|sign| {
        let mut best = 0;
        for (i, look) in looks.iter().enumerate() {
            if sign * look.value > sign * looks[best].value {
                best = i;
            }
        }
        if best == 0 || best == PARTS as usize {
            return looks[best];
        }
        let (mut lo, mut hi) = (place(best as u32 - 1), place(best as u32 + 1));
        let mut found = looks[best];
        for _ in 0..NARROWINGS {
            let (a, b) = (hi - GOLDEN * (hi - lo), lo + GOLDEN * (hi - lo));
            let (left, right) = (at(a), at(b));
            found = found.beyond(left, sign).beyond(right, sign);
            if sign * left.value > sign * right.value {
                hi = b;
            } else {
                lo = a;
            }
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A parabola has its top inside; a line at its end, without a narrowing.
    #[test]
    fn tops() {
        let looks = std::cell::Cell::new(0);
        let of = |f: &dyn Fn(f64) -> f64| {
            range([0.0, 2.0], |time| {
                looks.set(looks.get() + 1);
                Extreme { value: f(time), time }
            })
        };
        let [least, greatest] = of(&|t| -(t - 0.3).powi(2));
        assert!((greatest.time - 0.3).abs() < 1e-7 && greatest.value <= 0.0 && greatest.value > -1e-14);
        assert_eq!((least.time, least.value), (2.0, -1.7f64.powi(2)));
        looks.set(0);
        assert_eq!(of(&|t| t).map(|extreme| extreme.time), [0.0, 2.0]);
        assert_eq!(looks.get(), 9);
    }
}
