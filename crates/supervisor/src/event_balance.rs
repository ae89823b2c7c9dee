//! Balance of place and momentum at every event: a change without impulse, or beyond it, is an error.

use curves::{Beyond, Frame, Place};
use mechanics::State;
use nalgebra::Vector2;
use numbers::{Interval, Rounding};

use crate::{Event, EventKind, Phase, Quantity, Scene, Stop};

/// The largest residual of one kind in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Residual {
    /// Largest size, in the unit of its kind.
    pub size: f64,
    /// Time of this residual, s.
    pub time: f64,
}

/// The largest residuals of events and changes of phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Balance {
    /// `|q⁺ − q⁻|`, m.
    pub place: Residual,
    /// `|m Δv − Σ(P_n n + P_t τ)|`, N s.
    pub momentum: Residual,
    /// `|I Δω − R Σ P_t|`, N m s.
    pub angular_momentum: Residual,
    /// Distance from the ground that is touched, m.
    pub ground: Residual,
    /// Distance of the place where a capture lands from the end of its parabola, or of a released ball from the ground,
    /// m: intended, and not part of the others.
    pub captured: Residual,
    /// Largest speed at the instant of the last changes, m/s: the ball reached their place with it.
    reached: Residual,
}

/// Changes by an event that are intended although no impulse makes them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IntendedChange {
    /// Momentum of a capture by the forces during it, N s.
    pub momentum: Vector2<f64>,
    /// Distance between places that counts as zero, beyond the rounding of the ground, m: where two walls meet.
    pub length: f64,
}

impl IntendedChange {
    /// An event all of whose changes are by its impulses.
    pub const NOTHING: IntendedChange = IntendedChange { momentum: Vector2::new(0.0, 0.0), length: 0.0 };
}

impl Balance {
    /// Records the residuals `[place, momentum, angular momentum, distance from the ground]` of a change.
    #[inline]
    pub fn see(&mut self, [place, momentum, angular_momentum, ground]: [f64; 4], time: f64) {
        self.place.see(place, time);
        self.momentum.see(momentum, time);
        self.angular_momentum.see(angular_momentum, time);
        self.ground.see(ground, time);
    }
}

impl Residual {
    /// Records another residual; NaN counts as larger than all, and stays.
    pub fn see(&mut self, size: f64, time: f64) {
        if size > self.size || size.is_nan() {
            *self = Residual { size, time };
        }
    }
}

struct Change<'a> {
    before: &'a State,
    after: &'a State,
    place: Place,
    /// `Σ(P_n n + P_t τ)`, N s.
    impulse: Vector2<f64>,
    /// `Σ P_t`, N s.
    tangential: f64,
    /// `Σ |P|`, N s, for the rounding of a sum of impulses that nearly cancel.
    pushed: f64,
    /// Whether the ball is on the ground after the change.
    touches: bool,
    /// Distance between places that counts as zero, as [`IntendedChange::length`].
    open: f64,
}

/// Residuals of a change as for [`Balance::see`], with rounding and speed of its states.
#[derive(Clone, Copy, Default)]
pub(crate) struct Residuals {
    pub residuals: [f64; 4],
    pub rounding: Rounding,
    /// Largest speed of the centre, by components, and of the rim, m/s.
    pub speed: f64,
}

/// Scene whose events are balanced, and whether residuals beyond rounding are errors.
#[derive(Clone, Copy)]
pub(crate) struct Balanced<'a> {
    pub scene: &'a Scene,
    pub judged: bool,
}

