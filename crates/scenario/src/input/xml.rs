//! Parses XML; refuses documents that would take too much memory or time.

use std::collections::HashSet;

use roxmltree::{Document, Error, ParsingOptions, TextPos};

/// Maximum memory of a document (bytes): its text, and the parser's data for tags and attributes.
const MEMORY: usize = 180_000_000;
const KEPT: usize = 76;
/// Maximum number of comparisons by the parser: of an element's attributes with each other, of names of elements and
/// attributes with namespaces, of namespaces with each other, of references with entities.
const COMPARED: usize = 400_000_000;
/// Maximum number of prefixes of namespaces: with more, one element alone has too many comparisons.
const PREFIXES: usize = 20_000;

/// Reason why a document was refused, with its position, if any.
pub(crate) struct NoDocument {
    pub at: Option<TextPos>,
    pub why: String,
}

impl From<Error> for NoDocument {
    fn from(error: Error) -> Self {
        let told = !matches!(error, Error::NodesLimitReached | Error::AttributesLimitReached);
        NoDocument { at: told.then(|| error.pos()), why: error.to_string() }
    }
}

/// Parses a document of at most `most` elements and texts; `dtd`: whether it may define entities.
pub(crate) fn document(text: &str, dtd: bool, most: u32) -> Result<Document<'_>, NoDocument> {
    let refused = |why: &str| Err(NoDocument { at: None, why: why.to_owned() });
    let (mut tags, mut attributes, mut compared, mut longest, mut entities) =
        (0_usize, 0_usize, 0_usize, 0_usize, 0_usize);
    // Signs within texts and values are counted, too, which gives an upper bound.
    for tag in text.split('<') {
        let own = tag.bytes().filter(|b| *b == b'=').count();
        (tags, attributes) = (tags + 1, attributes + own);
        compared = compared.saturating_add(own.saturating_mul(own));
        let Some(entity) = tag.strip_prefix("!ENTITY") else { continue };
        // An entity that contains others could grow without bound.
        if is_open(entity) || entity.contains('&') {
            return refused("an entity with elements or entities in it is not read");
        }
        (longest, entities) = (longest.max(entity.len()), entities + 1);
    }
    // Each reference is assumed to be the longest entity, three times for growing buffers.
    let named = text.matches('&').count();
    let expanded = text.len().saturating_add(named.saturating_mul(longest).saturating_mul(3));
    if KEPT.saturating_mul(tags + attributes).saturating_add(expanded) > MEMORY {
        let told = match expanded - text.len() {
            0 => format!("{tags} tags and {attributes} attributes are too many"),
            more => format!("{more} bytes that entities stand for are too many"),
        };
        return refused(&told);
    }
    // Each element that declares namespaces looks for each known one among its own; each name looks for its own.
    let mut known = HashSet::from([""]);
    for rest in text.split("xmlns:").skip(1) {
        known.extend(rest.split(['=', ' ', '\t', '\r', '\n']).next().filter(|_| known.len() <= PREFIXES));
    }
    let (known, declared) = (known.len(), text.matches("xmlns").count());
    for (one, other) in [(tags + attributes, known), (declared, known * known), (entities, named)] {
        compared = compared.saturating_add(one.saturating_mul(other));
    }
    if compared > COMPARED {
        return refused("an element has too many attributes, or the document too many namespaces or entities");
    }
    let options = ParsingOptions { allow_dtd: dtd, nodes_limit: most, ..ParsingOptions::default() };
    Ok(Document::parse_with_options(text, options)?)
}

/// Whether the first quotation in a text is not closed.
fn is_open(text: &str) -> bool {
    let quote = text.find(['"', '\'']).and_then(|at| text[at..].chars().next());
    quote.is_some_and(|quote| text.matches(quote).count() < 2)
}
