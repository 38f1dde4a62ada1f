//! Flow-field following for one agent.

use crate::behaviors::flow_following::FlowFollowing;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;

#[inline(always)]
pub(crate) fn force<S: Scalar>(_: &FlowFollowing, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let Some(flow) = &agent.crowd.scenery.flow else { return Vec2::zero() };
    let (inverse_cell, count) = (Vec2::<S>::splat(flow.inverse_cell), Vec2::splat(flow.count));
    let across = agent.position.x.mul_add(inverse_cell.x, S::splat(-0.5));
    let up = agent.position.y.mul_add(inverse_cell.y, S::splat(-0.5));
    let column = in_field(across.floor(), count.x);
    let row = in_field(up.floor(), count.y);
    let (right, above) = (across - column, up - row);
    let quad = flow.quad(column.get(), row.get());
    let [a, b, c, d] = [0, 2, 4, 6].map(|k| Vec2::splat(Vec2::new(quad[k], quad[k + 1])));
    let below = (b - a).mul_add(right, a);
    let over = (d - c).mul_add(right, c);
    let direction = (over - below).mul_add(above, below);
    direction * agent.max_speed - agent.velocity
}

/// A row or column of the field; beyond its edge, the outermost.
#[inline(always)]
fn in_field<S: Scalar>(cell: S, count: S) -> S {
    let one = S::splat(1.0);
    let cell = if cell < count - one { cell } else { count - one };
    if cell > -one { cell } else { -one }
}
