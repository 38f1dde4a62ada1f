//! What behaviors steer by: a point or an agent, and where it is.

use serde::{Deserialize, Serialize};

use crate::error::{Error, within};
use crate::id::AgentId;
use crate::math::lanes::{Lanes, Mask};
use crate::math::vec2::Vec2;
use crate::world::check_point;
use crate::world::space::{self, Space};

/// The target of a behavior.
///
/// In scene files: `[x, y]`, the name of one of the scene's points, `"own"`,
/// `{ species = "shark", number = 0 }`, `{ nearest = "shark", distance = 30, field_of_view = 90 }`
/// (of which only `nearest` is required), or `{ index = 7, generation = 0 }`.
///
/// A behavior whose target was removed, or is not in view, gives no force.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
#[non_exhaustive]
pub enum Target {
    /// No target, the default. Scenes refuse it.
    #[default]
    Unset,
    /// A fixed point, in world units.
    Point([f32; 2]),
    /// One of the scene's named points, which
    /// [`Simulation::set_point`](crate::Simulation::set_point) can move while the crowd runs.
    Named(String),
    /// One of the agents at the start of the scene, counted from 0 within its species.
    Member {
        /// The species' name.
        species: String,
        /// The number of the agent.
        number: u32,
    },
    /// For each agent, the nearest agent that it sees of one species, including agents added later.
    /// If several are equally near, the first in slot order.
    Nearest {
        /// The species' name.
        species: String,
        /// How far to look, in world units, from 1e-3 to 1e6; the seeking species' view distance by
        /// default.
        distance: Option<f32>,
        /// The full angle in which to look, in degrees, from 0 to 360; the agent's field of view by
        /// default.
        field_of_view: Option<f32>,
    },
    /// An agent, by id.
    Agent(AgentId),
    /// Each agent's own target, set by its species' `own_target` at the start and by
    /// [`Simulation::set_own_target`](crate::Simulation::set_own_target) later.
    Own,
}

/// A target as scene files write it.
#[derive(Clone, Serialize, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected a point [x, y], the name of a point, \"own\", \
                 { species = \"…\", number = … }, { nearest = \"…\" } or \
                 { index = …, generation = … }"
)]
enum Written {
    Point([f32; 2]),
    Name(String),
    Member {
        species: String,
        number: u32,
    },
    Nearest {
        nearest: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        distance: Option<f32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        field_of_view: Option<f32>,
    },
    Agent(AgentId),
}

const UNSET: &str = "unset";
const OWN: &str = "own";

impl From<Written> for Target {
    fn from(written: Written) -> Self {
        match written {
            Written::Point(point) => Self::Point(point),
            Written::Name(name) if name == OWN => Self::Own,
            Written::Name(name) if name == UNSET => Self::Unset,
            Written::Name(name) => Self::Named(name),
            Written::Member { species, number } => Self::Member { species, number },
            Written::Nearest { nearest, distance, field_of_view } => {
                Self::Nearest { species: nearest, distance, field_of_view }
            }
            Written::Agent(id) => Self::Agent(id),
        }
    }
}

impl From<Target> for Written {
    fn from(target: Target) -> Self {
        match target {
            Target::Unset => Self::Name(UNSET.into()),
            Target::Own => Self::Name(OWN.into()),
            Target::Point(point) => Self::Point(point),
            Target::Named(name) => Self::Name(name),
            Target::Member { species, number } => Self::Member { species, number },
            Target::Nearest { species, distance, field_of_view } => {
                Self::Nearest { nearest: species, distance, field_of_view }
            }
            Target::Agent(id) => Self::Agent(id),
        }
    }
}

impl From<[f32; 2]> for Target {
    fn from(point: [f32; 2]) -> Self {
        Self::Point(point)
    }
}

impl From<AgentId> for Target {
    fn from(id: AgentId) -> Self {
        Self::Agent(id)
    }
}

impl Target {
    /// A named point of the scene.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self::Named(name.into())
    }

    /// Agent `number` of a species, at the start of the scene.
    #[must_use]
    pub fn member(species: impl Into<String>, number: u32) -> Self {
        Self::Member { species: species.into(), number }
    }

    /// The nearest agent in view of a species.
    #[must_use]
    pub fn nearest(species: impl Into<String>) -> Self {
        Self::Nearest { species: species.into(), distance: None, field_of_view: None }
    }

    /// Checks what does not depend on the scene.
    pub(crate) fn check(&self, field: &str) -> Result<(), Error> {
        match self {
            Self::Unset => Err(Error::refused(
                field,
                "unset",
                "a point [x, y], the name of a point, \"own\", \
                 { species = \"…\", number = … } or { nearest = \"…\" }",
            )),
            Self::Point(point) => check_point(field, *point),
            Self::Nearest { distance, field_of_view, .. } => {
                let inside = |name, value: Option<f32>, min, max, unit| {
                    let field = format!("{field}.{name}");
                    value.map_or(Ok(()), |value| within(&field, value, min, max, unit))
                };
                inside("distance", *distance, 1.0e-3, 1.0e6, "world units")?;
                inside("field_of_view", *field_of_view, 0.0, 360.0, "degrees")
            }
            _ => Ok(()),
        }
    }
}

/// Checks that scene files do not read this name of a point as another target.
pub(crate) fn check_name(name: &str) -> Result<(), Error> {
    if name != OWN && name != UNSET {
        return Ok(());
    }
    Err(Error::refused(
        format!("points.{name}"),
        format!("a point called `{name}`"),
        format!("called something other than `{OWN}` or `{UNSET}`"),
    ))
}

/// Where a target is and how it moves. A fixed point does not move and heads nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose<T> {
    /// World units.
    pub position: Vec2<T>,
    /// Units/s.
    pub velocity: Vec2<T>,
    /// Unit vector; zero for a point.
    pub heading: Vec2<T>,
}

impl<T: Copy> Pose<T> {
    pub(crate) fn to_array(self) -> [T; 6] {
        let Self { position: p, velocity: v, heading: h } = self;
        [p.x, p.y, v.x, v.y, h.x, h.y]
    }
}

impl Pose<f32> {
    /// A point that stands still. On a torus it may be any number of worlds away.
    pub(crate) fn at(space: &Space, point: [f32; 2]) -> Self {
        Self { position: space::exactly_inside(space, point).into(), ..Self::default() }
    }
}

impl<L: Lanes> Pose<L> {
    /// One pose in every lane.
    #[inline(always)]
    pub(crate) fn splat(pose: Pose<f32>) -> Self {
        Self {
            position: Vec2::splat(pose.position),
            velocity: Vec2::splat(pose.velocity),
            heading: Vec2::splat(pose.heading),
        }
    }

    /// `a` in the lanes of the mask, `b` in the others.
    #[inline(always)]
    pub(crate) fn select(mask: Mask<L>, a: Self, b: Self) -> Self {
        Self {
            position: Vec2::select(mask, a.position, b.position),
            velocity: Vec2::select(mask, a.velocity, b.velocity),
            heading: Vec2::select(mask, a.heading, b.heading),
        }
    }
}

/// A target that a whole species shares, as of the current step.
#[derive(Clone, Debug)]
pub(crate) struct SharedTarget {
    pub(crate) target: Target,
    /// The agent's id, unless the target is a point.
    pub(crate) id: Option<AgentId>,
    /// The agent's slot in the state's columns, if known.
    pub(crate) slot: Option<usize>,
    /// Absent once the agent is removed.
    pub(crate) pose: Option<Pose<f32>>,
}
