//! How do Taylor series of the motion make a step of flight?

use curves::{Motion, Path};
use mechanics::{Forces, State};
use nalgebra::Vector2;
use newmark::{Control, SchemeError, Tolerance, longer, longest, with_rest};
use numbers::Rounding;
use numbers::polynomial::{horner, slope_of};
use numbers::{Series, Tape, Traced};

use crate::flight_step::SPIN_TERMS;
use crate::flight_trait_and_errors::{rounding, shortest_step};
use crate::stiffness::StiffSteps;
use crate::tolerance_and_first_step::{acceleration, is_finite, pace};
use crate::{FlightCount, FlightError, FlightMethod, FlightScheme, FlightStep, MethodError, Newmark, Stepped};

/// Inputs of the tape: time, place, velocity, ω.
const INPUTS: usize = 6;
/// Input of the spin.
const SPIN: usize = 5;

/// Flight by the Taylor series of the motion, under any forces and torque that are formulas.
///
/// ```text
/// q̇ = v,  m v̇ = F(t, q, v, ω),  I ω̇ = T(t, q, v, ω)
/// h = min (tolerance/|cₖ|)^(1/k) over the last two coefficients of place and velocity
/// ```
///
/// with coefficients cₖ of tᵏ (Jorba & Zou, *Experimental Mathematics* 14 (2005) 99, §3). The path searched for
/// contacts is the polynomial of degree 8 through place, velocity and acceleration of the series at both ends and in
/// the middle. It is checked against the series at a quarter, where its error is largest. The series is checked against
/// the force in the middle and at the end: their slopes differ there by the terms left out, and by far more if a root
/// has gone over to its other branch, which no coefficient shows. A step ends where `abs`, `min` or `max` switch.
/// Without a series (a closure; the zero of a root) [`Newmark`] steps, with a torque the Runge–Kutta method.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Taylor {
    control: Control,
    #[serde(skip)]
    expansion: FlightExpansion,
    /// Methods for steps without a series: `instead` without a torque, `turning` with one.
    instead: Newmark,
    instead_turning: Stepped<RungeKutta>,
    count: FlightCount,
    stiff: StiffSteps,
}

/// The classical Runge–Kutta method, spin included.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
struct RungeKutta;

impl FlightScheme for RungeKutta {
    fn order(&self) -> u32 {
        4
    }

    fn step(&mut self, forces: &Forces, start: &State, h: f64) -> Result<State, SchemeError> {
        let rates = |at: &State| {
            let State { time, position, velocity, spin, .. } = *at;
            let force = forces.force(time, position, velocity, spin);
            (velocity, force / forces.mass(), forces.spin_rate(time, position.into(), velocity.into(), spin))
        };
        let after = |h: f64, (v, a, turn): (Vector2<f64>, Vector2<f64>, f64)| State {
            time: start.time + h,
            position: start.position + h * v,
            velocity: start.velocity + h * a,
            spin: start.spin + h * turn,
            ..*start
        };
        let k1 = rates(start);
        let k2 = rates(&after(0.5 * h, k1));
        let k3 = rates(&after(0.5 * h, k2));
        let k4 = rates(&after(h, k3));
        let mean = |[a, b, c, d]: [Vector2<f64>; 4]| (a + 2.0 * (b + c) + d) / 6.0;
        let turn = (k1.2 + 2.0 * (k2.2 + k3.2) + k4.2) / 6.0;
        Ok(after(h, (mean([k1.0, k2.0, k3.0, k4.0]), mean([k1.1, k2.1, k3.1, k4.1]), turn)))
    }
}

/// Error of the polynomial of degree 8 for a term t⁹ of the series, in parts of h⁹: `|t(t − ½)(t − 1)|³` at its
/// largest.
const MISSED: f64 = 1.12e-4;

/// Number of steps of which one is checked for stiffness.
const LOOKED_AT: u32 = 64;

/// Number of coefficients of a series up to the highest order, 16.
const TERMS: usize = 17;

/// Series of a flight, and the tape of the force from which they follow.
#[derive(Clone, Debug, Default)]
struct FlightExpansion {
    /// The force, and the tape recorded from it.
    list: Option<(Forces, Tape)>,
    series: Series<f64, TERMS>,
    /// Order of the series.
    order: usize,
    /// State at which `series` is expanded.
    of: Option<State>,
    /// Whether there is a torque: the tape has a third output.
    turning: bool,
}

