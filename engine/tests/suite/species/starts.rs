use std::collections::BTreeMap;
use std::f32::consts::TAU;

use flockwork::behaviors::Wander;
use flockwork::{Scene, Species, Start, World};

use crate::common::agents::position;
use crate::common::measures::assert_even;
use crate::common::snapshots::column;

const AGENTS: u32 = 2_000;

fn positions(start: Start) -> Vec<[f32; 2]> {
    let species = Species::new("s", AGENTS as usize).start(start);
    let simulation = Scene::new(World::torus(500.0, 400.0)).species(species).build().unwrap();
    (0..AGENTS).map(|index| position(&simulation, index)).collect()
}

#[test]
fn starts_in_a_circle_are_spread_evenly_over_its_area() {
    let from_center: Vec<[f32; 2]> = positions(Start::in_circle([250.0, 200.0], 100.0))
        .into_iter()
        .map(|[x, y]| [(x - 250.0) / 100.0, (y - 200.0) / 100.0])
        .collect();
    let areas: Vec<f32> = from_center.iter().map(|[x, y]| x * x + y * y).collect();
    assert_even("area within the distance", &areas);
    let turns: Vec<f32> = from_center.iter().map(|[x, y]| y.atan2(*x) / TAU + 0.5).collect();
    assert_even("direction", &turns);
}

#[test]
fn starts_in_clusters_are_spread_evenly_over_as_many_as_asked() {
    let mut clusters = BTreeMap::<[u32; 2], u32>::new();
    // Clusters of radius 0 consist of their centers alone.
    for position in positions(Start::in_clusters(20, 0.0)) {
        *clusters.entry(position.map(f32::to_bits)).or_default() += 1;
    }
    assert_eq!(clusters.len(), 20);
    assert!(clusters.values().all(|agents| (50..=150).contains(agents)), "{clusters:?}");
}

#[test]
fn starts_in_a_box_are_spread_evenly_over_its_area() {
    let positions = positions(Start::in_box([100.0, 50.0], [300.0, 150.0]));
    let shares = positions.iter().map(|[x, y]| [(x - 100.0) / 200.0, (y - 50.0) / 100.0]);
    let (x, y): (Vec<f32>, Vec<f32>) = shares.map(<(f32, f32)>::from).unzip();
    assert_even("x", &x);
    assert_even("y", &y);
    // x - y is uniform only if x and y are independent.
    let differences: Vec<f32> = x.iter().zip(&y).map(|(x, y)| (x - y).rem_euclid(1.0)).collect();
    assert_even("x - y", &differences);
}

#[test]
fn wander_targets_start_evenly_on_their_circle() {
    let species = Species::new("s", AGENTS as usize).behavior(Wander::default());
    let scene = Scene::new(World::torus(500.0, 400.0)).species(species);
    let snapshot = scene.build().unwrap().snapshot();
    let [x, y] = ["wander_x", "wander_y"].map(|memory| column(&snapshot, memory));
    let on_circle = |(x, y): (&f32, &f32)| (x.hypot(*y) - 1.2).abs() < 1.0e-5;
    assert!(x.iter().zip(&y).all(on_circle), "of radius 1.2");
    let turns: Vec<f32> = x.iter().zip(&y).map(|(x, y)| y.atan2(*x) / TAU + 0.5).collect();
    assert_even("direction", &turns);
}

fn positions_within(world: World, start: Start) -> Vec<[f32; 2]> {
    let species = Species::new("s", AGENTS as usize).start(start);
    let simulation = Scene::new(world).species(species).build().unwrap();
    (0..AGENTS).map(|index| position(&simulation, index)).collect()
}

fn distinct(positions: &[[f32; 2]]) -> usize {
    let bits = positions.iter().map(|position| position.map(f32::to_bits));
    bits.collect::<std::collections::BTreeSet<_>>().len()
}

