use flockwork::behaviors::{Alignment, Separation, Wander};
use flockwork::{
    AgentId, AgentOrder, Error, Locomotion, Number, Partition, Scene, Simulation, Snapshot, Spawn,
    Species, Vector, World,
};

use crate::common::agents::{id, ids};
use crate::common::scenes::flock;
use crate::common::variants::Variant;

const LIMITS: [Number<'_>; 5] =
    [Number::MaxSpeed, Number::MaxForce, Number::Mass, Number::Radius, Number::FieldOfView];

fn crowd(agents: usize) -> Simulation {
    let soldier = Species { name: "soldier".into(), ..flock(agents) };
    Scene::new(World::torus(400.0, 300.0)).species(soldier).build().unwrap()
}

/// A crowd in which two of three agents have limits of their own.
fn individuals(agents: usize) -> Simulation {
    let mut crowd = crowd(agents);
    let all = ids(&crowd);
    for (k, limit) in LIMITS.into_iter().enumerate() {
        let value = |n: usize| [40.0, 100.0, 0.5, 1.0, 120.0][k] * (1.0 + (n % 7) as f32 / 3.0);
        let some: Vec<_> = all.iter().copied().filter(|id| id.index % 3 > 0).collect();
        let values: Vec<f32> = (0..some.len()).map(value).collect();
        crowd.set_many(limit, &some, &values).unwrap();
    }
    crowd
}

/// Regression: for agents closer than 2e-10 units, the squared distance vanished beside the
/// softening, so an agent's own full circle hid a neighbor directly behind it.
#[test]
fn an_agents_own_full_circle_hides_nobody_behind_it() {
    for variant in Variant::all() {
        let agent = Species::new("agent", 0).view_distance(10.0);
        let mut crowd = Scene::new(World::torus(100.0, 100.0)).species(agent).build().unwrap();
        variant.set(&mut crowd);
        for x in [0.0, 1.0e-10] {
            crowd.spawn("agent", [x, 50.0], [1.0, 0.0]).unwrap();
        }
        for _ in 0..2 {
            assert_eq!(crowd.neighbor_counts().mean_neighbors, 1.0, "{variant:?}");
            assert_eq!(crowd.neighbors(id(1)), Ok(vec![id(0)]), "{variant:?}");
            crowd.set_many(Number::FieldOfView, &[id(0), id(1)], &[360.0; 2]).unwrap();
        }
    }
}

#[test]
fn the_tired_soldier_is_slower_and_everyone_else_as_fast_as_before() {
    let mut crowd = crowd(200);
    crowd.set(Number::MaxSpeed, id(7), 20.0).unwrap();
    crowd.run(120).unwrap();
    let speed = |id| crowd.get(Vector::Velocity, id).map(|[x, y]| x.hypot(y)).unwrap();
    assert!(speed(id(7)) <= 20.001);
    assert!(speed(id(8)) > 30.0);
    assert_eq!(crowd.get(Number::MaxSpeed, id(7)), Ok(20.0));
    assert_eq!(crowd.get(Number::MaxSpeed, id(8)), Ok(150.0));
}

#[test]
fn own_limits_outlive_changes_of_the_species_and_new_agents_have_none() {
    let mut crowd = individuals(60);
    let before: Vec<Vec<f32>> =
        LIMITS.map(|limit| crowd.get_many(limit, &[id(1), id(2)]).unwrap()).to_vec();
    let species = crowd.scene().species[0].clone().max_speed([90.0, 95.0]).mass(9.0);
    crowd.set_species(&species).unwrap();
    for (limit, before) in LIMITS.into_iter().zip(before) {
        assert_eq!(crowd.get_many(limit, &[id(1), id(2)]).unwrap(), before);
    }
    assert_eq!(crowd.get(Number::Mass, id(0)), Ok(9.0), "it has none of its own");
    let new = crowd.spawn("soldier", [1.0, 1.0], [1.0, 0.0]).unwrap();
    assert_eq!(crowd.get(Number::Mass, new), Ok(9.0));
    assert!((90.0..95.0).contains(&crowd.get(Number::MaxSpeed, new).unwrap()));
}

#[test]
fn own_limits_are_hashed_and_saved() {
    let mut crowd = individuals(80);
    crowd.run(5).unwrap();
    let bytes = crowd.snapshot().to_bytes();
    let mut resumed = Snapshot::from_bytes(&bytes).unwrap().build().unwrap();
    assert_eq!(resumed.state_hash(), crowd.state_hash());
    crowd.run(20).unwrap();
    resumed.run(20).unwrap();
    assert_eq!(resumed.state_hash(), crowd.state_hash());
    for limit in LIMITS {
        let before = crowd.state_hash();
        let old = crowd.get(limit, id(3)).unwrap();
        crowd.set(limit, id(3), 0.7 * old).unwrap();
        assert_ne!(crowd.state_hash(), before, "{limit:?}");
    }
}

#[test]
fn agents_with_their_own_limits_agree_with_the_reference() {
    let mut crowd = individuals(150);
    let species = crowd.scene().species[0].clone().view_includes_radius();
    crowd.set_species(&species).unwrap();
    crowd.run(10).unwrap();
    let (mut compared, all) = (0, ids(&crowd));
    let expected: Vec<_> = all.iter().map(|&id| crowd.reference_step(id).unwrap()).collect();
    crowd.step().unwrap();
    for (&id, expected) in all.iter().zip(expected).filter(|(_, step)| step.margin > 1.0e-5) {
        let [vx, vy] = crowd.get(Vector::Velocity, id).unwrap().map(f64::from);
        let off = (vx - expected.velocity[0]).hypot(vy - expected.velocity[1]);
        assert!(off < 1.0e-3, "{id}: {off}");
        compared += 1;
    }
    assert!(compared > 120, "{compared}");
}

#[test]
fn a_narrow_field_of_view_is_that_of_one_agent() {
    let mut crowd = crowd(0);
    let at = [[100.0, 100.0], [90.0, 100.0], [110.0, 100.0]];
    let all = crowd.spawn_many("soldier", &Spawn::at(&at).headings(&[[1.0, 0.0]; 3])).unwrap();
    assert_eq!(crowd.neighbors(all[0]).unwrap().len(), 2);
    crowd.set(Number::FieldOfView, all[0], 90.0).unwrap();
    assert_eq!(crowd.neighbors(all[0]).unwrap(), [all[2]], "the other is behind it");
    assert_eq!(crowd.neighbors(all[2]).unwrap().len(), 2, "it sees all around");
}

#[test]
fn a_larger_radius_is_found_however_far_it_reaches() {
    let mut crowd = crowd(0);
    crowd.edit(|scene| scene.non_penetration = 1).unwrap();
    let at = [[100.0, 100.0], [190.0, 100.0]];
    let all = crowd.spawn_many("soldier", &Spawn::at(&at).headings(&[[0.0, 1.0]; 2])).unwrap();
    crowd.set(Number::Radius, all[1], 120.0).unwrap();
    let apart = |crowd: &Simulation| {
        let [a, b] = [0, 1].map(|k| crowd.get(Vector::Position, all[k]).unwrap());
        let [x, y, _] = crowd.displacement(a, b);
        x.hypot(y)
    };
    let before = apart(&crowd);
    crowd.step().unwrap();
    assert!(apart(&crowd) > before + 20.0, "they overlap and are pushed apart");
}

#[test]
fn moved_agents_have_the_neighbors_of_where_they_are_now() {
    let mut crowd = crowd(0);
    let at = [[100.0, 100.0], [300.0, 200.0], [110.0, 100.0]];
    let all = crowd.spawn_many("soldier", &Spawn::at(&at).headings(&[[1.0, 0.0]; 3])).unwrap();
    assert_eq!(crowd.neighbors(all[0]).unwrap(), [all[2]]);
    crowd.set(Vector::Position, all[0], [290.0, 200.0]).unwrap();
    assert_eq!(crowd.neighbors(all[0]).unwrap(), [all[1]]);
    assert_eq!(crowd.get(Vector::Position, all[0]), Ok([290.0, 200.0]));
    crowd.set(Vector::Position, all[0], [400.0, 300.0]).unwrap();
    assert_eq!(crowd.get(Vector::Position, all[0]), Ok([0.0, 0.0]), "the far edge is the near one");
}

#[test]
fn velocities_turn_agents_and_are_at_most_their_maximum_speed() {
    let mut crowd = crowd(5);
    crowd.set(Vector::Velocity, id(0), [0.0, -90.0]).unwrap();
    assert_eq!(crowd.agent(id(0)).unwrap().velocity, [0.0, -90.0, 0.0]);
    assert_eq!(crowd.get(Vector::Heading, id(0)), Ok([0.0, -1.0]));
    crowd.set(Vector::Velocity, id(0), [0.0, 0.0]).unwrap();
    assert_eq!(crowd.get(Vector::Heading, id(0)), Ok([0.0, -1.0]), "who stands keeps its heading");
    let refusal = crowd.set(Vector::Velocity, id(0), [200.0, 0.0]).unwrap_err().to_string();
    assert_eq!(
        refusal,
        "velocity of agent #0.0 = [200.0, 0.0]: must be at most 150 units/s long, the agent's maximum \
         speed"
    );
    assert!(crowd.set(Vector::Velocity, id(0), [f32::NAN, 0.0]).is_err());
}

#[test]
fn at_constant_speed_headings_can_be_written_and_other_speeds_cannot() {
    let mut species = Species::new("bird", 4).max_speed(100.0).behavior(Alignment::default());
    species.locomotion = Locomotion::ConstantSpeed;
    for other in [None, Some(Species::new("cat", 3).behavior(Wander::default()))] {
        let mut scene = Scene::new(World::torus(400.0, 300.0)).species(species.clone());
        scene.species.extend(other);
        let mut crowd = scene.build().unwrap();
        crowd.set(Vector::Heading, id(0), [0.0, 5.0]).unwrap();
        assert_eq!(crowd.get(Vector::Velocity, id(0)), Ok([0.0, 100.0]));
        crowd.set(Vector::Velocity, id(0), [-100.0, 0.0]).unwrap();
        assert_eq!(crowd.get(Vector::Heading, id(0)), Ok([-1.0, 0.0]));
        let refusal = crowd.set(Vector::Velocity, id(0), [50.0, 0.0]).unwrap_err().to_string();
        assert!(refusal.ends_with("must be of length 100 units/s, the agent's constant speed"));
        crowd.set(Number::MaxSpeed, id(0), 30.0).unwrap();
        assert_eq!(crowd.get(Vector::Velocity, id(0)), Ok([-30.0, 0.0]));
    }
}

#[test]
fn all_agents_are_read_and_written_in_either_order() {
    let mut crowd = crowd(300);
    crowd.run(5).unwrap();
    crowd.remove_many(&[id(3), id(4)]).unwrap();
    let (mut by_slot, mut by_id) = (Vec::new(), Vec::new());
    crowd.get_all_into(Vector::Position, AgentOrder::Slot, &mut by_slot).unwrap();
    crowd.get_all_into(Vector::Position, AgentOrder::Id, &mut by_id).unwrap();
    let all: Vec<_> = crowd.ids_ascending().collect();
    assert!(all.is_sorted() && all.len() == 298);
    assert_eq!(crowd.get_many(Vector::Position, &all).unwrap(), by_id);
    let agents = crowd.agents();
    assert!(by_slot.iter().enumerate().all(|(k, at)| *at == [agents.x[k], agents.y[k]]));
    // The query sorts the crowd, so that the write must update both copies.
    let some = all[9];
    crowd.neighbors(some).unwrap();
    let masses: Vec<f32> = all.iter().map(|id| 1.0 + id.index as f32).collect();
    crowd.set_all(Number::Mass, AgentOrder::Id, &masses).unwrap();
    crowd.step().unwrap();
    assert!(all.iter().all(|&id| crowd.get(Number::Mass, id) == Ok(1.0 + id.index as f32)));
}

#[test]
fn a_column_of_all_agents_is_read_and_written_in_either_order() {
    const HUNGER: Number<'_> = Number::Column("hunger");
    let species = flock(300).column("hunger", [0.0, 1.0]);
    let mut crowd = Scene::new(World::torus(400.0, 300.0)).species(species).build().unwrap();
    // Tests sorted and unsorted crowds, then crowds with gaps among the indices.
    for gone in [&[][..], &[id(3), id(4)]] {
        crowd.remove_many(gone).unwrap();
        for (round, order) in [AgentOrder::Slot, AgentOrder::Id, AgentOrder::Slot, AgentOrder::Id]
            .into_iter()
            .enumerate()
        {
            crowd.run(2).unwrap();
            if round < 2 {
                crowd.neighbors(id(9)).unwrap();
            }
            let all: Vec<_> = match order {
                AgentOrder::Slot => crowd.agents().ids().collect(),
                AgentOrder::Id => crowd.ids_ascending().collect(),
            };
            let value = |id: &AgentId| (id.index * 10) as f32 + round as f32;
            let values: Vec<f32> = all.iter().map(value).collect();
            crowd.set_all(HUNGER, order, &values).unwrap();
            let mut read = Vec::new();
            crowd.get_all_into(HUNGER, order, &mut read).unwrap();
            assert_eq!(read, values);
            let before = crowd.state_hash();
            let mut wrong = values.clone();
            wrong[7] = f32::NAN;
            let refusal = crowd.set_all(HUNGER, order, &wrong).unwrap_err().to_string();
            let agent = all[7];
            let expected =
                format!("columns.hunger of agent {agent} = NaN: must be a finite number");
            assert_eq!(refusal, expected);
            assert!(crowd.set_all(HUNGER, order, &values[1..]).is_err());
            assert_eq!(crowd.state_hash(), before);
            crowd.step().unwrap();
            assert!(all.iter().all(|id| crowd.get(HUNGER, *id) == Ok(value(id))));
        }
    }
}

#[test]
fn a_refused_write_changes_nothing() {
    let mut crowd = crowd(20);
    crowd.run(2).unwrap();
    let before = crowd.snapshot().to_bytes();
    let gone = id(99);
    let refusals: [Result<(), Error>; 8] = [
        crowd.set_many(Number::Mass, &[id(0), gone], &[2.0, 2.0]),
        crowd.set_many(Number::Mass, &[id(0), id(1)], &[2.0, -1.0]),
        crowd.set_many(Number::Mass, &[id(0), id(1)], &[2.0]),
        crowd.set_many(Vector::Position, &[id(0), id(1)], &[[1.0, 1.0], [900.0, 1.0]]),
        crowd.set(Vector::Heading, id(0), [0.0, 0.0]),
        crowd.set(Number::Column("hungr"), id(0), 1.0),
        crowd.set(Number::MaxSpeed, id(0), 90_000.0),
        crowd.set_all(Number::Radius, AgentOrder::Slot, &[1.0; 19]),
    ];
    for refusal in refusals {
        println!("{}", refusal.unwrap_err());
    }
    assert!(
        crowd
            .spawn_many("soldier", &Spawn::at(&[[1.0; 2], [-1.0; 2]]).headings(&[[1.0; 2]; 2]))
            .is_err()
    );
    assert!(crowd.spawn_many("soldier", &Spawn::at(&[[1.0; 2]]).headings(&[])).is_err());
    assert!(crowd.remove_many(&[id(0), id(1), id(0)]).is_err());
    assert_eq!(crowd.snapshot().to_bytes(), before);
}

#[test]
fn writing_a_limit_that_it_has_already_changes_no_step() {
    let (mut written, mut plain) = (crowd(200), crowd(200));
    for limit in LIMITS {
        let values: Vec<f32> = written.get_many(limit, &ids(&written)).unwrap();
        let all = ids(&written);
        written.set_many(limit, &all, &values).unwrap();
    }
    written.run(30).unwrap();
    plain.run(30).unwrap();
    assert_eq!(
        written.get_many(Vector::Position, &ids(&plain)),
        plain.get_many(Vector::Position, &ids(&plain))
    );
}

#[test]
fn many_are_spawned_and_removed_as_one_after_another() {
    let (mut at_once, mut one_by_one) = (crowd(50), crowd(50));
    let at: Vec<[f32; 2]> = (0..40).map(|k| [k as f32 * 9.0, 7.0 * k as f32]).collect();
    let added =
        at_once.spawn_many("soldier", &Spawn::at(&at).headings(&at[1..].repeat(2)[..40])).unwrap();
    for (k, &at) in at.iter().enumerate() {
        let heading = [(k % 39 + 1) as f32 * 9.0, 7.0 * (k % 39 + 1) as f32];
        assert_eq!(one_by_one.spawn("soldier", at, heading), Ok(added[k]));
    }
    let some: Vec<_> = added.iter().copied().step_by(3).chain([id(2), id(40)]).collect();
    at_once.remove_many(&some).unwrap();
    some.iter().for_each(|&id| one_by_one.remove(id).unwrap());
    assert_eq!(at_once.snapshot().to_bytes(), one_by_one.snapshot().to_bytes());
}

#[test]
fn separation_from_a_heavier_agent_is_a_matter_of_its_own_mass() {
    let species = Species::new("a", 0)
        .behavior(Separation { weight: 100.0, ..Separation::default() })
        .view_distance(40.0);
    let mut crowd = Scene::new(World::torus(400.0, 300.0)).species(species).build().unwrap();
    let all = crowd
        .spawn_many("a", &Spawn::at(&[[100.0; 2], [110.0, 100.0]]).headings(&[[0.0, 1.0]; 2]))
        .unwrap();
    crowd.set(Number::Mass, all[0], 50.0).unwrap();
    crowd.step().unwrap();
    let pushed = |id| crowd.get(Vector::Velocity, id).map(|[x, _]| x.abs()).unwrap();
    assert!(pushed(all[1]) > 20.0 * pushed(all[0]));
}

#[test]
fn a_changed_field_of_view_is_that_of_all_agents_but_those_with_their_own() {
    let mut crowd = crowd(0);
    let at = [[100.0, 100.0], [90.0, 100.0], [110.0, 100.0]];
    let all = crowd.spawn_many("soldier", &Spawn::at(&at).headings(&[[1.0, 0.0]; 3])).unwrap();
    crowd.set(Number::FieldOfView, all[0], 360.0).unwrap();
    let narrow = crowd.scene().species[0].clone().field_of_view(90.0);
    crowd.set_species(&narrow).unwrap();
    assert_eq!(crowd.neighbors(all[0]).unwrap().len(), 2, "it sees all around");
    assert_eq!(crowd.neighbors(all[1]).unwrap().len(), 2, "both are ahead");
    assert_eq!(crowd.neighbors(all[2]).unwrap(), [], "both are behind");
}

#[test]
fn a_larger_radius_is_found_even_if_a_smaller_one_is_written_later() {
    let mut crowd = crowd(0);
    crowd.edit(|scene| scene.non_penetration = 1).unwrap();
    let at = [[100.0, 100.0], [190.0, 100.0], [300.0, 200.0]];
    let all = crowd.spawn_many("soldier", &Spawn::at(&at).headings(&[[0.0, 1.0]; 3])).unwrap();
    crowd.set(Number::Radius, all[1], 120.0).unwrap();
    crowd.set(Number::Radius, all[2], 1.0).unwrap();
    let before = crowd.get(Vector::Position, all[1]).unwrap();
    crowd.step().unwrap();
    let [x, _, _] = crowd.displacement(before, crowd.get(Vector::Position, all[1]).unwrap());
    assert!((x - 16.5).abs() < 0.5, "half of the overlap of 33, not {x}");
}

#[test]
fn an_agent_with_a_larger_radius_of_its_own_is_pushed_as_far_as_the_other() {
    let still = Species::new("still", 0).max_speed(1.0e-3).radius(3.0);
    let scene = Scene::new(World::bounded(400.0, 300.0)).species(still).non_penetration(1);
    for variant in Variant::all() {
        let mut crowd = scene.build().unwrap();
        variant.set(&mut crowd);
        let at = [[100.0, 100.0], [190.0, 100.0]];
        let all = crowd.spawn_many("still", &Spawn::at(&at).headings(&[[0.0, 1.0]; 2])).unwrap();
        crowd.set(Number::Radius, all[1], 120.0).unwrap();
        crowd.step().unwrap();
        for (id, expected) in all.iter().zip([100.0 - 16.5, 190.0 + 16.5]) {
            let [x, _] = crowd.get(Vector::Position, *id).unwrap();
            assert!((x - expected).abs() < 1.0e-3, "{variant:?}: {x} instead of {expected}");
        }
    }
}

#[test]
fn an_agent_with_a_higher_speed_of_its_own_touches_others_where_it_has_moved() {
    let runner = Species::new("runner", 0).max_speed(100.0).radius(5.0);
    let scene = Scene::new(World::bounded(2000.0, 300.0)).species(runner).non_penetration(1);
    let scene = scene.cell_size(0.25).steps_per_second(1.0);
    // Up to four times its species' speed is usual; a faster agent is sorted apart.
    for (variant, speed) in Variant::all().flat_map(|variant| [(variant, 390.0), (variant, 900.0)])
    {
        let mut crowd = scene.build().unwrap();
        variant.set(&mut crowd);
        crowd.set_execution(crowd.execution().partition(Partition::Cells)).unwrap();
        let apart: Vec<[f32; 2]> = (0..20_u8).map(|k| [50.0 * f32::from(k), 280.0]).collect();
        crowd.spawn_many("runner", &Spawn::at(&apart).headings(&[[1.0, 0.0]; 20])).unwrap();
        let runner = crowd.spawn("runner", [100.0, 100.0], [1.0, 0.0]).unwrap();
        let other = crowd.spawn("runner", [102.0 + speed, 100.0], [1.0, 0.0]).unwrap();
        crowd.set(Number::MaxSpeed, runner, speed).unwrap();
        crowd.set(Vector::Velocity, runner, [speed, 0.0]).unwrap();
        crowd.set(Vector::Velocity, other, [0.0, 0.0]).unwrap();
        crowd.step().unwrap();
        let pushed = crowd.get(Vector::Position, other).unwrap()[0] - (102.0 + speed);
        assert!((pushed - 4.0).abs() < 1.0e-3, "half of the overlap of 8: {pushed}, {variant:?}");
    }
}

#[test]
fn an_agent_with_a_larger_radius_of_its_own_is_seen_from_farther() {
    let watcher = Species::new("watcher", 0).view_distance(10.0).view_includes_radius();
    let watcher = watcher.radius(1.0).behavior(Separation::default());
    let whale = Species::new("whale", 0).radius(85.0);
    let scene = Scene::new(World::bounded(400.0, 300.0)).cell_size(0.25);
    for (species, grows) in [("watcher", true), ("whale", false)] {
        let scene = scene.clone().species(watcher.clone());
        let scene = if grows { scene } else { scene.species(whale.clone()) };
        for variant in Variant::all() {
            let mut crowd = scene.build().unwrap();
            variant.set(&mut crowd);
            // With small cells, a search returns few candidates beyond its reach.
            crowd.set_execution(crowd.execution().partition(Partition::Cells)).unwrap();
            let watching = crowd.spawn("watcher", [100.0, 100.0], [1.0, 0.0]).unwrap();
            let large = crowd.spawn(species, [190.0, 100.0], [1.0, 0.0]).unwrap();
            if grows {
                crowd.set(Number::Radius, large, 85.0).unwrap();
            }
            assert_eq!(crowd.neighbors(watching).unwrap(), [large], "{variant:?}");
            let pushed = crowd.forces()[crowd.slot_of(watching).unwrap()];
            assert!(pushed[0] < 0.0, "{variant:?}: {pushed:?}");
        }
    }
}

/// The agent starts beyond the reach of a search based on its species' speed.
#[test]
fn an_agent_faster_than_its_species_is_pushed_from_what_it_runs_into() {
    let slow = Species::new("slow", 0).max_speed(1.0e-3).radius(5.0).view_distance(1.0);
    let scene = Scene::new(World::bounded(1_000.0, 1_000.0)).species(slow);
    let scene = Scene { cell_size: Some(1.0), ..scene.non_penetration(1) };
    for slower_later in [false, true] {
        let mut crowd = scene.build().unwrap();
        let at = [[500.0, 100.0], [500.0, 603.0]];
        let all = crowd.spawn_many("slow", &Spawn::at(&at).headings(&[[0.0, 1.0]; 2])).unwrap();
        crowd.set(Number::MaxSpeed, all[0], 30_000.0).unwrap();
        crowd.set(Vector::Velocity, all[0], [0.0, 30_000.0]).unwrap();
        if slower_later {
            crowd.set(Number::MaxSpeed, all[1], 2.0e-3).unwrap();
        }
        crowd.step().unwrap();
        // After moving 500 units, the agent is 3 units from the other.
        for (id, expected) in all.iter().zip([600.0 - 3.5, 603.0 + 3.5]) {
            let [_, y] = crowd.get(Vector::Position, *id).unwrap();
            assert!((y - expected).abs() < 1.0e-2, "{y} instead of {expected}, {slower_later}");
        }
    }
}
