//! `report.html` of comparisons and orders, with the moving balls of several methods.

use report::Outcome;
use report::figures::GREY;
use report::output::Recorder;
use report::page::{Look, PageFilm, Panel, PanelCurve, Sheet, SortableTable};
use scenario::Scenario;
use scenario::input::InputError;

use super::comparison::Comparison;
use super::converge::Convergence;
use super::draft::Draft;
use super::figures::{DrawnRun, convergence_figure, differences, differences_figure, ends, paths_figure};
use super::measure::Measure;
use super::rates::orders;
use super::tables::{also, notes, rows, same_runs, verdict};

/// Limits up to which finest runs are shown moving beside the reference and the coarsest ones: number of all of them,
/// and bytes before compression of all but the reference.
const MOVING: usize = 12;
const BYTES: usize = 3_000_000;
/// Accuracy of a drawn run, as a part of its error.
const PART: f64 = 0.01;
/// Number of times at which differences are kept.
const TIMES: usize = 1000;

/// Page of a comparison; its runs are repeated, so that the page has states between the rows.
pub fn comparison_html(draft: &Draft, comparison: &Comparison, left_out: &[String]) -> Result<String, InputError> {
    let mut sheet = Sheet::default();
    let shown = runs(&mut sheet, draft, comparison)?;
    panels(&mut sheet, comparison, &shown);
    table(&mut sheet, comparison, &shown, left_out, Some(verdict(comparison)));
    let figures = [paths_figure(comparison), differences_figure(comparison)].map(|figure| figure.svg()).concat();
    Ok(sheet.html(&comparison.scenario.title, &about("comparison", comparison), &figures))
}

/// Page of observed orders, with the runs they are from.
pub fn convergence_html(draft: &Draft, convergence: &Convergence, left_out: &[String]) -> Result<String, InputError> {
    let comparison = &convergence.comparison;
    let mut sheet = Sheet::default();
    let shown = runs(&mut sheet, draft, comparison)?;
    panels(&mut sheet, comparison, &shown);
    for lines in convergence.lines.chunk_by(|a, b| a.observable == b.observable) {
        let (rows, mut notes) = orders(lines);
        let finest =
            |method| shown.iter().position(|of| of.is_some_and(|i| comparison.outcomes[i].case.method == method));
        let runs = lines.iter().map(|line| finest(line.method)).collect();
        notes.push("errors in brackets are not in the fit".to_owned());
        sheet.table(&SortableTable {
            title: format!("Order of the {}", lines[0].observable.label()),
            rows,
            runs,
            notes,
        });
    }
    table(&mut sheet, comparison, &shown, left_out, None);
    Ok(sheet.html(&comparison.scenario.title, &about("orders", comparison), &convergence_figure(convergence).svg()))
}

fn about(what: &str, comparison: &Comparison) -> String {
    let own =
        comparison.truth.own.of(Measure::Position).map_or(String::new(), |own| format!(", its own error {own:.0e} m"));
    format!("{what} of {} runs, judged by {}{own}", comparison.outcomes.len(), comparison.truth.name)
}

/// Adds the reference, each method's coarsest run and, as long as there is room, finest runs (fewest steps first).
/// Returns the index of each one's outcome.
fn runs(sheet: &mut Sheet, draft: &Draft, comparison: &Comparison) -> Result<Vec<Option<usize>>, InputError> {
    let mut shown = Vec::new();
    if let Some(tolerance) = comparison.truth.tolerance {
        let look = Look { name: "reference".to_owned(), colour: GREY, dashed: false };
        let (_, scenario) = draft.reference(tolerance)?;
        let (made, record) = again(&scenario, None)?;
        sheet.run(&look, &scenario, &made, &record);
        shown.push(None);
    }
    let mut ends = ends(comparison);
    ends.sort_by_key(|end| end.finest.then_some(end.run.track.work.steps));
    let mut bytes = 0;
    for end in &ends {
        if end.finest && shown.len() >= MOVING {
            break;
        }
        let scenario = draft.scenario(&end.run.case)?;
        let error = end.run.errors.of(Measure::Position).map(|error| PART * error);
        let (made, record) = again(&scenario, Some(error.unwrap_or(0.0)))?;
        bytes += record.film.as_ref().map_or(0, PageFilm::bytes);
        if end.finest && bytes > BYTES {
            break;
        }
        sheet.run(&look(comparison, end), &scenario, &made, &record);
        shown.push(Some(end.index));
    }
    Ok(shown)
}

