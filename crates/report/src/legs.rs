//! Balls of a run event by event between their events: parabolas, for the page and the figures.

use std::collections::VecDeque;

use scenario::stepping::BallLeg;
use supervisor::{Phase, Scene};

/// Legs kept of all balls; what comes later is not shown, but for the last ones of each ball, as many in all.
const MOST: usize = 100_000;
/// Tolerance of the gap, by its size; a leg is halved at most [`KINKS`] times where the nearest point jumps.
const GAP: f64 = 1e-6;
const KINKS: u32 = 9;

/// Motion of a ball from one time on, by constant accelerations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    /// s
    pub time: f64,
    /// m
    pub position: [f64; 2],
    /// m/s
    pub velocity: [f64; 2],
    /// m/s²
    pub acceleration: [f64; 2],
    /// rad, rad/s, rad/s²
    pub turning: [f64; 3],
    /// Phase of the ball.
    pub phase: Phase,
    /// λ and f, N.
    pub forces: [f64; 2],
    /// Energy dissipated so far, J.
    pub dissipated: f64,
    /// From other balls so far, J.
    pub exchanged: f64,
    /// To the ground, m, and the normal of the ground there.
    pub gap: f64,
    /// See [`gap`](Self::gap).
    pub normal: [f64; 2],
    /// Whether there is no more than a straight line to the next one.
    pub stepped: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Told {
    /// s
    pub time: f64,
    /// Phase of the ball.
    pub phase: Phase,
    /// m
    pub position: [f64; 2],
    /// m/s
    pub velocity: [f64; 2],
    /// λ, N.
    pub normal_force: f64,
    /// J
    pub kinetic: f64,
    /// J
    pub potential: f64,
    /// J
    pub dissipated: f64,
}

/// Mass, inertia and weight of a ball.
#[derive(Clone, Copy, Debug)]
struct Body {
    mass: f64,
    inertia: f64,
    weight: [f64; 2],
}

impl Body {
    fn of(scene: &Scene) -> Self {
        let (ball, gravity) = (&scene.ball, scene.forces.gravity_vector());
        let weight = [ball.mass() * gravity.x, ball.mass() * gravity.y];
        Body { mass: ball.mass(), inertia: ball.inertia(), weight }
    }

