//! Terminal output of `kugelbahn fit`.

use std::fmt::Write;

use report::terminal::{Style, name_width, short_name};
use scenario::input::{plain, rounded};

use super::data::Data;
use super::fit_options::AXES;
use super::fitted::{Fit, Parameter};
use super::observation::SCALE;
use super::profile::IntervalEnd;
use super::residual_noise::Colour;
use super::residuals::{self, Outlier};
use super::verdict::Verdict;

/// Least correlation shown, and maximum number of them.
const SHOWN: (f64, usize) = (0.5, 4);
/// Note on a solver that did not converge.
pub(super) const NOT_SETTLED: &str = "the solver did not come to its end: take these numbers for a start";
/// Maximum number of outliers listed.
const LISTED: usize = 3;

/// Text for the terminal: numbers with their errors, residuals, and the verdict on the model.
pub fn fit_report(fit: &Fit, data: &Data, style: Style) -> String {
    let mut out = String::new();
    let seen: usize = fit.axes.iter().flatten().map(|axis| axis.count).sum();
    if let Some(text) = verdict_text(fit) {
        let _ = writeln!(out, "{}", if fit.verdict.is_alarm() { style.alarm(&text) } else { style.bold(&text) });
    }
    let _ = writeln!(out, "{}", style.bold(&fit.scenario.title));
    let left_out = if data.left_out > 0 { format!(", {} left out", data.left_out) } else { String::new() };
    let rows = format!("{seen} coordinates in {} rows of {}{left_out}", data.rows.len(), data.name);
    let _ = writeln!(out, "{}", style.faint(&rows));
    if data.start != 0.0 {
        let _ = writeln!(out, "{}", style.faint(&format!("the run starts at t = {} s of the table", data.start)));
    }
    out.push('\n');
    parameters(&mut out, fit, style);
    out.push_str(&correlations(fit));
    out.push('\n');
    out.push_str(&of_rows(fit));
    if !fit.converged {
        let _ = writeln!(out, "{}", style.alarm(NOT_SETTLED));
    }
    let settings: Vec<String> = fit.settings.iter().map(|setting| format!("--set '{setting}'")).collect();
    let _ = writeln!(out, "\nto run it so: {}", settings.join(" "));
    if fit.parameters.iter().any(|p| p.key == SCALE) {
        let _ = writeln!(out, "to fit with this scale: --scale {:?}", fit.view.scale);
    }
    out
}

/// Text of the verdict, if the run differs from the measured places: by how much, and what to do.
pub(super) fn verdict_text(fit: &Fit) -> Option<String> {
    let few = !fit.outliers.is_empty() && 10 * fit.outliers.len() < fit.statistics.freedom;
    let how = match fit.noise {
        Some(_) if fit.times_noise.is_finite() => {
            format!("residuals are {:.1} times the noise of neighbouring rows", fit.times_noise)
        }
        _ => "residuals are far beyond the sigmas given".to_owned(),
    };
    let how = if residuals::is_coloured(&fit.axes) { format!("{how} and hang together") } else { how };
    let part = format!("{how}, {:.2} % of the extent", 100.0 * fit.part);
    let cause = if few && fit.huber.is_none() {
        "rows far off (below) may pull it: try --loss huber:1.345; or is it a force, a parameter, the start in --free, the origin (--origin)"
    } else {
        "is it a force, a parameter, the start or the origin (--origin) that is missing"
    };
    Some(match fit.verdict {
        Verdict::Noise => return None,
        Verdict::Scatter => format!(
            "{part}, but neighbours are as far from each other: rows are off one by one, as by clicks or times, not by a \
             motion that the model lacks\n  the intervals below count that; --loss huber:1.345 bears a few such rows"
        ),
        Verdict::Camera { terms: [scale, tilt, ..] } => format!(
            "{part}, and such as a camera makes (turned by {:.1}°, scale off by {:.1} %, perspective, lens)\n  --camera finds \
             that; without it the intervals below are too narrow",
            tilt.to_degrees(),
            100.0 * scale
        ),
        Verdict::Beyond { key, widths } => format!(
            "`{key}` is {widths:.1} times what a camera does: it stands for something that the model lacks, and the numbers below \
             mean little\n  {cause}, or the scale (--scale free)?"
        ),
        Verdict::Small => format!(
            "{part}: something small is missing, and may move the numbers below by more than their intervals say\n  {cause}, or \
             the camera (--camera)?"
        ),
        Verdict::Wrong => {
            format!("the model does not describe this table: {part}\n  the numbers below mean little; {cause}?")
        }
    })
}

