//! Output files: whether one can be written, and unused names.

use std::path::Path;

use flockwork::internal::file;

use crate::error::Error;

/// Finds out before the run whether the file can be written. An existing file stays until it is
/// replaced.
pub(crate) fn check_writable(path: &Path) -> Result<(), Error> {
    file::check_replaceable(path).map_err(|error| Error::write(path, &error))
}

/// A file name for a scene at a step, with a number added if one of the viewer's files in the
/// folder already has the name.
pub(crate) fn unused_name(scene: &str, step: u64, folder: &Path) -> String {
    let name = format!("flockwork-{scene}-{step}");
    let is_free = |name: &String| {
        let ends = [".png", ".gif", "-0001.png", ".snapshot", ".toml", ".csv"];
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
    fn existing_files_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let free = || unused_name("hide", 7, folder.path());
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
