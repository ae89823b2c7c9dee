//! Parses XML; refuses documents that would take too much memory or time.

use std::collections::HashSet;

use roxmltree::{Document, Error, ParsingOptions, TextPos};

use super::{InputError, Source};

/// Maximum memory of a document (bytes): its text, and the parser's data for tags and attributes.
const MEMORY: usize = 180_000_000;
/// Memory of the parser for a tag or an attribute, bytes.
const KEPT: usize = 76;
/// Maximum number of comparisons by the parser: of an element's attributes with each other, of names of elements and
/// attributes with namespaces, of namespaces with each other, of references with entities.
const COMPARED: usize = 400_000_000;
/// Maximum number of prefixes of namespaces: with more, one element alone has too many comparisons.
const PREFIXES: usize = 20_000;

/// Parses a document of at most `most` elements and texts; `cure`: for one that is too large, or too deeply nested.
pub(crate) fn document<'s>(source: &'s Source, most: u32, cure: &str) -> Result<Document<'s>, InputError> {
    let text = source.text();
    let refused =
        |at: usize, why: &str| InputError::new(&source.at(at..at), format!("not XML that can be read: {why}"), "here");
    if let Some(why) = too_large(text) {
        return Err(refused(0, &why).with_help(cure));
    }
    let options = ParsingOptions { allow_dtd: true, nodes_limit: most, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| match error {
        Error::NodesLimitReached | Error::AttributesLimitReached => refused(0, &error.to_string()).with_help(cure),
        _ => refused(offset_of(text, error.pos()), &error.to_string()),
    })
}

/// Byte offset of a line and column.
fn offset_of(text: &str, position: TextPos) -> usize {
    let line = text.split_inclusive('\n').take(position.row.saturating_sub(1) as usize).map(str::len).sum::<usize>();
    let rest = text.get(line..).unwrap_or("");
    line + rest.char_indices().nth(position.col.saturating_sub(1) as usize).map_or(rest.len(), |(at, _)| at)
}

/// Reason why the parser would need too much memory or time for a text, if so.
fn too_large(text: &str) -> Option<String> {
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
            return Some("an entity with elements or entities in it is not read".to_owned());
        }
        (longest, entities) = (longest.max(entity.len()), entities + 1);
    }
    // Each reference is assumed to be the longest entity, three times for growing buffers.
    let named = text.matches('&').count();
    let expanded = text.len().saturating_add(named.saturating_mul(longest).saturating_mul(3));
    if KEPT.saturating_mul(tags + attributes).saturating_add(expanded) > MEMORY {
        return Some(match expanded - text.len() {
            0 => format!("{tags} tags and {attributes} attributes are too many"),
            more => format!("{more} bytes that entities stand for are too many"),
        });
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
    let why = "an element has too many attributes, or the document too many namespaces or entities";
    (compared > COMPARED).then(|| why.to_owned())
}

/// Whether the first quotation in a text is not closed.
fn is_open(text: &str) -> bool {
    let quote = text.find(['"', '\'']).and_then(|at| text[at..].chars().next());
    quote.is_some_and(|quote| text.matches(quote).count() < 2)
}
