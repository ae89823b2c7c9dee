//! The four scenarios, and who runs them.

use kugelbahn::compare::{Case, ClosedForm, ComparedRun, Exact, Fineness, JUDGED, Measure, Method};
use kugelbahn::scenario::{FlightKind, FormulationKind, MethodFamily, SteppingKind};
use newmark::Tolerance;
use reference::bowl::Bowl;
use rolling::Formulation;
use supervisor::Localisation;

const NEWMARK: Method = Method {
    family: MethodFamily::Events(FlightKind::Newmark),
    formulation: None,
    extrapolated: false,
    localisation: Localisation::Certified,
};
const EXTRAPOLATED: Method = Method { extrapolated: true, ..NEWMARK };
const INDEX3: Method = Method { formulation: Some(FormulationKind::Ours(Formulation::Index3)), ..NEWMARK };
const SERIES: Method = Method { formulation: Some(FormulationKind::Taylor), ..NEWMARK };
const TAYLOR: Method = Method { family: MethodFamily::Events(FlightKind::Taylor), ..NEWMARK };
const BALLISTIC: Method = Method { family: MethodFamily::Events(FlightKind::Ballistic), ..NEWMARK };
const BDF: Method = Method { family: MethodFamily::Events(FlightKind::Bdf), ..NEWMARK };
const PARABOLA: Method = Method { localisation: Localisation::Parabola, ..BDF };
const RADAU: Method = Method { family: MethodFamily::Events(FlightKind::Radau), ..NEWMARK };
const DOP853: Method = Method { family: MethodFamily::Events(FlightKind::Dop853), ..NEWMARK };
const MOREAU: Method = Method { family: MethodFamily::Steps(SteppingKind::Moreau), ..NEWMARK };

/// One diagram.
pub struct Scene {
    /// Whose scenario it is.
    pub experiment: &'static str,
    pub title: &'static str,
    /// What errors are of.
    pub quantity: &'static str,
    of: Measure,
    /// Event-driven, at tolerances.
    tolerant: &'static [Method],
    /// In fixed steps.
    stepped: &'static [Method],
    /// The largest step, s; others are halves of it.
    step: f64,
    /// Method, fineness and the largest error it may have there.
    pub bounds: &'static [(&'static str, f64, f64)],
    /// Independent event times, and how far the reference may be from them, s.
    pub table: Option<&'static str>,
    pub table_bound: f64,
    closed: bool,
}

pub const SCENES: [Scene; 4] = [
    Scene {
        experiment: "over_the_hills",
        title: "over the hills",
        quantity: "error of x in the end [m]",
        of: Measure::FinalPosition,
        tolerant: &[NEWMARK, SERIES],
        stepped: &[NEWMARK, INDEX3, EXTRAPOLATED, MOREAU],
        // No longer than what is between two rows.
        step: 2e-3,
        bounds: &[("newmark", 1e-10, 1e-8), ("newmark", 1e-3, 5e-5)],
        table: None,
        table_bound: 0.0,
        closed: false,
    },
    Scene {
        experiment: "dae_formulations",
        title: "bead in a circular bowl",
        quantity: "largest error of x [m]",
        of: Measure::Position,
        tolerant: &[NEWMARK, SERIES],
        stepped: &[NEWMARK, INDEX3, EXTRAPOLATED, MOREAU],
        step: 2e-2,
        bounds: &[("newmark", 5e-3, 2.1e-4), ("newmark:extrapolated", 5e-3, 1e-8), ("newmark", 1e-10, 1e-8)],
        table: None,
        table_bound: 0.0,
        closed: true,
    },
    Scene {
        experiment: "hard_spheres",
        title: "hard spheres with drag",
        quantity: "largest error of event times [s]",
        of: Measure::EventTime,
        tolerant: &[NEWMARK, BALLISTIC, TAYLOR, BDF, RADAU, DOP853, PARABOLA],
        stepped: &[MOREAU],
        step: 2e-3,
        bounds: &[("newmark", 1e-10, 1e-9), ("bdf", 1e-10, 1e-9), ("radau", 1e-10, 1e-9), ("dop853", 1e-10, 1e-10)],
        table: Some("hard_modelica_e0.9"),
        table_bound: 1e-12,
        closed: false,
    },
    Scene {
        experiment: "soft_spheres",
        title: "soft spheres with drag",
        quantity: "largest error of event times [s]",
        of: Measure::EventTime,
        tolerant: &[NEWMARK, BDF, RADAU, DOP853, PARABOLA],
        stepped: &[],
        step: 1e-3,
        bounds: &[("newmark", 1e-10, 1e-10), ("bdf", 1e-10, 1e-9), ("radau", 1e-10, 1e-10), ("dop853", 1e-10, 1e-10)],
        table: Some("soft_E1e8_mu0_printed"),
        table_bound: 1e-11,
        closed: false,
    },
];

fn bead(time: f64) -> Exact {
    let release = std::f64::consts::FRAC_PI_3;
    let bowl = Bowl { radius: 1.0, gravity: 9.81, mass: 1.0, inertia_factor: 0.0, release };
    let state = bowl.at(time);
    Exact { position: state.position, velocity: state.velocity, normal_force: Some(state.normal_force) }
}

impl Scene {
    pub fn cases(&self, quick: bool) -> Vec<Case> {
        let tolerances: &[f64] =
            if quick { &[1e-6, 1e-10] } else { &[1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11] };
        let halvings = if quick { 3 } else { 7 };
        let tolerant = self.tolerant.iter().flat_map(|method| {
            tolerances.iter().map(|t| Case {
                method: *method,
                fineness: Fineness::Tolerance(Tolerance { relative: *t, absolute: *t }),
            })
        });
        let stepped = self.stepped.iter().flat_map(|method| {
            let step = |i| Fineness::Step(self.step / f64::from(1u32 << i));
            (0..halvings).map(move |i| Case { method: *method, fineness: step(i) })
        });
        tolerant.chain(stepped).collect()
    }

    pub fn closed_form(&self) -> Option<ClosedForm> {
        self.closed.then(|| ClosedForm {
            name: "elliptic functions",
            at: Box::new(bead),
            events: Vec::new(),
            captures: Vec::new(),
        })
    }

    pub fn error(&self, outcome: &ComparedRun) -> f64 {
        outcome.errors.of(self.of).unwrap_or(f64::NAN)
    }

    /// Whether the reference is 100 times better than this error.
    pub fn certain(&self, outcome: &ComparedRun) -> bool {
        JUDGED.iter().zip(outcome.certain).any(|(measure, certain)| *measure == self.of && certain)
    }
}

/// What one line of a diagram joins.
pub fn line(outcome: &ComparedRun) -> (String, bool) {
    (outcome.case.method.name(), matches!(outcome.case.fineness, Fineness::Step(_)))
}

/// Whether all events are to be found: contacts are proven first ones, and λ is no sawtooth that lifts the ball off.
pub fn finds_all(outcome: &ComparedRun) -> bool {
    let Method { family, localisation, formulation, .. } = outcome.case.method;
    !family.steps()
        && localisation == Localisation::Certified
        && formulation != Some(FormulationKind::Ours(Formulation::Index3))
}
