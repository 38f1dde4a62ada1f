//! Wall avoidance: feelers, and a push along the normal of the wall that one touches first.
//!
//! Each wall near the batch is broadcast and intersected with every lane's feelers; each
//! lane keeps the hit that is nearest to its agent. Cost per wall and feeler: 1 division,
//! about 20 further operations.

use std::f32::consts::FRAC_1_SQRT_2;

use serde::{Deserialize, Serialize};

use crate::angle::sin_cos;
use crate::fields::{Field, FieldValue, Parameters};
use crate::kernels::Batch;
use crate::lanes::Lanes;
use crate::vec2::Vec2;

/// What an agent feels walls with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feelers {
    /// One ahead, and one of half its length 45° to either side.
    #[default]
    Three,
    /// One that sweeps from side to side.
    Sweeping,
}

/// Steers away from walls that feelers touch (Buckland 2004, ch. 3, "Wall avoidance").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WallAvoidance {
    /// Factor of the force, from 0 to 1e6. Default 2000.
    pub weight: f32,
    /// What walls are felt with. Default three.
    pub feelers: Feelers,
    /// Length of the feeler ahead, from 1e-3 to 1e5, in world units. Default 40.
    pub feeler_length: f32,
    /// How far a sweeping feeler turns to either side, from 0 to 180 degrees. Default 45.
    pub sweep_angle: f32,
    /// How long a sweeping feeler takes there and back, from 1e-3 to 1e3 seconds. Default 0.25.
    pub sweep_period: f32,
}

impl Default for WallAvoidance {
    fn default() -> Self {
        Self {
            weight: 2000.0,
            feelers: Feelers::default(),
            feeler_length: 40.0,
            sweep_angle: 45.0,
            sweep_period: 0.25,
        }
    }
}

impl Parameters for WallAvoidance {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![
            Field::weight(&mut self.weight),
            Field::choice("feelers", FieldValue::Feelers(&mut self.feelers)),
            Field::number("feeler_length", &mut self.feeler_length, 1.0e-3, 1.0e5, "world units"),
            Field::number("sweep_angle", &mut self.sweep_angle, 0.0, 180.0, "degrees"),
            Field::number("sweep_period", &mut self.sweep_period, 1.0e-3, 1.0e3, "s"),
        ]
    }

    fn wall_reach(&self) -> f32 {
        self.feeler_length
    }
}

impl WallAvoidance {
    /// (cos, sin) of each feeler's angle times its length, and its length. Three, of which a
    /// sweeping feeler is the first and the others have no length.
    pub(crate) fn directions(&self, tick: u64, dt: f32) -> [(Vec2<f32>, f32); 3] {
        let length = self.feeler_length;
        match self.feelers {
            Feelers::Three => {
                let (half, part) = (length * 0.5, length * 0.5 * FRAC_1_SQRT_2);
                [
                    (Vec2::new(length, 0.0), length),
                    (Vec2::new(part, part), half),
                    (Vec2::new(part, -part), half),
                ]
            }
            Feelers::Sweeping => {
                let turns = tick as f64 * f64::from(dt) / f64::from(self.sweep_period);
                let triangle = (turns.fract() as f32 - 0.5).abs().mul_add(4.0, -1.0);
                let (sin, cos) = sin_cos(self.sweep_angle.to_radians() * triangle);
                let sweeping = (Vec2::new(cos * length, sin * length), length);
                [sweeping, (Vec2::ZERO, 0.0), (Vec2::ZERO, 0.0)]
            }
        }
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(avoidance: &WallAvoidance, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let walls = &batch.crowd.scenery.walls;
    let (zero, one, infinity) = (L::zero(), L::splat(1.0), L::splat(f32::INFINITY));
    let (position, heading) = (batch.position(), batch.heading());
    let feelers = avoidance.directions(batch.crowd.tick, batch.crowd.dt).map(|(turn, length)| {
        let feeler = heading.perp().mul_add(L::splat(turn.y), heading * L::splat(turn.x));
        (feeler, L::splat(length))
    });

    let mut nearest = infinity;
    let mut push = Vec2::zero();
    batch.walls().for_each(batch.crowd.scenery.wall_index.items(), |k| {
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
    });
    push
}
