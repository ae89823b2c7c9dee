//! Search for parameters that meet all targets.

use identify::{Evaluation, Loss, Quantity, Solver};
use nalgebra::DMatrix;
use supervisor::Moment;

use super::aimed::{AimError, Aimed, MET, Way};
use super::goal::Wish;
use super::search::{Active, AimSearch, Missed, STARTS};

impl AimSearch<'_> {
    /// Meets all targets, or comes as near as possible. Parameters without effect at the start are only moved if the
    /// others do not suffice.
    pub fn hit(&mut self) -> Result<Aimed, AimError> {
        let begun = self.begin()?;
        if self.met() {
            return self.found_by(Way::Newton, &[]);
        }
        let idle = self.without_effect(&begun);
        if idle.is_empty() {
            let way = self.approach(&begun);
            return self.found_by(way, &[]);
        }
        let mut near = None;
        if idle.len() < begun.len() {
            let from = self.hold(&begun, &idle);
            let way = self.approach(&from);
            if self.met() || self.spent() {
                return self.found_by(way, &idle);
            }
            near = self.best().map(|best| (best, self.active.clone(), way));
            self.activate(Active::all(self.unknowns.start()));
        } else if let Some(best) = self.best()
            && self.another_reading(&begun).is_none()
        {
            // No number has an effect here, and no other start has other readings; the best of one that has is kept.
            return Err(self.no_effect(&best.readings));
        }
        let way = self.approach(&begun);
        match near {
            // The idle numbers stay as given unless moving them helped.
            Some((best, active, way)) if !(self.best_cost() < best.cost - MET) => {
                self.activate(active);
                self.replace_best(best);
                self.found_by(way, &idle)
            }
            _ => self.found_by(way, &[]),
        }
    }

    /// Whether all targets are met.
    fn met(&self) -> bool {
        self.best_cost() <= MET
    }

    /// Least squares from a start; the search keeps the best point by itself.
    fn least_squares(&self, from: &[f64]) {
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
    fn found_by(&self, way: Way, idle: &[usize]) -> Result<Aimed, AimError> {
        let best = self.best().ok_or_else(|| self.no_value(Missed::Spent))?;
        let found = self.aimed(best, way, idle)?;
        // A quantity reached only as the run ends comes later in neighbouring runs: a longer run may meet the target.
        let late = self.quantities.iter().zip(&found.readings).any(|(quantity, reading)| {
            !matches!(quantity, Quantity::At { moment: Moment::End | Moment::Time(_), .. }) && self.is_last(reading)
        });
        Ok(Aimed { cut: !found.reached && late, ..found })
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
            self.least_squares(start);
        } else {
            let _known = self.read(start, false);
        }
        let (mut way, mut met) = stage(Way::Newton);
        for (round, best_of) in STARTS {
            if met {
                break;
            }
            for (other, _) in self.others(start, round).into_iter().take(best_of) {
                if smooth {
                    self.least_squares(&other);
                }
                (way, met) = stage(Way::OtherStart);
                if met {
                    break;
                }
            }
        }
        if let Some(near) = self.best().filter(|best| best.cost > MET) {
            let down = self.down_a_simplex(&near.values, 0.3);
            if smooth {
                self.least_squares(&down);
            }
            (way, _) = stage(Way::Simplex);
        }
        way
    }
}
