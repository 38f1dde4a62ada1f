use serde::{Deserialize, Serialize};

use crate::error::{Error, within};
use crate::math::lanes::fused::mul_add;

/// One number for all agents of a species, or a range from which each agent draws its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number, or a range [from, to] each agent draws from")]
pub enum SpeciesValue {
    /// One number for all agents.
    Shared(f32),
    /// A `[from, to]` range. Each agent draws its own number from it once, uniformly.
    Between([f32; 2]),
}

impl From<f32> for SpeciesValue {
    fn from(value: f32) -> Self {
        Self::Shared(value)
    }
}

impl From<[f32; 2]> for SpeciesValue {
    fn from(range: [f32; 2]) -> Self {
        Self::Between(range)
    }
}

impl SpeciesValue {
    pub(crate) fn max(self) -> f32 {
        match self {
            Self::Shared(value) => value,
            Self::Between([_, to]) => to,
        }
    }

    pub(crate) fn min(self) -> f32 {
        match self {
            Self::Shared(value) => value,
            Self::Between([from, _]) => from,
        }
    }

    /// Interpolates linearly within the range; `fraction` is from 0 to 1.
    pub(crate) fn at(self, fraction: f32) -> f32 {
        match self {
            Self::Shared(value) => value,
            Self::Between([from, to]) => mul_add(fraction, to - from, from),
        }
    }

    pub(crate) fn is_shared(self) -> bool {
        matches!(self, Self::Shared(_))
    }

    pub(crate) fn check(self, field: &str, min: f32, max: f32, unit: &str) -> Result<(), Error> {
        match self {
            Self::Shared(value) => within(field, value, min, max, unit),
            Self::Between([from, to]) => {
                within(&format!("{field}[0]"), from, min, max, unit)?;
                within(&format!("{field}[1]"), to, from, max, unit)
            }
        }
    }
}
