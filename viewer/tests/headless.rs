use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flockwork-viewer"));
    let command = command.args(arguments).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    command.env_remove("WAYLAND_SOCKET").output().expect("the viewer starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(arguments: &[&str]) -> Value {
    let output = run(&[&["--headless", "--json"], arguments].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    assert_eq!(printed.lines().count(), 1, "{printed}");
    serde_json::from_str(&printed).expect("valid JSON")
}

fn look_at(path: &Path) -> (u32, u32, usize) {
    let file = BufReader::new(File::open(path).expect("the picture"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG header");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("valid pixels");
    let mut colors: Vec<&[u8]> = pixels.chunks(4).collect();
    colors.sort_unstable();
    colors.dedup();
    (info.width, info.height, colors.len())
}

#[test]
fn every_scene_is_drawn_and_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    for scene in flockwork::Scene::names() {
        let picture = folder.path().join(format!("{scene}.png"));
        let line = json(&[
            "--scene",
            scene,
            "--agents",
            "900",
            "--steps",
            "20",
            "--size",
            "320x200",
            "--seed",
            "3",
            "--png",
            &picture.display().to_string(),
        ]);
        assert_eq!(line["scene"], scene);
        assert_eq!(line["agents"], 900);
        assert_eq!(line["steps"], 20);
        assert_eq!(line["seed"], 3);
        assert_eq!(line["state_hash"].as_str().map(str::len), Some(16));
        let step = line["sim_ms_per_step"].as_f64().expect("a time");
        let stage = |name: &str| line["stage_ms_per_step"][name].as_f64().expect("a time");
        let stages = ["sort", "steer", "non_penetration", "smooth"].map(stage);
        assert!(step > 0.0 && (stages.iter().sum::<f64>() / step - 1.0).abs() < 1.0e-9, "{line}");
        assert!(line["draw_ms_per_frame"].as_f64() > Some(0.0));
        let (width, height, colors) = look_at(&picture);
        assert_eq!((width, height), (320, 200));
        assert!(colors > 20, "{scene} is drawn: {colors} colors");
    }
}

#[test]
fn the_state_does_not_depend_on_partition_or_threads() {
    let hash = |more: &[&str]| {
        let common = ["--scene", "stress", "--agents", "20000", "--steps", "3"];
        json(&[&common, more].concat())["state_hash"].clone()
    };
    let plain = hash(&[]);
    assert_eq!(hash(&["--threads", "1"]), plain);
    assert_eq!(hash(&["--threads", "3"]), plain);
    assert_eq!(hash(&["--partition", "all-pairs"]), plain);
    assert_ne!(hash(&["--seed", "9"]), plain);
}

#[test]
fn pictures_do_not_depend_on_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let draw = |name: &str| {
        let picture = folder.path().join(name);
        let path = picture.display().to_string();
        json(&["--agents", "20000", "--steps", "10", "--size", "640x360", "--png", &path]);
        std::fs::read(picture).expect("the picture")
    };
    assert!(draw("a.png") == draw("b.png"));
}

#[test]
fn a_world_with_depth_is_drawn_from_any_angle() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let draw = |name: &str, more: &[&str]| {
        let file = path(name);
        let common = ["--scene", "reef", "--agents", "300", "--steps", "9", "--size", "320x200"];
        let line = json(&[&common[..], &["--out", &file], more].concat());
        (line["state_hash"].clone(), std::fs::read(file).expect("the picture"))
    };
    let (hash, plain) = draw("plain.png", &[]);
    assert!(draw("default.png", &["--yaw", "30", "--pitch", "25"]).1 == plain);
    let mut pictures = vec![plain];
    for more in [
        &["--yaw", "0", "--pitch", "90"][..],
        &["--yaw", "-120"],
        &["--pitch", "-5"],
        &["--yaw", "0", "--pitch", "0", "--center", "300,200,40", "--zoom", "2"],
        &["--trails", "0.5"],
        &["--explain", "0,7"],
        &["--grid"],
    ] {
        let (same, other) = draw("other.png", more);
        assert_eq!(same, hash, "{more:?} changes no state");
        assert!(draw("again.png", &[more, &["--threads", "1"]].concat()).1 == other, "{more:?}");
        assert!(pictures.iter().all(|known| *known != other), "{more:?} changes the picture");
        pictures.push(other);
    }
    // A whole orbit passes through the opposite side and ends just before its beginning.
    let frames = |name: &str, more: &[&str]| {
        let common = ["--headless", "--scene", "reef", "--agents", "300", "--steps", "9"];
        let output = run(&[&common, &["--size", "64x48", "--out", name][..], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        output.stdout
    };
    let orbit = frames("-", &["--frames", "4", "--every", "1", "--orbit", "360"]);
    let side = |yaw: &str| frames("-", &["--yaw", yaw]);
    let pictures: Vec<&[u8]> = orbit.chunks(64 * 48 * 4).collect();
    assert!(pictures.len() == 4 && pictures[0] == side("30"));
    let still = frames("-", &["--frames", "4", "--every", "1"]);
    assert!(still[..64 * 48 * 4] == *pictures[0] && still[64 * 48 * 4..] != orbit[64 * 48 * 4..]);
    // Regression: from straight above, an orbit's first picture had a scale of its own.
    let above = ["--yaw", "0", "--pitch", "90", "--frames", "2", "--every", "1"];
    let first = |orbit: &str| {
        let pixels = frames("-", &[&above[..], &["--orbit", orbit]].concat());
        pixels[..64 * 48 * 4].to_vec()
    };
    assert!(first("0") != first("360") && first("360") == first("720"));
    let gif = path("orbit.gif");
    frames(&gif, &["--frames", "3", "--orbit", "-360"]);
    assert!(std::fs::read(gif).expect("the recording").starts_with(b"GIF89a"));
}

#[test]
fn the_static_world_and_explanations_are_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let scene = "world = { topology = 'bounded', width = 400.0, height = 300.0 }
        obstacles = [{ center = [200.0, 150.0], radius = 40.0 }]
        walls = [{ points = [[20.0, 20.0], [380.0, 20.0]] }]
        [[species]]
        agents = 9
        behaviors = [{ obstacle_avoidance = {} }, { wall_avoidance = {} }, { wander = {} }]";
    std::fs::write(file("room.toml"), scene).expect("a scene");
    let draw = |picture: &str, more: &[&str]| {
        let (scene, picture) = (file("room.toml"), file(picture));
        let common = ["--scene", &scene, "--steps", "30", "--png", &picture];
        let line = json(&[&common, more].concat());
        (line["state_hash"].clone(), std::fs::read(picture).expect("the picture"))
    };
    let (hash, plain) = draw("plain.png", &[]);
    // Regression: the camera followed the agent, which restarted the trails at every step.
    let trails = ["--explain", "0", "--zoom", "3", "--trails", "2"];
    let centered = ["--center", "200,150"];
    let stays = draw("stays.png", &[&trails[..], &centered].concat());
    assert!(draw("trails.png", &trails) == stays);
    assert!(draw("near.png", &[&trails[..4], &centered].concat()) != stays);
    assert!(draw("near.png", &trails[..4]) != draw("near.png", &centered));
    for more in [
        &["--explain", "0,8"][..],
        &["--zoom", "3"],
        &["--center", "100,150"],
        &["--trails", "0.4"],
        &["--color", "speed"],
        &["--color", "species"],
    ] {
        let (same, other) = draw("other.png", more);
        assert_eq!(same, hash, "{more:?} changes no state");
        assert!(other != plain, "{more:?} changes the picture");
        assert!(draw("again.png", &[more, &["--threads", "1"]].concat()).1 == other, "{more:?}");
    }
    let scene = file("room.toml");
    let said = run(&["--headless", "--scene", &scene, "--steps", "9", "--explain", "4"]);
    let said = text(&said.stdout);
    assert!(said.contains("agent 4") && said.contains("obstacle_avoidance"), "{said}");
}

#[test]
fn a_resumed_state_continues_exactly() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("state").display().to_string();
    let scene = ["--scene", "birds", "--seed", "5"];
    let whole = json(&[&scene, &["--steps", "50"][..]].concat());
    let half = json(&[&scene, &["--steps", "20", "--save", &file][..]].concat());
    assert_ne!(half["state_hash"], whole["state_hash"]);
    let still = json(&["--resume", &file, "--steps", "0"]);
    let rest = json(&["--resume", &file, "--steps", "30", "--threads", "1"]);
    for key in ["scene", "agents", "seed", "steps", "state_hash"] {
        assert_eq!(still[key], half[key], "{key}");
        assert_eq!(rest[key], whole[key], "{key}");
    }

    std::fs::write(&file, "not a snapshot").expect("a file");
    for (arguments, words) in [
        (&["--resume", &file][..], "snapshot"),
        (&["--resume", "/nowhere/x"], "/nowhere/x"),
        (&["--resume", &file, "--agents", "9"], "--agents"),
        (&["--resume", &file, "--scene", "birds"], "--scene"),
        (&["--save", "/nowhere/x"], "cannot write /nowhere/x"),
    ] {
        let output = run(&[&["--headless"], arguments].concat());
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

#[test]
fn crowds_of_zero_and_one_are_drawn() {
    for agents in ["0", "1"] {
        for steps in ["0", "5"] {
            let line = json(&["--agents", agents, "--steps", steps]);
            assert_eq!(line["agents"].to_string(), agents);
        }
    }
}

#[test]
fn without_a_display_the_error_suggests_headless() {
    let output = run(&[]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("no display") && said.contains("--headless"), "{said}");
    assert!(said.contains("--out"), "{said}");
}

#[test]
fn bad_input_is_rejected_with_exit_code_2() {
    for (arguments, words) in [
        (&["--headless", "--scene", "strss"][..], "did you mean `stress`?"),
        (&["--headless", "--scene", "nowhere.toml"], "nowhere.toml"),
        // Regression: without a display, the error was about the display.
        (&["--scene", "strss"], "did you mean `stress`?"),
        (&["--scene", "flock", "--explain", "600"], "there is no agent 600"),
        (&["--scene", "flock", "--yaw", "1"], "is flat"),
        (&["--headless", "--size", "1x1"], "16x16"),
        // Regression: for these four, the error complained about an unexpected argument such as
        // '-1'.
        (&["--headless", "--size", "-16x16"], "'-16x16' for '--size <WxH>': must be WIDTHxHEIGHT"),
        (&["--headless", "--center", "-1,nan"], "'-1,nan' for '--center <X,Y[,Z]>': must be X,Y"),
        (&["--headless", "--explain", "-1,2"], "'-1' for '--explain <N>'"),
        (&["--headless", "--center", "-1,2", "--steps", "x"], "'x' for '--steps <N>'"),
        (&["--headless", "--agents", "-3"], "--agents"),
        (&["--headless", "--scene", "flock", "--explain", "600"], "there is no agent 600"),
        (&["--headless", "--explain", "1,x"], "--explain"),
        (&["--headless", "--color", "red"], "species"),
        (&["--headless", "--zoom", "0"], "0.001"),
        (&["--headless", "--trails", "-1"], "from 0 to 60"),
        (&["--headless", "--trails", "nan"], "from 0 to 60"),
        (&["--headless", "--center", "1,nan"], "640,400"),
        (&["--headless", "--threads", "0"], "from 1 to 1024"),
        (&["--headless", "--png", "/nowhere/x.png"], "cannot write /nowhere/x.png"),
        (&["--headless", "--yaw", "30"], "--yaw 30: the world of scene `stress` is flat"),
        (&["--headless", "--scene", "hide", "--pitch", "90"], "--pitch 90: the world of scene"),
        (&["--headless", "--center", "1,2,3"], "--center 1,2,3: the world of scene"),
        (&["--headless", "--frames", "2", "--out", "-", "--orbit", "9"], "--orbit 9: the world"),
        (&["--headless", "--scene", "reef", "--pitch", "91"], "from -90 to 90"),
        (&["--headless", "--scene", "reef", "--yaw", "nan"], "from -360 to 360"),
        (&["--headless", "--scene", "reef", "--orbit", "90"], "--frames"),
        (
            &[
                "--headless",
                "--scene",
                "reef",
                "--orbit",
                "9",
                "--frames",
                "2",
                "--out",
                "-",
                "--trails",
                "1",
            ],
            "--trails",
        ),
        (&["--steps", "5"], "--headless"),
        (&["--json"], "--headless"),
        (&["--headless", "--frames", "2"], "--out"),
    ] {
        let output = run(arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

/// Regression: the error did not name the argument.
#[cfg(unix)]
#[test]
fn an_argument_that_is_not_utf_8_is_named() {
    use std::os::unix::ffi::OsStrExt;
    let argument = std::ffi::OsStr::from_bytes(b"fl\xffck");
    for option in ["--scene", "--seed", "--size"] {
        let mut viewer = Command::new(env!("CARGO_BIN_EXE_flockwork-viewer"));
        let output = viewer.args(["--headless", option]).arg(argument).output().expect("a start");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{option}: {said}");
        assert!(said.contains(r#"invalid UTF-8 in ["fl\xFFck"]"#), "{option}: {said}");
    }
}

/// Regression: the viewer called a folder or a text file an unknown scene.
#[test]
fn numbers_too_large_folders_and_other_files_are_refused_as_such() {
    let folder = tempfile::tempdir().expect("a folder");
    let named = |name: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        path.display().to_string()
    };
    for (agents, words) in [
        ("2000M", "agents = 2000000000: must be from 0 to 1000000000"),
        ("1e99", "'1e99' for '--agents <N>': must be a whole number up to 1e9"),
        ("1.5", "'1.5' for '--agents <N>': must be a whole number"),
    ] {
        let said = run(&["--headless", "--agents", agents]);
        assert_eq!(said.status.code(), Some(2), "{agents}");
        let said = text(&said.stderr);
        assert!(said.contains(words), "{said}");
    }
    let notes = folder.path().join("notes.txt").display().to_string();
    std::fs::write(&notes, "flock").expect("a file");
    let said = run(&["--headless", "--scene", &notes]);
    assert_eq!(said.status.code(), Some(2));
    let said = text(&said.stderr);
    assert!(said.contains(&notes) && said.contains("ends in .toml or .ini"), "{said}");
    // Regression: the error showed the value in Rust's syntax.
    let empty = folder.path().join("empty.toml").display().to_string();
    std::fs::write(&empty, "").expect("a file");
    let said = text(&run(&["--headless", "--scene", &empty]).stderr);
    assert!(
        said.contains("world is missing, so it is {}: must be either width and height"),
        "{said}"
    );
    let said = text(&run(&["--headless", "--agents", "few"]).stderr);
    assert!(said.contains("a whole number"), "{said}");
    for (option, name) in [
        ("--scene", "scenes"),
        ("--scene", "scene.toml"),
        ("--resume", "state"),
        ("--save", "state"),
        ("--png", "x.png"),
    ] {
        let path = named(name);
        let said = run(&["--headless", "--steps", "1", option, &path]);
        assert_eq!(said.status.code(), Some(2), "{option} {name}");
        let said = text(&said.stderr);
        assert!(said.contains(&path) && said.contains("a folder"), "{option} {name}: {said}");
    }
}
