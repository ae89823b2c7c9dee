//! Many balls over curved ground: how does Moreau's θ-scheme step them?
//!
//! For each ball `q = (x, y)` and an angle, `M = diag(m, m, I)`. Contacts with `g(q₀ + h/2 v₀) ≤ 0` are closed:
//!
//! ```text
//! v₁ = v_free + W H P        0 ≤ ẏ₁ + eẏ₀ ⟂ P_n ≥ 0        |P_t| ≤ μP_n, slip u₁ = −e_t u₀ where an impact sticks
//! q₁ = q₀ + h(θv₁ + (1−θ)v₀), then projected onto g ≥ 0 if that is wanted
//! ```
//!
//! e_t acts in impacts only: where the approach is faster than the forces (and on curved ground the scheme's own hops)
//! make it within a step. A lasting contact has `e_t = 0`.
//!
//! A contact that shares no ball has a closed form; the others are solved by island. Ground is one-sided, as in the
//! event-driven solver, and its ends are points. A step must be shorter than a ball takes to fly through its own radius
//! (or through a spike of the ground): nothing between two places is looked at.

use std::sync::Arc;

use curves::OffsetGround;
use mechanics::{ContactLaw, State};
use nalgebra::Vector2;
use numbers::Rounding;

use crate::body::{Body, Particle, fly};
use crate::contact_impulses::{BallContact, Contacts, Last};
use crate::counts::{Audit, BallStep, Evaluations};
use crate::energy::Energy;
use crate::ground_contact::Footing;
use crate::island::{Executor, InTurn, Island, IslandSolution};
use crate::neighbours::Neighbours;
use crate::settings::{BallSettings, Projection};
use crate::theta::{self, Closed, Mechanism, Stage, Stride};
use crate::{InputError, StepError};

/// Largest number of solutions of a step, each with the contacts that the last one's impulses made too deep.
const ROUNDS: usize = 20;

/// Many balls. A step that fails leaves them unchanged.
#[derive(Debug)]
pub struct Balls {
    pub(crate) settings: BallSettings,
    start: f64,
    pub(crate) index: u64,
    pub(crate) bodies: Vec<Body>,
    pub(crate) between: ContactLaw,
    pub(crate) particles: Vec<Particle>,
    /// Sums of work of each ball; kinetic and potential energy are those of the start.
    pub(crate) accounts: Vec<Energy>,
    pub(crate) footings: Vec<Footing>,
    pub(crate) radii: Vec<f64>,
    pub(crate) places: Vec<Vector2<f64>>,
    pub(crate) neighbours: Neighbours,
    pub(crate) contacts: Contacts,
    /// Contacts of the last step.
    pub(crate) done: Vec<BallContact>,
    /// Impulses of the contacts with the ground in the last step.
    pub(crate) on_ground: Vec<[Last; 2]>,
    /// Balls whose contact with the ground is closed in this step.
    pub(crate) grounded: Vec<bool>,
    // For the projection: contacts that push balls out, and balls with displacements for velocities.
    pub(crate) push: Contacts,
    pub(crate) moved: Vec<Particle>,
    pub(crate) audit: Audit,
    pub(crate) executor: Arc<dyn Executor>,
}

impl Balls {
    /// Creates balls at their starts; `between` is the law of contact between two balls (its rolling damping is not
    /// used). Invalid input is refused here.
    pub fn new(bodies: Vec<Body>, between: ContactLaw, settings: BallSettings) -> Result<Self, InputError> {
        let mut balls = Balls::resumed(bodies, between, settings)?;
        balls.check_start()?;
        Ok(balls)
    }

    /// Creates balls like [`Balls::new`], but they may overlap each other or the ground, as steps may have left them.
    pub fn resumed(bodies: Vec<Body>, between: ContactLaw, settings: BallSettings) -> Result<Self, InputError> {
        settings.check()?;
        Body::check_law(&between)?;
        let n = bodies.len();
        let mut balls = Balls {
            settings,
            start: bodies.first().map_or(0.0, |body| body.start.time),
            index: 0,
            between,
            bodies: Vec::with_capacity(n),
            particles: Vec::with_capacity(n),
            accounts: Vec::with_capacity(n),
            footings: Vec::with_capacity(n),
            radii: Vec::with_capacity(n),
            places: Vec::with_capacity(n),
            neighbours: Neighbours::default(),
            contacts: Contacts::default(),
            done: Vec::new(),
            on_ground: Vec::with_capacity(n),
            grounded: Vec::with_capacity(n),
            push: Contacts::default(),
            moved: Vec::with_capacity(n),
            audit: Audit::default(),
            executor: Arc::new(InTurn),
        };
        bodies.into_iter().try_for_each(|body| balls.check(&body).map(|()| balls.put(body)))?;
        Ok(balls)
    }

