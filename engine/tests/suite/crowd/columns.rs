//! Columns and single agents have the same values.

use crate::common::scenes::variety;

#[test]
fn columns_and_single_agents_have_the_same_values() {
    for (name, scene) in variety(120) {
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
            let kind = agents.species[slot];
            assert_eq!(state.species, usize::from(kind), "{name}");
        }
    }
}
