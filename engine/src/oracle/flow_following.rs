//! Flow-field following, as specified.

use crate::behaviors::flow_following::FlowFollowing;
use crate::oracle::agent::Oracle;
use crate::oracle::vector::{V, add, scale, sub};

pub(super) fn force(_: &FlowFollowing, oracle: &mut Oracle<'_>) -> V {
    let space = oracle.crowd.space;
    let Some(flow) = &oracle.crowd.scenery.flow else { return [0.0; 2] };
    let counts = [flow.count.x, flow.count.y].map(f64::from);
    let size = [space.size.x, space.size.y].map(f64::from);
    // In cells, from the center of the first one. A torus continues on the opposite side; other
    // worlds repeat the outermost cells.
    let at = [0, 1].map(|axis| {
        let at = oracle.position()[axis] / size[axis] * counts[axis] - 0.5;
        if space.is_torus() { at } else { at.clamp(0.0, counts[axis] - 1.0) }
    });
    let direction = |cell: [f64; 2]| {
        let [column, row] = [0, 1].map(|axis| match space.is_torus() {
            true => cell[axis].rem_euclid(counts[axis]),
            false => cell[axis].min(counts[axis] - 1.0),
        });
        let [x, y, ..] = *flow.quad(column as f32, row as f32);
        [x, y].map(f64::from)
    };
    let mut mean = [0.0; 2];
    for (right, above) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        let cell = [at[0].floor() + right, at[1].floor() + above];
        let share = (1.0 - (at[0] - cell[0]).abs()) * (1.0 - (at[1] - cell[1]).abs());
        mean = add(mean, scale(direction(cell), share));
    }
    sub(scale(mean, oracle.max_speed()), oracle.velocity())
}
