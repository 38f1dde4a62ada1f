//! How the time of a step grows with the number of agents: all pairs and cell space, scalar and
//! SIMD, one thread and all threads. And a flock over the fastest search of other crates.

use crate::experiments::group::{Case, Group, workload};
use crate::experiments::request::Request;
use crate::failure::Failure;
use crate::method::Method;

pub(crate) const NAME: &str = "scaling";

pub(crate) fn groups(request: &Request) -> Result<Vec<Group>, Failure> {
    // Dense where cells overtake all pairs.
    let quick = [8, 32, 100, 316, 1_000, 10_000, 100_000, 1_000_000];
    let full = [
        8, 16, 32, 64, 100, 160, 316, 1_000, 2_000, 4_000, 10_000, 31_623, 100_000, 316_228,
        1_000_000,
    ];
    let cases = match &*request.methods {
        [] => [Case::all(&Method::ALL, &request.threads), vec![Case::flock()]].concat(),
        chosen => Case::all(chosen, &request.threads),
    };
    let group = |n: usize| {
        let scene = workload(n, request.mean_neighbors, request.seed)?;
        Ok(Group::new(NAME, n, n as f64, scene, cases.clone()))
    };
    request.sizes(&quick, &full).into_iter().map(group).collect()
}
