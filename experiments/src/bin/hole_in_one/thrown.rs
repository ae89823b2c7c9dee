//! The same throw by parabolas and bisection: the answer the experiment is held against.

const GRAVITY: f64 = 9.81;
const RESTITUTION: f64 = 0.7;
const START: [f64; 2] = [0.0, 0.6];
/// As in scenario.toml.
pub const GUESS: [f64; 2] = [1.5, 2.0];
/// Steps of the search for a touch, s.
const STEP: f64 = 1e-4;

/// A throw.
pub struct Throw {
    /// m/s
    pub velocity: [f64; 2],
}

fn ground(x: f64) -> f64 {
    0.1 * (std::f64::consts::TAU * x / 1.5).cos() - 0.35 * (-((x - 4.5) / 0.15).powi(4)).exp()
}

fn slope(x: f64) -> f64 {
    let u = (x - 4.5) / 0.15;
    let k = std::f64::consts::TAU / 1.5;
    -0.1 * k * (k * x).sin() + 0.35 * 4.0 * u.powi(3) / 0.15 * (-u.powi(4)).exp()
}

impl Throw {
    /// The highest point of the first flight, m.
    pub fn height(&self) -> f64 {
        START[1] + self.velocity[1].powi(2) / (2.0 * GRAVITY)
    }

    /// Where it touches the ground at first, from the first touch on; fewer where it flies on for 10 s.
    pub fn touches(&self, count: usize) -> Vec<[f64; 2]> {
        self.follow(count).1
    }

    /// Points of the way until then.
    pub fn path(&self, count: usize) -> Vec<(f64, f64)> {
        self.follow(count).0
    }

    fn follow(&self, count: usize) -> (Vec<(f64, f64)>, Vec<[f64; 2]>) {
        let ([mut x, mut y], [mut vx, mut vy]) = (START, self.velocity);
        let (mut path, mut touches) = (Vec::new(), Vec::new());
        while touches.len() < count {
            let at = |t: f64| [x + vx * t, y + t * (vy - 0.5 * GRAVITY * t)];
            let gap = |t: f64| {
                let [x, y] = at(t);
                y - ground(x)
            };
            let mut step = 1;
            while step < 100_000 && gap(STEP * f64::from(step)) >= 0.0 {
                if step % 100 == 0 {
                    let [x, y] = at(STEP * f64::from(step));
                    path.push((x, y));
                }
                step += 1;
            }
            if step == 100_000 {
                break;
            }
            let (mut low, mut high) = (STEP * f64::from(step - 1), STEP * f64::from(step));
            while 0.5 * (low + high) > low && 0.5 * (low + high) < high {
                let middle = 0.5 * (low + high);
                if gap(middle) >= 0.0 { low = middle } else { high = middle }
            }
            [x, y] = at(low);
            vy -= GRAVITY * low;
            touches.push([x, y]);
            path.push((x, y));
            // v − (1 + e)(v·n) n
            let rise = slope(x);
            let length = rise.hypot(1.0);
            let [nx, ny] = [-rise / length, 1.0 / length];
            let normal = vx * nx + vy * ny;
            vx -= (1.0 + RESTITUTION) * normal * nx;
            vy -= (1.0 + RESTITUTION) * normal * ny;
        }
        (path, touches)
    }
}
