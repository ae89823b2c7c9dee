//! Marks that stand for a place that was not seen, and rows in messages.

/// A mark is far from the places beside it if it is so many times as far as nine of ten steps between the others are long.
const FAR: (f64, f64) = (2.0, 0.9);

/// Whether what is marked is far from all that is beside it and is not, by the distances of two places: then it is no place.
pub fn far_marks(marked: &[bool], apart: impl Fn(usize, usize) -> f64) -> bool {
    let others: Vec<usize> = (0..marked.len()).filter(|i| !marked[*i]).collect();
    let mut steps: Vec<f64> = others.windows(2).map(|pair| apart(pair[0], pair[1])).collect();
    steps.sort_by(f64::total_cmp);
    let Some(usual) = steps.get((FAR.1 * steps.len() as f64) as usize) else { return false };
    let mut ends = (1..marked.len()).filter(|i| marked[*i] != marked[i - 1]).peekable();
    ends.peek().is_some() && ends.all(|i| apart(i - 1, i) > FAR.0 * usual)
}

/// Which places are `-1,-1` or `0,0`, as trackers write where they lost the ball: x and y are one number, that in several rows, and far
/// from the rows beside. The number, and whether each place is it. A coordinate that is no number counts as not seen.
pub fn lost_places(places: &[[f64; 2]]) -> Option<(f64, Vec<bool>)> {
    let mark = |place: &[f64; 2]| (place[0] == place[1]).then_some(place[0]);
    let mut marks: Vec<f64> = places.iter().filter_map(mark).collect();
    marks.sort_by(f64::total_cmp);
    // The one that is there most often.
    let most = marks.chunk_by(|a, b| a == b).max_by_key(|same| same.len());
    let value = most.filter(|same| same.len() > 1).map(|same| same[0])?;
    let lost: Vec<bool> = places.iter().map(|place| mark(place) == Some(value)).collect();
    let along = |by: f64| if by.is_finite() { by } else { 0.0 };
    let apart = |i: usize, j: usize| {
        let [from, to] = [places[i], places[j]];
        along(to[0] - from[0]).hypot(along(to[1] - from[1]))
    };
    far_marks(&lost, apart).then_some((value, lost))
}

/// Whether a cell of a column such as `found` says that what is beside it is no place.
pub fn is_not_found(cell: &str) -> bool {
    ["false", "no", "f"].iter().any(|no| cell.eq_ignore_ascii_case(no)) || cell.parse() == Ok(0.0)
}

/// Rows named, at most.
pub const NAMED: usize = 5;

/// Tells of rows by their numbers.
pub fn named_rows(rows: &[usize], one: &str, many: &str, so: &str) -> Option<String> {
    let named: Vec<String> = rows.iter().take(NAMED).map(|line| line.to_string()).collect();
    let more = if rows.len() > NAMED { ", …" } else { "" };
    match rows.len() {
        0 => None,
        1 => Some(format!("row {} {one}; {so}", named[0])),
        count => Some(format!("{count} rows {many} ({}{more}); {so}", named.join(", "))),
    }
}
