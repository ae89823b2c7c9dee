//! Watches of a run, and moments that end it: both are searched on finished stretches, and do not influence steps.

use std::cell::Cell;
use std::sync::Arc;

use curves::Place;
use mechanics::State;
use numbers::{Expression, ExpressionError, Interval, Number, Rounding, Taylor, Trigger, Valued, bisect, first_event};

use crate::motion_within_step::{Over, Rate};
use crate::{Crossing, Event, Moment, Observer, Phase, Sample, Scene, Stop, Stretch, Tally};

/// Watches, and moments of which the first ends the run, with their state so far.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Watching {
    #[serde(skip)]
    watches: Arc<[Watch]>,
    known: Vec<WatchState>,
    until: Vec<(Moment, Tally)>,
    #[serde(skip)]
    found: Vec<Crossing>,
    /// The moment that ended the run.
    pub(crate) ended: Option<Moment>,
}

impl Watching {
    /// State at the start of a run. [`Moment::Passing`] and [`Moment::End`] end no run: use a watch.
    pub fn new(watches: Arc<[Watch]>, until: &[Moment]) -> Self {
        let known = vec![WatchState::new(); watches.len()];
        let until = until.iter().map(|moment| (*moment, Tally::new(*moment))).collect();
        Watching { watches, known, until, found: Vec::new(), ended: None }
    }

    /// Restores the definitions of the watches, which a saved state lacks.
    pub(crate) fn of(self, watches: &Watching) -> Self {
        Watching { watches: watches.watches.clone(), ..self }
    }

    /// Continues a paused run at a time (s).
    pub(crate) fn resumed(mut self, now: f64) -> Self {
        self.ended = None;
        self.until.retain(|(moment, _)| !matches!(moment, Moment::Time(time) if *time <= now));
        self
    }

    /// Whether stretches have to be searched.
    #[inline]
    pub(crate) fn looks(&self) -> bool {
        !(self.watches.is_empty() && self.until.is_empty())
    }

    /// Searches a stretch and reports its crossings, up to the end of the run. Returns the time (s) at which the run
    /// ends on it, if it does, and an error if that is since a watch is undefined there.
    pub(crate) fn look(
        &mut self,
        scene: &Scene,
        stretch: &Stretch,
        observer: &mut dyn Observer,
    ) -> (Option<f64>, Result<(), Stop>) {
        let (mut undefined, mut unresolved) = (None, Vec::new());
        self.found.clear();
        for (index, (watch, known)) in self.watches.iter().zip(&mut self.known).enumerate() {
            let before = known.unresolved;
            let looked = Crossings { scene, stretch, watch, index, known }.all(&mut self.found);
            if let (None, Some(time)) = (before, known.unresolved) {
                unresolved.push((index, time));
            }
            if let Err(Undefined(time)) = looked
                && undefined.is_none_or(|(first, _)| time < first)
            {
                undefined = Some((time, index));
            }
        }
        self.found.sort_by(|a, b| a.time().total_cmp(&b.time()));
        // The run ends at a set time, a crossing that is a moment, or an undefined watch, whichever is first.
        let clock = |(moment, _): &(Moment, Tally)| match moment {
            Moment::Time(time) if *time < stretch.to() => Some((time.max(stretch.from()), *moment)),
            _ => None,
        };
        let mut end = self.until.iter().filter_map(clock).min_by(|a, b| a.0.total_cmp(&b.0));
        unresolved.sort_by(|a, b| b.1.total_cmp(&a.1));
        for crossing in &self.found {
            let time = crossing.time();
            if end.is_some_and(|(end, _)| end < time) || undefined.is_some_and(|(end, _)| end < time) {
                break;
            }
            while let Some((watch, from)) = unresolved.pop_if(|(_, from)| *from <= time) {
                observer.unresolved(watch, from);
            }
            let meant =
                self.until.iter_mut().find_map(|(moment, tally)| tally.is_crossing(crossing.watch).then_some(*moment));
            observer.crossing(&Crossing { sample: scene.reported_sample(crossing.sample), ..*crossing });
            if let Some(moment) = meant {
                end = Some((time, moment));
            }
        }
        let last = end.map_or(f64::INFINITY, |(time, _)| time).min(undefined.map_or(f64::INFINITY, |(time, _)| time));
        let before = unresolved.into_iter().rev().filter(|(_, time)| *time < last);
        before.for_each(|(watch, time)| observer.unresolved(watch, time));
        match (end, undefined) {
            (Some((time, moment)), undefined) if undefined.is_none_or(|(first, _)| time <= first) => {
                self.ended = Some(moment);
                (Some(time), Ok(()))
            }
            (_, Some((time, watch))) => {
                let centre = stretch.world(time).position;
                (Some(time), Err(Stop::Undefined { time, centre, watch }))
            }
            _ => (None, Ok(())),
        }
    }

