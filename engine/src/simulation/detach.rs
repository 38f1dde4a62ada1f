//! Columns that somebody reads for longer than a borrow lasts: for the Python package.
//!
//! Steps and writes change columns in place. Whoever goes on reading one is given its memory, and the
//! crowd goes on with a copy. Memory on the heap does not move when a `Vec` does.

use crate::simulation::Simulation;

/// A column of numbers that every agent may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Of positions.
    X,
    /// Of positions.
    Y,
    /// Of velocities, which crowds of constant speed do not store.
    Vx,
    /// Of velocities.
    Vy,
    /// Of headings.
    Hx,
    /// Of headings.
    Hy,
    /// One that the scene defines, by its number in [`Simulation::columns`].
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

/// The column, which stays where it is; empty if agents have none.
pub fn column(crowd: &mut Simulation, column: Column) -> &[f32] {
    column_mut(crowd, column)
}

/// Puts a copy in the place of a column, and returns the column itself.
pub fn detach(crowd: &mut Simulation, column: Column) -> Vec<f32> {
    let column = column_mut(crowd, column);
    let copy = column.clone();
    std::mem::replace(column, copy)
}
