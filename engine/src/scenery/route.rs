//! A path with its arc lengths.

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
        let mut legs = Vec::new();
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
        }
        let points = path.points.iter().map(|&point| point.into()).collect();
        Self { name: path.name.clone(), points, closed: path.closed, legs, length }
    }
}
