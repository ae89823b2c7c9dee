#![doc = include_str!("README.md")]

use std::process::ExitCode;

use curves::{Ground, Piece};
use experiments::{Column, Estimate, Failure, Lab, Table, on_ground, run};
use kugelbahn::figures::{BLUE, Chart, GREY, Series, Stroke, VERMILION, ground_chart, stack};
use moreau::Balls;
use nalgebra::Vector2;
use rayon::prelude::*;
use serde_json::json;

/// Time for a heap to come to rest, s.
const REST: f64 = 1.5;
/// Of the floor to each side, m.
const REACH: f64 = 1.0;
/// Of a groove, m.
const WIDE: f64 = 0.01;
const DEEP: f64 = 0.0035;

fn main() -> ExitCode {
    run("angle_of_repose", |lab| {
        let frictions: &[f64] = if lab.flags.quick { &[0.0, 0.1, 0.5] } else { &[0.0, 0.1, 0.2, 0.3, 0.5, 0.8] };
        let seeds = if lab.flags.quick { 1 } else { 3 };
        let mut columns = Vec::new();
        for friction in frictions {
            for seed in 0..seeds {
                let seed = lab.flags.seed * 1000 + seed;
                let settings = [format!("balls.1.seed={seed}"), format!("contact.friction={friction}")];
                let scenario = lab.scenario(&settings)?;
                for grooved in [false, true] {
                    columns.push((*friction, grooved, scenario.balls()?, scenario.solver.duration));
                }
            }
        }
        let heaps: Result<Vec<Heap>, Failure> = columns.into_par_iter().map(collapse).collect();
        let heaps = heaps?;
        let steps = heaps.iter().map(|heap| heap.balls.index()).sum();
        lab.stepped(json!({ "frictions": frictions, "seeds": seeds, "rest": REST }), steps);
        report(lab, frictions, &heaps)
    })
}

/// A column that has fallen apart.
struct Heap {
    friction: f64,
    grooved: bool,
    balls: Balls,
    angle: f64,
    /// Median of the speeds, m/s.
    slow: f64,
}

/// A floor with grooves 10 mm wide and 3.5 mm deep, whose ridges are where the flat one is.
fn grooves() -> Vec<Vector2<f64>> {
    let half = (REACH / WIDE).round() as i32;
    let corners = (-half..=half).flat_map(|i| {
        let x = f64::from(i) * WIDE;
        [Vector2::new(x, 0.0), Vector2::new(x + 0.5 * WIDE, -DEEP)]
    });
    corners.collect()
}

