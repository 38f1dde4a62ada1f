//! Queries about neighbors, cells and forces. None of them changes the state.
//!
//! | question | method |
//! | --- | --- |
//! | Which forces act on an agent? | [`explain`](Simulation::explain) |
//! | Which agents does each agent see? | [`neighbor_rows`](Simulation::neighbor_rows) |
//! | How many agents does an agent see? | [`neighbor_counts`](Simulation::neighbor_counts) |
//! | What is in the way between two points? | [`ray`](Simulation::ray) |
//! | Where are the grid's cells? | [`grid_cells`](Simulation::grid_cells) |
//! | How long did a step take? | [`stage_times`](Simulation::stage_times) |
//! | What does the `f64` reference compute? | [`reference_step`](Simulation::reference_step) |

use std::ops::Range;

use crate::batch::Batch;
use crate::batch::scratch::{NearbyCache, Scratch};
use crate::behaviors::Behavior;
use crate::behaviors::outside::Compiled;
use crate::crowd::limits::Limit;
use crate::crowd::params::View;
use crate::crowd::{Partition, SortedCrowd};
use crate::error::Error;
use crate::id::AgentId;
use crate::math::axes::Axes;
use crate::math::fixed;
use crate::math::lanes::dispatch::with_lanes;
use crate::math::lanes::flat::Flat;
use crate::math::lanes::{Lanes, MAX_WIDTH};
use crate::math::vec3::Vec3;
use crate::reference::step::whole_step;
use crate::scene::species::Species;
use crate::simulation::Simulation;
use crate::step::combine;

mod rows;

pub use crate::batch::trace::{Contribution, Feature, Mark, Shape};
pub use crate::grid::cells::Cells;
pub use crate::reference::step::ReferenceStep;
pub use crate::simulation::execution::StageTimes;
pub use crate::simulation::sight::{Met, RayHit};
pub use rows::NeighborRows;

/// Neighbor counts, and the number of pairs tested to find the neighbors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct NeighborCounts {
    /// Mean number of other agents that an agent sees.
    pub mean_neighbors: f64,
    /// Largest number of other agents that any one agent sees.
    pub max_neighbors: u32,
    /// Mean number of pairs tested per agent: each candidate is tested against every lane.
    pub pairs_per_agent: f64,
}

impl Simulation {
    /// Returns the agents that an agent sees, in the order in which its behaviors sum over them.
    ///
    /// # Errors
    /// [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent) if the agent was removed.
    pub fn neighbors(&self, id: AgentId) -> Result<Vec<AgentId>, Error> {
        let slot = self.sorted_slot(id)?;
        let crowd = self.sorted_crowd();
        let view = crowd.species[crowd.species_of(slot)].own_view();
        Ok(self.seen_in(&crowd, slot, view))
    }

    fn seen_in(&self, crowd: &SortedCrowd<'_>, slot: usize, view: &View) -> Vec<AgentId> {
        if crowd.space.is_flat() {
            self.seen_by_lane::<Flat<f32>>(crowd, slot, view)
        } else {
            self.seen_by_lane::<f32>(crowd, slot, view)
        }
    }

    fn seen_by_lane<L: Lanes>(
        &self,
        crowd: &SortedCrowd<'_>,
        slot: usize,
        view: &View,
    ) -> Vec<AgentId> {
        let (nearby, mut scratch) = (NearbyCache::default(), Scratch::<L>::new());
        let mut ids = Vec::new();
        let mut batch = Batch::single(crowd, slot, &nearby, &mut scratch);
        batch.view = view;
        batch.for_each_neighbor(|neighbor| {
            if neighbor.seen.any() {
                ids.push(self.state.ids.id(crowd.attributes.index[neighbor.slot]));
            }
        });
        ids
    }

    /// Counts neighbors and tested pairs. Costs as much as a step.
    pub fn neighbor_counts(&self) -> NeighborCounts {
        let crowd = self.sorted_crowd();
        let (mut sum, mut max_neighbors) = (0_u64, 0_u32);
        let record = |neighbors: u32| {
            sum += u64::from(neighbors);
            max_neighbors = max_neighbors.max(neighbors);
        };
        let choice = self.lane_choice(self.execution.settings.method);
        let tested = with_lanes!(choice, L => count::<L>(&crowd, record));
        let agents = self.len().max(1) as f64;
        NeighborCounts {
            mean_neighbors: sum as f64 / agents,
            max_neighbors,
            pairs_per_agent: tested as f64 / agents,
        }
    }

