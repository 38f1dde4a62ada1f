//! The speed-up by the number of threads.

use crate::experiments::group::{Case, Group, MEAN_NEIGHBORS, Question, Way, workload};
use crate::experiments::request::Request;
use crate::failure::Failure;
use crate::method::Method;

pub(crate) const NAME: &str = "threads";

/// All thread counts of a crowd form one group, so that they are measured in turns.
pub(crate) fn groups(request: &Request) -> Result<Vec<Group>, Failure> {
    let case = |threads: usize| Case {
        method: format!("{threads} thread{}", if threads == 1 { "" } else { "s" }),
        way: Way::Engine(Method::CellsSimdMt),
        threads,
    };
    let counts = match &*request.threads {
        [all] => counts(*all),
        several => several.to_vec(),
    };
    let cases: Vec<Case> = counts.into_iter().map(case).collect();
    let group = |n: usize| {
        let scene = workload(n, MEAN_NEIGHBORS, request.seed)?;
        let group = Group::new(NAME, n, n as f64, scene, cases.clone());
        let one = cases.iter().find(|case| case.threads == 1);
        let over_one = |case: &Case| {
            let one = one.filter(|one| one.threads < case.threads)?;
            let words = format!("{} over one", case.method);
            Some(Question::new(words, &one.method, &case.method))
        };
        Ok(Group { questions: cases.iter().filter_map(over_one).collect(), ..group })
    };
    request
        .sizes(&[10_000, 100_000], &[10_000, 100_000, 1_000_000])
        .into_iter()
        .map(group)
        .collect()
}

/// Powers of two, the requested number, and twice that, to show the cost of too many.
fn counts(all: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(1), |count| Some(2 * count));
    let mut counts: Vec<usize> = powers.take_while(|&count| count < all).collect();
    counts.push(all);
    counts.push((2 * all).min(1_024));
    counts.dedup();
    counts
}

#[cfg(test)]
mod tests {
    use super::counts;

    #[test]
    fn thread_counts_double_up_to_all_and_once_beyond() {
        assert_eq!(counts(1), [1, 2]);
        assert_eq!(counts(2), [1, 2, 4]);
        assert_eq!(counts(6), [1, 2, 4, 6, 12]);
        assert_eq!(counts(1_024).last(), Some(&1_024));
    }
}
