//! Sensitivities against differences of whole runs.

use std::collections::BTreeSet;
use std::f64::consts::FRAC_PI_4;
use std::sync::Arc;

use crate::differences::{Whole, between, options};
use curves::{Ground, OffsetGround, Piece, Place, Profile};
use identify::{Family, Model, RunSettings, Sensitivities, Trace, observe, sweep};
use mechanics::{Ball, ContactLaw, Forces, Friction, ParameterError, State};
use nalgebra::Vector2;
use numbers::{Interval, Number};
use supervisor::{EventKind, Phase, Scene, Start, Watching};

/// `y = height + amplitude sin(kx) + slope x`
#[derive(Debug)]
struct Hills {
    height: f64,
    amplitude: f64,
    wave: f64,
    slope: f64,
}

impl Profile for Hills {
    fn point<N: Number>(&self, s: N) -> [N; 2] {
        let y = N::constant(self.height) + s.scale(self.wave).sin().scale(self.amplitude) + s.scale(self.slope);
        [s, y]
    }
}

/// Everything a case may vary.
#[derive(Clone, Copy, Debug)]
struct Case {
    hills: [f64; 4],
    radius: f64,
    drag: f64,
    magnus: f64,
    law: [f64; 4],
    /// c_rr
    resistance: f64,
    start: [f64; 5],
    on_ground: bool,
    duration: f64,
}

const SMOOTH: Case = Case {
    hills: [0.0, 0.1, 2.0, 0.0],
    radius: 0.05,
    drag: 0.02,
    magnus: 0.01,
    // e, e_t, μ, d
    law: [0.7, 0.1, 0.3, 0.05],
    resistance: 0.0,
    start: [0.1, 0.9, 0.8, 0.2, 3.0],
    on_ground: false,
    duration: 1.5,
};

impl Case {
    fn model(&self) -> Result<Model, ParameterError> {
        let [height, amplitude, wave, slope] = self.hills;
        let ground = Ground::new(vec![Piece::new(Hills { height, amplitude, wave, slope }, Interval::REAL)]).unwrap();
        let ball = Ball::new(0.3, self.radius, Ball::SOLID_SPHERE)?;
        let forces = Forces::gravity(&ball, Vector2::new(0.0, -9.81))?;
        let forces = forces.with_drag(self.drag)?.with_magnus(self.magnus)?;
        let [e, rebound, friction, damping] = self.law;
        let law = ContactLaw::new(e)?.with_friction(Friction::Coefficient(friction))?;
        let law = law.with_tangential_restitution(rebound)?.with_rolling_damping(damping)?;
        let law = law.with_rolling_resistance(self.resistance)?;
        let [x, y, vx, vy, spin] = self.start;
        let start = if self.on_ground {
            Start::Contact { place: Place::Piece { index: 0, parameter: x }, speed: vx, spin: Some(spin), time: 0.0 }
        } else {
            let (position, velocity) = (Vector2::new(x, y), Vector2::new(vx, vy));
            Start::Flight(State { time: 0.0, position, velocity, angle: 0.0, spin, dissipated: 0.0, work: 0.0 })
        };
        let ground = OffsetGround::new(Arc::new(ground), self.radius);
        Ok(Model { scene: Scene::new(ground.into(), ball, forces, law), start })
    }

    /// Height, amplitude, wave number, drag, e, e_t, μ, d, the start, and c_rr.
    fn values(&self) -> Vec<f64> {
        let [height, amplitude, wave, _] = self.hills;
        [[height, amplitude, wave, self.drag].as_slice(), &self.law, &self.start, &[self.resistance]].concat()
    }

    fn at(&self, p: &[f64]) -> Case {
        let hills = [p[0], p[1], p[2], self.hills[3]];
        let [law, start] = [&p[4..8], &p[8..13]];
        let (law, start) = (law.try_into().unwrap(), start.try_into().unwrap());
        Case { hills, drag: p[3], law, start, resistance: p[13], ..*self }
    }

    fn whole(&self) -> Whole<impl Fn(&[f64]) -> Model> {
        let case = *self;
        Whole { values: self.values(), build: move |p: &[f64]| case.at(p).model().unwrap(), duration: self.duration }
    }

    fn trace(&self) -> Trace {
        self.whole().trace()
    }

    /// The run seen at some times, with derivatives by some parameters.
    fn run(&self, parameters: &[usize], times: &[f64]) -> Sensitivities {
        self.whole().run(parameters, times).unwrap()
    }

