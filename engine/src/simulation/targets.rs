//! Targets of a running crowd: movable points, and agents.
//!
//! The sort moves agents to new slots. After each sort, the engine looks in the cells for the few
//! agents that are shared targets. Own targets (`Target::Own`) are found through a table from index
//! to slot. Scenes that use own targets refill this table after each sort.

use crate::crowd::params::SpeciesParams;
use crate::crowd::stored_target::StoredTarget;
use crate::crowd::target::{Pose, SharedTarget, Target};
use crate::crowd::velocity;
use crate::error::{Error, ErrorKind, check_count};
use crate::grid::Grid;
use crate::id::AgentId;
use crate::scene::Scene;
use crate::simulation::property::{ResolvedProperty, Vector};
use crate::simulation::{Setting, Simulation, State};
use crate::world::point::Point;
use crate::world::space::Space;

pub(crate) fn shared_targets(scene: &Scene, space: &Space) -> Vec<SharedTarget> {
    let mut shared: Vec<SharedTarget> = Vec::new();
    for target in scene.targets() {
        if shared.iter().any(|other| other.target == target) {
            continue;
        }
        let (id, pose) = match &target {
            Target::Named(name) => {
                (None, scene.points.get(name).map(|&point| Pose::at(space, point.into())))
            }
            Target::Agent(id) => (Some(*id), None),
            Target::Member { species, number } => {
                let species = scene.species_index(species).expect("the scene was checked");
                let index = scene.first_index(species) + *number;
                (Some(AgentId { index, generation: 0 }), None)
            }
            _ => continue,
        };
        shared.push(SharedTarget { target, id, slot: None, pose });
    }
    shared
}

/// Finds the target agents in the state, not in the sorted copy, where they have other slots.
pub(super) fn locate(targets: &mut [SharedTarget], state: &State, species: &[SpeciesParams]) {
    let State { motion, attributes, ids, .. } = state;
    for shared in targets {
        let Some(id) = shared.id else { continue };
        // The slot from the last step saves a lookup, unless agents were moved or removed since.
        let slot = shared.known_slot(&attributes.index).filter(|_| ids.is_current(id));
        shared.slot = slot.or_else(|| ids.slot(id, &attributes.index).ok());
        shared.pose = shared.slot.map(|slot| velocity::pose(motion, attributes, species, slot));
    }
}

/// Finds the target agents' slots in the sorted copy. The next state keeps the sorted order, so
/// the slots stay valid.
pub(crate) fn follow(targets: &mut [SharedTarget], grid: &Grid, index: &[u32]) {
    for shared in targets {
        let (Some(id), Some(Pose { position, .. })) = (shared.id, shared.pose) else { continue };
        let mut slots = grid.slots_at(position);
        shared.slot = slots.find(|&slot| index[slot] == id.index);
    }
}

impl Simulation {
    /// Moves one of the scene's named points to a new position, in world units.
    ///
    /// # Errors
    /// An unknown name, a coordinate beyond ±1e7, or a goal of a route that cannot be reached.
    pub fn set_point(&mut self, name: &str, to: impl Into<Point>) -> Result<(), Error> {
        let to = to.into();
        let Setting { scene, space, scenery, .. } = &mut self.setting;
        to.check_in(&format!("points.{name}"), space.axes())?;
        scene.check_point(name)?;
        let before = scene.points.insert(name.into(), to);
        let tasks = scene.route_tasks(space);
        match tasks.and_then(|tasks| scenery.solved_routes(tasks, space)) {
            Ok(routes) => self.setting.set_routes(routes),
            Err(refused) => {
                scene.points.extend(before.map(|before| (name.into(), before)));
                return Err(refused);
            }
        }
        let named = Target::named(name);
        let sorted = self.workspace.sorted.latest_mut().into_iter();
        let targets = sorted.flat_map(|sorted| &mut sorted.surroundings.shared_targets);
        for shared in targets.filter(|shared| shared.target == named) {
            shared.pose = Some(Pose::at(&self.setting.space, to.into()));
        }
        Ok(())
    }

