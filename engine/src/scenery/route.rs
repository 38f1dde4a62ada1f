//! A path with its arc lengths.

use std::collections::HashSet;

use crate::math::vec2::Vec2;
use crate::scenery::definition::{Path, segments};

/// A path with its arc lengths.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    pub(crate) name: String,
    pub(crate) points: Vec<Vec2<f32>>,
    pub(crate) closed: bool,
    /// Its straight segments.
    pub(crate) legs: Vec<Leg>,
    /// Those of them that do not lead back along an earlier one, at the same distance from everywhere.
    pub(crate) first_legs: Vec<Leg>,
    pub(crate) length: f32,
}

/// A straight segment of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub(crate) from: Vec2<f32>,
    /// Unit vector.
    pub(crate) direction: Vec2<f32>,
    pub(crate) length: f32,
    /// The arc length of the path at which it starts.
    pub(crate) start: f32,
}

impl Route {
    pub(crate) fn new(path: &Path) -> Self {
        let mut length = 0.0;
        let (mut legs, mut first_legs) = (Vec::new(), Vec::new());
        let mut walked = HashSet::new();
        for [from, to] in segments(&path.points, path.closed) {
            let segment = Vec2::from(to) - Vec2::from(from);
            let leg = Leg {
                from: from.into(),
                direction: segment.normalized(),
                length: segment.length(),
                start: length,
            };
            length += leg.length;
            legs.push(leg);
            walked.insert([from, to].map(bits));
            if !walked.contains(&[to, from].map(bits)) {
                first_legs.push(leg);
            }
        }
        let points = path.points.iter().map(|&point| point.into()).collect();
        Self { name: path.name.clone(), points, closed: path.closed, legs, first_legs, length }
    }
}

fn bits(point: [f32; 2]) -> [u32; 2] {
    // Adding 0 makes -0 0.
    point.map(|coordinate| (coordinate + 0.0).to_bits())
}
