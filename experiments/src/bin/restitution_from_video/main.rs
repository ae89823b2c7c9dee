#![doc = include_str!("README.md")]

use std::path::Path;
use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Random, Table, run};
use kugelbahn::Scenario;
use kugelbahn::figures::{BLUE, Chart, Decades, Series, VERMILION};
use kugelbahn::fit::{Data, FilmRow, Fit, FitPlan, View, fit};
use kugelbahn::unknowns::Unknowns;
use rayon::prelude::*;
use serde_json::json;

const NAME: &str = "restitution_from_video";
/// m
const NOISE: f64 = 1e-3;
/// Standard deviation of e that no unbiased estimate is below (Cramér and Rao).
const BOUND: f64 = 5.1e-5;

const DROP: &str = "contact.restitution,forces.gravity,initial.position.y,initial.velocity.y,ground.curve.parameters.h";
const HILLS: &str = "contact.restitution,contact.friction,forces.drag.coefficient,initial.spin,initial.velocity.x";

fn main() -> ExitCode {
    run(NAME, |lab| {
        let (fitted, peaks) = drop(lab)?;
        let title = "Errors of e from a film: 361 frames, 1 mm of noise";
        let series = vec![
            Series::new("ratios of peaks", VERMILION, sorted(&peaks)),
            Series::new("fit of the whole film", BLUE, sorted(&fitted)),
        ];
        let chart = Chart::new(title, "part of the films", "|error of e| at most", series);
        lab.figure(&chart.decades(Decades::Y).svg())?;
        hills(lab)
    })
}

/// Sizes in order, over the part of them that is no larger.
fn sorted(errors: &[f64]) -> Vec<(f64, f64)> {
    let mut sizes: Vec<f64> = errors.iter().map(|error| error.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let count = sizes.len() as f64;
    sizes.into_iter().enumerate().map(|(i, size)| ((i as f64 + 0.5) / count, size.max(1e-9))).collect()
}

/// A film: times, and places without noise.
struct Film {
    times: Vec<f64>,
    places: Vec<[f64; 2]>,
}

impl Film {
    /// The same seen with noise.
    fn seen(&self, seed: u64) -> Data {
        let mut random = Random::new(seed);
        let rows = self.times.iter().zip(&self.places).enumerate().map(|(line, (time, place))| {
            let place = place.map(|c| c + NOISE * random.normal());
            FilmRow { line, time: *time, place, sigma: 1.0 }
        });
        let rows = rows.collect();
        Data {
            name: "film".into(),
            rows,
            left_out: 0,
            away: Vec::new(),
            start: 0.0,
            pixels: false,
            weighted: false,
            grain: [0.0; 2],
            hints: Vec::new(),
        }
    }
}

fn load(file: &str, settings: &[String], free: &str) -> Result<Unknowns, Failure> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/bin").join(NAME).join(file);
    Unknowns::load(&path, settings, free).map_err(|error| Failure::Input { path, error: Box::new(error) })
}

fn film(lab: &mut Lab, scenario: &Scenario) -> Result<Film, Failure> {
    let mut recording = experiments::Recording::default();
    lab.observe(scenario, &mut recording)?;
    let times = recording.samples.iter().map(|sample| sample.state.time).collect();
    let places = recording.samples.iter().map(|sample| sample.state.position.into()).collect();
    Ok(Film { times, places })
}

fn fitted(unknowns: &Unknowns, data: &Data) -> Option<Fit> {
    let plan = FitPlan { view: View::PLAIN, scale: None, camera: false, huber: None, progress: &|_| () };
    fit(unknowns, data, &plan).ok()
}

/// What many fits say of each parameter.
struct Spread {
    bias: f64,
    deviation: f64,
    told: f64,
    covered: f64,
}

