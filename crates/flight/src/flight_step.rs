//! The step of flight, a value: its path, its states with spin and energies, and the first contact on it.

use curves::{Departure, FirstContact, Motion, OffsetGround, Path, SearchCount, SearchError};
use mechanics::{Forces, Power, State};
use nalgebra::Vector2;
use numbers::{Interval, Number, Rounding, Taylor};

use crate::FlightError;
use crate::ballistic::{ExactArc, Meeting};
use crate::flight_trait_and_errors::rounding;

/// Step of flight: the path of the centre, and the energies along it by quadrature of powers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlightStep {
    start: State,
    /// Path of the centre; for an exact arc, the polynomial piece of it that was searched last.
    path: Path,
    /// Length of the step, s.
    duration: f64,
    way: FlightWay,
    /// Quadrature nodes spent on exact arcs so far, by this step and those stored here before.
    nodes: u64,
}

/// Kind of motion over a step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum FlightWay {
    /// Motion exactly on the path: the force is constant, and dissipation and work do not change.
    Fall,
    /// Motion on the path at constant spin.
    Path,
    /// Motion on the path, with the spin (rad/s) as a polynomial of the part of the step, lowest power first.
    Turning([f64; SPIN_TERMS]),
    /// Exact motion, which is no polynomial.
    Arc(ExactArc),
}

/// Number of terms of the spin's polynomial: enough for a Taylor series of order 16.
pub(crate) const SPIN_TERMS: usize = 17;

impl FlightStep {
    /// Exact step under a constant acceleration (m/s²) over `duration` s; dissipation and work do not change.
    #[inline(always)]
    pub fn parabola(start: &State, acceleration: Vector2<f64>, duration: f64) -> Self {
        let motion = Motion { position: start.position, velocity: start.velocity, acceleration };
        FlightStep { way: FlightWay::Fall, ..FlightStep::new(start, Path::parabola(motion, duration)) }
    }

    /// Sets this step to a [`parabola`](Self::parabola), in place.
    #[inline(always)]
    pub fn set_parabola(&mut self, start: &State, acceleration: Vector2<f64>, duration: f64) {
        self.start = *start;
        self.path.set_parabola(Motion { position: start.position, velocity: start.velocity, acceleration }, duration);
        (self.duration, self.way) = (duration, FlightWay::Fall);
    }

    /// Makes this an exact step to `until` (s) if the force is constant, or changes the motion until then by rounding
    /// only; returns whether it is one. A torque is refused.
    #[inline(always)]
    pub(crate) fn fall(&mut self, forces: &Forces, start: &State, until: f64) -> Result<bool, FlightError> {
        let Some(acceleration) = forces.constant_acceleration(start.spin) else {
            return self.stand(forces, start, until);
        };
        self.set_parabola(start, acceleration, until - start.time);
        Ok(true)
    }

    /// Makes this a parabola to `until` (s) if until then the place changes by rounding only, and the change of the
    /// force alters the velocity by rounding only; returns whether it is one.
    fn stand(&mut self, forces: &Forces, start: &State, until: f64) -> Result<bool, FlightError> {
        if forces.has_torque() {
            return Err(FlightError::Torque { time: start.time });
        }
        let (duration, speed) = (until - start.time, start.velocity.norm());
        let stays = |way: f64| Rounding::vanishes(way, rounding(start, Vector2::zeros()).length);
        if !stays(speed * duration) {
            return Ok(false);
        }
        let first = forces.force_at(start) / forces.mass();
        let gain = first.norm() * duration;
        let end = State { time: until, velocity: start.velocity + first * duration, ..*start };
        let change = (forces.force_at(&end) / forces.mass() - first).norm() * duration;
        let short = stays(gain * duration) && Rounding::vanishes(change, f64::EPSILON * (speed + gain));
        if short {
            self.set_parabola(start, first, duration);
        }
        Ok(short)
    }

    /// A step along a given path.
    pub fn new(start: &State, path: Path) -> Self {
        FlightStep { start: *start, path, duration: path.duration(), way: FlightWay::Path, nodes: 0 }
    }

