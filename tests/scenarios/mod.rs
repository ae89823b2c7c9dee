//! Scenarios as one writes them: described, changed in place, time and mass, and written as files. Tests that need random ones
//! take them from [`random`].

#![allow(missing_docs, reason = "fields and variants are named as the keys of scenario files")]

mod curve;
mod formula;
mod map;
pub mod random;

use std::fmt;

use nalgebra::Vector2;

pub use curve::{Curve, Parameter};
pub use formula::Formula;
pub use map::{Change, Map};

/// A scenario file of one ball.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    pub mass: f64,
    pub radius: f64,
    /// k; 0: the name `point`.
    pub inertia: f64,
    pub start: Start,
    pub curve: Curve,
    /// Where the ground is carried.
    pub motion: Option<[Formula; 2]>,
    pub forces: Forces,
    pub contact: Contact,
    pub solver: Solver,
}

/// `[initial]`
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    At { position: Vector2<f64>, velocity: Vector2<f64>, spin: f64 },
    On { s: f64, speed: f64, spin: f64 },
}

/// `[forces]`
#[derive(Clone, Debug, PartialEq)]
pub struct Forces {
    pub gravity: Vector2<f64>,
    pub drag: f64,
    pub wind: Vector2<f64>,
    pub magnus: f64,
    pub external: Option<[Formula; 2]>,
}

/// `[contact]`
#[derive(Clone, Debug, PartialEq)]
pub enum Contact {
    /// `friction: None` is infinite.
    Rigid {
        restitution: f64,
        tangential: f64,
        friction: Option<f64>,
        damping: f64,
        resistance: f64,
        /// What e is times `restitution`, by the approach speed `v`.
        fading: Option<Formula>,
        /// What μ_s is above `friction`.
        sticking: f64,
        impact: &'static str,
    },
    Soft {
        law: Law,
        stiffness: f64,
        damping: f64,
        friction: f64,
        slip_speed: f64,
        pull: bool,
    },
}

/// `contact.law`
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    Hertz,
    KelvinVoigt,
    /// With its exponent.
    HuntCrossley(f64),
}

/// `[solver]` and `[output]`
#[derive(Clone, Debug, PartialEq)]
pub struct Solver {
    pub method: &'static str,
    pub formulation: &'static str,
    pub control: Control,
    pub capture_speed: f64,
    pub duration: f64,
    /// Rows of output.
    pub rows: usize,
    pub limit: u64,
}

/// How steps are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    Tolerance { relative: f64, absolute: f64 },
    Step { step: f64, extrapolate: bool },
}

impl Scenario {
    /// The same motion after a change; with `wrapped` the ground becomes a transform. Of a start on the ground the change must leave
    /// place and direction alone.
    pub fn changed(&self, change: &Change, wrapped: bool) -> Scenario {
        let Change { map, time, mass, .. } = *change;
        let length = map.scale;
        let start = match &self.start {
            Start::At { position, velocity, spin } => Start::At {
                position: map.point(*position),
                velocity: change.velocity(*velocity),
                spin: change.spin(*spin),
            },
            on @ Start::On { .. } => on.clone(),
        };
        let names = change.names();
        let still = Map { shift: Vector2::zeros(), ..map };
        let carried = |[x, y]: &[Formula; 2]| still.formulas([&x.with(&names), &y.with(&names)]);
        let pushed = |[x, y]: &[Formula; 2]| {
            let newton = Map { scale: change.force(), ..still };
            newton.formulas([&x.with(&names), &y.with(&names)])
        };
        let forces = Forces {
            gravity: map.orthogonal() * self.forces.gravity * (length / (time * time)),
            drag: self.forces.drag * mass / length,
            wind: change.velocity(self.forces.wind),
            magnus: self.forces.magnus * mass,
            external: self.forces.external.as_ref().map(pushed),
        };
        let control = match self.solver.control {
            // One number for metres, metres a second and so on: the least of them.
            Control::Tolerance { relative, absolute } => {
                let least = [length, length / time, 1.0 / time].into_iter().fold(1.0, f64::min);
                Control::Tolerance { relative, absolute: (absolute * least).max(1e-14) }
            }
            Control::Step { step, extrapolate } => Control::Step { step: step * time, extrapolate },
        };
        Scenario {
            mass: self.mass * mass,
            radius: self.radius * length,
            inertia: self.inertia,
            start,
            curve: match map == Map::SAME {
                true => self.curve.clone(),
                false if wrapped => self.curve.wrapped(map),
                false => self.curve.mapped(&map),
            },
            motion: self.motion.as_ref().map(carried),
            forces,
            contact: self.contact.changed(change),
            solver: Solver {
                control,
                capture_speed: self.solver.capture_speed * length / time,
                duration: self.solver.duration * time,
                ..self.solver.clone()
            },
        }
    }

    /// Time between rows, s.
    pub fn interval(&self) -> f64 {
        self.solver.duration / self.solver.rows as f64
    }

    /// Whether all flights are parabolas.
    pub fn flies_exactly(&self) -> bool {
        let Forces { drag, magnus, external, .. } = &self.forces;
        *drag == 0.0 && *magnus == 0.0 && external.is_none() && self.motion.is_none()
    }

    /// Whether contact is rigid.
    pub fn is_rigid(&self) -> bool {
        matches!(self.contact, Contact::Rigid { .. })
    }
}

