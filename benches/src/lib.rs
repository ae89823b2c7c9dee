//! Floors: what each bench does, as a plain scalar loop with everything known at compile time.
//!
//! A bench's ratio to its floor says what generality costs: any curve, any force, certified contacts, a ledger and
//! events that are told.

pub mod runs;
pub mod stepping;
pub mod table;

use std::hint::black_box;

/// m/s²
pub const GRAVITY: f64 = 9.81;

/// The bare recurrence of a bouncing ball: time and speed alone. Returns the time of the last bounce.
pub fn flat_recurrence(bounces: u64, restitution: f64) -> f64 {
    let (mut t, mut v) = (0.0, 4.0);
    for _ in 0..bounces {
        t += 2.0 * v / GRAVITY;
        v *= black_box(restitution);
    }
    t
}

/// One event as the floor keeps it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounce {
    /// Time, position, velocity and spin before and after, impulses, energies.
    pub row: [f64; 14],
}

/// A bounce on flat ground by the supervisor's own arithmetic: parabola, impact with friction and spin, ledger,
/// test for capture, and a row per event.
pub fn flat_bounce(bounces: u64, restitution: f64, friction: f64, row: &mut Bounce) -> f64 {
    let (mass, radius, k) = (black_box(1.0), black_box(0.1), black_box(0.4));
    let inertia = k * mass * radius * radius;
    let (mut t, mut x, mut y, mut vx, mut vy, mut spin, mut lost) = (0.0, 0.0, radius, 1.0, 4.0f64, 0.0f64, 0.0);
    let kinetic = |vx: f64, vy: f64, spin: f64| 0.5 * (mass * (vx * vx + vy * vy) + inertia * spin * spin);
    for _ in 0..bounces {
        let height = y - radius;
        let flight = (vy + (vy * vy + 2.0 * GRAVITY * height).sqrt()) / GRAVITY;
        t += flight;
        x += flight * vx;
        y = radius;
        let approach = vy - GRAVITY * flight;
        let before = kinetic(vx, approach, spin);
        let normal = -(1.0 + restitution) * mass * approach;
        let slip = vx + radius * spin;
        let limit = friction * normal;
        let tangential = (-(mass * k / (1.0 + k)) * slip).clamp(-limit, limit);
        let (vx1, spin1) = (vx + tangential / mass, spin + tangential * radius / inertia);
        let vy1 = -restitution * approach;
        let after = kinetic(vx1, vy1, spin1);
        lost += before - after;
        let potential = mass * GRAVITY * y;
        row.row = [
            t,
            x,
            y,
            vx,
            approach,
            spin,
            vx1,
            vy1,
            spin1,
            normal,
            tangential,
            before + potential,
            after + potential,
            lost,
        ];
        black_box(&mut *row);
        if vy1 < 1e-6 || 0.5 * vy1 * vy1 < 16.0 * f64::EPSILON * GRAVITY * x.abs().max(1.0) {
            break;
        }
        (vx, vy, spin) = (vx1, vy1, spin1);
    }
    t
}

/// `y = A sin kx`, by plain formulas.
#[derive(Clone, Copy)]
pub struct Sine {
    /// A, m
    pub amplitude: f64,
    /// k, 1/m
    pub wavenumber: f64,
}

impl Sine {
    /// First contact of a flying point: a march by a quadratic lower bound of the gap. Returns the time, the sine and
    /// cosine there and the evaluations of the ground.
    #[inline(always)]
    pub fn contact(&self, x: f64, y: f64, vx: f64, vy: f64) -> (f64, f64, f64, u64) {
        let (a, k) = (self.amplitude, self.wavenumber);
        let gap = |t: f64| {
            let (sine, cosine) = (k * (x + vx * t)).sin_cos();
            let v = vy - GRAVITY * t;
            (y + t * (vy - 0.5 * GRAVITY * t) - a * sine, v - a * k * cosine * vx, sine, cosine)
        };
        let bend = GRAVITY + a * k * k * vx * vx;
        let (mut t, mut at, mut evaluations) = (0.0, gap(0.0), 1);
        loop {
            // Off the ground by rounding alone: the root at zero is divided out.
            let phi = if t == 0.0 && at.0 < 1e-13 { 0.0 } else { at.0 };
            t += (at.1 + (at.1 * at.1 + 2.0 * bend * phi).sqrt()) / bend;
            at = gap(t);
            evaluations += 1;
            if at.0 < 1e-13 {
                return (t, at.2, at.3, evaluations);
            }
        }
    }