#[test]
fn starts_wholly_outside_are_refused_by_field() {
    for (start, expected) in [
        (Start::in_box([-500.0; 2], [-400.0; 2]), "place.box.high[0] = -400.0: must be above 0"),
        (Start::in_box([-5.0, 9.0], [0.0, 20.0]), "place.box.high[0] = 0.0: must be above 0"),
        (
            Start::in_box([10.0, 400.0], [20.0, 401.0]),
            "place.box.low[1] = 400.0: must be below 400",
        ),
        (
            Start::in_circle([-80.0, -80.0], 100.0),
            "place.circle.center = [-80.0, -80.0]: must be inside the world, or closer to it than \
             the radius, 100",
        ),
        (Start::in_circle([600.0, 9.0], 100.0), "place.circle.center = [600.0, 9.0]"),
        (Start::in_circle([500.1, 9.0], 0.0), "place.circle.center = [500.1, 9.0]"),
    ] {
        let scene = |world, start| Scene::new(world).species(Species::new("s", 9).start(start));
        let bounded = scene(World::bounded(500.0, 400.0), start.clone());
        let refused = [bounded.check().unwrap_err(), bounded.build().unwrap_err()];
        for error in refused.map(|error| error.to_string()) {
            assert!(error.starts_with(&format!("species[0].start.{expected}")), "{error}");
            assert!(error.contains("the world is 500 × 400 world units"), "{error}");
        }
        // Other topologies have room for this start.
        scene(World::torus(500.0, 400.0), start.clone()).build().unwrap();
        scene(World::open(500.0, 400.0), start.clone()).build().unwrap();
        let text = bounded.to_toml();
        let error = Scene::parse(&text, "far.toml").and_then(|scene| scene.build()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");

        let mut running = scene(World::bounded(500.0, 400.0), Start::default()).build().unwrap();
        let before = running.snapshot().to_bytes();
        let error = running.set_species(&bounded.species[0]).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(running.snapshot().to_bytes(), before);
    }
    for at in [[0.0, 0.0], [500.0, 400.0], [0.0, 200.0]] {
        let start = Start::in_circle(at, 0.0);
        assert_eq!(positions_within(World::bounded(500.0, 400.0), start)[7], at);
    }
}

#[test]
fn starts_partly_outside_are_spread_evenly_over_what_is_inside() {
    let world = || World::bounded(500.0, 400.0);
    let of_box = positions_within(world(), Start::in_box([-300.0, 350.0], [100.0, 900.0]));
    let shares = of_box.iter().map(|[x, y]| (x / 100.0, (y - 350.0) / 50.0));
    let (x, y): (Vec<f32>, Vec<f32>) = shares.unzip();
    assert_even("x", &x);
    assert_even("y", &y);

    let quarter = positions_within(world(), Start::in_circle([500.0, 400.0], 100.0));
    let from_corner = quarter.iter().map(|[x, y]| [(500.0 - x) / 100.0, (400.0 - y) / 100.0]);
    let areas: Vec<f32> = from_corner.clone().map(|[x, y]| x * x + y * y).collect();
    assert_even("area within the distance", &areas);
    let turns: Vec<f32> = from_corner.map(|[x, y]| y.atan2(x) / (TAU / 4.0)).collect();
    assert_even("direction", &turns);

    // The cap of a circle whose center is beyond the left edge.
    let cap = positions_within(world(), Start::in_circle([-60.0, 200.0], 100.0));
    let area = |x: f32| {
        let u = f64::from(x) / 100.0 + 0.6;
        u * (1.0 - u * u).max(0.0).sqrt() + u.min(1.0).asin()
    };
    let share = |x: f32| ((area(x) - area(0.0)) / (area(40.0) - area(0.0))) as f32;
    let shares: Vec<f32> = cap.iter().map(|[x, _]| share(*x)).collect();
    assert_even("area of the cap", &shares);
    let half_chords = cap.iter().map(|[x, y]| {
        let half = (1.0e4 - (x + 60.0) * (x + 60.0)).sqrt();
        ((y - 200.0) / half + 1.0) / 2.0
    });
    assert_even("along the chord", &half_chords.collect::<Vec<_>>());

    let corner = positions_within(world(), Start::in_circle([-70.0, -70.0], 100.0));
    assert!(corner.iter().all(|[x, y]| (x + 70.0).hypot(y + 70.0) <= 100.01 && *x >= 0.0));

    for (name, all) in [("box", of_box), ("quarter", quarter), ("cap", cap), ("corner", corner)] {
        assert!(distinct(&all) > AGENTS as usize - 5, "{name}: {}", distinct(&all));
    }
}

#[test]
fn clusters_and_the_coordinate_limit_pile_no_agents_up() {
    let clusters = positions_within(World::bounded(500.0, 400.0), Start::in_clusters(9, 900.0));
    let at_edge = |[x, y]: &&[f32; 2]| *x == 0.0 || *y == 0.0 || *x == 500.0 || *y == 400.0;
    assert!(clusters.iter().filter(at_edge).count() < 3);
    let start = || Start::in_circle([9.9e6, -9.9e6], 1.0e6);
    let far = positions_within(World::open(100.0, 100.0), start());
    assert!(far.iter().all(|[x, y]| *x <= 1.0e7 && *y >= -1.0e7));
    assert!(distinct(&far) > AGENTS as usize - 5, "{}", distinct(&far));
    // On a torus, the circle continues at the opposite edge.
    let around = positions_within(World::torus(500.0, 400.0), Start::in_circle([0.0; 2], 50.0));
    assert!(around.iter().any(|[x, y]| *x > 450.0 && *y > 350.0));
}
