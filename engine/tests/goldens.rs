//! Golden state hashes: the same on every machine, in every build.
//!
//! `.ci/run` repeats this test without optimization, in release, and for other instruction
//! sets. When a change of a kernel is meant to change last bits, put the printed table here
//! and the reason in the changelog.

use flockwork::{LaneWidth, Method, Partition, Scene};

const STEPS: u64 = 120;
const MOST_AGENTS: usize = 6_000;

/// Scene, number of agents, hash after [`STEPS`] steps.
const GOLDENS: &[(&str, usize, u64)] = &[
    ("stress", 6000, 0x6a0d_267a_a7a3_9beb),
    ("flock", 600, 0x7524_c1ac_9f89_81fa),
    ("big-shoal", 300, 0xc217_b517_54e9_5a5f),
    ("another-big-shoal", 300, 0xdf56_ef9d_78f9_84fc),
    ("zombies", 150, 0x687e_7ce8_19d1_ecc8),
    ("sheepdog", 21, 0x6a8f_78bf_ad16_6654),
    ("leader", 41, 0xbe18_1e81_5963_74f0),
    ("birds", 400, 0x6d9d_d898_e85d_5061),
    ("flock-rules", 500, 0xc0e6_ef18_92b2_17c8),
    ("stress-clustered", 6000, 0xb204_cdf2_fbf0_354b),
    ("heavy", 6000, 0xd9c7_f6ab_2f70_6b0c),
    ("seek", 80, 0x38ee_8921_7456_64d7),
    ("flee", 150, 0x32f3_cc8e_7610_fc88),
    ("arrive", 18, 0xeb05_4280_7461_3ee1),
    ("pursuit", 13, 0xb216_d924_1c05_907e),
    ("evade", 121, 0x906b_2267_ffc2_a947),
    ("wander", 36, 0xe6d8_b38d_c789_3c7a),
    ("interpose", 4, 0xa5f0_5ea3_266e_08f4),
    ("hide", 13, 0xd67c_f133_3974_050e),
    ("offset-pursuit", 21, 0x8d49_3c7a_7a96_2896),
    ("leader-following", 25, 0xa840_6abc_3de4_52ed),
    ("path-following", 22, 0x8536_40c4_16d0_fbb3),
    ("stay-on-path", 60, 0x666a_7a2e_c8ae_38b3),
    ("flow-field", 200, 0x1efe_7b50_8c26_dd86),
    ("obstacle-avoidance", 40, 0x861c_99d5_520f_2c92),
    ("look-ahead", 40, 0x9e9b_0758_88a2_dc79),
    ("wall-avoidance", 50, 0x1c04_b89c_85b3_9f90),
    ("containment", 80, 0x6c16_5935_c18b_e35e),
    ("collision-avoidance", 90, 0xf681_c406_c345_0065),
    ("velocity-matching", 200, 0x0675_ad7e_285c_6480),
];

#[test]
fn scenes_reach_their_golden_hashes() {
    let mut table = String::new();
    let mut all_match = true;
    for name in Scene::names() {
        let golden = GOLDENS.iter().find(|(known, ..)| *known == name);
        let agents = Scene::named(name).unwrap().agent_count().min(MOST_AGENTS);
        let scene = Scene::named(name).and_then(|scene| scene.agents(agents)).unwrap();
        let mut simulation = scene.build().unwrap();
        simulation.run(STEPS).unwrap();
        let hash = simulation.state_hash();
        all_match &= golden == Some(&(name, agents, hash));
        table += &format!("    ({name:?}, {agents}, 0x{hash:016x}),\n");
    }
    assert!(all_match, "golden hashes differ; this build gives\n{table}");
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