fn spread(fits: &[Fit], j: usize, truth: f64) -> Spread {
    let errors: Vec<f64> = fits.iter().map(|fit| fit.parameters[j].estimate - truth).collect();
    let (bias, deviation) = moments(&errors);
    let count = fits.len() as f64;
    let told = fits.iter().map(|fit| fit.parameters[j].standard_error).sum::<f64>() / count;
    let covers = |fit: &&Fit| fit.parameters[j].interval[0] <= truth && truth <= fit.parameters[j].interval[1];
    Spread { bias, deviation, told, covered: 100.0 * fits.iter().filter(covers).count() as f64 / count }
}

fn moments(errors: &[f64]) -> (f64, f64) {
    let count = errors.len() as f64;
    let mean = errors.iter().sum::<f64>() / count;
    (mean, (errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt())
}

/// A table of all parameters; each must cover its truth in 93 to 97 % of many films, or within four deviations of few.
fn judged(lab: &mut Lab, heading: &str, name: &str, fits: &[Fit], truth: &[f64]) -> Result<Vec<Spread>, Failure> {
    let mut table = Table::new([
        Column::text("parameter"),
        Column::text("truth"),
        Column::science("bias", 1),
        Column::science("deviation", 2),
        Column::science("standard error told", 2),
        Column::fixed("95 % intervals cover [%]", 1),
    ]);
    let all: Vec<Spread> = truth.iter().enumerate().map(|(j, truth)| spread(fits, j, *truth)).collect();
    for (j, one) in all.iter().enumerate() {
        let truth = truth[j].to_string();
        let key = fits[0].parameters[j].key.as_str();
        let Spread { bias, deviation, told, covered } = *one;
        table.row([key.into(), truth.as_str().into(), bias.into(), deviation.into(), told.into(), covered.into()]);
    }
    lab.table(heading, name, &table)?;
    let reach = (400.0 * (0.95 * 0.05 / fits.len() as f64).sqrt()).ceil();
    let reach = if fits.len() < 1000 { reach } else { 2.0 };
    for (j, one) in all.iter().enumerate() {
        let what = format!("{name}: coverage of {}, %", fits[0].parameters[j].key);
        lab.compare_range(&what, one.covered, 95.0 - reach, (95.0 + reach).min(100.0));
    }
    Ok(all)
}

/// A drop from 1 m: e, g, start, start velocity and the floor's height are free.
fn drop(lab: &mut Lab) -> Result<(Vec<f64>, Vec<f64>), Failure> {
    let count = if lab.flags.quick { 60 } else { 1000 };
    let scenario = lab.scenario(&[])?;
    let mut film = film(lab, &scenario)?;
    // The camera's x says nothing of a vertical drop.
    film.places.iter_mut().for_each(|place| place[0] = f64::NAN);
    let truth = [0.82, 9.81, 1.0, 0.0, 0.0];
    let rough = [
        "contact.restitution=0.8",
        "forces.gravity=10.0",
        "initial.position=[0.0, 1.02]",
        "initial.velocity=[0.0, 0.05]",
        "ground.curve.parameters.h=0.01",
    ];
    let unknowns = load("scenario.toml", &rough.map(str::to_owned), DROP)?;
    let seed = lab.flags.seed;
    let films: Vec<Data> = (0..count).map(|i| film.seen(seed.wrapping_mul(1_000_003) + i)).collect();
    let fits: Vec<Fit> = films.par_iter().filter_map(|data| fitted(&unknowns, data)).collect();
    lab.swept(json!({ "drop": { "films": count, "free": DROP, "start": rough } }), &[]);
    let heading = format!("{count} films of a drop from 1 m: 120 frames/s, 3 s, 1 mm of noise");
    let all = judged(lab, &heading, "drop", &fits, &truth)?;
    let peaks: Vec<f64> = films.iter().filter_map(peak_ratio).map(|e| e - truth[0]).collect();
    let (bias, deviation) = moments(&peaks);
    let mut table = Table::new([Column::text("e from"), Column::science("bias", 1), Column::science("deviation", 2)]);
    table.row(["fit of the whole film".into(), all[0].bias.into(), all[0].deviation.into()]);
    table.row(["ratios of peaks".into(), bias.into(), deviation.into()]);
    table.row(["bound of Cramér and Rao".into(), 0.0.into(), BOUND.into()]);
    lab.table("The same by what is usually done", "estimates", &table)?;
    let few = 4.0 * BOUND / (count as f64).sqrt();
    lab.compare("films that could not be fitted", (films.len() - fits.len()) as f64, 0.0);
    lab.compare("bias of e", all[0].bias.abs(), few.max(1e-5));
    lab.compare("deviation of e", all[0].deviation, 6e-5);
    Ok((fits.iter().map(|fit| fit.parameters[0].estimate - truth[0]).collect(), peaks))
}

/// What is usually done: the highest frame of each arc above the lowest frame of all, the root of each one's ratio to the
/// one before, and the mean of those.
fn peak_ratio(data: &Data) -> Option<f64> {
    // Frames to either side that a peak is above.
    const BESIDE: usize = 12;
    let heights: Vec<f64> = data.rows.iter().map(|row| row.place[1]).collect();
    let floor = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let is_peak = |i: &usize| {
        let beside = i.saturating_sub(BESIDE)..=i + BESIDE;
        heights[beside].iter().all(|other| *other <= heights[*i])
    };
    let peaks: Vec<f64> = (0..heights.len() - BESIDE).filter(is_peak).map(|i| heights[i] - floor).collect();
    let ratios: Vec<f64> = peaks.windows(2).map(|pair| (pair[1] / pair[0]).sqrt()).collect();
    (!ratios.is_empty()).then(|| ratios.iter().sum::<f64>() / ratios.len() as f64)
}

/// Hills with friction, drag and spin: five are free.
fn hills(lab: &mut Lab) -> Result<(), Failure> {
    let (count, starts) = if lab.flags.quick { (24, 8) } else { (1000, 320u32) };
    let truth = [0.6, 0.08, 5e-3, 30.0, 1.2];
    let unknowns = load("hills.toml", &settings(&truth), HILLS)?;
    let film = film(lab, unknowns.written())?;
    let seed = lab.flags.seed.wrapping_mul(7_000_003);
    let run = |i: u64| fitted(&unknowns, &film.seen(seed + i));
    let fits: Vec<Fit> = (0..count).into_par_iter().filter_map(run).collect();
    lab.swept(json!({ "hills": { "films": count, "starts_off": starts, "free": HILLS } }), &[]);
    let heading = format!("{count} films of a spinning ball over hills: 120 frames/s, 2 s, 1 mm of noise");
    let all = judged(lab, &heading, "hills", &fits, &truth)?;
    lab.compare("films over hills that could not be fitted", (count as usize - fits.len()) as f64, 0.0);
    // Each number a fifth off, up or down: all 32 corners in turn.
    let from = |i: u64| {
        let off = |j: usize| if i >> j & 1 == 1 { 1.2 } else { 0.8 };
        let start: Vec<f64> = truth.iter().enumerate().map(|(j, p)| p * off(j)).collect();
        let unknowns = load("hills.toml", &settings(&start), HILLS).ok()?;
        fitted(&unknowns, &film.seen(seed + 100_000 + i))
    };
    let found: Vec<Option<Fit>> = (0..starts.into()).into_par_iter().map(from).collect();
    let right =
        |fit: &&Fit| (0..truth.len()).all(|j| (fit.parameters[j].estimate - truth[j]).abs() < 5.0 * all[j].told);
    let good = found.iter().flatten().filter(right).count();
    let part = 100.0 * good as f64 / f64::from(starts);
    lab.compare_range("starts a fifth off that find the truth, %", part, 95.0, 100.0);
    Ok(())
}

fn settings(values: &[f64]) -> Vec<String> {
    let [e, mu, drag, spin, speed] = [0, 1, 2, 3, 4].map(|j| values[j]);
    vec![
        format!("contact.restitution={e:?}"),
        format!("contact.friction={mu:?}"),
        format!("forces.drag.coefficient={drag:?}"),
        format!("initial.spin={spin:?}"),
        format!("initial.velocity=[{speed:?}, 0.5]"),
    ]
}
