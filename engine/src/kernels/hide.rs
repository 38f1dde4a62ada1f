//! Hide: arrive at the nearest spot that has an obstacle between it and the hunter.
//!
//! Each obstacle near the batch is broadcast; its hiding spot lies on its far side as seen
//! from the hunter. Each lane keeps the way to the spot of least cost so far. Lanes
//! that find no spot evade the hunter.
//!
//! Cost per obstacle and batch: 1 square root, 1 division, about 25 further operations.

use crate::batch::Batch;
use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::hide::Hide;
use crate::crowd::pose::Pose;
use crate::kernels::{arrive, evade};
use crate::math::lanes::{Lanes, Mask};
use crate::math::vec2::Vec2;

#[inline(always)]
pub(crate) fn force<L: Lanes>(hide: &Hide, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (hunter, mut hides) = batch.target(&hide.hunter);
    let to_hunter = batch.way_to(hunter.position);
    if let Some(distance) = hide.threat_distance {
        hides = hides & to_hunter.dot(to_hunter).le(L::splat(distance * distance));
    }
    if let Some(seconds) = hide.memory {
        let seen = hides & sees(batch, to_hunter);
        let left = batch.scratch.memory.alert - L::splat(batch.crowd.dt);
        let left = left.gt(L::zero()).keep(left);
        let alert = seen.select(L::splat(seconds), left);
        batch.scratch.memory.alert = batch.live.select(alert, batch.scratch.memory.alert);
        hides = hides & (seen | alert.gt(L::zero()));
    }
    if hide.mutual {
        let seen_by_hunter = (-to_hunter).dot(hunter.heading).ge(L::zero());
        hides = hides & sees(batch, to_hunter) & seen_by_hunter;
    }
    let (way, found) = nearest_spot(hide, batch, &hunter);
    let hidden = arrive::along(batch, way, Deceleration::Fast);
    let evasion = evade::from(batch, hunter.position, hunter.velocity);
    Vec2::select(found, hidden, evasion).keep(hides)
}

/// The way to each agent's best hiding spot, and the lanes that have one.
#[inline(always)]
fn nearest_spot<L: Lanes>(
    hide: &Hide,
    batch: &Batch<'_, L>,
    hunter: &Pose<L>,
) -> (Vec2<L>, Mask<L>) {
    let mut best = Spot { way: Vec2::zero(), cost: L::splat(f32::INFINITY) };
    if hide.search_distance.is_some() {
        batch.obstacles().for_each(
            batch.crowd.scenery.obstacle_index.items(),
            #[inline(always)]
            |k| best.consider(k, hide, batch, hunter),
        );
    } else {
        for k in 0..batch.crowd.scenery.obstacles.x.len() {
            best.consider(k, hide, batch, hunter);
        }
    }
    (best.way, best.cost.lt(L::splat(f32::INFINITY)))
}

/// A hiding spot of each agent.
struct Spot<L> {
    way: Vec2<L>,
    cost: L,
}

impl<L: Lanes> Spot<L> {
    /// Changes to the spot behind obstacle `k` in the lanes where that is better.
    #[inline(always)]
    fn consider(&mut self, k: usize, hide: &Hide, batch: &Batch<'_, L>, hunter: &Pose<L>) {
        let obstacles = &batch.crowd.scenery.obstacles;
        let center = Vec2::splat(obstacles.center(k));
        let behind = batch.crowd.space.displacement(hunter.position, center).normalized();
        let way = batch.way_to(center);
        let room = L::splat(obstacles.radius[k] + hide.gap);
        let spot = batch.crowd.space.shortest(behind.mul_add(room, way));
        let ahead = hunter.heading.dot(behind).mul_add(L::splat(hide.bias), L::splat(1.0));
        let cost = spot.dot(spot) * (ahead * ahead);
        let mut better = cost.lt(self.cost);
        if let Some(distance) = hide.search_distance {
            let range = L::splat(distance + obstacles.radius[k]);
            better = better & way.dot(way).lt(range * range);
        }
        self.way = Vec2::select(better, spot, self.way);
        self.cost = better.select(cost, self.cost);
    }
}

/// The lanes whose agent sees what is at the end of `way`.
#[inline(always)]
fn sees<L: Lanes>(batch: &Batch<'_, L>, way: Vec2<L>) -> Mask<L> {
    let view = L::splat(batch.kind.species.view_distance);
    let distance_sq = way.dot(way);
    let near = distance_sq.lt(view * view);
    match batch.kind.view_cos_signed_sq {
        Some(view_cos) => {
            let ahead = batch.heading().dot(way);
            near & (ahead * ahead.abs()).ge(L::splat(view_cos) * distance_sq)
        }
        None => near,
    }
}
