//! Two contacts at once: the algebra of a ball wedged between two places of the ground.

use curves::{Frame, Rounding};
use nalgebra::Vector2;

use crate::{Ball, ContactLaw, Friction, State, impact};

/// Two contacts of one ball with normals that are not parallel: closed together they hold its centre.
///
/// ```text
/// σ = n₁×n₂      P₁ n₁ + P₂ n₂ = r   ⟺   P₁ = r·τ₂/σ,  P₂ = −r·τ₁/σ
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wedge {
    normals: [Vector2<f64>; 2],
    tangents: [Vector2<f64>; 2],
    /// σ
    sine: f64,
    /// n₁·n₂
    cosine: f64,
}

/// Which coefficients of restitution an impact on two contacts went by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restitution {
    /// e and e_t as the law has them.
    AsGiven,
    /// e stood for e_t, where that is another number and the ball spins: Coulomb's law allows no other, or friction has no
    /// limit.
    NormalForBoth,
    /// Both counted as 0: they would drive the ball into a contact that opens.
    None,
}

/// What an impact on two contacts does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WedgeImpact {
    /// Velocity after, m/s; exactly 0 where the ball stays wedged.
    pub velocity: Vector2<f64>,
    /// Spin after, rad/s.
    pub spin: f64,
    /// `P_n` of each contact, N s; 0: it takes no part.
    pub normal_impulses: [f64; 2],
    /// `P_t` of each contact along its τ, N s.
    pub tangential_impulses: [f64; 2],
    /// `v·n` after of each contact, m/s; exactly 0 where it neither closes nor opens.
    pub normal_velocities: [f64; 2],
    /// `u` of each contact after, m/s; exactly 0 where friction stopped it.
    pub slips: [f64; 2],
    /// The coefficients it went by.
    pub restitution: Restitution,
}

/// Which contacts push a ball whose centre is at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Held {
    /// Both.
    Wedged,
    /// One, of this index: the other opens.
    By(usize),
    /// None.
    Free,
}

/// Forces of the ground on a wedged ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WedgeForces {
    /// λ of each contact, N. Negative: the ground would have to pull.
    pub normal: [f64; 2],
    /// f of each contact along its τ, N.
    pub friction: [f64; 2],
    /// `ω̇`, rad/s².
    pub spin_acceleration: f64,
}

/// What rounding makes of a velocity or an impulse, relative to the ball's.
const GRAIN: f64 = Rounding::SUM * f64::EPSILON;

impl Wedge {
    /// Normals closer to parallel than this (|σ|) hold nothing that rounding would leave.
    pub const PARALLEL: f64 = 1e-9;

    /// Of two frames at one place of the centre; `None` where the normals are parallel.
    pub fn new(frames: [&Frame; 2]) -> Option<Self> {
        let normals = frames.map(|frame| frame.normal);
        let sine = normals[0].perp(&normals[1]);
        let tangents = frames.map(|frame| frame.tangent);
        (sine.abs() > Wedge::PARALLEL).then(|| Wedge { normals, tangents, sine, cosine: normals[0].dot(&normals[1]) })
    }

    /// σ
    pub fn sine(&self) -> f64 {
        self.sine
    }

    /// Directions d₁, d₂ with `λᵢ = dᵢ·F`, F being what acts apart from the ground, where both contacts slip so that
    /// `drag = μ sign(u)`; 0 for no friction. Slip turns both contact forces by atan μ, so that with `μ̂ = drag`
    ///
    /// ```text
    /// d₁ = −(τ₂ + μ̂ n₂)/(σ(1+μ̂²))      d₂ = (τ₁ + μ̂ n₁)/(σ(1+μ̂²))
    /// ```
    pub fn directions(&self, drag: f64) -> [Vector2<f64>; 2] {
        let scale = 1.0 / (self.sine * (1.0 + drag * drag));
        let along = |i: usize| (self.tangents[i] + drag * self.normals[i]) * scale;
        [-along(1), along(0)]
    }

    /// `μ sign(u)` of a ball that spins where it is wedged; 0 where that does not slow it.
    pub fn drag(ball: &Ball, law: &ContactLaw, spin: f64) -> f64 {
        match law.friction() {
            Friction::Coefficient(mu) if ball.turns() && spin != 0.0 => mu * spin.signum(),
            _ => 0.0,
        }
    }

