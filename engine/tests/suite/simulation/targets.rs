use flockwork::behaviors::{Flee, Pursuit, Seek, Wander};
use flockwork::inspect::{Feature, Shape};
use flockwork::{
    AgentId, Error, ErrorKind, Locomotion, Method, Number, OwnTarget, Partition, Scene, Simulation,
    Species, Target, Vector, World,
};

use crate::common::agents::{flat, force, id, ids, one, position, resting};
use crate::common::scenes::flock;

fn seek(target: Target) -> Seek {
    Seek { weight: 30.0, target }
}

fn target_of(simulation: &Simulation, agent: AgentId) -> Option<[f32; 2]> {
    let contributions = simulation.explain(agent).unwrap().contributions;
    contributions[0].marks.iter().find_map(|mark| match mark.shape {
        Shape::Point(at) if mark.feature == Feature::Target => Some(flat(at)),
        _ => None,
    })
}

fn hunt(target: Target) -> Scene {
    let hunters = Species::new("hunters", 20).behavior(seek(target));
    Scene::new(World::torus(400.0, 300.0)).species(flock(200)).species(hunters)
}

#[test]
fn shared_targets_are_followed_through_500_sorts() {
    for target in [Target::member("flock", 123), Target::Agent(id(123))] {
        let mut simulation = hunt(target.clone()).build().unwrap();
        for step in 0..500 {
            let expected = position(&simulation, 123);
            assert_eq!(target_of(&simulation, id(205)), Some(expected), "{target:?}, step {step}");
            simulation.step().unwrap();
        }
    }
}

#[test]
fn own_targets_are_followed_through_500_sorts() {
    let mut scene = hunt(Target::Own);
    scene.species[1].own_target = Some(OwnTarget::EachOf("flock".into()));
    let mut simulation = scene.build().unwrap();
    for step in 0..500 {
        for hunter in [200, 207, 219] {
            assert_eq!(simulation.own_target(id(hunter)).unwrap(), Target::Agent(id(hunter - 200)));
            let expected = position(&simulation, hunter - 200);
            assert_eq!(target_of(&simulation, id(hunter)), Some(expected), "step {step}");
        }
        simulation.step().unwrap();
    }
}

#[test]
fn a_removed_target_gives_no_force_even_when_its_index_is_reused() {
    for own in [false, true] {
        let mut scene = hunt(if own { Target::Own } else { Target::member("flock", 5) });
        if own {
            scene.species[1].own_target = Some(OwnTarget::EachOf("flock".into()));
        }
        let mut simulation = scene.build().unwrap();
        let hunter = id(205);
        simulation.run(3).unwrap();
        assert_ne!(force(&simulation, hunter), [0.0, 0.0]);
        simulation.remove(id(5)).unwrap();
        let check = |simulation: &Simulation, when: &str| {
            assert_eq!(target_of(simulation, hunter), None, "{when}");
            assert_eq!(force(simulation, hunter), [0.0, 0.0], "{when}");
            assert_eq!(simulation.own_target(hunter).unwrap(), Target::Unset, "{when}");
        };
        check(&simulation, "removed");
        let velocity = simulation.agent(hunter).unwrap().velocity;
        simulation.run(5).unwrap();
        assert_eq!(simulation.agent(hunter).unwrap().velocity, velocity, "it goes on straight");
        let newcomer = simulation.spawn("flock", [9.0, 9.0], [1.0, 0.0]).unwrap();
        assert_eq!(newcomer.index, 5, "the index is used again");
        check(&simulation, "index reused");
        simulation.run(5).unwrap();
        check(&simulation, "later");
        let hunters = simulation.scene().species[1].clone();
        simulation.set_species(&hunters).unwrap();
        check(&simulation, "species set");
        let kept = simulation.snapshot();
        simulation.restore(&kept);
        check(&simulation, "restored");
        if own {
            simulation.set_own_target(hunter, newcomer).unwrap();
            assert_eq!(target_of(&simulation, hunter), Some(position_of(&simulation, newcomer)));
        }
    }
}

#[test]
fn several_targets_removed_at_once_are_targets_no_more() {
    let mut scene = hunt(Target::Own);
    scene.species[1].own_target = Some(OwnTarget::EachOf("flock".into()));
    let mut simulation = scene.build().unwrap();
    simulation.remove_many(&[id(3), id(5), id(8)]).unwrap();
    for _ in 0..3 {
        simulation.spawn("flock", [9.0, 9.0], [1.0, 0.0]).unwrap();
    }
    for hunter in 200..220 {
        let expected = Some(id(hunter - 200)).filter(|target| ![3, 5, 8].contains(&target.index));
        let target = expected.map_or(Target::Unset, Target::Agent);
        assert_eq!(simulation.own_target(id(hunter)).unwrap(), target);
        assert_eq!(target_of(&simulation, id(hunter)).is_some(), expected.is_some());
    }
}

