//! Finds a batch's overlaps with its candidates, and computes the push that separates them.
//!
//! Cells are far larger than agents, so a first pass, with one candidate per lane, discards most
//! candidates: those outside the AABB of the batch. The second pass has one agent per lane and
//! broadcasts candidates. Overlaps are rare but unpredictable, so candidates that overlap any
//! agent are first listed without a branch; only listed candidates need a square root and a
//! division. Cost per vector of candidates: 2 sub, 2 add, 4 compares; per remaining candidate and
//! batch: 2 sub, 1 mul, 1 fma, 2 compares, 1 add; individual radii cost another add and mul.

use std::ops::Range;

use crate::crowd::SortedCrowd;
use crate::crowd::limits::Limit;
use crate::grid::{Images, Runs};
use crate::math::aabb::Aabb;
use crate::math::axes::Axes;
use crate::math::component::Depth;
use crate::math::lanes::{Lanes, Mask, compiled};
use crate::math::random::{self, Stream};
use crate::math::vec3::Vec3;
use crate::world::space::Space;

const MASK_BITS: usize = 64;

/// Returns the positions of a batch of agents with radii up to `radius` after they are pushed away
/// from the candidates in `runs`.
#[inline(always)]
pub(super) fn pushed_apart<L: Lanes>(
    crowd: &SortedCrowd<'_>,
    slots: Range<usize>,
    radius: f32,
    runs: &Runs,
) -> Vec3<L> {
    let has = |limit: Limit| !crowd.attributes.limit(limit).is_empty();
    let images = runs.images != Images::None;
    match (has(Limit::Radius), has(Limit::Immovable), images) {
        (false, _, false) => pushed_by::<L, SHARED, false>(crowd, slots, radius, runs),
        (false, _, true) => pushed_by::<L, SHARED, true>(crowd, slots, radius, runs),
        (true, false, false) => pushed_by::<L, RADII, false>(crowd, slots, radius, runs),
        (true, false, true) => pushed_by::<L, RADII, true>(crowd, slots, radius, runs),
        (true, true, false) => pushed_by::<L, IMMOVABLE, false>(crowd, slots, radius, runs),
        (true, true, true) => pushed_by::<L, IMMOVABLE, true>(crowd, slots, radius, runs),
    }
}

/// Columns that a pass reads for each candidate besides its position: none, the radius, or the
/// radius and whether the candidate is immovable.
const SHARED: u8 = 0;
const RADII: u8 = 1;
const IMMOVABLE: u8 = 2;

/// Fraction of an overlap with a movable agent by which an agent moves: 1/2, or 0 if the agent is
/// immovable itself. If the other agent is immovable, the fraction doubles.
#[inline(always)]
fn own_fraction<L: Lanes>(immovable: L) -> L {
    L::splat(0.5) * (L::splat(1.0) - immovable)
}

/// AABB of agents with radii up to `radius`, enlarged to allow for all rounding
/// errors, including those of the later pair tests.
#[inline(always)]
fn contact_aabb(positions: Axes<&[f32]>, radius: f32, space: &Space) -> Aabb {
    let Aabb { low, high } = Aabb::around(positions);
    let room =
        |low: f32, high: f32, size: f32| radius * 1.0001 + (low.abs() + high.abs() + size) * 1.0e-6;
    let (x, y) = (room(low.x, high.x, space.size.x), room(low.y, high.y, space.size.y));
    let z = if space.is_flat() { 0.0 } else { room(low.z, high.z, space.size.z) };
    Aabb { low, high }.expanded(Vec3 { x, y, z })
}

