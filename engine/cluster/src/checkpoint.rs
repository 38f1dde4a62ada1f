//! Checkpoints: one part of the crowd's state per rank, from which any number of ranks goes on.
//!
//! ```text
//! DIR/step-000000000050/part-00000    one per rank
//! DIR/step-000000000050/manifest.toml written last: without it the rest is ignored
//! ```
//!
//! Every file is replaced whole or not at all, and two checkpoints are kept, so that whenever ranks
//! are killed a complete one is there. Joined, the parts are the snapshot of a crowd on one host.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use flockwork::slab::Slab;
use flockwork::{Part, Snapshot, file};
use serde::{Deserialize, Serialize};

use crate::transport::{Lost, Transport};

/// How many complete checkpoints are kept.
const KEPT: usize = 2;
const MANIFEST: &str = "manifest.toml";

/// Why a checkpoint is not written or read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The system refuses a file or a folder.
    #[error("{path}: {message}")]
    File {
        /// The file or folder.
        path: String,
        /// What the system says, or what is wrong with it.
        message: String,
    },
    /// The engine refuses a part.
    #[error(transparent)]
    Engine(#[from] flockwork::Error),
    /// Another rank could not save its part.
    #[error("rank {rank}: {message}")]
    Rank {
        /// The rank.
        rank: usize,
        /// What was wrong there.
        message: String,
    },
    /// A rank is gone.
    #[error(transparent)]
    Lost(#[from] Lost),
}

/// What a checkpoint holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The number of steps taken.
    pub tick: u64,
    /// The state hash of the crowd, in hexadecimal.
    pub state_hash: String,
    /// The number of agents in each part.
    pub agents: Vec<usize>,
}

/// A complete checkpoint.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    folder: PathBuf,
    /// What it holds.
    pub manifest: Manifest,
}

/// Saves the slab of each rank as a checkpoint in a folder of `directory`, and removes all but the
/// latest two. All ranks call it; `state_hash` is that of the crowd.
///
/// # Errors
/// The same kind on all ranks, naming the first that failed.
pub fn save<T: Transport>(
    directory: &Path,
    slab: &Slab,
    state_hash: u64,
    transport: &mut T,
) -> Result<(), CheckpointError> {
    let folder = directory.join(format!("step-{:012}", slab.tick()));
    let first = transport.rank() == 0;
    let prepared = if first { prepare(&folder) } else { Ok(()) };
    agree(prepared, 0, transport)?;

    let saved = slab.part().save(part_file(&folder, transport.rank()));
    let lengths = agree(saved.map_err(CheckpointError::from), slab.len() as u64, transport)?;

    let agents = lengths.into_iter().map(|length| length as usize).collect();
    let manifest = Manifest { tick: slab.tick(), state_hash: format!("{state_hash:016x}"), agents };
    let written = if first { write_manifest(&folder, &manifest) } else { Ok(()) };
    agree(written, 0, transport)?;
    let pruned = if first { prune(directory) } else { Ok(()) };
    agree(pruned, 0, transport).map(drop)
}

impl Checkpoint {
    /// The latest complete checkpoint in a directory; or the one that the directory is.
    ///
    /// # Errors
    /// If there is none, or if its manifest cannot be read.
    pub fn latest(directory: &Path) -> Result<Self, CheckpointError> {
        if directory.join(MANIFEST).exists() {
            return Self::open(directory.to_owned());
        }
        match complete(directory)?.pop() {
            Some(folder) => Self::open(folder),
            None => Err(wrong(directory, "there is no complete checkpoint in it")),
        }
    }

    fn open(folder: PathBuf) -> Result<Self, CheckpointError> {
        let path = folder.join(MANIFEST);
        let bytes = file::read(&path, 1 << 30).map_err(|error| wrong(&path, error))?;
        let text = String::from_utf8(bytes).map_err(|error| wrong(&path, error))?;
        let manifest: Manifest = toml::from_str(&text).map_err(|error| wrong(&path, error))?;
        let sum = manifest.agents.iter().try_fold(0_usize, |sum, &agents| sum.checked_add(agents));
        match sum {
            Some(_) if !manifest.agents.is_empty() => Ok(Self { folder, manifest }),
            Some(_) => Err(wrong(&path, "agents: there is no part")),
            None => Err(wrong(&path, "agents: more than can be counted")),
        }
    }

    /// The number of agents of the crowd.
    #[must_use]
    pub fn len(&self) -> usize {
        self.manifest.agents.iter().sum()
    }

    /// Whether the crowd has no agents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Slab `number` of `slabs` of the crowd; reads only the parts that it needs.
    ///
    /// # Errors
    /// If a part is missing, damaged, or not the one that the manifest names.
    pub fn slab(&self, number: usize, slabs: usize) -> Result<Slab, CheckpointError> {
        let share = Slab::share(self.len(), number, slabs);
        let mut parts: Vec<(Part, Range<usize>)> = Vec::new();
        let mut first = 0;
        for (k, &agents) in self.manifest.agents.iter().enumerate() {
            let within = |at: usize| at.clamp(first, first + agents) - first;
            let range = within(share.start)..within(share.end);
            first += agents;
            // A slab without agents still needs what all parts have in common.
            let last_chance = parts.is_empty() && k + 1 == self.manifest.agents.len();
            if !range.is_empty() || last_chance {
                parts.push((self.part(k)?, range));
            }
        }
        let parts = parts.iter().map(|(part, range)| (part, range.clone()));
        Ok(Slab::resume(parts, number, slabs)?)
    }

