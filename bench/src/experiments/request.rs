//! The part of a command line that every experiment needs.

/// Crowd sizes, threads and seed.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Fewer and smaller crowds.
    pub(crate) quick: bool,
    /// The requested crowd sizes; empty for the experiment's own.
    pub(crate) n: Vec<usize>,
    /// Numbers of threads of multi-threaded methods; at least one, ascending.
    pub(crate) threads: Vec<usize>,
    /// Seed of the initial states.
    pub(crate) seed: u64,
}

impl Request {
    /// The crowd sizes to measure, ascending.
    pub(crate) fn sizes(&self, quick: &[usize], full: &[usize]) -> Vec<usize> {
        let mut sizes = match (self.n.is_empty(), self.quick) {
            (false, _) => self.n.clone(),
            (true, true) => quick.to_vec(),
            (true, false) => full.to_vec(),
        };
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::Request;

    #[test]
    fn requested_sizes_replace_the_defaults_and_are_sorted() {
        let sizes = |n: &[usize], quick| {
            let request = Request { quick, n: n.to_vec(), threads: vec![1], seed: 1 };
            request.sizes(&[1], &[2])
        };
        assert_eq!(sizes(&[5_000, 1_000, 5_000], false), [1_000, 5_000]);
        assert_eq!(sizes(&[], true), [1]);
        assert_eq!(sizes(&[], false), [2]);
    }
}
