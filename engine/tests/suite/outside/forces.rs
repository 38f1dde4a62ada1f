//! Custom behaviors give the same bits with every method, and can do as much as the engine's own.

use flockwork::behaviors::{Seek, Separation, Wander};
use flockwork::cpu::Level;
use flockwork::inspect::Feature;
use flockwork::kernel::{Batch, Force, Lanes, Mask, behavior};
use flockwork::{
    Behavior, Combine, Locomotion, Method, Obstacle, OwnTarget, Scene, Species, Target, Topology,
    Wall, World,
};

use super::behaviors::{Everything, Gathering, Repulsion};
use crate::common::variants::{assert_variants_agree, hash_after, hash_by_reference};

fn busy(topology: Topology, agents: usize, combine: Combine) -> Scene {
    let species = |name: &str, agents, view: f32| {
        Species::new(name, agents)
            .view_distance(view)
            .max_speed([40.0, 90.0])
            .mass([0.5, 2.0])
            .combine(combine)
            .own_target(OwnTarget::Previous)
            .column("hunger", [0.0, 1.0])
            .behavior(Everything::default())
            .behavior(Wander { weight: 2.0, ..Wander::default() })
            .behavior(Repulsion { weight: 20.0, ..Repulsion::default() })
    };
    let world = World { topology, ..World::torus(300.0, 200.0) };
    Scene::new(world)
        .species(species("a", agents, 30.0).field_of_view(200.0))
        .species(
            species("b", agents / 2, 45.0)
                .radius([1.0, 6.0])
                .view_includes_radius()
                .locomotion(Locomotion::ConstantSpeed),
        )
        .obstacle(Obstacle::new([40.0, 60.0], 12.0))
        .obstacle(Obstacle::new([290.0, 10.0], 20.0))
        .wall(Wall::new([[20.0, 20.0], [200.0, 150.0]]).two_sided())
        .seed(9)
}

const TOPOLOGIES: [Topology; 3] = [Topology::Torus, Topology::Bounded, Topology::Open];
const COMBINES: [Combine; 3] = [Combine::Prioritized, Combine::WeightedSum, Combine::Dithered];

#[test]
fn every_method_gives_the_same_bits() {
    for topology in TOPOLOGIES {
        for combine in COMBINES {
            assert_variants_agree(&busy(topology, 150, combine), 12);
        }
    }
}

#[test]
fn every_number_of_agents_gives_the_same_bits() {
    for agents in 0..40 {
        assert_variants_agree(&busy(Topology::Torus, agents, Combine::Prioritized), 3);
    }
}

#[test]
fn every_level_gives_the_same_bits() {
    let scene = busy(Topology::Bounded, 600, Combine::Dithered);
    let expected = hash_by_reference(&scene, 2);
    for level in Level::available() {
        for method in Method::ALL {
            let hash = hash_after(&scene, 2, |simulation| {
                simulation
                    .set_execution(simulation.execution().level(level).method(method))
                    .unwrap();
            });
            assert_eq!(hash, expected, "{level:?} {method:?}");
        }
    }
}

#[test]
fn every_number_of_threads_gives_the_same_bits() {
    let mut scene = busy(Topology::Bounded, 11_000, Combine::Dithered);
    scene.world = World { topology: Topology::Bounded, ..World::torus(2100.0, 1400.0) };
    let hash = |threads| {
        hash_after(&scene, 2, |simulation| {
            simulation.set_execution(simulation.execution().threads(threads)).unwrap();
            assert_eq!(simulation.threads_in_use(), threads, "the crowd is large enough to share");
        })
    };
    let one = hash(1);
    for threads in [2, 3, 8] {
        assert_eq!(hash(threads), one, "{threads} threads");
    }
}

#[test]
fn separation_written_anew_gives_the_bits_of_the_engines_own() {
    let mut compared = 0;
    for name in Scene::names() {
        let scene = Scene::named(name).unwrap();
        let mut anew = scene.clone();
        for behavior in anew.species.iter_mut().flat_map(|species| &mut species.behaviors) {
            if let Behavior::Separation(Separation { weight, neighborhood }) = behavior.clone() {
                *behavior = Repulsion { weight, neighborhood }.into();
                compared += 1;
            }
        }
        // Dithering looks up probabilities by behavior name.
        for species in &mut anew.species {
            species.probabilities.insert("repulsion".into(), species.probability_of("separation"));
            species.probabilities.retain(|name, _| {
                name != "repulsion" || species.behaviors.iter().any(|one| one.name() == name)
            });
        }
        assert_eq!(hash_after(&anew, 5, |_| {}), hash_after(&scene, 5, |_| {}), "{name}");
    }
    assert!(compared > 5);
}

