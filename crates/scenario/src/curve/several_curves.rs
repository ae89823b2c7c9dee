//! Collects several curves of one file.

use std::ops::Range;

use curves::{Ground, GroundError};

use super::kinds_and_limits::{Begun, Parts};
use crate::input::{InputError, Node, Span, Value, first_few};

/// Keys that choose several curves of a file.
pub(super) const SEVERAL: [&str; 2] = ["paths", "layer"];

/// Maximum number of unreadable shapes named.
const TOLD: usize = 5;

impl Parts {
    /// Begins one of several curves: the next pieces belong to it.
    pub(super) fn begin(
        &mut self,
        name: String,
        alone: Vec<(&'static str, Value)>,
        span: &Span,
    ) -> Result<(), InputError> {
        if !self.names.insert(name.clone()) {
            let message = format!("two curves are called \"{name}\"");
            return Err(InputError::new(span, message, "the second one").with_help("give each its own name"));
        }
        self.curves.push(Begun { name, first: self.pieces.len(), alone, span: span.clone() });
        Ok(())
    }

    /// Adds one of all shapes of a drawing; if it can't be read, removes its pieces and keeps the error in `strays`.
    pub(super) fn or_stray(
        &mut self,
        strays: &mut Vec<(String, InputError)>,
        name: &str,
        add: impl FnOnce(&mut Self) -> Result<(), InputError>,
    ) {
        let (pieces, curves) = (self.pieces.len(), self.curves.len());
        if let Err(error) = add(self) {
            self.pieces.truncate(pieces);
            self.spans.truncate(pieces);
            self.graphs.truncate(pieces);
            for begun in self.curves.drain(curves..) {
                self.names.remove(&begun.name);
            }
            strays.push((name.to_owned(), error));
        }
    }

    /// Adds a note on the shapes left out; an error if none could be read.
    pub(super) fn tell(&mut self, strays: Vec<(String, InputError)>) -> Result<(), InputError> {
        let told = first_few(strays.iter().map(|(name, why)| format!("{name} ({why})")), TOLD);
        let count = strays.len();
        match strays.into_iter().next() {
            Some((_, error)) if self.pieces.is_empty() => return Err(error),
            Some(_) => self.info.notes.push(format!("{count} of all shapes left out: {told}")),
            None => {}
        }
        Ok(())
    }

    /// Makes the ground of all pieces: one curve, or several.
    pub(super) fn ground(&mut self, root: &Node) -> Result<Ground, InputError> {
        let curves = std::mem::take(&mut self.curves);
        let mut grounds = Vec::with_capacity(curves.len());
        for curve in curves.iter().rev() {
            let mut own = Parts { by_arc_length: self.by_arc_length, ..Parts::default() };
            own.pieces = self.pieces.split_off(curve.first);
            own.spans = self.spans.split_off(curve.first);
            own.graphs = self.graphs.split_off(curve.first);
            grounds.push(own.one().map_err(|error| {
                let node = Node { span: curve.span.clone(), value: root.value.clone() };
                own.explain(&error, &node).after(&format!("`{}`: ", curve.name))
            })?);
        }
        grounds.reverse();
        match Ground::of_curves(grounds) {
            Some(ground) => Ok(ground),
            None => self.one().map_err(|error| self.explain(&error, root)),
        }
    }

    fn one(&mut self) -> Result<Ground, GroundError> {
        let pieces = std::mem::take(&mut self.pieces);
        // An unbounded curve has no start for arc length.
        let bounded = pieces.iter().all(|piece| piece.domain().is_bounded());
        if self.by_arc_length && bounded { Ground::by_arc_length(pieces) } else { Ground::new(pieces) }
    }

    /// Reverses the curve from piece `first` on if it ends left of its start, so that its free side is above.
    pub(super) fn free_above(&mut self, first: usize) {
        let (Some(begin), Some(end)) = (self.pieces.get(first), self.pieces.last()) else { return };
        let from = begin.curve().point_at(begin.domain().lo);
        let to = end.curve().point_at(end.domain().hi);
        if to.x < from.x && (to - from).norm() > Ground::JOINT_TOLERANCE {
            self.turn_round(first..self.pieces.len());
        }
    }

    /// Reverses each curve from piece `first` on, which swaps its free side.
    pub(super) fn reverse(&mut self, first: usize) {
        let begun = self.curves.iter().map(|curve| curve.first).filter(|begin| *begin > first);
        let ends: Vec<usize> = begun.chain([self.pieces.len()]).collect();
        let mut from = first;
        for to in ends {
            self.turn_round(from..to);
            from = to;
        }
    }

    fn turn_round(&mut self, pieces: Range<usize>) {
        self.pieces[pieces.clone()].reverse();
        self.pieces[pieces.clone()].iter_mut().for_each(|piece| *piece = piece.reversed());
        self.spans[pieces.clone()].reverse();
        // The parameter of a reversed graph is not x any more.
        self.graphs[pieces].fill(false);
    }
}
