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
    ("stress", 5000, [0x45d7_5619_c058_900b, 0x4b35_d9b3_3308_4bc1]),
    ("flock", 600, [0x1256_3dc7_4a5f_5cb1, 0xc7f3_fe94_ecd7_4fb6]),
    ("big-shoal", 300, [0x8259_ad50_0eba_e8f4, 0x96af_c34b_ea06_1be1]),
    ("another-big-shoal", 300, [0xbdfa_4d4e_c29a_f4ba, 0x4d0a_f3f4_3d0d_3951]),
    ("zombies", 150, [0x2d21_6092_31e0_b9a7, 0xaea4_fd3e_6aec_3d34]),
    ("sheepdog", 21, [0x70e7_f7c3_0f0f_d95f, 0x47e3_f3f7_e6f3_52d7]),
    ("leader", 41, [0x98f5_461d_caf9_36ef, 0x6f3b_0456_a032_44d7]),
    ("birds", 400, [0xd0fb_2557_f91d_28ce, 0x12aa_64e0_7111_0a35]),
    ("flock-rules", 500, [0x0e18_7014_543f_f4ed, 0xe7f2_17b6_43b6_f2d0]),
    ("stress-clustered", 5000, [0xa3d1_508c_650f_bb6d, 0xff77_a5dd_5e33_2d4b]),
    ("heavy", 5000, [0xb3a4_8f06_5579_38ad, 0x144d_64f2_23a0_8932]),
    ("seek", 80, [0x384b_4c56_2f7f_a2cc, 0x2ad3_48e2_67b7_4509]),
    ("flee", 150, [0x40af_84a9_96fd_d4fc, 0x6eb5_8b67_70de_830a]),
    ("arrive", 18, [0x211c_5e72_e508_5a0e, 0xf3d3_9429_9819_19d4]),
    ("pursuit", 13, [0x4f74_321f_e5d0_42e3, 0x0166_c2d1_be2a_e90a]),
    ("evade", 121, [0xfcd7_3ad7_1259_e43d, 0x215e_50c0_b733_fa8b]),
    ("wander", 36, [0xbc5d_bc19_b897_58e6, 0xc9c2_8ae2_c48e_0c59]),
    ("interpose", 4, [0x7471_d6ab_73eb_bd3e, 0x6c4c_11af_de08_5639]),
    ("hide", 13, [0xddee_9fe5_04c9_0f73, 0x5e38_98b3_f34b_95ed]),
    ("offset-pursuit", 21, [0x772d_5ecf_4fef_8776, 0xca41_c555_0ea9_57a6]),
    ("leader-following", 25, [0x4a6c_6fed_5627_c23f, 0x5d35_bd25_10b2_110c]),
    ("path-following", 22, [0x8085_bdde_962a_70af, 0x58d5_d060_8910_286d]),
    ("stay-on-path", 60, [0x28f7_f197_ec9f_a8cf, 0x4e98_e3f3_66e0_6aa0]),
    ("flow-field", 200, [0x42f4_c1fa_db3b_4db9, 0xddcf_6288_19db_51c6]),
    ("obstacle-avoidance", 40, [0xd811_5cb1_dcab_9c5a, 0x53dc_e283_6e65_4ed5]),
    ("look-ahead", 40, [0x839c_ce6a_0e3e_2935, 0x20f5_36a3_875c_8232]),
    ("wall-avoidance", 50, [0xfc11_0a28_b846_eb9b, 0xba83_eafc_2590_501e]),
    ("containment", 80, [0x1288_bbd8_c51b_cb34, 0x2b10_54e9_373a_006b]),
    ("collision-avoidance", 90, [0x132c_8aaa_15a9_0277, 0x8c7f_d950_c1b0_e284]),
    ("velocity-matching", 200, [0x6654_fcd9_d0a0_5a6e, 0xfc5b_6e07_8f66_561b]),
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
