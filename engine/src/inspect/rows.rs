//! Neighbors of all agents at once, as compressed sparse rows.
//!
//! Two passes find the same pairs. The first pass counts each agent's neighbors, so that memory can
//! be checked before it is allocated; the second pass writes the neighbors.
//! As in a step, a batch of agents tests one candidate at a time.

use std::ops::Range;

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use crate::crowd::SortedCrowd;
use crate::crowd::lookup::SpatialLookup;
use crate::error::{Error, within};
use crate::grid::groups::Plan;
use crate::grid::{Images, Layout, Runs};
use crate::math::axes::Axes;
use crate::math::lanes::dispatch::with_lanes;
use crate::math::lanes::{Lanes, compiled};
use crate::math::vec3::Vec3;
use crate::memory;
use crate::parallel::Workers;
use crate::simulation::Simulation;
use crate::simulation::query::MAX_RADIUS;
use crate::step::combine;
use crate::world::Topology;
use crate::world::space::Space;

/// Neighbors of all agents, as compressed sparse rows: for the agent in slot `k` of
/// [`Simulation::agents`], `indices[offsets[k]..offsets[k + 1]]` are the slots of its neighbors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NeighborRows {
    /// Start of each agent's row in `indices`, then the total: one more entry than agents.
    pub offsets: Vec<u64>,
    /// Slots of all agents' neighbors, agent by agent.
    pub indices: Vec<u32>,
}

impl NeighborRows {
    /// Returns the neighbors of the agent in `slot`, as slots.
    ///
    /// # Panics
    /// If there is no such slot.
    #[must_use]
    pub fn row(&self, slot: usize) -> &[u32] {
        &self.indices[self.offsets[slot] as usize..self.offsets[slot + 1] as usize]
    }
}

/// Callback for a candidate. Arguments: index of the batch's first agent, bit mask of the lanes
/// that see the candidate, and index of the candidate.
type Visit<'a> = &'a mut dyn FnMut(usize, u32, usize);

impl Simulation {
    /// Returns the neighbors of every agent. Without a distance, an agent's neighbors are the
    /// agents that it sees, in the order of [`Self::neighbors`], and the search costs about as much
    /// as two steps. With a distance, the neighbors are all other agents within that many world
    /// units, measured across the seam of a torus if that is shorter. The order within a row is the
    /// same on any machine and for any number of threads. Runs on the same threads as a step.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) if the distance is outside 0 to 4e7;
    /// [`Memory`](crate::ErrorKind::Memory) if the rows need more memory than is available.
    pub fn neighbor_rows(&self, within: Option<f32>) -> Result<NeighborRows, Error> {
        if let Some(distance) = within {
            return self.rows_within(distance);
        }
        let crowd = self.sorted_crowd();
        let find = with_lanes!(self.lane_choice(Method::Simd), L => seen_by_each::<L>);
        let workers = self.execution.workers.for_crowd(self.len());
        let slots = self.sorted().sorter.sources();
        rows(&workers, slots, &|range, visit| find(&crowd, range, visit))
    }

    fn rows_within(&self, distance: f32) -> Result<NeighborRows, Error> {
        within("distance", distance, 0.0, MAX_RADIUS, "world units")?;
        let (space, agents) = (self.setting.space, self.len());
        // Checks that cells and agent order fit in memory. Rows are checked after they are counted.
        memory::check(24 * agents as u64)?;
        let view = match space.topology {
            Topology::Torus | Topology::Bounded => distance.min(space.diagonal()),
            Topology::Open => distance,
        };
        let plan = Arc::new(Plan::of_one_group(view));
        let layout = Layout { space, agents, plan, cell_size: None };
        let workers = self.execution.workers.for_crowd(agents);
        let position = &self.state.motion.position;
        let computed = (&workers, self.execution.instructions);
        let lookup = SpatialLookup::new(layout, position.all(), computed);
        let slots = lookup.slots();
        let around = Around {
            space: &space,
            lookup: &lookup,
            positions: slots.iter().map(|&slot| position.at(slot as usize)).collect(),
            distance_sq: distance * distance,
        };
        let find = with_lanes!(self.lane_choice(Method::Simd), L => within_of_each::<L>);
        rows(&workers, slots, &|range, visit| find(&around, range, visit))
    }
}

