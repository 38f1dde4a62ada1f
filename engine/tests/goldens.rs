//! Golden state hashes: the same on every machine, in every build.
//!
//! `.ci/run` repeats this test without optimization, in release, and for other instruction
//! sets. When a change of a kernel is meant to change last bits, put the printed table here
//! and the reason in the changelog.

use flockwork::{LaneWidth, Method, Partition, Scene};

const STEPS: u64 = 120;

/// Scene, number of agents, hash after [`STEPS`] steps.
const GOLDENS: &[(&str, usize, u64)] = &[
    ("flock", 600, 0x8022_eb2b_bd15_b1a7),
    ("stress", 6000, 0x15fc_0397_24b8_9533),
    ("birds", 400, 0x8a3f_390b_aeef_53af),
    ("flock-rules", 500, 0x98b2_c1da_9c57_6a91),
];

#[test]
fn scenes_reach_their_golden_hashes() {
    let mut table = String::new();
    let mut all_match = true;
    for &(name, agents, golden) in GOLDENS {
        let scene = Scene::named(name).and_then(|scene| scene.agents(agents)).unwrap();
        let mut simulation = scene.build().unwrap();
        simulation.run(STEPS).unwrap();
        let hash = simulation.state_hash();
        all_match &= hash == golden;
        table += &format!("    ({name:?}, {agents}, 0x{hash:016x}),\n");
    }
    assert!(all_match, "golden hashes differ; this build gives\n{table}");
    assert_eq!(GOLDENS.len(), Scene::names().len(), "every scene has a golden hash");
}

/// Fewer steps, every way to compute them: what a build for another instruction set has to
/// agree on with itself before it can agree with other builds.
#[test]
fn every_method_reaches_the_same_hash_in_this_build() {
    for name in Scene::names() {
        let hash = |method: Method, partition: Partition| {
            let scene = Scene::named(name).and_then(|scene| scene.agents(300)).unwrap();
            let mut simulation = scene.build().unwrap();
            simulation.set_method(method);
            simulation.set_partition(partition);
            simulation.run(20).unwrap();
            simulation.state_hash()
        };
        let reference = hash(Method::Reference, Partition::AllPairs);
        for width in LaneWidth::ALL {
            for partition in [Partition::Cells, Partition::AllPairs] {
                assert_eq!(
                    hash(Method::Kernels(width), partition),
                    reference,
                    "{name}, {width:?}, {partition:?}"
                );
            }
        }
    }
}
