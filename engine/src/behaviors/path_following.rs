use crate::behaviors::arrive;
use crate::behaviors::seek;
use crate::behaviors::steer::{Batch, Deceleration, Feature, Force, Lanes, Memory, Vec3, behavior};
use crate::scenery::waypoints::Waypoints;

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
        let Some(path) = batch.crowd.scenery.path(&self.path) else { return Force::none() };
        let last = L::splat((path.points.len() - 1) as f32);
        let remembered = batch.remembered(Memory::Waypoint);
        let index = remembered.floor();
        let present = index.lt(last).select(index, last);
        let (point, normal, range_sq) = waypoints(path, present);
        let offset = point - batch.position();

        let near = L::splat(self.waypoint_distance * self.waypoint_distance);
        let (distance_sq, before) = (offset.dot(offset), offset.dot(normal));
        let was_before = remembered.gt(index);
        let has_passed = was_before & before.lt(L::zero()) & distance_sq.lt(range_sq);
        let counts = distance_sq.lt(near) | has_passed;
        let next = present + L::splat(1.0);
        let after_last = if path.closed { L::zero() } else { last };
        let next = next.gt(last).select(after_last, next);
        let waypoint = counts.select(next, present);
        let approaches = (was_before | before.gt(L::zero())) & !counts;
        batch.remember(Memory::Waypoint, waypoint + approaches.keep(L::splat(0.5)));

        let (point, ..) = waypoints(path, waypoint);
        let radius = L::splat(self.waypoint_distance);
        batch.draw_circle(Feature::Waypoint, point, radius, batch.members);
        let offset = point - batch.position();
        let onwards = seek::along(batch, offset);
        if path.closed {
            return onwards.into();
        }
        let stop = arrive::along(batch, offset, Deceleration::Normal);
        Vec3::select(waypoint.ge(last), stop, onwards).into()
    }

    fn remembers(&self) -> &'static [Memory] {
        &[Memory::Waypoint]
    }
}

/// Returns the waypoints at `indices`, and their gates' normals and squared ranges.
#[inline(always)]
fn waypoints<L: Lanes>(path: &Waypoints, indices: L) -> (Vec3<L>, Vec3<L>, L) {
    let lanes = indices.to_array();
    // Fast path: nearby agents usually head for the same waypoint.
    let first = L::splat(lanes[0]);
    if indices.eq(first).all() {
        let gate = &path.gates[lanes[0] as usize];
        let point = Vec3::splat(path.points[lanes[0] as usize]);
        return (point, Vec3::splat(gate.normal), L::splat(gate.range_sq));
    }
    (
        Vec3::from_fn(
            #[inline(always)]
            |lane| path.points[lanes[lane] as usize],
        ),
        Vec3::from_fn(
            #[inline(always)]
            |lane| path.gates[lanes[lane] as usize].normal,
        ),
        L::from_fn(
            #[inline(always)]
            |lane| path.gates[lanes[lane] as usize].range_sq,
        ),
    )
}
