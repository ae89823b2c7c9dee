//! Closed contacts of balls in one step: which impulses do they get?

use curves::turn_left;
use lcp::friction::{Block, Regime};
use nalgebra::{Matrix2, Vector2};

use crate::body::Particle;
use crate::energy::{Added, ContactWork};
use crate::island::{Executor, Island, IslandSolution};
use crate::settings::BallSettings;
use crate::theta::{Closed, Stage};

#[derive(Debug, Default)]
pub(crate) struct Contacts {
    pub sites: Vec<Site>,
    /// Law, velocities and impulse of each site.
    pub closed: Vec<Closed>,
    /// Number of contacts of each ball.
    counts: Vec<u32>,
    /// Islands: the first `count` are of this step; the others are kept for reuse.
    islands: Vec<Island>,
    count: usize,
    /// For each ball a parent on the way to the representative of its island (union–find).
    parents: Vec<usize>,
    /// For each ball its number in its island; then for each ball the index of the island that it represents.
    numbers: Vec<usize>,
}

/// Marks a ball or island without a number.
const NONE: usize = usize::MAX;

impl Contacts {
    /// Islands of the last solution.
    pub fn islands(&self) -> &[Island] {
        &self.islands[..self.count]
    }

    /// Energy added by the impulses of the step, J, island by island, so that a loss in one hides no gain in another.
    pub fn added(&self, particles: &[Particle], tolerance: f64) -> Added {
        let mut sum = Added::default();
        let mut add = |contacts: &[usize]| {
            let mut work = ContactWork::default();
            for i in contacts {
                work.add(&self.closed[*i], 1.0 / own_block(particles, &self.sites[*i])[0][0]);
            }
            let Added { restitution, turning, opening } = work.added(tolerance);
            sum.restitution += restitution;
            sum.turning += turning;
            sum.opening += opening;
        };
        self.islands().iter().for_each(|island| add(&island.contacts));
        let alone = (0..self.sites.len()).filter(|i| is_alone(&self.counts, &self.sites[*i]));
        alone.for_each(|i| add(&[i]));
        sum
    }

    /// Number of contacts of a ball.
    pub fn count(&self, ball: usize) -> u32 {
        self.counts[ball]
    }

    #[inline]
    pub fn clear(&mut self, balls: usize) {
        self.sites.clear();
        self.closed.clear();
        self.counts.clear();
        self.counts.resize(balls, 0);
    }

    /// Adds a contact; its impulse is the solver's start.
    pub fn push(&mut self, site: Site, closed: Closed) {
        self.counts[site.ball] += 1;
        if let Some(other) = site.other {
            self.counts[other] += 1;
        }
        self.sites.push(site);
        self.closed.push(closed);
    }

    /// Normal and slip velocity of a contact at a stage of the step.
    #[inline(always)]
    pub fn velocity(&self, particles: &[Particle], contact: usize, stage: Stage) -> [f64; 2] {
        let Site { ball, other, normal, .. } = &self.sites[contact];
        let (mut velocity, mut turning) = particles[*ball].moves(stage);
        if let Some(other) = other {
            let (its_velocity, its_turning) = particles[*other].moves(stage);
            velocity -= its_velocity;
            turning += its_turning;
        }
        [velocity.dot(normal), velocity.dot(&self.sites[contact].tangent()) + turning]
    }

    /// Computes the impulses of all contacts, and the velocities of the particles after them.
    pub fn solve(
        &mut self,
        particles: &mut [Particle],
        settings: &BallSettings,
        executor: &dyn Executor,
    ) -> Result<IslandSolution, lcp::Failure> {
        self.sort_into_islands(particles, settings)?;
        executor.run(&mut self.islands[..self.count]);
        let mut found = IslandSolution::default();
        for island in &self.islands[..self.count] {
            if let Some(failure) = &island.failure {
                return Err(failure.clone());
            }
            found.add(island.found);
            for (index, impulse) in island.contacts.iter().zip(&island.impulse) {
                self.closed[*index].impulse = *impulse;
            }
        }
        for particle in particles.iter_mut() {
            (particle.next.velocity, particle.next.spin) = (particle.free, particle.now.spin);
        }
        for (site, closed) in self.sites.iter().zip(&self.closed) {
            apply(particles, site, closed.impulse);
        }
        Ok(found)
    }

    /// Sorts contacts that share balls, directly or through others, into islands, in the order of their first contacts;
    /// a contact that shares no ball has a closed form.
    fn sort_into_islands(&mut self, particles: &[Particle], settings: &BallSettings) -> Result<(), lcp::Failure> {
        let Contacts { sites, closed, counts, islands, count, parents, numbers } = self;
        parents.clear();
        parents.extend(0..particles.len());
        for site in sites.iter() {
            if let Some(other) = site.other {
                let (a, b) = (root(parents, site.ball), root(parents, other));
                parents[a.max(b)] = a.min(b);
            }
        }
        numbers.clear();
        numbers.resize(2 * particles.len(), NONE);
        let (numbers, of_root) = numbers.split_at_mut(particles.len());
        *count = 0;
        for (i, (site, closed)) in sites.iter().zip(closed).enumerate() {
            let Site { ball, other, .. } = *site;
            if is_alone(counts, site) {
                closed.solve_alone(own_block(particles, site))?;
                continue;
            }
            let island = &mut of_root[root(parents, ball)];
            if *island == NONE {
                *island = *count;
                *count += 1;
                if islands.len() < *count {
                    islands.push(Island::default());
                }
                islands[*island].clear(settings);
            }
            let island = &mut islands[*island];
            let balls = [Some(ball), other].map(|ball| {
                ball.map(|ball| {
                    if numbers[ball] == NONE {
                        numbers[ball] = island.add_ball(&particles[ball]);
                    }
                    (numbers[ball], particles[ball].spin_mobility > 0.0)
                })
            });
            island.add_contact(i, site, balls, closed);
        }
        Ok(())
    }
}

