//! The energy ledger of time stepping.

use crate::island::unseen;
use crate::theta::Closed;

/// Energies in J, sums since the start.
///
/// ```text
/// numerical = kinetic + potential − initial − external − exchanged − normal − tangential + dissipated − projection
/// ```
///
/// is what the scheme itself adds (> 0) or removes: for θ = 1/2 and a linear system nothing but rounding. Contact works are
/// `P·(ẏ₀ + ẏ₁)/2`, exact for impacts. What two balls lose in a contact is half each one's; what one hands over to the other is
/// exchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Now.
    pub kinetic: f64,
    /// Now; of internal forces that store it (and of gravity, for balls).
    pub potential: f64,
    /// Kinetic and potential at the start.
    pub initial: f64,
    /// Work of external forces.
    pub external: f64,
    /// Received from other balls; of all of them together it is 0.
    pub exchanged: f64,
    /// Work of normal contact impulses; negative where e < 1 takes it.
    pub normal: f64,
    /// Work of friction.
    pub tangential: f64,
    /// Lost to internal damping, drag and rolling damping.
    pub dissipated: f64,
    /// Added by the projection onto g = 0.
    pub projection: f64,
}

impl Energy {
    /// Ledger of a start with this kinetic and potential energy.
    pub fn starting(kinetic: f64, potential: f64) -> Self {
        Energy { kinetic, potential, initial: kinetic + potential, ..Energy::default() }
    }

    /// Adds external, normal, tangential work and dissipation of a step.
    #[inline]
    pub fn book(&mut self, step: [f64; 4]) {
        self.external += step[0];
        self.normal += step[1];
        self.tangential += step[2];
        self.dissipated += step[3];
    }

    /// Normal and tangential work of a contact with another ball: on this one and on the other.
    #[inline]
    pub fn met(&mut self, own: [f64; 2], other: [f64; 2]) {
        self.normal += 0.5 * (own[0] + other[0]);
        self.tangential += 0.5 * (own[1] + other[1]);
        self.exchanged += 0.5 * ((own[0] - other[0]) + (own[1] - other[1]));
    }

    /// Kinetic and potential.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }

    /// Energy that the scheme itself has added, see above.
    pub fn numerical(&self) -> f64 {
        let own = self.normal + self.tangential - self.dissipated + self.projection;
        self.total() - self.initial - (self.external + self.exchanged + own)
    }
}

/// The parts that an event-driven run has: what contacts take is dissipated.
impl From<Energy> for mechanics::Energy {
    fn from(energy: Energy) -> Self {
        let Energy { kinetic, potential, external: work, normal, tangential, dissipated, .. } = energy;
        mechanics::Energy { kinetic, potential, dissipated: dissipated - normal - tangential, work }
    }
}

/// Both together.
impl std::ops::Add for Energy {
    type Output = Energy;

    fn add(self, other: Energy) -> Energy {
        Energy {
            kinetic: self.kinetic + other.kinetic,
            potential: self.potential + other.potential,
            initial: self.initial + other.initial,
            external: self.external + other.external,
            exchanged: self.exchanged + other.exchanged,
            normal: self.normal + other.normal,
            tangential: self.tangential + other.tangential,
            dissipated: self.dissipated + other.dissipated,
            projection: self.projection + other.projection,
        }
    }
}

/// Energy that contacts of an island added in a step, by its cause, J; each 0 or more.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Added {
    pub restitution: f64,
    pub turning: f64,
    pub opening: f64,
}

/// Work of the impulses on an island, `P·(u₀ + u₁)/2`, J, and what of it is whose.
///
/// With `u_free` the velocity that the forces of the step leave and D ≤ 0 the loss by friction, the impulses alone add
///
/// ```text
/// P·(u_free + u₁)/2 = D − P·E u₀ − PᵀWP/2        E: e and e_t of each contact
/// ```
///
/// Energy that the whole work adds has three causes, taken in this order:
/// - restitution: the part that the impulses alone add;
/// - turning: `P_n/2` times the change of the normal velocity by normals that turn in the step;
/// - opening: the rest, of contacts that open while forces slow them down.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ContactWork {
    all: f64,
    impulses_alone: f64,
    turning: f64,
    /// Impulses and momenta, N s, and the largest velocity, m/s: what rounding is to be seen against.
    size: f64,
    fastest: f64,
}

impl ContactWork {
    /// `mass` is `1/W` of the contact alone, kg.
    #[inline(always)]
    pub fn add(&mut self, contact: &Closed, mass: f64) {
        let Closed { before, free, after, impulse, .. } = contact;
        for k in 0..2 {
            self.all += 0.5 * impulse[k] * (before[k] + after[k]);
            self.impulses_alone += 0.5 * impulse[k] * (free[k] + after[k]);
            self.size += impulse[k].abs() + mass * after[k].abs();
            self.fastest = self.fastest.max(before[k].abs()).max(after[k].abs());
        }
        self.turning += 0.5 * impulse[0] * contact.turn;
    }

    /// Energy that was added; `None`: no more than rounding and the solver's tolerance (m/s) can make of it.
    #[inline(always)]
    pub fn added(&self, tolerance: f64) -> Option<Added> {
        let least = unseen(tolerance, self.size, self.fastest);
        if !(self.all > least) {
            return None;
        }
        let restitution = self.impulses_alone.min(self.all).max(0.0);
        let turning = self.turning.min(self.all - restitution).max(0.0);
        let seen = |energy: f64| if energy > least { energy } else { 0.0 };
        Some(Added {
            restitution: seen(restitution),
            turning: seen(turning),
            opening: seen(self.all - restitution - turning),
        })
    }
}
