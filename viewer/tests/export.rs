use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const SIZE: (usize, usize) = (64, 48);

fn viewer(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flockwork-viewer"));
    command.args(["--headless", "--scene", "flock", "--size", "64x48"]);
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    let output = viewer(arguments).output().expect("the viewer starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn png(path: &Path) -> Vec<u8> {
    let file = std::io::BufReader::new(File::open(path).expect("the picture"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG header");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut pixels).expect("valid pixels");
    pixels
}

#[test]
fn files_and_raw_pixels_are_the_same_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("x.png");
    let raw = run(&["--out", "-", "--frames", "3", "--every", "2"]);
    assert!(String::from_utf8_lossy(&raw.stderr).contains("604 steps"), "the text is on stderr");
    let pictures: Vec<&[u8]> = raw.stdout.chunks(SIZE.0 * SIZE.1 * 4).collect();
    assert!(pictures.len() == 3 && pictures[0] != pictures[1]);
    run(&["--out", &place.display().to_string(), "--steps", "604"]);
    assert!(png(&place) == pictures[2], "after the same number of steps");
}

/// Regression: pictures further apart than a trail is long showed straight lines from the agents'
/// positions in the picture before.
#[test]
fn trails_do_not_reach_back_to_a_picture_longer_ago_than_they_last() {
    let draw = |more: &[&str]| run(&[&["--out", "-", "--trails", "0.1"], more].concat()).stdout;
    let two = draw(&["--steps", "20", "--frames", "2", "--every", "40"]);
    let second = draw(&["--steps", "60"]);
    assert!(two[second.len()..] == second);
}

#[test]
fn an_animation_shows_the_pictures_in_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("x.gif");
    let arguments = ["--frames", "4", "--every", "6", "--out"];
    run(&[&arguments[..], &[&place.display().to_string()]].concat());
    let raw = run(&[&arguments[..], &["-"]].concat()).stdout;

    let file = File::open(place).expect("the animation");
    let mut decoder = gif::Decoder::new(file).expect("a GIF header");
    let mut shown = vec![[0; 3]; SIZE.0 * SIZE.1];
    for picture in raw.chunks(SIZE.0 * SIZE.1 * 4) {
        let frame = decoder.read_next_frame().expect("a valid frame").expect("a frame");
        assert_eq!(frame.delay, 10, "six steps of a sixtieth of a second");
        let mut all_off = 0;
        let palette = frame.palette.as_ref().expect("a palette").as_chunks::<3>().0;
        for ((shown, index), pixel) in shown.iter_mut().zip(&*frame.buffer).zip(picture.chunks(4)) {
            if frame.transparent != Some(*index) {
                *shown = palette[usize::from(*index)];
            }
            let off = [0, 1, 2].map(|k| u64::from(shown[k].abs_diff(pixel[k])));
            assert!(off.iter().all(|&off| off < 96), "{shown:?} {pixel:?}");
            all_off += off.iter().sum::<u64>();
        }
        let mean = all_off as f64 / (3 * SIZE.0 * SIZE.1) as f64;
        assert!(mean < 4.0, "colors are off by {mean}");
    }
    assert!(decoder.read_next_frame().expect("a valid end").is_none());
}

#[test]
fn a_reader_that_closes_the_pipe_early_is_no_error() {
    let arguments = ["--out", "-", "--frames", "1000"];
    let mut viewer = viewer(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the viewer starts");
    let mut start = [0; 100];
    viewer.stdout.take().expect("its pixels").read_exact(&mut start).expect("some pixels");
    let output = viewer.wait_with_output().expect("the viewer ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("panic"), "{said}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("x.gif");
    let mut viewer = viewer(&["--frames", "1000000", "--out", &place.display().to_string()])
        .stdout(Stdio::null())
        .spawn()
        .expect("the viewer starts");
    while fs::metadata(&place).map_or(0, |file| file.len()) == 0 {
        assert!(viewer.try_wait().expect("its state").is_none(), "it keeps running");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let kill = Command::new("kill").args(["-INT", &viewer.id().to_string()]).status();
    assert!(kill.expect("a signal").success());
    assert_eq!(viewer.wait().expect("the viewer ends").code(), Some(130));

    let mut decoder = gif::Decoder::new(File::open(place).expect("the animation")).expect("a GIF");
    let mut frames = 0;
    while decoder.read_next_frame().expect("a valid frame").is_some() {
        frames += 1;
    }
    assert!(frames > 0);
}

#[test]
fn invalid_output_is_rejected_and_leaves_no_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    for (arguments, words) in [
        (["--out", &place("x.mp4"), "--frames", "2"], ".png or .gif"),
        (["--out", &place("x"), "--frames", "2"], ".png or .gif"),
        (["--out", "/nowhere/x.gif", "--frames", "2"], "cannot write /nowhere/x.gif"),
        (["--out", "/nowhere/x.png", "--frames", "1"], "cannot write /nowhere/x.png"),
        (["--out", &place("x.png"), "--frames", "2"], "2 pictures must go to a .gif file"),
        (["--out", &place("x.gif"), "--frames", "0"], "0 is not in 1..="),
        (["--out", &place("x.gif"), "--every", "0"], "0 is not in 1..="),
        (["--out", &place("x.gif"), "--every", "39322"], "GIF allows at most 655.35 s"),
        (["--out", &place("x.gif"), "--explain", "600"], "no agent 600"),
        (["--frames", "2", "--every", "2"], "--out"),
    ] {
        let output = viewer(&arguments).output().expect("the viewer starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 0);
}
