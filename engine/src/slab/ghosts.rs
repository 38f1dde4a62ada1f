use std::ops::Range;

use crate::crowd::sorted_copy::SortedCopy;
use crate::crowd::store::values_in;
use crate::grid::groups::farthest;
use crate::math::lanes::MAX_WIDTH;
use crate::math::lanes::dispatch::with_vectors;
use crate::parallel::part;
use crate::simulation::State;
use crate::slab::borders::Borders;
use crate::slab::exchange::{Exchange, Outgoing};
use crate::slab::halo::{GhostCells, Halo};
use crate::slab::messages::GhostColumns;
use crate::slab::post::Post;
use crate::slab::state::Slab;

impl Slab {
    pub(super) fn draw(&mut self, borders: Borders) {
        let setting = &self.local.setting;
        let grid = &mut self.sorted.surroundings.grid;
        let wraps = grid.wraps();
        let migration_reach = grid.reach(self.local.max_displacement());
        let needed = setting.plan.needs.into_iter().map(farthest).fold(0.0, f32::max);
        self.halo = Halo { columns: GhostColumns::new(setting), ..Halo::default() };
        self.near = borders.near(self.number, migration_reach, wraps);
        let local = borders.local_rows(self.number, grid.reach(needed), wraps);
        grid.store_rows(&local.collect::<Vec<u32>>());
        self.scattered |= self.borders != borders;
        self.borders = borders;
    }

    /// Agrees with all slabs on the ghosts that each of them needs in this step.
    pub(super) fn choose_ghosts<X: Exchange>(
        &mut self,
        post: &mut Post<'_, X>,
    ) -> Result<(), X::Lost> {
        let (slabs, own_rows) = (self.slabs(), self.rows());
        let Self { local, sorted, halo, borders, number, .. } = self;
        let (grid, plan) = (&sorted.surroundings.grid, &local.setting.plan);
        let is_one_group = plan.agents.len() == 1;
        if is_one_group && !halo.depths.is_empty() {
            return Ok(());
        }
        let own_depths = halo.measure(grid, plan, &own_rows);
        let others =
            if is_one_group { &[] } else { post.all_gather(bytemuck::bytes_of(&own_depths))? };
        let depths = (0..slabs).map(|slab| {
            others.get(slab).map_or(own_depths, |depths| bytemuck::pod_read_unaligned(depths))
        });
        if !depths.clone().eq(halo.depths.iter().copied()) {
            halo.depths.clear();
            halo.depths.extend(depths);
            halo.list(grid, borders, *number);
        }
        Ok(())
    }

    /// Counts the ghosts, reserves their slots, and moves this slab's own agents into cell order.
    pub(super) fn reserve_ghosts<X: Exchange>(
        &mut self,
        post: &mut Post<'_, X>,
    ) -> Result<(), X::Lost> {
        let Self { sorted, halo, words: counts, .. } = self;
        let grid = &sorted.surroundings.grid;
        counts.clear();
        let agents_in = |ghosts: &GhostCells| grid.slots_of(grid.stored(&ghosts.cells)).len();
        counts.extend(halo.ghosted.iter().map(|ghosts| agents_in(ghosts) as u32));
        let pieces = halo
            .ghosted
            .iter()
            .zip(&*counts)
            .map(|(ghosts, count)| Outgoing { to: ghosts.slab, piece: bytemuck::bytes_of(count) });
        post.exchange(pieces, halo.senders(1), || false)?;
        let own_agents = sorted.sorter.sources().len();
        for (from, bytes) in post.received() {
            let ghosts = halo.ghosts.iter_mut().filter(|ghosts| ghosts.slab == from);
            for (ghosts, count) in ghosts.zip(values_in::<u32>(bytes)) {
                // A slab without agents needs no ghosts.
                ghosts.slots = 0..if own_agents == 0 { 0 } else { count as usize };
            }
        }
        let own_end = self.borders.rows_of(self.number).end * grid.row_cells;
        let below = halo.ghosts.partition_point(|ghosts| ghosts.cells.start < own_end);
        let (below, above) = halo.ghosts.split_at_mut(below);
        let mut total = 0;
        let mut reserve = |count: usize| {
            total += count;
            total - count..total
        };
        below.iter_mut().for_each(|ghosts| ghosts.slots = reserve(ghosts.slots.len()));
        let own_slots = reserve(own_agents);
        above.iter_mut().for_each(|ghosts| ghosts.slots = reserve(ghosts.slots.len()));
        self.take_own(own_slots, total);
        Ok(())
    }

    /// Moves this slab's own agents into cell order, to `own_slots` of all `total` slots.
    fn take_own(&mut self, own_slots: Range<usize>, total: usize) {
        let Self { local, sorted, .. } = self;
        let SortedCopy { sorter, motion, attributes, surroundings } = sorted;
        let grid = &mut surroundings.grid;
        motion.resize(total, &local.state.motion);
        attributes.resize(total, &local.state.attributes);
        let workers = local.execution.workers.for_crowd(own_slots.len());
        let motion_out = part(motion.slices_mut(), &own_slots);
        let attributes_out = part(attributes.slices_mut(), &own_slots);
        with_vectors!(local.execution.instructions, L => sorter.gather::<L>(
            &workers,
            grid,
            (&local.state.motion, &local.state.attributes, self.own.start),
            (motion_out, attributes_out),
        ));

        let Range { start, end } = own_slots;
        let cells = grid.cells_of_rows(&self.borders.rows_of(self.number));
        let starts = &mut grid.starts;
        starts[cells.start..=cells.end].iter_mut().for_each(|first| *first += start as u32);
        // Ghost cells stay empty until the ghosts arrive.
        starts[..cells.start].fill(start as u32);
        starts[cells.end + 1..].fill(end as u32);
        grid.note_occupied_rows();

        local.take_sorted(sorted);
        local.workspace.agents_added();
        sorted.motion.resize(total, &local.state.motion);
        // A batch of inner rows may read past this slab's agents: pad with the last position.
        let beyond = end..total.min(end + MAX_WIDTH);
        if let Some(last) = own_slots.clone().last() {
            let position = &mut local.state.motion.position;
            let at_last = position.at(last);
            beyond.for_each(|slot| position.set(slot, at_last));
        }
        let State { motion, attributes, .. } = &local.state;
        sorted.surroundings.fill(own_slots.clone(), motion, attributes);
        self.own = own_slots;
    }
}
