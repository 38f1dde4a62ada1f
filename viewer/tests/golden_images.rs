//! Golden pictures: every scene is drawn exactly as when the table was made.
//!
//! A scene's state is the same on every machine, and so is its picture: it is drawn with operations
//! that are exact everywhere (sums, products, quotients, roots), with or without optimization, and
//! for any instruction set.
//!
//! After an intended change, look at the pictures that the test writes and put the printed table
//! here.

use std::path::Path;
use std::process::Command;

use flockwork::Scene;
use flockwork::cpu::{LEVEL_VARIABLE, Level};
use rayon::prelude::*;

const MAX_AGENTS: usize = 5_000;
const SIZE: [usize; 2] = [320, 192];

/// The color mode of the second picture, varied from scene to scene.
const COLORS: [&str; 2] = ["speed", "species"];

/// Scene, number of agents, hashes of its plain picture and of one with trails and an explained
/// agent.
#[rustfmt::skip]
const GOLDENS: &[(&str, usize, [u64; 2])] = &[
    ("stress", 5000, [0x735b_181e_a1b2_41bd, 0xd487_38e8_0cc3_494c]),
    ("flock", 600, [0x5f6b_e544_a08c_3b9b, 0x5e88_634d_f31b_9864]),
    ("big-shoal", 300, [0x0d50_a25e_e20e_0748, 0xd60c_84c8_312c_610c]),
    ("another-big-shoal", 300, [0x2cc4_433b_86a3_d4ee, 0x7970_c62c_dcba_6c7e]),
    ("zombies", 150, [0x589c_53dc_6e75_b569, 0x3ec3_1c42_9042_d387]),
    ("sheepdog", 21, [0xc1aa_7017_5cd2_3245, 0x736a_0a66_e9f5_0118]),
    ("leader", 41, [0x8961_c276_649e_bc69, 0x0050_366a_3fb9_8959]),
    ("birds", 403, [0x0f2c_004e_105c_fdf6, 0x69b8_42e1_7f50_4e07]),
    ("flock-rules", 500, [0x1cda_b737_6238_4eb2, 0x9369_6e8a_ef64_f4ba]),
    ("stress-clustered", 5000, [0xd30e_6a32_ec7c_5694, 0xa273_77f0_9d8b_5478]),
    ("heavy", 5000, [0xa586_2e3f_2f90_81bd, 0xab2e_335a_198c_14dd]),
    ("seek", 80, [0x391a_781a_1c29_cc99, 0xaa09_8758_6c6e_574a]),
    ("flee", 150, [0xdf5c_72df_3484_ec3c, 0xacf7_c0dc_8a12_4939]),
    ("arrive", 18, [0x1a44_1144_047f_9b25, 0x8cd1_aa8d_480e_0461]),
    ("pursuit", 13, [0x2a97_e627_d6cf_05ba, 0x14cf_0c3c_150a_c918]),
    ("evade", 121, [0xe17c_f64a_921d_63aa, 0x2640_e3ee_ed86_3b10]),
    ("wander", 24, [0x226e_7710_aedc_2e19, 0x1a82_0347_d4db_5b47]),
    ("interpose", 4, [0x2817_c202_d942_6de9, 0xbb98_0661_e977_527f]),
    ("hide", 13, [0xa8dc_9027_6d3d_0739, 0x09e5_16de_41c6_dc59]),
    ("offset-pursuit", 4, [0x01f3_90a0_a6b6_2ae6, 0x05b6_4163_ad1a_c32d]),
    ("leader-following", 25, [0xfcf6_c4da_df79_b08e, 0x84ab_a994_417f_8c1e]),
    ("path-following", 22, [0x0f02_ea63_116b_76c2, 0xc731_1552_d0f2_1b41]),
    ("stay-on-path", 60, [0x27e4_b40b_fb25_c026, 0xb5ed_2f86_20f2_d9fb]),
    ("flow-field", 200, [0xd50d_218a_6a52_1519, 0x3715_8724_a564_021f]),
    ("obstacle-avoidance", 40, [0x2768_dc17_9f59_90c3, 0x22af_302b_5a0a_9516]),
    ("look-ahead", 40, [0x8f12_071f_73fc_f341, 0x6b50_0264_e384_1253]),
    ("wall-avoidance", 50, [0xa53c_8c87_49fb_7bae, 0x1e2a_ce05_be9f_66b5]),
    ("containment", 80, [0x7e7b_62ef_c76b_5c19, 0xbcde_dd5e_6f46_d9a1]),
    ("collision-avoidance", 90, [0xccb5_5572_bdb7_75a7, 0x0f22_1c93_f373_bfc8]),
    ("velocity-matching", 200, [0x313f_9b54_cb71_d7bf, 0x347b_1502_e70d_6f28]),
    ("non-penetration", 300, [0x6f98_1ad4_1a08_f73e, 0xec95_9948_bd47_84d2]),
    ("sharks", 303, [0xdb6b_c38b_0827_729d, 0x90d5_0c26_8f1c_4b6b]),
];

/// FNV-1a of the colors.
fn hash(pixels: &[u8]) -> u64 {
    let colors = pixels.chunks(4).flat_map(|pixel| &pixel[..3]);
    colors.fold(0xcbf2_9ce4_8422_2325, |hash, &value| {
        (hash ^ u64::from(value)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Draws on this many threads; returns standard output, which is the picture if `out` is `-`.
fn draw(scene: &str, agents: usize, options: &[&str], threads: &str, out: &str) -> Vec<u8> {
    draw_at(Level::found(), scene, agents, options, threads, out)
}

/// [`draw`] with the instructions of a level.
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
        // The threads that draw.
        .env("RAYON_NUM_THREADS", threads)
        .env(LEVEL_VARIABLE, level.name())
        .output()
        .expect("the viewer starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The ways of drawing that a small crowd does not show: options, number of agents, hash.
#[rustfmt::skip]
const LIGHT: &[(&str, usize, u64)] = &[
    ("--color heading", 100000, 0xa4ea_86c2_9323_0e3d),
    ("--zoom 4", 20000, 0xaee7_58ec_2882_c55f),
    ("--zoom 3 --color species", 30000, 0xdf5a_da60_4627_3e0a),
    ("--trails 0.5", 3000, 0x5a6a_dba1_480b_f95c),
    ("--trails 0.5 --color speed", 20000, 0x4413_f502_eeb8_177b),
];

#[test]
fn crowds_as_light_match_their_golden_pictures() {
    let levels: Vec<Level> = Level::available().collect();
    let drawn = LIGHT.par_iter().enumerate().map(|(number, &(options, agents, golden))| {
        let words: Vec<&str> = options.split(' ').collect();
        let picture = draw("stress", agents, &words, "1", "-");
        // Every level that this processor has, in turn.
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
        let agents = Scene::named(name).expect("a scene").agent_count().min(MAX_AGENTS);
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

/// Draws a picture that has changed to a file; returns the file's name on a line.
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
