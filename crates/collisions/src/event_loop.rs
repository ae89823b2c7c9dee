//! Many balls event by event: how does a run go from event to event, and which limits end it?

use curves::{FirstContact, SearchCount};
use mechanics::ContactLaw;
use moreau::{Audit, BallSettings, Balls, Body, CellGrid, Energy};
use nalgebra::Vector2;
use numbers::Rounding;

use crate::ball_motion::{BallWay, Mover};
use crate::calendar::{Calendar, Due};
use crate::handover::Handed;
use crate::prediction::Next;
use crate::reports::{CollisionCount, CollisionEvent, CollisionLeg};
use crate::{CollisionStop, Refused};

/// Number of events within 1e-9 of the duration above which a run is stalled: a constant, and a number for each ball.
const STALLED: [u64; 2] = [10_000, 100];

/// Settings of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollisionSettings {
    /// Time stepping of balls handed over to it, as after eight impacts within one of its steps.
    pub stepping: BallSettings,
    /// Speed below which a bounce (e < 1) on straight ground is the last one, m/s.
    pub capture_speed: f64,
    /// End of the run, s; no later event is predicted.
    pub end: f64,
    /// Largest number of events.
    pub limit: u64,
    /// Whether balls may overlap each other or the ground at the start, as steps may have left them.
    pub resumed: bool,
}

impl CollisionSettings {
    /// Runs until `end` (s), with steps of `step` (s) where needed; bounces below 1e-6 m/s are the last ones; no limit
    /// of events.
    pub fn until(end: f64, step: f64) -> Self {
        CollisionSettings {
            stepping: BallSettings::new(step),
            capture_speed: 1e-6,
            end,
            limit: u64::MAX,
            resumed: false,
        }
    }
}

/// Many balls event by event.
#[derive(Debug)]
pub struct Collisions {
    pub(crate) settings: CollisionSettings,
    pub(crate) start: f64,
    pub(crate) now: f64,
    pub(crate) bodies: Vec<Body>,
    pub(crate) between: ContactLaw,
    pub(crate) movers: Vec<Mover>,
    pub(crate) next: Vec<Next>,
    /// The next contact of each ball with the ground before it leaves its cell, if any.
    pub(crate) contacts: Vec<Option<FirstContact>>,
    pub(crate) calendar: Calendar,
    pub(crate) cells: CellGrid,
    pub(crate) handed: Handed,
    pub(crate) count: CollisionCount,
    pub(crate) search: SearchCount,
    /// Time (s) and number of events since time last advanced noticeably.
    quiet: (f64, u64),
}

impl Collisions {
    /// Creates a run; `between` is the law of contact between two balls. Invalid input is refused here.
    pub fn new(bodies: Vec<Body>, between: ContactLaw, settings: CollisionSettings) -> Result<Self, Refused> {
        Collisions::poured(bodies, &[], between, settings)
    }

    /// Creates a run like [`Collisions::new`], but balls with a time of release (s) move from that time on only.
    /// Before its release a ball stands still and nothing collides with it. If its place is occupied then, it tries
    /// again after each `step`.
    pub fn poured(
        bodies: Vec<Body>,
        releases: &[f64],
        between: ContactLaw,
        settings: CollisionSettings,
    ) -> Result<Self, Refused> {
        let start = bodies.first().map_or(0.0, |body| body.start.time);
        let release = |ball: usize| releases.get(ball).copied().unwrap_or(start);
        // Everything must be valid for time stepping, which may have to take over.
        let first = bodies.iter().enumerate().filter(|(ball, _)| !(release(*ball) > start));
        let first = first.map(|(_, body)| body.clone()).collect();
        let check = if settings.resumed { Balls::resumed } else { Balls::new };
        drop(check(first, between.clone(), settings.stepping)?);
        for (ball, Body { forces, law, .. }) in bodies.iter().enumerate() {
            if forces.constant_acceleration(1.0).is_none() {
                return Err(Refused::Force { ball });
            }
            if law.rolling_damping() > 0.0 {
                return Err(Refused::Damping { ball, damping: law.rolling_damping() });
            }
        }
        let places: Vec<Vector2<f64>> = bodies.iter().map(|body| body.start.position).collect();
        let width = bodies.iter().fold(0.0_f64, |most, body| most.max(2.0 * body.ball.radius()));
        let n = bodies.len();
        let mut balls = Collisions {
            settings,
            start,
            now: start,
            between,
            movers: bodies.iter().map(Mover::new).collect(),
            next: vec![Next::NOTHING; n],
            contacts: vec![None; n],
            calendar: Calendar::new(n),
            cells: CellGrid::new(&places, width),
            handed: Handed::new(n),
            count: CollisionCount::default(),
            search: SearchCount::default(),
            quiet: (start, 0),
            bodies,
        };
        for ball in 0..n {
            if release(ball) > start {
                balls.movers[ball].wait(release(ball));
            } else {
                balls.begin(ball);
            }
        }
        for ball in 0..n {
            balls.predict(ball)?;
        }
        Ok(balls)
    }

