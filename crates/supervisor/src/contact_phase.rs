//! Contact phase: steps along the ground, cut at the first event, until the mode ends.

use curves::{Beyond, Gentle, JointKind, Motion as Moves, OffsetGround, Place};
use flight::FlightMethod;
use mechanics::{Guard, Mode, Press};
use nalgebra::Vector2;
use numbers::{Interval, Rounding, Valued, first_event, first_of};
use rolling::{ContactMethod, ContactState, ContactStep, ContactSystem, Dense, RollingError};

use crate::energy_judge::{Leak, LedgerStep};
use crate::guard_proofs::Around;
use crate::guard_search::{GuardSearch, value};
use crate::motion_within_step::StretchCourse;
use crate::phase_states::{Barrier, Contact, StopIn, Stopped, Transition};
use crate::run_state::Live;
use crate::scene::ValleyRoom;
use crate::step_cut::{Located, edge_slack, locate};
use crate::step_too_long::too_long_after;
use crate::{Doing, EventKind, Phase, Stop};

/// Reason why a stretch of contact ends.
pub(crate) enum ContactEnd {
    /// The end of the run.
    Time,
    /// The ground ends; the kind of event tells how the ball leaves.
    Air(EventKind),
    /// On a curve that crosses itself other strands become solid for the ball.
    Strands,
    /// The ball comes to a curve with another law of contact.
    Law,
    Watched(Guard),
    /// The ball touches the ground in a second place too.
    Second(Place),
}

/// Reason why a step of contact is cut short.
enum StepCut {
    /// None: the whole step is kept.
    No,
    /// The parameter reached the end of its piece or corner; `forward` says which.
    Edge {
        forward: bool,
    },
    Watched(Guard),
    /// The ball is back at a second contact that it had left.
    Back {
        other: Place,
    },
    Osculating,
}

enum Room {
    /// Length of the way free of second contacts, m.
    Free(f64),
    /// The ball touches this place as well.
    Second(Place),
}

/// Part of the longest try of a step below which an event at its very beginning shortens it no further. Each try takes
/// a twentieth of the one before, so that there are seven at most.
const CLOSEST: f64 = 1e-9;
/// Number of parts of a step that are judged by their ends where bounds decide nothing, as of a way within rounding.
const PARTS: u32 = 256;

impl Contact {
    /// Steps in this mode until it ends; returns the motion that follows.
    pub fn next(&self, live: &mut Live<impl FlightMethod, impl ContactMethod>) -> Transition {
        match self.mode {
            Mode::Resting => self.rest(live),
            _ => self.roll(live),
        }
    }

    fn roll(&self, live: &mut Live<impl FlightMethod, impl ContactMethod>) -> Transition {
        let mode = self.mode;
        let system = live.system(mode, self.state.place);
        let mut step = ContactStep::begin(&self.state);
        let end = live.follow(&system, &mut step);
        let here = Contact { state: step.end, mode };
        let state = here.state;
        let next = match end.stop_in(&here)? {
            ContactEnd::Time | ContactEnd::Strands => here,
            ContactEnd::Law => match here.renewed(live.run.scene) {
                Contact { mode: next, .. } if Phase::from(next) != mode.into() => {
                    live.switch(&system, &state, next, EventKind::of_mode(next))?
                }
                alike => alike,
            },
            ContactEnd::Air(kind) => return live.leave(&system, &state, kind),
            ContactEnd::Watched(Guard::Normal) => {
                return live.leave(&system, &state, live.leaves_at(state.place));
            }
            ContactEnd::Watched(Guard::Friction) => {
                let sliding = Mode::sliding(system.ball, system.contact, state.speed, 0.0, state.friction_force);
                let slips = live.switch(&system, &state, sliding, EventKind::Slip)?;
                // With a large μ, μ times rounding may be any friction: it slips where λ is 0 to rounding, and leaves.
                let grain = Rounding::SUM * state.rounding(&system, state.time).acceleration * system.ball.mass();
                if Press::of(slips.state.normal_force, grain) != Some(Press::Presses) {
                    let place = slips.state.place;
                    let kind = live.leaves_at(place);
                    return live.leave(&live.system(sliding, place), &slips.state, kind);
                }
                slips
            }
            ContactEnd::Watched(guard @ (Guard::Slip | Guard::Turn)) => {
                // A ball whose spin is held stands still when its contact point does.
                let stops = guard == Guard::Turn || mode.spin_is_held(system.contact);
                let [speed, spin] = system.ball.stuck(if stops { 0.0 } else { state.speed }, state.spin);
                live.begin_mode(&system, &ContactState { speed, spin, ..state }, 0.0)?
            }
            ContactEnd::Watched(Guard::Spin) => {
                live.begin_mode(&system, &ContactState { spin: 0.0, ..state }, state.speed)?
            }
            ContactEnd::Second(other) => {
                let state = live.on_the_ground(&state, false);
                return live.meet([state.place, other], &state.state(), mode.into(), here.into());
            }
        };
        Ok(next.into())
    }
}

