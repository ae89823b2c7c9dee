//! Free numbers that a search moves.

/// The free numbers that a search moves, among all.
#[derive(Clone, Debug)]
pub(super) struct Active {
    base: Vec<f64>,
    indices: Vec<usize>,
}

impl Active {
    pub fn all(base: Vec<f64>) -> Self {
        let indices = (0..base.len()).collect();
        Active { base, indices }
    }

    pub fn indices(&self) -> &[usize] {
        &self.indices
    }

    /// Where those that are moved begin.
    pub fn start(&self) -> Vec<f64> {
        self.of(&self.base)
    }

    /// Picks the numbers that are moved out of all.
    pub fn of(&self, whole: &[f64]) -> Vec<f64> {
        self.indices.iter().map(|j| whole[*j]).collect()
    }

    /// All, from those that are moved.
    pub fn whole(&self, values: &[f64]) -> Vec<f64> {
        let mut whole = self.base.clone();
        self.indices.iter().zip(values).for_each(|(j, value)| whole[*j] = *value);
        whole
    }

    /// All but these.
    pub fn without(&self, idle: &[usize]) -> Self {
        let indices = (0..self.base.len()).filter(|j| !idle.contains(j)).collect();
        Active { base: self.base.clone(), indices }
    }
}
