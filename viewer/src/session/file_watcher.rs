//! A file that is looked at now and then, to notice when somebody has changed it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

pub(super) struct Watched {
    pub(super) path: PathBuf,
    modified: Option<SystemTime>,
    /// When it was looked at.
    since: Option<Instant>,
}

impl Watched {
    /// How often it is looked at.
    pub(super) const EVERY: Duration = Duration::from_millis(500);

    /// Watches a scene's file; snapshots do not change.
    pub(super) fn if_scene(path: &Path) -> Option<Self> {
        is_scene(path).then(|| Self {
            modified: modified(path),
            path: path.to_owned(),
            since: Some(Instant::now()),
        })
    }

    /// Whether it has changed since the last time that this was asked.
    pub(super) fn has_changed(&mut self) -> bool {
        if self.since.is_some_and(|since| since.elapsed() < Self::EVERY) {
            return false;
        }
        self.since = Some(Instant::now());
        // A file that is gone for a moment is being written.
        let Some(now) = modified(&self.path) else { return false };
        let changed = self.modified != Some(now);
        self.modified = Some(now);
        changed
    }

    /// Has it looked at as soon as somebody asks.
    #[cfg(test)]
    pub(super) fn look_now(&mut self) {
        self.since = None;
    }
}

/// Whether a file is a scene by its name; other files are snapshots.
pub(super) fn is_scene(path: &Path) -> bool {
    let is = |kind: &str| path.extension().is_some_and(|end| end.eq_ignore_ascii_case(kind));
    is("toml") || is("ini")
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|about| about.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_are_told_by_their_ending_in_any_case() {
        for name in ["a.toml", "A.TOML", "params.ini", "PARAMS.INI"] {
            assert!(is_scene(Path::new(name)), "{name}");
        }
        assert!(!is_scene(Path::new("a.snapshot")) && !is_scene(Path::new("toml")));
    }
}
