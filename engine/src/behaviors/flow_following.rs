//! Flow-field following: full speed in the direction of the field at the agent's position.
//!
//! Each lane looks up the four nearest directions and interpolates bilinearly.

use crate::batch::Batch;
use crate::behaviors::steer::{Force, Lanes, MAX_WIDTH, Vec3, behavior};

behavior! {
    /// Moves in the direction of the scene's flow field (Reynolds 1999, "Flow field following").
    pub struct FlowFollowing: "flow_following" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 200.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let Some(flow) = &batch.crowd.scenery.flow else { return Force::none() };
        let half = L::splat(-0.5);
        let across = batch.position().x.mul_add(L::splat(flow.inverse_cell.x), half);
        let up = batch.position().y.mul_add(L::splat(flow.inverse_cell.y), half);
        let column = in_field(across.floor(), flow.count.x);
        let row = in_field(up.floor(), flow.count.y);
        let (right, above) = (across - column, up - row);

        let (columns, rows) = (column.to_array(), row.to_array());
        let mut quads = [[0.0; 8]; MAX_WIDTH];
        for lane in 0..L::WIDTH {
            quads[lane] = *flow.quad(columns[lane], rows[lane]);
        }
        let (a, b) = (corner(&quads, 0), corner(&quads, 1));
        let below = (b - a).mul_add(right, a);
        let (c, d) = (corner(&quads, 2), corner(&quads, 3));
        let over = (d - c).mul_add(right, c);
        let direction = (over - below).mul_add(above, below);
        (direction * batch.max_speed() - batch.velocity()).into()
    }
}

#[inline(always)]
fn corner<L: Lanes>(quads: &[[f32; 8]; MAX_WIDTH], number: usize) -> Vec3<L> {
    let x = L::from_fn(
        #[inline(always)]
        |lane| quads[lane][2 * number],
    );
    let y = L::from_fn(
        #[inline(always)]
        |lane| quads[lane][2 * number + 1],
    );
    Vec3::flat(x, y)
}

/// Clamps a row or column index to the range for interpolation, from −1 to `count` − 1.
#[inline(always)]
fn in_field<L: Lanes>(cell: L, count: f32) -> L {
    let (first, last) = (L::splat(-1.0), L::splat(count - 1.0));
    let cell = cell.lt(last).select(cell, last);
    cell.gt(first).select(cell, first)
}
