use flockwork::behaviors::External;
use flockwork::behaviors::FieldValue;
use flockwork::kernel::register;
use flockwork::{AgentOrder, Behavior, Number, Scene, Snapshot, Species, Target, World};

use super::behaviors::{Everything, Repulsion};

fn scene() -> Scene {
    let species = Species::new("a", 30)
        .column("hunger", [0.0, 1.0])
        .probability("repulsion", 0.75)
        .behavior(Everything { weight: 2.5, reach: 12.0, target: Target::Point([1.0, 2.0].into()) })
        .behavior(Repulsion { weight: 7.0, ..Repulsion::default() })
        .behavior(External::default());
    Scene::new(World::torus(100.0, 100.0)).species(species)
}

fn register_all() {
    register::<Everything>().unwrap();
    register::<Repulsion>().unwrap();
}

#[test]
fn a_scene_with_custom_behaviors_reads_back_the_same() {
    register_all();
    let text = scene().to_toml();
    assert!(text.contains("[species.behaviors.everything]"), "{text}");
    assert_eq!(Scene::parse(&text, "x.toml").unwrap(), scene());
}

#[test]
fn left_out_parameters_have_their_defaults() {
    register_all();
    let text = "[world]\nwidth = 9.0\nheight = 9.0\n[[species]]\nname = \"a\"\nagents = 1\n\
                behaviors = [{ repulsion = {} }, { everything = { target = \"own\" } }]\n";
    let scene = Scene::parse(text, "x.toml").unwrap();
    let expected: [Behavior; 2] = [Repulsion::default().into(), Everything::default().into()];
    assert_eq!(scene.species[0].behaviors, expected);
}

#[test]
fn a_snapshot_with_custom_behaviors_goes_on_the_same() {
    register_all();
    let mut crowd = scene().build().unwrap();
    crowd.run(8).unwrap();
    let bytes = crowd.snapshot().to_bytes();
    let mut other = Snapshot::from_bytes(&bytes).unwrap().build().unwrap();
    crowd.run(8).unwrap();
    other.run(8).unwrap();
    assert_eq!(other.state_hash(), crowd.state_hash());
}

#[test]
fn parameters_are_fields_and_come_back_by_type() {
    let mut behavior: Behavior = Everything::default().into();
    let names: Vec<&str> = behavior.fields().iter().map(|field| field.name).collect();
    assert_eq!(names, ["weight", "reach", "target"]);
    let fields = behavior.fields();
    let reach = &fields[1];
    assert_eq!((reach.unit, reach.min, reach.max), ("world units", 0.0, 1.0e3));
    assert_eq!(reach.value, FieldValue::Number(40.0));
    let mut fields = behavior.fields();
    for field in &mut fields {
        if let FieldValue::Number(value) = &mut field.value {
            *value = 5.0;
        }
    }
    behavior.set_fields(fields);
    assert_eq!(behavior.weight(), 5.0);
    let Behavior::Outside(custom) = &mut behavior else { unreachable!() };
    assert_eq!(custom.get::<Everything>().unwrap().reach, 5.0);
    assert_eq!(custom.get::<Repulsion>(), None);
    custom.get_mut::<Everything>().unwrap().reach = 6.0;
    assert_ne!(behavior, Everything::default().into());
}

#[test]
fn parameters_can_change_while_the_crowd_runs() {
    let mut crowd = scene().build().unwrap();
    crowd.run(2).unwrap();
    let mut species = crowd.scene().species[0].clone();
    species.behaviors[1] = Repulsion { weight: 0.0, ..Repulsion::default() }.into();
    crowd.set_species(&species).unwrap();
    crowd.run(2).unwrap();
    assert_eq!(crowd.scene().species[0].behaviors[1].weight(), 0.0);
}

#[test]
fn external_forces_need_no_registration_in_files_and_snapshots() {
    let drone = Species::new("drone", 9).behavior(External { weight: 0.5 });
    let scene = Scene::new(World::torus(100.0, 100.0)).species(drone);
    assert_eq!(Scene::parse(&scene.to_toml(), "x.toml").unwrap(), scene);
    let mut crowd = scene.build().unwrap();
    crowd.set_all(Number::Column(External::X), AgentOrder::Slot, &[3.0; 9]).unwrap();
    let mut other = Snapshot::from_bytes(&crowd.snapshot().to_bytes()).unwrap().build().unwrap();
    crowd.run(3).unwrap();
    other.run(3).unwrap();
    assert_eq!(other.state_hash(), crowd.state_hash());
    register::<External>().unwrap();
}
