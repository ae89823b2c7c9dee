//! `kugelbahn curves check DRAWING.svg`: lists the shapes that can be ground.

use std::fmt::Write;
use std::path::Path;

use scenario::curve::{Drawn, Looks, is_drawing, shapes, whole_drawing};
use scenario::input::{InputError, counted};

use crate::terminal::{Style, name_width, short_name};

/// Maximum number of shapes listed.
const MOST: usize = 100;
/// Heading of the column of labels and ids.
const ID: &str = "label (id)";

/// Table of a drawing's shapes: number, label or id, size, whether closed; `None` if the file is no `.svg` or `.svgz`.
pub fn drawing(path: &Path, style: Style) -> Option<Result<String, InputError>> {
    is_drawing(path).then(|| shapes(path, MOST).and_then(|(shapes, count)| listed(path, &shapes, count, style)))
}

fn listed(path: &Path, shapes: &[Drawn], count: usize, style: Style) -> Result<String, InputError> {
    if shapes.is_empty() {
        // Returns the reason as an error.
        whole_drawing(path)?;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut text = format!("{name}: {}\n", counted(count as u64, "shape"));
    let width = name_width(ID.len(), shapes.iter().filter_map(|shape| shape.id.as_ref()));
    let drawn = name_width(8, shapes.iter().map(|shape| &shape.element)) + 2;
    let head = format!("{:<8}{:<drawn$}{ID:<width$}  {:<22}line", "number", "shape", "size [m]");
    let _ = writeln!(text, "\n{}", style.bold(&head));
    for Drawn { number, element, id, looks } in shapes {
        let (element, id) = (short_name(element), short_name(id.as_deref().unwrap_or("—")));
        let looks = match looks {
            Err(why) => why.clone(),
            Ok(Looks { size: [w, h], lines, closed }) => {
                let [w, h] = [w, h].map(|side| if *side < 1e9 { format!("{side:.4}") } else { format!("{side:.4e}") });
                let size = format!("{w} × {h}");
                let line = match (lines, closed) {
                    (1, 1) => "closed".to_owned(),
                    (1, _) => "open".to_owned(),
                    (lines, closed) => format!("{lines} lines, {closed} closed: stretch = 1 to {lines}"),
                };
                format!("{size:<22}{line}")
            }
        };
        let _ = writeln!(text, "{number:<8}{element:<drawn$}{id:<width$}  {looks}");
    }
    if count > shapes.len() {
        let _ = writeln!(text, "… {} more", count - shapes.len());
    }
    let _ = writeln!(
        text,
        "\nAs ground: curve = {{ kind = \"svg\", file = \"{name}\", path = 1 }}, by number, id or label;\npaths = \"all\" takes each as a curve"
    );
    Ok(text)
}
