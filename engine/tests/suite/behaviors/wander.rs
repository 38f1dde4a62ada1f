use flockwork::behaviors::Wander;
use flockwork::{AgentId, Combine, Scene, Simulation, Snapshot, Species, World};

use crate::common::agents::{alone, flat, force, id, ids, one};
use crate::common::scenes::open;
use crate::common::snapshots::{column, with_tick};
use crate::common::variants::Variant;

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
    let [vx, vy, _] = simulation.agent(id).unwrap().velocity;
    assert!(largest_turn > 0.5, "it wanders off: {largest_turn}");
    assert!(vx.hypot(vy) > 100.0, "it keeps going");
}

#[test]
fn defect_04_wander_jitter_does_not_grow_with_the_step_rate() {
    const AGENTS: u32 = 1_000;
    let headings = |rate: f32, jitter: f32, jitter_per_step: bool| -> Vec<[f32; 2]> {
        let wander = Wander { jitter, jitter_per_step, weight: 20.0, ..Wander::default() };
        let species = Species::new("agent", AGENTS as usize).view_distance(0.01).behavior(wander);
        let scene = Scene::new(World::open(1000.0, 1000.0)).species(species);
        let mut simulation = scene.steps_per_second(rate).build().unwrap();
        simulation.run(rate as u64).unwrap();
        let ids = (0..AGENTS).map(|index| AgentId { index, generation: 0 });
        ids.map(|id| flat(simulation.agent(id).unwrap().heading)).collect()
    };
    // Root mean square angle, in radians, by which a second of jitter turns agents off course.
    let effect = |rate: f32, jitter: f32, per_step: bool| {
        let pairs = headings(rate, jitter, per_step).into_iter().zip(headings(rate, 0.0, per_step));
        let squares = pairs.map(|(a, b)| {
            f64::from((a[0] * b[1] - a[1] * b[0]).atan2(a[0] * b[0] + a[1] * b[1])).powi(2)
        });
        (squares.sum::<f64>() / f64::from(AGENTS)).sqrt()
    };
    // Independent jitters add up like a random walk. At four times the rate, jitter per second is
    // half as large and keeps its effect; jitter per step keeps its size and doubles its effect.
    let per_second = effect(120.0, 1.5, false) / effect(30.0, 1.5, false);
    assert!((0.85..1.15).contains(&per_second), "per second: {per_second}");
    let per_step = effect(120.0, 0.05, true) / effect(30.0, 0.05, true);
    assert!((1.5..2.8).contains(&per_step), "per step: {per_step}");
}

/// Root mean square angle, in radians, by which agents turn in ten seconds.
fn turn_in_ten_seconds(rate: f32) -> f64 {
    const AGENTS: u32 = 1_000;
    let species = Species::new("agent", AGENTS as usize).view_distance(0.01).radius(3.0);
    let scene =
        Scene::new(World::open(1000.0, 1000.0)).species(species.behavior(Wander::default()));
    let mut crowd = scene.steps_per_second(rate).build().unwrap();
    let ids = ids(&crowd);
    let headings = |crowd: &Simulation| -> Vec<[f64; 2]> {
        ids.iter().map(|&id| flat(crowd.agent(id).unwrap().heading).map(f64::from)).collect()
    };
    let mut turns = vec![0.0; ids.len()];
    // Agents turn by less than half a turn per second, so the sum of ten turns is unambiguous.
    for _ in 0..10 {
        let before = headings(&crowd);
        crowd.run(rate as u64).unwrap();
        for ((turn, [ax, ay]), [bx, by]) in turns.iter_mut().zip(before).zip(headings(&crowd)) {
            *turn += f64::atan2(ax * by - ay * bx, ax * bx + ay * by);
        }
    }
    (turns.iter().map(|turn| turn * turn).sum::<f64>() / f64::from(AGENTS)).sqrt()
}

/// The angle used to be 1.06 times as large at 20 steps/s as at 60, and 1.23 times at 240.
#[test]
fn default_wander_turns_agents_as_far_at_any_rate_of_steps() {
    let usual = turn_in_ten_seconds(60.0);
    for rate in [20.0, 240.0] {
        let ratio = turn_in_ten_seconds(rate) / usual;
        println!("{rate} steps/s: {ratio:.3} times the turn at 60 steps/s, {usual:.3} rad");
        assert!((0.95..1.05).contains(&ratio), "{ratio} at {rate} steps/s");
    }
}

