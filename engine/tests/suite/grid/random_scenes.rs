use std::collections::BTreeSet;

use flockwork::{AgentId, Simulation, SpeciesValue, Topology};
use proptest::prelude::*;

use crate::common::agents::ids;
use crate::common::arbitrary::scene;
use crate::common::measures::sides;

/// Neighbors computed in f64, and agents for which rounding may decide either way.
fn brute_force(simulation: &Simulation, id: AgentId) -> (BTreeSet<AgentId>, BTreeSet<AgentId>) {
    let me = simulation.agent(id).unwrap();
    let species = &simulation.scene().species[me.species];
    let size = sides(simulation).map(f64::from);
    let half_view = f64::from(species.field_of_view).to_radians() / 2.0;
    let (mut inside, mut unclear) = (BTreeSet::new(), BTreeSet::new());
    for other in ids(simulation).into_iter().filter(|&other| other != id) {
        let it = simulation.agent(other).unwrap();
        let offset = [0, 1, 2].map(|axis| {
            let offset = f64::from(it.position[axis]) - f64::from(me.position[axis]);
            if simulation.world().topology == Topology::Torus && size[axis] > 0.0 {
                offset - (offset / size[axis]).round() * size[axis]
            } else {
                offset
            }
        });
        let length = |[x, y, z]: [f64; 3]| x.hypot(y).hypot(z);
        let distance = length(offset);
        let radius = match simulation.scene().species[it.species].radius {
            _ if !species.view_includes_radius => [0.0, 0.0],
            SpeciesValue::Shared(radius) => [radius, radius],
            // The drawn radius is not public, so neighbors within its range are unclear.
            SpeciesValue::Between(range) => range,
        };
        let [near, far] = radius.map(|radius| f64::from(species.view_distance + radius));
        let rounding = 1.0e-6 * (size.iter().sum::<f64>() + distance);
        if distance >= far + rounding {
            continue;
        }
        let heading = me.heading.map(f64::from);
        let ahead = (0..3).map(|axis| offset[axis] * heading[axis]).sum::<f64>();
        let aside = length([0, 1, 2].map(|axis| offset[axis] - ahead * heading[axis]));
        let angle = aside.atan2(ahead);
        let narrow = species.field_of_view < 360.0;
        // cos is flat at 0 and π and cannot resolve angles below 1e-3 there.
        let angle_rounding = 2.0e-3 + rounding / distance.max(1.0e-30);
        if narrow && angle > half_view + angle_rounding {
            continue;
        }
        let clear = distance < near - rounding && !(narrow && angle > half_view - angle_rounding);
        if clear {
            inside.insert(other)
        } else {
            unclear.insert(other)
        };
    }
    (inside, unclear)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(250) })]

    #[test]
    fn any_scene_has_the_neighbors_that_brute_force_finds(scene in scene()) {
        let mut simulation = scene.build().unwrap();
        simulation.run(2).unwrap();
        for id in ids(&simulation).into_iter().step_by(3) {
            let list = simulation.neighbors(id).unwrap();
            let found: BTreeSet<AgentId> = list.iter().copied().collect();
            prop_assert_eq!(found.len(), list.len());
            let (inside, unclear) = brute_force(&simulation, id);
            prop_assert!(inside.is_subset(&found), "lacks {:?}", &inside - &found);
            let surplus = &found - &inside;
            prop_assert!(surplus.is_subset(&unclear), "surplus {:?}", &surplus - &unclear);
        }
    }
}
