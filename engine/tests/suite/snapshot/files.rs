use std::path::PathBuf;

use flockwork::{ErrorKind, Method, Scene, Simulation, Snapshot, Target, World};
use proptest::prelude::*;

use crate::common::agents::{ids, place};
use crate::common::arbitrary::scene;
use crate::common::scenes::{flock, variety, with_agents};

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

/// Id, state, smoothed heading and own target of each agent; the state hash omits some of these.
fn states(simulation: &Simulation) -> Vec<impl PartialEq + std::fmt::Debug + use<>> {
    let agent = |slot: usize| {
        let id = simulation.agents().id(slot);
        (
            id,
            simulation.agent(id).unwrap(),
            simulation.agents().smoothed_heading(slot).map(|heading| heading.map(f32::to_bits)),
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
    assert_eq!(states(a), states(b), "{name}");
    assert!(a.obstacles().eq(b.obstacles()), "{name}");
    assert!(a.walls().eq(b.walls()), "{name}");
}

fn read(bytes: &[u8]) -> Simulation {
    Snapshot::from_bytes(bytes).unwrap().build().unwrap()
}

/// Asserts that a restored crowd equals the saved one and stays equal, even after adding agents.
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
        let scene = with_agents(scene, 150);
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

/// Removes and adds agents, so that some ids are free and others reused.
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
        simulation.edit(|scene| scene.heading_samples = Some(7)).unwrap();
        simulation.edit(|scene| scene.non_penetration = 2).unwrap();
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
        let target = match k % 4 {
            0 => Target::Unset,
            1 => Target::Point([k as f32, -3.0].into()),
            _ => all[k * 7 % all.len()].into(),
        };
        simulation.set_own_target(*id, target).unwrap();
    }
    assert_comes_back("chase", &mut simulation);
    stir(&mut simulation);
    assert_comes_back("chase, stirred", &mut simulation);
    for id in ids(&simulation) {
        simulation.remove(id).unwrap();
    }
    assert_comes_back("chase, empty", &mut simulation);
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
fn another_method_and_thread_count_takes_the_same_steps_from_a_file() {
    let folder = Folder::new("methods");
    let path = folder.0.join("kept.flock");
    for (name, scene) in variety(150) {
        let mut simulation = scene.build().unwrap();
        simulation.run(8).unwrap();
        simulation.snapshot().save(&path).unwrap();
        simulation.run(8).unwrap();
        let kept = Snapshot::load(&path).unwrap();
        let other = Scene::new(World::open(99.0, 55.0)).species(flock(70));
        let mut other = other.build().unwrap();
        other.edit(|scene| scene.heading_samples = Some(3)).unwrap();
        other.run(3).unwrap();
        other.set_execution(other.execution().method(Method::Scalar).threads(2)).unwrap();
        other.restore(&kept);
        other.run(8).unwrap();
        assert_same(name, &simulation, &other);
    }
    let left: Vec<_> = std::fs::read_dir(&folder.0).unwrap().collect();
    assert_eq!(left.len(), 1, "only the snapshot is left: {left:?}");
}

proptest! {
    #[test]
    fn any_scene_comes_back(scene in scene()) {
        let mut simulation = scene.build().unwrap();
        simulation.set_execution(simulation.execution().threads(1)).unwrap();
        simulation.run(3).unwrap();
        let mut again = read(&simulation.snapshot().to_bytes());
        assert_same("any", &simulation, &again);
        simulation.run(3).unwrap();
        again.run(3).unwrap();
        assert_same("any", &simulation, &again);
    }
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
        assert!(matches!(error.kind(), ErrorKind::File { .. }), "{error:?}");
        assert!(error.to_string().contains(&*path.to_string_lossy()), "{error}");
    }
}

#[test]
fn a_failed_save_leaves_nothing_behind() {
    let folder = Folder::new("unwritable");
    let snapshot = flock_of(3).snapshot();
    let occupied = folder.0.join("folder");
    std::fs::create_dir_all(occupied.join("full")).unwrap();
    let nowhere = folder.0.join("no such folder").join("kept.flock");
    for path in [occupied, nowhere, "/".into(), "".into()] {
        let error = snapshot.save(&path).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::File { .. }), "{error:?}");
        assert!(error.to_string().contains(&*path.to_string_lossy()), "{error}");
    }
    let left: Vec<_> = std::fs::read_dir(&folder.0).unwrap().collect();
    assert_eq!(left.len(), 1, "no partial file is left: {left:?}");
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
