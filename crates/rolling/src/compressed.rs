//! How does a ball move that is compressed on the ground? Equations, state and steps of compliant contact.

use std::borrow::Cow;

use curves::{Frame, OffsetGround, Place};
use mechanics::{Ball, Compliance, Forces, Push, State};
use nalgebra::{SMatrix, SVector, Vector2};
use newmark::radau::{A, C, Newton, REAL};
use newmark::{Control, Extrapolation, Pace, StepTooSmall, Stuck, Substeps, Tolerance, Tried, longer};
use numbers::{Number, Rounding};

use crate::RollingError;

/// Ground, ball, forces and law of a compliant contact.
#[derive(Clone, Debug)]
pub struct CompressedSystem<'a> {
    /// The ground as the ball's centre sees it.
    pub ground: &'a OffsetGround,
    /// The ball.
    pub ball: &'a Ball,
    /// Forces apart from the ground's; without drag if the law leaves it out.
    pub forces: Cow<'a, Forces>,
    /// The law of compliant contact.
    pub compliance: &'a Compliance,
    /// Whether the law pushes; false where it would pull, and its normal force is cut at zero.
    pub pressing: bool,
}

/// Compressed ball at one time. Its centre is at `frame(place).position − δ n`, with `δ = root²`.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CompressedState {
    /// Time, s.
    pub time: f64,
    /// Place of the ground closest to the centre.
    pub place: Place,
    /// Root of the compression `√δ`, √m.
    pub root: f64,
    /// Velocity of the centre, m/s.
    pub velocity: Vector2<f64>,
    /// Spin, rad/s.
    pub spin: f64,
    /// Angle turned, rad.
    pub angle: f64,
    /// Energy lost so far, J.
    pub dissipated: f64,
    /// Work done so far, J.
    pub work: f64,
    /// `∫N dt` since the first touch, N s.
    pub normal_impulse: f64,
    /// `∫f dt` along τ since the first touch, viscous force included, N s.
    pub tangential_impulse: f64,
}

impl CompressedState {
    /// State at the first touch: without compression.
    pub fn touching(state: &State, place: Place) -> Self {
        CompressedState {
            time: state.time,
            place,
            root: 0.0,
            velocity: state.velocity,
            spin: state.spin,
            angle: state.angle,
            dissipated: state.dissipated,
            work: state.work,
            normal_impulse: 0.0,
            tangential_impulse: 0.0,
        }
    }
    /// Compression δ, m.
    pub fn compression(&self) -> f64 {
        self.root * self.root
    }
    /// State of the ball, with its centre δ below the offset curve.
    pub fn state(&self, ground: &OffsetGround) -> State {
        self.in_frame(&ground.frame(self.place))
    }
    /// State of the ball, given the frame of its place.
    fn in_frame(&self, frame: &Frame) -> State {
        State {
            time: self.time,
            position: frame.position - self.compression() * frame.normal,
            velocity: self.velocity,
            angle: self.angle,
            spin: self.spin,
            dissipated: self.dissipated,
            work: self.work,
        }
    }
}

/// `t, s, √δ, v, ω | angle, dissipated/m, work/m, ∫N/m, ∫f/m` with the parameter s of the ground: first the numbers
/// that rates depend on, then those that are only summed up.
type Packed = [f64; SIZE];
const SIZE: usize = 11;

/// Axes of the velocity in [`Packed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axes {
    /// Entries `v.x, v.y, ω`: the spin stays exactly where nothing turns the ball.
    World,
    /// Entries `v·τ, v·n, u` (ω for u if the ball does not turn), on which stiff laws depend: so on curved ground no
    /// products of changes of velocity and of direction enter them.
    Ground,
}

/// Rounding in the sign of a force, relative to its terms.
const GRAIN: f64 = 1e-12;
/// Number of the first entries of [`Packed`], for which implicit equations are solved.
const CORE: usize = 6;
/// Derivatives of all rates by the implicit entries.
type Jacobian = SMatrix<f64, SIZE, CORE>;

