//! Grounds as one writes them.

use std::fmt;

use nalgebra::Vector2;

use super::{Formula, Map};

/// How far formulas without ends are written where they need ends, m.
const FAR: f64 = 100.0;

type Point = Vector2<f64>;

/// A curve table.
#[derive(Clone, Debug, PartialEq)]
pub enum Curve {
    Graph { y: Formula, domain: Option<[f64; 2]> },
    Parametric { x: Formula, y: Formula, domain: [f64; 2] },
    Circle { centre: Point, radius: f64, inside: bool },
    Arc { centre: Point, radius: f64, from: f64, to: f64 },
    Ellipse { centre: Point, semi: [f64; 2], turn: f64, inside: bool },
    Line { from: Point, to: Point },
    Polyline { points: Vec<Point> },
    Spline { points: Vec<Point> },
    Bezier { degree: usize, points: Vec<Point> },
    Offset { distance: f64, curve: Box<Curve> },
    Transform { map: Map, curve: Box<Curve> },
    Composite { pieces: Vec<Curve> },
}

impl Curve {
    pub fn graph(y: impl Into<String>) -> Self {
        Curve::Graph { y: Formula::new(y), domain: None }
    }

    pub fn parametric(x: impl Into<String>, y: impl Into<String>, domain: [f64; 2]) -> Self {
        Curve::Parametric { x: Formula::new(x), y: Formula::new(y), domain }
    }

    /// The image, by a transform around the curve.
    pub fn wrapped(&self, map: Map) -> Curve {
        Curve::Transform { map, curve: Box::new(self.clone()) }
    }

    /// The image, written out where its kind allows it; the free side stays where it was.
    pub fn mapped(&self, map: &Map) -> Curve {
        let along = |points: &[Point]| {
            let mut points: Vec<Point> = points.iter().map(|p| map.point(*p)).collect();
            if map.mirror {
                points.reverse();
            }
            points
        };
        let forward = Formula::new(if map.mirror { "-s" } else { "s" });
        let range = |[a, b]: [f64; 2]| if map.mirror { [-b, -a] } else { [a, b] };
        match self {
            Curve::Graph { y, domain } if map.turn == 0.0 => {
                let x = map.inverse().formulas([&Formula::new("x"), &Formula::zero()])[0].clone();
                let y = y.with(&[("x", x)]).times(map.scale).plus(map.shift.y);
                let domain = domain.map(|ends| range(ends).map(|x| x * map.scale + map.shift.x));
                Curve::Graph { y, domain }
            }
            Curve::Graph { .. } => self.by_parameter().mapped(map),
            Curve::Parametric { x, y, domain } => {
                let [x, y] = [x, y].map(|f| f.with(&[("s", forward.clone())]));
                let [x, y] = map.formulas([&x, &y]);
                Curve::Parametric { x, y, domain: range(*domain) }
            }
            Curve::Circle { centre, radius, inside } => {
                Curve::Circle { centre: map.point(*centre), radius: radius * map.scale, inside: *inside }
            }
            Curve::Arc { centre, radius, from, to } => {
                let ends = if map.mirror { [to, from].map(|a| std::f64::consts::PI - a) } else { [*from, *to] };
                let [from, to] = ends.map(|a| a + map.turn);
                Curve::Arc { centre: map.point(*centre), radius: radius * map.scale, from, to }
            }
            Curve::Ellipse { centre, semi, turn, inside } => Curve::Ellipse {
                centre: map.point(*centre),
                semi: semi.map(|a| a * map.scale),
                turn: turn * map.sign() + map.turn,
                inside: *inside,
            },
            Curve::Line { from, to } => {
                let ends = along(&[*from, *to]);
                Curve::Line { from: ends[0], to: ends[1] }
            }
            Curve::Polyline { points } => Curve::Polyline { points: along(points) },
            // A spline through points with growing x is one by x, and another one turned.
            Curve::Spline { points } if map.turn == 0.0 => Curve::Spline { points: along(points) },
            Curve::Spline { .. } | Curve::Transform { .. } => self.wrapped(*map),
            Curve::Bezier { degree, points } => Curve::Bezier { degree: *degree, points: along(points) },
            Curve::Offset { distance, curve } => {
                Curve::Offset { distance: distance * map.scale, curve: Box::new(curve.mapped(map)) }
            }
            Curve::Composite { pieces } => {
                let mut pieces: Vec<Curve> = pieces.iter().map(|piece| piece.mapped(map)).collect();
                if map.mirror {
                    pieces.reverse();
                }
                Curve::Composite { pieces }
            }
        }
    }

