//! Scenarios as text, run as `kugelbahn run` does, with everything kept.

use std::path::Path;

use kugelbahn::Scenario;
use supervisor::{Capture, Event, EventKind, Observer, Options, Recording, Sample, Summary};

/// A finished run.
#[allow(dead_code, reason = "each topic looks at what it needs")]
pub struct Run {
    pub scenario: Scenario,
    pub summary: Summary,
    pub events: Vec<Event>,
    pub samples: Vec<Sample>,
    pub captures: Vec<Capture>,
}

/// Reads a scenario with `KEY=VALUE` settings put in.
pub fn load(text: &str, settings: &[&str]) -> Scenario {
    let settings: Vec<String> = settings.iter().map(|s| (*s).to_owned()).collect();
    let base = Path::new(env!("CARGO_MANIFEST_DIR"));
    match Scenario::from_text(text, base, &settings) {
        Ok(scenario) => scenario,
        Err(error) => panic!("{error}\nwith {settings:?} in\n{text}"),
    }
}

/// Runs a scenario whatever it comes to.
pub fn attempt(text: &str, settings: &[&str]) -> Run {
    let scenario = load(text, settings);
    let mut all = Recording::default();
    let summary = match kugelbahn::run(&scenario, &mut all) {
        Ok(summary) => summary,
        Err(error) => panic!("{error}:\n{text}"),
    };
    let Recording { events, samples, captures, .. } = all;
    Run { scenario, summary, events, samples, captures }
}

/// Runs a scenario that must reach its end.
pub fn run(text: &str, settings: &[&str]) -> Run {
    let run = attempt(text, settings);
    assert_eq!(run.summary.stop, None, "{settings:?} {text}");
    run
}

/// Runs a scenario without samples and tells an observer alone.
pub fn observe(scenario: &Scenario, observer: &mut impl Observer) -> Summary {
    let options = Options { interval: None, ..scenario.options() };
    kugelbahn::run_with(scenario, options, observer).unwrap_or_else(|error| panic!("{error}"))
}

impl Run {
    /// Events of one kind.
    pub fn of(&self, kind: EventKind) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(move |event| event.kind == kind)
    }
    /// The first event of a kind, which must be there.
    pub fn first(&self, kind: EventKind) -> &Event {
        self.of(kind).next().unwrap_or_else(|| panic!("no {} among {:?}", kind.name(), self.kinds()))
    }
    pub fn kinds(&self) -> Vec<&'static str> {
        self.events.iter().map(|event| event.kind.name()).collect()
    }
}

/// Keeps the largest of what it is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst(pub f64);

impl Worst {
    pub fn see(&mut self, error: f64) {
        self.0 = if error.is_nan() { f64::INFINITY } else { self.0.max(error.abs()) };
    }
}

/// Slope of the logarithm of errors over that of steps, by least squares.
pub fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|(h, e)| (h.ln(), e.abs().ln())).unzip();
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let cross: f64 = x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum();
    cross / x.iter().map(|x| (x - mx).powi(2)).sum::<f64>()
}
