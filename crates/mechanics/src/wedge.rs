//! How do two contacts at once act on one ball? Forces that hold its centre, contacts that push, the impact on both.

use curves::Frame;
use nalgebra::Vector2;
use numbers::Rounding;

use crate::{Ball, ContactLaw, ImpactError, Press, State, impact};

/// Two contacts of one ball whose normals are not parallel, so that both together hold its centre. Impulses with sum r:
///
/// ```text
/// σ = n₁×n₂      P₁ n₁ + P₂ n₂ = r   ⟺   P₁ = r·τ₂/σ,  P₂ = −r·τ₁/σ
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Wedge {
    normals: [Vector2<f64>; 2],
    tangents: [Vector2<f64>; 2],
    /// Sine σ of the angle from n₁ to n₂.
    sine: f64,
    /// Cosine n₁·n₂ of that angle.
    cosine: f64,
}

/// Coefficients of restitution that an impact on two contacts used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsedRestitution {
    /// e and e_t of the law.
    AsGiven,
    /// e in place of e_t for the spin, too: the friction cones allow no impulses with e_t, or friction has no limit.
    NormalForBoth,
    /// e = e_t = 0: those of the law would drive the ball into a contact that opens.
    None,
}

/// Impulses of an impact on two contacts, and the velocities after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WedgeImpact {
    /// Velocity after, m/s; exactly 0 where the ball stays wedged.
    pub velocity: Vector2<f64>,
    /// Spin after, rad/s.
    pub spin: f64,
    /// Normal impulse `P_n` of each contact, N s; 0 of one that does not act.
    pub normal_impulses: [f64; 2],
    /// Tangential impulse `P_t` of each contact along its τ, N s.
    pub tangential_impulses: [f64; 2],
    /// Normal velocity `v·n` after of each contact, m/s; exactly 0 where it neither closes nor opens.
    pub normal_velocities: [f64; 2],
    /// Slip velocity `u` after of each contact, m/s; exactly 0 where friction stopped it.
    pub slips: [f64; 2],
    /// Coefficients of restitution used.
    pub restitution: UsedRestitution,
}

impl WedgeImpact {
    /// Sum of this impact and one that follows at once; it tells the restitution of this one.
    pub fn then(self, next: WedgeImpact) -> WedgeImpact {
        let sum = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        WedgeImpact {
            normal_impulses: sum(self.normal_impulses, next.normal_impulses),
            tangential_impulses: sum(self.tangential_impulses, next.tangential_impulses),
            restitution: self.restitution,
            ..next
        }
    }
}

/// Contacts that push a ball whose centre is at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Held {
    /// Both contacts push.
    Wedged,
    /// The contact of this index pushes, and the other opens.
    By(usize),
    /// Neither contact pushes.
    Free,
}

/// Forces of the ground on a wedged ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WedgeForces {
    /// λ of each contact, N. Negative: the ground would have to pull.
    pub normal: [f64; 2],
    /// f of each contact along its τ, N.
    pub friction: [f64; 2],
    /// Acceleration of the spin `ω̇`, rad/s².
    pub spin_acceleration: f64,
}

/// Rounding of a velocity or an impulse, in parts of the ball's speed or momentum.
const GRAIN: f64 = Rounding::SUM * f64::EPSILON;

impl Wedge {
    /// Largest |σ| of normals that count as parallel: forces go with 1/σ, and with them rounding.
    pub const PARALLEL: f64 = 1e-9;

    /// Takes two contacts by their frames, at one place of the centre; `None`: the normals are parallel.
    pub fn new(frames: [&Frame; 2]) -> Option<Self> {
        let normals = frames.map(|frame| frame.normal);
        let sine = normals[0].perp(&normals[1]);
        let tangents = frames.map(|frame| frame.tangent);
        (sine.abs() > Wedge::PARALLEL).then(|| Wedge { normals, tangents, sine, cosine: normals[0].dot(&normals[1]) })
    }

    /// Sine σ of the angle from n₁ to n₂.
    pub fn sine(&self) -> f64 {
        self.sine
    }

