//! Reads the profile (height over distance) of a GPS track: `kind = "gpx"`.

use nalgebra::Vector2;
use numbers::elementary;
use roxmltree::Node as Element;

use super::kinds_and_limits::{CurveTable, Parts};
use super::points::{Points, points_as};
use super::svg_drawing::place;
use crate::input::xml::document;
use crate::input::{Files, InputError, Lost, Node, Source, Span, Text, Value, listed, plain, read_file, rounded};

const GPX_FILE: Files = Files { kind: "GPS track (GPX)", max_bytes: 64 << 20 };

/// Maximum number of elements and texts of a track; a point with height and time has six.
const MAX_NODES: u32 = 3_000_000;

/// A step longer than this many times the usual one is noted.
const LONG: f64 = 20.0;

/// Semi-major axis of the earth (WGS 84), m, and the square of its eccentricity.
const EARTH: (f64, f64) = (6_378_137.0, 6.694_379_990_14e-3);

impl Parts {
    pub(super) fn gpx(&mut self, table: &mut CurveTable) -> Result<(), InputError> {
        let (source, from) = self.text(table, "the path of a GPS track", |path, from| {
            read_file(path, "GPS track", Some(from), GPX_FILE).map(Text::from)
        })?;
        let kind = points_as(table.reader)?;
        let chosen = table.reader.get("track");
        // The document's tree needs several times the memory of its text: it is dropped before the ground is made.
        let profile = {
            let document = document(
                &source,
                MAX_NODES,
                "keep the part that is ground, with fewer points: GPSBabel's `-x simplify` thins out a track",
            )?;
            GpxTrack::of(document.root_element(), chosen, &source, &from)?.profile(&source)?
        };
        self.info.notes.extend(profile.notes);
        let (points, places) = (profile.points, profile.places);
        let place = |i: usize| places[i].clone();
        let name = |i: usize| format!("point {}", i + 1);
        let through =
            Points { points, whole: &from, place: &place, name: &name, key: "as", measured: true, closed: false };
        self.through(kind, table, through)
    }
}

/// Points of a track or route, by segments.
struct GpxTrack<'a, 'i> {
    segments: Vec<Vec<Element<'a, 'i>>>,
    span: Span,
}

fn is(element: &Element, name: &str) -> bool {
    element.tag_name().name() == name
}

/// Text of the child element of this name.
fn text<'a>(of: Element<'a, '_>, name: &str) -> Option<&'a str> {
    of.children().find(|element| is(element, name))?.text().map(str::trim)
}

impl<'a, 'i> GpxTrack<'a, 'i> {
    /// The chosen track, or the only one; a route if there is no track.
    fn of(root: Element<'a, 'i>, chosen: Option<&Node>, source: &Source, from: &Span) -> Result<Self, InputError> {
        if !is(&root, "gpx") {
            let message = format!("this is no GPS track: its root is <{}>, not <gpx>", root.tag_name().name());
            return Err(InputError::new(&place(source, root), message, "expected <gpx>"));
        }
        // Empty tracks are skipped: programs write them for tours that were not begun.
        let drawn = |track: &Element| track.descendants().any(|point| is(&point, "trkpt") || is(&point, "rtept"));
        let all = |name: &str| root.children().filter(|e| is(e, name) && drawn(e)).collect::<Vec<_>>();
        let (tracks, routes) = (all("trk"), all("rte"));
        let tracks = if tracks.is_empty() { routes } else { tracks };
        let names = || listed(tracks.iter().map(|track| text(*track, "name").unwrap_or("")));
        let track = match chosen.map(|node| (&node.value, &node.span)) {
            None if tracks.len() > 1 => {
                let message = format!("the file has {} tracks", tracks.len());
                let help = format!("track = 1 takes the first; they are called {}", names());
                return Err(InputError::new(from, message, "which one?").with_help(help));
            }
            None => tracks.first(),
            Some((Value::Number(number), span)) => {
                let found = tracks.iter().enumerate().find(|(i, _)| (i + 1) as f64 == *number);
                let missing = || {
                    let message = format!("the file has no track {}", plain(*number));
                    InputError::new(span, message, format!("it has {}", tracks.len()))
                };
                Some(found.ok_or_else(missing)?.1)
            }
            Some((Value::String(name), span)) => {
                let found = tracks.iter().find(|track| text(**track, "name") == Some(name));
                let missing = || InputError::new(span, format!("the file has no track `{name}`"), names());
                Some(found.ok_or_else(missing)?)
            }
            Some((_, span)) => {
                return Err(InputError::new(span, "`track` is no track", "its number from 1, or its name"));
            }
        };
        let Some(&track) = track else {
            return Err(InputError::new(from, "the file has no track and no route", "a file with a <trk>"));
        };
        let points = |of: Element<'a, 'i>, name: &str| of.children().filter(|e| is(e, name)).collect::<Vec<_>>();
        let mut segments: Vec<_> =
            track.children().filter(|e| is(e, "trkseg")).map(|segment| points(segment, "trkpt")).collect();
        if is(&track, "rte") {
            segments.push(points(track, "rtept"));
        }
        segments.retain(|segment| !segment.is_empty());
        Ok(GpxTrack { segments, span: place(source, track) })
    }

