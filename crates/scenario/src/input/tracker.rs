//! Projects of Tracker (`.trk`): XML with the places that were clicked on, in pixels, and the axes and scale to see them in.
//!
//! What the attributes mean is that of Tracker's own source: `media/core/ImageCoordSystem.java` (axes), `VideoClip.java` and
//! `VideoPlayer.java` (times), `tracker/PointMass.java` (places).

use std::fmt::Write;

use roxmltree::Node;

use super::xml::document;
use super::{Unit, listed, plain};

/// Elements and texts of a project: a film of half an hour has fewer.
const MAX_NODES: u32 = 500_000;

/// A table made of a project, and what to know of it.
pub(super) struct Track {
    /// As text: frame, t, x, y.
    pub text: String,
    /// Of which ball.
    pub name: String,
    pub notes: Vec<String>,
}

/// Why there is none: the message, and what to do.
pub(super) type Refusal = (String, String);

/// Whether a text is one.
pub(super) fn is_tracker(text: &str) -> bool {
    text.get(..text.floor_char_boundary(2000)).is_some_and(|head| head.contains("cabrillo.tracker"))
}

/// The property of an object.
fn property<'a, 'i>(object: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    object.children().find(|child| child.has_tag_name("property") && child.attribute("name") == Some(name))
}

/// The object that a property is.
fn object<'a, 'i>(property: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
    property.children().find(|child| child.has_tag_name("object"))
}

fn class_of(object: Node<'_, '_>) -> String {
    object.attribute("class").and_then(|class| class.rsplit('.').next()).unwrap_or("").to_owned()
}

fn text_of<'a>(object: Node<'a, '_>, name: &str) -> Option<&'a str> {
    property(object, name)?.text().map(str::trim)
}

