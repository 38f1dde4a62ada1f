//! Notes for explanations: what an agent's behaviors compute with.
//!
//! Explanations are computed with one lane. Behaviors say what to draw while they compute, which
//! costs nothing with more lanes, and next to nothing with one where nobody asks.

use crate::batch::Batch;
use crate::math::force::Force;
use crate::math::lanes::{Lanes, MAX_WIDTH, Mask};
use crate::math::vec2::Vec2;

/// What one behavior contributed.
#[derive(Clone, Debug, PartialEq)]
pub struct Contribution {
    /// The behavior's position in its species' list, from 0.
    pub number: usize,
    /// The behavior's name.
    pub behavior: &'static str,
    /// Its weighted force.
    pub force: [f32; 2],
    /// What the prioritized sum kept of it; with the other methods, all of it.
    pub kept: [f32; 2],
    /// What it was computed from, to draw.
    pub marks: Vec<Mark>,
}

/// Something to draw, in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// What it stands for.
    pub what: What,
    /// Its shape.
    pub shape: Shape,
}

/// What a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum What {
    /// The target of the behavior.
    Target,
    /// A predicted position.
    Predicted,
    /// A distance that decides whether a behavior acts.
    Range,
    /// A feeler, or the line of look-ahead.
    Feeler,
    /// Where a feeler meets a wall.
    Hit,
    /// The detection box of obstacle avoidance.
    DetectionBox,
    /// The obstacle or neighbor that is avoided.
    Threat,
    /// The circle on which the wander target moves.
    WanderCircle,
    /// The wander target.
    WanderTarget,
    /// A hiding spot.
    HidingSpot,
    /// The hiding spot that was chosen.
    HidingPlace,
    /// The current waypoint: the circle within which it counts as visited.
    Waypoint,
    /// A circle of a path's tube, at the point of the path nearest to the predicted position.
    Tube,
    /// A position that the agent steers to.
    Place,
    /// The line between the predicted positions of the two targets of interpose.
    Span,
    /// The area that a leader wants clear.
    ClearWay,
}

/// The shape of a mark, in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A point.
    Point([f32; 2]),
    /// A line from one point to another.
    Line([[f32; 2]; 2]),
    /// A circle.
    Circle {
        /// Its center.
        center: [f32; 2],
        /// Its radius.
        radius: f32,
    },
    /// A box: its four corners, in order.
    Box([[f32; 2]; 4]),
}

/// What an agent's behaviors compute with.
#[derive(Default)]
pub(crate) struct Notes {
    pub(crate) contributions: Vec<Contribution>,
    /// Marks since the last contribution.
    marks: Vec<Mark>,
}

impl<L: Lanes> Batch<'_, L> {
    /// Marks a point in the explanation of an agent, if it is among `lanes`.
    #[inline(always)]
    pub fn draw_point(&mut self, what: What, at: Vec2<L>, lanes: Mask<L>) {
        self.draw(what, lanes, || Shape::Point(first(at)));
    }

    /// Marks a line in the explanation of an agent, if it is among `lanes`.
    #[inline(always)]
    pub fn draw_line(&mut self, what: What, from: Vec2<L>, to: Vec2<L>, lanes: Mask<L>) {
        self.draw(what, lanes, || Shape::Line([first(from), first(to)]));
    }

    /// Marks a circle in the explanation of an agent, if it is among `lanes`.
    #[inline(always)]
    pub fn draw_circle(&mut self, what: What, center: Vec2<L>, radius: L, lanes: Mask<L>) {
        self.draw(what, lanes, || {
            let [radius, _] = first(Vec2::new(radius, radius));
            Shape::Circle { center: first(center), radius }
        });
    }

    /// Marks a box, from `base` along `ahead` and as far as `aside` to either side, in the
    /// explanation of an agent, if it is among `lanes`.
    #[inline(always)]
    pub fn draw_box(
        &mut self,
        what: What,
        base: Vec2<L>,
        [ahead, aside]: [Vec2<L>; 2],
        lanes: Mask<L>,
    ) {
        self.draw(what, lanes, || {
            let end = base + ahead;
            Shape::Box([base - aside, end - aside, end + aside, base + aside].map(first))
        });
    }

    #[inline(always)]
    fn draw(&mut self, what: What, lanes: Mask<L>, shape: impl FnOnce() -> Shape) {
        if L::WIDTH == 1
            && let Some(notes) = &mut self.scratch.notes
            && lanes.any()
        {
            notes.marks.push(Mark { what, shape: shape() });
        }
    }

    /// Notes the force of a behavior; `factor` times its vector is what the sum keeps of it.
    #[inline(always)]
    pub(crate) fn note_force(
        &mut self,
        (number, name): (usize, impl FnOnce() -> &'static str),
        force: &Force<L>,
        [weight, factor]: [L; 2],
    ) {
        if L::WIDTH == 1
            && let Some(notes) = &mut self.scratch.notes
        {
            let marks = std::mem::take(&mut notes.marks);
            let (all, kept) = (force.vector * force.factor(weight), force.vector * factor);
            let (behavior, force, kept) = (name(), first(all), first(kept));
            notes.contributions.push(Contribution { number, behavior, force, kept, marks });
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
