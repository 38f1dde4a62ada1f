//! Flow-field following: full speed in the direction that the field has here.
//!
//! The four nearest directions of each lane are looked up and blended bilinearly.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters};
use crate::kernels::Batch;
use crate::lanes::{Lanes, MAX_WIDTH};
use crate::vec2::Vec2;

/// Moves as the scene's flow field says (Reynolds 1999, "Flow field following").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FlowFollowing {
    /// Factor of the force, from 0 to 1e6. Default 200.
    pub weight: f32,
}

impl Default for FlowFollowing {
    fn default() -> Self {
        Self { weight: 200.0 }
    }
}

impl Parameters for FlowFollowing {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![Field::weight(&mut self.weight)]
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(_: &FlowFollowing, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let Some(flow) = &batch.crowd.scenery.flow else { return Vec2::zero() };
    let half = L::splat(-0.5);
    let across = batch.position.x.mul_add(L::splat(flow.inverse_cell.x), half);
    let up = batch.position.y.mul_add(L::splat(flow.inverse_cell.y), half);
    let (column, row) = (across.floor(), up.floor());
    let (right, above) = (across - column, up - row);

    let (mut columns, mut rows) = ([0.0; MAX_WIDTH], [0.0; MAX_WIDTH]);
    column.store(&mut columns[..L::WIDTH]);
    row.store(&mut rows[..L::WIDTH]);
    let wraps = batch.crowd.space.is_torus();
    let mut corners = [[Vec2::ZERO; 4]; MAX_WIDTH];
    for lane in 0..L::WIDTH {
        corners[lane] = flow.corners(columns[lane] as i32, rows[lane] as i32, wraps);
    }
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| {
        Vec2::new(L::from_fn(|lane| corners[lane][k].x), L::from_fn(|lane| corners[lane][k].y))
    });
    let below = (b - a).mul_add(right, a);
    let over = (d - c).mul_add(right, c);
    let direction = (over - below).mul_add(above, below);
    direction * batch.max_speed - batch.velocity
}
