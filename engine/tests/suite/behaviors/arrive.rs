use flockwork::behaviors::{
    Arrive, Deceleration, Hide, Interpose, LeaderFollowing, OffsetPursuit, PathFollowing,
};
use flockwork::{Behavior, Combine, Obstacle, Scene, Simulation, WaypointPath};

use crate::common::agents::{CALM, alone, flat, force, id, one, position, resting, speed, strong};
use crate::common::measures::distance;
use crate::common::scenes::open;

const TARGET: [f32; 2] = [500.0, 400.0];

#[test]
fn arrive_stops_on_the_point_without_orbiting() {
    for deceleration in [Deceleration::Fast, Deceleration::Normal, Deceleration::Slow] {
        let (mut simulation, id) =
            alone(Arrive { weight: 1.0, target: TARGET.into(), deceleration, ..Arrive::default() });
        simulation.run(3_000).unwrap();
        let state = simulation.agent(id).unwrap();
        assert!(distance(flat(state.position), TARGET) < 0.1, "{deceleration:?}");
        let [vx, vy, _] = state.velocity;
        assert!(vx.hypot(vy) < 0.1, "{deceleration:?}");
    }
}

#[test]
fn arrive_stops_without_orbiting_from_any_direction() {
    for deceleration in [Deceleration::Fast, Deceleration::Normal, Deceleration::Slow] {
        for degrees in [0.0, 90.0, 180.0] {
            let arrive = Arrive {
                weight: CALM,
                target: [100.0, 0.0].into(),
                deceleration,
                ..Arrive::default()
            };
            let mut simulation =
                open([one("guest", [0.0, 0.0], degrees).behavior(arrive)]).build().unwrap();
            let bearing = |s: &Simulation| {
                let [x, y] = position(s, 0);
                y.atan2(x - 100.0)
            };
            let (mut turned, mut before) = (0.0, bearing(&simulation));
            for _ in 0..1_200 {
                simulation.step().unwrap();
                if distance(position(&simulation, 0), [100.0, 0.0]) < 0.5 {
                    break;
                }
                let now = bearing(&simulation);
                let change = now - before;
                turned += change.sin().atan2(change.cos());
                before = now;
            }
            let case = format!("{deceleration:?}, {degrees}°");
            assert!(turned.abs() < std::f32::consts::PI, "orbits by {turned} rad: {case}");
            simulation.run(600).unwrap();
            assert!(distance(position(&simulation, 0), [100.0, 0.0]) < 0.1, "{case}");
            assert!(speed(&simulation, 0) < 0.1, "{case}");
        }
    }
}

#[test]
fn arrive_is_seek_from_afar_and_slower_near_its_target() {
    let of = |target: [f32; 2], deceleration| {
        let arrive =
            Arrive { weight: 1.0, target: target.into(), deceleration, ..Arrive::default() };
        let agent = one("agent", [0.0, 0.0], 0.0).max_force(1.0e6).behavior(arrive);
        force(&open([agent]).build().unwrap(), id(0))
    };
    for (deceleration, time) in
        [(Deceleration::Fast, 0.3), (Deceleration::Normal, 0.6), (Deceleration::Slow, 0.9)]
    {
        // 150 units/s toward (3, 4)/5, minus the current 150 units/s to the right.
        let far = of([300.0, 400.0], deceleration);
        assert!(distance(far, [-60.0, 120.0]) < 1.0e-3, "{far:?}");
        let near = of([6.0, 8.0], deceleration);
        let expected = [6.0 / time - 150.0, 8.0 / time];
        assert!(distance(near, expected) < 1.0e-3, "{near:?}, not {expected:?}");
    }
}

/// True if, `seconds` after the start, agent 0 neither moves nor turns for a second.
fn rests_after(scene: &Scene, seconds: f32) -> bool {
    let rate = scene.steps_per_second;
    let mut crowd = scene.build().unwrap();
    crowd.run((rate * seconds) as u64).unwrap();
    let heading = crowd.agent(id(0)).unwrap().heading;
    (0..rate as u64).all(|_| {
        crowd.step().unwrap();
        speed(&crowd, 0) == 0.0 && crowd.agent(id(0)).unwrap().heading == heading
    })
}

