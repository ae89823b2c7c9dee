//! The energy ledger of time stepping.

/// Energies in J, sums since the start.
///
/// ```text
/// numerical = kinetic + potential − initial − external − normal − tangential + dissipated − projection
/// ```
///
/// is what the scheme itself adds (> 0) or removes: for θ = 1/2 and a linear system nothing but rounding. Contact works are
/// `P·(ẏ₀ + ẏ₁)/2`, exact for impacts.
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
    pub(crate) fn starting(kinetic: f64, potential: f64) -> Self {
        Energy { kinetic, potential, initial: kinetic + potential, ..Energy::default() }
    }

    /// External, normal, tangential work and dissipation of a step.
    #[inline]
    pub(crate) fn add(&mut self, step: [f64; 4]) {
        self.external += step[0];
        self.normal += step[1];
        self.tangential += step[2];
        self.dissipated += step[3];
    }

    /// Kinetic and potential.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }

    /// What the scheme itself has added, see above.
    pub fn numerical(&self) -> f64 {
        let explained = self.external + self.normal + self.tangential - self.dissipated + self.projection;
        self.total() - self.initial - explained
    }
}

/// Several together.
impl std::iter::Sum for Energy {
    fn sum<I: Iterator<Item = Energy>>(energies: I) -> Energy {
        energies.fold(Energy::default(), |sum, one| Energy {
            kinetic: sum.kinetic + one.kinetic,
            potential: sum.potential + one.potential,
            initial: sum.initial + one.initial,
            external: sum.external + one.external,
            normal: sum.normal + one.normal,
            tangential: sum.tangential + one.tangential,
            dissipated: sum.dissipated + one.dissipated,
            projection: sum.projection + one.projection,
        })
    }
}
