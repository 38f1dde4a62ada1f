//! Containment keeps agents inside the world.

use flockwork::{Containment, Scene, Species, Wander, World};

#[test]
fn containment_keeps_agents_inside() {
    let outside = |containment: Option<Containment>| {
        let mut species = Species::new("agents", 200).max_speed(100.0);
        species.behaviors.extend(containment.map(Into::into));
        let species = species.steer(Wander::default());
        let scene = Scene::new(World::open(600.0, 400.0)).species(species);
        let mut simulation = scene.build().unwrap();
        simulation.run(120).unwrap();
        let (mut outside, mut deepest) = (0_u32, 0.0_f32);
        for _ in 0..1_800 {
            simulation.step().unwrap();
            let agents = simulation.agents();
            for (&x, &y) in agents.x.iter().zip(agents.y) {
                let depth = (-x).max(x - 600.0).max(-y).max(y - 400.0);
                outside += u32::from(depth > 0.0);
                deepest = deepest.max(depth);
            }
        }
        (f64::from(outside) / (200.0 * 1_800.0), deepest)
    };
    let (without, _) = outside(None);
    assert!(without > 0.8, "without it they leave: {without}");
    // The force grows with depth: a margin gives it room to become strong enough.
    let (rate, deepest) = outside(Some(Containment { margin: 30.0, ..Containment::default() }));
    assert!(rate < 0.001 && deepest < 1.0, "{rate} of agent-steps outside, {deepest} deep");
    // Without one, agents that wander at full force are pushed back from outside: 22 units deep
    // here.
    let (_, deepest) = outside(Some(Containment::default()));
    assert!(deepest < 30.0, "{deepest}");
}
