//! Newmark for flight under any force.

use curves::{Motion, Path, Rounding};
use mechanics::{Entry, Forces, Jacobian, Ledger, State};
use nalgebra::{Matrix2, Vector2};
use newmark::{Control, Extrapolation, Outcome, Scheme, Substeps, Tolerance, extrapolate_once};

use crate::method::shortest_step;
use crate::{FlightCount, FlightError, FlightMethod, FlightStep};

/// The Newmark scheme in flight. Under a constant force it takes one exact step to the end, whatever the control.
///
/// ```text
/// m a₁ = F(t₁, q₁, v₁)      v₁ = v₀ + h((1−γ)a₀ + γa₁)      q₁ = q₀ + h v₀ + h²/2((1−2β)a₀ + 2βa₁)
/// ```
///
/// solved by Newton with the force's own derivatives. The ledger is integrated by the trapezoidal rule, which is
/// as symmetric as the scheme, so that extrapolation lifts it to the same order.
#[derive(Clone, Debug)]
pub struct Newmark {
    scheme: Scheme,
    pace: Pace,
    /// What control proposed after the first step of the last arc: arcs resemble each other.
    first: Option<f64>,
    /// Whether an arc begins.
    fresh: bool,
    count: FlightCount,
}

#[derive(Clone, Copy, Debug)]
enum Pace {
    Fixed { step: f64, extrapolate: bool },
    Controlled(Extrapolation),
}

/// `[q − q₀, v, dissipated/m, work/m]` of a step from q₀: far from the origin the rounding of places, which over a short step is felt in
/// velocities, does not enter. Per mass, energies are held to the tolerance as a squared velocity is.
type Packed = [f64; 6];

/// The first guess of a controlled step, s; the control finds its own within a few tries.
const FIRST_STEP: f64 = 0.1;

/// What equal steps in a row share to solve for `a₁`.
struct Solver {
    /// Of `1 − βh² ∂a/∂q − γh ∂a/∂v`; recomputed only where rounds grow many.
    inverse: Matrix2<f64>,
    /// By what a round shrinks the error, as last seen.
    rate: f64,
    /// The first guess of the next step is `a₀ + change + bend`: a parabola through what came before.
    change: Vector2<f64>,
    bend: Vector2<f64>,
    /// Whether `change` is a prediction, by the force's derivatives at the start.
    predicted: bool,
    /// Error of the velocity that is small enough, m/s; 0: rounding.
    goal: f64,
}

impl Solver {
    /// For steps of `h` from a node where the force has these derivatives. `rate` is what longer steps have seen; 1: nothing.
    fn new(scheme: &Scheme, per_mass: f64, slope: &Jacobian, from: &Motion, h: f64, rate: f64, goal: f64) -> Self {
        let jerk = (slope.position * from.velocity + slope.velocity * from.acceleration) * per_mass;
        let inverse = inverse(scheme, per_mass, slope, h);
        // Over a step so long that the acceleration turns round the tangent is no guide.
        let gentle = h.abs() * jerk.norm() <= 0.5 * from.acceleration.norm();
        let change = if gentle { h * jerk } else { Vector2::zeros() };
        Solver { inverse, rate, change, bend: Vector2::zeros(), predicted: gentle, goal }
    }

    /// Notes by how much `a` has changed over a step.
    #[inline(always)]
    fn note(&mut self, change: Vector2<f64>) {
        // What a parabola adds to the tangent is half of what it adds to the next change.
        let bend = change - self.change;
        self.bend = if self.predicted { 2.0 * bend } else { bend };
        self.change = change;
        self.predicted = false;
    }
}

fn inverse(scheme: &Scheme, per_mass: f64, slope: &Jacobian, h: f64) -> Matrix2<f64> {
    let (of_position, of_velocity) = (scheme.beta() * h * h * per_mass, scheme.gamma() * h * per_mass);
    let matrix = Matrix2::identity() - (slope.position * of_position + slope.velocity * of_velocity);
    matrix.try_inverse().unwrap_or_else(Matrix2::identity)
}

