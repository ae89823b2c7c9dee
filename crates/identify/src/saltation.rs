//! Saltation: derivatives of state and time across events, by conditions and resets.
//!
//! An event happens where its condition g(t, x) is zero; its reset R then gives the next state. S is the derivative of
//! the state by a parameter p of the run, at fixed time. δt is the delay of the event: the derivative of its time.
//! With the rates ẋ just before and after, f⁻ and f⁺, and the derivative D by the state:
//!
//! ```text
//! δt = −(D g S + ∂_p g)/ġ        S⁺ = D R (S⁻ + f⁻ δt) + ∂_p R + ∂_t R δt − f⁺ δt
//! ```

use curves::Place;
use mechanics::{Press, normal_force};
use numbers::{Dual, Taylor};
use supervisor::{Capture, Event, EventKind};

use crate::dual_equations_of_motion::{Model, SweepPhase, Vector, along, constant, dot, slope, value};
use crate::event_rules::{Bounces, EventRule, Landed, jump};
use crate::variational_run::{Hop, JumpStart, Observation, RunSweep, Saltation, SweepError, Variation, phase_after};

/// Approach over speed, or rate of a condition over the size of its terms, below which an event is grazing.
const GRAZING: f64 = 1e-3;
/// Part of its [size](Margin::size) by which a condition is below zero only if it jumped there: at the joint that the
/// ball has just passed, where the curvature jumps. An event that is reached smoothly has its condition at zero.
const JUMPED_BELOW: f64 = 1e-9;

/// An event's condition g where the run has found its zero.
#[derive(Clone, Copy, Debug)]
struct Margin {
    /// g, zero up to the run's error.
    value: f64,
    /// ġ along the path.
    rate: f64,
    /// Sum of the sizes of the terms of ġ, with which value and rate are compared.
    size: f64,
}

