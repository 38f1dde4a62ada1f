//! Compares crowds in a horizontal plane of a world with depth to the same crowds in a flat world.

use flockwork::behaviors::{
    Alignment, Arrive, Cohesion, CollisionAvoidance, Cruise, Evade, Flee, FlockRules,
    FlowFollowing, Hide, HideInFlock, Interpose, LeaderFollowing, LookAhead, ObstacleAvoidance,
    OffsetPursuit, PathFollowing, Pursuit, Seek, Separation, StayOnPath, VelocityMatching,
    WallAvoidance,
};
use flockwork::{
    Behavior, Combine, FlowField, InSpace, Locomotion, Obstacle, Partition, Scene, Simulation,
    Species, Target, Vector, Wall, WaypointPath, World,
};

use crate::common::agents::ids;
use crate::common::scenes::flock;
use crate::common::space::lifted;

/// Height of the plane.
const HEIGHT: f32 = 0.5;

/// Builds a flat crowd and its twin in the plane, with agents at the same positions.
fn twins(scene: &Scene, depth: f32) -> [Simulation; 2] {
    let mut flat = scene.build().unwrap();
    let mut deep = lifted(scene.clone(), depth, || HEIGHT).build().unwrap();
    let ids = ids(&flat);
    let positions = flat.get_many(Vector::Position, &ids).unwrap();
    let velocities = flat.get_many(Vector::Velocity, &ids).unwrap();
    // Setting velocities turns the agents of both crowds to face along them.
    flat.set_many(Vector::Velocity, &ids, &velocities).unwrap();
    let at = |height: f32, plane: Vec<[f32; 2]>| -> Vec<[f32; 3]> {
        plane.into_iter().map(|[x, y]| [x, y, height]).collect()
    };
    deep.set_many(InSpace(Vector::Position), &ids, &at(HEIGHT, positions)).unwrap();
    deep.set_many(InSpace(Vector::Velocity), &ids, &at(0.0, velocities)).unwrap();
    [flat, deep]
}

/// The open world has layers at all heights. It is last, so that tests of one layer can skip it.
fn worlds() -> [World; 3] {
    [World::torus(200.0, 150.0), World::bounded(200.0, 150.0), World::open(200.0, 150.0)]
}

/// Behaviors that perform the same operations in flat worlds and in worlds with depth.
fn planar() -> Vec<Behavior> {
    let target = Target::member("shark", 0);
    let point: Target = [90.0, 70.0].into();
    vec![
        Separation::default().into(),
        Alignment::default().into(),
        Cohesion::default().into(),
        FlockRules::default().into(),
        VelocityMatching::default().into(),
        Cruise { weight: 3.0, speed: 40.0 }.into(),
        Seek { weight: 0.5, target: point.clone() }.into(),
        Flee { weight: 2.0, target: target.clone(), panic_distance: Some(60.0) }.into(),
        Arrive { weight: 0.5, target: point, ..Arrive::default() }.into(),
        Pursuit { weight: 0.5, evader: target.clone(), turnaround: 0.5 }.into(),
        Evade { weight: 2.0, pursuer: target.clone(), threat_range: Some(50.0) }.into(),
        Interpose { weight: 0.5, a: target.clone(), b: Target::nearest("shark") }.into(),
        HideInFlock { threat: target, ..HideInFlock::default() }.into(),
        PathFollowing { weight: 0.5, path: "round".into(), waypoint_distance: 10.0 }.into(),
        FlowFollowing { weight: 0.5, ..FlowFollowing::default() }.into(),
    ]
}

fn crowd(world: World, mut fish: Species) -> Scene {
    fish.name = "fish".into();
    let sharks = Species::new("shark", 3)
        .behavior(Pursuit { evader: Target::nearest("fish"), ..Pursuit::default() });
    let round = [[40.0, 30.0], [160.0, 40.0], [100.0, 120.0]];
    let mut scene = Scene::new(world).species(fish).species(sharks);
    scene.paths = vec![WaypointPath::new("round", round).closed()].into();
    scene.flow = Some(FlowField::new(2, [10.0, 130.0, 250.0, 300.0]).into());
    scene
}

