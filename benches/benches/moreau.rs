//! Time stepping beside its floors.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::panic,
    clippy::expect_used,
    reason = "a bench prints what it measured, and stops on an error"
)]

use std::cell::Cell;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use allocation_counter::measure;
use benches::GRAVITY;
use benches::stepping::{kern_ball, theta_ball};
use benches::table::{Row, Table};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use curves::{Ground, OffsetGround, Piece, Profile};
use lagrange::faer::dyn_stack::{MemBuffer, MemStack};
use lagrange::faer::linalg::lu::partial_pivoting::{factor, solve};
use lagrange::faer::perm::PermRef;
use lagrange::faer::{Mat, MatMut, Par};
use lagrange::{At, Derivatives, Gap, Gradients, Linear, Settings, Start, System, Theta};
use mechanics::{Ball, ContactLaw, Forces, Friction, State};
use moreau::{BallSettings, Balls, Body, Kern, Projection};
use nalgebra::Vector2;
use numbers::{Interval, Number};

/// Steps timed at once: to rest and beyond, so that flight, impacts and rest all count.
const STEPS: u64 = 2000;
const STEP: f64 = 5e-3;
const RESTITUTION: f64 = 0.9;

/// One ball on a line, by matrices.
fn line() -> Theta<Linear<impl Fn(f64, &mut [f64])>> {
    let one = || Mat::from_fn(1, 1, |_, _| 1.0);
    let zero = || Mat::<f64>::zeros(1, 1);
    let system = Linear::new(one(), zero(), zero(), |_, force: &mut [f64]| force[0] = -GRAVITY)
        .and_then(|linear| linear.with_relations(one(), vec![0.0], vec![ContactLaw::new(RESTITUTION).expect("a law")]))
        .expect("a system");
    let start = Start { time: 0.0, position: vec![1.0], velocity: vec![0.0] };
    Theta::new(system, Settings::new(STEP), start).expect("a start")
}

/// `y = bend x²/2`
#[derive(Debug)]
struct Valley(f64);

impl Profile for Valley {
    fn point<N: Number>(&self, x: N) -> [N; 2] {
        [x, x.square().scale(0.5 * self.0)]
    }
}

fn at(x: f64, y: f64) -> State {
    let (position, velocity) = (Vector2::new(x, y), Vector2::zeros());
    State { time: 0.0, position, velocity, angle: 0.0, spin: 0.0, dissipated: 0.0, work: 0.0 }
}

fn ground(pieces: Vec<Piece>, radius: f64) -> Arc<OffsetGround> {
    Arc::new(OffsetGround::new(Arc::new(Ground::new(pieces).expect("a ground")), radius))
}

fn sphere(ground: &Arc<OffsetGround>, law: ContactLaw, start: State) -> Body {
    let ball = Ball::new(1.0, ground.radius(), Ball::SOLID_SPHERE).expect("a ball");
    let forces = Forces::gravity(&ball, Vector2::new(0.0, -GRAVITY)).expect("gravity");
    Body { ball, ground: ground.clone(), forces, law, start }
}

/// One ball over flat ground, with spin and friction.
fn plane() -> Balls {
    let ends = [Vector2::new(-100.0, 0.0), Vector2::new(100.0, 0.0)];
    let ground = ground(Piece::polyline(&ends).expect("a line"), 0.1);
    let law = ContactLaw::new(RESTITUTION).expect("a law");
    Balls::new(vec![sphere(&ground, law.clone(), at(0.0, 1.1))], law, BallSettings::new(STEP)).expect("a start")
}

