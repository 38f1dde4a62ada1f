//! Visits a batch's candidates, and the neighbors among them, one at a time.
//!
//! Each lane is an agent, and each candidate is broadcast to all lanes. Each lane tests the
//! candidate against its own circle and field of view. Candidates come in ascending slot order, so
//! each agent visits its neighbors in an order that depends neither on the batch nor on the search.
//! With a single lane, candidates that the agent does not see are skipped.
//!
//! Every squared distance includes ε = [`SOFTENING`], so that a coincident pair (d = 0) pushes with
//! 0·1/ε = 0 instead of 0/0, without a special case.
//!
//! The loop is compiled separately for the common sets of candidate tests: distance alone, distance
//! with a field of view, and distance with the minimum image of every pair (e.g. for all pairs on a
//! torus). Other sets share loops that choose their tests at run time.

use std::cell::Ref;
use std::fmt;
use std::ops::Range;

use crate::batch::Batch;
use crate::batch::scratch::ALL_SLOTS;
use crate::crowd::limits::Limit;
use crate::crowd::sought::Sought;
use crate::grid::groups::Search;
use crate::grid::{Images, Runs};
use crate::math::axes::Axes;
use crate::math::component::Depth;
use crate::math::lanes::{Lanes, MAX_WIDTH, Mask};
use crate::math::vec3::Vec3;

/// Softening term added to squared distances: (1e-6 units)². Rounding drops the term for pairs more
/// than a few thousandths of a unit apart. For closer pairs, it weakens forces that fall off as
/// 1 / distance: by 1% at 1e-5 units, by half at 1e-6.
pub(crate) const SOFTENING: f32 = 1.0e-12;

/// Candidate tests other than distance, one bit each. Each loop is compiled for a constant set of
/// tests. If the set includes [`ANY_BUT_SPECIES`], the loop decides at run time which tests apply.
pub(super) const FIELD_OF_VIEW: u8 = 1;
pub(super) const MINIMUM_IMAGE: u8 = 2;
const RADII: u8 = 4;
pub(super) const SPECIES: u8 = 8;
pub(super) const ANY_BUT_SPECIES: u8 = FIELD_OF_VIEW | MINIMUM_IMAGE | RADII;
pub(super) const ANY_TESTS: u8 = ANY_BUT_SPECIES | SPECIES;

pub(crate) struct Candidate<L: Lanes> {
    pub(crate) slot: usize,
    pub(crate) index_in_run: usize,
    pub(crate) heading: Vec3<L>,
    /// Offset from each agent to the candidate, in world units.
    pub(crate) offset: Vec3<L>,
    /// Squared length of `offset`, plus [`SOFTENING`].
    pub(crate) distance_sq: L,
    /// Lanes that see the candidate. An agent sees itself if the view includes its species.
    pub(crate) seen: Mask<L>,
}

