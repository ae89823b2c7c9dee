//! Balls that fall into a box and come to rest (μ = 0.3, e = 0, h = 1 ms) by Kugelbahn, Siconos, rapier2d and pymunk, each at several
//! settings: time, overlap and energy side by side. See README.md.

use std::process::{Command, Stdio};
use std::time::Instant;

use balls::{GRAVITY, balls, mass};
use mechanics::State;
use moreau::{BallSettings, Projection};
use rapier2d_f64::prelude::*;
use reference::heap::{HeapStart, Vessel};

#[path = "../../../../crates/moreau/tests/heaps/balls.rs"]
mod balls;

/// Steps of the fall, steps at rest, and between states that are looked at.
const FALL: usize = 1000;
const REST: usize = 200;
const EVERY: usize = 20;

/// `x, y, vx, vy, ω` of each ball.
type Picture = Vec<[f64; 5]>;

/// Seconds of the fall and of the rest, and the states.
type Film = (f64, f64, Vec<Picture>);

/// Steps of a method between pictures.
fn film(mut step: impl FnMut(), mut picture: impl FnMut() -> Picture) -> Film {
    drop(picture());
    let (mut pictures, mut times) = (Vec::new(), [0.0; 2]);
    for k in 0..(FALL + REST) / EVERY {
        let clock = Instant::now();
        (0..EVERY).for_each(|_| step());
        times[usize::from(k >= FALL / EVERY)] += clock.elapsed().as_secs_f64();
        pictures.push(picture());
    }
    (times[0], times[1], pictures)
}

fn kugelbahn(heap: &HeapStart, tolerance: f64, prediction: f64, projected: Option<f64>) -> Film {
    let projection = projected.map(|tolerance| Projection { tolerance, ..Projection::default() });
    let settings = BallSettings { tolerance, prediction, projection, ..BallSettings::new(heap.step) };
    let balls = std::cell::RefCell::new(balls(heap, settings).expect("a start"));
    let picture = || {
        let balls = balls.borrow();
        let of = |State { position: q, velocity: v, spin, .. }: State| [q.x, q.y, v.x, v.y, spin];
        (0..balls.len()).map(|i| of(balls.state(i))).collect()
    };
    film(
        || {
            balls.borrow_mut().step().expect("a step");
        },
        picture,
    )
}

fn rapier(heap: &HeapStart, iterations: usize) -> Film {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, -GRAVITY);
    world.integration_parameters.dt = heap.step;
    // Its lengths are parts of this: the size of a ball, as its documentation has it.
    world.integration_parameters.length_unit = 0.02;
    world.integration_parameters.num_solver_iterations = iterations;
    let surface = |collider: ColliderBuilder| collider.restitution(heap.restitution).friction(heap.friction);
    for ends in heap.vessel.windows(2) {
        let [a, b] = [ends[0], ends[1]].map(|[x, y]| Vector::new(x, y));
        let (along, thick) = (b - a, 0.1);
        // A wall behind the line.
        let normal = Vector::new(along.y, -along.x).normalize();
        let centre = (a + b) * 0.5 + normal * thick;
        let wall = ColliderBuilder::cuboid(0.5 * along.length() + thick, thick);
        world.insert_collider(surface(wall).translation(centre).rotation(along.y.atan2(along.x)), None);
    }
    let bodies: Vec<_> = (0..heap.radii.len())
        .map(|i| {
            let (radius, [x, y], [vx, vy]) = (heap.radii[i], heap.places[i], heap.velocities[i]);
            let inertia = 0.4 * mass(radius) * radius * radius;
            let body = RigidBodyBuilder::dynamic()
                .translation(Vector::new(x, y))
                .linvel(Vector::new(vx, vy))
                .additional_mass_properties(MassProperties::new(Vector::ZERO, mass(radius), inertia))
                .can_sleep(false);
            let body = world.insert_body(body);
            world.insert_collider(surface(ColliderBuilder::ball(radius)).density(0.0), Some(body));
            body
        })
        .collect();
    let world = std::cell::RefCell::new(world);
    let picture = || {
        let world = world.borrow();
        let of = |body: &RigidBody| {
            let (q, v) = (body.translation(), body.linvel());
            [q.x, q.y, v.x, v.y, body.angvel()]
        };
        bodies.iter().map(|body| of(&world.bodies[*body])).collect()
    };
    film(|| world.borrow_mut().step(), picture)
}

/// By a script of `python/`, with two numbers of its own; `None`: its package is not there.
fn scripted(heap: &HeapStart, python: &str, script: &str, settings: [f64; 2]) -> Option<Film> {
    let script = format!("{}/python/{script}", env!("CARGO_MANIFEST_DIR"));
    let counts = [FALL, REST, EVERY].map(|count| count.to_string()).join(" ");
    let [first, second] = settings;
    let mut text = format!("{first:?} {second:?} {:?} {:?} {GRAVITY:?} {counts}\n", heap.step, heap.friction);
    text += &heap.vessel.iter().flatten().map(|x| format!("{x:?} ")).collect::<String>();
    for i in 0..heap.radii.len() {
        let ([x, y], [vx, vy], radius) = (heap.places[i], heap.velocities[i], heap.radii[i]);
        text += &format!("\n{:?} {radius:?} {x:?} {y:?} {vx:?} {vy:?}", mass(radius));
    }
    let file = std::env::temp_dir().join(format!("heaps-{}.txt", std::process::id()));
    std::fs::write(&file, text).ok()?;
    let output = Command::new(python).args(["-B", &script]).arg(&file).stderr(Stdio::null()).output().ok()?;
    let _ = std::fs::remove_file(file);
    let text = String::from_utf8(output.stdout).ok()?;
    let mut numbers = text.split_whitespace().map(|word| word.parse::<f64>().unwrap_or(f64::NAN));
    let (fall, rest) = (numbers.next()?, numbers.next()?);
    let numbers: Vec<f64> = numbers.collect();
    let balls: Vec<[f64; 5]> =
        numbers.chunks_exact(5).map(|ball| [ball[0], ball[1], ball[2], ball[3], ball[4]]).collect();
    Some((fall, rest, balls.chunks_exact(heap.radii.len()).map(<[_]>::to_vec).collect()))
}

