use flockwork::behaviors::HideInFlock;
use flockwork::inspect::Explanation;
use flockwork::{AgentId, Scene, Simulation, Species, Start, Target};

use crate::common::agents::{force, id, resting, strong};
use crate::common::scenes::open;

fn birds() -> Simulation {
    Scene::named("birds").unwrap().build().unwrap()
}

#[test]
fn birds_hide_in_the_flock() {
    let hide = HideInFlock {
        weight: 1.0,
        threat: Target::member("hawk", 0),
        threat_range: None,
        ..HideInFlock::default()
    };
    let push = |others: &[(&str, [f32; 2])], range: Option<f32>| {
        let bird = strong(HideInFlock { threat_range: range, ..hide.clone() }).max_speed(100.0);
        let hawk = resting("hawk", [-45.0, 0.0], 0.0);
        let mut crowd = open([bird, Species::new("gull", 0), hawk]).build().unwrap();
        for (species, at) in others {
            crowd.spawn(species, *at, [1.0, 0.0]).unwrap();
        }
        force(&crowd, id(0))
    };
    let behind = ("agent", [30.0, 0.0]);
    assert_eq!(push(&[behind], None), [100.0, 0.0], "at full speed, behind its companion");
    let [x, y] = push(&[behind, ("agent", [20.0, 30.0]), ("agent", [-20.0, -20.0])], None);
    assert!(
        x > 0.0 && (y / x - 30.0 / 50.0).abs() < 1.0e-5,
        "to the mean of those behind: {x} {y}"
    );
    assert_eq!(push(&[("agent", [-20.0, 5.0])], None), [0.0; 2], "it is the last");
    assert_eq!(push(&[("gull", [30.0, 0.0])], None), [0.0; 2], "gulls are no companions");
    assert_eq!(push(&[behind], Some(44.0)), [0.0; 2], "the hawk is too far away");
}

fn evades(why: &Explanation) -> bool {
    kept(why, "evade")
}

fn kept(why: &Explanation, behavior: &str) -> bool {
    why.contributions.iter().any(|one| one.behavior == behavior && one.kept != [0.0; 3])
}

fn explained(crowd: &Simulation) -> Vec<(AgentId, Explanation)> {
    let birds: Vec<AgentId> =
        crowd.agents().ids().filter(|&id| crowd.agent(id).unwrap().species == 0).collect();
    birds.into_iter().map(|bird| (bird, crowd.explain(bird).unwrap())).collect()
}

#[test]
fn birds_fly_faster_from_a_threat() {
    let mut crowd = birds();
    let (mut threatened, mut safe) = (Vec::new(), Vec::new());
    for _ in 0..20 {
        crowd.run(30).unwrap();
        let mut fastest: Vec<_> = explained(&crowd)
            .into_iter()
            .filter(|(_, why)| evades(why) || !kept(why, "hide_in_flock"))
            .map(|(bird, why)| (bird, evades(&why), 0.0_f32))
            .collect();
        for _ in 0..60 {
            crowd.step().unwrap();
            for (bird, _, speed) in &mut fastest {
                let [vx, vy, _] = crowd.agent(*bird).unwrap().velocity;
                *speed = speed.max(vx.hypot(vy));
            }
        }
        for (_, evades, speed) in fastest {
            if evades { &mut threatened } else { &mut safe }.push(speed);
        }
    }
    let mean = |speeds: &[f32]| speeds.iter().sum::<f32>() / speeds.len() as f32;
    assert!(threatened.len() > 30, "hawks come close: {}", threatened.len());
    let (fast, calm) = (mean(&threatened), mean(&safe));
    assert!(fast > 1.2 * calm, "{fast} {calm}");
}

#[test]
fn birds_wander_only_when_safe() {
    let mut crowd = birds();
    let (mut threatened, mut safe) = ([0, 0], [0, 0]);
    for _ in 0..20 {
        crowd.run(30).unwrap();
        for (_, why) in explained(&crowd) {
            let is_safe = !evades(&why) && !kept(&why, "hide_in_flock");
            let counts = if is_safe { &mut safe } else { &mut threatened };
            counts[usize::from(kept(&why, "wander"))] += 1;
        }
    }
    assert!(threatened[0] > 50 && threatened[1] * 3 < threatened[0], "{threatened:?}");
    assert!(safe[1] > 2 * safe[0], "{safe:?}");
}

#[test]
fn birds_look_for_food() {
    let places = [[300.0, 200.0], [900.0, 560.0]];
    let distances = places.map(|food| {
        let mut crowd = birds();
        crowd.set_point("food", food).unwrap();
        crowd.run(900).unwrap();
        let mean = |place| {
            let agents = crowd.agents();
            let offset = |slot| crowd.displacement([agents.x[slot], agents.y[slot]], place);
            let all = (0..crowd.len()).map(offset).map(|[x, y, _]| x.hypot(y));
            all.sum::<f32>() / crowd.len() as f32
        };
        places.map(mean)
    });
    let [[near, far], [other_far, other_near]] = distances;
    assert!(near < 0.8 * far && other_near < 0.8 * other_far, "{distances:?}");
}

#[test]
fn birds_avoid_obstacles() {
    let inside = |avoid: bool| {
        let mut scene = Scene::named("birds").unwrap();
        if !avoid {
            drop(scene.species[0].behaviors.remove(0));
        }
        scene.species[0].start = Start::default();
        let mut crowd = scene.build().unwrap();
        let mut inside = 0;
        for _ in 0..20 {
            crowd.run(30).unwrap();
            let agents = crowd.agents();
            for obstacle in crowd.obstacles() {
                let offset =
                    |slot| crowd.displacement([agents.x[slot], agents.y[slot]], obstacle.center);
                let all = (0..crowd.len()).map(offset).map(|[x, y, _]| x.hypot(y));
                inside += all.filter(|distance| *distance < obstacle.radius).count();
            }
        }
        inside
    };
    let (avoiding, blind) = (inside(true), inside(false));
    assert!(blind > 100 && avoiding * 5 < blind, "{avoiding} {blind}");
}
