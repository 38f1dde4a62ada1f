//! Agents that stay in place without speeding up have no velocity.

use flockwork::behaviors::{Arrive, Cruise, Pursuit, Seek, Separation, Wander};
use flockwork::kernel::{Batch, Force, Lanes, behavior};
use flockwork::{Behavior, Locomotion, Scene, Simulation, Species, Topology, Vector, World};

use crate::common::agents::{flat, id, ids, one, position, resting, speed};
use crate::common::scenes::open;
use crate::common::variants::{Variant, assert_variants_agree};
use crate::slab::slabs::Slabs;

behavior! {
    /// Brakes in proportion to the velocity, so without rounding, an agent would never stop.
    struct Drag: "drag" {
        weight: f32 = 5.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        (-batch.velocity()).into()
    }
}

/// Forty agents in a row that starts at (`coordinate`, `coordinate`), headed in all directions.
fn crowd_at(coordinate: f32, species: Species) -> Simulation {
    let scene = open([Species { agents: 0, ..species.clone() }]);
    let mut crowd = scene.build().unwrap();
    for k in 0..40 {
        let (at, angle) = (coordinate + 7.0 * k as f32, 0.7 * k as f32);
        crowd.spawn(&species.name, [at, coordinate], [angle.cos(), angle.sin()]).unwrap();
    }
    crowd
}

/// Takes a step. Asserts that it stops only agents that stay in place, and all of these that do not
/// speed up. Returns the number of agents that it stops.
fn stopped_in_step(crowd: &mut Simulation, case: &str) -> usize {
    let ids = ids(crowd);
    let before: Vec<_> = ids.iter().map(|&id| crowd.agent(id).unwrap()).collect();
    crowd.step().unwrap();
    let mut stopped = 0;
    for (&id, before) in ids.iter().zip(&before) {
        let after = crowd.agent(id).unwrap();
        let squared = |v: [f32; 3]| v.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>();
        let (old, new) = (squared(before.velocity), squared(after.velocity));
        // A change of a few roundings may be either a gain or a loss.
        if after.position == before.position && new <= old * (1.0 - 1.0e-6) {
            assert_eq!(after.velocity, [0.0; 3], "{case}: {after:?}");
        }
        if after.velocity == [0.0; 3] && old > 0.0 {
            assert_eq!(after.position, before.position, "{case}: {before:?}");
            assert_eq!(after.heading, before.heading, "{case}: its heading stays");
            stopped += 1;
        }
    }
    stopped
}

#[test]
fn whatever_steers_an_agent_it_stands_without_a_velocity() {
    let behaviors: [Behavior; 6] = [
        Drag::default().into(),
        Arrive { weight: 1.0, target: [5_000.3, 5_000.3].into(), ..Arrive::default() }.into(),
        Seek { weight: 1.0, target: [5_000.3, 5_000.3].into() }.into(),
        Cruise { speed: 0.01, ..Cruise::default() }.into(),
        Pursuit { weight: 1.0, evader: [1.0e6, 1.0e6].into(), ..Pursuit::default() }.into(),
        Separation { weight: 0.1, ..Separation::default() }.into(),
    ];
    let mut stopped = 0;
    for behavior in behaviors {
        for coordinate in [5_000.3, 1.0e6, 9.0e6] {
            for mass in [1.0, 1.0e4] {
                let species = Species::new("agent", 40).max_speed([0.01, 40.0]).mass(mass);
                let mut crowd = crowd_at(coordinate, species.behavior(behavior.clone()));
                let case = format!("{}, mass {mass}, at {coordinate}", behavior.name());
                stopped += (0..300).map(|_| stopped_in_step(&mut crowd, &case)).sum::<usize>();
            }
        }
    }
    assert!(stopped > 700, "only {stopped} were stopped");
}

