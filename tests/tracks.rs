//! Several curves in one scene.

use mechanics::State;
use supervisor::{Event, EventKind};

use crate::harness::{Run, attempt, run};

/// A ball that falls through a zigzag of planks, with friction and restitution.
const BALL: &str = r#"
ball = { mass = 0.2, radius = 0.04 }
contact = { restitution = 0.4, friction = 0.3 }
"#;

/// From left to right and back: the ends of six planks, m; the free side of every other is its upper one.
const PLANKS: [[[f64; 2]; 2]; 6] = [
    [[-0.7, 6.2], [1.2, 5.6]],
    [[3.6, 5.7], [0.7, 4.8]],
    [[-1.7, 4.9], [1.2, 4.0]],
    [[3.6, 4.1], [0.7, 3.2]],
    [[-1.7, 3.3], [1.2, 2.4]],
    [[3.6, 2.5], [0.7, 1.6]],
];

/// The plank with its free side up.
fn plank(index: usize) -> String {
    let [a, b] = PLANKS[index];
    let [from, to] = if a[0] < b[0] { [a, b] } else { [b, a] };
    format!("{{ kind = \"line\", from = {from:?}, to = {to:?} }}")
}

fn start(state: &State) -> String {
    let State { position: q, velocity: v, spin, .. } = state;
    format!("initial = {{ position = [{:?}, {:?}], velocity = [{:?}, {:?}], spin = {spin:?} }}", q.x, q.y, v.x, v.y)
}

fn curve(run: &Run, event: &Event) -> usize {
    run.scenario.scene.ground.curve_of(event.place)
}

