//! Watches that pass their values very often.

use std::path::Path;

use scenario::{Scenario, run};
use supervisor::Recording;

fn made(when: &str, rest: &str) -> Recording {
    let text = format!(
        "initial = {{ position = [0, 2], velocity = [1, 3] }}\nground = {{ curve = {{ kind = \"graph\", y = 0 }} }}\n\
         contact = {{ restitution = 0.8, friction = 0.1 }}\nball.radius = 0.1\n{rest}\n\
         watch = [{{ name = \"a\", when = \"{when}\" }}]\n"
    );
    let scenario = Scenario::from_text(&text, Path::new(""), &[]).unwrap();
    let mut told = Recording::default();
    assert_eq!(run(&scenario, &mut told).unwrap().stop, None);
    told
}

/// Each crossing of a clock that ticks up to 1e5 times in a step is found.
#[test]
fn all_of_many() {
    for (rate, duration) in [(3000.0, 4.0), (1e5, 0.5)] {
        let told = made(&format!("sin({rate:?}*t)"), &format!("solver.duration = {duration:?}"));
        let period = std::f64::consts::PI / rate;
        assert_eq!(told.unresolved, []);
        assert_eq!(told.crossings.len(), (duration / period) as usize);
        for (i, crossing) in told.crossings.iter().enumerate() {
            let expected = (i + 1) as f64 * period;
            assert!((crossing.time() - expected).abs() <= 1e-12 * expected, "{i}: {} {expected}", crossing.time());
        }
    }
}

/// What all but passes its value is looked at closely enough to tell, and what rounding hides is told.
#[test]
fn what_is_not_resolved_is_told() {
    let near = made("sin(3000*t) + 1.0001", "solver.duration = 4");
    assert!(near.crossings.is_empty() && near.unresolved.is_empty(), "{:?}", near.unresolved);
    // The parabola itself.
    let along = made("y - (2 + 3*t - 4.905*t^2)", "solver.duration = 0.5\nforces.gravity = 9.81");
    assert_eq!(along.unresolved.len(), 1);
    let (watch, time) = along.unresolved[0];
    assert!(watch == 0 && (0.0..0.5).contains(&time), "{time}");
}
