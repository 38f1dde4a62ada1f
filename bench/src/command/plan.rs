//! What a command line asks to measure.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::experiments;
use crate::experiments::group::Group;
use crate::failure::Failure;
use crate::measure::schedule::Pace;
use crate::options::{Measurement, Options, Request};
use crate::results::report::Setup;

pub(crate) struct Plan {
    pub(crate) request: Request,
    pub(crate) setup: Setup,
    pub(crate) groups: Vec<Group>,
    pub(crate) pace: Pace,
    /// Whether to measure the limits of the machine.
    pub(crate) roofline: bool,
}

impl Plan {
    /// Fails for a subcommand that measures nothing itself.
    pub(crate) fn new(options: Options, arguments: &[String]) -> Result<Self, Failure> {
        let refuse = |message| Err(Failure::Input { path: "the options".into(), message });
        let Options { command: None, measurement, request } = options else {
            return refuse("it does not measure anything".into());
        };
        let name = measurement.to_possible_value().expect("none is hidden").get_name().to_owned();
        let groups = experiments::groups(measurement, &request)?;
        if groups.is_empty() {
            return refuse(format!("{name} has no row of these methods"));
        }
        let is_all = measurement == Measurement::All;
        if request.page.is_some() && measurement != Measurement::Kernels && !is_all {
            return refuse(format!("--page shows what kernels measures, not {name}"));
        }
        let usual = if is_all { 600.0 } else { 240.0 };
        let pace = Pace {
            step_seconds: request.step_seconds(),
            seconds: request.seconds(usual),
            strict: request.is_strict(),
        };
        let groups = groups.into_iter().map(|group| group.for_budget(pace.step_seconds)).collect();
        let setup = Setup {
            command: name,
            arguments: without_destinations(arguments),
            quick: request.quick,
            seed: request.seed,
            mean_neighbors: request.mean_neighbors,
            step_seconds: pace.step_seconds,
            time_seconds: pace.seconds,
        };
        let roofline =
            is_all || [Measurement::Scaling, Measurement::Roofline].contains(&measurement);
        Ok(Self { request, setup, groups, pace, roofline })
    }

    /// The plan of a saved report, or of a comparison.
    pub(crate) fn of_words(words: &[String]) -> Result<Self, Failure> {
        let refuse = |message: String| Failure::Input { path: words.join(" "), message };
        let line = [&["flockwork-bench".to_owned()], words].concat();
        let options = Options::try_parse_from(line).map_err(|error| refuse(error.to_string()))?;
        Self::new(options, words)
    }

    /// How the measurement of a saved report differs from this plan; `None` if it is the same,
    /// however it is spelled.
    pub(crate) fn difference(&self, setup: &Setup) -> Result<Option<String>, Failure> {
        let other = Self::of_words(&setup.arguments)?;
        let options = |plan: &Self| {
            let setup = &plan.setup;
            [
                ("measurement", setup.command.clone()),
                ("--quick", setup.quick.to_string()),
                ("--seed", setup.seed.to_string()),
                ("--threads", format!("{:?}", plan.request.threads())),
                ("--budget", setup.step_seconds.to_string()),
                ("--mean-neighbors", setup.mean_neighbors.to_string()),
            ]
        };
        let mut pairs = options(&other).into_iter().zip(options(self));
        if let Some(((what, there), (_, here))) = pairs.find(|(there, here)| there != here) {
            return Ok(Some(format!("{what} was {there} and is now {here}")));
        }
        let [there, here]: [HashSet<String>; 2] =
            [&other, self].map(|plan| ids(&plan.groups).collect());
        let only_in = |a: &HashSet<String>, b: &HashSet<String>| a.difference(b).min().cloned();
        let gone = only_in(&there, &here).map(|id| format!("{id} is no longer requested"));
        Ok(gone.or_else(|| only_in(&here, &there).map(|id| format!("{id} was not requested"))))
    }

    pub(crate) fn folder(&self) -> PathBuf {
        let default = || PathBuf::from("target/flockwork").join(&self.setup.command);
        self.request.out.clone().unwrap_or_else(default)
    }
}

/// The ids of the rows that would be measured.
pub(crate) fn ids(groups: &[Group]) -> impl Iterator<Item = String> {
    groups.iter().flat_map(|group| group.cases.iter().map(|case| group.id(case)))
}

