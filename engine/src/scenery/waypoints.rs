//! Paths as kernels read them: waypoints with their planes, and legs between them.

use std::collections::HashSet;

use crate::math::vec3::Vec3;
use crate::scenery::definition::{WaypointPath, segments};
use crate::world::point::Point;

#[derive(Clone, Debug)]
pub(crate) struct Waypoints {
    pub(crate) name: String,
    pub(crate) points: Vec<Vec3<f32>>,
    pub(crate) closed: bool,
    /// One gate per point.
    pub(crate) gates: Vec<Gate>,
    pub(crate) legs: Vec<Leg>,
    /// All legs except those that retrace an earlier leg in reverse, since the earlier leg is
    /// equally near.
    pub(crate) unique_legs: Vec<Leg>,
    pub(crate) length: f32,
}

/// The plane through a waypoint that bisects the angle between the two legs that meet there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    /// Points forward along the path. Its length is the cosine of half the turn angle, or 0 at the
    /// end of an open path.
    pub(crate) normal: Vec3<f32>,
    /// Square of the maximum distance from the waypoint at which crossing the plane counts.
    pub(crate) range_sq: f32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Leg {
    pub(crate) from: Vec3<f32>,
    /// Unit vector.
    pub(crate) direction: Vec3<f32>,
    pub(crate) length: f32,
    /// Length of the path up to the start of the leg, in world units.
    pub(crate) start: f32,
}

impl Waypoints {
    pub(crate) fn new(path: &WaypointPath) -> Self {
        let mut length = 0.0;
        let (mut legs, mut unique_legs) = (Vec::new(), Vec::new());
        let mut walked = HashSet::new();
        for [from, to] in segments(&path.points, path.closed) {
            let segment = Vec3::from(to) - Vec3::from(from);
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
                unique_legs.push(leg);
            }
        }
        let points: Vec<Vec3<f32>> = path.points.iter().map(|&point| point.into()).collect();
        let gate = |k: usize| {
            let Some(after) = legs.get(k) else {
                return Gate { normal: Vec3::ZERO, range_sq: 0.0 };
            };
            let before = match k.checked_sub(1) {
                None if path.closed => &legs[legs.len() - 1],
                None => after,
                Some(before) => &legs[before],
            };
            let normal = (before.direction + after.direction) * 0.5;
            let range = before.length.min(after.length) * normal.length();
            Gate { normal, range_sq: range * range }
        };
        let gates = (0..points.len()).map(gate).collect();
        let (name, closed) = (path.name.clone(), path.closed);
        Self { name, points, closed, gates, legs, unique_legs, length }
    }
}

fn bits(point: Point) -> [u32; 3] {
    // Adding 0 turns −0 into 0, so that equal points have equal bits.
    <[f32; 3]>::from(Vec3::from(point)).map(|coordinate| (coordinate + 0.0).to_bits())
}