/// Arrived agents used to report 0.0196 units/s at coordinate 5,000.3, and 2.5 at a million.
#[test]
fn who_has_arrived_stands_from_then_on() {
    for coordinate in [5_000.3, 1.0e6] {
        for variant in Variant::all() {
            let arrive = Arrive { target: [coordinate, coordinate].into(), ..Arrive::default() };
            let guest =
                one("guest", [coordinate - 300.0, coordinate + 70.0], 20.0).behavior(arrive);
            let mut crowd = open([guest]).build().unwrap();
            variant.set(&mut crowd);
            crowd.run(900).unwrap();
            let heading = crowd.agent(id(0)).unwrap().heading;
            for _ in 0..300 {
                crowd.step().unwrap();
                let agent = crowd.agent(id(0)).unwrap();
                assert_eq!((agent.velocity, agent.heading), ([0.0; 3], heading), "{variant:?}");
            }
        }
    }
}

#[test]
fn a_heavy_agent_starts_from_rest_however_small_its_force() {
    let (mass, dt) = (1.0e4, 0.1);
    for (coordinate, gap) in [(5_000.0, 1.0 / 2_048.0), (1.0e6, 1.0 / 16.0)] {
        for steps in [20.0, 300.0, 40_000.0] {
            // Constant acceleration reaches the speed of half a gap per step after `steps`.
            let max_force = mass * 0.5 * gap / (dt * dt * steps);
            let seek = Seek { target: [2.0 * coordinate, coordinate].into(), ..Seek::default() };
            let start = [coordinate, coordinate];
            let agent =
                resting("agent", start, 90.0).mass(mass).max_force(max_force).behavior(seek);
            let mut crowd = open([agent]).steps_per_second(1.0 / dt).build().unwrap();
            let mut before = 0.0;
            let first = (1..2 * steps as usize).find(|_| {
                crowd.step().unwrap();
                assert!(speed(&crowd, 0) > before, "{max_force} at {coordinate}: it slows down");
                before = speed(&crowd, 0);
                position(&crowd, 0) != start
            });
            let first = first.expect("it starts") as f32;
            assert!((first / steps - 1.0).abs() < 0.1, "{first} of {steps} steps at {coordinate}");
        }
    }
}

/// An agent that moves left at 0.1 units/s, too slow for any step to change a coordinate of 1e6.
fn slow() -> Species {
    one("agent", [1.0e6, 1.0e6], 180.0).max_speed(0.1)
}

#[test]
fn constant_speed_and_turn_limits_keep_their_velocity() {
    let after_a_step = |species: Species| {
        let mut crowd = open([species]).build().unwrap();
        crowd.step().unwrap();
        assert_eq!(position(&crowd, 0), [1.0e6, 1.0e6]);
        speed(&crowd, 0)
    };
    assert_eq!(after_a_step(slow()), 0.0);
    let half_a_turn_per_step = 60.0 * std::f32::consts::PI;
    assert_eq!(after_a_step(slow().max_turn_rate(1.01 * half_a_turn_per_step)), 0.0);
    let locomotion = Locomotion::CarLike { throttle: 1.0, brake: 1.0, steering: 1.0 };
    assert_eq!(after_a_step(Species { locomotion, ..slow() }), 0.0);

    assert_eq!(after_a_step(slow().max_turn_rate(0.99 * half_a_turn_per_step)), 0.1);
    let constant = Species { locomotion: Locomotion::ConstantSpeed, ..slow() };
    assert_eq!(after_a_step(constant.clone()), 0.1);
    // The velocity is stored if the world has edges that stop agents.
    let world = World { topology: Topology::Bounded, ..World::torus(2.0e6, 2.0e6) };
    let mut crowd = Scene::new(world).species(constant).build().unwrap();
    crowd.step().unwrap();
    assert_eq!(speed(&crowd, 0), 0.1);
}

#[test]
fn an_agent_that_rounds_the_whole_torus_in_a_step_keeps_its_velocity() {
    let agent = one("agent", [10.0, 20.0], 0.0).max_speed(64.0 * 60.0);
    let mut crowd = Scene::new(World::torus(64.0, 64.0)).species(agent).build().unwrap();
    crowd.step().unwrap();
    assert_eq!((position(&crowd, 0), speed(&crowd, 0)), ([10.0, 20.0], 64.0 * 60.0));
}

