//! `fit.svg`: data, run and what is left.

use report::figures::{BLUE, Chart, Figure, GREY, Series, VERMILION, stack};

use super::fitted::{Fit, Fitted};
use super::plan::AXES;
use super::table::Data;

const COLOURS: [&str; 2] = [BLUE, VERMILION];

/// Each coordinate over time as seen and as run, and the residuals: in m, with y as in the scenario, whatever the table has.
pub fn fit_figure(fit: &Fit, data: &Data) -> Figure {
    let of = |pick: &dyn Fn(&Fitted) -> f64| -> Vec<(f64, f64)> {
        fit.rows.iter().map(|fitted| (fitted.row.time + data.start, pick(fitted))).collect()
    };
    let run = |axis: usize| fit.path.iter().map(|(time, place)| (time + data.start, place[axis])).collect::<Vec<_>>();
    let seen: Vec<usize> = (0..2).filter(|axis| fit.axes[*axis].is_some()).collect();
    let mut charts: Vec<Chart> = seen
        .iter()
        .map(|&axis| {
            let series = vec![
                Series::new(format!("{} run", AXES[axis]), GREY, run(axis)),
                Series::new(
                    format!("{} seen", AXES[axis]),
                    COLOURS[axis],
                    of(&|row| fit.view.place(axis, row.row.place[axis])),
                )
                .specks(),
            ];
            Chart::new("", "time [s]", &format!("{} [m]", AXES[axis]), series)
        })
        .collect();
    let left = |axis: usize| of(&move |row| 1e3 * fit.view.length(axis, row.row.place[axis] - row.model[axis]));
    let series = seen.iter().map(|&axis| Series::new(AXES[axis], COLOURS[axis], left(axis)).specks()).collect();
    charts.push(Chart::new("", "time [s]", "seen less run [mm]", series));
    stack(&format!("{}: fit of {}", fit.scenario.title, data.name), charts)
}
