//! Compares the engine's routes with those that the `f64` reference solves independently.

use std::sync::Arc;

use flockwork::behaviors::FlowFollowing;
use flockwork::{Combine, Goal, Obstacle, Route, Scene, Species, Start, Topology, Wall, World};

use super::plans::Plan;
use crate::common::agents::ids;
use crate::common::rooms::Draw;

const RADIUS: f32 = 5.0;
/// A speed at which agents brake all along their route, so that forces reveal its length.
const SPEED: f32 = 1.0e3;

#[derive(Debug, Default)]
struct Compared {
    agents: usize,
    /// Agents that have a direction to go.
    on_their_way: usize,
    /// Agents whose force is decided by rounding.
    left_out: usize,
    off: Vec<String>,
}

/// Adds walkers at rest, anywhere in the scene's world.
fn with_walkers(scene: Scene, count: usize) -> Scene {
    let follow =
        FlowFollowing { weight: 1.0, route: Some("out".into()), ..FlowFollowing::default() };
    let walkers = Species {
        start: Start { speed: Some(0.0), ..Start::default() },
        ..Species::new("walker", count)
    };
    scene.species(
        walkers
            .radius(RADIUS)
            .view_distance(RADIUS)
            .max_speed(SPEED)
            .max_force(1.0e9)
            .combine(Combine::WeightedSum)
            .behavior(follow),
    )
}

/// Largest allowed difference between two forces, relative to the force. A position in cells is off
/// by 3 roundings at the number of cells from the origin, and the direction by twice as much on
/// each axis. Everything else adds a few roundings.
fn allowed(cells: f32) -> f64 {
    f64::from(f32::EPSILON) * (6.0 * f64::from(cells) + 8.0)
}

fn compare(scene: &Scene, cells: f32, context: &str, total: &mut Compared) {
    let crowd = scene.build().unwrap();
    for (id, force) in ids(&crowd).into_iter().zip(crowd.forces()) {
        let expected = crowd.reference_step(id).unwrap();
        total.agents += 1;
        if expected.margin < 1.0e-6 {
            total.left_out += 1;
            continue;
        }
        let [x, y, _] = expected.force;
        total.on_their_way += usize::from(x != 0.0 || y != 0.0);
        let off = (f64::from(force[0]) - x).hypot(f64::from(force[1]) - y);
        let scale = x.hypot(y).max(10.0 * f64::from(RADIUS));
        if off > allowed(cells) * scale {
            let at = crowd.agent(id).unwrap().position;
            let expected = [x, y];
            total.off.push(format!("{context}: {force:?} instead of {expected:?} at {at:?}"));
        }
    }
}

/// Walls that cross the seam and each other, chains of walls, disks, and goals of all kinds, some
/// of them in narrow places.
fn random_scene(seed: u64) -> Option<(Scene, f32)> {
    let mut draw = Draw::new(seed);
    let topology = [Topology::Torus, Topology::Bounded, Topology::Open][draw.below(3)];
    let size = [draw.between(20.0, 200.0), draw.between(20.0, 150.0)];
    let cell = draw.between(0.35, 0.7) * RADIUS;
    let mut at = || [draw.between(0.0, size[0]), draw.between(0.0, size[1])];
    let mut scene = Scene::new(World { topology, ..World::torus(size[0], size[1]) }).seed(seed);
    let goal = match seed % 5 {
        0 => Goal::line(at(), at()),
        1 => {
            let ([a, b], [c, d]) = (at(), at());
            Goal::area([a.min(c), b.min(d)], [a.max(c), b.max(d)])
        }
        2 => Goal::from(vec![at().into(), Goal::line(at(), at()), at().into()]),
        _ => at().into(),
    };
    for k in 0..seed % 7 {
        let (from, to) = (at(), at());
        let between = |share: f32| [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]));
        let wall = match k % 3 {
            0 => Wall::new([from, between(0.4)]).two_sided(),
            1 => Wall::new([from, between(0.3), at()]),
            _ => Wall::new([from, [from[0], to[1]]]),
        };
        scene = scene.wall(wall);
    }
    for _ in 0..seed % 4 {
        let center = at();
        scene = scene.obstacle(Obstacle::new(center, (center[0] * 7.0) % 25.0));
    }
    let longest = size[0].max(size[1]) + if topology == Topology::Open { 100.0 } else { 0.0 };
    let scene = with_walkers(scene.route(Route::new("out", goal).radius(RADIUS).cell(cell)), 150);
    scene.check().is_ok().then_some((scene, longest / cell))
}

fn assert_agree(cases: impl Iterator<Item = (Scene, f32, String)>) {
    let mut total = Compared::default();
    cases.for_each(|(scene, cells, context)| compare(&scene, cells, &context, &mut total));
    let Compared { agents, on_their_way, left_out, off } = total;
    println!("{agents} agents, {on_their_way} on their way, {left_out} left out");
    assert!(off.is_empty(), "{} are off:\n{}", off.len(), off.join("\n"));
    assert!(on_their_way * 2 > agents && left_out * 8 < agents);
}

#[test]
fn routes_in_rooms_are_those_of_the_reference() {
    assert_agree((0..80).filter_map(|seed| {
        let plan = Plan::random(seed, RADIUS.into());
        let goal = plan.goal.map(|along| along as f32);
        let scene = plan.scene().solid(false).route(Route::new("out", goal).cell(3.0));
        let scene = with_walkers(scene, 150);
        scene.check().is_ok().then_some((scene, 130.0, format!("room {seed}")))
    }));
}

#[test]
fn routes_in_all_worlds_to_all_kinds_of_goals_are_those_of_the_reference() {
    let scenes = (0..200).filter_map(|seed| Some((seed, random_scene(seed)?)));
    assert_agree(scenes.map(|(seed, (scene, cells))| (scene, cells, format!("scene {seed}"))));
}

/// The search for narrow passages used to compare each solid only with the nearest one before it in
/// the list.
#[test]
fn the_order_of_scenery_does_not_change_routes() {
    for (scene, _) in (0..100).filter_map(random_scene) {
        let mut other = scene.clone();
        Arc::make_mut(&mut other.walls).reverse();
        Arc::make_mut(&mut other.obstacles).reverse();
        let [crowd, other] = [scene, other].map(|scene| scene.build().unwrap());
        for [x, y] in crowd.agents().x.iter().zip(crowd.agents().y).map(|(x, y)| [*x, *y]) {
            let [a, b] = [&crowd, &other].map(|one| one.route_distance("out", [x, y]).unwrap());
            assert!(a == b || (a - b).abs() < 1.0e-3, "{a}, {b}: {}", crowd.scene().to_toml());
        }
    }
}