#[test]
fn a_behavior_that_reads_more_sums_than_it_says_gets_them() {
    let hash = |reads_all_sums| {
        let species = Species::new("agent", 300)
            .behavior(Separation { weight: 5.0, ..Separation::default() })
            .behavior(Gathering { reads_all_sums, ..Gathering::default() });
        hash_after(&Scene::new(World::torus(300.0, 300.0)).species(species), 5, |_| {})
    };
    assert_eq!(hash(false), hash(true));
}

#[test]
fn a_custom_behavior_takes_its_place_in_explanations_and_forces() {
    let mut crowd = busy(Topology::Torus, 60, Combine::Prioritized).build().unwrap();
    crowd.run(3).unwrap();
    let forces = crowd.forces();
    for (slot, force) in forces.into_iter().enumerate() {
        let explanation = crowd.explain(crowd.agents().id(slot)).unwrap();
        assert_eq!(explanation.force, force);
        let first = &explanation.contributions[0];
        assert_eq!((first.number, first.behavior), (0, "everything"));
        assert!(first.marks.iter().all(|mark| mark.feature == Feature::Target));
        // The first agent of a species has no own target.
        assert_eq!(
            first.marks.len(),
            usize::from(![0, 60].contains(&crowd.agents().id(slot).index))
        );
    }
}

/// Declares a behavior that writes its random numbers into columns.
macro_rules! dice {
    ($type:ident, $name:literal) => {
        behavior! {
            struct $type: $name {
                weight: f32 = 1.0, 0.0 to 1.0e6;
            }

            fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
                let [a, b] = batch.random(0);
                let [c, _] = batch.random(1);
                batch.set_column(0, a);
                batch.set_column(1, b);
                batch.set_column(2, c);
                Force::none()
            }

            fn columns(&self) -> Vec<&str> {
                vec!["a", "b", "c"]
            }
        }
    };
}

dice!(Dice, "dice");
dice!(OtherDice, "other_dice");

#[test]
fn random_numbers_are_independent_of_each_other() {
    let drawn = |seed, behavior: Behavior, steps| {
        let agents = Species::new("a", 4_000).behavior(behavior).max_speed(1.0e-3);
        let scene = Scene::new(World::torus(1.0e3, 1.0e3)).species(agents).seed(seed);
        let mut crowd = scene.build().unwrap();
        crowd.run(steps).unwrap();
        let index = crowd.agents().index;
        ["a", "b", "c"].map(|name| {
            let mut by_agent = vec![0.0; index.len()];
            for (&index, &value) in index.iter().zip(crowd.agents().column(name).unwrap()) {
                by_agent[index as usize] = value;
            }
            by_agent
        })
    };
    let columns = [
        drawn(1, Dice::default().into(), 1),
        drawn(1, Dice::default().into(), 2),
        drawn(2, Dice::default().into(), 1),
        drawn(1, OtherDice::default().into(), 1),
    ]
    .concat();
    for (k, column) in columns.iter().enumerate() {
        assert!(column.iter().all(|value| (-1.0..1.0).contains(value)));
        for (other, values) in columns.iter().enumerate() {
            let product: f32 = column.iter().zip(values).map(|(a, b)| a * b).sum();
            // Uniform numbers in [-1, 1) have a variance of 1/3; allow five standard deviations.
            let mean = product / column.len() as f32;
            let expected = if other == k { 1.0 / 3.0 } else { 0.0 };
            assert!((mean - expected).abs() < 5.0 / 3.0 / 4_000_f32.sqrt(), "{k}, {other}: {mean}");
        }
    }
}

behavior! {
    /// Asks for a target that is not one of its parameters.
    struct ToLamp: "to_lamp" {
        weight: f32 = 1.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (lamp, present): (_, Mask<L>) = batch.target(&Target::nearest("lamp"));
        batch.offset_to(lamp.position).keep(present).into()
    }
}

/// Regression: such a target was the agent's own target.
#[test]
fn an_undeclared_nearest_target_is_nobodys() {
    let moth = Species::new("moth", 1)
        .view_distance(100.0)
        .behavior(ToLamp::default())
        .behavior(Seek { target: Target::Own, ..Seek::default() });
    let scene =
        Scene::new(World::torus(100.0, 100.0)).species(moth).species(Species::new("lamp", 1));
    let mut crowd = scene.build().unwrap();
    let moth = crowd.agents().ids().find(|id| id.index == 0).unwrap();
    crowd.set_own_target(moth, [50.0, 50.0]).unwrap();
    let explained = crowd.explain(moth).unwrap();
    let force = |name: &str| {
        let all = explained.contributions.iter();
        all.filter(|it| it.behavior == name).map(|it| it.force).collect::<Vec<_>>()
    };
    assert!(force("seek")[0] != [0.0; 3]);
    assert!(force("to_lamp").iter().all(|force| *force == [0.0; 3]), "{explained:?}");
}
