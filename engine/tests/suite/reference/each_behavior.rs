//! Compares each behavior alone with the reference; no force reaches the maximum.

use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::sync::Arc;

use flockwork::behaviors::{
    Alignment, Arrive, Cohesion, CollisionAvoidance, Containment, Cruise, Deceleration, Evade,
    Feelers, Flee, FlockRules, FlowFollowing, Hide, HideInFlock, Interpose, LeaderFollowing,
    LookAhead, ObstacleAvoidance, OffsetPursuit, PathFollowing, Pursuit, Seek, Separation,
    StayOnPath, VelocityMatching, WallAvoidance, Wander,
};
use flockwork::{
    Behavior, FlowField, Obstacle, OwnTarget, Scene, Species, Start, StartPlace, Target, Topology,
    Wall, WaypointPath, World,
};

use crate::common::agents::{CALM, ids, one};
use crate::common::variants::Variant;

const MAX_FORCE: f32 = 1.0e8;

fn behaviors() -> Vec<Behavior> {
    let (weight, target) = (1.0, || Target::named("place"));
    let leader = || Target::member("leader", 0);
    let hide = || Hide { weight, hunter: leader(), gap: 12.0, ..Hide::default() };
    let following =
        |path: &str| PathFollowing { weight, path: path.into(), ..PathFollowing::default() };
    let staying = |path: &str| StayOnPath { weight, path: path.into(), ..StayOnPath::default() };
    let mut all: Vec<Behavior> = vec![
        Separation { weight, ..Separation::default() }.into(),
        Alignment { weight, ..Alignment::default() }.into(),
        Cohesion { weight, ..Cohesion::default() }.into(),
        Cohesion { weight, normalized: false, ..Cohesion::default() }.into(),
        VelocityMatching { weight, time_constant: 0.7, ..VelocityMatching::default() }.into(),
        FlockRules {
            weight,
            alignment: 0.5,
            cohesion: 2.0,
            separation: 1.5,
            near_separation: true,
            ..FlockRules::default()
        }
        .into(),
        FlockRules { weight, cohesion: 0.3, near_separation: false, ..FlockRules::default() }
            .into(),
        CollisionAvoidance { weight, horizon: 2.0, margin: 3.0, ..CollisionAvoidance::default() }
            .into(),
        Seek { weight, target: target() }.into(),
        Seek { weight, target: leader() }.into(),
        Flee { weight, target: target(), panic_distance: None }.into(),
        Flee { weight, target: leader(), panic_distance: Some(120.0) }.into(),
        Pursuit { weight, evader: leader(), turnaround: 0.0 }.into(),
        Pursuit { weight, evader: Target::Own, turnaround: 0.5 }.into(),
        Evade { weight, pursuer: leader(), threat_range: None }.into(),
        Evade { weight, pursuer: Target::Own, threat_range: Some(150.0) }.into(),
        Interpose { weight, a: leader(), b: target() }.into(),
        Interpose { weight, a: Target::Own, b: leader() }.into(),
        OffsetPursuit {
            weight,
            leader: leader(),
            offset: [-20.0, 7.0],
            abreast: 0,
            spacing: 0.0,
            above: None,
        }
        .into(),
        OffsetPursuit {
            weight,
            leader: leader(),
            offset: [9.0, 0.0],
            abreast: 5,
            spacing: 8.0,
            above: None,
        }
        .into(),
        LeaderFollowing {
            weight,
            leader: leader(),
            clear_ahead: 90.0,
            ..LeaderFollowing::default()
        }
        .into(),
        hide().into(),
        Hide { bias: 0.8, search_distance: Some(60.0), ..hide() }.into(),
        Hide { memory: Some(0.4), threat_distance: Some(140.0), ..hide() }.into(),
        Hide { mutual: true, ..hide() }.into(),
        HideInFlock { weight, threat: leader(), threat_range: None, ..HideInFlock::default() }
            .into(),
        HideInFlock {
            weight,
            threat: Target::Own,
            threat_range: Some(90.0),
            ..HideInFlock::default()
        }
        .into(),
        ObstacleAvoidance { weight, box_length: 40.0 }.into(),
        LookAhead { weight, max_see_ahead: 60.0, max_avoid_force: 300.0 }.into(),
        Containment { weight, prediction: 0.6, margin: 25.0 }.into(),
        following("open").into(),
        following("closed").into(),
        staying("open").into(),
        staying("closed").into(),
        FlowFollowing { weight, ..FlowFollowing::default() }.into(),
        Cruise { weight, speed: 20.0 }.into(),
        Wander { weight, ..Wander::default() }.into(),
        Wander { weight, noise: Some(3.0), ..Wander::default() }.into(),
        Wander { weight, jitter_per_step: true, jitter: 1.0, scaled: false, ..Wander::default() }
            .into(),
    ];
    for deceleration in [Deceleration::Fast, Deceleration::Normal, Deceleration::Slow] {
        for deceleration_tweaker in [0.3, 0.7] {
            let target = target();
            all.push(Arrive { weight, target, deceleration, deceleration_tweaker }.into());
        }
    }
    for feelers in [Feelers::Three, Feelers::Sweeping] {
        all.push(WallAvoidance { weight, feelers, ..WallAvoidance::default() }.into());
    }
    all
}

