//! Matching of the events of a run with those of the reference.

use supervisor::EventKind;

use super::track::{EventTime, RunTrack};

/// Largest time between the events of a pair, relative to the duration.
const WINDOW: f64 = 0.02;

/// Pairs of events of a run and the reference, of the same kind and in the same order, and the events left over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matching {
    /// Indices of events of the reference and of the run.
    pub pairs: Vec<(usize, usize)>,
    /// Number of events of the reference that the run lacks.
    pub missed: u64,
    /// Number of events of the run that the reference lacks.
    pub extra: u64,
    /// Number of impacts of one that the other one has summed up.
    pub summed_up: u64,
    /// Largest difference of times of a pair, s.
    pub largest: Option<f64>,
}

/// Finds the alignment of least cost: |Δt| over the window for a pair, one half for an unpaired event. So two events
/// that could be a pair are one, and a missed event does not shift the pairs after it. `duration` in s; `restitution`
/// is that of the ground.
pub fn matching(reference: &RunTrack, run: &RunTrack, duration: f64, restitution: f64) -> Matching {
    let window = WINDOW * duration;
    let pairs = align(&reference.events, &run.events, window);
    let apart = |&(i, j): &(usize, usize)| (reference.events[i].time - run.events[j].time).abs();
    let largest = pairs.iter().map(apart).reduce(f64::max);
    // The hops after one of length `span` take 1/(1−e) times that in all; doubled for safety.
    let reach = 2.0 / (1.0 - restitution).max(0.01);
    let tails = tails(reference, run, &pairs);
    // Unpaired events of the reference (`side` 0) or of the run (1): those that stand alone, and those summed up.
    let unpaired = |track: &RunTrack, side: usize| {
        let mut paired = vec![false; track.events.len()];
        pairs.iter().for_each(|&(i, j)| paired[if side == 0 { i } else { j }] = true);
        let may_be_summed = |event: &EventTime| {
            let mut of = tails.iter().map(|tail| (tail.landing[side], tail.span));
            event.kind == EventKind::Impact && of.any(|(end, span)| (end - reach * span..=end).contains(&event.time))
        };
        let left = track.events.iter().zip(paired).filter(|(_, paired)| !paired);
        left.fold((0, 0), |(single, summed), (event, _)| match may_be_summed(event) {
            true => (single, summed + 1),
            false => (single + 1, summed),
        })
    };
    let (missed, summed_by_run) = unpaired(reference, 0);
    let (extra, summed_by_reference) = unpaired(run, 1);
    Matching { missed, extra, summed_up: summed_by_run + summed_by_reference, pairs, largest }
}

/// Landing at the end of accumulating bounces, in both runs.
struct Tail {
    /// Landing in the reference and in the run, s.
    landing: [f64; 2],
    /// Duration of the longer summed-up bounces before it, plus the difference of the landings, s.
    span: f64,
}

/// The paired landings, with the time before them that may have been summed up.
fn tails(reference: &RunTrack, run: &RunTrack, pairs: &[(usize, usize)]) -> Vec<Tail> {
    let summed = |track: &RunTrack, landing: f64| {
        let capture = track.captures.iter().find(|[start, end]| (start..=end).contains(&&landing));
        capture.map_or(0.0, |[start, _]| landing - start)
    };
    let tail = |&(i, j): &(usize, usize)| {
        let landing = [reference.events[i].time, run.events[j].time];
        let span = summed(reference, landing[0]).max(summed(run, landing[1])) + (landing[0] - landing[1]).abs();
        Tail { landing, span }
    };
    pairs.iter().filter(|(i, _)| reference.events[*i].kind == EventKind::Landing).map(tail).collect()
}

/// Pairs of least cost, by dynamic programming over the remainders of both lists.
fn align(a: &[EventTime], b: &[EventTime], window: f64) -> Vec<(usize, usize)> {
    /// Cost of an unpaired event.
    const UNPAIRED: f64 = 0.5;
    let (n, m) = (a.len(), b.len());
    let pair = |i: usize, j: usize| {
        let apart = (a[i].time - b[j].time).abs();
        if a[i].kind == b[j].kind && apart <= window { apart / window } else { f64::INFINITY }
    };
    // Least cost of the remainders from (i, j) on, from the end backwards; and the choice: 0 pair, 1 skip a, 2 skip b.
    let mut below = vec![0.0; m + 1];
    let mut choices = vec![0u8; (n + 1) * (m + 1)];
    for i in (0..=n).rev() {
        let mut row = vec![0.0; m + 1];
        for j in (0..=m).rev() {
            if i == n && j == m {
                continue;
            }
            let skip_a = if i < n { below[j] + UNPAIRED } else { f64::INFINITY };
            let skip_b = if j < m { row[j + 1] + UNPAIRED } else { f64::INFINITY };
            let both = if i < n && j < m { below[j + 1] + pair(i, j) } else { f64::INFINITY };
            let (cost, choice) = if both <= skip_a.min(skip_b) {
                (both, 0)
            } else if skip_a <= skip_b {
                (skip_a, 1)
            } else {
                (skip_b, 2)
            };
            (row[j], choices[i * (m + 1) + j]) = (cost, choice);
        }
        below = row;
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < n && j < m {
        match choices[i * (m + 1) + j] {
            0 => {
                pairs.push((i, j));
                (i, j) = (i + 1, j + 1);
            }
            1 => i += 1,
            _ => j += 1,
        }
    }
    pairs
}
