//! Each scheme has the order that its paper gives it, counts, an independent number, and a ledger of what laws take.
#![allow(clippy::panic, clippy::expect_used, reason = "tests fail loudly")]

mod measure;

use moreau::Energy;

/// Step, and x, y, angle, their velocities, λ_N and λ_F after it.
type PyRow = (u64, [f64; 8]);

/// PyNonsmooth at 93c16cd (Capobianco, Harsch 2021), `benchmarks/bouncing_ball`, cases 1 to 4, h = 2e-3, ρ_∞ = 0.5, run by us with
/// `newton_tol=1e-11`: e, velocity and spin of the start (x₀ of case 4 is -0.5), then step, x, y, angle, their velocities, λ_N and λ_F.
const PYNONSMOOTH: [(f64, [f64; 3], &[PyRow]); 4] = [
    (
        0.5,
        [0.0, 0.0, 0.0],
        &[
            (107, [0.0, 0.7753706200000003, 0.0, 0.0, -2.0993399999999993, 0.0, 0.0, 0.0]),
            (214, [0.0, 0.10148247999999849, 0.0, 0.0, -4.1986800000000155, 0.0, 0.0, 0.0]),
            (321, [0.0, 0.324609760000002, 0.0, 0.0, 0.019620000000009127, 0.0, 0.0, 0.0]),
            (428, [0.0, 0.10417906000000417, 0.0, 0.0, -2.07971999999999, 0.0, 0.0, 0.0]),
            (535, [0.0, 0.10412019999999927, 0.0, 0.0, -1.010430000000004, 0.0, 0.0, 0.0]),
            (642, [0.0, 0.09999999999999999, 0.0, 0.0, 0.0006035449218758954, 0.0, 9.81, 0.0]),
            (750, [0.0, 0.10000000000107914, 0.0, 0.0, 2.248380042149942e-12, 0.0, 9.81, 0.0]),
        ],
    ),
    (
        0.0,
        [0.0, 0.0, 50.0],
        &[
            (78, [0.0, 0.8806319200000002, 7.799999999999988, 0.0, -1.5303599999999988, 50.0, 0.0, 0.0]),
            (157, [0.0, 0.51638662, 15.69999999999996, 0.0, -3.080340000000009, 50.0, 0.0, 0.0]),
            (
                235,
                [
                    -0.036159878000000124,
                    0.1,
                    22.596003050000057,
                    -0.9221400000000034,
                    0.0,
                    26.94649999999996,
                    9.81,
                    -1.9620000000000002,
                ],
            ),
            (
                314,
                [
                    -0.20634768200000056,
                    0.1,
                    26.241307950000145,
                    -1.2321360000000063,
                    0.0,
                    19.19660000000006,
                    9.81,
                    -1.9620000000000002,
                ],
            ),
            (
                392,
                [-0.4193708285714275, 0.1, 28.71572928571458, -1.4285714285714368, 0.0, 14.285714285714366, 9.81, 0.0],
            ),
            (
                471,
                [-0.6450851142857071, 0.1, 30.97287214285771, -1.4285714285714368, 0.0, 14.285714285714366, 9.81, 0.0],
            ),
            (
                550,
                [-0.8707993999999868, 0.1, 33.23001500000084, -1.4285714285714368, 0.0, 14.285714285714366, 9.81, 0.0],
            ),
        ],
    ),
    (
        0.0,
        [0.0, 0.0, 10.0],
        &[
            (78, [0.0, 0.8806319200000002, 1.560000000000001, 0.0, -1.5303599999999988, 10.0, 0.0, 0.0]),
            (157, [0.0, 0.51638662, 3.1400000000000023, 0.0, -3.080340000000009, 10.0, 0.0, 0.0]),
            (
                235,
                [
                    -0.011714285714454748,
                    0.09999999999989184,
                    4.407142857144564,
                    -0.2857142857185341,
                    0.0,
                    2.8571428571853406,
                    9.81,
                    0.0,
                ],
            ),
            (
                314,
                [
                    -0.05685714285798318,
                    0.09999999999941712,
                    4.858571428579841,
                    -0.2857142857185341,
                    0.0,
                    2.8571428571853406,
                    9.81,
                    0.0,
                ],
            ),
            (
                392,
                [
                    -0.10142857143007417,
                    0.09999999999894842,
                    5.3042857143007485,
                    -0.2857142857185341,
                    0.0,
                    2.8571428571853406,
                    9.81,
                    0.0,
                ],
            ),
            (
                471,
                [
                    -0.14657142857360267,
                    0.0999999999984737,
                    5.755714285736026,
                    -0.2857142857185341,
                    0.0,
                    2.8571428571853406,
                    9.81,
                    0.0,
                ],
            ),
            (
                550,
                [
                    -0.19171428571713175,
                    0.09999999999799898,
                    6.207142857171304,
                    -0.2857142857185341,
                    0.0,
                    2.8571428571853406,
                    9.81,
                    0.0,
                ],
            ),
        ],
    ),
    (
        0.5,
        [-0.5, 1.0, 50.0],
        &[
            (
                107,
                [-0.2859999999999998, 0.7753706200000003, 10.699999999999978, 1.0, -2.0993399999999993, 50.0, 0.0, 0.0],
            ),
            (
                214,
                [
                    -0.07199999999999962,
                    0.10148247999999849,
                    21.400000000000034,
                    1.0,
                    -4.1986800000000155,
                    50.0,
                    0.0,
                    0.0,
                ],
            ),
            (
                321,
                [
                    -0.12713146400000083,
                    0.324609760000002,
                    25.371713399999845,
                    -0.26352800000000476,
                    0.019620000000009127,
                    18.411799999999875,
                    0.0,
                    0.0,
                ],
            ),
            (
                428,
                [
                    -0.18352645600000062,
                    0.10417906000000417,
                    29.31183859999965,
                    -0.26352800000000476,
                    -2.07971999999999,
                    18.411799999999875,
                    0.0,
                    0.0,
                ],
            ),
            (
                535,
                [
                    -0.33503132571428684,
                    0.10412019999999927,
                    30.874216857142684,
                    -0.7142857142857142,
                    -1.010430000000004,
                    7.142857142857141,
                    0.0,
                    0.0,
                ],
            ),
            (
                642,
                [
                    -0.48788846857143153,
                    0.09999999999999999,
                    32.402788285714195,
                    -0.7142857142857142,
                    0.0006035449218758954,
                    7.1428571428571415,
                    9.81,
                    0.0,
                ],
            ),
            (
                750,
                [
                    -0.6421741828571477,
                    0.10000000000107914,
                    33.94564542857114,
                    -0.7142857142857142,
                    2.248380042149942e-12,
                    7.1428571428571415,
                    9.81,
                    0.0,
                ],
            ),
        ],
    ),
];

