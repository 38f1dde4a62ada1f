//! Invalid snapshots are refused with the reason and the place. No bytes make the engine panic or
//! allocate memory that they do not justify.

use std::sync::OnceLock;

use flockwork::behaviors::OffsetPursuit;
use flockwork::{Error, ErrorKind, Method, Scene, Simulation, Snapshot, Species, Vector, World};
use proptest::prelude::*;

use crate::common::agents::{ids, place};
use crate::common::scenes::variety;
use crate::common::snapshots::{
    BODY, CHECKSUM, LISTS, NO_LIMITS, VERSION, further_columns, list, sealed,
};
use crate::common::space::{in_space, point_in};

/// A small snapshot with an entry in every list that flat worlds have.
fn small() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| small_crowd(|scene| scene).snapshot().to_bytes())
}

/// Like [`small`], but in a world with depth, where vectors have a third column.
fn small_in_space() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| small_crowd(|scene| in_space(scene, DEPTH)).snapshot().to_bytes())
}

const DEPTH: f32 = 90.0;

fn small_crowd(lift: fn(Scene) -> Scene) -> Simulation {
    let (_, mut scene) = variety(8).into_iter().find(|(name, _)| *name == "chase").unwrap();
    let (_, furnished) = variety(4).into_iter().find(|(name, _)| *name == "furnished").unwrap();
    scene.species.extend(furnished.species);
    scene.heading_samples = Some(3);
    scene.non_penetration = 1;
    scene.world.topology = furnished.world.topology;
    (scene.paths, scene.flow, scene.scatter) = (furnished.paths, furnished.flow, furnished.scatter);
    let mut simulation = lift(scene).build().unwrap();
    simulation.run(3).unwrap();
    for id in ids(&simulation).into_iter().step_by(4) {
        simulation.remove(id).unwrap();
    }
    let at = point_in(&simulation.scene().world, [20.0, 10.0, 5.0]);
    let heading = point_in(&simulation.scene().world, [1.0, 0.0, 0.0]);
    let name = simulation.scene().species[0].name.clone();
    simulation.spawn(&name, at, heading).unwrap();
    simulation
}

fn message(bytes: &[u8]) -> String {
    let error = Snapshot::from_bytes(bytes).unwrap_err();
    assert!(is_of_snapshot(&error), "{error:?}");
    error.to_string()
}

/// The version's bytes have no checksum, so a change to them looks like another version.
fn is_of_snapshot(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Snapshot { .. } | ErrorKind::SnapshotVersion { .. })
}

/// Returns true if the bytes are refused. Otherwise, steps their simulation; a step may fail.
fn refused_or_runs(bytes: &[u8]) -> bool {
    match Snapshot::from_bytes(bytes) {
        Err(error) => {
            assert!(is_of_snapshot(&error), "{error:?}");
            assert!(error.to_string().len() < 2_000, "{error}");
            true
        }
        Ok(snapshot) => {
            let mut simulation = Scene::new(World::torus(9.0, 9.0)).build().unwrap();
            simulation.set_execution(simulation.execution().threads(1)).unwrap();
            simulation.restore(&snapshot);
            let _ = simulation.run(2);
            simulation.set_execution(simulation.execution().method(Method::Scalar)).unwrap();
            let _ = simulation.run(2);
            for id in ids(&simulation).into_iter().step_by(2) {
                simulation.remove(id).unwrap();
            }
            let _ = simulation.run(1);
            false
        }
    }
}

#[test]
fn the_checksum_of_these_tests_is_the_engines() {
    for bytes in [small(), small_in_space()] {
        assert_eq!(sealed(&bytes[BODY..]), bytes);
        assert!(!refused_or_runs(bytes));
    }
}

#[test]
fn every_truncation_is_refused() {
    for bytes in [small(), small_in_space()] {
        for length in 0..bytes.len() {
            message(&bytes[..length]);
            if length >= BODY {
                message(&sealed(&bytes[BODY..length]));
            }
        }
        message(&[bytes, &[0]].concat());
        message(&sealed(&[&bytes[BODY..], &[0]].concat()));
    }
}

#[test]
fn every_changed_byte_is_refused() {
    let mut bytes = small().to_vec();
    for at in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xFF] {
            bytes[at] ^= flip;
            message(&bytes);
            bytes[at] ^= flip;
        }
    }
}

/// The small snapshot with own targets that are points, and with an agent that changed species.
fn pointed() -> Vec<u8> {
    let mut crowd = Snapshot::from_bytes(small()).unwrap().build().unwrap();
    let all = ids(&crowd);
    crowd.set_many(Vector::OwnTarget, &all[..2], &[[3.0, 4.0], [5.0, -6.0e6]]).unwrap();
    let name = crowd.scene().species[1].name.clone();
    crowd.change_species(&all[3..4], &name).unwrap();
    crowd.snapshot().to_bytes()
}

