//! The force on everyone, for those who want to look at it: the kernels steer the whole crowd,
//! and nobody moves.
//!
//! They are compiled once more for that, but for the machine's own lanes only: the bits are
//! the same at any width.

use std::ops::Range;

use crate::crowd::Crowd;
use crate::kernels::{self, Batch, Candidates, Findings};
use crate::lanes::Lanes;
use crate::method::NativeLanes;
use crate::simulation::Simulation;
use crate::step::for_each_kind;
use crate::vec2::Vec2;

impl Simulation {
    /// The combined steering force on each agent in the next step, in mass · units/s² and in
    /// the order of [`Self::agents`]: bit for bit what [`Self::explain`] tells of a single one.
    /// Nearly as much work as a step, on the same threads; the state stays as it is.
    pub fn forces(&mut self) -> Vec<[f32; 2]> {
        let workers = self.workers.for_crowd(self.len());
        workers.run(workers.threads() > 1, |_| self.forces_on_workers())
    }

    /// The share of its maximum force that each agent will use in the next step, from 0 to 1,
    /// in the order of [`Self::agents`]. Who has no force to use, uses 0.
    pub fn force_shares(&mut self) -> Vec<f32> {
        let forces = self.forces();
        let share = |(slot, [x, y]): (usize, [f32; 2])| {
            let kind = self.traits.kind(slot);
            let shared = self.kinds[kind].species.max_force.max();
            let most = self.traits.max_force.get(slot).copied().unwrap_or(shared);
            let share = Vec2::new(x, y).length() / most;
            // A force may be longer than allowed by its rounding; 0/0 is not a number.
            if share < 1.0 { share } else { f32::from(most > 0.0) }
        };
        forces.into_iter().enumerate().map(share).collect()
    }

    fn forces_on_workers(&mut self) -> Vec<[f32; 2]> {
        self.aim();
        self.sort();
        let agents = self.len();
        let (mut x, mut y) = (vec![0.0; agents], vec![0.0; agents]);
        let crowd = self.sorted_crowd();
        self.workers.for_crowd(agents).split(
            agents,
            (&mut x[..], &mut y[..]),
            &|range: Range<usize>, out| steer_batches::<NativeLanes>(&crowd, range, out),
        );
        let mut forces = vec![[0.0; 2]; agents];
        for (&slot, force) in self.sorter.order().iter().zip(x.into_iter().zip(y)) {
            forces[slot as usize] = force.into();
        }
        forces
    }
}

/// Writes the forces on the agents in `range`, a batch at a time; each lane has that of its own
/// species.
fn steer_batches<L: Lanes>(
    crowd: &Crowd<'_>,
    range: Range<usize>,
    (x, y): (&mut [f32], &mut [f32]),
) {
    let (mut candidates, mut findings) = (Candidates::default(), Findings::new());
    for first in range.clone().step_by(L::WIDTH) {
        let slots = first..range.end.min(first + L::WIDTH);
        candidates.forget();
        let mut forces = Vec2::<L>::zero();
        for_each_kind(crowd, slots.clone(), |kind| {
            let batch = Batch::<L>::new(crowd, kind, slots.clone(), &candidates, &mut findings);
            let members = batch.members;
            let [force] = kernels::combine::forces(&mut [batch]);
            forces = Vec2::select(members, force, forces);
        });
        let rows = first - range.start..slots.end - range.start;
        forces.x.store(&mut x[rows.clone()]);
        forces.y.store(&mut y[rows]);
    }
}
