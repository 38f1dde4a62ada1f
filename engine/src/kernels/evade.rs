//! Evade: flee from the point where the pursuer will be by the time it reaches the agent.

use crate::batch::Batch;
use crate::behaviors::evade::Evade;
use crate::kernels::seek;
use crate::math::force::Force;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

#[inline(always)]
pub(crate) fn force<L: Lanes>(evade: &Evade, batch: &mut Batch<'_, L>) -> Force<L> {
    let (pursuer, present) = batch.target(&evade.pursuer);
    let threatened = match evade.threat_range {
        Some(range) => {
            let way = batch.way_to(pursuer.position);
            present & way.dot(way).le(L::splat(range * range))
        }
        None => present,
    };
    // In most batches no agent is.
    if threatened.none() {
        return Force::none();
    }
    from(batch, pursuer.position, pursuer.velocity).keep(threatened).into()
}

/// The force that evades a pursuer with this position and velocity.
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
