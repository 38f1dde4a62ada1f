use std::sync::Once;

use flockwork::kernel::{Batch, Force, Lanes, behavior};

pub(crate) const FEAR: &str = "fear";
const NUMBER: usize = 0;

behavior! {
    /// Steers away from frightened neighbors and catches their fear.
    pub(crate) struct Alarm: "alarm" {
        weight: f32 = 300.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let (push, fear) = batch.sum_over_neighbors(
            #[inline(always)]
            |neighbor| {
                let fear = neighbor.column(NUMBER);
                // Agents at the same position make this force non-finite, so the step must be
                // refused.
                let push = -neighbor.offset * (fear / neighbor.distance_sq);
                (push, fear)
            },
        );
        let own = batch.column(NUMBER);
        batch.set_column(NUMBER, own.gt(fear).select(own, fear));
        Force::unit(push)
    }

    fn columns(&self) -> Vec<&str> {
        vec![FEAR]
    }
}

pub(crate) fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| flockwork::kernel::register::<Alarm>().expect("a name of its own"));
}