#[test]
fn generalized_alpha_is_that_of_pynonsmooth() {
    for (case, (restitution, [x, speed, spin], rows)) in PYNONSMOOTH.iter().enumerate() {
        let text = format!(
            "ball = {{ mass = 1, radius = 0.1, inertia = 0.4 }}\n\
             initial = {{ position = [{x:?}, 1], velocity = [{speed:?}, 0], spin = {spin:?} }}\n\
             ground.curve = {{ kind = \"graph\", y = 0 }}\n\
             contact = {{ restitution = {restitution:?}, friction = 0.2 }}"
        );
        let steps = rows.last().expect("a row").0;
        let found = measure::run(&text, "generalized-alpha", 2e-3, steps, 1);
        assert!(found.stop.is_none(), "{:?}", found.stop);
        for (step, theirs) in *rows {
            let (row, _) = &found.rows[*step as usize];
            let state = row.state;
            let ours =
                [state.position.x, state.position.y, state.angle, state.velocity.x, state.velocity.y, state.spin];
            for (ours, theirs) in ours.iter().chain([&row.normal_force, &row.friction_force]).zip(theirs) {
                assert!(
                    (ours - theirs).abs() < 1e-10,
                    "case {} step {step}: {ours:?}, PyNonsmooth {theirs:?}",
                    case + 1
                );
            }
        }
    }
}

