//! [`Finding`]: a property of the ground that matters to a ball, with cause and cure.

use curves::OSCULATING;
use nalgebra::Vector2;
use scenario::curve::Noise;
use scenario::input::short;

/// A property of the ground that matters to a ball.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Name of its kind, for programs.
    pub code: &'static str,
    /// Its place; `None`: the whole ground.
    pub place: Option<GroundPlace>,
    /// Severity among findings of its kind, in a unit of the kind: larger is worse.
    pub size: f64,
    /// Cause, in one line.
    pub cause: String,
    /// Cure, in one line.
    pub cure: String,
}

/// A place on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPlace {
    /// Parameter s as in outputs: x, the curve's own parameter, or arc length, m.
    pub s: f64,
    /// Point of the ground, m.
    pub point: Vector2<f64>,
}

impl Finding {
    pub(super) fn new(code: &'static str, place: GroundPlace, size: f64, [cause, cure]: [String; 2]) -> Self {
        Finding { code, place: Some(place), size, cause, cure }
    }

    /// Points that scatter about a smooth curve, by this noise.
    pub(super) fn noise(noise: &Noise) -> Self {
        let size = noise.false_curvature;
        Finding { code: "noise", place: None, size, cause: noise.cause(), cure: noise.cure() }
    }

    /// A convex corner, which turns away from the ball by `turn` (rad).
    pub(super) fn corner(place: GroundPlace, turn: f64) -> Self {
        let cause = format!("turns by {}° away from the ball", short(turn.to_degrees()));
        let cure = "nothing, if it is meant: a ball pivots on it, a point mass leaves; else put an arc between";
        Finding::new("corner", place, turn, [cause, cure.to_owned()])
    }

    /// A concave corner, which turns towards the ball by `turn` (rad).
    pub(super) fn concave_corner(place: GroundPlace, turn: f64) -> Self {
        let cause = format!("turns by {}° towards the ball, which hits it", short(turn.to_degrees()));
        let cure = "nothing, if it is meant: expect an impact; else put an arc between, wider than the ball";
        Finding::new("concave-corner", place, turn, [cause, cure.to_owned()])
    }

    /// A jump of the curvature (1/m) at a continuous tangent.
    pub(super) fn curvature_jump(place: GroundPlace, before: f64, after: f64) -> Self {
        let jump = after - before;
        let [from, to, by] = [before, after, jump].map(short);
        let cause = format!("curvature jumps from {from} to {to} 1/m: the normal force by {by} N per kg at 1 m/s");
        let cure = "nothing, if forces may jump; else a `clothoid`, `spline` or `bezier` that eases the curvature in";
        Finding::new("curvature-jump", place, jump.abs(), [cause, cure.to_owned()])
    }

    /// A valley whose least radius `valley` is not larger than the radius `ball` (m).
    pub(super) fn narrow_valley(place: GroundPlace, valley: f64, ball: f64) -> Self {
        // Equal within the tolerance of runs: the ball just fits.
        let told = if (1.0 / valley * ball - 1.0).abs() <= OSCULATING {
            [
                format!(
                    "a valley of radius {} m, the ball's own to a part of {OSCULATING:e}: it would touch along a stretch, and runs stop \
                     there",
                    short(valley)
                ),
                format!("a radius that differs by more than a part of {OSCULATING:e}"),
            ]
        } else {
            let [valley, ball] = [apart(valley, ball), apart(ball, valley)];
            [
                format!("a valley of radius {valley} m, but the ball's is {ball} m: it touches twice"),
                format!("a ball of radius below {valley} m, or a wider valley"),
            ]
        };
        Finding::new("narrow-valley", place, 1.0 / valley, told)
    }

    /// A slot of this `width` between `place` and `across`, too narrow for a ball of radius `ball` (m).
    pub(super) fn slot(place: GroundPlace, across: Vector2<f64>, width: f64, ball: f64) -> Self {
        let [gap, x, y, diameter] = [width, across.x, across.y, 2.0 * ball].map(short);
        let cause = format!(
            "only {gap} m to the ground at ({x}, {y}), but the ball's diameter is {diameter} m: it touches both, or does not come here"
        );
        let cure = format!("nothing, if it is meant; a ball of radius below {} m, or more room", short(0.5 * width));
        Finding::new("slot", place, 1.0 / width, [cause, cure])
    }

    /// The place from which on slots were not looked for.
    pub(super) fn no_more_slots(place: GroundPlace) -> Self {
        let cause = "from here on slots were not looked for: there are too many places to look at";
        let cure = "check a part of it, with a smaller `domain` or fewer curves, or a ball of another radius";
        Finding::new("no-more-slots", place, 0.0, [cause, cure].map(str::to_owned))
    }
}

/// The value with as many digits as tell it from `other`.
fn apart(value: f64, other: f64) -> String {
    if short(value) == short(other) { value.to_string() } else { short(value) }
}
