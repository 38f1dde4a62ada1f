use flockwork::behaviors::Wander;
use flockwork::{
    AgentId, AgentOrder, Error, Locomotion, Number, Scene, Simulation, Spawn, Species, Start,
    Vector, World,
};

use crate::common::agents::{flat, id, ids};
use crate::common::scenes::flock;

fn fish(agents: usize) -> Species {
    let start = Start::in_circle([60.0, 50.0], 30.0).speed(0.4);
    Species { name: "fish".into(), ..flock(agents) }
        .max_speed([20.0, 60.0])
        .radius([1.0, 4.0])
        .column("hunger", [0.0, 1.0])
        .column("age", 7.0)
        .start(start)
        .behavior(Wander { radius: 3.0, ..Wander::default() })
}

fn pond(fish: Species) -> Scene {
    Scene::new(World::bounded(200.0, 150.0)).heading_samples(3).species(fish)
}

fn positions(crowd: &Simulation) -> Vec<[f32; 2]> {
    crowd.get_all(Vector::Position, AgentOrder::Id).unwrap()
}

#[test]
fn what_is_left_out_is_drawn_as_build_draws_it() {
    for heading in [None, Some(75.0)] {
        for speed in [None, Some(0.0), Some(0.4)] {
            let start = Start { heading, speed, ..fish(0).start };
            let built = pond(fish(50).start(start.clone())).build().unwrap();
            let mut spawned = pond(fish(0).start(start)).build().unwrap();
            let at = positions(&built);
            let born = spawned.spawn_many("fish", &Spawn::at(&at)).unwrap();
            assert_eq!(born, (0..50).map(id).collect::<Vec<_>>());
            assert_eq!(spawned.state_hash(), built.state_hash(), "{heading:?}, {speed:?}");
            for agent in born {
                assert_eq!(
                    spawned.get(Number::MaxSpeed, agent),
                    built.get(Number::MaxSpeed, agent)
                );
                let slot = |crowd: &Simulation| crowd.slot_of(agent).unwrap();
                assert_eq!(
                    spawned.agents().smoothed_heading(slot(&spawned)),
                    built.agents().smoothed_heading(slot(&built)),
                );
            }
        }
    }
}

#[test]
fn what_is_given_is_what_agents_have() {
    let mut crowd = pond(fish(10)).build().unwrap();
    crowd.run(5).unwrap();
    let at = [[10.0, 20.0], [30.0, 40.0], [50.0, 60.0]];
    let headings = [[0.0, 2.0], [-1.0, 0.0], [0.0, -1.0]];
    let velocities = [[3.0, 4.0], [0.0, 0.0], [-12.0, 5.0]];
    let spawn = Spawn::at(&at).velocities(&velocities).column("hunger", &[0.1, 0.2, 0.3]);
    for spawn in [spawn.clone(), spawn.headings(&headings)] {
        let born = crowd.spawn_many("fish", &spawn).unwrap();
        for (k, &agent) in born.iter().enumerate() {
            let state = crowd.agent(agent).unwrap();
            assert_eq!((flat(state.position), flat(state.velocity)), (at[k], velocities[k]));
            assert_eq!(crowd.get(Number::Column("hunger"), agent), Ok([0.1, 0.2, 0.3][k]));
            assert_eq!(crowd.get(Number::Column("age"), agent), Ok(7.0), "as at the start");
            let [x, y, _] = crowd.agents().smoothed_heading(crowd.slot_of(agent).unwrap()).unwrap();
            let [hx, hy, _] = state.heading;
            assert!((x - hx).hypot(y - hy) < 1.0e-6, "smoothed from its first heading on");
        }
        let heading = |k: usize| crowd.agent(born[k]).unwrap().heading;
        assert_eq!(heading(0), [0.6, 0.8, 0.0], "it faces the way it moves");
        if spawn.headings.is_some() {
            assert_eq!(heading(1), [-1.0, 0.0, 0.0], "at rest, it faces the way it is told");
        }
    }
}

#[test]
fn constant_speed_takes_velocities_of_that_length() {
    let car = Species {
        locomotion: Locomotion::ConstantSpeed,
        ..Species::new("car", 0).max_speed([20.0, 60.0])
    };
    let mut crowd = Scene::new(World::torus(500.0, 500.0)).species(car).build().unwrap();
    let first = crowd.spawn("car", [1.0, 1.0], [1.0, 0.0]).unwrap();
    let speed = crowd.get(Number::MaxSpeed, first).unwrap();
    crowd.remove(first).unwrap();
    // The next agent reuses the index and gets the same maximum speed.
    let spawn = |crowd: &mut Simulation, velocity: [f32; 2]| {
        crowd.spawn_many("car", &Spawn::at(&[[1.0, 1.0]]).velocities(&[velocity]))
    };
    let error = spawn(&mut crowd, [0.0, 0.9 * speed]).unwrap_err().to_string();
    assert!(error.contains("the agent's constant speed"), "{error}");
    let second = spawn(&mut crowd, [0.0, speed]).unwrap()[0];
    assert_eq!(second, AgentId { index: first.index, generation: 1 });
    let state = crowd.agent(second).unwrap();
    assert_eq!((state.heading, state.velocity), ([0.0, 1.0, 0.0], [0.0, speed, 0.0]));
}

