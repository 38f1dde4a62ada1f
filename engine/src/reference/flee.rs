//! Flee for one agent.

use crate::batch::notes::What;
use crate::behaviors::flee::Flee;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::seek;

#[inline(always)]
pub(crate) fn force<S: Scalar>(flee: &Flee, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let Some(target) = agent.target(&flee.target) else { return Vec2::zero() };
    let away = -agent.way_to(target.position);
    if let Some(distance) = flee.panic_distance.map(S::splat) {
        agent.draw_circle(What::Range, target.position, distance);
        if away.dot(away) > distance * distance {
            return Vec2::zero();
        }
    }
    seek::along(agent, away)
}
