//! Fuzz target that makes random sequences of calls on a small crowd.

use arbitrary::{Result, Unstructured};
use flockwork::{
    AgentId, AgentOrder, COORDINATE_LIMIT, Error, InSpace, Number, Property, Simulation, Snapshot,
    Spawn, Target, Vector,
};

use crate::alarm::{self, FEAR};
use crate::draw::{self, NAMES, SPOT, WIND};
use crate::variants::Variants;

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
    let mut variants = Variants::of(&simulation);
    let mut kept = simulation.snapshot();
    for _ in 0..MAX_CALLS {
        if u.is_empty() {
            break;
        }
        call(u, &mut variants, &mut kept)?;
    }
    variants.assert_can_be_saved();
    Ok(())
}

fn call(u: &mut Unstructured<'_>, variants: &mut Variants, kept: &mut Snapshot) -> Result<()> {
    // Most calls pass as many coordinates as the world has axes. All other calls are refused.
    let axes = draw::axes(variants.one().scene());
    let axes = if u.ratio(1, 16)? { 5 - axes } else { axes };
    match u.int_in_range(0..=22)? {
        0 if variants.one().len() < MAX_AGENTS => {
            if axes == 2 {
                spawn::<2>(u, variants)?;
            } else {
                spawn::<3>(u, variants)?;
            }
        }
        1 => {
            let id = agent(u, variants)?;
            attempt(variants, |crowd| crowd.remove(id));
        }
        2 => {
            let name = *u.choose(&NAMES)?;
            let species = draw::species(u, name, axes)?;
            attempt(variants, |crowd| crowd.set_species(&species));
        }
        3 => {
            let rate = draw::number(u, 1.0, 1.0e5)?;
            attempt(variants, |crowd| crowd.edit(|scene| scene.steps_per_second = rate));
        }
        4 => {
            let (passes, rate) = if u.ratio(1, 4)? {
                (0, Some(draw::number(u, 60.0, 3840.0)?))
            } else {
                (u.int_in_range(0..=4)?, None)
            };
            attempt(variants, |crowd| {
                crowd.edit(|scene| {
                    (scene.non_penetration, scene.non_penetration_per_second) = (passes, rate);
                })
            });
        }
        5 => {
            let samples = u.arbitrary::<bool>()?.then_some(u.int_in_range(0..=12)?);
            attempt(variants, |crowd| crowd.edit(|scene| scene.heading_samples = samples));
        }
        6 => {
            let to = draw::point(u, axes)?;
            attempt(variants, |crowd| crowd.set_point(SPOT, to));
        }
        7 => {
            let (id, other) = (agent(u, variants)?, agent(u, variants)?);
            let target = match u.int_in_range(0..=2)? {
                0 => other.into(),
                1 => draw::point(u, axes)?.into(),
                _ => Target::Unset,
            };
            attempt(variants, |crowd| crowd.set_own_target(id, target.clone()));
        }
        8 => {
            let (id, fear) = (agent(u, variants)?, f32::from_bits(u.arbitrary()?));
            attempt(variants, |crowd| crowd.set(Number::Column(FEAR), id, fear));
        }
        9 => {
            // What behaviors refer to stays.
            let mut from = variants.one().scene().clone();
            from.world.depth = (axes == 3).then_some(1.0);
            (from.obstacles, from.walls, from.scatter) = Default::default();
            let from = draw::scenery(u, from)?;
            attempt(variants, |crowd| crowd.set_scenery(&from));
        }
        10 => {
            let bytes = variants.one().snapshot().to_bytes();
            *kept = Snapshot::from_bytes(&bytes).expect("a state of a simulation");
            variants.assert_can_be_saved();
        }
        11 => variants.each(|crowd| crowd.restore(kept)),
        12 => variants.turn(),
        13 => inspect(variants, agent(u, variants)?),
        14 => {
            let fear = f32::from_bits(u.arbitrary()?);
            if fear.is_finite() {
                variants.each(|crowd| {
                    let values = vec![fear; crowd.len()];
                    crowd.set_all(Number::Column(FEAR), AgentOrder::Slot, &values).is_ok()
                });
            }
        }
        15 => {
            let (id, value) = (agent(u, variants)?, f32::from_bits(u.arbitrary()?));
            let limits = [
                Number::MaxSpeed,
                Number::MaxForce,
                Number::Mass,
                Number::Radius,
                Number::FieldOfView,
                Number::Immovable,
            ];
            let limit = *u.choose(&limits)?;
            attempt(variants, |crowd| crowd.set(limit, id, value));
        }
        16 if axes == 2 => write(u, variants, |vector| vector)?,
        16 => write(u, variants, InSpace)?,
        17 if axes == 2 => write_many(u, variants, |vector| vector)?,
        17 => write_many(u, variants, InSpace)?,
        18 => {
            let ids = [agent(u, variants)?, agent(u, variants)?];
            let name = *u.choose(&["a", "b", "c"])?;
            attempt(variants, |crowd| crowd.change_species(&ids, name));
        }
        19 => {
            let solid = u.arbitrary()?;
            attempt(variants, |crowd| crowd.edit(|scene| scene.solid = solid));
        }
        20 => {
            let (flow, name) = (draw::flow(u)?, u.arbitrary::<bool>()?.then_some(WIND));
            attempt(variants, |crowd| crowd.set_flow(name, flow.clone()));
        }
        21 => {
            let (id, waypoint) = (agent(u, variants)?, u.int_in_range(0..=3_u8)?);
            attempt(variants, |crowd| crowd.set(Number::Waypoint, id, waypoint.into()));
        }
        _ => variants.step(),
    }
    Ok(())
}