impl<'a, L: Lanes> Batch<'a, L> {
    #[inline(always)]
    pub(crate) fn candidates(&self) -> Ref<'a, Runs> {
        let (runs, search) = (&self.nearby.candidates, self.view.search + 1);
        let searched = self.nearby.searched.get();
        if searched != search && searched != ALL_SLOTS {
            self.search(self.view.search);
        }
        runs.borrow()
    }

    #[inline(always)]
    pub(super) fn tests_all(&self) -> bool {
        self.crowd.partition.tests_all(self.crowd.len(), L::WIDTH)
    }

    #[inline(always)]
    fn search(&self, index: usize) {
        let (crowd, runs) = (self.crowd, &mut self.nearby.candidates.borrow_mut());
        if self.tests_all() {
            self.nearby.searched.set(ALL_SLOTS);
            runs.set_all(crowd.len(), crowd.space);
        } else {
            self.nearby.searched.set(index + 1);
            self.search_around(crowd.grid.search(index), runs);
        }
    }

    /// Finds the candidates of the batch's members. Other agents in the batch's slots are ignored,
    /// because they may belong to other groups and be far away.
    #[inline(always)]
    pub(super) fn search_around(&self, search: &Search, runs: &mut Runs) {
        // If there are outliers, a search looks for several groups.
        let group = if search.has_others { self.group() } else { Some(self.species.group) };
        self.with_members(
            #[inline(always)]
            |positions| self.crowd.grid.candidates::<L>(positions, group, search, runs),
        );
    }

    #[inline(always)]
    pub(super) fn with_members<R>(&self, visit: impl FnOnce(Axes<&[f32]>) -> R) -> R {
        let slots = self.slots();
        let positions = self.crowd.motion.position.rows_for::<L>(slots.clone());
        if self.members.0.sign_mask().count_ones() as usize == slots.len() {
            return visit(positions);
        }
        let (mut columns, mut count) = ([[0.0; MAX_WIDTH]; 3], 0);
        for (lane, at) in positions.iter().enumerate() {
            if self.members.0.sign_mask() >> lane & 1 == 1 {
                [columns[0][count], columns[1][count], columns[2][count]] = at.into();
                count += 1;
            }
        }
        let [x, y, z] = &columns;
        visit(Axes([&x[..count], &y[..count], if L::AXES > 2 { &z[..count] } else { &[] }]))
    }

    /// The group of the first and last members, or `None` if their groups differ. If these two
    /// members are in the same row, all members between them also belong to this group.
    #[inline(always)]
    fn group(&self) -> Option<usize> {
        let crowd = self.crowd;
        if crowd.grid.plan().outliers.is_none() {
            return Some(self.species.group);
        }
        let members = self.members.0.sign_mask();
        let ends = [members.trailing_zeros(), members.ilog2()];
        let [front, back] = ends.map(|lane| crowd.group_of(self.first + lane as usize));
        (front == back).then_some(front)
    }

    #[inline(always)]
    pub(super) fn tests(&self, candidates: &Runs) -> u8 {
        let when = |needed: bool, test: u8| if needed { test } else { 0 };
        when(self.view_cos().is_some(), FIELD_OF_VIEW)
            | when(candidates.images == Images::Both, MINIMUM_IMAGE)
            | when(self.view.adds_radius, RADII)
            | when(self.tests_species(), SPECIES)
    }

    /// False if all candidates are of species that the view includes.
    #[inline(always)]
    fn tests_species(&self) -> bool {
        !self.view.species.is_empty()
            && (!self.view.names_groups || self.nearby.searched.get() == ALL_SLOTS)
    }

    /// Calls `visit` with each candidate that some lane may see. These candidates include all
    /// neighbors, and the batch's own agents if the view includes their species.
    #[inline(always)]
    pub(super) fn for_each_candidate<const TESTS: u8>(
        &self,
        runs: &Runs,
        mut visit: impl FnMut(Candidate<L>),
    ) {
        let (motion, radii, space) =
            (self.crowd.motion, self.crowd.attributes.limit(Limit::Radius), self.crowd.space);
        let (view, softening) = (L::splat(self.view.distance), L::splat(SOFTENING));
        let view_sq = view * view;
        let position = self.position();
        let decides_now = TESTS & ANY_BUT_SPECIES == ANY_BUT_SPECIES;
        let has = |test: u8, needed: bool| TESTS & test != 0 && (!decides_now || needed);
        let field_of_view = if TESTS & FIELD_OF_VIEW != 0 { self.field_of_view() } else { None };
        let minimum_image = has(MINIMUM_IMAGE, runs.images == Images::Both);
        let radii = if has(RADII, self.view.adds_radius) { radii } else { &[] };
        let counts = if TESTS & SPECIES != 0 { &self.view.species[..] } else { &[] };
        let species = &self.crowd.attributes.species;

        let (Axes([x, y, z]), Axes([hx, hy, hz])) = (&motion.position, &motion.heading);
        for run in &runs.list {
            let slots = run.start as usize..run.end as usize;
            let candidates = x[slots.clone()].iter().zip(&y[slots.clone()]).zip(&hx[slots.clone()]);
            // The bounds check per candidate keeps the compiler from unrolling the loop by two:
            // unrolling would add an unpredictable branch for a leftover candidate. Slices of equal
            // length share that check.
            let hys = &hy[slots.start..];
            let [zs, hzs] = if L::AXES > 2 {
                [&z[slots.start..][..hys.len()], &hz[slots.start..][..hys.len()]]
            } else {
                [&[][..]; 2]
            };
            let mut shifted = position + Vec3::splat(run.shift);
            if runs.images == Images::X {
                shifted.x = space.nearest_image_x(position.x, L::splat(run.middle));
            }

            for (index_in_run, ((&x, &y), &hx)) in candidates.enumerate() {
                let slot = slots.start + index_in_run;
                if TESTS & SPECIES != 0 && !counts.is_empty() && !counts[usize::from(species[slot])]
                {
                    continue;
                }
                let heading = Vec3 {
                    x: L::splat(hx),
                    y: L::splat(hys[index_in_run]),
                    z: L::Z::from_fn(
                        #[inline(always)]
                        || L::splat(hzs[index_in_run]),
                    ),
                };
                let at = Vec3 {
                    x: L::splat(x),
                    y: L::splat(y),
                    z: L::Z::from_fn(
                        #[inline(always)]
                        || L::splat(zs[index_in_run]),
                    ),
                };
                let offset =
                    at - if minimum_image { space.nearest_image(position, at) } else { shifted };
                let distance_sq = softened_sq(offset, softening);
                let range_sq = match radii.get(slot) {
                    Some(&radius) if TESTS & RADII != 0 => {
                        let range = view + L::splat(radius);
                        range * range
                    }
                    _ => view_sq,
                };
                let seen = sees(offset, [distance_sq, softening], range_sq, field_of_view);
                if L::WIDTH == 1 && seen.none() {
                    continue;
                }
                let seen = if L::WIDTH == 1 { Mask::splat(true) } else { seen };
                visit(Candidate { slot, index_in_run, heading, offset, distance_sq, seen });
            }
        }
    }

    /// Calls one of just two variants of [`Self::for_each_candidate`], to limit compile time.
    #[inline(always)]
    #[expect(clippy::redundant_closure, reason = "`&mut visit` would be called, not inlined")]
    pub(crate) fn for_each_seen(&self, mut visit: impl FnMut(Candidate<L>)) {
        let candidates = &*self.candidates();
        if self.tests(candidates) == 0 {
            self.for_each_candidate::<0>(
                candidates,
                #[inline(always)]
                |candidate| visit(candidate),
            );
        } else {
            self.for_each_candidate::<ANY_TESTS>(
                candidates,
                #[inline(always)]
                |candidate| visit(candidate),
            );
        }
    }

    #[inline(always)]
    pub(crate) fn sees(&self, offset: Vec3<L>) -> Mask<L> {
        let view = L::splat(self.species.view_distance);
        sees(offset, [offset.dot(offset), L::zero()], view * view, self.field_of_view())
    }

    /// Headings and cos·|cos| of half the viewing angle; `None` for a full circle.
    #[inline(always)]
    fn field_of_view(&self) -> Option<(Vec3<L>, L)> {
        Some((self.heading(), self.view_cos()?))
    }
}

