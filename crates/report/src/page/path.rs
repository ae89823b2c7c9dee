//! The path of a ball at every time of a run, from the dense output of its methods.

use supervisor::{Capture, KeptStretch, Phase, Sample, Scene, Stretch};

use super::chebyshev::{Exactness, Pieces, fit};
use crate::output::nearest;

/// An entry of the motion: its name in `page/motion.js`, whether its rate is a velocity, and its number.
pub(super) struct MotionEntry(pub &'static str, bool, fn(&Moved<'_>) -> f64);

/// The ball at a time.
struct Moved<'a> {
    /// As the ground sees it.
    sample: &'a Sample,
    /// Work and elastic energy, J.
    energy: [f64; 2],
    /// Normal of the ground at the contact.
    normal: [f64; 2],
    /// Acceleration as seen from what stands still, m/s².
    acceleration: [f64; 2],
    /// Parameter of the ground at the contact.
    s: f64,
}

/// Entries of the motion, the place (m) first.
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
/// Steps fitted together, if one polynomial can.
const TOGETHER: usize = 64;
/// Pieces kept of one run; what comes later is not shown.
const MOST: usize = 20_000;
/// How often a step is halved where one polynomial is not enough.
const HALVINGS: u32 = 6;
/// Tolerance of place, and of all else, by the greatest size so far.
const PARTS: [f64; 2] = [1e-12, 1e-9];
/// Range of the tolerances of a run that is drawn to its own error.
const ROUGH: [f64; 2] = [1e-7, 1e-5];
/// Coefficients that are kept, by what an entry varies by: of all else, and of those whose rates are velocities.
const KEPT: [f64; 2] = [1e-10, 1e-12];
/// Tolerance of the gap in flight, by the greatest of the hop: it has kinks where the nearest point jumps.
const GAP: f64 = 1e-6;
/// How often a flight is cut, where the nearest point jumps or in halves, in a run with no more pieces of gaps than these: over ground that
/// waves too finely to be followed they are as many as allowed, and each takes searches for the nearest point.
const KINKS: u32 = 9;
const GAPS: usize = 1000;

/// A path as polynomials.
#[derive(Default)]
pub struct PolynomialPath {
    waiting: Vec<KeptStretch>,
    phase: Option<Phase>,
    pub(super) motion: Pieces<ENTRIES>,
    pub(super) phases: Vec<Phase>,
    /// Pieces that are bounces summed up.
    pub(super) jumps: Vec<(usize, Capture)>,
    /// Distance from the ground in flight, m, and the parameter of its nearest point.
    pub(super) gap: Pieces<2>,
    /// Position of the ground, if it is carried about.
    pub(super) carried: Pieces<2>,
    /// Where each part of it is, of ground whose curves move against each other.
    pub(super) parts: Vec<Pieces<2>>,
    sizes: [f64; ENTRIES],
    full: bool,
    /// How exactly places are wanted, m; `None`: as exactly as can be.
    error: Option<f64>,
}

impl PolynomialPath {
    /// Path of a run with an error: places are kept to it, m.
    pub fn to(error: f64) -> Self {
        PolynomialPath { error: Some(error), ..PolynomialPath::default() }
    }

    /// The next stretch of the motion.
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

    /// An event or the end of the run: the motion may break here.
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
            self.gap.add_broken(&gap, span, &Exactness { tolerance, part: [0.1 * GAP; 2] }, kinks);
        }
        self.parts.resize_with(scene.parts.len(), Pieces::default);
        let parts = scene.parts.iter().map(|part| part.carriage.as_ref()).zip(&mut self.parts);
        for (carriage, carried) in parts.chain([(scene.forces.carriage(), &mut self.carried)]) {
            let Some(carriage) = carriage else { continue };
            let origin = |t: f64| carriage.at(t).position;
            carried.add(&origin, span, &Exactness { tolerance: [1e-12; 2], part: [KEPT[0]; 2] }, 2 * HALVINGS);
        }
        let carried = self.carried.len() + self.parts.iter().map(Pieces::len).sum::<usize>();
        self.full = self.motion.len() + self.gap.len() + carried > MOST;
    }

    /// Steps together by one polynomial, or in halves.
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
        let to = Exactness { tolerance, part };
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

    /// Until when it is known, s, if not to the end.
    pub(super) fn cut(&self) -> Option<f64> {
        self.motion.spans.last().filter(|_| self.full).map(|span| span[1])
    }

    /// From when on gaps are known without their kinks, s.
    pub(super) fn plain_gaps(&self) -> Option<f64> {
        self.gap.spans.get(GAPS).map(|span| span[0])
    }

    /// Left, right, low, high end of the centre, m, as the ground sees it.
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

/// The one that knows a time.
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
