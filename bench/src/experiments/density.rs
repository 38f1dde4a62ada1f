//! How the time grows with the number of neighbors, at the same number of agents.

use crate::Failure;
use crate::command::options::Common;
use crate::experiments::method::Method;
use crate::experiments::{Case, Group, workload};

pub(crate) const NAME: &str = "density";

pub(crate) fn groups(common: &Common) -> Result<Vec<Group>, Failure> {
    let methods = [Method::CellsScalar, Method::CellsSimd, Method::CellsSimdMt];
    let cases = methods.map(|method| Case::of(method, common.threads()));
    let mut groups = Vec::new();
    for n in common.sizes(&[20_000], &[100_000]) {
        for neighbors in [4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0_f32] {
            let scene = workload(n, neighbors, common.seed)?;
            let point = format!("{n} agents, {neighbors} neighbors");
            let group = Group::new(NAME, point, f64::from(neighbors), scene, cases.to_vec());
            // Dense crowds take long.
            groups.push(Group { steps: 1, ..group });
        }
    }
    Ok(groups)
}
