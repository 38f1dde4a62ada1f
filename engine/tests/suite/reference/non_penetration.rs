use flockwork::behaviors::Wander;
use flockwork::{AgentId, Number, Partition, Scene, Species, Start, StartPlace, Topology, World};
use proptest::prelude::*;

use super::agreement::check;
use crate::common::agents::{flat, id, place};
use crate::common::measures::distance;
use crate::common::variants::Variant;
use crate::slab::slabs::Slabs;

/// Agents of two species, whose total area is twice that of their 30 × 30 start box.
fn pack(world: World, [x, y]: [f32; 2], passes: u32) -> Scene {
    let place = StartPlace::Box { low: [x, y].into(), high: [x + 30.0, y + 30.0].into() };
    let start = Start { place, ..Start::default() };
    let small = Species { start: start.clone(), ..Species::new("small", 60).radius([1.0, 3.0]) };
    let large = Species { start, ..Species::new("large", 12).radius(5.0) };
    let [small, large] = [small, large].map(|species| {
        species
            .max_speed(20.0)
            .view_distance(1.0)
            .behavior(Wander { weight: 20.0, ..Wander::default() })
    });
    let scene = Scene { non_penetration: passes, ..Scene::new(world) };
    scene.species(small).species(large)
}

#[test]
fn packs_at_edges_and_seams_are_pushed_apart_as_the_reference_says() {
    for passes in [1, 2, 3, 5] {
        for corner in [[35.0, 25.0], [0.0, 25.0], [35.0, 50.0], [70.0, 0.0]] {
            for make in [World::torus, World::bounded, World::open] {
                let scene = pack(make(100.0, 80.0), corner, passes);
                let name = format!("{passes} passes at {corner:?}, {:?}", scene.world.topology);
                check(&name, &scene, 3, 10.0);
            }
        }
    }
}

#[test]
fn coincident_agents_part_in_the_direction_that_the_reference_draws() {
    for make in [World::torus, World::bounded, World::open] {
        for seed in 0..5 {
            let species = Species::new("agent", 0).max_speed(1.0e-3).radius(4.0);
            let scene = Scene { non_penetration: 1, ..Scene::new(make(100.0, 80.0)) };
            let mut simulation = scene.species(species).seed(seed).build().unwrap();
            let places = [[50.0, 40.0], [20.0, 20.0], [0.0, 0.0]];
            let ids: Vec<_> = [0, 0, 1, 1, 1, 2, 2]
                .iter()
                .map(|&at: &usize| place(&mut simulation, places[at]))
                .collect();
            let expected: Vec<_> =
                ids.iter().map(|&id| simulation.reference_step(id).unwrap().position).collect();
            simulation.step().unwrap();
            for (&id, expected) in ids.iter().zip(expected) {
                let at = simulation.agent(id).unwrap().position;
                let off = distance(flat(at), flat(expected.map(|part| part as f32)));
                assert!(off < 2.0e-5, "{at:?} instead of {expected:?}");
            }
        }
    }
}

#[test]
fn packs_with_immovable_agents_are_pushed_apart_as_the_reference_says() {
    for passes in [1, 2, 5] {
        for make in [World::torus, World::bounded, World::open] {
            for number in [0, 1] {
                let mut scene = pack(make(100.0, 80.0), [70.0, 0.0], passes);
                scene.species[number].immovable = true;
                let topology = scene.world.topology;
                let name = format!("{passes} passes, {number} immovable, {topology:?}");
                // Between two immovable agents, pushes by whole overlaps amplify errors.
                check(&name, &scene, 3, 50.0);
            }
        }
    }
}

/// Checks the reference itself, against a position computed by hand.
#[test]
fn the_reference_passes_on_a_push_that_an_edge_stops() {
    let species = Species::new("agent", 0).max_speed(1.0e-3).radius(3.0);
    let scene = Scene { non_penetration: 3, ..Scene::new(World::bounded(100.0, 100.0)) };
    let mut simulation = scene.species(species).build().unwrap();
    for x in [0.0, 1.0] {
        place(&mut simulation, [x, 50.0]);
    }
    // Expected: 1 + 2.5 + 1.25 + 0.625.
    let [x, ..] = simulation.reference_step(id(1)).unwrap().position;
    assert!((x - 5.375).abs() < 1.0e-4, "{x}");
}

