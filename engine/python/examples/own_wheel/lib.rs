//! flockwork for Python with a custom behavior: `flockwork.KeepClear`.

use flockwork::kernel::{Batch, Force, Lanes, behavior, register};
use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

behavior! {
    /// Steers away from neighbors within a distance.
    pub struct KeepClear: "keep_clear" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 100.0, 0.0 to 1.0e6;
        /// The behavior ignores neighbors beyond this distance.
        distance: f32 = 10.0, 0.0 to 1.0e3 "world units";
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let limit = L::splat(self.distance * self.distance);
        let sum = batch.sum_over_neighbors(
            #[inline(always)]
            |neighbor| {
                let close = neighbor.distance_sq.lt(limit);
                let push = -neighbor.offset * (L::splat(1.0) / neighbor.distance_sq);
                push.keep(close)
            },
        );
        sum.into()
    }
}

#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register::<KeepClear>().map_err(|error| PyImportError::new_err(error.to_string()))?;
    flockwork_python::fill(module, vec![KeepClear::default().into()])
}
