//! Behaviors with a neighborhood of their own, instead of the species' view.

use flockwork::behaviors::{
    Alignment, Cohesion, CollisionAvoidance, FlockRules, HideInFlock, Neighborhood, Seek,
    Separation, VelocityMatching,
};
use flockwork::behaviors::{Field, FieldValue};
use flockwork::inspect::{Feature, Shape};
use flockwork::kernel::{Batch, Force, Lanes, behavior};
use flockwork::{Behavior, Combine, Number, Partition, Scene, Simulation, Species, Target, World};

use crate::common::agents::{force, id, one, resting, strong};
use crate::common::scenes::open;
use crate::common::variants::assert_variants_agree;
use crate::slab::slabs::Slabs;

/// An agent at rest at (0, 0), headed right with a view of 50 units, among others headed up.
fn among(rule: impl Into<Behavior>, others: &[(&str, [f32; 2])]) -> Scene {
    let mut scene = open([strong(rule).view_distance(50.0)]);
    for &(name, at) in others {
        scene.species.push(resting(name, at, 90.0).radius(3.0));
    }
    scene
}

fn cohesion(neighborhood: Neighborhood) -> Cohesion {
    Cohesion { neighborhood, ..Cohesion::default() }
}

fn force_on_first(scene: &Scene) -> [f32; 2] {
    // With small cells, a search returns few candidates beyond its reach.
    checked_force(scene.clone().cell_size(0.25).build().unwrap())
}

/// Returns the force on agent 0; asserts that all pairs, cells and the reference give the same.
fn checked_force(mut crowd: Simulation) -> [f32; 2] {
    let reference = crowd.reference_step(id(0)).unwrap().force;
    let [found, by_cells] = [Partition::AllPairs, Partition::Cells].map(|partition| {
        crowd.set_execution(crowd.execution().partition(partition)).unwrap();
        force(&crowd, id(0))
    });
    assert_eq!(found, by_cells);
    for (found, reference) in found.into_iter().zip(reference) {
        assert!((f64::from(found) - reference).abs() < 1.0e-3, "{found}, reference {reference}");
    }
    found
}

#[test]
fn fish_that_gather_with_fish_are_not_attracted_by_a_lone_shark() {
    let fish = |rule: Cohesion| {
        let fish = Species::new("fish", 0).max_speed(100.0).behavior(rule);
        let shark = resting("shark", [30.0, 0.0], 0.0);
        let mut sea = open([fish, shark]).build().unwrap();
        let fish = sea.spawn("fish", [0.0, 0.0], [0.0, 1.0]).unwrap();
        let reference = sea.reference_step(fish).unwrap().force;
        (force(&sea, fish), reference)
    };
    let (attracted, _) = fish(Cohesion::default());
    assert!(attracted[0] > 100.0, "{attracted:?}");
    assert_eq!(fish(cohesion(Neighborhood::of(["fish"]))), ([0.0; 2], [0.0; 3]));
}

#[test]
fn a_rule_looks_as_far_as_its_own_distance_says() {
    let at = |distance, x| force_on_first(&among(cohesion(distance), &[("other", [x, 0.0])]));
    assert_eq!(at(Neighborhood::within(20.0), 21.0), [0.0, 0.0]);
    assert!(at(Neighborhood::within(20.0), 19.0)[0] > 0.0);
    assert!(at(Neighborhood::within(90.0), 89.0)[0] > 0.0, "farther than its species");
    assert_eq!(at(Neighborhood::within(90.0), 91.0), [0.0, 0.0]);
    assert_eq!(at(Neighborhood::default(), 51.0), [0.0, 0.0]);
}

#[test]
fn a_rule_looks_in_its_own_field_of_view() {
    let at = |degrees, at| {
        let rule = cohesion(Neighborhood::default().field_of_view(degrees));
        let mut scene = among(rule, &[("other", at)]);
        scene.species[0].field_of_view = 90.0;
        force_on_first(&scene)
    };
    assert_eq!(at(20.0, [30.0, 10.0]), [0.0, 0.0]);
    assert_ne!(at(60.0, [30.0, 10.0]), [0.0, 0.0]);
    assert_ne!(at(360.0, [-30.0, 0.0]), [0.0, 0.0], "wider than its species");
}

