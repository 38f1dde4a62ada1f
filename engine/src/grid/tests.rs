use proptest::prelude::*;
use wide::f32x4;

use super::*;
use crate::crowd::columns::{Attributes, Motion};
use crate::crowd::limits::Limit;
use crate::crowd::sort::Sorter;
use crate::grid::groups::Reach;
use crate::grid::{Images, Runs};
use crate::math::random::{AgentRng, Purpose};
use crate::parallel::Workers;
use crate::world::space::{MAX_CELL_HEIGHT, MIN_CELL_HEIGHT};

fn layout(space: &Space, agents: usize, view: f32, cell_size: Option<f32>) -> Layout {
    Layout { space: *space, agents, plan: Arc::new(Plan::of_one_group(view)), cell_size }
}

/// Returns a filled grid, the positions in cell order, and the agents' groups in the same order.
fn sorted(
    layout: Layout,
    points: &[Vec3<f32>],
    species: &[u8],
    radii: &[f32],
) -> (Grid, Axes<Vec<f32>>, Vec<usize>) {
    let mut position = Axes::default();
    points.iter().for_each(|&point| position.push(point, layout.space.axes()));
    let motion = Motion { position, ..Motion::default() };
    let index = (0..points.len() as u32).collect();
    let mut attributes = Attributes { index, species: species.to_vec(), ..Attributes::default() };
    attributes.limits[Limit::Radius as usize] = radii.to_vec();
    let (mut motion_out, mut attributes_out) = (Motion::default(), Attributes::default());
    let mut grid = Grid::new(&layout.space);
    grid.lay_out(layout);
    Sorter::default().sort::<f32x4>(
        &Workers::default(),
        &mut grid,
        (&motion, &mut motion_out),
        (&attributes, &mut attributes_out),
    );
    let groups = attributes_out.group_columns();
    let groups = (0..points.len()).map(|slot| grid.plan().group_at(&groups, slot)).collect();
    (grid, motion_out.position, groups)
}

/// Compares the candidates of every batch of `width` agents with a brute-force search.
fn check(space: &Space, points: &[Vec3<f32>], (view, cell_size): (f32, Option<f32>), width: usize) {
    let layout = layout(space, points.len(), view, cell_size);
    let (grid, positions, groups) = sorted(layout, points, &[], &[]);
    for first in (0..points.len()).step_by(width) {
        let batch: Vec<usize> = (first..points.len().min(first + width)).collect();
        check_batch(&grid, (&positions, &groups), &batch, grid.search(0));
    }
}

/// Compares the candidates of agents of one group with a brute-force search.
fn check_batch(
    grid: &Grid,
    (positions, groups): (&Axes<Vec<f32>>, &[usize]),
    batch: &[usize],
    search: &Search,
) {
    let space = &grid.layout.space;
    let mut runs = Runs::default();
    let members: Axes<Vec<f32>> = batch.iter().map(|&slot| positions.at(slot)).collect();
    grid.candidates::<f32>(members.all(), Some(groups[batch[0]]), search, &mut runs);
    let mut end = 0;
    for run in &runs.list {
        assert!(run.start < run.end && run.end as usize <= groups.len(), "{run:?}");
        assert!(run.start >= end, "ascending and disjoint: {:?}", runs.list);
        end = run.end;
    }
    for &slot in batch {
        let from = positions.at(slot);
        for (other, to) in positions.all().iter().enumerate() {
            let offset = space.displacement(from, to);
            let run = runs
                .list
                .iter()
                .find(|run| (run.start as usize..run.end as usize).contains(&other));
            let reach = search.reach[groups[other]];
            if slot == other && reach > 0.0 {
                let run = run.expect("an agent is its own candidate");
                let unshifted = runs.images == Images::Both || run.shift == Vec3::ZERO;
                assert!(unshifted, "itself, unshifted");
            }
            let near = offset.dot(offset) < reach * reach;
            assert!(!near || run.is_some(), "{from:?} lacks {to:?}, {offset:?} away");
            let Some(run) = run else { continue };
            let nearest = space.nearest_image(from, to);
            let image = match runs.images {
                Images::None => from + run.shift,
                Images::X => {
                    Vec3 { x: space.nearest_image_x(from.x, run.middle), ..from + run.shift }
                }
                Images::Both => nearest,
            };
            let shifted = to - image;
            if near {
                assert_eq!(shifted, offset, "{from:?} to {to:?}");
            } else {
                assert!(shifted.dot(shifted) >= reach * reach, "{from:?} wrongly sees {to:?}");
            }
        }
    }
}

