//! Writes figures to files: SVG, PNG, or a script that draws them from CSV.

use std::fmt::Write;

use serde_json::{Value, json};

use super::figure::{Figure, FigureLayout, Width};
use super::framed_diagram::DASHES;
use super::{Chart, Series};

/// File format of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `NAME.svg`
    Svg,
    /// `NAME.png`, 300 dots an inch.
    Png,
    /// `plot-NAME.csv` of each, and one `plot.py` that draws them by matplotlib.
    Py,
}

impl Form {
    /// All formats.
    pub const ALL: [Form; 3] = [Form::Svg, Form::Png, Form::Py];

    /// Checks that this format is available: PNG needs the feature and a font.
    pub fn ready(self) -> Result<(), Undrawn> {
        // A picture of nothing needs both, too.
        if self == Form::Png { png("").map(drop) } else { Ok(()) }
    }

    /// Names of the files of figures.
    pub fn names(self, figures: &[&str]) -> Vec<String> {
        let each = figures.iter().map(|name| match self {
            Form::Svg => format!("{name}.svg"),
            Form::Png => format!("{name}.png"),
            Form::Py => format!("plot-{name}.csv"),
        });
        each.chain((self == Form::Py).then(|| "plot.py".to_owned())).collect()
    }

    /// Files of figures with their names, in the order of [`names`](Self::names).
    pub fn files(self, figures: &[(&str, Figure)], width: Width) -> Result<Vec<(String, Vec<u8>)>, Undrawn> {
        let names: Vec<&str> = figures.iter().map(|(name, _)| *name).collect();
        let mut contents = Vec::new();
        for (_, figure) in figures {
            contents.push(match self {
                Form::Svg if width == Width::Page => figure.svg().into_bytes(),
                Form::Svg => figure.svg_in(width).into_bytes(),
                Form::Png => png(&figure.svg_in(width))?,
                Form::Py => table(figure).into_bytes(),
            });
        }
        contents.extend((self == Form::Py).then(|| script(figures, width).into_bytes()));
        Ok(self.names(&names).into_iter().zip(contents).collect())
    }
}

/// Reason why there is no PNG.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undrawn {
    /// The program was built without the feature `png`.
    #[error("this kugelbahn was built without PNG")]
    Feature,
    /// No font was found: text would be missing.
    #[error("no font was found on this machine, so that the PNG would be without text")]
    Font,
    /// The figure is too large for the memory, or not valid.
    #[error("the figure can't be drawn as PNG")]
    Drawing,
}

#[cfg(not(feature = "png"))]
fn png(_svg: &str) -> Result<Vec<u8>, Undrawn> {
    Err(Undrawn::Feature)
}

/// A figure with the system's fonts; empty if it has nothing to draw.
#[cfg(feature = "png")]
fn png(svg: &str) -> Result<Vec<u8>, Undrawn> {
    use resvg::{tiny_skia, usvg};
    let mut options = usvg::Options { dpi: 72.0, ..usvg::Options::default() };
    options.fontdb_mut().load_system_fonts();
    if options.fontdb.is_empty() {
        return Err(Undrawn::Font);
    }
    if svg.is_empty() {
        return Ok(Vec::new());
    }
    let tree = usvg::Tree::from_str(svg, &options).map_err(|_| Undrawn::Drawing)?;
    let scale = 300.0 / 72.0;
    let size = tree.size().to_int_size().scale_by(scale).ok_or(Undrawn::Drawing)?;
    let mut picture = tiny_skia::Pixmap::new(size.width(), size.height()).ok_or(Undrawn::Drawing)?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut picture.as_mut());
    picture.encode_png().map_err(|_| Undrawn::Drawing)
}

/// The lines of a diagram, each with the kind of drawing that `plot.py` knows.
fn drawn(chart: &Chart) -> Vec<(String, Series)> {
    let mut all = Vec::new();
    for line in chart.drawn() {
        all.push((format!("{:?}", line.stroke).to_lowercase(), line.clone()));
        if !line.apart.is_empty() {
            all.push(("apart".to_owned(), Series { points: line.apart.clone(), ..line.clone() }));
        }
    }
    for triangle in &chart.slopes {
        let [a, b, c] = triangle.corners();
        let name = format!("order {}", triangle.order);
        all.push(("triangle".to_owned(), Series::new(name, triangle.colour, vec![a, b, c, a])));
    }
    if let Some((label, sizes)) = &chart.bars {
        all.push(("bars".to_owned(), Series::new(label, "#56B4E9", sizes.clone())));
    }
    all
}

/// CSV text of the points of all lines.
fn table(figure: &Figure) -> String {
    let mut out = "diagram,line,x,y\n".to_owned();
    for (diagram, chart) in figure.charts.iter().enumerate() {
        for (line, (_, series)) in drawn(chart).into_iter().enumerate() {
            for (x, y) in series.points {
                // Writing to a string can't fail.
                let _ = writeln!(out, "{diagram},{line},{x},{y}");
            }
        }
    }
    out
}

/// Text of `plot.py` for figures.
fn script(figures: &[(&str, Figure)], width: Width) -> String {
    let mut all = "{\n".to_owned();
    for (name, Figure { title, note, charts, layout, .. }) in figures {
        let grid = if let FigureLayout::Grid(columns) = layout { *columns } else { 0 };
        let (title, note) = (json!(title), json!(note));
        let _ =
            writeln!(all, "    {}: {{\n        \"title\": {title}, \"note\": {note}, \"grid\": {grid},", json!(name));
        all += "        \"diagrams\": [\n";
        for chart in charts {
            let extent: Value = chart.extent.map_or(json!([]), |extent| json!(extent));
            let decades = chart.decades.axes().map(u8::from);
            let _ = writeln!(
                all,
                "            {{\n                \"title\": {}, \"x\": {}, \"y\": {},\n                \"decades\": {decades:?}, \"extent\": {extent}, \"equal\": {},\n                \"lines\": [",
                json!(chart.title),
                json!(chart.x),
                json!(chart.upwards()),
                u8::from(chart.equal)
            );
            for (kind, Series { name, colour, marks, dashes, .. }) in drawn(chart) {
                let dashes = if kind == "solid" { DASHES[dashes % DASHES.len()] } else { "" };
                let mark = marks.map_or("None".to_owned(), |mark| mark.to_string());
                let _ = writeln!(
                    all,
                    "                    {{\"name\": {}, \"colour\": \"{colour}\", \"draw\": \"{kind}\", \"mark\": {mark}, \"dashes\": [{}]}},",
                    json!(name),
                    dashes.replace(' ', ", ")
                );
            }
            all += "                ],\n            },\n";
        }
        all += "        ],\n    },\n";
    }
    all += "}";
    let text = include_str!("plot.py");
    text.replace("{{WIDTH}}", &width.millimetres().to_string()).replace("{{FIGURES}}", &all)
}