/// The snapshot of [`pointed`] with a formation that an agent has joined.
fn formed() -> Vec<u8> {
    let mut crowd = Snapshot::from_bytes(&pointed()).unwrap().build().unwrap();
    let species = crowd.scene().species[0].clone();
    let leader = [9.0, 9.0].into();
    let pursuit = OffsetPursuit { leader, abreast: 2, ..OffsetPursuit::default() };
    crowd.set_species(&species.behavior(pursuit)).unwrap();
    place(&mut crowd, [20.0, 10.0]);
    crowd.snapshot().to_bytes()
}

#[test]
fn an_impossible_order_of_joining_is_refused() {
    let bytes = formed();
    let mut body = bytes[BODY..].to_vec();
    let agents = Snapshot::from_bytes(&bytes).unwrap().len();
    let column = body.len() - 8 * agents;
    let next = column - 16;
    body.copy_within(column..column + 8, column + 8);
    assert!(message(&sealed(&body)).contains("column joined has "));
    let change = |at: usize, value: u64| {
        let mut body = bytes[BODY..].to_vec();
        body[at..at + 8].copy_from_slice(&value.to_le_bytes());
        message(&sealed(&body))
    };
    assert!(change(column, 999).contains("column joined[0] = 999: must be below "));
    assert!(change(next, u64::MAX).contains("must be at most"));
    assert!(change(next, 0).contains("next agent is 0"));
}

#[test]
fn every_changed_byte_with_a_matching_checksum_is_refused_or_runs() {
    for bytes in [small(), &formed(), small_in_space()] {
        assert_changes_are_refused_or_run(&bytes[BODY..]);
    }
}

fn assert_changes_are_refused_or_run(body: &[u8]) {
    let mut body = body.to_vec();
    let mut refused = 0;
    for at in 0..body.len() {
        for flip in [0x01, 0xFF] {
            body[at] ^= flip;
            refused += usize::from(refused_or_runs(&sealed(&body)));
            body[at] ^= flip;
        }
    }
    assert!(refused > body.len() / 2, "{refused} of {}", body.len() * 2);
}

#[test]
fn impossible_own_points_are_refused_by_name() {
    let bytes = pointed();
    let body = &bytes[BODY..];
    let (target, agents) = list(body, "target");
    let is_point = |k: &usize| body[target + 4 * k..][..4] == (u32::MAX - 1).to_le_bytes();
    let pointed: Vec<usize> = (0..agents).filter(is_point).collect();
    assert_eq!(pointed.len(), 2);
    let other = (0..agents).find(|k| !is_point(k)).unwrap();
    // The body ends with a list of two numbers per agent.
    let points = body.len() - 8 * agents;
    for (at, value, expected) in [
        (points + 8 * pointed[0], f32::NAN.to_le_bytes(), "must be a point, or 0 for no point"),
        (points + 8 * pointed[1] + 4, 1.1e7_f32.to_le_bytes(), "column target_point["),
        (points + 8 * other, 1.0_f32.to_le_bytes(), "must be a point, or 0 for no point"),
        (target + 4 * pointed[0], u32::MAX.to_le_bytes(), "must be a point, or 0 for no point"),
        (target + 4 * other, (u32::MAX - 2).to_le_bytes(), "must be below"),
    ] {
        let mut body = body.to_vec();
        body[at..at + 4].copy_from_slice(&value);
        let text = message(&sealed(&body));
        assert!(text.contains(expected), "{expected}: {text}");
    }
    for (missing, expected) in [(4, "must have 2 coordinates for each agent"), (8, "has")] {
        let mut body = body[..body.len() - missing].to_vec();
        body[points - 8..points]
            .copy_from_slice(&((8 * agents - missing) as u64 / 4).to_le_bytes());
        let text = message(&sealed(&body));
        assert!(text.contains(&format!("column target_point {expected}")), "{text}");
    }
    // An own target is a point, but the list of points is missing.
    let mut body = small()[BODY..].to_vec();
    let (target, _) = list(&body, "target");
    body[target..target + 4].copy_from_slice(&(u32::MAX - 1).to_le_bytes());
    let text = message(&sealed(&body));
    assert!(text.contains("there are no points"), "{text}");
}

