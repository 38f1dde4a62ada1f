//! Columns detached for numpy: a view may outlive any borrow of the crowd.
//!
//! Steps and writes change columns in place. Before that, the owner of a view takes the
//! memory of its column, and the crowd continues with a copy. Heap memory stays in place
//! when its `Vec` moves.

use crate::simulation::Simulation;

/// A numeric column that agents may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// X coordinates of positions.
    X,
    /// Y coordinates of positions.
    Y,
    /// X components of velocities; empty if velocities follow from headings.
    Vx,
    /// Y components of velocities; empty if velocities follow from headings.
    Vy,
    /// X components of headings.
    Hx,
    /// Y components of headings.
    Hy,
    /// A custom column, by its number in [`Simulation::columns`].
    Own(usize),
}

fn column_mut(crowd: &mut Simulation, column: Column) -> &mut Vec<f32> {
    let motion = &mut crowd.state.motion;
    match column {
        Column::X => &mut motion.x,
        Column::Y => &mut motion.y,
        Column::Vx => &mut motion.vx,
        Column::Vy => &mut motion.vy,
        Column::Hx => &mut motion.hx,
        Column::Hy => &mut motion.hy,
        Column::Own(number) => &mut motion.own.0[number],
    }
}

/// Borrows a column in place; empty if the crowd does not store the column.
pub fn column(crowd: &mut Simulation, column: Column) -> &[f32] {
    column_mut(crowd, column)
}

/// Replaces a column with a copy and returns the original.
pub fn detach(crowd: &mut Simulation, column: Column) -> Vec<f32> {
    let column = column_mut(crowd, column);
    let copy = column.clone();
    std::mem::replace(column, copy)
}
