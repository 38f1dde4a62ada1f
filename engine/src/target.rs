//! What a behavior steers by: a point, or an agent by id.
//!
//! The sort moves every agent every step. The few agents that whole species steer by are
//! tracked: after the sort each is found again in its cell, and its state is spread over all
//! lanes. Targets of single agents (`Target::Own`) are looked up through a table from index
//! to slot, which is filled after each sort, in scenes that have such targets.

use serde::{Deserialize, Serialize};

use crate::columns::NO_TARGET;
use crate::error::{Error, Place, within};
use crate::fields::FieldValue;
use crate::lanes::Lanes;
use crate::roster::AgentId;
use crate::scene::Scene;
use crate::simulation::Simulation;
use crate::vec2::Vec2;
use crate::velocity;
use crate::world::COORDINATE_LIMIT;

/// What a behavior steers by.
///
/// In scene files: `[x, y]`, the name of one of the scene's points, `"own"`,
/// `{ species = "shark", number = 0 }`, or `{ index = 7, generation = 0 }`.
///
/// A behavior whose target was removed gives no force.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
#[non_exhaustive]
pub enum Target {
    /// None yet: what a default has. Scenes refuse it.
    #[default]
    Nobody,
    /// A fixed point, in world units.
    Point([f32; 2]),
    /// One of the scene's named points, which can be moved while the crowd runs.
    Named(String),
    /// One of the agents that the scene starts with, counted from 0 within its species.
    Member {
        /// The species' name.
        species: String,
        /// Which of its agents.
        number: u32,
    },
    /// An agent.
    Agent(AgentId),
    /// The target of each agent's own: what its species' `own_target` says at the start, and
    /// [`Simulation::set_own_target`](crate::Simulation::set_own_target) later.
    Own,
}

/// How targets stand in scene files.
#[derive(Clone, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a point [x, y], the name of a point, \"own\", \
                 { species = \"…\", number = … } or { index = …, generation = … }"
)]
enum Written {
    Point([f32; 2]),
    Name(String),
    Member(Member),
    Agent(AgentId),
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Member {
    species: String,
    number: u32,
}

const NOBODY: &str = "nobody";
const OWN: &str = "own";

impl From<Written> for Target {
    fn from(written: Written) -> Self {
        match written {
            Written::Point(point) => Self::Point(point),
            Written::Name(name) if name == OWN => Self::Own,
            Written::Name(name) if name == NOBODY => Self::Nobody,
            Written::Name(name) => Self::Named(name),
            Written::Member(Member { species, number }) => Self::Member { species, number },
            Written::Agent(id) => Self::Agent(id),
        }
    }
}

impl From<Target> for Written {
    fn from(target: Target) -> Self {
        match target {
            Target::Nobody => Self::Name(NOBODY.into()),
            Target::Own => Self::Name(OWN.into()),
            Target::Point(point) => Self::Point(point),
            Target::Named(name) => Self::Name(name),
            Target::Member { species, number } => Self::Member(Member { species, number }),
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

    /// Agent `number` of a species, as the scene starts.
    #[must_use]
    pub fn member(species: impl Into<String>, number: u32) -> Self {
        Self::Member { species: species.into(), number }
    }

    /// What can be checked without the scene.
    pub(crate) fn check(&self, field: &str) -> Result<(), Error> {
        match self {
            Self::Nobody => Err(Error::OutOfRange {
                at: Place::default(),
                field: field.into(),
                value: "nobody".into(),
                allowed: "a point [x, y], the name of a point, \"own\", or \
                          { species = \"…\", number = … }"
                    .into(),
            }),
            Self::Point(point) => check_point(field, *point),
            _ => Ok(()),
        }
    }
}

/// Whether a point may have this name, which scene files must not read as something else.
pub(crate) fn check_name(name: &str) -> Result<(), Error> {
    if name != OWN && name != NOBODY {
        return Ok(());
    }
    Err(Error::OutOfRange {
        at: Place::default(),
        field: format!("points.{name}"),
        value: format!("a point called `{name}`"),
        allowed: format!("called something else than `{OWN}` and `{NOBODY}`"),
    })
}

pub(crate) fn check_point(field: &str, point: [f32; 2]) -> Result<(), Error> {
    point.iter().enumerate().try_for_each(|(axis, &value)| {
        let field = format!("{field}[{axis}]");
        within(&field, value, -COORDINATE_LIMIT, COORDINATE_LIMIT, "world units")
    })
}

/// Which agent each agent of a species has as its own target at the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnTarget {
    /// The agent before it in its species; the first has none. Makes a single file.
    Previous,
    /// The same, but the first has the first agent of the named species.
    SingleFile(String),
    /// The agent of the same number in the named species, counted again from 0 if that has
    /// fewer.
    EachOf(String),
}

/// Where a target is and how it moves. A fixed point does not move and heads nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pose<T> {
    pub(crate) position: Vec2<T>,
    pub(crate) velocity: Vec2<T>,
    pub(crate) heading: Vec2<T>,
}

impl<T: Copy> Pose<T> {
    pub(crate) fn from_array([x, y, vx, vy, hx, hy]: [T; 6]) -> Self {
        Self { position: Vec2::new(x, y), velocity: Vec2::new(vx, vy), heading: Vec2::new(hx, hy) }
    }

