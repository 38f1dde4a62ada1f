//! Interpose, as specified.

use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::interpose::Interpose;
use crate::oracle::agent::Oracle;
use crate::oracle::arrive;
use crate::oracle::vector::{V, add, length, scale};

pub(super) fn force(interpose: &Interpose, oracle: &mut Oracle<'_>) -> V {
    let (a, b) = (oracle.target(&interpose.a), oracle.target(&interpose.b));
    let (Some(a), Some(b)) = (a, b) else { return [0.0; 2] };
    let middle = |time: f64| {
        let (a, b) = (add(a.0, scale(a.1, time)), add(b.0, scale(b.1, time)));
        oracle.way_to(add(a, scale(oracle.displacement(a, b), 0.5)))
    };
    let time = length(middle(0.0)) / oracle.max_speed();
    arrive::along(oracle, middle(time), Deceleration::Fast)
}
