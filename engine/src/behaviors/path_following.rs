use crate::behaviors::arrive;
use crate::behaviors::choices::Deceleration;
use crate::behaviors::seek;
use crate::behaviors::steer::{Batch, Feature, Force, Lanes, Memory, Vec3, behavior};
use crate::scenery::Route;

behavior! {
    /// Visits the waypoints of a path in order (Buckland 2004, ch. 3, "Path Following").
    pub struct PathFollowing: "path_following" {
        /// Multiplier applied to the force; 0 disables the behavior. Buckland uses 10.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// The name of one of the scene's paths.
        path: String = String::new();
        /// The distance within which a waypoint counts as visited.
        waypoint_distance: f32 = 20.0, 1.0e-3 to 1.0e6 "world units";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let Some(route) = batch.crowd.scenery.path(&self.path) else { return Force::none() };
        let last = L::splat((route.points.len() - 1) as f32);
        let present = batch.remembered(Memory::Waypoint);
        let present = present.lt(last).select(present, last);
        let offset = points(route, present) - batch.position();

        let near = L::splat(self.waypoint_distance * self.waypoint_distance);
        let next = present + L::splat(1.0);
        let after_last = if route.closed { L::zero() } else { last };
        let next = next.gt(last).select(after_last, next);
        let waypoint = offset.dot(offset).lt(near).select(next, present);
        batch.remember(Memory::Waypoint, waypoint);

        let point = points(route, waypoint);
        let reach = L::splat(self.waypoint_distance);
        batch.draw_circle(Feature::Waypoint, point, reach, batch.members);
        let offset = point - batch.position();
        let onwards = seek::along(batch, offset);
        if route.closed {
            return onwards.into();
        }
        let stop = arrive::along(batch, offset, Deceleration::Normal);
        Vec3::select(waypoint.ge(last), stop, onwards).into()
    }

    fn remembers(&self) -> &'static [Memory] {
        &[Memory::Waypoint]
    }
}

#[inline(always)]
fn points<L: Lanes>(route: &Route, numbers: L) -> Vec3<L> {
    let lanes = numbers.to_array();
    // Fast path: nearby agents usually head for the same waypoint.
    let first = L::splat(lanes[0]);
    if numbers.eq(first).all() {
        return Vec3::splat(route.points[lanes[0] as usize]);
    }
    Vec3::from_fn(|lane| route.points[lanes[lane] as usize])
}
