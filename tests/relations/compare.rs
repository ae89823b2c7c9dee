//! Two runs that must agree, the condition of their orbit, and what the bound is made of.
//!
//! The condition is measured: of runs whose numbers are changed by random relative amounts below δ, how much do events and states
//! differ, in parts of δ? The largest growth so far, of a few such runs, times what is [`Allowed`] is the bound. An orbit is followed no
//! further than to where its bound exceeds [`LOST`], or where a changed run has other events: there it grazes or forks.

use supervisor::EventKind;

use super::orbit::{Label, Orbit, Row, Unit, Units};

/// What two runs may be apart by, in parts of the condition.
#[derive(Clone, Copy)]
pub struct Allowed {
    pub rounding: f64,
    /// For each tolerance that a method is held to.
    pub tolerances: f64,
}

impl Allowed {
    /// 10³ roundings, as an event's balance may have; and each of some ten steps and arcs may take a tolerance, in both runs.
    pub const USUAL: Allowed = Allowed { rounding: 1e3 * f64::EPSILON, tolerances: 100.0 };
}

/// Relative to the sizes of an orbit: where the bound is above, nothing is said.
const LOST: f64 = 1e-6;

const NUMBERS: usize = Unit::Force as usize + 1;

/// Which rows of two runs are of the same event.
struct Alignment {
    /// Indices, and whether what led there is the same (bounces of an accumulation may be summed up one sooner).
    pairs: Vec<(usize, usize, bool)>,
    /// When the runs part, s.
    parted: f64,
}

/// Whether `landing` sums up what `row` still does as an impact.
fn summed_up(row: &Row, landing: &Row) -> bool {
    let impact = matches!(row.label, Label::Event(EventKind::Impact, ..));
    let lands = matches!(landing.label, Label::Event(EventKind::Landing, ..));
    impact && lands && row.normal[1] <= landing.normal[0] * (1.0 + 1e-6)
}

fn align(a: &[Row], b: &[Row]) -> Alignment {
    let (mut i, mut j, mut whole) = (0, 0, true);
    let mut pairs = Vec::new();
    while let (Some(left), Some(right)) = (a.get(i), b.get(j)) {
        if left.label == right.label {
            pairs.push((i, j, whole));
            (i, j, whole) = (i + 1, j + 1, true);
        } else if summed_up(left, right) {
            (i, whole) = (i + 1, false);
        } else if summed_up(right, left) {
            (j, whole) = (j + 1, false);
        } else {
            break;
        }
    }
    let next = |rows: &[Row], k: usize| rows.get(k).map_or(f64::INFINITY, |row| row.time);
    Alignment { pairs, parted: next(a, i).min(next(b, j)) }
}

/// How an orbit answers to small changes.
pub struct Condition {
    /// At each event and each sample.
    events: Vec<Answer>,
    samples: Vec<Answer>,
    /// Where changed runs have other events, s.
    parted: f64,
    sizes: Sizes,
}

/// The largest answers so far in parts of the change, and sizes so far.
#[derive(Clone, Copy)]
struct Answer {
    /// To changes of all numbers, the offset of a far place among them.
    far: Units,
    /// The same to changes of the orbit's own numbers.
    near: Units,
    /// Sizes of the orbit's own numbers.
    size: Units,
    /// A length is so long a time in the slowest impact so far, s/m: what no change of the start shows, and rounding of places does.
    slowness: f64,
}

/// Sizes of the numbers of a relation.
#[derive(Clone, Copy)]
pub struct Sizes {
    /// Of the orbit's own.
    pub near: Units,
    /// With the offset that another run works with.
    pub far: Units,
    /// m/s²
    pub acceleration: f64,
}

