//! Several curves of one file.

use curves::Ground;

use super::parts::{Begun, Parts};
use crate::input::{InputError, Node, Span, Value};

/// Keys by which a file has several curves, in place of which `alone` stands.
const SEVERAL: [&str; 2] = ["paths", "layer"];

/// The table of a curve with what says one of several alone.
pub(super) fn alone(root: &Node, (key, value): &(&'static str, Value)) -> Node {
    let Value::Table(entries) = &root.value else { return root.clone() };
    let left = entries.iter().filter(|(known, ..)| !SEVERAL.contains(&&**known) && **known != **key);
    let mut entries: Vec<_> = left.cloned().collect();
    entries.push(((*key).into(), root.span.clone(), Node { value: value.clone(), span: root.span.clone() }));
    Node { value: Value::Table(entries), span: root.span.clone() }
}

impl Parts {
    /// Begins one of several curves.
    pub(super) fn begin(&mut self, name: String, alone: (&'static str, Value), span: &Span) -> Result<(), InputError> {
        if !self.names.insert(name.clone()) {
            let message = format!("two curves are called \"{name}\"");
            return Err(InputError::new(span, message, "the second one").with_help("give each its own name"));
        }
        self.curves.push(Begun { name, first: self.pieces.len(), alone, span: span.clone() });
        Ok(())
    }

    /// The ground of all pieces: one curve, or several.
    pub(super) fn ground(&mut self, root: &Node) -> Result<Ground, InputError> {
        let curves = std::mem::take(&mut self.curves);
        let mut grounds = Vec::with_capacity(curves.len());
        for curve in curves.iter().rev() {
            let mut own = Parts { by_arc_length: self.by_arc_length, ..Parts::default() };
            own.pieces = self.pieces.split_off(curve.first);
            own.spans = self.spans.split_off(curve.first);
            own.graphs = self.graphs.split_off(curve.first);
            let ground = own.one(&Node { span: curve.span.clone(), value: root.value.clone() });
            grounds.push(ground.map_err(|error| error.after(&format!("{}: ", curve.name)))?);
        }
        grounds.reverse();
        match Ground::of_curves(grounds) {
            Some(ground) => Ok(ground),
            None => self.one(root),
        }
    }

    fn one(&mut self, root: &Node) -> Result<Ground, InputError> {
        let pieces = std::mem::take(&mut self.pieces);
        // Arc length has no start on a curve without ends.
        let bounded = pieces.iter().all(|piece| piece.domain().is_bounded());
        let ground = if self.by_arc_length && bounded { Ground::by_arc_length(pieces) } else { Ground::new(pieces) };
        ground.map_err(|error| self.explain(&error, root))
    }

    /// Turns the pieces from `first` on round where they end left of where they begin: the free side is above.
    pub(super) fn free_above(&mut self, first: usize) {
        let (Some(begin), Some(end)) = (self.pieces.get(first), self.pieces.last()) else { return };
        let from = begin.curve().point_at(begin.domain().lo);
        let to = end.curve().point_at(end.domain().hi);
        if to.x < from.x && (to - from).norm() > Ground::JOINT_TOLERANCE {
            self.pieces[first..].reverse();
            self.pieces[first..].iter_mut().for_each(|piece| *piece = piece.reversed());
            self.spans[first..].reverse();
            self.graphs[first..].reverse();
        }
    }
}
