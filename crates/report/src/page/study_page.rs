//! [`Sheet`]: builds the page of a study from several runs, curves over time and tables.

use scenario::Scenario;
use serde_json::{Value, json};

use super::{STILL, escaped, pack, page};
use crate::Outcome;
use crate::output::Recorder;

/// Style of a run's line.
#[derive(Clone, Debug)]
pub struct Look {
    /// Name of the run.
    pub name: String,
    /// Colour of its line.
    pub colour: &'static str,
    /// Whether it is dashed.
    pub dashed: bool,
}

/// A curve of a panel; NaN: no value.
#[derive(Clone, Debug)]
pub struct PanelCurve {
    /// Name, colour and dashes of the curve.
    pub look: Look,
    /// Whether dots are drawn instead of a line.
    pub dots: bool,
    /// Values at the times of the panel.
    pub values: Vec<f64>,
}

/// Curves over the time of the runs.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Title.
    pub title: String,
    /// Unit of the values.
    pub unit: &'static str,
    /// Whether the axis of values is logarithmic.
    pub decades: bool,
    /// Times, s.
    pub times: Vec<f64>,
    /// Its curves.
    pub curves: Vec<PanelCurve>,
}

/// A table that the reader can sort.
#[derive(Clone, Debug)]
pub struct SortableTable {
    /// Title.
    pub title: String,
    /// Rows; the first has the names of the columns.
    pub rows: Vec<Vec<String>>,
    /// Index of the run of each row after the first, in the order added.
    pub runs: Vec<Option<usize>>,
    /// Notes below the table.
    pub notes: Vec<String>,
}

/// Builder of a page.
#[derive(Default)]
pub struct Sheet {
    pack: pack::Pack,
    runs: Vec<Value>,
    panels: Vec<Value>,
    tables: Vec<Value>,
    seen: bool,
}

impl Sheet {
    /// Adds a run; `record` must have been made [`with_film`](Recorder::with_film).
    pub fn run(&mut self, look: &Look, scenario: &Scenario, outcome: &Outcome, record: &Recorder) {
        let Some(film) = &record.film else { return };
        self.pack.owner = format!("{}/", self.runs.len());
        let document = film.put(&mut self.pack, scenario, outcome, record);
        self.pack.owner.clear();
        let Look { name, colour, dashed } = look;
        self.runs.push(json!({ "name": name, "colour": colour, "dashed": dashed, "document": document }));
    }

    /// Adds a panel.
    pub fn panel(&mut self, panel: &Panel) {
        self.pack.owner = format!("panel {}/", self.panels.len());
        self.pack.doubles("times", &panel.times);
        let mut lines = Vec::new();
        for (i, PanelCurve { look, dots, values }) in panel.curves.iter().enumerate() {
            self.pack.doubles(&i.to_string(), values);
            lines.push(json!({ "name": look.name, "colour": look.colour, "dashed": look.dashed, "dots": dots }));
        }
        self.pack.owner.clear();
        self.panels.push(json!({ "title": panel.title, "unit": panel.unit, "log": panel.decades, "lines": lines }));
    }

    /// Adds a table.
    pub fn table(&mut self, SortableTable { title, rows, runs, notes }: &SortableTable) {
        self.tables.push(json!({ "title": title, "rows": rows, "runs": runs, "notes": notes }));
    }

    /// Adds measured places, and those left out (m), as marks in the picture.
    pub fn places(&mut self, [seen, left_out]: [Vec<[f64; 2]>; 2]) {
        self.seen = true;
        self.pack.doubles("seen", seen.as_flattened());
        self.pack.doubles("left out", left_out.as_flattened());
    }

    /// Text of the page. `about`: its subject in one line; `figures`: pictures (SVG) for browsers without scripts.
    pub fn html(self, title: &str, about: &str, figures: &str) -> String {
        let Sheet { pack, runs, panels, tables, seen } = self;
        let study = json!({ "about": about, "runs": runs, "panels": panels, "tables": tables, "seen": seen });
        let data = pack.whole(json!({ "title": title, "study": study }));
        let tables: String = tables.iter().map(still).collect();
        page(title, &pack::letters(&data), &(STILL.to_owned() + figures + &tables), "'none'", "")
    }
}

/// HTML of a table for browsers without scripts.
fn still(table: &Value) -> String {
    let texts =
        |list: &Value| list.as_array().into_iter().flatten().filter_map(Value::as_str).map(escaped).collect::<Vec<_>>();
    let rows = table["rows"].as_array().into_iter().flatten();
    let rows = rows.map(|row| {
        format!("<tr>{}</tr>", texts(row).iter().map(|cell| format!("<td>{cell}</td>")).collect::<String>())
    });
    let notes = texts(&table["notes"]).iter().map(|note| format!("<p>{note}</p>")).collect::<String>();
    let title = escaped(table["title"].as_str().unwrap_or_default());
    format!("<h2>{title}</h2><table>{}</table>{notes}", rows.collect::<String>())
}
