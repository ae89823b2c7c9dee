//! Terminal output of a run.

mod steps;
mod tables;
mod wrap;

use std::fmt::Write;
use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use curves::Piece;
use mechanics::CompliantLaw;
use moreau::{BallSettings, ContactSolver, Energy, ImpactLaw, Projection};
use rolling::CompressedCount;
use scenario::input::{brief, counted, name_of, one_line, plain, printable, rounded};
use scenario::moment::written;
use scenario::stepping::SteppingSummary;
use scenario::{CONTACT_SOLVERS, FlightKind, IMPACT_LAWS, Scenario, SteppingKind};
use supervisor::{Balance, Capture, CaptureReason, Count, Localisation, Phase, PutBack, Scene, Summary, WedgedEnd};

use crate::Outcome;
use crate::figures::phase_colours;
use crate::output::Recorder;
use steps::work_of_steps;
pub(crate) use tables::cut;
use tables::{balls, events, fixed, jumps, phases, phases_of_steps, short};
pub use tables::{name_width, short_name};
use wrap::wrapped;

/// Placeholder of ESC in painted text until it is printed: a private character, different in each process, so that no
/// file contains it.
fn colour_sign() -> char {
    static SIGN: OnceLock<char> = OnceLock::new();
    *SIGN.get_or_init(|| {
        char::from_u32(0xf0000 + RandomState::new().hash_one(0_u8) as u32 % 0xfffe).unwrap_or('\u{f0000}')
    })
}

/// Text for the terminal: placeholders become ESC, all else is escaped by [`printable`].
pub(crate) fn shown(text: &str) -> String {
    let mut parts = text.split(colour_sign());
    let mut shown = printable(parts.next().unwrap_or_default()).into_owned();
    for part in parts {
        let code = part.strip_prefix('[').and_then(|rest| rest.split_once('m'));
        let own = code.is_some_and(|(code, _)| code.bytes().all(|digit| digit.is_ascii_digit() || digit == b';'));
        shown.extend(own.then_some('\x1b'));
        shown += &printable(part);
    }
    shown
}

/// Style of output, with or without colours.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether output is coloured.
    pub colour: bool,
}

impl Style {
    /// `text` in the colour of an ANSI `code`, for [`print`](crate::output::print).
    pub fn paint(self, code: &str, text: &str) -> String {
        let sign = colour_sign();
        if self.colour { format!("{sign}[{code}m{text}{sign}[0m") } else { text.to_owned() }
    }
    /// Style of headings.
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }
    /// Style of explanations.
    pub fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }
    /// Style of failures.
    pub fn alarm(self, text: &str) -> String {
        self.paint("31", text)
    }
    pub(crate) fn phase(self, phase: Phase, text: &str) -> String {
        self.paint(phase_colours(phase)[1], text)
    }
}

/// Text for the terminal: phases or balls, events, energy audit, work of the run.
pub fn report(scenario: &Scenario, outcome: &Outcome, record: &Recorder, style: Style) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", style.bold(&one_line(&scenario.title)));
    let _ = writeln!(out, "{}\n", style.faint(&setting(scenario, &record.scenes)));
    match outcome.states(&scenario.scene).as_slice() {
        [] => {}
        [end] if scenario.stepping.is_some() => phases_of_steps(&mut out, end, record, style),
        [_] => phases(&mut out, record, style),
        ends => balls(&mut out, ends, record, style),
    }
    if let Outcome::Events(Summary { until: Some(moment), state, .. }) = outcome {
        let name = written(*moment, &scenario.watches);
        let _ = writeln!(out, "ended with {name} at t = {:.9} s", state.time);
    }
    if let (Outcome::Events(summary), Some(last)) = (outcome, record.phases.rows.last())
        && fell(scenario, summary)
    {
        let _ = writeln!(out, "left the track at t = {:.9} s, fell since", last.touched);
    }
    out.push('\n');
    jumps(&mut out, scenario, record, style);
    events(&mut out, scenario, record, style);
    if let Some(line) = captures(&record.captures) {
        let _ = writeln!(out, "{line}");
    }
    if let Outcome::Events(summary) = outcome {
        if let Some(wedged) = &summary.wedged {
            let mut seen = *wedged;
            seen.points = wedged.points.map(|point| scenario.scene.world_point(summary.state.time, point));
            let _ = writeln!(out, "{}", wedged_line(&seen));
        }
        for line in choices(&summary.count) {
            let _ = writeln!(out, "{line}");
        }
    }
    out.push('\n');
    audit(&mut out, outcome, style);
    out.push('\n');
    match outcome {
        Outcome::Events(summary) => work(&mut out, summary),
        Outcome::Steps(summary) => work_of_steps(&mut out, scenario, summary),
    }
    out = wrapped(&out);
    // The sentence is not wrapped, so that it can be searched for.
    if let Some(stop) = outcome.stop(scenario) {
        let _ = writeln!(out, "\n{} {stop}", style.paint("1;31", "stopped:"));
    }
    out
}

