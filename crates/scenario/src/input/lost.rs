//! Rows of a table that show nothing, by what trackers and receivers write where they lost what they follow.

/// A place is far from that beside it if it is so many times as far as nine of ten steps between rows are long.
const FAR: (f64, f64) = (2.0, 0.9);

/// What stands for a height that is not known: 0 of receivers, the others of maps of heights (SRTM has -32768).
const VOID: [f64; 7] = [0.0, -999.0, -9999.0, -32767.0, -32768.0, -99999.0, -999_999.0];

/// What says, beside 0, that nothing was found.
const NOT_FOUND: [&str; 3] = ["false", "no", "f"];

/// Whether a cell of a column `found` or `likelihood` says that there is no place: it is rather not.
pub fn is_not_found(cell: &str) -> bool {
    NOT_FOUND.iter().any(|no| cell.eq_ignore_ascii_case(no)) || cell.parse::<f64>().is_ok_and(|found| found < 0.5)
}

/// Rows that stand for nothing seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Lost {
    /// What they have for each coordinate that is there.
    pub mark: f64,
    /// Their indices.
    pub rows: Vec<usize>,
}

impl Lost {
    /// Of heights alone.
    pub fn of_heights(heights: impl Iterator<Item = f64>) -> Option<Self> {
        Self::of(&heights.map(|height| [f64::NAN, height]).collect::<Vec<_>>())
    }

    /// Of places; NaN: a coordinate that is not there. A mark is one number for x and y, the same in several rows, as in `-1,-1`; of one
    /// coordinate alone it is 0 or what maps have for no height. Where it stands it is far from the rows before and behind. The first
    /// row and the last alone are none: an outline has its first place twice, and a way may begin at 0.
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
        // A way may begin and end at its origin.
        if rows.iter().all(|i| *i == 0 || i + 1 == places.len()) {
            return None;
        }
        let apart = |i: usize, j: usize| {
            let by = [0, 1].map(|axis| places[j][axis] - places[i][axis]);
            let [x, y] = by.map(|by| if by.is_finite() { by } else { 0.0 });
            x.hypot(y)
        };
        let mut steps: Vec<f64> = seen.windows(2).map(|pair| apart(pair[0], pair[1])).collect();
        steps.sort_by(f64::total_cmp);
        let usual = steps.get((FAR.1 * steps.len() as f64) as usize)?;
        let is_mark = |i: usize| rows.binary_search(&i).is_ok();
        let mut ends = (1..places.len()).filter(|i| is_mark(*i) != is_mark(i - 1));
        ends.all(|i| apart(i - 1, i) > FAR.0 * usual).then_some(Lost { mark: most, rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(places: &[[f64; 2]]) -> Option<Vec<usize>> {
        Lost::of(places).map(|lost| lost.rows)
    }

    /// A way from (10, 20) on, with marks in some rows.
    fn way(mark: [f64; 2], at: &[usize]) -> Vec<[f64; 2]> {
        let place = |i: usize| if at.contains(&i) { mark } else { [10.0 + i as f64, 20.0] };
        (0..20).map(place).collect()
    }

    #[test]
    fn marks_are_far_from_what_is_beside_them() {
        for mark in [-1.0, 0.0, -999.0] {
            assert_eq!(lost(&way([mark; 2], &[3, 4, 9])), Some(vec![3, 4, 9]));
            assert_eq!(lost(&way([mark; 2], &[3])), None);
        }
        // Places that are there by chance have others beside them.
        assert_eq!(lost(&way([20.0; 2], &[10, 11])), None);
        // Of one coordinate alone.
        assert_eq!(lost(&way([f64::NAN, 0.0], &[4])), Some(vec![4]));
        assert_eq!(lost(&way([f64::NAN, -1.0], &[4, 7])), None);
        let heights =
            |mark: f64, at: &[usize]| way([mark; 2], at).iter().map(|[_, y]| [f64::NAN, *y]).collect::<Vec<_>>();
        assert_eq!(lost(&heights(0.0, &[4])), Some(vec![4]));
        assert_eq!(lost(&heights(-1.0, &[4, 7])), None);
        assert_eq!(lost(&heights(-9999.0, &[4])), Some(vec![4]));
    }

    /// A closed outline, fine on the far side, begins and ends at its corner.
    #[test]
    fn an_outline_ends_where_it_begins() {
        let mut outline = vec![[0.0; 2], [9.0, 0.0]];
        outline.extend((0..30).map(|i| [9.0 - 0.3 * f64::from(i), 9.0]));
        outline.push([0.0; 2]);
        assert_eq!(lost(&outline), None);
        // What was hit begins at 0, and is ever slower.
        let slower: Vec<[f64; 2]> = (0..20).map(|i| [f64::NAN, 1.0 - f64::powi(0.3, i)]).collect();
        assert_eq!(lost(&slower), None);
    }
}