/// The slip of a start that rolls is rounding, and none: friction as large as needed does not throw the ball.
#[test]
fn what_rolls_at_the_start_does_not_slip() {
    let text = "ball = { mass = 0.005, radius = 0.008 }\ninitial = { contact = { x = 0.0, speed = 1, spin = \"rolling\" } }\n\
        ground.curve = { kind = \"graph\", y = \"-x/10\" }\ncontact.friction = \"infinite\"";
    let (slope, time) = (0.1_f64.atan(), 0.02);
    let exact = slope.cos() * (time + 9.81 * slope.sin() / 1.4 * time * time / 2.0);
    for scheme in ["moreau", "moreau-midpoint", "rattle", "generalized-alpha", "decoupled-alpha", "d1-minus"] {
        let found = measure::run(text, scheme, 1e-3, 20, 1);
        let [first, last] = [&found.rows[0], &found.rows[20]].map(|(row, _)| row.state.position.x);
        assert!(found.stop.is_none() && (last - first - exact).abs() < 1e-5, "{scheme}: {} {exact}", last - first);
    }
}

/// Numbers are equal on every machine: a digit that differs is another method.
/// Within reach of two sides of a loop contacts share the ball, and friction is infinite; in a wedge with μ > 1 restitution asks to leave both
/// sides at once. Schemes go on through both.
#[test]
fn contacts_that_share_a_ball_have_impulses() {
    let around = "ball = { mass = 1, radius = 0.1 }\ninitial.contact = { s = 2.64, speed = 5.5, spin = \"rolling\" }\n\
        ground.curve = { kind = \"arc\", centre = [0, 0], radius = 1.1, from = \"-pi/2-2.4\", to = \"-pi/2+3.8\" }\n\
        contact.friction = \"infinite\"";
    let wedge = "ball = { mass = 1, radius = 0.1 }\ninitial.position = [0.001, 0.5]\n\
        ground.curve = { kind = \"polyline\", points = [[-1, 2], [0, 0], [1, 2]] }\ncontact = { restitution = 0.5, friction = 2 }";
    for scheme in ["rattle", "cd-lagrange", "d1-minus", "moreau-midpoint"] {
        for (text, h, steps) in [(around, 1e-2, 130), (wedge, 1e-3, 800)] {
            let found = measure::run(text, scheme, h, steps, 1);
            assert!(found.stop.is_none(), "{scheme}: {:?}", found.stop);
            // No impulses part a ball from both sides of a wedge: restitution is left out, and that is told.
            assert_eq!(found.wedged > 0, text == wedge, "{scheme}: {}", found.wedged);
        }
    }
}

/// CD-Lagrange stopped a ball that starts on the ground with a velocity into it: its first half step had no restitution.
#[test]
fn an_impact_at_the_start_bounces() {
    let text = "ball.radius = 0.1\nground.curve = { kind = \"graph\", y = \"0\" }\ncontact.restitution = 0.9\n\
                initial = { position = [0.0, 0.1], velocity = [0.0, -1.0] }\nforces.gravity = 0.0";
    let track = measure::run(text, "cd-lagrange", 1e-3, 10, 10);
    let (last, _) = track.rows.last().expect("a row");
    assert!((last.state.velocity.y - 0.9).abs() < 1e-14, "{:?} {:?}", last.state, track.stop);
}

