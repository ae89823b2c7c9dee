//! Flight until the first contact: an enclosure of its time, and proof that there is none before.

use curves::Ground;
use numbers::{Interval, Number};
use supervisor::Scene;

use crate::Open;
use crate::enclosing_step::{Flow, FoundEvent, PartLook, Set, TubeStep, follow, newton};
use crate::equations_of_motion::AirMotion;
use crate::ground_near::{FootOver, NearGround, foot, gap, near};
use crate::matrix::{ZERO, both, dot};

/// Enclosure of flight states by the four numbers of the event before: `[x, y, vx, vy, ω]`.
pub(crate) type Flying = Set<5, 4>;
type FlightStep = TubeStep<5, 4>;

/// Start of a flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Departing {
    /// Not from contact, or proven to be off the ground since.
    Above,
    /// From contact, moving away from the ground.
    Touch,
    /// From contact, where λ falls to zero.
    LiftOff,
}

/// A first contact.
#[derive(Debug)]
pub(crate) struct Hit {
    pub piece: usize,
    /// Time since the start of the step, s.
    pub time: Interval,
    pub step: FlightStep,
    pub foot: FootOver,
    /// Time of the hit on the path from the exact centre of the start, s, and the contact point.
    pub centre_time: Interval,
    pub centre_foot: FootOver,
}

pub(crate) struct FlightProof<'a> {
    ground: &'a Ground,
    radius: f64,
    air: &'a AirMotion,
}

impl<'a> FlightProof<'a> {
    pub fn new(scene: &'a Scene, air: &'a AirMotion) -> Self {
        FlightProof { ground: scene.ground.ground(), radius: scene.ground.radius(), air }
    }

    /// Finds the first hit of a set of flights within `until` s; returns it with the start time (s) of its step.
    pub fn first_contact(&self, set: Flying, mut left: Departing, until: f64) -> Result<Option<(f64, Hit)>, Open> {
        let mut flow: Flow<5, 30> = Flow::new(self.air);
        let step = |set: &Flying, most: f64| match self.air.still(&set.whole()) {
            Some((h, push)) => Some(TubeStep::falling(set, self.air.gravity.into(), push, h.min(most))),
            None => flow.step(set, most),
        };
        let found = follow(set, until, step, |step, when| {
            let look = self.part(step, when, left)?;
            if let PartLook::Clear = look {
                left = Departing::Above;
            }
            Ok(look)
        });
        match found {
            Ok(Some(FoundEvent { time, step, event: (piece, part), when })) => {
                self.hit(step, piece, part, when).map(|hit| Some((time, hit)))
            }
            Ok(None) => Ok(None),
            Err(Open::Graze) if left == Departing::Touch => Err(Open::Slow),
            Err(open) => Err(open),
        }
    }

    /// Place, velocity and acceleration over a part of a step.
    fn moving(&self, step: &FlightStep, when: Interval) -> [[Interval; 2]; 3] {
        let middle = Interval::point(when.middle());
        let z = step.at(middle).whole();
        let away = when - middle;
        let [.., vx, vy, _] = step.over(when);
        let acceleration = [step.rates[2], step.rates[3]];
        let bend = away.square().scale(0.5);
        let place = [0, 1].map(|i| both(z[i] + z[2 + i] * away + acceleration[i] * bend, step.bounds[i]));
        [place, [vx, vy], acceleration]
    }

    /// The foot of each centre in a box, on a part of a piece.
    fn foot(&self, piece: usize, part: Interval, q: [Interval; 2]) -> Option<FootOver> {
        let ground = &self.ground.pieces()[piece];
        foot(ground.curve(), ground.domain(), part, q)
    }

    /// The gap of each centre in a box from its foot.
    fn gap(&self, piece: usize, foot: &FootOver, q: [Interval; 2]) -> Interval {
        gap(self.ground.pieces()[piece].curve(), foot, q, self.radius)
    }

