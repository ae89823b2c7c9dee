//! The end of a search for an extreme: looks around the best point, and judges whether it is one.

use identify::{ParameterRange, Quantity, Reading};
use supervisor::Moment;

use super::aimed::{Edge, ExtremeEnd, Way};
use super::search::{AimSearch, Best, Missed, REACH};

/// Result of looking around the end of a search.
#[derive(Debug)]
pub(super) enum Ending {
    /// A better point was found: the search goes on.
    Better,
    /// The search ends so.
    Ends(ExtremeEnd),
}

/// Derivatives times sizes, relative to the value, that count as zero.
const LEVEL: f64 = 1e-5;
/// Relative gain that counts as none.
const GAIN: f64 = 1e-8;
/// Bisections towards an edge beyond which runs lack the quantity.
const BISECTIONS: u32 = 30;
/// Steps downhill that are tried, in sizes of the parameter that matters most; and a step to each side where all is
/// level.
const LOOKS: [f64; 8] = [1.0, 0.25, 0.05, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6];
const SIDE: f64 = 0.03;
/// Multiples of the distance from the start at which points far away are tried.
const FAR: [f64; 3] = [1e2, 1e3, REACH];

impl AimSearch<'_> {
    /// Judges the best point of a search; `far`: the parameter that went out of reach, if one did.
    pub fn verdict(&self, way: Way, far: Option<usize>) -> Ending {
        if let Some(j) = far {
            return Ending::Ends(self.out_of_reach(j));
        }
        match self.look_around(way) {
            Ok(verdict) => verdict,
            Err(_) if self.spent() => Ending::Ends(ExtremeEnd::Unsettled(format!(
                "the search did not come to its end in {} runs; allow more with --runs",
                self.runs()
            ))),
            Err(_) => Ending::Ends(ExtremeEnd::Level),
        }
    }

    /// End of a search in which parameter `j` has no bound and still improves the value.
    fn out_of_reach(&self, j: usize) -> ExtremeEnd {
        let key = self.active.indices.get(j).map_or("", |j| self.unknowns.list()[*j].key.as_str());
        let name = self.names();
        ExtremeEnd::Unsettled(format!(
            "{name} gets no worse on and on with {key}; give it a range: --free {key}=LOW..HIGH"
        ))
    }

    /// Looks around the best point: downhill by the derivatives, or to the sides where they vanish.
    fn look_around(&self, way: Way) -> Result<Ending, Missed> {
        let best = self.best().ok_or(Missed::Spent)?;
        if self.spent() {
            return Err(Missed::Spent);
        }
        if way == Way::Simplex {
            return self.look_far(&best);
        }
        let readings = self.read(&best.values, true)?;
        let Some(reading) = readings.first() else { return Err(Missed::Spent) };
        let little = LEVEL * reading.value.abs() + GAIN;
        // Change of the cost for one size of each parameter; 0 where a bound is in the way.
        let pulls: Vec<f64> = reading.by.iter().zip(&self.sizes).map(|(by, size)| self.sign() * by * size).collect();
        let is_held = |j: usize| {
            let ParameterRange { lower, upper } = self.bounds[j];
            best.values[j] <= lower && pulls[j] > 0.0 || best.values[j] >= upper && pulls[j] < 0.0
        };
        let pull = |j: usize| if is_held(j) { 0.0 } else { pulls[j] };
        let steepest = (0..pulls.len()).max_by(|i, j| pull(*i).abs().total_cmp(&pull(*j).abs()));
        let Some(most) = steepest.map(|j| pull(j).abs()) else { return Err(Missed::Spent) };
        if most <= little {
            // All derivatives vanish at the opposite extreme, too.
            for (j, side) in (0..pulls.len()).filter(|j| !is_held(*j)).flat_map(|j| [(j, SIDE), (j, -SIDE)]) {
                let mut values = best.values.clone();
                values[j] = self.bounds[j].nearest(values[j] + side * self.sizes[j]);
                let _known = self.see(&values)?;
            }
            if self.gained(&best) {
                return Ok(Ending::Better);
            }
            let held = (0..pulls.len()).any(|j| is_held(j) && pulls[j].abs() > little);
            return Ok(Ending::Ends(if held { ExtremeEnd::Bound(None) } else { ExtremeEnd::Level }));
        }
        let direction: Vec<f64> = (0..pulls.len()).map(|j| -pull(j) / most * self.sizes[j]).collect();
        self.look_along(&best, &direction)
    }

    /// Tries points along a direction that should improve the value.
    fn look_along(&self, best: &Best, direction: &[f64]) -> Result<Ending, Missed> {
        let at = |part: f64| -> Vec<f64> { best.values.iter().zip(direction).map(|(p, d)| p + part * d).collect() };
        // The shortest step so far whose run lacks the quantity.
        let mut lacking = None;
        for part in LOOKS {
            match (self.see(&at(part))?, lacking) {
                (Ok(cost), _) if part == LOOKS[0] && self.better(cost, best.cost) => return Ok(Ending::Better),
                (Ok(cost), Some(beyond)) if cost < best.cost => return self.edge(&at, part, beyond),
                (Ok(_), _) => lacking = None,
                (Err(_), _) => lacking = Some(part),
            }
        }
        match lacking {
            Some(beyond) => self.edge(&at, 0.0, beyond),
            None if self.gained(best) => Ok(Ending::Better),
            None => Ok(Ending::Ends(ExtremeEnd::Level)),
        }
    }

    /// Bisects between a point whose run has the quantity and one whose run lacks it.
    fn edge(&self, at: &dyn Fn(f64) -> Vec<f64>, mut has: f64, mut lacks: f64) -> Result<Ending, Missed> {
        for _ in 0..BISECTIONS {
            let part = 0.5 * (has + lacks);
            *(if self.see(&at(part))?.is_ok() { &mut has } else { &mut lacks }) = part;
        }
        let beyond = at(lacks);
        let why = match self.see(&beyond)? {
            Err(why) => why,
            Ok(_) => return Ok(Ending::Better),
        };
        let later = self.look(&self.active.whole(&beyond), 2.0 * self.runs.options.duration).is_ok();
        Ok(Ending::Ends(ExtremeEnd::Bound(Some(Edge { why, later }))))
    }

    /// Whether the cost goes on falling far away.
    fn falls_on(&self, at: &dyn Fn(f64) -> Vec<f64>, mut last: f64) -> Result<bool, Missed> {
        for part in FAR {
            match self.see(&at(part))? {
                Ok(cost) if self.better(cost, last) => last = cost,
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Tries points far along the way of a search without derivatives, to see whether the value still improves there.
    fn look_far(&self, best: &Best) -> Result<Ending, Missed> {
        let start = self.active.start();
        let direction: Vec<f64> = best.values.iter().zip(&start).map(|(value, start)| value - start).collect();
        let parts = (0..direction.len()).map(|j| {
            let open = self.is_open(j, direction[j]);
            if open { direction[j].abs() / self.sizes[j] } else { 0.0 }
        });
        let Some((j, part)) = parts.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)) else { return Err(Missed::Spent) };
        if part > 1.0 {
            let at = |times: f64| -> Vec<f64> {
                let moved = best.values.iter().zip(&direction).map(|(value, d)| value + times * d / part);
                moved.collect()
            };
            if part >= 0.5 * REACH || self.falls_on(&at, best.cost)? {
                return Ok(Ending::Ends(self.out_of_reach(j)));
            }
        }
        let held = |(j, value): (usize, &f64)| *value == self.bounds[j].lower || *value == self.bounds[j].upper;
        let held = best.values.iter().enumerate().any(held);
        Ok(Ending::Ends(if held { ExtremeEnd::Bound(None) } else { ExtremeEnd::Level }))
    }

    /// Whether a parameter has no bound in that direction.
    fn is_open(&self, j: usize, direction: f64) -> bool {
        let ParameterRange { lower, upper } = self.bounds[j];
        direction > 0.0 && upper == f64::INFINITY || direction < 0.0 && lower == f64::NEG_INFINITY
    }

    /// Whether a cost is noticeably below another one.
    fn better(&self, cost: f64, than: f64) -> bool {
        than - cost > GAIN * (than.abs() + GAIN)
    }

    /// Whether a point better than `best` was found since.
    fn gained(&self, best: &Best) -> bool {
        self.best().is_some_and(|now| self.better(now.cost, best.cost))
    }

    /// Cost of the values moved into their bounds, or the reason why there is none.
    fn see(&self, values: &[f64]) -> Result<Result<f64, String>, Missed> {
        let inside: Vec<f64> = values.iter().zip(&self.bounds).map(|(value, b)| b.nearest(*value)).collect();
        match self.read(&inside, false) {
            Ok(readings) => Ok(Ok(self.cost(&readings))),
            Err(Missed::Why(why)) => Ok(Err(why.to_string())),
            Err(Missed::Spent) => Err(Missed::Spent),
        }
    }

    /// Whether a quantity was read at the very end of its run.
    pub fn is_last(&self, reading: &Reading) -> bool {
        let duration = self.runs.options.duration;
        duration - reading.time <= 1e-6 * duration
    }

    /// Whether the end of the run limits the value: a quantity that is asked for at no time is read there, and a longer
    /// run changes it; or only longer runs have it beyond the edge.
    pub fn is_cut(&self, best: &Best, end: &ExtremeEnd) -> bool {
        let asks = |quantity: &Quantity| matches!(quantity, Quantity::At { moment: Moment::End | Moment::Time(_), .. });
        if let ExtremeEnd::Bound(Some(beyond)) = end {
            return beyond.later;
        }
        let Some(reading) = best.readings.first().filter(|reading| self.is_last(reading)) else { return false };
        if self.quantities.iter().any(asks) {
            return false;
        }
        let duration = self.runs.options.duration;
        let longer = self.look(&self.active.whole(&best.values), 1.1 * duration);
        let value = longer.ok().and_then(|readings| readings.first().map(|reading| reading.value));
        value.is_some_and(|value| (value - reading.value).abs() > GAIN * (1.0 + reading.value.abs()))
    }
}
