//! `report.html` of a fit: the run found, moving along the measured places.

use std::sync::Arc;

use newmark::{Control, Tolerance};
use report::figures::BLUE;
use report::page::{Look, Panel, PanelCurve, Sheet, SortableTable};
use rolling::Formulation;
use scenario::input::{InputError, plain, rounded};
use scenario::{FlightKind, FormulationKind, Scenario, unit_of};

use super::data::{Data, FilmRow};
use super::figure::{COLOURS, fit_figure};
use super::fit_options::AXES;
use super::fitted::{Fit, drawn_unit};
use super::observation::TOLERANCE;
use super::report::{NOT_SETTLED, correlations, of_rows, told, verdict_text};
use crate::compare::again;

/// Page of a fit; its times are those of the scenario.
pub fn fit_html(fit: &Fit, data: &Data) -> Result<String, InputError> {
    let scenario = &as_fitted(fit, data);
    let (outcome, record) = again(scenario, None)?;
    let mut sheet = Sheet::default();
    let look = |name: &str, colour| Look { name: name.to_owned(), colour, dashed: false };
    sheet.run(&look("found", BLUE), scenario, &outcome, &record);
    let place = |row: &FilmRow| [0, 1].map(|axis| fit.view.place(axis, row.place[axis]));
    // A row with one missing coordinate is not drawn.
    let is_whole = |place: &[f64; 2]| place.iter().all(|c| c.is_finite());
    let drawn = |rows: &mut dyn Iterator<Item = &FilmRow>| rows.map(place).filter(is_whole).collect::<Vec<_>>();
    sheet.places([drawn(&mut fit.rows.iter().map(|fitted| &fitted.row)), drawn(&mut data.away.iter())]);
    let (per_metre, unit) = drawn_unit(fit.rms);
    let seen = (0..2).filter(|axis| fit.axes[*axis].is_some());
    let curves = seen
        .map(|axis| PanelCurve { look: look(AXES[axis], COLOURS[axis]), dots: true, values: fit.off(axis) })
        .collect();
    let start = scenario.start.time();
    let times = fit.rows.iter().map(|fitted| start + fitted.row.time).collect();
    sheet.panel(&Panel { title: "seen less run".to_owned(), unit, decades: false, times, curves });
    parameters(&mut sheet, fit, data);
    let about = format!(
        "fit of {} rows of {}: root mean square of residuals {:.3} {unit}; marks are the places seen{}",
        fit.rows.len(),
        data.file_name(),
        per_metre * fit.rms,
        [(!data.away.is_empty()).then(|| "crosses those left out".to_owned()), data.begins(start)]
            .into_iter()
            .flatten()
            .map(|said| format!("; {said}"))
            .collect::<String>()
    );
    Ok(sheet.html(&scenario.title, &about, &fit_figure(fit, data).svg()))
}

/// The scenario as run by the fit: with the fit's own method and tolerance, until the last row.
fn as_fitted(fit: &Fit, data: &Data) -> Scenario {
    let mut scenario = fit.scenario.clone();
    scenario.solver.method = FlightKind::Dop853;
    scenario.solver.formulation = FormulationKind::Ours(Formulation::ArcLength);
    scenario.solver.control = Control::Tolerance(Tolerance { relative: TOLERANCE, absolute: TOLERANCE });
    scenario.solver.duration = data.end();
    (scenario.until, scenario.watches) = (Arc::default(), Arc::default());
    scenario
}

/// Adds the table of the numbers with their units, and the notes that the terminal shows.
fn parameters(sheet: &mut Sheet, fit: &Fit, data: &Data) {
    let head = ["number", "found", "unit", "standard error", "95 % interval", "started at", ""].map(str::to_owned);
    let cells = fit.parameters.iter().enumerate().map(|(j, p)| {
        let [estimate, error, interval, remark] = told(fit, j);
        vec![p.key.clone(), estimate, unit_of(&p.key).to_owned(), error, interval, plain(rounded(p.start, 6)), remark]
    });
    let rows = std::iter::once(head.to_vec()).chain(cells).collect();
    let hints = data.hints.iter().map(|hint| format!("note: {hint}"));
    let said = verdict_text(fit).into_iter().chain(hints).chain((!fit.converged).then(|| NOT_SETTLED.to_owned()));
    let said = said.chain([correlations(fit), of_rows(fit)]).collect::<Vec<_>>();
    let notes = said.iter().flat_map(|text| text.lines()).map(|line| line.trim().to_owned()).collect();
    let (title, runs) = ("Numbers found".to_owned(), vec![None; fit.parameters.len()]);
    sheet.table(&SortableTable { title, rows, runs, notes });
}
