//! Interface for time-stepping schemes of the caller: the system with contacts that a scheme sees, and the scheme.
//!
//! ```text
//! M(q) dv = F(t, q, v) dt + Σ (n P_n + τ P_t)        g(q) ≥ 0        u = (nᵀv, τᵀv): normal and slip velocity
//! ```

use std::ops::{Deref, DerefMut, Range};

use lcp::friction::{Block, DenseFriction, Frictional, one};
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

impl Motion {
    /// Moves with constant velocity: `q ← q + s v, t ← t + s`.
    #[inline]
    pub fn drift(&mut self, s: f64) {
        let places = self.position.as_mut_slice().iter_mut();
        places.zip(self.velocity.as_slice()).for_each(|(q, v)| *q += s * v);
        self.time += s;
    }
}

/// A Lagrangian system of n degrees of freedom with unilateral contacts.
pub trait Lagrangian {
    /// Number of degrees of freedom n.
    fn size(&self) -> usize;
    /// Writes the accelerations by applied forces, `M(q)⁻¹F(t, q, v)`, without those of contacts.
    fn acceleration(&mut self, motion: &Motion, a: &mut DVector<f64>);
    /// Turns impulses into changes of velocity in place, `x ← M(q)⁻¹x`, where x is 0 outside the entries `part`.
    /// Returns the entries outside which the result is 0. The angle of a ball that does not turn gets 0.
    fn accelerate(&self, position: &DVector<f64>, x: &mut DVector<f64>, part: Range<usize>) -> Range<usize>;
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

/// Direction of a contact in the space of coordinates, by its entries other than 0.
#[derive(Clone, Debug, Default)]
pub struct Direction {
    entries: Vec<DirectionEntry>,
}

#[derive(Clone, Copy, Debug)]
struct DirectionEntry {
    at: usize,
    value: f64,
}

impl Direction {
    /// Adds the entry of a coordinate that has none yet.
    pub fn set(&mut self, at: usize, value: f64) {
        self.entries.push(DirectionEntry { at, value });
    }

    /// Value of the entry of a coordinate.
    pub fn at(&self, coordinate: usize) -> f64 {
        self.entries.iter().find(|entry| entry.at == coordinate).map_or(0.0, |entry| entry.value)
    }

    /// Terms of [`dot`](Self::dot), one for each entry.
    #[inline]
    pub fn terms(&self, velocity: &DVector<f64>) -> impl Iterator<Item = f64> {
        self.entries.iter().map(|DirectionEntry { at, value }| value * velocity.as_slice()[*at])
    }

    /// Component of a velocity along the direction.
    #[inline]
    pub fn dot(&self, velocity: &DVector<f64>) -> f64 {
        self.terms(velocity).sum()
    }

    /// Adds an impulse along the direction.
    fn push(&self, impulse: f64, x: &mut DVector<f64>) {
        self.entries.iter().for_each(|DirectionEntry { at, value }| x.as_mut_slice()[*at] += impulse * value);
    }
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
    /// Direction of the normal, `n = ∂g/∂q`.
    pub normal: Direction,
    /// Direction of friction τ: the slip velocity is τᵀv.
    pub tangent: Direction,
    /// Accelerations by turning directions: `u̇ = (nᵀa, τᵀa) + turn`, m/s².
    pub turn: [f64; 2],
    /// Friction coefficient that [`Contacts::solve`] uses; at first the law's.
    pub friction: f64,
    /// Velocity u (or gap) that [`Contacts::solve`] makes complementary, as it is with the impulses that contacts have.
    pub asked: [f64; 2],
    /// Impulse `P_n` and `P_t`, N s; its value after the step is that of the step.
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

