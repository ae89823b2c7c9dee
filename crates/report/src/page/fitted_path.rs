//! [`PolynomialPath`]: motion of a ball over time as polynomials, fitted to dense output.

use supervisor::{Capture, KeptStretch, Phase, Sample, Scene, Stretch};

use super::chebyshev::{Exactness, Pieces, fit};
use crate::output::nearest;

/// An entry of the motion: name in `page/motion.js`, whether its rate is a velocity, and its value.
pub(super) struct MotionEntry(pub &'static str, bool, fn(&Moved<'_>) -> f64);

/// State of the ball at a time.
struct Moved<'a> {
    /// Sample in the frame of the ground.
    sample: &'a Sample,
    /// Work and elastic energy, J.
    energy: [f64; 2],
    /// Normal of the ground at the contact.
    normal: [f64; 2],
    /// Acceleration in the frame at rest, m/s².
    acceleration: [f64; 2],
    /// Parameter of the ground at the contact.
    s: f64,
}

/// Entries of the motion, position (m) first.
pub(super) const MOTION: &[MotionEntry] = &[
    MotionEntry("x", true, |now| now.sample.state.position.x),
    MotionEntry("y", true, |now| now.sample.state.position.y),
    MotionEntry("angle", true, |now| now.sample.state.angle),
    MotionEntry("normal", false, |now| now.sample.normal_force),
    MotionEntry("friction", false, |now| now.sample.friction_force),
    MotionEntry("second", false, |now| now.sample.second_normal_force),
    MotionEntry("dissipated", false, |now| now.sample.state.dissipated),
    MotionEntry("work", false, |now| now.energy[0]),
    MotionEntry("elastic", false, |now| now.energy[1]),
    MotionEntry("nx", false, |now| now.normal[0]),
    MotionEntry("ny", false, |now| now.normal[1]),
    MotionEntry("ax", false, |now| now.acceleration[0]),
    MotionEntry("ay", false, |now| now.acceleration[1]),
    MotionEntry("s", false, |now| now.s),
];
pub(super) const ENTRIES: usize = MOTION.len();
/// Maximum number of steps fitted by one polynomial.
const TOGETHER: usize = 64;
/// Maximum number of pieces of one run; later motion is not shown.
const MOST: usize = 20_000;
/// Maximum number of halvings of a step.
const HALVINGS: u32 = 6;
/// Tolerances of positions and of all other entries, relative to their largest values so far.
const PARTS: [f64; 2] = [1e-12, 1e-9];
/// Range of relative tolerances for a run drawn to a given error.
const ROUGH: [f64; 2] = [1e-7, 1e-5];
/// Least coefficients kept, relative to the entry's variation: in general, and for entries whose rates are velocities.
const KEPT: [f64; 2] = [1e-10, 1e-12];
/// Tolerance of the gap in flight, relative to the hop's largest; gaps have kinks where the nearest point jumps.
const GAP: f64 = 1e-6;
/// Maximum number of cuts of a flight, at jumps of the nearest point or in halves, and of pieces of gaps in a run: over
/// ground with very fine waves all cuts are used, each with expensive searches for the nearest point.
const KINKS: u32 = 9;
const GAPS: usize = 1000;

/// Motion of a ball as polynomials.
#[derive(Default)]
pub struct PolynomialPath {
    waiting: Vec<KeptStretch>,
    phase: Option<Phase>,
    pub(super) motion: Pieces<ENTRIES>,
    pub(super) phases: Vec<Phase>,
    /// Pieces with summed-up bounces.
    pub(super) jumps: Vec<(usize, Capture)>,
    /// Gap in flight (m), and parameter of the nearest point.
    pub(super) gap: Pieces<2>,
    /// Position of the ground, if it moves as a whole.
    pub(super) carried: Pieces<2>,
    /// Position of each part of the ground, if its curves move against each other.
    pub(super) parts: Vec<Pieces<2>>,
    sizes: [f64; ENTRIES],
    full: bool,
    /// Wanted accuracy of positions, m; `None`: the best possible.
    pub(super) error: Option<f64>,
}

impl PolynomialPath {
    /// Adds the next stretch of the motion.
    pub fn add(&mut self, scene: &Scene, stretch: &Stretch) {
        if self.full || !(stretch.to() > stretch.from()) {
            return;
        }
        let phase = stretch.phase();
        if self.phase != Some(phase) || self.waiting.len() >= TOGETHER {
            self.flush(scene);
        }
        if let Some(capture) = stretch.jump() {
            self.flush(scene);
            self.jumps.push((self.motion.len(), capture));
        }
        self.phase = Some(phase);
        self.waiting.push(stretch.keep());
        if stretch.jump().is_some() {
            self.flush(scene);
        }
    }

