//! A stretch of the ground that is left out of a search.

use numbers::Interval;

use crate::Ground;

/// A stretch of one curve from one point to another; pieces of a closed curve count on beyond the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretch {
    /// A piece of the curve.
    pub on: usize,
    pub from: (isize, f64),
    pub to: (isize, f64),
}

impl Stretch {
    /// Parts of `part` that remain before the stretch and after it, for one of the `pieces` pieces of its curve.
    pub fn remainder(&self, piece: usize, part: Interval, pieces: usize) -> [Option<Interval>; 2] {
        let mut rest = [Some(part), None];
        // A closed ground is met once more a turn earlier and a turn later.
        for turn in [-1, 0, 1] {
            let at = piece as isize + turn * pieces as isize;
            if at < self.from.0 || at > self.to.0 {
                continue;
            }
            let cut = Interval::new(
                if at == self.from.0 { self.from.1 } else { f64::NEG_INFINITY },
                if at == self.to.0 { self.to.1 } else { f64::INFINITY },
            );
            let Some(whole) = rest[0] else { break };
            let before = Interval::new(whole.lo, whole.hi.min(cut.lo));
            let after = Interval::new(whole.lo.max(cut.hi), whole.hi);
            rest = [before, after].map(|r| (r.lo < r.hi).then_some(r));
            rest.sort_by_key(Option::is_none);
        }
        rest
    }
}

impl Ground {
    /// Parts of a part of a piece that remain without a stretch.
    pub(crate) fn remainder(&self, piece: usize, part: Interval, without: Option<Stretch>) -> [Option<Interval>; 2] {
        let Some(own) = without else { return [Some(part), None] };
        let side = self.side_of(own.on);
        if side.contains(&piece) {
            return own.remainder(piece, part, side.len());
        }
        // A stretch of one side is the same ground on the other.
        match self.other_side(piece) {
            Some(other) if side.contains(&other) => {
                own.remainder(other, -part, side.len()).map(|rest| rest.map(|part| -part))
            }
            _ => [Some(part), None],
        }
    }
}
