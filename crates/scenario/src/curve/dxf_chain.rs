//! Entities of a drawing that follow each other become one line.

use std::collections::HashMap;

use nalgebra::Vector2;

use super::dxf_entity::{Entity, Part};

/// Entities end to end.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub layer: String,
    /// The entities in the order of the line, by their index.
    pub entities: Vec<usize>,
    pub parts: Vec<Part>,
    pub closed: bool,
    /// How far ends were moved to meet, drawing units.
    pub moved: f64,
}

/// An end of an entity: which one, and whether it is the last point.
type End = (usize, bool);

fn end_point(entities: &[Entity], (entity, last): End) -> Vector2<f64> {
    let parts = &entities[entity].parts;
    if last { parts[parts.len() - 1].to } else { parts[0].from }
}

/// Which ends meet: the only other one within the tolerance in the same layer.
struct Meetings {
    of: HashMap<End, End>,
}

impl Meetings {
    fn of(entities: &[Entity], tolerance: f64) -> Self {
        let cell = |end: End| {
            let point = end_point(entities, end);
            (&*entities[end.0].layer, [point.x, point.y].map(|c| (c / tolerance).floor() as i64))
        };
        let mut cells: HashMap<(&str, [i64; 2]), Vec<End>> = HashMap::new();
        let ends = || (0..entities.len()).flat_map(|entity| [(entity, false), (entity, true)]);
        for end in ends() {
            cells.entry(cell(end)).or_default().push(end);
        }
        // Where three meet, which two go on is not said: two others are enough to know.
        let near = |end: End| -> Vec<End> {
            let (at, (layer, [x, y])) = (end_point(entities, end), cell(end));
            let beside =
                [-1, 0, 1].into_iter().flat_map(|i| [-1, 0, 1].map(|j| [x.saturating_add(i), y.saturating_add(j)]));
            let others = beside.flat_map(|place| cells.get(&(layer, place)).into_iter().flatten());
            let meets = |other: &End| *other != end && (end_point(entities, *other) - at).norm() <= tolerance;
            others.copied().filter(meets).take(2).collect()
        };
        let mut of = HashMap::new();
        for end in ends() {
            if let [other] = near(end)[..]
                && near(other) == [end]
            {
                of.insert(end, other);
            }
        }
        Meetings { of }
    }
}

/// The lines that entities make, each in the direction of its first one, in the order of the file. Ends no further apart than the
/// tolerance meet, where there are two and no more.
pub(super) fn chains(entities: &[Entity], tolerance: f64) -> Vec<Chain> {
    let meetings = Meetings::of(entities, tolerance);
    let mut used = vec![false; entities.len()];
    let mut chains = Vec::new();
    for first in 0..entities.len() {
        if used[first] {
            continue;
        }
        used[first] = true;
        // Entities with their direction: whether they run as written.
        let mut on = vec![(first, true)];
        let follow = |from: End, used: &mut Vec<bool>| {
            let (entity, last) = *meetings.of.get(&from)?;
            (!std::mem::replace(&mut used[entity], true)).then_some((entity, !last))
        };
        while let Some(next) = on.last().and_then(|(entity, along)| follow((*entity, *along), &mut used)) {
            on.push(next);
        }
        let mut back = Vec::new();
        let mut at = (first, false);
        while let Some((entity, along)) = follow(at, &mut used) {
            // It is met at what is its end on the way back.
            back.push((entity, !along));
            at = (entity, along);
        }
        back.reverse();
        back.extend(on);
        let (begin, end) = (back[0], back[back.len() - 1]);
        let closed = meetings.of.get(&(end.0, end.1)) == Some(&(begin.0, !begin.1));
        chains.push(chain(entities, &back, closed));
    }
    chains
}

fn chain(entities: &[Entity], on: &[(usize, bool)], closed: bool) -> Chain {
    let mut parts: Vec<Part> = Vec::new();
    for &(entity, along) in on {
        let own = &entities[entity].parts;
        if along {
            parts.extend(own);
        } else {
            parts.extend(own.iter().rev().map(|part| part.reversed()));
        }
    }
    let mut moved = 0.0_f64;
    let count = parts.len();
    let joints = if closed { count } else { count.saturating_sub(1) };
    for i in 0..joints {
        let next = (i + 1) % count;
        let (end, begin) = (parts[i].to, parts[next].from);
        if end == begin {
            continue;
        }
        moved = moved.max((begin - end).norm());
        parts[i] = parts[i].between(parts[i].from, begin);
    }
    let closed = closed || count > 1 && parts[0].from == parts[count - 1].to;
    let layer = entities[on[0].0].layer.clone();
    Chain { layer, entities: on.iter().map(|(entity, _)| *entity).collect(), parts, closed, moved }
}

#[cfg(test)]
mod tests {
    use super::super::dxf_entity::Shape;
    use super::*;

    fn entity(points: &[[f64; 2]], layer: &str) -> Entity {
        let part = |pair: &[[f64; 2]]| Part { from: pair[0].into(), to: pair[1].into(), shape: Shape::Line };
        let parts = points.windows(2).map(part).collect();
        Entity { name: "LINE".to_owned(), layer: layer.to_owned(), at: 0, parts }
    }

    fn ends(chain: &Chain) -> Vec<[f64; 2]> {
        let mut points: Vec<[f64; 2]> = chain.parts.iter().map(|part| part.from.into()).collect();
        points.extend(chain.parts.last().map(|part| [part.to.x, part.to.y]));
        points
    }

    /// In any order and direction; the first one's direction holds; a fork ends a line.
    #[test]
    fn entities_follow_each_other() {
        let all = [
            entity(&[[1.0, 0.0], [2.0, 0.0]], "a"),
            entity(&[[3.0, 1.0], [2.0, 1e-7]], "a"),
            entity(&[[1.0, 0.0], [0.0, 5.0]], "a"),
            entity(&[[0.0, 5.0], [7.0, 7.0]], "b"),
        ];
        let found = chains(&all, 1e-6);
        assert_eq!(found.len(), 2);
        assert_eq!(ends(&found[0]), [[0.0, 5.0], [1.0, 0.0], [2.0, 1e-7], [3.0, 1.0]]);
        assert!((found[0].moved - 1e-7).abs() < 1e-20 && !found[0].closed);
        assert_eq!(found[0].entities, [2, 0, 1]);
        let fork = [
            entity(&[[0.0, 0.0], [1.0, 0.0]], ""),
            entity(&[[1.0, 0.0], [2.0, 0.0]], ""),
            entity(&[[1.0, 0.0], [1.0, 1.0]], ""),
        ];
        assert_eq!(chains(&fork, 1e-6).len(), 3);
        let ring = [
            entity(&[[0.0, 0.0], [1.0, 0.0]], ""),
            entity(&[[0.0, 1.0], [1.0, 0.0]], ""),
            entity(&[[0.0, 1.0], [0.0, 0.0]], ""),
        ];
        let found = chains(&ring, 1e-6);
        assert!(found.len() == 1 && found[0].closed);
        assert_eq!(ends(&found[0]), [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]);
        let closed = [entity(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]], "")];
        assert!(chains(&closed, 1e-6)[0].closed);
    }
}
