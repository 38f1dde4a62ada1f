//! Measures every embedded scene unchanged, and the effect of clustering on the plain flock:
//! a uniform start, the same crowd after it has clustered, and a clustered start.

use flockwork::Scene;

use super::group::{Group, point_of_size};
use super::plain::cells;
use crate::experiment::Experiment;
use crate::failure::Failure;
use crate::options::Request;
use crate::variant::Variant;

const SMALL: usize = 2_000;
/// Steps until a uniform flock has clustered.
const SETTLED: u64 = 2_000;

pub(super) fn groups(request: &Request, sizes: &[usize]) -> Result<Vec<Group>, Failure> {
    let mut groups = Vec::new();
    for name in Scene::names() {
        let scene = Scene::named(name)?.seed(request.seed);
        let n = scene.agents_at_start();
        let variants = [Variant::AllPairsSimd, Variant::CellsScalar, Variant::CellsSimd];
        let variants = &variants[usize::from(n > SMALL)..];
        groups.push(Group::new(Experiment::Scenes, name.to_owned(), n, scene, variants));
    }
    for &n in sizes {
        let uniform = Group::plain(request, Experiment::Clustered, n, None)?;
        let clusters = Scene::named("stress-clustered")?.seed(request.seed).agents(n);
        let group = |point: &str, scene: &Scene| {
            let (scene, variants) = (scene.clone(), cells(request));
            Group { point: point_of_size(point, n, sizes), scene, variants, ..uniform.clone() }
        };
        groups.push(group("uniform", &uniform.scene));
        groups.push(Group { warm_up: SETTLED, ..group("after 2,000 steps", &uniform.scene) });
        groups.push(group("in clusters", &clusters));
    }
    Ok(groups)
}
