//! Two parabolas in four forms each: one motion.

use nalgebra::Vector2;
use tests::scenarios::{Contact, Control, Curve, Forces, Map, Parameter, Scenario, Solver, Start};

use super::compare::Allowed;
use super::orbit::{View, run};
use super::relation::agree;

/// What happens: the parabola, and how the ball meets it.
struct Motion {
    name: &'static str,
    height: &'static str,
    radius: f64,
    start: ([f64; 2], [f64; 2], f64),
    restitution: f64,
    friction: f64,
    /// s
    duration: f64,
    /// What must be among its events.
    events: &'static [&'static str],
}

const MOTIONS: [Motion; 5] = [
    Motion {
        name: "bounces of a point",
        height: "x^2/2",
        radius: 0.0,
        start: ([0.3, 2.0], [1.0, 0.0], 0.0),
        restitution: 1.0,
        friction: 0.0,
        duration: 6.0,
        events: &["Impact"],
    },
    Motion {
        name: "bounces with friction and spin",
        height: "x^2/2",
        radius: 0.05,
        start: ([0.3, 2.0], [1.0, 0.0], 20.0),
        restitution: 0.8,
        friction: 0.2,
        duration: 3.0,
        events: &["Impact"],
    },
    Motion {
        name: "bounces to their end, rolling",
        height: "x^2/2",
        radius: 0.05,
        start: ([0.5, 1.5], [1.0, 0.0], -20.0),
        restitution: 0.4,
        friction: 0.3,
        duration: 5.0,
        events: &["Impact", "Landing, Flight, Rolling"],
    },
    Motion {
        name: "landing, sliding, rolling",
        height: "x^2/2",
        radius: 0.1,
        start: ([-0.7, 1.0], [0.5, 0.0], 0.0),
        restitution: 0.0,
        friction: 0.2,
        duration: 4.0,
        events: &["Landing, Flight, Sliding", "Stick"],
    },
    Motion {
        name: "landing, rolling and lift-off",
        height: "-x^2/2",
        radius: 0.1,
        // Up the slope, fast enough to leave before the top.
        start: ([-1.085, -0.415], [3.3113, 2.9113], -44.0),
        restitution: 0.0,
        friction: 1.5,
        duration: 0.8,
        events: &["Landing", "LiftOff"],
    },
];

fn scenario(motion: &Motion, curve: Curve) -> Scenario {
    let ([x, y], [vx, vy], spin) = motion.start;
    Scenario {
        mass: 1.0,
        radius: motion.radius,
        inertia: 0.4,
        start: Start::At { position: Vector2::new(x, y), velocity: Vector2::new(vx, vy), spin },
        curve,
        motion: None,
        forces: Forces {
            gravity: Vector2::new(0.0, -9.81),
            drag: 0.0,
            wind: Vector2::zeros(),
            magnus: 0.0,
            external: None,
        },
        contact: Contact::Rigid {
            restitution: motion.restitution,
            tangential: 0.0,
            friction: Some(motion.friction),
            damping: 0.0,
            resistance: 0.0,
            fading: None,
            sticking: 0.0,
            impact: "newton",
        },
        solver: Solver {
            method: "newmark",
            formulation: "symmetric",
            control: Control::Tolerance { relative: 1e-13, absolute: 1e-13 },
            capture_speed: 1e-6,
            duration: motion.duration,
            rows: 50,
            limit: 1_000_000,
        },
    }
}

/// All events and rows to 1e-12 of the condition, whatever the parameter.
#[test]
fn one_parabola_in_four_forms() {
    let allow = Allowed { rounding: 1e-12, tolerances: 0.0 };
    for motion in &MOTIONS {
        let graph = Curve::graph(motion.height);
        let map = Map { mirror: true, scale: 2.0, turn: 0.0, shift: Vector2::new(0.3, -0.2) };
        let base = scenario(motion, graph.clone());
        let mut orbit = run(&base.to_string(), View::PLAIN, true).expect("runs");
        orbit.open = f64::INFINITY;
        let names = format!("{:?}", orbit.events.iter().map(|row| row.label).collect::<Vec<_>>());
        assert!(motion.events.iter().all(|event| names.contains(event)), "{}: {names}", motion.name);
        let forms = [
            ("s + s^3/3", graph.by(Parameter::SteepCubic).expect("a formula")),
            ("sinh(s)", graph.by(Parameter::Sinh).expect("a formula")),
            ("a transform", graph.mapped(&map.inverse()).wrapped(map)),
        ];
        for (form, curve) in forms {
            let text = scenario(motion, curve).to_string();
            let mut other = run(&text, View::PLAIN, true).expect("runs");
            // One form sums up its last bounces as another does.
            other.open = f64::INFINITY;
            let agreement = agree(&base, &orbit, &other, 1.0, allow).expect("changed runs");
            match agreement {
                Ok(ref agreement) => println!(
                    "{}, {form}: {} rows over {:.2} of the run, within {:.2} of 1e-12 x condition",
                    motion.name,
                    agreement.rows,
                    agreement.share,
                    agreement.rounding.max(agreement.tolerance)
                ),
                Err(difference) => panic!("{}, {form}: {difference:?}\n{text}", motion.name),
            }
            let all = agreement.is_ok_and(|agreement| agreement.share == 1.0);
            assert!(all, "{}, {form}: lost on the way", motion.name);
        }
    }
}
