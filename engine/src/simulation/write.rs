//! Writes per-agent properties, for one agent, a list of agents, or all agents.
//!
//! Every write validates all values first, so a rejected write changes nothing. The crowd is
//! stored twice: as the state, and as a copy sorted into cells. A write that moves no agent
//! updates the state and the copy, so no new sort is needed.

use crate::crowd::columns::{Attributes, Memory, Motion, value};
use crate::crowd::id_pool::VACANT;
use crate::crowd::limits::{Limit, Overrides};
use crate::crowd::sorted_copy::SortedCopy;
use crate::crowd::stored_target::StoredTarget;
use crate::error::{Error, check_count, within};
use crate::id::AgentId;
use crate::math::vec3::Vec3;
use crate::scene::species::{Locomotion, Species};
use crate::simulation::first_values;
use crate::simulation::property::{AgentOrder, InSpace, Property, ResolvedProperty, Vector};
use crate::simulation::targets::locate;
use crate::simulation::{Setting, Simulation, State};
use crate::world::point::Point;

impl Simulation {
    /// Writes a property of an agent. After any number of position writes, the crowd is sorted
    /// only once, by the next step or query that needs cells. Other writes cause no sort.
    ///
    /// # Errors
    /// [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent) if the agent was removed. Also an error if
    /// the value is out of range, or the scene lacks the custom column. On error, nothing changes.
    pub fn set<P: Property>(
        &mut self,
        property: P,
        id: AgentId,
        value: P::Value,
    ) -> Result<(), Error> {
        self.set_many(property, &[id], &[value])
    }

    /// Writes a property of many agents. If an agent is listed more than once, its last value wins.
    ///
    /// # Errors
    /// The same errors as [`Self::set`], and an error if the numbers of ids and values differ.
    /// On any error, nothing changes.
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
    /// The same errors as [`Self::set`], and an error if the number of values differs
    /// from the number of agents. On any error, nothing changes.
    pub fn set_all<P: Property>(
        &mut self,
        property: P,
        order: AgentOrder,
        values: &[P::Value],
    ) -> Result<(), Error> {
        if let ResolvedProperty::Column(column) = property.of(self)? {
            return self.write_column(column, order, values.len(), |k| P::pack(values[k]).x);
        }
        let slots: Vec<usize> = match order {
            AgentOrder::Slot => (0..self.len()).collect(),
            AgentOrder::Id => self.slots_by_id().collect(),
        };
        self.set_slots(property, &slots, values)
    }

    pub(crate) fn set_slots<P: Property>(
        &mut self,
        property: P,
        slots: &[usize],
        values: &[P::Value],
    ) -> Result<(), Error> {
        let id = |simulation: &Self, k: usize| simulation.id_at(slots[k]);
        let (field, pairs) =
            self.prepared(property, slots.iter().copied().map(Some), id, values)?;
        self.write(field, slots, &pairs);
        Ok(())
    }

    pub(crate) fn set_vector(
        &mut self,
        vector: Vector,
        slot: usize,
        value: Point,
    ) -> Result<(), Error> {
        let axes = self.setting.space.axes();
        let value = value.in_world("value", axes)?;
        match axes {
            2 => self.set_slots(vector, &[slot], &[value.into()]),
            _ => self.set_slots(InSpace(vector), &[slot], &[value.into()]),
        }
    }

    /// Validates the values and adds missing columns, so that [`Self::write`] cannot fail.
    /// A slot is `None` if another slab may own the agent. `id` returns ids for error messages.
    pub(crate) fn prepared<P: Property>(
        &mut self,
        property: P,
        slots: impl ExactSizeIterator<Item = Option<usize>>,
        id: impl Fn(&Self, usize) -> AgentId,
        values: &[P::Value],
    ) -> Result<(ResolvedProperty, Vec<Vec3<f32>>), Error> {
        let field = property.of(self)?;
        if field == ResolvedProperty::Vector(Vector::OwnTarget) {
            self.check_own_targets()?;
        }
        check_count("values", values.len(), slots.len(), "one for each agent")?;
        let checked = |(k, (slot, &value))| {
            let checked = self.checked(field, slot, P::pack(value));
            checked.map_err(|error| error.of_agent(id(self, k)))
        };
        let pairs = slots.zip(values).enumerate().map(checked);
        let pairs: Vec<Vec3<f32>> = pairs.collect::<Result<_, _>>()?;
        self.make_room(field, &pairs)?;
        Ok((field, pairs))
    }

