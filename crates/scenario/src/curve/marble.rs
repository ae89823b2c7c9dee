//! Makes a scenario of a drawing or a GPS track: a marble is dropped on it.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use curves::{Ground, Joint, Spot};
use nalgebra::Vector2;
use numbers::Interval;

use super::{Curve, curve_from_text};
use crate::input::{InputError, Value, rounded};

/// Radius of the marble, as a part of the drawing's width; on a GPS track, whose lengths are real, a football's, m.
const RADIUS: f64 = 0.01;
const FOOTBALL: f64 = 0.11;
/// Gap below the marble at the start, in radii.
const GAP: f64 = 4.0;
/// Value of `paths` for all shapes.
const ALL: &str = "\"all\"";
/// Places tried first, from the left, as parts of the width.
const PLACES: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// Whether a path is that of a drawing, by its ending.
pub fn is_drawing(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ["svg", "svgz"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// Whether a path is that of a GPS track, by its ending.
pub(crate) fn is_track(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gpx"))
}

/// A drawing or a GPS track: the line of TOML that says what it is, the folder of its file, and its name.
pub(crate) struct DrawingSource<'p> {
    line: String,
    folder: &'p Path,
    name: String,
    is_track: bool,
}

impl<'p> DrawingSource<'p> {
    /// A drawing or a track in a file.
    pub(crate) fn of_file(path: &'p Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folder = path.parent().unwrap_or(Path::new(""));
        DrawingSource { line: format!("file = {}", serde_json::json!(name)), folder, name, is_track: is_track(path) }
    }

    /// A drawing or a track that is given as text: the first element tells which.
    pub(crate) fn of_text(text: &str) -> Self {
        let line = format!("text = {}", serde_json::json!(text));
        let root = text.split('<').skip(1).find(|tag| !tag.starts_with(['?', '!']));
        let is_track = root.is_some_and(|tag| tag.starts_with("gpx"));
        let name = if is_track { "a GPS track" } else { "a drawing" };
        DrawingSource { line, folder: Path::new(""), name: name.to_owned(), is_track }
    }

    /// The table `ground.curve` of shapes of a drawing, each a curve, or of a track, as lines of TOML.
    fn table(&self, shapes: &str) -> String {
        if self.is_track {
            return format!("kind = \"gpx\"\n{}\nas = \"smoothing-spline\"\nsmoothing = \"gcv\"\n", self.line);
        }
        format!("kind = \"svg\"\n{}\npaths = {shapes}\n", self.line)
    }

    fn whole(&self) -> Result<Curve, InputError> {
        curve_from_text(&self.table(ALL), self.folder)
    }
}

/// Reads all shapes of a drawing, each as a curve.
pub fn whole_drawing(path: &Path) -> Result<Curve, InputError> {
    let mut curve = DrawingSource::of_file(path).whole()?;
    curve.info.title = path.display().to_string();
    Ok(curve)
}

/// Text of a scenario (TOML) in which a marble falls on a drawing or a track, at the first place from the left where
/// the highest line is free above. If all lines were drawn from right to left they are reversed; an outline around all
/// others, such as that of the page, is left out.
pub(crate) fn marble_on(drawing: &DrawingSource) -> Result<String, InputError> {
    let curve = drawing.whole()?;
    let ground = &curve.ground;
    let (frame, shapes) = without_frame(&curve).map_or((None, ALL.to_owned()), |(frame, shapes)| (Some(frame), shapes));
    let within = (0..ground.curves()).filter(|curve| Some(*curve) != frame);
    let widths = within.map(|curve| extent(ground, ground.pieces_of(curve))[0]);
    let [left, right] = widths.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], x| [a.min(x[0]), b.max(x[1])]);
    // If all these places are gaps: the middles of pieces.
    let middles = ground.pieces().iter().step_by(1 + ground.pieces().len() / PLACES.len());
    let middles = middles.map(|piece| piece.curve().point_at(piece.domain().middle()).x);
    let places = PLACES.iter().map(|part| left + part * (right - left)).chain(middles);
    let tops: Vec<Top> = places.filter_map(|x| top(ground, x, frame)).collect();
    let Some(place) = tops.iter().find(|top| top.is_free).or(tops.first()) else {
        let error = InputError::without_place(format!("nothing in {} lies below a marble", drawing.name));
        return Err(error.with_help("write a scenario with it as `ground.curve`: kugelbahn new FILE.toml"));
    };
    let radius = if drawing.is_track { FOOTBALL } else { rounded(RADIUS * (right - left), 2) };
    let y = place.point.y + (1.0 + GAP) * radius;
    let mut text = format!("title = {}\n", serde_json::json!(format!("A marble on {}", drawing.name)));
    let _ = write!(
        text,
        "ball = {{ radius = {radius:?}, inertia = \"solid-sphere\" }}\ninitial.position = [{:?}, {y:?}]\n\
         contact = {{ restitution = 0.6, friction = 0.3 }}\n[ground.curve]\n{}reverse = {}\n",
        place.point.x,
        drawing.table(&shapes),
        !place.is_free
    );
    Ok(text)
}

