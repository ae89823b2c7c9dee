//! Random scenarios.

use nalgebra::Vector2;
use proptest::collection::vec;
use proptest::prelude::*;

use super::{Contact, Control, Curve, Forces, Formula, Law, Map, Scenario, Solver, Start};

/// A number of four digits in a range, so that cases are short to read.
pub fn number(range: std::ops::Range<f64>) -> impl Strategy<Value = f64> + Clone {
    range.prop_map(|value| {
        let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
        // Not −0.
        rounded + 0.0
    })
}

/// A vector with both components in a range.
fn vector(range: std::ops::Range<f64>) -> impl Strategy<Value = Vector2<f64>> + Clone {
    (number(range.clone()), number(range)).prop_map(|(x, y)| Vector2::new(x, y))
}

/// Zero or, in one case of `rarity`, a number.
fn perhaps(rarity: u32, range: std::ops::Range<f64>) -> impl Strategy<Value = f64> + Clone {
    prop_oneof![rarity - 1 => Just(0.0), 1 => number(range)]
}

/// Open grounds without corners below y = 1.4, beyond which balls start at |x| < 0.9.
fn smooth() -> BoxedStrategy<Curve> {
    let flat = number(-0.5..0.5).prop_map(|tilt| Curve::graph(format!("{tilt:?}*x")));
    let sine = (number(0.02..0.5), number(0.5..4.0), number(-0.3..0.3))
        .prop_map(|(a, k, tilt)| Curve::graph(format!("{a:?}*sin({k:?}*x) + {tilt:?}*x")));
    let bowl = number(0.1..1.0).prop_map(|a| Curve::graph(format!("{a:?}*x^2")));
    let bump = (number(-0.6..0.8), number(1.0..9.0), number(-0.5..0.5))
        .prop_map(|(a, k, x)| Curve::graph(format!("{a:?}*exp(-{k:?}*(x - {x:?})^2) + 0.1*x^2")));
    let step = (number(0.05..0.5), number(0.03..1.0)).prop_map(|(a, w)| Curve::graph(format!("{a:?}*tanh(x/{w:?})")));
    let cycloid = number(0.3..1.0).prop_map(|r| {
        Curve::parametric(format!("{r:?}*(s - sin(s)) - 3.1*{r:?}"), format!("{r:?}*cos(s)"), [0.2, 6.0])
    });
    let chain = vec(vector(-0.3..0.3), 3).prop_map(|p| {
        let points = [-2.0, 0.0, 2.0].iter().zip(p).map(|(x, p)| Vector2::new(x + p.x, 2.0 * p.y));
        Curve::Bezier { degree: 2, points: points.collect() }
    });
    let spline = vec(vector(-0.3..0.3), 5).prop_map(|p| {
        let points = (-2..=2).zip(p).map(|(x, p)| Vector2::new(f64::from(x) + p.x, p.y));
        Curve::Spline { points: points.collect() }
    });
    prop_oneof![flat, sine, bowl, bump, step, cycloid, chain, spline].boxed()
}

/// Open grounds with corners, as high.
fn cornered() -> BoxedStrategy<Curve> {
    let wedge = (number(0.1..1.0), number(0.1..1.0)).prop_map(|(a, b)| Curve::graph(format!("max(-{a:?}*x, {b:?}*x)")));
    let crest = number(0.1..1.5).prop_map(|a| Curve::graph(format!("-{a:?}*abs(x)")));
    let line = (number(-0.5..0.5), number(0.3..3.0))
        .prop_map(|(tilt, half)| Curve::Line { from: Vector2::new(-half, -tilt), to: Vector2::new(half, tilt) });
    let steps = vec(vector(-0.4..0.4), 5).prop_map(|p| {
        let points = (-2..=2).zip(p).map(|(x, p)| Vector2::new(f64::from(x) + p.x, p.y));
        Curve::Polyline { points: points.collect() }
    });
    // A slope, and a bend that leaves it without a corner.
    let bend = (number(0.5..2.0), number(0.1..1.2)).prop_map(|(radius, angle)| {
        let start = -std::f64::consts::FRAC_PI_2 - angle;
        let centre = Vector2::new(0.0, radius);
        let from = centre + radius * Vector2::new(start.cos(), start.sin());
        let along = Vector2::new(angle.cos(), -angle.sin());
        let line = Curve::Line { from: from - 2.0 * along, to: from };
        let arc = Curve::Arc { centre, radius, from: start, to: -0.3 };
        Curve::Composite { pieces: vec![line, arc] }
    });
    prop_oneof![wedge, crest, line, steps, bend].boxed()
}

/// Round grounds: rooms, and hills to fall from.
fn round() -> BoxedStrategy<Curve> {
    let room =
        number(2.5..4.0).prop_map(|radius| Curve::Circle { centre: Vector2::new(0.0, 1.5), radius, inside: true });
    let dome = number(0.3..1.0).prop_map(|radius| Curve::Circle { centre: Vector2::zeros(), radius, inside: false });
    let ellipse = (number(0.5..1.4), number(0.4..1.2), perhaps(2, -1.5..1.5)).prop_map(|(a, b, turn)| Curve::Ellipse {
        centre: Vector2::zeros(),
        semi: [a, b],
        turn,
        inside: false,
    });
    let hall = (number(2.0..4.0), number(2.0..3.0), perhaps(2, -1.5..1.5)).prop_map(|(a, b, turn)| Curve::Ellipse {
        centre: Vector2::new(0.0, 1.0),
        semi: [a, b],
        turn,
        inside: true,
    });
    prop_oneof![room, dome, ellipse, hall].boxed()
}

