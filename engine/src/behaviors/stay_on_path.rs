//! Staying on a path: no force inside a tube around the path; outside the tube, seek a point
//! farther along the path. Every leg of the path is broadcast to all lanes. Each lane finds the
//! path point nearest to the agent's predicted position, then the point to seek, a fixed distance
//! farther along the path. Cost per leg per batch: about 25 operations, no division.

use crate::behaviors::seek;
use crate::behaviors::steer::{Batch, Feature, Force, Lanes, Vec3, behavior};
use crate::error::Error;
use crate::scenery::waypoints::Waypoints;

behavior! {
    /// Stays within a radius of a path: outside it, steers to a point farther along the path
    /// (Reynolds 1999, "Path following").
    pub struct StayOnPath: "stay_on_path" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// The name of one of the scene's paths.
        path: String = String::new();
        /// Radius of the tube around the path.
        radius: f32 = 20.0, 0.0 to 1.0e6 "world units";
        /// How many seconds ahead the position is predicted.
        prediction: f32 = 0.5, 0.0 to 100.0 "s";
        /// Distance along the path from the nearest point to the point to seek;
        /// must exceed `radius`.
        ahead: f32 = 40.0, 0.0 to 1.0e6 "world units";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let Some(path) = batch.crowd.scenery.path(&self.path) else { return Force::none() };
        let predicted = batch.velocity().mul_add(L::splat(self.prediction), batch.position());

        let mut nearest = L::zero();
        let mut least = L::splat(f32::INFINITY);
        for leg in &path.unique_legs {
            let (from, length) = (Vec3::<L>::splat(leg.from), L::splat(leg.length));
            let direction = Vec3::<L>::splat(leg.direction);
            let to = predicted - from;
            let along = to.dot(direction);
            let along = along.gt(L::zero()).keep(along);
            let along = along.lt(length).select(along, length);
            let off = to - direction * along;
            let distance_sq = off.dot(off);
            let nearer = distance_sq.lt(least);
            least = nearer.select(distance_sq, least);
            nearest = nearer.select(along + L::splat(leg.start), nearest);
        }
        batch.draw_point(Feature::Predicted, predicted, batch.members);
        if batch.is_explained() {
            let center = point_at(path, nearest);
            batch.draw_circle(Feature::Tube, center, L::splat(self.radius), batch.members);
        }
        let outside = least.gt(L::splat(self.radius * self.radius));
        if outside.none() {
            return Force::none();
        }
        let goal = point_at(path, nearest + L::splat(self.ahead));
        batch.draw_point(Feature::Goal, goal, outside);
        seek::along(batch, goal - batch.position()).keep(outside).into()
    }
}

impl StayOnPath {
    pub(super) fn check(&self, path: &str) -> Result<(), Error> {
        let Self { radius, ahead, .. } = self;
        if ahead > radius {
            return Ok(());
        }
        let value = format!("ahead = {ahead} and radius = {radius}");
        let allowed = "an ahead above the radius; otherwise, agents get stuck inside corners";
        Err(Error::refused(path, value, allowed))
    }
}

#[inline(always)]
fn point_at<L: Lanes>(path: &Waypoints, distance: L) -> Vec3<L> {
    let whole = L::splat(path.length);
    let distance = if path.closed {
        let turns = (distance / whole).floor();
        turns.mul_add(-whole, distance)
    } else {
        distance.lt(whole).select(distance, whole)
    };
    let mut point = Vec3::<L>::splat(path.legs[0].from);
    for leg in &path.legs {
        let along = distance - L::splat(leg.start);
        let here = Vec3::<L>::splat(leg.direction).mul_add(along, Vec3::splat(leg.from));
        point = Vec3::select(along.ge(L::zero()), here, point);
    }
    point
}
