//! Snapshots as bytes and as files: what follows from them, and what is refused.

mod arbitrary;
mod common;

use std::path::PathBuf;
use std::sync::OnceLock;

use common::{flock, ids, place, variety};
use flockwork::{Error, Method, Scene, Simulation, Snapshot, Species, World};
use proptest::prelude::*;

/// Where the parts of the header are.
const VERSION: usize = 8;
const CHECKSUM: usize = 20;
const BODY: usize = 28;

/// A folder of its own for a test, gone with it.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("flockwork-{}-{test}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

/// Positions, headings and all else that the hash does not tell, by id.
fn looks(simulation: &Simulation) -> Vec<impl PartialEq + std::fmt::Debug + use<>> {
    let agents = simulation.agents();
    let smooth = |column: &[f32], slot: usize| column.get(slot).map(|value| value.to_bits());
    let agent = |slot: usize| {
        let id = simulation.id_at(slot);
        (
            id,
            simulation.agent(id).unwrap(),
            [smooth(agents.smooth_x, slot), smooth(agents.smooth_y, slot)],
            simulation.own_target(id).unwrap(),
        )
    };
    (0..simulation.len()).map(agent).collect()
}

fn assert_same(name: &str, a: &Simulation, b: &Simulation) {
    assert_eq!(a.state_hash(), b.state_hash(), "{name}");
    assert_eq!(a.tick(), b.tick(), "{name}");
    assert_eq!(a.scene(), b.scene(), "{name}");
    assert_eq!(a.world_size(), b.world_size(), "{name}");
    assert_eq!(looks(a), looks(b), "{name}");
    assert!(a.obstacles().eq(b.obstacles()), "{name}");
    assert!(a.walls().eq(b.walls()), "{name}");
}

fn read(bytes: &[u8]) -> Simulation {
    Snapshot::from_bytes(bytes).unwrap().build().unwrap()
}

/// What is read back is the same and stays the same, agents added later included.
fn assert_comes_back(name: &str, simulation: &mut Simulation) {
    let bytes = simulation.snapshot().to_bytes();
    let mut again = read(&bytes);
    assert_same(name, simulation, &again);
    assert_eq!(again.snapshot().to_bytes(), bytes, "{name}");
    simulation.run(12).unwrap();
    again.run(12).unwrap();
    assert_same(name, simulation, &again);
    let at = simulation.world_size().map(|side| side / 3.0);
    for _ in 0..3 {
        assert_eq!(place(simulation, at), place(&mut again, at), "{name}");
    }
    simulation.run(3).unwrap();
    again.run(3).unwrap();
    assert_same(name, simulation, &again);
}

#[test]
fn every_embedded_scene_comes_back() {
    for name in Scene::names() {
        let scene = Scene::named(name).unwrap();
        let scene = scene.clone().agents(150).unwrap_or(scene);
        let mut simulation = scene.build().unwrap();
        assert_comes_back(name, &mut simulation);
    }
}

#[test]
fn every_kind_of_crowd_comes_back() {
    for (name, scene) in variety(200) {
        for steps in [0, 1, 20] {
            let mut simulation = scene.build().unwrap();
            simulation.run(steps).unwrap();
            assert_comes_back(name, &mut simulation);
        }
    }
}

/// Agents removed and added, so that indices are free and given out again.
fn stir(simulation: &mut Simulation) {
    let all = ids(simulation);
    for id in all.iter().step_by(3) {
        simulation.remove(*id).unwrap();
    }
    let at = simulation.world_size().map(|side| side / 2.0);
    for _ in 0..all.len() / 6 {
        place(simulation, at);
    }
}

#[test]
fn a_crowd_that_changed_while_it_ran_comes_back() {
    for (name, scene) in variety(120) {
        let mut simulation = scene.build().unwrap();
        simulation.run(5).unwrap();
        stir(&mut simulation);
        simulation.run(2).unwrap();
        for species in scene.species {
            let slower = species.max_speed([20.0, 60.0]).view_distance(70.0).radius([1.0, 2.0]);
            simulation.set_species(&slower).unwrap();
        }
        assert_comes_back(name, &mut simulation);
        simulation.set_heading_samples(Some(7)).unwrap();
        simulation.set_non_penetration(2).unwrap();
        simulation.run(4).unwrap();
        assert_comes_back(name, &mut simulation);
    }
}

