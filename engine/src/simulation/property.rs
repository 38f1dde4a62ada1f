use crate::crowd::columns::Memory;
use crate::crowd::limits::Limit;
use crate::error::Error;
use crate::math::vec3::Vec3;
use crate::simulation::Simulation;

/// Key of a per-agent vector property, for [`Simulation::get`] and [`Simulation::set`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vector {
    /// Position, in world units, inside the world.
    Position,
    /// Velocity, in units/s. The speed must not exceed the agent's maximum speed.
    /// With constant-speed locomotion, it must equal the maximum speed.
    /// Writing a velocity turns the agent to face in its direction.
    Velocity,
    /// Unit vector. Writing accepts any vector of length 1e-15 to 1e15 and normalizes it.
    /// An agent with constant-speed locomotion moves in the new direction at once.
    Heading,
    /// Position of the agent's own target, in world units; NaN if there is none. Writing sets a
    /// target point with coordinates within ±1e7, and requires a behavior whose target is
    /// [`Target::Own`](crate::Target::Own).
    /// [`set_own_target`](crate::Simulation::set_own_target) sets other kinds of target.
    OwnTarget,
}

/// Key of a per-agent scalar property, for [`Simulation::get`] and [`Simulation::set`]: a per-agent
/// parameter, the progress on a path, or a custom column. Writing a parameter overrides the
/// species' value for this agent. The override is saved and hashed, and survives a change of
/// species.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number<'a> {
    /// Maximum speed, 1e-3 to 1e5 units/s. On a torus, at most the world's shorter side per step.
    /// The largest speed ever set for an agent limits step rates and lengthens searches, even after
    /// that agent is slower or gone.
    MaxSpeed,
    /// Maximum force, 0 to 1e9 mass · units/s².
    MaxForce,
    /// Mass, 1e-3 to 1e6.
    Mass,
    /// Bounding radius, 0 to 1e4 world units.
    Radius,
    /// Field of view, 0 to 360 degrees.
    FieldOfView,
    /// 1 for agents that non-penetration does not push, 0 for all others.
    Immovable,
    /// Progress on the path that [`PathFollowing`](crate::behaviors::PathFollowing) follows: the
    /// index of the agent's next waypoint, from 0 to the last of the scene's longest path. On a
    /// shorter path, the agent heads for the last waypoint. Requires a behavior that follows a
    /// path.
    Waypoint,
    /// A custom column, by name; any finite number.
    Column(&'a str),
}

/// Order of per-agent values in [`Simulation::get_all`] and [`Simulation::set_all`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentOrder {
    /// The order of [`Simulation::agents`], which changes from step to step.
    Slot,
    /// Sorted by the id's index. This order changes only if agents are added or removed.
    Id,
}

/// The key of a per-agent property: a [`Vector`], [`InSpace`] or [`Number`].
pub trait Property: Copy {
    /// `[f32; 2]` or `[f32; 3]` for vector properties, `f32` for scalar properties.
    type Value: Copy;

    // Other crates cannot name `ResolvedProperty`, so they cannot implement the trait.
    #[doc(hidden)]
    fn of(self, simulation: &Simulation) -> Result<ResolvedProperty, Error>;
    #[doc(hidden)]
    fn pack(value: Self::Value) -> Vec3<f32>;
    #[doc(hidden)]
    fn unpack(vector: Vec3<f32>) -> Self::Value;
}

impl Property for Vector {
    type Value = [f32; 2];

    fn of(self, simulation: &Simulation) -> Result<ResolvedProperty, Error> {
        if simulation.setting.space.is_flat() {
            return Ok(ResolvedProperty::Vector(self));
        }
        Err(Error::refused(
            "property",
            format!("Vector::{self:?}"),
            "`InSpace` in a world with depth",
        ))
    }
    fn pack(value: [f32; 2]) -> Vec3<f32> {
        value.into()
    }
    fn unpack(vector: Vec3<f32>) -> [f32; 2] {
        vector.into()
    }
}

/// Key of a vector property in a world with depth, where vectors have three components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InSpace(pub Vector);

impl Property for InSpace {
    type Value = [f32; 3];

    fn of(self, simulation: &Simulation) -> Result<ResolvedProperty, Error> {
        if !simulation.setting.space.is_flat() {
            return Ok(ResolvedProperty::Vector(self.0));
        }
        Err(Error::refused("property", format!("{self:?}"), "`Vector` in a flat world"))
    }
    fn pack(value: [f32; 3]) -> Vec3<f32> {
        value.into()
    }
    fn unpack(vector: Vec3<f32>) -> [f32; 3] {
        vector.into()
    }
}

impl Property for Number<'_> {
    type Value = f32;

    fn of(self, simulation: &Simulation) -> Result<ResolvedProperty, Error> {
        Ok(match self {
            Number::MaxSpeed => ResolvedProperty::Limit(Limit::MaxSpeed),
            Number::MaxForce => ResolvedProperty::Limit(Limit::MaxForce),
            Number::Mass => ResolvedProperty::Limit(Limit::Mass),
            Number::Radius => ResolvedProperty::Limit(Limit::Radius),
            Number::FieldOfView => ResolvedProperty::Limit(Limit::FieldOfView),
            Number::Immovable => ResolvedProperty::Limit(Limit::Immovable),
            Number::Waypoint if simulation.setting.required.memory[Memory::Waypoint as usize] => {
                ResolvedProperty::Waypoint
            }
            Number::Waypoint => {
                let allowed = "in a scene where a behavior follows a path";
                return Err(Error::refused("waypoint", "of no path", allowed));
            }
            Number::Column(name) => ResolvedProperty::Column(simulation.column_index(name)?),
        })
    }
    fn pack(value: f32) -> Vec3<f32> {
        Vec3::flat(value, 0.0)
    }
    fn unpack(Vec3 { x: value, .. }: Vec3<f32>) -> f32 {
        value
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ResolvedProperty {
    Vector(Vector),
    Limit(Limit),
    Waypoint,
    Column(usize),
}
