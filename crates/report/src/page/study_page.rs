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
    /// The tables as HTML, for browsers without scripts.
    still: String,
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
        let cell = |text: &String| format!("<td>{}</td>", escaped(text));
        let row = |row: &Vec<String>| format!("<tr>{}</tr>", row.iter().map(cell).collect::<String>());
        let note = |text: &String| format!("<p>{}</p>", escaped(text));
        let (rows, notes): (String, String) = (rows.iter().map(row).collect(), notes.iter().map(note).collect());
        self.still += &format!("<h2>{}</h2><table>{rows}</table>{notes}", escaped(title));
    }

    /// Adds measured places, and those left out (m), as marks in the picture.
    pub fn places(&mut self, [seen, left_out]: [Vec<[f64; 2]>; 2]) {
        self.seen = true;
        self.pack.doubles("seen", seen.as_flattened());
        self.pack.doubles("left out", left_out.as_flattened());
    }

    /// Text of the page. `about`: its subject in one line; `figures`: pictures (SVG) for browsers without scripts.
    pub fn html(self, title: &str, about: &str, figures: &str) -> String {
        let Sheet { pack, runs, panels, tables, still, seen } = self;
        let study = json!({ "about": about, "runs": runs, "panels": panels, "tables": tables, "seen": seen });
        let data = pack.whole(json!({ "title": title, "study": study }));
        page(title, &pack::letters(&data), &(STILL.to_owned() + figures + &still), "'none'", "")
    }
}