    /// Refuses a body that is not valid as the next ball, at the present time.
    fn check(&self, body: &Body) -> Result<(), InputError> {
        let ball = self.bodies.len();
        body.check(self.time()).map_err(|source| InputError::Ball { ball, source })
    }

    /// Puts in a body as the next ball.
    fn put(&mut self, body: Body) {
        self.particles.push(Particle::new(body.ball, &body.start));
        self.accounts.push(body.account());
        self.footings.push(Footing::new(&body.ground, body.start.position, body.way(self.settings.step)));
        self.radii.push(body.ball.radius());
        self.on_ground.push([Last::default(); 2]);
        self.grounded.push(false);
        self.bodies.push(body);
    }

    /// Sets the executor that solves the islands (default: one after the other); results are equal to the bit.
    pub fn with_executor(mut self, executor: Arc<dyn Executor>) -> Self {
        self.executor = executor;
        self
    }

    /// Continues the audit of earlier steps.
    pub fn with_audit(mut self, audit: Audit) -> Self {
        self.audit = audit;
        self
    }

    /// Adds a ball with the next index. Refused where it overlaps the ground or another ball. Allocates.
    pub fn add(&mut self, body: Body) -> Result<(), InputError> {
        let (ball, time) = (self.bodies.len(), self.time());
        let body = Body { start: State { time, ..body.start }, ..body };
        self.check(&body)?;
        let (q, radius) = (body.start.position, body.ball.radius());
        check_above(ball, &mut Footing::new(&body.ground, q, body.way(self.settings.step)), &body.ground, q)?;
        for (first, particle) in self.particles.iter().enumerate() {
            let depth = radius + self.radii[first] - (particle.now.position - q).norm();
            if depth > 0.0 && radius + self.radii[first] > 0.0 {
                return Err(InputError::Overlap { first, second: ball, depth });
            }
        }
        self.put(body);
        Ok(())
    }

    /// Refuses balls that overlap the ground or each other.
    fn check_start(&mut self) -> Result<(), InputError> {
        for ball in 0..self.bodies.len() {
            let q = self.particles[ball].now.position;
            check_above(ball, &mut self.footings[ball], &self.bodies[ball].ground, q)?;
        }
        if self.bodies.len() > 1 {
            self.list_places(0.0);
            for pair in &self.neighbours.pairs {
                let [one, other] = [pair.first, pair.second].map(|ball| self.places[ball]);
                let reach = self.radii[pair.first] + self.radii[pair.second];
                let depth = reach - (one - other).norm();
                let rounding = Rounding::of_motion(reach + one.amax() + other.amax(), 0.0, 0.0, 0.0);
                if depth > 0.0 && !Rounding::vanishes(depth, rounding.length) {
                    return Err(InputError::Overlap { first: pair.first, second: pair.second, depth });
                }
            }
        }
        Ok(())
    }

    /// Number of balls.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }
    /// Ball, ground, forces, law and start as given.
    pub fn body(&self, ball: usize) -> &Body {
        &self.bodies[ball]
    }
    /// Settings of the scheme.
    pub fn settings(&self) -> BallSettings {
        self.settings
    }
    /// Number of steps made.
    pub fn index(&self) -> u64 {
        self.index
    }
    /// Time `t₀ + index·h`, s.
    pub fn time(&self) -> f64 {
        self.start + self.index as f64 * self.settings.step
    }
    /// Closed contacts of the last step, with their impulses (which may be 0).
    pub fn contacts(&self) -> &[BallContact] {
        &self.done
    }
    /// Islands of the last step (contacts that share balls), with the problems that were solved.
    pub fn islands(&self) -> &[Island] {
        self.contacts.islands()
    }
    /// Audit of all steps so far.
    pub fn audit(&self) -> &Audit {
        &self.audit
    }
    /// Gap between a ball and the ground, m, by a new search of all ground.
    pub fn gap(&self, ball: usize) -> f64 {
        self.footings[ball].gap(&self.bodies[ball].ground, self.particles[ball].now.position)
    }
    /// Evaluations for all balls so far, failed steps included.
    pub fn evaluations(&self) -> Evaluations {
        Evaluations {
            forces: self.particles.iter().map(|particle| particle.evaluations).sum(),
            ground: self.footings.iter().map(|footing| footing.evaluations).sum(),
        }
    }
    /// How often the list of neighbours was built.
    pub fn neighbour_lists(&self) -> u64 {
        self.neighbours.rebuilt
    }
    /// State of a ball now. `dissipated`: losses to impacts, friction, damping and drag; of contacts with balls a half.
    pub fn state(&self, ball: usize) -> State {
        let (motion, account) = (&self.particles[ball].now, &self.accounts[ball]);
        State {
            time: self.time(),
            position: motion.position,
            velocity: motion.velocity,
            angle: motion.angle,
            spin: motion.spin,
            dissipated: account.dissipated - account.normal - account.tangential,
            work: account.external,
        }
    }
    /// Energy ledger of one ball.
    pub fn energy_of(&self, ball: usize) -> Energy {
        let (body, motion) = (&self.bodies[ball], &self.particles[ball].now);
        let kinetic = body.ball.kinetic_energy(motion.velocity, motion.spin);
        Energy { kinetic, potential: body.potential(motion.position), ..self.accounts[ball] }
    }
    /// Energy ledger of all balls.
    pub fn energy(&self) -> Energy {
        (0..self.len()).fold(Energy::default(), |sum, ball| sum + self.energy_of(ball))
    }

