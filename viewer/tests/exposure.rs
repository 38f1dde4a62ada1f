use std::process::Command;

/// 99th percentile and mean of the lit pixels, in linear light.
fn brightness(picture: &[u8]) -> [f64; 2] {
    let linear = |channel: u8| {
        let channel = f64::from(channel) / 255.0;
        if channel <= 0.040_45 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
    };
    let light = picture.chunks(4).map(|pixel| {
        0.2126 * linear(pixel[0]) + 0.7152 * linear(pixel[1]) + 0.0722 * linear(pixel[2])
    });
    // A pixel is lit if it is more than four times as bright as the background.
    let mut lit: Vec<f64> = light.filter(|&light| light > 0.016).collect();
    lit.sort_by(f64::total_cmp);
    [lit[lit.len() * 99 / 100], lit.iter().sum::<f64>() / lit.len() as f64]
}

fn picture(agents: &str, steps: &str) -> [f64; 2] {
    let output = Command::new(env!("CARGO_BIN_EXE_flockwork-viewer"))
        .args(["--headless", "--scene", "stress", "--agents", agents, "--out", "-"])
        .args(["--size", "1280x720", "--steps", steps])
        .output()
        .expect("the viewer starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    brightness(&output.stdout)
}

/// Regression: with a million agents, the brightest hundredth of the lit pixels was a third
/// as bright as with ten thousand. It must agree within a factor of 1.5, and the mean within 2.
///
/// Flocks have formed after 300 steps; larger crowds take fewer steps, since each step is slow.
#[test]
fn pictures_are_as_bright_with_a_million_agents_as_with_ten_thousand() {
    let crowds = [("1e4", "300"), ("3e4", "300"), ("1e5", "300"), ("3e5", "60"), ("1e6", "30")];
    let found = crowds.map(|(agents, steps)| picture(agents, steps));
    println!("{found:.3?}");
    for (k, factor) in [1.5, 2.0].into_iter().enumerate() {
        let all = || found.iter().map(|brightness| brightness[k]);
        let (least, most) = (all().fold(f64::MAX, f64::min), all().fold(0.0, f64::max));
        assert!(least > 0.0 && most <= factor * least, "{found:.3?}");
    }
}
