use crate::behaviors::arrive;
use crate::behaviors::steer::{Batch, Deceleration, Feature, Force, Lanes, Target, Vec3, behavior};

behavior! {
    /// Keeps a position at an offset from a leader
    /// (Reynolds 1999, "Offset pursuit"; Buckland 2004, ch. 3).
    ///
    /// If `abreast` is not 0, the agents of the species line up in rows of that many agents behind
    /// the offset position, in the order in which they joined the species. When an agent is removed
    /// or changes species, all behind it move up by one position.
    pub struct OffsetPursuit: "offset_pursuit" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 200.0, 0.0 to 1.0e6;
        /// The leader to follow.
        leader: Target = Target::Unset;
        /// Position to keep, as distances ahead and to the left of the leader.
        offset: [f32; 2] = [-30.0, 0.0], -1.0e6 to 1.0e6 "world units";
        /// Distance of the position above the leader; no effect in flat worlds.
        above: Option<f32> = None, -1.0e6 to 1.0e6 "world units";
        /// Agents per row; 0 gives all agents the same position.
        abreast: u32 = 0, 0.0 to 65535.0;
        /// Distance between neighboring formation positions.
        spacing: f32 = 20.0, 0.0 to 1.0e5 "world units";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (leader, present) = batch.target(&self.leader);
        let offset = if self.abreast == 0 {
            Vec3::splat(self.offset.into())
        } else {
            Vec3::from_fn(|lane| self.offset_of(batch.crowd.place_of(batch.slot(lane))))
        };
        let position = leader.heading.mul_add(offset.x, leader.position);
        let left = leader.heading.left();
        let mut position = left.mul_add(offset.y, position);
        if L::AXES > 2
            && let Some(above) = self.above
        {
            position = leader.heading.above(left).mul_add(L::splat(above), position);
        }
        let distance = batch.offset_to(position).length();
        let time = distance / (batch.max_speed() + leader.velocity.length());
        let predicted = leader.velocity.mul_add(time, position);
        batch.draw_point(Feature::Goal, position, present);
        batch.draw_point(Feature::Predicted, predicted, present);
        arrive::along(batch, batch.offset_to(predicted), Deceleration::Fast).keep(present).into()
    }

    fn forms(&self) -> bool {
        self.abreast > 0
    }
}

impl OffsetPursuit {
    fn offset_of(&self, place: u32) -> Vec3<f32> {
        let (row, column) = (place / self.abreast, place % self.abreast);
        let aside = column as f32 - (self.abreast - 1) as f32 / 2.0;
        Vec3::flat(-(row as f32), aside).mul_add(self.spacing, self.offset.into())
    }
}
