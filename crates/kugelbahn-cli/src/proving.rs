//! `kugelbahn run --prove`.

use std::fmt::Write;

use kugelbahn::Scenario;
use kugelbahn::numbers::Interval;
use kugelbahn::output::{Folder, OutputError, PROOF, Recorder};
use kugelbahn::prove::{Proof, prove as proof_of};
use kugelbahn::supervisor::Event;

use crate::console::printed_style;

/// Proves the events of a run up to its end (s), for `proof.csv`; returns what is printed.
pub fn prove(scenario: &Scenario, record: &Recorder, end: f64, out: Option<&Folder>) -> Result<String, OutputError> {
    let events: Vec<Event> = record.events.iter().map(|told| told.event).collect();
    let proof = proof_of(&scenario.scene, &scenario.start, &events, end);
    out.map_or(Ok(()), |folder| folder.replace(PROOF, csv(&events, &proof)))?;
    Ok(table(&events, &proof))
}

fn table(events: &[Event], proof: &Proof) -> String {
    let (count, all) = (proof.proven.len(), events.len());
    let style = printed_style();
    let mut text =
        format!("\n{}\n", style.bold("proven      time [s]                     x [m]                   y [m]"));
    for (event, proven) in events.iter().zip(&proof.proven) {
        let [x, y] = proven.position.map(around);
        let _ = writeln!(text, "{:<11} {:<28} {x:<23} {y}", event.kind, around(proven.time));
    }
    let _ = writeln!(text, "{count} of {all} events proven: the true ones are in these intervals");
    if let (Some(open), Some(event)) = (&proof.open, events.get(count)) {
        let _ = writeln!(text, "the {} at {} s is not: {open}", event.kind, event.before.time);
    }
    text
}

fn csv(events: &[Event], proof: &Proof) -> String {
    let mut text = String::from("index,kind,time_from,time_to,x_from,x_to,y_from,y_to\n");
    for (i, (event, proven)) in events.iter().zip(&proof.proven).enumerate() {
        let _ = write!(text, "{i},{}", event.kind);
        for Interval { lo, hi } in [proven.time, proven.position[0], proven.position[1]] {
            let _ = write!(text, ",{lo},{hi}");
        }
        text.push('\n');
    }
    text
}

/// An interval as its middle and what is around it, both so rounded that all of it is inside.
fn around(interval: Interval) -> String {
    let half = 0.5 * interval.width();
    if half == 0.0 {
        return interval.lo.to_string();
    }
    let digits = (1 - half.log10().floor() as i32).clamp(0, 17) as usize;
    let middle = format!("{:.digits$}", interval.middle());
    let told: f64 = middle.parse().unwrap_or(f64::NAN);
    let away = (interval.hi - told).max(told - interval.lo);
    // Rounded up: to two digits, after what the sums before may have lost.
    let unit = 10_f64.powf(away.log10().floor() - 1.0);
    format!("{middle} ± {:.1e}", (away * (1.0 + 1e-9) / unit).ceil() * unit * (1.0 + 1e-9))
}
