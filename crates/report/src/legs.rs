//! [`Legs`]: motion of several balls between events of an event-driven run, for the page and the figures.

use std::collections::VecDeque;

use mechanics::State;
use nalgebra::Vector2;
use scenario::stepping::BallLeg;
use supervisor::{Phase, Scene};

/// Maximum number of legs of all balls; of later ones only the last of each ball are kept, as many in all.
const MOST: usize = 100_000;
/// Relative tolerance of the gap; a leg is halved at most [`KINKS`] times where the nearest point jumps.
const GAP: f64 = 1e-6;
const KINKS: u32 = 9;

/// Motion of a ball from one time on, with constant accelerations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub told: BallLeg,
    /// Gap to the ground, m.
    pub gap: f64,
    /// Normal of the nearest ground.
    pub normal: Vector2<f64>,
}

/// Kinetic and potential energy of a ball, J.
fn energies(scene: &Scene, state: &State) -> [f64; 2] {
    let (ball, gravity) = (&scene.ball, scene.forces.gravity_vector());
    let raised = ball.mass() * gravity.x * state.position.x + ball.mass() * gravity.y * state.position.y;
    [ball.kinetic_energy(state.velocity, state.spin), -raised]
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Legs {
    /// Legs of each ball, in the order of time.
    pub balls: Vec<Vec<Leg>>,
    scenes: Vec<Scene>,
    count: usize,
    end: f64,
    full: bool,
    /// The last legs of each ball, once there are more than [`MOST`].
    late: Vec<VecDeque<Leg>>,
    /// Time of the last leg of all balls, s.
    pub last: f64,
}

impl Legs {
    pub fn new(scenes: &[Scene]) -> Self {
        let (balls, late) = (vec![Vec::new(); scenes.len()], vec![VecDeque::new(); scenes.len()]);
        Legs { balls, late, scenes: scenes.to_vec(), ..Legs::default() }
    }

    /// Adds the next leg of a ball. Legs that only continue the motion (for gaps) are dropped first if there are too
    /// many.
    pub fn add(&mut self, scene: &Scene, leg: &BallLeg) {
        let BallLeg { ball, state, continues, .. } = *leg;
        self.last = state.time;
        if !self.full {
            self.end = state.time;
            self.full = self.count >= MOST;
        }
        if continues && self.count >= MOST / 2 {
            return;
        }
        // Gaps are not needed where only the path is drawn.
        let (gap, normal) = if self.full { Default::default() } else { nearest(scene, state.position) };
        let new = Leg { told: *leg, gap, normal };
        if self.full {
            let most = (MOST / self.balls.len()).max(2);
            let late = &mut self.late[ball];
            if late.len() >= most {
                late.pop_front();
            }
            return late.push_back(new);
        }
        let legs = &mut self.balls[ball];
        self.count -= legs.len();
        // A leg replaces an earlier one at the same time.
        if let Some(last) = legs.pop().filter(|last| last.time() < new.time()) {
            let kinks = if self.count < MOST / 2 { KINKS } else { 0 };
            last.until(&new).refined(&new, scene, kinks, legs);
        }
        legs.push(new);
        self.count += legs.len();
    }

    /// The last legs of a ball up to the end of the run, and the time (s) from which on all balls have them.
    pub fn ending(&self, ball: usize) -> (Vec<Leg>, f64) {
        if !self.full {
            return (self.balls[ball].clone(), f64::NEG_INFINITY);
        }
        let first = |legs: &VecDeque<Leg>| legs.front().map_or(self.last, Leg::time);
        (self.late[ball].iter().copied().collect(), self.late.iter().map(first).fold(f64::NEG_INFINITY, f64::max))
    }

    /// Time until which the motion is known, s; `None`: to the end.
    pub fn cut(&self) -> Option<f64> {
        self.full.then_some(self.end)
    }

    /// About `most` times in order, for a figure of all balls, each with whether the state before an event at that time
    /// is meant. Each event is there twice, with enough times for the arcs between; many events give equal steps.
    pub fn times(&self, most: usize) -> Vec<(f64, bool)> {
        let mut breaks: Vec<f64> = self.balls.iter().flatten().map(Leg::time).collect();
        breaks.push(self.end);
        breaks.sort_by(f64::total_cmp);
        breaks.dedup();
        let (Some(first), Some(last)) = (breaks.first().copied(), breaks.last().copied()) else { return Vec::new() };
        let parts = most / breaks.len().max(1);
        if parts < 4 {
            return (0..=most).map(|i| (first + (last - first) * i as f64 / most as f64, true)).collect();
        }
        let between = |pair: &[f64]| {
            let ([from, to], parts) = ([pair[0], pair[1]], (parts - 2).min(16));
            let inside = (1..parts).map(move |i| (from + (to - from) * i as f64 / parts as f64, false));
            std::iter::once((from, false)).chain(inside).chain([(to, true)])
        };
        breaks.windows(2).flat_map(between).collect()
    }

    /// States and energies of a ball at such [`times`](Self::times).
    pub fn at(&self, ball: usize, times: &[(f64, bool)]) -> Vec<(BallLeg, [f64; 2])> {
        let (legs, scene) = (&self.balls[ball], &self.scenes[ball]);
        let mut next = 1;
        let mut told = Vec::with_capacity(times.len());
        for (time, before) in times.iter().copied() {
            while legs.get(next).is_some_and(|leg| leg.time() < time || (leg.time() <= time && !before)) {
                next += 1;
            }
            let Some(leg) = legs.get(next - 1) else { break };
            told.push(leg.at(time, legs.get(next), scene));
        }
        told
    }
}

/// Gap to the ground, m, and the normal at the nearest point.
fn nearest(scene: &Scene, position: Vector2<f64>) -> (f64, Vector2<f64>) {
    let (place, gap) = scene.ground.place_and_gap(position);
    (gap, scene.ground.frame(place).normal)
}

impl Leg {
    pub fn time(&self) -> f64 {
        self.told.state.time
    }

    /// The leg with the mean accelerations up to the next one if the ball is time stepped: those of its steps hold
    /// impulses.
    fn until(mut self, next: &Leg) -> Self {
        let (now, long) = (self.told.state, next.time() - self.time());
        if self.told.stepped {
            self.told.acceleration = (next.told.state.velocity - now.velocity) / long;
            self.told.spin_acceleration = (next.told.state.spin - now.spin) / long;
        }
        self
    }

    /// Adds the leg in as many parts as the gap needs, which is interpolated from values and rates at both ends.
    fn refined(self, next: &Leg, scene: &Scene, kinks: u32, legs: &mut Vec<Leg>) {
        let (from, to) = (self.time(), next.time());
        let time = 0.5 * (from + to);
        if kinks == 0 || self.told.stepped || !(from < time && time < to) {
            return legs.push(self);
        }
        let (told, _) = self.at(time, Some(next), scene);
        let (gap, normal) = nearest(scene, told.state.position);
        let long = to - from;
        let end = self.told.state.velocity + self.told.acceleration * long;
        let rates = self.told.state.velocity.dot(&self.normal) - end.dot(&next.normal);
        let guess = 0.5 * (self.gap + next.gap) + 0.125 * long * rates;
        if (guess - gap).abs() <= GAP * self.gap.max(next.gap).max(gap) {
            return legs.push(self);
        }
        let middle = Leg { told, gap, normal };
        self.refined(&middle, scene, kinks - 1, legs);
        middle.refined(next, scene, kinks - 1, legs);
    }

    /// Place at a time, m.
    pub fn place(&self, time: f64, next: Option<&Leg>) -> Vector2<f64> {
        let (t, BallLeg { state, acceleration, .. }) = (time - self.time(), self.told);
        match next.filter(|_| self.told.stepped) {
            Some(next) => {
                state.position + (next.told.state.position - state.position) * (t / (next.time() - self.time()))
            }
            None => state.position + (state.velocity + acceleration * 0.5 * t) * t,
        }
    }

    /// State of the ball at a time, with its kinetic and potential energy.
    fn at(&self, time: f64, next: Option<&Leg>, scene: &Scene) -> (BallLeg, [f64; 2]) {
        let (t, BallLeg { state: begin, acceleration, spin_acceleration, phase, .. }) = (time - self.time(), self.told);
        let state = State {
            time,
            position: self.place(time, next),
            velocity: begin.velocity + acceleration * t,
            angle: begin.angle + (begin.spin + 0.5 * spin_acceleration * t) * t,
            spin: begin.spin + spin_acceleration * t,
            ..begin
        };
        let [kinetic, potential] = energies(scene, &state);
        let dissipated = match next.filter(|_| self.told.stepped) {
            Some(next) => {
                let part = t / (next.time() - self.time());
                begin.dissipated + part * (next.told.state.dissipated - begin.dissipated)
            }
            None if phase == Phase::Flight => begin.dissipated,
            // Only gravity does work, so the missing energy was dissipated by friction.
            None => begin.dissipated + energies(scene, &begin).iter().sum::<f64>() - kinetic - potential,
        };
        (BallLeg { state: State { dissipated, ..state }, ..self.told }, [kinetic, potential])
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail loudly")]
mod tests {
    use std::path::Path;

    use scenario::Scenario;

    use crate::output::Recorder;

    /// Rows of ten to a run or a thousand: between its events a ball is where it is, before and after each it has its
    /// velocities.
    #[test]
    fn balls_are_known_between_their_rows() {
        let run = |interval: f64, then: &mut dyn FnMut(&super::Legs)| {
            let text = format!(
                "ball = [{{ radius = 0.02, initial = {{ position = [-0.3, 0.8], velocity = [0.5, 0] }} }}, \
                 {{ radius = 0.02, initial = {{ position = [0.3, 0.6], velocity = [-0.3, 0] }} }}]\n\
                 ground = {{ curve = {{ kind = \"polyline\", points = [[-1, 1], [-1, 0], [1, 0], [1, 1]] }} }}\n\
                 contact = {{ restitution = 0.8, friction = 0.2 }}\n\
                 solver = {{ method = \"events\", step = 1e-3, duration = 3 }}\noutput = {{ interval = {interval} }}\n"
            );
            let scenario = Scenario::from_text(&text, Path::new(""), &[]).unwrap();
            let mut record = Recorder::new(&scenario, None, Box::new(|_| ())).unwrap().with_film();
            record.run().unwrap();
            then(record.trace.legs.as_ref().unwrap());
        };
        let (times, mut few, mut many) =
            (Vec::from_iter((0..=999).map(|i| (0.003 * f64::from(i), false))), vec![], vec![]);
        run(0.3, &mut |legs| few = (0..2).map(|ball| legs.at(ball, &times)).collect());
        run(0.003, &mut |legs| {
            many = (0..2).map(|ball| legs.at(ball, &times)).collect();
            let both = legs.times(8000);
            let jumps = both.windows(2).filter(|pair| pair[0].0 >= pair[1].0).count();
            assert!(jumps > 10 && both.iter().filter(|(_, before)| *before).count() >= jumps, "{jumps}");
        });
        for ((a, _), (b, _)) in few.iter().flatten().zip(many.iter().flatten()) {
            let (a, b) = (a.state, b.state);
            let off = (a.position - b.position).amax().max((a.velocity - b.velocity).amax());
            assert!(off.max((a.dissipated - b.dissipated).abs()) < 1e-12 && a.time == b.time, "{a:?}\n{b:?}");
        }
        let bounces = few[0].iter().filter(|(told, _)| told.state.position.y < 0.03).count();
        assert!(few[0].len() == 1000 && bounces > 10, "{bounces}");
    }
    /// A ball hits two that rest side by side, which goes to time stepping: no speed between rows is above theirs.
    #[test]
    fn time_stepped_balls_are_no_faster_than_in_their_rows() {
        let text = "ball = [{ radius = 0.05, initial = { contact = { x = -0.4 } } }, \
             { radius = 0.05, initial = { contact = { x = 0.0 } } }, { radius = 0.05, initial = { contact = { x = 0.112 } } }]\n\
             ground = { curve = { kind = \"graph\", y = \"x^2\" } }\n\
             contact = { restitution = 0, balls = { restitution = 1 } }\n\
             solver = { method = \"events\", step = 1e-3, duration = 1 }\n";
        let scenario = Scenario::from_text(text, Path::new(""), &[]).unwrap();
        let mut record = Recorder::new(&scenario, None, Box::new(|_| ())).unwrap().with_film();
        record.run().unwrap();
        let legs = record.trace.legs.as_ref().unwrap();
        let mut stepped = 0;
        for ball in 0..3 {
            let speed = |told: &scenario::stepping::BallLeg| told.state.velocity.norm();
            let most = legs.balls[ball].iter().map(|leg| speed(&leg.told)).fold(0.0, f64::max);
            for (told, _) in legs.at(ball, &legs.times(8000)).iter().filter(|(told, _)| told.stepped) {
                stepped += 1;
                assert!(speed(told) <= most * (1.0 + 1e-12), "{told:?}");
            }
        }
        assert!(stepped > 100, "{stepped}");
    }
}
