//! Balls as large as their valley.

use curves::{Arc, Ground, OSCULATING, OffsetGround, OsculationFree, Piece, Place, Profile};
use nalgebra::Vector2;
use numbers::{Interval, Number};

#[derive(Debug)]
struct Bowl;

impl Profile for Bowl {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        [s, s.square()]
    }
}

/// On `y = x²` with R = 1/2 + δ, `1 − κR = 1e-5` is where `(1 + 4x²)^{3/2} = 2R/(1 − 1e-5)`; a smaller ball finds none.
#[test]
fn parabola() -> Result<(), curves::GroundError> {
    let at = |s: f64| Place::Piece { index: 0, parameter: s };
    for above in [0.0, 1e-15, -1e-15, 1e-9, -1e-7, 1e-6, 1e-3] {
        let radius = 0.5 + above;
        let ground = Ground::new(vec![Piece::new(Bowl, Interval::REAL)])?;
        let offset = OffsetGround::new(ground.into(), radius);
        let expected = (0.25 * ((2.0 * radius / (1.0 - OSCULATING)).powf(2.0 / 3.0) - 1.0)).sqrt();
        for from in [0.3, 1.0, 1e3] {
            let OsculationFree { reached: found, fits } = offset.osculation_free(at(from), -from);
            assert!(
                fits && found >= expected && found - expected < 1e-9 + 4e-12 * from,
                "{above:e} {from}: {found} {expected}"
            );
            assert_eq!(offset.osculation_free(at(from), f64::INFINITY).reached, f64::INFINITY);
        }
        assert!(offset.osculates(&offset.frame(at(0.0))) && !offset.osculates(&offset.frame(at(0.1))));
    }
    let ground = Ground::new(vec![Piece::new(Bowl, Interval::REAL)])?;
    let offset = OffsetGround::new(ground.into(), 0.5 - 6e-6);
    assert_eq!(offset.osculation_free(at(1.0), -1.0), OsculationFree { reached: -1.0, fits: false });
    Ok(())
}

/// A whole arc of the ball's own radius.
#[test]
fn arc() -> Result<(), curves::GroundError> {
    for (radius, osculating) in [(0.1, true), (0.1 - 1e-7, true), (0.1 + 1e-10, true), (0.0999, false)] {
        let Some((arc, length)) = Arc::new(Vector2::zeros(), 0.1, -3.0, -0.2) else { continue };
        let ground = Ground::new(vec![Piece::of(arc, Interval::new(0.0, length))])?;
        let offset = OffsetGround::new(ground.into(), radius);
        let middle = Place::Piece { index: 0, parameter: 0.5 * length };
        assert_eq!(offset.osculates(&offset.frame(middle)), osculating, "{radius}");
        assert_eq!(offset.osculation_free(middle, length).fits, osculating, "{radius}");
    }
    Ok(())
}

/// `y = x²/2`, with a sum of squares that bounds of its derivatives don't know to be 1.
#[derive(Debug)]
struct Disguised;

impl Profile for Disguised {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        let (sine, cosine) = s.scale(1e4).sin_cos();
        [s, s.square().scale(0.5) + sine.square() + cosine.square()]
    }
}

/// A way was told to be proven to its end though the parts looked at were used up: the end was returned in any case.
#[test]
fn proof_that_is_cut_short() -> Result<(), curves::GroundError> {
    let ground = Ground::new(vec![Piece::new(Disguised, Interval::new(-0.5, 0.5))])?;
    let found = OffsetGround::new(ground.into(), 0.5).osculation_free(Place::Piece { index: 0, parameter: -0.5 }, 0.5);
    assert!(!found.fits && -0.5 < found.reached && found.reached < 0.5, "{found:?}");
    Ok(())
}