    /// Notes an event; whether it ends the run.
    #[inline]
    pub(crate) fn event(&mut self, event: &Event) -> bool {
        let meant = |(moment, tally): &mut (Moment, Tally)| tally.is(event).then_some(*moment);
        self.ended = self.ended.or(self.until.iter_mut().find_map(meant));
        self.ended.is_some()
    }

    /// Reports watched times that are the run's end.
    pub(crate) fn finish(&mut self, last: &Sample, observer: &mut dyn Observer) {
        for (index, (watch, known)) in self.watches.iter().zip(&mut self.known).enumerate() {
            if let Watched::Times(times) = &watch.of
                && times.get(known.told) == Some(&last.state.time)
            {
                known.told += 1;
                observer.crossing(&Crossing { watch: index, sample: *last, rising: true });
            }
        }
    }

    /// Notes a capture.
    pub(crate) fn capture(&mut self) {
        self.until.iter_mut().for_each(|(_, tally)| tally.capture());
    }
}

/// A quantity whose zeros are located during a run, like events.
#[derive(Clone, Debug, PartialEq)]
pub struct Watch {
    /// Name of the watch.
    pub name: Arc<str>,
    /// Quantity.
    pub of: Watched,
    /// Direction of crossings reported: to above the value (true), to below it (false); `None`: both.
    pub rising: Option<bool>,
    /// Whether only the first crossing is reported.
    pub first: bool,
    /// Index of the curve that the ball must touch for a crossing to count; `None`: none.
    pub curve: Option<usize>,
}

/// Quantity that is watched, and the value whose crossing counts.
#[derive(Clone, Debug, PartialEq)]
pub enum Watched {
    /// x of the centre, with its value, m.
    X(f64),
    /// y of the centre, with its value, m.
    Y(f64),
    /// Parameter of the contact point of a ball on the ground, as outputs show it, with its value.
    S(f64),
    /// Speed `‖v‖`, with its value, m/s.
    Speed(f64),
    /// v_y, falling through zero: the centre is at a maximum of its height.
    Apex,
    /// `v·τ` of a ball on the ground, through zero: it turns round.
    Turn,
    /// λ, with its value, N.
    NormalForce(f64),
    /// Times, s, in order.
    Times(Arc<[f64]>),
    /// A formula of [`Watched::VARIABLES`], through zero.
    Formula {
        /// Text of the formula.
        text: Arc<str>,
        /// The formula itself.
        value: Expression,
    },
}

impl Watch {
    /// A watch without a name, in both directions.
    pub fn new(of: Watched) -> Self {
        Watch { name: "".into(), of, rising: None, first: false, curve: None }
    }

    /// Watch of a vertical line, m.
    pub fn x(value: f64) -> Self {
        Watch::new(Watched::X(value))
    }

    /// Watch of a horizontal line, m.
    pub fn y(value: f64) -> Self {
        Watch::new(Watched::Y(value))
    }

