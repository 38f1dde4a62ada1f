//! The command line.

use std::path::PathBuf;

use clap::Parser;
use flockwork::internal::parse_count;

use crate::compare::Comparison;
use crate::experiments::group::MEAN_NEIGHBORS;
use crate::experiments::request::Request;
use crate::experiments::{
    cell_size, density, kernels, ladder, levels, peers, scaling, scenes, threads,
};
use crate::method::Method;

/// Measures how the time of a simulation step grows with the number of agents, and where it goes.
///
/// Every result is checked: no time is printed unless all methods reach the same state hash.
/// Without a subcommand it measures scaling.
#[derive(Debug, Parser)]
#[command(
    name = "flockwork-bench",
    version,
    max_term_width = 100,
    allow_negative_numbers = true,
    args_conflicts_with_subcommands = true,
    after_help = "Exit codes: 0 done; 1 methods or programs disagree, or compare found rows slower; 2 bad \
                  input, or output cannot be written; 130 interrupted; what was measured is \
                  written."
)]
pub struct Options {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) scaling: Scaling,
}

/// What to measure.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// How time grows with the number of agents, all pairs against cells (the default)
    Scaling(Scaling),
    /// From the loops of Buckland's book to the engine, one idea at a time
    #[command(alias = "stages")]
    Ladder(Common),
    /// How time grows with density, from 4 to 256 neighbors on average
    Density(Common),
    /// The best cell height, from a quarter to eight view distances
    CellSize(Common),
    /// Speed-up by threads, from one to twice the number of cores
    Threads(Common),
    /// Instruction sets: every level that this processor has, at every lane width
    Levels(Common),
    /// Every embedded scene, and uniform against clustered crowds
    Scenes(Common),
    /// Every behavior alone, SIMD against scalar; the heavy scene with one part left out at a time
    #[command(alias = "behaviors")]
    Kernels(Kernels),
    /// Neighbor searches of other crates, on the same points
    Peers(Common),
    /// The limits of the machine, and how close each method comes
    Roofline(Common),
    /// Everything above, in one report
    All(Common),
    /// Find the faster of two programs or git revisions, measured in turns
    Compare(Compare),
    #[command(hide = true)]
    Serve(Serve),
    /// Regenerate the page, figures and tables from a saved report
    Render(Render),
}