/// Each plank alone, with the state carried over, says the same as all of them together.
#[test]
fn planks_alone_and_together() {
    let tables: String =
        (0..6).map(|i| format!("[[ground]]\nname = \"plank {}\"\ncurve = {}\n", i + 1, plank(i))).collect();
    let whole = run(
        &format!("{BALL}\ninitial = {{ position = [0.1, 6.4] }}\nsolver.duration = 16\noutput.interval = 1\n{tables}"),
        &[],
    );
    let mut compared = 0;
    for index in 0..6 {
        let on_it = |event: &&Event| curve(&whole, event) == index;
        let first = whole.events.iter().position(|event| on_it(&event)).expect("every plank is met");
        let met: Vec<&Event> = whole.events.iter().filter(on_it).collect();
        let (begin, from) = match first {
            0 => (0.0, "initial = { position = [0.1, 6.4] }".to_owned()),
            _ => (whole.events[first - 1].time(), start(&whole.events[first - 1].after)),
        };
        let last = met[met.len() - 1].time() - begin;
        let duration = last + 1e-3;
        let text = format!("{BALL}\n{from}\nsolver.duration = {duration:?}\nground.curve = {}", plank(index));
        let alone = run(&text, &[]);
        assert_eq!(alone.events.len(), met.len(), "plank {index}");
        for (a, b) in alone.events.iter().zip(met) {
            assert_eq!(a.kind, b.kind);
            let off = [
                a.time() + begin - b.time(),
                (a.position() - b.position()).norm(),
                (a.after.velocity - b.after.velocity).norm(),
                0.04 * (a.after.spin - b.after.spin),
            ];
            assert!(off.iter().all(|off| off.abs() <= 1e-11), "plank {index}, {} at {}: {off:?}", a.kind, b.time());
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared}");
}

/// A ball that is thrown up among the planks meets them from below and from above, and rolls around their ends: whichever way they
/// are drawn, and each plank alone with the state carried over, the same.
#[test]
fn planks_from_below() {
    let (mut compared, mut below) = (0, 0);
    for radius in ["0.0", "0.04", "0.3"] {
        for (i, friction) in ["0", "0.3", "\"infinite\""].into_iter().enumerate() {
            let fly = |lines: &str, from: &str, duration: f64| {
                run(
                    &format!(
                        "ball = {{ mass = 0.2, radius = {radius} }}\ncontact = {{ restitution = 0.6, friction = {friction} }}\n\
                         {from}\nsolver.duration = {duration:?}\noutput.interval = 1\n{lines}"
                    ),
                    &[],
                )
            };
            let table = |index: usize, turned: bool| {
                let [a, b] = PLANKS[index];
                let [from, to] = if (a[0] < b[0]) != turned { [a, b] } else { [b, a] };
                format!("name = \"plank {index}\"\ncurve = {{ kind = \"line\", from = {from:?}, to = {to:?} }}\n")
            };
            let all = |turned: bool| (0..6).map(|i| format!("[[ground]]\n{}", table(i, turned))).collect::<String>();
            for start_number in 0..12 {
                let part = f64::from(start_number) + 0.3 * i as f64;
                let [x, y] = [-1.0 + 0.35 * part, if start_number % 2 == 0 { 0.8 } else { 7.0 }];
                let from = format!(
                    "initial = {{ position = [{x:?}, {y:?}], velocity = [{:?}, {:?}], spin = 5 }}",
                    0.3 - 0.1 * part,
                    if y < 1.0 { 12.0 } else { 1.0 }
                );
                let [whole, turned] = [false, true].map(|turned| fly(&all(turned), &from, 3.0));
                // How many of the last bounces are made one by one is a matter of rounding.
                let told = |run: &Run| -> Vec<Event> {
                    let small = |event: &Event| event.after.velocity.dot(&event.frame.normal) < 1e-3;
                    run.events.iter().filter(|e| e.kind != EventKind::Impact || !small(e)).copied().collect()
                };
                let [first, second] = [&whole, &turned].map(told);
                assert_eq!(first.len(), second.len(), "R = {radius}, friction {friction}");
                for (a, b) in first.iter().zip(&second) {
                    assert_eq!(a.kind, b.kind);
                    let off = (a.time() - b.time()).abs() + (a.after.velocity - b.after.velocity).norm();
                    assert!(off < 1e-9, "R = {radius}, friction {friction}, {} at {}: {off:e}", a.kind, a.time());
                    below += usize::from(a.frame.normal.y < 0.0);
                }
                // From one plank to the next, alone.
                let met: Vec<usize> = first.iter().map(|event| curve(&whole, event)).collect();
                let mut begin = 0;
                for end in 1..=met.len() {
                    if end < met.len() && met[end] == met[begin] {
                        continue;
                    }
                    let before = begin.checked_sub(1).map(|last| &first[last]);
                    let (time, from) = before.map_or((0.0, from.clone()), |last| (last.time(), start(&last.after)));
                    let duration = first[end - 1].time() - time + 1e-4;
                    let alone = fly(
                        &format!("[ground]\n{}", table(met[begin], false).split_once('\n').expect("a name").1),
                        &from,
                        duration,
                    );
                    let these = &first[begin..end];
                    let near = |event: &&Event| event.time() + time <= these[these.len() - 1].time() + 1e-9;
                    let alone = told(&alone);
                    let seen: Vec<&Event> = alone.iter().filter(near).collect();
                    assert_eq!(
                        seen.len(),
                        these.len(),
                        "R = {radius}, friction {friction}, plank {} from {time}",
                        met[begin]
                    );
                    for (a, b) in seen.into_iter().zip(these) {
                        assert_eq!(a.kind, b.kind);
                        let off = (a.time() + time - b.time()).abs() + (a.after.velocity - b.after.velocity).norm();
                        assert!(off <= 2e-11, "R = {radius}, friction {friction}, {} at {}: {off:e}", a.kind, b.time());
                        compared += 1;
                    }
                    begin = end;
                }
            }
        }
    }
    println!("{compared} events, {below} of them below a plank");
    assert!(compared > 60 && below > 15, "{compared}, {below}");
}

/// Splines, polylines and arcs drawn one way and the other: the same run, on whichever side of them the ball is.
#[test]
fn drawn_the_other_way() {
    let mut seed = 7u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let (mut compared, mut kinds) = (0, std::collections::BTreeSet::new());
    for scene in 0..1200 {
        let mut curves = Vec::new();
        for _ in 0..3 {
            let (kind, at) = (next(), [3.0 * next() - 1.5, 2.0 * next() - 1.0]);
            curves.push(if kind < 0.3 {
                let [radius, from, sweep] = [0.3 + next(), 6.0 * next(), 0.5 + 4.0 * next()];
                format!("kind = 'arc', centre = {at:?}, radius = {radius:?}, from = {from:?}, to = {:?}", from + sweep)
            } else {
                let kind = if kind < 0.6 { "polyline" } else { "spline" };
                let points: Vec<[f64; 2]> =
                    (0..5).map(|i| [at[0] + 0.4 * f64::from(i) - 0.8, at[1] + 0.8 * next() - 0.4]).collect();
                format!("kind = '{kind}', points = {points:?}")
            });
        }
        let [x, y, vx, vy] = [3.0 * next() - 1.5, 3.0 * next() - 1.0, 4.0 * next() - 2.0, 8.0 * next() - 2.0];
        let radius = if scene % 2 == 0 { 0.0 } else { 0.02 + 0.1 * next() };
        let restitution = if scene % 3 == 0 { 0.0 } else { 0.8 * next() };
        let friction = 0.5 * next();
        let runs = [false, true].map(|turned| {
            let table = |(i, curve): (usize, &String)| {
                format!("[[ground]]\nname = '{i}'\ncurve = {{ kind = 'transform', reverse = {turned}, curve = {{ {curve} }} }}\n")
            };
            let text = format!(
                "ball.radius = {radius:?}\ncontact = {{ restitution = {restitution:?}, friction = {friction:?} }}\n\
                 initial = {{ position = [{x:?}, {y:?}], velocity = [{vx:?}, {vy:?}], spin = 3 }}\n\
                 solver = {{ duration = 1.5, relative-tolerance = 1e-11, absolute-tolerance = 1e-11 }}\noutput.interval = 1\n{}",
                curves.iter().enumerate().map(table).collect::<String>()
            );
            kugelbahn::Scenario::from_text(&text, std::path::Path::new(""), &[]).is_ok().then(|| attempt(&text, &[]))
        });
        let [Some(one), Some(other)] = runs else { continue };
        assert_eq!(
            one.summary.stop.is_some(),
            other.summary.stop.is_some(),
            "{scene}: {:?}",
            [one.summary.stop, other.summary.stop]
        );
        // Each bounce magnifies what rounding makes of it.
        let told = |run: &Run| -> Vec<Event> { run.events.iter().take(8).copied().collect() };
        let [first, second] = [&one, &other].map(told);
        for (i, (a, b)) in first.iter().zip(&second).enumerate() {
            let off = (a.time() - b.time()).abs() + (a.after.velocity - b.after.velocity).norm();
            let last = a.after.velocity.dot(&a.frame.normal) < 1e-3;
            if last && a.kind == EventKind::Impact {
                break;
            }
            assert_eq!(a.kind, b.kind, "{scene}, event {i}");
            assert!(off < 1e-8, "{scene}, event {i}, {} at {}: {off:e}", a.kind, a.time());
            kinds.insert(a.kind.to_string());
            compared += 1;
        }
    }
    println!("{compared} events: {kinds:?}");
    assert!(compared > 1000 && kinds.len() > 4, "{compared}: {kinds:?}");
}

/// A ball and a point in the trough of two planks that cross: contacts of two curves, each with its own law.
#[test]
fn a_trough_of_two_curves() {
    for radius in [0.0, 0.1] {
        let text = format!(
            r#"
            ball = {{ radius = {radius} }}
            initial = {{ position = [-0.5, 1.0] }}
            contact = {{ restitution = 0.5, friction = 0.2 }}
            solver.duration = 20
            [[ground]]
            name = "left"
            curve = {{ kind = "graph", y = "-x" }}
            [[ground]]
            name = "right"
            curve = {{ kind = "graph", y = "x" }}
            contact = {{ restitution = 0.2, friction = 0 }}
            "#
        );
        let run = run(&text, &[]);
        let met = |index: usize| run.events.iter().any(|event| curve(&run, event) == index);
        assert!(met(0) && met(1));
        let wedged = run.summary.wedged.expect("held by both");
        let weight = 9.81;
        // Forces at rest: each normal force is F/√2 without friction.
        for normal in wedged.normal_forces {
            assert!((normal - weight / 2f64.sqrt()).abs() < 1e-9, "{radius}: {wedged:?}");
        }
        let height = radius * 2f64.sqrt();
        assert!((run.summary.state.position.y - height).abs() < 1e-9, "{radius}: {:?}", run.summary.state);
        let smooth: Vec<f64> = run
            .of(EventKind::Impact)
            .filter(|event| curve(&run, event) == 1)
            .map(|event| event.tangential_impulse)
            .collect();
        assert!(!smooth.is_empty() && smooth.iter().all(|impulse| *impulse == 0.0), "{radius}: {smooth:?}");
    }
}

/// A start says which curve it is on; without it a place that is on one curve alone is enough.
#[test]
fn starts_name_their_curve() {
    let text = |contact: &str| {
        format!(
            r#"
            ball = {{ radius = 0.1 }}
            initial.contact = {contact}
            solver.duration = 0.1
            [[ground]]
            name = "upper"
            curve = {{ kind = "line", from = [0, 1], to = [2, 1] }}
            [[ground]]
            name = "lower"
            curve = {{ kind = "line", from = [1, 0], to = [4, 0] }}
            "#
        )
    };
    for (contact, y) in
        [("{ ground = 'upper', s = 0.5 }", 1.1), ("{ ground = 'lower', s = 0.5 }", 0.1), ("{ x = 3 }", 0.1)]
    {
        let run = run(&text(contact), &[]);
        assert!((run.summary.state.position.y - y).abs() < 1e-12, "{contact}: {:?}", run.summary.state);
        // As resolved it is the same start.
        let again = run.scenario.with_setting("solver.duration=0.2").expect("a scenario");
        assert_eq!(again.start, run.scenario.start);
    }
    let refused = |contact: &str| {
        let base = std::path::Path::new("");
        format!("{:?}", kugelbahn::Scenario::from_text(&text(contact), base, &[]).expect_err("refused"))
    };
    assert!(refused("{ s = 0.5 }").contains("of which curve"));
    assert!(refused("{ ground = 'uper', s = 0.5 }").contains("did you mean \\\"upper\\\""));
    assert!(refused("{ x = 1.5 }").contains("in 2 places"));
}

/// Names are there, not empty, and no two alike; a motion of one of several is refused.
#[test]
fn bad_tables() {
    let refused = |tables: &str| {
        let text = format!("initial = {{ position = [0, 1] }}\n{tables}");
        let base = std::path::Path::new("");
        format!("{:?}", kugelbahn::Scenario::from_text(&text, base, &[]).expect_err("refused"))
    };
    let flat = "curve = { kind = 'graph', y = 0 }";
    assert!(refused(&format!("[[ground]]\nname = 'a'\n{flat}\n[[ground]]\nname = 'a'\n{flat}")).contains("two curves"));
    assert!(refused(&format!("[[ground]]\n{flat}")).contains("has no `name`"));
    assert!(refused(&format!("[[ground]]\nname = ''\n{flat}")).contains("empty"));
    assert!(refused("ground = []").contains("empty list"));
    assert!(
        refused(&format!("[[ground]]\nname = 'a'\nmotion = {{ x = 't' }}\n{flat}"))
            .contains("motion of one of several")
    );
    assert!(
        refused(&format!("[[ground]]\nname = 'a'\ncontact = {{ restitution = 2 }}\n{flat}")).contains("restitution")
    );
}

/// A ramp down at 45°, rounded into level ground, a full circle, and level ground again; the centre's path round the circle has the
/// radius 1 m. The ball starts at rest `drop` m above the lowest point of that path.
fn looping(radius: f64, drop: f64, more: &str) -> Run {
    let circle = 1.0 + radius;
    let half = 0.5f64.sqrt();
    // The arc of radius 2 m ends at (-2, 0); the ramp above it begins 4 m up.
    let (x, y) = (-2.0 - 2.0 * half, 2.0 - 2.0 * half);
    let (left, top) = (x - (4.0 - y), 4.0);
    let s = (top + radius * half - radius - drop) / half;
    let text = format!(
        r#"
        {more}
        initial.contact = {{ s = {s:?}, spin = "rolling" }}
        solver = {{ duration = 8, relative-tolerance = 1e-12, absolute-tolerance = 1e-12 }}
        output.interval = 1
        [ground.curve]
        kind = "composite"
        pieces = [
            {{ kind = "line", from = [{left:?}, {top:?}], to = [{x:?}, {y:?}] }},
            {{ kind = "arc", centre = [-2, 2], radius = 2, from = "-3*pi/4", to = "-pi/2" }},
            {{ kind = "line", from = [-2, 0], to = [0, 0] }},
            {{ kind = "arc", centre = [0, {circle:?}], radius = {circle:?}, from = "-pi/2", to = "3*pi/2" }},
            {{ kind = "line", from = [0, 0], to = [40, 0] }},
        ]
        "#
    );
    attempt(&text, &[])
}

/// A bead, and a solid sphere that rolls; with k of its inertia.
const LOOPERS: [(f64, &str, f64); 2] =
    [(0.0, "", 0.0), (0.1, "ball.radius = 0.1\ncontact.friction = \"infinite\"", 0.4)];

/// Whether it never leaves the ground, and is past the loop. Within some 1e-10 m of the least height a ball leaves the ground by less
/// than rounding, and a run may end there (`Unbalanced`): it has left the ground all the same.
fn stays(run: &Run) -> bool {
    let past = run.summary.state.position.x > 1.5;
    run.events.is_empty() && past
}

/// The least height from which a loop is run through: 5/2 of its radius for a bead, 27/10 for a sphere that rolls.
#[test]
fn heights_for_a_loop() {
    for (radius, more, k) in LOOPERS {
        let expected = 2.5 + 0.5 * k;
        let (mut low, mut high) = (expected - 0.01, expected + 0.01);
        assert!(!stays(&looping(radius, low, more)) && stays(&looping(radius, high, more)));
        while high - low > 1e-10 {
            let middle = 0.5 * (low + high);
            if stays(&looping(radius, middle, more)) { high = middle } else { low = middle }
        }
        println!("k = {k}: {high} m, expected {expected} m");
        assert!((high - expected).abs() < 1e-9, "{k}: {high}");
    }
}

/// From lower it leaves the loop where `cos θ = 2(h − 1)/(3 + k)`, and a bead, θ from the top on one side, lands at 3θ on the other:
/// of a parabola that touches a circle thrice, the angles sum to a full turn.
#[test]
fn falling_off_a_loop() {
    for (radius, more, k) in LOOPERS {
        for drop in [1.2, 1.4, 1.6, 2.2, 2.4] {
            let run = looping(radius, drop, more);
            assert_eq!(run.summary.stop, None);
            let left = run.first(EventKind::LiftOff);
            let from_centre = left.position() - nalgebra::Vector2::new(0.0, 1.0 + radius);
            let cosine = 2.0 * (drop - 1.0) / (3.0 + k);
            assert!((from_centre.y - cosine).abs() < 1e-9, "{k} {drop}: {} for {cosine}", from_centre.y);
            let landed = run.events.iter().find(|event| event.time() > left.time()).expect("it lands");
            let at = landed.position() - nalgebra::Vector2::new(0.0, 1.0 + radius);
            let angle = -3.0 * from_centre.x.atan2(from_centre.y);
            let off = (at - nalgebra::Vector2::new(angle.sin(), angle.cos())).norm();
            println!("k = {k}, h = {drop}: off at {} degrees, lands {off:e} m off", (-angle / 3.0).to_degrees());
            assert!(off < 1e-8, "{k} {drop}: {at:?}");
        }
    }
}

/// A bead that leaves the loop some 60° from its top falls on the crossing. It was last before the gate, so that the way in is there
/// and the way out is not: it lands on level ground, or on the loop behind it.
#[test]
fn falling_on_the_crossing() {
    for off in [-0.02, -0.001, 0.0, 0.001, 0.02] {
        // cos 60° = 1/2
        let run = looping(0.0, 1.75 + off, "contact.restitution = 0.3");
        let left = run.first(EventKind::LiftOff);
        let landed = run.events.iter().find(|event| event.time() > left.time()).expect("it lands");
        let s = run.scenario.scene.ground.shown_parameter(landed.place);
        let [crossing] = run.scenario.scene.ground.ground().crossings() else { panic!("one crossing") };
        let first = run.scenario.scene.ground.ground().shown_parameter(crossing.passages[0].0, crossing.passages[0].1);
        println!("{off}: lands {} m beside the crossing", s - first);
        assert!((s - first).abs() < 0.2, "{off}: s = {s}, the crossing at {first}");
        assert!(landed.position().y < 0.02 && run.summary.stop.is_none());
    }
}

/// A ball sent through a row of three loops, circles or clothoids, from either side has the same speeds at mirrored places, and meets
/// nothing.
#[test]
fn a_row_of_loops_both_ways() {
    for shape in ["radius = 1", "top-radius = 0.7, bottom-radius = 2.5", "top-radius = 0.8, bottom-radius = inf"] {
        let row = |way: f64, end: f64| {
            let s = if way > 0.0 { 16.0 } else { end - 16.0 };
            run(
                &format!(
                    r#"
                    ball.radius = 0.05
                    contact.friction = "infinite"
                    initial.contact = {{ s = {s:?}, speed = {:?}, spin = "rolling" }}
                    solver = {{ duration = 7.5, relative-tolerance = 1e-12, absolute-tolerance = 1e-12 }}
                    output.interval = 0.05
                    ground.curve = {{ kind = "loop", {shape}, count = 3, spacing = 5, run-in = 20, run-out = 20 }}
                    "#,
                    7.0 * way
                ),
                &[],
            )
        };
        let there = row(1.0, 0.0);
        let ground = &there.scenario.scene.ground;
        let back = row(-1.0, ground.ground().length());
        assert!(there.events.is_empty() && back.events.is_empty(), "{shape}: {:?} {:?}", there.kinds(), back.kinds());
        let places: std::collections::BTreeSet<usize> =
            there.samples.iter().filter_map(|sample| ground.layer_number(sample.place?)).collect();
        assert_eq!(places.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3], "{shape}");
        // The middle of both ends.
        let last = ground.ground().pieces().last().expect("pieces");
        let middle = 0.5 * (last.curve().point_at(last.domain().hi).x - 20.0);
        assert!(there.summary.state.position.x > 2.0 * middle + 1.0, "{shape}: {:?}", there.summary.state);
        for (a, b) in there.samples.iter().zip(&back.samples) {
            let off = (a.state.position.x - (2.0 * middle - b.state.position.x)).abs()
                + (a.state.velocity.norm() - b.state.velocity.norm()).abs();
            assert!(off < 1e-10, "{shape}: {off:e} at {} s", a.state.time);
        }
    }
}

