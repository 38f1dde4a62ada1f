//! A batch of agents, one per lane: the input to behaviors.

use std::cell::{Ref, RefCell};
use std::fmt;
use std::ops::Range;

use crate::crowd::columns::{Memory, Rows};
use crate::crowd::limits::Limit;
use crate::crowd::params::{BehaviorInputs, SpeciesParams, View};
use crate::crowd::target::{Pose, Target};
use crate::crowd::{Partition, SortedCrowd};
use crate::math::aabb::Aabb;
use crate::math::axes::Axes;
use crate::math::lanes::{Lanes, MAX_WIDTH, Mask, compiled};
use crate::math::random::{self, Stream};
use crate::math::vec3::Vec3;
use crate::scenery::index::{Index, Near};

pub(crate) mod draw;
mod nearest;
pub(crate) mod neighbors;
pub(crate) mod scenery;
pub(crate) mod scratch;
pub(crate) mod sums;
mod sweep;
pub(crate) mod trace;

use scratch::{CACHED_VIEWS, NearbyCache, Scratch};
use sums::{Computed, ViewSums};
use trace::Feature;

/// A few nearby agents of one species, one per lane.
/// A batch shows the crowd as it was at the start of the step.
//
// A batch covers up to `WIDTH` consecutive slots. Lanes past the end of the crowd repeat the
// last agent and are not members. Large data is borrowed and reused from batch to batch:
// copying it would take 5% of the step time.
pub struct Batch<'a, L: Lanes> {
    pub(crate) crowd: &'a SortedCrowd<'a>,
    pub(crate) species: &'a SpeciesParams,
    pub(crate) view: &'a View,
    pub(crate) first: usize,
    pub(crate) members: Mask<L>,
    /// Members of the batch to which the current behavior applies.
    pub(crate) active: Mask<L>,
    rows: Rows<'a>,
    pub(crate) scratch: &'a mut Scratch<L>,
    nearby: &'a NearbyCache,
}

impl<L: Lanes> fmt::Debug for Batch<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("first", &self.first).finish_non_exhaustive()
    }
}

impl<'a, L: Lanes> Batch<'a, L> {
    #[inline(always)]
    pub(crate) fn new(
        crowd: &'a SortedCrowd<'a>,
        (species, kinds): (usize, Option<&[u8]>),
        slots: Range<usize>,
        nearby: &'a NearbyCache,
        scratch: &'a mut Scratch<L>,
    ) -> Self {
        let first = slots.start;
        let rows = crowd.rows(first, L::WIDTH);
        let within = Mask::first(slots.len());
        let members = match kinds {
            None => within,
            Some(kinds) => within & Mask::equal(kinds, species as u8),
        };
        scratch.current.computed = Computed::Nothing;
        if crowd.remembers {
            for (memory, column) in scratch.memory.iter_mut().zip(&rows.motion.memory) {
                if !column.is_empty() {
                    *memory = rows.load(column);
                }
            }
        }
        if crowd.column_count > 0 {
            scratch.custom.clear();
            for column in &rows.motion.custom[..crowd.column_count] {
                scratch.custom.push(rows.load(column));
            }
        }
        let species = &crowd.species[species];
        let view = species.own_view();
        if species.views.len() > 1 {
            scratch.current.view = view.index;
            for cached in &mut scratch.cached {
                cached.computed = Computed::Nothing;
            }
        }
        Self { crowd, species, view, first, members, active: members, rows, scratch, nearby }
    }

    #[inline(always)]
    pub(crate) fn single(
        crowd: &'a SortedCrowd<'a>,
        slot: usize,
        nearby: &'a NearbyCache,
        scratch: &'a mut Scratch<L>,
    ) -> Self {
        Self::new(crowd, (crowd.species_of(slot), None), slot..slot + 1, nearby, scratch)
    }

