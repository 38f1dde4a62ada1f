//! Wall avoidance: find the feeler hit nearest to the agent, and push along the hit wall's normal.
//! In worlds with polygons, two more feelers point up and down.
//!
//! Each wall near the batch is broadcast to all lanes and intersected with every agent's feelers.
//! Each lane keeps the nearest hit. Cost per wall, feeler and batch: 1 division and about 20 other
//! operations.

use std::f32::consts::FRAC_1_SQRT_2;

use crate::behaviors::parameter_types::Feelers;
use crate::behaviors::steer::{Batch, Feature, Force, Lanes, Vec3, behavior};
use crate::math::angle::sin_cos;
use crate::math::lanes::fused::mul_add;
use crate::scenery::Segment;
use crate::scenery::polygon::Triangle;

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
        let scenery = batch.crowd.scenery;
        let (walls, triangles) = (&scenery.walls, &scenery.triangles);
        let (zero, one, infinity) = (L::zero(), L::splat(1.0), L::splat(f32::INFINITY));
        if batch.walls().is_empty() && !batch.is_explained() {
            return Force::none();
        }
        let (position, heading) = (batch.position(), batch.heading());
        let directions = self.directions(batch.crowd.time);
        let mut feelers = [(Vec3::zero(), zero); 5];
        let left = heading.left();
        for ((feeler, feeler_length), (turn, length)) in feelers.iter_mut().zip(directions) {
            *feeler = left.mul_add(L::splat(turn.y), heading * L::splat(turn.x));
            *feeler_length = L::splat(length);
        }
        // Only polygons can be above or below the agent.
        if L::AXES > 2 && !triangles.is_empty() && matches!(self.feelers, Feelers::Three) {
            let (above, half) = (heading.above(left), L::splat(self.feeler_length * 0.5));
            let component = half * L::splat(FRAC_1_SQRT_2);
            let (across, along) = (above * component, heading * component);
            (feelers[3], feelers[4]) = ((along + across, half), (along - across, half));
        }
        for (feeler, length) in feelers {
            batch.draw_line(Feature::Feeler, position, position + feeler, length.gt(zero));
        }

        let mut nearest = infinity;
        let (mut push, mut end) = (Vec3::zero(), Vec3::zero());
        batch.walls().for_each(
            #[inline(always)]
            |k| {
                let Some(&Segment { from, to, normal, behind }) = walls.get(k) else {
                    if L::AXES > 2 {
                        let hit = nearest_on_triangle(&triangles[k - walls.len()], position, &feelers);
                        let (distance, pushed, at) = hit;
                        let nearer = distance.lt(nearest);
                        nearest = nearer.select(distance, nearest);
                        push = Vec3::select(nearer, pushed, push);
                        end = Vec3::select(nearer, at, end);
                    }
                    return;
                };
                let (wall, normal) = (Vec3::splat(to - from), Vec3::splat(normal));
                let to_wall = Vec3::splat(from) - position;
                let outward = to_wall.dot(normal).gt(zero).select(L::splat(behind), one);
                for &(feeler, length) in &feelers[..3] {
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
                    push = Vec3::select(hit, normal * (outward * (length - distance)), push);
                    end = Vec3::select(hit, feeler * along_feeler, end);
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

/// Returns the distance to the nearest feeler hit (infinite if there is none), the push, and the
/// hit's offset from the agent.
#[inline(always)]
fn nearest_on_triangle<L: Lanes>(
    triangle: &Triangle,
    position: Vec3<L>,
    feelers: &[(Vec3<L>, L); 5],
) -> (L, Vec3<L>, Vec3<L>) {
    let (zero, one) = (L::zero(), L::splat(1.0));
    let Triangle { corners, normal, inward, behind } = *triangle;
    let normal = Vec3::<L>::splat(normal);
    let to_plane = (Vec3::<L>::splat(corners[0]) - position).dot(normal);
    let outward = to_plane.gt(zero).select(L::splat(behind), one);
    let mut nearest = L::splat(f32::INFINITY);
    let (mut push, mut end) = (Vec3::zero(), Vec3::zero());
    for &(feeler, length) in feelers {
        let t = to_plane / feeler.dot(normal);
        let at = feeler * t;
        let mut hit = t.ge(zero) & t.le(one);
        for k in 0..3 {
            let from_corner = at + (position - Vec3::splat(corners[k]));
            hit = hit & from_corner.dot(Vec3::splat(inward[k])).ge(zero);
        }
        let distance = t * length;
        let hit = hit & distance.lt(nearest);
        nearest = hit.select(distance, nearest);
        push = Vec3::select(hit, normal * (outward * (length - distance)), push);
        end = Vec3::select(hit, at, end);
    }
    (nearest, push, end)
}

impl WallAvoidance {
    /// Returns each feeler as a vector in the agent's local frame, with its length in world units.
    /// If the only feeler is the sweeping one, the other two entries have length 0.
    fn directions(&self, time: f64) -> [(Vec3<f32>, f32); 3] {
        let length = self.feeler_length;
        match self.feelers {
            Feelers::Three => {
                let (half, component) = (length * 0.5, length * 0.5 * FRAC_1_SQRT_2);
                [
                    (Vec3::flat(length, 0.0), length),
                    (Vec3::flat(component, component), half),
                    (Vec3::flat(component, -component), half),
                ]
            }
            Feelers::Sweeping => {
                let turns = time / f64::from(self.sweep_period);
                let triangle = mul_add((turns.fract() as f32 - 0.5).abs(), 4.0, -1.0);
                let (sin, cos) = sin_cos(self.sweep_angle.to_radians() * triangle);
                let sweeping = (Vec3::flat(cos * length, sin * length), length);
                [sweeping, (Vec3::ZERO, 0.0), (Vec3::ZERO, 0.0)]
            }
        }
    }
}
