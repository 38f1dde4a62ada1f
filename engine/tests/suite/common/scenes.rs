//! Scenes that together use every feature of the engine, and small ones that several tests share.

use std::sync::Arc;

use flockwork::behaviors::{
    Alignment, Arrive, Cohesion, CollisionAvoidance, Deceleration, Evade, Flee, FlockRules,
    FlowFollowing, Hide, Interpose, LookAhead, ObstacleAvoidance, PathFollowing, Pursuit, Seek,
    Separation, StayOnPath, VelocityMatching, WallAvoidance, Wander,
};
use flockwork::{
    Behavior, Combine, FlowField, Locomotion, Obstacle, OwnTarget, Scatter, Scattered, Scene,
    Simulation, Species, Start, StartPlace, Target, Topology, WaypointPath, World,
};

use crate::common::agents::{CALM, id, one, position, resting};
use crate::common::measures::distance;
use crate::common::space::in_space;

pub(crate) fn flock(agents: usize) -> Species {
    Species::new("flock", agents)
        .view_distance(40.0)
        .behavior(Separation::default())
        .behavior(Alignment::default())
        .behavior(Cohesion { weight: 40.0, ..Cohesion::default() })
        .behavior(Wander::default())
}

/// Named scenes with about `agents` agents each. They cover all topologies, behaviors and ways to
/// combine forces, fields of view, radii, several species, per-agent ranges and turn limits.
pub(crate) fn variety(agents: usize) -> Vec<(&'static str, Scene)> {
    let target = [150.0, 90.0];
    let side = ((agents as f32) * 200.0).sqrt().max(30.0);
    let torus = || World::torus(side * 1.3, side);
    let one = |species: Species| Scene::new(torus()).species(species);
    let narrow = flock(agents).field_of_view(200.0);
    let radii = |agents| Species {
        view_includes_radius: true,
        radius: [1.0, 6.0].into(),
        ..flock(agents).view_distance(30.0)
    };
    let seekers = Species::new("seekers", agents)
        .combine(Combine::WeightedSum)
        .max_turn_rate(3.0)
        .behavior(Seek { weight: 0.5, target: target.into() })
        .behavior(Flee { weight: 2.0, target: target.into(), panic_distance: Some(60.0) })
        .behavior(Arrive {
            weight: 1.0,
            target: target.into(),
            deceleration: Deceleration::Slow,
            ..Arrive::default()
        });
    let rules = Species {
        locomotion: Locomotion::ConstantSpeed,
        ..Species::new("rules", agents).view_distance(35.0).behavior(FlockRules::default())
    };
    let tutorial = Species {
        locomotion: Locomotion::ConstantSpeed,
        ..Species::new("tutorial", agents).view_distance(35.0).behavior(FlockRules {
            near_separation: false,
            cohesion: 0.4,
            ..FlockRules::default()
        })
    };
    let varied = flock(agents)
        .max_speed([60.0, 140.0])
        .max_force([100.0, 500.0])
        .mass([0.5, 3.0])
        .combine(Combine::WeightedSum);
    let sharks = Species::new("sharks", 1 + agents / 50)
        .max_speed(70.0)
        .view_distance(60.0)
        .behavior(Wander { weight: 200.0, jitter_per_step: true, jitter: 1.0, ..Wander::default() })
        .behavior(Cohesion { weight: 0.5, normalized: false, ..Cohesion::default() });
    vec![
        ("torus", one(flock(agents))),
        ("field of view", one(narrow)),
        ("radii", one(radii(agents))),
        ("seekers", one(seekers)),
        ("rules", one(rules)),
        ("tutorial rules", one(tutorial)),
        ("ranges", one(varied)),
        ("species", one(flock(agents - agents / 50)).species(sharks)),
        (
            "species with radii",
            one(radii(agents / 2)).species(Species {
                name: "others".into(),
                radius: 9.0.into(),
                ..radii(agents - agents / 2)
            }),
        ),
        ("bounded", Scene::new(World::bounded(side, side * 1.2)).species(flock(agents))),
        ("open", Scene::new(World::open(side, side)).species(flock(agents).field_of_view(300.0))),
        ("small world", Scene::new(World::torus(70.0, 95.0)).species(flock(agents.min(300)))),
        ("tiny world", Scene::new(World::torus(31.0, 17.0)).species(flock(agents.min(100)))),
        ("chase", chase(agents)),
        ("nearest", nearest(agents)),
        ("furnished", furnished(agents)),
        ("packed", packed(agents)),
        ("solid", furnished(agents).solid(true).non_penetration(2)),
        ("solid torus", solid_torus(agents)),
        (
            "ribbon",
            Scene::new(World::torus(agents as f32 * 8.0 + 10.0, 9.0)).species(flock(agents)),
        ),
        (
            "tower",
            Scene::new(World::torus(12.0, agents as f32 * 8.0 + 10.0)).species(flock(agents)),
        ),
        ("flock in space", in_space(one(flock(agents).max_climb(50.0)), 60.0)),
        ("chase in space", in_space(chase(agents), 50.0)),
        ("nearest in space", in_space(nearest(agents), 70.0)),
        ("furnished in space", in_space(furnished(agents), 60.0)),
        ("packed in space", in_space(packed(agents), 40.0)),
        ("solid in space", in_space(furnished(agents).solid(true).non_penetration(2), 80.0)),
        ("solid torus in space", in_space(solid_torus(agents), 90.0)),
        ("open space", in_space(Scene::new(World::open(side, side)).species(flock(agents)), side)),
    ]
}

