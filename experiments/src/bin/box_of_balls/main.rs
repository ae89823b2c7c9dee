#![doc = include_str!("README.md")]

mod heap;

use std::process::ExitCode;
use std::time::Instant;

use experiments::{Column, Failure, Lab, Table, run, slope};
use heap::{GRAVITY, Heap, STEP, deepest};
use kugelbahn::figures::{
    BLUE, Chart, Decades, GREEN, GREY, ORANGE, PURPLE, Series, Stroke, VERMILION, ground_chart, stack,
};
use moreau::{Balls, Energy};

fn main() -> ExitCode {
    run("box_of_balls", |lab| {
        pour(lab)?;
        if !lab.flags.quick {
            growth(lab)?;
        }
        Ok(())
    })
}

/// The heap at a time.
struct Row {
    time: f64,
    energy: Energy,
    /// Since the row before, in radii.
    deepest: f64,
    contacts: usize,
}

fn pour(lab: &mut Lab) -> Result<(), Failure> {
    let (count, duration) = if lab.flags.quick { (60, 2.5) } else { (200, 3.5) };
    let heap = Heap { balls: count, columns: if lab.flags.quick { 6 } else { 10 }, pitch: 0.12, stir: 0.2 };
    let mut balls = heap.pour(lab.flags.seed)?;
    let bend = heap.bend();
    let mut rows = vec![Row { time: 0.0, energy: balls.energy(), deepest: deepest(&balls, bend), contacts: 0 }];
    let (mut worst, mut gain, mut before) = (0f64, f64::NEG_INFINITY, balls.energy().total());
    let (mut lifted, mut projection) = (0f64, 0f64);
    let (mut contacts, mut sweeps, mut recent) = (0, 0, 0f64);
    while balls.time() < duration - 0.5 * STEP {
        let step = balls.step()?;
        contacts += step.contacts;
        sweeps += step.sweeps;
        let energy = balls.energy();
        if energy.total() - before > gain {
            gain = energy.total() - before;
            lifted = energy.projection - projection;
        }
        (before, projection) = (energy.total(), energy.projection);
        let deep = deepest(&balls, bend);
        worst = worst.max(deep);
        recent = recent.max(deep);
        if balls.index().is_multiple_of(10) {
            rows.push(Row {
                time: balls.time(),
                energy,
                deepest: std::mem::take(&mut recent),
                contacts: step.contacts,
            });
        }
    }
    lab.stepped(heap.parameters(lab.flags.seed), balls.index());
    table(lab, &rows)?;
    let (ledger, projected) = (balls.energy(), balls.audit().projected);
    let mut work = Table::new([Column::text("quantity"), Column::text("value")]);
    let fastest = (0..balls.len()).map(|i| balls.state(i).velocity.norm()).fold(0f64, f64::max);
    for (what, value) in [
        ("steps", format!("{}", balls.index())),
        ("contacts, all steps together", format!("{contacts}")),
        ("sweeps, all steps together", format!("{sweeps}")),
        ("lists of neighbours", format!("{}", balls.neighbour_lists())),
        ("steps with projection", format!("{}", projected.steps)),
        ("largest displacement by projection", format!("{:.2e} m", projected.largest)),
        ("energy added by projection", format!("{:.3e} J of {:.4e} J", projected.energy, ledger.initial)),
        ("energy the scheme itself adds", format!("{:.1e} J", ledger.numerical())),
        ("deepest penetration", format!("{:.3} % of a radius", 100.0 * worst)),
        ("largest gain of energy in a step", format!("{gain:.1e} J")),
        ("of it by projection", format!("{lifted:.1e} J")),
        ("fastest ball in the end", format!("{fastest:.1e} m/s")),
    ] {
        work.row([what.into(), value.as_str().into()]);
    }
    lab.table(&format!("{count} balls"), "work", &work)?;
    lab.compare("deepest penetration, of a radius", worst, 0.01);
    // Of a contact that opens and is stopped: m(hg)²/8.
    let stopped = (STEP * GRAVITY).powi(2) / 8.0;
    lab.compare("largest gain of energy in a step, J", gain, stopped);
    lab.compare("energy the scheme itself adds, of the start's", ledger.numerical().abs() / ledger.initial, 1e-9);
    lab.compare("kinetic energy in the end, of the start's", ledger.kinetic / ledger.initial, 1e-12);
    statics(lab, &balls)?;
    lab.file("energies.svg", &energies(&rows))?;
    lab.figure(&picture(&balls, bend, &format!("{count} balls at rest in a valley")))
}

/// At rest the ground carries all of the weight and pushes nothing sideways: independent of how forces spread inside.
fn statics(lab: &mut Lab, balls: &Balls) -> Result<(), Failure> {
    let (mut up, mut side) = (0.0, 0.0);
    for contact in balls.contacts().iter().filter(|contact| contact.other.is_none()) {
        let force = (contact.normal * contact.normal_impulse + contact.tangent() * contact.tangential_impulse) / STEP;
        up += force.y;
        side += force.x;
    }
    let weight = balls.len() as f64 * GRAVITY;
    lab.compare("at rest: the ground's force against the weight, relative", (up / weight - 1.0).abs(), 1e-3);
    lab.compare("at rest: the ground's force to the side, of the weight", (side / weight).abs(), 1e-3);
    Ok(())
}

