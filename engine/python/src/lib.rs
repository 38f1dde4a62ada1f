//! Python bindings: the `flockwork._engine` module, which the `flockwork` package wraps.
//!
//! A crate with its own behaviors links this crate without default features and calls [`fill`]:
//! see `docs/python.md`.

#![deny(missing_docs)]
#![deny(unsafe_code)]

use flockwork::Behavior;
use pyo3::prelude::*;

mod agents;
mod arguments;
mod crowd;
mod definitions;
mod error;
mod explanation;
mod memory;
mod properties;
mod table;

/// Adds all classes and functions to a module. `outside` lists the behaviors that another crate
/// has [registered](flockwork::kernel::register).
///
/// # Errors
/// A Python error if an item cannot be added to the module.
pub fn fill(module: &Bound<'_, PyModule>, outside: Vec<Behavior>) -> PyResult<()> {
    definitions::EXTRA_BEHAVIORS.get_or_init(|| outside);
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<crowd::Crowd>()?;
    module.add_class::<table::Table>()?;
    module.add_function(wrap_pyfunction!(crowd::build, module)?)?;
    module.add_function(wrap_pyfunction!(definitions::behaviors, module)?)?;
    module.add_function(wrap_pyfunction!(definitions::check, module)?)?;
    module.add_function(wrap_pyfunction!(definitions::check_one_behavior, module)?)?;
    module.add_function(wrap_pyfunction!(definitions::check_one_species, module)?)?;
    module.add_function(wrap_pyfunction!(definitions::loaded_scene, module)?)?;
    module.add_function(wrap_pyfunction!(definitions::named_scene, module)?)?;
    module.add_function(wrap_pyfunction!(definitions::parsed_scene, module)?)?;
    module.add_function(wrap_pyfunction!(definitions::scene_names, module)?)?;
    module.add_function(wrap_pyfunction!(definitions::scene_text, module)?)
}

/// The Rust engine behind the `flockwork` package.
#[cfg(feature = "module")]
#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    fill(module, Vec::new())
}
