#![doc = include_str!("README.md")]

mod map;

use std::f64::consts::TAU;
use std::fmt::Write;
use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Swept, Table, run};
use kugelbahn::figures::{Chart, Field, MOST_CELLS, Marks, Scale};
use kugelbahn::sweep::Request;
use map::Map;
use nalgebra::{Matrix3, Vector3};
use reference::shaken_table::ShakenTable;

const OMEGA: f64 = 60.0;
const E: f64 = 0.5;
/// Impacts looked at for what is left of a run.
const LAST: usize = 200;

fn main() -> ExitCode {
    run("bifurcation", |lab| {
        let doubling = ShakenTable::doubling(E);
        let (range, count, impacts) = match lab.flags.quick {
            true => ([doubling - 0.05, doubling + 0.25], 400, 800),
            false => ([ShakenTable::least(E) + 1e-3, 2.6], 4000, 2000),
        };
        let gammas: Vec<f64> =
            (0..count).map(|i| range[0] + (range[1] - range[0]) * f64::from(i) / f64::from(count - 1)).collect();
        let starts = gammas.iter().map(|gamma| {
            let orbit = orbit(*gamma);
            Start { amplitude: orbit.amplitude(), phase: orbit.phase(), speed: 1.001 * orbit.launch_speed() }
        });
        let swept = sweep(lab, &starts.collect::<Vec<_>>(), impacts, impacts / 2)?;
        let (left, picture) = looked_at(&swept, &gammas)?;
        thresholds(lab, &gammas, &left)?;
        chaos(lab)?;
        lab.figure(&picture)
    })
}

fn orbit(gamma: f64) -> ShakenTable {
    ShakenTable { gravity: 9.81, restitution: E, omega: OMEGA, gamma }
}

/// Just after an impact.
#[derive(Clone, Copy)]
struct Start {
    amplitude: f64,
    phase: f64,
    speed: f64,
}

/// A run from each start, as rows of its impacts without the first ones.
fn sweep(lab: &mut Lab, starts: &[Start], impacts: u32, skip: u32) -> Result<Swept, Failure> {
    let mut table =
        "ground.motion.parameters.A,ground.motion.parameters.phi,initial.position.y,initial.velocity.y\n".to_owned();
    for Start { amplitude, phase, speed } in starts {
        // Writing to memory can't fail.
        let _ = writeln!(table, "{amplitude:?},{phase:?},{:?},{speed:?}", amplitude * phase.sin());
    }
    let file = std::env::temp_dir().join(format!("kugelbahn-bifurcation-{}.csv", std::process::id()));
    std::fs::write(&file, table).map_err(Failure::Folder)?;
    let request = Request {
        table: Some(file.to_string_lossy().into_owned()),
        observe: vec![format!("every impact: cycle({:?}), vy-before, vy", TAU / OMEGA)],
        skip: u64::from(skip),
        ..Request::default()
    };
    let swept = lab.sweep(&[format!("solver.until=[\"impact.{impacts}\"]")], request);
    std::fs::remove_file(&file).map_err(Failure::Folder)?;
    swept
}

/// What is left of a run: how far apart, on average, the speeds of an impact and the next one are, and of it and the one after that, m/s.
#[derive(Clone, Copy, Default)]
struct Left {
    next: f64,
    second: f64,
    /// The last impact: phase (rad) and speed after it, m/s.
    last: [f64; 2],
}

/// What is left of each run, and all impacts as cells of Γ and the speed that the table sees.
fn looked_at(swept: &Swept, gammas: &[f64]) -> Result<(Vec<Left>, String), Failure> {
    let phases = swept.column("ground.motion.parameters.phi")?;
    let (mut speeds, mut left) = (vec![Vec::new(); gammas.len()], vec![Left::default(); gammas.len()]);
    swept.each("section", |rows| {
        for row in 0..rows.rows() {
            let cell = |place: usize| rows.cells()[place].number(row);
            let run = cell(0) as usize;
            let phase = (TAU * cell(2) + phases[run]).rem_euclid(TAU);
            let table = orbit(gammas[run]).amplitude() * OMEGA * phase.cos();
            speeds[run].push((table - cell(3)) as f32);
            left[run].last = [phase, cell(4)];
        }
    })?;
    for (left, speeds) in left.iter_mut().zip(&speeds) {
        let last = &speeds[speeds.len().saturating_sub(LAST)..];
        let apart = |steps: usize| {
            let sum: f64 = last.windows(steps + 1).map(|pair| f64::from((pair[steps] - pair[0]).abs())).sum();
            sum / last.len().saturating_sub(steps).max(1) as f64
        };
        (left.next, left.second) = (apart(1), apart(2));
    }
    let top = speeds.iter().flatten().fold(0.0f32, |top, speed| top.max(*speed));
    let bins = [MOST_CELLS[0].min(gammas.len()), MOST_CELLS[1]];
    let mut counts = vec![0u32; bins[0] * bins[1]];
    for (i, speeds) in speeds.iter().enumerate() {
        let along = i * bins[0] / gammas.len();
        for speed in speeds {
            let up = ((speed / top * bins[1] as f32).max(0.0) as usize).min(bins[1] - 1);
            counts[up * bins[0] + along] += 1;
        }
    }
    let cells: Vec<f64> =
        counts.iter().map(|count| if *count == 0 { f64::NAN } else { f64::from(*count).log10() }).collect();
    let high = cells.iter().copied().fold(0.0, f64::max);
    let scale = Scale::Shades { label: "impacts".to_owned(), low: 0.0, high, decades: true };
    let chart =
        Chart::new("Impacts of a ball on a shaken table, e = 0.5", "Γ = Aω²/g", "impact speed [m/s]", Vec::new());
    let extent = Some([gammas[0], gammas[gammas.len() - 1], 0.0, f64::from(top)]);
    let field = Some(Field { marks: Marks::Cells(bins, cells), scale: Some(scale) });
    Ok((left, Chart { extent, field, ..chart }.svg()))
}