impl FlightExpansion {
    /// Expands the motion from a state to an order, unless it is expanded already; records new forces first.
    fn expand(&mut self, forces: &Forces, start: &State, order: usize) {
        self.order = order;
        if !self.list.as_ref().is_some_and(|(known, _)| known == forces) {
            let pushed = |[time, x, y, vx, vy, spin]: [Traced; INPUTS]| {
                forces.at(time, [x, y], [vx, vy], spin).map(|force| force / forces.mass())
            };
            self.turning = forces.has_torque();
            let tape = match self.turning {
                false => Tape::record::<INPUTS, 2>(pushed),
                true => Tape::record::<INPUTS, 3>(|of| {
                    let ([time, x, y, vx, vy, spin], [ax, ay]) = (of, pushed(of));
                    [ax, ay, forces.spin_rate(time, [x, y], [vx, vy], spin)]
                }),
            };
            self.series.fit(&tape);
            (self.list, self.of) = (Some((forces.clone(), tape)), None);
        }
        let Some((_, tape)) = &self.list else { return };
        if self.of == Some(*start) {
            return;
        }
        let State { time, position: q, velocity: v, spin, .. } = *start;
        self.series.put(0, &[time, 1.0]);
        for (input, value) in [q.x, q.y, v.x, v.y, spin].into_iter().enumerate() {
            self.series.put(input + 1, &[value]);
        }
        for k in 0..order {
            self.series.extend(tape, k);
            let part = 1.0 / (k + 1) as f64;
            for axis in 0..2 {
                let rate = self.series.of(3 + axis as u32)[k];
                self.series.put_at(1 + axis, k + 1, part * rate);
                let rate = self.series.of(tape.output(axis))[k];
                self.series.put_at(3 + axis, k + 1, part * rate);
            }
            if self.turning {
                self.series.put_at(SPIN, k + 1, part * self.series.of(tape.output(2))[k]);
            }
        }
        self.of = Some(*start);
    }

    /// Longest step (s) by the last two coefficients and that of t⁹, which the path of degree 8 leaves out; 0: none.
    fn longest(&self, start: &State, tolerance: Tolerance) -> f64 {
        let State { position: q, velocity: v, spin, .. } = *start;
        let rows = [(q.x, MISSED), (q.y, MISSED), (v.x, 0.0), (v.y, 0.0), (spin, 0.0)];
        let rows = rows.into_iter().take(if self.turning { SPIN } else { SPIN - 1 }).zip(1..);
        // The coefficient of t⁹ is 0 in series of order 8.
        longest(
            [9, self.order - 1, self.order],
            rows.map(|((size, missed), input)| {
                let terms = self.series.of(input);
                (tolerance.allows(size), [missed * terms[9], terms[self.order - 1], terms[self.order]])
            }),
        )
    }

    /// First time, up to `until` s after the start, at which `abs`, `min` or `max` switch.
    fn first_switch(&self, until: f64) -> Option<f64> {
        let (_, tape) = self.list.as_ref()?;
        self.series.first_switch(tape, self.order, until)
    }

    /// Place less that of the start, velocity, and slope of the velocity, `t` seconds after the start.
    fn at(&self, t: f64) -> Motion {
        let terms = |input: usize| &self.series.of(input as u32)[..=self.order];
        let along = |axis: usize| t * horner(&terms(1 + axis)[1..], t);
        Motion {
            position: Vector2::new(along(0), along(1)),
            velocity: Vector2::new(horner(terms(3), t), horner(terms(4), t)),
            acceleration: Vector2::new(slope_of(terms(3), t), slope_of(terms(4), t)),
        }
    }

    /// The spin (rad/s) and its slope, `t` seconds after the start.
    fn spin(&self, t: f64) -> [f64; 2] {
        let terms = &self.series.of(SPIN as u32)[..=self.order];
        [horner(terms, t), slope_of(terms, t)]
    }

    /// Error of the spin in a step of `h` s over what is allowed, by its slopes less T/I in the middle and at the end.
    fn off_spin(&self, forces: &Forces, start: &State, h: f64, tolerance: Tolerance) -> f64 {
        let off = |t: f64| {
            let (Motion { position, velocity, .. }, [spin, slope]) = (self.at(t), self.spin(t));
            let place = start.position + position;
            (forces.spin_rate(start.time + t, place.into(), velocity.into(), spin) - slope).abs()
        };
        let [end, _] = self.spin(h);
        let most = start.spin.abs().max(end.abs());
        let part = h / (self.order + 1) as f64;
        tolerance.ratio([[part * off(0.5 * h), most, f64::EPSILON * most], [part * off(h), most, f64::EPSILON * most]])
    }

    /// Path of a step of `h` s, and its error over what is allowed: its own at a quarter, the series' by slopes.
    fn path(&self, forces: &Forces, start: &State, h: f64, tolerance: Option<Tolerance>) -> (Path, f64) {
        let State { time, position: q, velocity: v, spin, .. } = *start;
        let force = |t: f64| {
            let there = self.at(t);
            let spin = if self.turning { self.spin(t)[0] } else { spin };
            let found = acceleration(forces, time + t, q + there.position, there.velocity, spin);
            (Motion { acceleration: found, ..there }, found - there.acceleration)
        };
        let first = Vector2::new(self.series.of(3)[1], self.series.of(4)[1]);
        let begin = Motion { position: Vector2::zeros(), velocity: v, acceleration: first };
        let ((middle, off), (end, off_end)) = (force(0.5 * h), force(h));
        let path = Path::octic(begin, middle, end, h).moved(q);
        let Some(tolerance) = tolerance else {
            return (path, if is_finite(end.acceleration) { 0.0 } else { f64::NAN });
        };
        let part = h / (self.order + 1) as f64;
        let quarter = (path.at(0.25 * h), self.at(0.25 * h));
        let place = quarter.0.position - q - quarter.1.position;
        let velocity = quarter.0.velocity - quarter.1.velocity;
        let unit = rounding(start, end.acceleration);
        // Rounding of places over a short step counts in the slope between its nodes.
        let noise = unit.velocity + 64.0 * unit.length / h;
        let mut error = if self.turning { self.off_spin(forces, start, h, tolerance) } else { 0.0 };
        for axis in 0..2 {
            let slopes = part * off[axis].abs().max(off_end[axis].abs());
            error = error.max(tolerance.ratio([
                [place[axis], q[axis] + end.position[axis], unit.length],
                [velocity[axis], v[axis].abs().max(end.velocity[axis].abs()), noise],
                [slopes, v[axis].abs().max(end.velocity[axis].abs()), unit.velocity],
                [part * slopes, q[axis] + end.position[axis], unit.length],
            ]));
        }
        (path, error)
    }
}

