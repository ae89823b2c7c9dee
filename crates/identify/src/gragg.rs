//! Gragg's extrapolated midpoint rule.

/// Columns of the table; the last one has order 16.
const COLUMNS: usize = 8;
/// First step of a motion, as a part of the time asked for. It is no simple fraction: steps by such a part would see a
/// force with the period of that time at one phase only.
const FIRST: f64 = 0.618_033_988_749_894_9;
/// Largest number of steps, rejected ones included: so many for a run, and so many more for each time asked for. Stiff
/// motion would take this explicit rule forever.
const MOST: (u32, u32) = (2000, 40);

/// Allowed errors of a step, relative to the largest component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Precision {
    /// Error of the state, the first six components.
    pub state: f64,
    /// Error of its derivatives by parameters.
    pub derivatives: f64,
}

impl Precision {
    /// As accurate as rounding allows: differences by parameters have rounding of some 1e-12.
    pub const EXACT: Precision = Precision { state: 1e-14, derivatives: 1e-11 };
    /// Enough for a search of parameters; differences by points of a spline have more rounding, and finer steps would
    /// be ten times as short.
    pub const SEARCH: Precision = Precision { state: 1e-12, derivatives: 1e-8 };
}

/// Integrates `ż = f(t, z)` by extrapolation of the modified midpoint rule with `2, 4, …, 16` substeps, with as many
/// columns as a step needs (Hairer, Nørsett, Wanner, *Solving ODEs I*, 2nd ed., §II.9).
#[derive(Clone, Debug)]
pub(crate) struct Gragg {
    /// Results extrapolated so far; entry 0 is the most accurate.
    table: Vec<Vec<f64>>,
    first: Vec<f64>,
    before: Vec<f64>,
    here: Vec<f64>,
    rates: Vec<f64>,
    step: f64,
    precision: Precision,
    /// Sizes of the parameters; the groups after the first are derivatives by them.
    sizes: Vec<f64>,
    /// Remaining number of steps.
    left: u32,
}

impl Gragg {
    /// Makes room for a state of 6 components and 6 derivatives by each parameter of these sizes.
    pub fn new(sizes: Vec<f64>, precision: Precision) -> Self {
        let length = 6 * (1 + sizes.len());
        let zeros = || vec![0.0; length];
        Gragg {
            table: vec![zeros(); COLUMNS],
            first: zeros(),
            before: zeros(),
            here: zeros(),
            rates: zeros(),
            step: f64::INFINITY,
            precision,
            sizes,
            left: MOST.0,
        }
    }

    /// Allows the steps for one more time.
    pub fn allow(&mut self) {
        self.left = self.left.saturating_add(MOST.1);
    }

    /// Begins a new motion, whose step size is not known yet.
    pub fn restart(&mut self) {
        self.step = f64::INFINITY;
    }

    /// Advances `z` by a step towards `to`; the time reached (s), an error if steps got too short or too many.
    pub fn step(
        &mut self,
        z: &mut [f64],
        from: f64,
        to: f64,
        f: &mut impl FnMut(f64, &[f64], &mut [f64]),
    ) -> Result<f64, f64> {
        f(from, z, &mut self.first);
        if self.step.is_infinite() {
            self.step = FIRST * (to - from);
        }
        loop {
            if self.left == 0 {
                return Err(from);
            }
            self.left -= 1;
            let left = to - from;
            let step = self.step.min(left);
            match self.columns(z, from, step, f) {
                Some(used) => {
                    z.copy_from_slice(&self.table[0]);
                    // A few columns were enough: longer steps. One cut short at the end says nothing about longer ones.
                    if used < 5 && step == self.step {
                        self.step *= 2.0;
                    }
                    return Ok(if step == left { to } else { from + step });
                }
                None => {
                    self.step = 0.5 * step;
                    if !(self.step > 1e-13 * to.abs().max(1e-3)) {
                        return Err(from);
                    }
                }
            }
        }
    }

    /// Computes columns until one is accurate enough; the result is entry 0 of the table.
    fn columns(
        &mut self,
        z: &[f64],
        time: f64,
        step: f64,
        f: &mut impl FnMut(f64, &[f64], &mut [f64]),
    ) -> Option<usize> {
        for column in 0..COLUMNS {
            let parts = 2 * (column + 1);
            let h = step / parts as f64;
            self.before.copy_from_slice(z);
            for (here, (z, rate)) in self.here.iter_mut().zip(z.iter().zip(&self.first)) {
                *here = z + h * rate;
            }
            for part in 1..parts {
                f(time + part as f64 * h, &self.here, &mut self.rates);
                for (before, rate) in self.before.iter_mut().zip(&self.rates) {
                    *before += 2.0 * h * rate;
                }
                std::mem::swap(&mut self.before, &mut self.here);
            }
            // Aitken and Neville's scheme in place: entry k uses columns k..=column.
            self.table[column].copy_from_slice(&self.here);
            for k in (0..column).rev() {
                let ratio = ((column + 1) as f64 / (k + 1) as f64).powi(2) - 1.0;
                let (low, high) = self.table.split_at_mut(k + 1);
                for (low, high) in low[k].iter_mut().zip(&high[0]) {
                    *low = high + (high - *low) / ratio;
                }
            }
            if self.table[0].iter().any(|z| !z.is_finite()) {
                return None;
            }
            if column > 0 && self.agree(&self.table[0], &self.table[1], z) {
                return Some(column);
            }
        }
        None
    }

    /// Whether two results of a motion from `z` agree within the precision. The error of a derivative is compared with
    /// its size, or with the size of the state over that of the parameter, if that is larger: smaller differences of
    /// formulas by the parameter are rounding.
    pub fn agree(&self, best: &[f64], next: &[f64], z: &[f64]) -> bool {
        let Precision { state, derivatives } = self.precision;
        let largest = |a: &[f64], b: &[f64]| a.iter().chain(b).fold(0.0f64, |size, z| size.max(z.abs()));
        let whole = largest(&best[..6], &z[..6]);
        let mut groups = best.chunks(6).zip(next.chunks(6)).zip(z.chunks(6)).enumerate();
        groups.all(|(group, ((best, next), start))| {
            let allowed = match group.checked_sub(1) {
                None => state * whole,
                Some(parameter) => derivatives * largest(best, start).max(whole / self.sizes[parameter]),
            };
            best.iter().zip(next).all(|(a, b)| (a - b).abs() <= allowed)
        })
    }
}
