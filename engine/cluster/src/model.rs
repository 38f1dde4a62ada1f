//! Predicts scaling to more ranks from constants measured in this run.

use std::time::{Duration, Instant};

use flockwork_cluster::transport::{Incoming, Lost, Outgoing, Transport};
use serde::Serialize;

const RANKS: [u32; 6] = [2, 4, 16, 64, 256, 1024];

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Network {
    /// One-way time of an 8-byte message, in seconds.
    pub(crate) latency: f64,
    pub(crate) bytes_per_second: f64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Work {
    /// Number of axes of the world: 2, or 3 with depth.
    pub(crate) axes: f64,
    pub(crate) agents: f64,
    /// Seconds per agent per step, on one rank.
    pub(crate) seconds_per_agent: f64,
    /// Number of rows in the grid, in worlds with depth those of all layers. `reach` is the number
    /// of halo rows on each side of a slab.
    pub(crate) rows: f64,
    pub(crate) reach: f64,
    pub(crate) bytes_per_ghost: f64,
    /// Bytes that each rank sends per step for migrating agents.
    pub(crate) migrant_bytes: f64,
    /// Passes of non-penetration per step: each sends the positions of the ghosts again.
    pub(crate) passes: f64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Efficiency {
    pub(crate) ranks: u32,
    /// Strong-scaling efficiency: a crowd of fixed size is divided among the ranks.
    pub(crate) strong: f64,
    /// Weak-scaling efficiency: the crowd grows in proportion to the number of ranks.
    pub(crate) weak: f64,
}

impl Network {
    pub(crate) fn measure<T: Transport>(transport: &mut T) -> Result<Option<Self>, Lost> {
        if transport.ranks() < 2 {
            return Ok(None);
        }
        let small = round_trip(transport, 8)?.as_secs_f64() / 2.0;
        let large = round_trip(transport, LARGE_MESSAGE_BYTES)?.as_secs_f64() / 2.0;
        let bytes_per_second = LARGE_MESSAGE_BYTES as f64 / (large - small).max(1.0e-9);
        Ok(Some(Self { latency: small, bytes_per_second }))
    }

    fn seconds(&self, bytes: f64) -> f64 {
        self.latency + bytes / self.bytes_per_second
    }
}

const LARGE_MESSAGE_BYTES: usize = 1 << 20;

fn round_trip<T: Transport>(transport: &mut T, bytes: usize) -> Result<Duration, Lost> {
    let (content, mut received) = (vec![1; bytes], Incoming::default());
    let mut shortest = Duration::MAX;
    let rank = transport.rank();
    for _ in 0..50 {
        let start = Instant::now();
        for sender in [0, 1] {
            let outgoing = [Outgoing { to: 1 - sender, piece: &content }];
            let outgoing = if rank == sender { &outgoing[..] } else { &[] };
            (received.from, received.pieces) = (sender, 1);
            let received = std::slice::from_mut(&mut received);
            let incoming = if rank == 1 - sender { received } else { &mut [] };
            transport.exchange(outgoing, incoming, &mut || false)?;
        }
        shortest = shortest.min(start.elapsed());
    }
    // All ranks get the first rank's measurement, because their own timings would differ.
    let nanoseconds = if rank == 0 { shortest.as_nanos() as u64 } else { u64::MAX };
    Ok(Duration::from_nanos(transport.min(nanoseconds)?))
}

impl Work {
    fn step(&self, network: &Network, ranks: f64) -> f64 {
        if ranks == 1.0 {
            return self.agents * self.seconds_per_agent;
        }
        // Ranks own whole rows, and the rank with the most rows sets the pace.
        let own = (self.rows / ranks).ceil().max(1.0);
        let row = self.agents / self.rows;
        let compute = own * row * self.seconds_per_agent;
        // Ghosts arrive while the inner rows are steered, so only the remaining transfer time adds
        // to a step.
        let inner = (own - 2.0 * self.reach).max(0.0) * row * self.seconds_per_agent;
        let ghosts = 2.0 * self.reach * row;
        let hidden = (network.seconds(ghosts * self.bytes_per_ghost) - inner).max(0.0);
        let migrants = network.seconds(self.migrant_bytes) + network.seconds(0.0);
        let settle = network.latency * ranks.log2().ceil();
        let bytes_per_position = self.axes * size_of::<f32>() as f64;
        let apart = self.passes * network.seconds(ghosts * bytes_per_position);
        compute + hidden + migrants + settle + apart
    }

    /// The work of `factor` times as many agents at the same density. With depth, a halo has as
    /// many layers as before, but each layer has more rows.
    fn times(&self, factor: f64) -> Self {
        let grown = |exponent: f64| factor.powf(exponent / self.axes);
        Self {
            agents: self.agents * factor,
            rows: (self.rows * grown(self.axes - 1.0)).round(),
            reach: self.reach * grown(self.axes - 2.0),
            migrant_bytes: self.migrant_bytes * grown(self.axes - 1.0),
            ..*self
        }
    }

    pub(crate) fn efficiencies(&self, network: &Network) -> Vec<Efficiency> {
        let of =
            |work: &Self, ranks: f64| work.step(network, 1.0) / (ranks * work.step(network, ranks));
        let with = |ranks: u32| {
            let many = f64::from(ranks);
            Efficiency { ranks, strong: of(self, many), weak: of(&self.times(many), many) }
        };
        RANKS.map(with).to_vec()
    }
}

pub(crate) fn table(network: &Network, efficiencies: &[Efficiency]) -> String {
    let (latency, speed) = (network.latency * 1.0e6, network.bytes_per_second / 1.0e9);
    let mut lines = vec![
        format!(
            "modeled, not measured: more ranks that communicate like the first two, with \
             {latency:.1} µs and {speed:.1} GB/s"
        ),
        "ranks   this crowd   as many agents on each".into(),
    ];
    lines.extend(efficiencies.iter().map(|Efficiency { ranks, strong, weak }| {
        format!("{ranks:5} {:10.1} % {:22.1} %", 100.0 * strong, 100.0 * weak)
    }));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORK: Work = Work {
        axes: 2.0,
        agents: 1.0e8,
        seconds_per_agent: 16.0e-9,
        rows: 4400.0,
        reach: 1.0,
        bytes_per_ghost: 16.0,
        migrant_bytes: 14_000.0,
        passes: 0.0,
    };

    #[test]
    fn whole_rows_and_messages_cost_more_the_more_ranks_there_are() {
        let network = Network { latency: 2.0e-6, bytes_per_second: 12.5e9 };
        let efficiencies = WORK.efficiencies(&network);
        assert!(efficiencies.is_sorted_by(|fewer, more| fewer.strong >= more.strong));
        assert!(efficiencies[0].strong > 0.99 && efficiencies[0].weak > 0.99);
        assert!((0.75..0.87).contains(&efficiencies[5].strong), "{efficiencies:?}");
        assert!(efficiencies[5].weak > 0.9, "{efficiencies:?}");
    }

    /// Regression: a crowd with depth grew by the rules of flat crowds.
    #[test]
    fn rows_and_borders_of_larger_crowds_depend_on_the_number_of_axes() {
        let grown = |axes, factor| {
            let Work { rows, reach, migrant_bytes, .. } = Work { axes, ..WORK }.times(factor);
            [rows / WORK.rows, reach / WORK.reach, migrant_bytes / WORK.migrant_bytes]
        };
        // The world becomes twice as long along each axis.
        for (axes, factor, expected) in [(2.0, 4.0, [2.0, 1.0, 2.0]), (3.0, 8.0, [4.0, 2.0, 4.0])] {
            let ratios = grown(axes, factor);
            let close = ratios.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1.0e-9);
            assert!(close, "{ratios:?} instead of {expected:?}");
        }
    }

    #[test]
    fn a_network_without_cost_leaves_the_cost_of_whole_rows() {
        let network = Network { latency: 0.0, bytes_per_second: f64::INFINITY };
        let even = Work { rows: 4096.0, ..WORK };
        for efficiency in even.efficiencies(&network) {
            assert!((efficiency.strong - 1.0).abs() < 1.0e-9, "{efficiency:?}");
        }
    }
}
