//! Figures of the differences between answers and exact values.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use report::figures::{
    BLUE, Chart, Decades, Figure, GREEN, GREY, ORANGE, PURPLE, Series, Stroke, VERMILION, extent, multiples, stack,
};
use scenario::Methods;
use scenario::input::printable;

use crate::answers_file::{About, Answer, AnswerSheet};
use crate::kugelbahn_answers::exact_path;
use crate::suite::{EventSeries, ExactNumber, Judged, Suite, Task};
use crate::table::worst_of;
use crate::verdict::{CaseVerdict, judge};

/// Largest number of programs in a figure.
const PROGRAMS: usize = 5;
/// Colour of the exact path.
const LIGHT: &str = "#BBBBBB";
const COLOURS: [&str; PROGRAMS] = [BLUE, VERMILION, GREEN, PURPLE, ORANGE];

/// An entry with its verdicts, one for each sheet.
#[derive(Clone, Debug)]
pub struct JudgedEntry {
    /// The program.
    pub about: About,
    /// Its answers.
    pub sheets: Vec<AnswerSheet>,
    /// Verdicts on the answers.
    pub verdicts: Vec<CaseVerdict>,
}

impl JudgedEntry {
    /// Judges the answers of a program.
    pub fn of(suite: &Suite, about: About, sheets: Vec<AnswerSheet>) -> Self {
        let verdicts = judge(suite, &sheets);
        JudgedEntry { about, sheets, verdicts }
    }

    /// Names of its settings.
    pub fn settings(&self) -> BTreeSet<&str> {
        self.sheets.iter().map(|sheet| &*sheet.setting).collect()
    }

    /// Name and version.
    pub fn name(&self) -> String {
        [&*self.about.name, &self.about.version].join(" ").trim().to_owned()
    }
}

/// An answer that is drawn.
struct DrawnAnswer<'a> {
    name: String,
    colour: &'static str,
    sheet: &'a AnswerSheet,
}

/// Answers of an entry to a task with their verdicts.
fn to_task(entry: &JudgedEntry, task: usize) -> impl Iterator<Item = (&AnswerSheet, &CaseVerdict)> {
    entry.sheets.iter().zip(&entry.verdicts).filter(move |(sheet, _)| sheet.task == task)
}

/// Chooses answers to a case, as many as can be told apart: wrong ones first, each program once before any comes again;
/// also how many are left out.
fn chosen(entries: &[JudgedEntry], task: usize) -> (Vec<DrawnAnswer<'_>>, usize) {
    let mut found = Vec::new();
    for entry in entries {
        let mut here: Vec<_> = to_task(entry, task).filter(|(_, verdict)| verdict.tells()).collect();
        here.sort_by_key(|(_, verdict)| !verdict.is_wrong());
        found.extend(here.into_iter().enumerate().map(|(place, (sheet, verdict))| {
            let name = printable(&format!("{}, {}", entry.name(), sheet.setting)).into_owned();
            ((!verdict.is_wrong(), place), name, sheet)
        }));
    }
    found.sort_by_key(|(order, ..)| *order);
    let left = found.len().saturating_sub(PROGRAMS);
    let drawn = found.into_iter().zip(COLOURS);
    (drawn.map(|((_, name, sheet), colour)| DrawnAnswer { name, colour, sheet }).collect(), left)
}

/// Figures by the names of their files: for each case with a wrong answer, and comparisons of several programs or
/// settings.
pub fn figures(suite: &Suite, entries: &[JudgedEntry], methods: &Arc<Methods>) -> Vec<(String, Figure)> {
    let mut figures = Vec::new();
    for (place, task) in suite.tasks.iter().enumerate() {
        if entries.iter().any(|entry| to_task(entry, place).any(|(_, verdict)| verdict.is_wrong())) {
            let (told, left) = chosen(entries, place);
            let note = if left == 0 { String::new() } else { format!("{left} more answers are not drawn.") };
            let figure = case_figure(task, &exact_path(task, methods), &told);
            figures.push((figure_name(&task.name), figure.with_note(&note)));
        }
    }
    match entries {
        [entry] if entry.settings().len() > PROGRAMS => {
            figures.push(("settings".to_owned(), settings_figure(suite, entry, methods)));
        }
        [_, _, ..] => figures.push(("programs".to_owned(), programs_figure(suite, entries, methods))),
        _ => {}
    }
    figures
}

/// Name of the figure of a case.
pub fn figure_name(task: &str) -> String {
    format!("case-{task}")
}

