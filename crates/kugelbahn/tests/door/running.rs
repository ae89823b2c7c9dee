//! Runs made in parts.

use std::ops::ControlFlow;

use kugelbahn::supervisor::Recording;

use super::*;

#[test]
fn parts_make_the_whole() {
    // Uniform gravity is solved exactly: the parts differ by rounding, which a bounce at e = 0.5 does not make more.
    let whole = drop().run(1.5).unwrap();
    let mut running = drop().start().unwrap();
    let mut events = Vec::new();
    for i in 1..=30 {
        events.extend(running.advance_to(0.05 * f64::from(i)).unwrap());
    }
    assert_eq!(events.len(), whole.events().len());
    for (a, b) in events.iter().zip(whole.events()) {
        assert!(a.kind == b.kind && (a.time() - b.time()).abs() < 1e-14, "{a:?} {b:?}");
    }
    assert!(apart(running.now(), &whole.at(1.5).unwrap()) < 1e-13);
}

#[test]
fn parts_make_the_whole_on_hills_too() {
    // Steps are cut where a part ends, so that the parts differ by the tolerance; before 2 s the impacts are few.
    let mut running = hills().start().unwrap();
    let whole = hills().run(3.0).unwrap();
    for i in 1..=300 {
        running.advance_to(0.01 * f64::from(i)).unwrap();
        let there = whole.at(running.time().min(3.0)).unwrap();
        assert!(apart(running.now(), &there) < 1e-6, "{} s: {:e}", running.time(), apart(running.now(), &there));
    }
}

#[test]
fn a_snapshot_is_restored_to_the_last_bit() {
    for method in ["newmark", "bdf", "radau", "dop853"] {
        let simulation = hills().drag(0.01).magnus(0.02).method(method);
        let mut running = simulation.start().unwrap();
        for stop in [0.3, 1.0, 2.12, 2.2, 2.4] {
            running.advance_to(stop).unwrap();
            let snapshot = running.snapshot();
            let first = running.advance_to(stop + 0.4).unwrap();
            let then = *running.now();
            running.restore(&snapshot);
            assert_eq!(running.time(), stop);
            let second = running.advance_to(stop + 0.4).unwrap();
            assert_eq!((first, then), (second, *running.now()), "{method} from {stop} s");
            running.restore(&snapshot);
        }
    }
}

#[test]
fn forces_change_from_here_on() {
    let mut running = drop().start().unwrap();
    running.advance_to(0.2).unwrap();
    let before = *running.now();
    running.change(|simulation| simulation.gravity([0.0, 1.0])).unwrap();
    assert_eq!(*running.now(), before);
    running.advance_to(0.5).unwrap();
    let t = 0.5 - 0.2;
    let y = before.position[1] + before.velocity[1] * t + 0.5 * t * t;
    assert!((running.now().position[1] - y).abs() < 1e-15);
    // A ball that lies still is blown away, and one that no longer is pressed on leaves.
    let flat = Simulation::new(Ball::solid_sphere(1.0, 0.1).unwrap(), Ground::graph("0").unwrap()).friction(0.3);
    let mut lying = flat.on_ground(0.0, 0.0).start().unwrap();
    lying.advance_to(1.0).unwrap();
    assert_eq!(lying.now().phase, Phase::Resting);
    lying.change(|simulation| simulation.force(|_, _| [0.7, 0.0])).unwrap();
    lying.advance_to(2.0).unwrap();
    // 5/7 of F/m.
    assert!((lying.now().velocity[0] - 0.5).abs() < 1e-9 && lying.now().phase == Phase::Rolling, "{:?}", lying.now());
    lying.change(|simulation| simulation.gravity([0.0, 2.0])).unwrap();
    lying.advance_to(3.0).unwrap();
    assert!((lying.now().position[1] - 1.1).abs() < 1e-12 && lying.now().phase == Phase::Flight, "{:?}", lying.now());
    // One between two walls leaves them.
    let vee = Simulation::new(Ball::solid_sphere(1.0, 0.1).unwrap(), Ground::graph("abs(x)").unwrap());
    let mut wedged = vee.thrown_from([0.0, 0.1 * 2.0_f64.sqrt()], [0.0, 0.0]).start().unwrap();
    wedged.advance_to(1.0).unwrap();
    assert_eq!(wedged.now().phase, Phase::Resting);
    wedged.change(|simulation| simulation.gravity([0.0, 2.0])).unwrap();
    let events = wedged.advance_to(2.0).unwrap();
    assert!(events.len() == 1 && events[0].kind == EventKind::LiftOff, "{events:?}");
    assert!((wedged.now().position[1] - (1.0 + 0.1 * 2.0_f64.sqrt())).abs() < 1e-9, "{:?}", wedged.now());
}

#[test]
fn the_law_changes_from_here_on() {
    let mut running = drop().start().unwrap();
    running.advance_to(first_impact() + 0.01).unwrap();
    running.change(|simulation| simulation.restitution(1.0)).unwrap();
    let events = running.advance_to(5.0).unwrap();
    assert!(events.len() > 8 && events.iter().all(|event| event.kind == EventKind::Impact));
    assert!((events[5].velocity_after().0 - 0.5 * G * first_impact()).abs() < 1e-12);
}

