//! Unaligned collision avoidance: step aside for the neighbor that one would meet first.
//!
//! A sweep of its own: every neighbor's time and distance of nearest approach, of which
//! each lane keeps the earliest that is too near, as slot and way. Its heading and velocity
//! are looked up after the loop. Cost per candidate and batch: 1 division, about 25 further
//! operations.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters};
use crate::kernels::{Batch, neighborhood};
use crate::lanes::{Lanes, MAX_WIDTH};
use crate::vec2::Vec2;

/// cos of the angle below which ways count as parallel (45°).
pub(crate) const PARALLEL: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// Steers out of the way of neighbors on a collision course
/// (Reynolds 1999, "Unaligned collision avoidance").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CollisionAvoidance {
    /// Factor of the force, from 0 to 1e6. Default 2.
    pub weight: f32,
    /// How far ahead in time collisions matter, from 0 to 1e3 seconds. Default 1.
    pub horizon: f32,
    /// How far apart bounding circles are to stay, from 0 to 1e4, in world units. Default 2.
    pub margin: f32,
}

impl Default for CollisionAvoidance {
    fn default() -> Self {
        Self { weight: 2.0, horizon: 1.0, margin: 2.0 }
    }
}

impl Parameters for CollisionAvoidance {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![
            Field::weight(&mut self.weight),
            Field::number("horizon", &mut self.horizon, 0.0, 1.0e3, "s"),
            Field::number("margin", &mut self.margin, 0.0, 1.0e4, "world units"),
        ]
    }

    fn reads_radii(&self) -> bool {
        true
    }

    fn reads_velocities(&self) -> bool {
        true
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(avoidance: &CollisionAvoidance, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (motion, traits) = (batch.crowd.motion, batch.crowd.traits);
    let zero = L::zero();
    let own_room = batch.radius() + L::splat(avoidance.margin);
    let shared_radius = batch.kind.species.radius.max();

    let own_velocity = batch.velocity();
    let mut earliest = L::splat(avoidance.horizon);
    let (mut way, mut slots) = (Vec2::zero(), zero);
    neighborhood::for_each_seen(batch, |slot, to, seen| {
        let velocity = Vec2::new(L::splat(motion.vx[slot]), L::splat(motion.vy[slot]));
        let relative = velocity - own_velocity;
        let radius = traits.radius.get(slot).copied().unwrap_or(shared_radius);
        let room = own_room + L::splat(radius);
        // The agent itself does not move relatively: 0/0 is no time.
        let time = -to.dot(relative) / relative.dot(relative);
        let then = relative.mul_add(time, to);
        let threatens = seen & time.gt(zero) & time.lt(earliest) & then.dot(then).lt(room * room);
        earliest = threatens.select(time, earliest);
        way = Vec2::select(threatens, to, way);
        // Lanes carry the slot's bits; selecting leaves bits as they are.
        slots = threatens.select(L::splat(f32::from_bits(slot as u32)), slots);
    });
    let threatened = earliest.lt(L::splat(avoidance.horizon));
    if threatened.none() {
        return Vec2::zero();
    }

    let mut lanes = [0.0; MAX_WIDTH];
    slots.store(&mut lanes[..L::WIDTH]);
    let gather = |values: &[f32]| L::from_fn(|lane| values[lanes[lane].to_bits() as usize]);
    let heading = Vec2::new(gather(&motion.hx), gather(&motion.hy));
    let velocity = Vec2::new(gather(&motion.vx), gather(&motion.vy));
    let along = batch.heading().dot(heading);
    // Towards each other: away from where it will be. The same way: away from where it is.
    // Crossing: behind it.
    let meeting = velocity.mul_add(earliest, way);
    let threat = Vec2::select(along.gt(L::splat(PARALLEL)), way, velocity);
    let threat = Vec2::select(along.lt(L::splat(-PARALLEL)), meeting, threat);
    let side = batch.heading().perp();
    let speed = threat.dot(side).gt(zero).select(-batch.max_speed(), batch.max_speed());
    (side * speed).keep(threatened)
}