impl Sizes {
    /// How fast what an event tells changes with its time.
    fn rates(&self) -> Units {
        let of = |unit: Unit| self.near[unit as usize];
        let (speed, pull) = (of(Unit::Velocity), self.acceleration);
        let mut rates = [0.0; NUMBERS];
        rates[Unit::Time as usize] = 1.0;
        rates[Unit::Length as usize] = speed;
        rates[Unit::Velocity as usize] = pull;
        rates[Unit::Spin as usize] = of(Unit::Spin) / speed * pull;
        rates[Unit::Angle as usize] = of(Unit::Angle) / of(Unit::Length) * speed;
        rates[Unit::Impulse as usize] = of(Unit::Impulse) / speed * pull;
        rates
    }
}

fn see(units: &mut Units, unit: Unit, value: f64) {
    let slot = &mut units[unit as usize];
    *slot = if value.is_nan() { f64::INFINITY } else { slot.max(value.abs()) };
}

fn differences(a: &Row, b: &Row, whole: bool) -> impl Iterator<Item = (Unit, f64)> {
    // Of a landing that sums up another number of bounces: when, where, and what is then.
    let after = move |k: usize| whole || !(5..8).contains(&k) && k < 11;
    a.numbers.iter().zip(&b.numbers).enumerate().filter(move |(k, _)| after(*k)).map(|(_, (x, y))| (x.0, x.1 - y.1))
}

/// Whether a sample is so near to an event that another run may have it on the other side.
fn beside(time: f64, events: &[Row], span: f64) -> bool {
    let near = 1e-6 * span;
    let k = events.partition_point(|row| row.time < time - near);
    events.get(k).is_some_and(|row| row.time <= time + near)
}

fn span(orbit: &Orbit) -> f64 {
    let ends = [orbit.samples.first(), orbit.samples.last()].map(|row| row.map_or(0.0, |row| row.time));
    (ends[1] - ends[0]).abs()
}

/// Pairs of samples that stand for the same time, and when they first tell of different phases.
fn sample_pairs(a: &Orbit, b: &Orbit) -> (Vec<(usize, usize)>, f64) {
    let span = span(a);
    let mut pairs = Vec::new();
    let mut parted = f64::INFINITY;
    for (i, left) in a.samples.iter().enumerate() {
        let k = b.samples.partition_point(|row| row.time < left.time - 1e-6 * span);
        let Some(right) = b.samples.get(k).filter(|row| row.time <= left.time + 1e-6 * span) else { continue };
        if beside(left.time, &a.events, span) || beside(left.time, &b.events, span) {
            continue;
        }
        if left.label == right.label {
            pairs.push((i, k));
        } else {
            parted = parted.min(left.time);
        }
    }
    (pairs, parted)
}

/// Measures the condition of an orbit by runs whose numbers were changed by `delta` of the far sizes.
pub fn condition(orbit: &Orbit, changed: &[Orbit], delta: f64, sizes: &Sizes) -> Condition {
    let mut parted = f64::INFINITY;
    let mut events = vec![[0.0; NUMBERS]; orbit.events.len()];
    let mut samples = vec![[0.0; NUMBERS]; orbit.samples.len()];
    for other in changed {
        let alignment = align(&orbit.events, &other.events);
        let (pairs, differ) = sample_pairs(orbit, other);
        parted = parted.min(alignment.parted).min(differ);
        parted = other.stop.map_or(parted, |(_, time)| parted.min(time));
        for (i, j, whole) in alignment.pairs {
            for (unit, d) in differences(&orbit.events[i], &other.events[j], whole) {
                see(&mut events[i], unit, d / delta);
            }
        }
        for (i, j) in pairs {
            for (unit, d) in differences(&orbit.samples[i], &other.samples[j], true) {
                see(&mut samples[i], unit, d / delta);
            }
        }
    }
    // The largest so far, in the order of time.
    let mut order: Vec<(f64, bool, usize)> = Vec::new();
    order.extend(orbit.events.iter().enumerate().map(|(i, row)| (row.time, false, i)));
    order.extend(orbit.samples.iter().enumerate().map(|(i, row)| (row.time, true, i)));
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let grain = sizes.near[Unit::Length as usize] / sizes.far[Unit::Length as usize];
    let mut answer = Answer { far: sizes.far, near: sizes.near, size: sizes.near, slowness: 0.0 };
    let (mut at_events, mut at_samples) = (vec![answer; events.len()], vec![answer; samples.len()]);
    for (_, sample, i) in order {
        let (seen, slot) = if sample { (&samples[i], &mut at_samples[i]) } else { (&events[i], &mut at_events[i]) };
        for unit in 0..NUMBERS {
            answer.far[unit] = answer.far[unit].max(seen[unit]);
            answer.near[unit] = answer.near[unit].max(seen[unit] * grain);
        }
        if let (false, [closing, _]) = (sample, orbit.events.get(i).map_or([0.0; 2], |row| row.normal))
            && closing < 0.0
        {
            answer.slowness = answer.slowness.max(-1.0 / closing);
        }
        *slot = answer;
    }
    Condition { events: at_events, samples: at_samples, parted, sizes: *sizes }
}

