use std::ops::Range;
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;

use crate::crowd::columns::Motion;
use crate::crowd::sorted_copy::{SortedCopy, Surroundings};
use crate::error::Error;
use crate::math::axes::Axes;
use crate::math::lanes::MAX_WIDTH;
use crate::math::lanes::dispatch::with_vectors;
use crate::parallel::{GROUP_ROWS, part};
use crate::simulation::execution::Stopwatch;
use crate::simulation::{Simulation, State};
use crate::slab::borders::Borders;
use crate::slab::exchange::{Exchange, Refused, agree};
use crate::slab::halo::{GhostCells, Halo};
use crate::slab::messages::{Column, ColumnMut};
use crate::slab::post::Post;
use crate::slab::state::Slab;
use crate::step::batches;
use crate::step::others::{OtherSlabs, Refusal};

/// Number of steps between rebalances of the borders.
const BALANCE_PERIOD: u64 = 64;

/// Inner rows are steered in about this many rounds; messages are handled in between.
const ROUNDS: usize = 8;

/// Key of a stop request. All slabs act on the smallest key. Every refusal has a smaller
/// key than a stop request, so refusals take precedence.
const STOP: u64 = u64::MAX - 1;

impl Slab {
    /// Takes one step together with all other slabs of the crowd.
    ///
    /// # Errors
    /// If a slab is no longer running. The inner error is [`Refused`] if the step would also fail
    /// for the undivided crowd, with the message of that crowd's error. After an inner error, the
    /// state is unchanged.
    pub fn step<X: Exchange>(&mut self, exchange: &mut X) -> Result<Result<(), Refused>, X::Lost> {
        self.step_with(exchange, |_| None)
    }

    /// Takes one step, optionally with new borders between slabs. `borders` receives the number of
    /// rows of the grid. It returns `None` for automatic borders or, for n slabs, n + 1 ascending
    /// rows from 0 to the number of rows, the same on all slabs. Borders do not affect the result.
    ///
    /// # Errors
    /// The same errors as [`Self::step`]; [`Refused`] if the borders are not a list of this form.
    pub fn step_with<X: Exchange>(
        &mut self,
        exchange: &mut X,
        borders: impl FnOnce(u32) -> Option<Vec<u32>>,
    ) -> Result<Result<(), Refused>, X::Lost> {
        let start = Instant::now();
        let stepped = self.through(exchange, |slab, post| slab.step_through(post, borders));
        if let Ok(Ok(())) = stepped {
            self.update_cost(start.elapsed().saturating_sub(self.mail.spent));
        }
        stepped
    }

    fn step_through<X: Exchange>(
        &mut self,
        post: &mut Post<'_, X>,
        borders: impl FnOnce(u32) -> Option<Vec<u32>>,
    ) -> Result<Result<(), Refused>, X::Lost> {
        self.count_agents(post)?;
        self.find_shared_targets(post)?;
        self.renumber(post)?;
        if let Err(refused) = self.draw_borders(post, borders)? {
            return Ok(Err(refused));
        }
        self.migrate(post)?;
        self.choose_ghosts(post)?;
        self.reserve_ghosts(post)?;
        self.find_own_targets(post)?;
        let inner = self.inner_slots();
        let own_rows = self.rows();
        let Self { local, sorted, halo, words: agent_cells, asks_to_stop, asked_to_stop, .. } =
            self;
        let mut others =
            Others { post, halo, inner, own_rows, agent_cells, asks_to_stop, asked_to_stop };
        let own = self.own.clone();
        let stepped = local.step_sorted(sorted, own, &mut others, Stopwatch::start(false))?;
        Ok(stepped.map(|_| ()))
    }

    /// Counts the agents of each species in all slabs, if the numbers may have changed.
    fn count_agents<X: Exchange>(&mut self, post: &mut Post<'_, X>) -> Result<(), X::Lost> {
        if self.changed {
            let Self { local, own, .. } = self;
            let own_counts = local.state.populations(own.clone(), &local.setting.scene);
            let mut all: Vec<u64> = own_counts.into_iter().map(|agents| agents as u64).collect();
            post.timed(|exchange, _| exchange.sum(&mut all))?;
            local.setting.populations = all.into_iter().map(|agents| agents as usize).collect();
            local.plan_anew();
        }
        Ok(())
    }

