//! Makes `report.html`: a run in one self-contained file. The page's own sources are in `page/`; its data are made
//! here.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod chebyshev;
mod film;
mod ground;
mod pack;
mod path;
mod rows;
mod study_page;

use scenario::Scenario;
use serde_json::Value;

use crate::Outcome;
use crate::figures;
use crate::figures::Figure;
use crate::output::Recorder;
use crate::terminal::{Style, report};

pub use film::PageFilm;
pub use study_page::{Look, Panel, PanelCurve, Sheet, SortableTable};

/// Sources of the page's modules, in the order of their imports.
macro_rules! modules {
    ($($name:literal)*) => { [$(include_str!(concat!("../../page/", $name, ".js"))),*] };
}
const MODULES: [&str; 25] = modules! {
    "files" "words" "format" "look" "quantities" "chart" "data" "motion" "camera"
    "ground" "events" "scene" "graphs" "tables" "study" "player" "compiled" "engine"
    "naive" "hud" "lens" "strip" "keep" "live" "main"
};

/// The page of a run; `record` must have been made [`with_film`](Recorder::with_film).
pub fn html(scenario: &Scenario, outcome: &Outcome, record: &Recorder) -> String {
    made(scenario, outcome, record, &Value::Null)
}

/// The page of a run with a simulation engine; `live`: its description for `page/live.js`.
pub fn live(scenario: &Scenario, outcome: &Outcome, record: &Recorder, live: &Value) -> String {
    made(scenario, outcome, record, live)
}

/// Only the data of such a page, uncompressed, which is faster over the loopback.
pub fn data(scenario: &Scenario, outcome: &Outcome, record: &Recorder, live: &Value) -> Vec<u8> {
    record.film.as_ref().map(|film| film.packed(scenario, outcome, record, live)).unwrap_or_default()
}

fn made(scenario: &Scenario, outcome: &Outcome, record: &Recorder, live: &Value) -> String {
    let [title, data, still] = carried(scenario, outcome, record, live);
    page(&title, &data, &still, if live.is_null() { "'none'" } else { "'self'" }, "")
}

/// The page without a run, which simulates by itself: with the engine (WebAssembly, LZMA, base64) and the scenes of
/// its gallery.
pub fn whole(engine: &str, scenes: &Value) -> String {
    let title = scenes[0]["title"].as_str().unwrap_or_default();
    // Escaped, so that no text closes the script element.
    let scenes = scenes.to_string().replace('<', "\\u003c");
    let engine = format!(
        r#"<script type="text/plain" id="engine">{engine}</script>
<script type="application/json" id="scenes">{scenes}</script>"#
    );
    page(title, "", "<p>Without JavaScript this page shows nothing.</p>", "'none'", &engine)
}

/// Parts of a run's page: title, data (base64), and pictures and text for browsers without scripts.
pub fn carried(scenario: &Scenario, outcome: &Outcome, record: &Recorder, live: &Value) -> [String; 3] {
    [
        scenario.title.clone(),
        pack::letters(&data(scenario, outcome, record, live)),
        format!(
            "{STILL}{}<pre>{}</pre>",
            record.figures().each_ref().map(Figure::svg).concat(),
            escaped(&report(scenario, outcome, record, Style { colour: false }))
        ),
    ]
}

/// Sentence shown in browsers without scripts.
const STILL: &str = "<p>Without JavaScript this page shows still pictures and numbers.</p>";

/// Assembles the page.
fn page(title: &str, data: &str, still: &str, connect: &str, engine: &str) -> String {
    let parts = [
        ("TITLE", escaped(title)),
        ("STYLE", include_str!("../../page/page.css").to_owned()),
        ("CONNECT", connect.to_owned()),
        ("STILL", still.to_owned()),
        ("DATA", data.to_owned()),
        ("ENGINE", engine.to_owned()),
        ("MODULES", modules()),
    ];
    let mut out = String::new();
    let mut rest = include_str!("../../page/page.html");
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        out.push_str(before);
        out.push_str(parts.iter().find(|(part, _)| *part == name).map_or("", |(_, text)| text));
        rest = after;
    }
    out + rest
}

/// Joins all modules: drops `import` lines, the word `export` (names are unique) and full-line comments.
fn modules() -> String {
    let mut inside = false;
    let line = |line: &'static str| {
        let begun = line.trim_start();
        let code = match begun.split_once("*/") {
            Some((_, code)) if inside || begun.starts_with("/**") => code.trim_start(),
            None if inside || begun.starts_with("/**") || begun.starts_with("//") => "",
            _ => line,
        };
        inside = (inside || begun.starts_with("/**")) && !begun.contains("*/");
        match code.strip_prefix("export ") {
            Some(exported) => exported,
            None if code.starts_with("import ") => "",
            None => code,
        }
    };
    let lines = MODULES.iter().flat_map(|module| module.lines()).map(line);
    lines.filter(|line| !line.is_empty()).flat_map(|line| [line, "\n"]).collect()
}

fn escaped(text: &str) -> String {
    figures::escaped(text).replace('"', "&quot;")
}
