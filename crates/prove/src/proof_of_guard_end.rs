//! Contact until its first guard is zero: lift-off, slip, stick.

use curves::Ground;
use numbers::{Interval, Number, Taylor};

use crate::Open;
use crate::enclosing_step::{Flow, FoundEvent, PartLook, Set, TubeStep, follow, newton};
use crate::equations_of_motion::{GroundMotion, ProvenGuard, frame};
use crate::ground_near::{NearGround, foot, near};
use crate::matrix::{Matrix, both, product, times};

/// Enclosure of contact states by the three numbers of the event before: `[s, v·τ, ω]`.
pub(crate) type Sliding = Set<3, 3>;
type SlidingStep = TubeStep<3, 3>;

/// Zero of a guard.
#[derive(Debug)]
pub(crate) struct GuardEnd {
    pub guard: ProvenGuard,
    /// Time since the start of the step, s.
    pub time: Interval,
    /// Time of the zero on the path from the exact centre of the start, s.
    pub centre_time: Interval,
    pub step: SlidingStep,
    /// Derivative of the guard by the state, and its rate.
    pub slope: [Interval; 3],
    pub rate: Interval,
}

/// Derivative of a guard by each number of the state.
fn slope(contact: &GroundMotion, guard: ProvenGuard, z: [Interval; 3]) -> [Interval; 3] {
    std::array::from_fn(|j| {
        let one = |i: usize| Interval::point(if i == j { 1.0 } else { 0.0 });
        let z: [Taylor<Interval, 2>; 3] = std::array::from_fn(|i| Taylor([z[i], one(i)]));
        contact.guard(guard, z).0[1]
    })
}

/// Enclosure of the guard over a set, by the mean-value form in the uncertainties of the start.
fn of_set(contact: &GroundMotion, guard: ProvenGuard, set: &Sliding) -> Interval {
    let z = set.whole();
    let slope: Matrix<1, 3> = [slope(contact, guard, z)];
    let [away] = times(&product(&slope, &set.m), &set.r);
    both(contact.guard(guard, set.centre()) + away, contact.guard(guard, z))
}

/// Finds the first zero of a guard before `until`, for a set of states; returns it with the start time of its step.
pub(crate) fn first_end(
    contact: &GroundMotion,
    ground: &Ground,
    piece: usize,
    set: Sliding,
    until: f64,
) -> Result<Option<(f64, GuardEnd)>, Open> {
    let mut flow: Flow<3, 12> = Flow::new(contact);
    let look = |step: &SlidingStep, when: Interval| part(contact, ground, piece, step, when);
    let found = follow(set, until, |set, most| flow.step(set, most), look)?;
    let ended = |FoundEvent { time, step, event, when }| Ok((time, end(contact, event, step, when)?));
    found.map(ended).transpose()
}

/// Looks for the guard that reaches zero in a part of a step. Returns a request for shorter parts where the part is too
/// wide for bounds of the frame, the foot, or the order of zeros.
fn part(
    contact: &GroundMotion,
    ground: &Ground,
    piece: usize,
    step: &SlidingStep,
    when: Interval,
) -> Result<PartLook<ProvenGuard>, Open> {
    let z = step.over(when);
    let domain = ground.pieces()[piece].domain();
    let at = frame(contact.curve, z[0]);
    let q = at.offset(contact.radius).position;
    if !(z[0].lo > domain.lo && z[0].hi < domain.hi) {
        return Ok(PartLook::Several);
    }
    if !(at.shrink(contact.radius).lo > 0.0) {
        return Ok(PartLook::Shorter);
    }
    let NearGround::Part { piece: found, part } = near(ground, q, contact.radius) else { return Ok(PartLook::Several) };
    // The unique foot in the part is the ball's place.
    if found != piece || foot(contact.curve, domain, part.hull(z[0]), q).is_none() {
        return Ok(PartLook::Several);
    }
    let rate = contact.motion(z).rate;
    let mut root = None;
    for guard in contact.guards() {
        let over = contact.guard(guard, z);
        if over.lo > 0.0 {
            continue;
        }
        let slope = slope(contact, guard, z);
        let [rate] = times(&[slope], &rate);
        let at = |t: Interval| of_set(contact, guard, &step.at(t));
        if at(Interval::point(when.middle())).lo > rate.magnitude() * 0.5 * when.width() * (1.0 + 4.0 * f64::EPSILON) {
            continue;
        }
        let [begin, end] = [when.lo, when.hi].map(|t| at(Interval::point(t)));
        // Positive at the start, and growing.
        if begin.lo > 0.0 && rate.lo > 0.0 {
            continue;
        }
        // A single zero: from positive, falling all the way, to negative.
        if !(begin.lo > 0.0 && rate.hi < 0.0) {
            return Ok(PartLook::Shorter);
        }
        if end.lo > 0.0 {
            continue;
        }
        if !(end.hi < 0.0) || root.is_some() {
            return Ok(PartLook::Shorter);
        }
        root = Some(PartLook::Root(guard));
    }
    Ok(root.unwrap_or(PartLook::Clear))
}

/// Encloses the time of a guard's zero, and the guard's slope and rate there.
fn end(contact: &GroundMotion, guard: ProvenGuard, step: SlidingStep, when: Interval) -> Result<GuardEnd, Open> {
    let rate_over = |time: Interval| {
        let z = step.over(time);
        let slope = slope(contact, guard, z);
        let [rate] = times(&[slope], &contact.motion(z).rate);
        (slope, rate)
    };
    let rate = |time| Some(rate_over(time).1);
    let time = newton(when, |time| Some(of_set(contact, guard, &step.at(time))), rate)?;
    let centre_time = newton(time, |time| Some(contact.guard(guard, step.at(time).centre())), rate)?;
    let (slope, rate) = rate_over(time);
    Ok(GuardEnd { guard, time, centre_time, step, slope, rate })
}
