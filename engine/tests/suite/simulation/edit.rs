use std::sync::Arc;

use flockwork::behaviors::{Hide, OffsetPursuit, PathFollowing, Seek, WallAvoidance, Wander};
use flockwork::slab::Slab;
use flockwork::{
    AgentId, Behavior, Locomotion, Number, Obstacle, Scene, Simulation, Snapshot, Spawn, Species,
    Start, Target, Vector, Wall, WaypointPath, World,
};

use crate::common::refusals::field_and_allowed;
use crate::common::scenes::flock;
use crate::common::variants::hash_after;
use crate::slab::slabs::Slabs;

fn scene() -> Scene {
    let wall = Wall::new([[10.0, 10.0], [90.0, 10.0]]).two_sided();
    let species = flock(60).behavior(WallAvoidance::default());
    Scene::new(World::torus(300.0, 200.0)).species(species).wall(wall).point("lure", [1.0; 2])
}

fn bytes(crowd: &Simulation) -> Vec<u8> {
    crowd.snapshot().to_bytes()
}

#[test]
fn what_a_running_crowd_keeps_is_refused_by_name() {
    type Change = fn(&mut Scene);
    let scene = scene().seed(7);
    let mut crowd = scene.build().unwrap();
    let mut slab = Slab::new(&scene, 1, 2).unwrap();
    crowd.run(3).unwrap();
    let before = bytes(&crowd);
    let changes: [(&str, Change); 10] = [
        ("world", |scene| scene.world = World::torus(300.0, 201.0)),
        ("world", |scene| scene.world = World::bounded(300.0, 200.0)),
        ("start_seed", |scene| scene.start_seed = Some(8)),
        ("agents", |scene| scene.agents = Some(60)),
        ("number of species", |scene| scene.species.clear()),
        ("species[0].name", |scene| scene.species[0].name = "fish".into()),
        ("species[0].agents", |scene| scene.species[0].agents = 61),
        ("species[1].agents", |scene| scene.species.push(Species::new("hawk", 1))),
        ("species[1].name", |scene| scene.species.push(flock(0))),
        // Valid changes before the invalid one are not made either.
        ("species[0].max_speed", |scene| {
            scene.heading_samples = Some(4);
            scene.steps_per_second = 100.0;
            scene.walls = Arc::default();
            scene.species[0].max_speed = (-1.0).into();
        }),
    ];
    for (name, change) in changes {
        let error = crowd.edit(change).unwrap_err();
        assert_eq!(field_and_allowed(&error).0, name, "{error}");
        assert_eq!(slab.edit(change).unwrap_err(), error);
        assert!(bytes(&crowd) == before, "{name}: nothing changes");
    }
    crowd.edit(|scene| scene.start_seed = Some(7)).unwrap();
    assert_eq!(
        crowd.state_hash(),
        Snapshot::from_bytes(&before).unwrap().build().unwrap().state_hash()
    );
}

#[test]
fn several_changes_at_once_are_those_changes_one_after_another() {
    let changes: [fn(&mut Scene); 6] = [
        |scene| scene.non_penetration = 2,
        |scene| scene.solid = true,
        |scene| scene.seed = 99,
        |scene| scene.steps_per_second = 90.0,
        |scene| scene.species[0].radius = [1.0, 5.0].into(),
        |scene| {
            for name in ["lure", "other"] {
                scene.points.insert(name.into(), [9.0; 2].into());
            }
        },
    ];
    let [mut at_once, mut in_turn] = [(); 2].map(|()| scene().build().unwrap());
    at_once.run(5).unwrap();
    in_turn.run(5).unwrap();
    at_once.edit(|scene| changes.iter().for_each(|change| change(scene))).unwrap();
    changes.iter().for_each(|change| in_turn.edit(change).unwrap());
    assert!(bytes(&at_once) == bytes(&in_turn));
    at_once.run(20).unwrap();
    in_turn.run(20).unwrap();
    assert!(bytes(&at_once) == bytes(&in_turn));
}

#[test]
fn scenery_changes_by_an_edit_and_otherwise_is_shared() {
    let mut crowd = scene().build().unwrap();
    let first = crowd.scene().clone();
    crowd.edit(|scene| scene.non_penetration = 1).unwrap();
    assert!(Arc::ptr_eq(&first.walls, &crowd.scene().walls), "an edit copies no scenery");
    let wall = || Wall::new([[50.0, 50.0], [50.0, 90.0]]);
    crowd.edit(|scene| Arc::make_mut(&mut scene.walls).push(wall())).unwrap();
    assert_eq!((crowd.walls().len(), first.walls.len()), (2, 1));
    let other = scene().non_penetration(1).wall(wall());
    crowd.run(30).unwrap();
    assert_eq!(crowd.state_hash(), hash_after(&other, 30, |_| {}));
}

