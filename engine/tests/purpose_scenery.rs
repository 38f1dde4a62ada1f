//! Behaviors that read the static world reach their purpose.

mod common;

use common::{distance, distance_to_line, flock, id, one, position, speed};
use flockwork::{
    Containment, Feelers, FlowField, FlowFollowing, LookAhead, Obstacle, ObstacleAvoidance, Path,
    PathFollowing, Scatter, Scattered, Scene, Simulation, Species, Start, StartPlace, StayOnPath,
    Wall, WallAvoidance, Wander, World,
};

/// A weight below mass / dt, which does not chatter.
const CALM: f32 = 30.0;

const WAYPOINTS: [[f32; 2]; 5] =
    [[200.0, 0.0], [300.0, 200.0], [100.0, 300.0], [400.0, 400.0], [0.0, 500.0]];

fn open(species: Species) -> Scene {
    Scene::new(World::open(1_000.0, 1_000.0)).species(species)
}

fn follower(closed: bool) -> Simulation {
    let following = PathFollowing { weight: CALM, path: "way".into(), waypoint_distance: 20.0 };
    let mut scene = open(one("agent", [0.0, 0.0], 0.0).steer(following));
    scene.paths.push(Path { name: "way".into(), points: WAYPOINTS.to_vec(), closed });
    scene.build().unwrap()
}

/// The waypoints that agent 0 comes within 20 units of, in order, each once per visit.
fn visited(simulation: &mut Simulation, steps: usize) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    for _ in 0..steps {
        simulation.step().unwrap();
        let at = position(simulation, 0);
        let near = WAYPOINTS.iter().position(|&point| distance(point, at) < 20.0);
        order.extend(near.filter(|waypoint| order.last() != Some(waypoint)));
    }
    order
}

#[test]
fn an_open_path_is_followed_in_order_and_ends_at_rest_on_its_last_waypoint() {
    let mut simulation = follower(false);
    assert_eq!(visited(&mut simulation, 2_000), [0, 1, 2, 3, 4]);
    assert!(distance(position(&simulation, 0), WAYPOINTS[4]) < 0.1);
    assert!(speed(&simulation, 0) < 0.1);
}

#[test]
fn a_closed_path_is_followed_round_and_round() {
    let order = visited(&mut follower(true), 4_000);
    assert!(order.len() > 10, "two rounds and more: {order:?}");
    assert!(order.iter().enumerate().all(|(k, &waypoint)| waypoint == k % 5), "{order:?}");
}

#[test]
fn staying_on_a_path_keeps_wanderers_in_the_tube() {
    let run = |stays: bool| {
        let stay =
            StayOnPath { weight: 200.0, path: "way".into(), radius: 30.0, ..StayOnPath::default() };
        let place = StartPlace::Circle { center: [200.0, 0.0], radius: 20.0 };
        let start = Start { place, ..Start::default() };
        let mut species = Species { start, ..Species::new("agents", 50).max_speed(60.0) };
        if stays {
            species = species.steer(stay);
        }
        let mut scene = open(species.steer(Wander { weight: 20.0, ..Wander::default() }));
        let path = Path { name: "way".into(), points: WAYPOINTS.to_vec(), closed: true };
        scene.paths.push(path);
        let mut simulation = scene.build().unwrap();
        let off_path = |at: [f32; 2]| {
            let legs = (0..5).map(|k| [WAYPOINTS[k], WAYPOINTS[(k + 1) % 5]]);
            legs.map(|leg| distance_to_line(at, leg)).fold(f32::MAX, f32::min)
        };
        simulation.run(300).unwrap();
        let (mut outside, mut furthest) = (0_u32, 0.0_f32);
        for _ in 0..1_800 {
            simulation.step().unwrap();
            for agent in 0..50 {
                let off = off_path(position(&simulation, agent));
                outside += u32::from(off > 30.0);
                furthest = furthest.max(off);
            }
        }
        (f64::from(outside) / (50.0 * 1_800.0), furthest)
    };
    let (rate, furthest) = run(true);
    assert!(rate < 0.01 && furthest < 45.0, "{rate} of agent-steps outside, up to {furthest}");
    let (lost, _) = run(false);
    assert!(lost > 0.5, "without it they get lost: {lost}");
}

