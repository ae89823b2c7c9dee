//! BDF, Radau IIA and DOP853 in flight with every force: order, tolerance, dense output, ledger, and what is refused.

use flight::{Bdf, Dop853, FlightCount, FlightError, FlightMethod, FlightStep, MethodError, Radau};
use mechanics::{Ball, Forces, State};
use nalgebra::Vector2;
use newmark::radau::{A, ALPHA, BETA, C, INVERSE, Matrix, REAL, T};
use newmark::{Control, Tolerance};
use numbers::Expression;
use reference::Collocation;

use crate::flight::{DURATION, MASS, difference, exact, forces, start};
use crate::harness::{Worst, slope};

/// A method by its name; `bdf3` is the BDF of order 3.
fn method(name: &str, control: Control) -> Result<Box<dyn FlightMethod>, MethodError> {
    Ok(match name {
        "newmark" => Box::new(flight::Newmark::average(control)),
        "radau" => Box::new(Radau::new(control)?),
        "dop853" => Box::new(Dop853::new(control)?),
        "bdf" => Box::new(Bdf::new(control)?),
        _ => Box::new(Bdf::new(control)?.with_order(name[3..].parse().expect("an order"))?),
    })
}

fn made(name: &str, control: Control) -> Box<dyn FlightMethod> {
    method(name, control).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn within(asked: f64) -> Control {
    Control::Tolerance(Tolerance { relative: asked, absolute: asked })
}

/// Drag against a wind that keeps the speed through the air far from 0, and a force of time and place.
fn smooth() -> Forces {
    let ball = Ball::point(MASS).expect("a ball");
    let pull = ["sin(9*t)*x", "-vx*y/4"].map(|f| Expression::parse(f, &Forces::VARIABLES, &[]).expect("a formula"));
    let forces = Forces::gravity(&ball, Vector2::new(0.0, -9.81)).expect("finite").with_drag(0.05).expect("allowed");
    forces.with_wind(Vector2::new(-8.0, 0.0)).expect("allowed").with_external(pull)
}

/// The same written out.
fn exact_smooth(time: f64) -> [f64; 6] {
    let rates = |t: f64, [x, y, vx, vy, _, _]: &[f64; 6]| {
        let w = Vector2::new(vx + 8.0, *vy);
        let drag = -0.05 * w.norm() * w;
        let pull = Vector2::new((9.0 * t).sin() * x, -vx * y / 4.0);
        let a = (drag + pull) / MASS - Vector2::new(0.0, 9.81);
        let work = -8.0 * drag.x + pull.x * vx + pull.y * vy;
        [*vx, *vy, a.x, a.y, 0.05 * w.norm().powi(3), work]
    };
    let State { position: q, velocity: v, .. } = start();
    Collocation::new(8).integrate(rates, 0.0, [q.x, q.y, v.x, v.y, 0.0, 0.0], time, 100)
}

/// Flies to the end, showing each step.
fn fly(forces: &Forces, method: &mut dyn FlightMethod, mut see: impl FnMut(&FlightStep)) -> (State, FlightCount) {
    let mut state = start();
    let mut step = FlightStep::parabola(&state, Vector2::zeros(), 0.0);
    while DURATION - state.time > 1e-12 {
        if let Err(error) = method.step(forces, &state, DURATION, &mut step) {
            panic!("{error}");
        }
        see(&step);
        state = step.at(forces, step.duration());
    }
    (state, method.count())
}

/// Orders at fixed steps: 1 to 5, 5 and 8. The ledger goes along the dense output, whose order is 7 at most.
#[test]
fn order_in_h() {
    let bdf = [0.02, 0.01, 0.005, 0.0025].map(|h| 0.5 * h);
    let cases = [
        ("bdf1", bdf.map(|h| 0.2 * h), 1.0),
        ("bdf2", bdf.map(|h| 0.5 * h), 2.0),
        ("bdf3", bdf.map(|h| 0.4 * h), 3.0),
        ("bdf4", bdf.map(|h| 0.4 * h), 4.0),
        ("bdf5", bdf, 5.0),
        ("radau", [0.1, 0.05, 0.025, 0.0125], 5.0),
        ("dop853", [0.0625, 0.05, 0.04, 0.03125], 8.0),
    ];
    for (name, steps, expected) in cases {
        let exact = exact_smooth(DURATION);
        let [.., dissipated, work] = exact;
        let ends = steps.map(|step| {
            let mut method = made(name, Control::Step { step, extrapolate: false });
            (step, fly(&smooth(), &mut *method, |_| ()).0)
        });
        let motion = ends.map(|(step, end)| (step, difference(&State { dissipated, work, ..end }, &exact)));
        let ledger = ends.map(|(step, end)| (step, difference(&end, &exact)));
        let orders = [slope(&motion), slope(&ledger)];
        println!("{name}: orders {orders:?}, {motion:?}, ledger {ledger:?}");
        assert!((orders[0] - expected).abs() <= 0.25 && orders[1] >= expected.min(7.0) - 0.25, "{name}: {orders:?}");
    }
}

/// With a tolerance, which is of a step: errors of steps add up and grow, here tenfold, at nodes and between them; the ledger's 100 J
/// are allowed ten times as much; paths begin where the step before has ended, with its velocity.
#[test]
fn tolerance() {
    for name in ["bdf", "radau", "dop853"] {
        for asked in [1e-3, 1e-6, 1e-9, 1e-12] {
            let (mut between, mut ledger, mut seam) = (Worst::default(), Worst::default(), Worst::default());
            let mut last = start();
            let mut method = made(name, within(asked));
            // The exact motion costs more than a step: of many steps not all are looked into.
            let mut number = 0;
            let every = if asked < 1e-8 { 16 } else { 1 };
            let forces = forces();
            let (end, count) = fly(&forces, &mut *method, |step| {
                seam.see((step.at(&forces, 0.0).position - last.position).norm());
                seam.see((step.at(&forces, 0.0).velocity - last.velocity).norm());
                last = step.at(&forces, step.duration());
                number += 1;
                if number % every > 1 {
                    return;
                }
                for part in [0.1, 0.2, 0.35, 0.6, 0.77, 0.9] {
                    let t = part * step.duration();
                    let (there, exact) = (step.at(&forces, t), exact(step.start().time + t));
                    let [.., dissipated, work] = exact;
                    between.see(difference(&State { dissipated, work, ..there }, &exact));
                    ledger.see(difference(&there, &exact));
                }
            });
            let nodes = difference(&end, &exact(DURATION));
            println!(
                "{name} {asked:e}: nodes {nodes:e}, between {:e}, ledger {:e} J, seams {:e}; {count:?}",
                between.0, ledger.0, seam.0
            );
            let allowed = 10.0 * count.steps as f64 * asked;
            assert!(between.0 <= allowed && nodes.max(ledger.0) <= 10.0 * allowed, "{name} {asked:e}");
            assert!(seam.0 <= 1e-14, "{name} {asked:e}: {:e}", seam.0);
        }
    }
}

/// A BDF never crawls through low orders after an event: an arc begins with a step of Radau, goes on at order 4, and takes
/// no more steps than one in the middle of a long flight does for the same time.
#[test]
fn no_crawl_after_an_event() {
    let forces = smooth();
    for asked in [1e-4, 1e-6, 1e-8, 1e-10] {
        let mut method = Bdf::new(within(asked)).unwrap_or_else(|error| panic!("{error}"));
        let mut arc = |from: State, until: f64| {
            let mut state = from;
            let mut step = FlightStep::parabola(&state, Vector2::zeros(), 0.0);
            let (mut orders, mut steps) = (Vec::new(), Vec::new());
            method.restart();
            while until - state.time > 1e-12 {
                orders.push(method.order());
                if let Err(error) = method.step(&forces, &state, until, &mut step) {
                    panic!("{error}");
                }
                steps.push(step.duration());
                state = step.at(&forces, step.duration());
            }
            (state, orders, steps)
        };
        let (first, _, whole) = arc(start(), 1.0);
        // An event of a sort: the ball turns back.
        let (_, orders, steps) = arc(State { velocity: -first.velocity, ..first }, 2.0);
        println!("{asked:e}: {} steps, then {}: {:?}", whole.len(), steps.len(), &orders[..8.min(orders.len())]);
        let radau = orders.iter().take_while(|order| order.is_none()).count();
        assert!(radau <= 4, "{asked:e}: {radau}");
        assert!(orders.iter().skip(radau).take(8).flatten().all(|order| *order >= 3), "{asked:e}: {orders:?}");
        // After the first tenth of a second it goes no faster than in it, but for a factor of 2.5.
        let early = steps
            .iter()
            .scan(0.0, |t, h| {
                (*t < 0.1).then(|| {
                    *t += h;
                    *h
                })
            })
            .count() as f64
            / 0.1;
        let all = steps.len() as f64 / (2.0 - first.time);
        assert!(early <= 2.5 * all + 10.0, "{asked:e}: {early} steps a second at first, {all} on the whole");
    }
}

/// Falling through thick air to the final speed, stiff by the velocity: implicit methods take long steps, and the BDF's are
/// not held to the time constant of 1 ms.
#[test]
fn stiff_drag() {
    let ball = Ball::point(1e-3).expect("a ball");
    let still = Expression::parse("0", &Forces::VARIABLES, &[]).expect("a formula");
    let damping = Expression::parse("-vy", &Forces::VARIABLES, &[]).expect("a formula");
    let forces = Forces::gravity(&ball, Vector2::new(0.0, -9.81)).expect("finite").with_external([still, damping]);
    for name in ["bdf", "radau"] {
        let mut method = made(name, within(1e-6));
        let mut state = State { velocity: Vector2::zeros(), position: Vector2::zeros(), spin: 0.0, ..start() };
        let mut step = FlightStep::parabola(&state, Vector2::zeros(), 0.0);
        while state.time < 10.0 - 1e-12 {
            if let Err(error) = method.step(&forces, &state, 10.0, &mut step) {
                panic!("{name}: {error}");
            }
            state = step.at(&forces, step.duration());
        }
        let last = -9.81e-3;
        println!("{name}: {:e} m/s, {:?}", state.velocity.y - last, method.count());
        assert!((state.velocity.y - last).abs() < 1e-8 && method.count().steps < 200, "{name}: {:?}", method.count());
        // y = v∞ (t − τ(1 − e^(−t/τ))), τ = 1 ms.
        assert!((state.position.y - last * (10.0 - 1e-3)).abs() < 1e-6, "{name}: {}", state.position.y);
    }
}

/// Under a constant force one step is exact to the end.
#[test]
fn constant_force_takes_one_exact_step() {
    let ball = Ball::point(1.0).expect("a ball");
    let a = Vector2::new(0.5, -9.81);
    let forces = Forces::gravity(&ball, a).expect("finite");
    for name in ["bdf", "radau", "dop853"] {
        let mut method = made(name, within(1e-6));
        let mut step = FlightStep::parabola(&start(), Vector2::zeros(), 0.0);
        if let Err(error) = method.step(&forces, &start(), 7.0, &mut step) {
            panic!("{error}");
        }
        let State { position: q, velocity: v, .. } = start();
        assert_eq!((step.duration(), method.count().steps, method.count().forces), (7.0, 1, 0));
        assert!((step.at(&forces, 7.0).position - (q + 7.0 * v + 24.5 * a)).norm() <= 1e-13);
    }
}

/// Settings that no method can be run with say why.
#[test]
fn refused() {
    let says = |name: &str, control: Control, part: &str| {
        let error = method(name, control).err().unwrap_or_else(|| panic!("{name} took {control:?}"));
        assert!(error.to_string().contains(part), "{error}");
    };
    for name in ["bdf", "radau", "dop853"] {
        for asked in [0.0, -1e-6, 1e-16, 1.0, f64::NAN, f64::INFINITY] {
            says(name, within(asked), "at least 1e-15");
        }
        let one = Tolerance { relative: 1e-6, absolute: 0.0 };
        says(name, Control::Tolerance(one), "absolute tolerance 0.0");
        for step in [0.0, -0.1, f64::NAN, f64::INFINITY] {
            says(name, Control::Step { step, extrapolate: false }, "positive and finite");
        }
        says(name, Control::Step { step: 0.1, extrapolate: true }, "Newmark");
    }
    for name in ["bdf0", "bdf6"] {
        says(name, within(1e-6), "1 to 5");
    }
}

/// A force that is not a number somewhere ends the flight with that, not for ever with shorter steps; so does one that
/// blows up.
#[test]
fn what_is_not_finite_is_told() {
    let ball = Ball::point(1.0).expect("a ball");
    for formula in ["1/(0.5-t)^2", "sqrt(0.5-t)", "1/y^3"] {
        let pull = ["0", formula].map(|f| Expression::parse(f, &Forces::VARIABLES, &[]).expect("a formula"));
        let forces = Forces::gravity(&ball, Vector2::new(0.0, -9.81)).expect("finite").with_external(pull);
        for name in ["bdf", "radau", "dop853"] {
            let mut method = made(name, within(1e-6));
            let mut state = State { velocity: Vector2::new(1.0, -6.0), ..start() };
            let mut step = FlightStep::parabola(&state, Vector2::zeros(), 0.0);
            let mut ended = None;
            for _ in 0..20_000 {
                if let Err(error) = method.step(&forces, &state, 2.0, &mut step) {
                    ended = Some(error);
                    break;
                }
                state = step.at(&forces, step.duration());
                if state.time >= 2.0 - 1e-12 {
                    break;
                }
            }
            println!("{name}, {formula}: t = {}, {ended:?}, {:?}", state.time, method.count());
            assert!(ended.is_some() || state.time >= 2.0 - 1e-12, "{name}, {formula}: {}", state.time);
            assert!(ended.is_some() || formula == "1/y^3", "{name} went past {formula}");
        }
    }
}

/// Far from the origin rounding of positions is far above a small tolerance, and no reason to crawl.
#[test]
fn far_from_the_origin() {
    let ball = Ball::point(1.0).expect("a ball");
    let forces = Forces::gravity(&ball, Vector2::new(0.0, -9.81)).expect("finite").with_drag(0.1).expect("a drag");
    for far in [1e2, 1e4, 1e6] {
        for tolerance in [1e-10, 1e-12, 1e-14] {
            for name in ["newmark", "bdf", "radau", "dop853"] {
                let mut method = made(name, within(tolerance));
                let mut state = State { position: Vector2::new(far, far), velocity: Vector2::new(3.0, 1.0), ..start() };
                let mut step = FlightStep::parabola(&state, Vector2::zeros(), 0.0);
                while state.time < 2.0 && method.count().steps < 5000 {
                    method.step(&forces, &state, 2.0, &mut step).unwrap_or_else(|e| panic!("{name}: {e}"));
                    state = step.at(&forces, step.duration());
                }
                println!("{name} {far:e} m, {tolerance:e}: {:?}", method.count());
                assert!(state.time == 2.0 && method.count().rejected < 5000, "{name} {far:e} {tolerance:e}");
            }
        }
    }
}

/// An explicit method that would follow a drag of 1e9 kg/m to the end stops, and one of 1e3 kg/m is no reason to.
#[test]
fn stiff_forces_stop_an_explicit_method() {
    let ball = Ball::point(1.0).expect("a ball");
    let fall = |name: &str, drag: f64| {
        let forces = Forces::gravity(&ball, Vector2::new(0.0, -9.81)).expect("finite").with_drag(drag).expect("a drag");
        let mut method = made(name, within(1e-6));
        let mut state = State { velocity: Vector2::new(3.0, 1.0), ..start() };
        let mut step = FlightStep::parabola(&state, Vector2::zeros(), 0.0);
        while state.time < 2.0 {
            method.step(&forces, &state, 2.0, &mut step)?;
            state = step.at(&forces, step.duration());
        }
        // At its final speed √(mg/k).
        assert!((state.velocity.y + (9.81 / drag).sqrt()).abs() <= 1e-6, "{name} {drag:e}: {}", state.velocity.y);
        Ok::<u64, FlightError>(method.count().steps)
    };
    for drag in [1e3, 1e9] {
        for name in ["newmark", "bdf", "radau"] {
            let steps = fall(name, drag).unwrap_or_else(|e| panic!("{name} {drag:e}: {e}"));
            assert!(steps <= 2000, "{name} {drag:e}: {steps} steps");
        }
    }
    assert!(fall("dop853", 1e3).expect("not so stiff") <= 2000);
    // v decays at 2 √(g k/m).
    match fall("dop853", 1e9) {
        Err(FlightError::Stiff { rate, .. }) => assert!((rate / 2e5 - 1.0).abs() <= 0.1, "{rate:e}"),
        other => panic!("{other:?}"),
    }
}

/// `Σ aᵢⱼ cⱼᵏ⁻¹ = cᵢᵏ/k` for k to 3 (stage order), the last row for k to 5 (order 5).
#[test]
fn radau_order_conditions() {
    for k in 1..=5 {
        for (i, c) in C.iter().enumerate() {
            let sum: f64 = (0..3).map(|j| A[i][j] * C[j].powi(k - 1)).sum();
            let miss = sum - c.powi(k) / f64::from(k);
            assert!(miss.abs() < 1e-15 || i < 2 && k > 3, "row {i}, k = {k}: {miss:e}");
        }
    }
}

/// The blocks are those of `A⁻¹`: `A T B = T` with `T T⁻¹ = 1`.
#[test]
fn radau_blocks() {
    let product = |a: Matrix, b: Matrix| -> Matrix {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
    };
    let miss = |a: Matrix, b: Matrix| (0..9).map(|i| (a[i / 3][i % 3] - b[i / 3][i % 3]).abs()).fold(0.0, f64::max);
    let blocks = [[REAL, 0.0, 0.0], [0.0, ALPHA, -BETA], [0.0, BETA, ALPHA]];
    assert!(miss(product(T, INVERSE), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]) < 1e-14);
    assert!(miss(product(product(A, T), blocks), T) < 1e-14);
}
