//! Why an agent does what it does: the force of every behavior, and what it was computed
//! from, to be drawn.
//!
//! The scalar twins compute it, which give the same bits as the kernels that steer.

use std::cell::RefCell;

use crate::behavior::Behavior;
use crate::cells::Cells;
use crate::crowd::Partition;
use crate::error::Error;
use crate::reference::{self, Agent};
use crate::roster::AgentId;
use crate::simulation::Simulation;

/// Why an agent will do what it does in the next step.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The combined steering force.
    pub force: [f32; 2],
    /// What each behavior contributed, in the order in which they were evaluated. Those that
    /// were not are in `unreached`.
    pub contributions: Vec<Contribution>,
    /// The behaviors that were not evaluated, for want of force budget or by dithering: their
    /// places in the species' list, and their names.
    pub unreached: Vec<(usize, &'static str)>,
    /// The agents that it sees.
    pub neighbors: Vec<AgentId>,
    /// How far it looks for neighbors, in world units.
    pub view_distance: f32,
    /// The low and the high corner of the box around all that it may see: its view distance to
    /// each side, and the largest bounding radius more if that counts.
    pub query: [[f32; 2]; 2],
    /// The cells in which it looks for neighbors, which are those that the box meets, and
    /// sometimes one more for rounding; none with [`Partition::AllPairs`].
    pub cells: Option<Cells>,
}

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

impl Simulation {
    /// Why an agent will do what it does in the next step.
    ///
    /// # Errors
    /// [`Error::NoSuchAgent`] if it was removed.
    pub fn explain(&mut self, id: AgentId) -> Result<Explanation, Error> {
        let neighbors = self.neighbors(id)?;
        let slot = self.sorted_slot(id)?;
        let crowd = self.sorted_crowd();
        let runs = RefCell::default();
        let mut agent = Agent::with_notes(&crowd, slot, &runs);
        let force = reference::combine::force(&mut agent);
        let (at, kind) = (agent.position, agent.kind);
        let reach = kind.reach;
        let names = kind.species.behaviors.iter().map(Behavior::name);
        let contributions = agent.into_notes().contributions;
        Ok(Explanation {
            force: [force.x, force.y],
            neighbors,
            view_distance: kind.view,
            query: [[at.x - reach, at.y - reach], [at.x + reach, at.y + reach]],
            cells: (crowd.partition == Partition::Cells).then(|| crowd.grid.around(at, reach)),
            unreached: unreached(names, &contributions),
            contributions,
        })
    }
}

/// The behaviors that are not among the contributions.
fn unreached(
    names: impl Iterator<Item = &'static str>,
    contributions: &[Contribution],
) -> Vec<(usize, &'static str)> {
    let reached = |number: usize| contributions.iter().any(|part| part.number == number);
    names.enumerate().filter(|(number, _)| !reached(*number)).collect()
}
