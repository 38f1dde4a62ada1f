//! Leader following, as specified.

use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::leader_following::LeaderFollowing;
use crate::oracle::agent::Oracle;
use crate::oracle::arrive;
use crate::oracle::vector::{V, dot, perp, scale, sub};

pub(super) fn force(following: &LeaderFollowing, oracle: &mut Oracle<'_>) -> V {
    let Some((position, _, heading)) = oracle.target(&following.leader) else {
        return [0.0; 2];
    };
    let from_leader = scale(oracle.way_to(position), -1.0);
    let side = perp(heading);
    let (ahead, across) = (dot(from_leader, heading), dot(from_leader, side));
    let room = [following.clear_ahead, following.clear_aside].map(f64::from);
    oracle.decides(ahead, room[0]);
    oracle.decides(ahead + room[0], room[0]);
    oracle.decides(across.abs(), room[1]);
    oracle.decides(across + room[1], room[1]);
    let in_way = (0.0..f64::from(following.clear_ahead)).contains(&ahead)
        && ahead > 0.0
        && across.abs() < f64::from(following.clear_aside);
    if in_way {
        let sign = if across < 0.0 { -1.0 } else { 1.0 };
        return sub(scale(side, sign * oracle.max_speed()), oracle.velocity());
    }
    let behind = sub(position, scale(heading, f64::from(following.distance)));
    arrive::along(oracle, oracle.way_to(behind), Deceleration::Normal)
}
