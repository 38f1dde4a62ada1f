//! Proptest strategies for random scenes. Some are boxed because, nested, they would overflow a
//! test's stack.

use flockwork::behaviors::FieldValue;
use flockwork::behaviors::{
    Alignment, Arrive, Cohesion, CollisionAvoidance, Containment, Cruise, Deceleration, Evade,
    Feelers, Flee, FlockRules, FlowFollowing, Hide, HideInFlock, Interpose, LeaderFollowing,
    LookAhead, ObstacleAvoidance, OffsetPursuit, PathFollowing, Pursuit, Seek, Separation,
    StayOnPath, VelocityMatching, WallAvoidance, Wander,
};
use flockwork::{
    Behavior, Combine, FlowField, Locomotion, Obstacle, OwnTarget, Point, Route, Scene, Species,
    SpeciesValue, Start, StartPlace, Target, Topology, Wall, WaypointPath, World,
};
use proptest::prelude::*;

use crate::common::space::each_point;

/// A point inside or near the world, at the origin, or far outside.
fn point() -> impl Strategy<Value = Point> {
    let point = prop_oneof![
        6 => [-50.0_f32..250.0, -50.0_f32..250.0, -50.0_f32..250.0],
        1 => Just([0.0; 3]),
        1 => Just([1.0e5, -1.0e5, 1.0e5]),
    ];
    point.prop_map(Point::from)
}

/// A target that every scene has: each has a named point, and at least one agent of species 0.
fn target() -> BoxedStrategy<Target> {
    let target = prop_oneof![
        3 => point().prop_map(Target::Point),
        2 => Just(Target::named("somewhere")),
        3 => Just(Target::member("0", 0)),
        3 => Just(Target::Own),
        2 => Just(Target::nearest("0")),
        1 => (0.5_f32..200.0, 0.0_f32..=360.0).prop_map(|(distance, degrees)| Target::Nearest {
            species: "0".into(),
            distance: Some(distance),
            field_of_view: Some(degrees),
            line_of_sight: degrees > 180.0,
        }),
    ];
    target.boxed()
}

fn weight() -> impl Strategy<Value = f32> {
    prop_oneof![4 => 0.0_f32..500.0, 1 => Just(0.0), 1 => Just(1.0e6)]
}

fn deceleration() -> impl Strategy<Value = Deceleration> {
    prop::sample::select(vec![Deceleration::Fast, Deceleration::Normal, Deceleration::Slow])
}

fn with_neighborhood(behavior: impl Strategy<Value = Behavior>) -> impl Strategy<Value = Behavior> {
    let distance = prop::option::of(prop_oneof![0.5_f32..20.0, 20.0_f32..200.0]);
    let field_of_view = prop::option::of(prop_oneof![1 => Just(360.0_f32), 2 => 0.0_f32..=360.0]);
    let species = prop::sample::select(vec![vec![], vec!["0".to_owned()]]);
    let neighborhood = prop::option::of((distance, field_of_view, species));
    (behavior, neighborhood).prop_map(|(mut behavior, neighborhood)| {
        let (distance, field_of_view, species) = neighborhood.unwrap_or_default();
        let mut fields = behavior.fields();
        for field in &mut fields {
            match &mut field.value {
                FieldValue::Optional(value) if field.name == "distance" => *value = distance,
                FieldValue::Optional(value) if field.name == "field_of_view" => {
                    *value = field_of_view;
                }
                FieldValue::Species(names) => names.clone_from(&species),
                _ => {}
            }
        }
        behavior.set_fields(fields);
        behavior
    })
}

