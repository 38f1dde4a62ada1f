//! What the height of the cells is worth: low ones fit the circle of view better, high ones are
//! fewer to go through.
//!
//! Each height adds neighbors in an order of its own, so each has a state hash of its own, which
//! its ways to compute it must all reach.

use flockwork::Scene;

use crate::experiments::group::{Case, Group, MEAN_NEIGHBORS, workload};
use crate::experiments::request::Request;
use crate::failure::Failure;
use crate::method::Method;

pub(crate) const NAME: &str = "cell-size";

/// In view distances. Without being asked the engine takes 1 here.
const SIZES: [f32; 6] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0];

pub(crate) fn groups(request: &Request) -> Result<Vec<Group>, Failure> {
    let methods = [Method::CellsScalar, Method::CellsSimd, Method::CellsSimdMt];
    let cases = methods.map(|method| Case::of(method, request.threads));
    let mut groups = Vec::new();
    for n in request.sizes(&[20_000], &[100_000]) {
        let crowd = workload(n, MEAN_NEIGHBORS, request.seed)?;
        for size in SIZES {
            let scene = Scene { cell_size: Some(size), ..crowd.clone() };
            let point = format!("{n} agents, cells of {size}");
            groups.push(Group::new(NAME, point, f64::from(size), scene, cases.to_vec()));
        }
    }
    Ok(groups)
}
