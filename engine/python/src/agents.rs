use flockwork::internal::position;
use flockwork::{AgentId, AgentOrder, Error, InSpace, Property, Simulation, Vector};

use crate::arguments::ScalarOrList;
use crate::memory::Memory;

/// The number of coordinates of the world's points: 2, or 3 in a world with depth.
pub(crate) fn axes(crowd: &Simulation) -> usize {
    if crowd.world().depth.is_some() { 3 } else { 2 }
}

/// Returns the world's width and height, and its depth if it has one.
pub(crate) fn size(crowd: &Simulation) -> Vec<f32> {
    crowd.world_size().into_iter().chain(crowd.world().depth).collect()
}

/// Returns a property's values for the agents with these ids, or for all agents in the given order.
pub(crate) fn values<P: Property>(
    crowd: &Simulation,
    property: P,
    ids: Option<&[AgentId]>,
    order: AgentOrder,
) -> Result<Vec<P::Value>, Error> {
    ids.map_or_else(|| crowd.get_all(property, order), |ids| crowd.get_many(property, ids))
}

pub(crate) fn vectors(
    crowd: &Simulation,
    vector: Vector,
    ids: Option<&[AgentId]>,
    order: AgentOrder,
) -> Result<Memory, Error> {
    match axes(crowd) {
        2 => values(crowd, vector, ids, order).map(Memory::vectors),
        _ => values(crowd, InSpace(vector), ids, order).map(Memory::vectors),
    }
}

/// Returns a vector property's components, one list per axis, in the given order.
pub(crate) fn components(
    crowd: &Simulation,
    vector: Vector,
    order: AgentOrder,
) -> Result<Vec<Vec<f32>>, Error> {
    fn by_axis<const D: usize>(vectors: &[[f32; D]]) -> Vec<Vec<f32>> {
        (0..D).map(|axis| vectors.iter().map(|vector| vector[axis]).collect()).collect()
    }
    Ok(match axes(crowd) {
        2 => by_axis(&crowd.get_all(vector, order)?),
        _ => by_axis(&crowd.get_all(InSpace(vector), order)?),
    })
}

pub(crate) fn in_order<T: Copy>(
    crowd: &Simulation,
    order: AgentOrder,
    by_slot: Vec<T>,
) -> Result<Vec<T>, Error> {
    match order {
        AgentOrder::Slot => Ok(by_slot),
        AgentOrder::Id => {
            let value = |id: AgentId| Ok(by_slot[crowd.slot_of(id)?]);
            crowd.ids_ascending().map(value).collect()
        }
    }
}

pub(crate) fn ids(crowd: &Simulation, order: AgentOrder) -> Vec<AgentId> {
    match order {
        AgentOrder::Slot => crowd.agents().ids().collect(),
        AgentOrder::Id => crowd.ids_ascending().collect(),
    }
}

pub(crate) fn species(crowd: &Simulation, order: AgentOrder) -> Result<Vec<u8>, Error> {
    in_order(crowd, order, crowd.agents().species.to_vec())
}

pub(crate) fn set<P: Property>(
    crowd: &mut Simulation,
    property: P,
    (ids, order): (Option<ScalarOrList<AgentId>>, AgentOrder),
    values: ScalarOrList<P::Value>,
) -> Result<(), Error> {
    match ids {
        Some(ids) => {
            let values = values.for_each(ids.values.len());
            crowd.set_many(property, &ids.values, &values)
        }
        None => {
            let values = values.for_each(crowd.len());
            crowd.set_all(property, order, &values)
        }
    }
}

pub(crate) fn of_species(
    crowd: &Simulation,
    order: AgentOrder,
    name: &str,
) -> Result<Vec<AgentId>, Error> {
    let names = crowd.scene().species.iter().map(|species| species.name.as_str());
    let wanted = position("species", name, names)?;
    let members = ids(crowd, order).into_iter().zip(species(crowd, order)?);
    Ok(members.filter(|&(_, number)| usize::from(number) == wanted).map(|(id, _)| id).collect())
}

/// Formats a crowd for `repr`, e.g. `Crowd(fish: 990, shark: 10; torus of 1600 x 900; step 60)`.
pub(crate) fn described(crowd: &Simulation) -> String {
    let mut counts = vec![0_usize; crowd.scene().species.len()];
    crowd.agents().species.iter().for_each(|&number| counts[usize::from(number)] += 1);
    let species = crowd.scene().species.iter().zip(counts);
    let species: Vec<String> =
        species.map(|(one, count)| format!("{}: {count}", one.name)).collect();
    let world = format!("{:?}", crowd.world().topology).to_lowercase();
    let size: Vec<String> = size(crowd).iter().map(f32::to_string).collect();
    let (species, size, tick) = (species.join(", "), size.join(" x "), crowd.tick());
    format!("Crowd({species}; {world} of {size}; step {tick})")
}
