//! Long tables load, and queries of long tracks cost what short ones do. Times of loading are rows of `benches`.

use std::fmt::Write;

use curves::{Ground, Motion, OffsetGround, Path, SearchCount};
use nalgebra::Vector2;
use scenario::curve::curve_from_text;

use crate::kinds_input::csv;

#[test]
fn as_many_rows_as_are_allowed_load() {
    let mut table = String::from("x [m];y [mm]\n");
    for i in 0..250_000 {
        let x = f64::from(i) * 0.001;
        let _ = writeln!(table, "{x:.3};{:.4}", 100.0 * (0.7 * x).sin());
    }
    for kind in ["polyline", "spline"] {
        let curve = csv(&table, &format!("as = '{kind}'")).unwrap();
        assert_eq!(curve.ground.pieces().len(), 249_999);
        let near = curve.ground.closest(Vector2::new(150.0, 3.0));
        assert!((near.point.x - 150.0).abs() < 5.0);
    }
}

/// A composite of lines and half circles.
fn long_track(pieces: usize) -> String {
    let mut text = String::from("kind = 'composite'\npieces = [\n");
    for i in 0..pieces {
        let x = 3 * (i / 2);
        let _ = match i % 2 {
            0 => writeln!(text, "{{ kind = 'line', from = [{x}, 0], to = [{}, 0] }},", x + 1),
            _ => writeln!(text, "{{ kind = 'arc', centre = [{}, 0], radius = 1, from = '-pi', to = 0 }},", x + 2),
        };
    }
    text + "]"
}

/// A query is logarithmic in the number of pieces.
#[test]
fn long_tracks_answer_fast() {
    let build = |pieces| curve_from_text(&long_track(pieces), std::path::Path::new("")).unwrap().ground;
    let work = |ground: Ground| {
        let length = 1.5 * ground.pieces().len() as f64;
        let offset = OffsetGround::new(ground.into(), 0.05);
        let mut count = SearchCount::default();
        for i in 0..200 {
            let x = length * ((f64::from(i) + 0.5) * 0.618).fract();
            let start = Motion {
                position: Vector2::new(x, 1.0),
                velocity: Vector2::new(1.0, 0.0),
                acceleration: Vector2::new(0.0, -9.81),
            };
            offset.first_contact(&Path::parabola(start, 1.0), None, &mut count).unwrap().unwrap();
        }
        count.evaluations + count.enclosures
    };
    let (few, many) = (work(build(5_000)), work(build(100_000)));
    println!("work of 200 first contacts: {few} on 5000 pieces, {many} on 100000");
    assert!(many < 2 * few);
}
