//! A first crowd: defines a shoal in code, runs it for ten seconds and prints positions and the
//! state hash.

use flockwork::behaviors::{Alignment, Cohesion, Separation, Wander};
use flockwork::{Scene, Species, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fish = Species::new("fish", 1_000)
        .view_distance(50.0)
        .max_speed(150.0)
        .behavior(Separation::default())
        .behavior(Alignment::default())
        .behavior(Cohesion { weight: 40.0, ..Cohesion::default() })
        .behavior(Wander::default());
    let scene = Scene::new(World::torus(1_600.0, 900.0)).species(fish).seed(7);

    let mut shoal = scene.build()?;
    let order = shoal.alignment_order();
    shoal.run(600)?;
    println!(
        "alignment {order:.2} at the start, {:.2} after {} steps",
        shoal.alignment_order(),
        shoal.tick(),
    );

    let agents = shoal.agents();
    for slot in 0..3 {
        println!("{} at ({:.1}, {:.1})", agents.id(slot), agents.x[slot], agents.y[slot]);
    }
    println!("state {:016x}", shoal.state_hash());

    let mut again = scene.build()?;
    again.run(600)?;
    assert_eq!(again.state_hash(), shoal.state_hash());
    assert!(shoal.alignment_order() > order);
    Ok(())
}