fn case_figure(task: &Task, path: &[(f64, f64)], told: &[DrawnAnswer]) -> Figure {
    let mut charts = vec![heights(task, path, told)];
    for (place, series) in task.series.iter().enumerate() {
        charts.push(events(place, series, told));
        // The error of a single event is in the table.
        charts.extend((series.times.len() > 1).then(|| errors(place, series, told)));
    }
    charts.push(states(task, told));
    stack(&format!("Case {}", task.name), charts)
}

/// Heights over time; of a ball that falls as much as the range of the exact path and some room below it shows.
fn heights(task: &Task, path: &[(f64, f64)], told: &[DrawnAnswer]) -> Chart {
    let drawn = task.drawn_coordinate();
    let places = |value: &dyn Fn(usize, f64) -> Option<f64>| -> Vec<(f64, f64)> {
        let asked = task.exact.iter().enumerate().filter(|(_, exact)| exact.quantity == drawn);
        asked.filter_map(|(place, exact)| Some((*task.times.get(&exact.index)?, value(place, exact.value)?))).collect()
    };
    let exact = places(&|_, exact| Some(exact));
    let [left, right, low, high] = extent(path.iter().chain(&exact).copied());
    let mut series = vec![
        Series::new("exact", GREY, path.to_vec()).drawn(Stroke::Wide),
        Series::new("exact", GREY, exact).drawn(Stroke::Hollow),
    ];
    for DrawnAnswer { name, colour, sheet } in told {
        let given = |place: usize, _| sheet.values[place].number();
        series.push(Series::new(name, colour, sheet.path.clone()));
        series.push(Series::new(name, colour, places(&given)).drawn(Stroke::Dots));
    }
    series.retain(|line| !line.points.is_empty());
    let room = 0.3 * (high - low).max(f64::MIN_POSITIVE);
    let extent = (left < right).then_some([left, right, low - room, high + 0.3 * room]);
    Chart { extent, ..Chart::new("", "t [s]", &format!("{drawn} [m]"), series) }
}

/// Numbers of events over time, with those that are missed and those that are invented.
fn events(place: usize, series: &EventSeries, told: &[DrawnAnswer]) -> Chart {
    let numbered = |(number, time): (usize, &f64)| (*time, 1.0 + number as f64);
    let exact: Vec<(f64, f64)> = series.times.iter().enumerate().map(numbered).collect();
    let mut lines = vec![Series::new("exact", GREY, exact.clone()).drawn(Stroke::Specks)];
    for DrawnAnswer { name, colour, sheet } in told {
        let heard = &sheet.series[place];
        let missed = exact.iter().zip(&heard.times).filter(|(_, told)| told.is_none() && heard.given == Some(true));
        let missed = missed.map(|(at, _)| *at).collect();
        lines.push(Series::new(format!("{name}: missed"), colour, missed).drawn(Stroke::Hollow));
        let invented = |time: &f64| (*time, 0.5 + series.times.partition_point(|exact| exact < time) as f64);
        let strays = heard.strays.iter().map(invented).collect();
        lines.push(Series::new(format!("{name}: invented"), colour, strays).drawn(Stroke::Crosses));
    }
    lines.retain(|line| !line.points.is_empty());
    // Exact events alone are not drawn.
    let lines = if lines.len() > 1 { lines } else { Vec::new() };
    Chart::new("", "t [s]", &format!("number of {}", series.quantity), lines)
}

/// Errors of the times of events.
fn errors(place: usize, series: &EventSeries, told: &[DrawnAnswer]) -> Chart {
    let line = |DrawnAnswer { name, colour, sheet, .. }: &DrawnAnswer| {
        let pairs = series.times.iter().zip(&sheet.series[place].times).enumerate();
        let error = |(number, (exact, told)): (usize, (&f64, &Option<f64>))| {
            Some((1.0 + number as f64, (told.as_ref()? - exact).abs()))
        };
        Series::new(name, colour, pairs.filter_map(error).collect()).marked(Vec::new())
    };
    let y = format!("error of {} [s]", series.quantity);
    Chart::new("", &format!("number of {}", series.quantity), &y, told.iter().map(line).collect()).decades(Decades::Y)
}