/// Such agents used to keep their velocity at coordinate 0 forever: the sum of the torus's size and
/// a tiny negative coordinate rounds to the size, which is the same point as 0.
#[test]
fn slow_agents_cross_the_seam_in_either_direction_and_then_stand() {
    let side = 1.0e6;
    for (passes, variant) in Variant::all().flat_map(|variant| [(0, variant), (1, variant)]) {
        let world = World::torus(side, side).depth(side);
        let agent = Species::new("agent", 0).max_speed(1.5);
        let mut crowd = Scene::new(world).species(agent).non_penetration(passes).build().unwrap();
        variant.set(&mut crowd);
        for axis in 0..3 {
            let along = |axis_value: f32, other: f32| {
                std::array::from_fn::<f32, 3, _>(|k| if k == axis { axis_value } else { other })
            };
            let down = crowd.spawn("agent", along(0.01, 5.0e5), along(-1.0, 0.0)).unwrap();
            crowd.run(10).unwrap();
            let agent = crowd.agent(down).unwrap();
            let case = format!("axis {axis}, {passes} passes, {variant:?}");
            assert_eq!(agent.position[axis], side.next_down(), "{case}");
            assert_eq!(agent.velocity, [0.0; 3], "{case}");
        }
    }
}

/// The agents used to stop at x = 0 with velocities of -3e-4 and -0.83 units/s.
#[test]
fn agents_arrive_just_beyond_the_seam_and_stand() {
    for (side, target, start) in [(1.0e3, 999.999_8, 5.0), (1.0e6, 999_999.5, 40.0)] {
        let arrive = Arrive { target: [target, side / 2.0].into(), ..Arrive::default() };
        let guest = one("guest", [start, side / 2.0], 180.0).max_speed(20.0).behavior(arrive);
        let mut crowd = Scene::new(World::torus(side, side)).species(guest).build().unwrap();
        crowd.run(4_000).unwrap();
        assert_eq!(speed(&crowd, 0), 0.0, "at {:?}", position(&crowd, 0));
        let gap = side - side.next_down();
        let [away, _, _] = crowd.displacement(position(&crowd, 0), [target, side / 2.0]);
        assert!(away.abs() <= 18.0 * gap, "{away} from the target");
    }
}

/// The edge removes the velocity to the right, and rounding removes the step along the edge.
#[test]
fn an_agent_pressed_against_an_edge_stands_without_a_velocity() {
    let side = 1.0e6;
    let seek = Seek { target: [1.0e7, side / 2.0 + 1.0e3].into(), ..Seek::default() };
    let agent = one("agent", [side, side / 2.0], 0.0).max_speed(20.0).behavior(seek);
    let world = World { topology: Topology::Bounded, ..World::torus(side, side) };
    let mut crowd = Scene::new(world).species(agent).build().unwrap();
    let mut stood = 0;
    for _ in 0..20 {
        let before = speed(&crowd, 0);
        crowd.step().unwrap();
        assert_eq!(position(&crowd, 0), [side, side / 2.0]);
        let now = speed(&crowd, 0);
        assert!(now == 0.0 || now > before, "{before} to {now} units/s");
        stood += usize::from(now == 0.0);
    }
    assert!(stood > 0, "it speeds up all the time");
}

/// An edge also removes part of the velocity in the step that reaches the edge, but that step
/// moves the agent.
#[test]
fn an_agent_that_reaches_an_edge_stands_from_the_next_step_on() {
    let (side, slow, fast) = (1.0e6, 0.1, 100.0);
    for [vx, vy] in [[slow, fast], [fast, slow]] {
        let at = |v: f32| if v == fast { side - 1.0 } else { side / 2.0 };
        // An agent that does not reach the edge shares the batch.
        let other = one("other", [5.0e5, 5.0e5], 90.0).max_speed(0.1);
        let agent = one("agent", [at(vx), at(vy)], 0.0).max_speed(150.0);
        let world = World { topology: Topology::Bounded, ..World::torus(side, side) };
        let scene = Scene::new(world).species(agent).species(other);
        for variant in Variant::all() {
            let mut crowd = scene.build().unwrap();
            variant.set(&mut crowd);
            crowd.set(Vector::Velocity, id(0), [vx, vy]).unwrap();
            crowd.step().unwrap();
            let kept = [vx, vy].map(|v| if v == slow { slow } else { 0.0 });
            assert_eq!(flat(crowd.agent(id(0)).unwrap().velocity), kept, "{variant:?}");
            crowd.step().unwrap();
            assert_eq!(speed(&crowd, 0), 0.0, "{variant:?}");
        }
    }
}

