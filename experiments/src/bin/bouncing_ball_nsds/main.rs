#![doc = include_str!("README.md")]

mod exact;

use std::process::ExitCode;

use exact::Forced;
use experiments::{Column, Failure, Lab, Table, run, slope};
use kugelbahn::figures::{BLUE, Chart, GREEN, GREY, ORANGE, PURPLE, Series, Stroke, VERMILION, stack};
use lagrange::faer::Mat;
use lagrange::mechanics::ContactLaw;
use lagrange::{Energy, Linear, Settings, Start, Theta};
use reference::bounce::Bounce;
use serde_json::json;

const MASS: f64 = 1.0;
const RADIUS: f64 = 0.1;
/// Of the plane, m.
const PLANE: f64 = 0.0;
const GRAVITY: f64 = 9.81;
const RESTITUTION: f64 = 0.9;
/// z − R − h at the start, m.
const HEIGHT: f64 = 1.0;
/// s
const END: f64 = 10.0;
/// ẋ and θ̇ at the start, which nothing changes.
const DRIFT: [f64; 2] = [0.3, -2.0];
/// `f(t) = A sin ωt`: amplitude in N and angular frequency in rad/s.
const FORCE: [f64; 2] = [3.0, 2.0];
const NONE: [f64; 2] = [0.0, 1.0];

fn main() -> ExitCode {
    run("bouncing_ball_nsds", |lab| {
        without_force(lab)?;
        let figure = with_force(lab)?;
        lab.figure(&figure)
    })
}

/// One step's end.
#[derive(Clone, Copy)]
struct Row {
    time: f64,
    /// z, x, θ
    position: [f64; 3],
    velocity: [f64; 3],
    /// P, N s
    impulse: f64,
    energy: Energy,
}

impl Row {
    /// z − R − h
    fn gap(&self) -> f64 {
        self.position[0] - RADIUS - PLANE
    }
    /// Of gravity, J; 0 where the ball lies.
    fn potential(&self) -> f64 {
        MASS * GRAVITY * self.gap()
    }
}

/// The ball of the template: M = diag(m, m, I), C = K = 0, Hᵀ = [1 0 0], b = −R − h.
fn ball(lab: &mut Lab, step: f64, theta: f64, force: [f64; 2]) -> Result<Vec<Row>, Failure> {
    let inertia = 0.6 * MASS * RADIUS * RADIUS;
    let zeros = || Mat::<f64>::zeros(3, 3);
    let mass = Mat::from_fn(3, 3, |i, j| if i == j { [MASS, MASS, inertia][i] } else { 0.0 });
    let [amplitude, omega] = force;
    let external = move |t: f64, into: &mut [f64]| into[0] = -MASS * GRAVITY + amplitude * (omega * t).sin();
    let normal = Mat::from_fn(3, 1, |i, _| if i == 0 { 1.0 } else { 0.0 });
    let system = Linear::new(mass, zeros(), zeros(), external)?.with_relations(
        normal,
        vec![-RADIUS - PLANE],
        vec![ContactLaw::new(RESTITUTION)?],
    )?;
    let start =
        Start { time: 0.0, position: vec![HEIGHT + RADIUS + PLANE, 0.0, 0.0], velocity: vec![0.0, DRIFT[0], DRIFT[1]] };
    let mut scheme = Theta::new(system, Settings { theta, ..Settings::new(step) }, start)?;
    let mut rows = Vec::new();
    for _ in 0..(END / step).round() as u64 {
        scheme.step()?;
        let three = |values: &[f64]| [values[0], values[1], values[2]];
        rows.push(Row {
            time: scheme.time(),
            position: three(scheme.position()),
            velocity: three(scheme.velocity()),
            impulse: scheme.normal_impulses()[0],
            energy: scheme.energy(),
        });
    }
    let parameters = json!({
        "method": "moreau", "theta": theta, "step": step, "mass": MASS, "radius": RADIUS, "plane": PLANE,
        "gravity": GRAVITY, "restitution": RESTITUTION, "height": HEIGHT, "drift": DRIFT,
        "force": { "amplitude": amplitude, "angular frequency": omega }, "duration": END,
    });
    lab.stepped(parameters, scheme.index());
    Ok(rows)
}

/// Impacts before the contact stays closed, and the time from which it does.
fn sticks(rows: &[Row]) -> (usize, f64) {
    let Some(last) = rows.iter().rposition(|row| row.impulse == 0.0) else { return (0, 0.0) };
    let hits = (1..=last).filter(|i| rows[*i].impulse > 0.0 && rows[i - 1].impulse == 0.0).count();
    (hits, rows.get(last + 1).map_or(f64::NAN, |row| row.time))
}

