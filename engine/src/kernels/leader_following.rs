//! Leader following: arrive behind the leader, and step aside when in its way.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters};
use crate::kernels::arrive::Deceleration;
use crate::kernels::{Batch, arrive};
use crate::lanes::Lanes;
use crate::target::Target;
use crate::vec2::Vec2;

/// Follows a leader without getting in its way (Reynolds 1999, "Leader following"). Put
/// [`Separation`](crate::Separation) before it to keep followers apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LeaderFollowing {
    /// Factor of the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// Whom to follow.
    pub leader: Target,
    /// How far behind the leader to arrive, from 0 to 1e5, in world units. Default 30.
    pub distance: f32,
    /// How far ahead of itself the leader wants its way clear, from 0 to 1e5, in world units.
    /// Default 60.
    pub clear_ahead: f32,
    /// How far to either side, from 0 to 1e5, in world units. Default 20.
    pub clear_aside: f32,
}

impl Default for LeaderFollowing {
    fn default() -> Self {
        Self {
            weight: 200.0,
            leader: Target::Nobody,
            distance: 30.0,
            clear_ahead: 60.0,
            clear_aside: 20.0,
        }
    }
}

impl Parameters for LeaderFollowing {
    fn fields(&mut self) -> Vec<Field<'_>> {
        let units = "world units";
        vec![
            Field::weight(&mut self.weight),
            Field::target("leader", &mut self.leader),
            Field::number("distance", &mut self.distance, 0.0, 1.0e5, units),
            Field::number("clear_ahead", &mut self.clear_ahead, 0.0, 1.0e5, units),
            Field::number("clear_aside", &mut self.clear_aside, 0.0, 1.0e5, units),
        ]
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(following: &LeaderFollowing, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (leader, present) = batch.target(&following.leader);
    let behind = leader.heading.mul_add(L::splat(-following.distance), leader.position);
    let follow = arrive::along(batch, batch.way_to(behind), Deceleration::Normal);

    let from_leader = -batch.way_to(leader.position);
    let side = leader.heading.perp();
    let (ahead, across) = (from_leader.dot(leader.heading), from_leader.dot(side));
    let in_its_way = ahead.gt(L::zero())
        & ahead.lt(L::splat(following.clear_ahead))
        & across.abs().lt(L::splat(following.clear_aside));
    let speed = across.ge(L::zero()).select(batch.max_speed(), -batch.max_speed());
    let step_aside = side * speed - batch.velocity();
    Vec2::select(in_its_way, step_aside, follow).keep(present)
}
