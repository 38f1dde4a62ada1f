//! What a command line asks to have measured.

use std::path::PathBuf;

use clap::Parser;

use crate::Failure;
use crate::command::options::{Command, Common, Options, Scaling};
use crate::experiments::method::Method;
use crate::experiments::{Group, MEAN_NEIGHBORS};
use crate::experiments::{cell_size, density, kernels, peers, scaling, scenes, stages, threads};
use crate::measure::Pace;
use crate::results::report::Setup;

pub(crate) struct Plan {
    pub(crate) common: Common,
    pub(crate) setup: Setup,
    pub(crate) groups: Vec<Group>,
    pub(crate) pace: Pace,
    /// Whether to measure what the machine can do at most.
    pub(crate) roofline: bool,
    /// Where else to write the page of behaviors.
    pub(crate) page: Option<PathBuf>,
}

impl Plan {
    /// None for a subcommand that reads reports instead of measuring.
    pub(crate) fn new(options: Options, arguments: &[String]) -> Result<Option<Self>, Failure> {
        let mut mean_neighbors = MEAN_NEIGHBORS;
        let mut page = None;
        let (name, common, groups) = match options
            .command
            .unwrap_or(Command::Scaling(options.scaling))
        {
            Command::Scaling(Scaling { common, methods, mean_neighbors: neighbors }) => {
                mean_neighbors = neighbors;
                let groups = scaling::groups(&common, &methods, neighbors)?;
                (scaling::NAME, common, groups)
            }
            Command::Stages(common) => (stages::NAME, common.clone(), stages::groups(&common)?),
            Command::Density(common) => (density::NAME, common.clone(), density::groups(&common)?),
            Command::CellSize(common) => {
                (cell_size::NAME, common.clone(), cell_size::groups(&common)?)
            }
            Command::Threads(common) => (threads::NAME, common.clone(), threads::groups(&common)?),
            Command::Scenes(common) => (scenes::NAME, common.clone(), scenes::groups(&common)?),
            Command::Kernels(options) => {
                let groups = kernels::groups(&options.common, options.heavy())?;
                page = options.page;
                (kernels::NAME, options.common, groups)
            }
            Command::Peers(common) => (peers::NAME, common.clone(), peers::groups(&common)?),
            Command::Roofline(common) => {
                let methods = [Method::AllPairsSimd, Method::CellsSimd, Method::CellsSimdMt];
                let groups = scaling::groups(&common, &methods, MEAN_NEIGHBORS)?;
                ("roofline", common, groups)
            }
            Command::All(common) => ("all", common.clone(), everything(&common)?),
            Command::Compare(_) | Command::Render(_) => return Ok(None),
        };
        let per_row = match (name, common.quick) {
            (scaling::NAME, true) => 1.2,
            (scaling::NAME, false) => 3.0,
            ("all", true) => 0.25,
            ("all", false) => 1.2,
            (_, true) => 0.4,
            (_, false) => 2.0,
        };
        let pace = Pace { step_budget: common.step_budget(), per_row };
        let setup = Setup {
            command: name.to_owned(),
            arguments: that_matter(arguments),
            quick: common.quick,
            seed: common.seed,
            mean_neighbors,
            budget_seconds: pace.step_budget,
        };
        let roofline = ["roofline", "all"].contains(&name);
        Ok(Some(Self { common, setup, groups, pace, roofline, page }))
    }

    /// The plan that a report was made by.
    pub(crate) fn again(setup: &Setup) -> Result<Self, Failure> {
        let refuse =
            |message: String| Failure::Input { path: "the baseline's arguments".into(), message };
        let line = [&["flockwork-bench".to_owned()], setup.arguments.as_slice()].concat();
        let options = Options::try_parse_from(line).map_err(|error| refuse(error.to_string()))?;
        let plan = Self::new(options, &setup.arguments)?;
        plan.ok_or_else(|| refuse("they do not measure anything".into()))
    }

    pub(crate) fn folder(&self) -> PathBuf {
        let default = || PathBuf::from("target/flockwork").join(&self.setup.command);
        self.common.out.clone().unwrap_or_else(default)
    }
}

fn everything(common: &Common) -> Result<Vec<Group>, Failure> {
    let heavy = if common.quick { 50_000 } else { 300_000 };
    Ok([
        scaling::groups(common, &[], MEAN_NEIGHBORS)?,
        stages::groups(common)?,
        density::groups(common)?,
        cell_size::groups(common)?,
        threads::groups(common)?,
        scenes::groups(common)?,
        kernels::groups(common, heavy)?,
        peers::groups(common)?,
    ]
    .concat())
}

/// The arguments that say what is measured, without those that say where it goes.
fn that_matter(arguments: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" | "--resume" | "--list" => {}
            "--out" | "--page" => _ = arguments.next(),
            long if long.starts_with("--out=") || long.starts_with("--page=") => {}
            _ => kept.push(argument.clone()),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(line: &str) -> Plan {
        let arguments: Vec<String> = line.split(' ').map(String::from).collect();
        let words = std::iter::once("bench".to_owned()).chain(arguments.clone());
        Plan::new(Options::parse_from(words), &arguments).unwrap().expect("a measurement")
    }

    #[test]
    fn a_plan_can_be_made_again_from_its_report() {
        let first = plan("scaling --quick --n 1k,2k --out here --json --methods cells-simd");
        assert_eq!(
            first.setup.arguments.join(" "),
            "scaling --quick --n 1k,2k --methods cells-simd"
        );
        let again = Plan::again(&first.setup).unwrap();
        assert_eq!(again.setup, first.setup);
        let ids = |plan: &Plan| -> Vec<String> {
            plan.groups.iter().flat_map(|g| g.cases.iter().map(|case| g.id(case))).collect()
        };
        assert_eq!(ids(&again), ids(&first));
        assert_eq!(ids(&first), ["scaling/cells-simd/1000", "scaling/cells-simd/2000"]);
    }

    #[test]
    fn no_row_has_the_id_of_another() {
        for line in ["all --quick", "all", "all --n 100", "kernels --heavy 100"] {
            let plan = plan(line);
            let mut ids: Vec<String> =
                plan.groups.iter().flat_map(|g| g.cases.iter().map(|case| g.id(case))).collect();
            let count = ids.len();
            ids.sort();
            ids.dedup();
            assert_eq!(ids.len(), count, "{line}");
        }
    }

    #[test]
    fn behaviors_still_is_a_name_of_kernels() {
        assert_eq!(plan("behaviors --quick").setup.command, "kernels");
    }
}
