use std::collections::HashMap;

use flockwork::behaviors::{Cohesion, Separation, Wander};
use flockwork::{AgentId, Scene, Species, SpeciesValue, Topology, World};
use proptest::prelude::*;

use crate::common::agents::ids;
use crate::common::arbitrary::scene;
use crate::common::measures::assert_forces_within_maximum;
use crate::common::measures::sides;
use crate::common::scenes::variety;
use crate::common::variants::Variant;

fn length([x, y, z]: [f32; 3]) -> f32 {
    x.hypot(y).hypot(z)
}

/// True if a coordinate is inside the world, whose size along that axis is 0 for z in flat worlds.
fn is_inside(topology: Topology, at: f32, size: f32) -> bool {
    match topology {
        _ if size == 0.0 => at == 0.0,
        Topology::Torus => (0.0..size).contains(&at),
        Topology::Bounded => (0.0..=size).contains(&at),
        Topology::Open => at.is_finite(),
    }
}

#[test]
fn speed_heading_and_position_keep_within_their_bounds() {
    for (name, scene) in variety(200) {
        let mut simulation = scene.build().unwrap();
        let size = sides(&simulation);
        for _ in 0..40 {
            simulation.step().unwrap();
            for id in ids(&simulation) {
                let state = simulation.agent(id).unwrap();
                let species = &scene.species[state.species];
                let max_speed = match species.max_speed {
                    SpeciesValue::Shared(value) => value,
                    SpeciesValue::Between([_, to]) => to,
                };
                assert!(length(state.velocity) <= max_speed * 1.000_001, "{name} {state:?}");
                assert!((length(state.heading) - 1.0).abs() < 1.0e-5, "{name} {state:?}");
                let inside =
                    |(at, size): (f32, f32)| is_inside(simulation.world().topology, at, size);
                assert!(state.position.into_iter().zip(size).all(inside), "{name} {state:?}");
            }
        }
    }
}

/// Regression: the unit vector of an offset whose squares underflow was too long.
#[test]
fn force_along_an_underflowing_vector_does_not_exceed_the_maximum() {
    for normalized in [true, false] {
        let cohesion = Cohesion { weight: 1.0e6, normalized, ..Cohesion::default() };
        let mut species = Species::new("agent", 15).view_distance(6.4855013).behavior(cohesion);
        species.field_of_view = 150.91713;
        species.max_speed = [1.0, 66.17123].into();
        species.max_force = [0.0, 237.13347].into();
        species.mass = 0.2.into();
        species.radius = [5.4018308e-24, 1.2958973e-22].into();
        species.max_turn_rate = Some(1.0e4);
        species.start.speed = Some(3.2749767e-37);
        let world = World::bounded(6.0, 0.47994417);
        let scene = Scene::new(world).species(species).seed(820_083_088_262_843_683);
        let scene = scene.steps_per_second(10.135686).non_penetration(1);
        for variant in Variant::all() {
            let mut crowd = scene.build().unwrap();
            variant.set(&mut crowd);
            for _ in 0..4 {
                assert_forces_within_maximum(&crowd, 4.0e-17, &format!("{variant:?}"));
                crowd.step().unwrap();
            }
        }
    }
}

#[test]
fn force_never_exceeds_the_maximum() {
    for (name, scene) in variety(150) {
        let mut simulation = scene.build().unwrap();
        simulation.run(10).unwrap();
        for id in ids(&simulation) {
            let kind = simulation.agent(id).unwrap().species;
            let max_force = match scene.species[kind].max_force {
                SpeciesValue::Shared(value) => value,
                SpeciesValue::Between([_, to]) => to,
            };
            let [x, y, _] = simulation.reference_step(id).unwrap().force;
            assert!(x.hypot(y) <= f64::from(max_force) * (1.0 + 1.0e-9), "{name}");
        }
        // The engine's own force shows in the velocity change of agents of mass 1.
        let slow = Species::new("slow", 200)
            .max_speed(1.0e4)
            .max_force(50.0)
            .behavior(Separation { weight: 1.0e6, ..Separation::default() })
            .behavior(Wander { weight: 1.0e6, ..Wander::default() });
        let mut simulation = Scene::new(World::torus(300.0, 300.0)).species(slow).build().unwrap();
        let before: HashMap<AgentId, [f32; 3]> = ids(&simulation)
            .into_iter()
            .map(|id| (id, simulation.agent(id).unwrap().velocity))
            .collect();
        simulation.step().unwrap();
        for (id, old) in before {
            let new = simulation.agent(id).unwrap().velocity;
            let change = length([0, 1, 2].map(|axis| new[axis] - old[axis]));
            // At a speed of 1e4, rounding is about 1e-3.
            assert!(change <= 50.0 / 60.0 + 4.0e-3, "{change}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(250) })]

    #[test]
    fn any_scene_stays_within_its_bounds(scene in scene()) {
        let mut simulation = scene.build().unwrap();
        let size = sides(&simulation);
        for _ in 0..20 {
            simulation.step().unwrap();
            for id in ids(&simulation) {
                let state = simulation.agent(id).unwrap();
                let inside = |(at, size): (f32, f32)| is_inside(simulation.world().topology, at, size);
                prop_assert!(state.position.into_iter().zip(size).all(inside), "{:?}", state);
                let [vx, vy, vz] = state.velocity.map(f64::from);
                let most = match scene.species[state.species].max_speed {
                    SpeciesValue::Shared(speed) | SpeciesValue::Between([_, speed]) => f64::from(speed),
                };
                prop_assert!(vx.hypot(vy).hypot(vz) <= most * (1.0 + 4.0e-7), "{:?}", state);
                let [hx, hy, hz] = state.heading.map(f64::from);
                prop_assert!((hx.hypot(hy).hypot(hz) - 1.0).abs() < 4.0e-7, "{:?}", state);
            }
        }
    }
}
