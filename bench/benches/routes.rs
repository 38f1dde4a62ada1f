//! Measures the time to solve a route, per cell, and the time to follow it, compared with a painted
//! flow field.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flockwork::behaviors::FlowFollowing;
use flockwork::{FlowField, Method, Obstacle, Route, Scene, Simulation, Species, Wall, World};

mod common;

const SIDES: [f32; 2] = [1_000.0, 600.0];
const RADIUS: f32 = 2.5;
/// The goal alternates between these two places.
const GOALS: [[f32; 2]; 2] = [[900.0, 100.0], [900.0, 110.0]];
/// A place behind the wall with the door.
const FAR: [f32; 2] = [100.0, 100.0];

/// Two rooms with a door, and a pillar in each.
fn rooms(agents: usize, follow: FlowFollowing) -> Scene {
    let walker = Species::new("walker", agents).radius(RADIUS).max_speed(50.0).behavior(follow);
    let door = |from: f32, to: f32| Wall::new([[500.0, from], [500.0, to]]).two_sided();
    Scene::new(World::bounded(SIDES[0], SIDES[1]))
        .wall(door(0.0, 400.0))
        .wall(door(420.0, SIDES[1]))
        .obstacle(Obstacle::new([250.0, 300.0], 80.0))
        .obstacle(Obstacle::new([750.0, 300.0], 80.0))
        .point("goal", GOALS[0])
        .route(Route::new("out", "goal").radius(RADIUS))
        .named_flow("painted", FlowField { columns: 100, degrees: vec![30.0; 6_000] })
        .species(walker)
}

fn along_route() -> FlowFollowing {
    FlowFollowing { route: Some("out".into()), ..FlowFollowing::default() }
}

/// Moves the goal, solves the route to it, and returns the distance from `FAR` along the route.
fn solve(crowd: &mut Simulation, to: [f32; 2]) -> f32 {
    crowd.set_point("goal", to).expect("a goal inside a room");
    crowd.step().expect("a valid step");
    crowd.route_distance("out", FAR).expect("a way through the door")
}

fn solving(criterion: &mut Criterion) {
    let mut group = common::group(criterion, "routes");
    let mut crowd = rooms(1, along_route()).build().expect("the scene is in range");
    let expected = GOALS.map(|goal| solve(&mut crowd, goal));
    assert!(expected[0] > expected[1] && expected[1] > 860.0, "{expected:?}");
    let cells = SIDES.map(|side| (side / (0.7 * RADIUS)).ceil() as u64);
    group.throughput(Throughput::Elements(cells[0] * cells[1]));
    group.bench_function("solve", |bencher| {
        let mut turn = 0;
        bencher.iter(|| {
            turn = 1 - turn;
            assert_eq!(solve(&mut crowd, GOALS[turn]).to_bits(), expected[turn].to_bits());
        });
    });
    group.finish();
}

fn following(criterion: &mut Criterion) {
    const AGENTS: usize = 10_000;
    let mut group = common::group(criterion, "routes");
    group.throughput(Throughput::Elements(AGENTS as u64));
    let painted = FlowFollowing { flow: Some("painted".into()), ..FlowFollowing::default() };
    for (name, follow) in [("follow a painted field", painted), ("follow a route", along_route())] {
        let scene = rooms(AGENTS, follow);
        let mut crowd = common::warm(&scene, Method::default(), 1);
        let slower = common::warm(&scene, Method::Scalar, 1);
        common::agree(name, [&crowd, &slower]);
        let id = BenchmarkId::from_parameter(name);
        common::time_steps(&mut group, id, &mut crowd, |_, whole| whole);
    }
    group.finish();
}

criterion_group!(benches, solving, following);
criterion_main!(benches);
