//! `fit.json` and `residuals.csv`.

use report::output::{csv_text, text};
use serde_json::json;

use super::data::Data;
use super::fitted::{Fit, Fitted, Parameter};
use super::plan::AXES;
use super::profile::End;

/// Files of a fit.
pub const FIT_FILES: [&str; 3] = ["fit.json", "residuals.csv", "report.html"];

/// A fit as pretty-printed JSON with a line end; null stands for infinite numbers.
pub fn fit_json(fit: &Fit, data: &Data) -> String {
    let parameter = |p: &Parameter| {
        json!({
            "key": p.key,
            "estimate": p.estimate,
            "standard_error": p.standard_error,
            "interval_95": p.interval,
            "interval_ends": p.ends.map(End::name),
            "start": p.start,
            "bounds": [p.bounds.lower, p.bounds.upper],
            "at_bound": p.held,
        })
    };
    let count = fit.parameters.len();
    let row = |j: usize| (0..count).map(|k| fit.statistics.correlation[(j, k)]).collect::<Vec<f64>>();
    let axis = |i: usize| {
        fit.axes[i].map(|axis| {
            json!({ "count": axis.count, "rms": axis.rms, "lag1": axis.lag1, "lag1_bound": axis.lag1_bound,
                    "coloured": axis.is_coloured() })
        })
    };
    let slow = fit.colour.filter(|colour| colour.slow > 0.0);
    // A table that needs a scale is not in m.
    let unit = if data.pixels { Some("px") } else { (fit.view.scale == 1.0).then_some("m") };
    let value = json!({
        "title": fit.scenario.title,
        "versions": { "kugelbahn": env!("CARGO_PKG_VERSION") },
        "data": {
            "file": data.name,
            "rows": data.rows.len(),
            "rows_left_out": data.left_out,
            "start": data.start,
            "unit": unit,
            "sigma_given": data.weighted,
            "hints": data.hints,
            "scale": fit.view.scale,
            "origin": fit.view.origin,
            "y_down": fit.view.down,
        },
        "loss": fit.huber.map_or(json!("squares"), |k| json!({ "huber": k })),
        "converged": fit.converged,
        "found_from": fit.found.name(),
        "starts": fit.starts,
        "parameters": fit.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "correlation": (0..count).map(row).collect::<Vec<_>>(),
        "residuals": {
            "rms": fit.rms,
            "degrees_of_freedom": fit.statistics.freedom,
            "chi_square": fit.chi_square,
            "x": axis(0),
            "y": axis(1),
            "poor": fit.poor,
            "times_noise": fit.times_noise,
            "misfit": fit.is_misfit(),
            "verdict": fit.verdict.name(),
            "part_of_extent": fit.part,
            "noise_x_over_y": fit.weighed_by[0] / fit.weighed_by[1],
            "slow_over_noise": slow.map(|colour| colour.slow),
            "correlation_time": slow.map(|colour| colour.length),
            "slow_is_at_least": slow.map(|colour| colour.beyond),
        },
        "outliers": fit.outliers.iter().map(|o| json!({
            "row": o.line, "coordinate": AXES[o.axis], "off": o.off, "deviations": o.deviations,
        })).collect::<Vec<_>>(),
        "settings": fit.settings,
        "scenario": fit.scenario.resolved(),
    });
    format!("{value:#}\n")
}

/// The rows beside the run: in the unit of the table; residuals are table less run; cells of coordinates not seen are empty.
pub fn residuals_csv(fit: &Fit, data: &Data) -> String {
    const COLUMNS: [&str; 11] =
        ["row", "time", "x", "y", "x_model", "y_model", "x_residual", "y_residual", "sigma", "x_weight", "y_weight"];
    let cell = |value: f64| if value.is_nan() { String::new() } else { text(value) };
    let cells = |fitted: &Fitted| {
        let row = &fitted.row;
        let residual = |axis: usize| row.place[axis] - fitted.model[axis];
        let numbers = [
            row.time + data.start,
            row.place[0],
            row.place[1],
            fitted.model[0],
            fitted.model[1],
            residual(0),
            residual(1),
            if data.weighted { row.sigma } else { f64::NAN },
            fitted.weight[0],
            fitted.weight[1],
        ];
        std::iter::once(row.line.to_string()).chain(numbers.map(cell)).collect()
    };
    csv_text(&COLUMNS, fit.rows.iter().map(cells))
}