/// Restitution by a formula is no number e; the message tells what it is at this approach.
#[test]
fn a_formula_of_restitution_is_refused_with_a_number() {
    let text = measure::drop(0.5, 0.0).replace("contact.restitution = 0", "contact.restitution = \"0.8 - 0.05*v\"");
    let stop = measure::run(&text, "paoli-schatzman", 1e-3, 400, 1).stop.expect("a refusal");
    assert!(stop.contains("one number e for all contacts") && stop.contains(" e: 0.6"), "{stop}");
}

#[test]
fn the_table_of_the_book_is_what_is_measured() {
    let book = include_str!("../../../book/src/theory/schemes.md");
    let rows: Vec<String> = measure::methods().map(measure::row).collect();
    let table = format!("{}\n{}\n", measure::HEADER, rows.join("\n"));
    assert!(book.contains(&table), "book/src/theory/schemes.md has not this table:\n{table}");
}

/// Schemes whose ledgers are held against exact numbers.
const SCHEMES: [&str; 5] = ["rattle", "generalized-alpha", "d1-minus", "moreau-midpoint", "variational"];

/// Ledger at the end of a run of `seconds`, and kinetic and potential energy lost, J.
fn ledger(text: &str, scheme: &str, h: f64, seconds: f64) -> (Energy, f64) {
    let found = measure::run(text, scheme, h, (seconds / h).round() as u64, 1);
    assert!(found.stop.is_none(), "{scheme}: {:?}", found.stop);
    let energy = found.energy.expect("a row");
    (energy, energy.initial - energy.total())
}

fn lost(energy: &Energy) -> f64 {
    energy.dissipated - energy.normal - energy.tangential
}

#[test]
fn a_slide_without_friction_dissipates_nothing() {
    let text = "initial.contact.x = -1\nground.curve = { kind = \"graph\", y = \"x^2/2\" }";
    for scheme in &SCHEMES[..4] {
        let (energy, change) = ledger(text, scheme, 1e-2, 1.0);
        assert!(lost(&energy) == 0.0 && (energy.numerical() + change).abs() < 1e-13, "{scheme}: {energy:?}");
    }
}

#[test]
fn elastic_impacts_dissipate_nothing() {
    let text = "ball.radius = 0\ninitial.position = [0, 1]\nground.curve = { kind = \"graph\", y = 0 }\ncontact.restitution = 1";
    for scheme in SCHEMES {
        let (energy, _) = ledger(text, scheme, 1e-3, 3.0);
        assert!(lost(&energy) == 0.0, "{scheme}: {energy:?}");
    }
}

/// Checks that what is dissipated is the exact number (J) to a part of O(h).
fn dissipates(text: &str, seconds: f64, exact: f64, schemes: &[&str]) {
    for scheme in schemes {
        for h in [4e-3, 2.5e-4] {
            let off = lost(&ledger(text, scheme, h, seconds).0) / exact - 1.0;
            assert!(off.abs() < 8.0 * h, "{scheme}, {h} s: {off:.1e}");
        }
    }
}

#[test]
fn sliding_with_friction_dissipates_the_work_of_friction() {
    let text = "ball = { mass = 2, radius = 0 }\ninitial.contact = { x = 0, speed = 3 }\n\
        ground.curve = { kind = \"graph\", y = 0 }\ncontact.friction = 0.2";
    let (weight, seconds) = (2.0 * 9.81, 1.0);
    let way = 3.0 * seconds - 0.5 * 0.2 * 9.81 * seconds * seconds;
    dissipates(text, seconds, 0.2 * weight * way, &SCHEMES[..4]);
}

#[test]
fn an_impact_dissipates_what_its_law_takes() {
    let text = "ball = { mass = 2, radius = 0 }\ninitial.position = [0, 1]\n\
        ground.curve = { kind = \"graph\", y = 0 }\ncontact.restitution = 0.6";
    dissipates(text, 0.7, 2.0 * 9.81 * (1.0 - 0.36), &SCHEMES);
}
