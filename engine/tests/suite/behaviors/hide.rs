use flockwork::behaviors::{Evade, FlowFollowing, Hide};
use flockwork::inspect::{Feature, Shape};
use flockwork::{
    Behavior, FlowField, Obstacle, Scene, Simulation, Snapshot, Species, Start, StartPlace, Target,
    Vector, World,
};

use crate::common::agents::{CALM, flat, force, id, one, position, resting, strong};
use crate::common::measures::{distance, distance_to_line};
use crate::common::scenes::{inside_an_obstacle, open};
use crate::common::variants::Variant;

/// Obstacles as (center, radius).
const OBSTACLES: [([f32; 2], f32); 4] = [
    ([250.0, 200.0], 30.0),
    ([500.0, 500.0], 40.0),
    ([750.0, 250.0], 25.0),
    ([300.0, 750.0], 35.0),
];

fn obstacles() -> Vec<Obstacle> {
    OBSTACLES.map(|(center, radius)| Obstacle::new(center, radius)).to_vec()
}

fn hide() -> Hide {
    Hide { weight: CALM, hunter: Target::member("hunter", 0), ..Hide::default() }
}

fn pair(hide: Hide, agent: [f32; 2], hunter: Species, obstacles: &[Obstacle]) -> Simulation {
    let agent = resting("agent", agent, 0.0).view_distance(300.0).behavior(hide);
    let scene = open([agent, hunter]);
    Scene { obstacles: obstacles.to_vec().into(), ..scene }.build().unwrap()
}

fn hunter(at: [f32; 2], degrees: f32) -> Species {
    resting("hunter", at, degrees)
}

fn acts(simulation: &Simulation) -> bool {
    simulation.explain(id(0)).unwrap().force != [0.0; 3]
}

fn chosen_place(simulation: &Simulation) -> Option<[f32; 2]> {
    let contributions = simulation.explain(id(0)).unwrap().contributions;
    contributions.iter().flat_map(|part| &part.marks).find_map(|mark| match mark.shape {
        Shape::Point(at) if mark.feature == Feature::ChosenHidingSpot => Some(flat(at)),
        _ => None,
    })
}

#[test]
fn all_prey_ends_out_of_sight_of_a_wandering_hunter() {
    // Fraction of agent-steps in the hunter's sight, after agents have had 10 s to hide.
    let in_sight = |behavior: Option<Behavior>| {
        let place = StartPlace::Box { low: [0.0, 0.0].into(), high: [1_000.0, 1_000.0].into() };
        let mut prey =
            Species { start: Start { place, ..Start::default() }, ..Species::new("prey", 60) };
        prey.behaviors.extend(behavior);
        let hunter = one("hunter", [400.0, 300.0], 0.0)
            .max_speed(20.0)
            .behavior(FlowFollowing { weight: CALM, ..FlowFollowing::default() });
        let flow = FlowField { columns: 2, degrees: vec![-45.0, 45.0, -135.0, 135.0] };
        let scene = open([prey, hunter]);
        let scene = Scene { obstacles: obstacles().into(), flow: Some(flow.into()), ..scene };
        let mut simulation = scene.build().unwrap();
        simulation.run(600).unwrap();
        let mut seen = 0_u32;
        for _ in 0..600 {
            simulation.step().unwrap();
            let hunter = position(&simulation, 60);
            let hidden = |agent: [f32; 2]| {
                let sight = [hunter, agent];
                OBSTACLES.iter().any(|&(center, radius)| distance_to_line(center, sight) < radius)
            };
            seen += (0..60).map(|k| u32::from(!hidden(position(&simulation, k)))).sum::<u32>();
        }
        f64::from(seen) / (60.0 * 600.0)
    };
    let (hiding, idle) = (in_sight(Some(hide().into())), in_sight(None));
    assert!(idle > 0.5, "most agents that do not hide are in sight: {idle}");
    // Some agents switch obstacles as the hunter moves, and are visible on the way.
    assert!(hiding < 0.05, "{hiding}");
}

#[test]
fn hiding_from_a_hunter_that_stands_ends_at_rest_on_a_hiding_spot() {
    let mut simulation = pair(hide(), [100.0, 100.0], hunter([100.0, 500.0], 0.0), &obstacles());
    simulation.run(1_200).unwrap();
    let at = position(&simulation, 0);
    let place = chosen_place(&simulation).unwrap();
    assert!(distance(at, place) < 0.1, "{at:?}, not {place:?}");
    let (center, radius) = OBSTACLES[0];
    assert!((distance(at, center) - radius - 30.0).abs() < 0.1, "the gap is 30");
    assert!(distance_to_line(center, [[100.0, 500.0], at]) < 0.1, "straight behind the center");
}

