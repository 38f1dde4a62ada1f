use flockwork::behaviors::{PathFollowing, Seek, Wander};
use flockwork::{
    AgentId, AgentState, Locomotion, Number, Scene, Simulation, Snapshot, Species, Target, Vector,
    WaypointPath, World,
};

use crate::common::agents::{CALM, id, ids, speed};
use crate::common::scenes::flock;
use crate::common::snapshots::column;
use crate::common::variants::Variant;

const LIMITS: [Number<'_>; 5] =
    [Number::MaxSpeed, Number::MaxForce, Number::Mass, Number::Radius, Number::FieldOfView];

fn human(agents: usize) -> Species {
    let human = flock(agents).max_speed([30.0, 50.0]).mass(2.0).column("fear", 0.5);
    Species { name: "human".into(), field_of_view: 200.0, ..human }
}

fn zombie(agents: usize) -> Species {
    let zombie = Species::new("zombie", agents)
        .max_speed([5.0, 20.0])
        .mass([3.0, 4.0])
        .radius(5.0)
        .field_of_view(90.0)
        .behavior(Seek { weight: CALM, target: Target::nearest("human") })
        .behavior(Wander { radius: 9.0, ..Wander::default() });
    zombie.behavior(Seek { weight: 1.0, target: Target::Own })
}

fn town() -> Scene {
    Scene::new(World::torus(200.0, 150.0)).species(human(80)).species(zombie(10))
}

fn bitten() -> Vec<AgentId> {
    (0..80).step_by(3).map(id).collect()
}

#[test]
fn a_bitten_agent_keeps_what_is_its_own_and_has_the_rest_of_its_new_species() {
    let mut crowd = town().build().unwrap();
    crowd.run(5).unwrap();
    let [tired, other] = [id(6), id(9)];
    crowd.set(Number::MaxSpeed, tired, 7.0).unwrap();
    crowd.set(Number::Column("fear"), tired, 0.9).unwrap();
    crowd.set_own_target(tired, [3.0, 4.0]).unwrap();
    let before = crowd.agent(tired).unwrap();
    crowd.change_species(&bitten(), "zombie").unwrap();
    let after = crowd.agent(tired).unwrap();
    assert_eq!((before.species, after.species), (0, 1));
    let motion = |state: AgentState| (state.position, state.velocity, state.heading);
    assert_eq!(motion(after), motion(before));
    assert_eq!(crowd.get(Number::MaxSpeed, tired), Ok(7.0), "it was written");
    assert_eq!(crowd.get(Number::Column("fear"), tired), Ok(0.9));
    assert_eq!(crowd.own_target(tired), Ok(Target::Point([3.0, 4.0].into())));
    // Compares with an agent that started as a zombie.
    let scene = Scene::new(World::torus(200.0, 150.0)).species(zombie(80)).species(human(10));
    let born = scene.build().unwrap();
    for limit in LIMITS {
        assert_eq!(crowd.get(limit, other), born.get(limit, other), "{limit:?}");
        let written = limit == Number::MaxSpeed;
        assert_eq!(crowd.get(limit, tired) == born.get(limit, tired), !written, "{limit:?}");
    }
    assert_eq!(crowd.agent(id(7)).unwrap().species, 0, "not bitten");
    crowd.step().unwrap();
    let zombies = ids(&crowd).into_iter().filter(|&id| crowd.agent(id).unwrap().species == 1);
    assert_eq!(zombies.count(), 10 + bitten().len());
    // A later change of the new species applies to the agent.
    crowd.set_species(&zombie(10).mass(9.0)).unwrap();
    assert_eq!(crowd.get(Number::Mass, other), Ok(9.0));
    assert_eq!(crowd.get(Number::MaxSpeed, tired), Ok(7.0));
}

#[test]
fn what_an_agent_remembers_begins_anew() {
    let path = WaypointPath::new("round", [[10.0, 10.0], [30.0, 10.0], [30.0, 40.0], [5.0, 30.0]])
        .closed();
    let walker = |name: &str, radius: f32| {
        let following = PathFollowing { path: "round".into(), ..PathFollowing::default() };
        let wander = Wander { radius, weight: CALM, ..Wander::default() };
        Species::new(name, 30).max_speed(90.0).behavior(following).behavior(wander)
    };
    let scene = Scene::new(World::bounded(60.0, 60.0)).path(path);
    let scene = scene.species(walker("a", 3.0)).species(walker("b", 8.0));
    let remembered = |crowd: &Simulation, agent: u32| {
        let slot = crowd.slot_of(id(agent)).unwrap();
        ["wander_x", "wander_y", "waypoint"].map(|name| column(&crowd.snapshot(), name)[slot])
    };
    let mut crowd = scene.build().unwrap();
    crowd.run(120).unwrap();
    let (kept, stays) = (remembered(&crowd, 2), remembered(&crowd, 40));
    assert!(remembered(&crowd, 3)[2] > 0.0, "it has come some way");
    crowd.change_species(&[id(3), id(40)], "b").unwrap();
    let [x, y, waypoint] = remembered(&crowd, 3);
    assert!((x.hypot(y) - 8.0).abs() < 1.0e-4, "on the circle of its new species: {x}, {y}");
    assert_eq!(waypoint, 0.0);
    let born = Scene { species: vec![walker("b", 8.0)], ..scene }.build().unwrap();
    assert_eq!([x, y], remembered(&born, 3)[..2]);
    assert_eq!(remembered(&crowd, 2), kept, "it was not changed");
    assert_eq!(remembered(&crowd, 40), stays, "it was a b before");
}

#[test]
fn a_new_maximum_speed_holds_as_a_written_one_does() {
    let fast = Species::new("fast", 3).max_speed(80.0);
    let slow = Species::new("slow", 3).max_speed(10.0);
    let constant =
        Species { locomotion: Locomotion::ConstantSpeed, ..Species::new("car", 3).max_speed(20.0) };
    let scene = Scene::new(World::torus(900.0, 900.0)).species(fast).species(slow);
    let mut crowd = scene.species(constant).build().unwrap();
    crowd.change_species(&[id(0)], "slow").unwrap();
    crowd.change_species(&[id(1)], "car").unwrap();
    crowd.set(Number::MaxSpeed, id(2), 10.0).unwrap();
    assert_eq!([0, 1, 2].map(|agent| speed(&crowd, agent).round()), [80.0, 20.0, 80.0]);
    crowd.step().unwrap();
    assert_eq!([0, 1, 2].map(|agent| speed(&crowd, agent).round()), [10.0, 20.0, 10.0]);
}

#[test]
fn conversions_are_hashed_and_saved_and_the_same_by_every_method() {
    let mut crowd = town().build().unwrap();
    crowd.run(5).unwrap();
    let kept = crowd.snapshot();
    let hash = |species: &[(&str, &[AgentId])]| {
        let mut crowd = kept.build().unwrap();
        species.iter().for_each(|(name, ids)| crowd.change_species(ids, name).unwrap());
        crowd.state_hash()
    };
    assert_eq!(hash(&[("zombie", &[])]), crowd.state_hash(), "no agent, no change");
    assert_ne!(hash(&[("zombie", &[id(4)])]), hash(&[("human", &[id(4)])]));
    crowd.change_species(&bitten(), "zombie").unwrap();
    let bytes = crowd.snapshot().to_bytes();
    let saved = Snapshot::from_bytes(&bytes).unwrap();
    assert_eq!(saved.to_bytes(), bytes);
    let mut hashes: Vec<Vec<u64>> = Vec::new();
    for variant in Variant::all() {
        let mut crowd = saved.build().unwrap();
        variant.set(&mut crowd);
        let step = |k: usize| {
            crowd.step().unwrap();
            crowd
                .change_species(
                    &bitten()[..k % 5],
                    if k.is_multiple_of(2) { "human" } else { "zombie" },
                )
                .unwrap();
            crowd.state_hash()
        };
        hashes.push((0..20).map(step).collect());
    }
    assert!(hashes.iter().all(|other| *other == hashes[0]));
}

#[test]
fn converted_agents_agree_with_the_reference() {
    let mut crowd = town().build().unwrap();
    crowd.run(5).unwrap();
    // From now on, the field of view is stored per agent.
    crowd.set(Number::FieldOfView, id(1), 120.0).unwrap();
    crowd.change_species(&bitten(), "zombie").unwrap();
    let (mut compared, all) = (0, ids(&crowd));
    for _ in 0..5 {
        let expected: Vec<_> = all.iter().map(|&id| crowd.reference_step(id).unwrap()).collect();
        crowd.step().unwrap();
        for (&id, expected) in all.iter().zip(expected).filter(|(_, step)| step.margin > 1.0e-5) {
            let [vx, vy] = crowd.get(Vector::Velocity, id).unwrap().map(f64::from);
            let off = (vx - expected.velocity[0]).hypot(vy - expected.velocity[1]);
            assert!(off < 1.0e-2, "{id}: {off}");
            compared += 1;
        }
    }
    assert!(compared > 350, "{compared}");
}

#[test]
fn the_next_step_sees_the_new_species() {
    let mut crowd = town().build().unwrap();
    let zombies: Vec<AgentId> = (80..90).map(id).collect();
    crowd.neighbors(id(0)).unwrap();
    let all: Vec<AgentId> = (0..80).map(id).collect();
    // Without humans, zombies have no target to seek.
    crowd.change_species(&all, "zombie").unwrap();
    for zombie in zombies {
        let seek = &crowd.explain(zombie).unwrap().contributions[0];
        assert_eq!(seek.force, [0.0; 3]);
    }
}

#[test]
fn refused_conversions_change_nothing() {
    let mut crowd = town().build().unwrap();
    let before = crowd.snapshot().to_bytes();
    let error = crowd.change_species(&[id(3)], "zombi").unwrap_err().to_string();
    assert!(error.contains("unknown species `zombi`; did you mean `zombie`"), "{error}");
    let error = crowd.change_species(&[id(3), id(500)], "zombie").unwrap_err();
    assert_eq!(error.code(), "no_such_agent");
    assert_eq!(crowd.snapshot().to_bytes(), before);
}

#[test]
fn a_crowd_of_one_species_has_none_to_change_to() {
    let mut crowd = Scene::new(World::torus(99.0, 99.0)).species(human(9)).build().unwrap();
    crowd.change_species(&[id(3)], "human").unwrap();
    crowd.step().unwrap();
    assert_eq!(crowd.agent(id(3)).unwrap().species, 0);
}