impl<F: FlightMethod, C: ContactMethod> Live<'_, '_, F, C> {
    /// Steps along the ground, from piece to piece, until the mode ends; `step.end` is then the ball, also on an error.
    fn follow(&mut self, system: &ContactSystem, step: &mut ContactStep) -> Result<ContactEnd, Stop> {
        let (mut room, mut around, mut begins) = (0.0, Around::new(step.end.place), true);
        let (mut longest, mut leaked) = (f64::INFINITY, f64::INFINITY);
        self.run.kept.barrier = self.run.kept.barrier.filter(|barrier| barrier.at == step.end.place);
        while step.end.time < self.run.options.duration {
            if Press::of(step.end.normal_force, 0.0) == Some(Press::Leaves) {
                return Ok(ContactEnd::Watched(Guard::Normal));
            }
            let looked = !(room > 0.0);
            if looked {
                match self.room(system, &step.end, &mut around.gentle, std::mem::take(&mut begins)) {
                    Room::Free(free) => room = free,
                    Room::Second(other) => return Ok(ContactEnd::Second(other)),
                }
            }
            step.start = step.end;
            let cut = match self.advance(system, step, &mut room, looked, &mut around, longest) {
                Ok(cut) => cut,
                Err(stop) => {
                    step.end = step.start;
                    return Err(stop);
                }
            };
            if step.duration() > 0.0 {
                self.put_back(system, step);
                step.account(system);
                if let Err(leak) = self.enter(system, step) {
                    longest = 0.5 * step.duration();
                    (step.end, room) = (step.start, 0.0);
                    // The step is made again while its leak at least halves; a leak by rounding does not.
                    let smaller = leak.by_step.filter(|leaks| *leaks < 0.5 * leaked);
                    leaked = smaller.ok_or(leak.stop)?;
                    self.run.kept.count.shortened += 1;
                    continue;
                }
                (longest, leaked) = (2.0 * longest, f64::INFINITY);
                let times = [step.start.time, step.end.time];
                self.stretch(times, StretchCourse::Contact(step, system.mode))?;
            }
            match cut {
                StepCut::No => self.progressed(step.end.time),
                StepCut::Watched(watched) => return Ok(ContactEnd::Watched(watched)),
                StepCut::Back { other } => return Ok(ContactEnd::Second(other)),
                StepCut::Osculating => {
                    let ContactState { time, place, frame, .. } = step.end;
                    return Err(self.run.scene.osculating(time, place, frame.position));
                }
                StepCut::Edge { forward } => {
                    if let Some(end) = self.over_the_edge(system, step, forward)? {
                        return Ok(end);
                    }
                    room = 0.0;
                    around.uneventful.forget();
                    around.valley = ValleyRoom::around(step.end.place);
                }
            }
        }
        Ok(ContactEnd::Time)
    }

    /// Enters a step into the ledger of energy; one without a tolerance is not judged.
    fn enter(&mut self, system: &ContactSystem, step: &ContactStep) -> Result<(), Leak> {
        let (to, whole, phase) = (&step.end.state(), self.run.options.compression, system.mode.into());
        let Some(tolerance) = self.run.kept.contact.tolerance() else {
            self.run.kept.ledger.free_step(self.run.scene, to);
            return Ok(());
        };
        let (from, along) = (&step.start.state(), step.end.place.length(&step.end.frame));
        let entry = LedgerStep { from, to, stored: 0.0, along, phase, tolerance, whole };
        self.run.kept.ledger.enter(self.run.scene, &entry)
    }

