//! Homes: who knows which slab owns an agent.

use std::collections::HashMap;

use crate::crowd::target::Pose;

/// What a slab knows of agents whose home it is, and of those that it owns.
#[derive(Debug, Default)]
pub(super) struct Home {
    /// The number of indices per home when `owners` was made.
    pub(super) share: usize,
    /// The slab that owns each agent whose home is here.
    pub(super) owners: Vec<u32>,
    /// The slot of each agent that this slab owns.
    pub(super) slots: HashMap<u32, u32>,
    /// The targets of its agents, each once.
    pub(super) wanted: Vec<u32>,
    /// Where these are.
    pub(super) poses: HashMap<u32, Pose<f32>>,
    /// The message from this slab to itself.
    pub(super) message: Vec<u8>,
}
