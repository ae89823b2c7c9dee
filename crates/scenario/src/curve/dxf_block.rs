//! Blocks of a DXF drawing, and where they are inserted.

use std::collections::{BTreeMap, HashMap};

use nalgebra::{Matrix2, Vector2};

use super::dxf_entity::{Entity, Group, Part, Shape, Unreadable, Values};

/// Blocks within blocks.
const DEPTH: usize = 16;

/// What is drawn, or a block that is put there.
#[derive(Clone, Debug)]
pub(super) enum Item {
    Entity(Entity),
    Insert(Insert),
}

/// A block: its own origin, and what is in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub base: Vector2<f64>,
    pub items: Vec<Item>,
}

/// Where a block is put: once, or in columns and rows.
#[derive(Clone, Debug)]
pub(super) struct Insert {
    block: String,
    pub layer: String,
    pub at: usize,
    turn: Matrix2<f64>,
    places: Vec<Vector2<f64>>,
}

/// Capital letters are small ones there.
pub(super) fn block_name(groups: &[Group]) -> String {
    groups.iter().find(|group| group.code == 2).map_or("", |group| group.value).to_uppercase()
}

impl Insert {
    /// Of the groups of an INSERT, at most so many times.
    pub fn of(groups: &[Group], layer: String, at: usize, most: usize) -> Result<Self, Unreadable> {
        let values = Values { groups };
        let block = block_name(groups);
        let (sine, cosine) = values.or(50, 0.0).to_radians().sin_cos();
        let rotation = Matrix2::new(cosine, -sine, sine, cosine);
        // Seen from behind, x is the other way round.
        let side = Matrix2::new(if values.or(230, 1.0) < 0.0 { -1.0 } else { 1.0 }, 0.0, 0.0, 1.0);
        let turn = side * rotation * Matrix2::new(values.or(41, 1.0), 0.0, 0.0, values.or(42, 1.0));
        let [columns, rows] = [70, 71].map(|code| values.or(code, 1.0).max(1.0) as usize);
        if columns.saturating_mul(rows) > most {
            return Err(Unreadable("it is there too often"));
        }
        let step = Vector2::new(values.or(44, 0.0), values.or(45, 0.0));
        let place = |i: usize| {
            let aside = Vector2::new((i % columns) as f64 * step.x, (i / columns) as f64 * step.y);
            side * (values.point(10) + rotation * aside)
        };
        let places: Vec<Vector2<f64>> = (0..columns * rows).map(place).collect();
        if !turn.iter().chain(places.iter().flatten()).all(|c| c.is_finite()) {
            return Err(Unreadable("a number is missing or not finite"));
        }
        if turn.determinant() == 0.0 {
            return Err(Unreadable("it is scaled to nothing"));
        }
        Ok(Insert { block, layer, at, turn, places })
    }
}

impl Part {
    /// The same turned, stretched and moved.
    fn moved(self, turn: &Matrix2<f64>, by: Vector2<f64>) -> Part {
        let map = |p: Vector2<f64>| turn * p + by;
        let shape = match self.shape {
            Shape::Line => Shape::Line,
            Shape::Bulge(bulge) => match self.stretched(bulge, turn) {
                None => Shape::Bulge(bulge * turn.determinant().signum()),
                Some(Shape::Ellipse { centre, diameters, angles }) => {
                    Shape::Ellipse { centre: map(centre), diameters: diameters.map(|d| turn * d), angles }
                }
                Some(other) => other,
            },
            Shape::Ellipse { centre, diameters, angles } => {
                Shape::Ellipse { centre: map(centre), diameters: diameters.map(|d| turn * d), angles }
            }
            Shape::Quadratic(p) => Shape::Quadratic(map(p)),
            Shape::Cubic(p, q) => Shape::Cubic(map(p), map(q)),
        };
        Part { from: map(self.from), to: map(self.to), shape }
    }

    /// An arc that is none when it is stretched one way more than the other, as an ellipse; all but straight ones are lines.
    fn stretched(&self, bulge: f64, turn: &Matrix2<f64>) -> Option<Shape> {
        let square = turn.transpose() * turn;
        let size = square.trace();
        if (square[(0, 0)] - square[(1, 1)]).abs().max(square[(0, 1)].abs()) <= ROUND * size {
            return None;
        }
        let (centre, radius) = self.circle(bulge);
        if !radius.is_finite() {
            return Some(Shape::Line);
        }
        // Clockwise the second half diameter points downwards.
        let side = bulge.signum();
        let away = self.from - centre;
        let first = (side * away.y).atan2(away.x);
        let diameters = [Vector2::new(radius, 0.0), Vector2::new(0.0, side * radius)];
        Some(Shape::Ellipse { centre, diameters, angles: [first, first + 4.0 * bulge.abs().atan()] })
    }
}

/// Two scales that differ by no more than this part are one.
const ROUND: f64 = 1e-9;

/// All that is drawn, blocks put in their places.
pub(super) struct Unfolding<'b> {
    pub blocks: &'b HashMap<String, Block>,
    pub entities: Vec<Entity>,
    /// What was not read, and how often.
    pub left_out: BTreeMap<String, usize>,
    /// Parts and insertions that there may still be.
    pub rest: usize,
}

/// There are more parts than there may be: where.
pub(super) struct TooMany(pub usize);

impl Unfolding<'_> {
    pub fn all(&mut self, items: &[Item]) -> Result<(), TooMany> {
        self.put(items, &Matrix2::identity(), Vector2::zeros(), None, 0)
    }

    /// `within`: layer and place of the insertion that these are in.
    fn put(
        &mut self,
        items: &[Item],
        turn: &Matrix2<f64>,
        by: Vector2<f64>,
        within: Option<(&str, usize)>,
        depth: usize,
    ) -> Result<(), TooMany> {
        // Layer 0 of a block is that of its insertion.
        let layer = |own: &str| within.filter(|_| own == "0").map_or(own, |(layer, _)| layer).to_owned();
        for item in items {
            match item {
                Item::Entity(entity) => {
                    self.count(entity.parts.len(), entity.at)?;
                    let at = within.map_or(entity.at, |(_, at)| at);
                    let parts = if within.is_none() {
                        entity.parts.clone()
                    } else {
                        entity.parts.iter().map(|part| part.moved(turn, by)).collect()
                    };
                    let name = entity.name.clone();
                    self.entities.push(Entity { name, layer: layer(&entity.layer), at, parts });
                }
                Item::Insert(insert) => {
                    let found = self.blocks.get(&insert.block);
                    let Some(block) = found.filter(|_| depth < DEPTH) else {
                        let why = if found.is_some() { "blocks in blocks too deep" } else { "its block is not there" };
                        *self.left_out.entry(format!("INSERT ({why})")).or_default() += 1;
                        continue;
                    };
                    let (layer, at) = (layer(&insert.layer), within.map_or(insert.at, |(_, at)| at));
                    let turned = turn * insert.turn;
                    for place in &insert.places {
                        self.count(1, at)?;
                        let by = turn * place + by - turned * block.base;
                        self.put(&block.items, &turned, by, Some((&layer, at)), depth + 1)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, parts: usize, at: usize) -> Result<(), TooMany> {
        self.rest = self.rest.checked_sub(parts).ok_or(TooMany(at))?;
        Ok(())
    }
}