fn number(object: Node<'_, '_>, name: &str) -> Option<f64> {
    text_of(object, name)?.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// The objects of an array, with their indices; frames without a place have none.
fn array<'a, 'i>(of: Node<'a, 'i>) -> impl Iterator<Item = (usize, Node<'a, 'i>)> {
    of.children().filter_map(|item| {
        let index = item.attribute("name")?.strip_prefix('[')?.strip_suffix(']')?.parse::<usize>().ok()?;
        Some((index, object(item)?))
    })
}

/// Axes on the page, and pixels per unit along them.
struct Axes {
    origin: [f64; 2],
    /// Counterclockwise, rad.
    angle: f64,
    scale: [f64; 2],
}

impl Axes {
    fn of(data: Node<'_, '_>) -> Option<Self> {
        let [xo, yo] = [number(data, "xorigin")?, number(data, "yorigin")?];
        let scale = [number(data, "xscale")?, number(data, "yscale")?];
        let angle = number(data, "angle")?.to_radians();
        scale.iter().all(|scale| *scale != 0.0).then_some(Axes { origin: [xo, yo], angle, scale })
    }

    /// Of a place on the page: pixels count downwards, axes upwards.
    fn place(&self, x: f64, y: f64) -> [f64; 2] {
        let (sin, cos) = self.angle.sin_cos();
        let (dx, dy) = ((x - self.origin[0]) / self.scale[0], (y - self.origin[1]) / self.scale[1]);
        [cos * dx - sin * dy, -sin * dx - cos * dy]
    }
}

/// The table of one ball of a project; `wanted`: its name, given by `option`.
pub(super) fn track(text: &str, name: &str, wanted: Option<&str>, option: &str) -> Result<Track, Refusal> {
    let export = || "in Tracker: File > Export > Data File".to_owned();
    let document = document(text.trim_start_matches('\u{feff}'), false, MAX_NODES)
        .map_err(|none| (format!("{name} is no XML that can be read: {}", none.why), export()))?;
    let panel = document.descendants().find(|node| node.has_tag_name("object") && class_of(*node) == "TrackerPanel");
    let missing = |what: &str| (format!("the Tracker project {name} has no {what}"), export());
    let panel = panel.ok_or_else(|| missing("film (TrackerPanel)"))?;
    let clip = property(panel, "videoclip").and_then(object).ok_or_else(|| missing("`videoclip`"))?;
    let control = property(panel, "clipcontrol").and_then(object);
    let delta = control.and_then(|control| number(control, "delta_t")).filter(|delta| *delta > 0.0);
    let balls: Vec<(&str, Node)> = property(panel, "tracks")
        .into_iter()
        .flat_map(|tracks| tracks.children().filter_map(object))
        .filter(|track| class_of(*track) == "PointMass")
        .filter_map(|track| Some((text_of(track, "name").unwrap_or("?"), property(track, "framedata")?)))
        .collect();
    let names = || listed(balls.iter().map(|(name, _)| *name));
    let (ball, places) = match (balls.as_slice(), wanted) {
        ([], _) => return Err(missing("ball with places (PointMass)")),
        ([one], None) => *one,
        (_, Some(wanted)) => *balls.iter().find(|(ball, _)| *ball == wanted).ok_or_else(|| {
            (format!("{name} has no ball `{wanted}`"), format!("give {option}\"…\" with one of {}", names()))
        })?,
        ([first, ..], None) => {
            // As ground it needs no times.
            let timed = delta.is_some() || !option.starts_with('-');
            let rate = if timed { "" } else { " --fps F, frames per second, which it does not say" };
            return Err((
                format!("which ball? {name} has {}", names()),
                format!("choose: {option}\"{}\"{rate}", first.0),
            ));
        }
    };
    let coords = property(panel, "coords").and_then(object).ok_or_else(|| missing("axes (`coords`)"))?;
    let axes: Vec<(usize, Axes)> = property(coords, "framedata")
        .map(|data| array(data).filter_map(|(i, data)| Some((i, Axes::of(data)?))).collect())
        .unwrap_or_default();
    let fixed = ["fixedorigin", "fixedangle", "fixedscale"].iter().all(|key| text_of(coords, key) != Some("false"));
    let first = &axes.first().ok_or_else(|| missing("axes (`coords`)"))?.1;
    let begin = number(clip, "startframe").unwrap_or(0.0);
    let step = number(clip, "stepsize").unwrap_or(1.0).max(1.0);
    let count = number(clip, "stepcount").unwrap_or(f64::INFINITY);
    let offset = number(clip, "starttime").unwrap_or(0.0);
    let mut notes = vec![format!(
        "{name} is a project of Tracker: ball `{ball}`, {}{}",
        delta.map_or("no time between frames".to_owned(), |delta| {
            format!("{} frames per second", plain(super::rounded(1e3 / delta, 6)))
        }),
        if step > 1.0 { format!(", one of {} frames", plain(step)) } else { String::new() }
    )];
    let scaled = axes.iter().any(|(_, axes)| axes.scale != [1.0; 2]);
    let said = text_of(panel, "length_unit").filter(|unit| !unit.is_empty());
    let unit = match said {
        _ if !scaled => {
            notes.push("the project has no scale (no calibration stick): places are in pixels, y upwards".to_owned());
            "px"
        }
        Some(unit) if matches!(Unit::of(unit), Some(Unit::Length(_))) => unit,
        Some(unit) => {
            notes.push(format!("the project's unit of length is `{unit}`: give it with --unit if places are not in m"));
            ""
        }
        None => "m",
    };
    let bracketed = if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
    let time = if delta.is_some() { "\tt [s]" } else { "" };
    let mut table = format!("frame{time}\tx{bracketed}\ty{bracketed}\n");
    for (frame, data) in array(places) {
        let (steps, [Some(x), Some(y)]) = ((frame as f64 - begin) / step, [number(data, "x"), number(data, "y")])
        else {
            continue;
        };
        // Tracker shows the frames of the clip alone.
        if steps < 0.0 || steps.fract() != 0.0 || steps >= count {
            continue;
        }
        let axes = if fixed { first } else { axes.iter().find(|(i, _)| *i == frame).map_or(first, |(_, axes)| axes) };
        let [x, y] = axes.place(x, y);
        let _ = match delta.map(|delta| 1e-3 * (offset + (frame as f64 - begin) * delta)) {
            Some(time) => writeln!(table, "{frame}\t{time:.9}\t{x:.9e}\t{y:.9e}"),
            None => writeln!(table, "{frame}\t{x:.9e}\t{y:.9e}"),
        };
    }
    Ok(Track { text: table, name: ball.to_owned(), notes })
}
