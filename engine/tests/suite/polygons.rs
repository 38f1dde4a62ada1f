//! Walls that are convex polygons, in worlds with depth.

use flockwork::behaviors::{Feelers, Seek, WallAvoidance, Wander};
use flockwork::{AgentOrder, InSpace, Scene, Simulation, Species, Vector, Wall, World};

use crate::common::refusals::refused;

fn pool(species: Species) -> Scene {
    Scene::new(World::open(200.0, 200.0).depth(100.0)).species(species)
}

/// A large ramp that rises along x; at x = 0, it is at z = 20.
fn ramp() -> Wall {
    let (low, high) = (-1_000.0, 1_000.0);
    Wall::new([[low, low, -180.0], [high, low, 220.0], [high, high, 220.0], [low, high, -180.0]])
}

fn height_over_ramp([x, _, z]: [f32; 3]) -> f32 {
    (z - (20.0 + x * 0.2)) / (1.0_f32 + 0.2 * 0.2).sqrt()
}

fn positions(crowd: &Simulation) -> Vec<[f32; 3]> {
    crowd.get_all(InSpace(Vector::Position), AgentOrder::Id).unwrap()
}

#[test]
fn a_solid_ramp_holds_agents_that_dive_at_any_speed() {
    for max_speed in [50.0, 500.0, 5_000.0] {
        let diver = Species::new("diver", 200)
            .behavior(Wander::default())
            .behavior(Seek { target: [100.0, 100.0, -500.0].into(), ..Seek::default() })
            .radius(2.0)
            .max_speed(max_speed)
            .max_force(1.0e5);
        let mut crowd = pool(diver).wall(ramp().two_sided()).solid(true).build().unwrap();
        // Too far from the ramp's edges to get around one in a step.
        let inside = -900.0..900.0;
        let mut held = 0;
        for step in 0..100 {
            let start = positions(&crowd);
            crowd.step().unwrap();
            for (from, at) in start.into_iter().zip(positions(&crowd)) {
                let [x, y, _] = at;
                let is_over_ramp = |[x, y, _]: [f32; 3]| inside.contains(&x) && inside.contains(&y);
                if height_over_ramp(from) > 0.0 && is_over_ramp(from) && is_over_ramp(at) {
                    held += 1;
                    let height = height_over_ramp(at);
                    assert!(height > 1.99, "step {step}, at {max_speed}: {height} at {x}, {y}");
                }
            }
        }
        assert!(held > 100, "{held} times at {max_speed}");
    }
}

/// Final position of an agent of radius 5 that moves without forces near a level square at height
/// 50, which is two-sided and solid.
fn beside_a_floor(at: [f32; 3], heading: [f32; 3]) -> [f32; 3] {
    let corners = [[0.0, 0.0, 50.0], [100.0, 0.0, 50.0], [100.0, 100.0, 50.0], [0.0, 100.0, 50.0]];
    let scene = pool(Species::new("ball", 0).radius(5.0).max_speed(60.0));
    let mut crowd = scene.wall(Wall::new(corners).two_sided()).solid(true).build().unwrap();
    let ball = crowd.spawn("ball", at, heading).unwrap();
    crowd.run(90).unwrap();
    crowd.agent(ball).unwrap().position
}

#[test]
fn an_agent_in_the_plane_of_a_floor_stops_at_its_edge() {
    let [x, y, z] = beside_a_floor([-50.4, 40.0, 50.0], [1.0, 0.0, 0.0]);
    assert!((x + 5.0).abs() < 1.0e-3 && [y, z] == [40.0, 50.0], "{x}, {y}, {z}");
}

#[test]
fn a_two_sided_floor_holds_agents_above_and_below() {
    for (from, up, held) in [(80.4, -1.0, 55.0), (19.6, 1.0, 45.0)] {
        let [x, y, z] = beside_a_floor([30.0, 40.0, from], [0.0, 0.0, up]);
        assert!((z - held).abs() < 1.0e-3 && [x, y] == [30.0, 40.0], "{x}, {y}, {z}");
        // The agent slides along the floor without sinking through it.
        let [x, y, z] = beside_a_floor([30.0, 40.0, from], [0.5, 0.0, up]);
        assert!((z - held).abs() < 1.0e-3 && x > 60.0 && y == 40.0, "{x}, {y}, {z}");
    }
}

#[test]
fn feelers_up_and_down_keep_agents_off_a_floor_and_a_ceiling() {
    let floor =
        |z: f32| Wall::new([[0.0, 0.0, z], [0.0, 200.0, z], [200.0, 200.0, z], [200.0, 0.0, z]]);
    let force_near = |at: [f32; 3], feelers: Feelers| {
        let avoidance = WallAvoidance { feelers, ..WallAvoidance::default() };
        let scene = pool(Species::new("bird", 0).behavior(avoidance));
        let scene = scene.wall(floor(0.0).two_sided()).wall(floor(100.0).two_sided());
        let mut crowd = scene.build().unwrap();
        let bird = crowd.spawn("bird", at, [1.0, 0.0, 0.0]).unwrap();
        crowd.explain(bird).unwrap().force
    };
    let [x, y, z] = force_near([100.0, 100.0, 5.0], Feelers::Three);
    assert!(x == 0.0 && y == 0.0 && z > 0.0, "up from the floor: {z}");
    let [.., z] = force_near([100.0, 100.0, 95.0], Feelers::Three);
    assert!(z < 0.0, "down from the ceiling: {z}");
    assert_eq!(force_near([100.0, 100.0, 50.0], Feelers::Three), [0.0; 3], "out of reach");
    assert_eq!(force_near([100.0, 100.0, 5.0], Feelers::Sweeping), [0.0; 3], "level feelers only");
}

#[test]
fn an_agent_behind_a_one_sided_polygon_is_pulled_through_to_its_front() {
    // Seen from above, the corners run counterclockwise, so the front is up.
    let avoidance = WallAvoidance::default();
    let scene = pool(Species::new("bird", 0).behavior(avoidance)).wall(ramp());
    let mut crowd = scene.build().unwrap();
    let bird = crowd.spawn("bird", [100.0, 100.0, 35.0], [0.0, 1.0, 0.0]).unwrap();
    let [.., z] = crowd.explain(bird).unwrap().force;
    assert!(z > 0.0, "{z}");
}

#[test]
fn polygons_that_are_not_flat_and_convex_are_refused() {
    let corners = [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [9.0, 9.0, 0.0], [0.0, 9.0, 0.0]];
    let refusal = |corners: &[[f32; 3]], closed: bool| {
        let wall = Wall { closed, ..Wall::new(corners.iter().copied()) };
        refused(&pool(Species::new("bird", 1)).wall(wall))
    };
    let mut bent = corners;
    bent[3][2] = 1.0;
    let mut dented = corners;
    dented[2] = [3.0, 3.0, 0.0];
    // A pentagram turns left at every corner.
    let star = [0.0_f32, 144.0, 288.0, 72.0, 216.0].map(|degrees| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        [5.0 + 4.0 * cos, 5.0 + 4.0 * sin, 0.0]
    });
    for (corners, closed, field, allowed) in [
        (&corners[..2], false, "walls[0].points", "at least 3 corners of a polygon"),
        (&corners[..], true, "walls[0].closed", "left out: a polygon is always closed"),
        (&bent[..], false, "walls[0].points", "in one plane"),
        (&dented[..], false, "walls[0].points", "a convex polygon"),
        (&star[..], false, "walls[0].points", "a convex polygon"),
    ] {
        assert_eq!(refusal(corners, closed), (field.to_owned(), allowed.to_owned()));
    }
}
