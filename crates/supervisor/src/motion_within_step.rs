//! Stretches: the motion over an interval of time within one step, with dense output, bounds and extremes.

use std::cell::OnceCell;

use curves::{Frame, FrameOver, Path, Place, Touched};
use flight::FlightStep;
use mechanics::{Mode, State};
use nalgebra::Vector2;
use numbers::{Interval, Number, Taylor, bisect};
use rolling::{Compressed, CompressedStep, CompressedSystem, ContactState, ContactStep, ContactSystem, Dense};

use crate::guard_search::{MotionRange, law_over, part_of};
use crate::step_cut::at_time;
use crate::wedged_ball::Wedged;
use crate::{Capture, Phase, Sample, Scene};

/// The motion between two times within one step, at every time in between.
pub struct Stretch<'a> {
    scene: &'a Scene,
    from: f64,
    to: f64,
    course: StretchCourse<'a>,
    /// Index of the part of the ground in whose frame the ball is followed.
    part: usize,
    /// Last touches at the begin of the stretch.
    last: Touched,
    /// Dense output of a contact step, made when first used.
    dense: OnceCell<Dense>,
}

#[derive(Clone, Copy)]
pub(crate) enum StretchCourse<'a> {
    Flight(&'a FlightStep),
    Jump(&'a Capture),
    Contact(&'a ContactStep, Mode),
    Rest(&'a ContactState),
    Wedged(&'a Wedged),
    /// Compressed contact; the flag says whether the law pushes.
    Compressed(&'a Compressed, &'a CompressedStep, bool),
}

/// An owned [`Stretch`], without its scene.
#[derive(Clone, Debug)]
pub struct KeptStretch {
    from: f64,
    to: f64,
    part: usize,
    last: Touched,
    course: KeptCourse,
}

#[derive(Clone, Debug)]
enum KeptCourse {
    Flight(Box<FlightStep>),
    Jump(Box<Capture>),
    Contact(Box<ContactStep>, Mode),
    Rest(Box<ContactState>),
    Wedged(Box<Wedged>),
    Compressed(Box<(Compressed, CompressedStep)>, bool),
}

impl<'a> Stretch<'a> {
    /// A stretch in the frame of a `part`, with the last touches at its begin. Moving it copies its dense output.
    #[inline(always)]
    pub(crate) fn new(
        scene: &'a Scene,
        [from, to]: [f64; 2],
        course: StretchCourse<'a>,
        part: usize,
        last: Touched,
    ) -> Self {
        Stretch { scene, from, to, course, part, last, dense: OnceCell::new() }
    }

    /// The stretch up to a time (s) within it.
    pub(crate) fn until(&self, to: f64) -> Self {
        Stretch::new(self.scene, [self.from, to], self.course, self.part, self.last)
    }

    pub(crate) fn scene(&self) -> &'a Scene {
        self.scene
    }

    pub(crate) fn course(&self) -> StretchCourse<'a> {
        self.course
    }

    /// Dense output of the contact step that the stretch is part of.
    pub(crate) fn dense(&self, step: &ContactStep, mode: Mode) -> &Dense {
        self.dense.get_or_init(|| step.dense(&self.scene.system(mode, step.start.place)))
    }

    /// Begin of the stretch, s.
    pub fn from(&self) -> f64 {
        self.from
    }

    /// End of the stretch, s.
    pub fn to(&self) -> f64 {
        self.to
    }

    /// The phase, the same throughout.
    pub fn phase(&self) -> Phase {
        match self.course {
            StretchCourse::Flight(_) | StretchCourse::Jump(_) => Phase::Flight,
            StretchCourse::Contact(_, mode) => mode.into(),
            StretchCourse::Rest(_) => Phase::Resting,
            StretchCourse::Wedged(wedged) => wedged.phase(self.scene),
            StretchCourse::Compressed(..) => Phase::Compressed,
        }
    }

    /// The capture, if the stretch is one.
    pub fn jump(&self) -> Option<Capture> {
        if let StretchCourse::Jump(capture) = self.course { Some(capture.reported(self.scene)) } else { None }
    }

    /// The ball at a time (s) within it.
    pub fn at(&self, time: f64) -> Sample {
        self.scene.reported_sample(self.seen(time))
    }

    /// The ball at a time (s), in the frame of the part of the ground.
    pub(crate) fn seen(&self, time: f64) -> Sample {
        let scene = self.scene;
        let sample = match self.course {
            StretchCourse::Flight(step) => scene.flying(step.at(&scene.forces, time - step.start().time)),
            StretchCourse::Jump(capture) => {
                let acceleration = capture.frame.tangent * capture.acceleration - capture.frame.normal * capture.pull;
                Sample::in_flight(capture.at(time - capture.start.time), acceleration)
            }
            StretchCourse::Contact(step, mode) => {
                let (system, dense) = (scene.system(mode, step.start.place), self.dense(step, mode));
                let t = time - step.start.time;
                let mut state = dense.at(&system, t);
                (state.dissipated, state.work) = dense.ledger(&system, t);
                let sample = Sample::in_contact(&system, &state);
                match step.multiplier(&system, t) {
                    Some(own) => sample.with_multiplier(&system, &state.frame, own),
                    None => sample,
                }
            }
            StretchCourse::Rest(state) => {
                let system = scene.system(Mode::Resting, state.place);
                Sample::in_contact(&system, &resting(&system, state, time))
            }
            StretchCourse::Wedged(wedged) => wedged.after(scene, time).sample(scene),
            StretchCourse::Compressed(method, step, pressing) => match scene.compressed(pressing) {
                Some(system) if time == step.start.time => Sample::compressed(&system, &step.start),
                Some(system) if time == step.end.time => Sample::compressed(&system, &step.end),
                Some(system) => Sample::compressed(&system, &at_time(&mut { *method }, &system, step, time)),
                None => scene.flying(step.start.state(&scene.ground)),
            },
        };
        sample.after(self.last, &scene.ground)
    }

    /// State at a time (s) within it, in the frame at rest; energies of a contact step are those of its start.
    pub fn world(&self, time: f64) -> State {
        let StretchCourse::Contact(step, mode) = self.course else { return self.scene.world(&self.seen(time).state) };
        let system = self.scene.system(mode, step.start.place);
        self.scene.world(&self.dense(step, mode).moving(&system, time - step.start.time).state())
    }

    /// λ at a time (s) within it, N.
    pub(crate) fn normal_force(&self, time: f64) -> f64 {
        let StretchCourse::Contact(step, mode) = self.course else { return self.seen(time).normal_force };
        let (system, t) = (self.scene.system(mode, step.start.place), time - step.start.time);
        let own = step.multiplier(&system, t).map(|[normal, _]| normal);
        own.unwrap_or_else(|| self.dense(step, mode).at(&system, t).normal_force)
    }

    /// Encloses the centre between two times (s) within it, m, in the frame at rest.
    pub fn position_over(&self, from: f64, to: f64) -> Option<[Interval; 2]> {
        Some(self.over(from, to)?.position.map(|Taylor([range, _])| range))
    }

    /// Encloses λ between two times (s) within it, N; `None`: two contacts, which are not enclosed.
    pub fn normal_force_over(&self, from: f64, to: f64) -> Option<Interval> {
        Some(self.over(from, to)?.normal_force.0[0]).filter(|range| range.is_bounded())
    }

    /// An owned copy without the scene.
    pub fn keep(&self) -> KeptStretch {
        let course = match self.course {
            StretchCourse::Flight(step) => KeptCourse::Flight(Box::new(*step)),
            StretchCourse::Jump(capture) => KeptCourse::Jump(Box::new(*capture)),
            StretchCourse::Contact(step, mode) => KeptCourse::Contact(Box::new(*step), mode),
            StretchCourse::Rest(state) => KeptCourse::Rest(Box::new(*state)),
            StretchCourse::Wedged(wedged) => KeptCourse::Wedged(Box::new(*wedged)),
            StretchCourse::Compressed(method, step, pressing) => {
                KeptCourse::Compressed(Box::new((*method, *step)), pressing)
            }
        };
        KeptStretch { from: self.from, to: self.to, part: self.part, last: self.last, course }
    }
}

impl KeptStretch {
    /// The stretch in its scene.
    pub fn of<'a>(&'a self, scene: &'a Scene) -> Stretch<'a> {
        let course = match &self.course {
            KeptCourse::Flight(step) => StretchCourse::Flight(step),
            KeptCourse::Jump(capture) => StretchCourse::Jump(capture),
            KeptCourse::Contact(step, mode) => StretchCourse::Contact(step, *mode),
            KeptCourse::Rest(state) => StretchCourse::Rest(state),
            KeptCourse::Wedged(wedged) => StretchCourse::Wedged(wedged),
            KeptCourse::Compressed(both, pressing) => StretchCourse::Compressed(&both.0, &both.1, *pressing),
        };
        let scene = scene.part(self.part).with_strands(self.last);
        Stretch::new(scene, [self.from, self.to], course, self.part, self.last)
    }

    /// End of the stretch, s.
    pub fn to(&self) -> f64 {
        self.to
    }
}

/// A resting ball at a later time; without friction it may spin.
pub(crate) fn resting(system: &ContactSystem, state: &ContactState, time: f64) -> ContactState {
    let mut then = ContactState { time, angle: state.angle + state.spin * (time - state.time), ..*state };
    system.relabel(&mut then);
    then
}

/// Number of parts of a stretch whose ends are evaluated.
const PARTS: usize = 8;
/// Largest number of parabolas fitted to an extremum; a smooth one takes about five.
const PARABOLAS: u32 = 40;

/// An extreme value, and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// Value.
    pub value: f64,
    /// Time, s.
    pub time: f64,
}

impl Stretch<'_> {
    /// The smallest and the largest λ (N): at the ends of eighths, and refined around an inner one. Steps by a
    /// tolerance have evaluated all that acts along them, so that λ has no further extremes between.
    pub fn normal_force_range(&self) -> [Extreme; 2] {
        let none = [Extreme { value: 0.0, time: self.from() }; 2];
        match self.course() {
            StretchCourse::Flight(_) | StretchCourse::Jump(_) => none,
            // Between the nodes of its step, in the step's fictitious time.
            StretchCourse::Compressed(_, step, pressing) => self.scene().compressed(pressing).map_or(none, |system| {
                range([0.0, 1.0], |part| {
                    let state = match part {
                        0.0 => step.start,
                        1.0 => step.end,
                        _ => step.near(part),
                    };
                    Extreme { value: system.forces_at(&state).0.normal_force, time: state.time.min(self.to()) }
                })
            }),
            _ => range([self.from(), self.to()], |time| Extreme { value: self.normal_force(time), time }),
        }
    }

    /// The largest speed of the centre, in the frame at rest, m/s.
    pub fn top_speed(&self) -> f64 {
        let at = |time: f64| self.world(time).velocity.norm();
        let most = || at(self.from()).max(at(self.to()));
        match self.course() {
            // Short, and each time would cost a step of its own: the ends are enough.
            StretchCourse::Compressed(..) => most(),
            // The square of the speed is a parabola that opens upwards.
            StretchCourse::Flight(step) if step.path().is_some_and(Path::is_parabola) => most(),
            _ => range([self.from(), self.to()], |time| Extreme { value: at(time), time })[1].value,
        }
    }
}