    pub(crate) fn checked(
        &self,
        field: ResolvedProperty,
        slot: Option<usize>,
        value: Vec3<f32>,
    ) -> Result<Vec3<f32>, Error> {
        let number = value.x;
        match field {
            ResolvedProperty::Vector(Vector::Position) => {
                let space = &self.setting.space;
                space.check_position("position", value)?;
                Ok(space.wrap_once(value))
            }
            ResolvedProperty::Vector(Vector::Heading) => unit_heading(value),
            ResolvedProperty::Vector(Vector::Velocity) => {
                let Some(slot) = slot else {
                    let value = self.setting.space.written(value);
                    let allowed = "set by `set_velocity`: only the agent's slab knows its limits";
                    return Err(Error::refused("velocity", value, allowed));
                };
                let species = self.state.attributes.species_of(slot);
                self.possible_velocity(species, self.limit_at(Limit::MaxSpeed, slot), value)
            }
            ResolvedProperty::Vector(Vector::OwnTarget) => {
                Point::new(value, self.setting.space.axes()).check("own_target")?;
                Ok(value)
            }
            ResolvedProperty::Waypoint => {
                let last = self.setting.scene.longest_path().saturating_sub(1);
                if (0.0..=last as f32).contains(&number) && number.fract() == 0.0 {
                    return Ok(value);
                }
                let allowed = format!("a whole number from 0 to {last}");
                Err(Error::refused("waypoint", number, allowed))
            }
            ResolvedProperty::Column(_) if number.is_finite() => Ok(value),
            ResolvedProperty::Column(column) => {
                let name = format!("columns.{}", self.setting.required.columns[column]);
                Err(Error::refused(name, number, "a finite number"))
            }
            ResolvedProperty::Limit(limit) => {
                let (name, min, max, unit) = limit.range();
                match limit {
                    Limit::MaxSpeed => {
                        let Setting { scene, space, .. } = &self.setting;
                        scene.check_speed(space, name, number)?;
                    }
                    Limit::Immovable if number != 0.0 && number != 1.0 => {
                        return Err(Error::refused(name, number, "0 or 1"));
                    }
                    _ => within(name, number, min, max, unit)?,
                }
                Ok(value)
            }
        }
    }

    pub(super) fn possible_velocity(
        &self,
        species: usize,
        most: f32,
        velocity: Vec3<f32>,
    ) -> Result<Vec3<f32>, Error> {
        let refuse = |allowed: String| {
            Err(Error::refused("velocity", self.setting.space.written(velocity), allowed))
        };
        let Vec3 { x, y, z } = velocity;
        let speed = x.hypot(y).hypot(z);
        let relative = speed / most;
        if self.setting.scene.species[species].locomotion == Locomotion::ConstantSpeed {
            if (relative - 1.0).abs() <= ROUNDING {
                return unit_heading(velocity).map(|heading| heading * most);
            }
            return refuse(format!("of length {most} units/s, the agent's constant speed"));
        }
        if relative <= 1.0 + ROUNDING {
            return Ok(velocity);
        }
        refuse(format!("at most {most} units/s long, the agent's maximum speed"))
    }