/// Hunters and prey with every kind of target, car-like locomotion and dithering.
fn chase(agents: usize) -> Scene {
    let side = ((agents as f32) * 200.0).sqrt().max(30.0);
    let hunters = agents / 3 + 1;
    let prey = Species {
        combine: Combine::Dithered,
        ..Species::new("prey", agents.max(hunters + 1) - hunters)
            .behavior(Evade { pursuer: Target::member("hunters", 0), ..Evade::default() })
            .behavior(Flee {
                target: Target::named("noise"),
                panic_distance: Some(80.0),
                weight: 3.0,
            })
            .behavior(VelocityMatching::default())
            .behavior(Wander::default())
    };
    let hunters = Species {
        locomotion: Locomotion::CarLike { throttle: 300.0, brake: 200.0, steering: 150.0 },
        own_target: Some(OwnTarget::EachOf("prey".into())),
        ..Species::new("hunters", hunters)
            .behavior(CollisionAvoidance::default())
            .behavior(Pursuit { evader: Target::Own, weight: 2.0, turnaround: 0.5 })
            .behavior(Interpose {
                a: Target::Own,
                b: Target::member("prey", 0),
                ..Interpose::default()
            })
    };
    let mut scene = Scene::new(World::torus(side * 1.3, side)).species(prey).species(hunters);
    scene.points.insert("noise".into(), [side / 2.0, side / 3.0].into());
    scene
}

/// Sharks pursue the nearest fish, and fish evade the nearest shark, at constant and variable
/// speed, with different radii and fields of view.
fn nearest(agents: usize) -> Scene {
    let side = ((agents as f32) * 200.0).sqrt().max(30.0);
    let shark = Target::nearest("shark");
    let fish = Species::new("fish", agents)
        .max_speed([60.0, 140.0])
        .behavior(Evade { pursuer: shark.clone(), ..Evade::default() })
        .behavior(Hide { hunter: shark.clone(), memory: Some(0.1), weight: 2.0, ..Hide::default() })
        .behavior(Flee { target: shark, panic_distance: Some(30.0), weight: 3.0 })
        .behavior(Seek { target: Target::nearest("fish"), weight: 2.0 });
    let sharks = Species {
        locomotion: Locomotion::ConstantSpeed,
        radius: [4.0, 9.0].into(),
        view_includes_radius: true,
        ..Species::new("shark", 1 + agents / 20)
            .field_of_view(250.0)
            .behavior(Pursuit { evader: Target::nearest("fish"), ..Pursuit::default() })
    };
    Scene::new(World::torus(side * 1.3, side)).species(fish).species(sharks)
}

/// Agents that react to obstacles, walls, a path and a flow field.
fn furnished(agents: usize) -> Scene {
    let side = ((agents as f32) * 200.0).sqrt().max(120.0);
    let scattered = |size| Scattered { per_thousand_agents: 20.0, size, ..Scattered::default() };
    let corners = [[0.2, 0.2], [0.8, 0.3], [0.7, 0.8], [0.3, 0.7]];
    let species = Species::new("agent", agents)
        .behavior(WallAvoidance::default())
        .behavior(ObstacleAvoidance::default())
        .behavior(LookAhead::default())
        .behavior(Hide {
            hunter: Target::member("agent", 0),
            search_distance: Some(60.0),
            memory: Some(0.5),
            weight: 0.5,
            ..Hide::default()
        })
        .behavior(StayOnPath { path: "round".into(), weight: 0.5, ..StayOnPath::default() })
        .behavior(FlowFollowing { weight: 0.5, ..FlowFollowing::default() })
        .behavior(PathFollowing { path: "round".into(), ..PathFollowing::default() });
    Scene {
        world: World { topology: Topology::Bounded, ..World::torus(side, side) },
        paths: vec![
            WaypointPath::new("round", corners.map(|corner| corner.map(|share| share * side)))
                .closed(),
        ]
        .into(),
        flow: Some(
            FlowField { columns: 4, degrees: (0..16).map(|k| k as f32 * 22.0).collect() }.into(),
        ),
        scatter: Some(Scatter {
            obstacles: Some(scattered([4.0, 12.0])),
            walls: Some(scattered([20.0, 40.0])),
        }),
        ..Scene::default()
    }
    .species(species)
}