/// Largest overlap, m: of two balls, or of one and a wall.
fn overlap(heap: &HeapStart, picture: &Picture) -> f64 {
    let (left, right) = (heap.vessel[1][0], heap.vessel[2][0]);
    let mut largest = 0.0_f64;
    for (i, [x, y, ..]) in picture.iter().enumerate() {
        let radius = heap.radii[i];
        largest = largest.max(radius - y).max(radius - (x - left)).max(radius - (right - x));
        for (j, [other_x, other_y, ..]) in picture.iter().enumerate().take(i) {
            largest = largest.max(radius + heap.radii[j] - (x - other_x).hypot(y - other_y));
        }
    }
    largest
}

/// Kinetic and potential, J.
fn energy(heap: &HeapStart, picture: &Picture) -> f64 {
    let one = |([_, y, vx, vy, spin], radius): (&[f64; 5], &f64)| {
        mass(*radius) * (0.5 * (vx * vx + vy * vy + 0.4 * (radius * spin).powi(2)) + GRAVITY * y)
    };
    picture.iter().zip(&heap.radii).map(one).sum()
}

fn row(heap: &HeapStart, name: &str, (fall, rest, pictures): Film) {
    let overlaps: Vec<f64> = pictures.iter().map(|picture| overlap(heap, picture)).collect();
    let energies: Vec<f64> = pictures.iter().map(|picture| energy(heap, picture)).collect();
    let gained: f64 = energies.windows(2).map(|pair| (pair[1] - pair[0]).max(0.0)).sum();
    let last = pictures.last().expect("pictures");
    let fastest = last.iter().map(|[_, _, vx, vy, _]| vx.hypot(*vy)).fold(0.0, f64::max);
    let worst = |overlaps: &[f64]| 1e6 * overlaps.iter().copied().fold(0.0, f64::max);
    println!(
        "| {name} | {:.3} | {:.3} | {:.1} | {:.1} | {:.1e} | {fastest:.1e} |",
        1e3 * fall / FALL as f64,
        1e3 * rest / REST as f64,
        worst(&overlaps),
        worst(&overlaps[FALL / EVERY..]),
        gained / energies[0],
    );
}

fn main() {
    let counts: Vec<usize> = std::env::args().skip(1).map(|count| count.parse().expect("a number of balls")).collect();
    for count in if counts.is_empty() { vec![50, 200] } else { counts } {
        let heap = HeapStart::new(count, Vessel::Box, 0.15, 0.1, 0.1, 1);
        println!("\n{count} balls\n");
        println!(
            "| by | falling, ms a step | at rest | largest overlap, µm | at rest | energy gained, part | fastest at the end, m/s |"
        );
        println!("| --- | --- | --- | --- | --- | --- | --- |");
        for tolerance in [1e-2, 1e-3, 1e-4, 1e-6] {
            row(&heap, &format!("Kugelbahn, {tolerance:e} m/s"), kugelbahn(&heap, tolerance, 0.5, None));
        }
        row(&heap, "Kugelbahn, 1e-4 m/s, prediction 1", kugelbahn(&heap, 1e-4, 1.0, None));
        row(&heap, "Kugelbahn, 1e-4 m/s, projected to 1 µm", kugelbahn(&heap, 1e-4, 1.0, Some(1e-6)));
        for iterations in [4, 10, 100, 1000] {
            row(&heap, &format!("rapier2d, {iterations} iterations"), rapier(&heap, iterations));
        }
        let python = std::env::var("PEERS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        for (iterations, slop) in [(10.0, 1e-3), (10.0, 1e-5), (100.0, 1e-5), (1000.0, 1e-5)] {
            match scripted(&heap, &python, "heaps.py", [iterations, slop]) {
                Some(film) => row(&heap, &format!("pymunk, {iterations} iterations, slop {slop:e} m"), film),
                None => println!("| pymunk: not installed here |"),
            }
        }
        // It takes minutes for 50 balls.
        if count > 50 {
            continue;
        }
        for (tolerance, iterations) in [(1e-4, 1e3), (1e-8, 1e3), (1e-8, 1e5)] {
            match scripted(&heap, "/usr/bin/python3", "siconos_heaps.py", [tolerance, iterations]) {
                Some(film) => {
                    let parted = apart(&film, &kugelbahn(&heap, 1e-8, 0.5, None));
                    row(&heap, &format!("Siconos, tolerance {tolerance:e}, {iterations} iterations at most"), film);
                    println!("\n{parted}\n");
                }
                None => println!("| Siconos: not installed here |"),
            }
        }
    }
}

/// How long two films show the same, to a micrometre.
fn apart((_, _, one): &Film, (_, _, other): &Film) -> String {
    let mut last = 0.0;
    for (index, (one, other)) in one.iter().zip(other).enumerate() {
        let far = one.iter().zip(other).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).fold(0.0, f64::max);
        if far > 1e-6 {
            return format!("places as Kugelbahn's to 1e-8 m/s up to {last:.1e} m until step {}", index * EVERY);
        }
        last = f64::max(last, far);
    }
    format!("places as Kugelbahn's to 1e-8 m/s up to {last:.1e} m to the end")
}
