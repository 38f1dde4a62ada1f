//! Flow-field following for one agent.

use crate::behaviors::flow_following::FlowFollowing;
use crate::math::fused::mul_add;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;

pub(crate) fn force(_: &FlowFollowing, agent: &mut Agent<'_>) -> Vec2<f32> {
    let Some(flow) = &agent.crowd.scenery.flow else { return Vec2::ZERO };
    let across = mul_add(agent.position.x, flow.inverse_cell.x, -0.5);
    let up = mul_add(agent.position.y, flow.inverse_cell.y, -0.5);
    let column = in_field(across.floor(), flow.count.x);
    let row = in_field(up.floor(), flow.count.y);
    let (right, above) = (across - column, up - row);
    let quad = flow.quad(column, row);
    let [a, b, c, d] = [0, 2, 4, 6].map(|k| Vec2::new(quad[k], quad[k + 1]));
    let below = (b - a).mul_add(right, a);
    let over = (d - c).mul_add(right, c);
    let direction = (over - below).mul_add(above, below);
    direction * agent.max_speed - agent.velocity
}

/// A row or column of the field; beyond its edge, the outermost.
fn in_field(cell: f32, count: f32) -> f32 {
    let cell = if cell < count - 1.0 { cell } else { count - 1.0 };
    if cell > -1.0 { cell } else { -1.0 }
}