    /// x of the closest point, by Newton's method from the point below: for points so near that it is the only foot.
    pub fn closest(&self, x: f64, y: f64) -> f64 {
        let (a, k) = (self.amplitude, self.wavenumber);
        let mut s = x;
        loop {
            let (sine, cosine) = (k * s).sin_cos();
            let (height, slope) = (a * sine - y, a * k * cosine);
            let step = (s - x + height * slope) / (1.0 + slope * slope - height * a * k * k * sine);
            s -= step;
            if step.abs() < 1e-14 {
                return s;
            }
        }
    }
}

/// Bounces of a point without loss on a sine. Returns the energy and the evaluations of the ground per bounce.
pub fn sine_bounce(bounces: u64, amplitude: f64, wavenumber: f64) -> (f64, f64) {
    let (a, k) = (black_box(amplitude), black_box(wavenumber));
    let ground = Sine { amplitude: a, wavenumber: k };
    let (mut x, mut y, mut vx, mut vy) = (0.1, 2.0, 0.7f64, 0.0f64);
    let mut evaluations = 0u64;
    for _ in 0..bounces {
        let (t, sine, cosine, count) = ground.contact(x, y, vx, vy);
        evaluations += count;
        x += vx * t;
        y = a * sine;
        vy -= GRAVITY * t;
        let slope = a * k * cosine;
        let normal = (vy - slope * vx) / (1.0 + slope * slope);
        vx += 2.0 * slope * normal;
        vy -= 2.0 * normal;
    }
    (0.5 * (vx * vx + vy * vy) + GRAVITY * y, evaluations as f64 / bounces as f64)
}

/// A bead in a circular bowl of radius 1, by angle from the bottom: the frame at an angle.
#[derive(Clone, Copy)]
struct Frame {
    q: [f64; 2],
    t: [f64; 2],
    n: [f64; 2],
}

