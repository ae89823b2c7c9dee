//! What any text and any file may be given to: the mutations here and the targets in `fuzz/` end in these functions.

use std::path::Path;
use std::sync::LazyLock;

use judge::Suite;
use kugelbahn::curve::curve_from_text;
use kugelbahn::output::{Recorder, summary_json};
use kugelbahn::show::show;
use kugelbahn::supervisor::Summary;
use kugelbahn::terminal::{Style, report};
use kugelbahn::{Outcome, Scenario};

/// Events and steps of a run.
const LIMIT: &str = "solver.limit=300";

/// What a run may use in all: the last search for a contact ends by its own budget, after the limit is passed. On hills
/// a few micrometres apart it takes as much as 5400 steps.
const MOST_WORK: u64 = 10_000;

/// Reads text as a scenario and, if it is one, runs it for a little; whether it was one.
pub fn scenario(text: &str, base: &Path) -> bool {
    let settings = [LIMIT.to_owned(), "output.interval=inf".to_owned()];
    let read = Scenario::from_text(text, base, &settings[..1]);
    let scenario = match read {
        Ok(scenario) => scenario,
        Err(error) => {
            rendered(&error);
            return false;
        }
    };
    // Rows are bounded by the input's own rule; here they only cost time.
    let scenario = if scenario.interval < scenario.solver.duration / 1e4 {
        match Scenario::from_text(text, base, &settings) {
            Ok(scenario) => scenario,
            Err(_) => scenario,
        }
    } else {
        scenario
    };
    let Ok(record) = Recorder::new(&scenario, None, Box::new(|_| ())) else { return true };
    let mut record = if scenario.stepping.is_some() { record.with_film() } else { record };
    let Ok(outcome) = record.run() else { return true };
    let work = match &outcome {
        Outcome::Steps(summary) => summary.count.steps,
        Outcome::Events(Summary { count, .. }) => {
            let search = (count.search.evaluations + count.search.enclosures) / 256;
            count.events + count.flight.steps + count.contact.steps + search
        }
    };
    assert!(work <= MOST_WORK, "{work} events and steps:\n{text}");
    assert!(!report(&scenario, &outcome, &record, Style { colour: false }).is_empty());
    assert!(serde_json::from_str::<serde_json::Value>(&summary_json(&scenario, &outcome, &record)).is_ok());
    if scenario.stepping.is_some() {
        record.figures();
    }
    true
}

/// Reads text as a curve and, if it is one, shows it; whether it was one.
pub fn curve(text: &str, base: &Path) -> bool {
    match curve_from_text(text, base) {
        Ok(curve) => {
            assert!(!show(&curve, Style { colour: false }).is_empty());
            true
        }
        Err(error) => {
            rendered(&error);
            false
        }
    }
}

/// Readers of files that are no scenario and no curve, by the folder of `fuzz/corpus` that has examples of theirs.
pub const READERS: [&str; 7] = ["svg", "gpx", "curve-table", "film", "runs", "formula", "answers"];

static CASES: LazyLock<Option<Suite>> = LazyLock::new(|| Suite::built_in().ok());

/// Reads bytes as a file of a kind and, if they are one, goes on with what they say; whether they are one.
pub fn file(reader: &str, bytes: &[u8], folder: &Path) -> bool {
    let path = folder.join("input");
    if std::fs::write(&path, bytes).is_err() {
        return false;
    }
    match reader {
        "svg" => {
            let named = folder.join("input.svg");
            if std::fs::rename(&path, &named).is_err() {
                return false;
            }
            if let Some(drawing) = kugelbahn::show::drawing(&named, Style { colour: false }) {
                let _ = drawing.map_err(|error| rendered(&error));
            }
            curve("kind = \"svg\"\nfile = \"input.svg\"\n", folder)
        }
        "gpx" => curve("kind = \"gpx\"\nfile = \"input\"\nas = \"polyline\"\n", folder),
        "curve-table" => curve("kind = \"csv\"\nfile = \"input\"\nas = \"polyline\"\n", folder),
        "film" => {
            kugelbahn::fit::load(&path, &kugelbahn::fit::Reading::default()).map_err(|error| rendered(&error)).is_ok()
        }
        "answers" => {
            let Some(cases) = &*CASES else { return false };
            let _ = judge::read_about(&String::from_utf8_lossy(bytes));
            let sheets = judge::read_sheets(cases, bytes);
            sheets.is_ok_and(|sheets| !judge::table(cases, &judge::judge(cases, &sheets), None).is_empty())
        }
        "runs" => kugelbahn::sweep::plan::PlanRows::load(&path, "".as_ref()).map_err(|error| rendered(&error)).is_ok(),
        _ => {
            let line = String::from_utf8_lossy(bytes).replace(['\n', '\r', '\''], " ");
            curve(&format!("kind = 'graph'\ny = '{line}'\ndomain = [-2, 2]\n"), folder)
        }
    }
}

/// The message with its marks, as the command line draws it.
fn rendered(error: &kugelbahn::input::InputError) {
    let mut text = String::new();
    let theme = miette::GraphicalTheme::unicode_nocolor();
    let drawn = miette::GraphicalReportHandler::new_themed(theme).render_report(&mut text, error);
    assert!(drawn.is_ok() && !text.is_empty(), "{error}");
}
