//! The machine and the build that were measured.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use flockwork::cpu::{Level, cpu_name};
use serde::{Deserialize, Serialize};

use crate::roofline::{Cache, data_caches};

/// The machine and the build.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) cores: usize,
    pub(crate) caches: Vec<Cache>,
    pub(crate) os: String,
    pub(crate) arch: String,
    /// The level of instructions that is used.
    pub(crate) level: String,
    /// The highest one that the processor has.
    pub(crate) level_found: String,
    /// The level that the build has without asking the processor, for which scalar code is compiled.
    pub(crate) build: String,
    /// Agents per vector.
    pub(crate) lanes: usize,
    pub(crate) rustc: String,
    pub(crate) flockwork: String,
    /// Ends in `+` if there were uncommitted changes.
    pub(crate) commit: String,
    /// A hash of the program's file: equal hashes mean the same code.
    pub(crate) binary: String,
}

impl Machine {
    pub(crate) fn look() -> Self {
        Self {
            cpu: cpu_name(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            caches: data_caches(),
            os: std::env::consts::OS.into(),
            arch: std::env::consts::ARCH.into(),
            level: Level::used_or_found().name().into(),
            level_found: Level::found().name().into(),
            build: build().name().into(),
            lanes: Level::used_or_found().lanes(),
            rustc: env!("FLOCKWORK_RUSTC").into(),
            flockwork: env!("CARGO_PKG_VERSION").into(),
            commit: env!("FLOCKWORK_COMMIT").into(),
            binary: BINARY.clone(),
        }
    }

    /// The level used, and the one found if it is another.
    pub(crate) fn instructions(&self) -> String {
        let Self { level, level_found: found, .. } = self;
        if level == found { level.clone() } else { format!("{level} (of {found})") }
    }
}

/// The level of the build's own instructions.
fn build() -> Level {
    if cfg!(target_feature = "avx512f") {
        Level::Avx512
    } else if cfg!(all(target_feature = "avx2", target_feature = "fma")) {
        Level::Avx2
    } else {
        Level::Baseline
    }
}

/// Runnable processes, averaged over the last minute.
pub(crate) fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

static BINARY: LazyLock<String> = LazyLock::new(|| {
    let Ok(bytes) = std::env::current_exe().and_then(std::fs::read) else { return String::new() };
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_knows_its_own_hash() {
        let machine = Machine::look();
        assert_eq!(machine.binary.len(), 16);
        assert_eq!(machine, Machine::look());
    }
}