#[derive(Clone, Copy)]
struct Node {
    /// Its position is the way from the start of the step, m.
    motion: Motion,
    entry: Entry,
}

impl Newmark {
    /// With a tolerance, `scheme` must be symmetric; another one is then taken as [`Scheme::AVERAGE`].
    pub fn new(scheme: Scheme, control: Control) -> Self {
        let (scheme, pace) = match control {
            Control::Tolerance(tolerance) => {
                (Scheme::AVERAGE, Pace::Controlled(Extrapolation::new(tolerance, FIRST_STEP)))
            }
            Control::Step { step, extrapolate } => (scheme, Pace::Fixed { step, extrapolate }),
        };
        Newmark { scheme, pace, first: None, fresh: true, count: FlightCount::default() }
    }

    /// The derivatives of the force `t` seconds after a state, where constant acceleration would take it.
    fn slope_ahead(&mut self, forces: &Forces, start: &State, from: &Motion, t: f64) -> Jacobian {
        let Motion { velocity, acceleration, .. } = from;
        let ahead = start.position + t * (velocity + 0.5 * t * acceleration);
        self.count.jacobians += 1;
        forces.jacobian(start.time + t, ahead, velocity + t * acceleration, start.spin)
    }

    /// What acts `t` seconds after the start of a step.
    fn node(&mut self, forces: &Forces, start: &State, t: f64, packed: &Packed) -> Result<Node, FlightError> {
        let [x, y, vx, vy, dissipated, work] = *packed;
        let (time, way, velocity) = (start.time + t, Vector2::new(x, y), Vector2::new(vx, vy));
        self.count.forces += 1;
        let (force, power) = forces.force_and_power(time, start.position + way, velocity, start.spin);
        let acceleration = force / forces.mass();
        if !(acceleration.x.is_finite() && acceleration.y.is_finite()) {
            return Err(FlightError::NotFinite { time });
        }
        let entry = Entry { dissipated: dissipated * forces.mass(), work: work * forces.mass(), power };
        Ok(Node { motion: Motion { position: way, velocity, acceleration }, entry })
    }

    /// The start of a step.
    fn first(&mut self, forces: &Forces, start: &State) -> Result<Node, FlightError> {
        let State { velocity: v, dissipated, work, .. } = *start;
        let mut first = self.node(forces, start, 0.0, &[0.0, 0.0, v.x, v.y, 0.0, 0.0])?;
        (first.entry.dissipated, first.entry.work) = (dissipated, work);
        Ok(first)
    }

    /// One step of the scheme.
    #[inline(always)]
    fn advance(
        &mut self,
        forces: &Forces,
        start: &State,
        time: f64,
        h: f64,
        from: &Node,
        solver: &mut Solver,
    ) -> Result<Node, FlightError> {
        let (beta, gamma, per_mass) = (self.scheme.beta() * h * h, self.scheme.gamma() * h, 1.0 / forces.mass());
        let Motion { position: q0, velocity: v0, acceleration: a0 } = from.motion;
        let q = q0 + h * v0 + (0.5 * h * h - beta) * a0;
        let v = v0 + (h - gamma) * a0;
        let (end, spin) = (time + h, start.spin);
        let mut a = a0 + solver.change + solver.bend;
        let mut before = f64::INFINITY;
        for round in 1..=40 {
            let (q1, v1) = (start.position + (q + beta * a), v + gamma * a);
            self.count.forces += 1;
            let force = forces.force(end, q1, v1, spin);
            let change = solver.inverse * (force * per_mass - a);
            let size = change.norm();
            if !size.is_finite() {
                return Err(FlightError::NotFinite { time: end });
            }
            a += change;
            if before.is_finite() {
                solver.rate = (size / before).max(1e-3);
            }
            // Done where the rest is within the goal or at rounding, or no longer gets better where neither velocity nor place feel
            // it. (In a fall at its final speed a is nothing but rounding.)
            let within = h.abs() * solver.rate * size <= solver.goal * (1.0 - solver.rate);
            let rounded = || {
                let pulls = a.norm() + a0.norm() + forces.gravity_vector().norm();
                let unit = Rounding::of_motion(q1.norm(), h.abs(), v0.norm(), pulls);
                size <= unit.force || size >= 0.5 * before && unit.settles(h * size, h * before, h)
            };
            if within || rounded() {
                solver.note(a - a0);
                let motion = Motion { position: q + beta * a, velocity: v + gamma * a, acceleration: a };
                let power = forces.power(end, start.position + motion.position, motion.velocity, spin);
                return Ok(Node { motion, entry: from.entry.after(h, power) });
            }
            before = size;
            if round % 8 == 0 {
                self.count.jacobians += 1;
                solver.inverse = inverse(&self.scheme, per_mass, &forces.jacobian(end, q1, v1, spin), h);
            }
        }
        Err(FlightError::NoConvergence { time: end, residual: before })
    }

