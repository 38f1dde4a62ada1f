use flockwork::behaviors::Separation;
use flockwork::kernel::{Batch, Force, Lanes, Steer, behavior, register};
use flockwork::{Locomotion, Number, Obstacle, Scene, Simulation, Snapshot, Species, Wall, World};

use super::behaviors::{Broken, Everything, FarSighted, Repulsion};
use crate::common::variants::Variant;

fn text(behavior: &str) -> String {
    format!(
        "[world]\nwidth = 9.0\nheight = 9.0\n[[species]]\nname = \"a\"\nagents = 1\n\
         behaviors = [\n{behavior}\n]\n"
    )
}

#[test]
fn unknown_names_are_refused_with_the_nearest_registered_one() {
    register::<Repulsion>().unwrap();
    let error = Scene::parse(&text("{ repulsio = {} }"), "x.toml").unwrap_err().to_string();
    assert!(
        error.starts_with("x.toml:8: species[0].behaviors[0]: unknown name `repulsio`"),
        "{error}"
    );
    assert!(error.contains("did you mean `repulsion`?"), "{error}");
}

#[test]
fn unknown_parameters_are_refused_with_their_line() {
    register::<Repulsion>().unwrap();
    let error = Scene::parse(&text("{ repulsion = { wight = 3.0 } }"), "x.toml").unwrap_err();
    let error = error.to_string();
    let expected = "x.toml:8: species[0].behaviors[0].repulsion: unknown field `wight`";
    assert!(error.starts_with(expected), "{error}");
    assert!(error.contains("did you mean `weight`?"), "{error}");
}

/// A value of the wrong type used to be reported on the line of its behavior.
#[test]
fn values_of_the_wrong_type_are_refused_with_their_own_line() {
    register::<Everything>().unwrap();
    let everything = "[[species.behaviors]]\n[species.behaviors.everything]\nreach = 3.0\n\
                      weight = \"much\"\n";
    let text = format!(
        "[world]\nwidth = 9.0\nheight = 9.0\n[[species]]\nname = \"a\"\nagents = 1\n{everything}"
    );
    let error = Scene::parse(&text, "x.toml").unwrap_err().to_string();
    let expected =
        "x.toml:10: species[0].behaviors[0].everything.weight = \"much\": must be a number";
    assert_eq!(error, expected);
}