#[test]
fn each_kind_of_scenery_is_checked_if_it_changes_alone() {
    type Change = fn(&mut Scene);
    let scene = scene()
        .obstacle(Obstacle::new([50.0, 50.0], 5.0))
        .path(WaypointPath::new("way", [[1.0; 2], [9.0; 2]]));
    let mut crowd = scene.build().unwrap();
    let before = bytes(&crowd);
    let changes: [(&str, Change); 3] = [
        ("obstacles[0].radius", |scene| Arc::make_mut(&mut scene.obstacles)[0].radius = -1.0),
        ("walls[0].points[1][0]", |scene| {
            Arc::make_mut(&mut scene.walls)[0].points[1] = [1.0e9, 0.0].into();
        }),
        ("paths[0].points[1][0]", |scene| {
            Arc::make_mut(&mut scene.paths)[0].points[1] = [1.0e9, 0.0].into();
        }),
    ];
    for (field, change) in changes {
        let refusal = crowd.edit(change).unwrap_err();
        assert_eq!(field_and_allowed(&refusal).0, field, "{refusal}");
        assert_eq!(bytes(&crowd), before, "{field}");
    }
}

/// The species differs only in its name, so that it changes neither cells nor stored columns.
#[test]
fn a_species_added_later_is_as_if_it_had_been_there_from_the_start() {
    let late = || Species { name: "late".into(), ..flock(0).behavior(WallAvoidance::default()) };
    let mut early = scene().species(late()).build().unwrap();
    let mut added = scene().build().unwrap();
    for crowd in [&mut early, &mut added] {
        crowd.run(10).unwrap();
    }
    added.edit(|scene| scene.species.push(late())).unwrap();
    for crowd in [&mut early, &mut added] {
        let born = crowd.spawn_many("late", &Spawn::at(&[[20.0; 2], [30.0; 2]])).unwrap();
        assert_eq!(crowd.agent(born[1]).unwrap().species, 1);
        assert_eq!(crowd.agents().species.iter().filter(|&&species| species == 0).count(), 60);
        crowd.run(10).unwrap();
    }
    assert_eq!(added.state_hash(), early.state_hash());
    assert!(bytes(&added) == bytes(&early));
}

/// Regression: agents whose species began to wander kept the target (0, 0) of those that do not.
#[test]
fn agents_whose_species_begins_to_wander_have_a_wander_target_as_from_the_start() {
    let wander = Wander { jitter: 0.0, ..Wander::default() };
    let wanders = |scene: &mut Scene| scene.species[1].behaviors = vec![wander.clone().into()];
    let scene = Scene::new(World::torus(300.0, 200.0))
        .species(flock(5).behavior(Wander::default()))
        .species(Species::new("sheep", 5));
    let mut from_start = scene.clone();
    wanders(&mut from_start);
    let (from_start, mut crowd) = (from_start.build().unwrap(), scene.build().unwrap());
    crowd.edit(wanders).unwrap();
    assert!(bytes(&crowd) == bytes(&from_start));
    let mut parts = Slabs::new(&scene, 2);
    parts.each_slab(|slab| slab.edit(wanders), &Ok(()));
    for _ in 0..20 {
        crowd.step().unwrap();
        parts.step(|_| None).unwrap();
    }
    parts.assert_are(&crowd, "after 20 steps");
    let before = bytes(&crowd);
    crowd.edit(wanders).unwrap();
    assert!(bytes(&crowd) == before, "agents that wander already keep their targets");
}

/// Regression: an agent on alert whose hunter became the nearest of a species evaded the origin.
#[test]
fn agents_on_alert_for_one_hunter_have_no_place_of_another() {
    let hide = |hunter| Hide { hunter, memory: Some(10.0), ..Hide::default() };
    let prey = Species::new("prey", 1)
        .view_distance(50.0)
        .start(Start::in_circle([100.0, 100.0], 0.1))
        .behavior(hide(Target::member("shark", 0)));
    let shark =
        Species::new("shark", 1).max_speed(0.001).start(Start::in_circle([120.0, 100.0], 0.1));
    let scene = Scene::new(World::bounded(400.0, 400.0)).species(prey).species(shark);
    let mut crowd = scene.build().unwrap();
    crowd.run(2).unwrap();
    let [prey, shark] = [0, 1].map(|index| AgentId { index, generation: 0 });
    crowd.set(Vector::Position, shark, [350.0, 350.0]).unwrap();
    assert!(crowd.explain(prey).unwrap().force != [0.0; 3], "it remembers the shark");
    crowd
        .edit(|scene| scene.species[0].behaviors[0] = hide(Target::nearest("shark")).into())
        .unwrap();
    assert_eq!(crowd.explain(prey).unwrap().force, [0.0; 3]);
}

