//! Compliant contact, from the first touch to the release. Steps are of the fictitious time σ with dt = 2√δ dσ; the
//! state has √δ as its `root`.

use curves::{Beyond, Clearance, OSCULATING, Place};
use flight::FlightMethod;
use mechanics::State;
use nalgebra::Vector2;
use numbers::{Interval, Number, Valued, bisect, first_event, first_of};
use rolling::{CompressedState, CompressedStep, CompressedSystem, ContactMethod, ContactState};

use crate::energy_judge::LedgerStep;
use crate::event::TouchPoint;
use crate::event_balance::IntendedChange;
use crate::motion_within_step::StretchCourse;
use crate::phase_states::{Compression, Flight, StopIn, Stopped, Transition};
use crate::run_state::Live;
use crate::step_cut::{edge_slack, part_to};
use crate::step_too_long::is_short_enough;
use crate::{Doing, Event, EventKind, Phase, Stop, Stretch};

/// Number of parts of a step that are judged by their ends where bounds decide nothing.
const PARTS: u32 = 16;

/// Reason why a step of compressed contact is cut short.
#[derive(Clone, Copy, Debug, PartialEq)]
enum PhaseCut {
    /// The end of the run.
    Time,
    /// The contact opens, δ = 0.
    Release,
    /// The law begins, or ceases, to push.
    Push,
    /// The ball is compressed to its middle, δ = R.
    Crushed,
    /// The ball touches this ground point too: its distance fell to zero, or it is a second closest point that
    /// `appears_within` the compressed zone, so that no distance passes zero.
    Second {
        other: Vector2<f64>,
        appears_within: bool,
    },
    Osculating,
    Edge {
        forward: bool,
    },
}

impl<F: FlightMethod, C: ContactMethod> Live<'_, '_, F, C> {
    /// Begins compliant contact of a ball in flight that touches the ground.
    pub(crate) fn press(&mut self, place: Place, arrival: &State) -> Transition {
        let Some(system) = self.run.scene.compressed(true) else { return Ok(Flight::free(*arrival).into()) };
        let state = CompressedState::touching(arrival, place);
        self.run.kept.compressed.begin(&system, &state);
        let motion = Compression { state, pressing: true };
        let frame = self.run.scene.ground.frame(place);
        let touching = State { position: frame.position, ..*arrival };
        let phases = [Phase::Flight, Phase::Compressed];
        let event = Event::new(EventKind::Touch, phases, &TouchPoint { place, frame }, [arrival, &touching], [0.0; 2]);
        self.emit([event].iter(), IntendedChange::NOTHING).stop_in(&motion)?;
        Ok(motion.into())
    }

    /// Ends compliant contact: puts the ball exactly onto the ground, and begins flight.
    fn release(&mut self, state: &CompressedState) -> Transition {
        let frame = self.run.scene.ground.frame(state.place);
        let before = state.state(&self.run.scene.ground);
        // The release is located to the tolerance of steps: the move onto the ground is intended, and counted.
        let moved = (frame.position - before.position).norm();
        self.run.kept.count.balance.captured.see(moved, before.time);
        let after = State { position: frame.position, ..before };
        self.run.kept.ledger.put(moved);
        let flight = Flight::leaving(&self.run.scene.ground, after, state.place);
        self.run.kept.flight.restart();
        let phases = [Phase::Compressed, Phase::Flight];
        let impulses = [state.normal_impulse, state.tangential_impulse];
        let event =
            Event::new(EventKind::Release, phases, &TouchPoint { place: state.place, frame }, [&after; 2], impulses);
        let largest_normal_force = std::mem::take(&mut self.run.kept.largest_push);
        self.emit([Event { largest_normal_force, ..event }].iter(), IntendedChange::NOTHING).stop_in(&flight)?;
        Ok(flight.into())
    }

