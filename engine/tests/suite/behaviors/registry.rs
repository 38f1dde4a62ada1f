use flockwork::{Behavior, FieldValueMut, Scene};

#[test]
fn every_behavior_has_the_name_that_scene_files_use() {
    for &name in Behavior::NAMES {
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
             [[species]]\nbehaviors = [{{ {name} = {{ {fields} }} }}]\n"
        );
        let scene = Scene::parse(&text, "x.toml").unwrap();
        assert_eq!(scene.species[0].behaviors[0].name(), name);
    }
}

#[test]
fn the_parameters_of_every_behavior_can_be_changed() {
    for default in Behavior::all() {
        let mut changed = default.clone();
        for field in changed.fields_mut() {
            match field.value {
                FieldValueMut::Number(value) => *value += 0.25,
                FieldValueMut::Optional(value) => *value = Some(field.max),
                FieldValueMut::Whole(value) => *value += 1,
                FieldValueMut::Flag(value) => *value = !*value,
                FieldValueMut::Path(name) => name.push('x'),
                _ => {}
            }
        }
        assert_ne!(changed, default);
    }
}
