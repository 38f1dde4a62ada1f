//! Checks agents' memory between steps against the reference: wander target, waypoint, alert.

use flockwork::behaviors::{Seek, Wander};
use flockwork::{Behavior, Combine, Scene, Species, World};

use crate::common::agents::ids;
use crate::common::scenes::variety;
use crate::common::snapshots::column;

/// For each memory, the number of agent-steps that changed it and that left it unchanged.
#[derive(Debug, Default)]
struct Changes {
    wander: [u32; 2],
    waypoint: [u32; 2],
    alert: [u32; 2],
}

fn check(name: &str, scene: &Scene, steps: u32) -> Changes {
    let mut simulation = scene.build().unwrap();
    let mut changes = Changes::default();
    let names = ["wander_x", "wander_y", "waypoint", "alert"];
    for _ in 0..steps {
        // Indexed by id, since a step moves agents to other slots.
        let remembered = |simulation: &flockwork::Simulation| {
            let columns = names.map(|name| column(&simulation.snapshot(), name));
            let mut memory = vec![[0.0; 4]; simulation.len()];
            for (slot, id) in ids(simulation).into_iter().enumerate() {
                let entry = |column: &Vec<f32>| column.get(slot).copied().map_or(0.0, f64::from);
                memory[id.index as usize] = [0, 1, 2, 3].map(|k| entry(&columns[k]));
            }
            memory
        };
        let before = remembered(&simulation);
        let mut expected: Vec<_> = ids(&simulation)
            .into_iter()
            .map(|id| (id.index as usize, simulation.reference_step(id).unwrap()))
            .collect();
        expected.sort_by_key(|(index, _)| *index);
        simulation.step().unwrap();
        for ((old, new), (_, expected)) in before.iter().zip(remembered(&simulation)).zip(&expected)
        {
            // If jitter nearly cancels the target, normalizing the small sum amplifies its error.
            let off = (new[0] - expected.wander[0]).hypot(new[1] - expected.wander[1]);
            let size = expected.wander[0].hypot(expected.wander[1]);
            assert!(off <= 1.0e-4 * size, "{name}: wander {new:?}, {expected:?}");
            if expected.margin > 1.0e-5 {
                let waypoint = expected.waypoint as f64 + f64::from(expected.approaches) / 2.0;
                assert_eq!(new[2], waypoint, "{name}: waypoint, {expected:?}");
                assert!((new[3] - expected.alert).abs() < 1.0e-6, "{name}: {new:?}, {expected:?}");
            }
            changes.wander[usize::from(old[..2] == new[..2])] += 1;
            changes.waypoint[usize::from(old[2] == new[2])] += 1;
            changes.alert[usize::from(old[3] == new[3])] += 1;
        }
    }
    changes
}

#[test]
fn remembered_wander_targets_waypoints_and_alerts_are_the_references() {
    let mut total = Changes::default();
    // Scenes with solid scenery are left out: they are slow in the reference, and add no memory.
    for (name, scene) in variety(120).into_iter().filter(|(_, scene)| !scene.solid) {
        let changes = check(name, &scene, 25);
        println!("{name}: {changes:?}");
        for k in 0..2 {
            total.wander[k] += changes.wander[k];
            total.waypoint[k] += changes.waypoint[k];
            total.alert[k] += changes.alert[k];
        }
    }
    // Guards against a test in which memory hardly ever changes.
    assert!(total.wander.iter().all(|&count| count > 100), "{total:?}");
    assert!(total.waypoint.iter().all(|&count| count > 10), "{total:?}");
    assert!(total.alert.iter().all(|&count| count > 100), "{total:?}");
}

/// A behavior that dithering skips, or for which no force is left, keeps its memory.
#[test]
fn memory_rests_while_its_behavior_is_not_evaluated() {
    let target = [1.0e4, 0.0].into();
    let spent = Seek { weight: 1.0e6, target }.into();
    let wander: Behavior = Wander::default().into();
    let species = |combine, behaviors: Vec<Behavior>| Species {
        behaviors,
        ..Species::new("agent", 100).combine(combine).probability("wander", 0.4)
    };
    let scene = |species| Scene::new(World::torus(300.0, 300.0)).species(species);
    let wandered = |combine, behaviors| {
        check(&format!("{combine:?}"), &scene(species(combine, behaviors)), 10).wander
    };
    assert_eq!(wandered(Combine::Prioritized, vec![spent, wander.clone()])[0], 0);
    assert_eq!(wandered(Combine::Prioritized, vec![wander.clone()])[1], 0);
    let [turns, rests] = wandered(Combine::Dithered, vec![wander]);
    // Expected: 400 and 600, within six standard deviations of 15.5.
    assert!((307..493).contains(&turns) && turns + rests == 1_000, "{turns}, {rests}");
}
