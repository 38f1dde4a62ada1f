use crate::crowd::columns::Memory;
use crate::crowd::id_pool::VACANT;
use crate::crowd::limits::Limit;
use crate::crowd::stored_target::StoredTarget;
use crate::error::{Error, position};
use crate::id::AgentId;
use crate::math::axes::Axes;
use crate::math::vec3::Vec3;
use crate::simulation::property::{AgentOrder, Property, ResolvedProperty, Vector};
use crate::simulation::{Simulation, State};

impl Simulation {
    /// Reads a property of an agent.
    ///
    /// # Errors
    /// If the agent was removed, or if `property` is a column that the scene does not define.
    pub fn get<P: Property>(&self, property: P, id: AgentId) -> Result<P::Value, Error> {
        let field = property.of(self)?;
        Ok(P::unpack(self.read(field, self.slot_of(id)?)))
    }

    /// Reads a property of many agents, in the order of `ids`.
    ///
    /// # Errors
    /// The same errors as [`Self::get`].
    pub fn get_many<P: Property>(
        &self,
        property: P,
        ids: &[AgentId],
    ) -> Result<Vec<P::Value>, Error> {
        let field = property.of(self)?;
        ids.iter().map(|&id| Ok(P::unpack(self.read(field, self.slot_of(id)?)))).collect()
    }

    /// Reads a property of all agents.
    ///
    /// # Errors
    /// If `property` is a column that the scene does not define.
    pub fn get_all<P: Property>(
        &self,
        property: P,
        order: AgentOrder,
    ) -> Result<Vec<P::Value>, Error> {
        let mut values = Vec::new();
        self.get_all_into(property, order, &mut values).map(|()| values)
    }

    /// Like [`Self::get_all`], but replaces the contents of `values`.
    ///
    /// # Errors
    /// If `property` is a column that the scene does not define.
    pub fn get_all_into<P: Property>(
        &self,
        property: P,
        order: AgentOrder,
        values: &mut Vec<P::Value>,
    ) -> Result<(), Error> {
        let field = property.of(self)?;
        values.clear();
        let read = |slot| P::unpack(self.read(field, slot));
        match order {
            AgentOrder::Slot => values.extend((0..self.len()).map(read)),
            AgentOrder::Id if self.has_all_indices() => {
                values.resize(self.len(), P::unpack(Vec3::ZERO));
                self.read_by_index(field, |index, pair| values[index] = P::unpack(pair));
            }
            AgentOrder::Id => {
                values.reserve(self.len());
                values.extend(self.slots_by_id().map(read));
            }
        }
        Ok(())
    }

    /// Ids of all agents in ascending order of index, as in [`AgentOrder::Id`].
    pub fn ids_ascending(&self) -> impl Iterator<Item = AgentId> + '_ {
        self.slots_by_id().map(|slot| self.id_at(slot))
    }

    pub(super) fn slots_by_id(&self) -> impl Iterator<Item = usize> + '_ {
        let slots = self.state.ids.slots(&self.state.attributes.index).iter();
        slots.filter(|&&slot| slot != VACANT).map(|&slot| slot as usize)
    }

    /// True if every index is in use. In that case, index i belongs to the i-th agent
    /// in [`AgentOrder::Id`], counted from 0.
    pub(super) fn has_all_indices(&self) -> bool {
        self.state.ids.indices() == self.len()
    }

    pub(super) fn read_by_index(
        &self,
        field: ResolvedProperty,
        mut put: impl FnMut(usize, Vec3<f32>),
    ) {
        let State { motion, attributes, .. } = &self.state;
        let indices = attributes.index.iter().map(|&index| index as usize);
        let mut put_all = |vectors: &Axes<Vec<f32>>| {
            let vectors = vectors.all().iter();
            indices.clone().zip(vectors).for_each(|(index, vector)| put(index, vector));
        };
        match field {
            ResolvedProperty::Vector(Vector::Position) => put_all(&motion.position),
            ResolvedProperty::Vector(Vector::Heading) => put_all(&motion.heading),
            ResolvedProperty::Column(column) => {
                let values = indices.zip(&motion.custom[column]);
                values.for_each(|(index, &value)| put(index, Vec3::flat(value, 0.0)));
            }
            ResolvedProperty::Vector(Vector::Velocity | Vector::OwnTarget)
            | ResolvedProperty::Limit(_)
            | ResolvedProperty::Waypoint => {
                (0..).zip(indices).for_each(|(slot, index)| put(index, self.read(field, slot)));
            }
        }
    }

    pub(super) fn read(&self, field: ResolvedProperty, slot: usize) -> Vec3<f32> {
        let motion = &self.state.motion;
        match field {
            ResolvedProperty::Vector(Vector::Position) => motion.position.at(slot),
            ResolvedProperty::Vector(Vector::Velocity) => self.velocity_at(slot).into(),
            ResolvedProperty::Vector(Vector::Heading) => motion.heading.at(slot),
            ResolvedProperty::Vector(Vector::OwnTarget) => self.target_position(slot),
            ResolvedProperty::Waypoint => {
                // Drop the fraction: 0.5 marks an agent that approaches the waypoint.
                Vec3::flat(motion.memory[Memory::Waypoint as usize][slot].floor(), 0.0)
            }
            ResolvedProperty::Column(column) => Vec3::flat(motion.custom[column][slot], 0.0),
            ResolvedProperty::Limit(limit) => Vec3::flat(self.limit_at(limit, slot), 0.0),
        }
    }

    pub(crate) fn limit_at(&self, limit: Limit, slot: usize) -> f32 {
        let attributes = &self.state.attributes;
        attributes.limit_of(limit, slot, &self.setting.species[attributes.species_of(slot)])
    }

    fn target_position(&self, slot: usize) -> Vec3<f32> {
        let State { motion, attributes, ids, .. } = &self.state;
        match attributes.stored_target(slot) {
            StoredTarget::Point(point) => point,
            StoredTarget::Agent(index) => {
                let slot = ids.slots(&attributes.index)[index as usize] as usize;
                motion.position.get(slot).unwrap_or(Vec3::diagonal(f32::NAN))
            }
            StoredTarget::Nothing => Vec3::diagonal(f32::NAN),
        }
    }

    pub(crate) fn column_index(&self, name: &str) -> Result<usize, Error> {
        position("column", name, self.column_names())
    }
}
