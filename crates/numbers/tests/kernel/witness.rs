//! When a witness triggers.

use std::f64::consts::{FRAC_PI_2, SQRT_2};

use numbers::{Interval, Number, Trigger, Valued, first_event};

fn search(f: impl Fn(f64) -> f64, over: impl Fn(Interval) -> Interval, budget: u32) -> Trigger {
    let ends = [0.0, 2.0].map(|at| Valued { at, value: f(at) });
    first_event(f, |part, _| over(part).lo, ends, 0.0, budget)
}

/// The first of two zeros, though both ends are positive; none of a parabola that stays above; a search that is cut short says so.
#[test]
fn parabolas() {
    let parabola = |depth: f64| {
        move |budget: u32| {
            let f = move |t: f64| (t - 1.0).powi(2) - depth;
            search(f, move |t| (t - Interval::point(1.0)).square() - Interval::point(depth), budget)
        }
    };
    let Trigger::At(t) = parabola(1e-10)(10_000) else { panic!("there is one") };
    assert!((t - (1.0 - 1e-5)).abs() < 1e-15);
    assert_eq!(parabola(-1e-12)(10_000), Trigger::Never);
    assert_eq!(parabola(1e-10)(3), Trigger::Undecided(0.5));
}

/// Smooth functions take some ten evaluations, one that says nothing but its sign one more than halving, and none is off by more
/// than rounding.
#[test]
fn work_of_a_zero() {
    let found = |f: &dyn Fn(f64) -> f64, zero: f64| {
        let count = std::cell::Cell::new(0);
        let counted = |t: f64| {
            count.set(count.get() + 1);
            f(t)
        };
        let ends = [0.0, 2.0].map(|at| Valued { at, value: f(at) });
        // One part, which counts by its ends.
        let Trigger::At(at) = first_event(counted, |_, _| 0.0, ends, 2.0, 9) else { panic!("there is one") };
        assert!((at - zero).abs() <= 2.0 * f64::EPSILON && f(at) <= 0.0, "{at} for {zero}");
        count.get()
    };
    let smooth =
        [found(&|t| t.cos(), FRAC_PI_2), found(&|t| 3.0 - t.exp(), 3.0_f64.ln()), found(&|t| 2.0 - t * t, SQRT_2)];
    let steps = [0.3, 1.0, 1.7].map(|zero| found(&|t| if t < zero { 1.0 } else { -1e-6 }, zero));
    println!("{smooth:?} {steps:?}");
    assert!(smooth.iter().all(|count| *count <= 14), "{smooth:?}");
    assert!(steps.iter().all(|count| (45..=55).contains(count)), "{steps:?}");
}

/// A function that falls from zero is there, one that rises from it has its next zero; one that is undefined somewhere has its zero where it is defined.
#[test]
fn odd_ends() {
    assert_eq!(search(|t| -t, |t| -t, 10), Trigger::At(0.0));
    let rises = |t: f64| t * (1.0 - t);
    let ends = [0.0, 2.0].map(|at| Valued { at, value: rises(at) });
    assert_eq!(first_event(rises, |_, _| f64::NEG_INFINITY, ends, 0.125, 1000), Trigger::At(1.0));
    let f = |t: f64| if t < 1.0 { f64::NAN } else { 1.5 - t };
    let ends = [Valued { at: 0.0, value: 1.0 }, Valued { at: 2.0, value: f(2.0) }];
    let found = first_event(f, |_, _| f64::NEG_INFINITY, ends, 0.25, 1000);
    assert_eq!(found, Trigger::At(1.5));
}
