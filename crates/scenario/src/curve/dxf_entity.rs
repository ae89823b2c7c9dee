//! Entities of a DXF drawing (Autodesk, DXF Reference) as lines, arcs and Bézier curves.

use std::f64::consts::PI;

use nalgebra::Vector2;

/// Points nearer to each other, or to a plane, than this part of the size of what is drawn are one, or in it.
pub(super) const MEET: f64 = 1e-6;

/// A group: its code, its value, and the bytes of the value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group<'a> {
    pub code: i32,
    pub value: &'a str,
    pub at: usize,
}

/// What an entity draws, in drawing units: parts that follow each other.
#[derive(Clone, Debug)]
pub(super) struct Entity {
    pub name: String,
    pub layer: String,
    /// Bytes of its name.
    pub at: usize,
    pub parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Part {
    pub from: Vector2<f64>,
    pub to: Vector2<f64>,
    pub shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    Line,
    /// By the tangent of a quarter of its angle, counter-clockwise if positive.
    Bulge(f64),
    /// By its centre, half of its diameters, and the angles of both ends.
    Ellipse {
        centre: Vector2<f64>,
        diameters: [Vector2<f64>; 2],
        angles: [f64; 2],
    },
    Quadratic(Vector2<f64>),
    Cubic(Vector2<f64>, Vector2<f64>),
}

/// Numbers of a curve that are no curve.
#[derive(Debug, PartialEq)]
pub(super) struct Unreadable(pub &'static str);

impl Part {
    pub fn reversed(self) -> Part {
        let shape = match self.shape {
            Shape::Line => Shape::Line,
            Shape::Bulge(bulge) => Shape::Bulge(-bulge),
            Shape::Ellipse { centre, diameters: [u, v], angles: [from, to] } => {
                Shape::Ellipse { centre, diameters: [u, -v], angles: [-to, -from] }
            }
            Shape::Quadratic(p) => Shape::Quadratic(p),
            Shape::Cubic(p, q) => Shape::Cubic(q, p),
        };
        Part { from: self.to, to: self.from, shape }
    }

    /// The other way round in x: what is seen from behind.
    fn mirrored(self) -> Part {
        let m = |p: Vector2<f64>| Vector2::new(-p.x, p.y);
        let shape = match self.shape {
            Shape::Bulge(bulge) => Shape::Bulge(-bulge),
            shape => shape,
        };
        Part { from: m(self.from), to: m(self.to), shape }
    }

    /// Centre and radius of an arc with this bulge.
    pub fn circle(&self, bulge: f64) -> (Vector2<f64>, f64) {
        let chord = self.to - self.from;
        let aside = Vector2::new(-chord.y, chord.x) * ((1.0 - bulge * bulge) / (4.0 * bulge));
        let centre = 0.5 * (self.from + self.to) + aside;
        (centre, (self.from - centre).norm())
    }

    /// Points on it, for its size.
    pub fn samples(&self) -> Vec<Vector2<f64>> {
        let (from, to) = (self.from, self.to);
        let mut points = vec![from, to];
        match self.shape {
            Shape::Line => {}
            Shape::Bulge(bulge) => {
                let chord = to - from;
                points.push(0.5 * (from + to) + Vector2::new(chord.y, -chord.x) * (0.5 * bulge));
            }
            Shape::Ellipse { centre, diameters: [u, v], angles: [a, b] } => {
                points.extend((1..32).map(|i| {
                    let (sine, cosine) = (a + (b - a) * f64::from(i) / 32.0).sin_cos();
                    centre + cosine * u + sine * v
                }));
            }
            Shape::Quadratic(p) => points.push(0.25 * (from + 2.0 * p + to)),
            Shape::Cubic(p, q) => points.push(0.125 * (from + 3.0 * (p + q) + to)),
        }
        points
    }

    /// The same between other ends that are all but its own.
    pub fn between(mut self, from: Vector2<f64>, to: Vector2<f64>) -> Part {
        let (by_from, by_to) = (from - self.from, to - self.to);
        match &mut self.shape {
            Shape::Line | Shape::Bulge(_) | Shape::Quadratic(_) => {}
            Shape::Cubic(p, q) => {
                *p += by_from;
                *q += by_to;
            }
            Shape::Ellipse { centre, diameters, .. } => {
                let (old, new) = (self.to - self.from, to - from);
                // Turned and stretched as its chord is, where that says how.
                let square = old.norm_squared();
                let (c, s) = match square > 1e-6 * diameters[0].norm_squared() {
                    true => (old.dot(&new) / square, old.perp(&new) / square),
                    false => (1.0, 0.0),
                };
                let map = |v: Vector2<f64>| Vector2::new(c * v.x - s * v.y, s * v.x + c * v.y);
                *centre = from + map(*centre - self.from);
                *diameters = diameters.map(map);
            }
        }
        Part { from, to, ..self }
    }
}

/// The values of an entity by their codes.
pub(super) struct Values<'g, 'a> {
    pub groups: &'g [Group<'a>],
}

impl Values<'_, '_> {
    fn all(&self, code: i32) -> impl Iterator<Item = f64> + '_ {
        self.groups.iter().filter(move |group| group.code == code).map(|group| number(group.value))
    }

