use flockwork::behaviors::{Cohesion, Evade, Neighborhood, Pursuit, Seek, Separation};
use flockwork::{Partition, Scene, Species, Start, Target, Vector, World};

use crate::common::agents::{force, id, one, position, resting};
use crate::common::scenes::open;
use crate::common::variants::hash_after;

const WEIGHT: f32 = 1.0;

fn seek(species: &str) -> Seek {
    Seek { target: Target::nearest(species), weight: WEIGHT }
}

fn seeker() -> Species {
    resting("seeker", [0.0, 0.0], 0.0).max_force(1.0e6).view_distance(50.0).behavior(seek("fish"))
}

#[test]
fn the_nearest_agent_in_view_is_the_target_and_one_spawned_later_counts() {
    let mut sea = open([seeker(), Species::new("fish", 0)]).build().unwrap();
    assert_eq!(force(&sea, id(0)), [0.0, 0.0], "there is none");
    sea.spawn("fish", [0.0, 51.0], [1.0, 0.0]).unwrap();
    assert_eq!(force(&sea, id(0)), [0.0, 0.0], "it is out of view");
    sea.spawn("fish", [-40.0, 0.0], [1.0, 0.0]).unwrap();
    assert!(force(&sea, id(0))[0] < 0.0);
    let nearer = sea.spawn("fish", [30.0, 0.0], [1.0, 0.0]).unwrap();
    assert!(force(&sea, id(0))[0] > 0.0);
    sea.remove(nearer).unwrap();
    assert!(force(&sea, id(0))[0] < 0.0);
}

#[test]
fn a_target_farther_than_the_view_of_the_species_is_found_by_cells() {
    let (species, distance) = ("fish".into(), Some(150.0));
    let line_of_sight = false;
    let target = Target::Nearest { species, distance, field_of_view: None, line_of_sight };
    let seeker = resting("seeker", [200.0, 150.0], 0.0).behavior(Seek { weight: WEIGHT, target });
    let fish = one("fish", [320.0, 150.0], 0.0);
    let species = [seeker, fish].map(|species| species.view_distance(20.0));
    let scene = Scene::new(World::bounded(400.0, 300.0));
    let mut sea = species.into_iter().fold(scene, Scene::species).build().unwrap();
    for partition in [Partition::Cells, Partition::AllPairs] {
        sea.set_execution(sea.execution().partition(partition)).unwrap();
        assert!(force(&sea, id(0))[0] > 0.0, "{partition:?}");
    }
}

#[test]
fn of_equally_near_agents_the_first_in_the_order_of_slots_is_the_target() {
    let mut seeker = seeker();
    seeker.start = Start::in_circle([200.0, 150.0], 0.0);
    let fish = one("fish", [220.0, 150.0], 0.0);
    let scene = Scene::new(World::bounded(400.0, 300.0)).species(seeker).species(fish);
    let mut sea = scene.build().unwrap();
    sea.spawn("fish", [180.0, 150.0], [1.0, 0.0]).unwrap();
    // Slots in this row of cells run from left to right.
    assert!(force(&sea, id(0))[0] < 0.0);
}

/// The search for the nearest fish stops early; cohesion must still see its whole neighborhood.
#[test]
fn behaviors_after_a_search_for_the_nearest_see_their_whole_neighborhood() {
    let fish = Species::new("fish", 3_000).view_distance(200.0);
    // Weak enough to leave force for the behaviors with neighborhoods.
    let seek = Seek { weight: 0.01, ..seek("fish") };
    // A short neighborhood makes rows low, so the search for the nearest fish starts short.
    let near = Separation { neighborhood: Neighborhood::within(20.0), ..Separation::default() };
    let fish = fish.behavior(seek).behavior(Cohesion::default()).behavior(near);
    let scene = Scene::new(World::torus(2_000.0, 2_000.0)).species(fish);
    let hash = |partition: Partition| {
        hash_after(&scene, 2, |sea| {
            sea.set_execution(sea.execution().partition(partition)).unwrap();
        })
    };
    assert_eq!(hash(Partition::Cells), hash(Partition::AllPairs));
}

#[test]
fn an_agent_is_not_its_own_nearest_neighbor() {
    let lonely = resting("fish", [0.0, 0.0], 0.0).behavior(seek("fish"));
    let sea = open([lonely]).build().unwrap();
    assert_eq!(force(&sea, id(0)), [0.0, 0.0]);
}

#[test]
fn the_nearest_agent_may_be_across_the_seam() {
    let fish = resting("fish", [395.0, 150.0], 0.0);
    let seeker = resting("seeker", [5.0, 150.0], 0.0).max_force(1.0e6).behavior(seek("fish"));
    let scene = Scene::new(World::torus(400.0, 300.0)).species(seeker).species(fish);
    let sea = scene.build().unwrap();
    assert!(force(&sea, id(0))[0] < 0.0);
}

/// The shark's x times the number of cells per unit rounds up to the number of cells.
#[test]
fn a_rare_agent_just_before_the_seam_is_found() {
    let fish = Species::new("fish", 400)
        .behavior(Seek { target: Target::nearest("shark").distance(400.0), weight: WEIGHT });
    let scene = Scene::new(World::torus(1.0e3, 1.0e3)).species(fish);
    let mut sea = scene.species(Species::new("shark", 20)).build().unwrap();
    let last = 1.0e3_f32.next_down();
    let at = [[990.0, 500.0], [last, 500.0], [960.0, 500.0]];
    for (index, at) in [0, 400, 401].into_iter().zip(at) {
        sea.set(Vector::Position, id(index), at).unwrap();
    }
    (402..420).for_each(|index| sea.set(Vector::Position, id(index), [150.0, 500.0]).unwrap());
    for partition in [Partition::Cells, Partition::AllPairs] {
        sea.set_execution(sea.execution().partition(partition)).unwrap();
        let behind = sea.get(Vector::Velocity, id(0)).unwrap()[0];
        assert!(force(&sea, id(0))[0] + behind > 0.0, "{partition:?}");
    }
}

#[test]
fn three_sharks_need_one_evade() {
    let fish = Species::new("fish", 200)
        .max_speed(120.0)
        .behavior(Evade { pursuer: Target::nearest("shark"), ..Evade::default() });
    let sharks = Species::new("shark", 3)
        .max_speed(60.0)
        .view_distance(80.0)
        .behavior(Pursuit { evader: Target::nearest("fish"), ..Pursuit::default() });
    let mut sea =
        Scene::new(World::torus(800.0, 600.0)).species(fish).species(sharks).build().unwrap();
    sea.run(300).unwrap();
    for shark in 200..203 {
        for fish in 0..200 {
            let [shark, fish] = [shark, fish].map(|index| position(&sea, index));
            let [x, y, _] = sea.displacement(shark, fish);
            assert!(x.hypot(y) > 20.0, "a faster fish keeps its distance from every shark");
        }
    }
}

#[test]
fn a_species_that_does_not_exist_is_refused_with_the_nearest_name() {
    let scene = open([
        resting("seeker", [0.0, 0.0], 0.0).behavior(seek("fsh")),
        one("fish", [9.0; 2], 0.0),
    ]);
    let refusal = scene.build().unwrap_err().to_string();
    assert!(refusal.contains("fsh") && refusal.contains("did you mean `fish`?"), "{refusal}");
}

#[test]
fn scene_files_name_the_species() {
    let scene = open([seeker(), Species::new("fish", 1)]);
    assert!(scene.to_toml().contains("nearest = \"fish\""));
    assert_eq!(Scene::parse(&scene.to_toml(), "sea").unwrap(), scene);
}