/// Largest errors of z against a height over time, and of x and θ, which move on evenly.
fn errors(rows: &[Row], height: impl Fn(f64) -> f64) -> (f64, f64) {
    let z = rows.iter().map(|row| (row.gap() - height(row.time)).abs()).fold(0f64, f64::max);
    let even =
        |row: &Row| (row.position[1] - DRIFT[0] * row.time).abs().max((row.position[2] - DRIFT[1] * row.time).abs());
    (z, rows.iter().map(even).fold(0f64, f64::max))
}

fn columns() -> Table {
    Table::new([
        Column::text("θ"),
        Column::fixed("step [ms]", 4),
        Column::text("impacts"),
        Column::fixed("sticks at [s]", 4),
        Column::science("error of z [m]", 4),
        Column::science("of x, θ [m, rad]", 1),
        Column::science("numerical energy [J]", 1),
    ])
}

/// What a run came to: largest errors, impacts, the time it sticks from, and the energy the scheme itself added.
struct Found {
    z: f64,
    even: f64,
    hits: usize,
    end: f64,
    numerical: f64,
}

/// A run against a height over time, as a row of the table.
fn found(table: &mut Table, theta: &str, step: f64, rows: &[Row], height: impl Fn(f64) -> f64) -> Found {
    let ((z, even), (hits, end)) = (errors(rows, height), sticks(rows));
    let numerical = rows.last().map_or(f64::NAN, |row| row.energy.numerical());
    table.row([
        theta.into(),
        (1e3 * step).into(),
        (hits as u64).into(),
        end.into(),
        z.into(),
        even.into(),
        numerical.into(),
    ]);
    Found { z, even, hits, end, numerical }
}

fn without_force(lab: &mut Lab) -> Result<(), Failure> {
    let exact = Bounce { height: HEIGHT, gravity: GRAVITY, restitution: RESTITUTION };
    // Of the requirement, found by two independent codes of this scheme.
    let known = [(2e-2, 1.99e-1, 5e-4), (5e-3, 7.367e-2, 1e-5), (1.25e-3, 1.46e-2, 5e-5), (3.125e-4, 5.2e-3, 5e-5)];
    let mut table = columns();
    for (step, error, digit) in known {
        let rows = ball(lab, step, 0.5, NONE)?;
        let Found { z, even, hits, end, numerical } = found(&mut table, "1/2", step, &rows, |t| exact.at(t)[0]);
        lab.compare(&format!("h = {} ms: error of z against {error:e} m", 1e3 * step), (z - error).abs(), digit);
        lab.compare(&format!("h = {} ms: x and θ, m, rad", 1e3 * step), even, 1e-11);
        lab.compare(&format!("h = {} ms: energy the scheme itself adds, J", 1e3 * step), numerical.abs(), 1e-11);
        if step == 5e-3 {
            lab.compare_fact("h = 5 ms: separate impacts before sticking", &hits.to_string(), hits == 41);
            lab.compare("h = 5 ms: sticks at 8.4850 s", (end - 8.4850).abs(), 1e-12);
        }
    }
    let rows = ball(lab, 5e-3, 1.0, NONE)?;
    found(&mut table, "1", 5e-3, &rows, |t| exact.at(t)[0]);
    lab.table("f = 0: against the exact solution", "without-force", &table)
}

fn with_force(lab: &mut Lab) -> Result<String, Failure> {
    let exact = Forced::new(HEIGHT, GRAVITY, RESTITUTION, [FORCE[0] / MASS, FORCE[1]]);
    let steps: &[f64] =
        if lab.flags.quick { &[2e-2, 5e-3, 1.25e-3] } else { &[2e-2, 5e-3, 1.25e-3, 3.125e-4, 7.8125e-5] };
    let (mut table, mut points, mut shown) = (columns(), Vec::new(), Vec::new());
    for step in steps {
        let rows = ball(lab, *step, 0.5, FORCE)?;
        let Found { z, end, numerical, .. } = found(&mut table, "1/2", *step, &rows, |t| exact.at(t)[0]);
        points.push((*step, z));
        lab.compare(&format!("h = {} ms, f(t): energy the scheme itself adds, J", 1e3 * step), numerical.abs(), 1e-11);
        if *step == 5e-3 {
            // The force of the ground where the ball lies is mg − f, a mean over the step.
            let still = rows.iter().filter(|row| row.time > end + 0.5);
            let off = still.map(|row| {
                let force = |t: f64| MASS * GRAVITY - FORCE[0] * (FORCE[1] * t).sin();
                (row.impulse / step - 0.5 * (force(row.time) + force(row.time - step))).abs()
            });
            lab.compare("h = 5 ms, f(t): ground's mean force at rest, N", off.fold(0f64, f64::max), 1e-2);
            shown = rows;
        }
    }
    lab.table("f(t) = 3 N sin(2 t): against flights in closed form", "with-force", &table)?;
    say_reference(lab, &exact)?;
    lab.compare_range("order of z with f(t)", slope(&points), 0.7, 1.3);
    rows_csv(lab, &shown)?;
    Ok(figure(&shown, &exact))
}

