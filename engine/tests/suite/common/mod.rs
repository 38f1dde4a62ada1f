use std::path::{Path, PathBuf};

pub(crate) mod agents;
pub(crate) mod arbitrary;
pub(crate) mod extremes;
pub(crate) mod measures;
pub(crate) mod refusals;
pub(crate) mod rooms;
pub(crate) mod scenes;
pub(crate) mod snapshots;
pub(crate) mod space;
pub(crate) mod variants;

/// Path of a file or folder of the repository.
pub(crate) fn at(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path)
}

pub(crate) fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
