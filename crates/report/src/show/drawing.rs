//! `kugelbahn curves check DRAWING.svg` or `.dxf`: what there is to take as ground.

use std::fmt::Write;
use std::path::Path;

use scenario::curve::{Curve, Drawn, Looks, curve_from_text, dxf_lines, shapes};
use scenario::input::InputError;

use crate::terminal::Style;

/// Shapes that are listed.
const MOST: usize = 100;

/// How a kind of drawing is listed.
struct Form {
    kind: &'static str,
    /// Word for a shape.
    one: &'static str,
    /// Heading of its second name.
    id: &'static str,
}

const SVG: Form = Form { kind: "svg", one: "shape", id: "label (id)" };
const DXF: Form = Form { kind: "dxf", one: "line", id: "layer" };

/// The shapes of a drawing with number, id or layer, size and whether they are closed; `None` of what is no `.svg` and no `.dxf`.
pub fn drawing(path: &Path, style: Style) -> Option<Result<String, InputError>> {
    let is = |form: &Form| kind_of(path) == form.kind;
    if is(&SVG) {
        return Some(shapes(path, MOST).and_then(|(shapes, count)| listed(path, &shapes, count, &SVG, style)));
    }
    let dxf = |(lines, count, notes): (Vec<Drawn>, usize, Option<String>)| {
        let notes = notes.map(|notes| format!("{notes}\n")).unwrap_or_default();
        Ok(listed(path, &lines, count, &DXF, style)? + &notes)
    };
    is(&DXF).then(|| dxf_lines(path, MOST).and_then(dxf))
}

/// `svg` of an `.svgz`, too.
fn kind_of(path: &Path) -> String {
    let kind = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if kind == "svgz" { SVG.kind.to_owned() } else { kind }
}

/// All shapes of such a drawing, each a curve.
pub fn whole_drawing(path: &Path) -> Result<Curve, InputError> {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let keys = [("kind", kind_of(path)), ("file", file.into_owned()), ("paths", "all".to_owned())];
    let text: String = keys.iter().map(|(key, value)| format!("{key} = {}\n", serde_json::json!(value))).collect();
    let mut curve = curve_from_text(&text, path.parent().unwrap_or(Path::new("")))?;
    curve.title = path.display().to_string();
    Ok(curve)
}

fn listed(path: &Path, shapes: &[Drawn], count: usize, form: &Form, style: Style) -> Result<String, InputError> {
    if shapes.is_empty() {
        // Says why.
        whole_drawing(path)?;
    }
    let Form { kind, one, id } = form;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut text = format!("{name}: {count} {one}{}\n", if count == 1 { "" } else { "s" });
    let width = shapes
        .iter()
        .filter_map(|shape| shape.id.as_ref())
        .map(|id| id.chars().count())
        .max()
        .unwrap_or(0)
        .max(id.len())
        .min(32);
    let drawn = shapes.iter().map(|shape| shape.element.chars().count()).max().unwrap_or(0).clamp(8, 32) + 2;
    let head = format!("{:<8}{:<drawn$}{id:<width$}  {:<22}line", "number", one, "size [m]");
    let _ = writeln!(text, "\n{}", style.bold(&head));
    for Drawn { number, element, id, looks } in shapes {
        let id = id.as_deref().unwrap_or("—");
        let looks = match looks {
            Err(why) => why.clone(),
            Ok(Looks { size: [w, h], lines, closed }) => {
                let size = if w.is_nan() { "no unit is said".to_owned() } else { format!("{w:.4} × {h:.4}") };
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
    let by = if *kind == SVG.kind { "number, id or label" } else { "number" };
    let _ = writeln!(
        text,
        "\nAs ground: curve = {{ kind = \"{kind}\", file = \"{name}\", path = 1 }}, by {by};\npaths = \"all\" takes each as a curve"
    );
    Ok(text)
}
