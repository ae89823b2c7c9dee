//! Interface for time-stepping schemes of the caller: the system with contacts that a scheme sees, and the scheme.
//!
//! ```text
//! M(q) dv = F(t, q, v) dt + Σ (n P_n + τ P_t)        g(q) ≥ 0        u = (nᵀv, τᵀv): normal and slip velocity of a contact
//! ```

use std::ops::{Deref, DerefMut};

use lcp::friction::{DenseFriction, Frictional, one};
use mechanics::ContactLaw;
use nalgebra::{DMatrixView, DVector};
use newmark::SchemeError;

/// Time, coordinates and velocities of a system.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// Time t, s.
    pub time: f64,
    /// Coordinates q; of balls x and y (m) and the angle (rad), one ball after the other.
    pub position: DVector<f64>,
    /// Velocities v = q̇.
    pub velocity: DVector<f64>,
}

/// A Lagrangian system of n degrees of freedom with unilateral contacts.
pub trait Lagrangian {
    /// Number of degrees of freedom n.
    fn size(&self) -> usize;
    /// Turns forces into accelerations (impulses into velocities) in place: `x ← M(q)⁻¹ x`. The angle of a ball that
    /// does not turn gets 0.
    fn accelerate(&self, position: &DVector<f64>, x: &mut DVector<f64>);
    /// Writes the applied forces F(t, q, v), without those of contacts.
    fn force(&mut self, motion: &Motion, force: &mut DVector<f64>);
    /// Replaces `found` by the contacts whose gap at a place and velocity is at most `reach` (m), or above it by less
    /// than rounding.
    fn contacts(&mut self, motion: &Motion, reach: f64, found: &mut Contacts);
}

/// Identifies a contact from step to step: its body, the other one (`None`: the ground) and its number between the two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContactKey {
    /// Index of the body towards which the normal points.
    pub body: usize,
    /// Index of the other body; `None`: the ground.
    pub other: Option<usize>,
    /// Number among the contacts of the two: a ball in a valley has two with the ground.
    pub which: usize,
}

/// A contact: fields that the system fills in, and fields that the scheme sets.
#[derive(Clone, Debug, Default)]
pub struct Contact {
    /// Identity of the contact, from step to step.
    pub key: ContactKey,
    /// Restitution and friction.
    pub law: ContactLaw,
    /// Gap g, m; negative: a penetration.
    pub gap: f64,
    /// Direction of the normal, `n = ∂g/∂q`, n entries.
    pub normal: DVector<f64>,
    /// Direction of friction τ: the slip velocity is τᵀv.
    pub tangent: DVector<f64>,
    /// Accelerations by turning directions: `u̇ = (nᵀa, τᵀa) + turn`, m/s².
    pub turn: [f64; 2],
    /// Friction coefficient that [`Contacts::solve`] uses; at first the law's.
    pub friction: f64,
    /// Velocities (or gaps) that [`Contacts::solve`] makes complementary, at the impulse that the contact has.
    pub asked: [f64; 2],
    /// Impulse `P_n` and `P_t` of the step, N s; its value after the step counts as the contact's.
    pub impulse: [f64; 2],
    /// λ and f at the end of the step (N) if the scheme has them; else outputs show the impulse divided by the step.
    pub force: Option<[f64; 2]>,
}

impl Contact {
    /// Normal and slip velocity `u = Hᵀv`.
    #[inline]
    pub fn along(&self, velocity: &DVector<f64>) -> [f64; 2] {
        [self.normal.dot(velocity), self.tangent.dot(velocity)]
    }

    /// Whether it has an impulse.
    pub(crate) fn pushes(&self) -> bool {
        self.impulse != [0.0; 2]
    }
}

/// Contacts found at a place; the list keeps its memory.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    list: Vec<Contact>,
    count: usize,
    /// Place at which gaps and directions are valid.
    pub(crate) place: DVector<f64>,
    /// Whether the last [`bounce`](Self::bounce) left out restitution; a scheme with lists of its own passes it on.
    pub without_restitution: bool,
    // Workspace of the solution.
    matrix: Vec<f64>,
    column: DVector<f64>,
    asked: Vec<[f64; 2]>,
    coupled: Vec<usize>,
    part: Vec<f64>,
    impulse: Vec<[f64; 2]>,
    dense: DenseFriction,
}

impl Deref for Contacts {
    type Target = [Contact];

    fn deref(&self) -> &[Contact] {
        &self.list[..self.count]
    }
}

impl DerefMut for Contacts {
    fn deref_mut(&mut self) -> &mut [Contact] {
        &mut self.list[..self.count]
    }
}

