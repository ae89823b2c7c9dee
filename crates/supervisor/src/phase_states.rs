//! States of the automaton: one type for each phase.

use curves::{Departure, Frame, OffsetGround, Place};
use mechanics::{Mode, Press, State};
use numbers::Rounding;
use rolling::{CompressedState, ContactState};

use crate::wedged_ball::Wedged;
use crate::{Capture, Phase, Scene, Stop};

/// State of the automaton: a phase with all its data. The method `next` of each type gives the next one.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) enum Motion {
    Flight(Flight),
    Capture(Capture),
    Contact(Contact),
    Wedged(Wedged),
    Compression(Compression),
}

#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Flight {
    pub state: State,
    /// Begin of the next step for the search of contacts: at places just left, or in flight; `None`: unknown.
    pub departure: Option<Departure>,
    /// Rounding of the place where the flight began, m: no later place of the flight is known better.
    pub known: f64,
    /// Rounding of the path up to the contact that ended it, by its bend off a parabola, m.
    pub bent: f64,
}

/// Rest, rolling or sliding on rigid ground.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Contact {
    pub state: ContactState,
    pub mode: Mode,
}

#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Compression {
    pub state: CompressedState,
    /// Whether the law pushes; false: it would pull, and gives no force.
    pub pressing: bool,
}

/// The motion that follows a phase; or the reason why the run stops, with the motion it stops in.
pub(crate) type Transition = Result<Motion, Stopped>;

/// Motion in which a phase is broken off, and the reason: the run stops, or the ball meets another part of the ground.
#[derive(Debug)]
pub(crate) struct Stopped(pub Box<(Motion, Stop)>);

impl Stopped {
    #[cold]
    fn new(motion: Motion, stop: Stop) -> Self {
        Stopped(Box::new((motion, stop)))
    }
}

/// Adds to an error the motion in which the run stops.
pub(crate) trait StopIn<T> {
    fn stop_in(self, motion: &(impl Copy + Into<Motion>)) -> Result<T, Stopped>;
}

impl<T, E: Into<Stop>> StopIn<T> for Result<T, E> {
    #[inline(always)]
    fn stop_in(self, motion: &(impl Copy + Into<Motion>)) -> Result<T, Stopped> {
        self.map_err(|stop| Stopped::new((*motion).into(), stop.into()))
    }
}

/// A second contact that the ball moves away from, and would meet again at `at`.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Barrier {
    /// Place, on the ground that the ball moves along, at which it touches the other contact.
    pub at: Place,
    /// Place on the other contact.
    pub other: Place,
    /// Whether the ball is at parameters above that of `at`; else below.
    pub forward: bool,
}

macro_rules! motions {
    ($($phase:ident)*) => {$(
        impl From<$phase> for Motion {
            #[inline(always)]
            fn from(phase: $phase) -> Self {
                Motion::$phase(phase)
            }
        }
    )*};
}

motions!(Flight Capture Contact Wedged Compression);

impl Flight {
    /// Flight from a place of the ground with a rounding of at least `known` m.
    fn from(state: State, departure: Departure, known: f64) -> Self {
        Flight { state, departure: Some(departure), known: departure.rounding().max(known), bent: 0.0 }
    }

    /// Flight of a ball that touches nothing.
    #[inline(always)]
    pub fn free(state: State) -> Self {
        Flight { state, departure: None, known: 0.0, bent: 0.0 }
    }

    /// Flight of a ball that leaves a place of the ground.
    pub fn leaving(ground: &OffsetGround, state: State, place: Place) -> Self {
        Flight::from(state, ground.departure(place), known(ground, place, &ground.frame(place)))
    }

    /// Flight of a ball that leaves two places of the ground at once.
    pub fn leaving_two(ground: &OffsetGround, state: State, places: [Place; 2]) -> Self {
        let [one, other] = places.map(|place| known(ground, place, &ground.frame(place)));
        Flight::from(state, ground.departure_from_two(places), one.max(other))
    }
}

/// Rounding of a place's parameter as a length along the ground, m; 0 up to 16 times the rounding of the centre itself.
pub(crate) fn known(ground: &OffsetGround, place: Place, frame: &Frame) -> f64 {
    let along = f64::EPSILON * place.length(frame);
    let own = f64::EPSILON * (frame.position.abs().sum() + ground.radius());
    if Rounding::vanishes(along, own) { 0.0 } else { along }
}

