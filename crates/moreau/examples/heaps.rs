//! Steps of heaps as a deck of problems, and what solvers make of them.
//!
//! ```sh
//! cargo run --release -p kugelbahn-moreau --example heaps              # the deck by three methods
//! cargo run --release -p kugelbahn-moreau --example heaps -- deck 12   # of 12 runs of 43
//! cargo run --release -p kugelbahn-moreau --example heaps -- rest 200 1000 5000
//! ```
//!
//! The deck is made anew each time, by the solver under test: steps of 42 random heaps and pours of 60 to 1000 balls, the hardest among
//! them, and of 5000 balls that fall into a box.

#![allow(clippy::print_stdout, reason = "a measurement prints what it measured")]

use std::time::Instant;

use lcp::friction::{Bodies, Lever, one};
use moreau::nalgebra::{Matrix3, Vector2, Vector3};
use moreau::{BallSettings, Balls, Island};
use reference::heap::{HeapStart, Vessel};

#[path = "../tests/heaps/balls.rs"]
mod balls;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((first, counts)) if first == "rest" => counts.iter().try_for_each(|count| rest(count.parse()?)),
        Some((_, runs)) if !runs.is_empty() => compare(&deck(runs[0].parse()?)?),
        _ => compare(&deck(43)?),
    }
}

fn balls(heap: &HeapStart, tolerance: f64) -> Result<Balls, Failure> {
    balls::balls(heap, BallSettings { tolerance, ..BallSettings::new(heap.step) })
}

/// Balls that fall into a box and come to rest, μ = 0.3, e = 0, h = 1 ms: the fall to 1e-3 m/s with a bound on work, and from there on to
/// 1e-6 m/s without.
fn rest(count: usize) -> Result<(), Failure> {
    let heap = HeapStart::new(count, Vessel::Box, 0.15, 0.1, 0.1, 1);
    println!("{count} balls\n| until, s | contacts | ms a step | longest, ms | missed | residual, m/s | kinetic, J |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    // What settles is not followed to the end: a step that takes more work keeps the best found, and is counted.
    let settings = BallSettings { tolerance: 1e-3, sweeps: 300, ..BallSettings::new(heap.step) };
    let mut fall = balls::balls(&heap, settings)?;
    hundreds(&mut fall, 12)?;
    let states: Vec<_> = (0..count).map(|ball| fall.state(ball)).collect();
    hundreds(&mut balls::resumed(&heap, &states, BallSettings { tolerance: 1e-6, ..BallSettings::new(heap.step) })?, 6)
}

/// Hundreds of steps, a row each.
fn hundreds(balls: &mut Balls, count: usize) -> Result<(), Failure> {
    for _ in 0..count {
        let (clock, mut longest, missed) = (Instant::now(), 0.0_f64, balls.audit().residuals.missed);
        let mut contacts = 0;
        for _ in 0..100 {
            let clock = Instant::now();
            contacts = balls.step()?.contacts;
            longest = longest.max(clock.elapsed().as_secs_f64());
        }
        let (mean, missed) = (clock.elapsed().as_secs_f64() / 100.0, balls.audit().residuals.missed - missed);
        let (time, kinetic, worst) = (balls.time(), balls.energy().kinetic, balls.audit().residuals.worst);
        let (mean, longest) = (1e3 * mean, 1e3 * longest);
        println!("| {time:.1} | {contacts} | {mean:.2} | {longest:.1} | {missed} | {worst:.1e} | {kinetic:.1e} |");
    }
    Ok(())
}

/// The problem of a step, and where its solver started.
#[derive(Clone, Debug)]
struct Problem {
    masses: Vec<Matrix3<f64>>,
    levers: Vec<[Option<Lever>; 2]>,
    velocity: Vec<[f64; 2]>,
    friction: Vec<f64>,
    start: Vec<[f64; 2]>,
}

impl Problem {
    fn of(island: &Island) -> Problem {
        let (bodies, start) = island.problem();
        Problem {
            masses: bodies.inverse_masses.to_vec(),
            levers: bodies.levers.to_vec(),
            velocity: bodies.velocity.to_vec(),
            friction: bodies.friction.to_vec(),
            start: start.to_vec(),
        }
    }

    fn bodies(&self) -> Bodies<'_> {
        let Problem { masses, levers, velocity, friction, .. } = self;
        Bodies { inverse_masses: masses, levers, velocity, friction }
    }
}