fn space() -> impl Strategy<Value = Space> {
    let topology = prop::sample::select(vec![Topology::Torus, Topology::Bounded, Topology::Open]);
    let side = || prop_oneof![1.0_f32..30.0, 30.0_f32..1.0e3, 1.0e3_f32..1.0e6];
    let depth = prop_oneof![Just(0.0), side()];
    (topology, side(), side(), depth)
        .prop_map(|(topology, x, y, z)| Space::sized(topology, Vec3 { x, y, z }))
}

fn pick() -> impl Strategy<Value = (u8, f32)> {
    (0..8_u8, 0.0_f32..1.0)
}

fn coordinate((how, fraction): (u8, f32), size: f32, view: f32, topology: Topology) -> f32 {
    let at = match how {
        0 => 0.0,
        1 => f32::from_bits(size.to_bits() - 1),
        2 => size * 1.0e-6 * fraction,
        3 => size - size * 1.0e-6 * fraction,
        4 => (fraction * 8.0).floor() * view,
        5 => size * 0.5 + (fraction - 0.5) * view,
        _ => fraction * size,
    };
    match topology {
        Topology::Torus if at >= size => 0.0,
        Topology::Torus | Topology::Bounded => at.clamp(0.0, size),
        Topology::Open => match how % 3 {
            0 => at,
            1 => -at,
            _ => at + size,
        },
    }
}

fn point(picks: [(u8, f32); 3], space: &Space, view: f32) -> Vec3<f32> {
    let along = |pick, size| coordinate(pick, size, view, space.topology);
    let [x, y, z] = picks;
    let flat = Vec3::flat(along(x, space.size.x), along(y, space.size.y));
    if space.is_flat() { flat } else { Vec3 { z: along(z, space.size.z), ..flat } }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn candidates_are_complete_disjoint_and_swept_from_the_right_image(
        space in space(),
        picks in prop::collection::vec([pick(), pick(), pick()], 1..90),
        view in prop_oneof![0.01_f32..1.0, 1.0_f32..30.0, 30.0_f32..3.0e3],
        cell_size in prop::option::of(prop_oneof![Just(MIN_CELL_HEIGHT), 0.25_f32..1.0, 1.0_f32..16.0]),
        width in prop::sample::select(vec![1_usize, 4, 8, 16]),
    ) {
        let points: Vec<Vec3<f32>> =
            picks.into_iter().map(|picks| point(picks, &space, view)).collect();
        check(&space, &points, (view, cell_size), width);
    }
}

fn reach(groups: usize) -> impl Strategy<Value = Reach> {
    let distance = prop_oneof![1 => Just(0.0_f32), 2 => 0.01_f32..30.0, 1 => 30.0_f32..3.0e3];
    prop::array::uniform8(distance).prop_map(move |mut reach| {
        reach[groups..].fill(0.0);
        reach
    })
}

