//! Compares the engine with the f64 reference; `--nocapture` prints the observed errors.

use flockwork::behaviors::{
    Alignment, Arrive, Cohesion, Deceleration, Flee, FlockRules, Hide, Seek, Separation, Wander,
};
use flockwork::{Behavior, Combine, Scene, Simulation, Species, Target, Topology, World};

use crate::common::agents::{id, ids, one, resting};
use crate::common::measures::sides;
use crate::common::scenes::variety;

/// An agent is left out if another agent is within this relative distance of the edge of its view,
/// since rounding decides whether the other agent is seen.
const SMALLEST_MARGIN: f64 = 1.0e-5;

/// Largest differences: position in world units, velocity in units/s, heading between unit
/// vectors.
#[derive(Debug, Default)]
struct Errors {
    position: f64,
    velocity: f64,
    heading: f64,
    compared: usize,
    left_out: usize,
}

fn length([x, y, z]: [f64; 3]) -> f64 {
    x.hypot(y).hypot(z)
}

fn compare(simulation: &mut Simulation, errors: &mut Errors) {
    let ids = ids(simulation);
    let expected: Vec<_> = ids.iter().map(|&id| simulation.reference_step(id).unwrap()).collect();
    let size = sides(simulation).map(f64::from);
    let torus = simulation.world().topology == Topology::Torus;
    simulation.step().unwrap();
    for (&id, expected) in ids.iter().zip(&expected) {
        if expected.margin < SMALLEST_MARGIN {
            errors.left_out += 1;
            continue;
        }
        let state = simulation.agent(id).unwrap();
        let offset = |axis: usize| {
            let offset = f64::from(state.position[axis]) - expected.position[axis];
            if torus && size[axis] > 0.0 {
                offset - (offset / size[axis]).round() * size[axis]
            } else {
                offset
            }
        };
        errors.compared += 1;
        errors.position = errors.position.max(length([0, 1, 2].map(offset)));
        let off = |got: [f32; 3], want: [f64; 3]| {
            length([0, 1, 2].map(|axis| f64::from(got[axis]) - want[axis]))
        };
        errors.velocity = errors.velocity.max(off(state.velocity, expected.velocity));
        let speed = length(expected.velocity);
        // The direction of a tiny velocity is ill-conditioned.
        if speed > 1.0 {
            errors.heading = errors.heading.max(off(state.heading, expected.heading));
        }
    }
}

/// Runs a scene whose errors may be `slack` times those of a single behavior.
pub(super) fn check(name: &str, scene: &Scene, steps: usize, slack: f64) {
    let mut simulation = scene.build().unwrap();
    let mut errors = Errors::default();
    for _ in 0..steps {
        compare(&mut simulation, &mut errors);
        simulation.run(6).unwrap();
    }
    println!(
        "{name:20} position {:.1e}  velocity {:.1e} units/s  heading {:.1e}  ({} agents, {} left out)",
        errors.position, errors.velocity, errors.heading, errors.compared, errors.left_out
    );
    assert!(errors.compared > 9 * errors.left_out, "{name}: too many left out: {errors:?}");
    assert!(errors.position < slack * 8.0e-5, "{name}: {errors:?}");
    assert!(errors.velocity < slack * 2.0e-4, "{name}: {errors:?}");
    assert!(errors.heading < slack * 8.0e-7, "{name}: {errors:?}");
}

#[test]
fn every_behavior_agrees_with_the_reference() {
    let (weight, target) = (3.0, [180.0, 120.0]);
    let behaviors: Vec<Behavior> = vec![
        Separation { weight: 300.0, ..Separation::default() }.into(),
        Alignment { weight: 100.0, ..Alignment::default() }.into(),
        Cohesion { weight: 100.0, ..Cohesion::default() }.into(),
        Cohesion { weight, normalized: false, ..Cohesion::default() }.into(),
        Seek { weight, target: target.into() }.into(),
        Flee { weight, target: target.into(), panic_distance: None }.into(),
        Flee { weight, target: target.into(), panic_distance: Some(100.0) }.into(),
        Arrive {
            weight,
            target: target.into(),
            deceleration: Deceleration::Fast,
            ..Arrive::default()
        }
        .into(),
        Arrive {
            weight,
            target: target.into(),
            deceleration: Deceleration::Normal,
            ..Arrive::default()
        }
        .into(),
        Arrive {
            weight,
            target: target.into(),
            deceleration: Deceleration::Slow,
            ..Arrive::default()
        }
        .into(),
        Wander::default().into(),
        Wander { jitter_per_step: true, jitter: 1.0, scaled: false, ..Wander::default() }.into(),
        FlockRules::default().into(),
        FlockRules { near_separation: false, ..FlockRules::default() }.into(),
    ];
    for behavior in behaviors {
        for combine in [Combine::Prioritized, Combine::WeightedSum] {
            let name = behavior.name();
            let species = Species::new("agent", 300).combine(combine).behavior(behavior.clone());
            check(name, &Scene::new(World::torus(400.0, 300.0)).species(species), 6, 1.0);
        }
    }
}

#[test]
fn a_hunter_on_top_of_its_prey_is_seen_in_any_field_of_view() {
    let hunter = Target::member("hunter", 0);
    let hide = Hide { weight: 1.0, hunter, mutual: true, ..Hide::default() };
    let prey = one("prey", [50.0, 50.0], 30.0).field_of_view(60.0).behavior(hide);
    let scene = Scene::new(World::bounded(100.0, 100.0)).species(prey).species(resting(
        "hunter",
        [50.0, 50.0],
        200.0,
    ));
    let simulation = scene.build().unwrap();
    let [vx, vy, _] = simulation.agent(id(0)).unwrap().velocity;
    // The prey has no place to hide and no direction to flee, so it brakes.
    assert_eq!(simulation.explain(id(0)).unwrap().force, [-vx, -vy, 0.0]);
    check("hunter on top", &scene, 1, 1.0);
}

#[test]
fn every_world_and_combination_agrees_with_the_reference() {
    for (name, mut scene) in variety(300) {
        if scene.non_penetration > 0 {
            // With non-penetration, every reference step pushes all agents apart, which is slow.
            scene = scene.agents(100);
        }
        check(name, &scene, 6, 5.0);
    }
}
