//! Extrapolation of a symmetric scheme: two orders a column, step and order chosen together.
//!
//! A symmetric scheme's error has even powers of h only, so the Aitken–Neville table in `h²` applies
//! (Hairer, Nørsett, Wanner, *Solving ODEs I*, 2nd ed., §II.8 and §II.9).

/// Steps a column divides the whole step into; all even, so that every column has the middle too.
const DIVISIONS: [u32; MAX_COLUMNS] = [2, 4, 6, 8];
/// Order 8.
const MAX_COLUMNS: usize = 4;
/// A step is at most so much longer than the one before: what comes next need not be as smooth.
const GROWTH: f64 = 1.5;
/// Steps at an order that a higher one did not beat.
const HOLD: u32 = 4;

/// Relative and absolute tolerance of one step, per component: `|error| ≤ absolute + relative·|value|`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Relative part (> 0 or the absolute one is).
    pub relative: f64,
    /// Absolute part, in the unit of the component.
    pub absolute: f64,
}

impl Tolerance {
    /// The error allowed in a component of size `value`.
    #[inline(always)]
    pub fn allows(&self, value: f64) -> f64 {
        self.absolute + self.relative * value.abs()
    }
}

/// What a run of equal steps over one whole step gives.
#[derive(Clone, Copy, Debug)]
pub struct Substeps<const N: usize> {
    /// Halfway (meaningful for an even number of steps).
    pub middle: [f64; N],
    /// At the end.
    pub end: [f64; N],
}

/// A finished column: its order is `2·columns`.
pub type Column = usize;

/// What came of a step.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<const N: usize> {
    /// Within the tolerance.
    Accepted {
        /// The extrapolated state halfway and at the end.
        result: Substeps<N>,
        /// Columns used.
        columns: Column,
    },
    /// Too inaccurate; [`Extrapolation::proposal`] is smaller now.
    Rejected,
}

/// A tolerance that asks for steps below rounding.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "to keep places to {tolerance:e} m at t = {time:?} s, where they are known to {rounding:e} m, steps below {step:e} s would be needed: \
     forces or ground change there within less than that; take a larger tolerance or a fixed step, or look at what they are there"
)]
pub struct StepTooSmall {
    /// s
    pub time: f64,
    /// The shortest one that places and the clock tell, s.
    pub step: f64,
    /// Of a place there, m.
    pub tolerance: f64,
    /// Of a place there, m.
    pub rounding: f64,
}

/// Controls step and order.
#[derive(Clone, Copy, Debug)]
pub struct Extrapolation {
    tolerance: Tolerance,
    /// Columns aimed at, 2 to [`MAX_COLUMNS`].
    target: Column,
    proposal: f64,
    /// Steps until a higher order is tried again.
    hold: u32,
}

impl Extrapolation {
    /// Begins with steps of `first` s.
    pub fn new(tolerance: Tolerance, first: f64) -> Self {
        Extrapolation { tolerance, target: 3, proposal: first, hold: 0 }
    }

    /// The step that is thought best now, s.
    pub fn proposal(&self) -> f64 {
        self.proposal
    }

    /// Tries a step of `h` s next: something outside the table was wrong with the last one.
    pub fn propose(&mut self, h: f64) {
        self.proposal = h;
    }

    /// Steps from now on are held to this.
    pub fn hold_to(&mut self, tolerance: Tolerance) {
        self.tolerance = tolerance;
    }

    /// What a step is held to.
    pub fn tolerance(&self) -> Tolerance {
        self.tolerance
    }

