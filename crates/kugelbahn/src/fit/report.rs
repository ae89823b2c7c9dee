//! What a fit prints.

use std::fmt::Write;

use super::{Data, Fit, Found, with_error};
use crate::terminal::{Style, short};

/// Correlations shown are at least this, and at most so many.
const SHOWN: (f64, usize) = (0.5, 4);
/// Outliers listed.
const LISTED: usize = 12;

/// The report: numbers with their errors, what is left, and what it says of the model.
pub fn fit_report(fit: &Fit, data: &Data, style: Style) -> String {
    let mut out = String::new();
    let seen: usize = fit.axes.iter().flatten().map(|axis| axis.count).sum();
    let _ = writeln!(out, "{}", style.bold(&fit.scenario.title));
    let left_out = if data.left_out > 0 { format!(", {} left out", data.left_out) } else { String::new() };
    let rows = format!("{seen} coordinates in {} rows of {}{left_out}", data.rows.len(), data.name);
    let _ = writeln!(out, "{}", style.faint(&rows));
    if data.start != 0.0 {
        let _ = writeln!(out, "{}", style.faint(&format!("the run starts at t = {} s of the table", data.start)));
    }
    out.push('\n');
    parameters(&mut out, fit, style);
    correlations(&mut out, fit);
    out.push('\n');
    residuals(&mut out, fit, data);
    outliers(&mut out, fit, data);
    search(&mut out, fit, style);
    let settings: Vec<String> = fit.settings.iter().map(|setting| format!("--set '{setting}'")).collect();
    let _ = writeln!(out, "\nto run it so: {}", settings.join(" "));
    out
}

fn parameters(out: &mut String, fit: &Fit, style: Style) {
    let width = fit.parameters.iter().map(|p| p.key.chars().count()).max().unwrap_or(0).max("parameter".len());
    let mut header =
        format!("{:<width$}  {:<14} {:<12} {:<27}", "parameter", "estimate", "std. error", "95 % interval");
    if let Some(bootstrap) = &fit.bootstrap {
        let _ = write!(header, " bootstrap of {}", bootstrap.count);
    }
    let _ = writeln!(out, "{}", style.bold(header.trim_end()));
    for (j, p) in fit.parameters.iter().enumerate() {
        let shown = |value: f64| with_error(value, p.standard_error);
        let interval = format!("{} … {}", shown(p.interval[0]), shown(p.interval[1]));
        let error = format!("{:.1e}", p.standard_error);
        let mut line = format!("{:<width$}  {:<14} {error:<12} {interval:<27}", p.key, shown(p.estimate));
        if let Some(bootstrap) = &fit.bootstrap {
            let [low, high] = bootstrap.intervals[j];
            let _ = write!(line, " {} … {}", shown(low), shown(high));
        }
        if p.held {
            line = format!("{} {}", line.trim_end(), style.alarm("at its bound"));
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if let Some(failed) = fit.bootstrap.as_ref().map(|bootstrap| bootstrap.failed).filter(|failed| *failed > 0) {
        let _ = writeln!(out, "{failed} tables of the bootstrap could not be fitted and are left out");
    }
}

fn correlations(out: &mut String, fit: &Fit) {
    let count = fit.parameters.len();
    let pairs = (0..count).flat_map(|j| (0..j).map(move |k| (k, j)));
    let mut strong: Vec<(usize, usize, f64)> =
        pairs.map(|(k, j)| (k, j, fit.statistics.correlation[(j, k)])).filter(|(.., c)| c.abs() >= SHOWN.0).collect();
    strong.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()));
    if count < 2 {
        return;
    }
    let name = |j: usize| fit.parameters[j].key.as_str();
    if strong.is_empty() {
        let _ = writeln!(out, "correlation: none beyond {}", SHOWN.0);
    }
    for (i, (k, j, c)) in strong.iter().take(SHOWN.1).enumerate() {
        let head = if i == 0 { "correlation:" } else { "" };
        let _ = writeln!(out, "{head:<12} {c:>6.3}  {} and {}", name(*k), name(*j));
    }
    if strong.len() > SHOWN.1 {
        let _ =
            writeln!(out, "{:<12} {} more beyond {}; --json and --out tell all", "", strong.len() - SHOWN.1, SHOWN.0);
    }
}

fn residuals(out: &mut String, fit: &Fit, data: &Data) {
    let unit = data.unit();
    let _ = write!(out, "residuals: rms {} {unit}", short(fit.rms));
    for (name, axis) in ["x", "y"].iter().zip(&fit.axes) {
        if let Some(axis) = axis {
            let _ = write!(out, ", {name} {} {unit}", short(axis.rms));
        }
    }
    let freedom = fit.statistics.freedom;
    match fit.chi_square {
        Some(chi) => {
            let far = (chi - freedom as f64) / (2.0 * freedom as f64).sqrt();
            let _ = writeln!(out, "; χ² = {chi:.1} for {freedom} degrees of freedom");
            if far.abs() > 4.0 {
                let what = if far > 0.0 {
                    "the sigma given is too small, or the model is wrong"
                } else {
                    "the sigma given is too large"
                };
                let _ = writeln!(out, "  that is {:.1} standard deviations off: {what}", far.abs());
            }
        }
        None => {
            let _ = writeln!(out, "; {freedom} degrees of freedom, sigma taken from the residuals");
        }
    }
    for (name, axis) in ["x", "y"].iter().zip(&fit.axes) {
        let Some(axis) = axis else { continue };
        let bound = format!("white noise: within ±{:.2}", axis.lag1_bound);
        let _ = writeln!(out, "correlation of neighbours in {name}: {:.2} ({bound})", axis.lag1);
        if axis.is_coloured() {
            let _ = writeln!(
                out,
                "  the residuals of {name} hang together: the model lacks something, and the errors above are too small"
            );
        }
    }
}

fn outliers(out: &mut String, fit: &Fit, data: &Data) {
    if fit.outliers.is_empty() {
        return;
    }
    let count = fit.outliers.len();
    let coordinates = if count == 1 { "1 coordinate is".to_owned() } else { format!("{count} coordinates are") };
    let _ = writeln!(out, "{coordinates} more than 5 standard deviations off:");
    for outlier in fit.outliers.iter().take(LISTED) {
        let axis = ["x", "y"][outlier.axis];
        let _ = writeln!(
            out,
            "  row {}: {axis} by {} {} ({:.0} standard deviations)",
            outlier.line,
            short(outlier.off),
            data.unit(),
            outlier.deviations
        );
    }
    if count > LISTED {
        let _ = writeln!(out, "  … {} more", count - LISTED);
    }
    if fit.huber.is_none() {
        let _ = writeln!(out, "  --loss huber:1.345 keeps them from pulling");
    }
}

fn search(out: &mut String, fit: &Fit, style: Style) {
    match fit.found {
        Found::Start if fit.starts == 1 => {}
        Found::Start => {
            let _ = writeln!(out, "best from the start given, of {} starts", fit.starts);
        }
        Found::Other => {
            let _ = writeln!(out, "best from another start than the one given, of {}", fit.starts);
        }
        Found::Simplex => {
            let _ = writeln!(out, "found by a simplex, after {} starts", fit.starts);
        }
    }
    if !fit.converged {
        let _ = writeln!(out, "{}", style.alarm("the solver did not come to its end: take these numbers for a start"));
    }
    if fit.poor {
        let _ = writeln!(
            out,
            "{}",
            style.alarm("the run stays far from the table: more than a tenth of the rows is beyond three times the noise of neighbouring rows; is a force, a parameter or the start missing in --free?")
        );
    }
}
