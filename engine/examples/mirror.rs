//! Mirrors the crowd in a program's own entities, as in an entity component system. Each entity
//! stores an agent id; commands go to the crowd before a step, and positions come back after it.

use flockwork::behaviors::{Separation, Wander};
use flockwork::{AgentId, Scene, Spawn, Species, Vector, World};

/// Components of an entity: the program's own state and values mirrored from the crowd.
#[derive(Debug)]
struct Entity {
    name: String,
    health: f32,
    agent: AgentId,
    position: [f32; 2],
    /// New position that a player or a script requested, applied before the next step.
    teleport: Option<[f32; 2]>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let orc = Species::new("orc", 0)
        .max_speed(80.0)
        .behavior(Separation::default())
        .behavior(Wander::default());
    let mut crowd = Scene::new(World::bounded(400.0, 300.0)).species(orc).build()?;

    let start: Vec<[f32; 2]> = (0..200).map(|k| [(k % 20) as f32 * 20.0, k as f32]).collect();
    let agents = crowd.spawn_many("orc", &Spawn::at(&start).headings(&[[0.0, 1.0]; 200]))?;
    let entity = |(k, &agent): (usize, &AgentId)| Entity {
        name: format!("orc {k}"),
        health: 1.0 + (k % 5) as f32,
        agent,
        position: start[k],
        teleport: None,
    };
    let mut entities: Vec<Entity> = agents.iter().enumerate().map(entity).collect();

    for frame in 0..300 {
        // Game systems: entities near the bottom lose health, and some are teleported now and then.
        for entity in entities.iter_mut().filter(|entity| entity.position[1] < 10.0) {
            entity.health -= 0.1;
        }
        let lucky = frame % entities.len();
        entities[lucky].teleport = (frame % 50 == 0).then_some([200.0, 290.0]);

        // To the crowd: remove the agents of dead entities and apply teleports.
        let dead: Vec<AgentId> = entities
            .iter()
            .filter(|entity| entity.health <= 0.0)
            .map(|entity| entity.agent)
            .collect();
        crowd.remove_many(&dead)?;
        entities.retain(|entity| entity.health > 0.0);
        let (moved, to): (Vec<AgentId>, Vec<[f32; 2]>) = entities
            .iter_mut()
            .filter_map(|entity| Some((entity.agent, entity.teleport.take()?)))
            .unzip();
        crowd.set_many(Vector::Position, &moved, &to)?;

        crowd.step()?;

        // From the crowd: a single call reads all positions.
        let agents: Vec<AgentId> = entities.iter().map(|entity| entity.agent).collect();
        let positions = crowd.get_many(Vector::Position, &agents)?;
        for (entity, position) in entities.iter_mut().zip(positions) {
            entity.position = position;
        }
    }
    let Entity { name, position: [x, y], .. } = entities.first().ok_or("all are dead")?;
    println!("{} entities left; {name} is at ({x:.0}, {y:.0})", entities.len());
    assert!(entities.len() < 200 && entities.len() == crowd.len());
    Ok(())
}
