use flockwork::{AgentId, AgentOrder, Error, Property, Simulation};

use crate::arguments::ScalarOrList;
use crate::properties::unknown;

pub(crate) fn all<P: Property>(
    crowd: &Simulation,
    property: P,
    order: AgentOrder,
) -> Result<Vec<P::Value>, Error> {
    let mut values = Vec::new();
    crowd.get_all_into(property, order, &mut values)?;
    Ok(values)
}

pub(crate) fn ids(crowd: &Simulation, order: AgentOrder) -> Vec<AgentId> {
    match order {
        AgentOrder::Slot => crowd.ids().collect(),
        AgentOrder::Id => crowd.ids_ascending().collect(),
    }
}

pub(crate) fn species(crowd: &Simulation, order: AgentOrder) -> Result<Vec<u8>, Error> {
    let species = crowd.agents().species;
    let ids = ids(crowd, order);
    ids.into_iter().map(|id| crowd.slot_of(id).map(|slot| species[slot])).collect()
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
    let names: Vec<&str> = crowd.scene().species.iter().map(|one| one.name.as_str()).collect();
    let Some(wanted) = names.iter().position(|known| *known == name) else {
        return Err(unknown("species", name, names.into_iter().map(str::to_owned)));
    };
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
    let world = format!("{:?}", crowd.topology()).to_lowercase();
    let ([width, height], tick) = (crowd.world_size(), crowd.tick());
    format!("Crowd({}; {world} of {width} x {height}; step {tick})", species.join(", "))
}