#[test]
fn what_the_state_is_made_of_can_not_change() {
    let mut running = drop().start().unwrap();
    running.advance_to(0.1).unwrap();
    let now = *running.now();
    type Change = fn(Simulation) -> Simulation;
    let changes: [(&str, Change); 5] = [
        ("ground", |_| hills()),
        ("start", |simulation| simulation.spin(3.0)),
        ("solver", |simulation| simulation.method("bdf")),
        ("radius", |simulation| simulation.set("ball.radius", 0.1).unwrap()),
        ("restitution", |simulation| simulation.restitution(2.0)),
    ];
    for (what, change) in changes {
        let error = running.change(change).unwrap_err().to_string();
        assert!(error.contains(what), "{what}: {error}");
    }
    assert_eq!((*running.now(), running.time()), (now, 0.1));
    running.change(|simulation| simulation.set("ball.mass", 2.0).unwrap()).unwrap();
    running.advance_to(0.3).unwrap();
}

#[test]
fn an_observer_makes_it_stand_still() {
    struct First;
    impl Observer for First {
        fn event(&mut self, _event: &Event) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }
    let mut running = drop().start().unwrap();
    running.advance_with(3.0, &mut First).unwrap();
    assert!((running.time() - first_impact()).abs() < 1e-15);
    assert!(running.now().velocity[1] > 0.0);
    running.advance_with(3.0, &mut First).unwrap();
    assert!((running.time() - 2.0 * first_impact()).abs() < 1e-14);
}

#[test]
fn time_goes_forward() {
    let mut running = drop().start().unwrap();
    assert!(running.advance_to(0.2).unwrap().is_empty());
    assert!(running.advance_to(0.2).unwrap().is_empty());
    assert!(matches!(running.advance_to(0.1), Err(Error::Past { .. })));
    for time in [f64::NAN, f64::INFINITY] {
        assert!(matches!(running.advance_to(time), Err(Error::Duration { .. })));
    }
    assert_eq!(running.time(), 0.2);
}

#[test]
fn a_run_that_stopped_stays() {
    let mut running = drop().force(|t, _| [if t > 0.2 { f64::NAN } else { 0.0 }, 0.0]).start().unwrap();
    assert!(matches!(running.advance_to(1.0), Err(Error::StoppedUnkept(_))));
    let time = running.time();
    assert!(time < 1.0);
    assert!(matches!(running.advance_to(2.0), Err(Error::StoppedUnkept(_))) && running.time() == time);
}

#[test]
fn a_run_in_parts_ends_at_its_event_and_sees_what_is_watched() {
    let watched = drop().watch(Watch::y(0.5)).watch(Watch::x(0.3)).until(|event| event.kind == EventKind::Impact);
    let mut running = watched.start().unwrap();
    assert!(running.advance_to(0.31).unwrap().is_empty());
    assert_eq!(running.crossings().iter().map(|crossing| crossing.watch).collect::<Vec<_>>(), [1]);
    let snapshot = running.snapshot();
    assert_eq!(running.advance_to(3.0).unwrap().len(), 1);
    assert!((running.time() - first_impact()).abs() < 1e-15);
    let whole = watched.run(3.0).unwrap();
    assert_eq!(whole.end(), running.time());
    assert_eq!(whole.crossings().len(), running.crossings().len());
    for (a, b) in whole.crossings().iter().zip(running.crossings()) {
        assert!(a.watch == b.watch && (a.moment.time - b.moment.time).abs() < 1e-14, "{a:?} {b:?}");
    }
    running.restore(&snapshot);
    assert_eq!(running.crossings().len(), 1);
    let error = running.change(|simulation| simulation.watch(Watch::x(9.0))).unwrap_err().to_string();
    assert!(error.contains("watched"), "{error}");
    // It goes on from event to event, and to the end where none is asked for any more.
    running.advance_to(3.0).unwrap();
    running.change(|simulation| simulation.until(|_| false)).unwrap();
    assert!(running.advance_to(3.0).unwrap().len() > 3 && running.time() == 3.0);
}

#[test]
fn a_streamed_run_ends_at_its_event_and_tells_what_is_watched() {
    let until = drop().until(|event| event.kind == EventKind::Impact);
    let mut heard = Recording::default();
    let summary = until.observe(3.0, &mut heard).unwrap();
    assert!(heard.events.len() == 1 && (summary.state.time - first_impact()).abs() < 1e-15);
    let mut heard = Recording::default();
    until.watch(Watch::x(0.2)).observe(3.0, &mut heard).unwrap();
    assert!(heard.crossings.len() == 1 && (heard.crossings[0].time() - 0.2).abs() < 1e-15);
}

#[test]
fn ground_that_jumps_after_the_end_of_the_file_is_refused() {
    let text = "ground = { curve = { kind = 'graph', y = '0' }, motion = { x = 'abs(t - 2)' } }\n\
                initial.position = [0, 0.3]\nsolver.duration = 1";
    let simulation = Simulation::from_text(text).unwrap();
    assert!(simulation.run(1.9).is_ok());
    let error = simulation.run(2.1).unwrap_err().to_string();
    assert!(error.contains("t = 2.0") && error.contains("motion of the ground"), "{error}");
    let mut running = simulation.start().unwrap();
    assert!(running.advance_to(1.9).is_ok() && running.advance_to(2.1).is_err() && running.time() == 1.9);
}
