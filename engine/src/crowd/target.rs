use std::ops::Not;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::{Error, within};
use crate::id::AgentId;
use crate::math::component::Component;
use crate::math::lanes::{Lanes, Mask};
use crate::math::vec3::Vec3;
use crate::world::point::Point;
use crate::world::space::Space;

/// Target of a behavior: a point or an agent.
///
/// In scene files: `[x, y]`, the name of one of the scene's points, `"own"`,
/// `{ species = "shark", number = 0 }`,
/// `{ nearest = "shark", distance = 30, field_of_view = 90, line_of_sight = true }`
/// (only `nearest` is required), or `{ index = 7, generation = 0 }`.
///
/// A behavior exerts no force if its target was removed or is not in view.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "expected a point [x, y], the name of a point, \"own\", \
                 { species = \"…\", number = … }, { nearest = \"…\" } or \
                 { index = …, generation = … }"
)]
#[non_exhaustive]
pub enum Target {
    /// No target (the default). Scenes reject an unset target.
    #[default]
    #[serde(serialize_with = "write_unset", deserialize_with = "read_unset")]
    Unset,
    /// Each agent's own target. The species sets initial targets with `own_target`;
    /// [`Simulation::set_own_target`](crate::Simulation::set_own_target) changes them later.
    #[serde(serialize_with = "write_own", deserialize_with = "read_own")]
    Own,
    /// A fixed point. Coordinates are in world units, from -1e7 to 1e7.
    Point(Point),
    /// A named point in the scene.
    /// [`Simulation::set_point`](crate::Simulation::set_point) can move it between steps.
    Named(String),
    /// An agent present at the start of the scene, numbered from 0 within its species.
    Member {
        /// Name of the species.
        species: String,
        /// Index of the agent within its species, from 0.
        number: u32,
    },
    /// For each agent, the nearest visible agent of a species, including agents added later.
    /// Ties go to the first agent in slot order.
    Nearest {
        /// Name of the species.
        #[serde(rename = "nearest")]
        species: String,
        /// Search distance in world units, from 1e-3 to 1e6.
        /// Defaults to the view distance of the seeking agent's species.
        #[serde(skip_serializing_if = "Option::is_none")]
        distance: Option<f32>,
        /// Full viewing angle in degrees, from 0 to 360. Defaults to the agent's field of view.
        #[serde(skip_serializing_if = "Option::is_none")]
        field_of_view: Option<f32>,
        /// True if agents do not see through walls and obstacles, solid or not. Default false.
        #[serde(default, skip_serializing_if = "Not::not")]
        line_of_sight: bool,
    },
    /// A particular agent, which may have been added after the start.
    Agent(AgentId),
}

const UNSET: &str = "unset";
const OWN: &str = "own";

fn write_unset<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    UNSET.serialize(serializer)
}

fn write_own<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    OWN.serialize(serializer)
}

fn read_unset<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    read_word(deserializer, UNSET)
}

fn read_own<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    read_word(deserializer, OWN)
}

fn read_word<'de, D: Deserializer<'de>>(deserializer: D, word: &str) -> Result<(), D::Error> {
    let is_it = String::deserialize(deserializer)? == word;
    if is_it { Ok(()) } else { Err(D::Error::custom("another word")) }
}

impl From<[f32; 2]> for Target {
    fn from(point: [f32; 2]) -> Self {
        Self::Point(point.into())
    }
}

impl From<[f32; 3]> for Target {
    fn from(point: [f32; 3]) -> Self {
        Self::Point(point.into())
    }
}

impl From<Point> for Target {
    fn from(point: Point) -> Self {
        Self::Point(point)
    }
}

impl From<AgentId> for Target {
    fn from(id: AgentId) -> Self {
        Self::Agent(id)
    }
}

