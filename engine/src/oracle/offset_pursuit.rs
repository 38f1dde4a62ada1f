//! Offset pursuit, as specified.

use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::offset_pursuit::OffsetPursuit;
use crate::oracle::agent::Oracle;
use crate::oracle::arrive;
use crate::oracle::vector::{V, add, length, perp, scale};

pub(super) fn force(pursuit: &OffsetPursuit, oracle: &mut Oracle<'_>) -> V {
    let Some((position, velocity, heading)) = oracle.target(&pursuit.leader) else {
        return [0.0; 2];
    };
    let [mut ahead, mut aside] = pursuit.offset.map(f64::from);
    if pursuit.abreast > 0 {
        let first = oracle.crowd.kinds[oracle.crowd.kind_of(oracle.slot)].first_index;
        let number = oracle.crowd.traits.index[oracle.slot].wrapping_sub(first)
            % oracle.species.agents.max(1) as u32;
        let spacing = f64::from(pursuit.spacing);
        let file = f64::from(number % pursuit.abreast);
        ahead -= f64::from(number / pursuit.abreast) * spacing;
        aside += (file - f64::from(pursuit.abreast - 1) / 2.0) * spacing;
    }
    let goal = add(position, add(scale(heading, ahead), scale(perp(heading), aside)));
    let time = length(oracle.way_to(goal)) / (oracle.max_speed() + length(velocity));
    let predicted = add(goal, scale(velocity, time));
    arrive::along(oracle, oracle.way_to(predicted), Deceleration::Fast)
}
