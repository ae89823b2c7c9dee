//! `kugelbahn fit`

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use kugelbahn::fit::{
    FIT_FILES, FitError, FitPlan, Reading, View, fit, fit_figure, fit_html, fit_json, fit_report, load, residuals_csv,
    units_hint,
};
use kugelbahn::input::InputError;
use kugelbahn::output::{Folder, write_with};
use kugelbahn::scenario::{Document, Methods};
use kugelbahn::unknowns::Unknowns;

use crate::console::{CommandFailure, Throttle, say, warn};
use crate::figures::FigureArgs;

/// The arguments of `fit`.
#[derive(Args)]
pub struct FitArgs {
    /// A table of t, x, y: CSV, or an export of Tracker
    data: PathBuf,
    /// The scenario file (TOML)
    scenario: PathBuf,
    /// Numbers of the scenario to find: KEY[=LOW..HIGH],… e.g. contact.restitution,initial.velocity.y=-1..1
    #[arg(long, value_name = "LIST", required = true)]
    free: Vec<String>,
    /// Set a value of the scenario, e.g. contact.friction=0.2 (repeatable)
    #[arg(long = "set", visible_alias = "fixed", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Standard deviation of a place: a number in the unit of the table, or the name of a column
    #[arg(long, value_name = "S|COLUMN", allow_hyphen_values = true)]
    sigma: Option<String>,
    /// Metres per unit of the table: a number, `free`, or `free:START`
    #[arg(long, value_name = "S|free[:START]")]
    scale: Option<String>,
    /// Also find the distortion by the camera, up to a few per cent: scale, tilt, perspective, lens, shift
    #[arg(long)]
    camera: bool,
    /// Where the scenario's origin is in the table, in its unit
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    origin: Option<String>,
    /// y counts downwards in the table, as pixels do
    #[arg(long)]
    y_down: bool,
    /// Unit of places without one in the header: m, mm, cm, in, ft, px, …
    #[arg(long, value_name = "UNIT")]
    unit: Option<String>,
    /// Columns of time, x and y: names or numbers from 1, - for none
    #[arg(long, value_name = "T,X,Y", allow_hyphen_values = true)]
    columns: Option<String>,
    /// Frames per second, where times are numbers of frames
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    fps: Option<f64>,
    /// Time of the table at which the scenario starts, s (default: the first row with a place)
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    start: Option<f64>,
    /// Time of the table at which it ends, s (default: the last row)
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    end: Option<f64>,
    /// The ball of a table with a column of tracks
    #[arg(long, value_name = "NAME")]
    track: Option<String>,
    /// Keep rows of frames shown twice, missing frames and jumps of the tracker as they are
    #[arg(long)]
    every_row: bool,
    /// `squares`, or `huber:K`: beyond K standard deviations a row pulls no harder
    #[arg(long, value_name = "LOSS", default_value = "squares")]
    loss: String,
    /// Write fit.json, residuals.csv, fit.svg and report.html to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    drawn: FigureArgs,
    /// Write report.html alone, to this file: the run found, moving among the places seen
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print fit.json instead of the report
    #[arg(long)]
    json: bool,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
}

fn refused(option: &str, text: &str, help: &str) -> CommandFailure {
    InputError::without_place(format!("{option} {text} is not allowed")).with_help(help).into()
}

/// Metres per unit, and its start value if the fit finds it; `Some(None)`: found from a suggested start.
type Scale = (f64, Option<Option<f64>>);

impl FitArgs {
    fn scale(&self) -> Result<Scale, CommandFailure> {
        let Some(text) = self.scale.as_deref() else { return Ok((1.0, None)) };
        let number = |number: &str| {
            let value = number.parse::<f64>().ok().filter(|value| *value > 0.0 && value.is_finite());
            value.ok_or_else(|| refused("--scale", text, "give metres per unit of the table, `free` or `free:START`"))
        };
        Ok(match text.split_once(':') {
            Some(("free", start)) => (1.0, Some(Some(number(start)?))),
            None if text == "free" => (1.0, Some(None)),
            _ => (number(text)?, None),
        })
    }

