//! Laws of impact through their door: known laws, coupled contacts, energy that grows.

use std::sync::Arc;

use kugelbahn::mechanics::{ImpactError, OwnImpact, OwnLaw, PfeifferGlocker, Restoring};
use kugelbahn::supervisor::{EventKind, Stop};

use super::*;

#[path = "../../examples/own_impact.rs"]
#[allow(dead_code, reason = "its main is another program")]
mod own_impact;

/// Newton's e and Coulomb's friction by impulses, as Kane and Levinson have them: of what sticks, `[u_n⁺, u_t⁺] = [−e u_n, 0]`.
#[derive(Debug)]
struct Newton;

impl CollisionLaw for Newton {
    fn impulses(&self, contact: &ImpactContact) -> Impulses {
        let [[nn, nt], [tn, tt]] = contact.mobility;
        let (asked, slip) = (-(1.0 + contact.restitution) * contact.normal, contact.slip);
        let det = nn * tt - nt * tn;
        let stuck = Impulses { normal: (asked * tt + slip * nt) / det, tangential: (-slip * nn - asked * tn) / det };
        if stuck.tangential.abs() <= contact.sticking * stuck.normal {
            return stuck;
        }
        let drag = contact.sliding * slip.signum();
        let normal = asked / (nn - drag * nt);
        Impulses { normal, tangential: -drag * normal }
    }
}

/// The end of a double pendulum, two rods of 1 m and 1 kg that hang at 20° and 30°, where it meets a floor (Kane & Levinson, *Dynamics*,
/// 1985): `u = [[s₁, s₂], [c₁, c₂]] q̇`, `M = [[4/3, c/2], [c/2, 1/3]]`, c = cos 10°.
fn pendulum(rates: [f64; 2], restitution: f64, friction: f64) -> ImpactContact {
    let [a, b] = [20.0_f64.to_radians(), 30.0_f64.to_radians()];
    let half = 0.5 * (b - a).cos();
    let det = 4.0 / 9.0 - half * half;
    let inverse = [[1.0 / 3.0 / det, -half / det], [-half / det, 4.0 / 3.0 / det]];
    // Down is the way of growing cosines.
    let rows = [[a.sin(), b.sin()], [a.cos(), b.cos()]];
    let mobility = rows.map(|row| {
        rows.map(|other| (0..2).map(|i| (0..2).map(|j| row[i] * inverse[i][j] * other[j]).sum::<f64>()).sum())
    });
    let [normal, slip] = rows.map(|row| row[0] * rates[0] + row[1] * rates[1]);
    ImpactContact {
        normal,
        slip,
        mobility,
        restitution,
        tangential_restitution: 0.0,
        sticking: friction,
        sliding: friction,
    }
}

/// Poisson and Stronge by small steps of the normal impulse, apart from the code.
fn stepped(contact: &ImpactContact, law: Restoring) -> [f64; 2] {
    let [[nn, nt], [tn, tt]] = contact.mobility;
    let dp = 2e-6;
    let (mut u, mut p, mut work, mut turned): ([f64; 2], [f64; 2], f64, Option<[f64; 2]>) =
        ([contact.normal, contact.slip], [0.0; 2], 0.0, None);
    loop {
        let ends = match (turned, law) {
            (None, _) => false,
            (Some([compression, _]), Restoring::Impulse) => p[0] >= (1.0 + contact.restitution) * compression,
            (Some([_, spent]), Restoring::Work) => work - spent >= -contact.restitution.powi(2) * spent,
        };
        if ends {
            return p;
        }
        let hold = -tn / tt - u[1] / (tt * dp);
        let friction = hold.clamp(-contact.sliding, contact.sliding);
        let before = u[0];
        u = [u[0] + (nn + nt * friction) * dp, u[1] + (tn + tt * friction) * dp];
        p = [p[0] + dp, p[1] + friction * dp];
        work += 0.5 * (before + u[0]) * dp;
        if turned.is_none() && u[0] >= 0.0 {
            turned = Some([p[0], work]);
        }
    }
}

fn named(law: impl CollisionLaw) -> OwnImpact {
    OwnLaw::new("named", Vec::new(), Arc::new(law))
}

