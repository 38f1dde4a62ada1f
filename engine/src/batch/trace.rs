//! Records what an agent's behaviors compute, for explanations.
//!
//! Behaviors record shapes to draw, but only in the single-lane kernels that explanations use.
//! Wider kernels contain no recording code. Outside explanations, single-lane kernels skip it.

use crate::id::AgentId;

/// Contribution of a behavior to an agent's steering force, in an
/// [`Explanation`](crate::inspect::Explanation).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contribution {
    /// Index of the behavior in its species' list, from 0.
    pub number: usize,
    /// Name of the behavior, as in scene files.
    pub behavior: &'static str,
    /// Weighted force, in mass · units/s².
    pub force: [f32; 3],
    /// Part of the force that the prioritized sum keeps, in mass · units/s².
    /// The other rules for combining forces keep all of it.
    pub kept: [f32; 3],
    /// Shapes that illustrate how the behavior computed the force.
    pub marks: Vec<Mark>,
    /// Agents in the behavior's neighborhood, if it has one of its own. For `hide_in_flock`, always
    /// the agents that it may hide among.
    pub neighbors: Option<Vec<AgentId>>,
}

/// A shape that illustrates a [`Contribution`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Kind of item that the shape shows, e.g. a target or a feeler.
    pub feature: Feature,
    /// Shape to draw, with coordinates in world units.
    pub shape: Shape,
}

/// The kind of item that a [`Mark`] shows, such as a target or a feeler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Feature {
    /// Position of the behavior's target.
    Target,
    /// Predicted position of the agent or its target, or midpoint of interpose's predicted targets.
    Predicted,
    /// Circle within which a behavior acts, e.g. around a pursuer.
    Range,
    /// View distance of the behavior's own neighborhood.
    Neighborhood,
    /// Feeler or look-ahead line.
    Feeler,
    /// Point where a feeler hits a wall.
    Hit,
    /// Detection box of obstacle avoidance.
    DetectionBox,
    /// Obstacle or neighbor that the agent avoids.
    Threat,
    /// Circle on which the wander target moves.
    WanderCircle,
    /// Point on the wander circle that the agent steers toward.
    WanderTarget,
    /// Hiding spot that the agent considers, chosen or not.
    HidingSpot,
    /// Chosen hiding spot, or the mean position of the neighbors that the agent hides among.
    ChosenHidingSpot,
    /// Circle within which the current waypoint counts as visited.
    Waypoint,
    /// Circle with the tube's radius, around the path point nearest to the predicted position.
    Tube,
    /// Position that the agent steers toward.
    Goal,
    /// Line between the predicted positions of interpose's two targets.
    Span,
    /// Area ahead of a leader that followers keep clear.
    ClearArea,
}

/// Shape of a [`Mark`], in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A point, as `[x, y, z]`; z is 0 in flat worlds.
    Point([f32; 3]),
    /// A line segment, given by its endpoints.
    Line([[f32; 3]; 2]),
    /// A circle, e.g. an obstacle or a range; in worlds with depth, a sphere.
    Circle {
        /// Center, in world units.
        center: [f32; 3],
        /// Radius, in world units.
        radius: f32,
    },
    /// A rectangle at any angle, given by its corners in order around the perimeter.
    Box([[f32; 3]; 4]),
}

#[derive(Default)]
pub(crate) struct Trace {
    pub(crate) contributions: Vec<Contribution>,
    pub(super) marks: Vec<Mark>,
}
