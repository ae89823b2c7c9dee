//! Event times known to 25 digits (crates/reference/data/bounces.json) against tolerance runs.

use reference::drag::DragBounce;
use reference::table::{NamedNumbers, find};
use supervisor::{Event, EventKind};

use crate::harness::{Run, Worst, run};

pub fn table(name: &str) -> NamedNumbers {
    find(name).unwrap_or_else(|| panic!("no table {name}"))
}

pub fn number(table: &NamedNumbers, name: &str) -> f64 {
    table.number(name).unwrap_or_else(|| panic!("no number {name}"))
}

/// Largest errors of the first `count` events: time, and whatever else the table has.
pub fn compare(run: &Run, events: &[NamedNumbers], count: usize) -> (f64, f64) {
    let (mut time, mut state) = (Worst::default(), Worst::default());
    let impacts: Vec<&Event> = run.of(EventKind::Impact).collect();
    assert!(impacts.len() >= count, "{} impacts, {count} asked for", impacts.len());
    for (event, exact) in impacts.into_iter().zip(events).take(count) {
        time.see(event.time() - number(exact, "t"));
        let parts = [
            ("x", event.position().x),
            ("y", event.position().y),
            ("vx", event.before.velocity.x),
            ("vx_before", event.before.velocity.x),
            ("vy_before", event.before.velocity.y),
            ("v_impact", event.before.velocity.y),
            ("vx_after", event.after.velocity.x),
            ("vy_after", event.after.velocity.y),
        ];
        for (name, found) in parts {
            if let Some(exact) = exact.number(name) {
                state.see(found - exact);
            }
        }
    }
    (time.0, state.0)
}

pub const DROP: &str = r#"
    initial = { position = [0.0, 2.0] }
    ground = { curve = { kind = "graph", y = 0 } }
    contact = { restitution = 0.9 }
    solver = { duration = 13.0 }
"#;

/// A drop with drag: every impact of the table and of the closed form, and the Zeno time.
#[test]
fn drop_with_drag() {
    let table = table("drop_analytic");
    let drag = number(&table, "k_over_m");
    let events = table.events();
    for (tolerance, required) in [(1e-6, 1e-4), (1e-9, 1e-7), (1e-12, 1e-10)] {
        let settings = [format!("forces.drag={{ coefficient = {drag:?} }}"), format!("solver.tolerance={tolerance:e}")];
        let run = run(DROP, &[&settings[0], &settings[1]]);
        let (time, state) = compare(&run, &events, events.len());
        let rest = run.first(EventKind::Rest).time() - number(&table, "zeno_time");
        let exact = DragBounce { height: 2.0, gravity: 9.81, drag, restitution: 0.9 };
        let mut all = Worst::default();
        for (event, impact) in run.of(EventKind::Impact).zip(exact.impacts()) {
            all.see(event.time() - impact.time);
        }
        let impacts = run.summary.count.impacts;
        println!(
            "{tolerance:e}: {} of the table {time:e} s, {state:e} m/s; {impacts} impacts {:e} s; rest {rest:e} s; unexplained {:e} J",
            events.len(),
            all.0,
            run.summary.unexplained()
        );
        assert!(time.max(state).max(all.0).max(rest.abs()) <= required, "{tolerance:e}");
    }
}

pub const THROW: &str = r#"
    initial = { position = [0.0, 2.0], velocity = [1.0, 5.0] }
    contact = { restitution = 0.9 }
    solver = { duration = 20.0 }
"#;

/// The throw with drag over flat ground: impacts, Zeno point, and where it has slid to after 20 s.
#[test]
fn throw_with_drag_to_its_zeno_point() {
    let table = table("hard_modelica_e0.9");
    let events = table.events();
    let end = table.part("state_at_20s_after_zeno_sliding").expect("a state");
    let drag = format!("forces.drag={{ coefficient = {:?} }}", number(&table, "k_over_m"));
    let flat = r#"ground.curve={ kind = "graph", y = 0 }"#;
    for (tolerance, required) in [(1e-6, 1e-4), (1e-9, 1e-7), (1e-12, 1e-10)] {
        let run = run(THROW, &[&drag, flat, &format!("solver.tolerance={tolerance:e}")]);
        let (time, state) = compare(&run, &events, events.len());
        let landing = run.of(EventKind::Landing).last().expect("it lands");
        let mut zeno = Worst::default();
        zeno.see(landing.time() - number(&table, "zeno_time"));
        zeno.see(landing.position().x - number(&table, "x_zeno"));
        zeno.see(landing.after.velocity.x - number(&table, "vx_zeno"));
        let last = run.summary.state;
        let mut after = Worst::default();
        after.see(last.position.x - number(&end, "x"));
        after.see(last.velocity.x - number(&end, "vx"));
        println!(
            "{tolerance:e}: {} impacts {time:e} s, states {state:e}; Zeno {:e}; at 20 s {:e}",
            events.len(),
            zeno.0,
            after.0
        );
        // What the velocity is off by at the Zeno point goes on for the rest of the 20 s.
        let since = 20.0 - landing.time();
        assert!(time.max(state).max(zeno.0) <= required && after.0 <= (1.0 + since) * required, "{tolerance:e}");
        assert_eq!((last.position.y, last.velocity.y), (0.0, 0.0));
    }
}

/// Errors over a sine grow from bounce to bounce by what the table calls the condition, `∂t/∂z₀` in its largest entry;
/// each impact must be within `part` of it in time, and its state within 100 times as much.
fn over_a_sine(name: &str, curve: &str, tolerance: f64, part: f64) {
    let table = table(name);
    let events = table.events();
    let settings = [
        format!("forces.drag={{ coefficient = {:?} }}", number(&table, "k_over_m")),
        format!("ground.curve={{ kind = \"graph\", y = \"{curve}\" }}"),
        format!("solver.tolerance={tolerance:e}"),
    ];
    let run = run(THROW, &[&settings[0], &settings[1], &settings[2]]);
    let mut condition = 0.0f64;
    for (count, event) in (1..).zip(&events) {
        condition = condition.max(number(event, "condition_dt_dz0"));
        let (time, state) = compare(&run, &events, count);
        if [1, 2, 5, 10, 20, 30].contains(&count) {
            println!("{name}, {tolerance:e}: {count} impacts {time:e} s, states {state:e}, condition {condition:e}");
        }
        assert!(time <= part * condition, "impact {count}: {time:e} s, condition {condition:e}");
        assert!(state <= 100.0 * part * (1.0 + condition), "impact {count}: {state:e}, condition {condition:e}");
    }
}

/// With drag, over low hills: 30 impacts. At 1e-12 the run once stopped at 13.5 s: the check of the path between nodes
/// took the rounding of a short step for its error and made it shorter still.
#[test]
fn low_hills_with_drag() {
    for tolerance in [1e-9, 1e-12] {
        over_a_sine("sine_A0.1_drag", "0.1*sin(pi*x)", tolerance, 0.1 * tolerance);
    }
}

/// Without drag, over high hills: only rounding grows, whatever the tolerance.
#[test]
fn high_hills_in_vacuum() {
    over_a_sine("sine_A0.5_vacuum", "0.5*sin(pi*x)", 1e-6, 20.0 * f64::EPSILON);
}
