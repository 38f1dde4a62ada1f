//! What an agent's behaviors computed with, noted by the twins for explanations.

/// What one behavior contributed.
#[derive(Clone, Debug, PartialEq)]
pub struct Contribution {
    /// The behavior's place in its species' list, from 0.
    pub number: usize,
    /// The behavior's name.
    pub behavior: &'static str,
    /// Its weighted force.
    pub force: [f32; 2],
    /// What the prioritized sum kept of it.
    pub kept: [f32; 2],
    /// What it was computed from.
    pub marks: Vec<Mark>,
}

/// Something to be drawn, in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// What it stands for.
    pub what: What,
    /// What it looks like.
    pub shape: Shape,
}

/// What a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum What {
    /// What the behavior steers by.
    Target,
    /// Where something is predicted to be.
    Predicted,
    /// A distance that decides whether a behavior acts.
    Range,
    /// A feeler, or the line of a look ahead.
    Feeler,
    /// Where a feeler meets a wall.
    Hit,
    /// The box in which obstacles are avoided.
    DetectionBox,
    /// The obstacle or neighbor that is avoided.
    Threat,
    /// The circle on which the wander target moves.
    WanderCircle,
    /// The wander target.
    WanderTarget,
    /// A place to hide.
    HidingSpot,
    /// The place to hide that was chosen.
    HidingPlace,
    /// The waypoint it is on the way to.
    Waypoint,
    /// The part of a path's tube that it is in or next to.
    Tube,
    /// A place that it tries to reach.
    Place,
    /// The line between the targets of an interposition.
    Span,
    /// The way that a leader wants clear.
    ClearWay,
}

/// What a mark looks like, in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A point.
    Point([f32; 2]),
    /// From one point to another.
    Line([[f32; 2]; 2]),
    /// A circle.
    Circle {
        /// Its center.
        center: [f32; 2],
        /// Its radius.
        radius: f32,
    },
    /// Four corners, in order.
    Box([[f32; 2]; 4]),
}

/// What an agent's behaviors computed with.
#[derive(Default)]
pub(crate) struct Notes {
    pub(crate) contributions: Vec<Contribution>,
    /// Marks since the last contribution.
    pub(crate) marks: Vec<Mark>,
}
