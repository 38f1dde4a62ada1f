//! Other crates that find neighbors, on the same points as the engine.

use crate::experiments::group::{Case, Group, MEAN_NEIGHBORS, Way, workload};
use crate::experiments::request::Request;
use crate::failure::Failure;
use crate::peers::{Peer, Task};

pub(crate) const NAME: &str = "peers";

pub(crate) fn groups(request: &Request) -> Result<Vec<Group>, Failure> {
    let mut groups = Vec::new();
    for task in Task::ALL {
        for n in request.sizes(&[10_000], &[10_000, 100_000]) {
            groups.push(searches(task, n, request.seed)?);
        }
    }
    Ok(groups)
}

fn searches(task: Task, n: usize, seed: u64) -> Result<Group, Failure> {
    let case =
        |peer: Peer| Case { method: peer.id().to_owned(), way: Way::Peer(peer, task), threads: 1 };
    let scene = workload(n, MEAN_NEIGHBORS, seed)?;
    let group = Group::new(task.id(), n, n as f64, scene, Peer::ALL.map(case).to_vec());
    // Every call starts from scratch.
    Ok(Group { steps: 1, ..group }.asking_how_fast(Peer::Flockwork.id()))
}
