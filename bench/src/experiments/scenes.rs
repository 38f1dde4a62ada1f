//! Measures every embedded scene unchanged, and the effect of clustering on the plain flock:
//! a uniform start, the same crowd after it has clustered, and a clustered start.

use flockwork::Scene;

use super::group::{Group, point_of_size, workload};
use super::plain::cells;
use crate::experiment::Experiment;
use crate::failure::Failure;
use crate::method::Method;
use crate::options::Request;

const SMALL: usize = 2_000;
/// Steps until a uniform flock has clustered.
const SETTLED: u64 = 2_000;

pub(super) fn groups(request: &Request) -> Result<Vec<Group>, Failure> {
    let mut groups = Vec::new();
    for name in Scene::names() {
        let scene = Scene::named(name)?.seed(request.seed);
        let n = scene.agent_count();
        let pairs = (n <= SMALL).then_some(Method::AllPairsSimd);
        let methods = pairs.into_iter().chain([Method::CellsScalar, Method::CellsSimd]);
        let methods: Vec<Method> = methods.collect();
        groups.push(Group::new(request, Experiment::Scenes, name, n as f64, scene, &methods));
    }
    let methods = cells(&request.threads());
    let sizes = request.sizes(&[20_000], &[100_000]);
    for &n in &sizes {
        let uniform = workload(n, request.mean_neighbors, request.seed)?;
        let clusters = Scene::named("stress-clustered")?.seed(request.seed).agents(n);
        let group = |point: &str, scene: &Scene| {
            let point = point_of_size(point, n, sizes.len() > 1);
            Group::new(request, Experiment::Clustered, point, n as f64, scene.clone(), &methods)
        };
        groups.push(group("uniform", &uniform));
        groups.push(Group { warm_up: SETTLED, ..group("after 2,000 steps", &uniform) });
        groups.push(group("in clusters", &clusters));
    }
    Ok(groups)
}
