//! Numbers of a run.

use supervisor::{Event, EventKind, Phase};

/// When a number is read off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// The n-th time (from 1) that the ball touches the ground after flight.
    Impact(usize),
    /// The n-th event of a kind.
    Event(EventKind, usize),
    /// A time, s.
    Time(f64),
    /// The first time that x (axis 0) or y (axis 1) has a value, m.
    Passing(usize, f64),
    /// The end of the run.
    End,
}

/// What is read off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Component {
    /// s
    Time,
    /// `x, y, vx, vy, ω, φ` by index (m, m/s, rad/s, rad).
    State(usize),
    /// `‖v‖`, m/s.
    Speed,
    /// The parameter of the nearest ground point, as outputs show it; it has no derivatives here.
    GroundParameter,
}

/// A number of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// At a moment; of an event just after it, or `before`.
    At {
        /// What.
        component: Component,
        /// When.
        moment: Moment,
        /// Just before the event.
        before: bool,
    },
    /// The greatest y of the centre, m.
    Height,
    /// The greatest λ between impacts, N; it has no derivatives here.
    NormalForce,
    /// How far the n-th jump (from 1) goes, m: from where the ball leaves the ground on which it was to where it first touches
    /// it again; it has no derivatives here.
    JumpLength(usize),
}

impl Quantity {
    /// Whether [`read`](crate::read) knows its derivatives.
    pub fn is_smooth(&self) -> bool {
        !matches!(
            self,
            Quantity::NormalForce
                | Quantity::JumpLength(_)
                | Quantity::At { component: Component::GroundParameter, .. }
        )
    }
}

/// Counts the events of a run that a moment means, as they are told.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    moment: Moment,
    captured: bool,
    found: usize,
}

impl Tally {
    /// From the start of a run.
    pub fn new(moment: Moment) -> Self {
        Tally { moment, captured: false, found: 0 }
    }

    /// Bounces were summed up: the landing that follows is no touch of its own.
    pub fn capture(&mut self) {
        self.captured = true;
    }

    /// Whether this event is of the kind that is counted.
    pub fn counts(&mut self, event: &Event) -> bool {
        let ends_capture = std::mem::take(&mut self.captured);
        // A row that says again what the one before it did.
        let again = event.kind == EventKind::Rest && event.phase_before == event.phase_after;
        let counts = !again
            && match self.moment {
                Moment::Impact(_) => {
                    event.kind == EventKind::Impact || event.kind == EventKind::Landing && !ends_capture
                }
                Moment::Event(kind, _) => event.kind == kind,
                Moment::Time(_) | Moment::Passing(..) | Moment::End => false,
            };
        self.found += usize::from(counts);
        counts
    }

    /// Whether this event is the one that is meant.
    pub fn is(&mut self, event: &Event) -> bool {
        let asked = match self.moment {
            Moment::Impact(asked) | Moment::Event(_, asked) => asked,
            Moment::Time(_) | Moment::Passing(..) | Moment::End => return false,
        };
        self.counts(event) && self.found == asked
    }

    /// How many there were.
    pub fn found(&self) -> usize {
        self.found
    }
}

/// Flights from contact to the first touch, as events are told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jumps {
    left: Option<Event>,
    /// Jumps that have ended.
    pub count: usize,
}

impl Jumps {
    /// The events at which a jump begins and ends, if it ends with this one.
    pub fn end(&mut self, event: &Event) -> Option<[Event; 2]> {
        let aloft = |phase: Phase| phase == Phase::Flight;
        match (aloft(event.phase_before), aloft(event.phase_after)) {
            (false, true) if event.phase_before != Phase::Compressed => {
                self.left = Some(*event);
                None
            }
            _ => {
                let left = self.left.take()?;
                self.count += 1;
                Some([left, *event])
            }
        }
    }
}
