//! Other crates that find neighbors, on the same points as the engine, and others that step whole
//! flocks.

use crate::experiments::group::{Case, Group, MEAN_NEIGHBORS, Way, workload};
use crate::experiments::request::Request;
use crate::failure::Failure;
use crate::method::Method;
use crate::peers::{Flocker, Peer, Task};

pub(crate) const NAME: &str = "peers";
/// Whole flocks.
pub(crate) const FLOCK: &str = "flock";

pub(crate) fn groups(request: &Request) -> Result<Vec<Group>, Failure> {
    let mut groups = Vec::new();
    for task in Task::ALL {
        for n in request.sizes(&[10_000], &[10_000, 100_000]) {
            groups.push(searches(task, n, request.seed)?);
        }
    }
    if !Flocker::ALL.is_empty() {
        for n in request.sizes(&[10_000], &[10_000, 100_000]) {
            groups.push(flocks(n, request.seed)?);
        }
    }
    Ok(groups)
}

/// One crowd, to say how much faster than the next best the engine is: whole flocks if there are
/// others, else searches.
pub(crate) fn next_best(seed: u64) -> Result<Group, Failure> {
    const AGENTS: usize = 10_000;
    if Flocker::ALL.is_empty() { searches(Task::Count, AGENTS, seed) } else { flocks(AGENTS, seed) }
}

fn searches(task: Task, n: usize, seed: u64) -> Result<Group, Failure> {
    let case =
        |peer: Peer| Case { method: peer.id().to_owned(), way: Way::Peer(peer, task), threads: 1 };
    let scene = workload(n, MEAN_NEIGHBORS, seed)?;
    let group = Group::new(task.id(), n, n as f64, scene, Peer::ALL.map(case).to_vec());
    // Every call starts from scratch.
    Ok(Group { steps: 1, ..group }.asking_how_fast(Peer::Flockwork.id()))
}

fn flocks(n: usize, seed: u64) -> Result<Group, Failure> {
    let other = |&flocker: &Flocker| Case {
        method: flocker.id().to_owned(),
        way: Way::Flocker(flocker),
        threads: 1,
    };
    let own = Case::of(Method::CellsSimd, 1);
    let cases = std::iter::once(own).chain(Flocker::ALL.iter().map(other)).collect();
    let scene = workload(n, MEAN_NEIGHBORS, seed)?;
    let group = Group { one_state: false, ..Group::new(FLOCK, n, n as f64, scene, cases) };
    Ok(group.asking_how_fast(Method::CellsSimd.id()))
}
