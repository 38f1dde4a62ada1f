use flockwork::behaviors::{Seek, Separation};
use flockwork::{ErrorKind, Scene, Simulation, Species, Target, Topology, World};

use crate::common::scenes::{variety, with_agents};

fn bytes_when_warm(scene: &Scene) -> (u64, Simulation) {
    let mut crowd = scene.build().unwrap();
    crowd.run(3).unwrap();
    let first = crowd.agents().id(0);
    crowd.slot_of(first).unwrap();
    (crowd.bytes() as u64, crowd)
}

#[test]
fn the_estimate_is_an_upper_limit_and_close() {
    let embedded = Scene::names().map(|name| (name, Scene::named(name).unwrap()));
    let embedded = embedded.map(|(name, scene)| (name.to_owned(), with_agents(scene, 17_000)));
    let varied = variety(17_000).into_iter().map(|(name, scene)| (name.to_string(), scene));
    for (name, mut scene) in embedded.chain(varied) {
        // `Simulation::bytes` does not include scattered scenery.
        scene.scatter = None;
        let (bytes, _) = bytes_when_warm(&scene);
        let estimated = scene.estimated_bytes();
        assert!(bytes <= estimated, "{name}: {bytes} bytes, estimated {estimated}");
        assert!(estimated <= 3 * bytes, "{name}: {bytes} bytes, estimated {estimated}");
    }
}

#[test]
fn the_estimate_is_never_below_what_a_crowd_takes() {
    let assert_enough = |scene: &Scene, threads: Option<usize>, context: &str| {
        let mut crowd = scene.build().unwrap();
        threads
            .into_iter()
            .for_each(|threads| crowd.set_execution(crowd.execution().threads(threads)).unwrap());
        crowd.run(2).unwrap();
        if let Some(id) = crowd.agents().ids().next() {
            crowd.slot_of(id).unwrap();
        }
        let (bytes, estimated) = (crowd.bytes() as u64, scene.estimated_bytes());
        assert!(bytes <= estimated, "{context}: {bytes} bytes, estimated {estimated}");
    };
    for agents in (1..10).chain([16, 17, 31, 64, 65, 255, 300, 513, 1_000]) {
        for (name, scene) in variety(agents) {
            let low = Scene { scatter: None, cell_size: Some(0.25), ..scene };
            let mut open = Scene { cell_size: None, heading_samples: Some(7), ..low.clone() };
            open.world.topology = Topology::Open;
            assert_enough(&low, None, &format!("{agents} agents, {name}"));
            assert_enough(&open, None, &format!("{agents} agents, {name}, open"));
        }
    }
    assert_enough(&Scene::new(World::torus(9.0, 9.0)), None, "nobody");
    let mut thin = Scene::new(World::bounded(1.0, 1.0e7));
    for k in 0..8_u8 {
        let one = Species::new(format!("s{k}"), 1_250).view_distance(0.01 * 2.0_f32.powi(k.into()));
        thin = thin.species(one.behavior(Separation::default()));
    }
    assert_enough(&thin, None, "eight groups in a thin world");
    let sharks = Species::new("shark", 32);
    let seek = Seek { target: Target::nearest("shark"), ..Seek::default() };
    let fish = Species::new("fish", 300).behavior(seek);
    let flat = Scene::new(World::bounded(1.0e7, 1.0e7).depth(1.0e-3)).species(sharks);
    assert_enough(&flat.species(fish), None, "sharks in a thin layer");
    let many = Scene::new(World::torus(2.0e3, 2.0e3)).species(Species::new("a", 40_000));
    assert_enough(&many, Some(1024), "1024 threads");
}

#[test]
fn more_memory_than_any_machine_has_is_refused_with_both_figures() {
    // 100 million agents that average 100 headings need about a terabyte.
    let crowd = Species::new("fish", 100_000_000)
        .own_target(flockwork::OwnTarget::Previous)
        .behavior(flockwork::behaviors::Seek {
            target: Target::Own,
            ..flockwork::behaviors::Seek::default()
        });
    let scene = Scene::new(World::torus(1.0e6, 1.0e6)).species(crowd).heading_samples(100);
    assert!(scene.estimated_bytes() > 100_000_000_000);
    scene.check().unwrap();
    let error = scene.build().unwrap_err();
    let ErrorKind::Memory { needed, available } = error.kind() else { panic!("{error}") };
    assert_eq!(*needed, scene.estimated_bytes());
    let said = error.to_string();
    assert!(said.starts_with(&format!("about {:.1} GB", *needed as f64 / 1.0e9)), "{said}");
    if cfg!(target_os = "linux") {
        let available = available.expect("Linux says it");
        assert!(available < *needed && said.ends_with("available"), "{said}");
    }
}

/// Regression: the estimate overflowed for scenes that `build` merely refuses.
#[test]
fn estimates_of_impossible_crowds_saturate() {
    let seek = Seek { target: Target::nearest("b"), ..Seek::default() };
    let rare = |agents: usize| Species::new("b", agents);
    let species = Species::new("a", usize::MAX).behavior(seek);
    let scene = Scene::new(World::torus(9.0, 9.0)).species(species);
    let crowded = scene.clone().species(rare(usize::MAX / 4)).species(rare(usize::MAX / 4));
    let smoothed = Scene { heading_samples: Some(u32::MAX), ..crowded.clone() };
    for scene in [scene, crowded, smoothed] {
        assert_eq!(scene.estimated_bytes(), u64::MAX);
        assert!(scene.build().is_err());
    }
}