/// Agents used to tremble at up to 6.7 units/s and turn around in every step.
#[test]
fn arrive_rests_at_the_default_weight_at_any_rate_of_steps_mass_and_tweaker() {
    for steps_per_second in [10.0, 60.0, 240.0] {
        for mass in [0.1, 1.0, 20.0] {
            for deceleration_tweaker in [1.0e-3, 0.3, 3.0] {
                for combine in [Combine::Prioritized, Combine::WeightedSum, Combine::Dithered] {
                    let target = TARGET.into();
                    let arrive = Arrive { target, deceleration_tweaker, ..Arrive::default() };
                    let guest = one("guest", [450.0, 400.0], 20.0).mass(mass).combine(combine);
                    let guest = guest.max_force(400.0 * mass).behavior(arrive);
                    let scene = open([guest]).steps_per_second(steps_per_second);
                    // Dithering brakes in only some steps, so braking late takes minutes.
                    let is_late = combine == Combine::Dithered && deceleration_tweaker < 0.1;
                    let seconds = if is_late { 200.0 } else { 20.0 + 40.0 * deceleration_tweaker };
                    let case = format!(
                        "{steps_per_second}/s, mass {mass}, {deceleration_tweaker} s, {combine:?}"
                    );
                    assert!(rests_after(&scene, seconds), "{case}");
                }
            }
        }
    }
}

/// A force too weak to brake in time lets the agent swing past its target, less each time.
#[test]
fn arrive_rests_at_the_default_weight_and_force_for_every_mass_and_tweaker() {
    let (distance, max_force) = (1.0, 400.0);
    let start = [TARGET[0] - distance, TARGET[1]];
    for steps_per_second in [10.0, 60.0, 240.0] {
        for mass in [1.0e-3, 20.0, 1_000.0] {
            for deceleration_tweaker in [1.0e-3, 0.3, 3.0] {
                let arrive =
                    Arrive { target: TARGET.into(), deceleration_tweaker, ..Arrive::default() };
                let guest = resting("guest", start, 20.0).mass(mass).max_force(max_force);
                let time = (2.0 * deceleration_tweaker).max(1.0 / steps_per_second);
                let shrinking_per_second = max_force / mass * time;
                let seconds = 1.1 * distance / shrinking_per_second + 20.0 * time + 0.3 * mass;
                let scene = open([guest.behavior(arrive)]).steps_per_second(steps_per_second);
                let case = format!("{steps_per_second}/s, mass {mass}, {deceleration_tweaker} s");
                assert!(rests_after(&scene, seconds), "{case}: not in {seconds} s");
            }
        }
    }
}

/// Arrived agents used to keep a velocity: 0.02 units/s at coordinate 5,000, 2.5 at a million.
#[test]
fn who_has_arrived_has_no_velocity_however_far_from_the_origin() {
    for coordinate in [5_000.3, 1.0e6, 9.0e6] {
        for steps_per_second in [20.0, 60.0, 240.0] {
            let arrive = Arrive { target: [coordinate, -coordinate].into(), ..Arrive::default() };
            let guest =
                one("guest", [coordinate - 300.0, 70.0 - coordinate], 20.0).behavior(arrive);
            let scene = open([guest]).steps_per_second(steps_per_second);
            assert!(rests_after(&scene, 15.0), "{coordinate}, {steps_per_second}/s");
        }
    }
}