/// The options of every measurement.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Common {
    /// Finish within a minute: fewer and smaller crowds, fewer repeats
    #[arg(long)]
    pub(crate) quick: bool,

    /// Time limit in seconds, 1 to 86400. Crowds that do not fit are left out, but those given by --n
    /// without --quick are measured at least once [default: 60 with --quick, 600 for all, else 240]
    #[arg(long, value_parser = time, value_name = "SECONDS")]
    pub(crate) time: Option<f64>,

    /// Crowd sizes, such as 1000,10k,1e5,1M [default: depends on the measurement]
    #[arg(long, value_delimiter = ',', value_parser = agents, value_name = "LIST")]
    pub(crate) n: Vec<usize>,

    /// Threads of multi-threaded methods, such as 4 or 1,2,4, each 1 to 1024 [default: all]
    #[arg(long, value_delimiter = ',', value_parser = threads(), value_name = "LIST")]
    pub(crate) threads: Vec<u16>,

    /// Seed of the initial states
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seed: u64,

    /// Time limit of one step in seconds; a method skips crowds that would take longer
    /// [default: 2, or 0.5 with --quick]
    #[arg(long, value_parser = seconds, value_name = "SECONDS")]
    pub(crate) budget: Option<f64>,

    /// Folder for the report: html, svg, csv, json [default: target/flockwork/MEASUREMENT]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Print the report as one line of JSON and nothing else
    #[arg(long)]
    pub(crate) json: bool,

    /// Continue an interrupted run, keeping its rows; refused if machine, build or measurement
    /// differ
    #[arg(long)]
    pub(crate) resume: bool,

    /// List the rows that would be measured and exit
    #[arg(long)]
    pub(crate) list: bool,
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Scaling {
    #[command(flatten)]
    pub(crate) common: Common,

    /// Methods to measure [default: all, plus a flock over the fastest search of other crates]
    #[arg(long, value_delimiter = ',', value_enum, value_name = "LIST")]
    pub(crate) methods: Vec<Method>,

    /// Mean number of neighbors, which sets the density, 0.001 to 1e6
    #[arg(long, default_value_t = MEAN_NEIGHBORS, value_parser = neighbors, value_name = "X")]
    pub(crate) mean_neighbors: f32,
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Kernels {
    #[command(flatten)]
    pub(crate) common: Common,

    /// Agents of the heavy scene [default: 1M, or 50k with --quick]
    #[arg(long, value_parser = agents, value_name = "N")]
    pub(crate) heavy: Option<usize>,

    /// Also write the page of behaviors to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) page: Option<PathBuf>,
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Compare {
    /// The first program, a `flockwork-bench`: its path, or a git revision to build it from
    pub(crate) a: String,

    /// The second program or revision
    pub(crate) b: String,

    /// Time limit in seconds, 1 to 86400; compare ends early once every interval is narrow
    #[arg(long, value_parser = time, default_value_t = 60.0, value_name = "SECONDS")]
    pub(crate) time: f64,

    /// Print verdicts as one line of JSON and nothing else
    #[arg(long)]
    pub(crate) json: bool,

    /// The measurement whose rows are compared, such as `-- kernels --n 10k`
    #[arg(last = true, default_values_t = DEFAULT_ROWS.map(String::from), value_name = "WORDS")]
    pub(crate) measurement: Vec<String>,
}

/// What is compared if nothing is asked for.
const DEFAULT_ROWS: [&str; 5] = ["scaling", "--methods", "cells-simd", "--n", "100,1k,10k,100k"];

impl Compare {
    pub(crate) fn comparison(&self) -> Comparison {
        Comparison {
            programs: [self.a.clone(), self.b.clone()],
            measurement: self.measurement.clone(),
            seconds: self.time,
            json: self.json,
        }
    }
}

/// What `compare` asks of each of its programs.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Serve {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) measurement: Vec<String>,
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Render {
    /// The report.json of an earlier run, or its folder
    pub(crate) report: PathBuf,

    /// Folder for the files [default: the folder of the report]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// The limits of the machine and the crowds that come close to them.
pub(crate) const ROOFLINE: &str = "roofline";

/// What a command measures, with which options.
pub(crate) struct Measured {
    /// An experiment, `roofline`, or `all`.
    pub(crate) name: &'static str,
    pub(crate) common: Common,
    pub(crate) request: Request,
    /// Where to write the page of behaviors, if asked for.
    pub(crate) page: Option<PathBuf>,
}

impl Command {
    /// `None` for a command that measures nothing itself.
    pub(crate) fn measured(self) -> Option<Measured> {
        let usual = |name, common: Common| {
            let request = common.request();
            Some(Measured { name, common, request, page: None })
        };
        match self {
            Self::Scaling(Scaling { common, methods, mean_neighbors }) => {
                let request = Request { methods, mean_neighbors, ..common.request() };
                Some(Measured { name: scaling::NAME, common, request, page: None })
            }
            Self::Ladder(common) => usual(ladder::NAME, common),
            Self::Density(common) => usual(density::NAME, common),
            Self::CellSize(common) => usual(cell_size::NAME, common),
            Self::Threads(common) => usual(threads::NAME, common),
            Self::Levels(common) => usual(levels::NAME, common),
            Self::Scenes(common) => usual(scenes::NAME, common),
            Self::Kernels(Kernels { common, heavy, page }) => {
                let heavy = heavy.unwrap_or(if common.quick { 50_000 } else { 1_000_000 });
                let request = Request { heavy, ..common.request() };
                Some(Measured { name: kernels::NAME, common, request, page })
            }
            Self::Peers(common) => usual(peers::NAME, common),
            Self::Roofline(common) => usual(ROOFLINE, common),
            Self::All(common) => usual("all", common),
            Self::Compare(_) | Self::Serve(_) | Self::Render(_) => None,
        }
    }
}

impl Common {
    /// What these options ask of experiments.
    fn request(&self) -> Request {
        Request {
            quick: self.quick,
            n: self.n.clone(),
            threads: self.threads(),
            seed: self.seed,
            methods: Vec::new(),
            mean_neighbors: MEAN_NEIGHBORS,
            // Among others, less than by itself.
            heavy: if self.quick { 50_000 } else { 300_000 },
        }
    }

    /// Numbers of threads, ascending.
    pub(crate) fn threads(&self) -> Vec<usize> {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        let mut threads: Vec<usize> = self.threads.iter().copied().map(usize::from).collect();
        if threads.is_empty() {
            threads.push(all().min(MOST_THREADS.into()));
        }
        threads.sort_unstable();
        threads.dedup();
        threads
    }

    pub(crate) fn step_seconds(&self) -> f64 {
        self.budget.unwrap_or(if self.quick { 0.5 } else { 2.0 })
    }

    /// The most seconds of a measurement that takes `usual` by default.
    pub(crate) fn seconds(&self, usual: f64) -> f64 {
        self.time.unwrap_or(if self.quick { 60.0 } else { usual })
    }

    /// Whether the time is kept at the price of crowds.
    pub(crate) fn is_strict(&self) -> bool {
        self.n.is_empty() || self.quick
    }
}

/// Parses a number of agents.
pub(crate) fn agents(text: &str) -> Result<usize, String> {
    parse_count(text)
        .filter(|agents| (1..=100_000_000).contains(agents))
        .ok_or_else(|| "must be a whole number from 1 to 100M, such as 1000, 10k or 1e6".into())
}

/// The most threads of a simulation.
const MOST_THREADS: u16 = 1024;

fn threads() -> clap::builder::RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(1..=MOST_THREADS.into())
}

fn neighbors(text: &str) -> Result<f32, String> {
    number(text, 0.001, 1.0e6, "").map(|value| value as f32)
}

fn seconds(text: &str) -> Result<f64, String> {
    number(text, 0.001, 3600.0, " of seconds")
}

fn time(text: &str) -> Result<f64, String> {
    number(text, 1.0, 86_400.0, " of seconds")
}

fn number(text: &str, low: f64, high: f64, what: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|value| (low..=high).contains(value));
    number.ok_or_else(|| format!("must be a number{what} from {low} to {high}"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn crowds_have_at_least_one_agent_and_at_most_100_million() {
        assert_eq!([agents("1"), agents("100M")], [Ok(1), Ok(100_000_000)]);
        for text in ["0", "100_000_001", "ten"] {
            assert!(agents(text).is_err(), "{text} should be refused");
        }
    }

    #[test]
    fn the_command_line_is_valid_and_scaling_is_the_default() {
        Options::command().debug_assert();
        let bare = Options::parse_from(["bench", "--quick", "--n", "1k,2k"]);
        assert!(bare.command.is_none() && bare.scaling.common.quick);
        let named = Options::parse_from(["bench", "scaling", "--quick", "--n", "1k,2k"]);
        let Some(Command::Scaling(scaling)) = named.command else { panic!("a subcommand") };
        assert_eq!(scaling.common.n, bare.scaling.common.n);
    }
}