    /// `count` equal steps over `h`, each solved to `goal` m/s. `rate` is what [`Solver`] has seen so far.
    #[allow(clippy::too_many_arguments, reason = "what one attempt at a step shares")]
    fn substeps(
        &mut self,
        forces: &Forces,
        start: &State,
        first: &Node,
        slope: &Jacobian,
        h: f64,
        count: u32,
        goal: f64,
        rate: &mut f64,
    ) -> Result<Substeps<6>, FlightError> {
        let part = h / f64::from(count);
        let mut node = *first;
        let mass = forces.mass();
        let mut middle = pack(first, mass);
        let mut solver = Solver::new(&self.scheme, 1.0 / mass, slope, &first.motion, part, *rate, goal);
        for i in 0..count {
            let time = start.time + part * f64::from(i);
            node = self.advance(forces, start, time, part, &node, &mut solver)?;
            if 2 * (i + 1) == count {
                middle = pack(&node, mass);
            }
        }
        *rate = solver.rate;
        Ok(Substeps { middle, end: pack(&node, mass) })
    }

    fn fixed(&mut self, forces: &Forces, start: &State, h: f64, extrapolate: bool) -> Result<FlightStep, FlightError> {
        let first = self.first(forces, start)?;
        let slope = self.slope_ahead(forces, start, &first.motion, h);
        let end = if extrapolate {
            let mut run = |n| self.substeps(forces, start, &first, &slope, h, n, 0.0, &mut 1.0);
            let better = extrapolate_once(&run(1)?.end, &run(2)?.end);
            self.node(forces, start, h, &better)?
        } else {
            let mut solver = Solver::new(&self.scheme, 1.0 / forces.mass(), &slope, &first.motion, h, 1.0, 0.0);
            self.advance(forces, start, start.time, h, &first, &mut solver)?
        };
        self.count.steps += 1;
        let path = Path::quintic(first.motion, end.motion, h).moved(start.position);
        Ok(FlightStep::new(start, path, Ledger::through(first.entry, None, end.entry, h)))
    }