    fn get(&self, code: i32) -> Option<f64> {
        self.all(code).next()
    }

    pub fn or(&self, code: i32, default: f64) -> f64 {
        self.get(code).unwrap_or(default)
    }

    pub fn point(&self, x: i32) -> Vector2<f64> {
        Vector2::new(self.or(x, f64::NAN), self.or(x + 10, f64::NAN))
    }

    fn points(&self, x: i32) -> Vec<Vector2<f64>> {
        self.all(x).zip(self.all(x + 10)).map(|(x, y)| Vector2::new(x, y)).collect()
    }
}

fn number(text: &str) -> f64 {
    text.trim().parse().unwrap_or(f64::NAN)
}

/// What an entity with these groups draws; empty of one that draws no line.
pub(super) fn parts(name: &str, groups: &[Group]) -> Result<Vec<Part>, Unreadable> {
    let values = Values { groups };
    if matches!(name, "LINE" | "SPLINE") {
        level(groups.iter())?;
    }
    let parts = match name {
        "LINE" => straight(values.point(10), values.point(11)).into_iter().collect(),
        "LWPOLYLINE" => {
            let vertices = light_vertices(groups);
            polyline(&vertices, values.or(70, 0.0) as i64 & 1 == 1)
        }
        "ARC" => {
            let (centre, radius) = (values.point(10), values.or(40, f64::NAN));
            let [from, to] = [50, 51].map(|code| values.or(code, f64::NAN).to_radians());
            round(centre, radius, from, (to - from).rem_euclid(2.0 * PI))
        }
        "CIRCLE" => round(values.point(10), values.or(40, f64::NAN), 0.0, 2.0 * PI),
        "ELLIPSE" => ellipse(&values),
        "SPLINE" => return spline(&values),
        _ => Vec::new(),
    };
    // Coordinates of the others are of the page, whichever side it is seen from.
    let own = matches!(name, "LWPOLYLINE" | "ARC" | "CIRCLE");
    let behind = own && values.or(230, 1.0) < 0.0;
    finite(if behind { parts.into_iter().map(Part::mirrored).collect() } else { parts })
}

fn finite(parts: Vec<Part>) -> Result<Vec<Part>, Unreadable> {
    let bound = |p: &Vector2<f64>| p.iter().all(|c| c.is_finite());
    let good = parts.iter().all(|part| {
        bound(&part.from)
            && bound(&part.to)
            && match part.shape {
                Shape::Line => true,
                Shape::Bulge(bulge) => bulge.is_finite(),
                Shape::Ellipse { centre, diameters: [u, v], angles } => {
                    bound(&centre) && bound(&u) && bound(&v) && angles.iter().all(|angle| angle.is_finite())
                }
                Shape::Quadratic(p) => bound(&p),
                Shape::Cubic(p, q) => bound(&p) && bound(&q),
            }
    });
    if good { Ok(parts) } else { Err(Unreadable("a number is missing or not finite")) }
}

