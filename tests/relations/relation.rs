//! The relations: what is changed, and what must come of it.

use mechanics::ImpactError;
use nalgebra::Vector2;
use proptest::prelude::*;
use supervisor::Phase;
use tests::scenarios::random::{number, scenarios};
use tests::scenarios::{Change, Contact, Control, Forces, Formula, Map, Parameter, Scenario, Start};

use super::compare::{Agreement, Allowed, Difference, Sizes, compare, condition};
use super::orbit::{NoOrbit, Orbit, Unit, Units, View, run};

/// What is done to a scenario.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    /// With everything changed; `wrapped`: the ground by a transform instead of its own keys.
    Changed { change: Change, wrapped: bool },
    /// In other units, powers of two: the same to the last bit.
    Units(Change),
    /// The ground by another parameter.
    Parameter(Parameter),
    /// The ground in other words, the `which`-th way; the transform among them undoes a map.
    Kind { which: usize, map: Map },
    /// By another method of flight and another formulation, both to the scenario's tolerance.
    Method { flight: &'static str, formulation: &'static str },
    /// Restarted from a row, by `position` or by `contact`.
    Split { row: usize, on_ground: bool },
    /// Back from its end; elastic and without friction.
    Back,
}

/// A relation and the scenario that it is tried on.
#[derive(Clone, Debug)]
pub struct Case {
    pub scenario: Scenario,
    pub relation: Relation,
}

/// What came of a case.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The relation holds.
    Holds(Agreement),
    /// The scenario is none, or the relation has nothing to say of it.
    Nothing,
    /// It does not; the two files that must agree.
    Broken { what: Fault, files: [String; 2] },
}

/// What is wrong.
#[derive(Clone, Debug)]
pub enum Fault {
    Refused(String),
    Panicked,
    /// A run ended early for a reason that is none of the scenario's.
    Stopped(String),
    Differs(Difference),
}

impl Fault {
    /// Whether two are the same for one who makes a case smaller.
    pub fn is_like(&self, other: &Fault) -> bool {
        let events = |fault: &Fault| matches!(fault, Fault::Differs(Difference { residual, .. }) if residual.is_nan());
        std::mem::discriminant(self) == std::mem::discriminant(other) && events(self) == events(other)
    }
}

/// Relative changes that the condition is measured by.
const DELTA: f64 = 1e-8;
/// Runs that measure it.
const PROBES: u64 = 4;
/// Speed, m/s, that a ball comes to only by one of the forces [`FED`] that grow with its motion, which then has no bound.
const RUNAWAY: f64 = 1e5;
const FED: [&str; 2] = ["magnus", "external"];

fn map(mirror: bool, scale: f64, turn: f64, shift: Vector2<f64>) -> Map {
    Map { mirror, scale, turn, shift }
}

fn turns() -> impl Strategy<Value = f64> {
    use std::f64::consts::PI;
    prop_oneof![3 => number(-PI..PI), 1 => Just(0.5 * PI), 1 => Just(PI), 1 => Just(1.5 * PI)]
}

/// Powers of ten that are none of two.
fn powers(range: std::ops::Range<f64>) -> impl Strategy<Value = f64> {
    range.prop_map(|power| format!("{:.2e}", 10f64.powf(power)).parse().unwrap_or(1.0))
}

/// What e is times a number, by the approach speed: all are 1 at most.
const FADING: [&str; 5] =
    ["1 - 0.3*v^0.2", "0.9*exp(-0.2*v)", "0.9/(1 + v)", "0.8*max(0.1, 1 - 0.1*v)", "min(0.9, 0.4 + 0.2*v)"];
/// Forces that know the spin.
const LIFT: [[&str; 2]; 3] =
    [["-0.02*m*spin*vy", "0.02*m*spin*vx"], ["0.03*m*spin", "0"], ["0.05*m*spin*sin(t)", "0.01*m*vx*spin"]];
const IMPACTS: [&str; 3] = ["poisson", "stronge", "pfeiffer-glocker"];

/// One of a list for a part of the numbers below `of`, the others none.
fn told_of<T: Copy>(list: &[T], told: f64, of: f64) -> Option<T> {
    list.get((told % of) as usize).copied()
}

