//! A sweep: its plan, scenario, observables, and layout in chunks.

use scenario::{Setting, Variants};

use crate::hash::hash_of_all;
use crate::layout::ChunkLayout;
use crate::manifest::Manifest;
use crate::observed::Observed;
use crate::plan::Plan;
use crate::reduce::Reduction;

/// A sweep: everything that its rows depend on.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Plan of the values of each run.
    pub plan: Plan,
    /// The scenario, for variation.
    pub variants: Variants,
    /// Observables of each run.
    pub observed: Observed,
    /// Reductions to cells, in a sweep that keeps these instead of rows.
    pub reductions: Vec<Reduction>,
    /// Layout of tables and chunks.
    pub layout: ChunkLayout,
    /// The scenario with its settings, as TOML, for the manifest.
    pub(crate) text: String,
}

impl Sweep {
    /// The values of a run.
    pub fn values(&self, index: u64) -> Vec<Setting> {
        let mut values = Vec::new();
        self.plan.values(index, &mut values);
        values
    }

    pub(crate) fn manifest(&self) -> Manifest {
        let ChunkLayout { runs, chunk, tables, request, base, .. } = &self.layout;
        Manifest {
            format: 1,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            runs: *runs,
            chunk: *chunk,
            request: request.clone(),
            table: self.plan.table().map(|rows| rows.hash.clone()),
            columns: tables.iter().map(|(name, columns)| (name.clone(), columns.to_vec())).collect(),
            scenario: self.text.clone(),
            resolved: self.variants.written().resolved(),
            ground: self.ground(),
            base: base.display().to_string(),
        }
    }

    /// Hash for [`Manifest::ground`].
    fn ground(&self) -> String {
        let written = self.variants.written();
        let mut grounds = vec![Ok(written.scene.ground.ground().clone())];
        for (i, words) in self.plan.words() {
            if !self.variants.keys().get(i).is_some_and(|key| key.trim().starts_with("ground")) {
                continue;
            }
            for word in words {
                let built = self.variants.with(i, &word);
                grounds.push(built.map(|other| other.scene.ground.ground().clone()).map_err(|error| error.to_string()));
            }
        }
        hash_of_all(grounds.iter().map(|ground| ground as &dyn std::fmt::Debug))
    }
}
