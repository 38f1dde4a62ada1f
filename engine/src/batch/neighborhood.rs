//! The neighborhood sweep: what separation, alignment and cohesion need, in one pass.
//!
//! Idea: one agent per lane, one candidate at a time, broadcast to all lanes. Each lane
//! tests the candidate against its own circle (and field of view) and adds it, or adds
//! exactly zero. Every lane therefore adds its own neighbors in ascending slot order,
//! whichever other candidates its batch tests, and no horizontal sum is ever taken: that is
//! why the result does not depend on vector width, batches or partition. A single lane skips
//! what it does not see.
//!
//! Two tricks avoid special cases in the loop at no cost. The squared distance starts from
//! `SOFTENING` instead of zero, so a coincident pair (d = 0) pushes with 0·1/ε = 0 instead of
//! 0/0. And the agent itself stays in the sums (it adds one to the count, its own heading, and
//! zero to the rest) until it is subtracted once at the end.
//!
//! Cost per candidate and batch: 2 sub, 2 fma, 1 compare, 5 add, 2 fma, 1 div (with 16 lanes every
//! fourth is 5 multiplications instead) and 4 broadcast loads. Masking is free with mask registers;
//! else it takes 1 operation, and 4 of the additions are fma. Separation alone needs 5 add and 2
//! loads less. A field of view adds 7, per-neighbor radii 3, the minimum image of every pair 8.

use std::sync::atomic::Ordering::Relaxed;

use crate::batch::Batch;
use crate::batch::scratch::{Neighborhood, Swept};
use crate::grid::{Images, Runs};
use crate::math::lanes::{Lanes, Mask};
use crate::math::vec2::Vec2;

/// Added to squared distances, in units²: (1e-6 units)². It vanishes in the rounding of any pair
/// farther apart than a few thousandths of a unit. What pushes by 1 / distance pushes closer pairs
/// less: 1 % less at 1e-5 units, half as much at 1e-6.
pub(crate) const SOFTENING: f32 = 1.0e-12;

/// The lanes that see what is `way` away: the only test of visibility. `distance_sq` may be
/// softened, by `softening`.
#[inline(always)]
pub(crate) fn sees<L: Lanes>(
    way: Vec2<L>,
    [distance_sq, softening]: [L; 2],
    range_sq: L,
    field_of_view: Option<(Vec2<L>, L)>,
) -> Mask<L> {
    let near = distance_sq.lt(range_sq);
    let Some((heading, view_cos)) = field_of_view else { return near };
    if L::WIDTH == 1 && near.none() {
        return near;
    }
    let ahead = heading.dot(way);
    near & (ahead * ahead.abs()).ge(view_cos * (distance_sq - softening))
}