    /// Number of balls.
    pub fn len(&self) -> usize {
        self.movers.len()
    }
    /// Whether there are no balls.
    pub fn is_empty(&self) -> bool {
        self.movers.is_empty()
    }
    /// Current time, s.
    pub fn time(&self) -> f64 {
        self.now
    }
    /// The body that was given for a ball.
    pub fn body(&self, ball: usize) -> &Body {
        &self.bodies[ball]
    }
    /// Counts of events.
    pub fn count(&self) -> CollisionCount {
        let stepped = self.handed.members.len() + self.handed.waiting.len();
        CollisionCount { searches: self.search.searches, stepped, ..self.count }
    }
    /// Work of the searches for contacts with the ground.
    pub fn search(&self) -> SearchCount {
        self.search
    }
    /// Audit of all time steps: residuals, energy added by contacts, projections.
    pub fn audit(&self) -> Audit {
        self.handed.audit()
    }
    /// The balls in time stepping, at the current step.
    pub fn stepping(&self) -> Option<&Balls> {
        self.handed.balls.as_ref()
    }

    /// Sums of P_n and P_t on a ball since the start, N s.
    pub fn pushes(&self, ball: usize) -> [f64; 2] {
        self.here(ball).pushes
    }

    /// Energy ledger of a ball now.
    pub fn energy_of(&self, ball: usize) -> Energy {
        let mover = self.here(ball);
        let [kinetic, potential] = self.energies(ball, &mover);
        Energy { kinetic, potential, ..mover.account }
    }

    /// State of a ball now, and its motion from here.
    pub fn leg(&self, ball: usize) -> CollisionLeg {
        self.here(ball).leg()
    }

    /// A ball now. Within a time step it is interpolated, and what its energy then differs by is booked to contacts.
    fn here(&self, ball: usize) -> Mover {
        let before = &self.movers[ball];
        let mut mover = before.clone();
        mover.advance(self.now);
        if let BallWay::Handed { lies: None, .. } = mover.way {
            let energy = |mover: &Mover| self.energies(ball, mover).iter().sum::<f64>();
            mover.account.normal += energy(&mover) - energy(before);
        }
        mover
    }

    /// Kinetic and potential energy, J.
    fn energies(&self, ball: usize, mover: &Mover) -> [f64; 2] {
        let body = &self.bodies[ball];
        [body.ball.kinetic_energy(mover.velocity, mover.spin), body.potential(mover.position)]
    }

    /// Energy ledger of all balls.
    pub fn energy(&self) -> Energy {
        (0..self.len()).fold(Energy::default(), |sum, ball| sum + self.energy_of(ball))
    }

    /// Whether a ball is not released yet.
    pub fn waits(&self, ball: usize) -> bool {
        self.movers[ball].waits()
    }

    /// Gap between a ball and the ground now, m.
    pub fn gap(&self, ball: usize) -> f64 {
        self.bodies[ball].ground.gap(self.movers[ball].at(self.now).0)
    }

    /// The nearest ball among those around, and its gap now, m; ∞ without one.
    pub fn nearest(&self, ball: usize) -> (Option<usize>, f64) {
        let (q, radius) = (self.movers[ball].at(self.now).0, self.movers[ball].ball.radius());
        let mut nearest = (None, f64::INFINITY);
        self.cells.near(ball, |other| {
            let it = &self.movers[other];
            let reach = radius + it.ball.radius();
            let gap = (it.at(self.now).0 - q).norm() - reach;
            // Two points never collide.
            if reach > 0.0 && gap < nearest.1 && !it.waits() {
                nearest = (Some(other), gap);
            }
        });
        nearest
    }

    /// Advances to a time (s; no later than the end), reporting events to `tell`. After an error the balls are where
    /// they were by then.
    pub fn advance(&mut self, until: f64, tell: &mut dyn FnMut(&CollisionEvent)) -> Result<(), CollisionStop> {
        let until = until.min(self.settings.end);
        loop {
            let (ball, due) = self.calendar.first().unwrap_or((0, Due::NEVER));
            let step = self.handed.due;
            if !(due.time.min(step) <= until) {
                break;
            }
            self.now = self.now.max(due.time.min(step));
            if step < due.time { self.make_step(tell)? } else { self.happens(ball, tell)? }
        }
        self.now = self.now.max(until);
        Ok(())
    }

    /// Counts an event; an error if a limit is exceeded.
    pub(crate) fn counted(&mut self, ball: usize) -> Result<(), CollisionStop> {
        let CollisionSettings { limit, end, .. } = self.settings;
        self.count.events += 1;
        if self.count.events > limit {
            return Err(CollisionStop::Limit { time: self.now, limit });
        }
        let within = 1e-9 * (end - self.start);
        if self.now - self.quiet.0 > within {
            self.quiet = (self.now, 0);
        }
        self.quiet.1 += 1;
        let events = self.quiet.1;
        if events > STALLED[0] + STALLED[1] * self.len() as u64 {
            return Err(CollisionStop::Stalled { ball, time: self.now, events, within });
        }
        let Mover { position, velocity, spin, .. } = &self.movers[ball];
        if !(position.sum() + velocity.sum() + spin).is_finite() {
            return Err(CollisionStop::NotFinite { ball, time: self.now });
        }
        Ok(())
    }

    /// Rounding of a ball's state, by the sizes of its place, time, speed and acceleration.
    #[inline]
    pub(crate) fn unit(&self, ball: usize) -> Rounding {
        let Mover { ball: it, position, velocity, spin, acceleration, .. } = &self.movers[ball];
        let speed = velocity.norm() + it.radius() * spin.abs();
        Rounding::of_motion(position.amax() + it.radius(), self.now, speed, acceleration.norm())
    }
}
