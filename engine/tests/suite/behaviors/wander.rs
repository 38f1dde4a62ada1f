//! Wander turns at random without losing speed.

use flockwork::{
    AgentId, Combine, Feature, LaneWidth, Method, Scene, Shape, Simulation, Species, Wander, World,
};

use crate::common::agents::{alone, id, ids, one};
use crate::common::measures::distance;
use crate::common::scenes::open;

#[test]
fn wander_turns_without_losing_speed() {
    let (mut simulation, id) = alone(Wander::default());
    let start = simulation.agent(id).unwrap().heading;
    let mut largest_turn = 0.0_f32;
    for _ in 0..600 {
        simulation.step().unwrap();
        let heading = simulation.agent(id).unwrap().heading;
        largest_turn = largest_turn.max(1.0 - (start[0] * heading[0] + start[1] * heading[1]));
    }
    let [vx, vy] = simulation.agent(id).unwrap().velocity;
    assert!(largest_turn > 0.5, "it wanders off: {largest_turn}");
    assert!(vx.hypot(vy) > 100.0, "it keeps going");
}

#[test]
fn defect_04_wander_jitter_does_not_grow_with_the_step_rate() {
    const AGENTS: u32 = 1_000;
    let headings = |rate: f32, jitter: f32, jitter_per_step: bool| -> Vec<[f32; 2]> {
        let wander = Wander { jitter, jitter_per_step, weight: 20.0, ..Wander::default() };
        let species = Species::new("agent", AGENTS as usize).view_distance(0.01).steer(wander);
        let scene = Scene::new(World::open(1000.0, 1000.0)).species(species);
        let mut simulation = scene.steps_per_second(rate).build().unwrap();
        simulation.run(rate as u64).unwrap();
        let ids = (0..AGENTS).map(|index| AgentId { index, generation: 0 });
        ids.map(|id| simulation.agent(id).unwrap().heading).collect()
    };
    // How far, in radians, a second of jitter turns agents from their course without jitter.
    let effect = |rate: f32, jitter: f32, per_step: bool| {
        let pairs = headings(rate, jitter, per_step).into_iter().zip(headings(rate, 0.0, per_step));
        let squares = pairs.map(|(a, b)| {
            f64::from((a[0] * b[1] - a[1] * b[0]).atan2(a[0] * b[0] + a[1] * b[1])).powi(2)
        });
        (squares.sum::<f64>() / f64::from(AGENTS)).sqrt()
    };
    // Independent jitters add up like a random walk. Jitter per second is four times as frequent
    // and four times smaller, which halves its effect; jitter per step keeps its size, which
    // doubles it.
    let per_second = effect(120.0, 1.5, false) / effect(30.0, 1.5, false);
    assert!((0.35..0.7).contains(&per_second), "per second: {per_second}");
    let per_step = effect(120.0, 0.05, true) / effect(30.0, 0.05, true);
    assert!((1.5..2.8).contains(&per_step), "per step: {per_step}");
}

/// The circle and the target of agent 0.
fn circle(simulation: &mut Simulation) -> ([f32; 2], f32, [f32; 2]) {
    let contributions = simulation.explain(id(0)).unwrap().contributions;
    let marks = &contributions[0].marks;
    let circle = marks.iter().find_map(|mark| match mark.shape {
        Shape::Circle { center, radius } if mark.feature == Feature::WanderCircle => {
            Some((center, radius))
        }
        _ => None,
    });
    let target = marks.iter().find_map(|mark| match mark.shape {
        Shape::Point(at) if mark.feature == Feature::WanderTarget => Some(at),
        _ => None,
    });
    let (center, radius) = circle.unwrap();
    (center, radius, target.unwrap())
}

#[test]
fn wander_points_to_a_target_that_moves_along_a_circle_ahead() {
    for (scaled, bounding_radius, scale) in [(true, 3.0, 3.0), (true, 9.0, 9.0), (false, 9.0, 1.0)]
    {
        let wander = Wander { weight: 1.0, jitter: 10.0, scaled, ..Wander::default() };
        let agent = one("agent", [0.0, 0.0], 0.0).radius(bounding_radius).max_force(1.0e6);
        let mut simulation = open([agent.steer(wander)]).build().unwrap();
        let mut before = [0.0; 2];
        for step in 0..200 {
            let (center, radius, target) = circle(&mut simulation);
            let state = simulation.agent(id(0)).unwrap();
            let offset = |at: [f32; 2]| [0, 1].map(|axis| at[axis] - state.position[axis]);
            let ahead = state.heading.map(|part| part * 2.0 * scale);
            assert!((radius - 1.2 * scale).abs() < 1.0e-4, "{radius}");
            assert!(distance(offset(center), ahead) < 1.0e-3, "ahead of the agent");
            assert!((distance(target, center) - radius).abs() < 1.0e-3, "on the circle");
            let force = simulation.explain(id(0)).unwrap().force;
            assert!(distance(force, offset(target)) < 1.0e-3, "the way to it is the force");
            // In the agent's own frame. Back on the circle, a displacement is shorter, or up to
            // 1.2/(1.2 − 0.24) times as long.
            let [x, y] = offset(target);
            let [hx, hy] = state.heading;
            let own = [x * hx + y * hy, y * hx - x * hy];
            let moved = distance(own, before);
            let most = 2.0_f32.sqrt() * 10.0 / 60.0 * scale * 1.3;
            assert!(step == 0 || (moved > 0.0 && moved < most), "{moved} at most {most}");
            before = own;
            simulation.step().unwrap();
        }
    }
}

