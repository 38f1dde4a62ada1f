//! What a command line asks of experiments.

use crate::method::Method;

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
    /// The requested methods of scaling; empty for all.
    pub(crate) methods: Vec<Method>,
    /// The density of scaling.
    pub(crate) mean_neighbors: f32,
    /// Agents of the heavy scene.
    pub(crate) heavy: usize,
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
impl Request {
    pub(crate) fn of_tests() -> Self {
        let (n, methods) = (Vec::new(), Vec::new());
        let (quick, threads, seed, mean_neighbors, heavy) = (true, vec![1], 1, 16.0, 1_000);
        Self { quick, n, threads, seed, methods, mean_neighbors, heavy }
    }
}

#[cfg(test)]
mod tests {
    use super::Request;

    #[test]
    fn requested_sizes_replace_the_defaults_and_are_sorted() {
        let sizes = |n: &[usize], quick| {
            Request { quick, n: n.to_vec(), ..Request::of_tests() }.sizes(&[1], &[2])
        };
        assert_eq!(sizes(&[5_000, 1_000, 5_000], false), [1_000, 5_000]);
        assert_eq!(sizes(&[], true), [1]);
        assert_eq!(sizes(&[], false), [2]);
    }
}
