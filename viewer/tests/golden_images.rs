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
    ("stress", 5000, [0x6180_0f8e_7608_036b, 0x92c9_5693_3bd1_1a02]),
    ("flock", 600, [0x3364_24ec_ba2e_7e67, 0x5e88_634d_f31b_9864]),
    ("big-shoal", 300, [0x88cf_4cca_d60d_c9f7, 0x4c72_6fd9_66ff_8968]),
    ("another-big-shoal", 300, [0x0f07_d756_03af_aa84, 0x8b1b_e188_d813_7ceb]),
    ("zombies", 150, [0x11bb_cacb_c19d_5e32, 0xd655_6c06_72ae_b11e]),
    ("sheepdog", 21, [0x6c49_5e0c_3ac9_a5a9, 0x7553_27f3_d09f_3617]),
    ("leader", 41, [0x6f2d_173d_035e_f960, 0x2301_638e_b312_060a]),
    ("birds", 403, [0x1db0_7c0c_fa65_53b4, 0xb91a_5806_f32f_90b3]),
    ("flock-rules", 500, [0x0b3b_cc7d_558c_d732, 0x9369_6e8a_ef64_f4ba]),
    ("stress-clustered", 5000, [0xc9e4_3084_3042_d365, 0x16f0_af1a_d573_68dd]),
    ("heavy", 5000, [0x18b7_200e_855e_d224, 0x219b_2998_14ef_91f7]),
    ("seek", 80, [0xba2d_ea90_6ee6_360d, 0xaa09_8758_6c6e_574a]),
    ("flee", 150, [0xa61a_f8dd_a210_286d, 0xacf7_c0dc_8a12_4939]),
    ("arrive", 18, [0x067a_98aa_47f0_d582, 0x3802_f445_9edb_741c]),
    ("pursuit", 13, [0x8b26_48f4_8447_a520, 0xf7b5_bf5b_7435_fc09]),
    ("evade", 121, [0x3f44_c4cc_6c5a_c7e3, 0x578c_05a5_6cc3_cfdd]),
    ("wander", 24, [0x9392_a43c_f8db_4dec, 0xa340_e0ad_94cb_a3da]),
    ("interpose", 4, [0xbf71_88b5_f02a_1f21, 0x6467_2316_9af4_2c28]),
    ("hide", 13, [0x2f27_1058_45ea_cfa8, 0xbb6a_c913_5547_c559]),
    ("offset-pursuit", 4, [0xbe7d_7480_4282_d9eb, 0x2ccf_59ce_f1e6_4383]),
    ("leader-following", 25, [0x2793_eb78_8eec_a712, 0xdd21_9660_a9cf_4463]),
    ("path-following", 22, [0xa8aa_67b6_cefb_420a, 0x62fa_8d08_4d5a_bbfb]),
    ("stay-on-path", 60, [0xa099_6397_dd57_46d9, 0x6bcd_b936_1591_f6c5]),
    ("flow-field", 200, [0xb389_4744_aa1d_1ae8, 0x3715_8724_a564_021f]),
    ("obstacle-avoidance", 40, [0x4aba_545d_a4de_5eb6, 0xf4d6_d545_577b_952d]),
    ("look-ahead", 40, [0xa27e_9465_912a_3d88, 0xd8de_7643_7881_d810]),
    ("wall-avoidance", 50, [0x3f54_91b6_0c06_0387, 0xbed4_5a8a_351d_ed4c]),
    ("containment", 80, [0xec82_2eca_1749_0839, 0xbcde_dd5e_6f46_d9a1]),
    ("collision-avoidance", 90, [0x0fc5_d2b8_79cf_5706, 0x755e_078f_6619_0d47]),
    ("velocity-matching", 200, [0x235b_fb5c_7681_7119, 0x347b_1502_e70d_6f28]),
    ("non-penetration", 300, [0x91f4_eba4_716c_ecb5, 0xec95_9948_bd47_84d2]),
    ("sharks", 303, [0xbb80_373a_ae7d_0223, 0x57cf_d8ef_ffb1_e1dc]),
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
    ("--color heading", 100000, 0x9593_5b28_0192_0340),
    ("--zoom 4", 20000, 0x840e_d602_676b_f116),
    ("--zoom 3 --color species", 30000, 0xcbd1_6a87_91df_9681),
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
