use flockwork::behaviors::Seek;
use flockwork::{Partition, Scene, Species, Start, Target, Topology, World};

use crate::common::agents::ids;
use crate::common::rooms::Room;
use crate::common::variants::{Variant, assert_variants_agree};
use crate::slab::slabs::Slabs;

/// A random room's scenery, and two species that seek each other within 200 units, if in sight.
fn scene(seed: u64) -> Scene {
    let Scene { world, obstacles, walls, .. } =
        if seed.is_multiple_of(3) { Room::in_space(seed).scene } else { Room::random(seed).scene };
    let species = |name: &str, sought: &str| {
        let target = Target::Nearest {
            species: sought.into(),
            distance: Some(200.0),
            field_of_view: None,
            line_of_sight: true,
        };
        let start = Start::in_circle(start(&world), 300.0);
        let species = Species { start, ..Species::new(name, 40) }.max_force(1.0e6);
        species.behavior(Seek { weight: 1.0, target })
    };
    let scene = Scene { obstacles, walls, ..Scene::new(world) };
    scene.species(species("a", "b")).species(species("b", "a")).seed(seed)
}

fn start(world: &World) -> flockwork::Point {
    match world.depth {
        None => [500.0, 500.0].into(),
        Some(depth) => [500.0, 500.0, depth / 2.0].into(),
    }
}

#[test]
fn the_nearest_in_sight_is_the_references_in_random_rooms() {
    let (mut compared, mut left_out, mut sighted, mut blind) = (0, 0, 0, 0);
    for seed in 0..60 {
        let scene = scene(seed);
        let mut crowd = scene.build().unwrap();
        let variants: Vec<Variant> = Variant::all().collect();
        variants[seed as usize % variants.len()].set(&mut crowd);
        for partition in [Partition::Cells, Partition::AllPairs] {
            crowd.set_execution(crowd.execution().partition(partition)).unwrap();
            let forces = crowd.forces();
            for (id, force) in ids(&crowd).into_iter().zip(forces) {
                let expected = crowd.reference_step(id).unwrap();
                if expected.margin < 1.0e-5 {
                    left_out += 1;
                    continue;
                }
                compared += 1;
                if expected.force == [0.0; 3] {
                    blind += 1;
                } else {
                    sighted += 1;
                }
                for axis in 0..3 {
                    let off = f64::from(force[axis]) - expected.force[axis];
                    assert!(off.abs() < 1.0e-2, "{seed}, {id}: {force:?}, {expected:?}");
                }
            }
            crowd.run(10).unwrap();
        }
        assert_variants_agree(&scene, 10);
    }
    assert!(left_out * 20 < compared, "{left_out} of {compared}");
    assert!(sighted > 1_000 && blind > 100, "{sighted} see, {blind} do not");
}

#[test]
fn slabs_see_what_one_host_sees() {
    for seed in 0..24 {
        let scene = scene(seed);
        if scene.world.topology == Topology::Open {
            continue;
        }
        let mut whole = scene.build().unwrap();
        let mut parts = Slabs::of_snapshot(&whole.snapshot(), 1 + seed as usize % 3);
        for _ in 0..10 {
            whole.step().unwrap();
            parts.step(|_| None).unwrap();
        }
        parts.assert_are(&whole, &format!("room {seed}"));
    }
}
