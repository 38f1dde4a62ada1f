//! The command line.

use std::path::PathBuf;

use clap::Parser;

use crate::experiments::group::MEAN_NEIGHBORS;
use crate::experiments::request::Request;
use crate::method::Method;

/// Measures how the time of a simulation step grows with the number of agents, and what it
/// goes into.
///
/// Every time is checked: all methods have to reach the same state hash before one is printed.
/// Without a subcommand it measures scaling.
#[derive(Debug, Parser)]
#[command(
    name = "flockwork-bench",
    version,
    max_term_width = 100,
    allow_negative_numbers = true,
    args_conflicts_with_subcommands = true,
    after_help = "Exit codes: 0 done; 1 methods disagree, or compare found rows slower; 2 bad input, \
                  or a file cannot be written; 130 interrupted, with what there is written."
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
    /// What each idea is worth: the same steps, from the book's way to compute them to the engine's
    #[command(alias = "stages")]
    Ladder(Common),
    /// 4 to 256 neighbors on average
    Density(Common),
    /// Cells of a quarter to eight view distances
    CellSize(Common),
    /// 1 thread to twice as many as there are
    Threads(Common),
    /// Every embedded scene, and uniform against clustered crowds
    Scenes(Common),
    /// Every behavior alone, SIMD against scalar, and the heavy scene part by part
    #[command(alias = "behaviors")]
    Kernels(Kernels),
    /// The crates that one would use instead, on the same points
    Peers(Common),
    /// What the machine can do at most, and how much of it the methods reach
    Roofline(Common),
    /// Everything above, in one report
    All(Common),
    /// A saved report against another, or against a new measurement of the same
    Compare(Compare),
    /// Page, figure and table of a saved report, made anew
    Render(Render),
}

/// What all measurements understand.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Common {
    /// A minute's worth: fewer and smaller crowds, fewer repeats
    #[arg(long)]
    pub(crate) quick: bool,

    /// Crowd sizes, such as 1000,10k,1e5,1M [default: what suits the measurement]
    #[arg(long, value_delimiter = ',', value_parser = agents, value_name = "LIST")]
    pub(crate) n: Vec<usize>,

    /// Threads of multi-threaded methods, 1 to 1024 [default: all]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024), value_name = "N")]
    pub(crate) threads: Option<u16>,

    /// Seed of the initial states
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seed: u64,

    /// The longest that one step may take, in seconds; a method stops before [default: 2, or
    /// 0.5 with --quick]
    #[arg(long, value_parser = seconds, value_name = "SECONDS")]
    pub(crate) budget: Option<f64>,

    /// Folder for the report: html, svg, csv, json [default: target/flockwork/ and the
    /// measurement's name]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Print the report as one line of JSON and nothing else
    #[arg(long)]
    pub(crate) json: bool,

    /// Go on with an interrupted run: keep what the folder has; refused if machine, build or
    /// what is measured is another
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

    /// What to measure [default: all]
    #[arg(long, value_delimiter = ',', value_enum, value_name = "LIST")]
    pub(crate) methods: Vec<Method>,

    /// Mean number of neighbors, which fixes the density, 0.001 to 1e6
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

    /// Also write the page of behaviors here
    #[arg(long, value_name = "FILE")]
    pub(crate) page: Option<PathBuf>,
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Compare {
    /// The report.json of an earlier run, or its folder
    pub(crate) baseline: PathBuf,

    /// The report.json to compare with it [default: measure the same again]
    pub(crate) new: Option<PathBuf>,

    /// Folder for a new measurement's report
    #[arg(long, default_value = "target/flockwork/compare", value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Print verdicts as one line of JSON and nothing else
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Render {
    /// The report.json of an earlier run, or its folder
    pub(crate) report: PathBuf,

    /// Folder for what is made [default: that of the report]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

impl Common {
    /// What experiments are asked for by these.
    pub(crate) fn request(&self) -> Request {
        Request { quick: self.quick, n: self.n.clone(), threads: self.threads(), seed: self.seed }
    }

    pub(crate) fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    pub(crate) fn step_budget(&self) -> f64 {
        self.budget.unwrap_or(if self.quick { 0.5 } else { 2.0 })
    }
}

impl Kernels {
    pub(crate) fn heavy(&self) -> usize {
        self.heavy.unwrap_or(if self.common.quick { 50_000 } else { 1_000_000 })
    }
}

/// A number of agents, with `_` between digits, an exponent, or a `k` or `M` at its end.
pub(crate) fn agents(text: &str) -> Result<usize, String> {
    let plain = text.replace('_', "");
    let (digits, factor) = match plain.char_indices().last() {
        Some((end, 'k')) => (&plain[..end], 1.0e3),
        Some((end, 'M')) => (&plain[..end], 1.0e6),
        _ => (plain.as_str(), 1.0),
    };
    let value = digits.parse::<f64>().map(|value| value * factor);
    match value {
        Ok(value) if value.fract() == 0.0 && (1.0..=1.0e8).contains(&value) => Ok(value as usize),
        _ => Err("must be a whole number from 1 to 100M, such as 1000, 10k or 1e6".into()),
    }
}

fn neighbors(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if (1.0e-3..=1.0e6).contains(&value) => Ok(value),
        _ => Err("must be a number from 0.001 to 1e6".into()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (1.0e-3..=3600.0).contains(&value) => Ok(value),
        _ => Err("must be a number of seconds from 0.001 to 3600".into()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn crowd_sizes_are_read_in_every_usual_spelling() {
        for (text, value) in [("100", 100), ("100_000", 100_000), ("1e6", 1_000_000)] {
            assert_eq!(agents(text), Ok(value));
        }
        assert_eq!(agents("10k"), Ok(10_000));
        assert_eq!(agents("2.5M"), Ok(2_500_000));
        for text in ["", "0", "-5", "1.5", "1e9", "NaN", "inf", "ten", "k", "1é"] {
            assert!(agents(text).is_err(), "{text} should be refused");
        }
    }

    #[test]
    fn the_command_line_is_sound_and_scaling_is_the_default() {
        Options::command().debug_assert();
        let bare = Options::parse_from(["bench", "--quick", "--n", "1k,2k"]);
        assert!(bare.command.is_none() && bare.scaling.common.quick);
        let named = Options::parse_from(["bench", "scaling", "--quick", "--n", "1k,2k"]);
        let Some(Command::Scaling(scaling)) = named.command else { panic!("a subcommand") };
        assert_eq!(scaling.common.n, bare.scaling.common.n);
    }
}