fn group_behavior() -> BoxedStrategy<Behavior> {
    let behavior = prop_oneof![
        weight().prop_map(|weight| Separation { weight, ..Separation::default() }.into()),
        weight().prop_map(|weight| Alignment { weight, ..Alignment::default() }.into()),
        (weight(), any::<bool>()).prop_map(|(weight, normalized)| Cohesion {
            weight,
            normalized,
            ..Cohesion::default()
        }
        .into()),
        (weight(), 0.0_f32..2.0, 0.0_f32..2.0, 0.0_f32..2.0, any::<bool>()).prop_map(
            |(weight, alignment, cohesion, separation, near_separation)| {
                let rules = FlockRules {
                    weight,
                    alignment,
                    cohesion,
                    separation,
                    near_separation,
                    ..FlockRules::default()
                };
                rules.into()
            }
        ),
        (weight(), 0.01_f32..2.0).prop_map(|(weight, time_constant)| {
            VelocityMatching { weight, time_constant, ..VelocityMatching::default() }.into()
        }),
        (weight(), 0.0_f32..5.0, 0.0_f32..10.0).prop_map(|(weight, horizon, margin)| {
            CollisionAvoidance { weight, horizon, margin, ..CollisionAvoidance::default() }.into()
        }),
    ];
    behavior.boxed()
}

fn steering_by_targets() -> BoxedStrategy<Behavior> {
    let range = || prop::option::of(0.0_f32..200.0);
    let behavior = prop_oneof![
        (weight(), target()).prop_map(|(weight, target)| Seek { weight, target }.into()),
        (weight(), target(), range()).prop_map(|(weight, target, panic_distance)| {
            Flee { weight, target, panic_distance }.into()
        }),
        (weight(), target(), deceleration(), 0.1_f32..1.0).prop_map(
            |(weight, target, deceleration, deceleration_tweaker)| {
                Arrive { weight, target, deceleration, deceleration_tweaker }.into()
            }
        ),
        (weight(), target(), range()).prop_map(|(weight, threat, threat_range)| {
            HideInFlock { weight, threat, threat_range, ..HideInFlock::default() }.into()
        }),
        (weight(), target(), 0.0_f32..1.0).prop_map(|(weight, evader, turnaround)| {
            Pursuit { weight, evader, turnaround }.into()
        }),
        (weight(), target(), range()).prop_map(|(weight, pursuer, threat_range)| {
            Evade { weight, pursuer, threat_range }.into()
        }),
        (weight(), target(), target()).prop_map(|(weight, a, b)| Interpose { weight, a, b }.into()),
        (weight(), target(), range(), range(), any::<(bool, bool)>(), 0.0_f32..=1.0).prop_map(
            |(weight, hunter, search_distance, threat_distance, (mutual, remembers), bias)| {
                let memory = remembers.then_some(0.3);
                Hide {
                    weight,
                    hunter,
                    gap: 20.0,
                    search_distance,
                    memory,
                    mutual,
                    bias,
                    threat_distance,
                }
                .into()
            }
        ),
        (weight(), target(), [-60.0_f32..60.0, -60.0_f32..60.0], 0_u32..6).prop_map(
            |(weight, leader, offset, abreast)| {
                OffsetPursuit { weight, leader, offset, abreast, spacing: 12.0, above: None }.into()
            }
        ),
        (weight(), target(), 0.0_f32..60.0, 0.0_f32..90.0).prop_map(
            |(weight, leader, distance, clear_ahead)| {
                LeaderFollowing { weight, leader, distance, clear_ahead, clear_aside: 25.0 }.into()
            }
        ),
    ];
    behavior.boxed()
}

