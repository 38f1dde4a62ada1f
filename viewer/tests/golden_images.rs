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

const MAX_AGENTS: usize = 5_000;
const SIZE: [usize; 2] = [320, 192];

/// The color mode of the second picture, varied from scene to scene.
const COLORS: [&str; 4] = ["speed", "force", "density", "species"];

/// Scene, number of agents, hashes of its plain picture and of one with trails and an explained
/// agent.
#[rustfmt::skip]
const GOLDENS: &[(&str, usize, [u64; 2])] = &[
    ("stress", 5000, [0x6d26_8004_8aa6_155b, 0x471f_a390_5f13_69fe]),
    ("flock", 600, [0x8e3d_c646_90e8_5753, 0x9d56_109d_d806_a392]),
    ("big-shoal", 300, [0xcb8f_480f_0efb_91f4, 0x95f9_c44f_d1b2_ea5f]),
    ("another-big-shoal", 300, [0x0a93_8857_3132_4830, 0x7dab_3369_eefd_c9e5]),
    ("zombies", 150, [0xbe4d_7848_ceae_7b51, 0x452a_4021_27a2_c55a]),
    ("sheepdog", 21, [0xf5bd_b01e_8ee9_e6d4, 0x641a_285f_20c8_ccd8]),
    ("leader", 41, [0x2cd9_29fc_3b09_5467, 0xe45c_b159_e55f_2dce]),
    ("birds", 400, [0xf3e1_7b62_6835_90fc, 0x425a_45d8_11f0_3dfe]),
    ("flock-rules", 500, [0x7321_7b4d_8a5e_9377, 0xa26f_10a4_5583_44e1]),
    ("stress-clustered", 5000, [0xf2b1_4040_639b_65ea, 0xf0db_19c1_02e1_2f93]),
    ("heavy", 5000, [0x7815_dde9_c654_7c82, 0x568b_e057_1abe_17fa]),
    ("seek", 80, [0xf11d_f137_f088_a198, 0x3408_413b_6abe_9064]),
    ("flee", 150, [0x4877_adba_5252_e9d6, 0xe7a2_d641_64d9_297c]),
    ("arrive", 18, [0xe24e_0fab_ab77_190f, 0x12ba_08a1_66fb_3c44]),
    ("pursuit", 13, [0xb842_f3aa_e2c2_0db1, 0xef02_4535_e350_77ca]),
    ("evade", 121, [0x049e_7494_1f73_017d, 0xe812_aef4_94fe_54ba]),
    ("wander", 36, [0xcef2_b385_f879_4544, 0x0ea6_cc8b_3ade_66ff]),
    ("interpose", 4, [0xf9e4_8d41_e08a_6bfd, 0x2dc6_8755_f692_e910]),
    ("hide", 13, [0x2f3a_f6d7_6c7f_326d, 0x3bd1_950f_63ef_acbe]),
    ("offset-pursuit", 21, [0x4a6f_56b5_d79d_69d6, 0xc64e_e7dd_0d35_85f0]),
    ("leader-following", 25, [0x3c9a_ba23_2c29_70d9, 0x9fe9_6afd_3210_4e4f]),
    ("path-following", 22, [0xa9a1_e4d8_c127_cf5f, 0x8049_b6ff_d71d_07bb]),
    ("stay-on-path", 60, [0x59a1_e77d_3cb8_66f6, 0x3492_c328_53ee_9096]),
    ("flow-field", 200, [0x400d_4bb3_23ee_3cab, 0xc69b_e9e7_66dc_953c]),
    ("obstacle-avoidance", 40, [0x46a7_107d_27c2_3707, 0x6d36_e594_0bdc_cd01]),
    ("look-ahead", 40, [0xd771_6f9c_75af_cd83, 0xbe81_88d0_aa53_60bd]),
    ("wall-avoidance", 50, [0x0682_0306_5a1b_b1c1, 0x7a46_9372_4b02_723d]),
    ("containment", 80, [0xfed7_2445_e940_5f6e, 0xd02e_fd81_d6df_4bb8]),
    ("collision-avoidance", 90, [0x55bc_1abc_f9a7_99a5, 0xd4f7_50ca_d1df_7b44]),
    ("velocity-matching", 200, [0x6feb_6707_2fb4_a21e, 0xf642_cccb_2db3_cb4d]),
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
    let [width, height] = SIZE;
    let output = Command::new(env!("CARGO_BIN_EXE_flockwork-viewer"))
        .args(["--headless", "--scene", scene, "--agents", &agents.to_string()])
        .args(["--threads", threads, "--steps", "60", "--size", &format!("{width}x{height}")])
        .args(["--out", out])
        .args(options)
        // The threads that draw.
        .env("RAYON_NUM_THREADS", threads)
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
    ("--flow off", 100000, 0xe73a_bb00_f053_8e50),
    ("--flow off --zoom 4", 20000, 0x7be7_cb6d_20e4_5035),
    ("--flow on --zoom 3 --color species", 30000, 0xd860_53c2_506a_2733),
    ("--trails 0.5", 3000, 0x2697_9459_4df8_2a51),
    ("--trails 0.5 --color speed", 20000, 0xbfc1_8d9a_988e_c050),
];

#[test]
fn crowds_as_light_match_their_golden_pictures() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (mut table, mut changed) = (String::new(), String::new());
    for (number, &(options, agents, golden)) in LIGHT.iter().enumerate() {
        let words: Vec<&str> = options.split(' ').collect();
        let picture = draw("stress", agents, &words, "1", "-");
        assert!(draw("stress", agents, &words, "3", "-") == picture, "{options}, on three threads");
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