/// Squared length of an offset, plus `softening`.
#[inline(always)]
fn softened_sq<L: Lanes>(offset: Vec3<L>, softening: L) -> L {
    let softened = offset.with_z(
        softening,
        #[inline(always)]
        |softening, z| z.mul_add(z, softening),
    );
    offset.x.mul_add(offset.x, offset.y.mul_add(offset.y, softened))
}

/// The engine's only visibility test. `distance_sq` includes `softening`, which may be 0.
#[inline(always)]
fn sees<L: Lanes>(
    offset: Vec3<L>,
    [distance_sq, softening]: [L; 2],
    range_sq: L,
    field_of_view: Option<(Vec3<L>, L)>,
) -> Mask<L> {
    let near = distance_sq.lt(range_sq);
    let Some((heading, view_cos)) = field_of_view else { return near };
    if L::WIDTH == 1 && near.none() {
        return near;
    }
    let ahead = heading.dot(offset);
    // A full circle's limit is -∞, or NaN where the squared distance vanishes beside `softening`.
    near & !(ahead * ahead.abs()).lt(view_cos * (distance_sq - softening))
}

/// An agent that some agents of a batch may see, as visited by [`Batch::for_each_neighbor`].
pub struct Neighbor<'b, 'a, L: Lanes> {
    batch: &'b Batch<'a, L>,
    pub(crate) slot: usize,
    /// Offset from each agent to the neighbor, in world units; the shortest offset on a torus.
    pub offset: Vec3<L>,
    /// Squared length of the offset, plus 1e-12 units² so that it is never 0.
    pub distance_sq: L,
    /// Mask of the agents that see the neighbor.
    pub seen: Mask<L>,
}

impl<L: Lanes> fmt::Debug for Neighbor<'_, '_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Neighbor").field("slot", &self.slot).finish_non_exhaustive()
    }
}

impl<L: Lanes> Neighbor<'_, '_, L> {
    inlined! {
        /// Heading of the neighbor, as a unit vector.
        pub fn heading(&self) -> Vec3<L> {
            self.batch.crowd.motion.heading.splat(self.slot)
        }

        /// Velocity of the neighbor, in units/s.
        pub fn velocity(&self) -> Vec3<L> { Vec3::splat(self.batch.crowd.velocity(self.slot)) }

        /// Bounding radius of the neighbor, in world units.
        pub fn radius(&self) -> L { L::splat(self.batch.crowd.radius(self.slot)) }

        /// Index of the neighbor's species in the scene, from 0.
        pub fn species(&self) -> usize { self.batch.crowd.species_of(self.slot) }

        /// The neighbor's value in column `index`, with the same indices as [`Batch::column`].
        pub fn column(&self, index: usize) -> L {
            L::splat(self.batch.custom_column(index)[self.slot])
        }
    }
}

