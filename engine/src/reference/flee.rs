//! Flee for one agent.

use crate::behaviors::flee::Flee;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::notes::What;
use crate::reference::seek;

pub(crate) fn force(flee: &Flee, agent: &mut Agent<'_>) -> Vec2<f32> {
    let Some(target) = agent.target(&flee.target) else { return Vec2::ZERO };
    let away = -agent.way_to(target.position);
    if let Some(distance) = flee.panic_distance {
        agent.draw_circle(What::Range, target.position, distance);
        if away.dot(away) > distance * distance {
            return Vec2::ZERO;
        }
    }
    seek::along(agent, away)
}
