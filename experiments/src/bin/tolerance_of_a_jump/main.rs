#![doc = include_str!("README.md")]

use std::fmt::Write;
use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Random, Swept, Table, run};
use kugelbahn::figures::{BLUE, Chart, GREEN, ORANGE, Series, Stroke, VERMILION, stack};
use kugelbahn::sweep::{Request, Sobol, normal_quantile};

/// What is not known: its key, its name, its mean and its standard deviation.
const UNKNOWN: [(&str, &str, f64, f64); 3] = [
    ("contact.restitution", "e", 0.3, 0.03),
    ("contact.friction", "μ", 0.05, 0.01),
    ("forces.drag.coefficient", "drag", 0.25, 0.03),
];
/// What is looked at, and what it is called.
const OBSERVED: [(&str, &str); 2] = [("impact.1.x", "first touch"), ("landing.x", "end of the bounces")];
const COLOURS: [&str; 3] = [BLUE, ORANGE, GREEN];
/// Samples drawn again from those that are there, for the intervals.
const AGAIN: usize = 1000;

fn main() -> ExitCode {
    run("tolerance_of_a_jump", |lab| {
        let count = if lab.flags.quick { 256 } else { 8192 };
        let (swept, drawn) = (pick_and_freeze(lab, count)?, plain(lab, 2 * count)?);
        let mut charts = vec![spread(lab, &drawn)?];
        for (column, name) in OBSERVED {
            charts.push(indices(lab, &swept, &drawn, (column, name), count)?);
        }
        lab.figure(&stack("How uncertain a ski jump is, and why", charts).svg())
    })
}

/// Rows `A, B, A with x₁ of B, A with x₂ of B, …` for each of `count` points (Saltelli et al., Comput. Phys. Commun. 181 (2010) 259):
/// A and B are two halves of Sobol's points in twice as many dimensions.
fn pick_and_freeze(lab: &mut Lab, count: u64) -> Result<Swept, Failure> {
    let (keys, sobol) = (UNKNOWN.len(), Sobol::new(2 * UNKNOWN.len()));
    let mut table = UNKNOWN.map(|(key, ..)| key).join(",") + "\n";
    // The sequence begins with a corner of the cube, where a normal law is at −∞: without it.
    let value = |dimension: usize, index: u64| {
        let (_, _, mean, deviation) = UNKNOWN[dimension % keys];
        mean + deviation * normal_quantile(sobol.at(dimension, index))
    };
    for index in 1..=count {
        let [a, b] = [0, keys].map(|from| (from..from + keys).map(|i| value(i, index)).collect::<Vec<_>>());
        let mixed = (0..keys).map(|of_b| (0..keys).map(|i| if i == of_b { b[i] } else { a[i] }).collect());
        for row in [a.clone(), b.clone()].into_iter().chain(mixed) {
            let cells: Vec<String> = row.iter().map(|value: &f64| format!("{value:?}")).collect();
            // Writing to memory can't fail.
            let _ = writeln!(table, "{}", cells.join(","));
        }
    }
    let file = std::env::temp_dir().join(format!("kugelbahn-tolerance-{}.csv", std::process::id()));
    std::fs::write(&file, table).map_err(Failure::Folder)?;
    let swept = lab.sweep(&[], Request { table: Some(file.to_string_lossy().into_owned()), ..request() });
    std::fs::remove_file(&file).map_err(Failure::Folder)?;
    swept
}

/// The same laws, drawn as a plain sample by the sweep itself.
fn plain(lab: &mut Lab, count: u64) -> Result<Swept, Failure> {
    let sample = UNKNOWN.map(|(key, _, mean, deviation)| format!("{key} ~ normal({mean}, {deviation})"));
    let design = Some("latin".to_owned());
    let seed = lab.flags.seed;
    lab.sweep(&[], Request { sample: sample.into(), count: Some(count), design, seed, ..request() })
}

fn request() -> Request {
    Request { observe: OBSERVED.map(|(column, _)| column.to_owned()).into(), ..Request::default() }
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().sum::<f64>() / values.count() as f64
}

fn variance(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let middle = mean(values.clone());
    mean(values.map(|value| (value - middle).powi(2)))
}

