use flockwork::internal::detach::{self, Column};

use crate::common::scenes::variety;

#[test]
fn columns_and_single_agents_have_the_same_values() {
    for (name, scene) in variety(120) {
        let mut simulation = scene.build().unwrap();
        simulation.run(3).unwrap();
        let agents = simulation.agents();
        for slot in 0..simulation.len() {
            let id = simulation.agents().id(slot);
            let state = simulation.agent(id).unwrap();
            assert_eq!(id.index, agents.index[slot], "{name}");
            let height = |column: &[f32]| column.get(slot).copied().unwrap_or_default();
            let (z, hz) = (height(agents.z), height(agents.hz));
            assert_eq!(state.position, [agents.x[slot], agents.y[slot], z], "{name}");
            assert_eq!(state.velocity, simulation.agents().velocity(slot), "{name}");
            assert_eq!(state.heading, [agents.hx[slot], agents.hy[slot], hz], "{name}");
            let kind = agents.species[slot];
            assert_eq!(state.species, usize::from(kind), "{name}");
        }
    }
}

/// A detached column keeps its memory, and the crowd continues as if nothing had been read.
#[test]
fn columns_that_were_given_away_keep_their_place_and_values() {
    let mut deep = 0;
    for (name, scene) in variety(120) {
        let mut crowd = scene.build().unwrap();
        let mut other = scene.build().unwrap();
        let custom = (0..crowd.agents().column_names().len()).map(Column::Custom);
        let axes = if crowd.world().depth.is_some() { 3 } else { 2 };
        let engine = (0..axes).flat_map(|axis| {
            [Column::Position, Column::Velocity, Column::Heading].map(|of| of(axis))
        });
        let columns: Vec<Column> = engine.chain(custom).collect();
        let mut held = Vec::new();
        for _ in 0..3 {
            for &column in &columns {
                let shown = detach::column(&mut crowd, column);
                let (place, values) = (shown.as_ptr(), shown.to_vec());
                let given = detach::detach(&mut crowd, column);
                assert_eq!(given.as_ptr(), place, "{name}, {column:?}");
                assert_eq!(detach::column(&mut crowd, column), values, "{name}, {column:?}");
                held.push((given, values));
            }
            crowd.run(2).unwrap();
            other.run(2).unwrap();
            assert_eq!(crowd.state_hash(), other.state_hash(), "{name}");
        }
        assert!(held.iter().all(|(given, values)| given == values), "{name}");
        for axis in 0..axes {
            let states: Vec<_> = crowd.agents().ids().map(|id| crowd.agent(id).unwrap()).collect();
            let along: Vec<f32> = states.iter().map(|state| state.position[axis]).collect();
            assert_eq!(detach::column(&mut crowd, Column::Position(axis)), along, "{name}");
            let headings: Vec<f32> = states.iter().map(|state| state.heading[axis]).collect();
            assert_eq!(detach::column(&mut crowd, Column::Heading(axis)), headings, "{name}");
        }
        deep += usize::from(axes == 3);
    }
    assert!(deep > 0, "no scene has depth");
}