/// Cells of a number: value, error, interval and remark, rounded to the digits that are known.
pub(super) fn told(fit: &Fit, j: usize) -> [String; 4] {
    let p = &fit.parameters[j];
    let shown = |value: f64| with_error(value, last_digits(p));
    let [low, high] = p.interval.map(shown);
    let (estimate, interval) = match p.ends {
        [_, IntervalEnd::Open] => (format!("≥ {low}"), format!("{low} or more")),
        [IntervalEnd::Open, _] => (format!("≤ {high}"), format!("{high} or less")),
        _ => (shown(p.estimate), format!("{low} … {high}")),
    };
    let error = if p.standard_error.is_finite() { shown(p.standard_error) } else { "-".to_owned() };
    let remark = match p.ends {
        _ if p.held => "at its bound",
        ends if ends.contains(&IntervalEnd::Open) => "(97.5 %; all beyond fits as well)",
        ends if ends.contains(&IntervalEnd::Bound) => "(to its bound)",
        ends if ends.contains(&IntervalEnd::Profile) => "(by refits)",
        _ => "",
    };
    [estimate, error, interval, remark.to_owned()]
}

fn parameters(out: &mut String, fit: &Fit, style: Style) {
    let width = name_width("parameter".len(), fit.parameters.iter().map(|p| &p.key));
    let header = format!("{:<width$}  {:<14} {:<12} {:<27}", "parameter", "estimate", "std. error", "95 % interval");
    let _ = writeln!(out, "{}", style.bold(header.trim_end()));
    for (j, p) in fit.parameters.iter().enumerate() {
        let [estimate, error, interval, remark] = told(fit, j);
        let line = format!("{:<width$}  {estimate:<14} {error:<12} {interval:<27}", short_name(&p.key));
        let remark = if p.held { style.alarm(&remark) } else { remark };
        let _ = writeln!(out, "{}", format!("{} {remark}", line.trim_end()).trim_end());
    }
}

/// Size that sets the digits shown: the standard error, a bounded interval's width, or 1 % of its only finite end.
fn last_digits(p: &Parameter) -> f64 {
    if p.standard_error.is_finite() {
        return p.standard_error;
    }
    if p.ends.contains(&IntervalEnd::Open) {
        return p.interval.iter().find(|end| end.is_finite()).map_or(0.0, |end| 1e-2 * end.abs());
    }
    let known = p.interval.iter().find(|end| end.is_finite()).map_or(0.0, |end| (end - p.estimate).abs());
    known.max(1e-3 * p.estimate.abs())
}

/// Text on the strongest correlations.
pub(super) fn correlations(fit: &Fit) -> String {
    let mut out = String::new();
    let pairs = (0..fit.parameters.len()).flat_map(|j| (0..j).map(move |k| (k, j)));
    let mut strong: Vec<(usize, usize, f64)> =
        pairs.map(|(k, j)| (k, j, fit.statistics.correlation[(j, k)])).filter(|(.., c)| c.abs() >= SHOWN.0).collect();
    strong.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()));
    for (i, (k, j, c)) in strong.iter().take(SHOWN.1).enumerate() {
        let head = if i == 0 { "correlation:" } else { "" };
        let _ = writeln!(out, "{head:<12} {c:>6.3}  {} and {}", fit.parameters[*k].key, fit.parameters[*j].key);
    }
    out
}