/// A loop of circles is the lines and circles that it says, to the last bit.
#[test]
fn a_loop_is_lines_and_circles() {
    let with = |curve: &str| {
        let text = format!(
            r#"
            ball = {{ mass = 0.005, radius = 0.02 }}
            initial.contact = {{ s = 0.1, speed = 4.5 }}
            contact.friction = 0.3
            solver.duration = 2
            ground.curve = {curve}
            "#
        );
        run(&text, &[])
    };
    let written = with(
        r#"{ kind = "composite", pieces = [
            { kind = "line", from = [-1, 0.2], to = [0, 0.2] },
            { kind = "arc", centre = [0, 0.5], radius = 0.3, from = "-pi/2", to = "3*pi/2" },
            { kind = "line", from = [0, 0.2], to = [0.7, 0.2] },
            { kind = "arc", centre = [0.7, 0.5], radius = 0.3, from = "-pi/2", to = "3*pi/2" },
            { kind = "line", from = [0.7, 0.2], to = [1.9, 0.2] },
        ] }"#,
    );
    let short = with(r#"{ kind = "loop", at = [0, 0.2], radius = 0.3, count = 2, run-in = 1, spacing = 0.7 }"#);
    assert_eq!(written.kinds(), short.kinds());
    assert_eq!(written.summary.state, short.summary.state);
}

