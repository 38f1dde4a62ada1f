//! Instruction sets that the processor supports, and the level that kernels use.
//!
//! Every kernel is compiled for each [`Level`], and a [`Simulation`](crate::Simulation) uses the
//! best level that the processor supports. Results are bit-identical at all levels. To compare
//! levels, or to find out whether a problem depends on the processor, choose a lower level for new
//! simulations with the `FLOCKWORK_LEVEL` environment variable, or for a single one with
//! [`Simulation::set_execution`](crate::Simulation::set_execution).
//!
//! ```
//! use flockwork::cpu::Level;
//!
//! let mut crowd = flockwork::Scene::named("flock")?.build()?;
//! assert_eq!(crowd.execution().level, Level::used()?);
//! crowd.set_execution(crowd.execution().level(Level::Baseline))?;
//! # Ok::<(), flockwork::Error>(())
//! ```

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use crate::error::Error;

/// Environment variable that sets the SIMD level of new simulations: see [`Level::used`].
pub const LEVEL_VARIABLE: &str = "FLOCKWORK_LEVEL";

/// Instruction sets that kernels are compiled for. Each level includes the lower levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Instructions that all processors of the target support: SSE2 on x86-64, NEON on ARM64.
    /// Fused multiply-add is emulated in double precision where missing, e.g. on x86-64. Builds
    /// for a newer processor (`target-cpu`) also use that processor's instructions.
    Baseline,
    /// AVX2 and fused multiply-add: most x86-64 processors since 2013 (x86-64-v3).
    Avx2,
    /// AVX-512: F, BW, CD, DQ and VL (x86-64-v4).
    Avx512,
}

#[cfg(target_arch = "x86_64")]
fn find() -> Level {
    macro_rules! has {
        ($($feature:tt)+) => { $(std::is_x86_feature_detected!($feature))&&+ };
    }
    let avx2 = has!("avx2" "fma" "bmi1" "bmi2" "lzcnt" "popcnt" "f16c" "movbe");
    let avx512 = has!("avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl");
    match (avx2, avx512) {
        (true, true) => Level::Avx512,
        (true, false) => Level::Avx2,
        (false, _) => Level::Baseline,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn find() -> Level {
    Level::Baseline
}

impl Level {
    /// All levels, in ascending order. Not every processor supports all of them.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// Highest level that this processor and the operating system support.
    #[must_use]
    pub fn found() -> Self {
        static FOUND: OnceLock<Level> = OnceLock::new();
        *FOUND.get_or_init(find)
    }

    /// True if this processor supports the level.
    #[must_use]
    pub fn is_available(self) -> bool {
        self <= Self::found()
    }

    /// Levels that this processor supports, in ascending order.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|level| level.is_available())
    }

    /// Default level for new simulations: the one named by the `FLOCKWORK_LEVEL` environment
    /// variable, or [`Self::found`] if the variable is unset or empty.
    ///
    /// # Errors
    /// [`UnknownName`](crate::ErrorKind::UnknownName) if the variable does not name a level,
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) if this processor does not support that level.
    pub fn used() -> Result<Self, Error> {
        match std::env::var_os(LEVEL_VARIABLE) {
            Some(name) if !name.is_empty() => {
                let named = Self::named(&name.to_string_lossy(), "level in FLOCKWORK_LEVEL");
                named?.checked(LEVEL_VARIABLE)
            }
            _ => Ok(Self::found()),
        }
    }

    /// [`Self::used`], or [`Self::found`] if the environment variable is invalid.
    #[must_use]
    pub fn used_or_found() -> Self {
        Self::used().unwrap_or_else(|_| Self::found())
    }

    /// Number of agents that a kernel processes at once, one per vector lane: 4, 8 or 16.
    #[must_use]
    pub const fn lanes(self) -> usize {
        match self {
            Self::Baseline => 4,
            Self::Avx2 => 8,
            Self::Avx512 => 16,
        }
    }

    /// Name in [`LEVEL_VARIABLE`] and in reports: `sse2`, `avx2` or `avx512` on x86-64.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Baseline if cfg!(target_arch = "x86_64") => "sse2",
            Self::Baseline if cfg!(target_arch = "aarch64") => "neon",
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    fn named(name: &str, kind: &'static str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|level| level.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| Error::unknown(kind, name, Self::ALL.map(Self::name)))
    }

    fn checked(self, field: &str) -> Result<Self, Error> {
        if self.is_available() {
            return Ok(self);
        }
        let names: Vec<_> = Self::available().map(Self::name).collect();
        let allowed = format!("a level that this processor supports: {}", names.join(", "));
        Err(Error::refused(field, self.name(), allowed))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Level {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::named(name, "level")
    }
}

/// A level that this processor is known to support. Code that uses the level's vector types takes
/// an `Instructions` as proof.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instructions(Level);

impl Instructions {
    pub(crate) fn new(level: Level) -> Result<Self, Error> {
        level.checked("level").map(Self)
    }

    pub(crate) fn used() -> Result<Self, Error> {
        Level::used().and_then(Self::new)
    }

    pub(crate) fn level(self) -> Level {
        self.0
    }
}

/// The CPU's brand name, or its architecture if the CPU reports no brand name.
#[must_use]
pub fn cpu_name() -> String {
    #[cfg(target_arch = "x86_64")]
    if let Some(brand) = raw_cpuid::CpuId::new().get_processor_brand_string() {
        return brand.as_str().trim().to_owned();
    }
    std::env::consts::ARCH.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_parsed_from_its_name() {
        for level in Level::ALL {
            assert_eq!(level.name().parse(), Ok(level));
            assert_eq!(level.name().to_uppercase().parse(), Ok(level));
        }
        let error = "avx5".parse::<Level>().unwrap_err().to_string();
        assert!(error.contains("did you mean `avx512`?"), "{error}");
    }

    #[test]
    fn only_levels_of_this_processor_give_instructions() {
        assert!(Level::available().eq(Level::ALL.into_iter().filter(|l| *l <= Level::found())));
        for level in Level::ALL {
            match Instructions::new(level) {
                Ok(instructions) => assert_eq!(instructions.level(), level),
                Err(error) => {
                    assert!(!level.is_available());
                    let expected = format!("level = {level}: must be a level that this processor");
                    assert!(error.to_string().starts_with(&expected), "{error}");
                }
            }
        }
    }
}
