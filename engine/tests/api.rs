//! The promises around the steps: types, counts, names, and threads at their limits.

mod common;

use common::{flock, hash_after, ids, place};
use flockwork::{
    AgentId, Behavior, Error, FieldValueMut, FlockRules, Method, Partition, Scene, Seek,
    Separation, Simulation, Snapshot, Species, Wander, World,
};

#[test]
fn crowds_and_errors_can_cross_threads() {
    fn crosses<T: Send + Sync + 'static>() {}
    crosses::<Simulation>();
    crosses::<Snapshot>();
    crosses::<Scene>();
    crosses::<Error>();
    let mut simulation = Scene::named("flock").unwrap().build().unwrap();
    simulation.run(3).unwrap();
    let here = hash_after(&Scene::named("flock").unwrap(), 6, |_| {});
    let there = std::thread::spawn(move || {
        simulation.run(3).unwrap();
        simulation.state_hash()
    });
    assert_eq!(there.join().unwrap(), here);
}

#[test]
fn agents_can_be_asked_for_from_many_threads_at_once() {
    let scene = Scene::named("flock").unwrap();
    let mut simulation = scene.build().unwrap();
    simulation.run(2).unwrap();
    let simulation = &simulation;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(move || {
                for id in ids(simulation) {
                    let slot = simulation.slot_of(id).unwrap();
                    assert_eq!(simulation.id_at(slot), id);
                }
            });
        }
    });
}

#[test]
fn crowds_at_the_size_where_threads_set_in_step_alike() {
    for agents in [16_383, 16_384, 16_385, 16_399, 16_401] {
        let scene = Scene::named("stress").unwrap().agents(agents).unwrap();
        let one = hash_after(&scene, 3, |s| s.set_threads(1).unwrap());
        for threads in [2, 7] {
            let many = hash_after(&scene, 3, |s| s.set_threads(threads).unwrap());
            assert_eq!(one, many, "{agents} agents, {threads} threads");
        }
    }
}

