//! A copy of the crowd as an Arrow table for polars, pandas, pyarrow, DuckDB and others.

use arrow_data::ArrayData;
use arrow_data::ffi::FFI_ArrowArray;
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field};
use flockwork::{AgentOrder, Error, Number, Simulation, Vector};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::agents::{components, ids, species};
use crate::memory::{Memory, as_array, number_of};
use crate::properties::NUMBERS;

/// A copy of the crowd, with a row per agent and a column per attribute.
///
/// Pass the table to `polars.DataFrame`, `pyarrow.table` or `pandas.DataFrame.from_arrow`.
#[pyclass(frozen, module = "flockwork")]
pub(crate) struct Table(ArrayData);

pub(crate) struct Contents {
    ids: Vec<u64>,
    species: Vec<u8>,
    species_names: Vec<String>,
    numbers: Vec<(String, Vec<f32>)>,
}

impl Contents {
    pub(crate) fn of(crowd: &Simulation, order: AgentOrder) -> Result<Self, Error> {
        let mut numbers = Vec::new();
        for (names, vector) in [
            (["x", "y", "z"], Vector::Position),
            (["vx", "vy", "vz"], Vector::Velocity),
            (["hx", "hy", "hz"], Vector::Heading),
        ] {
            let names = names.into_iter().map(str::to_owned);
            numbers.extend(names.zip(components(crowd, vector, order)?));
        }
        let own = crowd.agents().column_names().map(|name| (name, Number::Column(name)));
        // Only scenes with paths have waypoints.
        let built_in = NUMBERS.into_iter().filter(|(_, number)| *number != Number::Waypoint);
        for (name, number) in built_in.chain(own) {
            // Built-in properties shadow columns of the same name here as well.
            let is_taken = numbers.iter().any(|(known, _)| known == name);
            if !is_taken && !["id", "species"].contains(&name) {
                numbers.push((name.to_owned(), crowd.get_all(number, order)?));
            }
        }
        Ok(Self {
            ids: ids(crowd, order).into_iter().map(number_of).collect(),
            species: species(crowd, order)?,
            species_names: crowd.scene().species.iter().map(|one| one.name.clone()).collect(),
            numbers,
        })
    }

    pub(crate) fn table(self) -> PyResult<Table> {
        self.into_data().map(Table).map_err(failed)
    }

    pub(crate) fn arrays(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let arrays = PyDict::new(py);
        arrays.set_item("id", Memory::whole(self.ids).array(py)?)?;
        let names = as_array(py)?.call1((self.species_names, "U"))?;
        arrays.set_item("species", names.get_item(Memory::bytes(self.species).array(py)?)?)?;
        for (name, numbers) in self.numbers {
            arrays.set_item(name, Memory::numbers(numbers).array(py)?)?;
        }
        Ok(arrays)
    }

    fn into_data(self) -> Result<ArrayData, ArrowError> {
        let agents = self.ids.len();
        let ids = ArrayData::builder(DataType::UInt64).len(agents);
        let ids = ids.add_buffer(self.ids.into()).build()?;

        let kind = DataType::Dictionary(DataType::UInt8.into(), DataType::Utf8.into());
        let species = ArrayData::builder(kind).len(agents).add_buffer(self.species.into());
        let species = species.add_child_data(texts(&self.species_names)?).build()?;

        let mut columns = vec![("id".to_owned(), ids), ("species".to_owned(), species)];
        for (name, values) in self.numbers {
            let numbers = ArrayData::builder(DataType::Float32).len(agents);
            columns.push((name, numbers.add_buffer(values.into()).build()?));
        }
        let field =
            |(name, data): &(String, ArrayData)| Field::new(name, data.data_type().clone(), false);
        let kind = DataType::Struct(columns.iter().map(field).collect());
        let data = columns.into_iter().map(|(_, data)| data).collect();
        ArrayData::builder(kind).len(agents).child_data(data).build()
    }
}

fn texts(texts: &[String]) -> Result<ArrayData, ArrowError> {
    let ends = texts.iter().scan(0, |end, text| {
        *end += text.len() as i32;
        Some(*end)
    });
    let offsets: Vec<i32> = std::iter::once(0).chain(ends).collect();
    ArrayData::builder(DataType::Utf8)
        .len(texts.len())
        .add_buffer(offsets.into())
        .add_buffer(texts.concat().into_bytes().into())
        .build()
}

fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

impl Table {
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.0.data_type()).map_err(failed)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }
}

#[pymethods]
impl Table {
    /// The column types, for the Arrow PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        self.schema(py)
    }

    /// The column types and the columns, for the Arrow PyCapsule interface.
    /// Ignores `requested_schema`.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let array = FFI_ArrowArray::new(&self.0);
        Ok((self.schema(py)?, PyCapsule::new_with_value(py, array, c"arrow_array")?))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("Table({} agents, {} columns)", self.0.len(), self.0.child_data().len())
    }
}