fn pack(state: &CompressedState, mass: f64) -> Packed {
    let CompressedState { velocity: v, .. } = state;
    let per_mass = |x: f64| x / mass;
    [
        state.time,
        state.place.parameter(),
        state.root,
        v.x,
        v.y,
        state.spin,
        state.angle,
        per_mass(state.dissipated),
        per_mass(state.work),
        per_mass(state.normal_impulse),
        per_mass(state.tangential_impulse),
    ]
}

fn unpack(packed: &Packed, place: Place, mass: f64) -> CompressedState {
    let [time, s, root, x, y, spin, angle, dissipated, work, normal, tangential] = *packed;
    CompressedState {
        time,
        place: place.at(s),
        root,
        velocity: Vector2::new(x, y),
        spin,
        angle,
        dissipated: dissipated * mass,
        work: work * mass,
        normal_impulse: normal * mass,
        tangential_impulse: tangential * mass,
    }
}

impl CompressedSystem<'_> {
    /// Forces of the ground, and the acceleration of the centre (m/s²).
    pub fn forces_at(&self, state: &CompressedState) -> (Push, Vector2<f64>) {
        let frame = self.ground.frame(state.place);
        let push = self.push(state, &frame);
        (push, self.acceleration(&state.state(self.ground), &frame, &push))
    }

    /// Forces of the ground: those of the law while it pushes, else those that the cut leaves.
    fn push(&self, state: &CompressedState, frame: &Frame) -> Push {
        let (normal, along) = (state.velocity.dot(&frame.normal), state.velocity.dot(&frame.tangent));
        if self.pressing {
            self.compliance.push(self.ball, state.root, normal, along, state.spin)
        } else {
            self.compliance.let_go(state.root, normal, along)
        }
    }

    fn acceleration(&self, state: &State, frame: &Frame, push: &Push) -> Vector2<f64> {
        let contact = push.normal_force * frame.normal + (push.friction_force + push.viscous_force) * frame.tangent;
        (self.forces.force_at(state) + contact) / self.ball.mass()
    }

    /// Number that is positive while `pressing` stays as it is: it has the sign of the law's force while pushing, else
    /// the opposite one. `None`: the law is never cut. Its zero lies beyond rounding: by Hunt and Crossley's law a ball
    /// may leave at exactly the speed 1/c at which nothing pushes.
    pub fn cut(&self, state: &CompressedState) -> Option<f64> {
        let normal = state.velocity.dot(&self.ground.frame(state.place).normal);
        let [cut, size] = self.compliance.cut(state.root, normal)?;
        Some(GRAIN * size + if self.pressing { cut } else { -cut })
    }

    /// Derivatives by the fictitious time σ (s/√m) with `dt = 2√δ dσ`.
    ///
    /// In σ, `d√δ/dσ = −v·n`, and every law of [`Compliance`] whose exponent is a multiple of 1/2 is smooth where the
    /// ball touches. In t Hertz's force starts like `t^{3/2}` there, which would hold any method to order 5/2.
    fn rates(&self, y: &Packed, place: Place, chart: Axes) -> Packed {
        self.seen(y, place, chart, None).rates
    }

    /// Converts entries and their rates from the other axes to these.
    fn convert(&self, [y, f]: [&Packed; 2], frame: &Frame, to: Axes) -> (Packed, Packed) {
        let Frame { tangent, normal, .. } = *frame;
        // The axes turn: dτ/dσ = `turn` n, dn/dσ = −`turn` τ.
        let turn = frame.curvature * frame.speed * f[1];
        let (mut values, mut rates) = (*y, *f);
        let radius = self.ball.radius();
        match to {
            Axes::Ground => {
                let (v, a) = (Vector2::new(y[3], y[4]), Vector2::new(f[3], f[4]));
                (values[3], values[4]) = (v.dot(&tangent), v.dot(&normal));
                (rates[3], rates[4]) = (a.dot(&tangent) + turn * values[4], a.dot(&normal) - turn * values[3]);
                if self.ball.turns() {
                    (values[5], rates[5]) = (values[3] + radius * y[5], rates[3] + radius * f[5]);
                }
            }
            Axes::World => {
                let v = tangent * y[3] + normal * y[4];
                let a = tangent * (f[3] - turn * y[4]) + normal * (f[4] + turn * y[3]);
                ([values[3], values[4]], [rates[3], rates[4]]) = (v.into(), a.into());
                if self.ball.turns() {
                    (values[5], rates[5]) = ((y[5] - y[3]) / radius, (f[5] - f[3]) / radius);
                }
            }
        }
        (values, rates)
    }

    /// Rates by σ in these axes, with push and slip; with the friction of the law, or a given one (N).
    fn seen(&self, y: &Packed, place: Place, chart: Axes, friction_force: Option<f64>) -> SeenRates {
        let mass = self.ball.mass();
        let frame = self.ground.frame(place.at(y[1]));
        let world = if chart == Axes::Ground { self.convert([y, &[0.0; SIZE]], &frame, Axes::World).0 } else { *y };
        let state = unpack(&world, place, mass);
        let stretch = 2.0 * state.root;
        let (normal, along) = (state.velocity.dot(&frame.normal), state.velocity.dot(&frame.tangent));
        let slip = match chart {
            Axes::Ground if self.ball.turns() => y[5],
            _ => self.ball.slip_velocity(along, state.spin),
        };
        let mut push = self.push(&state, &frame);
        if let Some(force) = friction_force {
            push.dissipated -= (force - push.friction_force) * slip;
            push.friction_force = force;
        }
        let compression = state.compression();
        let at = state.in_frame(&frame);
        let a = self.acceleration(&at, &frame, &push);
        let power = match self.forces.constant(state.spin) {
            Some(_) => mechanics::Power::default(),
            None => self.forces.power(at.time, at.position, at.velocity, at.spin),
        };
        let mut rates = [
            stretch,
            stretch * along / (frame.speed * (1.0 + frame.curvature * compression)),
            -normal,
            stretch * a.x,
            stretch * a.y,
            stretch * self.ball.spin_by(push.friction_force),
            stretch * state.spin,
            stretch * (push.dissipated + power.dissipated) / mass,
            stretch * power.work / mass,
            stretch * push.normal_force / mass,
            stretch * (push.friction_force + push.viscous_force) / mass,
        ];
        let slip_rate = rates[3] * frame.tangent.x + rates[4] * frame.tangent.y + self.ball.radius() * rates[5];
        if chart == Axes::Ground {
            rates = self.convert([&world, &rates], &frame, chart).1;
        }
        SeenRates { rates, push, slip, slip_rate }
    }
}