    /// Derivatives by all parameters; one at its limit can't go both ways.
    fn check(&self, times: &[f64], skip: impl Fn(usize) -> bool) -> BTreeSet<(EventKind, Phase, Phase)> {
        let values = self.values();
        let free: Vec<usize> = (0..14).filter(|j| !((3..8).contains(j) || *j == 13) || values[*j] != 0.0).collect();
        self.whole().check(&free, times, skip)
    }
}

#[test]
fn through_flight_and_impacts_that_stick_and_slide() {
    let case = SMOOTH;
    let kinds = case.check(&between(&case.trace()), |_| false);
    assert!(kinds.contains(&(EventKind::Impact, Phase::Flight, Phase::Flight)), "{kinds:?}");
}

/// Between few nodes many times are interpolated, in flight and in contact. Few times are integrated, here to rounding:
/// impacts multiply errors, a hundredfold in three bounces.
#[test]
fn many_times_are_seen_as_few_are() {
    let rolls = Case { start: [0.4, 0.0, 0.0, 0.0, 0.0], on_ground: true, ..SMOOTH };
    for case in [SMOOTH, rolls] {
        let options = options(case.duration, 1e-10);
        let runs = RunSettings { options, tolerance: 1e-10, watching: Watching::default() };
        let build = |p: &[f64]| case.at(&[p, &case.values()[3..]].concat()).model();
        let times: Vec<f64> = (0..=3000).map(|i| case.duration * f64::from(i) / 3000.0).collect();
        let few: Vec<f64> = times.iter().copied().step_by(300).collect();
        let family = Family::new(&case.values()[..3], build).unwrap();
        let few = sweep(&family, &Trace::of(family.base(), options, runs.tolerance).unwrap(), &few).unwrap().samples;
        let many = observe(&times, &case.values()[..3], build, &runs).unwrap();
        assert_eq!((many.len(), few.len()), (3001, 11));
        let near = |a: &[f64; 6], b: &[f64; 6], part: f64| {
            let size = a.iter().fold(0.0f64, |size, a| size.max(a.abs()));
            (0..6).all(|i| (a[i] - b[i]).abs() <= part * size)
        };
        for (one, other) in many.iter().step_by(300).zip(&few) {
            assert!(near(&one.state, &other.state, 1e-11), "{one:?} {other:?}");
            assert!(one.by.iter().zip(&other.by).all(|(a, b)| near(a, b, 1e-7)), "{one:?} {other:?}");
        }
    }
}

#[test]
fn from_rest_with_drag() {
    // |v|v has a derivative at v = 0, and no second one: in flight, and where a ball begins to slide or roll.
    let dropped = Case { start: [0.1, 0.9, 0.0, 0.0, 3.0], drag: 0.1, ..SMOOTH };
    let times = between(&dropped.trace());
    let smooth: Vec<usize> = (0..13).filter(|j| ![10, 11].contains(j)).collect();
    dropped.whole().check(&smooth, &times, |_| false);
    // By the velocity itself differences err by h² ln h: 5e-8 here.
    let (own, h) = (dropped.run(&[10, 11], &times), 2e-4);
    for (column, j) in [10, 11].into_iter().enumerate() {
        let [up, down] = [h, -h].map(|h| {
            let mut values = dropped.values();
            values[j] += h;
            dropped.at(&values).run(&[], &times)
        });
        for (own, (up, down)) in own.samples.iter().zip(up.samples.iter().zip(&down.samples)) {
            let off = |i: usize| own.by[column][i] - (up.state[i] - down.state[i]) / (2.0 * h);
            let size = own.by[column].iter().fold(0.0f64, |size, by| size.max(by.abs()));
            assert!(
                (0..6).all(|i| off(i).abs() < 3e-7 * size),
                "t = {}, by {j}: {:?}",
                own.time,
                [0, 1, 2, 3, 4].map(off)
            );
        }
    }
    let rolls = Case { start: [0.4, 0.0, 0.0, 0.0, 0.0], drag: 0.1, on_ground: true, ..SMOOTH };
    // Another speed or spin slips at first.
    let free: Vec<usize> = (0..9).collect();
    rolls.whole().check(&free, &between(&rolls.trace()), |_| false);
}

#[test]
fn through_slipping_sticking_and_lift_off() {
    // Up to a crest, from sliding to rolling, and off it.
    let case = Case {
        hills: [0.0, 0.12, 4.0, -0.35],
        law: [0.5, 0.0, 0.35, 0.02],
        start: [0.1, 0.0, 3.6, 0.0, -71.0],
        on_ground: true,
        duration: 0.2,
        ..SMOOTH
    };
    let trace = case.trace();
    let kinds = case.check(&between(&trace), |_| false);
    assert!(kinds.contains(&(EventKind::Stick, Phase::Sliding, Phase::Rolling)), "{kinds:?}");
    assert!(kinds.iter().any(|kind| kind.0 == EventKind::LiftOff), "{kinds:?}");
}

