//! Flight by its first integral: against 25 digits, between its ends, at its events, and what is refused.

mod counted;

use std::path::Path;

use flight::{Ballistic, FlightError, FlightMethod, FlightStep, MethodError, NotBallistic};
use kugelbahn::Scenario;
use mechanics::{Ball, Forces, State};
use nalgebra::Vector2;
use newmark::{Control, Tolerance};
use reference::Collocation;
use reference::table::{self, NamedNumbers};
use supervisor::{Count, Event, EventKind};

use crate::harness::{Run, Worst, run, slope};

const TOLERANCES: [f64; 4] = [1e-3, 1e-6, 1e-9, 1e-12];

/// A throw of 1 kg and where it is then: `[x, y, vx, vy, lost]`, by `crates/reference/data/ballistic.py`.
struct Reference {
    name: &'static str,
    velocity: Vector2<f64>,
    forces: Forces,
    time: f64,
    exact: [f64; 5],
}

fn numbers<const N: usize>(text: &str) -> [f64; N] {
    let all: Vec<f64> = text.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    all.try_into().expect("so many numbers")
}

fn air(gravity: f64, [quadratic, linear]: [f64; 2]) -> Forces {
    let ball = Ball::point(1.0).expect("a ball");
    let forces = Forces::gravity(&ball, Vector2::new(0.0, -gravity)).expect("finite");
    forces.with_drag(quadratic).and_then(|forces| forces.with_linear_drag(linear)).expect("allowed")
}

fn references() -> Vec<Reference> {
    let row = |line: &'static str| {
        let parts: Vec<&str> = line.split(';').collect();
        let [gravity] = numbers(parts[2]);
        let ([time], forces) = (numbers(parts[4]), air(gravity, numbers(parts[3])));
        Reference { name: parts[0], velocity: numbers(parts[1]).into(), forces, time, exact: numbers(parts[5]) }
    };
    include_str!("references.txt").lines().map(row).collect()
}

fn thrown(velocity: Vector2<f64>) -> State {
    let position = Vector2::zeros();
    State { time: 0.0, position, velocity, angle: 0.0, spin: 0.0, dissipated: 0.0, work: 0.0 }
}

fn within(tolerance: f64) -> Control {
    Control::Tolerance(Tolerance { relative: tolerance, absolute: tolerance })
}

/// A whole flight as one step.
fn flown(forces: &Forces, start: &State, until: f64, control: Control) -> FlightStep {
    let mut method = Ballistic::new(control).expect("allowed");
    let mut step = FlightStep::parabola(start, Vector2::zeros(), 0.0);
    method.step(forces, start, until, &mut step).unwrap_or_else(|error| panic!("{error}"));
    step
}

/// Errors of place and velocity over what the tolerance and rounding allow, and of the ledger over its energy.
fn error(reference: &Reference, state: &State, tolerance: f64) -> [f64; 2] {
    let [x, y, vx, vy, lost] = reference.exact;
    let (place, velocity) = (Vector2::new(x, y), Vector2::new(vx, vy));
    // Relative errors of the numbers that a motion is computed from, at their largest.
    let fast = reference.velocity.norm().max(velocity.norm());
    let rounding = 16.0 * f64::EPSILON * (place.norm() + fast * fast / 9.81);
    let off = (state.position - place).norm() / (tolerance * (1.0 + place.norm()) + rounding);
    // A place is off by so much where the velocity is off by what gravity makes of it.
    let slow = (state.velocity - velocity).norm()
        / (tolerance * (1.0 + fast) + 16.0 * f64::EPSILON * (fast + 9.81 * reference.time));
    let energy = 0.5 * fast * fast + 9.81 * y.abs();
    [off.max(slow), (state.dissipated - lost).abs() / (tolerance * (1.0 + energy) + 64.0 * f64::EPSILON * energy)]
}

