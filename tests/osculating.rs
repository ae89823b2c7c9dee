//! Balls whose radius is that of the valley, or nearly: the centre hardly moves while the contact runs along. Balls went through
//! closed ground, were thrown to (13, 195) or stood still as if wedged; now the run says so, unless the radii differ enough.

use std::f64::consts::PI;

use supervisor::{EventKind, Stop};

use crate::corners::assert_energy_falls;
use crate::harness::{Run, attempt};

/// A ball of a radius on a curve; `start` is the rest of `initial`, `contact` that of `contact`.
fn scenario(curve: &str, radius: f64, start: &str, contact: &str, duration: f64) -> String {
    format!(
        r#"
        ball = {{ radius = {radius:?} }}
        initial = {{ {start} }}
        ground = {{ curve = {{ {curve} }} }}
        contact = {{ {contact} }}
        solver = {{ duration = {duration:?}, limit = 20000 }}
    "#
    )
}

/// Whether a run stopped because the ball fits, with `|1 − κR|` of 1e-5 or less and its energy told; if not, it has to reach its end.
fn fits(run: &Run, named: &str) -> bool {
    assert_energy_falls(run, 1e-7);
    match run.summary.stop {
        Some(Stop::Osculating { shrink, .. }) => {
            assert!(shrink.abs() <= 1.001e-5, "{named}: {shrink:e}");
            true
        }
        stop => {
            assert_eq!(stop, None, "{named}");
            false
        }
    }
}

/// Valleys with a vertex of curvature 1/r: the ball comes to where `1 − κR` is 1e-5 and stops there; from some 1e-5 of the radius on,
/// to either side, it rolls through, or between the two places where it touches.
#[test]
fn vertex() {
    let curves = [
        ("kind = \"graph\", y = \"x^2\"", 0.5, "position = [0.5, 1.5], velocity = [0.3, 0.0]"),
        ("kind = \"graph\", y = \"-cos(x)\"", 1.0, "position = [1.0, 2.5]"),
        (
            "kind = \"ellipse\", centre = [0, 0], semi-axes = [1, 2], side = \"inside\"",
            0.5,
            "position = [0.1, 0.0], velocity = [0.3, 0.0]",
        ),
    ];
    for (curve, radius, start) in curves {
        for apart in [0.0, -1e-15, -1e-7, 1e-6, -1e-4, 1e-3] {
            for contact in ["friction = 0.2", "friction = \"infinite\""] {
                let run = attempt(&scenario(curve, radius * (1.0 + apart), start, contact, 1.2), &[]);
                let named = format!("{curve} {apart:e} {contact}");
                assert_eq!(fits(&run, &named), apart.abs() < 1e-5, "{named}");
                assert!(run.summary.state.position.norm() < 4.0, "{named}: {:?}", run.summary.state);
            }
        }
    }
}

/// In a circle of its own radius there is no room from the start, with a law of compliant contact as well. From 1e-4 less on it rocks.
#[test]
fn circle() {
    for (radius, stops) in [
        (0.1, true),
        (0.100_000_000_000_000_02, true),
        (0.1 * (1.0 - 1e-10), true),
        (0.1 * (1.0 - 1e-8), true),
        (0.1 * (1.0 - 1e-6), true),
        (0.1 * (1.0 - 1e-4), false),
        (0.0999, false),
    ] {
        for contact in ["restitution = 0.4, friction = 0.2", "law = \"hertz\", stiffness = 1e6"] {
            for start in ["position = [0, 0]", "position = [0, 0], velocity = [0.1, 0.0]"] {
                let curve = "kind = \"circle\", centre = [0, 0], radius = 0.1, side = \"inside\"";
                let run = attempt(&scenario(curve, radius, start, contact, 0.2), &[]);
                let named = format!("{radius:?} {contact} {start}");
                assert_eq!(fits(&run, &named), stops, "{named}");
                assert!(run.summary.state.position.norm() < 1e-3, "{named}");
            }
        }
    }
}

/// Between two slopes that an arc of radius r joins, where a smaller ball rolls through and a larger one touches both slopes. Steps
/// were cut by ground that the contact runs towards without touching it: runs within 2e-3 of r had no end.
#[test]
fn rounded_vertex() {
    let corner = 0.1 * (0.25 * PI).sin();
    let end = corner + 1.0;
    let curve = format!(
        "kind = \"composite\", tolerance = 1e-9, pieces = [
            {{ kind = \"line\", from = [{:?}, {:?}], to = [{:?}, {:?}] }},
            {{ kind = \"arc\", centre = [0, 0], radius = 0.1, from = {:?}, to = {:?} }},
            {{ kind = \"line\", from = [{corner:?}, {:?}], to = [{end:?}, {:?}] }},
        ]",
        -end,
        end - 2.0 * corner,
        -corner,
        -corner,
        -0.75 * PI,
        -0.25 * PI,
        -corner,
        end - 2.0 * corner
    );
    let curve = curve.replace('\n', " ");
    for apart in [0.0, -1e-12, 1e-9, 1e-4, -1e-4, 1e-3, -1e-3] {
        for contact in ["friction = 0.2", "restitution = 0.6", "friction = \"infinite\""] {
            let start = "position = [0.2, 0.9], velocity = [0.1, 0.0], spin = 3";
            let run = attempt(&scenario(&curve, 0.1 * (1.0 + apart), start, contact, 3.0), &[]);
            let named = format!("{apart:e} {contact}");
            let stopped = fits(&run, &named);
            assert_eq!(stopped, apart.abs() < 1e-5, "{named}");
            println!("{named}: {} steps on the ground", run.summary.count.contact.steps);
        }
    }
}

/// A disc pivots over a corner: λ falls to zero, and however large friction is, it slips before it leaves.
#[test]
fn slips_before_it_leaves_a_corner() {
    let mut last = f64::INFINITY;
    for friction in ["500.0", "1e3", "3e3", "1e4", "1e5", "1e6", "1e9", "1e300"] {
        let curve = "kind = \"polyline\", points = [[-2, 0], [0, 0], [0, -3]]";
        let start = "contact = { x = -0.05, speed = 0.1, spin = \"rolling\" }";
        let text = scenario(curve, 0.1, start, &format!("friction = {friction}"), 1.0);
        let run = attempt(&text.replace("radius = 0.1", "radius = 0.1, inertia = \"disc\""), &[]);
        assert!(!fits(&run, friction));
        let (slip, lift) = (run.first(EventKind::Slip).time(), run.first(EventKind::LiftOff).time());
        assert!(slip <= lift && lift - slip <= last, "{friction}: {slip} {lift}");
        last = lift - slip;
        println!("μ = {friction}: slip {slip:?} s, lift-off {:e} s later", lift - slip);
    }
}
