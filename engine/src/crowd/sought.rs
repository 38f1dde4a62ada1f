//! Cells for a rare species in which other agents search for their nearest target. In the grid, the
//! agents of this species are far apart, so a search for the nearest one would visit many rows.
//!
//! Cells hold one agent on average. The number of cells along each axis is a power of two, and the
//! cells repeat beyond the world's size, so no agent of an open world can leave the table.

use std::ops::Range;

use crate::crowd::columns::{Attributes, Motion};
use crate::math::aabb::Aabb;
use crate::math::axes::Axes;
use crate::math::floor;
use crate::math::vec3::Vec3;
use crate::world::space::Space;
use crate::world::{COORDINATE_LIMIT, Topology};

/// With at most this many agents, testing all is faster than choosing cells.
const FEW: usize = 16;

/// The first search for a nearest agent reaches this many times the mean spacing. Shorter searches
/// would be repeated too often, and longer searches would test more candidates.
const FIRST_REACH: f32 = 0.85;

#[derive(Debug, Default)]
pub(crate) struct Sought {
    /// Mean distance between neighboring agents, in world units.
    spacing: f32,
    cells_per_unit: Vec3<f32>,
    units_per_cell: Vec3<f32>,
    is_flat: bool,
    /// Largest coordinates in a finite world, which bound rounding errors; 0 in an open world.
    largest: Vec3<f32>,
    /// The size of a torus; 0 in other worlds.
    size: Vec3<f32>,
    /// Number of cells along each axis: powers of two.
    counts: [i32; 3],
    /// Cell c contains the agents `starts[c]..starts[c + 1]`.
    starts: Vec<u32>,
    /// Slots and positions of the agents, in the order of cells.
    pub(crate) slots: Vec<u32>,
    pub(crate) position: Axes<Vec<f32>>,
    /// The slots in ascending order, and the cell of each.
    slot_cells: Vec<(u32, u32)>,
}

impl Sought {
    /// Finds the agents of a species in `slots`.
    pub(crate) fn fill(
        &mut self,
        space: &Space,
        species: u8,
        slots: Range<usize>,
        (motion, attributes): (&Motion, &Attributes),
    ) {
        const CHUNK: usize = 64;
        self.slot_cells.clear();
        for (first, chunk) in
            (slots.start..).step_by(CHUNK).zip(attributes.species[slots].chunks(CHUNK))
        {
            // The fold avoids a branch per agent.
            if chunk.iter().fold(false, |any, &one| any | (one == species)) {
                let slots = (first as u32..).zip(chunk).filter(|&(_, &one)| one == species);
                self.slot_cells.extend(slots.map(|(slot, _)| (slot, 0)));
            }
        }
        self.divide(space);
        self.sort(motion);
    }

    fn divide(&mut self, space: &Space) {
        let agents = self.slot_cells.len().max(1);
        self.spacing = space.spacing(agents as f64) as f32;
        self.size = if space.is_torus() { space.size } else { Vec3::ZERO };
        let Vec3 { x, y, z } = space.size;
        let count = |size: f32| match size / self.spacing {
            _ if agents <= FEW => 1,
            along => 1_i32 << along.max(1.0).log2().round().min(12.0) as u32,
        };
        self.counts = [count(x), count(y), if space.is_flat() { 1 } else { count(z) }];
        // In a thin world, `spacing` is less than the spacing of agents in a plane or on a line,
        // so there would be too many cells.
        while self.counts.iter().map(|&count| count as usize).product::<usize>() > 4 * agents {
            *self.counts.iter_mut().max().expect("three axes") /= 2;
        }
        let [columns, rows, layers] = self.counts.map(|count| count as f32);
        let is_open = space.topology == Topology::Open;
        self.largest = if is_open { Vec3::ZERO } else { space.size };
        // Cell coordinates must fit in an `i32` anywhere in an open world.
        let least = if is_open { COORDINATE_LIMIT * 1.0e-9 } else { 0.0 };
        let units = Vec3 { x: x / columns, y: y / rows, z: z / layers };
        self.units_per_cell = units.zip(Vec3::diagonal(least), f32::max);
        self.cells_per_unit = Vec3::diagonal(1.0)
            .zip(self.units_per_cell, |one, units| if units > 0.0 { one / units } else { 0.0 });
        self.is_flat = space.is_flat();
    }

