//! Random loops: circles, clothoids, splines drawn by hand and trochoids with one to three crossings, some with another curve near,
//! which may be a loop itself; balls that roll, slide, are thrown and are dropped into them, as large as 0.9 of the tightest bend.
//!
//! No ball overlaps a strand that is there, no run ends out of balance, energy is accounted for, and a run from a row on is the run:
//! the same strands and phases, at places that differ by no more than what the tolerance of a step may put them aside. It is not the
//! same to the last bit: a row stands within a step, of which it does not tell the start.
//! `KUGELBAHN_CASES=10000` sets how many are tried, `KUGELBAHN_SEED` where they begin.

#![allow(clippy::expect_used, clippy::print_stdout, reason = "tests say what they measured, and fail loudly")]

use std::collections::BTreeMap;
use std::path::Path;

use kugelbahn::Scenario;
use supervisor::{Capture, Recording, Sample, Summary};

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn number(&mut self, from: f64, to: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let part = ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64;
        // Five digits, so that cases are short to read.
        format!("{:.4e}", from + part * (to - from)).parse().expect("a number")
    }

    fn below(&mut self, count: usize) -> usize {
        (self.number(0.0, count as f64) as usize).min(count - 1)
    }
}

/// A curve, how high its loops are and from where to where they are, m.
struct Drawn {
    text: String,
    height: f64,
    from: f64,
    to: f64,
}

fn curve(random: &mut Random) -> Drawn {
    let size = random.number(0.1, 0.4);
    let count = 1 + random.below(3);
    let lead = random.number(2.0, 5.0) * size;
    let text = |shape: String| {
        format!(
            "{{ kind = \"loop\", {shape}, count = {count}, spacing = {lead:?}, run-in = {lead:?}, run-out = {lead:?} }}"
        )
    };
    match random.below(4) {
        0 => Drawn { text: text(format!("radius = {size:?}")), height: 2.0 * size, from: 0.0, to: lead * count as f64 },
        1 => {
            let bottom = random.number(1.5, 4.0) * size;
            let shape = format!("top-radius = {size:?}, bottom-radius = {bottom:?}");
            Drawn { text: text(shape), height: 3.0 * size, from: 0.0, to: lead * count as f64 }
        }
        2 => {
            let (mut points, apart) = (vec![[-5.0, random.number(0.5, 1.5)], [-3.0, 0.3]], random.number(2.5, 5.0));
            for turn in 0..count {
                for i in 0..8 {
                    let angle = std::f64::consts::TAU * (f64::from(i) + random.number(-0.2, 0.2)) / 8.0;
                    let r = random.number(0.85, 1.15);
                    points.push([
                        turn as f64 * apart + r * angle.sin() + 0.1 * f64::from(i) - 0.4,
                        1.0 - r * angle.cos(),
                    ]);
                }
            }
            let end = apart * (count as f64 - 1.0);
            points.extend([[end + 1.2, 0.05], [end + 3.0, 0.1], [end + 5.0, 0.2]]);
            if random.below(3) == 0 {
                points.reverse();
            }
            let points: Vec<[f64; 2]> = points.into_iter().map(|[x, y]| [x * size, y * size]).collect();
            let text = format!("{{ kind = \"spline\", points = {points:?} }}");
            Drawn { text, height: 2.2 * size, from: -size, to: (end + 1.0) * size }
        }
        _ => {
            // A trochoid: with slow advance a loop crosses the next but one, too.
            let (advance, turns) = (random.number(0.15, 0.7) * size, count as f64);
            let end = std::f64::consts::TAU * turns + 2.0;
            let text = format!(
                "{{ kind = \"parametric\", x = \"{advance:?}*s + {size:?}*sin(s)\", y = \"{size:?} - {size:?}*cos(s)\", from = -2.0, to = {end:?} }}"
            );
            Drawn { text, height: 2.0 * size, from: -size, to: advance * end + size }
        }
    }
}

/// The largest curvature of a curve, 1/m; `None`: it is refused.
fn tightest(curve: &str) -> Option<f64> {
    let scenario = load(&format!("initial.position = [0, 1e3]\nground.curve = {curve}\nsolver.duration = 1")).ok()?;
    let ground = scenario.scene.ground.ground();
    let bends = ground.pieces().iter().flat_map(|piece| {
        let domain = piece.domain();
        (0..=64).map(move |i| piece.jet(domain.lo + domain.width() * f64::from(i) / 64.0).curvature().abs())
    });
    (!ground.crossings().is_empty()).then(|| bends.fold(0.0, f64::max))
}

fn load(text: &str) -> Result<Scenario, kugelbahn::input::InputError> {
    Scenario::from_text(text, Path::new(env!("CARGO_MANIFEST_DIR")), &[])
}

