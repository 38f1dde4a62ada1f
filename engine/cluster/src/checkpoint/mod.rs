//! Checkpoints: each rank saves its part of the crowd. Any number of ranks can resume the crowd.
//!
//! ```text
//! DIR/step-000000000050/part-00000    one per rank
//! DIR/step-000000000050/manifest.toml written last: without it, the folder is ignored
//! ```
//!
//! Every file is replaced atomically, and two checkpoints are kept, so a complete checkpoint exists
//! no matter when ranks are killed. If a step is saved again, its earlier parts stay until the new
//! manifest is in place. The joined parts equal the snapshot that a single host would take.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use flockwork::internal::file;
use flockwork::slab::{Slab, agree};
use flockwork::{Snapshot, SnapshotPart};
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, wrong};
use crate::transport::Transport;

mod directory;

/// The description of a checkpoint, stored in `manifest.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Number of steps from the start of the scene to this checkpoint.
    pub tick: u64,
    /// The state hash of the crowd, in hexadecimal.
    pub state_hash: String,
    /// The number of agents in each part.
    pub agents: Vec<usize>,
    /// Number of earlier saves of this step, used in the names of part files.
    #[serde(default, skip_serializing_if = "is_first")]
    save: u32,
}

fn is_first(save: &u32) -> bool {
    *save == 0
}

/// A complete checkpoint on disk, from which a crowd can resume.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    folder: PathBuf,
    /// The contents of the checkpoint's `manifest.toml`.
    pub manifest: Manifest,
}

/// Saves the slabs of all ranks as a checkpoint in a subfolder of `directory`, and removes
/// all but the latest two checkpoints. All ranks must call this function, with the state
/// hash of the whole crowd.
///
/// # Errors
/// All ranks get the error of the lowest rank that failed. Saving fails if the directory contains
/// a checkpoint of a later step, which must be from another run: see [`check_free`].
/// After an error, earlier complete checkpoints remain.
pub fn save<T: Transport>(
    directory: &Path,
    slab: &Slab,
    state_hash: u64,
    transport: &mut T,
) -> Result<(), Failure> {
    let folder = directory::folder(directory, slab.tick());
    let first = transport.rank() == 0;
    let prepared = if first { prepare(directory, slab.tick()) } else { Ok(0) };
    let save: u32 = agree(prepared, transport)??;
    let numbers = [u64::from(save), slab.len() as u64].map(u64::to_le_bytes);
    let mut all = Vec::new();
    transport.all_gather(numbers.as_flattened(), &mut all)?;
    let number = |rank: usize, at: usize| u64::from_le_bytes(all[rank].as_chunks().0[at]);
    let save = number(0, 0) as u32;

    let path = directory::part_file(&folder, transport.rank(), save);
    agree(slab.part().save(path), transport)??;

    let agents: Vec<usize> = (0..all.len()).map(|rank| number(rank, 1) as usize).collect();
    let parts = (agents.len(), save);
    let state_hash = format!("{state_hash:016x}");
    let manifest = Manifest { tick: slab.tick(), state_hash, agents, save };
    let written = if first { write_manifest(&folder, &manifest) } else { Ok(()) };
    agree(written, transport)??;
    let pruned = || {
        directory::remove_other_parts(&folder, parts)?;
        directory::prune(directory)
    };
    Ok(agree(if first { pruned() } else { Ok(()) }, transport)??)
}

/// Checks that a run may save its checkpoints in a directory:
/// either the directory has no complete checkpoint, or the run resumes from the latest one.
///
/// # Errors
/// If the directory is a checkpoint itself, or its latest complete checkpoint is not `resumed`.
pub fn check_free(directory: &Path, resumed: Option<&Checkpoint>) -> Result<(), Failure> {
    if !directory.exists() {
        return Ok(());
    }
    if directory::manifest_file(directory).exists() {
        let message = "it is a checkpoint: save to the directory that contains it";
        return Err(wrong(directory, message));
    }
    let Some(tick) = directory::complete(directory)?.pop() else { return Ok(()) };
    let latest = directory::folder(directory, tick).canonicalize();
    let goes_on = |from: &Checkpoint| from.folder.canonicalize().ok() == latest.ok();
    if resumed.is_some_and(goes_on) {
        return Ok(());
    }
    let message =
        format!("it contains checkpoints of a run, up to step {tick}: resume from the latest");
    Err(wrong(directory, message + ", or save to another directory"))
}

impl Checkpoint {
    /// The latest complete checkpoint in a directory,
    /// or the directory itself if it is a checkpoint.
    ///
    /// # Errors
    /// If there is no complete checkpoint, or if its manifest cannot be read.
    pub fn latest(directory: &Path) -> Result<Self, Failure> {
        if directory::manifest_file(directory).exists() {
            return Self::open(directory.to_owned());
        }
        match directory::complete(directory)?.pop() {
            Some(tick) => Self::open(directory::folder(directory, tick)),
            None => Err(wrong(directory, "it contains no complete checkpoint")),
        }
    }

