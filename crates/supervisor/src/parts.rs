//! Grounds whose curves move against each other: what each part of them sees of a ball, and what is told of it.
//!
//! A run follows the ball as the part sees it that the ball touched last. What is told is seen from what stands still.

use std::sync::{Arc, OnceLock};

use curves::{Frame, Place};
use mechanics::State;
use nalgebra::Vector2;
use numbers::Interval;

use crate::scene::Solid;
use crate::{Capture, Crossing, Event, Sample, Scene, Start};

impl Scene {
    /// The scene of one part, which has the names of the whole for its places; of a ground that is one part itself.
    pub(crate) fn part(&self, number: usize) -> &Scene {
        if self.parts.is_empty() {
            return self;
        }
        let parts = self.made.parts.get_or_init(|| {
            let of = |part: &crate::Part| {
                let mut scene = Scene { parts: Vec::new(), ..self.clone() };
                scene.made.of_part = true;
                scene.ground = Arc::new(self.ground.only(&part.curves));
                scene.forces = scene.forces.carried_by(part.carriage.clone());
                scene
            };
            self.parts.iter().map(of).collect()
        });
        parts.get(number).unwrap_or(self)
    }

    /// Index of the part that a place is on; 0 where nothing moves apart.
    pub(crate) fn part_of(&self, place: Place) -> usize {
        self.part_of_curve(self.ground.curve_of(place))
    }

    /// Index of the part that a curve belongs to; 0 where nothing moves apart.
    pub fn part_of_curve(&self, curve: usize) -> usize {
        self.parts.iter().position(|part| part.curves.contains(&curve)).unwrap_or(0)
    }

    /// Whether something moves: all of the ground, or a part of it.
    pub fn moves(&self) -> bool {
        self.forces.carriage().is_some() || self.parts.iter().any(|part| part.carriage.is_some())
    }

    /// Way that the ground of a place has been carried at a time (s) from where the scene has it, m, and its velocity, m/s.
    pub fn carried(&self, place: Place, time: f64) -> [Vector2<f64>; 2] {
        let carriage = || self.parts[self.part_of(place)].carriage.as_ref();
        self.parts.first().and_then(|_| carriage()).map_or([Vector2::zeros(); 2], |carriage| {
            let origin = carriage.at(time);
            [origin.position.into(), origin.velocity.into()]
        })
    }

    /// Way that a piece of the ground has been carried at a time (s), also where the ground moves as a whole, m.
    pub fn carried_piece(&self, index: usize, time: f64) -> [f64; 2] {
        let [way, _] = self.carried(Place::Piece { index, parameter: 0.0 }, time);
        self.world_point(time, way).into()
    }

    /// The ground nearest to a centre (m) at a time (s), and how far a ball there is off it, m.
    pub fn nearest(&self, time: f64, centre: Vector2<f64>) -> (Place, f64) {
        if self.parts.is_empty() {
            return self.ground.place_and_gap(centre);
        }
        let of = |number: usize| {
            let part = self.part(number);
            part.ground.place_and_gap(part.seen_point(time, centre))
        };
        let nearest = (0..self.parts.len()).map(of).min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.unwrap_or_else(|| self.ground.place_and_gap(centre))
    }

    /// Gap of ground that a ball is below, m, less than 0, and which of several curves that is: the nearest need not be it. The centre (m)
    /// at a time (s) as for [`nearest`](Self::nearest).
    pub fn below(&self, time: f64, centre: Vector2<f64>) -> Option<(usize, f64)> {
        if self.ground.ground().curves() < 2 {
            return None;
        }
        let parts = (0..self.parts.len().max(1)).map(|number| self.part(number));
        let deepest = parts.filter_map(|part| match self.parts.is_empty() {
            true => part.deepest(centre),
            false => part.deepest(part.seen_point(time, centre)),
        });
        deepest.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Curve of one part that a centre, as the part sees it, is deepest below, and the gap there, m, less than 0.
    fn deepest(&self, centre: Vector2<f64>) -> Option<(usize, f64)> {
        let ground = &self.ground;
        let solids = self.made.solids.get_or_init(|| {
            let of = |(curves, bounds): (Vec<usize>, [Interval; 2])| {
                let free_inside = ground.ground().is_free_inside(curves[0]);
                Solid { curves, bounds, free_inside, ground: OnceLock::new() }
            };
            ground.solids().map(of).collect()
        });
        let below = solids.iter().filter_map(|solid| {
            let boxed = solid.bounds[0].contains(centre.x) && solid.bounds[1].contains(centre.y);
            if solid.free_inside == Some(false) && !boxed {
                return None;
            }
            let alone = solid.ground.get_or_init(|| ground.only(&solid.curves));
            let (place, gap) = alone.place_and_gap(centre);
            (gap < -ground.radius()).then(|| (ground.curve_of(place), gap))
        });
        below.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// A point as the part of the nearest ground sees it at a time (s), m.
    fn seen_point(&self, time: f64, point: Vector2<f64>) -> Vector2<f64> {
        self.forces.carriage().map_or(point, |carriage| point - Vector2::from(carriage.at(time).position))
    }

    /// The part that a ball starts on, or which is nearest to it, and the start as that part sees it.
    pub(crate) fn start_part(&self, start: Start) -> (usize, Start) {
        if self.parts.is_empty() {
            return (0, start);
        }
        match start {
            Start::Contact { place, .. } => (self.part_of(place), start),
            Start::Flight(state) => {
                let number = self.part_of(self.nearest(state.time, state.position).0);
                (number, Start::Flight(self.part(number).seen(&state)))
            }
        }
    }

    /// A state seen from what stands still, as this part sees it; what its ground has done counts from its motion.
    pub(crate) fn seen(&self, world: &State) -> State {
        let seen = self.forces.carriage().map_or(*world, |carriage| carriage.carried(world));
        State { work: world.work - self.forces.carried_energy(&seen), ..seen }
    }

    /// A state as this scene knows it, as it is told: of a part, seen from what stands still.
    pub(crate) fn reported(&self, state: &State) -> State {
        if !self.made.of_part {
            return *state;
        }
        State { work: state.work + self.forces.carried_energy(state), ..self.world(state) }
    }

    pub(crate) fn reported_sample(&self, sample: Sample) -> Sample {
        if !self.made.of_part {
            return sample;
        }
        Sample { state: self.reported(&sample.state), ..self.world_sample(&sample) }
    }

    pub(crate) fn reported_crossing(&self, crossing: &Crossing) -> Crossing {
        Crossing { sample: self.reported_sample(crossing.sample), ..*crossing }
    }

    fn reported_frame(&self, frame: &Frame, time: f64) -> Frame {
        Frame { position: self.world_point(time, frame.position), ..*frame }
    }

    /// An event that the scene of a part made, seen from what stands still.
    pub(crate) fn reported_event(&self, event: &Event) -> Event {
        let Event { before, after, frame, .. } = event;
        let ground_velocity = self
            .forces
            .carriage()
            .map_or(Vector2::zeros(), |carriage| Vector2::from(carriage.at(before.time).velocity));
        let frame = self.reported_frame(frame, before.time);
        Event { before: self.reported(before), after: self.reported(after), frame, ground_velocity, ..*event }
    }

    pub(crate) fn reported_capture(&self, capture: &Capture) -> Capture {
        if !self.made.of_part {
            return *capture;
        }
        let start = self.reported(&capture.start);
        capture.seen(start, self.reported_frame(&capture.frame, start.time))
    }
}
