//! [`SharedGround`]: a ground already read, with its metadata.

use std::path::Path;
use std::sync::Arc;

use curves::{Ground, OffsetGround, Piece};
use mechanics::{Ball, ContactLaw, Forces, State};
use supervisor::{Scene, Start};
use tables::Format;

use crate::Methods;
use crate::curve::{Curve, curve_from_text, load_curve};
use crate::input::InputError;
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
        let Curve { info, ground, source, curves } = curve;
        let several = curves.into_iter().map(|(name, node)| (CurveName { name, table: 0 }, node));
        let (curves, mut nodes): (Vec<_>, Vec<_>) = several.unzip();
        if curves.is_empty() {
            nodes.push(source);
        }
        let of_tables = vec![info.parameters.clone()];
        let info = CurveInfo { nodes, of_tables, curves, ..info };
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
        let info = CurveInfo { title: "own".to_owned(), kind: "own".to_owned(), ..CurveInfo::default() };
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
        let solver = default_solver();
        Scenario {
            title: "untitled".to_owned(),
            scene: Scene::new(ground, ball, forces, ContactLaw::default()),
            initial: None,
            start: Start::Flight(State::default()),
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
            left_aside: None,
        }
    }
}
