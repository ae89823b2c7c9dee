//! Runs that end where they are asked to, and runs that go on from a row.

use super::*;

/// Events and rows before the end are those of the longer run, to the last bit.
fn is_the_beginning_of(run: &Run, longer: &Run) {
    let end = run.end();
    assert_eq!(run.events(), &longer.events()[..run.events().len()]);
    assert!(longer.events()[run.events().len()..].iter().all(|event| event.time() >= end));
    for moment in run.samples(0.01).unwrap().filter(|moment| moment.time < end) {
        assert_eq!(moment, longer.at(moment.time).unwrap());
    }
}

#[test]
fn a_run_ends_with_the_first_of_its_moments() {
    let texts = [
        "solver.method = 'newmark'",
        "solver.method = 'bdf'\nforces.drag.coefficient = 0.1",
        "solver.method = 'radau'\nforces.drag.coefficient = 0.1",
        "solver.method = 'dop853'\nforces.drag.coefficient = 0.1",
        "solver.method = 'ballistic'\nforces.drag.coefficient = 0.1",
        "contact = { law = 'hertz', stiffness = 1e5, friction = 0.2 }",
    ];
    for text in texts {
        let text = format!(
            "ground.curve = {{ kind = 'graph', y = '0.25*sin(pi*x)' }}\nball.radius = 0.05\n\
             initial = {{ position = [-0.75, 1.2], velocity = [2, 0] }}\n{text}\n{}",
            if text.contains("law") { "" } else { "contact = { restitution = 0.6, friction = 0.2 }" }
        );
        let plain = Simulation::from_text(&text).unwrap().watch(Watch::x(-0.2).named("post"));
        let longer = plain.run(6.0).unwrap();
        let post = longer.crossings()[0].moment;
        let touch = if text.contains("law") { "touch.2" } else { "impact.3" };
        for (moments, with) in [
            (vec!["watch.post"], "watch.post"),
            (vec!["t=1.2345"], "t=1.2345"),
            (vec![touch], touch),
            (vec!["t=5", "watch.post.7", "watch.post"], "watch.post"),
        ] {
            let run = plain.clone().until_moments(&moments).run(6.0).unwrap();
            assert_eq!(run.ended(), Ended::Moment(with.into()), "{text}");
            is_the_beginning_of(&run, &longer);
            match with {
                "watch.post" => assert_eq!(run.at(run.end()).unwrap(), post),
                "t=1.2345" => assert_eq!(run.at(1.2345).unwrap(), longer.at(1.2345).unwrap()),
                _ => assert_eq!(run.events().last().map(Event::time), Some(run.end())),
            }
            assert_eq!(run.summary().state.time, run.end());
            assert!(run.unexplained().abs() < 1e-6, "{}", run.unexplained());
        }
        // One that is not met ends nothing.
        let run = plain.clone().until_moments(&["end-of-ground", "watch.post.99"]).run(6.0).unwrap();
        assert_eq!((run.end(), run.ended()), (6.0, Ended::Duration));
    }
}

#[test]
fn rest_ends_a_run() {
    let run = drop().until_moments(&["rest"]).thrown_from([0.0, 1.0], [0.0, 0.0]).run(100.0).unwrap();
    // Zeno's: t₁ (1 + e)/(1 − e), with e = 1/2.
    assert!((run.end() - 3.0 * first_impact()).abs() < 1e-9, "{} {}", run.end(), 3.0 * first_impact());
    assert_eq!(run.summary().phase, Phase::Resting);
    assert_eq!(run.ended(), Ended::Moment("rest".into()));
}

#[test]
fn a_run_in_parts_stands_still_at_a_watch_and_goes_on() {
    let watched = drop().watch(Watch::x(0.3).named("post")).until_moments(&["watch.post", "t=0.7"]);
    let mut running = watched.start().unwrap();
    running.advance_to(9.0).unwrap();
    assert!((running.time() - 0.3).abs() < 1e-15 && running.crossings().len() == 1);
    assert!((running.now().position[0] - 0.3).abs() < 1e-15);
    running.advance_to(9.0).unwrap();
    assert_eq!(running.time(), 0.7);
    running.advance_to(0.9).unwrap();
    assert!(running.time() == 0.9 && running.crossings().len() == 1);
    let whole = drop().run(0.9).unwrap();
    assert!(apart(running.now(), &whole.at(0.9).unwrap()) < 1e-12);
}

#[test]
fn a_row_is_a_start_from_which_the_run_goes_on() {
    // A force of the time, ground that moves, a ball that slides, then rolls.
    let texts = [
        "ground.curve = { kind = 'graph', y = '0' }\nforces = { external = { x = 'sin(9*t)', y = '-x' } }\ncontact = { restitution = 0.6 }\n\
         initial = { position = [0, 1], velocity = [2, 3] }\nsolver.tolerance = 1e-11",
        "ground = { curve = { kind = 'graph', y = '0.1*x^2' }, motion = { x = '0.1*sin(3*t)' } }\nball = { radius = 0.1 }\n\
         contact = { friction = 0.1 }\ninitial = { contact = { x = 1, speed = 2 } }\nsolver.tolerance = 1e-11",
    ];
    for text in texts {
        let plain = Simulation::from_text(text).unwrap();
        let whole = plain.run(3.0).unwrap();
        for begin in [0.31, 1.07, 2.5] {
            let Moment { position, velocity, spin, .. } = whole.at(begin).unwrap();
            let rest = plain.clone().starting_at(begin).thrown_from(position, velocity).spin(spin);
            let run = rest.run(3.0 - begin).unwrap();
            assert_eq!((run.begin(), run.end()), (begin, 3.0));
            for moment in run.samples(0.1).unwrap() {
                let other = whole.at(moment.time).unwrap();
                assert!(apart(&moment, &other) < 2e-8, "{text}\n{begin} {moment:?} {other:?}");
            }
            assert!(run.at(0.5 * begin).is_err());
        }
    }
}