    /// Place of the closest point beyond the end of its piece.
    fn next_place(&self, state: &CompressedState, forward: bool) -> Result<Place, Stop> {
        let system = self.system(mechanics::Mode::slides(0.0), state.place);
        let contact: ContactState = system.begin(&state.state(&self.run.scene.ground), state.place);
        match system.ground.beyond(contact.place, forward) {
            Beyond::Place(place) => Ok(place),
            // Around everything that sticks out a ball with a radius has an arc; only at infinity nothing follows.
            Beyond::CornerAir | Beyond::Air => Ok(contact.place),
            Beyond::Second(other) => Err(Stop::SecondContact {
                time: state.time,
                centre: contact.frame.position,
                other: self.run.scene.ground.ground_point(other),
                place: state.place,
            }),
        }
    }

    /// Judges the energy of a step up to `end`, notes its largest λ, and emits it.
    fn stretch_compressed(&mut self, step: &CompressedStep, end: &CompressedState, pressing: bool) -> Result<(), Stop> {
        let (scene, to) = (self.run.scene, end.time);
        let states = [&step.start, end].map(|state| state.state(&scene.ground));
        let entry = LedgerStep {
            from: &states[0],
            to: &states[1],
            along: end.place.length(&scene.ground.frame(end.place)),
            stored: scene.compliance.as_ref().map_or(0.0, |law| law.elastic_energy(end.compression())),
            phase: Phase::Compressed,
            tolerance: self.run.options.compression,
            whole: self.run.options.compression,
        };
        self.run.kept.ledger.step(scene, &entry)?;
        let method = self.run.kept.compressed;
        let course = StretchCourse::Compressed(&method, step, pressing);
        let (part, last) = (self.run.kept.number, self.run.kept.touched);
        let [_, largest] = Stretch::new(self.run.scene, [step.start.time, to], course, part, last).normal_force_range();
        self.run.kept.largest_push = self.run.kept.largest_push.max(largest.value);
        self.stretch([step.start.time, to], course)
    }
}

impl Compression {
    /// Makes one step of compressed contact, or the part of it up to its first cut.
    fn step(
        &self,
        live: &mut Live<impl FlightMethod, impl ContactMethod>,
        system: &CompressedSystem,
    ) -> Result<(CompressedStep, Option<PhaseCut>), Stopped> {
        let (start, duration, largest) = (&self.state, live.run.options.duration, live.run.options.largest_step);
        // The shortest step that place and clock resolve.
        let least = || {
            let state = start.state(system.ground);
            live.run.scene.rounding(&state, start.place).shortest_step(state.velocity.norm())
        };
        let mut most = largest / (2.0 * start.root);
        let whereabouts = || (Doing::Steps(Phase::Compressed), start.state(system.ground).position);
        loop {
            live.go_on(start.time, whereabouts).stop_in(self)?;
            let step = live.run.kept.compressed.step(system, start, most).stop_in(self)?;
            let lasts = step.end.time - start.time;
            if lasts > (1.0 + 1e-9) * largest {
                most = 0.9 * step.length * largest / lasts;
                continue;
            }
            if !is_short_enough(system, &step, live.run.options.compression) && lasts > 2.0 * least() {
                live.run.kept.count.shortened += 1;
                most = 0.5 * step.length;
                continue;
            }
            let cut = first_cut(system, &step, duration);
            let cut = match second_contact(system, &step, cut.map_or(1.0, |(part, _)| part)) {
                Approach::Clear => cut,
                Approach::Meets { part, other, appears_within } => {
                    Some((part, PhaseCut::Second { other, appears_within }))
                }
                // Up to there a second contact is excluded; beyond it is unknown.
                Approach::Unknown(part) => {
                    most = part * step.length;
                    continue;
                }
            };
            let Some((part, cut)) = cut else { return Ok((step, None)) };
            let method = &mut live.run.kept.compressed;
            let located = match cut {
                PhaseCut::Second { other, .. } if part == 0.0 => {
                    return Err(meeting(system, start, other)).stop_in(self);
                }
                // No quantity passes zero there.
                PhaseCut::Second { appears_within: true, .. } => method.part(system, &step, part),
                _ => part_to(method, system, &step, part, |s| margin_to(system, cut, s, duration)),
            }
            .stop_in(self)?;
            // Beyond the release σ would turn time back: nothing is located there.
            if let Some(step) = located
                && (cut == PhaseCut::Release || step.end.root >= 0.0)
            {
                return Ok((step, Some(cut)));
            }
            most = 0.5 * part * step.length;
        }
    }

