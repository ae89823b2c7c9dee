//! Proposals for misspelt names.

/// Cure of an unknown name: the closest of the known ones, and all of them.
pub fn cure_of_unknown(name: &str, known: &[&str]) -> String {
    let listed = known.join(", ");
    match did_you_mean(name, known.iter().copied()) {
        Some(other) => format!("did you mean `{other}`? (known here: {listed})"),
        None => format!("known here: {listed}"),
    }
}

/// The known name closest to a misspelt one, if it is close.
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let alike = |other: &str| strsim::jaro_winkler(&name, &other.to_lowercase());
    // By the Damerau–Levenshtein distance; common beginnings decide between equals.
    let slips = |other: &str| strsim::damerau_levenshtein(&name, &other.to_lowercase());
    let close = known.into_iter().filter(|other| alike(other) > 0.75 || (name.len() > 2 && slips(other) == 1));
    close.min_by(|a, b| slips(a).cmp(&slips(b)).then(alike(b).total_cmp(&alike(a))))
}
