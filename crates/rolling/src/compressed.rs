//! A ball compressed on the ground: flight's other model where contact is compliant.

use std::borrow::Cow;

use curves::{Frame, OffsetGround, Place};
use mechanics::{Ball, Compliance, Forces, Push, State};
use nalgebra::{SMatrix, Vector2};
use newmark::{Control, Extrapolation, Pace, StepTooSmall, Stuck, Tolerance, Tried};
use numbers::Rounding;

use crate::RollingError;

mod step;
mod stiff;
mod trapezoid;

pub use step::CompressedStep;

/// Ground, ball, forces and law of a compressed contact.
#[derive(Clone, Debug)]
pub struct CompressedSystem<'a> {
    /// The ground as the ball's centre sees it.
    pub ground: &'a OffsetGround,
    /// The ball.
    pub ball: &'a Ball,
    /// Forces apart from the ground's; without drag if the law leaves it out.
    pub forces: Cow<'a, Forces>,
    /// The law of contact.
    pub compliance: &'a Compliance,
    /// Whether the law pushes; else it would pull, and does nothing.
    pub pressing: bool,
}

/// A compressed ball at one time.
///
/// The centre is at `frame(place).position − δ n`, with `δ = root²`.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CompressedState {
    /// Time, s.
    pub time: f64,
    /// The closest place of the ground.
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
    /// `∫N dt` since the ball touched, N s.
    pub normal_impulse: f64,
    /// `∫f dt` along τ since then, viscous force included, N s.
    pub tangential_impulse: f64,
}

impl CompressedState {
    /// State at touch: no compression yet.
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

/// `t, s, √δ, v, ω | angle, dissipated/m, work/m, ∫N/m, ∫f/m`: what the law depends on, and sums.
type Packed = [f64; SIZE];
const SIZE: usize = 11;

/// Choice of the velocities in [`Packed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chart {
    /// `v.x, v.y, ω`: spin stays where nothing turns the ball.
    World,
    /// `v·τ, v·n, u`: what stiff laws depend on, so that they see no product of two changes, however curved the ground.
    Ground,
}

/// Rounding in the sign of a force, relative to its terms.
const GRAIN: f64 = 1e-12;
/// Number of entries of [`Packed`], its first, that are implicit.
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

    fn push(&self, state: &CompressedState, frame: &Frame) -> Push {
        let (normal, along) = (state.velocity.dot(&frame.normal), state.velocity.dot(&frame.tangent));
        if self.pressing {
            self.compliance.push(self.ball, state.root, normal, along, state.spin)
        } else {
            self.compliance.let_go(state.root, normal)
        }
    }

    fn acceleration(&self, state: &State, frame: &Frame, push: &Push) -> Vector2<f64> {
        let contact = push.normal_force * frame.normal + (push.friction_force + push.viscous_force) * frame.tangent;
        (self.forces.force_at(state) + contact) / self.ball.mass()
    }

    /// Positive as long as the mode lasts, where it can end: pushing until the law would pull, letting go until it would
    /// push again. Either by more than rounding: after Hunt and Crossley a ball may leave at the very speed 1/c at which nothing
    /// pushes.
    pub fn cut(&self, state: &CompressedState) -> Option<f64> {
        let normal = state.velocity.dot(&self.ground.frame(state.place).normal);
        let [cut, size] = self.compliance.cut(state.root, normal)?;
        Some(GRAIN * size + if self.pressing { cut } else { -cut })
    }

    /// Derivatives by the fictitious time σ of `dt = 2√δ dσ`.
    ///
    /// In σ, `d√δ/dσ = −v·n`, and every law of [`Compliance`] with a half-integer exponent is smooth where the ball touches.
    /// In t its force starts like `t^{3/2}` there, which would hold any method to order 5/2.
    fn rates(&self, y: &Packed, place: Place, chart: Chart) -> Packed {
        self.seen(y, place, chart, None).rates
    }

    /// Whether a slip velocity says what the spin is.
    fn slips(&self) -> bool {
        self.ball.turns() && self.ball.radius() > 0.0
    }

    /// Converts numbers and their rates from one chart to the other.
    fn convert(&self, [y, f]: [&Packed; 2], frame: &Frame, to: Chart) -> (Packed, Packed) {
        let Frame { tangent, normal, .. } = *frame;
        // dτ = turn n, dn = −turn τ
        let turn = frame.curvature * frame.speed * f[1];
        let (mut values, mut rates) = (*y, *f);
        let radius = self.ball.radius();
        match to {
            Chart::Ground => {
                let (v, a) = (Vector2::new(y[3], y[4]), Vector2::new(f[3], f[4]));
                (values[3], values[4]) = (v.dot(&tangent), v.dot(&normal));
                (rates[3], rates[4]) = (a.dot(&tangent) + turn * values[4], a.dot(&normal) - turn * values[3]);
                if self.slips() {
                    (values[5], rates[5]) = (values[3] + radius * y[5], rates[3] + radius * f[5]);
                }
            }
            Chart::World => {
                let v = tangent * y[3] + normal * y[4];
                let a = tangent * (f[3] - turn * y[4]) + normal * (f[4] + turn * y[3]);
                ([values[3], values[4]], [rates[3], rates[4]]) = (v.into(), a.into());
                if self.slips() {
                    (values[5], rates[5]) = ((y[5] - y[3]) / radius, (f[5] - f[3]) / radius);
                }
            }
        }
        (values, rates)
    }

    /// The rates and what friction depends on, with the law's own friction force or a given one.
    fn seen(&self, y: &Packed, place: Place, chart: Chart, friction_force: Option<f64>) -> Seen {
        let mass = self.ball.mass();
        let frame = self.ground.frame(place.at(y[1]));
        let world = if chart == Chart::Ground { self.convert([y, &[0.0; SIZE]], &frame, Chart::World).0 } else { *y };
        let state = unpack(&world, place, mass);
        let stretch = 2.0 * state.root;
        let (normal, along) = (state.velocity.dot(&frame.normal), state.velocity.dot(&frame.tangent));
        let slip = match chart {
            Chart::Ground if self.slips() => y[5],
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
        if chart == Chart::Ground {
            rates = self.convert([&world, &rates], &frame, chart).1;
        }
        Seen { rates, push, slip, slip_rate }
    }
}

