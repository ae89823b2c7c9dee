//! A ball between two events: how does it move at constant acceleration, in the air or along straight ground?

use curves::{Departure, FirstContact, Frame, OffsetGround, Place};
use mechanics::{Ball, Mode, State};
use moreau::{Body, Energy};
use nalgebra::Vector2;

use crate::reports::{CollisionLeg, Contact};

/// Motion of a ball until its next event.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BallWay {
    /// A parabola; the contacts that it began with, if any.
    Flying(Option<LeftGround>),
    Lying(Lying),
    /// Time stepping, now or from its next step on.
    Handed {
        /// Contact of the ball.
        contact: Contact,
        /// Sums of λ and f of its contacts, N, each the mean of the last step.
        forces: [f64; 2],
        /// Contact with straight ground that it keeps until its first step.
        lies: Option<Lying>,
    },
    /// Not released yet: it stands until this time, s, and nothing collides with it.
    Waiting(f64),
}

/// Contacts that a ball left when it began to fly: one, or two at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeftGround {
    /// Time of leaving, s; the contacts count at this time only.
    pub time: f64,
    pub touches: [Option<Touch>; 2],
    pub departure: Departure,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Lying {
    /// Contact where the ball began to lie.
    pub touch: Touch,
    pub mode: Mode,
    /// λ and f, N.
    pub forces: [f64; 2],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub place: Place,
    pub frame: Frame,
}

impl From<&FirstContact> for Touch {
    fn from(contact: &FirstContact) -> Self {
        Touch { place: contact.place, frame: contact.frame }
    }
}

impl Touch {
    /// The contact after the ball has moved along straight ground to `q`.
    pub fn moved(&self, ground: &OffsetGround, q: Vector2<f64>) -> Touch {
        let way = (q - self.frame.position).dot(&self.frame.tangent);
        let range = ground.range(self.place);
        let place = self.place.at(range.clamp(self.place.parameter() + way / self.frame.speed));
        Touch { place, frame: ground.frame(place) }
    }
}

/// One ball: its state at `time`, and its motion from there.
#[derive(Clone, Debug)]
pub(crate) struct Mover {
    pub ball: Ball,
    /// Time of all following numbers, s.
    pub time: f64,
    pub position: Vector2<f64>,
    pub velocity: Vector2<f64>,
    pub acceleration: Vector2<f64>,
    pub angle: f64,
    pub spin: f64,
    pub spin_acceleration: f64,
    pub way: BallWay,
    /// Number of changes; a prediction made with another stamp is outdated.
    pub stamp: u64,
    /// Sums of work since the start; kinetic and potential energy are those of the start.
    pub account: Energy,
    /// Sums of P_n and P_t since the start, N s.
    pub pushes: [f64; 2],
    /// Times of the last impacts that take energy, oldest first, without those on straight ground.
    pub recent: [f64; Mover::RECENT],
}

impl Mover {
    /// Impacts within one step of time stepping after which a ball is handed over.
    pub const RECENT: usize = 8;

    pub fn new(body: &Body) -> Self {
        let State { time, position, velocity, angle, spin, .. } = body.start;
        Mover {
            ball: body.ball,
            time,
            position,
            velocity,
            acceleration: body.forces.gravity_vector(),
            angle,
            spin,
            spin_acceleration: 0.0,
            way: BallWay::Flying(None),
            stamp: 0,
            account: body.account(),
            pushes: [0.0; 2],
            recent: [f64::NEG_INFINITY; Mover::RECENT],
        }
    }

    /// Makes the ball wait until a time, s.
    pub fn wait(&mut self, until: f64) {
        self.way = BallWay::Waiting(until);
        (self.acceleration, self.spin_acceleration) = (Vector2::zeros(), 0.0);
    }

    #[inline(always)]
    pub fn waits(&self) -> bool {
        matches!(self.way, BallWay::Waiting(_))
    }

