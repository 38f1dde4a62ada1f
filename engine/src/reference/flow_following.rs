//! Flow-field following, one agent.

use crate::kernels::flow_following::FlowFollowing;
use crate::reference::Agent;
use crate::vec2::Vec2;

pub(crate) fn force(_: &FlowFollowing, agent: &mut Agent<'_>) -> Vec2<f32> {
    let Some(flow) = &agent.crowd.scenery.flow else { return Vec2::ZERO };
    let across = agent.position.x.mul_add(flow.inverse_cell.x, -0.5);
    let up = agent.position.y.mul_add(flow.inverse_cell.y, -0.5);
    let (column, row) = (across.floor(), up.floor());
    let (right, above) = (across - column, up - row);
    let wraps = agent.crowd.space.is_torus();
    let [a, b, c, d] = flow.corners(column as i32, row as i32, wraps);
    let below = (b - a).mul_add(right, a);
    let over = (d - c).mul_add(right, c);
    let direction = (over - below).mul_add(above, below);
    direction * agent.max_speed - agent.velocity
}
