//! A copy of the last agents of a crowd, so that every batch reads whole vectors.

use crate::crowd::columns::{Motion, Traits};
use crate::math::lanes::MAX_WIDTH;

/// The last rows of the columns, followed by copies of the last one: enough for a batch that would
/// read past the end of the crowd.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    /// The slot of the first row.
    first: usize,
    motion: Motion,
    traits: Traits,
}

/// The columns that hold a batch's agents, from `row` on.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) motion: &'a Motion,
    pub(crate) traits: &'a Traits,
    pub(crate) row: usize,
}

impl Tail {
    /// Copies the end of these columns.
    pub(crate) fn fill(&mut self, motion: &Motion, traits: &Traits) {
        self.first = motion.x.len().saturating_sub(MAX_WIDTH);
        self.motion.pad(motion);
        self.traits.pad(traits);
    }

    /// The rows of a batch that begins less than [`MAX_WIDTH`] slots before the end of the crowd,
    /// or beyond it.
    pub(crate) fn rows(&self, slot: usize) -> Rows<'_> {
        Rows { motion: &self.motion, traits: &self.traits, row: (slot - self.first).min(MAX_WIDTH) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_batch_at_the_end_or_beyond_reads_its_agents_and_then_the_last_one() {
        for agents in [1_usize, 5, 15, 16, 17, 40, 300] {
            let x: Vec<f32> = (0..agents).map(|slot| slot as f32).collect();
            let species: Vec<u8> = (0..agents).map(|slot| (slot % 3) as u8).collect();
            let mut tail = Tail::default();
            tail.fill(&Motion { x, ..Motion::default() }, &Traits { species, ..Traits::default() });
            for first in (agents + 1).saturating_sub(MAX_WIDTH)..agents + 4 * MAX_WIDTH {
                let Rows { motion, traits, row } = tail.rows(first);
                for lane in 0..MAX_WIDTH {
                    let slot = (first + lane).min(agents - 1);
                    assert_eq!(motion.x[row + lane], slot as f32, "{agents} agents, {first}");
                    assert_eq!(traits.species[row + lane], (slot % 3) as u8);
                }
                assert!(motion.y.is_empty(), "an absent column stays absent");
            }
        }
    }
}
