//! Strays: agents that have been pushed far since the grid was filled.
//!
//! Non-penetration fills the grid once for all its passes. Most agents are pushed by less than a
//! radius, but one giant pushes hundreds of them by up to its own radius. Coarse tiles of the world
//! record where strays are now, so that only searches near them must reach as far.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

use crate::grid::groups::{MAX_GROUPS, Reach};
use crate::math::aabb::Aabb;
use crate::math::axes::Axes;
use crate::math::floor;
use crate::math::vec3::Vec3;
use crate::world::space::Space;

/// Number of tiles along x and along y: a power of two. Beyond the world's size, tiles repeat.
const SIDE: i32 = 64;

#[derive(Debug)]
pub(crate) struct Strays {
    /// For each tile, a bit mask of the groups that have strays there. Passes only set bits, so the
    /// order in which threads set them does not matter.
    tiles: Box<[AtomicU8]>,
    /// Union of the tiles' bit masks. If it is 0, there are no strays and the tiles are not read.
    groups: AtomicU8,
    tiles_per_unit: [f32; 2],
    /// Bits of the largest displacement of a stray in the latest pass.
    latest: AtomicU32,
    /// Sum of the largest displacements in earlier passes.
    earlier: f32,
}

const _: () = assert!(MAX_GROUPS <= u8::BITS as usize);

impl Strays {
    pub(crate) fn new() -> Self {
        Self {
            tiles: (0..SIDE * SIDE).map(|_| AtomicU8::new(0)).collect(),
            groups: AtomicU8::new(0),
            tiles_per_unit: [0.0; 2],
            latest: AtomicU32::new(0),
            earlier: 0.0,
        }
    }

    /// Call this before the passes of a step.
    pub(crate) fn clear(&mut self, space: &Space) {
        self.tiles_per_unit = [space.size.x, space.size.y].map(|size| SIDE as f32 / size);
        if *self.groups.get_mut() != 0 {
            *self.groups.get_mut() = 0;
            self.tiles.fill_with(|| AtomicU8::new(0));
            (*self.latest.get_mut(), self.earlier) = (0, 0.0);
        }
    }

    /// Sum of the largest displacements of strays in all passes so far.
    pub(crate) fn max_displacement(&mut self) -> f32 {
        self.earlier += f32::from_bits(std::mem::take(self.latest.get_mut()));
        self.earlier
    }

    /// Records a stray of a group, its position after a pass, and its displacement in that pass.
    pub(crate) fn add(&self, group: usize, at: Vec3<f32>, displacement: f32) {
        // The bits of nonnegative floats are ordered like the floats.
        self.latest.fetch_max(displacement.to_bits(), Relaxed);
        let [x, y] = self.tiles_per_unit;
        let tile = &self.tiles[tile(floor(at.x * x), floor(at.y * y))];
        for groups in [tile, &self.groups] {
            // Reading is far cheaper than writing, and most strays find their bit already set.
            if groups.load(Relaxed) >> group & 1 == 0 {
                groups.fetch_or(1 << group, Relaxed);
            }
        }
    }

    /// Records that strays of every group may be anywhere.
    pub(crate) fn add_everywhere(&mut self) {
        self.earlier = f32::INFINITY;
        *self.groups.get_mut() = u8::MAX;
        self.tiles.fill_with(|| AtomicU8::new(u8::MAX));
    }

    /// Bit mask of the groups that may have strays within the group's reach of the batch.
    #[inline(always)]
    pub(crate) fn near(&self, positions: Axes<&[f32]>, reach: &Reach) -> u8 {
        match self.groups.load(Relaxed) {
            0 => 0,
            groups => self.near_box(groups, Aabb::around(positions), reach),
        }
    }

    fn near_box(&self, groups: u8, around: Aabb, reach: &Reach) -> u8 {
        let is_near = |&group: &usize| {
            groups >> group & 1 == 1 && self.tiles_near(around, reach[group]) >> group & 1 == 1
        };
        (0..MAX_GROUPS).filter(is_near).fold(0, |near, group| near | 1 << group)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.tiles.len()
    }

    /// Union of the bit masks of all tiles within `reach` of the box.
    fn tiles_near(&self, Aabb { low, high }: Aabb, reach: f32) -> u8 {
        let tiles = |low: f32, high: f32, per_unit: f32| {
            let margin = reach + low.abs().max(high.abs()) * 1.0e-6;
            let first = floor((low - margin) * per_unit);
            let last = floor((high + margin) * per_unit);
            (first, last.min(first.saturating_add(SIDE - 1)))
        };
        let [x, y] = self.tiles_per_unit;
        let ((left, right), (bottom, top)) = (tiles(low.x, high.x, x), tiles(low.y, high.y, y));
        let mut all = 0;
        for row in bottom..=top {
            for column in left..=right {
                all |= self.tiles[tile(column, row)].load(Relaxed);
            }
        }
        all
    }
}

/// The index of a tile. Because `SIDE` is a power of two, the bit mask also wraps negative numbers.
fn tile(column: i32, row: i32) -> usize {
    ((row & (SIDE - 1)) * SIDE + (column & (SIDE - 1))) as usize
}