    pub(crate) fn to_array(self) -> [T; 6] {
        let Self { position: p, velocity: v, heading: h } = self;
        [p.x, p.y, v.x, v.y, h.x, h.y]
    }
}

impl Pose<f32> {
    /// A point that stands still.
    pub(crate) fn at(point: [f32; 2]) -> Self {
        Self { position: point.into(), ..Self::default() }
    }
}

impl<L: Lanes> Pose<L> {
    /// The same in every lane.
    #[inline(always)]
    pub(crate) fn splat(pose: Pose<f32>) -> Self {
        Self::from_array(pose.to_array().map(L::splat))
    }
}

/// A target that a whole species shares, as of the present step.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    pub(crate) target: Target,
    /// The agent that it is, unless it is a point.
    pub(crate) id: Option<AgentId>,
    /// Where that agent is in the state's columns, if known.
    pub(crate) slot: Option<usize>,
    /// Absent once the agent is removed.
    pub(crate) pose: Option<Pose<f32>>,
}

/// The targets that whole species share, each once.
pub(crate) fn anchors(scene: &Scene) -> Vec<Anchor> {
    let mut anchors: Vec<Anchor> = Vec::new();
    for mut behavior in scene.species.iter().flat_map(|species| species.behaviors.clone()) {
        for field in behavior.fields() {
            let FieldValue::Target(target) = field.value else { continue };
            if anchors.iter().any(|anchor| anchor.target == *target) {
                continue;
            }
            let id = match target {
                Target::Nobody | Target::Point(_) | Target::Own => continue,
                Target::Named(_) => None,
                Target::Agent(id) => Some(*id),
                Target::Member { species, number } => {
                    let kind = scene.species_index(species).expect("the scene was checked");
                    Some(AgentId { index: scene.first_index(kind) + *number, generation: 0 })
                }
            };
            anchors.push(Anchor { target: target.clone(), id, slot: None, pose: None });
        }
    }
    anchors
}

impl Simulation {
    /// Moves one of the scene's named points.
    ///
    /// # Errors
    /// An unknown name or a coordinate out of range.
    pub fn set_point(&mut self, name: &str, to: [f32; 2]) -> Result<(), Error> {
        check_point(&format!("points.{name}"), to)?;
        match self.scene.points.get_mut(name) {
            Some(point) => *point = to,
            None => {
                let names = self.scene.points.keys().map(String::as_str);
                return Err(Error::unknown("point", name, names));
            }
        }
        Ok(())
    }

    /// The agent that an agent has as its own target; none if it never had one, or if that
    /// agent was removed.
    ///
    /// # Errors
    /// [`Error::NoSuchAgent`] if the agent itself was removed.
    pub fn own_target(&self, id: AgentId) -> Result<Option<AgentId>, Error> {
        let slot = self.slot_of(id)?;
        let target = self.traits.target.get(slot).copied().filter(|&target| target != NO_TARGET);
        Ok(target.map(|index| self.roster.id(index)))
    }

    /// Gives an agent a target of its own, for behaviors whose target is
    /// [`Target::Own`](crate::Target::Own), or takes it away.
    ///
    /// # Errors
    /// [`Error::NoSuchAgent`] if one of them was removed; and if no behavior of any species
    /// steers by own targets.
    pub fn set_own_target(&mut self, id: AgentId, target: Option<AgentId>) -> Result<(), Error> {
        let slot = self.slot_of(id)?;
        if let Some(target) = target {
            self.slot_of(target)?;
        }
        match self.traits.target.get_mut(slot) {
            Some(entry) => *entry = target.map_or(NO_TARGET, |target| target.index),
            None => {
                return Err(Error::OutOfRange {
                    at: Place::default(),
                    field: "own target".into(),
                    value: format!("{target:?}"),
                    allowed: "set in scenes where some behavior steers by \"own\"".into(),
                });
            }
        }
        self.sorted = false;
        Ok(())
    }

    /// Brings the shared targets up to date with the state.
    pub(crate) fn aim(&mut self) {
        for anchor in &mut self.anchors {
            anchor.pose = match (&anchor.target, anchor.id) {
                (Target::Named(name), _) => self.scene.points.get(name).copied().map(Pose::at),
                (_, Some(id)) => {
                    let slot =
                        anchor.slot.or_else(|| self.roster.slot(id, &self.traits.index).ok());
                    anchor.slot = slot;
                    slot.map(|slot| velocity::pose(&self.motion, &self.traits, &self.kinds, slot))
                }
                (_, None) => None,
            };
        }
    }

    /// Finds the shared targets again in the sorted copy, which is about to become the state.
    pub(crate) fn track(&mut self) {
        for anchor in &mut self.anchors {
            let (Some(slot), Some(id)) = (anchor.slot, anchor.id) else { continue };
            let mut slots = self.grid.slots_at(self.motion.x[slot], self.motion.y[slot]);
            anchor.slot = slots.find(|&slot| self.traits_next.index[slot] == id.index);
        }
    }

    /// Notes where everybody is in the sorted copy, if agents have targets of their own.
    pub(crate) fn locate(&mut self) {
        if self.traits.target.is_empty() {
            return;
        }
        self.slots.resize(self.roster.indices(), 0);
        for (slot, &index) in (0..).zip(&self.traits_next.index) {
            self.slots[index as usize] = slot;
        }
    }
}