impl Contact {
    /// Motion of a ball that begins at a place in a mode; of the state's velocity only the tangential part counts.
    pub fn begin(scene: &Scene, mode: Mode, state: &State, place: Place) -> Self {
        Contact { state: scene.system(mode, place).begin(state, place), mode }
    }

    /// The contact under new forces or laws. A ball that they no longer press keeps its mode, which ends as it begins.
    pub fn renewed(&self, scene: &Scene) -> Self {
        let Contact { state, mode } = self;
        let begin = |mode| Contact::begin(scene, mode, &state.state(), state.place);
        let kept = begin(*mode);
        if Press::of(kept.state.normal_force, 0.0) == Some(Press::Leaves) {
            return kept;
        }
        let system = scene.system(*mode, state.place);
        let force = scene.forces.force_at(&state.state());
        let slip = system.slip(state);
        begin(Mode::begin(&scene.ball, system.contact, &state.frame, force, state.speed, slip))
    }
}

impl Motion {
    #[inline]
    pub(crate) fn state(&self, ground: &OffsetGround) -> State {
        match self {
            Motion::Flight(flight) => flight.state,
            Motion::Capture(capture) => capture.start,
            Motion::Contact(contact) => contact.state.state(),
            Motion::Wedged(wedged) => wedged.state,
            Motion::Compression(compression) => compression.state.state(ground),
        }
    }

    #[inline(always)]
    pub fn time(&self) -> f64 {
        match self {
            Motion::Flight(flight) => flight.state.time,
            Motion::Capture(capture) => capture.start.time,
            Motion::Contact(contact) => contact.state.time,
            Motion::Wedged(wedged) => wedged.state.time,
            Motion::Compression(compression) => compression.state.time,
        }
    }

    pub(crate) fn phase(&self, scene: &Scene) -> Phase {
        match self {
            Motion::Flight(_) | Motion::Capture(_) => Phase::Flight,
            Motion::Contact(contact) => Phase::from(contact.mode),
            Motion::Wedged(wedged) => wedged.phase(scene),
            Motion::Compression(_) => Phase::Compressed,
        }
    }

    /// The motion in a changed scene: a ball on the ground slides, rolls or rests by the new forces, summed-up bounces
    /// become flight, and all other motions stay. What no longer holds the ball ends as its phase begins.
    pub(crate) fn renewed(self, scene: &Scene) -> Motion {
        match self {
            Motion::Contact(contact) => contact.renewed(scene).into(),
            Motion::Capture(capture) => Flight::free(capture.start).into(),
            motion => motion,
        }
    }

    /// Fails if a ball on rigid ground fits its valley; a compressed one is looked at step by step.
    #[inline]
    pub(crate) fn check(&self, scene: &Scene) -> Result<(), Stop> {
        match self {
            Motion::Contact(Contact { state, .. }) => scene.check_osculation(state.time, state.place, &state.frame),
            Motion::Wedged(wedged) => {
                (0..2).try_for_each(|i| scene.check_osculation(wedged.state.time, wedged.places[i], &wedged.frames[i]))
            }
            Motion::Flight(_) | Motion::Capture(_) | Motion::Compression(_) => Ok(()),
        }
    }

    /// Fails for a start on ground that the ball fits, or narrower: compressed, or in flight with a gap within 1e-9 R.
    pub(crate) fn check_start(&self, scene: &Scene) -> Result<(), Stop> {
        let ground = &scene.ground;
        let (time, place, centre) = match self {
            Motion::Compression(Compression { state, .. }) => (state.time, state.place, state.state(ground).position),
            Motion::Flight(Flight { state, .. }) => {
                if ground.gap(state.position) > 1e-9 * scene.ball.radius() {
                    return Ok(());
                }
                (state.time, ground.place_below(state.position), state.position)
            }
            _ => return Ok(()),
        };
        let osculates = ground.osculates(&ground.frame(place));
        if osculates { Err(scene.osculating(time, place, centre)) } else { Ok(()) }
    }
}
