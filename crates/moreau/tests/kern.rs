//! Kern's figures against a transcription of his listing.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "tests say what they measured, and fail loudly")]

use moreau::{InputError, Kern};

/// The arrays of listing 1.
struct Listing {
    y: Vec<f64>,
    v: Vec<f64>,
    r: Vec<f64>,
}

const N: usize = 1000;
const H: f64 = 0.01;
const RC: f64 = 0.9;
const M: f64 = 1.0;
const G: f64 = 10.0;

/// Listing 1, line by line, with indices from 0.
fn listing(q0: f64, v0: f64, f: impl Fn(f64) -> f64) -> Listing {
    let (mut y, mut v, mut r, mut force) = (vec![0.0; N + 1], vec![0.0; N + 1], vec![0.0; N], vec![0.0; N]);
    let t: Vec<f64> = (0..=N).map(|n| n as f64 * H).collect();
    y[0] = q0;
    v[0] = v0;
    for n in 0..N {
        // Euler-forward for position
        y[n + 1] = y[n] + v[n] * H;
        // Euler-backward for velocity
        force[n] = H * f(t[n + 1]);
        v[n + 1] = v[n] + force[n] / M;
        // LCP for contact, manually resolved
        if y[n + 1] <= 0.0 {
            let dv = -(1.0 + RC) * v[n];
            if (M * dv) > force[n] {
                v[n + 1] = v[n] + dv;
                r[n] = M * dv - force[n];
            }
        }
    }
    Listing { y, v, r }
}

fn agree(q0: f64, force: impl Fn(f64) -> f64 + Copy) -> Listing {
    let expected = listing(q0, 0.0, force);
    let kern = Kern::new(M, RC, H, force).expect("allowed");
    let mut state = kern.start(q0, 0.0).expect("above the ground");
    for n in 0..N {
        let step = kern.step(&state).expect("finite");
        state = step.state;
        assert_eq!(state.position.to_bits(), expected.y[n + 1].to_bits(), "y({n})");
        assert_eq!(state.velocity.to_bits(), expected.v[n + 1].to_bits(), "v({n})");
        assert_eq!(step.reaction.to_bits(), expected.r[n].to_bits(), "R({n})");
        assert!(step.reaction >= 0.0, "R({n}) = {}", step.reaction);
    }
    expected
}

/// Figure 1: the last bit of the listing; permanent contact from step 587 on, at rest where it came in.
#[test]
fn landing() {
    let found = agree(0.5, |_| -M * G);
    let last_flight = found.r.iter().rposition(|r| *r == 0.0).expect("it flies first");
    println!("last step without reaction {} at rest at {:e}", last_flight + 1, found.y[N]);
    // MATLAB counts n from 1: R(587) is the first of an unbroken row.
    assert_eq!(last_flight + 2, 587);
    assert!((found.y[N] - -1.9006e-4).abs() < 5e-9, "{:e}", found.y[N]);
    assert!((Kern::zeno_time(0.5, G, RC) - 6.00833).abs() < 5e-6);
}

/// Figure 2: take-off where the upward force passes the weight.
#[test]
fn take_off() {
    let end = N as f64 * H;
    let found = agree(0.0, move |t| (-1.2 * (t * 2.0 * std::f64::consts::PI / end).sin() - 1.0) * M * G);
    let leaves = found.y.iter().position(|y| *y > 0.0).expect("it takes off");
    // 1.2 sin(2πt/T) = −1 at t = (π + asin(1/1.2)) T/(2π).
    let exact = (std::f64::consts::PI + (1.0 / 1.2f64).asin()) * end / (2.0 * std::f64::consts::PI);
    println!("leaves at step {leaves}, the force passes the weight at {exact}");
    assert!(leaves as f64 * H - exact < 2.5 * H && leaves as f64 * H > exact);
    assert!(found.r[leaves..leaves + 50].iter().all(|r| *r == 0.0));
}

#[test]
fn refusals() {
    let force = |_: f64| -10.0;
    for (mass, e, h, name) in [
        (0.0, 0.9, 0.01, "mass"),
        (1.0, 1.1, 0.01, "restitution"),
        (1.0, 0.9, 0.0, "step"),
        (1.0, 0.9, f64::NAN, "step"),
    ] {
        let refused = Kern::new(mass, e, h, force).err();
        assert!(matches!(&refused, Some(InputError::Parameter(p)) if p.name == name), "{refused:?}");
    }
    let kern = Kern::new(1.0, 0.9, 0.01, |_| f64::NAN).expect("allowed");
    assert!(kern.start(-1e-3, 0.0).is_err() && kern.start(f64::NAN, 0.0).is_err());
    let start = kern.start(1.0, 0.0).expect("allowed");
    assert!(kern.step(&start).is_err());
}

/// Numbers that are none, and forces that become none: an error that names them.
#[test]
fn bad_numbers() {
    let new = |m: f64, e: f64, h: f64| Kern::new(m, e, h, |_| -9.81).err().map(|error| error.to_string());
    assert_eq!(new(1.0, 0.5, 1e-2), None);
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(new(bad, 0.5, 1e-2).expect("refused").starts_with("mass = "));
        assert!(new(1.0, 0.5, bad).expect("refused").starts_with("step = "));
    }
    for bad in [-0.1, 1.1, f64::NAN] {
        assert!(new(1.0, bad, 1e-2).expect("refused").starts_with("restitution = "));
    }
    let scheme = Kern::new(1.0, 0.5, 1e-2, |t| if t > 0.5 { f64::NAN } else { -9.81 }).expect("a scheme");
    for (q, v, name) in [(-1e-9, 0.0, "position"), (f64::NAN, 0.0, "position"), (1.0, f64::NAN, "velocity")] {
        assert!(scheme.start(q, v).expect_err("refused").to_string().starts_with(name));
    }
    let mut state = scheme.start(1.0, 0.0).expect("a start");
    let error = loop {
        match scheme.step(&state) {
            Ok(step) => state = step.state,
            Err(error) => break error,
        }
    };
    assert!(state.index == 50 && error.to_string().contains("is not finite"), "{error}");
}