/// 200 balls that have fallen together in a valley.
fn heap() -> Balls {
    let radii = [0.05, 0.035];
    let valley = || vec![Piece::new(Valley(1.0), Interval::new(f64::NEG_INFINITY, f64::INFINITY))];
    let grounds = radii.map(|radius| ground(valley(), radius));
    let law = ContactLaw::new(0.0).and_then(|law| law.with_friction(Friction::Coefficient(0.3))).expect("a law");
    let bodies = (0..200).map(|i: u32| {
        let (column, row) = (f64::from(i % 10), f64::from(i / 10));
        // Not in straight columns.
        let x = -0.5 + 0.112 * column + 0.001 * f64::from(i * 7 % 10);
        sphere(&grounds[usize::from(i * 13 % 10 < 4)], law.clone(), at(x, 0.5 * x * x + 0.08 + 0.112 * row))
    });
    let projection = Some(Projection { tolerance: 1e-6, ..Projection::default() });
    let settings = BallSettings { tolerance: 1e-4, prediction: 1.0, projection, ..BallSettings::new(5e-4) };
    let mut balls = Balls::new(bodies.collect(), law, settings).expect("a start");
    for _ in 0..600 {
        balls.step().expect("a step");
    }
    balls
}

/// n masses joined by springs, one contact; dense.
fn row(n: usize) -> Theta<Linear<impl Fn(f64, &mut [f64])>> {
    let (mass, damping, stiffness) = springs(n);
    let normal = Mat::from_fn(n, 1, |i, _| if i == 0 { 1.0 } else { 0.0 });
    let system = Linear::new(mass, damping, stiffness, |_, force: &mut [f64]| force.fill(-GRAVITY))
        .and_then(|linear| linear.with_relations(normal, vec![0.1], vec![ContactLaw::new(0.5).expect("a law")]))
        .expect("a system");
    let start = Start { time: 0.0, position: vec![0.0; n], velocity: vec![0.0; n] };
    Theta::new(system, Settings::new(1e-3), start).expect("a start")
}

fn springs(n: usize) -> (Mat<f64>, Mat<f64>, Mat<f64>) {
    let band = |own: f64, next: f64| {
        Mat::from_fn(n, n, |i, j| match i.abs_diff(j) {
            0 => own,
            1 => next,
            _ => 0.0,
        })
    };
    (band(1.0, 0.0), band(0.2, -0.1), band(20.0, -10.0))
}

/// The same row with masses and springs that depend on q, its Jacobian given by formulas: `M_ii = 1 + cos(q_i)/10`,
/// `F = Kq + q³`.
struct Bent {
    stiffness: Mat<f64>,
    laws: Vec<ContactLaw>,
}

fn bent(n: usize) -> Theta<Bent> {
    let system = Bent { stiffness: springs(n).2, laws: vec![ContactLaw::new(0.5).expect("a law")] };
    let start = Start { time: 0.0, position: vec![0.0; n], velocity: vec![0.0; n] };
    Theta::new(system, Settings::new(1e-3), start).expect("a start")
}

impl System for Bent {
    fn size(&self) -> usize {
        self.stiffness.nrows()
    }
    fn mass(&self, q: &[f64], mut mass: MatMut<'_, f64>) {
        for (i, q) in q.iter().enumerate() {
            mass[(i, i)] = 1.0 + 0.1 * q.cos();
        }
    }
    fn inertia_force(&self, q: &[f64], v: &[f64], force: &mut [f64]) {
        for i in 0..q.len() {
            force[i] = -0.05 * q[i].sin() * v[i] * v[i];
        }
    }
    fn internal_force(&self, at: At<'_>, force: &mut [f64]) {
        let q = at.position;
        for (j, q) in q.iter().enumerate() {
            for (i, force) in force.iter_mut().enumerate() {
                *force += self.stiffness[(i, j)] * q;
            }
        }
        for (force, q) in force.iter_mut().zip(q) {
            *force += q.powi(3);
        }
    }
    fn external_force(&self, _: f64, force: &mut [f64]) {
        force.fill(-GRAVITY);
    }
    fn laws(&self) -> &[ContactLaw] {
        &self.laws
    }
    fn relation(&self, _: usize, _: f64, q: &[f64], gradients: Gradients<'_>) -> Gap {
        gradients.normal[0] = 1.0;
        Gap::still(q[0] + 0.1)
    }
    fn derivatives(&self, at: At<'_>, a: &[f64], into: &mut Derivatives<'_>) {
        into.stiffness.copy_from(&self.stiffness);
        for (i, (q, v)) in at.position.iter().zip(at.velocity).enumerate() {
            into.stiffness[(i, i)] += 3.0 * q * q - 0.1 * q.sin() * a[i] - 0.05 * q.cos() * v * v;
            into.damping[(i, i)] = -0.1 * q.sin() * v;
        }
    }
}