/// Throws of all kinds hold every tolerance: gentle, steep, slow, far faster than they fall, with drag from 1e-12 to 1e6 kg/m. The slope
/// of the worst error over the tolerance is 1.
#[test]
fn twenty_five_digits() {
    let mut worst = [0.0; TOLERANCES.len()].map(|_| Worst::default());
    for (tolerance, worst) in TOLERANCES.into_iter().zip(&mut worst) {
        for reference in references() {
            let start = thrown(reference.velocity);
            let step = flown(&reference.forces, &start, reference.time, within(tolerance));
            let errors = error(&reference, &step.at(&reference.forces, reference.time), tolerance);
            println!("{tolerance:e} {} {} s: {:.1e} {:.1e}", reference.name, reference.time, errors[0], errors[1]);
            assert!(errors[0] <= 1.0 && errors[1] <= 1.0, "{tolerance:e} {}: {errors:?}", reference.name);
            worst.see(errors[0] * tolerance);
        }
    }
    let points: Vec<(f64, f64)> = TOLERANCES.into_iter().zip(worst.map(|worst| worst.0)).collect();
    let order = slope(&points);
    println!("errors go with the power {order:.2} of the tolerance: {points:?}");
    assert!((order - 1.0).abs() <= 0.1, "{order} {points:?}");
}

/// In a gale, under gravity that is not vertical: at all times of a step, with the work of the wind, and in the boxes that enclose it;
/// fixed steps are exact to rounding.
#[test]
fn gale() {
    let (mass, gravity, wind) = (0.7, Vector2::new(2.0, -9.0), Vector2::new(40.0, -5.0));
    let start = State { position: Vector2::new(3.0, 1.0), time: 2.0, ..thrown(Vector2::new(-4.0, 12.0)) };
    for [quadratic, linear] in [[0.05, 0.0], [0.0, 0.3]] {
        let ball = Ball::point(mass).expect("a ball");
        let forces = Forces::gravity(&ball, gravity).and_then(|forces| forces.with_wind(wind)).expect("allowed");
        let forces = forces.with_drag(quadratic).and_then(|forces| forces.with_linear_drag(linear)).expect("allowed");
        let rates = |_: f64, [_, _, vx, vy, _, _]: &[f64; 6]| {
            let w = Vector2::new(*vx, *vy) - wind;
            let air = -(quadratic * w.norm() + linear) * w;
            let a = gravity + air / mass;
            [*vx, *vy, a.x, a.y, (quadratic * w.norm() + linear) * w.norm_squared(), air.dot(&wind)]
        };
        let exact = |t: f64| Collocation::new(8).integrate(rates, 0.0, [3.0, 1.0, -4.0, 12.0, 0.0, 0.0], t, 100);
        for (control, allowed) in
            [(within(1e-6), 1e-5), (within(1e-11), 1e-9), (Control::Step { step: 4.0, extrapolate: false }, 1e-11)]
        {
            let step = flown(&forces, &start, 6.0, control);
            assert_eq!((step.duration(), step.path()), (4.0, None));
            let mut off = Worst::default();
            for t in [0.0, 0.1, 0.5, 1.3, 2.7, 3.9, 4.0] {
                let (there, exact) = (step.at(&forces, t), exact(t));
                let State { position: q, velocity: v, dissipated, work, .. } = there;
                let found = [q.x, q.y, v.x, v.y, dissipated, work];
                for (found, exact) in found.into_iter().zip(exact) {
                    off.see((found - exact) / (1.0 + exact.abs()));
                }
                let bounds = step.bounds((t - 0.3).max(0.0), t);
                assert!(bounds[0].contains(q.x) && bounds[1].contains(q.y), "{bounds:?} {q}");
                assert!(bounds[0].width() < 30.0 && bounds[1].width() < 15.0, "{bounds:?}");
            }
            println!("k {quadratic} {linear}, {control:?}: {:e}", off.0);
            assert!(off.0 <= allowed, "{control:?}: {:e}", off.0);
        }
    }
}

/// Fixed steps late in a run were up to 1e-9 of the clock long, whatever their length: the rest that a last step takes as
/// well was compared with the time instead of with the step.
#[test]
fn fixed_steps_late_in_a_run() {
    let start = State { time: 1e7, ..thrown(Vector2::new(3.0, 4.0)) };
    let control = Control::Step { step: 1e-3, extrapolate: false };
    let duration = flown(&air(9.81, [0.1, 0.0]), &start, 1e7 + 0.005, control).duration();
    assert!((duration - 1e-3).abs() < 2e-9, "{duration}");
}