    inlined! {
        /// Positions, in world units.
        pub fn position(&self) -> Vec3<L> {
            self.rows.motion.position.load(self.rows.row())
        }

        /// Velocities, in units/s.
        pub fn velocity(&self) -> Vec3<L> {
            match &self.rows.motion.velocity {
                stored if stored.is_empty() => self.heading() * self.max_speed(),
                stored => stored.load(self.rows.row()),
            }
        }

        /// Headings, as unit vectors.
        pub fn heading(&self) -> Vec3<L> {
            self.rows.motion.heading.load(self.rows.row())
        }

        fn load(&self, column: &[f32]) -> L { self.rows.load(column) }

        /// Maximum speeds, in units/s.
        pub fn max_speed(&self) -> L {
            self.limit(Limit::MaxSpeed)
        }

        /// Maximum forces, in mass · units/s².
        pub fn max_force(&self) -> L {
            self.limit(Limit::MaxForce)
        }

        /// Masses, from 1e-3 to 1e6.
        pub fn mass(&self) -> L {
            self.limit(Limit::Mass)
        }

        /// Step duration divided by mass. If agents share one mass, a scalar division is enough.
        pub(crate) fn time_per_mass(&self) -> L {
            match self.rows.attributes.limit(Limit::Mass) {
                [] => L::splat(self.crowd.dt / self.species.limits[Limit::Mass as usize]),
                masses => L::splat(self.crowd.dt) / self.load(masses),
            }
        }

        /// Bounding radii, in world units.
        pub fn radius(&self) -> L {
            self.limit(Limit::Radius)
        }

        fn limit(&self, limit: Limit) -> L {
            self.rows.attributes.limit_of(limit, self.rows.row(), self.species)
        }

        /// Speed as a fraction of the maximum speed, from 0 to 1.
        pub fn speed_share(&self) -> L {
            let (fraction, one) = (self.velocity().length() / self.max_speed(), L::splat(1.0));
            fraction.lt(one).select(fraction, one)
        }

        /// Offset from each agent to a point, in world units. On a torus, it is the shortest one.
        pub fn offset_to(&self, point: Vec3<L>) -> Vec3<L> {
            self.crowd.space.displacement(self.position(), point)
        }

        /// True for agents that a step at `velocity` leaves in place, because the displacement is
        /// rounded away.
        pub(crate) fn stays(&self, velocity: Vec3<L>) -> Mask<L> {
            let position = self.position();
            velocity.mul_add(L::splat(self.dt()), position).coincides(position)
        }

        /// Index of the agents' species in the scene, from 0.
        pub fn species(&self) -> usize { self.species.index }

        /// Simulated time per step, in seconds.
        pub fn dt(&self) -> f32 { self.crowd.dt }

        /// Number of steps taken before this one.
        pub fn tick(&self) -> u64 { self.crowd.tick }

        pub(crate) fn indices(&self) -> L::Bits {
            L::load_bits(&self.rows.attributes.index[self.rows.row()..])
        }

        /// Two random multiples of 2⁻²² per agent, in [−1, 1). They depend only on the scene's
        /// seed, the behavior's name, the agent's id, the step and `draw`.
        pub fn random(&self, draw: u8) -> [L; 2] {
            let stream = Stream::Outside { name: self.inputs().key, draw };
            random::signed_units::<L>(self.crowd.seed, stream, self.indices(), self.crowd.tick)
        }

        /// Position, velocity and heading of each agent's target, and a mask of the agents that
        /// have one. `target` must be one of the behavior's parameters. For any other nearest
        /// target, the mask is empty.
        pub fn target(&mut self, target: &Target) -> (Pose<L>, Mask<L>) {
            let (pose, present) = match target {
                Target::Own | Target::Nearest { .. } => self.target_of_each(target),
                shared => match self.crowd.pose(shared) {
                    Some(pose) => (Pose::splat(pose), Mask::splat(true)),
                    None => (Pose::splat(Pose::default()), Mask::splat(false)),
                },
            };
            self.draw_point(Feature::Target, pose.position, present);
            (pose, present)
        }

        pub(crate) fn inputs(&self) -> &'a BehaviorInputs {
            &self.species.inputs[self.scratch.behavior]
        }