#[test]
fn flow_following_follows_a_vortex() {
    // Counterclockwise round the middle of a box; the mean cosine to the way round.
    let (columns, side) = (16_u32, 800.0_f32);
    let round = |x: f32, y: f32| (y - side / 2.0).atan2(x - side / 2.0).to_degrees() + 90.0;
    let middle = |cell: u32| (cell as f32 + 0.5) * side / columns as f32;
    let cells = (0..columns).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let degrees = cells.map(|(column, row)| round(middle(column), middle(row)));
    let flow = FlowField { columns, degrees: degrees.collect() };
    let species = Species::new("leaves", 200).max_speed(40.0).steer(FlowFollowing { weight: CALM });
    let scene = Scene::new(World::bounded(side, side)).species(species);
    let mut simulation = Scene { flow: Some(flow), ..scene }.build().unwrap();
    simulation.run(120).unwrap();
    for agent in 0..200 {
        let state = simulation.agent(id(agent)).unwrap();
        let [x, y] = state.position;
        let radius = distance([x, y], [side / 2.0, side / 2.0]);
        if !(60.0..side / 2.0 - 25.0).contains(&radius) {
            continue; // Next to the eye, cells are too coarse to turn with; edges stop agents.
        }
        let angle = round(x, y).to_radians();
        let along = state.heading[0] * angle.cos() + state.heading[1] * angle.sin();
        assert!(along > 0.95, "{along} at {x}, {y}");
        assert!(speed(&simulation, agent) > 35.0, "nearly at full speed");
    }
}

/// The share of 200 wanderers that ever leave a closed room within a minute.
fn escape_rate(avoidance: Option<WallAvoidance>, speed: f32) -> f64 {
    let place = StartPlace::Box { low: [100.0, 100.0], high: [500.0, 400.0] };
    let mut species = Species {
        start: Start { place, ..Start::default() },
        ..Species::new("agents", 200).max_speed(speed)
    };
    species.behaviors.extend(avoidance.map(Into::into));
    let mut scene = open(species.steer(Wander { weight: 40.0, ..Wander::default() }));
    let points = vec![[0.0, 0.0], [600.0, 0.0], [600.0, 300.0], [500.0, 500.0], [0.0, 500.0]];
    let room = points.clone();
    scene.walls.push(Wall { points, closed: true, two_sided: false });
    let mut simulation = scene.build().unwrap();
    let outside = |[x, y]: [f32; 2]| {
        (0..5).any(|k| {
            let ([ax, ay], [bx, by]) = (room[k], room[(k + 1) % 5]);
            (bx - ax) * (y - ay) < (by - ay) * (x - ax)
        })
    };
    let mut escaped = vec![false; 200];
    for _ in 0..3_600 {
        simulation.step().unwrap();
        for (agent, escaped) in (0..).zip(&mut escaped) {
            *escaped |= outside(position(&simulation, agent));
        }
    }
    escaped.iter().filter(|&&escaped| escaped).count() as f64 / 200.0
}

#[test]
fn wall_avoidance_keeps_wanderers_in_a_closed_room_with_either_kind_of_feelers() {
    let alone = escape_rate(None, 100.0);
    assert!(alone > 0.9, "without it nearly all get out: {alone}");
    for feelers in [Feelers::Three, Feelers::Sweeping] {
        let avoidance = || Some(WallAvoidance { feelers, ..WallAvoidance::default() });
        let rate = escape_rate(avoidance(), 100.0);
        assert!(rate <= 0.01, "{rate} got out, {feelers:?}");
    }
    // At the book's speed the way to a stop, 28 units, is as long as the feelers aside reach.
    let fast = escape_rate(Some(WallAvoidance::default()), 150.0);
    assert!(fast <= 0.2, "{fast} got out at full speed");
}

