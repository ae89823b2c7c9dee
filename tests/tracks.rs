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
                        "ball = {{ mass = 0.2, radius = {radius} }}\ncontact = {{ restitution = 0.4, friction = {friction} }}\n\
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
                        assert!(off <= 1e-11, "R = {radius}, friction {friction}, {} at {}: {off:e}", a.kind, b.time());
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
        let again = run.scenario.with_settings(&["solver.duration=0.2".to_owned()]).expect("a scenario");
        assert_eq!(again.start, run.scenario.start);
    }
    let refused = |contact: &str| {
        let base = std::path::Path::new("");
        format!("{:?}", kugelbahn::Scenario::from_text(&text(contact), base, &[]).expect_err("refused"))
    };
    assert!(refused("{ s = 0.5 }").contains("of which curve"));
    assert!(refused("{ ground = 'uper', s = 0.5 }").contains("did you mean \"upper\""));
    let twice = refused("{ x = 1.5 }");
    assert!(twice.contains("in 2 places") && twice.contains("(--set initial.contact.ground="), "{twice}");
}

/// Names are there, not empty, and no two alike.
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
        refused(&format!("[ground]\n{flat}\n[[ground]]\nname = 'a'\n{flat}")).contains("a `[[ground]]` table each")
    );
    // Two of one place, whole or in part, or but for an angle that can't be told.
    let closed = "{ kind = 'circle', centre = [0, -2], radius = 1, side = 'outside' }";
    let whole = "`b` and `a` lie on each other, all along";
    let line = "{ kind = 'line', from = [-2, 0], to = [2, 0] }";
    for (one, other, place) in [
        (closed, closed, whole),
        ("{ kind = 'circle', centre = [0, -2], radius = 1, side = 'inside' }", closed, whole),
        (line, "{ kind = 'line', from = [2, 1e-7], to = [-2, -1e-7] }", "`b` and `a` lie on each other, from (0.0"),
        (line, line, "`a` and `b` lie on each other, from (-2, 0) to (2, 0)"),
        (line, "{ kind = 'line', from = [1, 0], to = [3, 0] }", "lie on each other, from (1, 0) to (2, 0)"),
        ("{ kind = 'graph', y = '0.5*x^2' }", "{ kind = 'graph', y = 'x^2/2' }", "`b` lies along `a` at ("),
    ] {
        let told = refused(&format!("[[ground]]\nname = 'a'\ncurve = {one}\n[[ground]]\nname = 'b'\ncurve = {other}"));
        assert!(told.contains(place) && told.contains("draw what they have in common once"), "{told}");
    }
    let arc = "{ kind = 'arc', centre = [0, -2], radius = 1, from = 0, to = 1.5 }";
    let told = refused(&format!("[[ground]]\nname = 'a'\ncurve = {closed}\n[[ground]]\nname = 'b'\ncurve = {arc}"));
    assert!(told.contains("`b` and `a` lie on each other, from (1, -2) to ("), "{told}");
    assert!(
        refused(&format!("[[ground]]\nname = 'a'\ncontact = {{ restitution = 2 }}\n{flat}")).contains("restitution")
    );
}

/// A point that rests on an open curve stays there from whichever row the run is started again: rounding does not put it on the back.
#[test]
fn points_start_on_the_front() {
    for (index, curve) in
        ["-0.1806*exp(-5.718*(x + 0.1472)^2) + 0.1*x^2", "0.3*x^2", "0.1*sin(3*x) + 0.2*x^2"].iter().enumerate()
    {
        let scene = |rest: &str| {
            format!(
                "ball = {{ mass = 2.8, radius = 0.0 }}\ncontact = {{ restitution = 0.0, friction = 0.95 }}\n\
                 ground = {{ curve = {{ kind = \"transform\", turn = -0.07671, scale = 0.82, curve = {{ kind = \"graph\", \
                 y = \"{curve}\", domain = [-3.0, 3.0] }} }} }}\nsolver = {{ duration = 0.8 }}\n{rest}\n"
            )
        };
        for step in 0..40 {
            let x = -0.4 + 0.02 * f64::from(step);
            let landed = run(&scene(&format!("initial = {{ position = [{x:?}, 1.7] }}")), &[]);
            let last = &landed.summary.state;
            let again = run(&scene(&start(last)), &[]);
            let gap = again.scenario.scene.ground.gap(again.summary.state.position);
            assert!(gap.abs() < 1e-14, "{index}: from x = {x:?} m: {gap:e} m");
            // The decimals of a table, within the capture tolerance, too.
            let State { position: q, .. } = last;
            let low = run(&scene(&format!("initial = {{ position = [{:?}, {:?}] }}", q.x, q.y - 1e-13)), &[]);
            let gap = low.scenario.scene.ground.gap(low.summary.state.position);
            assert!(gap.abs() < 1e-14, "{index}: from below x = {x:?} m: {gap:e} m");
        }
    }
}

/// A bead goes past a circle that touches its line from above or below, on the level, in a bowl and down a slope, as if there were none (it
/// stopped as `Stalled`: the way to what is as near as the square of the way was gone in ever shorter steps; and as `Slot`: what has no
/// width needs none).
#[test]
fn a_bead_passes_what_touches_its_curve() {
    for (curve, circle, x) in [
        ("kind = 'line', from = [-2, 0], to = [2, 0]", "centre = [0, 0.5], radius = 0.5, side = 'outside'", -1.0),
        (
            "kind = 'line', from = [-2, 1.5], to = [2, -1.5]",
            "centre = [0.3, 0.4], radius = 0.5, side = 'outside'",
            -1.0,
        ),
        ("kind = 'graph', y = '0.5*x^2', domain = [-2, 2]", "centre = [0, 0.4], radius = 0.4, side = 'outside'", -0.7),
        ("kind = 'line', from = [-2, 0], to = [2, 0]", "centre = [0, -0.5], radius = 0.5, side = 'outside'", -1.0),
        (
            "kind = 'line', from = [-2, 1.5], to = [2, -1.5]",
            "centre = [-0.3, -0.4], radius = 0.5, side = 'outside'",
            -1.0,
        ),
        ("kind = 'graph', y = '0.5*x^2', domain = [-2, 2]", "centre = [0, -0.5], radius = 0.5, side = 'outside'", -0.7),
        ("kind = 'graph', y = '0.5*x^2', domain = [-2, 2]", "centre = [0, -3], radius = 3, side = 'outside'", -0.7),
    ] {
        for friction in [0.0, 0.1] {
            let scene = |ring: &str| {
                format!(
                    "ball = {{ mass = 0.1, radius = 0.0 }}\ninitial.contact = {{ ground = 'track', x = {x}, speed = 2 }}\n\
                     contact = {{ restitution = 0.4, friction = {friction} }}\nsolver = {{ duration = 1.2 }}\n\
                     [[ground]]\nname = 'track'\ncurve = {{ {curve} }}\n{ring}"
                )
            };
            let ring = format!("[[ground]]\nname = 'ring'\ncurve = {{ kind = 'circle', {circle} }}");
            let [with, without] = [scene(&ring), scene("")].map(|text| run(&text, &[]));
            assert_eq!(with.kinds(), without.kinds(), "{curve}, friction {friction}");
            let off = [
                (with.summary.state.position - without.summary.state.position).norm(),
                (with.summary.state.velocity - without.summary.state.velocity).norm(),
            ];
            assert!(off.iter().all(|off| *off < 1e-7), "{curve}, friction {friction}: {off:?}");
            // Past the place where it touches.
            assert!(with.summary.state.time == 1.2 && with.samples.iter().any(|sample| sample.state.position.x > 0.1));
        }
    }
}
