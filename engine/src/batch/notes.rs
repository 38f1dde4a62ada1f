//! Notes for explanations: what an agent's behaviors compute with.
//!
//! Explanations are computed with one lane. Behaviors say what to draw while they compute, which
//! costs nothing with more lanes, and next to nothing with one where nobody asks.

use crate::id::AgentId;

/// What one behavior contributed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
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
    /// The agents that it counts as neighbors, if its neighborhood is not that of the species.
    pub neighbors: Option<Vec<AgentId>>,
}

/// Something to draw, in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// What it stands for.
    pub feature: Feature,
    /// Its shape.
    pub shape: Shape,
}

/// What a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Feature {
    /// The target of the behavior.
    Target,
    /// A predicted position.
    Predicted,
    /// A distance that decides whether a behavior acts.
    Range,
    /// How far a rule looks whose neighborhood is not that of the species.
    Neighborhood,
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
    pub(super) marks: Vec<Mark>,
}