#[test]
fn the_field_of_view_of_a_rule_comes_before_that_of_the_agent() {
    for (of_rule, of_agent, is_seen) in [
        (Some(20.0), 360.0, false),
        (Some(60.0), 20.0, true),
        (None, 20.0, false),
        (None, 60.0, true),
    ] {
        let neighborhood = Neighborhood { field_of_view: of_rule, ..Neighborhood::default() };
        let species = "other".into();
        let nearest = Target::Nearest {
            species,
            distance: None,
            field_of_view: of_rule,
            line_of_sight: false,
        };
        let seek = Seek { weight: 1.0, target: nearest };
        for rule in [Behavior::from(cohesion(neighborhood)), seek.into()] {
            let name = rule.name();
            let mut crowd = among(rule, &[("other", [30.0, 10.0])]).build().unwrap();
            crowd.set(Number::FieldOfView, id(0), of_agent).unwrap();
            let force = checked_force(crowd);
            assert_eq!(force != [0.0, 0.0], is_seen, "{name}, {of_rule:?}, {of_agent}");
        }
    }
}

#[test]
fn a_rule_counts_every_species_that_it_names_and_no_other() {
    let others = [("fish", [20.0, 0.0]), ("crab", [0.0, 20.0]), ("shark", [-20.0, 0.0])];
    for names in [["fish", "crab"], ["crab", "fish"]] {
        let [x, y] = force_on_first(&among(cohesion(Neighborhood::of(names)), &others));
        assert!(x > 100.0 && (x - y).abs() < 1.0e-3, "midway between both: [{x}, {y}]");
    }
}

#[test]
fn the_radius_of_a_neighbor_adds_to_the_distance_of_a_rule_where_it_adds_to_that_of_the_species() {
    for (includes, counts) in [(false, false), (true, true)] {
        let rule = cohesion(Neighborhood::within(20.0));
        let mut scene = among(rule, &[("wide", [24.0, 0.0]), ("thin", [0.0, 24.0])]);
        scene.species[0].view_includes_radius = includes;
        scene.species[1].radius = 5.0.into();
        scene.species[2].radius = 1.0.into();
        let [x, y] = force_on_first(&scene);
        assert_eq!((x > 0.0, y.abs() > 1.0e-3), (counts, false), "[{x}, {y}]");
    }
}

#[test]
fn an_agent_whose_species_does_not_count_is_not_subtracted_from_the_sums() {
    let of_others = || Neighborhood::of(["other"]);
    let others = [("other", [0.0, 20.0]), ("further", [0.0, 10.0])];
    let alignment = Alignment { weight: 1.0, neighborhood: of_others() };
    // The other agent's heading, up, minus the agent's own.
    assert_eq!(force_on_first(&among(alignment, &others)), [-1.0, 1.0]);
    let matching = VelocityMatching { neighborhood: of_others(), ..VelocityMatching::default() };
    let mut scene = among(matching, &others);
    scene.species[0].start.speed = Some(0.5);
    // The agent must lose its 75 units/s within half a second.
    assert_eq!(force_on_first(&scene), [-150.0, 0.0]);
}

#[test]
fn every_rule_of_neighbors_has_a_neighborhood() {
    let mut with_neighborhoods = Vec::new();
    for mut behavior in Behavior::all() {
        let mut fields = behavior.fields();
        for field in &mut fields {
            match &mut field.value {
                FieldValue::Target(target) => *target = Target::member("threat", 0),
                FieldValue::Species(names) => names.push("nobody".into()),
                _ => {}
            }
        }
        let has_species = |field: &Field| matches!(field.value, FieldValue::Species(_));
        let has_neighborhood = fields.iter().any(has_species);
        behavior.set_fields(fields);
        if has_neighborhood {
            with_neighborhoods.push(behavior);
        }
    }
    let names: Vec<_> = with_neighborhoods.iter().map(Behavior::name).collect();
    let expected = "separation alignment cohesion velocity_matching flock_rules hide_in_flock \
                    collision_avoidance";
    assert_eq!(names.join(" "), expected);
    for rule in with_neighborhoods {
        let name = rule.name();
        let near = [("threat", [-40.0, 0.0]), ("friend", [20.0, 1.0])];
        let mut scene = among(rule, &near);
        scene.species[2].start.heading = Some(180.0);
        scene.species[2].start.speed = Some(1.0);
        scene.species.push(Species::new("nobody", 0));
        assert_eq!(force_on_first(&scene), [0.0, 0.0], "{name}");
        scene.species[3].name = "somebody".into();
        scene.species[2].name = "nobody".into();
        assert_ne!(force_on_first(&scene), [0.0, 0.0], "{name}");
    }
}

#[test]
fn companions_to_hide_among_are_of_the_own_species_unless_the_rule_names_others() {
    let hide = |neighborhood| HideInFlock {
        threat: Target::member("threat", 0),
        neighborhood,
        ..HideInFlock::default()
    };
    let others = [("threat", [-40.0, 0.0]), ("friend", [20.0, 0.0])];
    assert_eq!(force_on_first(&among(hide(Neighborhood::default()), &others)), [0.0, 0.0]);
    assert!(force_on_first(&among(hide(Neighborhood::of(["friend"])), &others))[0] > 0.0);
}

