//! Ten thousand random crossings against roots that were bracketed without the search: of polynomials by their critical points, of
//! other motion by samples of the dense output.

use super::*;

/// Random numbers that are the same in every run (Steele's SplitMix64).
struct Random(u64);

impl Random {
    fn between(&mut self, from: f64, to: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        from + (to - from) * ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Where `f` changes its sign between two points at which it has not the same one.
fn root(f: impl Fn(f64) -> f64, mut lo: f64, mut hi: f64) -> f64 {
    let positive = f(lo) > 0.0;
    for _ in 0..200 {
        let middle = 0.5 * (lo + hi);
        *(if (f(middle) > 0.0) == positive { &mut lo } else { &mut hi }) = middle;
    }
    hi
}

/// A polynomial by its coefficients, lowest first.
#[derive(Clone, Debug)]
struct Polynomial(Vec<f64>);

impl Polynomial {
    fn at(&self, t: f64) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, c| sum * t + c)
    }

    fn size(&self, t: f64) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, c| sum * t + c.abs())
    }

    fn slope(&self) -> Polynomial {
        Polynomial(self.0.iter().enumerate().skip(1).map(|(i, c)| i as f64 * c).collect())
    }

    fn times(&self, other: &Polynomial) -> Polynomial {
        let mut product = vec![0.0; self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Polynomial(product)
    }

    fn plus(&self, other: &Polynomial, factor: f64) -> Polynomial {
        let of = |p: &Polynomial, i: usize| p.0.get(i).copied().unwrap_or(0.0);
        Polynomial((0..self.0.len().max(other.0.len())).map(|i| of(self, i) + factor * of(other, i)).collect())
    }

    /// All roots up to `end`, between critical points; `None` where it all but touches zero, or starts or ends there.
    fn roots(&self, end: f64) -> Option<Vec<f64>> {
        let mut places = vec![0.0];
        if self.0.len() > 2 {
            places.extend(self.slope().roots(end)?);
        }
        places.push(end);
        if places.iter().any(|t| self.at(*t).abs() <= 1e-9 * self.size(*t)) {
            return None;
        }
        let change = |pair: &&[f64]| (self.at(pair[0]) > 0.0) != (self.at(pair[1]) > 0.0);
        Some(places.windows(2).filter(change).map(|pair| root(|t| self.at(t), pair[0], pair[1])).collect())
    }
}

#[test]
fn ten_thousand_crossings_of_parabolas_are_met_to_rounding() {
    let mut random = Random(1);
    let deep = Ground::graph("-1000").unwrap();
    let (mut checked, mut left_out) = (0, 0);
    while checked < 10_000 {
        let mut within = |size: f64| random.between(-size, size);
        let (position, velocity) = ([within(2.0), within(2.0)], [within(8.0), within(8.0)]);
        let [a, b, c, p, q] = [within(1.0), within(1.0), within(3.0), within(3.0), within(3.0)];
        let [line_x, line_y, speed, radius] = [within(5.0), within(5.0), within(9.0).abs(), within(4.0).abs() + 0.1];
        let end = 2.0;
        let one = |c: f64| Polynomial(vec![c]);
        let x = Polynomial(vec![position[0], velocity[0]]);
        let y = Polynomial(vec![position[1], velocity[1], -0.5 * G]);
        let (vx, vy) = (x.slope(), y.slope());
        let (off_x, off_y) = (x.plus(&one(p), -1.0), y.plus(&one(q), -1.0));
        let circle = off_x.times(&off_x).plus(&off_y.times(&off_y), 1.0).plus(&one(radius * radius), -1.0);
        let line = Polynomial(x.0.iter().map(|c| a * c).collect()).plus(&y, b).plus(&one(c), -1.0);
        let cases = [
            (Watch::x(line_x), x.plus(&one(line_x), -1.0)),
            (Watch::y(line_y), y.plus(&one(line_y), -1.0)),
            (
                Watch::new(Watched::Speed(speed)),
                vx.times(&vx).plus(&vy.times(&vy), 1.0).plus(&one(speed * speed), -1.0),
            ),
            (Watch::new(Watched::Apex), vy.clone()),
            (Watch::formula(&format!("{a:?}*x + {b:?}*y - {c:?}")).unwrap(), line),
            (Watch::formula(&format!("(x - {p:?})^2 + (y - {q:?})^2 - {:?}", radius * radius)).unwrap(), circle),
        ];
        let mut throw = Simulation::new(Ball::point(1.0).unwrap(), deep.clone()).thrown_from(position, velocity);
        for (watch, _) in &cases {
            throw = throw.watch(watch.clone());
        }
        let run = throw.run(end).unwrap();
        for (index, (watch, polynomial)) in cases.iter().enumerate() {
            let found = run.crossings().iter().filter(|crossing| crossing.watch == index);
            let found: Vec<f64> = found.map(|crossing| crossing.moment.time).collect();
            let Some(roots) = polynomial.roots(end) else {
                left_out += 1;
                continue;
            };
            assert_eq!(found.len(), roots.len(), "{watch:?}: {found:?} {roots:?}");
            for (found, root) in found.iter().zip(&roots) {
                let slope = polynomial.slope();
                let rounding = 16.0 * f64::EPSILON * polynomial.size(*root) / slope.at(*root).abs();
                assert!((found - root).abs() <= 1e-12 * root + rounding, "{watch:?}: {found} {root}");
                checked += 1;
            }
        }
    }
    assert!(left_out < 10, "{left_out} polynomials all but touch zero");
}

