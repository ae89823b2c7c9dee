//! `kugelbahn curves check DRAWING.svg`: what there is to take as ground.

use std::fmt::Write;
use std::path::Path;

use scenario::curve::{Drawn, Looks, shapes};
use scenario::input::InputError;

use crate::terminal::Style;

/// Shapes that are listed.
const MOST: usize = 100;

/// The shapes of a drawing with number, id, size and whether they are closed; `None` of what is no `.svg`.
pub fn drawing(path: &Path, style: Style) -> Option<Result<String, InputError>> {
    let svg = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    svg.then(|| shapes(path, MOST).map(|(shapes, count)| listed(path, &shapes, count, style)))
}

fn listed(path: &Path, shapes: &[Drawn], count: usize, style: Style) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut text = format!("{name}: {count} shape{}\n", if count == 1 { "" } else { "s" });
    if shapes.is_empty() {
        return text;
    }
    let width = shapes
        .iter()
        .filter_map(|shape| shape.id.as_ref())
        .map(|id| id.chars().count())
        .max()
        .unwrap_or(0)
        .clamp(2, 24);
    let head = format!("{:<8}{:<10}{:<width$}  {:<22}line", "number", "shape", "id", "size [m]");
    let _ = writeln!(text, "\n{}", style.bold(&head));
    for Drawn { number, element, id, looks } in shapes {
        let id = id.as_deref().unwrap_or("—");
        let looks = match looks {
            Err(why) => why.clone(),
            Ok(Looks { size: [w, h], lines, closed }) => {
                let size = format!("{w:.4} × {h:.4}");
                let line = match (lines, closed) {
                    (1, 1) => "closed".to_owned(),
                    (1, _) => "open".to_owned(),
                    (lines, closed) => format!("{lines} lines, {closed} closed: stretch = 1 to {lines}"),
                };
                format!("{size:<22}{line}")
            }
        };
        let _ = writeln!(text, "{number:<8}{element:<10}{id:<width$}  {looks}");
    }
    if count > shapes.len() {
        let _ = writeln!(text, "… {} more", count - shapes.len());
    }
    let _ = writeln!(
        text,
        "\nAs ground: curve = {{ kind = \"svg\", file = \"{name}\", path = 1 }}, by number or id;\npaths = \"all\" takes each as a curve"
    );
    text
}