#[test]
fn through_slip_of_a_rolling_ball() {
    // Steep sides roll only at the bottom.
    let case = Case {
        hills: [0.0, 0.3, 2.0, 0.0],
        law: [0.5, 0.0, 0.08, 0.02],
        drag: 0.0,
        start: [-0.9, 0.0, 1.0, 0.0, -22.0],
        on_ground: true,
        duration: 0.8,
        ..SMOOTH
    };
    let kinds = case.check(&between(&case.trace()), |_| false);
    assert!(kinds.contains(&(EventKind::Slip, Phase::Rolling, Phase::Sliding)), "{kinds:?}");
}

#[test]
fn through_zeros_of_spin_and_speed_against_rolling_resistance() {
    let rough = Case {
        hills: [0.0, 0.2, 2.0, 0.1],
        law: [0.5, 0.0, 0.2, 0.02],
        drag: 0.0,
        magnus: 0.0,
        resistance: 0.06,
        start: [-0.9, 0.0, 1.0, 0.0, 12.0],
        on_ground: true,
        duration: 1.2,
        ..SMOOTH
    };
    // Backspin stops and turns round, the ball sticks, rolls, and turns round; where c_rr is more than μ, it slides without spin.
    for (case, seen) in [
        (
            rough,
            [(EventKind::Slip, Phase::Sliding, Phase::Sliding), (EventKind::Stick, Phase::Rolling, Phase::Rolling)],
        ),
        (
            Case { resistance: 0.4, duration: 0.6, ..rough },
            [(EventKind::Slip, Phase::Sliding, Phase::Sliding), (EventKind::Rest, Phase::Sliding, Phase::Resting)],
        ),
    ] {
        let kinds = case.check(&between(&case.trace()), |_| false);
        assert!(seen.iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
    }
}

#[test]
fn through_a_landing_without_bounce() {
    // Drag would make a kink where the ball turns back in the valley.
    let case = Case { drag: 0.0, law: [0.0, 0.0, 0.3, 0.0], duration: 0.9, ..SMOOTH };
    let kinds = case.check(&between(&case.trace()), |_| false);
    assert!(kinds.iter().any(|kind| kind.0 == EventKind::Landing), "{kinds:?}");
}

#[test]
fn by_a_little_restitution_where_there_is_none() {
    // With it the ball bounces before contact begins, sliding on or stuck; while it does, nothing damps its rolling.
    for friction in [0.05, 0.3] {
        let case = Case { drag: 0.0, law: [0.0, 0.0, friction, 0.5], duration: 0.9, ..SMOOTH };
        let landing = case.trace().events().next().unwrap().time();
        let times = [0.05, 0.1, 0.2].map(|after| landing + after);
        let with = |e: f64| Case { law: [e, 0.0, friction, 0.5], ..case };
        let family = Family::new(&[0.0], |p| with(p[0]).model()).unwrap();
        let found = sweep(&family, &case.trace(), &times).unwrap();
        let seen = |e: f64| with(e).run(&[], &times);
        let (still, steps) = (seen(0.0), [4e-4, 2e-4, 1e-4]);
        let bounced = steps.map(seen);
        for (i, own) in found.samples.iter().enumerate() {
            let size = own.by[0].iter().fold(0.0f64, |size, by| size.max(by.abs()));
            assert!(size > 0.1, "{size}");
            for (k, own) in own.by[0].iter().enumerate() {
                let [a, b, c] =
                    std::array::from_fn(|n| (bounced[n].samples[i].state[k] - still.samples[i].state[k]) / steps[n]);
                let [a, b] = [2.0 * b - a, 2.0 * c - b];
                let difference = (4.0 * b - a) / 3.0;
                assert!((own - difference).abs() < 1e-5 * size, "μ = {friction}, {k}: {own} {difference} of {size}");
            }
        }
    }
}

#[test]
fn through_elastic_bounces_that_end_at_once() {
    // A fall of 1e-15 m, e = 1: their end is where they begin, and the ball rolls out, v exp(−dt/m).
    let flat = Case { hills: [0.0, 0.0, 1.0, 0.0], drag: 0.0, magnus: 0.0, law: [1.0, 0.0, 0.0, 0.5], ..SMOOTH };
    let case = Case { start: [0.1, flat.radius + 1e-15, 0.8, 0.0, 0.0], ..flat };
    let times = [0.2, 1.0];
    for (sample, time) in case.run(&[10], &times).samples.iter().zip(times) {
        let rate = 0.5 / 0.3;
        let exact = (1.0 - f64::exp(-rate * time)) / rate;
        assert!((sample.by[0][0] - exact).abs() < 1e-7, "{} {exact}", sample.by[0][0]);
    }
}

#[test]
fn through_infinitely_many_bounces() {
    // On a level floor they end after √(2h/g) (1+e)/(1−e), h above the floor.
    let case = Case {
        hills: [0.0, 0.0, 1.0, 0.0],
        drag: 0.0,
        magnus: 0.0,
        law: [0.4, 0.0, 0.3, 0.0],
        start: [0.0, 1.05, 1.0, 0.0, 0.0],
        duration: 1.5,
        ..SMOOTH
    };
    let found = case.run(&[0, 4, 9, 10], &[1.4]);
    let landing = found.events.iter().find(|e| e.event.kind == EventKind::Landing).unwrap();
    let (fall, e) = ((2.0f64 / 9.81).sqrt(), 0.4);
    let end = fall * (1.0 + e) / (1.0 - e);
    assert!((landing.event.time() / end - 1.0).abs() < 1e-10);
    let exact = [-0.5 * end, 2.0 * fall / ((1.0 - e) * (1.0 - e)), 0.5 * end, 0.0];
    for (own, exact) in landing.time_by.iter().zip(exact) {
        assert!((own - exact).abs() < 1e-8 * (1.0 + exact.abs()), "{own} {exact}");
    }
    // Sliding has long stuck: 5/7 of the speed are left, and the floor carries the ball.
    let exact = [[0.0, 1.0, 0.0, 0.0], [0.0; 4], [0.0; 4], [f64::NAN, 0.0, 5.0 / 7.0, 0.0]];
    for (own, exact) in found.samples[0].by.iter().zip(exact) {
        for i in 1..4 {
            assert!((own[i] - exact[i]).abs() < 1e-8, "{own:?} {exact:?}");
        }
    }
}

#[test]
fn through_infinitely_many_bounces_on_hills() {
    let case = Case { hills: [0.0, 0.05, 1.0, 0.0], law: [0.4, 0.0, 0.3, 0.0], duration: 1.5, ..SMOOTH };
    let trace = case.trace();
    // Between them there are fewer bounces or more, according to the parameters; what follows moves smoothly.
    let kinds = case.check(&between(&trace), |k| k > 3);
    assert!(kinds.iter().any(|kind| kind.0 == EventKind::Landing), "{kinds:?}");
}

#[test]
fn a_point_slides_to_rest() {
    let case = Case {
        hills: [0.0, 0.02, 1.0, 0.0],
        radius: 0.0,
        law: [0.5, 0.0, 0.4, 0.0],
        start: [0.0, 0.0, 1.0, 0.0, 0.0],
        on_ground: true,
        magnus: 0.0,
        duration: 0.6,
        ..SMOOTH
    };
    let kinds = case.check(&between(&case.trace()), |_| false);
    assert!(kinds.iter().any(|kind| kind.2 == Phase::Resting), "{kinds:?}");
}

#[test]
fn a_path_that_grazes_a_crest_is_flagged() {
    // At 8 m/s and level over the crest at x = π/4 the ground falls away faster than the ball.
    let fly = |depth: f64| {
        let time = 0.5 / 8.0;
        let start = [FRAC_PI_4 - 0.5, 0.15 - depth - 0.5 * 9.81 * time * time, 8.0, 9.81 * time, 0.0];
        let case = Case { hills: [0.0, 0.1, 2.0, 0.0], drag: 0.0, magnus: 0.0, start, duration: 0.07, ..SMOOTH };
        case.run(&[9], &[]).events[0].clone()
    };
    // v·n = √(2 g̈ depth), with κ = −0.4/m of the ground.
    let bend = 0.4 / 1.02 * 64.0 - 9.81;
    for (depth, grazing) in [(1e-3, false), (1e-5, false), (1e-7, true), (1e-9, true)] {
        let touch = fly(depth);
        let expected = (2.0f64 * bend * depth).sqrt() / 8.0;
        assert_eq!(touch.grazing, grazing, "{depth}: {touch:?}");
        assert!((touch.transversality / expected - 1.0).abs() < 0.05, "{depth}: {touch:?}");
    }
}