#[test]
fn moved_points_and_own_targets_come_back() {
    let (_, scene) = variety(90).into_iter().find(|(name, _)| *name == "chase").unwrap();
    let mut simulation = scene.build().unwrap();
    simulation.run(3).unwrap();
    simulation.set_point("noise", [3.0, 77.0]).unwrap();
    let all = ids(&simulation);
    for (k, id) in all.iter().enumerate() {
        let target = (k % 4 != 0).then(|| all[k * 7 % all.len()]);
        simulation.set_own_target(*id, target).unwrap();
    }
    assert_comes_back("chase", &mut simulation);
    stir(&mut simulation);
    assert_comes_back("chase, stirred", &mut simulation);
    for id in ids(&simulation) {
        simulation.remove(id).unwrap();
    }
    assert_comes_back("chase, without anybody", &mut simulation);
}

#[test]
fn a_world_sized_by_neighbors_keeps_its_size_when_the_view_has_changed() {
    let species = |view: f32| flock(200).view_distance(view);
    let scene = Scene::new(World::with_mean_neighbors(16.0)).species(species(50.0));
    let mut simulation = scene.build().unwrap();
    for view in [0.1, 1.0, 200.0, 1.0e6] {
        simulation.set_species(&species(view)).unwrap();
        assert_comes_back("by neighbors", &mut simulation);
    }
}

#[test]
fn another_method_on_other_threads_takes_the_same_steps_from_a_file() {
    let folder = Folder::new("methods");
    let path = folder.0.join("kept.flock");
    for (name, scene) in variety(150) {
        let mut simulation = scene.build().unwrap();
        simulation.run(8).unwrap();
        simulation.snapshot().save(&path).unwrap();
        simulation.run(8).unwrap();
        let kept = Snapshot::load(&path).unwrap();
        // A simulation of something else altogether, in the middle of it.
        let other = Scene::new(World::open(99.0, 55.0)).species(flock(70));
        let mut other = other.build().unwrap();
        other.set_heading_samples(Some(3)).unwrap();
        other.run(3).unwrap();
        other.set_method(Method::Reference);
        other.set_threads(2).unwrap();
        other.restore(&kept);
        other.run(8).unwrap();
        assert_same(name, &simulation, &other);
    }
    let left: Vec<_> = std::fs::read_dir(&folder.0).unwrap().collect();
    assert_eq!(left.len(), 1, "only the snapshot is left: {left:?}");
}

/// A small snapshot that has a bit of everything.
fn small() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let (_, mut scene) = variety(8).into_iter().find(|(name, _)| *name == "chase").unwrap();
        let (_, furnished) = variety(4).into_iter().find(|(name, _)| *name == "furnished").unwrap();
        scene.species.extend(furnished.species);
        scene.heading_samples = Some(3);
        scene.non_penetration = 1;
        scene.world.topology = furnished.world.topology;
        (scene.paths, scene.flow, scene.scatter) =
            (furnished.paths, furnished.flow, furnished.scatter);
        let mut simulation = scene.build().unwrap();
        simulation.run(3).unwrap();
        for id in ids(&simulation).into_iter().step_by(4) {
            simulation.remove(id).unwrap();
        }
        place(&mut simulation, [20.0, 10.0]);
        simulation.snapshot().to_bytes()
    })
}

fn message(bytes: &[u8]) -> String {
    let error = Snapshot::from_bytes(bytes).unwrap_err();
    assert!(matches!(error, Error::Snapshot { .. }), "{error:?}");
    error.to_string()
}

/// The engine's checksum, written once more.
fn checksum(body: &[u8]) -> u64 {
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |hash: u64, word: u64| {
        let hash = (hash ^ word).wrapping_mul(SPREAD);
        hash ^ (hash >> 29)
    };
    let mut padded = body.to_vec();
    padded.resize((body.len() / 8 + 1) * 8, 0);
    let words = padded.chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap()));
    mix(words.fold(SPREAD, mix), body.len() as u64)
}

/// A body under a header that fits it.
fn sealed(body: &[u8]) -> Vec<u8> {
    let mut file = small()[..VERSION + 4].to_vec();
    file.extend((body.len() as u64).to_le_bytes());
    file.extend(checksum(body).to_le_bytes());
    file.extend(body);
    file
}