fn position_of(simulation: &Simulation, agent: AgentId) -> [f32; 2] {
    flat(simulation.agent(agent).unwrap().position)
}

#[test]
fn targets_are_kept_while_agents_are_added_and_removed() {
    let mut scene = hunt(Target::Own);
    scene.species[1].own_target = Some(OwnTarget::EachOf("flock".into()));
    scene.species[0].behaviors.insert(0, seek(Target::member("hunters", 7)).into());
    let mut simulation = scene.build().unwrap();
    let before = simulation.snapshot();
    for round in 0..60_u8 {
        simulation.remove(id(60 + u32::from(round))).unwrap();
        simulation.spawn("hunters", [f32::from(round), 5.0], [0.0, 1.0]).unwrap();
        simulation.step().unwrap();
        let expected = position(&simulation, 3);
        assert_eq!(target_of(&simulation, id(203)), Some(expected));
        let expected = position(&simulation, 207);
        assert_eq!(target_of(&simulation, id(3)), Some(expected));
    }
    let newcomer = ids(&simulation).into_iter().max_by_key(|id| id.generation).unwrap();
    assert_eq!(simulation.own_target(newcomer).unwrap(), Target::Unset, "new agents have none");
    simulation.restore(&before);
    let expected = position(&simulation, 3);
    assert_eq!(target_of(&simulation, id(203)), Some(expected));
}

#[test]
fn members_count_within_their_species() {
    let simulation = hunt(Target::member("hunters", 4)).build().unwrap();
    let expected = position(&simulation, 204);
    assert_eq!(target_of(&simulation, id(211)), Some(expected));
}

#[test]
fn what_is_written_to_a_shared_target_steers_its_followers_at_once() {
    type Write = fn(&mut Simulation) -> Result<(), Error>;
    let pursuit = Pursuit { evader: Target::member("evader", 0), ..Pursuit::default() };
    let hunter = resting("hunter", [50.0, 50.0], 0.0).behavior(pursuit);
    let evader = one("evader", [90.0, 50.0], 90.0).locomotion(Locomotion::ConstantSpeed);
    let scene = Scene::new(World::bounded(200.0, 200.0)).species(hunter).species(evader);
    let writes: [Write; 4] = [
        |crowd| crowd.set(Vector::Position, id(1), [50.0, 90.0]),
        |crowd| crowd.set(Vector::Heading, id(1), [0.0, -1.0]),
        |crowd| crowd.set(Vector::Velocity, id(1), [0.0, -150.0]),
        |crowd| crowd.set(Number::MaxSpeed, id(1), 20.0),
    ];
    for (k, write) in writes.into_iter().enumerate() {
        let [mut asked, mut new] = [(); 2].map(|()| scene.build().unwrap());
        // The query sorts the crowd, and the write keeps the sorted copy unless it moves an agent.
        let before = force(&asked, id(0));
        write(&mut asked).unwrap();
        write(&mut new).unwrap();
        assert_eq!(force(&asked, id(0)), force(&new, id(0)), "write {k}");
        assert_ne!(force(&asked, id(0)), before, "write {k}");
    }
}

#[test]
fn named_points_can_be_moved_and_every_agent_follows() {
    let mut scene = hunt(Target::named("cursor"));
    scene.points.insert("cursor".into(), [10.0, 20.0].into());
    let mut simulation = scene.build().unwrap();
    assert_eq!(target_of(&simulation, id(200)), Some([10.0, 20.0]));
    simulation.set_point("cursor", [300.0, 200.0]).unwrap();
    assert_eq!(target_of(&simulation, id(200)), Some([300.0, 200.0]));
    let kept = simulation.snapshot();
    simulation.set_point("cursor", [1.0, 2.0]).unwrap();
    simulation.restore(&kept);
    assert_eq!(target_of(&simulation, id(200)), Some([300.0, 200.0]), "part of the state");

    let error = simulation.set_point("curser", [1.0, 2.0]).unwrap_err().to_string();
    assert!(error.contains("did you mean `cursor`"), "{error}");
    assert!(simulation.set_point("cursor", [f32::NAN, 0.0]).is_err());
    assert!(simulation.set_point("cursor", [0.0, 1.0e8]).is_err());
    assert_eq!(target_of(&simulation, id(200)), Some([300.0, 200.0]), "nothing changed");
}