/// Finds the closed line around all others: its index, and the other shapes as a TOML array; `None`: there is none.
fn without_frame(Curve { ground, curves, .. }: &Curve) -> Option<(usize, String)> {
    let boxes: Vec<_> = (0..ground.curves()).map(|curve| extent(ground, ground.pieces_of(curve))).collect();
    let holds =
        |[outer, inner]: [[[f64; 2]; 2]; 2]| (0..2).all(|i| outer[i][0] <= inner[i][0] && inner[i][1] <= outer[i][1]);
    let frame = (0..boxes.len())
        .find(|&frame| ground.is_closed_curve(frame) && boxes.iter().all(|inner| holds([boxes[frame], *inner])))?;
    let mut shapes: Vec<serde_json::Value> = Vec::new();
    for (_, alone) in curves.iter().enumerate().filter(|(i, _)| *i != frame).map(|(_, curve)| curve) {
        let shape = match &alone.get("path")?.value {
            Value::String(name) => serde_json::json!(**name),
            Value::Number(number) => serde_json::json!(*number as u64),
            _ => return None,
        };
        // Lines of one shape follow each other.
        if shapes.last() != Some(&shape) {
            shapes.push(shape);
        }
    }
    (!shapes.is_empty()).then(|| (frame, serde_json::Value::Array(shapes).to_string()))
}

/// Bounding box of pieces, m.
fn extent(ground: &Ground, pieces: Range<usize>) -> [[f64; 2]; 2] {
    let points = ground.pieces()[pieces].iter().flat_map(|piece| {
        let Interval { lo, hi } = piece.domain();
        (0..=8).map(move |i| piece.curve().point_at(lo + (hi - lo) * f64::from(i) / 8.0))
    });
    let none = [f64::INFINITY, f64::NEG_INFINITY];
    points.fold([none; 2], |[x, y], p| [[x[0].min(p.x), x[1].max(p.x)], [y[0].min(p.y), y[1].max(p.y)]])
}

/// Highest point of the ground on a vertical line.
struct Top {
    point: Vector2<f64>,
    /// Whether its free side is above.
    is_free: bool,
}

fn top(ground: &Ground, x: f64, frame: Option<usize>) -> Option<Top> {
    let spots = ground.above(x).into_iter().flat_map(|upright| [upright.from, upright.to]);
    let spots = spots.filter(|spot| Some(ground.curve_at(*spot)) != frame);
    let highest = spots.max_by(|a, b| ground.point(*a).y.total_cmp(&ground.point(*b).y))?;
    // At a joint both pieces that meet there count.
    let pieces = match highest {
        Spot::Piece { index, parameter } => [Some((index, parameter)), None],
        Spot::Joint(joint) => {
            let Joint { before, after, .. } = ground.joints()[joint];
            [
                before.map(|piece| (piece, ground.piece(piece).domain().hi)),
                after.map(|piece| (piece, ground.piece(piece).domain().lo)),
            ]
        }
    };
    let is_free = pieces.into_iter().flatten().all(|(piece, s)| ground.piece(piece).jet(s).first.x > 0.0);
    Some(Top { point: ground.point(highest), is_free })
}
