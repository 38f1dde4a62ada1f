//! The experiments: which crowds each one measures, in which ways, and what it asks of them.

use crate::experiments::group::Group;
use crate::failure::Failure;
use crate::method::Method;
use crate::options::{Measurement, Request};

pub(crate) mod group;
pub(crate) mod kernels;
pub(crate) mod plain;
pub(crate) mod scenes;

pub(crate) const SCALING: &str = "scaling";
pub(crate) const LADDER: &str = "ladder";
pub(crate) const DENSITY: &str = "density";
pub(crate) const CELL_SIZE: &str = "cell-size";
pub(crate) const THREADS: &str = "threads";
pub(crate) const LEVELS: &str = "levels";
pub(crate) const SCENES: &str = "scenes";
pub(crate) const KERNELS: &str = "kernels";
pub(crate) const NEIGHBOR_COUNT: &str = "neighbor-count";

/// Crowds, each with the ways to compute it and the questions about them.
type Groups = fn(&Request) -> Result<Vec<Group>, Failure>;

/// All experiments, in the order in which they are measured together.
const ALL: [(Measurement, Groups); 9] = [
    (Measurement::Scaling, plain::scaling),
    (Measurement::Ladder, plain::ladder),
    (Measurement::Density, plain::density),
    (Measurement::CellSize, plain::cell_size),
    (Measurement::Threads, plain::threads),
    (Measurement::Levels, plain::levels),
    (Measurement::Scenes, scenes::groups),
    (Measurement::Kernels, kernels::groups),
    (Measurement::Peers, plain::peers),
];

/// The groups of a measurement. The limits of the machine are compared with the crowds of scaling
/// that come close to them.
pub(crate) fn groups(asked: Measurement, request: &Request) -> Result<Vec<Group>, Failure> {
    let near_the_limit = [Method::AllPairsSimd, Method::CellsSimd, Method::CellsSimdMt];
    let (asked, usual) = match asked {
        Measurement::Roofline => (Measurement::Scaling, &near_the_limit[..]),
        other => (other, &[][..]),
    };
    let methods = if request.methods.is_empty() { usual } else { &request.methods };
    let is_asked = |known| asked == known || asked == Measurement::All;
    let experiments = ALL.into_iter().filter(|(known, _)| is_asked(*known));
    let groups = experiments.map(|(_, groups)| groups(request)).collect::<Result<Vec<_>, _>>()?;
    let mut groups = groups.concat();
    for group in &mut groups {
        group.cases.retain(|case| methods.is_empty() || case.way.is_one_of(methods));
    }
    groups.retain(|group| !group.cases.is_empty());
    Ok(groups)
}
