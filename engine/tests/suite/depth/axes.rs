//! Space has no preferred axis: exchanging a scene's axes exchanges the axes of its forces.

use flockwork::behaviors::{
    Alignment, Arrive, Cohesion, CollisionAvoidance, Containment, Cruise, Evade, Flee, FlockRules,
    Hide, HideInFlock, Interpose, LeaderFollowing, LookAhead, ObstacleAvoidance, PathFollowing,
    Pursuit, Seek, Separation, StayOnPath, VelocityMatching,
};
use flockwork::{
    Behavior, InSpace, Obstacle, Scene, Simulation, Species, Target, Topology, Vector,
    WaypointPath, World,
};

use crate::common::agents::ids;
use crate::common::space::{each_point, in_space};

fn exchanged([x, y, z]: [f32; 3]) -> [f32; 3] {
    [y, z, x]
}

/// The same crowd with its axes exchanged.
fn turned(crowd: &Simulation) -> Simulation {
    let mut scene = crowd.scene().clone();
    let World { width, height, depth, .. } = scene.world;
    scene.world = World { width: height, height: depth, depth: width, ..scene.world };
    each_point(&mut scene, |point| {
        *point = exchanged([point[0], point[1], point[2]]).into();
    });
    let mut turned = scene.build().unwrap();
    let ids = ids(crowd);
    for vector in [Vector::Position, Vector::Velocity].map(InSpace) {
        let values = crowd.get_many(vector, &ids).unwrap().into_iter().map(exchanged);
        turned.set_many(vector, &ids, &values.collect::<Vec<_>>()).unwrap();
    }
    turned
}

#[test]
fn forces_turn_with_the_axes_of_the_world() {
    let target = Target::member("shark", 0);
    let point: Target = [90.0, 70.0].into();
    let behaviors: Vec<Behavior> = vec![
        Separation::default().into(),
        Alignment::default().into(),
        Cohesion::default().into(),
        FlockRules::default().into(),
        VelocityMatching::default().into(),
        CollisionAvoidance::default().into(),
        Cruise { weight: 3.0, speed: 40.0 }.into(),
        Seek { weight: 3.0, target: point.clone() }.into(),
        Flee { weight: 3.0, target: target.clone(), panic_distance: Some(60.0) }.into(),
        Arrive { weight: 3.0, target: point, ..Arrive::default() }.into(),
        Pursuit { weight: 3.0, evader: target.clone(), turnaround: 0.5 }.into(),
        Evade { weight: 3.0, pursuer: target.clone(), threat_range: Some(50.0) }.into(),
        Interpose { weight: 3.0, a: target.clone(), b: Target::nearest("shark") }.into(),
        Hide { hunter: target.clone(), ..Hide::default() }.into(),
        HideInFlock { threat: target.clone(), ..HideInFlock::default() }.into(),
        LeaderFollowing { leader: target, ..LeaderFollowing::default() }.into(),
        PathFollowing { path: "round".into(), ..PathFollowing::default() }.into(),
        StayOnPath { path: "round".into(), ..StayOnPath::default() }.into(),
        ObstacleAvoidance::default().into(),
        LookAhead::default().into(),
        Containment { margin: 15.0, ..Containment::default() }.into(),
    ];
    let topologies = [Topology::Torus, Topology::Bounded, Topology::Open];
    for behavior in behaviors {
        let (mut compared, mut acting) = (0, 0);
        for topology in topologies {
            if topology == Topology::Torus && matches!(behavior, Behavior::Containment(_)) {
                continue;
            }
            let fish = Species::new("fish", 150).view_distance(30.0).field_of_view(250.0);
            let fish = Species { radius: 2.0.into(), ..fish.behavior(behavior.clone()) };
            let world = World { topology, ..World::torus(160.0, 130.0) };
            let mut scene = Scene::new(world).species(fish).species(Species::new("shark", 3));
            scene.obstacles =
                vec![Obstacle::new([60.0, 60.0], 25.0), Obstacle::new([120.0, 40.0], 30.0)].into();
            let round = [[40.0, 30.0], [130.0, 40.0], [100.0, 110.0]];
            scene.paths = vec![WaypointPath::new("round", round).closed()].into();
            let crowd = in_space(scene, 100.0).build().unwrap();
            let turned = turned(&crowd);
            for id in ids(&crowd) {
                if crowd.reference_step(id).unwrap().margin < 1.0e-4 {
                    continue;
                }
                let expected = exchanged(crowd.explain(id).unwrap().force);
                let found = turned.explain(id).unwrap().force;
                let off = (0..3).map(|axis| (found[axis] - expected[axis]).abs());
                let off = off.fold(0.0, f32::max);
                // The tolerance is 1e-4 of the maximum force, 400.
                assert!(off < 0.04, "{behavior:?}, {topology:?}: {found:?}, not {expected:?}");
                compared += 1;
                acting += i32::from(found != [0.0; 3]);
            }
        }
        let name = behavior.name();
        assert!(compared > 250 && acting > 10, "{name}: {acting} of {compared} act");
    }
}