    /// Directions d₁, d₂ that give the normal forces `λᵢ = dᵢ·F` from the force F of all but the ground. `drags` are
    /// `μ̂ᵢ = μᵢ sign(u)` of contacts that slip, 0 without friction. The contact forces `λᵢ (nᵢ − μ̂ᵢ τᵢ)` sum to −F if
    ///
    /// ```text
    /// d₁ = −(τ₂ + μ̂₂ n₂)/D      d₂ = (τ₁ + μ̂₁ n₁)/D      D = σ(1 + μ̂₁μ̂₂) + (μ̂₂ − μ̂₁) n₁·n₂
    /// ```
    pub fn directions(&self, drags: [f64; 2]) -> [Vector2<f64>; 2] {
        let [first, second] = drags;
        let scale = 1.0 / (self.sine * (1.0 + first * second) + (second - first) * self.cosine);
        let along = |i: usize| (self.tangents[i] + drags[i] * self.normals[i]) * scale;
        [-along(1), along(0)]
    }

    /// Friction `μ sign(ω)` per normal force at both contacts of a ball that spins in place, where u = R ω. Both are 0
    /// if the ball does not turn or spin, or if a contact never slips.
    pub fn slip_drags(ball: &Ball, laws: [&ContactLaw; 2], spin: f64) -> [f64; 2] {
        Wedge::against(ball, laws, spin, ContactLaw::sliding_coefficient)
    }

    /// Braking `(μ + c_rr) sign(ω)` per normal force at both contacts, 0 as in [`Wedge::slip_drags`]: friction and
    /// rolling resistance of each add `−R λ (μ + c_rr) sign(ω)` to `I ω̇`.
    pub fn spin_drags(ball: &Ball, laws: [&ContactLaw; 2], spin: f64) -> [f64; 2] {
        Wedge::against(ball, laws, spin, |law| law.sliding_coefficient() + law.rolling_resistance())
    }

    /// Coefficients of both contacts with the sign of the spin; 0 unless the ball can slip at both.
    fn against(ball: &Ball, laws: [&ContactLaw; 2], spin: f64, by: impl Fn(&ContactLaw) -> f64) -> [f64; 2] {
        if Wedge::may_slip(ball, laws, spin) { laws.map(|law| by(law) * spin.signum()) } else { [0.0; 2] }
    }

    /// Whether the ball spins and can slip at both contacts, with or without friction.
    fn may_slip(ball: &Ball, laws: [&ContactLaw; 2], spin: f64) -> bool {
        ball.turns() && spin != 0.0 && !laws.iter().any(|law| law.never_slips())
    }

    /// Computes `a₁b₁ + a₂b₂`; with equal weights as `a(b₁ + b₂)`, to the last bit as for one law with one coefficient.
    pub fn weighted<T>([a, b]: [f64; 2], [x, y]: [T; 2]) -> T
    where
        T: Copy + std::ops::Add<Output = T> + std::ops::Sub<Output = T> + std::ops::Mul<f64, Output = T>,
    {
        if a == b { (x + y) * a } else { x * a + y * b }
    }

    /// Forces that hold the centre at rest under `force` (N).
    ///
    /// A ball that spins slips at both contacts: its forces are unique. With `ω = 0` and friction they are not:
    /// friction `T` at the first contact and `−T` at the second may be added, with `T tan(δ/2)` to both normal forces
    /// (δ between the normals). This returns the forces with T = 0; [`Wedge::friction_range`] gives the range of T.
    pub fn forces(&self, ball: &Ball, laws: [&ContactLaw; 2], force: Vector2<f64>, spin: f64) -> WedgeForces {
        let drags = Wedge::slip_drags(ball, laws, spin);
        let normal = self.directions(drags).map(|direction| direction.dot(&force));
        let friction = [0, 1].map(|i| -drags[i] * normal[i]);
        let slows = Wedge::spin_drags(ball, laws, spin);
        WedgeForces { normal, friction, spin_acceleration: -ball.spin_by(Wedge::weighted(slows, normal)) }
    }

    /// Range `[from, to]` of T (N): friction `f₁ = T`, `f₂ = −T` that a ball at rest under `force` (N) may also have.
    pub fn friction_range(&self, laws: [&ContactLaw; 2], force: Vector2<f64>) -> [f64; 2] {
        let normal = self.directions([0.0; 2]).map(|direction| direction.dot(&force));
        self.range(laws, normal, 0.0)
    }

    /// Computes `tan(δ/2)` with the sign of σ, δ being the angle between the normals.
    fn squeeze(&self) -> f64 {
        (1.0 - self.cosine) / self.sine
    }