/// Of each run some 15 steps: each thirtieth, each that took more than any before, and those of more than some sweeps.
fn deck(runs: usize) -> Result<Vec<Problem>, Failure> {
    let mut deck = Vec::new();
    for seed in 0..runs {
        let count = if seed == 42 { 5000 } else { [60, 100, 200, 400, 700, 1000][seed % 6] };
        let mut heap = HeapStart::random(seed as u64 + 1000, count, count);
        heap.restitution = if seed.is_multiple_of(3) { heap.restitution } else { 0.0 };
        (heap.friction, heap.step) = (heap.friction.max(0.02), heap.step.max(5e-4));
        if seed == 42 {
            heap = HeapStart::new(count, Vessel::Box, 0.15, 0.1, 0.1, 1);
        }
        let mut balls = balls(&heap, 1e-6)?;
        let (mut kept, mut last, mut most) = (0, 0, 0);
        while kept < 15 && balls.index() < 2000 {
            let step = balls.step()?;
            let since = balls.index() - last;
            let Some(island) = balls.islands().iter().max_by_key(|island| island.len()) else { continue };
            let hard = since >= 5 && step.sweeps > 20 || step.sweeps > most;
            if 2 * island.len() > count.min(1000) && step.sweeps > 0 && (hard || since >= 30) {
                (most, last, kept) = (most.max(step.sweeps), balls.index(), kept + 1);
                deck.push(Problem::of(island));
            }
        }
    }
    Ok(deck)
}

/// Largest natural map, m/s, as [`lcp::friction`] has it.
fn residual(problem: &Bodies<'_>, impulse: &[[f64; 2]], change: &mut [Vector3<f64>]) -> f64 {
    problem.move_by(impulse, change);
    (0..impulse.len()).fold(0.0, |worst, i| {
        let (w, p, u) = (problem.block(i), impulse[i], problem.velocity_after(i, change));
        let limit = problem.friction[i] * p[0];
        let slip = w[1][1] * (p[1] - (p[1] - u[1] / w[1][1]).clamp(-limit, limit));
        worst.max(u[0].min(w[0][0] * p[0]).abs()).max(slip.abs())
    })
}

/// Each contact in turn, as most engines do it (Bullet, Box2D, PhysX; NSGS in Siconos).
fn sweeps(problem: &Bodies<'_>, impulse: &mut [[f64; 2]], most: usize, goal: f64) -> f64 {
    let n = impulse.len();
    let mut change = vec![Vector3::zeros(); problem.inverse_masses.len()];
    let blocks: Vec<_> = (0..n).map(|i| problem.block(i)).collect();
    let mut left = residual(problem, impulse, &mut change);
    for sweep in 0..most {
        for i in (0..n).map(|i| if sweep % 2 == 0 { i } else { n - 1 - i }) {
            let (w, p, u) = (blocks[i], impulse[i], problem.velocity_after(i, &change));
            let free = [0, 1].map(|k| u[k] - w[k][0] * p[0] - w[k][1] * p[1]);
            let Ok(new) = one(w, free, problem.friction[i]) else { continue };
            impulse[i] = new.impulse;
            for lever in problem.levers[i].iter().flatten() {
                let push = lever.rows.transpose() * (Vector2::from(new.impulse) - Vector2::from(p));
                change[lever.body] += problem.inverse_masses[lever.body] * push;
            }
        }
        if sweep % 16 == 15 {
            left = residual(problem, impulse, &mut change);
            if left <= goal {
                break;
            }
        }
    }
    left
}