    /// Returns the grid's cells for the current parameters and number of agents: one block for each
    /// group of species that is sorted separately. In an open world, where distant cells share one
    /// cell of the grid's table, the blocks are at the origin.
    pub fn grid_cells(&self) -> Vec<Cells> {
        self.sorted().surroundings.grid.all()
    }

    /// Alignment of the crowd: the length of its mean heading, from 0 to 1.
    #[must_use]
    pub fn alignment_order(&self) -> f64 {
        fixed::order(fixed::total(self.state.motion.heading.all()), self.len())
    }

    /// Computes an agent's next step with the scalar `f64` reference, from force to position. Takes
    /// O(n) time, or O(n²) with non-penetration; use it for checks, not for stepping.
    ///
    /// # Errors
    /// [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent) if the agent was removed;
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) if the scene has a behavior from another crate:
    /// such behaviors have no reference.
    pub fn reference_step(&self, id: AgentId) -> Result<ReferenceStep, Error> {
        let slot = self.sorted_slot(id)?;
        let mut behaviors = self.setting.scene.behaviors();
        if let Some(outside) = behaviors.find_map(Behavior::outside) {
            let allowed = "a behavior with a reference implementation";
            return Err(Error::refused("behavior", outside.0.name(), allowed));
        }
        let crowd = self.sorted_crowd();
        Ok(whole_step(&crowd, &self.setting.scene.species, slot, self.setting.scene.passes()))
    }
}

/// Calls `record` with each agent's number of neighbors. Returns the number of pairs tested.
fn count<L: Lanes>(crowd: &SortedCrowd<'_>, mut record: impl FnMut(u32)) -> u64 {
    let mut candidates = 0;
    combine::for_each_group::<L>(
        crowd,
        0..crowd.len(),
        #[inline(always)]
        |_, batches| {
            for batch in batches {
                let (members, mut counts) = (batch.members, [0.0; MAX_WIDTH]);
                if members.any() {
                    let none = -L::splat(1.0);
                    let count = members.select(batch.neighbor_sums().count, none);
                    count.store(&mut counts[..L::WIDTH]);
                    let counts = counts[..L::WIDTH].iter().filter(|&&n| n >= 0.0);
                    counts.for_each(|&n| record(n as u32));
                    candidates += batch.candidates().candidates();
                }
            }
        },
    );
    candidates as u64 * L::WIDTH as u64
}

/// Explanation of an agent's next step: its forces, neighbors and search area.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// Combined steering force, in mass · units/s².
    pub force: [f32; 3],
    /// Contributions of the behaviors, in order of evaluation.
    pub contributions: Vec<Contribution>,
    /// Behaviors not evaluated because the force budget was spent or because of dithering,
    /// as (index, name). The index is the behavior's position in the species' list, from 0.
    pub unreached: Vec<(usize, &'static str)>,
    /// The agents that the explained agent can see.
    pub neighbors: Vec<AgentId>,
    /// View distance of the agent, in world units.
    pub view_distance: f32,
    /// Corners of the AABB searched for neighbors, lower left first, in world units. Half its width
    /// is the view distance, plus the largest bounding radius if `view_includes_radius` is set.
    pub query: [[f32; 3]; 2],
    /// Cells searched for the agent's neighbors, one block for each group of species that is sorted
    /// separately: all cells that overlap the search AABB, and sometimes one more because of
    /// rounding. If the search is shared with a behavior or species that looks up to twice as far,
    /// these are the cells for that distance. Empty with [`Partition::AllPairs`].
    pub cells: Vec<Cells>,
}

