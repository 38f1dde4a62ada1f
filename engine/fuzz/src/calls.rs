//! Fuzz target that makes random sequences of calls on a small crowd.

use arbitrary::{Result, Unstructured};
use flockwork::{
    AgentId, AgentOrder, COORDINATE_LIMIT, Error, Number, Simulation, Snapshot, Spawn, Target,
    Vector,
};

use crate::alarm::{self, FEAR};
use crate::draw::{self, NAMES, SPOT};
use crate::ways::Ways;

const MAX_CALLS: usize = 40;
/// No agents are added beyond this number, to keep runs fast.
const MAX_AGENTS: usize = 80;
const VECTORS: [Vector; 4] =
    [Vector::Position, Vector::Velocity, Vector::Heading, Vector::OwnTarget];

pub fn calls(input: &[u8]) {
    alarm::register();
    let _ = run(&mut Unstructured::new(input));
}

fn run(u: &mut Unstructured<'_>) -> Result<()> {
    let scene = draw::scene(u)?;
    let simulation = match scene.build() {
        Ok(simulation) => simulation,
        Err(error) => {
            crate::assert_readable(&error);
            return Ok(());
        }
    };
    let mut ways = Ways::of(&simulation);
    let mut kept = simulation.snapshot();
    for _ in 0..MAX_CALLS {
        if u.is_empty() {
            break;
        }
        call(u, &mut ways, &mut kept)?;
    }
    ways.assert_can_be_saved();
    Ok(())
}

fn call(u: &mut Unstructured<'_>, ways: &mut Ways, kept: &mut Snapshot) -> Result<()> {
    match u.int_in_range(0..=20)? {
        0 if ways.one().len() < MAX_AGENTS => {
            let name = *u.choose(&["a", "b", "c"])?;
            let [at, heading] = [draw::point(u)?, draw::point(u)?];
            let (at, vectors, fear) = ([at], [heading], [f32::from_bits(u.arbitrary()?)]);
            let spawn = match u.int_in_range(0..=3)? {
                0 => Spawn::at(&at).headings(&vectors),
                1 => Spawn::at(&at).velocities(&vectors),
                2 => Spawn::at(&at).column(FEAR, &fear),
                _ => Spawn::at(&at),
            };
            attempt(ways, |crowd| crowd.spawn_many(name, &spawn).map(drop));
        }
        1 => {
            let id = agent(u, ways)?;
            attempt(ways, |crowd| crowd.remove(id));
        }
        2 => {
            let name = *u.choose(&NAMES)?;
            let species = draw::species(u, name)?;
            attempt(ways, |crowd| crowd.set_species(&species));
        }
        3 => {
            let rate = draw::number(u, 1.0, 1.0e5)?;
            attempt(ways, |crowd| crowd.set_steps_per_second(rate));
        }
        4 => {
            let iterations = u.int_in_range(0..=4)?;
            attempt(ways, |crowd| crowd.set_non_penetration(iterations));
        }
        5 => {
            let samples = u.arbitrary::<bool>()?.then_some(u.int_in_range(0..=12)?);
            attempt(ways, |crowd| crowd.set_heading_samples(samples));
        }
        6 => {
            let to = draw::point(u)?;
            attempt(ways, |crowd| crowd.set_point(SPOT, to));
        }
        7 => {
            let (id, other) = (agent(u, ways)?, agent(u, ways)?);
            let target = if u.arbitrary()? { other.into() } else { Target::Unset };
            attempt(ways, |crowd| crowd.set_own_target(id, target.clone()));
        }
        8 => {
            let (id, fear) = (agent(u, ways)?, f32::from_bits(u.arbitrary()?));
            attempt(ways, |crowd| crowd.set(Number::Column(FEAR), id, fear));
        }
        9 => {
            let from = draw::scenery(u, flockwork::Scene::default())?;
            attempt(ways, |crowd| crowd.set_scenery(&from));
        }
        10 => {
            let bytes = ways.one().snapshot().to_bytes();
            *kept = Snapshot::from_bytes(&bytes).expect("a state of a simulation");
            ways.assert_can_be_saved();
        }
        11 => ways.each(|crowd| crowd.restore(kept)),
        12 => ways.turn(),
        13 => inspect(ways, agent(u, ways)?),
        14 => {
            let fear = f32::from_bits(u.arbitrary()?);
            if fear.is_finite() {
                ways.each(|crowd| {
                    let values = vec![fear; crowd.len()];
                    crowd.set_all(Number::Column(FEAR), AgentOrder::Slot, &values).is_ok()
                });
            }
        }
        15 => {
            let (id, value) = (agent(u, ways)?, f32::from_bits(u.arbitrary()?));
            let limits = [
                Number::MaxSpeed,
                Number::MaxForce,
                Number::Mass,
                Number::Radius,
                Number::FieldOfView,
            ];
            let limit = *u.choose(&limits)?;
            attempt(ways, |crowd| crowd.set(limit, id, value));
        }
        16 => {
            let (id, value) = (agent(u, ways)?, draw::point(u)?);
            let vector = *u.choose(&VECTORS)?;
            attempt(ways, |crowd| crowd.set(vector, id, value));
        }
        17 => {
            let ids = [agent(u, ways)?, agent(u, ways)?];
            let values = [draw::point(u)?, draw::point(u)?];
            let vector = *u.choose(&VECTORS)?;
            attempt(ways, |crowd| crowd.set_many(vector, &ids, &values));
        }
        18 => {
            let ids = [agent(u, ways)?, agent(u, ways)?];
            let name = *u.choose(&["a", "b", "c"])?;
            attempt(ways, |crowd| crowd.change_species(&ids, name));
        }
        19 => {
            let solid = u.arbitrary()?;
            attempt(ways, |crowd| crowd.set_solid(solid));
        }
        _ => ways.step(),
    }
    Ok(())
}

/// A refused change has a readable message and leaves the state unchanged.
fn attempt(
    ways: &mut Ways,
    mut change: impl FnMut(&mut Simulation) -> std::result::Result<(), Error>,
) {
    let before = ways.one().state_hash();
    if let Err(error) = ways.each(&mut change) {
        crate::assert_readable(&error);
        assert_eq!(ways.one().state_hash(), before, "{error}");
    }
}

fn agent(u: &mut Unstructured<'_>, ways: &Ways) -> Result<AgentId> {
    let number: u16 = u.arbitrary()?;
    let mut ids: Vec<AgentId> = ways.one().ids().collect();
    if ids.is_empty() || number.is_multiple_of(16) {
        return Ok(AgentId { index: u32::from(number) / 16, generation: 0 });
    }
    ids.sort_unstable();
    Ok(ids[usize::from(number) % ids.len()])
}

fn inspect(ways: &mut Ways, id: AgentId) {
    let before = ways.one().state_hash();
    ways.each(|crowd| {
        crowd
            .neighbors(id)
            .map(|mut neighbors| {
                neighbors.sort_unstable();
                neighbors
            })
            .ok()
    });
    ways.each(|crowd| crowd.explain(id).map(|explained| explained.unreached).ok());
    ways.each(|crowd| {
        let census = crowd.census();
        (census.mean_neighbors.to_bits(), census.max_neighbors)
    });
    ways.each(|crowd| {
        let forces = crowd.forces();
        assert!(forces.iter().flatten().all(|force| !force.is_nan()), "{forces:?}");
        crowd.reference_step(id).is_ok()
    });
    assert_eq!(ways.one().state_hash(), before);
    let [width, height] = ways.one().world_size();
    assert!(width <= COORDINATE_LIMIT && height <= COORDINATE_LIMIT);
}
