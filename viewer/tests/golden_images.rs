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
const COLORS: [&str; 4] = ["speed", "force", "density", "species"];

/// Scene, number of agents, hashes of its plain picture and of one with trails and an explained
/// agent.
#[rustfmt::skip]
const GOLDENS: &[(&str, usize, [u64; 2])] = &[
    ("stress", 5000, [0x6180_0f8e_7608_036b, 0x92c9_5693_3bd1_1a02]),
    ("flock", 600, [0x3364_24ec_ba2e_7e67, 0x2ee4_895c_2cd3_14ef]),
    ("big-shoal", 300, [0x88cf_4cca_d60d_c9f7, 0xc88e_e561_60ba_6eb9]),
    ("another-big-shoal", 300, [0x0f07_d756_03af_aa84, 0x8b1b_e188_d813_7ceb]),
    ("zombies", 150, [0x11bb_cacb_c19d_5e32, 0xd655_6c06_72ae_b11e]),
    ("sheepdog", 21, [0x6c49_5e0c_3ac9_a5a9, 0x3318_df8f_18d1_9b87]),
    ("leader", 41, [0x6f2d_173d_035e_f960, 0x2508_468a_05e6_2519]),
    ("birds", 403, [0x1db0_7c0c_fa65_53b4, 0xb91a_5806_f32f_90b3]),
    ("flock-rules", 500, [0x0b3b_cc7d_558c_d732, 0x9369_6e8a_ef64_f4ba]),
    ("stress-clustered", 5000, [0xc9e4_3084_3042_d365, 0x751b_e0ce_ad4c_aceb]),
    ("heavy", 5000, [0x18b7_200e_855e_d224, 0x8782_2606_5301_b23e]),
    ("seek", 80, [0xba2d_ea90_6ee6_360d, 0xaa09_8758_6c6e_574a]),
    ("flee", 150, [0xa61a_f8dd_a210_286d, 0xacf7_c0dc_8a12_4939]),
    ("arrive", 18, [0x067a_98aa_47f0_d582, 0xb182_bc2e_7fa9_28ab]),
    ("pursuit", 13, [0x8b26_48f4_8447_a520, 0x032b_407e_0f28_7e6c]),
    ("evade", 121, [0x3f44_c4cc_6c5a_c7e3, 0x578c_05a5_6cc3_cfdd]),
    ("wander", 24, [0x9392_a43c_f8db_4dec, 0xa340_e0ad_94cb_a3da]),
    ("interpose", 4, [0xbf71_88b5_f02a_1f21, 0x70a5_cde9_dfcd_5f3f]),
    ("hide", 13, [0x2f27_1058_45ea_cfa8, 0x8e62_9bda_5955_5354]),
    ("offset-pursuit", 4, [0xbe7d_7480_4282_d9eb, 0x2ccf_59ce_f1e6_4383]),
    ("leader-following", 25, [0x2793_eb78_8eec_a712, 0xdd21_9660_a9cf_4463]),
    ("path-following", 22, [0xa8aa_67b6_cefb_420a, 0x646b_4461_6b38_f45a]),
    ("stay-on-path", 60, [0xa099_6397_dd57_46d9, 0x0473_49f7_993e_09b1]),
    ("flow-field", 200, [0xb389_4744_aa1d_1ae8, 0x3715_8724_a564_021f]),
    ("obstacle-avoidance", 40, [0x4aba_545d_a4de_5eb6, 0xf4d6_d545_577b_952d]),
    ("look-ahead", 40, [0xa27e_9465_912a_3d88, 0xd572_e793_7572_dc67]),
    ("wall-avoidance", 50, [0x3f54_91b6_0c06_0387, 0xd61d_ca6b_fe35_be45]),
    ("containment", 80, [0xec82_2eca_1749_0839, 0xbcde_dd5e_6f46_d9a1]),
    ("collision-avoidance", 90, [0x0fc5_d2b8_79cf_5706, 0x755e_078f_6619_0d47]),
    ("velocity-matching", 200, [0x235b_fb5c_7681_7119, 0xe35e_905d_44d4_e0c6]),
    ("non-penetration", 300, [0x91f4_eba4_716c_ecb5, 0xec95_9948_bd47_84d2]),
    ("sharks", 303, [0xbb80373aae7d0223, 0xff19215acb6efc87]),
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
    ("--flow on", 30000, 0x7328_1ff7_549d_18fe),
    ("--flow auto", 100000, 0x2ca4_cab2_1da8_8a13),
    ("--flow off", 100000, 0x9593_5b28_0192_0340),
    ("--flow off --zoom 4", 20000, 0x840e_d602_676b_f116),
    ("--flow on --zoom 3 --color species", 30000, 0x22d9_f3f1_3327_5423),
    ("--trails 0.5", 3000, 0xf2ea_5c44_5e0a_5c9f),
    ("--trails 0.5 --color speed", 20000, 0x2947_f3e0_4c0d_bce0),
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