/// Laws and methods that the random numbers say nothing of, told by the duration, so that the others stay as they are.
///
/// Five in eleven rigid contacts have a formula of restitution, two in seven of those with friction static friction, three in thirteen an
/// impact law, balls that turn in three of seventeen cases a force by spin, and two fifths of them rolling resistance, less than friction
/// mostly is and more. A third of the scenarios that "ballistic" knows go by that method, a third of those by "newmark" by "auto", a fifth
/// of the others by "taylor", and a quarter of all by "taylor" on the ground.
fn completed(mut scenario: Scenario) -> Scenario {
    let turns = scenario.radius > 0.0 && scenario.inertia > 0.0;
    let Scenario { motion, forces, solver, contact, .. } = &mut scenario;
    let told = (1e3 * solver.duration).round();
    if let (Some(lift), true) = (told_of(&LIFT, told, 17.0), turns && forces.external.is_none()) {
        forces.external = Some(lift.map(Formula::new));
    }
    let knows = motion.is_none() && forces.magnus == 0.0 && forces.external.is_none();
    match told % 3.0 {
        0.0 if knows => solver.method = "ballistic",
        1.0 if solver.method == "newmark" => solver.method = "auto",
        _ if told % 5.0 == 3.0 => solver.method = "taylor",
        _ => {}
    }
    if told % 4.0 == 1.0 {
        solver.formulation = "taylor";
    }
    if let Contact::Rigid { resistance, fading, sticking, impact, .. } = contact {
        *fading = told_of(&FADING, told, 11.0).map(Formula::new);
        *sticking = told_of(&[0.02, 0.4], told, 7.0).unwrap_or(0.0);
        *impact = told_of(&IMPACTS, told, 13.0).unwrap_or("newton");
        if turns {
            *resistance = match told % 5.0 {
                2.0 => 0.04,
                3.0 => 0.4,
                _ => 0.0,
            };
        }
    }
    scenario
}

fn cases(relation: impl Strategy<Value = Relation> + 'static) -> BoxedStrategy<Case> {
    (scenarios(), relation).prop_map(|(scenario, relation)| Case { scenario: completed(scenario), relation }).boxed()
}

/// Also with steps that are given: then they stay the same, and so does the run. A ball with a second wall in reach takes shorter ones,
/// by bounds of the way there that depend on how the ground is written; a point takes none of these.
fn changed(change: impl Strategy<Value = Change> + 'static) -> BoxedStrategy<Case> {
    let relation = (change, any::<bool>()).prop_map(|(change, wrapped)| Relation::Changed { change, wrapped });
    let steps = prop_oneof![3 => Just(None), 1 => (number(0.002..0.02), any::<bool>()).prop_map(Some)];
    (cases(relation), steps)
        .prop_map(|(mut case, steps)| {
            let plain = case.scenario.is_rigid() && case.scenario.radius == 0.0;
            if let (Some((step, extrapolate)), true) = (steps, plain) {
                (case.scenario.solver.method, case.scenario.solver.formulation) = ("newmark", "symmetric");
                case.scenario.solver.control = Control::Step { step, extrapolate };
            }
            case
        })
        .boxed()
}

pub fn mirrored() -> BoxedStrategy<Case> {
    changed(Just(Change::of(map(true, 1.0, 0.0, Vector2::zeros()))))
}

pub fn moved() -> BoxedStrategy<Case> {
    let away = (powers(-1.0..6.0), turns()).prop_map(|(far, way)| far * Vector2::new(way.cos(), way.sin()));
    // No tolerance is kept that is below the rounding of the places.
    changed(away.prop_map(|shift| Change::of(map(false, 1.0, 0.0, shift))))
        .prop_map(|mut case| {
            if let (Relation::Changed { change, .. }, Control::Tolerance { relative, absolute }) =
                (&case.relation, &mut case.scenario.solver.control)
            {
                let least = 1e3 * f64::EPSILON * change.map.shift.norm();
                (*relative, *absolute) = (relative.max(least), absolute.max(least));
            }
            case
        })
        .boxed()
}

pub fn turned() -> BoxedStrategy<Case> {
    changed(turns().prop_map(|turn| Change::of(map(false, 1.0, turn, Vector2::zeros()))))
}

pub fn scaled() -> BoxedStrategy<Case> {
    let units = (powers(-3.0..3.0), powers(-2.0..2.0), powers(-3.0..3.0));
    changed(units.prop_map(|(length, time, mass)| {
        let map = map(false, length, 0.0, Vector2::zeros());
        Change { map, time, mass, ..Change::NONE }
    }))
}

