use std::path::PathBuf;

use clap::{Parser, ValueEnum, value_parser};
use flockwork::internal::parse_count;

use crate::variant::Variant;

/// Measures how step time grows with the number of agents, and where the time goes.
///
/// Every result is checked: no time is printed unless all variants of the engine reach the same
/// state hash, and zelll moves every agent to the same place, within a tolerance.
#[derive(Debug, Parser)]
#[command(
    name = "flockwork-bench",
    version,
    max_term_width = 100,
    allow_negative_numbers = true,
    args_conflicts_with_subcommands = true,
    after_help = "Exit codes: 0 done; 1 variants or programs disagree, or compare found slower rows; 2 bad \
                  input, or output cannot be written; 130 interrupted, with the results so far \
                  written."
)]
pub struct Options {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// What to measure
    #[arg(value_enum, default_value_t = Measurement::Scaling)]
    pub(crate) measurement: Measurement,

    #[command(flatten)]
    pub(crate) request: Request,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Measurement {
    /// How time grows with the number of agents, for all pairs and for cells
    Scaling,
    /// How time grows with density, from 4 to 256 neighbors on average
    Density,
    /// How time depends on the cell height, from 0.25 to 8 times the view distance
    CellSize,
    /// Speedup by thread count, from one thread to twice the number of cores
    Threads,
    /// Instruction sets: every level that this processor supports
    Levels,
    /// Every embedded scene, and uniform crowds compared with clustered ones
    Scenes,
    /// Every behavior alone, SIMD versus scalar; the heavy scene with one part omitted at a time.
    /// --verbose prints Markdown
    Kernels,
    /// Cost of unusual agents: far-sighted, fled from, large or fast.
    /// --verbose prints Markdown
    Uneven,
    /// Neighbor searches by other crates, on the engine's points
    Peers,
    /// All measurements, in one report
    All,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Find the faster of two programs or git revisions, measured alternately
    Compare(Compare),
    /// Measure blocks of rows as requested on stdin; `compare` starts both programs this way
    #[command(hide = true)]
    Serve {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        measurement: Vec<String>,
    },
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Request {
    /// Finish within a minute: fewer and smaller crowds, fewer repeats
    #[arg(long)]
    pub(crate) quick: bool,

    /// Time limit for the whole run, 1 to 86400 seconds. Crowds that would exceed it are skipped.
    /// Without --quick, crowds listed in --n are still measured at least once
    /// [default: 60 with --quick, 600 for the measurement `all`, else 240]
    #[arg(long, value_parser = within(1.0, 86_400.0), value_name = "SECONDS")]
    pub(crate) time: Option<f64>,

    /// Crowd sizes, such as 1000,10k,1e5,1M [default: depends on the measurement]
    #[arg(long, value_delimiter = ',', value_parser = agents, value_name = "LIST")]
    #[arg(allow_hyphen_values = true)]
    pub(crate) n: Vec<usize>,

    /// Number of threads of multi-threaded variants, 1 to 1024 [default: all]
    #[arg(long, value_parser = value_parser!(u16).range(1..=1024), value_name = "N")]
    pub(crate) threads: Option<u16>,

    /// Seed for the initial states
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seed: u64,

    /// Time limit per step in seconds; a variant skips crowds that would take longer
    /// [default: 2, or 0.5 with --quick]
    #[arg(long, value_parser = within(0.001, 3_600.0), value_name = "SECONDS")]
    pub(crate) budget: Option<f64>,

    /// Folder for the report: html, svg, csv, json [default: target/flockwork/MEASUREMENT]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Print the report as one line of JSON and nothing else
    #[arg(long)]
    pub(crate) json: bool,

    /// Print every table before the answers; the report's page has them all
    #[arg(long)]
    pub(crate) verbose: bool,

    /// List the rows that would be measured and exit
    #[arg(long)]
    pub(crate) list: bool,

    /// Measure only these variants of the engine [default: all of them, plus the variants
    /// outside the engine]
    #[arg(long, alias = "methods", value_delimiter = ',', value_enum, value_name = "LIST")]
    pub(crate) variants: Vec<Variant>,

    /// Mean number of neighbors in the plain flock, 0.001 to 1e6; sets the density
    /// [default: 16]
    #[arg(long, value_parser = within(0.001, 1.0e6), value_name = "X")]
    pub(crate) mean_neighbors: Option<f64>,

    /// Number of dimensions of the world, 2 or 3. In 3D, the plain flock is also measured in 2D.
    /// The scenes, `kernels` and `peers` are 2D
    #[arg(long, visible_alias = "depth", default_value_t = 2, value_name = "N")]
    #[arg(value_parser = value_parser!(u32).range(2..=3))]
    pub(crate) dimensions: u32,

    /// Number of agents in the heavy scene of `kernels` [default: 300k, or 50k with --quick]
    #[arg(long, value_parser = agents, value_name = "N")]
    pub(crate) heavy: Option<usize>,

    /// Measure only the crowds of `uneven` whose names contain this text, and their ideals
    #[arg(long, value_name = "TEXT")]
    pub(crate) only: Option<String>,
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Compare {
    /// First program: the path of a `flockwork-bench` binary, or a git revision to build
    pub(crate) a: String,

    /// Second program, also a path or a git revision
    pub(crate) b: String,

    /// Time limit in seconds, 1 to 86400; ends early once all time ratios are known to within 0.4%
    #[arg(long, value_parser = within(1.0, 86_400.0), default_value_t = 60.0, value_name = "SECONDS")]
    pub(crate) time: f64,

    /// Print verdicts as one line of JSON and nothing else
    #[arg(long)]
    pub(crate) json: bool,

    /// Arguments that select the rows to compare, such as `-- kernels --n 10k`
    #[arg(last = true, default_values_t = DEFAULT_ROWS.map(String::from), value_name = "WORDS")]
    pub(crate) measurement: Vec<String>,
}

/// Older programs know `--variants` only as `--methods`.
const DEFAULT_ROWS: [&str; 5] = ["scaling", "--methods", "cells-simd", "--n", "100,1k,10k,100k"];

impl Measurement {
    pub(crate) fn name(self) -> String {
        self.to_possible_value().expect("none is hidden").get_name().to_owned()
    }
}

impl Request {
    pub(crate) fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(cores, usize::from).min(MAX_THREADS)
    }

    pub(crate) fn step_seconds(&self) -> f64 {
        self.budget.unwrap_or(if self.quick { 0.5 } else { 2.0 })
    }

    pub(crate) fn seconds(&self, measurement: Measurement) -> f64 {
        let usual = if measurement == Measurement::All { 600.0 } else { 240.0 };
        self.time.unwrap_or(if self.quick { 60.0 } else { usual })
    }

    pub(crate) fn mean_neighbors(&self) -> f64 {
        self.mean_neighbors.unwrap_or(16.0)
    }

    pub(crate) fn in_space(&self) -> bool {
        self.dimensions == 3
    }

    /// True if crowds may be left out to stay within the time limit.
    pub(crate) fn is_strict(&self) -> bool {
        self.n.is_empty() || self.quick
    }
}

pub(crate) fn agents(text: &str) -> Result<usize, String> {
    parse_count(text)
        .filter(|agents| (1..=100_000_000).contains(agents))
        .ok_or_else(|| "must be a whole number from 1 to 100M, such as 1000, 10k or 1e6".into())
}

const MAX_THREADS: usize = 1024;

fn within(low: f64, high: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|value| (low..=high).contains(value));
        number.ok_or_else(|| format!("must be a number from {low} to {high}"))
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    impl Request {
        pub(crate) fn of(line: &str) -> Self {
            Options::parse_from(["bench"].into_iter().chain(line.split(' '))).request
        }
    }

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
        assert!(bare.command.is_none() && bare.request.quick);
        let named = Options::parse_from(["bench", "scaling", "--quick", "--n", "1k,2k"]);
        assert_eq!(named.measurement, bare.measurement);
        assert_eq!(named.request.n, bare.request.n);
    }
}
