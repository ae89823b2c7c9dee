//! Parts of studies by themselves: pairs of events, orders, lists of steps, noise.

use identify::Evaluation;
use kugelbahn::compare::{EventTime, Matching, RunTrack, fit, matching, numbers};
use kugelbahn::fit::{Colour, Reading, read};
use kugelbahn::input::Source;
use nalgebra::{DMatrix, DVector};
use supervisor::EventKind::{self, Impact, Landing, LiftOff};

fn track(events: &[(EventKind, f64)]) -> RunTrack {
    let events: Vec<_> = events.iter().map(|(kind, time)| EventTime { kind: *kind, time: *time }).collect();
    RunTrack { event_count: events.len() as u64, events, ..RunTrack::default() }
}

#[test]
fn a_missed_event_does_not_shift_those_behind_it() {
    let reference = track(&[(Impact, 1.0), (Impact, 1.1), (Impact, 1.2), (Impact, 1.3)]);
    let run = track(&[(Impact, 1.001), (Impact, 1.201), (Impact, 1.301), (Impact, 1.39)]);
    let found = matching(&reference, &run, 10.0, 0.0);
    assert_eq!(found.pairs, [(0, 0), (2, 1), (3, 2)]);
    assert_eq!((found.missed, found.extra, found.summed_up), (1, 1, 0));
    assert!((found.largest.unwrap_or(0.0) - 1e-3).abs() < 1e-12);
}

#[test]
fn kinds_and_far_times_are_no_pairs() {
    let found =
        matching(&track(&[(Impact, 1.0), (LiftOff, 2.0)]), &track(&[(Landing, 1.0), (LiftOff, 2.5)]), 10.0, 0.0);
    assert_eq!((found.pairs.len(), found.missed, found.extra, found.largest), (0, 2, 2, None));
    assert_eq!(matching(&track(&[]), &track(&[]), 1.0, 0.0), Matching::default());
}

#[test]
fn impacts_of_an_accumulation_that_the_other_sums_up_are_not_missed() {
    let mut reference = track(&[(Impact, 1.0), (Impact, 1.9), (Impact, 1.99), (Impact, 1.999), (Landing, 2.0)]);
    reference.captures = vec![[1.999, 2.0]];
    let mut run = track(&[(Impact, 1.0), (Impact, 1.9), (Landing, 2.0)]);
    run.captures = vec![[1.9, 2.0]];
    let found = matching(&reference, &run, 10.0, 0.0);
    assert_eq!((found.missed, found.extra, found.summed_up, found.pairs.len()), (0, 0, 2, 3));
    // A bounce long before the landing is missed, whatever comes later.
    reference.events.insert(1, EventTime { kind: Impact, time: 1.5 });
    assert_eq!(matching(&reference, &run, 10.0, 0.0).missed, 1);
    // Time stepping lands early, and has no captures.
    let stepped = track(&[(Impact, 1.0), (Impact, 1.9), (Landing, 1.98)]);
    let found = matching(&reference, &stepped, 10.0, 0.0);
    assert_eq!((found.missed, found.summed_up), (1, 2));
}

#[test]
fn a_power_is_found_exactly() {
    let points: Vec<_> = [1.0, 0.5, 0.25, 0.1].iter().map(|h: &f64| (*h, 3.0 * h.powf(2.5))).collect();
    let found = fit(&points).unwrap();
    assert!((found.order - 2.5).abs() < 1e-14 && found.standard_error.unwrap() < 1e-13 && found.points == 4);
    assert_eq!(fit(&points[..2]).unwrap().standard_error, None);
    assert_eq!(fit(&points[..1]), None);
    assert_eq!(fit(&[(1.0, 2.0), (1.0, 3.0)]), None);
}

/// ln h = 0, 1, 2, 3 and ln e = 0, 1, 3, 3: slope 1.1, residual sum 0.7, so SE = √(0.7/2/5) (by hand).
#[test]
fn uncertainty_by_hand() {
    let points: Vec<_> =
        [(0.0, 0.0), (1.0, 1.0), (2.0, 3.0), (3.0, 3.0)].map(|(x, y): (f64, f64)| (x.exp(), y.exp())).to_vec();
    let found = fit(&points).unwrap();
    assert!((found.order - 1.1).abs() < 1e-14);
    assert!((found.standard_error.unwrap() - 0.07f64.sqrt()).abs() < 1e-14);
    assert!((found.half_width.unwrap() - 4.302652729749464 * 0.07f64.sqrt()).abs() < 1e-12);
}