/// Numbers at the ends of what there is: no panic, and a place where there is one.
#[test]
fn extremes() {
    let sizes = [0.0, 1e-300, 1e-9, 1.0, 1e9, 1e150];
    for quadratic in sizes {
        for linear in if quadratic == 0.0 { &sizes[..] } else { &sizes[..1] } {
            let forces = air(9.81, [quadratic, *linear]);
            for (vx, vy) in sizes.into_iter().flat_map(|x| sizes.map(|y| [(x, y), (x, -y), (-x, y)])).flatten() {
                for until in [1e-12, 1.0, 1e6] {
                    let start = thrown(Vector2::new(vx, vy));
                    let heavy = vx.abs().max(vy.abs()) >= 1e150 || quadratic.max(*linear) >= 1e150;
                    let mut method = Ballistic::new(within(1e-9)).expect("allowed");
                    let mut step = FlightStep::parabola(&start, Vector2::zeros(), 0.0);
                    if let Err(error) = method.step(&forces, &start, until, &mut step) {
                        assert!(heavy && matches!(error, FlightError::NotFinite { .. }), "{error}");
                        continue;
                    }
                    let end = step.at(&forces, until);
                    let fastest = 1.01 * start.velocity.norm() + 9.82 * until;
                    let fits = end.position.norm().is_finite() && end.velocity.norm() <= fastest;
                    assert!(fits || heavy, "{quadratic} {linear} {vx} {vy} {until}: {end:?}");
                }
            }
        }
    }
}

const SPHERE: &str = r#"
    ball = { mass = 1.1 }
    initial = { position = [0.0, 2.0], velocity = [1.0, 5.0] }
    forces = { drag = { cd = 0.5, density = 1.293, area = 0.0314 } }
    contact = { restitution = 0.9 }
    solver = { method = "ballistic" }
"#;

fn number(table: &NamedNumbers, name: &str) -> f64 {
    table.number(name).expect("a number of this name")
}

/// The benchmark's hard sphere: ten bounces, the Zeno point and the slide after it, to the tolerance of a run.
#[test]
fn hard_sphere() {
    let table = table::find("hard_modelica_e0.9").expect("the benchmark's hard sphere");
    let end = number(&table.part("state_at_20s_after_zeno_sliding").expect("its end"), "x");
    let flat = r#"ground.curve={ kind = "graph", y = 0 }"#;
    for tolerance in [1e-3, 1e-6, 1e-9, 1e-12] {
        let settings = [flat, &format!("solver.tolerance={tolerance:e}"), "solver.duration=20.0"];
        let run = run(SPHERE, &settings);
        let mut off = Worst::default();
        for (event, exact) in run.of(EventKind::Impact).zip(&table.events()) {
            off.see(event.time() - number(exact, "t"));
            off.see(event.before.position.x - number(exact, "x"));
            off.see(event.before.velocity.y - number(exact, "vy_before"));
        }
        let last = run.summary.state.position.x - end;
        let zeno = run.first(EventKind::Landing).time() - number(&table, "zeno_time");
        let unexplained = run.summary.unexplained();
        println!("{tolerance:e}: ten bounces {:e}, Zeno {zeno:e}, end {last:e}, energy {unexplained:e}", off.0);
        let allowed = 20.0 * tolerance + 1e-12;
        assert!(off.0 <= allowed && zeno.abs() <= allowed && last.abs() <= allowed, "{tolerance:e}");
        assert!(unexplained.abs() <= 200.0 * tolerance + 1e-12, "{unexplained:e}");
    }
}

/// Thirty bounces over hills, where the path is searched as polynomials: all of them, within what they magnify of a tolerance.
#[test]
fn hills() {
    let table = table::find("sine_A0.1_drag").expect("bounces on hills");
    let exact = table.events();
    let mut worst = Vec::new();
    for tolerance in [1e-6, 1e-8, 1e-10, 1e-12] {
        let settings = [
            r#"ground.curve={ kind = "graph", y = "0.1*sin(pi*x)" }"#,
            &format!("solver.tolerance={tolerance:e}"),
            "solver.duration=20.0",
        ];
        let run = run(SPHERE, &settings);
        let times: Vec<f64> = run.of(EventKind::Impact).map(|event| event.time()).collect();
        assert!(times.len() >= exact.len(), "{tolerance:e}: {} of {}", times.len(), exact.len());
        let off = |count: usize| {
            let mut off = Worst::default();
            times.iter().zip(&exact).take(count).for_each(|(time, exact)| off.see(time - number(exact, "t")));
            off.0
        };
        println!("{tolerance:e}: five {:e}, all {} {:e}", off(5), exact.len(), off(exact.len()));
        worst.push((tolerance, off(5)));
    }
    let order = slope(&worst);
    assert!(order >= 0.8 && worst[3].1 <= 1e-10, "{order} {worst:?}");
}