    fn controlled(
        &mut self,
        extrapolation: &mut Extrapolation,
        forces: &Forces,
        start: &State,
        left: f64,
    ) -> Result<FlightStep, FlightError> {
        let first = self.first(forces, start)?;
        let mut trouble = None;
        if let (true, Some(step)) = (self.fresh, self.first) {
            extrapolation.propose(extrapolation.proposal().min(step));
        }
        loop {
            let h = extrapolation.proposal().min(left);
            let (least, tolerance) = (shortest_step(start), extrapolation.tolerance());
            if h <= least && h < left {
                return Err(trouble.unwrap_or(FlightError::too_small(start, tolerance, least)));
            }
            // The table multiplies errors of its columns by less than 10.
            let goal = 1e-3 * tolerance.allows(first.motion.velocity.norm()).min(tolerance.absolute / h);
            let slope = self.slope_ahead(forces, start, &first.motion, 0.5 * h);
            let mut rate = 1.0;
            let run = |n| self.substeps(forces, start, &first, &slope, h, n, goal, &mut rate);
            match extrapolation.step(&pack(&first, forces.mass()), &[0.0; 6], h, run) {
                Ok(Outcome::Accepted { result, .. }) => {
                    let middle = self.node(forces, start, 0.5 * h, &result.middle)?;
                    let end = self.node(forces, start, h, &result.end)?;
                    let path = Path::octic(first.motion, middle.motion, end.motion, h);
                    let quarter = self.between(forces, start, &path, 0.25)?;
                    let there = path.at(0.25 * h);
                    let defect = (there.acceleration - quarter.motion.acceleration).norm();
                    let (position, velocity) = (there.position.norm(), there.velocity.norm());
                    let error = extrapolation.between_nodes(h, defect, f64::EPSILON * position, position, velocity);
                    if error <= 1.0 {
                        let nodes = [&first, &quarter, &middle, &end];
                        let (ledger, error) = self.ledger(forces, start, &path, nodes, tolerance)?;
                        if !(error > 1.0) {
                            self.count.steps += 1;
                            if std::mem::take(&mut self.fresh) {
                                self.first = Some(extrapolation.proposal());
                            }
                            return Ok(FlightStep::new(start, path.moved(start.position), ledger));
                        }
                        extrapolation.propose(extrapolation.proposal().min(h * 0.9 * error.powf(-0.125).max(0.3)));
                    }
                    extrapolation.propose(extrapolation.proposal().min(0.9 * h));
                }
                Ok(Outcome::Rejected) => {}
                // A trial step may leave what the force is defined for; a shorter one need not.
                Err(error) => {
                    trouble = Some(error);
                    extrapolation.propose(0.25 * h);
                }
            }
            self.count.rejected += 1;
        }
    }

    /// The ledger along a path through start, quarter, middle and end, and its error between them over what is allowed, of
    /// eighth order.
    fn ledger(
        &mut self,
        forces: &Forces,
        start: &State,
        path: &Path,
        nodes: [&Node; 4],
        tolerance: Tolerance,
    ) -> Result<(Ledger, f64), FlightError> {
        let [first, quarter, middle, end] = nodes.map(|node| node.entry);
        let third = self.between(forces, start, path, 0.75)?.entry;
        let ledger = Ledger::through(first, Some(middle), end, path.duration());
        let ledger = ledger.with_quarters([quarter.power, third.power]);
        let eighth = self.between(forces, start, path, 0.125)?.entry;
        let (dissipated, work) = ledger.error_by_eighth(eighth.power);
        let allowed = |energy: f64| forces.mass() * tolerance.allows(energy / forces.mass());
        Ok((ledger, (dissipated / allowed(end.dissipated)).max(work / allowed(end.work))))
    }

    /// What acts on the path, a `part` of its duration after its start.
    fn between(&mut self, forces: &Forces, start: &State, path: &Path, part: f64) -> Result<Node, FlightError> {
        let t = part * path.duration();
        let Motion { position: q, velocity: v, .. } = path.at(t);
        self.node(forces, start, t, &[q.x, q.y, v.x, v.y, 0.0, 0.0])
    }
}

impl FlightMethod for Newmark {
    #[inline]
    fn step(&mut self, forces: &Forces, start: &State, until: f64, step: &mut FlightStep) -> Result<(), FlightError> {
        if step.fall(forces, start, until) {
            self.count.steps += 1;
            return Ok(());
        }
        let left = until - start.time;
        *step = match self.pace {
            Pace::Fixed { step, extrapolate } => {
                // A last step that would leave a rounding error is made a little longer instead.
                let h = if left < step * (1.0 + 1e-9) { left } else { step };
                self.fixed(forces, start, h, extrapolate)?
            }
            Pace::Controlled(mut extrapolation) => {
                let step = self.controlled(&mut extrapolation, forces, start, left);
                self.pace = Pace::Controlled(extrapolation);
                step?
            }
        };
        Ok(())
    }

    fn restart(&mut self) {
        self.fresh = true;
    }

    fn count(&self) -> FlightCount {
        self.count
    }
}

fn pack(node: &Node, mass: f64) -> Packed {
    let Motion { position: q, velocity: v, .. } = node.motion;
    [q.x, q.y, v.x, v.y, node.entry.dissipated / mass, node.entry.work / mass]
}