        pub(crate) fn custom_column(&self, index: usize) -> &'a [f32] {
            &self.crowd.motion.custom[self.inputs().columns[index]]
        }

        /// Each agent's value in column `index` of the behavior's
        /// [`columns`](crate::kernel::Steer::columns).
        ///
        /// # Panics
        /// If `index` is out of range for the behavior's `columns()`.
        pub fn column(&self, index: usize) -> L {
            self.load(&self.rows.motion.custom[self.inputs().columns[index]])
        }

        /// Sets each agent's value in a column for the next step.
        /// Agents keep their value if their force budget is spent or dithering skips the behavior.
        /// If several behaviors set the column, the last behavior in priority order wins.
        ///
        /// # Panics
        /// If `index` is out of range for the behavior's `columns()`.
        pub fn set_column(&mut self, index: usize, value: L) {
            let column = self.inputs().columns[index];
            let next = &mut self.scratch.custom[column];
            *next = self.active.select(value, *next);
        }

        pub(crate) fn remembered(&self, memory: Memory) -> L {
            self.scratch.memory[memory as usize]
        }

        pub(crate) fn remember(&mut self, memory: Memory, value: L) {
            let next = &mut self.scratch.memory[memory as usize];
            *next = self.active.select(value, *next);
        }

        pub(crate) fn remembered_vector(&self, axes: [Memory; 3]) -> Vec3<L> {
            Vec3::by_axis(#[inline(always)] |axis| self.remembered(axes[axis]))
        }
        pub(crate) fn remember_vector(&mut self, [x, y, z]: [Memory; 3], value: Vec3<L>) {
            self.remember(x, value.x);
            self.remember(y, value.y);
            value.with_z((), #[inline(always)] |(), value| self.remember(z, value));
        }
        pub(crate) fn store(&self, lanes: L, column: &mut [f32]) {
            if self.members.all() {
                lanes.store(&mut column[..L::WIDTH]);
            } else {
                self.members.store(lanes, column);
            }
        }
    }

    #[inline(never)]
    pub(crate) fn set_view(&mut self, view: &'a View) {
        self.view = view;
        let Scratch { current, cached, .. } = &mut *self.scratch;
        if current.view == view.index {
            return;
        }
        cached[current.view % CACHED_VIEWS] = *current;
        let stored = cached[view.index % CACHED_VIEWS];
        *current = if stored.view == view.index {
            stored
        } else {
            ViewSums { view: view.index, computed: Computed::Nothing, ..stored }
        };
    }

    pub(crate) fn slot(&self, lane: usize) -> usize {
        (self.first + lane).min(self.crowd.len() - 1)
    }

    /// Handles nearest and own targets in one function: with two separate calls,
    /// [`Self::target`] would be slower for all other targets.
    #[inline(never)]
    fn target_of_each(&mut self, target: &Target) -> (Pose<L>, Mask<L>) {
        match self.species.nearest.iter().find(|(nearest, _)| nearest == target) {
            Some((_, view)) => {
                let view_of_behavior = std::mem::replace(&mut self.view, view);
                let nearest = if view.line_of_sight {
                    compiled!(L: self.nearest(
                        #[inline(always)]
                        |neighbor, nearer| self.in_sight(neighbor, nearer),
                    ))
                } else {
                    compiled!(L: self.nearest(
                        #[inline(always)]
                        |_, nearer| nearer,
                    ))
                };
                self.view = view_of_behavior;
                nearest
            }
            None if *target == Target::Own => self.own_target(),
            None => compiled!(L: (Pose::splat(Pose::default()), Mask::splat(false))),
        }
    }

    fn own_target(&self) -> (Pose<L>, Mask<L>) {
        let mut lanes = [[0.0; 9]; MAX_WIDTH];
        let mut present = [false; MAX_WIDTH];
        for lane in 0..L::WIDTH {
            if let Some(pose) = self.crowd.own_pose(self.slot(lane)) {
                lanes[lane] = pose.to_array();
                present[lane] = true;
            }
        }
        compiled!(L: {
            let [position, velocity, heading] =
                [gathered(&lanes, 0), gathered(&lanes, 3), gathered(&lanes, 6)];
            (Pose { position, velocity, heading }, Mask::from_fn(|lane| present[lane]))
        })
    }

    /// cos·|cos| of half each agent's viewing angle, or `None` if all agents see the full circle.
    #[inline(always)]
    pub(crate) fn view_cos(&self) -> Option<L> {
        match &self.rows.attributes.view_cos[..] {
            written @ [_, ..] if self.view.uses_agent_angle => Some(self.load(written)),
            _ => Some(L::splat(self.view.cos_signed_sq?)),
        }
    }

    /// True if other crates' behaviors gave the batch only finite forces and column values.
    #[inline(always)]
    pub(crate) fn is_finite(&self) -> bool {
        let largest = L::splat(f32::MAX);
        !self.crowd.has_outside
            || !self.scratch.has_wrong_force
                && self.scratch.custom.iter().all(
                    #[inline(always)]
                    |next| (self.members & !next.abs().le(largest)).none(),
                )
    }

    #[inline(always)]
    fn slots(&self) -> Range<usize> {
        self.first..self.crowd.len().min(self.first + L::WIDTH)
    }

    pub(crate) fn obstacles(&self) -> Ref<'a, Near> {
        self.near(&self.nearby.obstacles, &self.crowd.scenery.obstacle_index)
    }

    pub(crate) fn walls(&self) -> Ref<'a, Near> {
        self.near(&self.nearby.walls, &self.crowd.scenery.wall_index)
    }

    #[inline(always)]
    fn near(&self, near: &'a RefCell<Near>, index: &Index) -> Ref<'a, Near> {
        if !near.borrow().is_filled {
            self.find_near(&mut near.borrow_mut(), index);
        }
        near.borrow()
    }

    #[inline(never)]
    fn find_near(&self, near: &mut Near, index: &Index) {
        compiled!(L: self.find_near_inlined(near, index));
    }

    #[inline(always)]
    fn find_near_inlined(&self, near: &mut Near, index: &Index) {
        // The index of scenery ignores z.
        let (Axes([x, y, _]), slots) = (&self.crowd.motion.position, self.slots());
        let positions = Axes([&x[slots.clone()], &y[slots], &[]]);
        let around = self.nearby.around.get().unwrap_or_else(|| Aabb::around(positions));
        self.nearby.around.set(Some(around));
        match self.crowd.partition {
            Partition::Auto | Partition::Cells => index.near(positions, around, near),
            Partition::AllPairs => index.all_near(near),
        }
    }
}

#[inline(always)]
fn gathered<L: Lanes>(lanes: &[[f32; 9]; MAX_WIDTH], first: usize) -> Vec3<L> {
    Vec3::from_fn(
        #[inline(always)]
        |lane| Vec3::by_axis(|axis| lanes[lane][first + axis]),
    )
}
