use flockwork::behaviors::{
    Alignment, Arrive, Cohesion, Containment, Deceleration, Evade, Flee, Hide, Interpose,
    LeaderFollowing, LookAhead, Neighborhood, ObstacleAvoidance, OffsetPursuit, PathFollowing,
    Pursuit, Seek, Separation, WallAvoidance, Wander,
};
use flockwork::{Combine, OwnTarget, Scattered, Scene, Species, Start, Target, Wall, WaypointPath};

use super::flocks::flocking;
use super::{bounded, first, torus};

pub(super) fn arrive() -> Scene {
    let lane = |name, y: f32, target, deceleration| {
        Species::new(name, 6)
            .radius(6.0)
            .start(Start::in_box([60.0, y - 40.0], [120.0, y + 40.0]).heading(0.0))
            .behavior(Arrive {
                weight: 4.0,
                target: Target::named(target),
                deceleration,
                ..Arrive::default()
            })
    };
    bounded("arrive", "Three ways to stop: fast, normal and slow. Click to send a group elsewhere.")
        .point("upper", [850.0, 480.0])
        .point("middle", [850.0, 300.0])
        .point("lower", [850.0, 120.0])
        .species(lane("fast", 480.0, "upper", Deceleration::Fast))
        .species(lane("normal", 300.0, "middle", Deceleration::Normal))
        .species(lane("slow", 120.0, "lower", Deceleration::Slow))
}

pub(super) fn seek() -> Scene {
    let seeker = Species::new("seeker", 80)
        .max_speed([90.0, 150.0])
        .radius(5.0)
        .start(Start::in_circle([150.0, 150.0], 120.0))
        .behavior(Separation { weight: 1000.0, ..Separation::default() })
        .behavior(Seek { target: Target::named("crosshair"), ..Seek::default() });
    torus("seek", "A swarm seeks a point: it overshoots and comes back.")
        .point("crosshair", [500.0, 300.0])
        .species(seeker)
}

pub(super) fn flee() -> Scene {
    let shy = Species::new("shy", 150)
        .max_speed(120.0)
        .radius(4.0)
        .start(Start::in_circle([500.0, 300.0], 180.0).speed(0.2))
        .behavior(Flee {
            target: Target::named("crosshair"),
            panic_distance: Some(160.0),
            ..Flee::default()
        })
        .behavior(Wander::default());
    torus("flee", "Wanderers that leave the crosshair alone: they flee within its panic distance.")
        .point("crosshair", [500.0, 300.0])
        .species(shy)
}

pub(super) fn zombies() -> Scene {
    let zombie = Species::new("zombie", 150)
        .view_distance(20.0)
        .max_speed([30.0, 90.0])
        .max_force(300.0)
        .radius(5.0)
        .start(Start::in_circle([150.0, 300.0], 130.0))
        .combine(Combine::WeightedSum)
        .behavior(LookAhead { weight: 1.0, max_see_ahead: 50.0, max_avoid_force: 300.0 })
        .behavior(Separation { weight: 800.0, ..Separation::default() })
        .behavior(Seek { weight: 1.0, target: Target::named("cursor") });
    bounded("zombies", "A horde of different speeds after the cursor, around obstacles.")
        .non_penetration(2)
        .point("cursor", [800.0, 300.0])
        .scatter_obstacles(Scattered::new(14).size([14.0, 36.0]).gap(60.0))
        .species(zombie)
}

pub(super) fn pursuit() -> Scene {
    let runner = |name, y| {
        Species::new(name, 6)
            .max_speed(140.0)
            .radius(6.0)
            .start(Start::in_circle([150.0, y], 60.0))
            .behavior(Separation { weight: 1000.0, ..Separation::default() })
    };
    let pursuit = Pursuit { evader: first("evader"), turnaround: 0.5, ..Pursuit::default() };
    let evader = Species::new("evader", 1)
        .max_speed(120.0)
        .radius(9.0)
        .start(Start::in_circle([420.0, 300.0], 1.0).heading(20.0))
        .behavior(Wander { weight: 20.0, ..Wander::default() });
    torus("pursuit", "Pursuers that cut the corner where seekers run behind a wanderer.")
        .species(runner("pursuer", 480.0).behavior(pursuit))
        .species(
            runner("seeker", 120.0).behavior(Seek { target: first("evader"), ..Seek::default() }),
        )
        .species(evader)
}