    /// Way (m) that the centre may travel without a second contact, or a second contact that is touched and closing.
    /// One that is touched and opening becomes the barrier, where it would be met again. `known` is the memory of
    /// [`OffsetGround::free_way`]; `begins`: the phase begins here.
    fn room(&mut self, system: &ContactSystem, state: &ContactState, known: &mut Option<Gentle>, begins: bool) -> Room {
        let ground = system.ground;
        let unit = state.rounding(system, state.time);
        let length = unit.length + ground.rounding(state.place);
        // Within `near` (m) places agree in half of their digits.
        let near = length / f64::EPSILON.sqrt();
        // Way after which a second contact just left is looked for again, m.
        let some_way = near.max(1e-3 * ground.radius());
        let (clearance, way) = ground.free_way(state.place, known);
        let is_point = ground.radius() == 0.0;
        let left = self.run.kept.barrier.filter(|barrier| barrier.is_near(state, near));
        let from = came_from(state, begins);
        let meets = is_point.then(|| ground.second_contact(state.place, Rounding::SUM * length, from)).flatten();
        let (distance, other) = match meets {
            Some((other, _)) => (0.0, Some(left.map_or(other, |barrier| barrier.other))),
            None => (clearance.distance, clearance.place),
        };
        if let Some(other) = other.filter(|other| self.meets_slot([state.place, *other], &state.state(), distance)) {
            return Room::Second(other);
        }
        // Ground is only passed if its least distance ahead is ≥ 0: to rounding, of it and of the clearance there.
        let passes = |other: Place, way: f64| {
            let known = Rounding::SUM * (length + ground.rounding(other));
            ground.least_distance(state.place, other, distance, way) >= -2.0 * known
        };
        // Room beside ground that the ball only passes: `near`, or what all other ground leaves there.
        let past = |other: Place| {
            let there = (ground.frame(other).position - state.frame.position).norm();
            if is_point { near } else { near.min(ground.clearance(other).distance - there) }
        };
        let Some(other) = other.filter(|_| Rounding::vanishes(distance, length)) else {
            let past = |other| if way < near && passes(other, near) { way.max(past(other)) } else { way };
            let way = other.map_or(f64::INFINITY, past);
            self.run.kept.barrier = left;
            return Room::Free(if left.is_some() { some_way } else { way });
        };
        let holds = || if is_point { meets.is_some() } else { ground.is_second(state.place, other) };
        if passes(other, f64::INFINITY) || !holds() {
            return Room::Free(past(other).max(1e-3 * ground.radius()));
        }
        let normal = ground.frame(other).normal;
        let opening = normal.dot(&state.velocity());
        let grain = Rounding::SUM * f64::EPSILON * state.speed.abs();
        let pushed = || {
            let law = system.law(state);
            let acceleration = system.acceleration(&state.frame, state.speed, &law);
            normal.dot(&acceleration) < -Rounding::SUM * unit.acceleration
        };
        if opening < -grain || opening <= grain && pushed() {
            return Room::Second(other);
        }
        if self.run.kept.barrier.is_none() {
            self.run.kept.barrier = Some(Barrier::beside(ground, [state.place, other]));
        }
        Room::Free(some_way)
    }

