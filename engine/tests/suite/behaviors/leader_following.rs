use flockwork::behaviors::{LeaderFollowing, Separation};
use flockwork::{Simulation, Species, Start, StartPlace, Target};

use crate::common::agents::{force, id, resting};
use crate::common::scenes::{in_frame_of_leader, leader_on_a_bent_way, open};

#[test]
fn followers_end_behind_their_leader_and_out_of_its_way() {
    let follow =
        LeaderFollowing { leader: Target::member("leader", 0), ..LeaderFollowing::default() };
    let place = StartPlace::Box { low: [5.0, -18.0].into(), high: [55.0, 18.0].into() };
    let followers = Species {
        start: Start { place, heading: Some(0.0), speed: Some(0.0) },
        ..Species::new("followers", 12)
            .view_distance(20.0)
            .behavior(Separation { weight: 500.0, ..Separation::default() })
            .behavior(follow)
    };
    let mut simulation = leader_on_a_bent_way(followers);
    let in_its_way = |s: &Simulation| {
        let offset = |agent| in_frame_of_leader(s, agent);
        (1..=12)
            .filter(|&k| offset(k)[0] > 0.0 && offset(k)[0] < 60.0 && offset(k)[1].abs() < 20.0)
            .count()
    };
    assert_eq!(in_its_way(&simulation), 12);
    simulation.run(45).unwrap();
    assert_eq!(in_its_way(&simulation), 0, "they leave it at once");
    simulation.run(60 * 20).unwrap();
    for _ in 0..300 {
        simulation.step().unwrap();
        for agent in 1..=12 {
            let [ahead, aside] = in_frame_of_leader(&simulation, agent);
            assert!(ahead < 0.0 && ahead > -120.0 && aside.abs() < 60.0, "{ahead}, {aside}");
        }
    }
}

#[test]
fn a_follower_exactly_ahead_of_its_leader_steps_to_its_left() {
    let follow = LeaderFollowing {
        weight: 1.0,
        leader: Target::member("leader", 0),
        ..LeaderFollowing::default()
    };
    let follower = resting("follower", [20.0, 0.0], 0.0).max_force(1.0e6).behavior(follow);
    let simulation = open([resting("leader", [0.0, 0.0], 0.0), follower]).build().unwrap();
    let [along, across] = force(&simulation, id(1));
    assert!(along == 0.0 && across > 1.0, "{along}, {across}");
}