/// Runs over hills, in a bowl, through air, on soft ground; by all methods.
const RUNS: [&str; 8] = [
    "ground.curve = { kind = 'graph', y = '0.25*sin(pi*x)' }\nball = { radius = 0.05 }\ncontact = { restitution = 0.7, friction = 0.2 }\n\
     initial = { position = [-0.75, 1.2], velocity = [3.5, 0] }",
    "ground.curve = { kind = 'graph', y = 'x^2' }\ninitial = { contact = { x = 0.8 } }\nsolver.tolerance = 1e-10",
    "ground.curve = { kind = 'graph', y = '0.3*x^2' }\nball = { radius = 0.1 }\ncontact = { friction = 0.3 }\n\
     initial = { contact = { x = 1, speed = 2, spin = 'rolling' } }\nsolver.formulation = 'arc-length'",
    "ground.curve = { kind = 'graph', y = '0.1*sin(3*x)' }\nball = { radius = 0.05 }\ncontact = { law = 'hertz', stiffness = 1e5, viscosity = 5 }\n\
     initial = { position = [0, 1], velocity = [1, 0] }",
    "ground.curve = { kind = 'graph', y = '0' }\nforces = { drag = { coefficient = 0.05 } }\ncontact = { restitution = 0.8 }\n\
     initial = { position = [0, 2], velocity = [4, 6] }\nsolver.method = 'ballistic'",
    "ground.curve = { kind = 'graph', y = '0' }\nforces = { drag = { coefficient = 0.02 }, wind = [-3, 0] }\ncontact = { restitution = 0.8 }\n\
     initial = { position = [0, 1], velocity = [4, 6] }\nsolver.method = 'dop853'",
    "ground.curve = { kind = 'graph', y = '0' }\nforces = { external = { x = 'sin(9*t)', y = '-x' } }\ncontact = { restitution = 0.6 }\n\
     initial = { position = [0, 1], velocity = [2, 3] }\nsolver.method = 'radau'",
    "ground = { curve = { kind = 'graph', y = '0' }, motion = { y = '0.05*sin(20*t)' } }\nball = { radius = 0.02 }\n\
     contact = { restitution = 0.5, friction = 0.2 }\ninitial = { position = [0, 0.5], velocity = [1, 0] }\nsolver.method = 'bdf'",
];

