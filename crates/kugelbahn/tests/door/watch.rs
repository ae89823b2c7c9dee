//! Crossings against closed forms.

use super::*;

#[test]
fn a_line_across_a_drop_is_crossed_where_the_parabola_says() {
    let run = drop().watch(Watch::x(0.3)).watch(Watch::y(0.5)).run(0.5).unwrap();
    let [x, y] = [0, 1].map(|index| run.crossings().iter().find(|crossing| crossing.watch == index).unwrap());
    assert!((x.moment.time - 0.3).abs() < 1e-15 && x.rising);
    assert!((y.moment.time - (1.0 / G).sqrt()).abs() < 1e-15 && !y.rising);
    assert_eq!(run.crossings().len(), 2);
    assert!(run.crossings()[0].moment.time < run.crossings()[1].moment.time);
}

#[test]
fn every_bounce_above_the_line_crosses_it_twice() {
    // e = 1/2 halves the speed: tops at 4⁻ⁿ m, and 0.01 m is passed by those of n ≤ 3.
    let run = drop().watch(Watch::y(0.01)).run(2.0).unwrap();
    let mut expected = vec![(2.0 * 0.99 / G).sqrt()];
    let mut impact = first_impact();
    let mut speed = 0.5 * G * impact;
    while speed * speed > 2.0 * G * 0.01 {
        let root = (speed * speed - 2.0 * G * 0.01).sqrt();
        expected.extend([impact + (speed - root) / G, impact + (speed + root) / G]);
        impact += 2.0 * speed / G;
        speed *= 0.5;
    }
    let found: Vec<f64> = run.crossings().iter().map(|crossing| crossing.moment.time).collect();
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-13, "{found} {expected}");
    }
    assert!(run.crossings().iter().enumerate().all(|(i, crossing)| crossing.rising == (i % 2 == 1)));
}

#[test]
fn a_touch_is_no_crossing() {
    // The ground itself, touched by every bounce and then rested on; a ball with a radius, whose place on the ground is rounded.
    for (ball, level) in [(Ball::point(1.0), 0.0), (Ball::solid_sphere(1.0, 0.07), 0.07)] {
        let on = Simulation::new(ball.unwrap(), Ground::graph("0").unwrap()).restitution(0.5);
        let run = on.thrown_from([0.0, 1.0], [0.0, 0.0]).watch(Watch::y(level)).run(3.0).unwrap();
        assert_eq!(run.summary().phase, Phase::Resting);
        assert!(run.crossings().is_empty(), "{:?}", run.crossings());
    }
    // The top of a throw, 0.2 s after its start.
    let top = 0.2 * 0.2 * 0.5 * G;
    let throw = drop().thrown_from([0.0, 1.0], [0.0, 0.2 * G]);
    for (level, times) in [(top, 0), (top - 1e-9, 2), (top + 1e-9, 0)] {
        let run = throw.clone().watch(Watch::y(1.0 + level)).run(0.4).unwrap();
        assert_eq!(run.crossings().len(), times, "{level}: {:?}", run.crossings());
    }
}

#[test]
fn a_rolling_ball_crosses_and_one_on_the_line_does_not() {
    let flat = Simulation::new(Ball::solid_sphere(1.0, 0.1).unwrap(), Ground::graph("0").unwrap()).friction(0.3);
    let run = flat.on_ground(0.0, 2.0).watch(Watch::x(1.0)).watch(Watch::y(0.1)).run(1.0).unwrap();
    let [crossing] = run.crossings() else { panic!("{:?}", run.crossings()) };
    assert!((crossing.moment.time - 0.5).abs() < 1e-14 && crossing.moment.phase == Phase::Rolling);
    // To and fro in a bowl: at rest at its side, then through the middle every half period.
    let bowl = Simulation::new(Ball::point(1.0).unwrap(), Ground::graph("x^2").unwrap());
    let run = bowl.on_ground(0.1, 0.0).watch(Watch::x(0.0)).tolerance(1e-11).run(5.0).unwrap();
    assert!(run.crossings().len() >= 6);
    for pair in run.crossings().windows(2) {
        assert!(pair[0].rising != pair[1].rising && pair[0].moment.position[0].abs() < 1e-12);
    }
}

#[test]
fn crossings_are_seen_from_what_stands_still() {
    let text = "ball = { radius = 0.05 }\nground = { curve = { kind = 'graph', y = '0' }, motion = { x = '0.5*t^2' } }\n\
                initial = { position = [0, 0.3], velocity = [1, 0] }\ncontact = { restitution = 0.5 }";
    let run = Simulation::from_text(text).unwrap().watch(Watch::x(0.5)).run(0.7).unwrap();
    let [crossing] = run.crossings() else { panic!("{:?}", run.crossings()) };
    // Frictionless, it keeps its velocity.
    assert!((crossing.moment.time - 0.5).abs() < 1e-12, "{crossing:?}");
}

#[test]
fn a_soft_ball_crosses_too() {
    let text = "ball = { radius = 0.05 }\nground.curve = { kind = 'graph', y = '0' }\n\
                initial = { position = [0, 0.3], velocity = [1, 0] }\ncontact = { law = 'hertz', stiffness = 1e5 }";
    let run = Simulation::from_text(text).unwrap().watch(Watch::y(0.04)).watch(Watch::x(0.3)).run(0.5).unwrap();
    let falling: Vec<_> = run.crossings().iter().filter(|crossing| crossing.watch == 0).collect();
    assert_eq!(falling.iter().map(|crossing| crossing.rising).collect::<Vec<_>>(), [false, true]);
    assert!(falling.iter().all(|crossing| (crossing.moment.position[1] - 0.04).abs() < 1e-15));
    assert!(falling.iter().all(|crossing| crossing.moment.phase == Phase::Compressed));
    assert!(run.crossings().iter().any(|crossing| crossing.watch == 1 && (crossing.moment.time - 0.3).abs() < 1e-12));
}

/// What an observer hears, and when.
#[derive(Default, Debug, PartialEq)]
struct Heard(Vec<(&'static str, f64)>);

impl Observer for Heard {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.0.push((event.kind.name(), event.time()));
        ControlFlow::Continue(())
    }

    fn crossing(&mut self, crossing: &supervisor::Crossing) {
        self.0.push(("watch", crossing.time()));
    }
}

#[test]
fn a_run_is_told_again_as_it_was() {
    let watched = hills().watch(Watch::x(1.0)).watch(Watch::new(Watched::Apex)).watch(Watch::y(0.1));
    let mut live = Heard::default();
    let first = watched.run_observed(1.0, &mut live).unwrap();
    let run = first.resume_observed(4.0, &mut live).unwrap();
    let logged = run.log().map(|entry| match entry {
        kugelbahn::Entry::Event(event) => (event.kind.name(), event.time()),
        kugelbahn::Entry::Crossing(crossing) => ("watch", crossing.time()),
    });
    assert_eq!(logged.collect::<Vec<_>>(), live.0);
    let mut again = Heard::default();
    assert!(run.tell(&mut again).is_continue());
    assert_eq!(again, live);
    assert_eq!(live.0.iter().filter(|(kind, _)| *kind == "watch").count(), run.crossings().len());
    assert!(first.crossings().len() > 1 && run.crossings().len() > first.crossings().len() + 1);
}
