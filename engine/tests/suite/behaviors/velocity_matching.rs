use flockwork::behaviors::VelocityMatching;
use flockwork::{Scene, Simulation, Species, World};

use crate::common::agents::{flat, id};
use crate::common::measures::{distance, velocities};

/// Root mean square deviation from the mean velocity.
fn spread(simulation: &Simulation) -> f32 {
    let all = velocities(simulation);
    let count = all.len() as f32;
    let mean = [0, 1].map(|axis| all.iter().map(|v| v[axis]).sum::<f32>() / count);
    (all.iter().map(|&v| distance(v, mean).powi(2)).sum::<f32>() / count).sqrt()
}

#[test]
fn velocity_matching_converges_in_speed_and_direction() {
    let species = Species::new("agents", 100)
        .view_distance(100.0)
        .max_speed([50.0, 150.0])
        .behavior(VelocityMatching::default());
    let mut simulation = Scene::new(World::torus(300.0, 300.0)).species(species).build().unwrap();
    let before = spread(&simulation);
    assert!(before > 50.0, "{before}");
    simulation.run(1_200).unwrap();
    let after = spread(&simulation);
    assert!(after < before / 50.0, "from {before} to {after}");
    let first = flat(simulation.agent(id(0)).unwrap().velocity);
    let all = velocities(&simulation);
    assert!(all.iter().all(|&v| distance(v, first) < 5.0), "every agent matches");
}

#[test]
fn velocity_matching_takes_its_time_constant() {
    // Each agent approaches the other's velocity, so the difference decays with time constant τ/2.
    let matching =
        VelocityMatching { weight: 1.0, time_constant: 2.0, ..VelocityMatching::default() };
    let species = Species::new("agents", 0).view_distance(1_000.0).behavior(matching);
    let scene = Scene::new(World::open(100.0, 100.0)).species(species);
    let mut simulation = scene.steps_per_second(600.0).build().unwrap();
    simulation.spawn("agents", [0.0, 0.0], [1.0, 0.0]).unwrap();
    simulation.spawn("agents", [0.0, 50.0], [0.0, 1.0]).unwrap();
    let before = spread(&simulation);
    simulation.run(600).unwrap();
    // Expected: e^(−2·1 s/2 s), within the error of Euler steps of 1/600 s.
    let left = spread(&simulation) / before;
    assert!((left - (-1.0_f32).exp()).abs() < 2.0e-3, "{left}");
}
