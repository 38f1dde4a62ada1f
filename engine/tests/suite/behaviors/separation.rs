use flockwork::behaviors::Separation;
use flockwork::{Scene, Species, World};

use crate::common::agents::{ids, place, resting};
use crate::common::measures::mean_distance_to_nearest;
use crate::common::scenes::{flock, open};

#[test]
fn separation_pushes_a_pair_apart_with_equal_and_opposite_forces() {
    let species =
        Species::new("pair", 0).behavior(Separation { weight: 100.0, ..Separation::default() });
    let scene = Scene::new(World::torus(200.0, 200.0)).species(species.clone());
    let mut simulation = scene.build().unwrap();
    let pair = [[98.0, 100.0], [105.0, 103.0]].map(|at| place(&mut simulation, at));
    let [a, b] = pair.map(|id| simulation.reference_step(id).unwrap().force);
    assert!(a[0] < 0.0 && a[1] < 0.0, "away from the other: {a:?}");
    assert_eq!([a[0] + b[0], a[1] + b[1]], [0.0, 0.0]);
    // Agents start at their maximum speed, which must not clamp the effect of the force.
    simulation.set_species(&species.max_speed(1.0e4)).unwrap();
    let before = pair.map(|id| simulation.agent(id).unwrap().velocity);
    simulation.step().unwrap();
    let after = pair.map(|id| simulation.agent(id).unwrap().velocity);
    let change = |k: usize| [0, 1].map(|axis| after[k][axis] - before[k][axis]);
    let [first, second] = [change(0), change(1)];
    assert!((first[0] + second[0]).abs() < 3.0e-5 && (first[1] + second[1]).abs() < 3.0e-5);
}

/// Figures from `docs/errata.md`.
#[test]
fn softened_separation_is_weaker_below_a_thousandth_of_a_unit() {
    for (distance, share) in [
        (1.0_f32, 1.0),
        (1.0e-2, 1.0),
        (4.0e-3, 1.0),
        (1.0e-3, 1.0 - 1.0e-6),
        (1.0e-4, 1.0 - 1.0e-4),
        (1.0e-5, 1.0 / 1.01),
        (1.0e-6, 0.5),
        (1.0e-7, 1.0 / 101.0),
        (0.0, 0.0),
    ] {
        let agent = |name, x| {
            resting(name, [x, 0.0], 0.0)
                .max_force(1.0e9)
                .behavior(Separation { weight: 1.0, ..Separation::default() })
        };
        let simulation = open([agent("a", 0.0), agent("b", distance)]).build().unwrap();
        for force in simulation.forces() {
            let kept = f64::from(force[0].abs()) * f64::from(distance);
            println!("{distance:8.0e} units apart: {kept:.7} of 1 / distance");
            // Tolerance for two f32 roundings.
            assert!((kept - share).abs() < 1.2e-7, "{kept} instead of {share} at {distance}");
            assert_eq!(force[1], 0.0);
        }
    }
}

#[test]
fn defect_05_coincident_agents_separate_finitely_and_repeatably() {
    let run = || {
        let species = flock(0);
        let scene = Scene::new(World::torus(200.0, 200.0)).species(species);
        let mut simulation = scene.build().unwrap();
        for _ in 0..40 {
            place(&mut simulation, [100.0, 100.0]);
        }
        simulation.run(120).unwrap();
        for id in ids(&simulation) {
            let state = simulation.agent(id).unwrap();
            let numbers = [state.position, state.velocity, state.heading].concat();
            assert!(numbers.iter().all(|value| value.is_finite()), "{state:?}");
        }
        assert!(
            mean_distance_to_nearest(&simulation) > 0.1,
            "wander and separation pull them apart"
        );
        simulation.state_hash()
    };
    assert_eq!(run(), run());
}