#[test]
fn the_nearest_target_is_looked_for_within_its_own_distance_and_field_of_view() {
    let seek = |distance, field_of_view, at| {
        let species = "prey".into();
        let target = Target::Nearest { species, distance, field_of_view, line_of_sight: false };
        let rule = Seek { weight: 1.0, target };
        force_on_first(&among(rule, &[("prey", at)]))
    };
    let (near, far) = ([30.0, 10.0], [80.0, 10.0]);
    assert!(seek(None, None, near)[0] > 0.0);
    assert!(seek(Some(90.0), None, far)[0] > 0.0, "farther than its species");
    assert_eq!(seek(None, None, far), [0.0, 0.0]);
    assert_eq!(seek(Some(30.0), None, near), [0.0, 0.0]);
    assert_eq!(seek(None, Some(20.0), near), [0.0, 0.0]);
    let text = r#"species = [{ name = "prey", agents = 1, behaviors = [
        { seek = { target = { nearest = "prey", distance = 1e-9 } } }] }]"#;
    let refused = Scene::parse(text, "x.toml").unwrap_err().to_string();
    assert!(refused.contains("seek.target.distance") && refused.contains("0.001"), "{refused}");
}

/// A scene in which rules alternate among more neighborhoods than a batch caches sums for.
fn choosy(agents: usize) -> Scene {
    let near = |distance: f32| Neighborhood::within(distance);
    let separation = |neighborhood| Separation { weight: 30.0, neighborhood };
    let fish = Species::new("fish", agents)
        .view_distance(25.0)
        .combine(Combine::WeightedSum)
        .behavior(separation(near(12.0)))
        .behavior(cohesion(Neighborhood::of(["fish"])))
        .behavior(separation(near(18.0)))
        .behavior(Alignment {
            neighborhood: near(30.0).field_of_view(200.0),
            ..Alignment::default()
        })
        .behavior(separation(near(12.0).field_of_view(100.0)))
        .behavior(FlockRules { neighborhood: near(21.0), ..FlockRules::default() })
        .behavior(separation(Neighborhood::of(["shark"]).distance(60.0)))
        .behavior(separation(near(12.0)))
        .behavior(Cohesion::default());
    let shark = Species::new("shark", agents / 20)
        .view_includes_radius()
        .radius([2.0, 8.0])
        .behavior(CollisionAvoidance {
            neighborhood: Neighborhood::of(["shark"]),
            ..CollisionAvoidance::default()
        })
        .behavior(cohesion(Neighborhood::of(["fish"]).distance(40.0)));
    Scene::new(World::torus(420.0, 300.0)).species(fish).species(shark)
}

#[test]
fn rules_with_many_neighborhoods_are_the_same_in_every_way_and_agree_with_the_reference() {
    let scene = choosy(500);
    assert_variants_agree(&scene, 12);
    let mut crowd = scene.build().unwrap();
    crowd.run(5).unwrap();
    let forces = crowd.forces();
    let mut agreed = 0;
    for (slot, force) in forces.into_iter().enumerate().step_by(7) {
        let reference = crowd.reference_step(crowd.agents().id(slot)).unwrap();
        if reference.margin < 1.0e-5 {
            continue;
        }
        let [x, y, _] = reference.force;
        let off = (f64::from(force[0]) - x).hypot(f64::from(force[1]) - y);
        assert!(off < 1.0e-2, "{force:?}, reference [{x}, {y}]");
        agreed += 1;
    }
    assert!(agreed > 40, "{agreed} agents were compared");
}

/// The sort separates at most eight groups of agents, so some of these species share a group.
#[test]
fn each_of_twelve_species_gathers_around_the_one_that_its_rule_names() {
    let team = |number: usize| {
        let next = (number + 1) % 12;
        let rule = cohesion(Neighborhood::of([next.to_string()]));
        Species::new(number.to_string(), 30).view_distance(60.0).behavior(rule)
    };
    let scene = Scene::new(World::torus(420.0, 300.0));
    assert_variants_agree(&(0..12).map(team).fold(scene, Scene::species), 8);
}