/// Units of mass that numbers are exact in; of length, too, for a point that does not give way: an absolute tolerance is one number for
/// metres and what a compliant contact is made of, and `bdf` holds it at 1e-15 at least.
pub fn units() -> BoxedStrategy<Case> {
    let power = |powers: std::ops::RangeInclusive<i32>| powers.prop_map(|power| 2f64.powi(power));
    let mass = prop_oneof![power(-20..=-1), power(1..=20)];
    let units = (power(1..=12), mass).prop_map(|(length, mass)| {
        let map = map(false, length, 0.0, Vector2::zeros());
        Relation::Units(Change { map, mass, ..Change::NONE })
    });
    cases(units)
        .prop_map(|mut case| {
            let Scenario { radius, solver, .. } = &case.scenario;
            let plain = *radius == 0.0 && case.scenario.is_rigid() && solver.method != "bdf";
            if let (false, Relation::Units(change)) = (plain, &mut case.relation) {
                change.map.scale = 2.0;
            }
            case
        })
        .boxed()
}

pub fn by_another_parameter() -> BoxedStrategy<Case> {
    cases(proptest::sample::select(&Parameter::ALL[..]).prop_map(Relation::Parameter))
}

pub fn of_another_kind() -> BoxedStrategy<Case> {
    let undone = (any::<bool>(), number(0.3..3.0), prop_oneof![Just(0.0), number(-3.0..3.0)], number(-5.0..5.0));
    let map = undone.prop_map(|(mirror, scale, turn, by)| map(mirror, scale, turn, Vector2::new(by, 0.7 * by)));
    cases((0usize..8, map).prop_map(|(which, map)| Relation::Kind { which, map }))
}

/// By methods that share no step: the rules of events and laws are all that they have in common.
pub fn by_another_method() -> BoxedStrategy<Case> {
    let flight = proptest::sample::select(&["newmark", "taylor", "dop853", "radau", "bdf", "auto"][..]);
    let formulation = proptest::sample::select(&["symmetric", "arc-length", "taylor"][..]);
    cases((flight, formulation).prop_map(|(flight, formulation)| Relation::Method { flight, formulation }))
}

pub fn split() -> BoxedStrategy<Case> {
    cases((1usize..39, any::<bool>()).prop_map(|(row, on_ground)| Relation::Split { row, on_ground }))
}

pub fn run_back() -> BoxedStrategy<Case> {
    cases(Just(Relation::Back))
        .prop_map(|mut case| {
            let Scenario { contact, forces, .. } = &mut case.scenario;
            match contact {
                Contact::Rigid { restitution, friction, damping, resistance, fading, sticking, .. } => {
                    (*restitution, *friction, *damping, *resistance) = (1.0, Some(0.0), 0.0, 0.0);
                    (*fading, *sticking) = (None, 0.0);
                }
                Contact::Soft { damping, friction, .. } => (*damping, *friction) = (0.0, 0.0),
            }
            forces.drag = 0.0;
            case
        })
        .boxed()
}

impl Case {
    /// Whether the relation holds.
    pub fn check(&self) -> Outcome {
        self.judge().unwrap_or_else(|outcome| outcome)
    }

