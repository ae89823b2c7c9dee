//! Steps of a scheme, to count instructions of: `valgrind --tool=callgrind steps moreau 20000 'x^2' 1` makes 20 000 steps of one ball in a bowl.
#![allow(clippy::panic, clippy::expect_used, reason = "it stops where a run does")]

use std::path::Path;
use std::sync::Arc;

use scenario::stepping::run_stepping;
use scenario::{Document, Methods, Scenario};
use supervisor::NoObserver;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, scheme, steps, ground, balls] = arguments.as_slice() else { panic!("SCHEME STEPS GROUND BALLS") };
    let steps: f64 = steps.parse().expect("a number of steps");
    let balls = balls.parse().expect("a number of balls");
    let ball = |i: i32| format!("[[ball]]\nradius = 0.1\ninitial = {{ position = [{:?}, 1] }}\n", 0.21 * f64::from(i));
    let text = format!(
        "ground.curve = {{ kind = \"graph\", y = \"{ground}\" }}\ncontact = {{ restitution = 0.9, friction = 0.2 }}\n\
         solver = {{ method = \"{scheme}\", step = 1e-3, duration = {} }}\noutput.interval = {0}\n{1}",
        steps * 1e-3,
        (0..balls).map(ball).collect::<String>()
    );
    let methods = Arc::new(schemes::methods(Methods::builtin()));
    let document = Document::from_text(&text, Path::new(""), &[], &methods);
    let scenario = document.and_then(|document| Scenario::of(&document)).unwrap_or_else(|error| panic!("{error}"));
    let summary = run_stepping(&scenario, &mut NoObserver);
    assert!(summary.stop.is_none(), "{:?}", summary.stop);
}
