//! Translates errors of a ground into messages with a position in the file.

use curves::GroundError;

use super::kinds_and_limits::Parts;
use crate::input::{InputError, Node, plain};

impl Parts {
    /// Message for a ground's error, with the position in the file.
    pub(super) fn explain(&self, error: &GroundError, root: &Node) -> InputError {
        const FINITE: &str = "give a `domain` on which the formula and its first two derivatives are finite";
        let (piece, code, help) = match *error {
            GroundError::Empty => (0, "empty", "give it at least one piece"),
            GroundError::NoLength { piece, .. } => {
                (piece, "no-length", "a domain needs two different ends, the smaller one first")
            }
            GroundError::Undefined { piece, .. } => (piece, "undefined", FINITE),
            GroundError::ZeroSpeed { piece, .. } if self.graphs[piece] => (piece, "cusp", FINITE),
            GroundError::ZeroSpeed { piece, .. } => {
                (piece, "cusp", "end the domain short of the cusp, or choose a parameter that does not stand still")
            }
            GroundError::TooWild { piece, .. } => (piece, "too-wild", "give a smaller domain, or a simpler formula"),
            GroundError::Unbounded { piece } => (piece, "unbounded", "give the piece a finite domain"),
            GroundError::Gap { before, .. } => (before + 1, "gap", "let each piece begin where the one before ends"),
            GroundError::Cusp { before, .. } => (before, "cusp", "leave out the part that runs back"),
            GroundError::TooManyCrossings { piece, .. } => {
                (piece, "crossing", "draw it with fewer crossings, or as several curves")
            }
            GroundError::Crossing { second, .. } => (
                second.0,
                "crossing",
                "cut the curve where it would cross, or move its parts apart; a drawing program does it by a union of shapes",
            ),
        };
        let span = self.spans.get(piece).unwrap_or(&root.span);
        InputError::new(span, self.complaint(error), "this part of the curve").with_help(help).with_code(code)
    }

    /// Text of a ground's error; for graphs in terms of `x`.
    fn complaint(&self, error: &GroundError) -> String {
        let (piece, x, what) = match *error {
            GroundError::Undefined { piece, parameter } => {
                (piece, parameter, "or one of its first two derivatives is not finite")
            }
            GroundError::ZeroSpeed { piece, parameter, .. } => {
                (piece, parameter, "is undefined or grows without bound")
            }
            GroundError::TooWild { piece, parameter } => {
                (piece, parameter, "turns too often, or is too wild for enclosures,")
            }
            _ => return error.to_string(),
        };
        if !self.graphs[piece] {
            return error.to_string();
        }
        let place = if x.abs() < 1e300 { format!("at x = {}", plain(x)) } else { "far out, towards infinite x".into() };
        format!("the formula for `y` {what} {place}")
    }
}