    /// Makes one step, at most `longest` s long, cut at its first event. Subtracts an upper bound of its way from the
    /// `room` (m), which was found at the step's start if `looked`, else at that of an earlier step.
    fn advance(
        &mut self,
        system: &ContactSystem,
        step: &mut ContactStep,
        room: &mut f64,
        mut looked: bool,
        around: &mut Around,
        longest: f64,
    ) -> Result<StepCut, Stop> {
        let start = step.start.time;
        let end = self.run.options.duration.min(start + self.run.options.largest_step.min(longest));
        // Time until which the way is less than the room, by a margin.
        let from = step.start;
        let (slow, faster) = (from.speed.abs(), from.acceleration.lp_norm(1));
        let reach = |room: f64| {
            if room == f64::INFINITY { room } else { start + 0.95 * 2.0 * room / fast_over(slow, faster, room) }
        };
        // Shortest step that motion and clock resolve; within it nothing changes.
        let least = start + from.rounding(system, start).shortest_step(slow);
        let mut by_room = reach(*room);
        let mut until = end.min(by_room);
        let mut longest_tried = 0.0_f64;
        // Each repeated step is shorter by 0.3 at least, so that the shortest is reached after a hundred tries or so.
        loop {
            self.go_on(start, || (Doing::Steps(system.mode.into()), step.start.frame.position))?;
            if until < self.run.options.duration {
                until = until.max(least);
            }
            let tried = if until < least {
                step.stand(until);
                Ok(())
            } else {
                self.run.kept.contact.step(system, step, until)
            };
            if let Err(error) = tried {
                // A formula may be undefined just beyond its domain: the next try is half as long, or ends halfway to
                // that edge. A shortest step that fails is an error: the run would go on in such steps without end.
                let shorter = 0.5 * (until - start).min(self.edge_time(system, &step.start));
                if matches!(error, RollingError::StepTooSmall { .. }) || !(start + shorter > least) {
                    let error = match (error, self.run.kept.contact.tolerance()) {
                        // A step whose equations are not solved has no known error.
                        (RollingError::NoConvergence { .. }, Some(tolerance)) => {
                            RollingError::too_small(system, &step.start, least - start, tolerance)
                        }
                        (error, _) => error,
                    };
                    return Err(error.into());
                }
                until = start + shorter;
                continue;
            }
            let duration = step.duration();
            let travel = duration * (slow.max(step.end.speed.abs()) + duration * faster);
            // The room may be used up on the way here: look again before the step is shortened for it.
            if !looked && (step.end.time >= by_room || travel > *room) {
                looked = true;
                match self.room(system, &step.start, &mut around.gentle, false) {
                    Room::Free(free) => *room = free,
                    Room::Second(other) => {
                        *step = ContactStep::begin(&step.start);
                        return Ok(StepCut::Back { other });
                    }
                }
                by_room = reach(*room);
                until = end.min(by_room);
                continue;
            }
            // A step in which the place does not change tells nothing about what follows: it is not made `again`.
            let moves = |step: &ContactStep| least.max(start + moving_time(system, step));
            let again = |step: &ContactStep| step.end.time > moves(step);
            if travel > *room && again(step) {
                until = start + 0.7 * duration;
                continue;
            }
            // First try to prove that nothing happens on the step: by series here, by enclosures below.
            if self.run.kept.barrier.is_none() && around.one_bend.proves(system, step, self.run.options.compression) {
                *room = if step.end.time >= by_room { 0.0 } else { *room - travel };
                return Ok(StepCut::No);
            }
            let available = *room;
            // After a step cut by the room the room is looked up anew.
            *room = if step.end.time >= by_room { 0.0 } else { *room - travel };
            let calm = || self.run.kept.barrier.is_none() && step.series().is_none();
            // Where no tolerance chose the step, uneventful ground is enough: its proof bounds its length as well.
            let chosen = self.run.kept.contact.tolerance().is_some() && step.is_known_between();
            if !chosen && calm() && around.uneventful.proves(system, step) {
                return Ok(StepCut::No);
            }
            let by_tolerance = chosen.then_some(self.run.options.compression);
            let dense = step.dense(system);
            if let Some(short_enough) = too_long_after(system, &dense, by_tolerance)
                && again(step)
            {
                self.run.kept.count.shortened += 1;
                until = start + short_enough;
                *room = available;
                continue;
            }
            if by_tolerance.is_some() && calm() && around.uneventful.proves(system, step) {
                return Ok(StepCut::No);
            }
            longest_tried = longest_tried.max(duration);
            let short = !(duration > CLOSEST * longest_tried && again(step));
            match self.first_cut(system, step, &dense, &mut around.valley, short)? {
                Some(cut) => return Ok(cut),
                None => {
                    until = moves(step).max(start + 0.05 * duration);
                    *room = available;
                }
            }
        }
    }

