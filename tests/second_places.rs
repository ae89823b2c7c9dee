//! Where a compressed ball meets the ground in a second place, and where it does not.

use supervisor::Stop;

use crate::compliant_limits::ROLLING;
use crate::harness::{attempt, run};

/// A wall stops the run where the ball reaches it, and the far side of a cup does not.
#[test]
fn second_contacts_are_located() {
    let text = r#"
        ball = { mass = 2.0, radius = 0.1 }
        initial = { contact = { s = 0.2, speed = 1.0, spin = "rolling" } }
        ground = { curve = { kind = "polyline", points = [[0, 0], [1, 0], [1, 1]] } }
        solver = { duration = 3.0 }
    "#;
    for contact in ROLLING {
        for largest in ["10.0", "0.03"] {
            let settings = [&format!("contact={{{contact}}}"), &format!("solver.largest-step={largest}")];
            let stop = attempt(text, &settings.map(String::as_str)).summary.stop;
            let Some(Stop::SecondContact { time, centre, other, .. }) = stop else { panic!("{stop:?}") };
            assert!((time - 0.7).abs() <= 1e-12 && (centre.x - 0.9).abs() <= 1e-12, "{time:?} {centre:?}");
            assert!((other.x - 1.0).abs() <= 1e-12, "{other:?}");
        }
    }
    for radius in ["0.1003", "0.101"] {
        let cup = format!(
            r#"
            ball = {{ mass = 2.0, radius = 0.1 }}
            initial = {{ position = [0, 0], velocity = [0.1, 0.3] }}
            ground = {{ curve = {{ kind = "circle", centre = [0, 0], radius = {radius}, side = "inside" }} }}
            contact = {{ law = "hertz", stiffness = 1e6, viscosity = 5 }}
            solver = {{ tolerance = 1e-6, duration = 0.2 }}
            "#
        );
        run(&cup, &[]);
    }
}

/// Flat ground with a hill ahead, `y = h exp(-((x − 7.777)/w)²)`, and a ball that comes at 2 m/s.
fn towards_a_hill(height: f64, width: f64) -> String {
    format!(
        r#"
        ball = {{ mass = 0.5, radius = 0.05 }}
        initial = {{ contact = {{ x = 7.6, speed = 2 }} }}
        ground = {{ curve = {{ kind = "graph", y = "h*exp(-((x-7.777)/w)^2)", parameters = {{ h = {height}, w = {width} }}, domain = [-30, 30] }} }}
        contact = {{ law = "kelvin-voigt", stiffness = 1e5, damping = 20 }}
        solver = {{ tolerance = 1e-6, duration = 0.2 }}
        "#
    )
}

/// A steep hill is met where it comes to be R away from the centre, however narrow. The search went past its flank to the
/// contact's own foot and saw none.
#[test]
fn steep_hills_are_met() {
    let sunk = 0.05 - 0.5 * 9.81 / 1e5;
    let hills = [(5e-4, 1e-3), (1e-3, 1e-3), (5e-3, 1e-3), (7e-3, 1e-3), (1e-2, 1e-3), (2e-4, 1e-4), (5e-3, 1.5e-3)];
    for (height, width) in hills {
        // The centre that is R away from a point of the hill, furthest back over all of its points.
        let centre = |u: f64| 7.777 + u * width - (0.0025 - (sunk - height * (-u * u).exp()).powi(2)).sqrt();
        let first = (0..20_000).map(|i| centre(-1.0 + f64::from(i) * 5e-5)).fold(f64::INFINITY, f64::min);
        let run = attempt(&towards_a_hill(height, width), &[]);
        let Some(Stop::SecondContact { time, centre, .. }) = run.summary.stop else { panic!("{:?}", run.summary.stop) };
        let late = centre.x - first;
        println!("{height} {width}: t {time:?}, {late:.1e} m");
        assert!(late.abs() <= 1e-9 && (time - 0.5 * (first - 7.6)).abs() <= 1e-9, "{centre:?} {first:?}");
        assert!(run.summary.unexplained().abs() <= 1e-12);
    }
}