    /// A step along a given path, with the spin (rad/s) as a polynomial of the part of the step, lowest power first.
    pub(crate) fn turning(start: &State, path: Path, spin: [f64; SPIN_TERMS]) -> Self {
        FlightStep { way: FlightWay::Turning(spin), ..FlightStep::new(start, path) }
    }

    /// Spin (rad/s) and angle (rad) `t` seconds after the start, over any number.
    pub fn turned<N: Number>(&self, t: N) -> [N; 2] {
        let State { spin, angle, .. } = self.start;
        let (spin, mean) = match &self.way {
            FlightWay::Turning(terms) => {
                let part = t.scale(1.0 / self.duration);
                let sum = |weight: fn(usize) -> f64| {
                    let terms = terms.iter().enumerate().rev();
                    terms.fold(N::constant(0.0), |sum, (i, term)| sum * part + N::constant(term * weight(i)))
                };
                (sum(|_| 1.0), sum(|i| 1.0 / (i + 1) as f64))
            }
            _ => (N::constant(spin), N::constant(spin)),
        };
        [spin, N::constant(angle) + mean * t]
    }

    /// Sets a step from the coefficients of the place as a polynomial of the part of the step, lowest power first.
    #[inline]
    pub(crate) fn set_polynomial<const N: usize>(
        &mut self,
        start: &State,
        position: &[Vector2<f64>; N],
        duration: f64,
    ) -> &Path {
        (self.start, self.duration, self.way) = (*start, duration, FlightWay::Path);
        self.path.set_polynomial(position, duration);
        &self.path
    }

    /// Makes this a step along an exact arc.
    #[inline]
    pub(crate) fn set_arc(&mut self, start: &State, arc: ExactArc, duration: f64) {
        (self.start, self.duration, self.way) = (*start, duration, FlightWay::Arc(arc));
    }

    /// Whether it is an exact step under a constant force.
    #[inline(always)]
    pub fn is_fall(&self) -> bool {
        matches!(self.way, FlightWay::Fall)
    }

    #[inline(always)]
    fn arc(&self) -> Option<&ExactArc> {
        if let FlightWay::Arc(arc) = &self.way { Some(arc) } else { None }
    }

    /// State at the start.
    pub fn start(&self) -> &State {
        &self.start
    }
    /// The path of the centre, if it is a polynomial.
    #[inline(always)]
    pub fn path(&self) -> Option<&Path> {
        if self.arc().is_none() { Some(&self.path) } else { None }
    }
    /// Duration, s.
    #[inline(always)]
    pub fn duration(&self) -> f64 {
        self.duration
    }
    /// Quadrature nodes spent on exact arcs, over all steps stored in this value.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The ball `t` seconds after the start of the step.
    #[inline]
    pub fn at(&self, forces: &Forces, t: f64) -> State {
        match &self.way {
            FlightWay::Arc(arc) => arc.at(&self.start, &arc.first, t, &mut 0),
            _ => self.on_path(forces, t),
        }
    }

    /// Encloses the place of the centre between two times since the start, m.
    pub fn bounds(&self, from: f64, to: f64) -> [Interval; 2] {
        match self.arc() {
            Some(arc) => arc.bounds(&self.start, from, to),
            None => self.path.bounds(from, to),
        }
    }

    /// Encloses velocity (m/s) and acceleration (m/s²) of the centre between two times since the start.
    pub fn velocity_over(&self, from: f64, to: f64) -> [Taylor<Interval, 2>; 2] {
        match self.arc() {
            Some(arc) => arc.velocity_over(from, to),
            None => {
                let (velocity, bend) = (self.path.velocity_bounds(from, to), self.path.acceleration_over(from, to));
                [0, 1].map(|i| Taylor([velocity[i], bend[i]]))
            }
        }
    }

