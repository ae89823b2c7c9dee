//! Reads curves derived from one other curve: offsets and transforms.

use curves::{ParallelError, Similarity, parallel};
use nalgebra::Vector2;

use super::formulas::point;
use super::kinds_and_limits::{CurveTable, Parts};
use crate::input::{InputError, Node, Value};

impl Parts {
    /// Reads the `curve` of an offset or transform: a table or a file.
    fn inner(&mut self, table: &mut CurveTable) -> Result<(), InputError> {
        let node = table.reader.need("curve", "the path of a curve file, or a table that describes a curve")?;
        let Value::String(_) = node.value else { return self.nested("`curve`", node, table) };
        let span = node.span.clone();
        let value = Value::Table(vec![("curve".into(), span.clone(), node.clone())]);
        self.nested("`curve`", &Node { value, span }, table)
    }

    pub(super) fn offset(&mut self, table: &mut CurveTable) -> Result<(), InputError> {
        table.reader.need("distance", "how far in m, towards the free side; away from it if negative")?;
        let distance = table.constant_where("distance", "must be finite (m)", |_| true)?;
        let before = self.pieces.len();
        self.inner(table)?;
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

    pub(super) fn transform(&mut self, table: &mut CurveTable) -> Result<(), InputError> {
        let around = table.point_or_origin("around")?;
        let mut map = Similarity::identity();
        if let Some(axis) = table.reader.choice("mirror", &[("x", Vector2::y()), ("y", Vector2::x())])? {
            map = map.then(Similarity::mirror(axis));
        }
        if let Some(factor) = table.positive("scale", "must be positive; `mirror` turns over")? {
            map = map.then(Similarity::scale(factor));
        }
        if let Some(angle) = table.constant_where("turn", "must be finite (rad)", |_| true)? {
            map = map.then(Similarity::turn(angle));
        }
        map = map.around(around);
        if let Some(node) = table.reader.get("move") {
            map = map.then(Similarity::shift(point(node, "move", table.names)?));
        }
        let before = self.pieces.len();
        self.inner(table)?;
        for piece in &mut self.pieces[before..] {
            *piece = piece.mapped(map);
        }
        // A mirror runs each piece backwards to keep its free side; the pieces' order turns, too.
        if map.mirrors() {
            self.pieces[before..].reverse();
            self.spans[before..].reverse();
        }
        // Mapped pieces are no longer graphs by x, so errors don't speak of x.
        self.graphs[before..].fill(false);
        Ok(())
    }
}