/// In a cup bent more than the ball the second place is born below R, where the centre goes through the evolute of `y = 11 x²`:
/// `x = −4a²s³`, `y = 1/2a + 3as²`. Of the ball, neither before nor well after.
#[test]
fn second_places_are_born_on_the_evolute() {
    let cup = |start: &str, contact: &str| {
        format!(
            r#"
            ball = {{ mass = 0.5, radius = 0.05 }}
            initial = {{ {start} }}
            ground = {{ curve = {{ kind = "graph", y = "11*x^2", domain = [-1, 1] }} }}
            contact = {{ {contact} }}
            solver = {{ duration = 2 }}
            "#
        )
    };
    let swung =
        cup("position = [-0.1, 0.5], velocity = [0.2, 0]", r#"law = "kelvin-voigt", stiffness = 1e5, damping = 20"#);
    let dropped = cup("position = [0.01, 0.3]", r#"law = "hunt-crossley", stiffness = 1e6, damping = 0.1"#);
    for (text, method) in [(&swung, "bdf"), (&swung, "newmark"), (&dropped, "newmark")] {
        for tolerance in ["1e-6", "1e-8", "1e-10"] {
            let settings = [format!("solver.method={method}"), format!("solver.tolerance={tolerance}")];
            let stop = attempt(text, &settings.each_ref().map(String::as_str)).summary.stop;
            let Some(Stop::SecondContact { time, centre, other, .. }) = stop else { panic!("{stop:?}") };
            let s = ((centre.y - 1.0 / 22.0) / 33.0).sqrt();
            let off = centre.x.abs() - 484.0 * s.powi(3);
            println!("{method} {tolerance}: t {time:?}, off the evolute {off:.1e} m, {other:?}");
            assert!(off.abs() <= 1e-8, "{off:e}");
            // It is the point the centre is the centre of curvature of, on the side it came from.
            assert!(
                (other.x + s.copysign(centre.x)).abs() <= 1e-4 && (other.y - 11.0 * other.x * other.x).abs() <= 1e-12
            );
        }
    }
}

/// In a cup sharper than the ball a second minimum of the distance may stand clear of it for long: that is no reason for short
/// steps, and it is met where it is R away.
#[test]
fn a_second_place_that_stands_clear() {
    let cases = [
        ("13*x^2", "position = [0.002, 0.1]", r#"law = "kelvin-voigt", stiffness = 1e4"#),
        ("15*x^2", "position = [0.02, 0.106], velocity = [0.1, 0]", r#"law = "hertz", stiffness = 1e5, viscosity = 2"#),
        ("13*x^2", "position = [0.02, 0.106], velocity = [0.1, 0]", r#"law = "hertz", stiffness = 1e5, viscosity = 2"#),
    ];
    for (cup, start, contact) in cases {
        let text = format!(
            r#"
            ball = {{ radius = 0.05 }}
            initial = {{ {start} }}
            ground = {{ curve = {{ kind = "graph", y = "{cup}" }} }}
            contact = {{ {contact} }}
            solver = {{ duration = 1.0 }}
            "#
        );
        let run = attempt(&text, &[]);
        let Some(Stop::SecondContact { time, centre, other, .. }) = run.summary.stop else {
            panic!("{:?}", run.summary.stop)
        };
        let (off, steps) = ((centre - other).norm() - 0.05, run.summary.count.compressed.steps);
        println!("{cup}: t {time:?}, {off:e} m off, {steps} steps");
        assert!(off <= 1e-10 && steps < 300, "{off:e} m off after {steps} steps");
    }
}

/// What stops a ball pressed into a valley that is about to be narrower than itself is that this begins.
#[test]
fn a_valley_too_narrow_is_located() {
    let text = r#"
        ball = { mass = 0.5, radius = 0.05 }
        initial = { position = [0.01, 0.3] }
        ground = { curve = { kind = "graph", y = "11*x^2", domain = [-1, 1] } }
        contact = { law = "hunt-crossley", stiffness = 1e5, damping = 20 }
        solver = { duration = 2 }
    "#;
    let stop = attempt(text, &[]).summary.stop;
    let Some(Stop::Osculating { point, shrink, .. }) = stop else { panic!("{stop:?}") };
    // κ = 22/(1 + 484x²)^{3/2} = (1 − 1e-5)/R
    let exact = ((1.1_f64 / (1.0 - 1e-5)).powf(2.0 / 3.0) - 1.0).sqrt() / 22.0;
    assert!((shrink - 1e-5).abs() <= 1e-12 && (point.x - exact).abs() <= 1e-12, "{point:?} {exact:?}");
}

/// A ball beside a thin tip has no second place, however thin: contact takes as many steps as beside a needle of straight lines. Bounds
/// over the tip and the flank at once gave it a room of 1e-6 m, and steps grew as one over the width squared.
#[test]
fn beside_a_thin_tip_there_is_room() {
    let contact = |curve: &str| {
        let text = format!(
            r#"
            ball = {{ radius = 0.05 }}
            initial = {{ position = [-0.012, 0.1], velocity = [0.0, -0.5] }}
            ground = {{ curve = {curve} }}
            contact = {{ law = "hertz", stiffness = 4e5 }}
            solver = {{ tolerance = 1e-8, duration = 0.03 }}
            "#
        );
        let run = attempt(&text, &[]);
        assert_eq!(run.kinds(), ["touch", "release"], "{curve}: {:?}", run.summary.stop);
        (run.events[1].time() - run.events[0].time(), run.summary.count.compressed.steps)
    };
    let needle = r#"{ kind = "polyline", points = [[-1, 0], [-1e-7, 0], [0, 0.05], [1e-7, 0], [1, 0]] }"#;
    let (needle, straight) = contact(needle);
    for width in ["1e-4", "1e-5", "1e-6"] {
        for shape in [format!("exp(-(x/{width})^2)"), format!("1/(1+(x/{width})^2)")] {
            let (lasts, steps) = contact(&format!(r#"{{ kind = "graph", y = "0.05*{shape}" }}"#));
            println!("{shape}: {:.1e} s off, {steps} steps; needle {straight}", lasts - needle);
            assert!((lasts - needle).abs() <= 1e-9 && steps <= straight + 5, "{shape}: {lasts} in {steps}, {needle}");
        }
    }
}

/// Symptom: a point went through a wall that begins on its ground, met one twice that runs the other way, and hit curves that end below
/// its own. Cause: its second contact was whatever curve is nearest, on its front, as if it led above. It meets what a small ball meets.
#[test]
fn a_point_meets_what_a_small_ball_meets() {
    let floor = "[[0, 0], [1, 0]]";
    let at_half = [
        "[[0.5, -0.5], [0.5, 0.5]]",
        "[[0.5, 0], [0.5, 0.5]]",
        "[[0.3, -0.5], [0.5, 0], [0.7, -0.5]]",
        "[[0.7, -0.5], [0.5, 0], [0.8, 0.5]]",
        "[[0.2, 0.5], [0.5, 0], [0.7, -0.5]]",
        "[[0.4, 0.5], [0.5, 0], [0.6, 0.5]]",
    ];
    let star = [
        "[[0.1, 0.66], [0.5, 0.5]]",
        "[[0.5, 0.5], [0.9, 0.338]]",
        "[[0.5, 0.5], [0.1, 0.4]]",
        "[[0.4, 0.1], [0.5, 0.5]]",
    ];
    let slope = ["[[0, 0], [0.5, 0]]", "[[0.5, 0], [1, 0.5]]", "[[0.5, 0], [0.45, 0.5]]", "[[0.5, 0], [0.8, -0.5]]"];
    let mut grounds: Vec<Vec<&str>> = at_half.iter().map(|other| vec![floor, other]).collect();
    grounds.extend([star.to_vec(), slope.to_vec()]);
    for ground in grounds {
        let high = ground.contains(&star[0]);
        for backwards in 0..1 << ground.len() {
            let meets = |radius: f64| {
                let curve = |(i, points): (usize, &&str)| {
                    let reverse = backwards >> i & 1 == 1;
                    format!(
                        "[[ground]]\nname = 'c{i}'\ncurve = {{ kind = 'polyline', points = {points}, reverse = {reverse} }}\n"
                    )
                };
                let [x, y, speed] = if high { [0.3, 0.59, 0.5] } else { [0.1, 0.0, 2.0] };
                let text = format!(
                    "ball = {{ mass = 1, radius = {radius:?} }}\ninitial = {{ position = [{x}, {:?}], velocity = [{speed}, 0] }}\n\
                     contact = {{ restitution = 0.5, friction = 0 }}\nsolver = {{ duration = 0.4, tolerance = 1e-9 }}\n{}",
                    y + radius,
                    ground.iter().enumerate().map(curve).collect::<String>()
                );
                run(&text, &[])
            };
            let [point, ball] = [0.0, 1e-7].map(meets);
            let off = (point.summary.state.velocity - ball.summary.state.velocity).norm();
            assert!(off < 1e-4, "{ground:?} {backwards:b}: {off:e}, {:?}, {:?}", point.kinds(), ball.kinds());
        }
    }
}
