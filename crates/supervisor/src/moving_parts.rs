//! Grounds whose parts move against each other: the ball is followed in the frame of one until it meets another.

use curves::{Departure, FirstContact, Frame, Path, Place, SearchCount, SearchError};
use flight::FlightMethod;
use mechanics::{Carriage, LEAST_HOP, Mode, Press, State, is_low_hop, strike};
use nalgebra::Vector2;
use numbers::{Interval, Rounding, Taylor, elementary};
use rolling::ContactMethod;

use crate::endless_tossing::Round;
use crate::event::TouchPoint;
use crate::event_balance::IntendedChange;
use crate::phase_states::{Contact, Flight, Motion, StopIn, Stopped, Transition};
use crate::run_state::{Live, Visit};
use crate::{Event, EventKind, Sample, Scene, Stop, Stretch};

/// Largest number of halvings of a stretch until a polynomial is its path in the frame of another part.
const HALVINGS: u32 = 30;
/// Relative distance of such a polynomial from the path that counts as rounding of its sums.
const EXACT: f64 = 64.0 * f64::EPSILON;
/// Largest value of `t²(t − ½)²(t − 1)²` in [0, 1]: error of Hermite's polynomial for a unit sixth Taylor coefficient.
const HERMITE: f64 = 0.0024;

/// The last touches on two parts of the ground. A ball that passes from one to the other at one instant still touches
/// both, at these places; a search nearby may find the other side of a curve, or a gap of rounding.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct PartTouches([Option<PartTouch>; 2]);

#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
struct PartTouch {
    number: usize,
    place: Place,
    /// s
    time: f64,
}

impl PartTouches {
    fn note(&mut self, touch: PartTouch) {
        let other = self.0.into_iter().flatten().find(|other| other.number != touch.number);
        self.0 = [Some(touch), other];
    }

    /// Place of a touch on a part at a time (s).
    fn at(&self, number: usize, time: f64) -> Option<Place> {
        let touch = self.0.into_iter().flatten().find(|touch| touch.number == number)?;
        (touch.time == time).then_some(touch.place)
    }
}

impl<F: FlightMethod, C: ContactMethod> Live<'_, '_, F, C> {
    /// Whether parts of the ground move relative to each other.
    #[inline(always)]
    pub(crate) fn in_parts(&self) -> bool {
        !self.run.all.parts.is_empty()
    }

    /// Finds the first contact with another part on a stretch, and notes it as the run's `visit`; returns its time (s).
    #[cold]
    #[inline(never)]
    pub(crate) fn visits(&mut self, stretch: &Stretch) -> Result<Option<f64>, Stop> {
        let mut first: Option<(f64, usize, FirstContact)> = None;
        for number in (0..self.run.all.parts.len()).filter(|number| *number != self.run.kept.number) {
            let until = first.map_or(stretch.to(), |(time, ..)| time);
            let scene = self.run.all.part(number).with_strands(self.run.kept.touched);
            let left = self.run.kept.part_touches.at(number, stretch.from());
            let found = StretchSeen { scene, stretch, left }.first(until, &mut self.run.kept.count.search);
            let found = found.map_err(|error| Stop::Search { time: stretch.from(), error })?;
            if let Some((time, contact)) = found {
                first = Some((time, number, contact));
            }
        }
        let Some((time, number, contact)) = first else { return Ok(None) };
        let mut sample = stretch.seen(time);
        sample.state.time = time;
        self.run.visit = Some(Visit { number, contact, sample });
        Ok(Some(time))
    }

    /// Lets the ball meet another part, in whose frame it is followed from there. A rolling or sliding ball stays on
    /// its own part unless the impact takes it off.
    pub(crate) fn arrive(&mut self, from: &Motion, visit: &Visit) -> Transition {
        let Visit { number, contact, sample } = visit;
        let (own, met) = (self.run.scene, self.run.all.part(*number).with_strands(self.run.kept.touched));
        let arrival = State { position: contact.frame.position, ..met.seen(&own.reported(&sample.state)) };
        self.run.kept.ledger.seen_anew([own, met], &sample.state);
        let time = sample.state.time;
        for (number, place) in [(self.run.kept.number, sample.place), (*number, Some(contact.place))] {
            place.into_iter().for_each(|place| self.run.kept.part_touches.note(PartTouch { number, place, time }));
        }
        // State where the stretch was cut, which is before the end of its step.
        let here = match (from, sample.place) {
            (Motion::Contact(Contact { mode, .. }), Some(place)) => {
                Contact::begin(own, *mode, &sample.state, place).into()
            }
            (Motion::Wedged(wedged), _) => wedged.after(own, sample.state.time).into(),
            _ => Flight::free(sample.state).into(),
        };
        if let Some(goes_on) = self.hit_beside(here, visit, &arrival)? {
            return Ok(goes_on);
        }
        (self.run.kept.number, self.run.part, self.run.scene) = (*number, self.run.all.part(*number), met);
        (self.run.kept.barrier, self.run.kept.before) = (None, None);
        self.run.kept.flight.restart();
        let mut flight = Flight::free(arrival);
        let then = self.touch(&mut flight, contact, sample.phase)?;
        Ok(then.unwrap_or(flight.into()))
    }