impl<'a, L: Lanes> Batch<'a, L> {
    /// Calls `visit` with every agent that some agent of the batch may see. [`Neighbor::seen`] is
    /// the mask of agents that do see the neighbor. Mask out the other lanes: otherwise the result
    /// depends on which agents share a batch. [`Self::sum_over_neighbors`] applies this mask.
    #[inline(always)]
    pub fn for_each_neighbor(&self, mut visit: impl FnMut(&Neighbor<'_, 'a, L>)) {
        self.for_each_seen(
            #[inline(always)]
            |Candidate { slot, offset, distance_sq, seen, .. }| {
                let lane = slot.wrapping_sub(self.first);
                let seen = if lane < L::WIDTH { seen & !Mask::only(lane) } else { seen };
                visit(&Neighbor { batch: self, slot, offset, distance_sq, seen });
            },
        );
    }

    /// Like [`Self::for_each_neighbor`], for the agents of a sought species in `run`. `shift` moves
    /// the batch across the seam of a torus to the run; `None` takes each pair's minimum image.
    #[inline(always)]
    pub(super) fn for_each_sought(
        &self,
        sought: &Sought,
        (run, shift): (Range<usize>, Option<Vec3<f32>>),
        mut visit: impl FnMut(&Neighbor<'_, 'a, L>),
    ) {
        let (space, position, softening) = (self.crowd.space, self.position(), L::splat(SOFTENING));
        let shifted = position + Vec3::splat(shift.unwrap_or(Vec3::ZERO));
        let minimum_image = shift.is_none() && space.is_torus();
        let radii = self.crowd.attributes.limit(Limit::Radius);
        let (view, field_of_view) = (L::splat(self.view.distance), self.field_of_view());
        let view_sq = view * view;
        for (&slot, at) in sought.slots[run.clone()].iter().zip(sought.position.rows(run).iter()) {
            let (slot, at) = (slot as usize, Vec3::splat(at));
            let offset =
                at - if minimum_image { space.nearest_image(position, at) } else { shifted };
            let distance_sq = softened_sq(offset, softening);
            let range_sq = if self.view.adds_radius {
                let range = view + L::splat(radii[slot]);
                range * range
            } else {
                view_sq
            };
            let seen = sees(offset, [distance_sq, softening], range_sq, field_of_view);
            let lane = slot.wrapping_sub(self.first);
            let seen = if lane < L::WIDTH { seen & !Mask::only(lane) } else { seen };
            visit(&Neighbor { batch: self, slot, offset, distance_sq, seen });
        }
    }

    /// Sums `term` over the neighbors that each agent sees, excluding the agent itself. Sums
    /// several numbers and vectors at once if `term` returns a tuple.
    #[inline(always)]
    pub fn sum_over_neighbors<S: Summand<L>>(
        &self,
        mut term: impl FnMut(&Neighbor<'_, 'a, L>) -> S,
    ) -> S {
        let mut sum = S::nothing();
        self.for_each_neighbor(
            #[inline(always)]
            |neighbor| sum = sum.plus_where(neighbor.seen, term(neighbor)),
        );
        sum
    }
}

/// Term of [`Batch::sum_over_neighbors`]: a number, a vector, or a tuple of two or three of these.
pub trait Summand<L>: Copy {
    #[doc(hidden)]
    fn nothing() -> Self;
    #[doc(hidden)]
    #[must_use]
    fn plus_where(self, mask: Mask<L>, term: Self) -> Self;
}

impl<L: Lanes> Summand<L> for L {
    inlined! {
        fn nothing() -> Self { L::zero() }
        fn plus_where(self, mask: Mask<L>, term: Self) -> Self { self.add_where(mask, term) }
    }
}

impl<L: Lanes> Summand<L> for Vec3<L> {
    inlined! {
        fn nothing() -> Self { Vec3::zero() }
        fn plus_where(self, mask: Mask<L>, term: Self) -> Self { self.add_where(mask, term) }
    }
}

impl<L: Lanes, A: Summand<L>, B: Summand<L>> Summand<L> for (A, B) {
    inlined! {
        fn nothing() -> Self { (A::nothing(), B::nothing()) }
        fn plus_where(self, mask: Mask<L>, term: Self) -> Self {
            (self.0.plus_where(mask, term.0), self.1.plus_where(mask, term.1))
        }
    }
}

impl<L: Lanes, A: Summand<L>, B: Summand<L>, C: Summand<L>> Summand<L> for (A, B, C) {
    inlined! {
        fn nothing() -> Self { (A::nothing(), B::nothing(), C::nothing()) }
        fn plus_where(self, mask: Mask<L>, term: Self) -> Self {
            let (ab, c) = ((self.0, self.1).plus_where(mask, (term.0, term.1)), self.2);
            (ab.0, ab.1, c.plus_where(mask, term.2))
        }
    }
}
