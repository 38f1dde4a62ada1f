//! Wall avoidance: find the feeler hit nearest to the agent, and push along that wall's normal.
//!
//! Each wall near the batch is broadcast to all lanes and intersected with every agent's feelers.
//! Each lane keeps the nearest hit. Cost per wall, feeler and batch: 1 division and about 20 other
//! operations.

use std::f32::consts::FRAC_1_SQRT_2;

use crate::behaviors::choices::Feelers;
use crate::behaviors::steer::{Batch, Feature, Force, Lanes, Vec2, behavior};
use crate::math::angle::sin_cos;
use crate::math::lanes::fused::mul_add;
use crate::scenery::Segment;

behavior! {
    /// Steers away from walls that feelers touch (Buckland 2004, ch. 3, "Wall avoidance").
    pub struct WallAvoidance: "wall_avoidance" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 2000.0, 0.0 to 1.0e6;
        /// Arrangement of feelers.
        feelers: Feelers = Feelers::Three;
        /// Length of the feeler straight ahead.
        feeler_length: f32 = 40.0, 1.0e-3 to 1.0e5 "world units";
        /// Maximum swing of a sweeping feeler to either side.
        sweep_angle: f32 = 45.0, 0.0 to 180.0 "degrees";
        /// Duration of one full sweep, there and back.
        sweep_period: f32 = 0.25, 1.0e-3 to 1.0e3 "s";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let walls = &batch.crowd.scenery.walls;
        let (zero, one, infinity) = (L::zero(), L::splat(1.0), L::splat(f32::INFINITY));
        if batch.walls().is_empty() && !batch.is_explained() {
            return Force::none();
        }
        let (position, heading) = (batch.position(), batch.heading());
        let directions = self.directions(batch.crowd.time);
        let mut feelers = [(Vec2::zero(), zero); 3];
        for ((feeler, reach), (turn, length)) in feelers.iter_mut().zip(directions) {
            *feeler = heading.left().mul_add(L::splat(turn.y), heading * L::splat(turn.x));
            *reach = L::splat(length);
        }
        for (feeler, reach) in feelers {
            batch.draw_line(Feature::Feeler, position, position + feeler, reach.gt(zero));
        }

        let mut nearest = infinity;
        let (mut push, mut end) = (Vec2::zero(), Vec2::zero());
        batch.walls().for_each(
            #[inline(always)]
            |k| {
                let Segment { from, to, normal, behind } = walls[k];
                let (wall, normal) = (Vec2::splat(to - from), Vec2::splat(normal));
                let to_wall = Vec2::splat(from) - position;
                let outward = to_wall.dot(normal).gt(zero).select(L::splat(behind), one);
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
                    end = Vec2::select(hit, feeler * along_feeler, end);
                }
            },
        );
        batch.draw_point(Feature::Hit, position + end, nearest.lt(infinity));
        push.into()
    }

    fn wall_range(&self) -> f32 {
        self.feeler_length
    }
}

impl WallAvoidance {
    /// Returns each feeler as a vector in the agent's local frame, with its length in world units.
    /// If the only feeler is the sweeping one, the other two entries have length 0.
    fn directions(&self, time: f64) -> [(Vec2<f32>, f32); 3] {
        let length = self.feeler_length;
        match self.feelers {
            Feelers::Three => {
                let (half, component) = (length * 0.5, length * 0.5 * FRAC_1_SQRT_2);
                [
                    (Vec2::new(length, 0.0), length),
                    (Vec2::new(component, component), half),
                    (Vec2::new(component, -component), half),
                ]
            }
            Feelers::Sweeping => {
                let turns = time / f64::from(self.sweep_period);
                let triangle = mul_add((turns.fract() as f32 - 0.5).abs(), 4.0, -1.0);
                let (sin, cos) = sin_cos(self.sweep_angle.to_radians() * triangle);
                let sweeping = (Vec2::new(cos * length, sin * length), length);
                [sweeping, (Vec2::ZERO, 0.0), (Vec2::ZERO, 0.0)]
            }
        }
    }
}
