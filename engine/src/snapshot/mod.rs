use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::error::{Error, ErrorLocation};
use crate::file;
use crate::memory;
use crate::scene::Scene;
use crate::scenery::Scenery;
use crate::simulation::{Setting, Simulation, State};
use crate::world::World;
use crate::world::space::Space;

mod check;
mod format;
pub(crate) mod part;

/// Peak memory, as a multiple of the state's size when writing and of the file's size when reading.
const COPIES_WRITTEN: u64 = 3;
const COPIES_READ: u64 = 3;

/// State of a simulation at some step: parameters, agents and ids.
/// Settings that do not affect results (method, threads, partition) are not included.
///
/// A snapshot can be saved to a file and resumed on any machine. Resumed runs are bit-identical.
///
/// ```
/// use flockwork::{Scene, Snapshot};
///
/// let mut crowd = Scene::named("leader")?.agents(100).build()?;
/// crowd.run(10)?;
/// let bytes = crowd.snapshot().to_bytes();
/// let mut other = Snapshot::from_bytes(&bytes)?.build()?;
/// crowd.run(10)?;
/// other.run(10)?;
/// assert_eq!(crowd.state_hash(), other.state_hash());
/// # Ok::<(), flockwork::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Snapshot {
    scene: Scene,
    space: Space,
    scenery: Arc<Scenery>,
    pub(crate) state: State,
}

impl Snapshot {
    /// The scene, including all parameter changes until the snapshot.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The number of steps taken before the snapshot.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.state.tick
    }

    /// The number of agents in the snapshot.
    #[must_use]
    pub fn len(&self) -> usize {
        self.state.motion.position.len()
    }

    /// True if the snapshot has no agents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the snapshot to a file. An existing file is replaced only once
    /// the new file is complete.
    ///
    /// # Errors
    /// [`File`](crate::ErrorKind::File) if the file cannot be written;
    /// [`Memory`](crate::ErrorKind::Memory) if there is not enough memory.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        write(path.as_ref(), self.state.bytes(), || self.to_bytes())
    }

    /// Reads a snapshot from a file that [`Self::save`] wrote.
    ///
    /// # Errors
    /// [`File`](crate::ErrorKind::File) if the file cannot be read;
    /// [`Memory`](crate::ErrorKind::Memory) if there is not enough memory; and the errors of
    /// [`Self::from_bytes`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        read(path.as_ref(), Self::from_bytes)
    }

    pub(crate) fn with(&self, state: State) -> Self {
        let Self { scene, space, scenery, .. } = self;
        Self { scene: scene.clone(), space: *space, scenery: Arc::clone(scenery), state }
    }

    /// Builds a new simulation in this state, with the execution settings
    /// that [`Scene::build`] selects.
    ///
    /// # Errors
    /// If threads cannot be started, or if there is not enough memory.
    pub fn build(&self) -> Result<Simulation, Error> {
        self.build_on_one_thread()?.with_default_threads()
    }

    pub(crate) fn build_on_one_thread(&self) -> Result<Simulation, Error> {
        let (scene, agents) = (&self.scene, self.len());
        let populations = self.state.populations(0..agents, scene);
        memory::check(scene.estimated_bytes_with(agents, &populations, &self.state.overrides))?;
        let mut simulation = Simulation::part(&Scene::new(World::torus(1.0, 1.0)), 0, 1)?;
        simulation.restore(self);
        Ok(simulation)
    }
}

impl Simulation {
    pub(crate) fn snapshot_of(&self, slots: Range<usize>) -> Snapshot {
        let Setting { scene, space, scenery, .. } = &self.setting;
        let state = self.state.part(slots.clone(), slots.start);
        Snapshot { scene: scene.clone(), space: *space, scenery: Arc::clone(scenery), state }
    }

    /// Takes a snapshot of the current state. The copy needs at most half of
    /// [`Self::estimated_bytes`]. If there is not enough memory, the program aborts,
    /// as with any Rust collection.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.snapshot_of(0..self.len())
    }

    /// Restores the state from a snapshot of this or another simulation.
    /// Later steps are bit-identical to the steps that originally followed the snapshot.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        let Snapshot { scene, space, scenery, state } = snapshot;
        self.setting.scene.clone_from(scene);
        self.setting.space = *space;
        self.setting.scenery = Arc::clone(scenery);
        // Free the old state first: both states together may not fit in memory.
        self.state = State::default();
        self.state = state.clone();
        self.setting.populations = state.populations(0..state.motion.position.len(), scene);
        self.derive_params();
    }
}

fn write(path: &Path, size: usize, bytes: impl FnOnce() -> Vec<u8>) -> Result<(), Error> {
    memory::check(COPIES_WRITTEN * size as u64)?;
    let replaced = file::replace(path, &bytes());
    replaced.map(drop).map_err(|error| refused(path, &error))
}

fn read<T>(path: &Path, parse: impl FnOnce(&[u8]) -> Result<T, Error>) -> Result<T, Error> {
    let length = fs::metadata(path).map_or(0, |about| about.len());
    memory::check(length.saturating_mul(COPIES_READ))?;
    let bytes = file::read(path, u64::MAX).map_err(|error| refused(path, &error))?;
    let location = ErrorLocation { file: Some(path.display().to_string().into()), line: None };
    parse(&bytes).map_err(|error| error.at(location))
}

fn refused(path: &Path, error: &io::Error) -> Error {
    Error::of_file(path.display().to_string(), error)
}
