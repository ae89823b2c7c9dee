//! `fit.svg`: measured places, run and residuals.

use report::figures::{BLUE, Chart, Figure, GREY, Series, VERMILION, stack};

use scenario::input::short;

use super::data::Data;
use super::fitted::{Fit, Fitted, drawn_unit};
use super::plan::AXES;

/// Colours of x and y.
pub(super) const COLOURS: [&str; 2] = [BLUE, VERMILION];

/// Draws each coordinate, measured and modelled, and the residuals over the time of the scenario; in m, with y as in
/// the scenario, whatever the unit of the table.
pub fn fit_figure(fit: &Fit, data: &Data) -> Figure {
    let start = fit.scenario.start.time();
    let of = |pick: &dyn Fn(&Fitted) -> f64| -> Vec<(f64, f64)> {
        fit.rows.iter().map(|fitted| (fitted.row.time + start, pick(fitted))).collect()
    };
    let run = |axis: usize| fit.path.iter().map(|(time, place)| (time + start, place[axis])).collect::<Vec<_>>();
    let away = |axis: usize| data.away.iter().map(move |row| (row.time + start, fit.view.place(axis, row.place[axis])));
    let seen: Vec<usize> = (0..2).filter(|axis| fit.axes[*axis].is_some()).collect();
    let mut charts: Vec<Chart> = seen
        .iter()
        .map(|&axis| {
            let seen = of(&|row| fit.view.place(axis, row.row.place[axis]));
            let mut series = vec![
                Series::new(format!("{} seen", AXES[axis]), COLOURS[axis], seen).crosses(),
                Series::new(format!("{} run", AXES[axis]), GREY, run(axis)).thin(),
            ];
            let away: Vec<_> = away(axis).collect();
            series.extend((!away.is_empty()).then(|| Series::new("left out", COLOURS[axis], away).hollow()));
            Chart::new("", "time [s]", &format!("{} [m]", AXES[axis]), series)
        })
        .collect();
    let (times, unit) = drawn_unit(fit.rms);
    let left = |axis: usize| of(&move |row| times * fit.view.length(axis, row.row.place[axis] - row.model[axis]));
    let mut all: Vec<(usize, Vec<(f64, f64)>)> = seen.iter().map(|&axis| (axis, left(axis))).collect();
    let shown = usual(all.iter().flat_map(|(_, points)| points).map(|point| point.1));
    let far: Vec<(f64, f64)> =
        all.iter().flat_map(|(_, points)| points).filter(|point| point.1.abs() > shown).copied().collect();
    all.iter_mut().for_each(|(_, points)| points.retain(|point| point.1.abs() <= shown));
    let mut series: Vec<Series> =
        all.into_iter().map(|(axis, points)| residuals(Series::new(AXES[axis], COLOURS[axis], points), axis)).collect();
    // Points far off are drawn at the edge, so that the others keep their scale.
    if let Some(most) = far.iter().map(|point| point.1.abs()).reduce(f64::max) {
        let edge = far.iter().map(|(time, off)| (*time, shown.copysign(*off))).collect();
        series.push(Series::new(format!("beyond, up to {} mm", short((most * 1e3).round() / 1e3)), GREY, edge).dots());
    }
    charts.push(Chart::new("", "time [s]", &format!("seen less run [{unit}]"), series));
    let figure = stack(&format!("{}: fit of {}", fit.scenario.title, data.file_name()), charts);
    figure.with_note(&data.begins(start).unwrap_or_default())
}

/// Draws residuals of x as dots, those of y as crosses.
fn residuals(series: Series, axis: usize) -> Series {
    if axis == 0 { series.specks() } else { series.crosses() }
}

/// Scale of the residuals' axis: the largest one, unless it is more than four times the 98 % quantile.
fn usual(residuals: impl Iterator<Item = f64>) -> f64 {
    let mut sizes: Vec<f64> = residuals.map(f64::abs).filter(|size| size.is_finite()).collect();
    sizes.sort_by(f64::total_cmp);
    let (Some(most), Some(usual)) = (sizes.last(), sizes.get(sizes.len() * 98 / 100)) else { return f64::INFINITY };
    if *most > 4.0 * usual && *usual > 0.0 { 1.3 * usual } else { f64::INFINITY }
}