    /// Ends a smooth part of the motion, at an event or the end of the run.
    pub fn flush(&mut self, scene: &Scene) {
        let kept = std::mem::take(&mut self.waiting);
        let stretches: Vec<Stretch> = kept.iter().map(|kept| kept.of(scene)).collect();
        let (Some(first), Some(last)) = (stretches.first(), stretches.last()) else { return };
        let span = [first.from(), last.to()];
        self.fit(scene, &stretches);
        self.phases.resize(self.motion.len(), first.phase());
        if matches!(first.phase(), Phase::Flight | Phase::Compressed) && first.jump().is_none() {
            let gap = |t: f64| {
                let sample = at(&stretches, t).at(t);
                let (s, gap) = nearest(scene.seen_by(&sample), &sample.state);
                [gap, s]
            };
            let some = (1..8).map(|i| gap(span[0] + f64::from(i) / 8.0 * (span[1] - span[0])));
            let [most, far] = some.fold([0.0_f64; 2], |[most, far], [gap, s]| [most.max(gap.abs()), far.max(s.abs())]);
            let rounding = 16.0 * f64::EPSILON * (self.sizes[0].max(self.sizes[1]) + scene.ball.radius());
            let tolerance = [GAP * most + rounding, GAP * far + rounding];
            let kinks = if self.gap.len() < GAPS { KINKS } else { 0 };
            self.gap.add(&gap, span, &Exactness { tolerance, part: [0.1 * GAP; 2], jumps: true }, kinks);
        }
        self.parts.resize_with(scene.parts.len(), Pieces::default);
        let parts = scene.parts.iter().map(|part| part.carriage.as_ref()).zip(&mut self.parts);
        for (carriage, carried) in parts.chain([(scene.forces.carriage(), &mut self.carried)]) {
            let Some(carriage) = carriage else { continue };
            let origin = |t: f64| carriage.at(t).position;
            let to = Exactness { tolerance: [1e-12; 2], part: [KEPT[0]; 2], jumps: false };
            carried.add(&origin, span, &to, 2 * HALVINGS);
        }
        let carried = self.carried.len() + self.parts.iter().map(Pieces::len).sum::<usize>();
        self.full = self.motion.len() + self.gap.len() + carried > MOST;
    }

    /// Fits steps by one polynomial, or in halves.
    fn fit(&mut self, scene: &Scene, stretches: &[Stretch]) {
        let (Some(first), Some(last)) = (stretches.first(), stretches.last()) else { return };
        let span = [first.from(), last.to()];
        let f = |t: f64| entries(scene, at(stretches, t), t);
        for t in [span[0], 0.5 * (span[0] + span[1]), span[1]] {
            for (size, value) in self.sizes.iter_mut().zip(f(t)) {
                *size = size.max(value.abs());
            }
        }
        let size = self.sizes[0].max(self.sizes[1]);
        let rough =
            self.error.map(|error| if size > 0.0 { (error / size).clamp(ROUGH[0], ROUGH[1]) } else { ROUGH[0] });
        let parts = rough.map_or(PARTS, |rough| [rough; 2]);
        let mut tolerance: [f64; ENTRIES] = std::array::from_fn(|k| parts[1] * self.sizes[k]);
        (tolerance[0], tolerance[1]) = (parts[0] * size, parts[0] * size);
        let part = std::array::from_fn(|k| rough.map_or(KEPT[usize::from(MOTION[k].1)], |rough| 0.1 * rough));
        let to = Exactness { tolerance, part, jumps: false };
        if stretches.len() == 1 {
            let halvings = if first.jump().is_some() { 0 } else { HALVINGS };
            return self.motion.add(&f, span, &to, halvings);
        }
        let fit = fit(f, span, &to);
        if fit.holds {
            return self.motion.push(span, &fit);
        }
        let (before, after) = stretches.split_at(stretches.len() / 2);
        self.fit(scene, before);
        self.fit(scene, after);
    }

    /// Time until which the motion is known, s; `None`: to the end.
    pub(super) fn cut(&self) -> Option<f64> {
        self.motion.spans.last().filter(|_| self.full).map(|span| span[1])
    }

    /// Time from which on gaps are fitted without cuts at kinks, s.
    pub(super) fn plain_gaps(&self) -> Option<f64> {
        self.gap.spans.get(GAPS).map(|span| span[0])
    }

    /// Bounding box of the centre in the frame of the ground: left, right, low, high, m.
    pub(super) fn extent(&self) -> [f64; 4] {
        let mut from = 0;
        let mut places = Vec::new();
        for lengths in self.motion.lengths.chunks_exact(ENTRIES) {
            let range = |from: usize, n: u8| {
                let c = &self.motion.coefficients[from..from + usize::from(n)];
                let middle = c.first().copied().unwrap_or(0.0);
                let reach: f64 = c.iter().skip(1).map(|c| c.abs()).sum();
                [middle - reach, middle + reach]
            };
            let (x, y) = (range(from, lengths[0]), range(from + usize::from(lengths[0]), lengths[1]));
            places.extend([(x[0], y[0]), (x[1], y[1])]);
            from += lengths.iter().map(|n| usize::from(*n)).sum::<usize>();
        }
        crate::figures::extent(places)
    }
}

/// The stretch that contains a time.
fn at<'a, 'b>(stretches: &'a [Stretch<'b>], t: f64) -> &'a Stretch<'b> {
    let index = stretches.partition_point(|stretch| stretch.to() < t);
    &stretches[index.min(stretches.len() - 1)]
}

fn entries(scene: &Scene, stretch: &Stretch, t: f64) -> [f64; ENTRIES] {
    let sample = stretch.at(t);
    let state = &sample.state;
    let elastic = if sample.phase == Phase::Compressed {
        let raised = scene.ball.mass() * scene.forces.gravity_vector().dot(&scene.world(state).position);
        scene.energy(sample.phase, state).potential + raised
    } else {
        0.0
    };
    let work = state.work + scene.forces.carried_energy(state);
    let normal = sample.place.map_or([0.0; 2], |place| scene.ground.frame(place).normal.into());
    let acceleration = scene.world_sample(&sample).acceleration.into();
    let s = match sample.place {
        Some(place) => scene.ground.shown_parameter(place),
        None if stretch.jump().is_some() => nearest(scene.seen_by(&sample), state).0,
        None => 0.0,
    };
    let moved = Moved { sample: &sample, energy: [work, elastic], normal, acceleration, s };
    std::array::from_fn(|k| (MOTION[k].2)(&moved))
}
