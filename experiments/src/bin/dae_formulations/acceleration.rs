//! What a wrong start acceleration does to λ, and what a long run does.

use experiments::{Column, Failure, Lab, Table};
use kugelbahn::figures::{Chart, Decades, Series};
use kugelbahn::scenario::FormulationKind;
use kugelbahn::{NotEventDriven, Scenario};
use mechanics::Mode;
use newmark::{Control, Scheme};
use rolling::{ContactMethod, ContactState, ContactStep, ContactSystem, Formulation, Newmark};
use supervisor::Start;

use crate::FORMULATIONS;

/// Put on the start acceleration along n, m/s².
const OFFSET: f64 = 1.0;

/// States on the ground at the ends of all steps, straight from the contact method and with its own λ; fewer if it breaks down.
fn states(scenario: &Scenario, step: f64, duration: f64, offset: f64) -> Result<Vec<ContactState>, Failure> {
    let scene = &scenario.scene;
    let system = ContactSystem {
        ground: &scene.ground,
        ball: &scene.ball,
        forces: &scene.forces,
        contact: &scene.law,
        mode: Mode::slides(0.0),
    };
    let Start::Contact { place, .. } = scenario.start else {
        return Err(Failure::Missing("a start on the ground".into()));
    };
    let frame = scene.ground.frame(place);
    let still = mechanics::State {
        time: 0.0,
        position: frame.position,
        velocity: nalgebra::Vector2::zeros(),
        angle: 0.0,
        spin: 0.0,
        dissipated: 0.0,
        work: 0.0,
    };
    let mut state = system.begin(&still, place);
    state.acceleration += offset * frame.normal;
    let control = Control::Step { step, extrapolate: false };
    let mut method = Newmark::new(ours(scenario), Scheme::AVERAGE, control).map_err(NotEventDriven::from)?;
    let mut states = vec![state];
    while state.time < duration - 0.5 * step {
        let mut next = ContactStep::begin(&state);
        // The last step is as long as the others.
        if method.step(&system, &mut next, duration + step).is_err() {
            break;
        }
        state = next.end;
        let [normal_force, friction_force] = system.multiplier(&state);
        states.push(ContactState { normal_force, friction_force, ..state });
    }
    Ok(states)
}

/// The bead of the bowl, started with an acceleration that is wrong along n.
pub fn wrong_start(lab: &mut Lab) -> Result<Chart, Failure> {
    let steps: &[f64] = if lab.flags.quick { &[1e-2, 5e-3] } else { &[1e-2, 5e-3, 2.5e-3, 1.25e-3] };
    let mut table = Table::new([
        Column::text("formulation"),
        Column::science("step [s]", 2),
        Column::science("largest change of λ after 2.5 s [N]", 1),
        Column::text("sign changes in 100 steps"),
    ]);
    let mut series = Vec::new();
    let mut verdicts = Vec::new();
    for (name, colour) in FORMULATIONS {
        let scenario = lab.scenario(&[format!("solver.formulation=\"{name}\"")])?;
        let mut left = Vec::new();
        for step in steps {
            let right = states(&scenario, *step, 3.0, 0.0)?;
            let wrong = states(&scenario, *step, 3.0, OFFSET)?;
            let change: Vec<(f64, f64)> =
                right.iter().zip(&wrong).map(|(a, b)| (a.time, b.normal_force - a.normal_force)).collect();
            let late = change.iter().filter(|(time, _)| *time >= 2.5).map(|(_, change)| change.abs());
            let largest = late.fold(0.0, f64::max);
            let end = &change[change.len() - 101..];
            let turns = end.windows(2).filter(|pair| pair[0].1 * pair[1].1 < 0.0).count() as u64;
            table.row([name.into(), (*step).into(), largest.into(), turns.into()]);
            left.push((largest, turns));
            if *step == 1e-2 {
                series.push(Series::new("", colour, change.into_iter().take(60).collect()));
            }
        }
        let of = |f: fn(f64, f64) -> f64, start: f64| left.iter().map(|(change, _)| *change).fold(start, f);
        let (smallest, largest) = (of(f64::min, f64::INFINITY), of(f64::max, 0.0));
        let carries = ours(&scenario).carries();
        verdicts.push((name, carries, smallest, largest, left.iter().all(|(_, turns)| *turns == 100)));
    }
    lab.table("Start acceleration wrong by 1 m/s² along n: what λ still shows of it", "wrong_start", &table)?;
    for (name, carries, smallest, largest, sawtooth) in verdicts {
        if carries {
            let infinity = f64::INFINITY;
            lab.compare_range(&format!("sawtooth left, least of all steps, N, {name}"), smallest, 0.9, infinity);
            lab.compare_range(&format!("the same, largest over least, {name}"), largest / smallest, 1.0, 1.1);
            let found = if sawtooth { "±" } else { "not ±" };
            lab.compare_fact(&format!("its sign from step to step, {name}"), found, sawtooth);
        } else {
            lab.compare(&format!("change of λ, {name}, N"), largest, 0.0);
        }
    }
    Ok(Chart::new("", "time [s], h = 10 ms", "λ from a wrong start [N]", series))
}

