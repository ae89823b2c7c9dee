//! From a document to a scenario.

use std::path::Path;
use std::sync::Arc;

use curves::{Ground, OffsetGround};
use serde_json::json;
use supervisor::Scene;

use crate::balls::{Entrants, Met, read_balls};
use crate::curve::{Curve, load_ground};
use crate::input::{InputError, Node, Reader, Source, TOML_FILE, apply_overrides, parse, read_file};
use crate::motion::read_motion;
use crate::physics::read_laws;
use crate::resolved::resolved;
use crate::scenario::{CurveInfo, Entrant, Scenario, Stepping};
use crate::solver::{check_between, read_output, read_solver};

/// A ground, and what is said of it.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub ground: Arc<Ground>,
    info: CurveInfo,
}

impl Given {
    fn read(table: &mut Reader, base: &Path) -> Result<Self, InputError> {
        let Curve { title, kind, ground, parameters, notes, noise, source } = load_ground(table, base)?;
        let info = CurveInfo { title, kind, parameters, notes, noise, source, motion: None };
        Ok(Given { ground: Arc::new(ground), info })
    }

    /// Of a scenario as read.
    pub fn of(scenario: &Scenario) -> Self {
        Given { ground: scenario.scene.ground.shared().clone(), info: scenario.curve.clone() }
    }
}

impl Scenario {
    /// Reads a scenario file, with `KEY=VALUE` settings put in.
    pub fn load(path: &Path, settings: &[String]) -> Result<Self, InputError> {
        let source = read_file(path, "scenario", None, TOML_FILE)?;
        Scenario::read(source, path.parent().unwrap_or(Path::new("")), settings)
    }

    /// Reads a scenario from text; paths in it are relative to `base`.
    pub fn from_text(text: &str, base: &Path, settings: &[String]) -> Result<Self, InputError> {
        Scenario::read(Source::new("scenario", text.to_owned()), base, settings)
    }

    fn read(source: Source, base: &Path, settings: &[String]) -> Result<Self, InputError> {
        let mut tree = parse(&source)?;
        apply_overrides(&mut tree, settings)?;
        Scenario::from_tree(&tree, base)
    }

    /// The same from a document with its settings put in.
    pub fn from_tree(tree: &Node, base: &Path) -> Result<Self, InputError> {
        Scenario::from_tree_over(tree, base, None)
    }

    /// The same over a ground that is known already to be that of the document.
    pub(crate) fn from_tree_over(tree: &Node, base: &Path, known: Option<&Given>) -> Result<Self, InputError> {
        let mut root = Reader::new(tree, "the scenario")?;
        let title = root.string("title")?.unwrap_or("untitled").to_owned();
        let mut ground = Reader::new(root.need("ground", "a table with the ground's `curve`")?, "[ground]")?;
        let Given { ground: curve, info } = match known {
            Some(known) => {
                ground.get("curve");
                ground.get("parameters");
                known.clone()
            }
            None => Given::read(&mut ground, base)?,
        };
        let motion = read_motion(&mut ground)?;
        ground.finish()?;
        let (law, between) = read_laws(&mut root)?;
        let (solver, method) = read_solver(&mut root)?;
        motion.as_ref().map_or(Ok(()), |motion| motion.check(method.is_some(), solver.duration))?;
        let interval = read_output(&mut root, solver.duration)?;
        let carriage = motion.as_ref().map(|motion| &motion.carriage);
        let Entrants { balls, spans, forces_used, compliance } = read_balls(
            &mut root,
            &Met { ground: &curve, law, carriage, slack: solver.capture_tolerance },
            method.as_ref().map(|(method, _)| method),
        )?;
        if let (None, Some((_, place))) = (&method, &between) {
            check_between(&mut root, place)?;
        }
        root.finish()?;
        let Entrant { ball, forces, start, .. } = &balls[0];
        let ground = OffsetGround::new(curve, ball.radius());
        let (scene, start) = (Scene { ground, ball: *ball, forces: forces.clone(), law, compliance }, *start);
        let (method, place) = method.unzip();
        let stepping = method.map(|method| Stepping { method, balls, between: between.map_or(law, |(law, _)| law) });
        let curve = CurveInfo { motion: motion.map(|motion| motion.used), ..info };
        let mut scenario = Scenario { title, scene, start, solver, stepping, interval, curve, resolved: json!(null) };
        scenario.check_stepping(&spans, place.as_ref())?;
        scenario.resolved = resolved(&scenario, forces_used);
        Ok(scenario)
    }
}