/// Whether points in space are in the plane of the drawing, or one beside it.
fn level<'g>(groups: impl Iterator<Item = &'g Group<'g>>) -> Result<(), Unreadable> {
    let mut ranges = [(f64::INFINITY, f64::NEG_INFINITY); 3];
    for group in groups.filter(|group| (10..=33).contains(&group.code) && group.code % 10 <= 3) {
        let (low, high) = &mut ranges[group.code as usize / 10 - 1];
        let value = number(group.value);
        (*low, *high) = (low.min(value), high.max(value));
    }
    let [x, y, z] = ranges.map(|(low, high)| (high - low).max(0.0));
    if z > MEET * x.max(y) {
        Err(Unreadable("its z changes, so it is not in the plane of the drawing"))
    } else {
        Ok(())
    }
}

fn straight(from: Vector2<f64>, to: Vector2<f64>) -> Option<Part> {
    (from != to).then_some(Part { from, to, shape: Shape::Line })
}

/// Vertices with the bulge of the way to the next, as they follow each other in an LWPOLYLINE.
fn light_vertices(groups: &[Group]) -> Vec<(Vector2<f64>, f64)> {
    let mut vertices: Vec<(Vector2<f64>, f64)> = Vec::new();
    for group in groups {
        match (group.code, vertices.last_mut()) {
            (10, _) => vertices.push((Vector2::new(number(group.value), f64::NAN), 0.0)),
            (20, Some((vertex, _))) => vertex.y = number(group.value),
            (42, Some((_, bulge))) => *bulge = number(group.value),
            _ => {}
        }
    }
    vertices
}

/// The vertices of a POLYLINE, from the groups of each VERTEX; `flags` of the POLYLINE (70): 1 closed, 16 and 64 a mesh.
pub(super) fn old_polyline(flags: i64, vertices: &[&[Group]], behind: bool) -> Result<Vec<Part>, Unreadable> {
    if flags & (16 | 64) != 0 {
        return Ok(Vec::new());
    }
    level(vertices.iter().copied().flatten())?;
    let vertex = |groups: &&[Group]| {
        let values = Values { groups };
        // Control points of a spline that was fitted are no points of it.
        (values.or(70, 0.0) as i64 & 16 == 0).then(|| (values.point(10), values.or(42, 0.0)))
    };
    let vertices: Vec<_> = vertices.iter().filter_map(vertex).collect();
    let parts = polyline(&vertices, flags & 1 == 1);
    finite(if behind { parts.into_iter().map(Part::mirrored).collect() } else { parts })
}

/// The numbers of a POLYLINE that its vertices need: flags, and whether it is seen from behind.
pub(super) fn polyline_flags(groups: &[Group]) -> (i64, bool) {
    let values = Values { groups };
    (values.or(70, 0.0) as i64, values.or(230, 1.0) < 0.0)
}

fn polyline(vertices: &[(Vector2<f64>, f64)], closed: bool) -> Vec<Part> {
    let count = vertices.len();
    let last = if closed { count } else { count.saturating_sub(1) };
    let part = |i: usize| {
        let ((from, bulge), (to, _)) = (vertices[i], vertices[(i + 1) % count]);
        let shape = if bulge == 0.0 { Shape::Line } else { Shape::Bulge(bulge) };
        (from != to).then_some(Part { from, to, shape })
    };
    (0..last).filter_map(part).collect()
}

/// An arc; a whole circle is two halves. Programs write the angle of one also as 0.
fn round(centre: Vector2<f64>, radius: f64, from: f64, sweep: f64) -> Vec<Part> {
    let at = |angle: f64| centre + radius * Vector2::new(angle.cos(), angle.sin());
    let bulge = |sweep: f64| Shape::Bulge((0.25 * sweep).tan());
    let sweep = if sweep == 0.0 { 2.0 * PI } else { sweep };
    // Further round than this the bulge says little.
    if sweep > 1.5 * PI {
        let middle = from + 0.5 * sweep;
        let (a, b, c) = (at(from), at(middle), if sweep == 2.0 * PI { at(from) } else { at(from + sweep) });
        let shape = bulge(0.5 * sweep);
        return vec![Part { from: a, to: b, shape }, Part { from: b, to: c, shape }];
    }
    vec![Part { from: at(from), to: at(from + sweep), shape: bulge(sweep) }]
}