/// Rates by σ, and the quantities that friction depends on.
struct SeenRates {
    rates: Packed,
    push: Push,
    /// Slip velocity u, m/s.
    slip: f64,
    /// Rate of the slip by σ, without that of turning axes.
    slip_rate: f64,
}

/// Method for compliant contact: the trapezoidal rule in σ, extrapolated up to order 8, step and order by a tolerance;
/// Radau IIA where damping, friction or rest would force that into many short steps.
///
/// Energies and impulses are held to the tolerance for each kilogram. Its absolute part is multiplied by the speed of
/// the impact in m/s where that is below 1.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Compressed {
    /// Tolerance asked for; that of a slow impact is smaller.
    tolerance: Tolerance,
    /// Step control, in σ.
    pace: Pace,
    table: Extrapolation,
    count: CompressedCount,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CompressedMethod {
    Extrapolated,
    Stiff,
}

/// Work done in compressed contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct CompressedCount {
    /// Steps taken.
    pub steps: u64,
    /// Steps tried and found too inaccurate.
    pub rejected: u64,
    /// Evaluations of the equations of motion: ground, law of contact and forces.
    pub evaluations: u64,
}

impl Compressed {
    /// Creates the method with a tolerance per step.
    pub fn new(tolerance: Tolerance) -> Self {
        let pace = Pace::new(Control::Tolerance(tolerance), 1.0);
        Compressed { tolerance, pace, table: Extrapolation::default(), count: CompressedCount::default() }
    }

