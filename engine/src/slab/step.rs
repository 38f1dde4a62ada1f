use std::ops::Range;

use crate::crowd::Crowd;
use crate::crowd::columns::MotionSlices;
use crate::crowd::sorted_copy::SortedCopy;
use crate::error::Error;
use crate::grid::Grid;
use crate::math::axes::AXES;
use crate::math::lanes::MAX_WIDTH;
use crate::math::lanes::dispatch::with_vectors;
use crate::parallel::{GROUP_ROWS, Split};
use crate::simulation::Simulation;
use crate::simulation::targets::follow;
use crate::slab::borders::Borders;
use crate::slab::ghosts::{fill, part, slices};
use crate::slab::messages::{ColumnMut, Outbox, Received};
use crate::slab::state::Slab;

/// Number of steps between rebalances of the borders.
const BALANCE_PERIOD: u64 = 64;

/// Inner rows are steered in about this many rounds; the caller handles messages in between.
const ROUNDS: usize = 8;

/// A slab's reason for refusing a step.
#[derive(Debug)]
pub struct Refusal {
    /// If several slabs refuse the step, the crowd reports the refusal with the lowest key.
    pub key: u64,
    /// The error that the undivided crowd would return.
    pub error: Error,
}

/// Steers the inner rows while ghosts are in transit.
#[derive(Debug)]
pub struct Steering<'a> {
    local: &'a Simulation,
    crowd: Crowd<'a>,
    next: Option<MotionSlices<'a>>,
    slots: Range<usize>,
    round_len: usize,
    outcome: Result<bool, Error>,
}

/// Outcome of steering the inner rows, passed from [`Steering::finish`] to [`Slab::steer_outer`].
#[derive(Debug)]
pub struct Steered(Result<bool, Error>);

impl Slab {
    /// Begins a step. Returns true if this step rebalances the borders. In that case, add the
    /// [`Self::row_costs`] of all slabs row by row, and pass the sums to [`Self::balance`].
    pub fn begin(&mut self) -> bool {
        let local = &self.local;
        let divided = self.sorted.grid.divide_world(local.layout(self.agents));
        let due = divided || local.state.tick.is_multiple_of(BALANCE_PERIOD);
        if self.changed && !due {
            self.draw(self.borders.clone());
        }
        self.changed = false;
        due
    }

    /// Replaces `costs` with this slab's cost per grid row, in picoseconds per step.
    pub fn row_costs(&mut self, costs: &mut Vec<u64>) {
        let local = &self.local;
        costs.clear();
        costs.resize(self.sorted.grid.rows as usize, 0);
        self.rows.clear();
        self.rows.resize(self.own.len(), 0);
        let positions = local.state.motion.position.rows(self.own.clone());
        with_vectors!(local.execution.instructions, L => self.sorted.grid.number_rows::<L>(positions, &mut self.rows));
        self.rows.iter().for_each(|&row| costs[row as usize] += self.cost);
    }

    /// Moves the borders so that all slabs get roughly equal shares of the crowd's row costs.
    pub fn balance(&mut self, costs: &[u64]) {
        self.draw(Borders::balanced(costs, self.slabs()));
    }

    /// Sets the borders: for n slabs, n + 1 ascending rows from 0 to the number of rows.
    /// All slabs must set the same borders, after [`Self::begin`].
    ///
    /// # Errors
    /// If `borders` is not a list of this form.
    pub fn set_borders(&mut self, borders: &[u32]) -> Result<(), Error> {
        let rows = self.sorted.grid.rows;
        let sound = borders.len() == self.slabs() + 1
            && borders.is_sorted()
            && (borders.first(), borders.last()) == (Some(&0), Some(&rows));
        if !sound {
            let allowed = format!("{} ascending rows from 0 to {rows}", self.slabs() + 1);
            return Err(Error::refused("borders", format!("{borders:?}"), allowed));
        }
        self.draw(Borders(borders.to_vec()));
        Ok(())
    }

    /// Sends the outer rows to the slabs that need them as ghosts, and begins to steer the inner
    /// rows, which need no ghosts. The slabs in [`Self::ghost_owners`] send their outer rows here.
    pub fn steer<'a>(&'a mut self, out: &mut Outbox<'a>) -> Steering<'a> {
        let SortedCopy { shared_targets, grid, .. } = &mut self.sorted;
        follow(shared_targets, grid, &self.local.state.attributes.index);
        let slots = self.inner_slots();
        self.next = std::mem::take(&mut self.sorted.motion);
        let (local, sorted) = (&self.local, &self.sorted);
        let next = part(self.next.slices_mut(), &slots);
        let round_len = slots.len().div_ceil(ROUNDS).next_multiple_of(GROUP_ROWS);
        let columns = self.ghost_columns.columns(&local.state.motion, &local.state.attributes);
        slices(&sorted.grid, (&self.ghosted_rows, &self.ghost_users), &columns, out);
        let crowd = local.crowd(sorted, (&local.state.motion, &local.state.attributes));
        Steering { local, crowd, next: Some(next), slots, round_len, outcome: Ok(true) }
    }

