//! DAE methods with their own multiplier: orders, work, independent numbers, energy, take-off.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests fail loudly")]

use kugelbahn::prelude::*;
use reference::bowl::Bowl;

/// Names, and their orders of q, v and λ.
const ALL: [(&str, [f64; 3]); 5] = [
    ("generalized-alpha-dae", [2.0; 3]),
    ("hht", [2.0; 3]),
    ("radau-iia", [5.0, 5.0, 3.0]),
    ("energy-momentum", [2.0; 3]),
    ("rattle-dae", [2.0; 3]),
];

/// Errors of a bead in q, v and λ as the book has them (`theory/schemes.md`), to two digits.
const PRINTED: [[f64; 3]; 5] = [
    [2.3e-4, 7.0e-4, 3.6e-3],
    [2.7e-4, 8.3e-4, 4.3e-3],
    [7.4e-10, 3.7e-9, 5.7e-5],
    [1.2e-4, 3.5e-4, 3.1e-3],
    [1.3e-4, 4.2e-4, 3.4e-3],
];

/// Time after the release from 60° at which runs begin, s: a ball that moves shows what a wrong start does.
const BEGIN: f64 = 0.3;

/// A ball whose centre goes on a circle of radius 1; k = 0 is a bead.
fn bowl(radius: f64, k: f64) -> (Simulation, Bowl) {
    let exact = Bowl { radius: 1.0, gravity: 9.81, mass: 1.0, inertia_factor: k, release: std::f64::consts::FRAC_PI_3 };
    let begin = exact.at(BEGIN);
    let (x, outer) = ((1.0 + radius) * begin.position[0], 1.0 + radius);
    let text = format!(
        "ball = {{ mass = 1.0, radius = {radius:?}, inertia = {:?} }}\ninitial = {{ contact = {{ x = {x:?}, speed = {:?}, spin = \"rolling\" }} }}
ground = {{ curve = {{ kind = \"arc\", centre = [0.0, 0.0], radius = {outer:?}, from = \"-pi\", to = 0 }} }}
contact = {{ friction = {} }}\n",
        if k > 0.0 { k } else { 0.4 },
        begin.rate,
        if k > 0.0 { "\"infinite\"" } else { "0.0" },
    );
    (Simulation::from_text_with(&text, schemes::methods(Methods::builtin())).unwrap(), exact)
}

/// Largest errors of place (m), velocity (m/s) and λ (N) at the ends of all steps over 1.5 s.
fn errors(name: &str, (radius, k): (f64, f64), step: f64) -> [f64; 3] {
    let (ball, exact) = bowl(radius, k);
    let run = ball.formulation(name).step(step).run(1.5).unwrap();
    let mut worst = [0.0f64; 3];
    for now in run.samples(step).unwrap().skip(1) {
        let there = exact.at(BEGIN + now.time);
        let found = [
            (now.position - Vector2::from(there.position)).norm(),
            (now.velocity - Vector2::from(there.velocity)).norm(),
            (now.normal_force - there.normal_force).abs(),
        ];
        worst = std::array::from_fn(|i| worst[i].max(found[i]));
    }
    worst
}

fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|(h, e)| (h.ln(), e.ln())).unzip();
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>() / x.iter().map(|x| (x - mx).powi(2)).sum::<f64>()
}

#[test]
fn orders_in_the_bowl() {
    for ((name, orders), printed) in ALL.into_iter().zip(PRINTED) {
        for ball in [(0.0, 0.0), (0.1, 0.4)] {
            let (steps, at) =
                if orders[0] > 2.0 { ([0.05, 0.025, 0.0125, 0.00625], 2) } else { ([0.01, 0.005, 0.0025, 0.00125], 1) };
            let found = steps.map(|h| (h, errors(name, ball, h)));
            let observed = [0, 1, 2].map(|i| slope(&found.map(|(h, errors)| (h, errors[i]))));
            for (observed, order) in observed.into_iter().zip(orders) {
                assert!((observed - order).abs() < 0.02, "{name} {ball:?}: {observed:.3?} {found:?}");
            }
            for (found, printed) in found[at].1.into_iter().zip(printed).filter(|_| ball.0 == 0.0) {
                assert!((found / printed - 1.0).abs() < 0.05, "{name}: {found:e} for {printed:e}");
            }
        }
    }
}

/// A case of the public test set, run by a method in fixed steps; its answers, of which none came from this workspace.
fn case(folder: &str, name: &str, step: f64) -> (Run, Vec<(String, usize, f64)>) {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../suite/cases/");
    let read = |file: &str| std::fs::read_to_string(format!("{root}{folder}/{file}")).unwrap();
    let steps = format!("formulation = \"{name}\", step = {step:?}");
    let text = read("scenario.toml").replace("tolerance = 1e-12", &steps);
    let ball = Simulation::from_text_with(&text, schemes::methods(Methods::builtin())).unwrap();
    let run = ball.run(ball.scenario().solver.duration).unwrap();
    let answer = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        Some((cells[1].to_owned(), cells[2].parse().ok()?, cells[3].parse().ok()?))
    };
    (run, read("answers.csv").lines().filter_map(answer).collect())
}

/// The farthest that a method is off the answers of a case in place, velocity and λ, each over its order's power of the step.
fn off(folder: &str, name: &str, step: f64) -> [f64; 3] {
    let (run, answers) = case(folder, name, step);
    let mut worst = [0.0f64; 3];
    for (_, index, time) in answers.iter().filter(|(quantity, ..)| quantity == "time") {
        let now = run.at(*time).unwrap();
        for (quantity, of, exact) in &answers {
            let (kind, found) = match quantity.as_str() {
                _ if of != index => continue,
                "x" => (0, now.position.x),
                "y" => (0, now.position.y),
                "vx" => (1, now.velocity.x),
                "vy" => (1, now.velocity.y),
                "spin" => (1, 0.1 * now.spin),
                "lambda" => (2, now.normal_force),
                _ => continue,
            };
            let exact = if quantity == "spin" { 0.1 * exact } else { *exact };
            worst[kind] = worst[kind].max((found - exact).abs());
        }
    }
    worst
}

#[test]
fn answers_of_the_test_set() {
    for (name, _) in ALL {
        for folder in ["06-bowl", "07-rolling-bowl", "08-take-off"] {
            let found = [2e-3, 1e-3].map(|step| off(folder, name, step));
            println!("{name} {folder}: {found:?}");
            // Order 2, and rounding for order 5.
            for (i, bound) in [2e-5, 1e-4, 4e-4].into_iter().enumerate() {
                let [coarse, fine] = found.map(|errors| errors[i]);
                assert!(fine <= bound && (fine <= 0.4 * coarse || fine < 1e-11), "{name} {folder} {found:?}");
            }
        }
    }
}

/// One event: λ of the law falls to 0, and the ball goes off with v·n ≥ 0; before that no row has λ < 0.
#[test]
fn takes_off_from_a_circle() {
    for (name, _) in ALL {
        for step in [1e-2, 2e-3] {
            let (run, answers) = case("08-take-off", name, step);
            let exact = answers.iter().find(|(quantity, ..)| quantity == "lift-off").unwrap().2;
            let kinds: Vec<EventKind> = run.events().iter().map(|event| event.kind).collect();
            let event = &run.events()[0];
            let rises = event.after.velocity.dot(&event.frame.normal);
            let least = run.samples(1e-3).unwrap().map(|now| now.normal_force).fold(f64::INFINITY, f64::min);
            println!("{name} {step}: {kinds:?} {:e} rises {rises:e} least {least:e}", event.time() - exact);
            assert_eq!(kinds, [EventKind::LiftOff], "{name}");
            assert!((event.time() - exact).abs() < 0.35 * step * step, "{name}: {}", event.time() - exact);
            assert!(rises >= -1e-14 && least >= 0.0, "{name}: {rises} m/s, {least} N");
        }
    }
}

/// 10⁵ steps of 10 ms: of a bead the energy is that of the start, but for one rounding a step. Of a rolling ball it swings by
/// `k m (n·v)²/2`, as (n·v)² counts in (1+k) m there, and does not grow. In 3000 steps the others are farther off.
#[test]
fn energy_and_momentum_keeps_energy_to_rounding() {
    let of = |name: &str, body: (f64, f64), duration: f64| {
        let ball = bowl(body.0, body.1).0.formulation(name).step(0.01);
        let energy = |now: Moment| {
            let turning = 0.5 * body.1 * (body.0 * now.spin).powi(2);
            0.5 * now.velocity.norm_squared() + turning + 9.81 * now.position.y
        };
        let run = ball.run(duration).unwrap();
        let energies: Vec<f64> = run.samples(0.37).unwrap().map(energy).collect();
        let largest = |of: &[f64]| of.iter().map(|now| (now - energies[0]).abs()).fold(0.0, f64::max);
        let tenth = energies.len() / 10;
        [largest(&energies[..tenth]), largest(&energies[9 * tenth..])]
    };
    let bead = of("energy-momentum", (0.0, 0.0), 1000.0);
    assert!(bead[1] <= 1e5 * f64::EPSILON * 4.905, "{bead:?}");
    let sphere = of("energy-momentum", (0.1, 0.4), 1000.0);
    assert!(sphere[1] <= 1e-7 && sphere[1] <= 1.1 * sphere[0], "{sphere:?}");
    for name in ["generalized-alpha-dae", "hht", "rattle-dae", "radau-iia"] {
        let other = of(name, (0.0, 0.0), 30.0);
        println!("{name}: {other:?}, energy-momentum {bead:?} {sphere:?}");
        assert!(other[1] > 1e-9, "{name}: {other:?}");
    }
}

/// Slip, then rolling against resistance and damping through the air, in a bowl: all terms of the equations, and the changes of phase.
#[test]
fn goes_through_all_phases_with_all_forces() {
    let text = "ball = { mass = 0.7, radius = 0.1, inertia = \"hollow-sphere\" }
initial = { contact = { x = -0.8, speed = 1.0, spin = 4.0 } }
ground = { curve = { kind = \"graph\", y = \"0.3*x^2\" } }
contact = { friction = 0.15, rolling-resistance = 0.02, rolling-damping = 0.1 }
forces = { drag = { coefficient = 0.05 }, wind = [0.5, 0.0] }
";
    let known = || schemes::methods(Methods::builtin());
    let ball = Simulation::from_text_with(text, known()).unwrap();
    let exact = ball.clone().formulation("taylor").tolerance(1e-12).run(1.2).unwrap();
    println!("{:?}", exact.events().iter().map(|event| (event.kind, event.time())).collect::<Vec<_>>());
    for (name, _) in ALL {
        let errors = |step: f64| {
            let run = ball.clone().formulation(name).step(step).run(1.2).unwrap();
            let [now, there] = [&run, &exact].map(|run| run.at(1.2).unwrap());
            let kinds = |run: &Run| run.events().iter().map(|event| event.kind).collect::<Vec<_>>();
            assert_eq!(kinds(&run), kinds(&exact), "{name}");
            [
                (now.position - there.position).norm(),
                (now.velocity - there.velocity).norm(),
                0.1 * (now.angle - there.angle).abs(),
                0.1 * (now.spin - there.spin).abs(),
                (now.normal_force - there.normal_force).abs(),
                (now.friction_force - there.friction_force).abs(),
            ]
        };
        let found = [4e-3, 1e-3, 2.5e-4].map(errors);
        println!("{name}: {found:?}");
        for i in 0..6 {
            let fine = found[2][i];
            assert!(fine < 1e-4 && (fine < found[0][i] / 40.0 || fine < 1e-9), "{name} {i}: {found:?}");
        }
    }
}

/// Work over one second in steps of 5 ms, so that a change of it is seen.
#[test]
fn work() {
    let mut table = String::new();
    for (name, _) in ALL {
        let count = bowl(0.1, 0.4).0.formulation(name).step(5e-3).run(1.0).unwrap().summary().count.contact;
        table += &format!("{name}: {} steps, {} frames, {} put back\n", count.steps, count.frames, count.projections);
    }
    insta::assert_snapshot!(table, @r"
    generalized-alpha-dae: 201 steps, 962 frames, 0 put back
    hht: 201 steps, 965 frames, 0 put back
    radau-iia: 201 steps, 4531 frames, 0 put back
    energy-momentum: 201 steps, 3500 frames, 0 put back
    rattle-dae: 201 steps, 607 frames, 0 put back
    ");
}

/// Runs what is asked for by the environment, for callgrind.
#[test]
fn overhead() {
    let Ok(name) = std::env::var("OVERHEAD") else { return };
    let (ball, _) = bowl(0.0, 0.0);
    for _ in 0..10 {
        ball.clone().formulation(&name).step(1e-3).run(2.0).unwrap();
    }
}

/// A scheme that asks of each start whether its memory belongs to it.
#[derive(Clone, Debug, Default)]
struct Remembers {
    /// End of the last step, s.
    ended: Option<f64>,
}

impl DaeScheme for Remembers {
    fn order(&self) -> u32 {
        1
    }

    fn restart(&mut self) {
        self.ended = None;
    }

    fn step(&mut self, dae: &DaeSystem, start: &DaeState, h: f64) -> Result<DaeState, SchemeError> {
        if let Some(time) = self.ended.filter(|time| (*time - start.time).abs() > 1e-12) {
            return Err(SchemeError { reason: "remembers another time", value: time });
        }
        self.ended = Some(start.time + h);
        let a = dae.acceleration(&dae.at(start.time, start.q, start.v)?, start.multiplier);
        let (q, v) = (start.q + h * start.v, start.v + h * a);
        let multiplier = dae.at(start.time + h, q, v)?.index1(dae.mass(), v);
        Ok(DaeState { time: start.time + h, q, v, multiplier })
    }
}

#[test]
fn memory_belongs_to_the_start_of_each_try() {
    let known = Methods::builtin().with_formulation("remembers", |control| Remembers::default().stepped(control));
    let ball = Simulation::new(Ball::solid_sphere(1.0, 0.1).unwrap(), Ground::graph("0.2*cos(3*x)").unwrap())
        .friction(0.2)
        .on_ground(0.5, 0.3)
        .methods(known)
        .formulation("remembers");
    for ball in [ball.clone().tolerance(1e-4), ball.step(1e-2)] {
        let run = ball.run(3.0).unwrap();
        println!("{:?} {:?}", run.summary().count.contact, run.events().len());
    }
}
