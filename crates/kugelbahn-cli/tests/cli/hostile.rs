//! Files made to take all time or memory: each is refused with 200 MB at most.

use std::path::Path;
use std::process::Command;

use crate::common::Place;

/// What a command may take for itself, kB (Linux: private memory that it may write).
const MOST: u32 = 200 << 10;

/// Refused, with these words, within the memory.
#[track_caller]
fn refused(file: &str, text: impl AsRef<[u8]>, keys: &str, told: &str) {
    let place = Place::new();
    std::fs::write(place.path(file), text).unwrap();
    refused_there(&place, file, keys, told);
}

#[track_caller]
fn refused_there(place: &Place, file: &str, keys: &str, told: &str) {
    let kind = Path::new(file).extension().unwrap().to_str().unwrap();
    place.write("c.toml", format!("kind = '{kind}'\nfile = '{file}'\n{keys}"));
    let limited = format!("ulimit -d {MOST} && exec \"$0\" curves check c.toml");
    let binary = env!("CARGO_BIN_EXE_kugelbahn");
    let mut command = Command::new("sh");
    command.args(["-c", &limited, binary]).current_dir(place.path("c.toml").parent().unwrap());
    let outcome = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&outcome.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    let begin = &stderr[..stderr.floor_char_boundary(400)];
    assert_eq!(outcome.status.code(), Some(2), "{file}: {begin}");
    assert!(stderr.contains(told), "{file}: no `{told}` in {begin}");
}

fn svg(inside: &str) -> String {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{inside}</svg>")
}

#[test]
fn files_of_a_hundred_megabytes() {
    let keys = "as = 'polyline'";
    for (file, keys) in [("a.svg", ""), ("a.csv", keys), ("a.gpx", keys)] {
        let place = Place::new();
        std::fs::File::create(place.path(file)).unwrap().set_len(100 << 20).unwrap();
        refused_there(&place, file, keys, "it is larger than");
    }
}

#[test]
fn drawings() {
    let path = |data: &str| svg(&format!("<path d=\"{data}\"/>"));
    refused("line.svg", path(&format!("M0 0{}", "l1 1".repeat(2_500_000))), "", "more than 250000 nodes");
    refused("moves.svg", path(&"M0 0h1".repeat(1_600_000)), "", "more than 100000 lines");
    refused("many.svg", svg(&"<path d=\"M0 0h1\"/>".repeat(900_000)), "paths = 'all'", "has 900000 shapes");
    let groups = ["<g>", "</g>"].map(|tag| tag.repeat(1_000_000));
    refused("groups.svg", svg(&groups.join("<path d=\"M0 0h1\"/>")), "", "nodes limit reached");
    let attributes: String = (0..1_000_000).map(|i| format!(" a{i}=''")).collect();
    refused("attributes.svg", svg(&format!("<path{attributes}/>")), "", "too many attributes");
    // Each entity ten times the one before.
    let entities: String = ('b'..='m')
        .map(|c| format!("<!ENTITY {c} \"{}\">", format!("&{};", (c as u8 - 1) as char).repeat(10)))
        .collect();
    let bomb = format!("<!DOCTYPE svg [<!ENTITY a \"lol\">{entities}]>{}", svg("<text>&m;</text><path d=\"M0 0h1\"/>"));
    refused("entities.svg", bomb, "", "an entity with elements or entities in it is not read");
}

/// A quarter of a million points took 229 MB, and with their times they were refused: the document was still there while the ground was
/// made.
#[test]
fn a_long_track_is_read_within_the_memory() {
    let place = Place::new();
    let point = |i: usize| {
        let (lat, ele, second) = (47.0 + 1e-5 * i as f64, i % 7, i % 60);
        format!("<trkpt lat=\"{lat:.6}\" lon=\"8\"><ele>{ele}</ele><time>2024-01-01T00:00:{second:02}Z</time></trkpt>")
    };
    let points: String = (0..250_000).map(point).collect();
    place.write("c.gpx", format!("<gpx><trk><trkseg>{points}</trkseg></trk></gpx>"));
    place.write("c.toml", "kind = 'gpx'\nfile = 'c.gpx'\nas = 'polyline'");
    let limited = format!("ulimit -d {MOST} && exec \"$0\" curves show ./c.toml");
    let mut command = Command::new("sh");
    command.args(["-c", &limited, env!("CARGO_BIN_EXE_kugelbahn")]).current_dir(place.path("c.toml").parent().unwrap());
    let outcome = command.output().unwrap();
    assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stderr));
}

#[test]
fn tables() {
    let rows = |count: u32| (0..count).map(|i| format!("{i},1\n")).collect::<String>();
    refused("line.csv", "1,".repeat(5_000_000), "as = 'polyline'", "which columns are x and y");
    refused("rows.csv", rows(3_000_000), "as = 'polyline'", "more than 250000 rows");
    refused("text.csv", "a\n".repeat(20_000_000), "as = 'polyline'", "which columns are x and y");
}

#[test]
fn tracks() {
    let points = "<trkpt lat=\"0\" lon=\"0\"><ele>1</ele></trkpt>".repeat(450_000);
    let track = format!("<gpx><trk><trkseg>{points}</trkseg></trk></gpx>");
    refused("points.gpx", track, "as = 'polyline'", "tags and 900000 attributes are too many");
}
