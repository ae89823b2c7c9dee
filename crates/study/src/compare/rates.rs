//! Observed orders as text for the terminal and as CSV.

use std::fmt::Write;

use ::tables::{Cell, Field, Table, csv_text, table_of};
use report::terminal::Style;
use scenario::input::plain;

use super::converge::{Convergence, Line, Point, PowerLaw};
use super::tables::{aligned, head, same_runs};

/// Text for the terminal: orders with their uncertainty, then errors over steps.
pub fn convergence_report(convergence: &Convergence, left_out: &[String], style: Style) -> String {
    let comparison = &convergence.comparison;
    let mut out = head(comparison, style);
    for of_quantity in convergence.lines.chunk_by(|a, b| a.observable == b.observable) {
        let observable = of_quantity[0].observable;
        let _ = writeln!(out, "\n{}", style.bold(&format!("{}: {}", observable.name(), observable.label())));
        let (rows, notes) = orders(of_quantity);
        out.push_str(&aligned(&rows, 1, style));
        for note in notes {
            let _ = writeln!(out, "{}", style.faint(&note));
        }
    }
    for text in same_runs(comparison) {
        let _ = writeln!(out, "{}", style.faint(&text));
    }
    for outcome in &comparison.outcomes {
        if let Some(stop) = &outcome.track.stop {
            let _ = writeln!(out, "{} {} stopped: {stop}", style.alarm("note:"), outcome.case.name());
        }
    }
    for why in left_out {
        let _ = writeln!(out, "{}", style.faint(&format!("left out: {why}")));
    }
    out
}

/// Rows of a table: column names, then order and errors of each method for one quantity. Also returns notes on points
/// left out of the fit.
pub(super) fn orders(lines: &[Line]) -> (Vec<Vec<String>>, Vec<String>) {
    let mut header = vec!["method".to_owned(), "order".to_owned(), "± 95 %".to_owned()];
    header.extend(lines.iter().take(1).flat_map(|line| &line.points).map(|point| format!("h {}", plain(point.step))));
    let rows = std::iter::once(header).chain(lines.iter().map(row)).collect();
    (rows, lines.iter().flat_map(plateaus).collect())
}

fn row(line: &Line) -> Vec<String> {
    let (order, half_width) = match line.fit {
        None => ("-".to_owned(), String::new()),
        Some(PowerLaw { order, half_width, .. }) => {
            (format!("{order:.3}"), half_width.map_or(String::new(), |half| format!("{half:.3}")))
        }
    };
    let mut cells = vec![line.method.name(), order, half_width];
    cells.extend(line.points.iter().map(|point| {
        let error = point.error.map_or("-".to_owned(), |error| format!("{error:.2e}"));
        if point.left_out.is_some() { format!("({error})") } else { error }
    }));
    cells
}

/// Notes on points left out of the fit, with the reason.
fn plateaus(line: &Line) -> Vec<String> {
    let left = |i: usize| line.points[i].left_out;
    let indices: Vec<usize> = (0..line.points.len()).filter(|i| left(*i).is_some()).collect();
    let note = |run: &[usize]| {
        let (first, last) = (line.points[run[0]].step, line.points[run[run.len() - 1]].step);
        let to = if run.len() > 1 { format!(" to {}", plain(last)) } else { String::new() };
        let steps = format!("h {}{to}", plain(first));
        let why = left(run[0]).map_or("", |plateau| plateau.name());
        format!("{}: not in the fit at {steps}: {why}", line.method.name())
    };
    indices.chunk_by(|a, b| a + 1 == *b && left(*a) == left(*b)).map(note).collect()
}

/// A row of `convergence.csv`: a point of a line.
struct ConvergenceRow<'a> {
    method: String,
    line: &'a Line,
    point: &'a Point,
}

type RowCell = for<'a> fn(&'a ConvergenceRow<'_>) -> Cell<'a>;

const COLUMNS: &[Field<RowCell>] = &[
    Field::word("method", |row| row.method.as_str().into()),
    Field::word("formulation", |row| Cell::Name(row.line.formulation)),
    Field::number("h", "s", |row| row.point.step.into()),
    Field::word("quantity", |row| Cell::Name(row.line.observable.name())),
    Field::number("error", "", |row| row.point.error.into()),
    Field::number("order", "", |row| row.point.order.into()),
    Field::number("cpu_s", "s", |row| row.point.cpu.into()),
    Field::count("evaluations", |row| row.point.evaluations.into()),
];

fn rows(convergence: &Convergence) -> impl Iterator<Item = ConvergenceRow<'_>> {
    convergence.lines.iter().flat_map(move |line| {
        line.points.iter().map(move |point| ConvergenceRow { method: line.method.name(), line, point })
    })
}

/// Text of `convergence.csv`: one row per error. `order` is that between the next larger step and this one.
pub fn convergence_csv(convergence: &Convergence) -> String {
    csv_text(COLUMNS, rows(convergence), |cell, row| cell(row))
}

/// Table of `convergence.csv`.
pub fn convergence_table(convergence: &Convergence) -> Table {
    table_of(COLUMNS, rows(convergence), |cell, row| cell(row))
}