    /// Range `[from, to]` of T for which `f₁ = S/2 + T`, `f₂ = S/2 − T` and `λᵢ = Aᵢ + T tan(δ/2)` obey Coulomb's law;
    /// empty if from > to. S is `sum`, Aᵢ are `normal`: forces (N) or impulses (N s).
    fn range(&self, laws: [&ContactLaw; 2], normal: [f64; 2], sum: f64) -> [f64; 2] {
        let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
        // Bounds T by a + b T ≥ 0. At the jam limit, μ tan(δ/2) = 1, b is rounding, and a alone allows any T or none.
        let mut at_least = |a: f64, b: f64, mu: f64| {
            if b.abs() <= GRAIN * (1.0 + mu * self.squeeze().abs()) {
                if a < -GRAIN * ((1.0 + mu) * normal[0].abs().max(normal[1].abs()) + sum.abs()) {
                    to = f64::NEG_INFINITY;
                }
            } else if b > 0.0 {
                from = from.max(-a / b);
            } else {
                to = to.min(-a / b);
            }
        };
        // Of both contacts: λ ≥ 0, and μλ ± f ≥ 0.
        for (i, sign) in [(0, 1.0), (1, -1.0)] {
            at_least(normal[i], self.squeeze(), 0.0);
            let mu = laws[i].sticking_coefficient();
            if mu.is_finite() {
                for side in [1.0, -1.0] {
                    at_least(mu * normal[i] + side * 0.5 * sum, mu * self.squeeze() + side * sign, mu);
                }
            }
        }
        [from, to]
    }

    /// Decides, to rounding, which contacts push a ball whose centre is at rest under `force` (N).
    ///
    /// Coulomb's law allows more answers: with `μ tan(δ/2) ≥ 1` (δ is the angle between the normals) friction of any
    /// size could jam a ball that is free to leave. This takes the motion without such a prestress: the ball stays
    /// wedged where normal forces alone can hold its centre (with the friction of its slip if it spins). The other
    /// cases are then unique if both μ̂ are equal, since the matrix of both contacts is a P-matrix: `det = σ²(1+μ̂²)`.
    pub fn held(&self, ball: &Ball, laws: [&ContactLaw; 2], force: Vector2<f64>, spin: f64) -> Held {
        let slack = GRAIN * force.norm() / self.sine.abs();
        let drags = Wedge::slip_drags(ball, laws, spin);
        let both = self.directions(drags).map(|direction| direction.dot(&force));
        if both.iter().all(|normal| Press::of(*normal, slack).is_some_and(Press::stays)) {
            return Held::Wedged;
        }
        self.held_by_one(drags, force)
    }

    /// Decides which contact alone pushes a ball at rest under `force` (N) that the two together can't hold: of those
    /// that would not pull, the one under whose push the other opens faster ([`Wedge::directions`] explains `drags`).
    pub fn held_by_one(&self, drags: [f64; 2], force: Vector2<f64>) -> Held {
        // Force, N, that opens the other contact if contact i alone pushes; −∞ if i would pull.
        let opens = |i: usize| {
            let normal = -force.dot(&self.normals[i]);
            let push = force + (self.normals[i] - drags[i] * self.tangents[i]) * normal;
            let presses = Press::of(normal, 0.0) == Some(Press::Presses);
            if presses { push.dot(&self.normals[1 - i]) } else { f64::NEG_INFINITY }
        };
        let (first, second) = (opens(0), opens(1));
        match first.max(second) {
            f64::NEG_INFINITY => Held::Free,
            best => Held::By(if first == best { 0 } else { 1 }),
        }
    }