fn rows(
    workers: &Workers,
    slots: &[u32],
    find: &(dyn Fn(Range<usize>, Visit<'_>) + Sync),
) -> Result<NeighborRows, Error> {
    let agents = slots.len();
    memory::check(12 * agents as u64)?;
    let mut counts = vec![0_u32; agents];
    let (pairs, refused) = (AtomicU64::new(0), OnceLock::new());
    workers.split(agents, &mut counts[..], &|range: Range<usize>, counts: &mut [u32]| {
        if refused.get().is_some() {
            return;
        }
        let start = range.start;
        find(range, &mut |first, observers, _| {
            for_each_bit(observers, |lane| counts[first + lane - start] += 1);
        });
        let in_chunk: u64 = counts.iter().copied().map(u64::from).sum();
        let all = pairs.fetch_add(in_chunk, Relaxed) + in_chunk;
        if let Err(error) = memory::check(all * size_of::<u32>() as u64) {
            refused.get_or_init(|| error);
        }
    });
    if let Some(error) = refused.into_inner() {
        return Err(error);
    }
    let mut offsets = vec![0; agents + 1];
    for (&slot, &count) in slots.iter().zip(&counts) {
        offsets[slot as usize + 1] = u64::from(count);
    }
    for slot in 0..agents {
        offsets[slot + 1] += offsets[slot];
    }
    // Each row has a single writer, but each thread's rows are scattered over the list. Atomics let
    // safe code share the list, and a relaxed store costs no more than an ordinary one.
    let indices: Vec<AtomicU32> = (0..offsets[agents]).map(|_| AtomicU32::new(0)).collect();
    workers.split(agents, &mut counts[..], &|range: Range<usize>, left: &mut [u32]| {
        let start = range.start;
        find(range, &mut |first, observers, neighbor| {
            for_each_bit(observers, |lane| {
                let (index, left) = (first + lane, &mut left[first + lane - start]);
                let end = offsets[slots[index] as usize + 1];
                indices[(end - u64::from(*left)) as usize].store(slots[neighbor], Relaxed);
                *left -= 1;
            });
        });
    });
    let indices = indices.into_iter().map(AtomicU32::into_inner).collect();
    Ok(NeighborRows { offsets, indices })
}

#[inline(always)]
fn for_each_bit(mut bits: u32, mut act: impl FnMut(usize)) {
    while bits != 0 {
        act(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

fn seen_by_each<L: Lanes>(crowd: &SortedCrowd<'_>, range: Range<usize>, visit: Visit<'_>) {
    combine::for_each_group::<L>(
        crowd,
        range,
        #[inline(always)]
        |_, batches| {
            for batch in batches {
                if batch.members.none() {
                    continue;
                }
                let batch = &*batch;
                batch.for_each_neighbor(
                    #[inline(always)]
                    |neighbor| {
                        let observers = (neighbor.seen & batch.members).0.sign_mask();
                        if observers != 0 {
                            visit(batch.first, observers, neighbor.slot);
                        }
                    },
                );
            }
        },
    );
}

struct Around<'a> {
    space: &'a Space,
    lookup: &'a SpatialLookup,
    positions: Axes<Vec<f32>>,
    distance_sq: f32,
}

fn within_of_each<L: Lanes>(around: &Around<'_>, range: Range<usize>, visit: Visit<'_>) {
    let mut runs = Runs::default();
    for first in range.clone().step_by(L::WIDTH) {
        let batch = first..range.end.min(first + L::WIDTH);
        let positions = around.positions.rows(batch.clone());
        around.lookup.candidates::<L>(positions, &mut runs);
        compiled!(L: within_of_batch::<L>(around, batch, &runs, visit));
    }
}

#[inline(always)]
fn within_of_batch<L: Lanes>(
    around: &Around<'_>,
    batch: Range<usize>,
    runs: &Runs,
    visit: Visit<'_>,
) {
    let Around { space, positions, distance_sq, .. } = around;
    let position = positions.rows(batch.clone()).load_first::<L>();
    let members = (1 << batch.len()) - 1;
    for run in &runs.list {
        let shifted = position + Vec3::splat(run.shift);
        for index in run.start as usize..run.end as usize {
            let other = positions.splat(index);
            let origin = match runs.images {
                Images::None => shifted,
                Images::X | Images::Both => space.nearest_image(position, other),
            };
            let offset = other - origin;
            let near = offset.dot(offset).le(L::splat(*distance_sq)).0.sign_mask();
            let lane = index.wrapping_sub(batch.start);
            let itself = if lane < L::WIDTH { 1 << lane } else { 0 };
            let observers = near & members & !itself;
            if observers != 0 {
                visit(batch.start, observers, index);
            }
        }
    }
}
