//! What the instruction sets give: every level that the processor has, at every lane width.

use flockwork::LaneWidth;
use flockwork::cpu::Level;

use crate::experiments::group::{Case, Group, MEAN_NEIGHBORS, Way, workload};
use crate::experiments::request::Request;
use crate::failure::Failure;
use crate::method::Method;

pub(crate) const NAME: &str = "levels";

/// All levels and widths of a crowd form one group, so that they are measured in turns.
pub(crate) fn groups(request: &Request) -> Result<Vec<Group>, Failure> {
    let scalar = std::iter::once(Case::of(Method::CellsScalar, 1));
    let kernels =
        Level::available().flat_map(|level| LaneWidth::ALL.map(|width| case(level, width)));
    let cases: Vec<Case> = scalar.chain(kernels).collect();
    let group = |n: usize| {
        let scene = workload(n, MEAN_NEIGHBORS, request.seed)?;
        let own = name(Level::used_or_found(), LaneWidth::native());
        Ok(Group::new(NAME, n, n as f64, scene, cases.clone()).asking_how_fast(&own))
    };
    request.sizes(&[10_000], &[100_000]).into_iter().map(group).collect()
}

fn case(level: Level, width: LaneWidth) -> Case {
    Case { method: name(level, width), way: Way::Level(level, width), threads: 1 }
}

/// The name of a level at a width: `avx2, 8 lanes`.
pub(crate) fn name(level: Level, width: LaneWidth) -> String {
    format!("{level}, {} lanes", width.lanes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_of_this_processor_is_measured_at_every_width() {
        let groups = groups(&Request::of_tests()).unwrap();
        let names: Vec<&str> = groups[0].cases.iter().map(|case| &*case.method).collect();
        assert_eq!(names.len(), 1 + 3 * Level::available().count());
        let own = Level::found();
        assert!(names.contains(&&*super::name(own, LaneWidth::of(own))), "{names:?}");
    }
}