/// Bit mask of the candidates (at most [`MASK_BITS`]) that overlap `aabb`. The columns start at the
/// first candidate and run to the crowd's end. `radii` is empty if all radii equal `shared`.
#[inline(always)]
fn overlapping_bits<L: Lanes>(
    aabb: Aabb,
    candidates: usize,
    [x, y, z, radii]: [&[f32]; 4],
    shared: f32,
) -> u64 {
    let (low, high) = (Vec3::<L>::splat(aabb.low), Vec3::<L>::splat(aabb.high));
    let (mut bits, mut from) = (0, 0);
    while from < candidates {
        if x.len() < from + L::WIDTH {
            // A vector load would read past the end of the crowd, so keep all remaining candidates.
            bits |= u64::MAX << from;
            break;
        }
        let (x, y) = (L::load(&x[from..]), L::load(&y[from..]));
        let z = L::Z::from_fn(
            #[inline(always)]
            || L::load(&z[from..]),
        );
        let radius = if radii.is_empty() { L::splat(shared) } else { L::load(&radii[from..]) };
        let overlaps_x = x.ge(low.x - radius) & x.le(high.x + radius);
        let overlaps_y = y.ge(low.y - radius) & y.le(high.y + radius);
        let overlaps = Vec3 { x, y, z }.with_z(
            overlaps_x & overlaps_y,
            #[inline(always)]
            |overlaps, z| {
                let above = low.with_z(
                    overlaps,
                    #[inline(always)]
                    |both, low| both & z.ge(low - radius),
                );
                high.with_z(
                    above,
                    #[inline(always)]
                    |both, high| both & z.le(high + radius),
                )
            },
        );
        bits |= u64::from(overlaps.0.sign_mask()) << from;
        from += L::WIDTH;
    }
    bits & first_bits(candidates)
}

/// `count` must be from 1 to [`MASK_BITS`]: 0 would overflow the shift.
fn first_bits(count: usize) -> u64 {
    u64::MAX >> (MASK_BITS - count)
}

#[inline(always)]
fn pushed_by<L: Lanes, const READS: u8, const IMAGES: bool>(
    crowd: &SortedCrowd<'_>,
    slots: Range<usize>,
    radius: f32,
    runs: &Runs,
) -> Vec3<L> {
    let motion = crowd.motion;
    let (first, agents) = (slots.start, crowd.len());
    let contact_aabb = contact_aabb(motion.position.rows_for::<L>(slots), radius, crowd.space);
    let shared = &crowd.species[0];
    let shared_radius = shared.limits[Limit::Radius as usize];
    let radii = crowd.attributes.limit(Limit::Radius);
    let own_rows = crowd.rows(first, L::WIDTH);
    let position: Vec3<L> = own_rows.motion.position.load(own_rows.row());
    let radius: L = own_rows.attributes.limit_of(Limit::Radius, own_rows.row(), shared);
    let shared_room = radius + L::splat(shared_radius);
    let (zero, one, half) = (L::zero(), L::splat(1.0), L::splat(0.5));
    let immovable = crowd.attributes.limit(Limit::Immovable);
    let own_fraction = if READS == IMMOVABLE {
        own_fraction(own_rows.attributes.limit_of(Limit::Immovable, own_rows.row(), shared))
    } else {
        half
    };

    let mut push = Vec3::zero();
    let mut coincident = zero;
    // The index is a byte, so with 256 entries the compiler omits bounds checks.
    let mut listed = [0_u8; 256];
    for run in &runs.list {
        let shifted = position + Vec3::splat(run.shift);
        let contact_aabb = contact_aabb.shifted(run.shift);
        let (mut start, end) = (run.start as usize, run.end as usize);
        while start < end {
            let candidates = MASK_BITS.min(end - start);
            let Axes([x, y, z]) = &motion.position;
            // Slices of equal length, so that the compiler checks bounds only once.
            let (x, y) = (&x[start..agents], &y[start..agents]);
            let z = if L::AXES > 2 { &z[start..agents] } else { &[][..] };
            let radii = if READS >= RADII { &radii[start..agents] } else { &[][..] };
            let immovable = if READS == IMMOVABLE { &immovable[start..agents] } else { &[][..] };
            let mut near = if IMAGES {
                first_bits(candidates)
            } else {
                overlapping_bits::<L>(contact_aabb, candidates, [x, y, z, radii], shared_radius)
            };
            // Offset to a candidate, its squared length, and the distance at which agents touch.
            // A closure might not be inlined, hence the macro.
            macro_rules! offset {
                ($k:expr) => {{
                    let above = L::Z::from_fn(
                        #[inline(always)]
                        || L::splat(z[$k]),
                    );
                    let candidate = Vec3 { x: L::splat(x[$k]), y: L::splat(y[$k]), z: above };
                    let to = if IMAGES {
                        candidate - crowd.space.nearest_image(position, candidate)
                    } else {
                        candidate - shifted
                    };
                    let room =
                        if READS >= RADII { radius + L::splat(radii[$k]) } else { shared_room };
                    (to, to.dot(to), room)
                }};
            }
            let mut count = 0_u8;
            while near != 0 {
                let k = near.trailing_zeros() as usize;
                near &= near - 1;
                let (_, distance_sq, room) = offset!(k);
                let (overlap, apart) = (distance_sq.lt(room * room), distance_sq.gt(zero));
                coincident = coincident.add_where(overlap & !apart, one);
                listed[usize::from(count)] = k as u8;
                count += u8::from((overlap & apart).any());
            }
            for &k in &listed[..usize::from(count)] {
                let (to, distance_sq, room) = offset!(usize::from(k));
                let overlap = distance_sq.lt(room * room) & distance_sq.gt(zero);
                let distance = distance_sq.sqrt();
                let of_overlap = if READS == IMMOVABLE {
                    own_fraction.mul_add(L::splat(immovable[usize::from(k)]), own_fraction)
                } else {
                    half
                };
                let per_offset = overlap.keep((room - distance) * of_overlap / distance);
                push = to.mul_add(-per_offset, push);
            }
            start += MASK_BITS;
        }
    }
    // Every agent with a nonzero radius has counted itself as coincident.
    let room = radius + radius;
    let itself = (room * room).gt(zero).keep(one);
    if coincident.gt(itself).any() {
        push = push + push_off_coincident(crowd, first, (position, radius), runs);
    }
    let max_push = L::splat(crowd.max_push);
    let length = push.length();
    let push = push * length.gt(max_push).select(max_push / length, one);
    debug_assert!(
        push.length().le(max_push.mul_add(L::splat(1.00001), L::splat(1.0e-22))).all(),
        "no push is longer than allowed"
    );
    position + push
}