/// Resizes a vector; its entries are arbitrary.
#[inline]
pub(crate) fn fit(x: &mut DVector<f64>, size: usize) {
    if x.len() != size {
        *x = DVector::zeros(size);
    }
}

impl Contacts {
    /// Removes all contacts; new ones will be found at `place`.
    #[inline]
    pub fn clear(&mut self, place: &DVector<f64>) {
        self.count = 0;
        fit(&mut self.place, place.len());
        self.place.as_mut_slice().copy_from_slice(place.as_slice());
    }

    /// Adds a contact with zero directions.
    pub fn add(&mut self, key: ContactKey, law: &ContactLaw, gap: f64) -> &mut Contact {
        let n = self.place.len();
        if self.count == self.list.len() {
            self.list.push(Contact::default());
        }
        let contact = &mut self.list[self.count];
        self.count += 1;
        let friction = law.sticking_coefficient();
        contact.law.clone_from(law);
        (contact.key, contact.gap, contact.friction) = (key, gap, friction);
        (contact.turn, contact.asked, contact.impulse, contact.force) = ([0.0; 2], [0.0; 2], [0.0; 2], None);
        for direction in [&mut contact.normal, &mut contact.tangent] {
            fit(direction, n);
            direction.fill(0.0);
        }
        contact
    }

    /// Keeps the contacts for which `keep` holds.
    pub fn retain(&mut self, keep: impl Fn(&Contact) -> bool) {
        let mut kept = 0;
        for i in 0..self.count {
            if keep(&self.list[i]) {
                self.list.swap(kept, i);
                kept += 1;
            }
        }
        self.count = kept;
    }

    /// The contact of a key, if it is listed.
    pub fn find(&self, key: ContactKey) -> Option<&Contact> {
        self.iter().find(|contact| contact.key == key)
    }

    /// Adds the effect of the impulses to a velocity: `v ← v + M⁻¹ Σ (n P_n + τ P_t)`.
    #[inline]
    pub fn push(&mut self, system: &(impl Lagrangian + ?Sized), velocity: &mut DVector<f64>) {
        if self.is_empty() {
            return;
        }
        let Contacts { list, count, column, place, .. } = self;
        fit(column, place.len());
        column.fill(0.0);
        for contact in &list[..*count] {
            column.axpy(contact.impulse[0], &contact.normal, 1.0);
            column.axpy(contact.impulse[1], &contact.tangent, 1.0);
        }
        system.accelerate(place, column);
        *velocity += &*column;
    }

    /// Applies Newton's law of impact with Coulomb's friction to the velocity v without contacts: `v ← v + M⁻¹HP` with
    ///
    /// ```text
    /// 0 ≤ u_n + e u_n⁻ ⟂ P_n ≥ 0        |P_t| ≤ μP_n, against u_t + e_t u_t⁻ where that is not 0
    /// ```
    ///
    /// where u belongs to the velocity after, u⁻ to the velocity `before`. Where contacts have no such impulses, as a
    /// ball that restitution asks to leave both sides of a wedge, e = e_t = 0. Earlier impulses are discarded.
    #[inline]
    pub fn bounce(
        &mut self,
        system: &(impl Lagrangian + ?Sized),
        before: &DVector<f64>,
        velocity: &mut DVector<f64>,
    ) -> Result<(), SchemeError> {
        self.without_restitution = false;
        if self.is_empty() {
            return Ok(());
        }
        for contact in self.iter_mut() {
            let ([n0, t0], [n, t]) = (contact.along(before), contact.along(velocity));
            let law = &contact.law;
            let reason = "the formula of `restitution` is not between 0 and 1 at an approach, in m/s, of";
            law.check_approach(-n0).map_err(|_| SchemeError { reason, value: -n0 })?;
            contact.asked = [n + law.restitution(-n0) * n0, t + law.acting_tangential_restitution(-n0) * t0];
            contact.impulse = [0.0; 2];
        }
        if self.solve(system).is_err() {
            self.without_restitution = true;
            self.iter_mut().for_each(|contact| contact.asked = contact.along(velocity));
            self.solve(system)?;
        }
        self.push(system, velocity);
        Ok(())
    }