impl<L: Lanes> Batch<'_, L> {
    /// The sums over the agents' neighbors, swept once, when a behavior first asks: all behaviors
    /// share them.
    //
    // Inlined, so that each behavior loads only the sums it needs.
    #[inline(always)]
    pub fn neighborhood(&mut self) -> Neighborhood<L> {
        if self.scratch.swept != Swept::All {
            if self.scratch.swept == Swept::InverseOffset {
                self.species.needs_all_sums.store(true, Relaxed);
            }
            self.sweep(true);
        }
        self.scratch.neighborhood
    }

    /// [`Neighborhood::inverse_offset`] alone, which takes less time if no behavior of the species
    /// needs more.
    #[inline(always)]
    pub fn inverse_offset(&mut self) -> Vec2<L> {
        if self.scratch.swept == Swept::Nothing {
            self.sweep(self.species.needs_all_sums.load(Relaxed));
        }
        self.scratch.neighborhood.inverse_offset
    }

    /// The lanes whose agent sees what is at the end of `way`.
    #[inline(always)]
    pub(crate) fn sees(&self, way: Vec2<L>) -> Mask<L> {
        let view = L::splat(self.species.view_distance);
        sees(way, [way.dot(way), L::zero()], view * view, self.field_of_view())
    }

    /// Where the agents look, and the cosine of half the angle that they see, squared with its sign;
    /// none if they see all around.
    #[inline(always)]
    pub(super) fn field_of_view(&self) -> Option<(Vec2<L>, L)> {
        Some((self.heading(), self.view_cos()?))
    }

    #[inline(always)]
    fn sweep(&mut self, all: bool) {
        self.scratch.swept = Swept::All;
        let runs = &*self.runs();
        let fov = self.view_cos().is_some();
        match (fov, self.species.view_adds_radius, runs.images == Images::Both) {
            (false, false, false) if all => self.sum_up::<true, false, false, false>(runs),
            (false, false, false) => {
                self.scratch.swept = Swept::InverseOffset;
                self.sum_up::<false, false, false, false>(runs);
            }
            (false, false, true) => self.sum_up::<true, false, false, true>(runs),
            (false, true, false) => self.sum_up::<true, false, true, false>(runs),
            (false, true, true) => self.sum_up::<true, false, true, true>(runs),
            (true, false, false) => self.sum_up::<true, true, false, false>(runs),
            (true, false, true) => self.sum_up::<true, true, false, true>(runs),
            (true, true, false) => self.sum_up::<true, true, true, false>(runs),
            (true, true, true) => self.sum_up::<true, true, true, true>(runs),
        }
    }

    #[inline(never)]
    fn sum_up<const ALL: bool, const FOV: bool, const RADII: bool, const IMAGES: bool>(
        &mut self,
        runs: &Runs,
    ) {
        L::compiled(
            #[inline(always)]
            || {
                let (motion, space) = (self.crowd.motion, self.crowd.space);
                let view = L::splat(self.species.view);
                let view_sq = view * view;
                let (one, softening) = (L::splat(1.0), L::splat(SOFTENING));
                let (position, own_heading) = (self.position(), self.heading());
                let field_of_view = if FOV { self.field_of_view() } else { None };

                let mut count = L::zero();
                let mut heading = Vec2::zero();
                let mut offset = Vec2::zero();
                let mut inverse_offset = Vec2::zero();

                for run in &runs.list {
                    let slots = run.start as usize..run.end as usize;
                    let radii =
                        if RADII { &self.crowd.traits.radius[slots.clone()] } else { &[][..] };
                    let candidates = motion.x[slots.clone()]
                        .iter()
                        .zip(&motion.y[slots.clone()])
                        .zip(&motion.hx[slots.clone()]);
                    // The bounds check at every candidate keeps the loop from being unrolled by two,
                    // where whether one candidate is left over is an unpredictable branch.
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
                        let range_sq = if RADII {
                            let range = view + L::splat(radii[k]);
                            range * range
                        } else {
                            view_sq
                        };
                        let seen = sees(to, [distance_sq, softening], range_sq, field_of_view);
                        if L::WIDTH == 1 && seen.none() {
                            continue;
                        }
                        // Known to the compiler, so that nothing is masked.
                        let seen = if L::WIDTH == 1 { Mask::splat(true) } else { seen };
                        let candidate_heading = Vec2::new(L::splat(hx), L::splat(hy));
                        if L::BLENDS {
                            if ALL {
                                count = count.add_where(seen, one);
                                heading = heading.add_where(seen, candidate_heading);
                                offset = offset.add_where(seen, to);
                            }
                            // With 16 lanes, a division takes longer than all else.
                            let inverse = if k % 4 == 3 {
                                distance_sq.reciprocal()
                            } else {
                                one / distance_sq
                            };
                            inverse_offset = to.mul_add_where(seen, inverse, inverse_offset);
                        } else {
                            // Without mask registers every mask costs an operation. A weight of 1 or
                            // 0 costs one for all sums.
                            let weight = seen.keep(one);
                            if ALL {
                                count = count + weight;
                                heading = heading.add_weighted(weight, candidate_heading);
                                offset = offset.add_weighted(weight, to);
                            }
                            inverse_offset = to.mul_add(weight / distance_sq, inverse_offset);
                        }
                    }
                }
                let (count, heading) = (count - one, heading - own_heading);
                debug_assert!(
                    !ALL || (self.members & count.lt(L::zero())).none(),
                    "every agent is among its own candidates"
                );
                // A product that underflows leaves -0, of which a neighbor that is masked out may
                // make 0. Adding 0 makes both 0.
                let inverse_offset = inverse_offset + Vec2::zero();
                self.scratch.neighborhood = Neighborhood { count, heading, offset, inverse_offset };
            },
        );
    }
}