fn steering_by_places() -> BoxedStrategy<Behavior> {
    let path = || prop::sample::select(vec!["open", "closed"]).prop_map(String::from);
    let behavior = prop_oneof![
        (weight(), 0.1_f32..5.0, 0.0_f32..5.0, 0.0_f32..90.0, any::<[bool; 3]>()).prop_map(
            |(weight, radius, distance, jitter, [jitter_per_step, scaled, noise])| {
                let noise = noise.then_some(jitter + 0.1);
                Wander { weight, radius, distance, jitter, jitter_per_step, scaled, noise }.into()
            }
        ),
        (weight(), 0.0_f32..200.0).prop_map(|(weight, speed)| Cruise { weight, speed }.into()),
        (weight(), path(), 1.0_f32..60.0).prop_map(|(weight, path, waypoint_distance)| {
            PathFollowing { weight, path, waypoint_distance }.into()
        }),
        (weight(), path(), 0.0_f32..50.0, 0.0_f32..2.0, 0.0_f32..300.0).prop_map(
            |(weight, path, radius, prediction, further)| {
                let ahead = radius + 0.1 + further;
                StayOnPath { weight, path, radius, prediction, ahead }.into()
            }
        ),
        (weight(), any::<bool>(), 0.0_f32..80.0).prop_map(|(weight, has_route, sway)| {
            let route = has_route.then(|| "home".into());
            FlowFollowing { weight, route, sway, ..FlowFollowing::default() }.into()
        }),
        (weight(), 0.1_f32..90.0).prop_map(|(weight, box_length)| ObstacleAvoidance {
            weight,
            box_length
        }
        .into()),
        (weight(), 0.0_f32..120.0).prop_map(|(weight, max_see_ahead)| {
            LookAhead { weight, max_see_ahead, max_avoid_force: 300.0 }.into()
        }),
        (weight(), 1.0_f32..90.0, any::<bool>(), 0.0_f32..=180.0).prop_map(
            |(weight, feeler_length, three, sweep_angle)| {
                let feelers = if three { Feelers::Three } else { Feelers::Sweeping };
                WallAvoidance { weight, feelers, feeler_length, sweep_angle, sweep_period: 0.3 }
                    .into()
            }
        ),
        (weight(), 0.05_f32..2.0, 0.0_f32..40.0).prop_map(|(weight, prediction, margin)| {
            Containment { weight, prediction, margin }.into()
        }),
    ];
    behavior.boxed()
}

fn behavior() -> BoxedStrategy<Behavior> {
    let behavior = prop_oneof![
        with_neighborhood(group_behavior()),
        with_neighborhood(steering_by_targets()),
        steering_by_places(),
    ];
    behavior.boxed()
}

fn value(from: f32, to: f32) -> impl Strategy<Value = SpeciesValue> {
    (from..to, from..to, any::<bool>()).prop_map(|(a, b, shared)| {
        if shared { SpeciesValue::Shared(a) } else { SpeciesValue::Between([a.min(b), a.max(b)]) }
    })
}

fn locomotion() -> impl Strategy<Value = Locomotion> {
    prop_oneof![
        3 => Just(Locomotion::PointMass),
        1 => Just(Locomotion::ConstantSpeed),
        1 => [0.0_f32..500.0, 0.0_f32..500.0, 0.0_f32..500.0].prop_map(
            |[throttle, brake, steering]| Locomotion::CarLike { throttle, brake, steering }
        ),
    ]
}

fn start() -> impl Strategy<Value = Start> {
    let place = prop_oneof![
        3 => Just(StartPlace::Anywhere),
        1 => (point(), 0.0_f32..80.0)
            .prop_map(|(center, radius)| StartPlace::Circle { center, radius }),
        1 => (1_u32..5, 0.0_f32..80.0)
            .prop_map(|(count, radius)| StartPlace::Clusters { count, radius }),
    ];
    let heading = prop::option::of(-360.0_f32..=360.0);
    (place, heading, prop::option::of(0.0_f32..=1.0)).prop_map(|(place, heading, speed)| Start {
        place,
        heading,
        speed,
    })
}

