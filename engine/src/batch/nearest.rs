//! Finds the nearest neighbor of each agent of a batch.
//!
//! The search doubles its distance until each agent has found a neighbor that is nearer than it.
//! Usually few agents are sought, so a search takes longer than testing the candidates that it
//! finds. Batches are visited along a row. A search therefore also covers the box ahead, as long as
//! its distance, and serves the batches in it, too; in flat worlds only.

use crate::batch::Batch;
use crate::batch::neighbors::Neighbor;
use crate::batch::scratch::{AHEAD, Ahead, NO_SEARCH};
use crate::crowd::target::Pose;
use crate::grid::groups::Search;
use crate::math::aabb::Aabb;
use crate::math::axes::Axes;
use crate::math::lanes::{Lanes, MAX_WIDTH, Mask, compiled};
use crate::math::vec3::Vec3;

impl<'a, L: Lanes> Batch<'a, L> {
    /// Pose of the nearest neighbor that counts. The position is not shifted across the seam.
    /// `counts` gets a neighbor and the agents that see it nearer than what they have found, and
    /// returns those of these agents for which it counts.
    #[inline(always)]
    pub(super) fn nearest(
        &self,
        counts: impl Fn(&Neighbor<'_, 'a, L>, Mask<L>) -> Mask<L>,
    ) -> (Pose<L>, Mask<L>) {
        let mut distance = self.view.first_distance;
        loop {
            let is_whole = self.search_up_to(distance);
            let mut pose = Pose::splat(Pose::default());
            let mut least = L::splat(f32::INFINITY);
            self.for_each_neighbor(
                #[inline(always)]
                |neighbor| {
                    let nearer = counts(neighbor, neighbor.seen & neighbor.distance_sq.lt(least));
                    let other = Pose::splat(self.crowd.pose_of(neighbor.slot));
                    pose = Pose::select(nearer, other, pose);
                    least = nearer.select(neighbor.distance_sq, least);
                },
            );
            let is_done =
                is_whole || (self.members & !least.lt(L::splat(distance * distance))).none();
            if !self.tests_all() {
                self.found.searched.set(NO_SEARCH);
            }
            if is_done {
                return (pose, least.lt(L::splat(f32::INFINITY)));
            }
            distance *= 2.0;
        }
    }

    /// Those of the agents whose straight line to the neighbor meets no wall and no obstacle.
    #[inline(always)]
    pub(super) fn in_sight(&self, neighbor: &Neighbor<'_, 'a, L>, agents: Mask<L>) -> Mask<L> {
        let agents = agents & self.members;
        if agents.none() {
            return agents;
        }
        let shapes = self.crowd.scenery.shapes(self.crowd.space);
        let (from, offset) = (arrays(self.position()), arrays(neighbor.offset));
        let mut seen = [false; MAX_WIDTH];
        for (lane, seen) in seen.iter_mut().enumerate().take(L::WIDTH) {
            if agents.0.sign_mask() >> lane & 1 == 1 {
                let [from, offset] =
                    [&from, &offset].map(|[x, y, z]| Vec3 { x: x[lane], y: y[lane], z: z[lane] });
                *seen = !shapes.hide(from, offset, self.crowd.space);
            }
        }
        Mask::from_fn(
            #[inline(always)]
            |lane| seen[lane],
        )
    }

    /// Finds the view's candidates up to a distance. Returns true if they are those of the whole
    /// view.
    #[inline(always)]
    fn search_up_to(&self, distance: f32) -> bool {
        if self.tests_all() {
            return true;
        }
        let view = self.view;
        // A search of more than half the view would hardly be cheaper than the whole.
        let is_whole = 2.0 * distance > view.search_radius;
        let distance = if is_whole { view.search_radius } else { distance };
        let search = Search::new(view.reach.map(|reach| reach.min(distance)));
        let around = self.with_members(Aabb::around);
        match self.ahead {
            Some(ahead) if L::AXES == 2 && around.size().all_le(Vec3::diagonal(distance)) => {
                self.found.searched.set(AHEAD);
                self.search_ahead(ahead, around, &search);
            }
            _ => {
                self.found.searched.set(view.search + 1);
                self.search_around(&search, &mut self.found.candidates.borrow_mut());
            }
        }
        is_whole
    }

    #[inline(always)]
    fn search_ahead(&self, ahead: &Ahead, around: Aabb, search: &Search) {
        let mut covered = self.crowd.grid.whole_rows(around);
        if let Some((reach, before, last)) = ahead.covered.get()
            && reach == search.reach
        {
            if before.contains(&around) {
                ahead.covered.set(Some((reach, before, around.low.x)));
                return;
            }
            if around.low.x < last {
                covered.low.x -= search.farthest;
            } else {
                covered.high.x += search.farthest;
            }
        }
        ahead.covered.set(Some((search.reach, covered, around.low.x)));
        let Aabb { low, high } = covered;
        let corners = Axes([&[low.x, high.x][..], &[low.y, high.y], &[]]);
        let runs = &mut ahead.runs.borrow_mut();
        compiled!(L: self.crowd.grid.candidates_anywhere::<L>(corners, None, search, runs));
    }
}

/// The components of a vector in each lane; 0 along an axis that the world does not have.
#[inline(always)]
fn arrays<L: Lanes>(vector: Vec3<L>) -> [[f32; MAX_WIDTH]; 3] {
    let z = vector.with_z(
        [0.0; MAX_WIDTH],
        #[inline(always)]
        |_, z| z.to_array(),
    );
    [vector.x.to_array(), vector.y.to_array(), z]
}