/// Nesterov's projected gradient with restarts on the convex cone problem, as in Chrono (Mazhar et al., *ACM Trans. Graph.* 34 (2015) 32),
/// with de Saxcé's shift `μ|u_t|` renewed every 100 steps, so that its answer is Coulomb's.
fn gradient(problem: &Bodies<'_>, impulse: &mut [[f64; 2]], most: usize, goal: f64) -> f64 {
    let n = impulse.len();
    let mut change = vec![Vector3::zeros(); problem.inverse_masses.len()];
    let mut vector = vec![[1.0, 0.5]; n];
    let mut largest = 0.0_f64;
    for _ in 0..30 {
        problem.move_by(&vector, &mut change);
        let image: Vec<[f64; 2]> =
            (0..n).map(|i| [0, 1].map(|k| problem.velocity_after(i, &change)[k] - problem.velocity[i][k])).collect();
        largest = image.iter().flatten().map(|x| x * x).sum::<f64>().sqrt();
        vector = image.iter().map(|u| u.map(|x| x / largest)).collect();
    }
    let rate = 0.9 / largest;
    let mut shift = vec![0.0; n];
    let (mut ahead, mut before) = (impulse.to_vec(), impulse.to_vec());
    let (mut theta, mut best) = (1.0_f64, f64::INFINITY);
    for step in 0..most {
        problem.move_by(&ahead, &mut change);
        let mut against = 0.0;
        for i in 0..n {
            let u = problem.velocity_after(i, &change);
            let slope = [u[0] + shift[i], u[1]];
            impulse[i] = onto_cone([0, 1].map(|k| ahead[i][k] - rate * slope[k]), problem.friction[i]);
            against += (0..2).map(|k| slope[k] * (impulse[i][k] - before[i][k])).sum::<f64>();
        }
        let next = 0.5 * (theta * (theta * theta + 4.0).sqrt() - theta * theta);
        let push = if against > 0.0 { 0.0 } else { theta * (1.0 - theta) / (theta * theta + next) };
        theta = if against > 0.0 { 1.0 } else { next };
        for i in 0..n {
            ahead[i] = [0, 1].map(|k| impulse[i][k] + push * (impulse[i][k] - before[i][k]));
        }
        before.copy_from_slice(impulse);
        if step % 100 == 99 {
            best = best.min(residual(problem, impulse, &mut change));
            if best <= goal {
                break;
            }
            (0..n).for_each(|i| shift[i] = problem.friction[i] * problem.velocity_after(i, &change)[1].abs());
        }
    }
    best
}

fn onto_cone([normal, tangential]: [f64; 2], friction: f64) -> [f64; 2] {
    if tangential.abs() <= friction * normal {
        return [normal, tangential];
    }
    let along = (normal + friction * tangential.abs()) / (1.0 + friction * friction);
    if along <= 0.0 { [0.0; 2] } else { [along, (friction * along).copysign(tangential)] }
}

fn compare(deck: &[Problem]) -> Result<(), Failure> {
    const GOAL: f64 = 1e-8;
    let contacts = deck.iter().map(|problem| problem.start.len());
    println!(
        "{} steps of {:?} to {:?} contacts, to {GOAL:e} m/s, from the last step's impulses",
        deck.len(),
        contacts.clone().min(),
        contacts.max()
    );
    println!("| method | solved | residual: median, worst | ms: median, mean, longest |\n| --- | --- | --- | --- |");
    let mut heap = lcp::friction::Heap::default();
    heap.tolerance = GOAL;
    let mut rounds = |problem: &Bodies<'_>, impulse: &mut [[f64; 2]]| match heap.solve(*problem, impulse) {
        Ok(settled) => settled.residual,
        Err(lcp::Failure::NotReached { residual, .. }) => residual,
        Err(_) => f64::INFINITY,
    };
    table(deck, GOAL, "2000 sweeps", &mut |problem, impulse| sweeps(problem, impulse, 2000, GOAL));
    table(deck, GOAL, "5000 accelerated gradients", &mut |problem, impulse| gradient(problem, impulse, 5000, GOAL));
    table(deck, GOAL, "rounds (`HeapStart`)", &mut rounds);
    Ok(())
}

fn table(deck: &[Problem], goal: f64, name: &str, method: &mut dyn FnMut(&Bodies<'_>, &mut [[f64; 2]]) -> f64) {
    let (mut left, mut times) = (Vec::new(), Vec::new());
    for problem in deck {
        let mut impulse = problem.start.clone();
        let clock = Instant::now();
        left.push(method(&problem.bodies(), &mut impulse));
        times.push(1e3 * clock.elapsed().as_secs_f64());
    }
    let solved = left.iter().filter(|residual| **residual <= goal).count();
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    left.sort_by(f64::total_cmp);
    times.sort_by(f64::total_cmp);
    let (middle, last) = (deck.len() / 2, deck.len() - 1);
    println!(
        "| {name} | {solved} of {} | {:.1e}, {:.1e} | {:.2}, {mean:.1}, {:.0} |",
        deck.len(),
        left[middle],
        left[last],
        times[middle],
        times[last]
    );
}