    fn draw_borders<X: Exchange>(
        &mut self,
        post: &mut Post<'_, X>,
        borders: impl FnOnce(u32) -> Option<Vec<u32>>,
    ) -> Result<Result<(), Refused>, X::Lost> {
        let layout = self.local.layout(self.agents);
        let divided = self.sorted.surroundings.grid.divide_world(layout);
        if divided || self.local.state.tick.is_multiple_of(BALANCE_PERIOD) {
            self.sum_row_costs();
            post.timed(|exchange, _| exchange.sum(&mut self.row_costs))?;
            self.draw(Borders::balanced(&self.row_costs, self.slabs()));
        } else if self.changed {
            self.draw(self.borders.clone());
        }
        self.changed = false;
        match borders(self.all_rows()) {
            Some(borders) => agree(self.set_borders(borders), post.exchange),
            None => Ok(Ok(())),
        }
    }

    /// Sums this slab's costs per grid row, in picoseconds per step.
    fn sum_row_costs(&mut self) {
        let Self { local, sorted, own, words: rows, row_costs, .. } = self;
        let grid = &sorted.surroundings.grid;
        row_costs.clear();
        row_costs.resize(grid.rows as usize, 0);
        rows.clear();
        rows.resize(own.len(), 0);
        let positions = local.state.motion.position.rows(own.clone());
        with_vectors!(local.execution.instructions, L => grid.assign_rows::<L>(positions, rows));
        rows.iter().for_each(|&row| row_costs[row as usize] += self.cost);
    }

    fn set_borders(&mut self, borders: Vec<u32>) -> Result<(), Error> {
        let rows = self.all_rows();
        let sound = borders.len() == self.slabs() + 1
            && borders.is_sorted()
            && (borders.first(), borders.last()) == (Some(&0), Some(&rows));
        if !sound {
            let allowed = format!("{} ascending rows from 0 to {rows}", self.slabs() + 1);
            return Err(Error::refused("borders", format!("{borders:?}"), allowed));
        }
        self.draw(Borders(borders));
        Ok(())
    }

    fn update_cost(&mut self, computing: Duration) {
        let agents = self.own.len().max(1) as u128;
        let cost = (computing.as_nanos() * 1000 / agents).clamp(1, 1 << 30) as u64;
        self.cost = if self.cost == 1 { cost } else { (7 * self.cost + cost) / 8 };
    }

    /// Slots of the inner rows, whose agents see no ghosts.
    fn inner_slots(&self) -> Range<usize> {
        let Self { local, halo, own, .. } = self;
        let (rows, grid) = (self.rows(), &self.sorted.surroundings.grid);
        let alone = halo.ghosts.is_empty();
        let reads_all = local.execution.settings.partition.tests_all(local.len(), MAX_WIDTH);
        let margin = |at_edge: bool, margin: u32| match () {
            () if alone || at_edge && !grid.wraps() => 0,
            () if reads_all => rows.end - rows.start,
            () => margin,
        };
        let [below, above] = halo.margins;
        let low = rows.start + margin(rows.start == 0, below);
        let high = rows.end.saturating_sub(margin(rows.end == grid.rows, above));
        if low >= high {
            return own.start..own.start;
        }
        grid.slots_of(grid.cells_of_rows(&(low..high)))
    }
}

/// Communication of one slab with the other slabs during a step.
struct Others<'a, 'x, X> {
    post: &'a mut Post<'x, X>,
    halo: &'a Halo,
    inner: Range<usize>,
    own_rows: Range<u32>,
    agent_cells: &'a mut Vec<u32>,
    asks_to_stop: &'a bool,
    asked_to_stop: &'a mut bool,
}

impl<X: Exchange> Others<'_, '_, X> {
    fn steer_inner(
        &mut self,
        simulation: &Simulation,
        sorted: &mut SortedCopy,
        steered: &mut Result<bool, Error>,
    ) -> Result<(), X::Lost> {
        let SortedCopy { motion: next, surroundings, .. } = sorted;
        let round_len = self.inner.len().div_ceil(ROUNDS).next_multiple_of(GROUP_ROWS);
        let mut rounds = batches(self.inner.clone(), round_len.max(GROUP_ROWS));
        let mut steer_round = || {
            let slots = rounds.next();
            slots.is_some_and(|slots| steer_more(steered, simulation, surroundings, slots, next))
        };
        let halo = self.halo;
        let columns = halo.columns.columns(&simulation.state.motion, &simulation.state.attributes);
        let outgoing = halo.outgoing(&surroundings.grid, &columns);
        self.post.exchange(outgoing, halo.senders(columns.len()), &mut steer_round)?;
        while steer_round() {}
        Ok(())
    }

