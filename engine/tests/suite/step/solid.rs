use std::f32::consts::TAU;

use flockwork::behaviors::{Arrive, Seek, Wander};
use flockwork::{
    Locomotion, Number, Obstacle, Scatter, Scattered, Scene, Simulation, Snapshot, Species, Start,
    Vector, Wall, World,
};

use crate::common::agents::{flat, id, ids, one, position, resting, speed, strong};
use crate::common::measures::distance;
use crate::common::rooms::{Draw, Room, assert_clear, crosses};
use crate::common::scenes::open;
use crate::common::variants::{Variant, assert_variants_agree, hash_after};

#[test]
fn random_rooms_hold_agents_of_any_speed_and_radius() {
    let (mut held, mut steps) = (0, 0);
    let rooms = (0..300).map(|seed| (seed, Room::random(seed)));
    for (seed, room) in rooms.chain((0..200).map(|seed| (seed, Room::in_space(seed)))) {
        // Some rooms have no space for all of their large agents.
        let Ok(mut crowd) = room.scene.build() else { continue };
        room.assert_holds(&crowd, &format!("room {seed}, start"));
        for step in 1..=40 {
            crowd.step().unwrap();
            room.assert_holds(&crowd, &format!("room {seed}, step {step}"));
            steps += 1;
        }
        held += 1;
    }
    assert!(held > 350 && steps == 40 * held, "{held} rooms");
}

#[test]
fn random_rooms_are_the_same_by_any_method_and_number_of_threads() {
    let rooms = (0..60).map(|seed| [Room::random, Room::in_space][seed as usize % 2](seed).scene);
    let rooms: Vec<Scene> = rooms.filter(|scene| scene.build().is_ok()).collect();
    assert!(rooms.len() > 35, "{} rooms", rooms.len());
    rooms.iter().for_each(|scene| assert_variants_agree(scene, 8));
    let Room { mut scene, .. } = Room::random(7);
    scene.species[0].radius = 0.5.into();
    scene.species[0].agents = 20_000;
    let one =
        hash_after(&scene, 3, |crowd| crowd.set_execution(crowd.execution().threads(1)).unwrap());
    for threads in [2, 5] {
        assert_eq!(
            hash_after(&scene, 3, |crowd| crowd
                .set_execution(crowd.execution().threads(threads))
                .unwrap()),
            one
        );
    }
}

/// A fast agent approaches a wall along x that joins two other walls.
fn thrown(radius: f32, from: [f32; 2], degrees: f32, speed: f32) -> Scene {
    let wall = Wall::new([[-50.0, 100.0], [0.0, 0.0], [30.0, 0.0], [80.0, 100.0]]).two_sided();
    let agent = one("agent", from, degrees).radius(radius).max_speed(speed);
    open([agent]).wall(wall).solid(true)
}

#[test]
fn agents_of_radius_0_do_not_slip_through_joints() {
    let (mut draw, mut thrown_at) = (Draw::new(1), 0);
    for k in 0..2_000 {
        // The agent approaches a joint from all sides, exactly or nearly.
        let (angle, distance) = (draw.between(0.0, 7.0), draw.between(0.5, 50.0));
        let from = [distance * angle.cos(), distance * angle.sin()];
        let aside = [0.0, 1.0e-6, 1.0e-3, 0.1][draw.below(4)] * draw.between(-1.0, 1.0);
        let degrees = (angle + std::f32::consts::PI).to_degrees() + aside;
        let speed = 10.0_f32.powf(draw.between(0.0, 5.0));
        let scene = thrown(0.0, from, degrees, speed);
        // A start behind the wall may be refused.
        let Ok(mut crowd) = scene.build() else { continue };
        thrown_at += 1;
        let walls: Vec<_> = crowd.walls().map(|wall| wall.ends).collect();
        for step in 0..30 {
            let before = position(&crowd, 0);
            crowd.step().unwrap();
            let after = position(&crowd, 0);
            let crossed = walls.iter().find(|&&wall| crosses(before, after, wall));
            assert!(crossed.is_none(), "{k}, step {step}: {before:?} to {after:?}, {crossed:?}");
        }
        assert_clear(&crowd, &format!("throw {k}"));
    }
    assert!(thrown_at > 800, "{thrown_at} throws");
}

