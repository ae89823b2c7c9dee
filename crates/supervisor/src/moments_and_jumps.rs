//! Moments of a run: the n-th event of a kind, a time, a crossing; and jumps from lift-off to touch.

use numbers::{Rounding, elementary};

use crate::{Event, EventKind, Phase, Scene};

/// A moment of a run.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Moment {
    /// The n-th time (from 1) that the ball touches the ground after flight.
    Impact(usize),
    /// The n-th event of a kind.
    Event(EventKind, usize),
    /// The n-th crossing (from 1) of a watch, by its index.
    Watch(usize, usize),
    /// A time, s.
    Time(f64),
    /// The first time that x (axis 0) or y (axis 1) has a value, m.
    Passing(usize, f64),
    /// The end of the run.
    End,
}

/// Counts events and crossings until a moment.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub struct Tally {
    moment: Moment,
    captured: bool,
    found: usize,
}

impl Tally {
    /// Nothing counted yet.
    pub fn new(moment: Moment) -> Self {
        Tally { moment, captured: false, found: 0 }
    }

    /// Notes a capture: its landing does not count as a touch of its own.
    pub fn capture(&mut self) {
        self.captured = true;
    }

    /// Counts an event if it is of the moment's kind; returns whether it is.
    pub fn counts(&mut self, event: &Event) -> bool {
        let ends_capture = std::mem::take(&mut self.captured);
        let counts = match self.moment {
            Moment::Impact(_) => event.kind == EventKind::Impact || event.kind == EventKind::Landing && !ends_capture,
            Moment::Event(kind, _) => event.kind == kind,
            Moment::Watch(..) | Moment::Time(_) | Moment::Passing(..) | Moment::End => false,
        };
        self.found += usize::from(counts);
        counts
    }

    /// Counts an event; returns whether it is the moment.
    pub fn is(&mut self, event: &Event) -> bool {
        self.counts(event) && self.is_reached()
    }

    /// Counts a crossing if the watch with this index is the moment's; returns whether it is.
    pub fn counts_crossing(&mut self, crossed: usize) -> bool {
        let counts = matches!(self.moment, Moment::Watch(watch, _) if watch == crossed);
        self.found += usize::from(counts);
        counts
    }

    /// Counts a crossing; returns whether it is the moment.
    pub fn is_crossing(&mut self, crossed: usize) -> bool {
        self.counts_crossing(crossed) && self.is_reached()
    }

    fn is_reached(&self) -> bool {
        matches!(self.moment, Moment::Impact(n) | Moment::Event(_, n) | Moment::Watch(_, n) if n == self.found)
    }

    /// Number of such events or crossings so far.
    pub fn found(&self) -> usize {
        self.found
    }
}

/// A jump: flight from leaving the ground to the next touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jump {
    /// Event at which the ball leaves the ground.
    pub left: Event,
    /// Event at which it touches the ground again.
    pub back: Event,
}

impl Jump {
    /// Distance between the centre's places at both ends, m.
    pub fn length(&self, scene: &Scene) -> f64 {
        (scene.world(&self.back.before).position - scene.world(&self.left.after).position).norm()
    }

    /// Angle between the velocity and the ground just before the touch, rad, 0 to π/2.
    pub fn landing_angle(&self) -> f64 {
        let (normal, along) = self.back.velocity_before();
        elementary::atan2(-normal, along.abs()).max(0.0)
    }

    /// `(v·n)²/(2g)` just before the touch, m: a fall from this height on level ground hits as hard. ∞ without gravity.
    pub fn fall_height(&self, scene: &Scene) -> f64 {
        elementary::powi(self.back.velocity_before().0, 2) / (2.0 * scene.forces.gravity_vector().norm())
    }
}

/// Finds jumps in a sequence of events.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Jumps {
    left: Option<Event>,
    /// Number of jumps so far.
    pub count: usize,
}

impl Jumps {
    /// The jump that ends with this event, if one does. A jump begins where rigid contact ends, not at a bounce or a
    /// release, and lasts longer than an instant.
    pub fn end(&mut self, event: &Event) -> Option<Jump> {
        let aloft = |phase: Phase| phase == Phase::Flight;
        match (aloft(event.phase_before), aloft(event.phase_after)) {
            (false, true) if event.phase_before != Phase::Compressed => {
                self.left = Some(*event);
                None
            }
            _ => {
                let left = self.left.take()?;
                if event.time() - left.time() <= Rounding::tick(event.time()) {
                    return None;
                }
                self.count += 1;
                Some(Jump { left, back: *event })
            }
        }
    }
}