#[test]
fn slabs_reach_as_far_as_the_farthest_rule_also_once_it_is_edited() {
    let scene = choosy(400);
    let mut whole = scene.build().unwrap();
    let mut slabs = Slabs::new(&scene, 3);
    for distance in [12.0, 90.0, 5.0] {
        let mut fish = scene.species[0].clone();
        fish.behaviors[0] = cohesion(Neighborhood::within(distance)).into();
        whole.set_species(&fish).unwrap();
        slabs.set_species(&fish).unwrap();
        for _ in 0..4 {
            whole.step().unwrap();
            slabs.step(|_| None).unwrap();
        }
        assert_eq!(slabs.state_hash(), whole.state_hash(), "{distance} units");
    }
}

#[test]
fn the_species_view_is_what_neighbors_and_their_counts_show() {
    let far = among(cohesion(Neighborhood::within(90.0)), &[("other", [80.0, 0.0])]);
    let crowd = far.build().unwrap();
    assert!(crowd.neighbors(id(0)).unwrap().is_empty());
    assert_eq!(crowd.neighbor_counts().max_neighbors, 0);
    assert_eq!(crowd.neighbor_rows(None).unwrap().indices, []);
    assert_eq!(crowd.reference_step(id(0)).unwrap().neighbors, 0);
}

#[test]
fn explanations_show_the_neighborhood_of_each_rule() {
    let mut scene = among(cohesion(Neighborhood::within(20.0)), &[("other", [30.0, 0.0])]);
    scene.species[0].behaviors.push(Separation::default().into());
    scene.species.push(one("near", [10.0, 0.0], 0.0));
    let crowd = scene.build().unwrap();
    let explanation = crowd.explain(id(0)).unwrap();
    assert_eq!(explanation.neighbors.len(), 2);
    let [cohesion, separation] = &explanation.contributions[..] else { panic!("two rules") };
    assert_eq!(cohesion.neighbors, Some(vec![id(2)]));
    assert_eq!(separation.neighbors, None, "that of the species");
    let circle = cohesion.marks.iter().find(|mark| mark.feature == Feature::Neighborhood).unwrap();
    assert_eq!(circle.shape, Shape::Circle { center: [0.0; 3], radius: 20.0 });
}

#[test]
fn a_misspelled_species_is_refused_with_the_nearest_name() {
    let text = r#"species = [
        { name = "fish", agents = 1, behaviors = [{ cohesion = { species = ["shrak"] } }] },
        { name = "shark", agents = 1 },
    ]"#;
    let refused = Scene::parse(text, "x.toml").unwrap_err().to_string();
    assert!(refused.contains("`shrak`") && refused.contains("`shark`"), "{refused}");
}

#[test]
fn what_a_neighborhood_leaves_out_is_written_nowhere() {
    let scene = among(cohesion(Neighborhood::default()), &[]);
    let text = scene.to_toml();
    assert!(!text.contains("distance =\n") && !text.contains("species = []"), "{text}");
    assert!(!text.contains("[species.behaviors.cohesion.species]"), "{text}");
    let scene =
        among(cohesion(Neighborhood::of(["other"]).distance(7.0)), &[("other", [9.0, 9.0])]);
    assert_eq!(Scene::parse(&scene.to_toml(), "x.toml").unwrap(), scene);
}

behavior! {
    /// Steers toward the sum of the offsets to its neighbors.
    struct Toward: "toward" {
        weight: f32 = 1.0, 0.0 to 1.0e6;
        neighborhood: Neighborhood = Neighborhood::default();
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let offset = batch.sum_over_neighbors(
            #[inline(always)]
            |neighbor| neighbor.offset,
        );
        offset.into()
    }
}

behavior! {
    /// Has two parameters with the same name.
    struct Twofold: "twofold" {
        weight: f32 = 1.0, 0.0 to 1.0e6;
        /// Clashes with the neighborhood's parameter of this name.
        distance: f32 = 1.0, 0.0 to 1.0e6;
        neighborhood: Neighborhood = Neighborhood::default();
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        batch.heading().into()
    }
}

#[test]
fn behaviors_of_other_crates_ask_for_a_neighborhood_the_same_way() {
    let toward = |neighborhood| {
        let rule = Toward { neighborhood, ..Toward::default() };
        let scene = among(rule, &[("a", [30.0, 0.0]), ("b", [0.0, 70.0])]);
        force(&scene.build().unwrap(), id(0))
    };
    assert_eq!(toward(Neighborhood::default()), [30.0, 0.0]);
    assert_eq!(toward(Neighborhood::within(80.0)), [30.0, 70.0]);
    assert_eq!(toward(Neighborhood::of(["b"]).distance(80.0)), [0.0, 70.0]);
    let refused = among(Twofold::default(), &[]).build().unwrap_err().to_string();
    assert!(refused.contains("twofold") && refused.contains("distance"), "{refused}");
}
