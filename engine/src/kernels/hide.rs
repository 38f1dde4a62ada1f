//! Hide: arrive at the nearest spot that has an obstacle between it and the hunter.
//!
//! Each obstacle near the batch is broadcast; its hiding spot lies on its far side as seen
//! from the hunter. Each lane keeps the way to the spot of least cost so far. Lanes
//! that find no spot evade the hunter.
//!
//! Cost per obstacle and batch: 1 square root, 1 division, about 25 further operations.

use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::hide::Hide;
use crate::crowd::pose::Pose;
use crate::kernels::batch::Batch;
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
    let space = batch.crowd.space;
    let obstacles = &batch.crowd.scenery.obstacles;
    let (one, bias) = (L::splat(1.0), L::splat(hide.bias));
    let position = batch.position();
    let mut best = Vec2::zero();
    let mut least = L::splat(f32::INFINITY);
    let mut visit = |k: usize| {
        let center = Vec2::new(L::splat(obstacles.x[k]), L::splat(obstacles.y[k]));
        let behind = space.displacement(hunter.position, center).normalized();
        let way = space.displacement(position, center);
        let spot = behind.mul_add(L::splat(obstacles.radius[k] + hide.gap), way);
        let ahead = hunter.heading.dot(behind).mul_add(bias, one);
        let cost = spot.dot(spot) * (ahead * ahead);
        let mut better = cost.lt(least);
        if let Some(distance) = hide.search_distance {
            let range = L::splat(distance + obstacles.radius[k]);
            better = better & way.dot(way).lt(range * range);
        }
        best = Vec2::select(better, spot, best);
        least = better.select(cost, least);
    };
    if hide.search_distance.is_some() {
        batch.obstacles().for_each(batch.crowd.scenery.obstacle_index.items(), visit);
    } else {
        (0..obstacles.x.len()).for_each(&mut visit);
    }
    (best, least.lt(L::splat(f32::INFINITY)))
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