#[test]
fn memory_keeps_hiding_for_its_seconds_after_the_hunter_was_last_seen() {
    let hide = Hide { hunter: Target::named("threat"), memory: Some(1.5), ..hide() };
    let agent = resting("agent", [0.0, 0.0], 0.0).view_distance(100.0).behavior(hide);
    let mut scene = open([agent]);
    scene.obstacles = obstacles().into();
    scene.points.insert("threat".into(), [0.0, 5_000.0].into());
    let mut simulation = scene.build().unwrap();
    assert!(!acts(&simulation), "nothing seen yet");
    simulation.step().unwrap();
    simulation.set_point("threat", [50.0, 0.0]).unwrap();
    assert!(acts(&simulation), "in view");
    simulation.step().unwrap();
    simulation.set_point("threat", [0.0, 5_000.0]).unwrap();
    let steps = (0..600).take_while(|_| {
        let hides = chosen_place(&simulation).is_some();
        simulation.step().unwrap();
        hides
    });
    // 1.5 s is 90 steps, but subtracting 1/60 ninety times may be off by one step.
    let steps = steps.count();
    assert!((89..=90).contains(&steps), "{steps}");
}

#[test]
fn mutual_hides_only_while_each_sees_the_other() {
    let mutual = || Hide { mutual: true, ..hide() };
    // The hunter, to the right, faces the agent or looks away. The agent sees up to 300 units.
    for (at, degrees, expected) in
        [([200.0, 0.0], 180.0, true), ([200.0, 0.0], 0.0, false), ([400.0, 0.0], 180.0, false)]
    {
        let simulation = pair(mutual(), [0.0, 0.0], hunter(at, degrees), &obstacles());
        assert_eq!(acts(&simulation), expected, "{at:?}, {degrees}°");
        let always = pair(hide(), [0.0, 0.0], hunter(at, degrees), &obstacles());
        assert!(acts(&always), "without the option it hides anyway");
    }
}

/// The agent remembers where the hunter was, but they no longer see each other.
#[test]
fn mutual_ends_when_the_hunter_is_out_of_sight_whatever_is_remembered() {
    for (mutual, expected) in [(true, false), (false, true)] {
        let hunter_is = Target::nearest("hunter");
        let hide = Hide { hunter: hunter_is, memory: Some(1.5), mutual, ..hide() };
        let mut crowd = pair(hide, [0.0, 0.0], hunter([50.0, 0.0], 180.0), &obstacles());
        assert!(acts(&crowd), "each sees the other");
        crowd.step().unwrap();
        crowd.set(Vector::Position, id(1), [0.0, 5_000.0]).unwrap();
        assert_eq!(acts(&crowd), expected, "mutual: {mutual}");
    }
}

#[test]
fn bias_prefers_a_place_behind_the_hunter_to_a_nearer_one_ahead_of_it() {
    let ahead = Obstacle::new([200.0, 0.0], 10.0);
    let behind = Obstacle::new([-200.0, 0.0], 10.0);
    let place = |bias: f32| {
        let agent = [20.0, 100.0];
        let simulation =
            pair(Hide { bias, ..hide() }, agent, hunter([0.0, 0.0], 0.0), &[ahead, behind]);
        chosen_place(&simulation).unwrap()[0]
    };
    assert!((place(0.0) - 240.0).abs() < 0.01, "the nearer one is ahead");
    assert!((place(0.5) + 240.0).abs() < 0.01, "with a bias, the one behind");
}

#[test]
fn a_hunter_beyond_the_threat_distance_is_no_threat() {
    for (away, expected) in [(149.0, true), (151.0, false)] {
        let hide = Hide { threat_distance: Some(150.0), ..hide() };
        let simulation = pair(hide, [0.0, 0.0], hunter([0.0, -away], 0.0), &obstacles());
        assert_eq!(acts(&simulation), expected, "{away}");
    }
}

#[test]
fn obstacles_beyond_the_search_distance_are_no_hiding_places() {
    // The rim of the obstacle is 100 units away.
    let obstacle = Obstacle::new([130.0, 0.0], 30.0);
    for (search_distance, found) in [(None, true), (Some(101.0), true), (Some(99.0), false)] {
        let hide = Hide { search_distance, ..hide() };
        let mut simulation = pair(hide, [0.0, 0.0], hunter([0.0, 90.0], 0.0), &[obstacle]);
        assert_eq!(chosen_place(&simulation).is_some(), found, "{search_distance:?}");
        assert!(acts(&simulation), "without a place it evades");
        simulation.run(60).unwrap();
        let [x, y] = position(&simulation, 0);
        assert!(if found { x > 10.0 } else { x == 0.0 && y < -10.0 }, "{x}, {y}");
    }
}

#[test]
fn hide_with_no_search_distance_hides_behind_the_obstacle_it_is_in() {
    let hide = Hide {
        weight: 1.0,
        hunter: [-100.0, 0.0].into(),
        gap: 0.0,
        search_distance: Some(0.0),
        ..Hide::default()
    };
    let simulation = inside_an_obstacle(hide);
    let force = simulation.explain(id(0)).unwrap().force;
    let reference = simulation.reference_step(id(0)).unwrap().force;
    assert!((f64::from(force[0]) - reference[0]).abs() < 1.0e-3, "{force:?}, {reference:?}");
}