    /// Smallest range of coordinates outside which its directions are 0.
    pub(crate) fn part(&self) -> Range<usize> {
        let entries = || self.normal.entries.iter().chain(&self.tangent.entries);
        let least = entries().map(|entry| entry.at).min().unwrap_or(0);
        least..entries().map(|entry| entry.at + 1).max().unwrap_or(0)
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
    // Workspace of `solve`: Delassus operator, and one dense problem of all contacts that move others or are moved.
    blocks: Vec<Coupling>,
    columns: [DVector<f64>; 2],
    parts: Vec<Range<usize>>,
    asked: Vec<[f64; 2]>,
    impulse: Vec<[f64; 2]>,
    coupled: Vec<usize>,
    matrix: Vec<f64>,
    velocity: Vec<[f64; 2]>,
    friction: Vec<f64>,
    found: Vec<[f64; 2]>,
    dense: DenseFriction,
}

/// Block of the Delassus operator that is not 0: velocities of the contact `at` by impulses of the contact `by`.
#[derive(Clone, Copy, Debug)]
struct Coupling {
    at: usize,
    by: usize,
    block: Block,
}

impl Deref for Contacts {
    type Target = [Contact];

    #[inline]
    fn deref(&self) -> &[Contact] {
        &self.list[..self.count]
    }
}

impl DerefMut for Contacts {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Contact] {
        &mut self.list[..self.count]
    }
}

/// Gives a vector this size; its entries are arbitrary.
#[inline(always)]
pub(crate) fn fit(x: &mut DVector<f64>, size: usize) {
    if x.len() != size {
        *x = DVector::zeros(size);
    }
}

impl Contacts {
    /// Removes all contacts.
    #[inline(always)]
    pub(crate) fn empty(&mut self) {
        (self.count, self.without_restitution) = (0, false);
    }

    /// Removes all contacts; new ones will be found at `place`.
    #[inline]
    pub fn clear(&mut self, place: &DVector<f64>) {
        self.count = 0;
        fit(&mut self.place, place.len());
        self.place.as_mut_slice().copy_from_slice(place.as_slice());
    }

    /// Adds a contact with zero directions.
    pub fn add(&mut self, key: ContactKey, law: &ContactLaw, gap: f64) -> &mut Contact {
        if self.count == self.list.len() {
            self.list.push(Contact::default());
        }
        let contact = &mut self.list[self.count];
        self.count += 1;
        let friction = law.sticking_coefficient();
        contact.law.clone_from(law);
        (contact.key, contact.gap, contact.friction) = (key, gap, friction);
        (contact.turn, contact.asked, contact.impulse, contact.force) = ([0.0; 2], [0.0; 2], [0.0; 2], None);
        contact.normal.entries.clear();
        contact.tangent.entries.clear();
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
        let Contacts { list, count, columns: [column, _], place, .. } = self;
        fit(column, place.len());
        column.fill(0.0);
        for contact in &list[..*count] {
            contact.normal.push(contact.impulse[0], column);
            contact.tangent.push(contact.impulse[1], column);
        }
        system.accelerate(place, column, 0..place.len());
        *velocity += &*column;
    }

