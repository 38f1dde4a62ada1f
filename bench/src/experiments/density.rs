//! How the time grows with the number of neighbors, at a fixed number of agents.

use crate::experiments::group::{Case, Group, workload};
use crate::experiments::request::Request;
use crate::failure::Failure;
use crate::method::Method;

pub(crate) const NAME: &str = "density";

pub(crate) fn groups(request: &Request) -> Result<Vec<Group>, Failure> {
    let methods = [Method::CellsScalar, Method::CellsSimd, Method::CellsSimdMt];
    let cases = Case::all(&methods, &request.threads);
    let mut groups = Vec::new();
    for n in request.sizes(&[20_000], &[100_000]) {
        for neighbors in [4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0_f32] {
            let scene = workload(n, neighbors, request.seed)?;
            let point = format!("{n} agents, {neighbors} neighbors");
            let group = Group::new(NAME, point, f64::from(neighbors), scene, cases.clone());
            // Steps of dense crowds are long.
            groups.push(Group { steps: 1, ..group });
        }
    }
    Ok(groups)
}