fn species() -> BoxedStrategy<Species> {
    let view = (
        prop_oneof![0.5_f32..10.0, 10.0_f32..60.0, 60.0_f32..400.0],
        prop_oneof![2 => Just(360.0_f32), 3 => 0.0_f32..=360.0],
        any::<bool>(),
    );
    // Some species are giants.
    let radius = prop_oneof![6 => value(0.0, 20.0), 1 => value(50.0, 300.0)];
    let body = (value(1.0, 150.0), value(0.0, 500.0), value(0.2, 5.0), radius);
    let rate = prop::option::of(prop_oneof![Just(0.0_f32), 0.1_f32..10.0, Just(500.0_f32)]);
    let climb = prop::option::weighted(0.3, prop_oneof![Just(0.0_f32), 1.0_f32..=89.0]);
    let combine =
        prop::sample::select(vec![Combine::Prioritized, Combine::WeightedSum, Combine::Dithered]);
    let own_target = prop_oneof![
        Just(None),
        Just(Some(OwnTarget::Previous)),
        Just(Some(OwnTarget::EachOf("0".into()))),
    ];
    let behaviors = prop::collection::vec(behavior(), 0..5);
    let species = (
        1_usize..90,
        view,
        body,
        (rate, climb),
        (combine, locomotion()),
        (start(), own_target),
        behaviors,
    )
        .prop_map(
            |(agents, view, body, (rate, climb), modes, (start, own_target), behaviors)| {
                let (max_speed, max_force, mass, radius) = body;
                Species {
                    name: String::new(),
                    agents,
                    view_distance: view.0,
                    field_of_view: view.1,
                    view_includes_radius: view.2,
                    max_speed,
                    max_force,
                    mass,
                    radius,
                    immovable: agents % 5 == 4,
                    max_turn_rate: rate,
                    max_climb: climb,
                    combine: modes.0,
                    locomotion: modes.1,
                    start,
                    own_target,
                    probabilities: Default::default(),
                    columns: Default::default(),
                    behaviors,
                }
            },
        );
    species.boxed()
}

/// Keeps one behavior of each kind that has memory: agents store one waypoint and one alert.
fn without_second_memories(mut species: Species) -> Species {
    let (mut paths, mut hides) = (0, 0);
    species.behaviors.retain(|behavior| {
        let count = match behavior {
            Behavior::PathFollowing(_) => &mut paths,
            Behavior::Hide(hide) if hide.memory.is_some() => &mut hides,
            _ => return true,
        };
        *count += 1;
        *count == 1
    });
    species
}

fn static_world() -> impl Strategy<Value = Scene> {
    let obstacle = (point(), 0.0_f32..60.0);
    let obstacles = prop::collection::vec(
        obstacle.prop_map(|(center, radius)| Obstacle { center, radius }),
        0..8,
    );
    let chain = || {
        prop::collection::vec(point(), 2..6).prop_map(|mut points| {
            points.dedup();
            let mut last = points[0];
            last[0] += 7.0;
            last[1] += 33.0;
            points.push(last);
            points
        })
    };
    let wall = (chain(), any::<(bool, bool)>()).prop_map(|(mut points, (closed, two_sided))| {
        points.iter_mut().for_each(flatten);
        Wall { closed, two_sided, ..Wall::new(points) }
    });
    let walls = prop::collection::vec(wall, 0..4);
    let flow = (1_u32..5, 1_u32..5, 0.0_f32..90.0).prop_map(|(columns, rows, angle)| FlowField {
        columns,
        degrees: (0..columns * rows).map(|k| (k as f32 * angle) % 360.0).collect(),
    });
    (obstacles, walls, [chain(), chain()], flow, point(), 0_u32..4).prop_map(
        |(obstacles, walls, [open, closed], flow, somewhere, non_penetration)| Scene {
            non_penetration,
            obstacles: obstacles.into(),
            walls: walls.into(),
            paths: vec![
                WaypointPath::new("open", open),
                WaypointPath::new("closed", closed).closed(),
            ]
            .into(),
            flow: Some(flow.into()),
            points: [("somewhere".to_owned(), somewhere)].into(),
            ..Scene::default()
        },
    )
}

