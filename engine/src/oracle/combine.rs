//! Combining forces, as specified.

use crate::crowd::columns::value;
use crate::oracle::agent::Oracle;
use crate::oracle::behavior;
use crate::oracle::random::{self, DITHER};
use crate::oracle::vector::{V, add, length, scale, truncate};
use crate::species::combine::Combine;

/// The combined steering force.
pub(super) fn force(oracle: &mut Oracle<'_>) -> V {
    let species = oracle.species;
    let max_force =
        f64::from(value::<f32>(&oracle.crowd.traits.max_force, oracle.slot, species.max_force));
    let mut total = [0.0; 2];
    if species.combine == Combine::Dithered {
        return truncate(dithered(oracle), max_force);
    }
    for behavior in &species.behaviors {
        let remaining = max_force - length(total);
        if species.combine == Combine::Prioritized && remaining <= 1.0e-6 * max_force {
            break;
        }
        let force = scale(behavior::force(behavior, oracle), f64::from(behavior.weight()));
        total = match species.combine {
            Combine::Prioritized => add(total, truncate(force, remaining)),
            Combine::WeightedSum | Combine::Dithered => add(total, force),
        };
    }
    truncate(total, max_force)
}

fn dithered(oracle: &mut Oracle<'_>) -> V {
    let species = oracle.species;
    let index = oracle.crowd.traits.index[oracle.slot];
    for (stream, behavior) in DITHER.zip(&species.behaviors) {
        let probability = f64::from(species.probability(behavior.name()));
        let (seed, tick) = (oracle.crowd.seed, oracle.crowd.tick);
        let [draw, _] = random::signed_units(seed, stream, index, tick);
        if (draw + 1.0) / 2.0 < probability {
            let force = behavior::force(behavior, oracle);
            let weight = f64::from(behavior.weight());
            if length(force) * weight > 0.0 {
                return scale(force, weight / probability);
            }
        }
    }
    [0.0; 2]
}