    /// Impact on another part of a ball that touches its own; returns the motion along its own part. `None`: it does
    /// not go on there, or was in flight. Stops the run (`Squeezed`) where both parts hold the ball, for which there is
    /// no law. `here` is its motion on its own part, `arrival` its state as the other part sees it.
    fn hit_beside(
        &mut self,
        here: Motion,
        Visit { number, contact, sample }: &Visit,
        arrival: &State,
    ) -> Result<Option<Motion>, Stopped> {
        let (own, met) = (self.run.scene, self.run.all.part(*number).with_strands(self.run.kept.touched));
        // Place where it touches its own part: of its contact, of an impact at this instant, or with no gap to
        // rounding.
        let touched = || {
            let (place, gap) = own.ground.place_and_gap(sample.state.position);
            (gap.abs() <= LEAST_HOP * own.rounding(&sample.state, place).length).then_some(place)
        };
        let noted = self.run.kept.part_touches.at(self.run.kept.number, sample.state.time);
        let Some(place) = sample.place.or(noted).or_else(touched) else {
            self.run.kept.round = None;
            return Ok(None);
        };
        let wedged = matches!(here, Motion::Wedged(_));
        let (ball, law, frame) = (&own.ball, met.law_at(contact.place), own.ground.frame(place));
        let struck = strike(ball, law, &contact.frame, arrival).map_err(|error| Stop::impact(arrival, error));
        let (hit, after) = struck.stop_in(&here)?;
        let back = own.seen(&met.reported(&after));
        let opening = back.velocity.dot(&frame.normal);
        let [on, against] = [(own, place, frame), (met, contact.place, contact.frame)];
        // Bounces have ended where the ball is pressed back, and its hop is below rounding, or slow by the options.
        let rise = hit.normal_velocity.max(-arrival.velocity.dot(&contact.frame.normal)).max(opening.abs());
        let unit = met.rounding(&after, contact.place);
        let slow = rise <= self.run.options.capture_tolerance && rise < self.run.options.capture_speed;
        let ended =
            |pull: f64| pull > Rounding::SUM * unit.acceleration && (slow || is_low_hop(rise, pull, unit.length));
        // Which contact acts after the impact? None if neither presses; one alone if it presses and the ball on it does
        // not approach the other part; else both (without friction the LCP has one solution). `ways` are the
        // accelerations of that approach, for each contact that presses.
        let ways = match wedged {
            true => [Some(pull(own.reported_sample(*sample).acceleration, &after, against)), None],
            false => [goes(&back, on, &after, against), goes(&after, against, &back, on)],
        };
        let mut pulls = ways.into_iter().flatten().peekable();
        let falls = met.reported_sample(Sample::in_flight(*arrival, Vector2::zeros())).acceleration;
        let falls = (own.reported_sample(*sample).acceleration - falls).norm();
        let recurs = Round::recurs(&mut self.run.kept.round, *number, arrival, [ball.radius(), rise, falls], unit);
        if recurs || pulls.peek().is_some() && pulls.all(ended) {
            let (time, centre) = (after.time, met.reported(&after).position);
            let curves = [place, contact.place].map(|at| self.run.all.ground.curve_of(at));
            return Err(Stop::Squeezed { time, centre, curves }).stop_in(&here);
        }
        let force = own.forces.force_at(&back);
        let along = back.velocity.dot(&frame.tangent);
        let fast = back.velocity.norm() + arrival.velocity.norm() + after.velocity.norm();
        let stays = Rounding::vanishes(opening, (f64::EPSILON + frame.rounding()) * fast)
            && Press::of(self.normal_force(&frame, force, along), 0.0).is_some_and(Press::stays);
        if wedged || !stays || sample.place.is_none() {
            return Ok(None);
        }
        let back = State { position: frame.position, velocity: frame.tangent * along, ..back };
        let mode = Mode::begin(ball, own.law_at(place), &frame, force, along, ball.slip_velocity(along, back.spin));
        let goes_on = Contact::begin(own, mode, &back, place);
        if Rounding::vanishes(arrival.velocity.dot(&contact.frame.normal), unit.velocity) {
            self.run.kept.count.search.grazes += 1;
            return Ok(Some(goes_on.into()));
        }
        self.run.kept.count.impacts += 1;
        let phases = [sample.phase, mode.into()];
        let impulses = [hit.normal_impulse, hit.tangential_impulse];
        let at = TouchPoint { place: contact.place, frame: contact.frame };
        let event = Event::new(EventKind::Impact, phases, &at, [arrival, &after], impulses);
        // Told and balanced in the frame of the part that is hit.
        self.run.scene = met;
        let told = self.emit([event].iter(), IntendedChange { length: contact.rounding, ..IntendedChange::NOTHING });
        self.run.scene = own;
        told.stop_in(&goes_on)?;
        Ok(Some(goes_on.into()))
    }
}