/// How far apart jumps come down.
fn spread(lab: &mut Lab, drawn: &Swept) -> Result<Chart, Failure> {
    let mut table =
        Table::new([Column::text("place"), Column::fixed("mean x [m]", 3), Column::fixed("standard deviation [m]", 3)]);
    let mut series = Vec::new();
    for ((column, name), colour) in OBSERVED.into_iter().zip([BLUE, VERMILION]) {
        let mut places = drawn.column(column)?;
        table.row([name.into(), mean(places.iter().copied()).into(), variance(places.iter().copied()).sqrt().into()]);
        places.sort_by(f64::total_cmp);
        let count = places.len() as f64;
        let share = places.iter().zip(1u32..).map(|(x, i)| (*x, f64::from(i) / count));
        series.push(Series::new(name, colour, share.collect()));
    }
    lab.table("Where jumps come down", "places", &table)?;
    Ok(Chart::new("Share of jumps that are there by x", "x [m]", "share", series))
}

/// First-order index of one unknown: `mean(f_B (f_A with x_i of B − f_A))/variance`, of some of the points.
fn first_order(rows: &[Vec<f64>], of: usize, which: impl Iterator<Item = usize> + Clone) -> f64 {
    let whole = variance(which.clone().flat_map(|i| rows[i][..2].iter().copied()));
    let middle = mean(which.clone().flat_map(|i| rows[i][..2].iter().copied()));
    mean(which.map(|i| (rows[i][1] - middle) * (rows[i][2 + of] - rows[i][0]))) / whole
}

/// The same by another way and other runs: how much means over equal parts of the unknown's range differ.
fn by_parts(values: &[f64], places: &[f64]) -> f64 {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let size = (values.len() as f64).sqrt() as usize;
    let within = order.chunks(size).map(|part| {
        let inner = variance(part.iter().map(|i| places[*i]));
        // A mean of so many is off by that much.
        inner * part.len() as f64 / (part.len() - 1).max(1) as f64 * part.len() as f64
    });
    1.0 - within.sum::<f64>() / places.len() as f64 / variance(places.iter().copied())
}

fn indices(
    lab: &mut Lab,
    swept: &Swept,
    drawn: &Swept,
    (column, name): (&str, &str),
    count: u64,
) -> Result<Chart, Failure> {
    let each = 2 + UNKNOWN.len();
    let rows: Vec<Vec<f64>> = swept.column(column)?.chunks(each).map(<[f64]>::to_vec).collect();
    let places = drawn.column(column)?;
    let mut table = Table::new([
        Column::text("unknown"),
        Column::fixed("first-order index", 4),
        Column::fixed("95 % from", 4),
        Column::fixed("to", 4),
        Column::fixed("by parts of a plain sample", 4),
    ]);
    let (mut sum, mut slack, mut worst, mut series) = (0.0, 0.0, 0f64, Vec::new());
    for (of, ((key, symbol, ..), colour)) in UNKNOWN.into_iter().zip(COLOURS).enumerate() {
        let index = first_order(&rows, of, 0..rows.len());
        let mut random = Random::new(lab.flags.seed);
        let mut again: Vec<f64> = (0..AGAIN)
            .map(|_| {
                let drawn: Vec<usize> = (0..count).map(|_| random.between(0.0, count as f64) as usize).collect();
                first_order(&rows, of, drawn.into_iter())
            })
            .collect();
        again.sort_by(f64::total_cmp);
        let interval = [again[AGAIN / 40], again[AGAIN - 1 - AGAIN / 40]];
        let other = by_parts(&drawn.column(key)?, &places);
        sum += index;
        // Beside the interval, by the estimate's own error.
        let half = 0.5 * (interval[1] - interval[0]);
        slack += half;
        worst = worst.max((index - other).abs() / half.max(1.0 / (count as f64).sqrt()));
        table.row([symbol.into(), index.into(), interval[0].into(), interval[1].into(), other.into()]);
        let at = of as f64 + 1.0;
        series.push(Series::new("", colour, vec![(at, interval[0]), (at, interval[1])]));
        series.push(Series::new("", colour, vec![(at, index)]).drawn(Stroke::Dots));
    }
    lab.table(&format!("What the {name} depends on"), column, &table)?;
    lab.compare(&format!("{name}: two estimates apart, in intervals"), worst, 2.0);
    lab.compare(
        &format!("{name}: sum of the indices from 1, which it is without interactions"),
        (sum - 1.0).abs(),
        slack,
    );
    let title = format!("First-order indices of the {name}, with 95 % intervals");
    let chart = Chart::new(&title, "unknown", "index", series);
    let words = UNKNOWN.map(|(_, symbol, ..)| symbol.to_owned()).into();
    Ok(Chart { words, extent: Some([0.5, UNKNOWN.len() as f64 + 0.5, -0.05, 1.0]), ..chart })
}
