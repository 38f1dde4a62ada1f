//! The edge of the world: wrapping around a torus, stopping at the sides of a box.

use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;
use crate::world::space::Space;
use crate::world::topology::{COORDINATE_LIMIT, Topology};

/// Position and velocity after a step of at most one world size.
#[inline(always)]
pub(crate) fn at_edge<L: Lanes>(
    space: &Space,
    position: Vec2<L>,
    velocity: Vec2<L>,
) -> (Vec2<L>, Vec2<L>) {
    let size = Vec2::<L>::splat(space.size);
    match space.topology {
        Topology::Open => (position, velocity),
        Topology::Torus => {
            (Vec2::new(wrapped(position.x, size.x), wrapped(position.y, size.y)), velocity)
        }
        Topology::Bounded => {
            let (x, vx) = stopped(position.x, velocity.x, size.x);
            let (y, vy) = stopped(position.y, velocity.y, size.y);
            (Vec2::new(x, y), Vec2::new(vx, vy))
        }
    }
}

/// The position in the world that corresponds to one outside; see [`without_turns`].
#[inline(always)]
pub(crate) fn inside<L: Lanes>(space: &Space, position: Vec2<L>) -> Vec2<L> {
    let size = space.size;
    match space.topology {
        Topology::Torus => {
            Vec2::new(without_turns(position.x, size.x), without_turns(position.y, size.y))
        }
        Topology::Bounded => at_edge(space, position, Vec2::zero()).0,
        Topology::Open => Vec2::new(
            position.x.limited(-COORDINATE_LIMIT, COORDINATE_LIMIT),
            position.y.limited(-COORDINATE_LIMIT, COORDINATE_LIMIT),
        ),
    }
}

/// The point in a torus that corresponds to one at any distance from it; in other worlds the point
/// itself. Exact, and too slow for every agent.
pub(crate) fn exactly_inside(space: &Space, point: [f32; 2]) -> [f32; 2] {
    if !space.is_torus() {
        return point;
    }
    [remainder(point[0], space.size.x), remainder(point[1], space.size.y)]
}

/// A coordinate at any distance from [0, size), exactly without whole sizes.
pub(crate) fn remainder(x: f32, size: f32) -> f32 {
    wrapped(x.rem_euclid(size), size)
}

/// A coordinate in a few million sizes around [0, size), without whole sizes.
#[inline(always)]
fn without_turns<L: Lanes>(x: L, size: f32) -> L {
    let size = L::splat(size);
    wrapped((x / size).floor().mul_add(-size, x), size)
}

/// A coordinate in [0, size); the overshoot is kept.
#[inline(always)]
pub(crate) fn wrapped<L: Lanes>(x: L, size: L) -> L {
    let x = x.lt(L::zero()).select(x + size, x);
    let x = x.ge(size).select(x - size, x);
    // A tiny negative overshoot rounds up to `size` itself, which is the same as 0.
    x.ge(size).select(L::zero(), x)
}

/// A coordinate clamped to [0, size]; the velocity of one beyond an edge becomes 0.
#[inline(always)]
fn stopped<L: Lanes>(x: L, v: L, size: L) -> (L, L) {
    let (below, above) = (x.lt(L::zero()), x.gt(size));
    let inside = below.select(L::zero(), above.select(size, x));
    (inside, (!(below | above)).keep(v))
}
