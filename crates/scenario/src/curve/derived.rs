//! Reads curves derived from one other curve: offsets and transforms.

use curves::{ParallelError, Similarity, parallel};
use nalgebra::Vector2;

use super::formulas::{constant_where, point, positive};
use super::kinds_and_limits::{Outer, Parts};
use crate::input::{InputError, Node, Reader, Span, Value};

impl Parts {
    /// Reads the `curve` of an offset or transform: a table or a file.
    fn inner(&mut self, reader: &mut Reader, outer: Outer) -> Result<(), InputError> {
        let node = reader.need("curve", "the path of a curve file, or a table that describes a curve")?;
        let Value::String(_) = node.value else { return self.nested("`curve`", node, outer) };
        let span = node.span.clone();
        let table = Value::Table(vec![("curve".into(), span.clone(), node.clone())]);
        self.nested("`curve`", &Node { value: table, span }, outer)
    }

    pub(super) fn offset(&mut self, reader: &mut Reader, outer: Outer) -> Result<(), InputError> {
        reader.need("distance", "how far in m, towards the free side; away from it if negative")?;
        let distance = constant_where(reader, "distance", "must be finite (m)", outer.names, |_| true)?;
        let before = self.pieces.len();
        self.inner(reader, outer)?;
        let inner = self.pieces.split_off(before);
        let spans = self.spans.split_off(before);
        self.graphs.truncate(before);
        let chain = parallel(&inner, distance.unwrap_or_default()).map_err(|error| {
            let (ParallelError::Cusp { piece, .. } | ParallelError::Corner { piece, .. }) = error;
            InputError::new(&spans[piece], error.to_string(), "this part of the curve")
                .with_help("take a smaller distance, or round the curve there")
        })?;
        for (from, piece) in chain {
            self.add(piece, &spans[from]);
        }
        Ok(())
    }

    pub(super) fn transform(&mut self, reader: &mut Reader, outer: Outer) -> Result<(), InputError> {
        let around = reader.get("around").map_or(Ok(Vector2::zeros()), |node| point(node, "around", outer.names))?;
        let mut map = Similarity::identity();
        if let Some(axis) = reader.choice("mirror", &[("x", Vector2::y()), ("y", Vector2::x())])? {
            map = map.then(Similarity::mirror(axis));
        }
        if let Some(factor) = positive(reader, "scale", "must be positive; `mirror` turns over", outer.names)? {
            map = map.then(Similarity::scale(factor));
        }
        if let Some(angle) = constant_where(reader, "turn", "must be finite (rad)", outer.names, |_| true)? {
            map = map.then(Similarity::turn(angle));
        }
        map = map.around(around);
        if let Some(node) = reader.get("move") {
            map = map.then(Similarity::shift(point(node, "move", outer.names)?));
        }
        let before = self.pieces.len();
        self.inner(reader, outer)?;
        for piece in &mut self.pieces[before..] {
            *piece = piece.mapped(map);
        }
        if map.mirrors() {
            self.pieces[before..].reverse();
            self.spans[before..].reverse();
        }
        self.graphs[before..].fill(false);
        Ok(())
    }
}

/// Position of a part of a text.
pub(super) fn part_of(whole: &Span, start: usize, length: usize) -> Span {
    let at = whole.range.start + start;
    Span { source: whole.source.clone(), range: at..at + length }
}