    /// Makes one step.
    #[inline]
    pub fn step(&mut self) -> Result<BallStep, StepError> {
        let BallSettings { step, theta, prediction, projection, .. } = self.settings;
        let at = Stride { time: self.time(), step, theta, prediction };
        match self.step_alone(at) {
            Some(done) => done,
            None => self.step_together(at, projection),
        }
    }

    /// The general step; not inlined, so that the shortcut stays small.
    #[inline(never)]
    fn step_together(&mut self, at: Stride, projection: Option<Projection>) -> Result<BallStep, StepError> {
        let mut together =
            Together { balls: self, found: IslandSolution::default(), rounds: 0, far: false, late: false };
        theta::step(&mut together, at)?;
        let Together { found, far, late, .. } = together;
        let IslandSolution { iterations: sweeps, residual, missed, slipped, left_out, withheld } = found;
        let (time, tolerance) = (at.time, self.settings.tolerance);
        if missed && self.settings.strict {
            return Err(StepError::Missed { time, residual, tolerance, iterations: sweeps });
        }
        let projections = if far || self.sinks_far(at) { self.project(time)? } else { 0 };
        self.count_projection(projections);
        self.account(at, |_, impulses| impulses);
        let Audit { residuals, anomalies, slipped: all_slipped, late: all_late, .. } = &mut self.audit;
        anomalies.add(&self.contacts.added(&self.particles, tolerance), missed);
        anomalies.without_restitution += u64::from(left_out);
        anomalies.bounded += u64::from(withheld > 0.0);
        anomalies.withheld = anomalies.withheld.max(withheld);
        *all_slipped += slipped as u64;
        *all_late += u64::from(late && projection.is_none());
        if !self.contacts.islands().is_empty() {
            residuals.add(time, residual, missed);
        }
        self.commit();
        Ok(BallStep { contacts: self.done.len(), sweeps, projections, residual, missed })
    }

    /// Lists the places of all balls at constant velocity after `ahead` s, and updates the neighbours there.
    pub(crate) fn list_places(&mut self, ahead: f64) {
        self.places.clear();
        self.places.extend(self.particles.iter().map(|Particle { now, .. }| now.position + now.velocity * ahead));
        let moved = 2.0 * self.particles.iter().fold(0.0_f64, |most, particle| most.max(particle.moved_by_forces));
        self.list_neighbours(self.settings.projection.map_or(0.0, |projection| projection.tolerance) + moved);
    }

    /// Updates the neighbours of the places listed: pairs with gaps up to `reach` (m), and rounding.
    pub(crate) fn list_neighbours(&mut self, reach: f64) {
        let fastest = self.particles.iter().fold(0.0_f64, |most, particle| most.max(particle.now.velocity.norm()));
        let rounding = 2.0 * self.footings.iter().fold(0.0_f64, |most, footing| most.max(footing.gap_rounding()));
        self.neighbours.update(&self.places, &self.radii, reach + rounding, 8.0 * self.settings.step * fastest);
    }

