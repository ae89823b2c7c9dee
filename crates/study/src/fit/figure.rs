//! `fit.svg`: measured places, run and residuals.

use report::figures::{BLUE, Chart, Figure, GREY, Series, Stroke, VERMILION, stack};

use super::data::{Data, FilmRow};
use super::fit_options::AXES;
use super::fitted::{Fit, drawn_unit};

/// Colours of x and y.
pub(super) const COLOURS: [&str; 2] = [BLUE, VERMILION];

/// Draws each coordinate, measured and modelled, and the residuals over the time of the scenario; in m, with y as in
/// the scenario, whatever the unit of the table.
pub fn fit_figure(fit: &Fit, data: &Data) -> Figure {
    let start = fit.scenario.start.time();
    let run = |axis: usize| fit.path.iter().map(|(time, place)| (time + start, place[axis])).collect::<Vec<_>>();
    let seen: Vec<usize> = (0..2).filter(|axis| fit.axes[*axis].is_some()).collect();
    let chart = |&axis: &usize| {
        let (name, colour) = (AXES[axis], COLOURS[axis]);
        let place = |row: &FilmRow| (row.time + start, fit.view.place(axis, row.place[axis]));
        let seen = fit.rows.iter().map(|fitted| place(&fitted.row)).collect();
        let mut series = vec![
            Series::new(format!("{name} seen"), colour, seen).drawn(Stroke::Crosses),
            Series::new(format!("{name} run"), GREY, run(axis)).drawn(Stroke::Thin),
        ];
        let away: Vec<_> = data.away.iter().map(place).collect();
        series.extend((!away.is_empty()).then(|| Series::new("left out", colour, away).drawn(Stroke::Hollow)));
        Chart::new("", "time [s]", &format!("{name} [m]"), series)
    };
    let mut charts: Vec<Chart> = seen.iter().map(chart).collect();
    let unit = drawn_unit(fit.rms).1;
    let times = || fit.rows.iter().map(|fitted| fitted.row.time + start);
    let left = |axis: usize| {
        let series = Series::new(AXES[axis], COLOURS[axis], times().zip(fit.off(axis)).collect());
        if axis == 0 { series.drawn(Stroke::Specks) } else { series.drawn(Stroke::Crosses) }
    };
    let series = seen.into_iter().map(left).collect();
    charts.push(Chart::new("", "time [s]", &format!("seen less run [{unit}]"), series));
    let figure = stack(&format!("{}: fit of {}", fit.scenario.title, data.file_name()), charts);
    figure.with_note(&data.begins(start).unwrap_or_default())
}
