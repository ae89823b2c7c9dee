//! Reads lists and ranges in options of the command line.

use scenario::input::{InputError, Source, Span, did_you_mean, plain, rounded};

/// Maximum number of values of a list or range.
const MOST: usize = 64;

/// An item of a list, with its position in the option.
pub(crate) struct ListItem {
    pub text: String,
    span: Span,
}

impl ListItem {
    pub fn error(&self, message: impl Into<String>, label: impl Into<String>) -> InputError {
        InputError::new(&self.span, message, label)
    }

    /// The error for a word that is none of the `known` ones; `what` names their kind.
    pub fn unknown<'k>(&self, what: &str, word: &str, known: impl Iterator<Item = &'k str> + Clone) -> InputError {
        let quoted = known.clone().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        let error = self.error(format!("unknown {what} \"{word}\""), format!("one of {quoted}"));
        error.with_cure(did_you_mean(word, known).map(|name| format!("did you mean \"{name}\"?")))
    }
}

/// Splits a list at commas; refuses empty lists and items.
pub(crate) fn items(option: &str, text: &str, example: &str) -> Result<Vec<ListItem>, InputError> {
    let source = Source::new(option, text.to_owned());
    if text.trim().is_empty() {
        let error = InputError::without_place(format!("{option} is an empty list"));
        return Err(error.with_help(format!("give {example}")));
    }
    let item = |part: &str| {
        let item = ListItem { text: part.trim().to_owned(), span: source.part(part) };
        match item.text.is_empty() {
            true => Err(item.error(format!("an empty item in the list of {option}"), format!("give {example}"))),
            false => Ok(item),
        }
    };
    source.text().split(',').map(item).collect()
}

/// Reads positive numbers from a list `a,b,c` in any order or a range `FROM..TO/FACTOR`; returns them from large to
/// small.
pub fn numbers(option: &str, text: &str) -> Result<Vec<f64>, InputError> {
    const EXAMPLE: &str = "0.02,0.01,0.005, or the range 0.02..0.00125/2 (from..to/factor)";
    let mut found = Vec::new();
    for item in items(option, text, EXAMPLE)? {
        match item.text.split_once("..") {
            Some((from, rest)) => found.extend(range(&item, from, rest)?),
            None => found.push(positive(&item, &item.text)?),
        }
        if found.len() > MOST {
            return Err(item.error(format!("more than {MOST} values"), "each is a run of its own: give fewer"));
        }
    }
    found.sort_by(|a, b| b.total_cmp(a));
    if let Some(pair) = found.windows(2).find(|pair| pair[0] == pair[1]) {
        let message = format!("{} stands twice in the list of {option}", plain(pair[0]));
        return Err(InputError::without_place(message).with_help("give each value once"));
    }
    Ok(found)
}

fn positive(item: &ListItem, text: &str) -> Result<f64, InputError> {
    let value: f64 = text
        .trim()
        .parse()
        .map_err(|_| item.error(format!("\"{}\" is not a number", text.trim()), "expected a positive number"))?;
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(item.error(format!("{} is not allowed", plain(value)), "must be positive and finite"))
    }
}

fn range(item: &ListItem, from: &str, rest: &str) -> Result<Vec<f64>, InputError> {
    let Some((to, factor)) = rest.split_once('/') else {
        return Err(item.error("a range without a factor", "write FROM..TO/FACTOR, as in 0.02..0.00125/2"));
    };
    let (from, to, factor) = (positive(item, from)?, positive(item, to)?, positive(item, factor)?);
    if !(factor > 1.0) {
        return Err(item.error(format!("the factor {} does not lead down", plain(factor)), "must be more than 1"));
    }
    if from < to {
        let message = format!("this range goes up, from {} to {}", plain(from), plain(to));
        let label = format!("from large to small: {}..{}/{}", plain(to), plain(from), plain(factor));
        return Err(item.error(message, label));
    }
    let count = (from / to).ln() / factor.ln();
    // The end belongs to the range in spite of rounding.
    let whole = (count + 1e-9).floor();
    if whole >= MOST as f64 {
        let message = format!("this range has {} values", whole + 1.0);
        return Err(item.error(message, format!("each is a run of its own: at most {MOST}")));
    }
    // Rounded to 13 digits, so that divisions leave no noise in the last ones.
    Ok((0..=whole as i32).map(|i| rounded(from / factor.powi(i), 13)).collect())
}
