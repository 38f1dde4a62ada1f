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
    ("stress", 5000, [0x37f2_56f0_655f_e2de, 0x75ba_7d8e_b2df_00db]),
    ("flock", 600, [0xb1e7_21ef_7847_c6a1, 0x8a1e_a9f1_7b9c_fe59]),
    ("big-shoal", 300, [0x9340_87be_34c6_65a5, 0xd714_8666_7154_1740]),
    ("another-big-shoal", 300, [0x51f4_b98e_8532_bccc, 0xc4da_ad8e_d0b2_e823]),
    ("zombies", 150, [0x658e_a2c7_5948_d1bc, 0x26d6_742a_e8dd_6a3c]),
    ("sheepdog", 21, [0xa768_7aac_5ed5_3187, 0xec90_1d69_5cd7_d838]),
    ("leader", 41, [0x513d_0efd_bc31_5740, 0x6bb1_8622_5424_e112]),
    ("birds", 403, [0x50a0_05c4_87ea_ff21, 0xd58c_628d_7c12_2db4]),
    ("flock-rules", 500, [0x8585_0fa7_e962_af5e, 0x540e_7e95_e230_928d]),
    ("stress-clustered", 5000, [0x96a5_b52f_e547_6d6c, 0x367e_1a27_02ae_1051]),
    ("heavy", 5000, [0x54d8_8a91_fc79_4d3a, 0x0a85_4f50_3f85_306c]),
    ("seek", 80, [0x9012_08db_0c95_39e0, 0xb5a2_5c7c_a598_5bed]),
    ("flee", 150, [0x2f76_2d70_fe6f_3c99, 0x8f54_8769_82bf_d469]),
    ("arrive", 18, [0xc42f_113f_4e1b_c80f, 0x8d31_28d9_9491_e9b5]),
    ("pursuit", 13, [0xdc33_a9c4_50ab_7fa5, 0x8777_ff4b_d535_c89c]),
    ("evade", 121, [0x8f8c_9b4b_54e5_4786, 0x671d_ae2e_b01d_c8ac]),
    ("wander", 24, [0x84e5_8184_ee2c_23b7, 0x4d6d_e05b_0a21_fb43]),
    ("interpose", 4, [0x37df_255c_2ab3_1793, 0x6ac1_f6e9_c12c_bf15]),
    ("hide", 13, [0x1b18_2ff7_9bd9_d10e, 0xfcdc_2817_71c1_e32c]),
    ("offset-pursuit", 4, [0xa79a_6fbf_12d2_6966, 0xa751_909a_1c79_84a0]),
    ("leader-following", 25, [0x486d_a430_26e3_d3fa, 0xa15e_91ca_7350_61b5]),
    ("path-following", 22, [0x27f7_99d2_3e3f_57b8, 0x2695_38bd_5160_7f02]),
    ("stay-on-path", 60, [0x9ec1_deac_cae0_3911, 0x6d59_5e4b_9e10_6617]),
    ("flow-field", 200, [0x9708_3079_5a06_4822, 0xfc64_f2ab_6154_09ac]),
    ("obstacle-avoidance", 40, [0x5d50_c0d9_87e4_8169, 0x2057_62be_85d7_9ed4]),
    ("look-ahead", 40, [0x97a8_9724_c9dd_9f27, 0x213e_847d_b8e4_909a]),
    ("wall-avoidance", 50, [0xf9a1_b24b_2b3f_0aac, 0xb016_25e0_5e4a_1729]),
    ("containment", 80, [0x491d_6630_61a8_ad23, 0x043e_3361_dffc_01f9]),
    ("collision-avoidance", 90, [0xd116_7261_0958_8789, 0x47ca_dba4_da01_f006]),
    ("velocity-matching", 200, [0xdf43_bf50_737c_b21c, 0xd5db_a0c3_fe98_4cc9]),
    ("non-penetration", 300, [0x0acc_45be_2497_362e, 0x4461_ddf9_b711_95fc]),
    ("sharks", 303, [0xab1a_1bff_6984_2c20, 0x2252_ee35_8335_93ff]),
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
    ("--color heading", 100000, 0x520c_d776_2633_e8fe),
    ("--zoom 4", 20000, 0xadd6_8ffc_eeb9_e36f),
    ("--zoom 3 --color species", 30000, 0xb3c9_3a8c_0f05_563b),
    ("--trails 0.5", 3000, 0x6109_37d3_107e_fc62),
    ("--trails 0.5 --color speed", 20000, 0xaf5b_e390_6a11_7c13),
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