/// Where impacts begin to alternate, and where every second one does: the square of the difference grows from 0 there.
fn thresholds(lab: &mut Lab, gammas: &[f64], left: &[Left]) -> Result<(), Failure> {
    let mut table = Table::new([
        Column::text("impacts that come again"),
        Column::fixed("Γ found", 6),
        Column::fixed("known", 6),
        Column::science("difference", 1),
    ]);
    let first = ShakenTable::doubling(E);
    let second = second_doubling();
    // A window of amplitudes just above each, in which a parabola holds.
    let found = [
        onset(gammas, left.iter().map(|left| left.next), [0.01, 0.04]),
        onset(gammas, left.iter().map(|left| left.second), [0.002, 0.012]),
    ];
    for (what, found, known) in [("each second", found[0], first), ("each fourth", found[1], second)] {
        table.row([what.into(), found.into(), known.into(), (found - known).abs().into()]);
    }
    lab.table("Where the period doubles, from the rows of the sweep", "doublings", &table)?;
    lab.compare("Γ of the first doubling, closed form", (found[0] - first).abs(), 1e-3);
    lab.compare("Γ of the second doubling, by the map", (found[1] - second).abs(), 1e-3);
    Ok(())
}

/// Where the square of a difference that was 0 begins to grow: the root of a parabola through what follows.
fn onset(gammas: &[f64], apart: impl Iterator<Item = f64>, window: [f64; 2]) -> f64 {
    let points: Vec<(f64, f64)> = gammas.iter().copied().zip(apart).collect();
    let Some((begin, _)) = points.iter().find(|(_, apart)| *apart > 1e-3) else { return f64::NAN };
    let (mut normal, mut right) = (Matrix3::zeros(), Vector3::zeros());
    for (gamma, apart) in &points {
        let x = gamma - begin;
        if (window[0]..window[1]).contains(&x) {
            let powers = Vector3::new(1.0, x, x * x);
            normal += powers * powers.transpose();
            right += powers * (apart * apart);
        }
    }
    let Some([c, b, a]) = normal.lu().solve(&right).map(<[f64; 3]>::from) else { return f64::NAN };
    begin - 2.0 * c / (b + (b * b - 4.0 * a * c).sqrt())
}

fn map(gamma: f64) -> Map {
    Map { amplitude: orbit(gamma).amplitude(), omega: OMEGA, restitution: E }
}

/// Γ at which a multiplier of the cycle of two impacts passes −1: `1 + trace + det = 0` with `det = e⁴`.
fn second_doubling() -> f64 {
    let first = ShakenTable::doubling(E);
    let multiplier = |gamma: f64| {
        let (orbit, map) = (orbit(gamma), map(gamma));
        let cycle = map.settled([orbit.phase(), 1.001 * orbit.launch_speed()], 20_000);
        1.0 + map.trace(cycle, 2) + E.powi(4)
    };
    let mut below = first + 0.01;
    while multiplier(below + 0.005) > 0.0 {
        below += 0.005;
    }
    let mut above = below + 0.005;
    while above - below > 1e-7 {
        let middle = 0.5 * (below + above);
        *(if multiplier(middle) > 0.0 { &mut below } else { &mut above }) = middle;
    }
    below
}

/// Beyond all doublings, but below where the ball comes to rest at times.
const CHAOTIC: f64 = 1.74;

/// How fast two runs that begin 1e-9 apart lose one another, and the same of the map.
fn chaos(lab: &mut Lab) -> Result<(), Failure> {
    let (pairs, apart) = (if lab.flags.quick { 100 } else { 1000 }, 1e-9);
    let (orbit, map) = (orbit(CHAOTIC), map(CHAOTIC));
    let mut state = map.settled([orbit.phase(), 1.01 * orbit.launch_speed()], 1000);
    let mut starts = Vec::new();
    for _ in 0..pairs {
        state = map.settled(state, 37);
        let [phase, speed] = state;
        starts.extend([0.0, apart].map(|off| Start { amplitude: orbit.amplitude(), phase, speed: speed + off }));
    }
    let swept = sweep(lab, &starts, 20, 0)?;
    let mut speeds = vec![Vec::new(); starts.len()];
    swept.each("section", |rows| {
        (0..rows.rows()).for_each(|row| speeds[rows.cells()[0].number(row) as usize].push(rows.cells()[4].number(row)));
    })?;
    let growth = |speeds: &[Vec<f64>]| {
        let apart = |n: usize| {
            let logs = speeds.chunks(2).map(|pair| (pair[0][n] - pair[1][n]).abs().max(f64::MIN_POSITIVE).ln());
            logs.sum::<f64>() / (speeds.len() / 2) as f64
        };
        (apart(18) - apart(3)) / 15.0
    };
    let found = growth(&speeds);
    let mapped: Vec<Vec<f64>> = starts
        .iter()
        .map(|start| {
            let mut state = [start.phase, start.speed];
            (0..20)
                .map(|_| {
                    state = map.next(state);
                    state[1]
                })
                .collect()
        })
        .collect();
    let known = growth(&mapped);
    let mut table = Table::new([Column::text("two neighbours drift apart"), Column::fixed("exponent, per impact", 4)]);
    table.row(["rows of the sweep".into(), found.into()]);
    table.row(["map".into(), known.into()]);
    lab.table("Chaos at Γ = 1.74", "chaos", &table)?;
    lab.compare("exponent against the map", (found - known).abs(), 1e-3);
    lab.compare_range("exponent of neighbours, per impact", found, 0.05, 1.0);
    Ok(())
}