    /// Work done so far.
    pub fn count(&self) -> CompressedCount {
        CompressedCount { rejected: self.pace.rejected(), ..self.count }
    }

    /// Notes the beginning of contact: proposes a first step of a part of an impact's duration, and sets the tolerance.
    pub fn begin(&mut self, system: &CompressedSystem, start: &CompressedState) {
        let frame = system.ground.frame(start.place);
        let mass = system.ball.mass();
        let towards = -start.velocity.dot(&frame.normal);
        let weight = (-system.forces.force_at(&start.state(system.ground)).dot(&frame.normal)).max(0.0);
        // The largest speed: of the approach, of a swing about the compression under the weight, of the energy stored.
        // No ball is compressed by more than its radius.
        let most = system.ball.radius();
        let held = system.compliance.compression_holding(weight).min(most);
        let stored = system.compliance.elastic_energy(start.compression());
        let speed = towards.abs().max((weight / mass * held).sqrt()).max((2.0 * stored / mass).sqrt());
        let speed = speed.max(f64::MIN_POSITIVE);
        let deep = system.compliance.compression_storing(0.5 * mass * speed * speed).min(most).max(held);
        // Losses of a slow impact are small parts of its own speed.
        let tolerance = Tolerance { absolute: self.tolerance.absolute * speed.min(1.0), ..self.tolerance };
        self.pace.hold_to(tolerance);
        self.pace.propose(0.5 * deep.sqrt() / speed);
    }

    /// Makes the next step from `start`, no longer than `most` in σ. Where the compression fades to zero σ grows
    /// without bound: the caller watches the time.
    pub fn step(
        &mut self,
        system: &CompressedSystem,
        start: &CompressedState,
        most: f64,
    ) -> Result<CompressedStep, RollingError> {
        let first = pack(start, system.ball.mass());
        let tick = Rounding::tick(start.time);
        // The shortest step is the σ over which time advances, by σ (2√δ + σ |v|), a thousandth of a tick of the clock;
        // the first try may be shorter.
        let (root, least) = (start.root.abs(), 1e-3 * tick);
        let shortest = least / (root + (root * root + least * start.velocity.norm()).sqrt());
        let shortest = shortest.min(self.pace.next(most));
        let mut pace = self.pace;
        let found = pace.step(start.time, most, || shortest, |h| self.attempt(system, start.place, &first, h, None));
        self.pace = pace;
        self.count.steps += u64::from(found.is_ok());
        found.map(|(h, found)| CompressedStep::new(system, start, h, found)).map_err(|error| match error {
            Stuck::Failed(error @ RollingError::NotFinite { .. }) => error,
            _ => {
                let size = start.state(system.ground).position.norm() + system.ball.radius();
                let (tolerance, rounding) = (self.tolerance.allows(size), f64::EPSILON * size);
                RollingError::StepTooSmall(StepTooSmall { time: start.time, step: tick, tolerance, rounding })
            }
        })
    }

    /// Makes `step` again by its method, over `part` of its length; `None` if that is not within the tolerance.
    pub fn part(
        &mut self,
        system: &CompressedSystem,
        step: &CompressedStep,
        part: f64,
    ) -> Result<Option<CompressedStep>, RollingError> {
        let start = &step.start;
        let h = part * step.length;
        let table = self.table;
        let found = self.attempt(system, start.place, &pack(start, system.ball.mass()), h, Some(step.method));
        self.table = table;
        let Tried { error, value, .. } = found?;
        Ok((error <= 1.0).then(|| CompressedStep::new(system, start, h, value)))
    }