    /// Forces that hold the centre at rest under `force` (N).
    ///
    /// A ball that spins slips at both contacts: they are unique. With `ω = 0` and friction they are not: any `±T` along
    /// the tangents that the cones allow may be added, with `T tan(δ/2)` to both normal forces (δ between the normals).
    /// These are the ones without friction; [`Wedge::friction_range`] says what else there is.
    pub fn forces(&self, ball: &Ball, law: &ContactLaw, force: Vector2<f64>, spin: f64) -> WedgeForces {
        let drag = Wedge::drag(ball, law, spin);
        let normal = self.directions(drag).map(|direction| direction.dot(&force));
        let friction = normal.map(|normal| -drag * normal);
        WedgeForces { normal, friction, spin_acceleration: ball.spin_by(friction[0] + friction[1]) }
    }

    /// The friction `f₁ = T`, `f₂ = −T` that a ball that turns, at rest under `force`, may have as well (N): from, to.
    pub fn friction_range(&self, law: &ContactLaw, force: Vector2<f64>) -> [f64; 2] {
        let normal = self.directions(0.0).map(|direction| direction.dot(&force));
        self.range(law, normal, 0.0)
    }

    /// `tan(δ/2)` with the sign of σ.
    fn squeeze(&self) -> f64 {
        (1.0 - self.cosine) / self.sine
    }

    /// The values of T for which `f₁ = S/2 + T`, `f₂ = S/2 − T` and `λᵢ = Aᵢ + T tan(δ/2)` obey Coulomb's law; from > to
    /// if there are none.
    fn range(&self, law: &ContactLaw, normal: [f64; 2], sum: f64) -> [f64; 2] {
        let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
        // a + b T ≥ 0
        let mut at_least = |a: f64, b: f64| {
            if b > 0.0 {
                from = from.max(-a / b);
            } else if b < 0.0 {
                to = to.min(-a / b);
            } else if a < 0.0 {
                to = f64::NEG_INFINITY;
            }
        };
        for (i, sign) in [(0, 1.0), (1, -1.0)] {
            match law.friction() {
                Friction::Infinite => at_least(normal[i], self.squeeze()),
                Friction::Coefficient(mu) => {
                    for side in [1.0, -1.0] {
                        at_least(mu * normal[i] + side * 0.5 * sum, mu * self.squeeze() + side * sign);
                    }
                }
            }
        }
        [from, to]
    }

    /// Which contacts push a ball whose centre is at rest under `force`, to rounding.
    ///
    /// Coulomb's law allows more: with `μ tan(δ/2) ≥ 1` (δ between the normals) friction of any size could jam a ball
    /// that is free to leave. Of all that is allowed this is the motion without such a prestress: the ball stays wedged
    /// where normal forces alone can hold its centre (or, of a ball that spins, with the friction of its slip). The other
    /// cases are then unique, since the matrix of both contacts is a P-matrix: `det = σ²(1+μ̂²)`.
    pub fn held(&self, ball: &Ball, law: &ContactLaw, force: Vector2<f64>, spin: f64) -> Held {
        let slack = GRAIN * force.norm() / self.sine.abs();
        let drag = Wedge::drag(ball, law, spin);
        let both = self.directions(drag).map(|direction| direction.dot(&force));
        if both.iter().all(|normal| *normal >= -slack) {
            return Held::Wedged;
        }
        self.held_by_one(drag, force)
    }

    /// The same where both can't be: which of them pushes.
    pub fn held_by_one(&self, drag: f64, force: Vector2<f64>) -> Held {
        // How fast the other contact opens, N; it does unless the other one is right.
        let opens = |i: usize| {
            let normal = -force.dot(&self.normals[i]);
            let push = force + (self.normals[i] - drag * self.tangents[i]) * normal;
            if normal > 0.0 { push.dot(&self.normals[1 - i]) } else { f64::NEG_INFINITY }
        };
        let (first, second) = (opens(0), opens(1));
        match first.max(second) {
            f64::NEG_INFINITY => Held::Free,
            best => Held::By(if first == best { 0 } else { 1 }),
        }
    }

