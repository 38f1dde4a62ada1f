use flockwork::{Scene, Simulation, World};

use crate::common::agents::{ids, place};
use crate::common::scenes::{flock, variety};

#[test]
fn neighbor_counts_count_what_neighbors_lists() {
    for (name, scene) in variety(150) {
        let mut simulation = scene.build().unwrap();
        simulation.run(3).unwrap();
        let counted = simulation.neighbor_counts();
        let counts: Vec<usize> =
            ids(&simulation).iter().map(|&id| simulation.neighbors(id).unwrap().len()).collect();
        let mean = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
        assert!((counted.mean_neighbors - mean).abs() < 1.0e-9, "{name}");
        assert_eq!(counted.max_neighbors as usize, counts.into_iter().max().unwrap(), "{name}");
    }
}

#[test]
fn counting_neighbors_changes_nothing_that_follows() {
    let scene = Scene::new(World::torus(300.0, 200.0)).species(flock(300));
    let run = |counts: bool, change: fn(&mut Simulation)| {
        let mut simulation = scene.build().unwrap();
        for _ in 0..10 {
            simulation.run(3).unwrap();
            if counts {
                simulation.neighbor_counts();
            }
            change(&mut simulation);
        }
        simulation.run(30).unwrap();
        simulation.state_hash()
    };
    type Change = fn(&mut Simulation);
    let changes: [(&str, Change); 4] = [
        ("nothing", |_| ()),
        ("spawn", |s| {
            place(s, [30.0, 40.0]);
        }),
        ("remove", |s| {
            let id = *ids(s).iter().min().unwrap();
            s.remove(id).unwrap();
        }),
        ("set_species", |s| {
            let view = if s.tick() % 2 == 0 { 35.0 } else { 40.0 };
            s.set_species(&flock(300).view_distance(view)).unwrap();
        }),
    ];
    for (name, change) in changes {
        assert_eq!(run(false, change), run(true, change), "{name}");
    }
}