/// 40 s without damping on `y = x²/2` from x₀ = 1: λ as the energy has it at that place,
/// `m κ 2g(y₀ − y) + m g cos α`.
pub fn long_run(lab: &mut Lab) -> Result<Chart, Failure> {
    let steps: &[f64] = if lab.flags.quick { &[4e-2, 1e-2] } else { &[4e-2, 2e-2, 1e-2, 5e-3, 2.5e-3] };
    let gravity = 9.81;
    let exact = |x: f64| {
        let stretch = x.hypot(1.0);
        gravity * ((1.0 - x * x) / stretch.powi(3) + 1.0 / stretch)
    };
    let mut table = Table::new([
        Column::text("formulation"),
        Column::science("step [s]", 2),
        Column::text("error of λ beyond mg at [s]"),
        Column::science("largest error of λ [N]", 1),
    ]);
    let mut series = Vec::new();
    let mut verdicts = Vec::new();
    for (name, colour) in FORMULATIONS {
        let settings = [
            format!("solver.formulation=\"{name}\""),
            "ground={ curve = { kind = \"graph\", y = \"x^2/2\" } }".to_owned(),
            "initial.contact={ x = 1.0, speed = 0.0 }".to_owned(),
        ];
        let scenario = lab.scenario(&settings)?;
        let mut passed = Vec::new();
        let mut largest = 0f64;
        for step in steps {
            let states = states(&scenario, *step, 40.0, 0.0)?;
            let errors: Vec<(f64, f64)> = states
                .iter()
                .map(|state| (state.time, (state.normal_force - exact(state.frame.position.x)).abs()))
                .collect();
            let beyond = errors.iter().find(|(_, error)| !(*error <= gravity)).map(|(time, _)| *time);
            let most = errors.iter().map(|(_, error)| *error).fold(0.0, f64::max);
            let broken = states.last().is_none_or(|last| last.time < 40.0 - step);
            largest = if broken { f64::INFINITY } else { largest.max(most) };
            let when = beyond.map_or("never".to_owned(), |time| format!("{time:.3}"));
            table.row([name.into(), (*step).into(), when.as_str().into(), most.into()]);
            passed.push(beyond);
            if *step == 1e-2 {
                // The largest so far of every 20 steps, so that the line can be read.
                let peaks = errors
                    .chunks(20)
                    .map(|part| (part[0].0, part.iter().map(|(_, error)| *error).fold(1e-6, f64::max)));
                // Beyond that there is nothing to see.
                series.push(Series::new(name, colour, peaks.take_while(|(_, error)| *error < 1e4).collect()));
            }
        }
        verdicts.push((name, passed, largest));
    }
    lab.table("40 s undamped on y = x²/2 from x₀ = 1", "long_run", &table)?;
    for (name, passed, largest) in verdicts {
        if name == "index3" {
            for (step, time) in steps.iter().zip(passed) {
                let what = format!("error of λ passes mg, index3, h = {step} s, at s");
                lab.compare_range(&what, time.unwrap_or(f64::INFINITY), 4.5, 8.5);
            }
        } else if name != "stabilized-index2" {
            lab.compare(&format!("largest error of λ over 40 s, {name}, N"), largest, 0.05 * gravity);
        }
    }
    Ok(Chart::new("", "time [s], y = x²/2, h = 10 ms", "error of λ [N]", series).decades(Decades::Y))
}

/// The formulation of a scenario that names one of this workspace.
fn ours(scenario: &Scenario) -> Formulation {
    match scenario.solver.formulation {
        FormulationKind::Ours(formulation) => formulation,
        FormulationKind::Taylor | FormulationKind::Own(_) => Formulation::Symmetric,
    }
}