    /// An impact on both contacts, of which one at least closes.
    ///
    /// What takes part is decided by the plastic impact (e = 0), an LCP of two contacts with friction: one of them alone
    /// where it takes the ball away from the other, else both. One alone acts by [`impact`]; both bring
    ///
    /// ```text
    /// v⁺ = −e v       I (ω⁺ − ω) = R (P_t1 + P_t2)
    /// ```
    ///
    /// with slip at both if that leaves `ω` beyond `−e_t ω`, else `ω⁺ = −e_t ω`; e stands for e_t where the cones allow
    /// neither, and where friction has no limit. Kinetic energy never grows: |v⁺| ≤ |v| and
    /// |ω⁺| ≤ |ω|. What friction stopped the spin is not unique; of all that is allowed the difference of `P_t1` and `P_t2`
    /// is least. Where the law would drive the ball into a contact that was opening, restitution counts as 0
    /// ([`WedgeImpact::restitution`] tells). A contact that takes no part but stays closed does not slip where friction has
    /// no limit: a tangential impulse alone stops it.
    pub fn impact(&self, ball: &Ball, law: &ContactLaw, frames: [&Frame; 2], state: &State) -> WedgeImpact {
        let plastic = law.without_restitution();
        let grain = GRAIN * state.velocity.norm() / self.sine.abs();
        let before = self.normals.map(|normal| normal.dot(&state.velocity));
        let order = if before[0] <= before[1] { [0, 1] } else { [1, 0] };
        for i in order {
            if !(before[i] < 0.0) {
                continue;
            }
            let away = |hit: &WedgeImpact| hit.normal_velocities.iter().all(|velocity| *velocity >= -grain);
            let alone = self.alone(ball, &plastic, frames, state, i);
            if away(&alone) {
                let hit = self.gripped(ball, law, frames, self.alone(ball, law, frames, state, i), 1 - i, grain);
                let without = WedgeImpact { restitution: Restitution::None, ..alone };
                return self.settled(if away(&hit) { hit } else { without }, grain);
            }
        }
        let both = |law: &ContactLaw| {
            let hit = self.both(ball, law, state);
            WedgeImpact { normal_impulses: hit.normal_impulses.map(|impulse| impulse.max(0.0)), ..hit }
        };
        let opening = before.iter().any(|before| *before > grain);
        if opening && *law != plastic {
            let hit = both(&plastic);
            return self.settled(WedgeImpact { restitution: Restitution::None, ..hit }, grain);
        }
        self.settled(both(law), grain)
    }

    /// The same with contact `i`, which took no part, not slipping where it stays closed (to `grain`, m/s, of the velocity
    /// before) and friction has no limit.
    fn gripped(
        &self,
        ball: &Ball,
        law: &ContactLaw,
        frames: [&Frame; 2],
        hit: WedgeImpact,
        i: usize,
        grain: f64,
    ) -> WedgeImpact {
        let along = hit.velocity.dot(&self.tangents[i]);
        let slips = ball.slip_velocity(along, hit.spin) != 0.0;
        if law.friction() != Friction::Infinite || hit.normal_velocities[i].abs() > grain || !slips {
            return hit;
        }
        let grip = impact(ball, &law.without_restitution(), frames[i], self.tangents[i] * along, hit.spin);
        let velocity = grip.velocity;
        let mut tangential_impulses = hit.tangential_impulses;
        tangential_impulses[i] = grip.tangential_impulse;
        let normal_velocities = self.normals.map(|normal| velocity.dot(&normal));
        let mut slips = self.tangents.map(|tangent| ball.slip_velocity(velocity.dot(&tangent), grip.spin));
        slips[i] = 0.0;
        WedgeImpact { velocity, spin: grip.spin, tangential_impulses, normal_velocities, slips, ..hit }
    }

    /// Contact `i` takes it all.
    fn alone(&self, ball: &Ball, law: &ContactLaw, frames: [&Frame; 2], state: &State, i: usize) -> WedgeImpact {
        let hit = impact(ball, law, frames[i], state.velocity, state.spin);
        let pair = |this: f64, other: f64| if i == 0 { [this, other] } else { [other, this] };
        let across = hit.velocity.dot(&self.normals[1 - i]);
        let slip = ball.slip_velocity(hit.velocity.dot(&self.tangents[1 - i]), hit.spin);
        WedgeImpact {
            velocity: hit.velocity,
            spin: hit.spin,
            normal_impulses: pair(hit.normal_impulse, 0.0),
            tangential_impulses: pair(hit.tangential_impulse, 0.0),
            normal_velocities: pair(hit.normal_velocity, across),
            slips: pair(hit.slip, slip),
            restitution: Restitution::AsGiven,
        }
    }

