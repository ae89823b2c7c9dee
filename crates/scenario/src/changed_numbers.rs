//! Changes numbers of a scenario in place, without reading or building anything again.

use mechanics::{Compliance, ContactLaw, Forces, ParameterError, RestitutionError, RestitutionFormula};
use supervisor::{Made, Scene};

use crate::keys::{Access, Key, Runs, With};
use crate::scenario::Scenario;
use crate::start_on_ground::{Initial, StartError};

/// Reason why a number can't be changed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NumberError {
    /// A value outside its range.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// An invalid formula of restitution.
    #[error(transparent)]
    Restitution(#[from] RestitutionError),
    /// An impossible start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A number of rigid contact, which compliant contact does not have.
    #[error(
        "`{key}` is a number of rigid contact, but the ball gives way: what it gives back follows from its law's damping"
    )]
    Rigid {
        /// Key of `[contact]`.
        key: &'static str,
    },
    /// Compliant contact of a point mass, which can't be compressed.
    #[error("compliant contact needs a ball with a radius: a point can't be compressed")]
    Point,
}

impl Scenario {
    /// Changes a number by its key, such as `contact.restitution`; `false`: it can't be changed in place (it changes
    /// the ground, a compliant law, or time stepping). The scenario is then as it was, as after an error.
    pub fn put(&mut self, key: &str, value: f64) -> Result<bool, NumberError> {
        let Some((row, entry)) = Key::at(key).filter(|_| self.stepping.is_none()) else { return Ok(false) };
        if row.runs == Runs::Rigid && self.scene.compliance.as_ref().is_some_and(|law| !law.is_own()) {
            return Err(NumberError::Rigid { key: row.name() });
        }
        let forces = &self.scene.forces;
        match row.access {
            Access::Law(_, with) if row.table() == "contact" => return self.put_law(row, with, value),
            Access::Force(_, with) => self.put_forces(with(forces.clone(), value)?)?,
            Access::ForcePair(get, with) => {
                let (Some(entry), mut pair) = (entry, get(forces)) else { return Ok(false) };
                pair[entry] = value;
                self.put_forces(with(forces.clone(), pair)?)?;
            }
            // Compliant laws may depend on the ball.
            Access::Ball(_, with) if self.scene.compliance.is_none() => {
                let Some(ball) = with(&self.scene.ball, value) else { return Ok(false) };
                let ball = ball?;
                let forces = forces.clone().with_mass(&ball);
                self.put_scene(|scene| (scene.ball, scene.forces) = (ball, forces))?;
            }
            Access::Solver(_, put) => {
                let allowed = row.range.contains(value);
                put(&mut self.solver, ParameterError::check(row.name(), value, allowed, row.range.rule)?);
            }
            Access::Start(_) => match self.initial.and_then(|initial| with(initial, key, value)) {
                Some(initial) => self.put_start(initial)?,
                None => return Ok(false),
            },
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Changes several numbers and checks the start once. After `false` or an error some may already be changed.
    pub fn put_all<'a>(&mut self, numbers: impl IntoIterator<Item = (&'a str, f64)>) -> Result<bool, NumberError> {
        let mut start = self.initial;
        for (key, value) in numbers {
            match (key.starts_with("initial."), start) {
                (true, Some(before)) => match with(before, key, value) {
                    Some(after) => start = Some(after),
                    None => return Ok(false),
                },
                _ if self.put(key, value)? => {}
                _ => return Ok(false),
            }
        }
        match start.filter(|_| start != self.initial) {
            Some(start) => self.put_start(start).map(|()| true),
            None => Ok(true),
        }
    }

    /// Replaces the forces; the ground's motion stays.
    pub fn put_forces(&mut self, forces: Forces) -> Result<(), NumberError> {
        self.put_scene(|scene| scene.forces = forces)
    }

    /// Replaces rigid contact or another law by this law of compliant contact.
    pub fn put_compliance(&mut self, law: Compliance) -> Result<(), NumberError> {
        if self.scene.ball.radius() == 0.0 {
            return Err(NumberError::Point);
        }
        self.put_scene(|scene| scene.compliance = Some(law))
    }

    /// Changes the scene at the same start, and checks the start again: infinite friction forbids slip, and compliant
    /// contact bounds the compression.
    fn put_scene(&mut self, change: impl FnOnce(&mut Scene)) -> Result<(), NumberError> {
        let before = self.scene.clone();
        change(&mut self.scene);
        self.scene.made = Made::default();
        let strict = |scene: &Scene| scene.compliance.is_some() || scene.laws().any(|law| law.never_slips());
        match self.initial.filter(|_| strict(&before) || strict(&self.scene)) {
            Some(initial) => self.put_start(initial).inspect_err(|_| self.scene = before),
            None => Ok(()),
        }
    }

    /// Replaces the number of restitution by a formula; `false`: it can't be changed in place, as in [`Scenario::put`].
    pub fn put_restitution(&mut self, formula: RestitutionFormula) -> Result<bool, NumberError> {
        if self.stepping.is_some() || self.scene.compliance.is_some() {
            return Ok(false);
        }
        self.put_contact(self.scene.law.clone().with_restitution_of(formula))
    }

    /// Replaces the start.
    pub fn put_start(&mut self, initial: Initial) -> Result<(), NumberError> {
        (self.start, self.near) = initial.start(&self.scene, self.solver.capture_tolerance)?;
        self.initial = Some(initial);
        Ok(())
    }

    fn put_law(&mut self, row: &Key, with: With<ContactLaw>, value: f64) -> Result<bool, NumberError> {
        if let Some(law) = self.scene.compliance.clone() {
            let speed = law.slip_speed();
            return match row.name() {
                "friction" => self.put_compliance(law.with_friction(value, speed)?).map(|()| true),
                _ => Ok(false),
            };
        }
        self.put_contact(with(self.scene.law.clone(), value)?)
    }

    fn put_contact(&mut self, law: ContactLaw) -> Result<bool, NumberError> {
        let before = std::mem::replace(&mut self.scene.law, law.clone());
        let refused = self.unlawful().is_some();
        self.scene.law = before;
        // Curves with laws of their own may inherit this number, and the reader has the message for a refused law.
        if refused || !self.scene.own_laws.is_empty() {
            return Ok(false);
        }
        self.put_scene(|scene| scene.law = law).map(|()| true)
    }
}

/// The start with one number changed.
fn with(mut initial: Initial, key: &str, value: f64) -> Option<Initial> {
    let (row, entry) = Key::at(key)?;
    let Access::Start(numbers) = row.access else { return None };
    let numbers = numbers(&mut initial).filter(|numbers| entry.is_some() || numbers.len() == 1)?;
    numbers[entry.unwrap_or(0)] = value;
    Some(initial)
}
