//! Schemes of a caller: what they see of balls, and what it costs.

use moreau::{BallSettings, Balls, ByScheme, ContactKey, Contacts, Lagrangian, Motion};
use nalgebra::DVector;

use crate::midpoint::Midpoint;
use crate::world::{Slope, at, ground, law, sphere};

/// Rows of balls on level ground, in which they touch.
fn rows(count: i32, gap: f64) -> Balls {
    let ground = ground(Slope(0.0), 0.1);
    let ball = |i: i32| sphere(&ground, law(0.5, 0.3), at([(0.2 + gap) * f64::from(i), 0.1 + 1e-3], [0.0; 2], 1.0));
    Balls::new((0..count).map(ball).collect(), law(0.5, 0.3), BallSettings::new(1e-3)).expect("balls")
}

/// A scheme goes the way of the built-in one: as many looks at the ground, as few lists of neighbours, the same motion.
#[test]
fn a_scheme_looks_no_more_often_than_the_built_in_one() {
    let [mut own, mut built_in] = [(); 2].map(|()| rows(60, 1e-4));
    let mut scheme = ByScheme::new(Box::<Midpoint>::default());
    for _ in 0..400 {
        scheme.step(&mut own).expect("a step");
        built_in.step().expect("a step");
    }
    assert_eq!(own.evaluations(), built_in.evaluations());
    assert_eq!(own.neighbour_lists(), built_in.neighbour_lists());
    assert!((1..40).contains(&own.neighbour_lists()), "{}", own.neighbour_lists());
    let off = |ball| (own.state(ball).position - built_in.state(ball).position).norm();
    assert!((0..60).all(|ball| off(ball) < 1e-5), "{:?}", (0..60).map(off).fold(0.0, f64::max));
}

/// All contacts up to a reach are found, among many balls as among two.
#[test]
fn contacts_within_reach_are_all_found() {
    let mut balls = rows(40, 0.05);
    let place = |i: usize| match i % 3 {
        0 => 0.25 * (i / 3) as f64,
        1 => (i % 7) as f64 * 0.05 + 0.3,
        _ => 0.0,
    };
    let position = DVector::from_fn(120, |i, _| place(i));
    let motion = Motion { time: 0.0, velocity: DVector::zeros(120), position };
    for reach in [0.0, 0.02, 0.3] {
        let mut found = Contacts::default();
        Lagrangian::contacts(&mut balls, &motion, reach, &mut found);
        let expected = |first: usize, second: usize| {
            let [dx, dy] = [0, 1].map(|k| motion.position[3 * first + k] - motion.position[3 * second + k]);
            dx.hypot(dy) - 0.2 <= reach
        };
        for (first, second) in (0..40).flat_map(|first| (first + 1..40).map(move |second| (first, second))) {
            let key = ContactKey { body: first, other: Some(second), which: 0 };
            assert_eq!(found.find(key).is_some(), expected(first, second), "{first} {second} {reach}");
        }
    }
}

/// A system whose coordinates all move each other.
struct Linked;

impl Lagrangian for Linked {
    fn size(&self) -> usize {
        3
    }

    fn acceleration(&mut self, _: &Motion, a: &mut DVector<f64>) {
        *a = DVector::zeros(3);
    }

    fn accelerate(&self, _: &DVector<f64>, x: &mut DVector<f64>, _: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let sum = x.sum();
        x.iter_mut().for_each(|x| *x += sum);
        0..3
    }

    fn contacts(&mut self, motion: &Motion, _: f64, found: &mut Contacts) {
        found.clear(&motion.position);
        for body in 0..3 {
            let contact = found.add(ContactKey { body, other: None, which: 0 }, &law(0.0, 0.0), 0.0);
            contact.normal.set(body, 1.0);
            contact.tangent.set((body + 1) % 3, 1.0);
        }
    }
}

/// W = 1 + eeᵀ of three contacts: u = u₀ + W P has u = 0 at P = −W⁻¹u₀ = −u₀ + e (e·u₀)/4.
#[test]
fn impulses_of_contacts_that_move_each_other() {
    let (mut found, mut system) = (Contacts::default(), Linked);
    system.contacts(&Motion { position: DVector::zeros(3), ..Motion::default() }, 0.0, &mut found);
    let asked = [-1.0, -0.8, -0.9];
    found.iter_mut().zip(asked).for_each(|(contact, u)| contact.asked = [u, 0.0]);
    let change = found.solve(&system).expect("impulses");
    let exact = asked.map(|u| -u + asked.iter().sum::<f64>() / 4.0);
    assert!((change - 1.0).abs() < 1e-12, "{change}");
    for (contact, exact) in found.iter().zip(exact) {
        assert!((contact.impulse[0] - exact).abs() < 1e-12 && contact.impulse[1] == 0.0, "{contact:?}");
    }
    // From these impulses on, with what they made, nothing changes.
    found.iter_mut().for_each(|contact| contact.asked = [0.0; 2]);
    assert!(found.solve(&system).expect("impulses") < 1e-12);
}