pub(super) fn evade() -> Scene {
    let evader = Species::new("evader", 120)
        .max_speed(120.0)
        .radius(4.0)
        .behavior(Evade { pursuer: first("hunter"), threat_range: Some(170.0), ..Evade::default() })
        .behavior(Wander::default());
    let hunter = Species::new("hunter", 1)
        .max_speed(90.0)
        .radius(12.0)
        .start(Start::in_circle([500.0, 300.0], 1.0))
        .behavior(Pursuit { evader: first("evader"), ..Pursuit::default() });
    torus(
        "evade",
        "A crowd that evades a slower hunter: it moves away from where the hunter will be.",
    )
    .species(evader)
    .species(hunter)
}

pub(super) fn sharks() -> Scene {
    let fish = Species::new("fish", 300)
        .max_speed(120.0)
        .radius(3.0)
        .view_distance(60.0)
        .max_turn_rate(6.0)
        .behavior(Evade { pursuer: Target::nearest("shark"), ..Evade::default() });
    let fish = flocking(fish, [200.0, 200.0, 40.0], &Neighborhood::of(["fish"]))
        .behavior(Wander::default());
    let shark = Species::new("shark", 3)
        .max_speed(90.0)
        .radius(10.0)
        .view_distance(120.0)
        .max_turn_rate(3.0)
        .behavior(Separation::default())
        .behavior(Pursuit { evader: Target::nearest("fish"), ..Pursuit::default() })
        .behavior(Wander::default());
    torus(
        "sharks",
        "A shoal wary of three sharks: each fish evades the nearest shark, each shark pursues the \
         nearest fish.",
    )
    .species(fish)
    .species(shark)
}

pub(super) fn hide() -> Scene {
    let prey = Species::new("prey", 12)
        .max_speed(140.0)
        .radius(5.0)
        .behavior(Separation { weight: 400.0, ..Separation::default() })
        .behavior(ObstacleAvoidance::default())
        .behavior(Hide { hunter: first("hunter"), ..Hide::default() });
    let hunter = Species::new("hunter", 1)
        .max_speed(70.0)
        .radius(10.0)
        .start(Start::in_circle([500.0, 300.0], 10.0))
        .behavior(ObstacleAvoidance::default())
        .behavior(Wander::default());
    torus("hide", "Prey that keeps an obstacle between itself and a hunter.")
        .scatter_obstacles(Scattered::new(12).size([16.0, 34.0]).gap(70.0))
        .species(prey)
        .species(hunter)
}

pub(super) fn interpose() -> Scene {
    let between = |name, b| {
        Species::new(name, 1).radius(9.0).behavior(Interpose {
            a: first("wanderer"),
            b,
            ..Interpose::default()
        })
    };
    let wanderer = Species::new("wanderer", 2)
        .max_speed(80.0)
        .radius(7.0)
        .start(Start::in_box([250.0, 150.0], [750.0, 400.0]))
        .behavior(Containment::default())
        .behavior(Wander::default());
    bounded(
        "interpose",
        "One bodyguard stays between two wanderers, another between one of them and a post.",
    )
    .point("post", [500.0, 520.0])
    .species(between("bodyguard", Target::member("wanderer", 1)))
    .species(between("guard", Target::named("post")))
    .species(wanderer)
}

pub(super) fn leader() -> Scene {
    let follower = Species::new("follower", 40)
        .radius(5.0)
        .start(Start::in_circle([300.0, 300.0], 150.0))
        .own_target(OwnTarget::SingleFile("leader".into()))
        .behavior(Separation { weight: 100.0, ..Separation::default() })
        .behavior(OffsetPursuit {
            leader: Target::Own,
            offset: [-16.0, 0.0],
            ..OffsetPursuit::default()
        });
    let leader = Species::new("leader", 1)
        .max_speed(80.0)
        .max_turn_rate(1.5)
        .radius(9.0)
        .start(Start::in_circle([500.0, 300.0], 1.0))
        .behavior(Wander::default());
    torus("leader", "Single file: each agent follows the previous one, and the first wanders.")
        .species(follower)
        .species(leader)
}