#[test]
fn defect_11_hide_without_an_obstacle_evades() {
    let hunter = || one("hunter", [60.0, 20.0], 170.0);
    let with = |behavior: Behavior, obstacles: &[Obstacle]| {
        let scene = open([strong(behavior), hunter()]);
        force(&Scene { obstacles: obstacles.to_vec().into(), ..scene }.build().unwrap(), id(0))
    };
    let target = Target::member("hunter", 0);
    let hide = || Hide { hunter: target.clone(), ..Hide::default() }.into();
    let evade = Evade { pursuer: target.clone(), ..Evade::default() }.into();
    let evasion = with(evade, &[]);
    assert_ne!(evasion, [0.0, 0.0]);
    assert_eq!(with(hide(), &[]), evasion);
    let obstacle = Obstacle::new([0.0, 100.0], 20.0);
    assert_ne!(with(hide(), &[obstacle]), evasion, "with an obstacle it hides");
    // The book initializes the distance to the largest double, then tests for the largest float.
    assert_ne!(f64::MAX, f64::from(f32::MAX));
}

#[test]
fn hide_takes_the_shortest_way_to_the_spot_not_to_the_obstacle() {
    let prey = Hide { weight: 1.0, hunter: Target::named("hunter"), ..Hide::default() };
    let prey = resting("prey", [10.0, 50.0], 0.0).max_force(1.0e6).behavior(prey);
    let scene = Scene::new(World::torus(100.0, 100.0)).species(prey);
    let scene = scene.point("hunter", [20.0, 50.0]).obstacle(Obstacle::new([55.0, 50.0], 5.0));
    // The spot, (90, 50), is 20 units to the left; the obstacle is 45 units to the right.
    let [x, y, _] = scene.build().unwrap().forces()[0];
    assert!((x + 20.0 / 0.3).abs() < 1.0e-3 && y.abs() < 1.0e-3, "{x} {y}");
}

#[test]
fn of_two_equally_good_spots_the_first_obstacles_is_chosen() {
    let [left, right] = [-60.0, 60.0].map(|x| Obstacle::new([x, 0.0], 10.0));
    for (obstacles, ahead) in [([left, right], -1.0), ([right, left], 1.0)] {
        let simulation = pair(hide(), [0.0, 0.0], hunter([0.0, 80.0], 0.0), &obstacles);
        let [x, _] = chosen_place(&simulation).unwrap();
        assert!(x * ahead > 60.0, "{x}");
    }
}

#[test]
fn the_hunters_radius_does_not_make_it_seen() {
    for (at, expected) in [([0.0, 299.0], true), ([0.0, 301.0], false)] {
        let memory = Hide { memory: Some(1.5), ..hide() };
        let mutual = Hide { mutual: true, ..hide() };
        for hide in [memory, mutual] {
            let agent = resting("agent", [0.0, 0.0], 0.0).view_distance(300.0).behavior(hide);
            let all = [agent, hunter(at, -90.0)].map(|one| one.view_includes_radius().radius(5.0));
            let simulation = open(all).build().unwrap();
            assert_eq!(acts(&simulation), expected, "{at:?}");
        }
    }
}

/// The agent used to do nothing as soon as the hunter was out of view.
#[test]
fn memory_keeps_the_place_where_a_nearest_hunter_was_last_seen() {
    let hide = Hide { hunter: Target::nearest("hunter"), memory: Some(1.5), ..hide() };
    let agent =
        resting("agent", [0.0, 0.0], 0.0).view_distance(100.0).max_speed(1.0e-3).behavior(hide);
    let scene = open([agent, hunter([0.0, 5_000.0], 0.0)]);
    let scene = Scene { obstacles: obstacles().into(), ..scene };
    for variant in Variant::all() {
        let mut crowd = scene.build().unwrap();
        variant.set(&mut crowd);
        assert!(chosen_place(&crowd).is_none(), "nothing seen yet");
        crowd.step().unwrap();
        crowd.set(Vector::Position, id(1), [50.0, 20.0]).unwrap();
        let while_seen = chosen_place(&crowd).unwrap();
        crowd.step().unwrap();
        crowd.set(Vector::Position, id(1), [0.0, 5_000.0]).unwrap();
        let mut steps = 0;
        while let Some(place) = chosen_place(&crowd) {
            assert!(distance(place, while_seen) < 0.01, "{place:?}, not {while_seen:?}");
            let bytes = crowd.snapshot().to_bytes();
            crowd = Snapshot::from_bytes(&bytes).unwrap().build().unwrap();
            assert_eq!(crowd.snapshot().to_bytes(), bytes, "it is saved");
            variant.set(&mut crowd);
            crowd.step().unwrap();
            steps += 1;
        }
        assert!((89..=90).contains(&steps), "{steps}");
    }
}