#[test]
fn lists_and_ranges() {
    assert_eq!(numbers("--steps", "0.02..0.00125/2").unwrap(), [0.02, 0.01, 0.005, 0.0025, 0.00125]);
    assert_eq!(numbers("--steps", "1e-3, 2e-3").unwrap(), [2e-3, 1e-3]);
    assert_eq!(numbers("--tolerances", "1e-6..1e-12/100").unwrap(), [1e-6, 1e-8, 1e-10, 1e-12]);
    assert_eq!(numbers("--steps", "0.1..0.03/2").unwrap(), [0.1, 0.05]);
    assert_eq!(numbers("--steps", "0.5..0.5/3").unwrap(), [0.5]);
}

#[test]
fn what_is_no_list() {
    for (text, message) in [
        ("", "empty list"),
        ("0.1,,0.2", "empty item"),
        ("0", "0 is not allowed"),
        ("-1", "-1 is not allowed"),
        ("NaN", "NaN is not allowed"),
        ("inf", "inf is not allowed"),
        ("fast", "not a number"),
        ("0.1..0.2/2", "goes up"),
        ("0.2..0.1", "without a factor"),
        ("0.2..0.1/1", "does not lead down"),
        ("1..1e-300/1.01", "this range has"),
        ("0.1,0.2,0.1", "twice"),
    ] {
        let error = numbers("--steps", text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    let many = vec!["1"; 70].join(",");
    assert!(numbers("--steps", &many).unwrap_err().to_string().contains("more than 64"));
}

/// The whitening filter against the inverse of the whole covariance matrix.
#[test]
fn the_filter_whitens() {
    let times = [0.0, 0.1, 0.25, 0.3, 0.7];
    let places: Vec<(usize, f64)> = times.iter().flat_map(|t| [(0, *t), (1, *t)]).collect();
    let colour = Colour { white: [0.5, 1.5], slow: 1.7, length: 0.2 };
    let count = places.len();
    let covariance = DMatrix::from_fn(count, count, |i, j| {
        let ((a, s), (b, t)) = (places[i], places[j]);
        let slow = if a == b { colour.slow.powi(2) * (-f64::abs(s - t) / colour.length).exp() } else { 0.0 };
        colour.white[a] * colour.white[b] * (slow + if i == j { 1.0 } else { 0.0 })
    });
    let at = Evaluation {
        residuals: (0..count).map(|i| (1.3 * i as f64).sin()).collect(),
        jacobian: DMatrix::from_fn(count, 2, |i, j| ((i + 3 * j) as f64).cos()),
    };
    let white = colour.whitened(&at, &places);
    let inverse = covariance.try_inverse().unwrap();
    let expected = at.jacobian.transpose() * &inverse * &at.jacobian;
    let found = white.jacobian.transpose() * &white.jacobian;
    assert!((expected - found).amax() < 1e-10);
    let r = DVector::from_vec(at.residuals.clone());
    let squares: f64 = white.residuals.iter().map(|r| r * r).sum();
    assert!((r.dot(&(&inverse * &r)) - squares).abs() < 1e-10);
}

/// Rounding of the places in a table: a grid of pixels, or the last digit.
#[test]
fn grids_are_told_from_digits() {
    let to = |grid: f64, decimals: usize| {
        let place = |i: u32| ((0.7 * f64::from(i)).sin() / grid).round() * grid;
        let row = |i: u32| format!("{i},{:.decimals$},{i}\n", place(i));
        let table = "t,x,y\n".to_owned() + &(0..60).map(row).collect::<String>();
        read(&Source::new("film.csv", table), &Reading { every_row: true, ..Reading::default() }).unwrap().grain[0]
    };
    assert!((to(5e-3, 3) - 5e-3).abs() < 1e-9, "{}", to(5e-3, 3));
    // Pixels of 4.37 mm, written to hundredths of a millimetre.
    assert!((to(4.37e-3, 5) - 4.37e-3).abs() < 1e-5, "{}", to(4.37e-3, 5));
    for decimals in [2, 4, 6] {
        let digit = 10f64.powi(-(decimals as i32));
        assert_eq!(to(digit, decimals), digit);
    }
}
