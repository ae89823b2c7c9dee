//! Residuals of the balance of momentum in steps with events, for reports only.

use nalgebra::Vector2;
use supervisor::Balance;

use super::mode_at_step_end::StepEnd;
use crate::scenario::Scenario;

/// Adds the residuals of a step for these balls, with θ the weight of its end:
///
/// ```text
/// place      q₁ − q₀ − h(θv₁ + (1−θ)v₀)                    without the displacement by projections (`captured`)
/// momentum   m(v₁ − v₀) − h(θF₁ + (1−θ)F₀) − Σ(P_n n + P_t τ)
/// angular    I(ω₁ − ω₀) − R Σ P_t
/// ground     the gap of a ball with a persistent contact
/// ```
pub(super) fn record(
    balance: &mut Balance,
    scenario: &Scenario,
    [of_velocity, of_force]: [f64; 2],
    [before, at]: [&StepEnd; 2],
    balls: &[usize],
) {
    if balls.is_empty() {
        return;
    }
    let mut pushes = vec![(Vector2::zeros(), 0.0, false); at.states.len()];
    for contact in &at.contacts {
        let impulse = contact.normal * contact.normal_impulse + contact.tangent() * contact.tangential_impulse;
        for (ball, sign) in [(Some(contact.ball), 1.0), (contact.other, -1.0)] {
            let Some(ball) = ball else { continue };
            let (sum, tangential, grounded) = &mut pushes[ball];
            *sum += impulse * sign;
            *tangential += contact.tangential_impulse;
            *grounded |= contact.other.is_none();
        }
    }
    let h = scenario.step();
    for (ball, ball_setup) in balls.iter().filter_map(|ball| Some((*ball, scenario.ball_setup(*ball)?))) {
        let (from, to, (impulse, tangential, grounded)) = (&before.states[ball], &at.states[ball], pushes[ball]);
        let mean = |part: f64, [start, end]: [Vector2<f64>; 2]| (end * part + start * (1.0 - part)) * h;
        let forces = [from, to].map(|at| ball_setup.forces.force(at.time, at.position, at.velocity, from.spin));
        let way = mean(of_velocity, [from.velocity, to.velocity]);
        let damping = if grounded { scenario.scene.law.rolling_damping() } else { 0.0 };
        let body = &ball_setup.ball;
        let momentum = body.mass() * (to.velocity - from.velocity) - mean(of_force, forces) + way * damping - impulse;
        let angular =
            if body.turns() { body.inertia() * (to.spin - from.spin) - body.radius() * tangential } else { 0.0 };
        let lasts = at.lasting.iter().any(|(key, _)| (key.0, key.1) == (ball, None));
        let gap = if lasts { ball_setup.ground.gap(to.position).abs() } else { 0.0 };
        let mut place = (to.position - from.position - way).lp_norm(1);
        if scenario.projects() || at.projected {
            balance.captured.see(std::mem::take(&mut place), at.time);
        }
        balance.see([place, momentum.lp_norm(1), angular.abs(), gap], at.time);
    }
}
