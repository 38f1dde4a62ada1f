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
    ("stress", 5000, [0xa3c8_85ec_7cd5_09dc, 0x215b_54f5_4347_1c43]),
    ("flock", 600, [0x8e90_bd42_40e8_295c, 0xdc24_a2fd_406d_e33d]),
    ("big-shoal", 300, [0xace6_d4ec_cc84_5623, 0xfeb5_0a03_b6e6_afaa]),
    ("another-big-shoal", 300, [0x5a10_2a3f_9766_79d4, 0xed70_a609_4aec_86a8]),
    ("zombies", 150, [0x2d21_6092_31e0_b9a7, 0xaea4_fd3e_6aec_3d34]),
    ("sheepdog", 21, [0x70e7_f7c3_0f0f_d95f, 0x47e3_f3f7_e6f3_52d7]),
    ("leader", 41, [0x98f5_461d_caf9_36ef, 0x6f3b_0456_a032_44d7]),
    ("birds", 400, [0x462e_40da_f493_07d9, 0xb1c8_8300_e579_4341]),
    ("flock-rules", 500, [0x1201_2c66_a96c_dd76, 0x3199_241e_7b35_6fb2]),
    ("stress-clustered", 5000, [0xe003_cf1e_eb70_5dfd, 0x2c90_c077_19ac_711f]),
    ("heavy", 5000, [0x8d80_83e1_9f54_8073, 0x9f1f_002d_e236_ea09]),
    ("seek", 80, [0x384b_4c56_2f7f_a2cc, 0xc827_72e3_aa85_66e4]),
    ("flee", 150, [0x40af_84a9_96fd_d4fc, 0x6eb5_8b67_70de_830a]),
    ("arrive", 18, [0x211c_5e72_e508_5a0e, 0xf3d3_9429_9819_19d4]),
    ("pursuit", 13, [0x7705_cbc6_412e_bdad, 0x1fe3_1ab6_b867_4724]),
    ("evade", 121, [0x5c49_287a_ed88_6c75, 0x9192_91d2_6ab8_7926]),
    ("wander", 36, [0xdc7b_2d42_808b_b9f1, 0x9adb_b8cd_bf2e_2466]),
    ("interpose", 4, [0x7471_d6ab_73eb_bd3e, 0x6c4c_11af_de08_5639]),
    ("hide", 13, [0x9373_6345_932f_ea71, 0x0847_e1dd_c66d_d797]),
    ("offset-pursuit", 21, [0x772d_5ecf_4fef_8776, 0xca41_c555_0ea9_57a6]),
    ("leader-following", 25, [0x4a6c_6fed_5627_c23f, 0x5d35_bd25_10b2_110c]),
    ("path-following", 22, [0x8085_bdde_962a_70af, 0x58d5_d060_8910_286d]),
    ("stay-on-path", 60, [0x28f7_f197_ec9f_a8cf, 0x4e98_e3f3_66e0_6aa0]),
    ("flow-field", 200, [0x42f4_c1fa_db3b_4db9, 0xddcf_6288_19db_51c6]),
    ("obstacle-avoidance", 40, [0x4b60_35ea_e71d_5dc3, 0x0329_9ca7_b054_db5f]),
    ("look-ahead", 40, [0x71e8_efa4_9276_af4f, 0x19f0_95af_3047_9213]),
    ("wall-avoidance", 50, [0xfc11_0a28_b846_eb9b, 0xd3d6_4ddf_e503_5613]),
    ("containment", 80, [0x1288_bbd8_c51b_cb34, 0x2b10_54e9_373a_006b]),
    ("collision-avoidance", 90, [0x132c_8aaa_15a9_0277, 0x8c7f_d950_c1b0_e284]),
    ("velocity-matching", 200, [0xd1b5_7063_959a_1208, 0x0243_f03d_b88b_12d8]),
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
