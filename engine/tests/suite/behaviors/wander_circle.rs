use flockwork::behaviors::Wander;
use flockwork::inspect::{Feature, Shape};
use flockwork::{Scene, Simulation, Species, World};

use crate::common::agents::{flat, id, one};
use crate::common::measures::distance;
use crate::common::scenes::open;

fn circle(simulation: &Simulation) -> ([f32; 2], f32, [f32; 2]) {
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
    (flat(center), radius, flat(target.unwrap()))
}

#[test]
fn wander_points_to_a_target_that_moves_along_a_circle_ahead() {
    for (scaled, bounding_radius, scale) in [(true, 3.0, 3.0), (true, 9.0, 9.0), (false, 9.0, 1.0)]
    {
        let wander = Wander { weight: 1.0, jitter: 10.0, scaled, ..Wander::default() };
        let agent = one("agent", [0.0, 0.0], 0.0).radius(bounding_radius).max_force(1.0e6);
        let mut simulation = open([agent.behavior(wander)]).build().unwrap();
        let mut before = [0.0; 2];
        for step in 0..200 {
            let (center, radius, target) = circle(&simulation);
            let state = simulation.agent(id(0)).unwrap();
            let offset = |at: [f32; 2]| [0, 1].map(|axis| at[axis] - state.position[axis]);
            let ahead = flat(state.heading).map(|part| part * 2.0 * scale);
            assert!((radius - 1.2 * scale).abs() < 1.0e-4, "{radius}");
            assert!(distance(offset(center), ahead) < 1.0e-3, "ahead of the agent");
            assert!((distance(target, center) - radius).abs() < 1.0e-3, "on the circle");
            let force = simulation.explain(id(0)).unwrap().force;
            assert!(distance(flat(force), offset(target)) < 1.0e-3, "the way to it is the force");
            // The displacement is measured in the agent's own frame. Projection back onto the
            // circle shortens it, or stretches it by at most 1.2/(1.2 − 0.24).
            let [x, y] = offset(target);
            let [hx, hy, _] = state.heading;
            let own = [x * hx + y * hy, y * hx - x * hy];
            let moved = distance(own, before);
            let most = 2.0_f32.sqrt() * 10.0 / 60.0 * scale * 1.3;
            assert!(step == 0 || (moved > 0.0 && moved < most), "{moved} at most {most}");
            before = own;
            simulation.step().unwrap();
        }
    }
}

/// Turn angles in radians, one per step: a list for each agent.
fn turns(wander: &Wander) -> Vec<Vec<f32>> {
    let species = Species::new("agent", 60).view_distance(0.01).behavior(wander.clone());
    let scene = Scene::new(World::open(1.0e3, 1.0e3)).species(species);
    let mut simulation = scene.build().unwrap();
    let headings = |s: &Simulation| -> Vec<[f32; 2]> {
        (0..60).map(|agent| flat(s.agent(id(agent)).unwrap().heading)).collect()
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

/// The nearer the wander circle, the further the force points from straight ahead. Turns get
/// sharper only if the maximum force clamps the force, as with the book's weights; otherwise, the
/// lateral part stays the same.
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
    let same_side = |jitter: f32| {
        let wander = Wander { weight: 20.0, jitter, ..Wander::default() };
        let pairs = turns(&wander).into_iter().map(|list| {
            list.windows(2).filter(|pair| pair[0] * pair[1] > 0.0).count() as f32 / 299.0
        });
        pairs.sum::<f32>() / 60.0
    };
    // A jitter far larger than the circle draws a new direction in every step.
    let (wander, random) = (same_side(5.0), same_side(1.0e6));
    assert!(wander > 0.9, "{wander}");
    assert!((0.4..0.6).contains(&random), "{random}");
}