/// The smallest and the largest of the values at the ends of eighths. An inner one is refined by parabolas through it
/// and a value on each side, until the vertex is nearer than values can tell apart. Brent, *Algorithms for Minimization
/// without Derivatives*, 1973, §5.2.
fn range([from, to]: [f64; 2], at: impl Fn(f64) -> Extreme) -> [Extreme; 2] {
    let place = |i: usize| if i == PARTS { to } else { from + (to - from) * i as f64 / PARTS as f64 };
    let looks: [Extreme; PARTS + 1] = std::array::from_fn(|i| at(place(i)));
    [-1.0, 1.0].map(|sign| {
        let best =
            (1..=PARTS).fold(0, |best, i| if sign * looks[i].value > sign * looks[best].value { i } else { best });
        let (mut found, mut middle) = (looks[best], place(best));
        if best == 0 || best == PARTS {
            return found;
        }
        // Distances to the neighbours of the best value, and differences from them.
        let [mut before, mut after] =
            [best - 1, best + 1].map(|i| ((middle - place(i)).abs(), sign * (found.value - looks[i].value)));
        for _ in 0..PARABOLAS {
            let ((l, a), (r, b)) = (before, after);
            let step = 0.5 * (a * r * r - b * l * l) / (a * r + b * l);
            if !(step.abs() > f64::EPSILON.sqrt() * (to - from)) {
                break;
            }
            let look = at(middle + step);
            let rise = sign * (look.value - found.value);
            let [ahead, behind] = if step > 0.0 { [&mut after, &mut before] } else { [&mut before, &mut after] };
            if rise > 0.0 {
                (*behind, *ahead) = ((step.abs(), rise), (ahead.0 - step.abs(), ahead.1 + rise));
                (found, middle) = (look, middle + step);
            } else {
                *ahead = (step.abs(), -rise);
            }
        }
        found
    })
}