/// Pushes coincident agents apart. Each agent draws a point that depends only on seed and index.
/// An agent is pushed in the direction from the other agent's point to its own.
#[cold]
fn push_off_coincident<L: Lanes>(
    crowd: &SortedCrowd<'_>,
    first: usize,
    (position, radius): (Vec3<L>, L),
    runs: &Runs,
) -> Vec3<L> {
    compiled!(L: push_off_coincident_inlined(crowd, first, (position, radius), runs))
}

#[inline(always)]
fn push_off_coincident_inlined<L: Lanes>(
    crowd: &SortedCrowd<'_>,
    first: usize,
    (position, radius): (Vec3<L>, L),
    runs: &Runs,
) -> Vec3<L> {
    let (motion, zero) = (crowd.motion, L::zero());
    let [radii, immovable] =
        [Limit::Radius, Limit::Immovable].map(|limit| crowd.attributes.limit(limit));
    let shared_radius = crowd.species[0].limits[Limit::Radius as usize];
    let own_rows = crowd.rows(first, L::WIDTH);
    let own_fraction = own_fraction(if immovable.is_empty() {
        zero
    } else {
        own_rows.load(&own_rows.attributes.limits[Limit::Immovable as usize])
    });
    let indices = &own_rows.attributes.index[own_rows.row()..][..L::WIDTH];
    let point = drawn_points::<L>(crowd.seed, indices);

    let mut push = Vec3::zero();
    for run in &runs.list {
        let shifted = position + Vec3::splat(run.shift);
        for start in (run.start as usize..run.end as usize).step_by(L::WIDTH) {
            let rows = crowd.rows(start, L::WIDTH);
            let drawn = drawn_points::<L>(crowd.seed, &rows.attributes.index[rows.row()..]);
            let drawn = drawn.to_arrays();
            for (k, slot) in (start..run.end as usize).take(L::WIDTH).enumerate() {
                let candidate = motion.position.splat(slot);
                let to = if runs.images == Images::None {
                    candidate - shifted
                } else {
                    candidate - crowd.space.nearest_image(position, candidate)
                };
                let other = L::splat(radii.get(slot).copied().unwrap_or(shared_radius));
                let (room, distance_sq) = (radius + other, to.dot(to));
                let mut coincident = distance_sq.le(zero) & distance_sq.lt(room * room);
                let lane = slot.wrapping_sub(first);
                if lane < L::WIDTH {
                    coincident = coincident & !Mask::only(lane);
                }
                let mut away = point - Vec3::splat(Vec3::by_axis(|axis| drawn[axis][k]));
                let equal = coincident & away.dot(away).le(zero);
                if equal.any() {
                    let index = crowd.attributes.index[slot];
                    let side = L::from_fn(|lane| if indices[lane] < index { -1.0 } else { 1.0 });
                    away.x = equal.select(side, away.x);
                }
                let other = L::splat(immovable.get(slot).copied().unwrap_or(0.0));
                let part = coincident.keep(room * own_fraction.mul_add(other, own_fraction));
                push = away.normalized().mul_add(part, push);
            }
        }
    }
    push
}

