//! A file that is polled for changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::options::is_scene;

pub(super) struct FileWatcher {
    pub(super) path: PathBuf,
    modified: Option<SystemTime>,
    /// When it was last polled.
    polled: Instant,
}

impl FileWatcher {
    /// Polling interval.
    pub(super) const INTERVAL: Duration = Duration::from_millis(500);

    /// Watches a scene file; snapshots do not change.
    pub(super) fn for_scene(path: &Path) -> Option<Self> {
        is_scene(path).then(|| Self {
            modified: modified(path),
            path: path.to_owned(),
            polled: Instant::now(),
        })
    }

    /// Whether it has changed since the last poll.
    pub(super) fn has_changed(&mut self) -> bool {
        if self.polled.elapsed() < Self::INTERVAL {
            return false;
        }
        self.polled = Instant::now();
        // A missing file is probably being written.
        let Some(now) = modified(&self.path) else { return false };
        let changed = self.modified != Some(now);
        self.modified = Some(now);
        changed
    }

    /// Makes the next call poll.
    #[cfg(test)]
    pub(super) fn poll_now(&mut self) {
        self.polled -= Self::INTERVAL;
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|about| about.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scene_files_are_recognized_by_extension_in_any_case() {
        for name in ["a.toml", "A.TOML", "params.ini", "PARAMS.INI"] {
            assert!(is_scene(Path::new(name)), "{name}");
        }
        assert!(!is_scene(Path::new("a.snapshot")) && !is_scene(Path::new("toml")));
    }
}
