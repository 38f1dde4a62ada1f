//! One agent, and what its behaviors share: the twin of a batch.

use std::cell::Ref;

use arrayvec::ArrayVec;

use crate::batch::Candidates;
use crate::batch::notes::{Notes, Shape, What};
use crate::behaviors::target::Target;
use crate::crowd::columns::{Memory, value};
use crate::crowd::kind::Kind;
use crate::crowd::neighborhood::Neighborhood;
use crate::crowd::pose::Pose;
use crate::crowd::{Crowd, Partition};
use crate::grid::runs::Runs;
use crate::math::force::Force;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::scenery::index::Index;
use crate::species::MAX_COLUMNS;

/// The agent in one slot.
pub(crate) struct Agent<'a, S> {
    pub(crate) crowd: &'a Crowd<'a>,
    pub(crate) kind: &'a Kind,
    pub(crate) slot: usize,
    pub(crate) position: Vec2<S>,
    pub(crate) velocity: Vec2<S>,
    pub(crate) heading: Vec2<S>,
    pub(crate) max_speed: S,
    pub(crate) memory: Memory<S>,
    /// The next values of the columns that the scene defines.
    pub(crate) own: ArrayVec<S, MAX_COLUMNS>,
    pub(super) candidates: &'a Candidates,
    /// Use [`neighborhood::of`](super::neighborhood::of).
    pub(super) neighborhood: Option<Neighborhood<S>>,
    /// What its behaviors computed with, if an explanation needs it.
    pub(super) notes: Option<Notes>,
}

impl<'a, S: Scalar> Agent<'a, S> {
    /// `candidates` is scratch memory.
    pub(crate) fn new(crowd: &'a Crowd<'a>, slot: usize, candidates: &'a mut Candidates) -> Self {
        candidates.forget();
        let motion = crowd.motion;
        let kind = &crowd.kinds[crowd.kind_of(slot)];
        let number = |column: &[f32]| S::splat(column.get(slot).copied().unwrap_or(0.0));
        let vector = |x: &[f32], y: &[f32]| Vec2::new(number(x), number(y));
        let mut agent = Self {
            crowd,
            kind,
            slot,
            position: vector(&motion.x, &motion.y),
            velocity: Vec2::splat(crowd.velocity(slot)),
            heading: vector(&motion.hx, &motion.hy),
            max_speed: value(&crowd.traits.max_speed, slot, kind.species.max_speed),
            memory: Memory {
                wander: vector(&motion.wander_x, &motion.wander_y),
                waypoint: number(&motion.waypoint),
                alert: number(&motion.alert),
            },
            own: ArrayVec::new(),
            candidates,
            neighborhood: None,
            notes: None,
        };
        if crowd.has_columns {
            agent.own.extend(motion.own.0.iter().map(|column| S::splat(column[slot])));
        }
        agent
    }

    /// The same, taking notes.
    #[inline(always)]
    pub(crate) fn with_notes(
        crowd: &'a Crowd<'a>,
        slot: usize,
        candidates: &'a mut Candidates,
    ) -> Self {
        Self { notes: Some(Notes::default()), ..Self::new(crowd, slot, candidates) }
    }

    #[inline(always)]
    pub(crate) fn into_notes(self) -> Notes {
        self.notes.unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn max_force(&self) -> S {
        value(&self.crowd.traits.max_force, self.slot, self.kind.species.max_force)
    }

    #[inline(always)]
    pub(crate) fn mass(&self) -> S {
        value(&self.crowd.traits.mass, self.slot, self.kind.species.mass)
    }

    #[inline(always)]
    pub(crate) fn radius(&self) -> S {
        value(&self.crowd.traits.radius, self.slot, self.kind.species.radius)
    }

    /// Speed as a share of the maximum speed, from 0 to 1.
    #[inline(always)]
    pub(crate) fn speed_share(&self) -> S {
        let share = self.velocity.length() / self.max_speed;
        if share < 1.0 { share } else { S::splat(1.0) }
    }

    /// The way to a point: on the torus, the shortest.
    #[inline(always)]
    pub(crate) fn way_to(&self, point: Vec2<S>) -> Vec2<S> {
        self.crowd.space.displacement(self.position, point)
    }

    /// Where a target is and how it moves.
    #[inline(always)]
    pub(crate) fn target(&mut self, target: &Target) -> Option<Pose<S>> {
        let pose = match target {
            Target::Own => self.crowd.own_pose(self.slot),
            shared => self.crowd.pose(shared),
        };
        let pose = Pose::splat(pose?);
        self.draw_point(What::Target, pose.position);
        Some(pose)
    }

    /// The candidates for neighbors.
    #[inline(always)]
    pub(crate) fn runs(&self) -> Ref<'a, Runs> {
        self.candidates.runs::<S>(self.crowd, self.slot..self.slot + 1)
    }

