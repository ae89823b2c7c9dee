//! `fit.svg`: data, run and what is left.

use super::{Data, Fit};
use crate::figures::{BLUE, Chart, GREY, Series, VERMILION, stack};

const NAMES: [&str; 2] = ["x", "y"];
const COLOURS: [&str; 2] = [BLUE, VERMILION];

/// Each coordinate over time as seen and as run, and the residuals.
pub fn fit_svg(fit: &Fit, data: &Data) -> String {
    let unit = data.unit();
    let of = |pick: &dyn Fn(&super::Fitted) -> f64| -> Vec<(f64, f64)> {
        fit.rows.iter().map(|fitted| (fitted.row.time + data.start, pick(fitted))).collect()
    };
    let run = |axis: usize| fit.path.iter().map(|(time, place)| (time + data.start, place[axis])).collect::<Vec<_>>();
    let seen: Vec<usize> = (0..2).filter(|axis| fit.axes[*axis].is_some()).collect();
    let mut charts: Vec<Chart> = seen
        .iter()
        .map(|&axis| {
            let series = vec![
                Series::new(format!("{} run", NAMES[axis]), GREY, run(axis)),
                Series::new(format!("{} seen", NAMES[axis]), COLOURS[axis], of(&|fitted| fitted.row.place[axis]))
                    .specks(),
            ];
            Chart::new("", "time [s]", &format!("{} [{unit}]", NAMES[axis]), series)
        })
        .collect();
    let (factor, small) = if data.pixels { (1.0, "px") } else { (1e3, "mm") };
    let left = |axis: usize| of(&move |fitted| factor * (fitted.row.place[axis] - fitted.model[axis]));
    let series = seen.iter().map(|&axis| Series::new(NAMES[axis], COLOURS[axis], left(axis)).specks()).collect();
    charts.push(Chart::new("", "time [s]", &format!("seen less run [{small}]"), series));
    stack(&format!("{}: fit of {}", fit.scenario.title, data.name), &charts)
}