fn ellipse(values: &Values) -> Vec<Part> {
    let (centre, u) = (values.point(10), values.point(11));
    let ratio = values.or(40, f64::NAN) * values.or(230, 1.0).signum();
    let v = ratio * Vector2::new(-u.y, u.x);
    let (from, to) = (values.or(41, 0.0), values.or(42, 2.0 * PI));
    let sweep = (to - from).rem_euclid(2.0 * PI);
    // Angles are written to six decimals.
    let whole = !(1e-5..=2.0 * PI - 1e-5).contains(&sweep);
    let to = from + if whole { 2.0 * PI } else { sweep };
    let at = |angle: f64| centre + angle.cos() * u + angle.sin() * v;
    let end = if whole { at(from) } else { at(to) };
    vec![Part { from: at(from), to: end, shape: Shape::Ellipse { centre, diameters: [u, v], angles: [from, to] } }]
}

/// A B-spline of degree 1 to 3 as Bézier curves, by knots put in until each counts as often as the degree (Boehm 1980).
fn spline(values: &Values) -> Result<Vec<Part>, Unreadable> {
    let degree = values.or(71, 3.0) as usize;
    let (mut knots, mut points): (Vec<f64>, _) = (values.all(40).collect(), values.points(10));
    let weights: Vec<f64> = values.all(41).collect();
    if points.is_empty() && values.get(11).is_some() {
        return Err(Unreadable("it has fit points alone, and programs differ on the curve between them"));
    }
    if !(1..=3).contains(&degree) {
        return Err(Unreadable("its degree is none of 1, 2 and 3"));
    }
    if weights.iter().any(|weight| *weight != weights[0]) {
        return Err(Unreadable("it is rational"));
    }
    let sorted = knots.windows(2).all(|pair| pair[0] <= pair[1]);
    if points.len() <= degree || knots.len() != points.len() + degree + 1 || !sorted {
        return Err(Unreadable("its knots do not fit its control points"));
    }
    let (first, last) = (knots[degree], knots[points.len()]);
    let mut i = degree;
    let mut at = first;
    while at <= last {
        let times = knots.iter().filter(|knot| **knot == at).count();
        for _ in times..degree {
            insert(&mut knots, &mut points, degree, at);
        }
        i = knots.iter().position(|knot| *knot > at).unwrap_or(knots.len()).max(i);
        match knots.get(i) {
            Some(next) => at = *next,
            None => break,
        }
    }
    // The first control point of the curve from `first` on.
    let begin = knots.iter().rposition(|knot| *knot <= first).unwrap_or(degree) - degree;
    let spans = {
        let mut inner: Vec<f64> = knots.iter().copied().filter(|knot| (first..=last).contains(knot)).collect();
        inner.dedup();
        inner.len().saturating_sub(1)
    };
    let curve = |span: usize| {
        let at = begin + span * degree;
        let p = points.get(at..=at + degree)?;
        let shape = match degree {
            1 => Shape::Line,
            2 => Shape::Quadratic(p[1]),
            _ => Shape::Cubic(p[1], p[2]),
        };
        (p[1..].iter().any(|q| *q != p[0])).then_some(Part { from: p[0], to: p[degree], shape })
    };
    finite((0..spans).filter_map(curve).collect())
}