impl Target {
    /// Targets a named point of the scene.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self::Named(name.into())
    }

    /// Targets one of a species' initial agents by number, counting from 0.
    #[must_use]
    pub fn member(species: impl Into<String>, number: u32) -> Self {
        Self::Member { species: species.into(), number }
    }

    /// Targets the nearest visible agent of a species.
    ///
    /// ```
    /// use flockwork::behaviors::Evade;
    /// use flockwork::Target;
    ///
    /// let shark = Target::nearest("shark").distance(100.0).field_of_view(270.0);
    /// let evade = Evade { pursuer: shark, ..Evade::default() };
    /// # drop(evade);
    /// ```
    #[must_use]
    pub fn nearest(species: impl Into<String>) -> Self {
        let (distance, field_of_view) = (None, None);
        Self::Nearest { species: species.into(), distance, field_of_view, line_of_sight: false }
    }

    /// Sets the search distance of a [nearest agent](Self::nearest), from 1e-3 to 1e6 world units.
    /// Other targets have no search distance and are not changed.
    #[must_use]
    pub fn distance(mut self, units: f32) -> Self {
        if let Self::Nearest { distance, .. } = &mut self {
            *distance = Some(units);
        }
        self
    }

    /// Sets the full viewing angle for a [nearest agent](Self::nearest), from 0 to 360 degrees.
    /// Other targets are not changed.
    #[must_use]
    pub fn field_of_view(mut self, degrees: f32) -> Self {
        if let Self::Nearest { field_of_view, .. } = &mut self {
            *field_of_view = Some(degrees);
        }
        self
    }

    /// Makes walls and obstacles hide a [nearest agent](Self::nearest). Other targets are not
    /// changed.
    #[must_use]
    pub fn line_of_sight(mut self) -> Self {
        if let Self::Nearest { line_of_sight, .. } = &mut self {
            *line_of_sight = true;
        }
        self
    }

    pub(crate) fn check(&self, field: &str) -> Result<(), Error> {
        match self {
            Self::Unset => Err(Error::refused(
                field,
                "unset",
                "a point [x, y], the name of a point, \"own\", \
                 { species = \"…\", number = … } or { nearest = \"…\" }",
            )),
            Self::Point(point) => point.check(field),
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

/// Rejects `own` and `unset`, which are reserved in scene files and cannot name points.
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

/// Position, velocity and heading of a target. For a point, velocity and heading are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose<T: Component> {
    /// Position, in world units.
    pub position: Vec3<T>,
    /// Velocity, in units/s.
    pub velocity: Vec3<T>,
    /// Heading, as a unit vector; zero if the target is a point.
    pub heading: Vec3<T>,
}

impl Pose<f32> {
    /// The components of position, velocity and heading.
    pub(crate) fn to_array(self) -> [f32; 9] {
        let Self { position: p, velocity: v, heading: h } = self;
        [p.x, p.y, p.z, v.x, v.y, v.z, h.x, h.y, h.z]
    }

    /// On a torus, wraps the point into the world from any distance.
    pub(crate) fn at(space: &Space, point: Vec3<f32>) -> Self {
        Self { position: space.wrap_any(point), ..Self::default() }
    }
}

impl<L: Lanes> Pose<L> {
    #[inline(always)]
    pub(crate) fn splat(pose: Pose<f32>) -> Self {
        Self {
            position: Vec3::splat(pose.position),
            velocity: Vec3::splat(pose.velocity),
            heading: Vec3::splat(pose.heading),
        }
    }

    #[inline(always)]
    pub(crate) fn select(mask: Mask<L>, a: Self, b: Self) -> Self {
        Self {
            position: Vec3::select(mask, a.position, b.position),
            velocity: Vec3::select(mask, a.velocity, b.velocity),
            heading: Vec3::select(mask, a.heading, b.heading),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct SharedTarget {
    pub(crate) target: Target,
    pub(crate) id: Option<AgentId>,
    pub(crate) slot: Option<usize>,
    /// `None` once the target agent is removed.
    pub(crate) pose: Option<Pose<f32>>,
}

impl SharedTarget {
    /// The slot at which the target agent was last found, if the agent is still there.
    pub(crate) fn known_slot(&self, index: &[u32]) -> Option<usize> {
        self.slot.filter(|&slot| index.get(slot).copied() == self.id.map(|id| id.index))
    }
}