/// The share of agent-steps inside an obstacle, in a field of them.
fn inside_rate(avoidance: impl FnOnce(Species) -> Species) -> f64 {
    let list = Scattered { count: 60, size: [10.0, 30.0], gap: 20.0, ..Scattered::default() };
    let scatter = Scatter { obstacles: Some(list), walls: None };
    let species = avoidance(Species::new("agents", 200).max_speed(100.0));
    let species = species.steer(Wander { weight: 40.0, ..Wander::default() });
    let scene = Scene::new(World::torus(1_000.0, 800.0)).species(species);
    let mut simulation = Scene { scatter: Some(scatter), ..scene }.build().unwrap();
    let obstacles: Vec<Obstacle> = simulation.obstacles().collect();
    assert_eq!(obstacles.len(), 60);
    // Those that start inside have 5 s to get out.
    simulation.run(300).unwrap();
    let mut inside = 0_u32;
    for _ in 0..1_200 {
        simulation.step().unwrap();
        let agents = simulation.agents();
        for (&x, &y) in agents.x.iter().zip(agents.y) {
            let hit = |o: &Obstacle| distance(o.center, [x, y]) < o.radius;
            inside += u32::from(obstacles.iter().any(hit));
        }
    }
    f64::from(inside) / (200.0 * 1_200.0)
}

#[test]
fn avoiding_obstacles_keeps_a_crowd_out_of_them() {
    let idle = inside_rate(|species| species);
    assert!(idle > 0.05, "the field is crowded: {idle}");
    let boxes = inside_rate(|species| species.steer(ObstacleAvoidance::default()));
    assert!(boxes < 0.01 && boxes < idle / 10.0, "detection box: {boxes} against {idle}");
    let look = inside_rate(|species| species.steer(LookAhead::default()));
    // The line ahead is thin, so agents graze what they pass.
    assert!(look < 0.03 && look < idle / 5.0, "look-ahead: {look} against {idle}");
}

#[test]
fn containment_keeps_agents_inside() {
    let outside = |containment: Option<Containment>| {
        let mut species = Species::new("agents", 200).max_speed(100.0);
        species.behaviors.extend(containment.map(Into::into));
        let species = species.steer(Wander::default());
        let scene = Scene::new(World::open(600.0, 400.0)).species(species);
        let mut simulation = scene.build().unwrap();
        simulation.run(120).unwrap();
        let (mut outside, mut deepest) = (0_u32, 0.0_f32);
        for _ in 0..1_800 {
            simulation.step().unwrap();
            let agents = simulation.agents();
            for (&x, &y) in agents.x.iter().zip(agents.y) {
                let depth = (-x).max(x - 600.0).max(-y).max(y - 400.0);
                outside += u32::from(depth > 0.0);
                deepest = deepest.max(depth);
            }
        }
        (f64::from(outside) / (200.0 * 1_800.0), deepest)
    };
    let (lost, _) = outside(None);
    assert!(lost > 0.8, "without it they run away: {lost}");
    // A margin gives the force, which grows with depth, room to become strong enough.
    let (rate, deepest) = outside(Some(Containment { margin: 30.0, ..Containment::default() }));
    assert!(rate < 0.001 && deepest < 1.0, "{rate} of agent-steps outside, {deepest} deep");
    // Without one, agents that wander at full force are pushed back from outside: 22 units deep
    // here.
    let (_, deepest) = outside(Some(Containment::default()));
    assert!(deepest < 30.0, "{deepest}");
}

#[test]
fn ten_thousand_obstacles_far_away_change_nothing() {
    let run = |far: u16| {
        let species = flock(300)
            .steer(ObstacleAvoidance::default())
            .steer(LookAhead::default())
            .max_speed(100.0);
        let mut scene = Scene::new(World::bounded(500.0, 400.0)).species(species);
        scene.obstacles = vec![Obstacle { center: [250.0, 200.0], radius: 40.0 }];
        let spread = (0..far).map(|k| Obstacle {
            center: [f32::from(k % 100) * 30.0 + 2_000.0, f32::from(k / 100) * 30.0 - 1_000.0],
            radius: 12.0,
        });
        scene.obstacles.extend(spread);
        let mut simulation = scene.build().unwrap();
        simulation.run(200).unwrap();
        (0..300).map(|agent| simulation.agent(id(agent)).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(run(0), run(10_000));
}
