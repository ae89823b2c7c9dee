//! Rows of balls in time stepping, which the page joins by straight lines.

use mechanics::{Energy, State};
use nalgebra::Vector2;
use scenario::stepping::BallSample;
use supervisor::{Phase, Sample, Scene};

use crate::output::nearest;

use KeptAs::{Last, Mean, Sum};

/// Number of rows of all balls kept, alone and beside other runs; at twice this number every second one is dropped.
const MOST: [usize; 2] = [250_000, 10_000];

/// Way in which a number of dropped rows enters the next row.
#[derive(Clone, Copy, PartialEq)]
enum KeptAs {
    /// Not at all: a value at the end of a step.
    Last,
    /// A mean over the time since the last row.
    Mean,
    /// A sum since the last row.
    Sum,
}

/// A number of a row, with its name in `page/motion.js`.
pub(super) struct PageNumber {
    pub name: &'static str,
    kept: KeptAs,
    of: fn(&Now<'_>) -> f64,
}

impl PageNumber {
    const fn new(name: &'static str, kept: KeptAs, of: fn(&Now<'_>) -> f64) -> Self {
        PageNumber { name, kept, of }
    }
}

/// A ball at the end of a step, in the frame at rest.
struct Now<'a> {
    told: &'a BallSample,
    state: State,
    acceleration: Vector2<f64>,
    energy: Energy,
    /// Parameter of the nearest ground point, and gap, m; only at rows.
    near: (f64, f64),
}

/// Numbers of a row beside its position.
pub(super) const FIELDS: &[PageNumber] = &[
    PageNumber::new("angle", Last, |now| now.state.angle),
    PageNumber::new("vx", Last, |now| now.state.velocity.x),
    PageNumber::new("vy", Last, |now| now.state.velocity.y),
    PageNumber::new("spin", Last, |now| now.state.spin),
    PageNumber::new("normal", Mean, |now| now.told.forces.normal),
    PageNumber::new("friction", Mean, |now| now.told.forces.friction),
    PageNumber::new("gap", Last, |now| now.near.1),
    PageNumber::new("dissipated", Last, |now| now.energy.dissipated),
    PageNumber::new("work", Last, |now| now.energy.work),
    PageNumber::new("scheme", Last, |now| now.told.energy.numerical()),
    PageNumber::new("exchanged", Last, |now| now.told.energy.exchanged),
    PageNumber::new("px", Mean, |now| now.told.forces.vectors[0].x),
    PageNumber::new("py", Mean, |now| now.told.forces.vectors[0].y),
    PageNumber::new("fx", Mean, |now| now.told.forces.vectors[1].x),
    PageNumber::new("fy", Mean, |now| now.told.forces.vectors[1].y),
    PageNumber::new("pn", Sum, |now| now.told.impulses[0]),
    PageNumber::new("pt", Sum, |now| now.told.impulses[1]),
    PageNumber::new("ax", Last, |now| now.acceleration.x),
    PageNumber::new("ay", Last, |now| now.acceleration.y),
    PageNumber::new("s", Last, |now| now.near.0),
    PageNumber::new("wn", Last, |now| now.told.energy.normal),
    PageNumber::new("wt", Last, |now| now.told.energy.tangential),
    PageNumber::new("projection", Last, |now| now.told.energy.projection),
];

/// A ball at the end of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShownRow {
    pub position: [f64; 2],
    pub phase: Phase,
    /// Numbers, in the order of [`FIELDS`].
    pub more: [f32; FIELDS.len()],
}

#[derive(Clone, Debug, Default)]
pub(crate) struct PageRows {
    pub(super) times: Vec<f64>,
    /// All rows, ball after ball within each.
    pub(super) rows: Vec<ShownRow>,
    /// Whether the run is one of several on the page.
    pub(super) beside: bool,
    stride: u64,
    seen: u64,
    /// Sums of each ball since its last row kept; for means weighted by time.
    sums: Vec<[f64; FIELDS.len()]>,
}

impl PageRows {
    pub fn add(&mut self, scenes: &[Scene], told: &BallSample) {
        let scene = &scenes[told.ball];
        self.stride = self.stride.max(1);
        self.sums.resize(scenes.len(), [0.0; FIELDS.len()]);
        let kept = self.seen.is_multiple_of(self.stride);
        let Sample { state, acceleration, phase, .. } = scene.world_sample(&told.sample);
        let near = if kept { nearest(scene, &told.sample.state) } else { Default::default() };
        let now = Now { told, state, acceleration, energy: scene.energy(phase, &told.sample.state), near };
        let since = state.time - self.times.last().copied().unwrap_or(0.0);
        let sums = &mut self.sums[told.ball];
        for (sum, field) in sums.iter_mut().zip(FIELDS) {
            match field.kept {
                Mean => *sum += (field.of)(&now) * told.since,
                Sum => *sum += (field.of)(&now),
                Last if kept => *sum = (field.of)(&now),
                Last => {}
            }
        }
        if kept {
            let mean = |sum: f64| if since > 0.0 { sum / since } else { 0.0 };
            let sums = std::mem::replace(sums, [0.0; FIELDS.len()]);
            let value = |i: usize| if FIELDS[i].kept == Mean { mean(sums[i]) } else { sums[i] };
            self.rows.push(ShownRow {
                position: state.position.into(),
                phase,
                more: std::array::from_fn(|i| value(i) as f32),
            });
        }
        if told.ball + 1 == scenes.len() {
            if kept {
                self.times.push(state.time);
            }
            self.seen += 1;
            if self.rows.len() > 2 * MOST[usize::from(self.beside)] {
                self.thin_out(scenes.len());
            }
        }
    }

    /// Drops every second row; the next row then has the mean of both.
    fn thin_out(&mut self, balls: usize) {
        let mut rows: Vec<ShownRow> = Vec::with_capacity(self.rows.len() / 2 + balls);
        let mut gone: &[ShownRow] = &[];
        for pair in self.rows.chunks(2 * balls) {
            let (kept, next) = pair.split_at(balls);
            rows.extend_from_slice(kept);
            let first = rows.len() - balls;
            for (row, gone) in rows[first..].iter_mut().zip(gone) {
                for (i, field) in FIELDS.iter().enumerate() {
                    match field.kept {
                        Last => {}
                        Mean => row.more[i] = 0.5 * (row.more[i] + gone.more[i]),
                        Sum => row.more[i] += gone.more[i],
                    }
                }
            }
            gone = next;
        }
        self.rows = rows;
        self.times = self.times.iter().copied().step_by(2).collect();
        self.stride *= 2;
    }
}
