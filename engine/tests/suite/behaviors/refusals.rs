use flockwork::behaviors::{
    Alignment, Arrive, Cohesion, Containment, Deceleration, Flee, FlockRules, FlowFollowing, Hide,
    PathFollowing, Seek, Separation, StayOnPath, Wander,
};
use flockwork::behaviors::{Field, FieldValue};
use flockwork::{Behavior, FlowField, Obstacle, Scene, Species, Target, Wall, WaypointPath, World};

use crate::common::refusals::{NONSENSE, field_and_allowed, refused};
use crate::common::scenes::flock;

fn valid() -> Vec<Behavior> {
    let mut all = Behavior::all();
    for behavior in &mut all {
        let mut fields = behavior.fields();
        for field in &mut fields {
            match &mut field.value {
                FieldValue::Target(target) => *target = [5.0, 5.0].into(),
                FieldValue::Path(name) => "route".clone_into(name),
                _ => {}
            }
        }
        behavior.set_fields(fields);
    }
    all
}

fn with(behavior: Behavior) -> Scene {
    // A containment margin may be at most half the world, so the world is large.
    let side = if let Behavior::Containment(_) = behavior { 2.0e6 } else { 100.0 };
    let scene = Scene::new(World::bounded(side, side));
    let points = vec![[1.0, 2.0], [3.0, 4.0]];
    scene
        .species(Species::new("s", 5).behavior(behavior))
        .path(WaypointPath::new("route", points))
        .flow(FlowField::new(1, [90.0]))
}

/// Sets a number and returns its name in errors; `None` if the field is not a number.
fn set(behavior: &mut Behavior, k: usize, axis: usize, to: f32) -> Option<String> {
    let mut fields = behavior.fields();
    let mut name = fields[k].name.to_owned();
    match &mut fields[k].value {
        FieldValue::Number(value) => *value = to,
        FieldValue::Optional(value) => *value = Some(to),
        FieldValue::Vector(vector) => {
            vector[axis] = to;
            name = format!("{name}[{axis}]");
        }
        _ => return None,
    }
    behavior.set_fields(fields);
    Some(name)
}

fn with_value(behavior: &Behavior, k: usize, value: FieldValue) -> Behavior {
    let mut changed = behavior.clone();
    let mut fields = changed.fields();
    fields[k].value = value;
    changed.set_fields(fields);
    changed
}

/// False if two valid numbers conflict: stay-on-path needs `ahead` greater than `radius`.
fn goes_on(behavior: &Behavior) -> bool {
    !matches!(behavior, Behavior::StayOnPath(stay) if stay.ahead <= stay.radius)
}

#[test]
fn every_number_of_every_behavior_is_refused_out_of_its_range() {
    let mut cases = 0;
    for behavior in valid() {
        let name = behavior.name();
        assert!(with(behavior.clone()).build().is_ok(), "{name} is valid");
        for (k, Field { name: own, min, max, value, .. }) in
            behavior.fields().into_iter().enumerate()
        {
            for bad in NONSENSE.into_iter().chain([min.next_down(), max.next_up()]) {
                for axis in 0..2 {
                    let mut changed = behavior.clone();
                    let Some(element) = set(&mut changed, k, axis, bad) else {
                        continue;
                    };
                    let scene = with(changed);
                    let (field, allowed) = refused(&scene);
                    assert_eq!(field, format!("species[0].behaviors[0].{name}.{element}"), "{bad}");
                    let range = format!("from {min} to {max}");
                    assert!(allowed.starts_with(&range), "{field}: {allowed}, not {range}");
                    assert_eq!(field_and_allowed(&scene.check().unwrap_err()), (field, allowed));
                    cases += 1;
                }
            }
            for end in [min, max] {
                let mut changed = behavior.clone();
                if set(&mut changed, k, 0, end).is_some() && goes_on(&changed) {
                    assert!(with(changed).build().is_ok(), "{name}, field {k}: {end} is allowed");
                }
            }
            if let FieldValue::Whole(_) = value {
                for bad in [max as u32 + 1, u32::MAX] {
                    let changed = with_value(&behavior, k, FieldValue::Whole(bad));
                    let (field, allowed) = refused(&with(changed));
                    assert_eq!(field, format!("species[0].behaviors[0].{name}.{own}"));
                    assert!(allowed.contains(&format!("to {max}")), "{allowed}");
                    cases += 1;
                }
            }
        }
    }
    assert!(cases > 23 * 7, "every behavior has at least a weight: {cases}");
}

