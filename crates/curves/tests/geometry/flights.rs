//! Random grounds with gaps of their own, and random flights over them.

use std::f64::consts::PI;

use curves::{Arc, Graph, Ground, GroundError, Line, Motion, OffsetGround, Piece};
use nalgebra::Vector2;
use numbers::{Expression, Interval};

/// splitmix64.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn between(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
    pub fn chance(&mut self, p: f64) -> bool {
        self.between(0.0, 1.0) < p
    }
}

#[derive(Debug)]
pub enum Shape {
    /// `Σ a sin(k x + p) + Σ b exp(−((x−c)/w)²) + q x²`
    Graph {
        waves: Vec<[f64; 3]>,
        bumps: Vec<[f64; 3]>,
        square: f64,
    },
    Segments(Vec<Vector2<f64>>),
    /// Straight lines and arcs: (from, to) or (centre, radius, from, to).
    Parts(Vec<Part>),
}

#[derive(Debug, Clone, Copy)]
pub enum Part {
    Straight(Vector2<f64>, Vector2<f64>),
    Round(Vector2<f64>, f64, f64, f64),
}

#[derive(Debug)]
pub struct Scene {
    pub shape: Shape,
    pub radius: f64,
}

#[derive(Debug)]
pub struct Flight {
    pub start: Motion,
    pub duration: f64,
    pub on_ground: bool,
}

impl Flight {
    pub fn at(&self, t: f64) -> Vector2<f64> {
        self.start.position + t * (self.start.velocity + 0.5 * t * self.start.acceleration)
    }
    pub fn velocity(&self, t: f64) -> Vector2<f64> {
        self.start.velocity + t * self.start.acceleration
    }
}

fn waves(rng: &mut Rng) -> Shape {
    let mut waves = Vec::new();
    for _ in 0..1 + rng.next() % 3 {
        let k = rng.between(0.5, 8.0);
        waves.push([rng.between(0.02, 0.6) / k.sqrt(), k, rng.between(0.0, 6.0)]);
    }
    let mut bumps = Vec::new();
    for _ in 0..rng.next() % 3 {
        bumps.push([rng.between(-0.5, 1.0), rng.between(-2.0, 2.0), 10f64.powf(rng.between(-2.5, 0.0))]);
    }
    let square = if rng.chance(0.3) { rng.between(-0.3, 1.0) } else { 0.0 };
    Shape::Graph { waves, bumps, square }
}

pub fn graph(rng: &mut Rng) -> Scene {
    Scene { shape: waves(rng), radius: 0.0 }
}

pub fn graph_with_ball(rng: &mut Rng) -> Scene {
    Scene { shape: waves(rng), radius: 10f64.powf(rng.between(-2.0, -0.5)) }
}

fn segments(rng: &mut Rng) -> Shape {
    let mut points = vec![Vector2::new(-3.0, rng.between(-0.5, 0.5))];
    while points[points.len() - 1].x < 3.0 {
        let last = points[points.len() - 1];
        points.push(last + Vector2::new(rng.between(0.02, 0.8), rng.between(-0.6, 0.6)));
    }
    Shape::Segments(points)
}

pub fn polyline(rng: &mut Rng) -> Scene {
    Scene { shape: segments(rng), radius: 0.0 }
}

pub fn polyline_with_ball(rng: &mut Rng) -> Scene {
    Scene { shape: segments(rng), radius: 10f64.powf(rng.between(-2.0, -0.3)) }
}

/// A chain of lines and arcs that advances in x, turning smoothly or with a corner.
fn parts(rng: &mut Rng) -> Shape {
    let mut parts = Vec::new();
    let mut at = Vector2::new(-3.0, 0.0);
    let mut heading = rng.between(-0.6, 0.6);
    while at.x < 3.0 {
        let forward = Vector2::new(heading.cos(), heading.sin());
        if rng.chance(0.5) {
            let to = at + rng.between(0.05, 0.8) * forward;
            parts.push(Part::Straight(at, to));
            at = to;
        } else {
            let left = rng.chance(0.5);
            let sense = if left { 1.0 } else { -1.0 };
            let radius = 10f64.powf(rng.between(-1.3, 0.3));
            let limit = if left { 1.2 - heading } else { 1.2 + heading };
            let turn = rng.between(0.05, 0.9) * limit;
            let centre = at + sense * radius * Vector2::new(-forward.y, forward.x);
            let from = heading - sense * PI / 2.0;
            let to = from + sense * turn;
            parts.push(Part::Round(centre, radius, from, to));
            at = centre + radius * Vector2::new(to.cos(), to.sin());
            heading += sense * turn;
        }
        if rng.chance(0.3) {
            heading = rng.between(-1.0, 1.0);
        }
    }
    Shape::Parts(parts)
}