/// Scene of a part, with the place and the frame of a contact on it.
type At<'a> = (&'a Scene, Place, Frame);

/// Acceleration (m/s²) at which a ball that continues along part `on` approaches part `against`, where it is `seen`;
/// `None`: part `on` does not press it.
fn goes(state: &State, (on, place, frame): At, seen: &State, against: At) -> Option<f64> {
    let system = on.system(on.mode_at(state, place, &frame), place);
    let begun = system.begin(state, place);
    if Press::of(begun.normal_force, 0.0) == Some(Press::Leaves) {
        return None;
    }
    Some(pull(on.reported_sample(Sample::in_contact(&system, &begun)).acceleration, seen, against))
}

/// Acceleration `−g̈` (m/s²) at which a ball approaches a part, for its `acceleration` (m/s²) in the frame at rest.
fn pull(acceleration: Vector2<f64>, seen: &State, (scene, _, frame): At) -> f64 {
    let ground = scene.reported_sample(Sample::in_flight(*seen, Vector2::zeros())).acceleration;
    let along = seen.velocity.dot(&frame.tangent);
    frame.curvature * along * along - frame.normal.dot(&(acceleration - ground))
}

/// Begin of a stretch on which the ball touches another part.
enum Begin {
    Leaves(Departure),
    /// The ball is driven into it, which is a contact at once.
    Meets(FirstContact),
}

/// A stretch as another part of the ground sees it; `scene` is that part's.
struct StretchSeen<'a> {
    scene: &'a Scene,
    stretch: &'a Stretch<'a>,
    /// Place of that part which the ball touches at the begin of the stretch, as noted by the impact there.
    left: Option<Place>,
}

