//! Quantities that methods are judged by: one table for options, reports, files and figures.

/// A quantity that methods are judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Times of events: the largest error, s.
    EventTime,
    /// Position of the centre: the largest error over the rows, m.
    Position,
    /// Velocity of the centre: the largest error over the rows, m/s; rows between the times that two runs have for one
    /// event are left out.
    Velocity,
    /// λ: the largest error over the rows on the ground, N; the same rows are left out.
    NormalForce,
    /// Error of the centre's position at the end, m.
    FinalPosition,
    /// Error of the centre's velocity at the end, m/s.
    FinalVelocity,
    /// Energy error: the largest unexplained energy over the rows, J. It needs no reference.
    Energy,
}

use Measure::{Energy, EventTime, FinalPosition, FinalVelocity, NormalForce, Position, Velocity};

/// Measures that need a reference, in the order of files.
pub const JUDGED: [Measure; 6] = [EventTime, Position, Velocity, NormalForce, FinalPosition, FinalVelocity];
/// Measures whose order of convergence is observed, in the order of reports.
pub const OBSERVED: [Measure; 5] = [Position, Velocity, NormalForce, Energy, EventTime];

impl Measure {
    /// Key in files, name of the option, and label of axes.
    fn words(self) -> [&'static str; 3] {
        match self {
            EventTime => ["event_time", "event-time", "error of event times [s]"],
            Position => ["position", "x", "error of x [m]"],
            Velocity => ["velocity", "v", "error of v [m/s]"],
            NormalForce => ["normal_force", "lambda", "error of λ [N]"],
            FinalPosition => ["final_position", "", "error of x in the end [m]"],
            FinalVelocity => ["final_velocity", "", "error of v in the end [m/s]"],
            Energy => ["unexplained_energy", "energy", "largest unexplained energy [J]"],
        }
    }

    /// Key in files.
    pub fn key(self) -> &'static str {
        self.words()[0]
    }

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        self.words()[1]
    }

    /// Label of axes.
    pub fn label(self) -> &'static str {
        self.words()[2]
    }
}
