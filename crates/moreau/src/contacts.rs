//! The closed contacts of balls in one step, and their impulses.

use lcp::friction::{Block, Regime};
use mechanics::{ContactLaw, Impulses};
use nalgebra::Vector2;

use crate::contact::{BallContact, Rule, regime};
use crate::energy::{Added, Work};
use crate::executor::Executor;
use crate::island::{Found, Island};
use crate::particle::Particle;
use crate::settings::BallSettings;

/// The contacts of a step.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    pub list: Vec<BallContact>,
    rules: Vec<Rule>,
    /// Free velocities with restitution.
    velocities: Vec<[f64; 2]>,
    /// Free velocities without restitution.
    free: Vec<[f64; 2]>,
    /// Contacts of each ball.
    counts: Vec<u32>,
    /// Islands: the first `count` are of this step, the others for later.
    islands: Vec<Island>,
    count: usize,
    /// The island of each ball that stands for it, and the ball's number there.
    parents: Vec<usize>,
    numbers: Vec<usize>,
}

/// Mark of a ball or island that has no number yet.
const NONE: usize = usize::MAX;

impl Contacts {
    /// The islands of the last solution.
    pub fn islands(&self) -> &[Island] {
        &self.islands[..self.count]
    }

    /// Energy that the impulses of the step added, by islands: a loss of one hides no gain of another.
    pub fn added(&self, particles: &[Particle], tolerance: f64) -> Added {
        let mut sum = Added::default();
        let mut add = |contacts: &mut dyn Iterator<Item = usize>| {
            let mut work = Work::default();
            for i in contacts {
                let mass = 1.0 / own_block(particles, &self.list[i])[0][0];
                work.add(&self.list[i], self.free[i], &self.rules[i], mass);
            }
            let Added { restitution, turning, opening } = work.added(tolerance);
            sum.restitution += restitution;
            sum.turning += turning;
            sum.opening += opening;
        };
        self.islands().iter().for_each(|island| add(&mut island.contacts.iter().copied()));
        (0..self.list.len())
            .filter(|i| is_alone(&self.counts, &self.list[*i]))
            .for_each(|i| add(&mut std::iter::once(i)));
        sum
    }

    /// Contacts of a ball.
    pub fn count(&self, ball: usize) -> u32 {
        self.counts[ball]
    }

    #[inline]
    pub fn clear(&mut self, balls: usize) {
        self.list.clear();
        self.rules.clear();
        self.counts.clear();
        self.counts.resize(balls, 0);
    }

    /// Adds a contact; its impulse is where the solver starts.
    pub fn push(
        &mut self,
        ball: usize,
        other: Option<usize>,
        gap: f64,
        normal: Vector2<f64>,
        rule: Rule,
        start: [f64; 2],
    ) {
        self.counts[ball] += 1;
        if let Some(other) = other {
            self.counts[other] += 1;
        }
        self.rules.push(rule);
        self.list.push(BallContact {
            ball,
            other,
            gap,
            normal,
            normal_impulse: start[0],
            tangential_impulse: start[1],
            normal_velocity: [0.0; 2],
            slip: [0.0; 2],
            regime: Regime::Separating,
        });
    }

    /// Impulses of all contacts, and the velocities they make. `0 ≤ ẏ₁ + eẏ₀ ⟂ P_n ≥ 0`, `|P_t| ≤ μP_n`;
    /// e_t in impacts only ([`Rule::is_impact`]).
    pub fn solve(
        &mut self,
        particles: &mut [Particle],
        settings: &BallSettings,
        executor: &dyn Executor,
    ) -> Result<Found, lcp::Failure> {
        self.velocities.clear();
        self.free.clear();
        for (contact, rule) in self.list.iter_mut().zip(&self.rules) {
            let before = relative(particles, contact, |p| (p.now.velocity, p.now.spin));
            let free = relative(particles, contact, |p| (p.free, p.now.spin));
            (contact.normal_velocity[0], contact.slip[0]) = (before[0], before[1]);
            self.free.push(free);
            self.velocities.push(rule.restituted(before, free));
        }
        let found = self.impulses(particles, settings, executor)?;
        for (contact, rule) in self.list.iter_mut().zip(&self.rules) {
            let after = relative(particles, contact, |p| (p.next.velocity, p.next.spin));
            (contact.normal_velocity[1], contact.slip[1]) = (after[0], after[1]);
            contact.regime = regime(&rule.law, contact.normal_impulse, contact.tangential_impulse, after[1]);
        }
        Ok(found)
    }

    /// `0 ≤ g + HᵀΔq ⟂ Π ≥ 0`: the same with gaps for velocities; the next velocities are displacements.
    pub fn solve_gaps(
        &mut self,
        particles: &mut [Particle],
        settings: &BallSettings,
        executor: &dyn Executor,
    ) -> Result<Found, lcp::Failure> {
        self.velocities.clear();
        self.velocities.extend(self.list.iter().map(|contact| [contact.gap, 0.0]));
        self.free.clone_from(&self.velocities);
        self.impulses(particles, settings, executor)
    }