/// A range, and that of its rate by time.
pub type Rate = Taylor<Interval, 2>;

/// Enclosure of the ball over a part of a stretch, in the frame at rest; unknown ranges are [`Interval::REAL`].
#[derive(Clone, Copy, Debug)]
pub struct Over {
    /// Time, s.
    pub time: Rate,
    /// Position of the centre, m.
    pub position: [Rate; 2],
    /// Velocity, m/s.
    pub velocity: [Rate; 2],
    /// Angle, rad.
    pub angle: Rate,
    /// Spin, rad/s.
    pub spin: Rate,
    /// Speed `v·τ` on the ground, relative to it, m/s.
    pub along: Option<Rate>,
    /// Normal force λ, N.
    pub normal_force: Rate,
    /// Places at both ends, on the ground.
    pub place: Option<(Place, Place)>,
}

/// A range whose rate is unknown.
fn only(range: Interval) -> Rate {
    Taylor([range, Interval::REAL])
}

fn fixed(value: f64) -> Rate {
    Taylor::constant(value)
}

/// A constant spin, and the angle that follows.
fn turning(spin: f64, angle: f64, since: Interval) -> [Rate; 2] {
    [Taylor([Interval::point(angle) + since.scale(spin), Interval::point(spin)]), fixed(spin)]
}