    /// What brings the centre to rest (e = 0) at both contacts; where it goes away from one, the impulse of that is negative, so that
    /// both still sum to what the ball got.
    pub fn stop(&self, ball: &Ball, law: &ContactLaw, state: &State) -> WedgeImpact {
        self.settled(self.both(ball, &law.without_restitution(), state), 0.0)
    }

    /// Both take part.
    fn both(&self, ball: &Ball, law: &ContactLaw, state: &State) -> WedgeImpact {
        let e = law.restitution();
        let load = -(1.0 + e) * ball.mass() * state.velocity;
        let velocity = if e == 0.0 { Vector2::zeros() } else { -e * state.velocity };
        let without = [load.dot(&self.tangents[1]) / self.sine, -load.dot(&self.tangents[0]) / self.sine];
        let (mut normal, mut friction, mut spin) = (without, [0.0; 2], state.spin);
        let mut used = law.tangential_restitution();
        if ball.turns() && law.friction() != Friction::Coefficient(0.0) {
            let drag = Wedge::drag(ball, law, state.spin);
            let slipping = self.directions(drag).map(|direction| (-direction).dot(&load));
            let slowing = -drag * (slipping[0] + slipping[1]);
            // With e for e_t it is the plastic impact times 1 + e, which Coulomb's law allows.
            // A ball that can't slip rolls back from a wall with e of its spin.
            let first = if law.friction() == Friction::Infinite { e } else { law.tangential_restitution() };
            for restitution in [first, e] {
                used = restitution;
                let stops = -restitution * state.spin;
                let sum = (stops - state.spin) / ball.spin_by(1.0);
                if drag != 0.0 && slipping.iter().all(|normal| *normal >= 0.0) && slowing.abs() < sum.abs() {
                    normal = slipping;
                    friction = normal.map(|normal| -drag * normal);
                    spin = state.spin + ball.spin_by(slowing);
                    break;
                }
                // Normal impulses for T = 0.
                let shift = 0.5 * sum * (1.0 + self.cosine) / self.sine;
                let half = [without[0] - shift, without[1] + shift];
                let [from, to] = self.range(law, half, sum);
                let t = if from <= to { 0.0_f64.max(from).min(to) } else { 0.5 * (from + to) };
                normal = half.map(|half| half + t * self.squeeze());
                friction = [0.5 * sum + t, 0.5 * sum - t];
                spin = if stops == 0.0 { 0.0 } else { stops };
                if from <= to {
                    break;
                }
            }
        }
        let slips = self.tangents.map(|tangent| ball.slip_velocity(velocity.dot(&tangent), spin));
        let as_given = used == law.tangential_restitution() || state.spin == 0.0;
        WedgeImpact {
            velocity,
            spin,
            restitution: if as_given { Restitution::AsGiven } else { Restitution::NormalForBoth },
            normal_impulses: normal,
            tangential_impulses: friction,
            normal_velocities: self.normals.map(|normal| velocity.dot(&normal)),
            slips,
        }
    }