/// A scenario without its start, and its start.
fn scenario(random: &mut Random) -> Option<[String; 2]> {
    let Drawn { text, height, from, to } = curve(random);
    let radius = match random.below(6) {
        0 => 0.0,
        _ => random.number(0.01, 0.9) / tightest(&text)?,
    };
    let friction = ["0.0", "0.3", "\"infinite\""][random.below(3)];
    let restitution = [0.0, random.number(0.1, 0.9), 1.0][random.below(3)];
    let peg = (random.below(4) == 0).then(|| {
        let [x, y, turn, long] =
            [(from, to), (0.0, height), (-3.0, 3.0), (0.02, 0.3)].map(|(a, b)| random.number(a, b));
        let [u, v] = [x + long * turn.cos(), y + long * turn.sin()];
        match random.below(2) {
            0 => format!("{{ kind = \"line\", from = [{x:?}, {y:?}], to = [{u:?}, {v:?}] }}"),
            _ => format!(
                "{{ kind = \"loop\", at = [{x:?}, {v:?}], radius = {long:?}, run-in = {long:?}, run-out = {long:?} }}"
            ),
        }
    });
    let ground = match &peg {
        None => format!("[ground]\ncurve = {text}\n"),
        Some(peg) => {
            format!("[[ground]]\nname = \"loop\"\ncurve = {text}\n[[ground]]\nname = \"peg\"\ncurve = {peg}\n")
        }
    };
    let fast = (2.0 * 9.81 * height).sqrt();
    let on = if peg.is_some() { ", ground = \"loop\"" } else { "" };
    let initial = if random.below(2) == 0 {
        let (s, speed) = (random.number(0.0, 1.5 * height), random.number(0.2, 2.0) * fast);
        let spin = if friction == "0.0" || radius == 0.0 { "0.0" } else { "\"rolling\"" };
        format!("contact = {{ s = {s:?}, speed = {speed:?}, spin = {spin}{on} }}")
    } else {
        let [x, y] = [random.number(from - radius, to + radius), random.number(0.0, 1.3 * height + radius)];
        let thrown = f64::from(random.below(2) as u32);
        let [u, v, spin] = [1.5, 1.5, 20.0].map(|most| random.number(-most, most) * fast * thrown);
        format!("position = [{x:?}, {y:?}]\nvelocity = [{u:?}, {v:?}]\nspin = {spin:?}")
    };
    let rest = format!(
        "{ground}[ball]\nradius = {radius:?}\n[contact]\nfriction = {friction}\nrestitution = {restitution:?}\n[solver]\nduration = 1.0\n\
         method = \"{}\"\ntolerance = {TOLERANCE:?}\nlimit = 100000\n[output]\ninterval = 0.01\n",
        ["auto", "newmark", "dop853"][random.below(3)]
    );
    Some([format!("[initial]\n{initial}\n"), rest])
}

/// Tolerance of a step, m and m/s.
const TOLERANCE: f64 = 1e-9;

struct Run {
    scenario: Scenario,
    summary: Summary,
    samples: Vec<Sample>,
    captures: Vec<Capture>,
    impacts: Vec<f64>,
}

fn run(text: &str) -> Option<Run> {
    let scenario = load(text).ok()?;
    let mut all = Recording::default();
    let summary = kugelbahn::run(&scenario, &mut all).ok()?;
    let impacts = all.events.iter().map(supervisor::Event::time).collect();
    Some(Run { scenario, summary, samples: all.samples, captures: all.captures, impacts })
}

impl Run {
    fn amid(&self, time: f64) -> bool {
        self.captures.iter().any(|c| c.start.time <= time && time < c.start.time + c.duration)
    }

    /// What is wrong with it.
    fn fault(&self) -> Option<String> {
        if let Some(stop) = &self.summary.stop
            && matches!(stop.name(), "unbalanced" | "stalled")
        {
            return Some(format!("{stop}"));
        }
        let scene = &self.scenario.scene;
        for sample in self.samples.iter().filter(|sample| !self.amid(sample.state.time)) {
            let gap = scene.seen_by(sample).ground.gap(sample.state.position);
            if gap < -1e-10 {
                return Some(format!("{gap:e} m inside at {} s", sample.state.time));
            }
        }
        let [start, end] = [&self.summary.energy_start, &self.summary.energy_end];
        let unexplained = end.total() - start.total() + end.dissipated - end.work - start.dissipated + start.work;
        let motion = self.samples.iter().map(|sample| scene.energy(sample.phase, &sample.state).kinetic);
        // Of a ball that rests all along there is rounding alone.
        let most = motion.fold(start.kinetic + f64::EPSILON.sqrt() * start.potential.abs(), f64::max);
        (unexplained.abs() > 1e-5 * most).then(|| format!("{unexplained:e} J of {most:e} J unexplained"))
    }