impl StretchSeen<'_> {
    fn at(&self, time: f64) -> [Vector2<f64>; 2] {
        let seen = self.scene.seen(&self.stretch.world(time));
        [seen.position, seen.velocity]
    }

    /// Sum of the ball's distances from the origins of both parts' frames and of the frame at rest (m), at a time (s):
    /// the size of the numbers that its place is computed from.
    fn size(&self, time: f64) -> f64 {
        let (own, world) = (self.stretch.seen(time).state, self.stretch.world(time));
        [own, world, self.scene.seen(&world)].map(|state| state.position.norm()).iter().sum()
    }

    /// Finds the first contact before a time (s), and its time.
    fn first(&self, until: f64, count: &mut SearchCount) -> Result<Option<(f64, FirstContact)>, SearchError> {
        let begin = self.stretch.from();
        let mut open = vec![(begin, until, HALVINGS)];
        while let Some((from, to, halvings)) = open.pop() {
            let touches = from == begin && self.left.is_some();
            if !(from < to) || !touches && self.is_far(from, to) {
                continue;
            }
            let Some(path) = self.path(from, to, halvings == 0) else {
                let middle = 0.5 * (from + to);
                open.extend([(middle, to, halvings - 1), (from, middle, halvings - 1)]);
                continue;
            };
            let begun = if from == begin { self.begins(begin) } else { None };
            let departure = match begun {
                Some(Begin::Meets(contact)) => return Ok(Some((begin, contact))),
                Some(Begin::Leaves(departure)) => departure,
                None => {
                    let speed = path.at(0.0).velocity.norm();
                    Departure::in_flight(Rounding::of_motion(self.size(from), to - from, speed, 0.0).length)
                }
            };
            let found = self.scene.ground.first_contact(&path, Some(&departure), count);
            if let Some(contact) = found.map_err(|error| error.later(from - begin))? {
                return Ok(Some((from + contact.time, contact)));
            }
        }
        Ok(None)
    }

    /// Whether a ball that touches this part at a time (s), the begin of the stretch, leaves it or meets it at once.
    /// `None`: it does not touch, or approaches a place that no impact has noted; the search then decides.
    fn begins(&self, time: f64) -> Option<Begin> {
        let (ground, state) = (&self.scene.ground, self.scene.seen(&self.stretch.world(time)));
        let (place, gap) = self.left.map_or_else(|| ground.place_and_gap(state.position), |place| (place, 0.0));
        let unit = self.scene.rounding(&state, place);
        if !Rounding::vanishes(gap, unit.length) {
            return None;
        }
        let (frame, known) = (ground.frame(place), self.left.is_some());
        let departure = ground.departure(place).rounded(f64::EPSILON * self.size(time));
        let rate = frame.normal.dot(&state.velocity);
        let leaves = if known && Rounding::vanishes(rate, unit.velocity) {
            let acceleration = self.stretch.at(time).acceleration;
            !(pull(acceleration, &state, (self.scene, place, frame)) > Rounding::SUM * unit.acceleration)
        } else {
            rate >= -Rounding::SUM * unit.velocity
        };
        if leaves {
            return Some(Begin::Leaves(departure));
        }
        let (rounding, departure) = (departure.rounding(), Some(departure));
        known.then_some(Begin::Meets(FirstContact { time: 0.0, place, frame, rounding, bent: 0.0, departure }))
    }

    /// Whether bounds prove that the ball does not reach this part between two times (s).
    fn is_far(&self, from: f64, to: f64) -> bool {
        let Some(over) = self.stretch.position_over(from, to) else { return false };
        let carriage = self.scene.forces.carriage();
        let origin = carriage.map(|carriage| carriage.at(Interval::new(from, to)).position);
        let seen = origin.map_or(over, |origin| [0, 1].map(|i| over[i] - origin[i]));
        let bounds = self.scene.ground.bounds();
        (0..2).any(|i| seen[i].hi < bounds[i].lo || bounds[i].hi < seen[i].lo)
    }

    /// The quintic through places and velocities at both ends and in the middle, if it is the path to rounding, or
    /// `anyway`. Its error is bounded for the motion of both parts. The ball's own path is compared at three more
    /// places, which decide it for a polynomial of degree 8, the highest in flight; along the ground it is smooth.
    fn path(&self, from: f64, to: f64, anyway: bool) -> Option<Path> {
        let (h, time) = (to - from, |part: f64| from + part * (to - from));
        let [[x, v], [mx, mv], [ex, ev]] = [0.0, 0.5, 1.0].map(|part| self.at(time(part)));
        let (v, mv, ev) = (v * h, mv * h, ev * h);
        // Deviations from a straight line.
        let (a, b, c, d) = (mx - x - v * 0.5, mv - v, ex - x - v, ev - v);
        let coefficients = [
            x,
            v,
            a * 16.0 - b * 8.0 + c * 7.0 - d,
            a * -32.0 + b * 32.0 - c * 34.0 + d * 5.0,
            a * 16.0 - b * 40.0 + c * 52.0 - d * 8.0,
            b * 16.0 - c * 24.0 + d * 4.0,
        ];
        let path = Path::polynomial(&coefficients, h);
        let size = x.amax().max(ex.amax()) + v.amax().max(ev.amax()) + self.scene.ball.radius();
        let holds = |part: f64| {
            let [there, _] = self.at(time(part));
            (path.at(part * h).position - there).amax() <= EXACT * (size + there.amax())
        };
        let whole = Interval::new(from, to);
        let moves = [self.scene, self.stretch.scene()].map(|scene| scene.forces.carriage());
        let resolved = |carriage: &Carriage| bend(carriage, whole) * elementary::powi(h, 6) * HERMITE <= EXACT * size;
        (anyway || moves.into_iter().flatten().all(resolved) && [0.125, 0.25, 0.75].into_iter().all(holds))
            .then_some(path)
    }
}

/// Bound of the sixth Taylor coefficient of a part's motion over a range of time (s), m/s⁶.
fn bend(carriage: &Carriage, over: Interval) -> f64 {
    let time = Taylor::<Interval, 7>::variable(over);
    let sixth = |i: usize| carriage.origin()[i].eval(&[time]).0[6].magnitude();
    sixth(0).max(sixth(1))
}