#[test]
fn parameters_out_of_range_are_refused_with_their_line() {
    register::<Repulsion>().unwrap();
    let error = Scene::parse(&text("{ repulsion = { weight = -1 } }"), "x.toml").unwrap_err();
    let expected = "x.toml:8: species[0].behaviors[0].repulsion.weight = -1.0: must be from 0 to \
                    1000000";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_missing_target_is_refused() {
    let species = Species::new("a", 1)
        .behavior(Everything { target: flockwork::Target::named("home"), ..Everything::default() });
    let error = Scene::new(World::torus(9.0, 9.0)).species(species).check().unwrap_err();
    assert!(error.to_string().contains("unknown point `home`"), "{error}");
}

macro_rules! named {
    ($type:ident, $name:literal) => {
        behavior! {
            struct $type: $name {
                weight: f32 = 1.0, 0.0 to 1.0e6;
            }

            fn force<L: Lanes>(&self, _batch: &mut Batch<'_, L>) -> Force<L> {
                Force::none()
            }
        }
    };
}

named!(Taken, "separation");
named!(Shouted, "LOUD");
named!(Empty, "");
named!(First, "first_come");
named!(Second, "first_come");
named!(Foreign, "external");
named!(Here, "here_and_there");
named!(There, "here_and_there");

#[test]
fn a_name_is_refused_that_is_taken_or_that_files_cannot_have() {
    fn refused<T: Steer + Clone + Default>() {
        let expected = "lower-case letters, digits and underscores";
        assert!(register::<T>().unwrap_err().to_string().contains(expected));
        let species = Species::new("a", 1).behavior(T::default());
        let error = Scene::new(World::torus(9.0, 9.0)).species(species).check().unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    refused::<Taken>();
    refused::<Shouted>();
    refused::<Empty>();
    register::<First>().unwrap();
    register::<First>().unwrap();
    let error = register::<Second>().unwrap_err().to_string();
    assert!(error.contains("`first_come`: must be unique among behaviors"), "{error}");
}

#[test]
fn one_name_for_two_types_is_refused_wherever_both_meet() {
    let crowd = |species: Species| Scene::new(World::torus(9.0, 9.0)).species(species);
    let taken = "`here_and_there`: must be unique among behaviors";
    // Neither creating a behavior nor checking a scene claims the behavior's name.
    let there = crowd(Species::new("a", 1).behavior(There::default()));
    there.check().unwrap();
    let here = crowd(Species::new("a", 1).behavior(Here::default()));
    here.check().unwrap();
    let both = here.clone().species(Species::new("b", 1).behavior(There::default()));
    assert!(both.check().unwrap_err().to_string().contains(taken));
    assert!(both.build().unwrap_err().to_string().contains(taken));
    // Building claims the name: a file written for one type must not be read as the other.
    let (text, saved) = (here.to_toml(), here.build().unwrap().snapshot().to_bytes());
    assert!(register::<There>().unwrap_err().to_string().contains(taken));
    assert!(Scene::parse(&text, "x.toml").is_err());
    assert!(Snapshot::from_bytes(&saved).is_err());
    assert!(there.check().unwrap_err().to_string().contains(taken));
    register::<Here>().unwrap();
    assert_eq!(Scene::parse(&text, "x.toml").unwrap(), here);
    assert_eq!(*Snapshot::from_bytes(&saved).unwrap().build().unwrap().scene(), here);
    let mut running = here.build().unwrap();
    let error = running.set_species(&Species::new("a", 1).behavior(There::default())).unwrap_err();
    assert!(error.to_string().contains(taken), "{error}");
    assert_eq!(*running.scene(), here);
    // The engine's own behaviors claim their names in the same way.
    assert!(register::<Foreign>().is_err());
    assert!(crowd(Species::new("a", 1).behavior(Foreign::default())).build().is_err());
}

behavior! {
    /// Reads a column whose name is invalid.
    struct Nameless: "nameless" {
        weight: f32 = 1.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, _batch: &mut Batch<'_, L>) -> Force<L> {
        Force::none()
    }

    fn columns(&self) -> Vec<&str> {
        vec![""]
    }
}

#[test]
fn columns_without_a_name_or_with_a_line_break_are_refused() {
    let world = World::torus(9.0, 9.0);
    let named = |name: &str| Species::new("a", 1).column(name, 1.0);
    for (species, name) in [
        (named(""), r#""""#),
        (named("a\nb"), r#""a\nb""#),
        (named("\r"), r#""\r""#),
        (Species::new("a", 1).behavior(Nameless::default()), r#""""#),
    ] {
        let error = Scene::new(world).species(species.clone()).build().unwrap_err().to_string();
        assert!(
            error.starts_with(&format!(
                "a name in columns = {name}: must be a non-empty name without"
            )),
            "{error}"
        );
        let mut crowd = Scene::new(world).species(named("a b")).build().unwrap();
        assert_eq!(crowd.set_species(&species).unwrap_err().to_string(), error);
        crowd.step().unwrap();
    }
    let text = "[world]\nwidth = 9.0\nheight = 9.0\n[[species]]\nname = \"a\"\nagents = 1\n\
                columns.\"\" = 3\n";
    let error = Scene::parse(text, "x.toml").unwrap_err().to_string();
    assert!(error.starts_with("x.toml:"), "{error}");
}

#[test]
fn a_force_that_is_not_a_number_is_refused_and_changes_nothing() {
    for world in [World::torus(99.0, 99.0), World::bounded(99.0, 99.0), World::open(99.0, 99.0)] {
        let car = Locomotion::CarLike { throttle: 9.0, brake: 9.0, steering: 9.0 };
        for (variant, pushed, locomotion) in Variant::all().flat_map(|variant| {
            // Constant speed and the limits of a car used to hide the NaN.
            [
                (variant, 0, Locomotion::ConstantSpeed),
                (variant, 1, car),
                (variant, 2, Locomotion::PointMass),
            ]
        }) {
            let species = Species::new("a", 20)
                .locomotion(locomotion)
                .behavior(Broken { force: true, ..Broken::default() });
            let scene = Scene::new(world).species(species).non_penetration(pushed);
            let mut crowd = scene.build().unwrap();
            variant.set(&mut crowd);
            let before = crowd.state_hash();
            let error = crowd.step().unwrap_err().to_string();
            let expected = "step 0: the force of behavior `broken` of agent #0.0 would be NaN; \
                            the step was not taken";
            assert_eq!(error, expected);
            assert_eq!(crowd.state_hash(), before);
        }
    }
}

#[test]
fn a_column_that_is_not_a_number_is_refused_and_changes_nothing() {
    for variant in Variant::all() {
        let species = Species::new("a", 20).behavior(Broken::default());
        let mut crowd = Scene::new(World::torus(99.0, 99.0)).species(species).build().unwrap();
        variant.set(&mut crowd);
        let before = crowd.state_hash();
        let error = crowd.step().unwrap_err().to_string();
        let expected = "step 0: column `hunger` of agent #0.0 would be NaN; the step was not taken";
        assert_eq!(error, expected);
        assert_eq!(crowd.state_hash(), before);
    }
}

#[test]
fn a_behavior_of_another_crate_has_no_reference() {
    let species = Species::new("a", 20).behavior(Repulsion::default());
    let crowd = Scene::new(World::torus(99.0, 99.0)).species(species).build().unwrap();
    let error = crowd.reference_step(crowd.agents().id(0)).unwrap_err().to_string();
    assert_eq!(error, "behavior = repulsion: must be a behavior with a reference implementation");
}

behavior! {
    /// Panics if the value in the column is above 0.
    struct Fragile: "fragile" {
        weight: f32 = 1.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        assert!(batch.column(0).le(L::zero()).all(), "out of hay");
        Force::none()
    }

    fn columns(&self) -> Vec<&str> {
        vec!["fatal"]
    }
}

#[test]
fn a_panic_in_a_behavior_refuses_the_step_by_name_and_changes_nothing() {
    register::<Fragile>().unwrap();
    for (variant, threads) in Variant::all().flat_map(|variant| [(variant, 1), (variant, 4)]) {
        let species =
            Species::new("a", 40_000).behavior(Separation::default()).behavior(Fragile::default());
        let scene = Scene::new(World::torus(3.0e3, 3.0e3)).species(species).heading_samples(10);
        let mut crowd = scene.build().unwrap();
        variant.set(&mut crowd);
        crowd.set_execution(crowd.execution().threads(threads)).unwrap();
        crowd.run(2).unwrap();
        let (before, id) = (crowd.snapshot().to_bytes(), crowd.agents().id(12_345));
        crowd.set(Number::Column("fatal"), id, 1.0).unwrap();
        let expected = "step 2: behavior `fragile` panicked: out of hay; the step was not taken";
        assert_eq!(crowd.step().unwrap_err().to_string(), expected);
        crowd.set(Number::Column("fatal"), id, 0.0).unwrap();
        let mut undisturbed = Snapshot::from_bytes(&before).unwrap().build().unwrap();
        assert_eq!(crowd.state_hash(), undisturbed.state_hash());
        crowd.run(12).unwrap();
        undisturbed.run(12).unwrap();
        assert_eq!(crowd.state_hash(), undisturbed.state_hash());
        let smooth = |crowd: &Simulation| {
            crowd.agents().smoothed_heading(crowd.slot_of(id).unwrap()).expect("the scene smooths")
        };
        assert_eq!(smooth(&crowd), smooth(&undisturbed));
    }
}

#[test]
fn a_behavior_may_look_for_scenery_at_any_distance() {
    // Regression: in a bounded or open world, an infinite range panicked when the scene was built.
    for world in [World::torus, World::bounded, World::open].map(|world| world(1.0e4, 1.0e4)) {
        for is_infinite in [true, false] {
            let species =
                Species::new("a", 20).behavior(FarSighted { is_infinite, ..FarSighted::default() });
            let scene = Scene::new(world).species(species).obstacle(Obstacle::new([1.0, 1.0], 1.0));
            let wall = Wall::new([[9_000.0, 9_000.0], [9_900.0, 9_900.0]]).two_sided();
            let mut crowd = scene.wall(wall).build().unwrap();
            crowd.step().unwrap();
            let ids: Vec<_> = crowd.agents().ids().collect();
            let seen = ids.iter().map(|&id| crowd.get(Number::Column("seen"), id).unwrap());
            assert!(seen.into_iter().all(|seen| seen == 2.0), "{is_infinite}");
        }
    }
}
