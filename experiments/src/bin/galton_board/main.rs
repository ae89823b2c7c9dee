#![doc = include_str!("README.md")]

use std::process::ExitCode;

use experiments::{Column, Table, run};
use kugelbahn::figures::{BLUE, Chart, Field, Marks, Series, Stroke, VERMILION};
use kugelbahn::sweep::Request;

/// The board, in the folder of scenarios.
const BOARD: &str = "../../../../scenarios/galton.toml";
/// Distance of neighbouring pins, and the farthest slot from the middle, m.
const PITCH: f64 = 0.03;
const FARTHEST: i32 = 5;

fn main() -> ExitCode {
    run("galton_board", |lab| {
        let count: u32 = if lab.flags.quick { 300 } else { 10_000 };
        let request = Request {
            sample: vec!["initial.position.x ~ normal(0, 1e-3)".to_owned()],
            count: Some(count.into()),
            design: Some("random".to_owned()),
            seed: lab.flags.seed,
            observe: vec!["watch.floor.1.x".to_owned()],
            ..Request::default()
        };
        let swept = lab.sweep_of(BOARD, &[], request)?;
        let places = swept.column("watch.floor.1.x")?;
        let lost = places.iter().filter(|x| x.is_nan()).count();
        let gained = swept.column("unexplained")?.into_iter().fold(0.0, |most: f64, energy| most.max(energy.abs()));
        let mut table = Table::new([
            Column::fixed("slot at [m]", 3),
            Column::text("balls"),
            Column::fixed("share", 4),
            Column::fixed("even chance at 10 pins", 4),
        ]);
        let mut slots = Vec::new();
        // Between pins of the last row.
        for slot in -FARTHEST..=FARTHEST {
            let middle = f64::from(slot) * PITCH;
            let here = places.iter().filter(|x| (**x - middle).abs() <= 0.5 * PITCH).count();
            slots.push(here as f64);
            table.row([
                middle.into(),
                (here as u64).into(),
                (here as f64 / f64::from(count)).into(),
                even(10, slot).into(),
            ]);
        }
        lab.table("Where balls come out", "slots", &table)?;
        let mean = places.iter().sum::<f64>() / f64::from(count);
        let deviation = (places.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(count)).sqrt();
        lab.compare("balls that are lost", lost as f64, 0.0);
        lab.compare("energy that is not explained, J", gained, 1e-12);
        // The board and the starts are their own mirror images.
        lab.compare(
            "mean place from the middle, of its own deviation",
            mean.abs() / deviation * f64::from(count).sqrt(),
            4.0,
        );
        lab.figure(&bell(&slots, count))
    })
}

/// Balls in each slot, and the bell that even chances would make.
fn bell(slots: &[f64], count: u32) -> String {
    let most = slots.iter().copied().fold(f64::from(count) * even(10, 0), f64::max);
    let expected =
        (-FARTHEST..=FARTHEST).map(|slot| (f64::from(slot) * PITCH, f64::from(count) * even(10, slot))).collect();
    let series = vec![
        Series::new("even chances at ten pins", VERMILION, expected).marked(Vec::new()),
        // The bars' own name.
        Series::new("balls that came out there", BLUE, Vec::new()).drawn(Stroke::Wide),
    ];
    let end = (f64::from(FARTHEST) + 0.5) * PITCH;
    let chart = Chart::new("A Galton board of ten rows", "slot at x [m]", "balls", series);
    let field = Some(Field { marks: Marks::Bars(slots.to_vec()), scale: None });
    Chart { extent: Some([-end, end, 0.0, 1.08 * most]), field, ..chart }.svg()
}

/// The chance of a slot if a ball goes left or right by a half pitch at each of so many pins, alike and each time anew.
fn even(pins: i32, slot: i32) -> f64 {
    let right = pins / 2 + slot;
    (0..right).map(|i| f64::from(pins - i) / f64::from(i + 1)).product::<f64>() * 0.5_f64.powi(pins)
}