    /// Impulses for the listed free velocities, and what they make of the particles' own.
    fn impulses(
        &mut self,
        particles: &mut [Particle],
        settings: &BallSettings,
        executor: &dyn Executor,
    ) -> Result<Found, lcp::Failure> {
        self.part(particles, settings)?;
        executor.run(&mut self.islands[..self.count]);
        let mut found = Found::default();
        for island in &self.islands[..self.count] {
            if let Some(failure) = &island.failure {
                return Err(failure.clone());
            }
            found.add(island.found);
            for (index, impulse) in island.contacts.iter().zip(&island.impulse) {
                [self.list[*index].normal_impulse, self.list[*index].tangential_impulse] = *impulse;
            }
        }
        for particle in particles.iter_mut() {
            (particle.next.velocity, particle.next.spin) = (particle.free, particle.now.spin);
        }
        for contact in &self.list {
            apply(particles, contact);
        }
        Ok(found)
    }

    /// Contacts that share balls, directly or through others, into islands in the order of their first contacts; those that share
    /// none have a closed form.
    fn part(&mut self, particles: &[Particle], settings: &BallSettings) -> Result<(), lcp::Failure> {
        let Contacts { list, rules, velocities, free, counts, islands, count, parents, numbers } = self;
        parents.clear();
        parents.extend(0..particles.len());
        for contact in list.iter() {
            if let Some(other) = contact.other {
                let (a, b) = (root(parents, contact.ball), root(parents, other));
                parents[a.max(b)] = a.min(b);
            }
        }
        // A ball's number in its island, and of a root before that its island.
        numbers.clear();
        numbers.resize(2 * particles.len(), NONE);
        let (numbers, of_root) = numbers.split_at_mut(particles.len());
        *count = 0;
        for i in 0..list.len() {
            let BallContact { ball, other, .. } = list[i];
            if is_alone(counts, &list[i]) {
                let block = own_block(particles, &list[i]);
                let impulse = alone(&block, velocities[i], &rules[i].law)?;
                [list[i].normal_impulse, list[i].tangential_impulse] = impulse;
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
            island.add_contact(i, &list[i], balls, rules[i].law.sticking_coefficient(), [velocities[i], free[i]]);
        }
        Ok(())
    }
}

/// Whether a contact shares no ball with another.
fn is_alone(counts: &[u32], contact: &BallContact) -> bool {
    counts[contact.ball] == 1 && contact.other.is_none_or(|other| counts[other] == 1)
}

/// The ball that stands for those that a ball hangs together with.
fn root(parents: &mut [usize], mut ball: usize) -> usize {
    while parents[ball] != ball {
        parents[ball] = parents[parents[ball]];
        ball = parents[ball];
    }
    ball
}

/// Normal and slip velocity of a contact, of chosen velocities and spins.
#[inline(always)]
fn relative(particles: &[Particle], contact: &BallContact, of: impl Fn(&Particle) -> (Vector2<f64>, f64)) -> [f64; 2] {
    let one = &particles[contact.ball];
    let (mut velocity, spin) = of(one);
    let mut turning = one.arm * spin;
    if let Some(other) = contact.other {
        let two = &particles[other];
        let (its_velocity, its_spin) = of(two);
        velocity -= its_velocity;
        turning += two.arm * its_spin;
    }
    [velocity.dot(&contact.normal), velocity.dot(&contact.tangent()) + turning]
}

/// `v ← v ± A (n P_n + τ P_t)`, `ω ← ω + R P_t/I`
#[inline(always)]
fn apply(particles: &mut [Particle], contact: &BallContact) {
    let impulse = contact.normal * contact.normal_impulse + contact.tangent() * contact.tangential_impulse;
    let mut kick = |ball: usize, sign: f64| {
        let particle = &mut particles[ball];
        particle.next.velocity += particle.mobility * impulse * sign;
        if particle.arm > 0.0 {
            particle.next.spin += particle.ball.spin_by(contact.tangential_impulse);
        }
    };
    kick(contact.ball, 1.0);
    if let Some(other) = contact.other {
        kick(other, -1.0);
    }
}

/// The Delassus operator of one contact.
fn own_block(particles: &[Particle], contact: &BallContact) -> Block {
    let (n, t) = (contact.normal, contact.tangent());
    let mut own = [[0.0; 2]; 2];
    for ball in [Some(contact.ball), contact.other].into_iter().flatten() {
        let Particle { mobility, spin_mobility, .. } = particles[ball];
        let (by_normal, by_tangent) = (mobility * n, mobility * t);
        let block = [[n.dot(&by_normal), n.dot(&by_tangent)], [t.dot(&by_normal), t.dot(&by_tangent) + spin_mobility]];
        for (row, add) in own.iter_mut().zip(block) {
            row[0] += add[0];
            row[1] += add[1];
        }
    }
    own
}

/// Solves one contact alone, in closed form.
#[inline]
fn alone(block: &Block, velocity: [f64; 2], law: &ContactLaw) -> Result<[f64; 2], lcp::Failure> {
    let [[nn, nt], [tn, tt]] = *block;
    let coupled = nt.abs().max(tn.abs()) > 4.0 * f64::EPSILON * nn.max(tt);
    if coupled || !(nn > 0.0 && tt > 0.0 && velocity[0].is_finite() && velocity[1].is_finite()) {
        return Ok(lcp::friction::one(*block, velocity, law.sticking_coefficient())?.impulse);
    }
    let Impulses { normal, tangential } =
        law.given(Impulses { normal: -velocity[0] / nn, tangential: -velocity[1] / tt });
    Ok([normal, tangential])
}
