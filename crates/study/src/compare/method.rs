//! Methods ([`Method`]) with their step or tolerance ([`Fineness`]), as named on the command line.

use std::mem::replace;

use newmark::{Control, Tolerance};
use scenario::Scenario;
use scenario::input::{InputError, plain};
use scenario::{FlightKind, FormulationKind, MethodFamily, Methods, SteppingKind};
use supervisor::Localisation;

use super::option_lists::{ListItem, items};

/// A method: `FAMILY[:FORMULATION][:extrapolated][:parabola]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Method {
    /// Family of the method.
    pub family: MethodFamily,
    /// Contact formulation; `None`: the scenario's.
    pub formulation: Option<FormulationKind>,
    /// Whether each step is extrapolated once (`newmark` in fixed steps).
    pub extrapolated: bool,
    /// Localisation of contacts in flight.
    pub localisation: Localisation,
}

/// Step or tolerance of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fineness {
    /// Fixed steps, s.
    Step(f64),
    /// Steps controlled by this tolerance.
    Tolerance(Tolerance),
}

/// One run of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case {
    /// The method.
    pub method: Method,
    /// Its step or tolerance.
    pub fineness: Fineness,
}

const EXTRAPOLATED: &str = "extrapolated";
const PARABOLA: &str = "parabola";

fn families(known: &Methods) -> Vec<(&'static str, MethodFamily)> {
    // "events" is only for several balls.
    known.families().into_iter().filter(|(_, family)| *family != MethodFamily::Steps(SteppingKind::Events)).collect()
}

impl Method {
    /// A method of this family with default choices.
    pub fn new(family: MethodFamily) -> Self {
        Method { family, formulation: None, extrapolated: false, localisation: Localisation::Certified }
    }

    /// Name on the command line.
    pub fn name(&self) -> String {
        let formulation = self.formulation.map(FormulationKind::name);
        let extrapolated = self.extrapolated.then_some(EXTRAPOLATED);
        let parabola = (self.localisation == Localisation::Parabola).then_some(PARABOLA);
        let parts = [Some(self.family.name()), formulation, extrapolated, parabola];
        parts.into_iter().flatten().collect::<Vec<_>>().join(":")
    }

    fn parse(item: &ListItem, methods: &Methods) -> Result<Self, InputError> {
        let (families, formulations) = (families(methods), methods.formulations());
        let mut parts = item.text.split(':');
        let family = parts.next().unwrap_or_default();
        let Some((_, family)) = families.iter().find(|(name, _)| *name == family) else {
            return Err(item.unknown("method", family, families.iter().map(|(name, _)| *name)));
        };
        let mut method = Method::new(*family);
        for part in parts {
            let formulation = formulations.iter().find(|(name, _)| *name == part).map(|(_, formulation)| *formulation);
            let repeated = match part {
                EXTRAPOLATED => replace(&mut method.extrapolated, true),
                PARABOLA => replace(&mut method.localisation, Localisation::Parabola) == Localisation::Parabola,
                _ if formulation.is_some() => replace(&mut method.formulation, formulation).is_some(),
                _ => {
                    let parts = formulations.iter().map(|(name, _)| *name).chain([EXTRAPOLATED, PARABOLA]);
                    return Err(item.unknown("part of a method", part, parts));
                }
            };
            if repeated {
                return Err(item.error(format!("\"{part}\" would replace what was said before it"), "say it once"));
            }
            if family.steps() {
                let message = format!("\"{part}\" is of event-driven runs, and \"{}\" marches in steps", family.name());
                return Err(item.error(message, format!("write \"{}\"", family.name())));
            }
        }
        if method.extrapolated && method.family != MethodFamily::Events(FlightKind::Newmark) {
            let name = family.name();
            let message =
                format!("\"{EXTRAPOLATED}\" is for \"newmark\" alone: \"{name}\" reaches its order without it");
            return Err(item.error(message, "leave it out"));
        }
        Ok(method)
    }
}

/// Reads a list of methods; also returns whether it is `all`: methods that refuse the scenario are then left out.
pub fn methods(option: &str, text: &str, known: &Methods) -> Result<(Vec<Method>, bool), InputError> {
    if text.trim() == "all" {
        let newmark = Method::new(MethodFamily::Events(FlightKind::Newmark));
        let formulations = known.formulations().into_iter();
        let on_ground = formulations.map(|(_, formulation)| Method { formulation: Some(formulation), ..newmark });
        let by_default = families(known).into_iter().map(|(_, family)| Method::new(family));
        return Ok((by_default.chain(on_ground).collect(), true));
    }
    let mut found = Vec::new();
    for item in items(option, text, "for example newmark,moreau,bdf, or all")? {
        let method = Method::parse(&item, known)?;
        if found.contains(&method) {
            return Err(item.error(format!("\"{}\" stands twice in the list", method.name()), "once is enough"));
        }
        found.push(method);
    }
    Ok((found, false))
}

impl Fineness {
    /// Step or tolerance of a scenario.
    pub fn of(scenario: &Scenario) -> Self {
        match scenario.solver.control {
            Control::Step { step, .. } => Fineness::Step(step),
            Control::Tolerance(tolerance) => Fineness::Tolerance(tolerance),
        }
    }

    /// Text for tables.
    pub fn text(&self) -> String {
        match self {
            Fineness::Step(step) => format!("h {}", plain(*step)),
            Fineness::Tolerance(t) if t.relative == t.absolute => format!("tol {:e}", t.relative),
            Fineness::Tolerance(t) => format!("tol {:e}/{:e}", t.relative, t.absolute),
        }
    }

    /// The step, s, or the (relative) tolerance.
    pub fn value(&self) -> f64 {
        match self {
            Fineness::Step(step) => *step,
            Fineness::Tolerance(tolerance) => tolerance.relative,
        }
    }
}

impl Case {
    /// Text for messages.
    pub fn name(&self) -> String {
        format!("{}, {}", self.method.name(), self.fineness.text())
    }
}
