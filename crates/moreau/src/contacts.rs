//! The closed contacts of balls in one step, and their impulses.

use lcp::friction::{Block, Regime};
use nalgebra::Vector2;

use crate::contact::{BallContact, Rule, regime};
use crate::counts::Anomalies;
use crate::energy::Work;
use crate::group::{Found, Group};
use crate::particle::Particle;
use crate::settings::ContactSolver;

/// The contacts of a step.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    pub list: Vec<BallContact>,
    rules: Vec<Rule>,
    /// Free velocities with restitution.
    velocities: Vec<[f64; 2]>,
    /// Those without.
    free: Vec<[f64; 2]>,
    /// Contacts of each ball.
    counts: Vec<u32>,
    group: Group,
    left_out: bool,
}

impl Contacts {
    pub fn set_solver(&mut self, solver: ContactSolver, tolerance: f64, sweeps: usize) {
        self.group.set_solver(solver, tolerance, sweeps);
    }

    /// Whether restitution was left out in some contacts of the last solution, which had none with it.
    pub fn left_out(&self) -> bool {
        self.left_out
    }

    /// Counts what the impulses of the step added.
    pub fn judge(&self, tolerance: f64, missed: bool, anomalies: &mut Anomalies) {
        let mut work = Work::default();
        for ((contact, free), rule) in self.list.iter().zip(&self.free).zip(&self.rules) {
            work.add(contact, *free, rule);
        }
        work.judge(tolerance, missed, anomalies);
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
    pub fn solve(&mut self, particles: &mut [Particle]) -> Result<Found, lcp::Failure> {
        self.velocities.clear();
        self.free.clear();
        for (contact, rule) in self.list.iter_mut().zip(&self.rules) {
            let before = relative(particles, contact, |p| (p.now.velocity, p.now.spin));
            let free = relative(particles, contact, |p| (p.free, p.now.spin));
            (contact.normal_velocity[0], contact.slip[0]) = (before[0], before[1]);
            let impact = rule.is_impact(before[0], free[0]);
            let (e, tangential) = (rule.restitution, if impact { rule.tangential_restitution } else { 0.0 });
            self.free.push(free);
            self.velocities.push([free[0] + e * before[0], free[1] + tangential * before[1]]);
        }
        let found = self.impulses(particles)?;
        for (contact, rule) in self.list.iter_mut().zip(&self.rules) {
            let after = relative(particles, contact, |p| (p.next.velocity, p.next.spin));
            (contact.normal_velocity[1], contact.slip[1]) = (after[0], after[1]);
            let limit = rule.friction * contact.normal_impulse;
            contact.regime = regime(contact.normal_impulse, contact.tangential_impulse, limit, after[1]);
        }
        Ok(found)
    }

    /// `0 ≤ g + HᵀΔq ⟂ Π ≥ 0`: the same with gaps for velocities; the next velocities are displacements.
    pub fn solve_gaps(&mut self, particles: &mut [Particle]) -> Result<Found, lcp::Failure> {
        self.velocities.clear();
        self.velocities.extend(self.list.iter().map(|contact| [contact.gap, 0.0]));
        self.free.clone_from(&self.velocities);
        self.impulses(particles)
    }

    /// Impulses for the listed free velocities, and what they make of the particles' own.
    fn impulses(&mut self, particles: &mut [Particle]) -> Result<Found, lcp::Failure> {
        self.group.members.clear();
        for i in 0..self.list.len() {
            let contact = &mut self.list[i];
            let shared = |ball: usize| self.counts[ball] > 1;
            if shared(contact.ball) || contact.other.is_some_and(shared) {
                self.group.members.push(i);
            } else {
                let block = own_block(particles, contact);
                let impulse = alone(&block, self.velocities[i], self.rules[i].friction)?;
                [contact.normal_impulse, contact.tangential_impulse] = impulse;
            }
        }
        self.left_out = false;
        let found = if self.group.members.is_empty() {
            Found::default()
        } else {
            match self.solve_group(particles, self.group.solver)? {
                Some(found) if !found.missed => found,
                first => self.solve_islands(particles, first)?,
            }
        };
        for particle in particles.iter_mut() {
            (particle.next.velocity, particle.next.spin) = (particle.free, particle.now.spin);
        }
        for contact in &self.list {
            apply(particles, contact);
        }
        Ok(found)
    }

    /// Whether restitution changes anything for the members.
    fn restitutes(&self) -> bool {
        self.group.members.iter().any(|i| self.velocities[*i] != self.free[*i])
    }

    /// Each island of the members for itself, by either solver; without restitution where neither finds a solution with it (a
    /// ball that is wedged in: Newton's law may ask of it to leave both sides at once, which friction does not let it). What misses
    /// the tolerance all the same is the best of these.
    fn solve_islands(&mut self, particles: &[Particle], first: Option<Found>) -> Result<Found, lcp::Failure> {
        let members = std::mem::take(&mut self.group.members);
        let mut all = Found::default();
        let islands = self.islands(&members, particles.len());
        // One island is what was just tried.
        let mut tried = (islands.len() == 1).then_some(first);
        for island in islands {
            self.group.members = island;
            let first = match tried.take() {
                Some(first) => first,
                None => self.solve_group(particles, self.group.solver)?,
            };
            let mut with = self.or_by_the_other(particles, first)?;
            if with.missed && self.restitutes() {
                let impulses = std::mem::take(&mut self.group.impulse);
                let Contacts { group, velocities, free, .. } = self;
                let restituting: Vec<[f64; 2]> = group.members.iter().map(|i| velocities[*i]).collect();
                group.members.iter().for_each(|i| velocities[*i] = free[*i]);
                let first = self.solve_group(particles, self.group.solver)?;
                let without = self.or_by_the_other(particles, first)?;
                if without.missed && !(without.residual < with.residual) {
                    self.group.impulse = impulses;
                    let Contacts { group, velocities, .. } = self;
                    group.members.iter().zip(restituting).for_each(|(i, velocity)| velocities[*i] = velocity);
                } else {
                    with = Found { iterations: with.iterations + without.iterations, ..without };
                    self.left_out = true;
                }
            }
            self.take_impulses();
            all.add(with);
        }
        Ok(all)
    }

    /// What the solver chosen has found, or the other one where that misses the tolerance; the impulses are those of the group.
    fn or_by_the_other(&mut self, particles: &[Particle], first: Option<Found>) -> Result<Found, lcp::Failure> {
        if let Some(found @ Found { missed: false, .. }) = first {
            return Ok(found);
        }
        let impulses = std::mem::take(&mut self.group.impulse);
        let second = match self.group.other() {
            Some(other) => self.solve_group(particles, other)?,
            None => None,
        };
        match (first, second) {
            (Some(first), None) => {
                self.group.impulse = impulses;
                Ok(first)
            }
            (first, Some(second)) => {
                Ok(Found { iterations: second.iterations + first.map_or(0, |first| first.iterations), ..second })
            }
            (None, None) => Err(lcp::Failure::NoSolution { pivots: 0, artificial: 1.0, proven: false }),
        }
    }

    /// Members that share balls, directly or through others.
    fn islands(&self, members: &[usize], balls: usize) -> Vec<Vec<usize>> {
        let mut parent: Vec<usize> = (0..balls).collect();
        let root = |parent: &[usize], mut ball: usize| {
            while parent[ball] != ball {
                ball = parent[ball];
            }
            ball
        };
        for contact in members.iter().map(|i| &self.list[*i]) {
            if let Some(other) = contact.other {
                let (a, b) = (root(&parent, contact.ball), root(&parent, other));
                parent[a.max(b)] = a.min(b);
            }
        }
        let mut islands = vec![Vec::new(); balls];
        members.iter().for_each(|i| islands[root(&parent, self.list[*i].ball)].push(*i));
        islands.retain(|island| !island.is_empty());
        islands
    }

    /// Impulses of the members, which they start from; `None`: the solver found nothing that is of use.
    fn solve_group(&mut self, particles: &[Particle], solver: ContactSolver) -> Result<Option<Found>, lcp::Failure> {
        let Contacts { list, rules, velocities, group, .. } = self;
        group.velocity.clear();
        group.friction.clear();
        group.impulse.clear();
        for index in &group.members {
            let contact = &list[*index];
            group.velocity.push(velocities[*index]);
            group.friction.push(rules[*index].friction);
            group.impulse.push([contact.normal_impulse, contact.tangential_impulse]);
        }
        match group.solve(list, particles, solver) {
            Ok(found) => {
                if !found.missed {
                    self.take_impulses();
                }
                Ok(Some(found))
            }
            Err(lcp::Failure::NotReached { .. } | lcp::Failure::NoSolution { .. }) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    fn take_impulses(&mut self) {
        for (index, impulse) in self.group.members.iter().zip(&self.group.impulse) {
            [self.list[*index].normal_impulse, self.list[*index].tangential_impulse] = *impulse;
        }
    }
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

/// One contact alone, in closed form.
#[inline]
fn alone(block: &Block, velocity: [f64; 2], friction: f64) -> Result<[f64; 2], lcp::Failure> {
    let [[nn, nt], [tn, tt]] = *block;
    let coupled = nt.abs().max(tn.abs()) > 4.0 * f64::EPSILON * nn.max(tt);
    if coupled || !(nn > 0.0 && tt > 0.0 && velocity[0].is_finite() && velocity[1].is_finite()) {
        return Ok(lcp::friction::one(*block, velocity, friction)?.impulse);
    }
    let normal = (-velocity[0] / nn).max(0.0);
    if normal == 0.0 || friction == 0.0 {
        return Ok([normal, 0.0]);
    }
    let limit = friction * normal;
    Ok([normal, (-velocity[1] / tt).max(-limit).min(limit)])
}
