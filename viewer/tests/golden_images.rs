//! Golden pictures: every scene must be drawn exactly as when the table was made.
//!
//! A scene's state is the same on every machine, and so is its picture: drawing uses only
//! operations that are exact everywhere (sums, products, quotients, roots),
//! with or without optimization, and for any instruction set.
//!
//! After an intended change, inspect the pictures that the test writes,
//! and paste the printed table here.

use std::path::Path;
use std::process::Command;

use flockwork::Scene;
use flockwork::cpu::{LEVEL_VARIABLE, Level};
use rayon::prelude::*;

const MAX_AGENTS: usize = 5_000;
const SIZE: [usize; 2] = [320, 192];

/// Color modes of the explained pictures; scenes alternate between the modes.
const COLORS: [&str; 2] = ["speed", "species"];

/// Scene, number of agents, hash of the plain picture,
/// hash of the picture with trails and an explained agent.
#[rustfmt::skip]
const GOLDENS: &[(&str, usize, [u64; 2])] = &[
    ("stress", 5000, [0x89bd_d165_0abb_c64c, 0xc78e_01b7_789c_7832]),
    ("flock", 600, [0xb1e7_21ef_7847_c6a1, 0x179f_fcfb_e75c_2513]),
    ("big-shoal", 300, [0x73ab_aeba_e7cb_c7d4, 0xb8f8_cb7d_3d2b_a03f]),
    ("another-big-shoal", 300, [0x5ebb_e6da_d081_6da1, 0xa5c6_0ef6_4658_b795]),
    ("zombies", 150, [0x658e_a2c7_5948_d1bc, 0x74c1_b01d_080c_014b]),
    ("sheepdog", 21, [0xa768_7aac_5ed5_3187, 0xc742_f429_bba1_635f]),
    ("leader", 41, [0x88d2_d6f4_d1ea_b7b5, 0x4b82_369b_f949_a017]),
    ("birds", 403, [0x5ebc_de37_4c32_e24d, 0x896b_4da1_b4d1_ec6b]),
    ("boids", 400, [0x5530_9ddc_244d_c613, 0xa01f_7d8a_1064_b218]),
    ("flock-rules", 500, [0xe777_4238_8690_b987, 0xfba3_1c4f_1037_d338]),
    ("stress-clustered", 5000, [0x625a_76d5_b996_c157, 0x7997_e4dd_d768_23ab]),
    ("heavy", 5000, [0x4005_ecf4_ab6c_61cb, 0x786f_9a66_8aa8_4cee]),
    ("seek", 80, [0x9012_08db_0c95_39e0, 0xc626_9d55_15eb_0235]),
    ("flee", 150, [0x2f76_2d70_fe6f_3c99, 0x98cd_1703_37d4_5902]),
    ("arrive", 18, [0xc42f_113f_4e1b_c80f, 0x80e0_9f8d_0e8d_c21d]),
    ("pursuit", 13, [0xdc33_a9c4_50ab_7fa5, 0xd482_3820_83fc_3ba6]),
    ("evade", 121, [0x8f8c_9b4b_54e5_4786, 0xe803_d25c_e4fe_41a2]),
    ("wander", 24, [0x2eae_ccb9_bb3b_61ad, 0xacc6_23a7_66a6_d2fc]),
    ("interpose", 4, [0x7a78_aa6f_a8a6_1a9c, 0xff15_cb34_6573_881b]),
    ("hide", 13, [0x56a4_2f52_a4a3_8228, 0xddb7_8a8b_f53b_72d7]),
    ("offset-pursuit", 4, [0xad89_e24b_9870_a270, 0x8722_270a_041d_0d77]),
    ("leader-following", 25, [0x00fc_672c_13de_ff4a, 0x3435_ba42_bc40_6424]),
    ("path-following", 22, [0xd3d5_c15b_718e_c775, 0x683e_a356_a0ea_ce6f]),
    ("stay-on-path", 60, [0x9ec1_deac_cae0_3911, 0x7c2c_b08d_d7e6_6327]),
    ("flow-field", 200, [0x9708_3079_5a06_4822, 0x8bd0_e5ed_d727_30fe]),
    ("obstacle-avoidance", 40, [0x5d50_c0d9_87e4_8169, 0x6372_b0a9_8a65_24b6]),
    ("look-ahead", 40, [0x97a8_9724_c9dd_9f27, 0x968b_3b12_98ac_b429]),
    ("wall-avoidance", 50, [0x1b7f_bb5f_b3f8_70e6, 0x96a3_2198_622c_c1d7]),
    ("containment", 80, [0x491d_6630_61a8_ad23, 0x5a30_5dca_7929_3de0]),
    ("collision-avoidance", 90, [0x4df7_4ac5_1524_e528, 0x6140_9790_9272_ae80]),
    ("velocity-matching", 200, [0xdf43_bf50_737c_b21c, 0xf39f_c359_8f6c_627d]),
    ("sharks", 303, [0x52cb_43e5_c13f_9d01, 0xf2f7_a230_59c2_842f]),
    ("non-penetration", 300, [0xfb8c_7a3c_dcc4_6bfe, 0x6a6c_4fd0_28a8_a914]),
    ("evacuation", 2000, [0x50eb_4b89_5e26_1fb4, 0xdbb8_8377_2bf3_8d15]),
    ("routes", 2000, [0xf361_5775_b80b_66c9, 0xb0c1_2026_1242_50a5]),
    ("birds-3d", 2001, [0xbb6e_890e_1c4e_0cf4, 0xaaa7_b210_5861_ee13]),
    ("reef", 1201, [0x0354_f938_0d32_f241, 0x8ba1_4011_2a79_22d1]),
    ("stress-3d", 5000, [0x417f_9bad_22d8_acfa, 0xab81_e473_efef_93f9]),
];

