//! A bead in a cycloid bowl: one period for every amplitude.

use reference::cycloid::Cycloid;

use crate::harness::{Worst, run};

/// Five amplitudes up to nearly the cusp have one period, that of the closed form, to 1e-9 s.
#[test]
fn five_amplitudes_one_period() {
    let bowl = Cycloid { radius: 0.5, gravity: 9.81 };
    let text = r#"
        initial = { contact = { s = 1.0, speed = 0.0 } }
        ground = { curve = { kind = "parametric", x = "0.5*(s + sin(s))", y = "0.5*(1 - cos(s))", domain = [-3.1, 3.1] } }
        solver = { tolerance = 1e-12 }
    "#;
    let period = bowl.period();
    let mut worst = Worst::default();
    for release in [0.02, 0.5, 1.0, 2.0, 3.0f64] {
        let settings = [
            format!("initial.contact.s={release}"),
            format!("solver.duration={}", 1.5 * period),
            format!("output.interval={}", 0.25 * period),
        ];
        let run = run(text, &[&settings[0], &settings[1], &settings[2]]);
        assert!(run.events.is_empty(), "{:?}", run.kinds());
        // Within 1e-6 m of the bottom arc length and x agree to rounding; that vanishes at a quarter period and one later.
        let passes = [1usize, 5].map(|i| {
            let state = run.samples[i].state;
            assert!(state.position.x.abs() < 1e-6 && state.velocity.x < 0.0);
            state.time - state.position.x / state.velocity.x
        });
        let error = passes[1] - passes[0] - period;
        println!("from s = {release}: period {} s, {error:e} s off", passes[1] - passes[0]);
        worst.see(error);
        worst.see(passes[0] - 0.25 * period);
    }
    assert!(worst.0 <= 0.5e-9, "{:e}", worst.0);
}
