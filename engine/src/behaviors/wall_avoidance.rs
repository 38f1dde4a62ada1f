//! Wall avoidance: parameters, ranges and defaults.

use std::f32::consts::FRAC_1_SQRT_2;

use serde::{Deserialize, Serialize};

use crate::behaviors::feelers::Feelers;
use crate::behaviors::fields::{CHOICE, WEIGHT, fields, number};
use crate::behaviors::parameters::Parameters;
use crate::math::angle::sin_cos;
use crate::math::fused::mul_add;
use crate::math::vec2::Vec2;

/// Steers away from walls that feelers touch (Buckland 2004, ch. 3, "Wall avoidance").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WallAvoidance {
    /// Scales the force, from 0 to 1e6. Default 2000.
    pub weight: f32,
    /// Type of feelers. Default three.
    pub feelers: Feelers,
    /// Length of the feeler straight ahead, from 1e-3 to 1e5, in world units. Default 40.
    pub feeler_length: f32,
    /// Maximum angle of a sweeping feeler to either side, from 0 to 180 degrees. Default 45.
    pub sweep_angle: f32,
    /// Duration of one sweep there and back, from 1e-3 to 1e3 seconds. Default 0.25.
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
    fields! {
        weight: WEIGHT,
        feelers: CHOICE,
        feeler_length: number(1.0e-3, 1.0e5, "world units"),
        sweep_angle: number(0.0, 180.0, "degrees"),
        sweep_period: number(1.0e-3, 1.0e3, "s"),
    }

    fn wall_range(&self) -> f32 {
        self.feeler_length
    }
}

impl WallAvoidance {
    /// Each feeler as a vector in the agent's own frame, and its length. Always three: a sweeping
    /// feeler is the first, and the other two have length 0.
    pub(crate) fn directions(&self, tick: u64, dt: f32) -> [(Vec2<f32>, f32); 3] {
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
                let turns = tick as f64 * f64::from(dt) / f64::from(self.sweep_period);
                let triangle = mul_add((turns.fract() as f32 - 0.5).abs(), 4.0, -1.0);
                let (sin, cos) = sin_cos(self.sweep_angle.to_radians() * triangle);
                let sweeping = (Vec2::new(cos * length, sin * length), length);
                [sweeping, (Vec2::ZERO, 0.0), (Vec2::ZERO, 0.0)]
            }
        }
    }
}