#[test]
fn numbers_out_of_range_are_refused_while_running_and_change_nothing() {
    for behavior in valid() {
        let mut simulation = with(behavior.clone()).build().unwrap();
        let before = (simulation.scene().clone(), simulation.state_hash());
        let mut changed = behavior.clone();
        set(&mut changed, 0, 0, f32::NAN).unwrap();
        assert!(simulation.set_species(&Species::new("s", 5).behavior(changed)).is_err());
        assert_eq!((simulation.scene().clone(), simulation.state_hash()), before);
        simulation.step().unwrap();
    }
}

#[test]
fn a_behavior_at_the_ends_of_its_ranges_gives_finite_positions() {
    for behavior in valid() {
        for (k, Field { min, max, .. }) in behavior.fields().into_iter().enumerate() {
            for end in [min, max] {
                let mut changed = behavior.clone();
                if set(&mut changed, k, 0, end).is_none() || !goes_on(&changed) {
                    continue;
                }
                let mut scene = with(changed.clone());
                scene.species[0].agents = 40;
                let obstacle = |center, radius| Obstacle { center, radius };
                scene.obstacles =
                    vec![obstacle([50.0, 50.0].into(), 10.0), obstacle([5.0, 5.0].into(), 0.0)]
                        .into();
                scene.walls = vec![Wall::new([[20.0, 0.0], [20.0, 90.0]])].into();
                let mut simulation = scene.build().unwrap();
                simulation.run(30).unwrap();
                let agents = simulation.agents();
                let velocities = simulation.agents().velocities().flatten();
                let all = agents.x.iter().chain(agents.y).chain(agents.hx).copied();
                assert!(all.chain(velocities).all(f32::is_finite), "{changed:?}");
            }
        }
    }
}

/// Targets and paths that a behavior refers to: field index, field name, true for a target.
fn references(behavior: &Behavior) -> Vec<(usize, &'static str, bool)> {
    let fields = behavior.fields().into_iter().enumerate();
    fields
        .filter_map(|(k, field)| match field.value {
            FieldValue::Target(_) => Some((k, field.name, true)),
            FieldValue::Path(_) => Some((k, field.name, false)),
            _ => None,
        })
        .collect()
}

#[test]
fn every_missing_target_is_refused_by_name() {
    for behavior in valid() {
        for (k, element, is_target) in references(&behavior) {
            if !is_target {
                continue;
            }
            let refused = |to: Target| {
                let mut scene = with(with_value(&behavior, k, FieldValue::Target(to)));
                scene.points.insert("cursor".into(), [1.0, 1.0].into());
                scene.build().unwrap_err()
            };
            let place = format!("species[0].behaviors[0].{}.{element}", behavior.name());
            let (field, allowed) = field_and_allowed(&refused(Target::Unset));
            assert_eq!(field, place);
            assert!(allowed.contains("own"), "{allowed}");
            let (field, _) = field_and_allowed(&refused([1.0, f32::NAN].into()));
            assert_eq!(field, format!("{place}[1]"));
            let (field, allowed) = field_and_allowed(&refused(Target::member("s", 5)));
            assert_eq!(field, format!("{place}.number"));
            assert!(allowed.contains("below 5"), "{allowed}");
            let message = refused(Target::named("crusor")).to_string();
            assert!(message.contains("unknown point `crusor`; did you mean `cursor`"), "{message}");
            let message = refused(Target::member("t", 0)).to_string();
            assert!(message.contains("unknown species `t`"), "{message}");
            assert!(message.contains("known: s"), "{message}");
        }
    }
}

#[test]
fn every_missing_path_is_refused_by_name() {
    for behavior in [PathFollowing::default().into(), Behavior::from(StayOnPath::default())] {
        let mut changed = behavior;
        let mut fields = changed.fields();
        for field in &mut fields {
            if let FieldValue::Path(name) = &mut field.value {
                "routte".clone_into(name);
            }
        }
        changed.set_fields(fields);
        let message = with(changed).build().unwrap_err().to_string();
        assert!(message.contains("unknown path `routte`; did you mean `route`"), "{message}");
    }
}

#[test]
fn behaviors_that_lack_what_they_need_are_refused() {
    let lacking = |behavior: Behavior, world: World| {
        let scene = with(behavior);
        refused(&Scene { flow: None, world, ..scene })
    };
    let bounded = World::bounded(100.0, 100.0);
    let (field, allowed) = lacking(FlowFollowing::default().into(), bounded);
    assert_eq!(field, "species[0].behaviors[0].flow_following");
    assert!(allowed.contains("flow field"), "{allowed}");
    let containment = Containment::default();
    let (field, allowed) = lacking(containment.into(), World::torus(1.0e3, 1.0e3));
    assert_eq!(field, "species[0].behaviors[0].containment");
    assert!(allowed.contains("bounded or open"), "{allowed}");
}