fn setting(scenario: &Scenario, scenes: &[Scene]) -> String {
    let range = |f: &dyn Fn(&Scene) -> f64| {
        let (low, high) = scenes.iter().map(f).fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), v| (a.min(v), b.max(v)));
        let [from, to] = [low, high].map(|value| brief(rounded(value, 3)));
        if low == high { plain(low) } else { format!("{from} to {to}") }
    };
    let (mass, radius) = (range(&|scene| scene.ball.mass()), range(&|scene| scene.ball.radius()));
    let shape = match scenes {
        _ if radius == "0" => "point mass".to_owned(),
        [scene] => format!("radius {radius} m, inertia {:.4} m R²", scene.ball.inertia_factor()),
        _ => format!("radius {radius} m"),
    };
    let balls = if scenes.len() == 1 { "ball".to_owned() } else { format!("{} balls,", scenes.len()) };
    let method = match scenario.stepping.as_ref().map(|stepping| (stepping.method.kind, stepping.method.settings)) {
        None => event_driven(scenario),
        Some((SteppingKind::Kern, _)) => format!("Kern, step {} s", scenario.step()),
        Some((SteppingKind::Own(name), _)) => format!("{name}, step {} s", scenario.step()),
        Some((SteppingKind::Events, settings)) => {
            format!("event by event, step {} s of balls handed over", settings.step)
        }
        Some((SteppingKind::Moreau, settings)) => {
            let BallSettings { theta, prediction, impact_law, solver, tolerance, projection, .. } = settings;
            let name = name_of(&CONTACT_SOLVERS, solver);
            let shared = scenes.len() > 1 || solver != ContactSolver::GaussSeidel;
            let solver = if shared { format!(", {name} to {tolerance:e} m/s") } else { String::new() };
            let ahead = if prediction == 0.5 { String::new() } else { format!(", prediction {prediction} h") };
            let law = match impact_law {
                ImpactLaw::Moreau => String::new(),
                ImpactLaw::EnergyBound => format!(", impact law {}", name_of(&IMPACT_LAWS, impact_law)),
            };
            let projected = match projection {
                Some(Projection { tolerance, .. }) => format!(", projected onto g = 0 to {tolerance:e} m"),
                None => String::new(),
            };
            format!("Moreau, θ = {theta}{ahead}{law}{solver}{projected}, step {} s", scenario.step())
        }
    };
    let curve = &scenario.curve;
    format!("{balls} {mass} kg, {shape}; ground: {} ({}); {method}", curve.title, curve.kind)
}