    /// Computes the impact on both contacts, of which one at least closes.
    ///
    /// The plastic impact (e = 0) with friction decides which contacts act. One acts alone if it closes and its plastic
    /// impact does not leave the other closing. If that holds for both, the one that closes faster acts, and both act
    /// if they close alike. In all other cases both act. One alone acts by [`impact`]; both give
    ///
    /// ```text
    /// v⁺ = −e v       I (ω⁺ − ω) = R (P_t1 + P_t2)
    /// ```
    ///
    /// with slip at both contacts if sliding friction is too weak to bring `ω` to `−e_t ω`, else `ω⁺ = −e_t ω`. If the
    /// cones allow neither, or if friction has no limit, e replaces e_t. Both contacts use the smaller e and the
    /// smaller e_t of the two. Kinetic energy never grows: |v⁺| ≤ |v| and |ω⁺| ≤ |ω|. Friction that stops the spin is
    /// not unique: the one with the least difference of `P_t1` and `P_t2` is taken.
    ///
    /// Where the law would drive the ball into a contact that was opening, restitution counts as 0
    /// ([`WedgeImpact::restitution`] tells). A contact that does not act but stays closed does not slip where friction
    /// has no limit: a tangential impulse alone stops it, also where its normal impulse would have to pull.
    pub fn impact(
        &self,
        ball: &Ball,
        laws: [&ContactLaw; 2],
        frames: [&Frame; 2],
        state: &State,
    ) -> Result<WedgeImpact, ImpactError> {
        let plastic = laws.map(ContactLaw::without_restitution);
        let inelastic = [&plastic[0], &plastic[1]];
        let grain = GRAIN * state.velocity.norm() / self.sine.abs();
        let before = self.normals.map(|normal| normal.dot(&state.velocity));
        let away = |hit: &WedgeImpact| hit.normal_velocities.iter().all(|velocity| *velocity >= -grain);
        let closes = |i: usize| before[i] < 0.0;
        // Plastic impact of each contact that closes, kept if it leaves neither contact closing.
        let [one, two] = [0, 1].map(|i| closes(i).then(|| self.alone(ball, inelastic, frames, state, i)).transpose());
        let alone = [one?.filter(away), two?.filter(away)];
        let first = |i: &usize| alone[*i].is_some() && (alone[1 - i].is_none() || before[*i] < before[1 - i] - grain);
        // One contact acts alone: plastically where with its restitution the ball would close the other one.
        if let Some(i) = [0, 1].into_iter().find(first) {
            let hit = self.stop_slip(ball, laws, frames, self.alone(ball, laws, frames, state, i)?, 1 - i, grain)?;
            let without = alone[i].map(|alone| WedgeImpact { restitution: UsedRestitution::None, ..alone });
            return Ok(self.settled(without.filter(|_| !away(&hit)).unwrap_or(hit), grain));
        }
        // Both act. Where no impulses within the cones do, a contact with friction without limit only stops its slip.
        let both = |laws: [&ContactLaw; 2]| {
            let (hit, allowed) = self.both(ball, laws, state);
            let unlimited = (0..2).find(|i| laws[*i].never_slips());
            let hit = unlimited.filter(|_| !allowed).map_or(hit, |i| self.grip_opening(ball, laws, state, i));
            WedgeImpact { normal_impulses: hit.normal_impulses.map(|impulse| impulse.max(0.0)), ..hit }
        };
        // Restitution −e v would turn the velocity of a contact that opens into one that closes.
        let opening = before.iter().any(|before| *before > grain);
        if opening && laws != inelastic {
            let hit = both(inelastic);
            return Ok(self.settled(WedgeImpact { restitution: UsedRestitution::None, ..hit }, grain));
        }
        for (law, before) in laws.iter().zip(before) {
            law.check_approach(-before)?;
            if let Some(own) = law.own_impact().filter(|own| !own.shared().settles()) {
                return Err(ImpactError::TwoContacts { law: own.name() });
            }
        }
        Ok(self.settled(both(laws), grain))
    }

    /// Adds to `hit`, in which contact `i` did not act, the tangential impulse that stops its slip: if it stays closed
    /// (to `grain`, m/s) and its friction has no limit.
    fn stop_slip(
        &self,
        ball: &Ball,
        laws: [&ContactLaw; 2],
        frames: [&Frame; 2],
        hit: WedgeImpact,
        i: usize,
        grain: f64,
    ) -> Result<WedgeImpact, ImpactError> {
        let along = hit.velocity.dot(&self.tangents[i]);
        let slips = ball.slip_velocity(along, hit.spin) != 0.0;
        if !laws[i].never_slips() || hit.normal_velocities[i].abs() > grain || !slips {
            return Ok(hit);
        }
        let grip = impact(ball, &laws[i].without_restitution(), frames[i], self.tangents[i] * along, hit.spin)?;
        let WedgeImpact { normal_impulses, mut tangential_impulses, restitution, .. } = hit;
        tangential_impulses[i] = grip.tangential_impulse;
        let after = self.after(ball, grip.velocity(frames[i]), grip.spin, [normal_impulses, tangential_impulses]);
        let mut slips = after.slips;
        slips[i] = 0.0;
        Ok(WedgeImpact { slips, restitution, ..after })
    }

