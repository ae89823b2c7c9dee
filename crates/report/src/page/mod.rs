//! Makes `report.html`: a run in one self-contained file. The page's sources are in `page/`; its data are made here.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod chebyshev;
mod film;
mod fitted_path;
mod ground;
mod pack;
mod rows;
mod study_page;

use scenario::Scenario;
use serde_json::Value;

use crate::Outcome;
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
    "beside" "hud" "lens" "strip" "keep" "live" "main"
};

/// The page of a run; `record` must have been made [`with_film`](Recorder::with_film).
pub fn html(scenario: &Scenario, outcome: &Outcome, record: &Recorder) -> String {
    live(scenario, outcome, record, &Value::Null)
}

/// The page of a run with a simulation engine; `live`: its description for `page/live.js`.
pub fn live(scenario: &Scenario, outcome: &Outcome, record: &Recorder, live: &Value) -> String {
    let data = pack::letters(&data(scenario, outcome, record, live));
    let numbers = escaped(&report(scenario, outcome, record, Style { colour: false }));
    let still = format!("{STILL}{}<pre>{numbers}</pre>", figures(record));
    page(&scenario.title, &data, &still, if live.is_null() { "'none'" } else { "'self'" }, "")
}

/// Only the data of such a page, uncompressed, which is faster over the loopback.
pub fn data(scenario: &Scenario, outcome: &Outcome, record: &Recorder, live: &Value) -> Vec<u8> {
    record.film.as_ref().map(|film| film.packed(scenario, outcome, record, live)).unwrap_or_default()
}

/// The page without a run, which simulates by itself: with the engine (WebAssembly), the scenes of its gallery,
/// and matter-js to compare with; engine and matter-js by LZMA, as letters.
pub fn whole(engine: &str, scenes: &Value, matter: &str) -> String {
    let title = scenes[0]["title"].as_str().unwrap_or_default();
    // Escaped, so that no text closes the script element.
    let scenes = scenes.to_string().replace('<', "\\u003c");
    let engine = format!(
        r#"<script type="text/plain" id="engine">{engine}</script>
<script type="application/json" id="scenes">{scenes}</script>
<script type="text/plain" id="matter">{matter}</script>"#
    );
    page(title, "", "<p>Without JavaScript this page shows nothing.</p>", "'none'", &engine)
}

/// The figures of a run (SVG), one after the other.
pub fn figures(record: &Recorder) -> String {
    record.figures().each_ref().map(Figure::svg).concat()
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

/// Joins all modules: drops `import` lines, the word `export` (names are unique), indents and full-line comments.
fn modules() -> String {
    let mut code = String::new();
    for mut rest in MODULES {
        let mut text = String::new();
        while let Some((before, (_, after))) =
            rest.split_once("/**").and_then(|(before, comment)| Some((before, comment.split_once("*/")?)))
        {
            text.push_str(before);
            rest = after;
        }
        text.push_str(rest);
        for line in text.lines().map(str::trim) {
            let line = line.strip_prefix("export ").unwrap_or(line);
            if !(line.is_empty() || line.starts_with("//") || line.starts_with("import ")) {
                code.extend([line, "\n"]);
            }
        }
    }
    code
}

fn escaped(text: &str) -> String {
    crate::figures::escaped(text).replace('"', "&quot;")
}
