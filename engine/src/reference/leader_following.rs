//! Leader following for one agent.

use crate::batch::notes::What;
use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::leader_following::LeaderFollowing;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::arrive;

#[inline(always)]
pub(crate) fn force<S: Scalar>(following: &LeaderFollowing, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let Some(leader) = agent.target(&following.leader) else { return Vec2::zero() };
    let from_leader = -agent.way_to(leader.position);
    let side = leader.heading.perp();
    let (ahead, across) = (from_leader.dot(leader.heading), from_leader.dot(side));
    let room = [following.clear_ahead, following.clear_aside].map(S::splat);
    agent.draw_box(What::ClearWay, leader.position, leader.heading, room);
    if ahead > 0.0 && ahead < following.clear_ahead && across.abs() < following.clear_aside {
        let speed = if across >= 0.0 { agent.max_speed } else { -agent.max_speed };
        return side * speed - agent.velocity;
    }
    let behind = leader.heading.mul_add(S::splat(-following.distance), leader.position);
    agent.draw_point(What::Place, behind);
    arrive::along(agent, agent.way_to(behind), Deceleration::Normal)
}
