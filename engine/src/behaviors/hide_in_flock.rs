//! Hide in the flock: seek the mean position of the neighbors that are farther from the threat.
//!
//! A neighbor counts if it is behind the agent as seen from the threat. Moving toward these
//! neighbors puts other agents between the agent and the threat. An agent without such a neighbor
//! is already on the far side of the flock, and its force is zero.
//!
//! Cost per candidate, besides the neighbor test: 2 operations, 1 compare, and 3 masked adds.

use crate::behaviors::seek;
use crate::behaviors::steer::{Batch, Feature, Force, Lanes, Neighborhood, Target, Vec3, behavior};

behavior! {
    /// Steers toward neighbors farther from a threat, so that the flock comes between the agent and
    /// the threat. If the neighborhood names no species, only the agent's own species counts.
    /// The sources give no formula; this one is flockwork's own.
    pub struct HideInFlock: "hide_in_flock" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// The target to hide from.
        threat: Target = Target::Unset;
        /// Distance beyond which the threat is ignored; none for no limit.
        threat_range: Option<f32> = None, 0.0 to 1.0e7 "world units";
        /// Neighbors that count as cover.
        neighborhood: Neighborhood = Neighborhood::default();
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (threat, mut threatened) = batch.target(&self.threat);
        let to_threat = batch.offset_to(threat.position);
        if let Some(range) = self.threat_range {
            batch.draw_circle(Feature::Range, threat.position, L::splat(range), threatened);
            threatened = threatened & to_threat.dot(to_threat).le(L::splat(range * range));
        }
        if threatened.none() {
            return Force::none();
        }
        let (zero, one, species) = (L::zero(), L::splat(1.0), batch.species());
        let only_own_counts = self.neighborhood.species.is_empty();
        let (mut offset, mut count) = (Vec3::zero(), zero);
        batch.for_each_neighbor(
            #[inline(always)]
            |neighbor| {
                if neighbor.species() != species && only_own_counts {
                    return;
                }
                let behind = neighbor.seen & neighbor.offset.dot(to_threat).lt(zero);
                offset = offset.add_where(behind, neighbor.offset);
                count = count.add_where(behind, one);
            },
        );
        let hidden = threatened & count.gt(zero);
        let shelter = batch.position() + offset * (L::splat(1.0) / count);
        batch.draw_point(Feature::ChosenHidingSpot, shelter, hidden);
        seek::along(batch, offset).keep(hidden).into()
    }
}
