use flockwork::behaviors::{OffsetPursuit, Separation};
use flockwork::inspect::{Feature, Shape};
use flockwork::{Combine, OwnTarget, Scene, Species, Start, StartPlace, Target, World};

use crate::common::agents::{CALM, flat, force, id, one, resting, speed, strong};
use crate::common::measures::distance;
use crate::common::scenes::{in_frame_of_leader, leader_on_a_bent_way, open};

#[test]
fn offset_pursuit_holds_a_formation_through_a_turn_of_the_leader() {
    let pursuit = OffsetPursuit {
        weight: CALM,
        leader: Target::member("leader", 0),
        abreast: 3,
        spacing: 25.0,
        ..OffsetPursuit::default()
    };
    let place = StartPlace::Box { low: [-150.0, -60.0].into(), high: [-50.0, 60.0].into() };
    let wing = Species {
        start: Start { place, ..Start::default() },
        ..Species::new("wing", 9).behavior(pursuit)
    };
    let mut simulation = leader_on_a_bent_way(wing);
    let mut check = |steps: u64, headed: usize| {
        simulation.run(steps).unwrap();
        assert!(simulation.agent(id(0)).unwrap().heading[headed] > 0.999);
        let places: Vec<[f32; 2]> =
            (1..=9).map(|agent| in_frame_of_leader(&simulation, agent)).collect();
        for (k, at) in (0_u8..).zip(&places) {
            let wanted = [-30.0 - 25.0 * f32::from(k / 3), 25.0 * (f32::from(k % 3) - 1.0)];
            // All followers lag equally, by less than 0.3 s, the time constant of `arrive`.
            assert!((0.0..18.0).contains(&(wanted[0] - at[0])), "{k}: {at:?}, not {wanted:?}");
            assert!((wanted[1] - at[1]).abs() < 0.5, "{k}: {at:?}, not {wanted:?}");
            let late = wanted[0] - at[0] - (-30.0 - places[1][0]);
            assert!(late.abs() < 0.5, "{k} is out of formation by {late}");
        }
    };
    check(420, 0);
    // After the bend, followers have 10 s to regain formation.
    check(60 * 16, 1);
}

/// Both speeds are constant, and the follower's place is straight ahead of it.
#[test]
fn followers_trail_by_what_the_page_says() {
    for u in [20.0_f32, 60.0, 100.0] {
        let pursuit =
            OffsetPursuit { leader: Target::member("leader", 0), ..OffsetPursuit::default() };
        let leader = one("leader", [0.0, 0.0], 0.0).max_speed(u);
        let follower = one("follower", [-60.0, 0.0], 0.0).behavior(pursuit);
        let mut crowd = open([leader, follower]).build().unwrap();
        crowd.run(900).unwrap();
        let trails = -30.0 - in_frame_of_leader(&crowd, 1)[0];
        let wanted = 0.3 * u / (1.0 + u / (150.0 + u));
        assert!((trails - wanted).abs() < 0.01, "{trails} of {wanted} units at {u} units/s");
    }
}

/// Separation from its followers makes an agent tremble, and its heading swings their places.
#[test]
fn a_file_rests_unless_its_agents_keep_away_from_their_followers() {
    let fastest = |separation: Option<Separation>| {
        let pursuit =
            OffsetPursuit { leader: Target::Own, offset: [-20.0, 0.0], ..OffsetPursuit::default() };
        let leader = resting("leader", [500.0, 400.0], 0.0);
        let place = StartPlace::Box { low: [300.0, 300.0].into(), high: [450.0, 500.0].into() };
        let start = Start { place, ..Start::default() };
        let mut file = Species::new("file", 6);
        file.behaviors.extend(separation.map(Into::into));
        let own_target = Some(OwnTarget::SingleFile("leader".into()));
        let file = Species { start, own_target, ..file.behavior(pursuit) };
        let mut crowd = open([file, leader]).build().unwrap();
        crowd.run(3_600).unwrap();
        (0..6).map(|index| speed(&crowd, index)).fold(0.0, f32::max)
    };
    let (apart, alone) = (fastest(Some(Separation::default())), fastest(None));
    println!("{apart} units/s with separation, {alone} without");
    assert!(alone < 0.01, "{alone}");
    assert!(apart > 30.0, "the page says that they run: {apart}");
}

