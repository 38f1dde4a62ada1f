//! An infection: ill people are slower, infect others nearby, and recover. The program applies its
//! own rules between steps, using a per-agent column and neighborhood queries.

use flockwork::behaviors::{Separation, Wander};
use flockwork::{AgentId, AgentOrder, Number, Scene, Species, World};

const HEALTHY: f32 = 60.0;
const ILL: f32 = 20.0;
/// Distance at which people infect each other, in world units.
const CONTAGIOUS: f32 = 8.0;
/// Seconds that the illness lasts.
const DURATION: f32 = 4.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Seconds since infection; negative for people who were never infected.
    let person = Species::new("person", 3_000)
        .max_speed(HEALTHY)
        .view_distance(12.0)
        .column("ill", -1.0)
        .behavior(Separation::default())
        .behavior(Wander::default());
    let mut city = Scene::new(World::torus(900.0, 900.0)).species(person).seed(3).build()?;

    let first = city.ids_ascending().next().ok_or("nobody lives here")?;
    infect(&mut city, &[first])?;
    let (mut ill, mut near) = (Vec::new(), Vec::new());
    for second in 1..=30 {
        for _ in 0..60 {
            city.step()?;
            let dt = 1.0 / city.scene().steps_per_second;
            city.get_all_into(Number::Column("ill"), AgentOrder::Slot, &mut ill)?;
            let sick = |time: f32| (0.0..DURATION).contains(&time);
            let mut infected: Vec<AgentId> = Vec::new();
            let mut recovered: Vec<AgentId> = Vec::new();
            for (slot, time) in ill.iter_mut().enumerate().filter(|(_, time)| sick(**time)) {
                *time += dt;
                if !sick(*time) {
                    recovered.push(city.agents().id(slot));
                }
                let at = [city.agents().x[slot], city.agents().y[slot]];
                city.agents_within_into(at, CONTAGIOUS, None, &mut near)?;
                infected.extend(&near);
            }
            city.set_all(Number::Column("ill"), AgentOrder::Slot, &ill)?;
            city.set_many(Number::MaxSpeed, &recovered, &vec![HEALTHY; recovered.len()])?;
            let never = |id: &AgentId| city.get(Number::Column("ill"), *id).is_ok_and(|t| t < 0.0);
            infected.retain(never);
            infect(&mut city, &infected)?;
        }
        let count = |wanted: fn(f32) -> bool| ill.iter().filter(|time| wanted(**time)).count();
        if second % 10 == 0 {
            let now = count(|time| (0.0..DURATION).contains(&time));
            println!("{second:2} s: {now:4} ill, {:4} recovered", count(|time| time >= DURATION));
        }
    }
    assert!(ill.iter().filter(|time| **time >= 0.0).count() > 100);
    Ok(())
}

fn infect(city: &mut flockwork::Simulation, ids: &[AgentId]) -> Result<(), flockwork::Error> {
    city.set_many(Number::Column("ill"), ids, &vec![0.0; ids.len()])?;
    city.set_many(Number::MaxSpeed, ids, &vec![ILL; ids.len()])
}
