//! A ball's next event of each kind.

use crate::calendar::Due;
use crate::cells::Exit;

/// A meeting with another ball that is to come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairTime {
    /// s
    pub time: f64,
    /// m/s
    pub approach: f64,
    pub other: usize,
    /// Stamp of the other ball at the prediction; another one outdates it.
    pub stamp: u64,
    pub pressed: bool,
}

impl PairTime {
    /// Whether it comes before what a ball does without others.
    pub fn comes_before(&self, alone: &Due) -> bool {
        self.time < alone.time || self.time == alone.time && self.approach >= alone.approach
    }
}

/// Why a ball on straight ground does not go on as it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LyingChange {
    /// It slips no more.
    Slip,
    /// It comes to the end of the line, or as far as nothing else is near.
    Room,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Next {
    pub pair: Option<PairTime>,
    /// Contact with the ground, s.
    pub ground: f64,
    /// How fast it closes, of a contact now, m/s.
    pub closing: f64,
    /// Into another cell, s.
    pub cell: f64,
    pub exit: Exit,
    pub change: (f64, LyingChange),
}

impl Next {
    pub const NOTHING: Next = Next {
        pair: None,
        ground: f64::INFINITY,
        closing: 0.0,
        cell: f64::INFINITY,
        exit: Exit { after: f64::INFINITY, axis: 0, step: 0 },
        change: (f64::INFINITY, LyingChange::Room),
    };
}
