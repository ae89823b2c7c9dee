//! [`SharedGround`]: a ground already read, with its metadata.

use std::path::Path;
use std::sync::Arc;

use curves::{Ground, OffsetGround, Piece};
use mechanics::{Ball, ContactLaw, Forces, State};
use nalgebra::Vector2;
use supervisor::{Scene, Start};
use tables::Format;

use crate::Methods;
use crate::curve::{Curve, curve_from_text, load_curve};
use crate::input::{InputError, Node};
use crate::scenario::{CurveInfo, CurveName, Scenario};
use crate::solver::default_solver;

/// A ground with its metadata; copies share it.
#[derive(Clone, Debug)]
pub struct SharedGround {
    pub(crate) ground: Arc<Ground>,
    pub(crate) info: Arc<CurveInfo>,
    /// Its offset ground for one radius, if known, which is expensive to build.
    pub(crate) offset: Option<Arc<OffsetGround>>,
}

impl From<Curve> for SharedGround {
    fn from(curve: Curve) -> Self {
        let Curve { title, kind, ground, parameters, counts, notes, noise, source, curves } = curve;
        let (mut nodes, mut source) = (vec![source.clone()], serde_json::json!(source));
        if !curves.is_empty() {
            source = curves.iter().map(|(name, curve)| curve_table(name, curve, &parameters)).collect();
            nodes = curves.iter().map(|(_, curve)| curve.clone()).collect();
        }
        let curves = curves.into_iter().map(|(name, _)| CurveName { name, table: 0 }).collect();
        let info =
            CurveInfo { title, kind, parameters, counts, notes, noise, source, nodes, curves, ..CurveInfo::default() };
        SharedGround { ground: Arc::new(ground), info: Arc::new(info), offset: None }
    }
}

impl SharedGround {
    /// The ground of a scenario.
    pub(crate) fn of(scenario: &Scenario) -> Self {
        let (offset, info) = (scenario.scene.ground.clone(), scenario.curve.clone());
        SharedGround { ground: offset.shared().clone(), info, offset: Some(offset) }
    }

    /// Reads a curve file.
    pub fn load(path: &Path) -> Result<Self, InputError> {
        Ok(load_curve(path, &Methods::builtin())?.into())
    }

    /// Reads the text of a curve file.
    pub fn from_text(text: &str) -> Result<Self, InputError> {
        Ok(curve_from_text(text, Path::new(""))?.into())
    }

    /// Builds the ground from keys of a curve file.
    pub fn of_keys<const N: usize>(keys: [(&str, toml::Value); N]) -> Result<Self, InputError> {
        let table: toml::Table = keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        SharedGround::from_text(&table.to_string())
    }

    /// Builds the ground from pieces, in order.
    pub fn of_pieces(pieces: Vec<Piece>) -> Result<Self, InputError> {
        let ground = Ground::new(pieces).map_err(|error| InputError::without_place(error.to_string()))?;
        let (title, kind, source) = ("own".to_owned(), "own".to_owned(), serde_json::json!({}));
        let info = CurveInfo { title, kind, source, ..CurveInfo::default() };
        Ok(SharedGround { ground: Arc::new(ground), info: Arc::new(info), offset: None })
    }

    /// The ground itself.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// A scenario of a ball on this ground with default values; its start must still be set.
    pub fn scenario(&self, ball: Ball) -> Scenario {
        let ground = Arc::new(OffsetGround::new(self.ground.clone(), ball.radius()));
        let forces = Forces::standard(&ball);
        let state = State {
            time: 0.0,
            position: Vector2::zeros(),
            velocity: Vector2::zeros(),
            angle: 0.0,
            spin: 0.0,
            dissipated: 0.0,
            work: 0.0,
        };
        let solver = default_solver();
        Scenario {
            title: "untitled".to_owned(),
            scene: Scene::new(ground, ball, forces, ContactLaw::default()),
            initial: None,
            start: Start::Flight(state),
            near: None,
            solver,
            stepping: None,
            interval: solver.duration / 1000.0,
            shown: Arc::default(),
            contacts: false,
            format: Format::Csv,
            times: Arc::default(),
            watches: Arc::default(),
            until: Arc::default(),
            curve: self.info.clone(),
            external: Arc::default(),
            methods: Arc::default(),
        }
    }
}

/// A `[[ground]]` table for records.
pub(crate) fn curve_table(name: &str, curve: &Node, parameters: &[(String, f64)]) -> serde_json::Value {
    let parameters: serde_json::Map<_, _> =
        parameters.iter().map(|(key, value)| (key.clone(), serde_json::json!(value))).collect();
    serde_json::json!({ "name": name, "curve": curve, "parameters": parameters })
}