    /// Watch of the zeros of a formula of [`Watched::VARIABLES`].
    pub fn formula(text: &str) -> Result<Self, ExpressionError> {
        let value = Expression::parse(text, &Watched::VARIABLES, &[])?;
        Ok(Watch::new(Watched::Formula { text: text.into(), value }))
    }

    /// Gives the watch a name.
    pub fn named(self, name: &str) -> Self {
        Watch { name: name.into(), ..self }
    }

    /// Reports crossings to above the value only.
    pub fn only_rising(self) -> Self {
        Watch { rising: Some(true), ..self }
    }

    /// Reports crossings to below the value only.
    pub fn only_falling(self) -> Self {
        Watch { rising: Some(false), ..self }
    }

    /// Reports the first crossing only.
    pub fn only_first(self) -> Self {
        Watch { first: true, ..self }
    }

    /// The quantity in a sample less its value, and its rounding; `None`: it does not exist there.
    pub(crate) fn at(&self, scene: &Scene, sample: &Sample) -> Option<(f64, f64)> {
        let elsewhere = |curve: usize| sample.place.is_none_or(|place| scene.ground.curve_of(place) != curve);
        if self.curve.is_some_and(elsewhere) { None } else { self.of.at(scene, sample) }
    }

    /// A number in the definition that is not finite, if any.
    pub fn not_finite(&self) -> Option<f64> {
        match &self.of {
            Watched::X(value)
            | Watched::Y(value)
            | Watched::S(value)
            | Watched::Speed(value)
            | Watched::NormalForce(value) => Some(*value).filter(|value| !value.is_finite()),
            Watched::Times(times) => times.iter().copied().find(|time| !time.is_finite()),
            Watched::Apex | Watched::Turn | Watched::Formula { .. } => None,
        }
    }
}

/// The ball at one time, over any number, in the frame at rest.
#[derive(Clone, Copy, Debug)]
struct SeenBall<N> {
    time: N,
    position: [N; 2],
    velocity: [N; 2],
    angle: N,
    spin: N,
    /// `v·τ` on the ground, m/s.
    along: Option<N>,
    /// Parameter of the contact point, on the ground.
    s: Option<N>,
    normal_force: N,
}

