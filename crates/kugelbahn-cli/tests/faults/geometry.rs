//! Questions put to the ground: where a start is, which side is free, how far it goes.

use super::common::{Outcome, Place, Table};
use super::fault;

/// Runs a scenario text, with its outputs in `out`.
fn run(place: &Place, text: &str, more: &[&str]) -> Outcome {
    place.write("scenario.toml", text);
    place.kugelbahn(&[&["run", "scenario.toml", "--out", "out"], more].concat())
}

/// A knot of a spline was counted as two places; the hint to give `s` was refused beside `x`.
/// The search counted pieces that have a point with the abscissa, not places; a setting did not take the place of a key.
#[test]
fn start_at_a_knot() {
    let (_, outcome) = fault("start-at-a-knot", &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let (place, outcome) = fault("start-at-a-knot", &["--set", "initial.contact.s=1.0539740731910119"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let at = Table::read(&place, "out/trajectory.csv").numbers("x")[0];
    assert!((at - 1.0).abs() < 1e-15, "{at}");
}

/// The hint for ground with a vertical edge listed its end twice, and `s` at a corner silently meant the wall.
/// A vertical stretch is one answer, and a start at a corner says by its speed on which side it is.
#[test]
fn start_at_a_vertical_edge() {
    let text = |contact: &str, radius: f64| {
        format!(
            "[ball]\nradius = {radius}\n[initial]\ncontact = {{ {contact} }}\n[ground]\n\
             curve = {{ kind = \"polyline\", points = [[-20, 0], [0, 0], [0, -1], [20, -1]] }}\n[solver]\nduration = 0.1\n"
        )
    };
    for radius in [0.0, 0.05] {
        let place = Place::new();
        let message = place.refused(&text("x = 0", radius), &[]);
        assert!(message.contains("vertical at x = 0") && message.contains("from 20 to 21"), "{message}");
        let message = place.refused(&text("s = 20", radius), &[]);
        assert!(message.contains("corner at s = 20") && message.contains("give `speed`"), "{message}");
        let from = |contact: &str| {
            let outcome = run(&place, &text(contact, radius), &[]);
            assert_eq!(outcome.code, 0, "{}", outcome.stderr);
            let table = Table::read(&place, "out/trajectory.csv");
            ["x", "y", "vx", "vy"].map(|column| table.numbers(column)[0])
        };
        // Along the wall it goes down, along the level back.
        assert_eq!(from("s = 20, speed = 1.5"), [radius, 0.0, 0.0, -1.5]);
        assert_eq!(from("s = 20, speed = -1.5"), [0.0, radius, -1.5, 0.0]);
    }
    // Where a circle is vertical at one point there is one place: the seam, too.
    let place = Place::new();
    for (x, s) in [("1", 0.0), ("-1", std::f64::consts::PI)] {
        for map in ["", "turn = 1e-9, ", "mirror = \"y\", "] {
            let circle = "kind = \"circle\", centre = [0, 0], radius = 1, side = \"inside\"";
            let curve = format!("{{ kind = \"transform\", {map}curve = {{ {circle} }} }}");
            let scenario =
                format!("[initial]\ncontact = {{ x = {x} }}\n[ground]\ncurve = {curve}\n[solver]\nduration = 0.1\n");
            assert_eq!(run(&place, &scenario, &[]).code, 0, "{map}{x}");
            let at = Table::read(&place, "out/trajectory.csv").numbers("s")[0].rem_euclid(std::f64::consts::TAU);
            let miss = (at - s).abs();
            assert!(miss.min(std::f64::consts::TAU - miss) < 1e-7, "{map}{x}: {at}");
        }
    }
}

/// A point beyond the end of an arc counted as below the ground once the arc was mirrored.
/// The search came near the end of its parameter but not to it, and an end has no far side.
#[test]
fn mirror_start() {
    let (place, outcome) = fault("mirror-start", &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(Table::read(&place, "out/events.csv").rows.is_empty());
    let heights = Table::read(&place, "out/trajectory.csv").numbers("y");
    let arc = |from: &str, to: &str| {
        format!("{{ kind = \"arc\", centre = [0, 0], radius = 1.20582, from = {from}, to = {to} }}")
    };
    let text = |x: f64, curve: &str| {
        format!("[initial]\nposition = [{x}, -0.0279329]\n[ground]\ncurve = {curve}\n[solver]\nduration = 1\n")
    };
    let as_written = arc("3.06404", "-0.118484");
    for (x, curve) in [
        (-0.219086, as_written.clone()),
        (0.219086, arc("\"pi + 0.118484\"", "\"pi - 3.06404\"")),
        (-0.219086, format!("{{ kind = \"offset\", distance = 0, curve = {as_written} }}")),
        (-0.219086, format!("{{ kind = \"transform\", turn = 1e-12, curve = {as_written} }}")),
    ] {
        let outcome = run(&place, &text(x, &curve), &[]);
        assert_eq!(outcome.code, 0, "{curve}: {}", outcome.stderr);
        assert_eq!(Table::read(&place, "out/trajectory.csv").numbers("y"), heights, "{curve}");
    }
    // A ball that has fallen off an end may be behind the ground: there it starts, too, but not where it sticks in it.
    let line =
        "{ kind = \"transform\", mirror = \"x\", turn = 0.3, curve = { kind = \"line\", from = [0, 0], to = [1, 0] } }";
    let (sine, cosine) = 0.3_f64.sin_cos();
    for along in [-1.01, -0.99, -0.01, 0.01] {
        let q = [along * cosine + 0.5 * sine, along * sine - 0.5 * cosine];
        let start =
            format!("[initial]\nposition = [{}, {}]\n[ground]\ncurve = {line}\n[solver]\nduration = 0.1\n", q[0], q[1]);
        assert_eq!(run(&place, &start, &[]).code, 0, "{along}");
        let sticks = run(&place, &start, &["--set", "ball.radius=0.6"]).code;
        assert_eq!(sticks, 2, "{along}");
    }
}

/// Unbounded ground that is turned overflowed the stack, or was said to cross itself at infinity.
/// Coordinates of its far parts, turned, are sums of infinite bounds: they are asked for along the axis of the formula. The
/// search for crossings went as deep as its budget. An axis almost level counted as level.
#[test]
fn stack_overflow_turned() {
    let (_, outcome) = fault("stack-overflow-turned", &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let place = Place::new();
    let ground = ["max(abs(x) - 1, 0)", "x^2", "abs(x)", "sin(2*x)", "exp(x)", "exp(x^2)", "max(exp(x), 3*abs(x))"];
    let maps: [(f64, [f64; 2]); 8] = [
        (0.0, [1.0, 1.0]),
        (3.0, [1.0, 1.0]),
        (std::f64::consts::PI, [1.0, 1.0]),
        (1.5, [1.0, 1.0]),
        (std::f64::consts::FRAC_PI_4, [-1.0, 1.0]),
        (1e-9, [1.0, 1.0]),
        (-2.0, [1.0, -1.0]),
        (1e-300, [-1.0, 1.0]),
    ];
    for (y, radius) in ground.iter().flat_map(|y| [(y, 0.0), (y, 0.05)]) {
        let ends = maps.map(|(turn, mirror)| {
            let (sine, cosine) = turn.sin_cos();
            let image = |[x, y]: [f64; 2]| {
                let [x, y] = [x * mirror[0], y * mirror[1]];
                [cosine * x - sine * y, sine * x + cosine * y]
            };
            let key = if mirror[0] < 0.0 { "mirror = \"x\", " } else if mirror[1] < 0.0 { "mirror = \"y\", " } else { "" };
            let text = format!(
                "[ball]\nradius = {radius}\n[initial]\nposition = {:?}\nvelocity = {:?}\n[ground]\ncurve = {{ kind = \"transform\", \
                 {key}turn = {turn:?}, curve = {{ kind = \"graph\", y = \"{y}\" }} }}\n[forces]\ngravity = {:?}\n[contact]\n\
                 restitution = 0.6\nfriction = 0.2\n[solver]\nduration = 1.2\n",
                image([0.3, 3.0]),
                image([0.2, 0.0]),
                image([0.0, -9.81]),
            );
            let outcome = run(&place, &text, &[]);
            assert_eq!(outcome.code, 0, "{y} turned by {turn}: {}", outcome.stderr);
            let table = Table::read(&place, "out/trajectory.csv");
            let [x, y] = ["x", "y"].map(|column| table.numbers(column)[table.rows.len() - 1]);
            [(cosine * x + sine * y) * mirror[0], (cosine * y - sine * x) * mirror[1]]
        });
        for ([x, y_end], (turn, _)) in ends.iter().zip(maps) {
            let off = (x - ends[0][0]).hypot(y_end - ends[0][1]);
            assert!(off < 1e-9, "{y}, radius {radius}, turned by {turn}: {off:e}");
        }
    }
}

/// A slip of −5.6e-17 m/s was refused on ground that never lets slip: 0.3 − 3.0·0.1 is 0 but for rounding.
#[test]
fn start_slip_rounding() {
    let (place, outcome) = fault("start-slip-rounding", &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let table = Table::read(&place, "out/trajectory.csv");
    assert!(table.words("phase").iter().all(|phase| *phase == "rolling"));
    assert!(table.numbers("vx").iter().all(|v| (v - 0.3).abs() < 1e-15));
    let (_, outcome) = fault("start-slip-rounding", &["--set", "initial.spin=-3.0000000001"]);
    assert_eq!(outcome.code, 2, "{}", outcome.stdout);
}

/// Below the ground by less than was refused, a ball fell through it without a word: nothing put it onto the ground.
#[test]
fn start_just_below() {
    let place = Place::new();
    for velocity in ["[1, 0.01]", "[1, -0.01]", "[1, 0]", "[0, 0]"] {
        let text = format!(
            "[initial]\nposition = [0, -5e-13]\nvelocity = {velocity}\n[ground]\ncurve = {{ kind = \"graph\", y = \"0.1*x^2\" }}\n\
             [contact]\nrestitution = 0.5\n[solver]\nduration = 0.1\n"
        );
        let outcome = run(&place, &text, &[]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        let least = Table::read(&place, "out/trajectory.csv").numbers("gap").into_iter().fold(0.0, f64::min);
        assert!(least > -1e-12, "{velocity}: {least}");
    }
}

/// Scenarios through all phases: what is before `[initial]`, the start, and what is after it.
const RESTARTED: [(&str, &str, &str); 8] = [
    (
        "radius = 0.1",
        "position = [0, 0.4]\nvelocity = [1, 0]\nspin = -4",
        "curve = { kind = \"graph\", y = 0 }\n[contact]\nrestitution = 0.5\nfriction = 0.2",
    ),
    (
        "radius = 0.05",
        "contact = { x = 0.3, speed = 0.4, spin = \"rolling\" }",
        "curve = { kind = \"graph\", y = \"0.1*sin(pi*x)\" }\n[contact]\nfriction = \"infinite\"",
    ),
    (
        "radius = 0.05",
        "contact = { s = 2.2, speed = 0.4, spin = \"rolling\" }",
        "curve = { kind = \"circle\", centre = [0.3, 1], radius = 1, side = \"inside\" }\n[contact]\nfriction = 0.5",
    ),
    // Between two walls, where it comes to rest.
    (
        "radius = 0.1",
        "position = [0.02, 0.5]\nspin = 20",
        "curve = { kind = \"polyline\", points = [[-1, 1], [0, 0], [1, 1]] }\n[contact]\nrestitution = 0.3\nfriction = 0.4",
    ),
    // Over a convex corner and down.
    (
        "radius = 0.1",
        "contact = { x = -0.3, speed = 0.8, spin = \"rolling\" }",
        "curve = { kind = \"polyline\", points = [[-1, 0], [0, 0], [1, -1], [3, -1]] }\n[contact]\nrestitution = 0.3\nfriction = 0.6",
    ),
    (
        "radius = 0",
        "position = [0.1, 0.4]\nvelocity = [0.3, 0]",
        "curve = { kind = \"spline\", points = [[-1, 0.5], [-0.3, 0.1], [0.4, 0], [1, 0.4], [2, 1]] }\n[contact]\nrestitution = 0.4",
    ),
    (
        "radius = 0.05",
        "position = [0.1, 0.6]\nvelocity = [0.3, 0]",
        "curve = { kind = \"transform\", turn = 0.4, move = [0.1, 0.05], curve = { kind = \"graph\", y = \"x^2\" } }\n[contact]\n\
         restitution = 0.4\nfriction = 0.3",
    ),
    (
        "radius = 0.05",
        "position = [0.1, 0.6]\nvelocity = [0.3, 0]\nspin = 5",
        "curve = { kind = \"ellipse\", centre = [0, 1], semi-axes = [1, 0.7], side = \"inside\" }\n[forces]\n\
         drag = { coefficient = 0.01 }\nmagnus = 0.002\n[contact]\nrestitution = 0.7\nfriction = 0.1",
    ),
];

/// Restarted from a row of its own trajectory a run was refused (rounding was slip, or below the ground), or began in another phase.
#[test]
fn every_row_is_a_start() {
    let place = Place::new();
    let mut phases = std::collections::BTreeSet::new();
    for (ball, start, rest) in RESTARTED {
        let text = |start: &str, duration: f64| {
            format!(
                "[ball]\n{ball}\n[initial]\n{start}\n[ground]\n{rest}\n[solver]\nduration = {duration:?}\n[output]\ninterval = 0.06\n"
            )
        };
        assert_eq!(run(&place, &text(start, 1.8), &[]).code, 0, "{rest}");
        let whole = Table::read(&place, "out/trajectory.csv");
        let last = whole.rows.len() - 1;
        let column = |table: &Table, name: &str, row: usize| table.numbers(name)[row];
        for row in 0..last {
            let [x, y, vx, vy, spin] = ["x", "y", "vx", "vy", "spin"].map(|name| whole.words(name)[row].to_owned());
            let start = format!("position = [{x}, {y}]\nvelocity = [{vx}, {vy}]\nspin = {spin}");
            let outcome = run(&place, &text(&start, 1.8 - column(&whole, "time", row)), &[]);
            assert_eq!(outcome.code, 0, "{rest}: row {row}: {}{}", outcome.stdout, outcome.stderr);
            let part = Table::read(&place, "out/trajectory.csv");
            phases.insert(whole.words("phase")[row].to_owned());
            assert_eq!(part.words("phase")[0], whole.words("phase")[row], "{rest}: row {row}");
            for force in ["normal_force", "friction_force", "second_normal_force"] {
                let miss = column(&part, force, 0) - column(&whole, force, row);
                assert!(miss.abs() < 1e-9, "{rest}: row {row}: {force} off by {miss:e}");
            }
            let end = part.rows.len() - 1;
            for name in ["x", "y", "vx", "vy"] {
                // The tolerance of both runs, on the way from there.
                let miss = column(&part, name, end) - column(&whole, name, last);
                assert!(miss.abs() < 1e-7, "{rest}: row {row}: {name} off by {miss:e}");
            }
            assert_eq!(part.words("phase")[end], whole.words("phase")[last], "{rest}: row {row}");
        }
    }
    assert_eq!(phases.into_iter().collect::<Vec<_>>(), ["flight", "resting", "rolling", "sliding"]);
}

/// A duration near the smallest number never ended: a thousandth of it is zero, and so was the time of every row.
#[test]
fn tiny_duration() {
    for duration in ["5e-324", "1e-322", "1e-320", "1e-301"] {
        let (_, outcome) = fault("tiny-duration", &["--set", &format!("solver.duration={duration}")]);
        assert_eq!(outcome.code, 2, "{}", outcome.stdout);
        assert!(outcome.stderr.contains("`duration`"), "{}", outcome.stderr);
    }
    let (_, outcome) = fault("tiny-duration", &["--set", "solver.duration=1e-299"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}

/// A ball on `x⁴ − x²` without a domain was said to be in a slot of its own width at its first impact.
/// What overflowed was taken for infinite, so that far out ∞ − ∞ was no number, and ground not looked at counted as near.
#[test]
fn quartic_slot_false_alarm() {
    let (place, outcome) = fault("quartic-slot-false-alarm", &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let without = Table::read(&place, "out/trajectory.csv");
    let bounded = "ground.curve.domain=[-100.0, 100.0]";
    let (place, outcome) = fault("quartic-slot-false-alarm", &["--set", bounded]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let within = Table::read(&place, "out/trajectory.csv");
    for column in ["x", "y", "vx", "vy"] {
        for (a, b) in without.numbers(column).iter().zip(within.numbers(column)) {
            assert!((a - b).abs() < 1e-7, "{column} {a} {b}");
        }
    }
}

/// One formula's corner at 10⁶ m was refused as a gap of 5.7e-9 m: 1e-9 m was asked of places known to 2e-8 m.
/// Ends may be as far apart as rounding puts them; of numbers known better a gap is still one.
#[test]
fn huge_corner_gap_refused() {
    let (_, outcome) = fault("huge-corner-gap-refused", &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let gap = "ground.curve={kind=\"composite\",pieces=[{kind=\"line\",from=[-1e6,0.0],to=[0.0,1.0]},\
               {kind=\"line\",from=[6e-9,1.0],to=[1e6,0.0]}]}";
    let (_, outcome) = fault("huge-corner-gap-refused", &["--set", gap]);
    assert!(outcome.code == 2 && outcome.stderr.contains("m away"), "{}", outcome.stderr);
}
