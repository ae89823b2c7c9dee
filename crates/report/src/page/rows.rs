//! Balls of a run by time stepping, in rows: between these there is nothing but a straight line.

use scenario::stepping::{BallSample, Forces};
use supervisor::{Phase, Scene};

use crate::output::nearest;

/// Rows of all balls kept; beyond twice as many every second one goes. The same of a run beside others.
const MOST: [usize; 2] = [250_000, 10_000];

/// Numbers of a row, but for its place.
pub(super) const MORE: usize = 23;
/// Indices of the means since the row before, then of the sums since then.
const MEANS: [usize; 6] = [4, 5, 11, 12, 13, 14];
const SUMS: [usize; 2] = [15, 16];

/// One ball at the end of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub position: [f64; 2],
    pub phase: Phase,
    /// Angle, vx, vy, spin, λ, f, gap, dissipated energy, work, energy by the scheme, energy from other balls: as in `trajectory.csv`;
    /// λ n and f τ; impulses since the row before; acceleration, s; works of the normal and the tangential impulses, energy by projection.
    pub more: [f32; MORE],
}

#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    pub times: Vec<f64>,
    /// Row after row, ball after ball.
    pub rows: Vec<Row>,
    /// Whether it is one of several.
    beside: bool,
    stride: u64,
    seen: u64,
    /// Impulses of each ball since its last row that is kept, N s: forces by time, impulses.
    pushes: Vec<([f64; MEANS.len()], [f64; SUMS.len()])>,
}

impl Rows {
    /// Rows of a run beside others.
    pub fn beside() -> Self {
        Rows { beside: true, ..Rows::default() }
    }

    pub fn add(&mut self, scenes: &[Scene], told: &BallSample) {
        let scene = &scenes[told.ball];
        let state = scene.world(&told.sample.state);
        self.stride = self.stride.max(1);
        self.pushes.resize(scenes.len(), Default::default());
        let Forces { normal, friction, vectors: [n, f] } = told.forces;
        let forces = [normal, friction, n.x, n.y, f.x, f.y];
        let (sums, impulses) = &mut self.pushes[told.ball];
        sums.iter_mut().zip(forces).for_each(|(sum, force)| *sum += force * told.since);
        impulses.iter_mut().zip(told.impulses).for_each(|(sum, impulse)| *sum += impulse);
        if self.seen.is_multiple_of(self.stride) {
            let since = state.time - self.last();
            let mean = |sum: f64| if since > 0.0 { sum / since } else { 0.0 };
            let (sums, [pn, pt]) = std::mem::take(&mut self.pushes[told.ball]);
            let [normal, friction, nx, ny, fx, fy] = sums.map(mean);
            let (s, gap) = nearest(scene, &told.sample.state);
            let [ax, ay] = scene.world_sample(&told.sample).acceleration.into();
            let ([vx, vy], energy) = (state.velocity.into(), scene.energy(told.sample.phase, &told.sample.state));
            let [dissipated, work] = [energy.dissipated, energy.work];
            let [scheme, exchanged] = [told.energy.numerical(), told.energy.exchanged];
            let motion = [state.angle, vx, vy, state.spin, normal, friction, gap, dissipated, work, scheme, exchanged];
            let works = [told.energy.normal, told.energy.tangential, told.energy.projection];
            let more = motion.into_iter().chain([nx, ny, fx, fy, pn, pt, ax, ay, s]).chain(works);
            let mut more = more.map(|value| value as f32);
            let more = std::array::from_fn(|_| more.next().unwrap_or_default());
            self.rows.push(Row { position: state.position.into(), phase: told.sample.phase, more });
        }
        if told.ball + 1 == scenes.len() {
            if self.seen.is_multiple_of(self.stride) {
                self.times.push(state.time);
            }
            self.seen += 1;
            if self.rows.len() > 2 * MOST[usize::from(self.beside)] {
                self.thin_out(scenes.len());
            }
        }
    }

    /// Time of the last whole row, s.
    fn last(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// Every second row goes; means of forces are then of both, which last as long as each other.
    fn thin_out(&mut self, balls: usize) {
        let mut rows: Vec<Row> = Vec::with_capacity(self.rows.len() / 2 + balls);
        let mut gone: &[Row] = &[];
        for pair in self.rows.chunks(2 * balls) {
            let (kept, next) = pair.split_at(balls);
            rows.extend_from_slice(kept);
            let first = rows.len() - balls;
            for (row, gone) in rows[first..].iter_mut().zip(gone) {
                MEANS.iter().for_each(|i| row.more[*i] = 0.5 * (row.more[*i] + gone.more[*i]));
                SUMS.iter().for_each(|i| row.more[*i] += gone.more[*i]);
            }
            gone = next;
        }
        self.rows = rows;
        self.times = self.times.iter().copied().step_by(2).collect();
        self.stride *= 2;
    }
}
