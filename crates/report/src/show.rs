//! `kugelbahn curves`: lists the ground profiles, and shows one with facts and drawing.

mod drawing;
mod facts;

use std::fmt::{Display, Formatter, Write};
use std::path::{Path, PathBuf};

use scenario::Methods;
use scenario::curve::{Curve, load_curve};
use scenario::input::{InputError, builtin_names, builtin_path, counted, did_you_mean, one_line, paths_in, short};

pub use drawing::drawing;
pub use facts::{Facts, FoundRange, Repeats, samples_of_a_piece};

use crate::figures::{self, Figure, GREY, Series, ground_chart, stack};
use crate::terminal::{Style, name_width, short_name};

/// Name of the folder with the profiles.
const FOLDER: &str = "curves";

/// Place of the profiles.
#[derive(Clone, Debug, PartialEq)]
pub enum Profiles {
    /// Profiles of a folder.
    Folder(PathBuf),
    /// Built in.
    BuiltIn,
}

impl Profiles {
    /// Finds the profiles: in the given folder, else in `curves/` here or in a folder above, else built in.
    pub fn find(given: Option<&Path>) -> Result<Self, InputError> {
        if let Some(folder) = given {
            return match folder.is_dir() {
                true => Ok(Profiles::Folder(folder.to_owned())),
                false => Err(InputError::without_place(format!("there is no folder {}", folder.display()))
                    .with_help("give the folder that holds the curve files with --folder DIR")),
            };
        }
        let here = std::env::current_dir().unwrap_or_default();
        let found = here.ancestors().map(|folder| folder.join(FOLDER)).find(|folder| folder.is_dir());
        Ok(found.map_or(Profiles::BuiltIn, Profiles::Folder))
    }

    /// Names and curve files, in alphabetical order.
    fn files(&self) -> Result<Vec<(String, PathBuf)>, InputError> {
        let Profiles::Folder(folder) = self else {
            return Ok(builtin_names().filter_map(|name| Some((name.to_owned(), builtin_path(name)?))).collect());
        };
        let paths = paths_in(folder).map_err(|error| {
            InputError::without_place(format!("can't read the folder {}: {error}", folder.display()))
        })?;
        let mut found: Vec<(String, PathBuf)> = paths
            .into_iter()
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
            .filter(|path| path.metadata().map_or(true, |found| found.is_file()))
            .filter_map(|path| Some((path.file_stem()?.to_string_lossy().into_owned(), path)))
            .collect();
        found.sort();
        Ok(found)
    }
}

impl Display for Profiles {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Profiles::Folder(folder) => write!(f, "in {}", folder.display()),
            Profiles::BuiltIn => f.write_str("built in"),
        }
    }
}

/// Table of all profiles; an invalid one is listed with its error.
pub fn list(place: &Profiles, style: Style) -> Result<String, InputError> {
    let profiles = place.files()?;
    let mut out = String::new();
    if profiles.is_empty() {
        let _ = writeln!(out, "no curve files (*.toml) {place}");
        return Ok(out);
    }
    let width = name_width(4, profiles.iter().map(|(name, _)| name));
    let header = format!(
        "{:<width$}  {:<16}  {:>10}  {:>13}  {:<18}  title",
        "name", "kind", "length [m]", "valley r. [m]", "corners"
    );
    let _ = writeln!(out, "{}", style.bold(&header));
    for (name, path) in &profiles {
        let name = short_name(name);
        match load_curve(path, &Methods::builtin()) {
            Ok(curve) => {
                let facts = Facts::of(&curve.ground);
                let length = if facts.is_whole() { short(facts.length) } else { "infinite".to_owned() };
                let _ = writeln!(
                    out,
                    "{name:<width$}  {:<16}  {length:>10}  {:>13}  {:<18}  {}",
                    curve.info.kind,
                    facts.valley_radius().map_or("none".to_owned(), short),
                    facts.corners(),
                    one_line(&curve.info.title)
                );
            }
            Err(error) => {
                let place = error.span().map_or(String::new(), |span| format!(" (line {})", span.position().row));
                let _ = writeln!(out, "{name:<width$}  {}{place}", style.alarm(&format!("broken: {error}")));
            }
        }
    }
    let note = format!(
        "\n{} {place}. Valley r.: radius of the narrowest valley, the largest ball that fits;\n\
         0 at a corner that every ball touches twice. kugelbahn curves show NAME --svg FILE draws one.",
        counted(profiles.len() as u64, "profile"),
    );
    let _ = writeln!(out, "{}", style.faint(&note));
    Ok(out)
}