#[test]
fn previous_makes_a_file_and_each_of_repeats_the_species() {
    let file = Species {
        own_target: Some(OwnTarget::Previous),
        ..Species::new("file", 5).behavior(seek(Target::Own))
    };
    let fans = Species {
        own_target: Some(OwnTarget::EachOf("stars".into())),
        ..Species::new("fans", 7).behavior(seek(Target::Own))
    };
    let scene = Scene::new(World::open(100.0, 100.0));
    let scene = scene.species(Species::new("stars", 3)).species(file).species(fans);
    let mut simulation = scene.build().unwrap();
    let own = |s: &Simulation, agent| match s.own_target(id(agent)).unwrap() {
        Target::Agent(id) => Some(id.index),
        other => {
            assert_eq!(other, Target::Unset);
            None
        }
    };
    let targets: Vec<_> = (0..15).map(|agent| own(&simulation, agent)).collect();
    let file = [None, Some(3), Some(4), Some(5), Some(6)];
    let fans = [0, 1, 2, 0, 1, 2, 0].map(Some);
    assert_eq!(targets, [&[None; 3][..], &file, &fans].concat());
    assert_eq!(force(&simulation, id(3)), [0.0, 0.0], "the first has no target");
    simulation.set_own_target(id(3), id(14)).unwrap();
    assert_eq!(own(&simulation, 3), Some(14));
    simulation.set_own_target(id(3), Target::Unset).unwrap();
    assert_eq!(own(&simulation, 3), None);
}

#[test]
fn nonsensical_own_targets_are_refused() {
    let mut scene = hunt(Target::Own);
    let mut simulation = scene.build().unwrap();
    let gone = id(17);
    simulation.remove(gone).unwrap();
    let refused = |result: Result<(), Error>| result.unwrap_err().code() == "no_such_agent";
    assert!(refused(simulation.set_own_target(gone, id(3))));
    assert!(refused(simulation.set_own_target(id(3), gone)));
    assert!(refused(simulation.set_own_target(id(3), id(9_999))));
    assert_eq!(simulation.own_target(gone).unwrap_err().code(), "no_such_agent");
    assert_eq!(simulation.own_target(id(3)).unwrap(), Target::Unset);

    scene = hunt(Target::member("flock", 0));
    let mut simulation = scene.build().unwrap();
    let error = simulation.set_own_target(id(3), id(4)).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::OutOfRange { field, .. } if field == "own target"),
        "{error}"
    );
}

#[test]
fn targets_across_the_seam_are_near() {
    let hunter = resting("hunter", [5.0, 50.0], 0.0)
        .behavior(Pursuit { evader: Target::member("evader", 0), ..Pursuit::default() });
    let evader = one("evader", [95.0, 50.0], 0.0).max_speed(10.0).behavior(Wander::default());
    let scene = Scene::new(World::torus(100.0, 100.0)).species(hunter).species(evader);
    let simulation = scene.build().unwrap();
    assert!(force(&simulation, id(0))[0] < 0.0);
}

#[test]
fn own_targets_of_an_unknown_species_are_refused() {
    let species = Species { own_target: Some(OwnTarget::EachOf("flokc".into())), ..flock(3) };
    let scene = Scene::new(World::torus(1.0e3, 1.0e3)).species(species);
    let message = scene.build().unwrap_err().to_string();
    assert!(message.contains("unknown species `flokc`; did you mean `flock`"), "{message}");
    // A species without agents provides no targets.
    let species = Species { own_target: Some(OwnTarget::EachOf("none".into())), ..flock(3) };
    let species = species.behavior(Seek { weight: 1.0, target: Target::Own });
    let scene = Scene::new(World::torus(1.0e3, 1.0e3)).species(species);
    let mut simulation = scene.species(Species::new("none", 0)).build().unwrap();
    simulation.run(3).unwrap();
    assert_eq!(simulation.own_target(id(0)).unwrap(), Target::Unset);
}

#[test]
fn an_id_that_was_never_given_out_is_no_target_and_no_error() {
    let missing = AgentId { index: 9_999, generation: 3 };
    let species = Species::new("s", 3).behavior(Seek { weight: 1.0, target: missing.into() });
    let mut simulation = Scene::new(World::torus(1.0e3, 1.0e3)).species(species).build().unwrap();
    let before = simulation.agent(id(0)).unwrap().velocity;
    simulation.run(3).unwrap();
    assert_eq!(simulation.agent(id(0)).unwrap().velocity, before);
}