#[test]
fn each_velocity_is_compared_with_the_maximum_speed_that_its_agent_gets() {
    let mut crowd = pond(fish(8)).build().unwrap();
    let gone: Vec<AgentId> = [5, 1, 6].map(id).to_vec();
    let limits = crowd.get_many(Number::MaxSpeed, &gone).unwrap();
    crowd.remove_many(&gone).unwrap();
    // New agents reuse freed indices, the last removed first.
    let at = [[9.0, 9.0]; 3];
    let fastest: Vec<[f32; 2]> = limits.iter().rev().map(|&limit| [0.0, -limit]).collect();
    for faster in 0..3 {
        let mut velocities = fastest.clone();
        velocities[faster][1] *= 1.01;
        let before = crowd.snapshot().to_bytes();
        let error = crowd.spawn_many("fish", &Spawn::at(&at).velocities(&velocities)).unwrap_err();
        assert!(error.to_string().contains("the agent's maximum speed"), "{error}");
        assert_eq!(crowd.snapshot().to_bytes(), before);
    }
    let born = crowd.spawn_many("fish", &Spawn::at(&at).velocities(&fastest)).unwrap();
    assert_eq!(crowd.get_many(Vector::Velocity, &born).unwrap(), fastest);
}

#[test]
fn every_list_of_births_has_one_entry_per_position_whatever_else_is_given() {
    let mut crowd = pond(fish(5)).build().unwrap();
    let names = ["headings", "velocities", "values of columns.age", "values of columns.hunger"];
    for (wrong, name) in names.into_iter().enumerate() {
        for count in [1, 3] {
            let length = |list| if list == wrong { count } else { 2 };
            let spawn = Spawn::at(&[[1.0, 1.0], [2.0, 2.0]])
                .headings(&[[1.0, 0.0]; 3][..length(0)])
                .velocities(&[[0.0, 0.0]; 3][..length(1)])
                .column("age", &[0.0; 3][..length(2)])
                .column("hunger", &[0.0; 3][..length(3)]);
            let refused = crowd.spawn_many("fish", &spawn).unwrap_err().to_string();
            let expected = format!("number of {name} = {count}: must be 2, one for each position");
            assert_eq!(refused, expected);
        }
    }
}

#[test]
fn refused_births_change_nothing() {
    let mut crowd = pond(fish(5)).build().unwrap();
    crowd.remove(id(2)).unwrap();
    let before = crowd.snapshot().to_bytes();
    let at = [[1.0, 1.0], [2.0, 2.0]];
    let mut refused = |species: &str, spawn: Spawn<'_>| {
        let error: Error = crowd.spawn_many(species, &spawn).unwrap_err();
        assert_eq!(crowd.snapshot().to_bytes(), before, "{error}");
        error.to_string()
    };
    for (spawn, expected) in [
        (Spawn::at(&at).headings(&[[1.0, 0.0]]), "number of headings = 1: must be 2"),
        (Spawn::at(&at).velocities(&[]), "number of velocities = 0: must be 2"),
        (
            Spawn::at(&at).column("hunger", &[0.0; 3]),
            "number of values of columns.hunger = 3: must be 2, one for each position",
        ),
        // Regression: the last of the two lists was used.
        (
            Spawn::at(&at).column("hunger", &[0.0; 2]).column("hunger", &[1.0; 2]),
            "columns.hunger = two lists: must be one list",
        ),
        (
            Spawn::at(&at).column("hungre", &[0.0; 2]),
            "unknown column `hungre`; did you mean `hunger`",
        ),
        (
            Spawn::at(&at).column("hunger", &[0.0, f32::INFINITY]),
            "columns.hunger[1] = inf: must be a finite number",
        ),
        (Spawn::at(&at).velocities(&[[0.0, 0.0], [f32::NAN, 0.0]]), "velocities[1] = [NaN, 0.0]"),
        (Spawn::at(&at).headings(&[[1.0, 0.0], [0.0, 0.0]]), "headings[1] = [0.0, 0.0]"),
        (Spawn::at(&[[1.0, 1.0], [-1.0, 0.0]]), "positions[1].x = -1"),
    ] {
        let said = refused("fish", spawn);
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(refused("fish", Spawn::at(&[[-1.0, 0.0]])).starts_with("position.x = -1"));
    assert!(refused("fihs", Spawn::at(&at)).contains("did you mean `fish`"));
    assert_eq!(crowd.spawn_many("fish", &Spawn::<2>::at(&[])), Ok(vec![]));
    assert_eq!(ids(&crowd).len(), 4);
}