#[test]
fn threads_share_a_crowd_that_is_all_in_a_few_places() {
    // Nearly all work is in a few cells; bands and parts are as uneven as can be.
    let run = |threads: usize| {
        let species = flock(16_000).view_distance(5.0);
        let scene = Scene::new(World::torus(4_000.0, 4_000.0)).species(species);
        let mut simulation = scene.build().unwrap();
        for k in 0..1_500 {
            place(&mut simulation, [10.0 + (k % 3) as f32, 3_999.0]);
        }
        simulation.set_threads(threads).unwrap();
        simulation.run(3).unwrap();
        simulation.state_hash()
    };
    let one = run(1);
    for threads in [2, 16] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

#[test]
fn threads_refuse_a_runaway_as_one_does() {
    let species = Species::new("agent", 17_000).max_speed(10.0).view_distance(5.0);
    let scene = Scene::new(World::open(1.0e4, 1.0e4)).species(species);
    let mut simulation = scene.build().unwrap();
    simulation.set_threads(3).unwrap();
    let limit = flockwork::COORDINATE_LIMIT;
    let fast = Species::new("agent", 17_000).max_speed(1.0e4).view_distance(5.0);
    simulation.set_species(&fast).unwrap();
    let doomed: Vec<AgentId> = [[limit, 5.0], [-limit, 5.0], [7.0, limit]]
        .into_iter()
        .map(|at| simulation.spawn("agent", at, [at[0] - 7.0, at[1]]).unwrap())
        .collect();
    let before = simulation.state_hash();
    for lost in doomed {
        let Err(Error::Runaway { id, .. }) = simulation.run(9) else { panic!("has to be refused") };
        assert_eq!(id, lost.to_string(), "the first by id");
        simulation.remove(lost).unwrap();
    }
    assert_ne!(simulation.state_hash(), before);
    simulation.run(2).unwrap();
}

#[test]
fn a_scene_has_up_to_255_species() {
    let scene = |count: usize| {
        (0..count).fold(Scene::new(World::torus(300.0, 300.0)), |scene, k| {
            scene.species(Species {
                name: format!("species {k}"),
                view_includes_radius: k % 3 == 0,
                radius: (k as f32 * 0.02).into(),
                field_of_view: 360.0 - (k % 5) as f32 * 40.0,
                ..flock(2)
            })
        })
    };
    let kernels = hash_after(&scene(255), 5, |_| {});
    let reference = hash_after(&scene(255), 5, |s| {
        s.set_method(Method::Reference);
        s.set_partition(Partition::AllPairs);
    });
    assert_eq!(kernels, reference);
    let mut simulation = scene(255).build().unwrap();
    let last = simulation.spawn("species 254", [1.0, 1.0], [1.0, 0.0]).unwrap();
    assert_eq!(simulation.agent(last).unwrap().species, 254);
    assert!(matches!(scene(256).build(), Err(Error::OutOfRange { .. })));
}

#[test]
fn a_species_may_have_any_number_of_behaviors_even_the_same_twice() {
    let many = (0..60).fold(Species::new("s", 70), |species, k| match k % 4 {
        0 => species.steer(Wander { weight: 1.0, ..Wander::default() }),
        1 => species.steer(Separation { weight: 1.0 }),
        2 => species.steer(Seek { weight: 0.1, target: [k as f32, 3.0].into() }),
        _ => species.steer(FlockRules { weight: 1.0, ..FlockRules::default() }),
    });
    let scene = Scene::new(World::torus(200.0, 200.0)).species(many);
    let kernels = hash_after(&scene, 10, |_| {});
    assert_eq!(kernels, hash_after(&scene, 10, |s| s.set_method(Method::Reference)));
}

#[test]
fn every_behavior_has_the_name_that_scene_files_use() {
    for &name in Behavior::NAMES {
        let fields = match name {
            "seek" | "flee" | "arrive" => "target = [1, 2]",
            "pursuit" => "evader = [1, 2]",
            "evade" => "pursuer = [1, 2]",
            "interpose" => "a = [1, 2], b = [3, 4]",
            "hide" => "hunter = [1, 2]",
            "offset_pursuit" | "leader_following" => "leader = [1, 2]",
            "path_following" | "stay_on_path" => "path = \"way\"",
            _ => "",
        };
        let text = format!(
            "[world]\ntopology = \"bounded\"\nwidth = 100.0\nheight = 100.0\n\
             [[paths]]\nname = \"way\"\npoints = [[1, 2], [3, 4]]\n\
             [flow]\ncolumns = 1\ndegrees = [90]\n\
             [[species]]\nbehaviors = [{{ {name} = {{ {fields} }} }}]\n"
        );
        let scene = Scene::parse(&text, "x.toml").unwrap();
        assert_eq!(scene.species[0].behaviors[0].name(), name);
    }
}

#[test]
fn a_changed_behavior_still_tells_its_defaults() {
    for default in Behavior::all() {
        let mut changed = default.clone();
        for field in changed.fields_mut() {
            match field.value {
                FieldValueMut::Number(value) => *value += 0.25,
                FieldValueMut::Optional(value) => *value = Some(field.max),
                FieldValueMut::Whole(value) => *value += 1,
                FieldValueMut::Flag(value) => *value = !*value,
                FieldValueMut::Path(name) => name.push('x'),
                _ => {}
            }
        }
        assert_ne!(changed, default);
        assert_eq!(changed.with_defaults(), default);
    }
}

#[test]
fn long_runs_by_kernels_and_reference_end_alike() {
    for name in Scene::names() {
        let scene = Scene::named(name).and_then(|scene| scene.agents(70)).unwrap();
        let kernels = hash_after(&scene, 2_000, |_| {});
        let reference = hash_after(&scene, 2_000, |s| {
            s.set_method(Method::Reference);
            s.set_partition(Partition::AllPairs);
        });
        assert_eq!(kernels, reference, "{name}");
    }
}

#[test]
fn running_in_one_call_or_step_by_step_is_the_same() {
    let scene = Scene::named("birds").unwrap();
    let at_once = hash_after(&scene, 30, |_| {});
    let mut simulation = scene.build().unwrap();
    for _ in 0..30 {
        simulation.step().unwrap();
        simulation.run(0).unwrap();
    }
    assert_eq!(simulation.state_hash(), at_once);
    assert_eq!(simulation.tick(), 30);
    assert!((simulation.time() - 0.5).abs() < 1.0e-6);
}

#[test]
fn columns_and_single_agents_tell_the_same_story() {
    for (name, scene) in common::variety(120) {
        let mut simulation = scene.build().unwrap();
        simulation.run(3).unwrap();
        let agents = simulation.agents();
        for slot in 0..simulation.len() {
            let id = simulation.id_at(slot);
            let state = simulation.agent(id).unwrap();
            assert_eq!(id.index, agents.index[slot], "{name}");
            assert_eq!(state.position, [agents.x[slot], agents.y[slot]], "{name}");
            assert_eq!(state.velocity, simulation.velocity_at(slot), "{name}");
            assert_eq!(state.heading, [agents.hx[slot], agents.hy[slot]], "{name}");
            let kind = agents.species.get(slot).copied().unwrap_or(0);
            assert_eq!(state.species, usize::from(kind), "{name}");
        }
    }
}

#[test]
fn adding_a_species_does_not_move_the_others() {
    let fish = || Species::new("fish", 50).max_speed([10.0, 90.0]).mass([1.0, 2.0]);
    let alone = Scene::new(World::torus(500.0, 400.0)).species(fish()).build().unwrap();
    let both = Scene::new(World::torus(500.0, 400.0))
        .species(fish())
        .species(Species::new("shark", 3).radius(9.0))
        .build()
        .unwrap();
    for id in ids(&alone) {
        let (a, b) = (alone.agent(id).unwrap(), both.agent(id).unwrap());
        assert_eq!((a.position, a.velocity, a.heading), (b.position, b.velocity, b.heading));
    }
}

#[test]
fn a_newcomer_of_a_species_with_ranges_is_like_one_from_the_start() {
    let species = |agents| Species::new("s", agents).max_speed([10.0, 90.0]);
    let build = |agents| Scene::new(World::torus(500.0, 400.0)).species(species(agents)).build();
    let (start, mut later) = (build(6).unwrap(), build(5).unwrap());
    let id = later.spawn("s", [1.0, 1.0], [0.0, 1.0]).unwrap();
    let speed = |simulation: &Simulation| {
        let [vx, vy] = simulation.agent(id).unwrap().velocity;
        vx.hypot(vy)
    };
    assert!((speed(&start) - speed(&later)).abs() < 1.0e-3);
}

#[test]
fn the_hash_tells_crowds_apart_that_differ_in_wander_targets_only() {
    // A weight of zero lets the target stroll without moving the agent.
    let run = |jitter: f32| {
        let wander = Wander { weight: 0.0, jitter, ..Wander::default() };
        let scene =
            Scene::new(World::torus(100.0, 100.0)).species(Species::new("s", 5).steer(wander));
        let mut simulation = scene.build().unwrap();
        simulation.run(3).unwrap();
        let positions: Vec<_> = (0..5)
            .map(|index| simulation.agent(AgentId { index, generation: 0 }).unwrap().position)
            .collect();
        (positions, simulation.state_hash())
    };
    let (still, strolling) = (run(0.0), run(80.0));
    assert_eq!(still.0, strolling.0);
    assert_ne!(still.1, strolling.1);
}
