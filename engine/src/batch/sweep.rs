//! Sweep: a single pass over the neighbors for the sums of separation, alignment and cohesion.
//!
//! Each lane adds the candidates that it sees, and exactly zero for all others. A lane adds its
//! neighbors in ascending slot order, no matter which other candidates its batch tests, and no sum
//! crosses lanes. The results therefore do not depend on vector width, batches or partition.
//!
//! If a view includes the agent's own species, the agent is among its own candidates. It adds one
//! to the count, its own heading to the sum of headings, and zero to the other sums. This
//! contribution is subtracted once at the end.
//!
//! Cost per candidate and batch: 2 sub, 2 fma, 1 compare, 5 add, 2 fma, 1 div and 4 broadcast
//! loads. With 16 lanes, an estimate and 4 fma replace every fourth div. Masking is free with mask
//! registers; without them, it takes 1 operation, and 4 of the 5 add become fma. If only separation
//! is needed, 5 add and 2 loads are saved. A field of view adds 7 operations, per-neighbor radii
//! add 3, and the minimum image of every pair adds 8.

use crate::batch::Batch;
use crate::batch::neighbors::{
    ANY_BUT_SPECIES, ANY_TESTS, Candidate, FIELD_OF_VIEW, MINIMUM_IMAGE, SPECIES,
};
use crate::batch::sums::{Computed, NeighborSums};
use crate::grid::Runs;
use crate::math::lanes::{Lanes, compiled};
use crate::math::vec3::Vec3;

impl<L: Lanes> Batch<'_, L> {
    /// Returns the sums over each agent's neighbors. The first call sweeps the candidates;
    /// all behaviors with the same neighborhood share the sums.
    //
    // Inlined, so that each behavior loads only the sums it needs.
    #[inline(always)]
    pub fn neighbor_sums(&mut self) -> NeighborSums<L> {
        if self.scratch.current.computed != Computed::All {
            self.sweep(true);
        }
        self.scratch.current.sums
    }

    /// Returns only [`NeighborSums::inverse_offset`]. This saves time unless another behavior with
    /// the same neighborhood [reads all sums](crate::kernel::Steer::reads_all_sums).
    #[inline(always)]
    pub fn inverse_offset(&mut self) -> Vec3<L> {
        if self.scratch.current.computed == Computed::Nothing {
            self.sweep(self.view.reads_all_sums);
        }
        self.scratch.current.sums.inverse_offset
    }

    #[inline(always)]
    fn sweep(&mut self, all: bool) {
        self.scratch.current.computed = Computed::All;
        let candidates = &*self.candidates();
        match self.tests(candidates) {
            0 if all => self.sum_up::<true, 0>(candidates),
            0 => {
                self.scratch.current.computed = Computed::InverseOffset;
                self.sum_up::<false, 0>(candidates);
            }
            FIELD_OF_VIEW => self.sum_up::<true, FIELD_OF_VIEW>(candidates),
            MINIMUM_IMAGE => self.sum_up::<true, MINIMUM_IMAGE>(candidates),
            tests if tests & SPECIES == 0 => self.sum_up::<true, ANY_BUT_SPECIES>(candidates),
            _ => self.sum_up::<true, ANY_TESTS>(candidates),
        }
    }

    #[inline(never)]
    fn sum_up<const ALL: bool, const TESTS: u8>(&mut self, candidates: &Runs) {
        compiled!(L: self.sum_up_inlined::<ALL, TESTS>(candidates));
    }

    #[inline(always)]
    fn sum_up_inlined<const ALL: bool, const TESTS: u8>(&mut self, candidates: &Runs) {
        let one = L::splat(1.0);
        let mut count = L::zero();
        let mut heading = Vec3::zero();
        let mut offset = Vec3::zero();
        let mut inverse_offset = Vec3::zero();
        self.for_each_candidate::<TESTS>(
            candidates,
            #[inline(always)]
            |candidate| {
                let Candidate { seen, distance_sq, .. } = candidate;
                // The sum that needs the distance comes first, and the sum of headings last. In
                // worlds with depth, any other order needs more than 16 registers.
                if L::BLENDS {
                    // With 16 lanes, a division takes longer than everything else,
                    // so every fourth reciprocal is computed without dividing.
                    let inverse = if candidate.index_in_run % 4 == 3 {
                        distance_sq.reciprocal()
                    } else {
                        one / distance_sq
                    };
                    inverse_offset = candidate.offset.mul_add_where(seen, inverse, inverse_offset);
                    if ALL {
                        count = count.add_where(seen, one);
                        offset = offset.add_where(seen, candidate.offset);
                        heading = heading.add_where(seen, candidate.heading);
                    }
                } else {
                    // Without mask registers, masking each sum would cost an operation, so the
                    // mask is converted once to a weight of 1 or 0 for all sums.
                    let weight = seen.keep(one);
                    inverse_offset = candidate.offset.mul_add(weight / distance_sq, inverse_offset);
                    if ALL {
                        count = count + weight;
                        offset = offset.add_weighted(weight, candidate.offset);
                        heading = heading.add_weighted(weight, candidate.heading);
                    }
                }
            },
        );
        if self.view.includes_itself {
            (count, heading) = (count - one, heading - self.heading());
        }
        debug_assert!(
            !ALL || (self.members & count.lt(L::zero())).none(),
            "every agent is among its own candidates"
        );
        // An underflowing product leaves -0, and a masked-out candidate added later may turn it
        // into +0. Adding +0 here gives +0 in either case.
        let inverse_offset = inverse_offset + Vec3::zero();
        self.scratch.current.sums = NeighborSums { count, heading, offset, inverse_offset };
    }
}
