use flockwork::behaviors::FieldValue;
use flockwork::{Behavior, Combine, Scene};

/// A scene for each of the engine's behaviors, with the fields that the behavior requires.
fn scenes() -> impl Iterator<Item = (&'static str, Scene)> {
    Behavior::NAMES.iter().map(|&name| {
        let fields = match name {
            "seek" | "flee" | "arrive" => "target = [1, 2]",
            "pursuit" => "evader = [1, 2]",
            "evade" => "pursuer = [1, 2]",
            "interpose" => "a = [1, 2], b = [3, 4]",
            "hide" => "hunter = [1, 2]",
            "hide_in_flock" => "threat = [1, 2]",
            "offset_pursuit" | "leader_following" => "leader = [1, 2]",
            "path_following" | "stay_on_path" => "path = \"route\"",
            _ => "",
        };
        let text = format!(
            "[world]\ntopology = \"bounded\"\nwidth = 100.0\nheight = 100.0\n\
             [[paths]]\nname = \"route\"\npoints = [[1, 2], [3, 4]]\n\
             [flow]\ncolumns = 1\ndegrees = [90]\n\
             [[species]]\nagents = 30\nbehaviors = [{{ {name} = {{ {fields} }} }}]\n"
        );
        (name, Scene::parse(&text, "x.toml").unwrap())
    })
}

#[test]
fn every_behavior_has_the_name_that_scene_files_use() {
    for (name, scene) in scenes() {
        assert_eq!(scene.species[0].behaviors[0].name(), name);
    }
}

/// Regression: a weight of -0 passed the check, but `arrive` divides by it.
#[test]
fn a_weight_of_minus_zero_is_a_weight_of_zero() {
    for ((name, mut scene), combine) in scenes().flat_map(|scene| {
        let combines = [Combine::Prioritized, Combine::WeightedSum, Combine::Dithered];
        combines.map(|combine| (scene.clone(), combine))
    }) {
        scene.species[0].combine = combine;
        let [minus, zero] = [-0.0, 0.0].map(|weight| {
            let mut fields = scene.species[0].behaviors[0].fields();
            for field in &mut fields {
                if let FieldValue::Number(value) = &mut field.value
                    && field.name.contains("weight")
                {
                    *value = weight;
                }
            }
            scene.species[0].behaviors[0].set_fields(fields);
            let mut crowd = scene.build().unwrap();
            crowd.run(3).map(|()| crowd.state_hash())
        });
        assert_eq!(minus, zero, "{name}");
    }
}

#[test]
fn values_of_another_type_and_missing_values_leave_parameters_as_they_are() {
    for default in Behavior::all() {
        let mut changed = default.clone();
        let mut fields = changed.fields();
        for field in &mut fields {
            field.value = match field.value {
                FieldValue::Flag(_) => FieldValue::Number(7.0),
                _ => FieldValue::Flag(true),
            };
        }
        changed.set_fields(fields);
        assert_eq!(changed, default);
        changed.set_fields(Vec::new());
        assert_eq!(changed, default);
    }
}

#[test]
fn the_parameters_of_every_behavior_can_be_changed() {
    for default in Behavior::all() {
        let mut changed = default.clone();
        let mut fields = changed.fields();
        for field in &mut fields {
            match &mut field.value {
                FieldValue::Number(value) => *value += 0.25,
                FieldValue::Optional(value) => *value = Some(field.max),
                FieldValue::Whole(value) => *value += 1,
                FieldValue::Flag(value) => *value = !*value,
                FieldValue::Path(name) => name.push('x'),
                _ => {}
            }
        }
        changed.set_fields(fields);
        assert_ne!(changed, default);
    }
}
