//! What only behaviors of other crates ask of a batch: columns, random numbers, time, and marks to
//! draw.

use crate::batch::Batch;
use crate::batch::notes::{Shape, What};
use crate::crowd::kind::Custom;
use crate::math::lanes::{Lanes, MAX_WIDTH};
use crate::math::random::{self, Stream};
use crate::math::vec2::Vec2;

impl<'a, L: Lanes> Batch<'a, L> {
    /// What the species knows of the behavior that is being computed.
    #[inline(always)]
    pub(crate) fn custom(&self) -> &'a Custom {
        &self.kind.custom[self.scratch.behavior]
    }

    /// The column with this number in [`CustomBehavior::columns`](crate::custom::CustomBehavior).
    #[inline(always)]
    pub(crate) fn own_column(&self, number: usize) -> &'a [f32] {
        &self.crowd.motion.own.0[self.custom().columns[number]]
    }

    /// Each agent's value in column `number` of the behavior's
    /// [`columns`](crate::custom::CustomBehavior::columns).
    ///
    /// # Panics
    /// If the behavior does not name so many.
    #[must_use]
    #[inline(always)]
    pub fn column(&self, number: usize) -> L {
        let column = self.custom().columns[number];
        L::load(&self.rows.motion.own.0[column][self.rows.row..])
    }

    /// Sets each agent's value in a column for the next step. Agents whose force budget is spent,
    /// or for whom dithering skips the behavior, keep theirs. The last behavior in the order
    /// decides.
    ///
    /// # Panics
    /// If the behavior does not name so many columns.
    #[inline(always)]
    pub fn set_column(&mut self, number: usize, value: L) {
        let column = self.custom().columns[number];
        let next = &mut self.scratch.own[column];
        *next = self.live.select(value, *next);
    }

    /// Whether the members' next values of columns are finite.
    #[inline(always)]
    pub(crate) fn columns_are_finite(&self) -> bool {
        let largest = L::splat(f32::MAX);
        !self.crowd.has_columns
            || self.scratch.own.iter().all(
                #[inline(always)]
                |next| (self.members & !next.abs().le(largest)).none(),
            )
    }

    /// Seconds per step.
    #[must_use]
    #[inline(always)]
    pub fn dt(&self) -> f32 {
        self.crowd.dt
    }

    /// The number of steps taken before this one.
    #[must_use]
    #[inline(always)]
    pub fn tick(&self) -> u64 {
        self.crowd.tick
    }

    /// Two random numbers in [−1, 1) for each agent, in steps of 2⁻²². They follow from the scene's
    /// seed, the behavior's name, the agent's id, the step and `draw`, and from nothing else.
    #[must_use]
    #[inline(always)]
    pub fn random(&self, draw: u8) -> [L; 2] {
        let stream = Stream::Custom { name: self.custom().key, draw };
        random::signed_units::<L>(self.crowd.seed, stream, self.indices(), self.crowd.tick)
    }

    /// Marks a point in the explanation of an agent.
    #[inline(always)]
    pub fn draw_point(&mut self, what: What, at: Vec2<L>) {
        self.draw(what, || Shape::Point(first(at)));
    }

    /// Marks a line in the explanation of an agent.
    #[inline(always)]
    pub fn draw_line(&mut self, what: What, from: Vec2<L>, to: Vec2<L>) {
        self.draw(what, || Shape::Line([first(from), first(to)]));
    }

    /// Marks a circle in the explanation of an agent.
    #[inline(always)]
    pub fn draw_circle(&mut self, what: What, center: Vec2<L>, radius: L) {
        let shape = || {
            let [radius, _] = first(Vec2::new(radius, radius));
            Shape::Circle { center: first(center), radius }
        };
        self.draw(what, shape);
    }

    /// Explanations are computed with one lane.
    #[inline(always)]
    fn draw(&mut self, what: What, shape: impl FnOnce() -> Shape) {
        if L::WIDTH == 1
            && let Some(notes) = &mut self.scratch.notes
        {
            notes.mark(what, shape());
        }
    }
}

/// The first lane.
fn first<L: Lanes>(vector: Vec2<L>) -> [f32; 2] {
    let mut lanes = [[0.0; MAX_WIDTH]; 2];
    vector.x.store(&mut lanes[0][..L::WIDTH]);
    vector.y.store(&mut lanes[1][..L::WIDTH]);
    lanes.map(|lanes| lanes[0])
}