    fn judge(&self) -> Result<Outcome, Outcome> {
        let exact = self.scenario.flies_exactly();
        let start = self.scenario.to_string();
        let one = |text: &str, view: View| run(text, view, exact);
        let first = match one(&start, View::PLAIN) {
            Ok(orbit) => orbit,
            Err(NoOrbit::Refused(_)) => return Err(Outcome::Nothing),
            Err(NoOrbit::Panicked) => return Err(broken(Fault::Panicked, &start, &start)),
        };
        is_allowed(&first, &start)?;
        let again = |text: &str, view: View| match one(text, view) {
            Ok(orbit) => is_allowed(&orbit, text).map(|()| orbit),
            Err(NoOrbit::Refused(why)) => Err(broken(Fault::Refused(why), &start, text)),
            Err(NoOrbit::Panicked) => Err(broken(Fault::Panicked, text, text)),
        };
        // The run that is changed a little, and the run that it must agree with.
        let (base, orbit, other, files) = match self.relation {
            Relation::Changed { change, wrapped } => {
                let second = self.scenario.changed(&change, wrapped).to_string();
                let other = again(&second, View { change, angle: 0.0 })?;
                (self.scenario.clone(), first, other, [start.clone(), second])
            }
            Relation::Units(change) => {
                // Both in other units, as a formula's enclosure is wider for each operation in it.
                let twice = Change { map: map(false, 2.0, 0.0, Vector2::zeros()), mass: 2.0, ..Change::NONE };
                let files = [twice, change].map(|change| self.in_units(&change));
                let view = |change| View { change, angle: 0.0 };
                let [one, other] = [again(&files[0], view(twice))?, again(&files[1], view(change))?];
                return same_bits(&one, &other).map_err(|what| broken(Fault::Differs(what), &files[0], &files[1]));
            }
            Relation::Parameter(_) | Relation::Kind { .. } => {
                let curve = match self.relation {
                    Relation::Parameter(parameter) => self.scenario.curve.by(parameter),
                    Relation::Kind { which, map } => {
                        let others = self.scenario.curve.otherwise(map);
                        Some(others[which % others.len()].clone())
                    }
                    _ => None,
                };
                let curve = curve.ok_or(Outcome::Nothing)?;
                let second = Scenario { curve, ..self.scenario.clone() }.to_string();
                let other = again(&second, View::PLAIN)?;
                (self.scenario.clone(), first, other, [start.clone(), second])
            }
            Relation::Method { flight, formulation } => {
                let mut second = self.scenario.clone();
                (second.solver.method, second.solver.formulation) = (flight, formulation);
                let text = second.to_string();
                // Not every method takes every force.
                let other = match run(&text, View::PLAIN, second.flies_exactly()) {
                    Err(NoOrbit::Refused(_)) => return Err(Outcome::Nothing),
                    _ => again(&text, View::PLAIN)?,
                };
                (self.scenario.clone(), first, other, [start.clone(), text])
            }
            Relation::Split { row, on_ground } => {
                let (tail, probe, view) = self.tail(&first, row, on_ground).ok_or(Outcome::Nothing)?;
                let text = tail.to_string();
                let orbit = again(&text, View::PLAIN)?;
                let mut whole = again(&start, view)?;
                whole.events.retain(|row| row.time > 0.0);
                (probe, orbit, whole, [start.clone(), text])
            }
            Relation::Back => {
                let (back, view) = self.back(&first).ok_or(Outcome::Nothing)?;
                let text = back.to_string();
                let orbit = again(&text, View::PLAIN)?;
                (back, orbit, again(&start, view)?, [start.clone(), text])
            }
        };
        let far = match self.relation {
            Relation::Changed { change: Change { map, .. }, .. } | Relation::Kind { map, .. } => {
                map.shift.norm() / map.scale
            }
            _ => 0.0,
        };
        match agree(&base, &orbit, &other, far, Allowed::USUAL) {
            None => Ok(Outcome::Nothing),
            Some(Ok(agreement)) => Ok(Outcome::Holds(agreement)),
            Some(Err(difference)) => Err(broken(Fault::Differs(difference), &files[0], &files[1])),
        }
    }

    /// The file in other units, its absolute tolerance too.
    fn in_units(&self, change: &Change) -> String {
        let mut scenario = self.scenario.changed(change, false);
        if let (Control::Tolerance { absolute, .. }, Control::Tolerance { absolute: scaled, .. }) =
            (self.scenario.solver.control, &mut scenario.solver.control)
        {
            *scaled = absolute * change.map.scale;
        }
        scenario.to_string()
    }

    /// The rest of a run from a row on, the start that its condition is measured from, and how the whole looks from there.
    fn tail(&self, whole: &Orbit, row: usize, on_ground: bool) -> Option<(Scenario, Scenario, View)> {
        let raw = whole.raw.get(row).filter(|_| whole.stop.is_none())?;
        let (sample, state) = (&raw.sample, &raw.world);
        let time = sample.state.time;
        // Amid summed-up bounces there is no state that leads on as the sum does.
        let amid = |c: &supervisor::Capture| c.start.time <= time && time < c.start.time + c.duration;
        if whole.captures.iter().any(amid) {
            return None;
        }
        let change = Change { from: time, ..Change::NONE };
        let mut tail = self.scenario.changed(&change, false);
        tail.solver.rows -= row;
        tail.solver.duration = self.scenario.interval() * tail.solver.rows as f64;
        tail.start = Start::At { position: state.position, velocity: state.velocity, spin: state.spin };
        let mut probe = tail.clone();
        if !matches!(sample.phase, Phase::Flight | Phase::Compressed) {
            // A little beside its place a ball is no longer on the ground.
            let (s, tangent) = raw.on.filter(|_| sample.second_normal_force == 0.0)?;
            probe.start = Start::On { s, speed: sample.state.velocity.dot(&tangent), spin: state.spin };
            if on_ground {
                tail.start = probe.start.clone();
            }
        }
        let seen = Change { from: -time, ..Change::NONE };
        Some((tail, probe, View { change: seen, angle: -sample.state.angle }))
    }

