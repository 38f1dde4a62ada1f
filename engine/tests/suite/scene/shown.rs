use flockwork::{AgentOrder, Behavior, Number, Scene, Simulation, Vector};

use crate::common::agents::{id, position, speed};
use crate::common::measures::distance;

fn crowd(name: &str) -> Simulation {
    Scene::named(name).unwrap().build().unwrap()
}

/// Overlap of every pair closer than the sum of its radii, as a fraction of the smaller radius.
fn overlaps(crowd: &Simulation) -> Vec<f32> {
    let at = crowd.get_all(Vector::Position, AgentOrder::Id).unwrap();
    let radii = crowd.get_all(Number::Radius, AgentOrder::Id).unwrap();
    let mut overlaps = Vec::new();
    for a in 0..at.len() {
        for b in 0..a {
            let [x, y, _] = crowd.displacement(at[a], at[b]);
            let overlap = radii[a] + radii[b] - x.hypot(y);
            if overlap > 0.0 {
                overlaps.push(overlap / radii[a].min(radii[b]));
            }
        }
    }
    overlaps
}

#[test]
fn non_penetration_scene_has_no_overlap() {
    let deep = |non_penetration, separation| {
        let mut scene = Scene::named("non-penetration").unwrap().non_penetration(non_penetration);
        let Behavior::Separation(own) = &mut scene.species[0].behaviors[0] else { panic!() };
        own.weight = separation;
        let mut crowd = scene.build().unwrap();
        crowd.run(600).unwrap();
        overlaps(&crowd).into_iter().filter(|share| *share > 0.5).count()
    };
    let (with, without) = (deep(4, 0.0), deep(0, 0.0));
    assert!(without > 1_000, "they all want to be at one point: {without}");
    assert!(with * 100 < without, "{with} of {without}");
    assert!(deep(0, 3_000.0) * 3 < without, "separation keeps apart, too, but softly");
}

#[test]
fn offset_pursuit_leader_arrives_at_the_crosshair() {
    let mut crowd = crowd("offset-pursuit");
    for crosshair in [[760.0, 420.0], [250.0, 180.0]] {
        crowd.set_point("crosshair", crosshair).unwrap();
        crowd.run(1_500).unwrap();
        assert!(distance(position(&crowd, 3), crosshair) < 2.0, "{:?}", position(&crowd, 3));
        assert!(speed(&crowd, 3) < 2.0);
        for follower in 0..3 {
            let away = distance(position(&crowd, follower), crosshair);
            assert!((20.0..80.0).contains(&away), "{away}");
        }
    }
}

#[test]
fn single_file_keeps_apart() {
    let mut crowd = crowd("leader");
    crowd.run(1_800).unwrap();
    for follower in 1..40 {
        let [at, ahead] = [follower, follower - 1].map(|index| position(&crowd, index));
        let [x, y, _] = crowd.displacement(at, ahead);
        assert!((4.0..40.0).contains(&x.hypot(y)), "{follower}: {}", x.hypot(y));
    }
}

#[test]
fn streams_cross_without_collisions() {
    let collisions = |avoids: bool| {
        let mut scene = Scene::named("collision-avoidance").unwrap();
        if !avoids {
            scene.species.iter_mut().for_each(|stream| drop(stream.behaviors.remove(0)));
        }
        let mut crowd = scene.build().unwrap();
        let mut collisions = 0;
        for _ in 0..60 {
            crowd.run(30).unwrap();
            collisions += overlaps(&crowd).len();
        }
        for (stream, along) in [(0..50, 0), (50..90, 1)] {
            let headings = stream.map(|index| crowd.agent(id(index)).unwrap().heading[along]);
            assert!(headings.sum::<f32>() > 30.0, "a stream");
        }
        collisions
    };
    let (avoiding, blind) = (collisions(true), collisions(false));
    assert!(blind > 60 && avoiding * 3 < blind, "{avoiding} {blind}");
}

#[test]
fn big_shoal_does_not_cling_to_walls() {
    let mut crowd = crowd("big-shoal");
    let mut shares = 0.0;
    for _ in 0..20 {
        crowd.run(60).unwrap();
        let agents = crowd.agents();
        let at_a_wall = |slot: &usize| {
            let (x, y) = (agents.x[*slot], agents.y[*slot]);
            !(60.0..940.0).contains(&x) || !(60.0..540.0).contains(&y)
        };
        shares += (0..crowd.len()).filter(at_a_wall).count() as f32 / crowd.len() as f32;
    }
    // Fraction of agents near a wall: 0.21 in an evenly spread crowd, 0.44 with the book's feelers.
    assert!(shares / 20.0 < 0.3, "{}", shares / 20.0);
}

#[test]
fn another_big_shoal_has_seven_rows_of_cells() {
    let mut crowd = crowd("another-big-shoal");
    assert_eq!(crowd.grid_cells()[0].rows, 7);
    crowd.edit(|scene| scene.cell_size = None).unwrap();
    assert_eq!(crowd.grid_cells()[0].rows, 11);
    crowd.edit(|scene| scene.cell_size = Some(4.0)).unwrap();
    crowd.run(10).unwrap();
    assert_eq!(crowd.grid_cells()[0].rows, 2);
    let refusal = crowd.edit(|scene| scene.cell_size = Some(0.1)).unwrap_err().to_string();
    assert!(refusal.contains("cell_size") && refusal.contains("0.25"), "{refusal}");
    assert_eq!(crowd.scene().cell_size, Some(4.0));
}