/// Name, colour and stroke of a run.
fn look(comparison: &Comparison, DrawnRun { index, run, colour, dashed, .. }: &DrawnRun) -> Look {
    Look { name: run.case.name() + &equals(comparison, *index), colour, dashed: *dashed }
}

/// Runs a scenario for a page; `error`: accuracy of the places drawn, m, by default that of all pages.
pub(crate) fn again(scenario: &Scenario, error: Option<f64>) -> Result<(Outcome, Recorder<'_>), InputError> {
    let failed = |error: &dyn std::fmt::Display| InputError::without_place(error.to_string());
    let record = Recorder::new(scenario, None, Box::new(|_| ())).map_err(|error| failed(&error))?;
    let mut record = match error {
        Some(error) => record.with_film_to(error),
        None => record.with_film(),
    };
    let made = record.run().map_err(|error| failed(&error))?;
    Ok((made, record))
}

/// Note that not all runs are shown moving.
fn still(comparison: &Comparison, shown: &[Option<usize>]) -> Option<String> {
    let moving = shown.iter().flatten().count();
    let of = comparison.outcomes.len();
    (moving < of).then(|| {
        format!(
            "{moving} of {of} runs are shown moving: of each method the coarsest, dashed where there is a finer one, and the finest while \
             there is room; each to a hundredth of its error, at best to 1e-7 of the track"
        )
    })
}

/// Adds diagrams of the differences between the runs shown and the reference over time.
fn panels(sheet: &mut Sheet, comparison: &Comparison, shown: &[Option<usize>]) {
    let rows = &comparison.truth.track.rows;
    let few = rows.len().div_ceil(TIMES).max(1);
    let times: Vec<f64> = rows.iter().step_by(few).map(|row| row.time).collect();
    let ends = ends(comparison);
    let drawn = shown.iter().flatten().filter_map(|i| ends.iter().find(|end| end.index == *i));
    for (axis, (title, unit)) in
        [("position: distance from the reference", "m"), ("velocity: the same", "m/s")].into_iter().enumerate()
    {
        let curve = |end: &DrawnRun| {
            let mut values = vec![f64::NAN; times.len()];
            for (row, apart) in differences(comparison, &end.run.track, few) {
                values[row / few] = apart[axis];
            }
            PanelCurve { look: look(comparison, end), dots: false, values }
        };
        let curves = drawn.clone().map(curve).collect();
        sheet.panel(&Panel { title: title.to_owned(), unit, decades: true, times: times.clone(), curves });
    }
}

/// Adds the table of runs; notes on failures come first.
fn table(
    sheet: &mut Sheet,
    comparison: &Comparison,
    shown: &[Option<usize>],
    left_out: &[String],
    verdict: Option<String>,
) {
    let (mut rows, listed) = rows(comparison);
    for (row, i) in rows.iter_mut().skip(1).zip(&listed) {
        row[0] += &equals(comparison, *i);
    }
    let runs = listed.iter().map(|i| shown.iter().position(|of| *of == Some(*i))).collect();
    let (alarms, others): (Vec<_>, Vec<_>) = notes(comparison, left_out).into_iter().partition(|(alarm, _)| *alarm);
    let said = |notes: Vec<(bool, String)>| notes.into_iter().map(|(_, text)| text);
    let all =
        said(alarms).chain(same_runs(comparison)).chain(verdict).chain(still(comparison, shown)).chain(said(others));
    sheet.table(&SortableTable { title: "Runs".to_owned(), rows, runs, notes: all.collect() });
}

/// Text behind the name of a run: the methods with an equal run.
fn equals(comparison: &Comparison, i: usize) -> String {
    match also(&comparison.outcomes, i).as_slice() {
        [] => String::new(),
        others @ [_] | others @ [_, _] => format!(" = {}", others.join(" = ")),
        [first, others @ ..] => format!(" = {first} = {} others", others.len()),
    }
}