    /// Impact by these normal and tangential impulses (N s) that ends with this velocity and spin.
    fn after(&self, ball: &Ball, velocity: Vector2<f64>, spin: f64, impulses: [[f64; 2]; 2]) -> WedgeImpact {
        let [normal_impulses, tangential_impulses] = impulses;
        WedgeImpact {
            velocity,
            spin,
            normal_impulses,
            tangential_impulses,
            normal_velocities: self.normals.map(|normal| velocity.dot(&normal)),
            slips: self.tangents.map(|tangent| ball.slip_velocity(velocity.dot(&tangent), spin)),
            restitution: UsedRestitution::AsGiven,
        }
    }

    /// Impact in which contact `i` acts alone.
    fn alone(
        &self,
        ball: &Ball,
        laws: [&ContactLaw; 2],
        frames: [&Frame; 2],
        state: &State,
        i: usize,
    ) -> Result<WedgeImpact, ImpactError> {
        let hit = impact(ball, laws[i], frames[i], state.velocity, state.spin)?;
        let mut impulses = [[0.0; 2]; 2];
        (impulses[0][i], impulses[1][i]) = (hit.normal_impulse, hit.tangential_impulse);
        let mut after = self.after(ball, hit.velocity(frames[i]), hit.spin, impulses);
        (after.normal_velocities[i], after.slips[i]) = (hit.normal_velocity, hit.slip);
        Ok(after)
    }

    /// Brings the centre to rest (e = 0) at both contacts. The impulse of a contact that the centre moves away from is
    /// negative, so that both sum to the ball's change of momentum. Then a spin that their friction could not stop is
    /// kept, as friction of a negative impulse would drive it; but a ball that rolls on a contact stops as a whole.
    pub fn stop(&self, ball: &Ball, laws: [&ContactLaw; 2], state: &State) -> WedgeImpact {
        let drags = Wedge::slip_drags(ball, laws, state.spin);
        let slipping = self.directions(drags).map(|direction| ball.mass() * direction.dot(&state.velocity));
        let slowing = ball.spin_by(Wedge::weighted(drags, slipping.map(f64::abs)));
        let smooth = ContactLaw::default();
        let rolls = |i: usize| {
            let along = state.velocity.dot(&self.tangents[i]);
            laws[i].sticking_coefficient() > 0.0 && ball.slip_velocity(along, state.spin) == 0.0
        };
        let fast = slowing.abs() < state.spin.abs();
        let slips = Wedge::may_slip(ball, laws, state.spin) && fast && !rolls(0) && !rolls(1);
        let away = slips && slipping.iter().any(|impulse| *impulse < 0.0);
        let plastic = laws.map(ContactLaw::without_restitution);
        let laws = if away { [&smooth; 2] } else { [&plastic[0], &plastic[1]] };
        self.settled(self.both(ball, laws, state).0, 0.0)
    }

    /// Impact in which contact `i`, with infinite friction, opens and gives no more than the tangential impulse that
    /// stops its slip. The other one gives the normal impulse that stops what closes there.
    fn grip_opening(&self, ball: &Ball, laws: [&ContactLaw; 2], state: &State, i: usize) -> WedgeImpact {
        let (other, mass) = (1 - i, ball.mass());
        let slip =
            |velocity: Vector2<f64>, spin: f64, i: usize| ball.slip_velocity(velocity.dot(&self.tangents[i]), spin);
        let slides = slip(state.velocity, state.spin, other);
        let drag = if slides == 0.0 { 0.0 } else { laws[other].sliding_coefficient() * slides.signum() };
        // Velocity and spin by a unit of the other's normal impulse, with its friction, and of the tangential one of i:
        // both follow from two equations, that the other contact closes no more and i does not slip.
        let push = ((self.normals[other] - drag * self.tangents[other]) / mass, -drag * ball.spin_by(1.0));
        let grip = (self.tangents[i] / mass, ball.spin_by(1.0));
        let [a, b] = [push, grip].map(|(velocity, _)| velocity.dot(&self.normals[other]));
        let [c, d] = [push, grip].map(|(velocity, spin)| slip(velocity, spin, i));
        let (closes, slips) = (-state.velocity.dot(&self.normals[other]), -slip(state.velocity, state.spin, i));
        let normal = ((closes * d - slips * b) / (a * d - b * c)).max(0.0);
        let along = (slips - normal * c) / d;
        let velocity = state.velocity + push.0 * normal + grip.0 * along;
        let spin = state.spin + push.1 * normal + grip.1 * along;
        let mut impulses = [[0.0; 2]; 2];
        (impulses[0][other], impulses[1][other], impulses[1][i]) = (normal, -drag * normal, along);
        let mut after = self.after(ball, velocity, spin, impulses);
        after.slips[i] = 0.0;
        WedgeImpact { restitution: UsedRestitution::None, ..after }
    }