/// Drops the third coordinate of a point.
fn flatten(point: &mut Point) {
    *point = point.xy().into();
}

fn without_depth(mut scene: Scene) -> Scene {
    scene.world.depth = None;
    each_point(&mut scene, flatten);
    scene.species.iter_mut().for_each(|species| species.max_climb = None);
    scene
}

/// Adds a route if the scene allows one with few cells. Otherwise, agents follow the flow field
/// instead of the route.
fn with_route(scene: Scene) -> Scene {
    let follows = |species: &&Species| {
        let follows = |behavior: &Behavior| {
            matches!(behavior, Behavior::FlowFollowing(FlowFollowing { route: Some(_), .. }))
        };
        species.behaviors.iter().any(follows)
    };
    let radii = scene.species.iter().filter(follows).map(|species| match species.radius {
        SpeciesValue::Shared(radius) => radius,
        SpeciesValue::Between([from, _]) => from,
    });
    let cell = 0.7 * radii.fold(f32::MAX, f32::min);
    let area = scene.world.width.unwrap() * scene.world.height.unwrap();
    if area < 1.0e4 * cell * cell {
        let route = vec![Route::new("home", "somewhere")];
        let with_route = Scene { routes: route.into(), ..scene.clone() };
        if with_route.check().is_ok() {
            return with_route;
        }
    }
    let mut scene = scene;
    for behavior in scene.species.iter_mut().flat_map(|species| &mut species.behaviors) {
        if let Behavior::FlowFollowing(follow) = behavior {
            follow.route = None;
        }
    }
    scene
}

/// A third of the worlds have depth.
pub(crate) fn scene() -> impl Strategy<Value = Scene> {
    let side = || prop_oneof![6.0_f32..30.0, 30.0_f32..300.0, 300.0_f32..3_000.0];
    let topology = prop::sample::select(vec![Topology::Torus, Topology::Bounded, Topology::Open]);
    let rate = prop_oneof![Just(60.0_f32), 30.0_f32..300.0];
    let crowd = (prop::collection::vec(species(), 1..4), any::<bool>());
    // Sometimes, two species differ in name only.
    let crowd = crowd.prop_map(|(mut crowd, has_twins)| {
        crowd.extend(has_twins.then(|| crowd[0].clone()));
        crowd
    });
    let depth = prop::option::weighted(1.0 / 3.0, side());
    let size = (side(), side(), depth);
    (topology, size, crowd, any::<u64>(), rate, static_world()).prop_map(
        |(topology, (width, height, depth), species, seed, steps_per_second, world)| {
            let mut scene = Scene {
                seed,
                steps_per_second,
                world: World { topology, depth, ..World::torus(width, height) },
                species: species
                    .into_iter()
                    .enumerate()
                    .map(|(k, species)| Species { name: k.to_string(), ..species })
                    .map(without_second_memories)
                    .collect(),
                ..world
            };
            // Tests that vary numbers slightly must not push a margin over half the world.
            let half = width.min(height).min(depth.unwrap_or(f32::MAX)) * 0.499;
            for behavior in scene.species.iter_mut().flat_map(|species| &mut species.behaviors) {
                if let Behavior::Containment(containment) = behavior {
                    containment.margin = containment.margin.min(half);
                }
            }
            for species in &mut scene.species {
                // A start entirely outside a bounded world would be refused.
                if let StartPlace::Circle { center, .. } = &mut species.start.place
                    && topology == Topology::Bounded
                {
                    let size = [width, height, depth.unwrap_or_default()];
                    for (along, size) in center.iter_mut().zip(size) {
                        *along = along.clamp(0.0, size);
                    }
                }
            }
            if topology == Topology::Torus {
                for species in &mut scene.species {
                    species.behaviors.retain(|b| !matches!(b, Behavior::Containment(_)));
                }
            }
            with_route(if depth.is_none() { without_depth(scene) } else { scene })
        },
    )
}