    /// Makes one step of compressed contact, or the part of it up to its first cut; returns the motion that follows.
    pub fn next(&self, live: &mut Live<impl FlightMethod, impl ContactMethod>) -> Transition {
        let (pressing, radius) = (self.pressing, live.run.scene.ball.radius());
        let Some(system) = live.run.scene.compressed(pressing) else { return Ok((*self).into()) };
        let (step, cut) = self.step(live, &system)?;
        let mut state = step.end;
        // Time is a sum over σ, whose rounding may set it back.
        state.time =
            if cut == Some(PhaseCut::Time) { live.run.options.duration } else { state.time.max(step.start.time) };
        live.stretch_compressed(&step, &state, pressing).stop_in(self)?;
        let there = Compression { state, pressing };
        match cut {
            None => live.progressed(state.time),
            Some(PhaseCut::Crushed) => {
                let compression = state.compression();
                return Err(Stop::Crushed { time: state.time, compression, radius }).stop_in(&there);
            }
            Some(PhaseCut::Second { other, .. }) => return Err(meeting(&system, &state, other)).stop_in(&there),
            Some(PhaseCut::Osculating) => {
                let position = state.state(system.ground).position;
                return Err(live.run.scene.osculating(state.time, state.place, position)).stop_in(&there);
            }
            Some(PhaseCut::Time) => {}
            Some(PhaseCut::Push) => return Ok(Compression { pressing: !pressing, ..there }.into()),
            Some(PhaseCut::Release) => return live.release(&state),
            Some(PhaseCut::Edge { forward }) => {
                let place = live.next_place(&state, forward).stop_in(&there)?;
                let next = Compression { state: CompressedState { place, ..state }, pressing };
                let [before, after] = [&state, &next.state].map(|state| state.state(system.ground));
                live.note_touch(place);
                live.balance_change(&before, &after, place, false).stop_in(&next)?;
                return Ok(next.into());
            }
        }
        Ok(there.into())
    }
}

/// Stop of a ball that touches the ground in a second place near `other`, which the law does not cover.
fn meeting(system: &CompressedSystem, state: &CompressedState, other: Vector2<f64>) -> Stop {
    let Clearance { distance, other: there, .. } = beside(system, state);
    let touches = distance <= 1e-9 * system.ball.radius();
    let other = there.filter(|_| touches).unwrap_or(other);
    Stop::SecondContact { time: state.time, centre: state.state(system.ground).position, other, place: state.place }
}

/// Witness of a cut, in the unit of what it watches: positive until the cut.
fn margin_to(system: &CompressedSystem, cut: PhaseCut, state: &CompressedState, duration: f64) -> f64 {
    match cut {
        PhaseCut::Time => duration - state.time,
        PhaseCut::Release => state.root,
        PhaseCut::Crushed => system.ball.radius() - state.compression(),
        PhaseCut::Second { .. } => beside(system, state).distance,
        PhaseCut::Osculating => system.ground.shrink(&system.ground.frame(state.place)) - OSCULATING,
        PhaseCut::Push => system.cut(state).unwrap_or(f64::INFINITY),
        PhaseCut::Edge { forward } => {
            let range = system.ground.range(state.place);
            let s = state.place.parameter();
            if forward { range.hi + edge_slack(range.hi) - s } else { s - range.lo + edge_slack(range.lo) }
        }
    }
}

/// The first cut of a step, and the part of the step at which it is.
fn first_cut(system: &CompressedSystem, step: &CompressedStep, duration: f64) -> Option<(f64, PhaseCut)> {
    let edges = [true, false].map(|forward| PhaseCut::Edge { forward });
    let cuts = [PhaseCut::Time, PhaseCut::Release, PhaseCut::Crushed, PhaseCut::Push, PhaseCut::Osculating];
    first_of(cuts.into_iter().chain(edges), 1.0, |cut, end| {
        let f = |part: f64| margin_to(system, cut, &if part == 1.0 { step.end } else { step.near(part) }, duration);
        // A zero at the start, such as √δ at the touch, is no new event: the start counts as far away.
        let ends = [Valued { at: 0.0, value: f64::INFINITY }, Valued { at: end, value: f(end) }];
        let bound = |part: Interval, _| lower_bound(system, cut, step, part, duration);
        first_event(f, bound, ends, end / f64::from(PARTS), 8 * PARTS).point()
    })
}