/// Text on the residuals and outliers.
pub(super) fn of_rows(fit: &Fit) -> String {
    let mut out = String::new();
    // All values to three digits of the total.
    let shown = |value: f64| with_error(value, 0.1 * fit.rms);
    let axes = || AXES.iter().zip(&fit.axes).filter_map(|(name, axis)| Some((name, axis.as_ref()?)));
    let _ = write!(out, "residuals: rms {} m", shown(fit.rms));
    for (name, axis) in axes() {
        let _ = write!(out, ", {name} {} m", shown(axis.rms));
    }
    let freedom = fit.statistics.freedom;
    match fit.chi_square {
        Some(chi) => {
            let far = (chi - freedom as f64) / (2.0 * freedom as f64).sqrt();
            let _ = writeln!(out, "; χ² = {chi:.1} for {freedom} degrees of freedom");
            if far.abs() > 4.0 {
                let what = match fit.noise {
                    _ if far < 0.0 => "the sigma given is too large".to_owned(),
                    Some(noise) if !fit.is_misfit() => {
                        format!("the sigma given is too small (neighbouring rows show {noise:.1} of it)")
                    }
                    _ => "the sigma given is too small, or the model is wrong".to_owned(),
                };
                let _ = writeln!(out, "  that is {:.1} standard deviations off: {what}", far.abs());
            }
        }
        None => {
            let _ = writeln!(out, "; {freedom} degrees of freedom, sigma taken from the residuals");
        }
    }
    for (name, axis) in axes() {
        let bound = format!("white noise: below {:.2} in 99.87 % of cases", axis.lag1_bound);
        let _ = writeln!(out, "correlation of neighbours in {name}: {:.2} ({bound})", axis.lag1);
    }
    if let Some(Colour { slow, length, .. }) = fit.colour.filter(|colour| colour.slow > 0.0) {
        let _ = writeln!(
            out,
            "residuals are noise and {} times as much that changes in {length:.2} s: errors and intervals count both",
            plain(rounded(slow, 2))
        );
    }
    outliers(&mut out, fit);
    out
}

fn outliers(out: &mut String, fit: &Fit) {
    if fit.outliers.is_empty() {
        return;
    }
    let count = fit.outliers.len();
    let coordinates = if count == 1 { "1 coordinate is".to_owned() } else { format!("{count} coordinates are") };
    let worst = if count > LISTED { ", worst of all" } else { "" };
    let _ = writeln!(out, "{coordinates} more than 5 standard deviations off{worst}:");
    let mut outliers: Vec<&Outlier> = fit.outliers.iter().collect();
    outliers.sort_by(|a, b| b.deviations.total_cmp(&a.deviations));
    for Outlier { line, axis, off, deviations } in outliers.into_iter().take(LISTED) {
        let (axis, off) = (AXES[*axis], with_error(*off, 0.1 * fit.rms));
        let _ = writeln!(out, "  row {line}: {axis} by {off} m ({deviations:.0} standard deviations)");
    }
    if fit.huber.is_none() && 10 * count < fit.statistics.freedom {
        let _ = writeln!(out, "  --loss huber:1.345 keeps them from pulling");
    }
}

/// The value with the digits that two digits of the error need; with a power of ten if very large or small.
pub(super) fn with_error(value: f64, error: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "-∞" }.to_owned();
    }
    let last = error.abs().log10().floor() - 1.0;
    let first = if value == 0.0 { last } else { value.abs().log10().floor() };
    // Further digits would be rounding noise.
    if !(-20.0..=20.0).contains(&last) || first - last > DIGITS {
        return plain(rounded(value, 1 + DIGITS as usize));
    }
    if value.abs() < 1e7 && last >= -DECIMALS {
        return format!("{value:.*}", (-last).max(0.0) as usize);
    }
    format!("{value:.*e}", (first - last).clamp(0.0, DIGITS) as usize)
}

/// Maximum number of digits after the first.
const DIGITS: f64 = 10.0;

/// Maximum number of decimals; beyond it a power of ten is written.
const DECIMALS: f64 = 8.0;
