//! Non-penetration for one agent.

use crate::crowd::Crowd;
use crate::crowd::columns::value;
use crate::grid::runs::Runs;
use crate::math::random::{self, Stream};
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::neighborhood::for_each_candidate;

/// The new position of the agent in `slot`.
#[inline(always)]
pub(crate) fn push_apart<S: Scalar>(crowd: &Crowd<'_>, slot: usize, runs: &Runs) -> Vec2<S> {
    let position = Vec2::splat(Vec2::new(crowd.motion.x[slot], crowd.motion.y[slot]));
    let (mut push, mut coincident) = (Vec2::zero(), 0);
    for_each_overlap(
        crowd,
        slot,
        runs,
        #[inline(always)]
        |_, to, room: S| {
            let distance_sq = to.dot(to);
            if distance_sq > 0.0 {
                let distance = distance_sq.sqrt();
                push = to.mul_add(-((room - distance) * S::splat(0.5) / distance), push);
            } else {
                coincident += 1;
            }
        },
    );
    // Every agent coincides with itself.
    if coincident > 1 {
        push = push + push_coincident(crowd, slot, runs);
    }
    let length = push.length();
    let max_push = S::splat(crowd.largest_radius);
    position + if length > max_push { push * (max_push / length) } else { push }
}

/// The push on the agent in `slot` from coincident agents.
#[inline(always)]
pub(crate) fn push_coincident<S: Scalar>(crowd: &Crowd<'_>, slot: usize, runs: &Runs) -> Vec2<S> {
    let index = crowd.traits.index[slot];
    let mut push = Vec2::zero();
    for_each_overlap(
        crowd,
        slot,
        runs,
        #[inline(always)]
        |other, to, room: S| {
            if other != slot && to.dot(to) <= 0.0 {
                let direction = away(crowd.seed, index, crowd.traits.index[other]);
                push = direction.mul_add(room * S::splat(0.5), push);
            }
        },
    );
    push
}

/// Calls `visit` with each agent that overlaps the one in `slot`, itself included, the way to
/// it and the distance at which they touch.
#[inline(always)]
fn for_each_overlap<S: Scalar>(
    crowd: &Crowd<'_>,
    slot: usize,
    runs: &Runs,
    mut visit: impl FnMut(usize, Vec2<S>, S),
) {
    let radius =
        |slot: usize| -> S { value(&crowd.traits.radius, slot, crowd.kinds[0].species.radius) };
    let position = Vec2::splat(Vec2::new(crowd.motion.x[slot], crowd.motion.y[slot]));
    let own_radius = radius(slot);
    for_each_candidate(
        crowd,
        position,
        runs,
        #[inline(always)]
        |other, to| {
            let room = own_radius + radius(other);
            if to.dot(to) < room * room {
                visit(other, to, room);
            }
        },
    );
}

/// The direction in which agent `index` is pushed away from the coincident agent `other`, which
/// is pushed the opposite way: random, but always the same for the pair.
#[inline(always)]
fn away<S: Scalar>(seed: u64, index: u32, other: u32) -> Vec2<S> {
    let (low, high) = if index < other { (index, other) } else { (other, index) };
    let drawn = random::signed_units::<S>(seed, Stream::PushApart, low, u64::from(high));
    let [x, y] = drawn;
    let direction = Vec2::new(x, y).normalized();
    let ahead = Vec2::new(S::splat(1.0), S::zero());
    let direction = if direction == Vec2::zero() { ahead } else { direction };
    if index < other { direction } else { -direction }
}