/// Regression: a path taken up again was followed from the old waypoint if another species kept
/// the column of waypoints, and else from the first.
#[test]
fn agents_that_take_up_a_path_again_begin_at_its_start() {
    let follow =
        || Behavior::from(PathFollowing { path: "way".into(), ..PathFollowing::default() });
    let path = WaypointPath::new("way", [[10.0, 50.0], [60.0, 50.0], [90.0, 50.0]]);
    let walker =
        Species::new("walker", 1).start(Start::in_circle([10.0, 50.0], 0.1)).behavior(follow());
    let others = Species::new("other", 1).behavior(follow());
    let scene = Scene::new(World::bounded(100.0, 100.0)).path(path).species(walker).species(others);
    let mut crowd = scene.build().unwrap();
    let first = crowd.agents().id(0);
    crowd.run(5).unwrap();
    assert!(crowd.get(Number::Waypoint, first).unwrap() > 0.0);
    crowd.edit(|scene| scene.species[0].behaviors.clear()).unwrap();
    crowd.edit(|scene| scene.species[0].behaviors.push(follow())).unwrap();
    assert_eq!(crowd.get(Number::Waypoint, first), Ok(0.0));
}

/// Regression: the speed changed at once if velocities followed from headings, and in the next
/// step if they were stored, e.g. because of an unrelated species.
#[test]
fn a_constant_speed_changes_at_once_and_other_speeds_do_not() {
    let car =
        |locomotion, speed: f32| Species::new("car", 3).locomotion(locomotion).max_speed(speed);
    let scene =
        Scene::new(World::torus(300.0, 200.0)).species(car(Locomotion::ConstantSpeed, 20.0));
    let walker = Species::new("walker", 0).locomotion(Locomotion::PointMass);
    for scene in [scene.clone(), scene.species(walker)] {
        for (locomotion, speed) in
            [(Locomotion::ConstantSpeed, 40.0), (Locomotion::PointMass, 20.0)]
        {
            let mut crowd = scene.build().unwrap();
            crowd.run(1).unwrap();
            crowd.set_species(&car(locomotion, 40.0)).unwrap();
            for [x, y, _] in crowd.agents().velocities() {
                assert!((x.hypot(y) - speed).abs() < 1.0e-3, "{locomotion:?}: {x}, {y}");
            }
        }
    }
}

/// Regression: a change of a path alone pushed agents out of the obstacles that they overlapped.
#[test]
fn a_path_that_changes_moves_nobody() {
    let scene = Scene::new(World::bounded(200.0, 200.0))
        .solid(true)
        .obstacle(Obstacle::new([100.0, 100.0], 50.0))
        .species(Species::new("agent", 0).max_speed(0.001));
    let mut crowd = scene.build().unwrap();
    let inside = crowd.spawn("agent", [110.0, 100.0], [1.0, 0.0]).unwrap();
    let way = WaypointPath::new("way", [[1.0; 2], [9.0; 2]]);
    crowd.edit(|scene| Arc::make_mut(&mut scene.paths).push(way)).unwrap();
    assert_eq!(crowd.agent(inside).unwrap().position, [110.0, 100.0, 0.0]);
    let moved = Obstacle::new([101.0, 100.0], 50.0);
    crowd.edit(|scene| Arc::make_mut(&mut scene.obstacles)[0] = moved).unwrap();
    assert!(crowd.agent(inside).unwrap().position != [110.0, 100.0, 0.0]);
}

/// Every column that a species can require is created for the agents that are already there.
#[test]
fn an_added_species_may_require_columns_that_the_crowd_does_not_have() {
    let demanding = Species::new("new", 0)
        .locomotion(Locomotion::PointMass)
        .max_speed([20.0, 40.0])
        .radius(9.0)
        .field_of_view(200.0)
        .view_includes_radius()
        .column("hunger", [0.0, 1.0])
        .behavior(Seek { weight: 1.0, target: Target::Own })
        .behavior(OffsetPursuit {
            leader: Target::member("steady", 0),
            abreast: 3,
            ..OffsetPursuit::default()
        })
        .behavior(Wander::default());
    let steady = Species::new("steady", 40).locomotion(Locomotion::ConstantSpeed).max_speed(30.0);
    let mut crowd = Scene::new(World::torus(300.0, 200.0)).species(steady).build().unwrap();
    crowd.run(3).unwrap();
    crowd.edit(|scene| scene.species.push(demanding)).unwrap();
    let first = crowd.agents().ids().next().unwrap();
    assert_eq!(crowd.agent(first).unwrap().species, 0);
    let born = crowd.spawn_many("new", &Spawn::at(&[[20.0; 2], [30.0; 2]])).unwrap();
    crowd.set_own_target(born[0], first).unwrap();
    crowd.change_species(&[first], "new").unwrap();
    crowd.run(20).unwrap();
    let mut kept = Snapshot::from_bytes(&bytes(&crowd)).unwrap().build().unwrap();
    crowd.run(20).unwrap();
    kept.run(20).unwrap();
    assert_eq!(crowd.state_hash(), kept.state_hash());
}