    /// A step of `h` s from `start`. `run(n)` makes n equal steps of the scheme over it. What `rounding` makes of each component over
    /// such a step is allowed beside the tolerance: an error below it can't be asked for.
    pub fn step<const N: usize, E>(
        &mut self,
        start: &[f64; N],
        rounding: &[f64; N],
        h: f64,
        mut run: impl FnMut(u32) -> Result<Substeps<N>, E>,
    ) -> Result<Outcome<N>, E> {
        let mut rows = [Substeps { middle: *start, end: *start }; MAX_COLUMNS];
        // What each order would like for the next step, and its work per second.
        let mut best: Option<(Column, f64, f64)> = None;
        let mut work = 0.0;
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
            let error = self.error(start, rounding, &rows[0].end, &rows[1].end);
            let exponent = 1.0 / (2.0 * columns as f64 - 1.0);
            // Unbounded here: a bound would make the lowest order look cheapest.
            let wish = h * 0.9 * (0.6 / error.max(1e-30)).powf(exponent);
            if best.is_none_or(|(_, _, cost)| work / wish < cost) {
                best = Some((columns, wish, work / wish));
            }
            let Some((order, wish, _)) = best else { continue };
            let wish = wish.max(0.05 * h).min(GROWTH * h);
            if error <= 1.0 && columns + 1 >= self.target {
                self.hold = if order < columns { HOLD } else { self.hold.saturating_sub(1) };
                let mut next = wish;
                if order == columns && columns < MAX_COLUMNS && self.hold == 0 {
                    // The cheapest order so far being the last one tried, the next may be cheaper still: with the
                    // step it would need to be so (Hairer, Nørsett, Wanner, §II.9, eq. (9.22)).
                    let more = f64::from(DIVISIONS[columns]);
                    self.target = columns + 1;
                    next = (wish * (work + more) / work).min(GROWTH * h);
                } else {
                    self.target = order;
                }
                // A step cut short from outside says little of longer ones.
                self.proposal = if h < self.proposal { next.max(self.proposal) } else { next };
                return Ok(Outcome::Accepted { result: rows[0], columns });
            }
            if !error.is_finite() {
                break;
            }
        }
        let (order, wish, _) = best.unwrap_or((2, 0.1 * h, 0.0));
        self.target = order;
        self.proposal = if wish.is_finite() { wish.max(0.05 * h).min(0.7 * h) } else { 0.1 * h };
        Ok(Outcome::Rejected)
    }

    /// Error of a step of `h` s between its nodes (start, middle, end) over what is allowed; the next step is then no
    /// longer than this allows.
    ///
    /// The step is interpolated by the octic with positions, velocities and accelerations of its nodes. What that leaves
    /// out is `K w(s)` with `w = (s(s−½)(s−1))³`, whose second derivative at a quarter is −0.0088 while `|w| ≤ 1.12e-4` and
    /// `|w′| ≤ 1e-3`: `defect` is by how much its acceleration differs there from that of the equations. `position` and
    /// `velocity` are sizes there, and `rounding` is that of the places, m: it bends a short path.
    pub fn between_nodes(&mut self, h: f64, defect: f64, rounding: f64, position: f64, velocity: f64) -> f64 {
        // The octic multiplies rounding of its nodes by no more than this. A shorter step would only make it worse.
        let defect = (defect - 256.0 * rounding / (h * h)).max(0.0);
        let of_position = 0.013 * defect * h * h / self.tolerance.allows(position);
        let of_velocity = 0.12 * defect * h / self.tolerance.allows(velocity);
        let error = of_position.max(of_velocity);
        // The defect is of seventh order, its effect on the motion of ninth.
        self.proposal = self.proposal.min(h * (0.9 * error.max(1e-9).powf(-0.125)).clamp(0.3, 6.0));
        error
    }

    fn error<const N: usize>(&self, start: &[f64; N], rounding: &[f64; N], high: &[f64; N], low: &[f64; N]) -> f64 {
        let mut largest: f64 = 0.0;
        for i in 0..N {
            let size = start[i].abs().max(high[i].abs());
            let part = (high[i] - low[i]).abs() / (self.tolerance.allows(size) + rounding[i]);
            largest = if part.is_nan() { f64::INFINITY } else { largest.max(part) };
        }
        largest
    }
}

/// `low ← high + gain·(high − low)`: Aitken–Neville, one entry. Where both agree it changes nothing.
fn improve<const N: usize>(low: &mut [f64; N], high: &[f64; N], gain: f64) {
    for i in 0..N {
        low[i] = high[i] + gain * (high[i] - low[i]);
    }
}

/// One extrapolation of a step and two half steps: `(4 T₂ − T₁)/3`, order 4.
pub fn extrapolate_once<const N: usize>(whole: &[f64; N], halves: &[f64; N]) -> [f64; N] {
    let mut low = *whole;
    improve(&mut low, halves, 1.0 / 3.0);
    low
}