#[test]
fn none_is_missed_or_invented_on_the_ground_and_by_any_method() {
    let mut random = Random(7);
    let (end, looks, mut checked) = (3.0, 20_000, 0);
    for text in RUNS {
        let plain = Simulation::from_text(text).unwrap();
        let path = plain.run(end).unwrap();
        let at = |time: f64| path.at(time).unwrap();
        let samples: Vec<Moment> = (0..=looks).map(|i| at(end * f64::from(i) / f64::from(looks))).collect();
        type Quantity = Box<dyn Fn(&Moment) -> f64>;
        let mut cases: Vec<(Watch, Quantity)> = Vec::new();
        // Values that some sample has, so that most are met.
        for _ in 0..6 {
            let Moment { position, velocity, normal_force, .. } =
                samples[random.between(0.0, f64::from(looks)) as usize];
            let ([x, y], [vx, vy]) = (<[f64; 2]>::from(position), <[f64; 2]>::from(velocity));
            let speed = vx.hypot(vy);
            let (turn, tilt) = (random.between(-1.0, 1.0), random.between(-1.0, 1.0));
            let level = turn * vx + tilt * y;
            let formula = format!("{turn:?}*vx + {tilt:?}*y - ({level:?})");
            cases.push((Watch::x(x), Box::new(move |m| m.position[0] - x)));
            cases.push((Watch::y(y), Box::new(move |m| m.position[1] - y)));
            cases.push((
                Watch::new(Watched::Speed(speed)),
                Box::new(move |m| m.velocity[0].hypot(m.velocity[1]) - speed),
            ));
            cases.push((
                Watch::formula(&formula).unwrap(),
                Box::new(move |m| turn * m.velocity[0] + tilt * m.position[1] - level),
            ));
            if normal_force > 0.0 {
                let force = 0.99 * normal_force;
                cases.push((Watch::new(Watched::NormalForce(force)), Box::new(move |m| m.normal_force - force)));
            }
        }
        let watched = cases.iter().fold(plain.clone(), |run, (watch, _)| run.watch(watch.clone()));
        let run = watched.run(end).unwrap();
        assert_eq!(run.events(), path.events(), "a watch changed the run");
        for (index, (watch, quantity)) in cases.iter().enumerate() {
            let mut found = run.crossings().iter().filter(|crossing| crossing.watch == index).peekable();
            let scale = samples.iter().map(|sample| quantity(sample).abs()).fold(0.0, f64::max);
            for pair in samples.windows(2) {
                let (before, after) = (quantity(&pair[0]), quantity(&pair[1]));
                let mut here = Vec::new();
                while let Some(crossing) = found.next_if(|crossing| crossing.moment.time <= pair[1].time) {
                    here.push(crossing);
                }
                // A sample that is the value itself but for rounding has no side.
                if before.abs().min(after.abs()) <= 1e-12 * scale {
                    continue;
                }
                assert_eq!(here.len() % 2 == 1, (before > 0.0) != (after > 0.0), "{text}\n{watch:?} {pair:?} {here:?}");
                if let [one] = here[..] {
                    let time = root(|time| quantity(&at(time)), pair[0].time, pair[1].time);
                    assert!(
                        (one.moment.time - time).abs() <= 1e-12 * end,
                        "{text}\n{watch:?} {} {time}",
                        one.moment.time
                    );
                    assert_eq!(one.rising, after > 0.0);
                    checked += 1;
                }
                // Two between two samples: one way and back.
                assert!(here.windows(2).all(|pair| pair[0].rising != pair[1].rising));
            }
        }
    }
    assert!(checked > 600, "{checked}");
}

#[test]
fn a_ball_on_the_ground_turns_and_passes_places_of_it() {
    let bowl = Simulation::new(Ball::point(1.0).unwrap(), Ground::graph("x^2").unwrap()).on_ground(0.5, 0.0);
    let watched = bowl.watch(Watch::new(Watched::Turn)).watch(Watch::new(Watched::S(0.1))).watch(Watch::x(0.1));
    let run = watched.tolerance(1e-11).run(4.0).unwrap();
    let times = |watch: usize| -> Vec<f64> {
        run.crossings().iter().filter(|crossing| crossing.watch == watch).map(|crossing| crossing.moment.time).collect()
    };
    let [turns, places, abscissas] = [0, 1, 2].map(times);
    // It starts at a turn, which is no passage; then half a period lies between them.
    assert!(turns.len() >= 2 && turns[0] > 0.5);
    for pair in turns.windows(2) {
        assert!((pair[1] - pair[0] - turns[0]).abs() < 1e-9, "{turns:?}");
    }
    assert!(places.len() >= 4 && places.len() == abscissas.len());
    assert!(places.iter().zip(&abscissas).all(|(a, b)| (a - b).abs() < 1e-14));
}

#[test]
fn grazes_are_told_where_they_are_more_than_rounding() {
    // The top of a throw: 2·√(2δ/g) apart if the line is δ below it; within rounding of the path it is no crossing.
    let (height, rise) = (1.0, 5.0);
    let top = height + 0.5 * rise * rise / G;
    let throw = Simulation::new(Ball::point(1.0).unwrap(), Ground::graph("-9").unwrap());
    let throw = throw.thrown_from([0.0, height], [1.0, rise]);
    for exponent in 1..=18 {
        let below = 10f64.powi(-exponent);
        for (level, crossed) in [(top - below, true), (top + below, false)] {
            let run = throw.clone().watch(Watch::y(level)).run(1.0).unwrap();
            let times: Vec<f64> = run.crossings().iter().map(|crossing| crossing.moment.time).collect();
            match exponent {
                ..=13 => assert_eq!(times.len(), if crossed { 2 } else { 0 }, "{level} {times:?}"),
                16.. => assert!(times.is_empty(), "{level} {times:?}"),
                _ => assert!(times.is_empty() || crossed && times.len() == 2, "{level} {times:?}"),
            }
            if let [first, last] = times[..] {
                let apart = 2.0 * (2.0 * below / G).sqrt();
                // The level itself is known to rounding.
                assert!((last - first - apart).abs() <= 1e-12 + 1e-15 / apart, "{below} {} {apart}", last - first);
            }
        }
    }
}