fn frame(s: f64) -> Frame {
    let (sine, cosine) = s.sin_cos();
    Frame { q: [sine, -cosine], t: [cosine, sine], n: [-sine, cosine] }
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

fn add(a: [f64; 2], b: [f64; 2], c: f64) -> [f64; 2] {
    [a[0] + c * b[0], a[1] + c * b[1]]
}

const FORCE: [f64; 2] = [0.0, -GRAVITY];

/// Steps of a bead in a bowl, released at 60°, by one formulation written out for this one case. Returns the angle.
pub fn bowl(formulation: &str, steps: u64, h: f64) -> f64 {
    let mut s = std::f64::consts::FRAC_PI_3;
    let mut f = frame(s);
    let mut v = [0.0, 0.0];
    let mut a = add([0.0, 0.0], f.t, dot(FORCE, f.t));
    let mut speed = 0.0;
    let mut lambda: f64;
    match formulation {
        "symmetric" => {
            for _ in 0..steps {
                let p = add(add(f.q, v, h), FORCE, 0.5 * h * h);
                let (n0, t0) = (f.n, f.t);
                s += h * speed + 0.5 * h * h * dot(FORCE, t0);
                f = frame(s);
                loop {
                    let step = -dot(add(f.q, p, -1.0), t0) / dot(f.t, t0);
                    if step.abs() < 1e-15 {
                        break;
                    }
                    s += step;
                    f = frame(s);
                }
                let alpha = dot(add(f.q, p, -1.0), n0);
                let w = add(add(v, FORCE, h), n0, alpha / h);
                speed = dot(w, f.t);
                v = add([0.0, 0.0], f.t, speed);
                lambda = speed * speed - dot(FORCE, f.n);
                black_box(&mut lambda);
            }
        }
        "index3" => {
            for _ in 0..steps {
                let q = add(add(f.q, v, h), a, 0.25 * h * h);
                let half = add(v, a, 0.5 * h);
                let p = add(q, FORCE, 0.25 * h * h);
                s += h * speed + 0.5 * h * h * dot(a, f.t);
                f = frame(s);
                loop {
                    // The foot of p: p·t = 0, whose derivative by s is −p·q.
                    let step = dot(p, f.t) / dot(p, f.q);
                    if step.abs() < 1e-15 {
                        break;
                    }
                    s += step;
                    f = frame(s);
                }
                a = add(FORCE, add(f.q, p, -1.0), 4.0 / (h * h));
                v = add(half, a, 0.5 * h);
                speed = dot(v, f.t);
                lambda = dot(add(a, FORCE, -1.0), f.n);
                black_box(&mut lambda);
            }
        }
        "stabilized-index2" | "projected" => {
            let carried = formulation == "stabilized-index2";
            for _ in 0..steps {
                let base = add(add(f.q, v, h), a, 0.25 * h * h);
                let half = add(v, a, 0.5 * h);
                let mut a1 = a;
                s += h * speed + 0.5 * h * h * dot(a, f.t);
                f = frame(s);
                loop {
                    let p = add(base, a1, 0.25 * h * h);
                    let step = dot(p, f.t) / dot(p, f.q);
                    s += step;
                    f = frame(s);
                    let next = if carried {
                        let multiplier = -dot(f.n, half) * 2.0 / h - dot(FORCE, f.n);
                        add(FORCE, f.n, multiplier)
                    } else {
                        speed = dot(add(half, a1, 0.5 * h), f.t);
                        add(add([0.0, 0.0], f.t, dot(FORCE, f.t)), f.n, speed * speed)
                    };
                    let change = (next[0] - a1[0]).abs() + (next[1] - a1[1]).abs();
                    a1 = next;
                    if step.abs() < 1e-15 && h * change < 1e-14 {
                        break;
                    }
                }
                a = a1;
                speed = dot(add(half, a, 0.5 * h), f.t);
                v = add([0.0, 0.0], f.t, speed);
                lambda = dot(add(a, FORCE, -1.0), f.n);
                black_box(&mut lambda);
            }
        }
        _ => {
            let mut pull = dot(FORCE, f.t);
            for _ in 0..steps {
                let mut next = pull;
                let s0 = s;
                loop {
                    s = s0 + h * speed + 0.25 * h * h * (pull + next);
                    f = frame(s);
                    let now = dot(FORCE, f.t);
                    let change = (now - next).abs();
                    next = now;
                    if h * change < 1e-15 {
                        break;
                    }
                }
                speed += 0.5 * h * (pull + next);
                pull = next;
                lambda = speed * speed - dot(FORCE, f.n);
                black_box(&mut lambda);
            }
        }
    }
    s
}

/// The benchmark's hard sphere with drag by DOPRI5-like means would be the floor; the closed form of the vertical drop is
/// what is left of it when only bounces are counted: time and speed by `tan⁻¹` and `ln cosh`.
pub fn drag_bounces(bounces: u64, k_over_m: f64, restitution: f64) -> f64 {
    let (k, g) = (black_box(k_over_m), GRAVITY);
    let rate = (k * g).sqrt();
    let terminal = (g / k).sqrt();
    let (mut t, mut v) = (0.0, 7.0f64);
    for _ in 0..bounces {
        let up = (v / terminal).atan() / rate;
        let height = (1.0 + (v / terminal).powi(2)).ln() / (2.0 * k);
        let down = (k * height).exp().acosh() / rate;
        let impact = terminal * (1.0 - (-2.0 * k * height).exp()).sqrt();
        t += up + down;
        v = restitution * impact;
    }
    t
}