impl RunSweep<'_> {
    /// Takes state and derivatives across an event of the run. An event that the jump of curvature at the joint just
    /// passed has triggered moves with that joint: it gets the joint's delays.
    pub fn pass_event(&mut self, event: &Event, before: &mut Observation) -> Result<Saltation, SweepError> {
        let (base, from, time) = (self.base(), self.phase, self.time.max(event.time()));
        let after = phase_after(base, event);
        let unknown = SweepError::Kind { time, kind: event.kind, from: event.phase_before, to: event.phase_after };
        let crossing = EventRule::of(base, event, from, after).ok_or(unknown)?;
        if let EventRule::Impact { .. } = crossing {
            self.obeys(&crossing, event, after)?;
        }

        if let Some(joint) = self.joint.take().filter(|joint| time - joint.time <= 1e-9 * (1.0 + time)) {
            let margin = self.margin(&crossing, event.place, time);
            if margin.value < -JUMPED_BELOW * margin.size {
                self.reset(&crossing, event.place, self.x[0], after, &joint.shift.time_by);
                *before = joint.before;
                return Ok(joint.shift);
            }
        }

        let margin = self.locate(&crossing, event.place, event.kind, time)?;
        let touches = matches!(crossing, EventRule::Impact { .. });
        let transversality =
            if touches { margin.rate.abs() / event.before.velocity.norm() } else { margin.rate.abs() / margin.size };
        // A path that bends away from the ground may miss it after a small change; one that falls on it will not.
        let bends = !touches || {
            let force = base.scene.forces.force_at(&event.before);
            let along = event.before.velocity.dot(&event.frame.tangent);
            let push =
                normal_force(base.scene.ball.mass(), event.frame.curvature, along, force.dot(&event.frame.normal));
            Press::of(push, 0.0) == Some(Press::Leaves)
        };
        let place = event.place;
        // For a short hop velocities determine its end, and the end's derivatives, better than places.
        let hop = self.hop.take().filter(|_| touches);
        let late = hop.as_ref().and_then(|hop| self.end_correction(hop, place, self.contact_point(place)));
        self.shift(late.unwrap_or(0.0));
        let s = self.contact_point(place);
        let time_by = match hop.filter(|_| late.is_some()) {
            Some(hop) => self.hop_delays(&hop, place, s),
            None => self.delays(&crossing, place, margin.rate),
        };
        self.reset(&crossing, place, s, after, &time_by);
        if touches && after == SweepPhase::Flight {
            self.hop = Some(self.hop_from(place, &time_by));
        }
        Ok(Saltation { time_by, transversality, grazing: bends && transversality < GRAZING })
    }

    /// Takes state and derivatives from one piece or corner of the ground to the next.
    pub fn pass_joint(&mut self, forward: bool, next: Place) -> Result<Saltation, SweepError> {
        let SweepPhase::Contact { mode, .. } = self.phase else { return Err(SweepError::Pieces { time: self.time }) };
        let crossing = EventRule::Joint { forward, next };
        // A joint is no event of the run; the kind is for errors only.
        let margin = self.locate(&crossing, next, EventKind::EndOfGround, self.time)?;
        let time_by = self.delays(&crossing, next, margin.rate);
        self.reset(&crossing, next, self.x[0], SweepPhase::Contact { place: next, mode }, &time_by);
        let transversality = margin.rate.abs() / margin.size;
        Ok(Saltation { time_by, transversality, grazing: transversality < GRAZING })
    }

    /// Refuses an impact after which the law of a single contact gives another velocity than the run.
    fn obeys(&self, crossing: &EventRule, event: &Event, after: SweepPhase) -> Result<(), SweepError> {
        if let Some(own) = self.base().scene.law_at(event.place).own_impact() {
            return Err(SweepError::ImpactLaw { time: event.time(), law: own.name() });
        }
        let [q, v] = [event.before.position, event.before.velocity];
        let x = [q.x, q.y, v.x, v.y, event.before.spin, 0.0].map(constant);
        let (base, s) = (self.base(), constant(event.place.parameter()));
        let next = base.on_ground(after, &crossing.reset(base, event.place, s, &x));
        let run = event.after.velocity;
        let off = (next[2].0[0] - run.x).hypot(next[3].0[0] - run.y);
        // Written so that NaN does not pass.
        if off <= 1e-6 * v.norm() { Ok(()) } else { Err(SweepError::TwoContacts { time: event.time() }) }
    }

    /// The condition at the current state and its rate, by dual numbers along the motion.
    fn margin(&self, crossing: &EventRule, touched: Place, time: f64) -> Margin {
        let (base, before, x) = (self.base(), self.phase, self.x);
        let still = x.map(constant);
        let [t0, t1] = [constant(time), Taylor([time, 1.0])];
        let f_before = base.motion(before, time, &x);
        let condition = |t, x: &_| crossing.condition(base, before, touched, t, x);
        let unit = |i: usize| std::array::from_fn(|k| if k == i { f_before[i] } else { 0.0 });
        let terms = (0..6).map(|i| condition(t0, &along(&x, &unit(i))).0[1].abs());
        Margin {
            value: condition(t0, &still).0[0],
            rate: condition(t1, &along(&x, &f_before)).0[1],
            size: condition(t1, &still).0[1].abs() + terms.sum::<f64>(),
        }
    }

    /// Moves the state to the zero of the condition, which the run has found up to its own error.
    fn locate(
        &mut self,
        crossing: &EventRule,
        touched: Place,
        kind: EventKind,
        time: f64,
    ) -> Result<Margin, SweepError> {
        let margin = self.margin(crossing, touched, time);
        if margin.rate == 0.0 || !margin.rate.is_finite() {
            return Err(SweepError::Touch { time, kind });
        }
        self.time = time;
        self.shift(-margin.value / margin.rate);
        Ok(margin)
    }

    /// Advances state and derivatives by `late` s, a time so short that rates are constant.
    fn shift(&mut self, late: f64) {
        let f_before = self.base().motion(self.phase, self.time, &self.x);
        self.time += late;
        for (x, rate) in self.x.iter_mut().zip(&f_before) {
            *x += rate * late;
        }
        let variation = Variation::of(self.family, self.phase, self.time, &self.x);
        for (j, by) in self.by.iter_mut().enumerate() {
            let rates = variation.by(j, by);
            (0..6).for_each(|i| by[i] += rates[i] * late);
        }
    }

    /// Parameter of the ground point under the ball, on a place's piece or corner.
    fn contact_point(&self, place: Place) -> f64 {
        match self.phase {
            SweepPhase::Flight => {
                let frame = self.base().scene.ground.frame(place);
                let off = nalgebra::Vector2::new(self.x[0], self.x[1]) - frame.position;
                place.parameter() + off.dot(&frame.tangent) / frame.speed
            }
            SweepPhase::Contact { .. } => self.x[0],
        }
    }

    /// Delays `δt = −(D g S + ∂_p g)/ġ` by each parameter.
    fn delays(&self, crossing: &EventRule, touched: Place, rate: f64) -> Vec<f64> {
        let (t0, still) = (constant(self.time), self.x.map(constant));
        let condition = |model: &Model, x: &_| crossing.condition(model, self.phase, touched, t0, x);
        let delay = |(j, by): (usize, &Vector<f64>)| {
            let own = self.family.by(j, |model| [condition(model, &still).0[0]])[0];
            -(condition(self.base(), &along(&self.x, by)).0[1] + own) / rate
        };
        self.by.iter().enumerate().map(delay).collect()
    }

    /// Applies the reset of an event with delays `time_by` and the contact point at `s` of `place`.
    fn reset(&mut self, crossing: &EventRule, place: Place, s: f64, after: SweepPhase, time_by: &[f64]) {
        let (family, base, before) = (self.family, self.base(), self.phase);
        let start = JumpStart { time: self.time, x: self.x, by: std::mem::take(&mut self.by) };
        let rates = base.motion(before, self.time, &self.x);
        let frame = base.frame(place, constant(s));
        self.point = s;
        for (j, (late, by)) in time_by.iter().zip(&start.by).enumerate() {
            // Derivative of the contact point; in contact it is part of the state.
            let moved = |i: usize| by[i] + rates[i] * late;
            let point = match before {
                SweepPhase::Flight => {
                    let own = family.by(j, |model| value(&model.frame(place, constant(s)).position));
                    let [tx, ty] = value(&frame.tangent);
                    (tx * (moved(0) - own[0]) + ty * (moved(1) - own[1])) / frame.speed.0[0]
                }
                SweepPhase::Contact { .. } => moved(0),
            };
            self.moved_by[j] = [*late, point];
        }
        self.apply(&start, before, after, |model, _, s, x| (constant(0.0), crossing.reset(model, place, s, x)));
    }

    /// Applies the summed-up bounces that the last impact began; returns the delays of their end.
    pub fn land(&mut self, capture: &Capture, start: &JumpStart, event: &Event) -> Vec<f64> {
        let bounces = Bounces { place: capture.place, sticks: capture.sticks(), at_once: !(capture.duration > 0.0) };
        let after = phase_after(self.base(), event);
        self.apply(start, SweepPhase::Flight, after, |model, time, s, x| {
            let Landed { duration, after } = jump(model, bounces, time, s, x);
            (duration, after)
        })
    }

    /// Sets state and derivatives after a reset R that begins `δt` late and takes the time T (0 but for summed-up
    /// bounces). Returns the delays δt⁺ of its end by each parameter.
    ///
    /// ```text
    /// δt⁺ = δt + D T (S⁻ + f⁻ δt) + ∂_p T + ∂_t T δt      S⁺ = D R (S⁻ + f⁻ δt) + ∂_p R + ∂_t R δt − f⁺ δt⁺
    /// ```
    fn apply(
        &mut self,
        start: &JumpStart,
        before: SweepPhase,
        after: SweepPhase,
        reset: impl Fn(&Model, Dual, Dual, &Vector<Dual>) -> (Dual, Vector<Dual>),
    ) -> Vec<f64> {
        let (family, base, s) = (self.family, self.base(), self.point);
        let (t0, still) = (constant(start.time), start.x.map(constant));
        let numbers = |model: &Model| {
            let (took, [a, b, c, d, e, f]) = reset(model, t0, constant(s), &still);
            value(&[took, a, b, c, d, e, f])
        };
        let f_before = base.motion(before, start.time, &start.x);
        let [took, x @ ..] = numbers(base);
        self.time = start.time + took;
        let f_after = base.motion(after, self.time, &x);
        let mut time_by = Vec::with_capacity(start.by.len());
        self.by.clear();
        for (j, by) in start.by.iter().enumerate() {
            let [late, point] = self.moved_by[j];
            let moved: Vector<f64> = std::array::from_fn(|i| by[i] + f_before[i] * late);
            let (slower, carried) =
                reset(base, Taylor([start.time, late]), Taylor([s, point]), &along(&start.x, &moved));
            let [own_time, own @ ..] = family.by(j, numbers);
            let late = late + slower.0[1] + own_time;
            self.by.push(std::array::from_fn(|i| carried[i].0[1] + own[i] - f_after[i] * late));
            time_by.push(late);
        }
        (self.x, self.phase) = (x, after);
        time_by
    }

    /// The hop that begins with an impact of these delays.
    fn hop_from(&self, place: Place, time_by: &[f64]) -> Hop {
        let [nx, ny] = value(&self.base().frame(place, constant(self.point)).normal);
        let rise = nx * self.x[2] + ny * self.x[3];
        let gap_by = time_by.iter().map(|late| -rise * late).collect();
        Hop { time: self.time, place, s: self.point, x: self.x, by: self.by.clone(), gap_by }
    }

    /// Time, s, from now to the end of a short hop near `s` on the piece or corner where it began; `None` for any other
    /// flight. The hop ends where `∫ v·n dt` is zero: at 1e-6 m/s the rounding of a place would shift the touch by more
    /// than its uncertainty.
    fn end_correction(&self, hop: &Hop, place: Place, s: f64) -> Option<f64> {
        let span = self.time - hop.time;
        if !(0.0 < span && span < SHORT && place.same_feature(hop.place)) {
            return None;
        }
        let HopNodes { balls: [_, half, _], rise, fall } = self.hop_nodes(hop, place, s);
        let (_, middle) = self.over_ground(place, half.s, &half.x);
        Some(-span / 6.0 * (rise + 4.0 * middle + fall) / fall)
    }

    /// Rate `ṡ` of the nearest ground point, and `v·n` there.
    fn over_ground(&self, place: Place, s: f64, x: &Vector<f64>) -> (f64, f64) {
        let frame = self.base().frame(place, constant(s));
        let velocity = [x[2], x[3]];
        (dot(velocity, value(&frame.tangent)) / frame.speed.0[0], dot(velocity, value(&frame.normal)))
    }

    /// Nodes of Simpson's rule over a hop that ends now at `s`; halfway by Hermite cubics.
    fn hop_nodes(&self, hop: &Hop, place: Place, s: f64) -> HopNodes {
        let span = self.time - hop.time;
        let rates = |time: f64, x: &Vector<f64>| self.base().motion(SweepPhase::Flight, time, x);
        let (f0, f1) = (rates(hop.time, &hop.x), rates(self.time, &self.x));
        let (s0_rate, rise) = self.over_ground(place, hop.s, &hop.x);
        let (s1_rate, fall) = self.over_ground(place, s, &self.x);
        let first = Above { place, s: hop.s, gap: 0.0, x: hop.x };
        let last = Above { place, s, gap: 0.0, x: self.x };
        let half = Above {
            place,
            s: middle(span, [hop.s, s], [s0_rate, s1_rate]),
            gap: middle(span, [0.0; 2], [rise, fall]),
            x: std::array::from_fn(|i| middle(span, [hop.x[i], self.x[i]], [f0[i], f1[i]])),
        };
        HopNodes { balls: [first, half, last], rise, fall }
    }

    /// Delays δt by each parameter of the end of a short hop, whose begin is delayed by δt₀; `rise` and `fall` are
    /// `v·n` at its begin and end. By Simpson's rule:
    ///
    /// ```text
    /// δt = −∂gap/fall,    ∂gap = −rise δt₀ + ∫ ∂(v·n) dt
    /// ```
    ///
    /// The difference between ball and ground, `n·(S − ∂_p r)`, would have the rounding of `∂_p r`, some 1e-12, divided
    /// by the small velocity of a slow touch.
    fn hop_delays(&self, hop: &Hop, place: Place, s: f64) -> Vec<f64> {
        let span = self.time - hop.time;
        let HopNodes { balls: [first, half, last], fall, .. } = self.hop_nodes(hop, place, s);
        let flight = |time: f64, x: &Vector<f64>| Variation::of(self.family, SweepPhase::Flight, time, x);
        let (begin, end) = (flight(hop.time, &hop.x), flight(self.time, &self.x));
        let delay = |(j, (by0, by1)): (usize, (&Vector<f64>, &Vector<f64>))| {
            let (rate0, rate1) = (begin.by(j, by0), end.by(j, by1));
            let by = std::array::from_fn(|i| middle(span, [by0[i], by1[i]], [rate0[i], rate1[i]]));
            let sum = self.approach(&first, j, by0) + 4.0 * self.approach(&half, j, &by) + self.approach(&last, j, by1);
            -(hop.gap_by[j] + span / 6.0 * sum) / fall
        };
        hop.by.iter().zip(&self.by).enumerate().map(delay).collect()
    }

    /// `∂(v·n)` by one parameter, with the normal of the nearest ground point.
    fn approach(&self, ball: &Above, j: usize, by: &Vector<f64>) -> f64 {
        let Above { place, s, gap, x } = *ball;
        let frame = self.base().frame(place, constant(s));
        let own = |model: &Model| {
            let frame = model.frame(place, constant(s));
            let ([px, py], [nx, ny]) = (value(&frame.position), value(&frame.normal));
            [px, py, nx, ny]
        };
        let same = self.family.moves_as(j)[1];
        let [px, py, nx, ny] = if same { [0.0; 4] } else { self.family.by(j, own) };
        // The ground point moves with the ball and with the ground; the normal turns with it.
        let shrink = 1.0 - frame.curvature.0[0] * gap;
        let off = [by[0] - px - gap * nx, by[1] - py - gap * ny];
        let point = dot(value(&frame.tangent), off) / (frame.speed.0[0] * shrink);
        let turned = slope(&self.base().frame(place, Taylor([s, point])).normal);
        dot(value(&frame.normal), [by[2], by[3]]) + dot([x[2], x[3]], [turned[0] + nx, turned[1] + ny])
    }
}

/// Duration of a hop, s, below which its delay comes from the integral of `v·n` instead of places.
const SHORT: f64 = 1e-3;

/// The ball at the begin, halfway and at the end of a hop, and its `v·n` (m/s) at both ends.
struct HopNodes {
    balls: [Above; 3],
    rise: f64,
    fall: f64,
}

/// The ball above parameter `s` of a place's piece or corner, `gap` m away.
struct Above {
    place: Place,
    s: f64,
    gap: f64,
    x: Vector<f64>,
}

/// Value halfway between two values with these rates, by Hermite's cubic.
fn middle(span: f64, [a, b]: [f64; 2], [a_rate, b_rate]: [f64; 2]) -> f64 {
    0.5 * (a + b) + 0.125 * span * (a_rate - b_rate)
}