/// A factorised dense matrix of n × n, and its solution as faer does it.
struct Solve {
    matrix: Mat<f64>,
    lu: Mat<f64>,
    forward: Vec<usize>,
    inverse: Vec<usize>,
    scratch: MemBuffer,
    right: Vec<f64>,
}

impl Solve {
    fn new(n: usize) -> Solve {
        let (mass, damping, stiffness) = springs(n);
        let matrix = Mat::from_fn(n, n, |i, j| mass[(i, j)] + 5e-4 * damping[(i, j)] + 2.5e-7 * stiffness[(i, j)]);
        let need = factor::lu_in_place_scratch::<usize, f64>(n, n, Par::Seq, Default::default())
            .or(solve::solve_in_place_scratch::<usize, f64>(n, 1, Par::Seq));
        let (mut forward, mut inverse, mut scratch) = (vec![0; n], vec![0; n], MemBuffer::new(need));
        let mut lu = matrix.clone();
        let stack = MemStack::new(&mut scratch);
        factor::lu_in_place(lu.as_mut(), &mut forward, &mut inverse, Par::Seq, stack, Default::default());
        Solve { matrix, lu, forward, inverse, scratch, right: vec![1.0; n] }
    }

    fn factorise(&mut self, times: usize) {
        for _ in 0..times {
            self.lu.copy_from(black_box(&self.matrix));
            let (stack, lu) = (MemStack::new(&mut self.scratch), self.lu.as_mut());
            factor::lu_in_place(lu, &mut self.forward, &mut self.inverse, Par::Seq, stack, Default::default());
        }
    }

    fn run(&mut self, times: u64) {
        let n = self.lu.nrows();
        for _ in 0..times {
            self.right.fill(1.0);
            solve::solve_in_place(
                self.lu.as_ref(),
                self.lu.as_ref(),
                PermRef::new_checked(&self.forward, &self.inverse, n),
                MatMut::from_column_major_slice_mut(black_box(&mut self.right), n, 1),
                Par::Seq,
                MemStack::new(&mut self.scratch),
            );
        }
    }
}

fn steps<S: System>(scheme: &mut Theta<S>, count: u64) {
    for _ in 0..count {
        black_box(scheme.step().expect("a step"));
    }
}

fn kern_run(kern: &Kern<impl Fn(f64) -> f64>) -> f64 {
    let mut state = kern.start(1.0, 0.0).expect("a start");
    for _ in 0..STEPS {
        let step = kern.step(&state).expect("a step");
        state = black_box(step).state;
    }
    state.position
}

fn prove() {
    let floor = theta_ball([1.0, 0.0], STEPS, STEP, RESTITUTION);
    let mut scheme = line();
    steps(&mut scheme, STEPS);
    let off = (scheme.position()[0] - floor[0]).abs();
    assert!(off < 1e-12, "by matrices: {off:e}");
    let mut balls = plane();
    (0..STEPS).for_each(|_| {
        balls.step().expect("a step");
    });
    let off = (balls.state(0).position.y - 0.1 - floor[0]).abs();
    assert!(off < 1e-12, "over ground: {off:e}");
    let kern = Kern::new(1.0, RESTITUTION, STEP, |_| -GRAVITY).expect("a system");
    assert_eq!(kern_run(&kern).to_bits(), kern_ball([1.0, 0.0], STEPS, STEP, RESTITUTION)[0].to_bits());
    let (mut scheme, mut balls) = (line(), plane());
    // The first contact makes room for itself.
    steps(&mut scheme, STEPS / 10);
    (0..STEPS / 10).for_each(|_| {
        balls.step().expect("a step");
    });
    let allocated = measure(|| {
        steps(&mut scheme, STEPS);
        (0..STEPS).for_each(|_| {
            balls.step().expect("a step");
        });
    });
    println!("allocations in {} steps of one ball: {}", 2 * STEPS, allocated.count_total);
    assert_eq!(allocated.count_total, 0);
}