impl Simulation {
    /// Explains an agent's next step without taking it.
    ///
    /// # Errors
    /// [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent) if the agent was removed.
    pub fn explain(&self, id: AgentId) -> Result<Explanation, Error> {
        let neighbors = self.neighbors(id)?;
        let slot = self.sorted_slot(id)?;
        let crowd = self.sorted_crowd();
        let species = &self.setting.scene.species;
        let (force, mut contributions) = combine::explained(&crowd, species, slot);
        let species_index = crowd.species_of(slot);
        let behaviors = &species[species_index].behaviors;
        let (at, shared) = (crowd.pose_of(slot).position, &crowd.species[species_index]);
        for contribution in &mut contributions {
            let view = shared.view_of(contribution.number);
            let has_own_view = view.index != shared.own_view().index;
            if has_own_view {
                let shape = Shape::Circle { center: at.into(), radius: view.distance };
                contribution.marks.push(Mark { feature: Feature::Neighborhood, shape });
                contribution.neighbors = Some(self.seen_in(&crowd, slot, view));
            }
            if let Behavior::HideInFlock(hide) = &behaviors[contribution.number]
                && hide.neighborhood.species.is_empty()
            {
                let own_species = |id: &AgentId| {
                    let slot = self.slot_of(*id);
                    slot.map(|slot| self.state.attributes.species_of(slot)) == Ok(species_index)
                };
                let neighbors = contribution.neighbors.get_or_insert_with(|| neighbors.clone());
                neighbors.retain(own_species);
            }
        }
        let (view, range) = (shared.own_view(), shared.own_view().search_radius);
        let above = if crowd.space.is_flat() { 0.0 } else { range };
        let around = Vec3 { x: range, y: range, z: above };
        let cells = match crowd.partition {
            Partition::AllPairs => Vec::new(),
            _ => crowd.grid.around(at, crowd.grid.search(shared.own_view().search)),
        };
        let names = behaviors.iter().map(Behavior::name);
        let reached = |index: usize| contributions.iter().any(|one| one.number == index);
        let unreached = names.enumerate().filter(|(index, _)| !reached(*index)).collect();
        Ok(Explanation {
            force,
            neighbors,
            view_distance: view.distance,
            query: [at - around, at + around].map(Into::into),
            cells,
            unreached,
            contributions,
        })
    }
}

impl Simulation {
    /// Returns the combined steering force on each agent in the next step,
    /// in mass · units/s² and in the order of [`Self::agents`].
    /// For each agent, the result is bit-identical to that of [`Self::explain`].
    /// Uses the same threads as a step, takes nearly as long, and does not change the state.
    pub fn forces(&self) -> Vec<[f32; 3]> {
        let agents = self.len();
        let mut all = Axes::<Vec<f32>>::default();
        let axes = self.setting.space.axes();
        all.0.iter_mut().take(axes).for_each(|column| column.resize(agents, 0.0));
        let sorted = self.sorted();
        let crowd = self.sorted_crowd();
        let steer = with_lanes!(self.lane_choice(Method::Simd), L => steer_batches::<L>);
        self.execution.workers.for_crowd(agents).split(
            agents,
            all.rows_mut(0..agents),
            &|range: Range<usize>, out| steer(&crowd, &self.setting.scene.species, range, out),
        );
        let mut forces = vec![[0.0; 3]; agents];
        for (&slot, force) in sorted.sorter.sources().iter().zip(all.all().iter()) {
            forces[slot as usize] = force.into();
        }
        forces
    }

    /// Returns the fraction (0 to 1) of each agent's maximum force that the next step will use,
    /// in the order of [`Self::agents`]. If the maximum force is 0, the fraction is 0.
    pub fn force_shares(&self) -> Vec<f32> {
        let forces = self.forces();
        let fraction = |(slot, force): (usize, [f32; 3])| {
            let max_force = self.limit_at(Limit::MaxForce, slot);
            let fraction = Vec3::from(force).length() / max_force;
            // Rounding can give a fraction above 1, and a maximum of 0 gives 0/0 = NaN.
            if fraction < 1.0 { fraction } else { f32::from(max_force > 0.0) }
        };
        forces.into_iter().enumerate().map(fraction).collect()
    }
}

fn steer_batches<L: Compiled>(
    crowd: &SortedCrowd<'_>,
    species: &[Species],
    range: Range<usize>,
    mut out: Axes<&mut [f32]>,
) {
    let start = range.start;
    combine::for_each_force::<L>(
        crowd,
        species,
        range,
        #[inline(always)]
        |batch, force| {
            let rows = batch.first - start..;
            let [x, y, z] = &mut out.0;
            batch.store(force.x, &mut x[rows.clone()]);
            batch.store(force.y, &mut y[rows.clone()]);
            force.with_z(
                (),
                #[inline(always)]
                |(), force| batch.store(force, &mut z[rows]),
            );
        },
    );
}