impl Watched {
    /// Variables of a formula.
    pub const VARIABLES: [&'static str; 7] = ["t", "x", "y", "vx", "vy", "spin", "angle"];

    /// Whether the quantity exists on the ground only.
    pub fn is_of_ground(&self) -> bool {
        matches!(self, Watched::S(_) | Watched::Turn)
    }

    /// The quantity less its value; `None`: it does not exist.
    fn value<N: Number>(&self, seen: &SeenBall<N>) -> Option<N> {
        let off = |value: N, line: f64| value - N::constant(line);
        let [vx, vy] = seen.velocity;
        Some(match self {
            Watched::X(x) => off(seen.position[0], *x),
            Watched::Y(y) => off(seen.position[1], *y),
            Watched::S(s) => off(seen.s?, *s),
            Watched::Speed(speed) => off((vx.square() + vy.square()).sqrt(), *speed),
            Watched::Apex => vy,
            Watched::Turn => seen.along?,
            Watched::NormalForce(force) => off(seen.normal_force, *force),
            Watched::Times(_) => return None,
            Watched::Formula { value, .. } => {
                let [x, y] = seen.position;
                value.eval(&[seen.time, x, y, vx, vy, seen.spin, seen.angle])
            }
        })
    }

    /// The quantity in a sample less its value, and its rounding: half the width of its range over inputs that are 16
    /// rounding errors off (0 where that is unbounded). `None`: it does not exist there.
    fn at(&self, scene: &Scene, sample: &Sample) -> Option<(f64, f64)> {
        let state = scene.world(&sample.state);
        let on_ground = sample.place.filter(|_| sample.phase != Phase::Flight);
        let frame = on_ground.map(|place| scene.ground.frame(place));
        let along = frame.map(|frame| frame.tangent.dot(&sample.state.velocity));
        let s = on_ground.map(|place| scene.ground.shown_parameter(place));
        let State { time, position, velocity, angle, spin, .. } = state;
        let size = position.norm() + scene.ball.radius();
        let speed = velocity.norm() + (scene.ball.radius() * spin).abs();
        let pulls = scene.forces.gravity_vector().norm() + sample.acceleration.norm();
        let unit = Rounding::of_motion(size, time.abs(), speed, pulls);
        let ground = on_ground.zip(frame).map_or(0.0, |(place, frame)| {
            (scene.ground.rounding(place) + unit.length) / frame.speed.abs().max(f64::MIN_POSITIVE)
        });
        let radius = scene.ball.radius();
        let around = |value: f64, unit: f64| Interval::around(value, Rounding::SUM * unit);
        let turned = if radius > 0.0 { unit.velocity / radius } else { f64::EPSILON * spin.abs() };
        let blurred = SeenBall {
            time: around(time, unit.time),
            position: [position.x, position.y].map(|x| around(x, unit.length)),
            velocity: [velocity.x, velocity.y].map(|v| around(v, unit.velocity)),
            angle: around(angle, f64::EPSILON * (angle.abs() + (spin * time).abs())),
            spin: around(spin, turned),
            along: along.map(|v| around(v, unit.velocity)),
            s: s.map(|s| around(s, ground)),
            normal_force: around(
                sample.normal_force,
                unit.acceleration * scene.ball.mass() + f64::EPSILON * sample.normal_force,
            ),
        };
        let exact = SeenBall {
            time,
            position: position.into(),
            velocity: velocity.into(),
            angle,
            spin,
            along,
            s,
            normal_force: sample.normal_force,
        };
        let blur = self.value(&blurred)?;
        let blur = if blur.is_bounded() { 0.5 * blur.width() } else { 0.0 };
        Some((self.value(&exact)?, blur))
    }

    /// Encloses the quantity less its value over a part of a stretch, with its rate.
    pub(crate) fn over(&self, scene: &Scene, over: &Over) -> Option<Rate> {
        let Over { time, position, velocity, angle, spin, along, normal_force, place } = *over;
        let s = place.map(|(from, to)| {
            let [a, b] = [from, to].map(|place: Place| scene.ground.shown_parameter(place));
            Taylor([Interval::between(a, b), Interval::REAL])
        });
        self.value(&SeenBall { time, position, velocity, angle, spin, along, s, normal_force })
    }
}

/// Number of parts that each stretch and each crossing found add to those that may be enclosed.
const PARTS: u32 = 4096;
/// Largest number of parts saved up: a search that needs more is reported as unresolved. Also the largest number of
/// crossings of a stretch.
const MOST: u32 = 1 << 18;
/// Ratio of the two distances from a pole at which growth is compared: that of a square root has faded to a thousandth.
const FADES: f64 = (1 << 20) as f64;
/// Number of equal parts into which a stretch without enclosures is divided.
const EQUAL: f64 = 64.0;

#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct WatchState {
    /// Side on which the quantity was last beyond rounding.
    above: Option<bool>,
    /// Number of crossings reported, or of times reached.
    pub told: usize,
    /// Remaining number of parts that may be enclosed.
    parts_left: u32,
    /// Time from which crossings are unresolved, s.
    pub unresolved: Option<f64>,
}

impl WatchState {
    /// The state at the start of a run.
    pub fn new() -> Self {
        WatchState { parts_left: MOST, ..WatchState::default() }
    }

    fn add_parts(&mut self) {
        self.parts_left = (self.parts_left + PARTS).min(MOST);
    }
}

/// Time (s) at which the quantity is not a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Undefined(pub f64);

/// Search for the crossings of one watch on one stretch.
pub(crate) struct Crossings<'a> {
    pub scene: &'a Scene,
    pub stretch: &'a Stretch<'a>,
    pub watch: &'a Watch,
    pub index: usize,
    pub known: &'a mut WatchState,
}

