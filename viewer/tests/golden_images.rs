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
    ("stress", 5000, [-63710, 26, -76672, 1926]),
    ("flock", 600, [-39308, 11086, -41270, -12758]),
    ("big-shoal", 300, [-41607, 10227, -52615, 9539]),
    ("another-big-shoal", 300, [-57213, 11659, -31725, -16425]),
    ("zombies", 150, [-48619, 16895, -32385, -4383]),
    ("sheepdog", 21, [-53564, 21122, -57912, -5546]),
    ("leader", 41, [-50287, 17765, -32781, -6059]),
    ("birds", 400, [-44995, 13877, -48289, -2791]),
    ("flock-rules", 500, [-47980, 14356, -47134, -13706]),
    ("stress-clustered", 5000, [-40620, 8924, -67224, 15906]),
    ("heavy", 5000, [-59946, 16396, -66680, 8566]),
    ("seek", 80, [-56198, 22024, -42620, -16022]),
    ("flee", 150, [-52563, 15771, -36869, -7179]),
    ("arrive", 18, [-43763, 17155, -33237, -4683]),
    ("pursuit", 13, [-52093, 19841, -44047, -11355]),
    ("evade", 121, [-67662, 12802, -32600, -16360]),
    ("wander", 36, [-50309, 19499, -41301, -3095]),
    ("interpose", 4, [-51360, 19240, -39324, -4486]),
    ("hide", 13, [-49795, 16359, -33139, 1637]),
    ("offset-pursuit", 21, [-41188, 8782, -39476, -10670]),
    ("leader-following", 25, [-43838, 23102, -44170, -2392]),
    ("path-following", 22, [-44313, 10997, -52029, -1947]),
    ("stay-on-path", 60, [-36004, 19544, -46682, -6110]),
    ("flow-field", 200, [-55690, 11794, -32314, 1364]),
    ("obstacle-avoidance", 40, [-45863, 18271, -42011, -7655]),
    ("look-ahead", 40, [-45070, 8964, -35632, -9102]),
    ("wall-avoidance", 50, [-59026, 20826, -61530, -4032]),
    ("containment", 80, [-37767, 21017, -33041, -5481]),
    ("collision-avoidance", 90, [-47914, 23168, -33082, 4148]),
    ("velocity-matching", 200, [-61352, 5786, -41342, -10552]),
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
