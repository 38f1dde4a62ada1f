//! Reads and writes the properties of one agent, several, or all.
//!
//! A write checks everything first, so that a refused one changes nothing. The crowd exists twice, as
//! its state and sorted into cells; what moves nobody is written to both, and costs no sort.

use crate::crowd::columns::{Limit, Motion, Traits, value};
use crate::crowd::id_pool::VACANT;
use crate::crowd::shared::{Locomotion, SharedTraits, Value};
use crate::error::{Error, within};
use crate::id::AgentId;
use crate::math::vec2::Vec2;
use crate::simulation::{Setting, Simulation, spawn};
use crate::world::space::at_edge;

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

impl Simulation {
    /// Reads a property of an agent.
    ///
    /// # Errors
    /// [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent); and if the scene has no such column.
    pub fn get<P: Property>(&self, property: P, id: AgentId) -> Result<P::Value, Error> {
        let field = property.of(self)?;
        Ok(P::unpack(self.read(field, self.slot_of(id)?)))
    }

    /// Reads a property of several agents.
    ///
    /// # Errors
    /// Those of [`Self::get`].
    pub fn get_many<P: Property>(
        &self,
        property: P,
        ids: &[AgentId],
    ) -> Result<Vec<P::Value>, Error> {
        let field = property.of(self)?;
        ids.iter().map(|&id| Ok(P::unpack(self.read(field, self.slot_of(id)?)))).collect()
    }

    /// Reads a property of all agents into `values`, replacing its contents.
    ///
    /// # Errors
    /// If the scene has no such column.
    pub fn get_all<P: Property>(
        &self,
        property: P,
        order: Order,
        values: &mut Vec<P::Value>,
    ) -> Result<(), Error> {
        let field = property.of(self)?;
        values.clear();
        let read = |slot| P::unpack(self.read(field, slot));
        match order {
            Order::Slot => values.extend((0..self.len()).map(read)),
            Order::Id if self.has_all_indices() => {
                values.resize(self.len(), P::unpack([0.0; 2]));
                self.read_by_index(field, |index, pair| values[index] = P::unpack(pair));
            }
            Order::Id => {
                values.reserve(self.len());
                values.extend(self.slots_by_id().map(read));
            }
        }
        Ok(())
    }

    /// Writes a property of an agent. However many positions are written, the next step or call
    /// that needs cells sorts only once more; other properties cost no sort.
    ///
    /// # Errors
    /// [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent), a value out of the property's range, or a
    /// column that the scene does not have; then nothing changes.
    pub fn set<P: Property>(
        &mut self,
        property: P,
        id: AgentId,
        value: P::Value,
    ) -> Result<(), Error> {
        self.set_many(property, &[id], &[value])
    }

    /// Writes a property of several agents. If an agent appears twice, its last value counts.
    ///
    /// # Errors
    /// Those of [`Self::set`], and if there are not as many values as ids; then nothing changes.
    pub fn set_many<P: Property>(
        &mut self,
        property: P,
        ids: &[AgentId],
        values: &[P::Value],
    ) -> Result<(), Error> {
        let slots: Vec<usize> = ids.iter().map(|&id| self.slot_of(id)).collect::<Result<_, _>>()?;
        self.set_slots(property, &slots, values)
    }

    /// Writes a property of all agents.
    ///
    /// # Errors
    /// Those of [`Self::set`], and if there are not as many values as agents; then nothing changes.
    pub fn set_all<P: Property>(
        &mut self,
        property: P,
        order: Order,
        values: &[P::Value],
    ) -> Result<(), Error> {
        if let Field::Column(number) = property.of(self)? {
            return self.write_column(number, order, values.len(), |k| P::pack(values[k])[0]);
        }
        let slots: Vec<usize> = match order {
            Order::Slot => (0..self.len()).collect(),
            Order::Id => self.slots_by_id().collect(),
        };
        self.set_slots(property, &slots, values)
    }