/// Agents of several kinds far from the origin, some of which stand.
fn far_out() -> Scene {
    let kind = |name: &str| Species::new(name, 90).view_distance(400.0).max_speed([0.01, 30.0]);
    let brake = Cruise { weight: 10.0, speed: 0.0 };
    let braking = kind("braking").behavior(brake.clone());
    let seeking = Seek { weight: 0.1, target: [50_000.0, 50_000.0].into() };
    let steered =
        kind("steered").behavior(seeking).behavior(Separation::default()).mass([1.0, 1.0e4]);
    let limited = kind("limited").max_turn_rate(1.0).behavior(brake);
    let locomotion = Locomotion::ConstantSpeed;
    let constant = Species { locomotion, ..kind("constant").behavior(Separation::default()) };
    [braking, steered, limited, constant]
        .into_iter()
        .fold(Scene::new(World::torus(60_000.0, 60_000.0)), Scene::species)
}

#[test]
fn agents_far_out_stand_in_every_variant_and_in_slabs() {
    let scene = far_out();
    let mut whole = scene.build().unwrap();
    let mut parts = Slabs::new(&scene, 3);
    let mut standing = 0;
    for step in 0..60 {
        whole.step().unwrap();
        parts.step(|_| None).unwrap();
        parts.assert_are(&whole, &format!("step {step}"));
        let speeds = (0..180).map(|agent| speed(&whole, agent));
        standing += speeds.filter(|speed| *speed == 0.0).count();
    }
    assert!(standing > 300, "only {standing} stand");
    assert_variants_agree(&scene, 60);
}

#[test]
fn the_reference_stops_the_same_agents() {
    let mut crowd = far_out().build().unwrap();
    let (mut stopped, mut moving) = (0, 0);
    for _ in 0..60 {
        let ids = ids(&crowd);
        let expected: Vec<_> = ids.iter().map(|&id| crowd.reference_step(id).unwrap()).collect();
        let before: Vec<_> = ids.iter().map(|&id| crowd.agent(id).unwrap().velocity).collect();
        crowd.step().unwrap();
        for ((&id, expected), before) in ids.iter().zip(&expected).zip(before) {
            let velocity = crowd.agent(id).unwrap().velocity;
            if expected.margin > 1.0e-5 && before != [0.0; 3] {
                assert_eq!(velocity == [0.0; 3], expected.velocity == [0.0; 3], "{id}: {before:?}");
                if velocity == [0.0; 3] { stopped += 1 } else { moving += 1 }
            }
        }
    }
    assert!(stopped > 20 && moving > 1_000, "{stopped} stopped, {moving} moving");
}

/// Regression: agents stopped by an edge kept their headings, so wanderers stayed in corners.
#[test]
fn agents_that_an_edge_stops_turn_to_where_they_push() {
    let wanderer = resting("agent", [0.0, 0.0], 225.0).behavior(Wander::default());
    let mut crowd = Scene::new(World::bounded(100.0, 100.0)).species(wanderer).build().unwrap();
    let expected = crowd.reference_step(id(0)).unwrap().heading;
    crowd.step().unwrap();
    for (along, expected) in crowd.agent(id(0)).unwrap().heading.into_iter().zip(expected) {
        assert!((f64::from(along) - expected).abs() < 1.0e-5, "{along}, expected {expected}");
    }
    crowd.run(36_000).unwrap();
    assert!(position(&crowd, 0) != [0.0, 0.0], "it leaves the corner");
}
