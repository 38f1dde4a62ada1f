//! Non-penetration: overlapping agents are pushed apart along the line of their centers.
//!
//! Simultaneously: every agent reads where all have moved to and takes its half of every
//! overlap, in ascending slot order, so the result does not depend on who is computed first.
//! Candidates come from the step's grid, which was filled before the agents moved; the
//! query reaches further by as much as they can have moved since, which is why a push is
//! never longer than the largest possible half of one overlap.
//!
//! Lanes are agents, candidates are broadcast. Hardly any overlap, but which ones do is for no
//! branch predictor to foresee: so the candidates of a run that overlap any lane are listed
//! first, without a branch, and only these get the root and the division. Cost per candidate and
//! batch: 2 sub, 1 mul, 1 fma, 2 compares, 1 add; with own radii 1 add and 1 mul more.

use crate::crowd::Crowd;
use crate::grid::Runs;
use crate::kernels::batch::value;
use crate::lanes::{Lanes, MAX_WIDTH};
use crate::random::{self, Stream};
use crate::reference;
use crate::tail::Rows;
use crate::vec2::Vec2;

/// Candidates that are looked at before those of them that overlap are pushed apart.
const LISTED: usize = 64;

/// Where the agents from slot `first` on go.
pub(crate) fn part<L: Lanes>(crowd: &Crowd<'_>, first: usize, runs: &Runs) -> Vec2<L> {
    match (crowd.traits.radius.is_empty(), runs.need_images) {
        (true, false) => pushed_apart::<L, false, false>(crowd, first, runs),
        (true, true) => pushed_apart::<L, false, true>(crowd, first, runs),
        (false, false) => pushed_apart::<L, true, false>(crowd, first, runs),
        (false, true) => pushed_apart::<L, true, true>(crowd, first, runs),
    }
}

#[inline(always)]
fn pushed_apart<L: Lanes, const RADII: bool, const IMAGES: bool>(
    crowd: &Crowd<'_>,
    first: usize,
    runs: &Runs,
) -> Vec2<L> {
    let motion = crowd.motion;
    let shared = crowd.kinds[0].species.radius;
    let Rows { motion: own, traits, row } = crowd.rows(first, L::WIDTH);
    let position = Vec2::new(L::load(&own.x[row..]), L::load(&own.y[row..]));
    let radius: L = value(&traits.radius, row, shared);
    let shared_room = radius + L::splat(shared.max());
    let (zero, one, half) = (L::zero(), L::splat(1.0), L::splat(0.5));

    let mut push = Vec2::zero();
    let mut coincident = zero;
    let mut listed = [0_u8; LISTED];
    for run in &runs.list {
        let shifted = position + Vec2::splat(run.shift);
        for start in (run.start as usize..run.end as usize).step_by(LISTED) {
            let slots = start..(start + LISTED).min(run.end as usize);
            let (x, y) = (&motion.x[slots.clone()], &motion.y[slots.clone()]);
            let radii = if RADII { &crowd.traits.radius[slots] } else { &[][..] };
            // The way to a candidate, its squared length, and how long it has to be.
            let way = |k: usize, x: f32, y: f32| {
                let candidate = Vec2::new(L::splat(x), L::splat(y));
                let to = if IMAGES {
                    candidate - crowd.space.nearest_image(position, candidate)
                } else {
                    candidate - shifted
                };
                let room = if RADII { radius + L::splat(radii[k]) } else { shared_room };
                (to, to.dot(to), room)
            };
            let mut count = 0;
            for (k, (&x, &y)) in x.iter().zip(y).enumerate() {
                let (_, distance_sq, room) = way(k, x, y);
                let (overlap, apart) = (distance_sq.lt(room * room), distance_sq.gt(zero));
                coincident = coincident.add_where(overlap & !apart, one);
                listed[count % LISTED] = k as u8;
                count += usize::from((overlap & apart).any());
            }
            for &k in &listed[..count] {
                let k = usize::from(k);
                let (to, distance_sq, room) = way(k, x[k], y[k]);
                let overlap = distance_sq.lt(room * room) & distance_sq.gt(zero);
                let distance = distance_sq.sqrt();
                let share = overlap.keep((room - distance) * half / distance);
                push = to.mul_add(-share, push);
            }
        }
    }
    // Everybody coincides with himself.
    if coincident.gt(one).any() {
        push = push + part_coincident(crowd, first, coincident, runs);
    }
    let most = L::splat(crowd.largest_radius);
    let length = push.length();
    position + push * length.gt(most).select(most / length, one)
}

/// The pushes between agents in the same place: rare, so one agent at a time.
#[cold]
fn part_coincident<L: Lanes>(
    crowd: &Crowd<'_>,
    first: usize,
    coincident: L,
    runs: &Runs,
) -> Vec2<L> {
    let mut counts = [0.0; MAX_WIDTH];
    coincident.store(&mut counts[..L::WIDTH]);
    let mut pushes = [Vec2::ZERO; MAX_WIDTH];
    for lane in (0..L::WIDTH).filter(|&lane| counts[lane] > 1.0 && first + lane < crowd.len()) {
        pushes[lane] = reference::non_penetration::part_coincident(crowd, first + lane, runs);
    }
    Vec2::new(L::from_fn(|lane| pushes[lane].x), L::from_fn(|lane| pushes[lane].y))
}

/// The direction in which agent `index` leaves the place that it shares with agent `other`,
/// who leaves in the opposite one: chance, but always the same for the two.
pub(crate) fn parting(seed: u64, index: u32, other: u32) -> Vec2<f32> {
    let (low, high) = if index < other { (index, other) } else { (other, index) };
    let drawn = random::scalar_signed_units(seed, Stream::Parting, low, u64::from(high));
    let direction = Vec2::from(drawn).normalized();
    let direction = if direction == Vec2::ZERO { Vec2::new(1.0, 0.0) } else { direction };
    if index < other { direction } else { -direction }
}
