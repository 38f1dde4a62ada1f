//! Look-ahead steers around obstacles.

use flockwork::LookAhead;

use crate::common::agents::id;
use crate::common::scenes::{inside_an_obstacle, share_inside_obstacles};

#[test]
fn look_ahead_of_no_length_still_gets_out_of_an_obstacle() {
    let look = LookAhead { weight: 1.0, max_see_ahead: 0.0, max_avoid_force: 400.0 };
    let mut simulation = inside_an_obstacle(look);
    let force = simulation.explain(id(0)).unwrap().force;
    assert_eq!(simulation.reference_step(id(0)).unwrap().force, [400.0, 0.0]);
    assert_eq!(force, [400.0, 0.0]);
}

#[test]
fn looking_ahead_keeps_a_crowd_out_of_obstacles() {
    let idle = share_inside_obstacles(None);
    let look = share_inside_obstacles(Some(LookAhead::default().into()));
    // The line ahead is thin, so agents graze what they pass.
    assert!(look < 0.03 && look < idle / 5.0, "{look} against {idle}");
}
