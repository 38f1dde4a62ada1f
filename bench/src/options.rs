//! The command line.

use std::path::PathBuf;

use clap::Parser;

use crate::behaviors;
use crate::method::Method;

/// Measures how the time of a simulation step grows with the number of agents.
///
/// Every time is checked: all methods have to reach the same state hash before one is printed.
#[derive(Debug, Parser)]
#[command(
    name = "flockwork-bench",
    version,
    max_term_width = 100,
    allow_negative_numbers = true,
    args_conflicts_with_subcommands = true
)]
pub(crate) struct Options {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// A minute's worth: fewer crowd sizes, fewer repeats
    #[arg(long)]
    pub(crate) quick: bool,

    /// Crowd sizes, such as 1000,10k,1e5,1M [default: 100 to 1M, two to a decade]
    #[arg(long, value_delimiter = ',', value_parser = agents, value_name = "LIST")]
    pub(crate) n: Vec<usize>,

    /// What to measure [default: all]
    #[arg(long, value_delimiter = ',', value_enum, value_name = "LIST")]
    pub(crate) methods: Vec<Method>,

    /// Threads of the multi-threaded method, 1 to 1024 [default: all]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024), value_name = "N")]
    pub(crate) threads: Option<u16>,

    /// Mean number of neighbors, which fixes the density, 0.001 to 1e6
    #[arg(long, default_value_t = 16.0, value_parser = neighbors, value_name = "X")]
    pub(crate) mean_neighbors: f32,

    /// Seed of the initial state
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seed: u64,

    /// The longest that one step may take, in seconds; a method stops before [default: 2, or
    /// 0.5 with --quick]
    #[arg(long, value_parser = seconds, value_name = "SECONDS")]
    pub(crate) budget: Option<f64>,

    /// Folder for report.json, report.csv and report.svg
    #[arg(long, default_value = "target/flockwork/scaling", value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// List the methods and exit
    #[arg(long)]
    pub(crate) list: bool,
}

/// What to measure instead of scaling.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Behaviors(behaviors::Options),
}

impl Options {
    /// The crowd sizes to measure, ascending.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        let mut sizes = match (self.n.is_empty(), self.quick) {
            (false, _) => self.n.clone(),
            (true, true) => vec![100, 1_000, 10_000, 100_000, 1_000_000],
            (true, false) => {
                vec![100, 316, 1_000, 3_162, 10_000, 31_623, 100_000, 316_228, 1_000_000]
            }
        };
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// The methods to measure, in their usual order.
    pub(crate) fn chosen_methods(&self) -> Vec<Method> {
        let chosen = |method: &Method| self.methods.is_empty() || self.methods.contains(method);
        Method::ALL.into_iter().filter(chosen).collect()
    }

    pub(crate) fn step_budget(&self) -> f64 {
        self.budget.unwrap_or(if self.quick { 0.5 } else { 2.0 })
    }

    /// Seconds to spend on one method at one crowd size.
    pub(crate) fn time_per_row(&self) -> f64 {
        if self.quick { 0.6 } else { 3.0 }
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
    use super::agents;

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
}
