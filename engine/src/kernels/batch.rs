//! A batch of agents in lanes, and what its kernels share.

use std::cell::{Cell, Ref, RefCell};
use std::ops::Range;

use crate::behaviors::target::Target;
use crate::crowd::Crowd;
use crate::crowd::columns::{Memory, Motion, value};
use crate::crowd::kind::Kind;
use crate::crowd::neighborhood::Neighborhood;
use crate::crowd::pose::Pose;
use crate::crowd::tail::Rows;
use crate::grid::runs::Runs;
use crate::math::aabb::Aabb;
use crate::math::lanes::{BitLanes, Lanes, MAX_WIDTH, Mask};
use crate::math::vec2::Vec2;
use crate::scenery::index::{Index, Near};

/// How many batches steer together: enough that the square roots and divisions of one overlap with
/// those of another, few enough that all the data they read stays in the L1 cache.
pub(crate) const GROUP: usize = 4;

/// The candidates, obstacles and walls of a batch, each found once, when a behavior first asks.
#[derive(Debug, Default)]
pub(crate) struct Candidates {
    runs: RefCell<Runs>,
    /// The AABB of the agents.
    around: Cell<Option<Aabb>>,
    obstacles: RefCell<Near>,
    walls: RefCell<Near>,
}

impl Candidates {
    /// Forgets what was found for the previous batch.
    pub(crate) fn forget(&mut self) {
        self.runs.get_mut().known = false;
        self.around.set(None);
        self.obstacles.get_mut().known = false;
        self.walls.get_mut().known = false;
    }
}

/// What the behaviors of a batch share, and what its agents remember.
pub(crate) struct Scratch<L> {
    pub(crate) memory: Memory<L>,
    /// Use [`neighborhood::of`](super::neighborhood::of).
    pub(super) neighborhood: Neighborhood<L>,
    pub(super) swept: bool,
}

impl<L: Lanes> Scratch<L> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        let memory = Memory { wander: Vec2::zero(), waypoint: L::zero(), alert: L::zero() };
        Self { memory, neighborhood: Neighborhood::none(), swept: false }
    }
}

/// Up to `WIDTH` agents of one species in consecutive slots. It is small and refers to its large
/// data, which is reused from batch to batch: copies would take a twentieth of a step.
///
/// Lanes past the end of the crowd repeat its last agent and are not members.
pub(crate) struct Batch<'a, L> {
    pub(crate) crowd: &'a Crowd<'a>,
    pub(crate) kind: &'a Kind,
    pub(crate) first: usize,
    /// The lanes of this species.
    pub(crate) members: Mask<L>,
    /// The members for which the current behavior counts.
    pub(crate) live: Mask<L>,
    rows: Rows<'a>,
    pub(crate) scratch: &'a mut Scratch<L>,
    candidates: &'a Candidates,
}

impl<'a, L: Lanes> Batch<'a, L> {
    /// The agents of species `kind` among the first `WIDTH` of `slots`.
    #[inline(always)]
    pub(crate) fn new(
        crowd: &'a Crowd<'a>,
        kind: usize,
        slots: Range<usize>,
        candidates: &'a Candidates,
        scratch: &'a mut Scratch<L>,
    ) -> Self {
        let first = slots.start;
        let rows = crowd.rows(first, L::WIDTH);
        let within = Mask::first(slots.len());
        let kinds = &rows.traits.species;
        let members = if kinds.is_empty() {
            within
        } else {
            within & Mask::equal(&kinds[rows.row..], kind as u8)
        };
        scratch.swept = false;
        if crowd.remembers() {
            let Motion { wander_x, wander_y, waypoint, alert, .. } = rows.motion;
            let remembered = |column: &[f32]| match column {
                [] => L::zero(),
                _ => L::load(&column[rows.row..]),
            };
            scratch.memory = Memory {
                wander: Vec2::new(remembered(wander_x), remembered(wander_y)),
                waypoint: remembered(waypoint),
                alert: remembered(alert),
            };
        }
        let kind = &crowd.kinds[kind];
        Self { crowd, kind, first, members, live: members, rows, scratch, candidates }
    }

    #[inline(always)]
    pub(crate) fn position(&self) -> Vec2<L> {
        self.vector(&self.rows.motion.x, &self.rows.motion.y)
    }

    #[inline(always)]
    pub(crate) fn velocity(&self) -> Vec2<L> {
        let Motion { vx, vy, .. } = self.rows.motion;
        if vx.is_empty() { self.heading() * self.max_speed() } else { self.vector(vx, vy) }
    }

    #[inline(always)]
    pub(crate) fn heading(&self) -> Vec2<L> {
        self.vector(&self.rows.motion.hx, &self.rows.motion.hy)
    }

    #[inline(always)]
    fn vector(&self, x: &[f32], y: &[f32]) -> Vec2<L> {
        let row = self.rows.row;
        Vec2::new(L::load(&x[row..]), L::load(&y[row..]))
    }

