use std::sync::Arc;

use proptest::prelude::*;
use wide::f32x4;

use super::*;
use crate::grid::Layout;
use crate::grid::groups::Plan;
use crate::math::vec3::Vec3;
use crate::world::Topology;
use crate::world::space::Space;

fn sorted(
    space: &Space,
    points: &[(f32, f32)],
    view: f32,
    workers: &Workers,
) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let ascending = |from: f32| (0..points.len()).map(|k| from + k as f32).collect::<Vec<f32>>();
    let motion = Motion {
        position: points.iter().map(|&(x, y)| Vec3::flat(x, y)).collect(),
        velocity: Axes([ascending(0.0), ascending(1.0), Vec::new()]),
        heading: Axes([ascending(2.0), ascending(3.0), Vec::new()]),
        memory: [4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0].map(ascending),
        ..Motion::default()
    };
    let attributes = Attributes {
        index: (0..points.len() as u32).collect(),
        species: (0..points.len()).map(|k| k as u8).collect(),
        limits: [Vec::new(), ascending(6.0), Vec::new(), Vec::new(), Vec::new(), Vec::new()],
        ..Attributes::default()
    };
    let (mut motion_out, mut attributes_out) = (Motion::default(), Attributes::default());
    let mut grid = Grid::new(space);
    let plan = Arc::new(Plan::of_one_group(view));
    grid.lay_out(Layout { space: *space, agents: points.len(), plan, cell_size: None });
    let mut sorter = Sorter::default();
    // Sorts twice to check that a sort does not rely on cleared memory.
    for _ in 0..2 {
        sorter.sort::<f32x4>(
            workers,
            &mut grid,
            (&motion, &mut motion_out),
            (&attributes, &mut attributes_out),
        );
    }
    for (slot, &index) in attributes_out.index.iter().enumerate() {
        let k = index as usize;
        let [hx, hy, _] = &motion_out.heading.0;
        let row = [
            motion_out.velocity.0[0][slot],
            motion_out.velocity.0[1][slot],
            hx[slot],
            hy[slot],
            motion_out.memory[0][slot],
            motion_out.memory[1][slot],
            attributes_out.limits[1][slot],
        ];
        assert_eq!(row, std::array::from_fn(|column| (k + column) as f32));
        assert_eq!(attributes_out.species[slot], k as u8);
        let Vec3 { x, y, .. } = motion_out.position.at(slot);
        assert_eq!((x, y), points[k]);
    }
    assert!(attributes_out.limits[0].is_empty());
    let mut cells = vec![0; points.len()];
    grid.assign_cells::<f32x4>(motion_out.position.all(), GroupColumns::default(), &mut cells);
    (attributes_out.index, grid.starts.clone(), cells)
}

fn check(space: &Space, points: &[(f32, f32)], view: f32, threads: &[usize]) {
    let (index, starts, cells) = sorted(space, points, view, &Workers::default());
    let mut seen = vec![false; points.len()];
    index.iter().for_each(|&k| assert!(!std::mem::replace(&mut seen[k as usize], true)));
    assert!(cells.is_sorted(), "in cell order");
    let in_order = cells.iter().zip(&index).is_sorted();
    assert!(in_order, "stable: the agents of a cell keep their order");
    for (cell, bounds) in starts.windows(2).enumerate() {
        let members = &cells[bounds[0] as usize..bounds[1] as usize];
        assert!(members.iter().all(|&member| member as usize == cell));
    }
    assert_eq!(starts.last().copied(), Some(points.len() as u32));
    for &threads in threads {
        let workers = Workers::new(threads).unwrap();
        assert_eq!(sorted(space, points, view, &workers).0, index, "{threads} threads");
        assert_eq!(sorted(space, points, view, &workers).1, starts, "{threads} threads");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn the_sort_is_a_stable_bijection_on_any_number_of_threads(
        topology in prop::sample::select(vec![Topology::Torus, Topology::Bounded, Topology::Open]),
        (width, height) in (1.0_f32..500.0, 1.0_f32..500.0),
        view in 0.1_f32..200.0,
        fractions in prop::collection::vec((0.0_f32..1.0, 0.0_f32..1.0), 1..400),
        crowding in 1_u32..4,
        threads in 2_usize..9,
    ) {
        let space = Space::new(topology, width, height);
        // Higher powers crowd more agents into one corner.
        let at = |fraction: f32, size: f32| fraction.powi(crowding as i32 * 3) * size * 0.999;
        let points: Vec<(f32, f32)> =
            fractions.into_iter().map(|(x, y)| (at(x, width), at(y, height))).collect();
        check(&space, &points, view, &[threads]);
    }
}

#[test]
fn crowds_of_every_shape_sort_alike_on_many_threads() {
    let grid = |columns: usize, rows: usize| {
        let points = (0..columns * rows).map(move |k| {
            let k = k * 7_919 % (columns * rows);
            ((k % columns) as f32 + 0.5, (k / columns) as f32 + 0.5)
        });
        points.collect::<Vec<_>>()
    };
    for (columns, rows) in [(1, 1), (1, 5_000), (5_000, 1), (70, 70), (3, 2_000)] {
        let space = Space::new(Topology::Torus, columns as f32, rows as f32);
        check(&space, &grid(columns, rows), 1.5, &[2, 3, 16, 64]);
    }
    // A crowd of 120,000 spans many counting blocks and prefetched ranges.
    let space = Space::new(Topology::Torus, 400.0, 300.0);
    check(&space, &grid(400, 300), 1.5, &[2, 16]);
    let space = Space::new(Topology::Bounded, 1.0e3, 1.0e3);
    check(&space, &vec![(500.0, 500.0); 5_000], 3.0, &[2, 16, 64]);
    let corners: Vec<_> =
        (0..5_000).map(|k| if k % 3 == 0 { (0.0, 0.0) } else { (1.0e3, 1.0e3) }).collect();
    check(&space, &corners, 3.0, &[2, 16, 64]);
}
