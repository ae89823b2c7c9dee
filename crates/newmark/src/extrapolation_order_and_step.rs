//! Extrapolation of a symmetric scheme: two orders a column, step and order chosen together.
//!
//! A symmetric scheme's error has even powers of h only, so the Aitken–Neville table in `h²` applies
//! (Hairer, Nørsett, Wanner, *Solving ODEs I*, 2nd ed., §II.8 and §II.9).

use numbers::elementary;

use crate::{Tolerance, Tried};

/// Number of substeps of each column; all even, so that every column has a middle.
const DIVISIONS: [u32; MAX_COLUMNS] = [2, 4, 6, 8];
/// Columns of the table at most: order 8.
const MAX_COLUMNS: usize = 4;
/// Largest ratio of a step to the one before: the motion ahead may be less smooth.
const GROWTH: f64 = 1.5;
/// Steps before a higher order, which was not better, is tried again.
const HOLD: u32 = 4;

/// Result of equal steps over one whole step.
#[derive(Clone, Copy, Debug)]
pub struct Substeps<const N: usize> {
    /// Values halfway (only for an even number of steps).
    pub middle: [f64; N],
    /// Values at the end.
    pub end: [f64; N],
}

/// Chooses the order, together with the step.
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
    /// A step from `start`. `run(n)` makes n equal steps of the scheme over it. The error allowed is the tolerance plus
    /// the `rounding` of each component over such a step.
    pub fn step<const N: usize, E>(
        &mut self,
        tolerance: Tolerance,
        start: &[f64; N],
        rounding: &[f64; N],
        mut run: impl FnMut(u32) -> Result<Substeps<N>, E>,
    ) -> Result<Tried<Substeps<N>>, E> {
        let mut rows = [Substeps { middle: *start, end: *start }; MAX_COLUMNS];
        // Best so far: number of columns, factor for the next step, work for each length.
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
            let exponent = 1.0 / (2.0 * columns as f64 - 1.0);
            // The factor is unbounded here: a bound would make the lowest order look cheapest.
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
                    // The cheapest order was the last one tried, so that the next one may be cheaper still: its step is
                    // the one for which it would be (Hairer, Nørsett, Wanner, §II.9, eq. (9.22)).
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

/// Error, over what is allowed, of the octic through the nodes of a step of `h` s (start, middle, end), of order 8.
///
/// The octic has the positions, velocities and accelerations of the nodes. Its error is `K w(s)` with
/// `w = (s(s−½)(s−1))³`; w″ is −0.0088 at a quarter, `|w| ≤ 1.12e-4` and `|w′| ≤ 1e-3`. K follows from `defect`, the
/// difference there between the acceleration of the octic and that of the equations. `position` and `velocity` are
/// sizes there; `rounding` is that of the places, m, which bends a short path.
pub fn octic_error(tolerance: Tolerance, h: f64, defect: f64, rounding: f64, position: f64, velocity: f64) -> f64 {
    // Rounding of the nodes counts in the octic's acceleration by this factor at most; shorter steps make it worse.
    let defect = (defect - 256.0 * rounding / (h * h)).max(0.0);
    // The defect is of order 7, its effect on the motion of order 9.
    (0.013 * defect * h * h / tolerance.allows(position)).max(0.12 * defect * h / tolerance.allows(velocity))
}

/// `low ← high + gain·(high − low)`: one entry of Aitken–Neville's table. Equal values stay unchanged.
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