    /// Tries a step of length `h` in σ by the given method, else by Radau IIA if it is stiff.
    fn attempt(
        &mut self,
        system: &CompressedSystem,
        place: Place,
        first: &Packed,
        h: f64,
        method: Option<CompressedMethod>,
    ) -> Result<Tried<StepNodes>, RollingError> {
        let tolerance = self.pace.tolerance().unwrap_or(self.tolerance);
        let evaluations = &mut self.count.evaluations;
        let (seen, jacobian) = linearise(system, place, first, Axes::World, evaluations);
        let stiff = || is_stiff(system, &jacobian, first, &seen, h);
        let method =
            method.unwrap_or_else(|| if stiff() { CompressedMethod::Stiff } else { CompressedMethod::Extrapolated });
        if method == CompressedMethod::Stiff {
            return attempt_stiff(system, place, (first, &seen.rates), h, tolerance, evaluations);
        }
        let run = |n| substeps(system, place, first, h, n, &jacobian, tolerance, evaluations);
        let Tried { error, longer, value } = self.table.step(tolerance, first, &[0.0; SIZE], run)?;
        self.count.evaluations += 3;
        let nodes = [*first, value.middle, value.end].map(|y| (y, system.rates(&y, place, Axes::World)));
        Ok(Tried { error, longer, value: StepNodes { nodes, method } })
    }
}

/// Values and rates at start, middle and end of a step, and the method that made it.
struct StepNodes {
    nodes: [(Packed, Packed); 3],
    method: CompressedMethod,
}

/// Computes rates, and their derivatives by the first [`CORE`] entries by central differences. Friction, which may
/// reverse over any small slip, is differentiated exactly.
fn linearise(
    system: &CompressedSystem,
    place: Place,
    y: &Packed,
    chart: Axes,
    evaluations: &mut u64,
) -> (SeenRates, Jacobian) {
    let mut matrix = Jacobian::zeros();
    *evaluations += 2 * CORE as u64 + 1;
    let base = system.seen(y, place, chart, None);
    let force = base.push.friction_force;
    let [by_normal, by_slip] = match system.pressing {
        true => system.compliance.friction_slopes(base.push.normal_force, base.slip),
        false => [0.0; 2],
    };
    // Rates are linear in the friction force, so that one difference gives the derivative by it.
    let unit = force.abs().max(system.compliance.friction() * base.push.normal_force.abs());
    let by_force: Packed = if unit > 0.0 {
        *evaluations += 1;
        let more = system.seen(y, place, chart, Some(force + unit)).rates;
        std::array::from_fn(|i| (more[i] - base.rates[i]) / unit)
    } else {
        [0.0; SIZE]
    };
    for j in 0..CORE {
        let width = 1e-6 * y[j].abs().max(1e-3);
        let shifted = |by: f64| {
            let mut there = *y;
            there[j] += by;
            system.seen(&there, place, chart, Some(force))
        };
        let (more, less) = (shifted(width), shifted(-width));
        let per_width = 0.5 / width;
        let friction = by_normal * (more.push.normal_force - less.push.normal_force) * per_width
            + by_slip * (more.slip - less.slip) * per_width;
        for i in 0..SIZE {
            matrix[(i, j)] = (more.rates[i] - less.rates[i]) * per_width + by_force[i] * friction;
        }
    }
    (base, matrix)
}

/// Step from one compressed state to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompressedStep {
    /// State at the start.
    pub start: CompressedState,
    /// State at the end. Beyond the piece, the release (`root < 0`) and the end of the run the formulas go on.
    pub end: CompressedState,
    /// Length of the step in σ, s/√m.
    pub length: f64,
    /// Values and rates at start, middle and end.
    nodes: [(Packed, Packed); 3],
    method: CompressedMethod,
    mass: f64,
}

impl CompressedStep {
    fn new(system: &CompressedSystem, start: &CompressedState, length: f64, found: StepNodes) -> Self {
        let StepNodes { nodes, method } = found;
        let mass = system.ball.mass();
        CompressedStep { start: *start, end: unpack(&nodes[2].0, start.place, mass), length, nodes, method, mass }
    }

    /// Parts of the step, between its ends, at which the method has evaluated the equations.
    pub fn inner_nodes(&self) -> [f64; 2] {
        match self.method {
            CompressedMethod::Extrapolated => [0.5, 0.5],
            CompressedMethod::Stiff => [C[0], C[1]],
        }
    }