#[test]
fn velocity_loses_the_part_into_the_wall_and_the_heading_stays() {
    for variant in Variant::all() {
        let agent = one("agent", [0.0, 3.5], -45.0).radius(3.0).max_speed(100.0);
        let wall = Wall::new([[-500.0, 0.0], [500.0, 0.0]]);
        let scene = open([agent]).wall(wall).solid(true);
        let mut crowd = scene.build().unwrap();
        variant.set(&mut crowd);
        crowd.step().unwrap();
        let state = crowd.agent(id(0)).unwrap();
        let along = 100.0 * 0.5_f32.sqrt();
        assert!(distance(flat(state.velocity), [along, 0.0]) < 1.0e-3, "{state:?}");
        let half = 0.5_f32.sqrt();
        assert!(distance(flat(state.heading), [half, -half]) < 1.0e-6, "{state:?}");
        assert!(
            distance(flat(state.position), [along / 60.0, 3.0]) < 1.0e-3,
            "it slides: {state:?}"
        );
        crowd.step().unwrap();
        let state = crowd.agent(id(0)).unwrap();
        assert!(distance(flat(state.heading), [1.0, 0.0]) < 1.0e-6, "the velocity's: {state:?}");

        let mut constant = scene.clone();
        constant.species[0].locomotion = Locomotion::ConstantSpeed;
        let mut crowd = constant.build().unwrap();
        variant.set(&mut crowd);
        for _ in 0..60 {
            crowd.step().unwrap();
            assert!((speed(&crowd, 0) - 100.0).abs() < 1.0e-3, "{}", speed(&crowd, 0));
            assert!(position(&crowd, 0)[1] > 2.999, "{:?}", position(&crowd, 0));
        }
    }
}

#[test]
fn no_slide_ends_on_the_other_side_of_a_wall_that_it_went_around() {
    // On the floor alone, the agent slides from (50, 0) to (70, 0). With a wall above that way, it
    // stops before the slide.
    let agent = one("agent", [0.0, 50.0], -45.0).radius(0.1).max_speed(6_000.0);
    let floor = open([agent]).wall(Wall::new([[-500.0, 0.0], [500.0, 0.0]])).solid(true);
    let wall = [[52.0, 5.0], [52.0, 20.0]];
    for (scene, x) in [(floor.clone(), 70.6), (floor.wall(Wall::new(wall).two_sided()), 49.9)] {
        let mut crowd = scene.build().unwrap();
        crowd.step().unwrap();
        assert!(distance(position(&crowd, 0), [x, 0.1]) < 0.2, "{:?}", position(&crowd, 0));
    }
}

#[test]
fn agents_come_to_rest_in_a_wedge() {
    let target = [0.0, -100.0].into();
    let agent =
        resting("agent", [0.3, 30.0], 0.0).radius(2.0).behavior(Seek { weight: 9.0, target });
    let wedge = Wall::new([[-20.0, 80.0], [0.0, 0.0], [20.0, 80.0]]).two_sided();
    let mut crowd = open([agent]).wall(wedge).solid(true).build().unwrap();
    crowd.run(300).unwrap();
    let before = position(&crowd, 0);
    crowd.run(100).unwrap();
    assert!(distance(before, position(&crowd, 0)) < 1.0e-3);
    assert!(speed(&crowd, 0) < 1.0e-3, "{}", speed(&crowd, 0));
    assert_clear(&crowd, "the wedge");
}

#[test]
fn gaps_narrower_than_an_agent_stop_it_and_wider_ones_do_not() {
    // A gap exactly as wide as the agent may let it through or not.
    let gaps = [
        (5.0, Some(false)),
        (5.99, Some(false)),
        (6.0, None),
        (6.01, Some(true)),
        (8.0, Some(true)),
    ];
    for (gap, passes) in gaps {
        for [x, y] in [[0.0, 50.0], [4.0, 50.0], [-30.0, 20.0]] {
            let target = [0.0, -300.0].into();
            let agent = resting("agent", [x, y], 0.0).radius(3.0);
            let half = gap / 2.0;
            let scene = open([agent.behavior(Seek { weight: 20.0, target })])
                .wall(Wall::new([[-200.0, 0.0], [-half, 0.0]]).two_sided())
                .wall(Wall::new([[half, 0.0], [200.0, 0.0]]).two_sided());
            let mut crowd = scene.solid(true).build().unwrap();
            for _ in 0..600 {
                crowd.step().unwrap();
                assert_clear(&crowd, &format!("gap {gap}"));
            }
            let reached = position(&crowd, 0)[1] < -10.0;
            let case = format!("gap {gap} from {x}, {y}: {:?}", position(&crowd, 0));
            assert!(passes.is_none_or(|passes| reached == passes), "{case}");
        }
    }
}

