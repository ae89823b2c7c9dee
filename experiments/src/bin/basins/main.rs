#![doc = include_str!("README.md")]

use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Random, Table, run, slope};
use kugelbahn::figures::{Chart, Field, Marks, Scale};
use kugelbahn::sweep::Request;
use supervisor::NoObserver;

/// Of starts, m and m/s either way.
const PLACE: f64 = 1.0;
const SPEED: f64 = 2.0;
/// Between crests at even x: valleys are at odd ones, m.
const WAVELENGTH: f64 = 2.0;

fn main() -> ExitCode {
    run("basins", |lab| {
        let side = if lab.flags.quick { 80 } else { 1000 };
        let request = Request {
            vary: vec![
                format!("initial.velocity.x={:?}..{SPEED:?}/{side}", -SPEED),
                format!("initial.position.x={:?}..{PLACE:?}/{side}", -PLACE),
            ],
            observe: vec!["rest.x".to_owned(), "rest.time".to_owned()],
            ..Request::default()
        };
        let swept = lab.sweep(&[], request)?;
        let places = swept.column("rest.x")?;
        let valleys: Vec<f64> = places.iter().map(|x| valley(*x)).collect();
        let rest = places.iter().filter(|x| x.is_finite()).count();
        lab.compare_fact("starts that come to rest", &format!("{rest} of {}", places.len()), rest == places.len());
        shares(lab, &valleys)?;
        mirrored(lab, &valleys);
        by_another_method(lab, &places)?;
        borders(lab, &valleys, side)?;
        lab.figure(&picture(&valleys, side))
    })
}

/// The number of the valley at x, negative to the left of the crest at 0.
fn valley(x: f64) -> f64 {
    let right = (x.abs() / WAVELENGTH).floor() + 1.0;
    right.copysign(x)
}

/// Where a valley is, m.
fn at(valley: f64) -> f64 {
    WAVELENGTH * (valley - 0.5 * valley.signum())
}

fn shares(lab: &mut Lab, valleys: &[f64]) -> Result<(), Failure> {
    let mut table = Table::new([Column::fixed("valley at x [m]", 0), Column::fixed("share of starts", 4)]);
    let ends = valleys.iter().fold([0.0f64; 2], |[low, high], valley| [low.min(*valley), high.max(*valley)]);
    for number in (ends[0] as i32..=ends[1] as i32).filter(|number| *number != 0) {
        let count = valleys.iter().filter(|valley| **valley == f64::from(number)).count();
        table.row([at(f64::from(number)).into(), (count as f64 / valleys.len() as f64).into()]);
    }
    lab.table("Where balls come to rest", "valleys", &table)
}

/// A start and its mirror image end in valleys that are mirror images, but where rounding decides.
fn mirrored(lab: &mut Lab, valleys: &[f64]) {
    let pairs = valleys.iter().zip(valleys.iter().rev());
    let off = pairs.filter(|(one, other)| **one != -**other).count();
    let off = off as f64 / valleys.len() as f64;
    lab.compare("share of starts whose mirror image goes elsewhere", off, 1e-3);
}

/// Starts drawn from all, by DOP853 at another tolerance.
fn by_another_method(lab: &mut Lab, places: &[f64]) -> Result<(), Failure> {
    let (mut random, count) = (Random::new(lab.flags.seed), if lab.flags.quick { 200 } else { 2000 });
    let side = (places.len() as f64).sqrt() as usize;
    let scenario = lab.scenario(&["solver.method=dop853".to_owned(), "solver.tolerance=1e-10".to_owned()])?;
    let mut other = 0;
    for _ in 0..count {
        let index = (random.between(0.0, places.len() as f64) as usize).min(places.len() - 1);
        let spread = |i: usize, size: f64| size * (2.0 * i as f64 / (side - 1) as f64 - 1.0);
        let mut scenario = scenario.clone();
        for (key, value) in
            [("initial.velocity.x", spread(index / side, SPEED)), ("initial.position.x", spread(index % side, PLACE))]
        {
            scenario.put(key, value).map_err(|error| Failure::Missing(error.to_string()))?;
        }
        let end = lab.observe(&scenario, &mut NoObserver)?.state.position.x;
        other += i32::from(valley(end) != valley(places[index]));
    }
    lab.compare("share of starts that end in another valley by DOP853", f64::from(other) / f64::from(count), 5e-3);
    Ok(())
}

/// How many starts have a neighbour, some cells to the right, in another valley: a smooth border makes that share fall in proportion to
/// the distance, a fractal one slower.
fn borders(lab: &mut Lab, valleys: &[f64], side: usize) -> Result<(), Failure> {
    let mut table = Table::new([Column::fixed("distance [m]", 5), Column::fixed("share in another valley", 4)]);
    let mut points = Vec::new();
    for cells in [1, 2, 4, 8] {
        let pairs = valleys.chunks(side).flat_map(|row| row.iter().zip(&row[cells..]));
        let (all, other) =
            pairs.fold((0.0, 0.0), |(all, other), (a, b)| (all + 1.0, other + f64::from(u8::from(a != b))));
        let distance = 2.0 * PLACE * cells as f64 / (side - 1) as f64;
        table.row([distance.into(), (other / all).into()]);
        points.push((distance, other / all));
    }
    lab.table("Borders of the basins", "borders", &table)?;
    let exponent = slope(&points);
    lab.compare_range("exponent of the share over the distance (1: smooth)", exponent, 0.1, 1.0);
    Ok(())
}

/// Cells of a picture along each side: more of them make a file that is too large to be looked at.
const CELLS: usize = 250;

/// Number of the farthest valley with a colour of its own.
const FARTHEST: f64 = 4.0;

/// Colours tell the valley of a start in each cell.
fn picture(valleys: &[f64], side: usize) -> String {
    let every = side.div_ceil(CELLS);
    let bins = side.div_ceil(every);
    let far = at(FARTHEST);
    // From the right to the left: 0 is all beyond the farthest, as is the last.
    let class = |x: f64| ((far - x) / WAVELENGTH + 1.0).clamp(0.0, 2.0 * FARTHEST + 1.0);
    let place = |cell: usize| class(at(valleys[cell / bins * every * side + cell % bins * every]));
    let cells: Vec<f64> = (0..bins * bins).map(place).collect();
    let named = (0..2 * FARTHEST as usize).map(|i| format!("x = {} m", far - i as f64 * WAVELENGTH).replace('-', "−"));
    let beyond = |word: &str| std::iter::once(format!("farther {word}"));
    let words = beyond("right").chain(named).chain(beyond("left")).collect();
    let chart =
        Chart::new("In which valley a ball comes to rest", "x at the start [m]", "vx at the start [m/s]", Vec::new());
    let field = Some(Field { marks: Marks::Cells([bins; 2], cells), scale: Some(Scale::Words(words)) });
    Chart { extent: Some([-PLACE, PLACE, -SPEED, SPEED]), field, ..chart }.svg()
}
