//! Flow-field following, as specified.

use crate::behaviors::flow_following::FlowFollowing;
use crate::oracle::agent::Oracle;
use crate::oracle::vector::{V, add, scale, sub};

pub(super) fn force(_: &FlowFollowing, oracle: &mut Oracle<'_>) -> V {
    let Some(flow) = &oracle.crowd.scenery.flow else { return [0.0; 2] };
    let at =
        |axis: usize, inverse_cell: f32| oracle.position()[axis] * f64::from(inverse_cell) - 0.5;
    let (across, up) = (at(0, flow.inverse_cell.x), at(1, flow.inverse_cell.y));
    let column = across.floor().clamp(-1.0, f64::from(flow.count.x) - 1.0);
    let row = up.floor().clamp(-1.0, f64::from(flow.count.y) - 1.0);
    let quad = flow.quad(column as f32, row as f32).map(f64::from);
    let (right, above) = (across - column, up - row);
    let shares = [
        (1.0 - right) * (1.0 - above),
        right * (1.0 - above),
        (1.0 - right) * above,
        right * above,
    ];
    let corners = (0..4).map(|k| scale([quad[2 * k], quad[2 * k + 1]], shares[k]));
    let direction = corners.fold([0.0; 2], add);
    sub(scale(direction, oracle.max_speed()), oracle.velocity())
}
