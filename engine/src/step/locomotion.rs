//! Locomotion: from the combined force to the next position.
//!
//! v += F·dt/m, truncated to the maximum speed; p += v·dt, wrapped or stopped at the world's edge.
//! The heading follows the velocity unless the agent is at rest. Truncation, heading and turn-rate
//! limit share one square root and one division. Far from the origin, slow moves are rounded away.
//! An agent that therefore stays in place, and does not speed up, gets a velocity of zero.

use crate::batch::Batch;
use crate::crowd::columns::MotionSlices;
use crate::math::axes::Axes;
use crate::math::lanes::{Lanes, Mask, compiled};
use crate::math::vec3::{ALONG, Vec3};
use crate::world::wrap::WrapsAfter;

/// Below this squared speed, in (units/s)², the heading does not change.
const REST_SPEED_SQ: f32 = 1.0e-8;

#[derive(Clone, Copy)]
pub(crate) struct NextMotion<L: Lanes> {
    pub(crate) position: Vec3<L>,
    pub(crate) velocity: Vec3<L>,
    pub(crate) heading: Vec3<L>,
    /// True for agents whose x has not changed. This one comparison rules out most batches.
    may_stay: Mask<L>,
}

#[inline(always)]
pub(crate) fn next_motion<L: Lanes>(batch: &Batch<'_, L>, force: Vec3<L>) -> NextMotion<L> {
    let (crowd, species) = (batch.crowd, batch.species);
    let dt = L::splat(crowd.dt);
    let force = match species.controls {
        Some(controls) => controlled(batch.heading(), force, controls),
        None => force,
    };
    let pushed = force.mul_add(batch.time_per_mass(), batch.velocity());
    let (velocity, heading) = steered(batch, pushed, species.constant_speed);
    let before = batch.position();
    let unwrapped = velocity.mul_add(dt, before);
    let (position, velocity) = match crowd.wraps_after {
        WrapsAfter::Move => crowd.space.at_edge(unwrapped, velocity),
        WrapsAfter::Scenery | WrapsAfter::Pushes => (unwrapped, velocity),
    };
    NextMotion { position, velocity, heading, may_stay: position.x.eq(before.x) }
}

#[inline(always)]
fn controlled<L: Lanes>(
    heading: Vec3<L>,
    force: Vec3<L>,
    [throttle, brake, steering]: [f32; 3],
) -> Vec3<L> {
    let forward = force.dot(heading).clamp(-brake, throttle);
    let (across, side) = force.across(heading);
    side.mul_add(across.clamp(-steering, steering), heading * forward)
}

#[inline(always)]
fn steered<L: Lanes>(batch: &Batch<'_, L>, pushed: Vec3<L>, constant: bool) -> (Vec3<L>, Vec3<L>) {
    let one = L::splat(1.0);
    let speed_sq = pushed.dot(pushed);
    let moves = speed_sq.gt(L::splat(REST_SPEED_SQ));
    let speed = speed_sq.sqrt();
    let inverse_speed = one / speed;
    let mut heading = Vec3::select(moves, pushed * inverse_speed, batch.heading());
    let mut along = speed;

    if let Some(turn) = batch.species.turn {
        let (allowed, bound) = turned(batch.heading(), heading, turn);
        // Braking past zero speed must not drive the agent forward.
        let ahead = pushed.dot(allowed);
        along = bound.select(ahead.gt(L::zero()).keep(ahead), speed);
        heading = allowed;
    }
    if L::AXES > 2
        && let Some(climb) = batch.species.climb
    {
        let (allowed, bound) = heading.climbing(batch.heading(), climb);
        let ahead = pushed.dot(allowed);
        along = bound.select(ahead.gt(L::zero()).keep(ahead), along);
        heading = allowed;
    }
    let velocity = if constant {
        heading * batch.max_speed()
    } else if limits_headings(batch) {
        let capped = along.gt(batch.max_speed()).select(batch.max_speed(), along);
        Vec3::select(moves, heading * capped, pushed)
    } else {
        pushed * speed.gt(batch.max_speed()).select(batch.max_speed() * inverse_speed, one)
    };
    debug_assert!(
        (batch.members & velocity.length().gt(batch.max_speed() * L::splat(1.00001))).none(),
        "no agent is above its maximum speed"
    );
    (velocity, heading)
}

#[inline(always)]
fn limits_headings<L: Lanes>(batch: &Batch<'_, L>) -> bool {
    batch.species.turn.is_some() || L::AXES > 2 && batch.species.climb.is_some()
}

