use flockwork::behaviors::FlowFollowing;
use flockwork::{FlowField, Scene, Species, Topology, World};

use crate::common::agents::{CALM, id, resting, speed};
use crate::common::measures::distance;

#[test]
fn flow_following_follows_a_vortex() {
    let (columns, side) = (16_u32, 800.0_f32);
    let round = |x: f32, y: f32| (y - side / 2.0).atan2(x - side / 2.0).to_degrees() + 90.0;
    let middle = |cell: u32| (cell as f32 + 0.5) * side / columns as f32;
    let cells = (0..columns).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let degrees = cells.map(|(column, row)| round(middle(column), middle(row)));
    let flow = FlowField { columns, degrees: degrees.collect() };
    let species = Species::new("leaves", 200)
        .max_speed(40.0)
        .behavior(FlowFollowing { weight: CALM, ..FlowFollowing::default() });
    let scene = Scene::new(World::bounded(side, side)).species(species);
    let mut simulation = Scene { flow: Some(flow.into()), ..scene }.build().unwrap();
    simulation.run(120).unwrap();
    for agent in 0..200 {
        let state = simulation.agent(id(agent)).unwrap();
        let [x, y, _] = state.position;
        let radius = distance([x, y], [side / 2.0, side / 2.0]);
        if !(60.0..side / 2.0 - 25.0).contains(&radius) {
            continue; // Cells near the eye are too coarse for the turn, and the edges stop agents.
        }
        let angle = round(x, y).to_radians();
        let along = state.heading[0] * angle.cos() + state.heading[1] * angle.sin();
        assert!(along > 0.95, "{along} at {x}, {y}");
        assert!(speed(&simulation, agent) > 35.0, "nearly at full speed");
    }
}

/// Flow at a position, computed in f64 from its definition: the bilinear blend of the four
/// nearest directions, across the seam of a torus.
fn field(flow: &FlowField, world: &World, [x, y]: [f32; 2]) -> [f64; 2] {
    let counts = [flow.columns as i32, flow.degrees.len() as i32 / flow.columns as i32];
    let sizes = [world.width.unwrap(), world.height.unwrap()].map(f64::from);
    let torus = world.topology == Topology::Torus;
    let mut blend = [0.0; 2];
    for row in -1..=counts[1] {
        for column in -1..=counts[0] {
            // A cell's weight falls linearly with distance from its center, to 0 at one cell.
            let share = |axis: usize, at: f32, cell: i32| {
                let at = f64::from(at) / sizes[axis] * f64::from(counts[axis]) - 0.5;
                let last = f64::from(counts[axis] - 1);
                let at = if torus { at } else { at.clamp(0.0, last) };
                (1.0 - (at - f64::from(cell)).abs()).max(0.0)
            };
            let cell = |cell: i32, count: i32| match torus {
                true => cell.rem_euclid(count),
                false => cell.clamp(0, count - 1),
            };
            let number = cell(row, counts[1]) * counts[0] + cell(column, counts[0]);
            let (sin, cos) = f64::from(flow.degrees[number as usize]).to_radians().sin_cos();
            let share = share(0, x, column) * share(1, y, row);
            blend = [blend[0] + share * cos, blend[1] + share * sin];
        }
    }
    blend
}

#[test]
fn the_field_is_blended_across_the_seam_and_repeated_beyond_other_edges() {
    let degrees =
        vec![10.0, 80.0, 200.0, -50.0, 130.0, 0.0, 90.0, -170.0, 45.0, 300.0, 20.0, -90.0];
    let flow = FlowField { columns: 4, degrees };
    // Cells are 25 by 20 units; the first center is at (12.5, 10).
    let across = [0.0, 0.5, 5.0, 12.5, 20.0, 49.0, 87.5, 88.0, 95.0, 99.9];
    let up = [0.0, 0.25, 9.0, 10.0, 31.0, 50.0, 51.0, 59.9];
    for make in [World::torus, World::bounded, World::open] {
        let world = make(100.0, 60.0);
        let mut places: Vec<[f32; 2]> = Vec::new();
        for x in across {
            places.extend(up.map(|y| [x, y]));
        }
        if world.topology == Topology::Open {
            places.extend([[-1.0, 30.0], [-1.0e3, -7.0], [130.0, 61.0], [50.0, 1.0e3]]);
        }
        let mut scene = Scene::new(world);
        scene.flow = Some(flow.clone().into());
        for (k, at) in places.iter().enumerate() {
            let agent = resting(&k.to_string(), *at, 0.0).max_speed(50.0).max_force(1.0e6);
            scene = scene
                .species(agent.behavior(FlowFollowing { weight: 1.0, ..FlowFollowing::default() }));
        }
        let simulation = scene.build().unwrap();
        let forces = simulation.forces();
        for (slot, force) in forces.into_iter().enumerate() {
            let id = simulation.agents().id(slot);
            let at = places[id.index as usize];
            let expected = field(&flow, &scene.world, at).map(|part| part * 50.0);
            let reference = simulation.reference_step(id).unwrap().force;
            for axis in 0..2 {
                let off = f64::from(force[axis]) - expected[axis];
                // Far outside the world, extrapolation from repeated cells loses accuracy.
                assert!(off.abs() < 1.0e-3, "{force:?}, {expected:?} at {at:?}, {world:?}");
                let off = reference[axis] - expected[axis];
                assert!(off.abs() < 1.0e-5, "{reference:?}, {expected:?} at {at:?}, {world:?}");
            }
        }
    }
}
