//! The table of a comparison as text for the terminal and as CSV.

use std::fmt::Write;

use ::tables::{Cell, Field, Table, csv_text, table_of};
use report::terminal::{Style, name_width, short_name};
use supervisor::EventKind;

use super::comparison::{ComparedRun, Comparison};
use super::measure::Measure::{Energy, EventTime, FinalPosition, FinalVelocity, NormalForce, Position, Velocity};
use super::measure::{JUDGED, Measure};
use super::method::{Case, Fineness};
use super::reference_solution::Truth;

/// Mark of an error whose reference is not 100 times better.
const UNSURE: &str = "~";

/// Text of aligned columns: the first `left` columns to the left, the others to the right.
pub(super) fn aligned(rows: &[Vec<String>], left: usize, style: Style) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| {
        let cells = rows.iter().filter_map(|row| row.get(i));
        if i < left { name_width(0, cells) } else { cells.map(|cell| cell.chars().count()).max().unwrap_or(0) }
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for (i, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            if column < left { format!("{:<width$}", short_name(cell)) } else { format!("{cell:>width$}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        let line = line.trim_end();
        let _ = writeln!(out, "{}", if i == 0 { style.bold(line) } else { line.to_owned() });
    }
    out
}

/// First lines of a report: title, reference and its own error.
pub(super) fn head(Comparison { scenario, truth, .. }: &Comparison, style: Style) -> String {
    let mut out = format!("{}\n", style.bold(&scenario.title));
    let of = |measure: &Measure| {
        let (what, unit) = measure.label().strip_prefix("error of ")?.split_once(" [")?;
        Some(format!("{what} {:.0e} {}", truth.own.of(*measure)?, unit.trim_end_matches(']')))
    };
    // All but the errors at the end of the run.
    let parts: Vec<String> = JUDGED[..4].iter().filter_map(of).collect();
    let _ = writeln!(out, "{}", style.faint(&format!("judged by {}", truth.name)));
    let own = format!("its own error, by its last refinement or rounding: {}", parts.join(", "));
    let _ = writeln!(out, "{}", style.faint(&own));
    if let Some(stop) = &truth.track.stop {
        let _ = writeln!(out, "{} the reference itself stopped: {stop}", style.alarm("note:"));
    }
    out
}

/// Text for the terminal: the table of a comparison with notes.
pub fn comparison_report(comparison: &Comparison, left_out: &[String], style: Style) -> String {
    let mut out = head(comparison, style);
    out.push('\n');
    out.push_str(&aligned(&rows(comparison).0, 2, style));
    out.push('\n');
    let _ = writeln!(out, "{}", style.faint(&verdict(comparison)));
    for text in same_runs(comparison) {
        let _ = writeln!(out, "{}", style.faint(&text));
    }
    for (alarm, text) in notes(comparison, left_out) {
        let _ =
            writeln!(out, "{}", if alarm { format!("{} {text}", style.alarm("note:")) } else { style.faint(&text) });
    }
    out
}

/// Texts on groups of methods whose runs are equal to the last bit, with step or tolerance.
pub(super) fn same_runs(comparison: &Comparison) -> Vec<String> {
    let outcomes = &comparison.outcomes;
    let mut groups: Vec<(String, String, Vec<String>)> = Vec::new();
    for first in 0..outcomes.len() {
        let case = &outcomes[first].case;
        let others = also(outcomes, first).join(", ");
        let (name, fine) = (case.method.name(), case.fineness.text());
        match groups.iter_mut().find(|group| group.0 == name && group.1 == others) {
            _ if others.is_empty() => {}
            Some((.., all)) => all.push(fine),
            None => groups.push((name, others, vec![fine])),
        }
    }
    let mut said: Vec<String> = groups
        .iter()
        .map(|(name, others, fine)| format!("the same run as {name} ({}): {others}", fine.join(", ")))
        .collect();
    // Flight then has a closed form, which all event-driven methods use.
    let any_spin = 1.0;
    let is_uniform = comparison.scenario.scene.forces.constant(any_spin).is_some();
    if is_uniform && !said.is_empty() {
        let why = "uniform gravity: all event-driven methods fly exactly; on the ground only the formulation differs";
        said.push(why.to_owned());
    }
    said
}

/// Names of the methods with the same run as this one; with step or tolerance where these differ.
pub(super) fn also(outcomes: &[ComparedRun], first: usize) -> Vec<String> {
    let others = (first + 1..outcomes.len()).filter(|i| first_same(outcomes, *i) == first).map(|i| &outcomes[i].case);
    let name = |case: &Case| match case.fineness == outcomes[first].case.fineness {
        true => case.method.name(),
        false => case.name(),
    };
    others.map(name).collect()
}

/// Text on whether the reference is accurate enough for all errors.
pub(super) fn verdict(comparison: &Comparison) -> String {
    if comparison.outcomes.iter().any(|outcome| outcome.certain.contains(&false)) {
        format!("errors marked {UNSURE}: the reference is not 100 times better; ≤: within its own error")
    } else {
        "the reference is more than 100 times better than every error".to_owned()
    }
}

/// Text of a cell, from a run and the reference.
type ShownCell = fn(&ComparedRun, &Truth) -> String;

/// Columns of the table for the terminal: name and text of a cell.
const SHOWN: &[(&str, ShownCell)] = &[
    ("method", |run, _| run.case.method.name()),
    ("", |run, _| run.case.fineness.text()),
    ("events [s]", |run, truth| error(run, truth, EventTime)),
    ("x(T) [m]", |run, truth| error(run, truth, FinalPosition)),
    ("v(T) [m/s]", |run, truth| error(run, truth, FinalVelocity)),
    ("λ [N]", |run, truth| error(run, truth, NormalForce)),
    ("deepest [m]", |run, _| format!("{:.1e}", run.track.deepest)),
    ("energy(T) [J]", |run, _| format!("{:.1e}", run.track.unexplained)),
    ("events", |run, _| run.track.event_count.to_string()),
    ("missed", |run, _| run.errors.events.missed.to_string()),
    ("extra", |run, _| run.errors.events.extra.to_string()),
    ("summed", |run, _| run.errors.events.summed_up.to_string()),
    ("CPU [ms]", |run, _| run.timing.map_or("-".to_owned(), |timing| ms(timing.median))),
    ("least … most", |run, _| {
        run.timing.map_or(String::new(), |timing| format!("{} … {}", ms(timing.least), ms(timing.most)))
    }),
    ("forces", |run, _| run.track.work.forces.to_string()),
    ("ground", |run, _| run.track.work.ground.to_string()),
    ("steps", |run, _| run.track.work.steps.to_string()),
];

fn ms(seconds: f64) -> String {
    format!("{:.3}", 1e3 * seconds)
}

/// Text of an error, marked where the reference is not accurate enough; an error below the reference's own is given as
/// that bound.
fn error(run: &ComparedRun, truth: &Truth, measure: Measure) -> String {
    let certain = JUDGED.iter().zip(run.certain).any(|(judged, certain)| *judged == measure && certain);
    match (run.errors.of(measure), truth.own.of(measure)) {
        (None, _) => "-".to_owned(),
        (Some(error), Some(own)) if error <= own => format!("≤{own:.1e}"),
        (Some(error), _) => format!("{}{error:.1e}", if certain { "" } else { UNSURE }),
    }
}

/// Rows of a table: column names, then one row per run; equal runs are listed once. Also returns the index of each
/// row's outcome.
pub(super) fn rows(comparison: &Comparison) -> (Vec<Vec<String>>, Vec<usize>) {
    let outcomes = &comparison.outcomes;
    let listed: Vec<usize> = (0..outcomes.len()).filter(|i| first_same(outcomes, *i) == *i).collect();
    let head = SHOWN.iter().map(|(name, _)| (*name).to_owned()).collect();
    let row = |i: &usize| SHOWN.iter().map(|(_, cell)| cell(&outcomes[*i], &comparison.truth)).collect();
    (std::iter::once(head).chain(listed.iter().map(row)).collect(), listed)
}

/// Index of the first outcome with the same run.
pub(super) fn first_same(outcomes: &[ComparedRun], i: usize) -> usize {
    outcomes[..i].iter().position(|before| before.track == outcomes[i].track).unwrap_or(i)
}

/// Notes on single runs, each with a flag that makes it an alarm.
pub(super) fn notes(comparison: &Comparison, left_out: &[String]) -> Vec<(bool, String)> {
    let outcomes = &comparison.outcomes;
    let mut said = Vec::new();
    let mut partly: Vec<(String, Vec<String>)> = Vec::new();
    for outcome in outcomes {
        let (name, track) = (outcome.case.name(), &outcome.track);
        said.extend(track.stop.as_ref().map(|stop| (true, format!("{name} stopped: {stop}"))));
        if track.event_count > track.events.len() as u64 {
            let (kept, all) = (track.events.len(), track.event_count);
            said.push((true, format!("{name}: the first {kept} of {all} events are compared")));
        }
        // The start row is not compared.
        let (rows, all) = (outcome.errors.rows, comparison.truth.track.rows.len().saturating_sub(1));
        if rows < all && track.stop.is_none() {
            let end =
                if track.end.is_some() && outcome.errors.of(FinalPosition).is_none() { ", and not at T" } else { "" };
            let what = format!("compared at the {rows} of {all} rows that steps end at{end}");
            match partly.iter_mut().find(|(known, _)| *known == what) {
                Some((_, names)) => names.push(name),
                None => partly.push((what, vec![name])),
            }
        }
    }
    said.extend(partly.into_iter().map(|(what, names)| (false, format!("{what}: {}", names.join("; ")))));
    if outcomes.iter().any(|outcome| outcome.errors.events.summed_up > 0) {
        let text = "summed: impacts at the end of an accumulation that one of the two sums up (a capture, or steps)";
        said.push((false, text.to_owned()));
    }
    said.extend(left_out.iter().map(|why| (false, format!("left out: {why}"))));
    said
}

/// A row of `comparison.csv`.
struct ComparisonRow<'a> {
    outcome: &'a ComparedRun,
    comparison: &'a Comparison,
    method: String,
    /// Names of the errors for which the reference is not good enough.
    uncertain: String,
}

impl ComparisonRow<'_> {
    /// Value of the column for steps (`step`) or of that for tolerances; `None`: it belongs in the other column.
    fn fineness(&self, step: bool) -> Option<f64> {
        let fineness = &self.outcome.case.fineness;
        (matches!(fineness, Fineness::Step(_)) == step).then(|| fineness.value())
    }
}

