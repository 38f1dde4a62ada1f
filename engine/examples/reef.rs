//! Fish in three dimensions: between rocks, above a sea floor, fleeing from a shark.

use flockwork::behaviors::{
    Alignment, Arrive, Cohesion, Flee, ObstacleAvoidance, Separation, WallAvoidance, Wander,
};
use flockwork::{InSpace, Obstacle, Scene, Species, Target, Vector, Wall, World};

fn main() -> Result<(), flockwork::Error> {
    let floor =
        Wall::new([[0.0, 0.0, 0.0], [400.0, 0.0, 0.0], [400.0, 300.0, 0.0], [0.0, 300.0, 0.0]]);
    let fish = Species::new("fish", 2_000)
        .view_distance(30.0)
        .max_climb(60.0)
        .behavior(WallAvoidance::default())
        .behavior(ObstacleAvoidance::default())
        .behavior(Flee {
            target: Target::nearest("shark"),
            panic_distance: Some(60.0),
            ..Flee::default()
        })
        .behavior(Separation::default())
        .behavior(Alignment::default())
        .behavior(Cohesion::default())
        .behavior(Wander::default());
    let shark = Species::new("shark", 1)
        .behavior(Arrive { target: Target::named("bait"), ..Arrive::default() });
    let scene = Scene::new(World::open(400.0, 300.0).depth(200.0))
        .species(fish)
        .species(shark)
        .obstacle(Obstacle::new([200.0, 150.0, 20.0], 40.0))
        .wall(floor)
        .solid(true)
        .point("bait", [300.0, 100.0, 50.0]);

    let mut reef = scene.build()?;
    reef.run(300)?;
    let first = reef.agents().id(0);
    let [x, y, z] = reef.get(InSpace(Vector::Position), first)?;
    println!("a fish at ({x:.0}, {y:.0}), {z:.0} above the floor");
    let around = reef.agents_within([x, y, z], 30.0, Some("fish"))?;
    println!("{} fish within 30 units of it", around.len());

    let below = reef.agents().z.iter().filter(|&&z| z < 0.0).count();
    println!("{below} have swum over the edge of the floor and below it");
    assert_eq!(reef.agents_in_scenery(), [], "agents inside the rock or the floor");
    Ok(())
}