    /// Whether a ball may come around an end of it.
    pub fn has_ends(&self) -> bool {
        match self {
            Curve::Graph { domain, .. } => domain.is_some(),
            Curve::Circle { .. } | Curve::Ellipse { .. } => false,
            Curve::Offset { curve, .. } | Curve::Transform { curve, .. } => curve.has_ends(),
            _ => true,
        }
    }

    /// A graph as a parametric curve.
    fn by_parameter(&self) -> Curve {
        match self {
            Curve::Graph { y, domain } => Curve::Parametric {
                x: Formula::new("s"),
                y: y.with(&[("x", Formula::new("s"))]),
                domain: domain.unwrap_or([-FAR, FAR]),
            },
            other => other.clone(),
        }
    }

    /// The same curve by another parameter; `None` where it has no formula.
    pub fn by(&self, parameter: Parameter) -> Option<Curve> {
        match self.by_parameter() {
            Curve::Parametric { x, y, domain } => {
                let [x, y] = [x, y].map(|f| f.with(&[("s", Formula::new(parameter.text()))]));
                Some(Curve::Parametric { x, y, domain: domain.map(|end| parameter.inverse(end)) })
            }
            Curve::Transform { map, curve } => Some(curve.by(parameter)?.wrapped(map)),
            Curve::Offset { distance, curve } => {
                Some(Curve::Offset { distance, curve: Box::new(curve.by(parameter)?) })
            }
            Curve::Composite { pieces } => {
                let pieces: Vec<Curve> =
                    pieces.iter().map(|piece| piece.by(parameter).unwrap_or_else(|| piece.clone())).collect();
                let changed = Curve::Composite { pieces };
                (changed != *self).then_some(changed)
            }
            // By its formula, or those of its lines.
            other => other.otherwise(Map::SAME).iter().find_map(|curve| match (&other, curve) {
                (_, Curve::Parametric { .. }) | (Curve::Polyline { .. }, Curve::Composite { .. }) => {
                    curve.by(parameter)
                }
                _ => None,
            }),
        }
    }

