use flockwork::behaviors::{External, FieldValue, Neighborhood};
use flockwork::kernel::{Batch, Force, Lanes, behavior, register};
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

behavior! {
    /// Seeks the neighbors. No parameter is none by default.
    struct Sighted: "sighted" {
        weight: f32 = 1.0, 0.0 to 1.0e6;
        range: Option<f32> = Some(10.0), 0.0 to 1.0e3;
        wind: Option<String> = Some("wind".into());
        neighborhood: Neighborhood =
            Neighborhood { species: vec!["a".into()], ..Neighborhood::within(5.0) };
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        batch.neighbor_sums().offset.into()
    }

    fn reads_all_sums(&self) -> bool {
        true
    }
}

/// Regression: a parameter that was none came back with its default.
#[test]
fn parameters_that_are_none_although_their_defaults_are_not_come_back_as_none() {
    register::<Sighted>().unwrap();
    let all_none = Sighted {
        range: None,
        wind: None,
        neighborhood: Neighborhood::default(),
        ..Sighted::default()
    };
    let fish = |sighted| Species::new("a", 30).view_distance(40.0).behavior(sighted);
    let scene = Scene::new(World::torus(100.0, 100.0)).species(fish(all_none));
    let text = scene.to_toml();
    let list = r#"none=["range","wind","distance","species",]"#;
    assert!(text.split_whitespace().collect::<String>().contains(list), "{text}");
    assert_eq!(Scene::parse(&text, "x.toml").unwrap(), scene);
    let mut crowd = scene.build().unwrap();
    let mut other = Snapshot::from_bytes(&crowd.snapshot().to_bytes()).unwrap().build().unwrap();
    crowd.run(5).unwrap();
    other.run(5).unwrap();
    assert_eq!(other.state_hash(), crowd.state_hash());

    for (named, words) in [
        ("\"weight\"", "unknown field `weight` (known: range, wind, distance, "),
        ("\"rang\"", "unknown field `rang`; did you mean `range`?"),
        ("3", "none[0] = 3: must be a string"),
    ] {
        let error = Scene::parse(&text.replace("\"range\"", named), "x.toml").unwrap_err();
        let error = error.to_string();
        assert!(error.starts_with("x.toml:") && error.contains(words), "{error}");
        let line: usize = error.split(':').nth(1).unwrap().parse().unwrap();
        let [first, next] = [line - 1, line].map(|line| text.lines().nth(line).unwrap());
        assert!(first == "none = [" || next.contains("wind"), "{error}\n{text}");
    }
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
