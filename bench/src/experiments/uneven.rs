//! Measures what agents cost that are unlike the others, beside the crowds without them.

use flockwork::Scene;

use super::group::{Group, SMALL, point_of_size};
use crate::experiment::Experiment;
use crate::options::Request;
use crate::uneven::{self, NAIVE_LOOP};
use crate::variant::Variant;

pub(super) fn groups(request: &Request, sizes: &[usize]) -> Vec<Group> {
    let mut groups = Vec::new();
    for &n in sizes {
        let group = |name: &str, scene: &Scene, variant| Group {
            experiment: Experiment::Uneven,
            point: point_of_size(name, n, sizes),
            x: n as f64,
            scene: scene.clone().seed(request.seed),
            variants: vec![variant],
            ..Group::default()
        };
        let fleeing = uneven::named("flee nearest of 10 within 10 views", n, request.dimensions);
        groups.push(group(NAIVE_LOOP, &fleeing, Variant::NaiveLoop));
        let [crowds, small] = [n, n.min(SMALL)].map(|n| uneven::all(n, request.dimensions));
        for (crowd, small) in crowds.iter().zip(small) {
            let is_asked = |part: &String| crowd.name.contains(part.as_str());
            if crowd.is_ideal() || request.only.as_ref().is_none_or(is_asked) {
                let small = Some(small.scene.seed(request.seed));
                let group = group(&crowd.name, &crowd.scene, Variant::CellsSimd);
                groups.push(Group { small, ..group });
            }
        }
    }
    groups
}
