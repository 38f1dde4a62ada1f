//! Non-penetration for one agent.

use crate::crowd::Crowd;
use crate::crowd::columns::value;
use crate::grid::runs::Runs;
use crate::math::random::{self, Stream};
use crate::math::vec2::Vec2;
use crate::reference::neighborhood::for_each_candidate;

/// The new position of the agent in `slot`.
pub(crate) fn push_apart(crowd: &Crowd<'_>, slot: usize, runs: &Runs) -> Vec2<f32> {
    let position = Vec2::new(crowd.motion.x[slot], crowd.motion.y[slot]);
    let (mut push, mut coincident) = (Vec2::ZERO, 0);
    for_each_overlap(crowd, slot, runs, |_, to, room| {
        let distance_sq = to.dot(to);
        if distance_sq > 0.0 {
            let distance = distance_sq.sqrt();
            push = to.mul_add(-((room - distance) * 0.5 / distance), push);
        } else {
            coincident += 1;
        }
    });
    // Every agent coincides with itself.
    if coincident > 1 {
        push = push + push_coincident(crowd, slot, runs);
    }
    let length = push.length();
    let max_push = crowd.largest_radius;
    position + if length > max_push { push * (max_push / length) } else { push }
}

/// The push on the agent in `slot` from coincident agents.
pub(crate) fn push_coincident(crowd: &Crowd<'_>, slot: usize, runs: &Runs) -> Vec2<f32> {
    let index = crowd.traits.index[slot];
    let mut push = Vec2::ZERO;
    for_each_overlap(crowd, slot, runs, |other, to, room| {
        if other != slot && to.dot(to) <= 0.0 {
            let direction = away(crowd.seed, index, crowd.traits.index[other]);
            push = direction.mul_add(room * 0.5, push);
        }
    });
    push
}

/// Calls `visit` with each agent that overlaps the one in `slot`, itself included, the way to
/// it and the distance at which they touch.
fn for_each_overlap(
    crowd: &Crowd<'_>,
    slot: usize,
    runs: &Runs,
    mut visit: impl FnMut(usize, Vec2<f32>, f32),
) {
    let radius =
        |slot: usize| -> f32 { value(&crowd.traits.radius, slot, crowd.kinds[0].species.radius) };
    let position = Vec2::new(crowd.motion.x[slot], crowd.motion.y[slot]);
    let own_radius = radius(slot);
    for_each_candidate(crowd, position, runs, |other, to| {
        let room = own_radius + radius(other);
        if to.dot(to) < room * room {
            visit(other, to, room);
        }
    });
}

/// The direction in which agent `index` is pushed away from the coincident agent `other`, which
/// is pushed the opposite way: random, but always the same for the pair.
fn away(seed: u64, index: u32, other: u32) -> Vec2<f32> {
    let (low, high) = if index < other { (index, other) } else { (other, index) };
    let drawn = random::signed_units::<f32>(seed, Stream::PushApart, low, u64::from(high));
    let direction = Vec2::from(drawn).normalized();
    let direction = if direction == Vec2::ZERO { Vec2::new(1.0, 0.0) } else { direction };
    if index < other { direction } else { -direction }
}
