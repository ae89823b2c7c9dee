//! Symptom: a ball rolling in a bowl at a fixed step had velocities half as wrong again as the method, at order 2.06.
//! Cause: the room until a second contact was added up on the way and shortened a step when it was used up, although
//! there was plenty; from then on samples stood between the steps.

use std::ops::ControlFlow;

use std::sync::Arc;

use curves::{Ground, OffsetGround, Piece, Place, Profile};
use mechanics::{Ball, ContactLaw, Forces, Friction};
use nalgebra::Vector2;
use newmark::{Control, Tolerance};
use numbers::{Interval, Number};
use supervisor::{Observer, Options, Sample, Scene, Start, Supervisor};

/// The lower half of a circle of radius 1.1 m, by the angle from its bottom.
#[derive(Debug)]
struct Bowl;

impl Profile for Bowl {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        [s.sin().scale(1.1), s.cos().scale(-1.1)]
    }
}

const EXACT: reference::bowl::Bowl = reference::bowl::Bowl {
    radius: 1.0,
    gravity: 9.81,
    mass: 1.0,
    inertia_factor: 0.4,
    release: std::f64::consts::FRAC_PI_3,
};

/// Largest error of the velocity, m/s.
#[derive(Default)]
struct Worst(f64);

impl Observer for Worst {
    fn sample(&mut self, sample: &Sample) -> ControlFlow<()> {
        let exact = Vector2::from(EXACT.at(sample.state.time).velocity);
        self.0 = self.0.max((sample.state.velocity - exact).norm());
        ControlFlow::Continue(())
    }
}

#[test]
fn samples_stand_at_the_ends_of_steps() {
    let ball = Ball::new(1.0, 0.1, Ball::SOLID_SPHERE).unwrap();
    let ground = Ground::new(vec![Piece::new(Bowl, Interval::new(-1.57, 1.57))]).unwrap();
    let forces = Forces::gravity(&ball, Vector2::new(0.0, -9.81)).unwrap();
    let law = ContactLaw::new(0.0).unwrap().with_friction(Friction::Infinite).unwrap();
    let scene = Scene::new(OffsetGround::new(Arc::new(ground), 0.1).into(), ball, forces, law);
    let control = Control::Step { step: 5e-3, extrapolate: false };
    let place = Place::Piece { index: 0, parameter: EXACT.release };
    let start = Start::Contact { place, speed: 0.0, spin: None, time: 0.0 };
    let options = Options {
        duration: 3.0,
        interval: Some(5e-3),
        capture_speed: 1e-6,
        capture_tolerance: 1e-9,
        largest_step: f64::INFINITY,
        compression: Tolerance { relative: 1e-9, absolute: 1e-9 },
        limit: None,
    };
    let flight = flight::Newmark::average(control);
    let contact = rolling::Newmark::symmetric(control);
    let mut worst = Worst::default();
    let summary = Supervisor::new(&scene, options, start, flight, contact).run(&mut worst);
    assert!(summary.stop.is_none());
    assert!(worst.0 < 3e-4, "{} m/s", worst.0);
}
