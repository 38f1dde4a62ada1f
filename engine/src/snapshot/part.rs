//! Parts of a snapshot: each slab of a crowd saves its own part,
//! and all parts together form the snapshot.
//!
//! ```text
//! "FLOCKPRT", version (4 bytes), length of the body (8), checksum of the body (8)
//! body: number of the part (from 0), number of parts, number of agents in the crowd,
//!       scene as TOML, width and height of the world, step,
//!       number of indices, reused indices with their generations, free indices,
//!       columns as in a snapshot
//! ```

use std::ops::Range;
use std::path::Path;

use crate::crowd::id_pool::IdPool;
use crate::error::Error;
use crate::memory;
use crate::snapshot::check::{self, unsound};
use crate::snapshot::format::{Writer, opened, read_columns, read_definition, sealed};
use crate::snapshot::{Snapshot, read, write};

const MAGIC: [u8; 8] = *b"FLOCKPRT";

/// One part of a crowd's state. Joined in order, the parts list the agents in slot order.
#[derive(Clone, Debug)]
pub struct SnapshotPart {
    pub(crate) agents: Snapshot,
    pub(crate) index: usize,
    pub(crate) parts: usize,
    pub(crate) of: usize,
}

impl SnapshotPart {
    /// The number of agents in this part.
    #[must_use]
    pub fn len(&self) -> usize {
        self.agents.len()
    }

    /// True if the slab that saved this part had no agents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of steps taken before the snapshot.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.agents.tick()
    }

    /// This part's number, counting from 0, and the total number of parts.
    #[must_use]
    pub fn number(&self) -> (usize, usize) {
        (self.index, self.parts)
    }

    /// The number of agents in the whole crowd, not just in this part.
    #[must_use]
    pub fn crowd_len(&self) -> usize {
        self.of
    }

    /// Serializes the part for [`Self::from_bytes`].
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { agents, index, parts, of } = self;
        let mut body = Writer::default();
        [*index, *parts, *of].into_iter().for_each(|count| body.u64(count as u64));
        agents.write_definition(&mut body);
        body.u64(agents.state.ids.indices() as u64);
        let repeated =
            agents.state.ids.repeated().flat_map(|(index, generation)| [index, generation]);
        body.words(&repeated.collect::<Vec<_>>());
        body.words(agents.state.ids.free());
        agents.write_columns(&mut body);
        sealed(MAGIC, body.0)
    }

    /// Reads a part from the bytes of [`Self::to_bytes`].
    ///
    /// # Errors
    /// [`Snapshot`](crate::ErrorKind::Snapshot) if the bytes are incomplete or corrupted;
    /// [`SnapshotVersion`](crate::ErrorKind::SnapshotVersion) if the format has another version;
    /// [`Memory`](crate::ErrorKind::Memory) if there is not enough memory.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut body = opened(MAGIC, bytes)?;
        let [index, parts, of] = [
            body.u64("the number of the part")?,
            body.u64("the number of parts")?,
            body.u64("the number of agents")?,
        ]
        .map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        let (scene, space, mut state) = read_definition(&mut body)?;
        let assigned = body.u64("the number of indices")?;
        let repeated = body.words("repeated indices")?;
        let free = body.words("free indices")?;
        let headings = read_columns(&mut body, &scene, &mut state)?;
        body.end()?;
        check::common(&scene, &space, &state, &headings)?;
        let all = usize::try_from(assigned).unwrap_or(usize::MAX);
        let agents = state.motion.position.len();
        if index >= parts || agents > of || all < of {
            return Err(unsound(format!(
                "wrong counts: part {index} of {parts}, {agents} of {of} agents, {assigned} indices"
            )));
        }
        let repeated = check::repeated(&scene, all, &repeated)?;
        memory::check(IdPool::bytes_with_repeated(repeated.iter().map(|[index, _]| *index)))?;
        let repeated = repeated.iter().map(|&[index, generation]| (index, generation));
        state.ids = IdPool::with_repeated(assigned as u32, repeated, free);
        check::check_ids(&state, of)?;
        let agents = Snapshot::new(scene, space, state, &headings)?;
        Ok(Self { agents, index, parts, of })
    }

    /// Writes the part to a file. An existing file is replaced only once the new file is complete.
    ///
    /// # Errors
    /// [`File`](crate::ErrorKind::File) if the file cannot be written;
    /// [`Memory`](crate::ErrorKind::Memory) if there is not enough memory.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        write(path.as_ref(), self.agents.state.bytes(), || self.to_bytes())
    }

    /// Reads a part from a file that [`Self::save`] wrote.
    ///
    /// # Errors
    /// [`File`](crate::ErrorKind::File) if the file cannot be read;
    /// [`Memory`](crate::ErrorKind::Memory) if there is not enough memory; and the errors of
    /// [`Self::from_bytes`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        read(path.as_ref(), Self::from_bytes)
    }

    pub(crate) fn gathered<'a>(
        parts: impl IntoIterator<Item = (&'a Self, Range<usize>)>,
    ) -> Result<Option<Snapshot>, Error> {
        let mut gathered: Option<Snapshot> = None;
        for (part, range) in parts {
            let agents = &part.agents;
            let all = gathered.get_or_insert_with(|| agents.with(agents.state.without_agents()));
            let is_same = (all.tick(), all.state.time_base, &all.scene, all.space)
                == (agents.tick(), agents.state.time_base, &agents.scene, agents.space)
                && all.state.overrides == agents.state.overrides
                && all.state.ids.is_same(&agents.state.ids);
            if !is_same {
                let (index, parts) = part.number();
                return Err(unsound(format!("part {index} of {parts} belongs to another state")));
            }
            all.state.append(&agents.state, range, 0);
        }
        Ok(gathered)
    }
}

impl Snapshot {
    /// Joins all parts of a state, in order, into the snapshot of the whole crowd.
    /// The result equals, byte for byte, the snapshot of the undivided crowd.
    ///
    /// # Errors
    /// [`Snapshot`](crate::ErrorKind::Snapshot) if parts are missing, out of order or mismatched.
    pub fn join(parts: &[SnapshotPart]) -> Result<Self, Error> {
        let all = parts.len();
        for (index, part) in parts.iter().enumerate() {
            let (found, of) = part.number();
            if (found, of) != (index, all) {
                let message = format!("found part {found} of {of}, not part {index} of {all}");
                return Err(unsound(message));
            }
        }
        let whole = SnapshotPart::gathered(parts.iter().map(|part| (part, 0..part.len())))?;
        let whole = whole.ok_or_else(|| unsound("there are no parts"))?;
        if let Some(part) = parts.iter().find(|part| part.of != whole.len()) {
            let (agents, of) = (whole.len(), part.of);
            return Err(unsound(format!("the parts have {agents} agents, not {of}")));
        }
        let headings = whole.state.history.headings();
        check::whole(&whole.scene, &whole.space, &whole.state, &headings)?;
        Ok(whole)
    }
}