    /// Place and velocity at a time.
    #[inline(always)]
    pub fn at(&self, time: f64) -> (Vector2<f64>, Vector2<f64>) {
        if let BallWay::Waiting(_) = self.way {
            return (self.position, self.velocity);
        }
        let t = time - self.time;
        let at = self.acceleration * t;
        (self.position + (self.velocity + at * 0.5) * t, self.velocity + at)
    }

    /// Advances the state to a time, s, and books the work and the impulses of the ground until then.
    #[inline]
    pub fn advance(&mut self, time: f64) {
        let t = time - self.time;
        if t == 0.0 {
            return;
        }
        if self.waits() {
            self.time = time;
            return;
        }
        let (position, velocity) = self.at(time);
        let spin = self.spin + self.spin_acceleration * t;
        if let BallWay::Lying(lying) | BallWay::Handed { lies: Some(lying), .. } = &self.way {
            let [normal, friction] = lying.forces;
            let along = lying.touch.frame.tangent;
            let slip = |velocity: Vector2<f64>, spin| self.ball.slip(velocity.dot(&along), spin);
            let mean = 0.5 * (slip(self.velocity, self.spin) + slip(velocity, spin));
            // Rolling and resting balls do not slip.
            if let Mode::Sliding { .. } = lying.mode {
                self.account.tangential += friction * mean * t;
            }
            self.pushes[0] += normal * t;
            self.pushes[1] += friction * t;
        }
        self.angle += 0.5 * (self.spin + spin) * t;
        (self.time, self.position, self.velocity, self.spin) = (time, position, velocity, spin);
    }

    /// State at `time`.
    pub fn state(&self) -> State {
        let Mover { time, position, velocity, angle, spin, account, .. } = *self;
        let dissipated = account.dissipated - account.normal - account.tangential;
        State { time, position, velocity, angle, spin, dissipated, work: account.external }
    }

    /// Motion from `time` on.
    pub fn leg(&self) -> CollisionLeg {
        let (contact, forces, stepped) = match self.way {
            BallWay::Flying(_) | BallWay::Waiting(_) => (Contact::None, [0.0; 2], false),
            BallWay::Lying(lying) => (Contact::Ground(lying.mode), lying.forces, false),
            BallWay::Handed { contact, forces, .. } => (contact, forces, true),
        };
        CollisionLeg {
            state: self.state(),
            acceleration: self.acceleration,
            spin_acceleration: self.spin_acceleration,
            contact,
            forces,
            exchanged: self.account.exchanged,
            stepped,
        }
    }

    /// Applies an impulse (P_n, P_t; N s) of another ball; returns its normal and tangential work (J), which are not
    /// booked.
    #[inline(always)]
    pub fn push(&mut self, normal: Vector2<f64>, tangent: Vector2<f64>, [p, q]: [f64; 2]) -> [f64; 2] {
        let velocity = self.velocity + (normal * p + tangent * q) / self.ball.mass();
        let spin = self.spin + self.ball.spin_by(q);
        self.struck([normal, tangent], [p, q], velocity, spin)
    }

    /// Sets velocity and spin after an impulse in these directions; returns its normal and tangential work, J.
    #[inline(always)]
    pub fn struck(
        &mut self,
        [normal, tangent]: [Vector2<f64>; 2],
        [p, q]: [f64; 2],
        velocity: Vector2<f64>,
        spin: f64,
    ) -> [f64; 2] {
        let ball = &self.ball;
        let slip = |velocity: Vector2<f64>, spin| ball.slip(velocity.dot(&tangent), spin);
        let works = [
            0.5 * p * (self.velocity + velocity).dot(&normal),
            0.5 * q * (slip(self.velocity, self.spin) + slip(velocity, spin)),
        ];
        self.pushes[0] += p;
        self.pushes[1] += q;
        (self.velocity, self.spin) = (velocity, spin);
        works
    }

    /// Counts an impact that takes energy; whether the last [`RECENT`](Mover::RECENT) came within `window` s, so that
    /// they may have no end.
    pub fn hit(&mut self, time: f64, window: f64) -> bool {
        self.recent.rotate_left(1);
        self.recent[Mover::RECENT - 1] = time;
        time - self.recent[0] < window
    }
}