    /// Cuts a step at its first event: the end of a piece or of a valley's room, the barrier, or a guard. Each is
    /// searched only up to the one found before, so that the last one found is the first in time. `None`: the event is
    /// at the very beginning, where the dense output of a long step says little. The caller then repeats the step
    /// shorter; a `short` one is always cut.
    fn first_cut(
        &mut self,
        system: &ContactSystem,
        step: &mut ContactStep,
        dense: &Dense,
        valley: &mut ValleyRoom,
        short: bool,
    ) -> Result<Option<StepCut>, Stop> {
        let (start, duration) = (step.start.time, step.duration());
        let [way, _] = dense.path().bounds(0.0, duration);
        let range = valley.range(system.ground, step.start.place, way);
        let inside = range.lo < way.lo && way.hi < range.hi;
        let edge = if inside { None } else { edge_crossing(range, dense, duration) };
        let limit = edge.map_or(duration, |(t, _)| t);
        let back = self.run.kept.barrier.and_then(|barrier| Some((barrier.crossing(dense, limit)?, barrier)));
        let limit = back.map_or(limit, |(t, _)| t);
        let watched = (GuardSearch { system, dense }).first(limit);
        let first = watched.map(|(t, _)| t).or(back.map(|(t, _)| t)).or(edge.map(|(t, _)| t));
        let unseen = |t: f64| t == 0.0 || t < 1e-3 * duration && !step.is_carried();
        if first.is_some_and(unseen) && !short {
            return Ok(None);
        }
        if let Some((t, watched)) = watched {
            // Another length disturbs a method that carries an acceleration: the state is that of the dense output.
            let there = if step.is_carried() && t > Rounding::tick(start) {
                step.end = dense.at(system, t);
                true
            } else {
                self.locate(system, step, t, 0.0, |s| value(system, watched, s))?
            };
            return Ok(Some(if there { StepCut::Watched(watched) } else { StepCut::No }));
        }
        if let Some((t, barrier)) = back {
            let slack = edge_slack(barrier.at.parameter());
            // Rounding counts twice: that of the barrier's place, and that of the step's end.
            let away = |s: &ContactState| barrier.away(s.place.parameter()) - 2.0 * barrier.grain();
            let there = self.locate(system, step, t, slack, away)?;
            return Ok(Some(if there { StepCut::Back { other: barrier.other } } else { StepCut::No }));
        }
        let Some((t, forward)) = edge else { return Ok(Some(StepCut::No)) };
        let (goal, sign) = if forward { (range.hi, 1.0) } else { (range.lo, -1.0) };
        let there = self.locate(system, step, t, edge_slack(goal), |s| sign * (goal - s.place.parameter()))?;
        let whole = system.ground.range(step.start.place);
        let at_end = goal == if forward { whole.hi } else { whole.lo };
        if !there {
            return Ok(Some(StepCut::No));
        }
        // Exactly at the edge.
        step.end.place = step.end.place.at(goal);
        step.end.frame = system.ground.frame(step.end.place);
        Ok(Some(if at_end { StepCut::Edge { forward } } else { StepCut::Osculating }))
    }

    /// Repeats a step so that it ends where `f` vanishes (to `rounding`): near `t` s after its start, by its dense
    /// output. Returns whether it does; if the method now makes a shorter step, the next one finds the event.
    fn locate(
        &mut self,
        system: &ContactSystem,
        step: &mut ContactStep,
        t: f64,
        rounding: f64,
        f: impl Fn(&ContactState) -> f64,
    ) -> Result<bool, Stop> {
        let start = step.start.time;
        // Shorter than the clock resolves.
        let tick = Rounding::tick(start);
        if t <= tick {
            *step = ContactStep::begin(&step.start);
            return Ok(true);
        }
        let (duration, dense) = (step.duration(), step.dense(system));
        // The first slope is by the dense output alone, whose values differ from those of steps; later ones by steps.
        let near = (t - 1e-3 * duration).max(0.5 * t);
        let slope = (f(&dense.at(system, t)) - f(&dense.at(system, near))) / (t - near);
        // Size of `f` before the event; beyond it `f` may grow without meaning.
        let scale = f(&step.start).abs().max(slope.abs() * t);
        let range = Interval::new(tick, duration);
        let found = locate(t, slope, range, f64::EPSILON * (start + t), |asked| {
            self.run.kept.contact.step(system, step, start + asked)?;
            // The method made a shorter step than asked for, by more than the clock's rounding.
            let shorter = step.duration() < asked * (1.0 - 1e-9) - Rounding::tick(step.end.time);
            Ok::<_, RollingError>((!shorter).then(|| (*step, f(&step.end))))
        })?;
        let Some(Located { step: best, value, settled }) = found else { return Ok(false) };
        *step = best;
        // Otherwise the event is beyond this step, and the next one finds it, or the dense output foresaw it wrongly.
        if value <= rounding || settled && value <= 1e-6 * scale {
            return Ok(true);
        }
        // The step ends where it begins: `f` vanishes between neighbouring parameters, so that `settled` tells nothing.
        if step.end.place == step.start.place {
            let moves = moving_time(system, step).min(duration);
            self.run.kept.contact.step(system, step, start + moves)?;
            return Ok(f(&step.end) <= rounding);
        }
        Ok(false)
    }

