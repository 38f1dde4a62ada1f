//! Containment, as specified.

use crate::behaviors::containment::Containment;
use crate::oracle::agent::Oracle;
use crate::oracle::vector::{V, add, scale};

pub(super) fn force(containment: &Containment, oracle: &mut Oracle<'_>) -> V {
    let time = f64::from(containment.prediction);
    let predicted = add(oracle.position(), scale(oracle.velocity(), time));
    let size = [oracle.crowd.space.size.x, oracle.crowd.space.size.y].map(f64::from);
    let margin = f64::from(containment.margin);
    [0, 1].map(|axis| {
        let (x, far) = (predicted[axis], size[axis] - margin);
        if x < margin {
            (margin - x) / time
        } else if x > far {
            (far - x) / time
        } else {
            0.0
        }
    })
}
