//! Hide: arrive at the nearest spot behind an obstacle, as seen from the hunter.
//!
//! Each obstacle near the batch is broadcast to all lanes. Its hiding spot is on the side away from
//! the hunter. Each lane keeps the offset to the best spot so far. Agents without a hiding spot
//! evade the hunter.
//!
//! Cost per obstacle per batch: 1 square root, 1 division, and about 25 other operations.

use crate::behaviors::arrive;
use crate::behaviors::evade;
use crate::behaviors::steer::{
    Batch, Deceleration, Feature, Force, Lanes, Mask, Memory, Pose, Target, Vec3, behavior,
};
use crate::scenery::definition::Obstacle;

behavior! {
    /// Steers to where an obstacle hides the agent from a hunter
    /// (Reynolds 1999, "Hiding"; Buckland 2004, ch. 3). Without cover, it evades the hunter.
    pub struct Hide: "hide" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// The target to hide from.
        hunter: Target = Target::Unset;
        /// The distance from an obstacle's rim to the hiding spot behind it.
        gap: f32 = 30.0, 0.0 to 1.0e4 "world units";
        /// Maximum distance to the rim of a usable obstacle; none for no limit,
        /// which takes time in proportion to the number of obstacles.
        search_distance: Option<f32> = None, 0.0 to 1.0e6 "world units";
        /// The agent keeps hiding for this long after it last saw the hunter;
        /// if none, it always hides.
        memory: Option<f32> = None, 0.0 to 1.0e4 "s";
        /// If true, the agent hides only while it and the hunter see each other; the hunter sees
        /// the half-plane ahead of it.
        mutual: bool = false;
        /// Penalty on spots ahead of the hunter: multiplies the distance to a spot by 1 + bias·cos
        /// of the angle between the hunter's heading and the direction to the obstacle.
        bias: f32 = 0.0, 0.0 to 1.0;
        /// Distance beyond which the hunter is ignored; none for no limit.
        threat_distance: Option<f32> = None, 0.0 to 1.0e7 "world units";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (hunter, present) = batch.target(&self.hunter);
        let (hunter, mut hides) = self.recalled(batch, hunter, present);
        let to_hunter = batch.offset_to(hunter.position);
        if let Some(distance) = self.threat_distance {
            hides = hides & to_hunter.dot(to_hunter).le(L::splat(distance * distance));
        }
        if let Some(seconds) = self.memory {
            let seen = hides & present & batch.sees(to_hunter);
            let left = batch.remembered(Memory::Alert) - L::splat(batch.crowd.dt);
            let left = left.gt(L::zero()).keep(left);
            let alert = seen.select(L::splat(seconds), left);
            batch.remember(Memory::Alert, alert);
            hides = hides & (seen | alert.gt(L::zero()));
        }
        if self.mutual {
            let seen_by_hunter = (-to_hunter).dot(hunter.heading).ge(L::zero());
            hides = hides & present & batch.sees(to_hunter) & seen_by_hunter;
        }
        if hides.none() {
            return Force::none();
        }
        let best = best_spot(self, batch, &hunter);
        let has_spot = best.cost.lt(L::splat(f32::INFINITY));
        batch.draw_point(Feature::ChosenHidingSpot, batch.position() + best.offset, has_spot);
        let hidden = arrive::along(batch, best.offset, Deceleration::Fast).keep(hides);
        if has_spot.all() {
            return hidden.into();
        }
        let evasion = evade::away_from(batch, hunter.position, hunter.velocity, hides);
        Vec3::select(has_spot, hidden, evasion).into()
    }

    fn obstacle_range(&self) -> f32 {
        self.search_distance.unwrap_or(0.0)
    }

    fn remembers(&self) -> &'static [Memory] {
        match self.memory {
            Some(_) if self.remembers_position() => {
                &[Memory::Alert, Memory::HunterX, Memory::HunterY, Memory::HunterZ]
            }
            Some(_) => &[Memory::Alert],
            None => &[],
        }
    }
}

impl Hide {
    /// True if the hunter's last known position must be stored. A hunter defined as the nearest
    /// visible agent cannot be looked up once it is out of view.
    fn remembers_position(&self) -> bool {
        self.memory.is_some() && matches!(self.hunter, Target::Nearest { .. })
    }

    #[inline(always)]
    fn recalled<L: Lanes>(
        &self,
        batch: &mut Batch<'_, L>,
        hunter: Pose<L>,
        present: Mask<L>,
    ) -> (Pose<L>, Mask<L>) {
        if !self.remembers_position() {
            return (hunter, present);
        }
        const PLACE: [Memory; 3] = [Memory::HunterX, Memory::HunterY, Memory::HunterZ];
        let remembered = batch.remembered_vector(PLACE);
        let position = Vec3::select(present, hunter.position, remembered);
        batch.remember_vector(PLACE, position);
        let remembered = Pose { position, velocity: Vec3::zero(), heading: Vec3::zero() };
        let alert = batch.remembered(Memory::Alert).gt(L::zero());
        (Pose::select(present, hunter, remembered), present | alert)
    }
}

struct Spot<L: Lanes> {
    offset: Vec3<L>,
    cost: L,
}

#[inline(always)]
fn best_spot<L: Lanes>(hide: &Hide, batch: &mut Batch<'_, L>, hunter: &Pose<L>) -> Spot<L> {
    let mut best = Spot { offset: Vec3::zero(), cost: L::splat(f32::INFINITY) };
    if hide.search_distance.is_some() {
        batch.obstacles().for_each(
            #[inline(always)]
            |k| best.consider(k, hide, batch, hunter),
        );
    } else {
        for k in 0..batch.crowd.scenery.obstacles.len() {
            best.consider(k, hide, batch, hunter);
        }
    }
    best
}

impl<L: Lanes> Spot<L> {
    #[inline(always)]
    fn consider(&mut self, k: usize, hide: &Hide, batch: &mut Batch<'_, L>, hunter: &Pose<L>) {
        let Obstacle { center, radius } = batch.crowd.scenery.obstacles[k];
        let center = Vec3::splat(center.into());
        let behind = batch.crowd.space.displacement(hunter.position, center).normalized();
        let offset = batch.offset_to(center);
        let room = L::splat(radius + hide.gap);
        let spot = batch.crowd.space.shortest(behind.mul_add(room, offset));
        let ahead = hunter.heading.dot(behind).mul_add(L::splat(hide.bias), L::splat(1.0));
        let cost = spot.dot(spot) * (ahead * ahead);
        let mut better = cost.lt(self.cost);
        if let Some(distance) = hide.search_distance {
            let range = L::splat(distance + radius);
            let near = offset.dot(offset).lt(range * range);
            batch.draw_point(Feature::HidingSpot, batch.position() + spot, near);
            better = better & near;
        } else {
            batch.draw_point(Feature::HidingSpot, batch.position() + spot, batch.members);
        }
        self.offset = Vec3::select(better, spot, self.offset);
        self.cost = better.select(cost, self.cost);
    }
}
