//! What can be read and written of agents.

use crate::crowd::limits::Limit;
use crate::error::Error;
use crate::simulation::Simulation;

/// A vector of each agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vector {
    /// World units. It has to be inside the world.
    Position,
    /// Units/s, at most the agent's maximum speed; at constant speed, exactly that. The agent turns to
    /// face the way it moves.
    Velocity,
    /// A direction: any vector of length 1e-15 to 1e15 is written as one of length 1. An agent
    /// of constant speed moves that way at once.
    Heading,
    /// Where the agent's own target is, in world units; NaN if it has none. Writing it makes the target
    /// a point, each coordinate within ±1e7, in scenes where a behavior's target is
    /// [`Target::Own`](crate::Target::Own); see
    /// [`set_own_target`](crate::Simulation::set_own_target) for other targets.
    OwnTarget,
}

/// A number of each agent. A limit that has been written is the agent's own from then on: it is saved,
/// hashed, and kept when its species changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number<'a> {
    /// Maximum speed, 1e-3 to 1e5 units/s; on a torus, at most its shorter side per step.
    MaxSpeed,
    /// Maximum force, 0 to 1e9 mass · units/s².
    MaxForce,
    /// Mass, 1e-3 to 1e6.
    Mass,
    /// Bounding radius, 0 to 1e4 world units.
    Radius,
    /// Field of view, 0 to 360 degrees.
    FieldOfView,
    /// A column that the scene defines: any finite number.
    Column(&'a str),
}

/// The order in which all agents are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The order of [`Simulation::agents`], which changes from step to step.
    Slot,
    /// Ascending indices of ids: an order that stays until agents are added or removed.
    Id,
}

/// Something that every agent has: a [`Vector`] or a [`Number`].
pub trait Property: Copy {
    /// Two numbers or one.
    type Value: Copy;

    // Other crates cannot name what it returns, so they cannot implement the trait.
    #[doc(hidden)]
    fn of(self, crowd: &Simulation) -> Result<Field, Error>;
    #[doc(hidden)]
    fn pack(value: Self::Value) -> [f32; 2];
    #[doc(hidden)]
    fn unpack(pair: [f32; 2]) -> Self::Value;
}

impl Property for Vector {
    type Value = [f32; 2];

    fn of(self, _: &Simulation) -> Result<Field, Error> {
        Ok(Field::Vector(self))
    }
    fn pack(value: [f32; 2]) -> [f32; 2] {
        value
    }
    fn unpack(pair: [f32; 2]) -> [f32; 2] {
        pair
    }
}

impl Property for Number<'_> {
    type Value = f32;

    fn of(self, crowd: &Simulation) -> Result<Field, Error> {
        Ok(match self {
            Number::MaxSpeed => Field::Limit(Limit::MaxSpeed),
            Number::MaxForce => Field::Limit(Limit::MaxForce),
            Number::Mass => Field::Limit(Limit::Mass),
            Number::Radius => Field::Limit(Limit::Radius),
            Number::FieldOfView => Field::Limit(Limit::FieldOfView),
            Number::Column(name) => Field::Column(crowd.column_number(name)?),
        })
    }
    fn pack(value: f32) -> [f32; 2] {
        [value, 0.0]
    }
    fn unpack([value, _]: [f32; 2]) -> f32 {
        value
    }
}

/// A property of a crowd.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Field {
    Vector(Vector),
    Limit(Limit),
    /// By number.
    Column(usize),
}
