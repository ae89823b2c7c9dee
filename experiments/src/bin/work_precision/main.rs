#![doc = include_str!("README.md")]

mod scenes;

use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Table, run};
use kugelbahn::compare::{ComparedRun, Comparison, ComparisonPlan, Fineness};
use kugelbahn::figures::{BLUE, Chart, Decades, GREEN, GREY, ORANGE, PURPLE, Series, Stroke, VERMILION, panels};

use scenes::{SCENES, Scene};

fn main() -> ExitCode {
    run("work_precision", |lab| {
        let mut diagrams = Vec::new();
        for scene in SCENES {
            diagrams.push(diagram(lab, &scene)?);
        }
        lab.figure(&panels("Work and precision", "", diagrams).svg())
    })
}

fn diagram(lab: &mut Lab, scene: &Scene) -> Result<Chart, Failure> {
    let cases = scene.cases(lab.flags.quick);
    let form = scene.closed_form();
    let tries = if lab.flags.quick { 1 } else { 7 };
    let plan = ComparisonPlan { tries, closed_form: form.as_ref(), progress: &|_, _, _| () };
    let comparison = lab.comparison(scene.experiment, &[], &cases, &plan)?;
    let outcomes = &comparison.outcomes;
    let mut table = Table::new([
        Column::text("method"),
        Column::text("control"),
        Column::science(scene.quantity, 1),
        Column::fixed("CPU [ms]", 3),
        Column::text("evaluations"),
        Column::text("steps"),
        Column::text("missed"),
        Column::text("extra"),
    ]);
    for outcome in outcomes {
        let work = &outcome.track.work;
        let evaluations = (work.forces + work.ground).to_string();
        table.row([
            outcome.case.method.name().as_str().into(),
            outcome.case.fineness.text().as_str().into(),
            scene.error(outcome).into(),
            milliseconds(outcome).into(),
            evaluations.as_str().into(),
            work.steps.into(),
            outcome.errors.events.missed.into(),
            outcome.errors.events.extra.into(),
        ]);
    }
    lab.table(&format!("{} (judged by {})", scene.title, comparison.truth.name), scene.experiment, &table)?;
    verdicts(lab, scene, &comparison)?;
    let groups = outcomes.chunk_by(|a, b| scenes::line(a) == scenes::line(b));
    let curves = groups.map(|group| {
        let points = |certain: bool| {
            let of = group.iter().filter(move |outcome| scene.certain(outcome) == certain);
            of.map(|outcome| (milliseconds(outcome), scene.error(outcome))).collect()
        };
        let (name, colour, dashed) = style(&group[0]);
        let curve = Series::new(name, colour, points(true)).marked(points(false));
        if dashed { curve.drawn(Stroke::Dashed) } else { curve }
    });
    let chart = Chart::new(scene.title, "CPU time of a run [ms]", scene.quantity, curves.collect());
    Ok(chart.decades(Decades::Both))
}

fn milliseconds(outcome: &ComparedRun) -> f64 {
    outcome.timing.map_or(f64::NAN, |timing| 1e3 * timing.median)
}

/// The same for a method in every diagram: runs in fixed steps are dashed.
fn style(outcome: &ComparedRun) -> (String, &'static str, bool) {
    let name = outcome.case.method.name();
    let steps = matches!(outcome.case.fineness, Fineness::Step(_));
    let colour = match name.as_str() {
        "bdf" => VERMILION,
        "radau" => GREEN,
        "dop853" => ORANGE,
        "moreau" => PURPLE,
        "bdf:parabola" | "newmark:index3" => GREY,
        "newmark:extrapolated" => "#56B4E9",
        "ballistic" => "#882255",
        "taylor" | "newmark:taylor" => "black",
        _ => BLUE,
    };
    (if steps { format!("{name}, steps") } else { format!("{name}, tolerance") }, colour, steps)
}

fn verdicts(lab: &mut Lab, scene: &Scene, comparison: &Comparison) -> Result<(), Failure> {
    let title = scene.title;
    let outcomes = &comparison.outcomes;
    let doubtful = outcomes.iter().filter(|outcome| !scene.certain(outcome)).map(|outcome| scene.error(outcome));
    let what = format!("{title}: largest error that the reference is not 100 times better than");
    lab.compare(&what, doubtful.fold(0.0, f64::max), 1e-10);
    let located = outcomes.iter().filter(|outcome| scenes::finds_all(outcome));
    let wrong: u64 = located.map(|outcome| outcome.errors.events.missed + outcome.errors.events.extra).sum();
    let what = format!("{title}: events missed or extra, certified search, formulation not index3");
    lab.compare_fact(&what, &wrong.to_string(), wrong == 0);
    let stopped = outcomes.iter().filter(|outcome| outcome.track.stop.is_some()).count() as u64;
    lab.compare_fact(&format!("{title}: runs stopped"), &stopped.to_string(), stopped == 0);
    for (method, fineness, bound) in scene.bounds {
        let of = |outcome: &&ComparedRun| {
            outcome.case.method.name() == *method && outcome.case.fineness.value() == *fineness
        };
        let outcome = outcomes.iter().find(of).ok_or_else(|| Failure::Missing(format!("{method} at {fineness:e}")))?;
        lab.compare(&format!("{title}: {method} at {fineness:e}"), scene.error(outcome), *bound);
    }
    if let Some(name) = scene.table {
        let exact = reference::table::find(name).ok_or_else(|| Failure::Missing(name.into()))?;
        let events = exact.events();
        let found = &comparison.truth.track.events;
        if found.len() < events.len() {
            return Err(Failure::Missing(format!("{} events of {name}", events.len())));
        }
        let apart = events
            .iter()
            .zip(found)
            .map(|(exact, found)| exact.number("t").map_or(f64::INFINITY, |t| (found.time - t).abs()));
        lab.compare(
            &format!("{title}: the reference from {} times of 25 digits, s", events.len()),
            apart.fold(0.0, f64::max),
            scene.table_bound,
        );
    }
    Ok(())
}
