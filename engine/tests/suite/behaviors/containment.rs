use flockwork::behaviors::{Containment, Wander};
use flockwork::{Scene, Snapshot, Species, World};

use crate::common::agents::{force, place};
use crate::common::refusals::{field_and_allowed, refused};
use crate::common::snapshots::{BODY, list, sealed};

#[test]
fn containment_keeps_agents_inside() {
    let outside = |containment: Option<Containment>| {
        let mut species = Species::new("agents", 200).max_speed(100.0);
        species.behaviors.extend(containment.map(Into::into));
        let species = species.behavior(Wander::default());
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
    // The force grows with depth, so a margin gives it room to become strong enough.
    let (rate, deepest) = outside(Some(Containment { margin: 30.0, ..Containment::default() }));
    assert!(rate < 0.001 && deepest < 1.0, "{rate} of agent-steps outside, {deepest} deep");
    // Without a margin, agents that wander at full force get 22 units outside before they are
    // pushed back.
    let (_, deepest) = outside(Some(Containment::default()));
    assert!(deepest < 30.0, "{deepest}");
}

#[test]
fn a_margin_over_half_the_world_is_refused() {
    let scene = |margin: f32, world: World| {
        let containment = Containment { margin, weight: 1.0, ..Containment::default() };
        Scene::new(world).species(Species::new("agent", 1).behavior(containment))
    };
    for world in [World::bounded(300.0, 100.0), World::open(100.0, 300.0)] {
        for margin in [50.0_f32.next_up(), 60.0, 1.0e6] {
            let (field, allowed) = refused(&scene(margin, world));
            assert_eq!(field, "species[0].behaviors[0].containment.margin");
            assert!(allowed.starts_with("from 0 to 50 world units"), "{allowed}");

            let mut simulation = scene(0.0, world).build().unwrap();
            let before = simulation.state_hash();
            let wide = scene(margin, world).species.remove(0);
            let error = simulation.set_species(&wide).unwrap_err();
            assert_eq!(field_and_allowed(&error), (field, allowed));
            assert_eq!(simulation.state_hash(), before);
            assert_eq!(simulation.scene(), scene(0.0, world).build().unwrap().scene());
        }
        let mut simulation = scene(50.0, world).build().unwrap();
        let middle = simulation.world_size().map(|side| if side > 100.0 { 75.0 } else { 50.0 });
        let agent = place(&mut simulation, middle);
        simulation.step().unwrap();
        let away = simulation.agent(agent).unwrap().position;
        let [fx, fy] = force(&simulation, agent);
        assert!(fx * (away[0] - middle[0]) <= 0.0 && fy * (away[1] - middle[1]) <= 0.0);
    }
    // A snapshot is refused for the same reason as its scene.
    let saved = scene(40.0, World::bounded(100.0, 100.0)).build().unwrap().snapshot().to_bytes();
    let mut body = saved[BODY..].to_vec();
    let (at, length) = list(&body, "scene");
    let text = String::from_utf8(body[at..at + length].to_vec()).unwrap();
    let wide = text.replace("margin = 40.0", "margin = 60.0");
    assert_ne!(text, wide);
    body[at..at + length].copy_from_slice(wide.as_bytes());
    let error = Snapshot::from_bytes(&sealed(&body)).unwrap_err().to_string();
    assert!(error.contains("containment.margin = 60.0: must be from 0 to 50"), "{error}");
}