/// Loads a profile by its name in the folder, or by the path of its file.
pub fn find(name: &str, folder: Option<&Path>) -> Result<Curve, InputError> {
    let as_path = Path::new(name);
    if as_path.extension().is_some_and(|extension| extension == "toml") || as_path.is_file() {
        return load_curve(as_path, &Methods::builtin());
    }
    let place = Profiles::find(folder)?;
    let profiles = place.files()?;
    if let Some((_, path)) = profiles.iter().find(|(known, _)| known == name) {
        return load_curve(path, &Methods::builtin());
    }
    let known: Vec<&str> = profiles.iter().map(|(known, _)| known.as_str()).collect();
    let error = InputError::without_place(format!("there is no profile `{name}` {place}"));
    Err(error.with_help(match did_you_mean(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? (there are {})", known.join(", ")),
        None if known.is_empty() => "the folder holds no curve files; choose another one with --folder DIR".to_owned(),
        None => format!("there are {}", known.join(", ")),
    }))
}

/// Text on a profile: title, kind, parameters, notes, and a table of facts.
pub fn show(curve: &Curve, style: Style) -> String {
    let facts = Facts::of(&curve.ground);
    let mut out = String::new();
    let _ = writeln!(out, "{}", style.bold(&one_line(&curve.info.title)));
    let values: Vec<String> =
        curve.info.parameters.iter().map(|(name, value)| format!("{name} = {}", short(*value))).collect();
    let with = if values.is_empty() { String::new() } else { format!(" with {}", values.join(", ")) };
    let _ = writeln!(out, "{}\n", style.faint(&wrapped(&format!("{}{with}", curve.info.kind), 84)));
    for note in &curve.info.notes {
        let _ = writeln!(out, "{note}\n");
    }
    table(&mut out, curve, &facts, style);
    out
}

/// Adds the facts of a ground, one per line.
pub fn table(out: &mut String, curve: &Curve, facts: &Facts, style: Style) {
    let rows = facts.rows(&curve.ground, &curve.info.kind);
    let width = rows.iter().map(|(_, value, _)| value.chars().count()).max().unwrap_or(0).min(44);
    for (name, value, how) in rows {
        let line = format!("{name:<23} {value:<width$}  {}", style.faint(&how));
        let _ = writeln!(out, "{}", if how.is_empty() { format!("{name:<23} {value}") } else { line });
    }
}

/// Bounding box of lines: left, right, low, high; `None` without a finite point.
pub fn extent(lines: &[Vec<(f64, f64)>]) -> Option<[f64; 4]> {
    let [left, right, low, high] =
        figures::extent(lines.iter().flatten().copied().filter(|(x, y)| x.is_finite() && y.is_finite()));
    // Values within rounding of zero are zero.
    let grain = 4.0 * f64::EPSILON * (right - left).max(high - low);
    (left <= right).then_some([left, right, low, high].map(|end| if end.abs() <= grain { 0.0 } else { end }))
}

/// Drawing of a profile as a figure.
pub fn show_figure(curve: &Curve) -> Figure {
    let facts = Facts::of(&curve.ground);
    let lines = facts.lines(&curve.ground);
    let Some([left, right, low, high]) = extent(&lines) else { return stack(&curve.info.title, Vec::new()) };
    let margin = 0.03 * (right - left).max(high - low);
    // Keeps flat ground off the axis.
    let above = margin.max(0.05 * (right - left));
    let series = lines.into_iter().map(|line| Series::new("", GREY, line)).collect();
    ground_chart(&curve.info.title, series, [left - margin, right + margin, low - above, high + above]).figure()
}

/// Breaks `text` at commas into lines of at most `width` characters, where possible.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(", ") {
        let line = lines.last_mut().filter(|line| line.chars().count() + word.chars().count() + 2 <= width);
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => line.push_str(&format!(", {word}")),
            None => lines.push(format!("  {word}")),
        }
    }
    lines.join(",\n")
}
