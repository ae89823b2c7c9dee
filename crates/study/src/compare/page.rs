//! `report.html` of comparisons and orders: the methods' balls against each other.

use report::figures::GREY;
use report::output::Recorder;
use report::page::{Curve, Look, Panel, Sheet, Table};
use scenario::Scenario;
use scenario::input::InputError;

use super::comparison::{Comparison, Outcome};
use super::converge::Convergence;
use super::draft::Draft;
use super::figures::{convergence_figure, differences, differences_figure, ends, paths_figure};
use super::rates::orders;
use super::tables::{rows, verdict};

/// Runs that are shown moving.
const MOVING: usize = 12;
/// Steps of them in all: one of fixed length takes some 500 bytes of the page.
const STEPS: u64 = 3_000;
/// Times at which differences are kept.
const TIMES: usize = 1000;

/// A comparison as a page; its runs are made anew, so that the page has them at every time.
pub fn comparison_html(draft: &Draft, comparison: &Comparison, left_out: &[String]) -> Result<String, InputError> {
    let mut sheet = Sheet::default();
    let shown = runs(&mut sheet, draft, comparison)?;
    panels(&mut sheet, comparison, &shown);
    let mut notes = vec![verdict(comparison)];
    notes.extend(still(comparison, &shown));
    notes.extend(left_out.iter().map(|why| format!("left out: {why}")));
    table(&mut sheet, comparison, &shown, notes);
    let figures = [paths_figure(comparison), differences_figure(comparison)].map(|figure| figure.svg()).concat();
    Ok(sheet.html(&comparison.scenario.title, &about("comparison", comparison), &figures))
}

/// Orders as a page, with the runs behind them.
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
        sheet.table(&Table { title: format!("Order of the {}", lines[0].observable.label()), rows, runs, notes });
    }
    let notes = still(comparison, &shown).into_iter().chain(left_out.iter().map(|why| format!("left out: {why}")));
    table(&mut sheet, comparison, &shown, notes.collect());
    Ok(sheet.html(&comparison.scenario.title, &about("orders", comparison), &convergence_figure(convergence).svg()))
}

fn about(what: &str, comparison: &Comparison) -> String {
    let own = comparison.truth.own.position.map_or(String::new(), |own| format!(", its own error {own:.0e} m"));
    format!("{what} of {} runs, judged by {}{own}", comparison.outcomes.len(), comparison.truth.name)
}

/// The reference, and of each method its coarsest and its finest run, those of the fewest steps first while there is room, and none twice: the outcome behind each.
fn runs(sheet: &mut Sheet, draft: &Draft, comparison: &Comparison) -> Result<Vec<Option<usize>>, InputError> {
    let mut shown = Vec::new();
    if let Some(tolerance) = comparison.truth.tolerance {
        let look = Look { name: "reference".to_owned(), colour: GREY, dashed: false };
        moving(sheet, &look, &draft.reference(tolerance)?)?;
        shown.push(None);
    }
    let all = ends(comparison);
    let coarsest = all.iter().map(|(colour, coarse, fine)| (*colour, *coarse, fine.is_some()));
    let finest = all.iter().filter_map(|(colour, _, fine)| fine.map(|fine| (*colour, fine, false)));
    let mut least: Vec<_> = coarsest.chain(finest).collect();
    least.sort_by_key(|(_, outcome, _)| outcome.track.work.steps);
    let place = |outcome: &Outcome| comparison.outcomes.iter().position(|other| std::ptr::eq(other, outcome));
    let mut steps = 0;
    let fits = |(_, outcome, _): &(_, &Outcome, _)| {
        steps += outcome.track.work.steps;
        steps <= STEPS
    };
    let mut chosen: Vec<_> = least
        .into_iter()
        .take_while(fits)
        .take(MOVING - shown.len())
        .filter_map(|(colour, outcome, dashed)| {
            Some((place(outcome)?, Look { name: outcome.case.name(), colour, dashed }))
        })
        .collect();
    chosen.sort_by_key(|(place, _)| *place);
    for (place, look) in chosen {
        moving(sheet, &look, &draft.scenario(&comparison.outcomes[place].case)?)?;
        shown.push(Some(place));
    }
    Ok(shown)
}

fn moving(sheet: &mut Sheet, look: &Look, scenario: &Scenario) -> Result<(), InputError> {
    let failed = |error: &dyn std::fmt::Display| InputError::without_place(error.to_string());
    let mut record = Recorder::new(scenario, None, Box::new(|_| ())).map_err(|error| failed(&error))?.with_film();
    let outcome = record.run().map_err(|error| failed(&error))?;
    sheet.run(look, scenario, &outcome, &record);
    Ok(())
}

/// Says that not all runs are shown moving.
fn still(comparison: &Comparison, shown: &[Option<usize>]) -> Option<String> {
    let moving = shown.iter().flatten().count();
    let of = comparison.outcomes.len();
    (moving < of).then(|| {
        format!("{moving} of {of} runs are shown moving: of each method the finest and, dashed, the coarsest, up to {MOVING} runs and {STEPS} steps")
    })
}

/// Differences of the runs shown from the reference, over time.
fn panels(sheet: &mut Sheet, comparison: &Comparison, shown: &[Option<usize>]) {
    let rows = &comparison.truth.track.rows;
    let few = rows.len().div_ceil(TIMES).max(1);
    let times: Vec<f64> = rows.iter().step_by(few).map(|row| row.time).collect();
    let ends = ends(comparison);
    let look = |outcome: &Outcome| {
        let of = ends.iter().find(|(_, coarse, _)| coarse.case.method == outcome.case.method);
        let dashed = of.is_some_and(|(_, coarse, fine)| fine.is_some() && std::ptr::eq(*coarse, outcome));
        Look { name: outcome.case.name(), colour: of.map_or(GREY, |of| of.0), dashed }
    };
    for (axis, (title, unit)) in
        [("position: distance from the reference", "m"), ("velocity: the same", "m/s")].into_iter().enumerate()
    {
        let curve = |i: usize| {
            let outcome = &comparison.outcomes[i];
            let mut values = vec![f64::NAN; times.len()];
            for (row, apart) in differences(comparison, &outcome.track, few) {
                values[row / few] = apart[axis];
            }
            Curve { look: look(outcome), dots: false, values }
        };
        let curves = shown.iter().flatten().map(|i| curve(*i)).collect();
        sheet.panel(&Panel { title: title.to_owned(), unit, decades: true, times: times.clone(), curves });
    }
}

fn table(sheet: &mut Sheet, comparison: &Comparison, shown: &[Option<usize>], notes: Vec<String>) {
    let (rows, listed) = rows(comparison);
    let runs = listed.iter().map(|i| shown.iter().position(|of| *of == Some(*i))).collect();
    sheet.table(&Table { title: "Runs".to_owned(), rows, runs, notes });
}
