//! The tasks, and where the ball should be at whole seconds.

use reference::bounce::Bounce;
use reference::bowl::Bowl;
use reference::circle::Circle;
use reference::table::{self, Table};

pub const GRAVITY: f64 = 9.81;

/// A point mass thrown over y = A sin kx (A = 0: flat ground).
#[derive(Clone, Copy, Debug)]
pub struct Throw {
    /// e, along the normal; what is tangential stays.
    pub restitution: f64,
    /// ½ Cx ρ S / m, 1/m
    pub drag: f64,
    /// A, m
    pub height: f64,
    /// k, 1/m
    pub wave: f64,
    /// `[x, y, vx, vy]`, m and m/s
    pub start: [f64; 4],
}

impl Throw {
    /// The benchmark's hard sphere, drag as in its Modelica code.
    pub const BENCHMARK: Throw = Throw {
        restitution: 0.9,
        drag: 0.5 * 0.5 * 1.293 * 0.0314 / 1.1,
        height: 0.0,
        wave: std::f64::consts::PI,
        start: [0.0, 2.0, 1.0, 5.0],
    };

    #[inline(always)]
    pub fn motion(&self, y: &[f64], dy: &mut [f64]) {
        let brake = self.drag * (y[2] * y[2] + y[3] * y[3]).sqrt();
        (dy[0], dy[1], dy[2], dy[3]) = (y[2], y[3], -brake * y[2], -brake * y[3] - GRAVITY);
    }

    /// The derivative of `motion` times `v`.
    #[inline(always)]
    pub fn derivative(&self, y: &[f64], v: &[f64], jv: &mut [f64]) {
        let speed = (y[2] * y[2] + y[3] * y[3]).sqrt();
        let along = if speed > 0.0 { (y[2] * v[2] + y[3] * v[3]) / speed } else { 0.0 };
        (jv[0], jv[1]) = (v[2], v[3]);
        (jv[2], jv[3]) = (-self.drag * (along * y[2] + speed * v[2]), -self.drag * (along * y[3] + speed * v[3]));
    }

    fn slope(&self, x: f64) -> f64 {
        self.height * self.wave * (self.wave * x).cos()
    }

    /// Height above the ground, m.
    #[inline(always)]
    pub fn gap(&self, y: &[f64]) -> f64 {
        if self.height == 0.0 { y[1] } else { y[1] - self.height * (self.wave * y[0]).sin() }
    }

    /// Its derivative by time, m/s.
    pub fn gap_rate(&self, y: &[f64]) -> f64 {
        y[3] - self.slope(y[0]) * y[2]
    }

    /// The state after an impact, on the ground.
    pub fn bounce(&self, y: &[f64]) -> [f64; 4] {
        let slope = self.slope(y[0]);
        let jump = -(1.0 + self.restitution) * self.gap_rate(y) / (1.0 + slope * slope);
        [y[0], y[1] - self.gap(y), y[2] - slope * jump, y[3] + jump]
    }

    /// Places at whole seconds from `from` on, by arcs from exact impacts (times and states after them).
    fn places(&self, impacts: &[(f64, [f64; 4])], until: usize) -> Vec<[f64; 2]> {
        let place = |second: usize| {
            let time = second as f64;
            let last = impacts.iter().rev().find(|impact| impact.0 <= time);
            let (begin, mut y) = *last.unwrap_or(&(0.0, self.start));
            // Runge and Kutta's method with steps so short that rounding is all that is left.
            let steps = ((time - begin) / 1e-3).ceil().max(1.0);
            let h = (time - begin) / steps;
            for _ in 0..steps as usize {
                y = self.step(&y, h);
            }
            [y[0], y[1]]
        };
        (1..=until).map(place).collect()
    }

    fn step(&self, y: &[f64; 4], h: f64) -> [f64; 4] {
        let at = |slope: &[f64; 4], h: f64| -> [f64; 4] {
            let mut into = [0.0; 4];
            self.motion(&std::array::from_fn::<f64, 4, _>(|i| y[i] + h * slope[i]), &mut into);
            into
        };
        let first = at(&[0.0; 4], 0.0);
        let second = at(&first, 0.5 * h);
        let third = at(&second, 0.5 * h);
        let fourth = at(&third, h);
        std::array::from_fn(|i| y[i] + h / 6.0 * (first[i] + 2.0 * (second[i] + third[i]) + fourth[i]))
    }
}

/// What is to be solved, in numbers.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Throw(Throw),
    /// From rest, the centre on a radius of 1 m: inertia factor k and angle from the bottom.
    Bowl {
        factor: f64,
        release: f64,
    },
    /// From the top, the centre on a radius of 1 m, without friction: speed.
    Crest {
        speed: f64,
    },
}

pub struct Task {
    pub title: &'static str,
    pub kind: Kind,
    /// Scenario file and what is changed in it.
    pub scenario: (&'static str, Vec<String>),
    /// s
    pub duration: f64,
    /// At 1, 2, … s.
    pub exact: Vec<[f64; 2]>,
}

impl Task {
    /// As the scripts are told it.
    pub fn line(&self) -> (&'static str, Vec<f64>) {
        match self.kind {
            Kind::Throw(Throw { restitution, drag, height, wave, start: [x, y, vx, vy] }) => {
                ("throw", vec![restitution, drag, height, wave, x, y, vx, vy])
            }
            Kind::Bowl { factor, release } => ("bowl", vec![factor, release]),
            Kind::Crest { speed } => ("crest", vec![0.0, speed]),
        }
    }

