//! Position, velocity and heading of an agent or a target.

use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;
use crate::world::edge;
use crate::world::space::Space;

/// Where a target is and how it moves. A fixed point does not move and heads nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose<T> {
    /// World units.
    pub position: Vec2<T>,
    /// Units/s.
    pub velocity: Vec2<T>,
    /// Unit vector; zero for a point.
    pub heading: Vec2<T>,
}

impl<T: Copy> Pose<T> {
    pub(crate) fn to_array(self) -> [T; 6] {
        let Self { position: p, velocity: v, heading: h } = self;
        [p.x, p.y, v.x, v.y, h.x, h.y]
    }
}

impl Pose<f32> {
    /// A point that stands still. On a torus it may be any number of worlds away.
    pub(crate) fn at(space: &Space, point: [f32; 2]) -> Self {
        Self { position: edge::exactly_inside(space, point).into(), ..Self::default() }
    }
}

impl<L: Lanes> Pose<L> {
    /// The same in every lane.
    #[inline(always)]
    pub(crate) fn splat(pose: Pose<f32>) -> Self {
        Self {
            position: Vec2::splat(pose.position),
            velocity: Vec2::splat(pose.velocity),
            heading: Vec2::splat(pose.heading),
        }
    }
}