#[test]
fn poisson_and_stronge_follow_friction_through_a_double_pendulum() {
    for rates in [[-0.1, -0.2], [-0.3, 0.1], [0.2, -0.6], [-0.2, 0.19]] {
        for friction in [0.0, 0.1, 0.5, 0.9] {
            for e in [0.0, 0.5, 0.7, 1.0] {
                let contact = pendulum(rates, e, friction);
                if contact.normal >= 0.0 {
                    continue;
                }
                for law in [Restoring::Impulse, Restoring::Work] {
                    let given = contact
                        .audited(&named(law))
                        .unwrap_or_else(|error| panic!("{rates:?} {friction} {e} {law:?}: {error}"));
                    let near = stepped(&contact, law);
                    let off = (given.normal - near[0]).hypot(given.tangential - near[1]);
                    assert!(off < 2e-5, "{rates:?} {friction} {e} {law:?}: {given:?} {near:?}");
                }
            }
        }
    }
}

/// The paradox: Newton's e with Coulomb's friction adds energy where Poisson's and Stronge's laws take some.
#[test]
fn newtons_law_that_adds_energy_is_refused() {
    let mut refused = 0;
    for i in 0..=40 {
        let contact = pendulum([-0.1, -0.2 + 0.01 * f64::from(i)], 0.9, 0.5);
        if contact.normal >= 0.0 {
            continue;
        }
        let [gained, rounding] = contact.gained(Newton.impulses(&contact));
        let [poisson, stronge] =
            [Restoring::Impulse, Restoring::Work].map(|law| contact.gained(law.impulses(&contact))[0]);
        assert!(stronge <= rounding.max(1e-15), "{stronge}");
        match contact.audited(&named(Newton)) {
            Err(ImpactError::Energy { gained: told, .. }) => {
                refused += 1;
                assert!(gained > rounding && told == gained);
                assert!(poisson < gained);
            }
            Err(ImpactError::NoRebound { .. }) => {}
            other => assert!(gained <= rounding, "{other:?}"),
        }
    }
    assert!(refused > 0);
}

fn ball(law: &str) -> Simulation {
    let ball = Ball::solid_sphere(1.0, 0.1).unwrap();
    let sim = Simulation::new(ball, Ground::graph("0.1*x^2").unwrap()).restitution(0.7).friction(0.3);
    sim.thrown_from([-1.0, 2.0], [2.0, 0.0]).set("contact.impact", law).unwrap()
}

/// With a diagonal W and e_t = 0 all four are one law.
#[test]
fn laws_agree_on_a_ball_alone() {
    let newton = ball("newton").run(6.0).unwrap();
    for law in ["poisson", "stronge", "pfeiffer-glocker"] {
        let run = ball(law).run(6.0).unwrap();
        assert_eq!(run.events().len(), newton.events().len(), "{law}");
        for (a, b) in run.events().iter().zip(newton.events()) {
            assert_eq!(a.kind, b.kind, "{law}");
            assert!((a.time() - b.time()).abs() < 1e-8 && (a.after.spin - b.after.spin).abs() < 1e-6, "{law}");
        }
        assert_eq!(run.captures().len(), newton.captures().len());
        let again = Simulation::from_text(&run.simulation().to_toml().unwrap()).unwrap();
        assert_eq!(again.run(6.0).unwrap().events(), run.events(), "{law}");
    }
}

/// e e_t of the tangential impulse of compression comes back, up to the cone: by hand.
#[test]
fn pfeiffer_and_glocker_give_tangential_impulses_back() {
    let contact = |slip: f64| ImpactContact {
        normal: -2.0,
        slip,
        mobility: [[1.0, 0.0], [0.0, 3.5]],
        restitution: 0.5,
        tangential_restitution: 0.8,
        sticking: 0.4,
        sliding: 0.4,
    };
    // Sticks in compression: P_t = −u/3.5 (1 + 0.5 · 0.8).
    let given = PfeifferGlocker.impulses(&contact(0.7));
    assert!((given.normal - 3.0).abs() < 1e-15 && (given.tangential + 0.2 * 1.4).abs() < 1e-15, "{given:?}");
    // Slips through all of it: μ P_n.
    let given = PfeifferGlocker.impulses(&contact(20.0));
    assert!((given.tangential + 1.2).abs() < 1e-14, "{given:?}");
}