    /// The obstacles near the agent.
    #[inline(always)]
    pub(crate) fn obstacles(&self) -> Near<'a> {
        self.near(&self.crowd.scenery.obstacle_index)
    }

    /// All obstacles.
    #[inline(always)]
    pub(crate) fn all_obstacles(&self) -> Near<'a> {
        Near { index: &self.crowd.scenery.obstacle_index, at: None }
    }

    /// The walls near the agent.
    #[inline(always)]
    pub(crate) fn walls(&self) -> Near<'a> {
        self.near(&self.crowd.scenery.wall_index)
    }

    #[inline(always)]
    fn near(&self, index: &'a Index) -> Near<'a> {
        let cells = self.crowd.partition != Partition::AllPairs;
        Near { index, at: if cells { Some(self.position.into()) } else { None } }
    }

    /// Whether all next values of columns are finite.
    pub(crate) fn columns_are_finite(&self) -> bool {
        !self.crowd.has_columns || self.own.iter().all(|next| next.get().is_finite())
    }

    /// Notes the force of behavior `number` of its species; `factor` times its vector is what the
    /// sum kept of it.
    #[inline(always)]
    pub(crate) fn note_force(&mut self, number: usize, force: &Force<S>, weight: S, factor: S) {
        if let Some(notes) = &mut self.notes {
            let name = self.kind.species.behaviors[number].name();
            let (weighted, kept) = (force.vector * force.factor(weight), force.vector * factor);
            notes.force(number, name, weighted.into(), kept.into());
        }
    }

    #[inline(always)]
    fn draw(&mut self, what: What, shape: impl FnOnce() -> Shape) {
        if let Some(notes) = &mut self.notes {
            notes.mark(what, shape());
        }
    }

    #[inline(always)]
    pub(crate) fn draw_point(&mut self, what: What, at: Vec2<S>) {
        self.draw(what, || Shape::Point(at.into()));
    }

    #[inline(always)]
    pub(crate) fn draw_line(&mut self, what: What, from: Vec2<S>, to: Vec2<S>) {
        self.draw(what, || Shape::Line([from.into(), to.into()]));
    }

    #[inline(always)]
    pub(crate) fn draw_circle(&mut self, what: What, center: Vec2<S>, radius: S) {
        self.draw(what, || Shape::Circle { center: center.into(), radius: radius.get() });
    }

    /// A box that extends `length` ahead of `base` and `half_width` to either side.
    #[inline(always)]
    pub(crate) fn draw_box(
        &mut self,
        what: What,
        base: Vec2<S>,
        heading: Vec2<S>,
        [length, half_width]: [S; 2],
    ) {
        self.draw(what, || {
            let (ahead, aside) = (heading * length, heading.perp() * half_width);
            let corners = [base - aside, base + ahead - aside, base + ahead + aside, base + aside];
            Shape::Box(corners.map(<[f32; 2]>::from))
        });
    }
}

/// Obstacles or walls: those near a position, or all.
pub(crate) struct Near<'a> {
    index: &'a Index,
    at: Option<[f32; 2]>,
}

impl Near<'_> {
    /// Calls `visit` with each, in ascending order.
    #[inline(always)]
    pub(crate) fn for_each(&self, mut visit: impl FnMut(usize)) {
        match self.at {
            Some([x, y]) => {
                for item in self.index.at(x, y) {
                    visit(item as usize);
                }
            }
            None => {
                for item in 0..self.index.items() {
                    visit(item as usize);
                }
            }
        }
    }
}