/// 600 people head for one point behind a wall and push each other.
fn jam() -> Scene {
    let people = Species {
        start: Start::in_box([100.0, 100.0], [400.0, 400.0]),
        ..Species::new("people", 600)
            .radius(4.0)
            .behavior(Arrive { target: [420.0, 250.0].into(), ..Arrive::default() })
    };
    let room = [[80.0, 80.0], [410.0, 80.0], [410.0, 420.0], [80.0, 420.0]];
    Scene::new(World::bounded(600.0, 500.0))
        .species(people)
        .wall(Wall::new(room).closed().two_sided())
        .non_penetration(4)
}

fn outside(crowd: &Simulation) -> usize {
    let agents = crowd.agents();
    let is_outside =
        |(x, y): (&f32, &f32)| !((80.0..=410.0).contains(x) && (80.0..=420.0).contains(y));
    agents.x.iter().zip(agents.y).filter(|&at| is_outside(at)).count()
}

#[test]
fn a_jam_of_600_leaks_nobody_through_a_wall() {
    let mut leaks = jam().build().unwrap();
    leaks.run(600).unwrap();
    assert!(outside(&leaks) > 20, "without: {}", outside(&leaks));
    let mut held = jam().solid(true).build().unwrap();
    for step in 0..600 {
        held.step().unwrap();
        assert_eq!(outside(&held), 0, "step {step}");
        if step % 20 == 0 {
            assert_clear(&held, &format!("step {step}"));
        }
    }
}

#[test]
fn two_thousand_leave_through_a_door_and_cross_no_wall() {
    let mut crowd = Scene::named("evacuation").unwrap().build().unwrap();
    assert_eq!(crowd.len(), 2_000);
    let walls: Vec<_> = crowd.walls().map(|wall| wall.ends).collect();
    let mut crossings = 0;
    let at = |crowd: &Simulation| (0..2_000).map(|k| position(crowd, k)).collect::<Vec<_>>();
    let mut before = at(&crowd);
    for _ in 0..900 {
        crowd.step().unwrap();
        let after = at(&crowd);
        for (&from, &to) in before.iter().zip(&after) {
            crossings += walls.iter().filter(|&&wall| crosses(from, to, wall)).count();
        }
        before = after;
    }
    assert_eq!(crossings, 0);
    assert_clear(&crowd, "after 15 s");
    let door = walls[0][0][0];
    let out = before.iter().filter(|at| at[0] > door).count();
    assert!((200..2_000).contains(&out), "{out} are out");
}

#[test]
fn overlap_at_the_beginning_gets_no_deeper_and_can_be_left() {
    for (target, leaves) in [([0.0, 100.0], true), ([0.0, -100.0], false)] {
        let seek = Seek { weight: 30.0, target: target.into() };
        let agent = resting("agent", [0.0, 30.0], 0.0).radius(2.0).behavior(seek);
        let wall = Wall::new([[-50.0, 0.0], [50.0, 0.0]]).two_sided();
        let mut crowd = open([agent]).wall(wall).solid(true).build().unwrap();
        crowd.set(Vector::Position, id(0), [0.0, 1.0]).unwrap();
        crowd.set(Number::Radius, id(0), 5.0).unwrap();
        let mut least = 1.0;
        for _ in 0..120 {
            crowd.step().unwrap();
            let [_, y] = position(&crowd, 0);
            assert!(y >= least - 1.0e-6, "{y} after {least}");
            least = y.min(5.0);
        }
        assert_eq!(least >= 5.0, leaves, "{least}");
    }
    let seek = Seek { weight: 30.0, target: [300.0, 0.0].into() };
    let mut crowd = open([strong(seek)])
        .obstacle(Obstacle::new([100.0, 0.0], 30.0))
        .solid(true)
        .build()
        .unwrap();
    crowd.set(Vector::Position, id(0), [90.0, 3.0]).unwrap();
    for _ in 0..60 {
        let before = distance(position(&crowd, 0), [100.0, 0.0]);
        crowd.step().unwrap();
        let after = distance(position(&crowd, 0), [100.0, 0.0]);
        assert!(after >= before - 1.0e-4, "{after} after {before}");
    }
}