impl Stretch<'_> {
    /// Encloses the ball between two times (s) within the stretch.
    pub fn over(&self, from: f64, to: f64) -> Option<Over> {
        let scene = self.scene();
        let time = Taylor::variable(Interval::new(from, to));
        let mut over = match self.course() {
            StretchCourse::Flight(step) => {
                let begin = step.start();
                let [spin, angle] = step.turned(time - fixed(begin.time));
                let [from, to] = [from, to].map(|t| t - begin.time);
                let (place, velocity) = (step.bounds(from, to), step.velocity_over(from, to));
                let position = [0, 1].map(|i| Taylor([place[i], velocity[i].0[0]]));
                Over { time, position, velocity, angle, spin, along: None, normal_force: fixed(0.0), place: None }
            }
            StretchCourse::Jump(capture) => last_bounces(capture, time),
            StretchCourse::Contact(step, mode) => {
                let (system, dense) = (scene.system(mode, step.start.place), self.dense(step, mode));
                let mut over = on_ground(&system, dense, [from, to].map(|t| t - step.start.time), time);
                if step.is_carried() {
                    // λ is linear from one end of the step to the other.
                    let force = [from, to].map(|t| self.normal_force(t));
                    over.normal_force = only(Interval::between(force[0], force[1]));
                }
                over
            }
            StretchCourse::Rest(state) => at_rest(scene, state, time),
            StretchCourse::Wedged(wedged) => {
                let state = &wedged.state;
                // A spin slowed by the walls keeps its sign.
                let [(first, begin), (last, end)] = [from, to].map(|t| wedged.turned(scene, t - state.time));
                let spin = only(Interval::between(first, last));
                let turning = [Taylor([Interval::between(begin, end), spin.0[0]]), spin];
                held(time, state.position, wedged.places[0], turning, Interval::REAL)
            }
            StretchCourse::Compressed(_, step, pressing) => compressed(&scene.compressed(pressing)?, step, time),
        };
        if let Some(carriage) = scene.forces.carriage() {
            let moved = carriage.at(time);
            for i in 0..2 {
                over.position[i] = over.position[i] + moved.position[i];
                over.velocity[i] = over.velocity[i] + moved.velocity[i];
            }
        }
        Some(over)
    }
}

