use std::collections::HashMap;

use flockwork::AgentId;

use crate::common::agents::ids;
use crate::common::scenes::variety;

#[test]
fn the_sort_keeps_every_agent_with_its_state() {
    for (name, scene) in variety(300) {
        let mut simulation = scene.build().unwrap();
        let kinds: HashMap<AgentId, usize> = ids(&simulation)
            .into_iter()
            .map(|id| (id, simulation.agent(id).unwrap().species))
            .collect();
        simulation.run(20).unwrap();
        let after = ids(&simulation);
        assert_eq!(after.len(), kinds.len(), "{name}");
        for (slot, id) in after.into_iter().enumerate() {
            assert_eq!(simulation.slot_of(id).unwrap(), slot, "{name}");
            assert_eq!(simulation.agent(id).unwrap().species, kinds[&id], "{name}");
        }
    }
}
