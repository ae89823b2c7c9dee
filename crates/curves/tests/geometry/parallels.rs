//! Parallels and images of curves.

use std::f64::consts::PI;

use curves::{Arc, Ground, Line, ParallelError, Piece, Profile, Shape, Similarity, parallel};
use nalgebra::Vector2;
use numbers::{Interval, Number};

/// A profile that keeps to itself what shape it has.
#[derive(Debug)]
struct Unshaped<P>(P);

impl<P: Profile> Profile for Unshaped<P> {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        self.0.point(s)
    }
}

/// The parallel of one piece.
fn beside(piece: &Piece, distance: f64) -> Piece {
    parallel(std::slice::from_ref(piece), distance).unwrap().remove(0).1
}

/// Images and parallels of lines and arcs are lines and arcs: the same curves as by their formula, in one evaluation.
#[test]
fn lines_and_arcs_stay_what_they_are() {
    let (line, length) = Line::new(Vector2::new(1.0, -2.0), Vector2::new(3.0, 1.0)).unwrap();
    let arc = |from: f64, to: f64| Arc::new(Vector2::new(-0.5, 2.0), 1.5, from, to).unwrap();
    let pair = |(arc, length): (Arc, f64)| {
        let domain = Interval::new(0.0, length);
        [Piece::of(arc, domain), Piece::new(Unshaped(arc), domain)]
    };
    let domain = Interval::new(0.0, length);
    let lines = [Piece::of(line, domain), Piece::new(Unshaped(line), domain)];
    let map = Similarity::mirror(Vector2::new(1.0, 2.0)).then(Similarity::scale(0.7)).then(Similarity::turn(2.0));
    let upright = Similarity::shift(Vector2::new(2.0, 0.1)).then(Similarity::scale(2.0));
    let maps = [map.around(Vector2::new(3.0, 1.0)), Similarity::turn(-3.0).then(Similarity::scale(2.0)), upright];
    for [exact, plain] in [lines, pair(arc(-3.0, 0.5)), pair(arc(2.0, 1.0))] {
        for map in maps {
            for distance in [0.4, -0.9] {
                let chain = |piece: &Piece| {
                    let first = beside(piece, distance).mapped(map);
                    [beside(&first.reversed(), -0.1), beside(&first, 0.05), piece.mapped(map), piece.reversed()]
                };
                for (i, (a, b)) in chain(&exact).iter().zip(&chain(&plain)).enumerate() {
                    let stays = matches!(exact.curve().shape(), Some(Shape::Line(_))) || map == upright || i == 3;
                    assert!(a.curve().shape().is_some() == stays && b.curve().shape().is_none());
                    for part in [0.0, 0.3, 1.0] {
                        let at = |piece: &Piece| piece.jet(piece.domain().lo + part * piece.domain().width());
                        let (a, b) = (at(a), at(b));
                        let off = (a.point - b.point).norm() + (a.tangent() - b.tangent()).norm();
                        assert!(off + (a.curvature() - b.curvature()).abs() < 4e-14, "{a:?} {b:?}");
                    }
                }
            }
        }
    }
    // A parallel of the whole circle inside it has exactly the smaller radius, and ends where its side has no more room.
    let (circle, length) = Arc::new(Vector2::zeros(), 1.0, 0.0, 2.0 * PI).unwrap();
    let circle = [Piece::new(circle, Interval::new(0.0, length))];
    let inner = parallel(&circle, 0.75).unwrap();
    assert_eq!(inner[0].1.domain().hi, 0.5 * PI);
    assert_eq!(inner[0].1.jet(0.0).point, Vector2::new(0.25, 0.0));
    assert!(matches!(parallel(&circle, 1.0), Err(ParallelError::Cusp { radius: 1.0, .. })));
}

/// The parallel of a curve without ends has none, either: cutting it into parts would not end.
#[test]
fn parallel_without_ends() {
    #[derive(Debug)]
    struct SineWave;
    impl Profile for SineWave {
        fn point<N: Number>(&self, s: N) -> [N; 2] {
            [s, s.scale(3.0).sin().scale(0.3)]
        }
    }
    let ground = |half: f64| {
        let chain = parallel(&[Piece::new(SineWave, Interval::new(-half, half))], 0.1).unwrap();
        Ground::new(chain.into_iter().map(|(_, piece)| piece).collect()).unwrap()
    };
    let [whole, part] = [f64::INFINITY, 20.0].map(ground);
    for i in 0..200 {
        let from = Vector2::new(-9.0 + 0.09 * f64::from(i), 0.4 + 0.01 * f64::from(i));
        let [one, other] = [whole.closest(from), part.closest(from)];
        assert!((one.distance - other.distance).abs() < 1e-14, "{one:?} {other:?}");
    }
}