    /// An agent's own target: [`Target::Point`], [`Target::Agent`],
    /// or [`Target::Unset`] if none was set or the target agent was removed.
    ///
    /// # Errors
    /// [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent) if the agent was removed.
    pub fn own_target(&self, id: AgentId) -> Result<Target, Error> {
        Ok(match self.state.attributes.stored_target(self.slot_of(id)?) {
            StoredTarget::Nothing => Target::Unset,
            StoredTarget::Agent(index) => Target::Agent(self.state.ids.id(index)),
            StoredTarget::Point(point) => {
                Target::Point(Point::new(point, self.setting.space.axes()))
            }
        })
    }

    /// Sets an agent's own target, for behaviors whose target is [`Target::Own`]:
    /// a point `[x, y]`, the id of an agent, or [`Target::Unset`].
    ///
    /// # Errors
    /// [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent) if the agent or the target agent was removed;
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) if no behavior of any species uses
    /// [`Target::Own`], if a coordinate is beyond ±1e7, or if `target` is none of the three above.
    pub fn set_own_target(&mut self, id: AgentId, target: impl Into<Target>) -> Result<(), Error> {
        self.set_own_targets(&[id], &[target.into()])
    }

    /// Sets the own targets of many agents, one per id: points, agents or [`Target::Unset`]. If an
    /// agent is listed more than once, its last target wins.
    /// [`Vector::OwnTarget`] sets points without a [`Target`] for each.
    ///
    /// # Errors
    /// The same errors as [`Self::set_own_target`], and an error if the numbers of ids and targets
    /// differ. On any error, nothing changes.
    pub fn set_own_targets(&mut self, ids: &[AgentId], targets: &[Target]) -> Result<(), Error> {
        let slots: Vec<usize> = ids.iter().map(|&id| self.slot_of(id)).collect::<Result<_, _>>()?;
        let stored = self.checked_targets(ids, targets)?;
        self.store_targets(&slots, &stored);
        Ok(())
    }

    /// Validates the targets and adds missing columns, so that [`Self::store_targets`] cannot fail.
    pub(crate) fn checked_targets(
        &mut self,
        ids: &[AgentId],
        targets: &[Target],
    ) -> Result<Vec<StoredTarget>, Error> {
        self.check_own_targets()?;
        check_count("targets", targets.len(), ids.len(), "one for each agent")?;
        let stored = ids
            .iter()
            .zip(targets)
            .map(|(&id, target)| self.checked_target(target).map_err(|error| error.of_agent(id)));
        let stored = stored.collect::<Result<Vec<_>, _>>()?;
        if stored.iter().any(|target| matches!(target, StoredTarget::Point(_))) {
            self.make_room(ResolvedProperty::Vector(Vector::OwnTarget), &[])?;
        }
        Ok(stored)
    }

    fn checked_target(&self, target: &Target) -> Result<StoredTarget, Error> {
        match *target {
            Target::Unset => Ok(StoredTarget::Nothing),
            Target::Agent(id) if self.state.ids.is_current(id) => Ok(StoredTarget::Agent(id.index)),
            Target::Agent(id) => Err(Error::new(ErrorKind::NoSuchAgent { id })),
            Target::Point(point) => {
                point.check_in("own_target", self.setting.space.axes())?;
                Ok(StoredTarget::Point(point.into()))
            }
            ref other => {
                let allowed = "a point [x, y], the id of an agent, or unset";
                Err(Error::refused("own target", format!("{other:?}"), allowed))
            }
        }
    }

    pub(crate) fn store_targets(&mut self, slots: &[usize], stored: &[StoredTarget]) {
        self.write_rows(slots, stored, |row, target| row.attributes.store_target(row.slot, target));
    }

    pub(crate) fn check_own_targets(&self) -> Result<(), Error> {
        if self.setting.required.target {
            return Ok(());
        }
        let allowed = "the target of at least one behavior (\"own\", in Rust `Target::Own`)";
        Err(Error::refused("own target", "unused by all behaviors", allowed))
    }
}
