//! How much memory a simulation takes, estimated before it is built.

use crate::parallel::default_threads;
use crate::scene::Scene;
use crate::simulation::needs::Needs;

/// Both copies of the columns, before and after the sort.
const COPIES: u64 = 2;
/// The most cells of the grid per agent.
const CELLS: u64 = 4;
/// Slots whose agents the sort counts together, and the words it takes for them and a thread.
const SLOTS_COUNTED: u64 = 512;
const WORDS_PER_THREAD: u64 = 4;
/// An obstacle or wall, and its places in the index.
const BYTES_OF_SCATTERED: u64 = 256;
/// A word of a column.
const WORD: u64 = 4;

impl Scene {
    /// About how many bytes its simulation takes, at most: what [`Simulation::bytes`] says once it
    /// runs, and scattered scenery. A snapshot takes up to half as much again.
    ///
    /// Building a scene that needs more than the system has is refused with [`Error::Memory`].
    ///
    /// [`Simulation::bytes`]: crate::Simulation::bytes
    /// [`Error::Memory`]: crate::Error::Memory
    #[must_use]
    pub fn estimated_bytes(&self) -> u64 {
        self.estimated_bytes_with(self.agent_count())
    }

    /// The same for a crowd that has grown or shrunk since.
    pub(crate) fn estimated_bytes_with(&self, agents: usize) -> u64 {
        let needs = Needs::of(self);
        let words = |needed: bool, count: u64| if needed { count } else { 0 };
        let motion = 4
            + words(needs.velocity, 2)
            + words(needs.remembered.wander, 2)
            + words(needs.remembered.waypoint, 1)
            + words(needs.remembered.alert, 1)
            + needs.columns.len() as u64;
        let drawn = [needs.max_speed, needs.max_force, needs.mass, needs.radius];
        let traits = 1
            + words(needs.species, 1)
            + words(needs.target, 1)
            + drawn.iter().map(|&needed| words(needed, 1)).sum::<u64>();
        let threads = default_threads().unwrap_or(1) as u64;
        let sort = 2 + (WORDS_PER_THREAD * threads).div_ceil(SLOTS_COUNTED);
        let ids = 2 + words(needs.target, 1);
        let per_agent = WORD * (COPIES * (motion + traits) + sort + ids + CELLS);
        let agents = agents as u64;
        // Each heading, their sum and a spare column take two words; then rows.
        let history = self.heading_samples.map_or(0, |samples| 2 * (u64::from(samples) + 2) + 2);
        // The history grows by doubling.
        let history = WORD * history * words(history > 0, agents.next_power_of_two());
        let scattered = BYTES_OF_SCATTERED * self.scattered() as u64;
        agents.saturating_mul(per_agent).saturating_add(history).saturating_add(scattered)
    }

    fn scattered(&self) -> usize {
        self.scatter.as_ref().map_or(0, |scatter| scatter.wanted(self.agent_count()))
    }
}