impl Contact {
    fn changed(&self, change: &Change) -> Contact {
        let Change { map: Map { scale: length, .. }, time, mass, .. } = *change;
        let mut changed = self.clone();
        match &mut changed {
            Contact::Rigid { damping, fading, .. } => {
                *damping *= mass / time;
                let speed = Formula::new("v").times(time / length);
                *fading = fading.as_ref().map(|fading| fading.with(&[("v", speed)]));
            }
            Contact::Soft { law, stiffness, damping, slip_speed, .. } => {
                let exponent = match law {
                    Law::Hertz => 1.5,
                    Law::KelvinVoigt => 1.0,
                    Law::HuntCrossley(exponent) => *exponent,
                };
                *stiffness *= change.force() / length.powf(exponent);
                *damping *= if let Law::HuntCrossley(_) = law { time / length } else { mass / time };
                *slip_speed *= length / time;
            }
        }
        changed
    }
}

/// A pair as an array.
fn pair(v: &Vector2<f64>) -> String {
    format!("[{:?}, {:?}]", v.x, v.y)
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Scenario { mass, radius, .. } = self;
        writeln!(f, "[ball]\nmass = {mass:?}\nradius = {radius:?}")?;
        match self.inertia {
            0.0 => writeln!(f, "inertia = \"point\"")?,
            k => writeln!(f, "inertia = {k:?}")?,
        }
        writeln!(f, "[initial]")?;
        match &self.start {
            Start::At { position, velocity, spin } => {
                writeln!(f, "position = {}\nvelocity = {}\nspin = {spin:?}", pair(position), pair(velocity))?;
            }
            Start::On { s, speed, spin } => {
                writeln!(f, "contact = {{ s = {s:?}, speed = {speed:?}, spin = {spin:?} }}")?;
            }
        }
        writeln!(f, "[ground]\ncurve = {}", self.curve)?;
        let formulas = |[x, y]: &[Formula; 2]| format!("{{ x = \"{x}\", y = \"{y}\" }}");
        if let Some(motion) = &self.motion {
            writeln!(f, "motion = {}", formulas(motion))?;
        }
        let Forces { gravity, drag, wind, magnus, external } = &self.forces;
        writeln!(f, "[forces]\ngravity = {}", pair(gravity))?;
        if *drag != 0.0 {
            writeln!(f, "drag = {{ coefficient = {drag:?} }}")?;
        }
        if *wind != Vector2::zeros() {
            writeln!(f, "wind = {}", pair(wind))?;
        }
        if *magnus != 0.0 {
            writeln!(f, "magnus = {magnus:?}")?;
        }
        if let Some(external) = external {
            writeln!(f, "external = {}", formulas(external))?;
        }
        writeln!(f, "[contact]")?;
        match &self.contact {
            Contact::Rigid { restitution, tangential, friction, damping, resistance, fading, sticking, impact } => {
                match fading {
                    None => writeln!(f, "restitution = {restitution:?}")?,
                    Some(fading) => writeln!(f, "restitution = \"{restitution:?}*({fading})\"")?,
                }
                match friction {
                    None => writeln!(f, "friction = \"infinite\"")?,
                    Some(friction) => writeln!(f, "friction = {friction:?}")?,
                }
                if let (Some(friction), true) = (friction, *sticking != 0.0) {
                    writeln!(f, "static-friction = {:?}", friction + sticking)?;
                }
                if *impact != "newton" {
                    writeln!(f, "impact = \"{impact}\"")?;
                }
                writeln!(f, "tangential-restitution = {tangential:?}\nrolling-damping = {damping:?}")?;
                if *resistance != 0.0 {
                    writeln!(f, "rolling-resistance = {resistance:?}")?;
                }
            }
            Contact::Soft { law, stiffness, damping, friction, slip_speed, pull } => {
                match law {
                    Law::Hertz => writeln!(f, "law = \"hertz\"\nviscosity = {damping:?}")?,
                    Law::KelvinVoigt => writeln!(f, "law = \"kelvin-voigt\"\ndamping = {damping:?}")?,
                    Law::HuntCrossley(n) => {
                        writeln!(f, "law = \"hunt-crossley\"\nexponent = {n:?}\ndamping = {damping:?}")?;
                    }
                }
                writeln!(f, "stiffness = {stiffness:?}\nfriction = {friction:?}")?;
                writeln!(f, "slip-speed = {slip_speed:?}\npull = {pull}")?;
            }
        }
        let Solver { method, formulation, control, capture_speed, duration, limit, .. } = &self.solver;
        writeln!(f, "[solver]\nmethod = \"{method}\"\nformulation = \"{formulation}\"")?;
        match control {
            Control::Tolerance { relative, absolute } => {
                writeln!(f, "relative-tolerance = {relative:?}\nabsolute-tolerance = {absolute:?}")?;
            }
            Control::Step { step, extrapolate: false } => writeln!(f, "step = {step:?}")?,
            Control::Step { step, extrapolate: true } => writeln!(f, "step = {step:?}\nextrapolate = true")?,
        }
        if self.is_rigid() {
            writeln!(f, "capture-speed = {capture_speed:?}")?;
        }
        writeln!(f, "duration = {duration:?}\nlimit = {limit}\n[output]\ninterval = {:?}", self.interval())
    }
}
