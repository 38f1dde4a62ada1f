//! Wall avoidance: feelers, and a push along the normal of the wall with the nearest hit.
//!
//! Each wall near the batch is broadcast and intersected with every lane's feelers; each
//! lane keeps the hit that is nearest to its agent. Cost per wall and feeler: 1 division,
//! about 20 further operations.

use crate::batch::Batch;
use crate::behaviors::wall_avoidance::WallAvoidance;
use crate::math::force::Force;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

#[inline(always)]
pub(crate) fn force<L: Lanes>(avoidance: &WallAvoidance, batch: &mut Batch<'_, L>) -> Force<L> {
    if batch.walls().is_empty() {
        return Force::none();
    }
    let walls = &batch.crowd.scenery.walls;
    let (zero, one, infinity) = (L::zero(), L::splat(1.0), L::splat(f32::INFINITY));
    let (position, heading) = (batch.position(), batch.heading());
    let directions = avoidance.directions(batch.crowd.tick, batch.crowd.dt);
    let mut feelers = [(Vec2::zero(), zero); 3];
    for ((feeler, reach), (turn, length)) in feelers.iter_mut().zip(directions) {
        *feeler = heading.perp().mul_add(L::splat(turn.y), heading * L::splat(turn.x));
        *reach = L::splat(length);
    }

    let mut nearest = infinity;
    let mut push = Vec2::zero();
    batch.walls().for_each(
        batch.crowd.scenery.wall_index.items(),
        #[inline(always)]
        |k| {
            let normal = Vec2::<L>::splat(walls.normal[k]);
            let wall = Vec2::<L>::splat(walls.to[k] - walls.from[k]);
            let to_wall = Vec2::<L>::splat(walls.from[k]) - position;
            let behind = to_wall.dot(normal).gt(zero);
            let outward = behind.select(L::splat(walls.behind[k]), one);
            for (feeler, length) in feelers {
                let scale = one / feeler.cross(wall);
                let along_feeler = to_wall.cross(wall) * scale;
                let along_wall = to_wall.cross(feeler) * scale;
                let distance = along_feeler * length;
                let hit = along_feeler.ge(zero)
                    & along_feeler.le(one)
                    & along_wall.ge(zero)
                    & along_wall.le(one)
                    & distance.lt(nearest);
                nearest = hit.select(distance, nearest);
                push = Vec2::select(hit, normal * (outward * (length - distance)), push);
            }
        },
    );
    push.into()
}
