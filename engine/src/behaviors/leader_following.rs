use crate::behaviors::arrive;
use crate::behaviors::steer::{Batch, Deceleration, Feature, Force, Lanes, Target, Vec3, behavior};

behavior! {
    /// Follows a leader without getting in its way (Reynolds 1999, "Leader following"). Put
    /// [`Separation`](crate::behaviors::Separation) before this behavior to keep followers apart.
    pub struct LeaderFollowing: "leader_following" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// The leader to follow.
        leader: Target = Target::Unset;
        /// Distance behind the leader at which to arrive.
        distance: f32 = 30.0, 0.0 to 1.0e5 "world units";
        /// Length of the area to keep clear ahead of the leader.
        clear_ahead: f32 = 60.0, 0.0 to 1.0e5 "world units";
        /// Half the width of the area to keep clear ahead of the leader.
        clear_aside: f32 = 20.0, 0.0 to 1.0e5 "world units";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (leader, present) = batch.target(&self.leader);
        let (clear_ahead, clear_aside) = (L::splat(self.clear_ahead), L::splat(self.clear_aside));
        let clear = [leader.heading * clear_ahead, leader.heading.left() * clear_aside];
        batch.draw_box(Feature::ClearArea, leader.position, clear, present);
        let behind = leader.heading.mul_add(L::splat(-self.distance), leader.position);
        let follow = arrive::along(batch, batch.offset_to(behind), Deceleration::Normal);

        let from_leader = -batch.offset_to(leader.position);
        let (ahead, (across, side)) =
            (from_leader.dot(leader.heading), from_leader.across(leader.heading));
        let in_its_way = ahead.gt(L::zero())
            & ahead.lt(clear_ahead)
            & across.abs().lt(clear_aside);
        batch.draw_point(Feature::Goal, behind, present & !in_its_way);
        let speed = across.ge(L::zero()).select(batch.max_speed(), -batch.max_speed());
        let step_aside = side * speed - batch.velocity();
        Vec3::select(in_its_way, step_aside, follow).keep(present).into()
    }
}