    /// State at `part` of the step by the quintic Hermite interpolant: accurate enough to look for events, which are
    /// then located by steps.
    pub fn near(&self, part: f64) -> CompressedState {
        unpack(&std::array::from_fn(|i| self.entry(i, part)), self.start.place, self.mass)
    }

    /// Time, parameter, `√δ`, `v.x`, `v.y` and spin of [`near`](Self::near), over any number.
    pub fn core<N: Number>(&self, part: N) -> [N; CORE] {
        std::array::from_fn(|i| self.entry(i, part))
    }

    /// Entry i of [`Packed`] at `part` of the step, by the quintic.
    fn entry<N: Number>(&self, i: usize, part: N) -> N {
        let h = self.length;
        let [(y0, f0), (y1, f1), (y2, f2)] = &self.nodes;
        // A polynomial in u = part − 1/2, by its even and odd parts around the middle.
        let (m0, m1, m2) = (h * f0[i], h * f1[i], h * f2[i]);
        let (even, odd) = (0.5 * (y0[i] + y2[i]) - y1[i], 0.5 * (y2[i] - y0[i]));
        let (slope_even, slope_odd) = (0.5 * (m2 - m0), 0.5 * (m0 + m2));
        let c4 = 4.0 * slope_even - 16.0 * even;
        let c2 = 4.0 * even - 0.25 * c4;
        // At the ends: odd = c1/2 + c3/8 + c5/32, slope_odd = c1 + 3c3/4 + 5c5/16, with c1 = m1.
        let (p, q) = (odd - 0.5 * m1, slope_odd - m1);
        let c5 = 8.0 * (q - 6.0 * p);
        let c3 = 8.0 * p - 0.25 * c5;
        let u = part - N::constant(0.5);
        [c4, c3, c2, m1, y1[i]].into_iter().fold(N::constant(c5), |sum, c| N::constant(c) + u * sum)
    }
}

/// Rounds of Newton's method before a shorter step is tried.
const ROUNDS: u32 = 12;
/// Largest change in the last round of Newton's method, in parts of the tolerance.
const GOAL: f64 = 1e-2;
/// Weights of the stages in the error estimate (Hairer, Wanner, *Solving ODEs II*, §IV.8, (8.18)), times h.
const EMBEDDED: [f64; 3] = {
    let seven_root6 = 17.146_428_199_482_246_687;
    [-(13.0 + seven_root6) / 3.0, (-13.0 + seven_root6) / 3.0, -1.0 / 3.0]
};

/// Decay rate times step from which a step is stiff.
const DECAYS: f64 = 10.0;
/// Angle of an oscillation over one step (rad) from which a step of a ball at rest is stiff.
const TURN: f64 = 4.0;
/// Change of √δ over one step, in parts of √δ, below which the ball counts as at rest.
const STILL: f64 = 1e-2;

/// Whether a step of length `h` is much longer than a time scale of the equations. Motion is damped away in it (by the
/// sum of the eigenvalues), or a ball at rest would oscillate in it (by the sum of their squares). Or slip may end in
/// it, where friction becomes stiff.
fn is_stiff(system: &CompressedSystem, jacobian: &Jacobian, start: &Packed, seen: &SeenRates, h: f64) -> bool {
    let core = jacobian.fixed_rows::<CORE>(0);
    let oscillates = || -h * h * (core * core).trace() > 2.0 * TURN * TURN;
    let still = (seen.rates[2] * h).abs() < STILL * start[2];
    let sticks = || {
        let (law, ball) = (system.compliance, system.ball);
        let [_, by_slip] = law.friction_slopes(seen.push.normal_force, 0.0);
        let decays = -by_slip * 2.0 * start[2] * h / ball.slip_mass();
        system.pressing && decays > DECAYS && seen.slip.abs() < seen.slip_rate.abs() * h + law.slip_speed()
    };
    -h * core.trace() > DECAYS || still && oscillates() || sticks()
}

