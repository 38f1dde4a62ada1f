//! Converts engine errors and argument errors to the exceptions in `flockwork/errors.py`.

use flockwork::{AgentId, Error, ErrorKind};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};

use crate::memory::number_of;

pub(crate) fn engine_error(error: Error) -> PyErr {
    Python::attach(|py| exception(py, &error).unwrap_or_else(|failed| failed))
}

fn exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let details = PyDict::new(py);
    match error.kind() {
        ErrorKind::OutOfRange { field, value, allowed, .. } => {
            details.set_item("field", with_numbers(field))?;
            details.set_item("value", with_numbers(value))?;
            details.set_item("allowed", allowed)?;
        }
        ErrorKind::UnknownName { field, name, nearest, known, .. } => {
            details.set_item("field", (!field.is_empty()).then_some(field))?;
            details.set_item("name", name)?;
            details.set_item("nearest", nearest)?;
            details.set_item("known", known)?;
        }
        ErrorKind::File { kind, .. } => {
            details.set_item("missing", *kind == std::io::ErrorKind::NotFound)?;
        }
        _ => {}
    }
    exception_of(py, error.code(), &with_numbers(&error.to_string()), details)
}

/// Rewrites the ids in an engine message as Python integers: `agent #1.0` becomes `agent 1`.
fn with_numbers(message: &str) -> String {
    let mut parts = message.split("agent #");
    let mut said = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_part = |c: char| c.is_ascii_digit() || c == '.';
        let (id, rest) = part.split_at(part.find(|c| !is_part(c)).unwrap_or(part.len()));
        let id = id.split_once('.').and_then(|(index, generation)| {
            Some(AgentId { index: index.parse().ok()?, generation: generation.parse().ok()? })
        });
        match id {
            Some(id) => said.extend(["agent ", &number_of(id).to_string(), rest]),
            None => said.extend(["agent #", part]),
        }
    }
    said
}

/// Returns the exception for unreadable data. `field` is a path, e.g. `species[0].max_speed`.
pub(crate) fn unreadable(py: Python<'_>, field: &str, message: &str) -> PyErr {
    let details = [("field", field), ("allowed", message)];
    refusal(py, "wrong_type", &format!("{field}: {message}"), &details)
}

pub(crate) fn forked(py: Python<'_>, built_in: u32) -> PyErr {
    let message = format!(
        "this crowd was built in process {built_in}, and this process is a fork of it: threads and locks \
         do not survive a fork. Build the crowd here, or send it as `crowd.snapshot()` or by pickle"
    );
    refusal(py, "forked", &message, &[("field", "crowd"), ("value", "")])
}

pub(crate) fn flat_world(py: Python<'_>, name: &str) -> PyErr {
    let message =
        format!("`{name}`: only the crowd of a world with depth has it; this world is flat");
    refusal(py, "flat_world", &message, &[("field", name), ("value", "")])
}

fn refusal(py: Python<'_>, code: &str, message: &str, details: &[(&str, &str)]) -> PyErr {
    let details = details.into_py_dict(py);
    let said = details.and_then(|details| exception_of(py, code, message, details));
    said.unwrap_or_else(|failed| failed)
}

fn exception_of(
    py: Python<'_>,
    code: &str,
    message: &str,
    details: Bound<'_, PyDict>,
) -> PyResult<PyErr> {
    let exception = py.import("flockwork.errors")?.getattr("_exception")?;
    Ok(PyErr::from_value(exception.call1((code, message, details))?))
}

pub(crate) fn invalid_argument(
    code: &str,
    name: &str,
    value: &Bound<'_, PyAny>,
    allowed: &str,
) -> PyErr {
    let made = || {
        let refuse = value.py().import("flockwork.errors")?.getattr("_refused")?;
        Ok(PyErr::from_value(refuse.call1((code, name, value, allowed))?))
    };
    made().unwrap_or_else(|failed: PyErr| failed)
}
