//! A batch of agents in lanes: what behaviors compute with.

use std::cell::{Ref, RefCell};
use std::fmt;
use std::ops::Range;

use crate::crowd::Crowd;
use crate::crowd::columns::{Memory, Motion, Rows};
use crate::crowd::limits::Limit;
use crate::crowd::shared::{BehaviorNeeds, SharedTraits, View};
use crate::crowd::target::{Pose, Target};
use crate::math::aabb::Aabb;
use crate::math::lanes::{Lanes, MAX_WIDTH, Mask, compiled};
use crate::math::random::{self, Stream};
use crate::math::vec2::Vec2;
use crate::scenery::index::{Index, Near};

mod draw;
pub(crate) mod neighbors;
pub(crate) mod notes;
pub(crate) mod scenery;
pub(crate) mod scratch;
mod sweep;

use notes::Feature;
use scratch::{Found, Known, PLACES, Scratch, Swept};

/// A few agents of one species, one per lane, close to each other. It shows the crowd as it was
/// when the step began.
//
// Up to `WIDTH` agents in consecutive slots; lanes past the end of the crowd repeat its last agent
// and are not members. It is small and refers to its large data, which is reused from batch to
// batch: copies would take a twentieth of a step.
pub struct Batch<'a, L> {
    pub(crate) crowd: &'a Crowd<'a>,
    pub(crate) species: &'a SharedTraits,
    /// How the current behavior looks for neighbors.
    pub(crate) view: &'a View,
    pub(crate) first: usize,
    /// The lanes of this species.
    pub(crate) members: Mask<L>,
    /// The members for which the current behavior counts.
    pub(crate) live: Mask<L>,
    rows: Rows<'a>,
    pub(crate) scratch: &'a mut Scratch<L>,
    found: &'a Found,
}

impl<L> fmt::Debug for Batch<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batch").field("first", &self.first).finish_non_exhaustive()
    }
}

impl<'a, L: Lanes> Batch<'a, L> {
    /// The agents of species number `species` among the first `WIDTH` of `slots`.
    #[inline(always)]
    pub(crate) fn new(
        crowd: &'a Crowd<'a>,
        species: usize,
        slots: Range<usize>,
        found: &'a Found,
        scratch: &'a mut Scratch<L>,
    ) -> Self {
        let first = slots.start;
        let rows = crowd.rows(first, L::WIDTH);
        let within = Mask::first(slots.len());
        let species_of = &rows.traits.species;
        let members = if species_of.is_empty() {
            within
        } else {
            within & Mask::equal(&species_of[rows.row..], species as u8)
        };
        scratch.swept.known = Known::Nothing;
        if crowd.remembers {
            for (memory, column) in scratch.memory.iter_mut().zip(&rows.motion.memory.0) {
                if !column.is_empty() {
                    *memory = L::load(&column[rows.row..]);
                }
            }
        }
        if crowd.has_columns {
            scratch.own.clear();
            for column in &rows.motion.own.0 {
                scratch.own.push(L::load(&column[rows.row..]));
            }
        }
        let species = &crowd.species[species];
        let view = species.own_view();
        if species.views.len() > 1 {
            scratch.swept.view = view.number;
            for kept in &mut scratch.kept {
                kept.known = Known::Nothing;
            }
        }
        Self { crowd, species, view, first, members, live: members, rows, scratch, found }
    }

    /// The agent in one slot.
    #[inline(always)]
    pub(crate) fn one(
        crowd: &'a Crowd<'a>,
        slot: usize,
        found: &'a Found,
        scratch: &'a mut Scratch<L>,
    ) -> Self {
        Self::new(crowd, crowd.species_of(slot), slot..slot + 1, found, scratch)
    }