fn solid_torus(agents: usize) -> Scene {
    let side = ((agents as f32) * 200.0).sqrt().max(120.0);
    let scattered = |size| Scattered { per_thousand_agents: 20.0, size, ..Scattered::default() };
    let scatter =
        Scatter { obstacles: Some(scattered([4.0, 12.0])), walls: Some(scattered([20.0, 40.0])) };
    let scene = Scene::new(World::torus(side * 1.3, side)).species(flock(agents)).solid(true);
    Scene { scatter: Some(scatter), ..scene }
}

/// Agents of different radii that overlap at the start, with smoothed headings.
fn packed(agents: usize) -> Scene {
    let side = ((agents as f32) * 200.0).sqrt().max(30.0);
    let start = Start {
        place: StartPlace::Clusters { count: 1 + agents as u32 / 60, radius: 30.0 },
        ..Start::default()
    };
    let large = Species { radius: 9.0.into(), ..Species::new("large", 1 + agents / 40) };
    let small = Species { start, radius: [2.0, 4.0].into(), ..flock(agents) };
    Scene {
        non_penetration: 3,
        heading_samples: Some(5),
        ..Scene::new(World::torus(side * 1.3, side))
    }
    .species(small)
    .species(large)
}

/// Sets the number of agents, unless the scene's other species have more.
pub(crate) fn with_agents(scene: Scene, agents: usize) -> Scene {
    let changed = scene.clone().agents(agents);
    if changed.check().is_ok() { changed } else { scene }
}

pub(crate) fn open(species: impl IntoIterator<Item = Species>) -> Scene {
    species.into_iter().fold(Scene::new(World::open(1_000.0, 1_000.0)), Scene::species)
}

/// Agent 0 leads to the right, then up; the given species follows.
pub(crate) fn leader_on_a_bent_way(followers: Species) -> Simulation {
    let path = WaypointPath::new("bend", [[500.0, 0.0], [500.0, 3_000.0]]);
    let path_following =
        PathFollowing { weight: CALM, path: "bend".into(), ..PathFollowing::default() };
    let leader = one("leader", [0.0, 0.0], 0.0).max_speed(60.0).behavior(path_following);
    let mut scene = open([leader, followers]);
    Arc::make_mut(&mut scene.paths).push(path);
    scene.build().unwrap()
}

/// Position of an agent in the frame of leader 0: ahead, to the left.
pub(crate) fn in_frame_of_leader(simulation: &Simulation, agent: u32) -> [f32; 2] {
    let leader = simulation.agent(id(0)).unwrap();
    let at = position(simulation, agent);
    let [x, y] = [at[0] - leader.position[0], at[1] - leader.position[1]];
    let [hx, hy, _] = leader.heading;
    [x * hx + y * hy, y * hx - x * hy]
}

pub(crate) fn inside_an_obstacle(behavior: impl Into<Behavior>) -> Simulation {
    let agent = resting("agent", [5.0, 0.0], 0.0).max_force(1.0e6).behavior(behavior);
    let obstacles = vec![Obstacle::new([0.0, 0.0], 20.0)].into();
    Scene { obstacles, ..open([agent]) }.build().unwrap()
}

/// Fraction of agent-steps inside an obstacle, in a field of 60 obstacles.
pub(crate) fn share_inside_obstacles(avoidance: Option<Behavior>) -> f64 {
    let list = Scattered { count: 60, size: [10.0, 30.0], gap: 20.0, ..Scattered::default() };
    let scatter = Scatter { obstacles: Some(list), walls: None };
    let mut species = Species::new("agents", 200).max_speed(100.0);
    species.behaviors.extend(avoidance);
    let species = species.behavior(Wander { weight: 40.0, ..Wander::default() });
    let scene = Scene::new(World::torus(1_000.0, 800.0)).species(species);
    let mut simulation = Scene { scatter: Some(scatter), ..scene }.build().unwrap();
    let obstacles: Vec<Obstacle> = simulation.obstacles().collect();
    assert_eq!(obstacles.len(), 60);
    // Agents that start inside an obstacle have 5 s to get out.
    simulation.run(300).unwrap();
    let mut inside = 0_u32;
    for _ in 0..1_200 {
        simulation.step().unwrap();
        let agents = simulation.agents();
        for (&x, &y) in agents.x.iter().zip(agents.y) {
            let hit = |o: &Obstacle| distance(o.center.xy(), [x, y]) < o.radius;
            inside += u32::from(obstacles.iter().any(hit));
        }
    }
    f64::from(inside) / (200.0 * 1_200.0)
}
