//! Boxes around the ball, as detectors write them: middles and sides, corners and sides, two corners.

use scenario::input::{InputError, Role, Span, corners, is_middle};

/// The middle of two columns `A..B`, or of a corner and a side `A+B/2`: both columns, and what each counts for.
pub(super) fn halves(name: &str) -> Option<([&str; 2], [f64; 2])> {
    let corner = name.strip_suffix("/2").and_then(|sum| sum.split_once('+')).map(|pair| (pair, [1.0, 0.5]));
    let ((a, b), counts) = corner.or_else(|| Some((name.split_once("..")?, [0.5; 2])))?;
    Some(([a.trim(), b.trim()], counts))
}

/// Columns, by number, that are the sides of boxes along x and y.
fn sides(roles: &[Role]) -> Option<[usize; 2]> {
    let at = |axis: usize| roles.iter().position(|role| *role == Role::Side(axis));
    let height = || roles.iter().position(|role| *role == Role::Height);
    at(0).zip(at(1).or_else(height)).map(|(w, h)| [w, h])
}

/// Whether a table has the sides of boxes beside places.
pub(super) fn are_there(roles: &[Role]) -> bool {
    sides(roles).is_some()
}

/// Refuses places beside the sides of boxes, unless they say that they are middles; `time`, `rate`: as `--columns` takes them.
pub(super) fn check(
    roles: &[Role],
    [x, y]: [usize; 2],
    names: &[&str],
    (time, rate): (&str, &str),
    place: &Span,
) -> Result<(), InputError> {
    let Some([w, h]) = sides(roles) else { return Ok(()) };
    if [x, y].iter().all(|i| is_middle(names[*i])) {
        return Ok(());
    }
    let message = "are places corners of boxes, or their middles? The table has the sides of boxes, too";
    let (a, b) = (x + 1, y + 1);
    Err(InputError::new(place, message, "boxes around the ball").with_help(format!(
        "if `{}` and `{}` are corners, --columns {time},{a}+{}/2,{b}+{}/2 are the middles; if they are the middles, --columns \
         {time},{a},{b}{rate}",
        names[x],
        names[y],
        w + 1,
        h + 1
    )))
}

/// The cure for two corners of boxes.
pub(super) fn cure(names: &[&str], (time, rate): (&str, &str)) -> Option<String> {
    let [x, to_x, y, to_y] = corners(names)?.map(|i| i + 1);
    Some(format!("if they are corners of boxes, --columns {time},{x}..{to_x},{y}..{to_y} are the middles{rate}"))
}

#[cfg(test)]
mod tests {
    use super::halves;

    #[test]
    fn middles_of_two_columns() {
        assert_eq!(halves("x1..x2"), Some((["x1", "x2"], [0.5; 2])));
        assert_eq!(halves("3+5/2"), Some((["3", "5"], [1.0, 0.5])));
        assert_eq!(halves("x"), None);
    }
}
