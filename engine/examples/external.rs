//! External forces: a pilot steers one drone, wind blows on all drones, and the engine keeps them
//! apart.

use flockwork::behaviors::{External, Separation, Wander};
use flockwork::{AgentOrder, Number, Scene, Species, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let drones = Species::new("drone", 300)
        .behavior(Separation::default())
        .behavior(External::default())
        .behavior(Wander::default());
    let mut crowd = Scene::new(World::open(900.0, 900.0)).species(drones).build()?;
    let leader = crowd.agents().ids().min().ok_or("no drones")?;
    let height = |crowd: &flockwork::Simulation| {
        crowd.agents().y.iter().map(|&y| f64::from(y)).sum::<f64>() / crowd.len() as f64
    };
    let before = (crowd.agent(leader)?.position, height(&crowd));

    // An acceleration stays in effect until it is set again.
    crowd.set(Number::Column(External::X), leader, 40.0)?;
    let wind = vec![-5.0; crowd.len()];
    for _ in 0..600 {
        crowd.set_all(Number::Column(External::Y), AgentOrder::Slot, &wind)?;
        crowd.step()?;
    }

    let after = (crowd.agent(leader)?.position, height(&crowd));
    println!("the leader flew from {:.0?} to {:.0?}", before.0, after.0);
    println!("the wind blew all from a mean height of {:.0} to {:.0}", before.1, after.1);
    assert!(after.0[0] > before.0[0] + 200.0 && after.1 < before.1 - 50.0);
    Ok(())
}