/// Grounds that stay clear of balls as [`scenarios`] starts them.
pub fn curves() -> BoxedStrategy<Curve> {
    let plain = prop_oneof![4 => smooth(), 2 => cornered(), 2 => round()];
    let turned =
        (smooth(), number(-0.2..0.2), number(0.7..1.2), any::<bool>()).prop_map(|(curve, turn, scale, mirror)| {
            let curve = match curve {
                Curve::Graph { y, domain: None } => Curve::Graph { y, domain: Some([-30.0, 30.0]) },
                curve => curve,
            };
            curve.wrapped(Map { mirror, scale, turn, ..Map::SAME })
        });
    let beside = (number(2.5..4.0), number(-0.3..0.3)).prop_map(|(radius, distance)| {
        let circle = Curve::Circle { centre: Vector2::new(0.0, 1.5), radius, inside: true };
        Curve::Offset { distance, curve: Box::new(circle) }
    });
    prop_oneof![8 => plain, 1 => turned, 1 => beside].boxed()
}

/// Rigid contact.
pub fn rigid() -> impl Strategy<Value = Contact> + Clone {
    let restitution = prop_oneof![2 => Just(0.0), 4 => number(0.05..0.95), 1 => Just(1.0)];
    let friction = prop_oneof![2 => Just(Some(0.0)), 4 => number(0.05..1.0).prop_map(Some), 1 => Just(None)];
    (restitution, perhaps(3, -1.0..1.0), friction, perhaps(5, 0.01..1.0)).prop_map(
        |(restitution, tangential, friction, damping)| Contact::Rigid {
            restitution,
            tangential,
            friction,
            damping,
            resistance: 0.0,
            fading: None,
            sticking: 0.0,
            impact: "newton",
        },
    )
}

/// Compliant contact.
pub fn soft() -> impl Strategy<Value = Contact> + Clone {
    let law = prop_oneof![Just(Law::Hertz), Just(Law::KelvinVoigt), Just(Law::HuntCrossley(1.5))];
    (law, number(3.5..6.0), perhaps(2, -1.0..2.0), perhaps(2, 0.05..1.0), any::<bool>()).prop_map(
        |(law, stiffness, damping, friction, pull)| {
            let hunt = if let Law::HuntCrossley(_) = law { 0.01 } else { 1.0 };
            let damping = if damping == 0.0 { 0.0 } else { hunt * 10f64.powf(damping) };
            Contact::Soft { law, stiffness: 10f64.powf(stiffness).round(), damping, friction, slip_speed: 0.05, pull }
        },
    )
}

fn forces() -> impl Strategy<Value = Forces> + Clone {
    let gravity =
        prop_oneof![4 => Just(Vector2::new(0.0, -9.81)), 1 => vector(-6.0..6.0).prop_map(|g| g - 4.0 * Vector2::y())];
    let pushes = ["2*sin(5*t)", "-0.5*x*m", "m*g*sin(t)/2", "0.3*vy*m - 0.2*t"];
    let external = prop_oneof![
        4 => Just(None),
        1 => (0..pushes.len()).prop_map(move |i| Some([Formula::new(pushes[i]), Formula::zero()])),
    ];
    let wind = prop_oneof![2 => Just(Vector2::zeros()), 1 => vector(-3.0..3.0)];
    (gravity, perhaps(4, 0.001..0.1), wind, perhaps(5, -0.1..0.1), external).prop_map(
        |(gravity, drag, wind, magnus, external)| {
            let wind = if drag == 0.0 && magnus == 0.0 { Vector2::zeros() } else { wind };
            Forces { gravity, drag, wind, magnus, external }
        },
    )
}

/// Scenarios of all kinds of ground, forces and contact, by methods held to a tolerance.
pub fn scenarios() -> BoxedStrategy<Scenario> {
    let ball = (number(0.1..3.0), prop_oneof![2 => Just(0.0), 3 => number(0.01..0.3)]);
    let inertia = prop_oneof![4 => Just(0.4), 1 => Just(0.0), 2 => number(0.1..1.0)];
    let start = (vector(-0.9..0.9), vector(-3.0..3.0), perhaps(2, -50.0..50.0))
        .prop_map(|(p, velocity, spin)| Start::At { position: Vector2::new(p.x, 2.05 + 0.5 * p.y), velocity, spin });
    let motion = prop_oneof![
        5 => Just(None),
        1 => (perhaps(2, 0.01..0.1), number(0.005..0.05), number(3.0..12.0)).prop_map(|(x, y, w)| {
            let shake = |a: f64, w: f64| Formula::new(format!("{a:?}*sin({w:?}*t)"));
            Some([if x == 0.0 { Formula::zero() } else { shake(x, 0.7 * w) }, shake(y, w)])
        }),
    ];
    let contact = prop_oneof![6 => rigid().boxed(), 1 => soft().boxed()];
    let method = prop_oneof![4 => Just("newmark"), 1 => Just("dop853"), 1 => Just("radau"), 1 => Just("bdf")];
    let solver = (method, prop_oneof![3 => Just("symmetric"), 1 => Just("arc-length")], number(0.4..3.0));
    let physics = (motion, forces(), contact);
    (ball, inertia, start, curves(), physics, solver)
        .prop_map(|((mass, radius), inertia, start, curve, (motion, forces, contact), solver)| {
            let (method, formulation, duration) = solver;
            // Compliant contact is of a ball with a radius.
            let soft = matches!(contact, Contact::Soft { .. });
            let radius = if soft && radius == 0.0 { 0.1 } else { radius };
            let tolerance = 1e-11;
            let solver = Solver {
                method,
                formulation,
                control: Control::Tolerance { relative: tolerance, absolute: tolerance },
                capture_speed: 1e-6,
                duration,
                rows: 40,
                limit: 100_000,
            };
            Scenario { mass, radius, inertia, start, curve, motion, forces, contact, solver }
        })
        .boxed()
}
