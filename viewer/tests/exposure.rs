//! Pictures are exposed alike, whether they show a thousand agents or a hundred thousand, before and
//! after flocks have formed.

use std::process::Command;

/// How bright a picture is: the share of its pixels with a channel above two fifths, and the mean
/// channel of those that are lit.
fn brightness(picture: &[u8]) -> [f64; 2] {
    let largest = |pixel: &[u8]| pixel[..3].iter().copied().max().unwrap_or(0);
    let pixels = || picture.chunks(4);
    let bright = pixels().filter(|pixel| largest(pixel) > 102).count() as f64;
    let lit = pixels().filter(|pixel| largest(pixel) > 40);
    let means = lit.map(|pixel| pixel[..3].iter().map(|&c| f64::from(c)).sum::<f64>() / 3.0);
    let means: Vec<f64> = means.collect();
    [bright / pixels().count() as f64, means.iter().sum::<f64>() / means.len() as f64]
}

/// Pictures after 120 steps and, of smaller crowds, after 600.
fn pictures(agents: &str, frames: &str) -> Vec<[f64; 2]> {
    let output = Command::new(env!("CARGO_BIN_EXE_flockwork-viewer"))
        .args(["--headless", "--scene", "stress", "--agents", agents, "--out", "-"])
        .args(["--size", "640x360", "--steps", "120", "--every", "480", "--frames", frames])
        .output()
        .expect("the viewer starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout.chunks(640 * 360 * 4).map(brightness).collect()
}

/// Crowds that had formed flocks were three to five times darker than others: what counted was how
/// densely the typical agent was surrounded, not how much of the picture was lit.
#[test]
fn pictures_are_as_bright_within_a_factor_of_two_whatever_the_crowd() {
    let crowds = [("1e3", "2"), ("1e4", "2"), ("3e4", "2"), ("1e5", "1")];
    let found: Vec<[f64; 2]> =
        crowds.iter().flat_map(|(agents, frames)| pictures(agents, frames)).collect();
    println!("{found:.3?}");
    for k in 0..2 {
        let all = || found.iter().map(|brightness| brightness[k]);
        let (least, most) = (all().fold(f64::MAX, f64::min), all().fold(0.0, f64::max));
        assert!(least > 0.1 && most <= 2.0 * least, "{found:.3?}");
    }
}
