use flockwork::behaviors::{Neighborhood, Separation};
use flockwork::inspect::Cells;
use flockwork::{AgentId, Method, Partition, Scene, Simulation, Species, Topology, World};

use crate::common::agents::{flat, ids, place};
use crate::common::scenes::variety;

/// How deep a position is inside a box: the maximum over all periodic images, negative outside.
fn depth<const D: usize>(at: [f32; D], [low, high]: [[f32; D]; 2], torus: Option<[f32; D]>) -> f32 {
    let inside = |axis: usize, shift: f32| {
        let at = at[axis] + shift;
        (at - low[axis]).min(high[axis] - at)
    };
    let axis = |axis: usize| match torus {
        Some(size) => [-size[axis], 0.0, size[axis]]
            .into_iter()
            .map(|shift| inside(axis, shift))
            .fold(f32::NEG_INFINITY, f32::max),
        None => inside(axis, 0.0),
    };
    (0..D).map(axis).fold(f32::INFINITY, f32::min)
}

/// Lengths of the world's sides. A flat world is treated as 1 unit deep.
fn sides(simulation: &Simulation) -> [f32; 3] {
    let [width, height] = simulation.world_size();
    [width, height, simulation.world().depth.unwrap_or(1.0)]
}

/// The cells of the first group of species.
fn cells_of(simulation: &Simulation, id: AgentId) -> Cells {
    simulation.explain(id).unwrap().cells[0]
}

#[test]
fn a_search_tests_the_agents_in_its_cells_and_no_others() {
    let mut deep = 0;
    for (name, scene) in variety(150) {
        if scene.world.topology == Topology::Open {
            // In open worlds, a search also tests agents in other cells with the same number.
            continue;
        }
        let is_deep = scene.world.depth.is_some();
        let mut simulation = scene.build().unwrap();
        simulation.set_execution(simulation.execution().method(Method::Scalar)).unwrap();
        simulation.run(4).unwrap();
        let world = sides(&simulation);
        let torus = (simulation.world().topology == Topology::Torus).then_some(world);
        let map = torus.map(|[width, height, _]| [width, height]);
        let all = ids(&simulation);
        let rounding = 1.0e-5 * world.iter().sum::<f32>();
        // Agents on the edge of the world are moved inside, so that they are in a cell.
        let inside = |at: f32, size: f32| at.clamp(2.0 * rounding, size - 2.0 * rounding);
        let position = |&id| {
            let position = simulation.agent(id).unwrap().position;
            [0, 1, 2].map(|axis| inside(position[axis], world[axis]))
        };
        let positions: Vec<[f32; 3]> = all.iter().map(position).collect();
        // An agent nearly on a cell's edge may be in either cell, so count a minimum and a maximum.
        let (mut least, mut most) = (0, 0);
        for &id in &all {
            let why = simulation.explain(id).unwrap();
            let boxes: Vec<_> = why.cells.iter().flat_map(|cells| cells.boxes()).collect();
            for &[x, y, z] in &positions {
                let depths = boxes.iter().map(|cell| depth([x, y], *cell, map));
                let within = depths.fold(f32::NEG_INFINITY, f32::max);
                // Cells have no z extent here; along z, the search covers at least its box.
                let is_level = || depth([x, y, z], why.query, torus) > rounding;
                least += usize::from(within > rounding && (!is_deep || is_level()));
                most += usize::from(within > -rounding);
            }
        }
        let tested = simulation.neighbor_counts().pairs_per_agent * all.len() as f64;
        let tested = tested.round() as usize;
        deep += usize::from(is_deep);
        if simulation.grid_cells().len() > 1 {
            // A search tests only one group of agents in each block of cells.
            let fewest = if is_deep { 0 } else { most / 3 };
            assert!((fewest..=most).contains(&tested), "{name}: {least} {tested} {most}");
            continue;
        }
        assert!((least..=most).contains(&tested), "{name}: {least} {tested} {most}");
        assert!(is_deep || most < least + least / 50 + 4, "{name}: {least} {most}");
    }
    assert!(deep > 4, "{deep} scenes with depth");
}