#[test]
fn a_second_behavior_that_needs_the_same_memory_is_refused() {
    let following = PathFollowing { path: "route".into(), ..PathFollowing::default() };
    let mut scene = with(following.clone().into());
    scene.species[0].behaviors.push(following.into());
    let (field, allowed) = refused(&scene);
    assert_eq!(field, "species[0].behaviors[1]");
    assert!(allowed.contains("one path_following per species"), "{allowed}");

    let hide = |memory| Hide { hunter: [1.0, 1.0].into(), memory, ..Hide::default() };
    let mut scene = with(hide(Some(1.0)).into());
    scene.species[0].behaviors.push(hide(None).into());
    assert!(scene.build().is_ok(), "without memory, a species may have several");
    scene.species[0].behaviors.push(hide(Some(2.0)).into());
    assert_eq!(refused(&scene).0, "species[0].behaviors[2]");

    let seeks = (0..65).fold(Species::new("s", 1), |species, _| {
        species.behavior(Seek { weight: 1.0, target: [1.0, 1.0].into() })
    });
    let scene = Scene::new(World::torus(1.0e3, 1.0e3)).species(seeks);
    assert_eq!(refused(&scene).0, "species[0].behaviors");
}

#[test]
fn probabilities_are_refused_by_name_and_range() {
    let set = |name: &str, probability: f32| {
        let probabilities = [(name.to_owned(), probability)].into();
        Scene::new(World::torus(1.0e3, 1.0e3))
            .species(Species { probabilities, ..flock(3) })
            .build()
            .map(|_| ())
    };
    let message = set("wnader", 0.5).unwrap_err().to_string();
    assert!(message.contains("unknown behavior `wnader`; did you mean `wander`"), "{message}");
    for bad in [f32::NAN, f32::INFINITY, -0.1, 0.0, 9.9e-4, 1.001] {
        let (field, allowed) = field_and_allowed(&set("wander", bad).unwrap_err());
        assert_eq!(field, "species[0].probabilities.wander", "{bad}");
        assert_eq!(allowed, "from 0.001 to 1");
    }
    for good in [1.0e-3, 1.0] {
        set("wander", good).unwrap();
    }
}

#[test]
fn nonsense_in_behaviors_is_refused_by_name() {
    for bad in NONSENSE.into_iter().chain([-1.0]) {
        let target = [5.0, 5.0];
        let deceleration = Deceleration::Fast;
        let cases: Vec<(&str, Behavior)> = vec![
            ("separation.weight", Separation { weight: bad, ..Separation::default() }.into()),
            ("alignment.weight", Alignment { weight: bad, ..Alignment::default() }.into()),
            ("cohesion.weight", Cohesion { weight: bad, ..Cohesion::default() }.into()),
            ("seek.weight", Seek { weight: bad, target: target.into() }.into()),
            (
                "flee.weight",
                Flee { weight: bad, target: target.into(), panic_distance: None }.into(),
            ),
            (
                "flee.panic_distance",
                Flee { weight: 1.0, target: target.into(), panic_distance: Some(bad) }.into(),
            ),
            (
                "arrive.weight",
                Arrive { weight: bad, target: target.into(), deceleration, ..Arrive::default() }
                    .into(),
            ),
            ("wander.weight", Wander { weight: bad, ..Wander::default() }.into()),
            ("wander.radius", Wander { radius: bad, ..Wander::default() }.into()),
            ("wander.distance", Wander { distance: bad, ..Wander::default() }.into()),
            ("wander.jitter", Wander { jitter: bad, ..Wander::default() }.into()),
            ("flock_rules.weight", FlockRules { weight: bad, ..FlockRules::default() }.into()),
            ("flock_rules.cohesion", FlockRules { cohesion: bad, ..FlockRules::default() }.into()),
        ];
        for (name, behavior) in cases {
            let (field, _) = refused(&with(behavior));
            assert_eq!(field, format!("species[0].behaviors[0].{name}"), "{bad}");
        }
    }
    for bad in NONSENSE {
        let seek = Seek { weight: 1.0, target: [5.0, bad].into() };
        let (field, _) = refused(&with(seek.into()));
        assert_eq!(field, "species[0].behaviors[0].seek.target[1]");
    }
}