/// Puts a knot in: the curve stays.
fn insert(knots: &mut Vec<f64>, points: &mut Vec<Vector2<f64>>, degree: usize, at: f64) {
    let Some(span) = knots.iter().rposition(|knot| *knot <= at) else { return };
    let mut new = Vec::with_capacity(points.len() + 1);
    for i in 0..=points.len() {
        let point = if i + degree <= span {
            points[i]
        } else if i > span || knots[i] >= at {
            points[i - 1]
        } else {
            let part = (at - knots[i]) / (knots[i + degree] - knots[i]);
            points[i - 1] * (1.0 - part) + points[i] * part
        };
        new.push(point);
    }
    knots.insert(span + 1, at);
    *points = new;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(text: &str) -> Vec<Group<'_>> {
        let mut words = text.split_whitespace();
        std::iter::from_fn(|| Some(Group { code: words.next()?.parse().unwrap(), value: words.next()?, at: 0 }))
            .collect()
    }

    fn at(part: &Part, t: f64) -> Vector2<f64> {
        let Shape::Cubic(p, q) = part.shape else { panic!("{part:?}") };
        let s = 1.0 - t;
        part.from * (s * s * s) + p * (3.0 * s * s * t) + q * (3.0 * s * t * t) + part.to * (t * t * t)
    }

    /// Uniform cubic B-splines are (P₀ + 4P₁ + P₂)/6 at a knot and (P₀ + 23P₁ + 23P₂ + P₃)/48 between two.
    #[test]
    fn a_spline_is_its_bezier_curves() {
        let points = [[0.0, 0.0], [1.0, 2.0], [3.0, 3.0], [4.0, 0.0], [6.0, 1.0], [7.0, 5.0]].map(Vector2::from);
        let xy: String = points.iter().map(|p| format!(" 10 {} 20 {}", p.x, p.y)).collect();
        let knots: String = (0..10).map(|i| format!(" 40 {i}")).collect();
        let text = format!("71 3 {knots} {xy}");
        let parts = parts("SPLINE", &groups(&text)).unwrap();
        assert_eq!(parts.len(), 3);
        for (i, part) in parts.iter().enumerate() {
            let p = &points[i..];
            let (knot, middle): (Vector2<f64>, Vector2<f64>) =
                ((p[0] + 4.0 * p[1] + p[2]) / 6.0, (p[0] + 23.0 * p[1] + 23.0 * p[2] + p[3]) / 48.0);
            assert!((part.from - knot).norm() < 1e-14 && (at(part, 0.5) - middle).norm() < 1e-14, "{part:?}");
        }
        // With all knots at its ends it begins and ends in its outer points; between, C² as before.
        let knots: String = [0, 0, 0, 0, 1, 2, 3, 3, 3, 3].iter().map(|k| format!(" 40 {k}")).collect();
        let text = format!("71 3 {knots} {xy}");
        let parts = super::parts("SPLINE", &groups(&text)).unwrap();
        assert_eq!((parts.len(), parts[0].from, parts[2].to), (3, points[0], points[5]));
        for pair in parts.windows(2) {
            let (Shape::Cubic(p, q), Shape::Cubic(r, s)) = (pair[0].shape, pair[1].shape) else { panic!() };
            let end = pair[0].to;
            assert!((2.0 * end - q - r).norm() < 1e-14 && (p - 2.0 * q - (s - 2.0 * r)).norm() < 1e-13);
        }
        for (text, why) in [("71 3 11 0 21 0", "fit points"), ("71 5 10 0 20 0", "degree"), ("71 3 10 0 20 0", "knots")]
        {
            assert!(super::parts("SPLINE", &groups(text)).unwrap_err().0.contains(why));
        }
    }

    #[test]
    fn arcs_and_what_is_seen_from_behind() {
        let one = |name: &str, text: &str| {
            let found = parts(name, &groups(text)).unwrap();
            assert_eq!(found.len(), 1);
            found[0]
        };
        let quarter = one("ARC", "10 1 20 2 40 3 50 0 51 90");
        let Shape::Bulge(bulge) = quarter.shape else { panic!() };
        assert!((bulge - (PI / 8.0).tan()).abs() < 1e-15);
        assert!((quarter.from - Vector2::new(4.0, 2.0)).norm() + (quarter.to - Vector2::new(1.0, 5.0)).norm() < 1e-14);
        let behind = one("ARC", "10 1 20 2 40 3 50 0 51 90 230 -1");
        assert!((behind.to - Vector2::new(-1.0, 5.0)).norm() < 1e-14 && behind.shape == Shape::Bulge(-bulge));
        assert_eq!(parts("CIRCLE", &groups("10 0 20 0 40 1")).unwrap().len(), 2);
        let closed = parts("LWPOLYLINE", &groups("70 1 10 0 20 0 42 1 10 1 20 0 10 1 20 1")).unwrap();
        assert_eq!((closed.len(), closed[0].shape, closed[2].to), (3, Shape::Bulge(1.0), Vector2::zeros()));
        assert!(parts("ARC", &groups("10 1 20 x 40 3 50 0 51 90")).is_err());
        assert!(parts("TEXT", &groups("10 1 20 0")).unwrap().is_empty());
    }
}
