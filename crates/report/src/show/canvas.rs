//! Lines drawn with the dots of braille characters.

use std::fmt::Write;

use scenario::input::{rounded, short};

use crate::figures;
use crate::terminal::Style;

/// Characters across, at most.
const COLUMNS: usize = 72;
/// Lines of text, at most.
const ROWS: usize = 22;
/// Lines of text below which heights are stretched.
const FEWEST_ROWS: usize = 5;
/// Characters across below which widths are stretched.
const FEWEST_COLUMNS: usize = 24;
/// Characters for the labels on the left.
const LABEL: usize = 9;

/// Left, right, low and high end of lines; `None` without a finite point.
pub fn extent(lines: &[Vec<(f64, f64)>]) -> Option<[f64; 4]> {
    let [left, right, low, high] =
        figures::extent(lines.iter().flatten().copied().filter(|(x, y)| x.is_finite() && y.is_finite()));
    // What rounding leaves of a zero is told as zero.
    let grain = 4.0 * f64::EPSILON * (right - left).max(high - low);
    (left <= right).then_some([left, right, low, high].map(|end| if end.abs() <= grain { 0.0 } else { end }))
}

/// The lines in a frame with its extents, in true proportions where these give a readable picture.
pub fn draw(lines: &[Vec<(f64, f64)>], style: Style) -> String {
    let Some([left, right, low, high]) = extent(lines) else { return "(nothing to draw)\n".to_owned() };
    let (width, height) = ((right - left).max(f64::MIN_POSITIVE), high - low);
    // Dots stand 2 across and 4 down in a character, about as far apart both ways.
    let true_rows = height / width * (2 * COLUMNS) as f64 / 4.0;
    let true_columns = width / height * (4 * ROWS) as f64 / 2.0;
    let (columns, rows) = if true_rows <= ROWS as f64 {
        (COLUMNS, (true_rows.ceil() as usize).max(if height > 0.0 { FEWEST_ROWS } else { 1 }))
    } else {
        ((true_columns.ceil() as usize).clamp(FEWEST_COLUMNS, COLUMNS), ROWS)
    };
    let mut dots = Dots::new(columns, rows);
    let across = |x: f64| (x - left) / width * (dots.across() - 1) as f64;
    let up = |y: f64| if height > 0.0 { (y - low) / height * (dots.down() - 1) as f64 } else { 1.0 };
    let placed: Vec<Vec<(f64, f64)>> =
        lines.iter().map(|line| line.iter().map(|(x, y)| (across(*x), up(*y))).collect()).collect();
    placed.iter().for_each(|line| dots.line(line));
    let mut out = String::new();
    for row in 0..rows {
        let label = match row {
            0 => short(high),
            _ if row + 1 == rows => short(low),
            _ if row == rows / 2 => "y [m]".to_owned(),
            _ => String::new(),
        };
        let _ = writeln!(out, "{label:>LABEL$} │{}", style.paint("36", dots.row(row).trim_end()));
    }
    let _ = writeln!(out, "{:>LABEL$} └{}", "", "─".repeat(columns));
    let (from, to) = (short(left), short(right));
    let room = columns.saturating_sub(to.chars().count() + 1);
    let _ = writeln!(out, "{:>LABEL$}  {}{to}", "", centred(&from, "x [m]", room + 1));
    let true_height = height / width * (2 * columns) as f64 / 4.0;
    let stretch = rows as f64 / true_height;
    if height > 0.0 && !(0.75..1.34).contains(&stretch) {
        let note = if stretch > 1.0 {
            format!("heights drawn {} times too large", short_factor(stretch))
        } else {
            format!("widths drawn {} times too large", short_factor(1.0 / stretch))
        };
        let _ = writeln!(out, "{:>LABEL$}  {}", "", style.faint(&note));
    }
    out
}

/// `left`, and `middle` in the middle, in `width` characters.
fn centred(left: &str, middle: &str, width: usize) -> String {
    let at = (width / 2).saturating_sub(middle.chars().count() / 2).max(left.chars().count() + 1);
    format!("{:<width$}", format!("{left:<at$}{middle}"))
}

fn short_factor(factor: f64) -> String {
    if factor < 10.0 { format!("{factor:.1}") } else { short(rounded(factor, 2)) }
}

struct Dots {
    columns: usize,
    cells: Vec<u8>,
}

impl Dots {
    fn new(columns: usize, rows: usize) -> Self {
        Dots { columns, cells: vec![0; columns * rows] }
    }
    fn across(&self) -> usize {
        2 * self.columns
    }
    fn down(&self) -> usize {
        4 * self.cells.len() / self.columns
    }

    /// Sets the dot at `(x, y)`, counted from the lower left.
    fn set(&mut self, x: f64, y: f64) {
        let (x, y) = (x.round(), y.round());
        if !(x >= 0.0 && y >= 0.0 && x < self.across() as f64 && y < self.down() as f64) {
            return;
        }
        let (x, y) = (x as usize, self.down() - 1 - y as usize);
        // Dots 1 to 6 in two columns of three, 7 and 8 below them.
        const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        self.cells[y / 4 * self.columns + x / 2] |= BITS[y % 4][x % 2];
    }

    /// Sets the dots along a line.
    fn line(&mut self, points: &[(f64, f64)]) {
        if let [(x, y)] = points {
            self.set(*x, *y);
        }
        for ends in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (ends[0], ends[1]);
            let steps = (x1 - x0).abs().max((y1 - y0).abs()).ceil();
            if !(steps <= 10_000.0) {
                continue;
            }
            for i in 0..=steps as usize {
                let part = if steps > 0.0 { i as f64 / steps } else { 0.0 };
                self.set(x0 + part * (x1 - x0), y0 + part * (y1 - y0));
            }
        }
    }

    fn row(&self, row: usize) -> String {
        let cells = &self.cells[row * self.columns..(row + 1) * self.columns];
        let dots = |bits: u8| char::from_u32(0x2800 + u32::from(bits)).unwrap_or(' ');
        cells.iter().map(|bits| if *bits == 0 { ' ' } else { dots(*bits) }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagonal_has_its_dots_and_its_extents() {
        let drawing = draw(&[vec![(0.0, 0.0), (2.0, 1.0)]], Style { colour: false });
        let lines: Vec<&str> = drawing.lines().collect();
        assert!(lines[0].starts_with("        1 │"), "{drawing}");
        assert!(lines[0].ends_with('⠉') || lines[0].ends_with('⠁') || lines[0].ends_with('⠊'), "{drawing}");
        let axis = lines.iter().position(|line| line.contains('└')).unwrap();
        assert!(lines[axis - 1].starts_with("        0 │"), "{drawing}");
        assert!(lines[axis + 1].trim_start().starts_with('0') && lines[axis + 1].ends_with('2'), "{drawing}");
        assert!(!drawing.contains('\x1b') && !drawing.contains("too large"), "{drawing}");
    }

    #[test]
    fn a_flat_line_and_a_tall_one_are_drawn() {
        let flat = draw(&[vec![(-1.0, 0.0), (1.0, 0.0)]], Style { colour: false });
        assert_eq!(flat.lines().count(), 3, "{flat}");
        let tall = draw(&[vec![(0.0, 0.0), (0.001, 1.0)]], Style { colour: false });
        assert!(tall.contains("widths drawn"), "{tall}");
        assert_eq!(draw(&[], Style { colour: false }), "(nothing to draw)\n");
    }
}