impl Taylor {
    /// Creates the method with fixed steps of order 8, or with a tolerance.
    pub fn new(control: Control) -> Result<Self, MethodError> {
        pace(control)?;
        let (instead, instead_turning) = (Newmark::average(control.extrapolated()), RungeKutta.stepped(control));
        let (expansion, count) = (FlightExpansion::default(), FlightCount::default());
        Ok(Taylor { control, expansion, instead, instead_turning, count, stiff: StiffSteps::default() })
    }

    /// Order of the series.
    pub fn order(&self) -> u32 {
        self.control.series_order()
    }

    /// Notes whether stability limited a step of `h` s, by every 64th step. Where velocities decay at rate λ, a step is
    /// stable up to about (k!)^(1/k)/λ at order k, which is more than k/(eλ).
    fn watch(&mut self, forces: &Forces, start: &State, h: f64) -> Result<(), FlightError> {
        if !self.count.steps.is_multiple_of(u64::from(LOOKED_AT)) {
            return Ok(());
        }
        let slope = forces.jacobian(start.time, start.position, start.velocity, start.spin).velocity;
        let stable = f64::from(self.order()) / std::f64::consts::E;
        self.stiff.note(LOOKED_AT, start.time, h, slope.norm() / forces.mass(), stable)
    }

    /// Path of a step by series; `None`: there is no series, or none of its steps is accurate.
    fn by_series(&mut self, forces: &Forces, start: &State, until: f64) -> Option<Path> {
        let left = until - start.time;
        self.expansion.expand(forces, start, self.order() as usize);
        let (tolerance, mut h) = match self.control {
            Control::Step { step, .. } => (None, step),
            Control::Tolerance(tolerance) => (Some(tolerance), self.expansion.longest(start, tolerance)),
        };
        h = with_rest(h, left);
        if let Some(switch) = self.expansion.first_switch(h) {
            // Ends one tick of the clock after the switch, so that the next step begins with the other formula.
            h = h.min(switch + Rounding::tick(start.time + switch));
        }
        let first = forces.force_at(start) / forces.mass();
        let least = if tolerance.is_some() { shortest_step(start, first).min(left) } else { 0.0 };
        while h > 0.0 && h >= least {
            let (path, error) = self.expansion.path(forces, start, h, tolerance);
            self.count.forces += 2;
            if error <= 1.0 {
                return Some(path);
            }
            tolerance?;
            self.count.rejected += 1;
            h *= longer(error, f64::from(self.order()) + 1.0).min(0.9);
        }
        None
    }
}

impl FlightMethod for Taylor {
    fn step(&mut self, forces: &Forces, start: &State, until: f64, step: &mut FlightStep) -> Result<(), FlightError> {
        let turns = forces.has_torque();
        if !turns && step.fall(forces, start, until)? {
            self.count.steps += 1;
            return Ok(());
        }
        let Some(path) = self.by_series(forces, start, until) else {
            return match turns {
                true => self.instead_turning.step(forces, start, until, step),
                false => self.instead.step(forces, start, until, step),
            };
        };
        self.watch(forces, start, path.duration())?;
        *step = if turns {
            let (terms, mut power) = (self.expansion.series.of(SPIN as u32), 1.0);
            let mut spin = [0.0; SPIN_TERMS];
            for (spin, term) in spin.iter_mut().zip(&terms[..=self.expansion.order]) {
                *spin = term * power;
                power *= path.duration();
            }
            FlightStep::turning(start, path, spin)
        } else {
            FlightStep::new(start, path)
        };
        self.count.steps += 1;
        Ok(())
    }

    fn restart(&mut self) {
        self.instead.restart();
        self.instead_turning.restart();
    }

    fn tolerance(&self) -> Option<Tolerance> {
        self.instead.tolerance()
    }

    fn count(&self) -> FlightCount {
        let (other, turning) = (self.instead.count(), self.instead_turning.count());
        FlightCount {
            steps: self.count.steps + other.steps + turning.steps,
            rejected: self.count.rejected + other.rejected + turning.rejected,
            forces: self.count.forces + other.forces + turning.forces,
            ..other
        }
    }
}