pub(super) fn leader_following() -> Scene {
    let path = [[150.0, 300.0], [850.0, 320.0], [500.0, 120.0], [480.0, 500.0]];
    let follower = Species::new("follower", 24)
        .max_speed(140.0)
        .radius(5.0)
        .start(Start::in_circle([250.0, 300.0], 120.0))
        .behavior(Separation { weight: 1500.0, ..Separation::default() })
        .behavior(LeaderFollowing { leader: first("leader"), ..LeaderFollowing::default() });
    let leader = Species::new("leader", 1)
        .max_speed(90.0)
        .max_turn_rate(2.0)
        .radius(9.0)
        .start(Start::in_circle([200.0, 300.0], 1.0).heading(0.0))
        .behavior(PathFollowing {
            path: "back and forth".into(),
            waypoint_distance: 30.0,
            ..PathFollowing::default()
        });
    bounded(
        "leader-following",
        "Followers gather behind a leader and step out of its way when it turns on them.",
    )
    .path(WaypointPath::new("back and forth", path).closed())
    .species(follower)
    .species(leader)
}

pub(super) fn offset_pursuit() -> Scene {
    let wingman = Species::new("wingman", 3)
        .radius(8.0)
        .start(Start::in_circle([150.0, 150.0], 90.0))
        .behavior(Separation { weight: 100.0, ..Separation::default() })
        .behavior(OffsetPursuit {
            leader: first("leader"),
            offset: [-40.0, 0.0],
            abreast: 3,
            spacing: 40.0,
            ..OffsetPursuit::default()
        });
    let leader = Species::new("leader", 1)
        .max_speed(90.0)
        .max_turn_rate(1.5)
        .radius(11.0)
        .start(Start::in_circle([200.0, 150.0], 1.0).heading(0.0))
        .behavior(Arrive {
            weight: 4.0,
            target: Target::named("crosshair"),
            deceleration: Deceleration::Slow,
            ..Arrive::default()
        });
    bounded(
        "offset-pursuit",
        "Three followers in formation behind a leader that arrives at the crosshair: click to set it.",
    )
    .point("crosshair", [760.0, 420.0])
    .species(wingman)
    .species(leader)
}

pub(super) fn sheepdog() -> Scene {
    let fence = [[40.0, 40.0], [960.0, 40.0], [960.0, 560.0], [40.0, 560.0]];
    let sheep = Species::new("sheep", 20)
        .view_distance(80.0)
        .max_speed([70.0, 90.0])
        .max_force(300.0)
        .radius(6.0)
        .start(Start::in_circle([560.0, 340.0], 120.0).speed(0.3))
        .behavior(WallAvoidance::default())
        .behavior(ObstacleAvoidance::default())
        .behavior(Evade { weight: 4.0, pursuer: first("dog"), threat_range: Some(150.0) })
        .behavior(Separation { weight: 600.0, ..Separation::default() })
        .behavior(Alignment { weight: 60.0, ..Alignment::default() })
        .behavior(Cohesion { weight: 30.0, ..Cohesion::default() })
        .behavior(Wander { weight: 6.0, ..Wander::default() });
    let dog = Species::new("dog", 1)
        .max_speed(130.0)
        .max_force(600.0)
        .radius(7.0)
        .start(Start::in_circle([120.0, 120.0], 1.0))
        .behavior(WallAvoidance::default())
        .behavior(ObstacleAvoidance::default())
        .behavior(Arrive { weight: 4.0, target: Target::named("dog"), ..Arrive::default() });
    bounded(
        "sheepdog",
        "Twenty sheep that flock around trees and evade a dog, which runs to where it is sent.",
    )
    .scatter_obstacles(Scattered::new(4).size([14.0, 26.0]).gap(90.0))
    .non_penetration(1)
    .point("dog", [500.0, 300.0])
    .wall(Wall::new(fence).closed())
    .species(sheep)
    .species(dog)
}