/// Either it is refused, or it takes steps; whether these succeed is another question.
fn refused_or_runs(bytes: &[u8]) -> bool {
    match Snapshot::from_bytes(bytes) {
        Err(error) => {
            assert!(matches!(error, Error::Snapshot { .. }), "{error:?}");
            assert!(error.to_string().len() < 2_000, "{error}");
            true
        }
        Ok(snapshot) => {
            let mut simulation = Scene::new(World::torus(9.0, 9.0)).build().unwrap();
            simulation.set_threads(1).unwrap();
            simulation.restore(&snapshot);
            let _ = simulation.run(2);
            simulation.set_method(Method::Reference);
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
fn the_checksum_here_is_the_engines() {
    let bytes = small();
    assert_eq!(sealed(&bytes[BODY..]), bytes);
    assert!(!refused_or_runs(bytes));
}

#[test]
fn every_truncation_is_refused() {
    let bytes = small();
    for length in 0..bytes.len() {
        message(&bytes[..length]);
        if length >= BODY {
            message(&sealed(&bytes[BODY..length]));
        }
    }
    message(&[bytes, &[0]].concat());
    message(&sealed(&[&bytes[BODY..], &[0]].concat()));
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

#[test]
fn every_changed_byte_under_a_right_checksum_is_refused_or_runs() {
    let mut body = small()[BODY..].to_vec();
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
    ) {
        let mut body = small()[BODY..].to_vec();
        for (index, word) in changes {
            let at = index.index(body.len() - 3);
            let at = if aligned { at & !3 } else { at };
            body[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
        refused_or_runs(&sealed(&body));
    }

    #[test]
    fn any_scene_comes_back(scene in arbitrary::scene()) {
        let Ok(mut simulation) = scene.build() else { return Ok(()) };
        simulation.set_threads(1).unwrap();
        if simulation.run(3).is_err() {
            return Ok(());
        }
        let mut again = read(&simulation.snapshot().to_bytes());
        assert_same("any", &simulation, &again);
        prop_assert_eq!(simulation.run(3).is_ok(), again.run(3).is_ok());
        assert_same("any", &simulation, &again);
    }
}

#[test]
fn lists_longer_than_the_file_are_refused_before_there_is_room_for_them() {
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
fn agents_that_are_not_there_get_no_scenery() {
    // Ten scattered circles for each of a hundred million agents, of which there is none.
    let scene = Scene::parse(
        "world = { width = 1e7, height = 1e7 }\n\
         scatter.obstacles = { per_thousand_agents = 1e4, size = [1, 1], gap = 0 }\n\
         species = [{ name = 'a', agents = 100000000 }]",
        "text",
    );
    let text = scene.unwrap().to_toml();
    let mut body = [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    body.extend(2_u64.to_le_bytes());
    body.extend([1.0e7_f32; 2].map(f32::to_le_bytes).concat());
    body.extend([0; 8 * 19]);
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

#[test]
fn a_file_from_the_future_is_told_from_one_that_is_broken() {
    let mut bytes = small().to_vec();
    bytes[VERSION] = 2;
    let text = message(&bytes);
    assert!(text.contains("version 2") && text.contains("reads version 1"), "{text}");
    bytes[VERSION] = 0;
    assert!(message(&bytes).contains("version 0"));
    bytes = small().to_vec();
    bytes[CHECKSUM] ^= 1;
    assert!(message(&bytes).contains("checksum"));
}

#[test]
fn refusals_name_the_file() {
    let folder = Folder::new("refusals");
    let path = folder.0.join("not a snapshot.toml");
    std::fs::write(&path, "name = 'a scene'").unwrap();
    let error = Snapshot::load(&path).unwrap_err().to_string();
    assert!(error.contains("not a snapshot.toml") && error.contains("FLOCKWRK"), "{error}");

    for path in [folder.0.join("missing"), folder.0.clone()] {
        let error = Snapshot::load(&path).unwrap_err();
        assert!(matches!(&error, Error::File { .. }), "{error:?}");
        assert!(error.to_string().contains(&*path.to_string_lossy()), "{error}");
    }
}

#[test]
fn what_cannot_be_written_leaves_everything_as_it_was() {
    let folder = Folder::new("unwritable");
    let snapshot = flock_of(3).snapshot();
    let occupied = folder.0.join("folder");
    std::fs::create_dir_all(occupied.join("full")).unwrap();
    let nowhere = folder.0.join("no such folder").join("kept.flock");
    for path in [occupied, nowhere, "/".into(), "".into()] {
        let error = snapshot.save(&path).unwrap_err();
        assert!(matches!(&error, Error::File { .. }), "{error:?}");
        assert!(error.to_string().contains(&*path.to_string_lossy()), "{error}");
    }
    let left: Vec<_> = std::fs::read_dir(&folder.0).unwrap().collect();
    assert_eq!(left.len(), 1, "nothing half-written is left: {left:?}");
}

#[test]
fn a_second_snapshot_replaces_the_first() {
    let folder = Folder::new("replaces");
    let path = folder.0.join("kept.flock");
    for agents in [30, 2] {
        let simulation = flock_of(agents);
        simulation.snapshot().save(&path).unwrap();
        assert_same("second", &simulation, &Snapshot::load(&path).unwrap().build().unwrap());
    }
}

fn flock_of(agents: usize) -> Simulation {
    Scene::new(World::torus(200.0, 200.0)).species(flock(agents)).build().unwrap()
}
