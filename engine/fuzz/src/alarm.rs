//! A behavior of another crate, with a column that it reads and writes.

use std::sync::Once;

use flockwork::custom::{Batch, CustomBehavior, Force, Lanes, Vec2, WEIGHT, fields};
use serde::{Deserialize, Serialize};

/// Steers away from frightened neighbors and catches their fear.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Alarm {
    weight: f32,
}

impl Default for Alarm {
    fn default() -> Self {
        Self { weight: 300.0 }
    }
}

/// The column, and its number among those of the behavior.
pub(crate) const FEAR: &str = "fear";
const NUMBER: usize = 0;

impl CustomBehavior for Alarm {
    const NAME: &'static str = "alarm";

    fields! {
        weight: WEIGHT,
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn columns(&self) -> Vec<&str> {
        vec![FEAR]
    }

    #[inline(always)]
    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let [x, y, fear, _] = batch.sum_over_neighbors(
            #[inline(always)]
            |neighbor| {
                let fear = neighbor.column(NUMBER);
                // Not finite between agents in one place, which a step has to refuse.
                let push = -neighbor.way * (fear / neighbor.distance_sq);
                [push.x, push.y, fear, L::splat(1.0)]
            },
        );
        let own = batch.column(NUMBER);
        batch.set_column(NUMBER, own.gt(fear).select(own, fear));
        Force::unit(Vec2::new(x, y))
    }
}

/// Makes it known to readers of scenes and snapshots.
pub(crate) fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| flockwork::custom::register::<Alarm>().expect("a name of its own"));
}
