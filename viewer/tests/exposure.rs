//! Pictures are exposed alike: as much of them is bright whether they show a thousand agents or a
//! million.

use std::process::Command;

/// The share of the pixels with a channel above two fifths.
fn bright_share(agents: &str, options: &[&str]) -> f64 {
    let output = Command::new(env!("CARGO_BIN_EXE_flockwork-viewer"))
        .args(["--headless", "--agents", agents, "--out", "-"])
        .args(options)
        .output()
        .expect("the viewer starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bright = |pixel: &&[u8]| pixel[..3].iter().any(|&channel| channel > 102);
    let pixels = output.stdout.chunks(4);
    let count = pixels.len() as f64;
    pixels.filter(bright).count() as f64 / count
}

#[test]
fn as_much_is_bright_from_a_thousand_to_a_million_agents() {
    let shares = ["1e3", "3e3", "1e4", "3e4", "1e5", "3e5", "1e6"].map(|agents| {
        let options = ["--scene", "stress", "--steps", "100"];
        (agents, bright_share(agents, &options))
    });
    println!("{shares:?}");
    let all = || shares.iter().map(|(_, share)| *share);
    let (least, most) = (all().fold(1.0, f64::min), all().fold(0.0, f64::max));
    assert!(least > 0.03 && most <= 2.0 * least, "{shares:?}");
}
