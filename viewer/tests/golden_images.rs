//! Golden pictures: every scene is drawn as it was when the table was made.
//!
//! The state of a scene is the same to the last bit everywhere, but its drawing uses `powf`,
//! `hypot` and `sin_cos`, whose last bits differ between mathematical libraries, so that a
//! channel may round to its neighbor. Hashes would differ then; sketches differ a little.
//!
//! When pictures are meant to change, look at those that the test writes and put the printed
//! table here.

use std::path::Path;
use std::process::Command;

use flockwork::Scene;

const MOST_AGENTS: usize = 5_000;
/// Far above what rounding does, far below what moving a mark by a pixel does.
const TOLERANCE: i64 = 32;

/// Scene, number of agents, sketch of the picture.
#[rustfmt::skip]
const GOLDENS: &[(&str, usize, Sketch)] = &[
    ("stress", 5000, [-64678, -14, -76250, 3450]),
    ("flock", 600, [-39555, 11879, -41411, -12347]),
    ("big-shoal", 300, [-35718, 10106, -57572, -938]),
    ("another-big-shoal", 300, [-52549, 13425, -43325, -7845]),
    ("zombies", 150, [-49252, 17130, -32968, -4092]),
    ("sheepdog", 21, [-54335, 21921, -57951, -4305]),
    ("leader", 41, [-49271, 18815, -31851, -6433]),
    ("birds", 400, [-45409, 14359, -48045, -2953]),
    ("flock-rules", 500, [-48144, 14734, -47530, -13442]),
    ("stress-clustered", 5000, [-42584, 9956, -65554, 15944]),
    ("heavy", 5000, [-60042, 12956, -69490, 7024]),
    ("seek", 80, [-55054, 14138, -40102, -4820]),
    ("flee", 150, [-52885, 15371, -37461, -6881]),
    ("arrive", 18, [-48182, 17738, -39506, -3412]),
    ("pursuit", 13, [-51923, 19427, -44263, -10613]),
    ("evade", 121, [-63539, 16211, -36143, -7307]),
    ("wander", 36, [-51022, 20792, -41950, -2914]),
    ("interpose", 4, [-51312, 19412, -39132, -4518]),
    ("hide", 13, [-49107, 16197, -34393, -113]),
    ("offset-pursuit", 21, [-42516, 10202, -39388, -11832]),
    ("leader-following", 25, [-44735, 21037, -43383, -2413]),
    ("path-following", 22, [-47663, 10873, -52143, -2359]),
    ("stay-on-path", 60, [-34573, 24985, -42563, -5021]),
    ("flow-field", 200, [-55715, 12009, -32189, 1423]),
    ("obstacle-avoidance", 40, [-48615, 13319, -39395, -5315]),
    ("look-ahead", 40, [-48158, 10964, -37922, -5570]),
    ("wall-avoidance", 50, [-57219, 24801, -57219, 2565]),
    ("containment", 80, [-45088, 18484, -34232, -1372]),
    ("collision-avoidance", 90, [-48192, 18526, -30780, -3504]),
    ("velocity-matching", 200, [-60536, 5894, -41476, -9510]),
];

/// The sums of all bytes, each byte with signs of its own. A change of some bytes by 1 moves
/// each sum by no more than their number; of any other change, some sum shows about the
/// root of the sum of squares.
type Sketch = [i64; 4];

fn sketch(pixels: &[u8]) -> Sketch {
    let mut sketch = [0; 4];
    for (at, &value) in pixels.iter().enumerate() {
        let signs = scramble(at as u64);
        for (k, sum) in sketch.iter_mut().enumerate() {
            *sum += i64::from(value) * (1 - 2 * (signs >> k & 1) as i64);
        }
    }
    sketch
}

/// The finalizer of SplitMix64.
fn scramble(number: u64) -> u64 {
    let z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

fn close(a: &Sketch, b: &Sketch) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= TOLERANCE as u64)
}

fn draw(scene: &str, agents: usize, threads: &str, out: &str) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_flockwork-viewer"))
        .args(["--headless", "--scene", scene, "--agents", &agents.to_string()])
        .args(["--threads", threads, "--steps", "60", "--size", "320x192", "--out", out])
        // The threads that draw.
        .env("RAYON_NUM_THREADS", threads)
        .output()
        .expect("the viewer starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn scenes_are_drawn_as_they_were() {
    let mut table = String::new();
    let mut changed = vec![];
    for name in Scene::names() {
        let golden = GOLDENS.iter().find(|(known, ..)| *known == name);
        let agents = Scene::named(name).expect("a scene").agent_count().min(MOST_AGENTS);
        let picture = draw(name, agents, "1", "-");
        assert_eq!(picture.len(), 320 * 192 * 4);
        assert!(draw(name, agents, "2", "-") == picture, "{name} on two threads");
        let sketch = sketch(&picture);
        if !golden.is_some_and(|(_, n, known)| *n == agents && close(known, &sketch)) {
            changed.push((name, agents));
        }
        table += &format!("    ({name:?}, {agents}, {sketch:?}),\n");
    }
    if !changed.is_empty() {
        let folder = tempfile::tempdir().expect("a folder").keep();
        for (name, agents) in &changed {
            let file: &Path = &folder.join(format!("{name}.png"));
            draw(name, *agents, "1", &file.display().to_string());
        }
        let names: Vec<&str> = changed.iter().map(|(name, _)| *name).collect();
        panic!(
            "pictures differ: {}; they are in {}; this build gives\n{table}",
            names.join(", "),
            folder.display()
        );
    }
}

#[test]
fn sketches_see_changes_and_forgive_rounding() {
    let plain = vec![100; 320 * 192 * 4];
    let changed = |count: usize, by: u8| {
        let mut other = plain.clone();
        other.iter_mut().step_by(997).take(count).for_each(|byte| *byte += by);
        close(&sketch(&other), &sketch(&plain))
    };
    assert!(changed(TOLERANCE as usize, 1));
    assert!(!changed(3, 100), "a single pixel");
    assert!(!changed(60, 20));
}