    /// Decides whether the ball is above the ground over a part of a step, or hits one part of one piece once.
    fn part(&self, step: &FlightStep, when: Interval, left: Departing) -> Result<PartLook<(usize, Interval)>, Open> {
        let moving @ [q, v, _] = self.moving(step, when);
        let (piece, part) = match near(self.ground, q, self.radius) {
            NearGround::Nothing => return Ok(PartLook::Clear),
            NearGround::Several => return Ok(PartLook::Several),
            NearGround::Part { piece, part } => (piece, part),
        };
        // The gap grows; or, just after lift-off, its third derivative is positive.
        let Some(foot) = self.foot(piece, part, q) else { return Ok(PartLook::Shorter) };
        let whole = || self.gap(piece, &foot, q);
        let rate = dot(&v, &foot.frame.normal);
        if rate.lo > 0.0
            || left == Departing::LiftOff && when.lo == 0.0 && self.jerk(step, moving, whole(), &foot).lo > 0.0
        {
            return Ok(PartLook::Clear);
        }
        // A flight that begins at gap 0 must be shown to grow first: bounds of the gap contain 0.
        if left != Departing::Above {
            return Ok(PartLook::Shorter);
        }
        if whole().lo > 0.0 {
            return Ok(PartLook::Clear);
        }
        // Positive in the middle by more than the rate can change it; else a single zero, if the gap falls throughout.
        let at = |t: Interval| self.gap_at(step, t, piece, part).unwrap_or(Interval::REAL);
        let middle = at(Interval::point(when.middle()));
        if middle.lo > rate.magnitude() * 0.5 * when.width() * (1.0 + 4.0 * f64::EPSILON) {
            return Ok(PartLook::Clear);
        }
        if !(rate.hi < 0.0) {
            return Ok(PartLook::Shorter);
        }
        let end = at(Interval::point(when.hi));
        Ok(match (end.lo > 0.0, end.hi < 0.0) {
            (true, _) => PartLook::Clear,
            (_, true) => PartLook::Root((piece, part)),
            _ => PartLook::Shorter,
        })
    }

    /// The gap of the set at a time.
    fn gap_at(&self, step: &FlightStep, t: Interval, piece: usize, part: Interval) -> Option<Interval> {
        let set = step.at(t);
        let z = set.whole();
        let q = [z[0], z[1]];
        let foot = self.foot(piece, part, q)?;
        let by_box = self.gap(piece, &foot, q);
        // First order in the uncertainty of the start, whose components along the normal may cancel.
        let [x, y, ..] = set.centre();
        let Some(by_centre) = self.gap_of(piece, part, [x, y]) else { return Some(by_box) };
        let row = std::array::from_fn(|k| foot.frame.normal[0] * set.m[0][k] + foot.frame.normal[1] * set.m[1][k]);
        Some(both(by_centre + dot(&row, &set.r), by_box))
    }

    /// The gap of each centre in a box, by its foot on a part of a piece.
    fn gap_of(&self, piece: usize, part: Interval, q: [Interval; 2]) -> Option<Interval> {
        Some(self.gap(piece, &self.foot(piece, part, q)?, q))
    }

    /// Bounds of the third derivative of the gap. At lift-off the gap, its rate and λ are exactly zero; after it the
    /// gap is positive as long as this derivative is.
    ///
    /// With the distance d from the ground, `κd = κ/(1 − κ d)`, `σ̇ = v_t/(1 − κ d)`:
    ///
    /// ```text
    /// g̈ = a·n − κd v_t²
    /// d³g/dt³ = ȧ·n − κ σ̇ a·τ − (κ′ σ̇ + κ² v_n)/(1 − κ d)² v_t² − 2 κd v_t (a·τ + κ σ̇ v_n)
    /// ```
    fn jerk(&self, step: &FlightStep, [_, v, a]: [[Interval; 2]; 3], gap: Interval, foot: &FootOver) -> Interval {
        let distance = Interval::point(self.radius) + ZERO.hull(gap);
        let shrink = Interval::point(1.0) - foot.frame.curvature * distance;
        let (v_t, v_n) = (dot(&v, &foot.frame.tangent), dot(&v, &foot.frame.normal));
        let a_t = dot(&a, &foot.frame.tangent);
        let along = v_t / shrink;
        let bend = foot.frame.curvature / shrink;
        let change = dot(&[step.thirds[0], step.thirds[1]], &foot.frame.normal);
        let turned = (foot.curvature_rate * along + foot.frame.curvature.square() * v_n) / shrink.square();
        change
            - foot.frame.curvature * along * a_t
            - turned * v_t.square()
            - (bend * v_t * (a_t + foot.frame.curvature * along * v_n)).scale(2.0)
    }

    /// Encloses the time of the contact by interval Newton.
    fn hit(&self, step: FlightStep, piece: usize, part: Interval, when: Interval) -> Result<Hit, Open> {
        let there = |[x, y, ..]: [Interval; 5]| self.foot(piece, part, [x, y]);
        let rate = |time: Interval| {
            let [q, v, _] = self.moving(&step, time);
            Some(dot(&v, &self.foot(piece, part, q)?.frame.normal))
        };
        let of_centre = |t: Interval| {
            let [x, y, ..] = step.at(t).centre();
            self.gap_of(piece, part, [x, y])
        };
        let time = newton(when, |t| self.gap_at(&step, t, piece, part), rate)?;
        // The path from the exact centre of the start is one of the paths.
        let centre_time = newton(time, of_centre, rate)?;
        let of_all = there(step.at(time).whole()).ok_or(Open::Graze)?;
        let of_centre = there(step.at(centre_time).centre()).ok_or(Open::Graze)?;
        Ok(Hit { piece, time, step, foot: of_all, centre_time, centre_foot: of_centre })
    }
}