    /// A counting sort, which keeps the order of slots within a cell.
    fn sort(&mut self, motion: &Motion) {
        let Self { slot_cells, starts, slots, position, .. } = self;
        let cells: usize = self.counts.iter().map(|&count| count as usize).product();
        let (per_unit, counts) = (self.cells_per_unit, self.counts);
        // Rounding must not move an agent across the seam of a torus.
        let last = if self.size.x > 0.0 { counts.map(|count| count - 1) } else { [i32::MAX; 3] };
        starts.clear();
        starts.resize(cells + 1, 0);
        for (slot, cell) in &mut *slot_cells {
            let [column, row, layer] = cells_of(motion.position.at(*slot as usize), per_unit);
            let coordinates = [column.min(last[0]), row.min(last[1]), layer.min(last[2])];
            *cell = cell_index(coordinates, counts) as u32;
            starts[*cell as usize + 1] += 1;
        }
        for cell in 0..cells {
            starts[cell + 1] += starts[cell];
        }
        slots.resize(slot_cells.len(), 0);
        for (axis, column) in position.0.iter_mut().enumerate() {
            let is_absent = motion.position.0[axis].is_empty();
            column.resize(if is_absent { 0 } else { slot_cells.len() }, 0.0);
        }
        for &(slot, cell) in &*slot_cells {
            let next = &mut starts[cell as usize];
            slots[*next as usize] = slot;
            position.set(*next as usize, motion.position.at(slot as usize));
            *next += 1;
        }
        // Each start has moved to the end of its cell, which is the start of the next cell.
        starts.rotate_right(1);
        starts[0] = 0;
    }

    /// Reach of the first search for a nearest agent; infinite if the search visits all agents.
    pub(crate) fn first_reach(&self) -> f32 {
        if self.slots.len() <= FEW { f32::INFINITY } else { FIRST_REACH * self.spacing }
    }

    /// Calls `visit` with ranges of agents that include all agents within `reach` of the box. The
    /// vector shifts the box across the seam of a torus to the image nearest to the range; it is
    /// `None` if the nearest image differs from agent to agent. Returns the distance from the box
    /// within which all agents were visited: at least `reach`, and more if the cells extend
    /// farther.
    #[inline(always)]
    pub(crate) fn for_each_run(
        &self,
        Aabb { low, high }: Aabb,
        reach: f32,
        mut visit: impl FnMut(Range<usize>, Option<Vec3<f32>>),
    ) -> f32 {
        let counts = self.counts;
        if counts == [1; 3] {
            visit(0..self.slots.len(), None);
            return f32::INFINITY;
        }
        let larger = low.zip3(
            high,
            self.largest,
            #[inline(always)]
            |low, high, largest| low.abs().max(high.abs()).max(largest),
        );
        let rounding = larger * 1.0e-6;
        let margin = rounding + Vec3::diagonal(reach * 1.0001);
        let first = cells_of(low - margin, self.cells_per_unit);
        let mut last = cells_of(high + margin, self.cells_per_unit);
        let (mut is_part, mut covered) = (true, f32::INFINITY);
        let (low, high) = (<[f32; 3]>::from(low - rounding), <[f32; 3]>::from(high + rounding));
        let units_per_cell = <[f32; 3]>::from(self.units_per_cell);
        for axis in 0..3 {
            let most = first[axis].saturating_add(counts[axis] - 1);
            if last[axis] < most {
                let units = units_per_cell[axis];
                let below = low[axis] - first[axis] as f32 * units;
                let above = (last[axis] + 1) as f32 * units - high[axis];
                covered = covered.min(below).min(above);
            } else {
                last[axis] = most;
                is_part &= axis == 2 && self.is_flat;
            }
        }
        for layer in first[2]..=last[2] {
            for row in first[1]..=last[1] {
                let mut column = first[0];
                while column <= last[0] {
                    // The table repeats after this column.
                    let end = last[0].min(column | (counts[0] - 1));
                    let cell = cell_index([column, row, layer], counts);
                    let run = self.starts[cell]..self.starts[cell + (end - column) as usize + 1];
                    let shift = is_part.then(|| self.shift([column, row, layer]));
                    visit(run.start as usize..run.end as usize, shift);
                    column = end + 1;
                }
            }
        }
        covered.max(reach)
    }

    #[inline(always)]
    fn shift(&self, cell: [i32; 3]) -> Vec3<f32> {
        let turns = |axis: usize| -((cell[axis] >> self.counts[axis].ilog2()) as f32);
        Vec3 { x: turns(0) * self.size.x, y: turns(1) * self.size.y, z: turns(2) * self.size.z }
    }

    pub(crate) fn bytes(&self) -> usize {
        let Self { starts, slots, position, slot_cells, .. } = self;
        let words = starts.capacity() + slots.capacity() + 2 * slot_cells.capacity();
        let positions = position.0.iter().map(Vec::capacity).sum::<usize>();
        (words + positions) * size_of::<u32>()
    }
}

#[inline(always)]
fn cells_of(at: Vec3<f32>, per_unit: Vec3<f32>) -> [i32; 3] {
    [floor(at.x * per_unit.x), floor(at.y * per_unit.y), floor(at.z * per_unit.z)]
}