#[test]
fn every_impossible_value_is_refused_by_name() {
    let body = &small()[BODY..];
    let float = |value: f32| value.to_le_bytes().to_vec();
    let word = |value: u32| value.to_le_bytes().to_vec();
    let (index, agents) = list(body, "index");
    let (free, _) = list(body, "free");
    let agent = |k: usize| body[index + 4 * k..][..4].to_vec();
    let unused = body[free..free + 4].to_vec();
    let mut cases = vec![
        ("scene", vec![0xFF], "not text"),
        ("scene", b"?".to_vec(), "its scene:1"),
        ("size", float(0.0), "world.width"),
        ("size", float(1.0), "does not have a world of 1"),
        ("free", word(1 << 30), "must be below"),
        ("free", agent(0), "appears twice"),
        ("index", agent(1), "appears twice"),
        ("index", word(u32::MAX), "must be below"),
        ("species", vec![3], "column species[0] = 3"),
        ("target", word(1 << 30), "must be below"),
        ("target", unused, "no such agent"),
        ("waypoint", float(0.25), "column waypoint[0] = 0.25"),
        ("waypoint", float(4.0), "column waypoint[0] = 4.0"),
        ("vx", float(1.1e5), "column vx[0]"),
        ("hx", float(1.5), "columns hx[0] = 1.5"),
        // Regression: debug builds panicked when the agent took its speed from such a heading.
        ("hx", [float(1.0009), float(0.0)].concat(), "must be of length 1"),
        ("wander_y", float(2.0e4), "column wander_y[0]"),
        ("headings", word(17_000_000), "column headings[0] = [17000000, "),
        ("headings", word(1 << 31), "column headings[0]"),
        ("headings", [word(9_000_000), word(9_000_000)].concat(), "must be of length 2^24"),
        ("headings", vec![0; 8], "column headings[0] = [0, 0]: must be of length 2^24"),
    ];
    for name in ["x", "y", "vx", "vy", "hx", "hy", "wander_x", "wander_y"] {
        cases.push((name, float(f32::NAN), name));
        cases.push((name, float(f32::INFINITY), name));
    }
    for name in ["waypoint", "alert"] {
        cases.push((name, float(f32::NAN), name));
    }
    for name in ["x", "y"] {
        cases.push((name, float(-0.1), "inside the world"));
        cases.push((name, float(1.0e6), "inside the world"));
    }
    for (name, value, expected) in cases {
        let mut body = body.to_vec();
        let (at, _) = list(&body, name);
        body[at..at + value.len()].copy_from_slice(&value);
        let text = message(&sealed(&body));
        assert!(text.contains(expected), "{name}: {text}");
    }

    let (generations, given) = list(body, "generations");
    let [freed, used] =
        [free, index].map(|at| u32::from_le_bytes(body[at..at + 4].try_into().unwrap()) as usize);
    for (at, value, expected) in [
        (generations + 4 * freed, word(0), "was never used by an agent"),
        (generations + 4 * freed, word(u32::MAX), "has no generation left"),
        (generations + 4 * used, word(u32::MAX), "has no generation left"),
        (generations - 16, u64::MAX.to_le_bytes().to_vec(), "must be at most"),
    ] {
        let mut body = body.to_vec();
        body[at..at + value.len()].copy_from_slice(&value);
        let text = message(&sealed(&body));
        assert!(text.contains(expected), "{text}");
    }

    for (name, size) in &LISTS[2..] {
        let (at, count) = list(body, name);
        assert!(count > 0, "{name} is not tested");
        let mut body = body.to_vec();
        body[at - 8..at].copy_from_slice(&(count as u64 - 1).to_le_bytes());
        body.drain(at..at + size);
        let text = message(&sealed(&body));
        let expected: &[&str] = match *name {
            "generations" => &["were assigned"],
            "free" => &["indices are free, not"],
            "index" => &["entries, not"],
            _ => &[name, "entries, not"],
        };
        assert!(expected.iter().all(|words| text.contains(words)), "{name}: {text}");
    }
    assert!(given > agents);
}

#[test]
fn every_impossible_third_component_is_refused_by_name() {
    let body = &small_in_space()[BODY..];
    let columns = further_columns(body);
    let names: Vec<_> = columns.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["z", "vz", "hz", "wander_z"]);
    for (name, (at, count)) in columns {
        assert!(count > 0, "{name} is not tested");
        let outside: &[f32] = match name {
            "z" => &[-0.1, DEPTH * 1.01],
            "vz" => &[1.1e5],
            "hz" => &[1.5, -1.5],
            _ => &[2.0e4],
        };
        for value in [f32::NAN, f32::INFINITY].iter().chain(outside) {
            let mut body = body.to_vec();
            body[at..at + 4].copy_from_slice(&value.to_le_bytes());
            let text = message(&sealed(&body));
            assert!(text.contains(name), "{name} = {value}: {text}");
        }
        let mut body = body.to_vec();
        body[at - 8..at].copy_from_slice(&(count as u64 - 1).to_le_bytes());
        body.drain(at..at + 4);
        let text = message(&sealed(&body));
        assert!(text.contains(name) && text.contains("entries, not"), "{name}: {text}");
    }
    let (size, axes) = list(body, "size");
    assert_eq!(axes, 3);
    let mut body = body.to_vec();
    body[size + 8..size + 12].copy_from_slice(&1.0_f32.to_le_bytes());
    let text = message(&sealed(&body));
    assert!(text.contains("does not have a world of"), "{text}");
}

