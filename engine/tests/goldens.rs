//! Golden state hashes, equal on every machine and in every build.
//!
//! `.ci/run` repeats this test without optimization and in release. If a change to a kernel is
//! meant to alter the last bits, put the printed table here and the reason in the changelog.

use flockwork::cpu::Level;
use flockwork::{Method, Partition, Scene};

const STEPS: u64 = 120;
const MAX_AGENTS: usize = 6_000;

/// Scene, number of agents, and hash after [`STEPS`] steps.
const GOLDENS: &[(&str, usize, u64)] = &[
    ("stress", 6000, 0xe136_5a42_b16a_6fdb),
    ("flock", 600, 0xde16_2584_ba3f_1d44),
    ("big-shoal", 300, 0xe275_6331_721d_c9ec),
    ("another-big-shoal", 300, 0xe1be_5b1c_8cb8_f638),
    ("zombies", 150, 0x687e_7ce8_19d1_ecc8),
    ("sheepdog", 21, 0x3f3f_8833_c4c0_ac0f),
    ("leader", 41, 0x9f5a_45f9_b3b3_16cc),
    ("birds", 403, 0x90d9_f26b_f1f9_9c91),
    ("boids", 400, 0x857d_7f10_cb86_ec8c),
    ("flock-rules", 500, 0xc0e6_ef18_92b2_17c8),
    ("stress-clustered", 6000, 0x3da1_6a2f_a41c_83ad),
    ("heavy", 6000, 0x5d82_5dca_cb0c_7b49),
    ("seek", 80, 0x27c1_2b70_2d14_fcb8),
    ("flee", 150, 0x55a3_098a_6691_c3e3),
    ("arrive", 18, 0xeb05_4280_7461_3ee1),
    ("pursuit", 13, 0xc9f2_7fa4_578f_ff58),
    ("evade", 121, 0xd43b_e22f_1556_713b),
    ("wander", 24, 0x0457_d3e4_238b_dd01),
    ("interpose", 4, 0x7130_4f17_77b1_04cb),
    ("hide", 13, 0x866d_2aea_e870_1862),
    ("offset-pursuit", 4, 0x7590_8bee_7abb_495b),
    ("leader-following", 25, 0x113d_aaed_121a_d537),
    ("path-following", 22, 0x63aa_cc11_648b_a69b),
    ("stay-on-path", 60, 0x9317_ed66_d68f_7920),
    ("flow-field", 200, 0xa784_a92d_f89b_fdec),
    ("obstacle-avoidance", 40, 0xa5af_9b9c_5e85_0711),
    ("look-ahead", 40, 0x255f_eb72_127b_9869),
    ("wall-avoidance", 50, 0x1245_b66d_c2a7_0c2b),
    ("containment", 80, 0xa51d_e97f_365d_c988),
    ("collision-avoidance", 90, 0x3891_b872_55e1_0971),
    ("velocity-matching", 200, 0x208b_dd17_e1b1_a40b),
    ("non-penetration", 300, 0xa19e_f1bc_8093_6366),
    ("sharks", 303, 0xa825_d9d8_0e5b_02bf),
    ("evacuation", 2000, 0x4e64_017f_f854_f915),
    ("routes", 2000, 0xc7d4_9d74_4351_cfd7),
    ("birds-3d", 2001, 0x0995_3247_9875_ea7d),
    ("reef", 1201, 0x3392_99a2_c76d_b430),
    ("stress-3d", 6000, 0x9bf6_975f_059a_7e42),
];

#[test]
fn scenes_reach_their_golden_hashes() {
    assert_goldens(&[Level::used().unwrap()]);
}

#[test]
fn scenes_reach_their_golden_hashes_at_the_other_levels() {
    let used = Level::used().unwrap();
    let others: Vec<Level> = Level::available().filter(|level| *level != used).collect();
    assert_goldens(&others);
}

fn assert_goldens(levels: &[Level]) {
    let mut table = String::new();
    let mut all_match = true;
    for name in Scene::names() {
        let golden = GOLDENS.iter().find(|(known, ..)| *known == name);
        let agents = Scene::named(name).unwrap().agents_at_start().min(MAX_AGENTS);
        let scene = Scene::named(name).map(|scene| scene.agents(agents)).unwrap();
        for &level in levels {
            let mut simulation = scene.build().unwrap();
            simulation.set_execution(simulation.execution().level(level)).unwrap();
            simulation.run(STEPS).unwrap();
            let hash = simulation.state_hash();
            all_match &= golden == Some(&(name, agents, hash));
            table += &format!("    ({name:?}, {agents}, 0x{hash:016x}), // {level}\n");
        }
    }
    assert!(all_match, "golden hashes differ; this build gives\n{table}");
}

/// Compares every method, partition and level after fewer steps.
#[test]
fn every_method_reaches_the_same_hash_at_every_level() {
    for name in Scene::names() {
        let hash = |level: Level, method: Method, partition: Partition| {
            let scene = Scene::named(name).map(|scene| scene.agents(300)).unwrap();
            let mut simulation = scene.build().unwrap();
            simulation
                .set_execution(
                    simulation.execution().level(level).method(method).partition(partition),
                )
                .unwrap();
            simulation.run(20).unwrap();
            simulation.state_hash()
        };
        let reference = hash(Level::Baseline, Method::Scalar, Partition::AllPairs);
        for level in Level::available() {
            for method in Method::ALL {
                for partition in [Partition::Cells, Partition::AllPairs] {
                    assert_eq!(
                        hash(level, method, partition),
                        reference,
                        "{name}, {level}, {method:?}, {partition:?}"
                    );
                }
            }
        }
    }
}