/// The rates, and what friction depends on.
struct Seen {
    rates: Packed,
    push: Push,
    /// Slip velocity u, m/s.
    slip: f64,
    /// Rate of the slip by σ, but for the turning of the ground.
    slip_rate: f64,
}

/// Integrates compressed contact: the trapezoidal rule in σ, extrapolated to order 8, step and order by a tolerance; Radau
/// IIA where damping, friction or a ball that is at rest would keep that to many short steps.
///
/// Energies and impulses are held to it per mass, its absolute part times the speed of the impact where that is below 1 m/s.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Compressed {
    /// Tolerance asked for; an impact is held to a part of it.
    tolerance: Tolerance,
    /// Pace of the steps, in σ.
    pace: Pace,
    table: Extrapolation,
    count: CompressedCount,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
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

    /// Contact begins, or is there from the start: the first step is a part of what an impact at this speed would last.
    pub fn begin(&mut self, system: &CompressedSystem, start: &CompressedState) {
        let frame = system.ground.frame(start.place);
        let mass = system.ball.mass();
        let towards = -start.velocity.dot(&frame.normal);
        let weight = (-system.forces.force_at(&start.state(system.ground)).dot(&frame.normal)).max(0.0);
        let held = system.compliance.compression_holding(weight);
        let stored = system.compliance.elastic_energy(start.compression());
        let speed = towards.abs().max((weight / mass * held).sqrt()).max((2.0 * stored / mass).sqrt());
        let speed = speed.max(f64::MIN_POSITIVE);
        let deep = system.compliance.compression_storing(0.5 * mass * speed * speed).max(held);
        // What damping takes of a slow impact is a part of its own speed.
        let tolerance = Tolerance { absolute: self.tolerance.absolute * speed.min(1.0), ..self.tolerance };
        self.pace.hold_to(tolerance);
        self.pace.propose(0.5 * deep.sqrt() / speed);
    }

    /// The next step from `start`, no longer than `most` in σ. Where the compression fades to nothing, σ goes on for ever: whether time
    /// does is for the caller to watch.
    pub fn step(
        &mut self,
        system: &CompressedSystem,
        start: &CompressedState,
        most: f64,
    ) -> Result<CompressedStep, RollingError> {
        let first = pack(start, system.ball.mass());
        let tick = Rounding::tick(start.time);
        // σ (2√δ + σ |v|) of which the clock does not tell a thousandth; the first try of all is allowed whatever it is.
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

    /// A shorter step, to `part` of one that was accepted; `None` if it is not within the tolerance itself.
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

    /// Tries a step by a method, or by the one that fits.
    fn attempt(
        &mut self,
        system: &CompressedSystem,
        place: Place,
        first: &Packed,
        h: f64,
        method: Option<Method>,
    ) -> Result<Tried<Found>, RollingError> {
        let tolerance = self.pace.tolerance().unwrap_or(self.tolerance);
        let evaluations = &mut self.count.evaluations;
        let (seen, jacobian) = linearise(system, place, first, Chart::World, evaluations);
        let stiff = || stiff::is_stiff(system, &jacobian, first, &seen, h);
        let method = method.unwrap_or_else(|| if stiff() { Method::Stiff } else { Method::Extrapolated });
        if method == Method::Stiff {
            return stiff::attempt(system, place, (first, &seen.rates), h, tolerance, evaluations);
        }
        let run = |n| trapezoid::substeps(system, place, first, h, n, &jacobian, tolerance, evaluations);
        let Tried { error, longer, value } = self.table.step(tolerance, first, &[0.0; SIZE], run)?;
        self.count.evaluations += 3;
        let nodes = [*first, value.middle, value.end].map(|y| (y, system.rates(&y, place, Chart::World)));
        Ok(Tried { error, longer, value: Found { nodes, method } })
    }
}

/// Values and rates at start, middle and end of a step.
struct Found {
    nodes: [(Packed, Packed); 3],
    method: Method,
}

/// The rates, and `∂rates/∂core`: by central differences, but for friction, which may change over any small slip velocity.
fn linearise(
    system: &CompressedSystem,
    place: Place,
    y: &Packed,
    chart: Chart,
    evaluations: &mut u64,
) -> (Seen, Jacobian) {
    let mut matrix = Jacobian::zeros();
    *evaluations += 2 * CORE as u64 + 1;
    let base = system.seen(y, place, chart, None);
    let force = base.push.friction_force;
    let [by_normal, by_slip] = match system.pressing {
        true => system.compliance.friction_slopes(base.push.normal_force, base.slip),
        false => [0.0; 2],
    };
    // The rates are linear in the friction force.
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