/// A chain of walls along x, each one unit long.
fn chain(segments: u32) -> Wall {
    let half = segments as f32 / 2.0;
    Wall::new((0..=segments).map(|k| [k as f32 - half, 0.0]).collect::<Vec<_>>()).two_sided()
}

fn around(center: [f32; 2], radius: f32, count: u32) -> Vec<[f32; 2]> {
    let angle = |k: u32| TAU * k as f32 / count as f32;
    let point = |a: f32| [center[0] + radius * a.cos(), center[1] + radius * a.sin()];
    (0..count).map(angle).map(point).collect()
}

/// Scenery that overlaps an agent of radius 5 at (0, 4), but none of radius 0.5.
fn below() -> Vec<(&'static str, Scene)> {
    let empty = open([]).solid(true);
    let wall = |wall| empty.clone().wall(wall);
    let obstacles = |centers: Vec<[f32; 2]>| {
        let obstacles = centers.into_iter().map(|center| Obstacle::new(center, 1.0));
        obstacles.fold(empty.clone(), Scene::obstacle)
    };
    vec![
        ("one wall", wall(chain(1))),
        ("two walls", wall(chain(2))),
        ("three walls", wall(chain(3))),
        ("40 walls", wall(chain(40))),
        ("a ring of walls", wall(Wall::new(around([0.0, -3.0], 3.0, 12)).closed().two_sided())),
        ("three obstacles", obstacles(vec![[-1.5, -1.0], [0.0, -1.0], [1.5, -1.0]])),
        ("a ring of obstacles", obstacles(around([0.0, -4.0], 3.0, 12))),
    ]
}

