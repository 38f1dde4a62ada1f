use flockwork::behaviors::FlockRules;
use flockwork::{Locomotion, Scene, Species, World};

use crate::common::agents::{force, id, one, strong};
use crate::common::measures::distance;
use crate::common::scenes::open;

/// Flock rules with near separation and 100 times the given weights.
fn rules([alignment, cohesion, separation]: [f32; 3]) -> FlockRules {
    FlockRules { weight: 100.0, alignment, cohesion, separation, ..FlockRules::default() }
}

/// Force on an agent at (0, 0) with neighbors at (30, 40) and (-6, 8) that head up.
fn force_by(rules: FlockRules) -> [f32; 2] {
    let neighbors = [one("far", [30.0, 40.0], 90.0), one("near", [-6.0, 8.0], 90.0)];
    let agent = strong(rules).view_distance(60.0);
    force(&open([agent].into_iter().chain(neighbors)).build().unwrap(), id(0))
}

#[test]
fn each_flock_rule_is_a_unit_vector_times_its_weight() {
    let close = |force: [f32; 2], expected: [f32; 2]| {
        assert!(distance(force, expected) < 1.0e-3, "{force:?}, expected {expected:?}");
    };
    close(force_by(rules([1.0, 0.0, 0.0])), [0.0, 100.0]);
    // Cohesion points toward the center of the neighbors, (12, 24).
    let cohesion = [100.0 / 5.0_f32.sqrt(), 200.0 / 5.0_f32.sqrt()];
    close(force_by(rules([0.0, 1.0, 0.0])), cohesion);
    // Separation points away from (30, 40)/50² + (-6, 8)/10² = (-0.048, 0.096).
    let separation = [100.0 / 5.0_f32.sqrt(), -200.0 / 5.0_f32.sqrt()];
    close(force_by(rules([0.0, 0.0, 1.0])), separation);
    let sum = [0, 1].map(|axis| 0.5 * cohesion[axis] + 2.0 * separation[axis]);
    close(force_by(rules([0.0, 0.5, 2.0])), sum);
}

#[test]
fn without_near_separation_cohesion_and_separation_cancel() {
    let plain = FlockRules { near_separation: false, ..rules([1.0, 1.0, 1.0]) };
    assert!(distance(force_by(plain), [0.0, 100.0]) < 1.0e-3);
}

#[test]
fn flock_rules_align_a_crowd_of_constant_speed() {
    let species = Species {
        locomotion: Locomotion::ConstantSpeed,
        ..Species::new("birds", 150).view_distance(100.0).behavior(FlockRules::default())
    };
    let mut simulation = Scene::new(World::torus(400.0, 400.0)).species(species).build().unwrap();
    assert!(simulation.alignment_order() < 0.3);
    simulation.run(600).unwrap();
    assert!(simulation.alignment_order() > 0.9, "{}", simulation.alignment_order());
}

#[test]
fn flock_rules_give_no_force_without_neighbors() {
    let agent = strong(rules([1.0, 1.0, 1.0])).view_distance(60.0);
    let far = one("far", [61.0, 0.0], 90.0);
    assert_eq!(force(&open([agent, far]).build().unwrap(), id(0)), [0.0, 0.0]);
}