    /// Kinetic and potential energy, J.
    fn energies(&self, [x, y]: [f64; 2], [u, v]: [f64; 2], spin: f64) -> [f64; 2] {
        let kinetic = 0.5 * self.mass * (u * u + v * v) + 0.5 * self.inertia * spin * spin;
        [kinetic, -(self.weight[0] * x + self.weight[1] * y)]
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Legs {
    balls: Vec<Vec<Leg>>,
    bodies: Vec<Body>,
    count: usize,
    end: f64,
    full: bool,
    /// The last legs of each ball once there are too many, and until when they go, s.
    late: Vec<VecDeque<Leg>>,
    last: f64,
}

impl Legs {
    pub fn new(scenes: &[Scene]) -> Self {
        let bodies = scenes.iter().map(Body::of).collect();
        Legs {
            balls: vec![Vec::new(); scenes.len()],
            late: vec![VecDeque::new(); scenes.len()],
            bodies,
            ..Legs::default()
        }
    }

    /// The next leg of a ball. One that goes on as before only tells how near the ground is: these go first where there are many.
    pub fn add(&mut self, scene: &Scene, leg: &BallLeg) {
        let BallLeg { ball, state, acceleration, spin_acceleration, phase, forces, exchanged, stepped, continues } =
            *leg;
        self.last = state.time;
        if !self.full {
            self.end = state.time;
            self.full = self.count >= MOST;
        }
        if continues && self.count >= MOST / 2 {
            return;
        }
        // Of those that only a path is drawn of no gap is asked for.
        let (gap, normal) = if self.full { (0.0, [0.0; 2]) } else { nearest(scene, state.position.into()) };
        let new = Leg {
            time: state.time,
            position: state.position.into(),
            velocity: state.velocity.into(),
            acceleration: acceleration.into(),
            turning: [state.angle, state.spin, spin_acceleration],
            phase,
            forces,
            dissipated: state.dissipated,
            exchanged,
            gap,
            normal,
            stepped,
        };
        if self.full {
            let most = (MOST / self.balls.len()).max(2);
            let late = &mut self.late[ball];
            if late.len() >= most {
                late.pop_front();
            }
            return late.push_back(new);
        }
        let (legs, body) = (&mut self.balls[ball], &self.bodies[ball]);
        self.count -= legs.len();
        // Of two at one time the later one counts.
        if let Some(last) = legs.pop().filter(|last| last.time < new.time) {
            let kinks = if self.count < MOST / 2 { KINKS } else { 0 };
            last.refined(&new, body, kinks, &|position| nearest(scene, position), legs);
        }
        legs.push(new);
        self.count += legs.len();
    }

    /// Legs of each ball, in the order of time.
    pub fn balls(&self) -> &[Vec<Leg>] {
        &self.balls
    }

    /// The legs that end with the run, of a ball, and from when on all balls have them, s.
    pub fn ending(&self, ball: usize) -> (Vec<Leg>, f64) {
        if !self.full {
            return (self.balls[ball].clone(), f64::NEG_INFINITY);
        }
        let first = |legs: &VecDeque<Leg>| legs.front().map_or(self.last, |leg| leg.time);
        (self.late[ball].iter().copied().collect(), self.late.iter().map(first).fold(f64::NEG_INFINITY, f64::max))
    }

    /// Time at which the last leg of all was told, s.
    pub fn last(&self) -> f64 {
        self.last
    }

    /// Until when it is known, s, if not to the end.
    pub fn cut(&self) -> Option<f64> {
        self.full.then_some(self.end)
    }

    /// Times at which a figure of all balls is drawn, in their order, about as many as asked: those of events twice, just before
    /// and after, and between these so many that arcs are seen; where there are more events than that equal distances of time.
    pub fn times(&self, most: usize) -> Vec<(f64, bool)> {
        let mut breaks: Vec<f64> = self.balls.iter().flatten().map(|leg| leg.time).collect();
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

    /// A ball at times in their order, each with whether it is just before what happens then.
    pub fn at(&self, ball: usize, times: &[(f64, bool)]) -> Vec<Told> {
        let (legs, body) = (&self.balls[ball], &self.bodies[ball]);
        let mut next = 1;
        let mut told = Vec::with_capacity(times.len());
        for (time, before) in times.iter().copied() {
            while legs.get(next).is_some_and(|leg| leg.time < time || (leg.time <= time && !before)) {
                next += 1;
            }
            let Some(leg) = legs.get(next - 1) else { break };
            told.push(leg.at(time, legs.get(next), body));
        }
        told
    }
}

/// Gap to the ground, m, and the ground's normal there.
fn nearest(scene: &Scene, position: [f64; 2]) -> (f64, [f64; 2]) {
    let (place, gap) = scene.ground.place_and_gap(position.into());
    (gap, scene.ground.frame(place).normal.into())
}

impl Leg {
    /// Adds it in as many parts as the gap takes, which between two is known by its size and rate at both.
    fn refined(
        self,
        next: &Leg,
        body: &Body,
        kinks: u32,
        nearest: &impl Fn([f64; 2]) -> (f64, [f64; 2]),
        legs: &mut Vec<Leg>,
    ) {
        let time = 0.5 * (self.time + next.time);
        if kinks == 0 || self.stepped || !(self.time < time && time < next.time) {
            return legs.push(self);
        }
        let Told { position, velocity, dissipated, .. } = self.at(time, Some(next), body);
        let (gap, normal) = nearest(position);
        let long = next.time - self.time;
        let end = [0, 1].map(|i| self.velocity[i] + self.acceleration[i] * long);
        let rate = |[u, v]: [f64; 2], [nx, ny]: [f64; 2]| u * nx + v * ny;
        let rates = rate(self.velocity, self.normal) - rate(end, next.normal);
        let guess = 0.5 * (self.gap + next.gap) + 0.125 * long * rates;
        if (guess - gap).abs() <= GAP * self.gap.max(next.gap).max(gap) {
            return legs.push(self);
        }
        let [angle, spin, turn] = self.turning;
        let t = time - self.time;
        let turning = [angle + (spin + 0.5 * turn * t) * t, spin + turn * t, turn];
        let middle = Leg { time, position, velocity, turning, dissipated, gap, normal, ..self };
        self.refined(&middle, body, kinks - 1, nearest, legs);
        middle.refined(next, body, kinks - 1, nearest, legs);
    }

    /// Place at a time, m.
    pub fn place(&self, time: f64, next: Option<&Leg>) -> [f64; 2] {
        let t = time - self.time;
        match next.filter(|_| self.stepped) {
            Some(next) => {
                let part = t / (next.time - self.time);
                [0, 1].map(|i| self.position[i] + part * (next.position[i] - self.position[i]))
            }
            None => [0, 1].map(|i| self.position[i] + (self.velocity[i] + 0.5 * self.acceleration[i] * t) * t),
        }
    }

    fn at(&self, time: f64, next: Option<&Leg>, body: &Body) -> Told {
        let (t, position) = (time - self.time, self.place(time, next));
        let [_, spin, spin_acceleration] = self.turning;
        let velocity = [0, 1].map(|i| self.velocity[i] + self.acceleration[i] * t);
        let [kinetic, potential] = body.energies(position, velocity, spin + spin_acceleration * t);
        let dissipated = match next.filter(|_| self.stepped) {
            Some(next) => self.dissipated + t / (next.time - self.time) * (next.dissipated - self.dissipated),
            None if self.phase == Phase::Flight => self.dissipated,
            // Gravity is all that does work: friction takes what is missing.
            None => {
                let begin: f64 = body.energies(self.position, self.velocity, spin).iter().sum();
                self.dissipated + begin - kinetic - potential
            }
        };
        let normal_force = self.forces[0];
        Told { time, phase: self.phase, position, velocity, normal_force, kinetic, potential, dissipated }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail loudly")]
mod tests {
    use std::path::Path;

    use scenario::Scenario;

    use crate::output::Recorder;

    /// Rows of ten to a run or a thousand: between its events a ball is where it is, before and after each it has its velocities.
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
            let mut record = Recorder::new(&scenario, None, Box::new(|_| ())).unwrap();
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
        for (a, b) in few.iter().flatten().zip(many.iter().flatten()) {
            let off = (0..2).map(|i| (a.position[i] - b.position[i]).abs().max((a.velocity[i] - b.velocity[i]).abs()));
            let lost = (a.dissipated - b.dissipated).abs();
            assert!(off.fold(lost, f64::max) < 1e-12 && a.time == b.time, "{a:?}\n{b:?}");
        }
        let bounces = few[0].iter().filter(|told| told.position[1] < 0.03).count();
        assert!(few[0].len() == 1000 && bounces > 10, "{bounces}");
    }
}
