//! A table that the model describes but for its first or its last rows: those in which a hand has the ball, or the camera moves.

use std::ops::Range;

use supervisor::Start;

use super::coloured;
use super::judge;
use super::observation::ObservationModel;
use super::plan::Plan;
use super::search::Search;
use super::verdict::MISFIT;

/// Parts of the rows that are tried without.
const PARTS: [f64; 3] = [0.125, 0.25, 0.375];
/// Halvings of the way to the row from which on, or up to which, it is described.
const HALVINGS: u32 = 5;
/// Rows at least for each parameter.
const ROWS: usize = 2;

/// The times of the table from which on, and up to which, the model describes it, s: one of them is that of the first or the last row.
/// `None`: none of those that were tried. `found`: the parameters of the whole table.
pub(super) fn described(search: &Search, found: &[f64], least: f64, plan: &Plan) -> Option<[f64; 2]> {
    let data = search.observation.data;
    let count = data.rows.len();
    let holds = |rows: Range<usize>| rows.len() > ROWS * found.len() && is_described(search, found, least, plan, rows);
    // The rows without a part of them, at the beginning or at the end.
    let left = |part: f64, at_end: bool| {
        let cut = (part * count as f64).round() as usize;
        if at_end { 0..count - cut } else { cut..count }
    };
    let starts_free = starts_free(search);
    let tried = PARTS.into_iter().flat_map(|part| [(part, false), (part, true)]);
    let (mut without, at_end) =
        tried.filter(|(_, at_end)| *at_end || starts_free).find(|(part, at_end)| holds(left(*part, *at_end)))?;
    let mut from = 0.0;
    for _ in 0..HALVINGS {
        let middle = 0.5 * (from + without);
        *(if holds(left(middle, at_end)) { &mut without } else { &mut from }) = middle;
    }
    let rows = left(without, at_end);
    Some([rows.start, rows.end - 1].map(|row| data.start + data.rows[row].time))
}

/// Whether the run may start elsewhere: place and velocity are free.
fn starts_free(search: &Search) -> bool {
    let unknowns = search.observation.unknowns;
    let seen = [0, 1].map(|axis| search.observation.seen.iter().any(|(_, own)| *own == axis));
    let axes = match unknowns.written().start {
        Start::Contact { .. } => 1,
        _ => seen.into_iter().filter(|seen| *seen).count(),
    };
    [0, 1].iter().all(|rate| unknowns.list().iter().filter(|unknown| unknown.rate() == Some(*rate)).count() >= axes)
}

/// Whether what is left of some rows is noise.
fn is_described(search: &Search, found: &[f64], least: f64, plan: &Plan, rows: Range<usize>) -> bool {
    let whole = search.observation;
    let data = whole.data.part(rows);
    let mut observation = ObservationModel::new(whole.unknowns, &data, plan);
    (observation.view, observation.apart, observation.deviation) = (whole.view, whole.apart, whole.deviation);
    let shown = observation.shown();
    let part = Search { observation: &observation, shown: &shown, ..search.clone() };
    let starts = [found.to_vec()].into_iter().chain(part.starts(found, 0..1));
    let solutions = starts.filter_map(|start| part.direct(&start).ok());
    let Some(best) = solutions.min_by(|a, b| a.cost.total_cmp(&b.cost)) else { return false };
    let residuals = &best.evaluation.residuals[..observation.seen.len()];
    let axes = judge::axes(&observation, observation.view, residuals, least, plan.huber.is_some());
    let slow = || coloured(&observation, &best.evaluation, least).is_some_and(|colour| colour.slow > 0.0);
    !part.is_beyond(MISFIT, &best.evaluation) && !judge::is_coloured(&axes) && !slow()
}
