//! Watches of a run, and moments at which it is to end. They look at stretches that are made already, so that no step of a run
//! knows of them.

mod quantity;
mod search;

use std::sync::Arc;

pub use quantity::{Watch, Watched};

use crate::{Crossing, Event, Moment, Observer, Sample, Scene, Stop, Stretch, Tally};
use search::{Crossings, Undefined, WatchState};

/// Watches, moments of which the first ends the run, and what is known of both so far.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Watching {
    #[serde(skip)]
    watches: Arc<[Watch]>,
    known: Vec<WatchState>,
    until: Vec<(Moment, Tally)>,
    /// Crossings on the stretch under way.
    #[serde(skip)]
    found: Vec<Crossing>,
    /// The moment that ended the run.
    pub(crate) ended: Option<Moment>,
}

impl Watching {
    /// Watching from the start of a run. [`Moment::Passing`] and [`Moment::End`] end no run: a watch does.
    pub fn new(watches: Arc<[Watch]>, until: &[Moment]) -> Self {
        let known = vec![WatchState::new(); watches.len()];
        let until = until.iter().map(|moment| (*moment, Tally::new(*moment))).collect();
        Watching { watches, known, until, found: Vec::new(), ended: None }
    }

    /// Goes on with what is known of these watches.
    pub(crate) fn of(self, watches: &Watching) -> Self {
        Watching { watches: watches.watches.clone(), ..self }
    }

    /// Goes on with a paused run at a time (s).
    pub(crate) fn resumed(mut self, now: f64) -> Self {
        self.ended = None;
        self.until.retain(|(moment, _)| !matches!(moment, Moment::Time(time) if *time <= now));
        self
    }

    /// Whether stretches are looked at.
    #[inline]
    pub(crate) fn looks(&self) -> bool {
        !(self.watches.is_empty() && self.until.is_empty())
    }

    /// Looks at a stretch and tells its crossings, up to where the run is to end; that time, and the end of the numbers of a watch.
    pub(crate) fn look(
        &mut self,
        scene: &Scene,
        stretch: &Stretch,
        observer: &mut dyn Observer,
    ) -> (Option<f64>, Result<(), Stop>) {
        let (mut undefined, mut unresolved) = (None, Vec::new());
        self.found.clear();
        for (index, (watch, known)) in self.watches.iter().zip(&mut self.known).enumerate() {
            let before = known.unresolved;
            let looked = Crossings { scene, stretch, watch, index, known }.all(&mut self.found);
            if let (None, Some(time)) = (before, known.unresolved) {
                unresolved.push((index, time));
            }
            if let Err(Undefined(time)) = looked
                && undefined.is_none_or(|(first, _)| time < first)
            {
                undefined = Some((time, index));
            }
        }
        self.found.sort_by(|a, b| a.time().total_cmp(&b.time()));
        let clock = |(moment, _): &(Moment, Tally)| match moment {
            Moment::Time(time) if *time < stretch.to() => Some((time.max(stretch.from()), *moment)),
            _ => None,
        };
        let mut end = self.until.iter().filter_map(clock).min_by(|a, b| a.0.total_cmp(&b.0));
        unresolved.sort_by(|a, b| b.1.total_cmp(&a.1));
        for crossing in &self.found {
            let time = crossing.time();
            if end.is_some_and(|(end, _)| end < time) || undefined.is_some_and(|(end, _)| end < time) {
                break;
            }
            while let Some((watch, from)) = unresolved.pop_if(|(_, from)| *from <= time) {
                observer.unresolved(watch, from);
            }
            let meant =
                self.until.iter_mut().find_map(|(moment, tally)| tally.is_crossing(crossing.watch).then_some(*moment));
            observer.crossing(&scene.reported_crossing(crossing));
            if let Some(moment) = meant {
                end = Some((time, moment));
            }
        }
        let last = end.map_or(f64::INFINITY, |(time, _)| time).min(undefined.map_or(f64::INFINITY, |(time, _)| time));
        let before = unresolved.into_iter().rev().filter(|(_, time)| *time < last);
        before.for_each(|(watch, time)| observer.unresolved(watch, time));
        match (end, undefined) {
            (Some((time, moment)), undefined) if undefined.is_none_or(|(first, _)| time <= first) => {
                self.ended = Some(moment);
                (Some(time), Ok(()))
            }
            (_, Some((time, watch))) => {
                let centre = stretch.world(time).position;
                (Some(time), Err(Stop::Undefined { time, centre, watch }))
            }
            _ => (None, Ok(())),
        }
    }

    /// Takes in an event; whether the run ends with it.
    #[inline]
    pub(crate) fn event(&mut self, event: &Event) -> bool {
        let meant = |(moment, tally): &mut (Moment, Tally)| tally.is(event).then_some(*moment);
        self.ended = self.ended.or(self.until.iter_mut().find_map(meant));
        self.ended.is_some()
    }

    /// Times that are the run's end are come to with it.
    pub(crate) fn finish(&mut self, last: &Sample, observer: &mut dyn Observer) {
        for (index, (watch, known)) in self.watches.iter().zip(&mut self.known).enumerate() {
            if let Watched::Times(times) = &watch.of
                && times.get(known.told) == Some(&last.state.time)
            {
                known.told += 1;
                observer.crossing(&Crossing { watch: index, sample: *last, rising: true });
            }
        }
    }

    /// Bounces were summed up.
    pub(crate) fn capture(&mut self) {
        self.until.iter_mut().for_each(|(_, tally)| tally.capture());
    }
}