#[test]
fn a_law_of_ones_own_bounces() {
    let aslant = Methods::builtin().with_impact("aslant", |keys| Ok(own_impact::Aslant(keys.number("c")?)));
    let sim = ball("newton").methods(aslant);
    let bounces = sim.clone().set("contact.impact", "{ law = 'aslant', c = 0.5 }").unwrap().run(3.0).unwrap();
    let hit = bounces.events()[0];
    let (met, back) = (hit.velocity_before(), hit.velocity_after());
    let e = 0.7 * (1.0 - 0.5 * met.1.abs() / (met.0.abs() + met.1.abs()));
    assert!((back.0 + e * met.0).abs() < 1e-12, "{back:?}");
    let resolved = bounces.scenario().resolved();
    assert_eq!(resolved["contact"]["impact"], serde_json::json!({ "law": "aslant", "c": 0.5 }));
    assert!(sim.set("contact.impact", "{ law = 'aslant', d = 0.5 }").is_err());
    let methods = || Methods::builtin().with_impact("newtons", |_| Ok(Newton));
    let own = |sim: Simulation| sim.methods(methods()).set("contact.impact", "newtons").unwrap();
    let (newton, run) = (ball("newton").run(3.0).unwrap(), own(ball("newton")).run(3.0).unwrap());
    for (a, b) in run.events().iter().zip(newton.events()).take(5) {
        assert!((a.time() - b.time()).abs() < 1e-9 && (a.after.velocity - b.after.velocity).norm() < 1e-8);
    }
    // What is not known of it is said.
    let refused = run.sensitivities(&["initial.position.y"], &[]).unwrap_err().to_string();
    assert!(refused.contains("newtons") && refused.contains("derivatives"), "{refused}");
    assert!(run.prove().open.unwrap().to_string().contains("impact"), "{:?}", run.prove().open);
    let stepping = "ground.curve = { kind = 'graph', y = 0 }\ninitial.position = [0, 1]\ncontact.impact = 'stronge'\n\
         solver = { method = 'moreau', step = 1e-3, duration = 1 }";
    let refused = Simulation::from_text(stepping).unwrap_err().to_string();
    assert!(refused.contains("impact") && refused.contains("time stepping"), "{refused}");
    let unknown = ball("newton").set("contact.impact", "strong").unwrap_err().to_string();
    assert!(unknown.contains("strong"), "{unknown}");
    let ours = own(ball("newton")).methods(Methods::builtin().with_impact("stronge", |_| Ok(Newton))).run(1.0);
    assert!(ours.is_err());
}

/// A law that adds energy, pulls or lets through ends the run before its impact, with the numbers.
#[test]
fn wrong_laws_end_the_run() {
    #[derive(Debug)]
    struct Wrong([f64; 2]);
    impl CollisionLaw for Wrong {
        fn impulses(&self, contact: &ImpactContact) -> Impulses {
            let whole = -contact.normal / contact.mobility[0][0];
            Impulses { normal: self.0[0] * whole, tangential: self.0[1] * whole }
        }
    }
    for (parts, word) in [
        ([2.1, 0.0], "adds"),
        ([1.5, 3.0], "adds"),
        ([0.5, 0.0], "opens"),
        ([-1.0, 0.0], "opens"),
        ([f64::NAN, 0.0], "NaN"),
    ] {
        let methods = Methods::builtin().with_impact("wrong", move |_| Ok(Wrong(parts)));
        let sim = ball("newton").methods(methods).set("contact.impact", "wrong").unwrap();
        let Err(Error::Stopped(run)) = sim.run(3.0) else { panic!("{parts:?} ran") };
        let stop = run.summary().stop.unwrap();
        assert!(matches!(stop, Stop::Impact { .. }) && stop.to_string().contains(word), "{stop}");
        assert!(run.events().iter().all(|event| event.kind != EventKind::Impact));
    }
}