/// A lower bound of [`margin_to`] over a part of a step.
fn lower_bound(system: &CompressedSystem, cut: PhaseCut, step: &CompressedStep, part: Interval, duration: f64) -> f64 {
    let [time, s, root, ..] = step.core(part);
    match cut {
        PhaseCut::Time => duration - time.hi,
        PhaseCut::Release => root.lo,
        PhaseCut::Crushed => system.ball.radius() - root.square().hi,
        PhaseCut::Edge { forward } => {
            let range = system.ground.range(step.start.place);
            if forward { range.hi + edge_slack(range.hi) - s.hi } else { s.lo - range.lo + edge_slack(range.lo) }
        }
        PhaseCut::Osculating => match s.intersection(system.ground.range(step.start.place)) {
            // 1 − κR = 1/(1 + κc R)
            Some(s) => {
                let bend = system.ground.enclosure(step.start.place, s).curvature.scale(system.ball.radius());
                if bend.lo > -1.0 { 1.0 / (1.0 + bend.hi) - OSCULATING } else { f64::NEG_INFINITY }
            }
            None => f64::INFINITY,
        },
        PhaseCut::Push | PhaseCut::Second { .. } => f64::NEG_INFINITY,
    }
}

/// Largest number of advances in the search for a second contact.
const ADVANCES: u32 = 64;

/// Second contact of a compressed ball on a step; `appears_within` as in [`PhaseCut::Second`].
enum Approach {
    /// None on this step.
    Clear,
    /// At a part of the step.
    Meets { part: f64, other: Vector2<f64>, appears_within: bool },
    /// None up to this part of the step; unknown beyond.
    Unknown(f64),
}

/// Finds the earliest second contact up to `part` of a step: advances repeatedly, as far as clearance excludes one.
fn second_contact(system: &CompressedSystem, step: &CompressedStep, part: f64) -> Approach {
    if system.ground.touches_once() {
        return Approach::Clear;
    }
    let at = |part: f64| if part == 1.0 { step.end } else { step.near(part) };
    let centre = |part: f64| at(part).state(system.ground).position;
    let grain = 1e-13 * system.ball.radius();
    let distance = |part: f64| beside(system, &at(part)).distance - grain;
    let (mut before, mut from) = (0.0, 0.0);
    for _ in 0..ADVANCES {
        let Clearance { distance: gap, other, .. } = beside(system, &at(from));
        if let (true, Some(other)) = (gap <= grain, other) {
            let part = if from > before { bisect(|part| distance(part) > 0.0, before, from)[1] } else { from };
            let there = beside(system, &at(part));
            let appears_within = there.distance < -1e-9 * system.ball.radius();
            return Approach::Meets { part, other: there.other.unwrap_or(other), appears_within };
        }
        // Way of the centre to a part: a polygon's length and 5 % for its arc.
        let way = |to: f64| -> f64 {
            let points: [Vector2<f64>; 9] = std::array::from_fn(|i| centre(from + (to - from) * i as f64 / 8.0));
            1.05 * points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum::<f64>()
        };
        if way(part) < gap {
            return Approach::Clear;
        }
        before = from;
        from = bisect(|to| way(to) < gap, from, part)[1];
        if from >= part {
            return Approach::Clear;
        }
    }
    Approach::Unknown(from)
}

/// Clearance of a compressed ball before a second contact; if above 4δ, that of the uncompressed ball, less δ.
fn beside(system: &CompressedSystem, state: &CompressedState) -> Clearance {
    let ground = system.ground;
    let room = ground.clearance(state.place);
    let compression = state.compression();
    if room.distance > 4.0 * compression {
        return Clearance { distance: room.distance - compression, ..room };
    }
    ground.beside(state.place, state.state(ground).position)
}
