//! The expected counts, for one compiler and one instruction set.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::workloads::{LEVEL, Workload};

pub(crate) const NAME: &str = "bench/instructions.json";
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.json");

/// A larger change means that the code has changed. Counts repeat within 0.3 %; the rest allows for
/// C libraries that copy memory differently.
pub(crate) const TOLERANCE_PERCENT: f64 = 2.0;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Baseline {
    rustc: String,
    level: String,
    instructions_per_agent_step: BTreeMap<String, f64>,
}

impl Baseline {
    pub(crate) fn of(workloads: &[Workload], counted: &[f64]) -> Self {
        let rounded = |count: f64| (count * 10.0).round() / 10.0;
        let names = workloads.iter().map(|workload| workload.name.clone());
        Self {
            rustc: env!("FLOCKWORK_RUSTC").to_owned(),
            level: LEVEL.name().to_owned(),
            instructions_per_agent_step: names.zip(counted.iter().copied().map(rounded)).collect(),
        }
    }

    pub(crate) fn read() -> Result<Self, String> {
        let text = std::fs::read_to_string(PATH).map_err(|error| format!("{PATH}: {error}"))?;
        serde_json::from_str(&text).map_err(|error| format!("{PATH}: {error}"))
    }

    pub(crate) fn write(&self) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        let written = flockwork::internal::file::replace(PATH, (text + "\n").as_bytes());
        written.map(drop).map_err(|error| format!("{PATH}: {error}"))
    }

    pub(crate) fn of_workload(&self, workload: &Workload) -> Option<f64> {
        self.instructions_per_agent_step.get(&workload.name).copied()
    }

    /// Why this build's counts cannot be compared with these, if so.
    pub(crate) fn incomparable(&self) -> Option<String> {
        if self.rustc != env!("FLOCKWORK_RUSTC") {
            return Some(format!("the baseline was counted with {}", self.rustc));
        }
        (self.level != LEVEL.name()).then(|| format!("the baseline was counted for {}", self.level))
    }
}

/// The change of a count in percent of its baseline; `None` if it is not in the baseline.
pub(crate) fn change(before: Option<f64>, now: f64) -> Option<f64> {
    before.map(|before| 100.0 * (now / before - 1.0))
}

pub(crate) fn is_worse(change: Option<f64>) -> bool {
    change.is_some_and(|percent| percent > TOLERANCE_PERCENT)
}

pub(crate) fn is_better(change: Option<f64>) -> bool {
    change.is_some_and(|percent| percent < -TOLERANCE_PERCENT)
}

pub(crate) fn in_words(change: Option<f64>) -> String {
    // Adding zero turns -0.0 into 0.0.
    let rounded = |percent: f64| format!("{:+.1} %", (percent * 10.0).round() / 10.0 + 0.0);
    change.map_or("new".into(), rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_more_instructions_than_tolerated_are_worse() {
        let worse = |before, now| is_worse(change(before, now));
        let better = |before, now| is_better(change(before, now));
        assert!(!worse(Some(100.0), 101.9));
        assert!(worse(Some(100.0), 102.1));
        assert!(!worse(Some(100.0), 50.0));
        assert!(better(Some(100.0), 97.9));
        assert!(!better(Some(100.0), 98.1));
        assert!(!worse(None, 50.0));
        assert_eq!(in_words(change(Some(200.0), 190.0)), "-5.0 %");
        assert_eq!(in_words(change(Some(200.0), 199.99)), "+0.0 %");
        assert_eq!(in_words(None), "new");
    }

    #[test]
    fn the_committed_baseline_has_every_workload_and_no_other() {
        let baseline = Baseline::read().unwrap();
        let names: Vec<String> = Workload::all().into_iter().map(|known| known.name).collect();
        assert_eq!(baseline.instructions_per_agent_step.len(), names.len());
        for name in names {
            let count = baseline.instructions_per_agent_step.get(&name);
            assert!(count.is_some_and(|count| *count > 0.0), "{name} is not in the baseline");
        }
    }
}
