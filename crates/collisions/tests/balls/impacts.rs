//! The law of impact between two balls.

use collisions::mechanics::{Ball, ContactLaw, Friction};
use collisions::nalgebra::Vector2;
use collisions::{CollisionSettings, Collisions};

use crate::{Draw, at, body, line};

/// Momentum and angular momentum are kept, restitution and friction are those of the law, and no energy is gained.
#[test]
fn balances() {
    let ground = line(&[[-99.0, -50.0], [99.0, -50.0]]);
    let mut draw = Draw(11);
    for case in 0..500 {
        let e = draw.next();
        let friction = [Friction::Coefficient(draw.next()), Friction::Coefficient(0.0), Friction::Infinite][case % 3];
        let e_t = 2.0 * draw.next() - 1.0;
        let law = ContactLaw::new(e).unwrap().with_friction(friction).unwrap();
        let law = law.with_tangential_restitution(e_t).unwrap();
        let balls = [0, 1].map(|_| Ball::new(0.5 + draw.next(), 0.1 + draw.next(), 0.1 + 0.9 * draw.next()).unwrap());
        let reach = balls[0].radius() + balls[1].radius();
        let angle = std::f64::consts::TAU * draw.next();
        let away = [angle.cos() * (reach + 0.1), angle.sin() * (reach + 0.1)];
        let starts = [
            at([0.0, 0.0], [draw.next() - 0.5, draw.next() - 0.5], 9.0 * draw.next()),
            at(away, [-away[0] * 3.0 + draw.next(), -away[1] * 3.0 + draw.next()], 9.0 * draw.next()),
        ];
        let bodies = [0, 1].map(|i| body(balls[i], &ground, law.clone(), 0.0, starts[i]));
        let mut run = Collisions::new(bodies.into(), law, CollisionSettings::until(0.5, 1e-3)).unwrap();
        let mut told = Vec::new();
        run.advance(0.5, &mut |event| told.push(*event)).unwrap();
        let Some(hit) = told.first() else { continue };
        let (a, b) = (hit.states, hit.others.unwrap());
        let (one, two) = (balls[hit.ball], balls[hit.other.unwrap()]);
        let n = (a[0].position - b[0].position).normalize();
        let t = Vector2::new(n.y, -n.x);
        let momentum = |k: usize| a[k].velocity * one.mass() + b[k].velocity * two.mass();
        assert!((momentum(1) - momentum(0)).norm() < 1e-14);
        let turning = |k: usize| {
            let orbit =
                a[k].position.perp(&a[k].velocity) * one.mass() + b[k].position.perp(&b[k].velocity) * two.mass();
            orbit + one.inertia() * a[k].spin + two.inertia() * b[k].spin
        };
        assert!((turning(1) - turning(0)).abs() < 1e-13);
        let rate = |k: usize| (a[k].velocity - b[k].velocity).dot(&n);
        assert!((rate(1) + e * rate(0)).abs() < 1e-13);
        let slip =
            |k: usize| (a[k].velocity - b[k].velocity).dot(&t) + one.radius() * a[k].spin + two.radius() * b[k].spin;
        let [p, q] = hit.impulse;
        let sticks = (slip(1) + e_t * slip(0)).abs() < 1e-13;
        match friction {
            Friction::Infinite => assert!(sticks),
            Friction::Coefficient(mu) | Friction::StaticAndKinetic { sliding: mu, .. } => {
                assert!(sticks || (q.abs() - mu * p).abs() < 1e-14 && q * slip(0) <= 0.0)
            }
        }
        assert!((a[0].position - b[0].position).norm() - reach < 1e-15 + 1e-14 * reach);
        let energy = run.energy();
        assert!(energy.kinetic <= energy.initial * (1.0 + 1e-14) && energy.numerical().abs() < 1e-14 * energy.initial);
    }
}
