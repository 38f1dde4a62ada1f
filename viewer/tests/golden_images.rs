//! Golden pictures: every scene is drawn as it was when the table was made, to the last bit.
//!
//! The state of a scene is the same everywhere, and so is its picture: it is drawn with
//! operations that are exact on every machine (sums, products, quotients, roots), without
//! optimization as in release, and for any instruction set.
//!
//! When pictures are meant to change, look at those that the test writes and put the printed
//! table here.

use std::path::Path;
use std::process::Command;

use flockwork::Scene;

const MOST_AGENTS: usize = 5_000;
const SIZE: [usize; 2] = [320, 192];

/// What colors show in the second picture: scene by scene another.
const COLORS: [&str; 4] = ["speed", "force", "density", "species"];

/// Scene, number of agents, hashes of its picture as it is and of one that also shows trails and
/// why an agent does what it does.
#[rustfmt::skip]
const GOLDENS: &[(&str, usize, [u64; 2])] = &[
    ("stress", 5000, [0x9c18_b8f2_154c_f58d, 0x15c8_3d16_b6e0_e899]),
    ("flock", 600, [0xd8a9_ad4b_dc2b_855d, 0xec55_f8fc_622f_a6aa]),
    ("big-shoal", 300, [0x364c_2fbe_6e9f_7b52, 0x6427_2df1_bdec_4a0b]),
    ("another-big-shoal", 300, [0x07f9_2f16_64c9_0160, 0xe5cc_17ff_d25e_134e]),
    ("zombies", 150, [0x2d21_6092_31e0_b9a7, 0xaea4_fd3e_6aec_3d34]),
    ("sheepdog", 21, [0x70e7_f7c3_0f0f_d95f, 0x47e3_f3f7_e6f3_52d7]),
    ("leader", 41, [0x9f15_d27c_a3c5_7760, 0xf1f1_7d1a_6658_b8d9]),
    ("birds", 400, [0xd0fb_2557_f91d_28ce, 0x06be_8990_737a_c98e]),
    ("flock-rules", 500, [0x0e18_7014_543f_f4ed, 0xe7f2_17b6_43b6_f2d0]),
    ("stress-clustered", 5000, [0xacf0_d063_cd60_3eed, 0xb593_b66f_d898_19e6]),
    ("heavy", 5000, [0x6a94_11e1_78a1_e038, 0x0033_c2c0_ce71_3be0]),
    ("seek", 80, [0x7469_fc89_f0f3_4411, 0xf680_621d_1723_48fb]),
    ("flee", 150, [0x40af_84a9_96fd_d4fc, 0x1627_e9ff_d4f6_b4b9]),
    ("arrive", 18, [0x211c_5e72_e508_5a0e, 0xf3d3_9429_9819_19d4]),
    ("pursuit", 13, [0x6120_e0df_c68e_c720, 0x9292_a513_1537_37d1]),
    ("evade", 121, [0x8d5d_e67a_1996_7afb, 0xaec6_f1b2_f72f_ea6d]),
    ("wander", 36, [0xbc5d_bc19_b897_58e6, 0x40fc_b077_6925_2921]),
    ("interpose", 4, [0x3b3b_c45c_0d48_8b27, 0x07eb_795a_2a71_74a4]),
    ("hide", 13, [0x072c_cd72_c94e_74de, 0x1c74_471a_d1b7_f05a]),
    ("offset-pursuit", 21, [0x5a4d_ca15_a45c_db23, 0xf14a_faca_471c_f56a]),
    ("leader-following", 25, [0x933c_4d00_c667_6dd9, 0xe626_3824_d2b7_bc67]),
    ("path-following", 22, [0x2c55_406f_77d1_8d22, 0x49e8_d1e0_b94f_cf3a]),
    ("stay-on-path", 60, [0x28f7_f197_ec9f_a8cf, 0x4e98_e3f3_66e0_6aa0]),
    ("flow-field", 200, [0x42f4_c1fa_db3b_4db9, 0xd811_54d4_8c75_9f36]),
    ("obstacle-avoidance", 40, [0xafe8_abcf_a26d_29dc, 0x7c8c_0f9d_f464_64fd]),
    ("look-ahead", 40, [0x839c_ce6a_0e3e_2935, 0x20f5_36a3_875c_8232]),
    ("wall-avoidance", 50, [0xb36f_22ad_0306_5c27, 0x6970_6a04_0f8e_96d5]),
    ("containment", 80, [0x1288_bbd8_c51b_cb34, 0x2b10_54e9_373a_006b]),
    ("collision-avoidance", 90, [0x132c_8aaa_15a9_0277, 0x8c7f_d950_c1b0_e284]),
    ("velocity-matching", 200, [0xedf5_86b7_4d46_1aa3, 0xcb65_491f_2b70_198a]),
];

/// FNV-1a of the colors.
fn hash(pixels: &[u8]) -> u64 {
    let colors = pixels.chunks(4).flat_map(|pixel| &pixel[..3]);
    colors.fold(0xcbf2_9ce4_8422_2325, |hash, &value| {
        (hash ^ u64::from(value)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Draws with so many threads; to `-` is what is returned.
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
fn scenes_are_drawn_as_they_were() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (mut table, mut changed) = (String::new(), String::new());
    for (number, name) in Scene::names().enumerate() {
        let golden = GOLDENS.iter().find(|(known, ..)| *known == name);
        let agents = Scene::named(name).expect("a scene").agent_count().min(MOST_AGENTS);
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
