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

const MAX_AGENTS: usize = 5_000;
const SIZE: [usize; 2] = [320, 192];

/// The color mode of the second picture, varied from scene to scene.
const COLORS: [&str; 4] = ["speed", "force", "density", "species"];

/// Scene, number of agents, hashes of its plain picture and of one with trails and an explained
/// agent.
#[rustfmt::skip]
const GOLDENS: &[(&str, usize, [u64; 2])] = &[
    ("stress", 5000, [0xcae3_4dc5_973c_1796, 0x2c70_7e14_d873_684d]),
    ("flock", 600, [0x3b01_645c_ae05_7316, 0xf9ac_3c3e_83b3_cdda]),
    ("big-shoal", 300, [0x7a68_7f8f_4f03_c893, 0x59cf_1346_bd5e_3b1c]),
    ("another-big-shoal", 300, [0x7f57_0542_7c54_593f, 0x2ce4_3196_273e_3d9a]),
    ("zombies", 150, [0x1645_fee4_1301_7158, 0x0483_b267_9114_85e4]),
    ("sheepdog", 21, [0x8fdb_51f9_bca1_4959, 0x3a4b_5f37_cb90_ae38]),
    ("leader", 41, [0xfe8f_a4f6_4c09_8dd7, 0x69d9_bb83_6201_f84a]),
    ("birds", 400, [0x794a_0037_205b_6237, 0xdd53_e22e_cfbf_be97]),
    ("flock-rules", 500, [0x7372_7f73_e3c3_89a6, 0x96be_b57a_d70e_b6e1]),
    ("stress-clustered", 5000, [0x5f7d_080d_994d_86ae, 0x0a6f_b3f6_97e4_332e]),
    ("heavy", 5000, [0x0baf_5c82_dca3_a4f1, 0x7557_9b5d_2e94_3958]),
    ("seek", 80, [0x82da_57dc_046e_a54e, 0x4ece_187d_b024_ac78]),
    ("flee", 150, [0xa865_5b22_c470_5909, 0xcfc0_aa3b_5bf5_82a4]),
    ("arrive", 18, [0x8b60_03e5_fa10_8f92, 0x7adc_8437_9d5c_6a3e]),
    ("pursuit", 13, [0xb02f_628d_d57a_aeef, 0x6793_0080_b86e_baed]),
    ("evade", 121, [0xa5cc_78bd_2cb5_8250, 0xf68f_30ec_c2fb_113b]),
    ("wander", 36, [0xee4c_b757_d3ad_1672, 0xed6d_f266_fddb_a3e0]),
    ("interpose", 4, [0x8e12_ce49_96b7_057f, 0xe76b_5eae_1c8a_0de6]),
    ("hide", 13, [0x07ba_b11e_3f16_5aee, 0x70b8_24a5_4214_ffeb]),
    ("offset-pursuit", 21, [0x60b3_48c4_cb40_a187, 0xe490_6482_9e50_cc9f]),
    ("leader-following", 25, [0x0afd_b67a_88b6_52de, 0x0a40_596b_c764_683f]),
    ("path-following", 22, [0x9b11_71c1_be49_5d9e, 0x5ceb_44ba_b6c4_cf44]),
    ("stay-on-path", 60, [0x835b_67c6_36ed_3001, 0xe221_9674_5baa_cfcb]),
    ("flow-field", 200, [0x27f0_825a_90ac_7b7e, 0x90c3_9951_34e7_8580]),
    ("obstacle-avoidance", 40, [0xc11e_7d91_b605_39f1, 0xa039_4b2d_7c5a_a72c]),
    ("look-ahead", 40, [0xf4d0_bfc1_d8f4_18d2, 0x8f71_58ba_9f2f_76b6]),
    ("wall-avoidance", 50, [0x4f42_d0f2_91e5_9ec9, 0xba81_0d41_93c1_2ff4]),
    ("containment", 80, [0x4a2e_dc2d_7b9f_6418, 0xaac8_41a1_d338_20ae]),
    ("collision-avoidance", 90, [0x23ff_755b_27cb_2f73, 0x1faf_27a3_4149_821f]),
    ("velocity-matching", 200, [0x7a62_8f28_2fb7_3b3c, 0x1f6d_d05f_c027_16da]),
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

/// The same held to a level of instructions.
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
    ("--flow on", 30000, 0xec75_433a_e439_fd7c),
    ("--flow auto", 100000, 0x0edc_b094_6a74_922e),
    ("--flow off", 100000, 0xc8d6_f1ab_da2d_3cb8),
    ("--flow off --zoom 4", 20000, 0xc32d_4971_367c_f3fe),
    ("--flow on --zoom 3 --color species", 30000, 0xd860_53c2_506a_2733),
    ("--trails 0.5", 3000, 0xf2a8_a2c2_f469_5ebe),
    ("--trails 0.5 --color speed", 20000, 0x57fb_9149_c687_0e19),
];

#[test]
fn crowds_as_light_match_their_golden_pictures() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let levels: Vec<Level> = Level::available().collect();
    let (mut table, mut changed) = (String::new(), String::new());
    for (number, &(options, agents, golden)) in LIGHT.iter().enumerate() {
        let words: Vec<&str> = options.split(' ').collect();
        let picture = draw("stress", agents, &words, "1", "-");
        // Every level that this processor has, in turn.
        let level = levels[number % levels.len()];
        let again = draw_at(level, "stress", agents, &words, "3", "-");
        assert!(again == picture, "{options}, on three threads with {level}");
        let hash = hash(&picture);
        if hash != golden {
            let file = folder.join(format!("light-{number}.png")).display().to_string();
            draw("stress", agents, &words, "1", &file);
            changed += &format!("{file}\n");
        }
        table += &format!("    ({options:?}, {agents}, 0x{hash:016x}),\n");
    }
    assert!(changed.is_empty(), "pictures differ:\n{changed}this build gives the table\n{table}");
}

#[test]
fn scenes_match_their_golden_pictures() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (mut table, mut changed) = (String::new(), String::new());
    for (number, name) in Scene::names().enumerate() {
        let golden = GOLDENS.iter().find(|(known, ..)| *known == name);
        let agents = Scene::named(name).expect("a scene").agent_count().min(MAX_AGENTS);
        let color = COLORS[number % COLORS.len()];
        let explained: &[&str] = &["--explain", "0", "--trails", "1", "--color", color];
        let hashes = [0, 1].map(|k| {
            let (kind, options) = [("plain", &[][..]), ("explained", explained)][k];
            let picture = draw(name, agents, options, "1", "-");
            assert_eq!(picture.len(), SIZE[0] * SIZE[1] * 4);
            let again = draw(name, agents, options, "2", "-");
            assert!(again == picture, "{name}, {kind}, on two threads");
            let hash = hash(&picture);
            if !golden.is_some_and(|(_, n, known)| *n == agents && known[k] == hash) {
                let file = folder.join(format!("{name}-{kind}.png")).display().to_string();
                draw(name, agents, options, "1", &file);
                changed += &format!("{file}\n");
            }
            hash
        });
        let [plain, explained] = hashes;
        table += &format!("    ({name:?}, {agents}, [0x{plain:016x}, 0x{explained:016x}]),\n");
    }
    assert!(changed.is_empty(), "pictures differ:\n{changed}this build gives the table\n{table}");
}