#[test]
fn impossible_times_are_refused() {
    let mut body = small()[BODY..].to_vec();
    let (size, axes) = list(&body, "size");
    let step = size + 4 * axes;
    assert_eq!(body[step..step + 8], 3_u64.to_le_bytes());
    // The highest bit means that the time at step 0 follows.
    body[step + 7] |= 1 << 7;
    for bad in [f64::NAN, f64::INFINITY, 1.0e308, -1.0e3] {
        let body = [&body[..step + 8], &bad.to_le_bytes(), &body[step + 8..]].concat();
        let text = message(&sealed(&body));
        assert!(text.contains("must be f"), "{text}");
    }
}

#[test]
fn a_scene_in_three_dimensions_has_no_flat_world() {
    let text = "[world]\nmean_neighbors = 4\ndimensions = 3\ntopology = \"bounded\"\n\
                [[species]]\nagents = 5\n";
    let crowd = Scene::parse(text, "deep.toml").unwrap().build().unwrap();
    let mut body = crowd.snapshot().to_bytes()[BODY..].to_vec();
    let (size, _) = list(&body, "size");
    body[size + 8..size + 12].copy_from_slice(&0.0_f32.to_le_bytes());
    let text = message(&sealed(&body));
    assert!(text.contains("does not have a world of"), "{text}");
}

proptest! {
    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(refused_or_runs(&bytes));
        prop_assert!(refused_or_runs(&sealed(&bytes)));
    }

    #[test]
    fn many_changes_are_refused_or_run(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u32>()), 1..6),
        aligned in any::<bool>(),
        deep in any::<bool>(),
    ) {
        let mut body = if deep { small_in_space() } else { small() }[BODY..].to_vec();
        for (index, word) in changes {
            let at = index.index(body.len() - 3);
            let at = if aligned { at & !3 } else { at };
            body[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        refused_or_runs(&sealed(&body));
    }
}

#[test]
fn lists_longer_than_the_file_are_refused_before_memory_is_allocated() {
    let text = Scene::new(World::torus(5.0, 5.0)).to_toml();
    let head = [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    for length in [3, 1 << 32, u64::MAX / 4 + 1, u64::MAX] {
        let body = [&head[..], &u64::to_le_bytes(length), &[0; 8]].concat();
        let message = message(&sealed(&body));
        assert!(message.contains(&length.to_string()), "{message}");
        assert!(message.contains("the size of the world"), "{message}");
    }
}

#[test]
fn missing_agents_get_no_scattered_scenery() {
    // Asks for a million scattered circles, due to a hundred million agents that the file lacks.
    let scene = Scene::parse(
        "world = { width = 1e7, height = 1e7 }\n\
         scatter.obstacles = { per_thousand_agents = 10, size = [1, 1], gap = 0 }\n\
         species = [{ name = 'a', agents = 100000000 }]",
        "text",
    );
    let text = scene.unwrap().to_toml();
    let mut body = [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    body.extend(2_u64.to_le_bytes());
    body.extend([1.0e7_f32; 2].map(f32::to_le_bytes).concat());
    body.extend([0; 8 * 17]);
    body.extend(NO_LIMITS);
    let message = message(&sealed(&body));
    assert!(message.contains("starts with 100000000 agents"), "{message}");
}

#[test]
fn more_agents_than_can_be_counted_are_refused() {
    let species = |name: &str| Species::new(name, usize::MAX / 2);
    let scene = ["a", "b", "c"].map(species).into_iter();
    let scene = scene.fold(Scene::new(World::torus(5.0, 5.0)), Scene::species);
    assert!(scene.check().is_err());
}

/// Regression: a damaged file and a file of another version had the same error code.
#[test]
fn another_version_is_distinguished_from_a_broken_file() {
    let mut bytes = small().to_vec();
    for version in [0, 3, 5] {
        bytes[VERSION] = version;
        let error = Snapshot::from_bytes(&bytes).unwrap_err();
        let ErrorKind::SnapshotVersion { version: found, supported: 4, .. } = error.kind() else {
            panic!("{error:?}")
        };
        assert_eq!((*found, error.code()), (u32::from(version), "snapshot_version"));
        let expected = format!("is version {version}, but this flockwork reads version 4");
        assert!(error.to_string().contains(&expected), "{error}");
    }
    bytes = small().to_vec();
    bytes[CHECKSUM] ^= 1;
    let error = Snapshot::from_bytes(&bytes).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Snapshot { .. }), "{error:?}");
    assert!(error.code() == "snapshot" && error.to_string().contains("checksum"), "{error}");

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.snapshot");
    bytes[VERSION] = 3;
    std::fs::write(&path, &bytes).unwrap();
    let error = Snapshot::load(&path).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: the format", path.display())), "{error}");
}