    /// Books the energies of the step: of forces and damping by the scheme's quadrature rule, of each contact the work
    /// that `counted` returns, `[normal, tangential]` in J. It is given the work of the impulses, `P·(u₀ + u₁)/2`.
    pub(crate) fn account(&mut self, at: Stride, counted: impl Fn(&Closed, [f64; 2]) -> [f64; 2]) {
        let (h, theta) = (at.step, at.theta);
        for ((particle, body), account) in self.particles.iter().zip(&self.bodies).zip(&mut self.accounts) {
            let Particle { now, next, damping, .. } = particle;
            if *damping > 0.0 {
                let velocity = next.velocity * theta + now.velocity * (1.0 - theta);
                account.dissipated += h * damping * velocity.norm_squared();
            }
            if body.forces.constant(now.spin).is_none() {
                let first = body.forces.power(at.time, now.position, now.velocity, now.spin);
                let second = body.forces.power(at.time + h, particle.unprojected, next.velocity, now.spin);
                account.external += h * (theta * second.work + (1.0 - theta) * first.work);
                account.dissipated += h * (theta * second.dissipated + (1.0 - theta) * first.dissipated);
            }
        }
        for (site, closed) in self.contacts.sites.iter().zip(&self.contacts.closed) {
            let particles = &self.particles;
            let work = |ball: usize, sign: f64| {
                let Particle { now, next, arm, .. } = &particles[ball];
                let velocity = (now.velocity + next.velocity) * sign;
                let slip = velocity.dot(&site.tangent()) + 0.5 * arm * (now.spin + next.spin);
                [closed.impulse[0] * velocity.dot(&site.normal), closed.impulse[1] * slip]
            };
            let own = work(site.ball, 0.5);
            let Some(other) = site.other else {
                let [normal, tangential] = counted(closed, own);
                self.accounts[site.ball].book([0.0, normal, tangential, 0.0]);
                continue;
            };
            let its = work(other, -0.5);
            let both = [own[0] + its[0], own[1] + its[1]];
            let counted = counted(closed, both);
            // The two balls share equally what `counted` makes the works differ from those of the impulses.
            let [own, its] = [own, its].map(|one| [0, 1].map(|k| one[k] + 0.5 * (counted[k] - both[k])));
            self.accounts[site.ball].book_pair(own, its);
            self.accounts[other].book_pair(its, own);
        }
    }

    /// Makes the end of the step the state, and keeps its contacts for the next step and for reports.
    #[inline]
    pub(crate) fn commit(&mut self) {
        let BallSettings { step, tolerance, projection, .. } = self.settings;
        for particle in &mut self.particles {
            if projection.is_some() {
                particle.moved_by_forces = step * (particle.free - particle.now.velocity).norm();
            }
            particle.now = particle.next;
        }
        self.index += 1;
        self.on_ground.fill([Last::default(); 2]);
        for pair in &mut self.neighbours.pairs {
            pair.last = Last::default();
        }
        self.done.clear();
        for (site, closed) in self.contacts.sites.iter().zip(&self.contacts.closed) {
            let last = Last { impulse: closed.impulse, lasts: projection.is_some() && closed.lasts(tolerance) };
            match site.other {
                None => self.on_ground[site.ball][site.which] = last,
                Some(other) => self.neighbours.keep(site.ball, other, last),
            }
            self.done.push(site.told(closed));
        }
    }
}

/// Refuses a ball that overlaps the ground.
fn check_above(ball: usize, footing: &mut Footing, ground: &OffsetGround, q: Vector2<f64>) -> Result<(), InputError> {
    let gap = footing.touches(ground, q, 0.0).gap;
    if gap < -footing.gap_rounding() { Err(InputError::Below { ball, depth: -gap }) } else { Ok(()) }
}

/// A step of balls that may touch each other.
struct Together<'a> {
    balls: &'a mut Balls,
    found: IslandSolution,
    /// Number of times impulses were solved for.
    rounds: usize,
    /// Whether contacts that the prediction left open may end the step too deep; whether any did, and was added.
    far: bool,
    late: bool,
}

impl Mechanism for Together<'_> {
    type Failure = StepError;

    fn close(&mut self, at: Stride) -> Result<(), StepError> {
        self.balls.close(at);
        Ok(())
    }

    fn fly(&mut self, at: Stride) -> Result<(), StepError> {
        let both = self.balls.particles.iter_mut().zip(&self.balls.bodies);
        for (particle, body) in both {
            fly(particle, &body.forces, at)?;
        }
        Ok(())
    }

    fn closed(&mut self) -> &mut [Closed] {
        &mut self.balls.contacts.closed
    }

    fn velocity(&self, contact: usize, stage: Stage) -> [f64; 2] {
        self.balls.contacts.velocity(&self.balls.particles, contact, stage)
    }

    fn solve(&mut self, at: Stride) -> Result<(), StepError> {
        let Balls { contacts, particles, settings, executor, .. } = &mut *self.balls;
        let solved = contacts.solve(particles, settings, &**executor);
        let solved = solved.map_err(|source| StepError::Contacts { time: at.time, source })?;
        self.found = IslandSolution {
            iterations: self.found.iterations + solved.iterations,
            left_out: self.found.left_out || solved.left_out,
            withheld: self.found.withheld.max(solved.withheld),
            ..solved
        };
        self.rounds += 1;
        Ok(())
    }

    fn land(&mut self, at: Stride) -> Result<bool, StepError> {
        for particle in &mut self.balls.particles {
            if !particle.land(at) {
                return Err(StepError::NotFinite { what: "the position or the velocity", time: at.time });
            }
            particle.unprojected = particle.next.position;
        }
        self.far = self.balls.settings.projection.is_some() || self.balls.moves_far(at);
        let missed = self.far && self.balls.close_missed(at);
        self.late |= missed;
        Ok(missed && self.rounds < ROUNDS)
    }
}
