//! The neighbors of a batch, one at a time: broadcast to all lanes, each of which sees it or not.
//!
//! Candidates come in ascending slot order, so each lane meets its own neighbors in an order that
//! depends neither on its batch nor on how they were found. Two copies of the loop: the plain one
//! has neither a field of view, nor radii, nor images across the seam. A single lane skips what it
//! does not see.

use std::fmt;

use crate::batch::Batch;
use crate::batch::neighborhood::{SOFTENING, sees};
use crate::grid::Images;
use crate::math::lanes::{Lanes, Mask};
use crate::math::vec2::Vec2;

/// An agent that some agents of a batch may see, in [`Batch::for_each_neighbor`].
pub struct Neighbor<'b, 'a, L> {
    batch: &'b Batch<'a, L>,
    pub(crate) slot: usize,
    /// The way to it from each agent, in world units: on a torus, the shortest.
    pub way: Vec2<L>,
    /// The squared length of the way, plus 1e-12 units²: never 0.
    pub distance_sq: L,
    /// The agents that see it.
    pub seen: Mask<L>,
}

impl<L> fmt::Debug for Neighbor<'_, '_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Neighbor").field("slot", &self.slot).finish_non_exhaustive()
    }
}

impl<L: Lanes> Neighbor<'_, '_, L> {
    inlined! {
        /// Its heading: a unit vector.
        pub fn heading(&self) -> Vec2<L> {
            let motion = self.batch.crowd.motion;
            Vec2::new(L::splat(motion.hx[self.slot]), L::splat(motion.hy[self.slot]))
        }

        /// Its velocity, units/s.
        pub fn velocity(&self) -> Vec2<L> { Vec2::splat(self.batch.crowd.velocity(self.slot)) }

        /// Its bounding radius, world units.
        pub fn radius(&self) -> L { L::splat(self.batch.crowd.radius(self.slot)) }

        /// The number of its species in the scene, from 0.
        pub fn species(&self) -> usize { self.batch.crowd.species_of(self.slot) }

        /// Its value in a column, numbered as in [`Batch::column`].
        pub fn column(&self, number: usize) -> L {
            L::splat(self.batch.own_column(number)[self.slot])
        }
    }
}

impl<'a, L: Lanes> Batch<'a, L> {
    /// Calls `visit` with every agent that some of these agents may see; [`Neighbor::seen`] says
    /// which do. Mask out the other lanes, or the result depends on which agents happen to share a
    /// batch; [`Self::sum_over_neighbors`] does so for sums.
    #[inline(always)]
    pub fn for_each_neighbor(&self, mut visit: impl FnMut(&Neighbor<'_, 'a, L>)) {
        self.for_each_seen(
            #[inline(always)]
            |slot, way, distance_sq, seen| {
                let lane = slot.wrapping_sub(self.first);
                let seen = if lane < L::WIDTH { seen & !Mask::only(lane) } else { seen };
                visit(&Neighbor { batch: self, slot, way, distance_sq, seen });
            },
        );
    }

    /// For each agent, the sums of `terms` over the neighbors that it sees, itself not included.
    #[inline(always)]
    pub fn sum_over_neighbors<const N: usize>(
        &self,
        mut terms: impl FnMut(&Neighbor<'_, 'a, L>) -> [L; N],
    ) -> [L; N] {
        let mut sums = [L::zero(); N];
        self.for_each_neighbor(
            #[inline(always)]
            |neighbor| {
                for (sum, term) in sums.iter_mut().zip(terms(neighbor)) {
                    *sum = sum.add_where(neighbor.seen, term);
                }
            },
        );
        sums
    }
}

impl<L: Lanes> Batch<'_, L> {
    /// Calls `visit` with each candidate, the way to it, its squared distance with softening, and the
    /// lanes that see it: all neighbors, and the agent itself.
    #[inline(always)]
    pub(crate) fn for_each_seen(&self, mut visit: impl FnMut(usize, Vec2<L>, L, Mask<L>)) {
        let images = self.runs().images != Images::None;
        if images || self.species.view_adds_radius || self.view_cos().is_some() {
            self.for_each_candidate::<false>(&mut visit);
        } else {
            self.for_each_candidate::<true>(&mut visit);
        }
    }

    #[inline(always)]
    fn for_each_candidate<const PLAIN: bool>(
        &self,
        visit: &mut impl FnMut(usize, Vec2<L>, L, Mask<L>),
    ) {
        let (motion, radii) = (self.crowd.motion, &self.crowd.traits.radius);
        let (runs, species) = (self.runs(), self.species);
        let (view, softening) = (L::splat(species.view), L::splat(SOFTENING));
        let position = self.position();
        let field_of_view = if PLAIN { None } else { self.field_of_view() };
        for run in &runs.list {
            let shifted = position + Vec2::splat(run.shift);
            for slot in run.start as usize..run.end as usize {
                let candidate = Vec2::new(L::splat(motion.x[slot]), L::splat(motion.y[slot]));
                let to = if !PLAIN && runs.images != Images::None {
                    candidate - self.crowd.space.nearest_image(position, candidate)
                } else {
                    candidate - shifted
                };
                let distance_sq = to.x.mul_add(to.x, to.y.mul_add(to.y, softening));
                let range = match radii.get(slot) {
                    Some(&radius) if !PLAIN && species.view_adds_radius => view + L::splat(radius),
                    _ => view,
                };
                let seen = sees(to, [distance_sq, softening], range * range, field_of_view);
                if L::WIDTH > 1 {
                    visit(slot, to, distance_sq, seen);
                } else if seen.any() {
                    visit(slot, to, distance_sq, Mask::splat(true));
                }
            }
        }
    }
}
