//! Breaks lines to the width of a terminal.

use super::colour_sign;

/// Columns of a terminal.
const WIDTH: usize = 80;
/// Largest hanging indent.
const DEEPEST: usize = 24;

/// Breaks lines of more than 80 columns at spaces; continuations are indented to the text after the line's label.
pub(super) fn wrapped(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let indent = " ".repeat(indent(line));
        let (mut rest, mut room) = (line, WIDTH);
        while let Some(at) = break_of(rest, room) {
            out.extend([rest[..at].trim_end_matches(' '), "\n", &indent]);
            (rest, room) = (rest[at..].trim_start_matches(' '), WIDTH - indent.len());
        }
        out.push_str(rest);
    }
    out
}

/// Index of the space at which a longer text is broken: the last one within `room` columns, preferably after
/// punctuation in their second half. Colours have no width.
fn break_of(text: &str, room: usize) -> Option<usize> {
    let (mut columns, mut space, mut coloured, mut begun) = (0, None, false, false);
    let (mut marked, mut before) = (None, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '\n' => return None,
            _ if c == colour_sign() => coloured = true,
            'm' if coloured => coloured = false,
            _ if coloured => {}
            ' ' if columns <= room => {
                space = begun.then_some(at).or(space);
                if begun && 2 * columns > room && matches!(before, ',' | ';' | ':') {
                    marked = Some(at);
                }
                columns += 1;
            }
            _ if columns >= room => return marked.or(space),
            _ => {
                begun = true;
                columns += 1;
            }
        }
        before = c;
    }
    None
}

/// Column at which a line's text begins, after its label or leading spaces; else 2.
fn indent(line: &str) -> usize {
    let first = line.len() - line.trim_start_matches(' ').len();
    let words = &line[first..];
    let label = words.find("  ").or_else(|| words.find(": ").filter(|at| !words[..*at].contains(' ')).map(|at| at + 1));
    let behind = match label {
        Some(at) if first == 0 && !words[..at].contains(colour_sign()) => {
            words[..at].chars().count() + words[at..].len() - words[at..].trim_start_matches(' ').len()
        }
        _ => first.max(2),
    };
    if behind <= DEEPEST { behind } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::wrapped;
    use crate::terminal::{Style, shown};

    #[test]
    fn long_lines_are_broken_and_others_left() {
        let words = vec!["word"; 40].join(" ");
        for text in
            [words.clone(), format!("label:  {words}"), Style { colour: true }.faint(&words), format!("   {words}")]
        {
            let (told, text) = (shown(&wrapped(&text)), shown(&text));
            let plain = told.replace("\x1b[2m", "").replace("\x1b[0m", "");
            assert!(plain.lines().count() > 2 && plain.lines().all(|line| line.chars().count() <= 80), "{told}");
            // As full as they can be.
            assert!(plain.lines().next().is_some_and(|line| line.chars().count() > 75), "{told}");
            let told: Vec<&str> = told.split_whitespace().collect();
            assert_eq!(told, text.split_whitespace().collect::<Vec<_>>());
        }
        for same in ["short\n\nlines  of   all kinds\n".to_owned(), "x".repeat(100), "a".repeat(80) + "\n"] {
            assert_eq!(wrapped(&same), same);
        }
        assert!(wrapped(&format!("flight:  {words}")).lines().nth(1).unwrap().starts_with("         word"));
    }
}