#[test]
fn all_neighbors_are_in_the_box_and_the_box_is_in_the_cells() {
    for (name, scene) in variety(150) {
        let mut simulation = scene.build().unwrap();
        simulation.run(4).unwrap();
        let world = sides(&simulation);
        let torus = (simulation.world().topology == Topology::Torus).then_some(world);
        let rounding = 1.0e-5 * world.iter().sum::<f32>();
        let axes = if simulation.world().depth.is_some() { 3 } else { 2 };
        for id in ids(&simulation) {
            let why = simulation.explain(id).unwrap();
            let position = simulation.agent(id).unwrap().position;
            for (axis, at) in position.into_iter().enumerate() {
                let [from, to] = why.query.map(|corner| corner[axis]);
                let (below, above) = (at - from, to - at);
                let half = (why.query[1][0] - why.query[0][0]) / 2.0;
                let expected = if axis < axes { half } else { 0.0 };
                assert!((below - expected).abs() < rounding, "{name}: {below} below");
                assert!((above - expected).abs() < rounding, "{name}: {above} above");
            }
            let blocks = why.cells.iter().zip(simulation.grid_cells());
            let covers = blocks.filter(|(cells, all)| {
                let ends = [0, 1].map(|axis| {
                    let count = [cells.columns, cells.rows][axis];
                    let low = cells.low[axis];
                    let whole = [all.columns, all.rows][axis] == count;
                    (low, low + count as f32 * cells.size[axis], whole)
                });
                ends.into_iter().enumerate().all(|(axis, (low, high, whole))| {
                    let [from, to] = [why.query[0][axis], why.query[1][axis]];
                    let at = position[axis];
                    assert!(from < at && at < to, "{name}");
                    if whole {
                        assert!(low <= at + rounding && at <= high + rounding, "{name}");
                        return true;
                    }
                    let edge = match simulation.world().topology {
                        Topology::Bounded => [0.0, world[axis]],
                        _ => [f32::NEG_INFINITY, f32::INFINITY],
                    };
                    let slack = rounding + 1.0e-3 * (to - from) + cells.size[axis];
                    assert!(low > from - slack && high < to + slack, "{name}");
                    low <= from.max(edge[0]) + rounding && high >= to.min(edge[1]) - rounding
                })
            });
            assert!(covers.count() > 0, "{name}: the cells of some group fill the box");
            for other in why.neighbors {
                let [x, y, z] = simulation.agent(other).unwrap().position;
                let inside = match axes {
                    2 => depth([x, y], why.query.map(flat), torus.map(|[w, h, _]| [w, h])),
                    _ => depth([x, y, z], why.query, torus),
                };
                assert!(inside > -rounding, "{name}");
            }
        }
    }
}

#[test]
fn all_cells_fill_the_world() {
    let worlds = [World::torus(900.0, 400.0), World::bounded(900.0, 400.0)];
    for world in worlds.into_iter().flat_map(|world| [world, world.depth(200.0)]) {
        let species = Species::new("agent", 500).view_distance(45.0);
        let scene = Scene::new(world).species(species.behavior(Separation::default()));
        let simulation = scene.build().unwrap();
        let Cells { low, size, columns, rows, .. } = simulation.grid_cells()[0];
        assert_eq!(low, [0.0, 0.0]);
        assert!((size[0] * columns as f32 - 900.0).abs() < 1.0e-2);
        assert!((size[1] * rows as f32 - 400.0).abs() < 1.0e-2);
        assert!(size[1] >= 45.0, "as high as the view distance");
        assert_eq!(simulation.grid_cells()[0].boxes().count() as u32, columns * rows);
    }
}

#[test]
fn cells_beyond_the_seam_are_shown_next_to_the_agent() {
    let scene = Scene::new(World::torus(1_000.0, 1_000.0)).species(Species::new("agent", 500));
    let mut simulation = scene.build().unwrap();
    let id = place(&mut simulation, [1.0, 999.0]);
    let cells = cells_of(&simulation, id);
    assert!(cells.low[0] < 0.0 && cells.low[1] > 800.0, "{cells:?}");
    let high = cells.low[1] + cells.rows as f32 * cells.size[1];
    assert!(high > 1_000.0, "{cells:?}");
    let near = |[low, high]: [[f32; 2]; 2]| low[0] < 300.0 && high[1] < 1_500.0;
    assert!(cells.boxes().all(near), "{cells:?}");
}

#[test]
fn a_world_smaller_than_the_view_is_shown_once() {
    let scene = Scene::new(World::torus(30.0, 20.0)).species(Species::new("agent", 40));
    let simulation = scene.build().unwrap();
    let id = ids(&simulation)[7];
    let (cells, all) = (cells_of(&simulation, id), simulation.grid_cells()[0]);
    assert_eq!((cells.columns, cells.rows), (all.columns, all.rows));
    assert_eq!(cells.size, all.size);
}

#[test]
fn far_out_in_an_open_world_cells_stay_few() {
    // At these coordinates, rounding is larger than the cells: a search reads the whole table.
    let species = Species::new("agent", 0).view_distance(1.0e-3);
    let mut simulation = Scene::new(World::open(0.1, 0.1)).species(species).build().unwrap();
    for at in [[1.0e7, 1.0e7], [-1.0e7, 1.0e7], [1.0e6, -3.0e5]] {
        let id = place(&mut simulation, at);
        let cells = cells_of(&simulation, id);
        let all = simulation.grid_cells()[0];
        assert!(cells.columns <= all.columns && cells.rows <= all.rows, "{cells:?}");
    }
}

#[test]
fn cells_show_the_longer_search_that_an_agents_view_shares() {
    let width = |distance: f32| {
        let neighborhood = Neighborhood::default().distance(distance);
        let separation = Separation { neighborhood, ..Separation::default() };
        let agent = Species::new("agent", 2_000).view_distance(10.0).behavior(separation);
        let crowd = Scene::new(World::torus(400.0, 400.0)).species(agent).build().unwrap();
        let cells = cells_of(&crowd, ids(&crowd)[7]);
        cells.columns as f32 * cells.size[0]
    };
    assert!(width(19.0) >= 38.0, "{}", width(19.0));
    assert!(width(21.0) < 38.0, "{}", width(21.0));
}

#[test]
fn all_pairs_reads_no_cells() {
    let mut simulation = Scene::named("flock").unwrap().agents(50).build().unwrap();
    simulation.set_execution(simulation.execution().partition(Partition::AllPairs)).unwrap();
    let id = ids(&simulation)[0];
    assert_eq!(simulation.explain(id).unwrap().cells, []);
}