/// Largest errors of all that is asked at each time, or with each index where other numbers are asked.
fn states(task: &Task, told: &[DrawnAnswer]) -> Chart {
    let numbers = || task.exact.iter().filter(|exact| exact.kind == Judged::Number).map(|exact| exact.index);
    let indices: BTreeMap<u32, f64> = numbers().map(|index| (index, f64::from(index))).collect();
    let (places, x) = if indices.is_empty() { (&task.times, "t [s]") } else { (&indices, "index") };
    let line = |DrawnAnswer { name, colour, sheet, .. }: &DrawnAnswer| {
        let at = |(index, place): (&u32, &f64)| {
            let here = task.exact.iter().zip(&sheet.values).filter(|(exact, _)| exact.index == *index);
            let error = |(exact, answer): (&ExactNumber, &Answer)| Some((answer.number()? - exact.value).abs());
            Some((*place, here.filter_map(error).reduce(f64::max)?))
        };
        Series::new(name, colour, places.iter().filter_map(at).collect()).marked(Vec::new())
    };
    Chart::new("", x, "largest error, SI units", told.iter().map(line).collect()).decades(Decades::Y)
}

/// Largest error of the coordinate that is drawn, m; infinite where it is not told.
fn apart(task: &Task, sheet: &AnswerSheet) -> f64 {
    let rows = task.exact.iter().zip(&sheet.values).filter(|(exact, _)| exact.quantity == task.drawn_coordinate());
    let error = |(exact, answer): (&ExactNumber, &Answer)| {
        answer.number().filter(|value| value.is_finite()).map_or(f64::INFINITY, |value| (value - exact.value).abs())
    };
    rows.map(error).fold(0.0, f64::max)
}

/// Cases of bounces that accumulate, falling and rolling, and how many programs are drawn in each.
const PICTURED: [(&str, &str, usize); 3] = [("1", "Zeno", 8), ("9", "falling", 4), ("7", "rolling", 4)];

/// Paths of the programs that are most wrong beside the exact one, a chart for each.
fn programs_figure(suite: &Suite, entries: &[JudgedEntry], methods: &Arc<Methods>) -> Figure {
    let mut charts = Vec::new();
    for (name, what, most) in PICTURED {
        let Some((place, task)) = suite.find(name) else { continue };
        let path = exact_path(task, methods);
        let best = |entry: &JudgedEntry| {
            let told = to_task(entry, place).filter(|(sheet, _)| !sheet.path.is_empty());
            let told = told.map(|(sheet, of)| (apart(task, sheet), sheet.clone(), worst_of(&[of], task.asked())));
            told.min_by(|a, b| a.0.total_cmp(&b.0))
        };
        let mut found: Vec<_> =
            entries.iter().filter_map(|entry| Some((printable(&entry.about.name), best(entry)?))).collect();
        found.sort_by(|a, b| b.1.0.total_cmp(&a.1.0));
        for (name, (_, sheet, worst)) in found.iter().take(most) {
            let chart = heights(task, &path, &[DrawnAnswer { name: String::new(), colour: VERMILION, sheet }]);
            let (title, y) = (format!("{name}: {worst}"), format!("{what}, {}", chart.y));
            charts.push(Chart { title, y, ..chart });
        }
    }
    multiples("How programs go wrong where bounces accumulate, in falling and in rolling", charts)
}

/// Heights by all settings of a program, a row for each, its verdict beside it.
fn settings_figure(suite: &Suite, entry: &JudgedEntry, methods: &Arc<Methods>) -> Figure {
    let chart = |(name, what, _): (&str, &str, usize)| {
        let (place, task) = suite.find(name)?;
        let path = exact_path(task, methods);
        let [_, right, low, high] = extent(path.iter().copied());
        let (count, mut series) = (to_task(entry, place).count(), Vec::new());
        for (row, (sheet, verdict)) in to_task(entry, place).enumerate() {
            let foot = (count - row) as f64;
            let lifted = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
                let placed = points.iter().map(|(time, y)| (*time, foot + 0.8 * (y - low) / (high - low)));
                placed.filter(|(time, y)| *time <= right && (foot - 0.4..foot + 1.2).contains(y)).collect()
            };
            // A method's setting is METHOD[:FORMULATION] at STEP, told by the last name.
            let method = sheet.setting.split_once(" at ").map(|(method, _)| method.rsplit(':').next());
            let method = method.flatten().unwrap_or(&sheet.setting);
            let named = format!("{}: {}", printable(method), worst_of(&[verdict], task.asked()));
            series.push(Series::new(named, LIGHT, lifted(&path)).drawn(Stroke::Wide));
            series.push(Series::new("", VERMILION, lifted(&sheet.path)));
        }
        Some(Chart::new(&format!("{what}: case {name}"), "t [s]", "", series))
    };
    let charts = PICTURED.into_iter().filter_map(chart).collect();
    let title = format!("{}: height over time, the exact one grey", printable(&entry.name()));
    stack(&title, charts).with_note(
        "−2 +1: two events missed, one invented. A number: the largest error, SI units. n/a: not applicable. 3/9: so many are told.",
    )
}