/// Groups of very different sizes, some of them empty, and searches of all distances.
fn plan() -> impl Strategy<Value = Plan> {
    let sizes = prop::collection::vec(prop_oneof![0_usize..3, 1_usize..1_000], 2..=MAX_GROUPS);
    sizes.prop_flat_map(|agents| {
        let groups = agents.len();
        let (view, group_of) = (0.01_f32..300.0, prop::collection::vec(0..groups as u8, 20));
        let outliers = prop::option::of(Just(groups as u8 - 1));
        let searches = prop::collection::vec((0..groups, reach(groups)), 1..4);
        let plan = (view, group_of, outliers, searches);
        plan.prop_map(move |(view, group_of, outliers, searches)| Plan {
            view,
            group_of,
            outliers,
            usual: vec![[1.0; 2]; 20],
            agents: agents.iter().copied().collect(),
            searches,
            ..Plan::default()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn searches_of_groups_are_complete_disjoint_and_swept_from_the_right_image(
        space in space(),
        agents in prop::collection::vec(([pick(), pick(), pick()], 0_u8..20, 0.0_f32..1.2), 1..90),
        plan in plan(),
        cell_size in prop::option::of(0.25_f32..4.0),
        members in any::<u16>(),
        width in prop::sample::select(vec![1_usize, 4, 8, 16]),
    ) {
        let points: Vec<Vec3<f32>> =
            agents.iter().map(|&(picks, ..)| point(picks, &space, plan.view)).collect();
        let species: Vec<u8> = agents.iter().map(|&(_, species, _)| species).collect();
        let radii: Vec<f32> = agents.iter().map(|&(.., radius)| radius).collect();
        let searches = plan.searches.len();
        let layout =
            Layout { space, agents: agents.len(), plan: Arc::new(plan), cell_size };
        let (grid, positions, groups) = sorted(layout, &points, &species, &radii);
        for first in (0..points.len()).step_by(width) {
            let slots = first..points.len().min(first + width);
            for group in 0..grid.groups.len() {
                let is_member = |slot: &usize| {
                    groups[*slot] == group && members >> (slot - first) & 1 == 1
                };
                let batch: Vec<usize> = slots.clone().filter(is_member).collect();
                if !batch.is_empty() {
                    let search = grid.search(first % searches);
                    check_batch(&grid, (&positions, &groups), &batch, search);
                    check_batch(&grid, (&positions, &groups), &batch, &Search::new(search.reach));
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn batches_that_see_around_the_world_are_swept_from_the_right_image(
        size in [3.0_f32..6.0, 3.04_f32..6.0, 3.04_f32..6.0],
        flat: bool,
        points in prop::collection::vec([0.0_f32..1.0, 0.0_f32..1.0, 0.0_f32..1.0], 40..160),
        cell_size in prop::option::of(0.25_f32..2.0),
    ) {
        let size = Vec3::from(size) * 50.0;
        let size = if flat { Vec3 { z: 0.0, ..size } } else { size };
        let space = Space::sized(Topology::Torus, size);
        let points: Vec<Vec3<f32>> =
            points.into_iter().map(|fraction| Vec3::from(fraction).zip(size, |a, b| a * b)).collect();
        check(&space, &points, (50.0, cell_size), 16);
    }
}

#[test]
fn a_crowd_at_the_ends_of_long_rows_has_all_its_candidates() {
    // Batches that cross both the end of a row and the seam have the most runs.
    for (length, rows) in [(1.0e3_f32, 4.004_f32), (1.0e5, 7.01), (1.0e6, 16.02)] {
        let space = Space::new(Topology::Torus, length, rows);
        let points: Vec<Vec3<f32>> = (0..800)
            .map(|k| {
                let side = (k % 7) as f32 * 0.1;
                let x = if k % 2 == 0 { side } else { length - 0.07 - side };
                Vec3::flat(x, (k as f32 * 1.001 + 0.000_5) % rows)
            })
            .collect();
        for cell_size in [None, Some(MIN_CELL_HEIGHT), Some(0.7), Some(3.0), Some(MAX_CELL_HEIGHT)]
        {
            check(&space, &points, (1.0, cell_size), 16);
        }
    }
}

#[test]
fn neighbors_just_within_view_distance_are_candidates_in_long_rows() {
    // Rounding must not lose the farthest neighbors when the search counts whole cells.
    // Agents are one or two view distances, less a few ulps, to the right of a cell border.
    let nudged = |value: f32, ulps: u32| f32::from_bits(value.to_bits() - ulps);
    for topology in [Topology::Torus, Topology::Bounded] {
        for (view, length) in [(1.0_f32, 500.6_f32), (7.3, 2_003.0), (0.37, 2_002.1)] {
            let space = Space::new(topology, length * view, 3.1 * view);
            let agents = (length * 3.1) as u32 + 1;
            let border = |k: u32| (k as f32 * 2.0 / agents as f32 * length).floor() * view * 1.001;
            let points: Vec<Vec3<f32>> = (0..agents)
                .map(|k| {
                    let (x, y) = (border(k / 2) + view, (0.5 + (k % 3) as f32) * view);
                    let x = if k % 2 == 0 { nudged(x, k % 5) } else { nudged(x + view, k % 7) };
                    Vec3::flat(x.min(nudged(space.size.x, 1)), y)
                })
                .collect();
            let (grid, ..) = sorted(layout(&space, points.len(), view, None), &points, &[], &[]);
            assert!(grid.search(0).whole.is_some());
            check(&space, &points, (view, None), 16);
        }
    }
}

#[test]
fn positions_on_the_far_edge_are_in_the_last_cell() {
    for topology in [Topology::Torus, Topology::Bounded] {
        for size in [1.0_f32, 33.3, 999.9, 1.0e6, 9.999_999e6] {
            for agents in [0, 1, 10, 1_000] {
                let space = Space::new(topology, size, size * 0.7);
                let mut grid = Grid::new(&space);
                grid.lay_out(layout(&space, agents, size / 97.0, None));
                let before = |edge: f32| f32::from_bits(edge.to_bits() - 1);
                let positions = [0.0, before(size), size].into_iter().zip([
                    0.0,
                    before(size * 0.7),
                    size * 0.7,
                ]);
                let positions: Axes<Vec<f32>> = positions.map(|(x, y)| Vec3::flat(x, y)).collect();
                let mut cells = [u32::MAX; 3];
                grid.assign_cells::<f32x4>(positions.all(), GroupColumns::default(), &mut cells);
                assert_eq!(cells[0], 0);
                let last = match grid.rows {
                    rows if rows % 2 == 0 => grid.cells() as u32 - grid.row_cells,
                    _ => grid.cells() as u32 - 1,
                };
                assert_eq!(cells[1..], [last, last], "size {size}");
            }
        }
    }
}

#[test]
fn there_are_never_many_more_cells_than_agents() {
    for topology in [Topology::Torus, Topology::Bounded, Topology::Open] {
        for agents in [0, 1, 17, 1_000, 100_000] {
            for (view, cell_size) in [0.0, 1.0e-3_f32, 1.0, 1.0e6]
                .into_iter()
                .flat_map(|view| [None, Some(0.25), Some(16.0)].map(|size| (view, size)))
            {
                for (width, height) in
                    [(1.0e-3, 1.0e-3), (1.0e7, 1.0e7), (1.0e7, 1.0e-3), (1.0, 1.0e7)]
                {
                    let space = Space::new(topology, width, height);
                    let mut grid = Grid::new(&space);
                    grid.lay_out(layout(&space, agents, view, cell_size));
                    assert!(grid.cells() <= 4 * agents + 300, "{} for {agents}", grid.cells());
                    assert_eq!(grid.starts.len(), grid.cells() + 1);
                }
            }
        }
    }
}

#[test]
fn cells_are_as_high_as_the_scene_asks_for() {
    for topology in [Topology::Torus, Topology::Bounded, Topology::Open] {
        let space = Space::new(topology, 10_000.0, 10_000.0);
        for size in [0.25_f32, 0.5, 1.0, 2.0, 8.0, 16.0] {
            let mut grid = Grid::new(&space);
            grid.lay_out(layout(&space, 50_000, 100.0, None));
            grid.lay_out(layout(&space, 50_000, 100.0, Some(size)));
            let height = 1.0 / grid.groups[0].inverse_cell.y;
            let wanted = 100.0 * size;
            assert!((wanted..wanted * 1.09).contains(&height), "{height} for {size}");
        }
    }
}

#[test]
fn rows_of_small_crowds_are_serpentine() {
    let space = Space::new(Topology::Torus, 1_000.0, 1_000.0);
    for (agents, serpentine) in [(MAX_SERPENTINE_AGENTS, true), (MAX_SERPENTINE_AGENTS + 1, false)]
    {
        let mut grid = Grid::new(&space);
        grid.lay_out(layout(&space, agents, 10.0, None));
        let columns = grid.row_cells;
        let mut cells = [0; 4];
        let positions = Axes([&[1.0, 999.0, 1.0, 999.0][..], &[1.0, 1.0, 12.0, 12.0], &[]]);
        grid.assign_cells::<f32x4>(positions, GroupColumns::default(), &mut cells);
        let second_row =
            if serpentine { [2 * columns - 1, columns] } else { [columns, 2 * columns - 1] };
        assert_eq!(cells, [0, columns - 1, second_row[0], second_row[1]]);
    }
}

/// In a world of any size, a search must read only one row above and one row below its own.
#[test]
fn large_worlds_take_no_more_rows() {
    let view = 50.0;
    for views in [700.0_f32, 799.0, 801.0, 905.0, 2_288.0, 5_117.0, 16_180.0] {
        let side = (views * view).min(1.0e7);
        for topology in [Topology::Torus, Topology::Bounded] {
            let space = Space::new(topology, side, side);
            let agents = (views * views * 3.8).min(1.0e9) as usize;
            let mut grid = Grid::new(&space);
            grid.divide_world(layout(&space, agents, view, None));
            assert_eq!(grid.reach(view), 1, "{views}");
            assert!(grid.search(0).whole.is_some(), "{views}");
            let lost = f64::from(views) * 50.0 / 50.05 - f64::from(grid.rows);
            assert!(lost < 1.0 + f64::from(views) * f64::from(views) * 2.0e-6, "{views}: {lost}");
        }
    }
}

/// Regression: only the larger group's column indices saturated, so a slab lost agents of the other
/// group.
#[test]
fn rows_far_out_in_the_open_plane_are_the_same_for_all_groups() {
    // Cells are square in a sparse crowd and narrow in a dense one.
    for (width, height) in [(1.0e6, 20.0), (0.01, 0.01)] {
        let space = Space::new(Topology::Open, width, height);
        let agents = [1_000, 1].into_iter().collect();
        let plan = Plan { agents, group_of: vec![0, 1], ..Plan::of_one_group(0.001) };
        let plan = Arc::new(plan);
        let mut grid = Grid::new(&space);
        grid.divide_world(Layout { plan, ..layout(&space, 1_001, 0.001, Some(0.25)) });
        for x in [1.0e5, 1.0e6, COORDINATE_LIMIT, -1.0e6, -COORDINATE_LIMIT] {
            let at = Vec3::flat(x, 7.0);
            let [large, small] =
                [0, 1].map(|group| grid.row_and_column(at, &grid.groups[group])[0]);
            assert_eq!(large, small, "{x}, {width}");
        }
    }
}

/// Regression: searches added the strip to row indices that had saturated, but the sort wraps them.
#[test]
fn agents_in_tiny_cells_far_out_in_the_open_plane_are_their_own_candidates() {
    let space = Space::new(Topology::Open, 1.0e6, 1.0e7);
    for x in [-1.0, -0.6, 0.6, 1.0].map(|x| x * COORDINATE_LIMIT) {
        for y in [-1.0, -0.5, 0.5, 1.0].map(|y| y * COORDINATE_LIMIT) {
            let points = [Vec3::flat(x, y), Vec3::ZERO];
            let (grid, positions, _) =
                sorted(layout(&space, 2, 0.001, Some(1.0)), &points, &[], &[]);
            let mut runs = Runs::default();
            for slot in 0..2 {
                let at = positions.rows(slot..slot + 1);
                grid.candidates::<f32>(at, Some(0), grid.search(0), &mut runs);
                let is_found = |run: &Run| (run.start..run.end).contains(&(slot as u32));
                assert!(runs.list.iter().any(is_found), "{x}, {y}: {slot}");
            }
        }
    }
}

/// Regression: for very large distances, a slab's rows plus the reach overflowed a row index.
#[test]
fn the_largest_distance_reaches_all_rows() {
    for topology in [Topology::Torus, Topology::Bounded, Topology::Open] {
        let mut grid = Grid::new(&Space::new(topology, 6.0, 1_600.0));
        grid.divide_world(layout(&Space::new(topology, 6.0, 1_600.0), 1, 0.25, None));
        assert_eq!(grid.reach(f32::MAX), grid.rows);
    }
}

/// Regression: in crowds of several groups, a slab's halo missed rows of wide searches, because the
/// strips of the finest group have fewer columns there.
#[test]
fn agents_within_a_wide_search_in_the_open_plane_are_at_most_the_reach_apart() {
    let (view, distance) = (10.0, 5_000.0);
    let space = Space::new(Topology::Open, 1.0e3, 1.0e3);
    let agents = [1_000_000, 1_000_000].into_iter().collect();
    let plan = Arc::new(Plan { agents, group_of: vec![0, 1], ..Plan::of_one_group(view) });
    let mut grid = Grid::new(&space);
    grid.divide_world(Layout { plan, ..layout(&space, 2_000_000, view, None) });
    let reach = grid.reach(distance);
    assert!(reach < grid.rows / 2, "{reach} of {} rows", grid.rows);
    for k in 0..1_000 {
        let one = Vec3::flat(k as f32 * 37.0, k as f32 * 7.0);
        for offset in [Vec3::flat(distance, 0.0), Vec3::flat(0.8, 0.6) * distance] {
            let [row, other] = [one, one + offset]
                .map(|at| grid.row_and_column(at, &grid.groups[0])[0] % grid.rows);
            let apart = row.abs_diff(other);
            assert!(apart.min(grid.rows - apart) <= reach, "{row} and {other}, {reach}");
        }
    }
}

/// Clusters of agents at multiples of the table's size must not all share the same cells.
#[test]
fn groups_on_a_lattice_share_cells_little_more_than_groups_at_random() {
    const SIDE: usize = 32;
    const PER_GROUP: usize = 25;
    let view = 10.0_f32;
    let space = Space::new(Topology::Open, 100.0, 100.0);
    let candidates_per_agent = |centers: &[Vec3<f32>]| {
        let mut rng = AgentRng::new(1, 0, Purpose::Place);
        let agents = centers.iter().flat_map(|&center| [center; PER_GROUP]);
        let points: Vec<_> = agents.map(|center| rng.in_circle(center, 1.2 * view, true)).collect();
        let (grid, positions, _) =
            sorted(layout(&space, points.len(), view, None), &points, &[], &[]);
        assert_eq!(grid.rows, 128);
        let mut runs = Runs::default();
        let rows = (0..positions.len()).step_by(8);
        let per_batch = rows.map(|first| {
            let batch = positions.rows(first..positions.len().min(first + 8));
            grid.candidates::<f32>(batch, Some(0), grid.search(0), &mut runs);
            runs.candidates() * batch.len()
        });
        per_batch.sum::<usize>() as f64 / positions.len() as f64
    };
    let mut rng = AgentRng::new(1, 0, Purpose::Clusters);
    for period in [0.25, 0.5, 1.0, 2.0, 3.0, 4.0].map(|tables| tables * 128.0 * view * 1.001) {
        let along = |k: usize| (k as f32 - SIDE as f32 / 2.0) * period;
        let lattice: Vec<_> =
            (0..SIDE * SIDE).map(|k| Vec3::flat(along(k % SIDE), along(k / SIDE))).collect();
        let random: Vec<_> = lattice
            .iter()
            .map(|_| Vec3::flat(rng.unit(), rng.unit()) * (SIDE as f32 * period))
            .collect();
        let [lattice, random] = [lattice, random].map(|centers| candidates_per_agent(&centers));
        assert!(lattice < 2.0 * random, "{period}: {lattice} instead of {random}");
    }
}

/// Regression: agents at opposite edges of a square start area shared cells.
#[test]
fn a_sparse_crowd_starts_inside_the_table_of_the_open_plane() {
    let space = Space::new(Topology::Open, 1_000.0, 1_000.0);
    for agents in [1, 10, 1_000, 2_000, 5_000, 20_000, 100_000] {
        let mut grid = Grid::new(&space);
        grid.divide_world(layout(&space, agents, 1.0, None));
        let Columns { count, inverse_cell, .. } = grid.groups[0];
        let table = Vec3::flat(count as f32 / inverse_cell.x, grid.rows as f32 / inverse_cell.y);
        assert!(space.size.all_le(table * 1.000_001), "{agents}: {table:?}");
    }
}

/// Agents that share a row of the table may be far apart.
#[test]
fn agents_of_one_row_in_the_open_plane_find_all_candidates_after_they_have_moved() {
    const AGENTS: usize = 20_000;
    let view = 10.0_f32;
    let space = Space::new(Topology::Open, 1_000.0, 1_000.0);
    let layout = layout(&space, AGENTS, view, None);
    let mut grid = Grid::new(&space);
    grid.divide_world(layout.clone());
    let Columns { count, inverse_cell, strip_bits, .. } = grid.groups[0];
    assert!(count >> strip_bits > 1, "several strips are in the table");
    let table = count as f32 / inverse_cell.x;
    for apart in [0.3, 0.5, 1.0, 2.5].map(|tables| tables * table) {
        let mut rng = AgentRng::new(1, 0, Purpose::Place);
        let points: Vec<Vec3<f32>> = (0..AGENTS)
            .map(|k| {
                let pack = if k % 2 == 0 { 0.0 } else { apart };
                rng.in_circle(Vec3::flat(330.0 + pack, 330.0), 300.0, true)
            })
            .collect();
        let (grid, positions, _) = sorted(layout.clone(), &points, &[], &[]);
        let search = grid.search(0);
        let mut runs = Runs::default();
        for first in (0..AGENTS - 8).step_by(AGENTS / 60) {
            let slots = first..first + 8;
            let positions_now: Axes<Vec<f32>> =
                slots.clone().map(|slot| rng.in_circle(positions.at(slot), 5.0, true)).collect();
            grid.candidates_after_move::<f32>(
                positions_now.all(),
                (slots, Some(0)),
                search,
                &mut runs,
            );
            let is_candidate = |slot: usize| {
                runs.list.iter().any(|run| (run.start..run.end).contains(&(slot as u32)))
            };
            for from in positions_now.all().iter() {
                for (other, to) in positions.all().iter().enumerate() {
                    let is_near = (to - from).length() < view;
                    assert!(!is_near || is_candidate(other), "{from:?} lacks {to:?}");
                }
            }
        }
    }
}

/// Regression: the search took the first agent's row, on the upper edge, for a row above the last.
#[test]
fn agents_on_the_upper_edge_do_not_hide_other_groups_from_their_row() {
    let space = Space::new(Topology::Bounded, 100.0, 100.0);
    let reach: Reach = std::array::from_fn(|group| if group < 2 { 32.8 } else { 0.0 });
    let plan = Plan {
        view: 10.0,
        group_of: vec![0, 1],
        agents: [100, 1].into_iter().collect(),
        searches: vec![(0, reach)],
        ..Plan::default()
    };
    let layout = Layout { space, agents: 100, plan: Arc::new(plan), cell_size: None };
    let points = [[50.0, 100.0], [52.0, 89.5], [52.0, 58.0]].map(|[x, y]| Vec3::flat(x, y));
    let (grid, positions, groups) = sorted(layout, &points, &[0, 0, 1], &[]);
    assert!(grid.search(0).whole_alone.is_some() && groups[1..] == [0, 0]);
    check_batch(&grid, (&positions, &groups), &[1, 2], grid.search(0));
}
