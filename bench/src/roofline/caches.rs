//! The sizes of the caches.

use serde::{Deserialize, Serialize};

/// A data cache, as one core sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cache {
    pub level: u32,
    pub bytes: usize,
}

/// Bytes of the data caches of the first processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caches {
    pub l1: usize,
    pub l2: usize,
    pub l3: usize,
    /// Whether the operating system reports these sizes; otherwise they are usual ones.
    pub known: bool,
}

impl Caches {
    pub fn look() -> Self {
        let caches = data_caches();
        let size = |level: u32| Some(caches.iter().find(|known| known.level == level)?.bytes);
        match [1, 2, 3].map(size) {
            [Some(l1), Some(l2), l3] => Self { l1, l2, l3: l3.unwrap_or(l2), known: true },
            _ => Self { l1: 32 << 10, l2: 1 << 20, l3: 32 << 20, known: false },
        }
    }
}

/// The data caches of the first processor, if the system reports them.
pub(crate) fn data_caches() -> Vec<Cache> {
    let cache = |index: u32| {
        let read = |what: &str| {
            let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{what}");
            Some(std::fs::read_to_string(path).ok()?.trim().to_owned())
        };
        let (level, bytes) = (read("level")?.parse().ok()?, bytes(&read("size")?)?);
        (read("type")? != "Instruction").then_some(Cache { level, bytes })
    };
    (0..8).filter_map(cache).collect()
}

/// Parses sizes such as `48K` and `32M`.
fn bytes(size: &str) -> Option<usize> {
    let (number, factor) = match size.strip_suffix('K') {
        Some(number) => (number, 1 << 10),
        None => (size.strip_suffix('M')?, 1 << 20),
    };
    Some(number.parse::<usize>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_parsed_with_their_unit() {
        assert_eq!(bytes("48K"), Some(48 * 1024));
        assert_eq!(bytes("2M"), Some(2 * 1024 * 1024));
        assert_eq!(bytes("12"), None);
    }

    #[test]
    fn higher_levels_are_not_smaller() {
        let Caches { l1, l2, l3, .. } = Caches::look();
        assert!(0 < l1 && l1 <= l2 && l2 <= l3);
    }
}