pub fn composite(rng: &mut Rng) -> Scene {
    Scene { shape: parts(rng), radius: 0.0 }
}

pub fn composite_with_ball(rng: &mut Rng) -> Scene {
    Scene { shape: parts(rng), radius: 10f64.powf(rng.between(-2.0, -0.3)) }
}

fn segment_distance(q: Vector2<f64>, a: Vector2<f64>, b: Vector2<f64>) -> (f64, f64) {
    let along = b - a;
    let part = ((q - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
    let away = q - (a + part * along);
    (away.norm(), along.perp(&away).signum())
}

fn arc_distance(q: Vector2<f64>, centre: Vector2<f64>, radius: f64, from: f64, to: f64) -> (f64, f64) {
    let d = q - centre;
    let (lo, hi) = if from < to { (from, to) } else { (to, from) };
    let angle = d.y.atan2(d.x);
    let turns = ((lo - angle) / (2.0 * PI)).ceil();
    let inside = angle + 2.0 * PI * turns <= hi;
    let end = |a: f64| (q - centre - radius * Vector2::new(a.cos(), a.sin())).norm();
    let distance = if inside { (d.norm() - radius).abs() } else { end(lo).min(end(hi)) };
    let side = if (d.norm() < radius) == (from < to) { 1.0 } else { -1.0 };
    (distance, side)
}

impl Scene {
    pub fn build(&self) -> Result<Ground, GroundError> {
        match &self.shape {
            Shape::Graph { waves, bumps, square } => {
                let mut text = format!("{square}*x^2");
                for [a, k, p] in waves {
                    text += &format!(" + {a}*sin({k}*x + {p})");
                }
                for [b, c, w] in bumps {
                    text += &format!(" + ({b})*exp(-((x-({c}))/{w})^2)");
                }
                let y = Expression::parse(&text, &["x"], &[]).expect("a formula");
                Ground::new(vec![Piece::of(Graph { y }, Interval::REAL)])
            }
            Shape::Segments(points) => Ground::by_arc_length(Piece::polyline(points)?),
            Shape::Parts(parts) => {
                let piece = |part: &Part| match *part {
                    Part::Straight(a, b) => {
                        let (line, length) = Line::new(a, b).expect("a line");
                        Piece::of(line, Interval::new(0.0, length))
                    }
                    Part::Round(centre, radius, from, to) => {
                        let (arc, length) = Arc::new(centre, radius, from, to).expect("an arc");
                        Piece::of(arc, Interval::new(0.0, length))
                    }
                };
                Ground::by_arc_length(parts.iter().map(piece).collect())
            }
        }
    }

    fn height(&self, x: f64) -> f64 {
        match &self.shape {
            Shape::Graph { waves, bumps, square } => {
                let wave: f64 = waves.iter().map(|[a, k, p]| a * (k * x + p).sin()).sum();
                let bump: f64 = bumps.iter().map(|[b, c, w]| b * (-((x - c) / w).powi(2)).exp()).sum();
                square * x * x + wave + bump
            }
            _ => f64::NAN,
        }
    }

    /// Gap from closed forms, or for balls over graphs from sampling and golden section; a graph's for a point is
    /// measured vertically, which has the same roots.
    pub fn gap(&self, q: Vector2<f64>) -> f64 {
        let distances: Vec<(f64, f64)> = match &self.shape {
            Shape::Graph { .. } if self.radius == 0.0 => return q.y - self.height(q.x),
            Shape::Graph { .. } => return self.graph_gap(q),
            Shape::Segments(points) => points.windows(2).map(|p| segment_distance(q, p[0], p[1])).collect(),
            Shape::Parts(parts) => parts
                .iter()
                .map(|part| match *part {
                    Part::Straight(a, b) => segment_distance(q, a, b),
                    Part::Round(centre, radius, from, to) => arc_distance(q, centre, radius, from, to),
                })
                .collect(),
        };
        let nearest = distances.iter().map(|(d, _)| *d).fold(f64::INFINITY, f64::min);
        if self.radius > 0.0 {
            return nearest - self.radius;
        }
        // These chains advance in x, so above and below is told by the piece at this abscissa.
        self.above(q) * nearest
    }

    fn above(&self, q: Vector2<f64>) -> f64 {
        let sign = |c: bool| if c { 1.0 } else { -1.0 };
        match &self.shape {
            Shape::Graph { .. } => sign(q.y >= self.height(q.x)),
            Shape::Segments(points) => points
                .windows(2)
                .find(|p| p[0].x <= q.x && q.x <= p[1].x)
                .map_or(1.0, |p| segment_distance(q, p[0], p[1]).1),
            Shape::Parts(parts) => {
                let mut side = 1.0;
                for part in parts {
                    match *part {
                        Part::Straight(a, b) if a.x <= q.x && q.x <= b.x => side = segment_distance(q, a, b).1,
                        Part::Round(c, r, from, to) => {
                            let (a, b) = (c.x + r * from.cos(), c.x + r * to.cos());
                            if a <= q.x && q.x <= b {
                                let arch = (r * r - (q.x - c.x).powi(2)).max(0.0).sqrt();
                                let y = if from < to { c.y - arch } else { c.y + arch };
                                side = sign(q.y >= y);
                            }
                        }
                        _ => {}
                    }
                }
                side
            }
        }
    }

    fn graph_gap(&self, q: Vector2<f64>) -> f64 {
        let r = self.radius;
        let distance = |u: f64| (Vector2::new(u, self.height(u)) - q).norm();
        let Shape::Graph { bumps, .. } = &self.shape else { return f64::NAN };
        // Fine enough to see the narrowest bump.
        let finest = bumps.iter().map(|[_, _, w]| *w).fold(r / 20.0, f64::min) / 3.0;
        let n = (3.0 * r / finest).ceil();
        let (lo, step, n) = (q.x - 1.5 * r, 3.0 * r / n, n as usize);
        let mut best = f64::INFINITY;
        for i in 0..n {
            let (a, b, c) = (lo + step * (i as f64 - 1.0), lo + step * i as f64, lo + step * (i as f64 + 1.0));
            if distance(b) <= distance(a) && distance(b) <= distance(c) {
                best = best.min(golden(&distance, a, c));
            }
        }
        let above = if q.y >= self.height(q.x) { 1.0 } else { -1.0 };
        above * best.min(10.0 * r) - r
    }

    /// A flight that starts off the ground, or on it and leaving it.
    pub fn flight(&self, rng: &mut Rng, offset: &OffsetGround) -> Flight {
        loop {
            let acceleration = if rng.chance(0.9) {
                Vector2::new(0.0, -9.81)
            } else {
                Vector2::new(rng.between(-4.0, 4.0), rng.between(-9.0, 1.0))
            };
            let mut position = Vector2::new(rng.between(-2.5, 2.5), rng.between(-1.0, 3.0));
            let mut velocity = Vector2::new(rng.between(-5.0, 5.0), rng.between(-5.0, 5.0));
            let duration = rng.between(0.05, 2.0);
            let on_ground = rng.chance(0.3);
            if on_ground {
                let drop = Motion {
                    position: Vector2::new(position.x, 8.0),
                    velocity: Vector2::zeros(),
                    acceleration: Vector2::new(0.0, -1.0),
                };
                let path = curves::Path::parabola(drop, 10.0);
                let Ok(Some(contact)) = offset.first_contact(&path, None, &mut Default::default()) else { continue };
                position = contact.frame.position;
                let away = velocity.dot(&contact.frame.normal);
                if away < 0.0 {
                    velocity -= 2.0 * away * contact.frame.normal;
                }
                if away.abs() < 0.05 {
                    continue;
                }
            } else if self.gap(position) < 1e-3 || self.above(position) < 0.0 {
                continue;
            }
            return Flight { start: Motion { position, velocity, acceleration }, duration, on_ground };
        }
    }
}

/// The least value of `f` between `a` and `c`, by golden section and a parabola at the end.
fn golden(f: &dyn Fn(f64) -> f64, mut a: f64, mut c: f64) -> f64 {
    let g = 0.618_033_988_749_894_9;
    let (mut x, mut y) = (c - g * (c - a), a + g * (c - a));
    let (mut fx, mut fy) = (f(x), f(y));
    for _ in 0..45 {
        if fx < fy {
            (c, y, fy) = (y, x, fx);
            x = c - g * (c - a);
            fx = f(x);
        } else {
            (a, x, fx) = (x, y, fy);
            y = a + g * (c - a);
            fy = f(y);
        }
    }
    fx.min(fy)
}