    /// Receives the ghosts and steers the outer rows. Returns a [`Refusal`] if the step is invalid.
    pub fn steer_outer<'m>(
        &mut self,
        inner: Steered,
        received: impl IntoIterator<Item = Received<'m>>,
    ) -> Option<Refusal> {
        self.take_ghosts(received);
        let inner_slots = self.inner_slots();
        let mut outcome = inner.0;
        let outer = [self.own.start..inner_slots.start, inner_slots.end..self.own.end];
        for slots in outer {
            if outcome.is_err() {
                break;
            }
            let next = part(self.next.slices_mut(), &slots);
            let local = &self.local;
            let crowd = local.crowd(&self.sorted, (&local.state.motion, &local.state.attributes));
            outcome = outcome.and_then(|sound| Ok(local.steer(&crowd, slots, next)? & sound));
        }
        self.sorted.motion = std::mem::take(&mut self.next);
        match outcome {
            Ok(true) => None,
            Ok(false) => {
                let (rank, kind) = self.local.refusal(&self.sorted, self.own.clone());
                Some(Refusal { key: 1 + rank, error: Error::new(kind) })
            }
            Err(error) => Some(Refusal { key: 0, error }),
        }
    }

    /// Accepts the next state if no slab has refused the step; otherwise keeps the current state.
    pub fn settle(&mut self, refused: bool) {
        if refused {
            self.local.state.history.permute(self.sorted.sorter.sources());
        } else {
            let mut next = std::mem::take(&mut self.sorted.motion);
            let (local, slots) = (&self.local, self.own.clone());
            if let Some(solids) = &local.setting.scenery.solids {
                let state = (&local.state.motion, &local.state.attributes);
                let next = part(next.slices_mut(), &slots);
                local.stop_moved_agents(solids, &local.crowd(&self.sorted, state), slots, next);
            }
            self.sorted.motion = std::mem::replace(&mut self.local.state.motion, next);
        }
    }

    /// The number of pushing passes per step. Call [`Self::send_positions`] before each pass.
    #[must_use]
    pub fn pushes(&self) -> u32 {
        self.local.setting.scene.non_penetration
    }

    /// Pushes agents apart. Call this function [`Self::pushes`] times,
    /// with `iteration` counted from 0.
    pub fn push_apart<'m>(
        &mut self,
        iteration: u32,
        received: impl IntoIterator<Item = Received<'m>>,
    ) {
        if !self.own.is_empty() {
            let position = &mut self.local.state.motion.position;
            fill(
                &self.ghosts,
                received,
                position.0[..AXES].iter_mut().map(|column| ColumnMut::new(column)),
            );
        }
        self.local.push_apart(&mut self.sorted, iteration, self.own.clone());
    }

    /// Smooths headings and ends the step. `spent` is this slab's computing time in the step.
    pub fn finish(&mut self, spent: std::time::Duration) {
        self.local.smooth(&self.sorted, self.own.clone());
        self.local.state.tick += 1;
        let agents = self.own.len().max(1) as u128;
        let cost = (spent.as_nanos() * 1000 / agents).clamp(1, 1 << 30) as u64;
        self.cost = if self.cost == 1 { cost } else { (7 * self.cost + cost) / 8 };
    }

    fn inner_slots(&self) -> Range<usize> {
        let rows = self.borders.rows_of(self.number);
        let local = &self.local;
        let alone = self.ghosts.is_empty();
        let reads_all = local.execution.partition.tests_all(local.len(), MAX_WIDTH)
            || Grid::may_overflow(self.reach);
        let margin = |at_edge: bool| match () {
            () if alone || at_edge && !self.sorted.grid.wraps() => 0,
            () if reads_all => rows.end - rows.start,
            () => self.reach,
        };
        let low = rows.start + margin(rows.start == 0);
        let high = rows.end.saturating_sub(margin(rows.end == self.sorted.grid.rows));
        if low >= high {
            return self.own.start..self.own.start;
        }
        self.sorted.grid.slots_of(&(low..high))
    }
}

impl Steering<'_> {
    /// Steers the next round of inner rows. Returns false if no agents are left
    /// or a behavior has panicked.
    pub fn steer_round(&mut self) -> bool {
        let Ok(sound) = self.outcome else { return false };
        let count = self.round_len.min(self.slots.len());
        let Some(next) = self.next.take().filter(|_| count > 0) else { return false };
        let (now, later) = next.split_at(count);
        let slots = self.slots.start..self.slots.start + count;
        self.slots.start = slots.end;
        self.next = Some(later);
        self.outcome = self.local.steer(&self.crowd, slots, now).map(|steered| steered & sound);
        !self.slots.is_empty()
    }

    /// Steers all inner rows that [`Self::steer_round`] has not steered yet.
    #[must_use]
    pub fn finish(mut self) -> Steered {
        while self.steer_round() {}
        Steered(self.outcome)
    }
}