impl Crossings<'_> {
    fn sample(&self, time: f64) -> Sample {
        let mut sample = self.stretch.seen(time);
        sample.state.time = time;
        sample
    }

    /// The quantity at a time, and its rounding; `None`: it does not exist there.
    fn at(&self, time: f64) -> Option<(f64, f64)> {
        self.watch.at(self.scene, &self.sample(time))
    }

    /// Finds the crossings on the stretch in order: each where the quantity is beyond rounding past zero.
    pub fn all(mut self, found: &mut Vec<Crossing>) -> Result<(), Undefined> {
        let (from, to) = (self.stretch.from(), self.stretch.to());
        if let Watched::Times(times) = &self.watch.of {
            let due = times[self.known.told.min(times.len())..].iter().take_while(|time| **time < to);
            for time in due {
                self.known.told += 1;
                // Times before the start are skipped.
                if *time >= from {
                    let sample = self.sample(*time);
                    found.push(Crossing { watch: self.index, sample, rising: true });
                }
            }
            return Ok(());
        }
        if self.watch.first && self.known.told > 0 {
            return Ok(());
        }
        // Quantities of contact have no side in flight.
        if self.watch.of.is_of_ground() && self.at(from).is_none() {
            self.known.above = None;
            return Ok(());
        }
        // An event before the stretch may have made the quantity jump.
        self.update_side(from, from, found)?;
        self.known.add_parts();
        let (first, tick) = (found.len(), Rounding::tick(to));
        let mut from = from;
        while from < to {
            if found.len() - first >= MOST as usize {
                self.known.parts_left = 0;
            }
            let (parts_left, pole) = (Cell::new(self.known.parts_left), Cell::new(None));
            let value = |time: f64| match self.at(time) {
                Some((value, slack)) if value.is_finite() => self.distance_to_crossing(Interval::point(value), slack),
                Some(_) => -1.0,
                None => f64::INFINITY,
            };
            let bound = |part: Interval, ends: [f64; 2]| {
                parts_left.set(parts_left.get().saturating_sub(1));
                self.bound(part, ends, &pole)
            };
            let ends = [from, to].map(|at| Valued { at, value: value(at) });
            let trigger = first_event(value, bound, ends, tick, parts_left.get());
            if let Trigger::At(time) = trigger {
                self.bound(Interval::new(time.next_down().max(from), time), [0.0; 2], &pole);
            }
            let (parts_left, pole) = (parts_left.get(), pole.get());
            self.known.parts_left = parts_left;
            if let Some(pole) = pole {
                return Err(pole);
            }
            if let Trigger::Undecided(time) = trigger {
                self.known.unresolved.get_or_insert(time);
            }
            // An unresolved part is judged by its end.
            let time = if let Trigger::At(time) = trigger { time } else { to };
            self.update_side(from, time, found)?;
            from = time;
        }
        Ok(())
    }

    /// Distance of a range of the quantity from the next crossing: beyond rounding on the other side, or on any side if
    /// none is known yet.
    fn distance_to_crossing(&self, range: Interval, slack: f64) -> f64 {
        let distance_from_zero = match self.known.above {
            Some(true) => range.lo,
            Some(false) => -range.hi,
            None => -range.magnitude(),
        };
        // Within rounding of zero, the quantity has not crossed yet.
        distance_from_zero + slack + f64::MIN_POSITIVE
    }

    /// A lower bound of that distance over a part; sets `pole` if the part has the first one. Without enclosures equal
    /// parts are judged by their ends.
    fn bound(&self, part: Interval, ends: [f64; 2], pole: &Cell<Option<Undefined>>) -> f64 {
        let enclosed = || {
            let over = self.watch.of.over(self.scene, &self.stretch.over(part.lo, part.hi)?)?;
            (over.0[0] != Interval::REAL).then_some(over)
        };
        let (Some((value, slack)), Some(Taylor([range, rate]))) = (self.at(part.middle()), enclosed()) else {
            let is_halved = part.width() > (self.stretch.to() - self.stretch.from()) / EQUAL;
            return if is_halved { f64::NEG_INFINITY } else { f64::INFINITY };
        };
        if range.is_undefined() {
            // The clock resolves no shorter part.
            if part.width() <= Rounding::tick(self.stretch.to()) && pole.get().is_none() {
                pole.set(self.pole(part.lo, part.hi));
            }
            return f64::NEG_INFINITY;
        }
        // Monotonic, so that it is least at an end.
        if rate.mignitude() > 0.0 {
            return ends[0].min(ends[1]);
        }
        let near = Interval::around(value, rate.magnitude() * 0.5 * part.width() + slack);
        let range = if near.is_bounded() { near.intersection(range).unwrap_or(near) } else { range };
        self.distance_to_crossing(range, slack)
    }

    /// Updates the side of the quantity at a time, up to which it crosses zero at most once; adds the crossing, if any.
    fn update_side(&mut self, from: f64, time: f64, found: &mut Vec<Crossing>) -> Result<(), Undefined> {
        let Some((value, slack)) = self.at(time) else { return Ok(()) };
        if !value.is_finite() {
            let is_number = |time: f64| self.at(time).is_some_and(|(value, _)| value.is_finite());
            return Err(Undefined(if is_number(from) { bisect(is_number, from, time)[1] } else { from }));
        }
        let above = value > 0.0;
        if value.abs() > slack && self.known.above.replace(above).is_some_and(|before| before != above) {
            // The bisection starts at a time at which the quantity is beyond rounding on its old side.
            let far =
                |time: f64| self.at(time).is_some_and(|(there, slack)| (if above { -there } else { there }) > slack);
            let mut back = Rounding::tick(time);
            while time - back > from && !far(time - back) {
                back *= 2.0;
            }
            let (before, last) =
                (|time: f64| self.at(time).is_some_and(|(value, _)| (value > 0.0) != above), (time - back).max(from));
            let at = if before(last) { bisect(before, last, time)[1] } else { last };
            self.emit(at, above, found);
        }
        Ok(())
    }

    /// Whether a part that the clock can't halve has a pole: the quantity changes its sign without a zero, or its
    /// growth over the second half of the way there does not fade, as it would towards a finite value.
    fn pole(&self, begin: f64, end: f64) -> Option<Undefined> {
        let value = |time: f64| self.at(time).map_or(f64::NAN, |(value, _)| value);
        let (from, to) = (value(begin), value(end));
        let near = 2.0 * Rounding::tick(end);
        let grows = |start: f64, room: f64, way: f64| {
            let by = |half: f64| {
                let [there, before] = [half, 2.0 * half].map(|far| value(start + way * far).abs());
                (there - before, Rounding::SUM * f64::EPSILON * there)
            };
            let (growth, grain) = by(near);
            2.0 * FADES * near <= room && growth > grain && growth > 0.5 * by(FADES * near).0
        };
        let changes_sign = from.min(to) < 0.0 && from.max(to) > 0.0;
        let grows = grows(begin, begin - self.stretch.from(), -1.0) || grows(end, self.stretch.to() - end, 1.0);
        (changes_sign || grows).then_some(Undefined(if to.abs() > from.abs() { end } else { begin }))
    }

    /// Adds a crossing, if the watch asks for it; an apex counts as such only where v_y falls.
    fn emit(&mut self, time: f64, rising: bool, found: &mut Vec<Crossing>) {
        let falls = self.watch.of == Watched::Apex && rising;
        if self.watch.rising.is_some_and(|asked| asked != rising) || falls || self.watch.first && self.known.told > 0 {
            return;
        }
        self.known.told += 1;
        self.known.add_parts();
        let sample = self.sample(time);
        found.push(Crossing { watch: self.index, sample, rising });
    }
}
