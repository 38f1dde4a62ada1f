//! What each idea is worth: the same steps of the same crowd, one thing changed at a time.

use crate::Failure;
use crate::experiment::{Case, Group, MEAN_NEIGHBORS, workload};
use crate::method::Method;
use crate::options::Common;

pub(crate) const NAME: &str = "stages";

pub(crate) fn groups(common: &Common) -> Result<Vec<Group>, Failure> {
    let cases: Vec<Case> =
        Method::ALL.iter().map(|&method| Case::of(method, common.threads())).collect();
    let group = |n: usize| {
        let scene = workload(n, MEAN_NEIGHBORS, common.seed)?;
        Ok(Group::new(NAME, n, n as f64, scene, cases.clone()))
    };
    common
        .sizes(&[1_000, 10_000], &[1_000, 10_000, 30_000, 1_000_000])
        .into_iter()
        .map(group)
        .collect()
}
