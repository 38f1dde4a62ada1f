//! Files that can be written, and names that are free.

use std::fs::{self, File};
use std::path::Path;

use crate::error::Error;

/// Opens the file, to know before the work and not after it whether the picture can be
/// written. An existing picture stays until the new one is drawn.
pub(crate) fn check_writable(path: &Path) -> Result<(), Error> {
    let existed = path.exists();
    let opened = File::options().create(true).append(true).open(path);
    let checked = opened.and_then(|_| if existed { Ok(()) } else { fs::remove_file(path) });
    checked.map_err(|error| Error::write(path, &error))
}

/// What to call a file of a scene at a step: with a number if a file of ours in the folder has that
/// name.
pub(crate) fn free_name(scene: &str, step: u64, folder: &Path) -> String {
    let name = format!("flockwork-{scene}-{step}");
    let is_free = |name: &String| {
        let ends = [".png", ".gif", "-0001.png", ".snapshot"];
        ends.iter().all(|end| !folder.join(format!("{name}{end}")).exists())
    };
    let numbered = (2..).map(|k: u64| format!("{name}-{k}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names.find(is_free).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let free = || free_name("hide", 7, folder.path());
        let make = |name: &str| std::fs::write(folder.path().join(name), "").unwrap();
        assert_eq!(free(), "flockwork-hide-7");
        make("flockwork-hide-7.png");
        assert_eq!(free(), "flockwork-hide-7-2");
        make("flockwork-hide-7-2-0001.png");
        make("flockwork-hide-7-3.gif");
        make("flockwork-hide-7-4.snapshot");
        assert_eq!(free(), "flockwork-hide-7-5");
    }
}