    /// The way back from the end of a run, and how the run looks from there.
    fn back(&self, whole: &Orbit) -> Option<(Scenario, View)> {
        let raw = whole.raw.last().filter(|raw| whole.stop.is_none() && raw.sample.phase == Phase::Flight)?;
        let (last, state) = (&raw.sample, &raw.world);
        let change = Change { from: last.state.time, backwards: true, ..Change::NONE };
        let mut back = self.scenario.changed(&change, false);
        back.start = Start::At { position: state.position, velocity: -state.velocity, spin: -state.spin };
        Some((back, View { change, angle: -last.state.angle }))
    }
}

fn broken(what: Fault, one: &str, other: &str) -> Outcome {
    Outcome::Broken { what, files: [one.to_owned(), other.to_owned()] }
}

/// Whether two runs have the same rows, bit for bit.
fn same_bits(one: &Orbit, other: &Orbit) -> Result<Outcome, Difference> {
    let rows = |orbit: &Orbit| orbit.events.iter().chain(&orbit.samples).cloned().collect::<Vec<_>>();
    let (a, b) = (rows(one), rows(other));
    let difference = |what: String, time| Difference { what, time, residual: f64::NAN, bound: 0.0, condition: 1.0 };
    for (a, b) in a.iter().zip(&b) {
        if a.label != b.label || a.time != b.time || a.numbers != b.numbers {
            return Err(difference(format!("{a:?}, and {b:?}"), a.time));
        }
    }
    if a.len() != b.len() {
        return Err(difference(format!("{} rows, and {}", a.len(), b.len()), f64::NAN));
    }
    Ok(Outcome::Holds(Agreement { rows: a.len(), rounding: 0.0, tolerance: 0.0, tightest: String::new(), share: 1.0 }))
}

/// Whether a run that stopped may: contact laws say nothing of the scenario, or its motion grows beyond all bounds.
fn is_allowed(orbit: &Orbit, text: &str) -> Result<(), Outcome> {
    use supervisor::Stop::{Crushed, Impact, Osculating, SecondContact, Slot};
    match orbit.stop {
        None | Some((Crushed { .. } | SecondContact { .. } | Slot { .. } | Osculating { .. }, _)) => Ok(()),
        Some((Impact { error: ImpactError::TwoContacts { .. }, .. }, _)) => Ok(()),
        Some(_) if orbit.speed > RUNAWAY && FED.iter().any(|key| text.contains(key)) => Ok(()),
        Some((stop, _)) => Err(broken(Fault::Stopped(stop.to_string()), text, text)),
    }
}

/// Whether a run agrees with another as far as its condition allows, which changed runs of `base` measure; numbers as large as `far` m
/// have gone into the other. `None`: some of these are refused.
pub fn agree(
    base: &Scenario,
    orbit: &Orbit,
    other: &Orbit,
    far: f64,
    allow: Allowed,
) -> Option<Result<Agreement, Difference>> {
    let sizes = sizes(base, orbit, far);
    let length = |units: &Units| units[Unit::Length as usize];
    let delta = DELTA * length(&sizes.near) / length(&sizes.far);
    let probe = |seed| {
        let changed = perturbed(base, delta, &sizes.far, seed).to_string();
        run(&changed, View::PLAIN, base.flies_exactly()).ok()
    };
    let probes = (0..PROBES).map(probe).collect::<Option<Vec<_>>>()?;
    Some(compare(orbit, other, &condition(orbit, &probes, delta, &sizes), allow))
}