type RowCell = for<'a> fn(&'a ComparisonRow<'_>) -> Cell<'a>;

const COMPARISON: &[Field<RowCell>] = &[
    Field::word("method", |row| row.method.as_str().into()),
    Field::word("formulation", |row| row.outcome.formulation.into()),
    Field::number("step", "s", |row| row.fineness(true).into()),
    Field::number("tolerance", "", |row| row.fineness(false).into()),
    Field::count("events", |row| row.outcome.track.event_count.into()),
    Field::count("missed", |row| row.outcome.errors.events.missed.into()),
    Field::count("extra", |row| row.outcome.errors.events.extra.into()),
    Field::count("summed_up", |row| row.outcome.errors.events.summed_up.into()),
    Field::number("event_time_error", "s", |row| row.outcome.errors.of(EventTime).into()),
    Field::number("position_error", "m", |row| row.outcome.errors.of(Position).into()),
    Field::number("velocity_error", "m/s", |row| row.outcome.errors.of(Velocity).into()),
    Field::number("normal_force_error", "N", |row| row.outcome.errors.of(NormalForce).into()),
    Field::number("final_position_error", "m", |row| row.outcome.errors.of(FinalPosition).into()),
    Field::number("final_velocity_error", "m/s", |row| row.outcome.errors.of(FinalVelocity).into()),
    Field::word("uncertain", |row| row.uncertain.as_str().into()),
    Field::number("deepest_penetration", "m", |row| row.outcome.track.deepest.into()),
    Field::number("largest_gap", "m", |row| row.outcome.track.gap().into()),
    Field::number("unexplained_energy", "J", |row| row.outcome.track.unexplained.into()),
    Field::number("largest_unexplained_energy", "J", |row| row.outcome.errors.of(Energy).into()),
    Field::count("steps", |row| row.outcome.track.work.steps.into()),
    Field::count("force_evaluations", |row| row.outcome.track.work.forces.into()),
    Field::count("ground_evaluations", |row| row.outcome.track.work.ground.into()),
    Field::count("rows_compared", |row| row.outcome.errors.rows.into()),
    Field::number("cpu_median", "s", |row| row.outcome.timing.map(|timing| timing.median).into()),
    Field::number("cpu_least", "s", |row| row.outcome.timing.map(|timing| timing.least).into()),
    Field::number("cpu_most", "s", |row| row.outcome.timing.map(|timing| timing.most).into()),
    Field::word("reference", |row| row.comparison.truth.name.as_str().into()),
    Field::word("completed", |row| Cell::Name(if row.outcome.track.stop.is_none() { "true" } else { "false" })),
    Field::word("stop", |row| row.outcome.track.stop.as_deref().into()),
];