/// Tries a step of length `h` by Radau IIA, where friction or damping is stiff; `world` has values and rates at the
/// start. The nodes are those of the collocation cubic at start, middle and end.
fn attempt_stiff(
    system: &CompressedSystem,
    place: Place,
    world: (&Packed, &Packed),
    h: f64,
    tolerance: Tolerance,
    evaluations: &mut u64,
) -> Result<Tried<StepNodes>, RollingError> {
    let stuck = RollingError::NoConvergence { time: world.0[0], step: h, residual: f64::INFINITY };
    let frame = |y: &Packed| system.ground.frame(place.at(y[1]));
    let (start, first) = &system.convert(world.into(), &frame(world.0), Axes::Ground);
    let (_, jacobian) = linearise(system, place, start, Axes::Ground, evaluations);
    let core = jacobian.fixed_rows::<CORE>(0).into_owned();
    let sums = jacobian.fixed_rows::<{ SIZE - CORE }>(CORE).into_owned();
    let newton = Newton::new(h, core, SMatrix::zeros()).ok_or(stuck)?;
    let of_core = |y: &Packed| SVector::<f64, CORE>::from_fn(|i, _| y[i]);
    // Entries that are sums depend on the implicit entries alone: their damped error follows from that of these.
    let damp = |r: &Packed| -> Packed {
        let damped = newton.damp(of_core(r));
        let onward = sums * damped;
        std::array::from_fn(|i| if i < CORE { damped[i] } else { (r[i] + onward[i - CORE]) * (h / REAL) })
    };

    // Friction reverses over a slip of ε: Newton's last change of the slip must be small beside that, too.
    let slip_speed = if system.compliance.friction() > 0.0 { system.compliance.slip_speed() } else { f64::INFINITY };
    let mut grain = [f64::INFINITY; SIZE];
    grain[if system.ball.turns() { 5 } else { 3 }] = GOAL * slip_speed;
    let mut z = [[0.0; SIZE]; 3];
    let mut before = f64::INFINITY;
    let mut settled = false;
    for round in 1..=ROUNDS {
        let f = z.each_ref().map(|z| system.rates(&plus(start, z), place, Axes::Ground));
        *evaluations += 3;
        let change = newton.change(&z.each_ref().map(of_core), &f.each_ref().map(of_core));
        let onward = change.map(|change| sums * change);
        let mut size: f64 = 0.0;
        for k in 0..3 {
            for i in 0..SIZE {
                let next = match i.checked_sub(CORE) {
                    None => z[k][i] + change[k][i],
                    Some(sum) => h * (0..3).map(|j| A[k][j] * (f[j][i] + onward[j][sum])).sum::<f64>(),
                };
                let change = next - std::mem::replace(&mut z[k][i], next);
                let value = start[i].abs().max((start[i] + next).abs());
                let allowed = (GOAL * tolerance.allows(value)).min(grain[i]);
                let part = change.abs() / allowed.max(4.0 * f64::EPSILON * value);
                size = if part.is_nan() { f64::INFINITY } else { size.max(part) };
            }
        }
        let rate = size / before;
        if size <= 1.0 && (round > 1 || size <= 1e-3) || (size <= 10.0 && rate > 0.5) {
            settled = true;
            break;
        }
        if size == f64::INFINITY || rate >= 2.0 {
            break;
        }
        before = size;
    }
    if !settled {
        return Err(stuck);
    }

    let missed: Packed = std::array::from_fn(|i| (0..3).map(|k| EMBEDDED[k] * z[k][i]).sum::<f64>() / h);
    let ratio = |error: &Packed| {
        tolerance.ratio((0..SIZE).map(|i| [error[i], start[i].abs().max((start[i] + z[2][i]).abs()), 0.0]))
    };
    let mut off = damp(&std::array::from_fn(|i| first[i] + missed[i]));
    if ratio(&off) >= 1.0 {
        // Where the start is off the slow motion, the estimate is damped a second time (§IV.8, (8.20)).
        let there = system.rates(&plus(start, &off), place, Axes::Ground);
        *evaluations += 1;
        off = damp(&std::array::from_fn(|i| there[i] + missed[i]));
    }
    let node = |part: f64| {
        let (values, slopes) = weights(part);
        let sum = |w: [f64; 3], i: usize| w[0] * z[0][i] + w[1] * z[1][i] + w[2] * z[2][i];
        let values = std::array::from_fn(|i| start[i] + sum(values, i));
        system.convert([&values, &std::array::from_fn(|i| sum(slopes, i) / h)], &frame(&values), Axes::World)
    };
    let error = ratio(&off);
    let found = StepNodes { nodes: [node(0.0), node(0.5), node(1.0)], method: CompressedMethod::Stiff };
    Ok(Tried { error, longer: longer(error, 4.0), value: found })
}