fn say_reference(lab: &mut Lab, exact: &Forced) -> Result<(), Failure> {
    let mut table =
        Table::new([Column::text("impact"), Column::fixed("time [s]", 12), Column::fixed("speed [m/s]", 12)]);
    for (k, (time, speed)) in (1u64..).zip(exact.impacts()).take(60) {
        table.row([k.into(), time.into(), speed.into()]);
    }
    lab.table("Impacts of the reference with f(t)", "impacts", &table)?;
    lab.compare_range("its Zeno point, s", exact.end(), 5.0, END);
    let free = Forced::new(HEIGHT, GRAVITY, RESTITUTION, NONE);
    let geometric = Bounce { height: HEIGHT, gravity: GRAVITY, restitution: RESTITUTION };
    lab.compare(
        "reference with f = 0 against the geometric series, s",
        (free.end() - geometric.zeno_time()).abs(),
        1e-10,
    );
    Ok(())
}

fn rows_csv(lab: &Lab, rows: &[Row]) -> Result<(), Failure> {
    let mut text =
        String::from("t,z,x,theta,vz,vx,omega,P,mean_force,kinetic,potential,external_work,contact_work,numerical\n");
    for Row { time, position: [z, x, angle], velocity: [vz, vx, omega], impulse, energy } in rows {
        let potential = MASS * GRAVITY * (z - RADIUS - PLANE);
        let work = energy.external + potential - MASS * GRAVITY * HEIGHT;
        text.push_str(&format!(
            "{time},{z},{x},{angle},{vz},{vx},{omega},{impulse},{},{},{potential},{work},{},{}\n",
            impulse / 5e-3,
            energy.kinetic,
            energy.normal,
            energy.numerical()
        ));
    }
    lab.file("trajectory.csv", &text)
}

/// The four panels of the template.
fn figure(rows: &[Row], exact: &Forced) -> String {
    let over = |f: &dyn Fn(&Row) -> f64| rows.iter().map(|row| (row.time, f(row))).collect::<Vec<_>>();
    let right = |i: usize| {
        let times = (0..=2000).map(|n| f64::from(n) * END / 2000.0);
        Series::new("exact", GREY, times.map(|t| (t, exact.at(t)[i])).collect()).drawn(Stroke::Thin)
    };
    let start = MASS * GRAVITY * HEIGHT;
    // Gravity counts as an external force in the template; here its part is shown as potential energy.
    let work = move |row: &Row| row.energy.external + row.potential() - start;
    let balance = move |row: &Row| row.energy.kinetic + row.potential() - work(row) - row.energy.normal;
    let chart = |y: &str, series| Chart::new("", "time [s]", y, series);
    stack(
        "Bouncing ball with f(t) = 3 N sin(2 t), θ = 1/2, h = 5 ms",
        vec![
            chart("z − R − h [m]", vec![right(0), Series::new("position", BLUE, over(&Row::gap))]),
            chart("velocity ż [m/s]", vec![right(1), Series::new("velocity", BLUE, over(&|row| row.velocity[0]))]),
            chart("reaction hλ [N s]", vec![Series::new("reaction", VERMILION, over(&|row| row.impulse))]),
            chart(
                "energy [J]",
                vec![
                    Series::new("kinetic", BLUE, over(&|row| row.energy.kinetic)),
                    Series::new("potential", GREEN, over(&Row::potential)),
                    Series::new("work of f", ORANGE, over(&work)),
                    Series::new("work of contact", PURPLE, over(&|row| row.energy.normal)),
                    Series::new("balance", GREY, over(&balance)).drawn(Stroke::Dashed),
                ],
            ),
        ],
    )
    .svg()
}