    #[inline(always)]
    pub(crate) fn max_speed(&self) -> L {
        value(&self.rows.traits.max_speed, self.rows.row, self.kind.species.max_speed)
    }

    #[inline(always)]
    pub(crate) fn max_force(&self) -> L {
        value(&self.rows.traits.max_force, self.rows.row, self.kind.species.max_force)
    }

    /// The step's duration divided by the mass: a single division if all agents share one mass.
    #[inline(always)]
    pub(crate) fn time_per_mass(&self) -> L {
        match &self.rows.traits.mass[..] {
            [] => L::splat(self.crowd.dt / self.kind.species.mass.max()),
            masses => L::splat(self.crowd.dt) / L::load(&masses[self.rows.row..]),
        }
    }

    #[inline(always)]
    pub(crate) fn radius(&self) -> L {
        value(&self.rows.traits.radius, self.rows.row, self.kind.species.radius)
    }

    /// Speed as a share of the maximum speed, from 0 to 1.
    #[inline(always)]
    pub(crate) fn speed_share(&self) -> L {
        let (share, one) = (self.velocity().length() / self.max_speed(), L::splat(1.0));
        share.lt(one).select(share, one)
    }

    /// The agents' indices, which key their random numbers.
    #[inline(always)]
    pub(crate) fn indices(&self) -> L::Bits {
        L::Bits::load(&self.rows.traits.index[self.rows.row..])
    }

    /// Writes the lanes of the members to a column that begins at the batch.
    #[inline(always)]
    pub(crate) fn store(&self, lanes: L, column: &mut [f32]) {
        if self.members.every() {
            lanes.store(&mut column[..L::WIDTH]);
        } else {
            self.members.store(lanes, column);
        }
    }

    /// The slot in lane `lane`.
    pub(crate) fn slot(&self, lane: usize) -> usize {
        (self.first + lane).min(self.crowd.len() - 1)
    }

    /// The way from each agent to a point: on the torus, the shortest.
    #[inline(always)]
    pub(crate) fn way_to(&self, point: Vec2<L>) -> Vec2<L> {
        self.crowd.space.displacement(self.position(), point)
    }

    /// Where a target is and how it moves, and the lanes that have one.
    #[inline(always)]
    pub(crate) fn target(&self, target: &Target) -> (Pose<L>, Mask<L>) {
        if *target == Target::Own {
            return self.own_target();
        }
        match self.crowd.pose(target) {
            Some(pose) => (Pose::splat(pose), Mask::all()),
            None => (Pose::splat(Pose::default()), !Mask::all()),
        }
    }

    /// Each lane's own target: scattered reads.
    #[inline(never)]
    fn own_target(&self) -> (Pose<L>, Mask<L>) {
        let mut lanes = [[0.0; 6]; MAX_WIDTH];
        let mut present = [false; MAX_WIDTH];
        for lane in 0..L::WIDTH {
            if let Some(pose) = self.crowd.own_pose(self.slot(lane)) {
                lanes[lane] = pose.to_array();
                present[lane] = true;
            }
        }
        L::compiled(
            #[inline(always)]
            || {
                let pose = Pose {
                    position: gathered(&lanes, 0),
                    velocity: gathered(&lanes, 2),
                    heading: gathered(&lanes, 4),
                };
                (pose, Mask::from_fn(|lane| present[lane]))
            },
        )
    }

    /// The candidates for neighbors of all lanes, whatever their species.
    pub(crate) fn runs(&self) -> Ref<'a, Runs> {
        let runs = &self.candidates.runs;
        if !runs.borrow().known {
            let end = self.crowd.len().min(self.first + L::WIDTH);
            self.crowd.find_candidates::<L>(self.first..end, &mut runs.borrow_mut());
        }
        runs.borrow()
    }

    /// The obstacles near any of the agents.
    pub(crate) fn obstacles(&self) -> Ref<'a, Near> {
        self.near(&self.candidates.obstacles, &self.crowd.scenery.obstacle_index)
    }

    /// The walls near any of the agents.
    pub(crate) fn walls(&self) -> Ref<'a, Near> {
        self.near(&self.candidates.walls, &self.crowd.scenery.wall_index)
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
        L::compiled(
            #[inline(always)]
            || {
                let end = self.crowd.len().min(self.first + L::WIDTH);
                let motion = self.crowd.motion;
                let (x, y) = (&motion.x[self.first..end], &motion.y[self.first..end]);
                let around = match self.candidates.around.get() {
                    Some(known) => known,
                    None => Aabb::around(x, y),
                };
                self.candidates.around.set(Some(around));
                self.crowd.find_near(index, (x, y), around, near);
            },
        );
    }
}

/// Two numbers of each lane, from number `first` on.
#[inline(always)]
pub(super) fn gathered<L: Lanes, const N: usize>(
    lanes: &[[f32; N]; MAX_WIDTH],
    first: usize,
) -> Vec2<L> {
    Vec2::new(L::from_fn(|lane| lanes[lane][first]), L::from_fn(|lane| lanes[lane][first + 1]))
}
