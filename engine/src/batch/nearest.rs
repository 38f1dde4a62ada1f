//! Finds the nearest neighbor of each agent in a batch.
//!
//! The search doubles its distance until each agent has found a neighbor within that distance.
//! Agents of rare species are searched for in separate cells, all others in the grid.

use crate::batch::Batch;
use crate::batch::neighbors::Neighbor;
use crate::batch::scratch::NO_SEARCH;
use crate::crowd::sought::Sought;
use crate::crowd::target::Pose;
use crate::grid::groups::Search;
use crate::math::aabb::Aabb;
use crate::math::lanes::{Lanes, MAX_WIDTH, Mask};
use crate::math::vec3::Vec3;

impl<'a, L: Lanes> Batch<'a, L> {
    /// Returns the pose of each agent's nearest neighbor that `counts` accepts, and a mask of the
    /// agents that have such a neighbor. The position is not shifted across the seam. `counts` gets
    /// a neighbor and a mask of the agents for which the neighbor would be the nearest so far, and
    /// returns a mask of the agents for which it accepts the neighbor. Of equally near neighbors,
    /// the one in the lowest slot is chosen.
    #[inline(always)]
    pub(super) fn nearest(
        &self,
        counts: impl Fn(&Neighbor<'_, 'a, L>, Mask<L>) -> Mask<L>,
    ) -> (Pose<L>, Mask<L>) {
        let sought = self.view.sought.filter(|_| !self.tests_all());
        let nearest = match sought {
            Some(index) => self.nearest_sought(&self.crowd.sought[index], counts),
            None => self.nearest_in_grid(counts),
        };
        (self.poses(&nearest), nearest.distance_sq.lt(L::splat(f32::INFINITY)))
    }

    #[inline(always)]
    fn nearest_in_grid(
        &self,
        counts: impl Fn(&Neighbor<'_, 'a, L>, Mask<L>) -> Mask<L>,
    ) -> Nearest<L> {
        let mut distance = self.view.first_distance;
        loop {
            let is_whole = self.search_up_to(distance);
            let mut nearest = Nearest::nothing();
            self.for_each_neighbor(
                #[inline(always)]
                |neighbor| nearest.take(neighbor, counts(neighbor, nearest.is_after(neighbor))),
            );
            if !self.tests_all() {
                self.nearby.searched.set(NO_SEARCH);
            }
            if is_whole || nearest.is_within(distance, self.members) {
                return nearest;
            }
            distance *= 2.0;
        }
    }

    #[inline(always)]
    fn nearest_sought(
        &self,
        sought: &Sought,
        counts: impl Fn(&Neighbor<'_, 'a, L>, Mask<L>) -> Mask<L>,
    ) -> Nearest<L> {
        let around = self.with_members(Aabb::around);
        let mut distance = sought.first_reach();
        loop {
            let (reach, is_whole) = self.reach_of(distance);
            let mut nearest = Nearest::nothing();
            let covered = sought.for_each_run(
                around,
                reach,
                #[inline(always)]
                |run, shift| {
                    self.for_each_sought(
                        sought,
                        (run, shift),
                        #[inline(always)]
                        |neighbor| {
                            nearest.take(neighbor, counts(neighbor, nearest.is_after(neighbor)));
                        },
                    );
                },
            );
            let is_whole = is_whole || covered == f32::INFINITY;
            if is_whole || nearest.is_within(covered, self.members) {
                return nearest;
            }
            distance *= 2.0;
        }
    }

    /// Poses of the nearest neighbors. The loop runs once per distinct neighbor; a batch has few
    /// distinct neighbors, since its agents are close together.
    #[inline(always)]
    fn poses(&self, nearest: &Nearest<L>) -> Pose<L> {
        let slots = nearest.slot.to_array();
        let mut pose: Pose<L> = Pose::splat(Pose::default());
        let mut left = nearest.distance_sq.lt(L::splat(f32::INFINITY)).0.sign_mask();
        while left != 0 {
            let slot = slots[left.trailing_zeros() as usize];
            let same = nearest.slot.eq(L::splat(slot));
            pose = Pose::select(same, Pose::splat(self.crowd.pose_of(slot_from_float(slot))), pose);
            left &= !same.0.sign_mask();
        }
        pose
    }

