//! The experiments: which crowds each one measures, in which ways, and what it asks of them.

use crate::experiments::group::Group;
use crate::experiments::request::Request;
use crate::failure::Failure;

pub(crate) mod cell_size;
pub(crate) mod density;
pub(crate) mod group;
pub(crate) mod kernels;
pub(crate) mod ladder;
pub(crate) mod levels;
pub(crate) mod peers;
pub(crate) mod request;
pub(crate) mod scaling;
pub(crate) mod scenes;
pub(crate) mod threads;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Experiment {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// Crowds, each with the ways to compute it and the questions about them.
    pub(crate) groups: fn(&Request) -> Result<Vec<Group>, Failure>,
}

/// All of them, in the order in which they are measured together.
pub(crate) const ALL: [Experiment; 9] = [
    Experiment { name: scaling::NAME, groups: scaling::groups },
    Experiment { name: ladder::NAME, groups: ladder::groups },
    Experiment { name: density::NAME, groups: density::groups },
    Experiment { name: cell_size::NAME, groups: cell_size::groups },
    Experiment { name: threads::NAME, groups: threads::groups },
    Experiment { name: levels::NAME, groups: levels::groups },
    Experiment { name: scenes::NAME, groups: scenes::groups },
    Experiment { name: kernels::NAME, groups: kernels::groups },
    Experiment { name: peers::NAME, groups: peers::groups },
];

/// The groups of the experiments that a command names: one, or all.
pub(crate) fn groups(command: &str, request: &Request) -> Result<Vec<Group>, Failure> {
    let asked = ALL.iter().filter(|known| command == known.name || command == "all");
    let groups: Vec<Vec<Group>> =
        asked.map(|experiment| (experiment.groups)(request)).collect::<Result<_, _>>()?;
    Ok(groups.concat())
}