impl Balance {
    /// Balances rows of one instant, which share the states before and after.
    #[inline]
    pub(crate) fn rows<'e>(
        &mut self,
        of: Balanced,
        rows: impl Iterator<Item = &'e Event>,
        meant: IntendedChange,
    ) -> Result<Option<(Residuals, &'e State)>, Stop> {
        let (mut impulse, mut tangential, mut pushed) = (meant.momentum, 0.0, 0.0);
        let mut ends = None;
        for row in rows {
            ends = Some((ends.map_or(row, |(first, _)| first), row));
            // A release reports the impulse of the whole contact.
            if row.kind != EventKind::Release {
                impulse += row.frame.normal * row.normal_impulse + row.frame.tangent * row.tangential_impulse;
                tangential += row.tangential_impulse;
                pushed += row.normal_impulse.abs() + row.tangential_impulse.abs();
            }
        }
        let Some((first, last)) = ends else { return Ok(None) };
        let touches = !matches!(last.phase_after, Phase::Flight | Phase::Compressed);
        let (before, after, place, open) = (&first.before, &last.after, first.place, meant.length);
        let left = self.check(of, Change { before, after, place, impulse, tangential, pushed, touches, open })?;
        Ok(Some((left, after)))
    }

    /// Balances a change of phase or of the piece of ground; the ball touches at `place` if `touches`.
    pub(crate) fn change(
        &mut self,
        of: Balanced,
        before: &State,
        after: &State,
        place: Place,
        touches: bool,
    ) -> Result<Residuals, Stop> {
        let (impulse, tangential) = (Vector2::zeros(), 0.0);
        self.check(of, Change { before, after, place, impulse, tangential, pushed: 0.0, touches, open: 0.0 })
    }

    /// Records the residuals of a change, and fails for one beyond 1000 rounding errors if they are judged.
    #[inline(always)]
    fn check(&mut self, Balanced { scene, judged }: Balanced, change: Change) -> Result<Residuals, Stop> {
        let Scene { ground, ball, .. } = scene;
        let Change { before, after, place, impulse, tangential, pushed, touches, open } = change;
        let (time, radius) = (after.time, ball.radius());
        let length = |v: Vector2<f64>| v.x.abs() + v.y.abs();
        let away = if touches { ((after.position - ground.ground_point(place)).norm() - radius).abs() } else { 0.0 };
        let residuals = [
            length(after.position - before.position),
            length(ball.mass() * (after.velocity - before.velocity) - impulse),
            if ball.turns() { (ball.inertia() * (after.spin - before.spin) - radius * tangential).abs() } else { 0.0 },
            away,
        ];
        self.see(residuals, time);
        if !judged {
            return Ok(Residuals { residuals, ..Residuals::default() });
        }
        let speed =
            length(before.velocity).max(length(after.velocity)) + radius * before.spin.abs().max(after.spin.abs());
        let speed = if self.reached.time == time { speed.max(self.reached.size) } else { speed };
        self.reached = Residual { size: speed, time };
        let mut rounding = Rounding::of_motion(length(after.position) + radius, time, speed, 0.0);
        let (pushed, left) = (pushed / ball.mass(), Residuals { residuals, rounding, speed });
        rounding.velocity += f64::EPSILON * pushed;
        let allowed = |rounding: &Rounding| {
            let momentum = Rounding::WRONG * ball.mass() * rounding.velocity;
            let length = Rounding::WRONG * rounding.length;
            [length, momentum, radius * momentum, length]
        };
        let [a, b, c, d] = allowed(&rounding);
        // Most changes are within the rounding of the state alone. NaN counts as beyond rounding.
        if residuals[0] <= a && residuals[1] <= b && residuals[2] <= c && residuals[3] <= d {
            return Ok(left);
        }
        let PlaceRounding { along, across, frame } = place_rounding(scene, place, after, speed.max(pushed), rounding);
        let moved = after.position - before.position;
        let [aside, off] = [moved.dot(&frame.tangent), moved.dot(&frame.normal)].map(f64::abs);
        let [length, momentum, angular, _] = allowed(&Rounding { length: along.length + open, ..along });
        // An error of the parameter moves a place along the ground, and off it only by the bend over that distance.
        let distance = Rounding::WRONG * (across + open) + 0.5 * frame.curvature.abs() * aside * aside;
        let judged = [
            (Quantity::Place, aside, length),
            (Quantity::Place, off, distance),
            (Quantity::Momentum, residuals[1], momentum),
            (Quantity::AngularMomentum, residuals[2], angular),
            (Quantity::Ground, away, distance),
        ];
        let wrong = judged.into_iter().find(|(_, size, allowed)| !(size <= allowed));
        let Some((quantity, _, allowed)) = wrong else { return Ok(left) };
        let residual = residuals[quantity as usize];
        Err(Stop::Unbalanced { time, centre: after.position, quantity, residual, allowed })
    }
}

