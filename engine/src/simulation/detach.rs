//! Detaches columns for numpy, whose views may outlive any borrow of the crowd.
//!
//! Steps and writes change columns in place. Before a step or a write, the owner of a view
//! takes the column's `Vec`, and the crowd continues with a copy. The view stays valid, because
//! moving a `Vec` does not move its heap memory.

use crate::simulation::Simulation;

/// A per-agent column that [`detach`] can move out of the crowd. Axis 2 is empty in flat worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Coordinates along one axis (0, 1 or 2), in world units.
    Position(usize),
    /// Components of velocities along one axis, in units/s; empty if velocities are derived from
    /// headings.
    Velocity(usize),
    /// Components of headings, which are unit vectors, along one axis.
    Heading(usize),
    /// A custom column, by its index in [`Agents::column_names`](crate::Agents::column_names).
    Custom(usize),
}

fn column_mut(simulation: &mut Simulation, column: Column) -> &mut Vec<f32> {
    let motion = &mut simulation.state.motion;
    match column {
        Column::Position(axis) => &mut motion.position.0[axis],
        Column::Velocity(axis) => &mut motion.velocity.0[axis],
        Column::Heading(axis) => &mut motion.heading.0[axis],
        Column::Custom(index) => &mut motion.custom[index],
    }
}

/// Borrows a column without copying. The slice is empty if the crowd does not store the column.
pub fn column(simulation: &mut Simulation, column: Column) -> &[f32] {
    column_mut(simulation, column)
}

/// Replaces a column with a copy and returns the original.
pub fn detach(simulation: &mut Simulation, column: Column) -> Vec<f32> {
    let column = column_mut(simulation, column);
    let copy = column.clone();
    std::mem::replace(column, copy)
}