    inlined! {
        /// Positions, world units.
        pub fn position(&self) -> Vec2<L> {
            self.vector(&self.rows.motion.x, &self.rows.motion.y)
        }

        /// Velocities, units/s.
        pub fn velocity(&self) -> Vec2<L> {
            let Motion { vx, vy, .. } = self.rows.motion;
            if vx.is_empty() { self.heading() * self.max_speed() } else { self.vector(vx, vy) }
        }

        /// Headings: unit vectors.
        pub fn heading(&self) -> Vec2<L> {
            self.vector(&self.rows.motion.hx, &self.rows.motion.hy)
        }

        fn vector(&self, x: &[f32], y: &[f32]) -> Vec2<L> {
            Vec2::new(self.load(x), self.load(y))
        }

        /// The agents' values in a column that begins where their rows do.
        fn load(&self, column: &[f32]) -> L { L::load(&column[self.rows.row..]) }

        /// Maximum speeds, units/s.
        pub fn max_speed(&self) -> L {
            self.limit(Limit::MaxSpeed)
        }

        /// Maximum forces, mass · units/s².
        pub fn max_force(&self) -> L {
            self.limit(Limit::MaxForce)
        }

        /// Masses.
        pub fn mass(&self) -> L {
            self.limit(Limit::Mass)
        }

        /// The step's duration divided by the mass: a single division if all agents share one mass.
        pub(crate) fn time_per_mass(&self) -> L {
            match self.rows.traits.limit(Limit::Mass) {
                [] => L::splat(self.crowd.dt / self.species.limits[Limit::Mass as usize]),
                masses => L::splat(self.crowd.dt) / self.load(masses),
            }
        }

        /// Bounding radii, world units.
        pub fn radius(&self) -> L {
            self.limit(Limit::Radius)
        }

        fn limit(&self, limit: Limit) -> L {
            self.rows.traits.limit_of(limit, self.rows.row, self.species)
        }

        /// Speed as a share of the maximum speed, from 0 to 1.
        pub fn speed_share(&self) -> L {
            let (share, one) = (self.velocity().length() / self.max_speed(), L::splat(1.0));
            share.lt(one).select(share, one)
        }

        /// The way from each agent to a point: on the torus, the shortest.
        pub fn way_to(&self, point: Vec2<L>) -> Vec2<L> {
            self.crowd.space.displacement(self.position(), point)
        }

        /// The number of the agents' species in the scene, from 0.
        pub fn species(&self) -> usize { self.species.number }

        /// Seconds per step.
        pub fn dt(&self) -> f32 { self.crowd.dt }

        /// The number of steps taken before this one.
        pub fn tick(&self) -> u64 { self.crowd.tick }

        /// The agents' indices, which key their random numbers.
        pub(crate) fn indices(&self) -> L::Bits {
            L::load_bits(&self.rows.traits.index[self.rows.row..])
        }

        /// Two random numbers in [−1, 1) for each agent, in steps of 2⁻²². They depend only on the
        /// scene's seed, the behavior's name, the agent's id, the step and `draw`.
        pub fn random(&self, draw: u8) -> [L; 2] {
            let stream = Stream::Outside { name: self.needs().key, draw };
            random::signed_units::<L>(self.crowd.seed, stream, self.indices(), self.crowd.tick)
        }

        /// Where a target is and how it moves, and the lanes that have one.
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

        /// What the behavior that is being computed needs.
        pub(crate) fn needs(&self) -> &'a BehaviorNeeds {
            &self.species.needs[self.scratch.behavior]
        }

