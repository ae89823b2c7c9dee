//! Tables for the terminal and for CSV.

/// How a column shows its numbers.
#[derive(Clone, Debug)]
pub struct Column {
    name: String,
    form: Form,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Text,
    Fixed(usize),
    Science(usize),
}

impl Column {
    /// Names and other text.
    pub fn text(name: &str) -> Self {
        Column { name: name.into(), form: Form::Text }
    }
    /// Numbers with so many decimals; `name` gives the unit.
    pub fn fixed(name: &str, decimals: usize) -> Self {
        Column { name: name.into(), form: Form::Fixed(decimals) }
    }
    /// Numbers as 1.2e-3 with so many decimals; `name` gives the unit.
    pub fn science(name: &str, decimals: usize) -> Self {
        Column { name: name.into(), form: Form::Science(decimals) }
    }
}

/// One entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Text.
    Text(String),
    /// A number.
    Number(f64),
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Cell::Number(number)
    }
}
impl From<u32> for Cell {
    fn from(count: u32) -> Self {
        Cell::Text(count.to_string())
    }
}
impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Cell::Text(count.to_string())
    }
}
impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.into())
    }
}

/// Rows under named columns.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Without rows yet.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Table { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [Cell; N]) {
        self.rows.push(cells.into());
    }

    /// Aligned for reading; of a long table the first and last rows.
    pub fn text(&self) -> String {
        const ENDS: usize = 12;
        let mut lines: Vec<Vec<String>> = vec![self.columns.iter().map(|column| column.name.clone()).collect()];
        let long = self.rows.len() > 2 * ENDS + 1;
        for (i, row) in self.rows.iter().enumerate() {
            if long && i == ENDS {
                lines.push(self.columns.iter().map(|_| "…".to_owned()).collect());
            }
            if !long || i < ENDS || i >= self.rows.len() - ENDS {
                lines.push(row.iter().zip(&self.columns).map(|(cell, column)| shown(cell, column.form)).collect());
            }
        }
        let widest = |i: usize| lines.iter().filter_map(|line| line.get(i)).map(|s| s.chars().count()).max();
        let widths: Vec<usize> = (0..self.columns.len()).map(|i| widest(i).unwrap_or(0)).collect();
        let mut text = String::new();
        for line in &lines {
            let cells = line.iter().zip(&widths).zip(&self.columns).map(|((cell, width), column)| match column.form {
                Form::Text => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
            text.push('\n');
        }
        text
    }

    /// All rows, with the shortest numbers that read back the same.
    pub fn csv(&self) -> Result<String, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(self.columns.iter().map(|column| &column.name))?;
        for row in &self.rows {
            writer.write_record(row.iter().map(|cell| match cell {
                Cell::Text(text) => text.clone(),
                Cell::Number(number) => format!("{:?}", number + 0.0),
            }))?;
        }
        let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// What is no number is `-`; zero has no sign.
fn shown(cell: &Cell, form: Form) -> String {
    let number = match cell {
        Cell::Text(text) => return text.clone(),
        Cell::Number(number) if number.is_nan() => return "-".into(),
        Cell::Number(number) => *number,
    };
    let text = match form {
        Form::Fixed(decimals) => format!("{number:.decimals$}"),
        Form::Science(decimals) => format!("{number:.decimals$e}"),
        Form::Text => format!("{number}"),
    };
    match text.strip_prefix('-') {
        Some(rest) if rest.parse() == Ok(0.0) => rest.to_owned(),
        _ => text,
    }
}
