//! How the time depends on the height of the cells: low cells fit the circle of view better, high
//! cells are fewer to visit.
//!
//! Each height adds up neighbors in its own order and so has its own state hash, which all ways to
//! compute it must reach.

use flockwork::Scene;

use crate::experiments::group::{Case, Group, MEAN_NEIGHBORS, workload};
use crate::experiments::request::Request;
use crate::failure::Failure;
use crate::method::Method;

pub(crate) const NAME: &str = "cell-size";

/// Heights in view distances. The engine's own choice here is 1.
const SIZES: [f32; 6] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0];

pub(crate) fn groups(request: &Request) -> Result<Vec<Group>, Failure> {
    let methods = [Method::CellsScalar, Method::CellsSimd, Method::CellsSimdMt];
    let cases = Case::all(&methods, &request.threads);
    let mut groups = Vec::new();
    for n in request.sizes(&[20_000], &[100_000]) {
        let crowd = workload(n, MEAN_NEIGHBORS, request.seed)?;
        for size in SIZES {
            let scene = Scene { cell_size: Some(size), ..crowd.clone() };
            let point = format!("{n} agents, cells of {size}");
            groups.push(Group::new(NAME, point, f64::from(size), scene, cases.clone()));
        }
    }
    Ok(groups)
}
