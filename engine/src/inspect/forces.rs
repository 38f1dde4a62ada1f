//! The force on every agent, for inspection: the kernels steer the whole crowd, and no agent moves.
//!
//! This compiles the kernels again, but only at the lane width of each level: the bits are the same
//! at any width.

use std::ops::Range;

use crate::behaviors::outside::Compiled;
use crate::crowd::Crowd;
use crate::crowd::columns::value;
use crate::math::vec2::Vec2;
use crate::math::width::with_widest_lanes;
use crate::simulation::Simulation;
use crate::species::Species;
use crate::steering::combine;

impl Simulation {
    /// The combined steering force on each agent in the next step, in mass · units/s² and in
    /// the order of [`Self::agents`]. The bits are those of [`Self::explain`] for a single agent.
    /// Nearly as much work as a step, on the same threads; the state does not change.
    pub fn forces(&mut self) -> Vec<[f32; 2]> {
        let workers = self.workers.for_crowd(self.len());
        workers.run(workers.threads() > 1, |_| self.forces_on_workers())
    }

    /// The share of its maximum force that each agent will use in the next step, from 0 to 1,
    /// in the order of [`Self::agents`]. An agent without a maximum force uses 0.
    pub fn force_shares(&mut self) -> Vec<f32> {
        let forces = self.forces();
        let share = |(slot, [x, y]): (usize, [f32; 2])| {
            let shared = &self.species[self.traits.species_of(slot)];
            let max_force: f32 = value(&self.traits.max_force, slot, shared.max_force);
            let share = Vec2::new(x, y).length() / max_force;
            // Rounding can make a force longer than its maximum; 0/0 is NaN.
            if share < 1.0 { share } else { f32::from(max_force > 0.0) }
        };
        forces.into_iter().enumerate().map(share).collect()
    }

    fn forces_on_workers(&mut self) -> Vec<[f32; 2]> {
        self.update_shared_targets();
        self.sort();
        let agents = self.len();
        let (mut x, mut y) = (vec![0.0; agents], vec![0.0; agents]);
        let crowd = self.sorted_crowd();
        let steer = with_widest_lanes!(self.instructions, L => steer_batches::<L>);
        self.workers.for_crowd(agents).split(
            agents,
            (&mut x[..], &mut y[..]),
            &|range: Range<usize>, out| steer(&crowd, &self.scene.species, range, out),
        );
        let mut forces = vec![[0.0; 2]; agents];
        for (&slot, force) in self.sorter.sources().iter().zip(x.into_iter().zip(y)) {
            forces[slot as usize] = force.into();
        }
        forces
    }
}

/// Writes the forces on the agents in `range`; each batch writes the lanes of its own species.
fn steer_batches<L: Compiled>(
    crowd: &Crowd<'_>,
    species: &[Species],
    range: Range<usize>,
    (x, y): (&mut [f32], &mut [f32]),
) {
    let start = range.start;
    combine::for_each_force::<L>(
        crowd,
        species,
        range,
        #[inline(always)]
        |batch, force| {
            batch.store(force.x, &mut x[batch.first - start..]);
            batch.store(force.y, &mut y[batch.first - start..]);
        },
    );
}