fn scene(behavior: Behavior, topology: Topology) -> Scene {
    let place = StartPlace::Box { low: [0.0, 0.0].into(), high: [300.0, 240.0].into() };
    let start = Start { place, heading: None, speed: Some(0.5) };
    let agents = Species {
        start,
        field_of_view: 300.0,
        own_target: Some(OwnTarget::Previous),
        ..Species::new("agent", 90).view_distance(45.0).max_speed(60.0).max_force(MAX_FORCE)
    };
    let leader = one("leader", [150.0, 120.0], 30.0)
        .max_speed(40.0)
        .behavior(Wander { weight: CALM, ..Wander::default() });
    let points = vec![[40.0, 50.0], [250.0, 60.0], [220.0, 200.0], [70.0, 180.0]];
    let path =
        |name: &str, closed| WaypointPath { closed, ..WaypointPath::new(name, points.clone()) };
    let mut scene = Scene {
        paths: vec![path("open", false), path("closed", true)].into(),
        flow: Some(
            FlowField { columns: 4, degrees: (0..12).map(|k| k as f32 * 27.0).collect() }.into(),
        ),
        ..Scene::new(World { topology, ..World::torus(300.0, 240.0) })
    };
    for k in 0..8_u8 {
        let center = [20.0 + 37.0 * f32::from(k), 30.0 + f32::from(k * 5 % 8) * 27.0];
        Arc::make_mut(&mut scene.obstacles).push(Obstacle::new(center, 6.0 + f32::from(k)));
        let [x, y] = [f32::from(k * 3 % 8) * 36.0 + 10.0, f32::from(k) * 28.0 + 15.0];
        let points = vec![[x, y], [x + 30.0, y + 11.0 * f32::from(k) - 40.0]];
        Arc::make_mut(&mut scene.walls).push(Wall { two_sided: k % 2 == 0, ..Wall::new(points) });
    }
    scene.species(agents.behavior(behavior)).species(leader).point("place", [205.0, 90.0])
}

fn check(behavior: &Behavior, topology: Topology) {
    let name = format!("{behavior:?}, {topology:?}");
    let mut simulation = scene(behavior.clone(), topology).build().unwrap();
    let (mut compared, mut acting, mut left_out) = (0, 0, 0);
    for variant in Variant::all() {
        simulation.run(7).unwrap();
        variant.set(&mut simulation);
        let forces = simulation.forces();
        let mut agents = Vec::new();
        for (id, force) in ids(&simulation).into_iter().zip(forces) {
            if simulation.agent(id).unwrap().species == 0 {
                agents.push((force.map(f64::from), simulation.reference_step(id).unwrap()));
            }
        }
        let lengths = agents.iter().map(|(_, step)| step.force[0].hypot(step.force[1]));
        let largest = lengths.fold(0.0, f64::max);
        assert!(largest < f64::from(MAX_FORCE) / 2.0, "{name}: {largest}");
        for (force, step) in agents {
            if step.margin < 1.0e-5 {
                left_out += 1;
                continue;
            }
            compared += 1;
            acting += i32::from(step.force != [0.0; 3]);
            let off = (force[0] - step.force[0]).hypot(force[1] - step.force[1]);
            assert!(off <= 2.0e-5 * largest, "{name}: {off} in {force:?}, {largest}: {step:?}");
        }
    }
    assert!(acting >= 10, "{name}: only {acting} of {compared} act");
    assert!(left_out * 20 < compared, "{name}: {left_out} left out");
}

#[test]
fn every_behavior_with_force_to_spare_gives_the_references_force() {
    let behaviors = behaviors();
    let names: BTreeSet<_> = behaviors.iter().map(Behavior::name).collect();
    assert_eq!(names, Behavior::NAMES.iter().copied().collect(), "all of them");
    let is_off = |behavior: &Behavior| {
        let all = [Topology::Torus, Topology::Bounded, Topology::Open];
        let tried = if behavior.name() == "containment" { &all[1..] } else { &all };
        tried.iter().any(|&topology| catch_unwind(|| check(behavior, topology)).is_err())
    };
    // Collects all mismatches, so that a failure names every behavior that is off.
    let off = behaviors.iter().filter(|behavior| is_off(behavior));
    let off: BTreeSet<_> = off.map(Behavior::name).collect();
    assert!(off.is_empty(), "off: {off:?}");
}
