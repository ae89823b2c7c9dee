#![doc = include_str!("README.md")]

mod thrown;

use std::process::ExitCode;

use experiments::{Column, Failure, Lab, Recording, Table, run};
use kugelbahn::aim::{AimError, Aimed, Goal};
use kugelbahn::figures::{BLUE, Chart, GREY, ORANGE, Series, Stroke, VERMILION, ground_points, stack};
use supervisor::EventKind;
use thrown::{GUESS, Throw};

const HOLE: f64 = 4.5;
const TARGETS: [&str; 2] = ["x(impact.3) = 4.5", "height = 1.2"];
const FREE: &str = "initial.velocity.x=0..4,initial.velocity.y=0..5";

fn main() -> ExitCode {
    run("hole_in_one", |lab| {
        let aimed = aimed(lab, &[])?;
        let [vx, vy] = velocity(&aimed);
        let (guess, shot) = (Throw { velocity: GUESS }, Throw { velocity: [vx, vy] });
        let mut table = Table::new([
            Column::text("throw"),
            Column::fixed("vx [m/s]", 9),
            Column::fixed("vy [m/s]", 9),
            Column::fixed("height [m]", 9),
            Column::fixed("1st touch x [m]", 6),
            Column::fixed("2nd", 6),
            Column::fixed("3rd", 9),
            Column::text("runs"),
        ]);
        for (name, throw, runs) in [("guess", &guess, "-".to_owned()), ("found", &shot, aimed.runs.to_string())] {
            let touches = throw.touches(3);
            let x = |i: usize| touches.get(i).map_or(f64::NAN, |touch| touch[0]);
            let [vx, vy] = throw.velocity;
            table.row([
                name.into(),
                vx.into(),
                vy.into(),
                throw.height().into(),
                x(0).into(),
                x(1).into(),
                x(2).into(),
                runs.as_str().into(),
            ]);
        }
        lab.table("Two bounces, then the hole (parabolas and bisections of the experiment's own)", "throws", &table)?;
        lab.compare_fact("targets, by aim", aimed.way.name(), aimed.reached);
        // Independent of the crates: vy = √(2g(1.2 − 0.6)), parabolas, and the law of impact.
        lab.compare("vy against √(2gΔy), m/s", (vy - (2.0 * 9.81 * 0.6f64).sqrt()).abs(), 1e-8);
        let touches = shot.touches(3);
        let third = touches.last().map_or(f64::NAN, |touch| touch[0]);
        lab.compare("third touch by parabolas and bisection off the hole's middle, m", (third - HOLE).abs(), 1e-7);
        let recording = play(lab, &aimed)?;
        figure(lab, &aimed, &recording)?;
        spread(lab)
    })
}

fn goals() -> Result<Vec<Goal>, AimError> {
    Ok(TARGETS.iter().map(|text| Goal::target(text, &[])).collect::<Result<_, _>>()?)
}

fn aimed(lab: &mut Lab, settings: &[String]) -> Result<Aimed, Failure> {
    let unknowns = lab.unknowns(settings, FREE)?;
    lab.aim(&unknowns, &goals()?, 1000)
}

fn velocity(aimed: &Aimed) -> [f64; 2] {
    [0, 1].map(|i| aimed.numbers.get(i).map_or(f64::NAN, |number| number.value))
}

/// The run as the scenario's own method makes it: two bounces on the hills, and the end in the hole.
fn play(lab: &mut Lab, aimed: &Aimed) -> Result<Recording, Failure> {
    let mut recording = Recording::default();
    let summary = lab.observe(&aimed.scenario, &mut recording)?;
    let touches: Vec<f64> = recording
        .events
        .iter()
        .filter(|event| event.kind == EventKind::Impact)
        .map(|event| event.position().x)
        .take(3)
        .collect();
    let before = touches.iter().take(2).all(|x| *x < HOLE - 0.3);
    lab.compare_fact("touches before the hole", &format!("{touches:.3?}"), before && touches.len() == 3);
    lab.compare(
        "third touch of the run off the hole's middle, m",
        (touches[2.min(touches.len() - 1)] - HOLE).abs(),
        1e-6,
    );
    let end = summary.state.position;
    lab.compare("end of the run off the hole's middle, m", (end.x - HOLE).abs(), 0.15);
    Ok(recording)
}

/// Other guesses, some of which go elsewhere or nowhere.
fn spread(lab: &mut Lab) -> Result<(), Failure> {
    let tries = if lab.flags.quick { 6 } else { 30 };
    let (mut reached, mut runs) = (0, Vec::new());
    for i in 0..tries {
        // The fractional parts of multiples of √2 and √3, from a place that the seed sets.
        let part = |root: f64| ((lab.flags.seed as f64 + f64::from(i)) * root.sqrt()).fract();
        let guess = format!("initial.velocity=[{:?}, {:?}]", 4.0 * part(2.0), 5.0 * part(3.0));
        let found = aimed(lab, &[guess])?;
        reached += i32::from(found.reached);
        runs.push(found.runs);
    }
    runs.sort_unstable();
    let text =
        format!("{reached} of {tries}, in {} runs (median), {} at most", runs[runs.len() / 2], runs[runs.len() - 1]);
    lab.compare_fact("guesses anywhere in the bounds that find a throw", &text, reached == tries);
    Ok(())
}

fn figure(lab: &mut Lab, aimed: &Aimed, recording: &Recording) -> Result<(), Failure> {
    let ground = aimed.scenario.scene.ground.ground();
    let lines = ground_points(ground, -0.5, 6.0).into_iter();
    let mut path: Vec<Series> = lines.map(|line| Series::new("ground", GREY, line)).collect();
    let points = recording.samples.iter().map(|s| (s.state.position.x, s.state.position.y));
    path.push(Series::new("thrown as found", BLUE, points.collect()));
    let guess = Throw { velocity: GUESS }.path(3);
    path.push(Series::new("guess", ORANGE, guess).drawn(Stroke::Dashed));
    // What the search sees: where the third touch is, over vx.
    let [found, vy] = velocity(aimed);
    let third = |vx: f64| Throw { velocity: [vx, vy] }.touches(3).get(2).map(|touch| (vx, touch[0]));
    let count = if lab.flags.quick { 200 } else { 2000 };
    let landscape = (1..count).filter_map(|i| third(3.0 * f64::from(i) / f64::from(count))).filter(|(_, x)| *x < 7.0);
    let landscape = vec![
        Series::new("third touch", GREY, landscape.collect()).drawn(Stroke::Specks),
        Series::new("found", VERMILION, vec![(found, HOLE)]).drawn(Stroke::Dots),
    ];
    let charts = vec![
        Chart::new("Way of the point", "x [m]", "y [m]", path),
        Chart::new("What is aimed over (vy as found)", "vx [m/s]", "x of the third touch [m]", landscape),
    ];
    lab.figure(&stack("Two bounces over hills into a hole", charts).svg())
}