    /// The ids of all agents, by ascending index: those of [`Order::Id`].
    pub fn ids_ascending(&self) -> impl Iterator<Item = AgentId> + '_ {
        self.slots_by_id().map(|slot| self.id_at(slot))
    }

    pub(super) fn slots_by_id(&self) -> impl Iterator<Item = usize> + '_ {
        let slots = self.state.ids.slots(&self.state.traits.index).iter();
        slots.filter(|&&slot| slot != VACANT).map(|&slot| slot as usize)
    }

    pub(crate) fn set_slots<P: Property>(
        &mut self,
        property: P,
        slots: &[usize],
        values: &[P::Value],
    ) -> Result<(), Error> {
        let id = |crowd: &Self, k: usize| crowd.id_at(slots[k]);
        let (field, pairs) =
            self.prepared(property, slots.iter().copied().map(Some), id, values)?;
        self.write(field, slots, &pairs);
        Ok(())
    }

    /// What [`Self::write`] writes for these values, once checked; there is room for it. The slots are
    /// those of the agents, as far as known; `id` names one of them in errors.
    pub(crate) fn prepared<P: Property>(
        &mut self,
        property: P,
        slots: impl ExactSizeIterator<Item = Option<usize>>,
        id: impl Fn(&Self, usize) -> AgentId,
        values: &[P::Value],
    ) -> Result<(Field, Vec<[f32; 2]>), Error> {
        let field = property.of(self)?;
        if slots.len() != values.len() {
            let allowed = format!("{}, one for each agent", slots.len());
            return Err(Error::refused("number of values", values.len(), allowed));
        }
        let checked = |(k, (slot, &value))| {
            let checked = self.checked(field, slot, P::pack(value));
            checked.map_err(|error| error.of_agent(id(self, k)))
        };
        let pairs = slots.zip(values).enumerate().map(checked);
        let pairs: Vec<[f32; 2]> = pairs.collect::<Result<_, _>>()?;
        self.make_room(field, &pairs)?;
        Ok((field, pairs))
    }

    pub(super) fn read(&self, field: Field, slot: usize) -> [f32; 2] {
        let (motion, traits) = (&self.state.motion, &self.state.traits);
        match field {
            Field::Vector(Vector::Position) => [motion.x[slot], motion.y[slot]],
            Field::Vector(Vector::Velocity) => self.velocity_at(slot),
            Field::Vector(Vector::Heading) => [motion.hx[slot], motion.hy[slot]],
            Field::Column(number) => [motion.own.0[number][slot], 0.0],
            Field::Limit(limit) => {
                let species = &self.setting.scene.species[traits.species_of(slot)];
                [value(traits.limit(limit), slot, species.limit(limit)), 0.0]
            }
        }
    }

    /// What is written for a value, of the agent in a slot if that is known.
    pub(crate) fn checked(
        &self,
        field: Field,
        slot: Option<usize>,
        [a, b]: [f32; 2],
    ) -> Result<[f32; 2], Error> {
        match field {
            Field::Vector(Vector::Position) => {
                let space = &self.setting.space;
                space.check_position("position", [a, b])?;
                Ok(at_edge(space, Vec2::new(a, b), Vec2::ZERO).0.into())
            }
            Field::Vector(Vector::Heading) => spawn::unit_heading([a, b]).map(Into::into),
            Field::Vector(Vector::Velocity) => self.check_velocity(slot, [a, b]),
            Field::Column(_) if a.is_finite() => Ok([a, 0.0]),
            Field::Column(number) => {
                let name = format!("columns.{}", self.setting.needs.columns[number]);
                Err(Error::refused(name, a, "a finite number"))
            }
            Field::Limit(limit) => {
                let (name, min, max, unit) = limit.range();
                match limit {
                    Limit::MaxSpeed => {
                        let Setting { scene, space, .. } = &self.setting;
                        scene.check_speed(space, name, a)?;
                    }
                    _ => within(name, a, min, max, unit)?,
                }
                Ok([a, 0.0])
            }
        }
    }

    fn check_velocity(&self, slot: Option<usize>, [x, y]: [f32; 2]) -> Result<[f32; 2], Error> {
        let refuse =
            |allowed: String| Err(Error::refused("velocity", format!("[{x:?}, {y:?}]"), allowed));
        let Some(slot) = slot else {
            return refuse("set by `set_velocity`: only one slab knows its limits".into());
        };
        let traits = &self.state.traits;
        let shared = &self.setting.species[traits.species_of(slot)];
        let most: f32 = value(&traits.max_speed, slot, shared.max_speed);
        let speed = x.hypot(y);
        let relative = speed / most;
        if shared.locomotion == Locomotion::ConstantSpeed {
            if (relative - 1.0).abs() <= ROUNDING {
                return spawn::unit_heading([x, y]).map(|heading| (heading * most).into());
            }
            return refuse(format!("of length {most} units/s, the agent's constant speed"));
        }
        if relative <= 1.0 + ROUNDING {
            return Ok([x, y]);
        }
        refuse(format!("at most {most} units/s long, the agent's maximum speed"))
    }

    /// Gives agents the columns that are going to be written, if the world is large enough for that.
    fn make_room(&mut self, field: Field, values: &[[f32; 2]]) -> Result<(), Error> {
        let Field::Limit(limit) = field else { return Ok(()) };
        let numbers = values.iter().map(|&[number, _]| number);
        let mut written = self.state.written;
        written.add(limit, numbers.clone());
        if limit == Limit::MaxSpeed {
            // A slow agent looks far ahead of fast ones.
            let mut scene = self.setting.scene.clone();
            for species in &mut scene.species {
                let (low, high) = (species.max_speed.min(), species.max_speed.max());
                species.max_speed = Value::Between([numbers.clone().fold(low, f32::min), high]);
            }
            scene.check_fit(&self.setting.space, &written)?;
        }
        if self.state.written != written {
            self.state.written = written;
            self.refit();
        }
        Ok(())
    }

    /// Writes checked values.
    pub(crate) fn write(&mut self, field: Field, slots: &[usize], values: &[[f32; 2]]) {
        let moves = field == Field::Vector(Vector::Position);
        if moves {
            self.workspace.moved();
        }
        let places = if self.workspace.sorted { self.places_of(slots) } else { Vec::new() };
        let Self { setting, state, workspace, .. } = self;
        let write = |motion: &mut Motion, traits: &mut Traits, slot: usize, pair| {
            Row { motion, traits, species: &setting.species, slot }.write(field, pair);
        };
        for (&slot, &pair) in slots.iter().zip(values) {
            write(&mut state.motion, &mut state.traits, slot, pair);
        }
        for (&place, &pair) in places.iter().zip(values) {
            write(&mut workspace.motion_next, &mut workspace.traits_next, place, pair);
        }
        if !places.is_empty() {
            workspace.tail.fill(&workspace.motion_next, &workspace.traits_next);
        }
    }

    /// The slots in the sorted copy of the agents in these slots.
    fn places_of(&self, slots: &[usize]) -> Vec<usize> {
        let sources = self.workspace.sorter.sources();
        if let [slot] = *slots {
            return vec![self.sorted_slot_of(slot)];
        }
        let mut places = vec![0; sources.len()];
        sources.iter().enumerate().for_each(|(place, &slot)| places[slot as usize] = place);
        slots.iter().map(|&slot| places[slot]).collect()
    }
}