    /// Mask of the agents whose straight line to the neighbor meets no wall or obstacle.
    #[inline(always)]
    pub(super) fn in_sight(&self, neighbor: &Neighbor<'_, 'a, L>, agents: Mask<L>) -> Mask<L> {
        let agents = agents & self.members;
        if agents.none() {
            return agents;
        }
        let shapes = self.crowd.scenery.shapes(self.crowd.space);
        let (from, offset) = (self.position().to_arrays(), neighbor.offset.to_arrays());
        let mut seen = [false; MAX_WIDTH];
        for (lane, seen) in seen.iter_mut().enumerate().take(L::WIDTH) {
            if agents.0.sign_mask() >> lane & 1 == 1 {
                let [from, offset] =
                    [&from, &offset].map(|axes| Vec3::by_axis(|axis| axes[axis][lane]));
                *seen = !shapes.hide(from, offset, self.crowd.space);
            }
        }
        Mask::from_fn(
            #[inline(always)]
            |lane| seen[lane],
        )
    }

    /// Finds the view's candidates up to a distance. Returns true if the search covers the whole
    /// view.
    #[inline(always)]
    fn search_up_to(&self, distance: f32) -> bool {
        if self.tests_all() {
            return true;
        }
        let (view, (distance, is_whole)) = (self.view, self.reach_of(distance));
        let search = Search::new(view.reach.map(|reach| reach.min(distance)));
        self.nearby.searched.set(view.search + 1);
        self.search_around(&search, &mut self.nearby.candidates.borrow_mut());
        is_whole
    }

    /// Returns the distance to search, and true if this distance covers the whole view. A search
    /// beyond half the view distance covers the whole view, which costs hardly more.
    #[inline(always)]
    fn reach_of(&self, distance: f32) -> (f32, bool) {
        let whole = self.view.search_radius;
        if 2.0 * distance > whole { (whole, true) } else { (distance, false) }
    }
}

/// The nearest neighbor of each agent so far.
struct Nearest<L: Lanes> {
    /// Infinite for agents that have no neighbor yet.
    distance_sq: L,
    /// See [`slot_to_float`].
    slot: L,
}

impl<L: Lanes> Nearest<L> {
    #[inline(always)]
    fn nothing() -> Self {
        Self { distance_sq: L::splat(f32::INFINITY), slot: L::zero() }
    }

    /// Mask of the agents that see the neighbor and have not yet found another one that is nearer,
    /// or as near and in a lower slot.
    #[inline(always)]
    fn is_after(&self, neighbor: &Neighbor<'_, '_, L>) -> Mask<L> {
        let (distance_sq, slot) = (neighbor.distance_sq, L::splat(slot_to_float(neighbor.slot)));
        let is_equal = distance_sq.eq(self.distance_sq) & self.slot.gt(slot);
        neighbor.seen & (distance_sq.lt(self.distance_sq) | is_equal)
    }

    #[inline(always)]
    fn take(&mut self, neighbor: &Neighbor<'_, '_, L>, nearer: Mask<L>) {
        let slot = L::splat(slot_to_float(neighbor.slot));
        self.distance_sq = nearer.select(neighbor.distance_sq, self.distance_sq);
        self.slot = nearer.select(slot, self.slot);
    }

    /// True if all members have found a neighbor within the reach of a search.
    #[inline(always)]
    fn is_within(&self, reach: f32, members: Mask<L>) -> bool {
        (members & !self.distance_sq.lt(L::splat(reach * reach))).none()
    }
}

/// Bits of the smallest normal number.
const FIRST: u32 = f32::MIN_POSITIVE.to_bits();

/// Converts a slot to a float that lanes can hold and compare, even on hardware that treats
/// subnormal floats as zero. Higher slots become larger floats.
#[inline(always)]
fn slot_to_float(slot: usize) -> f32 {
    f32::from_bits(FIRST + slot as u32)
}

#[inline(always)]
fn slot_from_float(float: f32) -> usize {
    (float.to_bits() - FIRST) as usize
}