#[inline(always)]
fn drawn_points<L: Lanes>(seed: u64, indices: &[u32]) -> Vec3<L> {
    random::signed_vector(seed, Stream::PushApart, L::load_bits(indices), 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::math::lanes::dispatch::Baseline;
    use crate::math::lanes::flat::Flat;
    use crate::world::Topology;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

        #[test]
        fn only_candidates_out_of_touch_are_discarded(
            scale in prop::sample::select(vec![1.0_f32, 100.0, 1.0e6]),
            agents in prop::collection::vec([0.0_f32..1.0, 0.0_f32..1.0], 1..16),
            candidates in prop::collection::vec(
                (prop::sample::Index::arbitrary(), 0_u8..8, 9_500_u16..10_500, 500_u16..4_000),
                1..80,
            ),
            shift in [-1_i8..=1, -1_i8..=1],
            all_alike in prop::bool::ANY,
        ) {
            let radius = 3.0;
            let space = Space::new(Topology::Torus, scale, scale);
            let shift = Vec3::flat(f32::from(shift[0]), f32::from(shift[1])) * scale;
            let agents: Vec<_> = agents.into_iter().map(|at| Vec3::from(at) * scale).collect();
            let positions: Axes<Vec<f32>> = agents.iter().copied().collect();
            let contact_aabb = contact_aabb(positions.rows(0..agents.len()), radius, &space);
            let contact_aabb = contact_aabb.shifted(shift);

            let mut columns: [Vec<f32>; 3] = Default::default();
            // proptest 1.12 panics for some draws from float ranges like these,
            // so the draws are integers.
            for (agent, eighths, fraction, own_radius) in candidates {
                let (fraction, own_radius) = (f32::from(fraction) / 1.0e4, f32::from(own_radius) / 1.0e3);
                let angle = f32::from(eighths) * std::f32::consts::FRAC_PI_4;
                let own_radius = if all_alike { 2.0 } else { own_radius };
                let offset = Vec3::flat(angle.cos(), angle.sin()) * ((radius + own_radius) * fraction);
                let at = *agent.get(&agents) + shift + offset;
                [at.x, at.y, own_radius].iter().zip(&mut columns).for_each(|(v, c)| c.push(*v));
            }
            let [x, y, radii] = &columns;
            let count = x.len().min(MASK_BITS);
            let given = if all_alike { &[][..] } else { &radii[..] };
            let bits = overlapping_bits::<Flat<Baseline>>(contact_aabb, count, [x, y, &[], given], 2.0);
            prop_assert_eq!(bits & !first_bits(count), 0, "no bits past the candidates");
            for k in 0..count {
                let candidate = Vec3::flat(x[k], y[k]);
                let room = radius + radii[k];
                let touches = agents.iter().any(|&agent| {
                    let to = candidate - (agent + shift);
                    to.dot(to) < room * room
                });
                prop_assert!(!touches || bits >> k & 1 == 1, "candidate {k}");
            }
        }
    }
}