    /// The first contact on the step, or proof that there is none; times are since the start of the step. `departure`
    /// describes the contact that the step begins with, if any; `arrival` is the ball's state at the contact found.
    #[inline(always)]
    pub fn first_contact(
        &mut self,
        forces: &Forces,
        ground: &OffsetGround,
        departure: Option<&Departure>,
        count: &mut SearchCount,
        arrival: &mut State,
    ) -> Result<Option<FirstContact>, SearchError> {
        if self.arc().is_some() {
            return self.first_on_arc(ground, departure, count, arrival);
        }
        let found = ground.first_contact(&self.path, departure, count);
        if let Ok(Some(contact)) = &found {
            *arrival = self.on_path(forces, contact.time);
        }
        found
    }

    /// Finds the first contact on an exact arc: a root on straight ground, else on octics along the arc, one by one.
    #[cold]
    #[inline(never)]
    fn first_on_arc(
        &mut self,
        ground: &OffsetGround,
        departure: Option<&Departure>,
        count: &mut SearchCount,
        arrival: &mut State,
    ) -> Result<Option<FirstContact>, SearchError> {
        let FlightWay::Arc(arc) = &self.way else { return Ok(None) };
        if let Some(straight) = ground.straight() {
            count.searches += 1;
            match arc.meets(&self.start, straight, self.duration, &mut self.nodes) {
                Meeting::At(time, state) => {
                    *arrival = state;
                    return Ok(Some(ground.contact_at(straight, time, state.position)));
                }
                Meeting::Never => return Ok(None),
                Meeting::Unknown => {}
            }
        }
        let (mut from, mut departure) = (arc.first, departure.copied());
        while from.time < self.duration {
            let left = self.duration - from.time;
            let Some((path, end)) = arc.piece(&self.start, &from, left, &mut self.nodes) else {
                return Err(SearchError::PathNotFinite);
            };
            self.path = path;
            let begins = departure.replace(goes_on(&arc.state(&self.start, &end), end.time - from.time));
            let found = ground.first_contact(&path, begins.as_ref(), count).map_err(|error| error.later(from.time))?;
            if let Some(contact) = found {
                let time = from.time + contact.time;
                // The place is that of the polynomial, where the ball touches the ground.
                let position = path.at(contact.time).position;
                *arrival = State { position, ..arc.at(&self.start, &from, time, &mut self.nodes) };
                return Ok(Some(FirstContact { time, ..contact }));
            }
            from = end;
        }
        Ok(None)
    }

    /// Departure for the step after this one, which ends in flight at `end`.
    pub fn goes_on(&self, end: &State) -> Departure {
        goes_on(end, self.duration)
    }

    /// The ball `t` seconds along the path.
    #[inline(always)]
    fn on_path(&self, forces: &Forces, t: f64) -> State {
        let FlightStep { start, path, .. } = self;
        let motion = path.at(t);
        let mut state = State {
            time: start.time + t,
            position: motion.position,
            velocity: motion.velocity,
            angle: start.angle + start.spin * t,
            ..*start
        };
        if !self.is_fall() {
            let turns = matches!(self.way, FlightWay::Turning(_));
            if turns {
                [state.spin, state.angle] = self.turned(t);
            }
            let [dissipated, work] = Power::over(path.degree(), t, |t| {
                let Motion { position, velocity, .. } = path.at(t);
                if !turns {
                    return forces.power(start.time + t, position, velocity, start.spin);
                }
                let ([spin, _], time) = (self.turned(t), start.time + t);
                let rate = forces.spin_rate(time, position.into(), velocity.into(), spin);
                let Power { dissipated, work } = forces.power(time, position, velocity, spin);
                Power { dissipated, work: work + forces.turning_power(spin, rate) }
            });
            (state.dissipated, state.work) = (start.dissipated + dissipated, start.work + work);
        }
        state
    }
}

/// Departure for a path that begins where one of `duration` s ended in flight: its place has the rounding of that way.
fn goes_on(end: &State, duration: f64) -> Departure {
    let State { position, velocity, .. } = end;
    Departure::in_flight(Rounding::of_motion(position.norm(), duration, velocity.norm(), 0.0).length)
}
