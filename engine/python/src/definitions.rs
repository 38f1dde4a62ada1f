//! Reads scenes, species and behaviors from the dictionaries that `flockwork/scene.py` makes,
//! and converts scenes to TOML for Python.

use std::path::PathBuf;
use std::sync::OnceLock;

use flockwork::behaviors::External;
use flockwork::internal::{check_behavior, check_species};
use flockwork::kernel::{Field, FieldValue};
use flockwork::{Behavior, Scene, Species};
use pyo3::prelude::*;
use pythonize::{Depythonizer, pythonize};
use serde::de::DeserializeOwned;

use crate::error::{engine_error, unreadable};

/// Behaviors that an embedding crate passed to `fill`.
pub(crate) static EXTRA_BEHAVIORS: OnceLock<Vec<Behavior>> = OnceLock::new();

pub(crate) fn read<T: DeserializeOwned>(definition: &Bound<'_, PyAny>) -> PyResult<T> {
    let data = definition.call_method0("_data")?;
    serde_path_to_error::deserialize(&mut Depythonizer::from_object(&data)).map_err(|error| {
        unreadable(data.py(), &error.path().to_string(), &error.inner().to_string())
    })
}

#[pyfunction]
pub(crate) fn check(scene: &Bound<'_, PyAny>) -> PyResult<()> {
    read::<Scene>(scene)?.check().map_err(engine_error)
}

#[pyfunction]
pub(crate) fn check_one_species(species: &Bound<'_, PyAny>) -> PyResult<()> {
    check_species(&read::<Species>(species)?).map_err(engine_error)
}

#[pyfunction]
pub(crate) fn check_one_behavior(behavior: &Bound<'_, PyAny>) -> PyResult<()> {
    check_behavior(&read::<Behavior>(behavior)?).map_err(engine_error)
}

#[pyfunction]
pub(crate) fn scene_names() -> Vec<&'static str> {
    Scene::names().collect()
}

#[pyfunction]
pub(crate) fn named_scene(name: &str) -> PyResult<String> {
    Scene::named(name).map(|scene| scene.to_toml()).map_err(engine_error)
}

#[pyfunction]
pub(crate) fn parsed_scene(text: &str, file: &str) -> PyResult<String> {
    Scene::parse(text, file).map(|scene| scene.to_toml()).map_err(engine_error)
}

#[pyfunction]
pub(crate) fn loaded_scene(path: PathBuf) -> PyResult<String> {
    Scene::load(path).map(|scene| scene.to_toml()).map_err(engine_error)
}

#[pyfunction]
pub(crate) fn scene_text(scene: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(read::<Scene>(scene)?.to_toml())
}

/// A parameter of a behavior: name, meaning, unit, range, type, choices and default.
type Parameter =
    (&'static str, String, &'static str, [f32; 2], &'static str, Vec<&'static str>, Py<PyAny>);

/// The name, description and parameters of every behavior.
#[pyfunction]
pub(crate) fn behaviors(
    py: Python<'_>,
) -> PyResult<Vec<(&'static str, &'static str, Vec<Parameter>)>> {
    let own = Behavior::all().into_iter().chain([External::default().into()]);
    let all = own.chain(EXTRA_BEHAVIORS.get().into_iter().flatten().cloned());
    all.map(|behavior| {
        let fields = behavior.fields().into_iter().map(|field| parameter(py, field));
        Ok((behavior.name(), behavior.about(), fields.collect::<PyResult<_>>()?))
    })
    .collect()
}

fn parameter(py: Python<'_>, field: Field) -> PyResult<Parameter> {
    let (kind, choices) = match field.value {
        FieldValue::Number(_) => ("number", vec![]),
        FieldValue::Optional(_) => ("optional", vec![]),
        FieldValue::Whole(_) => ("whole", vec![]),
        FieldValue::Flag(_) => ("flag", vec![]),
        FieldValue::Target(_) => ("target", vec![]),
        FieldValue::Path(_) => ("path", vec![]),
        FieldValue::Name(_) => ("name", vec![]),
        FieldValue::Species(_) => ("species", vec![]),
        FieldValue::Vector(_) => ("vector", vec![]),
        FieldValue::Deceleration(_) => ("choice", vec!["fast", "normal", "slow"]),
        FieldValue::Feelers(_) => ("choice", vec!["three", "sweeping"]),
        _ => ("any", vec![]),
    };
    // Convert via text: a direct cast to `f64` would add digits, e.g. turn 0.1 into 0.10000000149.
    let default = match field.value {
        FieldValue::Number(value) | FieldValue::Optional(Some(value)) => {
            value.to_string().parse::<f64>()?.into_pyobject(py)?.into_any()
        }
        value => pythonize(py, &value)?,
    };
    let about = field.about.split_whitespace().collect::<Vec<_>>().join(" ");
    let range = [field.min, field.max];
    Ok((field.name, about, field.unit, range, kind, choices, default.unbind()))
}
