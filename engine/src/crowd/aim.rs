//! Each agent's own target, as its columns hold it.

use crate::crowd::columns::Traits;

/// The entry of an agent without its own target.
pub(crate) const NO_TARGET: u32 = u32::MAX;

/// The entry of an agent whose own target is a point.
pub(crate) const AT_POINT: u32 = NO_TARGET - 1;

/// An agent's own target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Aim {
    Nothing,
    /// The index of an agent's id.
    Agent(u32),
    /// World units; on a torus it may be any number of worlds away.
    Point([f32; 2]),
}

impl Traits {
    /// The own target of the agent in `slot`.
    pub(crate) fn aim(&self, slot: usize) -> Aim {
        match self.target.get(slot) {
            None | Some(&NO_TARGET) => Aim::Nothing,
            Some(&AT_POINT) => Aim::Point(self.target_point[slot]),
            Some(&index) => Aim::Agent(index),
        }
    }

    /// Sets the own target of the agent in `slot`. The columns that it needs are there.
    pub(crate) fn set_aim(&mut self, slot: usize, aim: Aim) {
        let (entry, point) = match aim {
            Aim::Nothing => (NO_TARGET, [0.0; 2]),
            Aim::Agent(index) => (index, [0.0; 2]),
            Aim::Point(point) => (AT_POINT, point),
        };
        self.target[slot] = entry;
        // Crowds in the same state are saved as the same bytes, so no old point stays.
        if let Some(column) = self.target_point.get_mut(slot) {
            *column = point;
        }
    }
}
