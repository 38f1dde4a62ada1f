//! Refusals of the engine as exceptions, whose classes are in `flockwork/errors.py`.

use flockwork::{Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The exception for a refusal: its message, its code, and what it knows besides.
pub(crate) fn refused(error: Error) -> PyErr {
    Python::attach(|py| exception(py, &error).unwrap_or_else(|failed| failed))
}

fn exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let details = PyDict::new(py);
    match error.kind() {
        ErrorKind::OutOfRange { field, value, allowed, .. } => {
            details.set_item("field", field)?;
            details.set_item("value", value)?;
            details.set_item("allowed", allowed)?;
        }
        ErrorKind::UnknownName { name, nearest, known, .. } => {
            details.set_item("name", name)?;
            details.set_item("nearest", nearest)?;
            details.set_item("known", known)?;
        }
        ErrorKind::File { kind, .. } => {
            details.set_item("missing", *kind == std::io::ErrorKind::NotFound)?;
        }
        _ => {}
    }
    raised(py, error.code(), &error.to_string(), details)
}

/// A value that is not of the type that a definition needs, at a path such as `species[0].max_speed`.
pub(crate) fn wrong_type(py: Python<'_>, field: &str, message: &str) -> PyErr {
    let details = PyDict::new(py);
    let said = details
        .set_item("field", field)
        .and_then(|()| raised(py, "parse", &format!("{field}: {message}"), details));
    said.unwrap_or_else(|failed| failed)
}

fn raised(
    py: Python<'_>,
    code: &str,
    message: &str,
    details: Bound<'_, PyDict>,
) -> PyResult<PyErr> {
    let exception = py.import("flockwork.errors")?.getattr("_exception")?;
    Ok(PyErr::from_value(exception.call1((code, message, details))?))
}
