//! Sensitivities against differences of whole runs.

use std::collections::BTreeSet;

use identify::{Family, Model, Sensitivities, SweepError, Trace, sweep};
use newmark::Tolerance;
use supervisor::{EventKind, Options, Phase};

/// The shortest of the steps of differences, in sizes of the parameter.
const LEAST: f64 = 2e-4;

/// Runs of models that are built from parameters.
pub struct Whole<B> {
    /// The parameters.
    pub values: Vec<f64>,
    /// Builds a model.
    pub build: B,
    /// s
    pub duration: f64,
}

/// Options of a run of `duration` s by a tolerance.
pub fn options(duration: f64, tolerance: f64) -> Options {
    Options {
        duration,
        interval: None,
        capture_speed: 1e-6,
        capture_tolerance: 1e-9,
        largest_step: f64::INFINITY,
        compression: Tolerance { relative: tolerance, absolute: tolerance },
        limit: None,
    }
}

pub fn trace(model: &Model, duration: f64) -> Trace {
    Trace::of(model, options(duration, 1e-13), 1e-13).unwrap()
}

/// Times between events, away from them.
pub fn between(trace: &Trace) -> Vec<f64> {
    let mut marks: Vec<f64> = trace.events().map(|event| event.time()).collect();
    marks.insert(0, 0.0);
    marks.push(trace.end);
    let parts = marks.windows(2).filter(|pair| pair[1] - pair[0] > 0.02);
    parts.flat_map(|pair| [0.2, 0.8].map(|part| pair[0] + part * (pair[1] - pair[0]))).collect()
}

impl<B: Fn(&[f64]) -> Model> Whole<B> {
    pub fn trace(&self) -> Trace {
        trace(&(self.build)(&self.values), self.duration)
    }

    /// The run, with derivatives by some of the parameters.
    pub fn run(&self, free: &[usize], times: &[f64]) -> Result<Sensitivities, SweepError> {
        let values: Vec<f64> = free.iter().map(|j| self.values[*j]).collect();
        let build = |p: &[f64]| {
            let mut all = self.values.clone();
            free.iter().zip(p).for_each(|(j, p)| all[*j] = *p);
            Ok::<_, ()>((self.build)(&all))
        };
        sweep(&Family::new(&values, build).unwrap(), &self.trace(), times)
    }

    /// States at `times` and before and after each event, and times of events, with one parameter moved.
    fn moved(&self, j: usize, by: f64, times: &[f64], events: usize) -> Vec<f64> {
        let mut values = self.values.clone();
        values[j] += by;
        let moved = Whole { values, build: &self.build, duration: self.duration }.run(&[], times).unwrap();
        assert_eq!(moved.events.len(), events, "parameter {j} changes the sequence of events");
        let states = moved.samples.iter().flat_map(|s| s.state);
        let at_events = moved.events.iter().flat_map(|e| [e.before.state, e.after.state].concat());
        states.chain(at_events).chain(moved.events.iter().map(|e| e.time)).collect()
    }

    /// Derivatives by `free` against central differences, extrapolated three times: of states at `times`, and of the times
    /// of events but those to `skip`, and of states just before and after them there. Gives the kinds of events met.
    pub fn check(
        &self,
        free: &[usize],
        times: &[f64],
        skip: impl Fn(usize) -> bool,
    ) -> BTreeSet<(EventKind, Phase, Phase)> {
        let found = self.run(free, times).unwrap();
        let values = &self.values;
        for (column, j) in free.iter().copied().enumerate() {
            let size = if values[j] == 0.0 { 1.0 } else { values[j].abs().max(0.1) };
            // Runs are exact to 1e-12, so differences know no more than this, of which three extrapolations make 5/3 · 17/15 · 65/63
            // times as much; in units of the 1e-8 asked for.
            let rounding = 1.95e8 * 1e-12 / (LEAST * size);
            let table = [8.0, 4.0, 2.0, 1.0].map(|part| part * LEAST * size).map(|h| {
                let [up, down] = [h, -h].map(|h| self.moved(j, h, times, found.events.len()));
                up.iter().zip(&down).map(|(up, down)| (up - down) / (2.0 * h)).collect::<Vec<f64>>()
            });
            let best: Vec<f64> = (0..table[0].len())
                .map(|i| {
                    let mut row: Vec<f64> = table.iter().map(|differences| differences[i]).collect();
                    for order in 1..4 {
                        row = row.windows(2).map(|r| r[1] + (r[1] - r[0]) / (4f64.powi(order) - 1.0)).collect();
                    }
                    row[0]
                })
                .collect();
            let (states, of_events) = best.split_at(6 * times.len());
            let (at_events, event_times) = of_events.split_at(12 * found.events.len());
            for (sample, difference) in found.samples.iter().zip(states.chunks(6)) {
                let norm = difference.iter().fold(0.0f64, |norm, d| d.abs().max(norm));
                for i in 0..6 {
                    let error = (sample.by[column][i] - difference[i]).abs() / (norm + rounding);
                    let (time, own) = (sample.time, sample.by[column][i]);
                    assert!(error < 1e-8, "t = {time}, by {j}, component {i}: {own} for {}: {error}", difference[i]);
                }
            }
            for (k, (event, difference)) in found.events.iter().zip(event_times).enumerate() {
                if skip(k) {
                    continue;
                }
                let error = (event.time_by[column] - difference).abs() / (difference.abs() + rounding);
                let (kind, own) = (event.event.kind, event.time_by[column]);
                assert!(error < 1e-8, "{kind:?} {k} by {j}: {own} for {difference}: {error}");
                for (side, ball) in [&event.before, &event.after].into_iter().enumerate() {
                    let difference = &at_events[12 * k + 6 * side..][..6];
                    let norm = difference.iter().fold(0.0f64, |norm, d| d.abs().max(norm));
                    // Exact to 1e-12 of their size, that is; here a ball turns at 70 rad/s.
                    let rounding = rounding * ball.state.iter().fold(1.0f64, |size, x| x.abs().max(size));
                    for i in 0..6 {
                        let own = ball.by[column][i] + ball.rates[i] * event.time_by[column];
                        let error = (own - difference[i]).abs() / (norm + rounding);
                        assert!(error < 1e-8, "{kind:?} {k}, side {side}, by {j}, component {i}: {own}: {error}");
                    }
                }
            }
        }
        assert!(found.events.iter().all(|event| !event.grazing));
        found.events.iter().map(|e| (e.event.kind, e.event.phase_before, e.event.phase_after)).collect()
    }
}
