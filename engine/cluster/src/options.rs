use std::path::PathBuf;

use clap::Parser;
use flockwork::internal::parse_count;

pub(crate) const MAX_THREADS: u16 = 1024;

/// Runs a scene on many ranks. Results are bit-identical to those of one host.
///
/// Started directly, the program runs ranks as threads of one process. Under mpirun, ranks are
/// processes on one or more hosts; that requires a build with `--features mpi`.
#[derive(Debug, Parser)]
#[command(name = "flockwork-cluster", version, max_term_width = 100, allow_negative_numbers = true)]
pub(crate) struct Options {
    /// Scene to run: a name, or a .toml or .ini file
    #[arg(long, value_name = "SCENE", default_value = "stress")]
    pub(crate) scene: String,

    /// Number of agents, such as 20M, 1e6 or 5_000 [default: the scene's]
    #[arg(long, value_parser = at_least_one, value_name = "N", conflicts_with = "resume")]
    pub(crate) agents: Option<usize>,

    /// Seed of the initial state [default: the scene's]
    #[arg(long, value_name = "S", conflicts_with = "resume")]
    pub(crate) seed: Option<u64>,

    /// Number of steps
    #[arg(long, value_name = "N", default_value = "100", value_parser = count)]
    pub(crate) steps: usize,

    /// Number of ranks, 1 to 1024, each a thread of this process [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) ranks: Option<u16>,

    /// Threads per rank, 1 to 1024
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_THREADS)))]
    pub(crate) threads: u16,

    /// Directory for checkpoints; the latest two are kept
    #[arg(long, value_name = "DIR")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Steps between checkpoints [default: one checkpoint, at the end]
    #[arg(long, value_name = "N", requires = "checkpoint", value_parser = at_least_one)]
    pub(crate) every: Option<usize>,

    /// Continue from the latest checkpoint in this directory, on any number of ranks
    #[arg(long, value_name = "DIR", conflicts_with = "scene")]
    pub(crate) resume: Option<PathBuf>,

    /// Write the final state as one snapshot, which the viewer can resume
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,

    /// Also run the same steps on a single host and compare the state hashes
    #[arg(long)]
    pub(crate) check: bool,

    /// Measure latency and bandwidth between ranks, and predict efficiency for up to 1024 ranks
    #[arg(long)]
    pub(crate) model: bool,

    /// Print one line of JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn started_by_mpi() -> bool {
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"]
        .iter()
        .any(|name| std::env::var_os(name).is_some())
}

pub(crate) fn is_another_rank() -> bool {
    let rank = ["OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"]
        .iter()
        .find_map(|name| std::env::var(name).ok()?.parse::<u32>().ok());
    rank.is_some_and(|rank| rank > 0)
}

fn count(text: &str) -> Result<usize, String> {
    parse_count(text)
        .ok_or_else(|| "must be a whole number, such as 5000, 20M, 1e6 or 1_000_000".into())
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match count(text)? {
        0 => Err("must be at least 1".into()),
        number => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Options::command().debug_assert();
    }
}
