use std::ops::Range;

use crate::crowd::sorted_copy::SortedCopy;
use crate::math::lanes::MAX_WIDTH;
use crate::math::lanes::dispatch::with_vectors;
use crate::parallel::part;
use crate::simulation::State;
use crate::slab::borders::{Borders, GhostRows};
use crate::slab::exchange::{Exchange, Outgoing};
use crate::slab::halo::Halo;
use crate::slab::messages::GhostColumns;
use crate::slab::post::Post;
use crate::slab::state::Slab;

impl Slab {
    pub(super) fn draw(&mut self, borders: Borders) {
        let others = self.others();
        let setting = &self.local.setting;
        let grid = &mut self.sorted.surroundings.grid;
        let wraps = grid.wraps();
        let reach = grid.reach(self.local.needed_distance());
        let moved = grid.reach(self.local.pushed_before(setting.scene.non_penetration));
        let of = |user| borders.ghosts(user, reach, wraps);
        let ghosted_rows = others.flat_map(of);
        self.halo = Halo {
            reach,
            ghosts: of(self.number).into_iter().map(|shared| (shared, 0..0)).collect(),
            ghosted_rows: ghosted_rows.filter(|shared| shared.owner == self.number).collect(),
            owners: borders.near(self.number, reach, wraps),
            columns: GhostColumns::new(setting),
        };
        self.near = borders.near(self.number, moved, wraps);
        grid.store_rows(&borders.local_rows(self.number, reach, wraps));
        self.scattered |= self.borders != borders;
        self.borders = borders;
    }

    /// Counts the ghosts, reserves their slots, and moves this slab's own agents into cell order.
    pub(super) fn reserve_ghosts<X: Exchange>(
        &mut self,
        post: &mut Post<'_, X>,
    ) -> Result<(), X::Lost> {
        let Self { sorted, halo, counts, .. } = self;
        let grid = &sorted.surroundings.grid;
        counts.clear();
        let agents_in = |shared: &GhostRows| grid.slots_of(&shared.rows).len() as u32;
        counts.extend(halo.ghosted_rows.iter().map(agents_in));
        let pieces = halo
            .ghosted_rows
            .iter()
            .zip(&*counts)
            .map(|(shared, count)| Outgoing { to: shared.user, piece: bytemuck::bytes_of(count) });
        post.exchange(pieces, halo.senders(1), || false)?;
        let own = sorted.sorter.sources().len();
        for (from, bytes) in post.received() {
            let shared = halo.ghosts.iter_mut().filter(|(shared, _)| shared.owner == from);
            for ((_, slots), count) in shared.zip(bytes.as_chunks().0) {
                // A slab without agents needs no ghosts.
                *slots = 0..if own == 0 { 0 } else { u32::from_ne_bytes(*count) as usize };
            }
        }
        let own_rows = self.borders.rows_of(self.number);
        let below = halo.ghosts.partition_point(|(shared, _)| shared.rows.start < own_rows.end);
        let (below, above) = halo.ghosts.split_at_mut(below);
        let mut total = 0;
        let mut place = |count: usize| {
            total += count;
            total - count..total
        };
        below.iter_mut().for_each(|(_, slots)| *slots = place(slots.len()));
        let own_slots = place(own);
        above.iter_mut().for_each(|(_, slots)| *slots = place(slots.len()));
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
        local.workspace.grown();
        sorted.motion.resize(total, &local.state.motion);
        // A batch of inner rows may read past this slab's agents: pad with the last position.
        let beyond = end..total.min(end + MAX_WIDTH);
        if let Some(last) = own_slots.clone().last() {
            let position = &mut local.state.motion.position;
            let at_last = position.at(last);
            beyond.for_each(|slot| position.set(slot, at_last));
        }
        let State { motion, attributes, .. } = &local.state;
        sorted.surroundings.tail.fill(motion, attributes);
        self.own = own_slots;
    }
}