fn cells(comparison: &Comparison) -> impl Iterator<Item = ComparisonRow<'_>> {
    comparison.outcomes.iter().map(move |outcome| {
        let ComparedRun { case, certain, .. } = outcome;
        let uncertain = JUDGED.iter().zip(certain).filter(|(_, certain)| !**certain).map(|(measure, _)| measure.key());
        ComparisonRow {
            outcome,
            comparison,
            method: case.method.name(),
            uncertain: uncertain.collect::<Vec<_>>().join(" "),
        }
    })
}

/// Text of `comparison.csv`: one row per run.
pub fn comparison_csv(comparison: &Comparison) -> String {
    csv_text(COMPARISON, cells(comparison), |cell, row| cell(row))
}

/// Table of `comparison.csv`.
pub fn comparison_table(comparison: &Comparison) -> Table {
    table_of(COMPARISON, cells(comparison), |cell, row| cell(row))
}

/// A row of `events.csv`: an event of the reference, of a run, or of both.
struct Pair {
    method: String,
    fineness: String,
    kind: &'static str,
    reference: Option<f64>,
    time: Option<f64>,
}

type PairCell = fn(&Pair) -> Cell<'_>;

const PAIRS: &[Field<PairCell>] = &[
    Field::word("method", |pair| pair.method.as_str().into()),
    Field::word("fineness", |pair| pair.fineness.as_str().into()),
    Field::word("kind", |pair| Cell::Name(pair.kind)),
    Field::number("reference_time", "s", |pair| pair.reference.into()),
    Field::number("time", "s", |pair| pair.time.into()),
    Field::number("difference", "s", |pair| pair.time.zip(pair.reference).map(|(time, other)| time - other).into()),
];

/// Text of `events.csv`: for each run the reference's events beside its own, then those that the reference lacks.
pub fn events_csv(comparison: &Comparison) -> String {
    let reference = &comparison.truth.track.events;
    let mut rows = Vec::new();
    for outcome in &comparison.outcomes {
        let events = &outcome.track.events;
        let mut pairs = outcome.errors.events.pairs.iter().peekable();
        let mut taken = vec![false; events.len()];
        let row = |kind: EventKind, reference, time| {
            let (method, fineness) = (outcome.case.method.name(), outcome.case.fineness.text());
            Pair { method, fineness, kind: kind.name(), reference, time }
        };
        for (i, event) in reference.iter().enumerate() {
            let other = pairs.next_if(|pair| pair.0 == i).map(|pair| pair.1);
            other.into_iter().for_each(|j| taken[j] = true);
            rows.push(row(event.kind, Some(event.time), other.map(|j| events[j].time)));
        }
        let left = events.iter().zip(taken).filter(|(_, taken)| !taken);
        rows.extend(left.map(|(event, _)| row(event.kind, None, Some(event.time))));
    }
    csv_text(PAIRS, rows.into_iter(), |cell, row| cell(row))
}
