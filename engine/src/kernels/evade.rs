//! Evade: flee from the point where the pursuer will be by the time it gets here.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters};
use crate::kernels::{Batch, seek};
use crate::lanes::Lanes;
use crate::target::Target;
use crate::vec2::Vec2;

/// Steers away from where a pursuer will be
/// (Reynolds 1999, "Evasion"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Evade {
    /// Factor of the force, from 0 to 1e6. Default 200; the book uses 2.
    pub weight: f32,
    /// Whom to evade.
    pub pursuer: Target,
    /// Beyond this distance, in world units from 0 to 1e7, the pursuer is no threat; without
    /// it, it always is. The book uses 100. Default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threat_range: Option<f32>,
}

impl Default for Evade {
    fn default() -> Self {
        Self { weight: 200.0, pursuer: Target::Nobody, threat_range: None }
    }
}

impl Parameters for Evade {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![
            Field::weight(&mut self.weight),
            Field::target("pursuer", &mut self.pursuer),
            Field::optional("threat_range", &mut self.threat_range, 0.0, 1.0e7, "world units"),
        ]
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(evade: &Evade, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (pursuer, present) = batch.target(&evade.pursuer);
    let threatened = match evade.threat_range {
        Some(range) => {
            let way = batch.way_to(pursuer.position);
            present & way.dot(way).le(L::splat(range * range))
        }
        None => present,
    };
    // Mostly nobody in a batch is.
    if threatened.none() {
        return Vec2::zero();
    }
    from(batch, pursuer.position, pursuer.velocity).keep(threatened)
}

/// The force that evades a pursuer.
#[inline(always)]
pub(crate) fn from<L: Lanes>(
    batch: &Batch<'_, L>,
    position: Vec2<L>,
    velocity: Vec2<L>,
) -> Vec2<L> {
    let time = batch.way_to(position).length() / (batch.max_speed() + velocity.length());
    let predicted = velocity.mul_add(time, position);
    seek::along(batch, -batch.way_to(predicted))
}
