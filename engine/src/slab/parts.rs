//! Saved states of crowds in slabs, which may go on in any number of slabs.

use std::ops::Range;

use crate::error::Error;
use crate::simulation::build::share;
use crate::slab::state::Slab;
use crate::snapshot::Snapshot;
use crate::snapshot::part::Part;

impl Slab {
    /// This slab's part of a snapshot of the crowd.
    #[must_use]
    pub fn part(&self) -> Part {
        let agents = self.held.snapshot_of(self.own.clone());
        Part { agents, number: self.number, parts: self.slabs(), of: self.agents }
    }

    /// Which agents of a crowd, in the order of its slots, slab `number` of `slabs` begins with.
    ///
    /// # Errors
    /// If there is no slab of this number.
    pub fn share(agents: usize, number: usize, slabs: usize) -> Result<Range<usize>, Error> {
        Self::check(number, slabs)?;
        Ok(share(agents, number, slabs))
    }

    /// A slab that goes on from a saved state: with these agents of these parts, which together are
    /// [`Self::share`] of the crowd, in order.
    ///
    /// # Errors
    /// [`Error::Snapshot`] if the parts are not of one state, or not these agents; [`Error::Memory`]
    /// if there is too little; and if there is no slab of this number.
    pub fn resume<'a>(
        parts: impl IntoIterator<Item = (&'a Part, Range<usize>)>,
        number: usize,
        slabs: usize,
    ) -> Result<Self, Error> {
        let mut crowd = 0;
        let parts = parts.into_iter().inspect(|(part, _)| crowd = part.crowd_len());
        let gathered = Part::gathered(parts)?;
        let share = Self::share(crowd, number, slabs)?;
        match gathered.filter(|agents| agents.len() == share.len()) {
            Some(agents) => Ok(Self::of(agents.build()?, crowd, number, slabs)),
            None => {
                let allowed = format!("agents {share:?} of {crowd}");
                Err(Error::refused("parts", format!("those of slab {number}"), allowed))
            }
        }
    }

    /// Slab `number` of `slabs` of a crowd that was not in slabs.
    ///
    /// # Errors
    /// [`Error::Memory`] if there is too little; and if there is no slab of this number.
    pub fn of_snapshot(snapshot: &Snapshot, number: usize, slabs: usize) -> Result<Self, Error> {
        let agents = snapshot.len();
        let held = snapshot.slice(Self::share(agents, number, slabs)?).build()?;
        Ok(Self::of(held, agents, number, slabs))
    }
}