/// A bead leaves a loop 60° before its top and falls on the crossing. By default it left before the gate and meets the way in; with the
/// gate earlier it is behind it, and meets the way out.
#[test]
fn a_gate_that_is_moved() {
    for (gate, passage) in [("", 0), ("{ crossing = 1, s = 5, reach = 1 }", 1)] {
        let text = format!(
            r#"
            initial.contact = {{ s = 2, speed = {:?} }}
            contact.restitution = 0.3
            solver.duration = 2
            ground.curve = {{ kind = "loop", radius = 1, gates = [{gate}] }}
            "#,
            (2.0 * 9.81 * 1.75f64).sqrt()
        );
        let run = run(&text, &[]);
        let left = run.first(EventKind::LiftOff);
        let landed = run.events.iter().find(|event| event.time() > left.time()).expect("it lands");
        let ground = &run.scenario.scene.ground;
        let (passages, _) = ground.ground().shown_crossing(&ground.ground().crossings()[0]);
        let s = ground.shown_parameter(landed.place);
        assert!((s - passages[passage]).abs() < 0.2, "{gate}: s = {s}, passages {passages:?}");
    }
}

#[test]
fn bad_gates() {
    for (gate, wanted) in [
        ("{ crossing = 3 }", "there is no crossing 3"),
        ("{ crossing = 1, s = 1 }", "between 4 and 10.283"),
        ("{ crossing = 1, reach = -1 }", "`reach` = -1"),
        ("{ s = 5 }", "no `crossing`"),
        ("7", "gate"),
    ] {
        let text = format!("ground.curve = {{ kind = \"loop\", radius = 1, gates = [{gate}] }}");
        let error = kugelbahn::Scenario::from_text(&text, std::path::Path::new(""), &[]).expect_err("no such gate");
        let told = format!("{error} {}", error.label_text());
        assert!(told.contains(wanted), "{gate}: {told}");
    }
}

/// A ball dropped beside a loop, nearer to the back of the circle than to the way in: it sees both until it has touched one.
#[test]
fn dropped_beside_a_loop() {
    for radius in [0.0, 0.1] {
        let run = run(
            &format!(
                r#"
                ball.radius = {radius}
                initial = {{ position = [-0.75, {:?}], velocity = [0, -0.1] }}
                solver.duration = 1
                ground.curve = {{ kind = "loop", radius = 1.0, run-in = 3.0, run-out = 3.0 }}
                "#,
                radius + 0.05
            ),
            &[],
        );
        let height = run.summary.state.position.y;
        assert!((height - radius).abs() < 1e-12 && run.first(EventKind::Landing).position().x == -0.75, "{height}");
    }
}
