//! Long tables and drawings load fast.

use std::fmt::Write;
use std::time::Instant;

use curves::{Ground, Motion, OffsetGround, Path, SearchCount};
use nalgebra::Vector2;
use scenario::curve::curve_from_text;

use crate::kinds_input::csv;

#[test]
fn as_many_rows_as_are_allowed_load() {
    let mut table = String::from("x [m];y [mm]\n");
    for i in 0..300_000 {
        let x = f64::from(i) * 0.001;
        let _ = writeln!(table, "{x:.3};{:.4}", 100.0 * (0.7 * x).sin());
    }
    for kind in ["polyline", "spline"] {
        let start = Instant::now();
        let curve = csv(&table, &format!("as = '{kind}'")).unwrap();
        println!("300 000 rows as {kind}: {:?}", start.elapsed());
        assert_eq!(curve.ground.pieces().len(), 299_999);
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

/// Loading is linear, a query logarithmic in the number of pieces.
#[test]
fn long_tracks_load_and_answer_fast() {
    let build = |pieces: usize| {
        let text = long_track(pieces);
        let time = |_| {
            let start = Instant::now();
            let curve = curve_from_text(&text, std::path::Path::new("")).unwrap();
            (start.elapsed().as_secs_f64(), curve)
        };
        let (seconds, curve) = (0..3).map(time).min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        println!("a composite of {pieces} pieces loads in {seconds:.3} s");
        (seconds, curve.ground)
    };
    let ((small_time, small), (large_time, large)) = (build(5_000), build(100_000));
    assert!(large_time < 60.0 * small_time, "{small_time} s for 5000 pieces, {large_time} s for 100000");
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
    let (few, many) = (work(small), work(large));
    println!("work of 200 first contacts: {few} on 5000 pieces, {many} on 100000");
    assert!(many < 2 * few);
}