    /// Approximate time until the ball reaches the end of its piece, s.
    fn edge_time(&self, system: &ContactSystem, state: &ContactState) -> f64 {
        let range = system.ground.range(state.place);
        let s = state.place.parameter();
        let goal = if state.speed >= 0.0 { range.hi - s } else { s - range.lo };
        (goal * state.frame.speed / state.speed.abs()).max(0.0)
    }
}

/// Twice the mean speed (m/s) over a way, by `h v + h² a = way`.
fn fast_over(speed: f64, acceleration: f64, way: f64) -> f64 {
    speed + (speed * speed + 4.0 * acceleration * way).sqrt()
}

/// Time in which the place changes by more than rounding, s, by the larger acceleration of the step's ends: that of a
/// ball that begins to slide is zero at first.
fn moving_time(system: &ContactSystem, step: &ContactStep) -> f64 {
    let ContactStep { start, end, .. } = step;
    let way = Rounding::SUM * start.rounding(system, start.time).length;
    let faster = start.acceleration.lp_norm(1).max(end.acceleration.lp_norm(1));
    2.0 * way / fast_over(start.speed.abs(), faster, way)
}

/// Direction to where a point, at a second contact, came from. Where its phase `begins`, a moving point leaves what it
/// met, by an event before, and counts as coming from ahead.
fn came_from(state: &ContactState, begins: bool) -> Vector2<f64> {
    match state.speed {
        0.0 => -state.acceleration[0] * state.frame.tangent,
        _ if begins => state.velocity(),
        _ => -state.velocity(),
    }
}

impl Barrier {
    /// Barrier to a ball that goes along the first of two places that it touches.
    pub fn beside(ground: &OffsetGround, [at, other]: [Place; 2]) -> Self {
        Barrier { at, other, forward: ground.frame(at).tangent.dot(&ground.frame(other).normal) > 0.0 }
    }

    /// Whether the ball is still so near that its place does not tell the second contact from its own.
    fn is_near(&self, state: &ContactState, near: f64) -> bool {
        let away = self.away(state.place.parameter()) * state.frame.speed;
        state.place.same_feature(self.at) && away.abs() <= near
    }

    /// Distance of a parameter beyond the barrier.
    fn away(&self, parameter: f64) -> f64 {
        if self.forward { parameter - self.at.parameter() } else { self.at.parameter() - parameter }
    }

    /// Rounding of the barrier's parameter.
    fn grain(&self) -> f64 {
        0.25 * Rounding::SUM * f64::EPSILON * self.at.parameter().abs()
    }

    /// The first time until `limit` at which the ball is back, on a step that may begin there.
    fn crossing(&self, dense: &Dense, limit: f64) -> Option<f64> {
        if !dense.step().start.place.same_feature(self.at) {
            return None;
        }
        let grain = self.grain();
        let returns = if self.forward { dense.step().end.speed < 0.0 } else { dense.step().end.speed > 0.0 };
        // Positive until the ball is back, to rounding; one that returns from within rounding is back where it turns.
        let gone = |[place, rate]: [Interval; 2]| {
            let [nearest, slowest] = if self.forward { [place.lo, rate.lo] } else { [place.hi, -rate.hi] };
            let away = self.away(nearest);
            // At the start the distance may be zero.
            f64::MIN_POSITIVE + if returns { (away - grain).max(slowest) } else { away + grain }
        };
        passing(dense, gone, limit)
    }
}

/// The first time until `limit` at which a way is used up; `left` bounds its rest over ranges of parameter and rate.
fn passing(dense: &Dense, left: impl Fn([Interval; 2]) -> f64, limit: f64) -> Option<f64> {
    let path = dense.path();
    let at = |t: f64| {
        let Moves { position, velocity, .. } = path.at(t);
        left([position.x, velocity.x].map(Interval::point))
    };
    let over = |part: Interval, _| {
        let [[place, _], [rate, _]] = [path.bounds(part.lo, part.hi), path.velocity_bounds(part.lo, part.hi)];
        left([place, rate])
    };
    let ends = [0.0, limit].map(|t| Valued { at: t, value: at(t) });
    first_event(at, over, ends, limit / f64::from(PARTS), 4 * PARTS).point()
}