    /// Refuses a given number that is not finite, or not allowed.
    fn number(
        option: &str,
        value: Option<f64>,
        allowed: fn(f64) -> bool,
        help: &str,
    ) -> Result<Option<f64>, CommandFailure> {
        match value {
            Some(value) if !(value.is_finite() && allowed(value)) => Err(refused(option, &value.to_string(), help)),
            value => Ok(value),
        }
    }

    fn origin(&self) -> Result<[f64; 2], CommandFailure> {
        let Some(text) = self.origin.as_deref() else { return Ok([0.0; 2]) };
        let numbers: Vec<f64> =
            text.split(',').filter_map(|part| part.trim().parse().ok()).filter(|x: &f64| x.is_finite()).collect();
        match numbers.as_slice() {
            [x, y] if text.split(',').count() == 2 => Ok([*x, *y]),
            _ => Err(refused("--origin", text, "give two numbers: --origin 640,700")),
        }
    }

    fn huber(&self) -> Result<Option<f64>, CommandFailure> {
        if self.loss == "squares" {
            return Ok(None);
        }
        let k = self.loss.strip_prefix("huber:").and_then(|k| k.parse::<f64>().ok());
        let help = "give squares, or huber:K with K in standard deviations: huber:1.345";
        k.filter(|k| *k > 0.0 && k.is_finite()).map(Some).ok_or_else(|| refused("--loss", &self.loss, help))
    }
}

/// `kugelbahn fit`
pub fn run_fit(args: &FitArgs, methods: &Arc<Methods>) -> Result<(), CommandFailure> {
    let ((scale, free_scale), origin, huber) = (args.scale()?, args.origin()?, args.huber()?);
    let reading = Reading {
        columns: args.columns.as_deref(),
        sigma: args.sigma.as_deref(),
        unit: args.unit.as_deref(),
        start: FitArgs::number("--start", args.start, |_| true, "give a time of the table in s")?,
        end: FitArgs::number("--end", args.end, |_| true, "give a time of the table in s")?,
        track: args.track.as_deref(),
        // Huber's loss bears rows that are far off.
        every_row: args.every_row || huber.is_some(),
        fps: FitArgs::number("--fps", args.fps, |fps| fps > 0.0, "give the film's frames per second: --fps 120")?,
    };
    args.drawn.ready()?;
    let mut data = load(&args.data, &reading)?;
    let unknowns = Unknowns::of(Document::load(&args.scenario, &args.settings, methods)?, &args.free.join(","))?;
    let folder = args.out.as_deref().map(|path| Folder::open(path, &FIT_FILES)).transpose()?;
    let pace = Throttle::new(args.quiet, "{msg}");
    let progress =
        |runs: u64| pace.show(|bar, s| bar.set_message(format!("{runs} runs held against the table, {s} s")));
    let plan = FitPlan {
        view: View { scale, origin, down: args.y_down },
        scale: free_scale,
        camera: args.camera,
        huber,
        progress: &progress,
    };
    data.hints.extend(units_hint(&unknowns, &data, &plan));
    if !args.quiet {
        data.hints.iter().for_each(|hint| warn(&format!("note: {hint}\n")));
    }
    let fitted = fit(&unknowns, &data, &plan);
    pace.bar.finish_and_clear();
    let fitted = fitted.map_err(|error| match error {
        FitError::Input(error) => CommandFailure::Input(error),
        FitError::Run(_) => {
            warn(&format!("stopped: {error}\n"));
            CommandFailure::Stopped
        }
    })?;
    let page = if args.out.is_some() || args.html.is_some() { fit_html(&fitted, &data)? } else { String::new() };
    if let Some(folder) = &folder {
        folder.replace(FIT_FILES[0], fit_json(&fitted, &data))?;
        folder.replace(FIT_FILES[1], residuals_csv(&fitted, &data))?;
        folder.replace(FIT_FILES[2], &page)?;
        args.drawn.write(folder, &[("fit", fit_figure(&fitted, &data))])?;
    }
    args.html.as_ref().map_or(Ok(()), |file| write_with(folder.as_ref(), file, &page))?;
    folder.as_ref().map_or(Ok(()), Folder::commit)?;
    say(args.json, args.quiet, || fit_json(&fitted, &data), |style| fit_report(&fitted, &data, style))?;
    Ok(())
}