    /// Applies Newton's law of impact with Coulomb's friction to the velocity v without contacts: `v ← v + M⁻¹HP` with
    ///
    /// ```text
    /// 0 ≤ u_n + e u_n⁻ ⟂ P_n ≥ 0        |P_t| ≤ μP_n, against u_t + e_t u_t⁻ where that is not 0
    /// ```
    ///
    /// where u belongs to the velocity after, u⁻ to the velocity `before`. If there are no such impulses, as for a ball
    /// that restitution asks to leave both sides of a wedge, e = e_t = 0 is used. Earlier impulses are discarded.
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
        let Contacts { list, count, blocks, asked, impulse, coupled, matrix, velocity, friction, found, dense, .. } =
            self;
        let contacts = &mut list[..*count];
        let failed = |failure: lcp::Failure| {
            let (reason, value) = match failure {
                lcp::Failure::NotReached { residual, .. } => {
                    ("no impulses solve the contacts; residual, m/s", residual)
                }
                lcp::Failure::Entry { value, .. } => ("a contact has a number that is none or negative", value),
                _ => ("no impulses solve the contacts; their number", *count as f64),
            };
            SchemeError { reason, value }
        };
        impulse.clear();
        impulse.extend(contacts.iter().map(|contact| contact.impulse));
        // Velocities asked for without any impulse.
        moved(blocks, impulse, asked);
        asked.iter_mut().zip(&*contacts).for_each(|(u, contact)| *u = [0, 1].map(|k| contact.asked[k] - u[k]));
        let couplings = blocks.iter().filter(|coupling| coupling.at != coupling.by);
        coupled.clear();
        coupled.extend(couplings.flat_map(|coupling| [coupling.at, coupling.by]));
        coupled.sort_unstable();
        coupled.dedup();
        // Coupled contacts are one dense problem; each other one has a closed form.
        let size = 2 * coupled.len();
        matrix.clear();
        matrix.resize(size * size, 0.0);
        for Coupling { at, by, block } in &*blocks {
            match [at, by].map(|contact| coupled.binary_search(contact)) {
                [Ok(row), Ok(column)] => {
                    for (k, l) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                        matrix[(2 * column + l) * size + 2 * row + k] = block[k][l];
                    }
                }
                _ => impulse[*at] = one(*block, asked[*at], contacts[*at].friction).map_err(failed)?.impulse,
            }
        }
        if size > 0 {
            found.clear();
            found.resize(coupled.len(), [0.0; 2]);
            velocity.clear();
            velocity.extend(coupled.iter().map(|i| asked[*i]));
            friction.clear();
            friction.extend(coupled.iter().map(|i| contacts[*i].friction));
            let matrix = DMatrixView::from_slice(matrix, size, size);
            dense.solve(Frictional { matrix, velocity, friction }, found).map_err(failed)?;
            coupled.iter().zip(found).for_each(|(i, found)| impulse[*i] = *found);
        }
        for (contact, new) in contacts.iter_mut().zip(&mut *impulse) {
            let before = std::mem::replace(&mut contact.impulse, *new);
            *new = [new[0] - before[0], new[1] - before[1]];
        }
        moved(blocks, impulse, asked);
        Ok(asked.iter().flatten().fold(0.0, |most, change| most.max(change.abs())))
    }

    /// Computes the blocks of the Delassus operator `HᵀM⁻¹H`.
    fn delassus(&mut self, system: &(impl Lagrangian + ?Sized)) {
        let Contacts { list, count, columns, place, blocks, parts, .. } = self;
        let contacts = &list[..*count];
        blocks.clear();
        parts.clear();
        parts.extend(contacts.iter().map(Contact::part));
        for column in columns.iter_mut() {
            fit(column, place.len());
            column.fill(0.0);
        }
        for (by, pushing) in contacts.iter().enumerate() {
            let [normal, tangent] = &mut *columns;
            pushing.normal.push(1.0, normal);
            pushing.tangent.push(1.0, tangent);
            let moving = system.accelerate(place, normal, parts[by].clone());
            system.accelerate(place, tangent, parts[by].clone());
            for (at, contact) in contacts.iter().enumerate() {
                if at != by && (parts[at].start >= moving.end || moving.start >= parts[at].end) {
                    continue;
                }
                let ([nn, tn], [nt, tt]) = (contact.along(normal), contact.along(tangent));
                if at == by || [nn, nt, tn, tt] != [0.0; 4] {
                    blocks.push(Coupling { at, by, block: [[nn, nt], [tn, tt]] });
                }
            }
            columns.iter_mut().for_each(|column| column.as_mut_slice()[moving.clone()].fill(0.0));
        }
    }
}

/// Writes the changes of contact velocities by impulses.
fn moved(blocks: &[Coupling], impulse: &[[f64; 2]], velocity: &mut Vec<[f64; 2]>) {
    velocity.clear();
    velocity.resize(impulse.len(), [0.0; 2]);
    for Coupling { at, by, block } in blocks {
        let [normal, tangential] = impulse[*by];
        for k in 0..2 {
            velocity[*at][k] += block[k][0] * normal + block[k][1] * tangential;
        }
    }
}

/// A time-stepping scheme. It may have memory, which [`restart`](SteppingScheme::restart) clears.
pub trait SteppingScheme {
    /// Advances a motion by `h` seconds (the time that it writes is ignored). `contacts` is empty at first, and is left
    /// with the contacts that had impulses, each key once: events, λ, friction, the deepest penetration and the energy
    /// ledger are made from them.
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