/// The agent accelerates for many steps before it is fast enough to change its position.
#[test]
fn a_heavy_agent_starts_and_arrives_however_far_from_the_origin() {
    for (coordinate, off) in [(5_000.3, 0.02), (1.0e6, 2.0)] {
        let target = [coordinate, coordinate];
        let arrive = Arrive { target: target.into(), ..Arrive::default() };
        let guest = resting("guest", [coordinate - 5.0, coordinate], 0.0).mass(1.0e4);
        let scene = open([guest.behavior(arrive)]).steps_per_second(20.0);
        let mut crowd = scene.build().unwrap();
        crowd.run(20 * 1_500).unwrap();
        let at = position(&crowd, 0);
        assert!(distance(at, target) < off && speed(&crowd, 0) == 0.0, "{at:?} at {coordinate}");
    }
}

#[test]
fn whatever_arrives_rests_at_the_default_weight() {
    let behaviors: [Behavior; 5] = [
        OffsetPursuit { leader: TARGET.into(), ..OffsetPursuit::default() }.into(),
        LeaderFollowing { leader: TARGET.into(), ..LeaderFollowing::default() }.into(),
        Interpose { a: TARGET.into(), b: [300.0, 500.0].into(), ..Interpose::default() }.into(),
        PathFollowing { path: "route".into(), ..PathFollowing::default() }.into(),
        Hide { hunter: [100.0, 100.0].into(), ..Hide::default() }.into(),
    ];
    for behavior in behaviors {
        for combine in [Combine::Prioritized, Combine::Dithered] {
            for steps_per_second in [10.0, 60.0, 240.0] {
                let guest = one("guest", [450.0, 400.0], 20.0).combine(combine);
                let guest = guest.probability(behavior.name(), 0.4).behavior(behavior.clone());
                let scene = open([guest]).steps_per_second(steps_per_second);
                let scene = scene.path(WaypointPath::new("route", [[420.0, 400.0], TARGET]));
                let scene = scene.obstacle(Obstacle::new([400.0, 380.0], 20.0));
                let name = behavior.name();
                assert!(rests_after(&scene, 30.0), "{name}, {combine:?}, {steps_per_second}/s");
            }
        }
    }
}

#[test]
fn no_step_of_arrive_leads_past_its_target() {
    let arrive =
        Arrive { target: TARGET.into(), deceleration_tweaker: 1.0e-3, ..Arrive::default() };
    let guest = resting("guest", [499.0, 400.0], 0.0).max_force(1.0e9).behavior(arrive);
    let mut crowd = open([guest]).steps_per_second(10.0).build().unwrap();
    crowd.step().unwrap();
    assert!(distance(position(&crowd, 0), TARGET) < 1.0e-4, "{:?}", position(&crowd, 0));
}

#[test]
fn defect_09_arrive_brakes_on_the_target_instead_of_drifting() {
    let arrive = Arrive {
        weight: 1.0,
        target: [200.0, 200.0].into(),
        deceleration: Deceleration::Normal,
        ..Arrive::default()
    };
    let mut simulation =
        open([one("agent", [200.0, 200.0], 0.0).behavior(arrive)]).build().unwrap();
    let id = id(0);
    let [vx, vy, _] = simulation.agent(id).unwrap().velocity;
    let force = simulation.reference_step(id).unwrap().force;
    assert_eq!(force, [-f64::from(vx), -f64::from(vy), 0.0]);
    let before = vx.hypot(vy);
    simulation.step().unwrap();
    let [vx, vy, _] = simulation.agent(id).unwrap().velocity;
    assert!(vx.hypot(vy) < before);
}

#[test]
fn arrive_takes_the_deceleration_tweaker() {
    for (deceleration, steps) in
        [(Deceleration::Fast, 1.0), (Deceleration::Normal, 2.0), (Deceleration::Slow, 3.0)]
    {
        for deceleration_tweaker in [0.3, 0.75] {
            let target = [30.0, 0.0].into();
            let arrive = Arrive { weight: 1.0, target, deceleration, deceleration_tweaker };
            let crowd = open([strong(arrive).max_speed(1.0e3)]).build().unwrap();
            let [x, y] = force(&crowd, id(0));
            let wanted = 30.0 / (steps * deceleration_tweaker);
            assert!((x - wanted).abs() < 1.0e-4 * wanted && y == 0.0, "{x} of {wanted}");
        }
    }
}