/// The first time on a step at which the parameter leaves its range, and at which end.
fn edge_crossing(range: Interval, dense: &Dense, duration: f64) -> Option<(f64, bool)> {
    first_of([true, false], duration, |forward, until| {
        let edge = if forward { range.hi } else { range.lo };
        let left =
            |[place, _]: [Interval; 2]| edge_slack(edge) + if forward { edge - place.hi } else { place.lo - edge };
        passing(dense, left, until)
    })
}

impl<F: FlightMethod, C: ContactMethod> Live<'_, '_, F, C> {
    /// Moves a step's end onto the piece that follows, along the parameter (`forward`) or against it; returns the end
    /// of the phase there, if any.
    pub(crate) fn over_the_edge(
        &mut self,
        system: &ContactSystem,
        step: &mut ContactStep,
        forward: bool,
    ) -> Result<Option<ContactEnd>, Stop> {
        if self.note_touch(step.end.place) {
            return Ok(Some(ContactEnd::Strands));
        }
        // Where several curves meet, a point meets the one that leads above its own.
        let is_point = system.ground.radius() == 0.0;
        if let Some(other) = is_point.then(|| self.closes_at_the_end(system, &step.end)).flatten() {
            return Ok(Some(ContactEnd::Second(other)));
        }
        let end = match system.ground.beyond(step.end.place, forward) {
            Beyond::Place(place) => {
                let next = system.begin(&step.end.state(), place);
                if Press::of(next.normal_force, 0.0) == Some(Press::Leaves) && self.is_end(place) {
                    return Ok(Some(self.off_the_end(system, &step.end, EventKind::EndOfGround)));
                }
                self.run.scene.check_osculation(next.time, next.place, &next.frame)?;
                let before = self.on_the_ground(&step.end, false).state();
                self.balance_change(&before, &next.state(), place, true)?;
                step.end = next;
                let strands = self.note_touch(place);
                let law = !std::ptr::eq(self.run.scene.law_at(place), system.contact);
                return Ok(if strands { Some(ContactEnd::Strands) } else { law.then_some(ContactEnd::Law) });
            }
            Beyond::CornerAir => self.off_the_end(system, &step.end, EventKind::LiftOff),
            Beyond::Air => self.off_the_end(system, &step.end, EventKind::EndOfGround),
            Beyond::Second(other) => ContactEnd::Second(other),
        };
        Ok(Some(end))
    }

    /// Kind of event with which a ball leaves the ground at a place where λ falls to zero.
    pub(crate) fn leaves_at(&self, place: Place) -> EventKind {
        if self.is_end(place) { EventKind::EndOfGround } else { EventKind::LiftOff }
    }

    /// Whether a place is on the arc around an end of the ground.
    fn is_end(&self, place: Place) -> bool {
        let ground = self.run.scene.ground.ground();
        matches!(place, Place::Corner { joint, .. } if ground.joint(joint).kind == JointKind::End)
    }

    /// Second contact that a ball closes at the end of a piece.
    fn closes_at_the_end(&self, system: &ContactSystem, state: &ContactState) -> Option<Place> {
        let length = state.rounding(system, state.time).length + system.ground.rounding(state.place);
        let (other, _) = system.ground.second_contact(state.place, Rounding::SUM * length, -state.velocity())?;
        let grain = Rounding::SUM * f64::EPSILON * state.speed.abs();
        (system.ground.frame(other).normal.dot(&state.velocity()) < -grain).then_some(other)
    }

    /// End of a stretch where a piece ends in the air: flight, or contact with another curve that begins there.
    fn off_the_end(&self, system: &ContactSystem, state: &ContactState, kind: EventKind) -> ContactEnd {
        self.closes_at_the_end(system, state).map_or(ContactEnd::Air(kind), ContactEnd::Second)
    }
}

impl<F: FlightMethod, C: ContactMethod> Live<'_, '_, F, C> {
    /// Continues in the mode that begins with the slip velocity `slip` (m/s): where that, the speed or the spin has
    /// come to zero the ball sticks, rests, turns round, or goes on sliding.
    fn begin_mode(&mut self, system: &ContactSystem, state: &ContactState, slip: f64) -> Result<Contact, Stopped> {
        let force = system.forces.force_at(&state.state());
        let mode = Mode::begin(system.ball, system.contact, &state.frame, force, state.speed, slip);
        self.switch(system, state, mode, EventKind::of_mode(mode))
    }
}
