//! How does extrapolation raise the order of a symmetric scheme, and which order and step come next?
//!
//! The error of a symmetric scheme has even powers of h only. Each column of the Aitken–Neville table in `h²` thus
//! gains two orders (Hairer, Nørsett, Wanner, *Solving ODEs I*, 2nd ed., §II.8 and §II.9).

use numbers::elementary;

use crate::{Tolerance, Tried};

/// Number of substeps of each row of the table; all even, so that every row has a value halfway.
const DIVISIONS: [u32; MAX_COLUMNS] = [2, 4, 6, 8];
/// Most columns of the table: order 8.
const MAX_COLUMNS: usize = 4;
/// Largest ratio of a step to the one before: the motion ahead may be less smooth.
const GROWTH: f64 = 1.5;
/// Steps before a higher order is tried again that took more work for the same way.
const HOLD: u32 = 4;

/// Values that equal substeps over one whole step reach.
#[derive(Clone, Copy, Debug)]
pub struct Substeps<const N: usize> {
    /// Values halfway (only for an even number of steps).
    pub middle: [f64; N],
    /// Values at the end.
    pub end: [f64; N],
}

/// Extrapolation with its choice of the order, kept from step to step.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Extrapolation {
    /// Columns aimed at, 2 to [`MAX_COLUMNS`].
    target: usize,
    /// Steps until a higher order is tried again.
    hold: u32,
}

impl Default for Extrapolation {
    fn default() -> Self {
        Extrapolation { target: 3, hold: 0 }
    }
}

impl Extrapolation {
    /// Tries a step from `start`; `run(n)` makes n equal substeps of the scheme over it. A component may be off by its
    /// tolerance and its `rounding` over such a step. The step is accepted (`error` ≤ 1) from one column before the one
    /// aimed at, and given up after one more than that.
    pub fn step<const N: usize, E>(
        &mut self,
        tolerance: Tolerance,
        start: &[f64; N],
        rounding: &[f64; N],
        mut run: impl FnMut(u32) -> Result<Substeps<N>, E>,
    ) -> Result<Tried<Substeps<N>>, E> {
        let mut rows = [Substeps { middle: *start, end: *start }; MAX_COLUMNS];
        // Best so far: number of columns, factor for the next step, work (substeps) for the length of this step.
        let mut best = (2, f64::NAN, f64::INFINITY);
        let (mut work, mut error) = (0.0, f64::INFINITY);
        let last = (self.target + 1).min(MAX_COLUMNS);
        for row in 0..last {
            rows[row] = run(DIVISIONS[row])?;
            work += f64::from(DIVISIONS[row]);
            for k in (0..row).rev() {
                let ratio = f64::from(DIVISIONS[row]) / f64::from(DIVISIONS[k]);
                let gain = 1.0 / (ratio * ratio - 1.0);
                let (older, newer) = rows.split_at_mut(k + 1);
                improve(&mut older[k].middle, &newer[0].middle, gain);
                improve(&mut older[k].end, &newer[0].end, gain);
            }
            if row == 0 {
                continue;
            }
            let columns = row + 1;
            // rows[0] holds the highest order, rows[1] the one below.
            let (high, low) = (&rows[0].end, &rows[1].end);
            error = tolerance.ratio((0..N).map(|i| [high[i] - low[i], start[i].abs().max(high[i].abs()), rounding[i]]));
            // `error` is that of the order below, 2(columns − 1): it goes with h^(2 columns − 1). 0.9 and 0.6 are for
            // safety (§II.9: 0.94, 0.65). The factor is unbounded: a bound would make the lowest order look cheapest.
            let exponent = 1.0 / (2.0 * columns as f64 - 1.0);
            let wish = 0.9 * elementary::powf(0.6 / error.max(1e-30), exponent);
            if work / wish < best.2 {
                best = (columns, wish, work / wish);
            }
            let (order, wish, _) = best;
            if error <= 1.0 && columns + 1 >= self.target {
                self.hold = if order < columns { HOLD } else { self.hold.saturating_sub(1) };
                let mut longer = wish.clamp(0.05, GROWTH);
                self.target = order;
                if order == columns && columns < MAX_COLUMNS && self.hold == 0 {
                    // The last order tried was the cheapest, so that the next may be cheaper still. Its step is as much
                    // longer as its work is larger (Hairer, Nørsett, Wanner, §II.9, eq. (9.22)).
                    self.target = columns + 1;
                    longer = (longer * (work + f64::from(DIVISIONS[columns])) / work).min(GROWTH);
                }
                return Ok(Tried { error, longer, value: rows[0] });
            }
            if !error.is_finite() {
                break;
            }
        }
        let (order, wish, _) = best;
        self.target = order;
        let longer = if wish.is_finite() { wish.clamp(0.05, 0.7) } else { 0.1 };
        Ok(Tried { error, longer, value: rows[0] })
    }
}

/// Error, over what is allowed, of the dense output of a step of `h` s: the octic with the positions, velocities and
/// accelerations of its start, middle and end.
///
/// The octic is off by `K w(s)` at the part s of the step, with `w = (s(s−½)(s−1))³`; w″ is −0.0088 at s = 1/4,
/// `|w| ≤ 1.12e-4` and `|w′| ≤ 1e-3`. K follows from `defect` (m/s²), the difference at s = 1/4 between the
/// acceleration of the octic and that of the equations. `position` (m) and `velocity` (m/s) are sizes there; `rounding`
/// (m) is that of the places, which bends a short path.
pub fn octic_error(tolerance: Tolerance, h: f64, defect: f64, rounding: f64, position: f64, velocity: f64) -> f64 {
    // Rounding of the nodes counts by 256/h² at most in the octic's acceleration; shorter steps would make it worse.
    let defect = (defect - 256.0 * rounding / (h * h)).max(0.0);
    // The defect goes with h⁷, and so the error of the place with h⁹, that of the velocity with h⁸.
    (0.013 * defect * h * h / tolerance.allows(position)).max(0.12 * defect * h / tolerance.allows(velocity))
}

/// Sets one entry of Aitken–Neville's table: `low ← high + gain·(high − low)`. Equal values stay as they are.
fn improve<const N: usize>(low: &mut [f64; N], high: &[f64; N], gain: f64) {
    for i in 0..N {
        low[i] = high[i] + gain * (high[i] - low[i]);
    }
}

/// Extrapolates one step and two half steps: `(4 T₂ − T₁)/3`, order 4.
pub fn extrapolate_once<const N: usize>(whole: &[f64; N], halves: &[f64; N]) -> [f64; N] {
    let mut low = *whole;
    improve(&mut low, halves, 1.0 / 3.0);
    low
}