/// Sizes of the numbers that two runs work with.
fn sizes(scenario: &Scenario, orbit: &Orbit, far: f64) -> Sizes {
    let mut seen = [0.0; 7];
    for (unit, value) in orbit.samples.iter().chain(&orbit.events).flat_map(|row| &row.numbers) {
        seen[*unit as usize] = f64::max(seen[*unit as usize], value.abs());
    }
    let Scenario { mass, radius, forces, solver, .. } = scenario;
    // A length so large has a velocity, a force and so on of its own: the duration leads from one to the other, or a step that is given,
    // over which a path differentiates places.
    let time = match solver.control {
        Control::Step { step, .. } => step,
        Control::Tolerance { .. } => solver.duration,
    };
    let sizes = |length: f64| {
        let mut sizes = seen;
        let mut at_least = |unit: Unit, size: f64| {
            let slot = &mut sizes[unit as usize];
            *slot = slot.max(size);
            *slot
        };
        at_least(Unit::Time, solver.duration);
        let length = at_least(Unit::Length, length);
        let velocity = at_least(Unit::Velocity, length / time);
        at_least(Unit::Impulse, mass * velocity);
        at_least(Unit::Force, (mass * velocity / solver.duration).max(mass * forces.gravity.norm()));
        if *radius > 0.0 {
            let spin = at_least(Unit::Spin, velocity / radius);
            at_least(Unit::Angle, spin * solver.duration);
        }
        // Normals are of size 1.
        at_least(Unit::Angle, 1.0);
        sizes
    };
    let near = sizes(0.0);
    let acceleration = forces.gravity.norm().max(near[Unit::Velocity as usize] / solver.duration);
    Sizes { near, far: sizes(far), acceleration }
}

/// The scenario with its numbers changed by parts of `delta`, at random but always the same for a seed.
fn perturbed(scenario: &Scenario, delta: f64, size: &Units, seed: u64) -> Scenario {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed + 1);
    let mut dice = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // ±½ to ±1
        let part = 0.5 + 0.5 * (state >> 11) as f64 / (1_u64 << 53) as f64;
        if state & 1 == 0 { part } else { -part }
    };
    let mut shaken = scenario.clone();
    let by = |unit: Unit| delta * size[unit as usize];
    match &mut shaken.start {
        Start::At { position, velocity, spin } => {
            // Up alone: below the ground there is no start. On the ground it is the ground that moves.
            position.x += by(Unit::Length) * dice();
            position.y += by(Unit::Length) * dice();
            *velocity += by(Unit::Velocity) * Vector2::new(dice(), dice());
            *spin += by(Unit::Spin) * dice();
        }
        Start::On { s, speed, spin } => {
            *s += by(Unit::Length) * dice();
            *speed += by(Unit::Velocity) * dice();
            *spin += by(Unit::Spin) * dice();
        }
    }
    let mut times = |value: &mut f64| *value *= 1.0 + delta * dice();
    times(&mut shaken.radius);
    times(&mut shaken.mass);
    let Forces { gravity, drag, wind, magnus, external } = &mut shaken.forces;
    let air = [drag, magnus].into_iter();
    air.chain(gravity.iter_mut()).chain(wind.iter_mut()).for_each(&mut times);
    match &mut shaken.contact {
        Contact::Rigid { restitution, tangential, friction, damping, resistance, fading, sticking, .. } => {
            // One stays one: more is none, and less would lose energy in every bounce.
            if *restitution != 1.0 {
                times(restitution);
            }
            *tangential *= 1.0 - delta;
            friction.as_mut().map(&mut times);
            times(damping);
            times(resistance);
            times(sticking);
            let mut rate = 1.0;
            times(&mut rate);
            *fading = fading.as_ref().map(|fading| fading.with(&[("v", Formula::new("v").times(rate))]));
        }
        Contact::Soft { stiffness, damping, friction, slip_speed, .. } => {
            for value in [stiffness, damping, friction, slip_speed] {
                times(value);
            }
        }
    }
    for formulas in [external, &mut shaken.motion].into_iter().flatten() {
        for formula in formulas {
            let mut factor = 1.0;
            times(&mut factor);
            let mut rate = 1.0;
            times(&mut rate);
            *formula = formula.with(&[("t", Formula::new("t").times(rate))]).times(factor);
        }
    }
    let mut scale = 1.0;
    times(&mut scale);
    shaken.curve = shaken.curve.mapped(&Map { scale, ..Map::SAME });
    shaken
}