#[test]
fn agents_leave_any_number_of_solids_that_they_have_come_to_overlap() {
    let agent = |y: f32, radius: f32| one("agent", [0.0, y], 90.0).radius(radius).max_speed(10.0);
    let large = Species::new("large", 0).radius(5.0).max_speed(10.0);
    type Overlap<'a> = &'a dyn Fn(&Scene) -> Simulation;
    let ways: [(&str, Overlap<'_>); 7] = [
        ("set radius", &|scene| {
            let mut crowd = scene.clone().species(agent(4.0, 0.5)).build().unwrap();
            crowd.set(Number::Radius, id(0), 5.0).unwrap();
            crowd
        }),
        ("set position", &|scene| {
            let mut crowd = scene.clone().species(agent(40.0, 5.0)).build().unwrap();
            crowd.set(Vector::Position, id(0), [0.0, 4.0]).unwrap();
            crowd
        }),
        ("spawn", &|scene| {
            let mut crowd = scene.clone().species(large.clone()).build().unwrap();
            assert_eq!(crowd.spawn("large", [0.0, 4.0], [0.0, 1.0]), Ok(id(0)));
            crowd
        }),
        ("set_species", &|scene| {
            let mut crowd = scene.clone().species(agent(4.0, 0.5)).build().unwrap();
            crowd.set_species(&agent(4.0, 5.0)).unwrap();
            crowd
        }),
        ("change_species", &|scene| {
            let scene = scene.clone().species(agent(4.0, 0.5)).species(large.clone());
            let mut crowd = scene.build().unwrap();
            crowd.change_species(&[id(0)], "large").unwrap();
            crowd
        }),
        ("set_solid", &|scene| {
            let scene = Scene { solid: false, ..scene.clone() }.species(agent(4.0, 5.0));
            let mut crowd = scene.build().unwrap();
            crowd.edit(|scene| scene.solid = true).unwrap();
            crowd
        }),
        ("set_scenery", &|scene| {
            let mut crowd = open([agent(4.0, 5.0)]).solid(true).build().unwrap();
            crowd.set_scenery(scene).unwrap();
            crowd
        }),
    ];
    for (solids, scene) in below() {
        for (way, overlap) in ways {
            let mut crowd = overlap(&scene);
            crowd.run(60).unwrap();
            let [x, y] = position(&crowd, 0);
            // Scenery that is moved onto an agent pushes it out by one unit.
            let end = if way == "set_scenery" { 15.0 } else { 14.0 };
            assert!(x.abs() < 1.0e-3 && (y - end).abs() < 1.0e-3, "{solids}, {way}: {x}, {y}");
            assert!((speed(&crowd, 0) - 10.0).abs() < 1.0e-3, "{solids}, {way}");
        }
    }
}

#[test]
fn agents_at_rest_hardly_move_however_many_solids_they_overlap() {
    for (solids, scene) in below() {
        let mut crowd =
            scene.species(resting("agent", [0.0, 4.0], 90.0).radius(0.5)).build().unwrap();
        crowd.set(Number::Radius, id(0), 5.0).unwrap();
        crowd.run(60).unwrap();
        let moved = distance(position(&crowd, 0), [0.0, 4.0]);
        assert!(moved < 60.0 * 4.0 * 5.0 * f32::EPSILON, "{solids}: {moved}");
    }
}

#[test]
fn agents_slide_off_any_number_of_overlapped_solids_and_get_no_deeper() {
    for segments in [1, 3, 9, 60] {
        for target in [[300.0, 4.0], [-300.0, -20.0], [300.0, 300.0]] {
            let seek = Seek { weight: 30.0, target: target.into() };
            let agent = resting("agent", [0.0, 4.0], 0.0).radius(0.5).behavior(seek);
            let mut crowd = open([agent]).wall(chain(segments)).solid(true).build().unwrap();
            crowd.set(Number::Radius, id(0), 5.0).unwrap();
            let context = format!("{segments} walls, to {target:?}");
            let half = segments as f32 / 2.0;
            let mut least = 4.0;
            for _ in 0..240 {
                crowd.step().unwrap();
                let [x, y] = position(&crowd, 0);
                let clearance = (x - x.clamp(-half, half)).hypot(y);
                assert!(clearance >= least - 1.0e-5, "{context}: {clearance} after {least}");
                least = clearance.min(5.0);
            }
            let [x, y] = position(&crowd, 0);
            assert!(x.abs() > half + 5.0, "{context}: {x}, {y}");
        }
    }
}

#[test]
fn pushes_longer_than_a_torus_is_wide_end_outside_obstacles() {
    for seed in 0..20 {
        let species = Species::new("agent", 60).radius([1.0, 40.0]).behavior(Wander::default());
        let scene = Scene::new(World::torus(13.0, 400.0)).seed(seed).species(species).solid(true);
        let scene = scene.obstacle(Obstacle::new([6.0, 200.0], 5.0)).non_penetration(3);
        let mut crowd = scene.build().unwrap();
        for step in 0..20 {
            crowd.step().unwrap();
            assert_clear(&crowd, &format!("seed {seed}, step {step}"));
        }
    }
}

#[test]
fn slides_end_at_the_edge_of_a_bounded_world() {
    // The agent slides down along x + y = 60.
    let agent = one("agent", [20.0, 10.0], 0.0).radius(1.0).max_speed(3_600.0);
    let wall = Wall::new([[0.0, 60.0], [70.0, -10.0]]).two_sided();
    let scene = Scene::new(World::bounded(100.0, 100.0)).species(agent).wall(wall).solid(true);
    let mut crowd = scene.build().unwrap();
    crowd.step().unwrap();
    let expected = [60.0 - 2.0_f32.sqrt(), 0.0];
    assert!(distance(position(&crowd, 0), expected) < 1.0e-3, "{:?}", position(&crowd, 0));
}

#[test]
fn overlapped_solids_move_no_agent_out_of_a_bounded_world() {
    let agent = resting("agent", [0.0, 50.0], 0.0).radius(0.5);
    let wall = Wall::new([[4.0, 0.0], [4.0, 100.0]]).two_sided();
    let scene = Scene::new(World::bounded(100.0, 100.0)).species(agent).wall(wall).solid(true);
    let mut crowd = scene.build().unwrap();
    crowd.set(Number::Radius, id(0), 5.0).unwrap();
    crowd.run(10).unwrap();
    assert_eq!(position(&crowd, 0), [0.0, 50.0]);
}

#[test]
fn velocity_loses_the_parts_into_all_solids_met() {
    // The agent slides along the floor, then up the ramp.
    let agent = one("agent", [0.0, 10.0], -45.0).radius(1.0).max_speed(8_400.0);
    let wall = Wall::new([[-500.0, 0.0], [50.0, 0.0], [150.0, 100.0]]).two_sided();
    let mut crowd = open([agent]).wall(wall).solid(true).build().unwrap();
    crowd.step().unwrap();
    let state = crowd.agent(id(0)).unwrap();
    let up = 8_400.0 * 0.5_f32.sqrt() / 2.0;
    assert!(distance(flat(state.velocity), [up, up]) < 0.1, "{state:?}");
    assert!(state.position[1] > 10.0, "{state:?}");
}

#[test]
fn a_fast_and_a_large_agent_meet_the_same_solids_by_any_method() {
    for world in [World::torus, World::bounded, World::open].map(|world| world(1_000.0, 600.0)) {
        let walkers = Species::new("walker", 150).radius(2.0).behavior(Wander::default());
        let runner = Species::new("runner", 1).max_speed(30_000.0).behavior(Wander::default());
        let giant = Species::new("giant", 1).radius(40.0).behavior(Wander::default());
        let mut scene = Scene::new(world).species(walkers).solid(true).non_penetration(1);
        for k in 0..60 {
            let at = [50.0 + 15.0 * k as f32, 20.0 + 97.0 * (k % 6) as f32];
            scene = scene.obstacle(Obstacle::new(at, 4.0));
        }
        scene = scene.wall(Wall::new([[-10.0, 300.0], [30.0, 320.0]]).two_sided());
        for other in [runner, giant] {
            assert_variants_agree(&scene.clone().species(other), 20);
        }
    }
}

#[test]
fn starts_behind_a_one_sided_wall_may_overlap_it() {
    // The front of the wall faces up.
    let wall = Wall::new([[-50.0, 0.0], [50.0, 0.0]]);
    for (y, is_free) in [(1.0, false), (-1.0, true)] {
        let scene = open([one("agent", [0.0, y], 0.0).radius(3.0)]).wall(wall.clone()).solid(true);
        assert_eq!(scene.build().is_ok(), is_free, "{y}");
    }
}

#[test]
fn one_sided_walls_hold_from_their_front_and_let_through_from_behind() {
    for (from, to, passes) in [(20.0, -100.0, false), (-20.0, 100.0, true)] {
        let seek = Seek { weight: 20.0, target: [0.0, to].into() };
        let agent = resting("agent", [0.0, from], 0.0).radius(3.0).behavior(seek);
        // The front of the wall faces up.
        let wall = Wall::new([[-50.0, 0.0], [50.0, 0.0]]);
        let mut crowd = open([agent]).wall(wall).solid(true).build().unwrap();
        crowd.run(120).unwrap();
        let [_, y] = position(&crowd, 0);
        assert_eq!(y * from < 0.0, passes, "{y} from {from}");
    }
}

#[test]
fn solid_scenery_acts_across_the_seam_of_a_torus() {
    for (x, wall) in [(995.0, [5.0, 5.0]), (5.0, [995.0, 995.0]), (900.0, [1_005.0, 1_005.0])] {
        let seek = Seek { weight: 20.0, target: [wall[0], 500.0].into() };
        let agent = resting("agent", [x, 500.0], 0.0).radius(2.0).behavior(seek);
        let wall = Wall::new([[wall[0], 400.0], [wall[1], 600.0]]).two_sided();
        let scene =
            Scene::new(World::torus(1_000.0, 1_000.0)).species(agent).wall(wall).solid(true);
        for passes in [0, 2] {
            let mut crowd = scene.clone().non_penetration(passes).build().unwrap();
            for step in 0..240 {
                crowd.step().unwrap();
                assert_clear(&crowd, &format!("from {x}, {passes} passes, step {step}"));
            }
        }
    }
}

#[test]
fn a_step_of_nearly_a_whole_torus_meets_the_wall_that_it_started_behind() {
    // Moves from 20 to 1,015, past the next image of the wall at 1,010.
    let agent = one("agent", [20.0, 500.0], 0.0).radius(2.0).max_speed(995.0 * 60.0);
    let wall = Wall::new([[10.0, 400.0], [10.0, 600.0]]).two_sided();
    let scene = Scene::new(World::torus(1_000.0, 1_000.0)).species(agent).wall(wall);
    for (scene, expected) in [(scene.clone(), 15.0), (scene.solid(true), 8.0)] {
        let mut crowd = scene.build().unwrap();
        crowd.step().unwrap();
        assert!((position(&crowd, 0)[0] - expected).abs() < 0.01, "{:?}", position(&crowd, 0));
    }
}

#[test]
fn walls_of_half_a_torus_are_refused_if_solid() {
    let scene = |length: f32| {
        let wall = Wall::new([[100.0, 100.0], [100.0 + length, 100.0]]);
        Scene::new(World::torus(1_000.0, 800.0)).species(Species::new("agent", 3)).wall(wall)
    };
    assert!(scene(500.0).build().is_ok(), "they only repel");
    assert!(scene(499.0).solid(true).build().is_ok());
    let message = scene(500.0).solid(true).build().unwrap_err().to_string();
    assert!(
        message.contains("walls[0].points[1]") && message.contains("less than 500"),
        "{message}"
    );
    let mut crowd = scene(500.0).build().unwrap();
    assert!(crowd.edit(|scene| scene.solid = true).is_err());
    let mut crowd = scene(499.0).solid(true).build().unwrap();
    assert!(crowd.set_scenery(&scene(600.0)).is_err());

    let upright = |height: f32| {
        let wall = Wall::new([[100.0, 100.0], [110.0, 100.0 + height]]);
        Scene::new(World::torus(1_000.0, 800.0)).wall(wall).solid(true).build()
    };
    assert!(upright(399.0).is_ok());
    assert!(upright(-400.0).unwrap_err().to_string().contains("400 up or down"));
    // Regression: a polygon that is too deep was told only the limits that it satisfies.
    let polygon = Wall::new([[10.0, 10.0, 5.0], [40.0, 10.0, 5.0], [40.0, 10.0, 35.0]]);
    let deep = Scene::new(World::torus(200.0, 200.0).depth(50.0)).wall(polygon).solid(true);
    assert!(deep.build().unwrap_err().to_string().contains("and 25 along z"));
    // The closing wall is too long.
    let corners = [[100.0, 100.0], [400.0, 150.0], [700.0, 100.0]];
    let closed = Scene::new(World::torus(1_000.0, 800.0)).wall(Wall::new(corners).closed());
    assert!(closed.solid(true).build().unwrap_err().to_string().contains("walls[0].points[0]"));
    let scattered = |longest: f32| {
        let walls = Scattered { size: [20.0, longest], ..Scattered::default() };
        let scatter = Some(Scatter { walls: Some(walls), ..Scatter::default() });
        Scene { scatter, ..Scene::new(World::torus(1_000.0, 800.0)) }.solid(true).build()
    };
    assert!(scattered(399.0).is_ok());
    assert!(scattered(400.0).unwrap_err().to_string().contains("scatter.walls.size[1]"));
}

#[test]
fn random_starts_are_clear_of_solid_scenery_or_refused() {
    let species = Species::new("agent", 400).radius([1.0, 8.0]);
    let mut scene = Scene::new(World::bounded(400.0, 400.0)).species(species).solid(true);
    scene = scene.wall(Wall::new([[200.0, 0.0], [200.0, 400.0]]).two_sided());
    scene = scene.obstacle(Obstacle::new([100.0, 100.0], 60.0));
    assert_clear(&scene.build().unwrap(), "start");

    let full = Species { start: Start::in_circle([100.0, 100.0], 40.0), ..Species::new("b", 2) };
    let message = scene.species(full).build().unwrap_err().to_string();
    assert!(message.contains("species[1].start") && message.contains("agent #400.0"), "{message}");
}

#[test]
fn solid_scenery_is_a_parameter_like_others() {
    let text = jam().solid(true).to_toml();
    assert!(text.contains("solid = true"), "{text}");
    assert_eq!(Scene::parse(&text, "jam.toml").unwrap(), jam().solid(true));
    let mut set = jam().build().unwrap();
    set.edit(|scene| scene.solid = true).unwrap();
    let mut crowd = jam().solid(true).build().unwrap();
    assert!(crowd.scene().solid);
    set.run(20).unwrap();
    crowd.run(20).unwrap();
    assert_eq!(set.state_hash(), crowd.state_hash());
    let mut restored = Snapshot::from_bytes(&crowd.snapshot().to_bytes()).unwrap().build().unwrap();
    restored.run(20).unwrap();
    crowd.run(20).unwrap();
    assert_eq!(restored.state_hash(), crowd.state_hash());
    // Solidity changes nothing for agents that meet no scenery.
    let free = |scene: Scene| hash_after(&scene, 30, |_| {});
    let alone = Scene::new(World::torus(1.0e3, 1.0e3)).species(Species::new("agent", 30));
    assert_eq!(free(alone.clone()), free(alone.solid(true)));
    assert_eq!(ids(&set).len(), 600);
}
