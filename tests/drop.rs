//! A ball dropped on flat ground: geometric series.

use std::ops::ControlFlow;

use supervisor::{Event, EventKind, Observer, Phase};

use crate::harness::{Worst, load, observe, run};

const DROP: &str = r#"
    initial = { position = [0.0, 1.0] }
    ground = { curve = { kind = "graph", y = 0 } }
"#;
const G: f64 = 9.81;

/// Time of the first impact.
fn t1() -> f64 {
    (2.0 / G).sqrt()
}

/// Time of impact `n`, from 1: `t₁ (1 + 2e (1−eⁿ⁻¹)/(1−e))`.
fn impact_time(e: f64, n: i32) -> f64 {
    t1() * (1.0 + 2.0 * e * (1.0 - e.powi(n - 1)) / (1.0 - e))
}

/// Impact times follow the geometric series; 9e-16 relative seen.
#[test]
fn first_44_impact_times() {
    let run = run(DROP, &["contact.restitution=0.9", "solver.duration=10"]);
    let mut worst = Worst::default();
    let impacts: Vec<&Event> = run.of(EventKind::Impact).take(44).collect();
    assert_eq!(impacts.len(), 44);
    for (n, event) in (1..).zip(impacts) {
        worst.see(event.time() / impact_time(0.9, n) - 1.0);
        let (before, _) = event.velocity_before();
        worst.see(before / (-G * t1() * 0.9f64.powi(n - 1)) - 1.0);
    }
    println!("impact times and speeds: {:e} relative", worst.0);
    assert!(worst.0 <= 1e-13, "{:e}", worst.0);
}

/// The bounces end at `t₁ (1+e)/(1−e)`, at rest with velocity exactly 0, after captures and without.
#[test]
fn zeno_time() {
    for (e, until) in [("0.9", 10.0), ("0.99", 100.0), ("0.9999", 1e4), ("0.5", 3.0), ("0", 1.0)] {
        let restitution = format!("contact.restitution={e}");
        let duration = format!("solver.duration={until}");
        let run = run(DROP, &[&restitution, &duration]);
        let e: f64 = e.parse().expect("a number");
        let zeno = t1() * (1.0 + e) / (1.0 - e);
        let error = run.first(EventKind::Rest).time() - zeno;
        println!("e = {e}: rest at {zeno} s to {error:e} s, after {} impacts", run.summary.count.impacts);
        assert!(error.abs() <= 1e-9 * zeno.max(1.0), "e = {e}: {error:e}");
        assert_eq!(run.summary.phase, Phase::Resting);
        let state = run.summary.state;
        assert_eq!((state.velocity.x, state.velocity.y, state.position.y), (0.0, 0.0, 0.0));
        assert_eq!(run.summary.count.captures, u64::from(e > 0.0));
        let (unexplained, impacts) = (run.summary.unexplained(), run.summary.count.impacts);
        // Half an ulp of 9.81 J or so per impact.
        assert!(unexplained.abs() <= 1e-15 * impacts as f64, "{unexplained:e} J after {impacts} impacts");
    }
}

struct LastImpact(Option<Event>);

impl Observer for LastImpact {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.0 = Some(*event);
        ControlFlow::Continue(())
    }
}

/// e = 1: a million bounces keep the energy; nothing is captured.
#[test]
fn a_million_elastic_bounces() {
    let bounces = 1_000_000;
    let duration = t1() * (2.0 * f64::from(bounces) - 0.5);
    let scenario = load(DROP, &["contact.restitution=1", &format!("solver.duration={duration}")]);
    let mut last = LastImpact(None);
    let summary = observe(&scenario, &mut last);
    assert_eq!(summary.stop, None);
    assert_eq!(summary.count.impacts, bounces as u64);
    assert_eq!(summary.count.captures, 0);
    let kept = summary.energy_end.total() / summary.energy_start.total() - 1.0;
    let late = last.0.expect("an impact").time() / (t1() * (2.0 * f64::from(bounces) - 1.0)) - 1.0;
    println!("energy {kept:e} relative, last impact {late:e} relative");
    assert!(kept.abs() <= 1e-9, "{kept:e}");
    assert!(late.abs() <= 1e-9, "{late:e}");
}
