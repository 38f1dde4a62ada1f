//! Wraps positions on a torus, with two functions that differ in range and cost:
//!
//! | function | valid for coordinates | cost per vector |
//! | --- | --- | --- |
//! | [`wrap_once`] | at most one world size outside | 3 comparisons, 3 sums, 1 product |
//! | [`wrap_any`] | at any distance | also a division and 5 other operations |
//!
//! Both return coordinates in [0, size). Agents wrap once per step, after the last stage that moves
//! them: see [`WrapsAfter`].

use crate::math::lanes::{Lanes, MAX_WIDTH};
use crate::math::vec3::Vec3;
use crate::world::space::Space;

/// The stage of a step after which agents wrap: the last stage that moves them. Earlier stages
/// leave agents beyond the seam, because solid scenery and non-penetration expect straight
/// displacements from the agents' grid cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrapsAfter {
    /// A move is shorter than the world, so agents wrap once. Also applies to worlds without seams.
    Move,
    /// Scenery only shortens moves, so agents wrap once.
    Scenery,
    /// Pushes may carry an agent around the world several times.
    Pushes,
}

impl Space {
    #[inline(always)]
    pub(crate) fn wrap_once<L: Lanes>(&self, position: Vec3<L>) -> Vec3<L> {
        if !self.is_torus() {
            return position;
        }
        position.zip(
            Vec3::splat(self.size),
            #[inline(always)]
            |x, size| wrap_once(x, size),
        )
    }

    #[inline(never)]
    pub(crate) fn wrap_any(&self, point: Vec3<f32>) -> Vec3<f32> {
        // Fast path: every batch wraps the points that its behaviors seek.
        let is_within = |x: f32, size: f32| x >= 0.0 && x < size;
        let is_inside = || {
            let Vec3 { x, y, z } = self.size;
            is_within(point.x, x) && is_within(point.y, y) && (z == 0.0 || is_within(point.z, z))
        };
        if !self.is_torus() || is_inside() {
            return point;
        }
        point.zip(self.size, |x, size| if size > 0.0 { wrap_any(x, size) } else { x })
    }
}

#[inline(always)]
pub(crate) fn wrap_once<L: Lanes>(x: L, size: L) -> L {
    let x = x - x.ge(size).keep(size);
    let x = x + x.lt(L::zero()).keep(size);
    // A tiny negative coordinate plus `size` rounds up to `size`. A fraction of 2⁻²⁴ less is the
    // largest coordinate. At 0, an agent that moves slowly downward would never come to rest.
    x - x.ge(size).keep(x * L::splat(f32::EPSILON / 2.0))
}

/// Rounds at most once, at any distance.
#[inline(always)]
pub(crate) fn wrap_any<L: Lanes>(x: L, size: f32) -> L {
    /// Up to this many world sizes away, rounding changes the quotient by at most 1/32.
    const MAX_TURNS: f32 = 1.0e6;
    let (one_size, turns) = (L::splat(size), x / L::splat(size));
    let near = turns.abs().le(L::splat(MAX_TURNS)).all();
    let x = if near {
        turns.round_ties_even().mul_add(-one_size, x)
    } else {
        L::load(&remainders(x.to_array(), size))
    };
    wrap_once(x, one_size)
}

#[cold]
fn remainders(lanes: [f32; MAX_WIDTH], size: f32) -> [f32; MAX_WIDTH] {
    lanes.map(|x| x % size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fast_path_wraps_as_exactly_as_the_slow_one() {
        for size in [1.0e-3_f32, 0.7, 3.0, 64.0, 1_000.0, 9_999_999.0] {
            assert_eq!(wrap_once(-f32::MIN_POSITIVE, size), size.next_down());
            for turns in [0.0_f32, 0.3, 1.0, 2.0, 77.7, 1_000.0, 65_537.3, 999_999.0] {
                let start = turns * size;
                let around = [start.next_down(), start, start.next_up()];
                for x in around.into_iter().flat_map(|x| [x, -x]) {
                    let exact = wrap_once(x % size, size);
                    assert_eq!(wrap_any(x, size), exact, "{x} in a world of {size}");
                }
            }
        }
        assert_eq!(wrap_any(3.0e30_f32, 7.0), 3.0e30_f32 % 7.0);
        assert_eq!(wrap_any(-3.0e30_f32, 7.0), (-3.0e30_f32).rem_euclid(7.0));
    }
}
