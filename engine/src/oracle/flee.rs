//! Flee, as specified.

use crate::behaviors::flee::Flee;
use crate::oracle::agent::Oracle;
use crate::oracle::seek;
use crate::oracle::vector::{V, length, scale};

pub(super) fn force(flee: &Flee, oracle: &mut Oracle<'_>) -> V {
    let Some((position, ..)) = oracle.target(&flee.target) else { return [0.0; 2] };
    let way = oracle.way_to(position);
    oracle.decides(length(way), f64::from(flee.panic_distance.unwrap_or(f32::MAX)));
    if flee.panic_distance.is_some_and(|panic| length(way) > f64::from(panic)) {
        return [0.0; 2];
    }
    seek::along(oracle, scale(way, -1.0))
}