#[inline(always)]
fn turned<L: Lanes>(
    heading: Vec3<L>,
    desired: Vec3<L>,
    (sin, cos): (f32, f32),
) -> (Vec3<L>, Mask<L>) {
    let (along, (across, side)) = (desired.dot(heading), desired.across(heading));
    // Compare sines: at small angles, cosines differ by less than their rounding errors.
    let too_far = if cos > 0.0 {
        along.lt(L::zero()) | across.abs().gt(L::splat(sin))
    } else {
        along.lt(L::splat(cos))
    };
    // Rounding may turn the direction straight back slightly to the right.
    let is_left = across.ge(along.min(L::zero()) * L::splat(ALONG));
    let sin = is_left.select(L::splat(sin), L::splat(-sin));
    let limit = heading.mul_add(L::splat(cos), side * sin).normalized();
    (Vec3::select(too_far, limit, desired), too_far)
}

impl<L: Lanes> NextMotion<L> {
    /// True if no agent's coordinate is NaN or beyond ±`limit`.
    #[inline(always)]
    pub(crate) fn is_sound(&self, agents: Mask<L>, limit: f32) -> bool {
        let limit = L::splat(limit);
        let Vec3 { x, y, .. } = self.position;
        let inside = x.abs().le(limit) & y.abs().le(limit);
        let inside = self.position.with_z(
            inside,
            #[inline(always)]
            |inside, z| inside & z.abs().le(limit),
        );
        (agents & !inside).none()
    }

    #[inline(always)]
    pub(crate) fn store(self, batch: &Batch<'_, L>, out: &mut MotionSlices<'_>, at: usize) {
        if (self.may_stay | !batch.members).none() {
            // `at` fits in 32 bits, so the end does not overflow and one bounds check per column is
            // enough.
            let rows = at as u32 as usize..at as u32 as usize + L::WIDTH;
            self.put(batch, out, |lanes, column| lanes.store(&mut column[rows.clone()]));
        } else {
            compiled!(L: self.at_rest(batch).put(
                batch,
                out,
                #[inline(always)]
                |lanes, column| batch.store(lanes, &mut column[at..])
            ));
        }
    }

    /// Stops agents that stay in place, unless they speed up: the velocity of a heavy agent may
    /// grow for many steps before a step changes its position.
    #[inline(always)]
    fn at_rest(self, batch: &Batch<'_, L>) -> Self {
        if batch.species.constant_speed || limits_headings(batch) {
            return self;
        }
        let Self { position, velocity, heading, .. } = self;
        let before = batch.velocity();
        // The product equals the difference of the squared speeds, without their rounding errors.
        let speeds_up = (velocity - before).dot(velocity + before).gt(L::zero());
        // A step all the way around a torus ends where it began, so test the position before
        // wrapping as well.
        let stays = position.coincides(batch.position()) & batch.stays(velocity);
        // At a world's edge, an agent that is stopped still turns to where it pushes. Otherwise,
        // wanderers would stay in corners.
        let is_stopped = velocity.coincides(Vec3::zero());
        let moves = speeds_up | !stays | is_stopped;
        let heading = Vec3::select(moves, heading, batch.heading());
        Self { velocity: velocity.keep(moves), heading, ..self }
    }

    /// Calls `put` for each column. Unrolled, because a loop would copy all vectors into an array.
    #[inline(always)]
    fn put(self, batch: &Batch<'_, L>, out: &mut MotionSlices<'_>, put: impl Fn(L, &mut [f32])) {
        let Self { position, velocity, heading, .. } = self;
        put_axes(&put, position, &mut out.position);
        if !out.velocity.is_empty() {
            put_axes(&put, velocity, &mut out.velocity);
        }
        put_axes(&put, heading, &mut out.heading);
        if batch.crowd.remembers {
            let columns = batch.scratch.memory.iter().zip(&mut out.memory);
            for (&memory, column) in columns.filter(|(_, column)| !column.is_empty()) {
                put(memory, column);
            }
        }
        if batch.crowd.column_count > 0 {
            for (&next, column) in batch.scratch.custom.iter().zip(&mut out.custom) {
                put(next, column);
            }
        }
    }
}

// A function, because not every level inlines a closure that is called several times.
#[inline(always)]
fn put_axes<L: Lanes>(
    put: &impl Fn(L, &mut [f32]),
    vector: Vec3<L>,
    Axes([xs, ys, zs]): &mut Axes<&mut [f32]>,
) {
    put(vector.x, xs);
    put(vector.y, ys);
    vector.with_z(
        (),
        #[inline(always)]
        |(), z| put(z, zs),
    );
}
