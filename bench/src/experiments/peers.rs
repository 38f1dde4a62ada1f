//! Other crates that find neighbors, on the same points as the engine.

use crate::experiments::group::{Case, Group, MEAN_NEIGHBORS, Way, workload};
use crate::experiments::request::Request;
use crate::failure::Failure;
use crate::peers::{Peer, Task};

pub(crate) const NAME: &str = "peers";

pub(crate) fn groups(request: &Request) -> Result<Vec<Group>, Failure> {
    let mut groups = Vec::new();
    for task in Task::ALL {
        let case = |peer: Peer| Case {
            series: peer.id().to_owned(),
            way: Way::Peer(peer, task),
            threads: 1,
        };
        for n in request.sizes(&[10_000], &[10_000, 100_000]) {
            let scene = workload(n, MEAN_NEIGHBORS, request.seed)?;
            let cases = Peer::ALL.map(case).to_vec();
            let group = Group::new(task.id(), n, n as f64, scene, cases);
            // Every call starts from scratch.
            groups.push(Group { steps: 1, ..group });
        }
    }
    Ok(groups)
}