    pub(super) fn make_room(
        &mut self,
        field: ResolvedProperty,
        values: &[Vec3<f32>],
    ) -> Result<(), Error> {
        let mut overrides = self.state.overrides;
        match field {
            ResolvedProperty::Limit(limit) => {
                let (ids, largest) = (&self.state.ids, self.setting.scene.largest(limit));
                let agents = ids.indices() - ids.free().len();
                overrides.add(limit, values.iter().map(|value| value.x), (agents, largest));
            }
            ResolvedProperty::Vector(Vector::OwnTarget) => overrides.target_points = true,
            ResolvedProperty::Vector(_)
            | ResolvedProperty::Waypoint
            | ResolvedProperty::Column(_) => return Ok(()),
        }
        if field == ResolvedProperty::Limit(Limit::MaxSpeed) {
            self.setting.scene.check_fit(&self.setting.space, &overrides)?;
        }
        let before = std::mem::replace(&mut self.state.overrides, overrides);
        let columns = |overrides: Overrides| (overrides.limits, overrides.target_points);
        if columns(before) != columns(overrides) {
            self.update_params();
        } else if before != overrides {
            // If each raised limit fitted the columns, raising n agents' limits would cost O(n²).
            self.derive_params();
        }
        Ok(())
    }

    pub(crate) fn write(&mut self, field: ResolvedProperty, slots: &[usize], values: &[Vec3<f32>]) {
        let regroups = matches!(field, ResolvedProperty::Limit(Limit::Radius | Limit::MaxSpeed))
            && self.setting.plan.outliers.is_some();
        if regroups || field == ResolvedProperty::Vector(Vector::Position) {
            self.workspace.agents_moved();
        }
        self.write_rows(slots, values, |row, value| row.write(field, value));
    }

    /// Writes to the state and, if it is current, to the sorted copy.
    pub(super) fn write_rows<V: Copy>(
        &mut self,
        slots: &[usize],
        values: &[V],
        write: impl Fn(&mut Row<'_>, V),
    ) {
        let sorted_slots = self.sorted_slots_of(slots);
        let Self { setting, state, workspace, .. } = self;
        let species = &setting.scene.species[..];
        for (&slot, &value) in slots.iter().zip(values) {
            let State { motion, attributes, .. } = &mut *state;
            write(&mut Row { motion, attributes, species, slot }, value);
        }
        if let Some(sorted) = workspace.sorted.current_mut() {
            let SortedCopy { motion, attributes, surroundings, .. } = &mut **sorted;
            for (&slot, &value) in sorted_slots.iter().zip(values) {
                write(&mut Row { motion, attributes, species, slot }, value);
            }
            surroundings.tail.fill(motion, attributes);
            locate(&mut surroundings.shared_targets, state, &setting.species);
        }
        debug_assert!(
            self.copies_agree(slots.iter().copied().zip(sorted_slots)),
            "both copies are written"
        );
    }

    /// Returns the agents' slots in the sorted copy, or no slots if the copy is outdated.
    fn sorted_slots_of(&self, slots: &[usize]) -> Vec<usize> {
        let Some(sorted) = self.workspace.sorted.current() else { return Vec::new() };
        let sources = sorted.sorter.sources();
        if let [slot] = *slots {
            return vec![self.sorted_slot_of(sorted, slot)];
        }
        let mut sorted_slots = vec![0; sources.len()];
        sources
            .iter()
            .enumerate()
            .for_each(|(sorted_slot, &slot)| sorted_slots[slot as usize] = sorted_slot);
        slots.iter().map(|&slot| sorted_slots[slot]).collect()
    }

    pub(super) fn write_column(
        &mut self,
        column: usize,
        order: AgentOrder,
        count: usize,
        value: impl Fn(usize) -> f32,
    ) -> Result<(), Error> {
        check_count("values", count, self.len(), "one for each agent")?;
        if let Some(wrong) = (0..count).find(|&k| !value(k).is_finite()) {
            let id = match order {
                AgentOrder::Slot => self.id_at(wrong),
                AgentOrder::Id => self.ids_ascending().nth(wrong).expect("as many as values"),
            };
            let refused =
                self.checked(ResolvedProperty::Column(column), None, Vec3::flat(value(wrong), 0.0));
            _ = refused.map_err(|error| error.of_agent(id))?;
        }
        let has_all_indices = self.has_all_indices();
        let State { motion, attributes, ids, .. } = &mut self.state;
        let stored = &mut motion.custom[column];
        match order {
            AgentOrder::Slot => {
                (0..count).zip(&mut *stored).for_each(|(slot, to)| *to = value(slot));
            }
            AgentOrder::Id if has_all_indices => {
                let to = attributes.index.iter().zip(&mut *stored);
                to.for_each(|(&index, to)| *to = value(index as usize));
            }
            AgentOrder::Id => {
                let slots = ids.slots(&attributes.index).iter().filter(|&&slot| slot != VACANT);
                (0..count).zip(slots).for_each(|(k, &slot)| stored[slot as usize] = value(k));
            }
        }
        if let Some(sorted) = self.workspace.sorted.current_mut() {
            let copy = sorted.motion.custom[column].iter_mut().zip(sorted.sorter.sources());
            copy.for_each(|(to, &slot)| *to = stored[slot as usize]);
            sorted.surroundings.tail.fill(&sorted.motion, &sorted.attributes);
        }
        debug_assert!(
            self.workspace.sorted.current().is_none_or(|sorted| {
                let sources = sorted.sorter.sources().iter();
                self.copies_agree(sources.map(|&slot| slot as usize).zip(0..))
            }),
            "both copies are written"
        );
        Ok(())
    }
}

pub(crate) fn unit_heading(heading: Vec3<f32>) -> Result<Vec3<f32>, Error> {
    let exact = Vec3::<f64>::from_f32(heading);
    let length = exact.length();
    if (1.0e-15..=1.0e15).contains(&length) {
        let Vec3 { x, y, z } = exact;
        return Ok(Vec3 { x: x / length, y: y / length, z: z / length }.to_f32());
    }
    let Vec3 { x, y, z } = heading;
    let value = if z == 0.0 { format!("[{x:?}, {y:?}]") } else { format!("[{x:?}, {y:?}, {z:?}]") };
    Err(Error::refused("heading", value, "a vector of length from 1e-15 to 1e15"))
}

const ROUNDING: f32 = 1.0e-3;

pub(super) struct Row<'a> {
    pub(super) motion: &'a mut Motion,
    pub(super) attributes: &'a mut Attributes,
    pub(super) species: &'a [Species],
    pub(super) slot: usize,
}

