use crate::scene::Scene;
use crate::scenery::definition::FlowField;
use crate::scenery::field::Field;
use crate::simulation::Simulation;
use crate::world::World;

/// Regression: `set_flow` drew and checked all flow fields again.
#[test]
fn a_replaced_flow_field_leaves_the_others() {
    let scene = Scene::new(World::torus(100.0, 100.0)).flow(FlowField::new(1, [0.0]));
    let mut crowd = scene.named_flow("wind", FlowField::new(1, [90.0])).build().unwrap();
    let field =
        |crowd: &Simulation, name| -> *const Field { crowd.setting.scenery.flow(name).unwrap() };
    let before = [None, Some("wind")].map(|name| field(&crowd, name));
    crowd.set_flow(Some("wind"), FlowField::new(1, [180.0])).unwrap();
    assert_eq!(field(&crowd, None), before[0]);
    assert_ne!(field(&crowd, Some("wind")), before[1]);
}