fn event_driven(scenario: &Scenario) -> String {
    let formulation = scenario.solver.formulation.name();
    let control = match scenario.solver.control {
        newmark::Control::Step { step, extrapolate: true } => format!("step {step} s, extrapolated once"),
        newmark::Control::Step { step, .. } => format!("step {step} s"),
        newmark::Control::Tolerance(t) if t.relative == t.absolute => format!("tolerance {:e}", t.relative),
        newmark::Control::Tolerance(t) => format!("tolerance {:e} relative, {:e} absolute", t.relative, t.absolute),
    };
    let method = match scenario.solver.method {
        FlightKind::Newmark => "Newmark",
        FlightKind::Bdf => "BDF",
        FlightKind::Radau => "Radau IIA",
        FlightKind::Dop853 => "DOP853",
        FlightKind::Ballistic => "first integral",
        FlightKind::Taylor => "Taylor",
        FlightKind::Auto => "exact where it can be",
        FlightKind::Own(name) => name,
    };
    let found = if scenario.solver.localisation == Localisation::Parabola { ", contacts by a parabola" } else { "" };
    let contact = match scenario.scene.compliance.as_ref().map(|soft| soft.law()) {
        None => formulation,
        Some(CompliantLaw::Hertz { .. }) => "compliant after Hertz",
        Some(CompliantLaw::KelvinVoigt { .. }) => "compliant after Kelvin and Voigt",
        Some(CompliantLaw::HuntCrossley { .. }) => "compliant after Hunt and Crossley",
        Some(CompliantLaw::Own(own)) => own.name(),
    };
    format!("{method}, {contact}, {control}{found}")
}

/// Whether the ball falls at the end, below all of a ground that is bounded and at rest.
fn fell(scenario: &Scenario, summary: &Summary) -> bool {
    let (scene, end) = (&scenario.scene, &summary.state);
    let lowest = |piece: &Piece| {
        let domain = piece.domain();
        let at = |i: u8| piece.curve().point_at(domain.lo + domain.width() * f64::from(i) / 16.0).y;
        if domain.width().is_finite() { (0..=16).map(at).fold(f64::INFINITY, f64::min) } else { f64::NEG_INFINITY }
    };
    let stands = scene.parts.is_empty() && scene.forces.carriage().is_none();
    let below = || scene.ground.ground().pieces().iter().all(|piece| end.position.y < lowest(piece));
    stands && summary.phase == Phase::Flight && end.velocity.y < 0.0 && below()
}

/// Line on bounces that were summed up, in total.
fn captures(captures: &[Capture]) -> Option<String> {
    let first = captures.first()?;
    let why = match first.reason {
        CaptureReason::Slow => "slower than the capture speed",
        CaptureReason::BelowRounding => "next hop below rounding",
        CaptureReason::TwoWalls => "between two walls, the rest below the capture tolerance or rounding",
    };
    let (times, most) = match captures.len() {
        1 => (format!("at t = {:.9} s ({why}: {:.2e} m/s)", first.start.time, first.speed), ""),
        many => (format!("{many} times from t = {:.9} s on", first.start.time), "at most "),
    };
    let jumped = captures.iter().map(|capture| capture.duration).fold(0.0, f64::max);
    let bounds = captures.iter().map(|capture| capture.velocity_bound).filter(|bound| bound.is_finite());
    let error =
        bounds.reduce(f64::max).map_or("error of rounding".to_owned(), |most| format!("error at most {most:.1e} m/s"));
    let energy: f64 = captures.iter().map(|capture| capture.dissipated).sum();
    Some(format!("captured the last bounces {times}: jumped {most}{jumped:.3e} s, {error}, energy {energy:.2e} J"))
}

/// Lines on impacts at two contacts that deviate from the given restitution.
fn choices(count: &Count) -> impl Iterator<Item = String> {
    let lines = [
        (
            count.impacts_without_restitution,
            "restitution counted as 0, since it would drive the ball into the other contact",
        ),
        (count.impacts_with_e_instead_of_e_t, "e stood for e_t, since friction allows no other or has no limit"),
    ];
    let of = |n: u64| counted(n, "impact");
    lines.into_iter().filter(|(n, _)| *n > 0).map(move |(n, what)| format!("in {} on two contacts {what}", of(n)))
}