    /// Largest distance from the exact places, m; `None` if places are missing.
    pub fn error(&self, places: &[[f64; 2]]) -> Option<f64> {
        if places.len() < self.exact.len() {
            return None;
        }
        // A NaN is an error without bound.
        let worse = |all: f64, off: f64| if all.is_nan() || off <= all { all } else { off };
        Some((0..self.exact.len()).map(|k| self.error_at(places, k)).fold(0.0, worse))
    }

    /// The same at k + 1 s.
    pub fn error_at(&self, places: &[[f64; 2]], k: usize) -> f64 {
        (places[k][0] - self.exact[k][0]).hypot(places[k][1] - self.exact[k][1])
    }

    /// Depth below the ground where there is one, m.
    pub fn depth(&self, place: &[f64; 2]) -> f64 {
        match self.kind {
            Kind::Throw(throw) => -throw.gap(&[place[0], place[1], 0.0, 0.0]),
            Kind::Bowl { .. } => place[0].hypot(place[1]) - 1.0,
            Kind::Crest { .. } => 1.0 - place[0].hypot(place[1]),
        }
    }
}

fn number(table: &Table, name: &str) -> f64 {
    table.number(name).expect("a number of this name")
}

pub fn all() -> Vec<Task> {
    let benchmark = table::find("hard_modelica_e0.9").expect("the benchmark's hard sphere");
    let throw = Throw::BENCHMARK;
    let after = |event: &Table| {
        let [t, x, vx, vy] = ["t", "x", "vx", "vy_before"].map(|name| number(event, name));
        (t, [x, 0.0, vx, -throw.restitution * vy])
    };
    let impacts: Vec<_> = benchmark.events().iter().map(after).collect();
    let flying = throw.places(&impacts, 14);
    // On the ground vx' = −k vx².
    let [end, x, vx] = ["zeno_time", "x_zeno", "vx_zeno"].map(|name| number(&benchmark, name));
    let sliding = (15..=20).map(|second| [x + (throw.drag * vx * (f64::from(second) - end)).ln_1p() / throw.drag, 0.0]);
    let hard = |title, duration: usize| Task {
        title,
        kind: Kind::Throw(throw),
        scenario: ("../scenarios/hard-sphere.toml", vec![]),
        duration: duration as f64,
        exact: flying.iter().copied().chain(sliding.clone()).take(duration).collect(),
    };

    let drop = Throw { drag: 0.0, start: [0.0, 1.0, 0.0, 0.0], ..throw };
    let exact = Bounce { height: 1.0, gravity: GRAVITY, restitution: 0.9 };
    let dropped = |title, duration: usize| Task {
        title,
        kind: Kind::Throw(drop),
        scenario: ("scenarios/drop.toml", vec![]),
        duration: duration as f64,
        exact: (1..=duration).map(|second| [0.0, exact.at(second as f64)[0]]).collect(),
    };

    let bowl = |title, factor: f64, settings: &[&str]| {
        let exact = Bowl { radius: 1.0, gravity: GRAVITY, mass: 1.0, inertia_factor: factor, release: 1.0 };
        Task {
            title,
            kind: Kind::Bowl { factor, release: 1.0 },
            scenario: ("scenarios/bowl.toml", settings.iter().map(|s| (*s).to_owned()).collect()),
            duration: 10.0,
            exact: (1..=10).map(|second| exact.at(f64::from(second)).position).collect(),
        }
    };

    let hills = Throw { height: 0.1, ..throw };
    let bumps = table::find("sine_A0.1_drag").expect("bounces on hills");
    let after =
        |event: &Table| (number(event, "t"), ["x", "y", "vx_after", "vy_after"].map(|name| number(event, name)));
    let impacts: Vec<_> = bumps.events().iter().map(after).collect();
    let over = Task {
        title: "(e) bounces on hills: the same ball over 0.1 m sin πx for 10 s",
        kind: Kind::Throw(hills),
        scenario: ("scenarios/hills.toml", vec![]),
        duration: 10.0,
        exact: hills.places(&impacts, 10),
    };

    let circle = Circle { radius: 1.0, gravity: GRAVITY, inertia_factor: 0.0, start: 0.0, speed: 0.5 };
    let (angle, time) = (circle.lift_off_angle(), circle.lift_off_time());
    let ([sine, cosine], speed, rest) = ([angle.sin(), angle.cos()], circle.speed_after(angle), 1.0 - time);
    let crest = Task {
        title: "(d) take-off from a crest: without friction from the top of a circle at 0.5 m/s, for 1 s",
        kind: Kind::Crest { speed: 0.5 },
        scenario: ("scenarios/crest.toml", vec![]),
        duration: 1.0,
        exact: vec![[sine + rest * speed * cosine, cosine - rest * (speed * sine + 0.5 * GRAVITY * rest)]],
    };

    vec![
        hard("(b) hard sphere of the benchmark, 10 s: ten bounces", 10),
        hard("(b) hard sphere of the benchmark, 20 s: all bounces until 14.698 s, then sliding", 20),
        dropped("(a) drop from 1 m with e = 0.9, 8 s: before the Zeno point at 8.579 s", 8),
        dropped("(a) drop from 1 m with e = 0.9, 10 s: through the Zeno point", 10),
        bowl("(c) circular bowl without friction, from 1 rad, 10 s", 0.0, &["contact.friction=0.0"]),
        bowl(
            "(c) a solid sphere rolls in the bowl, from 1 rad, 10 s",
            0.4,
            &["contact.friction=\"infinite\"", "ball.inertia=\"solid-sphere\"", "initial.contact.spin=\"rolling\""],
        ),
        over,
        crest,
    ]
}
