//! Summary of a run: how it ended, energies, counts.

use curves::SearchCount;
use flight::FlightCount;
use mechanics::{Energy, State};
use rolling::{CompressedCount, ContactCount};

use crate::{Balance, Ledger, Moment, Phase, Stop, WedgedEnd};

/// Numbers of events, steps and searches.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Count {
    /// Events of all kinds.
    pub events: u64,
    /// Impacts, those that land or are captured included.
    pub impacts: u64,
    /// Impacts on two contacts at once, which count once.
    pub two_contact_impacts: u64,
    /// Two-contact impacts whose restitution counted as 0: it would drive the ball into a contact that opens.
    pub impacts_without_restitution: u64,
    /// Two-contact impacts in which e stood for e_t: Coulomb's law allows no other, or friction has no limit.
    pub impacts_with_e_for_e_t: u64,
    /// Landings.
    pub landings: u64,
    /// Lift-offs.
    pub lift_offs: u64,
    /// Contacts with compliant ground.
    pub touches: u64,
    /// Captured accumulations of bounces.
    pub captures: u64,
    /// Energy taken by captures, J.
    pub captured_energy: f64,
    /// Steps and evaluations in flight.
    pub flight: FlightCount,
    /// Steps and evaluations on the ground.
    pub contact: ContactCount,
    /// Steps and evaluations in compressed contact.
    pub compressed: CompressedCount,
    /// Steps on the ground made again, shorter, because more may act along them than their nodes had met.
    pub unresolved: u64,
    /// States that a method which carries an acceleration was put back to.
    pub put_back: PutBack,
    /// Work of the searches for contact.
    pub search: SearchCount,
    /// Largest residuals that events and changes of phase leave.
    pub balance: Balance,
}

/// Projections of a method that carries an acceleration, where contact changes or ends: what it does not hold is put back.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PutBack {
    /// Velocities put on `v·n = 0`, m/s; of a ball that leaves, those that go into the ground.
    pub velocities: Projections,
    /// Accelerations put on §2's, since with its own λ the ground would pull: by the change of λ, N.
    pub forces: Projections,
}

/// How many projections there were, and the largest.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Projections {
    /// Number of projections.
    pub count: u64,
    /// Size of the largest.
    pub largest: f64,
}

impl Projections {
    pub(crate) fn see(&mut self, change: f64) {
        *self = Projections { count: self.count + 1, largest: self.largest.max(change.abs()) };
    }
}

/// End of a run: why, the ball, its energy, and how often things happened.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Summary {
    /// Reason why it ended early; `None` if it reached its end.
    #[serde(serialize_with = "in_words")]
    pub stop: Option<Stop>,
    /// The moment that it was to end with, if it did.
    pub until: Option<Moment>,
    /// Phase in the end.
    pub phase: Phase,
    /// Places and forces of a ball that ends wedged between two contacts.
    pub wedged: Option<WedgedEnd>,
    /// The ball in the end.
    pub state: State,
    /// Energy at the start.
    pub energy_start: Energy,
    /// Energy in the end.
    pub energy_end: Energy,
    /// Ledger of its energy, and how it was judged.
    pub ledger: Ledger,
    /// Numbers of events, steps and searches.
    pub count: Count,
}

fn in_words<S: serde::Serializer>(stop: &Option<Stop>, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&stop.map(|stop| stop.to_string()), serializer)
}

impl Summary {
    /// `total − total₀ + dissipated − work`, J: what the ledger can't explain.
    pub fn unexplained(&self) -> f64 {
        self.energy_end.total() - self.energy_start.total() + self.energy_end.dissipated - self.energy_end.work
    }
}
