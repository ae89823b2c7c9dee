//! Search for parameters that meet all targets.

use identify::{Evaluation, Loss, Quantity, Solver};
use nalgebra::DMatrix;
use supervisor::Moment;

use super::aimed::{AimError, MET, Way};
use super::goal::Wish;
use super::search::{Active, AimSearch, Found, Missed, STARTS};

impl AimSearch<'_> {
    /// Meets all targets, or comes as near as possible. Parameters without effect at the start are only moved if the
    /// others do not suffice.
    pub fn hit(&mut self) -> Result<Found, AimError> {
        let begun = self.begin()?;
        if self.met() {
            return self.hit_from(Way::Newton, Vec::new());
        }
        let idle = self.without_effect(&begun);
        if idle.is_empty() {
            let way = self.approach(&begun);
            return self.hit_from(way, idle);
        }
        let mut near = None;
        if idle.len() < begun.len() {
            let from = self.hold(&begun, &idle);
            let way = self.approach(&from);
            if self.met() || self.spent() {
                return self.hit_from(way, idle);
            }
            near = self.best().map(|best| (best, self.active.clone(), way));
            self.activate(Active::all(self.unknowns.start()));
        } else if let Some(best) = self.best()
            && self.elsewhere(&begun).is_none()
        {
            return Err(self.no_effect(&best.readings));
        }
        let way = self.approach(&begun);
        match near {
            Some((best, active, way)) if !(self.best_cost() < best.cost - MET) => {
                self.activate(active);
                self.replace_best(best);
                self.hit_from(way, idle)
            }
            _ => self.hit_from(way, Vec::new()),
        }
    }

    /// Whether all targets are met.
    fn met(&self) -> bool {
        self.best_cost() <= MET
    }

    /// Least squares from a start; the search keeps the best point by itself.
    fn steps(&self, from: &[f64]) {
        let solver = Solver { bounds: self.bounds.clone(), loss: Loss::Squares, evaluations: 60, tolerance: 1e-12 };
        let evaluate = |values: &[f64]| {
            let readings = self.read(values, true)?;
            let jacobian = DMatrix::from_fn(readings.len(), values.len(), |i, j| {
                let size = match self.goals[i].wish {
                    Wish::Equal(value) => value.abs().max(1.0),
                    _ => 1.0,
                };
                readings[i].by.get(j).copied().unwrap_or(0.0) / size
            });
            Ok::<_, Missed>(Evaluation { residuals: self.off(&readings), jacobian })
        };
        // The search records all runs, so that the solver's own result is not needed.
        let _end = solver.solve(from, evaluate);
    }

    /// The best point as the result of the search.
    fn hit_from(&self, way: Way, idle: Vec<usize>) -> Result<Found, AimError> {
        let best = self.best().ok_or_else(|| self.nothing(Missed::Spent))?;
        let (parameters, reached) = (self.active.whole(&best.values), best.cost <= MET);
        let readings = best.readings;
        // A quantity read at the end of the run without being asked for there happens after the end in neighbouring
        // runs.
        let late = self.quantities.iter().zip(&readings).any(|(quantity, reading)| {
            !matches!(quantity, Quantity::At { moment: Moment::End | Moment::Time(_), .. }) && self.is_last(reading)
        });
        Ok(Found { parameters, readings, reached, way, history: Vec::new(), idle, end: None, cut: !reached && late })
    }

    /// Searches from a start, then from other starts, then by a simplex; returns the way that found the best point.
    fn approach(&self, start: &[f64]) -> Way {
        let smooth = self.is_smooth();
        let mut found = (Way::Newton, self.best_cost());
        let mut stage = |way: Way| {
            let cost = self.best_cost();
            if cost < found.1 {
                found = (way, cost);
            }
            (found.0, cost <= MET)
        };
        if smooth {
            self.steps(start);
        } else {
            let _known = self.read(start, false);
        }
        let mut so_far = stage(Way::Newton);
        for (round, best_of) in STARTS {
            if so_far.1 {
                break;
            }
            for (other, _) in self.others(start, round).into_iter().take(best_of) {
                if smooth {
                    self.steps(&other);
                }
                so_far = stage(Way::OtherStart);
                if so_far.1 {
                    break;
                }
            }
        }
        if let Some(near) = self.best().filter(|best| best.cost > MET) {
            let down = self.down_a_simplex(&near.values, 0.3);
            if smooth {
                self.steps(&down);
            }
            so_far = stage(Way::Simplex);
        }
        so_far.0
    }
}