    /// The snapshot of the whole crowd, as one host would have taken it.
    ///
    /// # Errors
    /// As [`Self::slab`].
    pub fn join(&self) -> Result<Snapshot, CheckpointError> {
        let parts = (0..self.manifest.agents.len()).map(|k| self.part(k));
        Ok(Snapshot::join(&parts.collect::<Result<Vec<_>, _>>()?)?)
    }

    /// Checks the state hash of the crowd that was read.
    ///
    /// # Errors
    /// If it is not that of the manifest.
    pub(crate) fn check_state(&self, hash: u64) -> Result<(), CheckpointError> {
        let (found, expected) = (format!("{hash:016x}"), &self.manifest.state_hash);
        if found == *expected {
            return Ok(());
        }
        let message = format!("state_hash: the parts are of state {found}, not {expected}");
        Err(wrong(&self.folder.join(MANIFEST), message))
    }

    fn part(&self, number: usize) -> Result<Part, CheckpointError> {
        let path = part_file(&self.folder, number);
        let part = Part::load(&path)?;
        let Manifest { tick, agents, .. } = &self.manifest;
        let expected = (*tick, (number, agents.len()), agents[number], self.len());
        let found = (part.tick(), part.number(), part.len(), part.crowd_len());
        if found != expected {
            return Err(wrong(&path, "it is not the part that the manifest names"));
        }
        Ok(part)
    }
}

/// All ranks get the numbers of all, or an error if any of them has one: the first.
fn agree<T: Transport>(
    result: Result<(), CheckpointError>,
    number: u64,
    transport: &mut T,
) -> Result<Vec<u64>, CheckpointError> {
    let mut bytes = number.to_le_bytes().to_vec();
    if let Err(error) = &result {
        bytes.extend(error.to_string().as_bytes());
    }
    let mut all = Vec::new();
    transport.all_gather(&bytes, &mut all)?;
    result?;
    let mut numbers = Vec::new();
    for (rank, bytes) in all.iter().enumerate() {
        let (number, message) = bytes.split_first_chunk().expect("a number comes first");
        if !message.is_empty() {
            let message = String::from_utf8_lossy(message).into_owned();
            return Err(CheckpointError::Rank { rank, message });
        }
        numbers.push(u64::from_le_bytes(*number));
    }
    Ok(numbers)
}

/// Makes the folder. A checkpoint of the same step that is already there is no longer complete.
fn prepare(folder: &Path) -> Result<(), CheckpointError> {
    fs::create_dir_all(folder).map_err(|error| wrong(folder, error))?;
    let manifest = folder.join(MANIFEST);
    match fs::remove_file(&manifest) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(wrong(&manifest, error)),
        _ => Ok(()),
    }
}

fn write_manifest(folder: &Path, manifest: &Manifest) -> Result<(), CheckpointError> {
    let path = folder.join(MANIFEST);
    let text = toml::to_string(manifest).map_err(|error| wrong(&path, error))?;
    file::replace(&path, text.as_bytes()).map(drop).map_err(|error| wrong(&path, error))
}

/// The folders of complete checkpoints, the latest last.
fn complete(directory: &Path) -> Result<Vec<PathBuf>, CheckpointError> {
    let mut folders = folders(directory)?;
    folders.retain(|folder| folder.join(MANIFEST).exists());
    Ok(folders)
}

/// The folders of all checkpoints, by step.
fn folders(directory: &Path) -> Result<Vec<PathBuf>, CheckpointError> {
    let entries = fs::read_dir(directory).map_err(|error| wrong(directory, error))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_one = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.strip_prefix("step-").is_some_and(|tick| tick.bytes().all(|c| c.is_ascii_digit()))
    };
    let mut folders: Vec<PathBuf> = paths.filter(is_one).collect();
    folders.sort();
    Ok(folders)
}

/// Removes all checkpoints but the latest complete ones.
fn prune(directory: &Path) -> Result<(), CheckpointError> {
    let mut kept = complete(directory)?;
    kept.drain(..kept.len().saturating_sub(KEPT));
    for folder in folders(directory)?.iter().filter(|folder| !kept.contains(folder)) {
        // The manifest first: half a checkpoint must not look like one.
        prepare(folder)?;
        fs::remove_dir_all(folder).map_err(|error| wrong(folder, error))?;
    }
    Ok(())
}

fn part_file(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("part-{number:05}"))
}

fn wrong(path: &Path, message: impl ToString) -> CheckpointError {
    CheckpointError::File { path: path.display().to_string(), message: message.to_string() }
}
