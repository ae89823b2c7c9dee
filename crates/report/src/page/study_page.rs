//! The page of a study: several runs, curves over their time, tables.

use scenario::Scenario;
use serde_json::{Value, json};

use super::{STILL, escaped, pack, page};
use crate::Outcome;
use crate::output::Recorder;

/// How a run's line looks.
#[derive(Clone, Debug)]
pub struct Look {
    /// Name of the run.
    pub name: String,
    /// Colour of its line.
    pub colour: &'static str,
    /// Whether it is dashed.
    pub dashed: bool,
}

/// Values at the times of a panel; NaN: none.
#[derive(Clone, Debug)]
pub struct PanelCurve {
    /// Name, colour and dashes of the curve.
    pub look: Look,
    /// Whether they are dots and no line.
    pub dots: bool,
    /// Values, as many as there are times.
    pub values: Vec<f64>,
}

/// Curves over the time of the runs.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Above it.
    pub title: String,
    /// Unit of the values.
    pub unit: &'static str,
    /// Whether the values count in decades.
    pub decades: bool,
    /// Times, s.
    pub times: Vec<f64>,
    /// Its curves.
    pub curves: Vec<PanelCurve>,
}

/// A table that the reader can sort.
#[derive(Clone, Debug)]
pub struct SortableTable {
    /// Above it.
    pub title: String,
    /// The first has the names of the columns.
    pub rows: Vec<Vec<String>>,
    /// The run that each row after the first is about, by the order they were added in.
    pub runs: Vec<Option<usize>>,
    /// Below it.
    pub notes: Vec<String>,
}

/// A page under way.
#[derive(Default)]
pub struct Sheet {
    pack: pack::Pack,
    runs: Vec<Value>,
    panels: Vec<Value>,
    tables: Vec<Value>,
    seen: bool,
}

impl Sheet {
    /// Runs on it.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether there is no run on it.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// A run more; `record` must have been made [`with_film`](Recorder::with_film).
    pub fn run(&mut self, look: &Look, scenario: &Scenario, outcome: &Outcome, record: &Recorder) {
        let Some(film) = &record.film else { return };
        self.pack.owner = format!("{}/", self.runs.len());
        let document = film.put(&mut self.pack, scenario, outcome, record);
        self.pack.owner.clear();
        let Look { name, colour, dashed } = look;
        self.runs.push(json!({ "name": name, "colour": colour, "dashed": dashed, "document": document }));
    }

    /// A panel more.
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

    /// A table more.
    pub fn table(&mut self, SortableTable { title, rows, runs, notes }: &SortableTable) {
        self.tables.push(json!({ "title": title, "rows": rows, "runs": runs, "notes": notes }));
    }

    /// Places that were seen, and those of them that are left out, m: marks in the picture.
    pub fn places(&mut self, [seen, left_out]: [Vec<[f64; 2]>; 2]) {
        self.seen = true;
        self.pack.doubles("seen", seen.as_flattened());
        self.pack.doubles("left out", left_out.as_flattened());
    }

    /// The page. `about`: what it is about, in a line; `figures`: pictures (SVG) that stand in it and are all of it without scripts.
    pub fn html(self, title: &str, about: &str, figures: &str) -> String {
        let Sheet { pack, runs, panels, tables, seen } = self;
        let study = json!({ "about": about, "runs": runs, "panels": panels, "tables": tables, "seen": seen });
        let data = pack.whole(json!({ "title": title, "study": study }));
        let tables: String = tables.iter().map(still).collect();
        page(title, &pack::letters(&data), &(STILL.to_owned() + figures + &tables), "'none'", "")
    }
}

/// A table for those without scripts.
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
