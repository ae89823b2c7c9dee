//! Motion on the ground until something ends it.

use curves::{JointKind, Place};
use flight::FlightMethod;
use mechanics::Mode;
use rolling::{ContactMethod, ContactState, ContactStep, ContactSystem};

use crate::run::{Motion, Supervisor};
use crate::watch::{Calm, Watch, Watched, value};
use crate::{EventKind, Observer, Phase, Sample, Stop};

/// What ends a stretch of contact.
enum End {
    /// The end of the run.
    Time,
    /// No more ground.
    Air(EventKind),
    /// A watched quantity reached zero.
    Watched(Watched),
}

/// What cuts a step short.
enum Cut {
    /// Nothing.
    No,
    /// The parameter reached the end of its piece or corner; `forward` says which.
    Edge { forward: bool },
    /// A watched quantity reached zero.
    Watched(Watched),
}

/// Parts of a step that methods which carry an acceleration can't make: it is a second difference of places, and over
/// a short step mostly rounding. Their dense output is taken instead.
const SHORT: f64 = 0.01;

impl<F: FlightMethod, C: ContactMethod> Supervisor<'_, F, C> {
    /// Slides or rolls until the mode ends.
    pub(crate) fn roll(&mut self, start: &ContactState, mode: Mode, observer: &mut impl Observer) -> Result<(), Stop> {
        let system = self.system(mode);
        let mut step = ContactStep::begin(start);
        let end = self.follow(&system, &mut step, observer);
        let state = step.end;
        self.motion = Motion::Contact { state, mode };
        match end? {
            End::Time => Ok(()),
            End::Air(kind) => self.leave(&system, &state, kind, observer),
            End::Watched(Watched::Normal) => self.leave(&system, &state, EventKind::LiftOff, observer),
            End::Watched(Watched::Friction) => {
                let sign = -state.friction_force.signum();
                self.switch(&system, &state, Mode::Sliding { sign }, EventKind::Slip, observer)
            }
            End::Watched(Watched::Slip) => self.stick(&system, &state, observer),
        }
    }

    /// Steps along the ground, from piece to piece, until something ends the mode. `step.end` is where it then is,
    /// also after an error.
    fn follow(
        &mut self,
        system: &ContactSystem,
        step: &mut ContactStep,
        observer: &mut impl Observer,
    ) -> Result<End, Stop> {
        let mut room = 0.0;
        let mut calm = Calm::new();
        while step.end.time < self.options.duration {
            if step.end.normal_force < 0.0 {
                return Ok(End::Watched(Watched::Normal));
            }
            if !(room > 0.0) {
                room = self.room(system, &step.end)?;
            }
            step.start = step.end;
            let cut = match self.advance(system, step, &mut room, &mut calm) {
                Ok(cut) => cut,
                Err(stop) => {
                    step.end = step.start;
                    return Err(stop);
                }
            };
            self.sample_contact(system, step, observer);
            match cut {
                Cut::No => {
                    observer.progress(step.end.time);
                    self.check_limit()?;
                }
                Cut::Watched(watched) => return Ok(End::Watched(watched)),
                Cut::Edge { forward } => match self.beyond(system, &step.end, forward)? {
                    Beyond::Place(place) => {
                        let next = system.begin(&step.end.state(), place);
                        if next.normal_force < 0.0 && self.is_end(place) {
                            return Ok(End::Air(EventKind::EndOfGround));
                        }
                        step.end = next;
                        room = 0.0;
                        calm.forget();
                    }
                    Beyond::Air(kind) => return Ok(End::Air(kind)),
                },
            }
        }
        Ok(End::Time)
    }

    /// How far the centre may travel before a second contact is possible, m.
    fn room(&self, system: &ContactSystem, state: &ContactState) -> Result<f64, Stop> {
        let clearance = system.ground.clearance(state.place);
        let Some(other) = clearance.other else { return Ok(f64::INFINITY) };
        let approaching = (other - state.frame.position).dot(&state.velocity()) > 0.0;
        if clearance.distance > 1e-12 * (1.0 + state.frame.position.norm()) {
            Ok(clearance.distance)
        } else if approaching {
            let centre = state.frame.position;
            Err(Stop::SecondContact { time: state.time, centre, other, place: state.place })
        } else {
            // Moving away from it.
            Ok(1e-3 * system.ground.radius())
        }
    }

    /// One step, cut where it ends; takes the way it may have gone off the room there is.
    fn advance(
        &mut self,
        system: &ContactSystem,
        step: &mut ContactStep,
        room: &mut f64,
        calm: &mut Calm,
    ) -> Result<Cut, Stop> {
        let start = step.start.time;
        let end = self.options.duration.min(start + self.options.largest_step);
        // Not farther than the room there is: h v + h² a = room, and a little less.
        let acceleration = step.start.acceleration;
        let (slow, faster) = (step.start.speed.abs(), acceleration.x.abs() + acceleration.y.abs());
        let reach = |room: f64| {
            if room == f64::INFINITY {
                return room;
            }
            start + 0.95 * 2.0 * room / (slow + (slow * slow + 4.0 * faster * room).sqrt())
        };
        let mut by_room = reach(*room);
        let mut looked = false;
        let mut until = end.min(by_room);
        loop {
            if let Err(error) = self.contact.step(system, step, until) {
                // The formula may be undefined just beyond the end of its domain.
                let shorter = 0.5 * (until - start).min(self.edge_time(system, &step.start));
                if !(shorter > 1e-13 * start.max(1e-3)) {
                    return Err(error.into());
                }
                until = start + shorter;
                continue;
            }
            let duration = step.duration();
            let travel = duration * (slow.max(step.end.speed.abs()) + duration * faster);
            // Room used up on the way here is no reason for a short step: how much there is now?
            if !looked && (step.end.time >= by_room || travel > *room) {
                looked = true;
                *room = self.room(system, &step.start)?;
                by_room = reach(*room);
                until = end.min(by_room);
                continue;
            }
            if travel > *room && duration > 1e-14 * start.max(1e-3) {
                until = start + 0.7 * duration;
                continue;
            }
            let available = *room;
            // What is left after a step that the room cut is looked at afresh.
            *room = if step.end.time >= by_room { 0.0 } else { *room - travel };
            if calm.proves(system, step) {
                return Ok(Cut::No);
            }
            let dense = step.dense(system);
            let edge = edge_crossing(system, &dense, duration);
            let limit = edge.map_or(duration, |(t, _)| t);
            if let Some((t, watched)) = (Watch { system, dense: &dense }).first(limit) {
                // What a long step says of its very beginning is to be seen from a short one, where the method can make it.
                if t < 1e-3 * duration && duration > 1e-9 * start.max(1e-3) && !step.carried {
                    until = start + 0.05 * duration;
                    *room = available;
                    continue;
                }
                let there = self.locate(system, step, t, |s| value(system, watched, s))?;
                return Ok(if there { Cut::Watched(watched) } else { Cut::No });
            }
            let Some((t, forward)) = edge else { return Ok(Cut::No) };
            let range = system.ground.range(step.start.place);
            let (goal, sign) = if forward { (range.hi, 1.0) } else { (range.lo, -1.0) };
            let there = self.locate(system, step, t, |s| sign * (goal - s.place.parameter()))?;
            return Ok(if there { Cut::Edge { forward } } else { Cut::No });
        }
    }

    /// Takes a step again so that it ends where `f` vanishes, near `t` after its start: secant steps of the method
    /// itself, from what its dense output says. Whether it got there: a method that now prefers a shorter step gets
    /// its way, and the event is met on the next.
    fn locate(
        &mut self,
        system: &ContactSystem,
        step: &mut ContactStep,
        t: f64,
        f: impl Fn(&ContactState) -> f64,
    ) -> Result<bool, Stop> {
        let start = step.start.time;
        if t <= 1e-16 * start.max(1e-3) {
            *step = ContactStep::begin(&step.start);
            return Ok(true);
        }
        let duration = step.duration();
        if step.carried && t < SHORT * duration {
            step.end = step.dense(system).at(system, t);
            return Ok(true);
        }
        // A first slope from the dense output alone, whose values differ from those of the steps; then from the steps.
        let near = (t - 1e-3 * duration).max(0.5 * t);
        let dense = step.dense(system);
        let scale = f(&step.start).abs().max(f(&step.end).abs());
        let mut slope = (f(&dense.at(system, t)) - f(&dense.at(system, near))) / (t - near);
        // Shorter than asked for, by more than the clock's rounding.
        let shorter = |step: &ContactStep, asked: f64| {
            step.duration() < asked * (1.0 - 1e-9) - 4.0 * f64::EPSILON * step.end.time
        };
        self.contact.step(system, step, start + t)?;
        if shorter(step, t) {
            return Ok(false);
        }
        let mut best = *step;
        let mut last = (t, f(&step.end));
        let mut settled = false;
        for _ in 0..8 {
            let change = -last.1 / slope;
            let next = last.0 + change;
            if change.abs() <= 1e-15 * (start + t) {
                settled = true;
                break;
            }
            if !(next > 0.0 && next <= duration) {
                break;
            }
            let taken = self.contact.step(system, step, start + next);
            if taken.is_err() || shorter(step, next) {
                break;
            }
            let value = f(&step.end);
            if !(value.abs() < last.1.abs()) {
                settled = true;
                break;
            }
            slope = (value - last.1) / (next - last.0);
            last = (next, value);
            best = *step;
        }
        *step = best;
        // Not there: the way to it is longer than this step, so that the next one meets it; or what the dense output
        // foresaw does not come to pass.
        Ok(last.1 <= 0.0 || (settled && last.1 <= 1e-6 * scale))
    }

    /// Rough time until the ball reaches the end of its piece, s.
    fn edge_time(&self, system: &ContactSystem, state: &ContactState) -> f64 {
        let range = system.ground.range(state.place);
        let s = state.place.parameter();
        let goal = if state.speed >= 0.0 { range.hi - s } else { s - range.lo };
        (goal * state.frame.speed / state.speed.abs()).max(0.0)
    }

    fn sample_contact(&mut self, system: &ContactSystem, step: &ContactStep, observer: &mut impl Observer) {
        if !self.sample_due(step.end.time) || step.duration() <= 0.0 {
            return;
        }
        let mut dense = None;
        let start = step.start.time;
        self.samples(start, step.end.time, observer, |t| {
            let dense = dense.get_or_insert_with(|| step.dense(system));
            Sample::in_contact(system, &dense.at(system, t - start))
        });
    }

    /// The ball leaves the ground.
    pub(crate) fn leave(
        &mut self,
        system: &ContactSystem,
        state: &ContactState,
        kind: EventKind,
        observer: &mut impl Observer,
    ) -> Result<(), Stop> {
        let after = state.state();
        self.motion = Motion::Flight { state: after, departure: None };
        self.flight.restart();
        self.tell(&self.change(kind, state, system.mode, Phase::Flight, &after), observer)
    }

    /// The ball goes on in another mode.
    pub(crate) fn switch(
        &mut self,
        system: &ContactSystem,
        state: &ContactState,
        mode: Mode,
        kind: EventKind,
        observer: &mut impl Observer,
    ) -> Result<(), Stop> {
        let next = self.system(mode).begin(&state.state(), state.place);
        self.motion = Motion::Contact { state: next, mode };
        self.tell(&self.change(kind, state, system.mode, mode.into(), &next.state()), observer)
    }

    /// Slip has come to zero: it sticks, rests, or turns round.
    fn stick(
        &mut self,
        system: &ContactSystem,
        state: &ContactState,
        observer: &mut impl Observer,
    ) -> Result<(), Stop> {
        let mut state = *state;
        // u = 0 to the last bit.
        if system.ball.turns() {
            state.spin = -state.speed / system.ball.radius();
        } else {
            state.speed = 0.0;
        }
        let force = system.forces.force_at(&state.state());
        let mode = Mode::begin(system.ball, system.contact, &state.frame, force, state.speed, 0.0);
        let kind = match mode {
            Mode::Sliding { .. } => EventKind::Slip,
            Mode::Rolling => EventKind::Stick,
            Mode::Resting => EventKind::Rest,
        };
        self.switch(system, &state, mode, kind, observer)
    }

    /// Whether a place is on the arc around an end of the ground.
    fn is_end(&self, place: Place) -> bool {
        let joints = self.scene.ground.ground().joints();
        matches!(place, Place::Corner { joint, .. } if joints[joint].kind == JointKind::End)
    }

    /// What comes after the end of a piece or corner.
    pub(crate) fn beyond(&self, system: &ContactSystem, state: &ContactState, forward: bool) -> Result<Beyond, Stop> {
        let ground = system.ground.ground();
        let (index, on_corner) = match state.place {
            Place::Piece { index, .. } if forward => (ground.joint_after(index), false),
            Place::Piece { index, .. } => (index, false),
            Place::Corner { joint, .. } => (joint, true),
        };
        let joint = ground.joints()[index];
        let next = if forward { joint.after } else { joint.before };
        let next = next.map(|index| {
            let domain = ground.pieces()[index].domain();
            Place::Piece { index, parameter: if forward { domain.lo } else { domain.hi } }
        });
        let corner = if on_corner { None } else { system.ground.corner(index, forward) };
        match (joint.kind, next) {
            (JointKind::Smooth, Some(place)) => Ok(Beyond::Place(place)),
            (JointKind::Concave, _) => Err(Stop::SecondContact {
                time: state.time,
                centre: state.frame.position,
                other: joint.point,
                place: state.place,
            }),
            // From the corner's arc to the piece after it; around an end there is none.
            (JointKind::Convex | JointKind::End, Some(place)) if on_corner => Ok(Beyond::Place(place)),
            (JointKind::Convex, _) => Ok(corner.map_or(Beyond::Air(EventKind::LiftOff), Beyond::Place)),
            _ => Ok(corner.map_or(Beyond::Air(EventKind::EndOfGround), Beyond::Place)),
        }
    }
}

/// What comes after the end of a piece or corner.
pub(crate) enum Beyond {
    /// More ground.
    Place(Place),
    /// None.
    Air(EventKind),
}

/// The first time the parameter leaves its range on a step.
fn edge_crossing(system: &ContactSystem, dense: &rolling::Dense, duration: f64) -> Option<(f64, bool)> {
    let range = system.ground.range(dense.step().start.place);
    let [all, _] = dense.path().bounds(0.0, duration);
    if range.lo <= all.lo && all.hi <= range.hi {
        return None;
    }
    let parameter = |t: f64| dense.path().at(t).position.x;
    // Beyond rounding: a piece begins at its edge.
    let slack = 1e-13 * (1.0 + range.magnitude().min(1e6));
    let parts = 64;
    for i in 1..=parts {
        let t = duration * f64::from(i) / f64::from(parts);
        let s = parameter(t);
        let forward = s > range.hi + slack;
        if forward || s < range.lo - slack {
            let before = duration * f64::from(i - 1) / f64::from(parts);
            let inside = |t: f64| if forward { range.hi - parameter(t) } else { parameter(t) - range.lo };
            return Some((crate::watch::bisect(&inside, before, t), forward));
        }
    }
    None
}
