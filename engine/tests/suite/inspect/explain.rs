use flockwork::behaviors::{HideInFlock, Neighborhood};
use flockwork::inspect::{Feature, Shape};
use flockwork::{Combine, Scene, Species, Target, World};

use crate::common::agents::{id, ids};
use crate::common::scenes::variety;

#[test]
fn kept_contributions_add_up_to_the_force() {
    for name in Scene::names() {
        let scene = Scene::named(name).map(|scene| scene.agents(60)).unwrap();
        let mut simulation = scene.build().unwrap();
        simulation.run(40).unwrap();
        for id in ids(&simulation) {
            let species = &scene.species[simulation.agent(id).unwrap().species];
            let explanation = simulation.explain(id).unwrap();
            if species.combine == Combine::Prioritized {
                let mut sum = [0.0_f32; 2];
                for contribution in &explanation.contributions {
                    sum = [0, 1].map(|axis| sum[axis] + contribution.kept[axis]);
                }
                let off = (sum[0] - explanation.force[0]).hypot(sum[1] - explanation.force[1]);
                assert!(off < 1.0e-3, "{name}, {id}: {sum:?}, {:?}", explanation.force);
            }
            let reference = simulation.reference_step(id).unwrap().force;
            let force = explanation.force.map(f64::from);
            let off = (reference[0] - force[0]).hypot(reference[1] - force[1]);
            assert!(off < 0.5, "{name}, {id}: {reference:?}, {force:?}");
        }
    }
}

#[test]
fn explaining_does_not_change_what_follows() {
    for (name, scene) in variety(120) {
        let mut explained = scene.build().unwrap();
        let mut untouched = scene.build().unwrap();
        for _ in 0..10 {
            for id in ids(&explained) {
                explained.explain(id).unwrap();
            }
            explained.step().unwrap();
            untouched.step().unwrap();
        }
        assert_eq!(explained.state_hash(), untouched.state_hash(), "{name}");
    }
}

#[test]
fn behaviors_draw_what_they_compute_with() {
    let drawn = |name: &str, what: Feature| {
        let mut simulation = Scene::named(name).unwrap().build().unwrap();
        simulation.run(30).unwrap();
        let mut marks = Vec::new();
        for id in ids(&simulation) {
            let explanation = simulation.explain(id).unwrap();
            marks.extend(
                explanation.contributions.into_iter().flat_map(|contribution| contribution.marks),
            );
        }
        marks.into_iter().filter(|mark| mark.feature == what).collect::<Vec<_>>()
    };
    for (name, what) in [
        ("pursuit", Feature::Predicted),
        ("evade", Feature::Range),
        ("wander", Feature::WanderCircle),
        ("wander", Feature::WanderTarget),
        ("obstacle-avoidance", Feature::DetectionBox),
        ("look-ahead", Feature::Feeler),
        ("wall-avoidance", Feature::Feeler),
        ("wall-avoidance", Feature::Hit),
        ("interpose", Feature::Span),
        ("hide", Feature::HidingSpot),
        ("hide", Feature::ChosenHidingSpot),
        ("path-following", Feature::Waypoint),
        ("stay-on-path", Feature::Tube),
        ("offset-pursuit", Feature::Goal),
        ("leader-following", Feature::ClearArea),
        ("collision-avoidance", Feature::Threat),
        ("seek", Feature::Target),
    ] {
        let marks = drawn(name, what);
        assert!(!marks.is_empty(), "{name} draws no {what:?}");
        let finite = |at: [f32; 3]| at.iter().all(|part| part.is_finite());
        assert!(marks.iter().all(|mark| match mark.shape {
            Shape::Point(at) => finite(at),
            Shape::Line([from, to]) => finite(from) && finite(to),
            Shape::Circle { center, radius } => finite(center) && radius >= 0.0,
            Shape::Box(corners) => corners.into_iter().all(finite),
        }));
    }
}

/// Regression: neighbors of other species were listed as well.
#[test]
fn agents_hide_among_the_listed_neighbors_only() {
    let listed = |species: &[&str]| {
        let neighborhood = Neighborhood::of(species.iter().copied()).distance(90.0);
        let threat = [0.0, 0.0].into();
        let hide = HideInFlock { threat, neighborhood, ..HideInFlock::default() };
        let crowd = Scene::new(World::bounded(60.0, 60.0))
            .species(Species::new("fish", 3).behavior(hide))
            .species(Species::new("squid", 4))
            .build()
            .unwrap();
        let fish = ids(&crowd).into_iter().find(|&id| crowd.agent(id).unwrap().species == 0);
        let mut explanation = crowd.explain(fish.unwrap()).unwrap();
        let mut listed: Vec<usize> = explanation
            .contributions
            .remove(0)
            .neighbors
            .unwrap()
            .into_iter()
            .map(|id| crowd.agent(id).unwrap().species)
            .collect();
        listed.sort_unstable();
        listed
    };
    assert_eq!(listed(&[]), [0; 2]);
    assert_eq!(listed(&["squid"]), [1; 4]);
    assert_eq!(listed(&["fish", "squid"]), [0, 0, 1, 1, 1, 1]);
}

/// Regression: without a neighborhood of its own, `hide_in_flock` seemed to count all neighbors.
#[test]
fn agents_that_hide_in_their_flock_do_not_count_hawks() {
    let hide = HideInFlock { threat: Target::nearest("hawk"), ..HideInFlock::default() };
    let fish = |hawks: usize| {
        let crowd = Scene::new(World::bounded(60.0, 60.0))
            .species(Species::new("fish", 3).view_distance(90.0).behavior(hide.clone()))
            .species(Species::new("hawk", hawks))
            .build()
            .unwrap();
        let explanation = crowd.explain(id(0)).unwrap();
        assert_eq!(explanation.neighbors.len(), 2 + hawks);
        let contribution = &explanation.contributions[0];
        assert_eq!(contribution.marks.iter().find(|m| m.feature == Feature::Neighborhood), None);
        let mut neighbors = contribution.neighbors.clone().unwrap();
        neighbors.sort_unstable();
        neighbors
    };
    assert_eq!(fish(4), [id(1), id(2)]);
    assert_eq!(fish(0), [id(1), id(2)]);
}

#[test]
fn behaviors_that_are_not_reached_are_named() {
    for combine in [Combine::Prioritized, Combine::WeightedSum, Combine::Dithered] {
        let mut some = 0;
        for name in Scene::names() {
            let mut scene = Scene::named(name).map(|scene| scene.agents(60)).unwrap();
            for species in &mut scene.species {
                species.combine = combine;
            }
            let mut simulation = scene.build().unwrap();
            simulation.run(20).unwrap();
            for id in ids(&simulation) {
                let species = &scene.species[simulation.agent(id).unwrap().species];
                let explanation = simulation.explain(id).unwrap();
                let reached = explanation.contributions.iter();
                let reached =
                    reached.map(|contribution| (contribution.number, contribution.behavior));
                let mut named: Vec<_> = reached.chain(explanation.unreached.clone()).collect();
                let names = species.behaviors.iter().map(|kind| kind.name());
                let all: Vec<_> = names.enumerate().collect();
                if combine == Combine::Prioritized {
                    assert_eq!(named, all, "the last are not reached");
                }
                named.sort_unstable();
                assert_eq!(named, all, "{name}, {id}");
                some += explanation.unreached.len();
            }
        }
        assert_eq!(some > 0, combine != Combine::WeightedSum, "{combine:?}: {some}");
    }
}