#[test]
fn many_own_targets_are_set_at_once_or_none() {
    let mut simulation = hunt(Target::Own).build().unwrap();
    simulation.run(2).unwrap();
    let hunters: Vec<AgentId> = (200..204).map(id).collect();
    let targets = [id(7).into(), [30.0, 40.0].into(), Target::Unset, id(9).into()];
    simulation.set_own_targets(&hunters, &targets).unwrap();
    let found = |simulation: &Simulation| -> Vec<Target> {
        hunters.iter().map(|&id| simulation.own_target(id).unwrap()).collect()
    };
    assert_eq!(found(&simulation), targets);
    assert_eq!(target_of(&simulation, id(201)), Some([30.0, 40.0]));
    // The last of two targets for one agent wins.
    simulation.set_own_targets(&[id(202); 2], &[id(1).into(), id(2).into()]).unwrap();
    assert_eq!(simulation.own_target(id(202)), Ok(id(2).into()));
    simulation.set_own_targets(&[id(202)], &[Target::Unset]).unwrap();
    simulation.step().unwrap();
    let before = simulation.snapshot().to_bytes();
    let gone = AgentId { index: 7, generation: 1 };
    for (wrong, expected) in [
        (gone.into(), "does not exist"),
        ([2.0e7, 0.0].into(), "own_target[0] of agent #203.0 = 20000000.0"),
        ([1.0, 2.0, 3.0].into(), "own_target of agent #203.0 = [1.0, 2.0, 3.0]"),
        (Target::Own, "own target of agent #203.0 = Own: must be a point"),
    ] {
        let targets = [id(1).into(), id(1).into(), id(1).into(), wrong];
        let refused = simulation.set_own_targets(&hunters, &targets).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
        assert_eq!(simulation.snapshot().to_bytes(), before);
    }
    let refused = simulation.set_own_targets(&hunters, &targets[..3]).unwrap_err().to_string();
    assert_eq!(refused, "number of targets = 3: must be 4, one for each agent");
}

#[test]
fn nearest_targets_have_a_distance_and_a_field_of_view() {
    let near = Target::nearest("shark").distance(100.0).field_of_view(270.0);
    let expected = Target::Nearest {
        species: "shark".into(),
        distance: Some(100.0),
        field_of_view: Some(270.0),
        line_of_sight: false,
    };
    assert_eq!(near, expected);
    assert_eq!(Target::Own.distance(5.0).field_of_view(5.0), Target::Own);
}

/// Of equally near sharks, the one in the lowest slot is chosen, however the search orders them.
#[test]
fn equally_near_targets_are_chosen_alike_by_every_method_and_partition() {
    let lattice = |crowd: &mut Simulation| {
        for (k, id) in (0..).zip(ids(crowd)) {
            let [column, row] =
                if k < 1_600 { [k % 40, k / 40] } else { [k % 20 * 2, (k - 1_600) / 20 * 2] };
            let at =
                [column, row].map(|step| step as f32 * 10.0 + if k < 1_600 { 10.0 } else { 0.0 });
            crowd.set(Vector::Position, id, at).unwrap();
        }
    };
    for make in [World::torus, World::bounded, World::open] {
        let flee = Flee { target: Target::nearest("shark"), ..Flee::default() };
        let fish = Species::new("fish", 1_600).view_distance(90.0).behavior(flee);
        // The sharks are few enough to have cells of their own, which are not in slot order.
        let scene =
            Scene::new(make(400.0, 400.0)).species(fish).species(Species::new("shark", 200));
        let run = |method: Method, partition: Partition| {
            let mut crowd = scene.build().unwrap();
            let execution = crowd.execution().method(method).partition(partition);
            crowd.set_execution(execution).unwrap();
            lattice(&mut crowd);
            crowd.run(2).unwrap();
            crowd.state_hash()
        };
        let expected = run(Method::Scalar, Partition::AllPairs);
        for method in Method::ALL {
            for partition in [Partition::AllPairs, Partition::Cells] {
                assert_eq!(run(method, partition), expected, "{method:?}, {partition:?}");
            }
        }
    }
}

#[test]
fn refusals_say_in_words_what_is_missing() {
    let mut simulation = hunt([1.0, 2.0].into()).build().unwrap();
    let unread = simulation.set_own_target(id(200), id(1)).unwrap_err().to_string();
    let expected = "own target = unused by all behaviors: must be the target of at least one \
                    behavior (\"own\", in Rust `Target::Own`)";
    assert_eq!(unread, expected);
    let unknown = simulation.set_point("lure", [1.0, 2.0]).unwrap_err().to_string();
    assert_eq!(unknown, "unknown point `lure`: there is no point");
    let unknown = hunt(Target::named("lure")).build().unwrap_err().to_string();
    assert!(unknown.ends_with("unknown point `lure`: there is no point"), "{unknown}");
    let unknown = simulation.set(Number::Column("fear"), id(0), 1.0).unwrap_err().to_string();
    assert_eq!(unknown, "unknown column `fear`: there is no column");
}
