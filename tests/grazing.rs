//! A path that clears a crest by 1e-9 m, touches it, or cuts it by 1e-9 m.

use supervisor::EventKind;

use crate::harness::run;

/// With g = 8 and v = 4 the path is `y = top − x²/4` around its top at t = 1/2, in exact binary numbers.
const PATH: &str = r#"
    initial = { position = [-2.0, -1.0], velocity = [4.0, 4.0] }
    forces = { gravity = 8.0 }
    contact = { restitution = 0.5 }
    solver = { duration = 0.9 }
"#;

struct Crest {
    name: &'static str,
    curve: &'static str,
    radius: f64,
    /// Gap of the centre at (x, y), up to a factor.
    gap: fn(f64, f64) -> f64,
}

const CRESTS: [Crest; 8] = [
    Crest { name: "parabola", curve: r#"{ kind = "graph", y = "-x^2" }"#, radius: 0.0, gap: |x, y| y + x * x },
    Crest {
        name: "circle",
        curve: r#"{ kind = "arc", centre = [0, -1], radius = 1, from = 2.5, to = 0.3 }"#,
        radius: 0.0,
        // ‖q − c‖ − 1 without cancellation.
        gap: |x, y| (x * x + y * (y + 2.0)) / ((x * x + (y + 1.0).powi(2)).sqrt() + 1.0),
    },
    Crest {
        name: "ball over a circle",
        curve: r#"{ kind = "arc", centre = [0, -1], radius = 1, from = 2.5, to = 0.3 }"#,
        radius: 0.25,
        gap: |x, y| {
            let over = y - 0.25;
            (x * x + over * (over + 2.5)) / ((x * x + (y + 1.0).powi(2)).sqrt() + 1.25)
        },
    },
    Crest {
        name: "corner",
        curve: r#"{ kind = "polyline", points = [[-4, -4], [0, 0], [4, -4]] }"#,
        radius: 0.0,
        gap: |x, y| y + x.abs(),
    },
    Crest {
        name: "corner, the other way",
        curve: r#"{ kind = "polyline", points = [[-4, -6], [0, 0], [4, -4]] }"#,
        radius: 0.0,
        gap: |x, y| y - x.min(0.0) * 1.5 + x.max(0.0),
    },
    Crest {
        name: "two pieces that meet smoothly",
        curve: r#"{ kind = "composite", pieces = [
            { kind = "graph", y = "-x^2", domain = [-4, 0] }, { kind = "graph", y = "-2*x^2", domain = [0, 4] }] }"#,
        radius: 0.0,
        gap: |x, y| y + x * x,
    },
    Crest {
        name: "ball over a corner",
        curve: r#"{ kind = "polyline", points = [[-4, -4], [0, 0], [4, -6]] }"#,
        radius: 0.25,
        gap: |x, y| {
            let over = y - 0.25;
            (x * x + over * (over + 0.5)) / ((x * x + y * y).sqrt() + 0.25)
        },
    },
    Crest {
        name: "ball over the end of a line",
        curve: r#"{ kind = "line", from = [0, 0], to = [4, -6] }"#,
        radius: 0.25,
        gap: |x, y| {
            let over = y - 0.25;
            (x * x + over * (over + 0.5)) / ((x * x + y * y).sqrt() + 0.25)
        },
    },
];

/// Abscissa where a path whose top is at `top` first touches, by bisection of the closed form.
fn touch(crest: &Crest, top: f64) -> f64 {
    let gap = |x: f64| (crest.gap)(x, top - 0.25 * x * x);
    let (mut free, mut inside) = (-0.1, 0.0);
    assert!(gap(free) > 0.0 && gap(inside) < 0.0);
    for _ in 0..200 {
        let middle = 0.5 * (free + inside);
        if gap(middle) > 0.0 { free = middle } else { inside = middle }
    }
    inside
}

/// Cleared: nothing. Touched: no event, one graze. Cut: an impact where the closed form says.
#[test]
fn cleared_touched_and_cut() {
    for crest in &CRESTS {
        for height in [1e-9, 0.0, -1e-9, -1e-6] {
            let top = crest.radius + height;
            let settings = [
                format!("ball.radius={}", crest.radius),
                format!("ground.curve={}", crest.curve),
                format!("initial.position=[-2.0, {:?}]", top - 1.0),
            ];
            let run = run(PATH, &[&settings[0], &settings[1], &settings[2]]);
            let (kinds, grazes) = (run.kinds(), run.summary.count.search.grazes);
            let place = format!("{} by {height:e}: {kinds:?}, {grazes} grazes", crest.name);
            if height >= 0.0 {
                println!("{place}");
                assert!(kinds.is_empty(), "{place}");
                assert_eq!(grazes, u64::from(height == 0.0), "{place}");
                continue;
            }
            let event = run.first(EventKind::Impact);
            let expected = touch(crest, top);
            let error = event.position().x - expected;
            println!("{place}, x = {expected:e}, {error:e} off");
            assert_eq!(grazes, 0, "{place}");
            assert!(error.abs() <= 1e-11, "{place}: {error:e}");
            assert!((event.time() - 0.5 - 0.25 * expected).abs() <= 1e-11, "{place}");
            assert!(event.velocity_before().0 < 0.0, "{place}");
        }
    }
}

/// Without gravity a ball that drag slows down along straight ground stays on it, a rounding error above or below: bounds of the
/// components of its acceleration once left open whether it comes down, and the search gave up.
#[test]
fn along_straight_ground() {
    for (slope, along) in [(-14.1_f64, 0.1), (0.75, 1.6), (0.0, 2.0)] {
        let graph = format!("{{ kind = \"graph\", y = \"{slope:?}*x\" }}");
        let line = format!("{{ kind = \"line\", from = [-1.0, {:?}], to = [50.0, {:?}] }}", -slope, 50.0 * slope);
        for ground in [graph, line] {
            for method in ["newmark", "bdf", "radau", "dop853"] {
                for contact in ["restitution = 0.5", "restitution = 0.0"] {
                    let text = format!(
                        r#"
                        initial = {{ position = [0.0, 0.0], velocity = [{along:?}, {:?}] }}
                        ground = {{ curve = {ground} }}
                        forces = {{ gravity = 0, drag = {{ coefficient = 0.1 }} }}
                        contact = {{ {contact} }}
                        solver = {{ duration = 3.0, method = "{method}" }}
                        "#,
                        slope * along
                    );
                    let ran = run(&text, &[]);
                    // v = v₀/(1 + k v₀ t)
                    let start = along * (1.0 + slope * slope).sqrt();
                    let state = ran.summary.state;
                    let speed = start / (1.0 + 0.3 * start);
                    assert!(
                        (state.velocity.norm() - speed).abs() <= 1e-8,
                        "{text} {:e}",
                        state.velocity.norm() - speed
                    );
                    assert!((state.position.y - slope * state.position.x).abs() <= 1e-12, "{text}");
                    let work = ran.summary.count.search.evaluations;
                    assert!(work <= 1000, "{work} evaluations: {text}");
                }
            }
        }
    }
}
