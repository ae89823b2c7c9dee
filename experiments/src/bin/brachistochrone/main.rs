#![doc = include_str!("README.md")]

use std::process::ExitCode;

use curves::Place;
use experiments::{Column, Failure, Lab, Table, run};
use kugelbahn::Scenario;
use kugelbahn::aim::{Aimed, Goal, Wish};
use kugelbahn::figures::{BLUE, Chart, Decades, GREY, Series, Stroke, VERMILION, stack};
use reference::cycloid::Brachistochrone;

const FASTEST: Brachistochrone = Brachistochrone { width: 2.0, drop: 1.0, gravity: 9.81 };
const HEIGHTS: usize = 16;
const RADIUS: f64 = 0.02;
const RUNS: u32 = 400;

/// What goes down.
struct Body {
    name: &'static str,
    colour: &'static str,
    inertia_factor: f64,
    settings: Vec<String>,
    /// Where the points of the spline are in the scenario.
    points: &'static str,
}

fn main() -> ExitCode {
    run("brachistochrone", |lab| {
        let bodies = [bead(), sphere(lab)?];
        let mut found = Vec::new();
        let mut table = Table::new([
            Column::text("body"),
            Column::fixed("straight line [s]", 6),
            Column::fixed("found [s]", 9),
            Column::fixed("cycloid [s]", 9),
            Column::science("slower by", 2),
            Column::fixed("farthest from the cycloid [mm]", 3),
            Column::text("runs"),
        ]);
        for body in &bodies {
            let aimed = fastest(lab, body)?;
            let (time, exact) = (aimed.readings[0].value, FASTEST.time(body.inertia_factor));
            let off = differences(&aimed.scenario);
            let farthest = off.iter().fold(0.0f64, |most, (_, d)| most.max(d.abs()));
            table.row([
                body.name.into(),
                straight(body.inertia_factor).into(),
                time.into(),
                exact.into(),
                (time / exact - 1.0).into(),
                (1e3 * farthest).into(),
                aimed.runs.to_string().as_str().into(),
            ]);
            found.push((aimed, time / exact - 1.0));
        }
        lab.table("The fastest tracks over 16 spline heights", "times", &table)?;
        for (body, (aimed, slower)) in bodies.iter().zip(&found) {
            lab.compare(&format!("{}: time over the cycloid's, less 1", body.name), *slower, 1e-3);
            lab.compare(&format!("{}: the cycloid's time less the one found, s", body.name), -slower, 1e-9);
            lab.compare_fact(&format!("{}: the search", body.name), aimed.way.name(), aimed.reached);
        }
        let ratio = (found[1].0.readings[0].value / found[0].0.readings[0].value) / 1.4f64.sqrt();
        lab.compare("sphere's time over the bead's, against √(7/5)", (ratio - 1.0).abs(), 1e-5);
        lab.figure(&figure(&bodies, &found))
    })
}

fn bead() -> Body {
    Body { name: "bead", colour: BLUE, inertia_factor: 0.0, settings: Vec::new(), points: "ground.curve.points" }
}

/// Its centre goes from A to B: the ground is the parallel of the spline, a radius below.
fn sphere(lab: &mut Lab) -> Result<Body, Failure> {
    let points = lab.scenario(&[])?.resolved()["ground"]["curve"]["points"].to_string();
    let spline = format!("{{ kind = \"spline\", points = {points} }}");
    let settings = vec![
        format!("ball.radius={RADIUS}"),
        "contact.friction=infinite".to_owned(),
        format!("ground.curve={{ kind = \"offset\", distance = -{RADIUS}, curve = {spline} }}"),
    ];
    Ok(Body { name: "sphere", colour: VERMILION, inertia_factor: 0.4, settings, points: "ground.curve.curve.points" })
}

/// Down the straight line from A to B.
fn straight(inertia_factor: f64) -> f64 {
    let Brachistochrone { width, drop, gravity } = FASTEST;
    width.hypot(drop) * (2.0 * (1.0 + inertia_factor) / (gravity * drop)).sqrt()
}

fn fastest(lab: &mut Lab, body: &Body) -> Result<Aimed, Failure> {
    // Nowhere above A, where the ball would go off behind it; so all are of one size for the search, too.
    let free: Vec<String> = (1..=HEIGHTS).map(|i| format!("{}.{i}.y=-1.5..1", body.points)).collect();
    let unknowns = lab.unknowns(&body.settings, &free.join(","))?;
    let goal =
        Goal::extreme("--minimise", "time(end-of-ground)", Wish::Least, &[]).map_err(kugelbahn::aim::AimError::from)?;
    lab.aim(&unknowns, &[goal], RUNS)
}

/// The centre's way.
fn way(scenario: &Scenario) -> Vec<(f64, f64)> {
    let ground = &scenario.scene.ground;
    let pieces = ground.ground().pieces().iter().enumerate();
    let points = pieces.flat_map(|(index, piece)| {
        let domain = piece.domain();
        (0..=12).map(move |i| {
            let parameter = domain.lo + (domain.hi - domain.lo) * f64::from(i) / 12.0;
            let centre = ground.frame(Place::Piece { index, parameter }).position;
            (centre.x, centre.y)
        })
    });
    points.collect()
}

/// Height over the cycloid's, m.
fn differences(scenario: &Scenario) -> Vec<(f64, f64)> {
    way(scenario).iter().map(|(x, y)| (*x, y - (1.0 - FASTEST.depth(x.clamp(0.0, FASTEST.width))))).collect()
}

fn figure(bodies: &[Body], found: &[(Aimed, f64)]) -> String {
    let cycloid = (0..=200).map(|i| 2.0 * (f64::from(i) / 200.0).powi(3)).map(|x| (x, 1.0 - FASTEST.depth(x)));
    let mut tracks = vec![Series::new("cycloid", GREY, cycloid.collect())];
    let (mut off, mut descent) = (Vec::new(), Vec::new());
    for (body, (aimed, _)) in bodies.iter().zip(found) {
        tracks
            .push(Series::new(format!("{}'s way", body.name), body.colour, way(&aimed.scenario)).drawn(Stroke::Dashed));
        let millimetres = differences(&aimed.scenario).into_iter().map(|(x, d)| (x, 1e3 * d)).collect();
        off.push(Series::new(body.name, body.colour, millimetres));
        let exact = FASTEST.time(body.inertia_factor);
        let history = aimed.history.iter().enumerate().map(|(i, time)| (i as f64, (time / exact - 1.0).max(1e-9)));
        descent.push(Series::new(body.name, body.colour, history.collect()));
    }
    let knots = found.iter().take(1).flat_map(|(aimed, _)| &aimed.numbers).enumerate();
    let knots = knots.map(|(i, number)| (2.0 * ((i + 1) as f64 / 17.0).powi(2), number.value)).collect();
    tracks.push(Series::new("heights found", BLUE, knots).drawn(Stroke::Dots));
    let charts = [
        Chart::new("Way of the centre", "x [m]", "y [m]", tracks),
        Chart::new("Height over the cycloid's", "x [m]", "difference [mm]", off),
        Chart::new("Descent", "better run", "slower by", descent).decades(Decades::Y),
    ];
    stack("The fastest way from A to B, found over 16 heights", charts.into()).svg()
}