fn table(lab: &Lab, rows: &[Row]) -> Result<(), Failure> {
    let mut table = Table::new([
        Column::fixed("time [s]", 3),
        Column::science("kinetic [J]", 3),
        Column::fixed("potential [J]", 4),
        Column::fixed("normal work [J]", 4),
        Column::fixed("friction work [J]", 4),
        Column::fixed("projection [J]", 4),
        Column::science("numerical [J]", 1),
        Column::text("contacts"),
        Column::fixed("deepest [% R]", 4),
    ]);
    for Row { time, energy, deepest, contacts } in rows {
        table.row([
            (*time).into(),
            energy.kinetic.into(),
            energy.potential.into(),
            energy.normal.into(),
            energy.tangential.into(),
            energy.projection.into(),
            energy.numerical().into(),
            (*contacts as u64).into(),
            (100.0 * deepest).into(),
        ]);
    }
    lab.table("Ledger", "ledger", &table)
}

fn outlines(balls: &Balls) -> Vec<Vec<(f64, f64)>> {
    let one = |i: usize| {
        let (state, radius) = (balls.state(i), balls.body(i).ball.radius());
        let point = |degrees: f64, r: f64| {
            let (sine, cosine) = (state.angle + degrees.to_radians()).sin_cos();
            (state.position.x + r * cosine, state.position.y + r * sine)
        };
        // A line from the centre shows how the ball is turned.
        let mut line = vec![point(0.0, 0.0)];
        line.extend((0..=360).step_by(15).map(|degrees| point(f64::from(degrees), radius)));
        line
    };
    (0..balls.len()).map(one).collect()
}

fn picture(balls: &Balls, bend: f64, title: &str) -> String {
    let lines = outlines(balls);
    let widest = lines.iter().flatten().fold(0f64, |most, p| most.max(p.0.abs())) + 0.1;
    let top = lines.iter().flatten().fold(0f64, |most, p| most.max(p.1)) + 0.05;
    let valley = (0..=200).map(|i| widest * (f64::from(i) / 100.0 - 1.0)).map(|x| (x, x * x / (2.0 * bend))).collect();
    let mut series = vec![Series::new("valley", GREY, valley)];
    let mut named = [false; 2];
    for (i, line) in lines.into_iter().enumerate() {
        let large = balls.body(i).ball.radius() == heap::RADII[0];
        let (name, colour) = if large { ("R = 50 mm", BLUE) } else { ("R = 35 mm", VERMILION) };
        let first = !std::mem::replace(&mut named[usize::from(large)], true);
        series.push(Series::new(if first { name } else { "" }, colour, line).drawn(Stroke::Thin));
    }
    ground_chart(title, series, [-widest, widest, -0.05, top]).svg()
}

fn energies(rows: &[Row]) -> String {
    let over = |f: &dyn Fn(&Row) -> f64| rows.iter().map(|row| (row.time, f(row))).collect::<Vec<_>>();
    let chart = |y: &str, series| Chart::new("", "time [s]", y, series);
    stack(
        "Balls poured into a valley",
        vec![
            chart(
                "energy [J]",
                vec![
                    Series::new("total", GREY, over(&|row| row.energy.total())).drawn(Stroke::Dashed),
                    Series::new("potential", GREEN, over(&|row| row.energy.potential)),
                    Series::new("kinetic", BLUE, over(&|row| row.energy.kinetic)),
                    Series::new("normal work", PURPLE, over(&|row| row.energy.normal)),
                    Series::new("friction work", ORANGE, over(&|row| row.energy.tangential)),
                ],
            ),
            chart(
                "kinetic energy [J]",
                vec![Series::new("kinetic, ≥ 1e-10", BLUE, over(&|row| row.energy.kinetic.max(1e-10)))],
            )
            .decades(Decades::Y),
            chart("closed contacts", vec![Series::new("contacts", GREEN, over(&|row| row.contacts as f64))]),
            chart("penetration [% of R]", vec![Series::new("deepest", VERMILION, over(&|row| 100.0 * row.deepest))]),
        ],
    )
    .svg()
}

/// Heaps that have just fallen together, from 50 to 5000 balls: what a contact costs.
fn growth(lab: &mut Lab) -> Result<(), Failure> {
    let mut table = Table::new([
        Column::text("balls"),
        Column::fixed("contacts per step", 1),
        Column::fixed("sweeps per step", 1),
        Column::fixed("time per step [ms]", 3),
        Column::fixed("per contact [µs]", 3),
        Column::fixed("per contact and sweep [ns]", 1),
    ]);
    let mut points = Vec::new();
    for count in [50, 100, 200, 500, 1000, 2000, 5000] {
        let heap = Heap { balls: count, columns: count / 10, pitch: 0.112, stir: 0.05 };
        let mut balls = heap.pour(lab.flags.seed)?;
        let (fall, watched) = (700, 50);
        for _ in 0..fall {
            balls.step()?;
        }
        let (mut contacts, mut sweeps) = (0, 0);
        let clock = Instant::now();
        for _ in 0..watched {
            let step = balls.step()?;
            contacts += step.contacts;
            sweeps += step.sweeps;
        }
        let took = clock.elapsed().as_secs_f64();
        lab.stepped(heap.parameters(lab.flags.seed), balls.index());
        let steps = f64::from(watched);
        let (per_step, sweeps) = (contacts as f64 / steps, sweeps as f64 / steps);
        let each = took / contacts as f64;
        points.push((count as f64, each));
        table.row([
            (count as u64).into(),
            per_step.into(),
            sweeps.into(),
            (1e3 * took / steps).into(),
            (1e6 * each).into(),
            (1e9 * each / sweeps).into(),
        ]);
    }
    lab.table("Time per contact and step, heaps of ten layers, 0.35 s after the start", "growth", &table)?;
    lab.compare_range("growth of the time per contact, power of the number of balls", slope(&points), -0.2, 1.2);
    Ok(())
}