    /// Heights of the track over the distance travelled.
    fn profile(&self, source: &Source) -> Result<Climb, InputError> {
        let mut profile = Climb::default();
        let (mut last, mut way) = (None, 0.0);
        let (mut without, mut repeated, mut steps, mut gaps) = (0, 0, Vec::new(), Vec::new());
        for segment in &self.segments {
            let mut within = false;
            for point in segment {
                let span = place(source, *point);
                let Some((here, height)) = seen(*point, &span)? else {
                    without += 1;
                    continue;
                };
                if let Some(last) = last {
                    let step = distance(last, here);
                    if way + step == way {
                        repeated += 1;
                        continue;
                    }
                    if within { &mut steps } else { &mut gaps }.push(step);
                    way += step;
                }
                within = true;
                last = Some(here);
                profile.points.push(Vector2::new(way, height));
                profile.places.push(span);
            }
        }
        if profile.points.is_empty() {
            let help = "fill the heights in with a program that knows them, such as gpx.studio or GPSBabel";
            let message = format!("the track has no heights: {without} points without <ele>");
            return Err(InputError::new(&self.span, message, "this track").with_help(help));
        }
        let widest = gaps.iter().copied().fold(0.0, f64::max);
        steps.sort_by(f64::total_cmp);
        let [longest, usual] = [steps.last(), steps.get(steps.len() / 2)].map(|step| step.copied().unwrap_or(0.0));
        let is_long = longest > LONG * usual;
        let [widest, longest, usual] = [widest, longest, usual].map(|length| plain(rounded(length, 3)));
        let gaps = gaps.len();
        let notes = [
            (without, format!("{without} points without height were left out")),
            (repeated, format!("{repeated} points at the place of the one before were left out")),
            (gaps, format!("{gaps} gaps between segments, up to {widest} m wide, were bridged straight")),
            profile.without_lost(),
            (
                usize::from(is_long),
                format!("points are up to {longest} m apart, mostly {usual} m: nothing is known between them"),
            ),
        ];
        profile.notes.extend(notes.into_iter().filter(|(count, _)| *count > 0).map(|(_, note)| note));
        Ok(profile)
    }
}

#[derive(Default)]
struct Climb {
    /// Distance travelled and height, m.
    points: Vec<Vector2<f64>>,
    places: Vec<Span>,
    notes: Vec<String>,
}

impl Climb {
    /// Leaves out heights that are marks of a missing value; returns their number and a note.
    fn without_lost(&mut self) -> (usize, String) {
        let Some(lost) = Lost::of_heights(self.points.iter().map(|point| point.y)) else { return (0, String::new()) };
        lost.rows.iter().rev().for_each(|i| {
            self.points.remove(*i);
            self.places.remove(*i);
        });
        let count = lost.rows.len();
        let [points, have] = if count == 1 { ["point", "has"] } else { ["points", "have"] };
        let mark = plain(lost.mark);
        let note = format!(
            "{count} {points} {have} the height {mark}, far from those beside, as is written where none is known: left out"
        );
        (count, note)
    }
}

/// Reads latitude and longitude of a point (degrees), and its height, if any.
fn seen(point: Element, span: &Span) -> Result<Option<([f64; 2], f64)>, InputError> {
    let Some(height) = text(point, "ele") else { return Ok(None) };
    let height = angle(height, f64::INFINITY)
        .ok_or_else(|| InputError::new(span, "the height of this point is no number", "<ele> in m"))?;
    let coordinate = |name: &str, most: f64| {
        point.attribute(name).and_then(|text| angle(text.trim(), most)).ok_or_else(|| {
            let message = match point.attribute(name) {
                Some(text) => format!("`{name}` = {text} of this point is no angle on the earth"),
                None => format!("this point has no `{name}`"),
            };
            InputError::new(span, message, format!("degrees, at most {most} either way"))
        })
    };
    Ok(Some(([coordinate("lat", 90.0)?, coordinate("lon", 360.0)?], height)))
}

/// Reads a number of at most this absolute value.
fn angle(text: &str, most: f64) -> Option<f64> {
    text.parse::<f64>().ok().filter(|value| value.is_finite() && value.abs() <= most)
}

/// Distance (m) of two neighbouring places (latitude and longitude in degrees), by the radii of curvature of the
/// ellipsoid halfway between them: M = a(1−e²)/(1−e² sin²φ)^(3/2) along the meridian, N = a/√(1−e² sin²φ) across it.
fn distance([lat, lon]: [f64; 2], [to_lat, to_lon]: [f64; 2]) -> f64 {
    let (radius, e2) = EARTH;
    let (sine, cosine) = elementary::sin_cos((0.5 * (lat + to_lat)).to_radians());
    let w = 1.0 - e2 * sine * sine;
    let (meridian, normal) = (radius * (1.0 - e2) / (w * w.sqrt()), radius / w.sqrt());
    let east = (to_lon - lon + 540.0).rem_euclid(360.0) - 180.0;
    elementary::hypot(meridian * (to_lat - lat).to_radians(), normal * cosine * east.to_radians())
}
