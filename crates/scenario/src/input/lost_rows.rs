//! Finds rows without a measurement, by the marks that trackers and receivers write when they lose their object.

use numbers::elementary;

/// Factor and quantile: a place is far from the one beside it if it is farther than 2 times the 0.9 quantile of steps
/// between rows.
const FAR: (f64, f64) = (2.0, 0.9);

/// Marks of an unknown height: 0 by receivers, the others by elevation maps (SRTM: -32768).
const VOID: [f64; 7] = [0.0, -999.0, -9999.0, -32767.0, -32768.0, -99999.0, -999_999.0];

/// Words that mean "not found", like the number 0.
const NOT_FOUND: [&str; 3] = ["false", "no", "f"];

/// Whether a cell of a column `found` or `likelihood` means "not found"; a likelihood below 1/2 does, too.
pub fn is_not_found(cell: &str) -> bool {
    NOT_FOUND.iter().any(|no| cell.eq_ignore_ascii_case(no)) || cell.parse::<f64>().is_ok_and(|found| found < 0.5)
}

/// Rows without a measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Lost {
    /// Their mark, which each coordinate has.
    pub mark: f64,
    /// Indices of these rows.
    pub rows: Vec<usize>,
}

impl Lost {
    /// Finds lost rows by heights.
    pub fn of_heights(heights: impl Iterator<Item = f64>) -> Option<Self> {
        Self::of(&heights.map(|height| [f64::NAN, height]).collect::<Vec<_>>())
    }

    /// Finds lost rows by places (NaN: a missing coordinate). A mark is one number for x and y, repeated in several
    /// rows, such as `-1,-1`; for a single coordinate it is 0 or a mark of elevation maps. Such a place must be far
    /// from the rows before and behind. First and last row alone are no marks: an outline repeats its first place, and
    /// a distance may begin at 0.
    pub fn of(places: &[[f64; 2]]) -> Option<Self> {
        let mark = |[x, y]: &[f64; 2]| match (x.is_nan(), y.is_nan()) {
            (false, false) => Some(*x).filter(|x| x == y),
            (false, true) => Some(*x).filter(|x| VOID.contains(x)),
            (true, false) => Some(*y).filter(|y| VOID.contains(y)),
            (true, true) => None,
        };
        let mut marks: Vec<f64> = places.iter().filter_map(mark).collect();
        marks.sort_by(f64::total_cmp);
        let one_axis = places.iter().any(|place| mark(place).is_some() && place.iter().any(|c| c.is_nan()));
        let counts = |same: &&[f64]| same.len() > 1 || one_axis && VOID.contains(&same[0]);
        let most = *marks.chunk_by(|a, b| a == b).filter(counts).max_by_key(|same| same.len())?.first()?;
        let (rows, seen): (Vec<usize>, Vec<usize>) = (0..places.len()).partition(|i| mark(&places[*i]) == Some(most));
        // A path may begin and end at its origin.
        if rows.iter().all(|i| *i == 0 || i + 1 == places.len()) {
            return None;
        }
        let apart = |i: usize, j: usize| {
            let by = [0, 1].map(|axis| places[j][axis] - places[i][axis]);
            let [x, y] = by.map(|by| if by.is_finite() { by } else { 0.0 });
            elementary::hypot(x, y)
        };
        let mut steps: Vec<f64> = seen.windows(2).map(|pair| apart(pair[0], pair[1])).collect();
        steps.sort_by(f64::total_cmp);
        let usual = steps.get((FAR.1 * steps.len() as f64) as usize)?;
        let is_mark = |i: usize| rows.binary_search(&i).is_ok();
        let mut ends = (1..places.len()).filter(|i| is_mark(*i) != is_mark(i - 1));
        ends.all(|i| apart(i - 1, i) > FAR.0 * usual).then_some(Lost { mark: most, rows })
    }
}
