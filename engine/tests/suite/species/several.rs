use flockwork::behaviors::Seek;
use flockwork::{AgentOrder, Number, Scene, Simulation, Species, Start, World};

use crate::common::agents::{ids, speed};
use crate::common::measures::assert_even;
use crate::common::scenes::flock;
use crate::common::variants::{hash_after, hash_by_reference};

#[test]
fn adding_a_species_does_not_move_the_others() {
    let fish = || Species::new("fish", 50).max_speed([10.0, 90.0]).mass([1.0, 2.0]);
    let alone = Scene::new(World::torus(500.0, 400.0)).species(fish()).build().unwrap();
    let both = Scene::new(World::torus(500.0, 400.0))
        .species(fish())
        .species(Species::new("shark", 3).radius(9.0))
        .build()
        .unwrap();
    for id in ids(&alone) {
        let (a, b) = (alone.agent(id).unwrap(), both.agent(id).unwrap());
        assert_eq!((a.position, a.velocity, a.heading), (b.position, b.velocity, b.heading));
    }
}

#[test]
fn an_added_agent_of_a_species_with_ranges_is_like_one_from_the_start() {
    let species = |agents| Species::new("s", agents).max_speed([10.0, 90.0]);
    let build = |agents| Scene::new(World::torus(500.0, 400.0)).species(species(agents)).build();
    let (start, mut later) = (build(6).unwrap(), build(5).unwrap());
    let id = later.spawn("s", [1.0, 1.0], [0.0, 1.0]).unwrap();
    let speed = |simulation: &Simulation| {
        let [vx, vy, _] = simulation.agent(id).unwrap().velocity;
        vx.hypot(vy)
    };
    assert!((speed(&start) - speed(&later)).abs() < 1.0e-3);
}

#[test]
fn masses_are_spread_evenly_over_their_range() {
    // After a step from rest with equal force, speed = force · dt / mass.
    let species = Species::new("s", 2_000).mass([2.0, 5.0]).max_force(60.0);
    let species = species.start(Start::default().speed(0.0));
    let species = species.behavior(Seek { weight: 200.0, target: [9_000.0, 0.0].into() });
    let scene = Scene::new(World::open(500.0, 400.0)).species(species);
    let mut simulation = scene.steps_per_second(60.0).build().unwrap();
    simulation.step().unwrap();
    let mass = |index| 1.0 / speed(&simulation, index);
    let shares: Vec<f32> = (0..2_000).map(|index| (mass(index) - 2.0) / 3.0).collect();
    assert_even("mass", &shares);
}

#[test]
fn the_values_of_an_agent_are_drawn_independently() {
    let species = Species::new("s", 1_000).max_speed([1.0, 2.0]).max_force([1.0, 2.0]);
    let species = species.mass([1.0, 2.0]).radius([1.0, 2.0]);
    let species = species.column("a", [1.0, 2.0]).column("b", [1.0, 2.0]);
    let crowd = Scene::new(World::torus(500.0, 400.0)).species(species).build().unwrap();
    let [a, b] = ["a", "b"].map(Number::Column);
    let numbers = [Number::MaxSpeed, Number::MaxForce, Number::Mass, Number::Radius, a, b];
    let values = numbers.map(|number| crowd.get_all(number, AgentOrder::Id).unwrap());
    for (k, one) in values.iter().enumerate() {
        assert_even(&format!("{:?}", numbers[k]), &one.iter().map(|x| x - 1.0).collect::<Vec<_>>());
        for (other, number) in values.iter().zip(numbers).take(k) {
            let products = one.iter().zip(other).map(|(x, y)| (x - 1.5) * (y - 1.5));
            // The correlation is 1 for equal values; the bound is five standard deviations.
            let correlation = 12.0 * products.sum::<f32>() / 1_000.0;
            assert!(correlation.abs() < 0.16, "{:?}, {number:?}: {correlation}", numbers[k]);
        }
    }
}

#[test]
fn a_scene_has_up_to_255_species() {
    let scene = |count: usize| {
        (0..count).fold(Scene::new(World::torus(300.0, 300.0)), |scene, k| {
            scene.species(Species {
                name: format!("species {k}"),
                view_includes_radius: k % 3 == 0,
                radius: (k as f32 * 0.02).into(),
                field_of_view: 360.0 - (k % 5) as f32 * 40.0,
                ..flock(2)
            })
        })
    };
    let kernels = hash_after(&scene(255), 5, |_| {});
    let reference = hash_by_reference(&scene(255), 5);
    assert_eq!(kernels, reference);
    let mut simulation = scene(255).build().unwrap();
    let last = simulation.spawn("species 254", [1.0, 1.0], [1.0, 0.0]).unwrap();
    assert_eq!(simulation.agent(last).unwrap().species, 254);
    assert_eq!(scene(256).build().unwrap_err().code(), "out_of_range");
}
