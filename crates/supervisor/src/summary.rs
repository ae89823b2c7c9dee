//! Summary of a run: reason of its end, energies, counts.

use curves::SearchCount;
use flight::FlightCount;
use mechanics::{Energy, State};
use rolling::{CompressedCount, ContactCount};

use crate::{Balance, Ledger, Moment, Phase, Stop, WedgedEnd};

/// Counts of events, steps and searches.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Count {
    /// Rows of events of all kinds.
    pub events: u64,
    /// Impacts, including those that land or are captured.
    pub impacts: u64,
    /// Impacts on two contacts at once.
    pub two_contact_impacts: u64,
    /// Two-contact impacts without restitution, since restitution would drive the ball into a contact that opens.
    pub impacts_without_restitution: u64,
    /// Two-contact impacts with e in place of e_t: Coulomb's law allows no other value, or friction has no limit.
    pub impacts_with_e_instead_of_e_t: u64,
    /// Landings.
    pub landings: u64,
    /// Lift-offs.
    pub lift_offs: u64,
    /// Contacts with compliant ground.
    pub touches: u64,
    /// Captured accumulations of bounces.
    pub captures: u64,
    /// Energy lost in captures, J.
    pub captured_energy: f64,
    /// Steps and evaluations in flight.
    pub flight: FlightCount,
    /// Steps and evaluations on the ground.
    pub contact: ContactCount,
    /// Steps and evaluations in compressed contact.
    pub compressed: CompressedCount,
    /// Contact steps repeated with a shorter length, because more may act along them than at their nodes.
    pub shortened: u64,
    /// Projections of states of a method with its own acceleration.
    pub projected: PutBack,
    /// Work of the searches for contact.
    pub search: SearchCount,
    /// Largest residuals that events and changes of phase leave.
    pub balance: Balance,
}

/// Projections of a method with its own acceleration, where contact changes or ends, onto constraints it does not hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PutBack {
    /// Velocities projected onto `v·n = 0`, m/s; for a ball that leaves only those into the ground.
    pub velocities: Projections,
    /// Accelerations replaced by those of §2, since the method's own λ would pull; sizes are changes of λ, N.
    pub forces: Projections,
}

/// Number and largest size of projections.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Projections {
    /// Number of projections.
    pub count: u64,
    /// Largest size.
    pub largest: f64,
}

impl Projections {
    pub(crate) fn see(&mut self, change: f64) {
        *self = Projections { count: self.count + 1, largest: self.largest.max(change.abs()) };
    }
}

/// End of a run: reason, the ball, its energy, and counts.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Summary {
    /// Reason of an early end; `None` if the run reached its end.
    #[serde(serialize_with = "in_words")]
    pub stop: Option<Stop>,
    /// The moment that ended it, if any.
    pub until: Option<Moment>,
    /// Phase at the end.
    pub phase: Phase,
    /// Places and forces of a ball that ends wedged.
    pub wedged: Option<WedgedEnd>,
    /// The ball at the end.
    pub state: State,
    /// Energy at the start.
    pub energy_start: Energy,
    /// Energy at the end.
    pub energy_end: Energy,
    /// Unexplained energy, and what is allowed of it.
    pub ledger: Ledger,
    /// Counts of events, steps and searches.
    pub count: Count,
}

fn in_words<S: serde::Serializer>(stop: &Option<Stop>, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&stop.map(|stop| stop.to_string()), serializer)
}

impl Summary {
    /// Unexplained energy `total − total₀ + dissipated − work`, J.
    pub fn unexplained(&self) -> f64 {
        self.energy_end.total() - self.energy_start.total() + self.energy_end.dissipated - self.energy_end.work
    }
}