#[test]
fn defect_12_offset_pursuit_counts_its_weight_in_every_sum() {
    for combine in [Combine::Prioritized, Combine::WeightedSum] {
        let with = |weight: f32| {
            let leader = Target::member("leader", 0);
            let pursuit = OffsetPursuit { weight, leader, ..OffsetPursuit::default() };
            let leader = one("leader", [300.0, 40.0], 90.0);
            let scene = open([strong(pursuit).combine(combine), leader]);
            force(&scene.build().unwrap(), id(0))
        };
        let ([x, y], [x_thrice, y_thrice]) = (with(1.0), with(3.0));
        assert!(x != 0.0 && y != 0.0);
        assert!((x_thrice - 3.0 * x).abs() < 1.0e-3 && (y_thrice - 3.0 * y).abs() < 1.0e-3);
    }
}

/// The leader heads up, so the follower's place is 30 below the leader and 10 to its left.
#[test]
fn offset_pursuit_arrives_where_its_place_will_be() {
    let leader = Target::member("leader", 0);
    let offset = [-30.0, 10.0];
    let pursuit = OffsetPursuit { weight: 1.0, leader, offset, ..OffsetPursuit::default() };
    let follower = resting("agent", [0.0, -30.0], 0.0).max_force(1.0e6).behavior(pursuit);
    let leader = one("leader", [100.0, 0.0], 90.0).max_speed(60.0);
    let why = open([follower, leader]).build().unwrap().explain(id(0)).unwrap();
    let mark = |what: Feature| {
        let points = why.contributions[0].marks.iter().filter(|mark| mark.feature == what);
        points.map(|mark| mark.shape).find_map(|shape| match shape {
            Shape::Point(at) => Some(at),
            _ => None,
        })
    };
    let goal = mark(Feature::Goal).unwrap();
    assert!(distance(flat(goal), [90.0, -30.0]) < 1.0e-3, "{goal:?}");
    // The goal is 90 units away; the speeds are 150 and 60 units/s.
    let up = 60.0 * 90.0 / (150.0 + 60.0);
    let predicted = mark(Feature::Predicted).unwrap();
    assert!(distance(flat(predicted), [90.0, -30.0 + up]) < 1.0e-3, "{predicted:?}");
    let expected = [90.0, up].map(|part| 150.0 * part / up.hypot(90.0));
    assert!(distance(flat(why.force), expected) < 1.0e-2, "{:?}", why.force);
}

#[test]
fn offset_pursuit_takes_the_short_way_across_the_seam() {
    // Both agents start far from the seam; the shifts move them across it.
    let force_moved_by = |shift: [f32; 2]| {
        let moved = |[x, y]: [f32; 2]| [x + shift[0], y + shift[1]];
        let leader = Target::member("leader", 0);
        let pursuit = OffsetPursuit {
            weight: 1.0,
            leader,
            offset: [-25.0, 15.0],
            ..OffsetPursuit::default()
        };
        let agent = resting("agent", moved([100.0, 150.0]), 0.0).max_force(1.0e6).behavior(pursuit);
        let leader = one("leader", moved([180.0, 100.0]), 50.0);
        let scene = Scene::new(World::torus(300.0, 240.0)).species(agent).species(leader);
        force(&scene.build().unwrap(), id(0))
    };
    let [x, y] = force_moved_by([0.0, 0.0]);
    assert!(x > 10.0 && y.abs() > 10.0, "{x}, {y}");
    for (column, row) in (0..15_u8).flat_map(|column| (0..12_u8).map(move |row| (column, row))) {
        let shift = [column, row].map(|steps| f32::from(steps) * 20.0);
        let [moved_x, moved_y] = force_moved_by(shift);
        let off = (moved_x - x).hypot(moved_y - y);
        assert!(off < 1.0e-2, "[{moved_x}, {moved_y}], not [{x}, {y}], moved by {shift:?}");
    }
}