/// Line on a wedged ball: normal forces, and other possible friction forces.
fn wedged_line(wedged: &WedgedEnd) -> String {
    let [p, q] = wedged.points.map(|point| format!("({}, {})", fixed(point.x, 5), fixed(point.y, 5)));
    let [n, m] = wedged.normal_forces.map(short);
    let held = format!("wedged between {p} and {q}: normal forces {n} and {m} N");
    match wedged.other_friction {
        None => held,
        Some([from, to]) => format!(
            "{held}, without friction; not unique: friction of {} to {} N along both walls would hold it as well",
            short(from),
            short(to)
        ),
    }
}

fn audit(out: &mut String, outcome: &Outcome, style: Style) {
    let [start, end] = outcome.energies();
    let _ = writeln!(out, "{}", style.bold("energy [J]         start            end"));
    let mut row = |name: &str, a: f64, b: f64| {
        let _ = writeln!(out, "{name:<18} {:<16} {}", fixed(a, 9), fixed(b, 9));
    };
    row("kinetic", start.kinetic, end.kinetic);
    row("potential", start.potential, end.potential);
    row("total", start.total(), end.total());
    row("dissipated", 0.0, end.dissipated);
    if let Outcome::Steps(SteppingSummary { energy_end: end, .. }) = outcome {
        row("  normal contacts", 0.0, -end.normal);
        row("  friction", 0.0, -end.tangential);
        row("  damping, drag", 0.0, end.dissipated);
    }
    row("external work", 0.0, end.work);
    if let Outcome::Steps(SteppingSummary { energy_end: Energy { projection, .. }, .. }) = outcome
        && *projection != 0.0
    {
        row("projection", 0.0, *projection);
    }
    let _ = writeln!(out, "{:<18} {:<16} {:.3e}", "unexplained", "", outcome.unexplained());
    let Balance { place, momentum, angular_momentum, ground, .. } = outcome.balance();
    let _ = writeln!(
        out,
        "balance of events  place {:.1e} m, momentum {:.1e} N s, angular {:.1e} N m s, off the ground {:.1e} m",
        place.size, momentum.size, angular_momentum.size, ground.size
    );
}

fn work(out: &mut String, summary: &Summary) {
    let count = &summary.count;
    let (flight, contact, search) = (&count.flight, &count.contact, &count.search);
    let (steps, forces) = (counted(flight.steps, "step"), counted(flight.forces, "evaluation"));
    let _ = writeln!(
        out,
        "flight:  {steps} ({} rejected), {forces} of forces and {} of their derivatives",
        flight.rejected, flight.jacobians
    );
    let (steps, frames) = (counted(contact.steps, "step"), counted(contact.frames, "ground evaluation"));
    let projections = counted(contact.projections, "projection");
    let _ = writeln!(
        out,
        "contact: {steps} ({} rejected), {frames}, {projections} (at most {:.1e} m)",
        contact.rejected, contact.largest_projection
    );
    if contact.by_arc_length > 0 {
        let steps = counted(contact.by_arc_length, "step");
        let _ = writeln!(out, "         {steps} by arc length in place of `symmetric`");
    }
    let PutBack { velocities, forces } = count.projected;
    if velocities.count + forces.count > 0 {
        let _ = writeln!(
            out,
            "         {} projections onto v·n = 0 (at most {:.1e} m/s), {} of accelerations (at most {:.1e} N)",
            velocities.count, velocities.largest, forces.count, forces.largest
        );
    }
    if count.shortened > 0 {
        let steps = counted(count.shortened, "step");
        let _ = writeln!(out, "         {steps} made again, shorter, to see what acts along them");
    }
    if let CompressedCount { steps: steps @ 1.., rejected, evaluations } = count.compressed {
        let _ = writeln!(
            out,
            "soft:    {steps} steps ({rejected} rejected), {evaluations} evaluations of compressed contact"
        );
    }
    let ending = if search.searches == 1 { "" } else { "es" };
    let (evaluations, grazes) = (counted(search.evaluations, "ground evaluation"), counted(search.grazes, "graze"));
    let enclosures = counted(search.enclosures, "enclosure");
    let _ = writeln!(out, "search:  {} search{ending}, {evaluations}, {enclosures}, {grazes}", search.searches);
}