/// Straight ground that is not level, with a wind along it and one through it, gives the impacts of another method.
#[test]
fn slopes_and_winds() {
    for (ground, wind, radius) in
        [("0.3*x", "[5.0, 1.5]", 0.0), ("0.3*x", "[5.0, -3.0]", 0.2), ("-0.5*x", "[0.0, 0.0]", 0.1)]
    {
        for drag in ["drag={ coefficient = 0.05 }", "linear-drag=0.4"] {
            let of = |method: &str| {
                let settings = [
                    format!(r#"ground.curve={{ kind = "graph", y = "{ground}" }}"#),
                    format!("forces={{ wind = {wind} }}"),
                    format!("forces.{drag}"),
                    format!("ball={{ mass = 1.1, radius = {radius} }}"),
                    format!("solver={{ method = \"{method}\", tolerance = 1e-11, duration = 3.0 }}"),
                ];
                run(SPHERE, &settings.each_ref().map(String::as_str))
            };
            let (ours, other) = (of("ballistic"), of("dop853"));
            let mut off = Worst::default();
            let impacts = |run: &Run| run.of(EventKind::Impact).map(|event| event.before).collect::<Vec<State>>();
            let (a, b) = (impacts(&ours), impacts(&other));
            assert!(a.len() == b.len() && a.len() >= 2, "{ground} {wind}: {} {}", a.len(), b.len());
            for (a, b) in a.iter().zip(&b) {
                off.see(a.time - b.time);
                off.see((a.position - b.position).norm());
                off.see(a.dissipated - b.dissipated);
                off.see(a.work - b.work);
            }
            println!("{ground} {wind} {drag}: {} impacts, {:e}", a.len(), off.0);
            assert!(off.0 <= 1e-8, "{ground} {wind} {drag}: {:e}", off.0);
        }
    }
}

/// First impacts on bent ground of throws of all kinds, against 25 digits, at every tolerance: none is missed, and place and time are
/// off by the tolerance over the rate at which the ball closes on the ground. `crates/reference/data/ballistic.py landings`.
#[test]
fn landings_on_a_sine() {
    for line in include_str!("landings.txt").lines() {
        let parts: Vec<&str> = line.split(';').collect();
        let ([u, v], [quadratic, linear], [blow, rise]) =
            (numbers(parts[1]), numbers(parts[2]), numbers::<2>(parts[3]));
        let [time, x, vx, vy] = numbers(parts[4]);
        for tolerance in TOLERANCES {
            let settings = [
                "ball={ mass = 1.0 }".into(),
                r#"ground.curve={ kind = "graph", y = "0.1*sin(pi*x)" }"#.into(),
                format!("initial={{ position = [0.3, 1.0], velocity = [{u:?}, {v:?}] }}"),
                format!(
                    "forces={{ linear-drag = {linear:?}, drag = {{ coefficient = {quadratic:?} }}, wind = [{blow:?}, {rise:?}] }}"
                ),
                format!("solver={{ method = \"ballistic\", tolerance = {tolerance:e}, duration = {:?} }}", time + 0.01),
            ];
            let run = run(SPHERE, &settings.each_ref().map(|s: &String| s.as_str()));
            let Event { before, frame, .. } = run.first(EventKind::Impact);
            let (place, velocity) = (Vector2::new(x, 0.1 * (std::f64::consts::PI * x).sin()), Vector2::new(vx, vy));
            let (closing, speed) = (-velocity.dot(&frame.normal), velocity.norm());
            // Off the path by the tolerance, and later or earlier by that over the rate; what the way there is made of rounds as well.
            let size = 1.0 + place.norm() + speed;
            let allowed = (tolerance * size + 64.0 * f64::EPSILON * (size + speed * speed)) * (1.0 + speed / closing);
            let off = (before.position - place).norm();
            let late = (before.time - time).abs() * closing;
            let slow = (before.velocity - velocity).norm() - 10.0 * (before.time - time).abs() * (1.0 + speed);
            println!("{} {tolerance:e}: {off:.1e} m, {late:.1e} m late, {slow:.1e} m/s of {allowed:.1e}", parts[0]);
            assert!(off <= allowed && late <= allowed && slow <= allowed, "{} {tolerance:e}", parts[0]);
        }
    }
}

/// The last bounces in linear drag, summed up from the first impact on: when they end, within the bound, to first order in the drag.
/// `crates/reference/data/straight.py`.
#[test]
fn zeno_in_linear_drag() {
    let text = r#"
        ball = { mass = 1.0 }
        initial = { position = [0.0, 0.05], velocity = [0.3, 0.0] }
        ground.curve = { kind = "graph", y = 0 }
        forces = { linear-drag = 0.5 }
        solver = { method = "ballistic", tolerance = 1e-12, duration = 8.0, capture-tolerance = 100.0 }
    "#;
    for (restitution, first, end) in [
        (0.5, 0.101_820_424_220_659_16, 0.297_155_130_118_071_1),
        (0.9, 0.101_820_424_220_659_16, 1.665_988_824_873_897_8),
        (0.98, 0.101_820_424_220_659_16, 5.884_353_113_638_409),
    ] {
        let mut points = Vec::new();
        for speed in [0.15, 0.1, 0.03, 0.01] {
            let settings = [format!("contact.restitution={restitution}"), format!("solver.capture-speed={speed}")];
            let run = run(text, &settings.each_ref().map(String::as_str));
            let (landing, capture) = (run.first(EventKind::Landing).time(), run.captures[0]);
            let frozen = 2.0 * capture.speed / (capture.pull * (1.0 - restitution)) - capture.duration;
            let off = (landing - end).abs();
            println!(
                "e {restitution}, {speed} m/s: {off:.1e} s, bound {:.1e}, frozen {frozen:.1e}",
                capture.time_bound
            );
            assert!((run.events[0].time() - first).abs() < 1e-12);
            assert!(off <= capture.time_bound + 1e-12, "{off:e} {:e}", capture.time_bound);
            assert!(capture.time_bound <= 0.35 * frozen, "{:e} {frozen:e}", capture.time_bound);
            points.push((capture.speed, off));
        }
        let order = slope(&points);
        assert!(order > 2.7, "{order} {points:?}");
    }
}

/// The same in quadratic drag and wind, on a slope, with friction: against the bounces themselves, flown down to nearly nothing.
#[test]
fn zeno_in_drag() {
    let text = r#"
        ball = { mass = 1.0, radius = 0.05, inertia = "solid-sphere" }
        initial = { position = [0.0, 1.0], velocity = [2.0, 0.0] }
        ground.curve = { kind = "graph", y = "-0.2*x" }
        forces = { drag = { coefficient = 0.3 }, wind = [1.0, -0.2] }
        contact = { restitution = 0.7, friction = 0.1 }
        solver = { method = "ballistic", tolerance = 1e-12, duration = 4.0, capture-tolerance = 1.0 }
    "#;
    let landing = |speed: f64| {
        let run = run(text, &[&format!("solver.capture-speed={speed:e}")]);
        (run.first(EventKind::Landing).after, run.captures[0])
    };
    let (exact, _) = landing(1e-9);
    for speed in [0.3, 0.03, 3e-3] {
        let (found, capture) = landing(speed);
        let (late, faster) = (found.time - exact.time, (found.velocity - exact.velocity).norm());
        println!("{speed} m/s: {late:e} s of {:e}, {faster:e} m/s of {:e}", capture.time_bound, capture.velocity_bound);
        assert!(late.abs() <= capture.time_bound + 1e-12 && faster <= capture.velocity_bound + 1e-11);
    }
}

/// A large capture speed leaves the tolerance as it is: the bound of a jump knows how drag along the ground changes meanwhile, hops
/// included. Landings to 16 digits: hops by Taylor series of order 30 with 40 digits, upright ones by
/// their closed form, down to 1e-11 m/s.
#[test]
fn zeno_keeps_the_tolerance_along_the_ground() {
    let flat = r#"ground.curve={ kind = "graph", y = 0 }"#;
    for (friction, time, x, speed) in [
        (0.0, 14.698_414_187_809_923, 12.197_813_420_503_01, 0.738_781_409_703_852_64),
        (0.01, 14.723_849_037_258_505, 4.644_071_977_101_072, 0.0),
    ] {
        let friction = format!("contact.friction={friction}");
        for (capture, tolerance) in [(1e-1, 1e-6), (1e-2, 1e-9), (1e-3, 1e-9), (1e-6, 1e-9)] {
            let capture = format!("solver.capture-speed={capture:e}");
            let tolerated = format!("solver.tolerance={tolerance:e}");
            let run = run(SPHERE, &[flat, &friction, &capture, &tolerated, "solver.duration=16.0"]);
            let (landing, jump) = (run.first(EventKind::Landing), run.captures[0]);
            let after = landing.after;
            let off = [after.time - time, after.position.x - x, after.velocity.x - speed];
            println!(
                "{friction} {capture}: {off:?}, jump of {:.1e} m/s, bound {:.1e}",
                jump.speed, jump.velocity_bound
            );
            assert!(off.iter().all(|off| off.abs() <= tolerance), "{off:?}");
        }
    }
}

/// "auto" is "ballistic" where that holds, to the last bit in flight, and exact on straight ground; else it goes by Taylor series, and by
/// "newmark" where contacts are found as `localisation = "parabola"` finds them.
#[test]
fn auto() {
    let flat = r#"ground.curve={ kind = "graph", y = 0 }"#;
    let of = |method: &str, settings: &[&str]| {
        let method = format!("solver.method=\"{method}\"");
        let settings: Vec<&str> = [flat, &method, "solver.duration=20.0", "solver.tolerance=1e-9"]
            .into_iter()
            .chain(settings.iter().copied())
            .collect();
        run(SPHERE, &settings)
    };
    let table = table::find("hard_modelica_e0.9").expect("the benchmark's hard sphere");
    let [auto, ballistic] = ["auto", "ballistic"].map(|method| of(method, &[]));
    assert_eq!(auto.events, ballistic.events);
    let off =
        auto.summary.state.position.x - number(&table.part("state_at_20s_after_zeno_sliding").expect("its end"), "x");
    let steps = [auto, ballistic].map(|run| run.summary.count.contact.steps);
    println!("x at 20 s off by {off:e} m; steps on the ground {steps:?}");
    assert!(off.abs() <= 1e-9 && steps[0] <= 3 && steps[1] > steps[0], "{off:e} {steps:?}");
    let spin = "forces.magnus=0.001";
    let [auto, other] = ["auto", "taylor"].map(|method| of(method, &[spin]));
    assert_eq!(auto.events, other.events);
    let [auto, other] = ["auto", "newmark"].map(|method| of(method, &[r#"solver.localisation="parabola""#]));
    assert_eq!(auto.events, other.events);
    // On bent ground by the series, as where they are asked for; by a formulation where one, or a step, is given.
    let bent =
        [r#"ground.curve={ kind = "graph", y = "0.1*sin(pi*x)" }"#, "contact.restitution=0.3", "contact.friction=0.05"];
    let by = |method: &str, more: &[&str]| of(method, &[&bent, more].concat());
    let series = by("ballistic", &[r#"solver.formulation="taylor""#]);
    assert!(series.summary.count.contact.steps > 0, "it never slid");
    assert_eq!(by("auto", &[]).events, series.events);
    let symmetric = by("ballistic", &[r#"solver.formulation="symmetric""#]);
    assert_ne!(symmetric.events, series.events);
    assert_eq!(by("auto", &[r#"solver.formulation="symmetric""#]).events, symmetric.events);
}

/// Down a slope, up another, over friction, spin, damping and drag, to rest: "auto" has the events of another method.
#[test]
fn auto_on_tracks() {
    let text = r#"
        ball = { mass = 0.2, radius = 0.03, inertia = "solid-sphere" }
        initial = { position = [0.0, 0.8], velocity = [0.5, 0.0] }
        ground.curve = { kind = "polyline", points = [[-0.5, 0.4], [1.0, 0.0], [2.0, 0.0], [3.0, 0.35]] }
        forces = { drag = { coefficient = 0.05 }, linear-drag = 0.0 }
        contact = { restitution = 0.3, friction = 0.12, rolling-damping = 0.03 }
        solver = { tolerance = 1e-11, duration = 6.0 }
    "#;
    let of = |method: &str| run(text, &[&format!("solver.method=\"{method}\"")]);
    let (auto, other) = (of("auto"), of("dop853"));
    assert_eq!(auto.kinds(), other.kinds());
    let mut off = Worst::default();
    for (a, b) in auto.events.iter().zip(&other.events) {
        off.see(a.time() - b.time());
        off.see((a.after.position - b.after.position).norm());
        off.see(a.after.dissipated - b.after.dissipated);
    }
    let steps = [&auto, &other].map(|run| run.summary.count.contact.steps);
    println!("{:?}, off by {:e}; steps {steps:?}", auto.kinds(), off.0);
    assert!(off.0 <= 1e-7 && auto.events.len() >= 5, "{:e} {:?}", off.0, auto.kinds());
    assert!(auto.summary.unexplained().abs() <= 1e-9, "{:e}", auto.summary.unexplained());
}