    /// The same curve in other words. `map` is for a transform that undoes it.
    pub fn otherwise(&self, map: Map) -> Vec<Curve> {
        let mut others = vec![self.mapped(&map.inverse()).wrapped(map)];
        let composite = |pieces: Vec<Curve>| Curve::Composite { pieces };
        let round = |centre: &Point, radius: f64, from: f64, to: f64| {
            let sign = if from < to { "" } else { "-" };
            Curve::parametric(
                format!("{:?} + {radius:?}*cos({sign}s)", centre.x),
                format!("{:?} + {radius:?}*sin({sign}s)", centre.y),
                if from < to { [from, to] } else { [-from, -to] },
            )
        };
        let arcs = |centre: &Point, radius: f64, ends: &[f64]| {
            let arc = |pair: &[f64]| Curve::Arc { centre: *centre, radius, from: pair[0], to: pair[1] };
            composite(ends.windows(2).map(arc).collect())
        };
        let lines = |points: &[Point]| {
            composite(points.windows(2).map(|pair| Curve::Line { from: pair[0], to: pair[1] }).collect())
        };
        match self {
            Curve::Graph { y, domain } => {
                others.push(self.by_parameter());
                let [from, to] = domain.unwrap_or([-FAR, FAR]);
                // Cut where one comes by.
                let cuts = [from, from + 0.37 * (to - from), from + 0.51 * (to - from), to];
                let piece = |pair: &[f64]| Curve::Graph { y: y.clone(), domain: Some([pair[0], pair[1]]) };
                others.push(composite(cuts.windows(2).map(piece).collect()));
            }
            Curve::Circle { centre, radius, inside } => {
                let whole = if *inside { std::f64::consts::TAU } else { -std::f64::consts::TAU };
                others.push(round(centre, *radius, 0.0, whole));
                others.push(arcs(centre, *radius, &[0.0, 0.31 * whole, whole]));
                others.push(Curve::Ellipse { centre: *centre, semi: [*radius; 2], turn: 0.7, inside: *inside });
                let distance = 0.25 * radius;
                let around = radius + if *inside { distance } else { -distance };
                let curve = Box::new(Curve::Circle { centre: *centre, radius: around, inside: *inside });
                others.push(Curve::Offset { distance, curve });
            }
            Curve::Arc { centre, radius, from, to } => {
                others.push(round(centre, *radius, *from, *to));
                others.push(arcs(centre, *radius, &[*from, from + 0.6 * (to - from), *to]));
            }
            Curve::Line { from, to } => {
                let middle = from + 0.4 * (to - from);
                others.push(Curve::Polyline { points: vec![*from, *to] });
                others.push(Curve::Bezier { degree: 2, points: vec![*from, middle, *to] });
                others.push(lines(&[*from, middle, *to]));
                let linear = |a: f64, b: f64| format!("{a:?} + {:?}*s", b - a);
                others.push(Curve::parametric(linear(from.x, to.x), linear(from.y, to.y), [0.0, 1.0]));
                if from.x < to.x {
                    let slope = (to.y - from.y) / (to.x - from.x);
                    let y = Formula::new(format!("{:?} + {slope:?}*(x - {:?})", from.y, from.x));
                    others.push(Curve::Graph { y, domain: Some([from.x, to.x]) });
                }
            }
            Curve::Polyline { points } => others.push(lines(points)),
            Curve::Ellipse { centre, semi: [a, b], turn: 0.0, inside } => {
                let sign = if *inside { "" } else { "-" };
                others.push(Curve::parametric(
                    format!("{:?} + {a:?}*cos(s)", centre.x),
                    format!("{:?} {sign}+ {b:?}*sin(s)", centre.y).replace("-+", "-"),
                    [0.0, std::f64::consts::TAU],
                ));
            }
            Curve::Bezier { degree: 2, points } if points.len() == 3 => {
                let [a, b, c] = [points[0], points[1], points[2]];
                let formula = |i: usize| format!("{:?}*(1-s)^2 + {:?}*2*s*(1-s) + {:?}*s^2", a[i], b[i], c[i]);
                others.push(Curve::parametric(formula(0), formula(1), [0.0, 1.0]));
                let (ab, bc) = (0.5 * (a + b), 0.5 * (b + c));
                others.push(Curve::Bezier { degree: 2, points: vec![a, ab, 0.5 * (ab + bc), bc, c] });
                let cubic = vec![a, a + (b - a) * (2.0 / 3.0), c + (b - c) * (2.0 / 3.0), c];
                others.push(Curve::Bezier { degree: 3, points: cubic });
            }
            Curve::Transform { map, curve } => others.push(curve.mapped(map)),
            Curve::Composite { pieces } if pieces.len() > 2 => {
                let (first, rest) = pieces.split_at(1);
                others.push(composite(vec![first[0].clone(), composite(rest.to_vec())]));
            }
            _ => {}
        }
        others
    }
}

/// Parameters that are not the length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Parameter {
    Linear,
    Cubic,
    SteepCubic,
    Sinh,
    Wavy,
}

