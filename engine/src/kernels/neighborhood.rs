//! The neighborhood sweep: what separation, alignment and cohesion need, in one pass.
//!
//! Idea: one agent per lane, one candidate at a time, broadcast to all lanes. Each lane
//! tests the candidate against its own circle (and field of view) and adds it, or adds
//! exactly zero. Every lane therefore adds its own neighbors in ascending slot order,
//! whichever other candidates its batch tests, and no horizontal sum is ever taken: that is
//! why the result does not depend on lane width, batches or partition.
//!
//! Two tricks avoid special cases in the loop at no cost. The squared distance starts from
//! `SOFTENING` instead of zero, so a coincident pair (d = 0) pushes with 0·1/ε = 0 instead of
//! 0/0. And the agent itself stays in the sums (it adds one to the count, its own heading, and
//! zero to the rest) until it is subtracted once at the end.
//!
//! Cost per candidate and batch: 2 sub, 2 fma, 1 compare, 5 add, 2 fma, 1 div (with 16 lanes every
//! fourth is 5 multiplications instead) and 4 broadcast loads; masking is free with mask registers,
//! else 6 operations. A field of view adds 7, per-neighbor radii 3, the minimum image of every
//! pair 8.

use crate::batch::Batch;
use crate::crowd::neighborhood::{Neighborhood, SOFTENING};
use crate::grid::runs::{Images, Runs};
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

/// The sums over the agents' neighbors, swept once, when a behavior first asks. Inlined, so that
/// each behavior loads only the sums it needs.
#[inline(always)]
pub(crate) fn of<L: Lanes>(batch: &mut Batch<'_, L>) -> Neighborhood<L> {
    if !batch.scratch.swept {
        batch.scratch.swept = true;
        let runs = batch.runs();
        sweep(batch, &runs);
    }
    batch.scratch.neighborhood
}

/// Sums over the neighbors of a batch among its candidates.
#[inline(always)]
fn sweep<L: Lanes>(batch: &mut Batch<'_, L>, runs: &Runs) {
    let fov = batch.kind.view_cos_signed_sq.is_some();
    match (fov, batch.kind.view_adds_radius) {
        (false, false) => sum_up_images::<L, false, false>(batch, runs),
        (false, true) => sum_up_images::<L, false, true>(batch, runs),
        (true, false) => sum_up_images::<L, true, false>(batch, runs),
        (true, true) => sum_up_images::<L, true, true>(batch, runs),
    }
}

/// The same, with minimum images as far as the runs need them.
#[inline(always)]
fn sum_up_images<L: Lanes, const FOV: bool, const RADII: bool>(
    batch: &mut Batch<'_, L>,
    runs: &Runs,
) {
    if runs.images == Images::Both {
        sum_up::<L, FOV, RADII, true>(batch, runs);
    } else {
        sum_up::<L, FOV, RADII, false>(batch, runs);
    }
}

#[inline(never)]
fn sum_up<L: Lanes, const FOV: bool, const RADII: bool, const IMAGES: bool>(
    batch: &mut Batch<'_, L>,
    runs: &Runs,
) {
    L::compiled(
        #[inline(always)]
        || {
            let (motion, space) = (batch.crowd.motion, batch.crowd.space);
            let view = L::splat(batch.kind.view);
            let view_sq = view * view;
            let view_cos = L::splat(batch.kind.view_cos_signed_sq.unwrap_or(-1.0));
            let (one, softening) = (L::splat(1.0), L::splat(SOFTENING));
            let (position, own_heading) = (batch.position(), batch.heading());

            let mut count = L::zero();
            let mut heading = Vec2::zero();
            let mut offset = Vec2::zero();
            let mut inverse_offset = Vec2::zero();

            for run in &runs.list {
                let slots = run.start as usize..run.end as usize;
                let radii = if RADII { &batch.crowd.traits.radius[slots.clone()] } else { &[][..] };
                let candidates = motion.x[slots.clone()]
                    .iter()
                    .zip(&motion.y[slots.clone()])
                    .zip(&motion.hx[slots.clone()]);
                // The bounds check at every candidate keeps the loop from being unrolled by two, where
                // whether one candidate is left over is an unpredictable branch.
                let hys = &motion.hy[slots.start..];
                let mut shifted = position + Vec2::splat(run.shift);
                if runs.images == Images::X {
                    shifted.x = space.nearest_image_x(position.x, L::splat(run.middle));
                }

                for (k, ((&x, &y), &hx)) in candidates.enumerate() {
                    let hy = hys[k];
                    let candidate = Vec2::new(L::splat(x), L::splat(y));
                    let to = if IMAGES {
                        candidate - space.nearest_image(position, candidate)
                    } else {
                        candidate - shifted
                    };
                    let distance_sq = to.x.mul_add(to.x, to.y.mul_add(to.y, softening));
                    let mut seen = if RADII {
                        let range = view + L::splat(radii[k]);
                        distance_sq.lt(range * range)
                    } else {
                        distance_sq.lt(view_sq)
                    };
                    if FOV {
                        let ahead = own_heading.dot(to);
                        seen =
                            seen & (ahead * ahead.abs()).ge(view_cos * (distance_sq - softening));
                    }
                    count = count.add_where(seen, one);
                    heading = heading.add_where(seen, Vec2::new(L::splat(hx), L::splat(hy)));
                    offset = offset.add_where(seen, to);
                    // With 16 lanes, a division takes longer than all else.
                    let inverse =
                        if k % 4 == 3 { distance_sq.reciprocal() } else { one / distance_sq };
                    inverse_offset = to.mul_add_where(seen, inverse, inverse_offset);
                }
            }
            let (count, heading) = (count - one, heading - own_heading);
            // A product that underflows leaves -0, of which a neighbor that is masked out may make 0.
            // Adding 0 makes both 0.
            let inverse_offset = inverse_offset + Vec2::zero();
            batch.scratch.neighborhood = Neighborhood { count, heading, offset, inverse_offset };
        },
    );
}
