//! Curves that cross themselves: which strands are there for a ball.

use super::common::{Outcome, Place, Table};
use super::fault;

/// The numbers of a column, of a run that must end well.
fn ends(name: &str, more: &[&str]) -> (Place, Table, Table) {
    let (place, outcome) = fault(name, more);
    let Outcome { code, stderr, .. } = &outcome;
    assert_eq!(*code, 0, "{name}: {stderr}");
    let [rows, events] = ["trajectory", "events"].map(|table| Table::read(&place, &format!("out/{table}.csv")));
    (place, rows, events)
}

/// A ball that was last on the way out flew up through the right wall of the loop, which began to be there within it.
/// Where what is left out ends, the ground ends: the ball hits that, and a row is a start with the strands that were there for it.
#[test]
fn loop_gate_through_wall() {
    for method in ["newmark", "dop853", "taylor", "auto", "ballistic"] {
        let setting = format!("solver.method=\"{method}\"");
        let (_, rows, events) = ends("loop-gate-through-wall", &["--set", &setting]);
        let gap = rows.numbers("gap").into_iter().fold(f64::INFINITY, f64::min);
        assert!(gap > -1e-12, "{method}: {gap}");
        let [time, s] = ["time", "s"].map(|column| events.numbers(column)[0]);
        assert!((time - 0.017).abs() < 2e-3 && (s - 0.472).abs() < 0.02, "{method}: an impact at {time} s, s = {s}");
        // From each row before the impact on, the run is this one.
        let of = |column: &str, row: usize| rows.numbers(column)[row];
        for row in 0..2 {
            let start = ["x", "y", "vx", "vy", "last_s"].map(|column| of(column, row));
            let [x, y, vx, vy, last] = start;
            let settings = [
                setting.clone(),
                format!("initial.position=[{x:?}, {y:?}]"),
                format!("initial.velocity=[{vx:?}, {vy:?}]"),
                format!("initial.s={last:?}"),
            ];
            let settings: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
            let (_, again, _) = ends("loop-gate-through-wall", &settings);
            for column in ["x", "y", "vx", "vy", "gap", "last_s"] {
                let (whole, rest) = (rows.numbers(column), again.numbers(column));
                let off = whole[row..].iter().zip(&rest).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(off < 1e-11, "{method} from row {row}: {column} is off by {off:e}");
            }
        }
    }
}

/// A ball with more than half of the loop's radius met what the way out has above a quarter of the loop.
/// What is left out goes as far as the ball overlaps it, up to the gate.
#[test]
fn loop_large_ball_unbalanced() {
    for radius in [0.05, 0.136, 0.15143, 0.2, 0.245] {
        let setting = format!("ball.radius={radius}");
        let (_, rows, _) = ends("loop-large-ball-unbalanced", &["--set", &setting]);
        let [x, speed] = ["x", "vx"].map(|column| *rows.numbers(column).last().unwrap());
        assert!(x > 0.5 && (speed - 5.2908).abs() < 1e-7, "{radius}: {speed} m/s at {x} m");
    }
}

/// A touch of a peg made the way out solid while the ball was in it. Each curve knows where the ball was last on it.
#[test]
fn loop_peg_unbalanced() {
    let (_, rows, events) = ends("loop-peg-unbalanced", &[]);
    let grounds = &events.rows;
    let touches = events.numbers("time").into_iter().zip(grounds).find(|(_, row)| row.iter().any(|cell| cell == "peg"));
    let (time, _) = touches.unwrap();
    assert!((time - 0.0615).abs() < 1e-3, "{time}");
    assert!(*rows.numbers("x").last().unwrap() < -0.3 && rows.numbers("vx").last().unwrap() < &0.0);
    assert!(rows.numbers("gap").into_iter().all(|gap| gap > -1e-12));
    assert!(rows.numbers("last_s").iter().all(|s| *s < 0.6));
}

/// A start by `contact` was refused where one by `position` and `s` was not, and where a ball rolls past.
#[test]
fn loop_contact_start_refused() {
    ends("loop-contact-start-refused", &[]);
    let (_, by_contact, _) = ends("loop-contact-start-refused", &["--set", "initial.contact.s=0.1972"]);
    let (_, by_position, _) = ends("loop-contact-start-by-position", &[]);
    for column in ["x", "y", "vx", "vy"] {
        let [one, other] = [&by_contact, &by_position].map(|rows| rows.numbers(column));
        let off = one.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{column}: {off:e}");
    }
}
