use flockwork::{AgentId, Behavior, Scene, Simulation, Species, Start, StartPlace, World};

use crate::common::space::{place_in, point_in};

/// A weight below mass / dt, so that no step overshoots the desired velocity. The book's weight,
/// which is the default, is larger and makes agents chatter.
pub(crate) const CALM: f32 = 30.0;

/// A species with a single agent at full speed; `degrees` is 0 to the right.
pub(crate) fn one(name: &str, at: [f32; 2], degrees: f32) -> Species {
    let place = StartPlace::Circle { center: at.into(), radius: 0.0 };
    let start = Start { place, heading: Some(degrees), speed: None };
    Species { start, ..Species::new(name, 1) }
}

pub(crate) fn resting(name: &str, at: [f32; 2], degrees: f32) -> Species {
    let mut species = one(name, at, degrees);
    species.start.speed = Some(0.0);
    species
}

/// An agent at rest at (0, 0), headed right, with practically unlimited force.
pub(crate) fn strong(behavior: impl Into<Behavior>) -> Species {
    resting("agent", [0.0, 0.0], 0.0).max_force(1.0e6).radius(3.0).behavior(behavior)
}

/// Spawns an agent of the first species at full speed, headed right.
pub(crate) fn place(simulation: &mut Simulation, at: [f32; 2]) -> AgentId {
    let scene = simulation.scene();
    // If a world is sized by its mean number of neighbors, only the simulation knows its depth.
    let world = World { depth: simulation.world().depth, ..scene.world };
    let species = scene.species[0].name.clone();
    let [at, heading] = [place_in(&world, at), [1.0, 0.0, 0.0]].map(|at| point_in(&world, at));
    simulation.spawn(&species, at, heading).unwrap()
}

/// A single agent on a torus, at (200, 200), headed right.
pub(crate) fn alone(behavior: impl Into<Behavior>) -> (Simulation, AgentId) {
    let species = Species::new("agent", 0).behavior(behavior);
    let mut simulation = Scene::new(World::torus(1000.0, 800.0)).species(species).build().unwrap();
    let id = place(&mut simulation, [200.0, 200.0]);
    (simulation, id)
}

/// Sets property number `which` of some agents in a world of about 120 × 90 units. `share`, from 0
/// to 1, determines the values, which the crowd may refuse.
macro_rules! set_property {
    ($crowd:expr, $which:expr, $ids:expr, $share:expr) => {{
        use crate::common::agents::each;
        use flockwork::{InSpace, Number, Vector};
        let (crowd, ids, share) = ($crowd, $ids, $share);
        match $which {
            0 if crowd.scene().world.depth.is_some() => {
                let places = each(ids, share, |s| [s * 120.0, s * s * 90.0, 50.0 - s * 40.0]);
                crowd.set_many(InSpace(Vector::Position), ids, &places)
            }
            1 if crowd.scene().world.depth.is_some() => {
                let headings = each(ids, share, |s| [s - 0.4, s * s, 0.7 - s]);
                crowd.set_many(InSpace(Vector::Heading), ids, &headings)
            }
            0 => {
                let places = each(ids, share, |s| [s * 120.0, s * s * 90.0]);
                crowd.set_many(Vector::Position, ids, &places)
            }
            1 => crowd.set_many(Vector::Heading, ids, &each(ids, share, |s| [s - 0.4, s * s])),
            2 => crowd.set_many(
                Number::MaxSpeed,
                ids,
                &each(ids, share, |s| {
                    // A few agents are far faster than all others.
                    10.0 + s * if s > 0.9 { 2_000.0 } else { 200.0 }
                }),
            ),
            3 => crowd.set_many(Number::MaxForce, ids, &each(ids, share, |s| s * 500.0)),
            4 => crowd.set_many(Number::Mass, ids, &each(ids, share, |s| 0.5 + s)),
            5 => crowd.set_many(
                Number::Radius,
                ids,
                &each(ids, share, |s| s * if s > 0.9 { 80.0 } else { 12.0 }),
            ),
            6 => crowd.set_many(Number::FieldOfView, ids, &each(ids, share, |s| s * 400.0)),
            _ => crowd.set_many(Number::Immovable, ids, &each(ids, share, f32::round)),
        }
    }};
}
pub(crate) use set_property;

/// Gives agents of a random scene a radius and a maximum speed far above those of most species, or
/// of all species if `large`. The crowd may refuse the speed.
macro_rules! set_outliers {
    ($crowd:expr, $ids:expr, $large:expr) => {{
        use flockwork::Number;
        let (crowd, ids, factor) = ($crowd, $ids, if $large { 20.0 } else { 1.0 });
        crowd.set_many(Number::Radius, ids, &vec![90.0 * factor; ids.len()]).unwrap();
        crowd.set_many(Number::MaxSpeed, ids, &vec![700.0 * factor; ids.len()])
    }};
}
pub(crate) use set_outliers;

pub(crate) fn each<V>(ids: &[AgentId], share: f32, value: fn(f32) -> V) -> Vec<V> {
    (0..ids.len()).map(|k| value((share + 0.3 * k as f32).fract())).collect()
}

pub(crate) fn id(index: u32) -> AgentId {
    AgentId { index, generation: 0 }
}

pub(crate) fn ids(simulation: &Simulation) -> Vec<AgentId> {
    simulation.agents().ids().collect()
}

pub(crate) fn position(simulation: &Simulation, index: u32) -> [f32; 2] {
    flat(simulation.agent(id(index)).unwrap().position)
}

pub(crate) fn speed(simulation: &Simulation, index: u32) -> f32 {
    let [vx, vy] = flat(simulation.agent(id(index)).unwrap().velocity);
    vx.hypot(vy)
}

pub(crate) fn force(simulation: &Simulation, agent: AgentId) -> [f32; 2] {
    flat(simulation.explain(agent).unwrap().force)
}

/// A vector without its third component, which is 0 in a flat world.
pub(crate) fn flat([x, y, z]: [f32; 3]) -> [f32; 2] {
    assert_eq!(z, 0.0);
    [x, y]
}