/// Frame and rounding of a place: along the ground by that of the parameter, m, across it by that of the point.
struct PlaceRounding {
    along: Rounding,
    across: f64,
    frame: Frame,
}

/// Rounding of a state by its place on the ground: of the ground's formula, of the parameter, of a joint with a gap or
/// a turn, of the forces on the ball.
#[cold]
fn place_rounding(scene: &Scene, place: Place, state: &State, speed: f64, rounding: Rounding) -> PlaceRounding {
    let Scene { ground, forces, .. } = scene;
    let (s, range, frame) = (place.parameter(), ground.range(place), ground.frame(place));
    let part = Interval::new(s - f64::EPSILON * s.abs(), s + f64::EPSILON * s.abs());
    let over = ground.enclosure(place, part.intersection(range).unwrap_or(part));
    let width = |[x, y]: [Interval; 2]| x.width() + y.width();
    let length = rounding.length + width(over.position);
    // A normal has the rounding of its place, which is large on ground that the ball nearly fits.
    let turn = width(over.normal) + frame.curvature.abs() * length;
    // Gap and turn of a joint, which are no rounding.
    let mut joint = [0.0; 2];
    for forward in [false, true] {
        let end = place.at(if forward { range.hi } else { range.lo });
        let near = (end.parameter() - s).abs() * frame.speed <= Rounding::WRONG * length;
        if let (true, Beyond::Place(next) | Beyond::Second(next)) = (near, ground.beyond(place, forward)) {
            let (end, next) = (ground.frame(end), ground.frame(next));
            joint[0] += (next.position - end.position).lp_norm(1) / Rounding::WRONG;
            if end.tangent.dot(&next.tangent) > 0.0 {
                joint[1] += end.tangent.perp(&next.tangent).abs() / Rounding::WRONG;
            }
        }
    }
    let push = forces.force_at(state).norm() / forces.mass();
    let along = Rounding {
        length: length + joint[0],
        velocity: rounding.velocity + speed * (turn + joint[1]) + f64::EPSILON * push * state.time,
        ..rounding
    };
    PlaceRounding { along, across: rounding.length + ground.rounding_across(place) + joint[0], frame }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use curves::{Ground, OffsetGround, Piece, Profile};
    use mechanics::{Ball, ContactLaw, Forces};
    use numbers::Number;

    use super::*;

    /// The largest residual stays, and NaN stays whatever comes later.
    #[test]
    fn residuals() {
        let mut seen = Residual::default();
        for (size, time) in [(1.0, 1.0), (0.5, 2.0), (f64::NAN, 3.0), (2.0, 4.0)] {
            seen.see(size, time);
        }
        assert!(seen.size.is_nan() && seen.time == 3.0);
    }

    #[derive(Debug)]
    struct Wave;

    impl Profile for Wave {
        fn point<N: Number>(&self, s: N) -> [N; 2] {
            [s, s.sin()]
        }
    }

    #[derive(Debug)]
    struct FineWave;

    impl Profile for FineWave {
        fn point<N: Number>(&self, s: N) -> [N; 2] {
            [s, s.scale(1e4).sin()]
        }
    }

    /// On a crest narrower than its ball, rounding of the parameter moves a place by a micrometre along the ground, and
    /// not off it.
    #[test]
    fn the_parameter_puts_no_place_off_the_ground() {
        let ball = Ball::new(1.0, 0.05, Ball::SOLID_SPHERE).unwrap();
        let ground = Ground::new(vec![Piece::new(FineWave, Interval::new(0.5026, 0.503))]).unwrap();
        let forces = Forces::gravity(&ball, Vector2::new(0.0, -9.81)).unwrap();
        let ground = Arc::new(OffsetGround::new(Arc::new(ground), ball.radius()));
        let scene = Scene::new(ground, ball, forces, ContactLaw::default());
        let place = Place::Piece { index: 0, parameter: 1600.5 * std::f64::consts::PI / 1e4 };
        let frame = scene.ground.frame(place);
        let velocity = Vector2::new(1.0, 0.5);
        let state =
            State { time: 1.0, position: frame.position, velocity, angle: 0.0, spin: 3.0, dissipated: 0.0, work: 0.0 };
        let check = |way: Vector2<f64>| {
            let before = State { position: frame.position + way, ..state };
            Balance::default().change(Balanced { scene: &scene, judged: true }, &before, &state, place, false)
        };
        assert!(check(1e-7 * frame.tangent).is_ok());
        assert!(matches!(check(1e-10 * frame.normal), Err(Stop::Unbalanced { quantity: Quantity::Place, .. })));
    }

    type Wrong = fn(&mut State, f64);

    /// A state that a reset moves by a ten-billionth in place, velocity, spin or distance from the ground ends the run,
    /// with the quantity named; a change within rounding does not, nor one that is only reported.
    #[test]
    fn a_wrong_state_ends_the_run() {
        let ball = Ball::new(1.0, 0.1, Ball::SOLID_SPHERE).unwrap();
        let ground = Ground::new(vec![Piece::new(Wave, Interval::new(-2.0, 2.0))]).unwrap();
        let forces = Forces::gravity(&ball, Vector2::new(0.0, -9.81)).unwrap();
        let ground = Arc::new(OffsetGround::new(Arc::new(ground), ball.radius()));
        let scene = Scene::new(ground, ball, forces, ContactLaw::default());
        let place = Place::Piece { index: 0, parameter: 0.5 };
        let position = scene.ground.frame(place).position;
        let velocity = Vector2::new(1.0, 0.5);
        let state = State { time: 1.0, position, velocity, angle: 0.0, spin: 3.0, dissipated: 0.0, work: 0.0 };
        let away = |state: &mut State, by: f64| state.position += Vector2::new(0.0, by);
        let cases: [(Wrong, Wrong, Quantity); 4] = [
            (|_, _| (), away, Quantity::Place),
            (|_, _| (), |state, by| state.velocity.x += by, Quantity::Momentum),
            // The moment of inertia is 0.004 kg m².
            (|_, _| (), |state, by| state.spin += 250.0 * by, Quantity::AngularMomentum),
            (away, away, Quantity::Ground),
        ];
        for (to_both, to_after, wrong) in cases {
            let check = |judged: bool, by: f64| {
                let (mut before, mut after) = (state, state);
                to_both(&mut before, by);
                to_after(&mut after, by);
                let mut balance = Balance::default();
                let checked = balance.change(Balanced { scene: &scene, judged }, &before, &after, place, true);
                (checked, [balance.place, balance.momentum, balance.angular_momentum, balance.ground])
            };
            let by = 1e-10;
            let (Err(Stop::Unbalanced { time, quantity, residual, allowed, .. }), _) = check(true, by) else {
                panic!("{wrong:?} carried on")
            };
            assert!(
                (time, quantity) == (1.0, wrong) && residual > 0.5 * by && allowed < by,
                "{residual:e} {allowed:e}"
            );
            let (reported, residuals) = check(false, by);
            assert!(reported.is_ok() && residuals[wrong as usize].size == residual);
            assert!(check(true, 1e-15).0.is_ok(), "{wrong:?}");
        }
    }
}
