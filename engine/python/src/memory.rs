//! Memory behind numpy arrays: the only Rust memory that code outside Rust accesses by address.
//!
//! numpy makes an array from `__array_interface__`: an address, a shape, a type,
//! and an object that the array keeps alive. This requires no unsafe code, but numpy may read
//! the memory from any thread for as long as the array lives. These reads are sound because:
//!
//! - A [`Memory`] either owns its buffer or shares an [`Exported`] column of a crowd.
//! - An exported column belongs to the crowd until the crowd is about to change or be dropped.
//!   Before that, its `Vec` moves into the `Exported`, and the crowd continues with a copy
//!   ([`Running::write`], `drop`). Moving a `Vec` does not move its heap buffer, so the address
//!   stays valid, and its contents never change again.
//! - Nothing else changes a column: only [`Running::write`] hands out `&mut Simulation`.
//! - Arrays of exported columns are read-only, and numpy refuses to make them writable.
//!   Rust never again reads memory that an array may write to.

use std::any::Any;
use std::sync::{Arc, OnceLock, Weak};

use flockwork::internal::detach::{self, Column};
use flockwork::{AgentId, Simulation};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

/// A crowd's column that numpy arrays view without a copy.
pub(crate) struct Exported {
    address: usize,
    pub(crate) length: usize,
    /// The column's buffer, once the crowd has detached it.
    detached: OnceLock<Vec<f32>>,
}

pub(crate) struct Running {
    crowd: Simulation,
    exported: Vec<(Column, Weak<Exported>)>,
}

impl Running {
    pub(crate) fn new(crowd: Simulation) -> Self {
        Self { crowd, exported: Vec::new() }
    }

    pub(crate) fn read(&self) -> &Simulation {
        &self.crowd
    }

    /// Returns the crowd for mutation, after detaching every column that an array still views.
    pub(crate) fn write(&mut self) -> &mut Simulation {
        for (column, exported) in self.exported.drain(..) {
            if let Some(exported) = exported.upgrade() {
                let detached = detach::detach(&mut self.crowd, column);
                assert_eq!(
                    (detached.as_ptr() as usize, detached.len()),
                    (exported.address, exported.length)
                );
                exported.detached.get_or_init(|| detached);
            }
        }
        &mut self.crowd
    }

    /// The column's buffer stays valid and unchanged for as long as the returned `Arc` lives.
    pub(crate) fn export(&mut self, column: Column) -> Arc<Exported> {
        let known = self.exported.iter().find(|(known, _)| *known == column);
        if let Some(exported) = known.and_then(|(_, exported)| exported.upgrade()) {
            return exported;
        }
        let shown = detach::column(&mut self.crowd, column);
        let (address, length) = (shown.as_ptr() as usize, shown.len());
        let exported = Arc::new(Exported { address, length, detached: OnceLock::new() });
        self.exported.retain(|(known, _)| *known != column);
        self.exported.push((column, Arc::downgrade(&exported)));
        exported
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.write();
    }
}

/// Memory for a numpy array: `numpy.asarray` wraps this object without a copy.
#[pyclass(frozen, module = "flockwork._engine")]
pub(crate) struct Memory {
    /// Keeps the buffer alive, because numpy holds only its raw address.
    _kept: Box<dyn Any + Send + Sync>,
    address: usize,
    kind: &'static str,
    shape: (usize, Option<usize>),
    read_only: bool,
}

#[pymethods]
impl Memory {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", self.kind)?;
        match self.shape {
            (rows, None) => interface.set_item("shape", (rows,))?,
            (rows, Some(columns)) => interface.set_item("shape", (rows, columns))?,
        }
        interface.set_item("data", (self.address, self.read_only))?;
        Ok(interface)
    }
}

impl Memory {
    pub(crate) fn exported(column: Arc<Exported>) -> Self {
        let (address, shape) = (column.address, (column.length, None));
        Self { _kept: Box::new(column), address, kind: "=f4", shape, read_only: true }
    }

    fn owned<T: Send + Sync + 'static>(mut values: Vec<T>, kind: &'static str) -> Self {
        let (address, shape) = (values.as_mut_ptr() as usize, (values.len(), None));
        Self { _kept: Box::new(values), address, kind, shape, read_only: false }
    }

    pub(crate) fn numbers(values: Vec<f32>) -> Self {
        Self::owned(values, "=f4")
    }

    pub(crate) fn read_only(self) -> Self {
        Self { read_only: true, ..self }
    }

    pub(crate) fn vectors<const D: usize>(values: Vec<[f32; D]>) -> Self {
        let rows = values.len();
        Self::numbers(values.into_flattened()).in_rows(rows, D)
    }

    /// Wraps vectors as rows of `axes` coordinates. In a flat world, drops the third.
    pub(crate) fn vectors_in(axes: usize, values: Vec<[f32; 3]>) -> Self {
        match axes {
            2 => Self::vectors(values.into_iter().map(|[x, y, _]| [x, y]).collect()),
            _ => Self::vectors(values),
        }
    }

    pub(crate) fn ids(ids: impl IntoIterator<Item = AgentId>) -> Self {
        Self::whole(ids.into_iter().map(number_of).collect())
    }

    pub(crate) fn whole(values: Vec<u64>) -> Self {
        Self::owned(values, "=u8")
    }

    /// Offsets into a list, all below 2⁶³. Signed like numpy's own index type, so that
    /// arithmetic and `numpy.repeat` need no casts.
    pub(crate) fn offsets(values: Vec<u64>) -> Self {
        Self::owned(values, "=i8")
    }

    /// Row indices, all below 2³¹.
    pub(crate) fn rows(values: Vec<u32>) -> Self {
        Self::owned(values, "=i4")
    }

    pub(crate) fn in_rows(self, rows: usize, columns: usize) -> Self {
        Self { shape: (rows, Some(columns)), ..self }
    }

    pub(crate) fn bytes(values: Vec<u8>) -> Self {
        Self::owned(values, "|u1")
    }

    pub(crate) fn array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        as_array(py)?.call1((self,))
    }
}

pub(crate) fn as_array(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static AS_ARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    AS_ARRAY.import(py, "numpy", "asarray")
}

/// Packs an id into an integer. In generation 0, the integer equals the agent's index.
pub(crate) fn number_of(id: AgentId) -> u64 {
    u64::from(id.generation) << 32 | u64::from(id.index)
}

pub(crate) fn id_of(number: u64) -> AgentId {
    AgentId { index: number as u32, generation: (number >> 32) as u32 }
}