#[test]
fn the_target_is_displaced_sixty_times_per_second_as_in_the_reference() {
    for (rate, steps_that_displace) in [(1.0, 1), (20.0, 20), (60.0, 60), (100.0, 60), (240.0, 60)]
    {
        let agent =
            one("agent", [0.0, 0.0], 0.0).behavior(Wander { jitter: 9.0, ..Wander::default() });
        let mut crowd = open([agent]).steps_per_second(rate).build().unwrap();
        let target = |crowd: &Simulation| {
            ["wander_x", "wander_y"].map(|name| f64::from(column(&crowd.snapshot(), name)[0]))
        };
        let mut displaced = 0;
        for step in 0..rate as u32 {
            let before = target(&crowd);
            let [x, y, _] = crowd.reference_step(id(0)).unwrap().wander;
            crowd.step().unwrap();
            let [found_x, found_y] = target(&crowd);
            let off = (found_x - x).hypot(found_y - y);
            assert!(off < 1.0e-5, "off by {off} in step {step} at {rate} steps/s");
            displaced += u32::from(target(&crowd) != before);
        }
        assert_eq!(displaced, steps_that_displace, "{rate} steps/s");
    }
}

#[test]
fn the_strongest_wander_that_is_allowed_still_pushes() {
    for variant in Variant::vectors() {
        for combine in [Combine::Prioritized, Combine::WeightedSum] {
            let wander =
                Wander { weight: 1.0e6, radius: 1.0e4, distance: 1.0e4, ..Wander::default() };
            let species = Species::new("agent", 30)
                .radius(1.0e4)
                .max_force(300.0)
                .max_speed(1.0e4)
                .combine(combine)
                .behavior(wander);
            let mut simulation =
                Scene::new(World::open(1.0e3, 1.0e3)).species(species).build().unwrap();
            variant.set(&mut simulation);
            let ids = ids(&simulation);
            let before: Vec<_> = ids
                .iter()
                .map(|&id| {
                    let reference = simulation.reference_step(id).unwrap();
                    let [x, y, _] = reference.force;
                    assert!((x.hypot(y) - 300.0).abs() < 1.0e-3);
                    (simulation.agent(id).unwrap().velocity.map(f64::from), reference.velocity)
                })
                .collect();
            simulation.step().unwrap();
            for (id, (old, expected)) in ids.into_iter().zip(before) {
                let new = simulation.agent(id).unwrap().velocity.map(f64::from);
                let off = (new[0] - expected[0]).hypot(new[1] - expected[1]);
                // The tolerance is a tenth of the change that the force causes.
                assert!(off < 0.5, "{combine:?}: from {old:?} to {new:?} instead of {expected:?}");
            }
        }
    }
}

/// Wander target in the agent's own frame, derived from the force.
fn target(crowd: &Simulation, id: AgentId) -> [f32; 2] {
    let [hx, hy, _] = crowd.agent(id).unwrap().heading;
    let [fx, fy, _] = crowd.explain(id).unwrap().force;
    [fx * hx + fy * hy, fy * hx - fx * hy]
}

#[test]
fn wander_by_coherent_noise() {
    let wander = Wander { weight: 1.0, noise: Some(2.0), ..Wander::default() };
    let (mut crowd, id) = alone(wander.clone());
    let (mut largest_turn, mut sides) = (0.0_f32, [0, 0]);
    let mut before = target(&crowd, id);
    for _ in 0..1_200 {
        crowd.step().unwrap();
        let now = target(&crowd, id);
        largest_turn = largest_turn.max((now[1] - before[1]).abs());
        sides[usize::from(now[1] > 0.0)] += 1;
        before = now;
    }
    // The circle's radius is 3.6, i.e. 1.2 bounding radii. Noise takes 30 steps from one point to
    // the next, and moves at most 1.5 times as fast as the average.
    assert!(largest_turn < 7.2 / 30.0 * 1.6, "smooth: {largest_turn}");
    assert!(sides.iter().all(|&steps| steps > 240), "to both sides: {sides:?}");

    // Noise depends only on id and time, not on earlier steps.
    let (mut late, same) = alone(Wander { weight: 0.0, ..Wander::default() });
    late.run(1_200).unwrap();
    let species = late.scene().species[0].clone();
    late.set_species(&Species { behaviors: vec![wander.into()], ..species }).unwrap();
    let after = target(&late, same);
    let off = (after[0] - before[0]).hypot(after[1] - before[1]);
    assert!(off < 1.0e-3, "{before:?} {after:?}");
}

#[test]
fn coherent_noise_is_as_exact_after_a_billion_steps() {
    let (crowd, id) = alone(Wander { weight: 1.0, noise: Some(2.0), ..Wander::default() });
    let late = with_tick(&crowd.snapshot(), 1_000_000_000);
    let mut crowd = Snapshot::from_bytes(&late).unwrap().build().unwrap();
    for step in 0..60 {
        let (found, expected) = (force(&crowd, id), crowd.reference_step(id).unwrap().force);
        let off = (f64::from(found[0]) - expected[0]).hypot(f64::from(found[1]) - expected[1]);
        assert!(off < 1.0e-4, "step {step}: {found:?} instead of {expected:?}");
        crowd.step().unwrap();
    }
}