#[inline(always)]
fn cell_index([column, row, layer]: [i32; 3], counts: [i32; 3]) -> usize {
    let [columns, rows, layers] = counts;
    let [column, row, layer] = [column & (columns - 1), row & (rows - 1), layer & (layers - 1)];
    ((layer * rows + row) * columns + column) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SPECIES: u8 = 3;

    /// Agents in every other slot belong to the sought species.
    fn sought(space: &Space, positions: &[Vec3<f32>]) -> Sought {
        let motion = Motion { position: positions.iter().copied().collect(), ..Motion::default() };
        let species = (0..positions.len()).map(|slot| if slot % 2 == 1 { SPECIES } else { 0 });
        let attributes = Attributes { species: species.collect(), ..Attributes::default() };
        let mut sought = Sought::default();
        sought.fill(space, SPECIES, 0..positions.len(), (&motion, &attributes));
        sought
    }

    /// A coordinate in thousandths of the world's size.
    fn along() -> impl Strategy<Value = u32> {
        prop_oneof![9 => 0_u32..1_000, 1 => Just(1_000)]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

        #[test]
        fn a_search_visits_all_agents_within_its_reach_in_their_nearest_images(
            topology in prop::sample::select(vec![Topology::Torus, Topology::Bounded, Topology::Open]),
            size in prop::sample::select(vec![[1.0e3_f32, 1.0e3, 0.0], [2.0e4, 60.0, 0.0], [300.0, 400.0, 500.0]]),
            agents in prop::collection::vec([along(), along(), along()], 1..300),
            // `corner`, `sides` and `reach` are in hundredths of the world's size.
            corner in [0_u32..100, 0_u32..100, 0_u32..100],
            sides in [0_u32..20, 0_u32..20, 0_u32..20],
            reach in 1_u32..60,
            far in prop::sample::select(vec![1.0_f32, 40.0]),
        ) {
            let space = Space::sized(topology, size.into());
            let at = |fractions: [u32; 3], of: f32| {
                Vec3::from(std::array::from_fn::<f32, 3, _>(|axis| fractions[axis] as f32 / of * size[axis]))
            };
            // Agents of an open world may be anywhere.
            let far = if topology == Topology::Open { far } else { 1.0 };
            // For the largest number below the seam, rounding may yield a cell beyond the last one.
            let last = |at: f32, size: f32| if size > 0.0 { at.min(size.next_down()) } else { at };
            let inside = |at: Vec3<f32>| if space.is_torus() { at.zip(space.size, last) } else { at };
            let positions: Vec<Vec3<f32>> =
                agents.into_iter().map(|agent| inside(at(agent, 1.0e3) * far)).collect();
            let low = at(corner, 100.0) * far;
            let around = Aabb { low, high: low + at(sides, 100.0) };
            let reach = reach as f32 / 100.0 * size[1];
            let sought = sought(&space, &positions);

            let mut seen = vec![None; positions.len()];
            let covered = sought.for_each_run(around, reach, |run, shift| {
                for k in run {
                    let slot = sought.slots[k] as usize;
                    assert_eq!(sought.position.at(k), positions[slot]);
                    assert_eq!(seen[slot], None, "once");
                    seen[slot] = Some(shift);
                }
            });
            prop_assert!(covered >= reach);
            let Aabb { low, high } = around;
            for (slot, &position) in positions.iter().enumerate() {
                prop_assert!(slot % 2 == 1 || seen[slot].is_none(), "only what is sought");
                for from in [low, high, low.zip(high, |low, high| 0.5 * (low + high))] {
                    let nearest =
                        if space.is_torus() { space.nearest_image(from, position) } else { from };
                    let distance = (position - nearest).length();
                    if slot % 2 == 1 && distance < covered {
                        let shift = seen[slot].expect("within reach");
                        let shifted = shift.map_or(nearest, |shift| from + shift);
                        prop_assert!(distance >= reach || shifted == nearest);
                    }
                }
            }
        }
    }

    #[test]
    fn agents_of_a_tiny_open_world_are_found_at_the_coordinate_limit() {
        let space = Space::new(Topology::Open, 1.0e-3, 1.0e-3);
        let far = [-COORDINATE_LIMIT, 0.0, COORDINATE_LIMIT];
        let positions: Vec<_> =
            (0..600).map(|k| Vec3::flat(far[k / 2 % 3], far[k / 6 % 3])).collect();
        let sought = sought(&space, &positions);
        for at in far.into_iter().flat_map(|x| far.map(|y| Vec3::flat(x, y))) {
            for reach in [1.0e-3, 1.0e6] {
                let mut found = 0;
                sought.for_each_run(Aabb::at(at), reach, |run, _| {
                    found += run.filter(|&k| sought.position.at(k) == at).count();
                });
                assert!(found >= 30, "{found} at {at:?}");
            }
        }
    }

    #[test]
    fn cells_keep_the_order_of_slots() {
        let space = Space::new(Topology::Torus, 100.0, 100.0);
        let positions: Vec<_> = (0..900).map(|k| Vec3::flat((k % 7) as f32, 50.0)).collect();
        let sought = sought(&space, &positions);
        assert!(sought.counts != [1; 3] && sought.slots.len() == 450);
        for cell in sought.starts.windows(2) {
            assert!(sought.slots[cell[0] as usize..cell[1] as usize].is_sorted());
        }
    }
}