    /// Impact in which both contacts act by the law of [`Wedge::impact`], and whether Coulomb's law allows it.
    fn both(&self, ball: &Ball, laws: [&ContactLaw; 2], state: &State) -> (WedgeImpact, bool) {
        let lesser = |of: &dyn Fn(usize) -> f64| of(0).min(of(1));
        let e = lesser(&|i| laws[i].restitution(-state.velocity.dot(&self.normals[i])));
        let e_t = lesser(&|i| laws[i].tangential_restitution());
        let unlimited = laws.iter().any(|law| law.never_slips());
        let load = -(1.0 + e) * ball.mass() * state.velocity;
        let velocity = if e == 0.0 { Vector2::zeros() } else { -e * state.velocity };
        let without = [load.dot(&self.tangents[1]) / self.sine, -load.dot(&self.tangents[0]) / self.sine];
        let (mut normal, mut friction, mut spin) = (without, [0.0; 2], state.spin);
        let (mut used, mut allowed) = (e_t, true);
        if ball.turns() && !laws.iter().all(|law| law.is_smooth()) {
            let drags = Wedge::slip_drags(ball, laws, state.spin);
            let slipping = self.directions(drags).map(|direction| (-direction).dot(&load));
            let slowing = -Wedge::weighted(drags, slipping);
            let slips = Wedge::may_slip(ball, laws, state.spin);
            // First with e_t, then with e in its place: that is the plastic impact times 1 + e, which Coulomb's law
            // allows. Without a limit of friction it is e at once, as a ball that can't slip rolls back from a wall.
            let first = if unlimited { e } else { e_t };
            for restitution in [first, e] {
                used = restitution;
                let stops = -restitution * state.spin;
                // Tangential impulse of both contacts, N s, that brings the spin there.
                let sum = (stops - state.spin) / ball.spin_by(1.0);
                if slips && slipping.iter().all(|normal| *normal >= 0.0) && slowing.abs() < sum.abs() {
                    normal = slipping;
                    friction = [0, 1].map(|i| -drags[i] * normal[i]);
                    spin = state.spin + ball.spin_by(slowing);
                    allowed = true;
                    break;
                }
                // Normal impulses for T = 0, where each contact gives half of `sum`; then the least |T| in the cones.
                let shift = 0.5 * sum * (1.0 + self.cosine) / self.sine;
                let half = [without[0] - shift, without[1] + shift];
                let [from, to] = self.range(laws, half, sum);
                let t = if from <= to { 0.0_f64.max(from).min(to) } else { 0.5 * (from + to) };
                // An infinite bound comes from a rule without T in it that is broken: no T mends it.
                let t = if t.is_finite() { t } else { 0.0 };
                normal = half.map(|half| half + t * self.squeeze());
                friction = [0.5 * sum + t, 0.5 * sum - t];
                spin = if stops == 0.0 { 0.0 } else { stops };
                allowed = from <= to;
                if allowed {
                    break;
                }
            }
        }
        let as_given = used == e_t || state.spin == 0.0;
        let restitution = if as_given { UsedRestitution::AsGiven } else { UsedRestitution::NormalForBoth };
        (WedgeImpact { restitution, ..self.after(ball, velocity, spin, [normal, friction]) }, allowed)
    }

    /// Sets normal velocities of no more than `grain` (m/s) to 0, and the velocity of the centre if both are 0.
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