/// FNV-1a over the color channels, without alpha.
fn hash(pixels: &[u8]) -> u64 {
    let colors = pixels.chunks(4).flat_map(|pixel| &pixel[..3]);
    colors.fold(0xcbf2_9ce4_8422_2325, |hash, &value| {
        (hash ^ u64::from(value)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns standard output: the picture's pixels if `out` is `-`.
fn draw(scene: &str, agents: usize, options: &[&str], threads: &str, out: &str) -> Vec<u8> {
    draw_at(Level::found(), scene, agents, options, threads, out)
}

fn draw_at(
    level: Level,
    scene: &str,
    agents: usize,
    options: &[&str],
    threads: &str,
    out: &str,
) -> Vec<u8> {
    let [width, height] = SIZE;
    let output = Command::new(env!("CARGO_BIN_EXE_flockwork-viewer"))
        .args(["--headless", "--scene", scene, "--agents", &agents.to_string()])
        .args(["--threads", threads, "--steps", "60", "--size", &format!("{width}x{height}")])
        .args(["--out", out])
        .args(options)
        // RAYON_NUM_THREADS sets the drawing threads, `--threads` the simulation's threads.
        .env("RAYON_NUM_THREADS", threads)
        .env(LEVEL_VARIABLE, level.name())
        .output()
        .expect("the viewer starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Drawing modes that small crowds do not use: options, number of agents, hash.
#[rustfmt::skip]
const LIGHT: &[(&str, usize, u64)] = &[
    ("--color heading", 100000, 0x520c_d776_2633_e8fe),
    ("--zoom 4", 20000, 0x62b9_63c0_10bc_3493),
    ("--zoom 3 --color species", 30000, 0x6736_aa32_b1ef_32ad),
    ("--trails 0.5", 3000, 0x8d52_385a_f831_3ed5),
    ("--trails 0.5 --color speed", 20000, 0xaf5b_e390_6a11_7c13),
];

#[test]
fn crowds_as_light_match_their_golden_pictures() {
    let levels: Vec<Level> = Level::available().collect();
    let drawn = LIGHT.par_iter().enumerate().map(|(number, &(options, agents, golden))| {
        let words: Vec<&str> = options.split(' ').collect();
        let picture = draw("stress", agents, &words, "1", "-");
        let level = levels[number % levels.len()];
        let again = draw_at(level, "stress", agents, &words, "3", "-");
        assert!(again == picture, "{options}, on three threads with {level}");
        let hash = hash(&picture);
        let redraw = |file: &str| drop(draw("stress", agents, &words, "1", file));
        let changed = kept_if(hash != golden, &format!("light-{number}"), redraw);
        (changed, format!("    ({options:?}, {agents}, 0x{hash:016x}),\n"))
    });
    assert_unchanged(drawn.unzip());
}

#[test]
fn scenes_match_their_golden_pictures() {
    let names: Vec<&str> = Scene::names().collect();
    let drawn = names.into_par_iter().enumerate().map(|(number, name)| {
        let golden = GOLDENS.iter().find(|(known, ..)| *known == name);
        let agents = Scene::named(name).expect("a scene").agents_at_start().min(MAX_AGENTS);
        let color = COLORS[number % COLORS.len()];
        let explained: &[&str] = &["--explain", "0", "--trails", "1", "--color", color];
        let mut changed = String::new();
        let [plain, explained] = [0, 1].map(|k| {
            let (kind, options) = [("plain", &[][..]), ("explained", explained)][k];
            let picture = draw(name, agents, options, "1", "-");
            assert_eq!(picture.len(), SIZE[0] * SIZE[1] * 4);
            let again = draw(name, agents, options, "2", "-");
            assert!(again == picture, "{name}, {kind}, on two threads");
            let hash = hash(&picture);
            let same = golden.is_some_and(|(_, n, known)| *n == agents && known[k] == hash);
            let redraw = |file: &str| drop(draw(name, agents, options, "1", file));
            changed += &kept_if(!same, &format!("{name}-{kind}"), redraw);
            hash
        });
        let row = format!("    ({name:?}, {agents}, [0x{plain:016x}, 0x{explained:016x}]),\n");
        (changed, row)
    });
    assert_unchanged(drawn.unzip());
}

fn kept_if(changed: bool, name: &str, draw: impl Fn(&str)) -> String {
    if !changed {
        return String::new();
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
    draw(&file.display().to_string());
    format!("{}\n", file.display())
}

fn assert_unchanged((changed, table): (Vec<String>, Vec<String>)) {
    let (changed, table) = (changed.concat(), table.concat());
    assert!(changed.is_empty(), "pictures differ:\n{changed}this build gives the table\n{table}");
}
