//! What every headless run reports.

use flockwork::{Partition, Simulation};
use serde_json::{Value, json};

use crate::options::Options;
use crate::picture::explanation::{self, Explained};

/// Which run this was, and its final state.
pub(super) fn identity(simulation: &Simulation, options: &Options) -> Value {
    let scene = simulation.scene();
    json!({
        "scene": scene.name,
        "agents": simulation.len(),
        "steps": simulation.tick(),
        "seed": scene.seed,
        "size": [options.size.0, options.size.1],
        "partition": match simulation.partition() {
            Partition::Auto | Partition::Cells => "cells",
            Partition::AllPairs => "all-pairs",
        },
        "threads": simulation.threads(),
        "state_hash": format!("{:016x}", simulation.state_hash()),
    })
}

/// Explains an agent in words.
pub(super) fn reasons(explained: &Explained) -> Vec<String> {
    let size = |force: [f32; 2]| force[0].hypot(force[1]);
    let why = &explained.why;
    let (force, neighbors) = (size(why.force), why.neighbors.len());
    let head = format!("agent {}: force {force:.1}, {neighbors} neighbors", explained.id.index);
    let contributions = why.contributions.iter().map(|contribution| {
        let (color, _) = explanation::color(contribution.number);
        let (kept, all) = (size(contribution.kept), size(contribution.force));
        format!("  {:<20} {color:<9} {kept:>8.1} of {all:.1}", contribution.behavior)
    });
    let unreached = why.unreached.iter().map(|(number, behavior)| {
        let (color, _) = explanation::color(*number);
        format!("  {behavior:<20} {color:<9} not reached")
    });
    std::iter::once(head).chain(contributions).chain(unreached).collect()
}