    /// Finds impulses P for [`asked`](Contact::asked), starting from the impulses P₀ that the contacts have:
    ///
    /// ```text
    /// u = asked + HᵀM⁻¹H (P − P₀)        0 ≤ u_n ⟂ P_n ≥ 0        |P_t| ≤ μP_n, against the slip u_t where it slips
    /// ```
    ///
    /// Where u depends on P in another way, set `asked` by the P found, and solve again. Returns the largest change of
    /// u, m/s.
    pub fn solve(&mut self, system: &(impl Lagrangian + ?Sized)) -> Result<f64, SchemeError> {
        self.delassus(system);
        let Contacts { list, count, matrix, asked, coupled, part, impulse, dense, .. } = self;
        let (contacts, m) = (&mut list[..*count], 2 * *count);
        let entry = |i: usize, j: usize| matrix[j * m + i];
        let by = |row: usize, impulses: &[[f64; 2]]| -> f64 {
            impulses.iter().enumerate().map(|(j, [n, t])| entry(row, 2 * j) * n + entry(row, 2 * j + 1) * t).sum()
        };
        impulse.clear();
        impulse.extend(contacts.iter().map(|contact| contact.impulse));
        asked.clear();
        for (i, contact) in contacts.iter().enumerate() {
            let now = [0, 1].map(|k| by(2 * i + k, impulse));
            asked.push([contact.asked[0] - now[0], contact.asked[1] - now[1]]);
        }
        let failed = |failure: lcp::Failure| {
            let (reason, value) = match failure {
                lcp::Failure::NotReached { residual, .. } => {
                    ("no impulses solve the contacts; residual, m/s", residual)
                }
                lcp::Failure::Entry { value, .. } => ("a contact has a number that is none or negative", value),
                _ => ("no impulses solve the contacts; their number", contacts.len() as f64),
            };
            SchemeError { reason, value }
        };
        coupled.clear();
        for (i, contact) in contacts.iter().enumerate() {
            let moves = |j: usize| (0..4).any(|k| entry(2 * i + k / 2, 2 * j + k % 2) != 0.0);
            if (0..contacts.len()).any(|j| j != i && moves(j)) {
                coupled.push(i);
            } else {
                let block = [0, 1].map(|k| [entry(2 * i + k, 2 * i), entry(2 * i + k, 2 * i + 1)]);
                impulse[i] = one(block, asked[i], contact.friction).map_err(failed)?.impulse;
            }
        }
        if !coupled.is_empty() {
            let rows = || coupled.iter().flat_map(|i| [2 * i, 2 * i + 1]);
            part.clear();
            part.extend(rows().flat_map(|j| rows().map(move |i| entry(i, j))));
            let velocity: Vec<_> = coupled.iter().map(|i| asked[*i]).collect();
            let friction: Vec<_> = coupled.iter().map(|i| contacts[*i].friction).collect();
            let mut found = vec![[0.0; 2]; coupled.len()];
            let matrix = DMatrixView::from_slice(part, 2 * coupled.len(), 2 * coupled.len());
            dense.solve(Frictional { matrix, velocity: &velocity, friction: &friction }, &mut found).map_err(failed)?;
            coupled.iter().zip(found).for_each(|(i, found)| impulse[*i] = found);
        }
        for ((contact, new), change) in contacts.iter_mut().zip(impulse).zip(asked.iter_mut()) {
            *change = [new[0] - contact.impulse[0], new[1] - contact.impulse[1]];
            contact.impulse = *new;
        }
        Ok((0..m).map(|row| by(row, asked).abs()).fold(0.0, f64::max))
    }

    /// Writes the Delassus operator `HᵀM⁻¹H` by columns, normal and tangent of each contact in turn.
    fn delassus(&mut self, system: &(impl Lagrangian + ?Sized)) {
        let Contacts { list, count, column, place, matrix, .. } = self;
        let (contacts, m) = (&list[..*count], 2 * *count);
        fit(column, place.len());
        matrix.resize(m * m, 0.0);
        for j in 0..m {
            let contact = &contacts[j / 2];
            column.copy_from(if j % 2 == 0 { &contact.normal } else { &contact.tangent });
            system.accelerate(place, column);
            for (i, contact) in contacts.iter().enumerate() {
                [matrix[j * m + 2 * i], matrix[j * m + 2 * i + 1]] = contact.along(column);
            }
        }
    }
}

/// A time-stepping scheme. It may have memory, which [`restart`](SteppingScheme::restart) clears.
pub trait SteppingScheme {
    /// Advances a motion by `h` seconds (its time is ignored). `contacts` is empty at first, and is left with the
    /// contacts that had impulses, each key once: events, λ, friction, the deepest penetration and the energy ledger
    /// are made from them.
    fn step(
        &mut self,
        system: &mut dyn Lagrangian,
        motion: &mut Motion,
        h: f64,
        contacts: &mut Contacts,
    ) -> Result<(), SchemeError>;

    /// Clears the memory: the motion is a new one, as at the start and after a ball was added.
    fn restart(&mut self) {}
}
