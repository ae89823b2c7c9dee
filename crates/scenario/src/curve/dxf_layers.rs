//! Layers of a DXF drawing that are not shown: those that are off (a negative colour) or frozen (the first flag).

use std::collections::HashSet;

use super::dxf_entity::Group;

/// Layers as the table of them says, entry by entry.
#[derive(Default)]
pub(super) struct Layers {
    /// In capital letters.
    hidden: HashSet<String>,
    is_layer: bool,
    name: String,
    is_hidden: bool,
}

impl Layers {
    /// Ends an entry, and begins one of this kind.
    pub fn next(&mut self, kind: &str) {
        let name = std::mem::take(&mut self.name);
        if self.is_layer && self.is_hidden {
            self.hidden.insert(name);
        }
        (self.is_layer, self.is_hidden) = (kind == "LAYER", false);
    }

    /// A group of the entry.
    pub fn read(&mut self, group: &Group) {
        let number = || group.value.parse::<i64>().unwrap_or(0);
        match group.code {
            2 => self.name = group.value.to_uppercase(),
            62 => self.is_hidden |= number() < 0,
            70 => self.is_hidden |= number() & 1 == 1,
            _ => {}
        }
    }

    /// Whether what is on a layer is not shown.
    pub fn hides(&self, layer: &str) -> bool {
        !self.hidden.is_empty() && self.hidden.contains(&layer.to_uppercase())
    }
}