/// The relative rounding error allowed in speeds.
const ROUNDING: f32 = 1.0e-3;

/// An agent in a copy of the crowd.
struct Row<'a> {
    motion: &'a mut Motion,
    traits: &'a mut Traits,
    species: &'a [SharedTraits],
    slot: usize,
}

impl Row<'_> {
    fn write(&mut self, field: Field, [a, b]: [f32; 2]) {
        let slot = self.slot;
        match field {
            Field::Vector(Vector::Position) => {
                (self.motion.x[slot], self.motion.y[slot]) = (a, b);
            }
            Field::Vector(Vector::Heading) => self.turn([a, b]),
            Field::Vector(Vector::Velocity) => {
                self.set_velocity([a, b]);
                if let Ok(heading) = spawn::unit_heading([a, b]) {
                    (self.motion.hx[slot], self.motion.hy[slot]) = (heading.x, heading.y);
                }
            }
            Field::Column(number) => self.motion.own.0[number][slot] = a,
            Field::Limit(limit) => {
                self.traits.written[slot] |= limit.bit();
                self.traits.limit_mut(limit)[slot] = a;
                match limit {
                    Limit::FieldOfView => self.traits.view_cos[slot] = spawn::view_cos(a),
                    Limit::MaxSpeed => self.turn([self.motion.hx[slot], self.motion.hy[slot]]),
                    Limit::MaxForce | Limit::Mass | Limit::Radius => {}
                }
            }
        }
    }

    /// Sets the heading, and the velocity if that follows from it.
    fn turn(&mut self, [x, y]: [f32; 2]) {
        let slot = self.slot;
        (self.motion.hx[slot], self.motion.hy[slot]) = (x, y);
        let shared = &self.species[self.traits.species_of(slot)];
        if shared.locomotion == Locomotion::ConstantSpeed {
            let speed: f32 = value(&self.traits.max_speed, slot, shared.max_speed);
            let Vec2 { x, y } = Vec2::new(x, y) * speed;
            self.set_velocity([x, y]);
        }
    }

    fn set_velocity(&mut self, velocity: [f32; 2]) {
        let columns = [&mut self.motion.vx, &mut self.motion.vy];
        for (column, value) in columns.into_iter().zip(velocity) {
            if let Some(entry) = column.get_mut(self.slot) {
                *entry = value;
            }
        }
    }
}
