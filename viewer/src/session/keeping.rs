//! Keeping a state, returning to it, and checking that time repeats itself.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork::Error;

use super::Session;
use crate::controls::{Controls, Edited};

/// Steps that a determinism check takes twice.
const CHECKED_STEPS: u64 = 60;

impl Session {
    /// Keeps the present state in memory.
    pub(crate) fn save(&mut self) {
        self.saved = Some(self.simulation.snapshot());
        self.message = format!(
            "kept step {}, state {:016x}",
            self.simulation.tick(),
            self.simulation.state_hash()
        );
    }

    /// Writes the present state to a file whose name says what it is.
    pub(crate) fn save_file(&mut self, folder: &Path) {
        let path = self.file_name(folder, "snapshot");
        self.message = match self.simulation.snapshot().save(&path) {
            Ok(()) => format!("wrote {}: --resume or drop it on the window", path.display()),
            Err(error) => error.to_string(),
        };
    }

    fn file_name(&self, folder: &Path, extension: &str) -> PathBuf {
        let (name, tick) = (&self.original.name, self.simulation.tick());
        folder.join(format!("flockwork-{name}-{tick}.{extension}"))
    }

    /// Returns to the kept state, with the parameters of then.
    pub(crate) fn go_back(&mut self) {
        let Some(saved) = &self.saved else {
            self.message = "nothing is kept yet (F5)".into();
            return;
        };
        self.simulation.restore(saved);
        self.read_controls();
        self.trouble = None;
        self.comparison = None;
        self.message = format!(
            "back at step {}, state {:016x}",
            self.simulation.tick(),
            self.simulation.state_hash()
        );
    }

    /// Makes the controls say what the simulation does, after it has become another one.
    fn read_controls(&mut self) {
        let scene = self.simulation.scene();
        if scene.name != self.original.name {
            self.original = Arc::new(scene.clone());
            self.controls.opening += 1;
            self.file = None;
        }
        let read = Controls::of(&self.simulation);
        // What is switched off stays there to be switched on, if all else is the same.
        let alike = |edited: &Edited, species: &Edited| edited.effective() == species.species;
        let present = &self.controls.species;
        let same = present.len() == read.species.len()
            && present.iter().zip(&read.species).all(|(edited, species)| alike(edited, species));
        let species = if same { present.clone() } else { read.species };
        self.controls = Controls {
            steps_per_second: read.steps_per_second,
            non_penetration: read.non_penetration,
            heading_samples: read.heading_samples,
            obstacles: true,
            walls: true,
            species,
            ..self.controls.clone()
        };
        self.scenery = scene.clone();
        self.driven = None;
    }

    /// Runs on, comes back, runs on again on another number of threads, and compares.
    pub(crate) fn check_determinism(&mut self) {
        let before = self.simulation.snapshot();
        let threads = self.simulation.threads();
        let run = |session: &mut Self, threads: usize| -> Result<u64, Error> {
            session.simulation.restore(&before);
            session.simulation.set_threads(threads)?;
            session.simulation.run(CHECKED_STEPS)?;
            Ok(session.simulation.state_hash())
        };
        let hashes = run(self, threads).and_then(|a| Ok((a, run(self, threads % 2 + 1)?)));
        self.simulation.restore(&before);
        self.does(|simulation| simulation.set_threads(threads));
        self.message = match hashes {
            Ok((a, b)) if a == b => format!("{CHECKED_STEPS} steps twice: the same {a:016x}"),
            Ok((a, b)) => format!("{CHECKED_STEPS} steps twice: {a:016x} and {b:016x} DIFFER"),
            Err(error) => error.to_string(),
        };
    }
}
