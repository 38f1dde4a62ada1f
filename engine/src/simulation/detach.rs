//! Detaches columns for numpy, whose views may outlive any borrow of the crowd.
//!
//! Steps and writes change columns in place. Before a step or a write, the owner of a view
//! takes the column's `Vec`, and the crowd continues with a copy. The view stays valid, because
//! moving a `Vec` does not move its heap memory.

use crate::simulation::Simulation;

/// A per-agent column that [`detach`] can move out of the crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// X coordinates of positions, in world units.
    X,
    /// Y coordinates of positions, in world units.
    Y,
    /// X components of velocities, in units/s; empty if velocities are derived from headings.
    Vx,
    /// Y components of velocities, in units/s; empty if velocities are derived from headings.
    Vy,
    /// X components of headings, which are unit vectors.
    Hx,
    /// Y components of headings, which are unit vectors.
    Hy,
    /// A custom column, by its index in [`Simulation::columns`].
    Own(usize),
}

fn column_mut(crowd: &mut Simulation, column: Column) -> &mut Vec<f32> {
    let motion = &mut crowd.state.motion;
    match column {
        Column::X => &mut motion.position.0[0],
        Column::Y => &mut motion.position.0[1],
        Column::Vx => &mut motion.velocity.0[0],
        Column::Vy => &mut motion.velocity.0[1],
        Column::Hx => &mut motion.heading.0[0],
        Column::Hy => &mut motion.heading.0[1],
        Column::Own(number) => &mut motion.own[number],
    }
}

/// Borrows a column without copying. The slice is empty if the crowd does not store the column.
pub fn column(crowd: &mut Simulation, column: Column) -> &[f32] {
    column_mut(crowd, column)
}

/// Replaces a column with a copy and returns the original.
pub fn detach(crowd: &mut Simulation, column: Column) -> Vec<f32> {
    let column = column_mut(crowd, column);
    let copy = column.clone();
    std::mem::replace(column, copy)
}
