//! Which columns of other agents a step reads: those that slabs copy.

use std::ops::Range;

use arrayvec::ArrayVec;

use crate::behaviors::Behavior;
use crate::crowd::columns::MAX_COLUMNS;
use crate::crowd::columns::{Motion, Traits};
use crate::scene::Scene;
use crate::simulation::needs::Needs;

/// The most columns that are copied: ten of the engine's, and those that a scene defines.
pub(super) const MOST: usize = 10 + MAX_COLUMNS;

/// Which columns agents may read of others, besides positions and headings.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Copied {
    velocity: bool,
    radius: bool,
    max_speed: bool,
    species: bool,
    index: bool,
    own: bool,
}

impl Copied {
    pub(super) fn of(scene: &Scene, needs: &Needs) -> Self {
        let behaviors = || scene.species.iter().flat_map(|species| &species.behaviors);
        // They may ask anything of a neighbor.
        let outside = behaviors().any(|behavior| matches!(behavior, Behavior::Outside(_)));
        let velocity = outside || behaviors().any(|one| one.as_steer().reads_velocities());
        Self {
            velocity: needs.velocity && velocity,
            radius: needs.radius,
            max_speed: needs.max_speed && outside,
            species: needs.species && outside,
            index: scene.non_penetration > 0,
            own: outside,
        }
    }

    pub(super) fn columns<'a>(
        self,
        motion: &'a Motion,
        traits: &'a Traits,
    ) -> ArrayVec<Column<'a>, MOST> {
        let Motion { x, y, vx, vy, hx, hy, own, .. } = motion;
        let Traits { index, species, max_speed, radius, .. } = traits;
        let mut columns = ArrayVec::new();
        columns.extend([x, y, hx, hy].map(|column| Column::of(column)));
        for (copied, column) in [
            (self.velocity, vx),
            (self.velocity, vy),
            (self.radius, radius),
            (self.max_speed, max_speed),
        ] {
            columns.extend(copied.then(|| Column::of(column)));
        }
        columns.extend(self.species.then(|| Column::of(species)));
        columns.extend(self.index.then(|| Column::of(index)));
        columns.extend(own.0.iter().filter(|_| self.own).map(|column| Column::of(column)));
        columns
    }

    /// The same, to fill.
    pub(super) fn columns_mut<'a>(
        self,
        motion: &'a mut Motion,
        traits: &'a mut Traits,
    ) -> ArrayVec<ColumnMut<'a>, MOST> {
        let Motion { x, y, vx, vy, hx, hy, own, .. } = motion;
        let Traits { index, species, max_speed, radius, .. } = traits;
        let mut columns = ArrayVec::new();
        columns.extend([x, y, hx, hy].map(|column| ColumnMut::of(column)));
        for (copied, column) in [
            (self.velocity, vx),
            (self.velocity, vy),
            (self.radius, radius),
            (self.max_speed, max_speed),
        ] {
            columns.extend(copied.then(|| ColumnMut::of(column)));
        }
        columns.extend(self.species.then(|| ColumnMut::of(species)));
        columns.extend(self.index.then(|| ColumnMut::of(index)));
        columns.extend(own.0.iter_mut().filter(|_| self.own).map(|column| ColumnMut::of(column)));
        columns
    }
}

/// A column as bytes.
pub(super) struct Column<'a> {
    bytes: &'a [u8],
    pub(super) size: usize,
}

impl<'a> Column<'a> {
    pub(super) fn of<T: bytemuck::NoUninit>(column: &'a [T]) -> Self {
        Self { bytes: bytemuck::cast_slice(column), size: size_of::<T>() }
    }

    pub(super) fn rows(&self, rows: &Range<usize>) -> &'a [u8] {
        &self.bytes[rows.start * self.size..rows.end * self.size]
    }
}

/// A column as bytes, to fill.
pub(super) struct ColumnMut<'a> {
    bytes: &'a mut [u8],
    size: usize,
}

impl<'a> ColumnMut<'a> {
    pub(super) fn of<T: bytemuck::Pod>(column: &'a mut [T]) -> Self {
        Self { bytes: bytemuck::cast_slice_mut(column), size: size_of::<T>() }
    }

    pub(super) fn rows(&mut self, rows: &Range<usize>) -> &mut [u8] {
        &mut self.bytes[rows.start * self.size..rows.end * self.size]
    }
}