/// Whether a contact shares no ball with another contact.
fn is_alone(counts: &[u32], site: &Site) -> bool {
    counts[site.ball] == 1 && site.other.is_none_or(|other| counts[other] == 1)
}

/// Representative of a ball's island.
fn root(parents: &mut [usize], mut ball: usize) -> usize {
    while parents[ball] != ball {
        parents[ball] = parents[parents[ball]];
        ball = parents[ball];
    }
    ball
}

/// Applies an impulse: `v ← v ± A (n P_n + τ P_t)` with the mobility A, `ω ← ω + R P_t/I`.
#[inline(always)]
fn apply(particles: &mut [Particle], site: &Site, [normal, tangential]: [f64; 2]) {
    let impulse = site.normal * normal + site.tangent() * tangential;
    let mut kick = |ball: usize, sign: f64| {
        let particle = &mut particles[ball];
        particle.next.velocity += particle.mobility * impulse * sign;
        if particle.arm > 0.0 {
            particle.next.spin += particle.ball.spin_by(tangential);
        }
    };
    kick(site.ball, 1.0);
    if let Some(other) = site.other {
        kick(other, -1.0);
    }
}

/// Delassus operator of one contact alone, 1/kg.
fn own_block(particles: &[Particle], site: &Site) -> Block {
    let (n, t) = (site.normal, site.tangent());
    let mut own = Matrix2::zeros();
    for ball in [Some(site.ball), site.other].into_iter().flatten() {
        let Particle { mobility, spin_mobility, .. } = particles[ball];
        let (by_normal, by_tangent) = (mobility * n, mobility * t);
        let turned = t.dot(&by_tangent) + spin_mobility;
        own += Matrix2::new(n.dot(&by_normal), n.dot(&by_tangent), t.dot(&by_normal), turned);
    }
    own.transpose().into()
}

/// A contact in one step, with the ground or between two balls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallContact {
    /// Index of the ball.
    pub ball: usize,
    /// The ball it touches; `None`: the ground.
    pub other: Option<usize>,
    /// Gap at the prediction, m: ≤ 0 to rounding, or to what a projection allows. It may be positive where the contact
    /// was added because it would have ended the step too deep.
    pub gap: f64,
    /// Normal n towards `ball`; its tangent τ has `n = Jτ`.
    pub normal: Vector2<f64>,
    /// `P_n ≥ 0` on `ball`, N s.
    pub normal_impulse: f64,
    /// `P_t` along τ on `ball`, N s.
    pub tangential_impulse: f64,
    /// `ẏ` before and after the step, m/s.
    pub normal_velocity: [f64; 2],
    /// Slip velocity before and after the step, m/s.
    pub slip: [f64; 2],
    /// Regime of the contact in the step.
    pub regime: Regime,
    /// λ and f at the end of the step, N, for a scheme with multipliers of its own besides impulses.
    pub force: Option<[f64; 2]>,
}

impl BallContact {
    /// Tangent τ, with `n = Jτ`.
    pub fn tangent(&self) -> Vector2<f64> {
        -turn_left(self.normal)
    }
}

/// Place of a closed contact: see [`BallContact`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub ball: usize,
    pub other: Option<usize>,
    /// Number among the contacts of its ball with the ground, 0 or 1.
    pub which: usize,
    pub gap: f64,
    pub normal: Vector2<f64>,
}

impl Site {
    /// A contact of two balls.
    pub fn between(ball: usize, other: usize, gap: f64, normal: Vector2<f64>) -> Self {
        Site { ball, other: Some(other), which: 0, gap, normal }
    }

    /// Tangent τ, with `n = Jτ`.
    #[inline(always)]
    pub fn tangent(&self) -> Vector2<f64> {
        -turn_left(self.normal)
    }

    /// The contact as reported after the step.
    #[inline(always)]
    pub fn told(&self, closed: &Closed) -> BallContact {
        let Site { ball, other, gap, normal, .. } = *self;
        let Closed { before, after, impulse, .. } = closed;
        BallContact {
            ball,
            other,
            gap,
            normal,
            normal_impulse: impulse[0],
            tangential_impulse: impulse[1],
            normal_velocity: [before[0], after[0]],
            slip: [before[1], after[1]],
            regime: closed.regime(),
            force: None,
        }
    }
}

/// Impulse and state of a contact in the last step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Last {
    /// Impulse of the contact, which the next solver starts from, N s.
    pub impulse: [f64; 2],
    /// Whether the contact [lasts](Closed::lasts).
    pub lasts: bool,
}