/// How agents that wander like this turn from step to step, in radians, one list for each.
fn turns(wander: &Wander) -> Vec<Vec<f32>> {
    let species = Species::new("agent", 60).view_distance(0.01).steer(wander.clone());
    let scene = Scene::new(World::open(1.0e3, 1.0e3)).species(species);
    let mut simulation = scene.build().unwrap();
    let headings = |s: &Simulation| -> Vec<[f32; 2]> {
        (0..60).map(|agent| s.agent(id(agent)).unwrap().heading).collect()
    };
    let mut turns = vec![Vec::new(); 60];
    let mut before = headings(&simulation);
    for _ in 0..300 {
        simulation.step().unwrap();
        let now = headings(&simulation);
        for ((list, a), b) in turns.iter_mut().zip(&before).zip(&now) {
            list.push((a[0] * b[1] - a[1] * b[0]).atan2(a[0] * b[0] + a[1] * b[1]));
        }
        before = now;
    }
    turns
}

/// The nearer the circle, the more its force turns from straight ahead. Vehicles turn by it where
/// their maximum force cuts it, as the book's weights do; otherwise its part across is the same.
#[test]
fn a_nearer_wander_circle_makes_sharper_turns() {
    let mean = |distance: f32| {
        let wander =
            Wander { weight: 1.0e4, radius: 1.0, distance, jitter: 20.0, ..Wander::default() };
        let all = turns(&wander).concat();
        all.iter().map(|turn| turn.abs()).sum::<f32>() / all.len() as f32
    };
    let [near, middle, far] = [1.0, 4.0, 10.0].map(mean);
    assert!(near > 1.5 * middle && middle > 1.5 * far, "{near}, {middle}, {far}");
}

#[test]
fn wander_keeps_turning_where_random_forces_tremble() {
    // The share of steps that turn to the same side as the step before.
    let same_side = |jitter: f32| {
        let wander = Wander { weight: 20.0, jitter, ..Wander::default() };
        let pairs = turns(&wander).into_iter().map(|list| {
            list.windows(2).filter(|pair| pair[0] * pair[1] > 0.0).count() as f32 / 299.0
        });
        pairs.sum::<f32>() / 60.0
    };
    // A jitter far larger than the circle draws the direction anew in every step.
    let (wander, random) = (same_side(5.0), same_side(1.0e6));
    assert!(wander > 0.9, "{wander}");
    assert!((0.4..0.6).contains(&random), "{random}");
}

#[test]
fn the_strongest_wander_that_is_allowed_still_pushes() {
    for width in LaneWidth::ALL {
        for combine in [Combine::Prioritized, Combine::WeightedSum] {
            let wander =
                Wander { weight: 1.0e6, radius: 1.0e4, distance: 1.0e4, ..Wander::default() };
            let species = Species::new("agent", 30)
                .radius(1.0e4)
                .max_force(300.0)
                .max_speed(1.0e4)
                .combine(combine)
                .steer(wander);
            let mut simulation =
                Scene::new(World::open(1.0e3, 1.0e3)).species(species).build().unwrap();
            simulation.set_method(Method::Kernels(width));
            let ids = ids(&simulation);
            let before: Vec<_> = ids
                .iter()
                .map(|&id| {
                    let reference = simulation.reference_step(id).unwrap();
                    let [x, y] = reference.force;
                    assert!((x.hypot(y) - 300.0).abs() < 1.0e-3);
                    (simulation.agent(id).unwrap().velocity.map(f64::from), reference.velocity)
                })
                .collect();
            simulation.step().unwrap();
            for (id, (old, expected)) in ids.into_iter().zip(before) {
                let new = simulation.agent(id).unwrap().velocity.map(f64::from);
                let off = (new[0] - expected[0]).hypot(new[1] - expected[1]);
                // A tenth of what the force adds.
                assert!(off < 0.5, "{combine:?}: from {old:?} to {new:?} instead of {expected:?}");
            }
        }
    }
}
