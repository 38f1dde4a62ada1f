//! Path following: seek one waypoint after the other, arrive at the last of an open path.
//!
//! Each agent remembers the number of the waypoint that it is on the way to.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters, Remembers};
use crate::kernels::arrive::Deceleration;
use crate::kernels::{Batch, arrive, seek};
use crate::lanes::{Lanes, MAX_WIDTH};
use crate::scenery::Route;
use crate::vec2::Vec2;

/// Visits the waypoints of a path in order (Buckland 2004, ch. 3, "Path Following").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PathFollowing {
    /// Factor of the force, from 0 to 1e6. Default 200; the book uses 10.
    pub weight: f32,
    /// The name of one of the scene's paths.
    pub path: String,
    /// A waypoint counts as visited within this distance, in world units from 1e-3 to 1e6.
    /// Default 20.
    pub waypoint_distance: f32,
}

impl Default for PathFollowing {
    fn default() -> Self {
        Self { weight: 200.0, path: String::new(), waypoint_distance: 20.0 }
    }
}

impl Parameters for PathFollowing {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let distance = &mut self.waypoint_distance;
        vec![
            Field::weight(&mut self.weight),
            Field::path("path", &mut self.path),
            Field::number("waypoint_distance", distance, 1.0e-3, 1.0e6, "world units"),
        ]
    }

    fn remembers(&self) -> Remembers {
        Remembers { waypoint: true, ..Remembers::default() }
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(following: &PathFollowing, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let Some(route) = batch.crowd.scenery.path(&following.path) else { return Vec2::zero() };
    let last = L::splat((route.points.len() - 1) as f32);
    let present = batch.findings.memory.waypoint;
    let present = present.lt(last).select(present, last);
    let way = points(route, present) - batch.position();

    let near = L::splat(following.waypoint_distance * following.waypoint_distance);
    let next = present + L::splat(1.0);
    let after_last = if route.closed { L::zero() } else { last };
    let next = next.gt(last).select(after_last, next);
    let waypoint = way.dot(way).lt(near).select(next, present);
    batch.findings.memory.waypoint = batch.live.select(waypoint, batch.findings.memory.waypoint);

    let way = points(route, waypoint) - batch.position();
    let onwards = seek::along(batch, way);
    if route.closed {
        return onwards;
    }
    let stop = arrive::along(batch, way, Deceleration::Normal);
    Vec2::select(waypoint.ge(last), stop, onwards)
}

/// The waypoint of each lane's number.
#[inline(always)]
fn points<L: Lanes>(route: &Route, numbers: L) -> Vec2<L> {
    let mut lanes = [0.0; MAX_WIDTH];
    numbers.store(&mut lanes[..L::WIDTH]);
    // Those who are near each other are mostly on the way to the same.
    let first = L::splat(lanes[0]);
    if (numbers.le(first) & numbers.ge(first)).every() {
        return Vec2::splat(route.points[lanes[0] as usize]);
    }
    let point = |lane: usize| route.points[lanes[lane] as usize];
    Vec2::new(L::from_fn(|lane| point(lane).x), L::from_fn(|lane| point(lane).y))
}