fn plus(a: &Packed, b: &Packed) -> Packed {
    std::array::from_fn(|i| a[i] + b[i])
}

/// Weights of the stages in the collocation cubic at `part` of the step, and in its derivative by the part.
fn weights(part: f64) -> ([f64; 3], [f64; 3]) {
    let (mut values, mut slopes) = ([0.0; 3], [0.0; 3]);
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let scale = 1.0 / (C[i] * (C[i] - C[j]) * (C[i] - C[k]));
        let (a, b) = (part - C[j], part - C[k]);
        values[i] = part * a * b * scale;
        slopes[i] = (a * b + part * (a + b)) * scale;
    }
    (values, slopes)
}

/// Makes `n` equal steps of the trapezoidal rule over `h` in σ, solved by Newton with the Jacobian at the start.
#[allow(clippy::too_many_arguments, reason = "what the columns of one step share")]
fn substeps(
    system: &CompressedSystem,
    place: Place,
    first: &Packed,
    h: f64,
    n: u32,
    jacobian: &Jacobian,
    tolerance: Tolerance,
    evaluations: &mut u64,
) -> Result<Substeps<SIZE>, RollingError> {
    let (part, unit) = (h / f64::from(n), SMatrix::<f64, CORE, CORE>::identity());
    let invert =
        |jacobian: &Jacobian| (unit - jacobian.fixed_rows::<CORE>(0) * (0.5 * part)).try_inverse().unwrap_or(unit);
    let mut inverse = invert(jacobian);
    let (mut y, mut f) = (*first, system.rates(first, place, Axes::World));
    *evaluations += 1;
    let (mut middle, mut trend): (Packed, Packed) = (y, [0.0; SIZE]);
    for step in 0..n {
        // The first guess has the curvature of the step before.
        let mut next: Packed = std::array::from_fn(|i| y[i] + part * f[i] + trend[i]);
        let mut rates = system.rates(&next, place, Axes::World);
        *evaluations += 1;
        let (mut settled, mut last) = (false, f64::INFINITY);
        for round in 1..=30 {
            let residual = SVector::<f64, CORE>::from_fn(|i, _| next[i] - y[i] - 0.5 * part * (f[i] + rates[i]));
            let change = inverse * residual;
            let mut size: f64 = 0.0;
            for i in 0..CORE {
                next[i] -= change[i];
                // The table multiplies errors of its columns by less than 10.
                let scale = (1e-3 * tolerance.allows(next[i])).max(4.0 * f64::EPSILON * next[i].abs());
                let ratio = change[i].abs() / scale;
                size = if ratio.is_nan() { f64::INFINITY } else { size.max(ratio) };
            }
            if size == f64::INFINITY {
                return Err(RollingError::NotFinite { time: y[0] });
            }
            rates = system.rates(&next, place, Axes::World);
            *evaluations += 1;
            if size <= 1.0 || (size < 1e3 && size > 0.5 * last) {
                settled = true;
                break;
            }
            if round % 8 == 0 {
                inverse = invert(&linearise(system, place, &next, Axes::World, evaluations).1);
            }
            last = size;
        }
        if !settled {
            return Err(RollingError::NoConvergence { time: y[0], step: part, residual: last });
        }
        for i in CORE..SIZE {
            next[i] = y[i] + 0.5 * part * (f[i] + rates[i]);
        }
        trend = std::array::from_fn(|i| next[i] - y[i] - part * f[i]);
        (y, f) = (next, rates);
        middle = if 2 * (step + 1) == n { y } else { middle };
    }
    Ok(Substeps { middle, end: y })
}