/// Frozen parabolas along the ground: no higher, and across it no faster, than the first hop.
fn last_bounces(capture: &Capture, time: Rate) -> Over {
    let (start, frame) = (&capture.start, &capture.frame);
    let t = time.0[0] - Interval::point(start.time);
    let along = Interval::point(start.velocity.dot(&frame.tangent)) + t.scale(capture.acceleration);
    let way = t * (Interval::point(start.velocity.dot(&frame.tangent)) + t.scale(0.5 * capture.acceleration));
    let height = Interval::new(0.0, 0.5 * capture.speed * capture.speed / capture.pull);
    let across = Interval::new(-capture.speed, capture.speed);
    let velocity = [0, 1].map(|i| along.scale(frame.tangent[i]) + across.scale(frame.normal[i]));
    let position = [0, 1].map(|i| {
        let place = Interval::point(start.position[i]) + way.scale(frame.tangent[i]) + height.scale(frame.normal[i]);
        Taylor([place, velocity[i]])
    });
    // Bounces change the spin.
    let spin = only(Interval::REAL);
    let velocity = velocity.map(only);
    Over { time, position, velocity, angle: spin, spin, along: None, normal_force: fixed(0.0), place: None }
}

/// A ball on the ground over a part of a step, with rates by time.
pub(crate) struct GroundOver {
    pub spin: Rate,
    /// Tangent and normal.
    pub frame: [[Rate; 2]; 2],
    pub position: [Rate; 2],
    pub velocity: [Rate; 2],
}

impl GroundOver {
    /// From frame and speed; `own` is the spin while sliding, `spin` (rad/s) that of a ball that does not turn.
    pub fn of(system: &ContactSystem, over: &FrameOver<Interval>, speed: Rate, own: Rate, spin: f64) -> Self {
        let spin = match system.mode {
            _ if !system.ball.turns() => fixed(spin),
            Mode::Rolling { .. } => speed.scale(-1.0 / system.ball.radius()),
            _ => own,
        };
        let frame = turning_frame(over, over.curvature * speed.0[0]);
        let velocity = frame[0].map(|along| along * speed);
        GroundOver { spin, frame, position: [0, 1].map(|i| Taylor([over.position[i], velocity[i].0[0]])), velocity }
    }
}

/// Tangent and normal with their rates: the ground turns by `turn` rad for a unit of the step's variable, t or σ.
pub(crate) fn turning_frame(over: &FrameOver<Interval>, turn: Interval) -> [[Rate; 2]; 2] {
    let Frame { tangent, normal, .. } = over;
    [[0, 1].map(|i| Taylor([tangent[i], normal[i] * turn])), [0, 1].map(|i| Taylor([normal[i], -(tangent[i] * turn)]))]
}

fn on_ground(system: &ContactSystem, dense: &Dense, [from, to]: [f64; 2], time: Rate) -> Over {
    let (start, path) = (&dense.step().start, dense.path());
    let ([s, angle], [rate, turning]) = (path.bounds(from, to), path.velocity_bounds(from, to));
    let [bend, twist] = path.acceleration_over(from, to);
    let s = s.intersection(system.ground.range(start.place)).unwrap_or(s);
    let (over, stretch) = system.ground.enclosure_and_rate(start.place, s);
    let speed = Taylor([rate * over.speed, bend * over.speed + rate.square() * stretch]);
    let own = Taylor([turning, twist]);
    let GroundOver { spin, position, velocity, .. } = GroundOver::of(system, &over, speed, own, start.spin);
    let (_, motion) = part_of(system, dense, from, to);
    Over {
        time,
        position,
        velocity,
        angle: Taylor([angle, spin.0[0]]),
        spin,
        along: Some(speed),
        normal_force: only(law_over(system, &over, &motion).normal_force),
        place: Some((start.place.at(s.lo), start.place.at(s.hi))),
    }
}

fn at_rest(scene: &Scene, state: &ContactState, time: Rate) -> Over {
    let system = scene.system(Mode::Resting, state.place);
    let over: FrameOver<Interval> = system.ground.enclosure(state.place, Interval::point(state.place.parameter()));
    let [speed, rate] = [0.0, state.spin].map(Interval::point);
    let turning = turning(state.spin, state.angle, time.0[0] - Interval::point(state.time));
    let force = law_over(&system, &over, &MotionRange { time: time.0[0], speed, spin: rate }).normal_force;
    held(time, state.frame.position, state.place, turning, force)
}