    fn take_ghosts(&mut self, simulation: &mut Simulation, surroundings: &mut Surroundings) {
        let Self { post, halo, own_rows, agent_cells, .. } = self;
        let State { motion, attributes, .. } = &mut simulation.state;
        let grid = &mut surroundings.grid;
        halo.fill(post.received(), halo.columns.columns_mut(motion, attributes));
        let own_cells = grid.cells_of_rows(own_rows);
        let mut filled = 0;
        for GhostCells { cells, slots, .. } in &halo.ghosts {
            let stored = grid.stored(cells);
            if stored.start >= own_cells.end {
                filled = own_cells.end.max(filled);
            }
            grid.starts[filled..stored.start].fill(slots.start as u32);
            filled = stored.end;
            let groups = attributes.group_columns().rows(slots.clone());
            let agents = (motion.position.rows(slots.clone()), groups);
            with_vectors!(simulation.execution.instructions, L => {
                grid.fill::<L>(cells, slots.start, agents, agent_cells);
            });
        }
        grid.starts[own_cells.end.max(filled)..].fill(motion.position.len() as u32);
        grid.note_occupied_rows();
        surroundings.fill(0..motion.position.len(), motion, attributes);
        let grid = &surroundings.grid;
        debug_assert!(
            grid.starts.is_sorted() && grid.starts.last() == Some(&(simulation.len() as u32)),
            "ghosts and own agents fill all slots in ascending order of cells"
        );
    }
}

impl<X: Exchange> OtherSlabs for Others<'_, '_, X> {
    type Refused = Refused;
    type Lost = X::Lost;

    /// Steers the inner rows while ghosts are in transit, and then the outer rows.
    fn steer(
        &mut self,
        simulation: &mut Simulation,
        sorted: &mut SortedCopy,
        own: &Range<usize>,
    ) -> Result<Result<bool, Error>, X::Lost> {
        let mut steered = Ok(true);
        self.steer_inner(simulation, sorted, &mut steered)?;
        self.take_ghosts(simulation, &mut sorted.surroundings);
        let (SortedCopy { motion: next, surroundings, .. }, inner) = (sorted, &self.inner);
        for slots in [own.start..inner.start, inner.end..own.end] {
            steer_more(&mut steered, simulation, surroundings, slots, next);
        }
        Ok(steered)
    }

    fn settle(&mut self, refusal: Option<Refusal>) -> Result<Result<(), Refused>, X::Lost> {
        let accepted = if *self.asks_to_stop { STOP } else { u64::MAX };
        let key = refusal.as_ref().map_or(accepted, |refusal| refusal.key);
        let min = self.post.timed(|exchange, _| exchange.min(key))?;
        if min >= STOP {
            *self.asked_to_stop = min == STOP;
            return Ok(Ok(()));
        }
        let here = refusal.filter(|refusal| refusal.key == min);
        agree(here.map_or(Ok(()), |refusal| Err(refusal.error)), self.post.exchange)
    }

    fn move_ghosts(
        &mut self,
        simulation: &mut Simulation,
        surroundings: &mut Surroundings,
        pushed: f32,
    ) -> Result<f32, X::Lost> {
        let Self { post, halo, .. } = self;
        let (Axes(columns), axes) =
            (&mut simulation.state.motion.position, simulation.setting.space.axes());
        let outgoing: ArrayVec<Column<'_>, 3> =
            columns.iter().take(axes).map(|column| Column::new(column)).collect();
        post.exchange(halo.outgoing(&surroundings.grid, &outgoing), halo.senders(axes), || false)?;
        drop(outgoing);
        halo.fill(
            post.received(),
            columns.iter_mut().take(axes).map(|column| ColumnMut::new(column)),
        );
        // Complementing the bits turns the maximum, which `Exchange` lacks, into a minimum.
        let least = post.timed(|exchange, _| exchange.min(u64::from(!pushed.to_bits())))?;
        let farthest = f32::from_bits(!(least as u32));
        if farthest > 0.0 {
            // A slab does not know which ghosts were pushed far.
            surroundings.strays.add_everywhere();
        }
        Ok(farthest)
    }
}

/// Steers the agents in `slots`, unless a behavior has panicked. Returns false after a panic.
fn steer_more(
    steered: &mut Result<bool, Error>,
    simulation: &Simulation,
    surroundings: &Surroundings,
    slots: Range<usize>,
    next: &mut Motion,
) -> bool {
    if let Ok(sound) = *steered {
        let next = part(next.slices_mut(), &slots);
        *steered = simulation.steer(surroundings, slots, next).map(|now| now & sound);
    }
    steered.is_ok()
}