    /// Takes rounding off normal velocities that are none.
    fn settled(&self, mut hit: WedgeImpact, grain: f64) -> WedgeImpact {
        for velocity in &mut hit.normal_velocities {
            if velocity.abs() <= grain {
                *velocity = 0.0;
            }
        }
        if hit.normal_velocities == [0.0; 2] {
            hit.velocity = Vector2::zeros();
        }
        hit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(angle: f64) -> Frame {
        let normal = Vector2::new(angle.cos(), angle.sin());
        let tangent = Vector2::new(normal.y, -normal.x);
        Frame { position: Vector2::zeros(), tangent, normal, curvature: 0.0, speed: 1.0 }
    }

    /// Numbers in [0, 1) from a seed (a linear congruence of Knuth's).
    fn random(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Random impacts of all kinds: impulses bring what they say, push, keep to Coulomb's cones, leave no contact that
    /// closes, and never add energy.
    #[test]
    fn impacts() {
        let mut seed = 5;
        let (mut worst, mut both, mut stuck, mut other) = ([0.0_f64; 5], 0, 0, [0; 2]);
        for _ in 0..200_000 {
            let mut r = |lo: f64, hi: f64| lo + (hi - lo) * random(&mut seed);
            let turning = if r(0.0, 1.0) < 0.2 { 0.0 } else { r(0.05, 1.0) };
            let ball = Ball::new(r(0.1, 3.0), r(0.01, 1.0), turning).unwrap();
            let kind = r(0.0, 1.0);
            let friction = match kind {
                k if k < 0.15 => Friction::Infinite,
                k if k < 0.3 => Friction::Coefficient(0.0),
                _ => Friction::Coefficient(r(0.0, 2.0)),
            };
            let e = if r(0.0, 1.0) < 0.3 { 0.0 } else { r(0.0, 1.0) };
            let law = ContactLaw::new(e).unwrap().with_friction(friction).unwrap();
            let law = law.with_tangential_restitution(r(-1.0, 1.0)).unwrap();
            let angle = r(0.0, 3.0);
            let frames = [frame(angle), frame(angle + r(-3.1, 3.1))];
            let frames = [&frames[0], &frames[1]];
            let Some(wedge) = Wedge::new(frames) else { continue };
            let rolls = r(0.0, 1.0) < 0.3;
            let v = Vector2::new(r(-2.0, 2.0), r(-2.0, 2.0));
            let velocity = if rolls { frames[0].tangent * v.x } else { v };
            if frames.iter().all(|frame| frame.normal.dot(&velocity) >= -1e-12) {
                continue;
            }
            let spin = if r(0.0, 1.0) < 0.2 { 0.0 } else { r(-30.0, 30.0) };
            let (position, angle) = (Vector2::zeros(), 0.0);
            let state = State { time: 0.0, position, velocity, angle, spin, dissipated: 0.0, work: 0.0 };
            let hit = wedge.impact(&ball, &law, frames, &state);
            let impulses = [0, 1]
                .map(|i| frames[i].normal * hit.normal_impulses[i] + frames[i].tangent * hit.tangential_impulses[i]);
            let scale = 1.0 + impulses[0].norm();
            let missing = (ball.mass() * (hit.velocity - velocity) - impulses[0] - impulses[1]).norm() / scale;
            let turned = spin + ball.spin_by(hit.tangential_impulses.iter().sum());
            let energy = |v, w| ball.kinetic_energy(v, w);
            let (before, after) = (energy(velocity, spin), energy(hit.velocity, hit.spin));
            worst[0] = worst[0].max(missing);
            worst[1] = worst[1].max((turned - hit.spin).abs() / (scale * (1.0 + ball.spin_by(1.0))));
            worst[2] = worst[2].max((after - before) / before);
            for i in [0, 1] {
                assert!(hit.normal_impulses[i] >= 0.0 && hit.normal_velocities[i] >= 0.0, "{hit:?}");
                let beyond = hit.tangential_impulses[i].abs() - law.friction_limit(hit.normal_impulses[i]);
                worst[3] = worst[3].max(beyond / scale);
                let normal = frames[i].normal.dot(&hit.velocity) - hit.normal_velocities[i];
                worst[4] = worst[4].max(normal.abs());
            }
            both += u32::from(hit.normal_impulses.iter().all(|p| *p > 0.0));
            stuck += u32::from(hit.velocity == Vector2::zeros() && hit.spin == 0.0);
            match hit.restitution {
                Restitution::AsGiven => {}
                Restitution::NormalForBoth => other[0] += 1,
                Restitution::None => other[1] += 1,
            }
        }
        println!("e for e_t, no restitution: {other:?}");
        assert!(other[0] > 100 && other[1] > 100);
        println!("momentum, spin, energy, cones, normal velocities: {worst:?}; both {both}, stuck {stuck}");
        assert!(both > 10_000 && stuck > 1_000);
        assert!(worst.iter().all(|worst| *worst < 1e-9), "{worst:?}");
    }

    /// A floor takes an impact alone and sends the ball straight up along a wall that it touches, with friction without limit:
    /// it does not slip there, but rolls, with `v/(1+k)`. Rolling into a wall that throws the ball back
    /// without touching its spin (e_t = −1) it can't slip on the floor either.
    #[test]
    fn grips_a_contact_that_stays_closed() {
        let (up, right) = (Vector2::new(0.0, 1.0), Vector2::new(1.0, 0.0));
        let at = |normal: Vector2<f64>| Frame {
            position: Vector2::zeros(),
            tangent: Vector2::new(normal.y, -normal.x),
            normal,
            curvature: 0.0,
            speed: 1.0,
        };
        let frames = [at(right), at(up)];
        let frames = [&frames[0], &frames[1]];
        let wedge = Wedge::new(frames).unwrap();
        let ball = Ball::new(2.0, 0.5, 0.4).unwrap();
        let law = |e: f64, e_t: f64| {
            let law = ContactLaw::new(e).unwrap().with_friction(Friction::Infinite).unwrap();
            law.with_tangential_restitution(e_t).unwrap()
        };
        let state = |velocity: Vector2<f64>, spin: f64| State {
            time: 0.0,
            position: Vector2::zeros(),
            velocity,
            angle: 0.0,
            spin,
            dissipated: 0.0,
            work: 0.0,
        };
        // The floor stops v_x = k R ω; then v_y = e v, without spin, rolls on the wall with v_y/(1+k).
        let hit = wedge.impact(&ball, &law(0.5, 0.0), frames, &state(Vector2::new(-0.2, -3.0), -1.0));
        let rolls = 0.5 * 3.0 / 1.4;
        assert!((hit.velocity - up * rolls).norm() < 1e-15, "{hit:?}");
        // τ of the wall points down.
        assert!((hit.spin - rolls / 0.5).abs() < 1e-15 && hit.slips[0] == 0.0, "{hit:?}");
        assert!((hit.tangential_impulses[0] - 2.0 * (1.5 - rolls)).abs() < 1e-14 && hit.normal_impulses[0] == 0.0);
        assert_eq!((hit.normal_velocities[0], hit.restitution), (0.0, Restitution::AsGiven));
        // Thrown back with e v against a spin of v/R it would come to (k − e) v/(1+k): for e > k away from the wall, else not.
        let rolling = state(Vector2::new(-1.0, 0.0), 2.0);
        let back = wedge.impact(&ball, &law(0.6, -1.0), frames, &rolling);
        assert!((back.velocity - right * (0.2 / 1.4)).norm() < 1e-15, "{back:?}");
        assert!((back.spin + back.velocity.x / 0.5).abs() < 1e-15 && back.restitution == Restitution::AsGiven);
        let climbs = wedge.impact(&ball, &law(0.3, -1.0), frames, &rolling);
        assert!((climbs.velocity - up * (0.4 / 1.4)).norm() < 1e-15, "{climbs:?}");
        assert_eq!(climbs.restitution, Restitution::None);
    }

    /// Friction may only squeeze a ball between two walls: with T beyond its range Coulomb's law is broken, within it kept.
    #[test]
    fn ranges() {
        let frames = [frame(0.75), frame(2.3)];
        let wedge = Wedge::new([&frames[0], &frames[1]]).unwrap();
        let ball = Ball::new(1.0, 0.1, 0.4).unwrap();
        let force = Vector2::new(0.3, -9.81);
        let law = ContactLaw::new(0.0).unwrap().with_friction(Friction::Coefficient(0.4)).unwrap();
        let forces = wedge.forces(&ball, &law, force, 0.0);
        let range = wedge.friction_range(&law, force);
        let obeys = |t: f64| {
            let squeeze = (0.5 * (2.3 - 0.75_f64)).tan();
            let normal = forces.normal.map(|normal| normal + t * squeeze);
            let [n, m] = [0, 1].map(|i| frames[i].normal * normal[i]);
            let sum = n + m + (frames[0].tangent - frames[1].tangent) * t + force;
            assert!(sum.norm() < 1e-12, "{sum}");
            normal.iter().all(|normal| t.abs() <= 0.4 * normal)
        };
        assert!(range[0] < 0.0 && range[1] > 0.0);
        for i in 0..2 {
            assert!(obeys(range[i] * (1.0 - 1e-12)) && !obeys(range[i] * (1.0 + 1e-12)), "{range:?}");
        }
        // A steep V with enough friction jams at any force.
        let rough = law.with_friction(Friction::Coefficient(1.5)).unwrap();
        assert_eq!(wedge.friction_range(&rough, force)[1], f64::INFINITY);
        assert_eq!(wedge.held(&ball, &rough, -force, 0.0), Held::Free);
    }
}
