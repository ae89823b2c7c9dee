//! Numbers of a run.

use supervisor::EventKind;

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
}
