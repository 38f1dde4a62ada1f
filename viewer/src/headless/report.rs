//! What every headless run reports.

use flockwork::{Partition, Simulation};
use serde_json::{Value, json};

use crate::options::Options;
use crate::picture::explanation::{self, Explained};

/// Which run this was, and where it came to.
pub(super) fn identity(simulation: &Simulation, options: &Options) -> Value {
    let scene = simulation.scene();
    json!({
        "scene": scene.name,
        "agents": simulation.len(),
        "steps": simulation.tick(),
        "seed": scene.seed,
        "size": [options.size.0, options.size.1],
        "partition": partition_name(simulation.partition()),
        "threads": simulation.threads(),
        "state_hash": format!("{:016x}", simulation.state_hash()),
    })
}

/// As `--partition` calls it.
pub(super) fn partition_name(partition: Partition) -> &'static str {
    match partition {
        Partition::Cells => "cells",
        Partition::AllPairs => "all-pairs",
    }
}

/// Says in words what the arrows show.
pub(super) fn reasons(explained: &Explained) -> Vec<String> {
    let size = |force: [f32; 2]| force[0].hypot(force[1]);
    let why = &explained.why;
    let (force, neighbors) = (size(why.force), why.neighbors.len());
    let head = format!("agent {}: force {force:.1}, {neighbors} neighbors", explained.id.index);
    let parts = why.contributions.iter().map(|part| {
        let (color, _) = explanation::color(part.number);
        let (kept, all) = (size(part.kept), size(part.force));
        format!("  {:<20} {color:<9} {kept:>8.1} of {all:.1}", part.behavior)
    });
    let unreached = why.unreached.iter().map(|(number, behavior)| {
        let (color, _) = explanation::color(*number);
        format!("  {behavior:<20} {color:<9} not reached")
    });
    std::iter::once(head).chain(parts).chain(unreached).collect()
}