impl Row<'_> {
    fn write(&mut self, field: ResolvedProperty, value: Vec3<f32>) {
        let (slot, number) = (self.slot, value.x);
        match field {
            ResolvedProperty::Vector(Vector::Position) => {
                self.motion.position.set(slot, value);
            }
            ResolvedProperty::Vector(Vector::Heading) => self.turn(value),
            ResolvedProperty::Vector(Vector::Velocity) => {
                self.set_velocity(value);
                if let Ok(heading) = unit_heading(value) {
                    self.motion.heading.set(slot, heading);
                }
            }
            ResolvedProperty::Vector(Vector::OwnTarget) => {
                self.attributes.store_target(slot, StoredTarget::Point(value));
            }
            ResolvedProperty::Waypoint => {
                self.motion.memory[Memory::Waypoint as usize][slot] = number;
            }
            ResolvedProperty::Column(column) => self.motion.custom[column][slot] = number,
            ResolvedProperty::Limit(limit) => {
                self.attributes.overridden[slot] |= limit.bit();
                self.attributes.limits[limit as usize][slot] = number;
                match limit {
                    Limit::FieldOfView => {
                        self.attributes.view_cos[slot] = first_values::view_cos(number);
                    }
                    Limit::MaxSpeed => self.turn(self.motion.heading.at(slot)),
                    Limit::MaxForce | Limit::Mass | Limit::Radius | Limit::Immovable => {}
                }
            }
        }
    }

    pub(super) fn turn(&mut self, heading: Vec3<f32>) {
        let slot = self.slot;
        self.motion.heading.set(slot, heading);
        let species = &self.species[self.attributes.species_of(slot)];
        if species.locomotion == Locomotion::ConstantSpeed {
            let speeds = self.attributes.limit(Limit::MaxSpeed);
            let speed: f32 = value(speeds, slot, species.max_speed.max());
            self.set_velocity(heading * speed);
        }
    }

    fn set_velocity(&mut self, velocity: Vec3<f32>) {
        if !self.motion.velocity.is_empty() {
            self.motion.velocity.set(self.slot, velocity);
        }
    }
}
