//! Flow following goes where the flow field says.

use flockwork::{FlowField, FlowFollowing, Scene, Species, World};

use crate::common::agents::{CALM, id, speed};
use crate::common::measures::distance;

#[test]
fn flow_following_follows_a_vortex() {
    // Counterclockwise around the middle of a box.
    let (columns, side) = (16_u32, 800.0_f32);
    let round = |x: f32, y: f32| (y - side / 2.0).atan2(x - side / 2.0).to_degrees() + 90.0;
    let middle = |cell: u32| (cell as f32 + 0.5) * side / columns as f32;
    let cells = (0..columns).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let degrees = cells.map(|(column, row)| round(middle(column), middle(row)));
    let flow = FlowField { columns, degrees: degrees.collect() };
    let species = Species::new("leaves", 200).max_speed(40.0).steer(FlowFollowing { weight: CALM });
    let scene = Scene::new(World::bounded(side, side)).species(species);
    let mut simulation = Scene { flow: Some(flow), ..scene }.build().unwrap();
    simulation.run(120).unwrap();
    for agent in 0..200 {
        let state = simulation.agent(id(agent)).unwrap();
        let [x, y] = state.position;
        let radius = distance([x, y], [side / 2.0, side / 2.0]);
        if !(60.0..side / 2.0 - 25.0).contains(&radius) {
            continue; // Near the eye, cells are too coarse to turn with; the edges stop agents.
        }
        let angle = round(x, y).to_radians();
        let along = state.heading[0] * angle.cos() + state.heading[1] * angle.sin();
        assert!(along > 0.95, "{along} at {x}, {y}");
        assert!(speed(&simulation, agent) > 35.0, "nearly at full speed");
    }
}
