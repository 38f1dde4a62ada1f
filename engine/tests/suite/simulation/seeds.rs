use flockwork::{
    AgentOrder, Number, Scattered, Scene, Simulation, Snapshot, Species, SpeciesValue, Vector,
    World,
};

use crate::common::scenes::flock;

fn scene() -> Scene {
    let fish = flock(60).max_speed([20.0, 90.0]).column("hunger", SpeciesValue::from([0.0, 1.0]));
    let few = Scattered { count: 3, ..Scattered::default() };
    Scene::new(World::torus(300.0, 200.0)).species(fish).scatter_obstacles(few)
}

fn positions(crowd: &Simulation) -> Vec<[f32; 2]> {
    crowd.get_all(Vector::Position, AgentOrder::Id).unwrap()
}

#[test]
fn crowds_of_one_start_seed_start_alike_and_go_on_by_their_seeds() {
    let start = |seed| scene().seed(seed).start_seed(5).build().unwrap();
    let (mut one, mut other) = (start(1), start(2));
    assert_eq!(one.state_hash(), other.state_hash());
    assert!(one.obstacles().eq(other.obstacles()));
    one.run(30).unwrap();
    other.run(30).unwrap();
    assert_ne!(positions(&one), positions(&other));
}

#[test]
fn every_value_that_is_drawn_at_the_start_depends_on_the_start_seed() {
    let [one, other] = [1, 2].map(|seed| scene().start_seed(seed).build().unwrap());
    let all_differ = |read: &dyn Fn(&Simulation) -> Vec<f32>| {
        read(&one).iter().zip(read(&other)).all(|(one, other)| *one != other)
    };
    for number in [Number::MaxSpeed, Number::Column("hunger")] {
        let read = |crowd: &Simulation| crowd.get_all(number, AgentOrder::Id).unwrap();
        assert!(all_differ(&read), "{number:?}");
    }
    for vector in [Vector::Position, Vector::Heading, Vector::Velocity] {
        let read = |crowd: &Simulation| crowd.get_all(vector, AgentOrder::Id).unwrap().concat();
        assert!(all_differ(&read), "{vector:?}");
    }
    let centers = |crowd: &Simulation| crowd.obstacles().flat_map(|one| one.center.xy()).collect();
    assert!(all_differ(&centers), "scattered obstacles");
}

#[test]
fn without_a_start_seed_it_is_the_seed() {
    let mut plain = scene().seed(7).build().unwrap();
    let mut same = scene().seed(7).start_seed(7).build().unwrap();
    plain.run(10).unwrap();
    same.run(10).unwrap();
    assert_eq!(plain.state_hash(), same.state_hash());
    assert!(!plain.scene().to_toml().contains("start_seed"));
    assert_eq!(Scene::parse(&same.scene().to_toml(), "same.toml").unwrap(), *same.scene());
}

#[test]
fn a_new_seed_changes_steps_and_nothing_that_was_drawn_before() {
    let mut saved = scene().seed(1).build().unwrap();
    saved.run(5).unwrap();
    let before = saved.snapshot();
    let replicate = |seed: u64| {
        let mut crowd = before.build().unwrap();
        crowd.edit(|scene| scene.seed = seed).unwrap();
        assert_eq!(crowd.state_hash(), saved.state_hash());
        assert!(crowd.obstacles().eq(saved.obstacles()));
        // Values drawn from ranges, even for later agents, still follow the first seed.
        let wider = Species { max_speed: [10.0, 50.0].into(), ..crowd.scene().species[0].clone() };
        crowd.set_species(&wider).unwrap();
        crowd.spawn("flock", [1.0, 2.0], [1.0, 0.0]).unwrap();
        crowd
    };
    let (mut one, mut other, mut again) = (replicate(1), replicate(2), replicate(2));
    assert_eq!(one.state_hash(), other.state_hash());
    for crowd in [&mut one, &mut other, &mut again] {
        crowd.run(20).unwrap();
    }
    assert_ne!(one.state_hash(), other.state_hash());
    assert_eq!(other.state_hash(), again.state_hash());
    let kept = Snapshot::from_bytes(&other.snapshot().to_bytes()).unwrap();
    let mut restored = kept.build().unwrap();
    restored.run(20).unwrap();
    other.run(20).unwrap();
    assert_eq!(restored.state_hash(), other.state_hash());
}

#[test]
fn a_new_seed_at_the_start_is_that_of_the_scene() {
    let mut changed = scene().seed(1).build().unwrap();
    // The start keeps the first seed, however often the scene's seed is replaced.
    changed.edit(|scene| scene.seed = 9).unwrap();
    changed.edit(|scene| scene.seed = 2).unwrap();
    let mut other = scene().seed(2).start_seed(1).build().unwrap();
    changed.run(20).unwrap();
    other.run(20).unwrap();
    assert_eq!(changed.state_hash(), other.state_hash());
    assert_eq!(changed.scene(), other.scene());
}