#[test]
fn a_crowd_in_one_layer_has_the_bits_of_its_flat_twin() {
    for (number, behavior) in planar().into_iter().enumerate() {
        for world in &worlds()[..2] {
            let combine =
                [Combine::Prioritized, Combine::WeightedSum, Combine::Dithered][number % 3];
            let fish = Species::new("fish", 120).view_distance(25.0).combine(combine);
            let fish = fish.behavior(behavior.clone()).behavior(Separation::default());
            let scene = crowd(*world, Species { radius: 2.0.into(), ..fish });
            let [mut flat, mut deep] = twins(&scene, 3.0);
            for step in 0..20 {
                for crowd in [&mut flat, &mut deep] {
                    let partitions = [Partition::Cells, Partition::AllPairs];
                    let partition = partitions[step % 2];
                    crowd.set_execution(crowd.execution().partition(partition)).unwrap();
                    crowd.step().unwrap();
                }
                let context = format!("{}, {world:?}, step {step}", behavior.name());
                let bits = |column: &[f32]| column.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                let (a, b) = (flat.agents(), deep.agents());
                assert_eq!(a.index, b.index, "{context}");
                assert_eq!(bits(a.x), bits(b.x), "{context}");
                assert_eq!(bits(a.y), bits(b.y), "{context}");
                assert!(b.z.iter().all(|&z| z == HEIGHT), "{context}");
            }
        }
    }
}

/// In deeper worlds, agents have other slots, and the direction to an agent's side is computed
/// differently, so forces differ by rounding.
#[test]
fn a_crowd_in_a_plane_of_a_deep_world_steps_as_its_flat_twin_does() {
    let leader = || Target::member("shark", 0);
    let aside: Vec<Behavior> = vec![
        ObstacleAvoidance::default().into(),
        WallAvoidance::default().into(),
        LookAhead::default().into(),
        CollisionAvoidance::default().into(),
        OffsetPursuit { leader: leader(), abreast: 3, ..OffsetPursuit::default() }.into(),
        LeaderFollowing { leader: leader(), ..LeaderFollowing::default() }.into(),
        StayOnPath { path: "round".into(), ..StayOnPath::default() }.into(),
        Hide { hunter: leader(), ..Hide::default() }.into(),
    ];
    let locomotions = [
        Locomotion::PointMass,
        Locomotion::ConstantSpeed,
        Locomotion::CarLike { throttle: 90.0, brake: 50.0, steering: 70.0 },
    ];
    let (mut compared, mut apart) = (0, 0);
    for (number, behavior) in planar().into_iter().chain(aside).enumerate() {
        for (world, locomotion) in worlds().into_iter().zip(locomotions) {
            let fish = Species { locomotion, ..flock(120).view_distance(25.0) };
            let fish = Species { max_turn_rate: (number % 2 == 0).then_some(2.0), ..fish };
            // Wandering agents would leave the plane.
            let is_planar = |behavior: &Behavior| !matches!(behavior, Behavior::Wander(_));
            let mut fish = Species { radius: 3.0.into(), ..fish };
            fish.behaviors.retain(is_planar);
            fish.behaviors.insert(0, behavior.clone());
            let mut scene = crowd(world, fish);
            scene.obstacles =
                vec![Obstacle::new([60.0, 60.0], 12.0), Obstacle::new([150.0, 90.0], 20.0)].into();
            scene.walls = vec![Wall::new([[20.0, 100.0], [120.0, 120.0]]).two_sided()].into();
            let [mut flat, mut deep] = twins(&scene, 180.0);
            let margins: Vec<f64> =
                ids(&flat).iter().map(|&id| flat.reference_step(id).unwrap().margin).collect();
            let ids = ids(&flat);
            flat.step().unwrap();
            deep.step().unwrap();
            for (&id, margin) in ids.iter().zip(margins) {
                // Rounding may decide what an agent with such a small margin does.
                if margin < 1.0e-5 {
                    continue;
                }
                compared += 1;
                let [a, b] = [&flat, &deep].map(|crowd| crowd.agent(id).unwrap());
                let far = |a: [f32; 3], b: [f32; 3], limit: f32| {
                    (0..2).any(|axis| (a[axis] - b[axis]).abs() > limit)
                };
                assert_eq!((b.position[2], b.velocity[2]), (HEIGHT, 0.0), "{behavior:?}: {b:?}");
                // Limits: a millionth of the world, and of the largest velocity change in a step.
                if far(a.position, b.position, 2.0e-4) || far(a.velocity, b.velocity, 2.0e-3) {
                    apart += 1;
                    println!("{} {world:?}: {a:?} {b:?} {margin}", behavior.name());
                }
            }
        }
    }
    assert!(compared > 5_000 && apart == 0, "{apart} of {compared} differ");
}