/// How two runs differ that must not.
#[derive(Clone, Debug)]
pub struct Difference {
    pub what: String,
    /// s
    pub time: f64,
    pub residual: f64,
    pub bound: f64,
    pub condition: f64,
}

/// What two runs that agree came to.
#[derive(Clone, Debug)]
pub struct Agreement {
    /// Rows compared.
    pub rows: usize,
    /// Largest residual in parts of its bound, where only rounding counts and where a tolerance does.
    pub rounding: f64,
    pub tolerance: f64,
    /// What had the largest.
    pub tightest: String,
    /// Part of the duration that they were compared over.
    pub share: f64,
}

/// Compares two runs as far as the condition allows.
pub fn compare(a: &Orbit, b: &Orbit, condition: &Condition, allow: Allowed) -> Result<Agreement, Difference> {
    let alignment = align(&a.events, &b.events);
    let (pairs, differ) = sample_pairs(a, b);
    let loose = |orbit: &Orbit, time: f64| {
        let since = orbit.loose.iter().filter(|(from, _)| *from <= time);
        allow.tolerances * since.fold(0.0_f64, |most, (_, by)| most.max(*by))
    };
    let allowed = |time: f64, answer: &Answer, unit: usize| {
        // A tolerance is one of numbers as they are: far away of large ones.
        loose(a, time) * answer.near[unit] + (allow.rounding + loose(b, time)) * answer.far[unit]
    };
    let Condition { sizes, .. } = condition;
    let length = Unit::Length as usize;
    let place = |time: f64| loose(a, time) * sizes.near[length] + (allow.rounding + loose(b, time)) * sizes.far[length];
    let rates = sizes.rates();
    let mut until = condition.parted.min(a.open).min(b.open);
    // Given steps are compared as long as they are the same: one is cut where a piece of the ground ends, which a circle does by the axes.
    let step = |orbit: &Orbit, k: usize| orbit.steps.get(k).map_or([f64::INFINITY; 2], |step| *step);
    let other_step = |k: &usize| !((step(a, *k)[1] - step(b, *k)[1]).abs() <= 1e-6 * span(a));
    let steps = a.steps.len().max(b.steps.len());
    // Rows within a step are by its whole length.
    let other_steps = (0..steps).find(other_step).map(|k| [step(a, k), step(b, k)]);
    until = other_steps.iter().flatten().flatten().fold(until, |until, time| until.min(*time));
    let mut lost = |row: &Row, answer: &Answer| {
        let known = [Unit::Time, Unit::Length, Unit::Velocity].map(|unit| unit as usize);
        if known.iter().any(|unit| allowed(row.time, answer, *unit) > LOST * answer.size[*unit]) {
            until = until.min(row.time);
        }
    };
    a.events.iter().zip(&condition.events).for_each(|(row, answer)| lost(row, answer));
    a.samples.iter().zip(&condition.samples).for_each(|(row, answer)| lost(row, answer));
    let stops = [a, b].map(|orbit| orbit.stop);
    let stopped = stops.iter().flatten().map(|(_, time)| *time).fold(f64::INFINITY, f64::min);
    // A run that stops tells no more; just before, both have the same events.
    let mut end = until.min(stopped);
    let parted = alignment.parted.min(differ);
    // The time of an impact is as sharp as its place over its closing speed: what comes within it may be summed up or not, and what
    // comes then is in another order.
    let closing = |row: &Row| if row.normal[0] < 0.0 { -row.normal[0] } else { f64::INFINITY };
    let blurred = |pair: &[Row]| {
        let apart = pair[1].time - pair[0].time;
        apart > 0.0 && 4.0 * place(pair[0].time) >= closing(&pair[0]).min(closing(&pair[1])) * apart
    };
    let blurred = a.events.windows(2).find(|pair| blurred(pair));
    if blurred.is_some_and(|pair| pair[0].time <= parted) {
        end = end.min(parted);
    }
    let mut agreement =
        Agreement { rows: 0, rounding: 0.0, tolerance: 0.0, tightest: String::new(), share: (end / span(a)).min(1.0) };
    let mut worst: Option<Difference> = None;
    let mut judge = |what: &dyn Fn() -> String, one: &Row, two: &Row, whole: bool, answer: &Answer| {
        agreement.rows += 1;
        let time = one.time;
        for (unit, residual) in differences(one, two, whole) {
            // What comes after a slow impact is as late as the impact.
            let bound = allowed(time, answer, unit as usize) + place(time) * answer.slowness * rates[unit as usize];
            // All of what has no size is zero.
            let ratio = if residual == 0.0 { 0.0 } else { residual.abs() / bound };
            let ratio = if ratio.is_nan() { f64::INFINITY } else { ratio };
            let slot = if loose(a, time) > 0.0 { &mut agreement.tolerance } else { &mut agreement.rounding };
            if ratio > *slot {
                *slot = ratio;
                agreement.tightest = format!("{unit:?} of {}: {residual:e} at {time:?} s", what());
            }
            if ratio > 1.0 && worst.as_ref().is_none_or(|worst| time < worst.time) {
                let what = format!("{unit:?} of {}", what());
                let condition = answer.far[unit as usize];
                worst = Some(Difference { what, time, residual, bound, condition });
            }
        }
    };
    for (i, j, whole) in alignment.pairs {
        let (left, right) = (&a.events[i], &b.events[j]);
        if left.time.max(right.time) < end {
            judge(&|| format!("event {i} {:?}", left.label), left, right, whole, &condition.events[i]);
        }
    }
    for (i, j) in pairs {
        let (left, right) = (&a.samples[i], &b.samples[j]);
        if left.time < end {
            judge(&|| format!("{:?} {i}", left.label), left, right, true, &condition.samples[i]);
        }
    }
    if let Some(worst) = worst {
        return Err(worst);
    }
    let other = |what: String, time: f64| Difference { what, time, residual: f64::NAN, bound: 0.0, condition: 0.0 };
    if parted < end {
        let next = |orbit: &Orbit| {
            let row = orbit.events.iter().find(|row| row.time >= parted);
            row.map_or_else(|| "none".to_owned(), |row| format!("{:?} at {:?}", row.label, row.time))
        };
        return Err(other(format!("events: {} and {}", next(a), next(b)), parted));
    }
    let kind = |stop: &Option<(supervisor::Stop, f64)>| stop.map(|(stop, _)| std::mem::discriminant(&stop));
    if stopped < until && kind(&stops[0]) != kind(&stops[1]) {
        let told = |stop: &Option<(supervisor::Stop, f64)>| {
            stop.map_or_else(|| "goes on".to_owned(), |(stop, _)| stop.to_string())
        };
        return Err(other(format!("stop: {} and {}", told(&stops[0]), told(&stops[1])), stopped));
    }
    Ok(agreement)
}