/// A ball whose centre is held at a place.
fn held(time: Rate, at: Vector2<f64>, place: Place, [angle, spin]: [Rate; 2], normal_force: Interval) -> Over {
    let (none, place, normal_force) = (fixed(0.0), Some((place, place)), only(normal_force));
    let position = [at.x, at.y].map(fixed);
    Over { time, position, velocity: [none; 2], angle, spin, along: Some(none), normal_force, place }
}

/// Encloses a step of compressed contact by its interpolant in fictitious time σ. At the touch t stands still while σ
/// runs, so that rates by t are taken from the equations of motion instead.
fn compressed(system: &CompressedSystem, step: &CompressedStep, time: Rate) -> Over {
    let before = |t: f64| bisect(|part| step.near(part).time < t, 0.0, 1.0);
    let part = Interval::new(before(time.0[0].lo)[0], before(time.0[0].hi)[1]);
    let [_, s, root, vx, vy, spin] = step.core(part);
    let s = s.intersection(system.ground.range(step.start.place)).unwrap_or(s);
    let (over, velocity) = (system.ground.enclosure(step.start.place, s), [vx, vy]);
    let [along, away] = [over.tangent, over.normal].map(|direction| vx * direction[0] + vy * direction[1]);
    let position = [0, 1].map(|i| over.position[i] - root.square() * over.normal[i]);
    let push = match system.pressing {
        true => system.compliance.push_over(system.ball, root, [away, along], spin),
        false => system.compliance.let_go_over(along),
    };
    let applied = match system.forces.constant(spin.magnitude()) {
        Some(force) => [force.x, force.y].map(Interval::point),
        None => system.forces.at(time.0[0], position, velocity, spin),
    };
    let acceleration = [0, 1].map(|i| {
        let contact = push.normal_force * over.normal[i] + push.tangential_force * over.tangent[i];
        (applied[i] + contact).scale(1.0 / system.ball.mass())
    });
    let [faster, off] = [over.tangent, over.normal]
        .map(|direction| (0..2).fold(Interval::point(0.0), |sum, i| sum + acceleration[i] * direction[i]));
    // dτ = turn n, dn = −turn τ
    let turn = over.curvature * along / (Interval::point(1.0) + over.curvature * root.square());
    let (along_rate, away_rate) = (faster + turn * away, off - turn * along);
    let spin = Taylor([spin, push.friction_force.scale(system.ball.spin_by(1.0))]);
    let turned = (time.0[0] - Interval::point(step.start.time)) * spin.0[0];
    Over {
        time,
        position: [0, 1].map(|i| Taylor([position[i], velocity[i]])),
        velocity: [0, 1].map(|i| Taylor([velocity[i], acceleration[i]])),
        angle: Taylor([Interval::point(step.start.angle) + turned, spin.0[0]]),
        spin,
        along: Some(Taylor([along, along_rate])),
        normal_force: Taylor([push.normal_force, push.by_speed * away_rate - push.by_compression * away]),
        place: Some((step.start.place.at(s.lo), step.start.place.at(s.hi))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A parabola has its maximum inside, a line at its end, without refinement.
    #[test]
    fn tops() {
        let looks = std::cell::Cell::new(0);
        let of = |f: &dyn Fn(f64) -> f64| {
            range([0.0, 2.0], |time| {
                looks.set(looks.get() + 1);
                Extreme { value: f(time), time }
            })
        };
        let [least, greatest] = of(&|t| -(t - 0.3).powi(2));
        assert!((greatest.time - 0.3).abs() < 1e-7 && greatest.value <= 0.0 && greatest.value > -1e-14);
        assert_eq!((least.time, least.value), (2.0, -1.7f64.powi(2)));
        assert!(looks.get() <= 12, "{}", looks.get());
        looks.set(0);
        assert_eq!(of(&|t| t).map(|extreme| extreme.time), [0.0, 2.0]);
        assert_eq!(looks.get(), 9);
    }
}
