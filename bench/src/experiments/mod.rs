//! The experiments: which crowds each one measures, in which ways, and what it asks of them.

use crate::experiments::group::Group;
use crate::failure::Failure;
use crate::method::Method;
use crate::options::Request;

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

/// Crowds, each with the ways to compute it and the questions about them.
type Groups = fn(&Request) -> Result<Vec<Group>, Failure>;

/// All experiments by their names on the command line, in the order in which they are measured
/// together.
const ALL: [(&str, Groups); 9] = [
    (SCALING, plain::scaling),
    (LADDER, plain::ladder),
    (DENSITY, plain::density),
    (CELL_SIZE, plain::cell_size),
    (THREADS, plain::threads),
    (LEVELS, plain::levels),
    (SCENES, scenes::groups),
    (KERNELS, kernels::groups),
    ("peers", plain::peers),
];

/// The groups of the experiments that a command names: one, or all. The limits of the machine are
/// compared with the crowds of `scaling` that come close to them.
pub(crate) fn groups(command: &str, request: &Request) -> Result<Vec<Group>, Failure> {
    if command == "roofline" {
        let methods = vec![Method::AllPairsSimd, Method::CellsSimd, Method::CellsSimdMt];
        return plain::scaling(&Request { methods, ..request.clone() });
    }
    let asked = ALL.iter().filter(|(name, _)| command == *name || command == "all");
    let groups = asked.map(|(_, groups)| groups(request)).collect::<Result<Vec<_>, _>>()?;
    Ok(groups.concat())
}
