//! Overlapping agents are pushed apart as the reference says.

use flockwork::{Scene, Species, Start, StartPlace, Wander, World};

use super::agreement::check;
use crate::common::agents::{id, place};
use crate::common::measures::distance;

/// Agents of two species, with twice the area of the box of 30 × 30 that they start in.
fn pack(world: World, [x, y]: [f32; 2], passes: u32) -> Scene {
    let place = StartPlace::Box { low: [x, y], high: [x + 30.0, y + 30.0] };
    let start = Start { place, ..Start::default() };
    let small = Species { start: start.clone(), ..Species::new("small", 60).radius([1.0, 3.0]) };
    let large = Species { start, ..Species::new("large", 12).radius(5.0) };
    let [small, large] = [small, large].map(|species| {
        species
            .max_speed(20.0)
            .view_distance(1.0)
            .steer(Wander { weight: 20.0, ..Wander::default() })
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
            // A pair in the middle, three in another place, a pair in a corner.
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
                let off = distance(at, expected.map(|part| part as f32));
                assert!(off < 2.0e-5, "{at:?} instead of {expected:?}");
            }
        }
    }
}

/// Independent of the reference's own order of edge and push.
#[test]
fn the_reference_passes_on_a_push_that_an_edge_stops() {
    let species = Species::new("agent", 0).max_speed(1.0e-3).radius(3.0);
    let scene = Scene { non_penetration: 3, ..Scene::new(World::bounded(100.0, 100.0)) };
    let mut simulation = scene.species(species).build().unwrap();
    for x in [0.0, 1.0] {
        place(&mut simulation, [x, 50.0]);
    }
    // 1 + 2.5 + 1.25 + 0.625
    let [x, _] = simulation.reference_step(id(1)).unwrap().position;
    assert!((x - 5.375).abs() < 1.0e-4, "{x}");
}
