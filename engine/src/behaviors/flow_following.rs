//! Flow-field following: full speed in the direction of the field at the agent's position. A solved
//! route is such a field, too; along it, agents brake as they get near the goal.
//!
//! Each lane looks up the four nearest directions and interpolates bilinearly. Where a route parts, as
//! in front of a disk, they may cancel each other: there, the nearest direction counts alone.

use crate::batch::Batch;
use crate::behaviors::arrive;
use crate::behaviors::choices::Deceleration;
use crate::behaviors::steer::{Force, Lanes, MAX_WIDTH, Vec3, behavior};
use crate::behaviors::wander;
use crate::math::angle::sin_cos;
use crate::math::random::Stream;
use crate::scenery::Flow;
use crate::scenery::route::field::Field;

/// Random deviations from a route per second.
const SWAYS_PER_SECOND: f32 = 2.0;

behavior! {
    /// Moves in the direction of one of the scene's flow fields (Reynolds 1999, "Flow field
    /// following"), or along a route, around obstacles and walls to its goal.
    pub struct FlowFollowing: "flow_following" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// The name of one of the scene's flow fields; if none, the field without a name.
        flow: Option<String> = None;
        /// The name of one of the scene's routes, instead of a flow field.
        route: Option<String> = None;
        /// Largest deviation from the route's direction, to either side. It changes at random all the time,
        /// which breaks jams at doors.
        sway: f32 = 0.0, 0.0 to 80.0 "degrees";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let scenery = batch.crowd.scenery;
        if let Some(name) = &self.route {
            let Some(route) = scenery.route(name) else { return Force::none() };
            return self.along_route(batch, route.field()).into();
        }
        let Some(flow) = scenery.flow(self.flow.as_deref()) else { return Force::none() };
        along_flow(batch, flow).into()
    }
}

impl FlowFollowing {
    /// True if there is no field to follow.
    pub(crate) fn is_lost(&self, has_field_without_name: bool) -> bool {
        self.flow.is_none() && self.route.is_none() && !has_field_without_name
    }

    /// True if it names both a flow field and a route.
    pub(crate) fn is_torn(&self) -> bool {
        self.flow.is_some() && self.route.is_some()
    }

    #[inline(always)]
    fn along_route<L: Lanes>(&self, batch: &Batch<'_, L>, route: &Field) -> Vec3<L> {
        let (mut direction, rest) = direction_and_rest(batch, route);
        if self.sway > 0.0 {
            let (sin, cos) = sin_cos(self.sway.to_radians());
            let random = wander::coherent_noise(batch, Stream::Sway, SWAYS_PER_SECOND).x;
            let aside = random * L::splat(sin / cos);
            let longer = aside.mul_add(aside, L::splat(1.0)).sqrt();
            let swaying = direction.quarter_turn().mul_add(aside, direction);
            direction = swaying * (L::splat(1.0) / longer);
        }
        arrive::settle(batch, direction, rest, Deceleration::Normal)
    }
}

#[inline(always)]
fn along_flow<L: Lanes>(batch: &Batch<'_, L>, flow: &Flow) -> Vec3<L> {
    let half = L::splat(-0.5);
    let across = batch.position().x.mul_add(L::splat(flow.inverse_cell.x), half);
    let up = batch.position().y.mul_add(L::splat(flow.inverse_cell.y), half);
    let column = in_field(across.floor(), flow.count.x);
    let row = in_field(up.floor(), flow.count.y);

    let (columns, rows) = (column.to_array(), row.to_array());
    let mut quads = [[0.0; 8]; MAX_WIDTH];
    for lane in 0..L::WIDTH {
        quads[lane] = *flow.quad(columns[lane], rows[lane]);
    }
    let direction = blend(&quads, across - column, up - row);
    direction * batch.max_speed() - batch.velocity()
}

#[inline(always)]
fn direction_and_rest<L: Lanes>(batch: &Batch<'_, L>, route: &Field) -> (Vec3<L>, L) {
    let (origin, cells) = (route.origin, route.inverse_cell);
    let across = batch.position().x.mul_add(L::splat(cells.x), L::splat(origin.x));
    let up = batch.position().y.mul_add(L::splat(cells.y), L::splat(origin.y));
    let column = in_field(across.floor(), route.count.x);
    let row = in_field(up.floor(), route.count.y);
    let (right, above) = (across - column, up - row);
    let (is_right, is_above) = (right.ge(L::splat(0.5)), above.ge(L::splat(0.5)));
    let one = L::splat(1.0);
    let nearest = (column + is_right.keep(one), row + is_above.keep(one));

    let (columns, rows) = (column.to_array(), row.to_array());
    let (nearest_columns, nearest_rows) = (nearest.0.to_array(), nearest.1.to_array());
    let (mut quads, mut rest) = ([[0.0; 8]; MAX_WIDTH], [0.0; MAX_WIDTH]);
    for lane in 0..L::WIDTH {
        quads[lane] = route.quad(columns[lane], rows[lane]);
        rest[lane] = route.rest(nearest_columns[lane], nearest_rows[lane]);
    }
    let rest = L::from_fn(
        #[inline(always)]
        |lane| rest[lane],
    );
    let direction = blend(&quads, right, above);
    let below = Vec3::select(is_right, corner(&quads, 1), corner(&quads, 0));
    let over = Vec3::select(is_right, corner(&quads, 3), corner(&quads, 2));
    let parts = direction.dot(direction).lt(L::splat(0.25)) & rest.gt(L::splat(route.close));
    (Vec3::select(parts, Vec3::select(is_above, over, below), direction), rest)
}

#[inline(always)]
fn blend<L: Lanes>(quads: &[[f32; 8]; MAX_WIDTH], right: L, above: L) -> Vec3<L> {
    let (a, b) = (corner(quads, 0), corner(quads, 1));
    let below = (b - a).mul_add(right, a);
    let (c, d) = (corner(quads, 2), corner(quads, 3));
    let over = (d - c).mul_add(right, c);
    (over - below).mul_add(above, below)
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