/// Settles between walls, then goes on without.
fn collapse((friction, grooved, mut balls, settled): (f64, bool, Balls, f64)) -> Result<Heap, Failure> {
    while balls.time() < settled {
        balls.step()?;
    }
    let corners = if grooved { grooves() } else { vec![[-REACH, 0.0].into(), [REACH, 0.0].into()] };
    let floor = Piece::polyline(&corners).and_then(Ground::new);
    let mut balls = on_ground(&balls, floor.map_err(|error| Failure::Missing(error.to_string()))?)?;
    let end = balls.time() + REST;
    while balls.time() < end {
        balls.step()?;
    }
    let angle = angle(&balls);
    let slow = median((0..balls.len()).map(|i| balls.state(i).velocity.norm()).collect());
    Ok(Heap { friction, grooved, balls, angle, slow })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// In degrees, of the triangle with the medians of this heap: half of a triangle's area is below (1 − 1/√2) of its height, and half
/// within the same part of its half base. The few balls that roll away move neither.
fn angle(balls: &Balls) -> f64 {
    let each = |f: &dyn Fn(usize) -> f64| (0..balls.len()).map(f).collect::<Vec<_>>();
    let high = median(each(&|i| balls.state(i).position.y - balls.body(i).ball.radius()));
    let middle = median(each(&|i| balls.state(i).position.x));
    let wide = median(each(&|i| (balls.state(i).position.x - middle).abs()));
    (high / wide).atan().to_degrees()
}

fn report(lab: &mut Lab, frictions: &[f64], heaps: &[Heap]) -> Result<(), Failure> {
    let mut table = Table::new([
        Column::fixed("μ", 2),
        Column::fixed("flat floor [°]", 1),
        Column::fixed("± ", 1),
        Column::fixed("grooved floor [°]", 1),
        Column::fixed("±", 1),
        Column::science("median of speeds [m/s]", 1),
        Column::text("steps missed"),
    ]);
    let mut found = Vec::new();
    for friction in frictions {
        let of = |grooved: bool| {
            let heaps = heaps.iter().filter(move |heap| heap.friction == *friction && heap.grooved == grooved);
            Estimate::of(&heaps.map(|heap| heap.angle).collect::<Vec<_>>())
        };
        let (flat, grooved) = (of(false), of(true));
        let all = heaps.iter().filter(|heap| heap.friction == *friction);
        let slow = all.clone().filter(|heap| heap.grooved).map(|heap| heap.slow).fold(0.0, f64::max);
        let missed: u64 = all.map(|heap| heap.balls.audit().residuals.missed).sum();
        table.row([
            (*friction).into(),
            flat.mean.into(),
            flat.error.into(),
            grooved.mean.into(),
            grooved.error.into(),
            slow.into(),
            missed.into(),
        ]);
        found.push((*friction, flat, grooved));
    }
    lab.table("Angle of repose; ± 95 % of the mean of all seeds; speeds on the grooved floor", "angles", &table)?;
    let at = |friction: f64| found.iter().find(|f| f.0 == friction).map_or(f64::NAN, |f| f.2.mean);
    let smooth = found.iter().find(|f| f.0 == 0.0).map_or(f64::NAN, |f| f.1.mean);
    lab.compare("flat floor without friction, °", smooth.abs(), 0.5);
    lab.compare_fact("on grooves it grows from μ = 0 to 0.1 to 0.5", "", at(0.0) < at(0.1) && at(0.1) < at(0.5));
    let steepest = found.iter().fold(0.0, |most: f64, f| most.max(f.2.mean));
    lab.compare("steepest, against a face of a hexagonal packing, °", steepest, 60.0);
    let slow =
        heaps.iter().filter(|heap| heap.grooved && heap.friction >= 0.1).map(|heap| heap.slow).fold(0.0, f64::max);
    lab.compare("median of speeds on grooves from μ = 0.1 on, m/s", slow, 0.01);
    if !lab.flags.quick {
        lab.compare("on grooves from μ = 0.5 to 0.8, °", (at(0.8) - at(0.5)).abs(), 5.0);
    }
    lab.figure(&figure(&found, heaps))
}

/// μ, and the angles on the flat and on the grooved floor.
type Angles = (f64, Estimate, Estimate);

fn figure(found: &[Angles], heaps: &[Heap]) -> String {
    let mut series = vec![
        Series::new("grooved floor", BLUE, found.iter().map(|f| (f.0, f.2.mean)).collect()).drawn(Stroke::Dots),
        Series::new("flat floor", VERMILION, found.iter().map(|f| (f.0, f.1.mean)).collect()).drawn(Stroke::Dots),
    ];
    for (friction, flat, grooved) in found {
        for Estimate { mean, error } in [flat, grooved].into_iter().filter(|angle| angle.error.is_finite()) {
            series.push(Series::new("", GREY, vec![(*friction, mean - error), (*friction, mean + error)]));
        }
    }
    let angles = Chart::new("", "μ", "angle of repose [°]", series);
    let mut series = Vec::new();
    if let Some(heap) = heaps.iter().rev().find(|heap| heap.grooved && heap.friction == 0.5) {
        for i in 0..heap.balls.len() {
            let (place, radius) = (heap.balls.state(i).position, heap.balls.body(i).ball.radius());
            let point = |degrees: i32| {
                let (sine, cosine) = f64::from(degrees).to_radians().sin_cos();
                (place.x + radius * cosine, place.y + radius * sine)
            };
            let name = if i == 0 { "balls, μ = 0.5" } else { "" };
            series.push(Series::new(name, VERMILION, (0..=360).step_by(20).map(point).collect()).drawn(Stroke::Thin));
        }
    }
    let heap = ground_chart("", series, [-0.3, 0.3, -0.01, 0.19]);
    stack("How steep a heap of balls is", vec![angles, heap]).svg()
}