impl Parameter {
    pub const ALL: [Parameter; 5] =
        [Parameter::Linear, Parameter::Cubic, Parameter::SteepCubic, Parameter::Sinh, Parameter::Wavy];

    /// The old parameter by the new one.
    fn text(self) -> &'static str {
        match self {
            Parameter::Linear => "2.5*s - 0.7",
            Parameter::Cubic => "s + s^3/9",
            Parameter::SteepCubic => "s + s^3/3",
            Parameter::Sinh => "sinh(s)",
            Parameter::Wavy => "s + 0.3*sin(s)",
        }
    }

    fn at(self, s: f64) -> f64 {
        match self {
            Parameter::Linear => 2.5 * s - 0.7,
            Parameter::Cubic => s + s.powi(3) / 9.0,
            Parameter::SteepCubic => s + s.powi(3) / 3.0,
            Parameter::Sinh => s.sinh(),
            Parameter::Wavy => s + 0.3 * s.sin(),
        }
    }

    /// The new parameter, by bisection of the growing old one.
    fn inverse(self, value: f64) -> f64 {
        let (mut low, mut high) = (-value.abs() - 1.0, value.abs() + 1.0);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if self.at(middle) < value { low = middle } else { high = middle }
        }
        high
    }
}

fn point(p: &Point) -> String {
    format!("[{:?}, {:?}]", p.x, p.y)
}

fn list<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(", "))
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let side = |inside: &bool| if *inside { "inside" } else { "outside" };
        match self {
            Curve::Graph { y, domain: None } => write!(f, "{{ kind = \"graph\", y = \"{y}\" }}"),
            Curve::Graph { y, domain: Some(ends) } => {
                write!(f, "{{ kind = \"graph\", y = \"{y}\", domain = {ends:?} }}")
            }
            Curve::Parametric { x, y, domain } => {
                write!(f, "{{ kind = \"parametric\", x = \"{x}\", y = \"{y}\", domain = {domain:?} }}")
            }
            Curve::Circle { centre, radius, inside } => {
                let (centre, side) = (point(centre), side(inside));
                write!(f, "{{ kind = \"circle\", centre = {centre}, radius = {radius:?}, side = \"{side}\" }}")
            }
            Curve::Arc { centre, radius, from, to } => {
                let centre = point(centre);
                write!(f, "{{ kind = \"arc\", centre = {centre}, radius = {radius:?}, from = {from:?}, to = {to:?} }}")
            }
            Curve::Ellipse { centre, semi, turn, inside } => {
                let (centre, side) = (point(centre), side(inside));
                write!(
                    f,
                    "{{ kind = \"ellipse\", centre = {centre}, semi-axes = {semi:?}, turn = {turn:?}, side = \"{side}\" }}"
                )
            }
            Curve::Line { from, to } => {
                write!(f, "{{ kind = \"line\", from = {}, to = {} }}", point(from), point(to))
            }
            Curve::Polyline { points } => write!(f, "{{ kind = \"polyline\", points = {} }}", list(points, point)),
            Curve::Spline { points } => write!(f, "{{ kind = \"spline\", points = {} }}", list(points, point)),
            Curve::Bezier { degree, points } => {
                write!(f, "{{ kind = \"bezier\", degree = {degree}, points = {} }}", list(points, point))
            }
            Curve::Offset { distance, curve } => {
                write!(f, "{{ kind = \"offset\", distance = {distance:?}, curve = {curve} }}")
            }
            Curve::Transform { map, curve } => {
                let mirror = if map.mirror { "mirror = \"x\", " } else { "" };
                let (scale, turn, by) = (map.scale, map.turn, point(&map.shift));
                write!(
                    f,
                    "{{ kind = \"transform\", {mirror}scale = {scale:?}, turn = {turn:?}, move = {by}, curve = {curve} }}"
                )
            }
            Curve::Composite { pieces } => {
                write!(f, "{{ kind = \"composite\", pieces = {} }}", list(pieces, ToString::to_string))
            }
        }
    }
}
