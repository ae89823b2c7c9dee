//! A balance of place and momentum at every event: what a reset changes without an impulse, or beyond it, is an error.

use curves::{Beyond, Interval, Place, Rounding};
use flight::FlightMethod;
use mechanics::State;
use nalgebra::Vector2;
use rolling::ContactMethod;

use crate::run::Supervisor;
use crate::{Event, EventKind, Localisation, Phase, Scene, Stop};

/// Rounding errors that a residual may have before it is a wrong state.
const JUDGED: f64 = 1e3;

/// The largest residual of its kind in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// In the unit of its kind.
    pub size: f64,
    /// When, s.
    pub time: f64,
}

/// The largest residuals of events and changes of phase.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// `|q⁺ − q⁻|`, m.
    pub place: Residual,
    /// `|m Δv − Σ(P_n n + P_t τ)|`, N s.
    pub momentum: Residual,
    /// `|I Δω − R Σ P_t|`, N m s.
    pub angular_momentum: Residual,
    /// Distance from the ground that the ball is said to touch, m.
    pub ground: Residual,
    /// By how much captures put the ball off its frozen path, which is meant and in none of the above, m.
    pub captured: Residual,
}

/// What a balance is drawn up of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Place of the centre, m.
    Place,
    /// Momentum, N s.
    Momentum,
    /// Angular momentum about the centre, N m s.
    AngularMomentum,
    /// Distance from the ground, m.
    Ground,
}

impl Quantity {
    /// Its name and unit.
    pub fn name(self) -> [&'static str; 2] {
        match self {
            Quantity::Place => ["place", "m"],
            Quantity::Momentum => ["momentum", "N s"],
            Quantity::AngularMomentum => ["angular momentum", "N m s"],
            Quantity::Ground => ["distance from the ground", "m"],
        }
    }
}

impl Residual {
    /// Takes another one in; NaN counts as larger than all.
    pub(crate) fn see(&mut self, size: f64, time: f64) {
        if !(size <= self.size) {
            *self = Residual { size, time };
        }
    }
}

/// A change of state at one time.
struct Change<'a> {
    before: &'a State,
    after: &'a State,
    place: Place,
    /// `Σ(P_n n + P_t τ)`, N s.
    impulse: Vector2<f64>,
    /// `Σ P_t`, N s.
    tangential: f64,
    /// Whether the ball is on the ground after it.
    touches: bool,
}

impl<F: FlightMethod, C: ContactMethod> Supervisor<'_, F, C> {
    /// Balances rows of one instant, which share the states before and after; `meant` is momentum (N s) that a jump leaves to
    /// the forces that act during it.
    #[inline]
    pub(crate) fn balance<'e>(
        &mut self,
        rows: impl Iterator<Item = &'e Event>,
        meant: Vector2<f64>,
    ) -> Result<(), Stop> {
        let (mut impulse, mut tangential) = (meant, 0.0);
        let mut ends = None;
        for row in rows {
            ends = Some((ends.map_or(row, |(first, _)| first), row));
            // A release tells the impulse of the whole contact.
            if row.kind != EventKind::Release {
                impulse += row.frame.normal * row.normal_impulse + row.frame.tangent * row.tangential_impulse;
                tangential += row.tangential_impulse;
            }
        }
        let Some((first, last)) = ends else { return Ok(()) };
        let touches = !matches!(last.phase_after, Phase::Flight | Phase::Compressed);
        self.check(Change {
            before: &first.before,
            after: &last.after,
            place: first.place,
            impulse,
            tangential,
            touches,
        })
    }

    /// Balances a change of phase or of the piece of ground; the ball touches at `place` if `touches`.
    pub(crate) fn balance_change(
        &mut self,
        before: &State,
        after: &State,
        place: Place,
        touches: bool,
    ) -> Result<(), Stop> {
        let (impulse, tangential) = (Vector2::zeros(), 0.0);
        self.check(Change { before, after, place, impulse, tangential, touches })
    }

    #[inline]
    fn check(&mut self, change: Change) -> Result<(), Stop> {
        let Scene { ground, ball, .. } = self.scene;
        let Change { before, after, place, impulse, tangential, touches } = change;
        let (time, radius) = (after.time, ball.radius());
        let length = |v: Vector2<f64>| v.x.abs() + v.y.abs();
        let away = if touches { ((after.position - ground.ground_point(place)).norm() - radius).abs() } else { 0.0 };
        let residuals = [
            length(after.position - before.position),
            length(ball.mass() * (after.velocity - before.velocity) - impulse),
            if ball.turns() { (ball.inertia() * (after.spin - before.spin) - radius * tangential).abs() } else { 0.0 },
            away,
        ];
        let balance = &mut self.count.balance;
        balance.place.see(residuals[0], time);
        balance.momentum.see(residuals[1], time);
        balance.angular_momentum.see(residuals[2], time);
        balance.ground.see(residuals[3], time);
        if self.localisation == Localisation::Deck {
            return Ok(());
        }
        let speed =
            length(before.velocity).max(length(after.velocity)) + radius * before.spin.abs().max(after.spin.abs());
        let rounding = Rounding::of_motion(length(after.position) + radius, time, speed, 0.0);
        let allowed = |rounding: &Rounding| {
            let momentum = JUDGED * ball.mass() * rounding.velocity;
            let length = JUDGED * rounding.length;
            [length, momentum, radius * momentum, length]
        };
        let holds = |allowed: [f64; 4]| residuals.iter().zip(allowed).all(|(residual, allowed)| *residual <= allowed);
        if holds(allowed(&rounding)) {
            return Ok(());
        }
        let allowed = allowed(&self.known(place, after, speed, rounding));
        let all = [Quantity::Place, Quantity::Momentum, Quantity::AngularMomentum, Quantity::Ground];
        match (0..4).find(|i| !(residuals[*i] <= allowed[*i])) {
            None => Ok(()),
            Some(i) => Err(Stop::Unbalanced {
                time,
                centre: after.position,
                quantity: all[i],
                residual: residuals[i],
                allowed: allowed[i],
            }),
        }
    }

    /// The rounding of a state whose place on the ground is evaluated: of the ground there, of its parameter, of a joint whose
    /// ends are apart or whose tangents turn, of what acts on the ball.
    #[cold]
    fn known(&self, place: Place, state: &State, speed: f64, rounding: Rounding) -> Rounding {
        let Scene { ground, forces, .. } = self.scene;
        let (s, range, frame) = (place.parameter(), ground.range(place), ground.frame(place));
        let part = Interval::new(s - f64::EPSILON * s.abs(), s + f64::EPSILON * s.abs());
        let over = ground.enclosure(place, part.intersection(range).unwrap_or(part));
        let width = |[x, y]: [Interval; 2]| x.width() + y.width();
        let (mut length, mut turn) = (width(over.position), width(over.normal));
        for forward in [false, true] {
            let end = place.at(if forward { range.hi } else { range.lo });
            let near = (end.parameter() - s).abs() * frame.speed <= JUDGED * (rounding.length + length);
            if let (true, Beyond::Place(next) | Beyond::Second(next)) = (near, ground.beyond(place, forward)) {
                let (end, next) = (ground.frame(end), ground.frame(next));
                length += (next.position - end.position).norm();
                if end.tangent.dot(&next.tangent) > 0.0 {
                    turn += end.tangent.perp(&next.tangent).abs();
                }
            }
        }
        let push = forces.force_at(state).norm() / forces.mass();
        Rounding {
            length: rounding.length + length,
            velocity: rounding.velocity + speed * turn + f64::EPSILON * push * state.time,
            ..rounding
        }
    }
}
