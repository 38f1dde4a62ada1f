//! Every embedded scene as it is. And how clustering changes the time of the plain flock: a uniform
//! start, the same crowd after it has drawn together, and a start in clusters.

use flockwork::Scene;

use super::SCENES;
use super::group::{Case, Group, point_of_size, workload};
use super::plain::CELLS;
use crate::failure::Failure;
use crate::method::Method;
use crate::options::Request;

pub(crate) const CLUSTERED: &str = "clustered";

/// Scenes up to this size are measured with all pairs too.
const SMALL: usize = 2_000;
/// Steps until the plain flock has drawn together.
const SETTLED: u64 = 2_000;

pub(crate) fn groups(request: &Request) -> Result<Vec<Group>, Failure> {
    let case = |method| Case::of(method, 1);
    let mut groups = Vec::new();
    for name in Scene::names() {
        let scene = Scene::named(name)?.seed(request.seed);
        let small = scene.agent_count() <= SMALL;
        let mut cases = vec![case(Method::CellsScalar), case(Method::CellsSimd)];
        if small {
            cases.insert(0, case(Method::AllPairsSimd));
        }
        groups.push(Group::new(SCENES, name, scene.agent_count() as f64, scene, cases));
    }
    let cases = Case::all(&CELLS, &request.threads());
    let sizes = request.sizes(&[20_000], &[100_000]);
    for &n in &sizes {
        let uniform = workload(n, request.mean_neighbors, request.seed)?;
        let clusters = Scene::named("stress-clustered")?.seed(request.seed).agents(n);
        let group = |point: &str, scene: &Scene| {
            let point = point_of_size(point, n, sizes.len() > 1);
            Group::new(CLUSTERED, point, n as f64, scene.clone(), cases.clone())
        };
        groups.push(group("uniform", &uniform));
        groups.push(Group { warm_up: SETTLED, ..group("after 2,000 steps", &uniform) });
        groups.push(group("in clusters", &clusters));
    }
    Ok(groups)
}
