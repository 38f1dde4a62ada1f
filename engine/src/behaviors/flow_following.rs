//! Flow-field following: full speed in the direction of the field at the agent's position. A solved
//! route is also a flow field, but agents that follow a route brake near its goal.
//!
//! Each lane interpolates bilinearly between the four nearest directions. Where a route splits, as
//! in front of a disk, these directions may cancel; the lane then uses only the nearest one.

use crate::batch::Batch;
use crate::behaviors::arrive;
use crate::behaviors::steer::{Deceleration, Force, Lanes, Vec3, behavior};
use crate::behaviors::wander;
use crate::math::angle::sin_cos;
use crate::math::random::Stream;
use crate::scenery::field::Field;

/// The sway interpolates between this many random deviations from the route per second.
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
        /// Largest deviation from the route's direction, to either side. It changes at random all
        /// the time, which breaks jams at doors.
        sway: f32 = 0.0, 0.0 to 80.0 "degrees";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let scenery = batch.crowd.scenery;
        if let Some(name) = &self.route {
            let Some(route) = scenery.route(name) else { return Force::none() };
            return self.along_route(batch, route.field()).into();
        }
        let Some(field) = scenery.flow(self.flow.as_deref()) else { return Force::none() };
        let direction = Around::new(batch, field).blend();
        (direction * batch.max_speed() - batch.velocity()).into()
    }
}

impl FlowFollowing {
    #[inline(always)]
    fn along_route<L: Lanes>(&self, batch: &Batch<'_, L>, route: &Field) -> Vec3<L> {
        let (mut direction, rest) = Around::new(batch, route).direction_and_rest(route.close);
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

/// The four cells around each lane's position: lower left, lower right, upper left, upper right.
struct Around<L: Lanes> {
    directions: [Vec3<L>; 4],
    rests: [L; 4],
    /// Position between the cells' centers, from 0 to 1 on each axis.
    right: L,
    above: L,
}

impl<L: Lanes> Around<L> {
    #[inline(always)]
    fn new(batch: &Batch<'_, L>, field: &Field) -> Self {
        let (origin, inverse) = (field.origin, field.inverse_cell);
        let across = batch.position().x.mul_add(L::splat(inverse.x), L::splat(origin.x));
        let up = batch.position().y.mul_add(L::splat(inverse.y), L::splat(origin.y));
        let column = in_field(across.floor(), field.count.x);
        let row = in_field(up.floor(), field.count.y);
        let cells = field.around(column, row);
        let (mut directions, mut rests) = ([Vec3::flat(L::zero(), L::zero()); 4], [L::zero(); 4]);
        for corner in 0..4 {
            let [x, y, rest, _] = L::from_rows(
                #[inline(always)]
                |lane| cells[lane][corner / 2][corner % 2],
            );
            (directions[corner], rests[corner]) = (Vec3::flat(x, y), rest);
        }
        Self { directions, rests, right: across - column, above: up - row }
    }

    #[inline(always)]
    fn blend(&self) -> Vec3<L> {
        let [a, b, c, d] = self.directions;
        let below = (b - a).mul_add(self.right, a);
        let over = (d - c).mul_add(self.right, c);
        (over - below).mul_add(self.above, below)
    }

    /// Returns the direction to move in, and the distance within which the agent must be able to
    /// stop.
    #[inline(always)]
    fn direction_and_rest(&self, close: f32) -> (Vec3<L>, L) {
        let half = L::splat(0.5);
        let (is_right, is_above) = (self.right.ge(half), self.above.ge(half));
        let [a, b, c, d] = self.rests;
        let rest = is_above.select(is_right.select(d, c), is_right.select(b, a));
        let [a, b, c, d] = self.directions;
        let (below, over) = (Vec3::select(is_right, b, a), Vec3::select(is_right, d, c));
        let direction = self.blend();
        let parts = direction.dot(direction).lt(L::splat(0.25)) & rest.gt(L::splat(close));
        (Vec3::select(parts, Vec3::select(is_above, over, below), direction), rest)
    }
}

/// Clamps a row or column index to the range for interpolation, from −1 to `count` − 1.
#[inline(always)]
fn in_field<L: Lanes>(cell: L, count: f32) -> L {
    let (first, last) = (L::splat(-1.0), L::splat(count - 1.0));
    let cell = cell.lt(last).select(cell, last);
    cell.gt(first).select(cell, first)
}
