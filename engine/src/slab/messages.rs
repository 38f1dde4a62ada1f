use std::ops::Range;

use arrayvec::ArrayVec;

use crate::behaviors::Behavior;
use crate::crowd::columns::{Attributes, MAX_COLUMNS, Motion};
use crate::crowd::limits::Limit;
use crate::crowd::target::Target;
use crate::math::axes::Axes;
use crate::simulation::Setting;

pub(super) const MAX_MESSAGE_COLUMNS: usize = 14 + MAX_COLUMNS;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GhostColumns {
    axes: usize,
    velocity: bool,
    limits: u8,
    species: bool,
    index: bool,
    /// Number of columns that the scene or its behaviors define; 0 if no behavior reads them.
    custom_columns: usize,
}

impl GhostColumns {
    pub(super) fn new(Setting { scene, space, required, plan, .. }: &Setting) -> Self {
        // Behaviors from other crates may read any attribute of a neighbor,
        // and nearest-agent targets need more than a position.
        let outside = scene.outside().next().is_some()
            || scene.targets().any(|target| matches!(target, Target::Nearest { .. }));
        let velocity = outside || scene.behaviors().any(|one| one.as_steer().reads_velocities());
        // A ghost's cell depends on its group, and the group of an outlier on its radius and
        // maximum speed.
        let is_read = |limit: &Limit| match limit {
            Limit::Radius | Limit::Immovable => required.has(*limit),
            Limit::MaxSpeed => required.has(*limit) && (outside || plan.outliers.is_some()),
            Limit::MaxForce | Limit::Mass | Limit::FieldOfView => false,
        };
        let reads_columns =
            scene.behaviors().any(|one| !scene.columns_of(one.as_steer()).is_empty());
        Self {
            axes: space.axes(),
            velocity: required.velocity && velocity,
            limits: Limit::ALL.into_iter().filter(is_read).map(Limit::bit).sum(),
            // With a single group, all agents see the same species, but a behavior may still tell
            // its neighbors' species apart.
            species: required.species
                && (outside
                    || plan.agents.len() > 1
                    || scene.behaviors().any(Behavior::reads_species)),
            index: scene.passes() > 0,
            custom_columns: if reads_columns { required.columns.len() } else { 0 },
        }
    }
}

macro_rules! columns {
    ($name:ident, $column:ident, $iter:ident $(, $mutable:tt)?) => {
        pub(super) fn $name<'a>(
            self,
            motion: &'a $($mutable)? Motion,
            attributes: &'a $($mutable)? Attributes,
        ) -> ArrayVec<$column<'a>, MAX_MESSAGE_COLUMNS> {
            let Motion { position, velocity, heading, custom, .. } = motion;
            let Attributes { index, species, limits, .. } = attributes;
            let mut columns = ArrayVec::new();
            let mut extend = |axes: &'a $($mutable)? Axes<Vec<f32>>| {
                columns.extend(axes.0.$iter().take(self.axes).map(|column| $column::new(column)));
            };
            extend(position);
            extend(heading);
            if self.velocity {
                extend(velocity);
            }
            let limits = Limit::ALL.into_iter().zip(limits.$iter());
            let limits = limits.filter(|(limit, _)| self.limits & limit.bit() != 0);
            columns.extend(limits.map(|(_, column)| $column::new(column)));
            columns.extend(self.species.then(|| $column::new(species)));
            columns.extend(self.index.then(|| $column::new(index)));
            let custom = custom.$iter().take(self.custom_columns);
            columns.extend(custom.map(|column| $column::new(column)));
            columns
        }
    };
}

impl GhostColumns {
    columns!(columns, Column, iter);
    columns!(columns_mut, ColumnMut, iter_mut, mut);
}

pub(super) struct Column<'a> {
    bytes: &'a [u8],
    pub(super) size: usize,
}

impl<'a> Column<'a> {
    pub(super) fn new<T: bytemuck::NoUninit>(column: &'a [T]) -> Self {
        Self { bytes: bytemuck::cast_slice(column), size: size_of::<T>() }
    }

    pub(super) fn rows(&self, rows: &Range<usize>) -> &'a [u8] {
        &self.bytes[rows.start * self.size..rows.end * self.size]
    }
}

pub(super) struct ColumnMut<'a> {
    bytes: &'a mut [u8],
    size: usize,
}

impl<'a> ColumnMut<'a> {
    pub(super) fn new<T: bytemuck::Pod>(column: &'a mut [T]) -> Self {
        Self { bytes: bytemuck::cast_slice_mut(column), size: size_of::<T>() }
    }

    pub(super) fn rows(&mut self, rows: &Range<usize>) -> &mut [u8] {
        &mut self.bytes[rows.start * self.size..rows.end * self.size]
    }
}