    fn open(folder: PathBuf) -> Result<Self, Failure> {
        let path = directory::manifest_file(&folder);
        let manifest = read_manifest(&path)?;
        let sum = manifest.agents.iter().try_fold(0_usize, |sum, &agents| sum.checked_add(agents));
        match sum {
            Some(_) if !manifest.agents.is_empty() => Ok(Self { folder, manifest }),
            Some(_) => Err(wrong(&path, "agents: must list at least one part")),
            None => Err(wrong(&path, "agents: the total is too large")),
        }
    }

    /// Total number of agents in all parts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.manifest.agents.iter().sum()
    }

    /// True if the crowd has no agents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Loads slab `number` of `slabs`. Reads only the parts that the slab needs.
    ///
    /// # Errors
    /// If a part is missing or damaged, or is not the part that the manifest describes.
    pub fn slab(&self, number: usize, slabs: usize) -> Result<Slab, Failure> {
        let share = Slab::share(self.len(), number, slabs)?;
        let mut parts: Vec<(SnapshotPart, Range<usize>)> = Vec::new();
        let mut first = 0;
        for (k, &agents) in self.manifest.agents.iter().enumerate() {
            let within = |at: usize| at.clamp(first, first + agents) - first;
            let range = within(share.start)..within(share.end);
            first += agents;
            // A slab without agents still needs the data common to all parts.
            let last_chance = parts.is_empty() && k + 1 == self.manifest.agents.len();
            if !range.is_empty() || last_chance {
                parts.push((self.part(k)?, range));
            }
        }
        let parts = parts.iter().map(|(part, range)| (part, range.clone()));
        Ok(Slab::resume(parts, number, slabs)?)
    }

    /// Joins all parts into a snapshot of the whole crowd, identical to one taken on a single host.
    ///
    /// # Errors
    /// The same errors as [`Self::slab`].
    pub fn join(&self) -> Result<Snapshot, Failure> {
        let parts = (0..self.manifest.agents.len()).map(|k| self.part(k));
        Ok(Snapshot::join(&parts.collect::<Result<Vec<_>, _>>()?)?)
    }

    pub(crate) fn check_state(&self, hash: u64) -> Result<(), Failure> {
        let (found, expected) = (format!("{hash:016x}"), &self.manifest.state_hash);
        if found == *expected {
            return Ok(());
        }
        let message = format!("state_hash: the parts have state {found}, not {expected}");
        Err(wrong(&directory::manifest_file(&self.folder), message))
    }

    fn part(&self, number: usize) -> Result<SnapshotPart, Failure> {
        let Manifest { tick, agents, save, .. } = &self.manifest;
        let path = directory::part_file(&self.folder, number, *save);
        let part = SnapshotPart::load(&path)?;
        let expected = (*tick, (number, agents.len()), agents[number], self.len());
        let found = (part.tick(), part.number(), part.len(), part.crowd_len());
        if found != expected {
            return Err(wrong(&path, "it is not the part named in the manifest"));
        }
        Ok(part)
    }
}

fn prepare(directory: &Path, tick: u64) -> Result<u32, Failure> {
    let make = |path: &Path| fs::create_dir_all(path).map_err(|error| wrong(path, error));
    make(directory)?;
    let latest = directory::complete(directory)?.pop();
    if let Some(latest) = latest.filter(|&latest| latest > tick) {
        let message =
            format!("it contains a checkpoint of step {latest}, so step {tick} is not saved");
        return Err(wrong(directory, message));
    }
    let folder = directory::folder(directory, tick);
    make(&folder)?;
    if latest != Some(tick) {
        return Ok(0);
    }
    let before = read_manifest(&directory::manifest_file(&folder))?;
    Ok(before.save.wrapping_add(1))
}

fn read_manifest(path: &Path) -> Result<Manifest, Failure> {
    let bytes = file::read(path, 1 << 30).map_err(|error| wrong(path, error))?;
    let text = String::from_utf8(bytes).map_err(|error| wrong(path, error))?;
    toml::from_str(&text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        let line = 1 + before.matches('\n').count();
        wrong(path, format!("line {line}: {}", error.message()))
    })
}

fn write_manifest(folder: &Path, manifest: &Manifest) -> Result<(), Failure> {
    let path = directory::manifest_file(folder);
    let text = toml::to_string(manifest).map_err(|error| wrong(&path, error))?;
    file::replace(&path, text.as_bytes()).map(drop).map_err(|error| wrong(&path, error))
}