/// The arguments that select what is measured, without those that select where it is written.
fn without_destinations(arguments: &[String]) -> Vec<String> {
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
    use flockwork::cpu::Level;

    use super::*;
    use crate::experiments::plain::level_name;
    use crate::peers::Flock;

    fn plan(line: &str) -> Plan {
        let arguments: Vec<String> = line.split(' ').map(String::from).collect();
        let words = std::iter::once("bench".to_owned()).chain(arguments.clone());
        Plan::new(Options::parse_from(words), &arguments).unwrap()
    }

    #[test]
    fn a_plan_is_restored_from_its_report() {
        let first = plan("scaling --quick --n 1k,2k --out here --json --methods cells-simd");
        assert_eq!(
            first.setup.arguments.join(" "),
            "scaling --quick --n 1k,2k --methods cells-simd"
        );
        let again = Plan::of_words(&first.setup.arguments).unwrap();
        assert_eq!(again.setup, first.setup);
        let ids = |plan: &Plan| -> Vec<String> { ids(&plan.groups).collect() };
        assert_eq!(ids(&again), ids(&first));
        assert_eq!(ids(&first), ["scaling/cells-simd/1000", "scaling/cells-simd/2000"]);
    }

    fn duplicate_id(groups: &[Group]) -> Option<String> {
        let mut known = HashSet::new();
        ids(groups).find(|id| !known.insert(id.clone()))
    }

    #[test]
    fn every_row_has_an_id_of_its_own() {
        for line in ["all --quick", "all", "all --n 100", "all --n 100,1000", "kernels --heavy 1"] {
            assert_eq!(duplicate_id(&plan(line).groups), None, "{line}");
        }
        let twice = [plan("density").groups, plan("density --n 100k").groups].concat();
        let id = duplicate_id(&twice);
        assert_eq!(id.as_deref(), Some("density/cells-scalar/100000 agents, 4 neighbors"));
    }

    #[test]
    fn every_crowd_of_the_default_run_has_the_flock_of_another_crate_unless_methods_are_chosen() {
        let has_flock = |line: &str| {
            let of_flock = |group: &Group| group.cases.iter().any(|case| case.method == Flock::ID);
            plan(line).groups.iter().map(of_flock).collect::<Vec<_>>()
        };
        assert_eq!(has_flock("scaling --quick"), [true; 8]);
        assert_eq!(has_flock("scaling --n 100"), [true]);
        assert_eq!(has_flock("scaling --n 100 --methods cells-simd"), [false]);
    }

    #[test]
    fn every_experiment_measures_every_requested_size() {
        let commands = [
            "scaling",
            "ladder",
            "density",
            "cell-size",
            "threads",
            "levels",
            "scenes",
            "kernels",
            "peers",
        ];
        for command in commands {
            let one = plan(&format!("{command} --n 100")).groups.len();
            let two = plan(&format!("{command} --n 100,200")).groups;
            let rows_of = |n| two.iter().filter(|group| group.agents() == n).count();
            assert!(two.len() > one && rows_of(100) + rows_of(101) > 0, "{command}");
            assert!(rows_of(200) + rows_of(201) > 0, "{command}");
        }
    }

    #[test]
    fn every_level_of_this_processor_is_measured_at_every_width() {
        let groups = plan("levels --quick").groups;
        let names: Vec<&str> = groups[0].cases.iter().map(|case| &*case.method).collect();
        assert_eq!(names.len(), 1 + 3 * Level::available().count());
        let own = Level::found();
        assert!(names.contains(&&*level_name(own)), "{names:?}");
    }

    #[test]
    fn every_crowd_has_the_requested_seed() {
        let groups = plan("all --quick --seed 7").groups;
        let other: Vec<String> =
            groups.iter().filter(|group| group.scene.seed != 7).map(Group::name).collect();
        assert_eq!(other, [""; 0]);
    }

    #[test]
    fn ids_are_plain_text() {
        for id in ids(&plan("all").groups) {
            assert!(!id.contains('`'), "{id}");
        }
    }

    #[test]
    fn plans_differ_by_what_they_measure_and_not_by_their_spelling() {
        let first = plan("scaling --quick --n 1k,2k --threads 2");
        let difference = |line: &str| plan(line).difference(&first.setup).unwrap();
        assert_eq!(difference("scaling --threads=2 --seed 1 --n 2000,1e3 --quick"), None);
        for (line, what) in [
            ("scaling --quick --n 1k,2k --threads 2 --seed 7", "--seed was 1 and is now 7"),
            ("scaling --quick --n 1k,2k --threads 1", "--threads was [2] and is now [1]"),
            ("scaling --n 1k,2k --threads 2", "--quick was true and is now false"),
            ("roofline --quick --threads 2", "measurement was scaling and is now roofline"),
            (
                "scaling --quick --n 1k --threads 2",
                "scaling/all-pairs-scalar/2000 is no longer requested",
            ),
            (
                "scaling --quick --n 1k,2k,3k --threads 2",
                "scaling/all-pairs-scalar/3000 was not requested",
            ),
        ] {
            assert_eq!(difference(line).as_deref(), Some(what), "{line}");
        }
    }

    #[test]
    fn crowds_over_budget_do_not_shorten_repeats() {
        let steps = |line: &str| -> Vec<u64> {
            plan(line).groups.iter().map(|group| group.steps).collect()
        };
        // All pairs without lanes: 0.12 s, 1.5 s and 300 s, which is not measured; cells: 0.15 s.
        assert_eq!(steps("scaling --n 10k,35k,500k"), [4, 1, 4]);
        assert_eq!(steps("scaling --n 500k --budget 2000"), [1]);
        // Cells without lanes: 0.3 s.
        assert_eq!(steps("scaling --n 1M"), [1]);
    }

    #[test]
    fn former_names_of_commands_still_work() {
        assert_eq!(plan("behaviors --quick").setup.command, "kernels");
        assert_eq!(plan("stages --quick").setup.command, "ladder");
    }
}