fn spawn<const D: usize>(u: &mut Unstructured<'_>, variants: &mut Variants) -> Result<()> {
    let name = *u.choose(&["a", "b", "c"])?;
    let [at, vectors] = [[draw::vector::<D>(u)?], [draw::vector(u)?]];
    let fear = [f32::from_bits(u.arbitrary()?)];
    let spawn = match u.int_in_range(0..=3)? {
        0 => Spawn::at(&at).headings(&vectors),
        1 => Spawn::at(&at).velocities(&vectors),
        2 => Spawn::at(&at).column(FEAR, &fear),
        _ => Spawn::at(&at),
    };
    attempt(variants, |crowd| crowd.spawn_many(name, &spawn).map(drop));
    Ok(())
}

fn write<const D: usize, P: Property<Value = [f32; D]>>(
    u: &mut Unstructured<'_>,
    variants: &mut Variants,
    property: fn(Vector) -> P,
) -> Result<()> {
    let (id, value, vector) = (agent(u, variants)?, draw::vector(u)?, *u.choose(&VECTORS)?);
    attempt(variants, |crowd| crowd.set(property(vector), id, value));
    Ok(())
}

fn write_many<const D: usize, P: Property<Value = [f32; D]>>(
    u: &mut Unstructured<'_>,
    variants: &mut Variants,
    property: fn(Vector) -> P,
) -> Result<()> {
    let ids = [agent(u, variants)?, agent(u, variants)?];
    let (values, vector) = ([draw::vector(u)?, draw::vector(u)?], *u.choose(&VECTORS)?);
    attempt(variants, |crowd| crowd.set_many(property(vector), &ids, &values));
    Ok(())
}

/// Asserts that a refused change has a readable message and leaves the state unchanged.
fn attempt(
    variants: &mut Variants,
    mut change: impl FnMut(&mut Simulation) -> std::result::Result<(), Error>,
) {
    let before = variants.one().state_hash();
    if let Err(error) = variants.each(&mut change) {
        crate::assert_readable(&error);
        assert_eq!(variants.one().state_hash(), before, "{error}");
    }
}

fn agent(u: &mut Unstructured<'_>, variants: &Variants) -> Result<AgentId> {
    let number: u16 = u.arbitrary()?;
    let mut ids: Vec<AgentId> = variants.one().agents().ids().collect();
    if ids.is_empty() || number.is_multiple_of(16) {
        return Ok(AgentId { index: u32::from(number) / 16, generation: 0 });
    }
    ids.sort_unstable();
    Ok(ids[usize::from(number) % ids.len()])
}

fn inspect(variants: &mut Variants, id: AgentId) {
    let before = variants.one().state_hash();
    variants.each(|crowd| {
        crowd
            .neighbors(id)
            .map(|mut neighbors| {
                neighbors.sort_unstable();
                neighbors
            })
            .ok()
    });
    variants.each(|crowd| crowd.explain(id).map(|explained| explained.unreached).ok());
    variants.each(|crowd| {
        let counts = crowd.neighbor_counts();
        (counts.mean_neighbors.to_bits(), counts.max_neighbors)
    });
    variants.each(|crowd| {
        let forces = crowd.forces();
        let mut behaviors = crowd.scene().species.iter().flat_map(|species| &species.behaviors);
        // The force of `alarm` is NaN between agents at the same position.
        let may_be_nan = behaviors.any(|behavior| behavior.name() == "alarm");
        let is_nan = forces.iter().flatten().any(|force| force.is_nan());
        assert!(may_be_nan || !is_nan, "{forces:?}");
        crowd.reference_step(id).is_ok()
    });
    assert_eq!(variants.one().state_hash(), before);
    let crowd = variants.one();
    let sides = crowd.world_size().into_iter().chain(crowd.world().depth);
    assert!(sides.into_iter().all(|side| side <= COORDINATE_LIMIT));
}