fn ratios() {
    let mut table = Table::of("moreau");
    let floor = || {
        black_box(theta_ball(black_box([1.0, 0.0]), STEPS, STEP, RESTITUTION));
    };
    // Both from the start each time: flight, 41 impacts, rest.
    table.pair("one ball on a line, by matrices (Theta)", "10", STEPS, || steps(&mut line(), STEPS), floor);
    table.pair(
        "one ball over flat ground (Balls)",
        "10",
        STEPS,
        || {
            let mut balls = plane();
            (0..STEPS).for_each(|_| {
                black_box(balls.step().expect("a step"));
            });
        },
        floor,
    );
    let kern = Kern::new(1.0, RESTITUTION, STEP, |_| -GRAVITY).expect("a system");
    table.pair(
        "Kern's scheme",
        "",
        STEPS,
        || {
            black_box(kern_run(&kern));
        },
        || {
            black_box(kern_ball(black_box([1.0, 0.0]), STEPS, STEP, RESTITUTION));
        },
    );
    for (n, count) in [(3, 2000), (10, 400), (50, 50), (200, 4), (300, 2)] {
        let (mut scheme, mut alone) = (row(n), Solve::new(n));
        let name = format!("{n} degrees of freedom, over faer's solve");
        table.pair(&name, "", count, || steps(&mut scheme, count), || alone.run(count));
        // What a caller pays who looks at the ledger after each step.
        let mut scheme = row(n);
        let name = format!("{n} degrees of freedom, ledger read, over faer's solve");
        let read = |scheme: &mut Theta<_>| {
            for _ in 0..count {
                steps(scheme, 1);
                black_box(scheme.energy());
            }
        };
        table.pair(&name, "", count, || read(&mut scheme), || alone.run(count));
    }
    for (n, count) in [(10, 20), (50, 1), (200, 1)] {
        let (mut scheme, mut alone, iterations) = (bent(n), Solve::new(n), Cell::new(0));
        let run = || {
            let each = (0..count).map(|_| black_box(scheme.step().expect("a step")).newton);
            iterations.set(each.sum());
        };
        let name = format!("{n} degrees of freedom, nonlinear, over its factorisations");
        table.pair(&name, "", count, run, || alone.factorise(iterations.get()));
    }
    let mut balls = heap();
    let (mut contacts, mut sweeps, mut times) = (0, 0, Vec::new());
    for _ in 0..200 {
        let clock = Instant::now();
        let step = balls.step().expect("a step");
        times.push(clock.elapsed().as_secs_f64() * 1e9 / step.contacts.max(1) as f64);
        (contacts, sweeps) = (contacts + step.contacts, sweeps + step.sweeps);
    }
    times.sort_by(f64::total_cmp);
    println!("200 balls: {:.0} contacts and {:.1} sweeps a step", contacts as f64 / 200.0, sweeps as f64 / 200.0);
    let name = "heap of 200 balls, a contact of a step (median)".to_owned();
    table.push(Row { name, time: times[100], floor: None, wanted: "" });
    table.record();
}

fn time(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, elements: u64, mut f: impl FnMut()) {
    group.throughput(Throughput::Elements(elements));
    group.bench_function(name, |b| b.iter(&mut f));
}

fn group(c: &mut Criterion) {
    let mut g = c.benchmark_group("moreau");
    g.sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    time(&mut g, "one ball (floor)", STEPS, || {
        black_box(theta_ball(black_box([1.0, 0.0]), STEPS, STEP, RESTITUTION));
    });
    time(&mut g, "one ball, by matrices", STEPS, || steps(&mut line(), STEPS));
    for n in [3, 30, 300] {
        let (mut scheme, mut alone) = (row(n), Solve::new(n));
        time(&mut g, &format!("{n} dof, solve alone (floor)"), 1, || alone.run(1));
        time(&mut g, &format!("{n} dof"), 1, || steps(&mut scheme, 1));
    }
    let mut balls = heap();
    time(&mut g, "200 balls, a step", 1, || {
        black_box(balls.step().expect("a step"));
    });
    g.finish();
}

fn main() {
    prove();
    let mut criterion = Criterion::default().configure_from_args();
    group(&mut criterion);
    criterion.final_summary();
    ratios();
}
