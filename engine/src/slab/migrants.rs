use crate::crowd::columns::Motion;
use crate::crowd::sort::Table;
use crate::crowd::sorted_copy::SortedCopy;
use crate::math::lanes::Lanes;
use crate::math::lanes::dispatch::with_vectors;
use crate::simulation::State;
use crate::slab::exchange::Exchange;
use crate::slab::post::Post;
use crate::slab::state::Slab;

const CHUNK: usize = 256;

impl Slab {
    /// Exchanges departing agents with all slabs within reach, and sorts the agents that this slab
    /// now owns.
    pub(super) fn migrate<X: Exchange>(&mut self, post: &mut Post<'_, X>) -> Result<(), X::Lost> {
        let scattered = std::mem::take(&mut self.scattered);
        with_vectors!(self.local.execution.instructions, L => self.find_leavers::<L>());
        for (to, leavers) in self.leavers.iter().enumerate() {
            let message = &mut self.messages[to];
            message.clear();
            assert!(
                leavers.is_empty() || scattered || self.near.contains(&to),
                "agent {} is in a row that it cannot have reached in a step",
                leavers[0]
            );
            message.extend((leavers.len() as u32).to_ne_bytes());
            if !leavers.is_empty() {
                self.local.state.write(leavers, self.own.start, message);
            }
        }
        let others = (0..self.slabs()).filter(|&other| other != self.number);
        let partners = others.filter(|other| scattered || self.near.contains(other));
        post.swap(&self.messages, partners)?;
        self.receive_leavers(post.received());
        Ok(())
    }

    #[inline(always)]
    fn find_leavers<L: Lanes>(&mut self) {
        self.leavers.iter_mut().for_each(Vec::clear);
        let own_rows = self.borders.rows_of(self.number);
        let Self { local, sorted, own, leavers, borders, .. } = self;
        let grid = &sorted.surroundings.grid;
        let rows_of = own_rows.end - own_rows.start;
        let first = own_rows.start;
        let mut rows = [0; CHUNK];
        for start in own.clone().step_by(CHUNK) {
            let slots = start..own.end.min(start + CHUNK);
            let rows = &mut rows[..slots.len()];
            let positions = local.state.motion.position.rows(slots.clone());
            grid.assign_rows::<L>(positions, rows);
            if rows.iter().all(|row| row.wrapping_sub(first) < rows_of) {
                continue;
            }
            for (slot, &row) in (slots.start as u32..).zip(&*rows) {
                if !own_rows.contains(&row) {
                    leavers[borders.owner(row)].push(slot);
                }
            }
        }
    }

    fn receive_leavers<'m>(&mut self, received: impl Iterator<Item = (usize, &'m [u8])>) {
        let local = &mut self.local;
        local.state.motion.keep(0..self.own.end);
        local.state.attributes.keep(0..self.own.end);
        let mut lower = 0;
        for (from, mut bytes) in received {
            let count = bytes.split_off(..4).expect("a message begins with its length");
            let count = bytemuck::pod_read_unaligned::<u32>(count) as usize;
            if count > 0 {
                local.state.read(count, &mut bytes);
            }
            lower += if from < self.number { count } else { 0 };
        }
        with_vectors!(local.execution.instructions, L => self.sort::<L>(lower));
    }

    /// Sorts the arrivals and the slab's own agents, except those that leave. The first
    /// `lower` arrivals come from lower-numbered slabs and precede the slab's own agents.
    #[inline(always)]
    fn sort<L: Lanes>(&mut self, lower: usize) {
        let Self { local, sorted: SortedCopy { sorter, surroundings, .. }, .. } = self;
        let grid = &mut surroundings.grid;
        let (old, end) = (self.own.len(), local.state.motion.position.len());
        // In this order: arrivals from lower-numbered slabs, the slab's own agents, arrivals from
        // higher-numbered slabs. The columns have the slab's own agents before all arrivals.
        let own = self.own.clone();
        let joined = [own.end..own.end + lower, own.clone(), own.end + lower..end];
        let rows = self.borders.rows_of(self.number);
        let (first, row) = (rows.start * grid.row_cells, grid.row_cells as usize);
        let cells = grid.cells_of_rows(&rows);

        let mut starts = std::mem::take(&mut grid.starts);
        starts[cells.start] = 0;
        let State { motion: Motion { position, .. }, attributes, .. } = &local.state;
        let groups = attributes.group_columns();
        let table = Table {
            // Agents that leave are sorted into an extra cell at the end.
            ends: &mut starts[cells.start + 1..][..cells.len() + row],
            row,
        };
        let workers = local.execution.workers.for_crowd(old);
        let elsewhere = cells.len() as u32;
        sorter.order::<L>(
            &workers,
            end - own.start,
            table,
            #[inline(always)]
            |range, agent_cells| {
                let mut first_joined = 0;
                for slots in joined.clone() {
                    let part =
                        range.start.max(first_joined)..range.end.min(first_joined + slots.len());
                    if part.start < part.end {
                        let [from, to] =
                            [part.start, part.end].map(|at| slots.start + (at - first_joined));
                        let agent_cells =
                            &mut agent_cells[part.start - range.start..part.end - range.start];
                        let groups = groups.rows(from..to);
                        grid.assign_cells::<L>(position.rows(from..to), groups, agent_cells);
                        for cell in agent_cells {
                            *cell = cell.wrapping_sub(first).min(elsewhere);
                        }
                    }
                    first_joined += slots.len();
                }
            },
        );
        let stay = starts[cells.end] as usize;
        grid.starts = starts;
        let sources = sorter.sources_mut();
        sources.truncate(stay);
        if lower > 0 {
            let (lower, old) = (lower as u32, old as u32);
            for source in sources {
                *source = match *source {
                    joined if joined < lower => old + joined,
                    joined if joined < lower + old => joined - lower,
                    joined => joined,
                };
            }
        }
    }
}
