//! The energy ledger of time stepping: who gave and took energy, and how much did contacts add by which cause?

use crate::theta::Closed;

/// Energies in J, sums since the start.
///
/// ```text
/// numerical = kinetic + potential − initial − external − exchanged − normal − tangential + dissipated − projection
/// ```
///
/// is the energy that the scheme itself adds (> 0) or removes: for θ = 1/2 and a linear system only rounding. Works of
/// contacts are `P·(u₀ + u₁)/2`, exact for impacts, with the contact velocity u; in steps of a caller's scheme they are
/// what the contact laws take. Two balls share the loss in their contact; what one passes to the other is `exchanged`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy now.
    pub kinetic: f64,
    /// Potential energy now: of internal forces that store it, and of gravity for balls.
    pub potential: f64,
    /// Kinetic and potential energy at the start.
    pub initial: f64,
    /// Work of external forces.
    pub external: f64,
    /// Energy received from other balls; the sum over all balls is 0.
    pub exchanged: f64,
    /// Work of normal contact impulses; negative where e < 1 dissipates.
    pub normal: f64,
    /// Work of friction.
    pub tangential: f64,
    /// Lost to internal damping, drag and rolling damping.
    pub dissipated: f64,
    /// Energy added by the projection onto g = 0.
    pub projection: f64,
}

impl Energy {
    /// Ledger at a start with this kinetic and potential energy.
    pub fn starting(kinetic: f64, potential: f64) -> Self {
        Energy { kinetic, potential, initial: kinetic + potential, ..Energy::default() }
    }

    /// Adds `[external, normal, tangential work, dissipation]` of a step.
    #[inline]
    pub fn book(&mut self, step: [f64; 4]) {
        self.external += step[0];
        self.normal += step[1];
        self.tangential += step[2];
        self.dissipated += step[3];
    }

    /// Books the work `[normal, tangential]` of a contact of two balls: `own` on this one, `other` on the other.
    #[inline]
    pub fn book_pair(&mut self, own: [f64; 2], other: [f64; 2]) {
        self.normal += 0.5 * (own[0] + other[0]);
        self.tangential += 0.5 * (own[1] + other[1]);
        self.exchanged += 0.5 * ((own[0] - other[0]) + (own[1] - other[1]));
    }

    /// Sum of kinetic and potential energy.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }

    /// Energy that the scheme itself has added, by the formula of [`Energy`].
    pub fn numerical(&self) -> f64 {
        let own = self.normal + self.tangential - self.dissipated + self.projection;
        self.total() - self.initial - (self.external + self.exchanged + own)
    }
}

/// Converts to the ledger of event-driven runs, where losses in contacts are part of `dissipated`.
impl From<Energy> for mechanics::Energy {
    fn from(energy: Energy) -> Self {
        let Energy { kinetic, potential, external: work, normal, tangential, dissipated, .. } = energy;
        mechanics::Energy { kinetic, potential, dissipated: dissipated - normal - tangential, work }
    }
}

/// Sums two ledgers.
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

/// Energy added by the contacts of an island in a step, by cause, J; each ≥ 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Added {
    pub restitution: f64,
    pub turning: f64,
    pub opening: f64,
}

/// Work of the impulses on an island, `P·(u₀ + u₁)/2`, J, and its causes.
///
/// With the velocity `u_free` without contacts, the Delassus operator W and the work D ≤ 0 of friction, impulses add
///
/// ```text
/// P·(u_free + u₁)/2 = D − P·E u₀ − PᵀWP/2        E: e and e_t of each contact
/// ```
///
/// A positive total work has three causes, taken in this order:
/// - restitution: the energy that the impulses alone add;
/// - turning: `P_n/2` times the change of the normal velocity by normals that turn in the step;
/// - opening: the rest, of contacts that open while forces slow them down.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ContactWork {
    /// `P·(u₀ + u₁)/2`
    all: f64,
    /// `P·(u_free + u₁)/2`
    impulses_alone: f64,
    /// `P_n` times half the change of normal velocity by turning normals.
    turning: f64,
    /// Sum of the sizes of impulses and momenta, N s, and the largest velocity, m/s: see [`unseen`].
    momentum: f64,
    fastest: f64,
}

impl ContactWork {
    /// Adds a contact; `mass` is `1/W` of it alone, kg.
    #[inline(always)]
    pub fn add(&mut self, contact: &Closed, mass: f64) {
        let Closed { before, free, after, impulse, .. } = contact;
        for k in 0..2 {
            self.all += 0.5 * impulse[k] * (before[k] + after[k]);
            self.impulses_alone += 0.5 * impulse[k] * (free[k] + after[k]);
            self.momentum += impulse[k].abs() + mass * after[k].abs();
            self.fastest = self.fastest.max(before[k].abs()).max(after[k].abs());
        }
        self.turning += 0.5 * impulse[0] * contact.turn;
    }

    /// Energy added; 0 where rounding and the solver's tolerance (m/s) explain it.
    #[inline(always)]
    pub fn added(&self, tolerance: f64) -> Added {
        let least = unseen(tolerance, self.momentum, self.fastest);
        if !(self.all > least) {
            return Added::default();
        }
        let restitution = self.impulses_alone.min(self.all).max(0.0);
        let turning = self.turning.min(self.all - restitution).max(0.0);
        let seen = |energy: f64| if energy > least { energy } else { 0.0 };
        let opening = self.all - restitution - turning;
        Added { restitution: seen(restitution), turning: seen(turning), opening: seen(opening) }
    }
}

/// Error of the work of impulses by rounding (1e-9 of a speed) and by a solver's tolerance (m/s), J. `momentum` is the
/// sum of the sizes of impulses and momenta in the contacts, N s; `fastest` is the largest speed, m/s.
pub(crate) fn unseen(tolerance: f64, momentum: f64, fastest: f64) -> f64 {
    (1e-9 * fastest + tolerance) * momentum
}
