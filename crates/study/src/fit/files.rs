//! `fit.json` and `residuals.csv`.

use serde_json::json;
use tables::{Cell, Field, csv_text};

use super::data::Data;
use super::fit_options::AXES;
use super::fitted::{Fit, Fitted, Parameter};

/// Names of the files of a fit.
pub const FIT_FILES: [&str; 3] = ["fit.json", "residuals.csv", "report.html"];

/// Text of `fit.json`, indented, with a line end; infinite numbers are null.
pub fn fit_json(fit: &Fit, data: &Data) -> String {
    let parameter = |p: &Parameter| {
        json!({
            "key": p.key,
            "estimate": p.estimate,
            "standard_error": p.standard_error,
            "interval_95": p.interval,
            "interval_ends": p.ends,
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
    // The unit of a scaled table is unknown.
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
        "parameters": fit.parameters.iter().map(parameter).collect::<Vec<_>>(),
        "correlation": (0..count).map(row).collect::<Vec<_>>(),
        "residuals": {
            "rms": fit.rms,
            "degrees_of_freedom": fit.statistics.freedom,
            "chi_square": fit.chi_square,
            "x": axis(0),
            "y": axis(1),
            "times_noise": fit.times_noise,
            "misfit": fit.is_misfit(),
            "verdict": fit.verdict.name(),
            "part_of_extent": fit.part,
            "noise_x_over_y": fit.weighed_by[0] / fit.weighed_by[1],
            "slow_over_noise": slow.map(|colour| colour.slow),
            "correlation_time": slow.map(|colour| colour.length),
        },
        "outliers": fit.outliers.iter().map(|o| json!({
            "row": o.line, "coordinate": AXES[o.axis], "off": o.off, "deviations": o.deviations,
        })).collect::<Vec<_>>(),
        "settings": fit.settings,
        "scenario": fit.scenario.resolved(),
    });
    format!("{value:#}\n")
}

/// Cell of a number; empty if the coordinate was not measured.
fn seen(number: f64) -> Cell<'static> {
    Some(number).filter(|number| !number.is_nan()).into()
}

/// Cell of a column, from a row of the table.
type ResidualCell = fn(&Fitted, &Data) -> Cell<'static>;

const RESIDUALS: &[Field<ResidualCell>] = &[
    Field::count("row", |fitted, _| fitted.row.line.into()),
    Field::number("time", "s", |fitted, data| seen(fitted.row.time + data.start)),
    Field::number("x", "", |fitted, _| seen(fitted.row.place[0])),
    Field::number("y", "", |fitted, _| seen(fitted.row.place[1])),
    Field::number("x_model", "", |fitted, _| seen(fitted.model[0])),
    Field::number("y_model", "", |fitted, _| seen(fitted.model[1])),
    Field::number("x_residual", "", |fitted, _| seen(fitted.row.place[0] - fitted.model[0])),
    Field::number("y_residual", "", |fitted, _| seen(fitted.row.place[1] - fitted.model[1])),
    Field::number("sigma", "", |fitted, data| if data.weighted { seen(fitted.row.sigma) } else { Cell::Empty }),
    Field::number("x_weight", "", |fitted, _| seen(fitted.weight[0])),
    Field::number("y_weight", "", |fitted, _| seen(fitted.weight[1])),
];

/// Text of `residuals.csv`: measured and modelled places in the unit of the measured table. Residuals are measured less
/// modelled; cells of coordinates not measured are empty.
pub fn residuals_csv(fit: &Fit, data: &Data) -> String {
    csv_text(RESIDUALS, fit.rows.iter(), |cell, row| cell(row, data))
}