    /// Writes the start that a row is, with its centre `off` m aside.
    fn start(&self, row: usize, off: f64) -> String {
        let sample = &self.samples[row];
        let (state, scene) = (&sample.state, self.scenario.scene.seen_by(sample));
        let last = sample.last.place.map_or(String::new(), |place| {
            let curve = scene.ground.curve_of(place);
            let name = self.scenario.curve.name(curve).map_or(String::new(), |name| format!("ground = \"{name}\"\n"));
            format!("s = {:?}\n{name}strands = {}\n", scene.ground.shown_parameter(place), sample.last.strands())
        });
        let ([x, y], [u, v]) = ([state.position.x + off, state.position.y], [state.velocity.x, state.velocity.y]);
        format!("[initial]\nposition = [{x:?}, {y:?}]\nvelocity = [{u:?}, {v:?}]\nspin = {:?}\n{last}", state.spin)
    }

    /// Whether the ball is in other phases or among other strands in some rows of a run from a row on.
    fn differs(&self, row: usize, rest: &Run, rows: usize) -> bool {
        let mut pairs = self.samples[row..].iter().zip(&rest.samples).take(rows);
        pairs.any(|(a, b)| a.phase != b.phase || a.last.strands() != b.last.strands())
    }

    /// How far a run from a row on is off this one over some rows, m.
    fn off(&self, row: usize, rest: &Run, rows: usize) -> f64 {
        let pairs = self.samples[row..].iter().zip(&rest.samples).take(rows);
        pairs.map(|(a, b)| (a.state.position - b.state.position).norm()).fold(0.0, f64::max)
    }
}

/// What is wrong with a restart from a row; `None` also where the motion is too sensitive to tell. How far it is off is added to a list, m.
fn restart(whole: &Run, row: usize, text: &str, all: &mut Vec<f64>) -> Option<String> {
    if whole.amid(whole.samples[row].state.time) || whole.summary.stop.is_some() {
        return None;
    }
    let rows = 12;
    let again = |off: f64| run(&format!("{}{text}", whole.start(row, off)));
    let Some(rest) = again(0.0) else { return Some(format!("row {row} is no start")) };
    let (off, differs) = (whole.off(row, &rest, rows), whole.differs(row, &rest, rows));
    all.push(off);
    if off <= TOLERANCE && !differs {
        return None;
    }
    // How much starts beside it by the tolerance of a step differ; one that is none tells nothing.
    let beside: Vec<Run> = [TOLERANCE, -TOLERANCE].into_iter().filter_map(again).collect();
    let apart = beside.iter().map(|near| rest.off(0, near, rows)).fold(TOLERANCE, f64::max);
    let alike = beside.iter().all(|near| !rest.differs(0, near, rows));
    (off > 10.0 * apart || differs && alike && off <= TOLERANCE)
        .then(|| format!("off by {off:e} m from row {row} on ({differs}), {apart:e} m beside it"))
}

#[test]
fn random_loops() {
    let setting = |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (cases, seed) = (setting("KUGELBAHN_CASES", 60), setting("KUGELBAHN_SEED", 51));
    let (mut counts, mut faults, mut off) = (BTreeMap::<String, u64>::new(), Vec::new(), Vec::new());
    for case in 0..cases {
        let mut random = Random(seed.wrapping_mul(1 << 32).wrapping_add(case));
        let made = (0..20).find_map(|_| {
            let [initial, rest] = scenario(&mut random)?;
            let text = format!("{initial}{rest}");
            Some((run(&text)?, text, rest))
        });
        let Some((whole, text, rest)) = made else {
            *counts.entry("no start".to_owned()).or_default() += 1;
            continue;
        };
        let stop = whole.summary.stop.as_ref().map_or("done", |stop| stop.name());
        *counts.entry(stop.to_owned()).or_default() += 1;
        *counts.entry("events".to_owned()).or_default() += whole.impacts.len() as u64;
        let row = random.below(whole.samples.len());
        let fault = whole.fault().or_else(|| restart(&whole, row, &rest, &mut off));
        if let Some(fault) = fault {
            println!("case {case}: {fault}\n{text}");
            faults.push(case);
        }
    }
    off.sort_by(f64::total_cmp);
    let part = |part: f64| off.get((part * off.len() as f64) as usize).copied().unwrap_or(f64::NAN);
    let alike = off.iter().filter(|off| **off == 0.0).count();
    println!("seed {seed}: {counts:?}");
    println!(
        "{} restarts: {alike} to the last bit, half within {:e} m, 0.99 within {:e} m",
        off.len(),
        part(0.5),
        part(0.99)
    );
    assert!(faults.is_empty(), "{} of {cases}: {faults:?}", faults.len());
    assert!(counts.get("done").is_some_and(|done| 10 * done > 8 * cases), "{counts:?}");
}