/// An agent of radius 0 must not find itself among the agents that it coincides with.
#[test]
fn an_agent_of_radius_0_is_pushed_off_one_that_it_coincides_with() {
    let species = Species::new("agent", 0).max_speed(1.0e-3);
    let scene = Scene { non_penetration: 1, ..Scene::new(World::bounded(100.0, 100.0)) };
    let mut crowd = scene.species(species).build().unwrap();
    let ids = [0.0, 9.0].map(|radius| {
        let id = place(&mut crowd, [50.0, 50.0]);
        crowd.set(Number::Radius, id, radius).unwrap();
        id
    });
    crowd.step().unwrap();
    for id in ids {
        let [x, y, _] = crowd.agent(id).unwrap().position;
        let pushed = (x - 50.0).hypot(y - 50.0);
        assert!(
            (pushed - 4.5).abs() < 1.0e-3,
            "{id} is pushed by half of the overlap, not {pushed}"
        );
    }
}

/// Agents at few distinct positions, so that many coincide. Their radii are often 0, and some
/// agents are immovable.
fn places_and_bodies() -> impl Strategy<Value = Vec<([f32; 2], f32, bool)>> {
    let at = || prop::sample::select(vec![0.0_f32, 3.0, 50.0, 51.5, 99.0]);
    let radius = prop_oneof![3 => Just(0.0_f32), 1 => Just(1.0e-3_f32), 3 => 0.0_f32..9.0];
    prop::collection::vec(([at(), at()], radius, prop::bool::weighted(0.2)), 2..40)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(250) })]

    #[test]
    fn agents_of_any_radius_that_coincide_are_pushed_as_the_reference_says(
        agents in places_and_bodies(),
        topology in prop::sample::select(vec![Topology::Torus, Topology::Bounded, Topology::Open]),
        seed: u64,
        slabs in 1..4_usize,
    ) {
        let world = World { topology, ..World::torus(100.0, 100.0) };
        let species = Species::new("agent", 0).max_speed(1.0e-3).view_distance(1.0);
        let scene = Scene::new(world).non_penetration(1).species(species).seed(seed);
        let mut crowd = scene.build().unwrap();
        let ids: Vec<AgentId> = agents.iter().map(|(at, ..)| place(&mut crowd, *at)).collect();
        let radii: Vec<f32> = agents.iter().map(|(_, radius, _)| *radius).collect();
        crowd.set_many(Number::Radius, &ids, &radii).unwrap();
        for (&id, _) in ids.iter().zip(&agents).filter(|(_, (.., immovable))| *immovable) {
            crowd.set(Number::Immovable, id, 1.0).unwrap();
        }
        let expected: Vec<_> = ids.iter().map(|&id| crowd.reference_step(id).unwrap()).collect();
        let start = crowd.snapshot();
        let mut parts = Slabs::of_snapshot(&start, slabs);
        parts.step(|_| None).unwrap();
        for (variant, partition) in Variant::all().flat_map(|variant| {
            [Partition::Cells, Partition::AllPairs].map(|partition| (variant, partition))
        }) {
            let mut crowd = start.build().unwrap();
            variant.set(&mut crowd);
            crowd.set_execution(crowd.execution().partition(partition)).unwrap();
            crowd.step().unwrap();
            parts.assert_are(&crowd, &format!("{variant:?}, {partition:?}, {slabs} slabs"));
            for (&id, expected) in ids.iter().zip(&expected) {
                let at = crowd.agent(id).unwrap().position;
                let [x, y, _] = crowd.displacement(flat(at), expected.position.map(|part| part as f32));
                prop_assert!(x.hypot(y) < 2.0e-4, "{id}: {at:?} instead of {:?}", expected.position);
            }
        }
    }
}