        /// The column with this number in [`Steer::columns`](crate::kernel::Steer::columns).
        pub(crate) fn own_column(&self, number: usize) -> &'a [f32] {
            &self.crowd.motion.own.0[self.needs().columns[number]]
        }

        /// Each agent's value in column `number` of the behavior's
        /// [`columns`](crate::kernel::Steer::columns).
        ///
        /// # Panics
        /// If the behavior names fewer columns.
        pub fn column(&self, number: usize) -> L {
            self.load(&self.rows.motion.own.0[self.needs().columns[number]])
        }

        /// Sets each agent's value in a column for the next step. Agents whose force budget is
        /// spent, or for whom dithering skips the behavior, keep theirs. If several behaviors set
        /// it, the last one in the order wins.
        ///
        /// # Panics
        /// If the behavior names fewer columns.
        pub fn set_column(&mut self, number: usize, value: L) {
            let column = self.needs().columns[number];
            let next = &mut self.scratch.own[column];
            *next = self.live.select(value, *next);
        }

        /// What each agent remembers, by now.
        pub(crate) fn remembered(&self, memory: Memory) -> L {
            self.scratch.memory[memory as usize]
        }

        /// Sets what each agent remembers, as [`Self::set_column`] does.
        pub(crate) fn remember(&mut self, memory: Memory, value: L) {
            let next = &mut self.scratch.memory[memory as usize];
            *next = self.live.select(value, *next);
        }

        /// Writes the lanes of the members to a column that begins at the batch.
        pub(crate) fn store(&self, lanes: L, column: &mut [f32]) {
            if self.members.all() {
                lanes.store(&mut column[..L::WIDTH]);
            } else {
                self.members.store(lanes, column);
            }
        }
    }

    /// Makes a view of the agents' species the current one.
    #[inline(never)]
    pub(crate) fn look(&mut self, view: &'a View) {
        self.view = view;
        let Scratch { swept, kept, .. } = &mut *self.scratch;
        if swept.view == view.number {
            return;
        }
        kept[swept.view % PLACES] = *swept;
        let known = kept[view.number % PLACES];
        *swept = if known.view == view.number {
            known
        } else {
            Swept { view: view.number, known: Known::Nothing, ..known }
        };
    }

    /// The slot in lane `lane`.
    pub(crate) fn slot(&self, lane: usize) -> usize {
        (self.first + lane).min(self.crowd.len() - 1)
    }

    /// A target that differs from lane to lane. One call for both kinds: two would cost the others, too.
    #[inline(never)]
    fn target_of_each(&mut self, target: &Target) -> (Pose<L>, Mask<L>) {
        match self.species.nearest.iter().find(|(nearest, _)| nearest == target) {
            Some((_, view)) => {
                let view_of_behavior = std::mem::replace(&mut self.view, view);
                let nearest = compiled!(L: self.nearest());
                self.view = view_of_behavior;
                nearest
            }
            None => self.own_target(),
        }
    }

    /// Each lane's own target: scattered reads.
    fn own_target(&self) -> (Pose<L>, Mask<L>) {
        let mut lanes = [[0.0; 6]; MAX_WIDTH];
        let mut present = [false; MAX_WIDTH];
        for lane in 0..L::WIDTH {
            if let Some(pose) = self.crowd.own_pose(self.slot(lane)) {
                lanes[lane] = pose.to_array();
                present[lane] = true;
            }
        }
        compiled!(L: (gathered_poses(&lanes), Mask::from_fn(|lane| present[lane])))
    }

    /// The nearest neighbor, in the lanes that see one. Only the coordinates that the agents have
    /// count: across a seam they are on its other side.
    #[inline(always)]
    fn nearest(&self) -> (Pose<L>, Mask<L>) {
        let mut pose = Pose::splat(Pose::default());
        let mut least = L::splat(f32::INFINITY);
        self.for_each_neighbor(
            #[inline(always)]
            |neighbor| {
                let nearer = neighbor.seen & neighbor.distance_sq.lt(least);
                let other = Pose::splat(self.crowd.pose_of(neighbor.slot));
                pose = Pose::select(nearer, other, pose);
                least = nearer.select(neighbor.distance_sq, least);
            },
        );
        (pose, least.lt(L::splat(f32::INFINITY)))
    }

    /// cos·|cos| of half of the angle in which each agent looks, if some do not see the full circle.
    #[inline(always)]
    pub(crate) fn view_cos(&self) -> Option<L> {
        match &self.rows.traits.view_cos[..] {
            written @ [_, ..] if self.view.is_as_wide_as_written => Some(self.load(written)),
            _ => Some(L::splat(self.view.cos_signed_sq?)),
        }
    }

    /// Whether what behaviors of other crates return, and the members' next values of columns, are
    /// finite.
    #[inline(always)]
    pub(crate) fn is_finite(&self) -> bool {
        let largest = L::splat(f32::MAX);
        !self.crowd.has_outside
            || !self.scratch.has_wrong_force
                && self.scratch.own.iter().all(
                    #[inline(always)]
                    |next| (self.members & !next.abs().le(largest)).none(),
                )
    }

    /// The slots of all lanes.
    #[inline(always)]
    fn slots(&self) -> Range<usize> {
        self.first..self.crowd.len().min(self.first + L::WIDTH)
    }

    /// The obstacles near any of the agents.
    pub(crate) fn obstacles(&self) -> Ref<'a, Near> {
        self.near(&self.found.obstacles, &self.crowd.scenery.obstacle_index)
    }

    /// The walls near any of the agents.
    pub(crate) fn walls(&self) -> Ref<'a, Near> {
        self.near(&self.found.walls, &self.crowd.scenery.wall_index)
    }

    #[inline(always)]
    fn near(&self, near: &'a RefCell<Near>, index: &Index) -> Ref<'a, Near> {
        if !near.borrow().known {
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
        let motion = self.crowd.motion;
        let (x, y) = (&motion.x[self.slots()], &motion.y[self.slots()]);
        let around = self.found.around.get().unwrap_or_else(|| Aabb::around(x, y));
        self.found.around.set(Some(around));
        self.crowd.find_near(index, (x, y), around, near);
    }
}

#[inline(always)]
fn gathered_poses<L: Lanes>(lanes: &[[f32; 6]; MAX_WIDTH]) -> Pose<L> {
    Pose { position: gathered(lanes, 0), velocity: gathered(lanes, 2), heading: gathered(lanes, 4) }
}

/// Two numbers of each lane, from number `first` on.
#[inline(always)]
pub(crate) fn gathered<L: Lanes, const N: usize>(
    lanes: &[[f32; N]; MAX_WIDTH],
    first: usize,
) -> Vec2<L> {
    Vec2::new(L::from_fn(|lane| lanes[lane][first]), L::from_fn(|lane| lanes[lane][first + 1]))
}
